"""What a search may change, and what is known of each set of changes.

A knob has a handful of choices; a candidate is a set of choices, at most one of each knob. The archive keeps the
sums of every candidate, row by row; rows with the same number had the same luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from math import sqrt
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import Estimates, from_sums, quantile
from analysis.lab.targets import Plain, Seats, Status, Target


@dataclass(frozen=True)
class Choice:
    """One value of a knob."""

    knob: int  # number of the knob
    text: str  # the change, as it is told
    size: float  # how far from the printed rules
    place: float  # from -1 to 1: on which side of the printed value, and how far as choices of this knob go


@dataclass(frozen=True)
class Knob:
    """Something that can be changed, and to what."""

    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Candidate:
    """A set of choices, in the order of their knobs."""

    choices: tuple[Choice, ...] = ()

    @property
    def count(self) -> int:
        """How many things are changed."""
        return len(self.choices)

    @property
    def size(self) -> float:
        """How far from the printed rules: all its changes together."""
        return round(sum(choice.size for choice in self.choices), 9)

    @property
    def texts(self) -> list[str]:
        """The change texts."""
        return [choice.text for choice in self.choices]

    @property
    def label(self) -> str:
        """What people call it."""
        return ", ".join(self.texts) or "as it is"

    @property
    def order(self) -> tuple[Any, ...]:
        """Fewest changes first, then smallest; the same order always."""
        return self.count, self.size, self.texts

    def __len__(self) -> int:
        return len(self.choices)


BASE = Candidate()


def singles(knobs: Sequence[Knob]) -> list[Candidate]:
    """Each choice alone."""
    return [Candidate((choice,)) for knob in knobs for choice in knob.choices]


def pairs(one: Knob, other: Knob) -> list[Candidate]:
    """All sets of a choice of one knob and a choice of another."""
    return [Candidate(both) for both in product(one.choices, other.choices)]


def knob_pairs(knobs: Sequence[Knob]) -> Iterator[tuple[Knob, Knob]]:
    """All pairs of knobs."""
    return combinations(knobs, 2)


def larger(candidate: Candidate, knobs: Sequence[Knob]) -> Iterator[Candidate]:
    """The candidate with one more change."""
    taken = {choice.knob for choice in candidate.choices}
    for knob in knobs:
        for choice in knob.choices:
            if choice.knob not in taken:
                yield Candidate(tuple(sorted((*candidate.choices, choice), key=lambda one: one.knob)))


# --- what is known ---------------------------------------------------------------------------------------
class Reading:
    """The figures of some candidates, with how they vary together."""

    def __init__(self, candidates: Sequence[Candidate], targets: Sequence[Target], found: Estimates) -> None:
        arms, self.candidates, self.targets = len(candidates), list(candidates), list(targets)
        self.values = found.value.reshape(arms, -1)
        self.covariance = found.covariance.reshape(*self.values.shape, *self.values.shape)
        self.n = found.n.reshape(arms, -1)
        self.rows = found.blocks.reshape(arms, -1).min(axis=1)

    @cached_property
    def figures(self) -> list[slice]:
        """Where the metrics of each target stand."""
        ends = np.cumsum([0, *(len(target.measure.figures) for target in self.targets)])
        return [slice(int(a), int(b)) for a, b in pairwise(ends)]

    @cached_property
    def measured(self) -> list[Estimates]:
        """The measure of each target, a row a candidate."""
        return [self._measure(target, here) for target, here in zip(self.targets, self.figures, strict=True)]

    def _measure(self, target: Target, here: slice) -> Estimates:
        each = [target.measure.of(values[here]) for values in self.values]
        slopes = np.array([slope for _, slope in each])
        covariance = np.einsum("ak,akbl,bl->ab", slopes, self.covariance[:, here, :, here], slopes)
        is_rate = isinstance(target.measure, Plain) and target.measure.is_rate
        groups = pl.DataFrame({"candidate": [candidate.label for candidate in self.candidates]})
        value, n = np.array([value for value, _ in each]), self.n[:, here].max(axis=1)
        return Estimates(groups, value, n, self.rows, covariance, is_rate, np.zeros(len(value), bool))

    def interval(self, arm: int, target: int) -> tuple[float, float]:
        """95 % interval of a measure."""
        measure, here = self.targets[target].measure, self.figures[target]
        if not isinstance(measure, Seats):
            low, high = self.measured[target].interval(arm)
            return max(low, measure.limits[0]), min(high, measure.limits[1])
        variance = np.diag(self.covariance[arm, here, arm, here])
        half = quantile(int(self.rows[arm])) * np.sqrt(variance)
        away = np.abs(
            self.values[arm, here] - 1 / len(variance)
        )  # the unfairest may be another seat in truth
        return float(max(0.0, np.max(away - half))), float(np.max(away + half))

    def status(self, arm: int, target: int) -> Status:
        """Whether a candidate meets a target."""
        return self.targets[target].status(
            float(self.measured[target].value[arm]), *self.interval(arm, target)
        )

    def meets(self, arm: int, *wanted: Status) -> bool:
        """Whether a candidate meets all targets."""
        wanted = wanted or ("surely", "met")
        return all(self.status(arm, target) in wanted for target in range(len(self.targets)))

    @cached_property
    def misses(self) -> Any:
        """How far each candidate is from all targets: the root of the squared misses added up."""
        each = [
            [target.miss(float(value)) for value in found.value]
            for target, found in zip(self.targets, self.measured, strict=True)
        ]
        return np.sqrt(np.sum(np.square(each), axis=0))

    @cached_property
    def _slopes(self) -> Any:
        """How the miss of each candidate changes with its metrics."""
        slopes = np.zeros(self.values.shape)
        for target, here, found in zip(self.targets, self.figures, self.measured, strict=True):
            for arm, value in enumerate(found.value):
                if self.misses[arm] > 0:
                    weight = (
                        target.miss(float(value)) * target.side(float(value)) / target.step / self.misses[arm]
                    )
                    slopes[arm, here] = weight * target.measure.of(self.values[arm, here])[1]
        return slopes

    def miss_error(self, arm: int, other: int | None = None) -> float:
        """Standard error of a miss, or of the difference of two."""
        weights = np.zeros(self.values.shape)
        weights[arm] += self._slopes[arm]
        if other is not None:
            weights[other] -= self._slopes[other]
        flat = weights.reshape(-1)
        return sqrt(max(0.0, float(flat @ self.covariance.reshape(len(flat), -1) @ flat)))


class Archive:
    """The sums of all candidates that were played with one kind of luck."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self.targets = list(targets)
        self.sums: dict[Candidate, list[tuple[int, Any, Any]]] = {}

    def add(self, candidates: Sequence[Candidate], first: int, w: Any, n: Any) -> None:
        """Rows from `first` on: sums and what they are divided by, rows × candidates × metrics."""
        for arm, candidate in enumerate(candidates):
            self.sums.setdefault(candidate, []).append((first, w[:, arm], n[:, arm]))

    def rows(self, candidate: Candidate) -> int:
        """How many rows of a candidate there are, from the first on."""
        return sum(len(w) for _, w, _ in self.sums.get(candidate, []))

    def values(self, candidate: Candidate, rows: int) -> Any:
        """The metrics of a candidate over its first rows."""
        w, n = (np.concatenate([part[k] for part in self.sums[candidate]])[:rows] for k in (1, 2))
        return w.sum(axis=0) / n.sum(axis=0)

    def trace(self, candidate: Candidate) -> bytes:
        """All sums of a candidate: two that are the same row by row are the same game."""
        return b"".join(np.ascontiguousarray(w).tobytes() for _, w, _ in self.sums[candidate])

    def read(self, candidates: Iterable[Candidate]) -> Reading:
        """All that is known of some candidates."""
        chosen = list(candidates)
        frames = [
            self._frame(arm, *part) for arm, candidate in enumerate(chosen) for part in self.sums[candidate]
        ]
        found = from_sums(pl.concat(frames), ["arm", "figure"], False, "row")
        return Reading(chosen, self.targets, found)

    @staticmethod
    def _frame(arm: int, first: int, w: Any, n: Any) -> pl.DataFrame:
        rows, figures = w.shape
        row = np.repeat(np.arange(first, first + rows), figures)
        return pl.DataFrame(
            {
                "row": row, "arm": np.full(len(row), arm), "figure": np.tile(np.arange(figures), rows),
                "w": w.reshape(-1).astype(float), "n": n.reshape(-1).astype(float), "s": np.zeros(len(row)),
            }
        )  # fmt: skip
