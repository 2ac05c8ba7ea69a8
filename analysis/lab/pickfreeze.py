"""How much of an outcome's variance each input has, by pick and freeze (Sobol' indices).

The outcome is a function of independent inputs: kinds of luck, strategies. Every block is played several times: once
as it is (A); once with all inputs drawn anew (B); and for each input once with only that one drawn anew, the same new
draw as in B. From these come, as shares of the outcome's variance,

- the **first-order** index: what the input decides on its own, averaged over all others;
- the **total** index: what changes when only this input is drawn anew, on its own and together with others;
- for two inputs, what hangs on **both** of them together (and perhaps on more).

First-order: mean of f(B) f(AB) less c f(A) f(B), all centred. The second product is 0 on average, since A and B are
independent; c is chosen so that it takes as much noise away as it can (with c = 1 it is Saltelli's estimator).
Total: mean of (f(A) - f(AB))² / 2, Jansen's. Both: mean of (f(A) - f(AB_i)) (f(A) - f(AB_j)), which is T_i + T_j
less the total of the pair. Intervals come from the blocks, as everywhere (`analysis.blocks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW, Contrast, Estimates, contrast_of
from analysis.comparisons import with_holm
from analysis.intervals import wilson

FIRST, TOTAL = "first", "total"
AND = " × "
BY_BLOCKS = "pick-freeze by blocks"
TINY = 1e-12  # a variance: none
NONE_CHANGED = "Wilson, none of the blocks changed"

Numbers = Any  # arrays of floats


@dataclass(frozen=True)
class Share:
    """A share of the variance with its 95 % interval, both kept within 0 and 1."""

    value: float
    low: float
    high: float
    method: str = BY_BLOCKS


class Decomposition:
    """First-order and total indices of inputs (or of groups of inputs), and how they vary together.

    `variance` is the outcome's, `mean` its mean.
    """

    def __init__(self, a: Numbers, b: Numbers, mixed: Mapping[str, Numbers]) -> None:
        """See `decompose`."""
        self.inputs = tuple(mixed)
        self.blocks = len(a)
        middle = (a.mean(axis=0) + b.mean(axis=0)) / 2
        self.mean = float(middle.mean())
        self._a, self._b = a - middle, b - middle
        self._mixed = {name: values - middle for name, values in mixed.items()}
        self._size = ((self._a**2 + self._b**2) / 2).mean(axis=1)
        self.variance = float(self._size.mean())
        columns = [self._first(name) for name in mixed] + [self._total(name) for name in mixed]
        groups = pl.DataFrame(
            {"index": [FIRST] * len(mixed) + [TOTAL] * len(mixed), "input": [*mixed, *mixed]}
        )
        self.estimates = ratios(groups, columns, self._size)

    def _first(self, name: str) -> Numbers:
        """Per block: what the two games that share only this input have in common."""
        product = (self._b * self._mixed[name]).mean(axis=1)
        return _without_noise(product, (self._a * self._b).mean(axis=1))

    def _total(self, name: str) -> Numbers:
        """Per block: how far apart the two games are that share all but this input."""
        return ((self._a - self._mixed[name]) ** 2 / 2).mean(axis=1)

    def _both(self, one: str, other: str) -> Numbers:
        """Per block: what hangs on two inputs together."""
        return ((self._a - self._mixed[one]) * (self._a - self._mixed[other])).mean(axis=1)

    # --- answers ---
    def first(self, name: str) -> Share:
        """What the input decides on its own."""
        place = self.inputs.index(name)
        if not self.changed(name).any():
            return Share(0.0, 0.0, self.total(name).high, NONE_CHANGED)
        return self._share(place)

    def total(self, name: str) -> Share:
        """What hangs on the input, on its own and together with others."""
        if not self.changed(name).any():
            largest = float(((self._a - self._b) ** 2 / 2).mean(axis=1).max(initial=0.0))
            high = wilson(0.0, float(self.blocks))[1] * largest / max(self.variance, 1e-300)
            return Share(0.0, 0.0, min(1.0, high), NONE_CHANGED)
        return self._share(len(self.inputs) + self.inputs.index(name))

    def _share(self, place: int) -> Share:
        low, high = self.estimates.interval(place)
        value, low, high = (min(1.0, max(0.0, x)) for x in (float(self.estimates.value[place]), low, high))
        return Share(value, low, high)

    def more(self, name: str) -> Contrast:
        """Total less first-order: what the input decides only together with others."""
        return self.weighted({(TOTAL, name): 1.0, (FIRST, name): -1.0})

    def weighted(self, weights: Mapping[tuple[str, str], float], from_value: float = 0.0) -> Contrast:
        """A weighted sum of indices: `{("total", "deal"): 1, ("first", "deal"): -1}`."""
        row = np.zeros(2 * len(self.inputs))
        for (kind, name), weight in weights.items():
            row[self.inputs.index(name) + len(self.inputs) * (kind == TOTAL)] += weight
        return self.estimates.contrast(row, from_value)

    def changed(self, name: str) -> Any:
        """By block: whether the outcome is another when only this input is drawn anew."""
        return np.any(self._a != self._mixed[name], axis=1)

    def changes(self, name: str) -> Share:
        """How often the outcome is another when only this input is drawn anew."""
        found = self.changed(name)
        return Share(float(found.mean()), *wilson(float(found.sum()), float(self.blocks)), "Wilson")

    def table(self) -> pl.DataFrame:
        """One row an input: first-order and total index with intervals, and how often the outcome changes."""
        rows = []
        for name in self.inputs:
            few = self.blocks < FEW
            row: dict[str, Any] = {"input": name}
            for key, share in (
                (FIRST, self.first(name)),
                (TOTAL, self.total(name)),
                ("changes", self.changes(name)),
            ):
                shown = (None, None, None) if few else (share.value, share.low, share.high)
                row |= dict(zip((key, f"{key}_low", f"{key}_high"), shown, strict=True))
            method = self.total(name).method
            rows.append(row | {"n": self.blocks, "method": method, "note": TOO_FEW if few else ""})
        return pl.DataFrame(rows, infer_schema_length=None)

    def pairs(self, names: tuple[str, ...]) -> pl.DataFrame:
        """Of each two of these inputs: the share of the variance that hangs on both, with Holm's correction."""
        chosen = list(combinations(names, 2))
        groups = pl.DataFrame(chosen, ["one", "other"], orient="row")
        found = ratios(groups, [self._both(*pair) for pair in chosen], self._size)
        rows = []
        for place, (one, other) in enumerate(chosen):
            contrast = found.contrast(np.eye(len(chosen))[place])
            shown = (
                (None,) * 4
                if self.blocks < FEW
                else (contrast.value, contrast.low, contrast.high, contrast.p)
            )
            rows.append((one, other, *shown, self.blocks, BY_BLOCKS, TOO_FEW if self.blocks < FEW else ""))
        kinds: dict[str, Any] = {
            "one": pl.String, "other": pl.String, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64,
            "p": pl.Float64, "n": pl.Int64, "method": pl.String, "note": pl.String,
        }  # fmt: skip
        return with_holm(pl.DataFrame(rows, kinds, orient="row"))


def decompose(a: Numbers, b: Numbers, mixed: Mapping[str, Numbers]) -> Decomposition:
    """The variance of an outcome, split by inputs.

    Parameters
    ----------
    a, b
        The outcome of each block as it is, and with all inputs drawn anew. An outcome with several parts (the point
        of each seat) has a column for each; their variances are added up.
    mixed
        For each input (or group of them): the outcome with this one drawn anew, as in `b`, and the others as in `a`.

    Example
    -------
    >>> draw = np.random.default_rng(2).integers
    >>> x, y, new_x, new_y = (draw(0, 2, 5000).astype(float) for _ in range(4))
    >>> coins = decompose(x + 3 * y, new_x + 3 * new_y, {"x": new_x + 3 * y, "y": x + 3 * new_y})
    >>> round(coins.first("x").value, 2), round(coins.total("y").value, 2)
    (0.1, 0.92)
    """
    return Decomposition(_columns(a), _columns(b), {name: _columns(values) for name, values in mixed.items()})


class Factorial:
    """All mixes of a few groups of inputs: the variance split into parts that add up to 1.

    A set of groups is a mask: bit k is group k. The **closed** index of a set is what its groups decide together,
    averaged over all others. The **part** of a set is what they decide together and no fewer of them do. The
    **share** of a group is its own part, and an even share of the parts it has with others (Shapley's value).

    Of the arms with mask v and v ^ w, which share all but the groups in w, there are many pairs; all are used.
    """

    def __init__(self, groups: Sequence[str], arms: Sequence[Numbers]) -> None:
        """`arms[mask]`: the outcome with the groups of the mask drawn anew; see `decompose` for its columns."""
        self.groups, self.everything = tuple(groups), (1 << len(groups)) - 1
        found = [_columns(arm) for arm in arms]
        middle = sum(arm.mean(axis=0) for arm in found) / len(found)
        self._arms = [arm - middle for arm in found]
        self.blocks, self.mean = len(found[0]), float(middle.mean())
        size = self._shared(self.everything)
        self.variance = float(size.mean())
        nothing = self._shared(0)
        closed = [_without_noise(self._shared(mask), nothing) for mask in range(1, self.everything)]
        names = pl.DataFrame({"groups": [self.name(mask) for mask in range(1, self.everything)]})
        self.estimates = ratios(names, closed, size)

    def name(self, mask: int) -> str:
        """The groups of a set in words."""
        return AND.join(name for k, name in enumerate(self.groups) if mask >> k & 1)

    def _shared(self, mask: int) -> Numbers:
        """Per block: the mean product of two arms that share exactly these groups."""
        other = self.everything ^ mask
        products = [
            (arm * self._arms[v ^ other]).mean(axis=1) for v, arm in enumerate(self._arms) if v <= v ^ other
        ]
        return np.mean(products, axis=0)

    def closed(self, mask: int) -> Contrast:
        """What the groups of a set decide, each alone and together."""
        return self.weighted({mask: 1.0})

    def part(self, mask: int) -> Contrast:
        """What takes all the groups of a set together."""
        return self.weighted(_part_weights(mask))

    def share(self, group: str) -> Contrast:
        """Its own part, and an even share of those it has with others."""
        weights: dict[int, float] = {}
        for mask in range(1, self.everything + 1):
            if mask >> self.groups.index(group) & 1:
                for sub, weight in _part_weights(mask).items():
                    weights[sub] = weights.get(sub, 0.0) + weight / mask.bit_count()
        return self.weighted(weights)

    def weighted(self, weights: Mapping[int, float]) -> Contrast:
        """A weighted sum of closed indices; that of all groups is 1, that of none is 0."""
        row = np.array([weights.get(mask, 0.0) for mask in range(1, self.everything)])
        return self.estimates.contrast(row, -weights.get(self.everything, 0.0))


@dataclass(frozen=True)
class Sample:
    """How an input that is one of several options went: for each block and option the wins, and the tries."""

    wins: Numbers
    tries: Numbers

    def rates(self, chances: Numbers) -> tuple[Numbers, Numbers]:
        """The rate of each option less the average, and per block what it owes to that block."""
        total = np.maximum(self.tries.sum(axis=0), 1e-300)
        rate = self.wins.sum(axis=0) / total
        owed = (self.wins - rate * self.tries) / total
        return rate - rate @ chances, owed - (owed @ chances)[:, None]


def between(samples: Sequence[tuple[Sample, Sample]]) -> Contrast:
    """The first-order index of an input that is one of a few options: how far apart their win rates are.

    The two samples of each pair are independent (two arms that share nothing): the product of an option's distance
    from the average in one and in the other is, on average, the square of its true distance, without the noise.
    """
    everything = [one for pair in samples for one in pair]
    tries = sum(one.tries.sum(axis=0) for one in everything)
    mean = sum(float(one.wins.sum()) for one in everything) / tries.sum()
    chances, value, owed, noise = tries / tries.sum(), 0.0, 0.0, 0.0
    for old, new in samples:
        (a, owed_a), (b, owed_b) = old.rates(chances), new.rates(chances)
        value += float((a * b) @ chances)
        owed = owed + (owed_a * b + owed_b * a) @ chances
        noise += float(((owed_a**2).sum(axis=0) * (owed_b**2).sum(axis=0)) @ chances**2)
    blocks, size = len(samples[0][0].tries), max(mean * (1 - mean), 1e-300) * len(samples)
    error = np.sqrt(float(np.sum(np.square(owed))) * blocks / max(blocks - 1, 1) + noise)
    return contrast_of(value / size, float(error) / size, blocks)


def _part_weights(mask: int) -> dict[int, float]:
    """Closed indices of all subsets, with alternating signs."""
    return {sub: (-1.0) ** (mask ^ sub).bit_count() for sub in range(1, mask + 1) if sub & mask == sub}


def _without_noise(product: Numbers, nothing: Numbers) -> Numbers:
    """Take off as much of what is 0 on average as makes the least variance."""
    spread = float(nothing.var())
    weight = float(np.mean((product - product.mean()) * nothing)) / spread if spread else 0.0
    return product - weight * nothing


def ratios(groups: pl.DataFrame, columns: Sequence[Numbers], size: Numbers) -> Estimates:
    """Means over blocks, divided by the variance (the mean of `size`), which is estimated from the same blocks."""
    blocks, variance = len(size), float(size.mean())
    top = np.stack(columns, axis=1) if len(columns) else np.zeros((blocks, 0))
    if variance < TINY:  # the outcome never varies: there is nothing to share
        top, variance = top * 0.0, 1.0
    value = top.mean(axis=0) / variance
    residual = (top - value * size[:, None]) / (variance * np.sqrt(blocks * max(blocks - 1, 1)))
    n = np.full(len(value), blocks)
    return Estimates(groups, value, n, n, residual.T @ residual, False, np.zeros(len(value), bool))


def _columns(values: Numbers) -> Numbers:
    """One row a block."""
    values = np.asarray(values, float)
    return values[:, None] if values.ndim == 1 else values
