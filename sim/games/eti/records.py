"""What a run of E.T.I. records: one row a game, one row a seat, and, if wanted, one row a claim or event.

`docs/records.md` says the same in a table; a test holds the two together. Seats count from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from sim.games.eti.acts import ACT_NAMES
from sim.games.eti.cards import CardSet
from sim.games.eti.play import LENGTHS, Pool, Setting
from sim.games.eti.state import ALIEN, LEVELS, NONE, SECRET, THIRDS
from sim.records import ACTS, GAMES, SEATS, WORD, Column, Words, make_frame

ROLE_WORDS = ("human", "alien")
REASON_WORDS = ("at once", "time", "no project", "limit")
WHY_WORDS = ("fame", "tie", "no survivor")
PLACE_WORDS = ("secret", "public", "alien", "lost")
ABILITY_WORDS = ("staffing", "creativity", "security", "analysis")

_ALIEN = "for the alien"
_KEYS = (
    Column("cell", "u16", "number of the cell in the plan, from 0"),
    Column("index", "i64", "number of the game in its cell, from 0"),
    Column(
        "block",
        "i64",
        "games of a cell with the same block had the same luck; for `trace --index`",
    ),
)

GAME_COLUMNS = (
    *_KEYS,
    Column("seed", "i64", "the seed of the run"),
    Column("players", "u8", "number of players"),
    Column("length", WORD, "`short`, `standard` or `epic`"),
    Column("threshold", "u16", "claimed projects from which on the alien may reveal"),
    Column("alien_card", WORD, "the alien's endgame card"),
    Column("alien_seat", "u8", "seat of the alien"),
    Column("first_president", "u8", "seat of the first president"),
    Column("final_president", "u8", "seat of the president in the invasion"),
    Column("rounds", "u16", "rounds played out"),
    Column("threshold_round", "u16", "round in which the threshold was reached", "never reached"),
    Column("reveal_round", "u16", "round at whose start the alien revealed"),
    Column("invasion_round", "u16", "round at whose start the invasion came: `rounds` + 1"),
    Column("reason", WORD, "why the invasion came: `at once` with the reveal, `time` was up, `no project` was left, "
           "or the `limit` of rounds"),
    Column("winner", "u8", "seat of the winner"),
    Column("winner_role", WORD, "`human` or `alien`"),
    Column("won_by", WORD, "`fame`, the president's decision in a `tie`, or `no survivor`"),
    Column("tied", "u8", "companies that shared the highest fame; 0 if none survived"),
    Column("survivors", "u8", "companies that survived the invasion"),
    Column("claimed", "u16", "projects claimed"),
    Column("base_attack", "i32", "attack on every company before cards: brutality and the alien's card"),
    Column("tactics", "u8", "threats among the alien's tactics"),
    Column("intel", "u16", "uses of intel the alien had"),
    Column("intel_used", "u16", "... and made"),
    Column("mashes", "u16", "mash cards the alien could add"),
    Column("mashes_used", "u16", "... and added"),
    Column("lead_changes", "u16", "how often another seat came to be alone in front, by claimed projects at the "
           "end of rounds"),
    Column("decisions", "u32", "questions asked of strategies"),
    Column("forced", "u32", "questions with one legal answer, not asked"),
)  # fmt: skip

SEAT_COLUMNS = (
    *_KEYS,
    Column("seat", "u8", "the seat, clockwise from 1"),
    Column("strategy", WORD, "name of the strategy"),
    Column("role", WORD, "`human` or `alien`"),
    Column("endgame", WORD, "the seat's endgame card"),
    Column("won", "bool", "whether it won, ties broken by the president"),
    Column("points", "f32", "1 for the win; companies that shared the highest fame share it equally"),
    Column("rank", "u8", "1: the winner, then survivors by fame; equal fame, equal rank; the destroyed and a beaten "
           "alien share the last"),
    Column("survived", "bool", "whether the company survived", _ALIEN),
    Column("fame", "i32", "fame that counted, 0 for the destroyed", _ALIEN),
    Column("attack", "i32", "attack against it", _ALIEN),
    Column("defence", "i32", "its defence", _ALIEN),
    Column("margin", "i32", "defence - attack", _ALIEN),
    Column("attack_dealt", "i32", "of the attack: dealt cards, moved ones included", _ALIEN),
    Column("attack_mash", "i32", "of the attack: mash cards", _ALIEN),
    Column("attack_tactics", "i32", "of both kinds of card: what they counted more because of tactics", _ALIEN),
    Column("mashed", "u8", "mash cards received"),
    Column("projects", "u8", "projects held when the invasion came"),
    *(Column(f"level_{k}", "u8", f"... of level {k}") for k in range(1, LEVELS + 1)),
    Column("secret", "u8", "... in the top-secret vault"),
    Column("public", "u8", "... in the public domain"),
    *(Column(a, "u8", f"upgrades of {a}; after a reveal those of its alien counterpart") for a in ABILITY_WORDS),
    Column("immunities", "u8", "threats it was immune to"),
    Column("researched", "u16", "rounds spent on research"),
    Column("safe", "u16", "safe submissions"),
    Column("standard", "u16", "standard submissions"),
    Column("switched", "u16", "rounds spent on switching projects"),
    Column("idle", "u16", "rounds without a project to work on"),
    Column("scoops_given", "u16", "rivals that lost their project to it"),
    Column("scoops_suffered", "u16", "projects lost to a rival"),
    Column("banked", "i64", "research points put into the bank"),
    Column("lost_to_cap", "i64", "points lost because a bank holds no more"),
    *(Column(f"lead_{k}", "i8", f"claimed projects more than the best other seat after {k} of {THIRDS} thirds of the "
             "rounds; negative: fewer") for k in range(1, THIRDS + 1)),
    Column("behind", "u8", "the most projects it was ever behind the leader, at the end of a round"),
)  # fmt: skip

ACT_COLUMNS = (
    Column("cell", "u16", "as in `games`"),
    Column("index", "i64", "as in `games`"),
    Column("round", "u16", "when"),
    Column("act", WORD, "`claim` of a project, the alien's at its `reveal`; `event` carried out at once, `keep`: "
           "taken into a hand, `play`: played from a hand"),
    Column("card", WORD, "the project or event"),
    Column("seat", "u8", "who: claimed, got the event, or played it", "an event that concerns several"),
    Column("target", "u8", "on whom an event was played", "no other company"),
    Column("vault", WORD, "where a claimed project went: `secret`, `public` or `alien`", "for events"),
    Column("end", WORD, "where it was in the end: the same words, or `lost` in the invasion", "for events"),
)  # fmt: skip

COLUMNS: dict[str, tuple[Column, ...]] = {GAMES: GAME_COLUMNS, SEATS: SEAT_COLUMNS, ACTS: ACT_COLUMNS}


def words(settings: Sequence[Setting]) -> Words:
    """The lists of words for a whole plan: the same in each of its shards."""

    def union(names: Any) -> list[str]:
        return list(dict.fromkeys(names))

    sets = [setting.cards for setting in settings]
    humans = union(card.name for cards in sets for card in cards.humans)
    aliens = union(card.name for cards in sets for card in cards.aliens)
    return {
        "length": LENGTHS,
        "role": ROLE_WORDS,
        "winner_role": ROLE_WORDS,
        "reason": REASON_WORDS,
        "won_by": WHY_WORDS,
        "act": ACT_NAMES,
        "vault": PLACE_WORDS[:-1],
        "end": PLACE_WORDS,
        "alien_card": aliens,
        "endgame": union(humans + aliens),
        "strategy": union(s.name for setting in settings for s in setting.strategies),
        "card": union(name for cards in sets for name in _card_names(cards)),
    }


def _card_names(cards: CardSet) -> list[str]:
    return [card.name for card in cards.projects] + [card.name for card in cards.events]


class Chunk:
    """A chunk of games as the kernel left it, on its way to tables."""

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
        self.setting, self.words, self.pool = setting, words, pool
        self.cell, self.seed = cell, seed
        self.places, self.block = places, block  # by game: strategies of the pool by seat, and the luck
        self.index = np.arange(first, first + len(block))

    def games(self, rows: Any) -> pl.DataFrame:
        """One row a game."""
        n = len(rows)
        data: dict[str, Any] = {
            "cell": np.full(n, self.cell),
            "index": self.index,
            "block": self.block,
            "seed": np.full(n, self.seed),
            "players": np.full(n, self.setting.players),
            "length": np.full(n, LENGTHS.index(self.setting.length)),
            "alien_card": self._codes("alien_card", self.setting.cards.aliens)[rows["alien_card"]],
            "rounds": rows["invasion_round"] - 1,
            "threshold_round": np.where(rows["threshold_round"] > 0, rows["threshold_round"], NONE),
            "won_by": rows["why"],
        }
        for name in ("alien_seat", "first_president", "final_president", "winner"):
            data[name] = rows[name] + 1
        for column in GAME_COLUMNS:
            if column.name not in data:
                data[column.name] = rows[column.name]
        return make_frame(GAME_COLUMNS, data, self.words)

    def seats(self, rows: Any) -> pl.DataFrame:
        """One row a seat."""
        n = self.setting.players
        seats = rows["seat"][:, :n]
        alien = seats["role"] == ALIEN
        names = self._codes("strategy", self.pool.strategies)
        humans = self._codes("endgame", self.setting.cards.humans)
        aliens = self._codes("endgame", self.setting.cards.aliens)
        data: dict[str, Any] = {
            "cell": np.full(alien.size, self.cell),
            "index": np.repeat(self.index, n),
            "block": np.repeat(self.block, n),
            "seat": np.tile(np.arange(1, n + 1), len(rows)),
            "strategy": names[self.places[:, :n]],
            "endgame": np.where(alien, aliens[seats["endgame"] * alien], humans[seats["endgame"] * ~alien]),
            "won": seats["won"] == 1,
            "points": points(seats, rows["tied"]),
            "rank": ranks(seats),
            "projects": seats["levels"].sum(axis=2),
            "margin": seats["defence"] - seats["attack"],
        }
        for k in range(1, LEVELS + 1):
            data[f"level_{k}"] = seats["levels"][:, :, k]
        for k, ability in enumerate(ABILITY_WORDS):
            data[ability] = seats["tokens"][:, :, k]
        for k in range(THIRDS):
            data[f"lead_{k + 1}"] = seats["lead"][:, :, k]
        for column in SEAT_COLUMNS:
            if column.name not in data:
                data[column.name] = seats[column.name]
        flat = {name: values.reshape(-1) for name, values in data.items()}
        return self._without_alien(make_frame([_filled(c) for c in SEAT_COLUMNS], flat, self.words), alien)

    def _without_alien(self, frame: pl.DataFrame, alien: Any) -> pl.DataFrame:
        """The alien fights no battle: what would be 0 there is empty."""
        is_human = pl.lit(pl.Series(~alien.reshape(-1)))
        names = [column.name for column in SEAT_COLUMNS if column.null == _ALIEN]
        return frame.with_columns(pl.when(is_human).then(pl.col(names)))

    def acts(self, acts: Any) -> pl.DataFrame:
        """One row a claim or event."""
        game, round_no, act, seat, card, detail, end = acts.T
        of_project = act <= ACT_NAMES.index("reveal")
        projects = self._codes("card", self.setting.cards.projects)
        events = self._codes("card", self.setting.cards.events)
        data = {
            "cell": np.full(len(acts), self.cell),
            "index": self.index[game],
            "round": round_no,
            "act": act,
            "card": np.where(of_project, projects[card * of_project], events[card * ~of_project]),
            "seat": np.where(seat >= 0, seat + 1, NONE),
            "target": np.where((act == ACT_NAMES.index("play")) & (detail >= 0), detail + 1, NONE),
            "vault": np.where(of_project, detail - SECRET, NONE),
            "end": np.where(of_project, end - SECRET, NONE),
        }
        return make_frame(ACT_COLUMNS, data, self.words)

    def _codes(self, column: str, named: Sequence[Any]) -> Any:
        """The places of cards or strategies among the words of a column."""
        return np.array([self.words[column].index(thing.name) for thing in named] or [0])


def _filled(column: Column) -> Column:
    """The same column with a value in every row."""
    return Column(column.name, column.kind, column.text)


def points(seats: Any, tied: Any) -> Any:
    """The point of the win: to the alien, or shared by the surviving companies with the highest fame."""
    survived = seats["survived"] == 1
    fame = np.where(survived, seats["fame"].astype(np.int64), -(1 << 40))
    best = survived & (fame == fame.max(axis=1)[:, None])
    shared = best / np.maximum(tied, 1)[:, None]
    return np.where((tied > 0)[:, None], shared, seats["won"] == 1)


def ranks(seats: Any) -> Any:
    """1 and the number of seats that are strictly better; nobody is better than the winner."""
    score = np.where(seats["survived"] == 1, seats["fame"].astype(np.int64), -(1 << 40))
    score = np.where(seats["won"] == 1, 1 << 40, score)
    return 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
