"""Experiments in folders: stopped anywhere and gone on with to the same result; what is not theirs is refused."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import analysis.lab.stages as stages
import sim.folder
from analysis.lab.stages import Lab, Result, base_words, is_lab, load_result, plain, stage_folders
from sim.errors import UserError
from sim.games.eti.cards import dump_cards
from sim.games.eti.strategy import load_strategy
from sim.run import run
from sim.workers import Workers
from tests.lab.kit import CARDS, TABLE, content, play_all
from tests.runs.kit import flip

WORDS = {"base": {"players": 3, "length": "short"}, "variants": [[], ["public_fame=0"]], "seed": 1}
NOTHING = Result("toy", "nothing", {}, {}, {}, [])
SMALL = {**TABLE, "games": 3, "changes": [[], ["public_fame=0"]]}
TABLE_OPTIONS = ("--players", "3", "--length", "short", "--strategies", "cautious,gambler,climber")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stages of a few games, played once with the compiler: `made` is laid upon copies of them."""
    out = tmp_path_factory.mktemp("played") / "stages"
    out.mkdir()
    words = {**SMALL, "keep": "sums", "chunk": 60}
    play_all([(out / "first", words, (1,)), (out / "second", words | {"skip": 3, "games": 6}, (1,))])
    return out


def made(out: Path | None, words: Mapping[str, Any] = WORDS) -> Result:
    """An experiment of two stages, of which the second hangs on the first."""
    with Lab("toy", words, out, Workers(1)) as lab:
        first = lab.stage("first", SMALL, ["a", "b"])
        second = lab.stage("second", {**SMALL, "skip": first.rows, "games": 2 * first.rows}, ["a", "b"])
        both = first + second
        table = pl.DataFrame({"arm": both.labels, "rounds": both.means("rounds")})
        facts = {"rows": both.rows, "first": first.games}
        return lab.finish(
            Result("toy", "a toy", {}, facts, {"main": table, "more": table}, ["said"], ["careful"])
        )


@pytest.fixture
def whole(out: Path, played: Path) -> Path:
    """A finished experiment."""
    shutil.copytree(played, out / "stages")
    (out / "lab.json").write_bytes(stages._json({"schema": 1, "kind": "toy", "words": WORDS}))
    made(out)
    return out


def complaint(out: Path, words: Mapping[str, Any] = WORDS) -> str:
    with pytest.raises(UserError) as caught:
        made(out, words)
    assert len(caught.value.lines) == 1
    return caught.value.lines[0]


# --- what is kept --------------------------------------------------------------------------------------------
def test_a_result_comes_back_as_it_was(whole: Path) -> None:
    result = load_result(whole)
    assert (result.kind, result.title, result.words, result.games) == ("toy", "a toy", WORDS, 18)
    assert (result.verdict, result.warnings, result.facts) == (["said"], ["careful"], {"rows": 9, "first": 3})
    assert list(result.tables) == ["main", "more"]
    assert result.tables["main"]["arm"].to_list() == ["a", "b"]
    assert result.folder == whole
    assert is_lab(whole)
    assert [folder.path.name for folder in stage_folders(whole)] == ["first", "second"]


def test_a_finished_experiment_is_only_read(whole: Path) -> None:
    before = content(whole)
    times = {path: path.stat().st_mtime_ns for path in whole.glob("stages/**/*.parquet")}
    again = made(whole)
    assert content(whole) == before
    assert {path: path.stat().st_mtime_ns for path in whole.glob("stages/**/*.parquet")} == times
    assert again.games == 18


def test_without_a_folder_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Lab, "stage", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    for words, error in ((WORDS, KeyboardInterrupt), ({"x": object()}, UserError)):
        with pytest.raises(error):
            made(None, words)
        assert not list(tmp_path.iterdir())


def test_a_result_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Lab("toy", WORDS, None) as lab:
        assert lab.path.is_dir()
        result = lab.finish(Result("toy", "t", {}, {}, {"main": pl.DataFrame({"a": [1]})}, []))
    assert result.folder is None
    assert result.tables["main"]["a"].to_list() == [1]
    assert not list(tmp_path.iterdir())


# --- stopped in the middle -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "lost", [["result.json"], ["result.json", "tables"], ["result.json", "tables", "stages/second"]]
)
def test_what_was_not_finished_is_finished(whole: Path, lost: list[str]) -> None:
    """As a kill leaves it, between any two steps."""
    before = content(whole)
    for name in lost:
        place = whole / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(UserError, match="not finished; valid: the same command again"):
        load_result(whole)
    made(whole)
    assert content(whole) == before


def test_a_kill_at_any_file_is_made_good(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th file that is to be written is not, for every n; what is there is gone on with."""
    write, room = sim.folder.write_whole, [0]

    def write_while_there_is_room(path: Path, data: bytes) -> None:
        if room[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        room[0] -= 1
        write(path, data)

    failures = 0
    with monkeypatch.context() as patch:
        for module in (sim.folder, stages):
            patch.setattr(module, "write_whole", write_while_there_is_room)
        while not (out / "result.json").exists():
            room[0] = failures  # one file more each time
            with contextlib.suppress(OSError, UserError):
                made(out)
            failures += 1
            assert not list(out.rglob("*.part"))
            assert failures < 40
    assert failures > 4
    first = content(out)
    shutil.rmtree(out)
    made(out)
    assert content(out) == first


# --- what is not the same ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({**WORDS, "seed": 2}, "seed was 1, now 2"),
        (
            {**WORDS, "variants": [[], ["public_fame=1"]]},
            "variants was [[], ['public_fame=0']], now [[], ['public_fame=1']]",
        ),
        ({**WORDS, "more": 1}, "more was None, now 1"),
        ({"seed": 1}, "variants was"),
    ],
)
def test_another_experiment_in_the_folder(whole: Path, words: dict[str, Any], told: str) -> None:
    before = content(whole)
    message = complaint(whole, words)
    assert f"{whole} holds another experiment: " in message
    assert told in message
    assert message.endswith("; valid: the same, or another folder")
    assert content(whole) == before


@pytest.mark.parametrize("key", ["strategies", "rules", "cards", "line_up"])
def test_another_table_is_named(out: Path, key: str) -> None:
    """The base is a table of many words: the one that is different is told."""
    base = base_words(players=3, length="short", strategies="cautious")
    other = {"strategies": ["gambler"], "rules": {"public_fame": 3}, "cards": "x.toml", "line_up": "rotated"}
    with Lab("toy", {"base": base}, out) as lab:
        lab.finish(NOTHING)
    with pytest.raises(UserError) as caught, Lab("toy", {"base": {**base, key: other[key]}}, out):
        pass
    assert key in caught.value.lines[0]


def test_an_experiment_of_another_kind(whole: Path) -> None:
    told = "holds an experiment of kind toy; valid: another folder"
    with pytest.raises(UserError, match=told), Lab("compare", WORDS, whole):
        pass


def test_folders_of_others(tmp_path: Path, played: Path, whole: Path) -> None:
    """Neither a run, nor somebody's files, nor a file; and no run in an experiment."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "holiday.jpg").write_bytes(b"sun")
    assert complaint(files) == f"{files}: neither empty nor an experiment; valid: a new folder"
    assert [path.name for path in files.iterdir()] == ["holiday.jpg"]
    assert "neither empty nor an experiment" in complaint(played / "first")
    assert "not a folder; valid: a new folder" in complaint(files / "holiday.jpg")
    with pytest.raises(UserError, match="neither empty nor a run"):
        run(whole, TABLE and stages.make_plan(SMALL), Workers(1))
    for path in (files, tmp_path / "nowhere"):
        with pytest.raises(UserError, match="no experiment is here"):
            load_result(path)


def test_an_empty_folder_is_fine(out: Path) -> None:
    out.mkdir()
    (out / ".lock").touch()
    (out / "lab.json.123-abcd.part").touch()  # a kill before anything was there
    with Lab("toy", WORDS, out) as lab:
        assert not is_lab(out), "nothing was accepted yet"
        lab.finish(NOTHING)
    assert is_lab(out)


def test_two_at_once(whole: Path) -> None:
    with Lab("toy", WORDS, whole):
        assert "another process is playing into this folder; valid: wait for it" in complaint(whole)
    made(whole)


def test_a_card_file_that_has_changed(tmp_path: Path, out: Path) -> None:
    """Another content under the same name is another experiment: its stage finds out."""
    file = tmp_path / "mine.toml"
    file.write_text(dump_cards(CARDS), encoding="utf-8")
    words = {**SMALL, "changes": [[], [f"cards={file}", "blank Decoy Beacon"]]}
    with Lab("toy", WORDS, out, Workers(1)) as lab:
        lab.stage("first", words)
    file.write_text(dump_cards(replace(CARDS, events=CARDS.events[::-1])), encoding="utf-8")
    told = f"card file {file} has changed"
    with Lab("toy", WORDS, out, Workers(1)) as lab, pytest.raises(UserError, match=re.escape(told)):
        lab.stage("first", words)


# --- damage --------------------------------------------------------------------------------------------------------
BROKEN = ["", "{", "[]", "null", "3", '"x"', "{}", '{"kind": "toy"}', '{"kind": "toy", "words": []}',
          '{"kind": "toy", "words": null}', '{"kind": 3, "words": 3}', "\x00\x01"]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("name", ["lab.json", "result.json"])
def test_damaged_files_are_one_line(whole: Path, name: str, text: str) -> None:
    before = content(whole)
    (whole / name).write_text(text, encoding="utf-8")
    if name == "lab.json":
        assert str(whole) in complaint(whole)
        return
    with pytest.raises(UserError) as caught:
        load_result(whole)
    assert len(caught.value.lines) == 1
    assert "valid: " in caught.value.lines[0]
    made(whole)
    assert content(whole) == before


@pytest.mark.parametrize("how", ["cut", "empty", "gone", "flip"])
def test_a_damaged_table(whole: Path, how: str) -> None:
    file = whole / "tables" / "main.parquet"
    before = content(whole)
    {
        "cut": lambda: file.write_bytes(file.read_bytes()[:-30]),
        "empty": lambda: file.write_bytes(b""),
        "gone": file.unlink,
        "flip": lambda: file.write_bytes(b"PAR2" + file.read_bytes()[4:-4] + b"PAR2"),
    }[how]()
    with pytest.raises(UserError, match="the result is damaged"):
        load_result(whole)
    made(whole)
    assert content(whole) == before


def test_what_is_damaged_in_a_stage_is_played_again(whole: Path) -> None:
    shard = next((whole / "stages" / "first" / "sums").glob("*.parquet"))
    before = content(whole)
    for damage in (lambda: flip(shard), shard.unlink, lambda: shard.write_bytes(b"")):
        damage()
        assert made(whole).games == 18
        assert content(whole) == before


def test_a_kill_while_tables_are_written_keeps_the_old_result_whole(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that is there is whole, also if it was being made anew."""

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as caught:
            made(whole)
    assert Path(caught.value.filename).parent == whole / "tables"
    assert load_result(whole).facts == {"rows": 9, "first": 3}


# --- words ------------------------------------------------------------------------------------------------
def test_words_are_plain() -> None:
    import numpy as np

    bold = load_strategy("cautious").changed("bold", push=0.9)
    found = plain({"a": (1, [2.5, None]), 3: Path("x"), "n": np.int64(4), "s": bold, "c": CARDS})
    assert json.loads(json.dumps(found)) == found
    assert found["a"] == [1, [2.5, None]]
    assert (found["3"], found["n"]) == ("x", 4)
    assert found["s"]["params"]["push"] == 0.9
    assert found["c"]["hash"] == CARDS.hash()
    assert plain(bold) != plain(load_strategy("cautious").changed("bold", push=0.8))
    with pytest.raises(UserError, match="cannot be kept in an experiment"):
        plain({"x": object()})


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"players": [3, 4]}, "players has several values; valid: one"),
        ({"players": 9}, "9 players; valid: 3 to 6"),
        ({"length": ["short", "epic"]}, "length has several values"),
        ({"rules": {"public_fame": [3, 5]}}, "rules.public_fame has several values"),
        ({"length": "shrot"}, "no length 'shrot' (did you mean 'short'?)"),
        ({"alien": "raidng party"}, "no alien 'raidng party'"),
        ({"line_up": "rotatd"}, "no line_up 'rotatd' (did you mean 'rotated'?)"),
        ({"strategies": "cautios"}, "no strategy 'cautios' (did you mean 'cautious'?)"),
        ({"strategies": ["cautious", "gambler"], "players": 3}, "2 strategies for 3 players"),
        ({"cards": "nowhere.toml"}, "nowhere.toml: cannot be read"),
        ({"rules": {"prots": 3}}, "no rule option 'prots' (did you mean 'ports'?)"),
    ],
)
def test_tables_at_which_nobody_can_play(words: dict[str, Any], part: str) -> None:
    with pytest.raises(UserError) as caught:
        base_words(**words)
    assert len(caught.value.lines) == 1
    assert part in caught.value.lines[0]


@pytest.mark.parametrize("players", [None, 3, 4, 5, 6])
def test_the_usual_table(players: int | None) -> None:
    words = base_words(players=players)
    assert len(words["strategies"]) == (players or 4)
    assert words["alien"] == "drawn"
