"""The referee accepts what is right and rejects what is not."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.referee import RuleBroken, judge
from tests.referee.arithmetic import (
    THREATS,
    attack_value,
    fewest_swaps,
    level_limit,
    resolve_threats,
    safe_total,
    scooped_bank,
    standard_total,
    total_of,
    transferred_bank,
    votes_of,
)
from tests.referee.best import best_total, least_fame_lost
from tests.referee.sample import default_rules, sample_game, threat

Line = dict[str, Any]
RULES = default_rules()
ARSON_QUEUE = ["arson", "50", "20", "x0", "30", "spy"]
VIRUS_QUEUE = ["10", "x2", "data-virus", "40", "20", "x3"]


# -- worked examples ------------------------------------------------------------------------------
def test_w1_arson_takes_the_50() -> None:
    """W-1."""
    assert standard_total(ARSON_QUEUE, []) == 30
    assert best_total(ARSON_QUEUE, [], 0, False) == 30
    assert best_total(ARSON_QUEUE, [], 1, False) == 50
    assert standard_total(["50", "arson", "20", "x0", "30", "spy"], []) == 50


def test_w2_the_virus_and_two_swaps() -> None:
    """W-2."""
    assert standard_total(VIRUS_QUEUE, []) == 80
    assert standard_total(["10", "40", "x2", "data-virus", "20", "x3"], []) == 250
    assert best_total(VIRUS_QUEUE, [], 2, False) == 250


def test_w3_votes() -> None:
    """W-3; two upgrades alike do not triple (A-28)."""
    assert votes_of([(1, ()), (1, ()), (3, ())], None, RULES) == 5
    assert votes_of([(2, ("creativity",))], "creativity", RULES) == 4
    assert votes_of([(2, ("creativity", "creativity"))], "creativity", RULES) == 4
    assert votes_of([(2, ("creativity",))], "staffing", RULES) == 2


def test_w4_w5_w6_scooped() -> None:
    """W-4 (submitted 90), W-5 (5 cards), W-6 (10 cards)."""
    assert scooped_bank(50, 90, RULES) == 100
    assert scooped_bank(70, safe_total(5, RULES), RULES) == 100
    assert scooped_bank(130, safe_total(10, RULES), RULES) == 100
    assert scooped_bank(20, 30, RULES) == 50


def test_w7_transfer() -> None:
    """W-7."""
    bank = 100 + safe_total(5, RULES)
    assert bank == 150
    assert [transferred_bank(bank, False, d, RULES) for d in (180, 230, 300)] == [90, 110, 150]
    assert transferred_bank(bank, True, 180, RULES) == 150


def test_w8_levels() -> None:
    """W-8, and the ends of the scale."""
    assert level_limit(2, 1) == 3
    assert (level_limit(5, 1), level_limit(0, 1), level_limit(0, 0)) == (5, 1, 1)


def test_w10_todd_survives() -> None:
    """W-10."""
    cards, immune = ["x0", "abduction", "spy", "50", "10"], ["spy", "abduction"]
    values = [attack_value(card, ["spy"], immune, RULES) for card in cards]
    assert values == [10, 0, 25, 50, 10]
    projects = [(25, 0), (25, 20), (20, 20), (50, 10)]  # String Theory's fame moved, +10 as public
    assert sum(defence for defence, _ in projects) == 120
    attack = sum(values) + 5
    assert attack == 100
    lost = least_fame_lost(projects, attack)
    assert lost is not None
    assert sum(fame for _, fame in projects) - lost == 20


def test_w11_angie_is_destroyed() -> None:
    """W-11."""
    attack = sum(attack_value(card, ["spy"], [], RULES) for card in ("x2", "spy")) + 5
    assert attack == 75
    projects = [(5, 10), (5, 30), (20, 30), (20, 10), (15, 10)]
    assert sum(defence for defence, _ in projects) == 65
    assert least_fame_lost(projects, attack) is None
    assert least_fame_lost(projects, 65) == 90  # attack = defence: alive with nothing left (R-INV-11)


def test_w14_multipliers_combine() -> None:
    """W-14, and a multiplier with nothing before it (R-SUB-4)."""
    assert standard_total(["20", "x2", "x2"], []) == 80
    assert standard_total(["x3", "20"], []) == 20


def test_w15_attack_of_threats() -> None:
    """W-15: all four cases of R-INV-10."""
    assert attack_value("arson", ["spy", "arson"], ["arson"], RULES) == 25
    assert attack_value("arson", ["arson"], [], RULES) == 50
    assert attack_value("arson", [], [], RULES) == 25
    assert attack_value("arson", [], ["arson"], RULES) == 0


def test_threats_take_the_nearest_of_equals() -> None:
    """R-SUB-3: the multiplier of the destroyed number goes to the number before it."""
    hits = resolve_threats(["10", "spy", "30", "x2", "30"], set())
    assert [(hit.port, hit.destroys_port, hit.destroys) for hit in hits] == [(2, 3, "30")]
    assert total_of(["10", "spy", "30", "x2", "30"], {3}) == 50


def test_optional_immunity() -> None:
    """A-7: 50, spy, 10, x3."""
    queue = ["50", "spy", "10", "x3"]
    assert best_total(queue, ["spy"], 0, False) == 80
    assert best_total(queue, ["spy"], 0, True) == 150


def test_fewest_swaps() -> None:
    """R-SUB-2."""
    assert fewest_swaps(["10", "20", "30"], ["30", "10", "20"]) == 2
    assert fewest_swaps(["10", "10", "20"], ["10", "20", "10"]) == 1
    assert fewest_swaps(["10"], ["20"]) is None
    assert fewest_swaps(["10", "20"], ["10"]) is None


# -- the searches against brute force -------------------------------------------------------------
def reachable(queue: tuple[str, ...], swaps: int) -> set[tuple[str, ...]]:
    """All orders within so many swaps."""
    seen = layer = {queue}
    for _ in range(swaps):
        layer = {(*o[:i], o[i + 1], o[i], *o[i + 2 :]) for o in layer for i in range(len(o) - 1)} - seen
        seen = seen | layer
    return seen


def brute_total(queue: tuple[str, ...], immune: list[str], swaps: int, optional: bool) -> int:
    """Every order with every choice of threats to ignore."""
    best = 0
    for order in reachable(queue, swaps):
        ports = [port for port, card in enumerate(order, 1) if card in immune]
        for count in range(len(ports) + 1) if optional else [len(ports)]:
            for ignored in itertools.combinations(ports, count):
                hits = resolve_threats(order, ignored)
                best = max(best, total_of(order, {h.destroys_port for h in hits if h.destroys_port}))
    return best


def test_best_total_is_the_best() -> None:
    """400 small queues, all orders tried."""
    rng = random.Random(20)
    cards = ["10", "20", "30", "50", "x0", "x2", "x3", "spy", "arson", "spy", "20"]
    for _ in range(400):
        queue = tuple(rng.choices(cards, k=rng.randint(0, 7)))
        immune = rng.sample(THREATS, rng.randint(0, 3))
        swaps, optional = rng.randint(0, 4), rng.random() < 0.5
        wanted = brute_total(queue, immune, swaps, optional)
        assert best_total(queue, immune, swaps, optional) == wanted, (queue, immune, swaps, optional)


def test_least_fame_lost_is_the_least() -> None:
    """300 small vaults, all subsets tried."""
    rng = random.Random(21)
    for _ in range(300):
        vault = [(rng.randrange(0, 45, 5), rng.randrange(0, 50, 10)) for _ in range(rng.randint(0, 7))]
        need = rng.randrange(0, 150, 5)
        subsets = [s for n in range(len(vault) + 1) for s in itertools.combinations(vault, n)]
        enough = [sum(f for _, f in s) for s in subsets if sum(d for d, _ in s) >= need]
        assert least_fame_lost(vault, need) == (min(enough) if enough else None)


# -- whole games ----------------------------------------------------------------------------------
def test_sample_game_is_right() -> None:
    """The hand-written game passes, and the verdict tells its outcome."""
    verdict = judge(sample_game())
    verdict.demand()
    assert verdict.ok
    assert (verdict.winner, verdict.role, verdict.rounds) == (3, "human", 7)
    assert verdict.reason == "no project"
    assert verdict.lines == len(sample_game())
    assert verdict.checks > 500


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every single value of a line with its path."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def changed(line: Line, path: tuple[Any, ...], value: Any) -> Line:
    """A copy of a line with one value changed."""
    line = copy.deepcopy(line)
    place: Any = line
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return line


def wrong_values(value: Any) -> list[Any]:
    """Other values, of the same type and of others."""
    if isinstance(value, bool):
        return [not value, None, 7]
    if isinstance(value, int):
        return [value + 1, value - 1, value + 10, str(value), None]
    if value is None:
        return ["Alpha", 0]
    return [value + "?", "arson" if value == "spy" else "spy", "40" if value == "10" else "10", None]


# What a player or the owner is free to decide, with nothing later in the sample that depends on it.
FREE = {("game", "seed"), ("game", "index"), ("game", "alien_public"), ("game", "strategies")}
FREE |= {("offer", "promise"), ("offer", "points"), ("offer", "to"), ("end", "decisions"), ("end", "forced")}


def test_every_value_is_judged() -> None:
    """Whatever single value is changed, the referee sees it."""
    lines = sample_game()
    for at, line in enumerate(lines):
        for path, value in leaves(line):
            if (line["do"], path[0]) in FREE or path[0] in ("do", "rules", "cards"):
                continue
            for wrong in wrong_values(value):
                bent = [*lines[:at], changed(line, path, wrong), *lines[at + 1 :]]
                assert not judge(bent).ok, f"line {at + 1}: {line['do']} {path} {value!r} -> {wrong!r}"


MAY_GO = {"offer", "turn_up", "leftovers"}  # not due, a use of intel less, nothing left over


def test_every_line_is_needed() -> None:
    """No line may be missing, stand twice, or lack a key."""
    lines = sample_game()
    for at, line in enumerate(lines):
        missing = judge([*lines[:at], *lines[at + 1 :]])
        assert not missing.ok or line["do"] in MAY_GO, line
        assert not judge([*lines[: at + 1], *lines[at:]]).ok, line
        for key in line:
            bent = [*lines[:at], {k: v for k, v in line.items() if k != key}, *lines[at + 1 :]]
            assert not judge(bent).ok, (line, key)


def test_lines_come_in_order() -> None:
    """Neighbours cannot change places, but for two uses of intel."""
    lines = sample_game()
    for at in range(len(lines) - 1):
        bent = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        assert not judge(bent).ok or lines[at]["do"] == "turn_up", lines[at]


@pytest.mark.parametrize("bad", [[], [{}], [None], [1], "game", [{"do": "game"}], [{"do": ["game"]}]])
def test_no_trace_at_all(bad: Any) -> None:
    """Malformed traces are violations, not crashes."""
    assert judge(bad).violations[0].startswith("trace:")


JUNK: list[Any] = [[], {}, [[]], {"x": []}, -1, 1.5, "\x00"]


def test_broken_inside() -> None:
    """Wrong types anywhere are told and never raise."""
    lines = sample_game()
    for at, line in enumerate(lines):
        for key in line:
            for junk in JUNK:
                judge([*lines[:at], line | {key: junk}, *lines[at + 1 :]])


def test_demand_raises() -> None:
    """`demand` is for tests that want an exception."""
    with pytest.raises(RuleBroken, match="trace:"):
        judge([]).demand()


# -- single rules ---------------------------------------------------------------------------------
def bend(do: str, nth: int, **facts: Any) -> list[Line]:
    """The sample game with facts of the nth line of a kind changed."""
    lines = sample_game()
    place = [at for at, line in enumerate(lines) if line["do"] == do][nth]
    lines[place] = lines[place] | facts
    return lines


CASES = [
    ("R-SUB-1", bend("submit", 3, total=50)),
    ("R-SUB-2", bend("submit", 0, used=2)),
    ("R-SUB-3", bend("submit", 0, threats=[threat(3, "spy", ignored=True)])),
    ("R-SUB-4", bend("submit", 1, total=71)),
    ("R-SUB-5", bend("claim", 0, seat=3)),
    ("R-SCP-1", bend("scooped", 0, bank=50)),
    ("R-NEW-1", bend("lay_out", 2, level=3)),
    ("R-NEW-4", bend("pick", 9, bank=40)),
    ("R-AGD-3", bend("pick", 6, project="Zeta")),
    ("R-RES-2", bend("deal", 1, wanted=3)),
    ("R-COMP-1", bend("deal", 0, cards=["x0", "x0", "x0"])),
    ("R-EVT-4", bend("vote", 0, votes=2)),
    ("R-BDG-1", bend("badge", 0, president=3)),
    ("R-INV-4", bend("invasion", 0, why="time")),
    ("R-INV-8", bend("mashes", 0, mashes=2)),
    ("A-13", bend("offer", 0, points=61)),
    ("A-14", bend("promise", 0, kept=False)),
    ("R-UPG-1", bend("upgrade", 3, ability="analysis")),
    ("R-SET-3", bend("immunity", 0, threat="x3")),
]


@pytest.mark.parametrize(("rule", "lines"), CASES, ids=[rule for rule, _ in CASES])
def test_rule_is_named(rule: str, lines: list[Line]) -> None:
    """The first violation begins with the rule that is broken."""
    first = judge(lines).violations[0]
    assert rule in first.split(":")[0].split(), first


def test_a_worse_order_needs_the_flag() -> None:
    """R-SUB-2: without a swap seat 2 has 50 points, which is right, but not the best."""
    lines = sample_game()
    place = next(at for at, line in enumerate(lines) if line["do"] == "submit")
    hit = threat(2, "spy") | {"destroys_port": 3, "destroys": "20"}
    lines[place] |= {"order": ["50", "spy", "20"], "used": 0, "threats": [hit], "total": 50}
    assert "not the best" in judge(lines[: place + 1]).violations[0]
    assert "not the best" not in judge(lines[: place + 1], best_swaps=False).violations[0]


def test_worse_losses_need_the_flag() -> None:
    """A-INV-11: giving up Delta (fame 10) is enough, and keeps less."""
    lines = bend("battle", 1, discards=["Delta"], kept=["Beta", "Eta"], fame=20)
    lines[-2]["fame"] = 20
    assert [v.split(":")[0] for v in judge(lines).violations] == ["A-INV-11"]
    assert judge(lines, best_losses=False).ok


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("safe_points", 5, "R-SCP-1"),
        ("scoop_cap", 50, "R-SCP-1"),
        ("secret_defence", 0, "R-SUB-6"),
        ("public_fame", 0, "R-SUB-6"),
        ("transfer_percent", 100, "R-NEW-4"),
        ("transfer_rounding", 1, "R-NEW-4"),
        ("free_upgrades", 2, "R-SET-2"),
        ("multiplier_short", 2, "R-SET-1"),
        ("threshold_extra", 0, "R-SET-1"),
        ("must_reveal_extra", 2, "R-INV-1"),
        ("starting_projects", -2, "R-SET-7"),
        ("starting_level", 2, "R-SET-6"),
        ("level_step", 0, "R-NEW-1"),
        ("field_bonus", 2, "R-RES-2"),
        ("votes_per_level", 3, "R-EVT-4"),
        ("attack_cards", 1, "R-INV-6"),
        ("attack_x2", 30, "R-INV-10"),
        ("attack_plain_open", 30, "R-INV-10"),
        ("mash_projects", 1, "R-INV-8"),
        ("mash_limit", 0, "R-INV-8"),
        ("ports", 5, "R-RES-3"),
        ("offers_per_player", 0, "A-13"),
        ("count_reveal", 0, "A-9"),
        ("draw_limit", 0, "A-11"),
        ("max_rounds", 5, "R-INV-1"),
    ],
)
def test_options_are_honoured(option: str, value: int, rule: str) -> None:
    """The sample game is wrong under another value, and in the right place."""
    first = judge(sample_game(**{option: value})).violations[0]
    assert rule in first.split(":")[0].split(), first


def test_options_without_a_say_in_the_sample() -> None:
    """Options whose situation does not occur leave the verdict as it is."""
    for option in ("switchers_scooped", "offers_due_when_won", "immunity_optional"):
        assert judge(sample_game(**{option: 1})).ok, option
    for option in ("badge_leaves_alien", "attack_from_all_cards", "reshuffle_when_dry", "empty_submission"):
        assert judge(sample_game(**{option: 0})).ok, option
