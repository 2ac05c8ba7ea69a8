"""Changes, sums and experiments for tests: what differs between two settings, small runs, and the luck of a game."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.errors import UserError
from sim.folder import RunFolder, shard_path
from sim.games.eti.cards import CardSet, Effect, load_cards, slug
from sim.games.eti.play import Setting
from sim.plan import Ready
from sim.study import make_plan
from tests.runs.kit import PATIENCE, environment

CARDS = load_cards()
SECTIONS = ("projects", "events", "humans", "aliens")
TRIO = ("cautious", "gambler", "climber")
TABLE = {"players": 3, "length": "short", "strategies": list(TRIO), "games": 6, "chunk": 6}


def ready(*changes: Sequence[str], **words: Any) -> Ready:
    """A plan with an arm for each list of changes."""
    return make_plan(TABLE | {"changes": [list(one) for one in changes]} | words)


def changed(*texts: str, **words: Any) -> Setting:
    """The setting that these changes make."""
    found: Setting = ready(texts, **words).settings[0]
    return found


@cache
def base() -> Setting:
    """The setting without any change."""
    return changed()


def complaint(*texts: str, **words: Any) -> str:
    """The one line that is said of wrong changes."""
    with pytest.raises(UserError) as caught:
        changed(*texts, **words)
    assert len(caught.value.lines) == 1, caught.value.lines
    line = caught.value.lines[0]
    assert "\n" not in line
    assert len(line) < 500
    return line


# --- what is different --------------------------------------------------------------------------------------
def leaves(value: Any, where: str = "") -> dict[str, Any]:
    """Every single value of nested tables, lists and cards, by its place; cards by their names."""
    if isinstance(value, Effect):
        return leaves(value.to_dict(), where)
    if isinstance(value, Mapping):
        parts = {str(key): one for key, one in value.items()}
    elif isinstance(value, list | tuple):
        parts = {_name(one, k): one for k, one in enumerate(value)}
    elif hasattr(value, "__dataclass_fields__"):
        parts = vars(value)
    else:
        return {where: value}
    return {
        key: leaf
        for name, one in parts.items()
        for key, leaf in leaves(one, f"{where}.{name}".strip(".")).items()
    }


def _name(one: Any, place: int) -> str:
    name = getattr(one, "name", None) or getattr(one, "card", None)
    return slug(name) if isinstance(name, str) else str(place)


def differences(old: Any, new: Any) -> dict[str, tuple[Any, Any]]:
    """What is not the same: its place -> before and after, None for what is not there."""
    before, after = leaves(old), leaves(new)
    places = [*before, *(place for place in after if place not in before)]
    return {p: (before.get(p), after.get(p)) for p in places if before.get(p) != after.get(p)}


def cards_changed(*texts: str) -> dict[str, tuple[Any, Any]]:
    """What changes make different in the cards, when nothing else is."""
    found = changed(*texts)
    assert setting_but_cards(found) == setting_but_cards(base())
    return differences(CARDS, found.cards)


def setting_but_cards(setting: Setting) -> tuple[Any, ...]:
    """All other words of a setting."""
    return (
        setting.players, [(s.name, s.params) for s in setting.strategies], setting.length, setting.alien,
        dict(setting.rules), setting.drawn, setting.rerolled,
    )  # fmt: skip


def all_names(cards: CardSet = CARDS) -> list[tuple[str, str]]:
    """Section and name of every card that can be changed."""
    return [(section, card.name) for section in SECTIONS for card in getattr(cards, section)]


# --- compiled runs ------------------------------------------------------------------------------------------
_PLAYER = """
import json, sys
from sim.run import run
from sim.study import make_plan
from sim.workers import Workers
if __name__ == "__main__":
    for out, words, workers in json.load(sys.stdin):
        run(out, make_plan(words), Workers(*workers))
"""


def play_all(runs: Sequence[tuple[Path, Mapping[str, Any], tuple[Any, ...]]]) -> None:
    """Play runs, compiled, one after another in one process: each its folder, words, and what makes its workers."""
    file = runs[0][0].parent / "player.py"
    file.write_text(_PLAYER, encoding="utf-8")
    asked = json.dumps([(str(out), words, workers) for out, words, workers in runs])
    done = subprocess.run(
        [sys.executable, str(file)],
        input=asked, capture_output=True, text=True, env=environment(), timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def table(out: Path, name: str) -> pl.DataFrame:
    """A table of a finished run, chunk by chunk."""
    folder = RunFolder(out)
    assert folder.complete
    return pl.concat(pl.read_parquet(shard_path(out, name, *key)) for key in sorted(folder.receipts()))


def content(out: Path) -> dict[str, str]:
    """An experiment: hashes of its words, its result, its tables and all its shards."""
    kept = [out / "lab.json", out / "result.json", *out.glob("tables/*"), *out.glob("stages/*/*/*.parquet")]
    return {path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}
