"""The records: their columns, points and ranks by hand, and what must hold in every game of a real run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sim.games.eti.play import make_setting
from sim.games.eti.records import COLUMNS, points, ranks
from sim.games.eti.state import ALIEN, HUMAN, SEAT_ROW
from sim.games.eti.trace import trace_game
from sim.plan import Ready
from sim.records import SCHEMA, Column, empty_frame, encode, make_frame
from tests.runs.kit import TRIO, small, small_run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "schema.json"
GAMES = 12
FIVE = ["cautious", "gambler", "climber", "random", "fortress"]
KEYS = ["cell", "index"]
BATTLE = ("survived", "fame", "attack", "defence", "margin", "attack_dealt", "attack_mash", "attack_tactics")
Tables = dict[str, pl.DataFrame]


@pytest.fixture(scope="module", params=["seats", "rotated", "pool"])
def played(request: pytest.FixtureRequest) -> tuple[Ready, Tables]:
    """A dozen games with acts, plain, for each way of seating."""
    ready = small(line_up=request.param, strategies=FIVE if request.param == "pool" else [*TRIO],
                  games=GAMES, acts=True, seed=21)  # fmt: skip
    return ready, ready.play(0, 0, GAMES)


@pytest.fixture
def tables(played: tuple[Ready, Tables]) -> Tables:
    return played[1]


@pytest.fixture
def humans(tables: Tables) -> pl.DataFrame:
    """Human seats, with the columns of their games."""
    humans = tables["seats"].filter(pl.col("role") == "human")
    return humans.join(tables["games"], on=[*KEYS, "block"], how="left")


# --- columns ---------------------------------------------------------------------------------------------
def described() -> dict[str, Any]:
    """Every table with its columns and their types, in order."""
    words = small().words
    frames = {table: empty_frame(columns, words) for table, columns in COLUMNS.items()}
    return {
        "schema": SCHEMA,
        **{
            table: {name: type(kind).__name__ for name, kind in frame.schema.items()}
            for table, frame in frames.items()
        },
    }


def test_the_schema() -> None:
    """Other columns, types or orders need a new SCHEMA number (sim/records.py) and then a new golden file."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    now = described()
    assert now == golden
    for table in COLUMNS:
        assert list(now[table]) == list(golden[table])


def test_the_schema_of_real_tables(played: tuple[Ready, Tables]) -> None:
    ready, tables = played
    assert set(tables) == set(COLUMNS)
    for table, columns in COLUMNS.items():
        assert tables[table].schema == empty_frame(columns, ready.words).schema


def test_only_columns_that_say_so_are_ever_empty(tables: Tables) -> None:
    for table, columns in COLUMNS.items():
        full = [column.name for column in columns if not column.null]
        assert tables[table].select(full).null_count().sum_horizontal().item() == 0, table


def test_make_frame() -> None:
    columns = [
        Column("n", "u8", "a number", "none"),
        Column("w", "word", "a word", "none"),
        Column("b", "bool", ""),
    ]
    frame = make_frame(columns, {"n": [3, -1], "w": [1, -1], "b": np.array([True, False])}, {"w": ["x", "y"]})
    assert frame.to_dict(as_series=False) == {"n": [3, None], "w": ["y", None], "b": [True, False]}
    assert frame.schema == {"n": pl.UInt8, "w": pl.Enum(["x", "y"]), "b": pl.Boolean}


def test_the_same_table_is_the_same_bytes(played: tuple[Ready, Tables]) -> None:
    ready, tables = played
    again = ready.play(0, 0, GAMES)
    for table, frame in tables.items():
        assert encode(frame) == encode(again[table])


# --- by hand ---------------------------------------------------------------------------------------------
def seats(*rows: tuple[int, int, int, int]) -> Any:
    """One game: role, survived, fame, won of each seat."""
    game = np.zeros((1, len(rows)), SEAT_ROW)
    for p, (role, survived, fame, won) in enumerate(rows):
        for name, value in (("role", role), ("survived", survived), ("fame", fame), ("won", won)):
            game[name][0, p] = value
    return game


ALONE = [(HUMAN, 1, 30, 1), (ALIEN, 0, 0, 0), (HUMAN, 1, 20, 0), (HUMAN, 0, 0, 0)]
TIE = [(HUMAN, 1, 30, 0), (HUMAN, 1, 30, 1), (ALIEN, 0, 0, 0), (HUMAN, 1, 10, 0)]
THREE_TIED = [(HUMAN, 1, 5, 0), (HUMAN, 1, 5, 0), (ALIEN, 0, 0, 0), (HUMAN, 1, 5, 1)]
NOBODY = [(HUMAN, 0, 0, 0), (ALIEN, 0, 0, 1), (HUMAN, 0, 0, 0), (HUMAN, 0, 0, 0)]
NO_FAME = [(HUMAN, 1, 0, 1), (ALIEN, 0, 0, 0), (HUMAN, 0, 0, 0), (HUMAN, 1, 0, 0)]
BELOW_ZERO = [(HUMAN, 1, -5, 1), (ALIEN, 0, 0, 0), (HUMAN, 0, 0, 0), (HUMAN, 1, -9, 0)]


@pytest.mark.parametrize(
    ("game", "tied", "shares", "places"),
    [
        (ALONE, 1, [1, 0, 0, 0], [1, 3, 2, 3]),
        (TIE, 2, [0.5, 0.5, 0, 0], [2, 1, 4, 3]),
        (THREE_TIED, 3, [1 / 3, 1 / 3, 0, 1 / 3], [2, 2, 4, 1]),
        (NOBODY, 0, [0, 1, 0, 0], [2, 1, 2, 2]),
        (NO_FAME, 2, [0.5, 0, 0, 0.5], [1, 3, 3, 2]),
        (BELOW_ZERO, 1, [1, 0, 0, 0], [1, 3, 3, 2]),
    ],
    ids=["alone", "tie", "three tied", "nobody survived", "no fame", "below zero"],
)
def test_points_and_ranks(game: Any, tied: int, shares: list[float], places: list[int]) -> None:
    rows = seats(*game)
    assert points(rows, np.array([tied]))[0].tolist() == pytest.approx(shares)
    assert ranks(rows)[0].tolist() == places


# --- what must hold in every game ------------------------------------------------------------------------
def test_one_winner_a_game(tables: Tables) -> None:
    found = tables["seats"].group_by(KEYS).agg(pl.col("won").sum(), pl.col("points").sum(), n=pl.len())
    assert len(found) == len(tables["games"]) == GAMES
    assert found["won"].to_list() == [1] * GAMES
    assert found["points"].to_list() == pytest.approx([1.0] * GAMES)
    assert found["n"].to_list() == [3] * GAMES


def test_winners_agree(tables: Tables) -> None:
    won = tables["seats"].filter("won").join(tables["games"], on=KEYS)
    assert (won["seat"] == won["winner"]).all()
    assert (won["role"].cast(pl.String) == won["winner_role"].cast(pl.String)).all()
    assert won["rank"].to_list() == [1] * GAMES
    assert tables["seats"].filter((pl.col("rank") == 1) & ~pl.col("won")).is_empty()
    assert won.filter((pl.col("won_by") == "fame") & (pl.col("points") != 1)).is_empty()


def test_survivors_and_ties(tables: Tables, humans: pl.DataFrame) -> None:
    alive = humans.group_by(KEYS).agg(
        alive=pl.col("survived").sum(),
        best=(pl.col("survived") & (pl.col("fame") == pl.col("fame").filter("survived").max())).sum(),
    )
    games = tables["games"].join(alive, on=KEYS)
    assert (games["survivors"] == games["alive"]).all()
    assert (games["tied"] == games["best"].fill_null(0)).all()
    assert ((games["survivors"] == 0) == (games["won_by"].cast(pl.String) == "no survivor")).all()
    assert ((games["survivors"] == 0) == (games["winner_role"].cast(pl.String) == "alien")).all()
    assert humans.filter(~pl.col("survived") & (pl.col("fame") != 0)).is_empty()


def test_the_alien(tables: Tables) -> None:
    alien = tables["seats"].filter(pl.col("role") == "alien").join(tables["games"], on=KEYS)
    assert (alien["seat"] == alien["alien_seat"]).all()
    assert len(alien) == GAMES
    assert (alien["endgame"].cast(pl.String) == alien["alien_card"].cast(pl.String)).all()
    for column in BATTLE:
        assert alien[column].null_count() == GAMES, column


def test_battles(humans: pl.DataFrame) -> None:
    assert humans.select(BATTLE).null_count().sum_horizontal().item() == 0
    assert (humans["margin"] == humans["defence"] - humans["attack"]).all()
    assert (humans["survived"] == (humans["margin"] >= 0)).all()
    assert (humans["attack_tactics"] <= humans["attack_dealt"] + humans["attack_mash"]).all()
    assert humans.filter((pl.col("mashed") == 0) & (pl.col("attack_mash") != 0)).is_empty()


def test_projects(tables: Tables, humans: pl.DataFrame) -> None:
    seats = tables["seats"]
    levels = [name for name in seats.columns if name.startswith("level_")]
    assert (seats.select(levels).sum_horizontal() == seats["projects"]).all()
    assert (humans["secret"] + humans["public"] == humans["projects"]).all()
    assert seats["projects"].sum() > 0


def test_claims_are_acts(tables: Tables) -> None:
    """The reveal's own project counts as claimed (count_reveal is 1 in the rulebook)."""
    claims = tables["acts"].filter(pl.col("act").is_in(["claim", "reveal"]))
    counted = claims.group_by(KEYS).agg(n=pl.len())
    games = tables["games"].join(counted, on=KEYS, how="left").with_columns(pl.col("n").fill_null(0))
    assert (games["claimed"] == games["n"]).all()
    assert games["claimed"].sum() > 0


def test_claims_without_the_reveal() -> None:
    tables = small(games=4, acts=True, rules={"count_reveal": 0}).play(0, 0, 4)
    claims = tables["acts"].filter(pl.col("act") == "claim").group_by(KEYS).agg(n=pl.len())
    games = tables["games"].join(claims, on=KEYS)
    assert (games["claimed"] == games["n"]).all()
    assert not tables["acts"].filter(pl.col("act") == "reveal").is_empty()


def test_acts(tables: Tables) -> None:
    acts = tables["acts"]
    claims = acts.filter(pl.col("act").is_in(["claim", "reveal"]))
    assert claims.select("seat", "vault", "end").null_count().sum_horizontal().item() == 0
    assert acts.filter(pl.col("act").is_in(["event", "keep", "play"]))["vault"].null_count() == len(
        acts
    ) - len(claims)
    assert acts.filter((pl.col("act") != "play") & pl.col("target").is_not_null()).is_empty()
    assert (claims.filter(pl.col("act") == "reveal")["vault"].cast(pl.String) == "alien").all()
    ends = acts.join(tables["games"], on=KEYS)
    assert (ends["round"] <= ends["invasion_round"]).all()


def test_rounds(tables: Tables) -> None:
    games = tables["games"]
    assert (games["rounds"] == games["invasion_round"] - 1).all()
    assert (games["reveal_round"] <= games["invasion_round"]).all()
    assert (games["intel_used"] <= games["intel"]).all()
    assert (games["mashes_used"] <= games["mashes"]).all()
    mashed = tables["seats"].group_by(KEYS).agg(pl.col("mashed").sum())
    assert games.join(mashed, on=KEYS).filter(pl.col("mashed") != pl.col("mashes_used")).is_empty()


def test_a_block_has_the_same_luck() -> None:
    games = small(line_up="rotated", games=GAMES, seed=21).play(0, 0, GAMES)["games"]
    for column in ("alien_seat", "first_president", "alien_card"):
        assert games.group_by("block").agg(pl.col(column).n_unique())[column].to_list() == [1] * 4, column
    assert games["alien_seat"].n_unique() > 1


def test_each_game_is_the_one_that_trace_tells(played: tuple[Ready, Tables]) -> None:
    """With the strategies of its seats, and its block as index."""
    ready, tables = played
    rule = ready.settings[0]
    for game in tables["games"].to_dicts():
        names = tables["seats"].filter(pl.col("index") == game["index"])["strategy"].to_list()
        setting = make_setting(names, 3, rule.length)
        lines = trace_game(setting, game["seed"], game["block"])
        winner = next(line for line in lines if line["do"] == "winner")
        assert (winner["seat"], winner["role"]) == (game["winner"], game["winner_role"])
        assert winner["why"] == game["won_by"]
        assert lines[-1]["decisions"] == game["decisions"]
        rows = {
            row["seat"]: row for row in tables["seats"].filter(pl.col("index") == game["index"]).to_dicts()
        }
        battles = [line for line in lines if line["do"] == "battle"]
        assert len(battles) == 2
        for battle in battles:
            same_battle(battle, rows[battle["seat"]], game)


def same_battle(battle: dict[str, Any], row: dict[str, Any], game: dict[str, Any]) -> None:
    """What a battle of a trace says stands in the seat's row."""
    for told, column in (
        ("attack", "attack"),
        ("defence", "defence"),
        ("survives", "survived"),
        ("fame", "fame"),
    ):
        assert battle[told] == row[column], column
    cards = row["attack_dealt"] + row["attack_mash"]
    assert cards == sum(card["value"] for card in battle["cards"])
    assert battle["base"] == game["base_attack"]
    assert row["attack"] == max(0, game["base_attack"] + cards + battle["extra"])
    vaults = [project["vault"] for project in battle["projects"]]
    assert (vaults.count("secret"), vaults.count("public")) == (row["secret"], row["public"])


def test_who_sits_where(played: tuple[Ready, Tables]) -> None:
    ready, tables = played
    for index in range(GAMES):
        names, block = ready.game.seated(ready.settings[0], ready.plan.line_up, ready.plan.seed, index)
        rows = tables["seats"].filter(pl.col("index") == index)
        assert rows["strategy"].to_list() == names
        assert rows["block"].to_list() == [block] * 3


def test_a_part_of_the_games_is_the_same(played: tuple[Ready, Tables]) -> None:
    ready, tables = played
    for table, part in ready.play(0, 5, 3).items():
        assert part.equals(tables[table].filter(pl.col("index").is_between(5, 7))), table


# --- reading them elsewhere ------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_run(tmp_path_factory.mktemp("records") / "out", games=5, acts=True).path


def test_polars_reads_them(folder: Path) -> None:
    seats = pl.read_parquet(folder / "seats" / "*.parquet")
    assert (len(seats), seats["points"].sum()) == (15, pytest.approx(5))
    assert len(pl.read_parquet(folder / "games" / "*.parquet")) == 5


def test_pandas_reads_them(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    seats = pandas.concat([pandas.read_parquet(file) for file in sorted((folder / "seats").iterdir())])
    assert (len(seats), seats.points.sum()) == (15, pytest.approx(5))
    assert list(seats.strategy.astype(str)[:3]) == list(TRIO)


def test_duckdb_reads_them(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    sql = f"select count(*), sum(points), min(strategy::varchar) from '{folder}/seats/*.parquet'"
    assert duckdb.sql(sql).fetchall() == [(15, pytest.approx(5), "cautious")]
    acts = pl.read_parquet(folder / "acts" / "*.parquet")
    assert duckdb.sql(f"select count(*) from '{folder}/acts/*.parquet'").fetchall() == [(len(acts),)]
