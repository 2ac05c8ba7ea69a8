"""A little of everything: three fighters a base and one army, each level 2 once, laboratories when they are needed.

Its numbers are those that won most normal games of two to four bases, found by trying some 150 changes.
"""

from __future__ import annotations

params = {
    "labs": 1.8, "early_labs": 0.7, "air": 4.7, "fighters": 3.3, "ground": 4.9, "carriers": 1.15,
    "more_carriers": 0.04, "science": 6.1, "troop_tech": 8.3, "tank_tech": 4.1, "level_cost": 13.8,
    "income": 0.27, "raids": 1.7, "module": 1.5, "knowledge": 0.94, "unit": 0.5, "least": 0.15, "bonus_need": 0.14,
}  # fmt: skip
