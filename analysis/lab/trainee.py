"""Who is trained, for which role, against whom, and which of its parameters may change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from analysis.lab.evolve import Axis, Point, axis
from analysis.lab.stages import DEFAULT_PLAYERS, games_a_block
from analysis.lab.sums import Metric, strategy_metric
from sim.errors import UserError, did_you_mean, shown
from sim.line_ups import POOL, ROTATED
from sim.plan import game_module
from sim.registry import STRATEGIES

ALIEN, HUMAN, BOTH = "alien", "human", "both"
#: role -> which points count
ROLES = {ALIEN: "alien", HUMAN: "human", BOTH: "strategy"}
AS = {ALIEN: "as the alien", HUMAN: "as a human", BOTH: "in all"}
FOR = {**AS, BOTH: "for both roles"}
#: parameters of the core that are shares or chances: beyond, answers are illegal or mean nothing
LIMITS = {"generosity": (0.0, 1.0), "loyalty": (0.0, 1.0)}
CORE = "strategies.eti.core"
MIRROR = "~"  # stands in the names of strategies that may not do everything
RANDOM = "random"
_RANGE = re.compile(r"(?P<name>[^=]+?)\s*(=\s*(?P<low>[^=]+?)\s*\.\.\s*(?P<high>[^=]+?)\s*)?")


@dataclass(frozen=True)
class Trainee:
    """A strategy that is to be trained.

    `given` is the untrained one as it came, `strategy` the same under the name by which it sits at the table; `words`
    are those of a study in which it has a seat of its own, `field` the names of the others.
    """

    given: Any
    strategy: Any
    role: str
    axes: tuple[Axis, ...]
    words: Mapping[str, Any]
    field: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which it sits at the table."""
        return str(self.strategy.name)

    @property
    def games_a_block(self) -> int:
        """Games with the same luck."""
        return games_a_block(self.words)

    def metric(self, role: str = "") -> Metric:
        """Its points in a role; by default the one that it is trained for."""
        return strategy_metric(ROLES[role or self.role], self.name)

    def changes(self, point: Point) -> list[str]:
        """The change words that give it these parameters."""
        return [
            f"{self.name}.{one.name}={value!r}"
            for one, value in zip(self.axes, point, strict=True)
            if value != one.start
        ]

    def values(self, point: Point) -> dict[str, float]:
        """All parameters by name: those of the point, the others as they were."""
        at_first = {param.name: float(param.value) for param in self.given.params}
        return at_first | {one.name: value for one, value in zip(self.axes, point, strict=True)}


def trainee(
    base: Mapping[str, Any], strategy: Any, role: str, vary: Sequence[str] = (), ending: str = ""
) -> Trainee:
    """Check who is to be trained, and put it at the table.

    Parameters
    ----------
    base
        The table, from `base_words`. Where the strategy sits already, its first seat is the one to be trained; else
        it gets the first seat. Seats rotate, so that it learns to play in all of them.
    strategy
        A name, a file, or a strategy made ready.
    role
        'alien', 'human', or 'both': the points in all.
    vary
        Parameters, each with a range if wanted: 'push', 'risk=0..3'. All, if none is named.
    """
    check_role(role)
    given = _loaded(base, strategy)
    if MIRROR in given.name:
        plain = given.name.partition(MIRROR)[0]
        raise UserError(f"{given.name} may not do everything, which is no matter of training; valid: {plain}")
    named = given.changed(f"{given.name}-{ending or role}")
    words, field = seated(base, given, strategy, named)
    found = Trainee(given, named, role, axes_of(given, vary), words, field)
    strangers(found)  # they are loaded now, not after an hour of search
    return found


def check_role(role: str) -> None:
    """alien, human or both."""
    if role not in ROLES:
        near = did_you_mean(role, ROLES) if isinstance(role, str) else ""
        raise UserError(f"no role {shown(role)}{near}; valid: {', '.join(ROLES)}")


def _loaded(base: Mapping[str, Any], strategy: Any) -> Any:
    """A strategy ready to play; one of the table is found by its name as well."""
    game = game_module(base["game"])
    if isinstance(strategy, game.Strategy):
        return strategy
    if not isinstance(strategy, str) or not strategy.strip():
        raise UserError(f"strategy is {shown(strategy)}; valid: a name, or a file: path/to/mine.py:Mine")
    ready = {one.name: one for one in base["strategies"] if isinstance(one, game.Strategy)}
    return ready[strategy] if strategy in ready else game.load_strategy(strategy.strip())


# --- the table -----------------------------------------------------------------------------------------------
def seated(
    base: Mapping[str, Any], given: Any, spec: Any, named: Any
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The words of a study with the trained one in its seat, and who plays against it."""
    listed = seats_of(base)
    mine = [place for place, one in enumerate(listed) if _is(one, given, spec)]
    if mine:
        listed[mine[0]] = named
    elif base["line_up"] == POOL:
        listed = [named, *listed]
    else:
        listed[0] = named
    others = [one for one in listed if one is not named]
    way = POOL if base["line_up"] == POOL else ROTATED
    return {**base, "strategies": listed, "line_up": way}, tuple(map(name_of, others))


def seats_of(base: Mapping[str, Any]) -> list[Any]:
    """Who sits at the table, seat by seat; a pool as it is."""
    listed = list(base["strategies"])
    one_for_all = len(listed) == 1 and base["line_up"] != POOL
    return listed * players_of(base) if one_for_all else listed


def players_of(words: Mapping[str, Any]) -> int:
    """How many sit at the table: as many as there are strategies, if nothing else is said."""
    seats = len(words["strategies"])
    return int(words.get("players") or (DEFAULT_PLAYERS if words["line_up"] == POOL or seats == 1 else seats))


def _is(one: Any, given: Any, spec: Any) -> bool:
    return name_of(one) in (given.name, spec) or one is given


def name_of(strategy: Any) -> str:
    """The name of a strategy, ready or not; of a file its class, or its stem."""
    if not isinstance(strategy, str):
        return str(strategy.name)
    file, _, chosen = strategy.partition(":")
    return chosen or re.split(r"[/\\]", file)[-1].removesuffix(".py")


def strangers(which: Trainee) -> tuple[dict[str, Any], tuple[str, ...]] | None:
    """The same table with others than it was trained against, as far as there are some."""
    known = {which.given.name, RANDOM, *which.field}
    others = [name for name in STRATEGIES[which.words["game"]] if name not in known]
    seats = players_of(which.words)
    chosen = tuple(others[: seats - 1])
    if len(chosen) < seats - 1:
        return None
    game = game_module(which.words["game"])
    ready = [game.load_strategy(name) for name in chosen]
    words = {**which.words, "strategies": [which.strategy, *ready], "line_up": ROTATED, "players": seats}
    return words, chosen


# --- the parameters --------------------------------------------------------------------------------------------
def axes_of(strategy: Any, vary: Sequence[str] = ()) -> tuple[Axis, ...]:
    """The parameters that may change, each with a sensible step and bounds."""
    values = {param.name: float(param.value) for param in strategy.params}
    ranges = dict(_range(strategy.name, text, values) for text in apart(vary)) or dict.fromkeys(values)
    usual = usual_values()
    return tuple(
        axis(name, value, usual.get(name, ()), ranges[name] or _limits(name, value))
        for name, value in values.items()
        if name in ranges
    )


def apart(texts: Sequence[str]) -> list[str]:
    """'push, risk=0..3' as two."""
    listed = [texts] if isinstance(texts, str) else list(texts)
    return [part.strip() for text in listed for part in str(text).split(",") if part.strip()]


def _limits(name: str, value: float) -> tuple[float, float] | None:
    """Known ones, wide enough for the value it has."""
    if name not in LIMITS:
        return None
    low, high = LIMITS[name]
    return min(low, value), max(high, value)


def _range(strategy: str, text: str, values: Mapping[str, float]) -> tuple[str, tuple[float, float] | None]:
    """'push' or 'push=0..2'."""
    found = _RANGE.fullmatch(text)
    name = found["name"] if found else text.partition("=")[0].strip()
    if name not in values:
        near = did_you_mean(name, values)
        raise UserError(
            f"vary: strategy {strategy} has no parameter {shown(name)}{near}; valid: {', '.join(values)}"
        )
    if found is None:
        raise UserError(
            f"vary: {shown(text)} is no range; valid: a parameter, or one with a range: {name}=0..2"
        )
    if found["low"] is None:
        return name, None
    low, high = (_number(text, found[end]) for end in ("low", "high"))
    if not low < high:
        raise UserError(f"vary: {shown(text)} is an empty range; valid: from the smaller to the larger")
    if not low <= values[name] <= high:
        raise UserError(
            f"vary: {shown(text)} leaves out {values[name]:g}, where it starts; valid: a range with it"
        )
    return name, (low, high)


def _number(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e9:
        raise UserError(f"vary: {shown(text)}: {shown(value)} is no number; valid: a number")
    return number


def usual_values() -> dict[str, list[float]]:
    """The values that parameters have in the strategies that come with the game, and in the core."""
    found: dict[str, list[float]] = {p.name: [p.value] for p in import_module(CORE).CORE_PARAMS}
    for module in STRATEGIES["eti"].values():
        for name, value in getattr(import_module(module), "params", {}).items():
            found.setdefault(name, []).append(float(value[0] if isinstance(value, tuple) else value))
    return found
