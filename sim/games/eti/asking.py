"""What strategies are asked (`sim.asking` says how).

Two kinds of question. With most, the strategy *rates* each legal option and the highest rating is taken (of
equals the first): whatever it answers is legal. With the rest it gives the answer itself, which is checked.
Questions marked `optional` choose nothing when every rating is negative.
"""

from __future__ import annotations

from sim.asking import IllegalAnswer, Question, asking_functions

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

__all__ = ["IllegalAnswer", "Question"]

_asking = asking_functions()
roll_dice, fault, ask, rating = _asking.roll_dice, _asking.fault, _asking.ask, _asking.rating
choose, choose_or_none, answer = _asking.choose, _asking.choose_or_none, _asking.answer
