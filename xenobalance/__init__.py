"""xenobalance: a Monte Carlo balance toolkit for board games.

What you call from a notebook is here; it is loaded when first used, so that importing costs nothing.
"""

from importlib import import_module
from typing import Any

#: public name -> where it lives
_LAZY = {
    "report": "xenobalance.reporting:report",
    "load": "xenobalance.results:load",
    "simulate": "xenobalance.api:simulate",
    "trace": "xenobalance.api:trace",
    "strategy": "xenobalance.api:strategy",
    "UserError": "sim.errors:UserError",
    **{name: f"xenobalance.lab_api:{name}" for name in (
        "compare", "sweep", "knockout", "sensitivity", "tune", "train", "metagame", "luck", "restrict", "levels",
        "load_lab",
    )},
}  # fmt: skip

__all__ = [
    "UserError", "compare", "knockout", "levels", "load", "load_lab", "luck", "metagame", "report", "restrict",
    "sensitivity",
    "simulate", "strategy", "sweep", "trace", "train", "tune",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'xenobalance' has no attribute '{name}'")
    module, _, attribute = _LAZY[name].partition(":")
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
