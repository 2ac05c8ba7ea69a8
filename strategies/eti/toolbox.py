"""What strategies use to read the table. Nothing here peeks: hidden cards are judged by the deck's make-up."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import tool
from sim.games.eti.battle import project_defence, vault_defence
from sim.games.eti.companies import track_value
from sim.games.eti.events import votes_of
from sim.games.eti.research import cards_due
from sim.games.eti.state import (
    ALIEN,
    ANALYSIS,
    CREATIVITY,
    FACE_UP,
    HUMAN,
    MULTIPLIER,
    NONE,
    NUMBER,
    PUBLIC,
    RESEARCH,
    SAFE,
    SECRET,
    SECURITY,
    STAFFING,
    STANDARD,
    SUBMIT,
    SWITCH,
    THREAT,
)
from sim.random import chance

__all__ = [
    "ALIEN",
    "ANALYSIS",
    "CREATIVITY",
    "FACE_UP",
    "HUMAN",
    "MULTIPLIER",
    "NONE",
    "NUMBER",
    "PUBLIC",
    "RESEARCH",
    "SAFE",
    "SECRET",
    "SECURITY",
    "STAFFING",
    "STANDARD",
    "SUBMIT",
    "SWITCH",
    "THREAT",
    "card_attack_mean",
    "cards_due",
    "chance",
    "expected_attack",
    "expected_total",
    "lowest",
    "may_submit",
    "mine",
    "missing",
    "ports_full",
    "progress",
    "project_defence",
    "rivals",
    "safe_total",
    "track_value",
    "upgrades_on",
    "vault_defence",
    "votes_of",
]  # fmt: skip


#: what a swap adds to an average queue, as a share of its total (docs/calibration.md)
SWAP_GAIN = 0.16


@tool
def mine(seat):
    """The own seat's number."""
    return int(seat.me)


@tool
def ports_full(table, p):
    """No free data port: research is not allowed (R-AGD-2)."""
    return table.queue_n[p] >= table.rules.ports


@tool
def may_submit(table, p):
    """There are cards at the ports, or an empty submission is allowed (A-8)."""
    return table.queue_n[p] > 0 or table.rules.empty_submission != 0


@tool
def missing(table, p):
    """Points still needed for the project studied; 0 if the bank alone is enough."""
    return max(0, int(table.cards.difficulty[table.studying[p]]) - int(table.bank[p]))


@tool
def safe_total(table, p):
    """What a safe submission of a company's queue gives."""
    return int(table.queue_n[p]) * int(table.rules.safe_points)


@tool
def expected_total(table, seat, extra):
    """About what a standard submission of the own queue, and `extra` cards more, gives.

    Cards seen by analysis count as they are, the others as the deck's average; an active threat costs about the
    highest of three numbers, less towards the end of the queue, where little lies behind it.
    """
    me = mine(seat)
    cards = table.cards
    n = min(int(table.queue_n[me]) + extra, int(table.rules.ports))
    unknown = cards.number_share * cards.number_mean
    danger = cards.threat_share * (4 - int(table.immunity_n[me]))
    total, last, kills = 0.0, 0.0, 0.0
    for port in range(n):
        kind = int(seat.seen[port]) if port < table.queue_n[me] else NONE
        reach = min(1.0, 0.5 * (n - 1 - port))
        if kind == NONE:
            last = unknown * cards.factor_mean
            total += last
            kills += danger * reach
        elif cards.kind_type[kind] == NUMBER:
            last = float(cards.kind_value[kind])
            total += last
        elif cards.kind_type[kind] == MULTIPLIER:
            total += last * (cards.kind_value[kind] - 1)
            last *= cards.kind_value[kind]
        elif table.immune[me][cards.kind_value[kind]] == 0:
            kills += reach
    swaps = track_value(table, me, CREATIVITY)
    return max(0.0, total - kills * cards.kill_mean) * (1.0 + SWAP_GAIN * max(0, min(swaps, n - 1)))


@tool
def rivals(table, p, project):
    """How many other companies study a project."""
    n = 0
    for q in range(table.players):
        n += q != p and table.studying[q] == project
    return n


@tool
def progress(table, p):
    """What a company has gathered for its project, its cards counted safe, as a share of the difficulty."""
    if table.studying[p] == NONE:
        return 0.0
    return (int(table.bank[p]) + safe_total(table, p)) / int(table.cards.difficulty[table.studying[p]])


@tool
def upgrades_on(table, project):
    """How many ability upgrades a project brings."""
    upgrades = table.cards.upgrades[project]
    return int(upgrades[0] + upgrades[1] + upgrades[2] + upgrades[3])


@tool
def card_attack_mean(table, p):
    """What one hidden attack card counts against a company, on average, as far as the table shows."""
    cards, rules = table.cards, table.rules
    total = 0.0
    for kind in range(cards.kinds):
        value = int(cards.kind_value[kind])
        if cards.kind_type[kind] == MULTIPLIER:
            value = int(rules.attack_x0 if value == 0 else rules.attack_x2 if value == 2 else rules.attack_x3)
        elif cards.kind_type[kind] == THREAT:
            immune = table.immune[p][value]
            if table.tactic[value]:
                value = int(rules.attack_tactic_immune if immune else rules.attack_tactic_open)
            else:
                value = int(rules.attack_plain_immune if immune else rules.attack_plain_open)
        total += value * cards.kind_count[kind]
    return total / cards.deck_size


@tool
def expected_attack(table, p, cards):
    """The attack to expect against a company from so many cards."""
    return table.base_attack + cards * card_attack_mean(table, p)
