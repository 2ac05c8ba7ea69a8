"""Restricted play: what a rule is worth, where the answer is known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from analysis.lab.restrict import BASE, EVERYBODY, read_bans, read_names, restrict
from analysis.lab.stages import base_words, load_result
from reports.lab.page import chapter_of
from sim.errors import UserError
from sim.games.eti.restrain import BANS, NAMES
from sim.games.eti.strategy import load_strategy
from tests.runs.kit import fine, xeno
from xenobalance.cli.main import run as front

SMALL = (
    "--players",
    "3",
    "--length",
    "short",
    "--strategies",
    "cautious,gambler,climber",
    "--quiet",
    "--json",
)
WORTH = "all seats"


def made(*args: object, out: Path, small: tuple[str, ...] = SMALL) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(fine(xeno("restrict", *args, *small, "--out", out)))
    return facts


@cache
def some() -> dict[str, Any]:
    """A few bans for one strategy."""
    out = Path(mkdtemp()) / "out"
    args = ("--ban", "standard,mash,intel,standard+switching", "--who", "gambler", "--games", "1000")
    return made(*args, out=out) | {"out": out}


def one(facts: dict[str, Any], table: str, **wanted: Any) -> dict[str, Any]:
    (row,) = (r for r in facts["tables"][table] if all(r[key] == value for key, value in wanted.items()))
    return dict(row)


def test_a_gambler_lives_by_turning_cards_up() -> None:
    facts = some()
    row = one(facts, "values", ban="standard", seats=WORTH)
    assert row["low"] > 0.03
    assert row["p_holm"] < 0.01
    assert row["with_it"] - row["without"] == pytest.approx(row["worth"])
    assert facts["verdict"][0].startswith(
        "gambler wins less often if it may not submit with the cards turned up"
    )
    assert (facts["out"] / "report.html").is_file()


def test_humans_have_no_mash_cards() -> None:
    """What only the alien has is worth exactly nothing to a human, and a lot to the alien."""
    facts = some()
    assert one(facts, "values", ban="mash", seats="as a human")["worth"] == 0
    alien = one(facts, "values", ban="mash", seats="as the alien")
    assert alien["low"] > 0
    nobody = one(facts, "game", ban="mash", metric="alien_win")
    assert nobody["high"] < 0
    assert one(facts, "game", ban="mash", metric="rounds")["difference"] == 0  # the invasion comes after them


def test_the_main_table_agrees_with_the_others() -> None:
    """With one strategy the average is that strategy."""
    facts = some()
    rules = {row["ban"]: row for row in facts["tables"]["rules"]}
    assert list(rules) == sorted(rules, key=lambda ban: -rules[ban]["worth"])
    for ban, row in rules.items():
        assert row["worth"] == pytest.approx(one(facts, "values", ban=ban, seats=WORTH)["worth"])
        assert row["alien_win"] == one(facts, "game", ban=ban, metric="alien_win")["difference"]
    assert (
        rules["standard+switching"]["text"] == "submit with the cards turned up, or switch to another project"
    )


def test_a_chapter_for_people() -> None:
    """Nothing is missing, and every finding points to a part of the chapter."""
    chapter = chapter_of(load_result(some()["out"]))
    ids = {part.id for part in chapter.parts}
    assert {finding.evidence for finding in chapter.findings} <= ids
    assert [figure.id for figure in chapter.figures] == ["restrict-worth", "restrict-game"]
    for figure in chapter.figures:
        assert figure.draw() is not None


FILE = '''"""A strategy that spoils its games by switching."""

from strategies.eti.core import agenda as core_agenda
from strategies.eti.toolbox import SWITCH


class Restless:
    """Leaves its project for another in every second round."""

    def agenda(table, seat):
        return SWITCH if table.round_no % 2 == 1 else core_agenda(table, seat)
'''


def test_a_planted_bad_habit_is_found(tmp_path: Path) -> None:
    """Who throws away every second round wins more without the chance to."""
    (tmp_path / "mine.py").write_text(FILE)
    names = f"{tmp_path / 'mine.py'}:Restless,gambler,climber"
    small = ("--players", "3", "--length", "short", "--strategies", names, "--quiet", "--json")
    facts = made(
        "--ban", "switching", "--who", "Restless", "--games", "400", out=tmp_path / "out", small=small
    )
    row = one(facts, "values", ban="switching", seats=WORTH)
    assert row["high"] < -0.05
    assert any("wins more often if it may not switch" in line for line in facts["verdict"])
    assert any("speaks against its way of playing" in line for line in facts["verdict"])


def test_in_a_notebook() -> None:
    """Plain Python here: a few games. Everybody without is played as well."""
    found = restrict(base_words(players=3, length="short"), bans="swaps", who="cautious", games=2)
    assert found.warnings == ["Too few blocks to say anything: 2. From 30 on there are figures."]
    assert found.games == 3 * 2
    assert found.verdict == []
    assert chapter_of(found).figures == []
    assert set(found.tables) == {"rules", "values", "game"}


def test_a_ban_takes_nothing_else_away() -> None:
    """Parameters of one's own are kept, or the experiment is refused."""
    bold = load_strategy("cautious").changed(push=2.0)
    base = base_words(players=3, length="short", strategies=[bold, "gambler", "climber"])
    try:
        found = restrict(base, bans="swaps", who="cautious", games=1)
    except UserError as error:
        assert "cautious has parameters of its own" in str(error)
    else:
        assert found.games == 3


def test_what_is_asked() -> None:
    assert read_bans(None) == list(NAMES)
    assert read_bans("safe, swaps+intel,safe") == ["safe", "swaps+intel"]
    assert read_names(None, ["a", "b"]) == ["a", "b"]
    assert {BASE, EVERYBODY}.isdisjoint(NAMES)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--ban", "swithing"), "no ban 'swithing' (did you mean 'switching'?); valid: switching, safe"),
        (("--ban", "safe+standard"), "bans safe+standard leave nothing to choose"),
        (
            ("--who", "gambler,cautios"),
            "who: nobody plays 'cautios' (did you mean 'cautious'?); valid: cautious",
        ),
        (("--strategies", "cautious~safe", "--ban", "swaps"), "strategy cautious~safe: it has bans"),
        (("--games", "0"), "games is 0; valid: a whole number"),
    ],
)
def test_wrong_words(
    args: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front(["restrict", *args, "--players", "3", "--quiet", "--out", str(tmp_path / "out")]) == 2
    assert told in capsys.readouterr().err
    with pytest.raises(UserError, match="0 bans; valid: 1 to"):
        read_bans([])


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert front(["restrict", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(BANS)
    assert lines[0].split() == ["switching", "may", "not", "switch", "to", "another", "project"]
