"""The one place that knows numba: decorators, cache folder, plain-Python switch.

Numba's disk cache only looks at the file a function stands in. It does not notice an edit in another file,
and would silently go on with old rules. So the cache lives in a folder named by a hash of *all* sources it may
depend on: those of one game and the shared ones. An edit of one game compiles nothing of another.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numba

from sim import linking

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

F = TypeVar("F", bound=Callable[..., Any])

#: True when NUMBA_DISABLE_JIT is set: everything below is then plain Python, slow and debuggable.
PLAIN: bool = bool(numba.config.DISABLE_JIT)

#: how many cache folders of earlier sources are kept (one may belong to another checkout)
KEPT_CACHES = 4


#: where compiled code lives that belongs to no game
SHARED = "shared"
_ROOT = Path(__file__).resolve().parent.parent


def game_of(module: str) -> str:
    """The game whose code a module is, or `SHARED`."""
    parts = module.split(".")
    if parts[:2] == ["sim", "games"] and len(parts) > 2:
        return parts[2]
    return parts[1] if parts[0] == "strategies" and len(parts) > 1 else SHARED


def _sources(game: str) -> list[Path]:
    """Every source and data file that compiled code of a game may depend on."""
    games = _ROOT / "sim" / "games"
    files = [file for file in (_ROOT / "sim").rglob("*.py") if games not in file.parents]
    if game != SHARED:
        for folder in (games / game, _ROOT / "strategies" / game):
            files += [*folder.rglob("*.py"), *folder.rglob("rules.toml")]
    return sorted(files)


@cache
def source_hash(game: str) -> str:
    """Hash of every source and data file that compiled code of a game may depend on, and of the compilers."""
    digest = hashlib.sha256(f"{sys.version_info[:3]} numba {numba.__version__}".encode())
    for file in _sources(game):
        digest.update(str(file.relative_to(_ROOT)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    if "XENOBALANCE_CACHE" in os.environ:
        return Path(os.environ["XENOBALANCE_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "xenobalance"


@cache
def cache_folder(game: str) -> Path:
    """The folder for compiled code of exactly these sources; a temporary one if none can be written."""
    name = f"{game}-{source_hash(game)}"
    folder = _cache_root() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _prune(folder, game)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"xenobalance-{os.getuid()}" / name
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _prune(current: Path, game: str) -> None:
    """Compiled code of sources long gone is of no use to anybody."""
    others = [f for f in current.parent.iterdir() if f.is_dir() and f != current]
    others = [
        f for f in others if f.name.startswith(f"{game}-") or "-" not in f.name
    ]  # those had no game yet
    others.sort(key=lambda f: f.stat().st_mtime, reverse=True)
    for old in others[KEPT_CACHES - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def _kept(function: F, *signature: Any, **options: Any) -> Any:
    """`njit` with the cache folder of the function's game: numba looks for it when it decorates."""
    if not PLAIN:
        numba.config.CACHE_DIR = str(cache_folder(game_of(function.__module__)))
    return numba.njit(*signature, nogil=True, **options, **linking.whole_options())(function)


def is_compiled(name: str, game: str) -> bool:
    """Whether an entry point of this name is in a game's cache."""
    return any(cache_folder(game).rglob(f"*.{name}-*.nbc"))


def rule(function: F) -> F:
    """Compile a function of the engine. It becomes part of the kernel, which is what gets cached.

    Only compiled code calls it, so numba need not make it callable from Python: that halves the compile time.
    """
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True} | linking.part_options()
    return cast(F, numba.njit(nogil=True, **options)(function))


def fix_signature(function: Any, signature: tuple[Any, ...]) -> None:
    """One version of a function for all callers; else numba compiles one for each mix of argument types.

    Compiled at its first use: a kernel that comes from the cache uses none of its parts.
    """
    ask = function.get_call_template

    def compile_first(args: Any, keywords: Any) -> Any:
        function.get_call_template = ask
        function.compile(signature)
        function.disable_compile()
        return ask(args, keywords)

    function.get_call_template = compile_first


def tool(function: F) -> F:
    """Compile a function that strategies call: cached by itself, so that a new strategy compiles fast."""
    return cast(F, _kept(function, cache=True))


def entry(function: F, signature: Any, keep: bool = True) -> F:
    """Compile an entry point for exactly one signature, and keep it on disk."""
    with one_at_a_time():
        return cast(F, _kept(function, signature, cache=keep))


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of several processes that start together, one compiles, and the others wait and load.

    Numba's cache is not made for two writers: they may give one number to two different pieces of code.
    """
    if fcntl is None:
        yield
        return
    with (cache_folder(SHARED) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # given back when the file is closed, also by a crash
        yield


def is_dispatcher(thing: Any) -> bool:
    """Whether this is a function decorated with numba's own `njit`, or with one of ours."""
    return hasattr(thing, "py_func") and hasattr(thing, "targetoptions")


def is_ours(dispatcher: Any) -> bool:
    """Whether it was decorated here."""
    return "pipeline_class" in dispatcher.targetoptions
