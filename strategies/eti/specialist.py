"""One field: every completed project of a field brings a research card more, so it stays where it has one.

As the alien it digs in the same way and reveals when its vault is full.
"""

from __future__ import annotations

from strategies.eti.core import rate_project as core_rate_project
from strategies.eti.toolbox import NONE, mine

params = {"field": 30.0, "carry": 0.15, "push": 1.05, "staffing": 1.1, "wait": 3}


def rate_project(table, seat, project):
    """The own field first; before there is one, the field with the most projects still to come."""
    rating = core_rate_project(table, seat, project)
    if table.completed[mine(seat)] > 0 and table.left[mine(seat)] != NONE:
        return rating
    field, to_come = table.cards.field[project], 0
    for other in range(table.cards.projects):
        to_come += table.cards.field[other] == field and table.place[other] == 0
    return rating + 2.0 * to_come
