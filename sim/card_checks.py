"""What the checkers of all games' card files share: kinds of values, tables of keys, and how problems are told.

Every problem is one line that says where it is, what is wrong and what would be right:
`mine.toml: projects[12].defence: -5 is negative; valid: a whole number from 0 to 200`. Entries are counted from 1.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.errors import did_you_mean, shown

Problems = Iterator[tuple[str, str]]  # (place in the file, what is wrong there)

MOST_ENTRIES = 250  # beyond, a section is junk, and not worth a line for each entry
MOST_UNKNOWN = 20  # unknown keys of one table that get a line each


@dataclass(frozen=True)
class Valid:
    """What a value must be: `complain` says what is wrong with one ('' if nothing), `text` what is right."""

    text: str
    complain: Callable[[Any], str]


def slug(name: str) -> str:
    """A name as one types it: 'Raiding Party' and 'raiding_party' both give 'raiding-party'."""
    return "-".join(re.findall(r"\w+", name.casefold().replace("_", " ").replace("'", "")))


# --- kinds of values ------------------------------------------------------------------------------


def whole(low: int, high: int) -> Valid:
    """A whole number in a range."""

    def complain(value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, int):
            return f"is {kind(value)}, not a whole number"
        if low <= value <= high:
            return ""
        return "is negative" if value < 0 <= low else "is too low" if value < low else "is too high"

    return Valid(f"a whole number from {low} to {high}", complain)


def one_of(choices: tuple[str, ...]) -> Valid:
    """One of a few words."""

    def complain(value: object) -> str:
        if not isinstance(value, str):
            return f"is {kind(value)}, not a text"
        return "" if value in choices else f"is unknown{did_you_mean(value, choices)}"

    return Valid(", ".join(choices), complain)


def text(low: int, high: int) -> Valid:
    """A text of one line; control characters would garble a terminal."""

    def complain(value: object) -> str:
        if not isinstance(value, str):
            return f"is {kind(value)}, not a text"
        if not low <= len(value.strip()) <= high:
            return "is too long" if value.strip() else "is empty"
        garbled = any(sign < " " or "\x7f" <= sign < "\xa0" for sign in value)
        return "has control characters" if garbled else ""

    return Valid(f"a text of one line, {low} to {high} characters", complain)


def list_of(item: Valid, low: int, high: int) -> Valid:
    """A list; the first wrong item is named."""

    def complain(value: object) -> str:
        if not isinstance(value, list):
            return f"is {kind(value)}, not a list"
        if not low <= len(value) <= high:
            return f"has {len(value)} items"
        wrong = (f"holds {shown(one)}, which {item.complain(one)}" for one in value if item.complain(one))
        return next(wrong, "")

    count = str(low) if low == high else f"{low} to {high}"
    return Valid(f"a list of {count}, each {item.text}", complain)


def kind(value: object) -> str:
    """What sort of thing a value is, in words."""
    names = {bool: "true or false", int: "a number", float: "a decimal number", str: "a text", list: "a list"}
    return "a table" if isinstance(value, Mapping) else names.get(type(value), "a date or time")


def _name_complaint(value: object) -> str:
    return text(1, 60).complain(value) or ("" if slug(str(value)) else "has no letter or digit")


def _flag_complaint(value: object) -> str:
    return "" if isinstance(value, bool) else f"is {kind(value)}, not true or false"


NAME = Valid("a text of 1 to 60 characters", _name_complaint)
FLAG = Valid("true or false", _flag_complaint)


def source(words: tuple[str, ...], keys: Iterable[str]) -> Valid:
    """Where an entry's values come from: a word for all of them, or a table with a word for any."""
    known = tuple(keys)

    def complain(value: object) -> str:
        if not isinstance(value, Mapping):
            return one_of(words).complain(value)
        wrong = (f"names {shown(key)}, which is no value of this entry" for key in value if key not in known)
        bad = (f"has {shown(word)}" for word in value.values() if word not in words)
        return next(wrong, "") or next(bad, "")

    return Valid(f"{', '.join(words)}, or a table that says so for any of {', '.join(known)}", complain)


# --- tables ---------------------------------------------------------------------------------------


def table_problems(
    place: str, table: Mapping[str, Any], keys: Mapping[str, Valid], optional: Collection[str]
) -> Problems:
    """A table has the keys it must have, no others, and each value is one it may have."""
    yield from unknown_keys(place, table, tuple(keys), "key")
    for key, valid in keys.items():
        if key not in table:
            if key not in optional:
                yield f"{place}.{key}", f"is missing; valid: {valid.text}"
        elif complaint := valid.complain(table[key]):
            yield f"{place}.{key}", f"{shown(table[key])} {complaint}; valid: {valid.text}"


def unknown_keys(place: str, table: Mapping[str, Any], known: tuple[str, ...], what: str) -> Problems:
    """Keys, sections and so on that nobody knows."""
    unknown = [key for key in table if key not in known]
    for key in unknown[:MOST_UNKNOWN]:
        safe = key if re.fullmatch(r"[\w-]{1,40}", key) else shown(key)
        full = f"{place}.{safe}" if place else safe
        yield full, f"unknown {what}{did_you_mean(key, known)}; valid: {', '.join(known)}"
    if len(unknown) > MOST_UNKNOWN:
        yield place or "file", f"{len(unknown) - MOST_UNKNOWN} more unknown {what}s"


def list_problem(section: str, entries: object) -> str:
    """What is wrong with a section that should be a list of tables; '' if nothing."""
    if entries is None:
        return f"is missing; valid: [[{section}]] before each entry"
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        return f"is not a list of tables; valid: [[{section}]] before each entry"
    if len(entries) > MOST_ENTRIES:
        return f"{len(entries)} entries are too many; valid: at most {MOST_ENTRIES}"
    return ""


def duplicates(section: str, entries: Iterable[Mapping[str, Any]], key: str) -> Problems:
    """Names must differ in more than case, spaces and hyphens, so that a card can be asked for by name."""
    names = Counter(slug(str(entry[key])) for entry in entries if isinstance(entry.get(key), str | int))
    for name, count in names.items():
        if count > 1:
            yield section, f"{count} entries have the {key} {shown(name)}; valid: each {key} once"
