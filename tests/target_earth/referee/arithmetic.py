"""The arithmetic of the rules, one small function a rule. Things have their names of the trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

Rules = Mapping[str, int]

MODULES = ("hangar", "warehouse", "barracks", "garage", "laboratory", "radar")
PIECES = dict(
    zip(MODULES, ("hangars", "warehouses", "barracks", "garages", "laboratories", "radars"), strict=True)
)
STANDS_ON = {"fighter": "hangar", "carrier": "hangar", "infantry": "barracks", "tank": "garage"}
MOST = {"fighter": "max_fighters", "carrier": "max_carriers", "infantry": "max_infantry", "tank": "max_tanks"}
TECHNOLOGIES = ("fighters", "troops", "tanks", "science")
FACTORS = {"fighter": ("fighter", "fighters"), "infantry": ("infantry", "troops"), "tank": ("tank", "tanks")}
SIZES = ("small", "medium", "large", "terror")
GRID = 6  # columns printed on a base
DIE_KINDS = ("warehouse", "hangar", "barracks", "garage", "radar", "laboratory")  # R-TE-OPT-1


def hits_of(dice: Iterable[int], rules: Rules) -> int:
    """R-TE-INT, R-TE-MIS-5: a 5 or a 6 hits."""
    return sum(1 for die in dice if die >= rules["hit_from"])


def diplomacy_bonus(countries: int, rules: Rules) -> int:
    """R-TE-DIP: what the number of countries on one's side adds."""
    for at_least in (20, 15, 10):
        if countries >= at_least:
            return rules[f"diplomacy_{at_least}"]
    return 0


def research_price(technology: str, level: int, rules: Rules) -> tuple[int, int, int]:
    """R-TE-RES: credits, laboratories and knowledge that this level takes."""
    kind = "science" if technology == "science" else "unit"
    return tuple(rules[f"{kind}_{what}_{level}"] for what in ("cost", "labs", "knowledge"))  # type: ignore


def cell_at(column: int, row: int) -> int:
    """Cells count from 1, row by row, in rows of six however many columns a base may use."""
    return column + GRID * (row - 1)


def cells(rules: Rules) -> list[int]:
    """R-TE-PRD: the places of a base."""
    places = [
        (column, row) for row in range(1, rules["rows"] + 1) for column in range(1, rules["columns"] + 1)
    ]
    return [cell_at(column, row) for column, row in places]


def neighbours(cell: int) -> set[int]:
    """A-TE-18: cells with an edge in common."""
    sides = {cell - 1} if cell % GRID != 1 else set()
    sides |= {cell + 1} if cell % GRID else set()
    return sides | {cell - GRID, cell + GRID}


def voted(votes: Sequence[Any]) -> Any:
    """A-TE-19: most votes win; a tie goes to the choice of the earliest voter in it."""
    most = max(votes.count(choice) for choice in votes)
    return next(choice for choice in votes if votes.count(choice) == most)


def starting_spreads(aliens: int, groups: int) -> list[dict[int, int]]:
    """R-TE-MIS-5: as many groups as possible, as evenly as possible: all the ways, as counts by group."""
    used = min(aliens, groups)
    each, over = divmod(aliens, used)
    return [
        {g: each + (g in more) for g in range(1, used + 1)} for more in combinations(range(1, used + 1), over)
    ]


def spread_out(
    counts: Mapping[int, int], joining: int, draws: Sequence[Sequence[int]]
) -> dict[int, int] | None:
    """R-TE-MIS-5: aliens without an opponent join the smallest groups; a draw [k of n] decides ties.

    None: these are not the draws that are needed.
    """
    now = dict(counts)
    left = list(draws)
    for _ in range(joining):
        smallest = [g for g in sorted(now) if now[g] == min(now.values())]
        place = 0
        if len(smallest) > 1:
            if not left or left[0][1] != len(smallest) or not 0 <= left[0][0] < len(smallest):
                return None
            place = left.pop(0)[0]
        now[smallest[place]] += 1
    return now if not left else None


def landed(size: str, era: int, mode: str, cards: Mapping[str, Any]) -> tuple[int, int]:
    """A-TE-1, R-TE-SET-2: soldiers and tanks that a UFO of this size lands."""
    if mode == "random" and size == "terror":
        return tuple(cards["random_mode"]["terror"])  # type: ignore
    if mode == "random" and size == "small" and era == 3:
        return tuple(cards["random_mode"]["small_3"])  # type: ignore
    return tuple(cards["aliens"][era - 1][size])  # type: ignore


def objective_points(objective: Mapping[str, Any], status: Mapping[str, str]) -> int:
    """R-TE-ADV-4: what a secret objective brings at the end."""
    if "leader" in objective:
        points = objective["leader_points"] if status[objective["leader"]] == "allied" else 0
        for rival, (alien, neutral) in objective["rivals"].items():
            points += {"alien": alien, "neutral": neutral, "allied": 0}[status[rival]]
        return points
    allied = {name for name, side in status.items() if side == "allied"}
    if "by_count" in objective:
        return next((points for most, points in objective["by_count"] if len(allied) <= most), 0)
    return objective["each"] * len(allied & set(objective["allied"]))


def unused_points(hand: Mapping[str, int], starred: Collection[str], officer: bool, rules: Rules) -> int:
    """R-TE-ADV-3, R-TE-ADV-2: each starred type in hand once; twice the points for the officer."""
    types = sum(1 for card in starred if hand.get(card, 0) > 0)
    return types * rules["points_starred"] * (rules["officer_factor"] if officer else 1)


def battle_points(fought: Collection[int], retreated: Collection[int], rules: Rules) -> dict[int, int]:
    """R-TE-ADV-3, A-TE-11: by seat, for a fight that was won."""
    each = rules["points_alone"] if len(fought) == 1 else rules["points_together"]
    return {seat: each for seat in fought if seat not in retreated}


def end_of_game(turn: int, points: Sequence[int], science: int, rules: Rules) -> tuple[str, str] | None:
    """R-TE-WIN-1 to R-TE-WIN-3, A-TE-28: winner and reason, None if the game goes on."""
    alliance, aliens = points
    knows = science >= rules["science_goal"]
    if turn >= rules["turns"]:
        if knows:
            return ("alliance", "points") if alliance > aliens else ("aliens", "fewer points")
        return ("aliens", "no science" if alliance > aliens else "neither")
    if aliens > rules["sudden_points"]:
        return "aliens", "sudden"
    if alliance > rules["sudden_points"]:
        return "alliance", "sudden"
    if science + rules["turns"] - turn < rules["science_goal"]:
        return "aliens", "impossible"
    return None
