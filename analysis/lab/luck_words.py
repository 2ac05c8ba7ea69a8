"""Luck and skill in words."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.blocks import Contrast
from analysis.lab.luck_parts import CARDS, ROLES, Split, skill, within
from analysis.lab.pickfreeze import Share

MOST_PLAYED = 100_000  # games: more is 'never'
SMALL = 0.02  # shares that want two digits


def verdicts(winner: Split, own: pl.DataFrame, by_strategy: pl.DataFrame) -> Iterator[str]:
    """What it means for a designer."""
    n = f"n = {winner.mixes.blocks:,} games an arm"
    yield from _before(winner, n)
    yield from _together(winner, n)
    yield from _fragile(winner, n)
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


def _fragile(split: Split, n: str) -> Iterator[str]:
    """The single kind of card luck that changes the winner most often."""
    names = [one.name for one in split.inputs if one.group == CARDS]
    most = max(names, key=lambda name: split.single.changes(name).value)
    yield (
        f"With other luck in '{most}' alone, another player wins in {share_text(split.single.changes(most))} of the "
        f"games, though it decides no more than {share_text(split.single.first(most))} by itself: it leads "
        f"elsewhere, and where to cannot be foretold; {n}."
    )


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
