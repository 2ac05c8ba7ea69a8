"""Tests of single rules run the engine as plain Python: no waiting for the compiler, and every line debuggable.

Compiled runs are tested through the command line and `tests/compiled.py`, in processes of their own.
"""

from __future__ import annotations

import os

import pytest

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything imports numba


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="the long form of the soak tests")


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    """True in the long form."""
    return bool(request.config.getoption("--soak"))
