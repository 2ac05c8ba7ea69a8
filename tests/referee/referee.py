"""The referee: replays a trace from its first line to its last."""

from __future__ import annotations

from typing import Any

from .invasion import invade
from .reader import Reader, RuleBroken, Verdict
from .reveal import start_round
from .rounds import play_round
from .setup import set_up


def judge(lines: list[dict[str, Any]], best_swaps: bool = True, best_losses: bool = True) -> Verdict:
    """Judge a whole game.

    Parameters
    ----------
    lines : the trace, one dict a line (docs/trace.md).
    best_swaps : a standard submission must have the best total within reach. False where a strategy
        makes its own swaps; the total must be right for the order in any case.
    best_losses : a survivor must have kept the most fame possible (A-INV-11).

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
        table.best_swaps, table.best_losses = best_swaps, best_losses
        while not (reasons := start_round(table)):
            play_round(table)
        invade(table, reasons)
    except RuleBroken:
        pass
    except Exception as error:  # whatever a mangled trace leads to is the trace's fault
        what = f"cannot be read ({type(error).__name__}: {error})"
        reader.verdict.violations.append(f"trace: {reader.where()}: {what}")
    reader.verdict.lines = reader.at
    return reader.verdict
