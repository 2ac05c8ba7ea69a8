"""Restricted play: what each rule is worth to those who may use it, and what it does to the game.

A strategy plays the same games again without using something the rules offer (a game's `restrain`): what it wins
less is what that is worth to it. And all play again without it: what is different then is what the rule does to the
game. The strategies do not know what they may not do and do not plan around it: a better player would lose less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, Contrast, Estimates, contrast_row
from analysis.comparisons import LEVEL, with_holm
from analysis.lab.stages import Lab, Result, plain, silent
from analysis.lab.sums import METRICS, Metric, Sums, estimate_rows, strategy_metric
from analysis.lab.wording import interval_text
from sim.errors import UserError, did_you_mean, shown
from sim.plan import game_module
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

GAMES = 10_000
MOST_BANS = 60
MARK, AND = "~", "+"  # cautious~safe+swaps
BASE, EVERYBODY = "base", "everybody"
ROWS = 500  # of sums, about: games are added up to so many
SEATS_OF = {"strategy": "all seats", "human": "as a human", "alien": "as the alien"}
#: what is told of the game when nobody may
OF_THE_GAME = ("alien_win", "rounds", "margin", "survivors", "claimed", "lead_changes")
#: if all of these are the same in every block, the ban made no difference
TELLING = ("alien", "rounds", "margin", "survivors", "claimed", "lead_changes")
VALUES: dict[str, Any] = {
    "strategy": pl.String, "ban": pl.String, "text": pl.String, "seats": pl.String, "with_it": pl.Float64,
    "without": pl.Float64, "worth": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64,
    "n": pl.Int64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip
NO_DIFFERENCE = "made no difference in any game"


def restrict(
    base: Mapping[str, Any],
    *,
    bans: str | Sequence[str] | None = None,
    who: str | Sequence[str] | None = None,
    games: int = GAMES,
    seed: int = 1,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """Play the same games with and without something that the rules offer.

    Parameters
    ----------
    base
        The table, from `base_words`.
    bans
        What is not used: names of `BANS`, or several at once ('safe+swaps'); all of them, one by one.
    who
        The strategies that have to do without, one at a time; all of the table. Everybody at once is played as well.
    games
        Of each arm; there is one for each ban and strategy, and one for each ban and everybody.

    Example
    -------
    >>> restrict(base_words(players=4), bans=["scooping", "safe"]).verdict  # doctest: +SKIP
    """
    listed = read_bans(bans, base["game"])
    players = strategies_of(base)
    chosen = read_names(who, list(players))
    arms = dict(_arms(chosen, players, listed))
    check_kept(base, players, list(arms.values()))
    words = {"base": plain(base), "bans": listed, "who": chosen, "games": games, "seed": seed}
    with Lab("restrict", words, out, workers, watch) as lab:
        changes = {"changes": list(arms.values()), "games": games, "fold": _fold(games), "seed": seed}
        sums = lab.stage("arms", {**base, **changes}, list(arms))
        return lab.finish(_result(sums, chosen, listed, words))


def read_bans(given: str | Sequence[str] | None, game: str = "eti") -> list[str]:
    """What is not used, checked: names, or several with a plus."""
    known = game_module(game).restrain
    listed = given.split(",") if isinstance(given, str) else list(known.NAMES if given is None else given)
    listed = list(dict.fromkeys(one.strip() for one in listed))
    if not 1 <= len(listed) <= MOST_BANS:
        raise UserError(f"{len(listed)} bans; valid: 1 to {MOST_BANS}")
    problems: list[str] = []
    for one in listed:
        try:
            known.parse_bans(one)
        except UserError as error:
            problems += error.lines
    if problems:
        raise UserError(problems)
    return listed


def strategies_of(base: Mapping[str, Any]) -> dict[str, Any]:
    """The strategies at the table by name, each once."""
    setting = make_plan({**base, "games": 1}).settings[0]
    return {strategy.name: strategy for strategy in setting.strategies}


def read_names(given: str | Sequence[str] | None, players: Sequence[str]) -> list[str]:
    """The strategies that have to do without."""
    listed = given.split(",") if isinstance(given, str) else list(players if given is None else given)
    listed = list(dict.fromkeys(one.strip() for one in listed))
    for one in listed:
        if one not in players:
            near = did_you_mean(one, players)
            raise UserError(f"who: nobody plays {shown(one)}{near}; valid: {', '.join(players)}")
    if not listed:
        raise UserError(f"who: nobody; valid: {', '.join(players)}")
    return listed


def _arms(
    who: Sequence[str], players: Mapping[str, Any], bans: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """As it is; each strategy without each thing; everybody without it."""
    yield BASE, []
    for ban in bans:
        for name in who:
            yield name + MARK + ban, [_without(players[name], ban)]
        yield EVERYBODY + MARK + ban, [_without(strategy, ban) for strategy in players.values()]


def _without(strategy: Any, ban: str) -> str:
    """The change: to a strategy that can be loaded, or that is at the table with parameters of its own."""
    spec = strategy.spec if not strategy.varied else ""
    if spec and not strategy.built_in and ":" not in spec:
        spec += ":"  # a whole file
    return f"{strategy.name}->{spec or strategy.name}{MARK}{ban}"


def check_kept(
    base: Mapping[str, Any], players: Mapping[str, Any], changes: Sequence[Sequence[str]]
) -> None:
    """A ban takes nothing else away: every restrained strategy has the parameters of the one at the table."""
    for setting in make_plan({**base, "changes": list(changes), "games": 1}).settings:
        for strategy in setting.strategies:
            free = players.get(strategy.name) or players[strategy.name.rpartition(MARK)[0]]
            if strategy.params[: len(free.params)] != free.params:
                raise UserError(
                    f"strategy {free.name} has parameters of its own, which it would lose with a ban; valid: a file "
                    "with these parameters"
                )


def _fold(games: int) -> int:
    """So many blocks make a row: there are columns for every strategy and ban, so rows must not be too many."""
    return max(1, games // ROWS) if isinstance(games, int) else 1


# --- what came of it ---------------------------------------------------------------------------------------
def _result(sums: Sums, who: list[str], bans: list[str], words: Mapping[str, Any]) -> Result:
    values, game = values_of(sums, who, bans), game_of(sums, bans)
    tables = {"rules": rules_of(sums, who, bans, game), "values": values, "game": game}
    few = sums.rows < FEW
    warnings = (
        [f"Too few blocks to say anything: {sums.rows}. From {FEW} on there are figures."] if few else []
    )
    verdict = [] if few else [*of_strategies(values, who), *of_game(game), *of_unused(sums, who, bans)]
    facts = {
        "who": who,
        "bans": {ban: text_of(ban, words["base"]["game"]) for ban in bans},
        "games_each": sums.games,
        "rows": sums.rows,
    }
    title = f"{len(bans)} rules, each not used" if len(bans) > 1 else f"{bans[0]}, not used"
    return Result("restrict", title, words, facts, tables, verdict, warnings)


def text_of(ban: str, game: str) -> str:
    """What may not be done."""
    texts = {one.name: one.text for one in game_module(game).restrain.BANS}
    return ", or ".join(texts[name] for name in ban.split(AND))


def both(sums: Sums, names: Sequence[str], ban: str, kind: str) -> Estimates:
    """The wins of each strategy with and without something: two groups for each of them, one after the other."""
    pairs = []
    for name in names:
        for played, arm in ((name, BASE), (name + MARK + ban, name + MARK + ban)):
            place = sums.labels.index(arm)
            pairs.append([column[:, place] for column in sums.ratio(strategy_metric(kind, played))])
    tops, bottoms = (np.stack([pair[k] for pair in pairs], axis=1) for k in (0, 1))
    return estimate_rows(tops, bottoms, True, [str(k) for k in range(len(pairs))])


def values_of(sums: Sums, who: Sequence[str], bans: Sequence[str]) -> pl.DataFrame:
    """What each thing is worth to each strategy, in all and by role; p corrected over all rows (Holm)."""
    rows = []
    for ban in bans:
        for kind, seats in SEATS_OF.items():
            found = both(sums, who, ban, kind)
            for k, name in enumerate(who):
                row = contrast_row(found.difference(2 * k, 2 * k + 1), "worth")
                if made_no_difference(sums, name + MARK + ban):
                    row["note"] = row["note"] or NO_DIFFERENCE
                rows.append(
                    {
                        "strategy": name, "ban": ban, "text": text_of(ban, sums.game), "seats": seats,
                        "with_it": float(found.value[2 * k]), "without": float(found.value[2 * k + 1]),
                        "n": int(found.n[2 * k]), **row,
                    }
                )  # fmt: skip
    return with_holm(pl.DataFrame(rows, VALUES))


def made_no_difference(sums: Sums, arm: str) -> bool:
    """Whether every block came out as it is without the ban."""
    place, base = sums.labels.index(arm), sums.labels.index(BASE)
    columns = sums.columns([*TELLING, *(f"won_{seat + 1}" for seat in range(sums.players))])
    return all(bool((column[:, place] == column[:, base]).all()) for column in columns)


def game_of(sums: Sums, bans: Sequence[str]) -> pl.DataFrame:
    """What is different when nobody may; p corrected over all rows (Holm)."""
    rows = []
    for metric in (METRICS[name] for name in OF_THE_GAME):
        found = sums.estimate(metric)
        base = sums.labels.index(BASE)
        for ban in bans:
            place = sums.labels.index(EVERYBODY + MARK + ban)
            row = contrast_row(found.difference(place, base))
            if made_no_difference(sums, sums.labels[place]):
                row["note"] = row["note"] or NO_DIFFERENCE
            rows.append(
                {
                    "ban": ban, "text": text_of(ban, sums.game), "metric": metric.name, "what": metric.text,
                    "kind": metric.kind,
                    "base": float(found.value[base]), "other": float(found.value[place]), "n": int(found.n[place]),
                    **row,
                }
            )  # fmt: skip
    schema = dict.fromkeys(("difference", "low", "high", "p"), pl.Float64)
    table = with_holm(pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None))
    order = {ban: place for place, ban in enumerate(bans)}
    return table.sort(pl.col("ban").replace_strict(order, return_dtype=pl.Int64), maintain_order=True)


def rules_of(sums: Sums, who: Sequence[str], bans: Sequence[str], game: pl.DataFrame) -> pl.DataFrame:
    """A row for each rule: what it is worth on average over the strategies, and what is different without it."""
    rows = []
    for ban in bans:
        row: dict[str, Any] = {"ban": ban, "text": text_of(ban, sums.game)}
        for kind, key in (("strategy", "worth"), ("human", "human"), ("alien", "alien")):
            found = contrast_row(average(sums, who, ban, kind), key)
            row |= {key: found[key], f"{key}_low": found["low"], f"{key}_high": found["high"]}
            if kind == "strategy":
                row |= {
                    "p": found["p"],
                    "blocks": found["blocks"],
                    "method": found["method"],
                    "note": found["note"],
                }
        for metric in ("alien_win", "rounds"):
            (of_all,) = game.filter((pl.col("ban") == ban) & (pl.col("metric") == metric)).to_dicts()
            row |= {
                metric: of_all["difference"],
                f"{metric}_low": of_all["low"],
                f"{metric}_high": of_all["high"],
            }
        if all(made_no_difference(sums, name + MARK + ban) for name in who):
            row["note"] = row["note"] or NO_DIFFERENCE
        rows.append(row | {"games": sums.games})
    numbers = [name for name in rows[0] if name not in ("ban", "text", "method", "note", "blocks", "games")]
    table = pl.DataFrame(rows, schema_overrides=dict.fromkeys(numbers, pl.Float64), infer_schema_length=None)
    return with_holm(table).sort("worth", descending=True, nulls_last=True, maintain_order=True)


def average(sums: Sums, who: Sequence[str], ban: str, kind: str) -> Contrast:
    """What something is worth on average over strategies, each counted alike."""
    return both(sums, who, ban, kind).contrast([sign / len(who) for _ in who for sign in (1, -1)])


# --- in words ------------------------------------------------------------------------------------------------
def of_strategies(values: pl.DataFrame, who: Sequence[str]) -> Iterator[str]:
    """For each strategy what it can least do without, and what it would better leave."""
    for name in who:
        mine = values.filter((pl.col("strategy") == name) & (pl.col("seats") == SEATS_OF["strategy"]))
        clear = mine.filter(pl.col("p_holm") < LEVEL).sort("worth", descending=True)
        n = f"n = {int(mine['n'].to_list()[0]):,} of its seats, same luck"
        best, worst = clear.filter(pl.col("worth") > 0), clear.filter(pl.col("worth") < 0)
        if best.is_empty():
            yield f"{name}: nothing of this is clearly worth something to it; {n}."
        else:
            listed = "; ".join(_worth(row) for row in best.head(3).iter_rows(named=True))
            yield f"{name} wins less often if it may not {listed}; {n}."
        if not worst.is_empty():
            listed = "; ".join(_worth(row) for row in worst.tail(2).reverse().iter_rows(named=True))
            yield (
                f"{name} wins more often if it may not {listed}; {n}. That speaks against its way of playing rather "
                "than against the rule."
            )


def _worth(row: Mapping[str, Any]) -> str:
    ends = sorted((abs(row["low"]), abs(row["high"])))
    return f"{row['text']} ({abs(row['worth']) * 100:.1f} points, 95 %: {ends[0] * 100:.1f} to {ends[1] * 100:.1f})"


def of_game(game: pl.DataFrame) -> Iterator[str]:
    """What a rule does to the game."""
    for name in ("alien_win", "rounds"):
        metric: Metric = METRICS[name]
        mine = game.filter((pl.col("metric") == name) & (pl.col("p_holm") < LEVEL))
        if mine.is_empty():
            yield f"No rule of these clearly changes '{metric.text}' when nobody uses it."
            continue
        for row in mine.sort(pl.col("difference").abs(), descending=True).head(2).iter_rows(named=True):
            contrast = Contrast(row["difference"], row["low"], row["high"], row["p"], 0.0, row["blocks"])
            was = f"{_value(row['other'], metric)} instead of {_value(row['base'], metric)}"
            yield (
                f"If nobody may {row['text']}: {metric.text} {was}, {interval_text(contrast, metric)}; "
                f"n = {row['n']:,} games each, same luck."
            )


def _value(value: float, metric: Metric) -> str:
    return f"{value * 100:.1f} %" if metric.is_rate else f"{value:.2f}"


def of_unused(sums: Sums, who: Sequence[str], bans: Sequence[str]) -> Iterator[str]:
    """What nobody ever needed."""
    unused = [ban for ban in bans if all(made_no_difference(sums, name + MARK + ban) for name in who)]
    if unused:
        yield f"Made no difference in any of {sums.games:,} games for any of these strategies: {', '.join(unused)}."
