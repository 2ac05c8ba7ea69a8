"""Preparing a game: countries, factions, seats, hands, bags and bases."""

from __future__ import annotations

from collections import Counter

from .arithmetic import SIZES, cells
from .bases import buy_all
from .reader import Reader
from .table import Base, Table


def set_up(reader: Reader) -> Table:
    """From the first line to the last module bought."""
    reader.take("game", "trace")
    table = Table(reader, reader.line)
    reader.facts("trace", version=1, game="target-earth")
    check_tables(table)
    deal_countries(table)
    table.bases = {seat: Base(seat) for seat in range(1, table.game["bases"] + 1)}
    deal_factions(table)
    seat_players(table)
    fill_bags(table)
    deal_hands(table)
    configure_bases(table)
    return table


def check_tables(table: Table) -> None:
    """R-TE-ADV-1, R-TE-SET-3, A-TE-21: who plays what."""
    reader, game = table.reader, table.game
    low = 2 if table.advanced else 1
    reader.check("R-TE-ADV-1", low <= game["players"] <= 4, f"{game['players']} players")
    bases = table.rules["solo_bases"] if game["players"] == 1 else game["players"]
    reader.same("A-TE-21", "bases", bases, game["bases"])
    table.fund = table.rules["fund"]
    table.knowledge = table.rules["knowledge"]


def deal_countries(table: Table) -> None:
    """R-TE-SET-1: of each of the lower classes so many aliens, then as many allies."""
    reader = table.reader
    line = reader.take("countries", "R-TE-SET-1")
    table.status = dict.fromkeys(table.countries, "neutral")
    for key, status in (("aliens", "alien"), ("allies", "allied")):
        for name in line[key]:
            reader.need("R-TE-SET-1", table.status.get(name) == "neutral", f"{name} is not neutral")
            table.status[name] = status
        dealt = Counter(table.countries[name]["credits"] for name in line[key])
        wanted = {}
        for credits in range(1, table.rules["classes"] + 1):
            of_class = sum(1 for c in table.countries.values() if c["credits"] == credits)
            before = table.rules["dealt_each"] if status == "allied" else 0
            wanted[credits] = min(table.rules["dealt_each"], max(0, of_class - before))
        reader.same(
            "R-TE-SET-1",
            f"{key} by class",
            {c: n for c, n in wanted.items() if n},
            dict(sorted(dealt.items())),
        )
    reader.facts("R-TE-SET-1", points=table.points, income=table.income)


def deal_factions(table: Table) -> None:
    """R-TE-ADV-1, R-TE-OPT-3: a faction and an objective each, no two the same."""
    reader = table.reader
    line = reader.take("factions", "R-TE-ADV-1")
    seats = sorted(str(seat) for seat in table.bases)
    factions, objectives = line["factions"], line["objectives"]
    reader.same(
        "R-TE-ADV-1 R-TE-OPT-3", "seats with factions", seats if table.factions else [], sorted(factions)
    )
    reader.same("R-TE-ADV-1", "seats with objectives", seats if table.advanced else [], sorted(objectives))
    tokens = {faction["name"]: faction["tokens"] for faction in table.cards["factions"]}
    letters = {objective["name"] for objective in table.cards["objectives"]}
    for given, known in ((factions, set(tokens)), (objectives, letters)):
        right = len(set(given.values())) == len(given) and set(given.values()) <= known
        reader.check("R-TE-ADV-1", right, f"dealt: {given}")
    for seat, faction in factions.items():
        table.bases[int(seat)].faction = faction
        table.bases[int(seat)].tokens = tokens[faction]
    for seat, objective in objectives.items():
        table.bases[int(seat)].objective = objective


def seat_players(table: Table) -> None:
    """R-TE-ADV-1: by initiative; A-TE-20: in the base game anybody is first."""
    reader = table.reader
    line = reader.take("order", "R-TE-ADV-1")
    table.seats = line["seats"]
    reader.need("R-TE-ADV-1", sorted(table.seats) == sorted(table.bases), f"seats: {table.seats}")
    table.first = reader.choice("A-TE-20", "first", table.seats)
    if table.advanced:
        initiative = {faction["name"]: faction["initiative"] for faction in table.cards["factions"]}
        by_initiative = sorted(table.bases, key=lambda seat: initiative[table.bases[seat].faction])
        reader.same("R-TE-ADV-1", "player order", by_initiative, table.order())


def fill_bags(table: Table) -> None:
    """R-TE-SET-2, R-TE-SET-5."""
    table.deck = Counter({card["name"]: card["count"] for card in table.cards["alliance"]})
    if table.mode == "random":
        table.bag = Counter({ufo["name"]: ufo["tiles"] for ufo in table.cards["ufos"]})
    else:
        add_tiles(table, 1)


def add_tiles(table: Table, era: int) -> None:
    """R-TE-END: the tiles of a phase come into the bag."""
    if table.mode != "random":
        table.bag.update(dict(zip(SIZES, table.cards["bags"][table.mode][f"phase_{era}"], strict=True)))


def deal_hands(table: Table) -> None:
    """R-TE-SET-3."""
    if not table.rules[f"hand_{len(table.bases)}"]:
        return
    for seat in table.order():
        line = table.reader.take("hand", "R-TE-SET-3")
        table.reader.facts("R-TE-SET-3", seat=seat)
        wanted = min(table.rules[f"hand_{len(table.bases)}"], sum(table.deck.values()))
        table.reader.same("R-TE-SET-3", "number of cards", wanted, len(line["cards"]))
        for card in line["cards"]:
            table.take_from_deck(table.bases[seat], card)


def configure_bases(table: Table) -> None:
    """R-TE-SET-3, R-TE-ADV-1, A-TE-20: in player order, credits for modules and units."""
    reader, rules = table.reader, table.rules
    for place, seat in enumerate(table.order()):
        base = table.bases[seat]
        base.credits = rules[f"credits_{len(table.bases)}"]
        if table.advanced and place < rules["head_start_bases"]:
            base.credits = max(0, base.credits - rules["head_start_credits"])
            if table.labs() >= rules["laboratories"]:
                buy_all(table, base, "set-up")  # no piece is left
                continue
            reader.take("build", "R-TE-ADV-1")
            cell = reader.choice("R-TE-ADV-1", "cell", cells(rules))
            base.modules[cell] = "laboratory"
            reader.facts(
                "R-TE-ADV-1", seat=seat, module="laboratory", price=0, credits=base.credits, why="head start"
            )
        buy_all(table, base, "set-up")
