"""Many small projects: always the cheapest one on the table, low levels, more staff.

As the alien it speeds the game up and strikes at once, before anybody is ready.
"""

from __future__ import annotations

params = {
    "level": -8.0,
    "cost": 0.3,
    "push": 1.0,
    "staffing": 1.4,
    "creativity": 0.7,
    "hurry": 0.15,
}
