"""The page of an experiment, and its chapter in the balance report of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import polars as pl

from analysis.lab.stages import Result, stage_folders
from reports import method
from reports.model import Chapter, Column, Figure, Finding, Report, Table
from reports.words import counted

KINDS = ("compare", "sweep", "knockout", "sensitivity", "tune", "train", "metagame", "luck", "restrict", "levels")
MOST_ARMS = 40  # in the table of what was played

STATISTICS = (
    "Every figure is from complete games; no game was left out. The variants of an experiment (its arms) met the "
    "same luck, block by block: the same roles, cards, events and dice, as far as their games go alike. So "
    "differences are paired by block, and their 95 % intervals (Student's) come from how differences of blocks vary.",
    "Where a table compares many things at once, p-values are corrected with Holm's method over all its rows. "
    "Intervals are not corrected; they are 95 % each.",
)


def chapter_of(result: Result) -> Chapter:
    """The chapter of an experiment."""
    chapter: Chapter = import_module(f"reports.lab.{result.kind}").chapter(result)
    return chapter


def chapters(results: Sequence[Result]) -> list[Chapter]:
    """The chapters of several experiments; those of one kind get names of their own."""
    found: list[Chapter] = []
    for result in results:
        before = sum(other.kind == result.kind for other in results[: len(found)])
        chapter = chapter_of(result)
        found.append(_renamed(chapter, f"-{before + 1}") if before else chapter)
    return found


def _renamed(chapter: Chapter, ending: str) -> Chapter:
    """The same chapter with other ids."""
    parts: list[Table | Figure] = [replace(part, id=part.id + ending) for part in chapter.parts]
    findings = [replace(finding, evidence=finding.evidence + ending) for finding in chapter.findings]
    return replace(chapter, id=chapter.id + ending, parts=parts, findings=findings)


def lab_report(result: Result, commands: Sequence[str]) -> Report:
    """The report of one experiment; `commands` make it again."""
    chapter = chapter_of(result)
    findings = list(chapter.findings) or [_verdict(line, chapter, result) for line in result.verdict]
    return Report(
        title=chapter.title,
        subtitle=f"{result.title}, from {counted(result.games, 'simulated game')}",
        warnings=[*result.warnings, *_warnings(result)],
        chapters=[chapter],
        method=_method(result),
        facts=_facts(result),
        commands=list(commands),
        findings=sorted(findings, key=lambda finding: -finding.weight),
    )


def _verdict(text: str, chapter: Chapter, result: Result) -> Finding:
    evidence = chapter.parts[0].id if chapter.parts else chapter.id
    return Finding(text, evidence, 0.0, result.games, "see the chapter")


def _folders(result: Result) -> list[Any]:
    return stage_folders(result.folder) if result.folder is not None else []


def _warnings(result: Result) -> list[str]:
    folders = _folders(result)
    return [*method.assumed_warning(folders[0])] if folders else []


def _method(result: Result) -> Chapter:
    folders = _folders(result)
    parts = [_stages(folders), method.assumed(folders[0])] if folders else []
    question = "What was played, how it was counted, and what to be careful about."
    return Chapter(method.ID, method.TITLE, question, STATISTICS, parts)


def _stages(folders: Sequence[Any]) -> Table:
    """Every stage with its arms."""
    rows = [
        {"stage": folder.path.name, "arms": len(folder.manifest["cells"]), "games": folder.counts()["games"],
         "seed": folder.plan.seed, "first": folder.plan.skip}
        for folder in folders
    ]  # fmt: skip
    columns = [
        Column("stage", "stage"), Column("arms", "arms", "whole"), Column("games", "games", "whole"),
        Column("seed", "seed"), Column("first", "first block", "whole"),
    ]  # fmt: skip
    frame = pl.DataFrame(rows).with_columns(pl.col("seed").cast(pl.String))
    return Table(
        "stages", "What was played", frame, columns, "An arm is one variant on the blocks of the stage."
    )


def _facts(result: Result) -> list[tuple[str, str]]:
    words = {key: value for key, value in result.words.items() if key != "base" and value is not None}
    table = result.words.get("base", {})
    facts = [(name.replace("_", " "), _told(value)) for name, value in {**table, **words}.items()]
    folders = _folders(result)
    if folders:
        manifest = folders[0].manifest
        versions = ", ".join(f"{name} {number}" for name, number in manifest["versions"].items())
        facts += [
            ("begun", manifest.get("created", "")),
            ("versions", versions),
            ("rules' sources", manifest["code"]),
        ]
    return facts


def _told(value: Any) -> str:
    """A word's value in a line."""
    if isinstance(value, dict):
        if "strategy" in value or "cards" in value:
            return str(value.get("strategy", value.get("cards")))
        return ", ".join(f"{key} = {_told(one)}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        texts = [_told(one) if one != [] else "base" for one in value]
        more = f" and {len(texts) - MOST_ARMS} more" if len(texts) > MOST_ARMS else ""
        return ("; " if any(isinstance(one, list) for one in value) else ", ").join(texts[:MOST_ARMS]) + more
    return (
        f"{value:,}"
        if isinstance(value, int) and not isinstance(value, bool) and value > 9_999
        else str(value)
    )
