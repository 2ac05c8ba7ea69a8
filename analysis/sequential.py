"""Comparisons that end when they know enough: a sequential test, intervals of a wished width, and what pairs save.

What is looked at is the difference of two arms in each block of luck they shared, in whole numbers (games won,
points times 60), so that a tally of blocks can be added to without rounding. Nothing here plays or keeps anything:
what to play next follows from the tally so far, and a comparison that was killed comes to the same end.

The test is the generalised SPRT that chess engines are tested with: Wald's test between two mean differences, with
the variance from the data. It looks at n/2 · log(s0/s1), where s0 and s1 are the mean squared distances of the blocks
from either hypothesis: the greatest likelihood of normal differences with an unknown variance.

Stopping picks the estimate too: a test stops when luck has carried the difference far enough, so the difference
seen then is too large. So the estimate is made from fresh blocks, played after the decision, and from those only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import ceil, isfinite, log, sqrt
from typing import Any

import numpy as np

from analysis.blocks import BIG, Contrast, contrast_of, quantile
from sim.errors import UserError, shown

LEAST = 200  # blocks: no test ends sooner
FURTHER = 10  # times the blocks so far, and no more: the variance of a few blocks is a rough guess
AT_LEAST = (
    0.1  # of the blocks so far: rare differences come one by one, and each widens the interval a little
)
RESERVE = 0.01  # more blocks than the variance asks for, so that one more look is enough as a rule
ENDLESS = 1e15  # blocks: more than anybody plays
TWO = 2  # blocks one step up and down that a variance has on top: differences are rare, not impossible

H1, H0, OPEN = "H1", "H0", "open"


# --- what was seen ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tally:
    """Differences of blocks, added up: the second arm less the first.

    Parameters
    ----------
    blocks, total, squares
        How many, their sum, and the sum of their squares, in whole steps.
    more, same, less
        In how many blocks the second arm had more than the first, as much, and less.
    unit
        What a difference is divided by to be read: the games of a block, times 60 for points.
    step
        The smallest change of one game that counts: 1 for wins, 60 for points times 60.

    Example
    -------
    >>> seen = Tally.of([1, 0, 0, -1, 0, 1]) + Tally.of([0, 0, 0, 1])
    >>> seen.blocks, seen.total, seen.squares, seen.more, seen.same, seen.less
    (10, 2, 4, 3, 6, 1)
    >>> seen.mean
    0.2
    """

    blocks: int
    total: int
    squares: int
    more: int
    same: int
    less: int
    unit: int = 1
    step: int = 1

    @classmethod
    def of(cls, differences: Any, unit: int = 1, step: int = 1) -> Tally:
        """From whole differences, one a block; every block has the same `unit`."""
        whole = np.asarray(differences)
        if len(whole) and not np.issubdtype(whole.dtype, np.integer):
            raise TypeError("differences of blocks are whole numbers")
        whole = whole.astype(np.int64)
        signs = np.sign(whole)
        more, same, less = (int((signs == sign).sum()) for sign in (1, 0, -1))
        return cls(len(whole), int(whole.sum()), int((whole * whole).sum()), more, same, less, unit, step)

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        if (self.unit, self.step) != (other.unit, other.step):
            raise ValueError("tallies of different units cannot be added up")
        names = ("blocks", "total", "squares", "more", "same", "less")
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def mean(self) -> float:
        """The mean difference."""
        return self.total / self.blocks / self.unit if self.blocks else 0.0

    @property
    def variance(self) -> float:
        """How much blocks vary; never nothing, since what was never seen yet may still happen."""
        return _variance(self.blocks, self.total, self.squares, self.step) / self.unit**2

    @property
    def contrast(self) -> Contrast:
        """The mean difference with Student's interval; for blocks whose number was fixed beforehand.

        If no block differed, the interval reaches as far as that leaves possible: about 3 / blocks.
        """
        return contrast_of(self.mean, sqrt(self.variance / max(1, self.blocks)), self.blocks)


def _variance(blocks: int, total: int, squares: int, step: int) -> float:
    """Of whole differences, with two more blocks a step up and down; exact up to the division."""
    if blocks < 2:
        return float("inf")
    return (blocks * squares - total * total) / (blocks * (blocks - 1)) + TWO * step * step / blocks


def least_error(blocks: int, step: float = 1.0) -> float:
    """The least standard error of a difference from so many blocks, which is what is left if none differed.

    `step` is by how much the least change of one game moves a block (1 / games of a block, for a rate).
    """
    return sqrt(TWO) * step / blocks if blocks else float("inf")


# --- the sequential test ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Look:
    """What a test says after so many blocks."""

    decision: str  # H1, H0 or open
    llr: float  # logarithm of the likelihood ratio: above 0 the blocks speak for H1
    lower: float  # H0 is accepted here
    upper: float  # H1 is accepted here
    blocks: int
    more: int = 0
    same: int = 0
    less: int = 0

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        """One line, as chess testers print it."""
        counts = f", more in B {self.more:,}, same {self.same:,}, more in A {self.less:,}"
        return (
            f"LLR {self.llr:+.2f} ({self.lower:.2f}, {self.upper:.2f}), {self.blocks:,} blocks"
            f"{counts if self.more + self.same + self.less else ''}: {self.decision}"
        )


@dataclass(frozen=True)
class Sprt:
    """Is the mean difference `d0` (H0) or `d1` (H1)? Either may be the larger one.

    Parameters
    ----------
    alpha
        How often H1 may be accepted at most if H0 holds.
    beta
        How often H0 may be accepted at most if H1 holds.
    least
        Blocks before which it does not end.

    Example
    -------
    >>> look = Sprt(0.0, 0.03).look(Tally.of([1] * 300 + [0] * 1500 + [-1] * 200))
    >>> print(look)
    LLR +8.40 (-2.94, 2.94), 2,000 blocks, more in B 300, same 1,500, more in A 200: H1
    """

    d0: float
    d1: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = LEAST

    def __post_init__(self) -> None:
        """Complains of what makes no test."""
        wrong = []
        if not (_is_number(self.d0) and _is_number(self.d1)) or self.d0 == self.d1:
            told = f"{shown(self.d0)} and {shown(self.d1)} are no two hypotheses"
            wrong.append(f"sprt: {told}; valid: two numbers, 0,0.03")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not (_is_number(value) and 0 < value < 0.5):
                wrong.append(f"sprt: {name} is {shown(value)}; valid: above 0 and below 0.5")
        if wrong:
            raise UserError(wrong)

    @property
    def lower(self) -> float:
        """Where H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Where H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    @property
    def gap(self) -> float:
        """How far apart the hypotheses are."""
        return abs(self.d1 - self.d0)

    def llr(self, mean: Any, variance: Any, blocks: Any) -> Any:
        """The logarithm of the likelihood ratio; numbers or arrays of them."""
        s0, s1 = (variance + (mean - d) ** 2 for d in (self.d0, self.d1))
        return blocks / 2 * np.log(s0 / s1)

    def look(self, seen: Tally) -> Look:
        """What the blocks so far say."""
        return self.judge(seen.mean, seen.variance, seen.blocks, (seen.more, seen.same, seen.less))

    def judge(
        self, mean: float, variance: float, blocks: int, counts: tuple[int, int, int] = (0, 0, 0)
    ) -> Look:
        """The same from a mean difference and the variance of one block: error² × blocks of a contrast.

        If blocks do not vary at all, the variance is as if two had differed by as much as is looked for.
        """
        variance = max(variance, TWO * self.gap**2 / max(1, blocks))
        llr = float(self.llr(mean, variance, blocks)) if isfinite(variance) else 0.0
        decision = OPEN
        if blocks >= self.least:
            decision = H1 if llr >= self.upper else H0 if llr <= self.lower else OPEN
        return Look(decision, llr, self.lower, self.upper, blocks, *counts)

    def likely_blocks(self, variance: float) -> int:
        """About how many blocks it takes if the truth is midway, where it takes the longest on average."""
        return max(self.least, ceil(-self.lower * self.upper * variance / self.gap**2))

    def fresh_blocks(self, variance: float, most: int) -> int:
        """How many fresh blocks to play for the estimate, after the decision.

        So many that the interval reaches about half the gap between the hypotheses to either side, and hardly ever
        holds both of them. Their number follows from the blocks before, never from the fresh ones: nothing is
        picked, and the usual interval is right.
        """
        return min(most, blocks_needed(variance, self.gap / 2, self.least))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


# --- intervals of a wished width --------------------------------------------------------------------------
def blocks_needed(variance: float, half_width: float, least: int = LEAST) -> int:
    """So many blocks make a 95 % interval that reaches `half_width` to either side.

    Example
    -------
    >>> blocks_needed(0.25, 0.01)  # a rate about one half, to a point
    9607
    """
    if not (_is_number(half_width) and half_width > 0):
        raise UserError(f"until: {shown(half_width)} is no half-width; valid: above 0")
    if not isfinite(variance):  # nothing is known yet
        return least
    ratio = sqrt(variance) / half_width
    ratio *= ratio
    rough = min(ratio * quantile(BIG) ** 2, ENDLESS)
    return max(least, ceil(min(ratio * quantile(max(2, ceil(rough))) ** 2, ENDLESS)))


def half_width(variance: float, blocks: int) -> float:
    """How far the 95 % interval of a mean difference reaches to either side."""
    return quantile(blocks) * sqrt(variance / blocks) if blocks > 1 else float("inf")


def next_total(blocks: int, variance: float, wished: float, most: int, least: int = LEAST) -> int:
    """How many blocks there should be at the next look; as many as there are: it is enough, or as much as may be.

    Parameters
    ----------
    blocks, variance
        How many there are, and how much one varies (`Tally.variance`, or error² × blocks of a contrast).
    wished
        The half-width to come to.
    most
        No more than this, narrow enough or not.

    Example
    -------
    >>> next_total(1_000, 0.2, 0.005, most=1_000_000)
    10000
    >>> next_total(10_000, 0.2, 0.005, most=1_000_000)
    31043
    >>> next_total(31_043, 0.2, 0.005, most=1_000_000)
    31043
    """
    needed = blocks_needed(variance, wished, least)
    if blocks >= most or (blocks >= least and half_width(variance, blocks) <= wished):
        return blocks
    further = ceil(needed * (1 + RESERVE))
    if blocks >= least:
        further = min(further, blocks * FURTHER)
    return min(most, max(further, ceil(blocks * (1 + AT_LEAST))))


def look_totals(first: int, most: int, growth: float = 1.25) -> list[int]:
    """After how many blocks a test looks: at `first`, then each time `growth` as many, at last at `most`.

    Looks cost a stage each, and too few of them cost blocks: with a quarter more each time a test plays an
    eighth more than it must.

    Example
    -------
    >>> look_totals(1_000, 2_000)
    [1000, 1250, 1563, 1954, 2000]
    """
    totals = [min(first, most)]
    while totals[-1] < most:
        totals.append(min(most, max(totals[-1] + 1, ceil(totals[-1] * growth))))
    return totals


# --- what pairs save --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Saving:
    """What it was worth to play both arms with the same luck."""

    games: int  # played, of all arms together
    unpaired: int  # games that arms with luck of their own would need for an interval as narrow
    factor: float  # so many times as many; below 1: the same luck was a loss
    correlation: float  # of the two arms, from block to block

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def saving(games: int, error: float, error_a: float, error_b: float) -> Saving | None:
    """What pairing saved, from standard errors: of the difference, and of either arm by itself.

    Two arms with luck of their own have a difference of variance a² + b², which shrinks as games grow. Nothing to
    say if no block differed, or none varied.

    Example
    -------
    >>> saved = saving(20_000, 0.003, 0.005, 0.005)
    >>> saved.unpaired, round(saved.factor, 2), round(saved.correlation, 2)
    (111111, 5.56, 0.82)
    """
    apart = error_a**2 + error_b**2
    if error <= 0 or apart <= 0:
        return None
    both = 2 * error_a * error_b
    factor = apart / error**2
    return Saving(games, round(games * factor), factor, (apart - error**2) / both if both else 0.0)
