"""`xenobalance run` and `xenobalance runs`, called as from a shell; plain unless the compiler matters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.runs.kit import SHORT, edit, flip, small_run, xeno
from xenobalance.cli.main import run
from xenobalance.cli.run import Lines, Pace, given_words, size_text, span
from xenobalance.results import alien_rates, load

Capture = pytest.CaptureFixture[str]
FEW = (*SHORT, "--games", "4", "--chunk", "2", "--jobs", "1")


@pytest.fixture(autouse=True)
def hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def made(out: Path) -> Path:
    return small_run(out).path


def complaints(capsys: Capture, *args: object) -> list[str]:
    """What a refused command says: exit code 2, nothing on standard output, a line a problem."""
    assert run([str(arg) for arg in args]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Traceback" not in shown.err
    lines = shown.err.splitlines()
    assert all(line.startswith("xenobalance: ") for line in lines)
    return lines


# --- playing ---------------------------------------------------------------------------------------------
def test_a_run(out: Path, capsys: Capture) -> None:
    assert run(["run", str(out), *FEW]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{out}: 4 games, 12 seats in 2 of 2 chunks, ")
    assert shown.out.endswith(f"Look at it: xenobalance runs show {out}\n")
    lines = shown.err.splitlines()
    assert lines[0] == "0 of 4 games (0%)"
    assert lines[-1].startswith("4 of 4 games (100%), ")


def test_quiet(out: Path, capsys: Capture) -> None:
    assert run(["run", str(out), *FEW, "--quiet"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "4 games" in shown.out


def test_json(out: Path, capsys: Capture) -> None:
    assert run(["run", str(out), *FEW, "--acts", "--json"]) == 0
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert shown.err == ""
    assert facts["folder"] == str(out)
    assert facts["state"] == "complete"
    assert facts["planned"] == {"cells": 1, "games": 4, "chunks": 2}
    assert (facts["games"], facts["seats"], facts["chunks"]) == (4, 12, 2)
    assert facts["acts"] > 0
    assert facts["bytes"] == sum(file.stat().st_size for file in out.glob("*/*.parquet"))


def test_plain_lines_where_there_is_no_terminal(out: Path) -> None:
    """No bar, no colours, nothing that a log file would choke on."""
    done = xeno("run", out, *SHORT, "--games", "600", "--chunk", "60")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("600 of 600 games (100%)")


def test_a_dry_run_writes_nothing(out: Path, capsys: Capture) -> None:
    args = ["run", str(out), *FEW, "--rule", "max_rounds=5,6", "--games", "1,000", "--dry-run"]
    assert run_small_samples(args) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "2 cells" in shown
    assert "max_rounds=6" in shown
    assert "2,000 games in 1,000 chunks, line-up: seats, seed 1. Expected: about " in shown
    assert "with 1 workers here, about " in shown
    assert " on disk" in shown
    assert not out.exists()


def test_a_dry_run_as_json(out: Path, capsys: Capture) -> None:
    assert run_small_samples(["run", str(out), *FEW, "--dry-run", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["cells"], facts["games"], facts["chunks"], facts["jobs"]) == (1, 4, 2, 1)
    assert facts["expected_bytes"] > 1000
    assert facts["expected_seconds"] >= 0
    assert facts["plan"]["strategies"] == [["cautious", "gambler", "climber"]]
    assert not out.exists()


def run_small_samples(args: list[str]) -> int:
    """Plain games are slow: a dry run plays four of a cell instead of many hundred."""
    import sim.run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sim.run.expected, "__defaults__", (4,))
        return run(args)


def test_numbers_with_commas() -> None:
    words = given_words(
        {"players": ("3,4", "5"), "rules": ("ports=8,9", "ports=10"), "strategies": ("a,b", "c")}
    )
    assert words == {"players": [3, 4, 5], "rules": {"ports": [8, 9, 10]}, "strategies": [["a", "b"], ["c"]]}


# --- refused ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--players", "2"], "2 players; valid: 3 to 6"),
        (["--players", "7"], "7 players; valid: 3 to 6"),
        (["--players", "four"], "players is 'four'; valid: whole numbers"),
        (["--players", "3,3"], "players is 3; valid: each value once"),
        (["--length", "shrot"], "no length 'shrot' (did you mean 'short'?); valid: short, standard, epic"),
        (["--alien", "raidng-party"], "no alien 'raidng-party' (did you mean 'raiding-party'?); valid: "),
        (["--strategies", "cautios"], "no strategy 'cautios' (did you mean 'cautious'?); valid: "),
        (["--strategies", "random,random", "--players", "3"], "2 strategies for 3 players; valid: "),
        (["--strategies", "nowhere.py:Mine"], "nowhere.py: no such strategy file"),
        (["--line-up", "rotatd"], "no line_up 'rotatd' (did you mean 'rotated'?); valid: "),
        (["--cards", "nowhere.toml"], "nowhere.toml: cannot be read: No such file or directory"),
        (["--rule", "prots=9"], "rules: no rule option 'prots' (did you mean 'ports'?); valid: "),
        (["--rule", "ports=99"], "rules: ports: 99 is too high; valid: "),
        (["--rule", "ports=x"], "rules: ports: 'x' is not a whole number; valid: "),
        (["--rule", "ports=8,8"], "rules.ports is 8; valid: each value once"),
        (["--rule", "ports"], "--rule: 'ports' is not of the form name=value"),
        (["--games", "0"], "games is 0; valid: a whole number from 1"),
        (["--games", "-1"], "games is -1; valid: a whole number from 1"),
        (["--seed", "-1"], "seed is -1; valid: a whole number from 0"),
        (["--seed", str(2**63)], "seed is 9223372036854775808; valid: a whole number from 0"),
        (["--chunk", "0"], "chunk is 0; valid: a whole number from 1"),
        (["--study", "nowhere.toml"], "nowhere.toml: no such study file"),
        (
            ["--backend", "threds"],
            "no backend 'threds' (did you mean 'threads'?); valid: threads, processes, dask",
        ),
        (["--jobs", "-1"], "-1 jobs; valid: 1 or more, or 0 for one for each core"),
        (["--scheduler", "tcp://x:1"], "--scheduler with --backend threads; valid: with --backend dask"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options(out: Path, capsys: Capture, options: list[str], told: str) -> None:
    line_up = () if "--strategies" in options else ("--strategies", "random")
    lines = complaints(capsys, "run", out, *line_up, *options)
    assert len(lines) == 1
    assert told in lines[0]
    assert not out.exists()


@pytest.mark.parametrize("option", ["--games", "--seed", "--chunk", "--jobs"])
def test_no_number(out: Path, capsys: Capture, option: str) -> None:
    lines = complaints(capsys, "run", out, option, "many")
    assert len(lines) == 2
    assert option in lines[0]
    assert lines[1] == "xenobalance: see 'xenobalance run --help'"


def test_all_problems_at_once(out: Path, capsys: Capture) -> None:
    lines = complaints(
        capsys, "run", out, "--games", "0", "--seed", "-1", "--rule", "prots=1", "--strategies", "x"
    )
    assert len(lines) == 4
    assert not out.exists()


def test_a_folder_that_is_not_empty(out: Path, capsys: Capture) -> None:
    out.mkdir()
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    assert "neither empty nor a run" in complaints(capsys, "run", out, *FEW, "--quiet")[0]


def test_another_plan(made: Path, capsys: Capture) -> None:
    lines = complaints(capsys, "run", made, *SHORT, "--games", "6", "--chunk", "2", "--seed", "3")
    assert len(lines) == 1
    assert (
        "holds a run of another plan: seed was 1, now 3; valid: the same plan, or another folder" in lines[0]
    )


def test_damage(made: Path, capsys: Capture) -> None:
    flip(made / "games" / "00000-000001.parquet")
    lines = complaints(capsys, "run", made)
    assert lines == [
        f"xenobalance: {made}: damaged: games/00000-000001.parquet: not as it was written; valid: --repair, which "
        "plays it again"
    ]
    assert run(["run", str(made), "--repair", "--jobs", "1"]) == 0
    assert "1 damaged chunks are played again" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["run"], ["runs", "show"], ["runs", "verify"]])
@pytest.mark.parametrize(
    ("schema", "told"), [(0, "play it again, into a new folder"), (99, "a newer xenobalance")]
)
def test_other_schemas(made: Path, capsys: Capture, command: list[str], schema: int, told: str) -> None:
    edit(made / "manifest.json", schema=schema)
    lines = complaints(capsys, *command, made)
    assert len(lines) == 1
    assert f"records of schema {schema}, " in lines[0]
    assert f"valid: {told}" in lines[0]


@pytest.mark.parametrize("command", ["show", "verify"])
def test_no_run_to_look_at(tmp_path: Path, capsys: Capture, command: str) -> None:
    assert "no such folder; valid: " in complaints(capsys, "runs", command, tmp_path / "none")[0]
    assert "not a run: it has no manifest.json; valid: " in complaints(capsys, "runs", command, tmp_path)[0]


# --- looking at runs -------------------------------------------------------------------------------------
def test_show(made: Path, capsys: Capture) -> None:
    assert run(["runs", "show", str(made)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ": complete, 6 of 6 games" in shown
    assert "seed 1, line-up seats, begun " in shown
    assert "How often the alien wins" in shown
    facts = alien_rates(load(made))[0]
    assert f" {facts['rate']:.1%} {facts['low']:.1%} {facts['high']:.1%} 6 " in shown
    assert "Most card values are assumed" in shown
    assert "Go on with" not in shown


def test_show_as_json(made: Path, capsys: Capture) -> None:
    assert run(["runs", "show", str(made), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["state"], facts["counts"]["games"]) == ("complete", 6)
    assert facts["plan"] == json.loads((made / "plan.json").read_text(encoding="utf-8"))
    (cell,) = facts["cells"]
    assert cell["n"] == 6
    assert 0 <= cell["low"] <= cell["rate"] == cell["wins"] / 6 <= cell["high"] <= 1


def test_show_an_unfinished_run(made: Path, capsys: Capture) -> None:
    (made / "receipts.jsonl").write_bytes(b"")
    edit(made / "manifest.json", state="running")
    assert run(["runs", "show", str(made)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ": unfinished, 0 of 6 games" in shown
    assert "Go on with: xenobalance run" in shown


def test_verify(made: Path, capsys: Capture) -> None:
    assert run(["runs", "verify", str(made), "--sample", "2"]) == 0
    assert capsys.readouterr().out == (
        f"{made}: 3 chunks with 6 games looked at, 2 games played again: all as it was.\n"
    )
    assert run(["runs", "verify", str(made), "--sample", "1", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["ok"], facts["chunks"], facts["replayed"], facts["problems"]) == (True, 3, 1, [])


def test_verify_finds_damage(made: Path) -> None:
    flip(made / "seats" / "00000-000002.parquet")
    done = xeno("runs", "verify", made)
    assert done.returncode == 2
    assert f"xenobalance: {made}: seats/00000-000002.parquet: not as it was written" in done.stderr
    assert f"xenobalance run {made} --repair" in done.stderr
    done = xeno("runs", "verify", made, "--json")
    assert done.returncode == 2
    facts = json.loads(done.stdout)
    assert facts["ok"] is False
    assert facts["problems"] == ["seats/00000-000002.parquet: not as it was written"]


def test_a_negative_sample(made: Path, capsys: Capture) -> None:
    assert complaints(capsys, "runs", "verify", made, "--sample", "-1") == [
        "xenobalance: a sample of -1 games; valid: 0 or more"
    ]


# --- watching --------------------------------------------------------------------------------------------
def test_pace() -> None:
    clock = iter([0.0, 0.0, 2.0, 2.0])
    pace = Pace(lambda: next(clock))
    assert pace.told(100, 1_100) == ""
    assert pace.told(600, 1_100) == "250 a second, 2 s left"


def test_a_line_every_ten_seconds(capsys: Capture) -> None:
    now = 0.0
    lines = Lines()
    lines.pace = Pace(lambda: now)
    for now in (0.0, 4.0, 8.0, 11.0, 15.0):
        lines(int(now), 15, "")
    assert [line.split(" of ")[0] for line in capsys.readouterr().err.splitlines()] == ["0", "11", "15"]


@pytest.mark.parametrize(("seconds", "told"), [(12, "12 s"), (600, "10 min"), (36_000, "10.0 h")])
def test_span(seconds: float, told: str) -> None:
    assert span(seconds) == told


@pytest.mark.parametrize(("size", "told"), [(12, "12 bytes"), (17_400, "17 kB"), (2e13, "20.0 TB")])
def test_size(size: float, told: str) -> None:
    assert size_text(size) == told
