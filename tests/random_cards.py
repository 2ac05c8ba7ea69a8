"""Random valid card sets: any mix of cards that the card check lets pass, made of the whole effect vocabulary.

Numbers are mostly small, so that games come to the point, and now and then anywhere in their range.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sim.games.eti import card_words as words
from sim.games.eti.cards import CardSet, cards_from_dict

SOURCE = "assumed"
SMALL = 40  # amounts of effects are mostly within this


def some(r: Random, low: int, high: int, usual: int) -> int:
    """A whole number from low to high, mostly no further from 0 than `usual`."""
    if r.random() < 0.15:
        return r.randint(low, high)
    return r.randint(max(low, -usual), min(high, max(low, usual)))


def random_effect(r: Random, do: str, keys: words.EffectKeys) -> dict[str, Any]:
    """One effect with random values; an upgrade's ability may be left out."""
    effect: dict[str, Any] = {"do": do}
    for key, valid in keys.items():
        if isinstance(valid, words.Range):
            effect[key] = some(r, valid.low, valid.high, SMALL)
        elif key != "ability" or r.random() < 0.5:
            effect[key] = r.choice(valid)
    return effect


def random_effects(
    r: Random, vocabulary: dict[str, words.EffectKeys], once: bool = False
) -> list[dict[str, Any]]:
    """One to three effects; `once`: each kind at most once."""
    n = r.randint(1, 3)
    kinds = r.sample(list(vocabulary), n) if once else r.choices(list(vocabulary), k=n)
    return [random_effect(r, do, vocabulary[do]) for do in kinds]


def random_research(r: Random) -> list[dict[str, Any]]:
    """One to nine numbers, any multipliers and threats, 20 to 250 cards."""
    numbers = [str(n) for n in r.sample(range(1, 201), r.randint(1, 9))]
    others = [card for card in words.MULTIPLIERS + words.THREATS if r.random() < 0.8]
    kinds = {card: r.randint(0, 16) for card in numbers + others}
    kinds[numbers[0]] += max(0, 20 - sum(kinds.values()))
    return [{"card": card, "count": count, "source": SOURCE} for card, count in kinds.items()]


def random_projects(r: Random) -> list[dict[str, Any]]:
    """Five to 62 projects, at least five of them of level 1."""
    levels = [1] * 5 + [r.randint(1, 5) for _ in range(r.randint(0, 57))]
    hardest = r.choice((60, 300, 2000))
    return [
        {
            "name": f"Project {k}",
            "field": r.choice(words.FIELDS),
            "level": level,
            "difficulty": r.randint(1, hardest),
            "defence": some(r, 0, 200, SMALL),
            "fame": some(r, 0, 200, SMALL),
            "upgrades": r.choices(words.ABILITIES, k=r.choice((0, 1, 1, 2, 3))),
            "source": SOURCE,
        }
        for k, level in enumerate(levels)
    ]


def random_event(r: Random, number: int) -> dict[str, Any]:
    """An event; what its keys demand of each other is kept to."""
    event: dict[str, Any] = {"name": f"Event {number}", "who": r.choice(words.WHO), "source": SOURCE}
    event["good"] = r.random() < 0.6
    if event["who"] == "vote" and r.random() < 0.7:
        event["ability"] = r.choice(words.ABILITIES)
    if event["who"] in words.KEEPERS and r.random() < 0.5:
        event["keep"] = r.choice(words.KEEP)
        event["on"] = r.choice(words.ON)
    vocabulary = words.INVASION_EFFECTS if event.get("keep") == "invasion" else words.ROUND_EFFECTS
    event["effects"] = random_effects(r, vocabulary)
    return event


def random_track(r: Random, name: str) -> dict[str, Any]:
    """A track of 2 to 10 spaces."""
    low, high = words.SPACES[name]
    spaces = [some(r, low, high, 8) for _ in range(r.randint(2, 10))]
    return {"spaces": sorted(spaces) if name in words.NEVER_FALLING else spaces, "source": SOURCE}


def random_tables(r: Random) -> dict[str, Any]:
    """The tables of a random card file."""
    return {
        "set": {"name": "random", "game": "eti", "version": "1", "totals": "free"},
        "research": random_research(r),
        "projects": random_projects(r),
        "events": [random_event(r, k) for k in range(r.randint(1, 40))],
        "humans": [
            {"name": f"Human {k}", "effects": random_effects(r, words.INVASION_EFFECTS), "source": SOURCE}
            for k in range(r.randint(5, 10))
        ],
        "aliens": [
            {
                "name": f"Alien {k}",
                "ufos": r.randint(1, 4),
                "effects": random_effects(r, words.ALIEN_EFFECTS, once=True),
                "source": SOURCE,
            }
            for k in range(r.randint(1, 8))
        ],
        "tracks": {name: random_track(r, name) for name in words.SPACES},
    }


def random_cards(r: Random) -> CardSet:
    """A random card set that passes the card check (CardFileError if this module is wrong about that)."""
    return cards_from_dict(random_tables(r))
