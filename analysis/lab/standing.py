"""What matchups say of a set of strategies: who is played how much in the long run, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from analysis.blocks import Estimates
from analysis.comparisons import LEVEL
from analysis.lab import equilibrium as eq
from analysis.lab.equilibrium import Numbers
from analysis.lab.scores import ALIEN, HUMAN, Scores, matrix, pair

EVERY = 4  # of the draws is solved for the roles: a linear programme takes a while
NEGLIGIBLE = 0.01  # of a win rate: nobody will notice
SOME = 0.01  # share: with less a strategy is not played
NOW_AND_THEN = 0.025  # of the draws: what happens more rarely does not count

BETTER, WORSE, EQUAL, OPEN = "better", "worse", "equal", "open"


@dataclass(frozen=True)
class Standing:
    """The solutions of the measured matrices, and of matrices redrawn from how sure they are (first axis)."""

    excess: Numbers  # [mutant, resident]: more than the fair share
    redrawn: Numbers
    alpha: Numbers
    alphas: Numbers
    equilibria: list[eq.Equilibrium]
    nash: eq.Equilibrium
    nashes: Numbers
    alien: Numbers  # [alien, humans]: how often the alien wins
    aliens: Numbers
    human: Numbers  # [human, the rest of the table]: how often it wins
    humans: Numbers
    roles: eq.ZeroSum
    all_roles: list[eq.ZeroSum]


def standing(scores: Scores, draws: int, seed: int) -> Standing:
    """Everything that follows from the matchups played so far."""
    excess, redrawn = _matrices(scores, scores.estimates(), draws, seed)
    alien, aliens = _matrices(scores, scores.estimates(ALIEN, share=True), draws, seed + 1)
    human, humans = _matrices(scores, scores.estimates(HUMAN, share=True), draws, seed + 2)
    equilibria = eq.symmetric_equilibria(excess)
    found = eq.equilibria_of_draws(redrawn)
    nashes = [eq.chosen(some, one).shares for some, one in zip(found, redrawn, strict=True)]
    roles = [eq.zero_sum(one) for one in aliens[::EVERY]]
    return Standing(
        excess, redrawn, eq.alpha_rank(excess), eq.alpha_rank(redrawn), equilibria, eq.chosen(equilibria, excess),
        np.array(nashes), alien, aliens, human, humans, eq.zero_sum(alien), roles,
    )  # fmt: skip


def _matrices(scores: Scores, estimates: Estimates, draws: int, seed: int) -> tuple[Numbers, Numbers]:
    """The measured matrix, and redrawn ones; a table of one kind alone has no excess, measured or not."""
    size = len(scores.names), scores.players
    drawn = eq.redrawn(estimates.value, estimates.covariance, draws, seed)
    return matrix(estimates.value, scores.seats, *size), matrix(drawn, scores.seats, *size)


# --- what more games would tell --------------------------------------------------------------------------
def states(scores: Scores, looks: int) -> dict[tuple[int, int], str]:
    """For each pair (mutant, resident): is the mutant better, worse, equal for all that matters, or is it open?

    Wrong anywhere, at any of so many looks, in at most 5 % of experiments (Bonferroni).
    """
    estimates, count = scores.estimates(), len(scores.names)
    limit = LEVEL / max(1, count * (count - 1) * looks)
    margin = NEGLIGIBLE * scores.players
    found = {}
    for one in range(count):
        for resident in range(count):
            place = scores.seats.get((pair(one, resident, scores.players), one))
            if one != resident and place is not None:
                found[one, resident] = _state(estimates, place, limit, margin)
    return found


def _state(estimates: Estimates, place: int, limit: float, margin: float) -> str:
    value, blocks = float(estimates.value[place]), int(estimates.blocks[place])
    half = float(stats.t.isf(limit / 2, max(1, blocks - 1)) * np.sqrt(estimates.covariance[place, place]))
    if value - half > 0:
        return BETTER
    if value + half < 0:
        return WORSE
    return EQUAL if max(abs(value - half), abs(value + half)) < margin else OPEN


def wanted(now: Standing, state: dict[tuple[int, int], str]) -> list[tuple[int, int]]:
    """The pairs on which the ranking hangs: open ones with a resident that may be played in the long run.

    And if it is not clear how alien and humans play best against each other, all pairs of those that may be best.
    """
    residents = set(played(now.alphas)) | set(played(now.nashes))
    found = {pair for pair, what in state.items() if what == OPEN and pair[1] in residents}
    aliens = played(np.array([one.rows for one in now.all_roles]))
    humans = played(np.array([one.columns for one in now.all_roles]))
    if len(aliens) * len(humans) > 1:
        found |= {(one, other) for one in aliens for other in humans}
    return sorted(found)


def played(shares: Numbers) -> list[int]:
    """The strategies that are played at all in more than a few of the draws."""
    often = np.mean(shares > SOME, axis=0) > NOW_AND_THEN
    return [int(k) for k in np.flatnonzero(often)]


def sure(draws: Sequence[Any], answer: Any) -> float:
    """In what share of the draws the answer is the same."""
    return sum(bool(one == answer) for one in draws) / max(1, len(draws))
