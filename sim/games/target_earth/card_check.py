"""What a card file of Target Earth must look like (`docs/cards-target-earth.md` says the same for people).

Every problem is found, not only the first, and each is one line that says where it is, what is wrong and
what would be right; see `sim.card_checks`. Entries are counted from 1, as a designer counts cards.
"""

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

SIZES = ("small", "medium", "large", "terror")
MODES = ("easy", "normal", "hard", "random")
BAGS = MODES[:3]  # random mode has one bag for all tiles
PHASES = ("phase_1", "phase_2", "phase_3")
CARDS = (
    "ace", "elite squad", "elite crew", "engineer", "bonus", "diplomacy", "rebellion", "scientist",
    "fortified base", "alien knowledge",
)  # fmt: skip
FACTIONS = ("officer", "air general", "army general", "diplomat")
OBJECTIVES = ("A", "B", "C", "D", "E", "F")
TECHNOLOGIES = ("fighter", "infantry", "tank")  # those that give a unit its factor
SOURCES = ("rulebook", "reviews", "assumed")
TOTALS = ("reference", "free")

SLOTS = 8
LEVELS = 4
MOST_COUNTRIES = 40  # as many as the state of a game has room for
MOST_LANDED = 8  # alien units of one UFO, or at an alien country
COUNTRIES, TILES, DECK = 30, 46, 46  # of the published game


# --- kinds of values ------------------------------------------------------------------------------


def _units_complaint(value: object) -> str:
    """[soldiers, tanks], not too many together."""
    wrong = list_of(whole(0, MOST_LANDED), 2, 2).complain(value)
    if wrong or not isinstance(value, list):
        return wrong
    return f"is {sum(value)} units" if sum(value) > MOST_LANDED else ""


def _rising_complaint(value: object) -> str:
    """More radars from left to right, or as many."""
    wrong = list_of(whole(0, 48), SLOTS, SLOTS).complain(value)
    return wrong or ("falls" if isinstance(value, list) and value != sorted(value) else "")


def _steps_complaint(value: object) -> str:
    """[[at most so many countries, points], …], the numbers of countries rising."""
    wrong = list_of(Valid("", list_of(whole(0, 99), 2, 2).complain), 1, MOST_COUNTRIES).complain(value)
    if wrong or not isinstance(value, list):
        return wrong
    counts = [step[0] for step in value]
    if counts != sorted(set(counts)):
        return "does not rise"
    return f"goes beyond {MOST_COUNTRIES} countries" if counts[-1] > MOST_COUNTRIES else ""


def _rivals_complaint(value: object) -> str:
    if not isinstance(value, Mapping):
        return f"is {kind(value)}, not a table"
    pair = list_of(whole(0, 99), 2, 2)
    wrong = (f"gives {shown(key)} {shown(one)}, which {pair.complain(one)}" for key, one in value.items()
             if pair.complain(one))  # fmt: skip
    return next(wrong, "")


UNITS = Valid(f"[soldiers, tanks], at most {MOST_LANDED} together", _units_complaint)
VALUE = whole(0, 99)
FACTOR = whole(0, 20)
SIZE_COUNTS = list_of(whole(0, 99), len(SIZES), len(SIZES))
FOUR_SOURCES = list_of(one_of(SOURCES), LEVELS, LEVELS)


def _with_source(keys: dict[str, Valid]) -> dict[str, Valid]:
    return keys | {"source": source(SOURCES, keys)}


# --- the keys of every entry ----------------------------------------------------------------------

SET_KEYS = {
    "name": NAME, "game": one_of(("target-earth",)), "version": text(1, 40), "totals": one_of(TOTALS),
    "language": text(1, 40), "note": text(0, 300),
}  # fmt: skip
KEYS = {
    section: _with_source(keys)
    for section, keys in {
        "countries": {"name": NAME, "credits": VALUE, "diplomacy": VALUE, "points": VALUE},
        "ufos": {"name": one_of(SIZES), "tiles": VALUE, "attack": whole(0, 40), "bonus": whole(0, 12)},
        "aliens": {
            "phase": whole(1, 3), "soldier": FACTOR, "tank": FACTOR,
            **{size: UNITS for size in SIZES}, "garrison": UNITS,
        },
        "alliance": {"name": one_of(CARDS), "title": NAME, "count": whole(0, 60), "starred": FLAG},
        "factions": {"name": one_of(FACTIONS), "title": NAME, "initiative": whole(1, 4), "tokens": whole(0, 9)},
        "objectives": {
            "name": one_of(OBJECTIVES), "title": NAME, "leader": NAME, "leader_points": VALUE,
            "rivals": Valid("country = [if alien, if neutral] for each", _rivals_complaint),
            "by_count": Valid("[[at most so many allied countries, points], …], rising", _steps_complaint),
            "allied": list_of(NAME, 1, MOST_COUNTRIES), "each": VALUE,
        },
    }.items()
}  # fmt: skip
BAG_KEYS = _with_source({phase: SIZE_COUNTS for phase in PHASES})
RANDOM_KEYS = _with_source({"terror": UNITS, "small_3": UNITS})
TECHNOLOGY_KEYS = {"factors": list_of(FACTOR, LEVELS, LEVELS), "source": FOUR_SOURCES}
RADAR_KEYS = _with_source(
    {"needed": Valid(f"a list of {SLOTS} whole numbers from 0 to 48 that never falls", _rising_complaint)}
)
TABLES = ("bags", "random_mode", "technologies", "radars")
SECTIONS = ("set", "countries", "ufos", "bags", "aliens", "random_mode", "technologies", "radars", "alliance",
            "factions", "objectives")  # fmt: skip
OPTIONAL = {"totals", "language", "note"}
EITHER = {"leader", "leader_points", "rivals", "by_count", "allied", "each"}  # what an objective may have

ORDER: dict[str, tuple[str, tuple[str | int, ...]]] = {  # lists of fixed entries in a fixed order
    "ufos": ("name", SIZES),
    "aliens": ("phase", (1, 2, 3)),
    "alliance": ("name", CARDS),
    "factions": ("name", FACTIONS),
    "objectives": ("name", OBJECTIVES),
}


# --- the checks -----------------------------------------------------------------------------------


def check_data(data: Mapping[str, Any], where: str) -> list[str]:
    """All problems of a card file's tables, each starting with `where`, in the order of the sections."""
    return [f"{where}: {place}: {problem}" for place, problem in _problems(data)]


def _problems(data: Mapping[str, Any]) -> Problems:
    yield from unknown_keys("", data, SECTIONS, "section")
    for section in SECTIONS:
        if section in KEYS:
            yield from _list(section, data.get(section))
        elif not isinstance(data.get(section), Mapping):
            wrong = "not a table" if section in data else "missing"
            yield section, f"is {wrong}; valid: {_heading(section)}"
        else:
            yield from _one_table(section, data[section])
    yield from _links(data)
    if _is_reference(data):
        yield from _totals(data)


def _heading(section: str) -> str:
    headings = {
        "set": "[set] with name, game and version",
        "bags": "[bags.easy], [bags.normal], [bags.hard]",
        "technologies": "[technologies] with fighter, infantry and tank",
    }
    return headings.get(section, f"[{section}]")


def _one_table(section: str, table: Mapping[str, Any]) -> Problems:
    if section == "bags":
        yield from _tables(section, table, BAGS, BAG_KEYS)
    elif section == "technologies":
        yield from _tables(section, table, TECHNOLOGIES, TECHNOLOGY_KEYS)
    else:
        keys = {"set": SET_KEYS, "random_mode": RANDOM_KEYS, "radars": RADAR_KEYS}[section]
        yield from table_problems(section, table, keys, OPTIONAL)


def _tables(
    section: str, tables: Mapping[str, Any], names: tuple[str, ...], keys: Mapping[str, Valid]
) -> Problems:
    """A table for each of these names."""
    yield from unknown_keys(section, tables, names, "table")
    for name in names:
        if isinstance(tables.get(name), Mapping):
            yield from table_problems(f"{section}.{name}", tables[name], keys, OPTIONAL)
        else:
            wanted = " and ".join(keys)
            yield f"{section}.{name}", f"is missing or not a table; valid: a table with {wanted}"


def _list(section: str, entries: Any) -> Problems:
    if problem := list_problem(section, entries):
        yield section, problem
        return
    optional = EITHER if section == "objectives" else OPTIONAL
    for number, entry in enumerate(entries, start=1):
        place = f"{section}[{number}]"
        yield from table_problems(place, entry, KEYS[section], optional)
        if section == "objectives":
            yield from _objective(place, entry)
    if section in ORDER:
        yield from _order(section, entries)
    else:
        yield from duplicates(section, entries, "name")
        if not 1 <= len(entries) <= MOST_COUNTRIES:
            yield section, f"{len(entries)} entries; valid: 1 to {MOST_COUNTRIES}"


def _order(section: str, entries: list[Mapping[str, Any]]) -> Problems:
    """Lists whose entries the rules know by their place."""
    key, wanted = ORDER[section]
    found = [entry.get(key) for entry in entries]
    if found != list(wanted):
        names = ", ".join(str(one) for one in wanted)
        yield section, f"has the {key}s {shown(found)}; valid: {names}, in this order"
    if section == "factions":
        for number, entry in enumerate(entries, start=1):
            if entry.get("initiative") in (1, 2, 3, 4) and entry["initiative"] != number:
                yield (
                    f"factions[{number}].initiative",
                    f"{entry['initiative']} is out of order; valid: {number}",
                )


def _objective(place: str, objective: Mapping[str, Any]) -> Problems:
    """An objective gives points for something, and keys that belong together stand together."""
    if not EITHER & objective.keys():
        yield place, "gives no points; valid: leader and leader_points, rivals, by_count, or allied and each"
    for one, other in (("leader", "leader_points"), ("allied", "each")):
        for has, lacks in ((one, other), (other, one)):
            if has in objective and lacks not in objective:
                yield f"{place}.{lacks}", f"is missing; valid: together with {has}"


# --- what stands in more than one section ---------------------------------------------------------


def _named(objective: Mapping[str, Any]) -> list[tuple[str, object]]:
    """The countries that an objective names, with the key that does."""
    rivals, allied = objective.get("rivals"), objective.get("allied")
    named = [("leader", objective["leader"])] if "leader" in objective else []
    named += [("rivals", name) for name in rivals] if isinstance(rivals, Mapping) else []
    return named + ([("allied", name) for name in allied] if isinstance(allied, list) else [])


def _entries(data: Mapping[str, Any], section: str) -> list[Mapping[str, Any]]:
    """A section's entries, as far as it has any."""
    entries = data.get(section)
    listed = entries if isinstance(entries, list) else []
    return [entry for entry in listed if isinstance(entry, Mapping)]


def _links(data: Mapping[str, Any]) -> Problems:
    """Objectives name countries of the set."""
    names = [str(country.get("name")) for country in _entries(data, "countries")]
    for number, objective in enumerate(_entries(data, "objectives"), start=1):
        for key, name in _named(objective):
            if isinstance(name, str) and names and name not in names:
                near = did_you_mean(name, names)
                yield (
                    f"objectives[{number}].{key}",
                    f"{shown(name)} is no country{near}; valid: one of [[countries]]",
                )


def _is_reference(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("set"), Mapping) and data["set"].get("totals", "reference") == "reference"


def _sum(values: list[Any]) -> int:
    return sum(value for value in values if isinstance(value, int) and not isinstance(value, bool))


def _totals(data: Mapping[str, Any]) -> Problems:
    """As many cards and tiles as in the published game, and bags that can be filled from the box."""
    free = 'or totals = "free" in [set]'
    countries, ufos, cards = (_entries(data, section) for section in ("countries", "ufos", "alliance"))
    tiles = _sum([ufo.get("tiles") for ufo in ufos])
    deck = _sum([card.get("count") for card in cards])
    if countries and len(countries) != COUNTRIES:
        yield "countries", f"{len(countries)} countries; valid: {COUNTRIES}, {free}"
    if ufos and tiles != TILES:
        yield "ufos", f"{tiles} tiles in all; valid: {TILES}, {free}"
    if cards and deck != DECK:
        yield "alliance", f"{deck} cards in all; valid: {DECK}, {free}"
    for mode in BAGS:
        yield from _bag(data, mode, ufos, free)


def _bag(data: Mapping[str, Any], mode: str, ufos: list[Mapping[str, Any]], free: str) -> Problems:
    bag = data["bags"].get(mode) if isinstance(data.get("bags"), Mapping) else None
    if not isinstance(bag, Mapping) or any(SIZE_COUNTS.complain(bag.get(phase)) for phase in PHASES):
        return  # told already
    for k, (size, ufo) in enumerate(zip(SIZES, ufos, strict=False)):
        used, tiles = sum(bag[phase][k] for phase in PHASES), ufo.get("tiles")
        if isinstance(tiles, int) and used > tiles:
            yield (
                f"bags.{mode}",
                f"{used} {size} tiles in all phases; valid: the {tiles} of ufos[{k + 1}], {free}",
            )
