"""The referee of Target Earth accepts sound games of every kind, and notices lies and forgeries."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from sim.games.target_earth.cards import load_cards
from sim.games.target_earth.options import OPTIONS
from sim.games.target_earth.trace import trace_game
from tests.target_earth import mutations
from tests.target_earth.kit import any_setting
from tests.target_earth.referee import RuleBroken, judge
from tests.target_earth.referee.arithmetic import (
    battle_points,
    cells,
    diplomacy_bonus,
    end_of_game,
    hits_of,
    landed,
    neighbours,
    objective_points,
    research_price,
    spread_out,
    starting_spreads,
    unused_points,
    voted,
)
from tests.target_earth.referee.reader import KEYS, SOMETIMES

Line = dict[str, Any]
CARDS = load_cards().to_dict()
RULES = {option.name: option.value for option in OPTIONS}
SOUND = 60
ANY = 120


@cache
def game(index: int) -> tuple[Line, ...]:
    """A sound game."""
    return tuple(mutations.trace_of(index))


# --- sound games -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("start", range(0, SOUND, 12))
def test_sound_games(start: int) -> None:
    """Games of all tables, modes, variants and options, by random and other play."""
    for index in range(start, start + 12):
        verdict = judge(list(game(index)))
        verdict.demand()
        assert verdict.checks > 100 and verdict.lines == len(game(index))


@pytest.mark.parametrize("start", range(0, ANY, 24))
def test_games_with_any_rules(start: int) -> None:
    """Options anywhere in their ranges, all strategies there are."""
    for number in range(start, start + 24):
        judge(trace_game(any_setting(number), 3, number)).demand()


def test_everything_is_judged() -> None:
    """The games above have lines of every kind but the rarest, so the referee has been put to use."""
    seen = {line["do"] for index in range(SOUND) for line in game(index)}
    assert KEYS.keys() - seen <= {"reshuffle", "scarce", "withdraw", "retreat"}


def test_verdict() -> None:
    """What a caller learns."""
    lines = list(game(1))
    verdict = judge(lines)
    end = next(line for line in lines if line["do"] == "end")
    winner = next(line for line in lines if line["do"] == "winner")
    assert (verdict.ok, verdict.turns) == (True, end["turn"])
    assert (verdict.won, verdict.winner) == (end["winner"] == "alliance", winner["seat"])


# --- lies ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("option", OPTIONS, ids=[option.name for option in OPTIONS])
def test_a_game_by_other_rules_is_noticed(option: Any) -> None:
    """Every rule option: the trace tells one value, the game was played with another."""
    assert any(not judge(lines).ok for lines in mutations.lie(option)), "the referee notices nothing"


LIES = list(mutations.other_cards(CARDS))


@pytest.mark.parametrize("cards", [cards for _, cards in LIES], ids=[what for what, _ in LIES])
def test_a_game_with_other_cards_is_noticed(cards: dict[str, Any]) -> None:
    """Card values: the trace tells one, the game was played with another."""
    for index in range(40):
        lines = list(game(index))
        if not judge([lines[0] | {"cards": cards}, *lines[1:]]).ok:
            return
    pytest.fail("the referee notices nothing")


# --- forgeries -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("index", range(12))
def test_forgeries_are_noticed(index: int) -> None:
    """Facts altered, lines left out or told twice: each of them is noticed."""
    r = random.Random(index)
    lines = list(game(index))
    for forge in (mutations.forge_fact,) * 30 + (mutations.forge_line,) * 15:
        what, bad = forge(lines, r)
        assert not judge(bad).ok, what


def test_every_key_is_checked() -> None:
    """A key too few or too many, in each kind of line."""
    lines = list(game(3))
    seen: set[str] = set()
    for at, line in enumerate(lines):
        if line["do"] in seen:
            continue
        seen.add(line["do"])
        assert not judge([*lines[:at], line | {"more": 1}, *lines[at + 1 :]]).ok
        for key in KEYS[line["do"]] - SOMETIMES.get(line["do"], frozenset()) - {"do"}:
            less = {k: v for k, v in line.items() if k != key}
            assert not judge([*lines[:at], less, *lines[at + 1 :]]).ok, (line["do"], key)


def dice_turned(lines: list[Line], r: random.Random) -> Iterator[tuple[str, list[Line]]]:
    """A hit for a miss, or a success for a failure, on each line with dice."""
    for at, line in enumerate(lines):
        new = copy.deepcopy(line)
        if line["do"] in ("air_round", "ground_round"):
            dice = new["alien_dice"]
            k = r.randrange(len(dice))
            dice[k] = 1 if dice[k] >= RULES["hit_from"] else 6
        elif line["do"] == "module_lost":
            new["dice"] = [[7] * len(throw) for throw in new["dice"]]
        elif line["do"] in ("attempt", "conquest"):
            new["dice"] = [1, 1] if line["success"] else [6, 6]
            bonus = line["bonus"] + line.get("extra", 0) + line.get("agent", 0)
            if (sum(new["dice"]) + bonus >= line["needed"]) == line["success"]:
                continue
        else:
            continue
        yield f"line {at + 1}: {line}", [*lines[:at], new, *lines[at + 1 :]]


@pytest.mark.parametrize("index", range(6))
def test_dice_are_counted(index: int) -> None:
    """R-TE-DIP, R-TE-INT, R-TE-MIS-3, R-TE-MIS-5: other dice would have had another result."""
    for what, bad in dice_turned(list(game(index)), random.Random(index)):
        assert not judge(bad).ok, what


def test_what_is_no_trace() -> None:
    """Violations that start with 'trace:', never an exception."""
    r = random.Random(1)
    for bad in ([], [{}], [{"do": "game"}], [{"do": 7}], "no", [1], None):
        assert judge(bad).violations[0].startswith("trace:")  # type: ignore[arg-type]
    lines = list(game(4))
    for _ in range(60):
        at = r.randrange(len(lines))
        key = r.choice(sorted(lines[at]))
        new = lines[at] | {key: r.choice((None, [], {}, "x", -1, [[]], True))}
        judge([*lines[:at], new, *lines[at + 1 :]])
    with pytest.raises(RuleBroken):
        judge([]).demand()


# --- the arithmetic --------------------------------------------------------------------------------------
def test_hits() -> None:
    """R-TE-INT, R-TE-MIS-5: 5 and 6."""
    assert hits_of([1, 2, 3, 4, 5, 6, 6], RULES) == 3


def test_diplomacy_bonus() -> None:
    """R-TE-DIP: the steps of the bonus."""
    assert [diplomacy_bonus(n, RULES) for n in (0, 9, 10, 14, 15, 19, 20, 29)] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_research_prices() -> None:
    """R-TE-RES, W-TE-3: credits, laboratories, knowledge."""
    assert [research_price("fighters", level, RULES) for level in (2, 3, 4)] == [
        (5, 2, 0),
        (6, 4, 1),
        (8, 6, 2),
    ]
    assert [research_price("science", level, RULES) for level in (2, 3, 4)] == [
        (5, 6, 1),
        (6, 8, 2),
        (8, 10, 4),
    ]


def test_neighbours() -> None:
    """A-TE-18: edges, not corners, and not round the edge of the grid; R-TE-PRD: 36 places."""
    assert len(cells(RULES)) == 36
    assert neighbours(1) & set(cells(RULES)) == {2, 7}
    assert neighbours(8) == {2, 7, 9, 14}
    assert neighbours(12) & set(cells(RULES)) == {6, 11, 18}
    assert cells({"rows": 2, "columns": 2}) == [1, 2, 7, 8]


def test_votes() -> None:
    """A-TE-19: most votes, else the choice of the earliest voter in the tie."""
    assert voted(["a", "b", "b", None]) == "b"
    assert voted(["a", "b", "b", "a"]) == "a"
    assert voted(["c", "b", "a", "a"]) == "a"
    assert voted([None, "a"]) is None


def test_spreading() -> None:
    """R-TE-MIS-5: three units fill three groups; five fill four, one of them with two."""
    assert starting_spreads(3, 4) == [{1: 1, 2: 1, 3: 1}]
    assert len(starting_spreads(5, 4)) == 4 and {1: 2, 2: 1, 3: 1, 4: 1} in starting_spreads(5, 4)
    assert spread_out({1: 1, 3: 1}, 2, [[1, 2]]) == {1: 2, 3: 2}  # the second has no choice
    assert spread_out({1: 2, 3: 1}, 1, []) == {1: 2, 3: 2}
    assert spread_out({1: 1, 3: 1}, 1, []) is None and spread_out({1: 2, 3: 1}, 1, [[0, 2]]) is None


def test_landings() -> None:
    """R-TE-SET-2: in random mode terror UFOs and late small ones carry what the rulebook says."""
    assert landed("terror", 1, "random", CARDS) == (3, 1)
    assert landed("small", 3, "random", CARDS) == (1, 0)
    assert landed("small", 1, "normal", CARDS) == (1, 0)


def test_ends() -> None:
    """R-TE-WIN-1 to R-TE-WIN-3, A-TE-28."""
    assert end_of_game(7, (40, 39), 4, RULES) == ("alliance", "points")
    assert end_of_game(7, (39, 39), 4, RULES) == ("aliens", "fewer points")
    assert end_of_game(7, (60, 39), 3, RULES) == ("aliens", "no science")
    assert end_of_game(7, (39, 60), 3, RULES) == ("aliens", "neither")
    assert end_of_game(3, (51, 20), 1, RULES) == ("alliance", "sudden")
    assert end_of_game(3, (51, 51), 1, RULES) == end_of_game(3, (50, 51), 4, RULES) == ("aliens", "sudden")
    assert end_of_game(4, (50, 50), 1, RULES) is None
    assert end_of_game(5, (50, 50), 1, RULES) == ("aliens", "impossible")
    assert end_of_game(5, (51, 50), 1, RULES) == ("alliance", "sudden")  # A-TE-28


def test_objectives() -> None:
    """R-TE-ADV-4."""
    objectives = {objective["name"]: objective for objective in CARDS["objectives"]}
    names = [country["name"] for country in CARDS["countries"]]
    neutral = dict.fromkeys(names, "neutral")
    allied, alien = dict.fromkeys(names, "allied"), dict.fromkeys(names, "alien")
    assert {k: objective_points(o, neutral) for k, o in objectives.items()} == dict(
        A=3, B=3, C=3, D=3, E=8, F=0
    )
    assert {k: objective_points(o, allied) for k, o in objectives.items()} == dict(
        A=4, B=3, C=3, D=2, E=0, F=10
    )
    assert {k: objective_points(o, alien) for k, o in objectives.items()} == dict(
        A=6, B=7, C=7, D=7, E=8, F=0
    )
    by_count = {
        n: objective_points(objectives["E"], neutral | dict.fromkeys(names[:n], "allied"))
        for n in range(9, 16)
    }
    assert by_count == {9: 8, 10: 6, 11: 4, 12: 3, 13: 2, 14: 1, 15: 0}


def test_unused_cards() -> None:
    """R-TE-ADV-3, R-TE-ADV-2: types, not cards; the officer's count double."""
    starred = [card["name"] for card in CARDS["alliance"] if card["starred"]]
    assert sorted(starred) == ["alien knowledge", "diplomacy", "engineer", "rebellion", "scientist"]
    hand = {"diplomacy": 2, "rebellion": 1, "bonus": 3, "engineer": 0}
    assert unused_points(hand, starred, False, RULES) == 2
    assert unused_points(hand, starred, True, RULES) == 4


def test_battle_points() -> None:
    """R-TE-ADV-3, A-TE-11: who left still counts as company, and gets nothing."""
    assert battle_points({1}, set(), RULES) == {1: 2}
    assert battle_points({1, 2}, set(), RULES) == {1: 1, 2: 1}
    assert battle_points({1, 2}, {2}, RULES) == {1: 1}
