"""One process at a time in a run folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from sim.errors import UserError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

LOCK = ".lock"


@contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Nobody else works in this folder meanwhile. The lock goes with the process, also when it is killed."""
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as lock:
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(
                    f"{folder}: another process is playing into this folder; valid: wait for it, or another folder"
                ) from None
        yield


def is_locked(path: str | Path) -> bool:
    """Whether a process is playing into this folder now."""
    if fcntl is None or not (Path(path) / LOCK).exists():
        return False
    with (Path(path) / LOCK).open("r") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
