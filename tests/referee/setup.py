"""Set-up: from the `game` line to the first markers."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from .cards import read_cards
from .growth import choose_upgrade, settle_immunities, take_pick
from .reader import Line, Reader
from .table import Table

RULES_FILE = Path(__file__).parents[2] / "sim" / "games" / "eti" / "data" / "rules.toml"


@cache
def rule_ranges() -> dict[str, tuple[int, int]]:
    """The rule options with their lowest and highest value."""
    with RULES_FILE.open("rb") as file:
        options = tomllib.load(file)
    return {name: (option["low"], option["high"]) for name, option in options.items()}


def set_up(reader: Reader) -> Table:
    """The first lines of a trace, up to the first markers."""
    line = reader.take("game", "trace")
    table = open_game(reader, line)
    read_piles(table)
    read_roles(table)
    reader.take("first_president", "R-SET-7")
    table.president = reader.choice("R-SET-7", "seat", table.companies)
    for company in table.clockwise():
        settle_immunities(table, company)  # a track may allow some on its first space
        for _ in range(table.rules["free_upgrades"]):
            choose_upgrade(table, company, "free", None, "R-SET-2")
    lay_out_first(table)
    for company in table.clockwise():
        take_pick(table, company, "start", "R-SET-7")
    return table


def open_game(reader: Reader, line: Line) -> Table:
    """The `game` line: options, cards, threshold."""
    reader.facts("trace", version=1)
    players = reader.choice("A-COMP-1", "players", range(3, 7))
    length = reader.choice("R-SET-1", "length", ("short", "standard", "epic"))
    judge_options(reader, line["rules"])
    rules: dict[str, int] = line["rules"]
    table = Table(reader, players, rules, read_cards(line["cards"]))
    table.multiplier = rules["multiplier_" + length]
    table.threshold = max(1, players * table.multiplier + rules["threshold_extra"])
    forced = players * (table.multiplier + rules["must_reveal_extra"])
    table.must_reveal = max(table.threshold, forced)
    reader.facts("R-SET-1", multiplier=table.multiplier, threshold=table.threshold)
    reader.facts("R-INV-1", must_reveal=table.must_reveal)
    names = line["strategies"]
    table.absent = set(line.get("absent", []))
    right = len(names) == players and all(isinstance(name, str) for name in names)
    reader.check("trace", right, "strategies should hold one name a seat")
    reader.check("trace", isinstance(line["alien_public"], bool), "alien_public is true or false")
    return table


def judge_options(reader: Reader, rules: dict[str, Any]) -> None:
    """Every option is there, whole, and within its range."""
    ranges = rule_ranges()
    if rules.keys() != ranges.keys():
        odd = sorted(map(str, rules.keys() ^ ranges.keys()))
        reader.stop("trace", f"rule options missing or unknown: {odd}")
    for name, (low, high) in ranges.items():
        value = rules[name]
        if type(value) is not int or not low <= value <= high:
            reader.stop("trace", f"option {name} is {value!r}, not from {low} to {high}")


def read_piles(table: Table) -> None:
    """R-SET-4: each pile holds the projects of its level, the event deck all events."""
    reader = table.reader
    line = reader.take("piles", "R-SET-4")
    piles, events = line["projects"], line["events"]
    reader.same("R-SET-4", "piles", sorted("12345"), sorted(piles))
    for level, names in table.cards.by_level.items():
        pile = piles[str(level)]
        if sorted(pile) != sorted(set(names) - table.absent):
            reader.stop("R-SET-4", f"the pile of level {level} does not hold the projects of that level")
        table.piles[level] = [table.cards.projects[name] for name in pile]
    if sorted(events) != sorted(set(table.cards.events) - table.absent):
        reader.stop("R-SET-4", "the event deck does not hold every event once")
    table.event_deck = [table.cards.events[name] for name in events]


def read_roles(table: Table) -> None:
    """R-SET-5: one alien, the others human, every card at most once."""
    reader = table.reader
    aliens = []
    free = {"human": set(table.cards.humans) - table.absent, "alien": set(table.cards.aliens)}
    for seat, company in table.companies.items():
        reader.take("role", "R-SET-5")
        reader.facts("R-SET-5", seat=seat)
        company.role = reader.choice("R-SET-5", "role", free)
        company.card = reader.choice("R-SET-5", "card", free[company.role])
        free[company.role].discard(company.card)
        if company.role == "alien":
            aliens.append(company)
    if len(aliens) != 1:
        reader.stop("R-SET-5", f"{len(aliens)} aliens instead of one")
    table.alien = aliens[0]


def lay_out_first(table: Table) -> None:
    """R-SET-6: players - 1 projects of level I (options). A pile too small: the lowest level, or none."""
    reader, rules = table.reader, table.rules
    level = rules["starting_level"]
    for _ in range(max(1, table.players + rules["starting_projects"])):
        if not table.piles[level] and reader.peek() != "lay_out":
            return
        lay_out(table, None, table.levels_fixed(level), "setup", "R-SET-6")


def lay_out(table: Table, seat: int | None, levels: list[int], why: str, rule: str) -> None:
    """A `lay_out` line from one of these levels; nothing where no level has a project left."""
    if not levels:
        return
    reader = table.reader
    reader.take("lay_out", rule)
    reader.facts(rule, seat=seat, why=why)
    level = reader.choice(rule, "level", levels)
    project = table.piles[level].pop(0)
    reader.facts("R-SET-4", project=project.name)
    table.face_up[project.name] = project
