"""Runs with little in them, or with something unusual: a report that says so, and never a traceback."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import xenobalance as xb
from reports.build import NAMES
from sim.errors import UserError
from tests.reports.kit import TRIO, copy_of, interrupt, names, play, report, shared, table, text_of, went_well
from tests.runs.kit import fine, small_run, xeno
from xenobalance.cli.report import facts
from xenobalance.reporting import Made

Capture = pytest.CaptureFixture[str]
SHORT = ("--players", "3", "--length", "short")
#: what `xenobalance run` is told, by name
RUNS: dict[str, tuple[str, ...]] = {
    "one-game": (*TRIO, *SHORT, "--games", "1", "--acts"),
    "29-games": (*TRIO, *SHORT, "--games", "29", "--acts"),
    "30-games": (*TRIO, *SHORT, "--games", "30", "--acts"),
    "one-strategy": ("--strategies", "cautious", "--players", "3,4", "--length", "short", "--games", "200"),
    "rotated": (*TRIO, *SHORT, "--line-up", "rotated", "--rule", "threshold_extra=-2,0,2", "--games", "150"),
    "multipliers": (*TRIO, "--players", "3", "--rule", "multiplier_standard=2,3,4,5", "--games", "200"),
    "cards-and-line-ups": (
        *TRIO,
        "--strategies",
        "cautious,scooper,scooper",
        "--cards",
        "reference",
        "--cards",
        "mine.toml",
        *SHORT,
        "--games",
        "80",
    ),
}
AWKWARD = "--> $\\foo$ <img src=x onerror=alert(2)>"
STUDY = """
strategies = ["cautious", 'costs $5 $6', '{name}']
length = "short"
games = 60
[variants.'costs $5 $6']
of = "gambler"
[variants.'{name}']
of = "climber"
"""


class Odd:
    """A run, and what was told of its report."""

    def __init__(self, name: str, run: Path) -> None:
        self.name, self.run = name, run
        self.told: dict[str, Any] = json.loads(run.with_suffix(".json").read_text(encoding="utf-8"))
        self.findings = [one["text"] for one in self.told["findings"]]


def make(folder: Path, words: tuple[str, ...]) -> None:
    """The run and its report, figures and all."""
    cards = folder.with_name("mine.toml")
    if "mine.toml" in words:
        fine(xeno("cards", "export", cards))
    play(folder, *(str(cards) if word == "mine.toml" else word for word in words))
    made = xb.report(folder)
    folder.with_suffix(".json").write_text(json.dumps(facts(made) | {"subtitle": made.report.subtitle}))


@pytest.fixture(scope="module", params=RUNS)
def odd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Odd:
    """One after the other."""
    return load_odd(tmp_path_factory, request.param)


def load_odd(factory: pytest.TempPathFactory, name: str) -> Odd:
    """One of the odd runs."""
    return Odd(name, shared(factory, name, lambda folder: make(folder, RUNS[name])))


def test_a_whole_report(odd: Odd) -> None:
    page = text_of(odd.run)
    assert re.findall(r'<section id="([^"]*)" class="chapter">', page) == [*NAMES, "method"]
    assert not re.search(r">(nan|None|inf|NaN)[<% ]", page), "what is not known is shown as –"
    assert not re.search(r"\b(nan|None|inf)\b", " ".join(odd.findings))
    few = "Too few games to say anything" in " ".join(odd.told["warnings"])
    assert few == (odd.name in ("one-game", "29-games"))
    assert bool(odd.findings) != few
    for name in names(odd.run, "figures", "png"):
        with Image.open(odd.run / "report" / "figures" / f"{name}.png") as image:
            assert 1000 < image.width < 1300, name
            assert 150 < image.height < 3000, name
    games = len(xb.load(odd.run))
    assert f"{games:,} simulated game" in odd.told["subtitle"]
    assert table(odd.run, "cells")["played"].sum() == games


def test_acts_that_were_not_kept(odd: Odd) -> None:
    kept = "--acts" in RUNS[odd.name]
    assert ("This run did not keep claims and events" in text_of(odd.run)) != kept
    assert ("projects" in names(odd.run, "tables", "csv")) == kept


def test_settings_are_told_apart(odd: Odd) -> None:
    """Each combination of rules, cards or line-up is a setting of its own in the tables; a table size is none."""
    cells = {"rotated": 3, "multipliers": 4, "cards-and-line-ups": 4}.get(odd.name, 1)
    assert table(odd.run, "lengths")["setting"].n_unique() == cells


def test_one_strategy_at_tables_of_two_sizes(tmp_path_factory: pytest.TempPathFactory) -> None:
    """It plays three seats here and four there: that is one setting, and the sizes can be compared."""
    run = load_odd(tmp_path_factory, "one-strategy").run
    assert table(run, "lengths")["setting"].to_list() == ["short", "short"]
    assert "players" in table(run, "advice")["what"].to_list()


def test_one_game_is_a_game(tmp_path_factory: pytest.TempPathFactory) -> None:
    odd = load_odd(tmp_path_factory, "one-game")
    assert odd.told["subtitle"].endswith(" 1 simulated game")


def test_one_strategy_has_nobody_to_compare_with(tmp_path_factory: pytest.TempPathFactory) -> None:
    odd = load_odd(tmp_path_factory, "one-strategy")
    assert "nobody to compare it with" in text_of(odd.run)
    assert "head-to-head" not in names(odd.run, "tables", "csv")
    assert [one for one in odd.told["findings"] if one["evidence"] == "strategy-shares"] == []


def test_drawn_aliens_are_told_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    run = load_odd(tmp_path_factory, "cards-and-line-ups").run
    assert table(run, "cells")["alien"].unique().to_list() == ["drawn"]
    assert table(run, "alien-by-card")["alien_card"].n_unique() == 4


# --- words that work -------------------------------------------------------------------------------------
def chapters(run: Path) -> list[str]:
    """Of the page, without the method."""
    return re.findall(r'<section id="([^"]*)" class="chapter">', text_of(run))[:-1]


@pytest.fixture(scope="module")
def run(mini: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the small run, for reports of single chapters."""
    return copy_of(mini, tmp_path_factory.mktemp("mini") / "run")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pacing", "win-rate"], ["win-rate", "pacing"]),
        (["pacing,win-rate"], ["win-rate", "pacing"]),
        ([" pacing , cards,"], ["pacing", "cards"]),
        (["cards", "cards", "cards,cards"], ["cards"]),
    ],
    ids=["twice", "commas", "spaces", "repeated"],
)
def test_only(run: Path, capsys: Capture, words: list[str], expected: list[str]) -> None:
    went_well(report(capsys, run, *(text for word in words for text in ("--only", word))))
    assert chapters(run) == expected
    again = "".join(f" --only {name}" for name in expected)
    assert f"xenobalance report AGAIN{again}\n" in text_of(run, "report.md")


def test_another_target(run: Path, capsys: Capture) -> None:
    words = ("--only", "win-rate", "--only", "alien-strength", "--target", "0.3")
    told = json.loads(went_well(report(capsys, run, *words, "--json")).raw)
    assert re.search(r"the target of 30(\.0)? %", told["findings"][0]["text"])
    advised = table(run, "recommendation").drop_nulls("rate")
    assert ((advised["rate"] - 0.3) - advised["distance"]).abs().max() in (None, 0.0)
    page = text_of(run)
    assert "--target 0.3" in page
    assert "50.0" not in str(re.findall(r"target of[^.]*", page))


def test_the_commands_make_the_same_page(run: Path, capsys: Capture) -> None:
    """As told at the end of the page; only the name and the time of the run are others."""
    went_well(report(capsys, run, "--only", "win-rate", "--target", "0.45"))
    *_, play_again, report_again = text_of(run, "report.md").rstrip("`\n").splitlines()
    there = run.parent / "AGAIN"
    fine(xeno(*play_again.split()[1:], cwd=run.parent))
    assert report_again == "xenobalance report AGAIN --target 0.45 --only win-rate"
    went_well(report(capsys, there, *report_again.split()[3:]))
    for name in names(run, "tables", "csv"):
        file = Path("report") / "tables" / f"{name}.csv"
        assert (there / file).read_bytes() == (run / file).read_bytes()


# --- names that bite -------------------------------------------------------------------------------------
def reported(folder: Path, name: str, capsys: Capture) -> Path:
    """The report of a run in which a strategy has a strange name."""
    study = folder / "study.toml"
    study.write_text(STUDY.format(name=name), encoding="utf-8")
    play(folder / "run", "--study", study)
    went_well(report(capsys, folder / "run", "--only", "strategies"))
    return folder / "run"


def test_a_name_that_is_a_formula(tmp_path: Path, capsys: Capture) -> None:
    page = text_of(reported(tmp_path, AWKWARD, capsys))
    assert "onerror" in page
    assert "<img" not in page


def test_a_name_in_other_letters(tmp_path: Path, capsys: Capture) -> None:
    run = reported(tmp_path, "_naïve & Ωmega</style>", capsys)
    assert "_naïve &amp; Ωmega&lt;/style&gt;" in text_of(run)
    assert "\\_naïve & Ωmega&lt;/style&gt;" in text_of(run, "report.md")


# --- from a notebook -------------------------------------------------------------------------------------
def test_report_of_a_run(run: Path) -> None:
    made = xb.load(run).report(["win-rate"], target=0.4)
    assert isinstance(made, Made)
    assert made.page == run / "report.html"
    assert chapters(run) == ["win-rate"]
    lines = repr(made).splitlines()
    assert lines[0] == f"report: {run / 'report.html'}"
    assert [line for line in lines if line.startswith("1. ")] == [f"1. {made.findings[0]}"]
    shown: str = made._repr_html_()
    assert shown.count("<li>") == len(made.findings) > 0
    assert f"href='{(run / 'report.html').as_posix()}'" in shown


def test_only_one_word(run: Path) -> None:
    xb.report(str(run), "cards")
    assert chapters(run) == ["cards"]


def test_watching(run: Path) -> None:
    heard: list[str] = []
    xb.report(run, ["win-rate", "cards"], watch=heard.append)
    assert heard[:2] == ["Win rates", "Cards"]
    assert len(heard) == 2 + len(names(run, "figures", "svg"))


def test_a_run_in_memory() -> None:
    made = xb.simulate("eti", players=3, length="short", games=2, strategies="cautious", seed=1)
    with pytest.raises(UserError, match="needs a run folder"):
        made.report()


def test_reprs_say_that_it_is_partial(mini: Path, tmp_path: Path) -> None:
    run = copy_of(mini, tmp_path / "a<b>")
    interrupt(run, keep=1)
    made: Any = xb.report(run, ["win-rate"])
    assert "Partial" in repr(made)
    assert "<b>Partial" in made._repr_html_()
    assert "a&lt;b&gt;/report.html" in made._repr_html_()


def test_a_plain_run(tmp_path: Path) -> None:
    """Not compiled, and of few games: nothing depends on how a run was played."""
    folder = small_run(tmp_path / "run", games=4).path
    assert xb.report(folder, ["win-rate"]).findings == []
    assert "The data carries no finding." in text_of(folder)
    assert "The data carries no finding." in text_of(folder, "report.md")
