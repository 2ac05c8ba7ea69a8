"""The shape of a sweep: a curve with its intervals, what it is as things are, and the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl
from matplotlib.figure import Figure as Canvas

from reports import style
from reports.figures import MOST_TICKS, Scale

BAND = 0.14  # how dark the ground of an interval is


@dataclass(frozen=True)
class Marks:
    """What is drawn behind a curve: the figure as things are, with its place if it is one of the values; a band."""

    base: float
    at: float | None = None
    target: tuple[float, float] | None = None  # from .. to


@style.in_style
def curve(frame: pl.DataFrame, x: str, scales: tuple[Scale, Scale], marks: Marks) -> Canvas:
    """A dot and an interval at each value, a band between them, and the marks. `frame` has value, low and high."""
    rows = frame.filter(pl.col("value").is_not_null()).sort(x)
    figure, axes = style.canvas(1, 1, 3.1)
    ax = axes[0, 0]
    at, value, low, high = (rows[name].to_numpy() for name in (x, "value", "low", "high"))
    ax.fill_between(at, low, high, color=style.colour(0), alpha=BAND, linewidth=0)
    ends = [(value - low).clip(0), (high - value).clip(0)]
    ax.errorbar(
        at, value, yerr=ends, color=style.colour(0), marker="o", markersize=4.5, elinewidth=1.4, zorder=3
    )
    _mark(ax, marks)
    for scale, axis in zip(scales, (ax.xaxis, ax.yaxis), strict=True):
        scale.apply(axis)
    if len(at) <= MOST_TICKS:
        ax.set_xticks(at, [f"{one:g}".replace("-", "−") for one in at])
    return figure


def _mark(ax: Any, marks: Marks) -> None:
    if marks.target:
        low, high = marks.target
        ax.axhspan(low, high, color=style.colour(2), alpha=BAND, linewidth=0, zorder=0)
        for end in sorted({low, high}):
            ax.axhline(end, color=style.colour(2), linewidth=1, linestyle=":", zorder=1)
        _note(ax, "target", high, "left", style.colour(2))
    ax.axhline(marks.base, color=style.MUTED, linewidth=1, linestyle="--", zorder=1)
    _note(ax, "as it is", marks.base, "right", style.MUTED)
    if marks.at is not None:
        ax.plot([marks.at], [marks.base], marker="D", markersize=6.5, color=style.PAPER,
                markeredgecolor=style.colour(1), markeredgewidth=1.5, zorder=4)  # fmt: skip


def _note(ax: Any, text: str, height: float, side: str, colour: str) -> None:
    """A word on a line, at one of its ends."""
    place, away = (0.0, 3) if side == "left" else (1.0, -3)
    ax.annotate(text, (place, height), xycoords=("axes fraction", "data"), xytext=(away, 2), ha=side, va="bottom",
                textcoords="offset points", fontsize=8, color=colour)  # fmt: skip
