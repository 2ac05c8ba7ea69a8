"""Dice and draws: what the engine's games show against exact probabilities, computed here from the rules alone.

Seeds are fixed, so that nothing here is left to chance: five standard deviations are a bug, not bad luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt
from typing import Any

import pytest

from sim.games.target_earth.play import make_setting
from sim.games.target_earth.strategy import make_strategy
from sim.games.target_earth.trace import trace_game

Line = dict[str, Any]
GAMES = 150
HIT = Fraction(1, 3)  # a 5 or a 6


# --- exact probabilities -----------------------------------------------------------------------------------
@cache
def hits(dice: int) -> tuple[Fraction, ...]:
    """How likely so many hits are: convolution, die by die."""
    if dice == 0:
        return (Fraction(1),)
    fewer = (*hits(dice - 1), Fraction(0))
    return tuple(p * (1 - HIT) + (fewer[k - 1] * HIT if k else 0) for k, p in enumerate(fewer))


@cache
def round_won(alien: int, allied: int) -> Fraction:
    """R-TE-INT, R-TE-MIS-5: more allied hits than alien ones."""
    return sum((p * sum(hits(allied)[k + 1 :]) for k, p in enumerate(hits(alien))), Fraction(0))


@cache
def interception_won(alien: int, fighters: tuple[int, ...]) -> Fraction:
    """R-TE-INT: fighters (dice of each) that never withdraw; of those who lose a round one is lost at random."""
    if not fighters:
        return Fraction(0)
    won = round_won(alien, sum(fighters))
    rest = sum((interception_won(alien, without(fighters, k)) for k in range(len(fighters))), Fraction(0))
    return won + (1 - won) * rest / len(fighters)


@cache
def battle_won(aliens: tuple[int, ...], allies: tuple[int, ...]) -> Fraction:
    """R-TE-MIS-5: a battle of a single group without retreats, by the dice of each unit."""
    if not aliens or not allies:
        return Fraction(not aliens)
    won = round_won(sum(aliens), sum(allies))
    good = sum((battle_won(without(aliens, k), allies) for k in range(len(aliens))), Fraction(0)) / len(
        aliens
    )
    bad = sum((battle_won(aliens, without(allies, k)) for k in range(len(allies))), Fraction(0)) / len(allies)
    return won * good + (1 - won) * bad


def without(units: tuple[int, ...], k: int) -> tuple[int, ...]:
    """All but one."""
    return tuple(sorted(units[:k] + units[k + 1 :]))


def two_dice(at_least: int) -> Fraction:
    """R-TE-DIP: two dice against a number."""
    return Fraction(sum(1 for a, b in product(range(1, 7), repeat=2) if a + b >= at_least), 36)


def test_hits_are_binomial() -> None:
    """The convolution against the formula."""
    for dice in range(9):
        assert sum(hits(dice)) == 1
        for k, p in enumerate(hits(dice)):
            assert p == comb(dice, k) * HIT**k * (1 - HIT) ** (dice - k)


@pytest.mark.parametrize(("alien", "allied"), [(1, 1), (2, 3), (3, 2), (2, 4), (4, 2)])
def test_rounds_against_all_throws(alien: int, allied: int) -> None:
    """R-TE-INT: the convolution against every throw there is."""
    good = 0
    for throw in product(range(1, 7), repeat=alien + allied):
        good += sum(d >= 5 for d in throw[alien:]) > sum(d >= 5 for d in throw[:alien])
    assert round_won(alien, allied) == Fraction(good, 6 ** (alien + allied))


def test_fights_by_hand() -> None:
    """R-TE-INT, R-TE-MIS-5: two fighters have a second chance; a battle of one against one is one round."""
    both, one = round_won(3, 4), round_won(3, 2)
    assert interception_won(3, (2, 2)) == both + (1 - both) * one
    assert battle_won((2,), (2,)) == round_won(2, 2)
    assert battle_won((2,), (1, 2)) == round_won(2, 3) + (1 - round_won(2, 3)) * (
        round_won(2, 1) + round_won(2, 2)
    ) / Fraction(2)


# --- the engine's games ------------------------------------------------------------------------------------
class Steadfast:
    """Fights on, plays no bonus card and re-rolls nothing; everything else as `core` has it."""

    def bonus(table, seat, group):
        return 0

    def reroll(table, seat, group):
        return 0

    def withdraw(table, seat, slot):
        return 0

    def retreat(table, seat, group):
        return 0


@cache
def traces() -> tuple[tuple[Line, ...], ...]:
    """Games with much to fight with, half of them of players who never go away, half at random."""
    rich = {"fund": 30, "credits_4": 40, "sudden_points": 200}
    steadfast = make_setting([make_strategy(Steadfast)], players=4, rules=rich)
    anyhow = make_setting(["random"], players=4, variant="advanced", rules=rich)
    both = [trace_game(setting, 5, index) for setting in (steadfast, anyhow) for index in range(GAMES // 2)]
    return tuple(tuple(lines) for lines in both)


def lines_of(*kinds: str) -> Iterator[Line]:
    """All lines of some kinds."""
    return (line for lines in traces() for line in lines if line["do"] in kinds)


def demand_agreement(cases: Iterable[tuple[Fraction | float, float]], least: int) -> None:
    """Pairs of (probability, what happened) must agree in sum."""
    pairs = [(float(p), float(x)) for p, x in cases]
    off = sum(x - p for p, x in pairs)
    deviation = sqrt(sum(p * (1 - p) for p, _ in pairs))
    assert len(pairs) >= least, "too few cases to say anything"
    assert abs(off) < 5 * max(deviation, 1e-9), f"{off / deviation:.1f} deviations off in {len(pairs)} cases"


def all_dice() -> Iterator[int]:
    """Every single die that was thrown."""
    for line in lines_of("air_round", "ground_round"):
        yield from line["alien_dice"]
        for _, dice in line["allied_dice"]:
            yield from dice
    for line in lines_of("attempt", "conquest"):
        yield from line["dice"]
    for line in lines_of("module_lost"):
        for throw in line["dice"][:1]:
            yield from throw


def test_dice_are_fair() -> None:
    """R-TE-DIP, R-TE-INT, R-TE-MIS-3, R-TE-MIS-5: every face comes up one time in six."""
    thrown = list(all_dice())
    for face in range(1, 7):
        demand_agreement(((Fraction(1, 6), die == face) for die in thrown), 10000)


def test_alien_rounds() -> None:
    """R-TE-INT, R-TE-MIS-5: the Alliance wins a round as often as its dice say, given the alien hits."""
    cases = []
    for line in lines_of("air_round", "ground_round"):
        before = sum(d >= 5 for _, dice in line["allied_dice"] for d in dice)
        alien, factor = line["hits"][0], line["factor"]
        cases.append((sum(hits(factor)[alien + 1 :]), before > alien))
    demand_agreement(cases, 1000)


def fights(start: str, ends: tuple[str, ...]) -> Iterator[tuple[Line, list[Line], Line]]:
    """Fights of the steadfast: the first line, those between, the last one."""
    for lines in traces()[: GAMES // 2]:
        first, between = None, []
        for line in lines:
            if line["do"] == start:
                first, between = line, []
            elif first is not None and line["do"] in ends:
                yield first, between, line
                first = None
            else:
                between.append(line)


def test_interceptions() -> None:
    """R-TE-INT: whole interceptions, from the fighters sent to the UFO's end."""
    cases = []
    for first, between, last in fights("interception", ("shot_down", "escaped")):
        plain = sum(p for _, p, _ in first["fighters"])
        elite = sum(e for _, _, e in first["fighters"])
        base = (between[0]["factor"] - elite) // (plain + elite)  # an elite fighter has one die more
        units = (base,) * plain + (base + 1,) * elite
        cases.append((interception_won(first["attack"], units), last["do"] == "shot_down"))
    demand_agreement(cases, 300)


def test_battles_of_one_group() -> None:
    """R-TE-MIS-5: whole battles, where one side has a single unit and so there is a single group."""
    cases = []
    for first, _, last in fights("battle", ("battle_over",)):
        aliens = tuple(sorted(dice for _, dice in first["aliens"]))
        allies = tuple(sorted(unit[3] for unit in first["allies"]))
        if min(len(aliens), len(allies)) == 1:
            cases.append((battle_won(aliens, allies), last["winner"] == "alliance"))
    demand_agreement(cases, 100)


def test_attempts_and_attacks() -> None:
    """R-TE-DIP, R-TE-MIS-3: two dice and what is added, against D."""
    cases = []
    for line in lines_of("attempt", "conquest"):
        added = line["bonus"] + line.get("extra", 0) + line.get("agent", 0)
        cases.append((two_dice(line["needed"] - added), line["success"]))
    demand_agreement(cases, 1000)


@pytest.mark.parametrize("among", [2, 3, 4])
def test_losses_are_drawn_evenly(among: int) -> None:
    """R-TE-INT, R-TE-MIS-5: each of those in the fight is as likely to be lost."""
    draws = [line["draw"][0] for line in lines_of("loss") if line["draw"][1] == among]
    for k in range(among):
        demand_agreement(((Fraction(1, among), draw == k) for draw in draws), 50)


@pytest.mark.parametrize("group", [1, 2, 3])
def test_aliens_stand_at_random(group: int) -> None:
    """R-TE-MIS-5: of two soldiers and a tank against three groups the tank may be in any (like units are alike)."""
    cases = []
    for first, between, _ in fights("battle", ("battle_over",)):
        groups = between[0]["aliens"]
        if [kind for kind, _ in first["aliens"]] == ["soldier", "soldier", "tank"] and len(set(groups)) == 3:
            cases.append((Fraction(1, 3), groups[2] == group))
    demand_agreement(cases, 50)


def test_tiles_are_drawn_at_random() -> None:
    """R-TE-UFO, R-TE-SET-2, R-TE-SET-4: the first tiles of a game, out of twelve and out of twenty-six."""
    first = [next(line for line in lines if line["do"] == "ufo") for lines in traces()]
    for size, tiles in (("small", 6), ("medium", 4), ("large", 2)):
        demand_agreement(((Fraction(tiles, 12), line["size"] == size) for line in first), GAMES)
    demand_agreement(((Fraction(4, 26), isinstance(line["objective"], dict)) for line in first), GAMES)


def test_cards_are_dealt_at_random() -> None:
    """R-TE-SET-5: ten of 46 cards are bonus cards."""
    hands = [line["cards"][0] for line in lines_of("hand")]
    demand_agreement(((Fraction(10, 46), card == "bonus") for card in hands), GAMES)


def countries_told() -> Iterator[tuple[dict[str, Line], list[str], list[str]]]:
    """By game: the countries by name, those dealt to the aliens and those dealt to the Alliance."""
    for lines in traces():
        told = next(line for line in lines if line["do"] == "countries")
        yield {c["name"]: c for c in lines[0]["cards"]["countries"]}, told["aliens"], told["allies"]


@pytest.mark.parametrize("credits", [1, 2, 3, 4])
def test_countries_are_dealt_at_random(credits: int) -> None:
    """R-TE-SET-1: any country of a class may be alien, and any may be allied."""
    aliens, allies = [], []
    for countries, alien, allied in countries_told():
        of_class = [name for name, country in countries.items() if country["credits"] == credits]
        for name in (of_class[0], of_class[-1]):
            aliens.append((Fraction(2, len(of_class)), name in alien))
            allies.append((Fraction(2, len(of_class)), name in allied))
    demand_agreement(aliens, GAMES)
    demand_agreement(allies, GAMES)


def test_factions_and_seats_are_drawn_at_random() -> None:
    """R-TE-ADV-1, A-TE-20: factions, objectives, and in the base game the first player."""
    base, advanced = traces()[: GAMES // 2], traces()[GAMES // 2 :]
    first = [line["first"] for lines in base for line in lines if line["do"] == "order"]
    dealt = [line for lines in advanced for line in lines if line["do"] == "factions"]
    for seat in range(1, 5):
        demand_agreement(((Fraction(1, 4), who == seat) for who in first), GAMES // 2)
        for faction in ("officer", "diplomat"):
            cases = ((Fraction(1, 4), line["factions"][str(seat)] == faction) for line in dealt)
            demand_agreement(cases, GAMES // 2)
        for objective in ("A", "F"):
            cases = ((Fraction(1, 6), line["objectives"][str(seat)] == objective) for line in dealt)
            demand_agreement(cases, GAMES // 2)


def test_any_country_may_be_attacked() -> None:
    """R-TE-UFO: in turn 1 the first tile is one of 26, those of countries as likely as each other."""
    early: list[tuple[Fraction, bool]] = []
    for lines, (countries, _, _) in zip(traces(), countries_told(), strict=True):
        bag: list[str] = []
        status = {line["country"]: line["now"] for line in until_ufos(lines) if line["do"] == "status"}
        told = next(line for line in lines if line["do"] == "countries")
        for name in countries:
            now = status.get(name, "alien" if name in told["aliens"] else "neutral")
            bag += [name] if now != "alien" else []
        tile = next(line["objective"] for line in lines if line["do"] == "ufo")
        early.append((Fraction(len(bag) // 2, len(bag) + 4), tile in bag[: len(bag) // 2]))
    demand_agreement(early, GAMES)


def until_ufos(lines: Iterable[Line]) -> Iterator[Line]:
    """What comes before the first UFO."""
    for line in lines:
        if line["do"] == "ufo":
            return
        yield line
