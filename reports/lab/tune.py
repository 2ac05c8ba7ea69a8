"""Make it fair: the smallest set of changes that meets the targets, and what else there is between both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

import polars as pl

from analysis.lab.option_file import OPTION_FILE
from analysis.lab.stages import Result
from analysis.lab.targets import SEATS, STATUS_WORDS
from reports.columns import METHOD, NOTE, N
from reports.figures import Scale
from reports.lab import shapes_tune
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import NOTHING, counted

ID, TITLE = "tune", "Make it fair"
QUESTION = "Which is the smallest change that brings the game to its targets?"
MOST_TARGETS = 3  # with columns of their own
MOST_PANELS = 3
MOST_NEAR = 15  # rows of what else came near
AXIS = 72  # letters below all panels
WIDE = 26  # letters of a label in a line
STEPS = "from the targets, steps"
OFF = "steps off"
FAR = Column("size", "how far", "percent")
SHORT = {STATUS_WORDS["surely"]: "surely met", STATUS_WORDS["open"]: "just missed"}  # in a narrow column
ABOUT = (
    "Steps off: how far from the targets. A step is a point of a rate, or a hundredth of any other target, outside "
    "what is wanted; several targets: the "
    "root of the squares added up. How far from the table as it was: by how much each changed number differs, in "
    "proportion (rules that may be 0 or less: as a share of their range), added up over the changes."
)


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    shown, played = _marked(result.tables["front"]), result.tables["played"]
    parts: list[Table | Figure] = [
        _front(shown, result.facts["targets"]),
        *_figures(shown, played, result.facts["targets"]),
        _targets(result.tables["targets"]),
        *_near(played, result.facts["targets"]),
    ]
    return Chapter(ID, TITLE, QUESTION, list(_text(result)), parts, list(_findings(result, shown)))


def _text(result: Result) -> Iterator[str]:
    facts = result.facts
    values = sum(len(choices) for choices in facts["knobs"].values())
    wanted = "; ".join(f"{one['text']}: {one['band']}" for one in facts["targets"])
    most, sets = counted(result.words["most_changes"], "thing"), counted(facts["played"], "set")
    yield (
        f"Wanted: {wanted}. The search may change up to {most} out of {len(facts['knobs'])} ({values} values), and "
        f"played {sets} of changes, the promising ones with more and more games."
    )
    yield from result.verdict
    yield (
        f"The figures below are from {facts['games_each']:,} games of each candidate on luck that no decision "
        "depended on. Figures of the search flatter whatever was chosen by them."
    )
    if result.folder is not None:
        yield f"{OPTION_FILE}, in the folder of the experiment, has the table with these changes: a study to be run."


# --- the main table --------------------------------------------------------------------------------------
def _marked(front: pl.DataFrame) -> pl.DataFrame:
    """With letters for the figures."""
    marks = [chr(65 + place) for place in range(len(front))]
    return front.with_columns(mark=pl.Series(marks))


def _front(shown: pl.DataFrame, targets: list[Mapping[str, Any]]) -> Table:
    return Table(
        "tune-front",
        "How far from the table as it was, against how far from the targets",
        _in_points(shown.with_columns(pl.col("verdict").replace(SHORT)), targets),
        [
            Column("mark", ""), Column("changes", "changes"), FAR,
            Column("miss", OFF, "number1", "miss_low", "miss_high"), Column("verdict", "targets"),
            *_columns(targets), N, METHOD,
        ],
        f"{ABOUT} Only sets that no smaller one beats in the search are here.",
    )  # fmt: skip


def _columns(targets: list[Mapping[str, Any]]) -> Iterator[Column]:
    """A column for each target, if there is room."""
    for one in targets if len(targets) <= MOST_TARGETS else []:
        name = one["name"]
        kind = "number1" if one["in_points"] else "percent" if one["is_rate"] else "number2"
        yield Column(
            name, f"{one['text']}{', points' * one['in_points']}", kind, f"{name}_low", f"{name}_high"
        )


def _in_points(frame: pl.DataFrame, targets: list[Mapping[str, Any]]) -> pl.DataFrame:
    """Distances of rates in percentage points."""
    names = [f"{one['name']}{end}" for one in targets if one["in_points"] for end in ("", "_low", "_high")]
    return frame.with_columns(pl.col(names) * 100) if names else frame


# --- figures ---------------------------------------------------------------------------------------------
def _figures(shown: pl.DataFrame, played: pl.DataFrame, targets: list[Mapping[str, Any]]) -> Iterator[Figure]:
    if len(shown) > 1:
        largest, worst = shown["size"].max(), shown["miss_high"].max()
        inside = played.filter((pl.col("size") <= largest * 1.25) & (pl.col("miss") <= worst * 1.5))  # type: ignore[operator]
        yield Figure(
            "tune-pareto",
            "What each step towards the targets costs",
            "Candidates of the table above, by their letters, with 95 % intervals; the diamond is the one that was "
            "chosen. Grey: other sets of changes, as they looked in the search with few games.",
            lambda: shapes_tune.front(
                shown, inside, (Scale("how far from the table as it was", "percent"), Scale(STEPS))
            ),
        )
    labelled = shown.with_columns(
        label=pl.struct("mark", "changes").map_elements(_label, return_dtype=pl.String)
    )
    some = targets[:MOST_PANELS]
    panels = [_panel(one, AXIS // len(some)) for one in some]
    yield Figure(
        "tune-targets",
        "The targets, and what each set of changes does",
        "Figure and 95 % interval of each candidate; green: what is wanted.",
        lambda: shapes_tune.bands(_in_points(labelled, some), "label", panels),
    )


def _label(row: dict[str, Any]) -> str:
    return "\n".join(wrap(f"{row['mark']}  {row['changes']}", WIDE))


def _panel(target: Mapping[str, Any], letters: int) -> shapes_tune.Panel:
    name = target["name"]
    scale = 100 if target["in_points"] else 1
    low, high = (None if target[end] is None else target[end] * scale for end in ("low", "high"))
    is_percent = target["is_rate"] and not target["in_points"]
    label = "\n".join(wrap(f"{target['text']}{', points' * target['in_points']}", letters))
    return shapes_tune.Panel(
        (name, f"{name}_low", f"{name}_high"),
        Scale(label, "percent" if is_percent else "number"),
        (low, high),
    )


# --- more tables -----------------------------------------------------------------------------------------
def _targets(frame: pl.DataFrame) -> Table:
    told = {
        "before_text": _told("before", "before"), "after_text": _told("after", "after"),
        "difference_text": _told("difference", "", signed=True), "in_search_text": _told("in_search"),
    }  # fmt: skip
    return Table(
        "tune-each-target",
        "Each target before and after",
        frame.with_columns(**told),
        [
            Column("what", "target"), Column("wanted", "wanted"), Column("before_text", "as it was"),
            Column("after_text", "with the changes"), Column("verdict", "verdict"),
            Column("difference_text", "difference"), Column("in_search_text", "in the search"), N, METHOD, NOTE,
        ],
        "In brackets 95 % intervals; differences are paired by block. In the search: "
        "how it looked in the games by which it was chosen.",
    )  # fmt: skip


def _told(name: str, ends: str | None = None, signed: bool = False) -> pl.Expr:
    """A figure as text, with its interval if the columns of that begin with `ends`."""
    low, high = ("low", "high") if not ends else (f"{ends}_low", f"{ends}_high")
    columns = [name, "is_rate", "target", *([low, high] if ends is not None else [])]

    def told(row: dict[str, Any]) -> str:
        if row[name] is None:
            return NOTHING
        texts = [
            _number(row[column], row["is_rate"], signed) for column in (name, low, high) if column in row
        ]
        points = row["is_rate"] and (signed or row["target"] == SEATS)
        unit = " points" if points else " %" if row["is_rate"] else ""
        return f"{texts[0]}{unit}" + (f" ({texts[1]} to {texts[2]})" if len(texts) > 1 else "")

    return pl.struct(columns).map_elements(told, return_dtype=pl.String)


def _number(value: float, is_rate: bool, signed: bool) -> str:
    """Hundredths of a rate, or a number."""
    scale, digits = (100, 1) if is_rate else (1, 2)
    text = f"{value * scale:{'+' * signed}.{digits}f}"
    return text.replace("-", "−")


def _near(played: pl.DataFrame, targets: list[Mapping[str, Any]]) -> Iterator[Table]:
    others = played.filter(pl.col("count") > 0).sort("miss", "count", "size", "changes")
    if others.is_empty():
        return
    yield Table(
        "tune-near",
        "What else came near",
        _in_points(others.head(MOST_NEAR), targets),
        [
            Column("changes", "changes"), FAR, Column("miss", OFF, "number1"), *_columns(targets),
            Column("n", "games so far", "whole"), METHOD,
        ],
        f"As they looked in the search, {MOST_NEAR} at most: the nearest of {counted(len(others), 'set')} that were "
        "played look better than they are, the more so the fewer games they had. To be sure of one, compare it on "
        "another seed.",
    )  # fmt: skip


# --- findings --------------------------------------------------------------------------------------------
def _findings(result: Result, shown: pl.DataFrame) -> Iterator[Finding]:
    method = "by blocks, on fresh luck"
    each = int(result.facts["games_each"])
    for line in result.verdict:
        yield Finding(line, "tune-front", 1.0, each, method)
    if len(shown) > 1:
        yield Finding(_less(shown), "tune-pareto", 0.4, each, method)


def _less(shown: pl.DataFrame) -> str:
    """How far it was before, and how near the best smaller set comes."""
    rows = shown.to_dicts()
    base = next(row for row in rows if row["count"] == 0)
    chosen = next(row for row in rows if row["chosen"])
    text = f"As it was, the game is {_steps(base)} from the targets"
    smaller = [row for row in rows if 0 < row["size"] < chosen["size"] and row["front"]]
    if not smaller:
        return f"{text}; nothing smaller than {chosen['changes']} comes nearer."
    best = min(smaller, key=lambda row: (row["miss"], row["size"]))
    return f"{text}; {best['changes']}, which changes less than {chosen['changes']}, leaves {_steps(best)}."


def _steps(row: dict[str, Any]) -> str:
    return f"{row['miss']:.1f} steps (95 %: {row['miss_low']:.1f} to {row['miss_high']:.1f})"
