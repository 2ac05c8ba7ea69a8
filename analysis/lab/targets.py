"""Targets: what a game should be like, in words that can be measured.

    alien_win=0.5          half of the games for the alien; 2 points to either side are near enough
    alien_win=0.5~0.01     ... 1 point
    rounds=14..18          anything from 14 to 18
    rounds>=14             at least, or at most (<=)
    seats=fair             no seat wins more than 2 points away from its fair share; seats=0.01: 1 point
    diversity=0.9          the strategies win as evenly as if nine of ten shared everything between them, or more so

A target is a band from `low` to `high`. Its `miss` is how far outside the band a figure lies, in steps: a point of a
rate, a hundredth of any other number. So different targets can be added up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, Protocol

import numpy as np

from sim.errors import UserError, shown

NEAR_ENOUGH = 0.02  # to either side, of a rate
NEAR_ENOUGH_OF = 0.025  # of the figure itself, of any other number
POINT = 0.01  # a step of a rate; of other numbers: this share of the target
FORM = "metric=number, metric=from..to, metric>=number or metric<=number, and ~tolerance, like alien_win=0.5~0.02"

SEATS, DIVERSITY = "seats", "diversity"
Status = Literal["surely", "met", "open", "missed"]
#: how sure it is that a target is met -> in words
STATUS_WORDS: dict[Status, str] = {
    "surely": "met, with its whole interval",
    "met": "met",
    "open": "just missed: its interval reaches the target",
    "missed": "missed",
}

_NUMBER = r"[+-]?[0-9]{0,9}\.?[0-9]{1,9}\s*%?"
_TARGET = re.compile(
    r"\s*(?P<metric>[^<>=~]*?)\s*(?P<sign><=|>=|=)\s*(?P<value>[^~<>=]*?)\s*(?:~\s*(?P<near>.*?)\s*)?"
)


# --- what is measured ------------------------------------------------------------------------------------
class Measure(Protocol):
    """A figure of an arm, worked out from one or several means of its games."""

    @property
    def name(self) -> str: ...
    @property
    def figures(self) -> tuple[str, ...]:
        """The metrics it needs."""
        ...

    @property
    def text(self) -> str:
        """As in a heading."""
        ...

    @property
    def is_rate(self) -> bool: ...
    @property
    def limits(self) -> tuple[float, float]:
        """No arm can have less or more."""
        ...

    def of(self, values: Any) -> tuple[float, Any]:
        """The figure, and how it changes with each of its metrics."""
        ...


@dataclass(frozen=True)
class Plain:
    """A metric as it is."""

    name: str
    is_rate: bool
    limits: tuple[float, float] = (-inf, inf)
    text: str = ""

    @property
    def figures(self) -> tuple[str, ...]:
        return (self.name,)

    def of(self, values: Any) -> tuple[float, Any]:
        return float(values[0]), np.ones(1)


@dataclass(frozen=True)
class Seats:
    """How far the unfairest seat, counted from the first president, is from its share of the wins."""

    figures: tuple[str, ...]
    name: str = SEATS
    is_rate: bool = True
    text: str = "distance of the unfairest seat"

    @property
    def limits(self) -> tuple[float, float]:
        return 0.0, 1 - 1 / len(self.figures)

    def of(self, values: Any) -> tuple[float, Any]:
        away = np.asarray(values, float) - 1 / len(self.figures)
        worst = int(np.argmax(np.abs(away)))
        slope = np.zeros(len(self.figures))
        slope[worst] = 1.0 if away[worst] >= 0 else -1.0
        return float(abs(away[worst])), slope


@dataclass(frozen=True)
class Diversity:
    """As how many equally good strategies they are, of all there are: exp(entropy of what they win) / number."""

    figures: tuple[str, ...]
    name: str = DIVERSITY
    is_rate: bool = True
    text: str = "diversity of strategies"

    @property
    def limits(self) -> tuple[float, float]:
        return 1 / len(self.figures), 1.0

    def of(self, values: Any) -> tuple[float, Any]:
        wins = np.maximum(np.asarray(values, float), 1e-12)
        total = float(wins.sum())
        logs = np.log(wins / total)
        entropy = -float((wins / total) @ logs)
        even = float(np.exp(entropy)) / len(wins)
        return even, -even * (logs + entropy) / total


# --- what is wanted --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Target:
    """A measure and the band it should be in."""

    text: str
    measure: Measure
    low: float
    high: float
    step: float

    def miss(self, value: float) -> float:
        """How far outside the band, in steps; 0 within."""
        return max(self.low - value, value - self.high, 0.0) / self.step

    def side(self, value: float) -> float:
        """-1 below the band, 1 above it, 0 within."""
        return float(value > self.high) - float(value < self.low)

    def off_centre(self, value: float) -> float:
        """How far from the middle of the band, or from its only end, in steps."""
        if self.low == -inf or self.high == inf:
            return self.miss(value)
        return abs(value - (self.low + self.high) / 2) / self.step

    def status(self, value: float, low: float, high: float) -> Status:
        """Whether a figure with this interval meets the target.

        A band narrower than the interval cannot be hit but by luck: then it is enough if they touch.
        """
        if self.low <= low and high <= self.high:
            return "surely"
        touches = low <= self.high and high >= self.low
        if self.miss(value) == 0 or (touches and self.high - self.low < high - low):
            return "met"
        return "open" if touches else "missed"

    @property
    def band(self) -> str:
        """The band in words: '48 % to 52 %', 'at least 14'."""
        low, high = (self._told(end) for end in (self.low, self.high))
        if self.low == -inf or self.low <= self.measure.limits[0]:
            return f"at most {high}"
        if self.high == inf or self.high >= self.measure.limits[1]:
            return f"at least {low}"
        return low if low == high else f"{low} to {high}"

    def _told(self, value: float) -> str:
        return f"{value * 100:.4g} {unit(self.measure)}" if self.measure.is_rate else f"{value:.4g}"


def unit(measure: Measure) -> str:
    """What a hundredth of a rate is called."""
    return "points" if measure.name == SEATS else "%"


def parse_target(text: str, measure: Any) -> Target:
    """A target from its text; `measure` finds a `Measure` by name, or raises a UserError.

    Example
    -------
    >>> target = parse_target("alien_win=0.5~0.01", lambda name: Plain(name, True, (0, 1)))
    >>> target.low, target.high, target.band
    (0.49, 0.51, '49 % to 51 %')
    """
    found = _TARGET.fullmatch(text)
    if not found or not found["metric"] or not found["value"]:
        raise UserError(f"--target: {shown(text)}; valid: {FORM}")
    which: Measure = measure(found["metric"])
    near = None if found["near"] is None else _number(text, found["near"])
    if near is not None and near < 0:
        raise UserError(f"--target: {shown(text)}: a tolerance below 0; valid: 0 or more")
    low, high = _band(text, which, found["sign"], found["value"], near)
    _check_possible(text, which, low, high)
    low, high = (round(end, 12) for end in (low, high))
    return Target(text.strip(), which, low, high, _step(which, low, high))


def parse_targets(texts: Sequence[str], measure: Any) -> list[Target]:
    """Several targets; each metric once."""
    if not texts:
        raise UserError("--target: none given; valid: one or several, like alien_win=0.5")
    targets = [parse_target(text, measure) for text in texts]
    names = [target.measure.name for target in targets]
    for name in names:
        if names.count(name) > 1:
            raise UserError(
                f"--target: {name} has two targets; valid: one for each metric, or a range: 0.45..0.55"
            )
    return targets


def _band(text: str, measure: Measure, sign: str, value: str, near: float | None) -> tuple[float, float]:
    """Both ends of the band, with the tolerance."""
    if value == "fair":
        if measure.name != SEATS:
            raise UserError(f"--target: {shown(text)}: only seats can be fair; valid: seats=fair, or {FORM}")
        return -inf, near if near is not None else NEAR_ENOUGH
    ends = [_number(text, end) for end in value.split("..")]
    if len(ends) > 2:
        raise UserError(f"--target: {shown(text)}; valid: {FORM}")
    if ends[0] > ends[-1]:
        wrong = f"{shown(text)}: {ends[0]:g} is more than {ends[-1]:g}"
        raise UserError(f"--target: {wrong}; valid: from the smaller to the larger")
    _check_possible(text, measure, ends[0], ends[-1])
    if len(ends) == 2:
        return ends[0] - (near or 0.0), ends[1] + (near or 0.0)
    only = ends[0]
    if sign == "<=" or (measure.name == SEATS and sign == "="):
        return -inf, only + (near or 0.0)
    if sign == ">=" or (measure.name == DIVERSITY and sign == "="):
        return only - (near or 0.0), inf
    usual = NEAR_ENOUGH if measure.is_rate else NEAR_ENOUGH_OF * abs(only) or 1.0
    width = usual if near is None else near
    return only - width, only + width


def _number(text: str, value: str) -> float:
    """A number, or per cent of one."""
    value = value.strip()
    if not re.fullmatch(_NUMBER, value):
        raise UserError(f"--target: {shown(text)}: {shown(value)} is no number; valid: {FORM}")
    return float(value.rstrip("% ")) / (100 if value.endswith("%") else 1)


def _check_possible(text: str, measure: Measure, low: float, high: float) -> None:
    """Nothing can be outside the limits of what is measured."""
    lowest, highest = measure.limits
    if high < lowest or low > highest:
        valid = f"from {lowest:.4g} to {highest:.4g}" if highest < inf else f"at least {lowest:.4g}"
        raise UserError(f"--target: {shown(text)} cannot be; valid for {measure.name}: {valid}")


def _step(measure: Measure, low: float, high: float) -> float:
    """What counts as one step outside the band."""
    ends = [abs(end) for end in (low, high) if abs(end) < inf]
    return POINT if measure.is_rate else POINT * (sum(ends) / len(ends)) or POINT
