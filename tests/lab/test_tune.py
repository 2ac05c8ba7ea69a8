"""Make it fair: the search on games whose answer is known, and the command."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from itertools import chain
from math import exp
from typing import Any

import numpy as np
import pytest

from analysis.lab.candidates import BASE, Candidate, Choice, Knob, knob_pairs, pairs, singles
from analysis.lab.knobs import make_knobs
from analysis.lab.option_file import option_file
from analysis.lab.search import ALL_ROWS, FINAL, SEARCH, Outcome, Search, thinned, unbeaten
from analysis.lab.stages import Result, base_words
from analysis.lab.targets import parse_targets
from analysis.lab.tuned import told, verdict, warnings
from reports.lab.page import chapter_of
from reports.style import rendered
from sim.games.eti.strategy import load_strategy
from sim.study import make_plan
from tests.lab.test_targets import measure

STEPS = (-4, -2, 2, 4)
Rates = Callable[[dict[str, float]], float]


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


def test_what_fails_in_the_report_is_not_called_met() -> None:
    """By bad luck, say: the report does not hide it."""

    class Fading(Table):
        def __call__(
            self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int
        ) -> Any:
            self.win = additive(-0.8, a=0.1 if luck == FINAL else 0.4)
            return super().__call__(stage, candidates, luck, first, rows)

    hunt = Search(knobs("a"), parse_targets(["alien_win=0.5"], measure), Fading(additive(0)))
    outcome = hunt.run()
    assert outcome.chosen is not None and not outcome.met
    assert verdict(outcome, hunt)[0].startswith(
        "Not confirmed: a=2 met the targets twice, but not in the games of"
    )


def test_three_failed_checks_end_the_search() -> None:
    class Shining(Table):
        def __call__(
            self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int
        ) -> Any:
            self.win = additive(-0.8, **dict.fromkeys("abcd", 0.4 if luck == SEARCH else 0.0))
            return super().__call__(stage, candidates, luck, first, rows)

    outcome = search(Shining(additive(0)), "alien_win=0.5", names="abcd")
    assert [held for _, held in outcome.checks] == [False] * 3 and outcome.chosen is None
    told_of, ended = warnings(outcome)
    assert told_of == "Met the targets in the search, but not on fresh luck: a=2; b=2; c=2."
    assert ended.startswith("The search ended after 3 such checks")


def test_sets_that_cannot_be_are_not_played() -> None:
    table = Table(additive(-0.8, a=0.1, b=0.15))
    hunt = Search(
        knobs("ab"), parse_targets(["alien_win=0.5~0.01"], measure), table, 2, lambda c: "b=4" not in c.texts
    )
    assert hunt.run().chosen is None
    assert not any("b=4" in label and "," in label for call in table.calls for label in call[1])


# --- fronts ----------------------------------------------------------------------------------------------
def test_the_front_is_what_nobody_beats() -> None:
    one, two, three, four = (Candidate((Choice(0, f"a={k}", k / 10, 1),)) for k in range(1, 5))
    front = unbeaten([four, three, two, one], [0.0, 3.0, 2.0, 5.0])
    assert [candidate for candidate, _ in front] == [one, two, four]
    assert list(thinned(front, 2)) == [one, four]
    assert list(thinned([(one, 9.0), (two, 8.5), (three, 1.0), (four, 0.0)], 3)) == [one, three, four]


def test_the_option_file_knows_strategies_that_are_objects_and_rules_of_the_table() -> None:
    bold = load_strategy("cautious").changed("bold", push=0.9)
    base = base_words(players=3, strategies=[bold, "gambler", "climber"], rules={"ports": 12})
    hunt = Search(
        make_knobs(base, ["public_fame=5"]), parse_targets(["alien_win=0.5"], measure), Flat(additive(-1)), 1
    )
    study = tomllib.loads(option_file(base, hunt.run(), 1_000, 7))
    assert study["variants"]["bold"]["of"] == "cautious" and study["variants"]["bold"]["push"] == 0.9
    assert study["rules"] == {"ports": 12} and (study["games"], study["seed"]) == (1_000, 7)
    assert [one.name for one in make_plan(study).settings[0].strategies] == ["bold", "gambler", "climber"]


class Flat(Table):
    """A game in which nothing makes a difference, whatever it is called."""

    def __call__(self, stage: str, candidates: Sequence[Candidate], luck: int, first: int, rows: int) -> Any:
        return super().__call__(stage, [BASE] * len(candidates), luck, first, rows)


# --- the chapter -----------------------------------------------------------------------------------------
def result_of(*texts: str, **more: Any) -> Result:
    """The result of a search in a game that is known."""
    targets = parse_targets(texts, measure)
    rounds = additive(16, a=0.8, b=0.8) if len(targets) > 1 else None
    hunt = Search(knobs(), targets, Table(additive(-0.8, a=0.2, b=0.01), rounds), 2)
    words = {"most_changes": 2, "targets": list(texts), "base": {}}
    return told(hunt.run(), hunt, words, {"games_each": 20_480, "study": ""})


def test_the_chapter_shows_the_front_and_the_targets() -> None:
    chapter = chapter_of(result_of("alien_win=0.5", "rounds=16"))
    assert [part.id for part in chapter.parts] == [
        "tune-front", "tune-pareto", "tune-targets", "tune-each-target", "tune-near",
    ]  # fmt: skip
    main = chapter.tables[0]
    assert main.frame["mark"].to_list()[0] == "A" and main.frame["changes"].to_list()[0] == "as it is"
    assert main.frame["size"].is_sorted() and main.frame["chosen"].sum() == 1
    assert main.frame.filter("chosen")["miss"].item() == 0
    assert all({column.name, column.low, column.high} - {""} <= set(table.frame.columns)
               for table in chapter.tables for column in table.columns)  # fmt: skip
    assert chapter.findings[0].text.startswith("2 changes are enough: a=4, b=-4. Then alien_win ")
    assert "As it was, the game is" in chapter.findings[1].text
    for figure in chapter.figures:
        assert len(rendered(figure.draw(), "x", "svg")) > 5_000


def test_a_chapter_with_nothing_to_change() -> None:
    chapter = chapter_of(result_of("alien_win=0.2..0.4"))
    assert [part.id for part in chapter.parts] == ["tune-front", "tune-targets", "tune-each-target"]
    assert len(chapter.findings) == 1
    assert len(rendered(chapter.figures[0].draw(), "x", "svg")) > 5_000
