"""Changes in words: each does what it says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.eti.cards import dump_cards, slug
from sim.games.eti.changes import REROLLS, Change, all_cards, change_targets, parse_change, split_changes
from sim.games.eti.options import OPTIONS
from tests.lab.kit import (
    CARDS,
    SECTIONS,
    all_names,
    base,
    cards_changed,
    changed,
    complaint,
    differences,
    ready,
    setting_but_cards,
)
from tests.runs.kit import breaking

PROJECT_KEYS = ("difficulty", "defence", "fame")
SPELLINGS: list[Callable[[str], str]] = [str, str.upper, slug, lambda name: f"  {name.lower()} "]


# --- rule options ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("public_fame=5", 5), ("public_fame = 5", 5), ("public_fame+=5", 15), ("public_fame -= 5", 5),
        ("public_fame*=1.5", 15), ("public_fame*=0", 0), ("public_fame*=1.04", 10), ("public_fame*=1.05", 11),
        ("public_fame*=0.95", 9), ("public_fame*=0.96", 10), ("public_fame=1_0", 10), ("public_fame=1e1", 10),
    ],
)  # fmt: skip
def test_a_rule_option(text: str, value: int) -> None:
    found = changed(text)
    assert found.rules == {**base().rules, "public_fame": value}
    assert found.cards == CARDS
    assert type(found.rules["public_fame"]) is int


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_goes_to_its_ends_and_no_further(option: Any) -> None:
    for value in (option.low, option.high):
        found = changed(f"{option.name}={value}").rules
        assert found == {**base().rules, option.name: value}
    for value in (option.low - 1, option.high + 1):
        told = complaint(f"{option.name}={value}")
        assert f"{option.name}={value}" in told
        assert f"valid: a whole number from {option.low} to {option.high}" in told


def test_rules_of_the_grid_are_what_a_change_starts_from() -> None:
    arms = ready(["public_fame+=1"], rules={"public_fame": [3, 7]})
    assert [setting.rules["public_fame"] for setting in arms.settings] == [4, 8]


# --- numbers -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("old", [-40, -1, 0, 1, 2, 5, 7, 40])
@pytest.mark.parametrize("factor", [0.0, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.5, 3.0])
def test_halves_are_rounded_in_the_direction_of_the_change(old: int, factor: float) -> None:
    exact = old * factor
    expected = ceil(exact - 0.5) if exact < old else floor(exact + 0.5)
    assert Change("", "*=", "", str(factor)).number(old) == expected


# --- values of cards ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", PROJECT_KEYS)
def test_a_value_of_a_project(key: str) -> None:
    for spelling, project in zip(SPELLINGS * 10, CARDS.projects, strict=True):
        found = cards_changed(f"{spelling(project.name)}.{key}=37")
        assert found == {f"projects.{slug(project.name)}.{key}": (getattr(project, key), 37)}


def test_an_amount_changes_on_all_effects_of_a_card() -> None:
    for section, name in all_names():
        if section == "projects":
            continue
        card = next(card for card in getattr(CARDS, section) if card.name == name)
        amounts = {
            f"{section}.{slug(name)}.effects.{k}.amount": effect.amount
            for k, effect in enumerate(card.effects)
            if "amount" in effect.to_dict()
        }
        if amounts:
            expected = {place: (old, 0) for place, old in amounts.items() if old}
            assert cards_changed(f"{name}.amount=0") == expected
        else:
            assert complaint(f"{name}.amount=0").startswith(f"change '{name}.amount=0': {name} has no amount")


def section_expected(
    section: str, keys: tuple[str, ...], chosen: Callable[[Any], bool], factor: float
) -> Any:
    """By hand: the values of all chosen cards times a factor."""
    found: dict[str, tuple[Any, Any]] = {}
    for card in filter(chosen, getattr(CARDS, section)):
        place = f"{section}.{slug(card.name)}"
        values = {f"{place}.{key}": getattr(card, key) for key in keys if key != "amount"}
        if "amount" in keys:
            values |= {
                f"{place}.effects.{k}.amount": effect.amount
                for k, effect in enumerate(card.effects)
                if "amount" in effect.to_dict()
            }
        for where, old in values.items():
            new = Change("", "*=", "", str(factor)).number(old)
            found |= {where: (old, new)} if new != old else {}
    return found


@pytest.mark.parametrize(
    ("owner", "section", "chosen"),
    [
        ("projects", "projects", lambda _: True),
        ("projects:weaponry", "projects", lambda p: p.field == "weaponry"),
        ("projects:life-sciences", "projects", lambda p: p.field == "life-sciences"),
        ("projects:Life Sciences", "projects", lambda p: p.field == "life-sciences"),
        ("projects:level-3", "projects", lambda p: p.level == 3),
        ("projects:LEVEL 5", "projects", lambda p: p.level == 5),
    ],
)
@pytest.mark.parametrize("key", PROJECT_KEYS)
def test_values_of_many_projects(owner: str, section: str, chosen: Any, key: str) -> None:
    expected = section_expected(section, (key,), chosen, 1.2)
    assert expected
    assert cards_changed(f"{owner}.{key}*=1.2") == expected


@pytest.mark.parametrize(
    ("owner", "section", "chosen"),
    [
        ("events", "events", lambda _: True),
        ("events:vote", "events", lambda e: e.who == "vote"),
        ("events:president", "events", lambda e: e.who == "president"),
        ("humans", "humans", lambda _: True),
        ("aliens", "aliens", lambda _: True),
    ],
)
def test_amounts_of_many_cards(owner: str, section: str, chosen: Any) -> None:
    expected = section_expected(section, ("amount",), chosen, 0.5)
    assert expected
    assert cards_changed(f"{owner}.amount*=0.5") == expected


# --- the research deck and the tracks ------------------------------------------------------------------------
FREE = {"totals": ("reference", "free")}
COUNTS = {kind.card: kind.count for kind in CARDS.research}


@pytest.mark.parametrize("card", COUNTS)
def test_copies_of_a_research_card(card: str) -> None:
    expected = {f"research.{card}.count": (COUNTS[card], COUNTS[card] + 2)}
    assert cards_changed(f"research.{card}+=2") == {**FREE, **expected}


@pytest.mark.parametrize(
    ("group", "chosen"),
    [
        ("numbers", str.isdecimal),
        ("multipliers", lambda card: card in ("x0", "x2", "x3")),
        ("threats", lambda card: card in ("abduction", "arson", "data-virus", "spy")),
    ],
)
def test_copies_of_a_group(group: str, chosen: Any) -> None:
    expected = {f"research.{card}.count": (n, 2 * n) for card, n in COUNTS.items() if chosen(card)}
    assert expected
    assert cards_changed(f"research.{group}*=2") == {**FREE, **expected}


@pytest.mark.parametrize("track", CARDS.tracks)
def test_a_track_moves_as_a_whole_and_stays_in_its_range(track: str) -> None:
    high = {"creativity": 6, "security": 4, "tactics": 4}.get(track, 30)
    for shift in (1, -1, 3):
        spaces = CARDS.tracks[track]
        expected = {
            f"tracks.{track}.{k}": (space, min(high, max(0, space + shift)))
            for k, space in enumerate(spaces)
            if min(high, max(0, space + shift)) != space
        }
        assert cards_changed(f"tracks.{track}+={shift}") == expected


# --- without -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_blank_card_does_nothing(spelling: Callable[[str], str]) -> None:
    for section, name in all_names():
        cards = changed(f"blank {spelling(name)}").cards
        card: Any = next(card for card in getattr(cards, section) if card.name == name)
        old: Any = next(card for card in getattr(CARDS, section) if card.name == name)
        none: dict[str, Any] = (
            {"defence": 0, "fame": 0, "upgrades": ()} if section == "projects" else {"effects": ()}
        )
        assert card == replace(old, **none)
        others = {place.split(".")[1] for place in differences(CARDS, cards)}
        assert others == {slug(name)}


def test_a_removed_card_is_absent_and_the_set_is_as_before() -> None:
    for section, name in all_names():
        if section == "aliens":
            assert "an alien card cannot be removed; valid: alien=NAME, or blank" in complaint(
                f"remove {name}"
            )
            continue
        cards = changed(f"remove {slug(name)}").cards
        assert cards == replace(CARDS, absent=(name,))
        assert cards.hash() != CARDS.hash()


def test_several_cards_at_once() -> None:
    cards = changed(
        "remove Decoy Beacon", "blank Planetary Shield", "remove Alien Anatomy", "blank Raiding Party"
    ).cards
    assert cards.absent == ("Decoy Beacon", "Alien Anatomy")
    assert [p.defence + p.fame for p in cards.projects if p.name == "Planetary Shield"] == [0]
    assert [a.effects for a in cards.aliens if a.name == "Raiding Party"] == [()]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_so_many_human_cards_must_be_left(players: int) -> None:
    names = [card.name for card in CARDS.humans]
    most = len(names) - (players - 1)
    texts = [f"remove {name}" for name in names]
    words = {"players": players, "strategies": "cautious"}
    assert len(changed(*texts[:most], **words).cards.absent) == most
    told = complaint(*texts[: most + 1], **words)
    assert (
        f"{players - 2} human endgame cards are left for {players} players; valid: {players - 1} or more"
        in told
    )


# --- words of the setting ------------------------------------------------------------------------------------
def test_length_and_alien() -> None:
    found = changed("length=epic", "alien=world enders")
    assert (found.length, found.alien, found.multiplier) == ("epic", "World Enders", 4)
    assert found.cards == CARDS
    assert changed("alien=drawn", alien="raiding-party").alien is None
    assert changed("length=epic", "multiplier_epic=5").multiplier == 5


def test_another_card_file_comes_before_what_is_changed_in_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    other = replace(CARDS, projects=(replace(CARDS.projects[0], defence=77), *CARDS.projects[1:]))
    file.write_text(dump_cards(other), encoding="utf-8")
    name = CARDS.projects[0].name
    found = changed(f"{name}.defence+=1", f"cards={file}")
    assert found.cards.projects[0].defence == 78
    assert ready([], [f"cards={file}"]).plan.known_cards[str(file)] == other.hash()
    assert changed("cards=reference", cards=str(file)).cards == CARDS


def test_a_card_file_without_the_alien_of_the_setting(tmp_path: Path) -> None:
    """An alien that was chosen must be in the other card file, too."""
    file = tmp_path / "mine.toml"
    renamed = tuple(replace(alien, name=f"Other {alien.name}") for alien in CARDS.aliens)
    file.write_text(dump_cards(replace(CARDS, aliens=renamed)), encoding="utf-8")
    assert changed(f"cards={file}").alien is None
    told = complaint(f"cards={file}", alien="raiding-party")
    assert "no alien 'Raiding Party'" in told
    assert (
        changed(f"cards={file}", "alien=other raiding party", alien="raiding-party").alien
        == "Other Raiding Party"
    )


# --- strategies ----------------------------------------------------------------------------------------------
def params(setting: Any, name: str) -> dict[str, float]:
    return {p.name: p.value for one in setting.strategies if one.name == name for p in one.params}


@pytest.mark.parametrize(("text", "value"), [("=1.5", 1.5), ("*=2", 2.7), ("+=0.05", 1.4), ("-=1.35", 0.0)])
def test_a_parameter(text: str, value: float) -> None:
    found = changed(f"Cautious.push{text}")
    assert params(found, "cautious") == params(base(), "cautious") | {"push": pytest.approx(value)}
    assert found.strategies[1:] == base().strategies[1:]
    assert [one.name for one in found.strategies] == ["cautious", "gambler", "climber"]
    assert found.cards == CARDS


def test_a_parameter_for_all_seats_that_play_it() -> None:
    found = changed("cautious.push=1.5", strategies="cautious")
    assert len({id(one) for one in found.strategies}) == 1
    assert params(found, "cautious")["push"] == 1.5


def test_another_strategy() -> None:
    found = changed("gambler->sprinter")
    assert [one.name for one in found.strategies] == ["cautious", "sprinter", "climber"]
    assert [one.name for one in changed("cautious -> scooper", strategies="cautious").strategies] == [
        "scooper"
    ] * 3
    same = changed("gambler->climber").strategies
    assert same[1] is same[2]


def test_another_strategy_may_get_other_parameters() -> None:
    """In any order: the strategy comes first."""
    for texts in (("gambler->sprinter", "sprinter.push=2"), ("sprinter.push=2", "gambler->sprinter")):
        assert params(changed(*texts), "sprinter")["push"] == 2


def test_a_strategy_from_a_file(tmp_path: Path) -> None:
    spec = breaking(tmp_path)
    arms = ready([], [f"gambler->{spec}"])
    assert [one.name for one in arms.settings[1].strategies] == ["cautious", "Breaks", "climber"]
    assert "hash" in arms.plan.known_strategies["Breaks"]


def test_a_variant_of_the_study() -> None:
    words = {"variants": {"bold": {"of": "cautious", "push": 0.9}}}
    found = changed("gambler->bold", **words)
    assert params(found, "bold")["push"] == 0.9
    assert params(found, "cautious")["push"] == 1.35


def test_a_strategy_beside_a_variant_of_it() -> None:
    """'gambler->cautious' means cautious, although the variant bold comes from there, too."""
    words = {
        "variants": {"bold": {"of": "cautious", "push": 0.9}},
        "strategies": ["bold", "gambler", "climber"],
    }
    found = changed("gambler->cautious", **words)
    assert [one.name for one in found.strategies] == ["bold", "cautious", "climber"]
    assert params(found, "cautious")["push"] == 1.35


# --- other luck ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", REROLLS)
def test_reroll(name: str) -> None:
    found = changed(f"reroll {name}", line_up="pool", players=6)
    assert found.rerolled == (name,)
    spoken = changed(f"reroll {name.upper().replace('-', ' ')}", line_up="pool", players=6)
    assert spoken.rerolled == (name,)


# --- in general -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a=1, blank X", ["a=1", "blank X"]),
        ("a=1; b=2;", ["a=1", "b=2"]),
        ("  a   =  1 ,, ", ["a = 1"]),
        ("base", []),
        (" BASE ", []),
    ],
)
def test_texts_of_several_changes(text: str, parts: list[str]) -> None:
    assert split_changes(text) == parts


@pytest.mark.parametrize("text", ["", " ", ",", ";,"])
def test_texts_of_no_change(text: str) -> None:
    with pytest.raises(UserError, match=r"no change in .*; valid: 'base', or "):
        split_changes(text)


def test_every_target_can_be_varied_over_its_range() -> None:
    """What is offered for sweeps and tuning can be played at either end; its default changes nothing."""
    targets = change_targets(CARDS)
    assert len({target.name for target in targets}) == len(targets) >= 41 + 9 + 8
    for target in targets:
        assert target.low <= target.default <= target.high
        assert target.low < target.high
        assert target.text
        same = changed(target.change(target.default))
        assert same.rules == base().rules
        assert set(differences(CARDS, same.cards)) <= {"totals"}
        for value in (target.low, target.high):
            text = target.change(value)
            assert parse_change(text).target == target.name
            found = changed(text)
            same = setting_but_cards(found) == setting_but_cards(base()) and found.cards == CARDS
            assert same == (value == target.default), text


def test_all_cards_are_listed() -> None:
    assert all_cards(CARDS) == {s: [card.name for card in getattr(CARDS, s)] for s in SECTIONS}


def test_changes_of_one_kind_are_carried_out_in_order() -> None:
    assert changed("ports+=1", "ports+=1").rules["ports"] == 16
    first = changed("projects.defence*=2", "Planetary Shield.defence=40").cards
    then = changed("Planetary Shield.defence=40", "projects.defence*=2").cards
    assert [p.defence for p in first.projects if p.name == "Planetary Shield"] == [40]
    assert [p.defence for p in then.projects if p.name == "Planetary Shield"] == [80]
