"""Does a balance hold for weak, for usual and for trained play? One that holds only for weak play is no balance.

Three levels: everybody plays at random; everybody plays as at the table (heuristics); everybody is trained, the alien
for its role and the humans for theirs. Roles are dealt, so a trained table is played with the trained alien in every
seat, and those games count in which it is dealt the alien.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW, Contrast, Estimates
from analysis.comparisons import signed, with_holm
from analysis.lab.climb import (
    CHECK,
    GAMES,
    GENERATIONS,
    PATIENCE,
    Budget,
    Player,
    Trained,
    check_budget,
    climb,
)
from analysis.lab.stages import Lab, Result, card_set, plain, silent, strategy_names
from analysis.lab.trainee import ALIEN, HUMAN, RANDOM, players_of, trainee
from sim.errors import UserError, shown
from sim.line_ups import ROTATED, SEATS
from sim.plan import game_module
from sim.registry import OWN_WORDS
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

TARGET, WITHIN = 0.5, 0.05
ALL = "all alien cards"
RANDOM_PLAY, HEURISTICS, TRAINED = "random", "heuristics", "trained"
STATES = {1: "too strong", 0: "balanced", -1: "too weak"}
UNCLEAR, NOTHING = "undecided", "exactly as often"
MEAN_OF_CARDS = "mean over cards, by blocks"
COLUMNS: dict[str, Any] = {
    "level": pl.String, "alien_card": pl.String, "rate": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    "changed": pl.Float64, "difference": pl.Float64, "difference_low": pl.Float64, "difference_high": pl.Float64,
    "p": pl.Float64, "n": pl.Int64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip


@dataclass(frozen=True)
class Level:
    """A way in which everybody plays: the words of its table, and what tells how often the alien wins."""

    name: str
    who: str
    words: Mapping[str, Any]
    metric: str = "alien_win"

    @property
    def games_a_count(self) -> int:
        """Games of which one counts: where roles are not as wanted, nothing is counted."""
        return 1 if self.metric == "alien_win" else players_of(self.words)


@dataclass(frozen=True)
class Found:
    """The alien's win rates at all levels, and whether they agree."""

    table: pl.DataFrame
    verdict: list[str]
    facts: dict[str, Any]


def untrained_levels(base: Mapping[str, Any]) -> list[Level]:
    """Random play, and the table as it is."""
    random = {**base, "strategies": [RANDOM], "line_up": SEATS, "players": players_of(base)}
    names = ", ".join(strategy_names(base))
    return [Level(RANDOM_PLAY, RANDOM, random), Level(HEURISTICS, names, dict(base))]


def trained_level(base: Mapping[str, Any], alien: Any, human: Any) -> Level:
    """A trained alien, and trained humans in all other seats; both are strategies with names of their own."""
    seats = players_of(base)
    if alien.name == human.name:  # trained for both: whoever is dealt the alien
        words = {**base, "strategies": [alien], "line_up": SEATS, "players": seats}
        return Level(TRAINED, alien.name, words)
    words = {**base, "strategies": [alien, *[human] * (seats - 1)], "line_up": ROTATED, "players": seats}
    return Level(TRAINED, f"{alien.name} against {human.name}", words, f"alien:{alien.name}")


# --- by itself -------------------------------------------------------------------------------------------------
def levels(
    base: Mapping[str, Any],
    finding: Sequence[str] = (),
    *,
    strategy: Any = None,
    generations: int = GENERATIONS,
    population: int = 0,
    games: int = GAMES,
    check: int = CHECK,
    patience: int = PATIENCE,
    target: float = TARGET,
    within: float = WITHIN,
    seed: int = 1,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """The alien's win rate for random play, the table's strategies, and trained ones; and what changes do to each.

    Parameters
    ----------
    base
        The table, from `base_words`.
    finding
        Changes of rules or cards that are said to do something: do they at every level?
    strategy
        Who is trained, once for each role; by default the first of the table.
    generations, population, games, check, patience
        As in `train`; `check` games for each level, divided among the alien cards.
    target, within
        The alien's win rate that counts as balanced, and how far from it is near enough.

    Example
    -------
    >>> levels(base_words(players=4), ["public_fame=0"]).verdict  # doctest: +SKIP
    """
    budget = Budget(generations, population, games, check, patience)
    check_target(target, within)
    chosen = base["strategies"][0] if strategy is None else strategy
    sides = [trainee(base, chosen, role) for role in (ALIEN, HUMAN)]
    check_budget(budget, sides[0].games_a_block)
    changes = check_finding(base, finding)
    words = {"base": plain(base), "finding": changes, "strategy": plain(chosen), "seed": seed, **plain(vars(budget)),
             "target": target, "within": within}  # fmt: skip
    with Lab("levels", words, out, workers, watch) as lab:
        play = Player(lab, seed)
        made = [climb(play, side, budget) for side in sides]
        found = play_levels(play, base, made, changes, check, target, within)
        facts = {**found.facts, "params": {one.trainee.role: one.trainee.values(one.point) for one in made}}
        title = f"Skill levels, {made[0].trainee.given.name} trained"
        return lab.finish(Result("levels", title, lab.words, facts, {"levels": found.table}, found.verdict))


def check_finding(base: Mapping[str, Any], finding: str | Sequence[str]) -> list[str]:
    """The changes of a finding; they must mean something at every level."""
    texts = [finding] if isinstance(finding, str) else list(finding)
    split = game_module(base["game"]).split_changes
    changes = [change for text in texts for change in split(text)]
    for level in untrained_levels(base):
        try:
            make_plan({**level.words, "changes": [changes], "games": 1})
        except UserError as error:
            raise UserError([f"level {level.name}: {line}" for line in error.lines]) from None
    return changes


def check_target(target: float, within: float) -> None:
    """Shares that make sense."""
    for name, value, low, high in (("target", target, 0, 1), ("within", within, 0, 0.5)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
            raise UserError(f"{name} is {shown(value)}; valid: between {low} and {high}, such as 0.05")


# --- playing -------------------------------------------------------------------------------------------------
def play_levels(
    play: Player,
    base: Mapping[str, Any],
    made: Sequence[Trained],
    changes: Sequence[str],
    games: int,
    target: float = TARGET,
    within: float = WITHIN,
) -> Found:
    """Play random, usual and trained tables.

    Parameters
    ----------
    made
        The trained strategy as the alien, and as a human.
    changes
        What is to be tried at each level as well; none: nothing.
    games
        Of each level, divided among the alien cards.
    """
    every = [*untrained_levels(base), trained_level(base, *(one.strategy for one in made))]
    cards = alien_cards(base)
    rows = [row for level in every for row in _level(play, level, cards, changes, games)]
    table = with_holm(pl.DataFrame(rows, COLUMNS))
    verdict, facts = judged(table, changes, target, within)
    return Found(table, verdict, {**facts, "levels": {level.name: level.who for level in every}})


def alien_cards(base: Mapping[str, Any]) -> list[str]:
    """The alien of the table; all of the card set, where it is drawn."""
    drawn = base["alien"] == OWN_WORDS[base["game"]]["alien"].default
    return [card.name for card in card_set(base).aliens] if drawn else [base["alien"]]


def _level(
    play: Player, level: Level, cards: Sequence[str], changes: Sequence[str], games: int
) -> list[dict[str, Any]]:
    """A row for each alien card, and one for all of them together."""
    arms = [[], list(changes)] if changes else [[]]
    words = {**level.words, "alien": list(cards), "changes": arms}
    each = max(FEW, games // len(cards)) * level.games_a_count
    labels = [f"{card}: {'as it is' if not texts else ', '.join(texts)}" for card in cards for texts in arms]
    found = play.fresh(f"level-{level.name}", words, each, labels).estimate(level.metric)
    n = len(arms)
    rows = [_row(found, level.name, card, [k * n], [k * n + n - 1]) for k, card in enumerate(cards)]
    if len(cards) > 1:
        places = list(range(len(cards)))
        rows.append(_row(found, level.name, ALL, [k * n for k in places], [k * n + n - 1 for k in places]))
    return rows


def _row(found: Estimates, level: str, card: str, plain: list[int], changed: list[int]) -> dict[str, Any]:
    """The alien's win rate over some arms, and how much more it is over others."""
    few = int(found.blocks[plain].min()) < FEW
    row: dict[str, Any] = {
        "level": level, "alien_card": card, "n": int(found.n[plain].sum()), "blocks": int(found.blocks[plain].min()),
        "method": found.method(plain[0]) if len(plain) == 1 else MEAN_OF_CARDS, "note": TOO_FEW if few else "",
    }  # fmt: skip
    if few:
        return row
    rate = _mean(found, plain)
    low, high = found.interval(plain[0]) if len(plain) == 1 else (max(0.0, rate.low), min(1.0, rate.high))
    row |= {"rate": rate.value, "low": low, "high": high}
    if changed != plain:
        step = found.contrast(_weights(found, changed) - _weights(found, plain))
        row |= {"changed": _mean(found, changed).value, "difference": step.value, "difference_low": step.low,
                "difference_high": step.high, "p": step.p}  # fmt: skip
    return row


def _mean(found: Estimates, places: Sequence[int]) -> Contrast:
    return found.contrast(_weights(found, places))


def _weights(found: Estimates, places: Sequence[int]) -> Any:
    weights = np.zeros(len(found))
    weights[list(places)] = 1 / len(places)
    return weights


# --- in words ------------------------------------------------------------------------------------------------
def judged(
    table: pl.DataFrame, changes: Sequence[str], target: float, within: float
) -> tuple[list[str], dict[str, Any]]:
    """Whether the balance, and what a change does to it, is the same at every level."""
    rows = {row["level"]: row for row in _summary(table).to_dicts()}
    states = {level: state(row, target, within) for level, row in rows.items()}
    told = [_balance(rows, states, target, within)]
    facts: dict[str, Any] = {"states": states, "holds": _agree(states), "target": target, "within": within}
    if changes:
        effects = {level: effect(row) for level, row in rows.items()}
        told.append(_effects(rows, effects, changes))
        facts |= {"effects": effects, "finding_holds": _agree(effects)}
    strongest = _strongest(table)
    if strongest:
        told.append(strongest)
    return told, facts


def _summary(table: pl.DataFrame) -> pl.DataFrame:
    """The row of each level that stands for all cards."""
    whole = table.filter(pl.col("alien_card") == ALL)
    return whole if len(whole) else table


def state(row: Mapping[str, Any], target: float, within: float) -> str:
    """Balanced, too strong, too weak; or the interval does not say."""
    if row["rate"] is None:
        return UNCLEAR
    if row["low"] > target + within:
        return STATES[1]
    if row["high"] < target - within:
        return STATES[-1]
    return STATES[0] if target - within <= row["low"] and row["high"] <= target + within else UNCLEAR


def effect(row: Mapping[str, Any]) -> str:
    """Whether a change makes the alien win more or less often, or not a block came out differently; or unknown."""
    if row["difference"] is not None and row["difference_low"] == row["difference_high"] == 0:
        return NOTHING
    if row["difference"] is None or row["difference_low"] <= 0 <= row["difference_high"]:
        return UNCLEAR
    return "more often" if row["difference"] > 0 else "less often"


def _agree(states: Mapping[str, str]) -> bool:
    """The same at every level, and clear."""
    return len(set(states.values())) == 1 and UNCLEAR not in states.values()


def _balance(
    rows: Mapping[str, Mapping[str, Any]], states: Mapping[str, str], target: float, within: float
) -> str:
    parts = [f"{level} {_rate(row)}: {states[level]}" for level, row in rows.items()]
    goal = f"{target * 100:g} ± {within * 100:g} %"
    if _agree(states):
        head = f"At every level of play the alien is {states[HEURISTICS]} (aim: {goal})"
    else:
        head = (
            f"Whether the alien is balanced (aim: {goal}) depends on how well people play, or is not certain"
        )
    return f"{head}: {'; '.join(parts)}."


def _rate(row: Mapping[str, Any]) -> str:
    if row["rate"] is None:
        return "too few games"
    return f"{row['rate'] * 100:.1f} % (95 %: {row['low'] * 100:.1f} to {row['high'] * 100:.1f}, n = {row['n']:,})"


def _effects(
    rows: Mapping[str, Mapping[str, Any]], effects: Mapping[str, str], changes: Sequence[str]
) -> str:
    parts = [f"{level} {_step(row)}" for level, row in rows.items()]
    what = ", ".join(changes)
    if _agree(effects):
        return f"{what}: the alien wins {effects[HEURISTICS]} at every level: {'; '.join(parts)}."
    return f"{what}: not the same at every level, or not certain: {'; '.join(parts)}."


def _step(row: Mapping[str, Any]) -> str:
    if row["difference"] is None:
        return "too few games"
    ends = f"{signed(row['difference_low'])} to {signed(row['difference_high'])}"
    return f"{signed(row['difference'])} points (95 %: {ends})"


def _strongest(table: pl.DataFrame) -> str:
    """Which card is the alien's best at each level, where there are several."""
    cards = table.filter((pl.col("alien_card") != ALL) & pl.col("rate").is_not_null())
    if cards["alien_card"].n_unique() < 2:
        return ""
    best = {str(level): _best_card(part) for (level,), part in cards.group_by("level", maintain_order=True)}
    if len(set(best.values())) == 1 and "" not in best.values():
        return f"The alien card that wins most often is the same at every level: {best[HEURISTICS]}."
    listed = ", ".join(f"{card or 'none clearly'} ({level})" for level, card in best.items())
    return f"The alien card that wins most often: {listed}."


def _best_card(cards: pl.DataFrame) -> str:
    """The card that wins most often, if its interval lies above that of the next one."""
    first, second = cards.sort("rate", descending=True).head(2).to_dicts()
    return str(first["alien_card"]) if first["low"] > second["high"] else ""
