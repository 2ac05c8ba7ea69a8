"""Research (chapter 3.3 of the rules page), rule by rule."""

from __future__ import annotations

import pytest

from sim.games.eti.companies import gain_project, look_at_ports, upgrade_ability
from sim.games.eti.research import deal_research
from sim.games.eti.state import ANALYSIS, NONE, PUBLIC, RESEARCH, STAFFING
from tests.kit import KIND, PROJECT, give_queue, new_table, study
from tests.rules.help import QUIET, deal, discarded


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
        gain_project(game, QUIET, 0, PROJECT[project], PUBLIC)
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
        upgrade_ability(game, QUIET, 0, ANALYSIS, 0, NONE)
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


@pytest.mark.parametrize(("option", "dealt"), [(1, [0, 3, 2]), (0, [0, 3, 1])])
def test_dry_deck(option: int, dealt: list[int]) -> None:
    """A-5: four cards in the deck and one discard are 3 + 2; by option the deal ends with the deck."""
    game = new_table(reshuffle_when_dry=option)
    for p in (1, 2):
        study(game, p, "Synthetic Polymers")
        game.table.agenda[p] = RESEARCH
    game.table.agenda[0] = game.table.agenda[3] = NONE
    game.secret.deck[:] = 0
    game.secret.deck[KIND["50"]] = game.secret.deck_n = 4
    game.secret.discards[KIND["10"]] = 1
    deal_research(game)
    assert game.table.queue_n[:3].tolist() == dealt
