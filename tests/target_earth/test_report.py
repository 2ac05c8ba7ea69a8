"""The report of a run of Target Earth: its chapters, what it says, and what it must not say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from reports.build import NAMES, chapters_of, title_of
from tests.reports.kit import ids, names, table, text_of
from tests.runs.kit import fine, refused, xeno

DOCS = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")
MINE = tuple(module.ID for module in chapters_of("target-earth"))
#: words of the other game, none of which may stand in a report on this one
FOREIGN = (
    "E.T.I.",
    "company",
    "companies",
    "endgame",
    "threshold",
    "president",
    "rounds",
    "scoop",
    "minutes",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with everything, and its report."""
    out = tmp_path_factory.mktemp("report") / "out"
    fine(
        xeno("run", out, "--game", "target-earth", "--players", 3, "--rule", "factions=0,1", "--mode", "easy,hard",
             "--variant", "base,advanced",
             "--strategies", "core,random", "--line-up", "pool", "--games", 600, "--acts", "--quiet")
    )  # fmt: skip
    out.with_name("said.json").write_text(fine(xeno("report", out, "--json")))
    return out


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without acts, of one base game, and its report."""
    out = tmp_path_factory.mktemp("small") / "out"
    fine(xeno("run", out, "--game", "target-earth", "--games", 40, "--quiet"))
    fine(xeno("report", out, "--only", "win-rate,decisive,personal"))
    return out


def test_chapters_and_title(made: Path) -> None:
    page = text_of(made)
    assert title_of("target-earth") in page
    for module in chapters_of("target-earth"):
        assert module.QUESTION in page
    assert set(MINE) <= set(ids(page))
    assert len(ids(page)) == len(set(ids(page)))


def test_nothing_of_the_other_game(made: Path) -> None:
    for text in (text_of(made), text_of(made, "report.md")):
        shown = re.sub(r"<(script|style|svg).*?</\1>", "", text, flags=re.S)
        assert [word for word in FOREIGN if re.search(rf"\b{re.escape(word)}", shown)] == []


def test_findings_have_evidence(made: Path) -> None:
    said = json.loads(made.with_name("said.json").read_text())
    assert len(said["findings"]) > 5
    assert "The Alliance wins" in said["findings"][0]["text"]
    assert {one["evidence"] for one in said["findings"]} <= set(ids(text_of(made)))
    assert all(one["n"] > 0 and one["method"] for one in said["findings"])
    assert any("values on the cards are assumed" in warning for warning in said["warnings"])


def test_the_tables_count_games(made: Path) -> None:
    assert table(made, "alliance-overall")["n"].to_list() == [8 * 600]
    by_game = table(made, "alliance-by-game")
    assert by_game["n"].to_list() == [600] * 8
    games = pl.read_parquet(sorted((made / "games").glob("*.parquet")))
    assert table(made, "alliance-overall")["rate"].item() == pytest.approx(games["won"].mean())
    endings = table(made, "endings")
    shares = endings.select(pl.sum_horizontal("^(won|lost)_[a-z]+$"))
    assert shares.to_series().to_list() == pytest.approx([1.0] * 8)


def test_the_method(made: Path) -> None:
    page = text_of(made, "report.md")
    assert "the unit is the game" in page
    assert table(made, "cells").columns[:4] == ["cell", "players", "mode", "variant"]
    assumed = table(made, "assumed")
    assert {"countries", "technologies", "bags", "radars", "alliance"} <= set(assumed["section"].to_list())
    assert (assumed["assumed"] <= assumed["values"]).all()
    assert "pace" not in names(made, "tables", "csv")


def test_every_figure_and_table_is_written(made: Path) -> None:
    assert names(made, "figures", "svg") == names(made, "figures", "png")
    assert {"alliance", "endings", "points-by-turn", "levels-by-turn", "leads", "with-strategy", "shares-by-faction",
            "points-by-objective", "countries", "alliance-cards",
            "ufos"} <= names(made, "figures", "png")  # fmt: skip
    assert names(made, "tables", "csv") == names(made, "tables", "parquet")


def test_the_docs_name_every_table(made: Path) -> None:
    rows = DOCS.split("## Target Earth")[1].split("\n## ")[0].splitlines()
    told = {
        name for row in rows if row.startswith("|") for name in re.findall(r"`([a-z-]+)`", row.split("|")[2])
    }
    assert told == names(made, "tables", "csv")
    for module in chapters_of("target-earth"):
        assert f"| {module.TITLE} |" in DOCS
        assert f"`{module.ID}`" in DOCS


def test_without_acts_and_advanced_games(small: Path) -> None:
    page = text_of(small, "report.md")
    assert "--acts" in page
    assert "no advanced games" in page
    known = {"alliance-overall", "alliance-by-game", "endings", "losses", "won-and-lost", "cells", "assumed"}
    assert names(small, "tables", "csv") == known


def test_names_of_chapters_are_the_games_own(small: Path) -> None:
    error = refused(xeno("report", small, "--only", "alien-strength"))
    assert f"no chapter 'alien-strength'; valid: {', '.join(MINE)}" in error
    assert set(MINE) != set(NAMES)
