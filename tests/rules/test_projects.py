"""New projects (chapter 3.5 of the rules page), rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.eti import state
from sim.games.eti.companies import gain_project
from sim.games.eti.engine import choose_agendas
from sim.games.eti.projects import lay_out_own_choice, new_projects
from sim.games.eti.state import FACE_UP, NONE, PUBLIC, RESEARCH, SUBMIT, SWITCH
from sim.games.eti.submission import settle_submissions
from tests.kit import PROJECT, face_up, give_queue, new_table, scripted, study
from tests.rules.help import QUIET, discarded, piles, renew, rivals, settle


# --- laying out and picking --------------------------------------------------------------------------------
def test_claimants_lay_out_before_anybody_picks() -> None:
    """R-NEW-1: from the president clockwise, a level up to one above the best; then the picks."""
    game = new_table()
    game.table.president = 3
    gain_project(game, QUIET, 0, PROJECT["Cryogenic Coolants"], PUBLIC)
    gain_project(game, QUIET, 3, PROJECT["Assault Rifles"], PUBLIC)
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
    gain_project(game, QUIET, 0, PROJECT["Assault Rifles"], PUBLIC)
    piles(game, L4="String Theory", L5="Antigravity Drive")
    lay_out_own_choice(game, scripted(rate_level=lambda table, seat, level: level), 0, 0)
    assert list(game.table.face_up[: game.table.face_up_n]) == [PROJECT["String Theory"]]
    piles(game)
    lay_out_own_choice(game, QUIET, 0, 0)
    assert game.table.face_up_n == 1


def test_level_choice() -> None:
    """W-8: the best completed project is level II: I, II and III are offered."""
    game = new_table()
    gain_project(game, QUIET, 0, PROJECT["Alien Detection"], PUBLIC)
    asked: list[int] = []
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

    piles(game)
    renew(game, 1 << 3, 1 << 2, rate_project=rate_project)
    assert list(dict.fromkeys(asked)) == [2, 3, 0]
    assert [int(k) for k in game.table.studying[:4]] == [PROJECT["Assault Rifles"], old] + 2 * [
        PROJECT["Assault Rifles"]
    ]


# --- what becomes of the bank ------------------------------------------------------------------------------
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
    piles(game)
    face_up(game, new, "String Theory")
    banks: list[int] = []

    def rate_project(table: Any, seat: Any, project: int) -> int:
        if seat.me == 1:
            banks.append(int(table.bank[1]))
        return project == PROJECT[new]

    renew(game, 0, 1 << 1, rate_project=rate_project)
    assert set(banks) == {100}
    assert game.table.studying[1] == PROJECT[new] and game.table.bank[1] == after


# --- switching, and nothing to switch to -------------------------------------------------------------------
def switcher(*others: str, claimed: bool, **rules: int) -> Any:
    """Seat 1 with 130 points and 4 cards switches from Cryogenic Coolants, which seat 0 may claim."""
    game = new_table(**rules)
    face_up(game, "Cryogenic Coolants", *others)
    study(game, 0, "Cryogenic Coolants")
    study(game, 1, "Cryogenic Coolants")
    give_queue(game, 1, "10", "20", "30", "40")
    game.table.bank[1], game.table.pile_left[:] = 130, 0
    game.table.agenda[:4] = [SUBMIT, state.SWITCH, NONE, NONE]
    game.table.total[0] = 120 if claimed else 0
    new_projects(game, QUIET, *settle_submissions(game, QUIET))
    return game


def test_nothing_to_switch_to() -> None:
    """A-4, A-26, A-27: alone with its project it stays, bank whole; with none it is idle, without an agenda."""
    game = switcher(claimed=False)
    assert (game.table.studying[1], game.table.bank[1]) == (PROJECT["Cryogenic Coolants"], 170)
    game = switcher(claimed=True)
    assert (game.table.studying[1], game.table.bank[1], game.table.face_up_n) == (NONE, 170, 0)
    choose_agendas(game, scripted(agenda=SUBMIT))
    assert game.table.agenda[:4].tolist() == [NONE] * 4
    face_up(game, "Guided Missiles")
    new_projects(game, QUIET, 0, 0)  # at the end of a round it may pick again
    assert (game.table.studying[1], game.table.bank[1]) == (PROJECT["Guided Missiles"], 60)


def test_switching_while_another_claims() -> None:
    """A-27: uncut, and any project will do; a project still there must be left; by option it is scooped."""
    game = switcher("High-Energy Propellants", claimed=True)
    assert (game.table.studying[1], game.table.bank[1]) == (PROJECT["High-Energy Propellants"], 170)
    game = switcher("High-Energy Propellants", claimed=False)
    assert (game.table.studying[1], game.table.bank[1]) == (PROJECT["High-Energy Propellants"], 170)
    game = switcher("High-Energy Propellants", claimed=True, switchers_scooped=1)
    assert (game.table.studying[1], game.table.bank[1]) == (PROJECT["High-Energy Propellants"], 100)
