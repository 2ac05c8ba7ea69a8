"""The front door: help, version, and what the user sees when something is wrong."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from sim.errors import UserError
from xenobalance.cli import main as front

ROOT = Path(__file__).resolve().parents[2]


def python(*args: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter in the project's folder."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, env=env, check=False)


@pytest.fixture
def command_that(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Makes every subcommand one that does just this."""

    def replace(body: Callable[[], None]) -> None:
        command = click.Command("play", callback=body)
        monkeypatch.setattr(front.LazyGroup, "get_command", lambda self, ctx, name: command)

    return replace


def raising(error: BaseException) -> Callable[[], None]:
    def body() -> None:
        raise error

    return body


def test_help_lists_every_command_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.run(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, (_, text) in front.COMMANDS.items():
        assert f"{name} " in shown
        assert text in shown


def test_the_commands() -> None:
    assert set(front.COMMANDS) == {
        "cards", "compare", "knockout", "levels", "luck", "metagame", "play", "report", "restrict", "rules", "run",
        "runs",
        "score", "sensitivity", "strategies", "sweep", "trace", "train", "tune",
    }  # fmt: skip


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("xenobalance ")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_do_not_wait_for_numba(option: str) -> None:
    code = (
        "import sys\n"
        "from xenobalance.cli.main import run\n"
        f"assert run(['{option}']) == 0\n"
        "heavy = {'numba', 'numpy', 'rich', 'polars'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    front.run([])
    shown = capsys.readouterr()
    assert "Commands:" in shown.out + shown.err


def test_an_unknown_command_is_one_line_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.run(["paly"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "xenobalance: no command 'paly' (did you mean 'play'?)",
        "xenobalance: see 'xenobalance --help'",
    ]


def test_an_unknown_option_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.run(["--nonsense"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "--nonsense" in lines[0]


def test_a_user_error_is_its_lines(command_that: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command_that(raising(UserError(["mine.toml: no card 'x9'", "mine.toml: 39 projects, not 40"])))
    assert front.run(["play"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "xenobalance: mine.toml: no card 'x9'",
        "xenobalance: mine.toml: 39 projects, not 40",
    ]


def test_interrupted(command_that: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command_that(raising(KeyboardInterrupt()))
    assert front.run(["play"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_full_disk_is_one_line(command_that: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command_that(raising(OSError(errno.ENOSPC, "No space left on device", "out/games.txt")))
    assert front.run(["play"]) == 2
    assert capsys.readouterr().err == "xenobalance: out/games.txt: No space left on device\n"


def test_a_bug_keeps_its_traceback(command_that: Any) -> None:
    command_that(raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        front.run(["play"])


def test_a_reader_that_goes_away_is_no_news() -> None:
    code = (
        "import click, sys\n"
        "from xenobalance.cli import main as front\n"
        "def body():\n"
        "    for line in range(100_000): print('a line of the story', line)\n"
        "front.LazyGroup.get_command = lambda self, ctx, name: click.Command('play', callback=body)\n"
        "front.main(['play'])"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_device_is_one_line() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "xenobalance.cli.main", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["xenobalance: No space left on device"]


def test_the_public_names_are_lazy() -> None:
    code = "import sys, xenobalance\nsys.exit('numpy' in sys.modules or 'simulate' not in dir(xenobalance))"
    assert python("-c", code).returncode == 0


def test_an_unknown_public_name() -> None:
    import xenobalance

    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = xenobalance.nothing_of_the_kind
