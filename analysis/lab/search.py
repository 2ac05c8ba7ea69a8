"""The search for few and small changes that bring a game to its targets. It knows nothing of any game.

What may be changed are knobs, each with a handful of choices; a candidate is a set of choices of different knobs. A
box plays candidates and hands back sums, row by row, always with the same luck for the same rows. Since games are
noisy, candidates get more of them step by step, and those that are clearly worse than the best drop out.

1. Nothing changed, with all games.
2. Each choice alone: a race from an eighth of the games to all of them.
3. If none meets the targets: sets of two choices, then three and so on. There are too many to play them all, so those
   are played that a model expects to come near. The model adds up the effects of single choices (of rates on the
   log-odds scale), and knows how two knobs change each other's effect where pairs of them have been played.
4. The first that meets the targets with all games (fewest changes, then smallest) is checked on fresh luck.
5. It, and all candidates that nobody beats in both size and nearness, are played once more on luck that no decision
   depended on. Only these last figures are reported: those of the search are too good, since they made the choice.

Everything follows from the sums, in a fixed order: the same sums give the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from analysis.lab.candidates import (
    BASE,
    Archive,
    Candidate,
    Knob,
    Reading,
    knob_pairs,
    larger,
    pairs,
    singles,
)
from analysis.lab.surrogate import Surrogate
from analysis.lab.targets import Target

PART_ROWS = 64  # rows of sums in one part of the games
PARTS = 8  # a candidate begins with one part of its games and goes on to all eight
RUNGS = (2, 4, 8)  # parts after each round of a race
ALL_ROWS = PART_ROWS * PARTS
KEPT = 8  # candidates that no round of a race cuts below, unless they are clearly worse
CLEARLY = 3.0  # standard errors
TRIED = 40  # pairs of knobs that are tried before the model is trusted
GUESSES = 24  # candidates that the model puts forward at a time
BEAM = 200  # sets of choices that are made one larger
FRONTS = 3  # times that those in front are given all games
CHECKS = 3  # candidates that are checked on fresh luck
FRONT = 8  # candidates in the final table beside the chosen one
TOGETHER = 40  # candidates that are read at a time
#: kinds of luck: of the search, of the report, and from CHECK on of each check
SEARCH, FINAL, CHECK = 0, 1, 2

#: stage, candidates, kind of luck, first row, rows -> sums, and what they are divided by: rows × candidates × metrics
Box = Callable[[str, Sequence[Candidate], int, int, int], tuple[Any, Any]]


@dataclass(frozen=True)
class Outcome:
    """What a search found."""

    chosen: Candidate | None  # meets the targets, also on fresh luck
    nearest: Candidate  # the chosen one, or else the one that came nearest
    final: Reading  # base, nearest, and all that nobody beat: on luck that no decision depended on
    search: Reading  # the same candidates, on the luck they were chosen by
    checks: list[tuple[Candidate, bool]]  # candidates that were checked, and whether they held
    played: int  # candidates
    rows: int  # rows of sums, of all candidates and stages

    @property
    def met(self) -> bool:
        """Whether the chosen one meets the targets in the report, too."""
        return self.chosen is not None and self.final.meets(self.final.candidates.index(self.chosen))


class Search:
    """One search; `run` does it."""

    def __init__(
        self, knobs: Sequence[Knob], targets: Sequence[Target], box: Box, most_changes: int = 2,
        possible: Callable[[Candidate], bool] = lambda candidate: True,
    ) -> None:  # fmt: skip
        self.possible = (
            possible  # whether changes go together: two of them may take a card's value out of its range
        )
        self.knobs, self.targets, self.box = list(knobs), list(targets), box
        self.most_changes = min(most_changes, len(knobs))
        self.archive = Archive(targets)
        self.checks: list[tuple[Candidate, bool]] = []
        self.rows = 0
        self.model: Surrogate | None = None

    def run(self) -> Outcome:
        """Search, check, and play what is reported."""
        self.play("base", [BASE], ALL_ROWS)
        chosen = self.checked([BASE] if self.archive.read([BASE]).meets(0) else [])
        for count in range(1, self.most_changes + 1):
            if chosen is not None or len(self.checks) >= CHECKS:
                break
            chosen = self.checked(self.race(f"sets-{count}", self.pool(count)))
        nearest = chosen if chosen is not None else self.nearest()
        return self.report(chosen, nearest)

    # --- playing ---
    def play(self, stage: str, candidates: Iterable[Candidate], rows: int) -> None:
        """More games for those candidates that have fewer rows; always from the first row on."""
        behind: dict[int, list[Candidate]] = {}
        for candidate in candidates:
            have = self.archive.rows(candidate)
            if have < rows:
                behind.setdefault(have, []).append(candidate)
        for have, group in sorted(behind.items()):
            name = stage if len(behind) == 1 else f"{stage}-from-{have // PART_ROWS}"
            self.archive.add(group, have, *self._sums(name, group, SEARCH, have, rows - have))

    def _sums(
        self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int
    ) -> tuple[Any, Any]:
        self.rows += rows * len(candidates)
        return self.box(stage, candidates, luck, first, rows)

    def fresh(self, stage: str, candidates: Sequence[Candidate], luck: int) -> Reading:
        """Candidates with all games on luck of their own."""
        archive = Archive(self.targets)
        archive.add(candidates, 0, *self._sums(stage, candidates, luck, 0, ALL_ROWS))
        return archive.read(candidates)

    # --- the race ---
    def race(self, name: str, candidates: Sequence[Candidate]) -> list[Candidate]:
        """More and more games for fewer and fewer candidates; those that meet the targets in the end, best first."""
        running = list(candidates)
        for rung in RUNGS:
            running = self.cut(running)
            self.play(f"{name}-race-{rung}", running, rung * PART_ROWS)
        found = self.archive.read(running)
        return sorted((c for arm, c in enumerate(running) if found.meets(arm)), key=lambda c: c.order)

    def cut(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Without those that are clearly worse than the best, or larger than a few that surely meet the targets."""
        found = self.archive.read(candidates)
        order = sorted(range(len(candidates)), key=lambda arm: (found.misses[arm], *candidates[arm].order))
        best = order[0]
        sure = sorted(candidates[arm].size for arm in order if found.meets(arm, "surely"))
        largest = sure[CHECKS - 1] if len(sure) >= CHECKS else inf
        smallest: dict[bytes, int] = {}  # a choice that makes no difference in any row adds nothing
        for arm in order:
            smallest.setdefault(self.archive.trace(candidates[arm]), arm)
        good = [
            candidates[arm]
            for arm in smallest.values()
            if candidates[arm].size <= largest
            and found.misses[arm] - found.misses[best] <= CLEARLY * found.miss_error(arm, best)
        ]
        return good[: max(KEPT, -(-len(candidates) // 2))]

    # --- which sets ---
    def pool(self, count: int) -> list[Candidate]:
        """The candidates with so many changes that are worth a race, each with one part of its games."""
        if count == 1:
            found = singles(self.knobs)
            self.play("sets-1", found, PART_ROWS)
            return found
        if self.model is None:
            self.model = Surrogate(self.targets, self.archive)
            self.model.learn_singles(singles(self.knobs))
        return self.two(self.model) if count == 2 else self.more(count, self.model)

    def two(self, model: Surrogate) -> list[Candidate]:
        """Pairs: some of each two knobs, then what the model makes of them."""
        sets = [pairs(*both) for both in knob_pairs(self.knobs)]
        every = [candidate for group in sets for candidate in group]
        tried = self.tries(sets, model)
        tried = [candidate for candidate in tried if self.possible(candidate)]
        self.play("sets-2-tries", tried, PART_ROWS)
        return self.guesses("sets-2", every, tried, model)

    def tries(self, sets: Sequence[Sequence[Candidate]], model: Surrogate) -> list[Candidate]:
        """Of each two knobs the pair that should come nearest, and the one with the largest changes."""
        best = []
        for group in sets:
            missed, _ = model.misses(group)
            place = min(range(len(group)), key=lambda k: (missed[k], *group[k].order))
            near, far = group[place], max(group, key=lambda c: c.order)
            best.append((float(missed[place]), [near, far] if model.adds_something(near) else [far]))
        best.sort(key=lambda one: (one[0], *one[1][0].order))
        return list(dict.fromkeys(candidate for _, both in best[:TRIED] for candidate in both))

    def guesses(
        self, name: str, every: Sequence[Candidate], played: Sequence[Candidate], model: Surrogate
    ) -> list[Candidate]:
        """Twice the candidates that the model puts forward, the second time with what the first has taught it."""
        played = list(played)
        for number in (1, 2):
            model.learn_pairs((c for c in self.archive.sums if c.count == 2), PART_ROWS)
            known = set(played)
            chosen = promising([c for c in every if c not in known and model.adds_something(c)], model)
            chosen = [candidate for candidate in chosen if self.possible(candidate)]
            if chosen:
                self.play(f"{name}-guess-{number}", chosen, PART_ROWS)
            played += chosen
        return played

    def more(self, count: int, model: Surrogate) -> list[Candidate]:
        """Sets of three and more: the best smaller ones with a change more."""
        smaller = [candidate for candidate in self.archive.sums if candidate.count == count - 1]
        every = {
            bigger: None
            for candidate in self._beam(smaller, model)
            for bigger in larger(candidate, self.knobs)
        }
        return self.guesses(f"sets-{count}", list(every), [], model)

    def _beam(self, smaller: Sequence[Candidate], model: Surrogate) -> list[Candidate]:
        """Played sets and all their neighbours in the model, as many as the beam is wide."""
        missed, off = model.misses(smaller)
        order = sorted(range(len(smaller)), key=lambda k: (missed[k], off[k], *smaller[k].order))
        return [smaller[k] for k in order[:BEAM]]

    # --- which one ---
    def checked(self, found: Sequence[Candidate]) -> Candidate | None:
        """The first that meets the targets on fresh luck, too."""
        for candidate in found:
            if len(self.checks) >= CHECKS:
                return None
            number = len(self.checks)
            held = self.fresh(f"check-{number + 1}", [candidate], CHECK + number).meets(0)
            self.checks.append((candidate, held))
            if held:
                return candidate
        return None

    def nearest(self) -> Candidate:
        """Of those with all games the one that came nearest."""
        full = [candidate for candidate in self.archive.sums if self.archive.rows(candidate) == ALL_ROWS]
        missed = self.archive.read(full).misses
        return min(zip(missed, full, strict=True), key=lambda one: (one[0], *one[1].order))[1]

    # --- the report ---
    def report(self, chosen: Candidate | None, nearest: Candidate) -> Outcome:
        """The front is given all games, and then fresh ones."""
        for number in range(
            1, FRONTS + 1
        ):  # more games may push a candidate off the front, and others onto it
            self.play(f"front-{number}", self.front(), ALL_ROWS)
        full = [candidate for candidate in self.archive.sums if self.archive.rows(candidate) == ALL_ROWS]
        shown = sorted({BASE, nearest, *thinned(self._beyond(full), FRONT)}, key=lambda c: (c.size, *c.order))
        final = self.fresh("final", shown, FINAL)
        return Outcome(
            chosen, nearest, final, self.archive.read(shown), self.checks, len(self.archive.sums), self.rows
        )

    def front(self) -> list[Candidate]:
        """All that nobody beats in both size and nearness, where few games count against a candidate."""
        return [candidate for candidate, _ in self._beyond(list(self.archive.sums))]

    def _beyond(self, candidates: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
        missed: list[float] = []
        for start in range(0, len(candidates), TOGETHER):
            found = self.archive.read(candidates[start : start + TOGETHER])
            missed += [found.misses[arm] + found.miss_error(arm) for arm in range(len(found.candidates))]
        return unbeaten(candidates, missed)


def promising(candidates: Sequence[Candidate], model: Surrogate) -> list[Candidate]:
    """Half of them the smallest that should meet the targets, half those that should come nearest to the middle."""
    if not candidates:
        return []
    missed, off = model.misses(candidates)
    small = sorted(range(len(candidates)), key=lambda k: (missed[k], *candidates[k].order))
    central = sorted(range(len(candidates)), key=lambda k: (off[k], *candidates[k].order))
    chosen = dict.fromkeys([*small[: GUESSES // 2], *central[:GUESSES]])
    return [candidates[k] for k in list(chosen)[:GUESSES]]


def unbeaten(candidates: Sequence[Candidate], missed: Sequence[float]) -> list[tuple[Candidate, float]]:
    """The Pareto front: from small changes to large ones, each nearer to the targets than all before."""
    front: list[tuple[Candidate, float]] = []
    for candidate, miss in sorted(
        zip(candidates, missed, strict=True), key=lambda one: (one[0].size, one[1], *one[0].order)
    ):
        if not front or miss < front[-1][1]:
            front.append((candidate, miss))
    return front


def thinned(front: Sequence[tuple[Candidate, float]], most: int) -> Iterator[Candidate]:
    """The front without those that are hardly nearer than the one before, until it is short enough."""
    left = list(front)
    while len(left) > most:
        gaps = [left[k - 1][1] - left[k][1] for k in range(1, len(left) - 1)]
        del left[1 + min(range(len(gaps)), key=gaps.__getitem__)]
    yield from (candidate for candidate, _ in left)
