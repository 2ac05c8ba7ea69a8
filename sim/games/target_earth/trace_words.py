"""Words and small helpers of the trace: seats, slots, groups, cells and turns count from 1."""

from __future__ import annotations

from typing import Any

from sim.games.target_earth.cards import CARDS, FACTIONS, OBJECTIVES, SIZES, TECHNOLOGIES
from sim.games.target_earth.play import Setting
from sim.games.target_earth.state import FIRST_BASE, FIRST_COUNTRY, NONE

Line = dict[str, Any]
Row = tuple[int, ...]

MODULE_WORDS = ("hangar", "warehouse", "barracks", "garage", "laboratory", "radar")
UNIT_WORDS = ("fighter", "carrier", "infantry", "tank")
STATUS_WORDS = ("neutral", "allied", "alien")
ALIEN_WORDS = ("soldier", "tank")
SIDE_WORDS = ("alliance", "aliens")
WHY_ENDED = ("points", "no science", "fewer points", "neither", "sudden", "impossible")
BUILD_WORDS = ("head start", "set-up", "production", "engineer")
ATTEMPT_WORDS = ("court", "rebellion", "diplomat", "diplomat rebellion", "card", "free", "aliens")
DRAW_WORDS = ("set-up", "drawn", "swap")
PERSONAL_WORDS = ("battle", "faction", "card")


class Scribe:
    """Writes lines; knows the names of things."""

    def __init__(self, setting: Setting, game: Any) -> None:
        self.setting, self.game = setting, game
        self.out: list[Line] = []
        self.countries = setting.cards.country_names

    def say(self, do: str, **fields: Any) -> Line:
        """A new line."""
        self.out.append({"do": do, **fields})
        return self.out[-1]

    @property
    def last(self) -> Line:
        """The line written last."""
        return self.out[-1]

    def seat(self, p: int) -> int | None:
        """A seat from 1, or nobody."""
        return None if p == NONE else p + 1

    def country(self, k: int) -> str | None:
        """A country's name."""
        return None if k == NONE else self.countries[k]

    def tile(self, k: int) -> Any:
        """What an objective tile shows: a country's name, or a base."""
        if k == NONE:
            return None
        return {"base": k - FIRST_BASE + 1} if k >= FIRST_BASE else self.countries[k]

    def target(self, k: int) -> Any:
        """A mission's target: a slot from 1, or an alien country."""
        return k + 1 if k < FIRST_COUNTRY else self.countries[k - FIRST_COUNTRY]

    def faction(self, k: int) -> str | None:
        """A faction's name."""
        return None if k == NONE else FACTIONS[k]

    def objective(self, k: int) -> str | None:
        """A secret objective's letter."""
        return None if k == NONE else OBJECTIVES[k]


def dice_of(count: int, packed: int) -> list[int]:
    """The dice of a log row."""
    return [(packed >> (3 * k)) & 7 for k in range(count)]


__all__ = ["CARDS", "SIZES", "TECHNOLOGIES"]
