"""The state of a game, as nested NumPy records that numba passes around without copying.

Who may see what is the shape of the data: `game.table` is what lies open for all, `game.seats[p]` what seat p
alone knows, `game.secret` what nobody sees. A strategy is handed `table` and its own seat, and cannot reach the rest.
"""

from __future__ import annotations

import numba
import numpy as np

from sim.games.target_earth.options import OPTIONS
from sim.layout import attribute_access, new_records

__all__ = ["attribute_access", "new_records"]

# --- sizes ---------------------------------------------------------------------------------------------
MIN_PLAYERS, MAX_PLAYERS = 1, 4
MAX_BASES = 4
MAX_COUNTRIES = 40
FIRST_BASE = 40  # objective tiles: a country's number, or 40 and the seat of a base
CELLS = 36  # places of a base's grid, six a row
WIDTH = 6
SLOTS = 8
FIRST_COUNTRY = 8  # mission targets: a slot, or 8 and an alien country
MAX_ARMIES = 12
MAX_ALLIES = 64  # units in a battle
MAX_ALIENS = 16
GROUPS = 4
MAX_TURNS = 9
MAX_DICE = 512
MAX_PARAMS = 32  # a strategy
MAX_POOL = 64  # strategies in one call of the kernel
MAX_ACTS = 640
LOG_ROWS = 4096  # one page of the trace; a longer game is replayed page by page
LOG_COLUMNS = 6

# --- words for numbers ---------------------------------------------------------------------------------
NONE = -1
NEUTRAL, ALLIED, ALIEN = range(3)  # status of a country
ALLIANCE, ALIENS = range(2)  # sides
HANGAR, WAREHOUSE, BARRACKS, GARAGE, LABORATORY, RADAR = range(6)
MODULES = 6
FIGHTER, CARRIER, INFANTRY, TANK = range(4)
UNITS = 4
FIRST_UNIT = 6  # things one may buy: modules 0 to 5, units 6 to 9
THINGS = 10
FIGHTERS, TROOPS, TANKS, SCIENCE = range(4)  # technologies
TECHNOLOGIES = 4
TOP_LEVEL = 4
SMALL, MEDIUM, LARGE, TERROR = range(4)
SIZES = 4
(ACE, SQUAD, CREW, ENGINEER, BONUS, DIPLOMACY, REBELLION, SCIENTIST, FORTIFIED, KNOWLEDGE) = range(10)
CARD_KINDS = 10
OFFICER, AIR_GENERAL, ARMY_GENERAL, DIPLOMAT = range(4)
FACTIONS = 4
OBJECTIVES = 6
SOLDIER, ALIEN_TANK = range(2)
EASY, NORMAL, HARD, RANDOM = range(4)  # modes
BASE_GAME, ADVANCED = range(2)  # variants
(SETUP, INCOME, RESEARCH, PRODUCTION, DIPLOMACY_STEP, UFOS, INTERCEPTION, MISSIONS, RETURN, END) = range(10)
# why a game ended
BY_POINTS, NO_SCIENCE, FEWER_POINTS, NEITHER, SUDDEN, IMPOSSIBLE = range(6)
# the kinds of luck, a stream for each
DEAL, PEOPLE, DECK, BAGS, TALKS, AIR, GROUND, STRATEGIES = range(8)
STREAMS = 8

_i = np.int64  # one width for all: numba compiles a function anew for each mix of widths
_B = MAX_BASES

RULES = np.dtype([(option.name, _i) for option in OPTIONS], align=True)

CARDS = np.dtype(
    [
        ("countries", _i),
        ("credits", _i, MAX_COUNTRIES),  # C
        ("diplomacy", _i, MAX_COUNTRIES),  # D
        ("points", _i, MAX_COUNTRIES),  # V
        ("ufo_attack", _i, SIZES),
        ("ufo_bonus", _i, SIZES),  # added to the roll by which it takes a country
        ("bag", _i, (3, SIZES)),  # tiles put into the bag with each era, in this mode
        # aliens by era
        ("factor_alien", _i, (3, 2)),  # of a soldier, of a tank
        ("load", _i, (3, SIZES, 2)),  # soldiers and tanks a UFO lands, in this mode
        ("garrison", _i, (3, 2)),  # soldiers and tanks at an alien country
        ("factor", _i, (3, TOP_LEVEL + 1)),  # of an allied unit by technology and level; level 0 is not used
        ("radars", _i, SLOTS),  # radars that a slot needs
        ("card_count", _i, CARD_KINDS),
        ("starred", _i, CARD_KINDS),
        ("blank", _i, CARD_KINDS),  # 1: cannot be played
        ("tokens", _i, FACTIONS),
        # secret objectives
        ("leader", _i, OBJECTIVES),  # country, or NONE
        ("leader_points", _i, OBJECTIVES),  # if it is allied
        ("if_alien", _i, (OBJECTIVES, MAX_COUNTRIES)),
        ("if_neutral", _i, (OBJECTIVES, MAX_COUNTRIES)),
        ("if_allied", _i, (OBJECTIVES, MAX_COUNTRIES)),
        ("by_count", _i, (OBJECTIVES, MAX_COUNTRIES + 1)),  # by the number of allied countries
    ],
    align=True,
)

BATTLE = np.dtype(
    [
        ("target", _i),  # slot, or 8 and a country; NONE: no battle on the ground
        ("where", _i),  # objective tile
        ("ufo", _i),  # size of the largest UFO; NONE: an alien base
        ("round_no", _i),
        ("bonus_aliens", _i),  # factor that each unit has more
        ("bonus_allies", _i),
        ("alien_n", _i),  # units at the start
        ("alien_kind", _i, MAX_ALIENS),
        ("alien_group", _i, MAX_ALIENS),  # NONE: dead
        ("ally_n", _i),
        ("ally_base", _i, MAX_ALLIES),
        ("ally_kind", _i, MAX_ALLIES),  # INFANTRY or TANK
        ("ally_elite", _i, MAX_ALLIES),
        ("ally_army", _i, MAX_ALLIES),  # the army it came with, or NONE: at home
        ("ally_state", _i, MAX_ALLIES),  # 1 fights, 0 dead, 2 has left
        ("ally_group", _i, MAX_ALLIES),  # NONE: not in a group
        ("aliens_in", _i, GROUPS),  # units now
        ("allies_in", _i, GROUPS),
        ("group", _i),  # being fought
        ("factor_aliens", _i),  # dice of the aliens in this group and round
        ("factor_allies", _i),
        ("hits_aliens", _i),
        ("hits_allies", _i),
        ("units", _i),  # allied units in the group or the interception: what a bonus card is worth in dice
        ("bonus", _i),  # bonus cards played in this group and round
        ("missed", _i),  # of the dice of the base that is asked for a re-roll
        ("took_part", _i),  # set of bases
        ("left", _i),  # set of bases that withdrew units
    ],
    align=True,
)

TABLE = np.dtype(
    [
        ("rules", RULES),
        ("cards", CARDS),
        ("players", _i),  # people; one plays all bases
        ("bases", _i),
        ("mode", _i),
        ("variant", _i),
        ("turn", _i),
        ("era", _i),  # 0 to 2: the rulebook's phases I to III
        ("phase", _i),
        ("first", _i),  # seat of the first player
        ("order", _i, _B),  # seats clockwise
        ("place", _i, _B),  # of a seat in that order
        # countries
        ("status", _i, MAX_COUNTRIES),
        ("allied", _i),  # sets
        ("aliens", _i),
        ("neutral", _i),
        ("changed", _i),  # status changed this turn
        ("allied_n", _i),
        ("aliens_n", _i),
        ("income", _i),
        ("points", _i, 2),
        ("bonus_points", _i),  # of the Alliance: alien bases destroyed
        ("modules_lost", _i),
        # the Alliance
        ("fund", _i),
        ("knowledge", _i),
        ("level", _i, TECHNOLOGIES),  # 1 to 4
        ("sought", _i, TECHNOLOGIES),  # 1: paid this turn
        # bases
        ("credits", _i, _B),
        ("module", _i, (_B, CELLS)),  # or NONE
        ("unit", _i, (_B, CELLS)),  # standing on it, or NONE
        ("unit_elite", _i, (_B, CELLS)),
        ("modules", _i, (_B, MODULES)),  # how many
        ("modules_n", _i, _B),
        ("cells", _i),  # set of the cells of a grid
        ("built", _i, _B),  # set of cells with a module
        ("cells_of", _i, (_B, MODULES)),  # by kind of module
        ("held", _i, _B),  # set of cells with a unit on them
        ("supply", _i, MODULES),  # left in the box
        ("units", _i, (_B, UNITS)),  # alive
        ("elites", _i, (_B, UNITS)),  # of these
        ("home", _i, (_B, UNITS)),  # plain ones standing on a module
        ("home_elites", _i, (_B, UNITS)),
        ("fortified", _i, _B),
        ("labs", _i),  # of all bases
        ("radars", _i),
        # people
        ("faction", _i, _B),
        ("tokens", _i, _B),
        ("token_used", _i, _B),  # this turn
        ("hand_n", _i, _B),
        ("hand", _i, (_B, CARD_KINDS)),  # base game: open; advanced: zeros
        ("played", _i, _B),  # cards this turn
        ("may_play", _i, _B),  # at most, this turn
        ("discards", _i, CARD_KINDS),
        ("deck_n", _i),
        # UFOs
        ("bag", _i, SIZES),
        ("ufo_n", _i),
        ("ufo", _i, SLOTS),  # size, or NONE: gone
        ("objective", _i, SLOTS),  # tile, or NONE
        ("joined", _i, SLOTS),  # the slot at which this UFO's units fight: its own, or an earlier one
        ("sent", _i, (SLOTS, _B)),  # plain fighters
        ("sent_elites", _i, (SLOTS, _B)),
        # armies
        ("armies_n", _i),
        ("army_base", _i, MAX_ARMIES),
        ("army_target", _i, MAX_ARMIES),
        ("army_infantry", _i, MAX_ARMIES),
        ("army_elite_infantry", _i, MAX_ARMIES),
        ("army_tanks", _i, MAX_ARMIES),
        ("army_elite_tanks", _i, MAX_ARMIES),
        ("battle", BATTLE),
    ],
    align=True,
)

SEAT = np.dtype(
    [
        ("me", _i),
        ("faction", _i),  # or NONE
        ("objective", _i),  # secret objective, or NONE
        ("hand", _i, CARD_KINDS),
        ("points", _i),  # personal points so far
        ("asked", _i),  # what a choice is made for: see the questions
        ("dice", np.uint64),  # this decision's randomness: see sim.random.chance
        ("params", np.float64, MAX_PARAMS),  # the strategy's own numbers
    ],
    align=True,
)

TALLY = np.dtype(
    [  # counted for the records, seen by nobody
        ("points_battles", _i),
        ("points_faction", _i),
        ("points_cards", _i),
        ("points_objective", _i),
        ("points_unused", _i),
        ("lost", _i, UNITS),
        ("modules_built", _i),
        ("modules_lost", _i),
        ("interceptions", _i),
        ("missions", _i),
        ("victories", _i),
        ("cards_played", _i),
        ("faction_turn", _i),  # the last turn with a general's point
    ],
    align=True,
)

COUNTS = np.dtype(
    [  # of the whole game, for the records
        ("ufos", _i),
        ("shot_down", _i),
        ("beaten", _i),
        ("succeeded", _i),
        ("interceptions", _i),
        ("battles", _i),
        ("battles_won", _i),
        ("bases_destroyed", _i),
        ("attempts", _i),
        ("attempts_won", _i),
        ("alliance", _i, MAX_TURNS),
        ("aliens", _i, MAX_TURNS),
        ("science", _i, MAX_TURNS),
        ("levels", _i, MAX_TURNS),
        ("allied", _i, MAX_TURNS),
    ],
    align=True,
)

SECRET_STATE = np.dtype(
    [
        ("deck", _i, CARD_KINDS),  # copies of each kind: it is drawn from at random, its order means nothing
        ("key", np.uint64, STREAMS),
        ("stream", np.uint64, STREAMS),
        ("tally", TALLY, _B),
        ("counts", COUNTS),
        ("winner", _i),  # side
        ("why", _i),
        ("first_player", _i),  # of the first turn
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("table", TABLE),
        ("seats", SEAT, _B),
        ("secret", SECRET_STATE),
        ("number", _i),  # which game of the batch this is
        ("rerolled", _i),  # set of the streams that are another block's: see luck.py
        ("who", _i, _B),  # which strategy of the pool plays each seat
        ("votes", _i, _B),
        ("dice", _i, MAX_DICE),  # the roll at hand: the aliens' or the Alliance's
        ("dice_n", _i),
        ("dice_from", _i, _B),  # where each base's own dice begin, and how many they are
        ("dice_of", _i, _B),
        ("away", _i, (_B, UNITS)),  # units beside their base, waiting for the return
        ("away_elites", _i, (_B, UNITS)),
        ("order", _i, MAX_ALIENS),  # room to shuffle
        ("acts_n", _i),
        ("acts", _i, (MAX_ACTS, 5)),  # turn, what, card, seat, target: see acts.py
        ("decisions", _i),
        ("forced", _i),
        ("fault_seat", _i),  # the last question: who was asked what, about which option; an illegal answer
        ("fault_question", _i),
        ("fault_option", _i),
        ("fault_answer", np.float64),
        ("tracing", _i),
        ("log_from", _i),  # rows before this one are not written
        ("log_n", _i),  # rows so far, written or not
        ("log", _i, (LOG_ROWS, LOG_COLUMNS)),
    ],
    align=True,
)

SEAT_ROW = np.dtype(
    [
        ("faction", np.int8),
        ("objective", np.int8),
        ("won", np.int8),
        ("personal", np.int16),
        ("personal_battles", np.int16),
        ("personal_faction", np.int16),
        ("personal_cards", np.int16),
        ("personal_objective", np.int16),
        ("personal_unused", np.int16),
        ("lost", np.int16, UNITS),
        ("units", np.int8, UNITS),
        ("elites", np.int8),
        ("modules", np.int8, MODULES),
        ("modules_built", np.int16),
        ("modules_lost", np.int16),
        ("interceptions", np.int16),
        ("missions", np.int16),
        ("victories", np.int16),
        ("cards_played", np.int16),
        ("credits", np.int32),
        ("tokens", np.int8),
    ]
)

GAME_ROW = np.dtype(
    [
        ("index", np.int64),
        ("won", np.int8),  # by the Alliance
        ("why", np.int8),
        ("turns", np.int8),
        ("winner", np.int8),  # seat; NONE: nobody alone
        ("first", np.int8),
        ("points", np.int16, 2),
        ("level", np.int8, TECHNOLOGIES),
        ("knowledge", np.int16),
        ("fund", np.int32),
        ("income", np.int16),
        ("allied", np.int8),
        ("aliens", np.int8),
        ("neutral", np.int8),
        ("modules", np.int16),
        ("modules_lost", np.int16),
        ("ufos", np.int16),
        ("shot_down", np.int16),
        ("beaten", np.int16),
        ("succeeded", np.int16),
        ("interceptions", np.int16),
        ("battles", np.int16),
        ("battles_won", np.int16),
        ("bases_destroyed", np.int16),
        ("attempts", np.int16),
        ("attempts_won", np.int16),
        ("cards_played", np.int16),
        ("alliance_at", np.int16, MAX_TURNS),  # points after each turn
        ("aliens_at", np.int16, MAX_TURNS),
        ("science_at", np.int8, MAX_TURNS),
        ("levels_at", np.int8, MAX_TURNS),
        ("allied_at", np.int8, MAX_TURNS),
        ("decisions", np.int32),
        ("forced", np.int32),
        ("seat", SEAT_ROW, _B),
    ]
)

#: the numba types of what a strategy is handed
TABLE_TYPE = numba.from_dtype(TABLE)
SEAT_TYPE = numba.from_dtype(SEAT)
GAME_TYPE = numba.from_dtype(GAME)
