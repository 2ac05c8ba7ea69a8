"""Breakages that the referee of Target Earth must notice (test_referee.py).

They know nothing of the engine's source, so that they hold whatever becomes of it:

- *lies*: a game is played by other figures (rule options, card values) than its trace tells;
- *forgeries*: single facts of a sound trace are altered, lines are left out, told twice or swapped;
- *slips* (a tool, not a test): one operator or number of the engine's source is altered at random.

`python -m tests.target_earth.mutations slips 40 1` tries forty slips with seed 1. Those that 24 games do not betray
either change no trace (counters, equal code), or choices and luck within the rules (test_odds.py looks after luck),
or they are something that the referee should learn; the first line of a trace that they change is printed.
"""

from __future__ import annotations

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Line = dict[str, Any]

SEED = 11
ROOT = Path(__file__).parents[2]
ENGINE = Path("sim") / "games" / "target_earth"
MODES = ("normal", "easy", "hard", "random")


def setting_words(index: int, **fixed: Any) -> dict[str, Any]:
    """The index-th of a row of settings that together show all rules; for make_setting."""
    r = random.Random(index)
    variant = ("base", "advanced")[index % 2]
    players = fixed.pop("players", (4, 3, 2)[index // 2 % 3])
    rules = {
        "alien_diplomacy": index // 4 % 2,
        "die_picks_module": index // 3 % 2,
        "factions": index // 5 % 2,
    }
    if variant == "advanced":
        rules["factions"] = 0
    if index % 3 == 0:  # rich bases: more fights
        rules |= {"credits_4": 30, "credits_3": 30, "credits_2": 40, "fund": 20}
    if index % 10 == 9:  # an early end, often a good one
        rules |= {"sudden_points": 30}
    rules |= fixed.pop("rules", {})
    names = [r.choice(("random", "random", "core")) for _ in range(players)]
    return {
        "strategies": names, "players": players, "mode": MODES[index // 6 % 4], "variant": variant, "rules": rules,
    } | fixed  # fmt: skip


def trace_of(index: int, cards: Any = None, **fixed: Any) -> list[Line]:
    """A game of the index-th setting."""
    from sim.games.target_earth.play import make_setting
    from sim.games.target_earth.trace import trace_game

    return trace_game(make_setting(**setting_words(index, **fixed), cards=cards), SEED, index)


# --- lies ----------------------------------------------------------------------------------------------
# What must be different for a lie to show: anything that setting_words takes.
NEEDS: dict[str, dict[str, Any]] = {
    "solo_bases": {"players": 1, "variant": "base"},
    "alliance_votes": {},
    "factions": {"variant": "base", "rules": {"factions": 0}},
    "science_goal": {"rules": {"sudden_points": 999}},
    "hangars": {"rules": {"fund": 90}},
}
NEEDS |= {
    f"{name}_3": {"players": 3} for name in ("credits", "hand", "cards_turn", "base_tiles", "first_extra")
}
NEEDS |= {f"{name}_2": {"players": 2} for name in ("credits", "hand", "cards_turn", "base_tiles")}
NEEDS |= {f"{name}_4": {"players": 4} for name in ("credits", "hand", "cards_turn", "base_tiles")}
SCARCE = ("hangars", "warehouses", "barracks", "garages", "laboratories", "radars")  # told 4, in truth many
NEEDS |= {name: {"rules": {"fund": 90}} for name in (*SCARCE, "rows", "columns")}
NEEDS |= {
    name: {"rules": {"fund": 90}} for name in ("max_fighters", "max_carriers", "max_infantry", "max_tanks")
}
TOLD = dict.fromkeys(SCARCE, 2) | {
    "rows": 1,
    "columns": 2,
    "max_fighters": 0,
    "max_carriers": 0,
    "max_infantry": 0,
}
TOLD |= {"max_tanks": 0, "sudden_points": 30, "groups": 2, "must_science_turn": 1, "free_attempt_size": 3}
TOLD |= {
    "base_tiles_4": 0,
    "base_tiles_3": 0,
    "classes": 3,
    "carrier_infantry": 1,
    "carrier_tanks": 0,
    "diplomacy_15": 1,
    "diplomacy_20": 0,
    "solo_bases": 2,
}
RICH = {"fund": 99, "credits_4": 60, "credits_3": 60, "credits_2": 60, "bonus_card": 5, "sudden_points": 999}
MANY_CARDS = RICH | {"cards_turn_4": 9, "hand_4": 9, "phase_2_turn": 2, "phase_3_turn": 2}
NEEDS |= {
    "base_points": {"rules": RICH},
    "terror_attempt": {"rules": MANY_CARDS | {"bonus_card": 9}, "players": 4, "strategies": ["core"] * 4},
    "diplomacy_20": {"rules": MANY_CARDS | {"diplomacy_10": 9, "diplomacy_15": 9, "turns": 9}, "players": 4},
}


def lie(option: Any) -> Iterator[list[Line]]:
    """Traces that tell another value of an option than the game was played with."""
    told = TOLD.get(option.name)
    for index in range(40):
        lines = trace_of(index, **copy.deepcopy(NEEDS.get(option.name, {})))
        rules = lines[0]["rules"]
        value = told if told is not None else rules[option.name] + 1
        if value == rules[option.name] or value > option.high:
            value = rules[option.name] - 1
        yield [lines[0] | {"rules": rules | {option.name: value}}, *lines[1:]]


def other_cards(cards: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Card sets of which one value was altered, and which one."""

    def altered(*path: Any, by: int = 1) -> tuple[str, dict[str, Any]]:
        copied = copy.deepcopy(cards)
        place = copied
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] += by
        return " ".join(str(step) for step in path), copied

    for k in range(0, len(cards["countries"]), 5):
        for key in ("credits", "diplomacy", "points"):
            yield altered("countries", k, key)
    for k in range(4):
        yield altered("ufos", k, "attack")
        yield altered("ufos", k, "bonus")
    for phase in range(3):
        yield altered("aliens", phase, "soldier")
        yield altered("aliens", phase, "tank")
        for key in ("small", "medium", "large", "garrison")[
            phase == 2 :
        ]:  # in phase III there are no small ones
            yield altered("aliens", phase, key, 0)
    yield altered("aliens", 2, "terror", 1)
    for name, level in (
        ("fighter", 0),
        ("fighter", 1),
        ("infantry", 0),
        ("infantry", 1),
        ("tank", 0),
        ("tank", 1),
    ):
        yield altered("technologies", name, "factors", level)
    for slot in range(4):
        yield altered("radars", "needed", slot, by=30)
    for k in range(4):
        yield altered("factions", k, "tokens", by=-2)
    for k in range(1, 4):  # the USA of objective A are hardly ever allied
        yield altered("objectives", k, "leader_points")
    yield altered("objectives", 0, "rivals", "China", 0)
    yield altered("objectives", 5, "each")


# --- forgeries -----------------------------------------------------------------------------------------
# Facts that nothing else on the table depends on, or that may be otherwise by the rules.
FREE = {
    ("game", "seed"), ("game", "index"), ("game", "strategies"), ("game", "cards"), ("game", "rules"),
    ("game", "mode"), ("stop", "decisions"), ("stop", "forced"),
    ("vote", "choice"),  # one vote more or less need not change the result
    ("reroll", "dice"), ("reroll", "dice_after"), ("air_round", "alien_dice"), ("air_round", "allied_dice"),
    ("ground_round", "alien_dice"), ("ground_round", "allied_dice"),  # a 2 for a 1
    ("attempt", "dice"), ("conquest", "dice"),
    ("loss", "draw"), ("groups", "aliens"), ("groups", "allies"), ("groups", "draws"),
    ("ufo", "size"), ("ufo", "objective"), ("draw", "card"), ("hand", "cards"), ("discard", "card"),
    ("elite", "at_home"), ("factions", "factions"), ("factions", "objectives"), ("order", "seats"),
    ("build", "module"), ("build", "cell"), ("recruit", "unit"), ("recruit", "cell"), ("alien_target", "objective"),
    ("countries", "aliens"), ("countries", "allies"), ("module_lost", "dice"), ("scramble", "slot"),
    ("research", "technology"), ("agent", "change"), ("mission", "target"), ("retreat", "group"),
    ("battle", "aliens"), ("battle", "allies"), ("groups", "anew"), ("build", "seat"),
}  # fmt: skip


def forged(value: Any, r: random.Random) -> Any:
    """Something else of the same sort."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + r.choice((-1, 1))
    if isinstance(value, str):
        return value + "?"
    if value is None:
        return 1
    if isinstance(value, list) and value:
        k = r.randrange(len(value))
        return [*value[:k], forged(value[k], r), *value[k + 1 :]]
    if isinstance(value, dict) and value:
        key = r.choice(sorted(value, key=str))
        return value | {key: forged(value[key], r)}
    return [1]


def forge_fact(lines: list[Line], r: random.Random) -> tuple[str, list[Line]]:
    """One fact of one line altered."""
    while True:
        at = r.randrange(len(lines))
        key = r.choice(sorted(lines[at]))
        if key != "do" and (lines[at]["do"], key) not in FREE:
            new = lines[at] | {key: forged(lines[at][key], r)}
            return f"line {at + 1}: {key} of {lines[at]} altered to {new[key]!r}", [
                *lines[:at],
                new,
                *lines[at + 1 :],
            ]


def forge_line(lines: list[Line], r: random.Random) -> tuple[str, list[Line]]:
    """A line left out or told twice."""
    while True:
        at = r.randrange(1, len(lines))
        if lines[at]["do"] in ("vote", "retreat", "withdraw", "scramble", "mission"):
            continue  # decisions: with another one the game is another one, not a wrong one
        if lines[at]["do"] == "reroll" and lines[at]["dice_before"] == lines[at]["dice_after"]:
            continue  # the same dice again: the game may as well have gone without
        if lines[at]["do"] not in ("build", "recruit", "attempt") and r.random() < 0.5:
            return f"line {at + 1} left out: {lines[at]}", lines[:at] + lines[at + 1 :]
        return f"line {at + 1} told twice: {lines[at]}", lines[: at + 1] + lines[at:]


# --- slips ---------------------------------------------------------------------------------------------
COMPARES = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
SUMS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add}
NOT_RULES = (
    "acts.py", "card_check.py", "card_words.py", "changes.py", "study.py", "story.py", "story_words.py", "sums.py",
    "record.py", "records.py", "restrain.py", "luck.py", "trace.py", "trace_fights.py", "trace_words.py", "log.py",
    "options.py", "pack.py", "cards.py", "play.py", "strategy.py", "__init__.py", "state.py", "asking.py",
    "sights.py", "change_cards.py", "story_fights.py",
)  # fmt: skip


class Slip(ast.NodeTransformer):
    """Alters the n-th place that can be altered."""

    def __init__(self, place: int) -> None:
        self.place, self.seen, self.what = place, 0, ""

    def here(self, node: Any, what: str) -> bool:
        """Is this the place?"""
        self.seen += 1
        if self.seen - 1 == self.place:
            self.what = f"line {node.lineno}: {what}"
            return True
        return False

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        other = COMPARES.get(type(node.ops[0]))
        if other and self.here(node, f"{type(node.ops[0]).__name__} to {other.__name__}"):
            node.ops[0] = other()
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        other = SUMS.get(type(node.op))
        if other and self.here(node, f"{type(node.op).__name__} to {other.__name__}"):
            node.op = other()
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        other = SUMS.get(type(node.op))
        if other and self.here(node, f"{type(node.op).__name__}= to {other.__name__}="):
            node.op = other()
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Call) and self.here(node, "a call left out"):
            return ast.copy_location(ast.Pass(), node)
        return node


def make_slip(r: random.Random, folder: Path) -> str:
    """A copy of the sources with one slip; which one."""
    shutil.copytree(ROOT / "sim", folder / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("strategies", "tests", "analysis"):
        (folder / name).symlink_to(ROOT / name)
    files = sorted(f for f in (folder / ENGINE).glob("*.py") if f.name not in NOT_RULES)
    sizes = [f.stat().st_size for f in files]
    file = r.choices(files, sizes)[0]
    tree = ast.parse(file.read_text(encoding="utf-8"))
    count = Slip(-1)
    count.visit(copy.deepcopy(tree))
    slip = Slip(r.randrange(max(1, count.seen)))
    file.write_text(ast.unparse(ast.fix_missing_locations(slip.visit(tree))), encoding="utf-8")
    return f"{file.name} {slip.what}"


def first_violation(count: int) -> str:
    """Play games with whatever engine is on the path; what the referee finds first, '' if nothing."""
    from tests.target_earth.referee import judge

    for index in range(count):
        try:
            found = judge(trace_of(index)).violations
        except Exception as error:  # a breakage that ends in a crash is noticed as well
            return f"crash in game {index}: {type(error).__name__}: {error}"
        if found:
            return f"game {index}: {found[0]}"
    return ""


def first_change(folder: str, env: dict[str, str]) -> str:
    """The first line of a game that is another one with the engine of this folder; '' if none is."""
    told = []
    for place in (folder, str(ROOT)):
        command = [sys.executable, "-m", "tests.target_earth.mutations", "tell", "24"]
        words = env | {"PYTHONPATH": place}
        told.append(
            subprocess.run(command, cwd=place, env=words, capture_output=True, text=True).stdout.splitlines()
        )
    pairs = zip(*told, strict=False)
    return next((f"{new} INSTEAD OF {old}" for new, old in pairs if new != old), "")


def try_slips(count: int, seed: int) -> None:
    """Try slips, each in a process of its own, and print what becomes of them."""
    r = random.Random(seed)
    for _ in range(count):
        with tempfile.TemporaryDirectory() as name:
            what = make_slip(r, Path(name))
            env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": name, "PYTHONDONTWRITEBYTECODE": "1"}
            command = [sys.executable, "-m", "tests.target_earth.mutations", "games", "24"]
            try:
                done = subprocess.run(command, cwd=name, env=env, capture_output=True, text=True, timeout=120)
                found = done.stdout.strip() or done.stderr.strip()[-100:]
            except subprocess.TimeoutExpired:
                found = "does not end"
            if found:
                print("caught", what, "->", found[:100], flush=True)
            else:
                changed = first_change(name, env)
                print("MISSED" if changed else "equal", what, "->", changed[:300], flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "games":
        print(first_violation(int(sys.argv[2])))
    elif sys.argv[1] == "tell":
        for index in range(int(sys.argv[2])):
            print(*trace_of(index), sep="\n")
    else:
        try_slips(int(sys.argv[2]), int(sys.argv[3]))
