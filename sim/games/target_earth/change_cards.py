"""Changes to card sets of Target Earth: values of one entry or many, cards blank or gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.card_checks import slug
from sim.changes import Change, key_of
from sim.errors import UserError, did_you_mean, shown
from sim.games.target_earth.card_check import PHASES, SIZES, SLOTS, check_data
from sim.games.target_earth.cards import CardSet

LEVELS = tuple(f"level-{level}" for level in (1, 2, 3, 4))
_UNITS = ("soldiers", "tanks")
_LANDED = (*SIZES, "garrison")
_OF_LANDED = tuple(f"{where}-{unit}" for where in _LANDED for unit in _UNITS)
#: what may be changed of the entries of each section
KEYS: dict[str, tuple[str, ...]] = {
    "countries": ("credits", "diplomacy", "points"),
    "ufos": ("attack", "bonus", "tiles"),
    "aliens": ("soldier", "tank", *_UNITS, *_OF_LANDED),
    "bags": SIZES,
    "random_mode": tuple(f"{size}-{unit}" for size in ("small", "terror") for unit in _UNITS),
    "technologies": ("factors", *LEVELS),
    "radars": ("needed", *(f"slot-{slot}" for slot in range(1, SLOTS + 1))),
    "alliance": ("count",),
    "factions": ("tokens",),
    "objectives": ("leader_points", "each"),
}
NAMED = ("countries", "ufos", "technologies", "alliance", "factions")  # each entry may be named alone
_RANDOM_KEYS = {"terror": "terror", "small": "small_3"}

Entry = Mapping[str, Any]


def card_names(cards: CardSet) -> dict[str, tuple[str, str]]:
    """Where each entry stands that has a name of its own: as typed -> section and name."""
    return {key_of(name): (section, name) for section in NAMED for name in _names(cards, section)}


def _names(cards: CardSet, section: str) -> list[str]:
    entries = cards.data[section]
    return list(entries) if isinstance(entries, Mapping) else [str(entry["name"]) for entry in entries]


# --- values ------------------------------------------------------------------------------------------------
def change_card(cards: CardSet, change: Change, name: str, key: str) -> CardSet:
    """One value of one entry: `USA.credits`, `ace.count`, `terror.attack`, `fighter.level-2`."""
    section, found = card_names(cards)[key_of(name)]
    return _changed(cards, change, section, key, lambda entry, one: one == found)


def change_section(cards: CardSet, change: Change, owner: str, key: str) -> CardSet:
    """One value of all entries of a section, or of some: countries:class-2, ufos:terror, aliens:phase-3."""
    section, colon, which = owner.partition(":")
    which = slug(which)
    if not colon:
        cards = _changed(cards, change, section, key, lambda entry, one: True)
        same = key in _UNITS or key in KEYS["random_mode"]
        return _changed_random(cards, change, key) if section == "aliens" and same else cards
    valid = _groups(cards, section)
    if which not in valid:
        near, choices = did_you_mean(which, list(valid)), ", ".join(valid) or f"{section}, all of them"
        raise change.wrong(f"no {section} {shown(which)}{near}; valid: {choices}")
    return _changed(cards, change, section, key, valid[which])


def _groups(cards: CardSet, section: str) -> dict[str, Callable[[Entry, str], bool]]:
    """Parts of a section: the word behind the colon -> whether an entry belongs to it."""
    found: dict[str, Callable[[Entry, str], bool]] = {}
    if section == "countries":
        for credits in sorted({int(one["credits"]) for one in cards.countries}):
            found[f"class-{credits}"] = lambda entry, _, c=credits: entry["credits"] == c  # type: ignore[misc]
    elif section == "aliens":
        for phase in (1, 2, 3):
            found[f"phase-{phase}"] = lambda entry, _, p=phase: entry["phase"] == p  # type: ignore[misc]
    elif section not in ("radars", "random_mode"):
        for name in _names(cards, section):
            found[slug(name)] = lambda entry, one, n=name: one == n  # type: ignore[misc]
    return found


def _changed(
    cards: CardSet, change: Change, section: str, key: str, chosen: Callable[[Entry, str], bool]
) -> CardSet:
    """A card set with one value changed in the chosen entries of a section."""
    key = key if key in KEYS[section] else key_of(key)
    if key not in KEYS[section]:
        near, valid = did_you_mean(key, KEYS[section]), ", ".join(KEYS[section])
        raise change.wrong(f"{section} have no {shown(key)}{near}; valid: {valid}")
    entries = cards.data[section]
    other: Any
    if section == "random_mode":
        other = _landed(entries, change, key, _RANDOM_KEYS)
    elif section == "radars":
        other = {**entries, "needed": _listed(entries["needed"], change, key)}
    elif isinstance(entries, Mapping):
        other = {
            n: _entry(entry, change, section, key) if chosen(entry, n) else entry
            for n, entry in entries.items()
        }
    else:
        other = [
            _entry(one, change, section, key) if chosen(one, str(one.get("name", ""))) else one
            for one in entries
        ]
    if section == "objectives" and not any(key in one and chosen(one, one["name"]) for one in entries):
        raise change.wrong(f"no objective has {key} there; valid: {', '.join(KEYS[section])}")
    free = key in ("tiles", "count") or section == "bags"
    told = {"set": {**cards.data["set"], "totals": "free"}} if free else {}
    return replace(cards, data={**cards.data, section: other, **told})


def _entry(entry: Entry, change: Change, section: str, key: str) -> Entry:
    """An entry with one of its values changed, or the same one where it has no such value."""
    if section == "technologies":
        return {**entry, "factors": _listed(entry["factors"], change, key)}
    if section == "bags":
        size = SIZES.index(key)
        return {**entry, **{phase: _with(entry[phase], size, change) for phase in PHASES}}
    if section == "aliens" and key not in ("soldier", "tank"):
        return _landed(entry, change, key, {where: where for where in _LANDED})
    return {**entry, key: int(change.number(entry[key]))} if key in entry else entry


def _landed(entry: Entry, change: Change, key: str, names: Mapping[str, str]) -> Entry:
    """How many soldiers or tanks land: of one size of UFO, or of all and in garrisons."""
    where, _, unit = key.rpartition("-")
    places = [names[where]] if where else list(names.values())
    return {**entry, **{place: _with(entry[place], _UNITS.index(unit), change) for place in places}}


def _changed_random(cards: CardSet, change: Change, key: str) -> CardSet:
    """R-TE-SET-2: what random mode replaces in the alien cards changes with them."""
    other = _landed(cards.data["random_mode"], change, key, _RANDOM_KEYS)
    return replace(cards, data={**cards.data, "random_mode": other})


def _listed(values: Sequence[int], change: Change, key: str) -> list[int]:
    """All numbers of a list, or the one at a level or slot."""
    chosen = range(len(values)) if "-" not in key else [int(key.rpartition("-")[2]) - 1]
    return [int(change.number(value)) if k in chosen else value for k, value in enumerate(values)]


def _with(values: Sequence[int], place: int, change: Change) -> list[int]:
    return [int(change.number(value)) if k == place else value for k, value in enumerate(values)]


# --- without --------------------------------------------------------------------------------------------------
def _alliance_card(cards: CardSet, change: Change) -> str:
    names = {key_of(name): name for name in _names(cards, "alliance")}
    if key_of(change.target) not in names:
        near = did_you_mean(key_of(change.target), names)
        raise change.wrong(
            f"no card {shown(change.target)}{near}; valid: an Alliance card: {', '.join(names.values())}"
        )
    return names[key_of(change.target)]


def _with_card(cards: CardSet, name: str, **values: Any) -> CardSet:
    listed = [{**one, **values} if one["name"] == name else one for one in cards.data["alliance"]]
    return replace(cards, data={**cards.data, "alliance": listed})


def without_effect(cards: CardSet, change: Change) -> CardSet:
    """The card is in deck and hands as before; it cannot be played, and is worth nothing at the end: blank."""
    name = _alliance_card(cards, change)
    return replace(_with_card(cards, name, starred=False), blank=(*cards.blank, name))


def without(cards: CardSet, change: Change) -> CardSet:
    """All copies of the card are out of the game."""
    found = _with_card(cards, _alliance_card(cards, change), count=0)
    return replace(found, data={**found.data, "set": {**cards.data["set"], "totals": "free"}})


def check_changed(cards: CardSet, texts: Sequence[str]) -> None:
    """What came of all changes must be a card set that can be played."""
    lines = [_by_name(line, cards) for line in check_data(cards.data, "")]
    if lines:
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        raise UserError(f"changes {shown(', '.join(texts), 80)}: {lines[0]}{more}")


def _by_name(line: str, cards: CardSet) -> str:
    """': countries[12].credits: …' as 'Spain.credits: …'."""
    line = line.removeprefix(": ")
    match = re.match(r"(countries|ufos|alliance|factions|objectives)\[(\d+)\](.*)", line)
    return line if match is None else f"{cards.data[match[1]][int(match[2]) - 1]['name']}{match[3]}"
