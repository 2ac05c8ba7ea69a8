"""What strategies are asked (`sim.asking` says how). What concerns the Alliance is voted on: see alliance.py."""

from __future__ import annotations

from sim.asking import IllegalAnswer, Question, asking_functions

QUESTIONS = (
    Question(
        "buy", "thing", "optional", "what to buy next: a module (0 to 5) or a unit (6 to 9); none: no more"
    ),
    Question("place", "module", "answer", "the cell for a new module; -1: anywhere"),
    Question("research", "technology", "optional", "Alliance: which technology to pay for"),
    Question("scientist", "technology", "optional", "play a scientist for this second technology"),
    Question("engineer", "building", "optional", "play an engineer: 6 times the base's seat and the module"),
    Question("fortify", None, "answer", "play a fortified base (1) or not (0)"),
    Question(
        "court",
        "country",
        "optional",
        "Alliance: the neutral country to win over; advanced: the first player",
    ),
    Question("rebellion", "country", "optional", "play a rebellion in this alien country"),
    Question("diplomat", "country", "optional", "diplomat: a token for this neutral or alien country"),
    Question(
        "agent",
        "country",
        "answer",
        "officer: -1 hinders, 1 helps, 0 keeps out; seat.asked: whose attempt",
    ),
    Question(
        "intercept", "slot", "optional", "where this fighter goes (seat.asked 1: an elite one); none: stays"
    ),
    Question("bonus", "group", "answer", "how many bonus cards to play in this fight"),
    Question("reroll", "group", "answer", "general: how many of the own missed dice to roll again"),
    Question("withdraw", "slot", "answer", "all own fighters leave this fight (1) or stay (0)"),
    Question("ace", "slot", "answer", "play an ace on a victorious fighter (1) or not (0)"),
    Question(
        "diplomacy_card", "country", "answer", "play diplomacy in the country just saved (1) or not (0)"
    ),
    Question(
        "mission", "target", "optional", "where the next carrier goes: a slot, or 8 and an alien country"
    ),
    Question("load", "target", "answer", "what it takes: infantry, and 3 for a tank"),
    Question("group", "group", "rate", "in which group this unit fights (seat.asked: INFANTRY or TANK)"),
    Question("retreat", "group", "answer", "all own units of the group leave (1) or stay (0)"),
    Question("squad", "target", "answer", "play an elite squad on a victorious infantry (1) or not (0)"),
    Question("crew", "target", "answer", "play an elite crew on a victorious tank (1) or not (0)"),
    Question("knowledge_card", "target", "answer", "play alien knowledge after this victory (1) or not (0)"),
    Question(
        "free_attempt", "country", "answer", "Alliance: try to win over the country just saved (1) or not (0)"
    ),
    Question("next_mission", "country", "rate", "Alliance: which alien country is fought over next"),
    Question("scarce", "technology", "rate", "Alliance: which of two technologies gets the knowledge"),
    Question("swap_card", "card", "optional", "officer: the card to exchange for a new one"),
)

(
    Q_BUY, Q_PLACE, Q_RESEARCH, Q_SCIENTIST, Q_ENGINEER, Q_FORTIFY, Q_COURT, Q_REBELLION, Q_DIPLOMAT, Q_AGENT,
    Q_INTERCEPT, Q_BONUS, Q_REROLL, Q_WITHDRAW, Q_ACE, Q_DIPLOMACY_CARD, Q_MISSION, Q_LOAD, Q_GROUP, Q_RETREAT,
    Q_SQUAD, Q_CREW, Q_KNOWLEDGE_CARD, Q_FREE_ATTEMPT, Q_NEXT_MISSION, Q_SCARCE, Q_SWAP_CARD,
) = range(len(QUESTIONS))  # fmt: skip

__all__ = ["IllegalAnswer", "Question"]

_asking = asking_functions()
roll_dice, fault, ask, rating = _asking.roll_dice, _asking.fault, _asking.ask, _asking.rating
choose, choose_or_none, answer = _asking.choose, _asking.choose_or_none, _asking.answer
