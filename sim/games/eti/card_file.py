"""Card files of E.T.I.: how a card set is laid out when it is written (read like all games' card files)."""

from typing import Any

from sim.card_file import LARGEST_FILE, LONGEST_LINE, CardFileError, block, dotted, lines, read_card_file

__all__ = ["LARGEST_FILE", "LONGEST_LINE", "CardFileError", "read_card_file", "write_toml"]


def write_toml(data: dict[str, Any]) -> str:
    """The tables of a card set as TOML, laid out like the reference file: short entries a line each."""
    parts = [dotted("set", data["set"])]
    parts += [lines(section, data[section]) for section in ("research", "projects")]
    for section in ("events", "humans", "aliens"):
        parts += [block(f"[[{section}]]", entry) for entry in data[section]]
    parts += [block(f"[tracks.{name}]", track) for name, track in data["tracks"].items()]
    return "\n\n".join(parts) + "\n"
