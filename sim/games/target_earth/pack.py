"""A card set and rule options as the records the engine reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.games.target_earth.cards import MODES, SIZES, CardSet
from sim.games.target_earth.state import NONE, RANDOM, SMALL, TERROR

_UNITS = ("fighter", "infantry", "tank")


def pack_rules(rules: Mapping[str, int], record: Any) -> None:
    """Write rule options into their record."""
    for name, value in rules.items():
        record[name] = value


def pack_cards(cards: CardSet, mode: int, record: Any) -> None:
    """Write a card set into its record, as a mode has it."""
    data = cards.data
    record["countries"] = len(data["countries"])
    for k, country in enumerate(data["countries"]):
        for key in ("credits", "diplomacy", "points"):
            record[key][k] = country[key]
    for k, ufo in enumerate(data["ufos"]):
        record["ufo_attack"][k], record["ufo_bonus"][k] = ufo["attack"], ufo["bonus"]
    _pack_bags(data, mode, record)
    _pack_aliens(data, mode, record)
    for k, unit in enumerate(_UNITS):
        record["factor"][k][1:] = data["technologies"][unit]["factors"]
    record["radars"] = data["radars"]["needed"]
    for k, card in enumerate(data["alliance"]):
        record["card_count"][k], record["starred"][k] = card["count"], card["starred"]
        record["blank"][k] = card["name"] in cards.blank
    for k, faction in enumerate(data["factions"]):
        record["tokens"][k] = faction["tokens"]
    _pack_objectives(cards, record)


def _pack_bags(data: Mapping[str, Any], mode: int, record: Any) -> None:
    """R-TE-SET-2: the tiles that come with each phase; in random mode all at once."""
    record["bag"][:] = 0
    if mode == RANDOM:
        record["bag"][0] = [ufo["tiles"] for ufo in data["ufos"]]
        return
    for era in range(3):
        record["bag"][era] = data["bags"][MODES[mode]][f"phase_{era + 1}"]


def _pack_aliens(data: Mapping[str, Any], mode: int, record: Any) -> None:
    """The alien cards; R-TE-SET-2: what random mode replaces."""
    for era, card in enumerate(data["aliens"]):
        record["factor_alien"][era] = [card["soldier"], card["tank"]]
        record["load"][era] = [card[size] for size in SIZES]
        record["garrison"][era] = card["garrison"]
    if mode == RANDOM:
        record["load"][:, TERROR] = data["random_mode"]["terror"]
        record["load"][2, SMALL] = data["random_mode"]["small_3"]


def _pack_objectives(cards: CardSet, record: Any) -> None:
    """R-TE-ADV-4, as points by country and status, and by the number of allied countries."""
    names = cards.country_names
    for key in ("if_alien", "if_neutral", "if_allied", "by_count", "leader_points"):
        record[key][:] = 0
    record["leader"][:] = NONE
    for k, objective in enumerate(cards.data["objectives"]):
        if "leader" in objective:
            leader = names.index(objective["leader"])
            record["leader"][k], record["leader_points"][k] = leader, objective["leader_points"]
            record["if_allied"][k][leader] = objective["leader_points"]
        for name, (alien, neutral) in objective.get("rivals", {}).items():
            record["if_alien"][k][names.index(name)] = alien
            record["if_neutral"][k][names.index(name)] = neutral
        for name in objective.get("allied", []):
            record["if_allied"][k][names.index(name)] = objective["each"]
        for most, points in reversed(objective.get("by_count", [])):
            record["by_count"][k][: most + 1] = points
