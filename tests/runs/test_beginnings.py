"""A folder that is only half made when the process is killed, and what else went wrong at the very beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim.folder
from sim.errors import UserError
from sim.folder import RunFolder
from sim.run import run
from sim.study import make_plan, read_study
from sim.workers import Workers
from tests.runs.kit import digest, small, small_run

FILES = (
    6  # five are written while a folder is made (marker, cards, rules, plan, manifest); then the first shard
)


class Killed(BaseException):
    """Stands for kill -9: nothing is put right afterwards."""


@pytest.mark.parametrize("survived", range(FILES))
def test_killed_while_the_folder_is_made(
    tmp_path: Path, survived: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any number of files, the same command plays the whole run."""
    whole = small_run(tmp_path / "whole", games=2)
    write, written = sim.folder.write_whole, []

    def dying(path: Path, content: bytes) -> None:
        if len(written) == survived:
            raise Killed
        written.append(path)
        write(path, content)

    out = tmp_path / "out"
    monkeypatch.setattr(sim.folder, "write_whole", dying)
    with pytest.raises(Killed):
        run(out, small(games=2), Workers(1))
    monkeypatch.setattr(sim.folder, "write_whole", write)
    assert small_run(out, games=2).complete
    assert digest(out) == digest(whole.path)
    assert not (out / sim.folder.BEGUN).exists()


def test_a_refused_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    with pytest.raises(UserError, match="neither empty nor a run"):
        run(tmp_path, small(), Workers(1))
    assert [path.name for path in tmp_path.iterdir()] == ["games"]
    assert not RunFolder.exists(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"cards": []}, "cards is \\[\\]; valid: at least one"),
        ({"line_up": []}, "no line_up \\[\\]; valid: seats, rotated, pool"),
        ({"line_up": ["seats"]}, "no line_up"),
        (
            {"alien": ["raiding-party", "Raiding Party"]},
            "cells 0 and 1 are the same; valid: each combination once",
        ),
    ],
)
def test_words_that_look_right(words: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        make_plan(words)
    assert len(caught.value.lines) == 1


@pytest.mark.parametrize("text", ['{"known_strategies": {}}', '{"known_strategies": 3, "players": []}'])
def test_a_plan_with_holes_is_no_study(tmp_path: Path, text: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"plan.json: not a plan; valid: plan.json as a run wrote it"):
        read_study(file)
