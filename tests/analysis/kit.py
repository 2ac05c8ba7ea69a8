"""Records made by hand: a pattern of four games whose figures can be worked out on paper."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from analysis import alien_strength, cards, matchups, pacing, threshold_length, win_rates
from analysis.records import Tables, settings
from sim.games.eti.records import COLUMNS

KINDS: dict[str, Any] = {
    "u8": pl.UInt8, "i8": pl.Int8, "u16": pl.UInt16, "i32": pl.Int32, "u32": pl.UInt32, "i64": pl.Int64,
    "f32": pl.Float32, "bool": pl.Boolean,
}  # fmt: skip
WORDS = {
    "length": ["short", "standard", "epic"],
    "role": ["human", "alien"],
    "winner_role": ["human", "alien"],
    "reason": ["at once", "time", "no project", "limit"],
    "won_by": ["fame", "tie", "no survivor"],
    "act": ["claim", "reveal", "event", "keep", "play"],
    "vault": ["secret", "public", "alien"],
    "end": ["secret", "public", "alien", "lost"],
    "alien_card": ["Raiding Party", "World Enders"],
    "endgame": ["Famous", "Rich", "Raiding Party", "World Enders"],
    "strategy": ["bold", "meek"],
    "card": ["X", "Y", "Z", "E", "Storm"],
}
REPEATS = 30  # of the pattern: every fourth game has a group of 30 blocks
Row = dict[str, Any]


class Book:
    """Games written down one by one."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {"games": [], "seats": [], "acts": []}
        self._next: dict[int, int] = {}

    def game(
        self,
        block: int,
        winner: int,
        *,
        cell: int = 0,
        players: int = 3,
        alien: int = 1,
        tied: Sequence[int] = (),
        seats: Mapping[str, Sequence[Any]] | None = None,
        acts: Sequence[tuple[str, str, int | None]] = (),
        **facts: Any,
    ) -> None:
        """A game with its seats; `seats` names a value a seat, `tied` the companies that share the point."""
        index = self._next.get(cell, 0)
        self._next[cell] = index + 1
        keys = {"cell": cell, "index": index, "block": block}
        rounds = facts.get("rounds", 10)
        usual = {
            "seed": 1, "players": players, "length": "short", "threshold": 2 * players,
            "alien_card": "Raiding Party", "alien_seat": alien, "first_president": 2, "final_president": 1,
            "rounds": rounds, "threshold_round": 8, "reveal_round": 9, "invasion_round": rounds + 1,
            "reason": "time", "winner": winner, "winner_role": "alien" if winner == alien else "human",
            "won_by": "tie" if tied else "fame", "tied": max(1, len(tied)), "survivors": 1,
        }  # fmt: skip
        self.rows["games"].append({**keys, **usual, **facts})
        for seat in range(1, players + 1):
            role = "alien" if seat == alien else "human"
            points = (seat in tied) / len(tied) if tied else float(seat == winner)
            row: Row = {
                **keys, "seat": seat, "strategy": "bold", "role": role, "won": seat == winner, "points": points,
                "endgame": "Raiding Party" if role == "alien" else "Famous",
            }  # fmt: skip
            row |= {name: values[seat - 1] for name, values in (seats or {}).items()}
            self.rows["seats"].append(row)
        for act, card, who in acts:
            self.rows["acts"].append({**keys, "round": 1, "act": act, "card": card, "seat": who})

    def tables(self, words: bool = True, cells: pl.DataFrame | None = None) -> Tables:
        """What analysis takes; words as in the records, or plain texts."""
        frames = {name: frame(name, rows, words) for name, rows in self.rows.items()}
        return Tables(frames) if cells is None else Tables(frames, cells)


def frame(table: str, rows: Sequence[Row], words: bool = True) -> pl.DataFrame:
    """Rows as a table with all columns of the records; what is not given is 0, or empty where it may be."""
    series = []
    for column in COLUMNS[table]:
        texts: Any = pl.Enum(WORDS[column.name]) if words and column.name in WORDS else pl.String
        kind = texts if column.kind == "word" else KINDS[column.kind]
        usual = None if column.null or column.kind == "word" else 0
        series.append(pl.Series(column.name, [row.get(column.name, usual) for row in rows], kind))
    return pl.DataFrame(series)


def pattern_games(book: Book, block: int) -> None:
    """Four games of three, in blocks of their own: the alien in seat 1 wins, seat 2, seat 3, a tie of 2 and 3."""
    none = None
    book.game(
        block, 1, rounds=6, threshold_round=4, reveal_round=5, reason="at once", survivors=0, base_attack=20,
        decisions=60, forced=20, lead_changes=0, intel_used=2, mashes_used=1,
        acts=[("claim", "X", 2), ("claim", "Y", 3), ("claim", "X", 1)],
        seats={
            "strategy": ["bold", "bold", "meek"], "endgame": ["Raiding Party", "Famous", "Rich"],
            "attack": [none, 50, 60], "defence": [none, 40, 35], "margin": [none, -10, -25],
            "attack_dealt": [none, 20, 30], "attack_mash": [none, 10, 10], "attack_tactics": [none, 6, 0],
            "survived": [none, False, False], "fame": [none, 0, 0], "rank": [1, 2, 2],
            "projects": [2, 2, 0], "level_1": [2, 0, 0], "level_2": [0, 2, 0], "scoops_given": [0, 1, 0],
            "researched": [5, 3, 5], "safe": [1, 1, 1], "idle": [0, 2, 0],
            "lead_1": [1, -1, -1], "lead_2": [2, -2, -3], "lead_3": [3, -3, -5], "behind": [0, 3, 5],
        },
    )  # fmt: skip
    book.game(
        block + 1, 2, rounds=8, threshold_round=5, reveal_round=7, survivors=1, base_attack=20,
        decisions=80, forced=20, lead_changes=1,
        acts=[("claim", "X", 2), ("claim", "Y", 2), ("reveal", "Z", 1)],
        seats={
            "strategy": ["bold", "bold", "meek"], "endgame": ["Raiding Party", "Famous", "Rich"],
            "attack": [none, 30, 50], "defence": [none, 45, 45], "margin": [none, 15, -5],
            "attack_dealt": [none, 10, 30], "attack_mash": [none, 0, 0], "attack_tactics": [none, 5, 0],
            "survived": [none, True, False], "fame": [none, 8, 0], "rank": [3, 1, 3],
            "projects": [0, 1, 1], "level_2": [0, 0, 1], "level_3": [0, 1, 0],
            "researched": [7, 7, 7], "safe": [1, 1, 1],
            "lead_1": [0, 0, -1], "lead_2": [-1, 1, -2], "lead_3": [1, -1, -1], "behind": [2, 1, 2],
        },
    )  # fmt: skip
    book.game(
        block + 2, 3, rounds=8, threshold_round=6, reveal_round=8, survivors=2, base_attack=20,
        decisions=80, forced=20, lead_changes=1,
        acts=[("claim", "X", 3)],
        seats={
            "strategy": ["bold", "bold", "meek"], "endgame": ["Raiding Party", "Rich", "Famous"],
            "attack": [none, 40, 30], "defence": [none, 45, 55], "margin": [none, 5, 25],
            "attack_dealt": [none, 25, 10], "attack_mash": [none, 0, 0], "attack_tactics": [none, 0, 0],
            "survived": [none, True, True], "fame": [none, 6, 9], "rank": [3, 2, 1],
            "scoops_given": [0, 0, 2], "researched": [3, 7, 7], "safe": [1, 1, 1], "idle": [4, 0, 0],
            "lead_1": [-2, 2, -3], "lead_2": [-3, 3, -4], "lead_3": [-1, 0, 0], "behind": [3, 0, 4],
        },
    )  # fmt: skip
    book.game(
        block + 3, 2, tied=[2, 3], rounds=10, threshold_round=None, reveal_round=10, reason="limit", survivors=2,
        base_attack=20, decisions=100, forced=20, lead_changes=2, intel_used=2, mashes_used=1,
        acts=[("keep", "E", 2), ("play", "E", 2), ("event", "Storm", None)],
        seats={
            "strategy": ["meek", "bold", "meek"], "endgame": ["Raiding Party", "Famous", "Rich"],
            "attack": [none, 30, 30], "defence": [none, 30, 40], "margin": [none, 0, 10],
            "attack_dealt": [none, 10, 0], "attack_mash": [none, 0, 10], "attack_tactics": [none, 0, 5],
            "survived": [none, True, True], "fame": [none, 10, 10], "rank": [3, 1, 2],
            "projects": [1, 2, 0], "level_3": [1, 0, 0], "level_4": [0, 1, 0], "level_5": [0, 1, 0],
            "scoops_given": [1, 0, 0], "researched": [9, 9, 9], "safe": [1, 1, 1],
            "lead_1": [0, 0, -2], "lead_2": [0, 0, -1], "lead_3": [-1, 1, -2], "behind": [1, 0, 2],
        },
    )  # fmt: skip


def pattern(repeats: int = REPEATS, words: bool = True) -> Tables:
    """The four games again and again: 120 games, each a block of its own."""
    book = Book()
    for k in range(repeats):
        pattern_games(book, 4 * k)
    return book.tables(words)


def empty(words: bool = True) -> Tables:
    """Records without any game."""
    return Book().tables(words)


def only(table: pl.DataFrame, **group: Any) -> Row:
    """The one row of a group."""
    rows = table.filter(*(pl.col(name) == value for name, value in group.items())).to_dicts()
    assert len(rows) == 1, (group, rows)
    return rows[0]


def random_book(games: int = 400, seed: int = 1) -> Book:
    """Two lengths, three and four players, two aliens, ties of two and three, in blocks shared by all cells."""
    luck = random.Random(seed)
    book = Book()
    grid = [(p, k, a) for p in (3, 4) for k in (0, 1) for a in (0, 1)]
    for number in range(games):
        cell = number % len(grid)
        players, long, alien_card = grid[cell]
        alien = luck.randint(1, players)
        humans = [seat for seat in range(1, players + 1) if seat != alien]
        tied = luck.sample(humans, luck.randint(2, players - 1)) if luck.random() < 0.3 else []
        leads = {f"lead_{k}": [luck.randint(-5, 5) for _ in range(players)] for k in (1, 2, 3)}
        numbers = (
            "researched",
            "safe",
            "standard",
            "switched",
            "idle",
            "scoops_given",
            "scoops_suffered",
            "rank",
        )
        held = ("projects", "level_1", "level_2", "level_3", "level_4", "level_5", "behind")
        fights = ("attack", "defence", "margin", "attack_dealt", "attack_mash", "attack_tactics", "fame")
        own = WORDS["alien_card"][alien_card]
        of_human = [None if seat == alien else 1 for seat in range(1, players + 1)]
        book.game(
            number // len(grid), tied[0] if tied else luck.randint(1, players), cell=cell, players=players,
            alien=alien, tied=tied, length=WORDS["length"][long], threshold=players * (2 + long),
            alien_card=own, first_president=luck.randint(1, players),
            rounds=luck.randint(5, 20), threshold_round=luck.choice([None, 3, 4, 7]), reveal_round=8,
            reason=luck.choice(WORDS["reason"]), survivors=luck.randint(0, 3), base_attack=luck.randint(10, 30),
            tactics=luck.randint(0, 3), intel_used=luck.randint(0, 3), mashes_used=luck.randint(0, 3),
            lead_changes=luck.randint(0, 4), decisions=luck.randint(50, 90), forced=luck.randint(0, 20),
            acts=[
                (luck.choice(WORDS["act"]), luck.choice(WORDS["card"]), luck.choice([None, *range(1, players + 1)]))
                for _ in range(6)
            ],
            seats={
                **leads,
                **{name: [luck.randint(0, 4) for _ in of_human] for name in numbers + held},
                **{name: [x and luck.randint(3, 60) for x in of_human] for name in fights},
                "survived": [x and luck.random() < 0.5 for x in of_human],
                "strategy": [luck.choice(WORDS["strategy"]) for _ in of_human],
                "endgame": [luck.choice(["Famous", "Rich"]) if x else own for x in of_human],
            },
        )  # fmt: skip
    return book


#: every public function that makes a table
TABLES: dict[str, Callable[[Any], pl.DataFrame]] = {
    "by_role": win_rates.by_role,
    "of_alien": win_rates.of_alien,
    "of_alien by card": lambda records: win_rates.of_alien(records, "setting", "alien_card"),
    "shares": lambda records: win_rates.shares(records, "strategy"),
    "shares by seat": lambda records: win_rates.shares(records, "players", "seat"),
    "by_endgame": win_rates.by_endgame,
    "by_distance": win_rates.by_distance,
    "seat_tests": win_rates.seat_tests,
    "strength": alien_strength.strength,
    "margins": lambda records: alien_strength.margins(records, "setting", "alien_card"),
    "margins of all": alien_strength.margins,
    "battles": alien_strength.battles,
    "sources": alien_strength.sources,
    "drivers": alien_strength.drivers,
    "recommend": alien_strength.recommend,
    "advice": alien_strength.advice,
    "lengths": threshold_length.lengths,
    "survival": threshold_length.survival,
    "timing": threshold_length.timing,
    "waiting": threshold_length.waiting,
    "outcomes": threshold_length.outcomes,
    "marginal": threshold_length.marginal,
    "overview": pacing.overview,
    "habits": pacing.habits,
    "leaders": pacing.leaders,
    "by_lead": pacing.by_lead,
    "behind": pacing.behind,
    "strategies": matchups.shares,
    "head_to_head": matchups.head_to_head,
    "rounds_spent": matchups.rounds_spent,
    "projects": cards.projects,
    "events": cards.events,
    "counts": cards.counts,
    "settings": settings,
}
