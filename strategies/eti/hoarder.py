"""Collects projects for their own sake: upgrades first, banks with care, trades little.

As the alien it hoards for mashes: it reveals once two projects a human lie in its vault or on the table.
"""

from __future__ import annotations

from strategies.eti.core import mash as core_mash
from strategies.eti.toolbox import mine

params = {"upgrades": 18.0, "cost": 0.2, "push": 1.15, "generosity": 0.0, "staffing": 1.3}


def reveal(table, seat):
    """Enough for one mash against every human."""
    projects = table.completed[mine(seat)] + table.face_up_n
    return 1 if projects >= table.rules.mash_projects * (table.players - 1) else 0


def mash(table, seat, company):
    """Every mash is used, wherever it hurts most."""
    return core_mash(table, seat, company)
