"""The inside of a strategy check: plays, compiles or describes one strategy in a process of its own.

    python -m sim.games.eti.strategy_probe describe|play|compile SPEC OUTPUT [GAMES SEED]

The findings go into OUTPUT as JSON. Played as plain Python, each answer is watched: is it a number, is it the
same when asked again, and are table and seat as they were? A decision with a problem is answered by the core
from then on, so that one run finds the problems of all decisions.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import math
import re
import sys
import time
from dataclasses import asdict, replace
from difflib import get_close_matches
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import types

from sim.compile import rule
from sim.errors import UserError
from sim.games.eti.asking import QUESTIONS
from sim.games.eti.play import make_setting, new_game, play
from sim.games.eti.state import SEAT_TYPE, TABLE_TYPE
from sim.games.eti.strategy import CORE, Strategy, functions_of, jit, load_file, load_strategy
from sim.games.eti.strategy_check import Problem, Source, advice, core_message, places, plain_text
from sim.games.eti.strategy_watch import (
    NAMES,
    TooLong,
    Watch,
    at_most,
    last_line,
    lucky_places,
    reachable,
    same_file,
)
from sim.registry import STRATEGIES

LOAD_SECONDS, ALL_SECONDS = 20.0, 60.0
REPLAYED = 4  # games played twice
NOTHING = {"problems": [], "games": 0, "asked": {}}
Findings = dict[str, Any]


# --- loading ---------------------------------------------------------------------------------------------
def load(spec: str) -> Strategy | list[Problem]:
    """The strategy, or what keeps it from being one."""
    file, _, name = spec.partition(":")
    source = Source(file)
    try:
        with at_most(LOAD_SECONDS):
            return load_strategy(spec)
    except UserError as error:
        return [_definition(line, source, name) for line in error.lines]
    except TooLong as error:
        text = f"loading the file took more than {LOAD_SECONDS:g} seconds"
        return [Problem("time", text, file, last_line(error, file))]
    except (Exception, SystemExit) as error:  # what a user's file does is the user's to know
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, AttributeError | TypeError) and (line := source.line_of("params", name)):
            text = (
                "params must be a dictionary of numbers; valid: params = {'push': 1.2, 'own': (3, 'meaning')}"
            )
            return [Problem("definition", text, file, line)]
        return [Problem("definition", text, file, last_line(error, file))]


def _definition(text: str, source: Source, owner: str) -> Problem:
    """A line of a UserError with the place it is about."""
    if found := re.match(r"(.*?): line (\d+): (.*)", text):
        return Problem("definition", found[3], found[1], int(found[2]))
    found = re.search(
        r"strategy \w+: (?:no decision '(\w+)'|(\w+) must be a function|params\['(\w+)'\])", text
    )
    if not found:
        return Problem("definition", text)
    name = next(filter(None, found.groups()))
    if found[2] and (line := source.line_of(name, owner)):
        first = [n.arg for n in source.nodes(line) if hasattr(n, "arg") and n.arg == "self"]
        text += ", without self" if first else ""
    return Problem("definition", text, source.file, source.line_of(name, owner), found[1] or found[2])


def near_misses(strategy: Strategy, spec: str) -> list[Problem]:
    """In a module, where helpers may have any name: unused functions named nearly like a decision; bad numbers."""
    file = spec.partition(":")[0]
    problems = []
    if not strategy.built_in and ":" not in spec:
        own = {n: f for n, f in vars(load_file(Path(file))).items() if isinstance(f, FunctionType)}
        own = {n: f for n, f in own.items() if same_file(f.__code__.co_filename, file)}
        used = {name for function in own.values() for name in function.__code__.co_names}
        for name in set(own) - set(NAMES) - used:
            if near := get_close_matches(name, set(NAMES) - set(own), n=1, cutoff=0.8):
                text = f"no decision '{name}' (did you mean '{near[0]}'?)"
                line = own[name].__code__.co_firstlineno
                problems.append(Problem("definition", text, file, line, name))
    for param in strategy.params:
        if not math.isfinite(param.value):
            text = f"params['{param.name}'] is {param.value}; valid: a number"
            problems.append(Problem("definition", text, file, Source(file).line_of(param.name)))
    return problems


# --- playing ---------------------------------------------------------------------------------------------
def play_all(spec: str, games: int, seed: int) -> Findings:
    """Watch a strategy in some games: alone at the table first, then among random players."""
    strategy = load(spec)
    problems = strategy if isinstance(strategy, list) else near_misses(strategy, spec)
    if isinstance(strategy, list) or problems:
        return NOTHING | {"problems": [asdict(problem) for problem in problems]}
    watch = Watch(strategy, spec)
    begun, played = time.monotonic(), 0
    for number in range(games):
        if time.monotonic() - begun < ALL_SECONDS:
            play_one(watch, number, seed)
            played += 1
    look_for_luck(watch)
    asked = {
        name: {
            "own": name in strategy.functions,
            "human": watch.asked[name, False],
            "alien": watch.asked[name, True],
        }
        for name in NAMES
    }
    return {"problems": [asdict(p) for p in watch.problems.values()], "games": played, "asked": asked}


def play_one(watch: Watch, number: int, seed: int) -> None:
    """One game, again for each illegal answer; some of the games twice, to see whether they end alike."""
    players, length = 3 + number % 4, ("short", "standard")[number // 4 % 2]
    watch.exploring = number // 8 % 2 == 1
    watch.where = f"game {number} of seed {seed} ({players} players, {length})"
    mine = replace(watch.strategy, decide=watch.decide)
    others = load_strategy("random") if watch.exploring else mine
    setting = make_setting([others if p % 2 else mine for p in range(players)], length=length)
    for _ in range(len(NAMES)):  # each round of this retires a decision
        games = new_game(setting)
        watch.story = []
        try:
            rows = play(setting, seed, number, 1, games)
        except UserError:
            watch.tell_illegal(games[0])
            continue
        if number < REPLAYED:
            replay(watch, setting, seed, number, rows.tobytes())
        return


def replay(watch: Watch, setting: Any, seed: int, number: int, result: bytes) -> None:
    """The same game once more."""
    first, watch.story = watch.story, []
    asked, retired = watch.asked.copy(), len(watch.retired)
    try:
        again = play(setting, seed, number, 1).tobytes()
    except UserError:
        again = b""
    watch.asked = asked
    if (watch.story, again) == (first, result) or len(watch.retired) > retired:
        return
    steps = enumerate(zip(first, watch.story, strict=False))
    at = next((k for k, (one, other) in steps if one != other), min(len(first), len(watch.story)) - 1)
    round_no, question, _, _ = first[at]
    name = QUESTIONS[question].name
    text = f"{watch.where}, played twice, went two ways, first at '{name}' in round {round_no}"
    watch.tell("random", name, f"{text}; valid: luck from chance(seat, k) only, and no memory", None)


def look_for_luck(watch: Watch) -> None:
    """Sources of luck on paths that these games did not take."""
    if watch.strategy.built_in:
        return
    for name, function in watch.functions.items():
        for line, found in lucky_places(function):
            if ("random", name) not in watch.problems:
                watch.tell("random", name, f"'{name}' {found}; valid: chance(seat, k)", line)


# --- compiling -------------------------------------------------------------------------------------------
def compile_all(spec: str) -> Findings:
    """Each of the strategy's own functions through the compiler, by itself."""
    try:
        functions = functions_of(source_of(spec))
    except (Exception, SystemExit):  # told by the other process
        return NOTHING
    problems, told = [], set()
    for name, function in functions.items():
        try:
            compile_one(name, function)
        except Exception as error:  # numba raises all sorts
            file, line = place(error, function)
            if (file, line) not in told:
                told.add((file, line))
                shown_file = spec.partition(":")[0] if ".py" in spec else file
                text = f"'{name}' does not compile: {core_message(error)}; {advice(error)}"
                problems.append(Problem("compile", text, shown_file, line, name))
    return NOTHING | {"problems": [asdict(problem) for problem in problems]}


def source_of(spec: str) -> Any:
    """The class or module of a strategy, not made into one yet."""
    if spec in STRATEGIES["eti"]:
        return importlib.import_module(STRATEGIES["eti"][spec])
    path, _, name = spec.partition(":")
    module = load_file(Path(path))
    return getattr(module, name) if name else module


def compile_one(name: str, function: Any) -> None:
    """As `strategy.compile_decide` does it, for one decision."""
    option = NAMES[name].option is not None
    arguments = "table, seat, option" if option else "table, seat"
    names: dict[str, Any] = {"__name__": __name__, "function": jit(function, {})}
    exec(f"def ask({arguments}):\n    return float(function({arguments}))\n", names)
    dispatcher: Any = rule(names["ask"])
    dispatcher.compile((TABLE_TYPE, SEAT_TYPE, types.int64)[: 3 if option else 2])


def place(error: BaseException, function: Any) -> tuple[str, int]:
    """File and line a compiler's message is about."""
    file, first = function.__code__.co_filename, function.__code__.co_firstlineno
    text = plain_text(error)
    for other, line in places(error):
        if same_file(str(other), file):
            return file, line
    for word in re.findall(r"'(\w+)'", text):  # a name that is not there
        for one in reachable(function):
            if line := Source(file).mention(one.__code__.co_firstlineno, word) or 0:
                return file, line
    withs = [n for n in Source(file).nodes(first) if isinstance(n, ast.With)]
    return file, withs[0].lineno if withs and "context manager" in text else first


# --- describing ------------------------------------------------------------------------------------------
def describe(spec: str) -> Findings:
    """Idea, decisions and parameters."""
    strategy = load(spec)
    if isinstance(strategy, list):
        return NOTHING | {"problems": [asdict(problem) for problem in strategy]}
    core = importlib.import_module(CORE)
    defaults = {param.name: param.value for param in core.CORE_PARAMS}
    decisions = []
    for question in QUESTIONS:
        own = strategy.functions.get(question.name)
        how = inspect.getdoc(own or getattr(core, question.name)) or ""
        facts = {"name": question.name, "own": own is not None, "asks": question.text, "kind": question.kind}
        decisions.append(facts | {"option": question.option, "how": how.partition("\n\n")[0]})
    params = [asdict(param) | {"default": defaults.get(param.name)} for param in strategy.params]
    facts = {"name": strategy.name, "built_in": strategy.built_in, "idea": strategy.idea}
    return facts | {"decisions": decisions, "params": params, "problems": []}


def main(mode: str, spec: str, output: str, games: str = "1", seed: str = "1") -> None:
    """Do it and write the findings."""
    if mode == "play":
        findings = play_all(spec, int(games), int(seed))
    else:
        findings = compile_all(spec) if mode == "compile" else describe(spec)
    Path(output).write_text(json.dumps(findings), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
