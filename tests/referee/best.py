"""Exact searches: the best total a submission can reach, and the fewest fame lost in a battle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from .arithmetic import MULTIPLIERS, THREATS

# A card for the search: a number is itself (1 and more), a multiplier minus its factor (x0 is 0).
ACTS, INERT, EITHER = 1001, 1002, 1003  # a threat that acts, that is ignored, or as its owner likes
Ways = dict[int, int]  # factor on the number before -> best sum of all that follows
Memo = dict[tuple[tuple[int, ...], int, int], Ways]


def best_total(queue: Sequence[str], immune: Collection[str], swaps: int, optional: bool) -> int:
    """R-SUB-2 to R-SUB-4: the highest total within so many adjacent swaps.

    `optional` (A-7): an immune company may let a threat act.
    """
    immune_threat = EITHER if optional else INERT
    codes = []
    for card in queue:
        if card in MULTIPLIERS:
            codes.append(-MULTIPLIERS[card])
        elif card in THREATS:
            codes.append(immune_threat if card in immune else ACTS)
        else:
            codes.append(int(card))
    return search(tuple(codes), swaps)


@lru_cache(maxsize=50_000)
def search(cards: tuple[int, ...], swaps: int) -> int:
    """The best total of these coded cards."""
    return max(ways(cards, swaps, 0, {}).values())


def ways(rest: tuple[int, ...], swaps: int, doomed: int, memo: Memo) -> Ways:
    """What the cards still to be laid, in any order within reach, can bring.

    The final order is laid from port 1 on: taking the i-th of the remaining cards costs i swaps.
    `doomed` threats have struck already among `rest`. They took the highest numbers of it, so the
    doomed ones are always its `doomed` highest, and of equal ones those that are laid first.
    """
    if not rest:
        return {1: 0}
    key = (rest, swaps, doomed)
    known = memo.get(key)
    if known is not None:
        return known
    found: Ways = {}
    for i in range(min(swaps + 1, len(rest))):
        card = rest[i]
        if card in rest[:i]:
            continue  # the nearer one of two equal cards does the same for less
        others = rest[:i] + rest[i + 1 :]
        if card > ACTS - 1:
            if card != INERT:
                struck = min(doomed + 1, sum(1 for c in others if 0 < c < ACTS))
                merge(found, ways(others, swaps - i, struck, memo).items())
            if card != ACTS:
                merge(found, ways(others, swaps - i, doomed, memo).items())
        elif card <= 0:
            after = ways(others, swaps - i, doomed, memo)
            merge(found, ((-card * factor, total) for factor, total in after.items()))
        elif doomed and card >= sorted(c for c in rest if 0 < c < ACTS)[-doomed]:
            merge(found, ways(others, swaps - i, doomed - 1, memo).items())
        else:
            after = ways(others, swaps - i, doomed, memo)
            merge(found, [(1, max(card * factor + total for factor, total in after.items()))])
    memo[key] = found = undominated(found)
    return found


def merge(found: Ways, more: Iterable[tuple[int, int]]) -> None:
    """Keep the best sum for each factor."""
    for factor, total in more:
        if found.get(factor, -1) < total:
            found[factor] = total


def undominated(found: Ways) -> Ways:
    """Drop what another way beats in factor and in sum."""
    if len(found) == 1:
        return found
    kept: Ways = {}
    best = -1
    for factor in sorted(found, reverse=True):
        if found[factor] > best:
            kept[factor] = best = found[factor]
    return kept


def least_fame_lost(projects: Sequence[tuple[int, int]], need: int) -> int | None:
    """A-INV-11: the least fame of (defence, fame) projects given up whose defence comes to `need`.

    None: all of them together do not suffice.
    """
    if need <= 0:
        return 0
    least = {0: 0}  # defence so far, counted up to `need` -> least fame given up for it
    for defence, fame in projects:
        for so_far, lost in list(least.items()):
            reached = min(need, so_far + defence)
            if least.get(reached, lost + fame) >= lost + fame:
                least[reached] = lost + fame
    return least.get(need)
