"""Which games there are, and which strategies come with them: names and where they live, nothing imported."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

GAMES: dict[str, str] = {"eti": "sim.games.eti", "target-earth": "sim.games.target_earth"}

_ETI = (
    "random", "cautious", "gambler", "sprinter", "climber", "specialist", "scooper", "fortress", "celebrity",
    "infiltrator", "hoarder",
)  # fmt: skip

_TARGET_EARTH = (
    "random", "core", "balanced", "air_defence", "ground_war", "diplomacy_first", "science_rush", "cooperate",
    "hold_back", "betray",
)  # fmt: skip

#: game -> strategy -> module; 'random' lives in a module of another name so as not to shadow Python's own
STRATEGIES: dict[str, dict[str, str]] = {
    "eti": {name: f"strategies.eti.{'random_play' if name == 'random' else name}" for name in _ETI},
    "target-earth": {
        name: f"strategies.target_earth.{'random_play' if name == 'random' else name}"
        for name in _TARGET_EARTH
    },
}

#: game -> the strategies that play when nothing is said
DEFAULT_STRATEGIES: dict[str, tuple[str, ...]] = {
    "eti": ("cautious", "gambler", "climber", "scooper"),
    "target-earth": ("core",),
}


class OwnWord(NamedTuple):
    """A word of a study that only this game has: it takes one value or several, as `players` does."""

    default: str
    text: str
    told: bool = False  # in commands, even when it is the default


#: game -> its own words, in the order in which cells are counted and `make_setting` takes them
OWN_WORDS: dict[str, dict[str, OwnWord]] = {
    "eti": {
        "length": OwnWord("standard", "short, standard or epic", told=True),
        "alien": OwnWord("drawn", "an alien card, or 'drawn': in secret, from the seed"),
    },
    "target-earth": {
        "mode": OwnWord("normal", "which UFOs come: easy, normal, hard or random"),
        "variant": OwnWord("base", "base, or advanced: with personal points"),
    },
}


class About(NamedTuple):
    """How messages and help texts name a game, and examples that are right in it."""

    title: str
    players: str
    rule: str
    change: str
    acts: str  # what is kept of each game beside its rows


ABOUT: dict[str, About] = {
    "eti": About("E.T.I.", "3 to 6", "public_fame=5", "'blank Decoy Beacon'", "claim and event"),
    "target-earth": About(
        "Target Earth", "1 to 4", "sudden_points=60", "'sudden_points=60'", "card, country and UFO"
    ),
}


def part(game: str, name: str) -> Any:
    """A module of a game, imported: `part("eti", "trace")`. None if this game has no such module."""
    module = f"{GAMES[game]}.{name}"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None
