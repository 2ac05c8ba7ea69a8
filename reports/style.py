"""How figures look: one palette that the colour-blind can tell apart, and nothing that says nothing.

Ink, lines and paper have colours of their own: on the page they follow light and dark (`html`), in files they stay.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import matplotlib
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FuncFormatter, MaxNLocator

P = ParamSpec("P")

INK, MUTED, GRID, PAPER = "#1b1f24", "#5f6b76", "#d8dde3", "#fefefe"
#: Okabe and Ito's colours, most different ones first
PALETTE = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#8f6bb3",
    "#8c6d31",
    "#808080",
    "#d1495b",
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")
DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)))
DIVERGING = "RdBu_r"  # red: the alien; blue: the humans
WIDTH = 7.6  # inches

_RC: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters everywhere
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "path",
    "text.parse_math": False,  # a strategy may be called $x$
    "lines.linewidth": 1.6,
}


def in_style(draw: Callable[P, Canvas]) -> Callable[P, Canvas]:
    """Decorator: draw with our settings, whatever those of the notebook are."""

    @wraps(draw)
    def styled(*args: P.args, **more: P.kwargs) -> Canvas:
        with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_RC}):
            return draw(*args, **more)

    return styled


class Drawing(Canvas):
    """A figure that shows itself in a notebook."""

    def _repr_png_(self) -> bytes:
        return rendered(self, "notebook", "png")


def canvas(
    rows: int = 1, columns: int = 1, height: float = 3.2, width: float = WIDTH, **more: Any
) -> tuple[Canvas, Any]:
    """A figure and its axes (always a two-dimensional array), without a window behind it."""
    figure = Drawing(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **more)


def rendered(figure: Canvas, name: str, kind: str) -> bytes:
    """The figure as SVG or PNG: the same bytes each time."""
    buffer = io.BytesIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_RC, "svg.hashsalt": name}):
        figure.savefig(buffer, format=kind, dpi=150, metadata=metadata)
    return buffer.getvalue()


def colour(place: int) -> str:
    """The colour of a series."""
    return PALETTE[place % len(PALETTE)]


def in_percent(axis: Any, ticks: int) -> None:
    """Ticks of shares as per cent, at round numbers."""
    axis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 5, 10], min_n_ticks=2))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * 100:.3g} %"))


def in_points(axis: Any, ticks: int) -> None:
    """Ticks of differences of shares as points, with their sign."""
    axis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 5, 10], min_n_ticks=2))
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: "0" if abs(value) < 1e-9 else f"{value * 100:+.3g}".replace("-", "−"))
    )
