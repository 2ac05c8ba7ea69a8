"""A company's board: abilities, immunities, vaults, bank, and what the owner may look at."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.eti.asking import Q_IMMUNITY, Q_TACTIC, Q_UPGRADE, choose
from sim.games.eti.effects import MORE_TACTICS
from sim.games.eti.log import (
    UP_PROJECT,
    V_DOWNGRADE,
    V_IMMUNITY,
    V_IMMUNITY_LOST,
    V_TACTIC,
    V_UPGRADE,
    note,
)
from sim.games.eti.state import (
    ABILITY_COUNT,
    ANALYSIS,
    MAX_EFFECTS,
    NONE,
    PUBLIC,
    SECURITY,
    THREAT_COUNT,
)


@rule
def clockwise(table, i):
    """The i-th seat, counted clockwise from the president."""
    p = int(table.president) + i
    # not modulo: a division would cost more than all the rest here
    return p if p < table.players else p - int(table.players)


@rule
def is_human(table, p):
    """Everybody counts as human until the alien reveals."""
    return p != table.alien


@rule
def track_value(table, p, ability):
    """What the company's token shows on a track; the revealed alien has its own four (R-INV-3)."""
    track = ability + ABILITY_COUNT if p == table.alien else ability
    cards = table.cards
    space = min(int(table.tokens[p][ability]), int(cards.spaces[track]) - 1)
    return int(cards.track[track][space])


@rule
def may_upgrade(table, p):
    """The set of abilities with a free space left (A-20)."""
    abilities = 0
    for ability in range(ABILITY_COUNT):
        track = ability + ABILITY_COUNT if p == table.alien else ability
        if table.tokens[p][ability] < table.cards.spaces[track] - 1:
            abilities |= 1 << ability
    return abilities


@rule
def upgrade_ability(game, decide, p, ability, source, project):
    """One token more, and what it brings at once (R-SET-3, R-UPG-1)."""
    table = game.table
    table.tokens[p][ability] += 1
    note(game, V_UPGRADE, p, ability, source, project, table.tokens[p][ability])
    if ability == SECURITY:
        settle_immunities(game, decide, p)
    elif ability == ANALYSIS:
        look_at_ports(game, p)


@rule
def free_upgrade(game, decide, p, ability, source):
    """An upgrade that comes without a project; ability NONE: the company chooses."""
    legal = may_upgrade(game.table, p)
    if ability != NONE:
        legal &= 1 << ability
    chosen = choose(game, decide, p, Q_UPGRADE, legal)
    if chosen != NONE:
        upgrade_ability(game, decide, p, chosen, source, NONE)


# --- immunities and tactics ------------------------------------------------------------------------------
@rule
def settle_immunities(game, decide, p):
    """Choose or give back immunities until there are as many as the company may have (A-6, A-21)."""
    table = game.table
    if p == table.alien:
        settle_tactics(game, decide, p)
        return
    allowed = min(THREAT_COUNT, track_value(table, p, SECURITY) + int(table.granted[p]))
    while table.immunity_n[p] > allowed:
        lose_immunity(game, p)
    while table.immunity_n[p] < allowed:
        threat = choose(game, decide, p, Q_IMMUNITY, open_threats(table.immune[p]))
        table.immune[p][threat] = 1
        table.immunity[p][table.immunity_n[p]] = threat
        table.immunity_n[p] += 1
        note(game, V_IMMUNITY, p, threat, 0, 0, 0)


@rule
def open_threats(taken):
    """The set of threats not taken yet."""
    threats = 0
    for threat in range(THREAT_COUNT):
        if taken[threat] == 0:
            threats |= 1 << threat
    return threats


@rule
def lose_immunity(game, p):
    """A-6: the immunity chosen last goes (option: the first)."""
    table = game.table
    n = int(table.immunity_n[p]) - 1
    place = n if table.rules.immunity_lost_last else 0
    threat = int(table.immunity[p][place])
    for later in range(place, n):
        table.immunity[p][later] = table.immunity[p][later + 1]
    table.immunity_n[p] = n
    table.immune[p][threat] = 0
    note(game, V_IMMUNITY_LOST, p, threat, 0, 0, 0)


@rule
def settle_tactics(game, decide, p):
    """The revealed alien takes all the tactics it may have (R-INV-3, R-INV-5, A-21)."""
    table = game.table
    allowed = track_value(table, p, SECURITY) + int(table.granted[p])
    allowed = min(THREAT_COUNT, allowed + alien_effect(table, MORE_TACTICS))
    while table.tactic_n < allowed:
        threat = choose(game, decide, p, Q_TACTIC, open_threats(table.tactic))
        table.tactic[threat] = 1
        table.tactic_n += 1
        note(game, V_TACTIC, p, threat, 0, 0, 0)


@rule
def alien_effect(table, effect):
    """What the alien card adds to one thing."""
    total = 0
    for k in range(MAX_EFFECTS):
        if table.cards.alien_effects[table.alien_card][k][0] == effect:
            total += int(table.cards.alien_effects[table.alien_card][k][1])
    return total


# --- vaults ----------------------------------------------------------------------------------------------
@rule
def gain_project(game, decide, p, project, place):
    """A completed project goes into a vault and its upgrades work at once (R-UPG-1)."""
    table = game.table
    cards = table.cards
    table.place[project] = place
    table.owner[project] = p
    table.vault[p] |= 1 << project
    table.completed[p] += 1
    table.field_n[p][cards.field[project]] += 1
    table.highest[p] = max(table.highest[p], cards.level[project])
    for ability in range(ABILITY_COUNT):
        for _ in range(cards.upgrades[project][ability]):
            upgrade_ability(game, decide, p, ability, UP_PROJECT, project)


@rule
def lose_project(game, decide, p, project):
    """A completed project leaves a vault, and its upgrades with it (R-EVT-3)."""
    table = game.table
    cards = table.cards
    table.vault[p] &= ~(1 << project)
    table.completed[p] -= 1
    table.field_n[p][cards.field[project]] -= 1
    table.highest[p] = highest_level(table, p)
    for ability in range(ABILITY_COUNT):
        for _ in range(cards.upgrades[project][ability]):
            table.tokens[p][ability] -= 1
            note(game, V_DOWNGRADE, p, ability, 0, project, table.tokens[p][ability])
            if ability == ANALYSIS:
                look_at_ports(game, p)  # a designer's track may well show more on a lower space
    settle_immunities(game, decide, p)


@rule
def highest_level(table, p):
    """The highest level among a company's completed projects, 0 without any."""
    highest = 0
    vault = int(table.vault[p])
    while vault != 0:
        highest = max(highest, int(table.cards.level[lowest(vault)]))
        vault &= vault - 1
    return highest


@rule
def move_project(game, decide, giver, taker, project):
    """R-EVT-3: into the receiver's public vault, upgrades and all."""
    lose_project(game, decide, giver, project)
    gain_project(game, decide, taker, project, PUBLIC)


# --- looking ---------------------------------------------------------------------------------------------
@rule
def look_at_ports(game, p):
    """R-RES-4: analysis shows the first ports, at any time; what was seen stays known."""
    shown = min(track_value(game.table, p, ANALYSIS), int(game.table.queue_n[p]))
    for port in range(shown):
        game.seats[p].seen[port] = game.secret.queue[p][port]
