"""Changes to a game of Target Earth in words (`sim.changes`): what its cards and its own words may be changed to.

`docs/changes.md` lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sim.changes import Change, Grammar, Target, factor_target, rule_targets, shift_target
from sim.errors import UserError, shown
from sim.games.target_earth.cards import MODES, CardSet
from sim.games.target_earth.change_cards import (
    KEYS,
    card_names,
    change_card,
    change_section,
    check_changed,
    without,
    without_effect,
)
from sim.games.target_earth.luck import STREAM_NAMES
from sim.games.target_earth.options import OPTIONS, check_options
from sim.games.target_earth.play import VARIANTS, Setting
from sim.games.target_earth.state import MAX_PLAYERS
from sim.line_ups import LINE_UP

__all__ = [
    "GRAMMAR", "REROLLS", "Change", "Target", "all_cards", "apply_changes", "change_targets", "facts_of", "named_in",
    "parse_change", "split_changes",
]  # fmt: skip


def _mode(setting: Setting, change: Change) -> Setting:
    return replace(setting, mode=change.word_of(MODES))


def _variant(setting: Setting, change: Change) -> Setting:
    return replace(setting, variant=change.word_of(VARIANTS))


def _check(setting: Setting, texts: Sequence[str]) -> None:
    check_changed(setting.cards, texts)
    if setting.variant == "advanced" and setting.players < 2:
        raise UserError(
            f"changes {shown(', '.join(texts), 80)}: 1 player; valid: variant=base, or 2 to 4 players"
        )


GRAMMAR = Grammar(
    forms="an option (sudden_points=60), a value (USA.credits=8, countries.diplomacy+=1, ufos.attack*=1.2, "
    "ace.count=6, fighter.level-2=4, aliens.soldiers+=1), 'blank CARD', 'remove CARD', a strategy (core.science=5, "
    "core->random), mode=, variant=, cards=, or 'reroll STREAM'",
    options=OPTIONS,
    check_options=check_options,
    streams=tuple(name for name in STREAM_NAMES if name != LINE_UP),
    seats=MAX_PLAYERS,
    words={"mode": _mode, "variant": _variant},
    sections=tuple(KEYS),
    card_names=card_names,
    change_section=change_section,
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
_FACTORS = {
    "countries.points": "points of all countries",
    "ufos.attack": "dice of UFOs in the air",
    "ufos.bonus": "what UFOs add to the dice against a country",
    "alliance.count": "copies of all Alliance cards",
    "bags.terror": "terror UFOs in the bags of all phases",
}
_SHIFTS = {
    "countries.diplomacy": "D of all countries",
    "aliens.soldier": "factor of alien soldiers",
    "aliens.tank": "factor of alien tanks",
    "aliens.soldiers": "soldiers that UFOs land and that guard alien countries",
    "fighter.factors": "factor of fighters at all levels",
    "infantry.factors": "factor of infantry at all levels",
    "tank.factors": "factor of tanks at all levels",
    "radars.needed": "radars that the slots need",
}
MOST = 1  # up or down


def change_targets(cards: CardSet) -> tuple[Target, ...]:
    """Every rule option, and aggregates of the card set: factors (1: as it is) and shifts (0: as it is)."""
    return (
        *rule_targets(OPTIONS),
        *(factor_target(name, text) for name, text in _FACTORS.items()),
        *(shift_target(name, MOST, text) for name, text in _SHIFTS.items() if _may_fall(cards, name)),
    )


def _may_fall(cards: CardSet, name: str) -> bool:
    """Whether the card set still holds after the lowest shift: a factor or a bonus of 0 cannot fall."""
    try:
        owner, _, key = name.rpartition(".")
        change = Change(f"{name}-={MOST}", "-=", name, str(MOST))
        section = owner in KEYS
        found = (
            change_section(cards, change, owner, key) if section else change_card(cards, change, owner, key)
        )
        check_changed(found, [change.text])
    except UserError:
        return False
    return True


def all_cards(cards: CardSet) -> dict[str, list[str]]:
    """The names of all cards that can be blanked or removed, by section."""
    return {"alliance": [str(card["name"]) for card in cards.data["alliance"]]}


def facts_of(setting: Setting) -> dict[str, Any]:
    """What of a setting may be different from its cell's words."""
    return {"rerolled": list(setting.rerolled), "blank": list(setting.cards.blank)}
