"""Which points of the space of all factors are played: Morris's trajectories and Saltelli's points, from SALib.

Everything is in the unit cube, 0 for the low and 1 for the high end of a factor; `sensitivity_factors` makes
values of it.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from sim.errors import UserError

LEVELS = 4  # of Morris's grid: 0, 1/3, 2/3, 1, with steps of 2/3
CHOICE = 10  # so many trajectories are drawn for each that is played
MOST_CHOICE = 60  # ... but not more than so many: choosing takes their square in time


def trajectories(factors: int, count: int, seed: int) -> Any:
    """Morris's trajectories: count × (factors + 1) × factors. Each step moves one factor by 2/3 of its range.

    From many that are drawn, those are taken that lie furthest from each other (Campolongo and others 2007, chosen as
    in Ruano and others 2012).

    Example
    -------
    >>> path = trajectories(factors=3, count=4, seed=1)
    >>> path.shape, (np.diff(path, axis=1) != 0).sum(axis=2).tolist()[0]
    ((4, 4, 3), [1, 1, 1])
    """
    drawn = max(count, min(count * CHOICE, MOST_CHOICE))
    chosen = count if 2 <= count < drawn else None
    sample = _salib("sample.morris").sample
    points = sample(
        _problem(factors), drawn if chosen else count, LEVELS, optimal_trajectories=chosen, seed=seed
    )
    return np.asarray(points).reshape(count, factors + 1, factors)


def base_points(factors: int, count: int, seed: int) -> Any:
    """Saltelli's points: count × (factors + 2) × factors: a point A, A with each one factor as in B, and the point B.

    A and B are halves of a scrambled Sobol sequence, which fills the cube evenly when `count` is a power of 2.

    Example
    -------
    >>> points = base_points(factors=2, count=8, seed=1)
    >>> points.shape, bool((points[:, 1, 0] == points[:, 3, 0]).all())
    ((8, 4, 2), True)
    """
    sample = _salib("sample.sobol").sample
    points = sample(_problem(factors), count, calc_second_order=False, scramble=True, seed=seed)
    return np.asarray(points).reshape(count, factors + 2, factors)


def _problem(factors: int) -> dict[str, Any]:
    names = [f"x{place}" for place in range(factors)]
    return {"num_vars": factors, "names": names, "bounds": [[0.0, 1.0]] * factors}


def _salib(part: str) -> Any:
    """A part of SALib, loaded when it is needed: it takes half a second."""
    try:
        return importlib.import_module(f"SALib.{part}")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] != "SALib":
            raise
        raise UserError(
            "sensitivity: SALib is missing; install it with: pip install 'SALib>=1.5,<2'"
        ) from None
