"""Checking a strategy: is every answer a legal number, does it leave the table alone, does it compile?

The strategy itself runs in processes of its own (`strategy_probe`): once as plain Python, where every answer
can be watched, and once through the compiler. A strategy that hangs or crashes takes nothing else down.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import UserError, did_you_mean

PROBE = "sim.games.eti.strategy_probe"
PLAY_SECONDS, COMPILE_SECONDS, DESCRIBE_SECONDS = 90, 180, 60
GAMES = 16  # a few seconds; each player number and length, alone and among random players
MOST_GAMES = 200
#: modules whose answers differ from one call to the next
LUCK = ("random", "numpy.random", "numpy.random.mtrand", "secrets", "time", "datetime", "uuid")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a strategy.

    `kind` is 'definition', 'illegal', 'number', 'change', 'random', 'error', 'time' or 'compile'.
    """

    kind: str
    text: str
    file: str | None = None
    line: int | None = None
    decision: str | None = None

    def __str__(self) -> str:
        where = (
            f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        )
        return where + self.text


@dataclass(frozen=True)
class Report:
    """What a check found. `asked` counts, for each decision, how often it was asked as human and as alien."""

    strategy: str
    problems: tuple[Problem, ...]
    games: int
    asked: Mapping[str, Mapping[str, Any]]

    @property
    def fine(self) -> bool:
        return not self.problems

    @property
    def never_asked(self) -> list[str]:
        """Decisions that did not come up in these games."""
        return [name for name, count in self.asked.items() if not count["human"] + count["alien"]]

    def to_dict(self) -> dict[str, Any]:
        """As `strategies check --json` prints it."""
        return {
            "strategy": self.strategy,
            "fine": self.fine,
            "problems": [asdict(problem) | {"message": str(problem)} for problem in self.problems],
            "games": self.games,
            "asked": self.asked,
            "never_asked": self.never_asked,
        }


def check_strategy(spec: str, games: int = GAMES, seed: int = 1) -> Report:
    """Check a strategy by name or file, in both roles and with 3 to 6 players.

    Parameters
    ----------
    spec
        `path/to/mine.py:Mine`, `path/to/mine.py` or the name of a built-in strategy.
    games
        How many games the strategy is watched in.
    seed
        The seed of their luck; a problem's line names it and the game's number.
    """
    if not 1 <= games <= MOST_GAMES:
        raise UserError(f"--games {games}; valid: 1 to {MOST_GAMES}")
    if not 0 <= seed < 2**63:
        raise UserError(f"--seed {seed}; valid: 0 to {2**63 - 1}")
    with tempfile.TemporaryDirectory(prefix="xenobalance-") as folder:
        compiling = _start("compile", spec, Path(folder), plain=False)
        try:
            watching = _start("play", spec, Path(folder), str(games), str(seed), plain=True)
            played = _finish(watching, "play", spec, Path(folder), PLAY_SECONDS)
            compiled: dict[str, Any] = {"problems": []}
            if not any(problem["kind"] == "definition" for problem in played["problems"]):
                compiled = _finish(compiling, "compile", spec, Path(folder), COMPILE_SECONDS)
        finally:  # also when interrupted
            compiling.kill()
            compiling.wait()
    problems = [Problem(**facts) for facts in played["problems"]]
    problems += [p for p in (Problem(**facts) for facts in compiled["problems"]) if not _told(p, problems)]
    problems.sort(key=lambda problem: (problem.file or "", problem.line or 0))
    return Report(spec, tuple(problems), played.get("games", 0), played.get("asked", {}))


def _told(complaint: Problem, problems: list[Problem]) -> bool:
    """Whether a compiler's complaint only repeats what was seen in play: same line, or no number, or a counter."""
    for problem in problems:
        if problem.line == complaint.line and problem.file == complaint.file:
            return True
        if problem.decision == complaint.decision:
            if problem.kind == "number" and re.search(r"float\(|string to float", complaint.text):
                return True
            if problem.kind == "random" and "STORE_GLOBAL" in complaint.text:
                return True
    return False


def describe_strategy(spec: str) -> dict[str, Any]:
    """Idea, decisions and parameters of a strategy, without compiling it."""
    with tempfile.TemporaryDirectory(prefix="xenobalance-") as folder:
        process = _start("describe", spec, Path(folder), plain=True)
        facts = _finish(process, "describe", spec, Path(folder), DESCRIBE_SECONDS)
    if facts["problems"]:
        raise UserError([str(Problem(**problem)) for problem in facts["problems"]])
    return facts


# --- the processes ---------------------------------------------------------------------------------------
def _start(mode: str, spec: str, folder: Path, *more: str, plain: bool) -> subprocess.Popen[bytes]:
    """A probe that writes its findings to a file; whatever the strategy prints goes nowhere."""
    root = str(Path(__file__).resolve().parents[3])
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    if plain:
        env["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-P", "-m", PROBE, mode, spec, str(folder / mode), *more]
    nowhere = subprocess.DEVNULL
    with open(folder / f"{mode}.err", "wb") as errors:
        return subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=errors, env=env)


def _finish(
    process: subprocess.Popen[bytes], mode: str, spec: str, folder: Path, seconds: float
) -> dict[str, Any]:
    """The findings of a probe; one that does not end, or ends without findings, is a problem of its own."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return {
            "problems": [_problem("time", f"{spec}: '{mode}' took more than {seconds:g} seconds: stopped")]
        }
    finally:
        process.kill()
        process.wait()
    file = folder / mode
    if file.exists():
        facts = json.loads(file.read_text(encoding="utf-8"))
        assert isinstance(facts, dict)
        return facts
    last = (folder / f"{mode}.err").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    why = f": {last[0][:200]}" if last else ""
    return {
        "problems": [_problem("error", f"{spec}: '{mode}' ended with exit code {process.returncode}{why}")]
    }


def _problem(kind: str, text: str) -> dict[str, Any]:
    return asdict(Problem(kind, text))


# --- the compiler's complaints in plain words ------------------------------------------------------------
#: what numba says -> what to write instead; the first that fits is taken
ADVICE: tuple[tuple[str, str], ...] = (
    (r"exception_match|\btry\b|except block", "no try/except: test with 'if' before you calculate"),
    (r"Untyped global name '\w+'.*dict", "no dictionaries from outside: write a tuple, an 'if', or `params`"),
    (r"Untyped global name '\w+'.*(list|set)\b", "write it as a tuple: NAME = (1, 2, 3)"),
    (r"Untyped global name", "from outside a function use only numbers, tuples of numbers and functions"),
    (
        r"NameError|is not defined",
        "define it in the file, or import it: from strategies.eti.toolbox import ...",
    ),
    (r"float\(bool\)", "answer 1 or 0: return 1 if ... else 0"),
    (r"float\((none|OptionalType)", "every way through the function must end with 'return' and a number"),
    (r"could not convert string to float|float\((unicode|Literal\[str\])", "return a number, not a text"),
    (r"Cannot unify|not able to unify", "a variable, or an answer, must be a number on every path"),
    (r"yield in a closure", "no any(), all() or sum() over a generator: write a 'for' loop"),
    (r"IMPORT_NAME|IMPORT_FROM", "put imports at the top of the file"),
    (r"STORE_GLOBAL|DELETE_GLOBAL", "a strategy has no memory: work everything out from table and seat"),
    (r"LOAD_BUILD_CLASS", "no classes inside a function"),
    (r"context manager|with statement", "no 'with', no files: a strategy may only calculate"),
    (r"_lambda_|keyword argument 'key'|\['key'\]", "no key= and no lambda: find the best in a 'for' loop"),
    (r"index type Record|getitem\(.*Record", "index with a number: mine(seat) is your own seat's"),
    (
        r"Cannot bind|missing a required argument|too many positional",
        "give the function the arguments it takes",
    ),
    (r"Unknown attribute|has no attribute", "numbers and arrays have few methods here: use a 'for' loop"),
    (r"cannot (determine|infer) .*type.*(recurs)|recursion", "no recursion: write a loop"),
    (r"unicode_type|reflected set|DictType|dict", "use numbers only: no texts, sets or dictionaries"),
)
OTHERWISE = "write it with numbers, 'if' and 'for': see docs/writing-a-strategy.md, 'What compiles'"


def plain_text(error: BaseException) -> str:
    """A compiler's message without colours, records spelled out or addresses."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    text = re.sub(r"Record\(\w+\[.*?\);\d+;(True|False)\)", "Record", text)
    text = re.sub(r"Cannot bind 'args=.*?' to", "Cannot bind the arguments to", text, flags=re.DOTALL)
    text = re.sub(r"Record\(\[.*?\]\)", "Record", text)
    text = re.sub(r"<function (\S+) at 0x[0-9a-f]+>", r"\1", text)
    return text.replace("CPUDispatcher", "")


def core_message(error: BaseException) -> str:
    """The one line of a compiler's message that says what it is about."""
    text = plain_text(error)
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in nopython", "- Resolution"))]
    found = lines[0] if lines else type(error).__name__
    if found.startswith("No implementation of function"):
        call = next((line.removeprefix(">>> ") for line in lines if line.startswith(">>> ")), "")
        found = f"no implementation of {call}"
        reasons = [lines[k + 1] for k, line in enumerate(lines[:-1]) if line.startswith("Rejected as")]
        if reasons:
            found += f" ({reasons[-1]})"
    if isinstance(error, KeyError | AttributeError | NameError | ValueError):
        found = f"{type(error).__name__}: {found}"
    found = re.sub(r"\.? Raised from .*", "", found).removesuffix(".")
    return found if len(found) <= 180 else found[:179] + "…"


def places(error: BaseException) -> Iterator[tuple[Path, int]]:
    """The files and lines that a compiler's message names, the innermost first."""
    pattern = r"(?:at|from) (\S[^\n]*?\.py) \((\d+)\)|File \"([^\"]+\.py)\", line (\d+)"
    for found in re.finditer(pattern, plain_text(error)):
        yield Path(found[1] or found[3]).resolve(), int(found[2] or found[4])


def complaint_place(error: BaseException, files: Iterable[str]) -> str:
    """'mine.py:12: ' if the message names a line of one of these files, else ''."""
    own = {Path(file).resolve(): file for file in files}
    return next((f"{own[file]}:{line}: " for file, line in places(error) if file in own), "")


def field_hint(name: str) -> str:
    """A field of table, seat, cards or rules with nearly this name."""
    from sim.games.eti.state import CARDS, RULES, SEAT, TABLE

    return did_you_mean(name, [field for kind in (TABLE, SEAT, CARDS, RULES) for field in kind.names or ()])


def advice(error: BaseException) -> str:
    """What to write instead."""
    text = plain_text(error)
    if isinstance(error, KeyError):
        return f"there is no field '{error.args[0]}' in this record{field_hint(str(error.args[0]))}"
    return next((advice for sign, advice in ADVICE if re.search(sign, text, re.DOTALL)), OTHERWISE)


# --- where things stand in a source file -----------------------------------------------------------------
class Source:
    """A strategy's file, read but not run: on which line is what?"""

    def __init__(self, file: str) -> None:
        self.file = file
        try:
            self.tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        except (OSError, SyntaxError, ValueError):  # no file (a notebook cell), or not Python: no lines
            self.tree = ast.Module([], [])

    def line_of(self, name: str, owner: str = "") -> int | None:
        """Where a function, or an entry of `params`, is written; with `owner`, first within that class."""
        for scope in (*self._classes(owner), self.tree):
            for node in ast.walk(scope):
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return node.lineno
                if isinstance(node, ast.Dict):
                    for key in node.keys:
                        if isinstance(key, ast.Constant) and key.value == name:
                            return key.lineno
                if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                    return node.lineno
        return None

    def _classes(self, name: str) -> list[ast.ClassDef]:
        return [n for n in ast.walk(self.tree) if isinstance(n, ast.ClassDef) and n.name == name]

    def nodes(self, first_line: int) -> list[ast.AST]:
        """All that stands in the function that begins on a line (its decorators count)."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                if first_line in (node.lineno, *(d.lineno for d in node.decorator_list)):
                    return list(ast.walk(node))
        return []

    def mention(self, first_line: int, name: str) -> int | None:
        """Where a function mentions a name or an attribute."""
        for node in self.nodes(first_line):
            if name in (getattr(node, "id", None), getattr(node, "attr", None)):
                return int(getattr(node, "lineno", first_line))
        return None

    def luck(self, first_line: int, names: Mapping[str, Any]) -> tuple[int, str] | None:
        """Where a function takes randomness, the time or a global counter; `names` are its globals."""
        for node in self.nodes(first_line):
            if isinstance(node, ast.Global):
                return node.lineno, f"changes the global {', '.join(node.names)}"
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                path = ast.unparse(node)
                if _lucky(names, path):
                    return node.lineno, f"uses {path}"
        return None


def _lucky(names: Mapping[str, Any], path: str) -> bool:
    """Whether a dotted name is a source of randomness or time."""
    first, *rest = path.split(".")
    value = names.get(first)
    for attribute in rest:
        value = getattr(value, attribute, None)
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(getattr(value, "__self__", None), random.Random) or str(home) in LUCK
