"""The records of a run in a notebook: `xb.simulate(...)` and `xb.load(OUT)` give a `Run`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from analysis.intervals import wilson
from sim.errors import UserError, did_you_mean
from sim.folder import RunFolder, shard_path, tables
from sim.line_ups import ROTATED
from sim.plan import Plan
from sim.records import ACTS, GAMES, SEATS, SUMS, empty_frame
from xenobalance.games import words_of

NOTE = "Most card values are assumed, not the published ones."
MOST_ROWS = 24  # of the table in a notebook


class Run:
    """The records of a run.

    `games` and `seats` (and `acts`, if they were kept) are polars tables; `scan("seats")` is lazy, and never
    loads more than an answer needs. `rates` says who won how often. `cells` says what each cell is.
    """

    def __init__(
        self,
        plan: Plan,
        cells: list[dict[str, Any]],
        lazy: dict[str, pl.LazyFrame],
        folder: Path | None,
        state: str,
    ) -> None:
        self.plan, self.folder, self.state = plan, folder, state
        self._cells, self._lazy = cells, lazy

    def __len__(self) -> int:
        """The number of games."""
        if SUMS in self._lazy:
            return int(self.scan(SUMS).select(pl.col("games").sum()).collect().item())
        return int(self.scan(GAMES).select(pl.len()).collect().item())

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""
        if table not in self._lazy:
            hint = "; acts were not kept: simulate(..., acts=True)" if table == ACTS else ""
            if SUMS in self._lazy and table in (GAMES, SEATS, ACTS):
                hint = "; this run kept sums only: play it with keep = 'records'"
            near = "" if hint else did_you_mean(table, self._lazy)
            raise UserError(f"no table '{table}'{near}; valid: {', '.join(self._lazy)}{hint}")
        return self._lazy[table]

    @cached_property
    def games(self) -> pl.DataFrame:
        """One row a game."""
        return self.scan(GAMES).collect()

    @cached_property
    def seats(self) -> pl.DataFrame:
        """One row a seat."""
        return self.scan(SEATS).collect()

    @cached_property
    def acts(self) -> pl.DataFrame:
        """One row an act: a claim or event, a card, country or UFO."""
        return self.scan(ACTS).collect()

    @property
    def cells(self) -> pl.DataFrame:
        """What each cell is: players, the game's own words, strategies, cards, changed rules, games."""
        rows = [
            {**cell, "strategies": ", ".join(cell["strategies"]), "changed_rules": _rules(cell)}
            | ({"changes": ", ".join(cell["changes"])} if "changes" in cell else {})
            for cell in self._cells
        ]
        return pl.DataFrame(rows)

    def to_pandas(self, table: str = SEATS) -> Any:
        """A table for pandas; by default one row a seat. Words become categories."""
        try:
            import pandas as pd
        except ImportError:
            raise UserError("pandas is not installed; valid: pip install pandas") from None
        frame = self.scan(table).collect()
        columns: dict[str, Any] = {}
        for column in frame.get_columns():
            if isinstance(column.dtype, pl.Enum):
                codes = column.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
                columns[column.name] = pd.Categorical.from_codes(codes, column.dtype.categories.to_list())
            elif column.null_count():
                numbers = column.cast(pl.Int64) if column.dtype == pl.Boolean else column
                values = pd.array(numbers.fill_null(0).to_numpy(), dtype="Int64")
                values[column.is_null().to_numpy()] = pd.NA
                columns[column.name] = values.astype("boolean") if column.dtype == pl.Boolean else values
            else:
                columns[column.name] = column.to_numpy()
        return pd.DataFrame(columns)

    @cached_property
    def rates(self) -> pl.DataFrame:
        """Who wins how often; Wilson, 95 %.

        E.T.I.: the alien, and each strategy in all, as human and as alien. Target Earth: the Alliance, in all and
        with each strategy at the table, and in the advanced game each strategy's seats.

        `n` counts seats (for the alien and the Alliance: games), each by itself. For strategies that meet in the same
        games, or games that share their luck, the intervals of `analysis` by blocks are the better ones.
        """
        teller = words_of(self.plan.game)
        if SUMS in self._lazy:
            return pl.DataFrame([_rate(teller.SIDE, *_side_sums(self.scan(SUMS), teller).row(0))])
        names = list(dict.fromkeys(name for cell in self._cells for name in cell["strategies"]))
        return pl.DataFrame([_rate(*row) for row in teller.rates(self.scan(SEATS), self.scan(GAMES), names)])

    def report(self, only: Sequence[str] = (), target: float = 0.5) -> Any:
        """Write the balance report into the run's folder; see `xb.report`."""
        if self.folder is None:
            raise UserError("a report needs a run folder; valid: simulate(..., out=FOLDER)")
        from xenobalance.reporting import report

        return report(self.folder, only, target)

    # --- looks ---
    def _title(self) -> str:
        teller = words_of(self.plan.game)
        if SUMS in self._lazy:
            ratio = pl.col(teller.LASTS).sum() / pl.col("games").sum()
            lasted = self.scan(SUMS).select(ratio).collect().item() or 0.0
        else:
            lasted = self.scan(GAMES).select(pl.col(teller.LASTS).mean()).collect().item() or 0.0
        cell = self._cells[0]
        one = f", {cell['players']} players, {teller.told_setting(cell)}"
        cells = f", {len(self._cells):,} cells" if len(self._cells) > 1 else one
        where = f" in {self.folder}" if self.folder else ""
        partial = "" if self.state == "complete" else ", UNFINISHED"
        lasts = f"{lasted:.1f} {teller.LASTS} on average"
        return f"{len(self):,} games{cells}, seed {self.plan.seed}{where}{partial}: {lasts}"

    def __repr__(self) -> str:
        rates = self.rates.to_dicts()
        width = max(len(row["who"]) for row in rates)
        lines = [f"  {row['who']:<{width}}  {_told(row)}" for row in rates]
        return "\n".join([self._title(), *lines, *self._careful()])

    def _careful(self) -> list[str]:
        """What the intervals do not know."""
        if self.plan.line_up != ROTATED:
            return []
        return [
            "Games of a block share their luck: analysis by blocks has wider intervals (`analysis.win_rates`)."
        ]

    def _repr_html_(self) -> str:
        rates = self.rates.to_dicts()
        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(row['who'])}</td><td>{_percent(row['rate'])}</td>"
            f"<td>{_percent(row['low'])} to {_percent(row['high'])}</td><td>{row['n']:,}</td></tr>"
            for row in rates[:MOST_ROWS]
        )
        head = (
            "<tr><th style='text-align:left'>who wins</th><th>rate</th><th>95 % interval</th><th>n</th></tr>"
        )
        more = f"<p>… and {len(rates) - MOST_ROWS} rows more: <code>.rates</code></p>" * (
            len(rates) > MOST_ROWS
        )
        careful = " ".join([*self._careful(), NOTE])
        return f"<p>{escape(self._title())}</p><table>{head}{rows}</table>{more}<p>{careful}</p>"


def load(path: str | Path) -> Run:
    """The run in a folder, lazily: nothing is read before it is asked for. An unfinished run is as far as it is."""
    if not isinstance(path, str | Path):
        raise UserError(f"{path!r} is no folder; valid: the path of a run folder")
    return records_of(RunFolder(path))


def records_of(folder: RunFolder) -> Run:
    """The records of a folder that is already open."""
    receipts = sorted(folder.receipts())
    lazy = {}
    for table in tables(folder.plan):
        files = [shard_path(folder.path, table, *key) for key in receipts]
        missing = [file for file in files if not file.exists()]
        if missing:
            raise UserError(f"{missing[0]}: missing; valid: xenobalance run {folder.path} --repair")
        lazy[table] = pl.scan_parquet(files) if files else empty_table(folder, table)
    return Run(folder.plan, folder.manifest["cells"], lazy, folder.path, folder.manifest["state"])


def empty_table(folder: RunFolder, table: str) -> pl.LazyFrame:
    """A table of a run in which nothing was finished yet."""
    ready = folder.ready()
    return empty_frame(ready.columns(table), ready.words).lazy()


def cell_rates(run: Run) -> list[dict[str, Any]]:
    """For each cell how often the side that is told of wins, with its interval, and how long games last."""
    teller = words_of(run.plan.game)
    lasts = pl.col(teller.LASTS)
    if run.plan.keep == SUMS:
        games = pl.col("games").sum()
        counted = (
            run.scan(SUMS)
            .group_by("cell")
            .agg(wins=pl.col(teller.SUM).sum(), n=games, lasted=lasts.sum() / games)
        )
    else:
        counted = (
            run.scan(GAMES).group_by("cell").agg(wins=teller.has_won().sum(), n=pl.len(), lasted=lasts.mean())
        )
    found = counted.sort("cell").rename({"lasted": teller.LASTS}).collect()
    rows = []
    for row in found.to_dicts():
        low, high = wilson(row["wins"], row["n"])
        rows.append({**row, "rate": row["wins"] / row["n"], "low": low, "high": high})
    return rows


alien_rates = cell_rates  # what it is in E.T.I.


def _side_sums(sums: pl.LazyFrame, teller: Any) -> pl.DataFrame:
    return sums.select(pl.col(teller.SUM, "games").sum()).collect()


def _rate(who: str, wins: int, n: int) -> dict[str, Any]:
    low, high = wilson(wins, n)
    return {"who": who, "rate": wins / n if n else None, "low": low, "high": high, "wins": wins, "n": n}


def _told(row: dict[str, Any]) -> str:
    return f"{_percent(row['rate']):>6} ({_percent(row['low'])} to {_percent(row['high'])}, n = {row['n']:,})"


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.1%}"


def _rules(cell: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in cell["changed_rules"].items())
