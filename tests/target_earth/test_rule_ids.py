"""Every id of the rules page is named by a test, and every id a test names is on the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parents[1] / "docs" / "rules" / "target_earth.md"
ID = r"[RWA]-TE(?:-[A-Z]+)?(?:-[0-9]+)?"
DEFINITION = re.compile(rf"^(?:- ({ID}) |\| ({ID}) \|)", re.MULTILINE)  # a list item or a row of a table
MENTION = re.compile(rf"(?<![\w-]){ID}(?![\w-])")


def definitions() -> list[str]:
    """The ids that the page defines."""
    return [one or other for one, other in DEFINITION.findall(PAGE.read_text(encoding="utf-8"))]


def docstrings() -> Iterator[tuple[str, str]]:
    """Test functions of this game as (file and name, docstring)."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                yield f"{path.relative_to(TESTS)}:{node.name}", ast.get_docstring(node) or ""


def named() -> dict[str, str]:
    """Each id that a test's docstring names, with one such test."""
    return {name: test for test, text in docstrings() for name in MENTION.findall(text)}


def test_the_page_defines_each_id_once_and_mentions_no_other() -> None:
    found = definitions()
    assert len(found) == len(set(found)) > 70
    assert {f"W-TE-{k}" for k in range(1, 6)} | {f"A-TE-{k}" for k in range(1, 33)} <= set(found)
    assert {"R-TE-INC", "R-TE-SET-5", "R-TE-MIS-7", "R-TE-ADV-5", "R-TE-OPT-3"} <= set(found)
    assert set(MENTION.findall(PAGE.read_text(encoding="utf-8"))) <= set(found)


def test_every_rule_example_and_reading_has_a_test() -> None:
    missing = set(definitions()) - named().keys()
    assert not missing, f"no test names {', '.join(sorted(missing))}"


def test_no_test_names_an_unknown_rule() -> None:
    """An id that the page does not define is a slip of the pen, or a rule that has gone."""
    tests = named()
    unknown = tests.keys() - set(definitions())
    assert not unknown, "; ".join(f"{name} in {tests[name]}" for name in sorted(unknown))
