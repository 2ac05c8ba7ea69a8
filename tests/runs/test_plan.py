"""Plans: the grid, the words of a study, and every way of getting them wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.plan import Plan, difference, plan_from_dict
from sim.records import SCHEMA
from sim.study import make_plan, read_study
from tests.runs.kit import TRIO, breaking, small
from xenobalance.cli.run import given_words, read_plan

WRITTEN = """
players = [3]
length = ["short", "epic"]
strategies = [["cautious", "gambler", "bold"], ["cautious"]]
line_up = "rotated"
games = 7
seed = 5
acts = true
chunk = 3

[rules]
ports = [8, 9]
public_fame = 5

[variants.bold]
of = "cautious"
push = 0.5
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    file = tmp_path / "study.toml"
    file.write_text(WRITTEN, encoding="utf-8")
    return file


# --- the grid --------------------------------------------------------------------------------------------
def test_the_grid_and_its_order() -> None:
    """The words in their order, the last one fastest, options in the order in which they were given."""
    ready = make_plan({
        "players": [4, 3], "length": ["short", "epic"], "alien": ["drawn", "raiding-party"], "strategies": "cautious",
        "rules": {"ports": [9, 8], "max_rounds": [6, 5]}, "games": 1,
    })  # fmt: skip
    assert len(ready.cells) == ready.total == 32
    assert [cell.number for cell in ready.cells] == list(range(32))
    assert [tuple(cell.rules.values()) for cell in ready.cells[:5]] == [
        (9, 6),
        (9, 5),
        (8, 6),
        (8, 5),
        (9, 6),
    ]
    assert [cell.alien for cell in ready.cells[:9]] == ["drawn"] * 4 + ["raiding-party"] * 4 + ["drawn"]
    assert [cell.length for cell in ready.cells[::8]] == ["short", "epic", "short", "epic"]
    assert [cell.players for cell in ready.cells[::16]] == [4, 3]
    assert ready.settings[-1].players == 3
    assert ready.settings[-1].rules["ports"] == 8
    assert ready.settings[-1].alien == "Raiding Party"


def test_line_ups_are_cells_too() -> None:
    ready = make_plan({"strategies": [["cautious"], "gambler, climber, scooper"], "players": 3, "games": 2})
    assert [cell.strategies for cell in ready.cells] == [("cautious",), ("gambler", "climber", "scooper")]
    assert [s.name for s in ready.settings[0].strategies] == ["cautious"] * 3


def test_chunks() -> None:
    ready = small(players=[3, 4], strategies="cautious", line_up="rotated", games=7, chunk=5)
    assert ready.games == [9, 8]
    assert list(ready.chunks()) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [ready.size(*key) for key in ready.chunks()] == [5, 4, 5, 3]
    assert ready.total == 17


@pytest.mark.parametrize(
    ("given", "players", "names"),
    [
        ("cautious", 4, ("cautious",)),
        ("cautious, gambler ,climber", 3, TRIO),
        (["cautious", "gambler", "climber"], 3, TRIO),
        (("cautious", "gambler", "climber"), 3, TRIO),
        ([["cautious", "gambler", "climber"]], 3, TRIO),
        (["cautious,gambler,climber"], 3, TRIO),
    ],
)
def test_notations_of_a_line_up(given: Any, players: int, names: tuple[str, ...]) -> None:
    ready = make_plan({"strategies": given, "games": 1})
    assert ready.plan.strategies == (names,)
    assert ready.settings[0].players == players


def test_defaults() -> None:
    plan = make_plan({}).plan
    assert (plan.games, plan.seed, plan.line_up, plan.chunk, plan.acts) == (
        100_000,
        1,
        "seats",
        30_000,
        False,
    )
    assert (plan.length, plan.alien, plan.cards, plan.rules) == (
        ("standard",),
        ("drawn",),
        ("reference",),
        {},
    )
    assert plan.chunk % 60 == 0  # no block of 3 to 6 is divided


def test_variants() -> None:
    ready = small(variants={"bold": {"of": "cautious", "push": 0.5}}, strategies=["bold", "cautious", "bold"])
    assert ready.strategies["bold"].params[0].value == 0.5
    assert ready.strategies["cautious"].params[0].value == 1.35
    assert ready.plan.known_strategies["bold"]["params"]["push"] == 0.5
    assert ready.plan.known_strategies["bold"]["spec"] == "cautious"


# --- the plan as a file ----------------------------------------------------------------------------------
def test_there_and_back() -> None:
    plan = small(players=[3, 4], strategies="cautious", rules={"ports": [8, 9]}, acts=True).plan
    saved = json.loads(json.dumps(plan.to_dict()))
    assert saved["schema"] == SCHEMA
    assert plan_from_dict(saved) == plan
    assert plan_from_dict(saved).hash() == plan.hash()


CHANGES: dict[str, Any] = {
    "players": 4, "length": "epic", "alien": "raiding-party", "strategies": "gambler", "line_up": "rotated",
    "rules": {"ports": 9}, "games": 7, "seed": 2, "acts": True, "chunk": 3,
}  # fmt: skip


@pytest.mark.parametrize("word", list(CHANGES))
def test_every_word_counts(word: str) -> None:
    """Another value is another hash, and the difference names the word."""
    words = {"strategies": "cautious"}
    one, other = small(**words).plan, small(**words | {word: CHANGES[word]}).plan
    assert one.hash() != other.hash()
    assert difference(one, one) == ""
    assert f"{word} was " in difference(one, other)


def test_the_difference_as_one_would_type_it() -> None:
    plan = Plan(players=(3, 4), games=1_000_000)
    other = replace(plan, players=(None,), games=5, rules={"ports": (8, 9)})
    told = difference(plan, other)
    assert "players was 3,4, now by strategies" in told
    assert "games was 1,000,000, now 5" in told
    assert "rules was as in the rulebook, now ports=8,9" in told


def test_changed_sources_are_named(tmp_path: Path) -> None:
    plan = small(strategies="cautious").plan
    facts = {"cautious": {**plan.known_strategies["cautious"], "params": {"push": 9.0}}}
    assert difference(plan, replace(plan, known_strategies=facts)) == "strategy cautious has changed"
    assert (
        difference(plan, replace(plan, known_cards={"reference": "x"})) == "card file reference has changed"
    )


def test_an_edited_strategy_is_another_plan(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    one = small(strategies=breaking(tmp_path)).plan
    other = small(strategies=breaking(tmp_path / "a", answer="return 1")).plan
    assert one.known_strategies["Breaks"]["hash"] != other.known_strategies["Breaks"]["hash"]


# --- study files -----------------------------------------------------------------------------------------
def test_a_study_file(study: Path) -> None:
    plan = make_plan(read_study(study), str(study)).plan
    assert plan.strategies == (("cautious", "gambler", "bold"), ("cautious",))
    assert plan.rules == {"ports": (8, 9), "public_fame": (5,)}
    assert (plan.players, plan.length, plan.line_up) == ((3,), ("short", "epic"), "rotated")
    assert (plan.games, plan.seed, plan.acts, plan.chunk) == (7, 5, True, 3)
    assert len(list(plan.cells())) == 8


def test_the_command_line_wins_over_the_file(study: Path) -> None:
    words = given_words(
        {"games": 9, "length": ("standard",), "rules": ("ports=10",), "seed": None, "alien": ()}
    )
    plan = read_plan(words, str(study)).plan
    assert (plan.games, plan.length, plan.rules) == (9, ("standard",), {"ports": (10,)})
    assert (plan.seed, plan.acts) == (5, True)


def test_a_saved_plan_is_a_study(tmp_path: Path) -> None:
    words = {"strategies": [[*TRIO], [breaking(tmp_path)]], "rules": {"ports": [8, 9]}, "players": 3}
    plan = make_plan(words | {"length": "short", "games": 5, "seed": 4, "acts": True, "chunk": 3}).plan
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan.to_dict()), encoding="utf-8")
    assert make_plan(read_study(file)).plan == plan


def test_a_saved_plan_keeps_its_variants(tmp_path: Path) -> None:
    variants = {"bold": {"of": "cautious", "push": 0.5}}
    plan = small(variants=variants, strategies=["bold", "cautious", "gambler"]).plan
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan.to_dict()), encoding="utf-8")
    assert make_plan(read_study(file)).plan == plan


def test_a_saved_plan_without_players_is_a_study(tmp_path: Path) -> None:
    plan = make_plan({"games": 5}).plan
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan.to_dict()), encoding="utf-8")
    assert make_plan(read_study(file)).plan == plan


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("broken.toml", "games = ", "broken.toml: not TOML: "),
        ("broken.json", "{", "broken.json: not JSON: "),
        ("list.json", "[1]", "list.json: valid: words and their values"),
        ("latin.toml", b"\xff\xfe", "latin.toml: not a text file"),
    ],
)
def test_unreadable_studies(tmp_path: Path, name: str, text: str | bytes, message: str) -> None:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError) as caught:
        read_study(file)
    assert len(caught.value.lines) == 1
    assert message in str(caught.value)


def test_a_missing_study(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such study file"):
        read_study(tmp_path / "none.toml")
    with pytest.raises(UserError, match="Is a directory"):
        read_study(tmp_path)


def test_the_study_file_is_named() -> None:
    with pytest.raises(UserError, match=r"^mine.toml: games is 0; valid: "):
        make_plan({"games": 0}, "mine.toml")
