"""Changes that make no sense: one line each, which says what, where, and what would be valid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.eti.cards import dump_cards
from tests.lab.kit import CARDS, changed, complaint, ready

WRONG: list[tuple[tuple[str, ...], str]] = [
    (("publik_fame=5",), "(did you mean 'public_fame'?); valid: an option (public_fame=5)"),
    (("public_fame",), "change 'public_fame' says nothing; valid: an option"),
    (("public_fame=",), "change 'public_fame=' says nothing; valid: "),
    (("=5",), "change '=5' says nothing; valid: "),
    (("public_fame=x",), "'x' is no number; valid: a number"),
    (("public_fame=nan",), "'nan' is no number; valid: a number"),
    (("public_fame=inf",), "'inf' is no number; valid: a number"),
    (("public_fame=1e400",), "'1e400' is no number; valid: a number"),
    (("public_fame=5.5",), "'5.5' is not a whole number; valid: a whole number"),
    (("public_fame+=0.5",), "'0.5' is not a whole number; valid: a whole number"),
    (("projects.defence+=0.5",), "'0.5' is not a whole number; valid: a whole number"),
    (("public_fame*=-1",), "a negative factor; valid: 0 or more"),
    (("public_fame=101",), "101 is too high; valid: a whole number from 0 to 100"),
    (("public_fame+=91",), "101 is too high; valid: a whole number from 0 to 100"),
    (("public_fame-=11",), "-1 is too low; valid: a whole number from 0 to 100"),
    (("public_fame==5",), "valid: "),
    (("public_fame=5=6",), "valid: "),
    (("blank",), "change 'blank' says nothing; valid: "),
    (("blank Decoy Beakon",), "no card 'Decoy Beakon' (did you mean 'decoy-beacon'?); valid: a project, event or"),
    (("remove Xyz",), "no card 'Xyz'; valid: a project, event or endgame card"),
    (("blank Decoy Beacon", "blank decoy-beacon"), "and 'blank decoy-beacon': valid: one of them"),
    (("remove Decoy Beacon", "remove Decoy Beacon"), "valid: one of them"),
    (("reroll roles", "reroll ROLES"), "valid: one of them"),
    (("public_fame=5", "public_fame=6"), "'public_fame=5' and 'public_fame=6': valid: one of them"),
    (("public_fame=5", "public_fame+=6"), "'public_fame=5' and 'public_fame+=6': valid: one of them"),
    (("Planetary Shield.defence=5", "planetary-shield.defence=6"), "valid: one of them"),
    (("length=short", "length=epic"), "valid: one of them"),
    (("alien=raiding party", "alien=world enders"), "valid: one of them"),
    (("Planetary Sheild.defence=5",), "(did you mean 'planetary-shield'?); valid: "),
    (("Planetary Shield.defense=5",), "projects have no 'defense' (did you mean 'defence'?); valid: difficulty"),
    (("Planetary Shield.amount=5",), "projects have no 'amount'; valid: difficulty, defence, fame"),
    (("Decoy Beacon.fame=5",), "events have no 'fame'; valid: amount"),
    (("Planetary Shield.defence=201",), "201 is too high; valid: a whole number from 0 to 200"),
    (("Planetary Shield.difficulty=0",), "0 is too low; valid: a whole number from 1 to 2000"),
    (("Planetary Shield.defence-=500",), "is negative; valid: a whole number from 0 to 200"),
    (("Planetary Shield=5",), "valid: "),
    (("Planetary Shield.defence=2.5",), "'2.5' is not a whole number"),
    (("projects.colour=5",), "projects have no 'colour'; valid: difficulty, defence, fame"),
    (("projects:weaponary.fame=5",), "no projects 'weaponary' (did you mean 'weaponry'?); valid: chemistry"),
    (("projects:level-6.fame=5",), "no projects 'level-6' (did you mean"),
    (("events:nobody.amount=5",), "no events 'nobody'; valid: president, everyone, others, assign, vote"),
    (("humans:vote.amount=5",), "no humans 'vote'; valid: humans, all of them"),
    (("aliens.defence=5",), "aliens have no 'defence'; valid: amount"),
    (("Decoy Beacon.amount=11",), "11 is too high; valid: a whole number from 0 to 10"),
    (("project.defence=5",), "nothing is called 'project' (did you mean 'projects'?); valid: "),
    (("research.spies=5",), "no research card 'spies'; valid: "),
    (("research.numbers=0", "research.threats=0"), "cards in all; valid: from 20 to 250"),
    (("tracks.stafing+=1",), "no track 'stafing' (did you mean 'staffing'?); valid: staffing, creativity"),
    (("length=shrot",), "no length 'shrot' (did you mean 'short'?); valid: short, standard, epic"),
    (("length+=1",), "length is a word; valid: length=…"),
    (("alien=raidng party",), "no alien 'raidng party' (did you mean 'raiding-party'?); valid: raiding-party"),
    (("alien*=2",), "alien is a word; valid: alien=…"),
    (("cards=nowhere.toml",), "nowhere.toml: cannot be read: No such file or directory"),
    (("cards+=1",), "cards is a word; valid: cards=…"),
    (("cautious.puhs=1",), "no parameter 'puhs' (did you mean 'push'?); valid: push"),
    (("cautious.name=1",), "no parameter 'name'"),
    (("cautious.self=1",), "no parameter 'self'"),
    (("cautious.push=x",), "'x' is no number; valid: a number"),
    (("sprinter.push=1",), "valid: "),
    (("sprinter->gambler",), "nobody plays 'sprinter'; valid: cautious, gambler, climber"),
    (("gamblr->sprinter",), "nobody plays 'gamblr' (did you mean 'gambler'?); valid: cautious, gambler, climber"),
    (("gambler->sprintr",), "no strategy 'sprintr' (did you mean 'sprinter'?); valid: random, cautious"),
    (("gambler->nowhere.py",), "nowhere.py: no such strategy file"),
    (("->",), "change '->' says nothing; valid: "),
    (("gambler->",), "change 'gambler->' says nothing; valid: "),
    (("reroll lcuk",), "no kind of luck 'lcuk'"),
    (("reroll",), "change 'reroll' says nothing; valid: "),
    (("reroll line-up",), "nothing is drawn; valid: with the line-up pool"),
    (("gambler->sprinter", "gambler->scooper"), "valid: one of them"),
    (("",), "change '' says nothing; valid: "),
    (("base",), "valid: "),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "part"), WRONG, ids=[", ".join(texts) for texts, _ in WRONG])
def test_wrong_changes_are_one_line_that_names_them(texts: tuple[str, ...], part: str) -> None:
    told = complaint(*texts)
    assert part in told


def test_a_value_for_a_blank_card_is_two_meanings() -> None:
    """A blank card with a defence would be no blank card; whichever is meant."""
    for texts in (
        ("blank Planetary Shield", "Planetary Shield.defence=40"),
        ("remove Open Lecture", "blank Open Lecture"),
    ):
        for order in (texts, texts[::-1]):
            assert "valid: " in complaint(*order)


def test_seats_that_nobody_sits_on_are_not_redrawn() -> None:
    told = complaint("reroll line-up-4", line_up="pool")
    assert told == "change 'reroll line-up-4': 3 players; valid: a seat up to 3"


def test_a_name_of_a_card_and_a_strategy(tmp_path: Path) -> None:
    """Two meanings are told, none is chosen."""
    file = tmp_path / "mine.toml"
    other = replace(CARDS, events=(replace(CARDS.events[0], name="Gambler"), *CARDS.events[1:]))
    file.write_text(dump_cards(other), encoding="utf-8")
    assert "'gambler' is a card and a strategy" in complaint("gambler.amount=1", cards=str(file))


@pytest.mark.parametrize("text", ["blank twin", "remove twin", "Twin.defence=1", "twin.amount=1"])
def test_a_name_of_two_cards(tmp_path: Path, text: str) -> None:
    """A project and an event may have the same name in a card file: then neither can be meant by it."""
    file = tmp_path / "mine.toml"
    other = replace(
        CARDS,
        projects=(replace(CARDS.projects[0], name="Twin"), *CARDS.projects[1:]),
        events=(replace(CARDS.events[0], name="twin"), *CARDS.events[1:]),
    )
    file.write_text(dump_cards(other), encoding="utf-8")
    assert "valid: " in complaint(text, cards=str(file))


@pytest.mark.parametrize("given", ["x", 3, [], [3], [[3]], {"a": 1}, None, True])
def test_changes_that_are_no_lists(given: Any) -> None:
    with pytest.raises(UserError) as caught:
        ready(changes=given) if not isinstance(given, str) else ready(changes={given})
    assert [line for line in caught.value.lines if "valid: lists of changes" in line]


def test_problems_of_many_arms_are_told_together() -> None:
    with pytest.raises(UserError) as caught:
        ready([], ["public_fame=500"], ["blank Xyz"], ["reroll lcuk"])
    assert len(caught.value.lines) == 3


@pytest.mark.parametrize(
    ("text", "first", "lines"),
    [
        ("projects.difficulty*=1000", "70000 is too high; valid: a whole number from 1 to 2000", 13),
        ("research.spy=251", "251 is too high; valid: a whole number from 0 to 250", 2),
    ],
)
def test_what_is_wrong_with_many_cards_is_told_with_the_change(text: str, first: str, lines: int) -> None:
    with pytest.raises(UserError) as caught:
        changed(text)
    assert first in caught.value.lines[0]
    assert len(caught.value.lines) <= lines
    assert all(line.startswith((f"changes '{text}': ", "… and ")) for line in caught.value.lines)
