"""The rule options of E.T.I. (`sim.options` says what an option is)."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from sim.options import Option, check_values, parse_rule, read_options

__all__ = ["OPTIONS", "Option", "check_options", "defaults", "load_options", "parse_rule"]

RULES_FILE = Path(__file__).parent / "data" / "rules.toml"


@lru_cache(maxsize=1)
def load_options() -> tuple[Option, ...]:
    """All rule options, in the order of the file."""
    return read_options(RULES_FILE)


OPTIONS: tuple[Option, ...] = load_options()


def defaults() -> dict[str, int]:
    """The game as we read the rulebook: every option with its default."""
    return {option.name: option.value for option in OPTIONS}


def check_options(overrides: Mapping[str, object], where: str) -> tuple[dict[str, int], list[str]]:
    """Fill the overrides up with the defaults, and name all that is wrong with them.

    Parameters
    ----------
    overrides
        Option name to value, as written in a plan file or on the command line.
    where
        What the problems are about, `"--rule"` or a file name; each line starts with it.

    Returns
    -------
    The value of every option (an override that is wrong is left out), and the problems, one a line.

    Example
    -------
    >>> check_options({"ports": 99}, "--rule")[1]
    ['--rule: ports: 99 is too high; valid: a whole number from 1 to 20']
    """
    return check_values(OPTIONS, overrides, where)
