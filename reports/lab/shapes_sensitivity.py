"""The shapes of a sensitivity study: paired bars with intervals (tornado, shares of variance), and Morris's plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure as Canvas
from matplotlib.patheffects import withStroke

from reports import style
from reports.figures import Scale

ROW = 0.36  # inches for the two bars of a factor
LANE = 0.2  # of a row: how far both bars are from its middle
LABELLED = 12  # points of the plane with a name
NAMELESS = 0.02  # of the largest effect: dots in the corner would only hide each other's names
LETTER, LINE = 4.3, 9.0  # points: about how wide a letter is, how high a line
HIGHER = (4, -4 - LINE, 14, -14 - LINE, 24, -24 - LINE, 36, 48, 60)  # points that a name may be above its dot


@dataclass(frozen=True)
class Bars:
    """One of the two bars of each row: its name, the columns of its value and interval, of a text at its end."""

    name: str
    value: str
    low: str
    high: str
    text: str = ""


@style.in_style
def pairs(frame: pl.DataFrame, label: str, bars: Sequence[Bars], scale: Scale) -> Canvas:
    """Two bars a row, from zero, each with its interval; rows in the order of the frame."""
    labels = frame[label].to_list()
    figure, axes = style.canvas(1, 1, max(1.9, 1.0 + ROW * len(labels)))
    ax = axes[0, 0]
    room = _room(frame, bars)
    for number, bar in enumerate(bars):
        y = np.arange(len(labels)) + (2 * number - 1) * LANE
        value, low, high = (frame[name].to_numpy() for name in (bar.value, bar.low, bar.high))
        ax.barh(y, value, height=2 * LANE * 0.9, color=style.colour(number), label=bar.name, linewidth=0)
        ends = np.maximum(0.0, [value - low, high - value])
        ax.errorbar(value, y, xerr=ends, fmt="none", ecolor=style.INK, elinewidth=1.1, zorder=3)
        if bar.text:
            _write_ends(ax, y, np.where(value < 0, low, high), value < 0, frame[bar.text].to_list())
    ax.axvline(0, color=style.MUTED, linewidth=1)
    ax.set_yticks(range(len(labels)), [str(one) for one in labels])
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_xlim(*room)
    ax.grid(axis="y", visible=False)
    scale.apply(ax.xaxis)
    figure.legend(loc="outside upper left", ncols=2, fontsize=8.5)
    return figure


def _room(frame: pl.DataFrame, bars: Sequence[Bars]) -> tuple[float, float]:
    """From the lowest to the highest end, with room for the texts."""
    low = min(0.0, *(float(np.min(frame[bar.low].to_numpy())) for bar in bars))
    high = max(0.0, *(float(np.max(frame[bar.high].to_numpy())) for bar in bars))
    wide = (high - low) or 1.0
    longest = max((len(text) for bar in bars if bar.text for text in frame[bar.text].to_list()), default=0)
    edge = wide * (0.03 + 0.014 * longest)
    return low - edge * (low < 0), high + edge


def _write_ends(ax: Any, y: Any, x: Any, left: Any, texts: list[str]) -> None:
    for at, row, to_left, text in zip(x, y, left, texts, strict=True):
        ax.annotate(
            text, (at, row), xytext=(-4 if to_left else 4, 0), textcoords="offset points", va="center",
            ha="right" if to_left else "left", fontsize=7.5, color=style.MUTED,
        )  # fmt: skip


@style.in_style
def plane(frame: pl.DataFrame, yardstick: str, scales: tuple[Scale, Scale]) -> Canvas:
    """Morris's plane: how large effects are, and how much they differ. Filled: kept; the largest have their names.

    `frame` has factor, mu_star with its ends, sigma and kept, the largest first; `yardstick` is the factor that does
    nothing, drawn as a cross.
    """
    figure, axes = style.canvas(1, 1, 4.1)
    ax = axes[0, 0]
    crosses, dots = (frame.filter((pl.col("factor") == yardstick) == is_it) for is_it in (True, False))
    _dots(ax, dots.filter(~pl.col("kept")), style.colour(8), style.PAPER, "left out")
    _dots(ax, dots.filter(pl.col("kept")), style.colour(0), style.colour(0), "goes on to the second stage")
    for spot in crosses.select("mu_star", "sigma").rows():
        ax.plot(*([at] for at in spot), "X", color=style.colour(1), markersize=8, zorder=7, clip_on=False,
                label=yardstick)  # fmt: skip
    wide, high = (float(np.max(frame[name].to_numpy(), initial=1e-9)) for name in ("mu_star_high", "sigma"))
    ax.plot(
        [0, max(wide, high)], [0, max(wide, high)], color=style.MUTED, linewidth=1, linestyle="--", zorder=1
    )
    for scale, axis, end in zip(scales, ("x", "y"), (wide, max(high, wide / 8)), strict=True):
        getattr(ax, f"set_{axis}scale")("function", functions=(_root, np.square))
        getattr(ax, f"set_{axis}lim")(0, end * 1.1)
        scale.apply(getattr(ax, f"{axis}axis"), 8)
    figure.legend(loc="outside upper left", ncols=3, fontsize=8.5)
    figure.draw_without_rendering()  # now the axes are where they will be
    _name_points(ax, dots.head(LABELLED).filter(pl.col("mu_star") > NAMELESS * pl.col("mu_star").max()))
    return figure


def _dots(ax: Any, part: pl.DataFrame, colour: str, inside: str, label: str) -> None:
    if part.is_empty():
        return
    x, y, low, high = (part[name].to_numpy() for name in ("mu_star", "sigma", "mu_star_low", "mu_star_high"))
    ax.errorbar(
        x, y, xerr=np.maximum(0.0, [x - low, high - x]), fmt="o", color=colour, markersize=5, elinewidth=0.9,
        alpha=0.9, zorder=3, markerfacecolor=inside, label=label,
    )  # fmt: skip


def _root(values: Any) -> Any:
    """The scale of the plane: small effects would all lie in a corner otherwise."""
    return np.sqrt(np.maximum(values, 0.0))


def _name_points(ax: Any, frame: pl.DataFrame) -> None:
    """Names beside the points, at the first of some places that is free."""
    points = 72 / ax.figure.dpi  # a pixel
    spots = frame.select("mu_star", "sigma").to_numpy()
    here = ax.transData.transform(spots) * points
    area = ax.get_window_extent()
    left, bottom, right = area.x0 * points, area.y0 * points, area.x1 * points
    taken: list[tuple[float, ...]] = [(x - 4, y - 4, x + 4, y + 4) for x, y in here]
    for name, spot, (x, y) in zip(frame["factor"].to_list(), spots, here, strict=True):
        wide = LETTER * len(name)
        boxes = [(dx, dy, _box(x, y, (dx, dy), wide)) for dy in HIGHER for dx in (6, -6 - wide, -wide / 2)]
        inside = [
            one for one in boxes if one[2][0] > left + 2 and one[2][1] > bottom and one[2][2] < right + 8
        ]
        free = [one for one in inside if not _hits(one[2], taken)]
        dx, dy, box = (free or inside or boxes)[0]
        taken.append(box)
        ax.annotate(
            name, spot, xytext=(dx, dy), textcoords="offset points", fontsize=7.5, color=style.INK, zorder=6,
            path_effects=[withStroke(linewidth=2, foreground=style.PAPER)],
            arrowprops={"arrowstyle": "-", "color": style.MUTED, "linewidth": 0.6} if abs(dy) > 20 else None,
        )  # fmt: skip


def _box(x: float, y: float, shift: tuple[float, float], wide: float) -> tuple[float, float, float, float]:
    left, bottom = x + shift[0], y + shift[1]
    return left, bottom, left + wide, bottom + LINE


def _hits(box: tuple[float, ...], others: list[tuple[float, ...]]) -> bool:
    return any(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
        for other in others
    )
