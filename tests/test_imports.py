"""Imports go one way: sim <- strategies, sim <- analysis <- reports, and only xenobalance sees everything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: package -> the packages of this project that it may import, itself apart
MAY_IMPORT: dict[str, set[str]] = {
    "sim": set(),
    "strategies": {"sim"},
    "analysis": {"sim"},
    "reports": {"sim", "analysis"},
    "xenobalance": {"sim", "strategies", "analysis", "reports"},
}
#: of sim, analysis and reports need the columns of the records, not the engine
ENGINE = "sim.games"


def imported(source: str) -> Iterator[str]:
    """The modules a source imports, wherever the import stands; relative ones stay in their package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_imports(package: str, source: str) -> set[str]:
    """The imports of a source that its package may not make."""
    forbidden = set(MAY_IMPORT) | {"tests", "scripts"}
    forbidden -= MAY_IMPORT[package] | {package}
    wrong = {name for name in imported(source) if name.split(".")[0] in forbidden}
    if package in ("analysis", "reports"):
        wrong |= {name for name in imported(source) if name == ENGINE or name.startswith(ENGINE + ".")}
    return wrong


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_go_one_way(package: str) -> None:
    for file in sorted((ROOT / package).rglob("*.py")):
        wrong = wrong_imports(package, file.read_text(encoding="utf-8"))
        assert not wrong, f"{file.relative_to(ROOT)} may not import {', '.join(sorted(wrong))}"


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("sim", "import strategies.eti.cautious"),
        ("sim", "def late():\n    from xenobalance import play"),
        ("sim", "import numpy, analysis"),
        ("strategies", "from reports import html"),
        ("analysis", "from reports.html import page"),
        ("analysis", "from sim import games"),
        ("reports", "from sim.games.eti import engine"),
        ("xenobalance", "import tests.referee"),
    ],
)
def test_a_wrong_import_is_noticed(package: str, source: str) -> None:
    assert wrong_imports(package, source)


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("sim", "import simplejson, numpy\nfrom sim.errors import UserError"),
        ("strategies", "from sim.games.eti.state import RESEARCH"),
        ("analysis", "from sim.records import GAME_COLUMNS"),
        ("xenobalance", "from strategies.eti import cautious"),
    ],
)
def test_a_right_import_is_not(package: str, source: str) -> None:
    assert not wrong_imports(package, source)


def test_there_is_something_to_look_at() -> None:
    assert any((ROOT / "sim").rglob("*.py"))
    assert any((ROOT / "xenobalance").rglob("*.py"))
