"""Ranges: a change with several values.

`public_fame=0..20/5` (from..to/step), `public_fame=0,5,10`, `projects.difficulty*=0.8..1.2/0.1`, or words:
`alien=raiding-party,world-enders`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from sim.errors import UserError, shown

MOST_VALUES = 101  # of one range
MOST_CELLS = 400  # of a grid
FORM = (
    "a change with several values, like public_fame=0..20/5, public_fame=0,5,10 or "
    "projects.difficulty*=0.8..1.2/0.1"
)

_AXIS = re.compile(r"\s*(?P<target>[^=]*?)\s*(?P<sign>[+*-]?=)(?P<values>.*)", re.DOTALL)
_NUMBER = r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*\.\.\s*({_NUMBER})\s*(?:/\s*({_NUMBER})\s*)?")


@dataclass(frozen=True)
class Axis:
    """What is varied, and its values: numbers from small to large, or words as they were given."""

    target: str
    sign: str
    values: tuple[str, ...]

    @property
    def name(self) -> str:
        """What stands on the axis of a figure: 'public_fame', 'projects.difficulty ×'."""
        return self.target + {"=": "", "+=": " +", "-=": " −", "*=": " ×"}[self.sign]

    @property
    def numbers(self) -> list[float] | None:
        """The values as numbers; None if they are words."""
        return [float(value) for value in self.values] if all(map(_is_number, self.values)) else None

    @property
    def step(self) -> float:
        """The distance from one value to the next, on average where it varies."""
        numbers = self.numbers or []
        return (numbers[-1] - numbers[0]) / (len(numbers) - 1) if len(numbers) > 1 else 1.0

    def change(self, value: str) -> str:
        """The change text of one value."""
        return f"{self.target}{self.sign}{value}"

    def changes_nothing(self, value: str) -> bool:
        """Whether a value is sure to leave things as they are: times 1, plus 0."""
        neutral = {"*=": 1, "+=": 0, "-=": 0}.get(self.sign)
        return neutral is not None and _is_number(value) and Decimal(value) == neutral


def parse_axis(text: str) -> Axis:
    """A change text with a range or a list of values.

    Example
    -------
    >>> parse_axis("public_fame=0..20/5").values
    ('0', '5', '10', '15', '20')
    >>> parse_axis("projects.difficulty*=0.8..1.2/0.2").values
    ('0.8', '1', '1.2')
    >>> parse_axis("alien=raiding-party,world-enders").values
    ('raiding-party', 'world-enders')
    """
    found = _AXIS.fullmatch(text)
    if not found or not found["target"] or not found["values"].strip():
        raise UserError(f"--vary: {shown(text)} is no range; valid: {FORM}")
    target, sign, values = found["target"], found["sign"], found["values"]
    chosen = _span(text, values) if ".." in values else _list(text, values)
    if len(chosen) < 2:
        raise UserError(f"--vary: {shown(text)} has a single value; valid: {FORM}")
    if len(chosen) > MOST_VALUES:
        raise UserError(
            f"--vary: {shown(text)} has {len(chosen):,} values; valid: at most {MOST_VALUES}, with a larger step"
        )
    return Axis(target, sign, tuple(chosen))


def _span(text: str, values: str) -> list[str]:
    """from..to/step; both ends belong to it, and the last step must end there."""
    found = _RANGE.fullmatch(values)
    if not found:
        raise UserError(
            f"--vary: {shown(text)}: {shown(values.strip())} is no range; valid: from..to/step, like 0..20/5"
        )
    first, last, step = (Decimal(one) if one else None for one in found.groups())
    assert first is not None and last is not None
    if step is None and not (first == first.to_integral_value() and last == last.to_integral_value()):
        raise UserError(f"--vary: {shown(text)}: no step given; valid: from..to/step, like 0.8..1.2/0.1")
    step = Decimal(1) if step is None else step
    if first >= last or step <= 0:
        raise UserError(
            f"--vary: {shown(text)} is empty; valid: from the smaller to the larger, with a step above 0"
        )
    count = int((last - first) / step)
    if first + count * step != last:
        there = _plain(first + count * step)
        raise UserError(
            f"--vary: {shown(text)}: steps of {_plain(step)} from {_plain(first)} come to {there} and not to "
            f"{_plain(last)}; valid: a step that ends at the last value, or a list of values"
        )
    if count >= MOST_VALUES:  # before they are all written down
        raise UserError(
            f"--vary: {shown(text)} has {count + 1:,} values; valid: at most {MOST_VALUES}, with a larger step"
        )
    return [_plain(first + k * step) for k in range(count + 1)]


def _list(text: str, values: str) -> list[str]:
    """Values with commas between them; numbers in order."""
    parts = [part.strip() for part in values.split(",")]
    if "" in parts:
        raise UserError(f"--vary: {shown(text)}: a value is missing; valid: {FORM}")
    if all(map(_is_number, parts)):
        parts = [_plain(number) for number in sorted(map(Decimal, parts))]
    twice = [part for part in parts if parts.count(part) > 1]
    if twice:
        raise UserError(f"--vary: {shown(text)}: {twice[0]} stands there twice; valid: each value once")
    return parts


def _is_number(text: str) -> bool:
    return re.fullmatch(_NUMBER, text) is not None


def _plain(number: Decimal) -> str:
    """1.20 is '1.2', 1.0 is '1', never '1E+1'."""
    return f"{number.normalize():f}" if number else "0"


def parse_axes(texts: Sequence[str]) -> list[Axis]:
    """One range, or two that make a grid."""
    if not 1 <= len(texts) <= 2:
        raise UserError(f"--vary: {len(texts)} ranges; valid: one, or two for a grid")
    axes = [parse_axis(text) for text in texts]
    if len(axes) == 2 and (axes[0].target, axes[0].sign) == (axes[1].target, axes[1].sign):
        raise UserError(f"--vary: {axes[0].target} is varied twice; valid: two different things")
    if np.prod([len(axis.values) for axis in axes]) > MOST_CELLS:
        sizes = " × ".join(str(len(axis.values)) for axis in axes)
        raise UserError(f"--vary: a grid of {sizes} values; valid: at most {MOST_CELLS} in all")
    return axes
