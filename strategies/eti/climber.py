"""High levels: lays out and studies the highest it may, since one great project is worth two small ones.

As the alien it keeps the great projects from the humans and waits for a rich vault.
"""

from __future__ import annotations

params = {
    "level": 14.0,
    "cost": 0.08,
    "push": 1.05,
    "staffing": 1.2,
    "upgrades": 14.0,
    "wait": 4,
}
