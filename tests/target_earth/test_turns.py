"""Income, research, production, diplomacy, the end of a turn and of the game, rule by rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.target_earth import countries
from sim.games.target_earth.armies import targets
from sim.games.target_earth.countries import talks_bonus
from sim.games.target_earth.diplomacy import alien_attempt, court, diplomacy_step
from sim.games.target_earth.ending import change_era, check_end
from sim.games.target_earth.hands import set_limits
from sim.games.target_earth.points import count_personal, objective_points
from sim.games.target_earth.production import production, things_to_buy
from sim.games.target_earth.research import income, research, resolve_research
from sim.games.target_earth.state import (
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    DIPLOMAT,
    FIGHTERS,
    FIRST_UNIT,
    HANGAR,
    IMPOSSIBLE,
    INFANTRY,
    LABORATORY,
    NEUTRAL,
    NONE,
    OFFICER,
    REBELLION,
    SCIENCE,
    SCIENTIST,
    SUDDEN,
    TROOPS,
    WAREHOUSE,
)
from sim.games.target_earth.ufos import draw_ufos
from tests.target_earth.field import Field, Still


@pytest.fixture(autouse=True)
def wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


def rig(monkeypatch: pytest.MonkeyPatch, dice: list[int]) -> list[int]:
    """These dice, one after the other."""
    left = list(dice)
    monkeypatch.setattr(countries, "below", lambda streams, stream, n: left.pop(0) - 1)
    return left


class Scholars(Still):
    """Fighters first, then infantry; science when knowledge is scarce."""

    def research(table, seat, technology):
        return 1.0 if technology == FIGHTERS else -1.0

    def scientist(table, seat, technology):
        return 1.0 if technology == SCIENCE else -1.0

    def scarce(table, seat, technology):
        return float(technology)

    def buy(table, seat, thing):
        return -1.0

    def court(table, seat, country):
        return -1.0


def test_the_deal() -> None:
    """R-TE-SET-1, R-TE-SET-4: eight countries each, 24 points each, an income of 20, whatever is drawn."""
    for index in range(30):
        field = Field(Still)
        field.game.secret.stream[:] += np.uint64(index)
        table = field.table
        assert table.points.tolist() == [24, 24] and table.income == 20
        assert (table.allied_n, table.aliens_n) == (8, 8)
        assert all(table.status[c] == NEUTRAL for c in range(table.cards.countries) if table.cards.credits[c] >= 5)


@pytest.mark.parametrize(("bases", "limits"), [(4, [1] * 4), (3, [1, 1, 1]), (2, [2, 2])])
def test_cards_a_turn(bases: int, limits: list[int]) -> None:
    """R-TE-CARD-1, R-TE-SET-3: at three bases the first player may play one more."""
    field = Field(players=bases)
    set_limits(field.table)
    if bases == 3:
        limits[int(field.table.first)] += 1
    assert field.table.may_play[:bases].tolist() == limits


def test_two_technologies_and_too_little_knowledge() -> None:
    """R-TE-RES, R-TE-RES-2, R-TE-CARD-2: a scientist's second technology; the Alliance picks one."""
    field = Field(Scholars)
    table = field.table
    table.fund, table.level[FIGHTERS] = 20, 2
    for p in range(4):
        field.module(p, LABORATORY)
        field.module(p, LABORATORY)
    field.give(1, SCIENTIST)
    table.knowledge = 1
    research(field.game, field.decide)
    assert table.sought.tolist() == [1, 0, 0, 1] and table.fund == 20 - 6 - 5
    resolve_research(field.game, field.decide)
    assert table.level.tolist() == [2, 1, 1, 2] and table.knowledge == 0
    assert table.labs == 8  # labs are not spent
    assert table.sought.tolist() == [0, 0, 0, 0]


def test_too_few_laboratories() -> None:
    """R-TE-RES: the money is lost."""
    field = Field(Scholars)
    field.table.fund = 7
    field.module(0, LABORATORY)
    research(field.game, field.decide)
    resolve_research(field.game, field.decide)
    assert field.table.level[FIGHTERS] == 1 and field.table.fund == 2


def test_science_must_be_researched() -> None:
    """R-TE-ADV-1: from turn 5 on, as far as it can be paid."""
    field = Field(Scholars, variant="advanced")
    field.table.turn, field.table.fund = 5, 5
    research(field.game, field.decide)
    assert field.table.sought.tolist() == [0, 0, 0, 1]
    field = Field(Scholars, variant="advanced")
    field.table.turn, field.table.fund = 4, 5
    research(field.game, field.decide)
    assert field.table.sought.tolist() == [1, 0, 0, 0]


def test_the_fund_is_shared() -> None:
    """R-TE-PRD: evenly, what is over stays."""
    field = Field(Scholars)
    field.table.fund = 11
    production(field.game, field.decide)
    assert field.table.credits.tolist() == [2, 2, 2, 2] and field.table.fund == 3


def test_what_a_base_may_buy() -> None:
    """R-TE-PRD, R-TE-PRD-2: warehouses for each type, free modules for units; a lost warehouse destroys nothing."""
    field = Field()
    table = field.table
    table.credits[0] = 20
    assert things_to_buy(table, 0) == 1 << WAREHOUSE
    field.module(0, WAREHOUSE)
    assert things_to_buy(table, 0) == 0b111111
    field.module(0, BARRACKS)
    assert things_to_buy(table, 0) == 0b111111 & ~(1 << BARRACKS) | 1 << (FIRST_UNIT + INFANTRY)
    table.credits[0] = 1
    assert things_to_buy(table, 0) == 1 << (FIRST_UNIT + INFANTRY)
    table.supply[HANGAR] = 0
    table.credits[0] = 2
    assert not things_to_buy(table, 0) >> HANGAR & 1


@pytest.mark.parametrize(("n", "bonus"), [(9, 0), (10, 1), (14, 1), (15, 2), (19, 2), (20, 3), (29, 3)])
def test_the_bonus_of_diplomacy(n: int, bonus: int) -> None:
    """R-TE-DIP."""
    assert talks_bonus(Field().table, n) == bonus


def test_diplomacy_and_rebellion(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-DIP, R-TE-DIP-2, R-TE-CARD-2: what rebels is neutral, and courted no more this turn."""

    class Rebels(Still):
        def court(table, seat, country):
            return 1.0

        def rebellion(table, seat, country):
            return 1.0

    field = Field(Rebels)
    table = field.table
    field.give(2, REBELLION)
    rebel, courted = field.country(ALIEN), field.country(NEUTRAL)
    rig(monkeypatch, [6, 6, 6, 6])
    diplomacy_step(field.game, field.decide)
    assert (table.status[courted], table.status[rebel]) == (ALLIED, NEUTRAL)
    assert (table.changed >> courted) & 1 and (table.changed >> rebel) & 1
    lonely = int(table.neutral)
    table.neutral = 1 << rebel
    court(field.game, field.decide)  # nobody left to court: no dice are rolled
    table.neutral = lonely


def test_the_diplomat_and_the_officer(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-ADV-2: a token for a further attempt, two points; an agent who helps it, one point; one a turn."""

    class Talks(Still):
        def court(table, seat, country):
            return -1.0

        def diplomat(table, seat, country):
            return 1.0 if table.status[country] == NEUTRAL else -1.0

        def agent(table, seat, country):
            return 1

    field = Field(Talks, variant="advanced")
    factions = [int(f) for f in field.table.faction]
    diplomat, officer = factions.index(DIPLOMAT), factions.index(OFFICER)
    country = field.country(NEUTRAL)
    short = int(field.table.cards.diplomacy[country]) - 1
    rig(monkeypatch, [short - 6, 6])
    diplomacy_step(field.game, field.decide)
    assert field.table.status[country] == ALLIED
    assert (field.game.seats[diplomat].points, field.game.seats[officer].points) == (2, 1)
    assert (field.table.tokens[diplomat], field.table.tokens[officer]) == (2, 2)


def test_alien_diplomacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-OPT-2: only neutral countries, with the aliens' own bonus."""
    from sim.games.target_earth import diplomacy

    field = Field(rules={"alien_diplomacy": 1})
    ally, neutral = field.country(ALLIED), field.country(NEUTRAL)
    monkeypatch.setattr(diplomacy, "draw_objective", lambda game, bag: ally)
    rig(monkeypatch, [])
    alien_attempt(field.game, field.decide)
    monkeypatch.setattr(diplomacy, "draw_objective", lambda game, bag: neutral)
    rig(monkeypatch, [6, 6])
    alien_attempt(field.game, field.decide)
    assert (field.table.status[ally], field.table.status[neutral]) == (ALLIED, ALIEN)


# --- ends ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("turn", "points", "science", "over", "winner"),
    [
        (7, (30, 29), 4, True, ALLIANCE), (7, (30, 30), 4, True, ALIENS), (7, (60, 20), 3, True, ALIENS),
        (3, (51, 20), 1, True, ALLIANCE), (3, (50, 50), 1, False, NONE), (3, (51, 51), 1, True, ALIENS),
        (4, (20, 20), 1, False, NONE), (5, (20, 20), 1, True, ALIENS), (5, (20, 20), 2, False, NONE),
        (6, (20, 20), 2, True, ALIENS), (6, (51, 20), 2, True, ALLIANCE),
    ],
)  # fmt: skip
def test_ends(turn: int, points: tuple[int, int], science: int, over: bool, winner: int) -> None:
    """R-TE-WIN-1, R-TE-WIN-2, R-TE-WIN-3."""
    field = Field()
    table = field.table
    table.turn, table.level[SCIENCE] = turn, science
    table.points[:] = points
    assert bool(check_end(field.game)) == over
    assert field.game.secret.winner == winner
    if over and turn < 7:
        assert field.game.secret.why == (SUDDEN if max(points) > 50 else IMPOSSIBLE)


def test_eras_and_bags() -> None:
    """R-TE-END, R-TE-SET-2: phases II and III bring their UFOs."""
    field = Field(mode="hard")
    table = field.table
    assert table.bag.tolist() == [5, 4, 3, 0]
    for turn, era in ((3, 0), (4, 1), (5, 1), (6, 2)):
        table.turn = turn
        change_era(table)
        assert table.era == era
    assert table.bag.tolist() == [8, 11, 14, 7]
    field = Field(mode="random")
    assert field.table.bag.tolist() == [12, 13, 14, 7]


def test_objectives_and_the_winner() -> None:
    """R-TE-ADV-4, R-TE-ADV-5: objective E by the number of allies; ties go to the higher initiative."""
    field = Field(variant="advanced")
    table = field.table
    for n, points in ((9, 8), (10, 6), (11, 4), (12, 3), (13, 2), (14, 1), (15, 0)):
        table.allied_n = n
        assert objective_points(table, 4) == points
    for p in range(4):
        field.game.seats[p].objective = 4
    field.game.secret.winner = ALLIANCE
    assert count_personal(field.game) == [int(f) for f in table.faction].index(DIPLOMAT)


def test_initiative_and_head_start() -> None:
    """R-TE-ADV-1: the officer begins, seats follow by initiative."""
    table = Field(variant="advanced").table
    assert [int(table.faction[p]) for p in table.order] == [0, 1, 2, 3]
    assert table.first == table.order[0]
    assert TROOPS == 1


def test_income() -> None:
    """R-TE-INC: the income of all allied countries goes to the fund."""
    field = Field()
    field.table.fund = 3
    income(field.game)
    assert field.table.fund == 23


@pytest.mark.parametrize(("era", "n"), [(0, 4), (1, 6), (2, 8)])
def test_ufos_and_objectives(era: int, n: int) -> None:
    """R-TE-UFO, R-TE-UFO-2: 4, 6 or 8, each with an objective that is no alien country; tiles are drawn once."""
    field = Field()
    table = field.table
    table.era = era
    table.bag[:] = [4, 4, 4, 0]
    draw_ufos(field.game)
    tiles = [int(tile) for tile in table.objective[:n]]
    assert table.ufo_n == n and int(table.bag.sum()) == 12 - n
    assert len(set(tiles)) == n
    assert all(tile >= 40 or table.status[tile] != ALIEN for tile in tiles)


def test_targets_of_armies() -> None:
    """R-TE-MIS, A-TE-15: alien countries, countries and other bases under attack; radars are not needed."""
    field = Field()
    field.ufo(0, field.country(ALLIED))
    field.ufo(0, field.base_tile(1))
    slots = targets(field.table, 0) & 0xFF
    assert (slots, targets(field.table, 1) & 0xFF) == (0b11, 0b01)
    assert targets(field.table, 0) >> 8 == field.table.aliens


def test_factions_in_the_base_game() -> None:
    """R-TE-OPT-3: everybody has one, with its tokens; nobody an objective."""
    field = Field(rules={"factions": 1})
    assert sorted(int(f) for f in field.table.faction) == [0, 1, 2, 3]
    assert field.table.tokens.tolist() == [3, 3, 3, 3]
    assert [int(seat.objective) for seat in field.game.seats] == [NONE] * 4
