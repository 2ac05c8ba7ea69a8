"""Every rule of the rules page is named by a test, and every id a test names is on the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "rules" / "eti.md"
ID = r"[RWA]-(?:[A-Z]+-)?[0-9]+"
DEFINITION = re.compile(rf"^(?:- ({ID}) |\| ({ID}) \|)", re.MULTILINE)  # a list item or a row of a table
MENTION = re.compile(rf"(?<![\w-]){ID}(?![\w-])")


def defined(kinds: str) -> set[str]:
    """The ids of these kinds (R, W, A) that the page defines."""
    pairs = DEFINITION.findall(PAGE.read_text(encoding="utf-8"))
    return {name for pair in pairs for name in pair if name and name[0] in kinds}


def docstrings(referee: bool) -> Iterator[tuple[str, str]]:
    """Test functions under tests/ as (file and name, docstring)."""
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS)
        if place.parts[0] == "target_earth" or (place.parts[0] == "referee" and not referee):
            continue  # the other game has a page, and ids, of its own
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                yield f"{place}:{node.name}", ast.get_docstring(node) or ""


def named(referee: bool) -> dict[str, str]:
    """Each id that a test's docstring names, with one such test."""
    return {name: test for test, text in docstrings(referee) for name in MENTION.findall(text)}


def in_order(ids: set[str]) -> str:
    """A-2 before A-10."""
    return ", ".join(sorted(ids, key=lambda name: (name.rpartition("-")[0], int(name.rpartition("-")[2]))))


def test_the_page_is_read() -> None:
    """The page's ids are found: rules, worked examples and assumptions, in lists and in tables."""
    assert {"R-COMP-1", "R-SUB-3", "R-INV-13"} <= defined("R")
    assert defined("W") == {f"W-{k}" for k in range(1, 17)}
    assert {"A-1", "A-30", "A-COMP-1", "A-SCP-2", "A-INV-11"} <= defined("A")
    page = PAGE.read_text(encoding="utf-8")
    loose = set(MENTION.findall(page)) - defined("RWA")
    assert not loose, f"mentioned on the page, but not defined there: {in_order(loose)}"
    twice = {name for pair in DEFINITION.findall(page) for name in pair if name}
    assert len(twice) == len(DEFINITION.findall(page)), "an id is defined twice"


def test_every_rule_and_example_has_a_test() -> None:
    """Rules and worked examples: in a docstring outside the referee, which judges traces, not the engine."""
    missing = defined("RW") - named(referee=False).keys()
    assert not missing, f"no test names {in_order(missing)}"


def test_every_assumption_has_a_test() -> None:
    """Assumptions: in any docstring, the referee's tests included."""
    missing = defined("A") - named(referee=True).keys()
    assert not missing, f"no test names {in_order(missing)}"


def test_no_test_names_an_unknown_rule() -> None:
    """An id that the page does not define is a slip of the pen, or a rule that has gone."""
    tests = named(referee=True)
    unknown = tests.keys() - defined("RWA")
    assert not unknown, "; ".join(f"{name} in {tests[name]}" for name in sorted(unknown))
