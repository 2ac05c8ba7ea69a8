"""Files of a run folder: written whole or not at all, and where the copies lie."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write aside, sync, rename: after a crash the file is the old one or the new one, never half of it."""
    aside = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a full disk does not say where
        with suppress(OSError):
            aside.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """The new name itself must survive a power cut as well (POSIX only)."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# --- what a run was played with --------------------------------------------------------------------------
def cards_copy(folder: Path, number: int) -> Path:
    """Where the card set of that number in the plan lies."""
    return folder / "cards" / f"{number}.toml"


def strategy_copy(folder: Path, number: int) -> Path:
    """Where the user's strategy of that number in the plan lies."""
    return folder / "strategies" / f"{number}.py"
