"""Every way of getting the words of a study wrong: one clear line each, with what would be valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.plan import MOST_PROBLEMS
from sim.study import MOST_CELLS, make_plan
from tests.runs.kit import breaking, small, xeno


def lines_of(**words: Any) -> list[str]:
    """What is said of wrong words."""
    with pytest.raises(UserError) as caught:
        make_plan({"length": "short", "games": 1} | words)
    return caught.value.lines


WHOLE = "valid: a whole number from"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"gmaes": 3}, "no word 'gmaes' (did you mean 'games'?); valid: game, players, length"),
    ({"game": "chess"}, "no game 'chess'; valid: eti"),
    ({"game": 3}, "game is 3; valid: eti"),
    ({"players": "4"}, "players is '4'; valid: whole numbers"),
    ({"players": 4.0}, "players is 4.0; valid: whole numbers"),
    ({"players": True}, "players is true; valid: whole numbers"),
    ({"players": []}, "players is []; valid: at least one"),
    ({"players": [3, 3], "strategies": "random"}, "players is 3; valid: each value once"),
    ({"players": 2, "strategies": "random"}, "2 players; valid: 3 to 6"),
    ({"players": 7, "strategies": "random"}, "7 players; valid: 3 to 6"),
    ({"length": []}, "length is []; valid: at least one: short, standard or epic"),
    ({"length": 3}, "length is 3; valid: names"),
    ({"length": "shrot"}, "no length 'shrot' (did you mean 'short'?); valid: short, standard, epic"),
    ({"length": ["short", "short"]}, "length is 'short'; valid: each value once"),
    ({"alien": []}, "alien is []; valid: at least one: an alien card, or 'drawn'"),
    ({"alien": 3}, "alien is 3; valid: names"),
    (
        {"alien": "raidng-party"},
        "no alien 'raidng-party' (did you mean 'raiding-party'?); valid: raiding-party",
    ),
    ({"strategies": []}, "strategies is []; valid: one for all seats"),
    ({"strategies": [[]]}, "strategies is [[]]; valid: one for all seats"),
    ({"strategies": 3}, "strategies: 3; valid: one for all seats"),
    ({"strategies": "cautios"}, "no strategy 'cautios' (did you mean 'cautious'?); valid: random, cautious"),
    (
        {"strategies": ["random"] * 5, "players": 4},
        "5 strategies for 4 players; valid: one, or one for each seat",
    ),
    ({"strategies": [["random"], ["random"]]}, "strategies is ['random']; valid: each value once"),
    ({"line_up": "rotatd"}, "no line_up 'rotatd' (did you mean 'rotated'?); valid: seats, rotated, pool"),
    ({"line_up": 3}, "no line_up 3; valid: seats, rotated, pool"),
    ({"cards": 3}, "cards is 3; valid: card files, or 'reference'"),
    ({"cards": ["reference", "reference"]}, "cards is 'reference'; valid: each card set once"),
    ({"rules": [1]}, "rules is [1]; valid: a table of options"),
    ({"rules": {"prots": 9}}, "rules: no rule option 'prots' (did you mean 'ports'?); valid: ports, "),
    ({"rules": {"ports": 99}}, f"rules: ports: 99 is too high; {WHOLE} 1 to 20"),
    ({"rules": {"ports": [8, 0]}}, f"rules: ports: 0 is too low; {WHOLE} 1 to 20"),
    ({"rules": {"ports": "x"}}, f"rules: ports: 'x' is not a whole number; {WHOLE} 1 to 20"),
    ({"rules": {"ports": []}}, "rules.ports is []; valid: at least one value"),
    ({"rules": {"ports": [8, 8]}}, "rules.ports is 8; valid: each value once"),
    ({"variants": 3}, "variants is 3; valid: strategies with other parameters"),
    ({"variants": {"bold": 3}}, "variants.bold is 3; valid: a table with 'of'"),
    ({"variants": {"bold": {"push": 3}}}, "variants.bold is {'push': 3}; valid: a table with 'of'"),
    (
        {"variants": {"bold": {"of": "cautios"}}},
        "variants.bold: no strategy 'cautios' (did you mean 'cautious'?)",
    ),
    (
        {"variants": {"bold": {"of": "cautious", "puhs": 1}}},
        "no parameter 'puhs' (did you mean 'push'?); valid: push",
    ),
    ({"variants": {"bold": {"of": "cautious", "push": "x"}}}, "params['push'] is 'x'; valid: a number"),
    ({"games": 0}, f"games is 0; {WHOLE} 1 to 1,000,000,000,000"),
    ({"games": -5}, f"games is -5; {WHOLE} 1"),
    ({"games": 1.5}, f"games is 1.5; {WHOLE} 1"),
    ({"games": True}, f"games is true; {WHOLE} 1"),
    ({"games": 10**12 + 1}, f"games is 1000000000001; {WHOLE} 1"),
    ({"seed": -1}, f"seed is -1; {WHOLE} 0 to 9,223,372,036,854,775,807"),
    ({"seed": 2**63}, f"seed is 9223372036854775808; {WHOLE} 0"),
    ({"seed": "x"}, f"seed is 'x'; {WHOLE} 0"),
    ({"chunk": 0}, f"chunk is 0; {WHOLE} 1 to 1,000,000"),
    ({"chunk": 1_000_001}, f"chunk is 1000001; {WHOLE} 1 to 1,000,000"),
    ({"acts": "yes"}, "acts is 'yes'; valid: true or false"),
    ({"acts": 1}, "acts is 1; valid: true or false"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[str(words)[:50] for words, _ in WRONG])
def test_a_wrong_word_is_one_line(words: dict[str, Any], message: str) -> None:
    lines = lines_of(**words)
    assert len(lines) == 1
    assert message in lines[0]
    assert "valid" in lines[0]
    assert "\n" not in lines[0]


def test_a_missing_card_file() -> None:
    assert lines_of(cards="nowhere.toml") == ["nowhere.toml: cannot be read: No such file or directory"]


def test_the_largest_seed_is_fine() -> None:
    assert small(seed=2**63 - 1).plan.seed == 2**63 - 1
    assert small(seed=0).plan.seed == 0


def test_too_many_cells() -> None:
    rules = {"ports": list(range(1, 21)), "max_rounds": list(range(5, 95)), "public_fame": list(range(50))}
    assert lines_of(rules=rules, length="short") == [f"90,000 cells; valid: at most {MOST_CELLS:,}"]


def test_two_strategies_with_one_name(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = breaking(tmp_path), breaking(tmp_path / "other", answer="return 1")
    lines = lines_of(strategies=[one, other, "random"])
    assert lines == ["two strategies are called Breaks; valid: a name for each"]


def test_a_pool_may_have_more_strategies_than_seats() -> None:
    ready = small(line_up="pool", strategies=["cautious", "gambler", "climber", "scooper", "random"])
    assert ready.settings[0].players == 3
    assert len(ready.settings[0].strategies) == 5


def test_all_problems_at_once() -> None:
    lines = lines_of(seed=-1, games=0, players="x", alien=4, cards="no.toml", rules={"prots": 1}, acts=2,
                     strategies="cautios", line_up="x", chunk=0)  # fmt: skip
    for word in (
        "seed",
        "games",
        "players",
        "alien",
        "no.toml",
        "prots",
        "acts",
        "cautios",
        "line_up",
        "chunk",
    ):
        assert sum(word in line.split(";")[0] for line in lines) == 1, word
    assert len(lines) == 10


def test_problems_of_cells_are_told_once() -> None:
    lines = lines_of(players=[2, 7], strategies="cautious", length=["shrot", "epic"])
    assert [line.split(";")[0] for line in lines] == [
        "2 players", "no length 'shrot' (did you mean 'short'?)", "7 players",
    ]  # fmt: skip


def test_too_many_problems_are_cut() -> None:
    lines = lines_of(rules={"ports": list(range(21, 21 + MOST_PROBLEMS + 5))})
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[-1] == "… and 5 problems more"


def test_unknown_words_through_the_command_line(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text("gmaes = 3\n", encoding="utf-8")
    done = xeno("run", tmp_path / "out", "--study", study)
    assert done.returncode == 2
    assert f"{study}: no word 'gmaes' (did you mean 'games'?)" in done.stderr
    assert not (tmp_path / "out").exists()
