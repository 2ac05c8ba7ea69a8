"""What a set of changes will do, guessed from what its parts did.

Effects of single choices are added up; rates on the log-odds scale, where effects add up best. Where pairs of choices
of two knobs have been played, what they do together beyond that is put down to one number for the two knobs: it grows
with both changes. That is a quadratic model without the squares, which the single effects have already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from analysis.lab.candidates import BASE, Archive, Candidate, Choice
from analysis.lab.targets import Target

LEAST = 1e-4  # a rate on the log-odds scale is never taken for less, nor for more than 1 - this
SHRINK = 0.05  # in squares of places: one pair of small changes says little about large ones


class Surrogate:
    """A model of the metrics of the targets."""

    def __init__(self, targets: Sequence[Target], archive: Archive) -> None:
        self.targets, self.archive = list(targets), archive
        self.is_rate = np.array(
            [target.measure.is_rate for target in targets for _ in target.measure.figures]
        )
        self.base = self._scaled(archive.values(BASE, archive.rows(BASE)))
        self.effects: dict[Choice, Any] = {}
        self.together: dict[tuple[int, int], Any] = {}

    def learn_singles(self, candidates: Iterable[Candidate]) -> None:
        """The effect of each choice, against the base on the same luck."""
        for candidate in candidates:
            rows = self.archive.rows(candidate)
            difference = self._at(candidate, rows) - self._at(BASE, rows)
            self.effects[candidate.choices[0]] = difference

    def adds_something(self, candidate: Candidate) -> bool:
        """Whether each of its choices is known to change anything, alone or together with another of them."""
        return all(
            bool(np.any(self.effects[one]))
            or any(np.any(self.together.get(_both(one, other), 0.0)) for other in candidate.choices)
            for one in candidate.choices
        )

    def learn_pairs(self, candidates: Iterable[Candidate], rows: int) -> None:
        """How pairs of knobs change each other's effect."""
        over: dict[tuple[int, int], Any] = {}
        under: dict[tuple[int, int], float] = {}
        for candidate in candidates:
            one, other = candidate.choices
            alone = sum(self._at(Candidate((choice,)), rows) for choice in (one, other))
            beyond = self._at(candidate, rows) + self._at(BASE, rows) - alone
            knobs, x = (one.knob, other.knob), one.place * other.place
            over[knobs] = over.get(knobs, 0.0) + x * beyond
            under[knobs] = under.get(knobs, SHRINK) + x * x
        self.together = {knobs: over[knobs] / under[knobs] for knobs in over}

    def misses(self, candidates: Sequence[Candidate]) -> tuple[Any, Any]:
        """For each candidate how far from the targets it should come, and how far from the middle of their bands."""
        values = self._unscaled(np.array([self._guess(candidate) for candidate in candidates]))
        miss, off = np.zeros(len(candidates)), np.zeros(len(candidates))
        start = 0
        for target in self.targets:
            end = start + len(target.measure.figures)
            measured = [target.measure.of(row[start:end])[0] for row in values]
            miss += np.square([target.miss(value) for value in measured])
            off += np.square([target.off_centre(value) for value in measured])
            start = end
        return np.sqrt(miss), np.sqrt(off)

    def _guess(self, candidate: Candidate) -> Any:
        guess = self.base + sum(self.effects[choice] for choice in candidate.choices)
        for k, one in enumerate(candidate.choices):
            for other in candidate.choices[k + 1 :]:
                guess = guess + self.together.get((one.knob, other.knob), 0.0) * one.place * other.place
        return guess

    def _at(self, candidate: Candidate, rows: int) -> Any:
        return self._scaled(self.archive.values(candidate, rows))

    def _scaled(self, values: Any) -> Any:
        rates = np.clip(values, LEAST, 1 - LEAST)
        return np.where(self.is_rate, np.log(rates / (1 - rates)), values)

    def _unscaled(self, values: Any) -> Any:
        with np.errstate(over="ignore"):
            return np.where(self.is_rate, 1 / (1 + np.exp(-values)), values)


def _both(one: Choice, other: Choice) -> tuple[int, int]:
    """Two knobs, in order."""
    return min(one.knob, other.knob), max(one.knob, other.knob)
