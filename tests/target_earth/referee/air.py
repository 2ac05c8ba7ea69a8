"""UFOs appear, and fighters meet them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .arithmetic import battle_points, hits_of
from .diplomacy import attempt, check_objective
from .reader import Line
from .table import Table, Ufo


def draw_ufos(table: Table) -> None:
    """R-TE-UFO, R-TE-UFO-2, A-TE-24."""
    reader = table.reader
    table.ufos = []
    drawn: list[Any] = []
    tiles = len(table.side("neutral")) + len(table.side("allied"))
    tiles += len(table.bases) * table.rules[f"base_tiles_{len(table.bases)}"]
    for slot in range(1, min(table.rules[f"ufos_{table.era}"], sum(table.bag.values())) + 1):
        line = reader.take("ufo", "R-TE-UFO")
        reader.facts("R-TE-UFO", slot=slot)
        size = line["size"]
        reader.need("R-TE-UFO-2", table.bag[size] > 0, f"no such tile in the bag: {size}")
        table.bag[size] -= 1
        if slot <= tiles:
            check_objective(table, line["objective"], drawn)
        else:
            reader.facts("A-TE-24", objective=None)
        drawn.append(line["objective"])
        table.ufos.append(Ufo(slot, size, line["objective"]))


def scramble(table: Table) -> None:
    """R-TE-INT: fighters are placed in player order, where radars reach."""
    reader = table.reader
    radars = sum(base.count("radar") for base in table.bases.values())
    for seat in table.order():
        while reader.next_is("scramble", seat=seat):
            line = reader.take("scramble", "R-TE-INT")
            slot = reader.choice("R-TE-INT", "slot", range(1, len(table.ufos) + 1))
            needed = table.cards["radars"]["needed"][slot - 1]
            reader.check("R-TE-INT", radars >= needed, f"{radars} radars, {needed} needed")
            table.leave(table.bases[seat], ("fighter", line["elite"]), line["cell"])
            table.ufos[slot - 1].fighters.setdefault(seat, Counter())[line["elite"]] += 1


def intercept_all(table: Table) -> None:
    """R-TE-INT: from left to right."""
    for ufo in table.ufos:
        if ufo.fighters:
            intercept(table, ufo)


def intercept(table: Table, ufo: Ufo) -> None:
    """R-TE-INT: rounds, until one side is gone."""
    reader, rules = table.reader, table.rules
    reader.take("interception", "R-TE-INT")
    attack = next(card["attack"] for card in table.cards["ufos"] if card["name"] == ufo.size)
    order = [seat for seat in table.order() if seat in ufo.fighters]
    present = [[seat, ufo.fighters[seat][False], ufo.fighters[seat][True]] for seat in order]
    reader.facts("R-TE-INT", slot=ufo.slot, size=ufo.size, attack=attack, fighters=present)
    retreated: set[int] = set()
    number = 0
    while in_the_air(ufo):
        number += 1
        if number > 1:
            withdraw(table, ufo, order, retreated)
            if not in_the_air(ufo):
                break
        line = reader.take("air_round", "R-TE-INT")
        reader.facts("R-TE-INT", slot=ufo.slot, round=number)
        alien = hits_of(reader.dice("R-TE-INT", "alien_dice", line["alien_dice"], attack), rules)
        units = {seat: list(ufo.fighters[seat].elements()) for seat in order if ufo.fighters[seat].total()}
        dice = {seat: sum(table.factor(("fighter", elite)) for elite in own) for seat, own in units.items()}
        sizes = {seat: len(own) for seat, own in units.items()}
        if allied_roll(table, line, dice, sizes, 1, alien, "air general") > alien:
            ufo.gone = True
            break
        lose_fighter(table, ufo, order)
    if ufo.gone:
        reader.take("shot_down", "R-TE-INT")
        reader.facts("R-TE-INT", slot=ufo.slot)
        win_points(table, set(order), retreated, "air general")
        use_air_cards(table, ufo)
    else:
        reader.take("escaped", "R-TE-INT")
        reader.facts("R-TE-INT", slot=ufo.slot)
    for seat in order:
        for elite, count in ufo.fighters[seat].items():
            table.bases[seat].beside["fighter", elite] += count


def in_the_air(ufo: Ufo) -> int:
    """Fighters still in the fight."""
    return sum(own.total() for own in ufo.fighters.values())


def withdraw(table: Table, ufo: Ufo, order: list[int], retreated: set[int]) -> None:
    """A-TE-3: all of a base's fighters, before a round, in player order."""
    reader = table.reader
    for seat in order:
        own = ufo.fighters[seat]
        if not own.total() or not reader.next_is("withdraw", seat=seat):
            continue
        reader.take("withdraw", "A-TE-3")
        reader.facts("A-TE-3", slot=ufo.slot, fighters=own[False], elites=own[True])
        for elite, count in own.items():
            table.bases[seat].beside["fighter", elite] += count
        own.clear()
        retreated.add(seat)


def allied_roll(
    table: Table,
    line: Line,
    dice: dict[int, int],
    units: dict[int, int],
    group: int,
    alien: int,
    general: str,
) -> int:
    """The allied half of a round, with bonus cards and a re-roll; the hits.

    `dice` and `units` are those of each base in the group, in player order; `line` is the round's own.
    """
    reader, rules = table.reader, table.rules
    rule = "R-TE-INT" if general == "air general" else "R-TE-MIS-5"
    at = reader.at
    cards = 0
    while reader.next_is("card", card="bonus") or reader.peek() == "bonus":
        played = 0
        base = None
        while reader.next_is("card", card="bonus") and (
            base is None or reader.next_is("card", seat=base.seat)
        ):
            base = table.play_card("R-TE-CARD-2")
            reader.check("A-TE-2", base.seat in units, f"seat {base.seat} has no unit in this fight")
            played += 1
        reader.take("bonus", "R-TE-CARD-2")
        reader.facts("R-TE-CARD-2", seat=base.seat if base else None, group=group, cards=played)
        cards += played
    more = cards * rules["bonus_card"]
    wanted = {seat: n + more * units[seat] for seat, n in dice.items()}
    found = line["allied_dice"]
    reader.need(rule, [seat for seat, _ in found] == list(wanted), f"allied dice of {list(wanted)}: {found}")
    rolled = {seat: reader.dice(rule, "allied_dice", own, wanted[seat]) for seat, own in found}
    reader.same("R-TE-CARD-2", f"bonus (line {at})", cards, line["bonus"])
    reader.same(rule, f"factor (line {at})", sum(wanted.values()), line["factor"])
    if reader.peek() == "reroll":
        reroll(table, rolled, general)
    allied = sum(hits_of(own, rules) for own in rolled.values())
    reader.same(rule, f"hits (line {at})", [alien, allied], line["hits"])
    return allied


def reroll(table: Table, rolled: dict[int, list[int]], general: str) -> None:
    """R-TE-ADV-2, A-TE-5: a general's own dice, any of them, once."""
    reader = table.reader
    line = reader.take("reroll", "R-TE-ADV-2")
    base = table.of_faction(general)
    if base is None or base.seat not in rolled:
        reader.stop("R-TE-ADV-2", f"no {general} in this fight")
    own = rolled[base.seat]
    reader.facts("R-TE-ADV-2", seat=base.seat, dice_before=own)
    table.use_token(base, line["left"])
    after = reader.dice("R-TE-ADV-2", "dice_after", line["dice_after"], len(own))
    altered = sum(1 for old, new in zip(own, after, strict=False) if old != new)
    reader.check(
        "A-TE-5", altered <= line["dice"] <= len(own), f"{altered} dice altered, {line['dice']} rolled"
    )
    rolled[base.seat] = after


def lose_fighter(table: Table, ufo: Ufo, order: list[int]) -> None:
    """R-TE-INT: a fighter drawn at random: the k-th in player order, plain before elite."""
    reader = table.reader
    left = [
        (seat, elite) for seat in order for elite in (False, True) for _ in range(ufo.fighters[seat][elite])
    ]
    line = reader.take("loss", "R-TE-INT")
    k, n = line["draw"]
    reader.same("R-TE-INT", "fighters to draw from", len(left), n)
    reader.need("R-TE-INT", 0 <= k < len(left), f"draw: {k}")
    seat, elite = left[k]
    reader.facts("R-TE-INT", seat=seat, unit="fighter", elite=elite)
    ufo.fighters[seat][elite] -= 1


def win_points(table: Table, fought: set[int], retreated: set[int], general: str) -> None:
    """R-TE-ADV-2, R-TE-ADV-3: for a fight won."""
    due = {(s, "battle"): p for s, p in battle_points(fought, retreated, table.rules).items()}
    base = table.of_faction(general)
    if base and base.seat in fought - retreated and not base.won_point:
        base.won_point = True
        due[base.seat, "faction"] = table.rules["points_general"]
    table.gain("R-TE-ADV-3", due)


def use_air_cards(table: Table, ufo: Ufo) -> None:
    """A-TE-16: each base in player order: ace, diplomacy card (one a victory)."""
    reader = table.reader
    diplomacy = 0
    for seat in table.order():
        while reader.next_is("card", card="ace", seat=seat):
            table.play_card("R-TE-CARD-2")
            own = ufo.fighters.get(seat, Counter())
            reader.need("R-TE-CARD-2 A-TE-9", own[False] > 0, "no plain fighter in this victory")
            own[False] -= 1
            own[True] += 1
            reader.take("elite", "R-TE-CARD-2")
            reader.facts("R-TE-CARD-2", seat=seat, unit="fighter", at_home=False)
        while reader.next_is("card", card="diplomacy", seat=seat):
            diplomacy += 1
            play_diplomacy(table, seat, ufo.objective, diplomacy)


def play_diplomacy(table: Table, seat: int, country: Any, number: int) -> None:
    """R-TE-CARD-2: an attempt on the neutral country that was saved, one a victory."""
    table.play_card("R-TE-CARD-2")
    table.reader.need("R-TE-CARD-2", isinstance(country, str), "no country was saved")
    table.reader.check("R-TE-CARD-2", number == 1, "a second diplomacy card for one victory")
    attempt(table, "card", seat, country)
