"""Asking a strategy, and the check that an answer is legal: the same in every game.

Two kinds of question. With most, the strategy *rates* each legal option and the highest rating is taken (of
equals the first): whatever it answers is legal. With the rest it gives the answer itself, which is checked.
Questions marked `optional` choose nothing when every rating is negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

from sim.bits import lowest
from sim.calling import call
from sim.compile import rule
from sim.random import next_dice

NONE = -1


@dataclass(frozen=True)
class Question:
    """One decision of a game: the name of a strategy's function, and what it is asked."""

    name: str
    option: str | None  # what the third argument is; None: the function has only (table, seat)
    kind: str  # 'rate', 'optional' or 'answer'
    text: str


class IllegalAnswer(Exception):
    """Raised inside the engine; who, what and which answer stand in the game's fault fields."""


def asking_functions() -> SimpleNamespace:
    """The functions below, made anew for a game: each is compiled for the records of one game only."""

    @rule
    def roll_dice(game, p):
        """Give the seat fresh randomness for the decision at hand."""
        seat = game.seats[p]
        seat.dice = next_dice(seat.dice)
        game.decisions += 1

    @rule
    def fault(game, p, question, option, answer):
        """End the game: a strategy gave an answer that the rules do not allow."""
        game.fault_seat = p
        game.fault_question = question
        game.fault_option = option
        game.fault_answer = answer
        raise IllegalAnswer

    @rule
    def ask(game, decide, p, question, option):
        """Hand a question to the strategy of seat p. It is noted first: should the strategy raise, we know where."""
        game.fault_seat = p
        game.fault_question = question
        game.fault_option = option
        return call(decide, game.who[p], game.table, game.seats[p], question, option)

    @rule
    def rating(game, decide, p, question, option):
        """One option's rating; anything but a number is a fault."""
        value = ask(game, decide, p, question, option)
        if value != value:  # NaN
            fault(game, p, question, option, value)
        return value

    @rule
    def choose(game, decide, p, question, legal):
        """The option of the set `legal` (bit k = option k) that seat p rates highest; NONE if it is empty."""
        if legal == 0:
            return NONE
        if legal & (legal - 1) == 0:  # only one: nothing to ask
            game.forced += 1
            return lowest(legal)
        roll_dice(game, p)
        best, best_value = NONE, 0.0
        while legal != 0:
            option = lowest(legal)
            legal &= legal - 1
            value = rating(game, decide, p, question, option)
            if best == NONE or value > best_value:
                best, best_value = option, value
        return best

    @rule
    def choose_or_none(game, decide, p, question, legal):
        """As choose, but NONE when every rating is negative."""
        if legal == 0:
            return NONE
        roll_dice(game, p)
        best, best_value = NONE, -1.0
        while legal != 0:
            option = lowest(legal)
            legal &= legal - 1
            value = rating(game, decide, p, question, option)
            if value >= 0.0 and (best == NONE or value > best_value):
                best, best_value = option, value
        return best

    @rule
    def answer(game, decide, p, question, option, low, high):
        """A strategy's own answer, a whole number from low to high."""
        if low == high:
            game.forced += 1
            return low
        roll_dice(game, p)
        value = ask(game, decide, p, question, option)
        if not low <= value <= high or value != int(value):
            fault(game, p, question, option, value)
        return int(value)

    return SimpleNamespace(
        roll_dice=roll_dice, fault=fault, ask=ask, rating=rating, choose=choose, choose_or_none=choose_or_none,
        answer=answer,
    )  # fmt: skip
