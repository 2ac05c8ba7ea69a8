"""Attempts of every sort, and the diplomacy step."""

from __future__ import annotations

from .table import Base, Table


def attempt(table: Table, why: str, seat: int | None, country: str | None, extra: int = 0) -> bool:
    """R-TE-DIP, R-TE-DIP-2, A-TE-4: one attempt, with its agent, its result and the points for it."""
    reader = table.reader
    change = declare_agent(table)
    line = reader.take("attempt", "R-TE-DIP")
    target = reader.choice("R-TE-DIP", "country", table.status)
    reader.facts("R-TE-DIP", why=why, seat=seat)
    if country is not None:
        reader.same("R-TE-DIP", "country", country, target)
    rebellion = why in ("rebellion", "diplomat rebellion")
    wanted = "alien" if rebellion else "neutral"
    reader.check("R-TE-DIP R-TE-DIP-2", table.status[target] == wanted, f"{target} is {table.status[target]}")
    reader.check("A-TE-4", target not in table.changed, f"{target} has changed its status in this turn")
    bonus = table.bonus("alien" if why == "aliens" else "allied")
    needed = table.countries[target]["diplomacy"]
    dice = reader.dice("R-TE-DIP", "dice", line["dice"], 2)
    success = sum(dice) + bonus + extra + change >= needed
    reader.facts("R-TE-DIP", bonus=bonus, extra=extra, agent=change, needed=needed, success=success)
    if success:
        to = "neutral" if rebellion else ("alien" if why == "aliens" else "allied")
        table.change_status(target, to, "R-TE-DIP")
    pay_points(table, why, seat, change, success)
    return success


def declare_agent(table: Table) -> int:
    """R-TE-ADV-2, A-TE-5: before the roll."""
    reader = table.reader
    if reader.peek() != "agent":
        return 0
    line = reader.take("agent", "R-TE-ADV-2")
    officer = table.of_faction("officer")
    if officer is None:
        reader.stop("R-TE-ADV-2", "there is no officer")
    reader.same("R-TE-ADV-2", "seat", officer.seat, line["seat"])
    table.use_token(officer, line["left"])
    return reader.choice("R-TE-ADV-2", "change", (-1, 1))


def pay_points(table: Table, why: str, seat: int | None, change: int, success: bool) -> None:
    """R-TE-ADV-1, R-TE-ADV-2: agent, diplomat, cards."""
    due: dict[tuple[int, str], int] = {}
    officer = table.of_faction("officer")
    if change and officer and success == (change > 0):
        due[officer.seat, "faction"] = table.rules["points_agent"]
    if success and seat is not None:
        if why == "card":
            due[seat, "card"] = table.rules["points_diplomacy_card"]
        elif why == "rebellion":
            due[seat, "card"] = table.rules["points_rebellion_card"]
        else:
            due[seat, "faction"] = table.rules["points_diplomat"]
    table.gain("R-TE-ADV-2", due)


def diplomacy_step(table: Table) -> None:
    """A-TE-7: the Alliance's attempt, each base's rebellions and token, the aliens."""
    court(table)
    for seat in table.order():
        while table.reader.next_is("card", card="rebellion", seat=seat):
            table.play_card("R-TE-CARD-2")
            attempt(table, "rebellion", seat, None)
        use_diplomat(table, table.bases[seat])
    if table.rules["alien_diplomacy"]:
        alien_diplomacy(table)


def court(table: Table) -> None:
    """R-TE-DIP, A-TE-19; in the advanced game the first player alone chooses (R-TE-ADV-1)."""
    reader = table.reader
    legal = [name for name in table.side("neutral") if name not in table.changed]
    was_voted, result = table.take_votes("court", [*legal, None], due=not table.advanced)
    if tries(table, "court", None):
        attempt(table, "court", None, result)
        reader.check("A-TE-19", result is not None or not was_voted, "nobody wanted to court")
    else:
        reader.check("A-TE-19", result is None, f"{result} was voted for, but is not courted")


def tries(table: Table, why: str, seat: int | None) -> bool:
    """Is the next line (or the one after an agent's) such an attempt?"""
    reader = table.reader
    if reader.peek() == "agent":
        return reader.after_next("attempt", why=why, seat=seat)
    return reader.next_is("attempt", why=why, seat=seat)


def use_diplomat(table: Table, base: Base) -> None:
    """R-TE-ADV-2: an attempt more, or a rebellion, for a token."""
    for why in ("diplomat", "diplomat rebellion"):
        if tries(table, why, base.seat):
            table.reader.check("R-TE-ADV-2", base.faction == "diplomat", f"seat {base.seat} is no diplomat")
            table.use_token(base, base.tokens - 1)
            attempt(table, why, base.seat, None)
            return


def alien_diplomacy(table: Table) -> None:
    """R-TE-OPT-2, A-TE-13."""
    reader = table.reader
    line = reader.take("alien_target", "R-TE-OPT-2")
    objective = line["objective"]
    check_objective(table, objective, [])
    country = objective if isinstance(objective, str) else None
    may = country is not None and table.status[country] == "neutral" and country not in table.changed
    reader.facts("R-TE-OPT-2 A-TE-13", attempt=may)
    if may:
        attempt(table, "aliens", None, country)


def check_objective(table: Table, objective: object, drawn: list[object]) -> None:
    """R-TE-SET-4, R-TE-UFO: a tile that is in the bag."""
    reader = table.reader
    if isinstance(objective, dict):
        tiles = table.rules[f"base_tiles_{len(table.bases)}"]
        reader.need("R-TE-SET-4", objective.get("base") in table.bases, f"no such base: {objective}")
        right = drawn.count(objective) < tiles
    else:
        reader.need("R-TE-SET-4", objective in table.status, f"no such country: {objective}")
        right = table.status[str(objective)] != "alien" and objective not in drawn
    reader.check("R-TE-SET-4 R-TE-UFO", right, f"not in the bag: {objective}")
