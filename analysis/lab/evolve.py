"""Finding better numbers by trial: CMA-ES over scaled, bounded axes whose scores are noisy.

It knows neither games nor strategies. What it is given is a trial that says how much better each of some points
does than the start on the same luck; fresh luck from generation to generation is the trial's business. Nothing here
is drawn from anywhere but the seed, and every point is rounded, so that the same trial gives the same search.

The mean of a generation was chosen on earlier luck only: its gain is unbiased, which makes it the learning curve.
The gains of a generation's best are not: whoever wins among many was lucky as well. So the search ends with a few
finalists, the start among them, for the caller to try on more and fresh luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import floor, isfinite, log, log10, sqrt
from typing import Any

import numpy as np
from cmaes import CMA  # type: ignore[import-untyped, unused-ignore]

Point = tuple[float, ...]

DIGITS = 4  # of an axis's scale: finer steps change no game, and machines disagree about them
STEP = 0.3  # of the scale: how far the first generation looks around
REACH = 5.0  # scales to either side of the start, where nothing else is said
PATIENCE = 8  # generations without progress
BLIND = 4  # generations in which no point makes any difference, each looking twice as far as the one before
FINALISTS = 3  # of the best points found on the way


@dataclass(frozen=True)
class Axis:
    """A number to be varied: where it starts, what a large step is, and how far it may go."""

    name: str
    start: float
    scale: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not (isfinite(self.scale) and self.scale > 0 and self.low <= self.start <= self.high):
            raise ValueError(f"axis {self.name}: {self}")

    def rounded(self, value: float) -> float:
        """The nearest value with so many digits as the scale has, within the bounds; zero has no sign."""
        places = DIGITS - 1 - floor(log10(self.scale))
        return min(max(round(float(value), places), self.low), self.high) + 0.0


def axis(
    name: str, start: float, usual: Sequence[float] = (), bounds: tuple[float, float] | None = None
) -> Axis:
    """An axis around a start.

    Parameters
    ----------
    usual
        Other values that are in use: half of their range is a sensible step for a start at or near zero. Without
        them, and with a start at zero, the scale is 1.
    bounds
        By default `REACH` scales to either side, so that the sign may change.

    Example
    -------
    >>> axis("level", 0.0, usual=[-8.0, 14.0]).scale
    11.0
    """
    scale = max(abs(start), (max(usual) - min(usual)) / 2 if usual else 0.0) or 1.0
    low, high = bounds or (start - REACH * scale, start + REACH * scale)
    return Axis(name, start, scale, low, high)


@dataclass(frozen=True)
class Gain:
    """How much better than the start, on the same luck, and the standard error of that."""

    value: float
    error: float


#: number of the generation (from 1) and points, the start first -> the gain of each
Trial = Callable[[int, Sequence[Point]], Sequence[Gain]]


@dataclass(frozen=True)
class Generation:
    """One generation: what was tried, and what came of it."""

    number: int
    step: float  # how far it looked around, in scales
    mean: Point
    mean_gain: Gain
    points: tuple[Point, ...]
    gains: tuple[Gain, ...]

    @property
    def best(self) -> int:
        """The place of the point with the largest gain; of equals the first."""
        return max(range(len(self.points)), key=lambda place: self.gains[place].value)


@dataclass
class Search:
    """What a search has found so far, and why it ended."""

    axes: tuple[Axis, ...]
    generations: list[Generation] = field(default_factory=list)
    ended: str = ""
    last_mean: Point = ()

    @property
    def start(self) -> Point:
        return tuple(one.start for one in self.axes)

    @property
    def is_blind(self) -> bool:
        """Whether no point has made any difference so far."""
        return all(gain.value == 0 for one in self.generations for gain in one.gains)

    def finalists(self, best: int = FINALISTS) -> list[Point]:
        """The start, the last mean, the average of the later means, and the best points met: each once."""
        tried = [(g.gains[k].value, point) for g in self.generations for k, point in enumerate(g.points)]
        tried.sort(key=lambda pair: -pair[0])  # of equals the one met first
        chosen = [self.start, self.last_mean, self._average(), *(point for _, point in tried[:best])]
        return list(dict.fromkeys(point for point in chosen if point))

    def _average(self) -> Point:
        """The average of the means of the second half: steadier than the last one when scores are noisy."""
        means = [g.mean for g in self.generations] + [self.last_mean]
        later = np.array(means[len(means) // 2 :])
        return _rounded(self.axes, later.mean(axis=0))


def evolve(
    axes: Sequence[Axis],
    trial: Trial,
    generations: int,
    population: int = 0,
    seed: int = 1,
    patience: int = PATIENCE,
    step: float = STEP,
) -> Search:
    """Look for the point with the largest gain.

    Parameters
    ----------
    trial
        Called once a generation with the start, the mean (from the second generation on) and the candidates.
    generations
        At most so many.
    population
        Candidates a generation; 0: what CMA-ES recommends for so many axes.
    patience
        It ends when the means of the last so many generations gained no more than those of as many before.

    Example
    -------
    >>> def trial(number, points):
    ...     return [Gain(-(x - 2) ** 2 - y**2 + 4, 0.0) for x, y in points]
    >>> found = evolve([axis("x", 0.0), axis("y", 0.0)], trial, generations=60)
    >>> [round(abs(x), 1) for x in found.last_mean]
    [2.0, 0.0]
    """
    search = Search(tuple(axes))
    climber = _Climber(search.axes, population or recommended(len(axes)), seed, step)
    search.last_mean = climber.mean()
    for number in range(1, generations + 1):
        done = _generation(search.start, climber, trial, number)
        search.generations.append(done)
        search.last_mean = climber.mean()
        if search.is_blind:
            if number == BLIND:
                search.ended = "nothing changed"
                return search
            step *= 2  # perhaps a plateau: what it learned there means nothing
            climber = _Climber(search.axes, climber.cma.population_size, seed + number, step)
        if climber.finished or stalled([g.mean_gain for g in search.generations], patience):
            search.ended = "no progress"
            return search
    search.ended = "all generations"
    return search


def recommended(axes: int) -> int:
    """Candidates a generation, after Hansen."""
    return 4 + floor(3 * log(axes))


def _generation(start: Point, climber: _Climber, trial: Trial, number: int) -> Generation:
    """Try the start, the mean and new candidates on the same luck, and learn from it."""
    mean, points, step = climber.mean(), climber.ask(), climber.step
    first = [start] if number == 1 else [start, mean]  # the first mean is the start
    gains = list(trial(number, [*first, *points]))
    if len(gains) != len(first) + len(points):
        raise ValueError(f"{len(gains)} gains for {len(first) + len(points)} points")
    climber.tell(points, [gain.value for gain in gains[len(first) :]])
    mean_gain = gains[len(first) - 1]
    return Generation(number, step, mean, mean_gain, tuple(points), tuple(gains[len(first) :]))


def stalled(gains: Sequence[Gain], patience: int) -> bool:
    """Whether the last so many gains are, on average, no better than as many before, but for one standard error."""
    if len(gains) < 2 * patience:
        return False
    later, before = (_average(part) for part in (gains[-patience:], gains[-2 * patience : -patience]))
    return later.value - before.value <= sqrt(later.error**2 + before.error**2)


def _average(gains: Sequence[Gain]) -> Gain:
    """Of gains on different luck."""
    n = len(gains)
    return Gain(sum(g.value for g in gains) / n, sqrt(sum(g.error**2 for g in gains)) / n)


def _rounded(axes: Sequence[Axis], values: Any) -> Point:
    return tuple(one.rounded(value) for one, value in zip(axes, values, strict=True))


class _Climber:
    """CMA-ES on axes scaled to 1, in points that are rounded."""

    def __init__(self, axes: tuple[Axis, ...], population: int, seed: int, step: float) -> None:
        self.axes = axes
        self.middle = np.array([one.start for one in axes])
        self.scale = np.array([one.scale for one in axes])
        ends = np.array([[one.low, one.high] for one in axes])
        bounds = (ends - self.middle[:, None]) / self.scale[:, None]
        self.cma = _Agreeing(
            np.zeros(len(axes)), step, bounds=bounds, seed=seed % 2**32, population_size=population
        )

    @property
    def step(self) -> float:
        return float(self.cma._sigma)

    @property
    def finished(self) -> bool:
        """Whether steps have become too small, or too large, to go on."""
        return bool(self.cma.should_stop())

    def mean(self) -> Point:
        return _rounded(self.axes, self.middle + self.scale * self.cma.mean)

    def ask(self) -> list[Point]:
        asked = [self.cma.ask() for _ in range(self.cma.population_size)]
        return [_rounded(self.axes, self.middle + self.scale * one) for one in asked]

    def tell(self, points: Sequence[Point], gains: Sequence[float]) -> None:
        """What was tried is the rounded point; of equal gains the first asked counts as better."""
        scaled = [(np.array(point) - self.middle) / self.scale for point in points]
        self.cma.tell([(point, -gain) for point, gain in zip(scaled, gains, strict=True)])


class _Agreeing(CMA):  # type: ignore[misc, unused-ignore]
    """CMA-ES that draws the same points on every machine.

    Eigenvectors are known but for their sign, and those of equal eigenvalues but for a rotation; linear algebra
    libraries choose as they like. The symmetric root of the covariance is the same whatever they choose.
    """

    def _sample_solution(self) -> Any:
        vectors, roots = self._eigen_decomposition()
        root = (vectors * roots) @ vectors.T
        return self._mean + self._sigma * (root @ self._rng.standard_normal(self._n_dim))
