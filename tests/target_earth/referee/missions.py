"""Armies, missions, what a UFO does that gets through, and the return."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .air import play_diplomacy
from .arithmetic import DIE_KINDS, STANDS_ON, cell_at, landed
from .battle import Battle, fight
from .diplomacy import attempt, tries
from .table import Army, Base, Table, Ufo, Unit

GROUND = ("infantry", "tank")


def send_armies(table: Table) -> None:
    """R-TE-MIS: all armies, in player order."""
    table.armies = []
    for seat in table.order():
        while table.reader.next_is("mission", seat=seat):
            send_army(table, table.bases[seat])


def send_army(table: Table, base: Base) -> None:
    """R-TE-MIS: a carrier, its load, its target."""
    reader, rules = table.reader, table.rules
    line = reader.take("mission", "R-TE-MIS")
    target = reader.choice("R-TE-MIS A-TE-15", "target", targets(table, base))
    counts: Counter[Unit] = Counter()
    for kind, elite, cell in line["cells"]:
        table.leave(base, (kind, elite), cell)
        counts[kind, elite] += 1
    reader.same("R-TE-MIS", "carriers", 1, counts.pop(("carrier", False), 0))
    reader.facts(
        "R-TE-MIS",
        infantry=counts["infantry", False],
        elite_infantry=counts["infantry", True],
        tanks=counts["tank", False],
        elite_tanks=counts["tank", True],
    )
    load = {kind: counts[kind, False] + counts[kind, True] for kind in GROUND}
    reader.same("R-TE-MIS", "units carried", sum(load.values()), counts.total())
    within = load["infantry"] <= rules["carrier_infantry"] and load["tank"] <= rules["carrier_tanks"]
    reader.check("R-TE-MIS", within and counts.total() > 0, f"a carrier cannot carry {load}")
    table.armies.append(Army(base.seat, target, list(counts.elements())))


def targets(table: Table, base: Base) -> list[Any]:
    """R-TE-MIS, R-TE-MIS-7, A-TE-15: landed UFOs (of two at one base the first) and alien countries."""
    seen: set[int] = {base.seat}
    slots: list[Any] = []
    for ufo in table.ufos:
        if ufo.gone or ufo.objective is None or ufo.base in seen:
            continue
        if ufo.base:
            seen.add(ufo.base)
        slots.append(ufo.slot)
    return slots + table.side("alien")


def resolve_missions(table: Table) -> None:
    """R-TE-MIS: UFOs from left to right, then alien countries in the Alliance's order."""
    at_aliens = list(dict.fromkeys(army.target for army in table.armies if isinstance(army.target, str)))
    for ufo in table.ufos:
        if ufo.gone or ufo.objective is None:
            continue
        if ufo.base:
            others = [other for other in table.ufos if not other.gone and other.base == ufo.base]
            resolve_base(table, others)
        else:
            resolve_country(table, ufo)
    while at_aliens:
        country = at_aliens[0]
        was_voted, result = table.take_votes("next mission", list(at_aliens))
        if was_voted and result in at_aliens:
            country = result
        elif len(at_aliens) > 1:
            country = table.reader.lines[table.reader.at].get("target", country)
            table.reader.need("R-TE-MIS", country in at_aliens, f"no army went to {country}")
        at_aliens.remove(country)
        attack_alien_country(table, country)


def units_at(table: Table, target: Any, defender: Base | None = None) -> list[tuple[int, Unit, bool]]:
    """R-TE-MIS-6: who fights there: (seat, unit, at home)."""
    here = [(army.seat, unit, False) for army in table.armies if army.target == target for unit in army.units]
    if defender:
        home = (unit for unit in defender.units.values() if unit[0] in GROUND)
        here += [(defender.seat, unit, True) for unit in home]
    return here


def resolve_country(table: Table, ufo: Ufo) -> None:
    """R-TE-MIS-2, R-TE-MIS-3: an attacked country."""
    reader = table.reader
    units = units_at(table, ufo.slot)
    if units:
        aliens = landed(ufo.size, table.era, table.mode, table.cards)
        battle = fight(table, ufo.slot, ufo.objective, aliens, units, None)
        if battle.won:
            ufo.gone = True
            after_victory(table, battle, ufo.objective, ufo.size)
            return
    line = reader.take("conquest", "R-TE-MIS-3")
    card = next(card for card in table.cards["ufos"] if card["name"] == ufo.size)
    needed = table.countries[ufo.objective]["diplomacy"]
    success = sum(reader.dice("R-TE-MIS-3", "dice", line["dice"], 2)) + card["bonus"] >= needed
    reader.facts(
        "R-TE-MIS-3",
        slot=ufo.slot,
        size=ufo.size,
        country=ufo.objective,
        bonus=card["bonus"],
        needed=needed,
        success=success,
    )
    if success:
        to = {"allied": "neutral", "neutral": "alien"}[table.status[ufo.objective]]
        table.change_status(ufo.objective, to, "R-TE-MIS-3")


def resolve_base(table: Table, ufos: list[Ufo]) -> None:
    """R-TE-MIS-3, R-TE-MIS-6, R-TE-MIS-7: an attacked base, by one UFO or two."""
    first = ufos[0]
    base = table.bases[first.base or 0]
    loads = [landed(ufo.size, table.era, table.mode, table.cards) for ufo in ufos]
    aliens = (sum(load[0] for load in loads), sum(load[1] for load in loads))
    units = units_at(table, first.slot, base)
    for ufo in ufos:
        ufo.gone = True
    if not units:
        raid(table, first.slot, base, sum(aliens) + table.rules["undefended_modules"])
        return
    battle = fight(table, first.slot, first.objective, aliens, units, base)
    if battle.won:
        after_victory(table, battle, None, max((u.size for u in ufos), key=lambda s: s == "terror"))
    else:
        raid(table, first.slot, base, battle.aliens_left())


def attack_alien_country(table: Table, country: str) -> None:
    """R-TE-MIS-2: the country's garrison; it turns neutral, and there are points for it."""
    aliens = tuple(table.cards["aliens"][table.era - 1]["garrison"])
    battle = fight(table, country, country, aliens, units_at(table, country), None)
    if battle.won:
        after_victory(table, battle, country, "")


# -- after a battle -------------------------------------------------------------------------------
def after_victory(table: Table, battle: Battle, country: str | None, size: str) -> None:
    """A-TE-16: knowledge; the free attempt (or the freed country); each base's cards."""
    reader, rules = table.reader, table.rules
    if not size and country:
        table.bonus_points += rules["base_points"]
        table.change_status(country, "neutral", "R-TE-MIS-2")
    gain_knowledge(table, rules["victory_knowledge"], "R-TE-MIS-2")
    battle.pay(table)
    neutral = country is not None and size != "" and table.status[country] == "neutral"
    if neutral:
        free_attempt(table, country or "", size)
    knowledge = diplomacy = 0
    for seat in table.order():
        for card, kind in (("elite squad", "infantry"), ("elite crew", "tank")):
            while reader.next_is("card", card=card, seat=seat):
                table.play_card("R-TE-CARD-2")
                battle.make_elite(table, seat, kind)
        while reader.next_is("card", card="alien knowledge", seat=seat):
            knowledge += 1
            table.play_card("R-TE-CARD-2")
            reader.check("R-TE-CARD-2", knowledge == 1, "a second alien knowledge card for one victory")
            gain_knowledge(table, rules["card_knowledge"], "R-TE-CARD-2")
        while reader.next_is("card", card="diplomacy", seat=seat):
            diplomacy += 1
            play_diplomacy(table, seat, country if size else None, diplomacy)
    battle.bring_back(table)


def gain_knowledge(table: Table, amount: int, rule: str) -> None:
    """Knowledge, and its line."""
    table.knowledge += amount
    table.reader.take("knowledge", rule)
    table.reader.facts(rule, knowledge=table.knowledge)


def free_attempt(table: Table, country: str, size: str) -> None:
    """R-TE-MIS-2: after a large or a terror UFO, if the Alliance likes."""
    sizes = [card["name"] for card in table.cards["ufos"]]
    may = sizes.index(size) >= table.rules["free_attempt_size"] and country not in table.changed
    was_voted, result = table.take_votes("free attempt", [True, False], due=may)
    if tries(table, "free", None):
        table.reader.check("R-TE-MIS-2", may, "a free attempt that is not due")
        table.reader.check("A-TE-19", result is True or not was_voted, "voted against")
        attempt(table, "free", None, country, table.rules["terror_attempt"] if size == "terror" else 0)
    else:
        table.reader.check("A-TE-19", not result, "voted for, but not tried")


# -- raids ----------------------------------------------------------------------------------------
def raid(table: Table, slot: int, base: Base, modules: int) -> None:
    """R-TE-MIS-3: so many modules, as far as there are any."""
    reader = table.reader
    reader.take("raid", "R-TE-MIS-3")
    reader.facts("R-TE-MIS-3", slot=slot, seat=base.seat, modules=modules)
    for _ in range(min(modules, len(base.modules))):
        lose_module(table, base)


def lose_module(table: Table, base: Base) -> None:
    """R-TE-MIS-3, R-TE-OPT-1: one module, and who stands on it."""
    reader = table.reader
    line = reader.take("module_lost", "R-TE-MIS-3")
    reader.need("R-TE-MIS-3", bool(line["dice"]), "no dice")
    throws = line["dice"]
    found = [cell_of(table, base, throw) for throw in throws]
    reader.check("R-TE-MIS-3", not any(found[:-1]), "rolled on after a hit")
    cell = found[-1]
    if cell is None:
        reader.stop("R-TE-MIS-3", f"the last throw hits no module: {throws[-1]}")
    unit = base.units.pop(cell, None)
    table.module_points += table.rules["module_points"]
    reader.facts(
        "R-TE-MIS-3",
        seat=base.seat,
        module=base.modules.pop(cell),
        cell=cell,
        unit=unit[0] if unit else None,
        points=table.points[1],
    )


def cell_of(table: Table, base: Base, throw: list[int]) -> int | None:
    """Which module a throw hits: column and row, or one die for the kind (A-TE-31)."""
    reader = table.reader
    if not table.rules["die_picks_module"]:
        column, row = reader.dice("R-TE-MIS-3", "dice", throw, 2)
        cell = cell_at(column, row)
        return cell if cell in base.modules else None
    kind = DIE_KINDS[reader.dice("R-TE-OPT-1", "dice", throw, 1)[0] - 1]
    cells = sorted(cell for cell, module in base.modules.items() if module == kind)
    return min(cells, key=lambda cell: (cell in base.units, cell), default=None)


# -- the return -----------------------------------------------------------------------------------
def return_home(table: Table) -> None:
    """R-TE-RET: everybody who is beside a base goes back onto a module, or is lost."""
    reader = table.reader
    waiting = {seat: claims_of(base) for seat, base in table.bases.items()}
    while any(queue for claims in waiting.values() for queue in claims.values()):
        line = reader.take("home", "R-TE-RET")
        seat = reader.choice("R-TE-RET", "seat", waiting)
        module = STANDS_ON.get(line["unit"], "")
        queue = waiting[seat].get(module)
        if not queue:
            reader.stop("R-TE-RET", f"no such unit of seat {seat} is beside its base: {line['unit']}")
        kind, elite = queue.pop(0)
        cell = next(iter(table.bases[seat].free(module)), None)
        reader.facts("R-TE-RET A-TE-10", unit=kind, elite=elite, cell=cell)
        if cell is not None:
            table.bases[seat].units[cell] = (kind, elite)
    for base in table.bases.values():
        base.beside.clear()


def claims_of(base: Base) -> dict[str, list[Unit]]:
    """A-TE-10: who claims modules of a kind, in this order: carriers, elite fighters, fighters; elites first."""
    order = [("carrier", False)] + [(kind, elite) for kind in ("fighter", *GROUND) for elite in (True, False)]
    claims: dict[str, list[Unit]] = {}
    for unit in order:
        claims.setdefault(STANDS_ON[unit[0]], []).extend([unit] * base.beside[unit])
    return claims
