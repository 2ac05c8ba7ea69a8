"""What all parts of a trace need: the lines written so far, and names for the log's numbers."""

from __future__ import annotations

from typing import Any

from sim.games.eti.cards import ABILITIES, ALIEN_ABILITIES
from sim.games.eti.pack import card_kinds
from sim.games.eti.play import Setting
from sim.games.eti.state import NONE

Line = dict[str, Any]
Row = tuple[int, ...]

PLACES = ("pile", "face up", "secret", "public", "alien", "lost")


class Scribe:
    """Writes lines; `last` is the one that list entries belong to."""

    def __init__(self, setting: Setting, game: Any) -> None:
        self.setting, self.game = setting, game
        self.kinds = [kind[0] for kind in card_kinds(setting.cards)]
        self.projects = [project.name for project in setting.cards.projects]
        self.events = [event.name for event in setting.cards.events]
        self.immune: list[list[str]] = [[] for _ in range(setting.players)]
        self.tactics: list[str] = []
        self.alien: int | None = None
        self.out: list[Line] = []

    def say(self, do: str, **facts: Any) -> None:
        self.out.append({"do": do, **facts})

    @property
    def last(self) -> Line:
        return self.out[-1]

    def project(self, k: int) -> str | None:
        return None if k == NONE else self.projects[k]

    def event(self, k: int) -> str | None:
        return None if k == NONE else self.events[k]

    @staticmethod
    def seat(p: int) -> int | None:
        return None if p == NONE else p + 1

    @staticmethod
    def members(bits: int) -> list[int]:
        found = []
        while bits:
            found.append(lowest_bit(bits) + 1)
            bits &= bits - 1
        return found

    def ability(self, p: int, a: int) -> str:
        return ALIEN_ABILITIES[a] if p == self.alien else ABILITIES[a]

    def value(self, p: int, a: int, tokens: int) -> int:
        spaces = self.setting.cards.tracks[self.ability(p, a)]
        return spaces[min(tokens, len(spaces) - 1)]


def lowest_bit(bits: int) -> int:
    """The number of the lowest bit set, in plain Python."""
    return (bits & -bits).bit_length() - 1
