"""The card set of a game, as its `game` line gives it (docs/cards.md), ready for looking things up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

ABILITIES = ("staffing", "creativity", "security", "analysis")
# R-INV-3: the alien's counterpart of each ability.
COUNTERPART = {"staffing": "eti", "creativity": "intel", "security": "tactics", "analysis": "brutality"}
Effect = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Project:
    """A project card (R-COMP-5)."""

    name: str
    field: str
    level: int
    difficulty: int
    defence: int
    fame: int
    upgrades: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """An event card; `place` is its place in the card file (A-17)."""

    name: str
    place: int
    who: str
    ability: str | None
    good: bool
    keep: str | None
    on: str
    effects: tuple[Effect, ...]


@dataclass(slots=True)
class CardSet:
    """All cards and tracks."""

    research: Counter[str]
    projects: dict[str, Project]
    events: dict[str, Event]
    humans: dict[str, tuple[Effect, ...]]
    aliens: dict[str, tuple[Effect, ...]]
    tracks: dict[str, tuple[int, ...]]
    by_level: dict[int, list[str]] = field(default_factory=dict)

    def space(self, track: str, tokens: int) -> int:
        """The value of a track with so many tokens; those beyond its end count for nothing (A-20)."""
        spaces = self.tracks[track]
        return spaces[min(tokens, len(spaces) - 1)]

    def has_space(self, track: str, tokens: int) -> bool:
        """Is there a space left to reach (A-20)?"""
        return tokens < len(self.tracks[track]) - 1

    def alien_effect(self, card: str, do: str) -> int:
        """The sum of one kind of effect on an alien card."""
        return sum(effect["amount"] for effect in self.aliens[card] if effect["do"] == do)


def read_cards(cards: dict[str, Any]) -> CardSet:
    """The card set from its JSON form."""
    projects = {
        p["name"]: Project(
            p["name"],
            p["field"],
            p["level"],
            p["difficulty"],
            p["defence"],
            p["fame"],
            tuple(p.get("upgrades") or ()),
        )
        for p in cards["projects"]
    }
    by_level: dict[int, list[str]] = {level: [] for level in range(1, 6)}
    for project in projects.values():
        by_level[project.level].append(project.name)
    research: Counter[str] = Counter()
    for kind in cards["research"]:
        research[str(kind["card"])] += kind["count"]
    return CardSet(
        research=research,
        projects=projects,
        events={e["name"]: read_event(e, place) for place, e in enumerate(cards["events"])},
        humans={h["name"]: tuple(h.get("effects") or ()) for h in cards["humans"]},
        aliens={a["name"]: tuple(a.get("effects") or ()) for a in cards["aliens"]},
        tracks={name: tuple(track["spaces"]) for name, track in cards["tracks"].items()},
        by_level=by_level,
    )


def read_event(event: dict[str, Any], place: int) -> Event:
    """One event; what is left out is a good event on oneself that is not kept."""
    good = event.get("good")
    return Event(
        name=event["name"],
        place=place,
        who=event["who"],
        ability=event.get("ability") or None,
        good=True if good is None else bool(good),
        keep=event.get("keep") or None,
        on=event.get("on") or "self",
        effects=tuple(event.get("effects") or ()),
    )
