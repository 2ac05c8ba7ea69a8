"""A page in Debian's chromium, and what it does while nobody looks."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
MISSING = (
    "no chromium on the path: apt install chromium"
    if CHROMIUM is None
    else "no playwright: pip install playwright"
    if importlib.util.find_spec("playwright") is None
    else ""
)
NEEDED = pytest.mark.skipif(bool(MISSING), reason=MISSING)


class Watched:
    """A page, and what it said, asked for and stumbled over."""

    def __init__(self, page: Any, file: Path) -> None:
        self.page, self.url = page, file.as_uri()
        self.said: list[str] = []
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", self._dialog)
        page.goto(self.url)

    def _dialog(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def run(self, script: str, *given: Any) -> Any:
        """What a script finds on the page."""
        return self.page.evaluate(script, *given)

    @property
    def strange(self) -> list[str]:
        """Requests for anything but the page itself."""
        return [url for url in self.requests if url != self.url and not url.startswith("data:")]


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, file: Path, width: int = 1400, scheme: str = "light") -> Iterator[Watched]:
    """A page of its own."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    try:
        yield Watched(page, file)
    finally:
        page.close()


# --- colours ---------------------------------------------------------------------------------------------
def luminance(colour: str) -> float:
    """Of 'rgb(1, 2, 3)', as WCAG has it."""
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21; 4.5 is enough for text."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
