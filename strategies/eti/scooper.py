"""Lets others do the work: joins projects that rivals are far along with, and submits just before they do.

As the alien it robs the humans of their projects for as long as it may, and reveals on a project they share.
"""

from __future__ import annotations

from strategies.eti.core import rate_project as core_rate_project
from strategies.eti.core import reveal as core_reveal
from strategies.eti.toolbox import mine, progress, rivals

params = {"rival": 6.0, "hurry": 0.3, "bail": 0.8, "push": 1.05, "staffing": 1.3, "risk": 1.0, "wait": 3,
          "greed": (12.0, "worth of a rival's progress on a project, as a share of its difficulty")}  # fmt: skip
GREED = 22


def rate_project(table, seat, project):
    """Better the further the rivals on it have come, as long as they are not about to finish."""
    rating = core_rate_project(table, seat, project)
    for p in range(table.players):
        if p != mine(seat) and table.studying[p] == project:
            share = progress(table, p)
            rating += seat.params[GREED] * (share if share < 0.7 else -share)
    return rating


def reveal(table, seat):
    """Best when the reveal scoops somebody."""
    if rivals(table, mine(seat), table.studying[mine(seat)]) > 0:
        return 1
    return core_reveal(table, seat)
