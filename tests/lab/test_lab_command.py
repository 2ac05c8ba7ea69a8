"""Experiments from the command line, with the compiler: killed, interrupted, without room, asked wrongly."""

from __future__ import annotations

import json
import math
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from analysis.lab.stages import is_lab, load_result
from tests.lab.kit import content
from tests.runs.kit import OVER_BEFORE, environment, fine, refused, start, wait_for, xeno
from xenobalance.cli.main import run as front

TABLE_OPTIONS = ("--players", "3", "--length", "short", "--strategies", "cautious,gambler,climber")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@OVER_BEFORE
def test_killed_and_interrupted_it_comes_to_the_same_result(tmp_path: Path) -> None:
    """kill -9 in one stage, Ctrl-C in a later one, then to the end: the same as undisturbed."""
    question = ("compare", *TABLE_OPTIONS, "--b", "public_fame=12", "--sprt", "0,0.0005", "--games", "4000",
                "--jobs", 1, "--quiet")  # fmt: skip
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    fine(xeno(*question, "--out", undisturbed))

    def stages_done() -> int:
        return len(list(out.glob("stages/*/sums/*.parquet")))

    for how, enough in ((signal.SIGKILL, 3), (signal.SIGINT, 8)):
        with start(*question, "--out", out) as process:
            wait_for(lambda enough=enough: stages_done() >= enough, process)
            process.send_signal(how)
            said, complained = process.communicate(timeout=60)
        assert not (out / "result.json").exists(), "it was over before"
        assert "Traceback" not in complained
    assert process.returncode == 130
    assert said == ""
    assert (
        f"Stopped; what was played is kept in {out}. Go on with the same command: xenobalance compare"
        in complained
    )
    fine(xeno(*question, "--out", out))
    assert content(out) == content(undisturbed)
    assert len(content(out)) > 20


WRONG = [
    ("--b", "publik_fame=5"), ("--b", "public_fame=5", "--seed", "-1"), ("--b", "gambler->nowhere.py"),
    ("--b", "public_fame=5", "--metric", "seat:4"), ("--b", "public_fame=5", "--metric", "strategy:nobody"),
    ("--b", "public_fame=5", "--until", "nan"), ("--b", "public_fame=5", "--sprt", "0,0.03", "--alpha", "0.7"),
    ("--b", "public_fame=5", "--games", "0"), ("--b", "reroll line-up"),
]  # fmt: skip


@pytest.mark.parametrize("options", WRONG, ids=" ".join)
def test_a_mistake_leaves_no_folder(
    out: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything is checked before anything is written: the right command may use the same folder."""
    assert front(["compare", *TABLE_OPTIONS, *options, "--quiet", "--out", str(out)]) == 2
    said = capsys.readouterr()
    lines = said.err.strip().splitlines()
    assert (said.out, len(lines)) == ("", 1)
    assert lines[0].startswith("xenobalance: ")
    assert not is_lab(out)


def strict(text: str) -> Any:
    """JSON as others read it: without NaN and Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_json_is_json_and_says_the_same_as_the_folder(out: Path) -> None:
    """Also for a variant with itself and a test: nothing varies, and the ratio is still a number."""
    question = ("compare", *TABLE_OPTIONS, "--a", "public_fame=5", "--b", "public_fame=5", "--sprt", "0,0.03")
    text = fine(xeno(*question, "--games", 400, "--json", "--out", out, "--metric", "rounds"))
    found, kept = strict(text), load_result(out)
    assert found["facts"]["look"]["decision"] == "H0"
    assert math.isfinite(found["facts"]["look"]["llr"])
    assert (found["kind"], found["games"], found["verdict"]) == ("compare", kept.games, kept.verdict)
    assert found["folder"] == str(out)
    assert Path(found["page"]).is_file()
    assert {name: len(rows) for name, rows in found["tables"].items()} == {
        n: len(t) for n, t in kept.tables.items()
    }
    for row in found["tables"]["effects"]:
        assert (row["difference"], row["low"], row["high"], row["p"]) == (0, 0, 0, 1)
    strict((out / "result.json").read_text(encoding="utf-8"))
    strict((out / "lab.json").read_text(encoding="utf-8"))


@pytest.mark.skipif(os.name != "posix", reason="limits of a process")
def test_a_full_disk_is_one_line(out: Path) -> None:
    """No file may be larger than 6 kB: the first shard is."""
    import subprocess
    import sys

    text = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)); "
        "from xenobalance.cli.main import main; main(sys.argv[1:])"
    )
    question = [
        "compare",
        *TABLE_OPTIONS,
        "--b",
        "public_fame=5",
        "--games",
        "300",
        "--quiet",
        "--out",
        str(out),
    ]
    done = subprocess.run(
        [sys.executable, "-c", text, *question],
        capture_output=True, text=True, env=environment(), timeout=120, check=False,
    )  # fmt: skip
    assert "File too large" in refused(done)
    assert not list(out.rglob("*.part"))
