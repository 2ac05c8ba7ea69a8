"""`xenobalance compare --game target-earth`, and the other experiments that play it, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import xenobalance as xb
from analysis.lab.compare import compare
from analysis.lab.stages import base_words
from sim.errors import UserError
from tests.runs.kit import fine, xeno
from xenobalance.cli.main import run as front

TE = ("--game", "target-earth", "--quiet", "--json")


def made(kind: str, *args: object, out: Path) -> dict[str, Any]:
    """The facts of an experiment."""
    facts: dict[str, Any] = json.loads(fine(xeno(kind, *TE, *args, "--out", out)))
    return facts


def rows(facts: dict[str, Any], table: str = "effects") -> dict[str, dict[str, Any]]:
    """The rows of a comparison by metric."""
    return {row["metric"]: row for row in facts["tables"][table]}


def test_a_change_is_compared_and_has_its_page(tmp_path: Path) -> None:
    facts = made("compare", "--b", "mode=hard", "--games", "400", out=tmp_path / "out")
    found = rows(facts)
    assert next(iter(found)) == "alliance_win" == facts["facts"]["metric"]
    assert "Alliance wins" in facts["verdict"][0]
    assert set(facts["tables"]) == {
        "effects",
        "endings",
        "pairing",
    }  # one strategy, base game: the Alliance only
    endings = rows(facts, "endings")
    assert sum(row["base"] for row in endings.values()) == pytest.approx(1)
    assert sum(row["difference"] for row in endings.values()) == pytest.approx(0, abs=1e-9)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "How games end" in page
    for word in ("president", "as the alien", "humans", "alien wins"):  # of the other game
        assert word not in page


def test_a_strong_change_is_found(tmp_path: Path) -> None:
    """Twice the dice of all UFOs in the air: fewer are stopped."""
    found = rows(made("compare", "--b", "ufos.attack*=2", "--games", "400", out=tmp_path / "out"))
    assert found["stopped"]["high"] < 0


def test_the_advanced_game_has_seats_and_factions(tmp_path: Path) -> None:
    table = ("--variant", "advanced", "--strategies", "core,random", "--line-up", "rotated")
    facts = made("compare", *table, "--b", "points_alone=5", "--games", "200", out=tmp_path / "out")
    assert {"strategies", "factions", "seats"} < set(facts["tables"])
    assert set(rows(facts, "strategies")) == {"strategy:core", "strategy:random"}
    assert set(rows(facts, "seats")) == {"seat:1", "seat:2"}
    assert rows(facts)["alliance_win"]["difference"] == 0  # personal points change nothing for the Alliance


def test_the_same_against_itself_is_no_difference(tmp_path: Path) -> None:
    facts = made("compare", "--a", "mode=easy", "--b", "mode=easy", "--games", "60", out=tmp_path / "out")
    for table in ("effects", "endings"):
        assert {(row["difference"], row["low"], row["high"]) for row in facts["tables"][table]} == {(0, 0, 0)}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--b", "sudden_point=5"), "(did you mean 'sudden_points'?)"),
        (("--b", "mode=hrad"), "no mode 'hrad' (did you mean 'hard'?)"),
        (("--b", "base", "--metric", "alien_win"), "no metric 'alien_win'"),
        (("--b", "base", "--metric", "seat:9"), "no such seat; valid: 1 to 4"),
        (("--b", "base", "--players", "5"), "5 players; valid: 1 to 4"),
        (("--b", "base", "--mode", "hrad"), "no mode 'hrad'"),
        (("--b", "base", "--length", "short"), "--length is a word of another game"),
    ],
)
def test_what_cannot_be_is_told(
    args: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front(["compare", "--game", "target-earth", *args, "--quiet", "--out", str(tmp_path / "out")]) == 2
    assert told in capsys.readouterr().err


def test_sweep_knockout_and_tune(tmp_path: Path) -> None:
    swept = made("sweep", "--vary", "mode=easy,hard", "--games", "60", out=tmp_path / "sweep")
    assert "Alliance wins" in " ".join(swept["verdict"])
    out = made("knockout", "--how", "remove", "--only", "bonus", "--only", "ace", "--games", "60", "--confirm", "0",
               out=tmp_path / "knockout")  # fmt: skip
    assert {row["card"] for row in out["tables"]["cards"]} == {"bonus", "ace"}
    made(
        "tune",
        "--target",
        "alliance_win=0.5",
        "--vary",
        "mode=easy,hard",
        "--games",
        "60",
        out=tmp_path / "tune",
    )
    file = (tmp_path / "tune" / "tuned.toml").read_text(encoding="utf-8")
    assert 'game = "target-earth"' in file
    assert 'mode = "normal"' in file
    assert "length" not in file


def test_in_a_notebook() -> None:
    """Plain Python here: a few games."""
    found = xb.compare("base", "mode=hard", game="target-earth", players=2, games=2, progress=False, jobs=1)
    assert found.result.games == 4
    with pytest.raises(UserError, match="no word 'length'"):
        xb.compare("base", "mode=hard", game="target-earth", length="short", games=2, progress=False)


def test_words_of_the_table() -> None:
    words = base_words("target-earth", variant="advanced")
    assert (words["mode"], words["variant"], words["strategies"]) == ("normal", "advanced", ["core"])
    assert "length" not in words
    with pytest.raises(UserError, match=r"no word 'lenght'.*valid: length, alien"):
        base_words(lenght="short")
    with pytest.raises(UserError, match="mode has several values"):
        base_words("target-earth", mode=["easy", "hard"])


def test_until_asks_the_alliance(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="sprt with 3 variants"):
        compare(base_words("target-earth"), ["base", "base", "base"], sprt=(0, 0.1), out=tmp_path / "out")
