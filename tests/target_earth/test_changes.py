"""Changes in words: what each makes different, and nothing besides; and what cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.errors import UserError
from sim.games.target_earth.cards import load_cards
from sim.games.target_earth.change_cards import KEYS, change_section, check_changed
from sim.games.target_earth.changes import (
    REROLLS,
    all_cards,
    apply_changes,
    change_targets,
    parse_change,
    split_changes,
)
from sim.games.target_earth.luck import STREAM_NAMES
from sim.games.target_earth.options import OPTIONS
from sim.games.target_earth.play import Setting, make_setting, play
from sim.games.target_earth.state import STREAMS
from sim.games.target_earth.strategy import load_strategy
from sim.games.target_earth.study import seated_games
from sim.games.target_earth.trace import trace_game
from tests.lab.kit import differences

BASE = make_setting(["core"])
CARDS = BASE.cards


def changed(text: str, setting: Setting = BASE) -> Setting:
    """A setting with changes."""
    found: Setting = apply_changes(setting, split_changes(text), {}, {"random": load_strategy("random")})
    return found


def cards_changed(text: str) -> dict[str, Any]:
    """What is different in the cards, by name where entries have one."""
    found = differences(_named(CARDS.data), _named(changed(text).cards.data))
    return {place: values for place, values in found.items() if place != "set.totals"}


def _named(data: Any) -> dict[str, Any]:
    def key(entry: Any) -> str:
        return str(entry.get("name", entry.get("phase")))

    return {
        section: {key(one): one for one in value} if isinstance(value, list) else value
        for section, value in data.items()
    }


# --- cards -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "place", "values"),
    [
        ("USA.credits=8", "countries.USA.credits", (10, 8)),
        ("united kingdom.diplomacy+=2", "countries.United Kingdom.diplomacy", (9, 11)),
        ("UNITED-KINGDOM.diplomacy+=2", "countries.United Kingdom.diplomacy", (9, 11)),
        ("ace.count=6", "alliance.ace.count", (4, 6)),
        ("alliance:fortified-base.count-=1", "alliance.fortified base.count", (4, 3)),
        ("remove alien knowledge", "alliance.alien knowledge.count", (4, 0)),
        ("terror.bonus=4", "ufos.terror.bonus", (3, 4)),
        ("fighter.level-3=9", "technologies.fighter.factors.2", (4, 9)),
        ("officer.tokens=1", "factions.officer.tokens", (3, 1)),
        ("aliens:phase-1.soldier*=2", "aliens.1.soldier", None),
        ("aliens:phase-2.garrison-tanks+=1", "aliens.2.garrison.1", None),
        ("random_mode.small-soldiers=3", "random_mode.small_3.0", (1, 3)),
        ("radars.slot-8=9", "radars.needed.7", None),
        ("objectives.each=2", "objectives.F.each", (1, 2)),
        ("objectives:A.leader_points=9", "objectives.A.leader_points", (4, 9)),
    ],
)  # fmt: skip
def test_one_value_and_no_other(text: str, place: str, values: tuple[int, int] | None) -> None:
    found = cards_changed(text)
    assert list(found) == [place]
    if values is not None:
        assert found[place] == values


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("countries.diplomacy+=1", 30), ("countries:class-4.credits=4", 0), ("ufos.attack+=1", 4),
        ("technologies.factors+=1", 12), ("tank.factors+=1", 4), ("alliance.count*=2", 10), ("factions.tokens+=1", 4),
        ("aliens.soldier+=1", 3), ("radars.needed+=1", 8), ("bags:hard.terror+=1", 3), ("bags.small+=1", 9),
        ("aliens.tanks+=1", 3 * 5 + 2), ("aliens.garrison-soldiers+=1", 3), ("aliens.terror-soldiers+=1", 4),
    ],
)  # fmt: skip
def test_many_values(text: str, count: int) -> None:
    assert len(cards_changed(text)) == count


def test_classes_are_countries_of_the_same_c() -> None:
    wanted = {one["name"] for one in CARDS.countries if one["credits"] == 2}
    assert {place.split(".")[1] for place in cards_changed("countries:class-2.points+=1")} == wanted


def test_factors_round_in_their_direction() -> None:
    found = cards_changed("ufos.attack*=1.2")
    for name, (old, new) in ((place.split(".")[1], values) for place, values in found.items()):
        assert new == int(old * 1.2 + 0.5), name


# --- words of the setting ------------------------------------------------------------------------------------
def test_options_words_and_strategies() -> None:
    found = changed("sudden_points=60, mode=hard, variant=advanced, core.science=5")
    assert (found.rules["sudden_points"], found.mode, found.variant) == (60, "hard", "advanced")
    assert {p.name: p.value for p in found.strategies[0].params}["science"] == 5
    assert found.cards is BASE.cards
    assert [one.name for one in changed("core->random").strategies] == ["random"] * 4


def test_another_card_file_comes_first() -> None:
    other = changed("USA.credits=7").cards
    found = apply_changes(BASE, ["USA.credits+=1", "cards=mine.toml"], {"mine.toml": other}, {})
    assert found.cards.countries[0]["credits"] == 8


WRONG = [
    ("sudden_point=6", "nothing is called 'sudden_point' (did you mean 'sudden_points'?); valid: an option"),
    ("sudden_points=-1", "-1 is too low; valid: a whole number"),
    ("USA.credts=1", "countries have no 'credts' (did you mean 'credits'?); valid: credits, diplomacy, points"),
    ("Atlantis.credits=1", "nothing is called 'Atlantis'"),
    ("USA.diplomacy=100", "USA.diplomacy: 100 is too high; valid: a whole number from 0 to 99"),
    ("ace.count=1.5", "'1.5' is not a whole number"),
    ("countries:class-9.points=1", "no countries 'class-9' (did you mean 'class-8'?); valid: class-1"),
    ("radars:slot-1.needed=1", "valid: radars, all of them"),
    ("radars.slot-1=48", "falls; valid: a list of 8 whole numbers"),
    ("aliens.soldiers+=8", "valid: [soldiers, tanks], at most 8 together"),
    ("objectives:A.each=2", "no objective has each there"),
    ("blank USA", "no card 'USA'; valid: an Alliance card: ace"),
    ("remove asce", "(did you mean 'ace'?)"),
    ("blank ace, ace.count=3", "valid: one of them"),
    ("mode=hrad", "no mode 'hrad' (did you mean 'hard'?); valid: easy, normal, hard, random"),
    ("variant+=1", "variant is a word; valid: variant=…"),
    ("length=short", "nothing is called 'length'"),
    ("core.sciense=1", "no parameter 'sciense' (did you mean 'science'?)"),
    ("random.science=1", "nothing is called 'random'"),
    ("reroll dice", "no kind of luck 'dice'; valid: deal, people, deck"),
    ("reroll line-up", "nothing is drawn; valid: with the line-up pool"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_cannot_be_is_one_line(text: str, told: str) -> None:
    with pytest.raises(UserError) as caught:
        changed(text)
    (line,) = caught.value.lines
    assert told in line
    assert "\n" not in line


def test_the_advanced_game_is_not_for_one_player() -> None:
    with pytest.raises(UserError, match="valid: variant=base, or 2 to 4 players"):
        changed("variant=advanced", make_setting(["core"], players=1))


# --- what they do in a game ------------------------------------------------------------------------------------
def played(text: str, index: int = 0, **words: Any) -> list[dict[str, Any]]:
    """The trace of a game with changes."""
    setting = make_setting(["core"], **words)
    return trace_game(changed(text, setting) if text else setting, 3, index)


def test_a_blank_card_is_dealt_and_never_played() -> None:
    as_it_is, blank = played(""), played("blank bonus")
    hands = [line["cards"] for line in as_it_is if line["do"] == "hand"]
    assert hands == [line["cards"] for line in blank if line["do"] == "hand"]
    assert any("bonus" in hand for hand in hands)
    assert any(line["do"] == "card" and line["card"] == "bonus" for line in as_it_is)
    assert not any(line["do"] == "card" and line["card"] == "bonus" for line in blank)


def test_a_card_that_is_removed_is_nowhere() -> None:
    for line in played("remove bonus"):
        hand = line["cards"] if line["do"] == "hand" else []
        assert "bonus" not in [line.get("card"), *hand]


def test_games_without_any_card_can_be_played() -> None:
    for index in range(3):
        lines = played(", ".join(f"remove {name}" for name in all_cards(CARDS)["alliance"]), index)
        assert not any(line["do"] in ("draw", "card", "hand") for line in lines)


#: a line of the trace that each kind of luck decides
FIRST_SEEN = {"deal": "countries", "people": "order", "deck": "hand", "bags": "ufo", "talks": "attempt"}


@pytest.mark.parametrize(("stream", "do"), FIRST_SEEN.items())
def test_luck_that_is_drawn_anew_is_the_only_other_one(stream: str, do: str) -> None:
    """What comes before the first line that this luck decides is as it was; and in some game it is another."""
    differs = []
    for index in range(6):
        before, after = played("", index), played(f"reroll {stream}", index)
        first = next((k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
        if first is not None:
            differs.append(before[first]["do"])
    assert differs and set(differs) <= {do, "agent", "status"}


def test_dice_in_the_air_and_on_the_ground_are_drawn_anew() -> None:
    for stream, kinds in (
        ("air", {"air_round", "loss"}),
        ("ground", {"groups", "ground_round", "conquest", "module_lost"}),
    ):
        differs = set()
        for index in range(6):
            before, after = played("", index), played(f"reroll {stream}", index)
            differs |= {next(a["do"] for a, b in zip(before, after, strict=False) if a != b)}
        assert differs <= kinds, stream


def test_streams_have_names_and_the_pool_is_drawn_anew() -> None:
    assert len(STREAM_NAMES) == STREAMS + 1
    assert set(STREAM_NAMES) < set(REROLLS)
    setting = make_setting(["core", "random"], players=4, drawn=True)
    as_it_is = seated_games(setting, "pool", 1, 0, 50)[1]
    for text, seats in (("reroll line-up", {0, 1, 2, 3}), ("reroll line-up-2", {1}), ("reroll air", set())):
        found = seated_games(changed(text, setting), "pool", 1, 0, 50)[1]
        assert {int(k) for k in np.flatnonzero((found != as_it_is).any(axis=0))} == seats


# --- what can be varied -----------------------------------------------------------------------------------------
def test_every_target_can_be_set_to_both_its_ends() -> None:
    targets = {target.name: target for target in change_targets(CARDS)}
    assert {option.name for option in OPTIONS} < set(targets)
    for target in targets.values():
        for value in (target.low, target.high):
            setting = changed(target.change(value))
            if not target.is_rule:
                check_changed(setting.cards, [target.name])


def test_games_at_the_ends_of_the_cards_can_be_played() -> None:
    for target in change_targets(CARDS):
        if not target.is_rule:
            for value in (target.low, target.high):
                play(changed(target.change(value)), 1, 0, 1)


def test_every_section_has_keys_that_do_something() -> None:
    for section, keys in KEYS.items():
        for key in keys:
            found = change_section(CARDS, parse_change(f"{section}.{key}=77"), section, key)
            assert differences(_named(CARDS.data), _named(found.data)), (section, key)


def test_the_reference_set_is_never_touched() -> None:
    before = load_cards().hash()
    changed("countries.credits+=1, aliens.soldiers+=1, technologies.factors+=1, bags.small+=1")
    assert load_cards().hash() == before
