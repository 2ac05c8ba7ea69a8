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
from analysis.comparisons import with_holm
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
from analysis.lab.levels_words import ALL, judged
from analysis.lab.stages import Lab, Result, card_set, plain, silent, strategy_names
from analysis.lab.trainee import ALIEN, HUMAN, RANDOM, players_of, trainee
from analysis.lab.worth import Checked, check_worth
from sim.errors import UserError, shown
from sim.line_ups import ROTATED, SEATS
from sim.plan import game_module
from sim.registry import OWN_WORDS
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

TARGET, WITHIN = 0.5, 0.05
RANDOM_PLAY, HEURISTICS, TRAINED = "random", "heuristics", "trained"
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
        made = [check_worth(play, climb(play, side, budget), budget) for side in sides]
        found = play_levels(play, base, [one.trained for one in made], changes, check, target, within)
        return lab.finish(_result(lab, made, found))


def _result(lab: Lab, made: Sequence[Checked], found: Found) -> Result:
    """With what the training was worth: a level that is hardly better than the other says little."""
    which = [one.trained.trainee for one in made]
    values = {one.role: one.values(side.trained.point) for one, side in zip(which, made, strict=True)}
    facts = {**found.facts, "params_of": values, "verdict": found.verdict}
    told = [*found.verdict, *(one.told[0] for one in made)]
    tables = {"levels": found.table, "worth": pl.concat([one.worth for one in made])}
    title = f"Skill levels, {which[0].given.name} trained"
    return Result("levels", title, lab.words, facts, tables, told)


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
