"""Luck and skill: how much of who wins is decided by who plays how, by the roles, and by the cards.

A game is a function of inputs that are drawn independently: who is the alien and holds which endgame card, who
begins, the research cards, the projects, the events, the attack cards, the dice that strategies throw, and which
strategy sits where. Every block is played again with some of them drawn anew (`pickfreeze`), and the variance of the
result is split: into parts of three groups (strategies, roles, cards) that add up to all of it, and by single inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW, Contrast
from analysis.lab.pickfreeze import BY_BLOCKS, Decomposition, Factorial, Sample, Share, between, decompose
from analysis.lab.stages import Lab, Result, plain, silent
from analysis.lab.sums import Sums, strategy_metric
from sim.errors import UserError
from sim.line_ups import POOL, SEATS
from sim.run import Watch
from sim.workers import Workers

GAMES = 20_000
MOST_PLAYED = 100_000  # games: more is 'never'
SMALL = 0.02  # shares that want two digits
BETWEEN = "win rates of two independent samples, by blocks"
STRATEGIES, ROLES, CARDS = "strategies", "roles", "cards"
#: rows of the table of skill: what a seat's strategy decides in all games, as a human, as the alien
SEATS_OF = {"strategy": "any seat", "human": "a human", "alien": "the alien"}


@dataclass(frozen=True)
class Input:
    """Something that is drawn for every game, apart from everything else. `reroll` is its word in changes."""

    reroll: str
    name: str
    group: str
    text: str


INPUTS = (
    Input("line-up", "strategies", STRATEGIES, "which strategy sits where"),
    Input("roles", "roles and endgame cards", ROLES, "who is the alien, and every seat's endgame card"),
    Input("president", "first president", ROLES, "who begins"),
    Input("research", "research cards", CARDS, "the research cards dealt"),
    Input("projects", "projects", CARDS, "the order of the projects"),
    Input("events", "events", CARDS, "the order of the events"),
    Input("attack", "attack cards", CARDS, "the attack cards of the invasion"),
    Input("strategies", "dice of strategies", CARDS, "the luck that strategies use to decide"),
)


@dataclass(frozen=True)
class Outcome:
    """What is split. Of several columns the variances are added up."""

    id: str
    text: str
    columns: tuple[str, ...]


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
    return {**base, "line_up": POOL, "strategies": list(once.values())}


def _differ(base: Mapping[str, Any]) -> bool:
    """Whether there are different strategies to draw."""
    return base["line_up"] == POOL and len(base["strategies"]) > 1


def groups_of(inputs: list[Input]) -> list[str]:
    """The groups of these inputs, each once."""
    return list(dict.fromkeys(one.group for one in inputs))


def _arms(inputs: list[Input]) -> Iterator[tuple[str, list[str]]]:
    """What is drawn anew in each arm: every mix of groups, and every single input."""
    groups = groups_of(inputs)
    for mask in range(1 << len(groups)):
        yield _mix(mask), [one.reroll for one in inputs if mask >> groups.index(one.group) & 1]
    for one in inputs:
        if [other.group for other in inputs].count(one.group) > 1:
            yield one.name, [one.reroll]


def _mix(mask: int) -> str:
    return f"groups {mask}"


# --- what came of it ---------------------------------------------------------------------------------------
def outcomes(players: int) -> tuple[Outcome, ...]:
    """What is split."""
    return (
        Outcome("winner", "who wins", tuple(f"won_{seat}" for seat in range(1, players + 1))),
        Outcome("alien", "the alien wins", ("alien",)),
        Outcome("margin", "defence − attack", ("margin",)),
        Outcome("rounds", "rounds", ("rounds",)),
    )


class Split:
    """One outcome, taken apart."""

    def __init__(self, sums: Sums, outcome: Outcome, inputs: list[Input]) -> None:
        self.outcome, self.inputs, self.groups = outcome, inputs, groups_of(inputs)
        self._sums, self._columns = sums, np.stack(sums.columns(outcome.columns), axis=1)
        arms = [self.arm(_mix(mask)) for mask in range(1 << len(self.groups))]
        self.mixes = Factorial(self.groups, arms)
        mixed = {one.name: self.arm(self._arm_of(one)) for one in inputs}
        self.single: Decomposition = decompose(arms[0], arms[-1], mixed)

    def arm(self, label: str) -> Any:
        """The outcome of each block in an arm: a row for each block, a column for each column."""
        return self._columns[:, :, self._sums.labels.index(label)]

    def _arm_of(self, one: Input) -> str:
        """Where only this input is drawn anew; the only input of its group has no arm of its own."""
        return one.name if one.name in self._sums.labels else _mix(1 << self.groups.index(one.group))

    # --- its tables ---
    def parts(self) -> Iterator[dict[str, Any]]:
        """The parts of all sets of groups: they add up to 1."""
        for mask in range(1, 1 << len(self.groups)):
            name = self.mixes.name(mask)
            yield self._row(part=name, together=mask.bit_count(), **self._figures(self.mixes.part(mask)))

    def shares(self) -> Iterator[dict[str, Any]]:
        """Of each group: alone, with others, and its even share of everything."""
        for k, group in enumerate(self.groups):
            alone, rest = self.mixes.part(1 << k), self.mixes.closed(self.mixes.everything ^ (1 << k))
            share = self.mixes.share(group)
            total = Contrast(1 - rest.value, 1 - rest.high, 1 - rest.low, rest.p, rest.error, rest.blocks)
            figures = {
                **self._figures(alone, "alone"), **self._figures(total, "total"), **self._figures(share, "share"),
            }  # fmt: skip
            yield self._row(group=group, **figures)

    def singles(self) -> Iterator[dict[str, Any]]:
        """Of each single input: alone, in all, and how often the outcome changes with it."""
        texts = {one.name: one.text for one in self.inputs}
        for row in self.single.table().iter_rows(named=True):
            yield {"outcome": self.outcome.id, "what": self.outcome.text, "text": texts[row["input"]], **row}

    def pairs(self) -> pl.DataFrame:
        """Of each two inputs: the share that hangs on both."""
        table = self.single.pairs(tuple(one.name for one in self.inputs))
        outcome = pl.lit(self.outcome.id).alias("outcome")
        return table.select(outcome, pl.all()).sort("share", "one", "other", descending=True, nulls_last=True)

    def _row(self, **more: Any) -> dict[str, Any]:
        few = self.mixes.blocks < FEW
        end = {"n": self.mixes.blocks, "method": BY_BLOCKS, "note": TOO_FEW if few else ""}
        return {"outcome": self.outcome.id, "what": self.outcome.text, **more, **end}

    def _figures(self, contrast: Contrast, name: str = "share") -> dict[str, float | None]:
        if self.mixes.blocks < FEW:
            return {name: None, f"{name}_low": None, f"{name}_high": None}
        share = within(contrast)
        return {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}


def within(contrast: Contrast) -> Share:
    """A share with its interval, as far as it lies between 0 and 1."""
    value, low, high = (min(1.0, max(0.0, x)) for x in (contrast.value, contrast.low, contrast.high))
    return Share(value, low, high)


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


# --- in words ------------------------------------------------------------------------------------------------
def skill(split: Split) -> Share | None:
    """What the strategies decide once the roles are known: with nothing else said, before the first card."""
    if STRATEGIES not in split.groups:
        return None
    here, roles = (1 << split.groups.index(name) for name in (STRATEGIES, ROLES))
    return within(split.mixes.weighted({here | roles: 1.0, roles: -1.0}))


def own_skill(sums: Sums, groups: list[str]) -> pl.DataFrame:
    """What the own strategy decides of whether one wins: in all, as a human, as the alien."""
    rows = []
    everything = (1 << len(groups)) - 1
    for kind, seat in SEATS_OF.items() if STRATEGIES in groups else ():
        arms = [_sample(sums, kind, sums.labels.index(_mix(mask))) for mask in range(everything + 1)]
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


def verdicts(winner: Split, own: pl.DataFrame, by_strategy: pl.DataFrame) -> Iterator[str]:
    """What it means for a designer."""
    n = f"n = {winner.mixes.blocks:,} games an arm"
    yield from _before(winner, n)
    yield from _together(winner, n)
    yield from _own(own, by_strategy, n)


def _before(split: Split, n: str) -> Iterator[str]:
    """What is decided before the first card."""
    roles = 1 << split.groups.index(ROLES)
    yield (
        f"Of who wins, {share_text(split.mixes.part(roles))} is settled by the roles alone: who is the alien, the "
        f"endgame cards, who begins; {n}."
    )
    added = skill(split)
    if added is None:
        yield "Everybody plays the same, or keeps the seat: all of the rest is luck, or luck within the roles."
        return
    yield (
        f"The strategies settle {share_text(added)} once the roles are known: {skill_word(added)} of who wins one "
        f"game can be foretold from who plays how; {n}."
    )


def _together(split: Split, n: str) -> Iterator[str]:
    """What the cards decide, and what hangs on several."""
    cards = split.groups.index(CARDS)
    alone = split.mixes.part(1 << cards)
    several = split.mixes.weighted({split.mixes.everything: 1.0} | {
        mask: -1.0 for mask in [split.mixes.everything ^ (1 << cards), 1 << cards]
    })  # fmt: skip
    yield (
        f"The luck of the cards settles {share_text(alone)} on its own, and {share_text(several)} together with "
        f"{' and '.join(reversed(split.groups[:cards]))}: the cards that make one player win let another lose; {n}."
    )
    shares = {group: within(split.mixes.share(group)) for group in split.groups}
    order = sorted(shares, key=lambda group: -shares[group].value)
    listed = ", ".join(f"{group} {shares[group].value * 100:.0f} %" for group in order)
    yield f"If what several decide together is divided evenly among them: {listed} of who wins; {n}."


def _own(own: pl.DataFrame, by_strategy: pl.DataFrame, n: str) -> Iterator[str]:
    """A share of variance in terms of games and win rates."""
    known = by_strategy.drop_nulls("strategy_wins").sort("strategy_wins")
    if own.is_empty() or len(known) < 2:
        return
    row, worst, best = own.row(0, named=True), known.row(0, named=True), known.row(-1, named=True)
    rates = (
        f"{best['strategy']} wins {best['strategy_wins'] * 100:.1f} % of its games, {worst['strategy']} "
        f"{worst['strategy_wins'] * 100:.1f} %, a fair share is {best['fair'] * 100:.1f} %"
    )
    share = Share(*(row[key] for key in ("share", "share_low", "share_high")))
    yield f"Of whether a given player wins one game the own strategy decides {share_text(share)}: {rates}; {n}."
    yield half_text([row[key] for key in ("games", "games_low", "games_high")])


def half_text(needed: list[float | None]) -> str:
    """How many games it takes to see skill."""
    value, low, high = needed
    if value is None or low is None:
        return "No strategy of these is shown to be better than another, however many games one plays."
    most = "more than anybody plays" if high is None or high > MOST_PLAYED else games_text(high)
    return (
        f"It takes about {games_text(value)} games (95 %: {games_text(low)} to {most}) until a player's average "
        "tells as much of the strategy as of luck."
    )


def games_text(games: float) -> str:
    """A number of games, rounded to two digits."""
    digits = max(0, len(str(int(games))) - 2)
    return f"{max(1, round(games / 10**digits)) * 10**digits:,}"


def skill_word(share: Share) -> str:
    """A share of what strategies settle."""
    for limit, word in ((0.01, "next to nothing"), (0.05, "little"), (0.2, "a part"), (0.5, "much")):
        if share.value < limit:
            return word
    return "most"


def share_text(given: Contrast | Share) -> str:
    """'31.2 % (95 %: 30.1 to 32.3)'; two digits for what is small."""
    share = within(given) if isinstance(given, Contrast) else given
    digits = 2 if share.high < SMALL else 1
    value, low, high = (f"{x * 100:.{digits}f}" for x in (share.value, share.low, share.high))
    return f"{value} % (95 %: {low} to {high})"
