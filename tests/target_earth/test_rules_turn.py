"""Chapters 3 and 4 of the rules page, income to diplomacy, and the end of a turn: R-TE- ids, one rule at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.target_earth import diplomacy
from sim.games.target_earth.bases import building_ground, come_home, remove_module, send_away
from sim.games.target_earth.diplomacy import attempt, court, diplomacy_step
from sim.games.target_earth.log import BY_COURT
from sim.games.target_earth.production import price_of, production, things_to_buy
from sim.games.target_earth.research import income, open_technologies, research, resolve_research
from sim.games.target_earth.state import (
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    CARRIER,
    FIGHTER,
    FIGHTERS,
    FIRST_UNIT,
    GARAGE,
    HANGAR,
    INFANTRY,
    LABORATORY,
    NEUTRAL,
    NONE,
    RADAR,
    REBELLION,
    SCIENCE,
    TANK,
    TANKS,
    TROOPS,
    WAREHOUSE,
)
from tests.target_earth.field import Field, Still
from tests.target_earth.rigged import rig, seat_of, two_dice_for


@pytest.fixture(autouse=True)
def wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


class Nothing(Still):
    """Buys, courts and researches nothing."""

    def buy(table, seat, thing):
        return -1.0

    def court(table, seat, country):
        return -1.0

    def research(table, seat, technology):
        return -1.0


def seeker(wanted: int) -> Any:
    """Who researches one technology."""

    class Seeker(Nothing):
        def research(table, seat, technology):
            return 1.0 if technology == wanted else -1.0

    return Seeker


# --- income and research ---------------------------------------------------------------------------------
def test_income_goes_to_the_fund() -> None:
    """R-TE-INC: the credits of allied countries, and of no other; bases get nothing yet."""
    field = Field()
    table = field.table
    table.fund = 3
    allies = [c for c in range(30) if table.status[c] == ALLIED]
    income(field.game)
    assert table.fund == 3 + sum(int(table.cards.credits[c]) for c in allies) == 23
    assert table.credits.tolist() == [0, 0, 0, 0]


STEPS = [(2, 5, 2, 0), (3, 6, 4, 1), (4, 8, 6, 2)]  # to level: credits, laboratories, knowledge
SCIENCE_STEPS = [(2, 5, 6, 1), (3, 6, 8, 2), (4, 8, 10, 4)]
ALL_STEPS = [(t, *step) for t in (FIGHTERS, TROOPS, TANKS) for step in STEPS] + [
    (SCIENCE, *step) for step in SCIENCE_STEPS
]


def laboratories(field: Field, n: int) -> None:
    """Spread over all bases."""
    for k in range(n):
        field.module(k % 4, LABORATORY)


@pytest.mark.parametrize(("technology", "level", "cost", "labs", "knowledge"), ALL_STEPS)
def test_what_a_level_takes(technology: int, level: int, cost: int, labs: int, knowledge: int) -> None:
    """R-TE-RES: credits, laboratories of all bases, knowledge; one less of any of them is not enough."""
    for lack in ("", "labs", "knowledge", "credits"):
        if lack == "knowledge" and knowledge == 0:
            continue
        field = Field(seeker(technology))
        table = field.table
        table.level[technology] = level - 1
        table.fund = cost - (lack == "credits")
        laboratories(field, labs - (lack == "labs"))
        table.knowledge = knowledge - (lack == "knowledge")
        research(field.game, field.decide)
        assert table.fund == (0 if lack != "credits" else cost - 1)
        resolve_research(field.game, field.decide)
        assert table.level[technology] == level - (lack != "")
        spent = knowledge if lack == "" else int(lack == "knowledge")
        assert table.knowledge == knowledge - spent
        assert table.labs == labs - (lack == "labs")


def test_laboratories_count_at_the_end_of_the_turn() -> None:
    """R-TE-RES: built after the money was paid, they still count; one lost before does not."""
    field = Field(seeker(TROOPS))
    table = field.table
    table.fund = 5
    research(field.game, field.decide)
    laboratories(field, 3)
    remove_module(field.game, 0, 0)
    resolve_research(field.game, field.decide)
    assert table.level[TROOPS] == 2


def test_one_technology_one_level_a_turn() -> None:
    """R-TE-RES: whatever the fund holds; level 4 is the last; knowledge and money of bases do not pay."""

    class Greedy(Nothing):
        def research(table, seat, technology):
            return 1.0

    field = Field(Greedy)
    table = field.table
    table.fund = 99
    research(field.game, field.decide)
    assert table.sought.sum() == 1
    table.sought[:] = 0
    table.level[:] = 4
    assert open_technologies(table) == 0
    table.level[:] = 1
    table.fund, table.credits[:] = 4, 50
    assert open_technologies(table) == 0


def test_scarce_knowledge_is_not_halved() -> None:
    """R-TE-RES-2: knowledge for both: both rise, and it is all spent."""

    class Picky(Nothing):
        def scarce(table, seat, technology):
            raise AssertionError("nothing is scarce")

    field = Field(Picky)
    table = field.table
    laboratories(field, 6)
    table.level[FIGHTERS], table.knowledge = 2, 2
    table.sought[FIGHTERS] = table.sought[SCIENCE] = 1
    resolve_research(field.game, field.decide)
    assert table.level.tolist() == [3, 1, 1, 2] and table.knowledge == 0


# --- production ------------------------------------------------------------------------------------------
def test_prices() -> None:
    """R-TE-PRD: a module 2; fighter 2, carrier 3, infantry 1, tank 2."""
    table = Field().table
    assert [price_of(table, thing) for thing in range(10)] == [2] * 6 + [2, 3, 1, 2]


@pytest.mark.parametrize(
    ("unit", "module", "most"),
    [(FIGHTER, HANGAR, 6), (CARRIER, HANGAR, 3), (INFANTRY, BARRACKS, 6), (TANK, GARAGE, 3)],
)
def test_units_need_modules_and_pieces(unit: int, module: int, most: int) -> None:
    """R-TE-PRD: each unit on a free module of its own kind; the pieces of a colour are the limit."""
    field = Field()
    table = field.table
    table.credits[0] = 99
    bit = 1 << (FIRST_UNIT + unit)
    for other in range(6):
        if other != module:
            field.module(0, other)
    assert not things_to_buy(table, 0) & bit
    field.module(0, module, unit)
    assert not things_to_buy(table, 0) & bit
    field.module(0, module)
    assert things_to_buy(table, 0) & bit
    for _ in range(most - 1):
        field.module(0, module, unit)
    assert table.units[0][unit] == most
    assert not things_to_buy(table, 0) & bit


def test_pieces_of_the_box() -> None:
    """R-TE-PRD: 16 hangars, 20 warehouses, 16 barracks, 12 garages, 12 laboratories, 12 radars, for all bases."""
    field = Field()
    table = field.table
    assert table.supply.tolist() == [16, 20, 16, 12, 12, 12]
    table.credits[0] = 99
    for _ in range(5):
        field.module(0, WAREHOUSE)
    for _ in range(12):
        field.module(1, RADAR)
    assert things_to_buy(table, 0) == 0b111111 & ~(1 << RADAR)


def test_warehouses_limit_each_kind() -> None:
    """R-TE-PRD, R-TE-PRD-2: as many of a kind as warehouses, none of another base's; what is there stays."""
    field = Field()
    table = field.table
    table.credits[0] = 99
    for _ in range(3):
        field.module(1, WAREHOUSE)
    assert things_to_buy(table, 0) == 1 << WAREHOUSE
    cells = [field.module(0, WAREHOUSE), field.module(0, WAREHOUSE)]
    field.module(0, RADAR)
    field.module(0, RADAR)
    assert not things_to_buy(table, 0) >> RADAR & 1
    assert things_to_buy(table, 0) >> LABORATORY & 1
    remove_module(field.game, 0, cells[0])
    assert table.modules[0].tolist() == [0, 1, 0, 0, 0, 2]
    assert not things_to_buy(table, 0) >> RADAR & 1


def test_modules_stand_side_by_side() -> None:
    """R-TE-PRD: next to another by an edge, on six by six; A-TE-18: anywhere if there is none."""
    field = Field()
    table = field.table
    assert building_ground(table, 0) == (1 << 36) - 1
    table.module[0][7], table.built[0] = WAREHOUSE, 1 << 7
    assert building_ground(table, 0) == 1 << 1 | 1 << 6 | 1 << 8 | 1 << 13
    table.built[0] = 1 << 5  # the upper right corner: nothing beyond the edge
    assert building_ground(table, 0) == 1 << 4 | 1 << 11
    table.built[0] = 1 << 30
    assert building_ground(table, 0) == 1 << 24 | 1 << 31
    table.built[0] = 1 << 0 | 1 << 35  # two parts: both go on
    assert building_ground(table, 0) == 1 << 1 | 1 << 6 | 1 << 29 | 1 << 34
    table.built[0] = (1 << 36) - 1
    assert building_ground(table, 0) == 0


def test_credits_stay_with_their_base() -> None:
    """R-TE-PRD: what a base does not spend it keeps; the fund keeps what does not divide."""
    field = Field(Nothing, players=3)
    table = field.table
    table.fund, table.credits[:3] = 8, [4, 0, 1]
    production(field.game, field.decide)
    assert table.credits.tolist() == [6, 2, 3, 0] and table.fund == 2


# --- diplomacy -------------------------------------------------------------------------------------------
class Courts(Still):
    """Courts any country, and every alien one rebels."""

    def court(table, seat, country):
        return 1.0

    def rebellion(table, seat, country):
        return 1.0


@pytest.mark.parametrize("more", [0, -1])
@pytest.mark.parametrize("allied_n", [8, 10, 15, 20])
def test_an_attempt(monkeypatch: pytest.MonkeyPatch, allied_n: int, more: int) -> None:
    """R-TE-DIP: two dice and the bonus: D is enough, one less is not; points, income and bag change at once."""
    field = Field(Courts)
    table = field.table
    country = field.country(NEUTRAL)
    table.allied_n = allied_n
    bonus = {8: 0, 10: 1, 15: 2, 20: 3}[allied_n]
    points, earned = int(table.points[ALLIANCE]), int(table.income)
    rig(monkeypatch, two_dice_for(int(table.cards.diplomacy[country]) - bonus + more))
    court(field.game, field.decide)
    won = more == 0
    assert table.status[country] == (ALLIED if won else NEUTRAL)
    assert table.points[ALLIANCE] == points + won * table.cards.points[country]
    assert table.income == earned + won * table.cards.credits[country]
    assert (table.neutral >> country & 1, table.allied >> country & 1) == (not won, won)


def test_one_attempt_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-DIP, R-TE-DIP-2: the Alliance courts one neutral country; without a card no alien one."""
    field = Field(Courts)
    left = rig(monkeypatch, [1, 1, 6, 6])
    diplomacy_step(field.game, field.decide)
    assert left == [6, 6]
    field.table.neutral = 0
    diplomacy_step(field.game, field.decide)
    assert left == [6, 6]


def test_a_rebellion_frees(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-CARD-2, R-TE-DIP-2: alien turns neutral, the tile goes into the bag, the aliens lose the points."""
    field = Field(Courts)
    table = field.table
    field.give(0, REBELLION)
    country, before = field.country(ALIEN), table.points.tolist()
    needed = int(table.cards.diplomacy[country])
    rig(monkeypatch, [1, 1, *two_dice_for(needed)])
    diplomacy_step(field.game, field.decide)
    assert table.status[country] == NEUTRAL and table.neutral >> country & 1
    assert table.points.tolist() == [before[0], before[1] - table.cards.points[country]]
    assert table.discards[REBELLION] == 1


def test_a_rebellion_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-CARD-2: the card is gone in any case."""
    field = Field(Courts)
    field.give(0, REBELLION)
    country = field.country(ALIEN)
    rig(monkeypatch, [1, 1, *two_dice_for(int(field.table.cards.diplomacy[country]) - 1)])
    diplomacy_step(field.game, field.decide)
    assert field.table.status[country] == ALIEN and field.table.hand_n[0] == 0


@pytest.mark.parametrize(("variant", "voters"), [("advanced", 1), ("base", 4)])
def test_the_first_player_courts_alone(variant: str, voters: int) -> None:
    """R-TE-ADV-1: in the advanced game; A-TE-19: in the base game all are asked, the first player first."""
    asked: list[int] = []

    class Asked(Courts):
        def court(table, seat, country):
            if int(seat.me) not in asked:
                asked.append(int(seat.me))
            return -1.0

    field = Field(Asked, variant=variant)
    field.table.first = 2
    court(field.game, field.decide)
    assert len(asked) == voters and asked[0] == 2


@pytest.mark.parametrize(
    ("votes", "first", "chosen"),
    [((0, 1, 1, 2), 0, 1), ((0, 1, 2, 2), 3, 2), ((0, 0, 1, 1), 2, 1), ((0, 0, 1, 1), 1, 0), ((0, 1, 2, 3), 3, 3),
     ((NONE, NONE, NONE, 2), 3, NONE), ((NONE, 2, NONE, 2), 1, 2)],
)  # fmt: skip
def test_the_vote(votes: tuple[int, ...], first: int, chosen: int) -> None:
    """A-TE-19: most votes win; the first player's choice breaks ties; no choice is a choice."""

    class Votes(Still):
        def research(table, seat, technology):
            mine = votes[int(seat.me)]
            return 1.0 if mine == technology else -1.0

    field = Field(Votes)
    field.table.first, field.table.fund = first, 5
    research(field.game, field.decide)
    sought = [t for t in range(4) if field.table.sought[t]]
    assert sought == ([] if chosen == NONE else [chosen])


def test_the_first_player_decides_alone() -> None:
    """A-TE-19: option alliance_votes 0."""

    class Votes(Still):
        def research(table, seat, technology):
            return 1.0 if (technology == TANKS) == (seat.me == 1) else -1.0

    field = Field(Votes, rules={"alliance_votes": 0})
    field.table.first, field.table.fund = 1, 5
    research(field.game, field.decide)
    assert field.table.sought.tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("word", "succeeds", "points"), [(1, True, 1), (1, False, 0), (-1, True, 0), (-1, False, 1)]
)
def test_agents(monkeypatch: pytest.MonkeyPatch, word: int, succeeds: bool, points: int) -> None:
    """R-TE-ADV-2: +1 or -1 on any attempt; a point if it ends as wished; once a turn."""

    class Agent(Still):
        def agent(table, seat, country):
            return word

    field = Field(Agent, variant="advanced")
    table = field.table
    officer, country = seat_of(field, 0), field.country(NEUTRAL)
    needed = int(table.cards.diplomacy[country]) - word - (0 if succeeds else 1)
    rig(monkeypatch, [*two_dice_for(needed), 1, 1])
    attempt(field.game, field.decide, country, BY_COURT, NONE, 0, ALLIANCE, ALLIED)
    assert (table.status[country] == ALLIED) == succeeds
    assert field.game.seats[officer].points == points
    assert table.tokens[officer] == 2
    attempt(field.game, field.decide, field.country(ALIEN), BY_COURT, NONE, 0, ALLIANCE, NEUTRAL)
    assert table.tokens[officer] == 2


@pytest.mark.parametrize(("variant", "points"), [("advanced", 2), ("base", 0)])
def test_the_diplomat_frees(monkeypatch: pytest.MonkeyPatch, variant: str, points: int) -> None:
    """R-TE-ADV-2, R-TE-OPT-3: a token for a rebellion; two points, none in the base game."""

    class Frees(Nothing):
        def diplomat(table, seat, country):
            return 1.0 if table.status[country] == ALIEN else -1.0

        def agent(table, seat, country):
            return 0

    field = Field(Frees, variant=variant, rules={"factions": 1})
    diplomat, country = seat_of(field, 3), field.country(ALIEN)
    left = rig(monkeypatch, [6, 6])
    diplomacy_step(field.game, field.decide)
    assert left == [] and field.table.status[country] == NEUTRAL
    assert field.game.seats[diplomat].points == points
    assert field.table.tokens[diplomat] == 2


def test_alien_diplomacy_costs_the_alliance_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-OPT-2: off by default; the bonus counts alien countries, not allied ones."""
    field = Field(Nothing)
    monkeypatch.setattr(diplomacy, "draw_objective", lambda game, bag: field.country(NEUTRAL))
    left = rig(monkeypatch, [6, 6])
    diplomacy_step(field.game, field.decide)
    assert left == [6, 6]
    field = Field(Nothing, rules={"alien_diplomacy": 1})
    country = field.country(NEUTRAL)
    field.table.allied_n, field.table.aliens_n = 20, 10
    left = rig(monkeypatch, two_dice_for(int(field.table.cards.diplomacy[country]) - 2))
    diplomacy_step(field.game, field.decide)
    assert left == [] and field.table.status[country] == NEUTRAL
    before = int(field.table.points[ALIENS])
    rig(monkeypatch, two_dice_for(int(field.table.cards.diplomacy[country]) - 1))
    diplomacy_step(field.game, field.decide)
    assert field.table.status[country] == ALIEN
    assert field.table.points[ALIENS] == before + field.table.cards.points[country]


# --- return ----------------------------------------------------------------------------------------------
def test_units_come_home_to_their_own_kind() -> None:
    """R-TE-RET: onto free modules of their own base and kind."""
    field = Field()
    table = field.table
    field.module(0, BARRACKS)
    field.module(1, HANGAR)
    for unit in (INFANTRY, TANK, FIGHTER):
        table.units[0][unit] = 1
        send_away(field.game, 0, unit, 0)
    come_home(field.game)
    assert table.units[0].tolist() == [0, 0, 1, 0] == table.home[0].tolist()
    assert table.units[1].sum() == 0 and field.game.away.sum() == 0
