"""Train a strategy: better parameters for one role, found by CMA-ES against a field, and what they are really worth.

Each generation is a stage in which all candidates meet the same luck, which the next generation never sees again. Who
wins among many was lucky as well, so nothing is reported from the search: a few finalists, the untrained one among
them, are played again, and the best of those once more, on fresh luck, against the untrained one: in both roles, and
against strategies that it was not trained against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from analysis.blocks import FEW
from analysis.intervals import Z_95
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
from analysis.lab.evolve import Generation
from analysis.lab.levels import Found, check_finding, play_levels
from analysis.lab.stages import Lab, Result, plain, silent
from analysis.lab.trained_file import Source, check_source, check_writable, source
from analysis.lab.trainee import ALIEN, BOTH, FOR, HUMAN, Trainee, apart, trainee
from analysis.lab.worth import Checked, check_worth, ended
from sim.errors import UserError
from sim.run import Watch
from sim.workers import Workers


def train(
    base: Mapping[str, Any],
    strategy: Any,
    role: str = ALIEN,
    *,
    vary: Sequence[str] = (),
    generations: int = GENERATIONS,
    population: int = 0,
    games: int = GAMES,
    check: int = CHECK,
    patience: int = PATIENCE,
    levels: bool = False,
    finding: Sequence[str] = (),
    write: str | Path | None = None,
    seed: int = 1,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """Train a strategy's parameters for a role, and find out what that is worth.

    Parameters
    ----------
    base
        The table, from `base_words`: its line-up is the field. The strategy has one seat in it.
    strategy, role
        Who is trained ('cautious', 'mine.py:Mine'), and for what: 'alien', 'human', or 'both'.
    vary
        The parameters that may change, each with a range if wanted: ['push', 'risk=0..3']. All, if none is named.
    generations, population, games, patience
        At most so many generations of so many candidates (0: as CMA-ES recommends), with so many games each; it ends
        after so many generations without progress.
    check
        Games of the untrained and of the trained one, on luck that nobody has seen before.
    levels, finding
        Train the other role as well, and look at the alien's win rate for random, untrained and trained play. With
        changes in `finding`: what they do at each level.
    write
        A file for the trained strategy; in the folder of the experiment there is one anyway.

    Example
    -------
    >>> train(base_words(players=4), "cautious", "alien").verdict  # doctest: +SKIP
    """
    budget = Budget(generations, population, games, check, patience)
    main = trainee(base, strategy, role, vary)
    others = _other_sides(base, strategy, role) if levels else []
    check_budget(budget, main.games_a_block)
    if finding and not levels:
        raise UserError("a finding to check again, without levels; valid: levels as well")
    changes = check_finding(base, finding) if levels else []
    if write is not None:
        check_source(main.given)
        check_writable(Path(write))
    words = {
        "base": plain(base), "strategy": plain(strategy), "role": role, "vary": apart(vary), "seed": seed,
        **plain(vars(budget)), "levels": levels, "finding": changes,
    }  # fmt: skip
    with Lab("train", words, out, workers, watch) as lab:
        play = Player(lab, seed)
        made = [check_worth(play, climb(play, one, budget), budget) for one in (main, *others)]
        sides = sorted((one.trained for one in made), key=lambda one: one.trainee.role)
        found = play_levels(play, base, [sides[0], sides[-1]], changes, check) if levels else None
        return lab.finish(_result(lab, made, found, write))


def _other_sides(base: Mapping[str, Any], strategy: Any, role: str) -> list[Trainee]:
    """What else must be trained, for both roles to be played by somebody trained for them."""
    return [trainee(base, strategy, other) for other in (ALIEN, HUMAN) if role not in (other, BOTH)]


# --- the result ------------------------------------------------------------------------------------------------
def _result(lab: Lab, made: Sequence[Checked], levels: Found | None, write: str | Path | None) -> Result:
    main, told = made[0].trained, [*made[0].told, *(one.told[0] for one in made[1:])]
    notes = [ended(main.search)]
    texts = [_source(one.trained, one.told) for one in made]
    files = [one.write(lab.path) for one in texts if one is not None and not lab.is_temporary]
    written = texts[0].write(Path(write)) if texts[0] is not None and write is not None else ""
    tables = {
        "worth": pl.concat([one.worth for one in made]), "learning": _learning(main.search.generations),
        "parameters": _parameters(main), "finalists": main.finalists,
    }  # fmt: skip
    facts = _facts([one.trained for one in made], texts[0]) | {
        "files": files,
        "written": written,
        "notes": notes,
    }
    if levels is not None:
        tables["levels"] = levels.table
        facts["skill"] = {**levels.facts, "verdict": levels.verdict}
        told += levels.verdict
    specs = [one for one in (written, *files) if one] if texts[0] is not None else []
    notes += [f"To play it: --strategies {one}, wherever strategies are named." for one in specs[:1]]
    title = f"{main.trainee.given.name} trained {FOR[main.trainee.role]}"
    return Result("train", title, lab.words, facts, tables, [*told, *notes], _warnings(tables["worth"]))


def _facts(made: Sequence[Trained], text: Source | None) -> dict[str, Any]:
    """What a program wants to know; `params_of` has those of all roles that were trained."""
    main, which = made[0], made[0].trainee
    return {
        "strategy": which.given.name, "trained": which.name, "role": which.role, "field": list(which.field),
        "improved": main.improved, "ended": main.search.ended, "generations": len(main.search.generations),
        "params": which.values(main.point), "source": text.text if text is not None else "",
        "params_of": {one.trainee.role: one.trainee.values(one.point) for one in made},
    }  # fmt: skip


def _source(made: Trained, told: Sequence[str]) -> Source | None:
    """The trained strategy as a file; None if nothing better was found, or it is from a notebook."""
    which = made.trainee
    how = f"Found against {', '.join(which.field)}. {ended(made.search)}"
    values = which.values(made.point)
    return source(which.given, values, which.role, "\n\n".join([how, *told])) if made.improved else None


def _warnings(worth: pl.DataFrame) -> list[str]:
    few = worth.filter(pl.col("difference").is_null())
    return [f"Too few blocks to say anything; from {FEW} on there are figures."] if len(few) else []


def _learning(generations: Sequence[Generation]) -> pl.DataFrame:
    """A row a generation: the gain of its mean, unbiased; and of its best, which is flattered."""
    rows = [
        {
            "generation": one.number, "gain": one.mean_gain.value,
            "low": one.mean_gain.value - Z_95 * one.mean_gain.error,
            "high": one.mean_gain.value + Z_95 * one.mean_gain.error,
            "best": one.gains[one.best].value, "step": one.step, "candidates": len(one.points),
        }
        for one in generations
    ]  # fmt: skip
    return pl.DataFrame(rows)


def _parameters(made: Trained) -> pl.DataFrame:
    """A row a parameter: before, after, and how far that is in large steps; the furthest first."""
    texts = {param.name: param.text for param in made.trainee.given.params}
    rows = [
        {"parameter": one.name, "before": one.start, "after": value, "moved": (value - one.start) / one.scale,
         "meaning": texts[one.name]}
        for one, value in zip(made.trainee.axes, made.point, strict=True)
    ]  # fmt: skip
    return pl.DataFrame(rows).sort(pl.col("moved").abs(), descending=True, maintain_order=True)
