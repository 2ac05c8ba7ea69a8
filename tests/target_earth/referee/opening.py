"""The first steps of a turn: income, research, production."""

from __future__ import annotations

from .arithmetic import TECHNOLOGIES, research_price
from .bases import build, buy_all
from .setup import add_tiles
from .table import Table

TOP_LEVEL = 4


def begin_turn(table: Table) -> None:
    """R-TE-END: what is reported at the start of a turn."""
    reader = table.reader
    table.turn += 1
    reader.verdict.turns = table.turn
    if table.turn > 1:
        at = table.seats.index(table.first)
        table.first = table.seats[(at + 1) % len(table.seats)]
    while table.bags_filled < table.era:
        table.bags_filled += 1
        add_tiles(table, table.bags_filled)
    table.changed, table.sought, table.scientist_played = set(), [], False
    for base in table.bases.values():
        base.played, base.token_used, base.won_point = 0, False, False
    line = reader.take("turn", "R-TE-END")
    reader.facts(
        "R-TE-END",
        turn=table.turn,
        era=table.era,
        first=table.first,
        fund=table.fund,
        knowledge=table.knowledge,
        levels=[table.levels[name] for name in TECHNOLOGIES],
        points=table.points,
        income=table.income,
    )
    credits = {str(base.seat): base.credits for base in table.bases.values()}
    reader.same("R-TE-PRD", "credits", credits, line["credits"])
    limits = {str(seat): table.may_play(seat) for seat in table.bases}
    reader.same("R-TE-SET-3", "may_play", limits, line["may_play"])


def collect_income(table: Table) -> None:
    """R-TE-INC."""
    table.fund += table.income
    table.reader.take("income", "R-TE-INC")
    table.reader.facts("R-TE-INC", amount=table.income, fund=table.fund)


# -- research -------------------------------------------------------------------------------------
def affordable(table: Table) -> list[str]:
    """R-TE-RES, A-TE-23: what may be researched now."""
    open_to = [t for t in TECHNOLOGIES if table.levels[t] < TOP_LEVEL and t not in table.sought]
    return [t for t in open_to if research_price(t, table.levels[t] + 1, table.rules)[0] <= table.fund]


def pay_research(table: Table) -> None:
    """R-TE-RES, A-TE-14, A-TE-19, A-TE-22: one technology, a second one with a scientist."""
    reader = table.reader
    legal = affordable(table)
    must = table.advanced and table.turn >= table.rules["must_science_turn"] and "science" in legal
    was_voted, result = table.take_votes("research", ["science"] if must else [*legal, None])
    if reader.next_is("research"):
        take_research(table, None, legal)
        if was_voted:
            reader.same("A-TE-19", "technology voted for", result, table.sought[0])
    else:
        reader.check("A-TE-19", result is None, f"{result} was voted for, but is not researched")
    if must:
        reader.check(
            "R-TE-ADV-1", table.sought[:1] == ["science"], f"science must be researched: {table.sought}"
        )
    if table.next_card("scientist"):
        reader.check("A-TE-22", bool(table.sought), "a scientist without a first technology")
        base = table.play_card("R-TE-CARD-2")
        take_research(table, base.seat, affordable(table))


def take_research(table: Table, by: int | None, legal: list[str]) -> None:
    """R-TE-RES: a `research` line."""
    reader = table.reader
    reader.take("research", "R-TE-RES")
    technology = reader.choice("R-TE-RES A-TE-23", "technology", legal)
    level = table.levels[technology] + 1
    cost = research_price(technology, level, table.rules)[0]
    table.fund -= cost
    table.sought.append(technology)
    reader.facts("R-TE-RES", level=level, cost=cost, fund=table.fund, by=by)


# -- production -----------------------------------------------------------------------------------
def produce(table: Table) -> None:
    """R-TE-PRD, A-TE-6: shares, then cards, then purchases, in player order."""
    reader = table.reader
    each, table.fund = divmod(table.fund, len(table.bases))
    reader.take("share", "R-TE-PRD")
    reader.facts("R-TE-PRD", each=each, fund=table.fund)
    for base in table.bases.values():
        base.credits += each
    for seat in table.order():
        while reader.next_is("card", seat=seat, card="engineer"):
            table.play_card("R-TE-CARD-2")
            site = reader.lines[reader.at].get("seat") if reader.peek() == "build" else None
            if site not in table.bases:
                reader.stop("R-TE-CARD-2", "an engineer builds nothing")
            build(table, table.bases[site], "engineer", 0)
        if reader.next_is("card", seat=seat, card="fortified base"):
            fortify(table)
    for seat in table.order():
        buy_all(table, table.bases[seat], "production")


def fortify(table: Table) -> None:
    """R-TE-CARD-2, A-TE-22: once a base."""
    base = table.play_card("R-TE-CARD-2")
    table.reader.check("A-TE-22", not base.fortified, "the base is fortified already")
    base.fortified = True
    table.reader.take("fortified", "R-TE-CARD-2")
    table.reader.facts("R-TE-CARD-2", seat=base.seat)
