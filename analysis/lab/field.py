"""A field of many players: what a strategy gets if all others at its table are drawn from a mixture.

Matchups of one against many of a kind say nothing of tables where three kinds meet. Here every table that a mixture
can make is measured, each with one seat for whoever tries his luck against it. What a strategy gets against *any*
mixture of the same strategies follows by arithmetic: tables weighted with how often the mixture makes them.

Payoffs are `excess`: points times the number of players, less 1, which is the fair share. At every table the seats'
excess adds up to nothing, and a table of one kind has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np

from analysis.blocks import Contrast, Estimates
from analysis.lab.equilibrium import Numbers

Profile = tuple[int, ...]  # the strategies of a table by number, in order

STEP = 1.0  # of the replicator, times what a strategy gets more than the others
STEPS = 1_500
LEAST_SHARE = 0.02  # what is rarer is no part of a field


def others(support: Sequence[int], players: int) -> list[Profile]:
    """Whom a seat may meet in a field of these strategies."""
    return list(combinations_with_replacement(sorted(support), players - 1))


def with_seat(strategy: int, company: Profile) -> Profile:
    """The table of a strategy and its company."""
    return tuple(sorted((strategy, *company)))


def tables(support: Sequence[int], everybody: Sequence[int], players: int) -> list[Profile]:
    """The tables that tell what everybody gets in a field of these strategies; those of one kind need no playing.

    Example
    -------
    >>> tables([0], [0, 1, 2], players=3), len(tables([0, 1], [0, 1, 2], players=4))
    ([(0, 0, 1), (0, 0, 2)], 7)
    """
    found = {with_seat(one, company) for one in everybody for company in others(support, players)}
    return sorted(table for table in found if len(set(table)) > 1)


def chances(companies: Sequence[Profile], shares: Numbers) -> Numbers:
    """How often a mixture makes each company; `shares` of all strategies, one mixture a row.

    Example
    -------
    >>> chances([(0, 0), (0, 1), (1, 1)], np.array([0.5, 0.5])).tolist()
    [0.25, 0.5, 0.25]
    """
    count = np.array([[company.count(k) for k in range(shares.shape[-1])] for company in companies])
    ways = [
        factorial(len(one)) / prod(factorial(n) for n in row)
        for one, row in zip(companies, count, strict=True)
    ]
    return np.asarray(np.array(ways) * np.prod(shares[..., None, :] ** count, axis=-1), float)


@dataclass(frozen=True)
class Measured:
    """What was measured: for each table and strategy at it, the excess; and how the figures vary together."""

    seats: Sequence[tuple[Profile, int]]  # one for each group of the estimates
    excess: Estimates
    players: int
    strategies: int

    def weights(self, strategy: int, shares: Numbers) -> Numbers:
        """How much each figure counts for what a strategy gets against a mixture."""
        support = np.flatnonzero(shares).tolist()
        companies = others(support, self.players)
        place = {seat: k for k, seat in enumerate(self.seats)}
        found = np.zeros(len(self.seats))
        for company, chance in zip(companies, chances(companies, shares), strict=True):
            table = with_seat(strategy, company)
            if len(set(table)) > 1:
                found[place[table, strategy]] += chance
        return found

    def gain(self, strategy: int, shares: Numbers) -> Contrast:
        """How much more than the fair share a strategy gets against a mixture."""
        return self.excess.contrast(self.weights(strategy, shares))

    def payoffs(self, companies: Sequence[Profile], values: Numbers) -> Numbers:
        """What each strategy gets in each company if the estimates were `values`; a row of them, an answer."""
        place = {seat: k for k, seat in enumerate(self.seats)}
        found = np.zeros((*values.shape[:-1], self.strategies, len(companies)))
        for one in range(self.strategies):
            for k, company in enumerate(companies):
                table = with_seat(one, company)
                if len(set(table)) > 1:
                    found[..., one, k] = values[..., place[table, one]]
        return found


def settle(payoffs: Numbers, companies: Sequence[Profile], start: Numbers) -> Numbers:
    """The mixture of the strategies in `start` that can be exploited least, by replicator steps from there.

    Parameters
    ----------
    payoffs
        What each strategy gets in each company: draws x strategies x companies.
    start
        Shares of all strategies; who has none does not get any, but counts as one who may exploit the others.

    Returns
    -------
    Shares for each draw: of all steps, and the averages of the steps till then, those with the least to gain from
    leaving them. In games that go round in circles it is the averages that come to rest.
    """
    now = np.tile(start, (len(payoffs), 1))
    total, best = np.zeros_like(now), now.copy()
    least = np.full(len(payoffs), np.inf)
    for step in range(1, STEPS + 1):
        gets = against(payoffs, companies, now)
        total += now
        for tried, got in ((now, gets), (total / step, None)) if step % 10 == 0 else ((now, gets),):
            least, best = _better(payoffs, companies, tried, got, least, best)
        now = now * np.exp(STEP * (gets - gets.max(axis=1, keepdims=True)))
        now /= now.sum(axis=1, keepdims=True)
    return best


def against(payoffs: Numbers, companies: Sequence[Profile], shares: Numbers) -> Numbers:
    """What each strategy gets against each draw's mixture."""
    return np.asarray(np.einsum("dsc,dc->ds", payoffs, chances(companies, shares)), float)


def _better(
    payoffs: Numbers, companies: Sequence[Profile], tried: Numbers, gets: Any, least: Numbers, best: Numbers
) -> tuple[Numbers, Numbers]:
    """The less exploitable of two mixtures, draw by draw, and how far it can be exploited."""
    gets = against(payoffs, companies, tried) if gets is None else gets
    gain = gets.max(axis=1) - (tried * gets).sum(axis=1)
    better = gain < least - 1e-12
    return np.where(better, gain, least), np.where(better[:, None], tried, best)


def without_dust(shares: Numbers, least: float = LEAST_SHARE) -> Numbers:
    """A mixture without what is too rare to matter."""
    kept = np.where(shares < least, 0.0, shares)
    return np.asarray(kept / kept.sum(), float)
