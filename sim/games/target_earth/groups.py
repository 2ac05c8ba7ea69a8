"""Combat groups: who stands where, before the first round and between rounds (R-TE-MIS-5)."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.target_earth.asking import Q_GROUP, choose
from sim.games.target_earth.log import V_GROUP_DRAW, V_GROUP_OF, V_GROUPS, note
from sim.games.target_earth.state import ALIEN_TANK, GROUND, GROUPS, NONE
from sim.random import below, shuffle


@rule
def draw_up(game, decide):
    """R-TE-MIS-5: both sides take their places anew."""
    battle = game.table.battle
    note(game, V_GROUPS, NONE, battle.round_no, 1, 0, 0)
    for group in range(GROUPS):
        battle.aliens_in[group] = 0
        battle.allies_in[group] = 0
    spread_aliens(game)
    for k in range(battle.ally_n):
        battle.ally_group[k] = NONE
    place_allies(game, decide, True)
    gather_aliens(game)
    note_groups(game)


@rule
def spread_aliens(game):
    """As widely as possible, in random order."""
    battle, order = game.table.battle, game.order
    n = 0
    tanks = 0
    for k in range(battle.alien_n):
        if battle.alien_group[k] != NONE:
            order[n] = k
            n += 1
            tanks += battle.alien_kind[k] == ALIEN_TANK
    if 0 < tanks < n:  # else all are alike
        shuffle(game.secret.stream, GROUND, order, n)
    for at in range(n):
        group = at % int(game.table.rules.groups)
        battle.alien_group[order[at]] = group
        battle.aliens_in[group] += 1
    battle.units = n


@rule
def contested(battle):
    """The groups with both sides in them."""
    both = 0
    for group in range(GROUPS):
        if battle.aliens_in[group] > 0 and battle.allies_in[group] > 0:
            both |= 1 << group
    return both


@rule
def groups_of_aliens(battle):
    """The groups with aliens."""
    groups = 0
    for group in range(GROUPS):
        if battle.aliens_in[group] > 0:
            groups |= 1 << group
    return groups


@rule
def place_allies(game, decide, everywhere):
    """Unit by unit; `everywhere`: at least one against each group of aliens, as far as there are units."""
    battle = game.table.battle
    waiting = 0
    for k in range(battle.ally_n):
        waiting += battle.ally_state[k] == 1 and battle.ally_group[k] == NONE
    groups = groups_of_aliens(battle) if everywhere else contested(battle)
    for k in range(battle.ally_n):
        if battle.ally_state[k] == 1 and battle.ally_group[k] == NONE:
            place_ally(game, decide, k, groups, waiting)
            waiting -= 1


@rule
def place_ally(game, decide, k, groups, waiting):
    """One unit takes its place."""
    battle = game.table.battle
    empty, empty_n = 0, 0
    for group in range(GROUPS):
        if (groups >> group) & 1 and battle.allies_in[group] == 0:
            empty |= 1 << group
            empty_n += 1
    legal = empty if empty_n >= waiting else groups
    p = int(battle.ally_base[k])
    game.seats[p].asked = battle.ally_kind[k]
    group = choose(game, decide, p, Q_GROUP, legal)
    battle.ally_group[k] = group
    battle.allies_in[group] += 1


@rule
def gather_aliens(game):
    """Alien units without an opponent are spread evenly over the contested groups; ties are drawn."""
    battle = game.table.battle
    for k in range(battle.alien_n):
        old = int(battle.alien_group[k])
        if old != NONE and battle.allies_in[old] == 0:
            fewest = groups_with_fewest(battle)
            group = lowest(fewest)
            if fewest & (fewest - 1) != 0:
                group = draw_group(game, fewest)
            battle.aliens_in[old] -= 1
            battle.alien_group[k] = group
            battle.aliens_in[group] += 1


@rule
def groups_with_fewest(battle):
    """Of the groups with allied units, those with the fewest aliens."""
    best, groups = 1 << 30, 0
    for group in range(GROUPS):
        if battle.allies_in[group] > 0:
            n = int(battle.aliens_in[group])
            if n < best:
                best, groups = n, 0
            if n == best:
                groups |= 1 << group
    return groups


@rule
def draw_group(game, groups):
    """One of several."""
    n = 0
    left = groups
    while left != 0:
        left &= left - 1
        n += 1
    k = below(game.secret.stream, GROUND, n)
    note(game, V_GROUP_DRAW, NONE, k, n, 0, 0)
    for _ in range(k):
        groups &= groups - 1
    return lowest(groups)


@rule
def regroup(game, decide):
    """A-TE-8: units without an opponent join groups where both sides stand; if there are none, all draw up anew."""
    battle = game.table.battle
    both = contested(battle)
    if both == 0:
        draw_up(game, decide)
        return
    note(game, V_GROUPS, NONE, battle.round_no, 0, 0, 0)
    for k in range(battle.ally_n):
        group = int(battle.ally_group[k])
        if group != NONE and not (both >> group) & 1:
            battle.allies_in[group] -= 1
            battle.ally_group[k] = NONE
    gather_aliens(game)
    place_allies(game, decide, False)
    note_groups(game)


@rule
def note_groups(game):
    """Where everybody stands."""
    if not game.tracing:
        return
    battle = game.table.battle
    for k in range(battle.alien_n):
        note(game, V_GROUP_OF, NONE, k, battle.alien_group[k], 0, 0)
    for k in range(battle.ally_n):
        note(game, V_GROUP_OF, battle.ally_base[k], k, battle.ally_group[k], 1, 0)
