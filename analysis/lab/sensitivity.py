"""Sensitivity: which numbers of the rules and cards drive who wins, and how long it takes?

Three stages. One at a time: each number at both ends of its range, all others as they are (tornado). Screening: all
numbers at once, along Morris's trajectories. Then the strongest of them alone, for the shares of the variance that
each explains (Sobol's indices), on blocks of luck that the screening has not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.comparisons import LEVEL
from analysis.lab.designs import base_points, trajectories
from analysis.lab.sensitivity_factors import REACH, Factor, around, choose
from analysis.lab.sensitivity_numbers import Effects, Shares, screen, shares
from analysis.lab.sensitivity_tables import OTHER_LUCK, Found, facts_of, tables_of, verdict_of, warnings_of
from analysis.lab.stages import Lab, Result, card_set, games_a_block, plain, silent, strategy_names
from analysis.lab.sums import Metric, Sums, find_metric, metrics_of
from sim.errors import UserError, shown
from sim.line_ups import POOL
from sim.plan import game_module
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

TORNADO = 8  # times as many games: few points, each of which is looked at
ROWS = 100  # of the sums of a point: how they differ tells the noise
MOST_ARMS = 10_000  # of a stage
MOST_SEED = 2**32  # of a design
LENGTHS = "multiplier_"  # rules of one length each
LINE_UP = "line-up"  # luck that is drawn for a pool only


@dataclass(frozen=True)
class Size:
    """How much is played."""

    trajectories: int = 20
    points: int = 256
    games: int = 500
    keep: int = 10


def sensitivity(
    base: Mapping[str, Any],
    *,
    vary: Sequence[str] = (),
    metrics: str | Sequence[str] | None = None,
    trajectories: int = 20,
    points: int = 256,
    games: int = 500,
    keep: int = 10,
    reach: float = REACH,
    seed: int = 1,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """Which numbers drive the outcome.

    Parameters
    ----------
    base
        The table, from `base_words`.
    vary
        What is varied: 'public_fame', 'public_fame=0..20', 'attack_*', 'Planetary Shield.defence*=0.5..1.5'. None:
        every rule option and all aggregates of the cards.
    metrics
        Outcomes, as in `compare`: a list, or names with commas.
    trajectories
        Of the screening, each of which plays a point more than there are factors; 0: no screening.
    points
        Base points of the second stage, each of which plays 2 points more than factors were kept; 0: none.
    games
        Of each point. The tornado's points play eight times as many.
    keep
        So many factors go on to the second stage.
    reach
        Usual ranges go so much of a value up and down.

    Example
    -------
    >>> sensitivity(base_words(players=4), vary=["attack_*", "public_fame=0..20"]).verdict  # doctest: +SKIP
    """
    size = _checked(Size(trajectories, points, games, keep))
    factors = chosen(base, vary, reach)
    _check_playable(base, factors)
    wanted = [
        find_metric(name, strategy_names(base), int(base.get("players", 6)), base["game"])
        for name in _names(metrics_of(base["game"]).usual if metrics is None else metrics)
    ]
    words = {
        "base": plain(base), "factors": [_told(factor) for factor in factors], "metrics": [m.name for m in wanted],
        **asdict(size), "seed": seed,
    }  # fmt: skip
    with Lab("sensitivity", words, out, workers, watch) as lab:
        found = _Study(lab, base, seed, factors, wanted, size).find()
        title = f"What drives {', '.join(metric.text for metric in wanted)}: {len(factors)} numbers varied"
        tables, facts = tables_of(found), facts_of(found)
        return lab.finish(
            Result("sensitivity", title, words, facts, tables, verdict_of(found), warnings_of(found))
        )


# --- what is asked for -----------------------------------------------------------------------------------
def factors_of(base: Mapping[str, Any], reach: float = REACH) -> list[Factor]:
    """Everything that can be varied, with its usual range; not the rules of other lengths than the table's."""
    game, rules = game_module(base["game"]), base.get("rules", {})
    targets = [
        target for target in game.change_targets(card_set(base))
        if not (target.name.startswith(LENGTHS) and target.name != f"{LENGTHS}{base['length']}")
    ]  # fmt: skip
    return [
        around(
            Factor(
                target.name, target.default, target.default, rules.get(target.name, target.default) if target.is_rule
                else target.default, target.whole, target.sign, target.low, target.high, target.source,
            ),
            reach,
        )
        for target in targets
    ]  # fmt: skip


def chosen(base: Mapping[str, Any], vary: str | Sequence[str] = (), reach: float = REACH) -> list[Factor]:
    """What was asked for, with its ranges."""
    return choose(factors_of(base, _share(reach)), _texts(vary))


def _texts(vary: str | Sequence[str]) -> list[str]:
    """Several in one text are separated by commas or semicolons."""
    listed = [vary] if isinstance(vary, str) else list(vary)
    return [
        part.strip() for text in listed for part in str(text).replace(";", ",").split(",") if part.strip()
    ]


def _names(metrics: str | Sequence[str]) -> list[str]:
    found = list(dict.fromkeys(_texts(metrics)))
    if not found:
        raise UserError("metrics: none; valid: alien_win, rounds, …")
    return found


def _share(reach: Any) -> float:
    if not isinstance(reach, int | float) or isinstance(reach, bool) or not 0 < reach <= 1:
        raise UserError(f"reach is {shown(reach)}; valid: above 0, up to 1 (0.3 is 30 % up and down)")
    return float(reach)


def _checked(size: Size) -> Size:
    """What cannot be is told before anything is played."""
    limits = {
        "trajectories": (2, 1_000, "0 for no screening, or "), "points": (16, 65_536, "0 for no second stage, or "),
        "games": (30, 10**9, ""), "keep": (1, 60, ""),
    }  # fmt: skip
    problems = []
    for name, (low, high, nothing) in limits.items():
        value = getattr(size, name)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not (whole and (low <= value <= high or (nothing and value == 0))):
            problems.append(
                f"{name} is {shown(value)}; valid: {nothing}a whole number from {low:,} to {high:,}"
            )
        elif name == "points" and value & (value - 1):
            problems.append(
                f"points is {value}; valid: 0, or a power of 2, such as {1 << (value.bit_length() - 1)}"
            )
    if problems:
        raise UserError(problems)
    return size


def _check_playable(base: Mapping[str, Any], factors: Sequence[Factor]) -> None:
    """Both ends of every factor alone, and all of them together, must be games that can be played."""
    ends = [factor.changes(end) for factor in factors for end in (factor.low, factor.high)]
    corners = [[text for factor in factors for text in factor.changes(end(factor))] for end in (_low, _high)]
    try:
        make_plan({**base, "changes": [*ends, *corners], "games": 1})
    except UserError as error:
        raise UserError([f"--vary: {line}" for line in error.lines]) from None


def _low(factor: Factor) -> float:
    return factor.low


def _high(factor: Factor) -> float:
    return factor.high


def yardstick(line_up: str, game: str = "eti") -> Factor:
    """A number that changes nothing but the luck: what it seems to do is what noise does."""
    streams = game_module(game).STREAM_NAMES
    drawn = [name for name in streams if name != LINE_UP or line_up == POOL]
    return Factor(OTHER_LUCK, 0, 1, 0, source="yardstick", texts=tuple(f"reroll {name}" for name in drawn))


def _told(factor: Factor) -> str:
    """A factor in the experiment's words, as `vary` takes it: 'ports=10..18'."""
    return f"{factor.name}{factor.operator}{factor.low:g}..{factor.high:g}"


# --- playing ---------------------------------------------------------------------------------------------
class _Study:
    """The three stages."""

    def __init__(
        self, lab: Lab, base: Mapping[str, Any], seed: int, factors: list[Factor], metrics: list[Metric], size: Size
    ) -> None:  # fmt: skip
        self.lab, self.seed, self.size = lab, seed, size
        self.base, self.factors, self.metrics = {**base, "seed": seed}, factors, metrics
        self.design_seed = seed % MOST_SEED
        self.games_a_block = games_a_block(base)

    def find(self) -> Found:
        """All stages, one after the other: what is played next depends on what was found before."""
        alone = self.one_at_a_time()
        screened = self.screening() if self.size.trajectories else {}
        kept = self.kept(screened)
        blocks = self.blocks(self.size.games)
        found = Found(self.factors, self.metrics, asdict(self.size), alone, screened, kept, blocks)
        if not self.size.points or not kept:
            return found
        return replace(found, shares=self.second([self.factors[place] for place in kept]))

    def one_at_a_time(self) -> Sums:
        """The table as it is, and each factor at both ends."""
        arms = [[], *(factor.changes(end) for factor in self.factors for end in (factor.low, factor.high))]
        return self.stage("alone", arms, self.size.games * TORNADO)

    def screening(self) -> dict[str, Effects]:
        """Morris's effects of each factor, and of the yardstick behind them, on each metric."""
        factors = [*self.factors, yardstick(self.base["line_up"], self.base["game"])]
        cube = trajectories(len(factors), self.size.trajectories, self.design_seed)
        values = _each(factors, cube, Factor.at_level)
        places = np.array(
            [[factor.place(value) for factor, value in zip(factors, point, strict=True)] for point in values]
        )
        rows = self.play("screen", factors, values, 0)
        return {
            name: screen(
                part.reshape(len(part), *cube.shape[:2]), places.reshape(cube.shape), self.design_seed
            )
            for name, part in rows.items()
        }

    def kept(self, screened: dict[str, Effects]) -> list[int]:
        """The factors that go on: of those that do more than noise, the strongest of each metric in turn."""
        if not screened:
            return list(range(len(self.factors)))[: self.size.keep]
        ranked = [
            [place for place in np.argsort(-found.mu_star, kind="stable").tolist()
             if place < len(self.factors) and found.p[place] < LEVEL]
            for found in screened.values()
        ]  # fmt: skip
        in_turn = [
            place for turn in range(len(self.factors)) for one in ranked for place in one[turn : turn + 1]
        ]
        return list(dict.fromkeys(in_turn))[: self.size.keep]

    def second(self, factors: list[Factor]) -> dict[str, Shares]:
        """Sobol's indices of the kept factors, on each metric."""
        cube = base_points(len(factors), self.size.points, self.design_seed)
        seen = self.blocks(self.size.games * TORNADO)
        rows = self.play("shares", factors, _each(factors, cube, Factor.at_share), seen)
        return {
            name: shares(part.reshape(len(part), *cube.shape[:2]), self.design_seed)
            for name, part in rows.items()
        }

    def blocks(self, games: int) -> int:
        """Blocks of so many games."""
        return -(-games // self.games_a_block)

    def play(self, name: str, factors: list[Factor], values: list[list[float]], skip: int) -> dict[str, Any]:
        """Points, each a value for every factor: rows × points for each metric. Equal points are played once."""
        points = [
            tuple(
                text for factor, value in zip(factors, point, strict=True) for text in factor.changes(value)
            )
            for point in values
        ]
        different = list(dict.fromkeys(points))
        place = {point: number for number, point in enumerate(different)}
        parts: dict[str, list[Any]] = {metric.name: [] for metric in self.metrics}
        for number, first in enumerate(range(0, len(different), MOST_ARMS)):
            some = [list(point) for point in different[first : first + MOST_ARMS]]
            sums = self.stage(f"{name}-{number + 1}" if number else name, some, self.size.games, skip)
            for metric in self.metrics:
                parts[metric.name].append(response(sums, metric))
        chosen = [place[point] for point in points]
        return {metric: np.concatenate(rows, axis=1)[:, chosen] for metric, rows in parts.items()}

    def stage(self, name: str, arms: list[list[str]], games: int, skip: int = 0) -> Sums:
        """So many games of each arm, all on the same blocks."""
        fold = max(1, self.blocks(games) // ROWS)
        words = {**self.base, "changes": arms, "games": games, "fold": fold, "skip": skip}
        return self.lab.stage(name, words)


def _each(factors: list[Factor], cube: Any, value: Any) -> list[list[float]]:
    """The factors' values at each point of a design."""
    flat = cube.reshape(-1, len(factors)).tolist()
    return [[value(factor, at) for factor, at in zip(factors, point, strict=True)] for point in flat]


def response(sums: Sums, metric: Metric) -> Any:
    """What each row says of each arm; the mean over the rows is the arm's metric (its ratio, linearised)."""
    top, bottom = sums.ratio(metric)
    total = np.maximum(bottom.sum(axis=0), 1e-300)
    value = top.sum(axis=0) / total
    return value + (top - value * bottom) * (len(top) / total)
