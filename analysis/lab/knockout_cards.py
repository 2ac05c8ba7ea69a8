"""Which cards a knock-out plays, and how each is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from analysis.lab.stages import card_set
from sim.errors import UserError, did_you_mean, shown
from sim.plan import Ready, game_module

BLANK, REMOVE, SCALE = "blank", "remove", "scale"
MODES = (BLANK, REMOVE, SCALE)
FACTOR = 1.5  # of a card's amounts, if nobody says otherwise
MOST = 100.0
PROJECTS = "projects"
PROJECT_KEYS, OTHER_KEYS = (
    ("defence", "fame"),
    ("amount",),
)  # what is good for whoever has it; not the difficulty


@dataclass(frozen=True)
class Card:
    """A card, its changes, and why it cannot be played with them, if so."""

    name: str
    section: str
    changes: tuple[str, ...] = ()
    problem: str = ""


def check_mode(mode: str, by: float | None) -> float | None:
    """The factor of a mode, checked."""
    if mode not in MODES:
        raise UserError(f"mode {shown(mode)}{did_you_mean(str(mode), MODES)}; valid: {', '.join(MODES)}")
    if mode != SCALE:
        if by is not None:
            raise UserError(f"by is {shown(by)} with mode {mode}; valid: with mode scale only")
        return None
    by = FACTOR if by is None else by
    if (
        isinstance(by, bool)
        or not isinstance(by, int | float)
        or not isfinite(by)
        or not 0 <= by <= MOST
        or by == 1
    ):
        raise UserError(
            f"by is {shown(by)}; valid: a factor from 0 to {MOST:g} other than 1, such as 1.5 or 0.5"
        )
    return float(by)


def chosen_cards(base: Mapping[str, Any], cards_of: Sequence[str], only: Sequence[str]) -> list[Card]:
    """The cards that are asked for, in the order of the card set."""
    sections = game_module(base["game"]).all_cards(card_set(base))
    if cards_of and only:
        raise UserError("cards-of and only together; valid: one of them")
    for name in cards_of:
        if name not in sections:
            raise UserError(
                f"cards-of {shown(name)}{did_you_mean(str(name), sections)}; valid: {', '.join(sections)}"
            )
    cards = [
        Card(name, section)
        for section, names in sections.items()
        if not cards_of or section in cards_of
        for name in names
    ]
    return _named(cards, only) if only else cards


def _named(cards: Sequence[Card], only: Sequence[str]) -> list[Card]:
    """Those of these names; case, spaces and hyphens do not matter."""
    known = {_key(card.name): card for card in cards}
    problems = [
        f"only: no card {shown(name)}{did_you_mean(_key(name), known)}; valid: a project, event or endgame card "
        "(xenobalance cards show)"
        for name in only
        if _key(name) not in known
    ]
    if problems:
        raise UserError(problems)
    wanted = {_key(name) for name in only}
    return [card for key, card in known.items() if key in wanted]


def _key(name: str) -> str:
    return "-".join(str(name).casefold().replace("-", " ").split())


def changes_of(card: Card, mode: str, by: float | None) -> tuple[str, ...]:
    """What is changed about a card."""
    if mode != SCALE:
        return (f"{mode} {card.name}",)
    keys = PROJECT_KEYS if card.section == PROJECTS else OTHER_KEYS
    return tuple(f"{card.name}.{key}*={by:g}" for key in keys)


def playable(table: Ready, cards: Sequence[Card], mode: str, by: float | None) -> list[Card]:
    """The cards with their changes; what no game can be played with says why."""
    found = []
    for card in cards:
        changes = changes_of(card, mode, by)
        try:
            table.game.apply_changes(table.settings[0], changes, table.cards, table.strategies)
            problem = ""
        except UserError as error:
            problem = "; ".join(_reason(line) for line in error.lines)
        found.append(replace(card, changes=changes, problem=problem))
    if all(card.problem for card in found):
        told = f"{found[0].name}: {found[0].problem}; and no other card to play"
        raise UserError(f"{told}; valid: cards that can be played with mode {mode}, or another mode")
    return found


def _reason(line: str) -> str:
    """Of a complaint about a change, what is wrong; without what was changed and what would be right."""
    return (line.partition(": ")[2] or line).partition("; valid")[0]
