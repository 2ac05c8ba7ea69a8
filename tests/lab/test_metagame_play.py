"""The experiment on games whose solution is known, and a small one of the real game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.lab.metagame import Season, everybody, folded, metagame
from analysis.lab.metagame_tables import told
from analysis.lab.stages import Result
from analysis.lab.standing import BETTER, WORSE
from analysis.lab.sums import Sums
from reports import style
from reports.lab.metagame import chapter
from sim.errors import UserError
from tests.runs.kit import fine, refused, xeno

NAMES = ["rock", "paper", "scissors", "log"]
#: what a seat has more than its fair share for each other player; the log loses to all
BEATS = np.array([[0, -0.3, 0.3, 0.3], [0.3, 0, -0.3, 0.3], [-0.3, 0.3, 0, 0.3], [-0.3, -0.3, -0.3, 0]])
#: each does better among the other: half of each
CROWD = np.array([[0, 0.8], [0.8, 0]])


class PlayedByDice:
    """A laboratory whose games are dice: who sits with whom decides how they are loaded."""

    def __init__(self, beats: np.ndarray, names: Sequence[str]) -> None:
        self.beats, self.names, self.games = beats, list(names), 0
        self.stages: dict[str, list[list[str]]] = {}

    def stage(self, name: str, words: Mapping[str, Any], labels: Sequence[str]) -> Sums:
        assert name not in self.stages
        tables = [[one.name for one in table] for table in words["strategies"]]
        self.stages[name] = tables
        luck = np.random.default_rng([words["seed"], words["skip"], len(self.stages)])
        frames = [self.arm(k, table, words, luck) for k, table in enumerate(tables)]
        self.games += sum(int(frame["games"].sum()) for frame in frames)
        frame = pl.concat(frames, how="diagonal_relaxed").fill_null(0)
        return Sums([frame.lazy()], [{"players": words["players"]}] * len(tables), labels)

    def arm(self, cell: int, table: Sequence[str], words: Mapping[str, Any], luck: Any) -> pl.DataFrame:
        players, places = len(table), [self.names.index(name) for name in table]
        more = np.array([sum(self.beats[one, other] for other in places) for one in places]) / (players - 1)
        more -= more.mean()
        each = players if words["line_up"] == "rotated" else 1
        games = words["fold"] * each
        wins = luck.multinomial(games, (1 + more) / players, size=words["games"] // games)
        data: dict[str, Any] = {"cell": cell, "games": np.full(len(wins), games)}
        for name in dict.fromkeys(table):
            mine = [seat for seat, other in enumerate(table) if other == name]
            share = len(mine) if each > 1 else 1  # of the alien's games
            points = 60 * wins[:, mine].sum(axis=1) if each > 1 else np.full(len(wins), 60 * games)
            data |= {
                f"{name}.alien.points60": points // 4, f"{name}.alien.seats": share * words["fold"],
                f"{name}.human.points60": points - points // 4,
                f"{name}.human.seats": len(mine) * games - share * words["fold"],
            }  # fmt: skip
        return pl.DataFrame(data)


def season(
    beats: np.ndarray, names: Sequence[str], players: int = 3, games: int = 8_000, rounds: int = 4
) -> Any:
    """A metagame of dice: laboratory, season, and what it found."""

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

    lab = PlayedByDice(beats, names)
    base = {"game": "eti", "strategies": [Named(name) for name in names]}
    made = Season(lab, base, players, games, 1)  # type: ignore[arg-type]
    now = made.matchups()
    made.field(now.nash.shares, rounds)
    return lab, made, told([(made, now)], {"base": {}})


@pytest.fixture(scope="module")
def circle() -> Any:
    return season(BEATS, NAMES)


def row(result: Result, table: str, **known: Any) -> dict[str, Any]:
    """The row of a table with these values."""
    found = result.tables[table].filter(
        pl.all_horizontal(pl.col(key) == value for key, value in known.items())
    )
    assert len(found) == 1, found
    return found.row(0, named=True)


# --- rock, paper, scissors -------------------------------------------------------------------------------
def test_a_circle_of_three_is_found(circle: Any) -> None:
    result = circle[2]
    shares = result.tables["ranking"]
    for name in NAMES[:3]:
        one = row(result, "ranking", strategy=name)
        assert one["alpha"] == pytest.approx(1 / 3, abs=0.001)
        assert one["nash"] == pytest.approx(1 / 3, abs=0.06) and one["nash_low"] < 1 / 3 < one["nash_high"]
    assert shares["strategy"][3] == "log" and shares["field"][3] == 0
    assert "rock → paper → scissors → rock" in result.tables["cycles"]["cycle"].to_list()
    assert any("circle" in line for line in result.verdict)


def test_what_loses_to_all_is_dominated(circle: Any) -> None:
    result = circle[2]
    assert result.tables["dominated"]["strategy"].to_list() == ["log"]
    assert row(result, "dominated", strategy="log")["sure"] == 1
    assert row(result, "best", view="both", against="rock")["best"] == "paper"


def test_the_mixed_field_cannot_be_exploited(circle: Any) -> None:
    """At three different seats each beats one and loses to one: thirds hold at full tables, too."""
    last = circle[2].tables["rounds"].row(-1, named=True)
    assert (
        last["low"] == 0 and last["gain"] < 0.02 and last["outsider"] == "log" and last["outsider_high"] < 0
    )


def test_clear_pairs_are_looked_at_once(circle: Any) -> None:
    lab, made, result = circle
    assert made.state[1, 0] == BETTER and made.state[0, 1] == WORSE and made.state[3, 0] == WORSE
    looks = [name for name in lab.stages if "look" in name and "alone" not in name]
    assert sum(len(lab.stages[name]) for name in looks[:1]) == 12
    again = {tuple(sorted(set(table))) for name in looks[1:] for table in lab.stages[name]}
    assert not any("log" in table for table in again)
    facts = result.facts["seasons"]["3"]
    assert facts["matchup_games"] <= facts["equal_games"]


def test_values_are_those_of_the_dice(circle: Any) -> None:
    one = row(circle[2], "matchups", view="both", strategy="paper", against="rock")
    # paper has 0.3 more, each rock 0.15 less: their mean is nothing
    assert one["low"] < 1.3 < one["high"] and one["value"] == pytest.approx(1.3, abs=0.06)


def test_every_finding_has_its_evidence_and_every_figure_is_drawn(circle: Any) -> None:
    found = chapter(circle[2])
    ids = {part.id for part in found.parts}
    assert {finding.evidence for finding in found.findings} <= ids
    for figure in found.figures:
        assert style.rendered(figure.draw(), figure.id, "svg")


# --- other games -----------------------------------------------------------------------------------------
def test_who_wins_everywhere_takes_one_look() -> None:
    _, made, result = season(np.array([[0, 0.5], [-0.5, 0]]), ["strong", "weak"])
    assert len(made.looks) == 1 and len(made.rounds) == 1
    assert row(result, "ranking", strategy="strong")["alpha"] == pytest.approx(1)
    assert "strong takes over" in result.verdict[0]
    assert "cannot be exploited" in result.verdict[1]


def test_equal_strategies_stop_at_the_cap_and_are_told() -> None:
    _, made, result = season(np.zeros((2, 2)), ["one", "other"], games=4_000, rounds=0)
    assert len(made.looks) == 4 and result.facts["seasons"]["3"]["open"] > 0
    assert result.tables["rounds"].is_empty() and row(result, "ranking", strategy="one")["gain"] is None
    assert chapter(result).figures


def test_the_field_is_mended_where_matchups_mislead() -> None:
    """A third one that only gains where the other two meet: no matchup shows it, full tables do."""
    names = ["left", "right", "thief"]

    class Thieves(PlayedByDice):
        def arm(self, cell: int, table: Sequence[str], words: Mapping[str, Any], luck: Any) -> pl.DataFrame:
            self.beats = np.array([[0, 0.2, 0.1], [0.2, 0, 0.1], [-0.1, -0.1, 0]])
            if set(table) == set(names):
                self.beats = np.array([[0, 0.2, -0.6], [0.2, 0, -0.6], [0.6, 0.6, 0]])
            return super().arm(cell, table, words, luck)

    lab = Thieves(np.zeros((3, 3)), names)
    base = {"game": "eti", "strategies": [type("Named", (), {"name": name})() for name in names]}
    made = Season(lab, base, 3, 16_000, 1)  # type: ignore[arg-type]
    now = made.matchups()
    assert now.nash.shares == pytest.approx([0.5, 0.5, 0], abs=0.1)
    made.field(now.nash.shares, 6)
    first, last = made.rounds[0], made.rounds[-1]
    assert first.exploitability[1] > 0.1 and first.outsider == 2
    assert last.shares[2] > 0.02 and last.exploitability[0] < first.exploitability[0] / 2


def test_what_is_better_when_rare_is_played_by_half() -> None:
    _, made, result = season(CROWD, ["one", "other"], players=4)
    shares = row(result, "ranking", strategy="one")
    assert (
        shares["nash"] == pytest.approx(0.5, abs=0.15)
        and 0.05 < shares["nash_high"] - shares["nash_low"] < 0.4
    )
    assert made.rounds[-1].shares == pytest.approx([0.5, 0.5], abs=0.1)
    assert result.tables["equilibria"].row(0, named=True)["stable"]


@pytest.mark.parametrize("blocks", [1, 99, 100, 1_250, 40_000])
def test_rows_have_whole_blocks(blocks: int) -> None:
    whole, fold = folded(blocks)
    assert whole >= blocks and whole % fold == 0 and whole < blocks + fold


# --- words -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "what"),
    [
        ({"games": 100}, "games is 100"),
        ({"rounds": -1}, "rounds is -1"),
        ({"also": ["seven"]}, "also is 'seven'"),
        ({"also": [7]}, "valid: numbers of players"),
        ({"base": {"game": "eti", "strategies": ["cautious"]}}, "1 strategies"),
    ],
)
def test_wrong_words_are_told_in_a_line(words: dict[str, Any], what: str) -> None:
    usual: dict[str, Any] = {"base": {"game": "eti", "players": 3, "strategies": ["cautious", "gambler"]}}
    with pytest.raises(UserError, match=what):
        metagame(**(usual | words))


def test_random_play_is_left_out_unless_asked_for() -> None:
    assert "random" not in everybody() and "fortress" in everybody()


# --- the real game ---------------------------------------------------------------------------------------
SMALL = ("metagame", "--players", 3, "--length", "short", "--strategies", "cautious,gambler,climber", "--games", 1920,
         "--rounds", 1, "--quiet")  # fmt: skip


def test_the_command_finds_the_same_again_and_writes_its_page(tmp_path: Path) -> None:
    out = tmp_path / "small"
    first = json.loads(fine(xeno(*SMALL, "--out", out, "--json", cwd=tmp_path)))
    for stage in sorted((out / "stages").iterdir())[1:]:  # as if it had been stopped after the first
        for file in sorted(stage.rglob("*"), key=lambda path: -len(path.parts)):
            file.unlink() if file.is_file() else file.rmdir()
        stage.rmdir()
    (out / "result.json").unlink()
    again = json.loads(fine(xeno(*SMALL, "--out", out, "--json", cwd=tmp_path)))
    assert again == first
    assert (out / "report.html").exists()
    shares = {one["strategy"]: one["alpha"] for one in first["tables"]["ranking"]}
    assert set(shares) == {"cautious", "gambler", "climber"} and sum(shares.values()) == pytest.approx(1)
    mine = [one for one in first["tables"]["matchups"] if one["view"] == "alien"]
    assert len(mine) == 9 and all(0.3 < one["value"] < 0.95 for one in mine)
    for one in first["tables"]["matchups"]:
        assert one["low"] <= one["value"] <= one["high"]


def test_the_command_complains_in_a_line(tmp_path: Path) -> None:
    assert "makes its own line-ups" in refused(xeno(*SMALL, "--line-up", "rotated", cwd=tmp_path))
