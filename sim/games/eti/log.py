"""What the engine notes while it plays, if anybody wants to read it: rows of (verb, actor, a, b, c, d).

`trace.py` turns the rows into the objects of docs/trace.md. In batch runs nothing is written.
"""

from __future__ import annotations

from sim.games.eti.state import LOG_ROWS
from sim.log import log_functions

VERBS = (
    # an entry of a list that belongs to the row before it: tag, what, extra, extra
    "item",
    # set-up and projects
    "first_president", "event_order", "upgrade", "downgrade", "immunity", "immunity_lost", "lay_out", "pick",
    # reveal
    "round", "wait", "reveal", "reveal_more", "alien_board", "tactic", "scooped",
    # events
    "event", "no_event", "offer", "award", "vote", "promise", "tie", "elected", "keep", "play", "event_over",
    "due", "points", "bank_moves", "project_moves", "event_moves", "look", "scout", "discard",
    # the rest of a round
    "agendas", "deal", "submit", "submit_more", "threat", "claim", "bank", "badge", "reshuffle",
    # invasion
    "invasion", "leftovers", "attack", "intel", "turn_up", "move", "mashes", "mash", "endgame", "bonus",
    "fame_to_defence", "draw_project", "attack_off", "battle", "battle_more", "stake", "winner", "end",
)  # fmt: skip

(
    V_ITEM,
    V_FIRST_PRESIDENT, V_EVENT_ORDER, V_UPGRADE, V_DOWNGRADE, V_IMMUNITY, V_IMMUNITY_LOST, V_LAY_OUT, V_PICK,
    V_ROUND, V_WAIT, V_REVEAL, V_REVEAL_MORE, V_ALIEN_BOARD, V_TACTIC, V_SCOOPED,
    V_EVENT, V_NO_EVENT, V_OFFER, V_AWARD, V_VOTE, V_PROMISE, V_TIE, V_ELECTED, V_KEEP, V_PLAY, V_EVENT_OVER,
    V_DUE, V_POINTS, V_BANK_MOVES, V_PROJECT_MOVES, V_EVENT_MOVES, V_LOOK, V_SCOUT, V_DISCARD,
    V_AGENDAS, V_DEAL, V_SUBMIT, V_SUBMIT_MORE, V_THREAT, V_CLAIM, V_BANK, V_BADGE, V_RESHUFFLE,
    V_INVASION, V_LEFTOVERS, V_ATTACK, V_INTEL, V_TURN_UP, V_MOVE, V_MASHES, V_MASH, V_ENDGAME, V_BONUS,
    V_FAME_TO_DEFENCE, V_DRAW_PROJECT, V_ATTACK_OFF, V_BATTLE, V_BATTLE_MORE, V_STAKE, V_WINNER, V_END,
) = range(len(VERBS))  # fmt: skip

# why a project is laid out, picked, banked … (the words stand in trace.py)
LAID_AT_SETUP, LAID_BY_CLAIM, LAID_BY_EVENT = range(3)
PICK_START, PICK_CLAIMED, PICK_SWITCHED, PICK_SCOOPED, PICK_IDLE, PICK_REVEAL = range(6)
SCOOP_SUBMITTED, SCOOP_RESEARCHED, SCOOP_SWITCHED, SCOOP_REVEAL = range(4)
UP_FREE, UP_EVENT, UP_PROJECT = range(3)
TIE_VOTE, TIE_CLAIM, TIE_WIN = range(3)
MOVED_BY_TRADE, MOVED_BY_EVENT = range(2)
DEALT_FOR_RESEARCH, DEALT_BY_EVENT = range(2)
BANK_SHORT, BANK_SWITCH = range(2)
BADGE_ROUND, BADGE_REVEAL = range(2)

note, write = log_functions(LOG_ROWS)
