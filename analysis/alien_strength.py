"""How strong is each alien, where does its strength come from, and which alien fits which game?"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW, Estimates, contrast_row, estimate, within_cells
from analysis.comparisons import trend_weights, with_holm
from analysis.records import HUMAN, Records, games, seats

KEYS = ["players", "setting", "alien_card"]
DRAWS = 4_000  # of the rates, as far as they are known, to see how sure a recommendation is
DRAW_SEED = 20_240  # fixed: the same records give the same page
#: where the strength of an attack comes from, column and meaning
SOURCES = {
    "base": "brutality and the alien's card",
    "cards": "attack cards dealt, without what tactics add",
    "mash": "mash cards, without what tactics add",
    "tactics": "what tactics add to both",
    "other": "events and endgame cards",
}


_DRIVER_COLUMNS: dict[str, Any] = {
    "what": pl.String, "with_more": pl.Float64, "with_less": pl.Float64, "n": pl.Int64, "difference": pl.Float64,
    "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "blocks": pl.Int64, "method": pl.String,
    "note": pl.String,
}  # fmt: skip
_ADVISED_COLUMNS: dict[str, Any] = {
    "players": pl.UInt8, "setting": pl.String, "alien_card": pl.String, "rate": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "distance": pl.Float64, "sure": pl.Float64, "second": pl.String, "second_rate": pl.Float64,
    "n": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip


def strength(records: Records) -> pl.DataFrame:
    """Each alien in each setting and number of players: its win rate, and the battle behind it.

    Columns: players, setting, alien_card; rate, low, high, n, blocks, method, note; `survivors` a game;
    `none_survived`: share of games without any; mean `attack`, `defence` and `margin` (defence - attack) of a
    company, and the quartiles of the margin.
    """
    rates = estimate(games(records), KEYS, "alien_won").table()
    of_games = (
        games(records)
        .group_by(KEYS)
        .agg(survivors=pl.col("survivors").mean(), none_survived=(pl.col("survivors") == 0).mean())
    )
    battles = (
        _humans(records, "alien_card")
        .group_by(KEYS)
        .agg(
            pl.col("attack", "defence", "margin").mean(),
            *(
                pl.col("margin").quantile(q, "lower").alias(f"margin_{int(q * 100)}")
                for q in (0.25, 0.5, 0.75)
            ),
        )
    )
    more = (
        of_games.join(battles, on=KEYS)
        .with_columns(pl.col("setting", "alien_card").cast(pl.String))
        .collect()
    )
    joined = rates.join(more, on=KEYS, how="left", maintain_order="left")
    figures = [name for name in joined.columns if name not in rates.columns]
    return joined.with_columns(pl.when(pl.col("note") == "").then(pl.col(figures)))


def margins(records: Records, *by: str) -> pl.DataFrame:
    """How defence - attack is distributed over companies: the `share` of each margin, by setting, alien_card, …"""
    counted = (
        _humans(records, "alien_card").group_by(*by, "margin").agg(n=pl.len()).sort(*by, "margin").collect()
    )
    share = pl.col("n") / (pl.col("n").sum().over(by) if by else pl.col("n").sum())
    return _texts(counted.with_columns(share=share))


def battles(records: Records) -> pl.DataFrame:
    """Attack and defence of companies: how many met which, by alien; in steps of 10."""
    step = [(pl.col(name) // 10 * 10).cast(pl.Int32).alias(name) for name in ("attack", "defence")]
    counted = (
        _humans(records, "alien_card").select("alien_card", *step).group_by("alien_card", "attack", "defence")
    )
    return _texts(counted.agg(n=pl.len()).sort("alien_card", "attack", "defence").collect())


def sources(records: Records) -> pl.DataFrame:
    """What the attack on a company is made of, on average, for each alien and setting.

    Columns: setting, alien_card; `base`, `cards`, `mash`, `tactics`, `other` (see `SOURCES`), which add up to
    `attack`; low and high of `attack`; uses of intel and mash cards a game; n, blocks, method, note.
    """
    by = ["setting", "alien_card"]
    rows = _humans(records, "alien_card", "base_attack", "mashes_used", "intel_used")
    total = estimate(rows, by, "attack", is_rate=False).table("attack")
    cards = pl.col("attack_dealt") + pl.col("attack_mash")
    tactics = pl.col("attack_tactics")
    # what tactics add is noted for both kinds of card together: it is taken off each in proportion
    less = pl.when(cards != 0).then(tactics / cards).otherwise(0.0)
    parts = rows.group_by(by).agg(
        base=pl.col("base_attack").mean(),
        cards=(pl.col("attack_dealt") * (1 - less)).mean(),
        mash=(pl.col("attack_mash") * (1 - less)).mean(),
        tactics=pl.when(cards != 0).then(tactics).otherwise(0).mean(),
        other=(pl.col("attack") - pl.col("base_attack") - cards).mean(),
    )
    uses = games(records).group_by(by).agg(pl.col("intel_used", "mashes_used").mean())
    more = parts.join(uses, on=by).with_columns(pl.col(by).cast(pl.String)).collect()
    figures = [name for name in more.columns if name not in by]
    more = more.with_columns(pl.col(figures).round(9))
    joined = total.join(more, on=by, how="left", maintain_order="left")
    return joined.with_columns(pl.when(pl.col("note") == "").then(pl.col(figures)))


def drivers(records: Records) -> pl.DataFrame:
    """What goes with an alien's victory: games with much of something against games with little, in the same cell.

    For each of brutality and card, tactics, intel, mash cards and rounds: how much more often the alien wins in games
    that have more of it than the median game of their cell. Association, not cause.
    """
    names = {
        "base_attack": "base attack", "tactics": "tactics", "intel_used": "uses of intel",
        "mashes_used": "mash cards", "rounds": "rounds",
    }  # fmt: skip
    rows = []
    for column, name in names.items():
        high = pl.col(column) > pl.col(column).median().over("cell", "alien_card")
        sums = (
            games(records)
            .with_columns(group=high.cast(pl.Int8))
            .group_by("block", "cell", "alien_card", "group")
            .agg(w=pl.col("alien_won").cast(pl.Float64).sum(), n=pl.len().cast(pl.Float64))
            .collect(engine="streaming")
        )
        contrast, more, less = within_cells(sums, ["cell", "alien_card"])
        if contrast.blocks:  # it varies somewhere
            few = contrast.blocks < FEW
            rates = {"with_more": None if few else more, "with_less": None if few else less}
            rows.append({"what": name, **rates, "n": _compared(sums), **contrast_row(contrast)})
    return with_holm(pl.DataFrame(rows, _DRIVER_COLUMNS))


def _compared(sums: pl.DataFrame) -> int:
    """Games of the cells that have both groups."""
    cells = sums.group_by("cell", "alien_card").agg(pl.col("group").n_unique(), pl.col("n").sum())
    return int(cells.filter(pl.col("group") == 2)["n"].sum())


# --- which alien for which game --------------------------------------------------------------------------
def recommend(records: Records, target: float = 0.5) -> pl.DataFrame:
    """For each number of players and setting the alien whose win rate comes nearest to a target.

    Columns: players, setting, `alien_card` (the nearest), rate, low, high, `distance` from the target; `sure`:
    how likely it is to be the nearest indeed, given how well the rates are known; `second` and its rate; n, note.
    """
    found = estimate(games(records), KEYS, "alien_won")
    luck = np.random.default_rng(DRAW_SEED)
    groups = found.groups.with_row_index("place")
    keys = groups.select("players", "setting").unique(maintain_order=True)
    rows = []
    for key in keys.to_dicts():
        here = groups.filter((pl.col("players") == key["players"]) & (pl.col("setting") == key["setting"]))
        rows.append({**key, **_nearest(found, here["place"].to_list(), target, luck)})
    return pl.DataFrame(rows, _ADVISED_COLUMNS)


def _nearest(found: Estimates, places: list[int], target: float, luck: np.random.Generator) -> dict[str, Any]:
    names = found.groups["alien_card"]
    best, *others = sorted(places, key=lambda place: (abs(float(found.value[place]) - target), place))
    few = bool((found.blocks[places] < FEW).any())
    low, high = found.interval(best)
    draws = luck.multivariate_normal(
        found.value[places], found.covariance[np.ix_(places, places)], DRAWS, method="eigh"
    )
    nearest = np.abs(draws - target).argmin(axis=1) == places.index(best)
    return {
        "alien_card": None if few else names[best],
        "rate": None if few else float(found.value[best]),
        "low": None if few else low,
        "high": None if few else high,
        "distance": None if few else float(found.value[best]) - target,
        "sure": None if few else float(nearest.mean()),
        "second": None if few or not others else names[others[0]],
        "second_rate": None if few or not others else float(found.value[others[0]]),
        "n": int(found.n[best]),
        "method": found.method(best),
        "note": TOO_FEW if few else "",
    }


def advice(records: Records) -> pl.DataFrame:
    """The rulebook's advice as a hypothesis: stronger aliens suit longer games and more players.

    It holds for an alien if its win rate falls as games get longer (per project more a player) or tables larger (per
    player more): then a stronger one is needed to keep the balance. Columns: `what` (length or players), alien_card,
    `slope` (points a step) with low and high, p, p_holm; how many single steps clearly go
    up (`rises`) and down (`falls`); `verdict`: supported, contradicted, mixed (both) or neither.
    """
    rows = [*_slopes(games(records), "length"), *_slopes(games(records), "players")]
    kinds = {"what": pl.String, "alien_card": pl.String, "slope": pl.Float64, "low": pl.Float64, "high": pl.Float64,
             "p": pl.Float64, "steps": pl.Int64, "rises": pl.Int64, "falls": pl.Int64, "n": pl.Int64,
             "blocks": pl.Int64, "method": pl.String, "note": pl.String}  # fmt: skip
    table = with_holm(pl.DataFrame(rows, kinds))
    holds, fails = pl.col("high") < 0, pl.col("low") > 0
    clear = pl.col("p_holm") < 0.05
    verdict = (
        pl.when(pl.col("slope").is_null()).then(pl.lit(TOO_FEW))
        .when((pl.col("rises") > 0) & (pl.col("falls") > 0)).then(pl.lit("mixed"))
        .when(clear & holds).then(pl.lit("supported"))
        .when(clear & fails).then(pl.lit("contradicted"))
        .otherwise(pl.lit("neither"))
    )  # fmt: skip
    return table.with_columns(verdict=verdict)


def _slopes(rows: pl.LazyFrame, what: str) -> list[dict[str, Any]]:
    """How the win rate of each alien changes a step, with every other thing in the cells equal."""
    if what == "length":
        x, fixed = "multiplier", ["players", "extra", "other"]
    else:
        x, fixed = "players", ["setting"]
    found = estimate(
        rows.with_columns(x=pl.col(x).cast(pl.Float64)), ["alien_card", *fixed, "x"], "alien_won"
    )
    groups = found.groups.with_row_index("place")
    slopes = []
    for alien in groups["alien_card"].unique(maintain_order=True).to_list():
        whole = groups.filter(pl.col("alien_card") == alien)
        parts = [part for part in whole.partition_by(fixed, maintain_order=True) if part["x"].n_unique() > 1]
        if not parts:
            continue
        weights = np.zeros(len(found))
        for part in parts:
            weights[part["place"].to_numpy()] += np.array(trend_weights(part["x"].to_list())) / len(parts)
        row = contrast_row(found.contrast(weights), "slope")
        mine = pl.concat(parts)["place"].to_numpy()
        steps = int(max(part["x"].n_unique() for part in parts))
        rises, falls = _step_signs(found, parts)
        slopes.append(
            {
                "rises": rises,
                "falls": falls,
                "what": what,
                "alien_card": alien,
                **row,
                "steps": steps,
                "n": int(found.n[mine].sum()),
            }
        )
    return slopes


def _step_signs(found: Estimates, parts: list[pl.DataFrame]) -> tuple[int, int]:
    """How many steps from one place to the next clearly go up, and how many down, on average of the parts."""
    signs = []
    places = sorted({x for part in parts for x in part["x"].to_list()})
    for low, high in pairwise(places):
        both = [part for part in parts if {low, high} <= set(part["x"].to_list())]
        weights = np.zeros(len(found))
        for part in both:
            for x, sign in ((high, 1), (low, -1)):
                weights[part.filter(pl.col("x") == x)["place"][0]] += sign / len(both)
        contrast = found.contrast(weights)
        signs.append((contrast.value > 0) - (contrast.value < 0) if contrast.clear else 0)
    return signs.count(1), signs.count(-1)


def _humans(records: Records, *of_game: str) -> pl.LazyFrame:
    return seats(records, *of_game).filter(pl.col("role").cast(pl.String) == HUMAN)


def _texts(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.Enum).cast(pl.String))
