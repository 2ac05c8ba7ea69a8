"""Countries: who holds them, what they bring, and the dice of diplomacy (R-TE-DIP)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.acts import ACT_FELL, ACT_FREED, ACT_JOINED, ACT_LEFT, act
from sim.games.target_earth.log import V_STATUS, note, note_item
from sim.games.target_earth.state import ALIEN, ALIENS, ALLIANCE, ALLIED, NEUTRAL, NONE
from sim.random import below


@rule
def add_points(table, side, points):
    """Points of a side."""
    table.points[side] += points


@rule
def hold(table, country, status, sign):
    """Count a country for (1) or no longer for (-1) the side that holds it."""
    bit = 1 << country
    cards = table.cards
    if status == ALLIED:
        table.allied ^= bit
        table.allied_n += sign
        table.income += sign * cards.credits[country]
        add_points(table, ALLIANCE, sign * cards.points[country])
    elif status == ALIEN:
        table.aliens ^= bit
        table.aliens_n += sign
        add_points(table, ALIENS, sign * cards.points[country])
    else:
        table.neutral ^= bit


@rule
def give_status(table, country, status):
    """A country goes over; points, income and bag change at once."""
    hold(table, country, table.status[country], -1)
    table.status[country] = status
    hold(table, country, status, 1)


@rule
def change_status(game, country, status, seat):
    """A country goes over in the course of the game, by the doing of a seat or of nobody."""
    table = game.table
    was = int(table.status[country])
    give_status(table, country, status)
    table.changed |= 1 << country
    note(game, V_STATUS, NONE, country, was, status, table.income)
    note_item(game, NONE, table.points[ALLIANCE], table.points[ALIENS], 0, 0)
    what = ACT_JOINED
    if status == ALIEN:
        what = ACT_FELL
    elif status == NEUTRAL:
        what = ACT_FREED if was == ALIEN else ACT_LEFT
    act(game, what, country, seat, NONE)


@rule
def talks_bonus(table, countries):
    """R-TE-DIP: a side with many countries is heard."""
    rules = table.rules
    if countries >= 20:
        return int(rules.diplomacy_20)
    if countries >= 15:
        return int(rules.diplomacy_15)
    return int(rules.diplomacy_10) if countries >= 10 else 0


@rule
def die(game, stream):
    """One die."""
    return below(game.secret.stream, stream, 6) + 1


@rule
def two_dice(game, stream):
    """Two dice into `game.dice`; their sum."""
    game.dice[0] = die(game, stream)
    game.dice[1] = die(game, stream)
    return int(game.dice[0] + game.dice[1])
