"""What a card file must look like: one table of keys, and the few checks that look at more than one.

Every problem is found, not only the first, and each is one line that says where it is, what is wrong and
what would be right: `mine.toml: projects[12].defence: -5 is negative; valid: a whole number from 0 to 200`.
Entries are counted from 1, as a designer counts cards.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from sim.card_checks import (
    FLAG,
    NAME,
    Problems,
    Valid,
    duplicates,
    kind,
    list_of,
    list_problem,
    one_of,
    source,
    table_problems,
    text,
    unknown_keys,
    whole,
)
from sim.errors import did_you_mean, shown
from sim.games.eti import card_words as words
from sim.games.eti.card_words import Range


def _card_complaint(value: object) -> str:
    if str(value) in words.MULTIPLIERS + words.THREATS and isinstance(value, str):
        return ""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return f"is {kind(value)}, not a research card"
    if isinstance(value, str) and not re.fullmatch(r"[1-9][0-9]{0,2}", value):
        return f"is no research card{did_you_mean(value, words.MULTIPLIERS + words.THREATS)}"
    return whole(1, 200).complain(int(value))


def _source(*keys: str) -> Valid:
    return source(words.SOURCES, keys)


# --- the keys of every entry ----------------------------------------------------------------------

CARD = Valid(f"a number from 1 to 200, {', '.join(words.MULTIPLIERS + words.THREATS)}", _card_complaint)
TEXT = text(0, 300)
EFFECT_LIST = Valid("a list of 1 to 3 effects", lambda value: _effects_complaint(value))

_CARD_KEYS: dict[str, dict[str, Valid]] = {
    "research": {"card": CARD, "count": whole(0, 250)},
    "projects": {
        "name": NAME,
        "field": one_of(words.FIELDS),
        "level": whole(1, 5),
        "difficulty": whole(1, 2000),
        "defence": whole(0, 200),
        "fame": whole(0, 200),
        "upgrades": list_of(one_of(words.ABILITIES), 0, 3),
    },
    "events": {
        "name": NAME,
        "who": one_of(words.WHO),
        "ability": one_of(words.ABILITIES),
        "good": FLAG,
        "keep": one_of(words.KEEP),
        "on": one_of(words.ON),
        "effects": EFFECT_LIST,
        "text": TEXT,
    },
    "humans": {"name": NAME, "effects": EFFECT_LIST, "text": TEXT},
    "aliens": {"name": NAME, "ufos": whole(1, 4), "effects": EFFECT_LIST, "text": TEXT},
}
KEYS = {section: keys | {"source": _source(*keys)} for section, keys in _CARD_KEYS.items()}
SET_KEYS = {
    "name": NAME,
    "game": one_of(("eti",)),
    "version": text(1, 40),
    "totals": one_of(words.TOTALS),
}
OPTIONAL = {"totals", "upgrades", "ability", "good", "keep", "on", "text"}
SECTIONS = ("set", *KEYS, "tracks")

# what the published game holds (R-COMP-1), and what a set of free totals may
TOTALS = {"research": 90, "projects": 40, "events": 25, "humans": 6, "aliens": 4}
FREE_TOTALS = {
    "research": Range(20, 250), "projects": Range(5, 62), "events": Range(1, 40),
    "humans": Range(5, 10), "aliens": Range(1, 8),
}  # fmt: skip
NUMBER_CARDS = 9  # different numbers a research deck may hold
STARTING_PROJECTS = 5  # of level 1: six players lay out five (R-SET-6)


# --- the checks -----------------------------------------------------------------------------------


def check_data(data: Mapping[str, Any], where: str) -> list[str]:
    """All problems of a card file's tables, each starting with `where`, in the order of the sections."""
    return [f"{where}: {place}: {problem}" for place, problem in _problems(data)]


def check_section(section: str, content: Any, totals: str) -> list[str]:
    """The problems of one section (or of the tracks), each with its place in front."""
    found = _tracks(content) if section == "tracks" else _section(section, content, totals == "free")
    return [f"{place}: {problem}" for place, problem in found]


def _problems(data: Mapping[str, Any]) -> Problems:
    yield from unknown_keys("", data, SECTIONS, "section")
    yield from _set(data)
    for section in KEYS:
        entries: Any = data.get(section)
        if problem := list_problem(section, entries):
            yield section, problem
        else:
            yield from _section(section, entries, _is_free(data))
    yield from _tracks(data.get("tracks"))


def _is_free(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("set"), Mapping) and data["set"].get("totals") == "free"


def _set(data: Mapping[str, Any]) -> Problems:
    if not isinstance(data.get("set"), Mapping):
        wrong = "not a table" if "set" in data else "missing"
        yield "set", f"is {wrong}; valid: [set] with name, game and version"
    else:
        yield from table_problems("set", data["set"], SET_KEYS, OPTIONAL)


def _section(section: str, entries: list[Mapping[str, Any]], free: bool) -> Problems:
    for number, entry in enumerate(entries, start=1):
        yield from _entry(section, f"{section}[{number}]", entry)
    yield from duplicates(section, entries, "card" if section == "research" else "name")
    yield from _total(section, entries, free)
    if section == "projects":
        first = sum(entry.get("level") == 1 for entry in entries)
        if first < STARTING_PROJECTS:
            yield section, f"{first} of level 1 are too few to start with; valid: {STARTING_PROJECTS} or more"
    if section == "research":
        numbers = {str(entry.get("card")) for entry in entries if str(entry.get("card")).isdecimal()}
        if len(numbers) > NUMBER_CARDS:
            yield section, f"{len(numbers)} different numbers are too many; valid: at most {NUMBER_CARDS}"


def _entry(section: str, place: str, entry: Mapping[str, Any]) -> Problems:
    yield from table_problems(place, entry, KEYS[section], OPTIONAL)
    if section == "events":
        yield from _event(place, entry)
    if isinstance(entry.get("effects"), list):
        context = _context(section, entry)
        for number, effect in enumerate(entry["effects"], start=1):
            if isinstance(effect, Mapping):
                yield from _effect(f"{place}.effects[{number}]", effect, *context)
    if section == "aliens":
        yield from _twice(f"{place}.effects", entry.get("effects"))


def _total(section: str, entries: list[Mapping[str, Any]], free: bool) -> Problems:
    total = _cards(entries) if section == "research" else len(entries)
    low, high = FREE_TOTALS[section] if free else Range(TOTALS[section], TOTALS[section])
    if not low <= total <= high:
        wanted = f"from {low} to {high}" if free else f'{low}, or totals = "free" in [set]'
        yield section, f"{shown(total)} cards in all; valid: {wanted}"


def _cards(entries: list[Mapping[str, Any]]) -> int:
    counts = (entry.get("count") for entry in entries)
    return sum(count for count in counts if isinstance(count, int) and not isinstance(count, bool))


# --- effects --------------------------------------------------------------------------------------


def _effects_complaint(value: object) -> str:
    if not isinstance(value, list):
        return f"is {kind(value)}, not a list"
    if not all(isinstance(effect, Mapping) for effect in value):
        return "holds something that is no table"
    return "" if 1 <= len(value) <= 3 else f"has {len(value)} effects"


def _context(section: str, entry: Mapping[str, Any]) -> tuple[dict[str, words.EffectKeys], str]:
    """The effects that a card of this kind may have, and how to speak of such a card."""
    if section == "aliens":
        return words.ALIEN_EFFECTS, "an alien card"
    if section == "humans":
        return words.INVASION_EFFECTS, "a human card"
    if entry.get("keep") == "invasion":
        return words.INVASION_EFFECTS, 'an event with keep = "invasion"'
    return words.ROUND_EFFECTS, "an event played in a round"


def _effect(
    place: str, effect: Mapping[str, Any], allowed: dict[str, words.EffectKeys], card: str
) -> Problems:
    do = effect.get("do")
    if not isinstance(do, str):
        yield f"{place}.do", f"is {'missing' if do is None else 'not a text'}; valid: {', '.join(allowed)}"
    elif do not in words.EFFECTS:
        yield f"{place}.do", f"{shown(do)} is unknown{did_you_mean(do, allowed)}; valid: {', '.join(allowed)}"
    elif do not in allowed:
        yield f"{place}.do", f"{shown(do)} cannot stand on {card}; valid: {', '.join(allowed)}"
    else:
        yield from _effect_keys(place, effect, allowed[do])


def _effect_keys(place: str, effect: Mapping[str, Any], wanted: words.EffectKeys) -> Problems:
    keys = {key: whole(*what) if isinstance(what, Range) else one_of(what) for key, what in wanted.items()}
    yield from table_problems(place, effect, {"do": one_of(tuple(words.EFFECTS)), **keys}, OPTIONAL)


def _twice(place: str, effects: object) -> Problems:
    """An alien's effects stand once each: their ranges hold for the card as a whole."""
    listed = effects if isinstance(effects, list) else []
    kinds = [str(effect.get("do")) for effect in listed if isinstance(effect, Mapping)]
    for do, count in Counter(kinds).items():
        if count > 1:
            yield place, f"{shown(do)} stands {count} times; valid: each effect once on an alien card"


def _event(place: str, event: Mapping[str, Any]) -> Problems:
    """What an event's keys demand of each other."""
    who = event.get("who")
    if who not in words.WHO:  # told already
        return
    if "ability" in event and who != "vote":
        yield f"{place}.ability", 'only a vote is doubled by an ability; valid: with who = "vote"'
    if "keep" in event and who not in words.KEEPERS:
        keepers = ", ".join(words.KEEPERS)
        yield f"{place}.keep", f"only one company can keep a card; valid: with who = {keepers}"
    if event.get("on") == "other" and "keep" not in event:
        yield f"{place}.on", "only the holder of a kept card names a target; valid: together with keep"


# --- tracks ---------------------------------------------------------------------------------------


def _tracks(tracks: object) -> Problems:
    if not isinstance(tracks, Mapping):
        wrong = "missing" if tracks is None else "not a table"
        yield "tracks", f"is {wrong}; valid: [tracks.staffing] and so on"
        return
    yield from unknown_keys("tracks", tracks, tuple(words.SPACES), "track")
    for name in words.SPACES:
        place = f"tracks.{name}"
        if not isinstance(tracks.get(name), Mapping):
            yield place, f"is missing or not a table; valid: [{place}] with spaces and source"
        else:
            yield from _track(place, name, tracks[name])


def _track(place: str, name: str, track: Mapping[str, Any]) -> Problems:
    spaces = list_of(whole(*words.SPACES[name]), 2, 10)
    positions = [str(k) for k in range(1, 11)]  # the third space has the key 3
    yield from table_problems(place, track, {"spaces": spaces, "source": _source(*positions)}, OPTIONAL)
    values = track.get("spaces", [])
    if name in words.NEVER_FALLING and not spaces.complain(values) and values != sorted(values):
        yield f"{place}.spaces", f"{shown(values)} falls; valid: no space lower than the one before"
