"""What a game was played with: hashes of sources, and strategies that are sent to other processes or days."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sim.errors import UserError
from sim.strategy import Strategy

SHARED = ("asking.py", "bits.py", "changes.py", "line_ups.py", "random.py", "records.py")


def hash_of_code(game: str) -> str:
    """Hash of the sources on which a game's records depend, whatever the versions of the libraries."""
    root = Path(__file__).resolve().parents[1]
    files = [root / "sim" / name for name in SHARED]
    for folder in (f"sim/games/{game}", f"strategies/{game}"):
        files += [*(root / folder).glob("*.py"), *(root / folder).glob("data/rules.toml")]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def describe(strategy: Strategy) -> dict[str, Any]:
    """What makes this strategy play as it does: where it is from, the hash of its source, its own parameters."""
    facts: dict[str, Any] = {"spec": strategy.spec, "params": {p.name: p.value for p in strategy.params}}
    if not strategy.built_in:
        facts["hash"] = hashlib.sha256(strategy.text.encode()).hexdigest()
    return facts


def restore_with(load: Callable[[str], Strategy]) -> Callable[[str, Mapping[str, Any], str], Strategy]:
    """The function `restore` of a game that loads its strategies in this way."""

    def restore(name: str, facts: Mapping[str, Any], text: str) -> Strategy:
        """A strategy from what `describe` said and its source, in another process or on another day."""
        spec = facts["spec"]
        if "hash" not in facts:
            return load(spec).changed(name, **facts["params"])
        if not spec:
            raise UserError(
                f"strategy {name} was written in a notebook; valid: go on with the same call there, in threads, "
                "or put it into a file"
            )
        file, _, chosen = spec.partition(":")
        copy = _written(text, Path(file).name)
        return load(f"{copy}:{chosen}" if chosen else str(copy)).changed(name, **facts["params"])

    return restore


@cache
def _written(text: str, name: str) -> Path:
    """The source of a user's strategy in a file of this process's own."""
    folder = Path(tempfile.mkdtemp(prefix="xenobalance-"))
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name
