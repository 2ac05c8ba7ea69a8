"""An experiment in a folder: a run for each stage, and at the end its result.

    lab.json        what the experiment is: kind and words
    stages/NAME/    a run folder (with sums) for each stage
    result.json     title, facts, verdict; tables/NAME.parquet: its tables

What is played next depends only on the words and on what earlier stages found. So an experiment that was stopped is
simply begun again: finished stages are read, the one that was cut short goes on, and the end is the same.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from analysis.lab.metrics import GAME
from analysis.lab.sums import Sums
from sim.errors import UserError, did_you_mean, shown
from sim.files import write_whole
from sim.folder import RunFolder
from sim.line_ups import POOL, ROTATED
from sim.locking import LOCK, locked
from sim.plan import CHUNK, REFERENCE, game_module
from sim.records import encode
from sim.registry import DEFAULT_STRATEGIES, OWN_WORDS
from sim.run import Watch, run
from sim.study import make_plan
from sim.workers import Workers

LAB, RESULT, STAGES, TABLES = "lab.json", "result.json", "stages", "tables"
SCHEMA = 1
ALL_PLAYERS = 60  # a multiple of every number of players: rows of sums never cross a chunk
DEFAULT_PLAYERS = 4
_GO_ON = re.compile(r"go on with: xenobalance run .*")  # a stage alone would not be the experiment
DEFAULT_LINE_UP = DEFAULT_STRATEGIES[GAME]


def silent(done: int, total: int, text: str) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Result:
    """What an experiment found: all that its report is made of."""

    kind: str
    title: str
    words: Mapping[str, Any]
    facts: Mapping[str, Any]
    tables: Mapping[str, pl.DataFrame]
    verdict: Sequence[str]
    warnings: Sequence[str] = ()
    games: int = 0
    folder: Path | None = field(default=None, compare=False)


class Lab:
    """An experiment that is being made; `with Lab(...) as lab: lab.stage(...); return lab.finish(...)`.

    Parameters
    ----------
    kind
        The name of the experiment: compare, sweep, …
    words
        All that it depends on. Strategies and card sets may be objects.
    out
        Its folder; None: a temporary one.
    """

    def __init__(
        self, kind: str, words: Mapping[str, Any], out: str | Path | None, workers: Workers | None = None,
        watch: Watch = silent,
    ) -> None:  # fmt: skip
        self.kind, self.words = kind, plain(words)
        self.workers, self.watch = workers or Workers(), watch
        self.out, self.games = Path(out) if out is not None else None, 0
        self._kept: Any = None

    def __enter__(self) -> Lab:
        self.workers.check()
        self.is_temporary = self.out is None
        if self.out is None:
            self.out = Path(tempfile.mkdtemp(prefix="xenobalance-"))
        self._kept = _begun(self.out, self.kind, self.words)
        self._kept.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._kept.__exit__(*error)
        if self.is_temporary and self.out is not None:
            shutil.rmtree(self.out, ignore_errors=True)

    @property
    def path(self) -> Path:
        """The folder, while the experiment is being made."""
        assert self.out is not None
        return self.out

    def stage(self, name: str, words: Mapping[str, Any], labels: Sequence[str] = ()) -> Sums:
        """Play a stage, or go on with it, or only read it.

        Parameters
        ----------
        name
            Its folder's name, used but once.
        words
            Words of a study (`sim.study.WORDS`); what is kept are sums.
        labels
            A name for each arm (cell).
        """
        fold = int(words.get("fold", 1))
        whole = ALL_PLAYERS * fold
        chunk = whole * max(1, int(words.get("chunk", CHUNK)) // whole)
        ready = make_plan({**words, "keep": "sums", "chunk": chunk})
        self._keep_words()
        folder = self.path / STAGES / name
        folder.parent.mkdir(exist_ok=True)
        self.watch(0, ready.total, f"stage {name}")
        try:
            played = run(folder, ready, self.workers, self.watch, repair=True)
        except UserError as error:
            raise UserError(
                [_GO_ON.sub("go on with the same command", line) for line in error.lines]
            ) from None
        self.games += played.counts()["games"]
        return Sums.of(played, labels)

    def _keep_words(self) -> None:
        """The folder belongs to these words from now on: they were accepted, and something is played."""
        if not is_lab(self.path):
            write_whole(self.path / LAB, _json({"schema": SCHEMA, "kind": self.kind, "words": self.words}))

    def finish(self, result: Result) -> Result:
        """Keep the result in the folder."""
        found = Result(
            result.kind, result.title, self.words, plain(result.facts), dict(result.tables), list(result.verdict),
            list(result.warnings), result.games or self.games, None if self.is_temporary else self.path,
        )  # fmt: skip
        if not self.is_temporary:
            self._keep_words()
            save_result(found, self.path)
        return found


def save_result(result: Result, folder: Path) -> None:
    """Write a result; the tables first, so that a result that is there is whole."""
    (folder / TABLES).mkdir(exist_ok=True)
    for name, table in result.tables.items():
        write_whole(folder / TABLES / f"{name}.parquet", encode(table))
    content = {
        "schema": SCHEMA, "kind": result.kind, "title": result.title, "words": result.words, "facts": result.facts,
        "verdict": result.verdict, "warnings": result.warnings, "games": result.games, "tables": list(result.tables),
    }  # fmt: skip
    write_whole(folder / RESULT, _json(content))


def load_result(path: str | Path) -> Result:
    """The result of a finished experiment."""
    folder = Path(path)
    data = _read(folder / RESULT, folder)
    try:
        tables = {name: pl.read_parquet(folder / TABLES / f"{name}.parquet") for name in data["tables"]}
        return Result(
            data["kind"], data["title"], data["words"], data["facts"], tables, data["verdict"], data["warnings"],
            data["games"], folder,
        )  # fmt: skip
    except (KeyError, TypeError, OSError, pl.exceptions.PolarsError) as error:
        raise UserError(f"{folder}: the result is damaged ({error}); valid: the same command again") from None


def is_lab(path: str | Path) -> bool:
    """Whether there is an experiment, finished or not."""
    return (Path(path) / LAB).exists()


def _read(file: Path, folder: Path) -> dict[str, Any]:
    if not file.exists():
        what = "not finished; valid: the same command again" if is_lab(folder) else "no experiment is here"
        raise UserError(f"{folder}: {what}")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be read ({error}); valid: as the experiment wrote it") from None
    if not isinstance(data, dict):
        raise UserError(f"{file}: not a table; valid: as the experiment wrote it")
    return data


@contextmanager
def _begun(folder: Path, kind: str, words: Mapping[str, Any]) -> Iterator[None]:
    """The folder is ours, and of this experiment."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: not a folder; valid: a new folder, or one of an experiment to go on with")
    if not is_lab(folder) and folder.exists() and any(map(_is_foreign, folder.iterdir())):
        raise UserError(f"{folder}: neither empty nor an experiment; valid: a new folder")
    with locked(folder):
        if is_lab(folder):
            _check_same(folder, kind, words)
        yield


def _is_foreign(path: Path) -> bool:
    """Neither our lock nor what a kill left of a file."""
    return path.name != LOCK and path.suffix != ".part"


def _check_same(folder: Path, kind: str, words: Mapping[str, Any]) -> None:
    there = _read(folder / LAB, folder)
    if there.get("kind") != kind:
        raise UserError(f"{folder} holds an experiment of kind {there.get('kind')}; valid: another folder")
    if not isinstance(there.get("words"), dict):
        raise UserError(f"{folder / LAB}: no words in it; valid: as the experiment wrote it")
    old, new = _apart(there["words"]), _apart(words)
    told = [
        f"{key} was {shown(old.get(key))}, now {shown(new.get(key))}"
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]
    if told:
        raise UserError(
            f"{folder} holds another experiment: {'; '.join(told)}; valid: the same, or another folder"
        )


def _apart(words: Mapping[str, Any]) -> dict[str, Any]:
    """The words of the table among the others, so that a message can name one of them."""
    table = words.get("base")
    apart = {f"table {key}": value for key, value in table.items()} if isinstance(table, dict) else {}
    return {**{key: value for key, value in words.items() if key != "base"}, **apart}


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


# --- words ---------------------------------------------------------------------------------------------------
def plain(value: Any) -> Any:
    """Words as JSON has them: strategies and card sets by what makes them what they are."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "item"):  # a number of NumPy
        return value.item()
    return _object(value)


def _object(value: Any) -> Any:
    if hasattr(value, "hash"):
        return {"cards": value.name, "hash": value.hash()}
    if hasattr(value, "params"):
        params = {param.name: param.value for param in value.params}
        text = hashlib.sha256(value.text.encode()).hexdigest() if value.text else ""
        return {"strategy": value.name, "spec": value.spec, "params": params, "hash": text}
    raise UserError(
        f"{shown(value)} cannot be kept in an experiment; valid: names, numbers, strategies, card sets"
    )


def base_words(
    game: str = GAME,
    players: Any = None,
    *,
    strategies: Any = None,
    line_up: str = "seats",
    cards: Any = None,
    rules: Mapping[str, Any] | None = None,
    **own: Any,
) -> dict[str, Any]:
    """The table at which an experiment is played, checked: one number of players and line-up, one of each own word.

    Parameters
    ----------
    own
        The game's own words (`sim.registry.OWN_WORDS`), such as its length or mode; what is None is as usual.

    Returns the words of a study that all its stages share.
    """
    game_module(game)  # complains
    for name in own:
        if name not in OWN_WORDS[game]:
            near, valid = did_you_mean(name, OWN_WORDS[game]), ", ".join(OWN_WORDS[game])
            raise UserError(f"no word {shown(name)}{near}; valid: {valid}")
    words: dict[str, Any] = {
        "game": game, **{name: own.get(name) or word.default for name, word in OWN_WORDS[game].items()},
        "strategies": _one_line_up(strategies, line_up, players, game), "line_up": line_up,
        "cards": cards if cards is not None else REFERENCE, "rules": dict(rules or {}),
    }  # fmt: skip
    if players is not None:
        words["players"] = players
    several = [
        key for key in ("players", *OWN_WORDS[game], "cards") if isinstance(words.get(key), list | tuple)
    ]
    several += [f"rules.{name}" for name, value in words["rules"].items() if isinstance(value, list | tuple)]
    if several:
        raise UserError(f"{several[0]} has several values; valid: one, an experiment is made at one table")
    make_plan({**words, "games": 1})  # complains
    return words


def _one_line_up(given: Any, line_up: str, players: Any, game: str) -> list[Any]:
    """Names with commas, or a list; the game's default line-up goes round the table."""
    usual = DEFAULT_STRATEGIES[game]
    given = usual if given is None else given
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",") if name.strip()]
    names = list(given) if isinstance(given, list | tuple) else [given]
    if (
        tuple(names) == usual
        and len(usual) > 1
        and line_up != "pool"
        and isinstance(players, int)
        and 0 < players < 99
    ):
        return [names[k % len(names)] for k in range(players)]
    return names


def card_set(base: Mapping[str, Any]) -> Any:
    """The card set of the table."""
    cards = base["cards"]
    if isinstance(cards, str | Path):
        return game_module(base["game"]).load_cards(None if cards == REFERENCE else cards)
    return cards


def games_a_block(words: Mapping[str, Any]) -> int:
    """Games with the same luck in each arm."""
    return players_of(words) if words["line_up"] == ROTATED else 1


def players_of(words: Mapping[str, Any]) -> int:
    """How many sit at the table."""
    strategies = words["strategies"]
    drawn = words["line_up"] == POOL
    return int(
        words.get("players") or (len(strategies) if len(strategies) > 1 and not drawn else DEFAULT_PLAYERS)
    )


def strategy_names(base: Mapping[str, Any]) -> list[str]:
    """The names of the strategies at the table, each once, as they stand in the sums."""
    setting = make_plan({**base, "games": 1}).settings[0]
    return list(dict.fromkeys(strategy.name for strategy in setting.strategies))


def stage_folders(folder: Path) -> list[RunFolder]:
    """The runs of an experiment's stages, in the order of their names."""
    return [RunFolder(path) for path in sorted((folder / STAGES).iterdir()) if RunFolder.exists(path)]
