"""Meet them on the ground: carriers, infantry, tanks and their levels, and alien bases stormed where they stand.

Victories there bring knowledge, points and free attempts; few fighters are left for the sky.
"""

from __future__ import annotations

params = {
    "ground": 11.0, "carriers": 1.3, "more_carriers": 0.25, "guard": 1.5, "troop_tech": 10.0, "tank_tech": 6.0,
    "fighter_tech": 2.0, "level_cost": 1.0, "air": 5.5, "fighters": 1.0, "more_fighters": 0.15,
    "radars": 3.0, "sight": 0.7, "raids": 6.0, "least": 0.3,
}  # fmt: skip
