"""The agenda and the badge (chapters 3.2 and 3.6 of the rules page), rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.eti.asking import Q_AGENDA, IllegalAnswer
from sim.games.eti.engine import begin_round, choose_agendas, pass_badge, play_round
from sim.games.eti.projects import new_projects
from sim.games.eti.state import NONE, RESEARCH, SUBMIT, SWITCH
from tests.kit import face_up, give_queue, new_table, scripted, study
from tests.rules.help import invaded, random_traces, ready


# --- the agenda --------------------------------------------------------------------------------------------
def test_secret_agendas() -> None:
    """R-AGD-1: nobody sees an agenda before all have chosen."""

    def agenda(table: Any, seat: Any, _: int) -> float:
        assert set(table.agenda[:4]) == {NONE}
        return float((RESEARCH, SUBMIT, SWITCH, SUBMIT)[seat.me])

    game = ready()
    begin_round(game)
    choose_agendas(game, scripted(agenda=agenda))
    assert game.table.agenda[:4].tolist() == [RESEARCH, SUBMIT, SWITCH, SUBMIT]


def test_full_ports() -> None:
    """R-AGD-2: with 14 cards no research; with 13, or with another agenda, all is well."""
    game = ready()
    give_queue(game, 1, *["10"] * 7, *["20"] * 6)
    choose_agendas(game, scripted(agenda=RESEARCH))
    give_queue(game, 1, *["30"] * 7, *["40"] * 7)
    for agenda in (SUBMIT, SWITCH):
        choose_agendas(game, scripted(agenda=agenda))
        assert game.table.agenda[1] == agenda
    with pytest.raises(IllegalAnswer):
        choose_agendas(game, scripted(agenda=RESEARCH))
    assert (game.fault_seat, game.fault_question) == (1, Q_AGENDA)


def test_switching() -> None:
    """R-AGD-3: one has to leave for another project, and may come back in a later round."""
    game = new_table()
    game.table.agenda[:] = NONE
    rifles, _, languages = face_up(game, "Assault Rifles", "Particle Accelerator", "Computer Languages")
    study(game, 1, "Assault Rifles")
    places = []
    for _ in range(3):
        game.table.agenda[1] = SWITCH
        best = scripted(rate_project=lambda t, s, k: {rifles: 3.0, languages: 2.0}.get(k, 1.0))
        new_projects(game, best, 0, 0)
        places.append(int(game.table.studying[1]))
    assert places == [languages, rifles, languages]


# --- the badge ---------------------------------------------------------------------------------------------
def test_badge_moves_left() -> None:
    """R-BDG-1: one seat further, round by round."""
    game = ready(5, president=3)
    seats = []
    for _ in range(6):
        pass_badge(game)
        seats.append(int(game.table.president))
    assert seats == [4, 0, 1, 2, 3, 4]


def test_discards_return() -> None:
    """R-BDG-2: what was put away in one round is in the deck again before the next deal."""
    game = ready()  # everybody upgrades staffing three times: five cards each
    decks: list[int] = []

    def agenda(table: Any, seat: Any, _: int) -> float:
        if seat.me == table.president:
            decks.append(int(game.secret.deck_n))
            assert game.secret.discards.sum() == 0
        return float(SUBMIT if table.queue_n[seat.me] else RESEARCH)

    for _ in range(3):
        play_round(game, scripted(offer_to=-1, agenda=agenda))
    assert decks == [90, 70, 90]
    assert game.table.claimed == 0


def test_discards_of_the_reveal_return_with_the_badge() -> None:
    """R-BDG-2: what was discarded at the reveal is not dealt in that round; the badge brings it back."""
    game = invaded(reshuffle_when_dry=0)
    face_up(game, "Guided Missiles")
    give_queue(game, 1, *["50"] * 6)
    game.secret.deck[:] = game.secret.deck_n = 0
    game.table.claimed = 16
    play_round(game, scripted(agenda=RESEARCH))
    assert game.table.queue_n[:4].tolist() == [0, 0, 0, 0]
    assert game.secret.deck_n == 6


def test_claimed_count_is_told() -> None:
    """R-BDG-3: with the badge goes the number of projects claimed so far."""
    highest = 0
    for trace in random_traces():
        claims = 0
        for line in trace:
            claims += line["do"] == "claim" or (line["do"] == "reveal" and line["project"] is not None)
            if line["do"] in ("badge", "round"):
                assert line["claimed"] == claims
                highest = max(highest, claims)
    assert highest > 5
