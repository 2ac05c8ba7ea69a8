"""The words of the story: names of seats, countries and units, dice and hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.games.target_earth.options import defaults
from sim.prose import count, listed, seat_no

Line = dict[str, Any]

ROMAN = ("", "I", "II", "III")
COLUMNS = 6  # cells of a row of a base's grid
TECHNOLOGY_WORDS = ("fighters", "troops", "tanks", "alien science")


@dataclass
class Book:
    """What the story has to remember from the first line on to tell the others."""

    strategies: list[str] = field(default_factory=list)  # seat 1 first
    rules: dict[str, Any] = field(default_factory=dict)
    countries: dict[str, Line] = field(default_factory=dict)
    cards: dict[str, Any] = field(default_factory=dict)
    targets: dict[int, Any] = field(default_factory=dict)  # slot -> its objective
    sizes: dict[int, str] = field(default_factory=dict)  # slot -> the size of its UFO

    def open(self, game: Line) -> None:
        """Take down what the line `game` says."""
        self.strategies, self.rules, self.cards = list(game["strategies"]), dict(game["rules"]), game["cards"]
        self.countries = {country["name"]: country for country in self.cards["countries"]}

    def changed_rules(self) -> list[str]:
        """Rule options that are not the rulebook's."""
        usual = defaults()
        return [f"{name} = {value}" for name, value in self.rules.items() if usual.get(name) != value]

    def who(self, seat: int | None) -> str:
        """'Seat 1 (core)'."""
        if seat is None:
            return "Nobody"
        if seat > len(self.strategies):
            return f"Seat {seat}"
        return f"Seat {seat} ({self.strategies[seat - 1]})"

    def country(self, name: str) -> str:
        """'Spain (C 3, D 8, V 2)'."""
        one = self.countries.get(name)
        return f"{name} (C {one['credits']}, D {one['diplomacy']}, V {one['points']})" if one else name

    def title(self, section: str, name: str) -> str:
        """The printed name of a faction, an objective or a card."""
        found = next((one for one in self.cards.get(section, []) if one["name"] == name), None)
        return str(found["title"]) if found and "title" in found else name

    def ufo(self, size: str) -> Line:
        """A size of UFO as in the card file."""
        return next((one for one in self.cards["ufos"] if one["name"] == size), {"attack": 0, "bonus": 0})

    def objective(self, told: Any) -> str:
        """What a UFO flies to."""
        return f"the base of {seat_no(told['base'])}" if isinstance(told, dict) else self.country(str(told))

    def target(self, told: Any) -> str:
        """Where an army goes, or a battle is fought: a slot, or an alien country."""
        if isinstance(told, int):
            return f"slot {told} (the {self.sizes.get(told, '')} UFO at {place(self.targets.get(told))})"
        return f"the alien base in {told}"

    def hits(self, dice: Iterable[int]) -> int:
        """How many of these dice hit."""
        return sum(die >= self.rules["hit_from"] for die in dice)

    def rolled(self, dice: Sequence[int]) -> str:
        """'1 5 6 (2 hits)'."""
        return f"{faces(dice)} ({count(self.hits(dice), 'hit')})"

    def factors(self, levels: Sequence[int]) -> str:
        """The dice of a unit at these levels: 'fighter 2, infantry 1, tank 2'."""
        tables = self.cards["technologies"]
        return ", ".join(
            f"{name} {tables[name]['factors'][level - 1]}"
            for name, level in zip(("fighter", "infantry", "tank"), levels, strict=False)
        )

    def knowledge_for(self, name: str, level: int) -> int:
        """The knowledge that the next level of a technology needs."""
        return int(self.rules.get(f"{'science' if name == 'science' else 'unit'}_knowledge_{level + 1}", 0))


def place(told: Any) -> str:
    """An objective in short: 'Spain', 'the base of seat 2'."""
    return f"the base of {seat_no(told['base'])}" if isinstance(told, dict) else str(told)


def faces(dice: Iterable[int]) -> str:
    """Dice in a row."""
    return " ".join(map(str, dice)) or "no dice"


def added(dice: Sequence[int], *more: tuple[int, str]) -> str:
    """'3 + 4 + 1 (10 or more allied countries) = 8'; what is 0 is left out."""
    parts = [str(die) for die in dice]
    total = sum(dice)
    for number, why in more:
        if number:
            parts.append(f"{'−' if number < 0 else '+'} {abs(number)} ({why})")
            total += number
    head = " + ".join(parts[: len(dice)])
    return f"{' '.join([head, *parts[len(dice) :]])} = {total}"


def cell_word(cell: int) -> str:
    """'cell 14 (column 2, row 3)'."""
    return f"cell {cell} (column {(cell - 1) % COLUMNS + 1}, row {(cell - 1) // COLUMNS + 1})"


def unit_word(unit: str, elite: bool = False) -> str:
    """'an elite fighter', 'infantry'."""
    if elite:
        return f"an elite {unit}"
    return "an infantry unit" if unit == "infantry" else f"a {unit}"


def units(number: int, unit: str, elite: bool = False) -> str:
    """'2 elite tanks', '1 infantry'."""
    word = f"elite {unit}" if elite else unit
    return count(number, word, word if unit == "infantry" else "")


def lot(draw: Sequence[int]) -> str:
    """'drawn: the 2nd of 5'; one that was the only one was not drawn."""
    k, n = draw
    return "the only one there" if n == 1 else f"drawn: number {k + 1} of {n}"


def hand_words(cards: Iterable[str]) -> str:
    """'bonus ×2, ace'."""
    return ", ".join(f"{card} ×{n}" if n > 1 else card for card, n in Counter(cards).items()) or "nothing"


def score(points: Sequence[int]) -> str:
    """'24 points against 26'."""
    return f"Alliance {points[0]}, aliens {points[1]}"


def technology(name: str) -> str:
    """A technology in a sentence."""
    return "alien science" if name == "science" else name


def levels(numbers: Sequence[int]) -> str:
    """'fighters 2, troops 1, tanks 1, alien science 1'."""
    return ", ".join(f"{name} {level}" for name, level in zip(TECHNOLOGY_WORDS, numbers, strict=False))


__all__ = [
    "ROMAN", "Book", "Line", "added", "cell_word", "count", "faces", "hand_words", "levels", "listed", "lot", "place",
    "score", "seat_no", "technology", "unit_word", "units",
]  # fmt: skip
