"""The rule options: sound defaults, and mistakes named with the range they should have been in."""

import re
from pathlib import Path

import pytest

from sim.errors import UserError
from sim.games.eti.options import OPTIONS, Option, check_options, defaults, load_options, parse_rule

RULES_PAGE = Path(__file__).parents[1] / "docs" / "rules" / "eti.md"


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_is_sound(option: Option) -> None:
    assert option.low <= option.value <= option.high
    assert option.low < option.high
    assert option.source == ("assumed" if option.rule.startswith("A-") else "rulebook")
    assert option.text


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_names_a_rule_of_the_rules_page(option: Option) -> None:
    assert re.search(rf"^- {option.rule} ", RULES_PAGE.read_text(encoding="utf-8"), re.M)


def test_defaults_are_the_rulebook() -> None:
    """R-SET-1, R-SET-2, R-RES-3, R-SUB-1, R-SUB-6, R-SCP-1, R-NEW-4, R-INV-10."""
    values = defaults()
    assert [values[f"multiplier_{length}"] for length in ("short", "standard", "epic")] == [2, 3, 4]
    assert (values["free_upgrades"], values["ports"], values["safe_points"]) == (3, 14, 10)
    assert (values["secret_defence"], values["public_fame"], values["scoop_cap"]) == (5, 10, 100)
    assert (values["transfer_percent"], values["transfer_rounding"]) == (50, 10)
    assert [values[f"attack_{card}"] for card in ("x0", "x2", "x3")] == [10, 20, 30]
    assert [values[f"attack_tactic_{who}"] for who in ("open", "immune")] == [50, 25]
    assert [values[f"attack_plain_{who}"] for who in ("open", "immune")] == [25, 0]


def test_attack_cards_fit_on_the_table() -> None:
    """Five humans, each with the most cards that options and alien cards allow, need at most 62 places."""
    from sim.games.eti.card_words import ALIEN_EFFECTS, Range

    high = {option.name: option.high for option in load_options()}
    alien = ALIEN_EFFECTS["attack_cards"]["amount"]
    assert isinstance(alien, Range)
    each = high["multiplier_epic"] + high["attack_cards"] + alien.high + high["mash_limit"]
    assert 5 * each <= 62


def test_overrides_are_filled_up_with_the_defaults() -> None:
    values, problems = check_options({"ports": 12, "attack_cards": -2}, "--rule")
    assert problems == []
    assert values == {**defaults(), "ports": 12, "attack_cards": -2}
    assert defaults()["ports"] == 14


PORTS = "valid: a whole number from 1 to 20"
WRONG = {
    "too high": ({"ports": 21}, f"ports: 21 is too high; {PORTS}"),
    "too low": ({"ports": 0}, f"ports: 0 is too low; {PORTS}"),
    "truth": ({"ports": True}, f"ports: true is not a whole number; {PORTS}"),
    "decimal": ({"ports": 12.0}, f"ports: 12.0 is not a whole number; {PORTS}"),
    "text": ({"ports": "12"}, f"ports: '12' is not a whole number; {PORTS}"),
    "list": ({"ports": [12]}, f"ports: [12] is not a whole number; {PORTS}"),
    "nothing": ({"ports": None}, f"ports: None is not a whole number; {PORTS}"),
    "unknown": ({"prots": 12}, "no rule option 'prots' (did you mean 'ports'?); valid: ports, safe_points"),
}


@pytest.mark.parametrize(("overrides", "problem"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_override_is_named_and_left_out(overrides: dict[str, object], problem: str) -> None:
    values, problems = check_options(overrides, "plan.json")
    assert len(problems) == 1
    assert problems[0].startswith(f"plan.json: {problem}")
    assert values == defaults()


def test_all_wrong_overrides_are_named() -> None:
    values, problems = check_options({"ports": 0, "scoop_cap": 50, "nonsense": 1, "mash_limit": 3}, "F")
    assert [line.split()[1] for line in problems] == ["ports:", "no", "mash_limit:"]
    assert values == {**defaults(), "scoop_cap": 50}


def test_huge_numbers_do_not_fill_the_screen() -> None:
    name, value = parse_rule("ports=" + "9" * 4000)
    (line,) = check_options({name: value}, "--rule")[1]
    assert len(line) < 150


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ports=12", ("ports", 12)),
        (" threshold_extra = -2 ", ("threshold_extra", -2)),
        ("ports=+3", ("ports", 3)),
        ("ports=many", ("ports", "many")),
        ("ports=1.5", ("ports", "1.5")),
        ("ports=1_000", ("ports", "1_000")),
        ("a=b=c", ("a", "b=c")),
    ],
)
def test_parse_rule(text: str, rule: tuple[str, object]) -> None:
    assert parse_rule(text) == rule


@pytest.mark.parametrize("text", ["ports", "ports=", "=12", "", "="])
def test_parse_rule_wants_a_name_and_a_value(text: str) -> None:
    with pytest.raises(UserError) as error:
        parse_rule(text)
    assert error.value.lines == [f"--rule: {text!r} is not of the form name=value, for example ports=12"]
