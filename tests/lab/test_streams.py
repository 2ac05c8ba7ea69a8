"""Luck under changes: what is redrawn, what is taken out of the game, and that nothing else moves."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from sim.folder import shard_path
from sim.games.eti.events import first_event_order
from sim.games.eti.luck import ELSEWHERE, luck_of, seats_of
from sim.games.eti.play import new_game, play
from sim.games.eti.setup import (
    clear_table,
    draw_roles,
    fill_decks,
    reroll_streams,
    set_threshold,
    start_streams,
)
from sim.games.eti.state import LOST, NONE
from sim.games.eti.streams import LUCKS
from sim.games.eti.trace import trace_game
from sim.line_ups import POOL, ROTATED, SEATS
from sim.study import make_plan
from tests.lab.kit import CARDS, changed, ready
from tests.referee.referee import judge
from tests.runs.kit import fine, xeno

STREAMS = ("roles", "research", "projects", "events", "attack", "strategies")
BLOCKS = range(12)


def dealt(*texts: str, block: int = 0, seed: int = 1) -> dict[str, Any]:
    """What the luck of a game decides before its first round, kind by kind; keys for what is drawn later."""
    setting = changed(*texts)
    game = new_game(setting)[0]
    luck = luck_of(np.array([block]), setting.rerolled)[0]
    with np.errstate(over="ignore"):
        start_streams(game, seed, luck[0])
        reroll_streams(game, seed, luck)
        clear_table(game)
        set_threshold(game.table)
        fill_decks(game)
        draw_roles(game, NONE, NONE)
        first_event_order(game)
    secret, keys = game.secret, [int(key) for key in game.secret.key]
    endgames = [int(card) for card in secret.endgame[: setting.players]]
    piles = [[int(k) for k in secret.pile[level][: game.table.pile_left[level]]] for level in range(1, 6)]
    return {
        "roles": (int(secret.alien_seat), endgames),
        "president": int(secret.first_president),
        "projects": piles,
        "events": [int(k) for k in secret.events[: secret.events_n]],
        "research": keys[STREAMS.index("research")],
        "attack": keys[STREAMS.index("attack")],
        "strategies": (keys[STREAMS.index("strategies")], [int(game.seats[p].dice) for p in range(6)]),
        "places": [int(place) for place in game.table.place[: len(CARDS.projects)]],
    }


@cache
def usual(block: int) -> dict[str, Any]:
    return dealt(block=block)


# --- other luck ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [*STREAMS, "president"])
def test_only_that_kind_of_luck_is_another(kind: str) -> None:
    for block in BLOCKS:
        found = dealt(f"reroll {kind}", block=block)
        assert {name for name in found if found[name] != usual(block)[name]} <= {kind}
    assert any(dealt(f"reroll {kind}", block=block)[kind] != usual(block)[kind] for block in BLOCKS)


def test_several_kinds_at_once() -> None:
    kinds = ("roles", "events", "president")
    found = [dealt(*(f"reroll {kind}" for kind in kinds), block=block) for block in BLOCKS]
    for block, one in enumerate(found):
        assert {name for name in one if one[name] != usual(block)[name]} <= set(kinds)
    for kind in kinds:
        alone = [dealt(f"reroll {kind}", block=block)[kind] for block in BLOCKS]
        assert alone == [one[kind] for one in found], "the other luck is the same, alone or together"
        assert alone != [usual(block)[kind] for block in BLOCKS]


def test_all_luck_is_that_of_another_game() -> None:
    found = dealt(*(f"reroll {kind}" for kind in (*STREAMS, "president")), block=5)
    assert found == dealt(block=5 + ELSEWHERE)


def test_the_other_luck_of_blocks_is_never_that_of_a_block() -> None:
    blocks = np.arange(10**6)
    luck = luck_of(blocks, ("roles", "president"))
    assert luck.shape == (10**6, LUCKS)
    assert luck[:, 0].min() > 10**13  # more games than a plan may have
    assert len(np.unique(luck[:, 0])) == 10**6
    assert (luck[:, 1:6] == blocks[:, None]).all()


@pytest.mark.parametrize("seats", [(1,), (3,), (2, 4), (1, 2, 3, 4)])
def test_who_sits_where_is_redrawn_at_some_seats(seats: tuple[int, ...]) -> None:
    usual_places, blocks = seats_of(POOL, 10, 4, 1, 50, 400, ())
    places, same = seats_of(POOL, 10, 4, 1, 50, 400, tuple(f"line-up-{seat}" for seat in seats))
    whole, _ = seats_of(POOL, 10, 4, 1, 50, 400, ("line-up",))
    assert (blocks == same).all()
    for seat in range(4):
        expected = whole if seat + 1 in seats else usual_places
        assert (places[:, seat] == expected[:, seat]).all()
        assert (whole[:, seat] == usual_places[:, seat]).mean() == pytest.approx(0.1, abs=0.06)


@pytest.mark.parametrize("way", [SEATS, ROTATED])
def test_fixed_line_ups_stay(way: str) -> None:
    places, blocks = seats_of(way, 4, 4, 1, 0, 40, ("line-up", "line-up-2", "roles"))
    assert (places == seats_of(way, 4, 4, 1, 0, 40, ())[0]).all()
    assert (blocks == seats_of(way, 4, 4, 1, 0, 40, ())[1]).all()


# --- cards that are not in the game -----------------------------------------------------------------------------
@pytest.mark.parametrize("section", ["projects", "events", "humans"])
def test_what_is_left_lies_as_it_would_have(section: str) -> None:
    cards = [getattr(CARDS, section)[k] for k in (0, 3, len(getattr(CARDS, section)) - 1)]
    gone = {getattr(CARDS, section).index(card) for card in cards}
    for block in BLOCKS:
        found, before = dealt(*(f"remove {card.name}" for card in cards), block=block), usual(block)
        for name in ("president", "research", "attack", "strategies"):
            assert found[name] == before[name]
        expected_projects = [[k for k in pile if k not in gone] for pile in before["projects"]]
        assert found["projects"] == (expected_projects if section == "projects" else before["projects"])
        expected_events = [k for k in before["events"] if k not in gone]
        assert found["events"] == (expected_events if section == "events" else before["events"])
        lost = [k for k, place in enumerate(found["places"]) if place == LOST]
        assert lost == (sorted(gone) if section == "projects" else [])
        assert found["roles"][0] == before["roles"][0]


def test_human_cards_move_up() -> None:
    """Who got a card that is left keeps it, unless the one before was taken out."""
    for block in BLOCKS:
        alien, before = usual(block)["roles"]
        humans = [card for seat, card in enumerate(before) if seat != alien]
        absent = dealt(f"remove {CARDS.humans[humans[-1]].name}", block=block)["roles"]
        assert [card for seat, card in enumerate(absent[1]) if seat != alien][:-1] == humans[:-1]
        assert humans[-1] not in [card for seat, card in enumerate(absent[1]) if seat != alien]
        assert absent[1][alien] == before[alien]
        undealt = next(k for k in range(len(CARDS.humans)) if k not in humans)
        assert dealt(f"remove {CARDS.humans[undealt].name}", block=block)["roles"] == (alien, before)


@pytest.mark.parametrize("section", ["projects", "events", "humans", "aliens"])
def test_blank_cards_lie_where_they_lay(section: str) -> None:
    for block in BLOCKS:
        assert dealt(f"blank {getattr(CARDS, section)[1].name}", block=block) == usual(block)


# --- the rules still hold ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "texts",
    [
        ("blank Decoy Beacon", "blank Open Lecture"), ("blank Synthetic Polymers", "projects.difficulty*=0.7"),
        ("blank The General", "blank Raiding Party"), ("research.spy+=2", "tracks.staffing+=1", "public_fame=3"),
        ("events.amount*=2", "humans.amount*=2", "aliens.amount*=2"), ("remove The General", "remove The Visionary"),
    ],
)  # fmt: skip
def test_the_referee_finds_nothing_in_changed_games(texts: tuple[str, ...]) -> None:
    """Every number of a traced game is what the rules and the changed cards make it."""
    for index in range(2):
        assert (
            judge(trace_game(changed(*texts), 1, index), best_swaps=False, best_losses=True).violations == []
        )


@pytest.mark.parametrize("kind", [*STREAMS, "president"])
def test_one_game_is_told_and_played_with_the_other_luck(kind: str) -> None:
    """`trace` and `play` take changes as well; what they tell is what a run plays."""
    texts, table = (
        ("remove Open Lecture", f"reroll {kind}"),
        {"strategies": ["cautious", "random", "climber"]},
    )
    index = next(k for k in range(10) if dealt(*texts, block=k) != dealt(texts[0], block=k))
    told = trace_game(changed(*texts, **table), 1, index)
    assert told != trace_game(changed(texts[0], **table), 1, index)
    kept = ready(texts, **table).play(0, index, 1)["games"].row(0, named=True)
    row = play(changed(*texts, **table), 1, index, 1)[0]
    assert told[-1]["rounds"] == kept["rounds"] + 1 == row["invasion_round"]
    assert (row["winner"] + 1, row["decisions"]) == (kept["winner"], kept["decisions"])
    assert not any("Open Lecture" in json.dumps(line) for line in told[1:])


# --- whole games -------------------------------------------------------------------------------------------------
EVENTS = ("Open Lecture", "Decoy Beacon", "Government Grant")
HUMANS = ("The General", "The Visionary")
ARMS = [
    [],
    *([f"{verb} {name}"] for name in (*EVENTS, *HUMANS) for verb in ("blank", "remove")),
    ["blank World Enders"],
    ["reroll roles", "reroll events", "remove Alien Anatomy", "tracks.staffing+=1"],
    ["public_fame+=0"],
]
WORDS = {
    "players": 4, "length": "short", "strategies": ["cautious", "gambler", "climber", "random"], "games": 1500,
    "acts": True, "changes": ARMS,
}  # fmt: skip


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """Compiled games of all arms, with their acts."""
    folder = tmp_path_factory.mktemp("games")
    study = folder / "study.toml"
    lines = [f"{word} = {json.dumps(value)}" for word, value in WORDS.items()]
    study.write_text("\n".join(lines), encoding="utf-8")
    out = folder / "out"
    fine(xeno("run", out, "--study", study, "--jobs", 1, "--quiet"))
    return {
        table: pl.concat(pl.read_parquet(shard_path(out, table, cell, 0)) for cell in range(len(ARMS)))
        for table in ("games", "seats", "acts")
    }


def same_in_all(games: dict[str, pl.DataFrame], cell: int) -> pl.Series:
    """The games of a cell that went as they did in the first cell, to the last column."""
    other = pl.Series("index", [], pl.Int64)
    for table in ("games", "seats", "acts"):
        frames = [games[table].filter(pl.col("cell") == c).drop("cell") for c in (0, cell)]
        rows = [
            frame.group_by("index", maintain_order=True).agg(pl.struct(pl.all()).alias("x"))
            for frame in frames
        ]
        joined = rows[0].join(rows[1], on="index", how="full", coalesce=True)
        other = pl.concat([other, joined.filter(pl.col("x").ne_missing(pl.col("x_right")))["index"]])
    every = games["games"].filter(pl.col("cell") == cell)["index"]
    return every.filter(~every.is_in(other.implode()))


def met(games: dict[str, pl.DataFrame], name: str) -> pl.Series:
    """Games of the first cell in which a card came up."""
    acts = games["acts"].filter((pl.col("cell") == 0) & (pl.col("card").cast(pl.String) == name))["index"]
    seats = games["seats"].filter((pl.col("cell") == 0) & (pl.col("endgame").cast(pl.String) == name))[
        "index"
    ]
    return pl.concat([acts, seats]).unique()


@pytest.mark.parametrize("name", [*EVENTS, *HUMANS, "World Enders"])
def test_games_that_never_met_a_card_do_not_miss_it(games: dict[str, pl.DataFrame], name: str) -> None:
    """Blank or removed: only games in which it came up may go another way, and some do."""
    met_it = met(games, name)
    assert 0.02 * 1500 < len(met_it) < 0.98 * 1500
    for cell in (k for k, arm in enumerate(ARMS) if arm and arm[0].endswith(name)):
        same = same_in_all(games, cell)
        assert len(same) + len(met_it) >= 1500
        assert not set(range(1500)) - set(same) - set(met_it), ARMS[cell]
        assert len(same) < 1500


def test_a_change_of_nothing_changes_nothing(games: dict[str, pl.DataFrame]) -> None:
    assert len(same_in_all(games, len(ARMS) - 1)) == 1500


@pytest.mark.parametrize("cell", [2, 10, len(ARMS) - 2])
def test_plain_games_are_the_compiled_ones(games: dict[str, pl.DataFrame], cell: int) -> None:
    """With cards out of the game, and with luck of another one."""
    plan = make_plan(WORDS)
    for name, again in plan.play(cell, 0, 3).items():
        there = games[name].filter((pl.col("cell") == cell) & (pl.col("index") < 3))
        assert there.equals(again), name
