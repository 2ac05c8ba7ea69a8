"""Who stands in which group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .arithmetic import spread_out, starting_spreads
from .table import Table


def check_groups(table: Table, aliens: Sequence[Any], allies: Sequence[Any], number: int) -> None:
    """R-TE-MIS-5, A-TE-8: a `groups` line; everybody gets the group that it names."""
    reader = table.reader
    line = reader.take("groups", "R-TE-MIS-5")
    standing = [[unit for unit in side if unit.state == "fights"] for side in (aliens, allies)]
    contested = {unit.group for unit in standing[0]} & {unit.group for unit in standing[1]} - {None}
    anew = not contested
    reader.facts("A-TE-8", round=number, anew=anew)
    for units, told in ((aliens, line["aliens"]), (allies, line["allies"])):
        reader.need("R-TE-MIS-5", len(told) == len(units), "a group for each unit of the battle")
        for unit, group in zip(units, told, strict=True):
            stands = unit.state == "fights"
            reader.need(
                "R-TE-MIS-5", (group is not None) == stands, f"group {group} of a unit that {unit.state}"
            )
            if stands and unit.group in contested:
                reader.same("A-TE-8", "group of one with an opponent", unit.group, group)
    if anew:
        check_new_groups(table, line, len(standing[0]), len(standing[1]))
    else:
        check_joining(table, line, standing[0], contested)
    for units, told in ((aliens, line["aliens"]), (allies, line["allies"])):
        for unit, group in zip(units, told, strict=True):
            unit.group = group


def counts_of(told: Sequence[int | None]) -> dict[int, int]:
    """How many stand in each group."""
    return dict(sorted(Counter(group for group in told if group is not None).items()))


def check_new_groups(table: Table, line: dict[str, Any], aliens: int, allies: int) -> None:
    """R-TE-MIS-5: aliens as widely as possible, an ally against each group, aliens left over join evenly."""
    reader = table.reader
    found, met = counts_of(line["aliens"]), counts_of(line["allies"])
    used = min(aliens, table.rules["groups"])
    reader.need("R-TE-MIS-5", set(met) <= set(range(1, used + 1)), f"allies where there are no aliens: {met}")
    reader.same("R-TE-MIS-5", "groups that are met", min(used, allies), len(met))
    possible = []
    for start in starting_spreads(aliens, table.rules["groups"]):
        contested = {group: count for group, count in start.items() if group in met}
        possible.append(spread_out(contested, aliens - sum(contested.values()), line["draws"]))
    reader.check("R-TE-MIS-5", found in possible, f"aliens by group: {found}, draws {line['draws']}")


def check_joining(table: Table, line: dict[str, Any], standing: Sequence[Any], contested: set[Any]) -> None:
    """R-TE-MIS-5, A-TE-8: who has no opponent joins a group where both sides stand."""
    reader = table.reader
    found, met = counts_of(line["aliens"]), counts_of(line["allies"])
    reader.check("A-TE-8", set(met) == contested == set(found), f"groups {sorted(contested)}: {found}, {met}")
    start = dict(sorted(Counter(unit.group for unit in standing if unit.group in contested).items()))
    expected = spread_out(start, len(standing) - sum(start.values()), line["draws"])
    reader.check("R-TE-MIS-5", found == expected, f"aliens by group: expected {expected}, found {found}")
