"""What is recorded of a game: who won, how long it took, what each company did and held."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.acts import ACT_REVEAL
from sim.games.eti.battle import card_attack
from sim.games.eti.state import (
    ABILITY_COUNT,
    LEVELS,
    MAX_PLAYERS,
    NONE,
    PUBLIC,
    SECRET,
    THIRDS,
    THREAT,
)


@rule
def count_vaults(game, row):
    """What each company holds when the attack comes, before losses."""
    table = game.table
    for p in range(MAX_PLAYERS):
        seat = row.seat[p]
        seat.secret = 0
        seat.public = 0
        for level in range(LEVELS + 1):
            seat.levels[level] = 0
    for project in range(table.cards.projects):
        owner = int(table.owner[project])
        if owner != NONE:
            seat = row.seat[owner]
            seat.levels[table.cards.level[project]] += 1
            seat.secret += table.place[project] == SECRET
            seat.public += table.place[project] == PUBLIC


@rule
def fill_row(game, index, why, row):
    """The result of a game."""
    table, secret = game.table, game.secret
    row.index = index
    row.winner_role = secret.role[row.winner]
    row.alien_seat = secret.alien_seat
    row.alien_card = table.alien_card
    row.first_president = secret.first_president
    row.final_president = table.president
    row.claimed = table.claimed
    row.invasion_round = table.round_no
    row.threshold_round = secret.threshold_round
    row.reveal_round = secret.reveal_round
    row.reason = why
    row.decisions = game.decisions
    row.forced = game.forced
    row.threshold = table.threshold
    row.base_attack = table.base_attack
    row.tactics = table.tactic_n
    row.intel = secret.intel
    row.intel_used = secret.intel - table.intel_left
    row.mashes = secret.mashes
    row.mashes_used = secret.mashes - table.mashes_left
    for p in range(table.players):
        fill_seat_row(table, secret, p, row.seat[p])
        row.seat[p].won = p == row.winner
    fill_attacks(table, secret, row)
    follow_leads(game, row)


@rule
def fill_seat_row(table, secret, p, seat):
    """The result of one seat."""
    tally = secret.tally[p]
    seat.role = secret.role[p]
    seat.endgame = secret.endgame[p]
    seat.immunities = table.immunity_n[p]
    for ability in range(ABILITY_COUNT):
        seat.tokens[ability] = table.tokens[p][ability]
    seat.safe = tally.safe
    seat.standard = tally.standard
    seat.researched = tally.researched
    seat.switched = tally.switched
    seat.idle = tally.idle
    seat.scoops_given = tally.scoops_given
    seat.scoops_suffered = tally.scoops_suffered
    seat.banked = tally.banked
    seat.lost_to_cap = tally.lost_to_cap


@rule
def fill_attacks(table, secret, row):
    """What the attack on each company was made of."""
    for p in range(table.players):
        seat = row.seat[p]
        seat.attack_dealt = 0
        seat.attack_mash = 0
        seat.attack_tactics = 0
        seat.mashed = table.mashed[p]
    for card in range(table.attack_n):
        p = int(table.attack_on[card])
        if p != NONE:
            kind = int(table.attack_seen[card])
            value = card_attack(table, p, kind)
            if card < secret.attack_dealt:
                row.seat[p].attack_dealt += value
            else:
                row.seat[p].attack_mash += value
            row.seat[p].attack_tactics += tactic_attack(table, p, kind, value)


@rule
def tactic_attack(table, p, kind, value):
    """How much of a card's attack is there because its threat is one of the alien's tactics."""
    cards, rules = table.cards, table.rules
    if cards.kind_type[kind] != THREAT or not table.tactic[cards.kind_value[kind]]:
        return 0
    if table.immune[p][cards.kind_value[kind]]:
        return value - int(rules.attack_plain_immune)
    return value - int(rules.attack_plain_open)


# --- who was ahead ---------------------------------------------------------------------------------------
@rule
def follow_leads(game, row):
    """Claimed projects round by round: the lead after each third, the worst lag, how often the leader changed."""
    rounds = int(game.table.round_no)
    for p in range(MAX_PLAYERS):
        game.choice[p] = 0
        row.seat[p].behind = 0
    row.lead_changes = 0
    leader = NONE
    k = 0
    for third in range(THIRDS):
        while k < game.acts_n and game.acts[k][0] * THIRDS <= rounds * (third + 1):
            k, claims = count_claims(game, k)
            if claims > 0:
                leader = note_leader(game, row, leader)
        first, most, next_most = front(game)
        for p in range(game.table.players):
            row.seat[p].lead[third] = game.choice[p] - (next_most if p == first else most)


@rule
def count_claims(game, k):
    """Count the claims of the round in which act k fell; the first act of a later round, and how many there were."""
    round_no = game.acts[k][0]
    claims = 0
    while k < game.acts_n and game.acts[k][0] == round_no:
        if game.acts[k][1] <= ACT_REVEAL:
            game.choice[game.acts[k][2]] += 1
            claims += 1
        k += 1
    return k, claims


@rule
def note_leader(game, row, leader):
    """Everybody's lag at the end of a round, and the seat that is alone in front, or the last one that was."""
    first, most, next_most = front(game)
    for p in range(game.table.players):
        row.seat[p].behind = max(int(row.seat[p].behind), most - int(game.choice[p]))
    if most > next_most and first != leader:
        row.lead_changes += leader != NONE
        leader = first
    return leader


@rule
def front(game):
    """A seat with the most claims, how many it has, and the most that any other seat has."""
    first, most, next_most = 0, int(game.choice[0]), 0
    for p in range(1, game.table.players):
        claims = int(game.choice[p])
        if claims > most:
            first, most, next_most = p, claims, most
        else:
            next_most = max(next_most, claims)
    return first, most, next_most
