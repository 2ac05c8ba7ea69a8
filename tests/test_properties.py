"""Properties: exact searches against brute force, and whole games under random rules before the referee."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from sim.games.eti.battle import least_fame_lost
from sim.games.eti.cards import ABILITIES, THREATS
from sim.games.eti.events import votes_of
from sim.games.eti.options import OPTIONS
from sim.games.eti.play import LENGTHS, make_setting
from sim.games.eti.projects import carried_over
from sim.games.eti.score import score_queue
from sim.games.eti.state import NONE, PUBLIC, SECRET
from sim.games.eti.trace import trace_game
from tests.kit import CARDS, KIND, new_table
from tests.referee import judge

PROJECTS = range(len(CARDS.projects))
MAX_ROUNDS = 60  # plain Python is slow; a longer game adds nothing

few = settings(max_examples=150, deadline=None)


# --- a standard submission, written a second time ----------------------------------------------------------
def worth(order: Sequence[str], immune: Sequence[str]) -> int:
    """R-SUB-3 and R-SUB-4, read off the rules page: lay out, strike out, add up."""
    left: list[int | None] = [int(card) if card.isdigit() else None for card in order]
    for port, card in enumerate(order):
        if card in THREATS and card not in immune:
            behind = [k for k in range(port + 1, len(order)) if left[k] is not None]
            if behind:
                left[max(behind, key=lambda k: (left[k], -k))] = None
    values = {k: number for k, number in enumerate(left) if number is not None}
    for port, card in enumerate(order):
        before = [k for k in values if k < port]
        if card.startswith("x") and before:
            values[max(before)] *= int(card[1:])
    return sum(values.values())


def within_reach(queue: Sequence[str], swaps: int) -> set[tuple[str, ...]]:
    """All orders that at most so many exchanges of neighbours lead to."""
    reached = {tuple(queue)}
    for _ in range(swaps):
        for order in list(reached):
            for k in range(len(order) - 1):
                reached.add((*order[:k], order[k + 1], order[k], *order[k + 2 :]))
    return reached


@few
@given(
    queue=st.lists(st.sampled_from(sorted(KIND)), max_size=6),
    swaps=st.integers(0, 3),
    immune=st.sets(st.sampled_from(THREATS)).map(sorted),
)
def test_best_swaps(queue: list[str], swaps: int, immune: list[str]) -> None:
    """R-SUB-2: the order found is within reach, is worth what it says, and none within reach is worth more."""
    found = score_queue(queue, swaps, immune)
    orders = within_reach(queue, swaps)
    assert tuple(found["order"]) in orders
    assert found["total"] == worth(found["order"], immune)
    assert found["total"] == max(worth(order, immune) for order in orders)


# --- projects to lose --------------------------------------------------------------------------------------
@few
@given(data=st.data())
def test_least_fame_lost(data: st.DataObject) -> None:
    """A-INV-11: enough defence is given up, at the least fame any set costs, and of those the fewest projects."""
    secret_defence, public_fame = data.draw(st.integers(0, 20)), data.draw(st.integers(0, 20))
    game = new_table(secret_defence=secret_defence, public_fame=public_fame)
    table = game.table
    held = sorted(data.draw(st.sets(st.sampled_from(PROJECTS), min_size=1, max_size=7)))
    values: dict[int, tuple[int, int]] = {}  # defence and fame
    for k in held:
        secret, moved = data.draw(st.tuples(st.booleans(), st.booleans()))
        card = CARDS.projects[k]
        table.place[k] = SECRET if secret else PUBLIC
        table.moved_fame[k] = card.fame if moved else 0
        defence, fame = (card.defence + card.fame, 0) if moved else (card.defence, card.fame)
        values[k] = (defence + secret_defence * secret, fame + public_fame * (not secret))

    def defence_of(sets: Sequence[int]) -> int:
        return sum(values[k][0] for k in sets)

    if defence_of(held) == 0:
        return
    needed = data.draw(st.integers(1, defence_of(held)))
    vault = sum(1 << k for k in held)
    lost = least_fame_lost(table, vault, needed)
    assert lost & ~vault == 0
    chosen = [k for k in held if lost >> k & 1]
    assert defence_of(chosen) >= needed
    price = min(
        (sum(values[k][1] for k in some), n)
        for n in range(len(held) + 1)
        for some in combinations(held, n)
        if defence_of(some) >= needed
    )
    assert (sum(values[k][1] for k in chosen), len(chosen)) == price


# --- banks and votes ---------------------------------------------------------------------------------------
BANK_OPTIONS = {option.name: option for option in OPTIONS if option.name.startswith("transfer_")}


@few
@given(
    bank=st.integers(0, 1000),
    left=st.sampled_from(PROJECTS),
    project=st.sampled_from(PROJECTS),
    percent=st.integers(BANK_OPTIONS["transfer_percent"].low, BANK_OPTIONS["transfer_percent"].high),
    step=st.integers(BANK_OPTIONS["transfer_rounding"].low, BANK_OPTIONS["transfer_rounding"].high),
)
def test_carried_over(bank: int, left: int, project: int, percent: int, step: int) -> None:
    """R-NEW-4: all within a field; else the bank, or the greatest multiple of the step within the share."""
    game = new_table(transfer_percent=percent, transfer_rounding=step)
    kept = carried_over(game.table, bank, left, project)
    assert 0 <= kept <= bank
    old, new = CARDS.projects[left], CARDS.projects[project]
    if old.field == new.field:
        assert kept == bank
        return
    assert kept * 100 <= new.difficulty * percent
    if kept < bank:
        assert kept % step == 0
        above = kept + step
        assert above * 100 > new.difficulty * percent or above > bank >= kept


@few
@given(
    held=st.sets(st.sampled_from(PROJECTS), max_size=12),
    ability=st.sampled_from([None, *ABILITIES]),
    per_level=st.integers(0, 4),
    factor=st.integers(0, 5),
)
def test_votes(held: set[int], ability: str | None, per_level: int, factor: int) -> None:
    """R-EVT-4, A-28: the sum of levels; a project with the ability in question counts by the factor, once."""
    game = new_table(votes_per_level=per_level, vote_factor=factor)
    game.table.vault[1] = sum(1 << k for k in held)
    expected = 0
    for k in held:
        card = CARDS.projects[k]
        expected += card.level * per_level * (factor if ability in card.upgrades else 1)
    number = NONE if ability is None else ABILITIES.index(ability)
    assert votes_of(game.table, 1, number) == expected


# --- whole games -------------------------------------------------------------------------------------------
def some_rules() -> st.SearchStrategy[dict[str, int]]:
    """A few options off their defaults, anywhere in their ranges."""
    ranges: dict[str, Any] = {
        option.name: st.integers(option.low, option.high) for option in OPTIONS if option.name != "max_rounds"
    }
    several = st.fixed_dictionaries({}, optional=ranges)
    return st.tuples(several, st.integers(5, MAX_ROUNDS)).map(
        lambda drawn: drawn[0] | {"max_rounds": drawn[1]}
    )


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rules=some_rules(),
    players=st.integers(3, 6),
    length=st.sampled_from(LENGTHS),
    seed=st.integers(0, 2**63 - 1),
)
def test_random_rules(rules: dict[str, int], players: int, length: str, seed: int) -> None:
    """Whatever the options, a game of random companies comes to its end, and the referee finds no fault."""
    setting = make_setting(["random"], players=players, length=length, rules=rules)
    lines = trace_game(setting, seed, 0)
    assert lines[-1]["do"] == "end"
    event(f"{lines[-1].get('rounds', 0)} rounds")
    assert judge(lines, best_swaps=False, best_losses=False).violations == []
