"""The worked examples of the rules page, written down as traces by hand and given to the referee.

It is the referee that is tested here (test_example_turn.py has the engine play W-TE-2): the sound traces must pass,
and the same traces with one figure of the rulebook changed must not.
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from sim.games.target_earth.cards import load_cards
from sim.games.target_earth.options import OPTIONS
from tests.target_earth.referee import judge
from tests.target_earth.referee.air import Ufo, intercept
from tests.target_earth.referee.arithmetic import research_price
from tests.target_earth.referee.bases import buy_all
from tests.target_earth.referee.ending import name_winner, settle_research
from tests.target_earth.referee.missions import resolve_base
from tests.target_earth.referee.reader import Reader
from tests.target_earth.referee.table import Base, Table

Line = dict[str, Any]
CARDS = load_cards().to_dict()
CARDS["technologies"]["fighter"]["factors"] = [2, 3, 4, 5]  # W-TE-3 speaks of factor 4
RULES = {option.name: option.value for option in OPTIONS}
COUNTRIES = {country["name"]: country for country in CARDS["countries"]}
BLUE, RED, WHITE, YELLOW = 1, 2, 3, 4
ALLIES = ["Malaysia", "Belgium", "Poland", "Iran", "Italy", "Mexico", "Germany", "United Kingdom"]
ALIENS = ["South Africa", "Thailand", "Australia", "Netherlands", "Spain", "Canada", "Russia", "Brazil"]
PRICES = {"fighter": 2, "carrier": 3, "infantry": 1, "tank": 2}
HOMES = {"fighter": "hangar", "carrier": "hangar", "infantry": "barracks", "tank": "garage"}


def line(do: str, **facts: Any) -> Line:
    """A line of a trace."""
    return {"do": do, **facts}


def header(variant: str = "base") -> Line:
    """A table of four."""
    words = dict(version=1, game="target-earth", seed=1, index=0, players=4, bases=4, mode="normal")
    return line("game", **words, variant=variant, strategies=["example"] * 4, rules=RULES, cards=CARDS)


def configure(seat: int, things: list[str], credits: int = 12, why: str = "set-up") -> list[Line]:
    """A base that buys these things one after the other, modules side by side from cell 1 on."""
    lines: list[Line] = []
    free: list[tuple[int, str]] = []
    modules = 0
    for thing in things:
        price = PRICES.get(thing, 2)
        credits -= price
        if thing in PRICES:
            cell = next(cell for cell, module in free if module == HOMES[thing])
            free.remove((cell, HOMES[thing]))
            lines.append(line("recruit", seat=seat, unit=thing, cell=cell, price=price, credits=credits))
        else:
            modules += 1
            free.append((modules, thing))
            lines.append(
                line("build", seat=seat, module=thing, cell=modules, price=price, credits=credits, why=why)
            )
    return lines


AIR_BASE = ["warehouse", "warehouse", "hangar", "hangar", "fighter", "fighter"]
MIXED_BASE = ["warehouse", "hangar", "fighter", "laboratory", "radar", "barracks"]
ARMY_BASE = ["warehouse", "hangar", "barracks", "garage", "carrier", "infantry"]


# --- W-TE-1 ----------------------------------------------------------------------------------------------
def buy(things: list[str], credits: int = 12) -> tuple[Reader, Base]:
    """What the referee says of such purchases."""
    table, base = Table(Reader(configure(1, things)), header()), Base(1, credits)
    table.bases = {1: base}
    buy_all(table, base, "set-up")
    return table.reader, base


@pytest.mark.parametrize("things", [AIR_BASE, MIXED_BASE, ARMY_BASE])
def test_bases_for_twelve_credits(things: list[str]) -> None:
    """W-TE-1."""
    reader, base = buy(things)
    assert reader.verdict.ok and reader.at == len(things)
    assert base.credits == 0


def test_bases_that_break_the_rules() -> None:
    """R-TE-PRD: a second hangar needs a second warehouse; two units need two hangars; no debts."""
    assert not buy(["warehouse", "hangar", "hangar"])[0].verdict.ok
    assert not buy([*AIR_BASE, "laboratory"])[0].verdict.ok
    two = configure(1, AIR_BASE)
    two[-1]["cell"] = two[-2]["cell"]
    table = Table(Reader(two), header())
    table.bases = {1: Base(1, 12)}
    buy_all(table, table.bases[1], "set-up")
    assert any("no free hangar" in what for what in table.reader.verdict.violations)


# --- W-TE-2 ----------------------------------------------------------------------------------------------
def set_up_lines() -> list[Line]:
    """The example before turn 1."""
    hands = {
        BLUE: ["bonus", "alien knowledge", "engineer", "rebellion"],
        RED: ["elite squad", "ace", "bonus", "fortified base"],
        WHITE: ["bonus", "bonus", "diplomacy", "elite crew"],
        YELLOW: ["ace", "diplomacy", "scientist", "bonus"],
    }
    bases = {BLUE: AIR_BASE, RED: MIXED_BASE, WHITE: MIXED_BASE, YELLOW: ARMY_BASE}
    return [
        header(),
        line("countries", aliens=ALIENS, allies=ALLIES, points=[24, 24], income=20),
        line("factions", factions={}, objectives={}),
        line("order", seats=[BLUE, RED, WHITE, YELLOW], first=BLUE),
        *(line("hand", seat=seat, cards=cards) for seat, cards in hands.items()),
        *(bought for seat, things in bases.items() for bought in configure(seat, things)),
    ]


def turn_line(turn: int, first: int, fund: int, credits: list[int], income: int, **more: Any) -> Line:
    """What a turn begins with, at 24 : 24 points."""
    seats = {str(seat): c for seat, c in enumerate(credits, 1)}
    facts = dict(turn=turn, era=1, first=first, fund=fund, credits=seats, may_play=dict.fromkeys(seats, 1))
    return line("turn", **facts, points=[24, 24], income=income, **more)


def attempt_line(country: str, dice: list[int], success: bool) -> Line:
    """The Alliance courts a country."""
    facts = dict(why="court", seat=None, country=country, dice=dice, bonus=0, extra=0, agent=0)
    return line("attempt", **facts, needed=COUNTRIES[country]["diplomacy"], success=success)


def status_line(country: str, was: str, now: str, points: list[int], income: int) -> Line:
    """A country goes over."""
    return line("status", country=country, was=was, now=now, points=points, income=income)


def conquest_line(slot: int, size: str, country: str, dice: list[int], bonus: int, success: bool) -> Line:
    """A UFO that nobody stopped."""
    needed = COUNTRIES[country]["diplomacy"]
    facts = dict(slot=slot, size=size, country=country, dice=dice, bonus=bonus, needed=needed)
    return line("conquest", **facts, success=success)


def votes(on: str, choice: str) -> list[Line]:
    """All four of one mind."""
    return [line("vote", seat=seat, on=on, choice=choice) for seat in (BLUE, RED, WHITE, YELLOW)]


def card_line(seat: int, card: str, left: int = 0) -> Line:
    """The first card that this base plays in this turn."""
    return line("card", seat=seat, card=card, left=left, played=1)


def planning_lines() -> list[Line]:
    """Income, research, production, diplomacy."""
    research = dict(level=2, cost=5)
    bought = dict(why="production", price=2)
    return [
        turn_line(1, BLUE, 0, [0, 0, 0, 0], 20, knowledge=0, levels=[1, 1, 1, 1]),
        line("income", amount=20, fund=20),
        *votes("research", "fighters"),
        line("research", technology="fighters", **research, fund=15, by=None),
        card_line(YELLOW, "scientist"),
        line("research", technology="troops", **research, fund=10, by=YELLOW),
        line("share", each=2, fund=2),
        card_line(BLUE, "engineer"),
        line("build", seat=YELLOW, module="warehouse", cell=5, price=0, credits=2, why="engineer"),
        line("build", seat=BLUE, module="warehouse", cell=5, credits=0, **bought),
        line("recruit", seat=RED, unit="infantry", cell=5, price=1, credits=1),
        line("recruit", seat=WHITE, unit="infantry", cell=5, price=1, credits=1),
        line("recruit", seat=YELLOW, unit="tank", cell=4, price=2, credits=0),
        *votes("court", "Argentina"),
        attempt_line("Argentina", [3, 4], True),
        status_line("Argentina", "neutral", "allied", [26, 24], 21),
    ]


def fighting_lines(mexico: int) -> list[Line]:
    """UFOs, the interception over China, the missions; `mexico`: the income that goes with Mexico."""
    targets = ("Mexico", "Belgium", "Saudi Arabia", "China")
    sizes = ("small", "small", "medium", "large")
    sent = ((BLUE, 3), (BLUE, 4), (RED, 2), (WHITE, 2))
    allied_dice = [[BLUE, [5, 5, 6, 1, 1, 2]], [RED, [6, 2, 3]], [WHITE, [3, 4, 4]]]
    army = dict(infantry=1, elite_infantry=0, tanks=1, elite_tanks=0)
    cells = [["carrier", False, 2], ["infantry", False, 3], ["tank", False, 4]]
    allies = [[YELLOW, "infantry", False, 1, False], [YELLOW, "tank", False, 2, False]]
    round_1 = dict(target=2, round=1, group=1)
    return [
        *(
            line("ufo", slot=slot, size=size, objective=name)
            for slot, (size, name) in enumerate(zip(sizes, targets, strict=True), 1)
        ),
        *(line("scramble", seat=seat, slot=4, elite=False, cell=cell) for seat, cell in sent),
        line(
            "interception",
            slot=4,
            size="large",
            attack=5,
            fighters=[[BLUE, 2, 0], [RED, 1, 0], [WHITE, 1, 0]],
        ),
        line(
            "air_round",
            **dict(slot=4, round=1, alien_dice=[5, 6, 1, 2, 3], factor=12, bonus=1),
            allied_dice=allied_dice,
            hits=[2, 4],
        ),
        card_line(WHITE, "bonus", left=1),
        line("bonus", seat=WHITE, group=1, cards=1),
        line("shot_down", slot=4),
        card_line(RED, "ace"),
        line("elite", seat=RED, unit="fighter", at_home=False),
        line("mission", seat=YELLOW, target=2, **army, cells=cells),
        conquest_line(1, "small", "Mexico", [5, 5], 0, True),
        status_line("Mexico", "allied", "neutral", [24, 24], mexico),
        line(
            "battle",
            **dict(target=2, objective="Belgium", alien_bonus=0, allied_bonus=0, aliens=[["soldier", 2]]),
            allies=allies,
        ),
        line("groups", round=1, anew=True, aliens=[1], allies=[1, 1], draws=[]),
        line(
            "ground_round",
            **round_1,
            alien_dice=[1, 4],
            factor=3,
            bonus=0,
            allied_dice=[[YELLOW, [6, 1, 2]]],
            hits=[0, 1],
        ),
        line("loss", seat=None, unit="soldier", index=1, draw=[0, 1]),
        line("battle_over", target=2, winner="alliance", left=0, knowledge=0),
        line("knowledge", knowledge=1),
        conquest_line(3, "medium", "Saudi Arabia", [1, 2], 1, False),
    ]


def ending_lines(mexico: int) -> list[Line]:
    """The return, the end of the turn, and what turn 2 begins with."""
    back = ((BLUE, "fighter", False, 3), (BLUE, "fighter", False, 4), (RED, "fighter", True, 2))
    back += ((WHITE, "fighter", False, 2), (YELLOW, "carrier", False, 2))
    back += ((YELLOW, "infantry", False, 3), (YELLOW, "tank", False, 4))
    done = dict(success=True, level=2, labs_needed=2, labs=2, knowledge=1)
    drawn = ((BLUE, "engineer"), (RED, "bonus"), (WHITE, "scientist"), (YELLOW, "fortified base"))
    return [
        *(line("home", seat=seat, unit=unit, elite=elite, cell=cell) for seat, unit, elite, cell in back),
        line("researched", technology="fighters", **done),
        line("researched", technology="troops", **done),
        *(line("draw", seat=seat, card=card, why="drawn") for seat, card in drawn),
        turn_line(2, RED, 2, [0, 1, 1, 0], mexico, knowledge=1, levels=[2, 2, 1, 1]),
    ]


def example() -> list[Line]:
    """The whole of W-TE-2, and the first line of turn 2."""
    mexico = 21 - COUNTRIES["Mexico"]["credits"]
    return set_up_lines() + planning_lines() + fighting_lines(mexico) + ending_lines(mexico)


def violations(lines: list[Line]) -> list[str]:
    """What is wrong with a trace that breaks off after its last line."""
    found = judge(lines).violations
    assert found
    if found[-1] == "R-TE-INC: after the last line: expected 'income', found 'nothing'":
        return found[:-1]
    return found


def test_the_example_turn_is_sound() -> None:
    """W-TE-2: the referee agrees with every figure of the rulebook's example."""
    assert violations(example()) == []


@pytest.mark.parametrize(
    ("do", "where", "change"),
    [
        ("income", {}, {"fund": 21}),
        ("share", {}, {"each": 3}),
        ("share", {}, {"fund": 0}),
        ("research", {"technology": "troops"}, {"fund": 15}),
        ("attempt", {}, {"success": False}),
        ("attempt", {}, {"bonus": 1}),
        ("status", {"country": "Argentina"}, {"points": [24, 24]}),
        ("status", {"country": "Mexico"}, {"now": "alien"}),
        ("air_round", {}, {"factor": 8}),
        ("air_round", {}, {"hits": [2, 3]}),
        ("shot_down", {}, {"do": "escaped"}),
        ("conquest", {"slot": 3}, {"bonus": 2}),
        ("conquest", {"slot": 3}, {"success": True}),
        ("knowledge", {}, {"knowledge": 2}),
        ("elite", {}, {"unit": "infantry"}),
        ("home", {"seat": RED}, {"elite": False}),
        ("researched", {"technology": "troops"}, {"labs": 3}),
        ("turn", {"turn": 2}, {"first": BLUE}),
        ("turn", {"turn": 2}, {"levels": [2, 1, 1, 1]}),
    ],
)
def test_another_figure_is_noticed(do: str, where: Line, change: Line) -> None:
    """W-TE-2: with one figure changed it is no longer sound."""
    lines = example()
    at = next(i for i, told in enumerate(lines) if told["do"] == do and where.items() <= told.items())
    lines[at] = lines[at] | change
    assert violations(lines)


# --- W-TE-3 to W-TE-5 ------------------------------------------------------------------------------------
def advanced_table(lines: list[Line], *factions: str) -> Table:
    """A table in the middle of a turn of the advanced game, and the lines that follow."""
    table = Table(Reader(copy.deepcopy(lines)), header("advanced"))
    table.bases = {seat: Base(seat, faction=name) for seat, name in enumerate(factions, 1)}
    table.seats, table.first, table.turn = list(table.bases), 1, 1
    table.status = dict.fromkeys(COUNTRIES, "neutral")
    return table


def air_lines(slot: int, *rounds: list[Line], fighters: list[list[int]], size: str = "medium") -> list[Line]:
    """An interception that is won in the end."""
    attack = next(ufo["attack"] for ufo in CARDS["ufos"] if ufo["name"] == size)
    start = line("interception", slot=slot, size=size, attack=attack, fighters=fighters)
    return [start, *(told for lines in rounds for told in lines), line("shot_down", slot=slot)]


def air_round(
    slot: int, number: int, aliens: list[int], allies: dict[int, list[int]], hits: list[int]
) -> Line:
    """One round without cards."""
    dice = [[seat, own] for seat, own in allies.items()]
    facts = dict(slot=slot, round=number, alien_dice=aliens, factor=sum(len(own) for own in allies.values()))
    return line("air_round", **facts, bonus=0, allied_dice=dice, hits=hits)


def personal(seat: int, points: int, why: str, total: int) -> Line:
    """Personal points gained."""
    return line("personal", seat=seat, points=points, why=why, total=total)


def sent(table: Table, slot: int, fighters: dict[int, int]) -> Ufo:
    """A medium UFO with so many plain fighters of each seat against it."""
    ufo = Ufo(slot, "medium", "China")
    for seat, count in fighters.items():
        ufo.fighters[seat] = Counter({False: count})
    return ufo


def test_eight_dice_and_a_level() -> None:
    """W-TE-3: two fighters of factor 4 roll eight dice; level 3 takes 4 laboratories and 1 knowledge."""
    for dice, right in (([6, 5, 5, 1, 1, 1, 1, 1], True), ([6, 5, 5, 1, 1, 1, 1], False)):
        told = air_round(1, 1, [1, 1, 1, 6], {1: dice}, [1, 3])
        table = advanced_table(
            [*air_lines(1, [told], fighters=[[1, 2, 0]]), personal(1, 2, "battle", 2)], "officer"
        )
        table.levels["fighters"] = 3
        intercept(table, sent(table, 1, {1: 2}))
        assert table.reader.verdict.ok == right
    assert research_price("fighters", 3, RULES)[1:] == (4, 1)
    for labs, success, level, knowledge in ((4, True, 3, 0), (3, False, 2, 1)):
        done = dict(technology="fighters", success=success, level=level, labs_needed=4, labs=labs)
        table = advanced_table([line("researched", **done, knowledge=knowledge)], "officer")
        table.levels["fighters"], table.knowledge, table.sought = 2, 1, ["fighters"]
        table.bases[1].modules = dict.fromkeys(range(1, labs + 1), "laboratory")
        settle_research(table)
        assert table.reader.verdict.ok and table.levels["fighters"] == level


def test_diplomat_and_air_general() -> None:
    """W-TE-4: 1 point each and 1 more for the general; no faction point for a second victory in that turn."""
    first = air_round(1, 1, [5, 1, 1, 1], {1: [1, 1], 2: [1, 1]}, [1, 0])
    second = air_round(1, 2, [1, 1, 1, 1], {2: [5, 1]}, [0, 1])
    lost = line("loss", seat=1, unit="fighter", elite=False, draw=[0, 2])
    lines = air_lines(1, [first, lost], [second], fighters=[[1, 1, 0], [2, 1, 0]])
    lines += [personal(1, 1, "battle", 1), personal(2, 1, "battle", 1), personal(2, 1, "faction", 2)]
    again = air_round(2, 1, [1, 1, 1, 1], {2: [5, 1]}, [0, 1])
    lines += [*air_lines(2, [again], fighters=[[2, 1, 0]]), personal(2, 2, "battle", 4)]
    table = advanced_table(lines, "diplomat", "air general")
    intercept(table, sent(table, 1, {1: 1, 2: 1}))
    intercept(table, sent(table, 2, {2: 1}))
    assert table.reader.verdict.violations == []
    assert table.reader.at == len(lines)
    assert [base.points for base in table.bases.values()] == [1, 4]


def test_army_general_at_home() -> None:
    """W-TE-5: 2 for fighting alone and 1 for the faction."""
    lines = [
        line(
            "battle",
            **dict(target=1, objective={"base": 1}, alien_bonus=0, allied_bonus=0, aliens=[["soldier", 2]]),
            allies=[[1, "tank", False, 2, True]],
        ),
        line("groups", round=1, anew=True, aliens=[1], allies=[1], draws=[]),
        line(
            "ground_round",
            **dict(target=1, round=1, group=1, alien_dice=[1, 2], factor=2, bonus=0),
            allied_dice=[[1, [6, 1]]],
            hits=[0, 1],
        ),
        line("loss", seat=None, unit="soldier", index=1, draw=[0, 1]),
        line("battle_over", target=1, winner="alliance", left=0, knowledge=0),
        line("knowledge", knowledge=1),
        personal(1, 2, "battle", 2),
        personal(1, 1, "faction", 3),
    ]
    table = advanced_table(lines, "army general", "officer")
    table.bases[1].modules, table.bases[1].units = {1: "garage"}, {1: ("tank", False)}
    resolve_base(table, [Ufo(1, "small", {"base": 1})])
    assert table.reader.verdict.violations == []
    assert table.reader.at == len(lines) and table.bases[1].points == 3


@pytest.mark.parametrize(("seat", "right"), [(1, False), (2, True), (None, False)])
def test_equal_points(seat: int | None, right: bool) -> None:
    """R-TE-ADV-5: of equal points the higher initiative wins, whoever sits first."""
    table = advanced_table([line("winner", seat=seat, points=8)], "officer", "diplomat", "army general")
    name_winner(table, {1: 8, 2: 8, 3: 7}, True)
    assert table.reader.verdict.ok == right
