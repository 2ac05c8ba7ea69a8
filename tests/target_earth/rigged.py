"""Dice that fall as a test wants, and what tests of single rules ask often."""

from __future__ import annotations

import pytest

from sim.games.target_earth import countries
from sim.games.target_earth.state import BARRACKS, CARRIER, GARAGE, HANGAR, INFANTRY, TANK
from tests.target_earth.field import Field


def rig(monkeypatch: pytest.MonkeyPatch, dice: list[int]) -> list[int]:
    """These dice, one after the other; what is left of them."""
    left = list(dice)
    monkeypatch.setattr(countries, "below", lambda streams, stream, n: left.pop(0) - 1)
    return left


def two_dice_for(total: int) -> list[int]:
    """Two dice with this sum."""
    assert 2 <= total <= 12
    return [max(1, total - 6), min(6, total - 1)]


def army(field: Field, p: int, infantry: int, tanks: int, carriers: int = 1) -> None:
    """Units of a base, on modules of their own."""
    for _ in range(carriers):
        field.module(p, HANGAR, CARRIER)
    for _ in range(infantry):
        field.module(p, BARRACKS, INFANTRY)
    for _ in range(tanks):
        field.module(p, GARAGE, TANK)


def seat_of(field: Field, faction: int) -> int:
    """Who has a faction."""
    return [int(f) for f in field.table.faction].index(faction)
