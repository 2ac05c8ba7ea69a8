"""Runs that many tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.kit import MINI, make_big, play, shared


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of eight cells with its report. Not to be changed."""
    return shared(tmp_path_factory, "big", make_big)


@pytest.fixture(scope="session")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one cell, 120 games in four chunks, without acts and without a report. Not to be changed."""
    return shared(tmp_path_factory, "mini", lambda folder: play(folder, *MINI))
