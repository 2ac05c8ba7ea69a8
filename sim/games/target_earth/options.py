"""The rule options of Target Earth (`sim.options` says what an option is)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sim.options import Option, check_values, parse_rule, read_options

__all__ = ["OPTIONS", "Option", "check_options", "defaults", "load_options", "parse_rule"]

RULES_FILE = Path(__file__).parent / "data" / "rules.toml"


@cache
def load_options() -> tuple[Option, ...]:
    """All rule options, in the order of the file."""
    return read_options(RULES_FILE)


OPTIONS: tuple[Option, ...] = load_options()


def defaults() -> dict[str, int]:
    """The game as we read the rulebook: every option with its default."""
    return {option.name: option.value for option in OPTIONS}


def check_options(overrides: Mapping[str, object], where: str) -> tuple[dict[str, int], list[str]]:
    """Fill the overrides up with the defaults, and name all that is wrong with them: see `sim.options`."""
    return check_values(OPTIONS, overrides, where)
