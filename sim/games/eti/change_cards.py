"""Changes to card sets: values of one card or many, copies in the research deck, tracks, cards blanked or removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from sim.card_checks import slug
from sim.errors import UserError, did_you_mean, shown
from sim.games.eti.card_check import check_section
from sim.games.eti.card_words import FIELDS, LEVELS, MULTIPLIERS, SPACES, THREATS, WHO
from sim.games.eti.cards import CardSet, without_none

SECTIONS = ("projects", "events", "humans", "aliens")
PROJECT_KEYS = ("difficulty", "defence", "fame")
AMOUNT = "amount"
MOST_CHECKED = 10_000  # sections whose problems are remembered
_CHECKED: dict[tuple[str, str, int], tuple[Any, list[str]]] = {}
GROUPS: dict[str, Callable[[str], bool]] = {
    "numbers": str.isdecimal,
    "multipliers": MULTIPLIERS.__contains__,
    "threats": THREATS.__contains__,
}


class Changing(Protocol):
    """What this module needs of a `changes.Change`."""

    @property
    def text(self) -> str: ...
    @property
    def target(self) -> str: ...
    def number(self, old: float, whole: bool = True) -> float: ...


def card_names(cards: CardSet) -> dict[str, tuple[str, int]]:
    """Where each card stands: its name as typed -> section and place."""
    return {
        slug(card.name): (section, place)
        for section in SECTIONS
        for place, card in enumerate(getattr(cards, section))
    }


def _found(cards: CardSet, name: str, change: Changing) -> tuple[str, int]:
    names = card_names(cards)
    same = [s for s in SECTIONS for card in getattr(cards, s) if slug(card.name) == slug(name)]
    if len(same) > 1:
        raise UserError(
            f"change {shown(change.text)}: {' and '.join(same)} have a card {shown(name)} each; "
            "valid: names of their own"
        )
    if slug(name) not in names:
        raise UserError(
            f"change {shown(change.text)}: no card {shown(name)}{did_you_mean(slug(name), names)}; "
            "valid: a project, event or endgame card (xenobalance cards show)"
        )
    return names[slug(name)]


def _with(cards: CardSet, section: str, place: int, card: Any) -> CardSet:
    """The card set with another card in one place."""
    listed = list(getattr(cards, section))
    listed[place] = card
    other: Any = {section: tuple(listed)}
    return replace(cards, **other)


# --- values --------------------------------------------------------------------------------------------------
def change_card(cards: CardSet, change: Changing, name: str, key: str) -> CardSet:
    """One value of one card."""
    section, place = _found(cards, name, change)
    return _with(cards, section, place, _changed(getattr(cards, section)[place], section, key, change))


def _changed(card: Any, section: str, key: str, change: Changing) -> Any:
    valid = PROJECT_KEYS if section == "projects" else (AMOUNT,)
    if key not in valid:
        raise UserError(
            f"change {shown(change.text)}: {section} have no {shown(key)}{did_you_mean(key, valid)}; "
            f"valid: {', '.join(valid)}"
        )
    if key != AMOUNT:
        return replace(card, **{key: int(change.number(getattr(card, key)))})
    if not any(_has_amount(effect) for effect in card.effects):
        raise UserError(
            f"change {shown(change.text)}: {card.name} has no amount; valid: a card with an amount"
        )
    return replace(card, effects=tuple(_scaled(effect, change) for effect in card.effects))


def _has_amount(effect: Any) -> bool:
    return AMOUNT in effect.to_dict()


def _scaled(effect: Any, change: Changing) -> Any:
    return replace(effect, amount=int(change.number(effect.amount))) if _has_amount(effect) else effect


def change_section(cards: CardSet, change: Changing, owner: str, key: str) -> CardSet:
    """One value of all cards of a section, or of some: projects:weaponry, projects:level-3, events:vote."""
    section, _, which = owner.partition(":")
    chosen = _chosen(cards, section, slug(which), change)
    for place in chosen:
        card = getattr(cards, section)[place]
        if section == "projects" or key != AMOUNT or any(_has_amount(effect) for effect in card.effects):
            cards = _with(cards, section, place, _changed(card, section, key, change))
    return cards


def _chosen(cards: CardSet, section: str, which: str, change: Changing) -> list[int]:
    if not which:
        return list(range(len(getattr(cards, section))))
    kinds = {"projects": [*FIELDS, *(f"level-{k}" for k in LEVELS)], "events": list(WHO)}
    valid = kinds.get(section, [])
    if which not in valid:
        choices = ", ".join(valid) or f"{section}, all of them"
        near = did_you_mean(which, valid)
        raise UserError(f"change {shown(change.text)}: no {section} {shown(which)}{near}; valid: {choices}")
    if section == "events":
        return [k for k, event in enumerate(cards.events) if event.who == which]
    return [k for k, p in enumerate(cards.projects) if which in (p.field, f"level-{p.level}")]


def change_research(cards: CardSet, change: Changing, key: str) -> CardSet:
    """Copies in the research deck, of one kind of card or of a group."""
    kinds = [kind.card for kind in cards.research]
    if key not in kinds and key not in GROUPS:
        valid = [*kinds, *GROUPS]
        raise UserError(
            f"change {shown(change.text)}: no research card {shown(key)}{did_you_mean(key, valid)}; "
            f"valid: {', '.join(valid)}"
        )
    chosen = GROUPS.get(key, key.__eq__)
    research = tuple(
        replace(kind, count=int(change.number(kind.count))) if chosen(kind.card) else kind
        for kind in cards.research
    )
    return replace(cards, research=research, totals="free")


def change_track(cards: CardSet, change: Changing, key: str) -> CardSet:
    """All spaces of a track; none leaves the range that the track may hold."""
    if key not in cards.tracks:
        near = did_you_mean(key, cards.tracks)
        raise UserError(
            f"change {shown(change.text)}: no track {shown(key)}{near}; valid: {', '.join(cards.tracks)}"
        )
    low, high = SPACES[key]
    spaces = tuple(min(high, max(low, int(change.number(space)))) for space in cards.tracks[key])
    return replace(cards, tracks={**cards.tracks, key: spaces})


# --- without --------------------------------------------------------------------------------------------------
def without_effect(cards: CardSet, change: Changing) -> CardSet:
    """The card is there as before, and does nothing: blank."""
    section, place = _found(cards, change.target, change)
    card: Any = getattr(cards, section)[place]
    if section == "projects":
        return _with(cards, section, place, replace(card, defence=0, fame=0, upgrades=()))
    return _with(cards, section, place, replace(card, effects=()))


def without(cards: CardSet, change: Changing) -> CardSet:
    """The card is not in the game: decks and piles are shuffled with it, and then it is taken out."""
    section, place = _found(cards, change.target, change)
    if section == "aliens":
        raise UserError(
            f"change {shown(change.text)}: an alien card cannot be removed; valid: alien=NAME, or blank"
        )
    return replace(cards, absent=(*cards.absent, getattr(cards, section)[place].name))


def check_changed(cards: CardSet, players: int, texts: Sequence[str]) -> None:
    """What came of all changes must be a card set that can be played."""
    told = shown(", ".join(texts), 80)
    blanked = any(not card.effects for section in SECTIONS[1:] for card in getattr(cards, section))
    lines = [_by_name(line, cards) for line in _problems(cards) if not (blanked and "has 0 effects" in line)]
    left = sum(card.name not in cards.absent for card in cards.humans)
    if left < players - 1:
        lines.append(
            f"{left} human endgame cards are left for {players} players; valid: {players - 1} or more"
        )
    if lines:
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        raise UserError(f"changes {told}: {lines[0]}{more}")


def _problems(cards: CardSet) -> list[str]:
    """What the checker of card files says of each section; experiments ask for the same sections again and again."""
    problems: list[str] = []
    for section in ("research", *SECTIONS, "tracks"):
        value = getattr(cards, section)
        key = (section, cards.totals, id(value))
        if key not in _CHECKED:
            if len(_CHECKED) >= MOST_CHECKED:
                _CHECKED.clear()
            _CHECKED[key] = (value, _problems_of(cards, section))  # kept alive, or its id might be another's
        problems += _CHECKED[key][1]
    return problems


def _problems_of(cards: CardSet, section: str) -> list[str]:
    return check_section(section, without_none(cards.to_dict()[section]), cards.totals)


def _by_name(line: str, cards: CardSet) -> str:
    """'projects[12].defence: …' as 'Guided Missiles.defence: …'."""
    match = re.match(r"(projects|events|humans|aliens)\[(\d+)\](.*)", line)
    if match is None:
        return line
    return f"{getattr(cards, match[1])[int(match[2]) - 1].name}{match[3]}"
