"""The words of the story: names of seats, projects and goods, and lines no wider than a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sim.prose import WIDTH, count, heading, listed, seat_no, wrapped

__all__ = [
    "ABILITY_WORDS", "LEVELS", "VAULT_WORDS", "WIDTH", "Book", "Line", "card_word", "card_words", "change", "count",
    "goods", "heading", "listed", "seat_no", "threats", "track", "wrapped",
]  # fmt: skip

Line = dict[str, Any]

LEVELS = ("", "I", "II", "III", "IV", "V")
CARD_WORDS = {"data-virus": "data virus", "x0": "×0", "x2": "×2", "x3": "×3"}
FIELD_WORDS = {"life-sciences": "life sciences", "xeno-studies": "xeno studies"}
ABILITY_WORDS = {"eti": "E.T.I."}
VAULT_WORDS = {"secret": "top-secret vault", "public": "public vault"}

#: what the number on a track means
TRACK_WORDS = {
    "staffing": "research cards {}",
    "creativity": "swaps {}",
    "security": "immunities {}",
    "analysis": "ports seen {}",
    "eti": "rounds {}",
    "intel": "uses {}",
    "tactics": "tactics {}",
    "brutality": "base attack {}",
}


@dataclass
class Book:
    """What the story has to remember from the first line on to tell the others."""

    strategies: list[str] = field(default_factory=list)  # seat 1 first
    rules: dict[str, Any] = field(default_factory=dict)
    projects: dict[str, Line] = field(default_factory=dict)  # name -> as in the card file
    texts: dict[str, str] = field(default_factory=dict)  # name of an event or endgame card -> its text
    threshold: int = 0

    def open(self, game: Line) -> None:
        """Take down what the line `game` says."""
        cards = game["cards"]
        self.strategies = list(game["strategies"])
        self.rules = dict(game["rules"])
        self.projects = {project["name"]: project for project in cards["projects"]}
        printed = [*cards["events"], *cards["humans"], *cards["aliens"]]
        self.texts = {card["name"]: card.get("text", "") for card in printed}
        self.threshold = game["threshold"]

    def who(self, seat: int | None) -> str:
        """'Seat 1 (cautious)'."""
        if seat is None:
            return "Nobody"
        if seat > len(self.strategies):
            return f"Seat {seat}"
        return f"Seat {seat} ({self.strategies[seat - 1]})"

    def project(self, name: str) -> str:
        """'Laser Holography (physics III)'."""
        card = self.projects.get(name)
        return f"{name} ({field_of(card)} {LEVELS[card['level']]})" if card else name

    def printed(self, name: str) -> str:
        """A project with all that is printed on it."""
        card = self.projects.get(name)
        if not card:
            return name
        numbers = f"difficulty {card['difficulty']}, defence {card['defence']}, fame {card['fame']}"
        upgrades = "".join(f", +{ability}" for ability in card["upgrades"])
        return f"{name} ({field_of(card)} {LEVELS[card['level']]}: {numbers}{upgrades})"

    def same_field(self, one: str | None, other: str | None) -> bool:
        """Are two projects of one field, so that the bank goes along in full (R-NEW-4)?"""
        cards = [self.projects.get(name or "") for name in (one, other)]
        return cards[0] is not None and cards[1] is not None and cards[0]["field"] == cards[1]["field"]

    def text(self, name: str) -> str:
        """What is printed on an event or endgame card, in quotes; '' if nothing is."""
        return f' "{self.texts[name]}"' if self.texts.get(name) else ""


def field_of(card: Line) -> str:
    """The field of study, in words."""
    name: str = card["field"]
    return FIELD_WORDS.get(name, name)


def card_words(cards: Iterable[str]) -> str:
    """Cards in a row: '10 ×2 arson'; 'nothing' without any."""
    return " ".join(CARD_WORDS.get(card, card).replace(" ", "-") for card in cards) or "nothing"


def card_word(card: str) -> str:
    """One card: '×2', 'data virus'."""
    return CARD_WORDS.get(card, card)


def threats(names: Iterable[str]) -> str:
    """Threats in words: 'spy and data virus'."""
    return listed(map(card_word, names))


def track(ability: str, value: int) -> str:
    """What a space of a track is worth: 'swaps 2'."""
    return TRACK_WORDS[ability].format(value)


def change(before: int, after: int) -> str:
    """'bank 40 → 90'."""
    return f"bank {before} → {after}" if before != after else f"bank stays {after}"


def goods(line: Line, none: str = "nothing") -> str:
    """What an offer holds, or what really moved."""
    parts = [count(line["points"], "point")] if line["points"] else []
    parts += [line["project"]] if line["project"] else []
    parts += [f"the event {line['event']}"] if line["event"] else []
    parts += ["the promise of a vote"] if line["promise"] else []
    return listed(parts, none)
