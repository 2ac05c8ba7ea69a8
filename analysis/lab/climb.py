"""Climbing: generation after generation of candidates for a role, and a final among the best on fresh luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.blocks import FEW, Contrast, contrast_row
from analysis.lab.evolve import Gain, Point, Search, evolve
from analysis.lab.stages import Lab, games_a_block
from analysis.lab.sums import Sums
from analysis.lab.trainee import AS, Trainee
from sim.errors import UserError, shown
from sim.study import MOST_GAMES

GENERATIONS, GAMES, CHECK, PATIENCE = 80, 4_000, 100_000, 15
FINAL = 10  # times as many games for finalists as for candidates
TOLD_EVERY = 10  # generations
UNTRAINED = "untrained"


@dataclass(frozen=True)
class Budget:
    """How much is played: generations, candidates of each (0: as CMA-ES recommends), games of a candidate, games of
    the check, and after how many generations without progress the search ends."""

    generations: int = GENERATIONS
    population: int = 0
    games: int = GAMES
    check: int = CHECK
    patience: int = PATIENCE


@dataclass(frozen=True)
class Trained:
    """What came of training one role."""

    trainee: Trainee
    search: Search
    finalists: pl.DataFrame
    point: Point

    @property
    def improved(self) -> bool:
        """Whether a finalist did better than the untrained one."""
        return self.point != self.search.start

    @property
    def strategy(self) -> Any:
        """Ready to play, under its own name."""
        return self.trainee.strategy.changed(None, **self.trainee.values(self.point))


def check_budget(budget: Budget, games_a_block: int) -> None:
    """Numbers that make sense."""
    least = FEW * games_a_block
    limits = {
        "generations": (1, 10_000), "population": (0, 1_000), "games": (least, MOST_GAMES),
        "check": (least, MOST_GAMES), "patience": (1, 10_000),
    }  # fmt: skip
    problems = []
    for name, (low, high) in limits.items():
        value = getattr(budget, name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            problems.append(f"{name} is {shown(value)}; valid: a whole number from {low:,} to {high:,}")
    if budget.population in (1, 2, 3):
        problems.append(f"population is {budget.population}; valid: at least 4, or 0: as CMA-ES recommends")
    if problems:
        raise UserError(problems)


# --- playing -------------------------------------------------------------------------------------------------
class Player:
    """Plays stages, each on blocks that none before it has seen."""

    def __init__(self, lab: Lab, seed: int) -> None:
        self.lab, self.seed, self.blocks = lab, seed, 0

    def fresh(self, name: str, words: Mapping[str, Any], games: int, labels: Sequence[str]) -> Sums:
        """A stage on the next blocks."""
        a_block = games_a_block(words)
        blocks = -(-games // a_block)
        luck = {"games": blocks * a_block, "seed": self.seed, "skip": self.blocks}
        self.blocks += blocks
        return self.lab.stage(name, {**words, **luck}, labels)

    def points(
        self,
        name: str,
        which: Trainee,
        points: Sequence[Point],
        games: int,
        words: Mapping[str, Any] | None = None,
    ) -> Sums:
        """The strategy with each of these parameters."""
        arms = {**(words or which.words), "changes": [which.changes(point) for point in points]}
        return self.fresh(name, arms, games, [str(k) for k in range(len(points))])


def climb(play: Player, which: Trainee, budget: Budget) -> Trained:
    """Search, and choose among the finalists on fresh luck."""

    def trial(number: int, points: Sequence[Point]) -> list[Gain]:
        sums = _tried(play, which, number, points, budget.games)
        gains = [Gain(one.value, one.error) for one in _gains(sums, which)]
        if number % TOLD_EVERY == 0:
            _tell(play, which, number, gains[1])
        return gains

    found = evolve(which.axes, trial, budget.generations, budget.population, play.seed, budget.patience)
    if found.ended == "nothing changed":
        raise UserError(_inert(which, found, budget))
    finalists = found.finalists()
    sums = play.points(f"{which.role}-final", which, finalists, FINAL * budget.games)
    contrasts = _gains(sums, which)
    best = winner(contrasts)
    return Trained(which, found, _finalists(found, finalists, contrasts, best), finalists[best])


def winner(contrasts: Sequence[Contrast]) -> int:
    """The finalist with the largest gain; but the untrained one, the first, if that gain may well be luck."""
    best = max(range(len(contrasts)), key=lambda place: contrasts[place].value)  # of equals the first
    return best if contrasts[best].low > 0 else 0


def _gains(sums: Sums, which: Trainee) -> list[Contrast]:
    """How much better each arm is than the first."""
    found = sums.estimate(which.metric())
    return [found.difference(arm, 0) for arm in range(sums.arms)]


def _tried(play: Player, which: Trainee, number: int, points: Sequence[Point], games: int) -> Sums:
    """A generation; a strategy that breaks with some parameters needs bounds for them."""
    try:
        return play.points(f"{which.role}-search-{number:04d}", which, points, games)
    except UserError as error:
        if not any(f"{which.name}." in line for line in error.lines):
            raise
        hint = "training went beyond what the strategy can take; valid: bounds for the parameter (vary: name=0..2)"
        raise UserError([*error.lines, hint]) from None


def _tell(play: Player, which: Trainee, number: int, gain: Gain) -> None:
    text = f"{gain.value * 100:+.1f} ± {gain.error * 100:.1f} points".replace("-", "−")
    play.lab.watch(0, 1, f"{which.name}: {text} after {number} generations")


def _inert(which: Trainee, found: Search, budget: Budget) -> str:
    names = ", ".join(one.name for one in which.axes)
    names = names if len(which.axes) < 6 else f"its {len(which.axes)} parameters"
    games = sum(len(one.points) for one in found.generations) * budget.games
    return (
        f"strategy {which.given.name}: {names} changed nothing of how it does {AS[which.role]} in {games:,} games; "
        "valid: a strategy and parameters that it uses in this role"
    )


def _finalists(
    found: Search, points: Sequence[Point], contrasts: Sequence[Contrast], best: int
) -> pl.DataFrame:
    """Who was in the final, and how each did there."""
    names = {found.last_mean: "last mean", found.start: UNTRAINED}
    rows = [
        {"candidate": names.get(point, f"candidate {place}"), **contrast_row(contrast, "gain"),
         "chosen": "chosen" if place == best else ""}
        for place, (point, contrast) in enumerate(zip(points, contrasts, strict=True))
    ]  # fmt: skip
    rows[0] |= {"gain": 0.0, "low": 0.0, "high": 0.0, "note": ""}  # against itself: nothing to estimate
    return pl.DataFrame(rows).drop("p")
