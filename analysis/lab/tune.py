"""Make it fair: the smallest set of changes that brings a game to one or several targets.

`search` says how it is looked for, `targets` what may be wanted, `knobs` what may be changed. Here the search plays
real games, and what it found becomes a result: all its figures are from luck that no decision depended on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from analysis.lab.candidates import Candidate
from analysis.lab.knobs import ARROW, make_knobs
from analysis.lab.option_file import OPTION_FILE, option_file
from analysis.lab.search import ALL_ROWS, FINAL, Search
from analysis.lab.stages import Lab, Result, games_a_block, plain, silent, strategy_names
from analysis.lab.sums import metrics_of
from analysis.lab.targets import DIVERSITY, SEATS, Diversity, Measure, Plain, Seats, Target, parse_targets
from analysis.lab.tuned import told
from sim.errors import UserError, did_you_mean, shown
from sim.files import write_whole
from sim.plan import game_module
from sim.run import Watch
from sim.study import MOST_GAMES, make_plan
from sim.workers import Workers

MOST_CHANGES = 4
SIGNED = ("margin",)  # numbers that may be negative


def tune(
    base: Mapping[str, Any],
    targets: str | Sequence[str],
    *,
    vary: str | Sequence[str] = (),
    most_changes: int = 2,
    games: int = 20_000,
    seed: int = 1,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """Find the smallest set of changes that meets all targets.

    Parameters
    ----------
    base
        The table, from `base_words`.
    targets
        `alien_win=0.5`, `rounds=14..18`, `seats=fair`, … (`analysis.lab.targets`).
    vary
        What may be changed (`analysis.lab.knobs`); none: the usual rule options.
    most_changes
        How many things may be changed at once.
    games
        Of each candidate in the end; those that drop out before have fewer.

    Example
    -------
    >>> tune(base_words(players=4), "alien_win=0.5", vary=["public_fame", "attack_cards"]).verdict  # doctest: +SKIP
    """
    wanted = [targets] if isinstance(targets, str) else list(targets)
    asked = [vary] if isinstance(vary, str) else list(vary)
    _check(most_changes, games, seed, base)
    aims = parse_targets(wanted, measures(base))
    _check_seated(aims, asked)
    knobs = make_knobs(base, asked)
    words = {
        "base": plain(base), "targets": wanted, "vary": asked or "usual", "most_changes": most_changes,
        "games": games, "seed": seed,
    }  # fmt: skip
    with Lab("tune", words, out, workers, watch) as lab:
        box = Box(lab, base, aims, games, seed)
        hunt = Search(knobs, aims, box, most_changes, box.possible)
        found = hunt.run()
        study = option_file(base, found, box.games, box.luck(FINAL))
        if out is not None:
            write_whole(lab.path / OPTION_FILE, study.encode())
        return lab.finish(told(found, hunt, words, {"games_each": box.games, "study": study}))


def _check(most_changes: Any, games: Any, seed: Any, base: Mapping[str, Any]) -> None:
    """What cannot be is told before anything is played."""
    limits = {
        "most changes": (most_changes, 1, MOST_CHANGES),
        "games": (games, 1, MOST_GAMES),
        "seed": (seed, 0, game_module(base["game"]).MAX_SEED),
    }
    problems = [
        f"{name}: {shown(value)}; valid: a whole number from {low:,} to {high:,}"
        for name, (value, low, high) in limits.items()
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high
    ]
    if problems:
        raise UserError(problems)


def _check_seated(targets: Sequence[Target], vary: Sequence[str]) -> None:
    """A change must not take a strategy away that a target is about."""
    wanted = {figure.partition(":")[2] for target in targets for figure in target.measure.figures}
    for text in vary:
        old, arrow, _ = text.partition(ARROW)
        if arrow and old.strip() in wanted:
            raise UserError(
                f"--vary: {shown(text)} takes a strategy away that a target is about; valid: another target, or "
                "parameters of the strategy"
            )


# --- what is measured ------------------------------------------------------------------------------------
def measures(base: Mapping[str, Any]) -> Any:
    """Finds the measure of a target by its name."""
    names = strategy_names(base)
    players = make_plan({**base, "games": 1}).settings[0].players

    def measure(name: str) -> Measure:
        if name == SEATS:
            return Seats(tuple(f"distance:{k}" for k in range(players)))
        if name == DIVERSITY:
            if len(names) < 2:
                raise UserError(
                    "--target: diversity of one strategy; valid: with two or more strategies at the table"
                )
            return Diversity(tuple(f"strategy:{one}" for one in names))
        return _plain_measure(name, names, players, base["game"])

    return measure


def _plain_measure(name: str, strategies: Sequence[str], players: int, game: str) -> Measure:
    known = metrics_of(game)
    near = did_you_mean(name, [*known.by_name, SEATS, DIVERSITY])
    try:
        metric = known.find(name, strategies, players)
    except UserError as error:
        if ":" in name:
            raise UserError([f"--target: {line}" for line in error.lines]) from None
        valid = f"{', '.join([*known.by_name, SEATS, DIVERSITY])}, {known.forms}"
        raise UserError(f"--target: no metric {shown(name)}{near}; valid: {valid}") from None
    lowest = -inf if metric.name in SIGNED else 0.0
    return Plain(metric.name, metric.is_rate, (lowest, 1.0 if metric.is_rate else inf), metric.text)


# --- playing ---------------------------------------------------------------------------------------------
class Box:
    """Plays candidates as stages of an experiment."""

    def __init__(
        self, lab: Lab, base: Mapping[str, Any], targets: Sequence[Target], games: int, seed: int
    ) -> None:
        self.lab, self.base, self.seed = lab, dict(base), seed
        self.metrics = [name for target in targets for name in target.measure.figures]
        self.games_a_block = games_a_block(base)
        self.fold = max(1, -(-games // (ALL_ROWS * self.games_a_block)))
        self.most_seed: int = game_module(base["game"]).MAX_SEED

    @property
    def games(self) -> int:
        """Games of a candidate that goes to the end: as many as were wanted, or a few more."""
        return ALL_ROWS * self.fold * self.games_a_block

    def luck(self, kind: int) -> int:
        """The seed of a kind of luck."""
        return (self.seed + kind) % (self.most_seed + 1)

    def possible(self, candidate: Candidate) -> bool:
        """Whether its changes go together."""
        try:
            make_plan({**self.base, "changes": [candidate.texts], "games": 1})
        except UserError:
            return False
        return True

    def __call__(
        self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int
    ) -> tuple[Any, Any]:
        words = {
            **self.base, "changes": [candidate.texts for candidate in candidates], "seed": self.luck(luck),
            "games": rows * self.fold * self.games_a_block, "skip": first * self.fold, "fold": self.fold,
        }  # fmt: skip
        sums = self.lab.stage(stage, words, [candidate.label for candidate in candidates])
        both = [sums.ratio(name) for name in self.metrics]
        return np.stack([top for top, _ in both], axis=2), np.stack([bottom for _, bottom in both], axis=2)
