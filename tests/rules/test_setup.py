"""The box and setting up (chapters 1 and 2 of the rules page), rule by rule."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.eti import company_effects
from sim.games.eti.asking import IllegalAnswer
from sim.games.eti.cards import FIELDS, THREATS
from sim.games.eti.companies import free_upgrade, gain_project, lose_project, settle_immunities, track_value
from sim.games.eti.company_effects import grant_immunity
from sim.games.eti.engine import choose_agendas
from sim.games.eti.invasion import deal_attack_cards
from sim.games.eti.log import PICK_START
from sim.games.eti.pack import card_kinds
from sim.games.eti.play import make_setting
from sim.games.eti.setup import draw_roles, set_up, start_streams
from sim.games.eti.state import (
    ABILITY_COUNT,
    ALIEN,
    ANALYSIS,
    MAX_PLAYERS,
    MULTIPLIER,
    NONE,
    NUMBER,
    PUBLIC,
    RESEARCH,
    SECURITY,
    STAFFING,
    SUBMIT,
    SWITCH,
    THREAT,
)
from tests.kit import CARDS, PROJECT, new_table, scripted
from tests.rules.help import ABDUCTION, ARSON, QUIET, SPY, VIRUS, log, own, ready


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


def test_number_of_players() -> None:
    """A-COMP-1: three to six."""
    for players in (3, 6):
        assert make_setting(["random"], players=players).players == players
    for players in (2, 7):
        with pytest.raises(UserError):
            make_setting(["random"], players=players)


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


def test_numbers_of_the_example() -> None:
    """W-13: 3 projects for four; threshold 10 for five in a short game; 4 attack cards each in an epic game."""
    assert ready(4).table.face_up_n == 3
    short = make_setting(["random"], players=5, length="short")
    assert new_table(5, short.multiplier).table.threshold == 10
    game = new_table(4, make_setting(["random"], length="epic").multiplier)
    plain = [k for k, card in enumerate(CARDS.aliens) if all(e.do != "attack_cards" for e in card.effects)]
    game.table.alien, game.table.alien_card = 2, plain[0]
    deal_attack_cards(game)
    assert Counter(game.table.attack_on[: game.table.attack_n].tolist()) == {0: 4, 1: 4, 3: 4}


# --- upgrades and immunities -------------------------------------------------------------------------------
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
