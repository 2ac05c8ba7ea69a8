"""The golden games, and how their files are written: `scripts/golden` writes them anew.

A file is the trace of a game as docs/trace.md has it, but for one thing: instead of the whole card set its first
line holds the card set's hash, which keeps the files small and still tells when a card has changed.
"""

from __future__ import annotations

import json
from pathlib import Path

from sim.games.eti.play import make_setting
from sim.games.eti.trace import trace_game

FOLDER = Path(__file__).parent
SEED = 1
GAMES: dict[str, tuple[str, ...]] = {  # file -> who plays; three players, short
    "random": ("random", "random", "random"),
    "careful": ("cautious", "hoarder", "specialist"),
    "bold": ("gambler", "sprinter", "climber"),
    "rivals": ("scooper", "infiltrator", "random"),
    "famous": ("celebrity", "fortress", "random"),
}


def golden_file(name: str) -> Path:
    """Where a golden game lies."""
    return FOLDER / f"{name}.jsonl"


def golden_text(name: str) -> str:
    """The trace of a golden game, played now."""
    setting = make_setting(GAMES[name], length="short")
    lines = trace_game(setting, SEED, index=list(GAMES).index(name))
    lines[0]["cards"] = setting.cards.hash()
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def main() -> None:
    """Write all files anew, and say which of them changed."""
    for name in GAMES:
        file, text = golden_file(name), golden_text(name)
        same = file.exists() and file.read_text(encoding="utf-8") == text
        file.write_text(text, encoding="utf-8", newline="\n")
        print(f"{'as it was' if same else 'CHANGED  '}  {file.name}  {len(text):,} bytes")


if __name__ == "__main__":
    main()
