"""Target Earth: the Alliance against the aliens, in turns; in the advanced game one seat wins with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.registry import part

if TYPE_CHECKING:
    import polars as pl

SIDE = "the Alliance"
WINS, OFTEN = "Alliance wins", "How often the Alliance wins"
LASTS = "turns"
SUM = "won"
SECTIONS = (
    "countries", "ufos", "bags", "aliens", "random_mode", "technologies", "radars", "alliance", "factions",
    "objectives",
)  # fmt: skip


def has_won() -> pl.Expr:
    """Of a game: whether the Alliance won it."""
    import polars as pl

    return pl.col("won")


def told_setting(cell: Any) -> str:
    """A cell in words: 'normal', 'hard, advanced'."""
    return f"{cell['mode']}, advanced" if cell["variant"] == "advanced" else f"{cell['mode']}"


# --- a run in a notebook -----------------------------------------------------------------------------------
def rates(seats: pl.LazyFrame, games: pl.LazyFrame, strategies: list[str]) -> list[tuple[str, int, int]]:
    """Who won how many of how many: the Alliance; it with each strategy at the table, if there are several; and
    each strategy's seats, where seats win for themselves."""
    import polars as pl

    whole = games.select(wins=pl.col("won").sum(), n=pl.len()).collect().row(0)
    rows = [(SIDE, int(whole[0] or 0), int(whole[1]))]
    keys = ["cell", "index"]
    if len(strategies) > 1:
        at_table = seats.select(*keys, "strategy").unique().join(games.select(*keys, "won"), on=keys)
        found = at_table.group_by("strategy").agg(wins=pl.col("won").sum(), n=pl.len()).collect()
        rows += _listed(found, strategies, f"{SIDE} with {{}}")
    advanced = games.filter(pl.col("variant").cast(pl.String) == "advanced").select(keys)
    found = (
        seats.join(advanced, on=keys).group_by("strategy").agg(wins=pl.col("won").sum(), n=pl.len()).collect()
    )
    return rows + _listed(found, strategies, "a seat of {}, advanced game")


def _listed(found: pl.DataFrame, strategies: list[str], text: str) -> list[tuple[str, int, int]]:
    known = {str(row["strategy"]): (int(row["wins"]), int(row["n"])) for row in found.to_dicts()}
    return [(text.format(name), *known[name]) for name in strategies if name in known]


# --- xenobalance play --------------------------------------------------------------------------------------
def nothing(setting: Any) -> dict[str, Any]:
    """The counts before the first game."""
    import numpy as np

    return {"games": 0, "won": 0, "turns": 0, "points": np.zeros(2, int), "why": np.zeros((2, 6), int),
            "seats": np.zeros(setting.bases, int)}  # fmt: skip


def counts_of(setting: Any, rows: Any) -> dict[str, Any]:
    """What a chunk of games adds."""
    import numpy as np

    why = np.zeros((2, 6), int)
    np.add.at(why, (rows["won"].astype(int), rows["why"].astype(int)), 1)
    return {
        "games": len(rows),
        "won": int(rows["won"].sum()),
        "turns": int(rows["turns"].sum()),
        "points": rows["points"].sum(axis=0, dtype=int),
        "why": why,
        "seats": (rows["seat"]["won"][:, : setting.bases] == 1).sum(axis=0),
    }


def played(setting: Any, counts: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Who won how many of how many; and how games ended."""
    from sim.games.target_earth.records import WHY_WORDS

    games = counts["games"]
    found = [(SIDE, counts["won"], games)]
    if setting.variant == "advanced":
        seated = enumerate(setting.seated())
        found += [(f"seat {p + 1} ({one.name})", int(counts["seats"][p]), games) for p, one in seated]
    for won, word in ((1, "won"), (0, "lost")):
        for k, why in enumerate(WHY_WORDS):
            if counts["why"][won][k]:
                found.append((f"{word}: {ENDINGS[won][why]}", int(counts["why"][won][k]), games))
    return found


#: how a game ended, for people: lost, then won
ENDINGS: tuple[dict[str, str], dict[str, str]] = (
    {
        "points": "points",
        "no science": "ahead, without alien science",
        "fewer points": "not ahead, with alien science",
        "neither": "not ahead, without alien science",
        "sudden": "aliens far ahead",
        "impossible": "alien science out of reach",
    },
    {"points": "ahead after the last turn", "sudden": "far ahead before it"},
)


def facts(counts: dict[str, Any]) -> dict[str, float]:
    """Averages for programs."""
    return {"turns": counts["turns"] / counts["games"]}


def title(setting: Any) -> str:
    """What was played."""
    who = f"{setting.players} players" if setting.players > 1 else f"1 player with {setting.bases} bases"
    return f"{who}, {setting.mode} mode, {setting.variant} game"


def closing(setting: Any, counts: dict[str, Any]) -> str:
    """Averages for people."""
    games, (alliance, aliens) = counts["games"], counts["points"]
    return (
        f"{counts['turns'] / games:.1f} turns, {alliance / games:.1f} points of the Alliance and "
        f"{aliens / games:.1f} of the aliens on average"
    )


# --- cards -------------------------------------------------------------------------------------------------
CARD_NOTE = "* from the rulebook, † from published reviews; everything else is assumed"
CARD_NAMES = {
    "ufos": "UFO tiles", "aliens": "alien cards", "alliance": "Alliance cards", "objectives": "secret objectives",
}  # fmt: skip


def card_total(card_set: Any) -> dict[str, int]:
    """How many cards of each section."""
    data = card_set.data
    found = {name: len(data[name]) for name in ("countries", "aliens", "factions", "objectives")}
    return found | {
        "ufos": sum(size["tiles"] for size in data["ufos"]),
        "alliance": sum(kind["count"] for kind in data["alliance"]),
    }


def card_heading(card_set: Any) -> str:
    """A card set's name."""
    return str(card_set.name)


def card_table(card_set: Any, section: str) -> Any:
    """The table of a section."""
    from xenobalance.games import target_earth_cards

    return target_earth_cards.table_of(card_set.data, section)


# --- strategies --------------------------------------------------------------------------------------------
def describe_strategy(spec: str) -> dict[str, Any]:
    """Idea, decisions and parameters of a strategy."""
    import inspect

    from sim.games.target_earth.asking import QUESTIONS
    from sim.games.target_earth.strategy import CORE, load_strategy

    strategy, core = load_strategy(spec), part("target-earth", "strategy").load_strategy("core")
    defaults = {param.name: param.value for param in core.params}
    decisions = []
    for question in QUESTIONS:
        own = question.name in strategy.functions
        function = strategy.functions.get(question.name) or core.functions.get(question.name)
        decisions.append(
            {
                "name": question.name, "own": own, "asks": question.text, "kind": question.kind,
                "option": question.option, "how": inspect.getdoc(function) or "" if function else "",
            }
        )  # fmt: skip
    params = [
        {"name": p.name, "value": p.value, "default": defaults.get(p.name), "text": p.text} for p in strategy.params
    ]  # fmt: skip
    return {
        "name": strategy.name, "built_in": strategy.built_in, "idea": strategy.idea, "decisions": decisions,
        "params": params, "core": CORE, "problems": [],
    }  # fmt: skip


TABLE_MATES = ("core", "core", "core")

TEMPLATE = '''"""A strategy for Target Earth; what it leaves out, `core` decides."""

from strategies.target_earth.core import CORE_PARAMS
from strategies.target_earth.toolbox import SCIENCE

HASTE = len(CORE_PARAMS)  # own parameters stand in seat.params after the core's


class NAME:
    """Puts alien science before everything else, and courts the countries that pay best."""

    #: values for the core's parameters, and own ones with their meaning (list them with `strategies show`)
    params = {
        "labs": 12.0,
        "haste": (3.0, "how much more alien science is worth than any other technology"),
    }

    def research(table, seat, technology):
        """Science as soon as it can be paid; then whatever is lowest. Below 0: nothing."""
        if technology == SCIENCE:
            return seat.params[HASTE]
        return 1.0 / table.level[technology]

    def court(table, seat, country):
        """The higher the better: what the country pays, and what it counts."""
        return float(table.cards.credits[country] + table.cards.points[country])
'''
