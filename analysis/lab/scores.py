"""What each strategy got at each table: the points of several stages put together, in all and by role."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from analysis.blocks import Estimates, from_sums
from analysis.lab.equilibrium import Numbers
from analysis.lab.field import Measured, Profile
from analysis.lab.sums import SIXTIETHS, Sums

ALIEN, HUMAN = ROLES = ("alien", "human")
BOTH = "both"
SOURCE = {"points60": "w", "seats": "n"}  # columns of the sums
A_STAGE = 10**9  # rows of a stage at most: luck of different stages is never taken for the same

Seat = tuple[Profile, int]  # a table and a strategy at it


class Scores:
    """Points by table and strategy, row by row of the sums."""

    def __init__(self, names: Sequence[str], players: int) -> None:
        self.names, self.players = list(names), players
        self.parts: list[pl.DataFrame] = []
        self.seats: dict[Seat, int] = {}
        self.games: dict[Profile, int] = {}

    def add(self, sums: Sums, tables: Sequence[Profile], luck: int) -> None:
        """The sums of a stage, an arm a table; stages with the same number in `luck` met the same blocks."""
        present = {self.names[strategy] for table in tables for strategy in table}
        sums.columns(
            [f"{name}.{role}.{what}" for name in sorted(present) for role in ROLES for what in SOURCE]
        )
        for arm, table in enumerate(tables):
            self.games[table] = self.games.get(table, 0) + sums.games
            for strategy in sorted(set(table)):
                seat = self.seats.setdefault((table, strategy), len(self.seats))
                self.parts.append(self._part(sums, arm, strategy, seat, luck))

    def _part(self, sums: Sums, arm: int, strategy: int, seat: int, luck: int) -> pl.DataFrame:
        name = self.names[strategy]
        columns = {
            f"{role}_{short}": sums.column(f"{name}.{role}.{what}")[:, arm]
            for role in ROLES
            for what, short in SOURCE.items()
        }
        rows = luck * A_STAGE + np.arange(sums.rows, dtype=np.int64)
        return pl.DataFrame({"block": rows, **columns}).with_columns(seat=pl.lit(seat, pl.Int64))

    def estimates(self, role: str = BOTH, share: bool = False) -> Estimates:
        """What each seat of `seats` got on average, in their order.

        Either the excess over the fair share (points times players, less 1), or with `share` the points alone, which
        are a rate of wins.
        """
        roles = ROLES if role == BOTH else (role,)
        w = sum((pl.col(f"{one}_w") for one in roles), pl.lit(0)) / SIXTIETHS
        n = sum((pl.col(f"{one}_n") for one in roles), pl.lit(0)).cast(pl.Float64)
        got = w if share else w * self.players - n
        rows = pl.concat(self.parts).select("block", "seat", w=got, s=got * got, n=n)
        return from_sums(rows.filter(pl.col("n") > 0), ["seat"], is_rate=share)

    def measured(self) -> Measured:
        """For fields of many players: all seats at once."""
        return Measured(list(self.seats), self.estimates(), self.players, len(self.names))

    def known(self, table: Profile) -> bool:
        """Whether this table was played."""
        return table in self.games


def together(scores: Sequence[Scores]) -> Scores:
    """Several put together; they must not have met the same luck."""
    found = Scores(scores[0].names, scores[0].players)
    for one in scores:
        seats = {seat: found.seats.setdefault(key, len(found.seats)) for key, seat in one.seats.items()}
        found.parts += [part.with_columns(pl.col("seat").replace_strict(seats)) for part in one.parts]
        for table, games in one.games.items():
            found.games[table] = found.games.get(table, 0) + games
    return found


def pair(strategy: int, resident: int, players: int) -> Profile:
    """One of a kind among many of another."""
    return tuple(sorted((strategy, *[resident] * (players - 1))))


def matrix(values: Numbers, seats: dict[Seat, int], strategies: int, players: int) -> Numbers:
    """Figures of seats as a matrix [mutant, resident]; rows of values make more matrices, what is missing is 0."""
    found = np.zeros((*values.shape[:-1], strategies, strategies))
    for one in range(strategies):
        for resident in range(strategies):
            place = seats.get((pair(one, resident, players), one))
            if place is not None:
                found[..., one, resident] = values[..., place]
    return found
