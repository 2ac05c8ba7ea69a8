"""Interceptions, battles and raids, rule by rule; dice are rigged where the outcome matters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.target_earth import countries
from sim.games.target_earth.air import intercept, slots_in_sight
from sim.games.target_earth.bases import come_home, send_away
from sim.games.target_earth.battle import living_aliens
from sim.games.target_earth.groups import contested
from sim.games.target_earth.missions import missions, raid
from sim.games.target_earth.state import (
    ACE,
    AIR_GENERAL,
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    ARMY_GENERAL,
    BARRACKS,
    CARRIER,
    DIPLOMAT,
    FIGHTER,
    FIRST_COUNTRY,
    GARAGE,
    HANGAR,
    INFANTRY,
    KNOWLEDGE,
    LABORATORY,
    LARGE,
    MEDIUM,
    NEUTRAL,
    NONE,
    RADAR,
    SMALL,
    TANK,
    TERROR,
    WAREHOUSE,
)
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


class To(Still):
    """Everything goes to slot 0."""

    def intercept(table, seat, slot):
        return 1.0 if slot == 0 else -1.0

    def mission(table, seat, target):
        return 1.0 if target == 0 else -1.0

    def load(table, seat, target):
        me = seat.me
        return min(2, table.home[me][INFANTRY]) + 3 * min(1, table.home[me][TANK])


class Storm(To):
    """Everything goes to alien countries."""

    def mission(table, seat, target):
        return 1.0 if target >= FIRST_COUNTRY else -1.0


class Eager(To):
    """Plays every card after a victory."""

    def ace(table, seat, slot):
        return 1

    def knowledge_card(table, seat, target):
        return 1

    def free_attempt(table, seat, country):
        return 1


# --- in the air ------------------------------------------------------------------------------------------
def test_radars_limit_the_slots() -> None:
    """R-TE-INT: two radars of all bases reach the first four slots."""
    field = Field()
    for _ in range(6):
        field.ufo(SMALL, 0)
    assert slots_in_sight(field.table) == 0
    field.module(0, RADAR)
    field.module(1, RADAR)
    assert slots_in_sight(field.table) == 0b1111


def test_a_ufo_is_shot_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-INT, R-TE-INT-2, R-TE-CARD-2: more hits destroy it; an ace; no knowledge."""
    field = Field(Eager)
    field.module(0, RADAR)
    field.module(0, HANGAR, FIGHTER)
    field.module(1, HANGAR, FIGHTER)
    field.give(1, ACE)
    field.ufo(MEDIUM, field.country(ALLIED))
    left = rig(monkeypatch, [5, 1, 1, 1, 5, 6, 1, 1])  # 4 dice against 2 + 2
    intercept(field.game, field.decide)
    assert left == []
    assert field.table.ufo[0] == NONE
    assert field.table.elites[1][FIGHTER] == 1
    assert field.table.knowledge == 0
    assert field.game.away[0][FIGHTER] == 1 and field.game.away_elites[1][FIGHTER] == 1
    assert int(field.table.home.sum()) == 0


def test_ties_cost_a_fighter(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-INT: equal hits; the only fighter is lost, the UFO goes on."""
    field = Field(To)
    field.module(0, RADAR)
    field.module(0, HANGAR, FIGHTER)
    field.ufo(MEDIUM, field.country(ALLIED))
    rig(monkeypatch, [5, 1, 1, 1, 6, 1])
    intercept(field.game, field.decide)
    assert field.table.ufo[0] == MEDIUM
    assert field.table.units[0][FIGHTER] == 0


def test_points_of_a_won_interception(monkeypatch: pytest.MonkeyPatch) -> None:
    """W-TE-4, R-TE-ADV-2, R-TE-ADV-3: together 1 and 1 + 1; the faction's only once a turn."""
    field = Field(To, variant="advanced")
    factions = [int(f) for f in field.table.faction]
    pilot, diplomat = factions.index(AIR_GENERAL), factions.index(DIPLOMAT)
    field.module(pilot, RADAR)
    field.module(pilot, HANGAR, FIGHTER)
    field.module(diplomat, HANGAR, FIGHTER)
    field.ufo(MEDIUM, field.country(ALLIED))
    rig(monkeypatch, [1, 1, 1, 1, 5, 1, 1, 1])
    intercept(field.game, field.decide)
    assert (field.game.seats[pilot].points, field.game.seats[diplomat].points) == (2, 1)
    come_home(field.game)
    field.table.ufo[0] = MEDIUM
    rig(monkeypatch, [1, 1, 1, 1, 5, 1, 1, 1])
    intercept(field.game, field.decide)
    assert (field.game.seats[pilot].points, field.game.seats[diplomat].points) == (3, 2)


# --- on the ground ---------------------------------------------------------------------------------------
def army(field: Field, p: int, infantry: int, tanks: int) -> None:
    field.module(p, HANGAR, CARRIER)
    for _ in range(infantry):
        field.module(p, BARRACKS, INFANTRY)
    for _ in range(tanks):
        field.module(p, GARAGE, TANK)


def test_a_mission_won(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-2: the UFO is gone, a knowledge more; R-TE-CARD-2: and one by the card."""
    field = Field(Eager)
    army(field, 0, 1, 1)
    field.give(0, KNOWLEDGE)
    field.ufo(SMALL, field.country(ALLIED))
    rig(monkeypatch, [5, 1, 5, 6, 1])  # 2 dice against 1 + 2
    missions(field.game, field.decide)
    assert field.table.ufo[0] == NONE
    assert field.table.knowledge == 2
    assert field.game.away[0].tolist() == [0, 1, 1, 1]


def test_all_die_and_the_carrier_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-6, R-TE-MIS-3: then the country is rolled for."""
    field = Field(To)
    army(field, 0, 1, 0)
    country = field.country(ALLIED)
    field.ufo(SMALL, country)
    rig(monkeypatch, [1, 1, 1, 6, 6])
    missions(field.game, field.decide)
    assert field.table.units[0].tolist() == [0, 0, 0, 0]
    assert field.table.status[country] == NEUTRAL


def test_a_country_goes_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-3: from neutral to alien, with 3 for a terror UFO; the aliens get its points."""
    field = Field()
    country = field.country(NEUTRAL)
    needed = int(field.table.cards.diplomacy[country])
    assert 5 <= needed <= 15
    field.ufo(TERROR, country)
    low = needed - 3 - 1
    rig(monkeypatch, [max(1, low - 6), min(6, low - 1)])
    missions(field.game, field.decide)
    assert field.table.status[country] == NEUTRAL
    before = int(field.table.points[ALIENS])
    rig(monkeypatch, [6, 6])
    missions(field.game, field.decide)
    assert field.table.status[country] == ALIEN
    assert field.table.points[ALIENS] == before + field.table.cards.points[country]


def test_an_alien_base_is_stormed(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-2, R-TE-MIS-5: units there have a die more; neutral, two points, one knowledge."""
    field = Field(Storm)
    table = field.table
    table.cards.garrison[0][:] = [1, 0]
    army(field, 0, 2, 1)
    before = table.points.tolist()
    left = rig(monkeypatch, [5, 5, 5, 5, 5, 5, 5])  # 2 + 1 dice against 1 + 1 + 2: three hits, and four
    missions(field.game, field.decide)
    assert left == []
    assert table.knowledge == 1
    assert table.points[ALLIANCE] == before[0] + 2
    assert table.aliens_n == 7 and table.points[ALIENS] < before[1]


def test_own_units_do_not_retreat() -> None:
    """R-TE-MIS-5: the attacked base's own units are not even asked; all others may leave."""
    asked = []

    class Flee(To):
        def retreat(table, seat, group):
            asked.append(int(seat.me))
            return 1

    for index in range(6):
        field = Field(Flee)
        field.game.secret.key[:] += np.uint64(index)
        army(field, 0, 2, 1)
        for _ in range(3):
            field.module(1, BARRACKS, INFANTRY)
        field.ufo(LARGE, field.base_tile(1))
        missions(field.game, field.decide)
    assert asked and set(asked) == {0}


def test_a_fortified_base_and_an_elite(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-5, R-TE-CARD-2: a die more each; W-TE-5: the army general alone at his base gets 2 + 1."""
    field = Field(variant="advanced")
    p = [int(f) for f in field.table.faction].index(ARMY_GENERAL)
    field.module(p, BARRACKS, INFANTRY, elite=1)
    field.table.fortified[p] = 1
    field.ufo(SMALL, field.base_tile(p))
    left = rig(monkeypatch, [1, 1, 1, 1, 5])  # 2 dice against 1 + 1 + 1
    missions(field.game, field.decide)
    assert left == []
    assert field.game.seats[p].points == 3
    assert field.table.modules_lost == 0


def test_raids(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-3: units left and one more if undefended; column and row until they hit; units on them are lost."""
    field = Field()
    field.module(2, HANGAR, FIGHTER)
    field.module(2, WAREHOUSE)
    field.module(2, LABORATORY)
    field.ufo(SMALL, field.base_tile(2))  # one unit, undefended: two modules
    left = rig(monkeypatch, [4, 1, 1, 1, 3, 1])  # a miss, the hangar, the laboratory
    before = int(field.table.points[ALIENS])
    missions(field.game, field.decide)
    assert left == []
    assert field.table.modules[2].tolist() == [0, 1, 0, 0, 0, 0]
    assert field.table.units[2][FIGHTER] == 0
    assert field.table.points[ALIENS] == before + 2
    assert field.table.labs == 0


def test_a_die_picks_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-OPT-1: 6 is a laboratory, 4 a garage: there is none, so the die is rolled again."""
    field = Field(rules={"die_picks_module": 1})
    field.module(0, HANGAR)
    field.module(0, LABORATORY)
    left = rig(monkeypatch, [4, 6])
    raid(field.game, 0, 0, 1)
    assert left == [] and field.table.modules[0].tolist() == [1, 0, 0, 0, 0, 0]


def test_two_ufos_on_a_base_fight_as_one() -> None:
    """R-TE-MIS-7: at the first slot; unopposed, all units and one more."""
    field = Field(players=2)
    for _ in range(12):
        field.module(1, WAREHOUSE)
    field.ufo(SMALL, field.base_tile(1))
    field.ufo(SMALL, field.country(NEUTRAL))
    field.ufo(SMALL, field.base_tile(1))
    missions(field.game, field.decide)
    assert field.table.modules_lost == 1 + 1 + 1
    assert field.table.joined[2] == 0


def test_groups_spread_as_widely_as_possible() -> None:
    """R-TE-MIS-5: six aliens in four groups; five allies: one against each, the rest anywhere."""
    seen = []

    class Watch(Still):
        def retreat(table, seat, group):
            return 0

        def bonus(table, seat, group):
            battle = table.battle
            if battle.round_no == 1 and battle.group == 0:
                seen.append((battle.aliens_in.tolist(), battle.allies_in.tolist(), contested(battle)))
            return 0

    field = Field(Watch)
    field.table.cards.load[0][LARGE][:] = [6, 0]
    for _ in range(5):
        field.module(0, BARRACKS, INFANTRY)
    field.give(0, 4)  # a bonus card, so that somebody is asked
    field.ufo(LARGE, field.base_tile(0))
    missions(field.game, field.decide)
    aliens, allies, both = seen[0]
    assert aliens == [2, 2, 1, 1] and sum(allies) == 5 and min(allies) == 1 and both == 0b1111


def test_aliens_without_an_opponent_join_the_others() -> None:
    """R-TE-MIS-5: two allies against four groups: two groups of two aliens."""
    seen = []

    class Watch(Still):
        def bonus(table, seat, group):
            if table.battle.round_no == 1 and not seen:
                seen.append(
                    (sorted(table.battle.aliens_in.tolist()), sorted(table.battle.allies_in.tolist()))
                )
            return 0

    field = Field(Watch)
    field.table.cards.load[0][LARGE][:] = [4, 0]
    for _ in range(2):
        field.module(0, BARRACKS, INFANTRY)
    field.give(0, 4)
    field.ufo(LARGE, field.base_tile(0))
    missions(field.game, field.decide)
    assert seen == [([0, 0, 2, 2], [0, 0, 1, 1])]
    assert living_aliens(field.table.battle) >= 0


def test_no_module_no_unit() -> None:
    """R-TE-RET: who finds no free module is lost; an elite goes first."""
    field = Field()
    field.module(0, HANGAR)
    field.table.units[0][FIGHTER] = 2
    field.table.elites[0][FIGHTER] = 1
    send_away(field.game, 0, FIGHTER, 0)
    send_away(field.game, 0, FIGHTER, 1)
    come_home(field.game)
    assert field.table.units[0][FIGHTER] == 1 == field.table.home_elites[0][FIGHTER]
