"""Step 5: UFOs and their objectives are drawn (R-TE-UFO)."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.target_earth.log import V_UFO, note
from sim.games.target_earth.state import BAGS, FIRST_BASE, NONE, SIZES, SLOTS
from sim.random import below

_BASES_ONCE = 0b01010101  # of the eight base tiles, two a base: the first of each


@rule
def base_tiles(table):
    """R-TE-SET-4: the bases' tiles as a set from bit 40 on, two bits a base."""
    if table.bases >= 4:
        tiles = int(table.rules.base_tiles_4)
    else:
        tiles = int(table.rules.base_tiles_3) if table.bases == 3 else int(table.rules.base_tiles_2)
    all_tiles = (1 << (2 * int(table.bases))) - 1
    if tiles == 0:
        return 0
    return (all_tiles if tiles == 2 else all_tiles & _BASES_ONCE) << FIRST_BASE


@rule
def objective_bag(table):
    """R-TE-SET-4: neutral and allied countries, and the bases."""
    return int(table.neutral) | int(table.allied) | base_tiles(table)


@rule
def size_of_set(members):
    """How many there are."""
    n = 0
    while members != 0:
        members &= members - 1
        n += 1
    return n


@rule
def draw_tile(game, bag):
    """One of the tiles, all equally likely; its bit."""
    k = below(game.secret.stream, BAGS, size_of_set(bag))
    for _ in range(k):
        bag &= bag - 1
    return lowest(bag)


@rule
def tile_of(bit):
    """A tile's number: a country, or 40 and a seat."""
    return bit if bit < FIRST_BASE else FIRST_BASE + (bit - FIRST_BASE) // 2


@rule
def draw_objective(game, bag):
    """A tile for one glance: it goes back into the bag."""
    return NONE if bag == 0 else tile_of(draw_tile(game, bag))


@rule
def ufos_now(table):
    """R-TE-UFO: 4, 6 or 8."""
    if table.era == 0:
        return int(table.rules.ufos_1)
    return int(table.rules.ufos_2) if table.era == 1 else int(table.rules.ufos_3)


@rule
def draw_ufos(game):
    """R-TE-UFO, R-TE-UFO-2: UFOs from left to right, then an objective for each; UFOs do not come back."""
    table = game.table
    clear_slots(table)
    for _ in range(ufos_now(table)):
        size = draw_size(game)
        if size != NONE:
            table.ufo[table.ufo_n] = size
            table.ufo_n += 1
            game.secret.counts.ufos += 1
    bag = objective_bag(table)
    for slot in range(table.ufo_n):
        if bag != 0:
            bit = draw_tile(game, bag)
            bag ^= 1 << bit
            table.objective[slot] = tile_of(bit)
        note(game, V_UFO, NONE, slot, table.ufo[slot], table.objective[slot], 0)


@rule
def clear_slots(table):
    """Nothing of the last turn's attack is left."""
    table.ufo_n = 0
    table.armies_n = 0
    for slot in range(SLOTS):
        table.ufo[slot] = NONE
        table.objective[slot] = NONE
        table.joined[slot] = slot
        for p in range(table.bases):
            table.sent[slot][p] = 0
            table.sent_elites[slot][p] = 0


@rule
def draw_size(game):
    """A UFO tile from the bag; its size, or NONE if the bag is empty."""
    bag = game.table.bag
    n = 0
    for size in range(SIZES):
        n += int(bag[size])
    if n == 0:
        return NONE
    at = below(game.secret.stream, BAGS, n)
    size = 0
    while at >= bag[size]:
        at -= bag[size]
        size += 1
    bag[size] -= 1
    return size


@rule
def join_attacks(table):
    """R-TE-MIS-7: UFOs that land on the same base fight as one, at the first slot."""
    for slot in range(table.ufo_n):
        table.joined[slot] = slot
        tile = table.objective[slot]
        if table.ufo[slot] != NONE and tile >= FIRST_BASE:
            for earlier in range(slot):
                if table.ufo[earlier] != NONE and table.objective[earlier] == tile:
                    table.joined[slot] = earlier
                    break
