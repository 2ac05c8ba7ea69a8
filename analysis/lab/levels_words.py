"""Skill levels in words: whether the balance, and what a change does to it, is the same at every level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from analysis.comparisons import signed

ALL = "all alien cards"
STATES = {1: "too strong", 0: "balanced", -1: "too weak"}
UNCLEAR, NOTHING = "undecided", "exactly as often"
HOLDS, DIFFERS, OPEN = "holds", "differs", "open"  # what several levels have to do with each other


def judged(
    table: pl.DataFrame, changes: Sequence[str], target: float, within: float
) -> tuple[list[str], dict[str, Any]]:
    """Whether the balance, and what a change does to it, is the same at every level."""
    rows = {row["level"]: row for row in _summary(table).to_dicts()}
    states = {level: state(row, target, within) for level, row in rows.items()}
    told = [_balance(rows, states, target, within)]
    facts: dict[str, Any] = {
        "states": states,
        "holds": _agree(states) == HOLDS,
        "target": target,
        "within": within,
    }
    if changes:
        effects = {level: effect(row) for level, row in rows.items()}
        told.append(_effects(rows, effects, changes))
        facts |= {"effects": effects, "finding_holds": _agree(effects) == HOLDS}
    strongest = _strongest(table)
    if strongest:
        told.append(strongest)
    return told, facts


def _summary(table: pl.DataFrame) -> pl.DataFrame:
    """The row of each level that stands for all cards."""
    whole = table.filter(pl.col("alien_card") == ALL)
    return whole if len(whole) else table


def state(row: Mapping[str, Any], target: float, within: float) -> str:
    """Balanced, too strong, too weak; or the interval does not say."""
    if row["rate"] is None:
        return UNCLEAR
    if row["low"] > target + within:
        return STATES[1]
    if row["high"] < target - within:
        return STATES[-1]
    return STATES[0] if target - within <= row["low"] and row["high"] <= target + within else UNCLEAR


def effect(row: Mapping[str, Any]) -> str:
    """Whether a change makes the alien win more or less often, or not a block came out differently; or unknown."""
    if row["difference"] is not None and row["difference_low"] == row["difference_high"] == 0:
        return NOTHING
    if row["difference"] is None or row["difference_low"] <= 0 <= row["difference_high"]:
        return UNCLEAR
    return "more often" if row["difference"] > 0 else "less often"


def _agree(states: Mapping[str, str]) -> str:
    """Whether all levels are the same; not contradicting each other is less."""
    clear = set(states.values()) - {UNCLEAR}
    if len(clear) > 1:
        return DIFFERS
    return HOLDS if UNCLEAR not in states.values() else OPEN


def _balance(
    rows: Mapping[str, Mapping[str, Any]], states: Mapping[str, str], target: float, within: float
) -> str:
    parts = [f"{level} {_rate(row)}: {states[level]}" for level, row in rows.items()]
    goal = f"(aim: {target * 100:g} ± {within * 100:g} %)"
    head = {
        HOLDS: f"At every level of play the alien is {next(iter(states.values()))} {goal}",
        DIFFERS: f"Whether the alien is balanced {goal} depends on how well people play",
        OPEN: f"Whether the alien is balanced {goal} is not certain at every level of play",
    }
    return f"{head[_agree(states)]}: {'; '.join(parts)}."


def _rate(row: Mapping[str, Any]) -> str:
    if row["rate"] is None:
        return "too few games"
    return f"{row['rate'] * 100:.1f} % (95 %: {row['low'] * 100:.1f} to {row['high'] * 100:.1f}, n = {row['n']:,})"


def _effects(
    rows: Mapping[str, Mapping[str, Any]], effects: Mapping[str, str], changes: Sequence[str]
) -> str:
    parts = "; ".join(f"{level} {_step(row)}" for level, row in rows.items())
    head = {
        HOLDS: f"the alien wins {next(iter(effects.values()))} at every level",
        DIFFERS: "not the same at every level",
        OPEN: "not certain at every level",
    }
    return f"{', '.join(changes)}: {head[_agree(effects)]}: {parts}."


def _step(row: Mapping[str, Any]) -> str:
    if row["difference"] is None:
        return "too few games"
    ends = f"{signed(row['difference_low'])} to {signed(row['difference_high'])}"
    return f"{signed(row['difference'])} points (95 %: {ends})"


def _strongest(table: pl.DataFrame) -> str:
    """Which card is the alien's best at each level, where there are several."""
    cards = table.filter((pl.col("alien_card") != ALL) & pl.col("rate").is_not_null())
    if cards["alien_card"].n_unique() < 2:
        return ""
    best = {str(level): _best_card(part) for (level,), part in cards.group_by("level", maintain_order=True)}
    if len(set(best.values())) == 1 and "" not in best.values():
        return f"The alien card that wins most often is the same at every level: {next(iter(best.values()))}."
    listed = ", ".join(f"{card or 'none clearly'} ({level})" for level, card in best.items())
    return f"The alien card that wins most often: {listed}."


def _best_card(cards: pl.DataFrame) -> str:
    """The card that wins most often, if its interval lies above that of the next one."""
    first, second = cards.sort("rate", descending=True).head(2).to_dicts()
    return str(first["alien_card"]) if first["low"] > second["high"] else ""
