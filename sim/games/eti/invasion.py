"""Chapter IV: the alien reveals, the fleet comes, and somebody wins (R-INV-1 to R-INV-13)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti import effects as e
from sim.games.eti.acts import ACT_REVEAL, act
from sim.games.eti.asking import (
    Q_INTEL,
    Q_MASH,
    Q_MOVE_CARD,
    Q_MOVE_TO,
    Q_REVEAL,
    Q_TURN_UP,
    answer,
    choose,
    choose_or_none,
    fault,
)
from sim.games.eti.companies import (
    alien_effect,
    clockwise,
    gain_project,
    is_human,
    settle_tactics,
    track_value,
)
from sim.games.eti.company_effects import apply_effects
from sim.games.eti.events import play_hand, renew_events
from sim.games.eti.log import (
    BADGE_REVEAL,
    PICK_IDLE,
    PICK_REVEAL,
    V_ALIEN_BOARD,
    V_ATTACK,
    V_BADGE,
    V_ENDGAME,
    V_INTEL,
    V_INVASION,
    V_ITEM,
    V_LEFTOVERS,
    V_MASH,
    V_MASHES,
    V_MOVE,
    V_REVEAL,
    V_REVEAL_MORE,
    V_TURN_UP,
    V_WAIT,
    note,
)
from sim.games.eti.projects import pick_project, take_from_middle
from sim.games.eti.research import cards_left, discard_queue, draw_card, log_queue, shuffle_discards_in
from sim.games.eti.state import (
    ALIEN_VAULT,
    ANALYSIS,
    AT_ONCE,
    CREATIVITY,
    KEEP_INVASION,
    LIMIT,
    MAX_PLAYERS,
    NO_PROJECT,
    NONE,
    PHASE_INVASION,
    PHASE_REVEAL,
    STAFFING,
    THREAT_COUNT,
    TIME,
)
from sim.games.eti.streams import ATTACK as ATTACK_STREAM
from sim.games.eti.submission import scoop_by_reveal
from sim.random import branch


# --- the reveal ------------------------------------------------------------------------------------------
@rule
def reveal_phase(game, decide):
    """At the start of a round: does the alien reveal, and does the invasion come? Returns why, or NONE."""
    table = game.table
    table.phase = PHASE_REVEAL
    limit = table.round_no >= table.rules.max_rounds
    if table.alien != NONE:
        return invasion_due(table, limit)
    if not limit and table.claimed < table.threshold:
        return NONE
    forced = limit or table.claimed >= table.must_reveal
    alien = int(game.secret.alien_seat)
    if not forced and answer(game, decide, alien, Q_REVEAL, 0, 0, 1) == 0:
        note(game, V_WAIT, alien, 0, 0, 0, 0)
        return NONE
    reveal(game, decide, alien, forced, limit)
    if limit:
        return LIMIT
    return AT_ONCE if table.rounds_left == 0 else NONE


@rule
def invasion_due(table, limit):
    """R-INV-4: no project is left in the middle, or the time is up."""
    if table.face_up_n == 0:
        return NO_PROJECT
    table.rounds_left -= 1
    if table.rounds_left <= 0:
        return TIME
    return LIMIT if limit else NONE


@rule
def reveal(game, decide, alien, forced, limit):
    """R-INV-2, R-INV-3: the alien claims its project, its rivals are scooped, its board is turned over."""
    table = game.table
    game.secret.reveal_round = table.round_no
    project = int(table.studying[alien])
    if project != NONE:
        take_from_middle(table, project)
        table.studying[alien] = NONE
        table.claimed += table.rules.count_reveal
        gain_project(game, decide, alien, project, ALIEN_VAULT)
        act(game, ACT_REVEAL, alien, project, ALIEN_VAULT)
    turn_board_over(game, alien)
    rounds = track_value(table, alien, STAFFING) + alien_effect(table, e.ROUNDS)
    table.rounds_left = 0 if limit else max(0, rounds)
    log_reveal(game, alien, forced, project)
    leave_the_humans(game, alien)
    log_board(game, alien)
    settle_tactics(game, decide, alien)
    pass_badge_on(game)
    scoop_humans(game, decide, alien, project)


@rule
def turn_board_over(game, alien):
    """R-INV-3: immunities become tactics; its projects lie in one vault."""
    table = game.table
    table.alien = alien
    table.alien_card = game.secret.endgame[alien]
    for threat in range(THREAT_COUNT):
        table.tactic[threat] = table.immune[alien][threat]
    table.tactic_n = table.immunity_n[alien]
    for project in range(table.cards.projects):
        if (table.vault[alien] >> project) & 1:
            table.place[project] = ALIEN_VAULT
    for p in range(MAX_PLAYERS):
        table.promised[p][alien] = 0
        table.promised[alien][p] = 0


@rule
def log_reveal(game, alien, forced, project):
    """The reveal as it is seen."""
    table = game.table
    note(game, V_REVEAL, alien, forced, project, table.bank[alien], table.rounds_left)
    note(game, V_REVEAL_MORE, alien, game.seats[alien].held, table.claimed, 0, 0)
    log_queue(game, alien)


@rule
def log_board(game, alien):
    """Tokens and values of the alien's four tracks, and its tactics."""
    if not game.tracing:
        return
    note(game, V_ALIEN_BOARD, alien, 0, 0, 0, 0)
    for ability in range(4):
        tokens = game.table.tokens[alien][ability]
        note(game, V_ITEM, alien, 0, ability, tokens, track_value(game.table, alien, ability))
    for k in range(game.table.immunity_n[alien]):
        note(game, V_ITEM, alien, 1, game.table.immunity[alien][k], 0, 0)


@rule
def leave_the_humans(game, alien):
    """A-10: queue, bank and held events are discarded."""
    table = game.table
    table.bank[alien] = 0
    discard_queue(game, alien)
    game.secret.event_discards |= game.seats[alien].held
    game.seats[alien].held = 0
    table.held_n[alien] = 0


@rule
def pass_badge_on(game):
    """A-2: an alien president loses the badge at once to the next human on the left."""
    table = game.table
    if table.president == table.alien and table.rules.badge_leaves_alien:
        table.president = clockwise(table, 1)
        note(game, V_BADGE, table.president, BADGE_REVEAL, table.claimed, 0, 0)
        renew_events(game)


@rule
def scoop_humans(game, decide, alien, project):
    """R-INV-2: humans on the alien's project are scooped and pick anew at once; so do the idle (A-26)."""
    table = game.table
    scooped = 0
    for i in range(table.players):
        p = clockwise(table, i)
        if project != NONE and table.studying[p] == project:
            scoop_by_reveal(game, p, project, alien)
            scooped |= 1 << p
    for i in range(table.players):
        p = clockwise(table, i)
        if (scooped >> p) & 1:
            pick_project(game, decide, p, PICK_REVEAL)
        elif table.studying[p] == NONE and is_human(table, p) and table.face_up_n > 0:
            pick_project(game, decide, p, PICK_IDLE)


# --- the fleet -------------------------------------------------------------------------------------------
@rule
def prepare_invasion(game, decide, why):
    """R-INV-5 to R-INV-9: leftovers, attack cards, intel, mashes, the humans' endgame cards."""
    table = game.table
    table.phase = PHASE_INVASION
    alien = int(table.alien)
    note(game, V_INVASION, table.president, table.round_no, why, 0, 0)
    take_leftovers(game, decide, alien)
    table.base_attack = track_value(table, alien, ANALYSIS) + alien_effect(table, e.BASE_ATTACK)
    deal_attack_cards(game)
    use_intel(game, decide, alien)
    make_mashes(game, decide, alien)
    for i in range(table.players):
        p = clockwise(table, i)
        if is_human(table, p):
            play_endgame_card(game, decide, p)


@rule
def take_leftovers(game, decide, alien):
    """R-INV-5: all unclaimed projects and their upgrades are the alien's."""
    table = game.table
    note(game, V_LEFTOVERS, alien, 0, 0, 0, 0)
    for k in range(table.face_up_n):
        note(game, V_ITEM, alien, 0, table.face_up[k], 0, 0)
    for k in range(table.face_up_n):
        gain_project(game, decide, alien, int(table.face_up[k]), ALIEN_VAULT)
    table.face_up_n = 0
    for p in range(table.players):
        table.studying[p] = NONE


@rule
def deal_attack_cards(game):
    """R-INV-6: as many as the multiplier, face down, against each human."""
    table = game.table
    if table.rules.attack_from_all_cards:
        for p in range(table.players):
            discard_queue(game, p)
    shuffle_discards_in(game)
    each = table.multiplier + table.rules.attack_cards + alien_effect(table, e.ATTACK_CARDS)
    for i in range(table.players):
        p = clockwise(table, i)
        if is_human(table, p):
            note(game, V_ATTACK, p, 0, 0, 0, 0)
            begin_attack(game, p)
            for _ in range(each):
                add_attack_card(game, p)
    game.secret.attack_dealt = table.attack_n


@rule
def begin_attack(game, p):
    """Luck of its own for the cards against each seat."""
    secret = game.secret
    secret.stream[ATTACK_STREAM] = branch(secret.key[ATTACK_STREAM], p)


@rule
def add_attack_card(game, p):
    """One card from the deck, face down; its number, or NONE when the deck is dry."""
    table = game.table
    kind = draw_card(game, ATTACK_STREAM)
    if kind == NONE:
        return NONE
    card = int(table.attack_n)
    table.attack_n = card + 1
    table.attack_on[card] = p
    table.attack_seen[card] = NONE
    game.secret.attack_kind[card] = kind
    note(game, V_ITEM, p, 0, kind, card, 0)
    return card


# --- intel and mashes ------------------------------------------------------------------------------------
@rule
def use_intel(game, decide, alien):
    """R-INV-7: each use turns up a card or moves one, seen or unseen, in any order."""
    table = game.table
    table.intel_left = max(0, track_value(table, alien, CREATIVITY) + alien_effect(table, e.INTEL_USES))
    game.secret.intel = table.intel_left
    note(game, V_INTEL, alien, table.intel_left, 0, 0, 0)
    while table.intel_left > 0 and table.attack_n > 0:
        hidden = hidden_cards(table)
        use = answer(game, decide, alien, Q_INTEL, 0, 0, 2)
        if use == 0:
            return
        if use == 1 and hidden == 0:
            fault(game, alien, Q_INTEL, 0, 1.0)  # nothing left to turn up
        table.intel_left -= 1
        if use == 1:
            turn_up(game, choose(game, decide, alien, Q_TURN_UP, hidden))
        else:
            move_card(game, decide, alien)


@rule
def hidden_cards(table):
    """The set of attack cards still face down."""
    cards = 0
    for card in range(table.attack_n):
        if table.attack_seen[card] == NONE and table.attack_on[card] != NONE:
            cards |= 1 << card
    return cards


@rule
def turn_up(game, card):
    """For all to see."""
    game.table.attack_seen[card] = game.secret.attack_kind[card]
    note(game, V_TURN_UP, game.table.attack_on[card], card, game.secret.attack_kind[card], 0, 0)


@rule
def move_card(game, decide, alien):
    """To another human."""
    table = game.table
    card = choose(game, decide, alien, Q_MOVE_CARD, (1 << int(table.attack_n)) - 1)
    origin = int(table.attack_on[card])
    to = choose(game, decide, alien, Q_MOVE_TO, humans(table) & ~(1 << origin))
    table.attack_on[card] = to
    note(game, V_MOVE, alien, card, origin, to, 0)


@rule
def humans(table):
    """The set of human seats."""
    return ((1 << int(table.players)) - 1) & ~(1 << int(table.alien))


@rule
def make_mashes(game, decide, alien):
    """R-INV-8: two projects may give one more card, at most one a company."""
    table = game.table
    mashes = int(table.completed[alien]) // int(table.rules.mash_projects) + alien_effect(table, e.MASHES)
    table.mashes_left = max(0, mashes)
    game.secret.mashes = table.mashes_left
    note(game, V_MASHES, alien, table.completed[alien], table.mashes_left, 0, 0)
    game.secret.stream[ATTACK_STREAM] = branch(game.secret.key[ATTACK_STREAM], MAX_PLAYERS)
    while table.mashes_left > 0 and cards_left(game):
        company = choose_or_none(game, decide, alien, Q_MASH, mash_targets(table))
        if company == NONE:
            return
        table.mashes_left -= 1
        table.mashed[company] += 1
        note(game, V_MASH, company, 0, 0, 0, 0)
        add_attack_card(game, company)


@rule
def mash_targets(table):
    """Companies that may get one more mash card."""
    targets = 0
    for p in range(table.players):
        if is_human(table, p) and table.mashed[p] < table.rules.mash_limit:
            targets |= 1 << p
    return targets


@rule
def play_endgame_card(game, decide, p):
    """R-INV-9, A-24: the endgame card, then the held events that are played in the invasion."""
    note(game, V_ENDGAME, p, game.secret.endgame[p], 0, 0, 0)
    apply_effects(game, decide, p, game.table.cards.human_effects[game.secret.endgame[p]])
    if game.table.held_n[p] > 0:
        play_hand(game, decide, p, KEEP_INVASION)
