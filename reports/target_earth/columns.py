"""Columns that several chapters share."""

from __future__ import annotations

from reports.model import Column

SETTING = Column("setting", "mode")
WINS = Column("rate", "Alliance wins", "percent", "low", "high")
OVER_WITHOUT = Column(
    "over_without", "difference from games without, points", "points", "over_without_low", "over_without_high"
)
