"""Card knock-out: what each card does, found by playing the same games without it.

Every card is blanked (or removed, or its values are scaled) in turn, and the same blocks of luck are played. What
differs is the card's doing, not that of whoever held it: cause, where a comparison of those who have a card is
association. Effects are paired by block, and corrected over all cards for each outcome. The strongest are played
again on fresh luck: of many effects, the largest are large by luck as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, Estimates, contrast_row, quantile
from analysis.comparisons import LEVEL, holm, with_holm
from analysis.intervals import wilson
from analysis.lab import knockout_words
from analysis.lab.knockout_cards import BLANK, Card, check_mode, chosen_cards, playable
from analysis.lab.stages import STAGES, Lab, Result, games_a_block, plain, silent
from analysis.lab.sums import SIXTIETHS, Metric, Paired, Sums, estimate_rows, metrics_of
from sim.errors import UserError, shown
from sim.folder import RunFolder
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

GAMES = 20_000  # of each card
CONFIRM = 5  # cards of each outcome that are played again
MOST_CONFIRM = 100
SAME = "not one game came out differently"
Read = Callable[[], Sums]  # the sums of a stage, of which nothing has been read yet: memory is given back
ENDS = ("", "_low", "_high", "_p", "_p_holm")  # of the columns of an outcome


# --- the experiment --------------------------------------------------------------------------------------
def knockout(
    base: Mapping[str, Any],
    *,
    mode: str = BLANK,
    how: str | None = None,
    by: float | None = None,
    cards_of: Sequence[str] = (),
    only: Sequence[str] = (),
    games: int = GAMES,
    seed: int = 1,
    metrics: Sequence[str] | None = None,
    confirm: int = CONFIRM,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """What each card does: the same games with the card blanked, removed or scaled.

    Parameters
    ----------
    base
        The table, from `base_words`.
    mode (or how, where games have modes of their own), by
        'blank': the card does nothing; 'remove': it is not in the game; 'scale': its amounts (a project's defence and
        fame) are multiplied by `by`, 1.5 if nobody says otherwise.
    cards_of, only
        Which cards: sections ('projects', 'events', 'humans', 'aliens'), or names. All, if none are named.
    games
        Of each card.
    metrics
        The outcomes; cards are ranked by the first. By default the usual ones of the game.
    confirm
        So many cards of each outcome whose effect is surer than luck are played again on fresh luck.

    Example
    -------
    >>> knockout(base_words(players=4), cards_of=["events"]).tables["cards"]  # doctest: +SKIP
    """
    mode = mode if how is None else how
    by = check_mode(mode, by)
    known = metrics_of(base["game"])
    metrics, cards_of, only = (
        _listed(one) for one in (known.usual if metrics is None else metrics, cards_of, only)
    )
    _check(metrics, confirm, known.usual)
    cards = chosen_cards(base, cards_of, only)
    table = make_plan({**base, "games": games, "seed": seed})
    setting = table.settings[0]
    outcomes = [
        known.find(name, [one.name for one in setting.strategies], setting.players) for name in metrics
    ]
    cards = playable(table, cards, mode, by)
    words = {
        "base": plain(base), "mode": mode, "by": by, "cards_of": cards_of, "only": only, "games": games,
        "seed": seed, "metrics": metrics, "confirm": confirm,
    }  # fmt: skip
    with Lab("knockout", words, out, workers, watch) as lab:
        play = _Play(lab, {**base, "games": games, "seed": seed}, outcomes)
        found = play.screen([card for card in cards if not card.problem])
        fresh = play.again(found, confirm)
        return lab.finish(_result(play, cards, found, fresh, words))


def _listed(given: Sequence[str]) -> list[str]:
    """Names, each once; a single one may stand alone."""
    return [given] if isinstance(given, str) else list(dict.fromkeys(given))


def _check(metrics: Sequence[str], confirm: int, usual: Sequence[str]) -> None:
    if not metrics:
        raise UserError(f"0 metrics; valid: one or more, such as {', '.join(usual)}")
    if isinstance(confirm, bool) or not isinstance(confirm, int) or not 0 <= confirm <= MOST_CONFIRM:
        raise UserError(f"confirm is {shown(confirm)}; valid: a whole number from 0 to {MOST_CONFIRM}")


@dataclass(frozen=True)
class Found:
    """What came of all cards: a row each, ranked; and of each strategy."""

    table: pl.DataFrame
    strategies: pl.DataFrame
    base: dict[str, float]
    games: int  # of each card
    rows: int


class _Play:
    """Plays cards, and plays some again."""

    def __init__(self, lab: Lab, words: dict[str, Any], outcomes: Sequence[Metric]) -> None:
        self.lab, self.words, self.outcomes = lab, words, outcomes
        self.cards: dict[str, Card] = {}

    def screen(self, cards: Sequence[Card]) -> Found:
        """All of them."""
        self.cards = {card.name: card for card in cards}
        read = self._stage("cards", cards, 0)
        table, strategies = screened(read, cards, self.outcomes)
        sums = read()
        base = {metric.name: float(sums.means(metric)[0]) for metric in self.outcomes}
        return Found(ranked(table, self.outcomes[0].name), strategies, base, sums.games, sums.rows)

    def again(self, found: Found, confirm: int) -> pl.DataFrame:
        """Those with the strongest effects on each outcome, on fresh luck."""
        strongest = [
            name
            for metric in self.outcomes
            for name in found.table.filter(pl.col(f"{metric.name}_p_holm") < LEVEL)
            .sort(pl.col(metric.name).abs(), descending=True, maintain_order=True)["card"]
            .to_list()[:confirm]
        ]
        cards = [self.cards[name] for name in dict.fromkeys(strongest)]
        if not cards:
            return pl.DataFrame(schema={"card": pl.String})
        blocks = -(-self.words["games"] // games_a_block(self.words))
        read = self._stage("fresh", cards, blocks)
        return pl.concat(
            [pl.DataFrame({"card": [card.name for card in cards]}), *_outcomes(read, self.outcomes)],
            how="horizontal",
        )

    def _stage(self, name: str, cards: Sequence[Card], skip: int) -> Read:
        labels = ["base", *(card.name for card in cards)]
        changes = [[], *(list(card.changes) for card in cards)]
        self.lab.stage(name, {**self.words, "changes": changes, "skip": skip}, labels)
        folder = RunFolder(self.lab.path / STAGES / name)
        return lambda: Sums.of(folder, labels)


# --- effects ---------------------------------------------------------------------------------------------
def screened(
    read: Read, cards: Sequence[Card], outcomes: Sequence[Metric]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A row for each card with its effect on each outcome and on who wins; and each strategy's shares."""
    first = read()
    places = range(1, first.arms)
    names = pl.DataFrame({"card": [c.name for c in cards], "section": [c.section for c in cards],
                          "change": [", ".join(c.changes) for c in cards]})  # fmt: skip
    changed = winner_changed((read().column(f"won_{k + 1}") for k in range(first.players)), 0, places)
    whole, shares = shifts(*_points(read), places)
    numbers = names.select("card").with_columns(place=pl.int_range(1, pl.len() + 1))
    strategies = shares.join(numbers, on="place", maintain_order="left").drop("place")
    same = _same(read) & (changed["changed_n"].to_numpy() == 0)
    facts = [pl.lit(first.games).alias("n"), pl.lit(first.rows).alias("blocks")]
    notes = pl.Series("note", [SAME if one else "" for one in same], pl.String)
    table = pl.concat([names, *_outcomes(read, outcomes), changed, whole], how="horizontal")
    return table.with_columns(*facts, notes), strategies.select("card", pl.all().exclude("card"))


def _outcomes(read: Read, outcomes: Sequence[Metric]) -> Iterable[pl.DataFrame]:
    """For each outcome its columns."""
    for metric in outcomes:
        sums = read()
        part = effects(sums.estimate(metric), 0, range(1, sums.arms))
        figures = ("difference", "low", "high", "p", "p_holm")
        names = dict(zip(figures, (metric.name + end for end in ENDS), strict=True))
        yield part.select(figures).rename(names)


def _same(read: Read) -> Any:
    """For each card whether every block has the same sums as without the change, down to the decisions made."""
    same: Any = True
    for name in read().metrics.counted:
        columns = read().column(name)
        same = same & (columns[:, 1:] == columns[:, :1]).all(axis=0)
    return same


def _points(read: Read) -> tuple[dict[str, Any], dict[str, Any]]:
    """How many more points each strategy has in each arm than in the first (sixtieths), and its seats."""
    more, seats = {}, {}
    for name in read().strategies:
        sums = read()
        metric = sums.metrics.strategy("strategy", name)
        points, seated = (sum(map(sums.column, names)) for names in (metric.tops, metric.bottoms))
        more[name] = (points - points[:, :1]).astype(np.int32)
        seats[name] = seated[:, 0]
    return more, seats


def effects(found: Estimates, base: int, places: Sequence[int]) -> pl.DataFrame:
    """How much more the games with a change have than those as printed, a row for each of `places`.

    Columns: difference, low, high, p, p_holm (over all rows), blocks, method, note.
    """
    schema = dict.fromkeys(("difference", "low", "high", "p"), pl.Float64)
    rows = [contrast_row(found.difference(place, base)) for place in places]
    return with_holm(pl.DataFrame(rows, schema_overrides=schema))


def winner_changed(won: Iterable[Any], base: int, places: Sequence[int]) -> pl.DataFrame:
    """The share of blocks in which another seat wins than in the games as printed.

    `won` has rows × arms for each seat: its wins in each block (with `fold = 1` a row is a block).
    Columns: changed, changed_low, changed_high (Wilson), changed_n.
    """
    other: Any = False
    for seat in won:
        other = other | (seat != seat[:, base : base + 1])
    rows = len(other)
    counts = [int(other[:, place].sum()) for place in places]
    ends = [wilson(count, rows, quantile(rows)) for count in counts]
    few = rows < FEW
    columns = {
        "changed": [None if few else count / rows for count in counts],
        "changed_low": [None if few else low for low, _ in ends],
        "changed_high": [None if few else high for _, high in ends],
        "changed_n": counts,
    }
    kinds = dict.fromkeys(columns, pl.Float64) | {"changed_n": pl.Int64}
    return pl.DataFrame(columns, kinds)


# --- who wins --------------------------------------------------------------------------------------------
def shift_of(more: Mapping[str, Any], seats: Mapping[str, Any], place: int) -> Paired:
    """How much more each strategy has of the points of its seats; and first of all a group that has no more.

    Luck deals strategies their seats in the same way in all arms, so that the base's seats stand for both.
    """
    points = [one[:, place] / SIXTIETHS for one in more.values()]
    rows = len(points[0])
    top = np.column_stack([np.zeros(rows), *points])
    return estimate_rows(
        top, np.column_stack([np.ones(rows), *seats.values()]).astype(float), False, ["", *more]
    )


def shifts(
    more: Mapping[str, Any], seats: Mapping[str, Any], places: Sequence[int]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Whether the strategies' shares shift, in a test of all of them at once; and each strategy's difference.

    Parameters
    ----------
    more
        For each strategy how many more points it has in each arm than as printed, in sixtieths: rows × arms.
    seats
        For each strategy its seats in each row.

    Returns
    -------
    A table with a row for each of `places`: shift (the largest difference), shifted (whose), shift_p (Wald's
    chi-square by blocks on the vector of differences), shift_p_holm; and one with place, strategy, difference, low,
    high, p, p_holm over all its rows, blocks, method, note.
    """
    whole, parts = [], []
    for place in places:
        found = shift_of(more, seats, place)
        names = list(more)
        rows = [contrast_row(found.difference(k, 0)) for k in range(1, len(found))]
        parts += [{"place": place, "strategy": name, **row} for name, row in zip(names, rows, strict=True)]
        few = len(names) < 2 or int(found.blocks.min()) < FEW
        most = int(np.argmax(np.abs(found.value)))
        whole.append(
            {
                "shift": None if few else float(found.value[most]),
                "shifted": "" if few or not most else names[most - 1],
                # shares add up: all but one of them say it all
                "shift_p": None if few else found.equal(range(len(found) - 1))[2],
            }
        )
    table = pl.DataFrame(whole, {"shift": pl.Float64, "shifted": pl.String, "shift_p": pl.Float64})
    numbers = dict.fromkeys(("difference", "low", "high", "p"), pl.Float64)
    return (
        table.with_columns(pl.Series("shift_p_holm", holm(table["shift_p"].to_list()), pl.Float64)),
        with_holm(pl.DataFrame(parts, schema_overrides=numbers)),
    )


def ranked(table: pl.DataFrame, by: str) -> pl.DataFrame:
    """The strongest effect first, by its size; cards that were left out last. Adds `rank`, from 1."""
    order = table.sort(pl.col(by).abs(), "changed", descending=True, nulls_last=True, maintain_order=True)
    rank = pl.when(pl.col(by).is_not_null()).then(pl.int_range(1, pl.len() + 1)).cast(pl.Int64)
    return order.with_columns(rank=rank).select("rank", pl.all().exclude("rank"))


# --- what came of it -------------------------------------------------------------------------------------
def _result(
    play: _Play, cards: Sequence[Card], found: Found, fresh: pl.DataFrame, words: Mapping[str, Any]
) -> Result:
    out = [card for card in cards if card.problem]
    left = pl.DataFrame(
        {"card": [c.name for c in out], "section": [c.section for c in out],
         "change": [", ".join(c.changes) for c in out], "note": [f"left out: {c.problem}" for c in out]},
        schema=dict.fromkeys(("card", "section", "change", "note"), pl.String),
    )  # fmt: skip
    tables = {
        "cards": pl.concat([found.table, left], how="diagonal"), "strategies": found.strategies, "fresh": fresh,
    }  # fmt: skip
    facts = {
        "mode": words["mode"], "by": words["by"], "games_each": found.games, "rows": found.rows,
        "games_a_block": games_a_block(play.words), "cards": len(found.table), "left_out": len(out),
        "metrics": [{"name": m.name, "text": m.text, "kind": m.kind} for m in play.outcomes], "base": found.base,
    }  # fmt: skip
    few = [f"Too few blocks to say anything: {found.rows}. From {FEW} on there are figures."]
    few *= found.rows < FEW
    verdict = [] if few else list(knockout_words.verdict(tables, facts))
    return Result("knockout", knockout_words.title(facts), words, facts, tables, verdict, few)
