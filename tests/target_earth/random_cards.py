"""Random valid card sets: anything that the card check lets pass, often as extreme as it allows."""

from __future__ import annotations

from random import Random
from typing import Any

from sim.games.target_earth.card_check import BAGS, CARDS, FACTIONS, OBJECTIVES, PHASES, SIZES, TECHNOLOGIES
from sim.games.target_earth.cards import CardSet, cards_from_dict

SOURCE = "assumed"
FEW = 3  # countries at least; fewer come now and then


def some(r: Random, usual: int, most: int) -> int:
    """Mostly small, now and then anywhere up to the most, or the most itself."""
    if r.random() < 0.1:
        return r.choice((most, r.randint(0, most)))
    return r.randint(0, usual)


def units(r: Random) -> list[int]:
    """Soldiers and tanks, eight at most together."""
    n = some(r, 4, 8)
    tanks = r.randint(0, n)
    return [n - tanks, tanks]


def random_countries(r: Random) -> list[dict[str, Any]]:
    """One to forty; classes may be empty."""
    n = r.choice((r.randint(1, 40), 30, 40, r.randint(1, FEW)))
    return [
        {
            "name": f"Country {k}", "credits": some(r, 6, 99), "diplomacy": some(r, 12, 99),
            "points": some(r, 8, 99), "source": SOURCE,
        }
        for k in range(n)
    ]  # fmt: skip


def random_objective(r: Random, name: str, countries: list[str]) -> dict[str, Any]:
    """Points for a leader, for rivals, for a number of countries, for allies: any mix."""
    objective: dict[str, Any] = {"name": name, "title": f"Objective {name}", "source": SOURCE}
    if r.random() < 0.4:
        objective |= {"leader": r.choice(countries), "leader_points": some(r, 5, 99)}
    if r.random() < 0.4:
        rivals = r.sample(countries, r.randint(1, min(4, len(countries))))
        objective["rivals"] = {rival: [some(r, 3, 99), some(r, 3, 99)] for rival in rivals}
    if r.random() < 0.4:
        counts = sorted(r.sample(range(41), r.randint(1, 6)))
        objective["by_count"] = [[count, some(r, 8, 99)] for count in counts]
    if r.random() < 0.4 or len(objective) == 3:
        allied = r.sample(countries, r.randint(1, len(countries)))
        objective |= {"allied": allied, "each": some(r, 2, 99)}
    return objective


def random_aliens(r: Random, phase: int) -> dict[str, Any]:
    """One alien card; a landing may be empty."""
    loads = {size: units(r) for size in (*SIZES, "garrison")}
    return {"phase": phase, "soldier": some(r, 4, 20), "tank": some(r, 6, 20), **loads, "source": SOURCE}


def random_tables(r: Random) -> dict[str, Any]:
    """The tables of a random card file."""
    countries = random_countries(r)
    names = [country["name"] for country in countries]
    least = int(r.random() < 0.8)  # dice of a unit: none at all only now and then
    return {
        "set": {"name": "random", "game": "target-earth", "version": "1", "totals": "free"},
        "countries": countries,
        "ufos": [
            {"name": size, "tiles": some(r, 14, 99), "attack": some(r, 7, 40), "bonus": some(r, 4, 12),
             "source": SOURCE}
            for size in SIZES
        ],
        "bags": {
            mode: {phase: [some(r, 6, 99) for _ in SIZES] for phase in PHASES} | {"source": SOURCE}
            for mode in BAGS
        },
        "aliens": [random_aliens(r, phase) for phase in (1, 2, 3)],
        "random_mode": {"terror": units(r), "small_3": units(r), "source": SOURCE},
        "technologies": {
            name: {"factors": [max(least, some(r, 5, 20)) for _ in range(4)], "source": [SOURCE] * 4}
            for name in TECHNOLOGIES
        },
        "radars": {"needed": sorted(some(r, 6, 48) for _ in range(8)), "source": SOURCE},
        "alliance": [
            {"name": name, "title": name.title(), "count": some(r, 8, 60), "starred": r.random() < 0.5,
             "source": SOURCE}
            for name in CARDS
        ],
        "factions": [
            {"name": name, "title": name.title(), "initiative": k, "tokens": some(r, 3, 9), "source": SOURCE}
            for k, name in enumerate(FACTIONS, start=1)
        ],
        "objectives": [random_objective(r, name, names) for name in OBJECTIVES],
    }  # fmt: skip


def random_cards(r: Random) -> CardSet:
    """A random card set that passes the card check (CardFileError if this module is wrong about that)."""
    return cards_from_dict(random_tables(r))
