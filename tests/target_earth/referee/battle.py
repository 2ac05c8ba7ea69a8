"""A battle on the ground."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .air import allied_roll, win_points
from .arithmetic import hits_of
from .groups import check_groups
from .table import Base, Table, Unit


@dataclass(slots=True)
class Soldier:
    """A unit in the battle, of either side (aliens have seat 0)."""

    seat: int
    kind: str
    elite: bool
    dice: int
    at_home: bool = False
    group: int | None = None
    state: str = "fights"  # or 'dead', 'gone'


@dataclass
class Battle:
    """The battle that is going on."""

    target: Any
    aliens: list[Soldier]
    allies: list[Soldier]
    defender: int | None  # seat of the attacked base
    fought: set[int] = field(default_factory=set)
    retreated: set[int] = field(default_factory=set)
    won: bool = False

    def aliens_left(self) -> int:
        """Alien units that still stand."""
        return sum(1 for unit in self.aliens if unit.state == "fights")

    def allies_left(self) -> int:
        """Allied units that still stand and have not gone."""
        return sum(1 for unit in self.allies if unit.state == "fights")

    def pay(self, table: Table) -> None:
        """R-TE-ADV-3, R-TE-ADV-2: personal points."""
        win_points(table, self.fought, self.retreated, "army general")

    def make_elite(self, table: Table, seat: int, kind: str) -> None:
        """R-TE-CARD-2, A-TE-9: a plain unit of one's own that is still in the field."""
        reader = table.reader
        plain = [
            unit
            for unit in self.allies
            if (unit.seat, unit.kind, unit.elite, unit.state) == (seat, kind, False, "fights")
        ]
        reader.take("elite", "R-TE-CARD-2")
        reader.facts("R-TE-CARD-2", seat=seat, unit=kind)
        unit = next((unit for unit in plain if unit.at_home == reader.line["at_home"]), None)
        if unit is None:
            reader.stop("R-TE-CARD-2 A-TE-9", f"no plain {kind} of seat {seat} stands there")
        unit.elite = True
        if unit.at_home:
            base = table.bases[seat]
            cell = base.lowest((kind, False))
            reader.need("R-TE-CARD-2", cell is not None, "nobody at home")
            base.units[cell] = (kind, True)  # type: ignore

    def bring_back(self, table: Table) -> None:
        """R-TE-MIS-6, A-TE-27: survivors wait beside their base; carriers too, if there are any survivors."""
        carriers = Counter(army.seat for army in table.armies if army.target == self.target)
        if all(unit.state == "dead" for unit in self.allies):
            for _ in range(carriers.total()):
                table.reader.take("carriers_lost", "R-TE-MIS-6")
                seat = table.reader.choice("R-TE-MIS-6", "seat", +carriers)
                table.reader.facts("R-TE-MIS-6", carriers=1)
                carriers[seat] -= 1
            return
        for seat, count in carriers.items():
            table.bases[seat].beside["carrier", False] += count
        for unit in self.allies:
            if unit.state != "dead" and not unit.at_home:
                table.bases[unit.seat].beside[unit.kind, unit.elite] += 1


def fight(
    table: Table,
    target: Any,
    objective: Any,
    aliens: tuple[int, ...],
    units: list[tuple[int, Unit, bool]],
    defender: Base | None,
) -> Battle:
    """R-TE-MIS-5: from the first placement to the last round; lost carriers included."""
    reader = table.reader
    battle = draw_up(table, target, objective, aliens, units, defender)
    number = 0
    while battle.aliens_left() and battle.allies_left():
        number += 1
        if number > 1:
            retreat(table, battle)
            if not battle.allies_left():
                break
        check_groups(table, battle.aliens, battle.allies, number)
        for group in sorted({unit.group for unit in battle.aliens if unit.group}):
            fight_group(table, battle, number, group)
    battle.won = not battle.aliens_left()
    reader.take("battle_over", "R-TE-MIS-5")
    winner = "alliance" if battle.won else "aliens"
    left = battle.aliens_left()
    reader.facts("R-TE-MIS-5", target=target, winner=winner, left=left, knowledge=table.knowledge)
    if not battle.won:
        battle.bring_back(table)
    return battle


def draw_up(
    table: Table,
    target: Any,
    objective: Any,
    aliens: tuple[int, ...],
    units: list[tuple[int, Unit, bool]],
    defender: Base | None,
) -> Battle:
    """R-TE-MIS-5, R-TE-CARD-2: who fights, and with how many dice."""
    reader, rules = table.reader, table.rules
    line = reader.take("battle", "R-TE-MIS-5")
    alien_bonus = rules["garrison_bonus"] if isinstance(target, str) else 0
    allied_bonus = rules["fortified_bonus"] if defender and defender.fortified else 0
    reader.facts(
        "R-TE-MIS-5", target=target, objective=objective, alien_bonus=alien_bonus, allied_bonus=allied_bonus
    )
    card = table.cards["aliens"][table.era - 1]
    expected = [["soldier", card["soldier"] + alien_bonus]] * aliens[0]
    expected += [["tank", card["tank"] + alien_bonus]] * aliens[1]
    reader.same("A-TE-1 R-TE-MIS-5", "aliens", expected, sorted(line["aliens"], key=lambda unit: unit[0]))
    wanted = [[s, kind, e, table.factor((kind, e)) + allied_bonus, home] for s, (kind, e), home in units]
    reader.same("R-TE-MIS-6 R-TE-MIS-5", "allies", sorted(wanted), sorted(line["allies"]))
    return Battle(
        target,
        [Soldier(0, kind, False, dice) for kind, dice in line["aliens"]],
        [Soldier(seat, kind, elite, dice, home) for seat, kind, elite, dice, home in line["allies"]],
        defender.seat if defender else None,
        {seat for seat, _, _ in units},
    )


def fight_group(table: Table, battle: Battle, number: int, group: int) -> None:
    """R-TE-MIS-5: the aliens roll, then the Alliance, and one unit is lost."""
    reader = table.reader
    aliens = [unit for unit in battle.aliens if unit.group == group and unit.state == "fights"]
    allies = [unit for unit in battle.allies if unit.group == group and unit.state == "fights"]
    line = reader.take("ground_round", "R-TE-MIS-5")
    reader.facts("R-TE-MIS-5", target=battle.target, round=number, group=group)
    factor = sum(unit.dice for unit in aliens)
    alien = hits_of(reader.dice("R-TE-MIS-5", "alien_dice", line["alien_dice"], factor), table.rules)
    dice: dict[int, int] = {}
    count: dict[int, int] = {}
    for seat in table.order():
        own = [unit for unit in allies if unit.seat == seat]
        if own:
            dice[seat], count[seat] = sum(unit.dice for unit in own), len(own)
    allied = allied_roll(table, line, dice, count, group, alien, "army general")
    lose_unit(table, battle, aliens if allied > alien else allies, allied > alien)


def lose_unit(table: Table, battle: Battle, among: list[Soldier], alien: bool) -> None:
    """R-TE-MIS-5: drawn at random, the k-th in the order of the `battle` line."""
    reader = table.reader
    line = reader.take("loss", "R-TE-MIS-5")
    k, n = line["draw"]
    reader.same("R-TE-MIS-5", "units to draw from", len(among), n)
    reader.need("R-TE-MIS-5", 0 <= k < len(among), f"draw: {k}")
    unit = among[k]
    everybody = battle.aliens if alien else battle.allies
    number = next(i for i, other in enumerate(everybody, 1) if other is unit)
    reader.facts("R-TE-MIS-5", seat=None if alien else unit.seat, unit=unit.kind)
    reader.same("R-TE-MIS-5", "index", number, line.get("index"))
    unit.state, unit.group = "dead", None
    if not alien:
        reader.same("R-TE-MIS-5", "elite", unit.elite, line.get("elite"))
    if unit.at_home:
        base = table.bases[unit.seat]
        cell = base.lowest((unit.kind, unit.elite))
        base.units.pop(cell, None)  # type: ignore


def retreat(table: Table, battle: Battle) -> None:
    """A-TE-3, R-TE-MIS-5: all of a base's units of a group, never the attacked base's."""
    reader = table.reader
    while reader.peek() == "retreat":
        line = reader.take("retreat", "R-TE-MIS-5")
        seat, group = line["seat"], line["group"]
        reader.check("R-TE-MIS-5", seat != battle.defender, "the attacked base cannot retreat")
        own = [u for u in battle.allies if (u.seat, u.group, u.state) == (seat, group, "fights")]
        reader.check("R-TE-MIS-5", bool(own), f"seat {seat} has nobody in group {group}")
        reader.facts("A-TE-3", units=len(own))
        for unit in own:
            unit.state, unit.group = "gone", None
        battle.retreated.add(seat)
