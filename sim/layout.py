"""Nested NumPy records that compiled code and plain Python read alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compile import PLAIN


def attribute_access(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with fields readable as attributes in plain Python, at every depth."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((attribute_access(base), shape))
    if dtype.names is None or dtype.fields is None:
        return dtype
    spec = {
        "names": list(dtype.names),
        "formats": [attribute_access(dtype.fields[name][0]) for name in dtype.names],
        "offsets": [dtype.fields[name][1] for name in dtype.names],
        "itemsize": dtype.itemsize,
    }
    return np.dtype((np.record, spec))


def new_records(dtype: np.dtype[Any], n: int) -> np.ndarray[Any, np.dtype[Any]]:
    """Zeroed records, which compiled and plain code read alike."""
    return np.zeros(n, attribute_access(dtype) if PLAIN else dtype)
