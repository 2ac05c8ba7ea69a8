"""`xenobalance cards` and `xenobalance rules`, called as from a shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.games.eti.card_file import LARGEST_FILE
from sim.games.eti.cards import REFERENCE_FILE, dump_cards, load_cards
from sim.games.eti.options import OPTIONS
from xenobalance.cli.main import run

COUNTS = "90 research cards, 40 projects, 25 events, 6 human cards, 4 alien cards"
SECTIONS = ["projects", "events", "research", "aliens", "humans", "tracks"]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(dump_cards(load_cards()), encoding="utf-8")
    return path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


# --- show -----------------------------------------------------------------------------------------


def test_show_fits_into_100_columns_and_cuts_nothing(capsys: Capture) -> None:
    assert run(["cards", "show"]) == 0
    out = capsys.readouterr().out
    cards = load_cards()
    assert max(len(line) for line in out.splitlines()) <= 100
    assert "…" not in out
    names = [card.name for card in cards.projects] + [card.name for card in cards.events]
    for name in names + [card.name for card in cards.humans] + [card.name for card in cards.aliens]:
        assert all(word in out for word in name.split()), name  # a long name may take two lines


@pytest.mark.parametrize("section", SECTIONS)
def test_show_one_section(section: str, capsys: Capture) -> None:
    assert run(["cards", "show", section]) == 0
    lines = [line.strip().lower() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if line in SECTIONS] == [section]


def test_show_tells_the_rulebook_from_what_is_assumed(capsys: Capture) -> None:
    """A-COMP-2."""
    assert run(["cards", "show", "projects"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["String", "Theory*", "physics", "4", "260", "20*", "30*"] in lines
    assert ["Guided", "Missiles", "weaponry", "2", "130", "30", "0"] in lines
    assert ["*", "from", "the", "rulebook;", "everything", "else", "is", "assumed"] in lines


def test_show_takes_a_card_file_and_takes_names_literally(mine: Path, capsys: Capture) -> None:
    change(mine, "Guided Missiles", "[bold]Darts[/bold]")
    assert run(["cards", "show", "projects", "--cards", str(mine)]) == 0
    assert "[bold]Darts[/bold]" in capsys.readouterr().out


def test_show_json_is_the_card_set(capsys: Capture) -> None:
    assert run(["cards", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == load_cards().to_dict()
    assert run(["cards", "show", "tracks", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"tracks": load_cards().to_dict()["tracks"]}


def test_show_a_broken_file(mine: Path, capsys: Capture) -> None:
    change(mine, "ufos = 4", "ufos = 9")
    assert run(["cards", "show", "--cards", str(mine)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{mine}: aliens[4].ufos: 9 is too high; valid: a whole number from 1 to 4\n" in captured.err


# --- export ---------------------------------------------------------------------------------------


def test_export_writes_the_reference_set_with_its_comments(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "copy.toml"
    assert run(["cards", "export", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: written")
    assert path.read_bytes() == REFERENCE_FILE.read_bytes()


def test_export_overwrites_only_by_force(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "copy.toml"
    path.write_text("mine", encoding="utf-8")
    assert run(["cards", "export", str(path)]) == 2
    assert f"{path}: exists already; valid: another name, or --force" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"
    assert run(["cards", "export", str(path), "--force"]) == 0
    assert load_cards(path) == load_cards()


def test_export_to_nowhere(tmp_path: Path, capsys: Capture) -> None:
    assert run(["cards", "export", str(tmp_path / "no" / "copy.toml")]) == 2
    assert f"cannot be written: there is no folder {tmp_path / 'no'}\n" in capsys.readouterr().err
    assert run(["cards", "export", str(tmp_path), "--force"]) == 2
    assert f"{tmp_path}: cannot be written: Is a directory" in capsys.readouterr().err


# --- check ----------------------------------------------------------------------------------------


def test_check_a_good_file(mine: Path, capsys: Capture) -> None:
    assert run(["cards", "check", str(mine)]) == 0
    assert capsys.readouterr().out == f"{mine}: fine: {COUNTS}\n"


def test_check_names_every_problem_on_stderr(mine: Path, capsys: Capture) -> None:
    change(mine, "ufos = 4", "ufos = 9")
    change(mine, "count = 12", "count = 11")
    assert run(["cards", "check", str(mine)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    first, second = captured.err.splitlines()
    assert first.endswith(f'{mine}: research: 89 cards in all; valid: 90, or totals = "free" in [set]')
    assert second.endswith(f"{mine}: aliens[4].ufos: 9 is too high; valid: a whole number from 1 to 4")


def test_other_totals_can_be_meant(mine: Path, capsys: Capture) -> None:
    change(mine, "count = 12", "count = 11")
    change(mine, '"reference"', '"free"')
    assert run(["cards", "check", str(mine)]) == 0
    assert "fine: 89 research cards" in capsys.readouterr().out


def test_check_json(mine: Path, capsys: Capture) -> None:
    assert run(["cards", "check", str(mine), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["file"], answer["fine"], answer["problems"]) == (str(mine), True, [])
    assert answer["totals"] == {"research": 90, "projects": 40, "events": 25, "humans": 6, "aliens": 4}
    assert answer["hash"] == load_cards().hash()
    change(mine, "ufos = 4", "ufos = 9")
    assert run(["cards", "check", str(mine), "--json"]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert not answer["fine"]
    assert len(answer["problems"]) == 1


def test_check_files_that_are_no_card_files(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.toml"
    for content, problem in {
        b"[set]\nname = \n": "is not TOML: Invalid value (at line 2, column 8)",
        b"\xff\xfe\x00": "is not a text file in UTF-8 (byte 1)",
        b"PK\x03\x04": "is not TOML: ",
        b"x = " + b"[" * 1900: "is not a card file: nested too deeply",
        b"a" + b".a" * 5000: "line 1 has 10,001 characters; valid: at most 2,000",
        b"".join(b"k%d = 1\n" % n for n in range(900)): "k0: unknown section",
        b"": "set: is missing; valid: [set] with name, game and version",
    }.items():
        path.write_bytes(content)
        assert run(["cards", "check", str(path)]) == 2
        assert problem in capsys.readouterr().err.splitlines()[0]


def test_a_huge_file_is_refused_before_it_is_read(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("it was read"))
    assert run(["cards", "check", str(path)]) == 2
    assert f"100,000,000 bytes are too many; valid: at most {LARGEST_FILE:,}" in capsys.readouterr().err


def test_check_what_is_no_file(tmp_path: Path, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, problem in {
        tmp_path: "it is a folder, not a file",
        tmp_path / "none.toml": "No such file or directory",
        tmp_path / "pipe": "it is not an ordinary file",
    }.items():
        assert run(["cards", "check", str(path)]) == 2
        assert capsys.readouterr().err.endswith(f"{path}: cannot be read: {problem}\n")


def test_check_an_unreadable_file(mine: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bytes:  # chmod would not stop root
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert run(["cards", "check", str(mine)]) == 2
    assert f"{mine}: cannot be read: Permission denied" in capsys.readouterr().err


# --- rules ----------------------------------------------------------------------------------------


def test_rules_show(capsys: Capture) -> None:
    assert run(["rules", "show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines) <= 100
    for option in OPTIONS:
        row = next(line.split() for line in lines if line.split()[:1] == [option.name])
        assert row[1] == f"{option.value}{'*' if option.source == 'rulebook' else ''}"
        span = (
            [f"{option.low}–{option.high}"] if option.low >= 0 else [str(option.low), "to", str(option.high)]
        )
        assert row[2 : 3 + len(span)] == [*span, option.rule]
        assert row[-1] == option.source


def test_rules_show_json(capsys: Capture) -> None:
    assert run(["rules", "show", "--json"]) == 0
    options = json.loads(capsys.readouterr().out)
    assert {option["name"]: option["value"] for option in options} == {o.name: o.value for o in OPTIONS}
    assert set(options[0]) == {"name", "value", "low", "high", "rule", "text", "source"}


def test_the_groups_load_nothing_heavy() -> None:
    code = (
        "import sys, xenobalance.cli.cards, xenobalance.cli.rules;"
        "print([name for name in ('rich', 'numpy', 'numba', 'sim.games.eti.cards') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
