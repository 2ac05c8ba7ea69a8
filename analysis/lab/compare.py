"""Compare variants of rules, cards or strategies on the same luck: what does the change do?

The first variant is what the others are compared with. By default so many games are played; `until` plays until the
interval of one difference is narrow enough, `sprt` until one of two hypotheses about it is accepted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, Contrast, contrast_row
from analysis.comparisons import with_holm
from analysis.lab.stages import Lab, Result, games_a_block, plain, players_of, silent, strategy_names
from analysis.lab.sums import Metric, Sums, metrics_of
from analysis.lab.wording import difference_words
from analysis.sequential import H1, LEAST, OPEN, Look, Sprt, look_totals, next_total, saving
from sim.errors import UserError, shown
from sim.plan import game_module
from sim.run import Watch
from sim.study import MOST_GAMES
from sim.workers import Workers

MOST_VARIANTS = 26
FIRST = 2_000  # blocks before the first look
USUAL = 20_000  # games of a variant
CAP = 2_000_000  # ... at most, if it stops by itself and nobody says how many
MOST_ROWS = 2_000_000  # of the sums, for each variant: some 100 MB for each column in use
EFFECT_COLUMNS: dict[str, Any] = {
    "variant": pl.String, "metric": pl.String, "what": pl.String, "kind": pl.String, "base": pl.Float64,
    "other": pl.Float64, "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64,
    "n": pl.Int64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip


@dataclass(frozen=True)
class Aim:
    """When to stop: after so many games, when an interval is narrow, or when a test has decided."""

    metric: str
    games: int | None = None
    until: float | None = None
    sprt: tuple[float, float] | None = None
    alpha: float = 0.05
    beta: float = 0.05


def compare(
    base: Mapping[str, Any],
    variants: Sequence[str | Sequence[str]],
    *,
    games: int | None = None,
    seed: int = 1,
    metric: str | None = None,
    until: float | None = None,
    sprt: Sequence[float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """Compare variants on the same luck.

    Parameters
    ----------
    base
        The table, from `base_words`.
    variants
        Changes of each variant: 'base', 'public_fame=5', 'blank Decoy Beacon, attack_x3=40', or lists of them. The
        others are compared with the first.
    games
        Of each variant: 20,000, or at most 2,000,000 with `until` or `sprt`.
    metric, until
        Play until the 95 % interval of the difference in this metric reaches no further than this to either side.
        With several variants, until that holds for all. By default the first metric of the game.
    sprt, alpha, beta
        Two hypotheses about the difference in the metric, and how often either may be accepted wrongly. Two variants.

    Example
    -------
    >>> compare(base_words(players=4), ["base", "attack_x3=40"], games=50_000).verdict  # doctest: +SKIP
    """
    metric = metrics_of(base["game"]).usual[0] if metric is None else metric
    changes = read_variants(base, variants)
    aim = _checked(Aim(metric, games, until, None if sprt is None else _two(sprt), alpha, beta), len(changes))
    _check_metric(metric, base, changes)
    words = {"base": plain(base), "variants": changes, "seed": seed, **plain(vars(aim))}
    with Lab("compare", words, out, workers, watch) as lab:
        most = aim.games or (CAP if aim.sprt or aim.until else USUAL)
        play = _Player(lab, {**base, "changes": changes, "seed": seed}, names(changes), most)
        stop = _decide(play, aim) if aim.sprt else _narrow(play, aim) if aim.until else _fixed(play, aim)
        return lab.finish(_result(play, stop, aim, words))


def _check_metric(metric: Any, base: Mapping[str, Any], changes: Sequence[Sequence[str]]) -> None:
    """A metric that the experiment has; strategies may also come in with a change."""
    coming = [text.partition("->")[2].strip() for texts in changes for text in texts if "->" in text]
    if not isinstance(metric, str):
        raise UserError(
            f"metric is {shown(metric)}; valid: a name such as {metrics_of(base['game']).usual[0]}"
        )
    found = metrics_of(base["game"]).find(metric, [*strategy_names(base), *coming], players_of(base))
    kind, _, name = found.name.partition(":")
    gone = [text for texts in changes for text in texts if text.partition("->")[0].strip() == name and "->" in text]
    if kind not in ("seat", "distance") and name and (gone or name not in strategy_names(base)):
        raise UserError(f"metric {shown(metric)}: {name} does not play in every variant; valid: one that does")


def read_variants(base: Mapping[str, Any], variants: Sequence[str | Sequence[str]]) -> list[list[str]]:
    """The changes of each variant, as lists."""
    for one in [] if isinstance(variants, str) else variants:
        if not isinstance(one, str) and not _are_texts(one):
            raise UserError(f"variant {shown(one)}; valid: 'base', or changes such as 'public_fame=5'")
    split = game_module(base["game"]).split_changes
    if isinstance(variants, str) or not 2 <= len(variants) <= MOST_VARIANTS:
        count = 1 if isinstance(variants, str) else len(variants)
        raise UserError(f"{count} variants; valid: 2 to {MOST_VARIANTS}, the first of which may be 'base'")
    return [split(one) if isinstance(one, str) else list(one) for one in variants]


def _are_texts(given: Any) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(text, str) for text in given)


def names(changes: Sequence[Sequence[str]]) -> list[str]:
    """'A: base', 'B: public_fame=5', …"""
    return [f"{chr(65 + k)}: {', '.join(texts) or 'base'}" for k, texts in enumerate(changes)]


def _two(given: Any) -> tuple[float, float]:
    given = given if isinstance(given, list | tuple) else [given]
    numbers = [one for one in given if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(given) != 2 or len(numbers) != 2:
        raise UserError(f"sprt is {shown(given)}; valid: two numbers, such as 0 and 0.03")
    return float(given[0]), float(given[1])


def _checked(aim: Aim, variants: int) -> Aim:
    """What cannot be is told before anything is played."""
    problems = []
    if aim.games is not None and (
        isinstance(aim.games, bool) or not isinstance(aim.games, int) or aim.games < 1
    ):
        problems.append(f"games is {shown(aim.games)}; valid: a whole number from 1 to {MOST_GAMES:,}")
    if aim.until is not None and not (isinstance(aim.until, int | float) and 0 < aim.until < float("inf")):
        problems.append(
            f"until is {shown(aim.until)}; valid: above 0, such as 0.005 for half a point to either side"
        )
    if aim.until is not None and aim.sprt is not None:
        problems.append("until and sprt together; valid: one of them")
    if aim.sprt is not None and variants != 2:
        problems.append(f"sprt with {variants} variants; valid: two")
    if problems:
        raise UserError(problems)
    if aim.sprt is not None:
        Sprt(*aim.sprt, aim.alpha, aim.beta)  # complains
    return aim


# --- playing -------------------------------------------------------------------------------------------------
class _Player:
    """Plays the variants on further and further blocks."""

    def __init__(self, lab: Lab, words: dict[str, Any], labels: Sequence[str], games: int) -> None:
        self.lab, self.words, self.labels = lab, words, labels
        most = -(-games // games_a_block(words))
        self.blocks = 0
        self.sums: Sums | None = None
        self.games_a_block = games_a_block(words)
        self.fold = -(-most // MOST_ROWS)  # memory stays flat: a row is so many blocks
        self.words["fold"] = self.fold

    def whole(self, blocks: int) -> int:
        """So many blocks, to whole rows."""
        return -(-blocks // self.fold) * self.fold

    def more(self, blocks: int, name: str) -> Sums:
        """So many more blocks; only they."""
        blocks = self.whole(blocks)
        games = blocks * self.games_a_block
        found = self.lab.stage(name, {**self.words, "games": games, "skip": self.blocks}, self.labels)
        self.blocks += blocks
        return found

    def up_to(self, blocks: int) -> Sums:
        """All blocks from the first on."""
        if blocks > self.blocks:
            found = self.more(blocks - self.blocks, f"blocks-{self.blocks:010d}")
            self.sums = found if self.sums is None else self.sums + found
        assert self.sums is not None
        return self.sums


@dataclass(frozen=True)
class Stop:
    """Why it stopped, in words and figures; and fresh blocks, if the estimate is from them."""

    facts: dict[str, Any]
    verdict: list[str]
    fresh: Sums | None = None


def _fixed(play: _Player, aim: Aim) -> Stop:
    """So many games."""
    play.up_to(_blocks(play, aim.games or USUAL))
    return Stop({}, [])


def _blocks(play: _Player, games: int) -> int:
    """Blocks of so many games of a variant."""
    return -(-games // play.games_a_block)


def _narrow(play: _Player, aim: Aim) -> Stop:
    """Until the intervals of all differences are narrow enough."""
    assert aim.until is not None
    most = _blocks(play, aim.games or CAP)
    wanted = play.whole(min(FIRST, most))
    while True:
        sums = play.up_to(wanted)
        found = sums.estimate(aim.metric)
        widest = max((found.difference(k, 0).error for k in range(1, sums.arms)), default=0.0)
        further = next_total(wanted, widest**2 * wanted, aim.until, most)
        if further <= wanted:
            break
        wanted = play.whole(further)
    reached = wanted < most or _half(found, sums) <= aim.until
    text = (
        f"Stopped after {wanted:,} blocks: every interval reaches no further than ±{_told(aim.until, sums, aim)}."
        if reached
        else f"Not reached: after {wanted:,} blocks, the most allowed, an interval still reaches "
        f"±{_told(_half(found, sums), sums, aim)}, wanted was ±{_told(aim.until, sums, aim)}."
    )
    return Stop({"until": aim.until, "reached": reached, "blocks": wanted}, [text])


def _half(found: Any, sums: Sums) -> float:
    """The widest interval's half."""
    contrasts = [found.difference(k, 0) for k in range(1, sums.arms)]
    return max(((one.high - one.low) / 2 for one in contrasts), default=0.0)


def _told(value: float, sums: Sums, aim: Aim) -> str:
    is_rate = sums.metric(aim.metric).is_rate
    return f"{value * 100:.2f} points" if is_rate else f"{value:.3g}"


def _decide(play: _Player, aim: Aim) -> Stop:
    """Until one of two hypotheses is accepted; then fresh blocks, for an estimate that stopping does not bias."""
    assert aim.sprt is not None
    test = Sprt(*aim.sprt, aim.alpha, aim.beta)
    most = _blocks(play, aim.games or CAP)
    look, sums = None, None
    for total in look_totals(min(1_000, most), most):
        wanted = play.whole(total)
        sums = play.up_to(wanted)
        contrast = sums.estimate(aim.metric).difference(1, 0)
        error = contrast.error
        look = test.judge(contrast.value, error**2 * wanted, wanted, _counts(sums, sums.metric(aim.metric)))
        play.lab.watch(0, 1, str(look))
        if look.decision != OPEN:
            break
    assert look is not None and sums is not None
    variance = error**2 * look.blocks
    fresh = play.more(test.fresh_blocks(variance, max(LEAST, most)), "fresh")
    facts = {
        "sprt": list(aim.sprt),
        "alpha": aim.alpha,
        "beta": aim.beta,
        "look": look.to_dict(),
        "fresh": fresh.rows,
    }
    return Stop(facts, [_decision(look, aim, sums)], fresh)


def _counts(sums: Sums, metric: Metric) -> tuple[int, int, int]:
    """In how many blocks the second variant had more, as much, and less."""
    top, bottom = sums.ratio(metric)
    step = np.sign(top[:, 1] * bottom[:, 0] - top[:, 0] * bottom[:, 1])
    return int((step > 0).sum()), int((step == 0).sum()), int((step < 0).sum())


def _decision(look: Look, aim: Aim, sums: Sums) -> str:
    assert aim.sprt is not None
    chosen = {H1: aim.sprt[1], "H0": aim.sprt[0]}
    if look.decision == OPEN:
        return f"Undecided after {look.blocks:,} blocks, the most allowed. {look}."
    text = sums.metric(aim.metric).text
    value = chosen[look.decision]
    told = f"{value * 100:+g} points" if sums.metric(aim.metric).is_rate else f"{value:+g}"
    return f"{look.decision} is accepted: the difference in '{text}' is {told} rather than the other. {look}."


# --- what came of it ---------------------------------------------------------------------------------------
def _result(play: _Player, stop: Stop, aim: Aim, words: dict[str, Any]) -> Result:
    sums = stop.fresh if stop.fresh is not None else play.sums
    assert sums is not None
    known = sums.metrics
    tables = {"effects": effects(sums, [known.by_name[name] for name in known.main])}
    for group in known.groups:
        if asked := group.metrics(sums):
            tables[group.name] = effects(sums, asked)
    tables["pairing"] = pairing(sums, aim.metric)
    chosen = sums.metric(aim.metric)
    verdict = [*stop.verdict, *verdicts(sums, chosen)]
    facts = {
        "labels": sums.labels,
        "metric": chosen.name,
        "games_each": sums.games,
        "rows": sums.rows,
        **stop.facts,
    }
    title = " against ".join(sums.labels) if sums.arms == 2 else f"{sums.arms} variants"
    return Result("compare", title, words, facts, tables, verdict, warnings(sums))


def warnings(sums: Sums) -> list[str]:
    """What a reader must know first."""
    if sums.rows < FEW:
        return [f"Too few blocks to say anything: {sums.rows}. From {FEW} on there are figures."]
    return []


def effects(sums: Sums, metrics: Sequence[Metric]) -> pl.DataFrame:
    """Every metric of every variant against the first; p corrected over all rows (Holm)."""
    rows = []
    for metric in metrics:
        found = sums.estimate(metric)
        for arm in range(1, sums.arms):
            row = contrast_row(found.difference(arm, 0))
            rows.append(
                {
                    "variant": sums.labels[arm], "metric": metric.name, "what": metric.text, "kind": metric.kind,
                    "base": float(found.value[0]) if found.blocks[0] else None,
                    "other": float(found.value[arm]) if found.blocks[arm] else None, "n": int(found.n[arm]), **row,
                }
            )  # fmt: skip
            if not (found.blocks[0] and found.blocks[arm]):
                rows[-1]["note"] = f"nobody plays it in {sums.labels[arm if found.blocks[0] else 0]}"
    return with_holm(pl.DataFrame(rows, EFFECT_COLUMNS).sort("variant", maintain_order=True))


def pairing(sums: Sums, metric: str) -> pl.DataFrame:
    """What playing the same luck saved: games that an unpaired comparison would need for the same interval."""
    found = sums.estimate(metric)
    rows = []
    for arm in range(1, sums.arms):
        contrast = found.difference(arm, 0)
        errors = [float(found.covariance[k, k]) ** 0.5 for k in (arm, 0)]
        saved = saving(2 * sums.games, contrast.error, *errors)
        rows.append(
            {
                "variant": sums.labels[arm], "games": 2 * sums.games, "unpaired": saved.unpaired if saved else None,
                "factor": saved.factor if saved else None, "correlation": saved.correlation if saved else None,
            }
        )  # fmt: skip
    schema: dict[str, Any] = {"variant": pl.String, "games": pl.Int64, "unpaired": pl.Int64, "factor": pl.Float64,
                              "correlation": pl.Float64}  # fmt: skip
    return pl.DataFrame(rows, schema)


def verdicts(sums: Sums, metric: Metric) -> list[str]:
    """The difference of each variant in words, and what the pairing saved."""
    found = sums.estimate(metric)
    told = []
    for arm in range(1, sums.arms):
        contrast: Contrast = found.difference(arm, 0)
        values = (float(found.value[0]), float(found.value[arm]))
        told.append(difference_words(sums.labels[arm], sums.labels[0], metric, values, contrast, sums.games))
    return told
