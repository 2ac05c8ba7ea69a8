"""Make it fair: targets, the search on games whose answer is known, and the command."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Sequence
from itertools import chain
from math import exp, inf
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.lab.candidates import BASE, Archive, Candidate, Choice, Knob, knob_pairs, pairs, singles
from analysis.lab.knobs import make_knobs
from analysis.lab.search import ALL_ROWS, FINAL, SEARCH, Outcome, Search, thinned, unbeaten
from analysis.lab.stages import Result, base_words
from analysis.lab.targets import Diversity, Measure, Plain, Seats, Target, parse_target, parse_targets
from analysis.lab.tune import tune
from analysis.lab.tuned import told
from reports.lab.page import chapter_of
from reports.style import rendered
from sim.errors import UserError
from sim.study import make_plan
from tests.runs.kit import fine, refused, xeno

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
    target: Target = parse_target("seats=fair", measure)
    archive, draw = Archive([target]), np.random.default_rng(1)
    wins = draw.multinomial(50, [0.25, 0.25, 0.25, 0.25], size=(64, 1))
    archive.add([BASE], 0, wins, np.full(wins.shape, 50))
    found = archive.read([BASE])
    low, high = found.interval(0, 0)
    assert low == 0 and 0.01 < high < 0.05
    assert found.measured[0].value[0] == pytest.approx(np.max(np.abs(wins.sum(axis=0) / 3200 - 0.25)))


# --- what may be changed ---------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    """A small table."""
    return base_words(players=3, length="short")


def sizes(base: dict[str, Any], *vary: str) -> dict[str, float]:
    """How far each choice goes, by its text."""
    return {choice.text: choice.size for knob in make_knobs(base, vary) for choice in knob.choices}


def test_distances_by_hand(table: dict[str, Any]) -> None:
    found = sizes(
        table, "public_fame=0..20/5", "attack_cards=-1,2", "alien=raiding-party", "cautious->hoarder"
    )
    assert found["public_fame=5"] == found["public_fame=15"] == 0.5
    assert found["public_fame=0"] == found["public_fame=20"] == 1.0
    assert "public_fame=10" not in found  # what it is already
    assert (found["attack_cards=-1"], found["attack_cards=2"]) == (0.25, 0.5)  # shares of -2 to 2
    assert found["alien=raiding-party"] == found["cautious->hoarder"] == 1.0


def test_distances_of_cards(table: dict[str, Any]) -> None:
    found = sizes(table, "projects.difficulty*=0.5,2", "remove Decoy Beacon", "research.spy*=2")
    assert found["projects.difficulty*=0.5"] == pytest.approx(0.5, abs=0.02)  # whole numbers
    assert found["projects.difficulty*=2"] == found["remove Decoy Beacon"] == found["research.spy*=2"] == 1.0


def test_places_tell_the_side(table: dict[str, Any]) -> None:
    (knob,) = make_knobs(table, ["public_fame=5,20"])
    assert [choice.place for choice in knob.choices] == [-0.5, 1.0]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("public_fame", [0, 5, 15, 20]),
        ("attack_cards", [-2, -1, 1, 2]),
        ("multiplier_short", [1, 3, 4]),
        ("ports", [10, 12, 16, 18]),
        ("attack_tactic_open", [30, 40, 60, 70]),
        ("threshold_extra", [-2, -1, 1, 2]),
        ("mash_limit", [0, 2]),
        ("starting_projects", [-2, 0, 1]),
    ],
)
def test_values_around_what_it_is(table: dict[str, Any], name: str, values: list[int]) -> None:
    (knob,) = make_knobs(table, [name])
    assert [choice.text for choice in knob.choices] == [f"{name}={value}" for value in values]


def test_values_are_around_those_of_the_table() -> None:
    (knob,) = make_knobs(base_words(players=3, rules={"public_fame": 40}), ["public_fame"])
    assert [choice.text for choice in knob.choices] == [f"public_fame={value}" for value in (20, 30, 50, 60)]


def test_the_usual_rules(table: dict[str, Any]) -> None:
    names = [knob.name for knob in make_knobs(table, [])]
    assert names[:3] == ["attack_cards", "threshold_extra", "multiplier_short"] and len(names) == 12


@pytest.mark.parametrize(
    ("vary", "complaint"),
    [
        ("publc_fame", "nothing is called 'publc_fame' (did you mean 'public_fame'?)"),
        ("publc_fame=5,10", "nothing is called 'publc_fame' (did you mean 'public_fame'?)"),
        ("public_fame=5..500/5", "too high; valid: a whole number from 0 to 100"),
        ("public_fame=10", "public_fame changes nothing here"),
        ("public_fame=20..0/5", "is empty; valid: from the smaller to the larger"),
        ("public_fame=0..20/7", "a step that ends at the last value"),
        ("blank Decoy Beacn", "did you mean 'decoy-beacon'?"),
        ("Decoy Beacn.defence", "did you mean"),
        ("nobody->hoarder", "nobody plays 'nobody'"),
    ],
)
def test_what_cannot_be_varied_is_named(table: dict[str, Any], vary: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        make_knobs(table, [vary])
    assert complaint in str(error.value)
    assert all(line.startswith("--vary: ") for line in error.value.lines)


def test_not_too_much_at_once(table: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="public_fame stands there twice"):
        make_knobs(table, ["public_fame", "public_fame=5,15"])
    with pytest.raises(UserError, match="valid: at most 400 of 40"):
        make_knobs(table, [f"attack_x{k}=0..100/1" for k in (0, 2, 3)] + ["attack_plain_open=0..100/1"])


# --- the command: what is wrong --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("targets", "more", "complaint"),
    [
        (
            ["alien_wins=0.5"],
            {},
            "no metric 'alien_wins' (did you mean 'alien_win'?); valid: alien_win, rounds",
        ),
        (["seat=fair"], {}, "(did you mean 'seats'?)"),
        (["strategy:cautius=0.3"], {}, "nobody plays 'cautius' (did you mean 'cautious'?)"),
        (["alien_win=1.5"], {}, "cannot be; valid for alien_win: from 0 to 1"),
        ([], {}, "none given"),
        (["alien_win=0.5"], {"most_changes": 9}, "most changes: 9; valid: a whole number from 1 to 4"),
        (["alien_win=0.5"], {"games": 0}, "games: 0; valid: a whole number from 1"),
        (["alien_win=0.5"], {"seed": -1}, "seed: -1; valid"),
        (["alien_win=0.5"], {"vary": "publc_fame"}, "(did you mean 'public_fame'?)"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(
    tmp_path: Path, table: dict[str, Any], targets: list[str], more: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(UserError) as error:
        tune(table, targets, **{"games": 10, **more}, out=tmp_path / "out")
    assert complaint in str(error.value)
    assert not (tmp_path / "out").exists()


def test_diversity_needs_strategies() -> None:
    with pytest.raises(UserError, match="with two or more strategies at the table"):
        tune(base_words(players=3, strategies="cautious"), "diversity=0.9")


# --- the command, with the compiler ----------------------------------------------------------------------
SMALL = ("--players", "3", "--length", "short", "--quiet", "--json")


def tuned(out: Path, *args: object) -> dict[str, Any]:
    """The facts of an experiment."""
    facts: dict[str, Any] = json.loads(fine(xeno("tune", *args, *SMALL, "--out", out)))
    return facts


def chosen_row(facts: dict[str, Any]) -> dict[str, Any]:
    """The row of the candidate that was chosen, or came nearest."""
    found: dict[str, Any] = next(row for row in facts["tables"]["front"] if row["chosen"])
    return found


def test_two_targets_met_by_two_changes_and_replayed(tmp_path: Path) -> None:
    """The option file plays the very games of the report; and the same command does not play again."""
    args = ("--target", "alien_win<=0.3", "--target", "rounds<=8.5", "--vary", "attack_cards=-1,-2",
            "--vary", "threshold_extra=-2,-1", "--games", "1_000")  # fmt: skip
    facts = tuned(tmp_path / "out", *args)
    row = chosen_row(facts)
    assert facts["facts"]["chosen"] and facts["verdict"][0].startswith(("One change is", "2 changes are"))
    assert row["alien_win"] <= 0.35 and row["n"] == 1_024
    assert (tmp_path / "out" / "report.html").is_file()

    fine(xeno("run", tmp_path / "run", "--study", tmp_path / "out" / "tuned.toml", "--quiet"))
    games = pl.scan_parquet(tmp_path / "run" / "games" / "*.parquet").collect()
    assert len(games) == row["n"]
    assert (games["winner_role"] == "alien").mean() == pytest.approx(row["alien_win"], abs=1e-12)
    assert games["rounds"].mean() == pytest.approx(row["rounds"], abs=1e-12)

    begun = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/stages/*/sums/*")}
    assert tuned(tmp_path / "out", *args) == facts
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/stages/*/sums/*")} == begun


def test_out_of_reach_is_an_answer_and_survives_a_kill(tmp_path: Path) -> None:
    """Says how near it came; and with half of its stages gone it comes to the same result."""
    args = ("--target", "alien_win=0.99", "--vary", "blank Decoy Beacon", "--vary", "research.spy+=1,2", "--games",
            "600", "--line-up", "rotated")  # fmt: skip
    facts = tuned(tmp_path / "out", *args)
    assert facts["verdict"][0].startswith(
        "Out of reach: no set of up to 2 changes among 3 values of 2 things"
    )
    assert facts["facts"]["chosen"] is None and "wanted at least 97 %: missed" in facts["verdict"][0]
    study = tomllib.loads((tmp_path / "out" / "tuned.toml").read_text(encoding="utf-8"))
    assert study.get("changes", [[]]) == [facts["facts"]["nearest"]] and "rules" not in study
    assert make_plan(study).total >= 600

    for name in ("final", "front-1", "sets-2-race-2"):
        rmtree(tmp_path / "out" / "stages" / name, ignore_errors=True)
    (tmp_path / "out" / "result.json").unlink()
    assert tuned(tmp_path / "out", *args) == facts


def test_the_terminal_says_it_in_words(tmp_path: Path) -> None:
    """Nothing to change; and mistakes are one line."""
    said = fine(
        xeno("tune", "--target", "alien_win=0.1..0.9", "--players", "3", "--length", "short", "--games", "600",
             "--out", tmp_path / "out", "--quiet")
    )  # fmt: skip
    assert "Nothing has to be changed: alien wins" in " ".join(said.split())
    line = refused(xeno("tune", "--target", "alien_win=1.5", "--out", tmp_path / "no"))
    assert line == "xenobalance: --target: 'alien_win=1.5' cannot be; valid for alien_win: from 0 to 1\n"


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
