"""The event, with its offers, votes and trades (chapter 3.1 of the rules page), rule by rule."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim.games.eti import company_effects, state
from sim.games.eti.engine import pass_badge
from sim.games.eti.events import first_event_order, hold_vote, renew_events, votes_of
from sim.games.eti.invasion import reveal, turn_board_over
from sim.games.eti.state import CREATIVITY, NONE, OFFER, PUBLIC, SECRET, STAFFING
from tests.kit import EVENT, PROJECT, new_table, scripted, study
from tests.rules.help import QUIET, hold, invaded, known, log, own, piles, random_traces, run_event, stack


# --- the deck ----------------------------------------------------------------------------------------------
def test_who_draws_an_event() -> None:
    """R-EVT-1: only a president with a completed project draws, and takes the top card."""
    game = new_table()
    stack(game, "Presidential Discretion", "Government Grant")
    own(game, 1, "Assault Rifles")
    run_event(game)
    assert [row[:3] for row in log(game)] == [("no_event", 0, 0)]
    assert game.secret.events_n == 2
    game.table.president = 1
    run_event(game)
    assert log(game, "event")[0][1:3] == (1, EVENT["Presidential Discretion"])
    assert game.secret.events_n == 1
    assert game.table.bank[:4].tolist() == [0, 40, 0, 0]


def test_no_event_left() -> None:
    """A-30: with all events in hand the president draws none."""
    game = new_table()
    own(game, 0, "Assault Rifles")
    stack(game)
    run_event(game)
    assert [row[:3] for row in log(game)] == [("no_event", 0, 1)]


def test_new_event_deck() -> None:
    """R-EVT-6: made from the discards when the badge passes and the deck is empty; kept events stay in hand."""
    game = new_table()
    own(game, 0, "Assault Rifles")
    stack(game, "Presidential Discretion", "Leaked Coordinates", "Government Grant")
    for left in (2, 1):
        run_event(game)
        renew_events(game)
        assert game.secret.events_n == left  # a deck with cards left is not renewed
    run_event(game)
    assert game.secret.events_n == 0
    assert game.seats[0].held == 1 << EVENT["Leaked Coordinates"]
    pass_badge(game)
    assert game.secret.event_discards == 0
    deck = set(game.secret.events[: game.secret.events_n])
    assert deck == {EVENT["Presidential Discretion"], EVENT["Government Grant"]}
    first_event_order_of_25(game)


def first_event_order_of_25(game: Any) -> None:
    """A fresh deck holds every event."""
    first_event_order(game)
    assert game.secret.events_n == 25


def test_event_deck_when_the_reveal_passes_the_badge() -> None:
    """R-EVT-6, A-2: the badge passes, the deck is empty, so the alien's discarded hand is the new deck."""
    game = invaded()
    game.table.president, game.table.held_n[1] = 1, 1
    game.seats[1].held = 1 << EVENT["Bunker Blueprints"]
    game.secret.events_n = 0
    reveal(game, QUIET, 1, False, False)
    assert (game.table.president, game.secret.events_n) == (2, 1)


# --- votes -------------------------------------------------------------------------------------------------
def test_voting() -> None:
    """R-EVT-4: companies with projects vote from the president clockwise, all votes for any one company."""
    game = new_table()
    game.tracing = 1
    own(game, 0, "Artificial Intelligence")  # V, creativity twice
    own(game, 1, "Assault Rifles", "Space Flight Calculations")
    own(game, 3, "Computer Languages", "Orbital Minefield")  # I with creativity, III
    game.table.president = 3
    decide = scripted(offer_to=-1, vote=lambda t, s, company: company == (0 if s.me == 0 else 2))
    assert hold_vote(game, decide, CREATIVITY) == 0
    assert [row[1:4] for row in log(game, "vote")] == [(3, 2, 2 + 3), (0, 0, 10), (1, 2, 3)]
    assert game.table.votes[:4].tolist() == [10, 0, 8, 0]
    assert hold_vote(game, decide, NONE) == 2  # seat 2 has no project and wins
    assert game.table.votes[:4].tolist() == [5, 0, 7, 0]


@pytest.mark.parametrize(("liked", "elected"), [((0, 1), 0), ((1, 0), 1), ((3, 1, 0), 1)])
def test_tied_vote(liked: tuple[int, ...], elected: int) -> None:
    """R-EVT-5: the president picks among the tied, also the own company."""
    game = new_table()
    own(game, 0, "Assault Rifles")
    own(game, 1, "Particle Accelerator")

    def favour(table: Any, seat: Any, company: int) -> float:
        assert seat.me == 0
        return -float(liked.index(company)) if company in liked else -9.0

    decide = scripted(offer_to=-1, vote=lambda t, s, company: company == s.me, break_tie=favour)
    assert hold_vote(game, decide, NONE) == elected


def test_votes_of_the_example() -> None:
    """W-3: I, I and III are 5 votes; a level-II project with creativity is worth 4 in a creativity vote."""
    game = new_table()
    own(game, 0, "Assault Rifles", "Particle Accelerator", "Orbital Minefield")
    assert votes_of(game.table, 0, NONE) == votes_of(game.table, 0, CREATIVITY) == 5
    game.table.cards.upgrades[PROJECT["Magnetic Core Memory"]][CREATIVITY] = 1
    own(game, 1, "Magnetic Core Memory")
    assert [votes_of(game.table, 1, ability) for ability in (NONE, STAFFING, CREATIVITY)] == [2, 2, 4]


# --- offers and trades -------------------------------------------------------------------------------------
def offering(event: str, named: int, honour: int) -> tuple[Any, set[tuple[int, int]]]:
    """Seat 1 offers all it may; who could have been offered something is returned as pairs."""
    game = new_table()
    asked: set[tuple[int, int]] = set()

    def offer_to(table: Any, seat: Any, company: int) -> float:
        asked.add((int(seat.me), company))
        return 1.0 if (seat.me, company) == (1, 0) else -1.0

    own(game, 0, "Assault Rifles")
    own(game, 1, "Computer Languages")
    game.table.bank[1] = 30
    game.seats[1].held = 1 << EVENT["Bunker Blueprints"]
    game.table.held_n[1] = 1
    stack(game, event)
    choice = scripted(
        offer_to=offer_to, offer_points=20, offer_promise=1, honour=honour,
        award=lambda t, s, company: company == named, vote=lambda t, s, company: company == named,
    )  # fmt: skip
    run_event(game, choice)
    return game, asked


def test_whom_one_may_tempt() -> None:
    """R-EVT-2: the president where the president decides; in a vote every company that votes; no research cards."""
    game, asked = offering("Government Grant", named=1, honour=1)
    assert asked == {(1, 0), (2, 0), (3, 0)}
    assert set(OFFER.names or ()) == {"made", "points", "project", "event", "promise"}
    assert log(game, "offer") == [
        ("offer", 1, 0, 20, PROJECT["Computer Languages"], EVENT["Bunker Blueprints"])
    ]
    assert game.table.bank[:2].tolist() == [20, 60]
    assert game.table.vault[0] >> PROJECT["Computer Languages"] & 1
    assert [game.seats[p].held for p in (0, 1)] == [1 << EVENT["Bunker Blueprints"], 0]
    assert game.table.promised[1][0] == 1
    _, asked = offering("Emergency Appropriation", named=1, honour=1)
    assert asked == {(0, 1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)}


@pytest.mark.parametrize(("named", "broken"), [(2, 0), (1, 1)])
def test_offers_bind_nobody(named: int, broken: int) -> None:
    """R-EVT-2: the president may name another company, and the one who offered may go back on it."""
    game, _ = offering("Government Grant", named, honour=0)
    assert game.table.bank[0] == 0
    assert game.table.bank[1] == (80 if named == 1 else 30)
    assert (game.table.completed[1], game.table.held_n[1], game.table.broken[1]) == (1, 1, broken)
    assert not game.table.promised.any()


def test_traded_project() -> None:
    """R-EVT-3: from whichever vault into the public one of its new owner, upgrades and all."""
    game, _ = offering("Government Grant", named=1, honour=1)
    languages = PROJECT["Computer Languages"]  # was top secret
    assert (game.table.place[languages], game.table.owner[languages]) == (PUBLIC, 0)
    assert game.table.tokens[:2, CREATIVITY].tolist() == [1, 0]


def test_when_trades_take_place() -> None:
    """R-EVT-7: after the event is given out, before the agendas; each offer due is honoured or broken."""
    honoured = Counter[bool]()
    for trace in random_traces():
        given_out = False
        for line in trace:
            if line["do"] in ("award", "elected"):
                given_out = True
            elif line["do"] in ("agendas", "round", "event"):
                given_out = False
            is_trade = line["do"] in ("due", "bank_moves", "event_moves")
            if is_trade or (line["do"] == "project_moves" and line["why"] == "trade"):
                assert given_out, line
            if line["do"] == "due":
                honoured[line["honoured"]] += 1
    assert honoured[True] > 0
    assert honoured[False] > 0


def bid(event: str, offers: int = 1, won: int = 0, president: int = 0, **answers: Any) -> Any:
    """Seats 0, 1 and 2 have projects of level I, II and III; an event with the offers of seat 3."""
    game = new_table(offers_per_player=offers, offers_due_when_won=won)
    game.table.president = president
    for p, name in enumerate(("Assault Rifles", "Guided Missiles", "Orbital Minefield")):
        own(game, p, name)
    game.table.bank[0], game.table.bank[3] = 90, 50
    stack(game, event)
    run_event(game, scripted(**{"offer_to": lambda t, s, q: q if s.me == 3 else -1, "honour": 1} | answers))
    return game


def test_offers() -> None:
    """A-13: so many offers, each to another decider, none of them empty; due if the decider does as asked."""
    for offers, made in ((0, []), (1, [2]), (2, [2, 1]), (5, [2, 1, 0])):
        game = bid("Emergency Appropriation", offers, offer_points=10)
        assert [row[2] for row in log(game, "offer")] == made
    assert log(bid("Emergency Appropriation"), "offer") == []  # an empty offer is none
    # seat 1 votes as asked and is outvoted by seat 2
    votes = {
        "offer_to": lambda t, s, q: (s.me == 3 and q == 1) - 0.5,
        "vote": lambda t, s, q: q == (3 if s.me == 1 else 0),
    }
    for won, bank in ((0, 40), (1, 50)):
        game = bid("Emergency Appropriation", won=won, offer_points=10, **votes)
        assert (game.table.bank[1], game.table.bank[3]) == (50 - bank, bank)
    for named, points in ((3, 90), (2, 100)):  # a bad event: the offer asks to be spared
        game = bid("Surprise Audit", offer_points=10, award=lambda t, s, q: q == named)  # noqa: B023
        assert game.table.bank[0] == points


def test_promises() -> None:
    """A-14: owed once honoured, settled by the next vote cast, and cancelled by a reveal."""
    as_asked = {"offer_promise": 1, "award": lambda t, s, q: q == 3}
    assert not bid("Government Grant", **as_asked, honour=0).table.promised.any()
    for vote, broken in ((0, 0), (2, 1)):
        game = bid("Government Grant", **as_asked)
        assert game.table.promised[3].tolist() == [1, 0, 0, 0, 0, 0]
        own(game, 3, "Alien Anatomy")
        stack(game, "Emergency Appropriation")
        run_event(game, scripted(offer_to=-1, vote=lambda t, s, q: q == vote))  # noqa: B023
        assert (game.table.promised.sum(), game.table.broken[3]) == (0, broken)
    game = new_table()
    game.table.promised[:4, :4] = 1 - np.eye(4, dtype=int)
    turn_board_over(game, 1)
    assert game.table.promised[:4, :4].tolist() == [[0, 0, 1, 1], [0, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0]]


def test_trades() -> None:
    """A-15: makers, then deciders, clockwise; each as a whole, with what is there by then, and no cap."""
    game = bid("Emergency Appropriation", 3, offer_points=30, vote=lambda t, s, q: q == 3)
    assert [row[1:5] for row in log(game, "due")] == [(3, q, 1, 30) for q in (0, 1, 2)]
    assert game.table.bank[:4].tolist() == [120, 30, 30, 50 + 70 - 90]
    answers = {
        "offer_points": lambda t, s, q: 30 * (s.me == 3),
        "offer_promise": 1,
        "vote": lambda t, s, q: q == 2,
    }
    game = bid("Senate Hearing", 3, 0, 2, offer_to=lambda t, s, q: (s.me % 2) - 0.5, **answers)
    rows = [row[1:5] for row in log(game, "due")]
    assert rows == [(3, 2, 1, 30), (3, 0, 1, 20), (3, 1, 1, 0), (1, 2, 1, 0), (1, 0, 1, 0)]
    assert game.table.bank[:4].tolist() == [110, 0, 30, 0]


# --- what events do ----------------------------------------------------------------------------------------
def test_events_in_hand() -> None:
    """A-17, A-26: round cards after the trades, in the file's order, at once; idle companies draw nothing."""
    for play, verbs in ((0, "keep"), (1, "keep play scout lay_out")):
        game = bid("Sealed Directive", play_event=play)
        assert [row[0] for row in log(game, "keep", "play", "scout", "lay_out")] == verbs.split()
        assert game.table.held_n[0] == 1 - play
    game = new_table()
    game.tracing, game.table.president = 1, 2
    study(game, 3, "Assault Rifles")
    for name in ("Industrial Sabotage", "Sleeper Laboratory"):
        hold(game, 3, name)
    for name in ("Sleeper Laboratory", "Bunker Blueprints"):
        hold(game, 1, name)
    run_event(game, scripted(play_event=1, target=lambda t, s, q: q == 0))
    lab, sabotage = EVENT["Sleeper Laboratory"], EVENT["Industrial Sabotage"]
    assert [row[1:4] for row in log(game, "play")] == [(3, lab, 3), (3, sabotage, 0), (1, lab, 1)]
    assert (game.table.queue_n[:4].tolist(), game.table.held_n[:4].tolist()) == ([0, 0, 0, 4], [0, 1, 0, 0])


def test_banks_never_fall_below_nothing() -> None:
    """A-18: 60 taken from 59 leaves 0, from 61 leaves 1."""
    game = new_table()
    game.table.bank[:3] = [59, 60, 61]
    for p in range(3):
        company_effects.change_bank(game, p, -60)
    assert game.table.bank[:3].tolist() == [0, 0, 1]


def test_project_brought_by_an_event() -> None:
    """A-22, A-26: the level named, else the lowest left, else none; the idle pick, with the field left last."""
    game = new_table()
    game.tracing, game.table.president = 1, 2
    study(game, 0, "Guided Missiles")
    game.table.studying[0], game.table.bank[0] = NONE, 200
    study(game, 3, "Alien Anatomy")
    piles(game, L2="Cryogenic Coolants", L4="String Theory")
    for level, laid in ((4, "String Theory"), (4, "Cryogenic Coolants"), (4, None)):
        before = int(game.table.face_up_n)
        company_effects.bring_project(game, QUIET, 1, level)
        assert game.table.face_up_n == before + (laid is not None)
        assert laid is None or game.table.face_up[before] == PROJECT[laid]
    assert [row[1] for row in log(game, "pick")] == [2, 0, 1]
    assert game.table.bank[0] == 130  # half of 260: another field than weaponry


def test_taking_a_project() -> None:
    """A-23: from another's public vault, up to the level; not a secret one, nor the revealed alien's."""
    game = known()
    own(game, 0, "Alien Anatomy", "Orbital Minefield", place=PUBLIC)  # II and III
    own(game, 2, "Assault Rifles", place=SECRET)
    own(game, 1, "Particle Accelerator", place=state.ALIEN_VAULT)
    own(game, 3, "Computer Languages", place=PUBLIC)
    for _ in range(2):  # the second time there is nothing left
        company_effects.take_public_project(game, QUIET, 3, 2)
        assert game.table.owner[PROJECT["Alien Anatomy"]] == 3
        assert game.table.completed[:4].tolist() == [1, 1, 1, 2]
