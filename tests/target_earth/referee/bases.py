"""Building and recruiting."""

from __future__ import annotations

from .arithmetic import MODULES, MOST, PIECES, STANDS_ON, cells, neighbours
from .table import Base, Table


def build(table: Table, base: Base, why: str, price: int) -> None:
    """R-TE-PRD: a `build` line: warehouses, pieces, place and price."""
    reader, rules = table.reader, table.rules
    line = reader.take("build", "R-TE-PRD")
    module = reader.choice("R-TE-PRD", "module", MODULES)
    cell = reader.choice("R-TE-PRD", "cell", cells(rules))
    reader.check("R-TE-PRD", cell not in base.modules, f"cell {cell} is taken")
    beside = bool(neighbours(cell) & base.modules.keys())
    reader.check("R-TE-PRD A-TE-18", beside or not base.modules, f"cell {cell} is next to no module")
    placed = sum(other.count(module) for other in table.bases.values())
    pieces = rules[PIECES[module]]
    reader.check("R-TE-PRD", placed < pieces, f"all {pieces} pieces are placed: {module}")
    base.modules[cell] = module
    if module != "warehouse":
        within = base.count(module) <= base.count("warehouse")
        reader.check(
            "R-TE-PRD", within, f"{base.count(module)} {module}, {base.count('warehouse')} warehouse"
        )
    pay(table, base, price)
    reader.same("R-TE-PRD", "why", why, line["why"])


def recruit(table: Table, base: Base) -> None:
    """R-TE-PRD: a `recruit` line: a free module, pieces and price."""
    reader, rules = table.reader, table.rules
    reader.take("recruit", "R-TE-PRD")
    unit = reader.choice("R-TE-PRD", "unit", STANDS_ON)
    cell = reader.choice("R-TE-PRD", "cell", cells(rules))
    reader.check("R-TE-PRD", cell in base.free(STANDS_ON[unit]), f"cell {cell} is no free {STANDS_ON[unit]}")
    reader.check("R-TE-PRD", base.at_home(unit) < rules[MOST[unit]], f"no piece is left: {unit}")
    base.units[cell] = (unit, False)
    pay(table, base, rules[f"{unit}_price"])


def pay(table: Table, base: Base, price: int) -> None:
    """R-TE-PRD: out of the base's own credits."""
    base.credits -= price
    table.reader.facts("R-TE-PRD", price=price, credits=base.credits, seat=base.seat)
    table.reader.check("R-TE-PRD", base.credits >= 0, "not enough credits")


def buy_all(table: Table, base: Base, why: str) -> None:
    """Everything one base buys."""
    reader = table.reader
    while reader.next_is("build", seat=base.seat, why=why) or reader.next_is("recruit", seat=base.seat):
        if reader.peek() == "build":
            build(table, base, why, table.rules["module_price"])
        else:
            recruit(table, base)
