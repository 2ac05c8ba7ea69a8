"""Chapters 5 and 6 of the rules page and the advanced game's fights: R-TE- and W-TE- ids, one rule at a time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim.games.target_earth.air import intercept
from sim.games.target_earth.missions import missions
from sim.games.target_earth.points import count_personal, objective_points, unused_points
from sim.games.target_earth.production import things_to_buy
from sim.games.target_earth.state import (
    ACE,
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    BONUS,
    CARD_KINDS,
    CARRIER,
    DIPLOMACY,
    FIGHTER,
    FIGHTERS,
    FIRST_COUNTRY,
    GARAGE,
    HANGAR,
    INFANTRY,
    KNOWLEDGE,
    LARGE,
    MEDIUM,
    NEUTRAL,
    NONE,
    RADAR,
    SMALL,
    SQUAD,
    TANK,
    TERROR,
    WAREHOUSE,
)
from sim.games.target_earth.ufos import draw_ufos
from tests.target_earth.field import Field, Still
from tests.target_earth.rigged import army, rig, seat_of, two_dice_for
from tests.target_earth.test_example_turn import number


@pytest.fixture(autouse=True)
def wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


@pytest.fixture(autouse=True)
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that the card set only assumes, and that may change: these tests count dice."""
    usual = Field.__init__

    def laid(self: Field, *args: Any, **words: Any) -> None:
        usual(self, *args, **words)
        cards = self.table.cards
        cards.ufo_attack[:] = [3, 4, 5, 6]
        cards.factor_alien[0][:] = [2, 3]
        cards.radars[:2] = 1

    monkeypatch.setattr(Field, "__init__", laid)


class Goes(Still):
    """Every fighter and army to slot 0, all aboard; no card."""

    def intercept(table, seat, slot):
        return 1.0 if slot == 0 else -1.0

    def mission(table, seat, target):
        return 1.0 if target == 0 else -1.0

    def load(table, seat, target):
        me = seat.me
        return min(2, table.home[me][INFANTRY] + table.home_elites[me][INFANTRY]) + 3 * min(
            1, table.home[me][TANK]
        )


class Cards(Goes):
    """Every card and every attempt."""

    def ace(table, seat, slot):
        return 1

    def squad(table, seat, target):
        return 1

    def crew(table, seat, target):
        return 1

    def knowledge_card(table, seat, target):
        return 1

    def diplomacy_card(table, seat, country):
        return 1

    def free_attempt(table, seat, country):
        return 1


def sky(who: Any, size: int, status: int = ALLIED, fighters: tuple[int, ...] = (1,), **words: Any) -> Field:
    """One UFO, seen by radar, and fighters at each base."""
    field = Field(who, **words)
    field.module(0, RADAR)
    for p, n in enumerate(fighters):
        for _ in range(n):
            field.module(p, HANGAR, FIGHTER)
    field.ufo(size, field.country(status))
    return field


# --- UFOs ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("era", "n"), [(0, 4), (1, 6), (2, 8)])
def test_slots(era: int, n: int) -> None:
    """R-TE-UFO, R-TE-UFO-2: 4, 6, 8 tiles leave the bag; a different objective for each, none an alien country."""
    field = Field()
    table = field.table
    table.era, table.bag[:] = era, [5, 5, 5, 5]
    draw_ufos(field.game)
    assert table.ufo_n == n and table.bag.sum() == 20 - n
    sizes = Counter(int(size) for size in table.ufo[:n])
    assert table.bag.tolist() == [5 - sizes[size] for size in range(4)]
    tiles = [int(tile) for tile in table.objective[:n]]
    assert len(set(tiles)) == n
    assert all(tile >= 40 or table.status[tile] != ALIEN for tile in tiles)


# --- in the air ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("size", "dice"), [(SMALL, 3), (MEDIUM, 4), (LARGE, 5), (TERROR, 6)])
def test_ufos_roll_their_factor(monkeypatch: pytest.MonkeyPatch, size: int, dice: int) -> None:
    """R-TE-INT: the UFO's dice, then the fighter's; a 4 is no hit; 5 and 6 are; more hits win."""
    field = sky(Goes, size)
    left = rig(monkeypatch, [4] * (dice - 1) + [5] + [5, 6])
    intercept(field.game, field.decide)
    assert left == [] and field.table.ufo[0] == NONE
    assert field.game.away[0][FIGHTER] == 1  # beside its base, not on its module


def test_factor_four(monkeypatch: pytest.MonkeyPatch) -> None:
    """W-TE-3, R-TE-INT: two fighters of factor 4 roll 8 dice."""
    field = sky(Goes, SMALL, fighters=(2,))
    field.table.level[FIGHTERS] = 3
    field.table.cards.factor[FIGHTERS][3] = 4
    left = rig(monkeypatch, [1] * 3 + [1] * 7 + [5])
    intercept(field.game, field.decide)
    assert left == [] and field.table.ufo[0] == NONE


def test_no_radar_no_interception(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-INT: what the radars do not reach cannot be intercepted."""
    field = Field(Goes)
    field.module(0, HANGAR, FIGHTER)
    field.ufo(SMALL, field.country(ALLIED))
    intercept(field.game, field.decide)
    assert field.table.home[0][FIGHTER] == 1 and field.table.ufo[0] == SMALL


def test_rounds_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-INT: a round lost costs one fighter; the others fight the next; all gone, the UFO goes on."""
    field = sky(Goes, SMALL, fighters=(1, 1))
    left = rig(monkeypatch, [5, 1, 1] + [1] * 4 + [5, 1, 1] + [6, 1])
    intercept(field.game, field.decide)
    assert left == [] and field.table.ufo[0] == SMALL
    assert field.table.units[:, FIGHTER].sum() == 0


def test_the_lost_fighter_is_any() -> None:
    """R-TE-INT: drawn among all that fight."""
    lost = Counter()
    for index in range(60):

        class Leaves(Goes):
            def withdraw(table, seat, slot):
                return 1

        field = sky(Leaves, TERROR, fighters=(1, 2))
        field.game.secret.key[:] += np.uint64(7919 * index)
        field.table.cards.factor[FIGHTERS][1] = 0  # they never hit
        intercept(field.game, field.decide)
        lost.update(p for p in range(2) if field.table.units[p][FIGHTER] < (1, 2)[p])
    assert sum(lost.values()) == 60  # the first round is compulsory, and one fighter is lost in it
    assert 8 <= lost[0] <= 32


def test_fights_from_left_to_right() -> None:
    """R-TE-INT: all are placed in player order before the first fight; then slot by slot."""
    seen: list[tuple[str, int, int]] = []

    class Both(Goes):
        def intercept(table, seat, slot):
            if not seen or seen[-1] != ("placed", int(seat.me), 0):
                seen.append(("placed", int(seat.me), 0))
            return 1.0 if slot == 1 - int(seat.me) % 2 else -1.0

        def bonus(table, seat, group):
            seen.append(("fight", int(seat.me), int(table.battle.target)))
            return 0

    field = Field(Both)
    for p in (0, 1):
        field.module(p, RADAR)
        field.module(p, HANGAR, FIGHTER)
        field.give(p, BONUS)
        field.ufo(SMALL, field.country(ALLIED))
    field.table.first = 0
    intercept(field.game, field.decide)
    assert seen[:4] == [("placed", 0, 0), ("placed", 1, 0), ("fight", 1, 0), ("fight", 0, 1)]


@pytest.mark.parametrize(("cards", "dice"), [(0, 4), (1, 6), (2, 8)])
def test_bonus_cards_in_the_air(monkeypatch: pytest.MonkeyPatch, cards: int, dice: int) -> None:
    """R-TE-CARD-2: +1 on the factor of every fighter for one roll, after the aliens' roll; several add up."""

    class Plays(Goes):
        def bonus(table, seat, group):
            assert table.battle.hits_aliens == 2
            return cards if table.battle.round_no == 1 else 0

    field = sky(Plays, SMALL, fighters=(1, 1))
    for _ in range(2):
        field.give(0, BONUS)
    left = rig(monkeypatch, [5, 5, 1] + [5, 5, 5] + [1] * (dice - 3))
    intercept(field.game, field.decide)
    assert left == []
    assert field.table.hand_n[0] == 2 - cards and field.table.discards[BONUS] == cards


def test_an_elite_fighter(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-CARD-2: one die more for good; an ace takes a fighter that took part and lives."""
    field = sky(Cards, SMALL)
    field.give(0, ACE)
    rig(monkeypatch, [1, 1, 1, 5, 1])
    intercept(field.game, field.decide)
    assert field.game.away_elites[0][FIGHTER] == 1 == field.table.elites[0][FIGHTER]
    field = sky(Cards, SMALL, fighters=())
    field.module(0, HANGAR, FIGHTER, elite=1)
    left = rig(monkeypatch, [1, 1, 1, 1, 1, 5])
    intercept(field.game, field.decide)
    assert left == [] and field.table.ufo[0] == NONE


def test_after_a_victory_in_the_air(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-INT-2: a diplomacy card at a neutral country, once; no knowledge, no knowledge card, no free attempt."""
    field = sky(Cards, TERROR, NEUTRAL)
    table = field.table
    country = int(table.objective[0])
    for p in (1, 2):
        field.give(p, DIPLOMACY)
        field.give(p, KNOWLEDGE)
    left = rig(monkeypatch, [1] * 6 + [5, 1] + [1, 1, 6, 6])
    intercept(field.game, field.decide)
    assert left == [6, 6]  # one attempt only, without a terror UFO's +1
    assert table.hand_n.sum() == 3 and table.discards[DIPLOMACY] == 1
    assert table.knowledge == 0 and table.status[country] == NEUTRAL


# --- on the ground ---------------------------------------------------------------------------------------
def ground(
    who: Any, size: int, status: int = ALLIED, infantry: int = 1, tanks: int = 1, **words: Any
) -> Field:
    """A UFO that landed, and an army of base 0."""
    field = Field(who, **words)
    army(field, 0, infantry, tanks)
    field.ufo(size, field.country(status))
    field.table.cards.load[0][size][:] = [1, 0]  # one soldier: two dice
    return field


WON = [1, 1, 5, 1, 1]  # no hit of a soldier's two dice, one of infantry and tank


@pytest.mark.parametrize(
    ("infantry", "tanks", "left_home"),
    [(2, 1, (0, 0)), (3, 1, (1, 0)), (2, 2, (0, 1)), (0, 1, (0, 0)), (1, 0, (0, 0))],
)
def test_what_a_carrier_takes(infantry: int, tanks: int, left_home: tuple[int, int]) -> None:
    """R-TE-MIS: one or two infantry, a tank, or both; the rest stays at home."""
    field = Field(Goes)
    army(field, 0, infantry, tanks)
    field.ufo(SMALL, field.country(ALLIED))
    missions(field.game, field.decide)
    assert tuple(field.table.home[0][INFANTRY:].tolist()) == left_home
    assert field.table.home[0][CARRIER] == 0


def test_no_carrier_no_army(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS, R-TE-MIS-3: units without a carrier stay, nor do empty carriers go; the UFO has its way."""
    field = Field(Goes)
    field.module(0, BARRACKS, INFANTRY)
    field.module(1, HANGAR, CARRIER)
    country = field.country(ALLIED)
    field.ufo(SMALL, country)
    left = rig(monkeypatch, [6, 6])
    missions(field.game, field.decide)
    assert left == [] and field.table.status[country] == NEUTRAL
    assert field.table.home[0][INFANTRY] == 1 and field.table.home[1][CARRIER] == 1


@pytest.mark.parametrize(
    ("size", "status", "extra"),
    [(SMALL, NEUTRAL, None), (MEDIUM, NEUTRAL, None), (LARGE, NEUTRAL, 0), (TERROR, NEUTRAL, 1),
     (LARGE, ALLIED, None), (TERROR, ALLIED, None)],
)  # fmt: skip
def test_the_free_attempt(monkeypatch: pytest.MonkeyPatch, size: int, status: int, extra: int | None) -> None:
    """R-TE-MIS-2: after a large or terror UFO at a neutral country, then with +1; a knowledge in any case."""
    for more in (0, -1):
        field = ground(Cards, size, status)
        table = field.table
        country = int(table.objective[0])
        talk = two_dice_for(int(table.cards.diplomacy[country]) - (extra or 0) + more)
        left = rig(monkeypatch, WON + talk)
        missions(field.game, field.decide)
        assert table.ufo[0] == NONE and table.knowledge == 1
        if extra is None:
            assert left == talk and table.status[country] == status
        else:
            assert left == [] and table.status[country] == (ALLIED if more == 0 else NEUTRAL)


def test_no_free_attempt_unless_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-2: the Alliance may, and need not."""
    field = ground(Goes, TERROR, NEUTRAL)
    left = rig(monkeypatch, [*WON, 6, 6])
    missions(field.game, field.decide)
    assert left == [6, 6]


@pytest.mark.parametrize(("size", "bonus"), [(SMALL, 0), (MEDIUM, 1), (LARGE, 2), (TERROR, 3)])
@pytest.mark.parametrize("status", [ALLIED, NEUTRAL])
def test_unopposed(monkeypatch: pytest.MonkeyPatch, size: int, bonus: int, status: int) -> None:
    """R-TE-MIS-3: two dice and the size's bonus: at D one step over, below not; points and income follow."""
    for more in (0, -1):
        field = Field()
        table = field.table
        country = field.country(status)
        field.ufo(size, country)
        before, income = table.points.tolist(), int(table.income)
        rig(monkeypatch, two_dice_for(int(table.cards.diplomacy[country]) - bonus + more))
        missions(field.game, field.decide)
        fell = more == 0
        worth = int(table.cards.points[country])
        assert table.status[country] == (status if not fell else NEUTRAL if status == ALLIED else ALIEN)
        assert table.points[ALLIANCE] == before[0] - worth * (fell and status == ALLIED)
        assert table.points[ALIENS] == before[1] + worth * (fell and status == NEUTRAL)
        assert table.income == income - int(table.cards.credits[country]) * (fell and status == ALLIED)


def test_a_defended_base_loses_as_many_modules_as_aliens_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-3, R-TE-MIS-5: equal hits cost an allied unit; one alien left: one module, a point for the aliens."""
    field = Field()
    table = field.table
    field.module(2, BARRACKS, INFANTRY)
    field.module(2, WAREHOUSE)
    table.cards.load[0][SMALL][:] = [1, 0]
    field.ufo(SMALL, field.base_tile(2))
    points = int(table.points[ALIENS])
    left = rig(monkeypatch, [5, 1, 5, 2, 1])
    missions(field.game, field.decide)
    assert left == []
    assert table.modules[2].tolist() == [0, 0, 1, 0, 0, 0]
    assert table.units[2].sum() == 0 and table.points[ALIENS] == points + 1


def test_fighters_do_not_defend(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-6: nor carriers: the base counts as undefended, and units go with their modules."""
    field = Field()
    table = field.table
    table.cards.load[0][SMALL][:] = [1, 0]
    field.module(0, HANGAR, FIGHTER)
    field.module(0, HANGAR, CARRIER)
    field.ufo(SMALL, field.base_tile(0))
    left = rig(monkeypatch, [1, 1, 2, 1])
    missions(field.game, field.decide)
    assert left == [] and table.modules_n[0] == 0 and table.units[0].sum() == 0


def test_carriers_live_with_their_army(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-6: one survivor is enough; R-TE-MIS-5: the loss is drawn within the group."""
    field = ground(Goes, SMALL, infantry=2, tanks=0, rules={"groups": 1})
    left = rig(monkeypatch, [5, 1, 1, 1, 1, 1, 5])
    missions(field.game, field.decide)
    assert left == []
    assert field.table.units[0].tolist() == [0, 1, 1, 0]
    assert field.game.away[0].tolist() == [0, 1, 1, 0]


def test_groups_fight_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-5: two soldiers in two groups; only the units of a group roll; each group loses one unit a round."""
    field = ground(Goes, MEDIUM, infantry=1, tanks=1)
    field.table.cards.load[0][MEDIUM][:] = [2, 0]
    left = rig(monkeypatch, [1, 1, 5, 1, 1, 1, 6])
    missions(field.game, field.decide)
    assert left == []
    assert field.table.ufo[0] == NONE and field.table.units[0].tolist() == [0, 1, 1, 1]


def test_retreat(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-5: not before the first round; then all leave, and the UFO has its way, one unit left."""

    class Flees(Goes):
        def retreat(table, seat, group):
            assert table.battle.round_no == 2
            return 1

    field = ground(Flees, SMALL, rules={"groups": 1})
    country = int(field.table.objective[0])
    left = rig(monkeypatch, [5, 1, 1, 1, 1, 6, 6])
    missions(field.game, field.decide)
    assert left == [] and field.table.status[country] == NEUTRAL
    assert field.game.away[0][CARRIER] == 1 and field.table.units[0][INFANTRY:].sum() == 1


def test_an_alien_base_beaten(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-MIS-2: country neutral, its tile in the bag, two points and a knowledge, no free attempt or card there."""

    class Storms(Cards):
        def mission(table, seat, target):
            return 1.0 if target >= FIRST_COUNTRY else -1.0

    field = Field(Storms)
    table = field.table
    table.cards.garrison[0][:] = [1, 0]
    army(field, 0, 2, 1)
    field.give(0, DIPLOMACY)
    before, aliens = table.points.tolist(), int(table.aliens)
    left = rig(monkeypatch, [1] * 3 + [5, 1, 1, 1] + [6, 6])
    missions(field.game, field.decide)
    country = (aliens & ~int(table.aliens)).bit_length() - 1
    assert left == [6, 6] and table.status[country] == NEUTRAL and table.neutral >> country & 1
    assert table.points.tolist() == [before[0] + 2, before[1] - table.cards.points[country]]
    assert (table.knowledge, table.hand_n[0]) == (1, 1)


def test_elites_on_the_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-CARD-2: an elite squad makes one infantry that took part elite: a die more in the next fight."""
    field = ground(Cards, SMALL, infantry=1, tanks=0)
    field.give(0, SQUAD)
    rig(monkeypatch, [1, 1, 5])
    missions(field.game, field.decide)
    assert field.game.away_elites[0].tolist() == [0, 0, 1, 0]
    field = Field(Goes)
    field.table.cards.load[0][SMALL][:] = [1, 0]
    field.module(0, HANGAR, CARRIER)
    field.module(0, BARRACKS, INFANTRY, elite=1)
    field.ufo(SMALL, field.country(ALLIED))
    left = rig(monkeypatch, [1, 1, 1, 5])
    missions(field.game, field.decide)
    assert left == [] and field.table.ufo[0] == NONE


# --- the advanced game -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("together", "points"), [(False, 2), (True, 1)])
def test_points_for_a_fight(monkeypatch: pytest.MonkeyPatch, together: bool, points: int) -> None:
    """R-TE-ADV-3: 2 alone, 1 each together, none in the base game."""
    for variant in ("advanced", "base"):
        field = Field(Goes, variant=variant)
        field.table.cards.load[0][SMALL][:] = [1, 0]
        seats = [seat_of(field, 0), seat_of(field, 3)] if variant == "advanced" else [0, 1]
        seats = seats if together else seats[:1]
        for p in seats:
            army(field, p, 1, 0)
        field.ufo(SMALL, field.country(ALLIED))
        rig(monkeypatch, [1, 1, 5] + [1] * (len(seats) - 1))
        missions(field.game, field.decide)
        given = [int(field.game.seats[p].points) for p in seats]
        assert given == [points if variant == "advanced" else 0] * len(seats)


def test_who_retreats_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-TE-ADV-3, A-TE-11: and the other one did not fight alone."""
    field = Field(Goes, variant="advanced", rules={"groups": 1})
    coward, brave = seat_of(field, 3), seat_of(field, 0)  # the same in every such field

    class Flees(Goes):
        def retreat(table, seat, group):
            return int(seat.me == coward)

    field = Field(Flees, variant="advanced", rules={"groups": 1})
    assert (seat_of(field, 3), seat_of(field, 0)) == (coward, brave)
    field.table.cards.load[0][SMALL][:] = [2, 0]
    army(field, coward, 1, 0)
    army(field, brave, 0, 1)
    field.ufo(SMALL, field.country(ALLIED))
    rig(monkeypatch, [1, 1, 1, 1, 5, 5, 5, 1, 1, 5, 1])
    missions(field.game, field.decide)
    assert field.table.ufo[0] == NONE
    assert [int(field.game.seats[p].points) for p in (coward, brave)] == [0, 1]


@pytest.mark.parametrize("in_the_air", [True, False])
def test_a_generals_reroll(monkeypatch: pytest.MonkeyPatch, in_the_air: bool) -> None:
    """R-TE-ADV-2: own missed dice once more, in the own kind of fight; a token is spent, and no other general's."""

    class Again(Goes):
        def reroll(table, seat, group):
            assert seat.faction == (1 if in_the_air else 2)
            return 1

    field = Field(Again, variant="advanced")
    general, other = seat_of(field, 1 if in_the_air else 2), seat_of(field, 2 if in_the_air else 1)
    field.ufo(SMALL, field.country(ALLIED))
    field.table.cards.load[0][SMALL][:] = [1, 0]
    field.module(0, RADAR)
    for p in (general, other):
        field.module(p, HANGAR, FIGHTER)
    if in_the_air:
        left = rig(monkeypatch, [1, 1, 1] + [1] * 4 + [5])
        intercept(field.game, field.decide)
    else:
        army(field, general, 1, 0)
        left = rig(monkeypatch, [1, 1, 1, 5])
        missions(field.game, field.decide)
    assert left == [] and field.table.ufo[0] == NONE
    assert field.table.tokens[general] == 2 and field.table.tokens[other] == 3


def test_unused_cards() -> None:
    """R-TE-ADV-3, R-TE-ADV-2: a point for each type of starred card, not each card; the officer's count double."""
    field = Field(variant="advanced")
    officer, diplomat = seat_of(field, 0), seat_of(field, 3)
    for p in (officer, diplomat):
        assert unused_points(field.game, p) == 0
        for kind in range(CARD_KINDS):
            field.give(p, kind)
            field.give(p, kind)
    assert (unused_points(field.game, officer), unused_points(field.game, diplomat)) == (10, 5)


OBJECTIVES = {  # leader and its points; then what each rival gives if alien, if neutral
    0: ("USA", 4, {"China": (2, 1), "Japan": (2, 1), "India": (2, 1)}),
    1: ("China", 3, {"USA": (3, 1), "Japan": (2, 1), "India": (2, 1)}),
    2: ("Japan", 3, {"USA": (3, 1), "China": (2, 1), "India": (2, 1)}),
    3: ("India", 2, {"USA": (3, 1), "China": (2, 1), "Japan": (2, 1)}),
}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_rivals(objective: int) -> None:
    """R-TE-ADV-4: A to D, for every status of the four great countries."""
    field = Field(variant="advanced")
    table = field.table
    leader, points, rivals = OBJECTIVES[objective]
    for name in (leader, *rivals):
        table.status[number(name)] = ALLIED
    assert objective_points(table, objective) == points
    for status in (NEUTRAL, ALIEN):
        table.status[number(leader)] = status
        assert objective_points(table, objective) == 0
    for rival, (alien, neutral) in rivals.items():
        table.status[number(rival)] = ALIEN
        assert objective_points(table, objective) == alien
        table.status[number(rival)] = NEUTRAL
        assert objective_points(table, objective) == neutral
        table.status[number(rival)] = ALLIED


def test_objective_f() -> None:
    """R-TE-ADV-4: a point for each of ten countries that is allied."""
    names = [
        "Russia",
        "Spain",
        "Germany",
        "United Kingdom",
        "France",
        "Italy",
        "Brazil",
        "Mexico",
        "Canada",
        "South Korea",
    ]
    field = Field(variant="advanced")
    table = field.table
    table.status[:] = NEUTRAL
    for n, name in enumerate(names):
        assert objective_points(table, 5) == n
        table.status[number(name)] = ALLIED
    table.status[:] = ALLIED
    assert objective_points(table, 5) == 10


def test_the_winner() -> None:
    """R-TE-ADV-5: most points; of equals the higher initiative; if the aliens win, nobody."""
    for winner in (ALLIANCE, ALIENS):
        field = Field(variant="advanced")
        for p in range(4):
            field.game.seats[p].objective = 4  # the same for all
            field.game.seats[p].points = 5
        general = seat_of(field, 1)
        field.game.secret.winner = winner
        assert count_personal(field.game) == (seat_of(field, 3) if winner == ALLIANCE else NONE)
        for p in range(4):
            field.game.seats[p].points = 5 + (p == general)
        assert count_personal(field.game) == (general if winner == ALLIANCE else NONE)


def test_a_garage_is_no_barracks() -> None:
    """R-TE-PRD, R-TE-RET: a tank's module does not serve infantry."""
    field = Field()
    field.table.credits[0] = 9
    field.module(0, GARAGE)
    assert things_to_buy(field.table, 0) == 1 << (6 + TANK) | 1 << WAREHOUSE
