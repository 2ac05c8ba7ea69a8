"""A little of everything: what the core does, with numbers that won most games of two to four bases.

Fighters and armies grow turn by turn, laboratories come in time for the last levels, and of the fights within
reach those come first that decide most points.
"""

from __future__ import annotations

params: dict[str, float] = {}
