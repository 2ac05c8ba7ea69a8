"""Columns that many tables share."""

from __future__ import annotations

from reports.model import Column

N = Column("n", "games", "whole")
SEATS = Column("n", "seats", "whole")
METHOD = Column("method", "interval")
NOTE = Column("note", "note")
PLAYERS = Column("players", "players", "whole")
SETTING = Column("setting", "length")
ALIEN = Column("alien_card", "alien")
HOLM = Column("p_holm", "p, corrected", "p")
#: how far a rate is from what was expected
DIFFERENCE = Column("difference", "difference, points", "points", "difference_low", "difference_high")
