"""Figures: no words over each other, none cut off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from reports.build import build
from sim.folder import RunFolder
from tests.reports.kit import play, shared
from xenobalance.results import load

#: long names of settings, and two numbers of players
GRID = (
    "--strategies",
    "cautious",
    "--players",
    "3,4",
    "--rule",
    "multiplier_standard=2,3,4,5",
    "--games",
    "250",
)


def drawn(run: Path, *only: str) -> Iterator[tuple[str, Any]]:
    """Every figure of some chapters, ready to be measured."""
    report = build(RunFolder(run), load(run), only)
    for chapter in report.chapters:
        for figure in chapter.figures:
            canvas = FigureCanvasAgg(figure.draw())
            canvas.draw()
            yield figure.id, canvas


def groups(canvas: Any) -> Iterator[list[Any]]:
    """Words that must not touch: panel titles, and the labels of each axis."""
    seen = [ax for ax in canvas.figure.axes if ax.get_visible()]
    yield [title for ax in seen for title in (ax._left_title, ax.title)]
    for ax in seen:
        for axis in (ax.xaxis, ax.yaxis):
            yield [label for label in axis.get_ticklabels() if label.get_rotation() == 0]


def boxes(words: list[Any], canvas: Any) -> list[tuple[str, Any]]:
    """Where visible words stand."""
    renderer = canvas.get_renderer()
    seen = [word for word in words if word.get_text() and word.get_visible()]
    return [(word.get_text(), word.get_window_extent(renderer)) for word in seen]


def touching(canvas: Any) -> list[tuple[str, str]]:
    """Pairs of words that stand over each other."""
    return [
        (one, other)
        for words in groups(canvas)
        for (one, here), (other, there) in combinations(boxes(words, canvas), 2)
        if here.overlaps(there)
    ]


def cut(canvas: Any) -> list[str]:
    """Titles and words of legends that run out of the figure."""
    width = canvas.figure.bbox.width
    titles = boxes([ax._left_title for ax in canvas.figure.axes if ax.get_visible()], canvas)
    words = [text for legend in canvas.figure.legends for text in legend.get_texts()]
    legends = [(word.get_text(), word.get_window_extent(canvas.get_renderer())) for word in words]
    return [text for text, box in titles + legends if box.x0 < -1 or box.x1 > width + 1]


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of multipliers at two tables."""
    return shared(tmp_path_factory, "grid", lambda folder: play(folder, *GRID))


def wrong(run: Path, *only: str) -> dict[str, Any]:
    """What is wrong with which figure."""
    found = {name: (touching(canvas), cut(canvas)) for name, canvas in drawn(run, *only)}
    assert len(found) > 1
    return {name: faults for name, faults in found.items() if any(faults)}


def test_words_of_a_study_of_lengths(big: Path) -> None:
    assert wrong(big) == {}


def test_words_of_a_study_of_rules(grid: Path) -> None:
    assert wrong(grid, "win-rate", "threshold-length", "pacing", "strategies") == {}


def test_aliens_of_a_study_of_rules(grid: Path) -> None:
    assert wrong(grid, "alien-strength") == {}
