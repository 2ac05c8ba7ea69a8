"""Changes to a setting, written as text: `sudden_points=60`. Rule options only, so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.errors import UserError, shown
from sim.games.target_earth.cards import CardSet
from sim.games.target_earth.options import OPTIONS, check_options, parse_rule
from sim.games.target_earth.play import Setting


def split_changes(text: str) -> list[str]:
    """One text with several changes, separated by semicolons."""
    return [part.strip() for part in text.split(";") if part.strip()]


def named_in(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Card files and strategies that changes name: none."""
    return [], []


def all_cards(cards: CardSet) -> list[str]:
    """The names of all cards of a set."""
    return [str(card["name"]) for card in cards.data["alliance"]]


def change_targets(cards: CardSet) -> list[str]:
    """What a change may set."""
    return [option.name for option in OPTIONS]


def apply_changes(
    setting: Setting, texts: Sequence[str], cards: Mapping[str, CardSet], strategies: Mapping[str, Any]
) -> Setting:
    """The setting with every change made, in order."""
    rules, problems = dict(setting.rules), []
    for text in texts:
        if "=" not in text:
            problems.append(
                f"change {shown(text)}; valid: a rule option and its value, for example sudden_points=60"
            )
            continue
        name, value = parse_rule(text)
        problems += check_options({name: value}, "change")[1]
        if not problems and isinstance(value, int):
            rules[name] = value
    if problems:
        raise UserError(problems)
    return replace(setting, rules=rules)
