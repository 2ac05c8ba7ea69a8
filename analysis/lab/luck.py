"""Luck and skill: how much of who wins is decided by who plays how, by the roles, and by the cards.

A game is a function of inputs that are drawn independently: who is the alien and holds which endgame card, who
begins, the research cards, the projects, the events, the attack cards, the dice that strategies throw, and which
strategy sits where. Every block is played again with some of them drawn anew (`pickfreeze`), and the variance of the
result is split: into parts of three groups (strategies, roles, cards) that add up to all of it, and by single inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW
from analysis.lab.luck_parts import INPUTS, STRATEGIES, Input, Split, groups_of, mix, outcomes, skill, within
from analysis.lab.luck_words import verdicts
from analysis.lab.pickfreeze import Sample, Share, between
from analysis.lab.stages import Lab, Result, plain, silent
from analysis.lab.sums import Sums, strategy_metric
from sim.errors import UserError
from sim.line_ups import POOL, SEATS
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

GAMES = 20_000
BETWEEN = "win rates of two independent samples, by blocks"
#: rows of the table of skill: what a seat's strategy decides in all games, as a human, as the alien
SEATS_OF = {"strategy": "any seat", "human": "a human", "alien": "the alien"}


def luck(
    base: Mapping[str, Any],
    *,
    games: int = GAMES,
    seed: int = 1,
    fixed: bool = False,
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """Split the result of a game into strategies, roles and cards.

    Parameters
    ----------
    base
        The table, from `base_words`. Every seat draws its strategy from those of the table, as in a pool.
    games
        Games of each arm; there are about 15 arms.
    fixed
        Everybody keeps the seat and the strategy of the line-up: only luck is split.

    Example
    -------
    >>> luck(base_words(players=4, line_up="pool")).verdict  # doctest: +SKIP
    """
    base = _table(base, fixed)
    inputs = [one for one in INPUTS if one.group != STRATEGIES or _differ(base)]
    arms = dict(_arms(inputs))
    with Lab("luck", {"base": plain(base), "games": games, "seed": seed}, out, workers, watch) as lab:
        changes = [[f"reroll {name}" for name in rerolled] for rerolled in arms.values()]
        sums = lab.stage("arms", {**base, "changes": changes, "games": games, "seed": seed}, list(arms))
        return lab.finish(_result(sums, inputs, lab.words))


def _table(base: Mapping[str, Any], fixed: bool) -> dict[str, Any]:
    """Strategies are drawn, each as often as the others, unless they are to stay where they are."""
    if base["line_up"] not in (SEATS, POOL):
        raise UserError(
            f"line_up {base['line_up']}: luck plays no rotations; valid: pool, or seats with 'fixed'"
        )
    if fixed and base["line_up"] == POOL:
        raise UserError("line_up pool draws who sits where, and 'fixed' keeps it; valid: one of them")
    if base["line_up"] == POOL or fixed:
        return dict(base)
    once = {one if isinstance(one, str) else one.name: one for one in base["strategies"]}
    players = make_plan({**base, "games": 1}).settings[0].players  # as many as there are seats
    return {**base, "line_up": POOL, "players": players, "strategies": list(once.values())}


def _differ(base: Mapping[str, Any]) -> bool:
    """Whether there are different strategies to draw."""
    return base["line_up"] == POOL and len(base["strategies"]) > 1


def _arms(inputs: list[Input]) -> Iterator[tuple[str, list[str]]]:
    """What is drawn anew in each arm: every mix of groups, and every single input."""
    groups = groups_of(inputs)
    for mask in range(1 << len(groups)):
        yield mix(mask), [one.reroll for one in inputs if mask >> groups.index(one.group) & 1]
    for one in inputs:
        if [other.group for other in inputs].count(one.group) > 1:
            yield one.name, [one.reroll]


# --- what came of it ---------------------------------------------------------------------------------------
def _result(sums: Sums, inputs: list[Input], words: Mapping[str, Any]) -> Result:
    splits = [Split(sums, outcome, inputs) for outcome in outcomes(sums.players)]
    tables = {
        "parts": _frame(row for split in splits for row in split.parts()),
        "groups": _frame(row for split in splits for row in split.shares()),
        "inputs": _frame(row for split in splits for row in split.singles()),
        "pairs": pl.concat([split.pairs() for split in splits]),
        "own": own_skill(sums, groups_of(inputs)),
        "strategies": strategies(sums),
    }
    facts = {
        "blocks": sums.rows, "groups": groups_of(inputs), "skill": _plain_share(skill(splits[0])),
    }  # fmt: skip
    few = [f"Too few games to say anything: {sums.rows} of each arm. From {FEW} on there are figures."]
    verdict = [] if sums.rows < FEW else list(verdicts(splits[0], tables["own"], tables["strategies"]))
    title = f"what decides who wins ({sums.players} players)"
    return Result("luck", title, words, facts, tables, verdict, few if sums.rows < FEW else [])


def _frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), infer_schema_length=None)


def _plain_share(share: Share | None) -> list[float] | None:
    return None if share is None else [share.value, share.low, share.high]


def strategies(sums: Sums) -> pl.DataFrame:
    """How often each strategy wins, in the games as they are."""
    rows: list[dict[str, Any]] = []
    for name in sums.strategies:
        row: dict[str, Any] = {"strategy": name}
        for kind in ("strategy", "human", "alien"):
            found = sums.estimate(strategy_metric(kind, name))
            few = int(found.blocks[0]) < FEW
            low, high = (None, None) if few else found.interval(0)
            value = None if few else float(found.value[0])
            row |= {kind + "_wins": value, f"{kind}_low": low, f"{kind}_high": high}
        seats = sums.ratio(strategy_metric("strategy", name))[1][:, 0].sum()
        rows.append(row | {"fair": 1 / sums.players, "seats": int(seats), "method": found.method(0)})
    return pl.DataFrame(rows, infer_schema_length=None)


# --- skill ---------------------------------------------------------------------------------------------------
def own_skill(sums: Sums, groups: list[str]) -> pl.DataFrame:
    """What the own strategy decides of whether one wins: in all, as a human, as the alien."""
    rows = []
    everything = (1 << len(groups)) - 1
    for kind, seat in SEATS_OF.items() if STRATEGIES in groups else ():
        arms = [_sample(sums, kind, sums.labels.index(mix(mask))) for mask in range(everything + 1)]
        found = between([(arms[mask], arms[everything ^ mask]) for mask in range(len(arms) // 2)])
        share = within(found)
        half = games_for_half(share)
        few = found.blocks < FEW
        rows.append(
            {
                "seat": seat, "share": None if few else share.value, "share_low": None if few else share.low,
                "share_high": None if few else share.high, "games": half[0], "games_low": half[1],
                "games_high": half[2], "n": found.blocks, "method": BETWEEN, "note": TOO_FEW if few else "",
            }
        )  # fmt: skip
    return _frame(rows)


def _sample(sums: Sums, kind: str, arm: int) -> Sample:
    """The points and the seats of every strategy in an arm."""
    found = [sums.ratio(strategy_metric(kind, name)) for name in sums.strategies]
    return Sample(*(np.stack([one[k][:, arm] for one in found], axis=1) for k in (0, 1)))


def games_for_half(share: Share) -> list[float | None]:
    """After how many games a player's average tells as much of the strategy as of luck; low and high."""
    return [(1 - x) / x if x > 0 else None for x in (share.value, share.high, share.low)]
