"""Deliberate breakages of the engine, as data. Each must be noticed by the referee (tests/test_mutations.py).

`old` stands exactly once in `file`; `new` takes its place. Most breakages show within a few ordinary games; for
the others `setting` says what must be different.

`python -m tests.mutations NUMBER COUNT` plays games of that mutation's setting with whatever engine is on the path,
and prints the first violation that the referee finds.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SEED = 7
TABLES = (  # who plays, in turn; at a table without random play exact choices are judged as well
    ("random", "random", "random"),
    ("gambler", "celebrity", "scooper"),
    ("random", "random", "random", "random"),
    ("sprinter", "climber", "hoarder", "fortress"),
)
LENGTHS = ("short", "standard")


@dataclass(frozen=True)
class Mutation:
    """One breakage: what it is, and which text of which engine file is replaced."""

    name: str
    file: str
    old: str
    new: str
    setting: Mapping[str, Any] = field(default_factory=dict)  # for make_setting; cards: see CARD_SETS


MUTATIONS = (
    # --- submissions, scoops, banks
    Mutation(
        "a safe submission brings one point a card less",
        "submission.py",
        "table.total[p] = int(table.queue_n[p]) * int(table.rules.safe_points)",
        "table.total[p] = int(table.queue_n[p]) * (int(table.rules.safe_points) - 1)",
        {"strategies": ["cautious"]},
    ),
    Mutation(
        "a switch brings one point a card less",
        "projects.py",
        "added = int(table.queue_n[p]) * int(table.rules.safe_points)",
        "added = int(table.queue_n[p]) * (int(table.rules.safe_points) - 1)",
    ),
    Mutation(
        "a threat destroys the lowest number, not the highest",
        "scoring.py",
        "if victim == NONE or kind < desk.order[victim]:",
        "if victim == NONE or kind > desk.order[victim]:",
        {"strategies": ["gambler"]},
    ),
    Mutation(
        "of equal numbers a threat destroys the last, not the nearest",
        "scoring.py",
        "if victim == NONE or kind < desk.order[victim]:",
        "if victim == NONE or kind <= desk.order[victim]:",
        {"strategies": ["gambler"]},
    ),
    Mutation(
        "a destroyed number still counts",
        "scoring.py",
        "            if not (doomed >> port) & 1:\n                closed += last",
        "            if True:\n                closed += last",
        {"strategies": ["gambler"]},
    ),
    Mutation(
        "the search for the best swaps stops at the first",
        "scoring.py",
        "    best = lying\n",
        "    best = lying + 60\n",
        {"strategies": ["gambler"]},
    ),
    Mutation(
        "the bank of a scooped company is not cut",
        "submission.py",
        "table.bank[p] = min(before + added, table.rules.scoop_cap)",
        "table.bank[p] = before + added",
        {"rules": {"scoop_cap": 20}},
    ),
    Mutation(
        "a claimant keeps its bank",
        "submission.py",
        "    table.bank[p] = 0\n    table.claimed += 1",
        "    table.claimed += 1",
    ),
    Mutation(
        "the claimed count is one off",
        "submission.py",
        "    table.claimed += 1\n",
        "    table.claimed += 2\n",
    ),
    Mutation(
        "points equal to the difficulty do not suffice",
        "submission.py",
        "best, most = 0, int(table.cards.difficulty[project])\n",
        "best, most = 0, int(table.cards.difficulty[project]) + 1\n",
        {"strategies": ["cautious"]},
    ),
    Mutation(
        "what is carried over is not rounded",
        "projects.py",
        "return min(int(bank), share // int(rules.transfer_rounding) * int(rules.transfer_rounding))",
        "return min(int(bank), share)",
    ),
    Mutation(
        "a bank is carried over whole into another field",
        "projects.py",
        "    if cards.field[left] == cards.field[project]:\n",
        "    if True:\n",
    ),
    # --- research
    Mutation(
        "no card more for projects of the field studied",
        "research.py",
        "+ int(table.rules.field_bonus) * int(table.field_n[p][field])",
        "+ 0 * int(table.field_n[p][field])",
    ),
    Mutation(
        "discards are not shuffled in when the badge passes",
        "engine.py",
        "    shuffle_discards_in(game)\n    note(game, V_BADGE",
        "    note(game, V_BADGE",
    ),
    Mutation(
        "a dry deck stays dry although the option is set",
        "research.py",
        "if game.table.rules.reshuffle_when_dry:",
        "if False:",
        {"cards": "small deck", "rules": {"ports": 3}},
    ),
    Mutation(
        "a card too many in the deck after a reshuffle",
        "research.py",
        "        secret.deck[kind] += secret.discards[kind]\n",
        "        secret.deck[kind] += secret.discards[kind] + (kind == 0)\n",
    ),
    Mutation(
        "a look shows one port too many",
        "company_effects.py",
        "if amount > 0 and seen[port] == NONE:",
        "if amount >= 0 and seen[port] == NONE:",
    ),
    Mutation(
        "analysis shows one port too many",
        "companies.py",
        "shown = min(track_value(game.table, p, ANALYSIS), int(game.table.queue_n[p]))",
        "shown = min(track_value(game.table, p, ANALYSIS) + 1, int(game.table.queue_n[p]))",
    ),
    # --- events
    Mutation(
        "votes are counted without doubling",
        "events.py",
        "worth *= int(table.rules.vote_factor)",
        "worth *= 1",
    ),
    Mutation(
        "a vote without an ability doubles too",
        "events.py",
        "if ability != NONE and table.cards.upgrades[project][ability] > 0:",
        "if table.cards.upgrades[project][ability] > 0:",
    ),
    Mutation(
        "an event is not put with the discards",
        "events.py",
        "    game.secret.event_discards |= 1 << event\n",
        "",
        {"cards": "few events"},
    ),
    Mutation(
        "the event deck is not made anew",
        "events.py",
        "    if secret.events_n > 0 or secret.event_discards == 0:\n",
        "    if True:\n",
        {"cards": "few events"},
    ),
    Mutation(
        "an event takes a bank below 0",
        "company_effects.py",
        "table.bank[p] = max(0, before + amount)",
        "table.bank[p] = before + amount",
        {"cards": "few events"},
    ),
    Mutation(
        "a traded project stays in a secret vault",
        "companies.py",
        "gain_project(game, decide, taker, project, PUBLIC)",
        "gain_project(game, decide, taker, project, PUBLIC - 1)",
    ),
    Mutation(
        "the immunity chosen first is lost",
        "companies.py",
        "place = n if table.rules.immunity_lost_last else 0",
        "place = 0",
        {"cards": "security for all"},
    ),
    # --- projects and the badge
    Mutation(
        "a claimant lays out two levels up",
        "projects.py",
        "limit = int(game.table.highest[p]) + int(game.table.rules.level_step)",
        "limit = int(game.table.highest[p]) + int(game.table.rules.level_step) + 1",
    ),
    Mutation(
        "the badge passes to the right",
        "engine.py",
        "table.president = clockwise(table, step)",
        "table.president = clockwise(table, -step)",
    ),
    Mutation(
        "the badge passes to a revealed alien",
        "engine.py",
        "step = 2 if clockwise(table, 1) == table.alien else 1",
        "step = 1",
    ),
    # --- the invasion
    Mutation(
        "the alien is not forced to reveal",
        "invasion.py",
        "forced = limit or table.claimed >= table.must_reveal",
        "forced = limit",
        {"rules": {"must_reveal_extra": 0}},
    ),
    Mutation(
        "the alien may reveal one project early",
        "invasion.py",
        "if not limit and table.claimed < table.threshold:",
        "if not limit and table.claimed < table.threshold - 1:",
    ),
    Mutation(
        "a revealed alien stays a round longer",
        "invasion.py",
        "    if table.rounds_left <= 0:\n",
        "    if table.rounds_left < 0:\n",
    ),
    Mutation(
        "a company is mashed twice",
        "invasion.py",
        "table.mashed[p] < table.rules.mash_limit",
        "table.mashed[p] <= table.rules.mash_limit",
    ),
    Mutation(
        "a use of intel is not counted",
        "invasion.py",
        "        table.intel_left -= 1\n",
        "",
        {"strategies": ["random"]},  # others would go on for ever
    ),
    Mutation(
        "one attack card too few",
        "invasion.py",
        "            for _ in range(each):\n",
        "            for _ in range(each - 1):\n",
    ),
    Mutation(
        "an x0 counts nothing as an attack card",
        "battle.py",
        "            return int(rules.attack_x0)\n",
        "            return 0\n",
    ),
    Mutation(
        "the fame bonus goes to secret projects",
        "battle.py",
        "    if table.place[project] == PUBLIC:\n        fame",
        "    if table.place[project] == SECRET:\n        fame",
    ),
    Mutation(
        "a defence equal to the attack is not enough",
        "battle.py",
        "survives = defence >= table.attack[p]",
        "survives = defence > table.attack[p]",
        {"cards": "even battles"},
    ),
    Mutation(
        "a survivor gives up the first projects, not the least famous",
        "battle.py",
        "price = (project_fame(table, project) << 8) + 1",
        "price = 1",
    ),
    Mutation(
        "the least fame wins",
        "battle.py",
        "if row.seat[p].fame > most:",
        "if row.seat[p].fame < abs(most):",
    ),
)


# --- card sets in which a breakage shows sooner --------------------------------------------------------------
def small_deck(cards: dict[str, Any]) -> None:
    """Some twenty research cards: with few ports the deck runs dry again and again, while discards are there."""
    for kind in cards["research"]:
        kind["count"] = 2


def few_events(cards: dict[str, Any]) -> None:
    """Two events, one of which takes more points than anybody has."""
    cards["events"] = cards["events"][:2]
    for event in cards["events"]:
        event.update(who="everyone", keep=None, on="self", ability=None)
    cards["events"][0]["effects"] = [{"do": "points", "amount": -400}]


def security_for_all(cards: dict[str, Any]) -> None:
    """Every project brings immunities, and every event takes one away from somebody."""
    for project in cards["projects"]:
        project["upgrades"] = ["security", "security"]
    for event in cards["events"]:
        event.update(who="everyone", keep=None, on="self", ability=None)
        event["effects"] = [{"do": "take_project", "level": 5}]


def even_battles(cards: dict[str, Any]) -> None:
    """Attack and defence in few, equal steps, so that they are often the same."""
    cards["research"] = [{"card": "10", "count": 90, "source": "assumed"}]
    for project in cards["projects"]:
        project.update(defence=10, difficulty=20)
    for name in ("brutality", "eti"):
        cards["tracks"][name]["spaces"] = [0, 0]


CARD_SETS = {
    "small deck": small_deck,
    "few events": few_events,
    "security for all": security_for_all,
    "even battles": even_battles,
}


def first_violation(mutation: Mutation, count: int) -> str:
    """Play up to `count` games, and say what the referee finds first; '' if nothing."""
    from sim.games.eti.cards import cards_from_dict, load_cards
    from sim.games.eti.play import make_setting
    from sim.games.eti.trace import trace_game
    from tests.referee import judge

    changes = dict(mutation.setting)
    if "cards" in changes:
        tables = load_cards().to_dict()
        CARD_SETS[changes["cards"]](tables)
        tables["set"]["totals"] = "free"
        changes["cards"] = cards_from_dict(tables)
    for index in range(count):
        names = TABLES[index % len(TABLES)]
        arguments = {"strategies": names, "players": len(names), "length": LENGTHS[index // 2 % 2]} | changes
        setting = make_setting(**arguments)
        try:
            lines = trace_game(setting, SEED, index)
        except Exception as error:  # a breakage that ends in a crash is noticed as well
            return f"crash in game {index}: {type(error).__name__}: {error}"
        exact = "random" not in arguments["strategies"]
        found = judge(lines, best_swaps=exact, best_losses=exact).violations
        if found:
            return f"game {index}: {found[0]}"
    return ""


if __name__ == "__main__":
    print(first_violation(MUTATIONS[int(sys.argv[1])], int(sys.argv[2])))
