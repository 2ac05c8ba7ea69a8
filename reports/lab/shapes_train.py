"""The shapes of training: before and after, the learning curve, and several ways of playing side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.figure import Figure as Canvas

from reports import style
from reports.figures import ROW_HEIGHT, Scale, drawable

BAND = 0.14  # how dark the ground of an interval is
APART = 0.22  # rows: between the dots of a row


@style.in_style
def before_after(frame: pl.DataFrame, label: str, panel: str, scale: Scale, names: tuple[str, str]) -> Canvas:
    """A row with two dots, before and after, each with its interval, and an arrow from one to the other.

    `frame` has before, before_low, before_high, and the same for after; panels have scales of their own.
    """
    rows = drawable(frame, "before")
    panels = rows[panel].unique(maintain_order=True).to_list()
    labels = rows[label].unique(maintain_order=True).to_list()
    figure, axes = style.canvas(1, len(panels), 1.25 + 2 * ROW_HEIGHT * len(labels), sharey=True)
    for ax, title in zip(axes.flat, panels, strict=True):
        part = rows.filter(pl.col(panel) == title)
        for row in part.to_dicts():
            y = labels.index(row[label])
            ax.annotate(
                "", (row["after"], y + APART / 2), (row["before"], y - APART / 2),
                arrowprops={"arrowstyle": "->", "color": style.MUTED, "shrinkA": 5, "shrinkB": 5},
            )  # fmt: skip
        for number, value in enumerate(("before", "after")):
            at = [labels.index(one) + (number - 0.5) * APART for one in part[label].to_list()]
            _dots(ax, part, value, at, number, names[number])
        ax.set_title(str(title))
        scale.apply(ax.xaxis, 4)
        ax.margins(x=0.1)
    _rows(axes[0, 0], labels)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2, fontsize=8.5)
    return figure


def _dots(ax: Any, part: pl.DataFrame, value: str, y: Sequence[float], number: int, name: str) -> None:
    """A series: dots with intervals, in a colour and marker of their own."""
    x, low, high = (part[f"{value}{end}"].to_numpy() for end in ("", "_low", "_high"))
    ax.errorbar(
        x, y, xerr=[x - low, high - x], fmt=style.MARKERS[number], color=style.colour(number), markersize=5,
        elinewidth=1.6, label=name, zorder=3,
    )  # fmt: skip


def _rows(ax: Any, labels: Sequence[str]) -> None:
    """Names of rows, from top to bottom."""
    ax.set_yticks(range(len(labels)), [str(one) for one in labels])
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.grid(axis="y", visible=False)


@style.in_style
def learning(frame: pl.DataFrame, scales: tuple[Scale, Scale]) -> Canvas:
    """The gain of each generation's mean, with its interval as a band, and the best candidate as a small cross."""
    figure, axes = style.canvas(1, 1, 3.2)
    ax = axes[0, 0]
    x, gain, low, high, best = (
        frame[name].to_numpy() for name in ("generation", "gain", "low", "high", "best")
    )
    ax.axhline(0, color=style.MUTED, linewidth=1, linestyle="--", zorder=1)
    ax.plot(
        x,
        best,
        linestyle="none",
        marker="x",
        markersize=4,
        color=style.colour(1),
        label="best candidate (lucky)",
    )
    ax.fill_between(x, low, high, color=style.colour(0), alpha=BAND, linewidth=0)
    ax.plot(x, gain, color=style.colour(0), marker="o", markersize=3, label="mean of the search (fair)")
    for scale, axis in zip(scales, (ax.xaxis, ax.yaxis), strict=True):
        scale.apply(axis)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.margins(x=0.02)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=2, fontsize=8.5)
    return figure


@style.in_style
def by_level(frame: pl.DataFrame, label: str, series: str, scale: Scale, band: tuple[float, float]) -> Canvas:
    """For each label a dot and an interval for each series, below each other; the band is what is aimed at."""
    rows = drawable(frame, "rate").rename({"low": "rate_low", "high": "rate_high"})
    labels = rows[label].unique(maintain_order=True).to_list()
    names = rows[series].unique(maintain_order=True).to_list()
    figure, axes = style.canvas(1, 1, 1.2 + 0.5 * len(labels))
    ax = axes[0, 0]
    ax.axvspan(*band, color=style.colour(2), alpha=BAND, linewidth=0, zorder=0)
    for number, name in enumerate(names):
        part = rows.filter(pl.col(series) == name)
        y = [labels.index(one) + (number - (len(names) - 1) / 2) * APART for one in part[label].to_list()]
        _dots(ax, part, "rate", y, number, str(name))
    scale.apply(ax.xaxis)
    _rows(ax, labels)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=len(names), fontsize=8.5)
    return figure
