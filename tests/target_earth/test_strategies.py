"""The ways to play Target Earth: their answers are legal, they see what they may, and do what they are named for.

Whole games run compiled, in a process of its own (`python -m tests.target_earth.test_strategies`): many, and fast.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.games.target_earth.asking import QUESTIONS
from sim.games.target_earth.play import make_setting, new_game, play
from sim.games.target_earth.state import MAX_BASES
from sim.games.target_earth.strategy import load_strategy
from sim.registry import STRATEGIES
from strategies.target_earth.params import CORE_PARAMS

NAMES = tuple(STRATEGIES["target-earth"])
ROOT = Path(__file__).resolve().parents[2]
SEED, GAMES = 20, 600


# --- whole games, compiled ---------------------------------------------------------------------------------
def play_all() -> dict[str, Any]:
    """Every strategy at every kind of table; what each did with four bases, and mixed tables of all kinds."""
    found: dict[str, Any] = {"played": 0}
    for name in NAMES:
        for variant, players in [("base", n) for n in (1, 2, 3, 4)] + [("advanced", n) for n in (2, 3, 4)]:
            rows = play(make_setting([name], players=players, variant=variant), SEED, 0, GAMES)
            found["played"] += len(rows)
            if players == 4:
                found[f"{name} {variant}"] = doings(rows)
    r = Random(SEED)
    for number in range(60):
        variant, mode = r.choice(("base", "advanced")), r.choice(("easy", "normal", "hard", "random"))
        rules = {
            "factions": r.randint(0, 1),
            "alien_diplomacy": r.randint(0, 1),
            "alliance_votes": r.randint(0, 1),
        }
        table = [r.choice(NAMES) for _ in range(r.randint(2, 4))]
        setting = make_setting(table, players=len(table), variant=variant, mode=mode, rules=rules)
        found["played"] += len(play(setting, SEED, number, 40))
    found["seats"] = mixed_seats()
    return found


def doings(rows: Any) -> dict[str, float]:
    """Means of what the tests ask for."""
    words = ("won", "shot_down", "interceptions", "battles", "bases_destroyed", "attempts", "knowledge")
    found = {word: float(rows[word].mean()) for word in words}
    seats = rows["seat"][:, :4]
    return found | {
        "fighters": float(seats["units"][..., 0].mean()),
        "ground": float(seats["units"][..., 2:].sum(-1).mean()),
        "laboratories": float(seats["modules"][..., 4].mean()),
        "early_science": float(np.maximum(rows["science_at"][:, :3], 0).mean()),
    }


def mixed_seats() -> dict[str, dict[str, float]]:
    """One of each at a table with three who cooperate, in every seat: its share of wins, fights, losses, cards."""
    found = {}
    for name in ("cooperate", "hold_back", "betray"):
        sums = np.zeros(5)
        for seat in range(4):
            table = ["cooperate"] * 4
            table[seat] = name
            rows = play(make_setting(table, variant="advanced"), SEED, 0, GAMES)
            own = rows["seat"][:, seat]
            sums += [
                (rows["winner"] == seat).sum() / max(1, (rows["won"] == 1).sum()),
                own["interceptions"].mean() + own["missions"].mean(),
                own["lost"].sum(-1).mean(),
                own["personal"].mean(),
                rows["won"].mean(),
            ]
        words = ("share", "fights", "lost", "personal", "won")
        found[name] = dict(zip(words, (float(x) for x in sums / 4), strict=True))
    return found


@cache
def played() -> dict[str, Any]:
    """`play_all`, compiled."""
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-m", "tests.target_earth.test_strategies"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_no_strategy_ever_gives_an_illegal_answer() -> None:
    """It would have ended the process."""
    assert played()["played"] == len(NAMES) * 7 * GAMES + 60 * 40


def test_plans_beat_chance() -> None:
    chance = played()["random base"]["won"]
    assert chance < 0.01
    for name in ("core", "balanced", "air_defence", "diplomacy_first", "cooperate"):
        assert played()[f"{name} base"]["won"] > chance + 0.02, name


@pytest.mark.parametrize(
    "name, what",
    [
        ("air_defence", "fighters"),
        ("air_defence", "interceptions"),
        ("air_defence", "shot_down"),
        ("ground_war", "bases_destroyed"),
        ("ground_war", "battles"),
        ("diplomacy_first", "attempts"),
        ("science_rush", "early_science"),
    ],
)
def test_each_does_what_its_name_says(name: str, what: str) -> None:
    assert played()[f"{name} base"][what] > played()["balanced base"][what]


def test_free_riders_fight_and_lose_less() -> None:
    seats = played()["seats"]
    assert seats["hold_back"]["fights"] < 0.8 * seats["cooperate"]["fights"]
    assert seats["hold_back"]["lost"] < 0.8 * seats["cooperate"]["lost"]


def test_traitors_gain_personal_points() -> None:
    seats = played()["seats"]
    assert seats["betray"]["personal"] > seats["cooperate"]["personal"]


def test_the_world_pays_for_free_riders_and_traitors() -> None:
    """R-TE-ADV-5: without the Alliance's victory nobody wins."""
    for name in ("hold_back", "betray"):
        assert played()[f"{name} advanced"]["won"] < played()["cooperate advanced"]["won"] + 0.03
    assert played()["hold_back advanced"]["won"] < 0.5 * played()["cooperate advanced"]["won"]


# --- what they see ---------------------------------------------------------------------------------------
def blind_but(games: Any, p: int, noise: np.random.Generator) -> None:
    """Overwrite a game with noise, all but the table and seat p."""
    raw, layout = games.view(np.uint8), games.dtype.fields
    size = layout["seats"][0].itemsize // MAX_BASES
    first = layout["seats"][1] + p * size
    table, table_size = layout["table"][1], layout["table"][0].itemsize
    for start, stop in spans(len(raw), [(table, table + table_size), (first, first + size)]):
        raw[start:stop] = noise.integers(0, 256, stop - start, np.uint8)


def spans(size: int, kept: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What lies between the stretches that are kept."""
    found, at = [], 0
    for start, stop in sorted(kept):
        found.append((at, start))
        at = stop
    return [*found, (at, size)]


@pytest.mark.parametrize("variant", ["base", "advanced"])
@pytest.mark.parametrize("name", NAMES)
def test_only_the_table_and_the_own_seat_are_seen(name: str, variant: str) -> None:
    """With noise everywhere else the answers are the same, and nothing is written."""
    strategy = load_strategy(name)
    setting = make_setting([strategy], players=3, variant=variant)
    games, noise = new_game(setting), np.random.default_rng(SEED)
    asked: set[int] = set()

    def watch(table: Any, seat: Any, question: int, option: int) -> float:
        before = table.tobytes(), seat.tobytes()
        answer = strategy.decide(table, seat, question, option)
        assert (table.tobytes(), seat.tobytes()) == before, QUESTIONS[question].name
        if question not in asked or noise.random() < 0.01:
            asked.add(question)
            saved = games.view(np.uint8).copy()
            blind_but(games, int(seat.me), noise)
            blind = strategy.decide(table, seat, question, option)
            games.view(np.uint8)[:] = saved
            assert blind == answer, QUESTIONS[question].name
        return float(answer)

    watched = tuple(replace(s, decide=watch) for s in setting.strategies)
    play(replace(setting, strategies=watched), SEED, 0, 2, games)
    assert len(asked) > 10


# --- their numbers ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_every_way_to_play_says_what_it_is(name: str) -> None:
    strategy = load_strategy(name)
    assert len(strategy.idea) > 60
    assert all(param.text for param in strategy.params)


def test_parameters_change_play() -> None:
    few, many = (load_strategy("balanced").changed(fighters=n, more_fighters=0.0) for n in (0.0, 4.0))
    means = [play(make_setting([s], players=2), SEED, 0, 10)["interceptions"].mean() for s in (few, many)]
    assert means[0] < means[1]


def test_parameters_stand_where_their_names_say() -> None:
    from strategies.target_earth import params

    for k, (param, word) in enumerate(
        (
            (CORE_PARAMS[params.SIGHT], "sight"),
            (CORE_PARAMS[params.SURE], "sure"),
            (CORE_PARAMS[-1], "personal"),
        )
    ):
        assert param.name == word, k


if __name__ == "__main__":
    print(json.dumps(play_all()))
