"""`xenobalance strategies`, called as from a shell, and what its check finds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sim.games.eti.asking import QUESTIONS
from sim.games.eti.strategy_check import Report, advice, check_strategy, core_message
from sim.registry import STRATEGIES
from xenobalance.cli.main import run
from xenobalance.cli.strategies import as_alien, class_name

ROOT = Path(__file__).resolve().parents[2]
NAMES = [question.name for question in QUESTIONS]
Capture = pytest.CaptureFixture[str]

HEAD = '''"""Strategies that are wrong; a comment names the problem that its line should be found with."""
import random
import numpy as np
from strategies.eti.toolbox import SUBMIT, chance, mine

'''


@pytest.fixture(autouse=True)
def hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def compiled(*args: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, with the compiler and its cache."""
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-m", "xenobalance.cli.main", *args]
    env["PYTHONPATH"] = str(ROOT)
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def checked(folder: Path, text: str, spec: str = ":Wrong", games: int = 3) -> tuple[Path, Report]:
    file = folder / "wrong.py"
    file.write_text(HEAD + text, encoding="utf-8")
    return file, check_strategy(f"{file}{spec}", games)


def marked(file: Path) -> set[tuple[int, str, str]]:
    """Line, kind and decision of every comment `# kind: decision`."""
    found = set()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        for kind, decision in re.findall(r"# (\w+): (\w+)$", line):
            found.add((number, kind, decision))
    return found


def found(report: Report) -> set[tuple[int | None, str, str | None]]:
    return {(problem.line, problem.kind, problem.decision) for problem in report.problems}


def text_of(report: Report, decision: str) -> str:
    return next(str(problem) for problem in report.problems if problem.decision == decision)


# --- list and show ----------------------------------------------------------------------------------------
def test_list_names_every_strategy(capsys: Capture) -> None:
    assert run(["strategies", "list"]) == 0
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines()) <= 100
    for name in STRATEGIES["eti"]:
        assert f" {name} " in out
    assert "never reveals before it must" in out


def test_list_json(capsys: Capture) -> None:
    assert run(["strategies", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows if row["idea"]] == list(STRATEGIES["eti"])
    assert {row["name"]: row["as_alien"] for row in rows}["gambler"] == "reveals as soon as it may"


def test_list_compiles_nothing() -> None:
    code = (
        "import sys\nfrom xenobalance.cli.main import run\nassert run(['strategies', 'list']) == 0\n"
        "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0


def test_what_is_said_about_the_alien() -> None:
    assert as_alien("Fast.\n\nAs the alien it\nwaits. Then it strikes.") == "waits"
    assert as_alien("Fast.") is None


def test_show(capsys: Capture) -> None:
    assert run(["strategies", "show", "scooper"]) == 0
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines()) <= 100
    assert "Inherited from core (28)" in out
    assert re.search(r"push +1\.05\* +1\.1 ", out)
    assert re.search(r"greed +12\* +- +worth of a rival's progress", out)


def test_show_json(capsys: Capture) -> None:
    assert run(["strategies", "show", "infiltrator", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert set(facts) == {"name", "built_in", "idea", "decisions", "params"}
    assert [decision["name"] for decision in facts["decisions"]] == NAMES
    assert [decision["name"] for decision in facts["decisions"] if decision["own"]] == ["reveal"]
    assert set(facts["params"][0]) == {"name", "value", "text", "default"}


@pytest.mark.parametrize("command", ["show", "check"])
def test_no_such_strategy_is_one_line(command: str, capsys: Capture) -> None:
    assert run(["strategies", command, "cautios"]) == 2
    captured = capsys.readouterr()
    assert (captured.out, len(captured.err.splitlines())) == ("", 1)
    assert "no strategy 'cautios' (did you mean 'cautious'?)" in captured.err
    assert run(["strategies", command, "/nowhere/mine.py:Mine"]) == 2
    assert "/nowhere/mine.py: no such strategy file" in capsys.readouterr().err


# --- new --------------------------------------------------------------------------------------------------
def test_new_then_check_then_play(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "my_first.py"
    assert run(["strategies", "new", str(file)]) == 0
    assert f"xenobalance strategies check {file}:MyFirst" in capsys.readouterr().out
    before = file.read_bytes()
    assert run(["strategies", "new", str(file)]) == 2
    assert capsys.readouterr().err == f"xenobalance: {file}: exists already; valid: another name\n"
    assert file.read_bytes() == before
    assert run(["strategies", "check", f"{file}:MyFirst", "--games", "4"]) == 0
    out = capsys.readouterr().out
    assert "Decisions asked in 4 games" in out
    assert out.endswith(f"{file}:MyFirst: no problem found\n")
    done = compiled("play", "--strategies", f"{file}:MyFirst", "--games", "50", "--json")
    assert json.loads(done.stdout)["games"] == 50, done.stderr


def test_new_to_nowhere(tmp_path: Path, capsys: Capture) -> None:
    for file, problem in {
        tmp_path / "no" / "mine.py": f"cannot be written: there is no folder {tmp_path / 'no'}",
        tmp_path / "mine.txt": "a strategy is a Python file; valid: a name that ends in .py",
    }.items():
        assert run(["strategies", "new", str(file)]) == 2
        assert capsys.readouterr().err == f"xenobalance: {file}: {problem}\n"


def test_class_names() -> None:
    stems = ("mine", "my_first-try", "3rd", "étude")
    assert [class_name(stem) for stem in stems] == ["Mine", "MyFirstTry", "Mine", "Tude"]


# --- check: what goes wrong in play -----------------------------------------------------------------------
WRONG_ANSWERS = '''
class Wrong:
    """Every kind of wrong answer."""

    def agenda(table, seat):
        if table.round_no > 1:
            return SUBMIT
        return 7  # illegal: agenda

    def offer_points(table, seat, company):
        return table.bank[mine(seat)] + 1  # illegal: offer_points

    def upgrade(table, seat, ability):
        return None  # number: upgrade

    def immunity(table, seat, threat):
        return float("nan")  # number: immunity

    def mash(table, seat, company):
        return float("inf")  # number: mash

    def break_tie(table, seat, company):
        return "me"  # number: break_tie

    def rate_project(table, seat, project):
        worth = table.cards.fame[project]
        table.bank[mine(seat)] += 100  # change: rate_project
        return worth

    def submission(table, seat):
        seat.params[3] += 1  # change: submission
        return 0

    def vault(table, seat, project):
        return 1 if random.random() > 0.5 else 0  # random: vault

    def rate_level(table, seat, level):
        return noise(level)

    def award(table, seat, company):
        return table.bank[99]  # error: award

    def vote(table, seat, company):
        number = 0
        while number < 1:
            number -= 1  # time: vote
        return number


def noise(level):
    return level + np.random.rand()  # random: rate_level
'''


def test_wrong_answers_are_found_with_their_lines(tmp_path: Path) -> None:
    file, report = checked(tmp_path, WRONG_ANSWERS, games=4)
    marks, problems = marked(file), found(report)  # the loop is stopped on one of its two lines
    assert {p for p in problems if p[1] not in ("time", "compile")} == {m for m in marks if m[1] != "time"}
    agenda = text_of(report, "agenda")
    assert agenda.startswith(f"{file}:")
    assert "'agenda' answered 7 as human in round 1 of game 0 of seed 1 (3 players, short)" in agenda
    assert agenda.endswith("valid: RESEARCH (0) or SUBMIT (1) or SWITCH (2)")
    assert re.search(r"valid: a whole number from 0 to \d+, the own bank", text_of(report, "offer_points"))
    assert "changed table.bank" in text_of(report, "rate_project")
    assert "changed seat.params" in text_of(report, "submission")
    assert "uses random.random" in text_of(report, "vault")
    assert "uses np.random.rand" in text_of(report, "rate_level")
    assert "gave no answer within 2 seconds" in text_of(report, "vote")
    assert all("\n" not in str(problem) for problem in report.problems)


COUNTER = """
ASKED = [0]


class Wrong:
    def reveal(table, seat):
        ASKED[0] += 1
        return 1 if ASKED[0] % 8 > 3 else 0


class Greedy:
    params = {"generosity": 3.0}
"""


def test_a_memory_shows_when_a_game_is_played_twice(tmp_path: Path) -> None:
    _, report = checked(tmp_path, COUNTER, games=4)
    assert "random" in {problem.kind for problem in report.problems}


def test_parameters_can_make_the_core_answer_wrongly(tmp_path: Path) -> None:
    _, report = checked(tmp_path, COUNTER, ":Greedy", games=4)
    assert [problem.kind for problem in report.problems] == ["illegal"]
    assert "(the core's function, with the strategy's parameters)" in text_of(report, "offer_points")


# --- check: what does not compile -------------------------------------------------------------------------
NOT_COMPILED = """
WORTH = {1: 5.0, 2: 7.0}


class Wrong:
    def rate_project(table, seat, project):
        return WORTH[table.cards.level[project] % 2 + 1]  # compile: rate_project

    def agenda(table, seat):
        import math  # compile: agenda
        return int(math.sqrt(1))

    def vote(table, seat, company):
        return max([company, 1], key=lambda k: -k)  # compile: vote

    def intel(table, seat):
        return int(any(k > 3 for k in range(3)))  # compile: intel

    def immunity(table, seat, threat):
        try:
            return 1 / threat
        except ZeroDivisionError:  # compile: immunity
            return 0

    def vault(table, seat, project):  # compile: vault
        return table.round_no > 3

    def lose(table, seat, project):
        return helper(table, seat)


def helper(table, seat):
    return table.bank[:2].tolist()[0]  # compile: lose
"""


def test_code_that_does_not_compile(tmp_path: Path) -> None:
    file, report = checked(tmp_path, NOT_COMPILED, games=1)
    assert found(report) == marked(file)
    for decision, words in {
        "rate_project": "Untyped global name 'WORTH'",
        "agenda": "put imports at the top of the file",
        "vote": "no key= and no lambda: find the best in a 'for' loop",
        "intel": "The use of yield in a closure is unsupported; no any(), all() or sum()",
        "immunity": "no try/except: test with 'if'",
        "vault": "answer 1 or 0: return 1 if ... else 0",
        "lose": "Unknown attribute 'tolist'",
    }.items():
        assert words in text_of(report, decision)


def test_complaints_in_one_line() -> None:
    error = ValueError(
        "Failed in nopython mode pipeline\n\x1b[1mCannot unify int64 and none for 'x'\x1b[0m\nmore"
    )
    assert core_message(error) == "ValueError: Cannot unify int64 and none for 'x'"
    assert "on every path" in advice(error)
    assert advice(KeyError("bnak")) == "there is no field 'bnak' in this record (did you mean 'bank'?)"
    assert "docs/writing-a-strategy.md" in advice(RuntimeError("?"))


# --- check: what is no strategy ---------------------------------------------------------------------------
NO_STRATEGY = {
    "a typo": (
        "class Wrong:\n    def agneda(table, seat):  # x\n        return 0\n",
        "(did you mean 'agenda'?)",
    ),
    "arguments": (
        "class Wrong:\n    def vote(table, seat):  # x\n        return 0\n",
        "(table, seat, company)",
    ),
    "self": ("class Wrong:\n    def agenda(self, table, seat):  # x\n        return 0\n", "without self"),
    "a text": (
        "class Wrong:\n    params = {\n        'push': 'much',  # x\n    }\n",
        "params['push'] is 'much'",
    ),
    "nan": (
        "class Wrong:\n    params = {\n        'push': float('nan'),  # x\n    }\n",
        "params['push'] is nan",
    ),
    "a list": ("class Wrong:\n    params = [1, 2]  # x\n", "params must be a dictionary"),
    "syntax": ("class Wrong:\n    def agenda(table, seat)  # x\n        return 0\n", "SyntaxError"),
    "an error": (
        "class Wrong:\n    pass\n\nnothing.here()  # x\n",
        "NameError: name 'nothing' is not defined",
    ),
    "the end": ("import sys\nclass Wrong:\n    pass\nsys.exit(3)  # x\n", "SystemExit: 3"),
}


@pytest.mark.parametrize("case", NO_STRATEGY)
def test_what_is_no_strategy(case: str, tmp_path: Path) -> None:
    text, words = NO_STRATEGY[case]
    file, report = checked(tmp_path, text)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [(problem.kind, problem.line) for problem in report.problems] == [
        ("definition", next(k for k, line in enumerate(lines, 1) if line.endswith("# x")))
    ]
    assert words in report.problems[0].text
    assert str(report.problems[0]).startswith(f"{file}:")


def test_a_class_must_be_named(tmp_path: Path) -> None:
    file, report = checked(tmp_path, "class Wrong:\n    pass\n", spec="")
    assert str(report.problems[0]).endswith(f"the strategy is a class in the file; valid: {file}:Wrong")


def test_a_typo_in_a_module(tmp_path: Path) -> None:
    _, report = checked(tmp_path, "def submision(table, seat):\n    return 0\n", spec="")
    assert report.problems[0].text == "no decision 'submision' (did you mean 'submission'?)"


# --- check: the command -----------------------------------------------------------------------------------
def test_check_as_a_command(tmp_path: Path, capsys: Capture) -> None:
    (file := tmp_path / "wrong.py").write_text(
        "class Wrong:\n    def agenda(table, seat):\n        return 7\n"
    )
    assert run(["strategies", "check", f"{file}:Wrong", "--games", "1"]) == 2
    captured = capsys.readouterr()
    assert re.search(r"agenda +own .* problem", captured.out)
    assert "no problem found" not in captured.out
    assert captured.err.startswith(f"xenobalance: {file}:3: 'agenda' answered 7 as ")
    assert len(captured.err.splitlines()) == 1
    assert run(["strategies", "check", f"{file}:Wrong", "--games", "1", "--json"]) == 2
    facts = json.loads(capsys.readouterr().out)
    assert set(facts) == {"strategy", "fine", "problems", "games", "asked", "never_asked"}
    assert not facts["fine"]
    assert set(facts["problems"][0]) == {"kind", "text", "file", "line", "decision", "message"}
    assert list(facts["asked"]) == NAMES


def test_check_a_built_in_one_asks_nearly_everything(capsys: Capture) -> None:
    assert run(["strategies", "check", "random", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["fine"], facts["games"]) == (True, 16)
    assert len(facts["never_asked"]) <= 2
    assert facts["asked"]["mash"] == {"own": True, "human": 0, "alien": facts["asked"]["mash"]["alien"]}


@pytest.mark.parametrize(("option", "value"), [("--games", "0"), ("--games", "201"), ("--seed", "-1")])
def test_options_out_of_range(option: str, value: str, capsys: Capture) -> None:
    assert run(["strategies", "check", "cautious", option, value]) == 2
    assert f"{option} {value}; valid: " in capsys.readouterr().err
