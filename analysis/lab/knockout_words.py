"""What a knock-out found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.comparisons import LEVEL

Row = Mapping[str, Any]
TOP, OTHER_TOP = 3, 2  # cards in sentences: of the outcome that ranks, and of any other
MOST_NAMES = 8


def title(facts: Row) -> str:
    """What was done to how many cards."""
    done = {"blank": "blanked", "remove": "removed"}.get(facts["mode"], f"scaled by {facts['by'] or 0:g}")
    return f"{facts['cards']} cards, each {done} in turn"


def verdict(tables: Mapping[str, pl.DataFrame], facts: Row) -> Iterator[str]:
    """The strongest effects on each outcome, on who wins, and the cards that do nothing."""
    cards, fresh = tables["cards"], {row["card"]: row for row in tables["fresh"].to_dicts()}
    for number, metric in enumerate(facts["metrics"]):
        clear = cards.filter(pl.col(f"{metric['name']}_p_holm") < LEVEL)
        order = clear.sort(pl.col(metric["name"]).abs(), descending=True, maintain_order=True).to_dicts()
        yield _how_many(metric, len(order), facts)
        for row in order[: OTHER_TOP if number else TOP]:
            yield _effect(row, fresh.get(row["card"]), metric, facts)
    yield from _who_wins(cards, facts)
    yield from _idle(cards, facts)
    yield from _left_out(cards)


def _how_many(metric: Row, count: int, facts: Row) -> str:
    text = str(metric["text"])
    effects = (
        "have an effect that is surer than luck" if count != 1 else "has an effect that is surer than luck"
    )
    return (
        f"{text[:1].upper()}{text[1:]} ({_value(facts['base'][metric['name']], metric)} as it is): {count} of "
        f"{facts['cards']} cards {effects} (Holm, 5 % over all cards; n = {facts['games_each']:,} games a card)."
    )


def _effect(row: Row, fresh: Row | None, metric: Row, facts: Row) -> str:
    name = metric["name"]
    told = f"{metric['text']} {_change(row, metric)}, p corrected {_p(row[f'{name}_p_holm'])}"
    again = (
        f"; on fresh luck {_change(fresh, metric)}" if fresh is not None and fresh[name] is not None else ""
    )
    return f"{without(row['card'], facts)}: {told}{again}."


def without(card: str, facts: Row) -> str:
    """'Without what X does', 'Without X', 'With X × 1.5'."""
    if facts["mode"] == "scale":
        return f"With {card} × {facts['by']:g}"
    return f"Without {card}" if facts["mode"] == "remove" else f"With {card} blank"


def _who_wins(cards: pl.DataFrame, facts: Row) -> Iterator[str]:
    clear = cards.filter(pl.col("shift_p_holm") < LEVEL)
    if not clear.is_empty():
        row = clear.sort(pl.col("shift").abs(), descending=True, maintain_order=True).row(0, named=True)
        word = "gains" if row["shift"] > 0 else "loses"
        yield (
            f"Who wins: {len(clear)} of {facts['cards']} cards shift the strategies' shares (chi-square by blocks, "
            f"Holm). {without(row['card'], facts)}, {row['shifted']} {word} {abs(row['shift']) * 100:.1f} points."
        )


def _idle(cards: pl.DataFrame, facts: Row) -> Iterator[str]:
    idle = cards.filter(pl.col("note").str.starts_with("not one game"))["card"].to_list()
    if idle:
        most = 3 / facts["rows"] * 100
        what = "games" if facts["games_a_block"] == 1 else "blocks"
        told = f"not one game came out differently, so that fewer than {most:.2g} % of {what} can (95 %)"
        yield f"{_listed(idle)}: {told}."


def _left_out(cards: pl.DataFrame) -> Iterator[str]:
    out = cards.filter(pl.col("note").str.starts_with("left out"))
    if not out.is_empty():
        yield f"Left out, see the table: {_listed(out['card'].to_list())}."


# --- words -------------------------------------------------------------------------------------------------
def _value(value: float, metric: Row) -> str:
    return f"{value * 100:.1f} %" if metric["kind"] == "rate" else f"{value:.2f}"


def _change(row: Row, metric: Row) -> str:
    """A difference with its interval."""
    is_rate = metric["kind"] == "rate"
    texts = [
        f"{row[metric['name'] + end] * 100:+.1f}" if is_rate else f"{row[metric['name'] + end]:+.2f}"
        for end in ("", "_low", "_high")
    ]
    value, low, high = (text.replace("-", "−") for text in texts)
    return f"{value}{' points' if is_rate else ''} (95 %: {low} to {high})"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
