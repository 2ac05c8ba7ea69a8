"""Sums of games say what the games say one by one, whatever the metric."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.lab.metrics import metrics_of
from analysis.lab.sums import Sums
from sim.errors import UserError
from sim.games.target_earth import study
from sim.games.target_earth.play import Setting, make_setting
from sim.line_ups import POOL, ROTATED, SEATS
from sim.records import GAMES
from sim.records import SEATS as SEAT_ROWS

GAMES_PLAYED = 12
TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "base": ({"strategies": ["core", "random", "core", "core"]}, SEATS),
    "advanced": ({"strategies": ["core", "random", "core", "core"], "variant": "advanced"}, ROTATED),
    "three, pool": (
        {"strategies": ["core", "random"], "players": 3, "variant": "advanced", "drawn": True},
        POOL,
    ),
    "alone": ({"strategies": ["core"], "players": 1, "rules": {"factions": 1}}, SEATS),
}


class Played:
    """The same games as rows and as sums."""

    def __init__(self, name: str) -> None:
        words, way = TABLES[name]
        self.setting: Setting = make_setting(**words)
        listed = study.words([self.setting])
        columns = study.sum_columns([self.setting], listed)
        tables = study.play_chunk(self.setting, listed, 0, way, 5, 0, GAMES_PLAYED, False)
        self.games, self.seats = (
            tables[GAMES],
            tables[SEAT_ROWS].with_columns(pl.col("strategy").cast(pl.String)),
        )
        size = self.setting.players if way == ROTATED else 1
        frame = study.play_sums(self.setting, listed, columns, 0, way, 5, 0, GAMES_PLAYED, size)["sums"]
        self.frame = frame
        cell = {"players": self.setting.players, "variant": self.setting.variant, "changes": []}
        self.sums = Sums([frame.lazy()], [cell], ["A"], "target-earth")

    def value(self, metric: str) -> float:
        """What the sums say."""
        return float(self.sums.means(metric)[0])


@pytest.fixture(scope="module", params=TABLES)
def played(request: pytest.FixtureRequest) -> Played:
    """Each table once."""
    return Played(request.param)


def test_the_alliance(played: Played) -> None:
    games = played.games
    assert played.value("alliance_win") == games["won"].mean()
    for metric, column in (
        ("turns", "turns"), ("points_alliance", "points_alliance"), ("points_aliens", "points_aliens"),
        ("science", "science"), ("allied", "allied"), ("modules_lost", "modules_lost"), ("battles", "battles"),
        ("cards_played", "cards_played"), ("decisions", "decisions"), ("knowledge", "knowledge"),
    ):  # fmt: skip
        assert played.value(metric) == pytest.approx(games[column].cast(pl.Float64).mean()), metric
    levels = games.select(
        pl.sum_horizontal(pl.col("fighters", "troops", "tanks").cast(pl.Float64)).mean()
    ).item()
    assert played.value("levels") == pytest.approx(levels)
    total = games.select(
        pl.col("shot_down", "beaten", "ufos", "attempts", "attempts_won").cast(pl.Int64).sum()
    ).row(0)
    assert played.value("stopped") == pytest.approx((total[0] + total[1]) / total[2])
    assert played.value("attempts_won") == pytest.approx(total[4] / total[3])


def test_every_game_ends_in_one_way(played: Played) -> None:
    names = [
        metric.name for metric in played.sums.metrics.plain if metric.name.split("_")[0] in ("won", "lost")
    ]
    assert len(names) == 7
    assert sum(map(played.value, names)) == pytest.approx(1)
    why = played.games.with_columns(pl.col("why").cast(pl.String))
    for name in names:
        won, ending = name.split("_", 1)
        there = (pl.col("won") == (won == "won")) & (pl.col("why") == ending.replace("_", " "))
        assert played.value(name) == pytest.approx(len(why.filter(there)) / GAMES_PLAYED)
    assert played.value("won_points") + played.value("won_sudden") == pytest.approx(
        played.value("alliance_win")
    )


def test_strategies_and_seats(played: Played) -> None:
    for name in played.sums.strategies:
        mine = played.seats.filter(pl.col("strategy") == name)
        assert played.value(f"strategy:{name}") == pytest.approx(mine["won"].mean())
        assert int(played.frame[f"{name}.seats"].sum()) == len(mine)
    assert set(played.sums.strategies) == {one.name for one in played.setting.strategies}
    for seat in range(1, played.setting.players + 1):
        mine = played.seats.filter(pl.col("seat") == seat)
        assert played.value(f"seat:{seat}") == pytest.approx(mine["won"].sum() / GAMES_PLAYED)
    assert played.value("personal") == pytest.approx(played.seats["personal"].mean())


def test_factions_and_objectives(played: Played) -> None:
    for word, column in (("faction", "faction"), ("objective", "objective")):
        for metric in played.sums.metrics.plain:
            kind, _, name = metric.name.partition(":")
            if kind != word:
                continue
            mine = played.seats.filter(pl.col(column).cast(pl.String) == name.replace("-", " "))
            if len(mine):
                assert played.value(metric.name) == pytest.approx(mine["won"].mean()), metric.name
            else:
                assert np.isnan(played.value(metric.name))


def test_in_the_base_game_all_win_together(played: Played) -> None:
    if played.setting.variant == "base":
        for name in played.sums.strategies:
            assert played.value(f"strategy:{name}") == pytest.approx(played.value("alliance_win"))


def test_rows_are_blocks_and_add_up() -> None:
    one = Played("advanced")
    assert one.frame["games"].to_list() == [4] * 3
    assert one.frame["blocks"].to_list() == [1] * 3
    listed = study.words([one.setting])
    columns = study.sum_columns([one.setting], listed)
    all_in_one = study.play_sums(one.setting, listed, columns, 0, ROTATED, 5, 0, GAMES_PLAYED, GAMES_PLAYED)[
        "sums"
    ]
    for name in one.frame.columns:
        if name not in ("cell", "row"):
            assert int(one.frame[name].sum()) == int(all_in_one[name].sum()), name


def test_no_game_has_the_metrics_of_another() -> None:
    mine, theirs = metrics_of("target-earth"), metrics_of("eti")
    assert mine.usual == ("alliance_win", "turns")
    for text in ("alien_win", "rounds", "human:core", "distance:0"):
        theirs.find(text, ["core"], 4)
        with pytest.raises(UserError, match="no metric"):
            mine.find(text, ["core"], 4)
    for metrics in (mine, theirs):
        assert {*metrics.usual, *metrics.main} <= set(metrics.by_name)
        assert len(metrics.by_name) == len(metrics.plain)
