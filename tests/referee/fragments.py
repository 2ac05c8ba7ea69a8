"""Helpers for tests on pieces of games: a table right after set-up, and lines in short form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .effects import carry_out
from .reader import Reader, RuleBroken
from .sample import sample_game
from .setup import set_up
from .table import Company, Table

Line = dict[str, Any]


def table_of(**rules: int) -> Table:
    """A table right after set-up: seats 1 and 2 (the alien) on Alpha, seat 3 on Beta."""
    table = set_up(Reader(sample_game()))
    table.rules = table.rules | rules
    table.round = 1
    return table


def run(table: Table, lines: list[Line], play: Callable[[Table], Any]) -> list[str]:
    """The violations in a fragment; lines left over are one more."""
    reader = Reader(lines)
    table.reader = reader
    try:
        play(table)
    except RuleBroken:
        return reader.verdict.violations
    if reader.peek():
        reader.verdict.violations.append(f"left over: {reader.peek()}")
    return reader.verdict.violations


def rule_of(violations: list[str]) -> str:
    """The rules the first violation names."""
    return violations[0].split(":")[0] if violations else ""


def give(table: Table, seat: int, name: str, vault: str = "public") -> Company:
    """A company holds a project; its tokens and immunities are left alone."""
    company = table.companies[seat]
    (company.public if vault == "public" else company.secret).append(table.cards.projects[name])
    table.face_up.pop(name, None)
    return company


def effect(table: Table, seat: int, **facts: Any) -> Callable[[Table], None]:
    """One effect on a company."""
    return lambda t: carry_out(t, t.companies[seat], [facts])


def pick(seat: int, name: str | None, left: str, why: str, bank: tuple[int, int] = (0, 0)) -> Line:
    """A marker."""
    facts = {"seat": seat, "project": name, "left": left, "why": why}
    return {"do": "pick", **facts, "bank_before": bank[0], "bank": bank[1]}


def scooped(seat: int, by: int, why: str, bank: tuple[int, int, int], cards: list[str]) -> Line:
    """Scooped from Alpha: bank before, added, after."""
    facts = {"added": bank[1], "bank_before": bank[0], "bank": bank[2], "discarded": cards}
    return {"do": "scooped", "seat": seat, "project": "Alpha", "by": by, "why": why, **facts}
