"""Research, submission, scoops and new projects (chapters 3.3 to 3.5 of the rules page), rule by rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.eti.asking import BEST, IllegalAnswer
from sim.games.eti.battle import project_defence, project_fame
from sim.games.eti.cards import THREATS
from sim.games.eti.companies import gain_project, look_at_ports, move_project, upgrade_ability
from sim.games.eti.projects import lay_out_own_choice, new_projects
from sim.games.eti.research import deal_research
from sim.games.eti.score import score_queue
from sim.games.eti.state import (
    ANALYSIS,
    FACE_UP,
    NONE,
    PUBLIC,
    RESEARCH,
    SAFE,
    SECRET,
    STAFFING,
    STANDARD,
    SUBMIT,
    SWITCH,
)
from sim.games.eti.submission import choose_ways, settle_submissions, submit_results
from tests.kit import KIND, PROJECT, face_up, give_queue, give_swaps, new_table, scripted, study

WAYS = scripted()


def deal(game: Any, *seats: int) -> None:
    """These seats research, the others have no agenda."""
    for p in range(game.table.players):
        game.table.agenda[p] = RESEARCH if p in seats else NONE
    with np.errstate(over="ignore"):
        deal_research(game)


def submit(game: Any, p: int, way: int = SAFE, **answers: Any) -> int:
    """One company submits alone; its total."""
    game.table.agenda[p] = SUBMIT
    with np.errstate(over="ignore"):
        choose_ways(game, scripted(submission=way, **answers))
        submit_results(game, scripted(**answers))
    game.table.agenda[p] = NONE
    return int(game.table.total[p])


def standard(*cards: str, swaps: int = 0, immune: tuple[str, ...] = (), **rules: int) -> int:
    """What the engine's own submission makes of a queue, its best swaps included."""
    game = new_table(**rules)
    study(game, 0, "Synthetic Polymers")
    give_queue(game, 0, *cards)
    give_swaps(game, 0, swaps)
    for threat in immune:
        game.table.immune[0][THREATS.index(threat)] = 1
    return submit(game, 0, STANDARD, swap=BEST)


def settle(game: Any, totals: dict[int, int], **answers: Any) -> tuple[list[int], list[int]]:
    """Claims after these totals; the seats of claimants and of scooped companies."""
    for p, total in totals.items():
        game.table.agenda[p] = SUBMIT
        game.table.total[p] = total
    with np.errstate(over="ignore"):
        sets = settle_submissions(game, scripted(**answers))
    claimants, scooped = ([p for p in range(6) if bits >> p & 1] for bits in sets)
    return claimants, scooped


def rivals(*seats: int, project: str = "Cryogenic Coolants", **rules: int) -> Any:
    """These companies study one face-up project of difficulty 120."""
    game = new_table(**rules)
    face_up(game, project)
    for p in seats:
        study(game, p, project)
    return game


def renew(game: Any, claimants: int = 0, scooped: int = 0, **answers: Any) -> None:
    with np.errstate(over="ignore"):
        new_projects(game, scripted(**answers), claimants, scooped)


def only_pile(game: Any, **levels: str) -> None:
    """The piles hold just these projects, e.g. L3="String Theory"."""
    for level in range(1, 6):
        game.table.pile_left[level] = 0
    for name, project in levels.items():
        game.secret.pile[int(name[1:])][0] = PROJECT[project]
        game.table.pile_left[int(name[1:])] = 1


def discarded(game: Any) -> list[str]:
    return sorted(card for card, kind in KIND.items() for _ in range(game.secret.discards[kind]))


# --- research ----------------------------------------------------------------------------------------------
def test_cards_go_round_from_the_presidents_left() -> None:
    """R-RES-1: with seven cards in the deck, the president, last in the order, gets only what is left."""
    game = new_table()
    game.table.president = 1
    for p in range(4):
        study(game, p, "Synthetic Polymers")
    game.secret.deck[:] = 0
    game.secret.deck[KIND["50"]] = game.secret.deck_n = 7
    deal(game, 1, 2, 0)
    assert list(game.table.queue_n[:4]) == [3, 1, 3, 0]
    assert all((seat.seen == NONE).all() for seat in game.seats), "dealt unseen"


def test_staffing_and_field_decide_how_many() -> None:
    """R-RES-2, W-12: staffing 3 (one token: 4), two weaponry projects: 2 more, but only in weaponry."""
    game = new_table()
    for project in ("Assault Rifles", "Guided Missiles", "Particle Accelerator"):
        gain_project(game, WAYS, 0, PROJECT[project], PUBLIC)
    game.table.tokens[2][STAFFING] = 1
    study(game, 0, "Orbital Minefield")
    study(game, 1, "Orbital Minefield")
    study(game, 2, "Orbital Minefield")
    deal(game, 0, 1, 2)
    assert list(game.table.queue_n[:3]) == [5, 3, 4]
    study(game, 0, "Synthetic Polymers")
    deal(game, 0)
    assert game.table.queue_n[0] == 8


def test_cards_without_a_port_are_discarded_unseen() -> None:
    """R-RES-3: 13 cards and 3 new ones: one finds the 14th port, two are discarded, seen by nobody."""
    game = new_table()
    study(game, 0, "Synthetic Polymers")
    give_queue(game, 0, *["10"] * 13)
    game.table.tokens[0][ANALYSIS] = 6
    before = int(game.secret.deck_n)
    deal(game, 0)
    assert game.table.queue_n[0] == 14
    assert len(discarded(game)) == 2 and game.secret.deck_n == before - 3
    assert (game.seats[0].seen[:14] != NONE).all() and (game.seats[0].seen[14:] == NONE).all()


def test_analysis_shows_the_first_ports() -> None:
    """R-RES-4: nothing without analysis, four ports with two upgrades, at once; nothing changes place."""
    game = new_table()
    study(game, 0, "Synthetic Polymers")
    give_queue(game, 0, "50", "spy", "x2", "10", "40", "x0")
    look_at_ports(game, 0)
    assert (game.seats[0].seen == NONE).all()
    for _ in range(2):
        upgrade_ability(game, WAYS, 0, ANALYSIS, 0, NONE)
    seen = [KIND[card] for card in ("50", "spy", "x2", "10")]
    assert list(game.seats[0].seen[:6]) == [*seen, NONE, NONE]
    assert (game.seats[1].seen == NONE).all()
    deal(game, 0)
    assert list(game.seats[0].seen[:5]) == [*seen, NONE]
    assert list(game.secret.queue[0][:6]) == [*seen, KIND["40"], KIND["x0"]]


def test_new_cards_take_the_lowest_free_ports() -> None:
    """R-RES-5: behind two cards the next ones lie at ports 3, 4 and 5."""
    game = new_table()
    study(game, 0, "Synthetic Polymers")
    give_queue(game, 0, "50", "10")
    game.secret.deck[:] = 0
    game.secret.deck[KIND["x3"]] = game.secret.deck_n = 9
    deal(game, 0)
    assert list(game.secret.queue[0][:5]) == [KIND[card] for card in ("50", "10", "x3", "x3", "x3")]
    assert game.table.queue_n[0] == 5


# --- what a submission is worth ----------------------------------------------------------------------------
def test_safe_submission() -> None:
    """R-SUB-1: seven cards, face down, are 70 points whatever they show, and can win a project of 70."""
    game = rivals(0, project="Synthetic Polymers")
    give_queue(game, 0, "spy", "50", "x0", "x3", "arson", "20", "x2")
    assert submit(game, 0, SAFE) == 70
    assert game.table.shown_n[0] == 0
    assert settle(game, {0: 70}) == ([0], [])


def test_swapping_by_hand() -> None:
    """R-SUB-2: all turned over; creativity 2 lets the same card move twice, and no more is asked."""
    game = new_table()
    study(game, 0, "Synthetic Polymers")
    give_queue(game, 0, "50", "10", "20", "x3")
    give_swaps(game, 0, 2)
    asked: list[int] = []

    def swap(table: Any, _: Any, made: int) -> int:
        asked.append(made)
        assert table.shown_n[0] == 4
        return made + 1

    assert submit(game, 0, STANDARD, swap=swap) == 10 + 20 + 50 * 3
    assert asked == [0, 1]
    assert list(game.table.shown[0][:4]) == [KIND[card] for card in ("10", "20", "50", "x3")]


def test_the_ends_of_a_queue_are_no_neighbours() -> None:
    """R-SUB-2: 50 may not jump from the last port to the first; port 4 of 4 has no next one."""
    assert standard("x3", "10", "20", "50", swaps=1) == 100  # round the corner it would be 120
    game = new_table()
    study(game, 0, "Synthetic Polymers")
    give_queue(game, 0, "x3", "10", "20", "50")
    give_swaps(game, 0, 1)
    with pytest.raises(IllegalAnswer):
        submit(game, 0, STANDARD, swap=4)


@pytest.mark.parametrize(
    ("queue", "total"),
    [
        ("spy 20 50 x2 50", 20 * 2 + 50),  # of equals the closest
        ("arson 10 spy 30 20", 10),  # one after another, each the greatest still there
        ("50 spy", 50),  # only what lies behind
        ("30 spy x3 x2", 180),  # multipliers are never removed
        ("data-virus 40 abduction 10", 10),  # immune to abductions
    ],
)
def test_threats(queue: str, total: int) -> None:
    """R-SUB-3: a threat removes the greatest number still lying after it, unless its owner is immune."""
    # of "data-virus 40 abduction 10", the virus takes the 40 and the abduction nothing
    assert standard(*queue.split(), immune=("abduction",)) == total


@pytest.mark.parametrize(
    ("queue", "total"),
    [
        ("x2 10 x3 x2 20 x0", 10 * 3 * 2 + 0),
        ("10 spy 50 x2", 20),  # the closest number *left*
        ("x3 x2", 0),
        ("40 10 x2 20", 80),
    ],
)
def test_multipliers(queue: str, total: int) -> None:
    """R-SUB-4: each multiplier goes to the closest number left before it, if there is one."""
    assert standard(*queue.split()) == total


def test_two_multipliers_on_a_number() -> None:
    """W-14: a number followed by x2 and x2 counts four times."""
    assert standard("30", "x2", "x2") == 120


def test_arson_and_one_swap() -> None:
    """W-1: 30 as it lies; with one swap 50, e.g. when arson removes the 30 instead."""
    queue = ["arson", "50", "20", "x0", "30", "spy"]
    plain, swapped = score_queue(queue), score_queue(queue, swaps=1)
    assert plain["total"] == 30
    assert [loss["card"] for loss in plain["destroyed"]] == ["50"]
    assert swapped["total"] == 50
    moved = score_queue(
        ["50", "arson", "20", "x0", "30", "spy"]
    )  # the swap of the example; another is as good
    assert moved["total"] == 50
    assert [loss["card"] for loss in moved["destroyed"]] == ["30"]


def test_virus_and_two_swaps() -> None:
    """W-2: 80 as it lies, 250 after two swaps."""
    queue = ["10", "x2", "data-virus", "40", "20", "x3"]
    assert score_queue(queue)["total"] == standard(*queue) == 80
    best = score_queue(queue, swaps=2)
    assert best["total"] == standard(*queue, swaps=2) == 250
    assert best["order"] == ["10", "40", "x2", "data-virus", "20", "x3"]


def test_immunity_may_be_waived_by_option() -> None:
    """A-7: 50, spy, 10, x3, immune to spy: 80, or 150 when the owner may let the spy work."""
    queue = ("50", "spy", "10", "x3")
    assert standard(*queue, immune=("spy",)) == 80
    assert standard(*queue, immune=("spy",), immunity_optional=1) == 150
    assert standard("spy", "50", immune=("spy",), immunity_optional=1) == 50  # may, not must


# --- claims and scoops -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("bank", "total", "claims"), [(50, 70, True), (50, 69, False), (0, 130, True)])
def test_difficulty(bank: int, total: int, claims: bool) -> None:
    """R-SUB-5: bank plus total has to be at least the difficulty, 120."""
    game = rivals(2)
    game.table.bank[2] = bank
    assert settle(game, {2: total}) == ([2] if claims else [], [])


def test_the_largest_sum_claims() -> None:
    """R-SUB-5: of several the largest sum, bank included, takes it; a tie is the president's, unbribed."""
    game = rivals(0, 1, 2)
    game.table.bank[1] = 40
    assert settle(game, {0: 130, 1: 100, 2: 135}) == ([1], [0, 2])

    asked: list[tuple[int, int]] = []

    def break_tie(_: Any, seat: Any, company: int) -> int:
        asked.append((int(seat.me), company))
        return company == 2

    def offer_to(*_: Any) -> int:
        raise AssertionError("no offers for a claim")

    game = rivals(0, 1, 2)
    game.table.president = 3
    for p in range(4):
        game.seats[p].me = p
    assert settle(game, {0: 130, 1: 125, 2: 130}, break_tie=break_tie, offer_to=offer_to) == ([2], [0, 1])
    assert asked == [(3, 0), (3, 2)]


@pytest.mark.parametrize(("vault", "place", "defence", "fame"), [(0, SECRET, 5, 0), (1, PUBLIC, 0, 10)])
def test_vaults(vault: int, place: int, defence: int, fame: int) -> None:
    """R-SUB-6: a claim empties the bank; secret is +5 defence, public +10 fame; a gift leaves the bank."""
    game = rivals(0)
    table, project = game.table, PROJECT["Cryogenic Coolants"]
    table.bank[0], table.bank[1] = 90, 80
    assert settle(game, {0: 40}, vault=vault) == ([0], [])
    assert table.bank[0] == 0
    assert table.place[project] == place and table.owner[project] == 0
    assert project_defence(table, project) == table.cards.defence[project] + defence
    assert project_fame(table, project) == table.cards.fame[project] + fame
    table.bank[0] = 30
    move_project(game, WAYS, 0, 1, project)
    assert table.owner[project] == 1 and (table.bank[0], table.bank[1]) == (30, 80)


def test_falling_short_banks_the_total() -> None:
    """R-SUB-7: 90 and 29 are short of 120: bank 119, uncut, and the project stays face up."""
    game = rivals(0)
    game.table.bank[0] = 90
    assert settle(game, {0: 29}) == ([], [])
    assert game.table.bank[0] == 119
    assert game.table.face_up_n == 1 and game.table.studying[0] == PROJECT["Cryogenic Coolants"]


@pytest.mark.parametrize("way", [SAFE, STANDARD])
def test_submitted_cards_are_discarded(way: int) -> None:
    """R-SUB-8: safe or standard, the cards go to the discards, destroyed ones and multipliers too."""
    game = rivals(0)
    give_queue(game, 0, "spy", "40", "x2")
    submit(game, 0, way)
    assert game.table.queue_n[0] == 0
    assert discarded(game) == ["40", "spy", "x2"]


@pytest.mark.parametrize(
    ("bank", "cards", "total", "after"),
    [(50, 0, 90, 100), (70, 5, None, 100), (130, 10, None, 100), (20, 3, None, 50), (20, 0, 40, 60)],
)
def test_scooped(bank: int, cards: int, total: int | None, after: int) -> None:
    """R-SCP-1, W-4, W-5, W-6: bank the total or 10 a card, then lose what is above 100."""
    game = rivals(0, 1)
    give_queue(game, 1, *["10"] * cards)
    game.table.bank[1] = bank
    game.table.agenda[1] = RESEARCH
    totals = {0: 300} if total is None else {0: 300, 1: total}
    assert settle(game, totals) == ([0], [1])
    assert game.table.bank[1] == after
    assert game.table.queue_n[1] == 0 and discarded(game) == ["10"] * cards


def test_scoop_counts_the_newest_cards() -> None:
    """R-SCP-1: three cards dealt this very round are worth 30."""
    game = rivals(0, 1)
    deal(game, 1)
    assert settle(game, {0: 120}) == ([0], [1])
    assert game.table.bank[1] == 30


@pytest.mark.parametrize(("option", "bank", "scooped"), [(0, 180, []), (1, 100, [1])])
def test_switching_from_a_claimed_project(option: int, bank: int, scooped: list[int]) -> None:
    """A-SCP-2: who chose to switch keeps 130 and 10 a card, unless switchers are scooped too."""
    game = rivals(0, 1, switchers_scooped=option)
    give_queue(game, 1, *["10"] * 5)
    game.table.bank[1] = 130
    game.table.agenda[1] = SWITCH
    assert settle(game, {0: 120}) == ([0], scooped)
    face_up(game, "High-Energy Propellants")  # the same field: the transfer takes nothing
    renew(game, 0, sum(1 << p for p in scooped))
    assert game.table.bank[1] == bank and game.table.queue_n[1] == 0


# --- new projects ------------------------------------------------------------------------------------------
def test_claimants_lay_out_before_anybody_picks() -> None:
    """R-NEW-1: from the president clockwise, a level up to one above the best; then the picks."""
    game = new_table()
    game.table.president = 3
    gain_project(game, WAYS, 0, PROJECT["Cryogenic Coolants"], PUBLIC)
    gain_project(game, WAYS, 3, PROJECT["Assault Rifles"], PUBLIC)
    seen: list[int] = []

    def rate_project(table: Any, *_: Any) -> int:
        seen.append(int(table.face_up_n))
        return 0

    renew(game, 0b1001, rate_level=lambda table, seat, level: level, rate_project=rate_project)
    levels = [int(game.table.cards.level[k]) for k in game.table.face_up[:2]]
    assert levels == [2, 3] and set(seen) == {2}
    assert (game.table.place[game.table.face_up[:2]] == FACE_UP).all()


def test_lowest_level_left_when_none_is_within_the_limit() -> None:
    """R-NEW-1: a company with a level I project takes level IV if nothing lower is left; or nothing."""
    game = new_table()
    gain_project(game, WAYS, 0, PROJECT["Assault Rifles"], PUBLIC)
    only_pile(game, L4="String Theory", L5="Antigravity Drive")
    lay_out_own_choice(game, scripted(rate_level=lambda table, seat, level: level), 0, 0)
    assert list(game.table.face_up[: game.table.face_up_n]) == [PROJECT["String Theory"]]
    only_pile(game)
    lay_out_own_choice(game, WAYS, 0, 0)
    assert game.table.face_up_n == 1


def test_level_choice() -> None:
    """W-8: the best completed project is level II: I, II and III are offered."""
    game = new_table()
    gain_project(game, WAYS, 0, PROJECT["Alien Detection"], PUBLIC)
    asked: list[int] = []
    with np.errstate(over="ignore"):
        lay_out_own_choice(game, scripted(rate_level=lambda table, seat, k: asked.append(k) or k), 0, 0)
    assert asked == [1, 2, 3]
    assert game.table.cards.level[game.table.face_up[0]] == 3


def test_who_picks_and_in_which_order() -> None:
    """R-NEW-2: claimed, switched and scooped companies pick from the president clockwise, no others."""
    game = new_table()
    game.table.president = 2
    for p in range(4):
        game.seats[p].me = p
    old, *_ = face_up(game, "Synthetic Polymers", "Assault Rifles", "Particle Accelerator")
    study(game, 0, "Synthetic Polymers")  # switches
    study(game, 1, "Synthetic Polymers")  # researches
    game.table.agenda[0], game.table.agenda[1] = SWITCH, RESEARCH
    asked: list[int] = []

    def rate_project(_: Any, seat: Any, project: int) -> int:
        asked.append(int(seat.me))
        return project

    only_pile(game)
    renew(game, 1 << 3, 1 << 2, rate_project=rate_project)
    assert list(dict.fromkeys(asked)) == [2, 3, 0]
    assert [int(k) for k in game.table.studying[:4]] == [PROJECT["Assault Rifles"], old] + 2 * [
        PROJECT["Assault Rifles"]
    ]


def switch(bank: int, cards: int, old: str, new: str) -> Any:
    """A company with a bank and a queue switches from one project to another."""
    game = new_table()
    face_up(game, old, new)
    study(game, 0, old)
    give_queue(game, 0, *["10"] * cards)
    game.table.bank[0] = bank
    game.table.agenda[0] = SWITCH
    renew(game)
    assert game.table.studying[0] == PROJECT[new]
    return game


def test_switchers_bank_their_queue() -> None:
    """R-NEW-3: 10 a card for four cards, which are discarded."""
    game = switch(20, 4, "Synthetic Polymers", "Cryogenic Coolants")
    assert game.table.bank[0] == 60
    assert game.table.queue_n[0] == 0 and discarded(game) == ["10"] * 4


@pytest.mark.parametrize(
    ("old", "new", "bank"),
    [
        ("Assault Rifles", "Integrated Circuits", 90),  # 180
        ("Assault Rifles", "Deep-Space Radar", 110),  # 230
        ("Assault Rifles", "Moon Outpost Lens Array", 150),  # 300
        ("Alien Detection", "Deep-Space Radar", 150),  # the same field
    ],
)
def test_bank_transfer(old: str, new: str, bank: int) -> None:
    """R-NEW-4, W-7: bank 100 and 5 cards make 150; half the new difficulty, to a ten, unless same field."""
    assert switch(100, 5, old, new).table.bank[0] == bank


@pytest.mark.parametrize(
    ("new", "after"),
    [("Guided Missiles", 60), ("Moon Outpost Lens Array", 100), ("High-Energy Propellants", 100)],
)
def test_scooped_company_is_cut_first(new: str, after: int) -> None:
    """R-NEW-5: 250 is cut to 100, then the company picks, then R-NEW-4 applies (130 leaves 60)."""
    game = rivals(0, 1)
    game.table.bank[1] = 250
    game.table.agenda[1] = RESEARCH
    assert settle(game, {0: 120}) == ([0], [1])
    only_pile(game)
    face_up(game, new, "String Theory")
    banks: list[int] = []

    def rate_project(table: Any, seat: Any, project: int) -> int:
        if seat.me == 1:
            banks.append(int(table.bank[1]))
        return project == PROJECT[new]

    renew(game, 0, 1 << 1, rate_project=rate_project)
    assert set(banks) == {100}
    assert game.table.studying[1] == PROJECT[new] and game.table.bank[1] == after
