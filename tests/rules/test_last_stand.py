"""Endgame cards, battle and victory (chapter 4.3 of the rules page), and our assumptions in the chapters before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sim.errors import UserError
from sim.games.eti import company_effects, state
from sim.games.eti.asking import IllegalAnswer
from sim.games.eti.battle import card_attack, choose_losses, find_winner, resolve_battles, vault_defence
from sim.games.eti.companies import free_upgrade, lose_project, track_value
from sim.games.eti.company_effects import draw_into_vault, grant_immunity
from sim.games.eti.effects import BASE_ATTACK
from sim.games.eti.engine import choose_agendas
from sim.games.eti.invasion import play_endgame_card, prepare_invasion, reveal_phase, turn_board_over
from sim.games.eti.play import make_setting
from sim.games.eti.projects import new_projects
from sim.games.eti.research import deal_research
from sim.games.eti.setup import set_up
from sim.games.eti.state import NONE, PUBLIC, RESEARCH, SECRET, SECURITY, STAFFING, SUBMIT, TIME
from sim.games.eti.submission import choose_ways, settle_submissions, submit_results
from tests.kit import EVENT, KIND, PROJECT, face_up, give_queue, new_table, scripted, study
from tests.rules.test_invasion import (
    ABDUCTION,
    ARSON,
    HUMANS,
    SPY,
    VIRUS,
    attack_with,
    immune,
    invaded,
    known,
)
from tests.rules.test_setup_and_events import log, own, run_event, stack

QUIET = scripted(offer_to=-1)
BEST = scripted(lose=-1)  # 'the best choice, please'


@pytest.fixture(autouse=True)
def wrapping_numbers() -> Iterator[None]:
    """Random streams overflow on purpose."""
    with np.errstate(over="ignore"):
        yield


def battle(game: Any, decide: Any = BEST) -> Any:
    """All battles; the row of the result."""
    row = state.new_records(state.GAME_ROW, 1)[0]
    resolve_battles(game, decide, row)
    return row


def hold(game: Any, p: int, event: str) -> None:
    """Put an event into a hand."""
    game.seats[p].held |= 1 << EVENT[event]
    game.table.held_n[p] += 1


def piles(game: Any, **levels: str) -> None:
    """The piles hold just these projects, e.g. L3="String Theory"."""
    game.table.pile_left[:] = 0
    for name, project in levels.items():
        game.secret.pile[int(name[1:])][0] = PROJECT[project]
        game.table.pile_left[int(name[1:])] = 1


# --- endgame cards -----------------------------------------------------------------------------------------
def play_card(card: str, **answers: Any) -> Any:
    """Seat 0 with two top-secret projects and a public one, attacked by two cards, plays its endgame card."""
    game = known()
    own(game, 0, "Assault Rifles", "Orbital Minefield")
    own(game, 0, "Alien Anatomy", place=PUBLIC)
    attack_with(game, p0=("50", "10"), p2=("50",))
    game.secret.endgame[0] = HUMANS[card]
    play_endgame_card(game, scripted(**answers), 0)
    return game


@pytest.mark.parametrize(
    ("card", "defence", "attack", "fame"),
    [  # 25 + 45 + 10 defence, an attack of 60, 20 fame
        ("The Survivalist", 90, 60, 10), ("The General", 80, 30, 20), ("The Archivist", 100, 60, 20),
        ("The Celebrity", 90, 60, 30), ("The Spymaster", 90, 60, 20),
    ],
)  # fmt: skip
def test_endgame_cards(card: str, defence: int, attack: int, fame: int) -> None:
    """R-INV-9: what each card does to its owner's numbers."""
    game = play_card(card, move_fame=lambda t, s, k: k == PROJECT["Alien Anatomy"])
    kept = scripted(lose=lambda t, s, k: -1 if k == PROJECT["Alien Anatomy"] else 0)
    row = battle(game, kept)
    assert (row.seat[0].defence, row.seat[0].attack, row.seat[0].fame) == (defence, attack, fame)
    assert game.table.immunity_n[0] == (2 if card == "The Spymaster" else 0)


def test_order_of_endgame_cards() -> None:
    """R-INV-9, A-24: after the mash, from the president clockwise, card first, then the events in hand."""
    game = known()
    own(game, 1, "Assault Rifles", "Guided Missiles")
    game.table.president = 2
    game.secret.endgame[:4] = [HUMANS["The General"], 0, HUMANS["The Celebrity"], HUMANS["The Archivist"]]
    for event in ("Leaked Coordinates", "Bunker Blueprints", "Sleeper Laboratory"):
        hold(game, 2, event)
    hold(game, 0, "Decoy Beacon")
    hold(game, 3, "Bunker Blueprints")
    targets: set[int] = set()
    play = scripted(
        mash=lambda t, s, p: p,
        play_event=lambda t, s, _: s.me != 3,
        target=lambda t, s, p: targets.add(p) or p == 3,
    )
    prepare_invasion(game, play, TIME)
    rows = [row[:3] for row in log(game, "mash", "endgame", "play")]
    assert rows == [
        ("mash", 3, 0), ("endgame", 2, HUMANS["The Celebrity"]),
        ("play", 2, EVENT["Bunker Blueprints"]), ("play", 2, EVENT["Leaked Coordinates"]),
        ("endgame", 3, HUMANS["The Archivist"]), ("endgame", 0, HUMANS["The General"]),
        ("play", 0, EVENT["Decoy Beacon"]),
    ]  # fmt: skip
    table = game.table
    assert targets == {0, 3}  # another human
    assert (table.more_defence[2], table.more_attack[3], table.more_attack[0]) == (10 + 20, 20, -30)
    assert table.attack_on[: table.attack_n].tolist().count(NONE) == 1
    assert table.held_n[:4].tolist() == [0, 0, 1, 1]  # a round card is not played now; seat 3 kept its own


@pytest.mark.parametrize(
    ("held", "limit", "asked"),
    [
        ("Alien Anatomy", 1, [1, 2, 3]), ("Alien Anatomy", 0, [1, 2]), ("Alien Anatomy", 2, [1, 2, 3, 4]),
        (None, 2, [1, 2]), (None, 1, []), (None, 0, []),  # level I alone: nothing to ask
    ],
)  # fmt: skip
def test_drawing_a_project(held: str | None, limit: int, asked: list[int]) -> None:
    """A-11: levels up to `draw_limit` above the best; with no project level `draw_limit`, at least I."""
    game = known(draw_limit=limit)
    own(game, 0, *[held] * (held is not None))
    levels: list[int] = []
    draw_into_vault(game, scripted(rate_level=lambda t, s, level: levels.append(level) or level), 0)
    assert levels == asked
    drawn = log(game, "draw_project")[0]
    assert drawn[2] == (asked or [1])[-1]
    assert game.table.owner[drawn[3]] == 0


def test_drawing_from_what_is_left() -> None:
    """A-11: else the lowest level left, else nothing; security on it brings an immunity at once."""
    game = known()
    piles(game, L4="Ablative Ceramics", L5="Planetary Shield")
    draw_into_vault(game, scripted(vault=1, immunity=lambda t, s, threat: threat == SPY), 0)
    ceramics = PROJECT["Ablative Ceramics"]
    assert (game.table.owner[ceramics], game.table.place[ceramics]) == (0, PUBLIC)
    assert game.table.immune[0].tolist() == [0, 0, 0, 1]
    piles(game)
    draw_into_vault(game, QUIET, 0)
    assert game.table.completed[0] == 1


# --- attack and defence ------------------------------------------------------------------------------------
def test_attack_cards_count() -> None:
    """R-INV-10, W-15: numbers, 10/20/30, and threats by tactic and immunity: 50, 25, 25, 0."""
    game = known()
    game.table.tactic[SPY] = game.table.tactic[ARSON] = 1
    immune(game, 0, ARSON, VIRUS)
    worth = {card: card_attack(game.table, 0, kind) for card, kind in KIND.items()}
    assert worth == {
        "10": 10, "20": 20, "30": 30, "40": 40, "50": 50, "x0": 10, "x2": 20, "x3": 30,
        "spy": 50, "arson": 25, "abduction": 25, "data-virus": 0,
    }  # fmt: skip
    options = ("x0", "x2", "x3", "tactic_open", "tactic_immune", "plain_open", "plain_immune")
    game = known(**{f"attack_{name}": k for k, name in enumerate(options, 61)})
    game.table.tactic[SPY] = game.table.tactic[ARSON] = 1
    immune(game, 0, ARSON, VIRUS)
    cards = ("x0", "x2", "x3", "spy", "arson", "abduction", "data-virus")
    assert [card_attack(game.table, 0, KIND[card]) for card in cards] == list(range(61, 68))


def test_immunities_of_the_alien_are_tactics() -> None:
    """W-15: immune to spy and arson, it has both as tactics; arson counts 25 against an immune company."""
    game = known()
    immune(game, 1, SPY, ARSON)
    turn_board_over(game, 1)
    immune(game, 0, ARSON)
    assert game.table.tactic.tolist() == [0, 1, 0, 1]
    assert [card_attack(game.table, p, KIND["arson"]) for p in (0, 2)] == [25, 50]


def test_attack_on_each_company() -> None:
    """R-INV-10, A-25: nothing multiplies or is removed, base attack once each, never below 0 in all."""
    game = known()
    attack_with(game, p0=("50", "x3", "x2", "spy"), p2=("x0",))
    game.table.base_attack = 15
    game.table.more_attack[:4] = [0, 0, -26, -10]
    row = battle(game)
    assert [row.seat[p].attack for p in (0, 2, 3)] == [50 + 30 + 20 + 25 + 15, 0, 5]


def test_weak_base_attack() -> None:
    """R-INV-10, A-25: only the whole attack is never below 0; an alien card of -10 weakens 50 to 40."""
    game = known()
    game.table.cards.alien_effects[0][0] = (BASE_ATTACK, -10, 0)
    game.table.multiplier = 0
    prepare_invasion(game, QUIET, TIME)
    attack_with(game, p0=("50",))
    assert battle(game).seat[0].attack == 40


@pytest.mark.parametrize(("more", "survives"), [(0, 1), (1, 0), (-1, 1)])
def test_exactly_enough(more: int, survives: int) -> None:
    """R-INV-11: 25 secret and 20 public make 45: an attack of 45 is survived with nothing left, 46 is not."""
    game = known()
    own(game, 0, "Assault Rifles")
    own(game, 0, "Alien Detection", place=PUBLIC)
    assert vault_defence(game.table, 0) == 45
    game.table.more_attack[0] = 45 + more
    row = battle(game)
    assert (row.seat[0].survived, row.seat[0].fame, game.table.vault[0]) == (survives, 0, 0)
    assert game.table.place[PROJECT["Assault Rifles"]] == state.LOST


@pytest.mark.parametrize(("attack", "kept"), [(20, 2), (21, 1), (65, 0)])
def test_defence_without_a_project(attack: int, kept: int) -> None:
    """R-INV-11: 20 defence of a card pay for 20 of the attack; only the rest costs projects."""
    game = known()
    own(game, 0, "Assault Rifles")
    own(game, 0, "Alien Detection", place=PUBLIC)
    game.table.more_defence[0], game.table.more_attack[0] = 20, attack
    assert battle(game).seat[0].survived
    assert int(game.table.vault[0]).bit_count() == kept


def test_the_owner_chooses() -> None:
    """R-INV-11: any set that suffices, all cards being known; nothing is given up against no attack."""
    game = known()
    own(game, 0, "Assault Rifles", "Antigravity Drive", "Particle Accelerator")  # 25, 45 and 15
    attack_with(game, p0=("40",))
    seen: list[int] = []
    order = [PROJECT[k] for k in ("Particle Accelerator", "Antigravity Drive")]

    def lose(table: Any, seat: Any, project: int) -> float:
        seen.append(int(table.attack_seen[0]))
        return float(10 - order.index(project)) if project in order else 0.0

    row = battle(game, scripted(lose=lose))
    assert set(seen) == {KIND["40"]}
    assert game.table.vault[0] == 1 << PROJECT["Assault Rifles"]  # 15 and 45 given up, although 45 would do
    assert (row.seat[0].survived, row.seat[0].fame) == (1, 0)
    game.table.attack_n = 0
    battle(game)
    assert game.table.vault[0] == 1 << PROJECT["Assault Rifles"]


@pytest.mark.parametrize(
    ("bonus", "attack", "lost"),
    [
        (10, 50, ("Guided Missiles", "Assault Rifles")),  # 20 fame, less than with the cannon
        (10, 70, ("Guided Missiles", "Particle Beam Cannon")),  # the three others defend 65
        (15, 15, ("Cryogenic Coolants",)),  # 10 fame: the public bonus makes the rifles dearer
        (15, 45, ("Guided Missiles", "Cryogenic Coolants")),
        (15, 46, ("Guided Missiles", "Assault Rifles")),
    ],
)
def test_most_fame_is_kept(bonus: int, attack: int, lost: tuple[str, ...]) -> None:
    """A-INV-11: public 40/10, 30/0 and 20/0, secret 10/10 (+5): the cheapest set in fame, bonuses counted."""
    game = known(public_fame=bonus)
    own(game, 0, "Particle Beam Cannon", "Guided Missiles", "Assault Rifles", place=PUBLIC)
    own(game, 0, "Cryogenic Coolants")
    game.table.attack[0] = attack
    assert choose_losses(game, BEST, 0) == sum(1 << PROJECT[name] for name in lost)


# --- who wins ----------------------------------------------------------------------------------------------
def result(fames: dict[int, int], president: int, favour: int = NONE) -> tuple[int, int, list[int]]:
    """Survivors' fames to the winner, why, and who was asked."""
    game = known()
    game.table.president = president
    row = state.new_records(state.GAME_ROW, 1)[0]
    for p, fame in fames.items():
        row.seat[p].survived, row.seat[p].fame = 1, fame
    asked: list[int] = []
    find_winner(game, scripted(break_tie=lambda t, s, p: asked.append(int(s.me)) or p == favour), row)
    return int(row.winner), int(row.why), sorted(set(asked))


def test_winner() -> None:
    """R-INV-12: most fame among the living; the last president settles a tie; nobody alive: the alien."""
    assert result({0: 30, 2: 40, 3: 39}, 0) == (2, state.BY_FAME, [])
    assert result({0: 0}, 2) == (0, state.BY_FAME, [])
    assert result({0: 40, 2: 40, 3: 10}, 2, favour=2) == (
        2,
        state.BY_TIE,
        [2],
    )  # in the president's own favour
    assert result({0: 40, 2: 40, 3: 10}, 3, favour=2) == (2, state.BY_TIE, [3])
    assert result({0: 40, 3: 40}, 2, favour=3) == (3, state.BY_TIE, [2])  # the president is destroyed
    assert result({}, 0) == (1, state.NO_SURVIVOR, [])


def test_fame_that_is_left() -> None:
    """R-INV-12: 10 more for each public project left; the destroyed count nothing, however famous."""
    game = known()
    own(game, 0, "String Theory")  # 30
    own(game, 2, "Particle Accelerator", "Magnetic Core Memory", place=PUBLIC)  # 20 and 30
    own(game, 3, "Human Genome Atlas", place=PUBLIC)  # 70, but no match for 11
    game.table.more_attack[:4] = [0, 0, 1, 11]
    row = battle(game)
    assert [int(row.seat[p].fame) for p in (0, 2, 3)] == [30, 30, 0]
    assert (row.survivors, row.tied, row.winner) == (2, 2, 0)


def test_alien_president_settles_the_tie() -> None:
    """A-29: with the badge kept and an invasion at once, the alien decides; else a human president does."""
    for option, judge in ((0, 1), (1, 2)):
        game = invaded(badge_leaves_alien=option)
        game.table.president, game.table.claimed, game.table.tokens[1][STAFFING] = 1, 16, 6
        own(game, 0, "String Theory")
        own(game, 3, "Laser Holography")
        assert reveal_phase(game, QUIET) == state.AT_ONCE
        asked: set[int] = set()
        row = battle(game, scripted(break_tie=lambda t, s, p: asked.add(int(s.me)) or p))  # noqa: B023
        assert (row.winner, row.why, asked) == (3, state.BY_TIE, {judge})


def test_todd() -> None:
    """W-10: defence 120 against 100; Space Flight Calculations is kept, 20 fame."""
    game = known()
    own(game, 0, "Assault Rifles", "Mechanical Exoskeletons")
    own(game, 0, "Space Flight Calculations", "String Theory", place=PUBLIC)
    immune(game, 0, SPY, ABDUCTION)
    game.table.tactic[SPY], game.table.base_attack = 1, 5
    attack_with(game, p0=("x0", "abduction", "spy", "50", "10"))
    game.secret.endgame[0] = HUMANS["The Survivalist"]
    play_endgame_card(game, scripted(move_fame=lambda t, s, k: k == PROJECT["String Theory"]), 0)
    seat = battle(game).seat[0]
    assert (seat.defence, seat.attack, seat.survived, seat.fame) == (120, 100, 1, 20)
    assert game.table.vault[0] == 1 << PROJECT["Space Flight Calculations"]


def test_angie() -> None:
    """W-11: defence 50, with Computer Languages 65, against 75: destroyed."""
    game = known()
    own(game, 0, "Transplant Surgery", "Advanced Neuroscience")
    own(game, 0, "Satellite Network", "Alien Detection", place=PUBLIC)
    assert vault_defence(game.table, 0) == 50
    game.table.tactic[SPY], game.table.base_attack = 1, 5
    attack_with(game, p0=("x2", "spy"))
    game.secret.endgame[0] = HUMANS["The Visionary"]
    piles(game, L1="Computer Languages")
    play_endgame_card(game, scripted(vault=0), 0)
    seat = battle(game).seat[0]
    assert (seat.defence, seat.attack, seat.survived, seat.fame) == (65, 75, 0, 0)


# --- our assumptions in the chapters before ----------------------------------------------------------------
def test_number_of_players() -> None:
    """A-COMP-1: three to six."""
    for players in (3, 6):
        assert make_setting(["random"], players=players).players == players
    for players in (2, 7):
        with pytest.raises(UserError):
            make_setting(["random"], players=players)


def test_order_of_free_upgrades() -> None:
    """A-16: company after company from the first president, an immunity as soon as it is there."""
    game = new_table(3)
    game.tracing = 1
    seen: list[int] = []  # security tokens on the table, seen by each company in turn
    rate = scripted(upgrade=lambda t, s, a: seen.append(int(t.tokens[:, SECURITY].sum())) or a == SECURITY)
    set_up(game, rate, NONE, 2)
    rows = [row[:2] for row in log(game, "upgrade", "immunity")]
    each = ["upgrade", "immunity"] * 3
    assert rows == [(verb, p) for p in (2, 0, 1) for verb in each]
    assert seen[::4] == list(range(9))


def test_past_the_end_of_a_track() -> None:
    """A-20: a project's token beyond the end is kept and adds nothing; a free upgrade must fit or is lost."""
    game = new_table()
    table = game.table
    table.tokens[0] = [6, 6, 0, 6]
    own(game, 0, "Android Workforce")
    assert (table.tokens[0][STAFFING], track_value(table, 0, STAFFING)) == (8, 6)
    lose_project(game, QUIET, 0, PROJECT["Android Workforce"])
    assert (table.tokens[0][STAFFING], track_value(table, 0, STAFFING)) == (6, 6)
    free_upgrade(game, QUIET, 0, STAFFING, 0)
    free_upgrade(game, scripted(upgrade=lambda t, s, a: a == STAFFING), 0, NONE, 0)
    assert table.tokens[0].tolist() == [6, 6, 1, 6]  # only security had a space left
    table.tokens[0][SECURITY] = 6
    free_upgrade(game, QUIET, 0, NONE, 0)
    assert table.tokens[0].tolist() == [6, 6, 6, 6]


@pytest.mark.parametrize(("option", "left"), [(1, [SPY]), (0, [ARSON])])
def test_immunities_come_and_go(option: int, left: list[int]) -> None:
    """A-6, A-21: track and grants, four at most; the one chosen last is lost first, or by option the first."""
    game = new_table(immunity_lost_last=option)
    table, order = game.table, [SPY, ARSON, VIRUS, ABDUCTION]
    decide = scripted(immunity=lambda t, s, threat: -order.index(threat))
    company_effects.gain_project(game, decide, 0, PROJECT["Crash-Site Forensics"], PUBLIC)
    grant_immunity(game, decide, 0, 1)
    assert table.immunity[0][:2].tolist() == [SPY, ARSON]
    lose_project(game, decide, 0, PROJECT["Crash-Site Forensics"])
    assert table.immunity[0][: table.immunity_n[0]].tolist() == left
    grant_immunity(game, decide, 0, 2)
    grant_immunity(game, decide, 0, 2)  # one threat is left
    assert (table.immunity_n[0], table.granted[0], table.immune[0].tolist()) == (4, 4, [1, 1, 1, 1])
    grant_immunity(game, decide, 0, 1)
    assert table.granted[0] == 4


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


def test_no_event_left() -> None:
    """A-30: with all events in hand the president draws none."""
    game = new_table()
    own(game, 0, "Assault Rifles")
    stack(game)
    run_event(game)
    assert [row[:3] for row in log(game)] == [("no_event", 0, 1)]


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


def test_who_knows_what() -> None:
    """A-12: a strategy sees the table and its own seat, and no queue, deck, pile, hand or role but its own."""
    public = "bank tokens immune vault queue_n pile_left event agenda shown claimed held_n"
    assert set(public.split()) <= set(state.TABLE.names)
    assert {"endgame", "seen", "held"} <= set(state.SEAT.names)
    hidden = {"queue", "deck", "pile", "events", "attack_kind", "endgame", "role", "seen", "held"}
    assert not hidden & set(state.TABLE.names)
    seen: list[list[int]] = []
    game = known()
    give_queue(game, 2, "50", "40")
    prepare_invasion(game, scripted(intel=lambda t, s, _: seen.append(t.attack_seen[:9].tolist()) or 0), TIME)
    assert seen == [[NONE] * 9]  # face down, for the alien too
    assert all((seat.seen == NONE).all() for seat in game.seats)
