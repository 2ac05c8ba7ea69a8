"""Metagame: if everybody may choose a strategy, and go over to what does better, which ones are played in the end?

Every strategy tries its luck at tables of every other one: one seat plays s, all others play t. From these matchups
come alpha-rank and Nash shares (`standing`), and more games are played only where these hang on them. The matchups
know nothing of tables where three strategies meet, so the Nash mixture is then played in earnest (`field`): everybody
tries his luck against tables drawn from it, and it is mended until nobody gains anything, or games run out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from analysis.blocks import Contrast
from analysis.comparisons import LEVEL
from analysis.lab.equilibrium import Numbers
from analysis.lab.field import Profile, chances, others, settle, tables, without_dust
from analysis.lab.metagame_tables import told
from analysis.lab.scores import Scores, pair, together
from analysis.lab.stages import Lab, Result, silent
from analysis.lab.standing import NEGLIGIBLE, Standing, standing, states, wanted
from sim.errors import UserError, shown
from sim.plan import game_module
from sim.registry import STRATEGIES
from sim.study import MOST_GAMES
from sim.workers import Workers

GAMES = 40_000  # of a matchup, at most
LEAST_GAMES = 240
LOOKS = 4  # at the matchups: after an eighth of these games, a quarter, half, all
ROUNDS = 6  # of mending the field, at most
QUICK, THOROUGH = 100, 400  # draws: between looks, and at the end
ROWS = 100  # of the sums, for a stage of ordinary size
MOST_IN_FIELD = 4
MOST_STRATEGIES = 24
MOST_ROUNDS = 50
RANDOM = "random"


@dataclass(frozen=True)
class Round:
    """A field that was played: what everybody gains against it, on luck that had no say in its choice."""

    shares: Numbers
    gains: list[Contrast]
    games: int
    half: Numbers  # of the intervals of all gains together

    @property
    def exploitability(self) -> tuple[float, float, float]:
        """What the best answer gains, and an interval that holds for whichever it is."""
        value = np.array([gain.value for gain in self.gains])
        low, value, high = ((value + sign * self.half).max() for sign in (-1, 0, 1))
        return max(0.0, float(value)), max(0.0, float(low)), max(0.0, float(high))

    @property
    def outsider(self) -> int | None:
        """The strategy that nobody in the field plays and that does best against it."""
        outside = np.flatnonzero(self.shares == 0)
        value = [self.gains[int(k)].value for k in outside]
        return int(outside[int(np.argmax(value))]) if value else None


class Season:
    """The metagame of one number of players."""

    def __init__(self, lab: Lab, base: Mapping[str, Any], players: int, games: int, seed: int) -> None:
        self.lab, self.base, self.players, self.seed = lab, dict(base), players, seed
        known, self.most = strategies_of(base), games
        self.names, self.strategies = list(known), list(known.values())
        self.scores = Scores(self.names, players)
        self.first_block, self.luck = 0, 0
        self.looks: list[tuple[int, int]] = []  # pairs that were played in each, and all its games
        self.state: dict[tuple[int, int], str] = {}
        self.rounds: list[Round] = []

    # --- matchups ---
    def matchups(self) -> Standing:
        """Look at all pairs, then again and again at those the ranking hangs on."""
        pairs = [(one, other) for one in range(len(self.names)) for other in range(len(self.names))]
        now = None
        for look, games in enumerate(_looks(self.most), 1):
            self.look(look, pairs, games)
            now = standing(self.scores, QUICK, self.seed)
            self.state = states(self.scores, LOOKS)
            pairs = wanted(now, self.state)
            if not pairs:
                break
        return standing(self.scores, THOROUGH, self.seed)

    def look(self, number: int, pairs: Sequence[tuple[int, int]], games: int) -> None:
        """More games of some pairs; tables of one kind alone are for the roles, and played once a block."""
        mixed = [pair(one, other, self.players) for one, other in pairs if one != other]
        alone = [pair(one, one, self.players) for one, other in pairs if one == other]
        blocks, fold = folded(games // self.players)
        before = self.lab.games
        for name, some, way in (("", mixed, "rotated"), ("-alone", alone, "seats")):
            if some:
                self.play(f"look-{number}{name}", self.scores, some, blocks, fold, way)
        self.looks.append((len(mixed), self.lab.games - before))
        self.go_on(blocks)

    def play(
        self, stage: str, scores: Scores, some: Sequence[Profile], blocks: int, fold: int, way: str
    ) -> None:
        """Play tables, each with the same blocks."""
        self.first_block = -(-self.first_block // fold) * fold
        words = self.base | {
            "players": self.players, "strategies": [[self.strategies[k] for k in table] for table in some],
            "line_up": way, "games": blocks * (self.players if way == "rotated" else 1), "fold": fold,
            "seed": self.seed, "skip": self.first_block,
        }  # fmt: skip
        labels = [", ".join(self.names[k] for k in table) for table in some]
        scores.add(self.lab.stage(f"players-{self.players}-{stage}", words, labels), some, self.luck)

    def go_on(self, blocks: int) -> None:
        """From here on other luck."""
        self.first_block += blocks
        self.luck += 1

    # --- the field ---
    def field(self, start: Numbers, rounds: int) -> None:
        """Play the mixture, and mend it."""
        tests = len(self.names) * rounds
        shares, effort = _fewer(start), self.most // 4
        newcomers: list[int] = []
        played: list[Scores] = []
        for number in range(1, rounds + 1):
            support = sorted({*np.flatnonzero(shares).tolist(), *newcomers})
            found = self.round(number, support, shares, effort, tests)
            played.append(found)
            if self.is_settled() or number == rounds:
                return
            newcomers = self.newcomers(shares)
            effort = effort if newcomers else min(2 * effort, self.most)
            shares = self.mended(together(played), support, shares)

    def round(self, number: int, support: Sequence[int], shares: Numbers, effort: int, tests: int) -> Scores:
        """Everybody against tables drawn from a mixture, with so many games each; one of so many tests."""
        company = chances(others(np.flatnonzero(shares).tolist(), self.players), shares)
        games = max(LEAST_GAMES, round(effort * float(company @ company)))
        some = tables(support, range(len(self.names)), self.players)
        blocks, fold = folded(games // self.players)
        scores = Scores(self.names, self.players)
        self.play(f"field-{number}", scores, some, blocks, fold, "rotated")
        self.go_on(blocks)
        gains = [scores.measured().gain(one, shares) for one in range(len(self.names))]
        self.rounds.append(Round(shares, gains, sum(scores.games.values()), _half_widths(gains, tests)))
        return scores

    def is_settled(self) -> bool:
        """Whether nobody can gain anything that would be noticed."""
        return self.rounds[-1].exploitability[2] < NEGLIGIBLE * self.players

    def newcomers(self, shares: Numbers) -> list[int]:
        """The strategy outside the field that gains most, if it is clear that it gains at all."""
        last = self.rounds[-1]
        value = np.array([gain.value for gain in last.gains])
        clear = np.flatnonzero((shares == 0) & (value - last.half > 0))
        return [int(clear[np.argmax(value[clear])])] if len(clear) else []

    def mended(self, scores: Scores, support: Sequence[int], shares: Numbers) -> Numbers:
        """The mixture of these that can be exploited least, by all that was measured of them."""
        measured, company = scores.measured(), others(support, self.players)
        start = 0.9 * shares
        start[list(support)] += 0.1 / len(support)
        payoffs = measured.payoffs(company, measured.excess.value[None])
        return _fewer(settle(payoffs, company, start)[0])


def _half_widths(gains: Sequence[Contrast], tests: int) -> Numbers:
    """Half the intervals of gains, if all those of all rounds are to hold together (Bonferroni)."""
    tail = LEVEL / 2 / tests
    return np.array([stats.t.isf(tail, max(1, gain.blocks - 1)) * gain.error for gain in gains])


def _fewer(shares: Numbers) -> Numbers:
    """A mixture of few enough strategies to play all tables they make."""
    least = np.sort(shares)[::-1][:MOST_IN_FIELD][-1]
    return without_dust(np.where(shares < least, 0.0, shares))


def _looks(games: int) -> list[int]:
    """Games of each look: with those before they make an eighth of all, a quarter, half, all."""
    first = games // 2 ** (LOOKS - 1)
    return [first] + [first * 2**k for k in range(LOOKS - 1)]


def folded(blocks: int) -> tuple[int, int]:
    """So many blocks or a few more, and how many make a row."""
    fold = max(1, blocks // ROWS)
    return -(-blocks // fold) * fold, fold


def strategies_of(base: Mapping[str, Any]) -> dict[str, Any]:
    """The strategies at the table by name, each once."""
    load = game_module(base["game"]).load_strategy
    found = [load(one) if isinstance(one, str) else one for one in base["strategies"]]
    return {one.name: one for one in found}


# --- the experiment --------------------------------------------------------------------------------------
def everybody(game: str = "eti") -> list[str]:
    """Every built-in strategy but random play."""
    return [name for name in STRATEGIES[game] if name != RANDOM]


def metagame(
    base: Mapping[str, Any],
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Any = silent,
    games: int = GAMES,
    seed: int = 1,
    also: Sequence[int] = (),
    rounds: int = ROUNDS,
) -> Result:
    """Which strategies are played in the long run, and what beats what.

    Parameters
    ----------
    base
        The table (`stages.base_words`); its strategies are those to compare.
    games
        Of a matchup at most; of one that is soon clear an eighth.
    also
        Other numbers of players, each with a metagame of its own.
    rounds
        Of playing the field and mending it, at most; 0: do not play it.
    """
    _check(base, games, also, rounds)
    words = {"base": base, "games": games, "seed": seed, "also": list(also), "rounds": rounds}
    with Lab("metagame", words, out, workers, watch) as lab:
        found = []
        for players in dict.fromkeys([base.get("players") or 4, *also]):
            season = Season(lab, base, players, games, seed)
            now = season.matchups()
            season.field(now.nash.shares, rounds)
            found.append((season, now))
        return lab.finish(told(found, words))


def _check(base: Mapping[str, Any], games: Any, also: Sequence[Any], rounds: Any) -> None:
    """What is wrong with the words of the experiment."""
    count, least = len(strategies_of(base)), LEAST_GAMES * 2 ** (LOOKS - 1)
    problems = []
    if not 2 <= count <= MOST_STRATEGIES:
        problems.append(f"{count} strategies; valid: 2 to {MOST_STRATEGIES} different ones")
    if not _is_whole(games, least, MOST_GAMES):
        problems.append(f"games is {shown(games)}; valid: {least:,} to {MOST_GAMES:,} for a matchup")
    if not _is_whole(rounds, 0, MOST_ROUNDS):
        problems.append(f"rounds is {shown(rounds)}; valid: 0 to {MOST_ROUNDS}")
    problems += [
        f"also is {shown(one)}; valid: numbers of players, 3 to 6" for one in also if not _is_whole(one, 3, 6)
    ]
    if problems:
        raise UserError(problems)


def _is_whole(value: Any, least: int, most: int) -> bool:
    """A whole number in these bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
