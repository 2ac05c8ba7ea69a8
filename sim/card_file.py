"""Reading card files safely, and writing them so that a person likes to edit them; for the card sets of all games."""

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

from sim.errors import UserError

LARGEST_FILE = 1_000_000  # bytes; the reference sets have some 20,000
LONGEST_LINE = 2_000  # characters; a line of 500,000 dots would keep the TOML parser busy for an hour


class CardFileError(UserError):
    """A card file that cannot be used; `lines` names every problem."""


def read_card_file(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file, unchecked; CardFileError if it cannot be read as TOML at all."""
    try:
        return tomllib.loads(_read_text(path))
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        problem = f"is not a text file in UTF-8 (byte {error.start + 1})"
    except tomllib.TOMLDecodeError as error:
        problem = f"is not TOML: {error}"
    except RecursionError:
        problem = "is not a card file: nested too deeply"
    except ValueError as error:  # a zero byte in the path, a number of thousands of digits
        problem = f"cannot be read: {error}"
    raise CardFileError([f"{path}: {problem}"])


def _read_text(path: str | Path) -> str:
    text = _read_bytes(path).decode("utf-8-sig")  # some editors put a byte order mark in front
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"line {number} has {len(line):,} characters; valid: at most {LONGEST_LINE:,}")
    return text


def _read_bytes(path: str | Path) -> bytes:
    """The content of an ordinary file of sensible size: a device or a pipe would never end."""
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        raise OSError(None, "it is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(None, "it is not an ordinary file")
    if status.st_size > LARGEST_FILE:
        raise OSError(None, f"{status.st_size:,} bytes are too many; valid: at most {LARGEST_FILE:,}")
    return Path(path).read_bytes()


# --- writing: a section is written as one of these three -------------------------------------------------


def dotted(section: str, table: dict[str, Any]) -> str:
    """`set.name = …`: a table that needs no heading, and so may stand before lists."""
    return "\n".join(f"{section}.{key} = {toml_value(value)}" for key, value in table.items())


def lines(section: str, entries: list[dict[str, Any]]) -> str:
    """A list of short entries, one a line."""
    return "\n".join([f"{section} = [", *(f"  {toml_value(entry)}," for entry in entries), "]"])


def block(header: str, entry: dict[str, Any]) -> str:
    """A table with a heading, a key a line."""
    return "\n".join([header, *(f"{_key(key)} = {toml_value(value)}" for key, value in entry.items())])


def toml_value(value: object) -> str:
    """One TOML value; JSON's strings, numbers and truth values are TOML's too."""
    if isinstance(value, dict):
        items = ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {items} }}" if items else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    """A key; in quotes if it has blanks or foreign letters."""
    plain = key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()
    return key if plain else json.dumps(key, ensure_ascii=False)
