"""What a sensitivity study varies: numbers of the rules and cards, their ranges, and how they become changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import floor

from sim.errors import UserError, did_you_mean, shown

REACH = 0.3  # of the printed value, up and down
DIGITS = 4  # of values between whole numbers
VALID = "valid: NAME, NAME=LOW..HIGH, NAME*=LOW..HIGH, NAME+=LOW..HIGH, or a pattern such as attack_*"
_TEXT = re.compile(r"^(?P<name>.+?)\s*(?P<sign>\+=|\*=|=)\s*(?P<span>.*)$")
_RANGE = re.compile(r"^([+-]?[0-9.]+)\.\.([+-]?[0-9.]+)$")
_MIDDLE = {"*=": 1.0, "+=": 0}  # where such a change changes nothing


@dataclass(frozen=True)
class Factor:
    """A number that is varied from `low` to `high`; at `default` the game is as it was.

    `least` and `most` are its limits. `operator` makes it a change: 'ports=12', 'research.spy+=1' or
    'projects.difficulty*=1.13'. With `texts` it is a switch instead: at 1 those changes are made, at 0 none.
    """

    name: str
    low: float
    high: float
    default: float
    whole: bool = True
    operator: str = "="
    least: float = 0.0
    most: float = 1.0
    source: str = ""
    texts: tuple[str, ...] = ()

    def at_level(self, place: float) -> float:
        """The legal value nearest to a place between the ends (0 to 1).

        Example
        -------
        >>> [Factor("ports", 10, 18, 14).at_level(place / 3) for place in range(4)]
        [10, 13, 15, 18]
        """
        value = self.low + place * (self.high - self.low)
        return floor(value + 0.5) if self.whole else round(value, DIGITS)

    def at_share(self, place: float) -> float:
        """The value at a place between 0 and 1 when all legal values are equally likely.

        Example
        -------
        >>> [Factor("mash_limit", 0, 2, 1).at_share(place) for place in (0.1, 0.4, 0.9)]
        [0, 1, 2]
        """
        if not self.whole:
            return self.at_level(place)
        return int(self.low) + min(floor(place * self.values), self.values - 1)

    @property
    def values(self) -> int:
        """How many values a factor of whole numbers has."""
        return int(self.high - self.low) + 1

    def place(self, value: float) -> float:
        """Where a value lies between the ends: 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    def changes(self, value: float) -> list[str]:
        """The change texts that give the factor this value; none at the default.

        Example
        -------
        >>> Factor("projects.difficulty", 0.7, 1.3, 1, False, "*=").changes(1.13)
        ['projects.difficulty*=1.13']
        """
        if value == self.default:
            return []
        if self.texts:
            return list(self.texts)
        if self.operator == "+=" and value < 0:
            return [f"{self.name}-={-value:g}"]
        return [f"{self.name}{self.operator}{value:g}"]

    def shown(self, value: float) -> str:
        """A value for people: '7', '×1.3', '+2'.

        Example
        -------
        >>> Factor("research.spy", -2, 2, 0, True, "+=").shown(-2)
        '−2'
        """
        sign = {"*=": "×", "+=": "+" if value > 0 else ""}.get(self.operator, "")
        return f"{sign}{value:g}".replace("-", "−")


def around(factor: Factor, reach: float = REACH) -> Factor:
    """The factor with its usual range: so much of its value up and down, at least one step, within its limits.

    Example
    -------
    >>> found = around(Factor("ports", 0, 0, 14, least=1, most=20))
    >>> found.low, found.high
    (10, 18)
    """
    width = abs(factor.default) * reach
    if factor.whole:
        width = max(1, floor(width + 0.5))
    low, high = max(factor.least, factor.default - width), min(factor.most, factor.default + width)
    if factor.whole:
        return replace(factor, low=int(low), high=int(high))
    return replace(factor, low=round(low, DIGITS), high=round(high, DIGITS))


def choose(known: Sequence[Factor], wanted: Iterable[str]) -> list[Factor]:
    """The factors that were asked for, with their ranges; all of them if none was named.

    Parameters
    ----------
    known
        Every factor there is, with its usual range.
    wanted
        Texts such as 'public_fame=0..20', 'public_fame', 'attack_*'; a later one for the same factor wins.
        A UserError lists all problems.
    """
    texts = [text.strip() for text in wanted if text.strip()]
    if not texts:
        return list(known)
    found: dict[str, Factor] = {}
    problems: list[str] = []
    for text in texts:
        try:
            found |= {factor.name: factor for factor in _chosen(known, text)}
        except UserError as error:
            problems += error.lines
    if problems:
        raise UserError(problems)
    return list(found.values())


def _chosen(known: Sequence[Factor], text: str) -> list[Factor]:
    """The factors of one text: of those known by name or pattern, or any number that changes can name."""
    match = _TEXT.match(text)
    name, sign, span = (match["name"], match["sign"], match["span"]) if match else (text, "", "")
    matching = [factor for factor in known if _same(factor.name, name)]
    if sign in _MIDDLE and not any(factor.operator == sign for factor in matching):
        middle = _MIDDLE[sign]
        matching = [Factor(name, middle, middle, middle, sign == "+=", sign, -1e6 * (sign == "+="), 1e6)]
    if not matching:
        raise UserError(_unknown(name, [factor.name for factor in known]))
    return [_bounded(factor, span) for factor in matching] if sign else matching


def _unknown(name: str, names: list[str]) -> str:
    if "." in name and name not in names:
        valid = f"valid: one of `--list`, or {name}*=0.5..1.5 for any number that changes can name"
    else:
        valid = f"valid: {', '.join(names[:8])}{' …' if len(names) > 8 else ''} (`--list` shows all)"
    return f"--vary: no factor {shown(name)}{did_you_mean(name, names)}; {valid}"


def _same(name: str, pattern: str) -> bool:
    return fnmatchcase(_plain(name), _plain(pattern))


def _plain(name: str) -> str:
    """Without case, spaces, hyphens."""
    return re.sub(r"[\s\-]", "", name.lower())


def _bounded(factor: Factor, span: str) -> Factor:
    """The factor with the range of a text such as '0..20'."""
    found = _RANGE.match(span.replace("−", "-"))
    try:
        low, high = (float(end) for end in found.groups()) if found else (None, None)
    except ValueError:
        low = high = None
    where = f"--vary: {factor.name}"
    if low is None or high is None:
        raise UserError(f"{where}: {shown(span)} is no range; {VALID}")
    limits = (
        f"valid: {'whole numbers' if factor.whole else 'numbers'} from {factor.least:g} to {factor.most:g}"
    )
    if factor.whole and not (low.is_integer() and high.is_integer()):
        raise UserError(f"{where}: {shown(span)} is not between whole numbers; {limits}")
    if low < factor.least or high > factor.most:
        raise UserError(f"{where}: {shown(span)} goes beyond its limits; {limits}")
    if low >= high:
        raise UserError(f"{where}: {shown(span)}: the low end must be below the high end; {limits}")
    return (
        replace(factor, low=int(low), high=int(high)) if factor.whole else replace(factor, low=low, high=high)
    )
