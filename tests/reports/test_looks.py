"""How the page looks: narrow and wide, light and dark, on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reports import style
from tests.reports.browser import NEEDED, Watched, chromium, contrast, opened
from tests.reports.kit import text_of

pytestmark = NEEDED

#: what is wider than the window or than its own box, and not in a box that scrolls
OVERFLOWING = """() => [...document.querySelectorAll("main *")].filter((one) => {
  if (one.closest(".scroll, .drawing, pre")) return false;
  const right = one.getBoundingClientRect().right;
  return right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1 && one.clientWidth;
}).map((one) => one.outerHTML.slice(0, 80))"""
#: every element with letters of its own outside figures: its colour and the ground it stands on
TEXTS = """() => {
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/^rgba.*, 0\\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const seen = {};
  for (const one of document.querySelectorAll("body *")) {
    if (one.closest("svg, script, style") || !own(one)) continue;
    const key = [getComputedStyle(one).color, ground(one)].join(" on ");
    seen[key] ??= one.outerHTML.slice(0, 80);
  }
  return seen;
}"""
BODY = "() => { const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]; }"
#: colours of figures' letters that are not on coloured ground
INK = """() => [...new Set([...document.querySelectorAll("figure svg [style*='var(--ink)']")]
  .map((one) => getComputedStyle(one).fill))]"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One for the module."""
    with chromium() as one:
        yield one


@pytest.fixture(scope="module", params=["light", "dark"])
def themed(request: pytest.FixtureRequest, browser: Any, big: Path) -> Iterator[Watched]:
    """The page by day and by night."""
    with opened(browser, big / "report.html", scheme=request.param) as page:
        page.scheme = request.param  # type: ignore[attr-defined]
        yield page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_runs_out_of_the_window(
    browser: Any, big: Path, width: int, scheme: str, tmp_path: Path
) -> None:
    with opened(browser, big / "report.html", width, scheme) as watched:
        widths = watched.run("() => [document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1] == width
        assert watched.run(OVERFLOWING) == []
        watched.page.screenshot(path=tmp_path / f"{scheme}-{width}.png", full_page=True)
    assert (tmp_path / f"{scheme}-{width}.png").stat().st_size > 10_000


def test_contrast(themed: Watched) -> None:
    pairs = themed.run(TEXTS)
    assert len(pairs) >= 5
    weak = [(pair, where) for pair, where in pairs.items() if contrast(*pair.split(" on ")) < 4.5]
    assert weak == []


def test_light_and_dark(themed: Watched) -> None:
    ground, ink = themed.run(BODY)
    assert contrast(ground, "rgb(255, 255, 255)" if themed.scheme == "light" else "rgb(0, 0, 0)") < 1.5
    assert contrast(ground, ink) >= 4.5


def test_figures_follow(themed: Watched) -> None:
    assert themed.run(INK) == [themed.run(BODY)[1]]


def test_no_fixed_ink_is_left(big: Path) -> None:
    page = text_of(big)
    figures = page[page.index("<svg") :]
    assert "var(--ink)" in figures
    assert [one for one in (style.INK, style.MUTED, style.GRID, style.PAPER) if one in figures] == []


def test_headings_take_no_line_more_than_their_words(browser: Any, big: Path) -> None:
    """The place kept for the arrow of sorting must not wrap: it would lift single words off the line."""
    with opened(browser, big / "report.html") as watched:
        tall = watched.run(
            """() => [...document.querySelectorAll("th button")].filter((button) =>
              !button.textContent.includes(" ") && button.getBoundingClientRect().height > 24)
              .map((button) => button.textContent)"""
        )
    assert tall == []


# --- paper -----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module", params=["light", "dark"])
def printed(request: pytest.FixtureRequest, browser: Any, big: Path) -> Iterator[Watched]:
    """The page as it is printed, on A4."""
    with opened(browser, big / "report.html", 718, request.param) as page:
        page.page.emulate_media(media="print", color_scheme=request.param)
        yield page


def test_tables_are_whole_on_paper(printed: Watched) -> None:
    boxes = printed.run(
        """() => [...document.querySelectorAll(".scroll")].map((box) => {
          const style = getComputedStyle(box);
          return [style.maxHeight, style.overflowX, style.overflowY, box.scrollHeight - box.clientHeight];
        })"""
    )
    assert boxes
    assert all(box[:3] == ["none", "visible", "visible"] and box[3] <= 1 for box in boxes)


def test_paper_is_white_and_without_controls(printed: Watched) -> None:
    assert printed.run(BODY) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    controls = printed.run(
        """() => [...document.querySelectorAll("nav, .filter")].filter((one) => one.getClientRects().length).length"""
    )
    assert controls == 0


def test_nothing_is_cut_off_on_paper(printed: Watched) -> None:
    wide = printed.run(
        """() => [...document.querySelectorAll("main table, main svg, main p")].filter((one) =>
          one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.id || one.outerHTML.slice(0, 60))"""
    )
    assert wide == []


def test_pdf(printed: Watched) -> None:
    pdf = printed.page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page/") + pdf.count(b"/Type /Page ") >= 3
