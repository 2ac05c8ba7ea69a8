"""The page in a browser: quiet, whole, and its tables sort and filter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reports.browser import NEEDED, Watched, chromium, opened
from tests.reports.kit import SCRIPT, SIGNS, names

pytestmark = NEEDED

#: every heading of every table, clicked twice: the values of its column after each click
CLICK_ALL = """() => [...document.querySelectorAll("table")].flatMap((table) => {
  const heads = [...table.tHead.rows[0].cells];
  return heads.map((head, place) => {
    const column = () => [...table.tBodies[0].rows].map((row) => row.cells[place].dataset.sort);
    const marks = () => heads.map((other) => other.getAttribute("aria-sort"));
    const before = column(), steps = [];
    for (let k = 0; k < 2; k++) {
      head.querySelector("button").click();
      steps.push({ column: column(), marks: marks() });
    }
    const number = head.classList.contains("number");
    return { table: table.id, place, name: head.textContent, number, before, steps };
  });
})"""
#: what is left of a table, and what is said beside its filter
ROWS = """(id) => {
  const rows = [...document.getElementById(id + "-rows").tBodies[0].rows];
  return {
    all: rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase()),
    shown: rows.filter((row) => row.getClientRects().length > 0).length,
    said: document.querySelector("#" + CSS.escape(id) + " output").textContent,
  };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One for the module."""
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def seen(browser: Any, big: Path) -> Iterator[Watched]:
    """The page, for tests that change nothing."""
    with opened(browser, big / "report.html") as page:
        yield page


@pytest.fixture(scope="module")
def clicked(browser: Any, big: Path) -> Iterator[tuple[Watched, list[dict[str, Any]]]]:
    """The page after a click on everything."""
    with opened(browser, big / "report.html") as page:
        yield page, page.run(CLICK_ALL)


def test_quiet(clicked: tuple[Watched, list[dict[str, Any]]]) -> None:
    page = clicked[0]
    assert page.said == []
    assert page.errors == []
    assert page.strange == []
    assert page.requests[0] == page.url


def test_figures_have_a_size(seen: Watched, big: Path) -> None:
    sizes = seen.run(
        """() => [...document.querySelectorAll("main figure")].map((figure) => {
          const box = figure.querySelector("svg").getBoundingClientRect();
          return [figure.id, box.width, box.height];
        })"""
    )
    assert {name.removeprefix("figure-") for name, *_ in sizes} == names(big, "figures", "svg")
    assert [one for one in sizes if not (one[1] > 100 and one[2] > 50)] == []


def test_figures_have_names_for_those_who_cannot_see(seen: Watched) -> None:
    labels = seen.run(
        """() => [...document.querySelectorAll("main figure svg")].map((svg) => [svg.getAttribute("role"),
          document.getElementById(svg.getAttribute("aria-labelledby"))?.textContent])"""
    )
    assert all(role == "img" and name for role, name in labels)


# --- sorting ---------------------------------------------------------------------------------------------
def in_order(column: list[str], number: bool, descending: bool, words: list[str]) -> bool:
    """Whether a column is sorted, with what is empty at its end."""
    full = [value for value in column if value != ""]
    if column[len(full) :] != [""] * (len(column) - len(full)):
        return False
    keys = [float(value) if number else words.index(value) for value in full]
    return keys == sorted(keys, reverse=descending)


def test_headings_sort(clicked: tuple[Watched, list[dict[str, Any]]]) -> None:
    page, columns = clicked
    every = sorted({value for one in columns if not one["number"] for value in one["before"]})
    words = page.run("(all) => all.sort(new Intl.Collator('en').compare)", every)
    wrong = []
    for one in columns:
        first, second = (step["column"] for step in one["steps"])
        fine = in_order(first, one["number"], one["number"], words)
        fine = fine and in_order(second, one["number"], not one["number"], words)
        if not fine or sorted(first) != sorted(one["before"]) or sorted(second) != sorted(one["before"]):
            wrong.append((one["table"], one["name"]))
    assert wrong == []


def test_sorting_met_every_kind_of_column(clicked: tuple[Watched, list[dict[str, Any]]]) -> None:
    """Or the test above proves little."""
    columns = clicked[1]
    assert len(columns) > 150
    for number in (True, False):
        some = [one["before"] for one in columns if one["number"] is number]
        assert any("" in column and len(set(column)) > 2 for column in some)
    assert any("e-" in value for one in columns if one["number"] for value in one["before"])
    changed = [one for one in columns if one["steps"][0]["column"] != one["steps"][1]["column"]]
    assert len(changed) > 100


def test_the_heading_says_how_it_is_sorted(clicked: tuple[Watched, list[dict[str, Any]]]) -> None:
    for one in clicked[1]:
        marks = [step["marks"][one["place"]] for step in one["steps"]]
        assert marks == (["descending", "ascending"] if one["number"] else ["ascending", "descending"])
        assert all(sum(mark is not None for mark in step["marks"]) == 1 for step in one["steps"])


def test_sorting_by_mouse_and_keyboard(browser: Any, big: Path) -> None:
    column = "#alien-by-card-rows tbody td:first-child"
    with opened(browser, big / "report.html") as watched:
        button = watched.page.locator("#alien-by-card-rows th button").first
        button.click()
        after_click = watched.page.locator(column).all_text_contents()
        button.press("Enter")
        after_key = watched.page.locator(column).all_text_contents()
    assert after_click == ["Harvester Fleet", "Raiding Party", "Siege Armada", "World Enders"]
    assert after_key == after_click[::-1]


# --- filtering -------------------------------------------------------------------------------------------
def test_filter(browser: Any, big: Path) -> None:
    with opened(browser, big / "report.html") as watched:
        rows = watched.run(ROWS, "aliens-by-game")["all"]
        box = watched.page.locator("input[aria-controls='aliens-by-game-rows']")
        for typed in ("standard", "STANDARD  raiding", "no such row", "3", "siege short 4"):
            box.fill(typed)
            found = watched.run(ROWS, "aliens-by-game")
            expected = sum(all(word in row for word in typed.lower().split()) for row in rows)
            assert (found["shown"], found["said"]) == (expected, f"{expected} of {len(rows)} rows"), typed
            assert expected < len(rows) or typed == "3"
        box.fill("")
        after = watched.run(ROWS, "aliens-by-game")
    assert (after["shown"], after["said"]) == (len(rows), "")


def test_long_tables_have_a_filter(seen: Watched) -> None:
    counted = seen.run(
        """() => [...document.querySelectorAll("table")].map((table) =>
          [table.tBodies[0].rows.length, document.querySelectorAll(`input[aria-controls="${table.id}"]`).length])"""
    )
    assert counted
    assert all((rows >= 8) == (filters == 1) for rows, filters in counted)


# --- names -----------------------------------------------------------------------------------------------
def test_names_are_text(clicked: tuple[Watched, list[dict[str, Any]]]) -> None:
    page = clicked[0]
    cells = page.run("() => [...document.querySelectorAll('td')].map((cell) => cell.textContent)")
    assert SCRIPT in cells
    assert SIGNS in cells
    assert page.dialogs == []
    assert page.run("() => document.querySelectorAll('script').length") == 1


# --- links -----------------------------------------------------------------------------------------------
def test_links_lead_somewhere(seen: Watched) -> None:
    links = seen.run("() => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    lost = seen.run("(all) => all.filter((link) => !document.getElementById(link.slice(1)))", links)
    assert len(links) > 10
    assert all(link.startswith("#") for link in links)
    assert lost == []


def test_parts_of_figures_are_found(seen: Watched) -> None:
    """Clip paths and glyphs: figures use ids of their own, not those of the figure before."""
    lost = seen.run(
        """() => [...document.querySelectorAll("figure svg")].flatMap((svg) => {
          const value = (name) => [...svg.querySelectorAll("*")].map((one) => one.getAttribute(name)).filter(Boolean);
          const clips = value("clip-path").map((link) => link.slice(4, -1));
          const links = [...value("xlink:href"), ...value("href"), ...clips];
          return links.filter((link) => !svg.querySelector("[id='" + link.slice(1) + "']"));
        })"""
    )
    assert lost == []


def test_ids_are_unique(seen: Watched) -> None:
    every = seen.run("() => [...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert sorted({one for one in every if every.count(one) > 1}) == []


def test_evidence_leads_to_its_table(seen: Watched) -> None:
    """Not to the chapter it stands in."""
    kinds = seen.run(
        """() => [...document.querySelectorAll(".evidence a")].map((link) =>
          [link.hash, document.getElementById(link.hash.slice(1))?.className || "figure"])"""
    )
    assert [link for link, kind in kinds if kind not in ("table", "figure")] == []
