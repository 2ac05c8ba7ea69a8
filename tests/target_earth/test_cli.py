"""Commands and notebooks with Target Earth, and what one game must not say of the other."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import xenobalance as xb
from sim.errors import UserError
from sim.games.target_earth.cards import CARDS_FILE, load_cards
from sim.games.target_earth.options import OPTIONS
from sim.registry import ABOUT, GAMES, OWN_WORDS, STRATEGIES, part
from tests.runs.kit import fine, refused, xeno
from xenobalance.cli.main import run
from xenobalance.games import words_of

TE = ("--game", "target-earth")
PLAYING = ("play", "trace", "run")
Capture = pytest.CaptureFixture[str]


def told(capsys: Capture, *words: str) -> str:
    """What a command says that goes well."""
    capsys.readouterr()
    assert run(list(words)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def complaint(capsys: Capture, *words: str) -> str:
    """What a command says that does not."""
    capsys.readouterr()
    assert run(list(words)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    return shown.err


# --- words and help ----------------------------------------------------------------------------------------
def test_every_game_has_its_words() -> None:
    names = ("SIDE", "WINS", "OFTEN", "LASTS", "SUM", "SECTIONS", "TEMPLATE", "TABLE_MATES", "CARD_NOTE", "has_won",
             "told_setting",
             "rates", "nothing", "counts_of", "played", "facts", "title", "closing", "card_total", "card_heading",
             "card_table", "describe_strategy")  # fmt: skip
    assert set(ABOUT) == set(GAMES) == set(OWN_WORDS)
    for game in GAMES:
        assert [name for name in names if not hasattr(words_of(game), name)] == []
        assert part(game, "trace") is not None
        assert part(game, "no_such_module") is None


@pytest.mark.parametrize("command", PLAYING)
def test_the_help_of_a_game_has_its_words_and_no_others(command: str, capsys: Capture) -> None:
    mine = told(capsys, command, *TE, "--help")
    theirs = told(capsys, command, "--help")
    assert "--mode" in mine
    assert "--variant" in mine
    assert "1 to 4" in mine
    assert "--length" in theirs
    assert "3 to 6" in theirs
    for word in ("--length", "--alien", "public_fame", "Decoy"):
        assert word not in mine
    for word in ("--mode", "--variant", "sudden_points"):
        assert word not in theirs


@pytest.mark.parametrize("command", ["play", "trace"])
def test_a_word_of_another_game(command: str, capsys: Capture) -> None:
    error = complaint(capsys, command, "--mode", "easy")
    assert "--mode is a word of another game; valid: with --game target-earth" in error
    assert "--length is a word of another game; valid: with --game eti" in complaint(
        capsys, command, *TE, "--length", "epic"
    )
    assert "No such option" in complaint(capsys, command, *TE, "--size", "3")


@pytest.mark.parametrize(
    "words", [("play",), ("trace",), ("cards", "show"), ("rules", "show"), ("strategies", "list")]
)
def test_no_such_game(words: tuple[str, ...], capsys: Capture) -> None:
    error = complaint(capsys, *words, "--game", "target-eart")
    assert (
        error
        == "xenobalance: no game 'target-eart' (did you mean 'target-earth'?); valid: eti, target-earth\n"
    )


def test_score_is_for_one_game(capsys: Capture) -> None:
    error = complaint(capsys, "score", "arson 50", *TE)
    assert error == "xenobalance: Target Earth has no queues of research cards so far; valid: --game eti\n"


# --- cards, rules, strategies ------------------------------------------------------------------------------
def test_cards_are_shown_whole(capsys: Capture) -> None:
    out = told(capsys, "cards", "show", *TE)
    assert max(len(line) for line in out.splitlines()) <= 100
    assert "…" not in out
    for name in load_cards().country_names:
        assert all(word in out for word in name.split()), name
    assert "30 countries" in out
    assert "46 Alliance cards" in " ".join(out.split())


@pytest.mark.parametrize("section", words_of("target-earth").SECTIONS)
def test_one_section(section: str, capsys: Capture) -> None:
    assert len(told(capsys, "cards", "show", section, *TE).splitlines()) > 4
    assert list(json.loads(told(capsys, "cards", "show", section, "--json", *TE))) == [section]


def test_sections_are_those_of_the_game(capsys: Capture) -> None:
    assert "'countries'" in complaint(capsys, "cards", "show", "projects", *TE)
    assert "'projects'" in complaint(capsys, "cards", "show", "countries")


def test_the_rulebooks_values_carry_a_star(capsys: Capture) -> None:
    rows = [line.split() for line in told(capsys, "cards", "show", "factions", *TE).splitlines()]
    assert ["Diplomat*", "4*", "3*"] in rows


def test_export_and_check(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "mine.toml"
    out = told(capsys, "cards", "export", str(file), *TE)
    assert f"xenobalance cards check --game target-earth {file}" in out
    assert file.read_bytes() == CARDS_FILE.read_bytes()
    assert "fine: 30 countries" in told(capsys, "cards", "check", str(file), *TE)
    file.write_text("[[countries]]\nname = 3\n")
    assert str(file) in complaint(capsys, "cards", "check", str(file), *TE)


def test_rules(capsys: Capture) -> None:
    rows = json.loads(told(capsys, "rules", "show", "--json", *TE))
    assert [row["name"] for row in rows] == [option.name for option in OPTIONS]
    assert "sudden_points" in told(capsys, "rules", "show", *TE)


def test_strategies(capsys: Capture) -> None:
    rows = json.loads(told(capsys, "strategies", "list", "--json", *TE))
    assert [row["name"] for row in rows] == list(STRATEGIES["target-earth"])
    assert "as the alien" not in told(capsys, "strategies", "list", *TE)
    facts = json.loads(told(capsys, "strategies", "show", "core", "--json", *TE))
    assert {decision["name"] for decision in facts["decisions"] if decision["own"]} >= {
        "buy",
        "research",
        "court",
    }


# --- playing -----------------------------------------------------------------------------------------------
def test_a_new_strategy_plays(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    out = fine(xeno("strategies", "new", file, *TE))
    assert "xenobalance play --game target-earth" in out
    seats = f"{file}:Mine,core,core"
    facts = json.loads(fine(xeno("play", *TE, "--strategies", seats, "--games", 50, "--json")))
    assert facts["games"] == 50


def test_play(tmp_path: Path) -> None:
    facts = json.loads(fine(xeno("play", *TE, "--players", 2, "--mode", "hard", "--games", 200, "--json")))
    rates = {row["what"]: row for row in facts["rates"]}
    ended = [row["rate"] for what, row in rates.items() if what.startswith(("won:", "lost:"))]
    assert sum(ended) == pytest.approx(1)
    won = sum(row["rate"] for what, row in rates.items() if what.startswith("won:"))
    assert rates["the Alliance"]["rate"] == pytest.approx(won)
    assert 1 <= facts["turns"] <= 7
    text = fine(xeno("play", *TE, "--variant", "advanced", "--games", 100, "--rule", "turns=6"))
    assert "advanced game" in text
    assert "seat 4 (core)" in text
    assert "rounds" not in text


def test_trace() -> None:
    lines = [
        json.loads(line)
        for line in fine(xeno("trace", *TE, "--players", 1, "--json", "--index", 3)).splitlines()
    ]
    assert (lines[0]["game"], lines[0]["bases"], lines[-1]["do"]) == ("target-earth", 4, "stop")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run by a study file that names the game."""
    folder = tmp_path_factory.mktemp("cli")
    study = folder / "study.toml"
    study.write_text(
        'game = "target-earth"\nplayers = [2, 3]\nstrategies = ["core"]\ngames = 60\nchunk = 30\n'
    )
    fine(xeno("run", folder / "out", "--study", study, "--mode", "easy,hard", "--quiet"))
    return folder / "out"


def test_a_run(made: Path) -> None:
    plan = json.loads((made / "plan.json").read_text())
    assert (plan["game"], plan["mode"], plan["variant"]) == ("target-earth", ["easy", "hard"], ["base"])
    text = fine(xeno("runs", "show", made))
    assert "How often the Alliance wins" in text
    assert "alien wins" not in text
    assert "all as it was" in fine(xeno("runs", "verify", made, "--sample", 4))
    assert fine(xeno("run", made, "--quiet")).startswith(f"{made}: 240 games")


def test_a_run_in_a_notebook(made: Path) -> None:
    run = xb.load(made)
    assert {"mode", "variant"} <= set(run.cells.columns)
    assert "length" not in run.cells.columns
    row = run.rates.to_dicts()[0]
    assert (row["who"], row["n"], row["wins"]) == ("the Alliance", 240, run.games["won"].sum())
    assert "turns on average" in repr(run)
    assert "the Alliance" in run._repr_html_()


def test_a_wrong_plan(tmp_path: Path) -> None:
    error = refused(xeno("run", tmp_path / "out", *TE, "--mode", "mild", "--players", 7))
    assert "no mode 'mild'; valid: easy, normal, hard, random" in error
    assert "7 players" in error


def test_simulate_and_trace() -> None:
    run = xb.simulate(
        "target-earth",
        strategies="core",
        players=[1, 2],
        mode="easy",
        variant="base",
        games=3,
        progress=False,
    )
    assert run.games["mode"].cast(pl.String).unique().to_list() == ["easy"]
    assert run.games.group_by("players").len().sort("players").rows() == [(1, 3), (2, 3)]
    story = xb.trace(game="target-earth", mode="random", seed=4)
    assert story.lines[0]["mode"] == "random"
    assert str(story)


def test_wrong_words_in_a_notebook() -> None:
    with pytest.raises(UserError, match="no word 'length'; valid: mode, variant"):
        xb.trace(game="target-earth", length="short")
    with pytest.raises(UserError, match="no word 'length'"):
        xb.simulate("target-earth", length="short", games=1)
    with pytest.raises(UserError, match="no game 'chess'"):
        xb.simulate("chess", games=1)
    with pytest.raises(UserError, match="no strategy 'cautious'"):
        xb.strategy("cautious", game="target-earth")
