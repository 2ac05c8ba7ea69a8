"""Solving small games that are given as matrices of payoffs: what holds itself up, what is beaten by what.

A *symmetric game* is a square matrix: `payoffs[s, t]` is what one player of strategy s gets among players of t. A
*zero-sum game* is any matrix: what the row's player gets from the column's. Nothing here knows the game, or draws
luck of its own: `redrawn` draws from the seed it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

Numbers = np.ndarray[Any, np.dtype[np.float64]]

NOTHING = 1e-9  # of a payoff or a share: rounding
MOST_SUPPORTS = 5_000  # looked at; with more strategies only the smaller supports
LONG_PLAY = 20_000  # rounds of fictitious play, where no support holds an equilibrium
POPULATION = 50
RARELY = 1e-6  # how often, against something better, something worse takes over all the same
SMALLEST = 1e-150  # rate: so that everybody can be reached from everywhere


# --- Nash ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ZeroSum:
    """How both sides of a zero-sum game play best, and what the row's player gets then."""

    rows: Numbers
    columns: Numbers
    value: float


@dataclass(frozen=True)
class Equilibrium:
    """A mixture that is a best answer to itself."""

    shares: Numbers
    payoff: float
    stable: bool  # no rare mutant gains ground, whatever it mixes
    exact: bool = True  # found by its support; else the average of long fictitious play


def zero_sum(payoffs: Numbers) -> ZeroSum:
    """Nash equilibrium of a zero-sum game by linear programming: each side's surest mixture, or one of several.

    Example
    -------
    >>> found = zero_sum(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    >>> found.rows.round(3).tolist(), found.columns.round(3).tolist(), abs(round(found.value, 3))
    ([0.5, 0.5], [0.5, 0.5], 0.0)
    """
    row, column = int(payoffs.min(axis=1).argmax()), int(payoffs.max(axis=0).argmin())
    if payoffs[row].min() == payoffs[:, column].max():  # a saddle: no programming needed
        return ZeroSum(
            np.eye(len(payoffs))[row], np.eye(payoffs.shape[1])[column], float(payoffs[row, column])
        )
    return _surest(payoffs)


def _surest(payoffs: Numbers) -> ZeroSum:
    """The mixture of rows whose worst column is best; the prices of the columns are how the other side mixes."""
    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
        method="highs",
    )
    return ZeroSum(_tidy(found.x[:-1]), _tidy(-found.ineqlin.marginals), float(found.x[-1]))


def _tidy(shares: Numbers) -> Numbers:
    """Shares without dust, adding up to 1."""
    shares = np.where(shares < NOTHING, 0.0, shares)
    return np.asarray(shares / shares.sum(), float)


def symmetric_equilibria(payoffs: Numbers) -> list[Equilibrium]:
    """All equilibria in which everybody mixes alike: every support is tried. Ties between strategies leave the ends.

    Example
    -------
    >>> [one.shares.tolist() for one in symmetric_equilibria(np.array([[2.0, 0.0], [0.0, 1.0]]))]
    [[1.0, 0.0], [0.0, 1.0], [0.3333333333333333, 0.6666666666666666]]
    """
    return equilibria_of_draws(payoffs[None])[0]


def equilibria_of_draws(draws: Numbers) -> list[list[Equilibrium]]:
    """The same for many matrices at once; one without any gets the average of long fictitious play."""
    found: list[list[Equilibrium]] = [[] for _ in draws]
    for support in _supports(_hopeful(draws)):
        for draw, shares in _on_support(draws, support):
            found[draw].append(_equilibrium(draws[draw], shares))
    return [
        some or [_equilibrium(payoffs, fictitious_play(payoffs), exact=False)]
        for some, payoffs in zip(found, draws, strict=True)
    ]


def _hopeful(draws: Numbers) -> list[int]:
    """The strategies that are left when those go, round by round, that in each draw some other one dominates."""
    left: list[int] = list(range(draws.shape[1]))
    while True:
        part = draws[:, left][:, :, left]
        better = [np.all(part > part[:, [k]], axis=2) for k in range(len(left))]  # each: draws x strategies
        beaten = np.any(better, axis=2).all(axis=1)
        if not beaten.any():
            return left
        left = [place for place, gone in zip(left, beaten, strict=True) if not gone]


def _supports(strategies: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Sets of strategies, smallest first, as long as there are not too many of them."""
    looked_at = 0
    for size in range(1, len(strategies) + 1):
        looked_at += comb(len(strategies), size)
        if looked_at > MOST_SUPPORTS and size > 2:
            return
        yield from combinations(strategies, size)


def _on_support(draws: Numbers, support: tuple[int, ...]) -> Iterator[tuple[int, Numbers]]:
    """The equilibria with just this support: its strategies get the same, and no other gets more."""
    size, members = len(support), list(support)
    system = np.zeros((len(draws), size + 1, size + 1))
    system[:, :size, :size] = draws[:, members][:, :, members]
    system[:, :size, size], system[:, size, :size] = -1.0, 1.0
    right = np.zeros((len(draws), size + 1, 1))
    right[:, size] = 1.0
    solved, regular = _solved(system, right)
    mine, value = solved[:, :size, 0], solved[:, size, 0]
    others = np.einsum("dst,dt->ds", draws[:, :, members], mine) - value[:, None]
    slack = NOTHING * np.maximum(1.0, np.abs(draws).max(axis=(1, 2)))
    good = regular & (mine > NOTHING).all(axis=1) & (others.max(axis=1) <= slack)
    for draw in np.flatnonzero(good):
        shares = np.zeros(draws.shape[1])
        shares[members] = mine[draw]
        yield int(draw), shares


def _solved(system: Numbers, right: Numbers) -> tuple[Numbers, Any]:
    """Linear systems, many at once, and which of them have one solution."""
    regular = np.abs(np.linalg.det(system)) > NOTHING**1.5
    system = np.where(regular[:, None, None], system, np.eye(system.shape[1]))
    return np.asarray(np.linalg.solve(system, right), float), regular


def _equilibrium(payoffs: Numbers, shares: Numbers, exact: bool = True) -> Equilibrium:
    return Equilibrium(shares, float(shares @ payoffs @ shares), is_stable(payoffs, shares), exact)


def is_stable(payoffs: Numbers, shares: Numbers) -> bool:
    """Whether no rare mutant, pure or mixed, gains ground against an equilibrium; to stand still is allowed.

    Looks at all directions among the best answers (a little stricter than it must be for those nobody plays).
    """
    gets = payoffs @ shares
    best = np.flatnonzero(gets >= gets.max() - NOTHING * max(1.0, float(np.abs(payoffs).max())))
    if len(best) < 2:
        return True
    steps = np.vstack([np.ones((1, len(best) - 1)) * -1, np.eye(len(best) - 1)])
    inner = payoffs[np.ix_(best, best)]
    spread = steps.T @ (inner + inner.T) @ steps
    return bool(np.linalg.eigvalsh(spread).max() <= NOTHING * max(1.0, float(np.abs(spread).max())))


def chosen(equilibria: Sequence[Equilibrium], payoffs: Numbers) -> Equilibrium:
    """The one that we go on with: stable before unstable, then the most even, then the best against all alike.

    The last decides between pure ones: what does better in a field of everything is where more roads end.
    """
    usual = payoffs.mean(axis=1)

    def rank(one: Equilibrium) -> tuple[Any, ...]:
        return not one.stable, -round(evenness(one.shares), 9), -round(float(one.shares @ usual), 9)

    return min(equilibria, key=rank)


def evenness(shares: Numbers) -> float:
    """Entropy: 0 for one strategy alone, the logarithm of their number if all are played alike."""
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def fictitious_play(payoffs: Numbers, rounds: int = LONG_PLAY) -> Numbers:
    """Shares of best answers to everything played so far: near an equilibrium if it settles at all."""
    count = np.ones(len(payoffs))
    gets = payoffs @ count
    for _ in range(rounds):
        best = int(np.argmax(gets))
        count[best] += 1
        gets = gets + payoffs[:, best]
    return np.asarray(count / count.sum(), float)


# --- what beats what -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Dominated:
    """A strategy that another one, or a mixture, beats against everybody."""

    strategy: int
    by: Numbers  # shares of all strategies
    margin: float  # by how much at least
    round: int = 1  # 1: at once; 2: after those of round 1 are gone, and so on


def dominated(payoffs: Numbers) -> list[Dominated]:
    """Rows that do worse than another, or a mixture of others, against every column.

    Example
    -------
    >>> [(one.strategy, one.by.tolist()) for one in dominated(np.array([[3.0, 0.0], [5.0, 1.0]]))]
    [(0, [0.0, 1.0])]
    """
    return [one for row in range(len(payoffs)) if (one := _dominated(payoffs, row)) is not None]


def _dominated(payoffs: Numbers, row: int) -> Dominated | None:
    """What dominates a row by most; a single one goes before a mixture, unless that does so by twice as much."""
    others = np.delete(np.arange(len(payoffs)), row)
    if not len(others):
        return None
    over = payoffs[others] - payoffs[row]
    surest = _surest(over)
    shares, margin = surest.rows, surest.value
    if margin <= NOTHING:
        return None
    alone = over.min(axis=1)
    best = int(np.argmax(alone))
    if alone[best] >= margin / 2:
        shares, margin = np.eye(len(others))[best], float(alone[best])
    by = np.zeros(len(payoffs))
    by[others] = shares
    return Dominated(row, by, margin)


def eliminated(payoffs: Numbers) -> list[Dominated]:
    """Strategies that go, round by round: first the dominated, then those that are dominated without them."""
    left, gone, number = list(range(len(payoffs))), [], 0
    while found := dominated(payoffs[np.ix_(left, left)]):
        number += 1
        for one in found:
            by = np.zeros(len(payoffs))
            by[left] = one.by
            gone.append(Dominated(left[one.strategy], by, one.margin, number))
        left = [place for k, place in enumerate(left) if k not in {one.strategy for one in found}]
    return gone


def best_responses(payoffs: Numbers) -> list[int]:
    """The best row against each column; the first of equals."""
    return [int(row) for row in np.argmax(payoffs, axis=0)]


def best_response_cycles(payoffs: Numbers) -> list[tuple[int, ...]]:
    """Where everybody ends who goes from each strategy to the best answer to it, each cycle from its least on.

    A cycle of one is its own best answer: an equilibrium.

    Example
    -------
    >>> best_response_cycles(np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]))
    [(0, 1, 2)]
    """
    best, found = best_responses(payoffs), set()
    for place in range(len(best)):
        for _ in best:  # long enough to be on a cycle
            place = best[place]
        cycle = [place]
        while best[cycle[-1]] != place:
            cycle.append(best[cycle[-1]])
        least = cycle.index(min(cycle))
        found.add(tuple(cycle[least:] + cycle[:least]))
    return sorted(found)


def recurrent_sets(payoffs: Numbers) -> list[tuple[int, ...]]:
    """Sets of strategies that better answers lead around in but never out of: where evolution stays for good."""
    better = payoffs - np.diag(payoffs)[None, :] > NOTHING  # [s, t]: s moves in on t
    count, of_set = sparse.csgraph.connected_components(sparse.csr_matrix(better.T), connection="strong")
    leaves = better.T & (of_set[:, None] != of_set[None, :])
    open_sets = set(of_set[leaves.any(axis=1)].tolist())
    closed = [tuple(np.flatnonzero(of_set == k).tolist()) for k in range(count) if k not in open_sets]
    return sorted(closed)


def exploitability(payoffs: Numbers, shares: Numbers) -> float:
    """How much more than the field the best answer to it gets, in a symmetric game."""
    gets = payoffs @ shares
    return float(gets.max() - shares @ gets)


# --- alpha-rank ------------------------------------------------------------------------------------------
def alpha_rank(payoffs: Numbers, alpha: float = np.inf, population: int = POPULATION) -> Numbers:
    """How much of the time one population plays each strategy, if rare mutants take over or vanish.

    A mutant s among residents t has the advantage `payoffs[s, t] - payoffs[t, t]`. The more matrices (in front), the
    more answers.

    Parameters
    ----------
    alpha
        Strength of selection. Infinite: what is better takes over, what is equal does one time in `population`, and
        what is worse as good as never.

    Example
    -------
    >>> alpha_rank(np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    resident = np.diagonal(payoffs, axis1=-2, axis2=-1)
    advantage = np.swapaxes(payoffs, -1, -2) - resident[..., :, None]
    return stationary(takes_over(advantage, alpha, population))


def alpha_rank_of_roles(payoffs: Numbers, alpha: float = np.inf, population: int = POPULATION) -> Numbers:
    """The same for two populations of a zero-sum game: how much of the time each pair of row and column is met.

    Every other row and every other column is tried by a mutant equally often.
    """
    rows, columns = payoffs.shape
    rates = np.zeros((rows, columns, rows, columns))
    up = takes_over(payoffs[None, :, :] - payoffs[:, None, :], alpha, population)  # from row, to row, column
    down = takes_over(
        payoffs[:, :, None] - payoffs[:, None, :], alpha, population
    )  # row, from column, to column
    for column in range(columns):
        rates[:, column, :, column] = up[:, :, column]
    for row in range(rows):
        rates[row, :, row, :] += down[row]
    size = rows * columns
    return stationary(rates.reshape(size, size)).reshape(rows, columns)


def takes_over(advantage: Numbers, alpha: float = np.inf, population: int = POPULATION) -> Numbers:
    """The chance that one mutant with this advantage takes over a population."""
    if np.isinf(alpha):
        same = np.abs(advantage) <= NOTHING
        return np.where(same, 1 / population, np.where(advantage > 0, 1.0, RARELY))
    drive = np.clip(alpha * advantage, -600 / population, 600)
    with np.errstate(invalid="ignore"):
        chance = np.expm1(-drive) / np.expm1(-population * drive)
    return np.where(np.abs(drive) <= NOTHING, 1 / population, np.maximum(chance, SMALLEST))


def stationary(rates: Numbers) -> Numbers:
    """How much of the time is spent where, if one moves from row to column at these rates.

    Grassmann, Taksar and Heyman's elimination, which subtracts nothing: tiny rates keep all their digits.
    """
    rates = np.array(rates, float)
    count = rates.shape[-1]
    for last in range(count - 1, 0, -1):
        rates[..., :last, last] /= np.maximum(rates[..., last, :last].sum(axis=-1), SMALLEST)[..., None]
        rates[..., :last, :last] += rates[..., :last, last, None] * rates[..., last, None, :last]
    shares = np.ones(rates.shape[:-1])
    for place in range(1, count):
        shares[..., place] = (shares[..., :place] * rates[..., :place, place]).sum(axis=-1)
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True), float)


# --- how sure --------------------------------------------------------------------------------------------
def redrawn(value: Numbers, covariance: Numbers, draws: int, seed: int) -> Numbers:
    """Payoffs as they might be as well: drawn from their joint normal distribution, a row a draw, from the seed."""
    sizes, directions = np.linalg.eigh(covariance)
    # whichever way a direction points, the same draws
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(len(sizes))])
    luck = np.random.default_rng(seed).standard_normal((draws, len(value)))
    return np.asarray(value + luck @ (directions * signs * np.sqrt(np.maximum(sizes, 0.0))).T, float)


def middle_of(draws: Numbers, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The ends between which most draws are, for each column."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    return low, high
