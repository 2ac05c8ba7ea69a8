"""Numbers as people read them."""

from __future__ import annotations

from typing import Any

NOTHING = "–"

#: kinds of column: text, whole numbers, numbers with so many digits, shares, differences of shares, p-values
KINDS = ("text", "whole", "number1", "number2", "signed0", "signed1", "signed2", "percent", "points", "p")


def shown(value: Any, kind: str) -> str:
    """A value as text.

    Example
    -------
    >>> shown(0.6213, "percent"), shown(-0.021, "points"), shown(0.00002, "p")
    ('62.1 %', '−2.1', '< 0.001')
    """
    if value is None:
        return NOTHING
    if kind == "text":
        return str(value)
    if kind == "whole":
        return f"{round(value):,}"
    if kind == "percent":
        return f"{value * 100:.1f} %"
    if kind == "points":
        return signed(value * 100, 1)
    if kind == "p":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    digits = int(kind[-1])
    return signed(value, digits) if kind.startswith("signed") else minus(f"{value:,.{digits}f}", digits)


def interval(low: float, high: float, kind: str) -> str:
    """An interval as text; the unit stands with the figure."""
    ends = [shown(end, kind).replace(" %", "") for end in (low, high)]
    return f"{ends[0]} to {ends[1]}"


def signed(value: float, digits: int) -> str:
    """With its sign; nothing is never negative."""
    text = f"{value:+,.{digits}f}"
    return "0" if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def minus(text: str, digits: int) -> str:
    """With a real minus; nothing is never negative."""
    return f"{0:.{digits}f}" if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def percent(value: float) -> str:
    """A share: 0.621 is '62.1 %'."""
    return shown(value, "percent")


def goal(target: float) -> str:
    """A target as it was given: 0.5 is '50 %', 0.455 is '45.5 %'."""
    return f"{target * 100:g} %"


def with_interval(value: float, low: float, high: float) -> str:
    """A share with its interval: '62.1 % (95 %: 61.9 to 62.3)'."""
    return f"{percent(value)} (95 %: {interval(low, high, 'percent')})"


def listed(names: list[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(n: int, thing: str, things: str = "") -> str:
    """'1 game', '2 games'."""
    return f"{n:,} {thing if n == 1 else things or thing + 's'}"
