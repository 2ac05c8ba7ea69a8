"""Step 6: interceptions (R-TE-INT)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.acts import ACT_SHOT_DOWN, act
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.asking import (
    Q_ACE,
    Q_DIPLOMACY_CARD,
    Q_INTERCEPT,
    Q_WITHDRAW,
    answer,
    choose_or_none,
)
from sim.games.target_earth.bases import bury, leave_home
from sim.games.target_earth.dice import ask_bonus, ask_reroll, roll_aliens, roll_allies
from sim.games.target_earth.diplomacy import attempt
from sim.games.target_earth.hands import may_play, play_card
from sim.games.target_earth.log import (
    BY_CARD,
    FOR_CARD,
    V_AIR_ROUND,
    V_ELITE,
    V_ESCAPED,
    V_FIGHTERS,
    V_INTERCEPTION,
    V_LOSS,
    V_ROUND_OVER,
    V_SCRAMBLE,
    V_SHOT_DOWN,
    V_WITHDRAW,
    note,
)
from sim.games.target_earth.points import give_personal, reward_fighters
from sim.games.target_earth.state import (
    ACE,
    AIR,
    AIR_GENERAL,
    ALLIANCE,
    ALLIED,
    DIPLOMACY,
    FIGHTER,
    FIGHTERS,
    FIRST_BASE,
    NEUTRAL,
    NONE,
)
from sim.random import below, branch


@rule
def intercept(game, decide):
    """R-TE-INT: all fighters are placed in player order, then the fights run left to right."""
    table = game.table
    legal = slots_in_sight(table)
    for i in range(table.bases):
        p = in_order(table, i)
        scramble(game, decide, p, 1, legal)
        scramble(game, decide, p, 0, legal)
    for slot in range(table.ufo_n):
        if fighters_at(table, slot) > 0:
            dogfight(game, decide, slot)
            for p in range(table.bases):
                disengage(game, slot, p)


@rule
def slots_in_sight(table):
    """R-TE-INT: the radars of all bases limit which slots can be intercepted."""
    legal = 0
    for slot in range(table.ufo_n):
        if table.ufo[slot] != NONE and table.cards.radars[slot] <= table.radars:
            legal |= 1 << slot
    return legal


@rule
def scramble(game, decide, p, elite, legal):
    """Fighter by fighter, as long as the base likes."""
    table = game.table
    ready = int(table.home_elites[p][FIGHTER] if elite else table.home[p][FIGHTER])
    for _ in range(ready):
        game.seats[p].asked = elite
        slot = choose_or_none(game, decide, p, Q_INTERCEPT, legal)
        if slot == NONE:
            return
        cell = leave_home(table, p, FIGHTER, elite)
        if elite:
            table.sent_elites[slot][p] += 1
        else:
            table.sent[slot][p] += 1
        note(game, V_SCRAMBLE, p, slot, elite, cell, 0)


@rule
def fighters_of(table, slot, p):
    """A base's fighters at a slot."""
    return int(table.sent[slot][p] + table.sent_elites[slot][p])


@rule
def fighters_at(table, slot):
    """All fighters at a slot."""
    n = 0
    for p in range(table.bases):
        n += fighters_of(table, slot, p)
    return n


@rule
def bases_at(table, slot):
    """The set of bases with fighters at a slot."""
    here = 0
    for p in range(table.bases):
        if fighters_of(table, slot, p) > 0:
            here |= 1 << p
    return here


@rule
def open_dogfight(game, slot):
    """Who fights whom."""
    table = game.table
    battle = table.battle
    game.secret.stream[AIR] = branch(game.secret.key[AIR], 64 * table.turn + slot)
    game.secret.counts.interceptions += 1
    battle.target = slot
    battle.where = table.objective[slot]
    battle.ufo = table.ufo[slot]
    battle.group = 0
    battle.took_part = bases_at(table, slot)
    battle.left = 0
    note(game, V_INTERCEPTION, NONE, slot, table.ufo[slot], table.cards.ufo_attack[table.ufo[slot]], 0)
    for i in range(table.bases):
        p = in_order(table, i)
        if fighters_of(table, slot, p) > 0:
            game.secret.tally[p].interceptions += 1
            note(game, V_FIGHTERS, p, table.sent[slot][p], table.sent_elites[slot][p], 0, 0)


@rule
def dogfight(game, decide, slot):
    """R-TE-INT: round by round until the UFO is down, the fighters are, or have withdrawn."""
    table = game.table
    open_dogfight(game, slot)
    round_no = 0
    while fighters_at(table, slot) > 0:
        round_no += 1
        table.battle.round_no = round_no
        if round_no > 1:
            withdraw(game, decide, slot)
            if fighters_at(table, slot) == 0:
                break
        if air_round(game, decide, slot, round_no):
            shoot_down(game, decide, slot)
            return
        lose_fighter(game, slot)
    note(game, V_ESCAPED, NONE, slot, 0, 0, 0)


@rule
def withdraw(game, decide, slot):
    """A-TE-3: before every further round each base may take all its fighters out."""
    table = game.table
    for i in range(table.bases):
        p = in_order(table, i)
        if fighters_of(table, slot, p) > 0 and answer(game, decide, p, Q_WITHDRAW, slot, 0, 1):
            table.battle.left |= 1 << p
            note(game, V_WITHDRAW, p, slot, table.sent[slot][p], table.sent_elites[slot][p], 0)
            disengage(game, slot, p)


@rule
def disengage(game, slot, p):
    """A base's fighters wait beside it for the return."""
    table = game.table
    game.away[p][FIGHTER] += table.sent[slot][p]
    game.away_elites[p][FIGHTER] += table.sent_elites[slot][p]
    table.sent[slot][p] = 0
    table.sent_elites[slot][p] = 0


@rule
def air_round(game, decide, slot, round_no):
    """R-TE-INT: the UFO rolls, bonus cards, the fighters roll; whether they hit more often."""
    table = game.table
    battle = table.battle
    note(game, V_AIR_ROUND, NONE, slot, round_no, 0, 0)
    factor = int(table.cards.factor[FIGHTERS][table.level[FIGHTERS]])
    elite = int(table.rules.elite_bonus)
    battle.units = fighters_at(table, slot)
    battle.factor_allies = battle.units * factor
    for p in range(table.bases):
        battle.factor_allies += table.sent_elites[slot][p] * elite
    roll_aliens(game, AIR, int(table.cards.ufo_attack[table.ufo[slot]]))
    bonus = ask_bonus(game, decide, 0, bases_at(table, slot))
    for p in range(table.bases):
        plain, elites = int(table.sent[slot][p]), int(table.sent_elites[slot][p])
        game.dice_of[p] = plain * (factor + bonus) + elites * (factor + elite + bonus)
    roll_allies(game, AIR)
    ask_reroll(game, decide, AIR, AIR_GENERAL, 0)
    note(game, V_ROUND_OVER, NONE, battle.factor_allies, battle.bonus, battle.hits_aliens, battle.hits_allies)
    return battle.hits_allies > battle.hits_aliens


@rule
def lose_fighter(game, slot):
    """R-TE-INT: one random fighter of all that fight."""
    table = game.table
    n = fighters_at(table, slot)
    k = below(game.secret.stream, AIR, n)
    at = k
    for i in range(table.bases):
        p = in_order(table, i)
        plain = int(table.sent[slot][p])
        if at < fighters_of(table, slot, p):
            elite = at >= plain
            if elite:
                table.sent_elites[slot][p] -= 1
            else:
                table.sent[slot][p] -= 1
            bury(game, p, FIGHTER, int(elite))
            note(game, V_LOSS, p, FIGHTER, elite, k, n)
            return
        at -= fighters_of(table, slot, p)


@rule
def shoot_down(game, decide, slot):
    """R-TE-INT: the UFO is destroyed; R-TE-INT-2: aces and diplomacy cards, no knowledge and no free attempt."""
    table = game.table
    act(game, ACT_SHOT_DOWN, table.ufo[slot], NONE, table.objective[slot])
    table.ufo[slot] = NONE
    game.secret.counts.shot_down += 1
    note(game, V_SHOT_DOWN, NONE, slot, 0, 0, 0)
    reward_fighters(game, AIR_GENERAL)
    used = False
    for i in range(table.bases):
        p = in_order(table, i)
        if (
            table.sent[slot][p] > 0
            and may_play(game, p, ACE) > 0
            and answer(game, decide, p, Q_ACE, slot, 0, 1)
        ):
            play_card(game, p, ACE, NONE)
            table.sent[slot][p] -= 1
            table.sent_elites[slot][p] += 1
            table.elites[p][FIGHTER] += 1
            note(game, V_ELITE, p, FIGHTER, 0, 0, 0)
        used = used or play_diplomacy(game, decide, p, table.objective[slot])


@rule
def play_diplomacy(game, decide, p, tile):
    """R-TE-CARD-2, A-TE-9: after a victory over a UFO at a neutral country; whether the card was played."""
    table = game.table
    if tile == NONE or tile >= FIRST_BASE or may_play(game, p, DIPLOMACY) == 0:
        return False
    if table.status[tile] != NEUTRAL or (table.changed >> tile) & 1:
        return False
    if not answer(game, decide, p, Q_DIPLOMACY_CARD, tile, 0, 1):
        return False
    play_card(game, p, DIPLOMACY, tile)
    if attempt(game, decide, tile, BY_CARD, p, 0, ALLIANCE, ALLIED):
        give_personal(game, p, int(table.rules.points_diplomacy_card), FOR_CARD)
    return True
