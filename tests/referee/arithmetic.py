"""The arithmetic of the rules, one small function a rule. Cards are strings, as in a trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

THREATS = ("abduction", "arson", "data-virus", "spy")
MULTIPLIERS = {"x0": 0, "x2": 2, "x3": 3}
Rules = Mapping[str, int]


class Hit(NamedTuple):
    """What one threat of a submission does. Ports count from 1."""

    port: int
    card: str
    ignored: bool
    destroys_port: int | None
    destroys: str | None


def resolve_threats(order: Sequence[str], ignored: Collection[int]) -> list[Hit]:
    """R-SUB-3: from port 1 on, each threat takes the highest number after it, of equals the nearest.

    `ignored` holds the ports of the threats that do not act.
    """
    values = [int(card) if card.isdigit() else -1 for card in order]  # -1: nothing (left) to destroy
    hits: list[Hit] = []
    for at, card in enumerate(order):
        if card not in THREATS:
            continue
        ignore = at + 1 in ignored
        highest = max(values[at + 1 :], default=-1)
        if ignore or highest < 0:
            hits.append(Hit(at + 1, card, ignore, None, None))
            continue
        victim = values.index(highest, at + 1)
        values[victim] = -1
        hits.append(Hit(at + 1, card, ignore, victim + 1, order[victim]))
    return hits


def total_of(order: Sequence[str], destroyed: Collection[int]) -> int:
    """R-SUB-4: surviving numbers, each times all multipliers up to the next surviving number."""
    total = 0
    last = 0  # the nearest surviving number so far, with its multipliers
    for port, card in enumerate(order, 1):
        if card in MULTIPLIERS:
            last *= MULTIPLIERS[card]
        elif card.isdigit() and port not in destroyed:
            total += last
            last = int(card)
    return total + last


def standard_total(order: Sequence[str], immune: Collection[str]) -> int:
    """R-SUB-3 and R-SUB-4 with every immunity used."""
    ignored = {port for port, card in enumerate(order, 1) if card in immune}
    hits = resolve_threats(order, ignored)
    return total_of(order, {hit.destroys_port for hit in hits if hit.destroys_port})


def fewest_swaps(before: Sequence[str], after: Sequence[str]) -> int | None:
    """R-SUB-2: adjacent swaps needed from one order to the other; None: other cards altogether.

    Equal cards keep their mutual order, so that the count of inversions is the least there is.
    """
    places: dict[str, list[int]] = {}
    for at, card in enumerate(before):
        places.setdefault(card, []).append(at)
    came_from: list[int] = []
    for card in after:
        if not places.get(card):
            return None
        came_from.append(places[card].pop(0))
    if len(came_from) != len(before):
        return None
    return sum(1 for i, a in enumerate(came_from) for b in came_from[i + 1 :] if a > b)


def safe_total(cards: int, rules: Rules) -> int:
    """R-SUB-1: so many points for each card put away face down."""
    return cards * rules["safe_points"]


def scooped_bank(bank: int, added: int, rules: Rules) -> int:
    """R-SCP-1: bank it, then cut."""
    return min(bank + added, rules["scoop_cap"])


def transferred_bank(bank: int, same_field: bool, difficulty: int, rules: Rules) -> int:
    """R-NEW-4: all of it within a field, else at most a share of the new difficulty, rounded down."""
    if same_field:
        return bank
    share = difficulty * rules["transfer_percent"] // 100
    return min(bank, share - share % rules["transfer_rounding"])


def votes_of(projects: Iterable[tuple[int, Collection[str]]], ability: str | None, rules: Rules) -> int:
    """R-EVT-4, A-28: votes of (level, upgrades) pairs, in an ability vote or a plain one (None)."""
    return sum(
        level * rules["votes_per_level"] * (rules["vote_factor"] if ability in upgrades else 1)
        for level, upgrades in projects
    )


def level_limit(highest: int, step: int) -> int:
    """R-NEW-1, A-11: the highest level one may turn up, with `highest` in the vaults (0: nothing)."""
    return min(5, max(1, highest + step))


def attack_value(card: str, tactics: Collection[str], immune: Collection[str], rules: Rules) -> int:
    """R-INV-10: what an attack card counts against a company."""
    if card in MULTIPLIERS:
        return rules["attack_" + card]
    if card in THREATS:
        kind = "tactic" if card in tactics else "plain"
        return rules[f"attack_{kind}_{'immune' if card in immune else 'open'}"]
    return int(card)
