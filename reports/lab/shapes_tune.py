"""The shapes of tune: small changes against near targets, and what each candidate does beside what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure as Canvas
from matplotlib.patheffects import withStroke

from reports import style
from reports.figures import ROW_HEIGHT, Scale

BAND = 0.16  # how dark the ground of what is wanted is
FEW_ROWS = 3  # below, a figure would be flatter than its axes


@dataclass(frozen=True)
class Panel:
    """One target: the columns of its figure and interval, its axis, and the band that is wanted."""

    columns: tuple[str, str, str]
    scale: Scale
    band: tuple[float | None, float | None]


@style.in_style
def front(shown: pl.DataFrame, played: pl.DataFrame, scales: tuple[Scale, Scale]) -> Canvas:
    """Size against miss: all that was played as grey dots, the candidates of the report with marks and intervals.

    Both frames have size and miss; `shown` also mark, miss_low, miss_high, front and chosen.
    """
    figure, axes = style.canvas(1, 1, 3.6)
    ax = axes[0, 0]
    ax.scatter(played["size"], played["miss"], s=9, color=style.GRID, zorder=1, label="played in the search")
    line = shown.filter(pl.col("front")).sort("size")
    ax.plot(
        line["size"], line["miss"], color=style.colour(0), linewidth=1.2, drawstyle="steps-post", zorder=2
    )
    ax.axhline(0, color=style.colour(2), linewidth=1, linestyle="--", zorder=1)
    ax.annotate(
        "all targets met", (1, 0), xycoords=("axes fraction", "data"), xytext=(-4, 3), ha="right", fontsize=8,
        textcoords="offset points", color=style.colour(2),
    )  # fmt: skip
    for row in shown.to_dicts():
        _candidate(ax, row)
    ax.set_ylim(bottom=min(0.0, -0.03 * float(shown["miss_high"].max() or 1)))  # type: ignore[arg-type]
    ax.margins(x=0.05)
    for scale, axis in zip(scales, (ax.xaxis, ax.yaxis), strict=True):
        scale.apply(axis)
    return figure


def _candidate(ax: Any, row: dict[str, Any]) -> None:
    """A dot with its interval and its mark; the chosen one is a filled diamond of another colour."""
    colour = style.colour(1) if row["chosen"] else style.colour(0)
    ends = [[max(0.0, row["miss"] - row["miss_low"])], [max(0.0, row["miss_high"] - row["miss"])]]
    ax.errorbar(
        [row["size"]], [row["miss"]], yerr=ends, fmt="D" if row["chosen"] else "o", color=colour,
        markersize=6.5 if row["chosen"] else 5, elinewidth=1.6, zorder=4 if row["chosen"] else 3,
    )  # fmt: skip
    ax.annotate(
        row["mark"], (row["size"], row["miss"]), xytext=(6, 4), textcoords="offset points", fontsize=8.5,
        fontweight="bold", color=colour, path_effects=[withStroke(linewidth=2.5, foreground=style.PAPER)], zorder=5,
    )  # fmt: skip


@style.in_style
def bands(frame: pl.DataFrame, label: str, panels: Sequence[Panel]) -> Canvas:
    """A row for each candidate, a panel for each target: figure, interval, and the band that is wanted."""
    labels = frame[label].to_list()
    lines = sum(1 + text.count("\n") for text in labels)
    height = 0.9 + ROW_HEIGHT * max(FEW_ROWS, lines) * 1.15
    figure, axes = style.canvas(1, len(panels), height, sharey=True)
    rows = np.arange(len(labels))
    for ax, panel in zip(axes.flat, panels, strict=True):
        _panel(ax, frame, panel, rows)
    axes[0, 0].set_yticks(rows, labels)
    axes[0, 0].set_ylim(len(labels) - 0.5, -0.5)
    return figure


def _panel(ax: Any, frame: pl.DataFrame, panel: Panel, rows: Any) -> None:
    value, low, high = (frame[name].to_numpy() for name in panel.columns)
    for chosen in (False, True):
        here = frame["chosen"].to_numpy() == chosen
        ends = np.maximum(0.0, [(value - low)[here], (high - value)[here]])
        ax.errorbar(
            value[here], rows[here], xerr=ends, fmt="D" if chosen else "o", color=style.colour(int(chosen)),
            markersize=5.5 if chosen else 4.5, elinewidth=1.6, zorder=3,
        )  # fmt: skip
    ax.margins(x=0.1)
    _shade(ax, panel.band, (float(np.min(low)), float(np.max(high))))
    ax.grid(axis="y", visible=False)
    panel.scale.apply(ax.xaxis, 5)


def _shade(ax: Any, band: tuple[float | None, float | None], data: tuple[float, float]) -> None:
    """What is wanted; an open end reaches to the edge of the panel."""
    ends = [end for end in band if end is not None]
    least, most = min(data[0], *ends), max(data[1], *ends)
    room = 0.08 * (most - least) or 0.01
    ax.set_xlim(least - room, most + room)
    low, high = (edge if end is None else end for end, edge in zip(band, ax.get_xlim(), strict=True))
    ax.axvspan(low, high, color=style.colour(2), alpha=BAND, linewidth=0, zorder=0)
    for end in ends:
        ax.axvline(end, color=style.colour(2), linewidth=1, linestyle="--", zorder=1)
