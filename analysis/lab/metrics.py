"""What may be asked of the games of an experiment, by name: each game has metrics of its own.

Those of a game stand in `analysis/lab/metrics_GAME.py`, as a `Metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from sim.errors import UserError, did_you_mean, shown

if TYPE_CHECKING:
    from analysis.lab.sums import Sums

SIXTIETHS = 60
RATE, NUMBER = "rate", "number"
GAME = "eti"  # when nothing is said


@dataclass(frozen=True)
class Metric:
    """What is asked of games: a sum over another one."""

    name: str
    tops: tuple[str, ...]
    bottoms: tuple[str, ...]
    kind: str  # RATE: a share from 0 to 1; NUMBER
    text: str  # as in a heading
    scale: int = 1  # what the tops are divided by

    @property
    def is_rate(self) -> bool:
        """Whether it is a share."""
        return self.kind == RATE


@dataclass(frozen=True)
class Role:
    """How often seats of a strategy win: in which columns they are counted, `NAME` and one of `endings`."""

    endings: tuple[str, ...]
    text: str  # with {} for the strategy


@dataclass(frozen=True)
class Seat:
    """How often a seat wins, by a number from `first` on."""

    column: str
    text: str
    first: int


@dataclass(frozen=True)
class Group:
    """A table of metrics beside the main one; none of them: no table."""

    name: str
    title: str
    metrics: Callable[[Sums], Sequence[Metric]]


@dataclass(frozen=True)
class Metrics:
    """The metrics of a game.

    Attributes
    ----------
    plain
        Those without a strategy or a seat behind their names.
    usual
        If none are named; the first is what decides.
    main
        Those of the main table of a comparison; `groups` are its other tables.
    roles, seats
        Of strategies and of seats, by the word before the colon.
    forms
        Examples of them, for messages.
    strategy_note
        What the wins of a strategy are.
    counted
        Columns of the sums that say whether a game came out differently.
    """

    plain: tuple[Metric, ...]
    usual: tuple[str, ...]
    main: tuple[str, ...]
    groups: tuple[Group, ...]
    roles: Mapping[str, Role]
    seats: Mapping[str, Seat]
    forms: str
    strategy_note: str
    counted: tuple[str, ...]

    @cached_property
    def by_name(self) -> dict[str, Metric]:
        """The plain ones."""
        return {metric.name: metric for metric in self.plain}

    def strategy(self, kind: str, name: str) -> Metric:
        """The share of points of a strategy's seats, in all or in a role."""
        role = self.roles[kind]
        tops, bottoms = (
            tuple(f"{name}{end}.{what}" for end in role.endings) for what in ("points60", "seats")
        )
        return Metric(f"{kind}:{name}", tops, bottoms, RATE, role.text.format(name), SIXTIETHS)

    def seat(self, kind: str, number: int) -> Metric:
        """How often a seat wins."""
        seat = self.seats[kind]
        column, text = seat.column.format(number), seat.text.format(number)
        return Metric(f"{kind}:{number}", (column,), ("games",), RATE, text)

    def strategies(self, columns: Sequence[str]) -> list[str]:
        """The strategies that sums with these columns know."""
        ending = f"{next(iter(self.roles.values())).endings[0]}.seats"
        return [name.removesuffix(ending) for name in columns if name.endswith(ending)]

    def find(self, text: str, strategies: Sequence[str] = (), players: int = 0) -> Metric:
        """The metric of a name.

        Raises
        ------
        UserError
            If there is none of that name, or no such strategy or seat in the experiment.
        """
        if text in self.by_name:
            return self.by_name[text]
        kind, colon, which = text.partition(":")
        if colon and kind in self.roles:
            if which not in strategies:
                near, valid = did_you_mean(which, strategies), ", ".join(strategies)
                raise UserError(f"metric {shown(text)}: nobody plays {shown(which)}{near}; valid: {valid}")
            return self.strategy(kind, which)
        if colon and kind in self.seats:
            first = self.seats[kind].first
            if not which.isdecimal() or not first <= int(which) < players + first:
                valid = f"{first} to {players + first - 1}"
                raise UserError(f"metric {shown(text)}: no such seat; valid: {valid}")
            return self.seat(kind, int(which))
        near = did_you_mean(kind, [*self.by_name, *self.seats, *self.roles])
        valid = f"{', '.join(self.by_name)}, {self.forms}"
        raise UserError(f"no metric {shown(text)}{near}; valid: {valid}")


def metrics_of(game: str = GAME) -> Metrics:
    """The metrics of a game."""
    found: Metrics = import_module(f"analysis.lab.metrics_{game.replace('-', '_')}").METRICS
    return found
