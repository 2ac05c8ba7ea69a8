"""Luck and skill, taken apart: the inputs of a game, the arms they make, and what one outcome owes to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW, Contrast
from analysis.lab.pickfreeze import BY_BLOCKS, Decomposition, Factorial, Share, decompose
from analysis.lab.sums import Sums

STRATEGIES, ROLES, CARDS = "strategies", "roles", "cards"


@dataclass(frozen=True)
class Input:
    """Something that is drawn for every game, apart from everything else. `reroll` is its word in changes."""

    reroll: str
    name: str
    group: str
    text: str


INPUTS = (
    Input("line-up", "strategies", STRATEGIES, "which strategy sits where"),
    Input("roles", "roles and endgame cards", ROLES, "who is the alien, and every seat's endgame card"),
    Input("president", "first president", ROLES, "who begins"),
    Input("research", "research cards", CARDS, "the research cards dealt"),
    Input("projects", "projects", CARDS, "the order of the projects"),
    Input("events", "events", CARDS, "the order of the events"),
    Input("attack", "attack cards", CARDS, "the attack cards of the invasion"),
    Input("strategies", "dice of strategies", CARDS, "the luck that strategies use to decide"),
)


@dataclass(frozen=True)
class Outcome:
    """What is split. Of several columns the variances are added up."""

    id: str
    text: str
    columns: tuple[str, ...]


def groups_of(inputs: list[Input]) -> list[str]:
    """The groups of these inputs, each once."""
    return list(dict.fromkeys(one.group for one in inputs))


def mix(mask: int) -> str:
    return f"groups {mask}"


def outcomes(players: int) -> tuple[Outcome, ...]:
    """What is split."""
    return (
        Outcome("winner", "who wins", tuple(f"won_{seat}" for seat in range(1, players + 1))),
        Outcome("alien", "the alien wins", ("alien",)),
        Outcome("margin", "defence − attack", ("margin",)),
        Outcome("rounds", "rounds", ("rounds",)),
    )


class Split:
    """One outcome, taken apart."""

    def __init__(self, sums: Sums, outcome: Outcome, inputs: list[Input]) -> None:
        self.outcome, self.inputs, self.groups = outcome, inputs, groups_of(inputs)
        self._sums, self._columns = sums, np.stack(sums.columns(outcome.columns), axis=1)
        arms = [self.arm(mix(mask)) for mask in range(1 << len(self.groups))]
        self.mixes = Factorial(self.groups, arms)
        mixed = {one.name: self.arm(self._arm_of(one)) for one in inputs}
        self.single: Decomposition = decompose(arms[0], arms[-1], mixed)

    def arm(self, label: str) -> Any:
        """The outcome of each block in an arm: a row for each block, a column for each column."""
        return self._columns[:, :, self._sums.labels.index(label)]

    def _arm_of(self, one: Input) -> str:
        """Where only this input is drawn anew; the only input of its group has no arm of its own."""
        return one.name if one.name in self._sums.labels else mix(1 << self.groups.index(one.group))

    # --- its tables ---
    def parts(self) -> Iterator[dict[str, Any]]:
        """The parts of all sets of groups: they add up to 1."""
        for mask in range(1, 1 << len(self.groups)):
            name = self.mixes.name(mask)
            yield self._row(part=name, together=mask.bit_count(), **self._figures(self.mixes.part(mask)))

    def shares(self) -> Iterator[dict[str, Any]]:
        """Of each group: alone, with others, and its even share of everything."""
        for k, group in enumerate(self.groups):
            alone, rest = self.mixes.part(1 << k), self.mixes.closed(self.mixes.everything ^ (1 << k))
            share = self.mixes.share(group)
            total = Contrast(1 - rest.value, 1 - rest.high, 1 - rest.low, rest.p, rest.error, rest.blocks)
            figures = {
                **self._figures(alone, "alone"), **self._figures(total, "total"), **self._figures(share, "share"),
            }  # fmt: skip
            yield self._row(group=group, **figures)

    def singles(self) -> Iterator[dict[str, Any]]:
        """Of each single input: alone, in all, and how often the outcome changes with it."""
        texts = {one.name: one.text for one in self.inputs}
        for row in self.single.table().iter_rows(named=True):
            yield {"outcome": self.outcome.id, "what": self.outcome.text, "text": texts[row["input"]], **row}

    def pairs(self) -> pl.DataFrame:
        """Of each two inputs: the share that hangs on both."""
        table = self.single.pairs(tuple(one.name for one in self.inputs))
        outcome = pl.lit(self.outcome.id).alias("outcome")
        return table.select(outcome, pl.all()).sort("share", "one", "other", descending=True, nulls_last=True)

    def _row(self, **more: Any) -> dict[str, Any]:
        few = self.mixes.blocks < FEW
        end = {"n": self.mixes.blocks, "method": BY_BLOCKS, "note": TOO_FEW if few else ""}
        return {"outcome": self.outcome.id, "what": self.outcome.text, **more, **end}

    def _figures(self, contrast: Contrast, name: str = "share") -> dict[str, float | None]:
        if self.mixes.blocks < FEW:
            return {name: None, f"{name}_low": None, f"{name}_high": None}
        share = within(contrast)
        return {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}


def within(contrast: Contrast) -> Share:
    """A share with its interval, as far as it lies between 0 and 1."""
    value, low, high = (min(1.0, max(0.0, x)) for x in (contrast.value, contrast.low, contrast.high))
    return Share(value, low, high)


def skill(split: Split) -> Share | None:
    """What the strategies decide once the roles are known: with nothing else said, before the first card."""
    if STRATEGIES not in split.groups:
        return None
    here, roles = (1 << split.groups.index(name) for name in (STRATEGIES, ROLES))
    return within(split.mixes.weighted({here | roles: 1.0, roles: -1.0}))
