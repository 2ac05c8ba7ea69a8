"""The run folder: the plan, what it was played with, finished shards, and a receipt for each.

    plan.json         the plan; its hash names the run
    manifest.json     schema, hashes, versions, counts, state
    cards/, strategies/   card sets and users' strategies as they were played
    receipts.jsonl    a line for each finished chunk: rows, bytes and hash of its shards
    games/, seats/, acts/   the shards, CELL-CHUNK.parquet

A shard is written aside, synced and renamed, and only then gets its receipt: whatever happens, a shard with
a receipt is whole, and one without is simply played again, to the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from sim.errors import UserError
from sim.files import cards_copy, strategy_copy, write_whole
from sim.locking import LOCK
from sim.plan import REFERENCE, Plan, Ready, difference, game_module, plan_from_dict
from sim.records import ACTS, GAMES, SCHEMA, SEATS, SUMS

PLAN, MANIFEST, RECEIPTS = "plan.json", "manifest.json", "receipts.jsonl"
BEGUN = ".begun"  # there while a folder is made: what a kill leaves of it is ours to overwrite
RUNNING, COMPLETE = "running", "complete"
_LIBRARIES = ("xenobalance", "numpy", "numba", "polars")


@dataclass(frozen=True)
class Shard:
    """What a receipt says of one file."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Receipt:
    """A finished chunk."""

    cell: int
    chunk: int
    shards: Mapping[str, Shard]  # by table


# --- shards --------------------------------------------------------------------------------------------
def shard_path(folder: Path, table: str, cell: int, chunk: int) -> Path:
    """Where a shard lies."""
    return folder / table / f"{cell:05d}-{chunk:06d}.parquet"


def write_shards(folder: Path, cell: int, chunk: int, contents: Mapping[str, tuple[bytes, int]]) -> Receipt:
    """Put the shards of a chunk into their places: table -> content and number of rows."""
    shards = {}
    for table, (content, rows) in contents.items():
        write_whole(shard_path(folder, table, cell, chunk), content)
        shards[table] = Shard(rows, len(content), hashlib.sha256(content).hexdigest())
    return Receipt(cell, chunk, shards)


# --- the folder ------------------------------------------------------------------------------------------
class RunFolder:
    """A run folder that exists."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._seen: dict[tuple[int, int], Receipt] | None = None
        self.manifest = _read_json(self.path / MANIFEST)
        if self.manifest.get("schema") != SCHEMA:
            raise UserError(_other_schema(self.path, self.manifest.get("schema")))
        missing = [
            key
            for key in ("plan", "code", "planned", "cells", "state", "versions")
            if key not in self.manifest
        ]
        if missing:
            raise UserError(f"{self.path / MANIFEST}: no '{missing[0]}' in it; valid: as the run wrote it")
        data = _read_json(self.path / PLAN)
        try:
            self.plan: Plan = plan_from_dict(data)
        except (KeyError, TypeError, ValueError):
            raise UserError(f"{self.path / PLAN}: not a plan; valid: {PLAN} as the run wrote it") from None
        if self.plan.hash() != self.manifest["plan"]:
            raise UserError(
                f"{self.path / PLAN}: changed since the run began; valid: {PLAN} as the run wrote it"
            )

    @staticmethod
    def exists(path: str | Path) -> bool:
        """Whether a run was begun here."""
        return (Path(path) / MANIFEST).exists()

    @classmethod
    def create(cls, path: str | Path, ready: Ready, created: str) -> RunFolder:
        """A new run folder; the manifest comes last, and makes it one."""
        folder = Path(path)
        check_free(folder)
        write_whole(folder / BEGUN, b"")
        for name in tables(ready.plan):
            (folder / name).mkdir(parents=True, exist_ok=True)
        _save_sources(folder, ready)
        write_whole(folder / PLAN, _json(ready.plan.to_dict()))
        write_whole(folder / MANIFEST, _json(_manifest(ready, created)))
        (folder / BEGUN).unlink()
        return cls(folder)

    @property
    def complete(self) -> bool:
        return bool(self.manifest["state"] == COMPLETE)

    def ready(self) -> Ready:
        """The plan made ready from the sources in the folder."""
        game = game_module(self.plan.game)
        cards = {}
        for number, name in enumerate(self.plan.known_cards):
            if name == REFERENCE:
                cards[name] = game.load_cards(None)
            else:
                file = cards_copy(self.path, number)
                cards[name] = game.read_cards(_read_text(file), str(file))
        strategies = {}
        for number, (name, facts) in enumerate(self.plan.known_strategies.items()):
            text = ""
            if "hash" in facts:
                text = _read_text(strategy_copy(self.path, number))
                self._check_strategy(name, facts["hash"], text)
            strategies[name] = game.restore(name, facts, text)
        ready = Ready(self.plan, strategies, cards)
        self.check_sources(ready)
        return ready

    def _check_strategy(self, name: str, wanted: str, text: str) -> None:
        """The copy in the folder must be what the run was begun with."""
        if hashlib.sha256(text.encode()).hexdigest() != wanted:
            raise UserError(
                f"{self.path}: the copy of strategy {name} was edited; valid: as the run wrote it, or another folder"
            )

    def check_sources(self, ready: Ready) -> None:
        """Refuse to go on with anything but what the run was begun with."""
        for name, cards in ready.cards.items():
            if cards.hash() != self.plan.known_cards[name]:
                raise UserError(
                    f"{self.path}: the card set {name} is not the one this run was begun with; "
                    "valid: that one, or another folder"
                )
        code = ready.game.code_hash()
        if code != self.manifest["code"]:
            raise UserError(
                f"{self.path}: begun with other rules (xenobalance {self.manifest['versions']['xenobalance']}, code "
                f"{self.manifest['code']}; this is {code}); valid: that version, or another folder"
            )

    def check_same(self, plan: Plan) -> None:
        """Refuse another plan in the same folder, and say what is different."""
        told = difference(self.plan, plan)
        if told:
            raise UserError(
                f"{self.path} holds a run of another plan: {told}; valid: the same plan, or another folder"
            )

    # --- receipts ---
    def freeze(self) -> None:
        """From now on see only the chunks that are finished now, although somebody may be playing on."""
        self._seen = self.receipts()

    def receipts(self) -> dict[tuple[int, int], Receipt]:
        """Every finished chunk; a line that a crash left torn counts for nothing."""
        if self._seen is not None:
            return dict(self._seen)
        found = {}
        file = self.path / RECEIPTS
        for line in file.read_bytes().splitlines() if file.exists() else []:
            try:
                data = json.loads(line)
                shards = {table: Shard(**facts) for table, facts in data["shards"].items()}
                receipt = Receipt(int(data["cell"]), int(data["chunk"]), shards)
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
            if set(shards) == set(tables(self.plan)):
                found[receipt.cell, receipt.chunk] = receipt
        return found

    @contextmanager
    def journal(self) -> Iterator[IO[bytes]]:
        """The list of receipts, open for more; a torn last line is closed first."""
        file = self.path / RECEIPTS
        with file.open("a+b") as journal:
            journal.seek(0, os.SEEK_END)
            if journal.tell() > 0:
                journal.seek(-1, os.SEEK_END)
                if journal.read(1) != b"\n":
                    journal.write(b"\n")
            yield journal

    def rewrite_receipts(self, receipts: Mapping[tuple[int, int], Receipt]) -> None:
        """The list in order, whole."""
        write_whole(self.path / RECEIPTS, b"".join(_line(receipts[key]) for key in sorted(receipts)))

    def finish(self, receipts: Mapping[tuple[int, int], Receipt], finished: str) -> None:
        """All is played: receipts in order, counts in the manifest."""
        self.rewrite_receipts(receipts)
        self.manifest |= {"state": COMPLETE, "finished": finished, "counts": self.counts(receipts)}
        write_whole(self.path / MANIFEST, _json(self.manifest))

    def counts(self, receipts: Mapping[tuple[int, int], Receipt] | None = None) -> dict[str, int]:
        """Chunks, games, rows of each table, and bytes; of these receipts, or of all."""
        receipts = self.receipts() if receipts is None else receipts
        found = {"chunks": len(receipts), GAMES: sum(self.size(*key) for key in receipts)}
        for table in tables(self.plan):
            found[table] = sum(receipt.shards[table].rows for receipt in receipts.values())
        shards = (shard for receipt in receipts.values() for shard in receipt.shards.values())
        return found | {"bytes": sum(shard.bytes for shard in shards)}

    def size(self, cell: int, chunk: int) -> int:
        """Games of a chunk."""
        facts = self.manifest["cells"]
        games = int(facts[cell]["games"]) if cell < len(facts) else 0
        return max(0, min(self.plan.chunk, games - chunk * self.plan.chunk))

    def reopen(self) -> None:
        """Something has to be played again."""
        self.manifest |= {"state": RUNNING}
        write_whole(self.path / MANIFEST, _json(self.manifest))

    def problem_with(self, receipt: Receipt) -> str:
        """What is wrong with the shards of a chunk; empty if they are as they were written."""
        for table, shard in receipt.shards.items():
            path = shard_path(self.path, table, receipt.cell, receipt.chunk)
            name = path.relative_to(self.path).as_posix()
            if not path.exists():
                return f"{name}: missing"
            size = path.stat().st_size
            if size != shard.bytes:
                return f"{name}: {size:,} bytes instead of {shard.bytes:,}"
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != shard.sha256:
                    return f"{name}: not as it was written"
        return ""

    def clean(self) -> None:
        """Remove what a killed run left half-written."""
        for table in tables(self.plan):
            (self.path / table).mkdir(exist_ok=True)
            for aside in (self.path / table).glob("*.part"):
                with suppress(OSError):
                    aside.unlink()
        for aside in [*self.path.glob("*.part"), self.path / BEGUN]:
            with suppress(OSError):
                aside.unlink()


def check_free(folder: Path) -> None:
    """A new run goes into no folder but an empty one, or one that was being made when the process was killed."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: not a folder; valid: a new folder, or one of a run to go on with")
    if folder.exists() and not (folder / BEGUN).exists() and any(p.name != LOCK for p in folder.iterdir()):
        raise UserError(
            f"{folder}: neither empty nor a run; valid: a new folder, or one of a run to go on with"
        )


def tables(plan: Plan) -> tuple[str, ...]:
    """The tables a run writes."""
    if plan.keep == SUMS:
        return (SUMS,)
    return (GAMES, SEATS, ACTS) if plan.acts else (GAMES, SEATS)


def append_receipt(journal: IO[bytes], receipt: Receipt) -> None:
    """One more finished chunk, on disk before it counts."""
    journal.write(_line(receipt))
    journal.flush()
    os.fsync(journal.fileno())


# --- what stands in the files ----------------------------------------------------------------------------
def _manifest(ready: Ready, created: str) -> dict[str, Any]:
    plan = ready.plan
    return {
        "schema": SCHEMA,
        "plan": plan.hash(),
        "game": plan.game,
        "seed": plan.seed,
        "code": ready.game.code_hash(),
        "cards": dict(plan.known_cards),
        "versions": _versions(),
        "planned": {
            "cells": len(ready.cells),
            "games": ready.total,
            "chunks": ready.chunk_count,
        },
        "cells": [cell_facts(ready, number) for number in range(len(ready.cells))],
        "state": RUNNING,
        "created": created,
    }


def cell_facts(ready: Ready, number: int) -> dict[str, Any]:
    """A cell with everything filled in: what the number in the records stands for."""
    setting, cell = ready.settings[number], ready.cells[number]
    changes = {"changes": list(cell.changes)} if ready.plan.changes != ((),) else {}
    return {
        "cell": number,
        "players": setting.players,
        **{name: getattr(setting, name) or chosen for name, chosen in cell.own.items()},
        "strategies": [strategy.name for strategy in setting.strategies],
        "cards": cell.cards,
        "changed_rules": cell.rules,
        "games": ready.games[number],
        **changes,
    }


def _versions() -> dict[str, str]:
    found = {"python": ".".join(str(n) for n in sys.version_info[:3])}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from a checkout without installation
            found[name] = "unknown"
    return found


def _save_sources(folder: Path, ready: Ready) -> None:
    """Card sets, rule options and users' strategies as they are played, so that the folder stands alone."""
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(ready.plan.known_cards):
        write_whole(cards_copy(folder, number), ready.game.cards_text(ready.cards[name]).encode())
    rules = [dict(setting.rules) for setting in ready.settings]
    shared = {key: value for key, value in rules[0].items() if all(one[key] == value for one in rules)}
    varied = [{k: v for k, v in one.items() if k not in shared} for one in rules]
    write_whole(folder / "rules.json", _json({"all_cells": shared, "by_cell": varied if any(varied) else []}))
    for number, (name, facts) in enumerate(ready.plan.known_strategies.items()):
        if "hash" in facts:
            (folder / "strategies").mkdir(exist_ok=True)
            write_whole(strategy_copy(folder, number), ready.strategies[name].text.encode())


def _line(receipt: Receipt) -> bytes:
    return json.dumps(asdict(receipt), separators=(",", ":")).encode() + b"\n"


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or 'not a text file'}; valid: as the run wrote it"
                        ) from None  # fmt: skip


def _read_json(path: Path) -> dict[str, Any]:
    if path.name == MANIFEST and not path.exists():
        what = "no such folder" if not path.parent.exists() else f"not a run: it has no {MANIFEST}"
        raise UserError(f"{path.parent}: {what}; valid: a folder written by 'xenobalance run'")
    try:
        data = json.loads(_read_text(path))
    except json.JSONDecodeError as error:
        raise UserError(f"{path}: not JSON: {error}; valid: as the run wrote it") from None
    if not isinstance(data, dict):
        raise UserError(f"{path}: not a table; valid: as the run wrote it")
    return data


def _other_schema(path: Path, schema: Any) -> str:
    """What to do with a folder of another time."""
    told = f"{path}: records of schema {schema}, and this version reads {SCHEMA}"
    if isinstance(schema, int) and schema > SCHEMA:
        return f"{told}; valid: a newer xenobalance"
    return f"{told}; valid: play it again, into a new folder: xenobalance run NEW --study {path / PLAN}"
