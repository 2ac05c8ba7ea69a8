"""What a search found, as the tables, sentences and facts of a result."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, sqrt
from typing import Any

import polars as pl

from analysis.blocks import contrast_row
from analysis.comparisons import with_holm
from analysis.lab.candidates import BASE, Reading
from analysis.lab.search import ALL_ROWS, CHECKS, TOGETHER, Outcome, Search, unbeaten
from analysis.lab.stages import Result
from analysis.lab.targets import SEATS, STATUS_WORDS, Target, unit

TARGETS: dict[str, Any] = {
    "target": pl.String, "what": pl.String, "wanted": pl.String, "is_rate": pl.Boolean,
    "before": pl.Float64, "before_low": pl.Float64, "before_high": pl.Float64,
    "after": pl.Float64, "after_low": pl.Float64, "after_high": pl.Float64, "verdict": pl.String,
    "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "in_search": pl.Float64,
    "n": pl.Int64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip

NO_CHANGE: dict[str, Any] = {"difference": None, "note": "nothing was changed"}


def told(found: Outcome, search: Search, words: Mapping[str, Any], facts: Mapping[str, Any]) -> Result:
    """The result of a search."""
    a_row = int(facts["games_each"]) // ALL_ROWS
    tables = {
        "front": front_table(found, a_row),
        "targets": targets_table(found, a_row),
        "played": played_table(search, a_row),
    }
    more = {
        "met": found.met,
        "chosen": None if found.chosen is None else found.chosen.texts,
        "nearest": found.nearest.texts,
        "targets": [_target(target) for target in search.targets],
        "checks": [{"changes": candidate.label, "held": held} for candidate, held in found.checks],
        "knobs": {knob.name: [choice.text for choice in knob.choices] for knob in search.knobs},
        "played": found.played,
    }
    title = " and ".join(target.text for target in search.targets)
    return Result(
        "tune",
        f"Make it fair: {title}",
        words,
        {**facts, **more},
        tables,
        verdict(found, search),
        warnings(found),
    )


def _target(target: Target) -> dict[str, Any]:
    """A target as JSON has it; an open end is None."""
    ends = [None if abs(end) == inf else end for end in (target.low, target.high)]
    measure = target.measure
    return {
        "name": measure.name, "text": measure.text or measure.name, "is_rate": measure.is_rate,
        "in_points": measure.name == SEATS, "low": ends[0],
        "high": ends[1], "band": target.band, "wanted": target.text,
    }  # fmt: skip


# --- tables ----------------------------------------------------------------------------------------------
def front_table(found: Outcome, a_row: int) -> pl.DataFrame:
    """A row for each candidate that was played in the end, from small changes to large ones.

    Columns: changes; count of them; size: how far from the table as it was; miss, with low and high: how far from the
    targets; front: nothing smaller comes nearer; chosen; verdict; for each target NAME, NAME_low, NAME_high and
    NAME_verdict; n games (`a_row` for each row of sums), blocks (rows of sums), method.
    """
    final = found.final
    front = {candidate for candidate, _ in unbeaten(final.candidates, list(final.misses))}
    rows = []
    for arm, candidate in enumerate(final.candidates):
        low, high = miss_interval(final, arm)
        rows.append(
            {
                "changes": candidate.label, "count": candidate.count, "size": candidate.size,
                "miss": float(final.misses[arm]), "miss_low": low, "miss_high": high, "front": candidate in front,
                "chosen": candidate == found.nearest, "verdict": _overall(final, arm), **_figures(final, arm),
                "n": a_row * int(final.rows[arm]), "blocks": int(final.rows[arm]), "method": _methods(final, arm),
            }
        )  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def miss_interval(found: Reading, arm: int) -> tuple[float, float]:
    """How far a candidate may be from its targets, by the intervals of all of them."""
    least, most = [], []
    for number, target in enumerate(found.targets):
        low, high = found.interval(arm, number)
        ends = [target.miss(low), target.miss(high)]
        inside = low <= target.high and high >= target.low
        least.append(0.0 if inside else min(ends))
        most.append(max(ends))
    return sqrt(sum(x * x for x in least)), sqrt(sum(x * x for x in most))


def _overall(found: Reading, arm: int) -> str:
    """The worst verdict over all targets."""
    all_of_them = [found.status(arm, number) for number in range(len(found.targets))]
    return STATUS_WORDS[max(all_of_them, key=list(STATUS_WORDS).index)]


def _figures(found: Reading, arm: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for number, target in enumerate(found.targets):
        name, (low, high) = target.measure.name, found.interval(arm, number)
        figures |= {
            name: float(found.measured[number].value[arm]), f"{name}_low": low, f"{name}_high": high,
            f"{name}_verdict": STATUS_WORDS[found.status(arm, number)],
        }  # fmt: skip
    return figures


def _methods(found: Reading, arm: int) -> str:
    return ", ".join(dict.fromkeys(one.method(arm) for one in found.measured))


def targets_table(found: Outcome, a_row: int) -> pl.DataFrame:
    """A row for each target: before and after, the difference paired by block, and what the search had thought."""
    final, rows = found.final, []
    after, before = (final.candidates.index(candidate) for candidate in (found.nearest, BASE))
    for number, target in enumerate(final.targets):
        measured = final.measured[number]
        ends = [*final.interval(before, number), *final.interval(after, number)]
        row = contrast_row(measured.difference(after, before)) if after != before else NO_CHANGE
        rows.append(
            {
                "target": target.measure.name, "what": target.measure.text or target.measure.name,
                "wanted": target.band, "is_rate": target.measure.is_rate,
                "before": float(measured.value[before]), "before_low": ends[0], "before_high": ends[1],
                "after": float(measured.value[after]), "after_low": ends[2], "after_high": ends[3],
                "verdict": STATUS_WORDS[final.status(after, number)],
                "in_search": float(found.search.measured[number].value[after]),
                "n": a_row * int(final.rows[after]), **row,
            }
        )  # fmt: skip
    return with_holm(pl.DataFrame(rows, TARGETS))


def played_table(search: Search, a_row: int) -> pl.DataFrame:
    """A row for each candidate of the search, with the games it got there. These figures made the choice.

    Columns: changes, count, size, miss, share of all games it was given; each target's figure, low, high and verdict.
    """
    candidates = sorted(search.archive.sums, key=lambda candidate: candidate.order)
    rows = []
    for start in range(0, len(candidates), TOGETHER):
        found = search.archive.read(candidates[start : start + TOGETHER])
        for arm, candidate in enumerate(found.candidates):
            rows.append(
                {
                    "changes": candidate.label, "count": candidate.count, "size": candidate.size,
                    "miss": float(found.misses[arm]), **_figures(found, arm), "n": a_row * int(found.rows[arm]),
                    "blocks": int(found.rows[arm]), "method": _methods(found, arm),
                }
            )  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


# --- words -----------------------------------------------------------------------------------------------
def verdict(found: Outcome, search: Search) -> list[str]:
    """Whether the targets are met, with what, and how near it comes otherwise."""
    arm = found.final.candidates.index(found.nearest)
    figures = "; ".join(_told(found.final, arm, number) for number in range(len(search.targets)))
    values = sum(len(knob.choices) for knob in search.knobs)
    tried = f"{values} values of {len(search.knobs)} {'thing' if len(search.knobs) == 1 else 'things'}"
    if found.chosen == BASE:
        return [f"Nothing has to be changed: {figures}."]
    if found.met:
        return [f"{_many(found.nearest.count)} enough: {found.nearest.label}. Then {figures}."]
    what = found.nearest.label
    if found.chosen is not None:
        return [
            f"Not confirmed: {what} met the targets twice, but not in the games of the report: {figures}."
        ]
    most = "single change" if search.most_changes == 1 else f"set of up to {search.most_changes} changes"
    where = what if found.nearest == BASE else f"with {what}"
    return [f"Out of reach: no {most} among {tried} meets the targets. It comes nearest {where}: {figures}."]


def _many(count: int) -> str:
    return "One change is" if count == 1 else f"{count} changes are"


def _told(found: Reading, arm: int, number: int) -> str:
    """'alien wins 49.8 % (95 %: 49.1 to 50.5), wanted 48 % to 52 %: met, with its whole interval'."""
    target, (low, high) = found.targets[number], found.interval(arm, number)
    value, name = float(found.measured[number].value[arm]), target.measure.text or target.measure.name
    figure = (
        f"{value * 100:.1f} {unit(target.measure)} (95 %: {low * 100:.1f} to {high * 100:.1f})"
        if target.measure.is_rate
        else f"{value:.2f} (95 %: {low:.2f} to {high:.2f})"
    )
    return f"{name} {figure}, wanted {target.band}: {STATUS_WORDS[found.status(arm, number)]}"


def warnings(found: Outcome) -> list[str]:
    """What a reader must know first."""
    failed = [candidate.label for candidate, held in found.checks if not held]
    lines = []
    if failed:
        lines.append(f"Met the targets in the search, but not on fresh luck: {'; '.join(failed)}.")
    if found.chosen is None and len(failed) == CHECKS:
        lines.append(
            f"The search ended after {CHECKS} such checks: play more games, or allow a larger tolerance."
        )
    return lines
