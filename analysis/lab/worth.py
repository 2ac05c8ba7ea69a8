"""What training is worth: the untrained and the trained strategy on the same luck, which the search never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.blocks import FEW, Contrast, contrast_row
from analysis.comparisons import with_holm
from analysis.lab.climb import Budget, Player, Trained
from analysis.lab.evolve import Search
from analysis.lab.sums import Sums
from analysis.lab.trainee import ALIEN, AS, BOTH, FOR, HUMAN, Trainee, strangers
from analysis.lab.wording import interval_text, value_text

FIELD, STRANGERS = "its field", "strangers"
WORTH_COLUMNS: dict[str, Any] = {
    "trained_for": pl.String, "against": pl.String, "who": pl.String, "role": pl.String, "before": pl.Float64,
    "before_low": pl.Float64, "before_high": pl.Float64, "after": pl.Float64, "after_low": pl.Float64,
    "after_high": pl.Float64, "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64,
    "n": pl.Int64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """What came of training, and what it is worth."""

    trained: Trained
    worth: pl.DataFrame

    @property
    def told(self) -> list[str]:
        """In words."""
        return _verdicts(self.trained, self.worth)


def check_worth(play: Player, made: Trained, budget: Budget) -> Checked:
    """The untrained and the trained one on the same fresh luck, against the field and against strangers."""
    which = made.trainee
    tables = [(FIELD, which.field, which.words)]
    others = strangers(which)
    if others is not None:
        tables.append((STRANGERS, others[1], others[0]))
    rows = []
    for against, who, words in tables:
        name = f"{which.role}-check-{'field' if against == FIELD else 'strangers'}"
        sums = play.points(name, which, [made.search.start, made.point], budget.check, words)
        rows += [_worth(sums, which, role, against, who) for role in (ALIEN, HUMAN, BOTH)]
    return Checked(made, with_holm(pl.DataFrame(rows, WORTH_COLUMNS)))


def _worth(sums: Sums, which: Trainee, role: str, against: str, who: Sequence[str]) -> dict[str, Any]:
    """Before and after in one role, and the difference paired by block."""
    found = sums.estimate(which.metric(role))
    ends = [found.interval(arm) for arm in (0, 1)]
    few = int(found.blocks.min()) < FEW
    values: dict[str, Any] = {
        "before": float(found.value[0]), "before_low": ends[0][0], "before_high": ends[0][1],
        "after": float(found.value[1]), "after_low": ends[1][0], "after_high": ends[1][1],
    }  # fmt: skip
    return {
        "trained_for": which.role, "against": against, "who": ", ".join(dict.fromkeys(who)), "role": role,
        **(dict.fromkeys(values) if few else values), "n": int(found.n[1]),
        **contrast_row(found.difference(1, 0)),
    }  # fmt: skip


def _verdicts(made: Trained, worth: pl.DataFrame) -> list[str]:
    """What training was worth: in its role, in the other, and against strangers."""
    which = made.trainee
    if not made.improved:
        return [f"Trained {FOR[which.role]}: nothing better than {which.given.name} as it is was found."]
    own = [which.role, *(role for role in (ALIEN, HUMAN) if role != which.role)]
    rows = sorted(worth.to_dicts(), key=lambda row: (row["against"] != FIELD, row["role"] != which.role))
    return [_worth_words(row, which) for row in rows if row["role"] in own]


def _worth_words(row: Mapping[str, Any], which: Trainee) -> str:
    """'As the alien against gambler, climber, cautious trained as the alien wins 69.0 % instead of 65.9 %: …'"""
    against = f"{row['who']} (not trained against)" if row["against"] == STRANGERS else row["who"]
    head = f"{AS[row['role']].capitalize()} against {against}, {which.given.name} trained {FOR[which.role]} "
    if row["difference"] is None:
        return f"{head}played too few games to say anything."
    metric, contrast = which.metric(row["role"]), _contrast(row)
    step = interval_text(contrast, metric).removesuffix(")")
    clear = "" if contrast.clear else ", not clearly different"
    was = f"{value_text(row['after'], metric)} instead of {value_text(row['before'], metric)}"
    return f"{head}wins {was}{clear}: {step}; n = {row['n']:,} seats on the same luck)."


def _contrast(row: Mapping[str, Any]) -> Contrast:
    """A row's difference, for words, which do not need its standard error."""
    return Contrast(row["difference"], row["low"], row["high"], row["p"], 0.0, row["blocks"])


def ended(search: Search) -> str:
    n = len(search.generations)
    if search.ended == "no progress":
        return f"The search ended after {n} generations, the last of which brought no further progress."
    return f"The search ended with its {n} generations; more may find more."
