"""Chapters 1 to 3 of the rules page: the box, setting up, the event, the agenda and the badge."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.games.eti.asking import Q_AGENDA, IllegalAnswer
from sim.games.eti.cards import FIELDS, THREATS
from sim.games.eti.companies import gain_project, lose_project, settle_immunities, track_value
from sim.games.eti.engine import begin_round, choose_agendas, pass_badge, play_round
from sim.games.eti.events import event_phase, first_event_order, hold_vote, renew_events, votes_of
from sim.games.eti.invasion import deal_attack_cards, reveal_phase
from sim.games.eti.log import PICK_START, VERBS
from sim.games.eti.pack import card_kinds
from sim.games.eti.play import make_setting
from sim.games.eti.projects import new_projects
from sim.games.eti.setup import draw_roles, set_up, start_streams
from sim.games.eti.state import (
    ABILITY_COUNT,
    ALIEN,
    ANALYSIS,
    CREATIVITY,
    MAX_PLAYERS,
    MULTIPLIER,
    NONE,
    NUMBER,
    OFFER,
    PUBLIC,
    RESEARCH,
    SECRET,
    SECURITY,
    STAFFING,
    SUBMIT,
    SWITCH,
    THREAT,
)
from sim.games.eti.trace import trace_game
from tests.kit import CARDS, EVENT, PROJECT, face_up, give_queue, new_table, scripted, study

QUIET = scripted(offer_to=-1)


def ready(
    players: int = 4, decide: Any = QUIET, president: int = 0, alien: int = NONE, index: int = 0
) -> Any:
    """A game set up and traced."""
    game = new_table(players)
    game.tracing = 1
    with np.errstate(over="ignore"):
        start_streams(game, 1, index)
        set_up(game, decide, alien, president)
    return game


def log(game: Any, *verbs: str) -> list[tuple[Any, ...]]:
    """What the engine noted, as (verb, actor, a, b, c, d); only these verbs if any are named."""
    rows = [(VERBS[row[0]], *(int(x) for x in row[1:])) for row in game.log[: game.log_n]]
    return [row for row in rows if not verbs or row[0] in verbs]


def own(game: Any, p: int, *names: str, place: int = SECRET) -> list[int]:
    """Give a company completed projects."""
    for name in names:
        gain_project(game, QUIET, p, PROJECT[name], place)
    return [PROJECT[name] for name in names]


def stack(game: Any, *names: str) -> None:
    """The whole event deck, the top card first."""
    game.tracing = 1
    game.secret.events_n = len(names)
    for k, name in enumerate(reversed(names)):
        game.secret.events[k] = EVENT[name]


def run_event(game: Any, decide: Any = QUIET) -> None:
    with np.errstate(over="ignore"):
        event_phase(game, decide)


@cache
def random_traces() -> list[list[dict[str, Any]]]:
    """A few whole games of players who do anything."""
    return [trace_game(make_setting(["random"], players=n), 5, index) for n in (3, 5) for index in range(3)]


# --- the box -----------------------------------------------------------------------------------------------
def test_what_is_in_the_box() -> None:
    """R-COMP-1: 6 boards, 90 research cards, 8 × 5 projects, 25 events, 6 + 4 endgame cards, 3 agendas."""
    assert MAX_PLAYERS == 6
    assert sum(kind.count for kind in CARDS.research) == 90
    assert Counter((p.field, p.level) for p in CARDS.projects) == {
        (f, n): 1 for f in FIELDS for n in range(1, 6)
    }
    assert (len(CARDS.events), len(CARDS.humans), len(CARDS.aliens)) == (25, 6, 4)
    game = ready()
    for agenda in (RESEARCH, SUBMIT, SWITCH):
        choose_agendas(game, scripted(agenda=agenda))
        assert set(game.table.agenda[:4]) == {agenda}
    with pytest.raises(IllegalAnswer):
        choose_agendas(game, scripted(agenda=3))


def test_fields() -> None:
    """R-COMP-2: eight fields of study."""
    names = "chemistry, computers, life-sciences, physics, robotics, sensors, weaponry, xeno-studies"
    assert names.split(", ") == list(FIELDS) == sorted({project.field for project in CARDS.projects})


def test_threats() -> None:
    """R-COMP-3: four threats, and a company can be immune to each of them."""
    assert list(THREATS) == ["abduction", "arson", "data-virus", "spy"]
    game = new_table()
    game.table.granted[0] = 9
    settle_immunities(game, QUIET, 0)
    assert sorted(game.table.immunity[0]) == [0, 1, 2, 3]
    assert game.table.immunity_n[0] == 4


def test_research_cards() -> None:
    """R-COMP-4: a card is a number, a multiplier or a threat."""
    by_type: dict[int, set[Any]] = {NUMBER: set(), MULTIPLIER: set(), THREAT: set()}
    for _, sort, value, count in card_kinds(CARDS):
        assert count > 0
        by_type[sort].add(value)
    assert by_type == {NUMBER: {10, 20, 30, 40, 50}, MULTIPLIER: {0, 2, 3}, THREAT: {0, 1, 2, 3}}


def test_project_cards() -> None:
    """R-COMP-5: what a project card says reaches the table, an upgrade printed twice too."""
    cards, lens = new_table().table.cards, PROJECT["Moon Outpost Lens Array"]
    assert FIELDS[cards.field[lens]] == "sensors"
    assert (cards.level[lens], cards.difficulty[lens], cards.defence[lens], cards.fame[lens]) == (
        5,
        300,
        40,
        20,
    )
    assert list(cards.upgrades[lens]) == [0, 0, 0, 2]
    tokens = [sum(cards.upgrades[k]) for k in range(40)]
    assert tokens.count(0) > 0
    assert tokens.count(1) > 0
    assert 0 < sum(max(cards.upgrades[k]) == 2 for k in range(40)) < 5


# --- setting up --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("length", "multiplier"), [("short", 2), ("standard", 3), ("epic", 4)])
def test_threshold(length: str, multiplier: int) -> None:
    """R-SET-1: players × multiplier."""
    for players in (3, 4, 5, 6):
        setting = make_setting(["random"], players=players, length=length)
        assert setting.multiplier == multiplier
        assert new_table(players, setting.multiplier).table.threshold == players * multiplier


def test_free_upgrades() -> None:
    """R-SET-2: from the first space, three upgrades each, on one ability or on several."""
    blank = new_table().table
    assert not blank.tokens.any()
    assert [track_value(blank, 0, a) for a in range(ABILITY_COUNT)] == [
        blank.cards.track[a][0] for a in range(4)
    ]

    def rate(table: Any, seat: Any, ability: int) -> float:
        if seat.me == 0:
            return float(ability == ANALYSIS)
        return -float(table.tokens[seat.me][ability])

    game = ready(decide=scripted(upgrade=rate))
    assert game.table.tokens[:4].tolist() == [[0, 0, 0, 3]] + [[1, 1, 1, 0]] * 3
    assert game.table.tokens[4:].sum() == 0


def test_immunity_at_set_up() -> None:
    """R-SET-3: named right at the security step that brings it, and kept for good."""
    wish = scripted(upgrade=lambda t, s, a: a == SECURITY, immunity=lambda t, s, threat: threat == 2)
    game = ready(decide=wish)
    rows = [(row[0], row[1]) for row in log(game, "upgrade", "immunity")]
    steps = ["upgrade", "immunity"] * 3  # the track reads 0, 1, 2, 3
    assert rows == [(step, p) for p in range(4) for step in steps]
    assert game.table.immunity[1][:2].tolist() == [2, 0]
    settle_immunities(game, scripted(immunity=lambda t, s, threat: threat == 3), 1)
    assert game.table.immunity[1][:2].tolist() == [2, 0]


def test_shuffled_piles() -> None:
    """R-SET-4: all research cards in one deck, 25 events, five piles of eight, in the luck of the seed."""
    orders = set()
    for index in range(3):
        game = new_table()
        with np.errstate(over="ignore"):
            start_streams(game, 1, index)
            set_up(game, QUIET, NONE, 0)
        secret, table = game.secret, game.table
        assert (secret.deck_n, secret.deck.sum(), secret.discards.sum()) == (90, 90, 0)
        assert sorted(secret.events[: secret.events_n]) == list(range(25))
        assert table.pile_left.tolist() == [0, 5, 8, 8, 8, 8]  # three of level I lie face up
        for level in range(1, 6):
            levels = {project: CARDS.projects[project].level for project in secret.pile[level][:8]}
            assert list(levels.values()) == [level] * 8
        orders.add((*secret.events[:25], *secret.pile[1][:8]))
        assert list(secret.events[:25]) != sorted(secret.events[:25])
    assert len(orders) == 3


@pytest.mark.parametrize("players", [3, 6])
def test_one_alien(players: int) -> None:
    """R-SET-5: one alien among players - 1 different humans; its kind is public only if picked openly."""
    seats, kinds = set(), set()
    for index in range(40):
        game = new_table(players)
        with np.errstate(over="ignore"):
            start_streams(game, 1, index)
            draw_roles(game, NONE, 0)
        roles = game.secret.role[:players].tolist()
        assert roles.count(ALIEN) == 1
        alien = roles.index(ALIEN)
        humans = {int(game.secret.endgame[p]) for p in range(players) if p != alien}
        assert len(humans) == players - 1 and humans <= set(range(6))
        assert game.table.alien_card == NONE
        seats.add(alien)
        kinds.add(int(game.secret.endgame[alien]))
    assert seats == set(range(players))
    assert kinds == {0, 1, 2, 3}
    game = ready(players, alien=2)
    assert game.table.alien_card == game.secret.endgame[game.secret.alien_seat] == 2


def test_alien_knows_before_upgrading() -> None:
    """R-SET-5: the role is known when the upgrades are chosen, to its owner alone."""
    known: dict[int, int] = {}

    def rate(table: Any, seat: Any, ability: int) -> float:
        known[int(seat.me)] = int(seat.role)
        assert (table.alien, table.alien_card) == (NONE, NONE)
        return 0.0

    game = ready(decide=scripted(upgrade=rate))
    assert known == {p: int(p == game.secret.alien_seat) for p in range(4)}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_first_projects(players: int) -> None:
    """R-SET-6: players - 1 projects of level I."""
    table = ready(players).table
    assert [table.cards.level[k] for k in table.face_up[: table.face_up_n]] == [1] * (players - 1)


def test_first_president_and_markers() -> None:
    """R-SET-7: a given president, or one of the seed; from there clockwise all pick, and may share."""
    game = ready(decide=scripted(rate_project=lambda t, s, project: project == t.face_up[1]), president=2)
    picks = log(game, "pick")
    assert [row[1] for row in picks] == [2, 3, 0, 1]
    assert {row[4] for row in picks} == {PICK_START}
    assert set(game.table.studying[:4]) == {game.table.face_up[1]}
    drawn = [int(ready(president=NONE, index=index).table.president) for index in range(30)]
    assert set(drawn) == {0, 1, 2, 3}
    assert drawn[:5] == [int(ready(president=NONE, index=index).table.president) for index in range(5)]


def test_upgrades_of_projects() -> None:
    """R-UPG-1: a project's upgrades count while it is held; an immunity is named at once."""
    game = new_table()
    game.tracing = 1
    forensics = PROJECT["Crash-Site Forensics"]
    gain_project(game, scripted(immunity=lambda t, s, threat: threat == 3), 1, forensics, PUBLIC)
    assert [row[:3] for row in log(game)] == [("upgrade", 1, SECURITY), ("immunity", 1, 3)]
    assert game.table.immune[1].tolist() == [0, 0, 0, 1]
    own(game, 1, "Android Workforce")
    assert (game.table.tokens[1][STAFFING], track_value(game.table, 1, STAFFING)) == (2, 4)
    lose_project(game, QUIET, 1, PROJECT["Android Workforce"])
    lose_project(game, QUIET, 1, forensics)
    assert not game.table.tokens[1].any()
    assert not game.table.immune[1].any()


# --- the event ---------------------------------------------------------------------------------------------
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
    with np.errstate(over="ignore"):
        pass_badge(game)
    assert game.secret.event_discards == 0
    deck = set(game.secret.events[: game.secret.events_n])
    assert deck == {EVENT["Presidential Discretion"], EVENT["Government Grant"]}
    first_event_order_of_25(game)


def first_event_order_of_25(game: Any) -> None:
    """A fresh deck holds every event."""
    with np.errstate(over="ignore"):
        first_event_order(game)
    assert game.secret.events_n == 25


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

    with np.errstate(over="ignore"):
        for _ in range(3):
            play_round(game, scripted(offer_to=-1, agenda=agenda))
    assert decks == [90, 70, 90]
    assert game.table.claimed == 0


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


# --- worked examples ---------------------------------------------------------------------------------------
def test_votes_of_the_example() -> None:
    """W-3: I, I and III are 5 votes; a level-II project with creativity is worth 4 in a creativity vote."""
    game = new_table()
    own(game, 0, "Assault Rifles", "Particle Accelerator", "Orbital Minefield")
    assert votes_of(game.table, 0, NONE) == votes_of(game.table, 0, CREATIVITY) == 5
    game.table.cards.upgrades[PROJECT["Magnetic Core Memory"]][CREATIVITY] = 1
    own(game, 1, "Magnetic Core Memory")
    assert [votes_of(game.table, 1, ability) for ability in (NONE, STAFFING, CREATIVITY)] == [2, 2, 4]


def test_reveal_in_a_standard_game_of_three() -> None:
    """W-9: from the 9th claim on the alien may reveal, after the 12th it must."""
    told = {}
    for claimed in (8, 9, 11, 12):
        game = ready(3)
        assert (game.table.threshold, game.table.must_reveal) == (9, 12)
        game.table.claimed = claimed
        game.log_n = 0
        with np.errstate(over="ignore"):
            reveal_phase(game, QUIET)
        told[claimed] = [row[0] for row in log(game, "wait", "reveal")]
    assert told == {8: [], 9: ["wait"], 11: ["wait"], 12: ["reveal"]}


def test_numbers_of_the_example() -> None:
    """W-13: 3 projects for four; threshold 10 for five in a short game; 4 attack cards each in an epic game."""
    assert ready(4).table.face_up_n == 3
    short = make_setting(["random"], players=5, length="short")
    assert new_table(5, short.multiplier).table.threshold == 10
    game = new_table(4, make_setting(["random"], length="epic").multiplier)
    plain = [k for k, card in enumerate(CARDS.aliens) if all(e.do != "attack_cards" for e in card.effects)]
    game.table.alien, game.table.alien_card = 2, plain[0]
    with np.errstate(over="ignore"):
        deal_attack_cards(game)
    assert Counter(game.table.attack_on[: game.table.attack_n].tolist()) == {0: 4, 1: 4, 3: 4}
