"""What tune may change, and how far each change is from the table as it is."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.lab.knobs import make_knobs
from analysis.lab.stages import base_words
from sim.errors import UserError


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
