"""Morris's elementary effects and Sobol's indices of a response that is known up to the luck of so many games.

A response comes as rows × points: what each row (some blocks of luck) says of each point. Its mean over the rows is
the estimate, and how rows differ tells the noise. All points meet the same rows: a factor that changes nothing leaves
the games as they are, and has an effect of exactly 0. One that only shuffles luck has noise for an effect, and noise
is never negative once it is squared or stripped of its sign. So each product of two estimates is made of different
rows, which is the same as taking off what noise adds on average:

    mean of a × mean of b  −  covariance of a and b over the rows / number of rows

A function without noise has a single row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.blocks import quantile

FOLDS = 5  # of rows, when the sign of an effect comes from other rows than its size
DRAWS = 20_000  # of pure noise
RESAMPLES = 1_000
SLICE = 2_000  # draws at a time
TINY = 1e-12  # of a variance, or of an effect: none
PERCENTILES = (2.5, 97.5)


# --- screening: Morris -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Effects:
    """What Morris's trajectories say of each factor: arrays in the order of the factors, ends in two columns.

    All are for the whole range of the factor: the change of the response over the step that was made, divided by the
    share of the range that it went.
    """

    mu: Any  # mean effect, with its sign
    mu_ends: Any
    mu_star: Any  # mean size of the effects
    mu_star_ends: Any
    sigma: Any  # spread from trajectory to trajectory: curved, or hanging on other factors
    sigma_ends: Any
    noise: Any  # mean size that noise alone would show
    p: Any  # chance of so large a mean size from noise alone


def elementary_effects(response: Any, places: Any) -> Any:
    """The effect of each step: rows × trajectories × factors.

    Parameters
    ----------
    response
        rows × trajectories × (factors + 1).
    places
        Where each point really was after its values were made whole: trajectories × (factors + 1) × factors, 0 to 1.
    """
    moves = np.diff(places, axis=1)
    factor = np.abs(moves).argmax(axis=2)
    step = np.take_along_axis(moves, factor[..., None], axis=2)[..., 0]
    effects = np.diff(response, axis=2) / step
    found = np.empty_like(effects)
    np.put_along_axis(found, np.broadcast_to(factor, effects.shape), effects, axis=2)
    return found


def screen(response: Any, places: Any, seed: int = 1) -> Effects:
    """Mean, mean size and spread of the elementary effects, with 95 % intervals."""
    by_row = elementary_effects(np.asarray(response, float), np.asarray(places, float))
    lines = by_row.shape[1]
    effects = by_row.mean(axis=0)
    mu, star = effects.mean(axis=0), _sizes(by_row)
    reach = quantile(lines)
    size = np.maximum(star.mean(axis=(0, 1)), 0.0)
    half, star_half = (reach * _error(values) for values in (by_row, star))
    sigma, sigma_ends = _spread(effects, _interplay(by_row) * lines)
    noise, p = _against_noise(by_row, seed)
    return Effects(
        mu, _ends(mu - half, mu + half), size, np.maximum(_ends(size - star_half, size + star_half), 0.0), sigma,
        sigma_ends, noise, p,
    )  # fmt: skip


def _ends(low: Any, high: Any) -> Any:
    return np.stack([low, high], axis=-1)


def _sizes(by_row: Any) -> Any:
    """Each effect with the sign that the other rows give it: its mean is the size of the effect, and 0 for noise."""
    rows = len(by_row)
    if rows < FOLDS:
        return by_row * np.sign(by_row.mean(axis=0))
    total, fold = by_row.sum(axis=0), np.arange(rows) % FOLDS
    signed = np.empty_like(by_row)
    for part in range(FOLDS):
        mine = by_row[fold == part]
        signed[fold == part] = mine * np.sign(total - mine.sum(axis=0))
    return signed


def _error(values: Any) -> Any:
    """Standard error of the mean over rows and trajectories, both drawn at random."""
    rows, lines = values.shape[:2]
    by_line = _variance(values.mean(axis=0)) / lines
    by_row = _variance(values.mean(axis=1)) / rows
    return np.sqrt(by_line + np.maximum(0.0, by_row - _interplay(values)))


def _interplay(values: Any) -> Any:
    """The part of the variance of the mean that is neither the rows' nor the trajectories' own: noise, mostly."""
    rows, lines = values.shape[:2]
    if rows < 2 or lines < 2:
        return np.zeros(values.shape[2])
    alone = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean(axis=(0, 1))
    return (alone**2).sum(axis=(0, 1)) / ((rows - 1) * (lines - 1)) / (rows * lines)


def _variance(values: Any) -> Any:
    """Over the first axis; of a single value: 0."""
    return values.var(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1:])


def _spread(effects: Any, noise: Any) -> tuple[Any, Any]:
    """Sigma without what noise adds to it, and its ends (jackknife over the trajectories, of the variance)."""
    lines = len(effects)
    if lines < 3:
        return np.sqrt(np.maximum(0.0, _variance(effects) - noise)), np.full((effects.shape[1], 2), np.nan)
    whole = effects.var(axis=0, ddof=1)
    without = np.stack([np.delete(effects, line, axis=0).var(axis=0, ddof=1) for line in range(lines)])
    error = np.sqrt((lines - 1) / lines * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    half, variance = quantile(lines) * error, whole - noise
    return _root(variance), _root(_ends(variance - half, variance + half))


def _root(variance: Any) -> Any:
    return np.sqrt(np.where(variance > TINY**2, variance, 0.0))


def _against_noise(by_row: Any, seed: int) -> tuple[Any, Any]:
    """The mean size of effects that noise alone would show, and how often it would show as much as was found.

    Noise: normal, with the covariance that the rows have, between the effects of all trajectories.
    """
    rows, lines, factors = by_row.shape
    found = np.abs(by_row.mean(axis=0)).mean(axis=0)
    if rows < 2:
        return np.zeros(factors), (found <= TINY).astype(float)
    away = by_row - by_row.mean(axis=0)
    spread = np.einsum("rti,rsi->its", away, away) / (rows - 1) / rows
    values, vectors = np.linalg.eigh(spread)
    root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    rng = np.random.default_rng([seed, 1])
    sums, as_much = np.zeros(factors), np.zeros(factors)
    for _ in range(DRAWS // SLICE):
        sizes = np.abs(np.einsum("its,ds->dit", root, rng.standard_normal((SLICE, lines)))).mean(axis=2)
        sums += sizes.sum(axis=0)
        as_much += (sizes >= found - TINY).sum(axis=0)
    return sums / DRAWS, (1 + as_much) / (1 + DRAWS)


# --- shares of the variance: Sobol -----------------------------------------------------------------------
@dataclass(frozen=True)
class Shares:
    """Sobol's indices of each factor, ends in two columns.

    `first`: the share of the variance between points that goes when this factor is held fixed, others left alone.
    `total`: the share that stays when all others are held fixed: alone and together with others.
    """

    first: Any
    first_ends: Any
    total: Any
    total_ends: Any
    together: float  # what first indices leave: of factors that work together
    together_ends: Any
    variance: float  # of the response between points, without noise
    noise: float  # the share of the variance that was found which was noise, and is taken off
    mean: float

    @property
    def known(self) -> bool:
        """Whether the response varies at all, beyond noise."""
        return not np.isnan(self.first).any()


def shares(response: Any, seed: int = 1) -> Shares:
    """First and total indices (Saltelli and others 2010), with 95 % bootstrap intervals.

    Parameters
    ----------
    response
        rows × base points × (factors + 2): A, A with each one factor of B, B, as `designs.base_points` has them.
    seed
        Of the bootstrap, which draws both base points and rows again: intervals contain the noise of the games.
    """
    by_row = np.asarray(response, float)
    points = by_row.mean(axis=0)
    noise = _noise(by_row)
    everywhere = np.arange(len(points))
    found = _indices(points, noise, everywhere, 1.0)
    raw = _moments(points)[2].mean()
    if not found[2] > TINY * max(raw, TINY):
        return _nothing_varies(points)
    *ends, together = _resampled(by_row, noise, seed)
    share = float(noise[2].mean() / raw)
    return Shares(
        found[0], ends[0], found[1], ends[1], float(1 - found[0].sum()), together, float(found[2]), share,
        float(points[:, [0, -1]].mean()),
    )  # fmt: skip


def _moments(points: Any) -> tuple[Any, Any, Any]:
    """What each base point adds to the numerators of first and total indices, and to the variance."""
    a, swapped, b = points[:, 0], points[:, 1:-1], points[:, -1]
    middle = (a.mean() + b.mean()) / 2
    step = swapped - a[:, None]
    return (b - middle)[:, None] * step, step**2 / 2, ((a - middle) ** 2 + (b - middle) ** 2) / 2


def _noise(by_row: Any) -> tuple[Any, Any, Any]:
    """What noise adds to each of `_moments`: the same products of how rows differ from their mean."""
    rows = len(by_row)
    if rows < 2:
        first, total, variance = _moments(by_row[0])
        return 0 * first, 0 * total, 0 * variance
    a, swapped, b = by_row[..., 0], by_row[..., 1:-1], by_row[..., -1]
    middle = (a.mean(axis=1) + b.mean(axis=1))[:, None] / 2
    a_away, b_away, steps = (
        part - part.mean(axis=0) for part in (a - middle, b - middle, swapped - a[..., None])
    )
    scale = 1 / (rows - 1) / rows
    return (
        np.einsum("rj,rji->ji", b_away, steps) * scale,
        np.einsum("rji,rji->ji", steps, steps) * scale / 2,
        (np.einsum("rj,rj->j", a_away, a_away) + np.einsum("rj,rj->j", b_away, b_away)) * scale / 2,
    )


def _indices(points: Any, noise: Any, chosen: Any, times: float) -> tuple[Any, Any, float]:
    """First and total indices and the variance, from the chosen base points, less `times` the noise."""
    first, total, variance = (
        part.mean(axis=0) - times * more[chosen].mean(axis=0)
        for part, more in zip(_moments(points[chosen]), noise, strict=True)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return first / variance, total / variance, float(variance)


def _resampled(by_row: Any, noise: Any, seed: int) -> tuple[Any, Any, Any]:
    """Percentiles of indices from base points and rows drawn again; such rows are noisy twice, which is taken off."""
    rows, count = by_row.shape[:2]
    rng = np.random.default_rng([seed, 2])
    flat, drawn = by_row.reshape(rows, -1), []
    for _ in range(RESAMPLES):
        weights = np.bincount(rng.integers(rows, size=rows), minlength=rows) / rows
        points = (weights @ flat).reshape(by_row.shape[1:])
        drawn.append(_indices(points, noise, rng.integers(count, size=count), 2.0 if rows > 1 else 1.0)[:2])
    again = np.array(drawn)  # resamples × (first, total) × factors
    ends = np.nanpercentile(again, PERCENTILES, axis=0)
    return ends[:, 0].T, ends[:, 1].T, np.nanpercentile(1 - again[:, 0].sum(axis=1), PERCENTILES)


def _nothing_varies(points: Any) -> Shares:
    """A response that is the same everywhere, as far as noise lets one see: no shares of nothing."""
    factors = points.shape[1] - 2
    none, ends = np.full(factors, np.nan), np.full((factors, 2), np.nan)
    mean = float(points[:, [0, -1]].mean())
    return Shares(none, ends, none, ends, np.nan, np.full(2, np.nan), 0.0, 1.0, mean)
