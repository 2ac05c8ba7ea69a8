"""The golden games of Target Earth, and how their files are written: `scripts/golden` writes them anew.

As in tests/golden: a file is the trace of a game, but its first line holds the card set's hash instead of the set.
The games are cut short by rule options (one or two turns, phases that change sooner), so that a person can read
them; whole games are judged by the referee.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sim.games.target_earth.play import make_setting
from sim.games.target_earth.trace import trace_game
from tests.target_earth.golden.schema import described

FOLDER = Path(__file__).parent
SCHEMA_FILE = FOLDER / "schema.json"
SEED = 1
#: two turns, of phases I and II, that end by points
SHORT = {"turns": 2, "phase_2_turn": 2, "phase_3_turn": 3, "science_goal": 1}
GAMES: dict[str, tuple[int, dict[str, Any]]] = {  # file -> index and setting
    "base": (0, {"strategies": ["core"], "players": 4, "rules": SHORT | {"turns": 1}}),
    "advanced": (32, {"strategies": ["random", "core"], "variant": "advanced", "rules": SHORT}),
    "options": (
        48,
        {
            "strategies": ["random"],
            "players": 3,
            "mode": "random",
            "rules": SHORT
            | {"alien_diplomacy": 1, "factions": 1, "die_picks_module": 1, "alliance_votes": 0, "ufos_2": 4},
        },
    ),
}


def golden_file(name: str) -> Path:
    """Where a golden game lies."""
    return FOLDER / f"{name}.jsonl"


def golden_text(name: str) -> str:
    """The trace of a golden game, played now."""
    index, words = GAMES[name]
    setting = make_setting(**words)
    lines = trace_game(setting, SEED, index)
    lines[0]["cards"] = setting.cards.hash()
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def schema_text() -> str:
    """The tables of the records, their columns and types, as they are now."""
    return json.dumps(described(), indent=1) + "\n"


def main() -> None:
    """Write all files anew, and say which of them changed."""
    texts = {golden_file(name): golden_text(name) for name in GAMES} | {SCHEMA_FILE: schema_text()}
    for file, text in texts.items():
        same = file.exists() and file.read_text(encoding="utf-8") == text
        file.write_text(text, encoding="utf-8", newline="\n")
        print(f"{'as it was' if same else 'CHANGED  '}  {file.name}  {len(text):,} bytes")


if __name__ == "__main__":
    main()
