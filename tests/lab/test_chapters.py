"""Experiments as chapters of a run's balance report, and their own page made anew."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.runs.kit import fine, refused, xeno

TABLE = ("--players", "3", "--length", "short", "--quiet")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and two comparisons."""
    place = tmp_path_factory.mktemp("chapters")
    strategies = ("--strategies", "cautious,gambler,climber")
    fine(xeno("run", place / "run", *TABLE, *strategies, "--games", "300"))
    fine(xeno("compare", "--b", "blank Decoy Beacon", *TABLE, "--games", "200", "--out", place / "one"))
    fine(xeno("compare", "--b", "attack_x3=60", *TABLE, "--games", "200", "--out", place / "two"))
    return place


def test_chapters_beside_those_of_the_run(made: Path) -> None:
    """Two of one kind have names of their own, and every link on the page leads somewhere."""
    args = ("report", made / "run", "--with", made / "one", "--with", made / "two", "--only", "win-rate", "--json")
    facts = json.loads(fine(xeno(*args)))
    assert {"compare-effects", "compare-effects-2", "alien-overall"} <= set(facts["tables"])
    assert any(finding["evidence"] == "compare-effects-2" for finding in facts["findings"])
    page = (made / "run" / "report.html").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert "blank Decoy Beacon" in page and "attack_x3=60" in page


def test_the_page_is_made_anew_from_the_result(made: Path) -> None:
    page = made / "one" / "report.html"
    before = page.read_bytes()
    page.unlink()
    fine(xeno("report", made / "one"))
    assert page.read_bytes() == before


def test_what_is_no_experiment_is_refused(made: Path) -> None:
    assert "no experiment is here" in refused(xeno("report", made / "run", "--with", made / "run", "--quiet"))
