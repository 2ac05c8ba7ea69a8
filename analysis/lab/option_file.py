"""What a search found as a study file: `xenobalance run OUT --study FILE` plays it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.lab.knobs import Scale
from analysis.lab.metrics import GAME
from analysis.lab.search import Outcome
from sim.plan import REFERENCE
from sim.registry import OWN_WORDS
from sim.study import make_plan

OPTION_FILE = "tuned.toml"


def option_file(base: Mapping[str, Any], found: Outcome, games: int, seed: int) -> str:
    """The table with the changes, in TOML; with the seed of the report, so that its games come out again.

    Changes that are rule options stand under `[rules]`, all others as texts in `changes`.
    """
    changes = found.nearest.texts
    settings = make_plan({**base, "changes": [[], changes], "games": 1}).settings
    rules = Scale(base, settings[0]).rules_only(settings[1])
    lines = [*_head(found), *_table(base)]
    if changes and rules is None:
        lines.append(f"changes = {_toml([changes])}")
    lines += [f"games = {games}", f"seed = {seed}"]
    options = {**base["rules"], **(rules or {})}
    if options:
        lines += ["", "[rules]", *(f"{name} = {_toml(value)}" for name, value in options.items())]
    lines += _variants(base)
    return "\n".join(lines) + "\n"


def _head(found: Outcome) -> Iterator[str]:
    """What this is, as comments."""
    place = found.final.candidates.index(found.nearest)
    met = "Meets" if found.met else "Comes nearest to, without meeting them all,"
    yield f"# {met} these targets: {', '.join(target.text for target in found.final.targets)}."
    yield f"# Changed: {found.nearest.label}."
    for number, target in enumerate(found.final.targets):
        value, ends = float(found.final.measured[number].value[place]), found.final.interval(place, number)
        yield f"# {target.measure.name} = {value:.4g} (95 %: {ends[0]:.4g} to {ends[1]:.4g}), wanted {target.band}."
    yield ""


def _table(base: Mapping[str, Any]) -> Iterator[str]:
    """The words of the table. A card set without a file cannot be named: a comment says so."""
    if base["game"] != GAME:
        yield f"game = {_toml(base['game'])}"
    words = ("players", *OWN_WORDS[base["game"]])
    yield from (f"{word} = {_toml(base[word])}" for word in words if word in base)
    names = [one if isinstance(one, str) else one.name for one in base["strategies"]]
    yield f"strategies = {_toml([names])}"
    yield f"line_up = {_toml(base['line_up'])}"
    cards = base["cards"]
    if not isinstance(cards, str) and hasattr(cards, "hash"):
        yield f"# cards: {cards.name}, which is in no file"
    elif str(cards) != REFERENCE:
        yield f"cards = {_toml([str(cards)])}"


def _variants(base: Mapping[str, Any]) -> Iterator[str]:
    """Strategies that were given as objects, with their parameters."""
    for one in {one.name: one for one in base["strategies"] if not isinstance(one, str)}.values():
        yield from ("", f"[variants.{_toml(one.name)}]", f"of = {_toml(one.spec or one.name)}")
        yield from (f"{param.name} = {_toml(param.value)}" for param in one.params)


def _toml(value: Any) -> str:
    """Texts, numbers, truth and lists look the same in TOML and JSON."""
    return json.dumps(value, ensure_ascii=False)
