"""What a sensitivity study found, as tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, contrast_row
from analysis.comparisons import LEVEL, holm
from analysis.lab.sensitivity_factors import Factor
from analysis.lab.sensitivity_numbers import Effects, Shares
from analysis.lab.sums import Metric, Sums
from analysis.lab.wording import change_text, value_text

NAMED = 3  # drivers in a sentence
OTHER_LUCK = "other luck"
MUCH = 0.5  # of the variance between points: noise
FEW_LINES = 6  # trajectories: fewer give intervals that say little
BOOTSTRAP = "bootstrap over points and blocks"
TWO_WAYS = "mean over trajectories and blocks"
_ENDS = ("", "_low", "_high")


@dataclass(frozen=True)
class Found:
    """All that was found. `screened` has the yardstick behind the factors."""

    factors: Sequence[Factor]
    metrics: Sequence[Metric]
    size: Mapping[str, int]
    alone: Sums
    screened: Mapping[str, Effects]
    kept: Sequence[int]
    blocks: int  # of a point of the screening and of the second stage
    shares: Mapping[str, Shares] = field(default_factory=dict)


# --- tables ----------------------------------------------------------------------------------------------
def tables_of(found: Found) -> dict[str, pl.DataFrame]:
    """The main table `drivers`, and one for each stage; `factors` says what was varied."""
    alone = pl.concat([_alone(found, metric) for metric in found.metrics])
    screened = _screened(found)
    second = _second(found)
    return {
        "drivers": _drivers(alone, screened, second), "alone": alone, "screen": screened, "shares": second,
        "factors": _factors(found),
    }  # fmt: skip


def _factors(found: Found) -> pl.DataFrame:
    rows = [
        (one.name, one.operator, one.default, one.low, one.high, span(one), one.whole, one.source, k in found.kept)
        for k, one in enumerate(found.factors)
    ]  # fmt: skip
    schema = {
        "factor": pl.String, "operator": pl.String, "default": pl.Float64, "low": pl.Float64, "high": pl.Float64,
        "range": pl.String, "whole": pl.Boolean, "source": pl.String, "kept": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema, orient="row")


def span(factor: Factor) -> str:
    """A factor's range in words: '7 to 13'."""
    return "" if factor.texts else f"{factor.shown(factor.low)} to {factor.shown(factor.high)}"


def _alone(found: Found, metric: Metric) -> pl.DataFrame:
    """Each factor at both ends, against the table as it is."""
    estimates = found.alone.estimate(metric)
    rows: list[dict[str, Any]] = []
    for place, factor in enumerate(found.factors):
        for end, arm in (("low", 2 * place + 1), ("high", 2 * place + 2)):
            row = contrast_row(estimates.difference(arm, 0))
            value = factor.low if end == "low" else factor.high
            rows.append(
                {
                    **_head(metric, factor), "end": end, "value": factor.shown(value),
                    "base": float(estimates.value[0]), "other": float(estimates.value[arm]), **row,
                    "n": int(estimates.n[arm]),
                }
            )  # fmt: skip
    numbers = ("base", "other", "difference", "low", "high", "p")
    frame = pl.DataFrame(rows, schema_overrides=dict.fromkeys(numbers, pl.Float64))
    return frame.with_columns(p_holm=pl.Series(holm(frame["p"].to_list()), dtype=pl.Float64))


def _head(metric: Metric, factor: Factor) -> dict[str, Any]:
    return {
        "metric": metric.name, "what": metric.text, "kind": metric.kind, "factor": factor.name, "range": span(factor),
    }  # fmt: skip


def _screened(found: Found) -> pl.DataFrame:
    """Morris's effects, the largest first; the yardstick is among them."""
    parts = [_SCREEN]
    for metric in found.metrics:
        if metric.name not in found.screened:
            continue
        effects = found.screened[metric.name]
        names = [one.name for one in found.factors]
        yardsticks = len(effects.mu) - len(names)
        corrected = [*holm([float(p) for p in effects.p[: len(names)]]), *[None] * yardsticks]
        frame = pl.DataFrame(
            {
                "metric": metric.name, "what": metric.text, "kind": metric.kind,
                "factor": [*names, *[OTHER_LUCK] * yardsticks],
                "range": [*(span(one) for one in found.factors), *[""] * yardsticks],
                **_columns(effects, ("mu", "mu_star", "sigma")), "noise": effects.noise, "p": effects.p,
                "p_holm": corrected, "kept": [place in found.kept for place in range(len(effects.mu))],
                "n": found.size["trajectories"], "method": TWO_WAYS,
            },
            _SCREEN.schema,
        )  # fmt: skip
        parts.append(frame.sort("mu_star", descending=True, maintain_order=True))
    return pl.concat(parts)


def _columns(numbers: Any, names: Sequence[str], are_shares: bool = False) -> dict[str, Any]:
    """Figures and their ends; what is not known is empty."""
    found: dict[str, Any] = {}
    for name in names:
        ends = getattr(numbers, f"{name}_ends")
        columns = (getattr(numbers, name), ends[:, 0], ends[:, 1])
        for ending, values in zip(_ENDS, as_shares(*columns) if are_shares else columns, strict=True):
            found[f"{name}{ending}"] = [None if np.isnan(value) else float(value) for value in values]
    return found


def as_shares(value: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
    """Estimated shares and their ends. An estimate beyond 0 or 1 is moved there, and its interval with it.

    Example
    -------
    >>> [float(round(end, 3)) for end in as_shares(-0.02, -0.05, -0.01)]
    [0.0, 0.0, 0.01]
    """
    inside = np.clip(value, 0.0, 1.0)
    return inside + 0.0, np.clip(low + inside - value, 0.0, 1.0), np.clip(high + inside - value, 0.0, 1.0)


def _second(found: Found) -> pl.DataFrame:
    """Sobol's indices, the largest first."""
    parts = [_SHARES]
    for metric in found.metrics:
        if metric.name not in found.shares:
            continue
        some, factors = found.shares[metric.name], [found.factors[place] for place in found.kept]
        frame = pl.DataFrame(
            {
                "metric": metric.name, "what": metric.text, "kind": metric.kind, "factor": [f.name for f in factors],
                "range": [span(factor) for factor in factors], **_columns(some, ("first", "total"), True),
                "n": found.size["points"], "method": BOOTSTRAP, "note": "" if some.known else "it does not vary",
            },
            _SHARES.schema,
        )  # fmt: skip
        parts.append(frame.sort("total", descending=True, nulls_last=True, maintain_order=True))
    return pl.concat(parts)


def _drivers(alone: pl.DataFrame, screened: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """One row for each outcome and factor: what each stage says; the strongest first."""
    keys = ["metric", "factor"]
    ends = [
        alone.filter(pl.col("end") == end).select(
            *keys, *(["what", "kind", "range"] if end == "low" else []),
            pl.col("difference").alias(f"at_{end}"), pl.col("low").alias(f"at_{end}_low"),
            pl.col("high").alias(f"at_{end}_high"), pl.col("p_holm").alias(f"p_{end}"),
        )
        for end in ("low", "high")
    ]  # fmt: skip
    whole = ends[0].join(ends[1], on=keys, how="left", maintain_order="left")
    for frame, names in ((screened, ("mu_star", "mu_star_low", "mu_star_high", "p_holm")),
                         (second, ("total", "total_low", "total_high"))):  # fmt: skip
        whole = whole.join(frame.select(*keys, *names), on=keys, how="left", maintain_order="left")
    order = {name: place for place, name in enumerate(alone["metric"].unique(maintain_order=True).to_list())}
    swing = pl.max_horizontal(pl.col("at_low").abs(), pl.col("at_high").abs())
    return whole.with_columns(
        swing=swing, p_holm=pl.coalesce("p_holm", pl.min_horizontal("p_low", "p_high"))
    ).sort(
        pl.col("metric").replace_strict(order, return_dtype=pl.Int64), -pl.col("total"), -pl.col("mu_star"), -swing,
        nulls_last=True, maintain_order=True,
    )  # fmt: skip


_TEXTS = ("metric", "what", "kind", "factor", "range")


def _empty(numbers: Sequence[str], **more: Any) -> pl.DataFrame:
    names = [f"{name}{ending}" for name in numbers for ending in _ENDS]
    return pl.DataFrame(
        schema={**dict.fromkeys(_TEXTS, pl.String), **dict.fromkeys(names, pl.Float64), **more}
    )


_SCREEN = _empty(
    ("mu", "mu_star", "sigma"), noise=pl.Float64, p=pl.Float64, p_holm=pl.Float64, kept=pl.Boolean, n=pl.Int64,
    method=pl.String,
)  # fmt: skip
_SHARES = _empty(("first", "total"), n=pl.Int64, method=pl.String, note=pl.String)


# --- words -----------------------------------------------------------------------------------------------
def facts_of(found: Found) -> dict[str, Any]:
    """Figures beside the tables."""
    return {
        "factors": len(found.factors), "kept": _kept(found), **found.size,
        "games_alone": found.alone.games, "metrics": [_facts(found, metric) for metric in found.metrics],
    }  # fmt: skip


def _facts(found: Found, metric: Metric) -> dict[str, Any]:
    estimates = found.alone.estimate(metric)
    low, high = estimates.interval(0)
    facts = {
        "metric": metric.name, "what": metric.text, "kind": metric.kind, "base": float(estimates.value[0]),
        "base_low": low, "base_high": high,
    }  # fmt: skip
    if metric.name in found.shares and found.shares[metric.name].known:
        some = found.shares[metric.name]
        facts |= {
            "mean": some.mean, "spread": some.variance**0.5, "noise": some.noise, "together": some.together,
            "together_low": float(some.together_ends[0]), "together_high": float(some.together_ends[1]),
        }  # fmt: skip
    return facts


def warnings_of(found: Found) -> list[str]:
    """What a reader must know first."""
    told = []
    if found.alone.rows < FEW:
        told.append(f"Too few blocks to say anything: {found.alone.rows}. From {FEW} on there are figures.")
    elif found.blocks < FEW:
        told.append(
            f"{found.blocks} blocks a point tell little of its noise; valid: games for {FEW} blocks or more."
        )
    if 0 < found.size["trajectories"] < FEW_LINES:
        told.append(
            f"{found.size['trajectories']} trajectories: the screening's intervals are wide; valid: more of them."
        )
    for metric in found.metrics:
        some = found.shares.get(metric.name)
        if some is not None and some.known and some.noise > MUCH:
            told.append(
                f"{some.noise * 100:.0f} % of what '{metric.text}' varies between points is noise. It is taken off, "
                "but the shares are uncertain; valid: more games a point."
            )
    return told


def verdict_of(found: Found) -> list[str]:
    """The main findings, some sentences for each outcome."""
    return [line for metric in found.metrics for line in _verdict(found, metric)]


def _verdict(found: Found, metric: Metric) -> list[str]:
    told = [
        _strongest(found, metric),
        _alone_words(found, metric),
        _clear(found, metric),
        _together(found, metric),
    ]
    return [line for line in told if line]


def _strongest(found: Found, metric: Metric) -> str:
    """Which of the kept factors explain most."""
    some = found.shares.get(metric.name)
    if some is None:
        return ""
    if not some.known:
        return f"'{metric.text}' does not vary beyond noise in the second stage ({', '.join(_kept(found))})."
    factors = [found.factors[place] for place in found.kept]
    order = [k for k in np.argsort(-some.total, kind="stable").tolist() if some.total_ends[k, 0] > 0][:NAMED]
    if not order:
        return (
            f"What '{metric.text}' hangs on is not clear: no share of its variation is surely above nothing."
        )
    if len(factors) == 1:
        one = factors[0]
        return f"Only {one.name} ({span(one)}) is in the second stage: there '{metric.text}' hangs on nothing else."
    parts = [
        f"{factors[k].name} ({span(factors[k])}): {_share(some.total[k], some.total_ends[k])}" for k in order
    ]
    return (
        f"Of what '{metric.text}' varies when the {len(factors)} numbers of the second stage vary, this much hangs "
        f"on {'; '.join(parts)}; n = {found.size['points']:,} base points of {found.size['games']:,} games a point."
    )


def _kept(found: Found) -> list[str]:
    return [found.factors[place].name for place in found.kept]


def _alone_words(found: Found, metric: Metric) -> str:
    """The longest bar of the tornado."""
    estimates = found.alone.estimate(metric)
    contrasts = [estimates.difference(arm, 0) for arm in range(1, found.alone.arms)]
    corrected = holm([one.p if one.blocks >= FEW else None for one in contrasts])
    clear = [k for k, p in enumerate(corrected) if p is not None and p < LEVEL]
    if not clear:
        return f"Alone, no number is shown to change '{metric.text}' at either end of its range (Holm)."
    k = max(clear, key=lambda k: abs(contrasts[k].value))
    factor, one = found.factors[k // 2], contrasts[k]
    value = factor.shown(factor.high if k % 2 else factor.low)
    ends = [change_text(end, metric).removesuffix(" points") for end in (one.low, one.high)]
    return (
        f"Alone, {factor.name} at {value} changes '{metric.text}' most: from "
        f"{value_text(float(estimates.value[0]), metric)} by {change_text(one.value, metric)} (95 %: {ends[0]} to "
        f"{ends[1]}; n = {found.alone.games:,} games each, same luck)."
    )


def _clear(found: Found, metric: Metric) -> str:
    """How many factors do anything at all."""
    effects = found.screened.get(metric.name)
    if effects is None:
        return ""
    count = len(found.factors)
    corrected = holm([float(p) for p in effects.p[:count]])
    clear = sum(p is not None and p < LEVEL for p in corrected)
    idle = int(((effects.mu_star == 0) & (effects.p == 1))[:count].sum())
    none = f"; {idle} did not change it in a single game" if idle else ""
    how = f"screening, {found.size['trajectories']} trajectories, corrected with Holm's method"
    change = "number changes" if count == 1 else "numbers changes" if clear < 2 else "numbers change"
    return (
        f"{clear or 'None'} of {count} {change} '{metric.text}' by more than luck can explain ({how}){none}."
    )


def _together(found: Found, metric: Metric) -> str:
    """How much comes only from numbers that work together."""
    some = found.shares.get(metric.name)
    if some is None or not some.known or len(found.kept) < 2:
        return ""
    told = _share(some.together, some.together_ends)
    if some.together_ends[0] <= 0:
        return f"That numbers work together is not shown for '{metric.text}': {told} of its variation."
    return f"{told} of what '{metric.text}' varies comes from numbers that work together."


def _share(value: float, ends: Any) -> str:
    """'51 % (95 %: 43 to 60)'."""
    share, low, high = (float(one) * 100 for one in as_shares(value, *ends))
    return f"{share:.0f} % (95 %: {low:.0f} to {high:.0f})"
