"""E.T.I.: the alien against the humans, in rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.registry import part

if TYPE_CHECKING:
    import polars as pl

SIDE = "the alien"  # whose wins are told
WINS, OFTEN = "alien wins", "How often the alien wins"
LASTS = "rounds"  # what games are measured in, a column of `games` and of the sums
SUM = "alien"  # column of the sums: games that side won
SECTIONS = ("projects", "events", "research", "aliens", "humans", "tracks")


def has_won() -> pl.Expr:
    """Of a game: whether that side won it."""
    import polars as pl

    return pl.col("winner_role").cast(pl.String) == "alien"


def told_setting(cell: Any) -> str:
    """A cell in words: 'standard'."""
    return f"{cell['length']}"


# --- a run in a notebook -----------------------------------------------------------------------------------
def rates(seats: pl.LazyFrame, games: pl.LazyFrame, strategies: list[str]) -> list[tuple[str, int, int]]:
    """Who won how many of how many: the alien, and each strategy in all, as human and as alien."""
    import polars as pl

    whole = seats.group_by("strategy").agg(wins=pl.col("won").sum(), n=pl.len()).collect()
    parts = seats.group_by("strategy", "role").agg(wins=pl.col("won").sum(), n=pl.len()).collect()
    alien = parts.filter(pl.col("role") == "alien")
    rows = [(SIDE, int(alien["wins"].sum()), int(alien["n"].sum()))]
    for name in strategies:
        mine = whole.filter(pl.col("strategy") == name)
        rows.append((name, int(mine["wins"].sum()), int(mine["n"].sum())))
        for role in ("human", "alien"):
            one = parts.filter((pl.col("strategy") == name) & (pl.col("role") == role))
            rows.append((f"{name} as {role}", int(one["wins"].sum()), int(one["n"].sum())))
    return rows


# --- xenobalance play --------------------------------------------------------------------------------------
def nothing(setting: Any) -> dict[str, Any]:
    """The counts before the first game."""
    import numpy as np

    n = setting.players
    counts: dict[str, Any] = {"games": 0, "alien": 0, "rounds": 0, "survivors": 0}
    return counts | {"won": np.zeros((n, 2), int), "seats": np.zeros((n, 2), int)}


def counts_of(setting: Any, rows: Any) -> dict[str, Any]:
    """What a chunk of games adds; `seats` and `won` by seat and role."""
    import numpy as np

    seats = rows["seat"][:, : setting.players]
    is_alien, won = seats["role"] == 1, seats["won"] == 1
    return {
        "games": len(rows),
        "alien": int(rows["winner_role"].sum()),
        "rounds": int((rows["invasion_round"] - 1).sum()),
        "survivors": int(rows["survivors"].sum()),
        "seats": np.stack([(~is_alien).sum(axis=0), is_alien.sum(axis=0)], axis=1),
        "won": np.stack([(won & ~is_alien).sum(axis=0), (won & is_alien).sum(axis=0)], axis=1),
    }


def played(setting: Any, counts: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Who won how many of how many."""
    found = [(SIDE, counts["alien"], counts["games"])]
    for p, strategy in enumerate(setting.strategies):
        won, n = counts["won"][p], counts["seats"][p]
        name = f"seat {p + 1} ({strategy.name})"
        found.append((name, int(won.sum()), int(n.sum())))
        found.append((f"{name} as human", int(won[0]), int(n[0])))
        found.append((f"{name} as alien", int(won[1]), int(n[1])))
    return found


def facts(counts: dict[str, Any]) -> dict[str, float]:
    """Averages for programs."""
    return {"rounds": counts["rounds"] / counts["games"]}


def title(setting: Any) -> str:
    """What was played."""
    return f"{setting.players} players, {setting.length} game"


def closing(setting: Any, counts: dict[str, Any]) -> str:
    """Averages for people."""
    games = counts["games"]
    return (
        f"{counts['rounds'] / games:.1f} rounds and {counts['survivors'] / games:.2f} surviving humans a game on "
        "average"
    )


# --- cards -------------------------------------------------------------------------------------------------
def card_total(card_set: Any) -> dict[str, int]:
    """How many cards of each section."""
    return {
        "research": sum(kind.count for kind in card_set.research),
        "projects": len(card_set.projects),
        "events": len(card_set.events),
        "humans": len(card_set.humans),
        "aliens": len(card_set.aliens),
    }


CARD_NOTE = "* from the rulebook; everything else is assumed"
CARD_NAMES = {"research": "research cards", "humans": "human cards", "aliens": "alien cards"}


def card_heading(card_set: Any) -> str:
    """A card set's name."""
    return f"{card_set.name}, version {card_set.version}"


def card_table(card_set: Any, section: str) -> Any:
    """The table of a section."""
    from xenobalance.games import eti_cards

    return eti_cards.TABLES[section](card_set)


def describe_strategy(spec: str) -> dict[str, Any]:
    """Idea, decisions and parameters of a strategy."""
    found: dict[str, Any] = part("eti", "strategy_check").describe_strategy(spec)
    return found


TABLE_MATES = ("cautious", "gambler", "climber")

TEMPLATE = '''"""A strategy for E.T.I.; what it leaves out, `core` decides. See docs/writing-a-strategy.md."""

from strategies.eti.core import CORE_PARAMS
from strategies.eti.toolbox import (
    RESEARCH,
    SUBMIT,
    chance,
    expected_total,
    may_submit,
    mine,
    missing,
    ports_full,
    rivals,
)

PATIENCE = len(CORE_PARAMS)  # own parameters stand in seat.params after the core's


class NAME:
    """Looks for projects nobody else studies, and submits when the cards promise enough."""

    #: values for the core's parameters, and own ones with their meaning (list them with `strategies show`)
    params = {
        "security": 1.2,
        "patience": (1.2, "submit when the cards promise so many times what is missing"),
    }

    def rate_project(table, seat, project):
        """Higher is better: defence and fame, less the work and the company one keeps."""
        cards = table.cards
        worth = cards.defence[project] + cards.fame[project] - 0.2 * cards.difficulty[project]
        return worth - 10 * rivals(table, mine(seat), project) + chance(seat, project)

    def agenda(table, seat):
        """RESEARCH, SUBMIT or SWITCH (to another project)."""
        me = mine(seat)
        enough = expected_total(table, seat, 0) >= missing(table, me) * seat.params[PATIENCE]
        if may_submit(table, me) and (enough or ports_full(table, me)):
            return SUBMIT
        return RESEARCH

    def reveal(table, seat):
        """As the alien: show yourself (1) or wait (0)?"""
        return 1 if table.completed[mine(seat)] >= 2 else 0
'''
