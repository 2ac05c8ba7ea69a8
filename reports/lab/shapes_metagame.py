"""The shape of a metagame: strategies in a circle, with an arrow from each to the best answer to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

import polars as pl
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyArrowPatch

from reports import style

SMALLEST, LARGEST = 60.0, 1_500.0  # of a dot, in square points
ENDS = ("start", "end")
ROOM = 1.5  # from the middle to the edge, in radii


@style.in_style
def answers(nodes: pl.DataFrame, arrows: pl.DataFrame) -> Canvas:
    """Dots in a circle, as large as their share, and arrows `start` -> `end`.

    `nodes` has name and share, `arrows` start, end and the text beside the arrow; who points at itself gets a ring.
    """
    figure, axes = style.canvas(1, 1, 4.6)
    ax = axes[0, 0]
    names = nodes["name"].to_list()
    place = {name: (cos(_angle(k, len(names))), sin(_angle(k, len(names)))) for k, name in enumerate(names)}
    sizes = [SMALLEST + (LARGEST - SMALLEST) * share for share in nodes["share"].to_list()]
    rings = [row["start"] for row in arrows.to_dicts() if row["start"] == row["end"]]
    for name, size in zip(names, sizes, strict=True):
        _dot(ax, place[name], name, size, name in rings)
    radius = {name: (size / pi) ** 0.5 for name, size in zip(names, sizes, strict=True)}
    for row in arrows.to_dicts():
        if row["start"] != row["end"]:
            ends, gaps = [place[row[end]] for end in ENDS], [radius[row[end]] for end in ENDS]
            _arrow(ax, ends, gaps, str(row["text"]))
    ax.set_xlim(-ROOM * 1.5, ROOM * 1.5)
    ax.set_ylim(-ROOM * 0.88, ROOM * 0.88)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return figure


def _angle(k: int, count: int) -> float:
    """Clockwise from the top."""
    return pi / 2 - 2 * pi * k / count


def _dot(ax: Any, at: tuple[float, float], name: str, size: float, ring: bool) -> None:
    ax.scatter(*at, s=size, color=style.colour(0), zorder=3)
    if ring:
        ax.scatter(
            *at, s=size * 1.25 + 90, facecolors="none", edgecolors=style.colour(1), linewidths=1.6, zorder=2
        )
    side = "center" if abs(at[0]) < 0.2 else "left" if at[0] > 0 else "right"
    ax.annotate(
        name, at, xytext=_outwards(at, size), textcoords="offset points", ha=side, va="center", fontsize=9
    )


def _outwards(at: Sequence[float], size: float) -> tuple[float, float]:
    """How far from the middle of a dot its name stands."""
    away = (size / pi) ** 0.5 + 11
    return at[0] * away, at[1] * away


def _arrow(ax: Any, ends: Sequence[tuple[float, float]], gaps: Sequence[float], text: str) -> None:
    """A bent arrow, so that two that go there and back can be told apart; its text is nearer to where it starts."""
    ax.add_patch(
        FancyArrowPatch(
            *ends, connectionstyle="arc3,rad=0.14", arrowstyle="-|>", mutation_scale=12, shrinkA=gaps[0] + 3,
            shrinkB=gaps[1] + 5, color=style.MUTED, linewidth=1.1, zorder=1,
        )
    )  # fmt: skip
    x, y = ((7 * a + 3 * b) / 10 for a, b in zip(*ends, strict=True))
    ax.text(x, y, text, fontsize=7.5, color=style.INK, ha="center", va="center", zorder=4,
            bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.8, "alpha": 0.85})  # fmt: skip
