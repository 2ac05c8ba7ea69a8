"""The strategies of E.T.I.: where they live, and what they are compiled to (`sim.strategy` says how)."""

from __future__ import annotations

from functools import cache
from typing import Any

from sim.games.eti.asking import QUESTIONS
from sim.games.eti.engine import DECIDE_SIGNATURE
from sim.games.eti.state import MAX_PARAMS
from sim.registry import STRATEGIES
from sim.strategy import Param, Strategy, Workshop, jit, load_file

__all__ = [
    "CORE", "WORKSHOP", "Param", "Strategy", "compile_decide", "core_decide", "functions_of", "jit", "load_file",
    "load_strategy", "make_strategy",
]  # fmt: skip

CORE = "strategies.eti.core"


def _does_not_compile(strategy: Strategy, error: Exception) -> str:
    """The compiler's complaint about a user's strategy in one line."""
    from sim.games.eti.strategy_check import advice, complaint_place, core_message

    where = complaint_place(error, [f.__code__.co_filename for f in strategy.functions.values()])
    return f"{where}strategy {strategy.name} does not compile: {core_message(error)}; {advice(error)}"


WORKSHOP = Workshop(
    __name__, CORE, STRATEGIES["eti"], QUESTIONS, DECIDE_SIGNATURE, MAX_PARAMS, _does_not_compile
)
make_strategy = WORKSHOP.make
compile_decide = WORKSHOP.compile_decide
functions_of = WORKSHOP.functions


@cache
def load_strategy(spec: str) -> Strategy:
    """A strategy by name (`cautious`) or from a file (`path/to/mine.py:Mine`, or `mine.py` for the module).

    With things it may not do: `cautious~switching+scooping` (see `restrain`).
    """
    from sim.games.eti.restrain import split_bans, without  # here: it imports this module

    base, bans = split_bans(spec)
    return without(load_strategy(base), bans) if bans else WORKSHOP.load(spec)


def core_decide() -> Any:
    """The defaults of all decisions, compiled once for all strategies."""
    return WORKSHOP.core_decide
