"""The sums of an experiment: a row for each block (or some of them) and a column for each arm, and what they say.

All arms met the same luck, row by row. So whatever is asked of them is an `Estimates` over arms, whose differences
are paired (`analysis.blocks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import Contrast, Estimates, contrast_of, least_variance
from analysis.lab.metrics import GAME, NUMBER, RATE, SIXTIETHS, Metric, Metrics, metrics_of
from analysis.sequential import least_error
from sim.folder import RunFolder, shard_path
from sim.records import SUMS

__all__ = [
    "METRICS", "NUMBER", "RATE", "SIXTIETHS", "Metric", "Metrics", "Paired", "Sums", "estimate_rows", "find_metric",
    "metrics_of", "seat_metric", "strategy_metric",
]  # fmt: skip
#: the metrics of the game that is meant when nothing is said
METRICS = metrics_of().by_name
MOST_KEPT = 12  # columns in memory: the others are read again


def seat_metric(kind: str, number: int, game: str = GAME) -> Metric:
    """How often a seat wins: `seat` by its number from 1, and what else the game has."""
    return metrics_of(game).seat(kind, number)


def strategy_metric(kind: str, name: str, game: str = GAME) -> Metric:
    """The share of points of a strategy's seats: in all (`strategy`), or in a role that the game has."""
    return metrics_of(game).strategy(kind, name)


def find_metric(text: str, strategies: Sequence[str] = (), players: int = 0, game: str = GAME) -> Metric:
    """The metric of a name: see `analysis.lab.metrics`."""
    return metrics_of(game).find(text, strategies, players)


class Sums:
    """The sums of one stage, or of several with the same arms: `labels` names the arms, `cells` what they are."""

    def __init__(
        self,
        parts: Sequence[pl.LazyFrame],
        cells: Sequence[dict[str, Any]],
        labels: Sequence[str],
        game: str = GAME,
    ) -> None:
        self.game = game
        self._parts, self.cells, self.labels = list(parts), list(cells), list(labels)
        self._known: dict[str, Any] = {}
        self.names = self._parts[0].collect_schema().names()

    @classmethod
    def of(cls, folder: RunFolder, labels: Sequence[str] = ()) -> Sums:
        """Those of a finished run that kept sums."""
        files = [shard_path(folder.path, SUMS, *key) for key in sorted(folder.receipts())]
        cells = folder.manifest["cells"]
        return cls(
            [pl.scan_parquet(files)], cells, labels or [str(cell["cell"]) for cell in cells], folder.plan.game
        )

    def __add__(self, other: Sums) -> Sums:
        """More blocks of the same arms."""
        if self.labels != other.labels:
            raise ValueError("other arms")
        return Sums([*self._parts, *other._parts], self.cells, self.labels, self.game)

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.labels)

    @property
    def rows(self) -> int:
        """How many rows each arm has."""
        return int(self.column("games").shape[0])

    @property
    def games(self) -> int:
        """Games of an arm."""
        return int(self.column("games")[:, 0].sum())

    @property
    def players(self) -> int:
        """Players of an arm."""
        return int(self.cells[0]["players"])

    @property
    def strategies(self) -> list[str]:
        """Every strategy that plays in some arm."""
        return self.metrics.strategies(self.names)

    def column(self, name: str) -> Any:
        """A column as whole numbers: a row for each row of the sums, a column for each arm."""
        return self.columns([name])[0]

    def columns(self, names: Sequence[str]) -> list[Any]:
        """Several columns, read together."""
        missing = [name for name in dict.fromkeys(names) if name not in self._known]
        while len(self._known) + len(missing) > MOST_KEPT and self._known:
            name = next(iter(self._known))
            if name in names:
                break
            del self._known[name]
        if missing:
            frames = [
                part.select("cell", *(n for n in missing if n != "cell")).collect() for part in self._parts
            ]
            for name in missing:
                self._known[name] = np.concatenate([self._by_arm(frame, name) for frame in frames])
        return [self._known[name] for name in names]

    def _by_arm(self, frame: pl.DataFrame, name: str) -> Any:
        """Shards come cell by cell, and in each cell row by row."""
        return frame[name].to_numpy().astype(np.int64).reshape(self.arms, -1).T

    def metric(self, name: str | Metric) -> Metric:
        """A metric by its name, for the strategies and seats of this experiment."""
        return name if isinstance(name, Metric) else self.metrics.find(name, self.strategies, self.players)

    @property
    def metrics(self) -> Metrics:
        """What may be asked."""
        return metrics_of(self.game)

    def ratio(self, name: str | Metric) -> tuple[Any, Any]:
        """What a metric divides, row by row and arm by arm."""
        metric = self.metric(name)
        self.columns([*metric.tops, *metric.bottoms])
        top = sum(self.column(one) for one in metric.tops) / metric.scale
        return top, sum(self.column(one) for one in metric.bottoms).astype(float)

    def means(self, name: str | Metric) -> Any:
        """The metric of each arm, without intervals: quick, for very many arms."""
        top, bottom = self.ratio(name)
        total = bottom.sum(axis=0)
        return np.divide(top.sum(axis=0), total, out=np.full(self.arms, np.nan), where=total > 0)

    def estimate(self, name: str | Metric) -> Paired:
        """The metric of each arm, with how arms vary together."""
        return estimate_rows(*self.ratio(name), self.metric(name).is_rate, self.labels, self._changes())

    def _changes(self) -> list[str]:
        """What was changed in each arm."""
        return [str(cell.get("changes", number)) for number, cell in enumerate(self.cells)]


class Paired(Estimates):
    """Estimates of arms that met the same luck.

    Where hardly a block came out differently, the variance says too little: a difference of rates is never taken for
    surer than if two more blocks had differed. Two arms with the same changes are the same.
    """

    changes: Sequence[str] = ()

    def difference(self, one: int, other: int) -> Contrast:
        """How much more the first arm has than the second, paired by block."""
        found = super().difference(one, other)
        if found.blocks and self.changes and self.changes[one] == self.changes[other]:
            return contrast_of(0.0, 0.0, found.blocks)
        if not self.is_rate or not found.blocks:
            return found
        step = found.blocks / max(1.0, float(min(self.n[one], self.n[other])))
        return contrast_of(found.value, max(found.error, least_error(found.blocks, step)), found.blocks)


def estimate_rows(
    top: Any, bottom: Any, is_rate: bool, labels: Sequence[str], changes: Sequence[str] = ()
) -> Paired:
    """As `analysis.blocks.from_sums`, from arrays with a row for each block and a column for each arm.

    An arm in which nothing could be counted (a strategy that does not play there) has no blocks, and the value 0.
    """
    counted = bottom > 0
    blocks = counted.sum(axis=0)
    total = np.maximum(bottom.sum(axis=0), 1e-300)
    value = np.where(blocks > 0, top.sum(axis=0) / total, 0.0)
    residual = np.where(counted, (top - value * bottom) / total, 0.0)
    few = np.sqrt(blocks / np.maximum(blocks - 1, 1))
    covariance = residual.T @ residual * np.outer(few, few)
    if is_rate:
        always = np.flatnonzero(((value <= 0) | (value >= 1)) & (blocks > 0))
        covariance[always, always] = least_variance(value[always], blocks[always])
    single = (bottom.max(axis=0, initial=0) <= 1) & ((top == 0) | (top == 1)).all(axis=0)
    groups = pl.DataFrame({"arm": list(labels)}, {"arm": pl.String})
    found = Paired(groups, value, bottom.sum(axis=0), blocks, covariance, is_rate, single)
    found.changes = changes
    return found
