"""Training: what better parameters are worth, how they were found, and whether balance holds with them."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.lab.stages import Result
from reports import figures
from reports.columns import METHOD, NOTE
from reports.lab import levels, shapes_train
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "train", "Training"
QUESTION = "How much better can the strategy get, and what would that do to the balance?"
FOR = {**levels.ROLES, "both": "for both roles"}


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    facts, tables = result.facts, result.tables
    text = [
        f"The strategy {facts['strategy']} was trained {FOR[facts['role']]} against {', '.join(facts['field'])}. The "
        "search (CMA-ES) saw each game but once; the figures of the first table are from games that it never saw, "
        "played by the untrained and the trained one on the same luck.",
        *facts["notes"],
    ]
    parts: list[Table | Figure] = [
        *_worth(tables["worth"]), *_learning(tables["learning"]), _parameters(tables["parameters"]),
        _finalists(tables["finalists"]),
    ]  # fmt: skip
    if "levels" in tables:
        text += levels.text(facts["skill"])
        parts += levels.parts(tables["levels"], facts["skill"])
    return Chapter(ID, TITLE, QUESTION, text, parts, list(_findings(result)))


def _worth(frame: pl.DataFrame) -> Iterator[Table | Figure]:
    told = frame.with_columns(role=pl.col("role").replace_strict(levels.ROLES))
    if not figures.drawable(told, "before").is_empty():
        yield Figure(
            "train-worth",
            "Before and after",
            "How often its seats win, by role, against the field that it was trained against and against strangers; "
            "95 % intervals. The panels have scales of their own.",
            lambda: shapes_train.before_after(
                told.filter(pl.col("trained_for") == pl.col("trained_for").first()),
                "against", "role", figures.Scale("wins", "percent"), ("untrained", "trained"),
            ),
        )  # fmt: skip
    yield levels.worth(frame, "train-worth")


def _learning(frame: pl.DataFrame) -> Iterator[Table | Figure]:
    yield Figure(
        "train-learning",
        "The learning curve",
        "How much more the strategy wins in its role than the untrained one, on the same luck. The mean of the "
        "search was chosen before the games of its generation, so its gain (95 % interval) is fair; the best of a "
        "generation was chosen by them, and was lucky as well.",
        lambda: shapes_train.learning(
            frame, (figures.Scale("generation"), figures.Scale("gain, points", "points"))
        ),
    )
    yield Table(
        "train-learning",
        "Generations",
        frame,
        [
            Column("generation", "generation", "whole"), Column("gain", "gain of the mean", "points", "low", "high"),
            Column("best", "best candidate (lucky)", "points"), Column("step", "step, in scales", "number2"),
            Column("candidates", "candidates", "whole"),
        ],
    )  # fmt: skip


def _parameters(frame: pl.DataFrame) -> Table:
    texts = {
        name: pl.col(name).map_elements(lambda value: f"{value:g}", pl.String) for name in ("before", "after")
    }
    return Table(
        "train-parameters",
        "What was changed",
        frame.with_columns(**{f"{name}_text": text for name, text in texts.items()}),
        [
            Column("parameter", "parameter"), Column("before_text", "untrained"), Column("after_text", "trained"),
            Column("moved", "moved, in scales", "signed2"), Column("meaning", "meaning"),
        ],
        "Parameters that hardly matter drift: a large move need not mean much.",
    )  # fmt: skip


def _finalists(frame: pl.DataFrame) -> Table:
    return Table(
        "train-finalists",
        "The final",
        frame,
        [
            Column("candidate", "candidate"), Column("gain", "gain, points", "points", "low", "high"),
            Column("chosen", ""), METHOD, NOTE,
        ],
        "On fresh luck. The one chosen did best here and was a little lucky once more; see what it is worth above.",
    )  # fmt: skip


def _findings(result: Result) -> Iterator[Finding]:
    worth, facts = result.tables["worth"], result.facts
    n = int(worth["n"].max() or 0)  # type: ignore[arg-type]
    skill = facts["skill"]["verdict"] if "skill" in facts else []
    if skill:
        yield from levels.findings(result.tables["levels"], skill)
    lines = [line for line in result.verdict if line not in (*facts["notes"], *skill)]
    for number, line in enumerate(lines):
        yield Finding(line, "train-worth", 1.0 - number / 100, n, levels.PAIRED)
