"""Sweep: a rule option or a card value over a range, or two of them as a grid.

All values are played with the same luck, so that differences between them are paired by block. A range is a change
with several values: `public_fame=0..20/5` (from..to/step), `public_fame=0,5,10`, `projects.difficulty*=0.8..1.2/0.1`.
What comes out is a curve: its slope, where it bends, and which values meet a target.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, NOTHING, Contrast, Estimates, contrast_row, quantile
from analysis.comparisons import LEVEL, holm, trend_weights, with_holm
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


# --- ranges ----------------------------------------------------------------------------------------------
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


# --- targets ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Goal:
    """What a figure should be: one number, or anything from low to high."""

    metric: str
    low: float
    high: float


def parse_goal(text: str) -> Goal:
    """A target: `alien_win=0.5`, or a range `rounds=9..11`.

    Example
    -------
    >>> parse_goal("alien_win=0.45..0.55")
    Goal(metric='alien_win', low=0.45, high=0.55)
    """
    metric, equals, value = (part.strip() for part in text.partition("="))
    ends = [end.strip() for end in value.split("..")]
    if not (metric and equals and len(ends) <= 2 and all(map(_is_number, ends))):
        raise UserError(
            f"--target: {shown(text)}; valid: metric=number or metric=from..to, like alien_win=0.5"
        )
    low, high = float(ends[0]), float(ends[-1])
    if low > high:
        raise UserError(
            f"--target: {shown(text)}: {ends[0]} is more than {ends[1]}; valid: from the smaller to the larger"
        )
    return Goal(metric, low, high)


def meets(low: float, high: float, goal: Goal) -> str:
    """Whether an interval meets the target: 'yes' (all of it), 'no' (none of it) or 'perhaps'."""
    if goal.low <= low and high <= goal.high:
        return "yes"
    return "no" if high < goal.low or low > goal.high else "perhaps"


# --- curves ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Bend:
    """A curve as two straight lines that meet at a value: what a step does before it and after it."""

    at: float
    before: Contrast
    after: Contrast
    change: Contrast
    p_holm: float  # of the change, corrected for all values at which it may bend


@dataclass(frozen=True)
class Trend:
    """What one step does on average (the least-squares line), and where the curve bends most."""

    step: float
    slope: Contrast
    bend: Bend | None

    @property
    def bends(self) -> bool:
        """Whether a single straight line is not enough."""
        return self.bend is not None and self.bend.p_holm < LEVEL


def _over(places: Sequence[Sequence[int]], weights: Any, size: int) -> Any:
    """Weights of the values of an axis as weights of all arms; each value's arms count the same."""
    spread = np.zeros(size)
    for mine, weight in zip(places, weights, strict=True):
        spread[list(mine)] += weight / len(mine)
    return spread


def trend(found: Estimates, places: Sequence[Sequence[int]], x: Sequence[float]) -> Trend:
    """The slope of a curve, per step, and its strongest bend.

    `places` has the arms of each value: one, or in a grid those with the same value of this axis.
    """
    step = (x[-1] - x[0]) / (len(x) - 1)
    slope = found.contrast(_over(places, np.array(trend_weights(x)) * step, len(found)))
    return Trend(step, slope, _bend(found, places, np.asarray(x, float), step))


def _bend(found: Estimates, places: Sequence[Sequence[int]], x: Any, step: float) -> Bend | None:
    """Two lines that meet at one of the inner values: the best fit of all."""
    if len(x) < 3:
        return None
    values = np.array([found.value[list(mine)].mean() for mine in places])
    fits = []
    for at in x[1:-1]:
        design = np.column_stack([np.ones(len(x)), np.minimum(x - at, 0), np.maximum(x - at, 0)])
        rows = np.linalg.pinv(design)
        left = float(np.sum((values - design @ (rows @ values)) ** 2))
        before, after = (_over(places, rows[k] * step, len(found)) for k in (1, 2))
        fits.append((left, at, before, after, found.contrast(after - before)))
    corrected = holm([fit[4].p for fit in fits])
    best = min(range(len(fits)), key=lambda k: (round(fits[k][0], 15), k))
    _, at, before, after, change = fits[best]
    return Bend(
        float(at), found.contrast(before), found.contrast(after), change, float(corrected[best] or 0.0)
    )


def interaction(found: Estimates, places: Any, x: Sequence[float], y: Sequence[float]) -> Contrast:
    """How much more a step of x does, for each step of y. `places[i][j]` is the arm of x[i] and y[j]."""
    steps = [(axis[-1] - axis[0]) / (len(axis) - 1) for axis in (x, y)]
    weights = np.zeros(len(found))
    weights[np.asarray(places)] = np.outer(trend_weights(x), trend_weights(y)) * steps[0] * steps[1]
    return found.contrast(weights)


@dataclass(frozen=True)
class Stretch:
    """Values between which the curve may have a figure: the 95 % set, and where the estimate has it."""

    low: float
    high: float
    at: float | None  # None: the curve only comes near
    open_low: bool  # the range ends there, the stretch may not
    open_high: bool


def reached(found: Estimates, places: Sequence[int], x: Sequence[float], goal: float) -> list[Stretch]:
    """Where a curve of straight pieces between the values has a figure (Fieller's set, by blocks)."""
    far = quantile(int(found.blocks[list(places)].min())) ** 2
    parts: list[tuple[float, float]] = []
    crossings: list[float] = []
    for k in range(len(x) - 1):
        piece = _Piece(found, places[k], places[k + 1], goal)
        width = x[k + 1] - x[k]
        crossings += [x[k] + part * width for part in piece.zero()]
        for low, high in piece.near(far):
            low, high = x[k] + low * width, x[k] + high * width
            goes_on = parts and low - parts[-1][1] < NOTHING * width
            parts[-1:] = [(parts[-1][0], high)] if goes_on else [*parts[-1:], (low, high)]
    return [
        Stretch(low, high, next((at for at in crossings if low - NOTHING <= at <= high + NOTHING), None),
                low <= x[0], high >= x[-1])
        for low, high in parts
    ]  # fmt: skip


class _Piece:
    """A straight piece between two values, from 0 to 1, less the goal."""

    def __init__(self, found: Estimates, one: int, other: int, goal: float) -> None:
        self.start, self.end = float(found.value[one]) - goal, float(found.value[other]) - goal
        c = found.covariance
        self.variance = float(c[one, one]), float(c[one, other]), float(c[other, other])

    def zero(self) -> list[float]:
        """Where it has the goal."""
        if self.start == self.end or self.start * self.end > 0:
            return []
        return [self.start / (self.start - self.end)]

    def near(self, far: float) -> Iterator[tuple[float, float]]:
        """Where value² <= far × variance: both are parabolas along the piece."""
        a, b, c = self.variance
        rise = self.end - self.start
        square = rise**2 - far * (a - 2 * b + c)
        linear = 2 * self.start * rise - far * 2 * (b - a)
        constant = self.start**2 - far * a
        roots = np.roots([square, linear, constant])
        cuts = [0.0, *sorted(float(r.real) for r in roots if abs(r.imag) < NOTHING and 0 < r.real < 1), 1.0]
        for low, high in pairwise(cuts):
            middle = (low + high) / 2
            if square * middle**2 + linear * middle + constant <= NOTHING**2:
                yield low, high
        if not a + c + abs(b):  # no luck at all: a point
            yield from ((at, at) for at in self.zero())


def curve_table(found: Estimates, keys: pl.DataFrame, base: int) -> pl.DataFrame:
    """The figure of each arm in `keys` (a row an arm, with `place`), and how far it is from the base arm.

    Columns: those of `keys`; value, low, high, n, blocks, method, note; difference, difference_low, difference_high,
    paired by block; p, and p_holm, corrected for all arms.
    """
    places = keys["place"].to_list()
    figures = found.table("value").select("value", "low", "high", "n", "blocks", "method", "note")[places]
    rows = [contrast_row(found.difference(place, base)) for place in places]
    beside = pl.DataFrame(
        {
            "difference": [row["difference"] for row in rows],
            "difference_low": [row["low"] for row in rows],
            "difference_high": [row["high"] for row in rows],
            "p": [None if place == base else row["p"] for place, row in zip(places, rows, strict=True)],
        },
        schema=dict.fromkeys(("difference", "difference_low", "difference_high", "p"), pl.Float64),
    )
    return with_holm(pl.concat([keys.drop("place"), figures, beside], how="horizontal"))


def enough(found: Estimates, places: Sequence[int]) -> bool:
    """Whether there are blocks enough to say anything."""
    return bool(min(found.blocks[list(places)]) >= FEW)
