"""What a run of Target Earth records: one row a game, one row a base, and, if wanted, one row an act.

In a cooperative game the unit is the game: `won` in `games` is the Alliance's. Seats count from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from sim.games.target_earth.acts import (
    ACT_CARD,
    ACT_FREED,
    ACT_JOINED,
    ACT_NAMES,
    ACT_RAID,
)
from sim.games.target_earth.cards import CARDS, FACTIONS, MODES, OBJECTIVES, SIZES
from sim.games.target_earth.play import VARIANTS, Pool, Setting
from sim.games.target_earth.state import MAX_TURNS, NONE
from sim.records import ACTS, GAMES, SEATS, WORD, Column, Words, make_frame

WHY_WORDS = ("points", "no science", "fewer points", "neither", "sudden", "impossible")
MODULE_COLUMNS = ("hangars", "warehouses", "barracks", "garages", "laboratories", "radars")
UNIT_COLUMNS = ("fighters", "carriers", "infantry", "tanks")
_TURNS = range(1, MAX_TURNS + 1)
_KEYS = (
    Column("cell", "u16", "number of the cell in the plan, from 0"),
    Column("index", "i64", "number of the game in its cell, from 0"),
    Column("block", "i64", "games of a cell with the same block had the same luck; for `trace --index`"),
)
_OVER = "the game was over"

GAME_COLUMNS = (
    *_KEYS,
    Column("seed", "i64", "the seed of the run"),
    Column("players", "u8", "number of players"),
    Column("bases", "u8", "number of bases"),
    Column("mode", WORD, "`easy`, `normal`, `hard` or `random`"),
    Column("variant", WORD, "`base` or `advanced`"),
    Column("won", "bool", "whether the Alliance won"),
    Column("why", WORD, "how it ended: after the last turn by `points`, with `no science`, `fewer points` or "
           "`neither`; before it with a `sudden` end, or because science had become `impossible`"),
    Column("turns", "u8", "turns played"),
    Column("first", "u8", "seat of the first player in turn 1"),
    Column("winner", "u8", "advanced game: seat with the most personal points", "nobody alone"),
    Column("points_alliance", "i16", "points of the Alliance"),
    Column("points_aliens", "i16", "points of the aliens"),
    Column("fighters", "u8", "level of fighters"),
    Column("troops", "u8", "level of infantry"),
    Column("tanks", "u8", "level of tanks"),
    Column("science", "u8", "level of alien science"),
    Column("knowledge", "i16", "alien knowledge left"),
    Column("fund", "i32", "credits left in the fund"),
    Column("income", "i16", "income of the last turn"),
    Column("allied", "u8", "allied countries"),
    Column("aliens", "u8", "alien countries"),
    Column("neutral", "u8", "neutral countries"),
    Column("modules", "i16", "modules of all bases"),
    Column("modules_lost", "i16", "modules lost to raids"),
    Column("ufos", "i16", "UFOs that came"),
    Column("shot_down", "i16", "... shot down in interceptions"),
    Column("beaten", "i16", "... beaten on the ground"),
    Column("succeeded", "i16", "... that took a country a step or raided a base"),
    Column("interceptions", "i16", "interceptions fought"),
    Column("battles", "i16", "battles on the ground"),
    Column("battles_won", "i16", "... won"),
    Column("bases_destroyed", "i16", "alien bases destroyed"),
    Column("attempts", "i16", "attempts at diplomacy and rebellion by the Alliance"),
    Column("attempts_won", "i16", "... that succeeded"),
    Column("cards_played", "i16", "Alliance cards played"),
    *(Column(f"alliance_{t}", "i16", f"points of the Alliance after turn {t}", _OVER) for t in _TURNS),
    *(Column(f"aliens_{t}", "i16", f"points of the aliens after turn {t}", _OVER) for t in _TURNS),
    *(Column(f"science_{t}", "i8", f"level of alien science after turn {t}", _OVER) for t in _TURNS),
    *(Column(f"levels_{t}", "i8", f"levels of the other three technologies after turn {t}", _OVER) for t in _TURNS),
    *(Column(f"allied_{t}", "i8", f"allied countries after turn {t}", _OVER) for t in _TURNS),
    Column("decisions", "u32", "questions asked of strategies"),
    Column("forced", "u32", "questions with one legal answer, not asked"),
)  # fmt: skip

SEAT_COLUMNS = (
    *_KEYS,
    Column("seat", "u8", "the seat, from 1"),
    Column("strategy", WORD, "name of the strategy"),
    Column("faction", WORD, "the faction", "a game without factions"),
    Column("objective", WORD, "the secret objective", "the base game"),
    Column("won", "bool", "base game: whether the Alliance won; advanced game: whether this seat did"),
    Column("points", "f32", "the same as a number: what statistics by seat add up"),
    Column("rank", "u8", "advanced game: 1 and the seats with more personal points; base game: 1"),
    Column("personal", "i16", "personal points"),
    Column("personal_battles", "i16", "... for fights won"),
    Column("personal_faction", "i16", "... of the faction"),
    Column("personal_cards", "i16", "... for diplomacy and rebellion cards"),
    Column("personal_objective", "i16", "... of the secret objective"),
    Column("personal_unused", "i16", "... for starred cards not used"),
    *(Column(name, "u8", f"{name} at the end") for name in UNIT_COLUMNS),
    Column("elites", "u8", "elite units at the end"),
    *(Column(f"{name}_lost", "i16", f"{name} lost") for name in UNIT_COLUMNS),
    *(Column(name, "u8", f"{name} at the end") for name in MODULE_COLUMNS),
    Column("modules_built", "i16", "modules built"),
    Column("modules_lost", "i16", "modules lost"),
    Column("interceptions", "i16", "interceptions it took part in"),
    Column("missions", "i16", "armies sent"),
    Column("victories", "i16", "fights won that it took part in, to the end"),
    Column("cards_played", "i16", "Alliance cards played"),
    Column("credits", "i32", "credits left"),
    Column("tokens", "u8", "faction tokens left"),
)  # fmt: skip

ACT_COLUMNS = (
    Column("cell", "u16", "as in `games`"),
    Column("index", "i64", "as in `games`"),
    Column("turn", "u8", "when"),
    Column("act", WORD, "`card` played; a country `joined` or `left` the Alliance, `fell` or was `freed`; "
           "a UFO was `shot down`, `beaten`, `succeeded` against a country or made a `raid`"),
    Column("card", WORD, "the Alliance card, the country, or the size of the UFO"),
    Column("seat", "u8", "who: played the card, won the country over, or was raided", "nobody alone"),
    Column("target", "i16", "a raid: modules lost", "no raid"),
)  # fmt: skip

COLUMNS: dict[str, tuple[Column, ...]] = {GAMES: GAME_COLUMNS, SEATS: SEAT_COLUMNS, ACTS: ACT_COLUMNS}


def words(settings: Sequence[Setting]) -> Words:
    """The lists of words for a whole plan: the same in each of its shards."""

    def union(names: Any) -> list[str]:
        return list(dict.fromkeys(names))

    countries = union(name for setting in settings for name in setting.cards.country_names)
    return {
        "mode": MODES,
        "variant": VARIANTS,
        "why": WHY_WORDS,
        "strategy": union(one.name for setting in settings for one in setting.strategies),
        "faction": FACTIONS,
        "objective": OBJECTIVES,
        "act": ACT_NAMES,
        "card": union((*CARDS, *SIZES, *countries)),
    }


class Chunk:
    """Turns the rows of a chunk of games into tables."""

    def __init__(
        self,
        setting: Setting,
        words: Words,
        pool: Pool,
        cell: int,
        seed: int,
        first: int,
        places: Any,
        block: Any,
    ) -> None:
        """`places`: by game and seat, which strategy of the pool sat there."""
        self.setting, self.words, self.pool = setting, words, pool
        self.cell, self.seed, self.places, self.block = cell, seed, places, block
        self.index = np.arange(first, first + len(places), dtype=np.int64)

    def games(self, rows: Any) -> pl.DataFrame:
        """One row a game."""
        n, setting = len(rows), self.setting
        data: dict[str, Any] = {
            "cell": np.full(n, self.cell),
            "index": self.index,
            "block": self.block,
            "seed": np.full(n, self.seed),
            "players": np.full(n, setting.players),
            "bases": np.full(n, setting.bases),
            "mode": np.full(n, MODES.index(setting.mode)),
            "variant": np.full(n, VARIANTS.index(setting.variant)),
            "won": rows["won"] == 1,
            "first": rows["first"] + 1,
            "winner": np.where(rows["winner"] >= 0, rows["winner"] + 1, NONE),
            "points_alliance": rows["points"][:, 0],
            "points_aliens": rows["points"][:, 1],
        }
        for k, name in enumerate(("fighters", "troops", "tanks", "science")):
            data[name] = rows["level"][:, k]
        for turn in _TURNS:
            for name in ("alliance", "aliens", "science", "levels", "allied"):
                data[f"{name}_{turn}"] = rows[f"{name}_at"][:, turn - 1]
        for column in GAME_COLUMNS:
            if column.name not in data:
                data[column.name] = rows[column.name]
        return make_frame(GAME_COLUMNS, data, self.words)

    def seats(self, rows: Any) -> pl.DataFrame:
        """One row a base."""
        n, count = self.setting.bases, len(rows)
        seats = rows["seat"][:, :n]
        names = np.array([self.words["strategy"].index(one.name) for one in self.pool.strategies])
        data: dict[str, Any] = {
            "cell": np.full(count * n, self.cell),
            "index": np.repeat(self.index, n),
            "block": np.repeat(self.block, n),
            "seat": np.tile(np.arange(1, n + 1), count),
            "strategy": names[self.places[:, :n]],
            "won": seats["won"] == 1,
            "points": seats["won"].astype(np.float64),
            "rank": self._ranks(rows, seats),
        }
        for k, name in enumerate(UNIT_COLUMNS):
            data[name], data[f"{name}_lost"] = seats["units"][:, :, k], seats["lost"][:, :, k]
        for k, name in enumerate(MODULE_COLUMNS):
            data[name] = seats["modules"][:, :, k]
        for column in SEAT_COLUMNS:
            if column.name not in data:
                data[column.name] = seats[column.name]
        flat = {name: np.ascontiguousarray(values).reshape(-1) for name, values in data.items()}
        return make_frame(SEAT_COLUMNS, flat, self.words)

    def _ranks(self, rows: Any, seats: Any) -> Any:
        """By personal points, the winner first; in the base game all are equal."""
        if self.setting.variant == "base":
            return np.ones(seats.shape, np.int64)
        score = seats["personal"].astype(np.int64) + (seats["won"] == 1)
        return 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)

    def acts(self, acts: Any) -> pl.DataFrame:
        """One row an act."""
        game, turn, act, card, seat, target = acts.T
        is_card = act == ACT_CARD
        is_country = (act >= ACT_JOINED) & (act <= ACT_FREED)
        listed = self.words["card"]
        countries = np.array([listed.index(name) for name in self.setting.cards.country_names])
        kinds = np.array([listed.index(name) for name in CARDS])
        sizes = np.array([listed.index(name) for name in SIZES])
        what = np.where(is_country, countries[card * is_country], sizes[card * ~(is_card | is_country)])
        data = {
            "cell": np.full(len(acts), self.cell),
            "index": self.index[game],
            "turn": turn,
            "act": act,
            "card": np.where(is_card, kinds[card * is_card], what),
            "seat": np.where(seat >= 0, seat + 1, NONE),
            "target": np.where(act == ACT_RAID, target, NONE),
        }
        return make_frame(ACT_COLUMNS, data, self.words)
