"""Findings: the same ones everywhere, with figures that stand in their tables."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from reports.chapters import alien_strength
from tests.reports.kit import copy_of, ids, interrupt, play, report, shared, table, text_of, went_well
from xenobalance.results import load

OF_ALIEN = "of all games of this study"
STRONGEST = "The strongest alien"


@pytest.fixture(scope="module")
def findings(big: Path) -> list[dict[str, Any]]:
    """As `--json` told them."""
    told: dict[str, Any] = json.loads(big.with_name("big.json").read_text(encoding="utf-8"))
    return list(told["findings"])


def plain(text: str) -> str:
    """Markdown without its escapes."""
    return html.unescape(re.sub(r"\\(.)", r"\1", text))


def test_the_page_has_the_same_findings(big: Path, findings: list[dict[str, Any]]) -> None:
    line = r'<li>(.*?) <span class="evidence">n = ([\d,]+); (.*?); <a href="#(.*?)">evidence</a></span></li>'
    there = [
        (html.unescape(text).replace("\u00a0", " "), int(n.replace(",", "")), html.unescape(method), evidence)
        for text, n, method, evidence in re.findall(line, text_of(big))
    ]
    assert len(findings) > 8
    assert there == [(one["text"], one["n"], one["method"], one["evidence"]) for one in findings]


def test_the_text_has_the_same_findings(big: Path, findings: list[dict[str, Any]]) -> None:
    line = r"^(\d+)\. (.*) \*\(n = ([\d,]+); (.*); \[evidence\]\(#(.*)\)\)\*$"
    there = [
        (int(number), plain(text), int(n.replace(",", "")), method, evidence)
        for number, text, n, method, evidence in re.findall(line, text_of(big, "report.md"), re.MULTILINE)
    ]
    here = [(k, f["text"], f["n"], f["method"], f["evidence"]) for k, f in enumerate(findings, 1)]
    assert there == here


def test_the_terminal_has_the_first_ones(
    big: Path, tmp_path: Path, findings: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    run = copy_of(big, tmp_path / "run")
    said = went_well(report(capsys, run, "--only", "win-rate"))
    assert findings[0]["text"] in said.out
    assert str(run / "report.html") in said.raw  # on one line, to be copied


def test_evidence_is_on_the_page(big: Path, findings: list[dict[str, Any]]) -> None:
    assert {one["evidence"] for one in findings} <= set(ids(text_of(big)))


# --- figures ---------------------------------------------------------------------------------------------
def formatted(frame: pl.DataFrame) -> set[str]:
    """Every figure of a table as findings write them: shares in per cent, numbers with one or two digits."""
    values = [v for name in frame.columns if frame[name].dtype.is_numeric() for v in frame[name].drop_nulls()]
    return {
        text
        for v in values
        for text in (f"{abs(v) * 100:.1f}", f"{abs(v):.1f}", f"{abs(v):.2f}", f"{abs(v):.0f}")
    }


def strange(run: Path, finding: dict[str, Any]) -> list[str]:
    """Figures of a finding that do not stand in its table."""
    known = formatted(table(run, finding["evidence"]))
    return [number for number in re.findall(r"\d+\.\d+", finding["text"]) if number not in known]


def test_figures_of_findings_stand_in_their_tables(big: Path, findings: list[dict[str, Any]]) -> None:
    rest = [one for one in findings if OF_ALIEN not in one["text"] and STRONGEST not in one["text"]]
    assert len(rest) > 6
    assert [(one["text"], strange(big, one)) for one in rest if strange(big, one)] == []


def test_figures_of_the_strongest_alien_stand_in_its_table(big: Path, findings: list[dict[str, Any]]) -> None:
    found = [one for one in findings if STRONGEST in one["text"]]
    assert len(found) == 1
    assert strange(big, found[0]) == []


def test_the_alien_rate_stands_in_a_table(big: Path, findings: list[dict[str, Any]]) -> None:
    first = findings[0]
    assert OF_ALIEN in first["text"]
    rate, low, high, away = re.findall(r"\d+\.\d+", first["text"])[:4]
    assert {rate, low, high} <= formatted(table(big, first["evidence"])), (
        "the whole rate is in no row of the table"
    )
    assert away


def test_the_alien_rate_is_that_of_the_records(big: Path, findings: list[dict[str, Any]]) -> None:
    run = load(big)
    games = run.games
    rate = (games["winner_role"].cast(pl.String) == "alien").mean()
    assert f"The alien wins {rate * 100:.1f} % (" in findings[0]["text"]
    assert (
        f"{abs(rate - 0.5) * 100:.1f} points {'more' if rate > 0.5 else 'less'} than" in findings[0]["text"]
    )
    assert findings[0]["n"] == len(games) == 4800


def test_tables_count_the_records(big: Path) -> None:
    games = load(big).games
    by_players = games.group_by("players").len().sort("players")["len"].to_list()
    assert table(big, "by-role").sort("players")["n"].to_list() == by_players
    assert table(big, "aliens-by-game")["n"].sum() == len(games)
    assert table(big, "cells").select("planned", "played").sum().row(0) == (4800, 4800)


def test_rates_are_those_of_the_records(big: Path) -> None:
    won = pl.col("winner_role").cast(pl.String) == "alien"
    there = load(big).games.group_by(pl.col("alien_card").cast(pl.String)).agg(rate=won.mean())
    here = table(big, "alien-by-card")
    both = here.select("alien_card", "rate").join(there, on="alien_card", validate="1:1")
    assert len(both) == len(here) == len(there) == 4
    assert (both["rate"] - both["rate_right"]).abs().max() < 1e-9


# --- what a finding may say -------------------------------------------------------------------------------
def advice(slope: float, low: float, high: float) -> str:
    """The finding about one alien and the number of players."""
    row = {
        "what": "players",
        "alien_card": "World Enders",
        "slope": slope,
        "low": low,
        "high": high,
        "p": 0.3,
    }
    more = {
        "p_holm": 0.3,
        "verdict": "neither",
        "n": 900,
        "blocks": 300,
        "method": "",
        "note": "",
        "steps": 2,
    }
    (found,) = alien_strength._of_advice(pl.DataFrame([row | more]))
    return found.text


def test_an_interval_around_zero_is_told_with_its_signs() -> None:
    text = advice(-0.010, -0.030, 0.010)
    assert "1.0 to 3.0" not in text, (
        "from 3.0 points less to 1.0 more, and the text says from 1.0 to 3.0 less"
    )
    assert re.search(r"3\.0 to \+?1\.0", text)


@pytest.fixture(scope="module")
def two_aliens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three and four players against the weakest and the strongest alien: four cells, a chunk each."""
    words = (
        "--players",
        "3,4",
        "--length",
        "short",
        "--alien",
        "raiding-party,world-enders",
        "--games",
        "150",
    )
    return shared(
        tmp_path_factory, "two-aliens", lambda folder: play(folder, "--strategies", "cautious", *words)
    )


def strongest(run: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The finding about the strongest alien."""
    told = json.loads(went_well(report(capsys, run, "--only", "alien-strength", "--json")).raw)
    (text,) = [one["text"] for one in told["findings"] if STRONGEST in one["text"]]
    return str(text)


def test_everywhere_means_everywhere(
    two_aliens: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copy_of(two_aliens, tmp_path / "run")
    assert "in every length and number of players" in strongest(run, capsys)
    interrupt(run, keep=3)
    assert set(table_of_games(run)) == {(3, "Raiding Party"), (3, "World Enders"), (4, "Raiding Party")}
    assert "in every length and number of players" not in strongest(run, capsys), (
        "one of them never had 4 players"
    )


def table_of_games(run: Path) -> list[tuple[int, str]]:
    """Numbers of players and aliens that were played."""
    return load(run).games.select("players", pl.col("alien_card").cast(pl.String)).unique().rows()
