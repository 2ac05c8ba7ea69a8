"""Shoot them down before they land: fighters, hangars, radars for every slot, and fighter levels first.

Each base keeps one army for the knowledge that alien science needs; large and terror UFOs are met in the air.
"""

from __future__ import annotations

from strategies.target_earth.core import intercept as core_intercept
from strategies.target_earth.params import CORE_PARAMS

params = {
    "air": 11.0, "fighters": 2.5, "more_fighters": 1.3, "sight": 1.2, "radars": 9.0, "fighter_tech": 10.0,
    "troop_tech": 3.0, "tank_tech": 2.0, "ground": 8.0, "more_carriers": 0.0, "guard": 0.5, "sure": 0.85,
    "size": (0.5, "how much rather a large UFO than a small one"),
}  # fmt: skip
SIZE = len(CORE_PARAMS)


def intercept(table, seat, slot):
    """Large ones first: armies can cope with the others."""
    rating = core_intercept(table, seat, slot)
    return rating + seat.params[SIZE] * table.ufo[slot] if rating >= 0.0 else rating
