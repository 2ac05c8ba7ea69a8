"""From a run to a report: the chapters, their findings in order, and the method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from analysis.lab.stages import Result
from analysis.records import Records
from reports import method
from reports.chapters import alien_strength, cards, pacing, strategies, threshold_length, win_rate
from reports.lab.page import chapters as lab_chapters
from reports.model import Chapter, Finding, Report
from reports.words import counted
from sim.errors import UserError, did_you_mean, shown
from sim.folder import RunFolder
from sim.plan import GAME

CHAPTERS: tuple[Any, ...] = (win_rate, alien_strength, threshold_length, pacing, strategies, cards)
NAMES = tuple(module.ID for module in CHAPTERS)
TITLE = "Is E.T.I. fair?"


def chapters_of(game: str) -> tuple[Any, ...]:
    """The chapters of a game's reports."""
    return CHAPTERS if game == GAME else tuple(_pages(game).CHAPTERS)


def title_of(game: str) -> str:
    """The question on top of a game's reports."""
    return TITLE if game == GAME else str(_pages(game).TITLE)


def _pages(game: str) -> Any:
    """Where a further game's chapters are."""
    return import_module(f"reports.{game.replace('-', '_')}")


def build(
    folder: RunFolder,
    records: Records,
    only: Sequence[str] = (),
    target: float = 0.5,
    watch: Callable[[str], None] = lambda name: None,
    experiments: Sequence[Result] = (),
) -> Report:
    """The report of a run.

    Parameters
    ----------
    only
        Names of chapters; all if empty.
    target
        The win rate that counts as balanced: of the alien; in a cooperative game of the players.
    watch
        Told of each chapter before it is worked out.
    experiments
        Finished experiments of the lab, which get a chapter each.
    """
    game = folder.plan.game
    chosen = check_names(only, game)
    check_target(target)
    games = folder.counts()["games"]
    if not games:
        raise UserError(
            f"{folder.path}: no game is finished yet; valid: xenobalance run {folder.path} goes on"
        )
    chapters = []
    for module in chapters_of(game):
        if module.ID in chosen:
            watch(module.TITLE)
            chapters.append(module.chapter(records, target))
    chapters += lab_chapters(experiments)
    return Report(
        title=title_of(game),
        subtitle=f"A balance report from {counted(games, 'simulated game')}",
        warnings=list(method.warnings(folder)),
        chapters=chapters,
        method=method.chapter(folder),
        facts=method.facts(folder),
        commands=method.commands(folder, target, list(chosen) if only else []),
        findings=ordered(chapters),
    )


def ordered(chapters: Sequence[Chapter]) -> list[Finding]:
    """All findings, the weightiest first."""
    findings = [finding for chapter in chapters for finding in chapter.findings]
    return sorted(findings, key=lambda finding: -finding.weight)


def check_names(only: Sequence[str], game: str = GAME) -> tuple[str, ...]:
    """The chapters that are wanted, in the order of the page."""
    names = tuple(module.ID for module in chapters_of(game))
    for name in only:
        if name not in names:
            raise UserError(
                f"--only: no chapter '{name}'{did_you_mean(name, names)}; valid: {', '.join(names)}"
            )
    return tuple(name for name in names if not only or name in only)


def check_target(target: float) -> None:
    """A win rate between 0 and 1."""
    if isinstance(target, bool) or not isinstance(target, int | float) or not 0 < target < 1:
        raise UserError(
            f"--target: {shown(target)} is no win rate to aim at; valid: a number between 0 and 1, like 0.5"
        )
