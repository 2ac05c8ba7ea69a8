"""Battles on the ground (R-TE-MIS-5, R-TE-MIS-6)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.asking import Q_RETREAT, answer
from sim.games.target_earth.bases import bury, cell_with, clear_cell, send_away
from sim.games.target_earth.dice import ask_bonus, ask_reroll, roll_aliens, roll_allies
from sim.games.target_earth.groups import draw_up, regroup
from sim.games.target_earth.log import (
    V_ALIEN_UNIT,
    V_ALLY_UNIT,
    V_BATTLE,
    V_BATTLE_OVER,
    V_CARRIERS_LOST,
    V_GROUND_ROUND,
    V_LOSS,
    V_RETREAT,
    V_ROUND_OVER,
    note,
    note_item,
)
from sim.games.target_earth.state import (
    ARMY_GENERAL,
    CARRIER,
    FIRST_BASE,
    GROUND,
    GROUPS,
    INFANTRY,
    MAX_ALIENS,
    MAX_ALLIES,
    NONE,
    TANK,
    TANKS,
    TROOPS,
)
from sim.random import below, branch


# --- the two sides ---------------------------------------------------------------------------------------
@rule
def open_battle(game, target, where, size):
    """Nobody stands in the field yet."""
    table = game.table
    battle = table.battle
    game.secret.stream[GROUND] = branch(game.secret.key[GROUND], 64 * table.turn + target)
    battle.target = target
    battle.where = where
    battle.ufo = size
    battle.round_no = 0
    battle.alien_n = 0
    battle.ally_n = 0
    battle.took_part = 0
    battle.left = 0
    for group in range(GROUPS):
        battle.aliens_in[group] = 0
        battle.allies_in[group] = 0
    battle.bonus_aliens = table.rules.garrison_bonus if size == NONE else 0
    fortified = where >= FIRST_BASE and table.fortified[where - FIRST_BASE] != 0
    battle.bonus_allies = table.rules.fortified_bonus if fortified else 0


@rule
def add_aliens(battle, kind, n):
    """Alien units take the field."""
    for _ in range(n):
        if battle.alien_n < MAX_ALIENS:
            battle.alien_kind[battle.alien_n] = kind
            battle.alien_group[battle.alien_n] = 0
            battle.alien_n += 1


@rule
def add_ally(battle, p, kind, elite, army, n):
    """Allied units take the field."""
    for _ in range(n):
        k = int(battle.ally_n)
        if k < MAX_ALLIES:
            battle.ally_base[k] = p
            battle.ally_kind[k] = kind
            battle.ally_elite[k] = elite
            battle.ally_army[k] = army
            battle.ally_state[k] = 1
            battle.ally_group[k] = NONE
            battle.ally_n += 1
            battle.took_part |= 1 << p


@rule
def muster(game):
    """Armies at the target, in player order; R-TE-MIS-6: infantry and tanks at home defend their base."""
    table = game.table
    battle = table.battle
    for i in range(table.bases):
        p = in_order(table, i)
        for k in range(table.armies_n):
            if table.army_base[k] == p and table.army_target[k] == battle.target:
                add_ally(battle, p, INFANTRY, 0, k, table.army_infantry[k])
                add_ally(battle, p, INFANTRY, 1, k, table.army_elite_infantry[k])
                add_ally(battle, p, TANK, 0, k, table.army_tanks[k])
                add_ally(battle, p, TANK, 1, k, table.army_elite_tanks[k])
        if battle.where == FIRST_BASE + p:
            add_ally(battle, p, INFANTRY, 0, NONE, table.home[p][INFANTRY])
            add_ally(battle, p, INFANTRY, 1, NONE, table.home_elites[p][INFANTRY])
            add_ally(battle, p, TANK, 0, NONE, table.home[p][TANK])
            add_ally(battle, p, TANK, 1, NONE, table.home_elites[p][TANK])


@rule
def note_sides(game):
    """Who stands in the field."""
    battle = game.table.battle
    note(game, V_BATTLE, NONE, battle.target, battle.where, battle.bonus_aliens, battle.bonus_allies)
    if game.tracing:
        for k in range(battle.alien_n):
            note(game, V_ALIEN_UNIT, NONE, battle.alien_kind[k], alien_factor(game.table, k), 0, 0)
        for k in range(battle.ally_n):
            note(game, V_ALLY_UNIT, battle.ally_base[k], battle.ally_kind[k], battle.ally_elite[k],
                 ally_factor(game.table, k), battle.ally_army[k])  # fmt: skip


@rule
def alien_factor(table, k):
    """Dice of an alien unit."""
    return int(table.cards.factor_alien[table.era][table.battle.alien_kind[k]] + table.battle.bonus_aliens)


@rule
def ally_factor(table, k):
    """Dice of an allied unit, bonus cards apart."""
    battle = table.battle
    technology = TROOPS if battle.ally_kind[k] == INFANTRY else TANKS
    factor = int(table.cards.factor[technology][table.level[technology]] + battle.bonus_allies)
    return factor + int(battle.ally_elite[k] * table.rules.elite_bonus)


@rule
def living_aliens(battle):
    """How many are left."""
    n = 0
    for group in range(GROUPS):
        n += int(battle.aliens_in[group])
    return n


@rule
def fighting_allies(battle):
    """How many are still in the field."""
    n = 0
    for group in range(GROUPS):
        n += int(battle.allies_in[group])
    return n


# --- rounds ----------------------------------------------------------------------------------------------
@rule
def fight_battle(game, decide):
    """R-TE-MIS-5: round by round until a side is gone; whether the Alliance won."""
    battle = game.table.battle
    game.secret.counts.battles += 1
    note_sides(game)
    battle.round_no = 1
    if battle.alien_n > 0:
        draw_up(game, decide)
    while True:
        for group in range(GROUPS):
            if battle.aliens_in[group] > 0 and battle.allies_in[group] > 0:
                fight_group(game, decide, group)
        if living_aliens(battle) == 0 or fighting_allies(battle) == 0:
            break
        battle.round_no += 1
        ask_retreats(game, decide)
        if fighting_allies(battle) == 0:
            break
        regroup(game, decide)
    won = living_aliens(battle) == 0
    game.secret.counts.battles_won += won
    return won


@rule
def fight_group(game, decide, group):
    """R-TE-MIS-5: the aliens roll, then the Alliance; the fewer hits lose a random unit, equal ones the Alliance."""
    table = game.table
    battle = table.battle
    battle.group = group
    note(game, V_GROUND_ROUND, NONE, battle.target, battle.round_no, group, 0)
    here = count_dice(game, group)
    n = 0
    for k in range(battle.alien_n):
        if battle.alien_group[k] == group:
            n += alien_factor(table, k)
    roll_aliens(game, GROUND, n)
    bonus = ask_bonus(game, decide, group, here)
    if bonus > 0:
        for k in range(battle.ally_n):
            if battle.ally_group[k] == group:
                game.dice_of[battle.ally_base[k]] += bonus
    roll_allies(game, GROUND)
    ask_reroll(game, decide, GROUND, ARMY_GENERAL, group)
    note(game, V_ROUND_OVER, NONE, battle.factor_allies, battle.bonus, battle.hits_aliens, battle.hits_allies)
    if battle.hits_allies > battle.hits_aliens:
        lose_alien(game, group)
    else:
        lose_ally(game, group)


@rule
def count_dice(game, group):
    """Each base's dice in a group; the set of bases there."""
    table = game.table
    battle = table.battle
    here = 0
    battle.units = battle.allies_in[group]
    battle.factor_allies = 0
    for p in range(table.bases):
        game.dice_of[p] = 0
    for k in range(battle.ally_n):
        if battle.ally_group[k] == group:
            p = int(battle.ally_base[k])
            factor = ally_factor(table, k)
            here |= 1 << p
            game.dice_of[p] += factor
            battle.factor_allies += factor
    return here


@rule
def lose_alien(game, group):
    """A random alien unit of the group."""
    battle = game.table.battle
    n = int(battle.aliens_in[group])
    draw = below(game.secret.stream, GROUND, n)
    at = draw
    for k in range(battle.alien_n):
        if battle.alien_group[k] == group:
            if at == 0:
                battle.alien_group[k] = NONE
                battle.aliens_in[group] -= 1
                note(game, V_LOSS, NONE, battle.alien_kind[k], k, draw, n)
                return
            at -= 1


@rule
def lose_ally(game, group):
    """A random allied unit of the group."""
    battle = game.table.battle
    n = int(battle.allies_in[group])
    draw = below(game.secret.stream, GROUND, n)
    at = draw
    for k in range(battle.ally_n):
        if battle.ally_group[k] == group:
            if at == 0:
                battle.ally_group[k] = NONE
                battle.ally_state[k] = 0
                battle.allies_in[group] -= 1
                mourn(game, k)
                note(game, V_LOSS, battle.ally_base[k], battle.ally_kind[k], battle.ally_elite[k], draw, n)
                note_item(game, NONE, k, 0, 0, 0)
                return
            at -= 1


@rule
def mourn(game, k):
    """An allied unit is gone; one that stood at home leaves its module empty."""
    battle = game.table.battle
    p, kind, elite = int(battle.ally_base[k]), int(battle.ally_kind[k]), int(battle.ally_elite[k])
    if battle.ally_army[k] == NONE:
        clear_cell(game.table, p, cell_with(game.table, p, kind, elite))
    bury(game, p, kind, elite)


@rule
def ask_retreats(game, decide):
    """A-TE-3: before a further round a base may take all its units out of a group; the attacked base may not."""
    table = game.table
    battle = table.battle
    for i in range(table.bases):
        p = in_order(table, i)
        if battle.where == FIRST_BASE + p:
            continue
        for group in range(GROUPS):
            n = units_in(battle, p, group)
            if n > 0 and answer(game, decide, p, Q_RETREAT, group, 0, 1):
                battle.left |= 1 << p
                leave_group(battle, p, group)
                note(game, V_RETREAT, p, group, n, 0, 0)


@rule
def units_in(battle, p, group):
    """A base's units in a group."""
    n = 0
    for k in range(battle.ally_n):
        n += battle.ally_group[k] == group and battle.ally_base[k] == p
    return n


@rule
def leave_group(battle, p, group):
    """They are out of this battle."""
    for k in range(battle.ally_n):
        if battle.ally_group[k] == group and battle.ally_base[k] == p:
            battle.ally_group[k] = NONE
            battle.ally_state[k] = 2
            battle.allies_in[group] -= 1


# --- afterwards ------------------------------------------------------------------------------------------
@rule
def close_battle(game):
    """R-TE-MIS-6: survivors go beside their base; carriers are lost if every allied unit died."""
    table = game.table
    battle = table.battle
    survivors = 0
    for k in range(battle.ally_n):
        if battle.ally_state[k] != 0:
            survivors += 1
            if battle.ally_army[k] != NONE:
                send_away(game, int(battle.ally_base[k]), int(battle.ally_kind[k]), int(battle.ally_elite[k]))
    for k in range(table.armies_n):
        if table.army_target[k] == battle.target:
            if survivors > 0:
                send_away(game, int(table.army_base[k]), CARRIER, 0)
            else:
                bury(game, int(table.army_base[k]), CARRIER, 0)
                note(game, V_CARRIERS_LOST, table.army_base[k], 1, 0, 0, 0)
            table.army_target[k] = NONE


@rule
def note_battle_over(game, won):
    """What came of it."""
    battle = game.table.battle
    note(game, V_BATTLE_OVER, NONE, battle.target, won, living_aliens(battle), game.table.knowledge)
