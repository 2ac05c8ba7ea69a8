"""Which games there are, and which strategies come with them: names and where they live, nothing imported."""

from __future__ import annotations

GAMES: dict[str, str] = {"eti": "sim.games.eti", "target-earth": "sim.games.target_earth"}

_ETI = (
    "random", "cautious", "gambler", "sprinter", "climber", "specialist", "scooper", "fortress", "celebrity",
    "infiltrator", "hoarder",
)  # fmt: skip

_TARGET_EARTH = ("random", "core")

#: game -> strategy -> module; 'random' lives in a module of another name so as not to shadow Python's own
STRATEGIES: dict[str, dict[str, str]] = {
    "eti": {name: f"strategies.eti.{'random_play' if name == 'random' else name}" for name in _ETI},
    "target-earth": {
        name: f"strategies.target_earth.{'random_play' if name == 'random' else name}" for name in _TARGET_EARTH
    },
}
