"""The end of a turn and of the game."""

from __future__ import annotations

from collections import Counter

from .arithmetic import end_of_game, objective_points, research_price, unused_points
from .table import Base, Table


def settle_research(table: Table) -> None:
    """R-TE-RES, R-TE-RES-2: laboratories and knowledge are looked at now."""
    reader = table.reader
    prices = {t: research_price(t, table.levels[t] + 1, table.rules) for t in table.sought}
    within = [t for t in table.sought if prices[t][1] <= table.labs() and prices[t][2] <= table.knowledge]
    if len(within) == 2 and sum(prices[t][2] for t in within) > table.knowledge:
        was_voted, result = table.take_votes("scarce", list(within))
        reader.take("scarce", "R-TE-RES-2")
        chosen = reader.choice("R-TE-RES-2", "technology", within)
        if was_voted:
            reader.same("A-TE-19", "technology voted for", result, chosen)
        within = [chosen]
    open_to = list(table.sought)  # they do not touch each other any more: in any order
    while open_to:
        reader.take("researched", "R-TE-RES")
        technology = reader.choice("R-TE-RES", "technology", open_to)
        open_to.remove(technology)
        success = technology in within
        if success:
            table.knowledge -= prices[technology][2]
            table.levels[technology] += 1
        reader.facts(
            "R-TE-RES",
            success=success,
            level=table.levels[technology],
            labs_needed=prices[technology][1],
            labs=table.labs(),
            knowledge=table.knowledge,
        )


def end_turn(table: Table) -> bool:
    """R-TE-END: research, the end of the game, cards. Is the game over?"""
    settle_research(table)
    over = end_of_game(table.turn, table.points, table.levels["science"], table.rules)
    if over:
        end_game(table, *over)
        return True
    for seat in table.order():
        base = table.bases[seat]
        for _ in range(base.played):
            table.draw_card(base, "drawn")
        swap(table, base)
    return False


def swap(table: Table, base: Base) -> None:
    """R-TE-ADV-2, A-TE-29: the officer discards a card and draws one."""
    reader = table.reader
    if not reader.next_is("discard", seat=base.seat):
        return
    card = reader.take("discard", "R-TE-ADV-2")["card"]
    reader.check("R-TE-ADV-2", base.faction == "officer", f"seat {base.seat} is no officer")
    reader.need("R-TE-ADV-2", base.hand[card] > 0, f"seat {base.seat} has no {card}")
    base.hand[card] -= 1
    table.discards[card] += 1
    table.draw_card(base, "swap")


def end_game(table: Table, winner: str, why: str) -> None:
    """R-TE-WIN-1 to R-TE-WIN-3, and in the advanced game R-TE-ADV-3 to R-TE-ADV-5."""
    reader = table.reader
    reader.verdict.won = winner == "alliance"
    reader.take("end", "R-TE-WIN-1")
    rule = {"sudden": "R-TE-WIN-2", "impossible": "R-TE-WIN-3"}.get(why, "R-TE-WIN-1")
    science = table.levels["science"]
    reader.facts(rule, turn=table.turn, winner=winner, why=why, points=table.points, science=science)
    if table.advanced:
        name_winner(table, count_personal(table), winner == "alliance")
    reader.take("stop", "trace")
    if reader.peek():
        reader.broken("trace", f"goes on after 'stop' with '{reader.peek()}'")


def count_personal(table: Table) -> dict[int, int]:
    """R-TE-ADV-3, R-TE-ADV-4: everybody's total."""
    reader = table.reader
    objectives = {objective["name"]: objective for objective in table.cards["objectives"]}
    totals: dict[int, int] = {}
    for seat in table.seats:
        base = table.bases[seat]
        by_objective = objective_points(objectives[base.objective], table.status)
        unused = unused_points(Counter(base.hand), table.starred, base.faction == "officer", table.rules)
        totals[seat] = base.points + by_objective + unused
        reader.take("personal_end", "R-TE-ADV-4")
        reader.facts("R-TE-ADV-4", seat=seat, objective=base.objective, objective_points=by_objective)
        reader.facts("R-TE-ADV-3", unused=unused, total=totals[seat])
    return totals


def name_winner(table: Table, totals: dict[int, int], won: bool) -> None:
    """R-TE-ADV-5: most personal points, then the higher initiative; nobody if the aliens have won."""
    reader = table.reader
    initiative = {faction["name"]: faction["initiative"] for faction in table.cards["factions"]}
    best = max(totals, key=lambda seat: (totals[seat], initiative[table.bases[seat].faction]))
    reader.verdict.winner = best if won else None
    reader.take("winner", "R-TE-ADV-5")
    reader.facts("R-TE-ADV-5", seat=best if won else None, points=totals[best])
