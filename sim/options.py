"""Rule options: every number of a rulebook that a designer may want to change.

A game's options stand in its `data/rules.toml`, each with its range, its rule and where it comes from. A run is
given overrides (`--rule name=12`); this module checks them and fills in the rest.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.errors import UserError, did_you_mean, shown


@dataclass(frozen=True)
class Option:
    """One rule option: `value` is the default, `rule` the id on the rules page."""

    name: str
    value: int
    low: int
    high: int
    rule: str
    text: str
    source: str  # "rulebook" or "assumed"


def read_options(file: Path) -> tuple[Option, ...]:
    """All rule options of a file, in its order."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(Option(name=name, **values) for name, values in table.items())


def check_values(
    options: Sequence[Option], overrides: Mapping[str, object], where: str
) -> tuple[dict[str, int], list[str]]:
    """Fill the overrides up with the defaults, and name all that is wrong with them.

    Parameters
    ----------
    options
        The game's.
    overrides
        Option name to value, as written in a plan file or on the command line.
    where
        What the problems are about, `"--rule"` or a file name; each line starts with it.

    Returns
    -------
    The value of every option (an override that is wrong is left out), and the problems, one a line.
    """
    known = {option.name: option for option in options}
    values, problems = {option.name: option.value for option in options}, []
    for name, value in overrides.items():
        complaint = _complaint(known[name], value) if name in known else _unknown(name, list(known))
        if complaint:
            problems.append(f"{where}: {complaint}")
        elif isinstance(value, int):
            values[name] = value
    return values, problems


def _unknown(name: str, names: list[str]) -> str:
    return f"no rule option {shown(name)}{did_you_mean(str(name), names)}; valid: {', '.join(names)}"


def _complaint(option: Option, value: object) -> str:
    valid = f"valid: a whole number from {option.low} to {option.high}"
    if isinstance(value, bool) or not isinstance(value, int):
        return f"{option.name}: {shown(value)} is not a whole number; {valid}"
    if value < option.low:
        return f"{option.name}: {shown(value)} is too low; {valid}"
    if value > option.high:
        return f"{option.name}: {shown(value)} is too high; {valid}"
    return ""


def parse_rule(text: str) -> tuple[str, object]:
    """Split `name=value` as typed after `--rule`.

    A value that is no whole number comes back as text, so that `check_options` can name it together
    with the range it should have been in.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise UserError(f"--rule: {shown(text)} is not of the form name=value, for example ports=12")
    return name, int(value) if re.fullmatch(r"[+-]?[0-9]{1,4000}", value) else value
