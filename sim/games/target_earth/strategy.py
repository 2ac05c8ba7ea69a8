"""The strategies of Target Earth: where they live, and what they are compiled to (`sim.strategy` says how)."""

from __future__ import annotations

from functools import cache
from typing import Any

from sim.games.target_earth.asking import QUESTIONS
from sim.games.target_earth.engine import DECIDE_SIGNATURE
from sim.games.target_earth.state import MAX_PARAMS
from sim.registry import STRATEGIES
from sim.strategy import Param, Strategy, Workshop

__all__ = ["CORE", "WORKSHOP", "Param", "Strategy", "core_decide", "load_strategy", "make_strategy"]

CORE = "strategies.target_earth.core"
WORKSHOP = Workshop(__name__, CORE, STRATEGIES["target-earth"], QUESTIONS, DECIDE_SIGNATURE, MAX_PARAMS)
make_strategy = WORKSHOP.make


@cache
def load_strategy(spec: str) -> Strategy:
    """A strategy by name or from a file (`path/to/mine.py:Mine`, or `mine.py` for the module)."""
    return WORKSHOP.load(spec)


def core_decide() -> Any:
    """The defaults of all decisions, compiled once for all strategies."""
    return WORKSHOP.core_decide
