"""The story: every kind of line is told, and the numbers in it are those of the trace."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from sim.games.target_earth.cards import load_cards
from sim.games.target_earth.options import defaults
from sim.games.target_earth.play import make_setting
from sim.games.target_earth.story import TELLERS, tell
from sim.games.target_earth.trace import trace_game
from sim.prose import WIDTH
from tests.target_earth.kit import any_setting

Line = dict[str, Any]
GAME: Line = {
    "do": "game", "version": 1, "game": "target-earth", "seed": 7, "index": 0, "players": 3, "bases": 3,
    "mode": "hard", "variant": "advanced", "strategies": ["core", "random", "mine"], "rules": defaults(),
    "cards": load_cards().to_dict(),
}  # fmt: skip


def told(*lines: Line) -> str:
    """The story of these lines in one line, without the opening."""
    opening = list(tell([GAME]))
    return " ".join(" ".join(list(tell([GAME, *lines]))[len(opening) :]).split())


@cache
def some_game(number: int) -> tuple[Line, ...]:
    """A game of any kind."""
    return tuple(trace_game(any_setting(number), 11, number))


@cache
def lines_of_all_kinds() -> dict[str, Line]:
    """One line of each kind that games write."""
    found: dict[str, Line] = {}
    for number in range(16):
        for line in some_game(number):
            found.setdefault(line["do"], line)
    return found


def test_every_line_of_many_games_has_a_teller() -> None:
    assert {line["do"] for number in range(16) for line in some_game(number)} <= set(TELLERS)
    assert len(lines_of_all_kinds()) > 40


@pytest.mark.parametrize("number", range(6))
def test_lines_are_no_wider_than_a_page_and_none_is_json(number: int) -> None:
    story = list(tell(some_game(number)))
    for line in story:
        assert len(line) <= WIDTH or line.startswith(("Target", "===", "Turn", "---"))
        assert "{" not in line and "None" not in line and "True" not in line
    text = "\n".join(story)
    turns = sum(line["do"] == "turn" for line in some_game(number))
    assert len(re.findall(r"^Turn \d", text, re.MULTILINE)) == turns


def numbers(value: Any) -> Counter[str]:
    """Every whole number in a line of the trace."""
    if isinstance(value, bool) or value is None:
        return Counter()
    if isinstance(value, int):
        return Counter([str(abs(value))])
    if isinstance(value, dict):
        parts = [numbers(one) for key, one in value.items() if key != "do"]
    elif isinstance(value, list | tuple):
        parts = [numbers(one) for one in value]
    else:
        return Counter()
    return sum(parts, Counter())


@pytest.mark.parametrize(
    "do",
    ["attempt", "conquest", "air_round", "reroll", "module_lost", "build", "turn", "income", "status", "end"],
)
def test_every_number_of_a_line_is_in_its_story(do: str) -> None:
    line = dict(lines_of_all_kinds()[do])
    for key in ("bonus", "extra", "agent"):  # what is 0 is left out of a sum
        if line.get(key) == 0:
            line.pop(key)
    text = Counter(re.findall(r"\d+", told(lines_of_all_kinds()[do])))
    if do == "turn":
        line["era"] = None  # a Roman number
    if do == "air_round":
        line["slot"] = None  # told by the line before it
    if do == "reroll":
        line["dice"] = None if line["dice"] == 0 else line["dice"]
    missing = numbers(line) - text
    assert not missing, (line, told(lines_of_all_kinds()[do]))


def test_an_attempt_adds_up() -> None:
    line = {"do": "attempt", "why": "court", "seat": None, "country": "Argentina", "dice": [3, 4], "bonus": 1,
            "extra": 1, "agent": -1, "needed": 7, "success": True}  # fmt: skip
    text = told(line)
    argued = "3 + 4 + 1 (number of allied countries) + 1 (after a terror UFO) − 1 (agent) = 8 against D 7: success."
    assert text.endswith(argued)
    assert "The Alliance courts Argentina (C 1, D 7, V 2)" in text


def test_sums_of_all_attempts_and_attacks() -> None:
    """What stands before '=' adds up to what stands behind it, and decides as the rules say."""
    seen = 0
    for number in range(8):
        text = " ".join(" ".join(tell(some_game(number))).split())
        for left, total, needed, end in re.findall(r": (\d[^:=]*) = (\d+) against D (\d+): (\w+)", text):
            plain = re.sub(r"\([^)]*\)", "", left).replace("−", "-").replace(" ", "")
            assert sum(map(int, re.findall(r"[+-]?\d+", plain))) == int(total)
            assert (int(total) >= int(needed)) == (end in ("success", "one"))
            seen += 1
    assert seen > 50


def test_hits_of_a_round_are_counted_and_compared() -> None:
    line = {"do": "air_round", "slot": 1, "round": 2, "alien_dice": [5, 1, 6], "factor": 4, "bonus": 1,
            "allied_dice": [[1, [6, 5]], [3, [5, 1]]], "hits": [2, 3]}  # fmt: skip
    assert told(line) == (
        "Round 2. The UFO rolls 5 1 6 (2 hits). The Alliance rolls 4 dice, 1 bonus card among them: seat 1: 6 5 (2 "
        "hits); seat 3: 5 1 (1 hit). 3 against 2 is more: the Alliance hits."
    )
    assert "3 after the re-roll below against 3 is not more: the aliens hit" in told(
        line | {"alien_dice": [5, 5, 6], "allied_dice": [[1, [6, 4]], [3, [5, 1]]], "hits": [3, 3]}
    )


def test_research_says_what_was_needed() -> None:
    line = {"do": "researched", "technology": "science", "success": False, "level": 1, "labs_needed": 6, "labs": 6,
            "knowledge": 0}  # fmt: skip
    assert told(line) == (
        "Alien science stays at level 1: the money is lost (6 laboratories of 6 needed; 0 knowledge of 1 needed)."
    )
    won = line | {"success": True, "level": 2, "knowledge": 3}
    assert told(won).endswith("(6 laboratories of 6 needed; 1 knowledge spent, 3 left).")


def test_the_opening_names_what_is_different() -> None:
    changed = GAME | {"rules": {**defaults(), "sudden_points": 60}}
    text = "\n".join(tell([changed]))
    assert "hard mode, advanced game of 3: seed 7, game 0" in text
    assert "Rules that differ from the rulebook: sudden_points = 60." in text
    assert "differ" not in "\n".join(tell([GAME]))


def test_one_player_and_unknown_lines() -> None:
    setting = make_setting(["core"], players=1)
    text = "\n".join(tell(trace_game(setting, 1, 0)))
    assert "of one player with 4 bases" in text
    assert told({"do": "something new", "seat": 1}) == '{"do": "something new", "seat": 1}'


def test_slots_are_remembered() -> None:
    ufo = {"do": "ufo", "slot": 2, "size": "terror", "objective": {"base": 3}}
    mission = {"do": "mission", "seat": 1, "target": 2, "infantry": 1, "elite_infantry": 1, "tanks": 0,
               "elite_tanks": 0, "cells": [["carrier", False, 8], ["infantry", True, 9]]}  # fmt: skip
    assert told(ufo, mission).endswith(
        "Seat 1 (core) sends a carrier with 1 infantry and 1 elite infantry to slot 2 (the terror UFO at the base of "
        "seat 3) (from cells: carrier 8, elite infantry 9)."
    )
