"""The chapters of a report on Target Earth."""

from __future__ import annotations

from typing import Any

from reports.target_earth import course, decisive, personal, strategies, win_rate

CHAPTERS: tuple[Any, ...] = (win_rate, course, strategies, personal, decisive)
TITLE = "How hard is Target Earth?"
