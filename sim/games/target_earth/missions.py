"""Step 7, second half: missions are resolved, and UFOs have their way (R-TE-MIS-2, R-TE-MIS-3)."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.target_earth.acts import ACT_BEATEN, ACT_RAID, ACT_SUCCEEDED, act
from sim.games.target_earth.air import play_diplomacy
from sim.games.target_earth.alliance import in_order, vote_one, vote_yes
from sim.games.target_earth.armies import send_armies
from sim.games.target_earth.asking import (
    Q_CREW,
    Q_FREE_ATTEMPT,
    Q_KNOWLEDGE_CARD,
    Q_NEXT_MISSION,
    Q_SQUAD,
    answer,
)
from sim.games.target_earth.bases import cell_with, remove_module
from sim.games.target_earth.battle import (
    add_aliens,
    close_battle,
    fight_battle,
    living_aliens,
    muster,
    note_battle_over,
    open_battle,
)
from sim.games.target_earth.countries import add_points, change_status, die, two_dice
from sim.games.target_earth.diplomacy import attempt
from sim.games.target_earth.hands import may_play, play_card
from sim.games.target_earth.log import (
    BY_FREE,
    V_CONQUEST,
    V_ELITE,
    V_KNOWLEDGE,
    V_MODULE_LOST,
    V_RAID,
    note,
    note_dice,
)
from sim.games.target_earth.points import reward_fighters
from sim.games.target_earth.state import (
    ALIEN,
    ALIEN_TANK,
    ALIENS,
    ALLIANCE,
    ALLIED,
    ARMY_GENERAL,
    BARRACKS,
    CREW,
    FIRST_BASE,
    FIRST_COUNTRY,
    GARAGE,
    GROUND,
    HANGAR,
    INFANTRY,
    KNOWLEDGE,
    LABORATORY,
    NEUTRAL,
    NONE,
    RADAR,
    SOLDIER,
    SQUAD,
    TANK,
    TERROR,
    WAREHOUSE,
    WIDTH,
)
from sim.games.target_earth.ufos import join_attacks


@rule
def missions(game, decide):
    """R-TE-MIS: armies are sent; slots from left to right, then alien countries in the order the Alliance likes."""
    table = game.table
    join_attacks(table)
    send_armies(game, decide)
    for slot in range(table.ufo_n):
        if table.ufo[slot] != NONE and table.joined[slot] == slot and table.objective[slot] != NONE:
            resolve_slot(game, decide, slot)
    while True:
        goals = alien_goals(table)
        if goals == 0:
            return
        storm(game, decide, vote_one(game, decide, Q_NEXT_MISSION, goals))


@rule
def alien_goals(table):
    """The alien countries to which armies were sent and that have not been fought over yet."""
    goals = 0
    for k in range(table.armies_n):
        if table.army_target[k] >= FIRST_COUNTRY:
            goals |= 1 << (table.army_target[k] - FIRST_COUNTRY)
    return goals


@rule
def land(game, slot):
    """R-TE-MIS-5: the units of the UFO, and of those that joined it (R-TE-MIS-7)."""
    table = game.table
    battle = table.battle
    for other in range(slot, table.ufo_n):
        if table.ufo[other] != NONE and table.joined[other] == slot:
            load = table.cards.load[table.era][table.ufo[other]]
            add_aliens(battle, SOLDIER, load[SOLDIER])
            add_aliens(battle, ALIEN_TANK, load[ALIEN_TANK])
            battle.ufo = max(battle.ufo, table.ufo[other])


@rule
def resolve_slot(game, decide, slot):
    """A battle if there are allied units, else the UFO has its way."""
    table = game.table
    battle = table.battle
    open_battle(game, slot, int(table.objective[slot]), int(table.ufo[slot]))
    land(game, slot)
    muster(game)
    if battle.ally_n == 0:
        succeed(game, slot, int(battle.alien_n + table.rules.undefended_modules))
        return
    if fight_battle(game, decide):
        note_battle_over(game, 1)
        remove_ufos(game, slot)
        win_mission(game, decide, slot)
        close_battle(game)
    else:
        note_battle_over(game, 0)
        close_battle(game)
        succeed(game, slot, living_aliens(battle))


@rule
def remove_ufos(game, slot):
    """R-TE-MIS-2: beaten UFOs are gone."""
    table = game.table
    for other in range(slot, table.ufo_n):
        if table.ufo[other] != NONE and table.joined[other] == slot:
            act(game, ACT_BEATEN, table.ufo[other], NONE, table.objective[slot])
            game.secret.counts.beaten += 1
            table.ufo[other] = NONE


# --- victories -------------------------------------------------------------------------------------------
@rule
def win_mission(game, decide, slot):
    """R-TE-MIS-2, A-TE-16: knowledge, a free attempt, cards. `slot` is NONE at an alien country."""
    table = game.table
    battle = table.battle
    table.knowledge += table.rules.victory_knowledge
    note(game, V_KNOWLEDGE, NONE, table.knowledge, 0, 0, 0)
    reward_fighters(game, ARMY_GENERAL)
    tile = int(battle.where)
    if slot != NONE and tile < FIRST_BASE:
        try_free_attempt(game, decide, tile)
    learned, courted = False, slot == NONE
    for i in range(table.bases):
        p = in_order(table, i)
        promote(game, decide, p, SQUAD, INFANTRY, Q_SQUAD)
        promote(game, decide, p, CREW, TANK, Q_CREW)
        learned = learned or play_knowledge(game, decide, p)
        courted = courted or play_diplomacy(game, decide, p, tile)


@rule
def try_free_attempt(game, decide, country):
    """R-TE-MIS-2: a neutral country saved from a large or terror UFO may be won over at once."""
    table = game.table
    size = int(table.battle.ufo)
    if size < table.rules.free_attempt_size or table.status[country] != NEUTRAL:
        return
    if (table.changed >> country) & 1:
        return
    if vote_yes(game, decide, Q_FREE_ATTEMPT, country):
        extra = int(table.rules.terror_attempt) if size == TERROR else 0
        attempt(game, decide, country, BY_FREE, NONE, extra, ALLIANCE, ALLIED)


@rule
def promote(game, decide, p, card, unit, question):
    """R-TE-CARD-2: one plain infantry or tank that has won becomes elite."""
    table = game.table
    battle = table.battle
    k = winner_of(battle, p, unit)
    if (
        k == NONE
        or may_play(game, p, card) == 0
        or not answer(game, decide, p, question, battle.target, 0, 1)
    ):
        return
    play_card(game, p, card, NONE)
    if battle.ally_army[k] == NONE:
        cell = cell_with(table, p, unit, 0)
        table.unit_elite[p][cell] = 1
        table.home[p][unit] -= 1
        table.home_elites[p][unit] += 1
    battle.ally_elite[k] = 1
    table.elites[p][unit] += 1
    note(game, V_ELITE, p, unit, battle.ally_army[k] == NONE, 0, 0)


@rule
def winner_of(battle, p, unit):
    """A base's first plain unit of a kind that is still in the field."""
    for k in range(battle.ally_n):
        if battle.ally_base[k] == p and battle.ally_kind[k] == unit:
            if battle.ally_state[k] == 1 and not battle.ally_elite[k]:
                return k
    return NONE


@rule
def play_knowledge(game, decide, p):
    """R-TE-CARD-2, A-TE-9: one knowledge more, once a victory; whether the card was played."""
    table = game.table
    if may_play(game, p, KNOWLEDGE) == 0:
        return False
    if not answer(game, decide, p, Q_KNOWLEDGE_CARD, table.battle.target, 0, 1):
        return False
    play_card(game, p, KNOWLEDGE, NONE)
    table.knowledge += table.rules.card_knowledge
    note(game, V_KNOWLEDGE, NONE, table.knowledge, 0, 0, 0)
    return True


@rule
def storm(game, decide, country):
    """R-TE-MIS-2: a mission against an alien base; if it is destroyed the country turns neutral, two points."""
    table = game.table
    battle = table.battle
    open_battle(game, FIRST_COUNTRY + country, country, NONE)
    add_aliens(battle, SOLDIER, table.cards.garrison[table.era][SOLDIER])
    add_aliens(battle, ALIEN_TANK, table.cards.garrison[table.era][ALIEN_TANK])
    muster(game)
    won = fight_battle(game, decide)
    note_battle_over(game, won)
    if won:
        game.secret.counts.bases_destroyed += 1
        table.bonus_points += table.rules.base_points
        add_points(table, ALLIANCE, table.rules.base_points)
        change_status(game, country, NEUTRAL, NONE)
        win_mission(game, decide, NONE)
    close_battle(game)


# --- defeats ---------------------------------------------------------------------------------------------
@rule
def succeed(game, slot, modules):
    """R-TE-MIS-3: nobody stopped the UFO."""
    table = game.table
    tile = int(table.objective[slot])
    if tile < FIRST_BASE:
        conquer(game, slot, tile)
    else:
        raid(game, slot, tile - FIRST_BASE, modules)


@rule
def conquer(game, slot, country):
    """R-TE-MIS-3: two dice and 0 to 3 by size; the country goes one step to the aliens."""
    table = game.table
    size = int(table.ufo[slot])
    success = two_dice(game, GROUND) + table.cards.ufo_bonus[size] >= table.cards.diplomacy[country]
    note(game, V_CONQUEST, NONE, slot, size, country, success)
    note_dice(game, NONE, 0, 2, 0)
    if success:
        game.secret.counts.succeeded += 1
        act(game, ACT_SUCCEEDED, size, NONE, country)
        change_status(game, country, NEUTRAL if table.status[country] == ALLIED else ALIEN, NONE)


@rule
def raid(game, slot, p, modules):
    """R-TE-MIS-3: random modules are lost, an alien point each."""
    table = game.table
    note(game, V_RAID, p, slot, modules, 0, 0)
    game.secret.counts.succeeded += 1
    act(game, ACT_RAID, table.ufo[slot], p, min(modules, int(table.modules_n[p])))
    for _ in range(modules):
        if table.modules_n[p] == 0:
            return
        cell = die_module(game, p) if table.rules.die_picks_module else grid_module(game, p)
        module = int(table.module[p][cell])
        unit = remove_module(game, p, cell)
        add_points(table, ALIENS, table.rules.module_points)
        note(game, V_MODULE_LOST, p, module, cell, unit, table.points[ALIENS])


@rule
def grid_module(game, p):
    """Two dice, column and row, until they hit a module."""
    while True:
        two_dice(game, GROUND)
        note_dice(game, p, 0, 2, 0)
        cell = int(game.dice[0] - 1 + WIDTH * (game.dice[1] - 1))
        if (game.table.built[p] >> cell) & 1:
            return cell


@rule
def die_module(game, p):
    """R-TE-OPT-1: a die picks the kind, until the base has one; an empty one of them goes first."""
    table = game.table
    while True:
        game.dice[0] = die(game, GROUND)
        note_dice(game, p, 0, 1, 0)
        cells = int(table.cells_of[p][module_on_die(game.dice[0])])
        if cells != 0:
            empty = cells & ~int(table.held[p])
            return lowest(empty if empty != 0 else cells)


@rule
def module_on_die(number):
    """R-TE-OPT-1: warehouse, hangar, barracks, garage, radar, laboratory."""
    if number <= 2:
        return WAREHOUSE if number == 1 else HANGAR
    if number <= 4:
        return BARRACKS if number == 3 else GARAGE
    return RADAR if number == 5 else LABORATORY
