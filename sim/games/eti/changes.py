"""Changes to a game in words: `public_fame=5`, `Planetary Shield.fame=40`, `blank Decoy Beacon`, `cautious->gambler`.

A list of such words makes one variant of a setting (an *arm* of an experiment). They change data only: rule options,
card values, parameters and names of strategies, streams of luck. `docs/changes.md` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.errors import UserError, did_you_mean, shown
from sim.games.eti.cards import CardSet, find_card
from sim.games.eti.change_cards import (
    card_names,
    change_card,
    change_research,
    change_section,
    change_track,
    check_changed,
    without,
    without_effect,
)
from sim.games.eti.luck import STREAM_NAMES
from sim.games.eti.options import OPTIONS, check_options
from sim.games.eti.play import LENGTHS, Setting
from sim.games.eti.state import MAX_PLAYERS
from sim.games.eti.strategy import Strategy

#: kinds of luck that may be another game's: the streams, and who sits where (line_up = "pool"), in all or at one seat
REROLLS = (*STREAM_NAMES, *(f"line-up-{seat}" for seat in range(1, MAX_PLAYERS + 1)))
BASE = "base"  # the word for no change at all
FORMS = (
    "an option (public_fame=5), a card's value (Planetary Shield.defence=40, projects.difficulty*=1.2), "
    "'blank CARD', 'remove CARD', a strategy (cautious.push=1.5, cautious->gambler), length=, alien=, cards=, "
    "or 'reroll STREAM'"
)
_OPERATION = re.compile(r"(?P<target>.+?)\s*(?P<sign>\+=|-=|\*=|=)\s*(?P<value>[^=]+)")
_SECTIONS = ("projects", "events", "humans", "aliens")


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
            raise UserError(
                f"change {shown(self.text)}: {shown(self.value)} is not a whole number; valid: a whole number"
            )
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
            raise UserError(f"change {shown(self.text)}: {shown(self.value)} is no number; valid: a number")
        if self.sign == "*=" and value < 0:
            raise UserError(f"change {shown(self.text)}: a negative factor; valid: 0 or more")
        return value


def split_changes(text: str) -> list[str]:
    """The changes of a text, separated by commas or semicolons; 'base' is none at all.

    Example
    -------
    >>> split_changes("public_fame=5, blank Decoy Beacon")
    ['public_fame=5', 'blank Decoy Beacon']
    """
    parts = [" ".join(part.split()) for part in re.split(r"[;,](?![^(]*\))", text)]
    found = [part for part in parts if part]
    if not found:
        raise UserError(f"no change in {shown(text)}; valid: 'base', or {FORMS}")
    return [] if [part.lower() for part in found] == [BASE] else found


def parse_change(text: str) -> Change:
    """A change taken apart; what it names is looked up when it is applied."""
    verb, _, rest = text.partition(" ")
    if verb in ("blank", "remove", "reroll") and rest.strip():
        return Change(text, verb, rest.strip())
    old, arrow, new = text.partition("->")
    if arrow and old.strip() and new.strip():
        return Change(text, "->", old.strip(), new.strip())
    match = _OPERATION.fullmatch(text)
    if match is None:
        raise UserError(f"change {shown(text)} says nothing; valid: {FORMS}")
    return Change(text, match["sign"], match["target"].strip(), match["value"].strip())


def named_in(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The card files and the strategies that changes name: they have to be loaded first."""
    changes = [parse_change(text) for text in texts]
    files = [change.value for change in changes if (change.target, change.sign) == ("cards", "=")]
    return files, [change.value for change in changes if change.sign == "->"]


def apply_changes(
    setting: Setting,
    texts: Sequence[str],
    cards: Mapping[str, CardSet],
    strategies: Mapping[str, Strategy],
) -> Setting:
    """A setting with all of the changes.

    Parameters
    ----------
    cards, strategies
        What the changes may name: card sets by file, strategies by name and by file.
    """
    changes = [parse_change(text) for text in texts]
    _check_once(changes)
    at_first = [change for change in changes if _comes_first(change)]
    for change in [*at_first, *(change for change in changes if not _comes_first(change))]:
        setting = _apply(setting, change, cards, strategies)
    check_changed(setting.cards, setting.players, texts)
    if setting.alien is not None:
        find_card(setting.cards.aliens, setting.alien, "alien")  # it may not be in another card file
    return setting


def _comes_first(change: Change) -> bool:
    """Another card file or strategy comes before what is changed in it."""
    return change.sign == "->" or change.target == "cards"


def _check_once(changes: Sequence[Change]) -> None:
    """Nothing is said twice, and a card that is blank or gone has no other value besides."""
    seen: dict[tuple[str, str], Change] = {}
    for change in changes:
        key = (change.sign if change.sign in ("->", "reroll") else "", _key(change.target))
        before = seen.setdefault(key, change)
        if before is not change and not {before.sign, change.sign} <= {"+=", "-=", "*="}:
            raise UserError(f"changes {shown(before.text)} and {shown(change.text)}: valid: one of them")
    gone = {_key(change.target): change for change in changes if change.sign in ("blank", "remove")}
    for change in changes:
        other = gone.get(_key(change.target.rpartition(".")[0].strip()))
        if other is not None:
            raise UserError(f"changes {shown(other.text)} and {shown(change.text)}: valid: one of them")


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.casefold())


def _apply(
    setting: Setting, change: Change, cards: Mapping[str, CardSet], strategies: Mapping[str, Strategy]
) -> Setting:
    """A setting with one change."""
    if change.sign == "reroll":
        return _rerolled(setting, change)
    if change.sign in ("blank", "remove"):
        without_it = without_effect if change.sign == "blank" else without
        return replace(setting, cards=without_it(setting.cards, change))
    if change.sign == "->":
        return _other_strategy(setting, change, strategies)
    if change.target in _WORDS:
        return _WORDS[change.target](setting, change, cards)
    if change.target in setting.rules:
        return _other_rule(setting, change)
    return _other_value(setting, change)


# --- words of the setting ------------------------------------------------------------------------------
def _plain(change: Change) -> str:
    if change.sign != "=":
        raise UserError(f"change {shown(change.text)}: {change.target} is a word; valid: {change.target}=…")
    return change.value


def _length(setting: Setting, change: Change, _: Mapping[str, CardSet]) -> Setting:
    if _plain(change) not in LENGTHS:
        near = did_you_mean(change.value, LENGTHS)
        raise UserError(
            f"change {shown(change.text)}: no length {shown(change.value)}{near}; valid: {', '.join(LENGTHS)}"
        )
    return replace(setting, length=change.value)


def _alien(setting: Setting, change: Change, _: Mapping[str, CardSet]) -> Setting:
    if _plain(change) == "drawn":
        return replace(setting, alien=None)
    return replace(setting, alien=find_card(setting.cards.aliens, change.value, "alien").name)


def _cards(setting: Setting, change: Change, cards: Mapping[str, CardSet]) -> Setting:
    return replace(setting, cards=cards[_plain(change)])


_WORDS: dict[str, Callable[[Setting, Change, Mapping[str, CardSet]], Setting]] = {
    "length": _length, "alien": _alien, "cards": _cards,
}  # fmt: skip


def _other_rule(setting: Setting, change: Change) -> Setting:
    value = change.number(setting.rules[change.target])
    problems = check_options({change.target: value}, f"change {shown(change.text)}")[1]
    if problems:
        raise UserError(problems)
    return replace(setting, rules={**setting.rules, change.target: int(value)})


def _rerolled(setting: Setting, change: Change) -> Setting:
    name = _key(change.target)
    if name.startswith("line-up") and name in REROLLS:
        _check_line_up(setting, change, name)
    if name not in REROLLS:
        raise UserError(
            f"change {shown(change.text)}: no kind of luck {shown(change.target)}{did_you_mean(name, REROLLS)}; "
            f"valid: {', '.join(REROLLS)}"
        )
    return replace(setting, rerolled=(*setting.rerolled, name))


def _check_line_up(setting: Setting, change: Change, name: str) -> None:
    """Only a pool draws who sits where; and only seats of the table are drawn."""
    seat = name.removeprefix("line-up").removeprefix("-")
    if not setting.drawn:
        raise UserError(f"change {shown(change.text)}: nothing is drawn; valid: with the line-up pool")
    if seat and int(seat) > setting.players:
        raise UserError(
            f"change {shown(change.text)}: {setting.players} players; valid: a seat up to {setting.players}"
        )


# --- strategies ------------------------------------------------------------------------------------------
def _other_strategy(setting: Setting, change: Change, strategies: Mapping[str, Strategy]) -> Setting:
    old = _seated(setting, change.target, change)
    new = strategies.get(change.value)
    if new is None:
        raise UserError(f"change {shown(change.text)}: no strategy {shown(change.value)} is loaded")
    return _reseated(setting, old, new)


def _seated(setting: Setting, name: str, change: Change) -> str:
    """The name of a strategy of the line-up."""
    names = {_key(strategy.name): strategy.name for strategy in setting.strategies}
    if _key(name) not in names:
        raise UserError(
            f"change {shown(change.text)}: nobody plays {shown(name)}{did_you_mean(_key(name), names)}; "
            f"valid: {', '.join(names.values())}"
        )
    return names[_key(name)]


def _reseated(setting: Setting, old: str, new: Strategy) -> Setting:
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
        raise UserError(
            f"change {shown(change.text)}: {owner} has no parameter {shown(param)}{did_you_mean(param, old)}; "
            f"valid: {', '.join(old)}"
        )
    value = change.number(old[param], whole=False)
    return _reseated(setting, owner, strategy.changed(None, **{param: value}))


# --- values ------------------------------------------------------------------------------------------------
def _other_value(setting: Setting, change: Change) -> Setting:
    """`OWNER.KEY`: of a section, a track, the research deck, a card or a strategy."""
    owner, dot, key = (part.strip() for part in change.target.rpartition("."))
    section = owner.partition(":")[0]
    if not dot:
        raise UserError(_unknown(setting, change))
    if section in _SECTIONS:
        return replace(setting, cards=change_section(setting.cards, change, owner, key))
    if owner == "tracks":
        return replace(setting, cards=change_track(setting.cards, change, key))
    if owner == "research":
        return replace(setting, cards=change_research(setting.cards, change, key))
    strategies, cards = [_key(s.name) for s in setting.strategies], card_names(setting.cards)
    if _key(owner) in strategies and _key(owner) in cards:
        raise UserError(
            f"change {shown(change.text)}: {shown(owner)} is a card and a strategy; valid: another name"
        )
    if _key(owner) in strategies:
        return _other_param(setting, change, _seated(setting, owner, change), key)
    if _key(owner) in cards:
        return replace(setting, cards=change_card(setting.cards, change, owner, key))
    raise UserError(_unknown(setting, change))


def _unknown(setting: Setting, change: Change) -> str:
    owner, dot, _ = change.target.rpartition(".")
    names = [o.name for o in OPTIONS] if not dot else [
        *_SECTIONS, "tracks", "research", *(s.name for s in setting.strategies), *card_names(setting.cards),
    ]  # fmt: skip
    what = shown(owner if dot else change.target)
    near = did_you_mean(_key(owner) if dot else change.target, names)
    return f"change {shown(change.text)}: nothing is called {what}{near}; valid: {FORMS}"


# --- what can be varied -------------------------------------------------------------------------------------
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


_AGGREGATES = {
    "projects.difficulty": "difficulty of all projects", "projects.defence": "defence of all projects",
    "projects.fame": "fame of all projects", "events.amount": "amounts on all events",
    "humans.amount": "amounts on human endgame cards", "aliens.amount": "amounts on alien endgame cards",
    "research.numbers": "numbers in the research deck", "research.multipliers": "multipliers in the research deck",
    "research.threats": "threats in the research deck",
}  # fmt: skip
MOST_ON_TRACKS = 2  # spaces of a track up or down


def change_targets(cards: CardSet) -> tuple[Target, ...]:
    """Every rule option, and aggregates of the card set: factors (1: as it is) and shifts of tracks (0: as it is)."""
    rules = [Target(o.name, "=", o.value, o.low, o.high, True, o.source, o.text, True) for o in OPTIONS]
    factors = [
        Target(name, "*=", 1.0, 0.5, 1.5, False, "assumed", text, False) for name, text in _AGGREGATES.items()
    ]
    tracks = [
        Target(
            f"tracks.{name}",
            "+=",
            0,
            -MOST_ON_TRACKS,
            MOST_ON_TRACKS,
            True,
            "assumed",
            f"all spaces of {name}",
            False,
        )
        for name in cards.tracks
    ]
    return tuple([*rules, *factors, *tracks])


def all_cards(cards: CardSet) -> dict[str, list[str]]:
    """The names of all cards that can be blanked or removed, by section."""
    return {section: [card.name for card in getattr(cards, section)] for section in _SECTIONS}


def facts_of(setting: Setting) -> dict[str, Any]:
    """What of a setting may be different from its cell's words."""
    return {"rerolled": list(setting.rerolled), "absent": list(setting.cards.absent)}
