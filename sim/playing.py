"""Playing batches of games, as far as it is the same for every game: seeds, pools of strategies, what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.asking import IllegalAnswer, Question
from sim.calling import Functions
from sim.errors import UserError
from sim.strategy import Strategy

MAX_SEED = 2**63 - 1


def check_seed(seed: int, index: int = 0) -> None:
    """Seeds and indices are whole numbers that fit into 63 bits."""
    for name, value in (("seed", seed), ("index", index)):
        if not 0 <= value <= MAX_SEED:
            raise UserError(f"{name} {value}; valid: 0 to {MAX_SEED}")


class Pool:
    """The strategies of a batch of games, ready for the kernel; equal ones stand in it once."""

    def __init__(self, strategies: Sequence[Strategy], seats: int, most: int) -> None:
        """`seats` at the largest table, and `most` strategies at once."""
        self.strategies: list[Strategy] = []
        self.table_seats = seats
        for strategy in strategies:
            if not any(strategy is known for known in self.strategies):
                self.strategies.append(strategy)
        if len(self.strategies) > most:
            raise UserError(f"{len(self.strategies)} strategies at once; valid: at most {most}")
        self.functions = Functions([s.decide for s in self.strategies])
        self.params = np.array([strategy.values() for strategy in self.strategies])

    def seats(self, strategies: Sequence[Strategy]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The places in the pool of one strategy a seat; seats that nobody sits on count as 0."""
        places = [next(k for k, s in enumerate(self.strategies) if s is wanted) for wanted in strategies]
        return np.array(places + [0] * (self.table_seats - len(places)), np.int64)

    def asked(self, game: Any) -> Strategy:
        """The strategy that was asked last."""
        return self.strategies[int(game["who"][int(game["fault_seat"])])]


class BrokenStrategy(UserError):
    """A strategy raised, or gave an illegal answer; `number` says in which game of the batch."""

    number: int = 0


def broken(
    pool: Pool, game: Any, questions: Sequence[Question], when: str, error: Exception
) -> BrokenStrategy:
    """The error that tells what a strategy did wrong, and when; an error of our own is raised again as it is."""
    strategy = pool.asked(game)
    if not isinstance(error, IllegalAnswer) and strategy.built_in:
        raise error  # a bug of ours, which keeps its traceback
    question = questions[int(game["fault_question"])]
    option = f" of {question.option} {int(game['fault_option'])}" if question.option else ""
    if isinstance(error, IllegalAnswer):
        answer = f"answered {float(game['fault_answer']):g} to '{question.name}'{option} {when}"
        valid = f"; valid: {question.text}, and legal at that moment"
    else:
        answer = f"raised {type(error).__name__}: {error} when asked '{question.name}'{option} {when}"
        valid = ""
    found = BrokenStrategy(f"strategy {strategy.name} (seat {int(game['fault_seat']) + 1}) {answer}{valid}")
    found.number = int(game["number"])
    return found
