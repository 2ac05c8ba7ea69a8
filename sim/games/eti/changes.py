"""Changes to a game of E.T.I. in words (`sim.changes`): what its cards and its own words may be changed to.

`docs/changes.md` lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sim.changes import Change, Grammar, Target, factor_target, rule_targets, shift_target
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
from sim.line_ups import LINE_UP

__all__ = [
    "GRAMMAR", "REROLLS", "Change", "Target", "all_cards", "apply_changes", "change_targets", "facts_of", "named_in",
    "parse_change", "split_changes",
]  # fmt: skip

_SECTIONS = ("projects", "events", "humans", "aliens")


# --- words of the setting ------------------------------------------------------------------------------
def _length(setting: Setting, change: Change) -> Setting:
    return replace(setting, length=change.word_of(LENGTHS))


def _alien(setting: Setting, change: Change) -> Setting:
    if change.word() == "drawn":
        return replace(setting, alien=None)
    return replace(setting, alien=find_card(setting.cards.aliens, change.value, "alien").name)


# --- values ----------------------------------------------------------------------------------------------
def _change_section(cards: CardSet, change: Change, owner: str, key: str) -> CardSet:
    """All cards of a section or some of them, all spaces of a track, copies in the research deck."""
    if owner == "tracks":
        return change_track(cards, change, key)
    if owner == "research":
        return change_research(cards, change, key)
    return change_section(cards, change, owner, key)


def _check(setting: Setting, texts: Sequence[str]) -> None:
    check_changed(setting.cards, setting.players, texts)
    if setting.alien is not None:
        find_card(setting.cards.aliens, setting.alien, "alien")  # it may not be in another card file


GRAMMAR = Grammar(
    forms="an option (public_fame=5), a card's value (Planetary Shield.defence=40, projects.difficulty*=1.2), "
    "'blank CARD', 'remove CARD', a strategy (cautious.push=1.5, cautious->gambler), length=, alien=, cards=, "
    "or 'reroll STREAM'",
    options=OPTIONS,
    check_options=check_options,
    streams=tuple(name for name in STREAM_NAMES if name != LINE_UP),
    seats=MAX_PLAYERS,
    words={"length": _length, "alien": _alien},
    sections=(*_SECTIONS, "tracks", "research"),
    card_names=card_names,
    change_section=_change_section,
    change_card=change_card,
    without_effect=without_effect,
    without=without,
    check=_check,
)
REROLLS = GRAMMAR.rerolls
split_changes = GRAMMAR.split
parse_change = GRAMMAR.parse
named_in = GRAMMAR.named_in
apply_changes = GRAMMAR.apply

# --- what can be varied -------------------------------------------------------------------------------------
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
    factors = [factor_target(name, text) for name, text in _AGGREGATES.items()]
    tracks = [
        shift_target(f"tracks.{name}", MOST_ON_TRACKS, f"all spaces of {name}") for name in cards.tracks
    ]
    return (*rule_targets(OPTIONS), *factors, *tracks)


def all_cards(cards: CardSet) -> dict[str, list[str]]:
    """The names of all cards that can be blanked or removed, by section."""
    return {section: [card.name for card in getattr(cards, section)] for section in _SECTIONS}


def facts_of(setting: Setting) -> dict[str, Any]:
    """What of a setting may be different from its cell's words."""
    return {"rerolled": list(setting.rerolled), "absent": list(setting.cards.absent)}
