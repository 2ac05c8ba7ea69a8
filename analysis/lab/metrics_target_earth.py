"""What may be asked of games of Target Earth: of the Alliance, for in the base game all win or lose together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analysis.lab.metrics import NUMBER, RATE, Group, Metric, Metrics, Role, Seat

if TYPE_CHECKING:
    from analysis.lab.sums import Sums


def _rate(name: str, top: str, text: str, bottom: str = "games") -> Metric:
    return Metric(name, (top,), (bottom,), RATE, text)


def _number(name: str, text: str, bottom: str = "games") -> Metric:
    return Metric(name, (name,), (bottom,), NUMBER, text)


_FACTIONS = tuple(
    _rate(f"faction:{name}", f"won_as_{name.replace('-', '_')}", text, f"seats_as_{name.replace('-', '_')}")
    for name, text in (
        ("officer", "the intelligence officer wins"),
        ("air-general", "the air force general wins"),
        ("army-general", "the army general wins"),
        ("diplomat", "the diplomat wins"),
    )
)
_OBJECTIVES = tuple(
    _rate(f"objective:{name}", f"won_with_{name}", f"who has objective {name} wins", f"seats_with_{name}")
    for name in "ABCDEF"
)
_ENDINGS = (
    _rate("won_points", "won_points", "won after the last turn"),
    _rate("won_sudden", "won_sudden", "won by a sudden end"),
    _rate("lost_no_science", "lost_no_science", "lost: ahead, without alien science"),
    _rate("lost_fewer_points", "lost_fewer_points", "lost: alien science, but not ahead"),
    _rate("lost_neither", "lost_neither", "lost: neither ahead nor alien science"),
    _rate("lost_sudden", "lost_sudden", "lost: aliens far ahead before the last turn"),
    _rate("lost_impossible", "lost_impossible", "lost: alien science out of reach"),
)
_ROLES = {"strategy": Role(("",), "wins at seats of {}")}


def is_advanced(sums: Sums) -> bool:
    """Whether some arm is the advanced game, in which seats win."""
    told = [cell.get("variant") for cell in sums.cells]
    texts = [text for cell in sums.cells for text in cell.get("changes") or ()]
    return "advanced" in told or any(text.replace(" ", "") == "variant=advanced" for text in texts)


def _endings(sums: Sums) -> list[Metric]:
    return list(_ENDINGS)


def _strategies(sums: Sums) -> list[Metric]:
    """In the base game only if not all of them sit in all games: else each wins what the Alliance wins."""
    found = [METRICS.strategy("strategy", name) for name in sums.strategies]
    alliance = sums.means("alliance_win")
    tells = any(not np.allclose(sums.means(one), alliance, equal_nan=True) for one in found)
    return found if tells or is_advanced(sums) else []


def _factions(sums: Sums) -> list[Metric]:
    return [*_FACTIONS, *_OBJECTIVES] if is_advanced(sums) else []


def _seats(sums: Sums) -> list[Metric]:
    return [METRICS.seat("seat", p + 1) for p in range(sums.players)] if is_advanced(sums) else []


METRICS = Metrics(
    plain=(
        _rate("alliance_win", "won", "Alliance wins"),
        _number("turns", "turns"),
        _number("points_alliance", "points of the Alliance"),
        _number("points_aliens", "points of the aliens"),
        _number("science", "level of alien science"),
        _number("levels", "levels of fighters, troops and tanks together"),
        *_ENDINGS,
        _number("allied", "allied countries at the end"),
        _number("aliens", "alien countries at the end"),
        Metric("stopped", ("shot_down", "beaten"), ("ufos",), RATE, "UFOs that are stopped"),
        _rate("shot_down", "shot_down", "interceptions won", "interceptions"),
        _number("interceptions", "interceptions a game"),
        _rate("battles_won", "battles_won", "battles won on the ground", "battles"),
        _number("battles", "battles on the ground a game"),
        _number("bases_destroyed", "alien bases destroyed"),
        _rate("attempts_won", "attempts_won", "attempts of diplomacy that succeed", "attempts"),
        _number("attempts", "attempts of diplomacy a game"),
        _number("modules_lost", "modules lost to raids"),
        _number("cards_played", "Alliance cards played"),
        _number("knowledge", "alien knowledge left"),
        _number("personal", "personal points of a seat", "bases"),
        *_FACTIONS,
        *_OBJECTIVES,
        _number("decisions", "decisions a game"),
    ),
    usual=("alliance_win", "turns"),
    main=(
        "alliance_win", "turns", "points_alliance", "points_aliens", "science", "levels", "stopped", "battles_won",
        "attempts_won", "modules_lost",
    ),
    groups=(
        Group("endings", "How games end", _endings),
        Group("strategies", "Who wins", _strategies),
        Group("factions", "Factions and secret objectives", _factions),
        Group("seats", "Seats", _seats),
    ),
    roles=_ROLES,
    seats={"seat": Seat("won_{}", "seat {} wins", 1)},
    forms="seat:1, strategy:NAME",
    strategy_note=(
        "A strategy's wins are those of its seats: in the base game the Alliance's, in the advanced game their own."
    ),
    counted=(
        "won", "turns", "decisions", "points_alliance", "points_aliens", "science", "levels", "shot_down", "battles",
        "cards_played", "personal",
    ),
)  # fmt: skip
