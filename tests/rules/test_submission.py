"""Submission, claims and scoops (chapter 3.4 of the rules page), rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.eti import state
from sim.games.eti.asking import BEST, IllegalAnswer
from sim.games.eti.battle import project_defence, project_fame
from sim.games.eti.cards import THREATS
from sim.games.eti.companies import move_project
from sim.games.eti.engine import choose_agendas
from sim.games.eti.invasion import reveal
from sim.games.eti.score import score_queue
from sim.games.eti.state import NONE, PUBLIC, RESEARCH, SAFE, SECRET, STANDARD, SUBMIT, SWITCH
from sim.games.eti.submission import choose_ways, settle_submissions, submit_results
from tests.kit import KIND, PROJECT, face_up, give_queue, give_swaps, new_table, scripted, study
from tests.rules.help import QUIET, deal, discarded, invaded, renew, rivals, settle


def submit(game: Any, p: int, way: int = SAFE, **answers: Any) -> int:
    """One company submits alone; its total."""
    game.table.agenda[p] = SUBMIT
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


def test_submitting() -> None:
    """A-8: ways are chosen at once, shown from the president clockwise; an empty queue by option; bank alone no."""
    game = new_table(3)
    face_up(game, "Assault Rifles")
    shown: list[tuple[int, ...]] = []
    for p in range(3):
        study(game, p, "Assault Rifles")
        give_queue(game, p, "10", "20")
    game.table.president, game.table.agenda[:3], game.table.way[:3] = 1, SUBMIT, NONE
    game.table.tokens[:3, state.CREATIVITY] = 1
    choose_ways(game, scripted(submission=lambda t, s, _: float((t.way[:3] == NONE).all())))
    assert game.table.way[:3].tolist() == [state.STANDARD] * 3
    submit_results(game, scripted(swap=lambda t, s, _: shown.append((int(s.me), *t.shown_n[:3])) or 0))
    assert shown == [(1, 0, 2, 0), (2, 0, 2, 2), (0, 2, 2, 2)]
    for option, empty in ((1, True), (0, False)):
        game = new_table(empty_submission=option)
        face_up(game, "Assault Rifles")
        study(game, 0, "Assault Rifles")
        game.table.bank[0] = 80
        choose_agendas(game, scripted(agenda=RESEARCH))
        assert settle_submissions(game, QUIET) == (0, 0)
        if not empty:
            with pytest.raises(IllegalAnswer):
                choose_agendas(game, scripted(agenda=SUBMIT))
            continue
        choose_agendas(game, scripted(agenda=SUBMIT))
        choose_ways(game, QUIET)
        submit_results(game, QUIET)
        assert (settle_submissions(game, QUIET), game.table.total[0]) == ((1, 0), 0)


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
    move_project(game, QUIET, 0, 1, project)
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


def test_claimed_count() -> None:
    """A-9: a claim counts one in either vault, a trade nothing; the project of the reveal by option."""
    for vault in (0, 1):
        game = invaded()
        face_up(game, "Assault Rifles")
        study(game, 0, "Assault Rifles")
        game.table.agenda[0], game.table.total[0] = SUBMIT, 80
        settle_submissions(game, scripted(vault=vault))
        assert game.table.claimed == 1
        move_project(game, QUIET, 0, 2, PROJECT["Assault Rifles"])
        assert game.table.claimed == 1
    for option, studying, claimed in ((1, True, 1), (0, True, 0), (1, False, 0)):
        game = invaded(count_reveal=option)
        face_up(game, "Guided Missiles")
        if studying:
            study(game, 1, "Guided Missiles")
        reveal(game, QUIET, 1, False, False)
        assert game.table.claimed == claimed


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
