"""The shapes that figures are drawn in: dots with intervals, heat maps, lines, steps, stacked bars.

They know nothing of the game: chapters hand them frames and say what is what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure as Canvas
from matplotlib.patheffects import withStroke

from reports import style

DARK_TEXT, LIGHT_TEXT = "#111111", "#ffffff"  # on coloured ground: the same by day and by night
HEAT_LETTERS = 84  # of names below columns that fit beside each other
LEGEND_LETTERS = 96  # that fit beside each other
MOST_TICKS = 9  # with as many values on an axis each has its tick
ROW_HEIGHT = 0.27  # inches a row of a dot plot


@dataclass(frozen=True)
class Scale:
    """An axis of figures: its label, and whether it counts shares, points or plain numbers."""

    label: str
    kind: str = "number"  # "percent", "points"

    def apply(self, axis: Any, ticks: int = 6) -> None:
        """Label and ticks, not more than `ticks`."""
        axis.set_label_text(self.label)
        if self.kind == "percent":
            style.in_percent(axis, ticks)
        elif self.kind == "points":
            style.in_points(axis, ticks)


def drawable(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """The rows that have a figure."""
    return frame.filter(pl.col(column).is_not_null())


def _panels(
    rows: pl.DataFrame, panel: str | None, name: str, axes: Any
) -> Iterator[tuple[int, Any, pl.DataFrame]]:
    """Each panel's place, axes and rows, with its title on it; axes that are left over disappear."""
    values = rows[panel].unique(maintain_order=True).to_list() if panel else [None]
    for place, ax in enumerate(axes.flat):
        if place >= len(values):
            ax.set_visible(False)
        elif panel is None:
            yield place, ax, rows
        else:
            ax.set_title(f"{values[place]} {name}".strip())
            yield place, ax, rows.filter(pl.col(panel) == values[place])


@style.in_style
def dots(
    frame: pl.DataFrame,
    label: str,
    value: tuple[str, str, str],
    scale: Scale,
    reference: float | None = None,
    panel: str | None = None,
    expected: str | None = None,
    shared: bool = True,
    text: Callable[[float], str] | None = None,
) -> Canvas:
    """Rows with a dot and an interval each, in panels side by side if wanted.

    `value` names the columns of the figure and both ends of its interval; `expected` one to mark with a tick; `text`
    writes the figure above its dot; `shared`: all panels have the same scale.
    """
    name, low, high = value
    rows = drawable(frame, name)
    panels = rows[panel].unique(maintain_order=True).to_list() if panel else [None]
    labels = rows[label].unique(maintain_order=True).to_list()
    height = max(1.9, 1.0 + ROW_HEIGHT * (1.25 if text else 1) * len(labels))
    figure, axes = style.canvas(1, len(panels), height, sharey=True, sharex=shared)
    for _, ax, part in _panels(rows, panel, "", axes):
        y = [labels.index(one) for one in part[label].to_list()]
        x = part[name].to_numpy()
        ends = np.abs(np.vstack([x - part[low].to_numpy(), part[high].to_numpy() - x]))
        if reference is not None:
            ax.axvline(reference, color=style.MUTED, linewidth=1, linestyle="--")
        if expected:
            ax.scatter(part[expected].to_numpy(), y, marker="|", s=90, color=style.MUTED, zorder=2)
        ax.errorbar(x, y, xerr=ends, fmt="o", color=style.colour(0), markersize=4.5, elinewidth=1.6, zorder=3)
        if text:
            for at, row in zip(x, y, strict=True):
                ax.annotate(
                    text(at), (at, row), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=7.5,
                    path_effects=[withStroke(linewidth=2.5, foreground=style.PAPER)],
                )  # fmt: skip
        ax.grid(axis="y", visible=False)
        scale.apply(ax.xaxis, 6 if len(panels) < 3 else 3)
        ax.margins(x=0.08)
    axes[0, 0].set_yticks(range(len(labels)), [str(one) for one in labels])
    axes[0, 0].set_ylim(len(labels) - 0.4, -0.6)
    return figure


@style.in_style
def heat(
    frame: pl.DataFrame,
    row: str,
    column: str,
    value: str,
    text: Callable[[dict[str, Any]], str],
    panel: str | None = None,
    panel_name: str = "",
    middle: float = 0.5,
    widest: float = 0.05,
    labels: tuple[str, str] = ("", ""),
) -> Canvas:
    """A heat map, one for each value of `panel`, with the text of each row in its cell.

    White is `middle`; the colours reach as far as the furthest figure, and at least `widest`. `labels` name rows and
    columns.
    """
    import seaborn as sns  # here: it takes as long to load as all the rest

    rows = frame[row].unique(maintain_order=True).to_list()
    columns = frame[column].unique(maintain_order=True).to_list()
    panels = frame[panel].unique(maintain_order=True).to_list() if panel else [None]
    across = min(len(panels), 2 if len(columns) > 2 else 4)
    down = -(-len(panels) // across)
    figure, axes = style.canvas(down, across, 0.7 + down * (0.5 + 0.42 * len(rows)), sharex=True, sharey=True)
    away = np.abs(frame[value].cast(pl.Float64).drop_nulls().to_numpy() - middle)
    widest = float(np.max(away, initial=widest))
    for _, ax, part in _panels(frame, panel, panel_name, axes):
        grid, notes = (
            np.full((len(rows), len(columns)), np.nan),
            np.full((len(rows), len(columns)), "", object),
        )
        for cell in part.to_dicts():
            spot = rows.index(cell[row]), columns.index(cell[column])
            grid[spot], notes[spot] = cell[value] if cell[value] is not None else np.nan, text(cell)
        sns.heatmap(
            grid, ax=ax, cmap=style.DIVERGING, center=middle, vmin=middle - widest, vmax=middle + widest, cbar=False,
            linewidths=1.5, linecolor=style.PAPER, annot=False, xticklabels=columns, yticklabels=rows,
        )  # fmt: skip
        _write_in_cells(ax, grid, notes, middle, widest)
        ax.tick_params(length=0, rotation=0)
        ax.grid(visible=False)
    if max(len(str(name)) for name in columns) * len(columns) * across > HEAT_LETTERS:
        for ax in axes[-1]:
            ax.tick_params(axis="x", rotation=40)
            for tick in ax.get_xticklabels():
                tick.set_ha("right")
    if any(labels):
        figure.supylabel(labels[0], fontsize=9)
        figure.supxlabel(labels[1], fontsize=9)
    return figure


def _write_in_cells(ax: Any, grid: Any, notes: Any, middle: float, widest: float) -> None:
    for (y, x), note in np.ndenumerate(notes):
        far = abs(grid[y, x] - middle) / widest if not np.isnan(grid[y, x]) else 0
        ink = LIGHT_TEXT if far > 0.72 else DARK_TEXT
        if np.isnan(grid[y, x]):
            ink = style.MUTED
        ax.text(x + 0.5, y + 0.5, note, ha="center", va="center", fontsize=7.5, color=ink, linespacing=1.15)


@style.in_style
def lines(
    frame: pl.DataFrame,
    x: str,
    value: tuple[str, str, str],
    series: str,
    scales: tuple[Scale, Scale],
    panel: str | None = None,
    panel_name: str = "",
    reference: float | None = None,
    shared: bool = True,
    across: int = 0,
) -> Canvas:
    """Lines with intervals, a colour, marker and dash for each series; panels side by side if wanted."""
    name, low, high = value
    rows = drawable(frame, name)
    panels = rows[panel].unique(maintain_order=True).to_list() if panel else [None]
    names = rows[series].unique(maintain_order=True).to_list()
    across = across or min(len(panels), 4)
    down = -(-len(panels) // across)
    figure, axes = style.canvas(down, across, 0.6 + 2.5 * down, sharey=shared, sharex=shared)
    for place, ax, part in _panels(rows, panel, panel_name, axes):
        for number, one in enumerate(names):
            mine = part.filter(pl.col(series) == one).sort(x)
            if mine.is_empty():
                continue
            xs, ys = mine[x].to_numpy(), mine[name].to_numpy()
            ends = np.abs(np.vstack([ys - mine[low].to_numpy(), mine[high].to_numpy() - ys]))
            ax.errorbar(
                xs, ys, yerr=ends, color=style.colour(number), marker=style.MARKERS[number % 10], markersize=4,
                linestyle=style.DASHES[number % 7], elinewidth=1, label=str(one),
            )  # fmt: skip
        if reference is not None:
            ax.axhline(reference, color=style.MUTED, linewidth=1, linestyle="--", zorder=0)
        scales[0].apply(ax.xaxis)
        if place % across == 0 or not shared:
            scales[1].apply(ax.yaxis)
        if rows[x].n_unique() <= MOST_TICKS:
            ax.set_xticks(sorted(set((part if not shared else rows)[x].to_list())))
    if shared:
        for place, ax in enumerate(axes.flat):
            if place + across < len(panels):  # another one below
                ax.set_xlabel("")
            else:
                ax.tick_params(labelbottom=True)
    _legend(figure, axes, len(names))
    return figure


@style.in_style
def curves(
    frame: pl.DataFrame,
    x: str,
    y: str,
    series: str,
    scales: tuple[Scale, Scale],
    panel: str | None = None,
    panel_name: str = "",
    step: bool = True,
    mark: float | None = None,
    mark_name: str = "",
) -> Canvas:
    """Curves without intervals (whole distributions): steps, or smooth lines."""
    panels = frame[panel].unique(maintain_order=True).to_list() if panel else [None]
    names = frame[series].unique(maintain_order=True).to_list()
    across = min(len(panels), 2)
    down = -(-len(panels) // across)
    figure, axes = style.canvas(
        down, across, 0.7 + (2.3 if down > 1 else 2.9) * down, sharey=True, sharex=True
    )
    for place, ax, part in _panels(frame, panel, panel_name, axes):
        for number, one in enumerate(names):
            mine = part.filter(pl.col(series) == one).sort(x)
            ax.plot(
                mine[x].to_numpy(), mine[y].to_numpy(), color=style.colour(number), label=str(one),
                linestyle=style.DASHES[number % 7], drawstyle="steps-post" if step else "default",
            )  # fmt: skip
        if mark is not None:
            ax.axvline(mark, color=style.MUTED, linewidth=1, linestyle="--", zorder=0)
            if mark_name and place == 0:
                ax.annotate(mark_name, (mark, 1), xycoords=("data", "axes fraction"), xytext=(4, -2), va="top",
                            textcoords="offset points", fontsize=8, color=style.MUTED)  # fmt: skip
        if place + across >= len(panels):  # nothing below
            scales[0].apply(ax.xaxis)
            ax.tick_params(labelbottom=True)
        if place % across == 0:
            scales[1].apply(ax.yaxis)
        ax.margins(x=0.01)
    _legend(figure, axes, len(names))
    return figure


@style.in_style
def stacked(
    frame: pl.DataFrame,
    label: str,
    parts: Sequence[tuple[str, str]],
    scale: Scale,
    text: Callable[[float], str],
    panel: str | None = None,
    panel_name: str = "",
) -> Canvas:
    """Horizontal bars made of parts (column, name), each with its figure where there is room."""
    panels = frame[panel].unique(maintain_order=True).to_list() if panel else [None]
    labels = frame[label].unique(maintain_order=True).to_list()
    figure, axes = style.canvas(len(panels), 1, 0.9 + len(panels) * (0.45 + 0.3 * len(labels)), sharex=True)
    total = sum(frame[column].fill_null(0).clip(0).to_numpy() for column, _ in parts)
    room = float(np.max(total, initial=1e-9)) * 0.055
    for _, ax, part in _panels(frame, panel, panel_name, axes):
        y = np.array([labels.index(one) for one in part[label].to_list()])
        right, left = np.zeros(len(part)), np.zeros(len(part))
        for number, (column, name) in enumerate(parts):
            size = part[column].fill_null(0).to_numpy()
            start = np.where(size >= 0, right, left)
            ax.barh(y, size, left=start, height=0.72, color=style.colour(number), label=name,
                    edgecolor=style.PAPER, linewidth=0.8)  # fmt: skip
            for spot, x, length in zip(y, start, size, strict=True):
                if length > room:
                    ax.text(x + length / 2, spot, text(length), ha="center", va="center", fontsize=7.5,
                            color=_on(style.colour(number)))  # fmt: skip
            right, left = right + np.maximum(size, 0), left + np.minimum(size, 0)
        ax.set_yticks(range(len(labels)), [str(one) for one in labels])
        ax.set_ylim(len(labels) - 0.5, -0.5)
        ax.grid(axis="y", visible=False)
    scale.apply(axes[-1, 0].xaxis)
    _legend(figure, axes, len(parts))
    return figure


def _on(ground: str) -> str:
    """Dark or light letters, whichever are easier to read there."""
    red, green, blue = (int(ground[k : k + 2], 16) for k in (1, 3, 5))
    return DARK_TEXT if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else LIGHT_TEXT


def _legend(figure: Canvas, axes: Any, series: int) -> None:
    """One legend for all panels, above them; none for a single series."""
    if series < 2:
        return
    handles: dict[str, Any] = {}
    for ax in axes.flat:
        for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(name, handle)
    room = LEGEND_LETTERS // (max(len(str(name)) for name in handles) + 6)
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside upper left",
        ncols=max(1, min(len(handles), room)),
        fontsize=8.5,
    )


def smoothed(frame: pl.DataFrame, x: str, share: str, by: str, width: int) -> pl.DataFrame:
    """Shares in steps of `width`, so that a distribution over round numbers is a line and not a comb."""
    stepped = frame.with_columns(((pl.col(x) / width).floor() * width).cast(pl.Int64).alias(x))
    summed = stepped.group_by(by, x, maintain_order=True).agg(pl.col(share).sum())
    parts = []
    for (which,), part in summed.group_by(by, maintain_order=True):
        known = dict(zip(part[x].to_list(), part[share].to_list(), strict=True))
        grid = list(range(min(known) - width, max(known) + 2 * width, width))
        parts.append(
            pl.DataFrame({by: [which] * len(grid), x: grid, share: [known.get(at, 0.0) for at in grid]})
        )
    return pl.concat(parts)
