"""Alien science as early as can be: laboratories first, every knowledge for it, units make do with what they have.

Safe from the impossible and the unfinished end, but the points must come from somewhere.
"""

from __future__ import annotations

from strategies.target_earth.core import due, rate_technology
from strategies.target_earth.params import W_SCIENCE
from strategies.target_earth.toolbox import SCIENCE, knowledge_for, labs_for

params = {
    "labs": 14.0, "early_labs": 7.0, "science": 20.0, "knowledge": 5.0, "ground": 8.0,
    "fighter_tech": 3.0, "level_cost": 2.0,
}  # fmt: skip


def research(table, seat, technology):
    """Alien science once the laboratories are nearly there, even if a knowledge has still to be won."""
    if technology == SCIENCE and labs_for(table, technology) <= table.labs + table.bases:
        if due(table) or knowledge_for(table, technology) <= table.knowledge + 2:
            return seat.params[W_SCIENCE] * 2.0
    return rate_technology(table, seat, technology)
