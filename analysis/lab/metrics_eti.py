"""What may be asked of games of E.T.I."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.lab.metrics import NUMBER, RATE, Group, Metric, Metrics, Role, Seat

if TYPE_CHECKING:
    from analysis.lab.sums import Sums

_ROLES = {
    "strategy": Role((".human", ".alien"), "{} wins"),
    "human": Role((".human",), "{} wins as human"),
    "alien": Role((".alien",), "{} wins as alien"),
}


def _strategies(sums: Sums) -> list[Metric]:
    return [METRICS.strategy(kind, name) for name in sums.strategies for kind in _ROLES]


def _seats(sums: Sums) -> list[Metric]:
    return [METRICS.seat("distance", k) for k in range(sums.players)]


METRICS = Metrics(
    plain=(
        Metric("alien_win", ("alien",), ("games",), RATE, "alien wins"),
        Metric("rounds", ("rounds",), ("games",), NUMBER, "rounds"),
        Metric("margin", ("margin",), ("humans",), NUMBER, "defence − attack of a human"),
        Metric("survivors", ("survivors",), ("games",), NUMBER, "survivors a game"),
        Metric("none_survived", ("none_survived",), ("games",), RATE, "nobody survives"),
        Metric("claimed", ("claimed",), ("games",), NUMBER, "projects claimed"),
        Metric("lead_changes", ("lead_changes",), ("games",), NUMBER, "changes of the lead"),
        Metric("decisions", ("decisions",), ("games",), NUMBER, "decisions a game"),
    ),
    usual=("alien_win", "rounds"),
    main=("alien_win", "rounds", "margin", "survivors", "lead_changes"),
    groups=(
        Group("strategies", "Who wins", _strategies),
        Group("seats", "Seats, by distance from the first president", _seats),
    ),
    roles=_ROLES,
    seats={
        "seat": Seat("won_{}", "seat {} wins", 1),
        "distance": Seat("won_at_{}", "seat +{} from the first president wins", 0),
    },
    forms="seat:1, distance:0, strategy:NAME, human:NAME, alien:NAME",
    strategy_note="A strategy's wins are its points a seat: in all, as a human, as the alien.",
    counted=("alien", "rounds", "decisions", "survivors", "margin", "claimed", "lead_changes"),
)
