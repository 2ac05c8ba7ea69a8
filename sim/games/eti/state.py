"""The state of a game, as nested NumPy records that numba passes around without copying.

Who may see what is the shape of the data: `game.table` is what lies face up for all, `game.seats[p]` what seat
p alone knows, `game.secret` what nobody sees. A strategy is handed `table` and its own seat, and cannot reach
the rest (A-12).
"""

from __future__ import annotations

import numba
import numpy as np

from sim.games.eti.options import OPTIONS
from sim.games.eti.streams import STREAMS
from sim.layout import attribute_access, new_records

__all__ = ["attribute_access", "new_records"]

# --- sizes ---------------------------------------------------------------------------------------------
MIN_PLAYERS, MAX_PLAYERS = 3, 6  # A-COMP-1
FIELD_COUNT, LEVELS, THREAT_COUNT, ABILITY_COUNT = 8, 5, 4, 4
MAX_PORTS = 20
MAX_KINDS = 16  # kinds of research card: up to 9 numbers, 3 multipliers, 4 threats
MAX_PROJECTS = 62  # so that a set of projects fits into one 64-bit number
MAX_EVENTS = 40
MAX_HUMAN_CARDS, MAX_ALIEN_CARDS = 10, 8
MAX_EFFECTS = 3  # a card
MAX_SPACES = 10  # a track
MAX_ATTACK = 62  # attack cards on the table
MAX_PARAMS = 32  # a strategy
MAX_POOL = 64  # strategies in one call of the kernel
MAX_ACTS = 900  # claims and events of a game: at most 400 rounds with two, and 62 projects
THIRDS = 3
LOG_ROWS = 4096  # one page of the trace; a longer game is replayed page by page
LOG_COLUMNS = 6

# --- words for numbers ---------------------------------------------------------------------------------
NONE = -1
NUMBER, MULTIPLIER, THREAT = range(3)  # types of research card
STAFFING, CREATIVITY, SECURITY, ANALYSIS = range(4)  # abilities, and their tracks
ETI, INTEL, TACTICS, BRUTALITY = range(4, 8)  # the alien's tracks: the counterpart is 4 further on
IN_PILE, FACE_UP, SECRET, PUBLIC, ALIEN_VAULT, LOST = range(6)  # where a project is
HUMAN, ALIEN = range(2)  # roles
RESEARCH, SUBMIT, SWITCH = range(3)  # agendas
SAFE, STANDARD = range(2)  # ways to submit
WHO_PRESIDENT, WHO_EVERYONE, WHO_OTHERS, WHO_ASSIGN, WHO_VOTE = range(5)  # whom an event concerns
KEEP_NOT, KEEP_ROUND, KEEP_INVASION = range(3)  # whether an event goes into a hand
AT_ONCE, TIME, NO_PROJECT, LIMIT = range(4)  # why the invasion came
BY_FAME, BY_TIE, NO_SURVIVOR = range(3)  # why the winner won
(PHASE_SETUP, PHASE_REVEAL, PHASE_EVENT, PHASE_AGENDA, PHASE_RESEARCH, PHASE_SUBMISSION, PHASE_PROJECTS,
 PHASE_INVASION) = range(8)  # fmt: skip

_i = np.int64  # one width for all: numba compiles a function anew for each mix of widths


RULES = np.dtype([(option.name, _i) for option in OPTIONS], align=True)

CARDS = np.dtype(
    [
        # research: kinds are sorted, numbers first, the highest number being kind 0
        ("kinds", _i),
        ("numbers", _i),  # how many of the kinds are numbers
        ("kind_type", _i, MAX_KINDS),  # NUMBER, MULTIPLIER or THREAT
        ("kind_value", _i, MAX_KINDS),  # the number, the factor, or which threat
        ("kind_count", _i, MAX_KINDS),  # copies in the deck
        ("deck_size", _i),
        # averages over the whole deck, for strategies that judge hidden cards
        ("number_share", np.float64),  # share of numbers
        ("threat_share", np.float64),  # share of each single threat
        ("number_mean", np.float64),  # mean of the numbers
        ("factor_mean", np.float64),  # what a number is multiplied by, on average, by the card behind it
        ("kill_mean", np.float64),  # mean of the highest of three numbers: about what a threat destroys
        # projects
        ("projects", _i),
        ("field", _i, MAX_PROJECTS),
        ("level", _i, MAX_PROJECTS),  # 1 to 5
        ("difficulty", _i, MAX_PROJECTS),
        ("defence", _i, MAX_PROJECTS),
        ("fame", _i, MAX_PROJECTS),
        ("upgrades", _i, (MAX_PROJECTS, ABILITY_COUNT)),  # tokens it brings to each ability
        # events
        ("events", _i),
        ("event_who", _i, MAX_EVENTS),
        ("event_ability", _i, MAX_EVENTS),  # counts double in its vote, or NONE
        ("event_good", _i, MAX_EVENTS),
        ("event_keep", _i, MAX_EVENTS),
        ("event_other", _i, MAX_EVENTS),  # 1: when played from hand, it is played on another company
        ("event_effects", _i, (MAX_EVENTS, MAX_EFFECTS, 3)),
        # endgame cards
        ("humans", _i),
        ("human_effects", _i, (MAX_HUMAN_CARDS, MAX_EFFECTS, 3)),
        ("aliens", _i),
        ("alien_ufos", _i, MAX_ALIEN_CARDS),
        ("alien_effects", _i, (MAX_ALIEN_CARDS, MAX_EFFECTS, 3)),
        # ability tracks: four human, four alien
        ("track", _i, (8, MAX_SPACES)),
        ("spaces", _i, 8),
        # cards that are not in the game although they stand in the card file: sets, bit k = card k
        ("absent_projects", np.int64),
        ("absent_events", np.int64),
        ("absent_humans", np.int64),
    ],
    align=True,
)

OFFER = np.dtype(
    [
        ("made", _i),
        ("points", _i),
        ("project", _i),  # or NONE
        ("event", _i),  # or NONE
        ("promise", _i),  # 1: a vote later on
    ],
    align=True,
)

_P = MAX_PLAYERS
TABLE = np.dtype(
    [
        ("rules", RULES),
        ("cards", CARDS),
        # the game
        ("players", _i),
        ("multiplier", _i),
        ("threshold", _i),  # claimed projects from which on the alien may reveal
        ("must_reveal", _i),  # ... and must
        ("round_no", _i),
        ("phase", _i),
        ("president", _i),
        ("claimed", _i),  # R-BDG-3
        ("alien", _i),  # seat of the revealed alien, or NONE
        ("alien_card", _i),  # its endgame card; NONE while it is secret
        ("rounds_left", _i),  # after the reveal: rounds the humans still play, this one included
        ("event", _i),  # being resolved, or NONE
        # projects
        ("place", _i, MAX_PROJECTS),
        ("owner", _i, MAX_PROJECTS),  # seat, or NONE
        ("face_up", _i, MAX_PROJECTS),  # the projects in the middle, oldest first
        ("face_up_n", _i),
        ("pile_left", _i, LEVELS + 1),  # by level; entry 0 is not used
        # companies
        ("bank", _i, _P),
        ("queue_n", _i, _P),  # cards at the data ports
        ("studying", _i, _P),  # project, or NONE
        ("left", _i, _P),  # the project left last, or NONE
        ("vault", np.int64, _P),  # set of completed projects, bit k = project k
        ("completed", _i, _P),  # how many
        ("highest", _i, _P),  # highest level among them, 0 without any
        ("field_n", _i, (_P, FIELD_COUNT)),  # completed projects by field
        ("tokens", _i, (_P, ABILITY_COUNT)),  # upgrades made, on each track
        ("granted", _i, _P),  # immunities granted by effects
        ("immune", _i, (_P, THREAT_COUNT)),  # 1 = immune
        ("immunity", _i, (_P, THREAT_COUNT)),  # the same as a list in the order of choosing
        ("immunity_n", _i, _P),
        ("held_n", _i, _P),  # events in hand
        ("broken", _i, _P),  # offers and promises broken so far
        ("promised", _i, (_P, _P)),  # 1: row owes column its next vote
        ("offers", OFFER, (_P, _P)),  # of this event: row offers to column
        ("voted", _i, _P),  # in this vote, for whom, or NONE
        ("votes", _i, _P),  # in this vote, for each company
        # this round
        ("agenda", _i, _P),  # NONE until revealed, and for those without one
        ("dealt", _i, _P),  # cards dealt for research
        ("way", _i, _P),  # SAFE or STANDARD, or NONE
        ("shown_n", _i, _P),  # cards turned up in a standard submission
        ("shown", _i, (_P, MAX_PORTS)),
        ("total", _i, _P),  # of this round's submission, or NONE
        # the invasion
        ("tactic", _i, THREAT_COUNT),
        ("tactic_n", _i),
        ("base_attack", _i),
        ("intel_left", _i),
        ("mashes_left", _i),
        ("attack_n", _i),
        ("attack_on", _i, MAX_ATTACK),  # company the card lies against, NONE once discarded
        ("attack_seen", _i, MAX_ATTACK),  # kind of card, NONE while face down
        ("mashed", _i, _P),  # mash cards received
        ("more_defence", _i, _P),
        ("more_fame", _i, _P),
        ("more_attack", _i, _P),
        ("moved_fame", _i, MAX_PROJECTS),  # printed fame that counts as defence
        ("moved", np.int64),  # set of projects whose fame was moved, be it 0
        ("attack", _i, _P),  # total, once all is turned up
    ],
    align=True,
)

SEAT = np.dtype(
    [
        ("me", _i),
        ("role", _i),  # HUMAN or ALIEN
        ("endgame", _i),  # own endgame card, numbered among the human or the alien ones
        ("seen", _i, MAX_PORTS),  # kind of card at own ports, NONE if unseen
        ("held", np.int64),  # set of events in hand
        ("scouted", _i, LEVELS + 1),  # top project of each pile as last seen, NONE if not known
        ("asked", _i),  # the effect (see effects.py) a choice is made for
        ("dice", np.uint64),  # this decision's randomness: see sim.random.chance
        ("params", np.float64, MAX_PARAMS),  # the strategy's own numbers
    ],
    align=True,
)

DESK = np.dtype(
    [  # where one queue is worked on: see submission.py
        ("n", _i),
        ("queue", _i, MAX_PORTS),  # as it lay
        ("order", _i, MAX_PORTS),  # after swaps
        ("acts_as_queued", _i, MAX_PORTS),  # by port of the queue: 1 = a threat, and not immune to it
        ("acts", _i, MAX_PORTS),  # by port of the order: 1 = this threat is not ignored
        ("destroys", _i, MAX_PORTS),  # by port of the order: port that its threat destroys, or NONE
        ("used", _i),  # swaps made
        ("total", _i),
        # the search's own notes, by depth
        ("pick", _i, MAX_PORTS),
        ("act", _i, MAX_PORTS),
        ("left", _i, MAX_PORTS + 1),
        ("taken", np.int64, MAX_PORTS + 1),
        ("tried", np.int64, MAX_PORTS + 1),
        ("jump", _i, MAX_PORTS + 1),
        ("swaps", _i, MAX_PORTS + 1),
        ("closed", _i, MAX_PORTS + 1),
        ("last", _i, MAX_PORTS + 1),
        ("alive", np.int64, MAX_PORTS + 1),
        ("doomed", np.int64, MAX_PORTS + 1),
        ("rest", _i, MAX_PORTS + 1),
        ("product", _i, MAX_PORTS + 1),
    ],
    align=True,
)

TALLY = np.dtype(
    [  # counted for the records, seen by nobody
        ("safe", _i),
        ("standard", _i),
        ("researched", _i),
        ("switched", _i),
        ("idle", _i),
        ("scoops_given", _i),
        ("scoops_suffered", _i),
        ("banked", _i),
        ("lost_to_cap", _i),
    ],
    align=True,
)

SECRET_STATE = np.dtype(
    [
        ("role", _i, _P),
        ("endgame", _i, _P),
        ("alien_seat", _i),
        ("first_president", _i),
        ("deck", _i, MAX_KINDS),  # copies of each kind in the deck: it is shuffled before every deal
        ("deck_n", _i),
        ("discards", _i, MAX_KINDS),
        ("queue", _i, (_P, MAX_PORTS)),
        ("pile", _i, (LEVELS + 1, MAX_PROJECTS)),  # by level, bottom first
        ("events", _i, MAX_EVENTS),  # the event deck, bottom first
        ("events_n", _i),
        ("event_discards", np.int64),  # set of events
        ("event_deals", _i),  # research cards dealt by events so far, in deals
        ("attack_kind", _i, MAX_ATTACK),
        ("attack_dealt", _i),  # how many were dealt: those after them are mash cards
        ("intel", _i),  # uses the alien began with
        ("mashes", _i),
        ("key", np.uint64, STREAMS),
        ("stream", np.uint64, STREAMS),
        ("first_key", np.uint64),  # what the first president is drawn from
        ("tally", TALLY, _P),
        ("threshold_round", _i),
        ("reveal_round", _i),
        ("reason", _i),
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("table", TABLE),
        ("seats", SEAT, _P),
        ("secret", SECRET_STATE),
        ("desk", DESK),
        ("number", _i),  # which game of the batch this is
        ("who", _i, _P),  # which strategy of the pool plays each seat
        ("choice", _i, _P),  # answers given in secret, before all are shown at once
        ("acts_n", _i),
        ("acts", _i, (MAX_ACTS, 5)),  # round, what, seat, card, detail: see acts.py
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
        ("role", np.int8),
        ("endgame", np.int8),
        ("survived", np.int8),
        ("won", np.int8),
        ("levels", np.int8, LEVELS + 1),  # completed projects by level; entry 0 is not used
        ("secret", np.int8),
        ("public", np.int8),
        ("immunities", np.int8),
        ("tokens", np.int8, ABILITY_COUNT),
        ("safe", np.int16),
        ("standard", np.int16),
        ("researched", np.int16),
        ("switched", np.int16),
        ("idle", np.int16),
        ("scoops_given", np.int16),
        ("scoops_suffered", np.int16),
        ("banked", np.int64),
        ("lost_to_cap", np.int64),
        ("attack", np.int32),
        ("defence", np.int32),
        ("fame", np.int32),
        ("attack_dealt", np.int32),  # of the attack: dealt cards
        ("attack_mash", np.int32),  # ... mash cards
        ("attack_tactics", np.int32),  # ... the share of both that is owed to tactics
        ("mashed", np.int8),  # mash cards received
        ("lead", np.int8, THIRDS),  # claimed projects ahead of the best other seat, after each third
        ("behind", np.int8),  # the most claimed projects it was ever behind, at the end of a round
    ]
)

GAME_ROW = np.dtype(
    [
        ("index", np.int64),
        ("winner", np.int8),  # seat
        ("winner_role", np.int8),
        ("why", np.int8),
        ("tied", np.int8),  # companies that shared the highest fame
        ("survivors", np.int8),
        ("alien_seat", np.int8),
        ("alien_card", np.int8),
        ("first_president", np.int8),
        ("final_president", np.int8),
        ("claimed", np.int16),
        ("threshold", np.int16),
        ("invasion_round", np.int16),  # begun, not played out
        ("threshold_round", np.int16),
        ("reveal_round", np.int16),
        ("reason", np.int8),
        ("base_attack", np.int32),
        ("tactics", np.int8),
        ("intel", np.int16),
        ("intel_used", np.int16),
        ("mashes", np.int16),
        ("mashes_used", np.int16),
        ("lead_changes", np.int16),
        ("decisions", np.int32),
        ("forced", np.int32),
        ("seat", SEAT_ROW, _P),
    ]
)


#: the numba types of what a strategy is handed
TABLE_TYPE = numba.from_dtype(TABLE)
SEAT_TYPE = numba.from_dtype(SEAT)
GAME_TYPE = numba.from_dtype(GAME)
