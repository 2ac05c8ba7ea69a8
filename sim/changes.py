"""Changes to a game in words: `public_fame=5`, `Planetary Shield.fame=40`, `blank Decoy Beacon`, `cautious->gambler`.

A list of such words makes one variant of a setting (an *arm* of an experiment). They change data only: rule options,
card values, parameters and names of strategies, streams of luck. What they may say of a game's cards and of its own
words stands in that game's `changes.py`; all else is here, the same for every game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.errors import UserError, did_you_mean, shown
from sim.line_ups import LINE_UP
from sim.options import Option

BASE = "base"  # the word for no change at all
_OPERATION = re.compile(r"(?P<target>.+?)\s*(?P<sign>\+=|-=|\*=|=)\s*(?P<value>[^=]+)")

#: a setting, a card set: each game has its own
Setting = Any
Cards = Any


@dataclass(frozen=True)
class Change:
    """One change, taken apart. `sign` is a verb, '->' or one of = += -= *=."""

    text: str
    sign: str
    target: str
    value: str = ""

    def number(self, old: float, whole: bool = True) -> float:
        """The new value. Halves are rounded in the direction of the change, so that small numbers move as well."""
        amount = self.amount()
        if whole and self.sign != "*=" and amount != int(amount):
            raise self.wrong(f"{shown(self.value)} is not a whole number; valid: a whole number")
        new = {"=": amount, "+=": old + amount, "-=": old - amount, "*=": old * amount}[self.sign]
        if not whole:
            return new
        return int(-(-(new - 0.5) // 1)) if new < old else int((new + 0.5) // 1)

    def amount(self) -> float:
        """The number behind the sign."""
        try:
            value = float(self.value.replace("_", ""))
        except ValueError:
            value = float("nan")
        if not abs(value) < 1e12:
            raise self.wrong(f"{shown(self.value)} is no number; valid: a number")
        if self.sign == "*=" and value < 0:
            raise self.wrong("a negative factor; valid: 0 or more")
        return value

    def word(self) -> str:
        """The value of a word: it is set, nothing else."""
        if self.sign != "=":
            raise self.wrong(f"{self.target} is a word; valid: {self.target}=…")
        return self.value

    def word_of(self, words: Collection[str]) -> str:
        """... one of these."""
        value = self.word()
        if value not in words:
            near = did_you_mean(value, words)
            raise self.wrong(f"no {self.target} {shown(value)}{near}; valid: {', '.join(words)}")
        return value

    def wrong(self, told: str) -> UserError:
        """The error that says what is wrong with it."""
        return UserError(f"change {shown(self.text)}: {told}")


@dataclass(frozen=True)
class Target:
    """A number that can be varied: `target.change(value)` is the text that sets it."""

    name: str
    sign: str
    default: float
    low: float
    high: float
    whole: bool
    source: str
    text: str
    is_rule: bool

    def change(self, value: float) -> str:
        """The change that gives it this value."""
        return f"{self.name}{self.sign}{int(value) if self.whole else f'{value:.6g}'}"


def rule_targets(options: Sequence[Option]) -> list[Target]:
    """Every rule option."""
    return [Target(o.name, "=", o.value, o.low, o.high, True, o.source, o.text, True) for o in options]


def factor_target(name: str, text: str) -> Target:
    """Many values at once, as a factor (1: as they are)."""
    return Target(name, "*=", 1.0, 0.5, 1.5, False, "assumed", text, False)


def shift_target(name: str, most: int, text: str) -> Target:
    """Many values at once, up or down (0: as they are)."""
    return Target(name, "+=", 0, -most, most, True, "assumed", text, False)


def key_of(name: str) -> str:
    """Names are the same in any case, with hyphens or spaces."""
    return re.sub(r"[\s_-]+", "-", name.casefold())


def named_in(changes: Sequence[Change]) -> tuple[list[str], list[str]]:
    """The card files and the strategies that changes name: they have to be loaded first."""
    files = [change.value for change in changes if (change.target, change.sign) == ("cards", "=")]
    return files, [change.value for change in changes if change.sign == "->"]


@dataclass(frozen=True)
class Grammar:
    """What changes to a game may say.

    Attributes
    ----------
    forms
        What is valid, for messages.
    options, check_options
        The game's rule options.
    streams, seats
        The names of its kinds of luck, and the seats of its largest table.
    words
        Words of the setting but `cards`: what each makes of a setting.
    sections
        What stands before the dot when many values are meant.
    card_names
        The cards that have values of their own, as `key_of` writes them.
    change_section, change_card
        A card set with another value: (cards, change, what stands before the dot, and behind it).
    without_effect, without
        A card set with a card blank, or gone.
    check
        Complains of what came of all changes.
    """

    forms: str
    options: Sequence[Option]
    check_options: Callable[[Mapping[str, object], str], tuple[dict[str, int], list[str]]]
    streams: tuple[str, ...]
    seats: int
    words: Mapping[str, Callable[[Setting, Change], Setting]]
    sections: tuple[str, ...]
    card_names: Callable[[Cards], Collection[str]]
    change_section: Callable[[Cards, Change, str, str], Cards]
    change_card: Callable[[Cards, Change, str, str], Cards]
    without_effect: Callable[[Cards, Change], Cards]
    without: Callable[[Cards, Change], Cards]
    check: Callable[[Setting, Sequence[str]], None]

    @property
    def rerolls(self) -> tuple[str, ...]:
        """Kinds of luck that may be another game's: the streams, and who sits where, in all or at one seat."""
        return (*self.streams, LINE_UP, *(f"{LINE_UP}-{seat}" for seat in range(1, self.seats + 1)))

    # --- reading ---
    def split(self, text: str) -> list[str]:
        """The changes of a text, separated by commas or semicolons; 'base' is none at all."""
        parts = [" ".join(part.split()) for part in re.split(r"[;,](?![^(]*\))", text)]
        found = [part for part in parts if part]
        if not found:
            raise UserError(f"no change in {shown(text)}; valid: 'base', or {self.forms}")
        return [] if [part.lower() for part in found] == [BASE] else found

    def parse(self, text: str) -> Change:
        """A change taken apart; what it names is looked up when it is applied."""
        verb, _, rest = text.partition(" ")
        if verb in ("blank", "remove", "reroll") and rest.strip():
            return Change(text, verb, rest.strip())
        old, arrow, new = text.partition("->")
        if arrow and old.strip() and new.strip():
            return Change(text, "->", old.strip(), new.strip())
        match = _OPERATION.fullmatch(text)
        if match is None:
            raise UserError(f"change {shown(text)} says nothing; valid: {self.forms}")
        return Change(text, match["sign"], match["target"].strip(), match["value"].strip())

    def named_in(self, texts: Sequence[str]) -> tuple[list[str], list[str]]:
        """The card files and the strategies that texts name."""
        return named_in([self.parse(text) for text in texts])

    # --- making ---
    def apply(
        self,
        setting: Setting,
        texts: Sequence[str],
        cards: Mapping[str, Cards],
        strategies: Mapping[str, Any],
    ) -> Setting:
        """A setting with all of the changes.

        Parameters
        ----------
        cards, strategies
            What the changes may name: card sets by file, strategies by name and by file.
        """
        changes = [self.parse(text) for text in texts]
        _check_once(changes)
        at_first = [change for change in changes if _comes_first(change)]
        for change in [*at_first, *(change for change in changes if not _comes_first(change))]:
            setting = self._applied(setting, change, cards, strategies)
        self.check(setting, texts)
        return setting

    def _applied(
        self, setting: Setting, change: Change, cards: Mapping[str, Cards], strategies: Mapping[str, Any]
    ) -> Setting:
        """A setting with one change."""
        if change.sign == "reroll":
            return self._rerolled(setting, change)
        if change.sign in ("blank", "remove"):
            without_it = self.without_effect if change.sign == "blank" else self.without
            return replace(setting, cards=without_it(setting.cards, change))
        if change.sign == "->":
            return _other_strategy(setting, change, strategies)
        if change.target == "cards":
            return replace(setting, cards=cards[change.word()])
        if change.target in self.words:
            return self.words[change.target](setting, change)
        if change.target in setting.rules:
            return self._other_rule(setting, change)
        return self._other_value(setting, change)

    def _other_rule(self, setting: Setting, change: Change) -> Setting:
        value = change.number(setting.rules[change.target])
        problems = self.check_options({change.target: value}, f"change {shown(change.text)}")[1]
        if problems:
            raise UserError(problems)
        return replace(setting, rules={**setting.rules, change.target: int(value)})

    def _rerolled(self, setting: Setting, change: Change) -> Setting:
        name = key_of(change.target)
        if name.startswith(LINE_UP) and name in self.rerolls:
            _check_line_up(setting, change, name)
        if name not in self.rerolls:
            near = did_you_mean(name, self.rerolls)
            raise change.wrong(
                f"no kind of luck {shown(change.target)}{near}; valid: {', '.join(self.rerolls)}"
            )
        return replace(setting, rerolled=(*setting.rerolled, name))

    def _other_value(self, setting: Setting, change: Change) -> Setting:
        """`OWNER.KEY`: of a section, a card or a strategy."""
        owner, dot, key = (part.strip() for part in change.target.rpartition("."))
        if not dot:
            raise UserError(self._unknown(setting, change))
        if owner.partition(":")[0] in self.sections:
            return replace(setting, cards=self.change_section(setting.cards, change, owner, key))
        strategies, cards = [key_of(s.name) for s in setting.strategies], self.card_names(setting.cards)
        if key_of(owner) in strategies and key_of(owner) in cards:
            raise change.wrong(f"{shown(owner)} is a card and a strategy; valid: another name")
        if key_of(owner) in strategies:
            return _other_param(setting, change, _seated(setting, owner, change), key)
        if key_of(owner) in cards:
            return replace(setting, cards=self.change_card(setting.cards, change, owner, key))
        raise UserError(self._unknown(setting, change))

    def _unknown(self, setting: Setting, change: Change) -> str:
        owner, dot, _ = change.target.rpartition(".")
        names = [option.name for option in self.options] if not dot else [
            *self.sections, *(s.name for s in setting.strategies), *self.card_names(setting.cards),
        ]  # fmt: skip
        what = shown(owner if dot else change.target)
        near = did_you_mean(key_of(owner) if dot else change.target, names)
        return f"change {shown(change.text)}: nothing is called {what}{near}; valid: {self.forms}"


def _comes_first(change: Change) -> bool:
    """Another card file or strategy comes before what is changed in it."""
    return change.sign == "->" or change.target == "cards"


def _check_once(changes: Sequence[Change]) -> None:
    """Nothing is said twice, and a card that is blank or gone has no other value besides."""
    seen: dict[tuple[str, str], Change] = {}
    for change in changes:
        key = (change.sign if change.sign in ("->", "reroll") else "", key_of(change.target))
        before = seen.setdefault(key, change)
        if before is not change and not {before.sign, change.sign} <= {"+=", "-=", "*="}:
            raise UserError(f"changes {shown(before.text)} and {shown(change.text)}: valid: one of them")
    gone = {key_of(change.target): change for change in changes if change.sign in ("blank", "remove")}
    for change in changes:
        other = gone.get(key_of(change.target.rpartition(".")[0].strip()))
        if other is not None:
            raise UserError(f"changes {shown(other.text)} and {shown(change.text)}: valid: one of them")


def _check_line_up(setting: Setting, change: Change, name: str) -> None:
    """Only a pool draws who sits where; and only seats of the table are drawn."""
    seat = name.removeprefix(LINE_UP).removeprefix("-")
    if not setting.drawn:
        raise change.wrong("nothing is drawn; valid: with the line-up pool")
    if seat and int(seat) > setting.players:
        raise change.wrong(f"{setting.players} players; valid: a seat up to {setting.players}")


# --- strategies ------------------------------------------------------------------------------------------
def _other_strategy(setting: Setting, change: Change, strategies: Mapping[str, Any]) -> Setting:
    old = _seated(setting, change.target, change)
    new = strategies.get(change.value)
    if new is None:
        raise change.wrong(f"no strategy {shown(change.value)} is loaded")
    return _reseated(setting, old, new)


def _seated(setting: Setting, name: str, change: Change) -> str:
    """The name of a strategy of the line-up."""
    names = {key_of(strategy.name): str(strategy.name) for strategy in setting.strategies}
    if key_of(name) not in names:
        near = did_you_mean(key_of(name), names)
        raise change.wrong(f"nobody plays {shown(name)}{near}; valid: {', '.join(names.values())}")
    return names[key_of(name)]


def _reseated(setting: Setting, old: str, new: Any) -> Setting:
    """One object for all its seats: the pool knows strategies by identity."""
    line_up = tuple(new if one.name == old else one for one in setting.strategies)
    same = next((one for one in line_up if one.name == new.name and one is not new), None)
    if same is not None and same != new:
        raise UserError(f"two strategies are called {new.name}; valid: a name for each")
    line_up = tuple(new if one.name == new.name else one for one in line_up)
    return replace(setting, strategies=line_up)


def _other_param(setting: Setting, change: Change, owner: str, param: str) -> Setting:
    strategy = next(one for one in setting.strategies if one.name == owner)
    old = {p.name: p.value for p in strategy.params}
    if param not in old:
        near = did_you_mean(param, old)
        raise change.wrong(f"{owner} has no parameter {shown(param)}{near}; valid: {', '.join(old)}")
    value = change.number(old[param], whole=False)
    return _reseated(setting, owner, strategy.changed(None, **{param: value}))
