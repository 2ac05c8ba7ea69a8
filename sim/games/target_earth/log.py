"""What the engine notes while it plays, if anybody wants to read it: rows of (verb, actor, a, b, c, d).

`trace.py` turns the rows into JSON lines. In batch runs nothing is written.
"""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.state import LOG_ROWS, NONE
from sim.log import log_functions

VERBS = (
    # an entry of a list that belongs to the row before it; dice, 20 in a number
    "item", "dice",
    # set-up
    "countries", "dealt", "order", "person", "hand_card", "build", "recruit",
    # the turn
    "turn", "turn_more", "income", "vote", "research", "card", "share", "fortified",
    "agent", "attempt", "status", "alien_target", "ufo",
    # in the air
    "scramble", "interception", "fighters", "air_round", "bonus", "reroll", "withdraw", "loss", "shot_down",
    "round_over", "knowledge", "escaped", "elite", "personal",
    # on the ground
    "mission", "army_cell", "battle", "alien_unit", "ally_unit", "groups", "group_of", "group_draw", "ground_round",
    "retreat", "battle_over", "carriers_lost", "conquest", "raid", "module_lost",
    # the end of a turn
    "home", "scarce", "researched", "draw", "discard", "reshuffle",
    "end", "personal_end", "winner", "stop",
)  # fmt: skip

(
    V_ITEM, V_DICE,
    V_COUNTRIES, V_DEALT, V_ORDER, V_PERSON, V_HAND_CARD, V_BUILD, V_RECRUIT,
    V_TURN, V_TURN_MORE, V_INCOME, V_VOTE, V_RESEARCH, V_CARD, V_SHARE, V_FORTIFIED,
    V_AGENT, V_ATTEMPT, V_STATUS, V_ALIEN_TARGET, V_UFO,
    V_SCRAMBLE, V_INTERCEPTION, V_FIGHTERS, V_AIR_ROUND, V_BONUS, V_REROLL, V_WITHDRAW, V_LOSS, V_SHOT_DOWN,
    V_ROUND_OVER, V_KNOWLEDGE, V_ESCAPED, V_ELITE, V_PERSONAL,
    V_MISSION, V_ARMY_CELL, V_BATTLE, V_ALIEN_UNIT, V_ALLY_UNIT, V_GROUPS, V_GROUP_OF, V_GROUP_DRAW, V_GROUND_ROUND,
    V_RETREAT, V_BATTLE_OVER, V_CARRIERS_LOST, V_CONQUEST, V_RAID, V_MODULE_LOST,
    V_HOME, V_SCARCE, V_RESEARCHED, V_DRAW, V_DISCARD, V_RESHUFFLE,
    V_END, V_PERSONAL_END, V_WINNER, V_STOP,
) = range(len(VERBS))  # fmt: skip

# why something is built, attempted, drawn, or brings personal points (the words stand in trace.py)
AT_HEAD_START, AT_SETUP, IN_PRODUCTION, BY_ENGINEER = range(4)
BY_COURT, BY_REBELLION, BY_DIPLOMAT, BY_DIPLOMAT_REBELLION, BY_CARD, BY_FREE, BY_ALIENS = range(7)
DRAWN_AT_SETUP, DRAWN, SWAPPED = range(3)
FOR_BATTLE, FOR_FACTION, FOR_CARD = range(3)
ALIENS_ROLL, ALLIES_ROLL = range(2)  # whose dice

note, write = log_functions(LOG_ROWS)

DICE_A_NUMBER = 20  # three bits each


@rule
def note_dice(game, seat, first, n, tag):
    """The dice of a roll, as they lie in `game.dice`."""
    if not game.tracing:
        return
    done = 0
    while done < n:
        count = min(DICE_A_NUMBER, n - done)
        packed = 0
        for k in range(count):
            packed |= int(game.dice[first + done + k]) << (3 * k)
        write(game, V_DICE, seat, tag, count, packed, 0)
        done += count


@rule
def note_item(game, seat, a, b, c, d):
    """An entry of the list that belongs to the row before."""
    note(game, V_ITEM, seat, a, b, c, d)


__all__ = ["NONE", "note", "note_dice", "note_item", "write"]
