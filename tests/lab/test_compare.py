"""`xenobalance compare`: variants on the same luck, with the compiler, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.lab.compare import compare
from analysis.lab.stages import base_words
from sim.errors import UserError
from tests.runs.kit import fine, refused, xeno
from xenobalance.cli.main import run as front

BASE = {"players": 3, "length": "short"}
SMALL = ("--players", "3", "--length", "short", "--quiet", "--json")


def made(*args: object, out: Path) -> dict[str, Any]:
    """The facts of a comparison."""
    facts: dict[str, Any] = json.loads(fine(xeno("compare", *args, *SMALL, "--out", out)))
    return facts


def row(facts: dict[str, Any], metric: str, table: str = "effects") -> dict[str, Any]:
    """The row of a metric, of the first variant that is compared."""
    found: dict[str, Any] = next(row for row in facts["tables"][table] if row["metric"] == metric)
    return found


def test_an_attack_that_is_stronger_helps_the_alien(tmp_path: Path) -> None:
    """Numbers of attack are added on one side only: the direction is known, and so is the margin's change."""
    facts = made("--b", "tracks.brutality+=10", "--games", "2000", out=tmp_path / "out")
    assert row(facts, "alien_win")["low"] > 0
    margin = row(facts, "margin")
    assert margin["difference"] == pytest.approx(-10, abs=0.8)  # the games go alike but for reveals
    assert "alien wins" in facts["verdict"][0]
    assert (tmp_path / "out" / "report.html").is_file()
    assert facts["tables"]["pairing"][0]["factor"] > 2


def test_a_variant_against_itself_is_no_difference_at_all(tmp_path: Path) -> None:
    facts = made("--a", "public_fame=5", "--b", "public_fame=5", "--games", "300", out=tmp_path / "out")
    for name in ("effects", "strategies", "seats"):
        for one in facts["tables"][name]:
            assert (one["difference"], one["low"], one["high"]) == (0, 0, 0)
    assert "not one block came out differently" in facts["verdict"][0]


def test_until_stops_when_it_is_narrow_and_goes_on_from_what_is_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = made("--b", "attack_x2=60", "--until", "0.01", out=out)
    found = row(first, "alien_win")
    assert (found["high"] - found["low"]) / 2 <= 0.01
    assert first["facts"]["reached"]
    assert first["games"] == 2 * first["facts"]["games_each"]
    begun = [path.stat().st_mtime_ns for path in sorted(out.glob("stages/*/sums/*"))]
    again = made("--b", "attack_x2=60", "--until", "0.01", out=out)
    assert again == first
    assert [path.stat().st_mtime_ns for path in sorted(out.glob("stages/*/sums/*"))] == begun  # nothing was played


def test_until_out_of_reach_says_how_near_it_came(tmp_path: Path) -> None:
    facts = made("--b", "attack_x2=60", "--until", "0.0001", "--games", "500", out=tmp_path / "out")
    assert not facts["facts"]["reached"]
    assert facts["verdict"][0].startswith("Not reached: after 500 blocks")


def test_a_planted_change_is_found_and_no_change_is_refused(tmp_path: Path) -> None:
    """`tracks.brutality+=10` is worth well over 5 points here; +0 on nothing is worth nothing."""
    found = made("--b", "tracks.brutality+=10", "--sprt", "0,0.05", out=tmp_path / "a")
    assert found["facts"]["look"]["decision"] == "H1"
    none = made("--b", "vote_factor=3", "--sprt", "0,0.05", out=tmp_path / "b")
    assert none["facts"]["look"]["decision"] == "H0"
    fresh = row(found, "alien_win")
    assert fresh["n"] == found["facts"]["fresh"]  # the estimate is from fresh blocks only
    assert "is accepted" in found["verdict"][0]


def test_strategies_are_variants_too(tmp_path: Path) -> None:
    facts = made("--b", "cautious->random", "--games", "600", out=tmp_path / "out")
    rows = {one["metric"]: one for one in facts["tables"]["strategies"]}
    assert rows["strategy:random"]["base"] is None
    assert rows["strategy:random"]["note"] == "nobody plays it in A: base"
    assert rows["strategy:gambler"]["difference"] > 0  # it wins what the random one loses


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--b", "public_fme=5"), "nothing is called 'public_fme' (did you mean 'public_fame'?)"),
        (("--b", "public_fame=5", "--metric", "alien_wins"), "no metric 'alien_wins' (did you mean 'alien_win'?)"),
        (("--b", "public_fame=5", "--until", "0"), "until is 0.0; valid: above 0"),
        (("--b", "public_fame=5", "--sprt", "0"), "sprt is [0.0]; valid: two numbers"),
        (("--b", "public_fame=5", "--sprt", "0,x"), "sprt is [0.0, 'x']; valid: two numbers"),
        (("--b", "public_fame=5", "--sprt", "0,0"), "no two hypotheses"),
        (("--b", "public_fame=5", "--sprt", "0,0.1", "--until", "0.1"), "until and sprt together"),
        (("--b", "base", "--b", "base", "--sprt", "0,0.1"), "sprt with 3 variants; valid: two"),
        (("--b", "public_fame=5", "--games", "0"), "games is 0; valid: a whole number"),
        (("--b", "public_fame=5", "--players", "9"), "9 players; valid: 3 to 6"),
        (("--b", "blank Decoy Becon"), "no card 'Decoy Becon' (did you mean 'decoy-beacon'?)"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_line_before_anything_is_played(
    args: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert front(["compare", *args, "--quiet", "--out", str(out)]) == 2
    assert not list(out.glob("stages/*/sums/*"))
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("xenobalance: ")
    assert told in lines[0]


def test_another_question_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made("--b", "public_fame=5", "--games", "60", out=out)
    told = refused(xeno("compare", "--b", "public_fame=6", "--games", "60", *SMALL, "--out", out))
    assert "holds another experiment: variants was" in told


def test_the_first_folder_is_named_by_the_question(tmp_path: Path) -> None:
    args = ("compare", "--b", "public_fame=5", "--games", "60", "--players", "3", "--length", "short", "--quiet")
    fine(xeno(*args, cwd=tmp_path))
    fine(xeno(*args, cwd=tmp_path))
    fine(xeno(*args, "--seed", "2", cwd=tmp_path))
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_in_a_notebook_without_a_folder() -> None:
    """Plain Python here: a few games."""
    result = compare(base_words(**BASE), ["base", "public_fame=5"], games=4)
    assert result.folder is None
    assert result.warnings == ["Too few blocks to say anything: 4. From 30 on there are figures."]
    assert result.games == 8


def test_one_variant_is_no_comparison() -> None:
    with pytest.raises(UserError, match="1 variants; valid: 2 to 26"):
        compare(base_words(**BASE), ["base"])
