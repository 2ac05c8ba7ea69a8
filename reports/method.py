"""The last chapter: what was played, with what, which values are assumed, and how to do it again."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

import polars as pl

from analysis.blocks import FEW
from analysis.threshold_length import assumed_pace
from reports.model import Chapter, Column, Table
from sim.files import cards_copy
from sim.folder import RunFolder
from sim.plan import GAME, Plan

ID, TITLE = "method", "Method"
LINE_UPS = {
    "seats": "each strategy kept its seat",
    "rotated": "each line-up was played in every rotation with the same luck",
    "pool": "each seat of each game drew its strategy from the list",
}

STATISTICS = (
    "Every figure is from complete games; no game was left out. n counts what the heading of its column says.",
    "Games with the same number had the same luck in every cell, and seats of a game share their winner. So the unit "
    "is the block, all rows with the same luck: rates, means and differences are added up by block, and their "
    "intervals come from how blocks vary. All intervals are 95 % intervals. 'Wilson' is Wilson's interval for "
    "independent games; 'Wilson by blocks' is the same on the number of independent rows that would tell as much; "
    "'mean by blocks' and 'difference by blocks' are Student's. Differences between cells are paired by luck.",
    "Where a table compares many things at once, p-values are corrected with Holm's method over all its rows. A "
    "finding is only written where the corrected p-value is under 5 % or the interval leaves out what it is compared "
    "with; descriptions (how long, how often) need no such test.",
    f"A figure from fewer than {FEW} blocks is not shown; the note says so.",
)

#: of games that all players win or lose together
COOPERATIVE = (
    "All players win or lose together, so the unit is the game: a game with four seats is one observation, not four, "
    "and n counts games. Seats are counted only where each has something of its own to win, and there they are added "
    "up by game.",
)


def chapter(folder: RunFolder) -> Chapter:
    """Tables and texts of the method."""
    is_timed = folder.plan.game == GAME  # nobody has assumed minutes for other games
    parts = [_cells(folder), assumed(folder), *([_pace()] if is_timed else [])]
    texts = STATISTICS if folder.plan.game == GAME else (*COOPERATIVE, *STATISTICS)
    return Chapter(
        ID, TITLE, "What was played, how it was counted, and what to be careful about.", texts, parts
    )


def facts(folder: RunFolder) -> list[tuple[str, str]]:
    """What was played, in short."""
    plan, manifest = folder.plan, folder.manifest
    found, planned = folder.counts(), manifest["planned"]
    versions = ", ".join(f"{name} {number}" for name, number in manifest["versions"].items())
    changed = ", ".join(f"{name} = {', '.join(map(str, values))}" for name, values in plan.rules.items())
    return [
        ("games", f"{found['games']:,} of {planned['games']:,} planned, in {planned['cells']:,} cells"),
        ("seed", str(plan.seed)),
        ("strategies", "; ".join(", ".join(dict.fromkeys(line_up)) for line_up in plan.strategies)),
        ("line-up", f"{plan.line_up}: {LINE_UPS.get(plan.line_up, '')}"),
        (
            "cards",
            ", ".join(f"{name} (sha256 {known[:12]})" for name, known in plan.known_cards.items())
            or "reference",
        ),
        ("changed rules", changed or "none"),
        ("begun", manifest.get("created", "")),
        ("versions", versions),
        ("rules' sources", manifest["code"]),
        ("plan", manifest["plan"]),
    ]


def commands(folder: RunFolder, target: float, only: list[str]) -> list[str]:
    """How to make this run and this page again."""
    options = f" --target {target}" if target != 0.5 else ""
    options += "".join(f" --only {name}" for name in only)
    return [
        f"xenobalance run AGAIN --study {quote(folder.path.resolve().name)}/plan.json",
        f"xenobalance report AGAIN{options}",
    ]


def warnings(folder: RunFolder) -> Iterator[str]:
    """What a reader must know before the first figure."""
    found, planned = folder.counts(), folder.manifest["planned"]
    if found["games"] < planned["games"]:
        yield (
            f"Partial: the run is not finished. {found['games']:,} of {planned['games']:,} games are in this report, "
            "and cells that come late in the plan are missing or small."
        )
    if found["games"] < FEW:
        yield f"Too few games to say anything: {found['games']:,}. From {FEW} on there are figures."
    yield from assumed_warning(folder)


def assumed_warning(folder: RunFolder) -> Iterator[str]:
    """How many of the values on the cards are not the published ones."""
    values, unknown = _totals(_assumed_rows(folder))
    if unknown:
        yield (
            f"{unknown:,} of {values:,} values on the cards are assumed, not the published ones. Read the figures as "
            "statements about this card set; see the method at the end."
        )


# --- cells -----------------------------------------------------------------------------------------------
def _cells(folder: RunFolder) -> Table:
    plan: Plan = folder.plan
    rows = []
    games: dict[int, int] = {}
    for (cell, _), receipt in folder.receipts().items():
        games[cell] = games.get(cell, 0) + receipt.shards["games"].rows
    for cell in folder.manifest["cells"]:
        rules = ", ".join(f"{name}={value}" for name, value in cell["changed_rules"].items())
        rows.append(
            {
                "cell": cell["cell"], "players": cell["players"], **{word: cell[word] for word in plan.own},
                "strategies": ", ".join(cell["strategies"]), "cards": cell["cards"], "rules": rules,
                "planned": cell["games"], "played": games.get(cell["cell"], 0),
            }
        )  # fmt: skip
    columns = [
        Column("cell", "cell", "whole"), Column("players", "players", "whole"),
        *(Column(word, word) for word in plan.own),
        *([Column("strategies", "strategies")] if len(plan.strategies) > 1 else []),
        *([Column("cards", "cards")] if len(plan.cards) > 1 else []),
        *([Column("rules", "changed rules")] if plan.rules else []),
        Column("planned", "games planned", "whole"), Column("played", "played", "whole"),
    ]  # fmt: skip
    return Table("cells", "The cells of the plan", pl.DataFrame(rows), columns)


# --- assumed values --------------------------------------------------------------------------------------
def assumed(folder: RunFolder) -> Table:
    """Which card values are assumed, by section."""
    return Table(
        "assumed",
        "Which card values are assumed",
        pl.DataFrame(_assumed_rows(folder)),
        [
            Column("cards", "card set"), Column("section", "section"), Column("entries", "entries", "whole"),
            Column("values", "values", "whole"), Column("assumed", "assumed", "whole"),
            Column("from_rulebook", "from the rulebook"),
        ],
        "The rulebook prints only a few cards. Put the published values into a card file, and play the run with it.",
    )  # fmt: skip


def _assumed_rows(folder: RunFolder) -> list[dict[str, Any]]:
    rows = []
    for number, name in enumerate(folder.plan.cards):
        text = cards_copy(folder.path, number).read_text(encoding="utf-8")
        for section, entries in tomllib.loads(text).items():
            if section != "set":
                rows.append({"cards": name, "section": section, **_counted(_listed(entries))})
    return rows


def _listed(entries: Any) -> list[dict[str, Any]]:
    """The entries of a section: a list, one table, or tables with names, whose lists count number by number."""
    if isinstance(entries, list):
        return entries
    if not all(isinstance(facts, Mapping) for facts in entries.values()):
        return [dict(entries)]
    return [{"track": name, **_apart(facts)} for name, facts in entries.items()]


def _apart(facts: Mapping[str, Any]) -> dict[str, Any]:
    """A table whose only value is a list, such as a track: its numbers one by one, each with its source."""
    source = facts.get("source", "assumed")
    lists = [value for key, value in facts.items() if key != "source"]
    if len(lists) != 1 or not isinstance(lists[0], list):
        return dict(facts)
    spaces = {f"space {k}": value for k, value in enumerate(lists[0], 1)}
    if isinstance(source, list):
        source = {str(k): where for k, where in enumerate(source, 1)}
    known = source if isinstance(source, str) else {f"space {k}": where for k, where in source.items()}
    return {**spaces, "source": known}


PUBLISHED = ("rulebook", "reviews")  # sources that print the value


def _counted(entries: list[dict[str, Any]]) -> dict[str, Any]:
    values = assumed = 0
    printed = []
    for entry in entries:
        source = entry.get("source", "assumed")
        names = [key for key in entry if key not in ("source", "track")]
        known = [
            key for key in names if (source if isinstance(source, str) else source.get(key)) in PUBLISHED
        ]
        values, assumed = values + len(names), assumed + len(names) - len(known)
        if known:
            printed.append(str(entry.get("name", entry.get("card", entry.get("track", "")))))
    return {
        "entries": len(entries),
        "values": values,
        "assumed": assumed,
        "from_rulebook": ", ".join(printed),
    }


def _totals(rows: list[dict[str, Any]]) -> tuple[int, int]:
    return sum(row["values"] for row in rows), sum(row["assumed"] for row in rows)


def _pace() -> Table:
    rows = [
        {"what": name.replace("_", " "), "quick": low, "slow": high}
        for name, (low, high) in assumed_pace().items()
    ]
    return Table(
        "pace",
        "Assumed minutes at the table",
        pl.DataFrame(rows),
        [Column("what", "what"), Column("quick", "quick", "number2"), Column("slow", "slow", "number2")],
        "Assumed, not measured: for the estimates of minutes only.",
    )
