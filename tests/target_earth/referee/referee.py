"""The referee: replays a trace from its first line to its last."""

from __future__ import annotations

from typing import Any

from .air import draw_ufos, intercept_all, scramble
from .diplomacy import diplomacy_step
from .ending import end_turn
from .missions import resolve_missions, return_home, send_armies
from .opening import begin_turn, collect_income, pay_research, produce
from .reader import Reader, RuleBroken, Verdict
from .setup import set_up
from .table import Table


def judge(lines: list[dict[str, Any]]) -> Verdict:
    """Judge a whole game, given its trace, one dict a line.

    Returns
    -------
    A Verdict; `violations` is empty when every line is as the rules have it. A trace that is no
    trace gives a violation that starts with 'trace:', never an exception.

    >>> judge([]).violations
    ["trace: after the last line: expected 'game', found 'nothing'"]
    """
    reader = Reader(lines)
    try:
        if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
            reader.stop("trace", "a trace is a list of objects", "line 1")
        table = set_up(reader)
        while not play_turn(table):
            pass
    except RuleBroken:
        pass
    except Exception as error:  # whatever a mangled trace leads to is the trace's fault
        what = f"cannot be read ({type(error).__name__}: {error})"
        reader.verdict.violations.append(f"trace: {reader.where()}: {what}")
    reader.verdict.lines = reader.at
    return reader.verdict


def play_turn(table: Table) -> bool:
    """The nine steps of a turn. Is the game over?"""
    begin_turn(table)
    collect_income(table)
    pay_research(table)
    produce(table)
    diplomacy_step(table)
    draw_ufos(table)
    scramble(table)
    intercept_all(table)
    send_armies(table)
    resolve_missions(table)
    return_home(table)
    return end_turn(table)
