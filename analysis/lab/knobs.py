"""What `tune` may change, and how far each change is from the table as it is.

A knob is a change with several values (`public_fame=0..20/5`, as in a sweep), the name of something that can be
varied (`attack_cards`: some values around its own), or a change that is made or not (`blank Decoy Beacon`).

How far a change goes is read off the table before and after it: the mean, over all numbers that are different, of
how much they are in proportion. A rule that may be negative or is 0 counts as a share of its range, and whatever is
there or not (a card, another strategy) as 1: 100 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.lab.candidates import Choice, Knob
from analysis.lab.ranges import parse_axis
from analysis.lab.stages import card_set
from sim.errors import UserError, did_you_mean, shown
from sim.plan import game_module
from sim.registry import OWN_WORDS, part
from sim.study import make_plan

MOST_KNOBS = 40
MOST_CHOICES = 400  # of all knobs
VERBS = ("blank ", "remove ")
ARROW = "->"
FACTORS = ("0.8", "0.9", "1.1", "1.2")  # of a card's value, if none are given
NICE = (1, 2, 5, 10, 20, 25, 50, 100)
STEPS = (-2, -1, 1, 2)
#: what is varied if nobody says what: what decides the invasion, and when it comes
USUAL = (
    "attack_cards", "threshold_extra", "multiplier_{length}", "must_reveal_extra", "attack_tactic_open",
    "attack_plain_open", "mash_projects", "mash_limit", "secret_defence", "public_fame", "free_upgrades", "ports",
)  # fmt: skip


@dataclass(frozen=True)
class Vary:
    """A knob as it was asked for: its name and the changes to choose from."""

    name: str
    texts: tuple[str, ...]


def make_knobs(base: Mapping[str, Any], vary: Sequence[str]) -> list[Knob]:
    """The knobs of an experiment; values that change nothing are left out.

    Parameters
    ----------
    base
        The table, from `base_words`.
    vary
        Texts as described above; none: the usual rule options.
    """
    wanted = [read_vary(base, text) for text in vary] or usual(base)
    _check_number(wanted)
    texts = [text for one in wanted for text in one.texts]
    settings = _settings(base, texts)
    scale = Scale(base, settings[0])
    moves = iter([scale.move(setting) for setting in settings[1:]])
    knobs: list[Knob] = []
    for one in wanted:
        mine = [(text, *next(moves)) for text in one.texts]
        chosen = [(text, size, side) for text, size, side in mine if size > 0]
        if not chosen:
            raise UserError(f"--vary: {one.name} changes nothing here; valid: other values than it has")
        furthest = max(size for _, size, _ in chosen)
        choices = (Choice(len(knobs), text, size, side * size / furthest) for text, size, side in chosen)
        knobs.append(Knob(one.name, tuple(choices)))
    return knobs


def _settings(base: Mapping[str, Any], texts: Sequence[str]) -> list[Any]:
    """The table as it is, and with each of the changes alone."""
    try:
        ready = make_plan({**base, "changes": [[], *([text] for text in texts)], "games": 1})
    except UserError as error:
        raise UserError([f"--vary: {line}" for line in error.lines]) from None
    return ready.settings


def _check_number(wanted: Sequence[Vary]) -> None:
    names = [one.name for one in wanted]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise UserError(f"--vary: {twice[0]} stands there twice; valid: each once")
    choices = sum(len(one.texts) for one in wanted)
    if len(wanted) > MOST_KNOBS or choices > MOST_CHOICES:
        raise UserError(
            f"--vary: {choices} values of {len(wanted)} things; valid: at most {MOST_CHOICES} of {MOST_KNOBS}"
        )


# --- what is asked for -----------------------------------------------------------------------------------
def read_vary(base: Mapping[str, Any], text: str) -> Vary:
    """A knob from its text."""
    plain = " ".join(text.split())
    if plain.startswith(VERBS) or ARROW in plain:
        return Vary(plain, (plain,))
    if "=" not in plain:
        return named(base, plain)
    sign = next((sign for sign in ("+=", "-=", "*=") if sign in plain), "=")
    values = plain.partition(sign)[2]
    if ".." not in values and "," not in values:  # a single value: made or not
        return Vary(plain.partition(sign)[0].strip(), (plain,))
    axis = parse_axis(plain)
    return Vary(axis.target, tuple(axis.change(value) for value in axis.values))


def named(base: Mapping[str, Any], name: str) -> Vary:
    """Some values around the one that a rule option, a part of the cards, or a card has."""
    targets = {target.name: target for target in _targets(base)}
    if name in targets:
        target = targets[name]
        return Vary(name, tuple(target.change(value) for value in around(_here(base, target), target)))
    if "." in name:
        return Vary(name, tuple(f"{name}*={factor}" for factor in FACTORS))
    raise UserError(
        f"--vary: nothing is called {shown(name)}{did_you_mean(name, targets)}; valid: {', '.join(targets)}"
    )


def usual(base: Mapping[str, Any]) -> list[Vary]:
    """The rule options that decide the invasion, and when it comes."""
    known = {target.name for target in _targets(base)}
    names = [name.format(length=base.get("length", "standard")) for name in USUAL]
    return [named(base, name) for name in names if name in known]


def _targets(base: Mapping[str, Any]) -> Sequence[Any]:
    targets: Sequence[Any] = game_module(base["game"]).change_targets(card_set(base))
    return targets


def _here(base: Mapping[str, Any], target: Any) -> float:
    """The value it has at this table."""
    return float(base["rules"].get(target.name, target.default) if target.is_rule else target.default)


def around(here: float, target: Any) -> Iterator[float]:
    """Two values below and two above, in round steps of about a quarter of it, as far as they are allowed."""
    for step in STEPS:
        value = here + step * _step(here, target)
        if target.low <= value <= target.high:
            yield round(value, 6)


def _step(here: float, target: Any) -> float:
    if not target.whole:
        return 0.1 * float(target.high - target.low)
    most = (target.high - target.low) / 16 if target.low < 0 or here <= 0 else here / 4
    nice = [one for one in NICE if here == 0 or here % 5 or one % 5 == 0]
    return float(max((one for one in nice if one <= most), default=nice[0]))


# --- how far it goes -------------------------------------------------------------------------------------
class Scale:
    """Measures how far a table is from another one, the base."""

    def __init__(self, base: Mapping[str, Any], setting: Any) -> None:
        self.ranges = {target.name: (target.low, target.high) for target in _targets(base) if target.is_rule}
        self.own, self.facts_of = OWN_WORDS[base["game"]], part(base["game"], "changes").facts_of
        self.base = dict(self._flat(setting))

    def move(self, setting: Any) -> tuple[float, float]:
        """How far it is, and to which side: 1 if its numbers are larger, else -1."""
        other = dict(self._flat(setting))
        moves = [
            self._of(key, self.base.get(key), other.get(key))
            for key in dict.fromkeys([*self.base, *other])
            if self.base.get(key) != other.get(key)
        ]
        if not moves:
            return 0.0, 1.0
        return round(sum(map(abs, moves)) / len(moves), 6), 1.0 if sum(moves) >= 0 else -1.0

    def _of(self, key: tuple[Any, ...], old: Any, new: Any) -> float:
        if not (isinstance(old, int | float) and isinstance(new, int | float)):
            return 1.0
        low, high = self.ranges.get(key[1], (0, 0)) if key[0] == "rules" else (0, 0)
        if low < 0 or (old == 0 and high > low):
            return float((new - old) / (high - low))
        return float((new - old) / abs(old)) if old else (1.0 if new > 0 else -1.0)

    def rules_only(self, setting: Any) -> dict[str, int] | None:
        """The rule options that are different, if nothing else is."""
        other = dict(self._flat(setting))
        keys = [key for key in dict.fromkeys([*self.base, *other]) if self.base.get(key) != other.get(key)]
        return {key[1]: other[key] for key in keys} if all(key[0] == "rules" for key in keys) else None

    def _flat(self, setting: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """All numbers and words of a table, each under a name of its own."""
        yield from ((("rules", name), value) for name, value in setting.rules.items())
        yield from (((name,), getattr(setting, name)) for name in self.own)
        yield from _leaves(("cards",), {k: v for k, v in setting.cards.to_dict().items() if k != "set"})
        yield from (((kind, name), True) for kind, names in self.facts_of(setting).items() for name in names)
        for seat, strategy in enumerate(setting.strategies):
            yield ("strategy", seat), strategy.name
            for param in strategy.params:
                yield ("strategy", seat, strategy.name, param.name), param.value


def _leaves(path: tuple[Any, ...], value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _leaves((*path, key), one)
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            yield from _leaves((*path, place), one)
    else:
        yield path, value
