"""What a sweep found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.comparisons import LEVEL

Row = Mapping[str, Any]


def verdict(tables: Mapping[str, pl.DataFrame], facts: Mapping[str, Any]) -> Iterator[str]:
    """For each metric what the range does; for each target where it is met."""
    for metric in facts["metrics"]:
        curve = tables["curve"].filter(pl.col("metric") == metric["name"]).to_dicts()
        trends = tables["trends"].filter(pl.col("metric") == metric["name"]).to_dicts()
        yield _range(metric, curve, facts)
        for row in trends:
            yield from _trend(metric, row, len(facts["axes"]))
    for target in facts["targets"]:
        yield _target(target, tables, facts)


# --- what the range does -----------------------------------------------------------------------------------
def _range(metric: Row, curve: list[dict[str, Any]], facts: Row) -> str:
    """From where to where."""
    names = [axis["name"] for axis in facts["axes"]]
    if len(names) == 1 and facts["axes"][0]["is_number"]:
        ends = [f"{_figure(row, metric)} at {{}}{number(row['x'])}" for row in (curve[0], curve[-1])]
        told = f"{ends[0].format(names[0] + ' ')}, {ends[1].format('')}"
        return f"{_start(metric)}: {told}{_n(facts)}."
    least, most = (choose(curve, key=lambda row: row["value"]) for choose in (min, max))
    told = " to ".join(f"{_figure(row, metric)} ({_where(row, names)})" for row in (least, most))
    return f"{_start(metric)}: over the whole of {' × '.join(names)} from {told}{_n(facts)}."


def _trend(metric: Row, row: Row, axes: int) -> Iterator[str]:
    """What a step does, and where that changes."""
    if row["slope"] is None:
        return
    each = (
        f"a step of {row['axis']}" if row["step"] is None else f"a step of {row['step']:g} of {row['axis']}"
    )
    if row["step"] is None:
        clear = "depends on the other" if row["p_holm"] < LEVEL else "does not clearly depend on the other"
        yield (
            f"{_start(metric)}: what one does {clear}; a step of both changes it by "
            f"{_change(row, metric, 'slope', 'low', 'high')} more than the steps by themselves."
        )
        return
    average = " on average over the other" if axes == 2 else " on average"
    word = "changes it by" if row["p_holm"] < LEVEL else "does nothing that could be told from luck:"
    yield f"{_start(metric)}: {each} {word} {_change(row, metric, 'slope', 'low', 'high')}{average}."
    if row["bend_p_holm"] is not None and row["bend_p_holm"] < LEVEL:
        before, after = (
            _change(row, metric, part, f"{part}_low", f"{part}_high") for part in ("before", "after")
        )
        yield (
            f"{_start(metric)}: the curve by {row['axis']} is not straight. It bends most at {number(row['bend'])}: "
            f"a step before it does {before}, one after it {after}."
        )


# --- targets -----------------------------------------------------------------------------------------------
def _target(target: Row, tables: Mapping[str, pl.DataFrame], facts: Row) -> str:
    """Which values meet it, and where between them it is reached."""
    metric = next(one for one in facts["metrics"] if one["name"] == target["metric"])
    names = [axis["name"] for axis in facts["axes"]]
    rows = tables["curve"].filter(pl.col("metric") == target["metric"]).to_dicts()
    good = [_where(row, names) for row in rows if (row["meets"] or "").startswith("yes")]
    if good:
        first = f"Target {target['text']} ({target['band']}) is met by {_listed(good)}."
    else:
        near = min(rows, key=lambda row: _miss(row["value"], target))
        first = (
            f"Target {target['text']} ({target['band']}) is out of reach here: {_where(near, names)} comes nearest, "
            f"with {_figure(near, metric)}."
        )
    places = tables["reached"].filter(
        (pl.col("metric") == target["metric"]) & (pl.col("target") == target["text"])
    )
    return " ".join(
        [first, *(_place(row, metric, names[0]) for row in places.to_dicts() if row["at"] is not None)]
    )


def _miss(value: float, target: Row) -> float:
    low, high = target["low"], target["high"]
    below = 0.0 if low is None else float(low) - value
    above = 0.0 if high is None else value - float(high)
    return max(0.0, below, above)


def _place(row: Row, metric: Row, name: str) -> str:
    ends = [f"{row[end]:.3g}" for end in ("low", "high")]
    beyond = " or beyond" if row["open_low"] or row["open_high"] else ""
    there = f"{name} {row['at']:.3g} (95 %: {ends[0]} to {ends[1]}{beyond})"
    return f"{_value(row['figure'], metric)} is reached at {there}, if the curve is straight between values."


# --- words -------------------------------------------------------------------------------------------------
def number(value: Any) -> str:
    """A value with a real minus."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"−{text[1:]}" if text.startswith("-") else text


def _start(metric: Row) -> str:
    text = str(metric["text"])
    return text[:1].upper() + text[1:]


def _n(facts: Row) -> str:
    return f"; n = {facts['games_each']:,} games a value, same luck"


def _where(row: Row, names: list[str]) -> str:
    values = [row["x"], row["y"]][: len(names)]
    return ", ".join(f"{name} {number(value)}" for name, value in zip(names, values, strict=True))


def _value(value: float, metric: Row) -> str:
    return f"{value * 100:.1f} %" if metric["kind"] == "rate" else f"{value:.2f}"


def _figure(row: Row, metric: Row) -> str:
    """A figure with its interval."""
    ends = [_value(row[end], metric).removesuffix(" %") for end in ("low", "high")]
    return f"{_value(row['value'], metric)} (95 %: {ends[0]} to {ends[1]})"


def _change(row: Row, metric: Row, *columns: str) -> str:
    """A difference with its interval."""
    is_rate = metric["kind"] == "rate"
    texts = [f"{row[name] * 100:+.2f}" if is_rate else f"{row[name]:+.3f}" for name in columns]
    value, low, high = (text.replace("-", "−") for text in texts)
    return f"{value}{' points' if is_rate else ''} (95 %: {low} to {high})"


def _listed(names: list[str]) -> str:
    most = 8
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + more
