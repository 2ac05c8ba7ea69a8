"""Combat dice: rolls, hits, bonus cards, re-rolls (R-TE-INT, R-TE-MIS-5, R-TE-CARD-2)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.asking import Q_BONUS, Q_REROLL, answer
from sim.games.target_earth.countries import die
from sim.games.target_earth.hands import may_play, play_card
from sim.games.target_earth.log import ALIENS_ROLL, ALLIES_ROLL, V_BONUS, V_REROLL, note, note_dice
from sim.games.target_earth.state import BONUS, MAX_DICE, NONE


@rule
def roll(game, stream, first, n):
    """n dice into `game.dice` from place `first` on; how many hit."""
    hits = 0
    least = int(game.table.rules.hit_from)
    for k in range(first, min(first + n, MAX_DICE)):
        game.dice[k] = die(game, stream)
        hits += game.dice[k] >= least
    return hits


@rule
def roll_aliens(game, stream, n):
    """The aliens roll first."""
    battle = game.table.battle
    battle.factor_aliens = n
    battle.hits_aliens = roll(game, stream, 0, n)
    note_dice(game, NONE, 0, min(n, MAX_DICE), ALIENS_ROLL)


@rule
def ask_bonus(game, decide, group, here):
    """R-TE-CARD-2: bonus cards of the bases of the set `here` (A-TE-2); what they add to each unit's factor."""
    table = game.table
    battle = table.battle
    battle.bonus = 0
    for i in range(table.bases):
        p = in_order(table, i)
        most = may_play(game, p, BONUS)
        if most > 0 and (here >> p) & 1:
            cards = answer(game, decide, p, Q_BONUS, group, 0, most)
            if cards > 0:
                for _ in range(cards):
                    play_card(game, p, BONUS, NONE)
                note(game, V_BONUS, p, group, cards, 0, 0)
                battle.bonus += cards
                battle.factor_allies += cards * battle.units * table.rules.bonus_card
    return int(battle.bonus * table.rules.bonus_card)


@rule
def roll_allies(game, stream):
    """The bases roll their dice, `game.dice_of` each, in player order."""
    table = game.table
    n, hits = 0, 0
    for i in range(table.bases):
        p = in_order(table, i)
        game.dice_from[p] = n
        own = min(int(game.dice_of[p]), MAX_DICE - n)
        game.dice_of[p] = own
        if own > 0:
            hits += roll(game, stream, n, own)
            note_dice(game, p, n, own, ALLIES_ROLL)
            n += own
    table.battle.hits_allies = hits


@rule
def ask_reroll(game, decide, stream, general, group):
    """R-TE-ADV-2: a general rolls own dice again, once a turn (A-TE-5): so many of those that missed."""
    table = game.table
    battle = table.battle
    for p in range(table.bases):
        if table.faction[p] != general or table.tokens[p] == 0 or table.token_used[p] or game.dice_of[p] == 0:
            continue
        missed = int(game.dice_of[p]) - own_hits(game, p)
        battle.missed = missed
        game.seats[p].asked = battle.hits_allies - battle.hits_aliens
        n = answer(game, decide, p, Q_REROLL, group, 0, missed)
        if n > 0:
            table.tokens[p] -= 1
            table.token_used[p] = 1
            battle.hits_allies -= own_hits(game, p)
            roll_again(game, stream, p, n)
            battle.hits_allies += own_hits(game, p)
            note(game, V_REROLL, p, n, table.tokens[p], 0, 0)
            note_dice(game, p, int(game.dice_from[p]), int(game.dice_of[p]), ALLIES_ROLL)


@rule
def own_hits(game, p):
    """Hits among a base's dice."""
    hits = 0
    for k in range(game.dice_from[p], game.dice_from[p] + game.dice_of[p]):
        hits += game.dice[k] >= game.table.rules.hit_from
    return hits


@rule
def roll_again(game, stream, p, n):
    """The first n of a base's dice that missed."""
    for k in range(game.dice_from[p], game.dice_from[p] + game.dice_of[p]):
        if n > 0 and game.dice[k] < game.table.rules.hit_from:
            game.dice[k] = die(game, stream)
            n -= 1
