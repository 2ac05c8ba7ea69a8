"""Make it fair: targets, the search on games whose answer is known, and the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from math import exp, inf
from typing import Any

import numpy as np
import pytest

from analysis.lab.candidates import BASE, Candidate, Choice, Knob, knob_pairs, pairs, singles
from analysis.lab.search import ALL_ROWS, FINAL, SEARCH, Outcome, Search, thinned, unbeaten
from analysis.lab.targets import Diversity, Measure, Plain, Seats, Target, parse_target, parse_targets
from sim.errors import UserError

STEPS = (-4, -2, 2, 4)
Rates = Callable[[dict[str, float]], float]


def measure(name: str) -> Measure:
    """Measures by name, as the lab finds them."""
    if name == "seats":
        return Seats(("distance:0", "distance:1", "distance:2", "distance:3"))
    if name == "diversity":
        return Diversity(("strategy:a", "strategy:b", "strategy:c"))
    return Plain(name, True, (0.0, 1.0)) if name.endswith("win") else Plain(name, False, (0.0, inf))


# --- targets ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("alien_win=0.5", 0.48, 0.52),
        ("alien_win=50%", 0.48, 0.52),
        (" alien_win = 0.5 ~ 0.01 ", 0.49, 0.51),
        ("alien_win=0.5~0", 0.5, 0.5),
        ("alien_win=0.45..0.55", 0.45, 0.55),
        ("alien_win=0.45..0.55~1%", 0.44, 0.56),
        ("alien_win>=0.45", 0.45, inf),
        ("alien_win<=0.45~0.01", -inf, 0.46),
        ("rounds=16", 15.6, 16.4),
        ("rounds=14..18", 14, 18),
        ("rounds=16~2", 14, 18),
        ("seats=fair", -inf, 0.02),
        ("seats=fair~0.01", -inf, 0.01),
        ("seats=0.03", -inf, 0.03),
        ("diversity=0.9", 0.9, inf),
    ],
)
def test_a_target_is_a_band(text: str, low: float, high: float) -> None:
    target = parse_target(text, measure)
    assert (target.low, target.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("alien_win", "valid: metric=number"),
        ("alien_win=", "valid: metric=number"),
        ("=0.5", "valid: metric=number"),
        ("alien_win=half", "'half' is no number"),
        ("alien_win=fair", "only seats can be fair"),
        ("alien_win=0.6..0.4", "0.6 is more than 0.4"),
        ("alien_win=0.1..0.2..0.3", "valid: metric=number"),
        ("alien_win=1.5", "cannot be; valid for alien_win: from 0 to 1"),
        ("alien_win=1.01", "cannot be"),
        ("alien_win>=1.5~0.1", "cannot be"),
        ("rounds=-3", "cannot be; valid for rounds: at least 0"),
        ("diversity=0.2", "cannot be; valid for diversity: from 0.3333 to 1"),
        ("diversity<=0.2", "cannot be"),
        ("alien_win=0.5~-1", "tolerance below 0"),
        ("alien_win=0.5~", "'' is no number"),
        ("alien_win=0.5~much", "'much' is no number"),
    ],
)
def test_a_target_that_cannot_be_is_named(text: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        parse_target(text, measure)
    assert complaint in str(error.value) and str(error.value).startswith("--target: ")
    assert len(error.value.lines) == 1


def test_targets_are_there_and_once_each() -> None:
    with pytest.raises(UserError, match="none given"):
        parse_targets([], measure)
    with pytest.raises(UserError, match="alien_win has two targets"):
        parse_targets(["alien_win=0.5", "rounds=16", "alien_win>=0.4"], measure)


def test_misses_count_points_and_hundredths() -> None:
    win, rounds = parse_targets(["alien_win=0.5", "rounds=14..18"], measure)
    assert (win.miss(0.5), win.miss(0.45), win.miss(0.55)) == pytest.approx((0, 3, 3))
    assert (rounds.miss(14), rounds.miss(18.16), rounds.miss(12.4)) == pytest.approx((0, 1, 10))


@pytest.mark.parametrize(
    ("value", "low", "high", "status"),
    [
        (0.50, 0.49, 0.51, "surely"),
        (0.51, 0.49, 0.53, "met"),
        (0.53, 0.51, 0.55, "open"),
        (0.53, 0.47, 0.59, "met"),  # the interval is wider than the band
        (0.60, 0.58, 0.62, "missed"),
    ],
)
def test_a_target_is_met_within_its_interval(value: float, low: float, high: float, status: str) -> None:
    assert parse_target("alien_win=0.5", measure).status(value, low, high) == status


def test_bands_in_words() -> None:
    texts = ["alien_win=0.5", "rounds=14..18", "seats=fair", "diversity=0.9", "rounds>=12", "alien_win=0.5~0"]
    bands = [parse_target(text, measure).band for text in texts]
    assert bands == ["48 % to 52 %", "14 to 18", "at most 2 points", "at least 90 %", "at least 12", "50 %"]


def test_seats_and_diversity_by_hand() -> None:
    away, slope = measure("seats").of([0.25, 0.31, 0.22, 0.22])
    assert away == pytest.approx(0.06) and slope.tolist() == [0, 1, 0, 0]
    assert measure("diversity").of([0.2, 0.2, 0.2])[0] == pytest.approx(1)
    assert measure("diversity").of([0.3, 0.3, 0.0])[0] == pytest.approx(2 / 3, abs=1e-6)
    even, slope = measure("diversity").of([0.5, 0.3, 0.1])
    steps = [measure("diversity").of(np.array([0.5, 0.3, 0.1]) + 1e-6 * np.eye(3)[k])[0] for k in range(3)]
    assert slope == pytest.approx((np.array(steps) - even) / 1e-6, abs=1e-4)


# --- games whose answer is known -------------------------------------------------------------------------
def knobs(names: str = "abcde", steps: Sequence[float] = STEPS) -> list[Knob]:
    """A knob for each letter, printed value 0, with the same steps."""
    return [
        Knob(name, tuple(Choice(k, f"{name}={v}", abs(v) / 10, v / max(steps)) for v in steps))
        for k, name in enumerate(names)
    ]


def settings(candidate: Candidate) -> dict[str, float]:
    """What a candidate sets the knobs to."""
    return {text[0]: float(text[2:]) for text in candidate.texts}


class Table:
    """A game with a known win rate (and length); a share of the luck is the same for all candidates."""

    def __init__(
        self, win: Rates, rounds: Rates | None = None, games: int = 40, seed: int = 1, same: float = 0.5
    ) -> None:
        self.win, self.rounds, self.games, self.seed, self.same = win, rounds, games, seed, same
        self.calls: list[tuple[str, list[str], int, int, int]] = []

    def __call__(
        self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int
    ) -> tuple[Any, Any]:
        self.calls.append((stage, [c.label for c in candidates], luck, first, rows))
        figures = 1 + (self.rounds is not None)
        sums = np.zeros((rows, len(candidates), figures))
        for row in range(rows):
            same = np.random.default_rng([self.seed, luck, first + row])
            draw, speed = same.random(self.games), same.normal(size=self.games)
            for arm, candidate in enumerate(candidates):
                own = np.random.default_rng([self.seed, luck, first + row, *candidate.label.encode()])
                mixed = np.where(own.random(self.games) < self.same, draw, own.random(self.games))
                sums[row, arm, 0] = (mixed < rate(self.win(settings(candidate)))).sum()
                if self.rounds is not None:
                    noise = 2 * speed + own.normal(size=self.games)
                    sums[row, arm, 1] = (self.rounds(settings(candidate)) + noise).sum()
        return sums, np.full(sums.shape, self.games)


def rate(score: float) -> float:
    """Log-odds as a rate."""
    return 1 / (1 + exp(-score))


def additive(start: float, **effects: float) -> Rates:
    """Effects that add up."""
    return lambda s: start + sum(effects.get(name, 0.0) * value for name, value in s.items())


def search(table: Table, *texts: str, most: int = 2, names: str = "abcde") -> Outcome:
    """A search with knobs named by letters."""
    return Search(knobs(names), parse_targets(texts, measure), table, most).run()


def final_value(outcome: Outcome, candidate: Candidate, target: int = 0) -> float:
    """What the report says of a candidate."""
    return float(outcome.final.measured[target].value[outcome.final.candidates.index(candidate)])


def test_nothing_to_change() -> None:
    table = Table(additive(0.0, a=0.2))
    outcome = search(table, "alien_win=0.5")
    assert outcome.chosen == BASE and outcome.final.candidates == [BASE]
    assert [call[0] for call in table.calls] == ["base", "check-1", "final"]


def test_one_option_suffices() -> None:
    outcome = search(Table(additive(-0.8, a=0.2, b=0.1, e=0.4)), "alien_win=0.5")
    assert outcome.chosen is not None and outcome.chosen.label == "e=2"  # a=4 does it as well, but is larger
    assert final_value(outcome, outcome.chosen) == pytest.approx(0.5, abs=0.015)
    assert all(candidate.count < 2 for candidate in outcome.final.candidates)


def test_only_a_combination_does_it() -> None:
    outcome = search(Table(additive(-0.8, a=0.1, b=0.15, d=0.02)), "alien_win=0.5~0.01")
    assert outcome.chosen is not None and outcome.chosen.label == "a=2, b=4"
    assert outcome.played < 120  # of 1 + 20 + 160


def test_a_combination_of_what_does_nothing_alone() -> None:
    """Each of both is useless by itself: only playing pairs can show it."""
    outcome = search(Table(lambda s: -0.8 + 0.05 * s.get("b", 0) * s.get("d", 0)), "alien_win=0.5")
    assert outcome.chosen is not None and outcome.chosen.label in ("b=4, d=4", "b=-4, d=-4")


def test_three_changes_if_two_are_not_enough() -> None:
    win = additive(-0.8, a=0.07, b=0.07, c=0.07)
    assert search(Table(win), "alien_win=0.5", most=2).chosen is None
    outcome = search(Table(win), "alien_win=0.5", most=3)
    assert outcome.chosen is not None and outcome.chosen.label == "a=4, b=4, c=4"


def test_out_of_reach_says_how_near() -> None:
    outcome = search(Table(additive(-0.8, a=0.05, b=0.02)), "alien_win=0.9")
    assert outcome.chosen is None and outcome.nearest.label == "a=4, b=4" and not outcome.checks
    assert final_value(outcome, outcome.nearest) == pytest.approx(rate(-0.52), abs=0.015)
    place = outcome.final.candidates.index(outcome.nearest)
    assert outcome.final.misses[place] == pytest.approx((0.88 - rate(-0.52)) * 100, abs=1.5)
    assert outcome.final.status(place, 0) == "missed"


def test_two_targets_in_conflict() -> None:
    """What helps the alien makes the game longer: it comes half the way."""
    table = Table(additive(-0.8, a=0.2), additive(16, a=0.8))
    outcome = search(table, "alien_win=0.5", "rounds=16", most=1)
    assert outcome.chosen is None and outcome.nearest.label == "a=2"
    place = outcome.final.candidates.index(outcome.nearest)
    assert [outcome.final.status(place, target) for target in (0, 1)] == ["missed", "missed"]


def test_two_targets_that_two_changes_meet() -> None:
    table = Table(additive(-0.8, a=0.2), additive(16, a=0.8, b=0.8))
    outcome = search(table, "alien_win=0.5", "rounds=16")
    assert outcome.chosen is not None and outcome.chosen.label == "a=4, b=-4"


@pytest.mark.parametrize("seed", range(5))
def test_as_good_as_trying_everything(seed: int) -> None:
    """Random games: as few changes as the best of all sets, and no larger than those that are well within."""
    draw = np.random.default_rng(seed)
    win = additive(-0.6, **{name: float(draw.uniform(-0.12, 0.12)) for name in "abcd"})
    outcome = search(Table(win, seed=seed), "alien_win=0.5", names="abcd")
    every = [*singles(knobs("abcd")), *chain(*(pairs(*both) for both in knob_pairs(knobs("abcd"))))]
    inside = [c for c in every if abs(rate(win(settings(c))) - 0.5) < 0.012]
    if not inside:
        assert outcome.chosen is None or abs(rate(win(settings(outcome.chosen))) - 0.5) < 0.028
        return
    best = min(inside, key=lambda c: c.order)
    assert outcome.chosen is not None
    assert abs(rate(win(settings(outcome.chosen))) - 0.5) < 0.028
    assert (outcome.chosen.count, outcome.chosen.size) <= (best.count, best.size)


def test_the_same_again() -> None:
    """Everything follows from the sums: the same stages, candidates and figures."""
    tables = [Table(additive(-0.8, a=0.1, b=0.15)) for _ in range(2)]
    outcomes = [search(table, "alien_win=0.5~0.01") for table in tables]
    assert tables[0].calls == tables[1].calls
    assert outcomes[0].chosen == outcomes[1].chosen
    assert outcomes[0].final.values.tolist() == outcomes[1].final.values.tolist()


def test_games_go_where_they_matter() -> None:
    """No games twice, more of them for fewer candidates, and fresh luck for checks and report."""
    table = Table(additive(-0.8, a=0.1, b=0.15))
    search(table, "alien_win=0.5~0.01")
    assert len({call[0] for call in table.calls}) == len(table.calls)
    rows: dict[str, int] = {}
    for _, labels, luck, first, count in table.calls:
        for label in labels if luck == SEARCH else []:
            assert rows.get(label, 0) == first
            rows[label] = first + count
    assert rows["as it is"] == rows["a=2, b=4"] == ALL_ROWS
    assert sorted(rows.values())[len(rows) // 2] <= ALL_ROWS // 4
    assert [call[3:] for call in table.calls if call[2] != SEARCH] == [(0, ALL_ROWS)] * 2


def test_the_figures_of_the_search_are_too_good_and_not_reported() -> None:
    """Changes that do nothing: whatever is chosen looks nearer than it is, but not on fresh luck."""
    in_search, reported = [], []
    for seed in range(16):
        table = Table(lambda s: float(np.log(0.45 / 0.55)), games=2, seed=seed, same=0)
        outcome = search(table, "alien_win>=0.55", most=1, names="abcdefgh")
        assert [call[2] for call in table.calls if call[0] == "final"] == [FINAL]
        place = outcome.final.candidates.index(outcome.nearest)
        in_search.append(float(outcome.search.values[place, 0]))
        reported.append(final_value(outcome, outcome.nearest))
    error = (0.45 * 0.55 / (2 * ALL_ROWS) / 16) ** 0.5
    assert np.mean(in_search) > 0.45 + 3 * error
    assert np.mean(reported) == pytest.approx(0.45, abs=3 * error)


def test_what_does_not_hold_on_fresh_luck_is_dropped() -> None:
    """A candidate that shines in the search only: it is checked, told, and not chosen."""

    class Shining(Table):
        def __call__(
            self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int
        ) -> Any:
            self.win = additive(-0.8, a=0.4 if luck == SEARCH else 0.0, b=0.2)
            return super().__call__(stage, candidates, luck, first, rows)

    outcome = search(Shining(additive(0)), "alien_win=0.5", names="ab")
    assert [(c.label, held) for c, held in outcome.checks] == [("a=2", False), ("b=4", True)]
    assert outcome.chosen is not None and outcome.chosen.label == "b=4"


# --- fronts ----------------------------------------------------------------------------------------------
def test_the_front_is_what_nobody_beats() -> None:
    one, two, three, four = (Candidate((Choice(0, f"a={k}", k / 10, 1),)) for k in range(1, 5))
    front = unbeaten([four, three, two, one], [0.0, 3.0, 2.0, 5.0])
    assert [candidate for candidate, _ in front] == [one, two, four]
    assert list(thinned(front, 2)) == [one, four]
    assert list(thinned([(one, 9.0), (two, 8.5), (three, 1.0), (four, 0.0)], 3)) == [one, three, four]


def test_seats_are_judged_by_all_of_them() -> None:
    """The upper end of 'how unfair' reckons with every seat, not only with the one that looks worst."""
    from analysis.lab.candidates import Archive

    target: Target = parse_target("seats=fair", measure)
    archive, draw = Archive([target]), np.random.default_rng(1)
    wins = draw.multinomial(50, [0.25, 0.25, 0.25, 0.25], size=(64, 1))
    archive.add([BASE], 0, wins, np.full(wins.shape, 50))
    found = archive.read([BASE])
    low, high = found.interval(0, 0)
    assert low == 0 and 0.01 < high < 0.05
    assert found.measured[0].value[0] == pytest.approx(np.max(np.abs(wins.sum(axis=0) / 3200 - 0.25)))
