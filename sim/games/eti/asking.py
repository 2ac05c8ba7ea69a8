"""Asking a strategy: the questions, and the check that an answer is legal.

Two kinds of question. With most, the strategy *rates* each legal option and the highest rating is taken (of
equals the first): whatever it answers is legal. With the rest it gives the answer itself, which is checked.
Questions marked `optional` choose nothing when every rating is negative.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim.bits import lowest
from sim.calling import call
from sim.compile import rule
from sim.games.eti.state import NONE
from sim.random import next_dice


@dataclass(frozen=True)
class Question:
    """One decision of the game: the name of a strategy's function, and what it is asked."""

    name: str
    option: str | None  # what the third argument is; None: the function has only (table, seat)
    kind: str  # 'rate', 'optional' or 'answer'
    text: str


QUESTIONS = (
    Question("upgrade", "ability", "rate", "which ability to upgrade for free"),
    Question("immunity", "threat", "rate", "which threat to become immune to"),
    Question("rate_project", "project", "rate", "which face-up project to study"),
    Question("reveal", None, "answer", "alien: reveal now (1) or wait (0)"),
    Question("offer_to", "company", "optional", "to whom to make an offer; table.event says for what"),
    Question("offer_points", "company", "answer", "how many points of the own bank to offer (0 to all)"),
    Question("offer_project", "project", "optional", "which completed project to add to the offer"),
    Question("offer_event", "event", "optional", "which held event to add to the offer"),
    Question("offer_promise", "company", "answer", "whether to add the promise of the next vote (0 or 1)"),
    Question("award", "company", "rate", "president: which company the event is for (or hits)"),
    Question("vote", "company", "rate", "which company gets all own votes"),
    Question("break_tie", "company", "rate", "president: who of the tied; table.phase says in what"),
    Question("honour", "company", "answer", "keep (1) or break (0) the offer to this company"),
    Question("play_event", "event", "answer", "play this held event now (1) or not (0)"),
    Question("target", "company", "rate", "whom the event just played hits"),
    Question("take_project", "project", "rate", "which public project of another company to take"),
    Question("agenda", None, "answer", "RESEARCH (0), SUBMIT (1) or SWITCH (2)"),
    Question("submission", None, "answer", "SAFE (0) or STANDARD (1)"),
    Question("swap", "swap", "answer", "port to swap with the next, 0 to stop, -1: the best swaps, please"),
    Question("vault", "project", "answer", "0 top secret, 1 public"),
    Question("rate_level", "level", "rate", "level of the project to lay out or draw (1 to 5)"),
    Question("tactic", "threat", "rate", "alien: which threat becomes a tactic"),
    Question("intel", None, "answer", "alien: stop (0), turn up a card (1) or move one (2)"),
    Question("turn_up", "card", "rate", "alien: which face-down attack card to turn up"),
    Question("move_card", "card", "rate", "alien: which attack card to move"),
    Question("move_to", "company", "rate", "alien: to which company"),
    Question("mash", "company", "optional", "alien: against whom the next mash card goes"),
    Question("move_fame", "project", "rate", "of which own project the fame becomes defence"),
    Question("attack_off", "card", "rate", "which attack card against oneself to discard"),
    Question("lose", "project", "optional", "which project to give up next; none: the best choice, please"),
)

(
    Q_UPGRADE, Q_IMMUNITY, Q_RATE_PROJECT, Q_REVEAL, Q_OFFER_TO, Q_OFFER_POINTS, Q_OFFER_PROJECT, Q_OFFER_EVENT,
    Q_OFFER_PROMISE, Q_AWARD, Q_VOTE, Q_BREAK_TIE, Q_HONOUR, Q_PLAY_EVENT, Q_TARGET, Q_TAKE_PROJECT, Q_AGENDA,
    Q_SUBMISSION, Q_SWAP, Q_VAULT, Q_RATE_LEVEL, Q_TACTIC, Q_INTEL, Q_TURN_UP, Q_MOVE_CARD, Q_MOVE_TO, Q_MASH,
    Q_MOVE_FAME, Q_ATTACK_OFF, Q_LOSE,
) = range(len(QUESTIONS))  # fmt: skip

BEST = -1  # the answer 'the best swaps, please'


class IllegalAnswer(Exception):
    """Raised inside the engine; who, what and which answer stand in the game's fault fields."""


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
