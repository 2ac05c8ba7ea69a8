"""The reference card set is the published game as far as we know it, and wrong card files are told apart."""

import pickle
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.eti import card_words as words
from sim.games.eti.cards import (
    REFERENCE_FILE,
    CardFileError,
    CardSet,
    cards_from_dict,
    check_cards,
    dump_cards,
    find_card,
    load_cards,
    source_of,
)

REFERENCE_TEXT = REFERENCE_FILE.read_text(encoding="utf-8")
FIELDS = (
    "chemistry", "computers", "life-sciences", "physics", "robotics", "sensors", "weaponry", "xeno-studies",
)  # fmt: skip
DOCS = Path(__file__).parents[1] / "docs" / "cards.md"


@pytest.fixture(scope="module")
def cards() -> CardSet:
    return load_cards()


# --- the reference set ----------------------------------------------------------------------------


def test_totals_are_those_of_the_published_game(cards: CardSet) -> None:
    """R-COMP-1."""
    assert sum(kind.count for kind in cards.research) == 90
    assert len(cards.projects) == 40
    assert len(cards.events) == 25
    assert len(cards.humans) == 6
    assert len(cards.aliens) == 4


def test_one_project_for_each_field_and_level(cards: CardSet) -> None:
    """R-COMP-1, R-COMP-2."""
    assert Counter((card.field, card.level) for card in cards.projects) == Counter(
        (field, level) for field in FIELDS for level in range(1, 6)
    )


def test_research_cards_are_numbers_multipliers_and_threats(cards: CardSet) -> None:
    """R-COMP-3, R-COMP-4."""
    kinds = {kind.card for kind in cards.research}
    threats = {"abduction", "arson", "data-virus", "spy"}
    assert kinds == {"10", "20", "30", "40", "50", "x0", "x2", "x3"} | threats
    assert all(kind.count > 0 for kind in cards.research)


def test_some_projects_bring_upgrades_and_some_the_same_one_twice(cards: CardSet) -> None:
    """R-COMP-5."""
    upgrades = [card.upgrades for card in cards.projects]
    assert () in upgrades
    assert any(len(two) == 2 and len(set(two)) == 1 for two in upgrades)
    assert {ability for some in upgrades for ability in some} == set(words.ABILITIES)


FIXED_PROJECTS = {  # defence and fame
    "Moon Outpost Lens Array": (40, 20), "Dedicated Observatories": (10, 10),
    "Alien Linguistics": (30, 0), "Assault Rifles": (20, 0),
    "Mechanical Exoskeletons": (20, 20), "Space Flight Calculations": (20, 10),
    "String Theory": (20, 30), "Transplant Surgery": (0, 10),
    "Advanced Neuroscience": (0, 30), "Satellite Network": (20, 20),
    "Alien Detection": (20, 0), "Computer Languages": (10, 10),
}  # fmt: skip


@pytest.mark.parametrize(("name", "values"), FIXED_PROJECTS.items())
def test_projects_of_the_rulebook_have_its_values(cards: CardSet, name: str, values: tuple[int, int]) -> None:
    """A-1, A-COMP-2: what the rulebook prints is kept, and marked as its own."""
    card = next(card for card in cards.projects if card.name == name)
    assert (card.defence, card.fame) == values
    assert [source_of(card.source, key) for key in ("name", "defence", "fame")] == ["rulebook"] * 3


def test_no_other_project_claims_to_be_in_the_rulebook(cards: CardSet) -> None:
    """A-COMP-2."""
    marked = {card.name for card in cards.projects if source_of(card.source, "defence") == "rulebook"}
    assert marked == set(FIXED_PROJECTS)


def test_other_fixed_points(cards: CardSet) -> None:
    """A-1."""
    assert cards.tracks["analysis"][2] == 4
    assert {180, 230, 300} <= {card.difficulty for card in cards.projects}
    assert 5 in cards.tracks["brutality"]
    assert sorted(alien.ufos for alien in cards.aliens) == [1, 2, 3, 4]
    assert source_of(find_card(cards.aliens, "Raiding Party").source, "name") == "rulebook"
    survivalist, visionary = (find_card(cards.humans, f"the-{who}") for who in ("survivalist", "visionary"))
    assert [effect.to_dict() for effect in survivalist.effects] == [{"do": "fame_to_defence", "amount": 1}]
    assert [effect.to_dict() for effect in visionary.effects] == [{"do": "draw_project", "amount": 1}]


def test_every_value_says_where_it_comes_from(cards: CardSet) -> None:
    """A-COMP-2: the rulebook prints no counts, no events, and two spaces of the tracks."""
    assert {source_of(kind.source, "count") for kind in cards.research} == {"assumed"}
    assert {source_of(event.source, "effects") for event in cards.events} == {"assumed"}
    assert set(cards.track_sources) == set(words.SPACES)
    known = {name: source for name, source in cards.track_sources.items() if source != "assumed"}
    assert known == {"analysis": {"3": "rulebook"}, "brutality": {"2": "rulebook"}}


Predicate = Callable[[Any], bool]


def does(kind: str) -> Predicate:
    return lambda event: any(effect.do == kind for effect in event.effects)


def votes_on(ability: str) -> Predicate:
    return lambda event: event.who == "vote" and event.ability == ability


WANTED_EVENTS: dict[str, Predicate] = {
    "assign": lambda event: event.who == "assign" and event.good and not event.keep,
    "assign, unwanted": lambda event: event.who == "assign" and not event.good,
    "plain vote": lambda event: event.who == "vote" and event.ability is None and event.good,
    "vote, unwanted": lambda event: event.who == "vote" and not event.good,
    **{f"{ability} vote": votes_on(ability) for ability in words.ABILITIES},
    "president": lambda event: event.who == "president",
    "everyone": lambda event: event.who == "everyone",
    "others": lambda event: event.who == "others",
    "kept for a round": lambda event: event.keep == "round",
    "kept for the invasion": lambda event: event.keep == "invasion",
    "on another": lambda event: event.on == "other",
    "points gained": lambda event: any(e.do == "points" and e.amount > 0 for e in event.effects),
    "points lost": lambda event: any(e.do == "points" and e.amount < 0 for e in event.effects),
    **{kind: does(kind) for kind in words.ROUND_EFFECTS},
}


@pytest.mark.parametrize("fits", WANTED_EVENTS.values(), ids=WANTED_EVENTS.keys())
def test_the_events_cover_the_vocabulary(cards: CardSet, fits: Predicate) -> None:
    assert any(fits(event) for event in cards.events)


def test_unwanted_events_are_those_that_hurt(cards: CardSet) -> None:
    for event in cards.events:
        hurts = any(e.do == "discard" or (e.do == "points" and e.amount < 0) for e in event.effects)
        assert hurts == (not event.good or (event.on == "other" and event.keep == "round")), event.name


def test_the_documentation_names_every_effect() -> None:
    documented = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", DOCS.read_text(), re.M))))
    assert set(words.EFFECTS) <= documented


# --- reading and writing --------------------------------------------------------------------------


def test_the_reference_file_is_fine() -> None:
    assert check_cards(REFERENCE_FILE) == []


def test_a_dumped_set_loads_as_the_same(cards: CardSet, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dump_cards(cards), encoding="utf-8")
    assert load_cards(path) == cards
    assert load_cards(str(path)).hash() == cards.hash()
    assert cards_from_dict(cards.to_dict()) == cards


def test_odd_texts_survive_the_round_trip(cards: CardSet, tmp_path: Path) -> None:
    data = cards.to_dict()
    data["projects"][0]["name"] = 'Gödel\'s "Engine" \\ 外'
    data["set"]["totals"] = "free"
    odd = cards_from_dict(data)
    path = tmp_path / "odd.toml"
    path.write_text(dump_cards(odd), encoding="utf-8")
    assert load_cards(path) == odd
    assert odd.hash() != cards.hash()


def test_what_may_be_left_out_has_a_default(tmp_path: Path) -> None:
    text = REFERENCE_TEXT.replace('set.totals = "reference"', "").replace(" upgrades = [], ", " ")
    text = text.replace('card = "10", ', "card = 10, ")
    path = tmp_path / "mine.toml"
    path.write_text("\ufeff" + text, encoding="utf-8")  # with a byte order mark
    assert load_cards(path) == load_cards()


def test_find_card_ignores_case_and_offers_the_nearest(cards: CardSet) -> None:
    assert find_card(cards.aliens, "raiding_PARTY").name == "Raiding Party"
    with pytest.raises(
        UserError, match=r"no alien 'radingparty' \(did you mean 'raiding-party'\?\); valid: "
    ):
        find_card(cards.aliens, "radingparty", "alien")


# --- broken files: one change each, and exactly one complaint -------------------------------------

FEW = "valid: a whole number from 0 to 10"
GRANT = 'do = "points", amount = 50'
RAID = 'effects = [{ do = "intel", amount = 1 }]\ntext = "One more use of intel."'
STAFFING = "spaces = [3, 4, 4, 5, 5, 6, 6]"
CREATIVITY = "[tracks.creativity] # swaps of adjacent cards\nspaces = [0, 2, 3, 4, 4, 5, 5]"
BRUTALITY = "spaces = [0, 5, 10, 15, 20, 25, 30]"
BROKEN = {  # what is changed, into what, and the complaint
    "missing field": ("difficulty = 70,  defence = 0, ", "defence = 0, ",
        "projects[1].difficulty: is missing; valid: a whole number from 1 to 2000"),
    "89 research cards": ("count = 12", "count = 11",
        'research: 89 cards in all; valid: 90, or totals = "free" in [set]'),
    "unknown effect": (GRANT, 'do = "pionts", amount = 50',
        "events[1].effects[1].do: 'pionts' is unknown (did you mean 'points'?); valid: points, draw"),
    "no effect": (GRANT, "amount = 50", "events[1].effects[1].do: is missing; valid: points, draw"),
    "effect without amount": (GRANT, 'do = "points"', "events[1].effects[1].amount: is missing; valid: "),
    "effect with a stray key": (GRANT, GRANT + ", of = 1",
        "events[1].effects[1].of: unknown key; valid: do, "),
    "misspelt key": ("defence = 0,  fame = 20", "defence = 0,  fame = 20, fames = 1",
        "projects[1].fames: unknown key (did you mean 'fame'?); valid: name, field"),
    "misspelt section": ("set.game", "sets.game = 1\nset.game",
        "sets: unknown section (did you mean 'set'?); valid: set, research"),
    "negative": (
        'Synthetic Polymers",         field = "chemistry",     level = 1, difficulty = 70,  defence = 0',
        'Synthetic Polymers",         field = "chemistry",     level = 1, difficulty = 70,  defence = -5',
        "projects[1].defence: -5 is negative; valid: a whole number from 0 to 200"),
    "too high": ("difficulty = 360", "difficulty = 2001",
        "projects[40].difficulty: 2001 is too high; valid: a whole number from 1 to 2000"),
    "too low": ("difficulty = 360", "difficulty = 0", "projects[40].difficulty: 0 is too low; valid: "),
    "list for a number": ("difficulty = 360", "difficulty = [360]",
        "projects[40].difficulty: [360] is a list, not a whole number; valid: a whole number from 1 to 2000"),
    "truth for a number": ("difficulty = 360", "difficulty = true",
        "projects[40].difficulty: true is true or false, not a whole number; valid: "),
    "date for a number": ("difficulty = 360", "difficulty = 1959-07-02", "projects[40].difficulty: "),
    "escape codes": ('name = "String Theory"', 'name = "\\u001b[31mRed"',
        "projects[19].name: '\\x1b[31mRed' has control characters; valid: "),
    "duplicate name": ("Guided Missiles", "assault-RIFLES",
        "projects: 2 entries have the name 'assault-rifles'; valid: each name once"),
    "unknown field": ('String Theory",              field = "physics"',
        'String Theory",              field = "phisics"',
        "projects[19].field: 'phisics' is unknown (did you mean 'physics'?); valid: chemistry, computers"),
    "unknown upgrade": ('["security", "analysis"]', '["security", "analysys"]',
        "projects[40].upgrades: ['security', 'analysys'] holds 'analysys', which is unknown (did you mean"),
    "unknown research card": ('card = "spy"', 'card = "spi"',
        "research[12].card: 'spi' is no research card (did"),
    "research card too high": ('card = "50"', 'card = "201"',
        "research[5].card: '201' is too high; valid: a num"),
    "unknown source": ('text = "Add 40 points to your data bank."\nsource = "assumed"',
        'text = "Add 40 points to your data bank."\nsource = "guess"',
        "events[18].source: 'guess' is unknown; valid: rulebook, assumed, or a table"),
    "source of nothing": ("source = { card = \"rulebook\" } },\n]", "source = { cost = \"rulebook\" } },\n]",
        "research[12].source: {'cost': 'rulebook'} names 'cost', which is no value"),
    "round effect in the invasion": ('do = "defence", amount = 20', 'do = "draw", amount = 2',
        "events[15].effects[1].do: 'draw' cannot stand on an event with keep = \"invasion\"; valid: defence"),
    "invasion effect in a round": (GRANT, 'do = "defence", amount = 2',
        "events[1].effects[1].do: 'defence' cannot stand on an event played in a round; valid: points"),
    "alien effect on a human": ('do = "attack", amount = -30', 'do = "mashes", amount = 1',
        "humans[3].effects[1].do: 'mashes' cannot stand on a human card; valid: defence"),
    "human effect on an alien": (RAID, RAID.replace("intel", "fame", 1),
        "aliens[1].effects[1].do: 'fame' cannot stand on an alien card; valid: base_attack"),
    "kept by everyone": ('who = "everyone"\neffects = [{ do = "draw", amount = 1 }]',
        'who = "everyone"\nkeep = "round"\neffects = [{ do = "draw", amount = 1 }]',
        "events[21].keep: only one company can keep a card; valid: with who = president, assign, vote"),
    "ability without a vote": ('name = "Government Grant"', 'name = "Government Grant"\nability = "security"',
        'events[1].ability: only a vote is doubled by an ability; valid: with who = "vote"'),
    "target without a hand": ('name = "Government Grant"', 'name = "Government Grant"\non = "other"',
        "events[1].on: only the holder of a kept card names a target; valid: together with keep"),
    "no effects": (f"[{{ {GRANT} }}]", "[]", "events[1].effects: [] has 0 effects; valid: a list of 1 to 3"),
    "four effects": (f"{{ {GRANT} }}", ", ".join([f"{{ {GRANT} }}"] * 4), "events[1].effects: "),
    "five UFOs": ("ufos = 4", "ufos = 5", "aliens[4].ufos: 5 is too high; valid: a whole number from 1 to 4"),
    "three more attack cards": ('do = "attack_cards", amount = 1', 'do = "attack_cards", amount = 3',
        "aliens[4].effects[2].amount: 3 is too high; valid: a whole number from 0 to 2"),
    "attack cards twice": ('do = "rounds", amount = -1', 'do = "attack_cards", amount = 2',
        "aliens[4].effects: 'attack_cards' stands 2 times; valid: each effect once on an alien card"),
    "eleven mashes": ('"mashes", amount = 1', '"mashes", amount = 11',
        f"aliens[3].effects[3].amount: 11 is too high; {FEW}"),
    "endless draw": ('do = "draw", amount = 4', 'do = "draw", amount = 21',
        "events[12].effects[1].amount: 21 is"),
    "amount out of range": (GRANT, 'do = "points", amount = 501',
        "events[1].effects[1].amount: 501 is too high"),
    "track too short": (STAFFING, "spaces = [3]",
        "tracks.staffing.spaces: [3] has 1 items; valid: a list of 2 to 10, each a whole number from 0 to"),
    "track value too high": (BRUTALITY, "spaces = [0, 31]",
        "tracks.brutality.spaces: [0, 31] holds 31, which is too"),
    "seven swaps": (CREATIVITY, CREATIVITY.replace("5]", "7]"),
        "tracks.creativity.spaces: [0, 2, 3, 4, 4, 5, 7] holds 7, which is too high; valid: "),
    "missing track": ("[tracks.brutality]", "[tracks.brutal]", "tracks.brutal"),
    "another game": ('set.game = "eti"', 'set.game = "area51"', "set.game: 'area51' is unknown; valid: eti"),
}  # fmt: skip
TWO_LINES = {"missing track"}  # one too many and one too few


def write(tmp_path: Path, old: str, new: str) -> Path:
    """A copy of the reference file with one change."""
    assert REFERENCE_TEXT.count(old) >= 1
    path = tmp_path / "mine.toml"
    path.write_text(REFERENCE_TEXT.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(("old", "new", "problem"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_is_told(
    tmp_path: Path, old: str, new: str, problem: str, request: pytest.FixtureRequest
) -> None:
    path = write(tmp_path, old, new)
    lines = check_cards(path)
    assert lines[0].startswith(f"{path}: {problem}"), lines
    assert len(lines) == 1 + (request.node.callspec.id in TWO_LINES), lines
    assert all(line.isprintable() for line in lines)
    with pytest.raises(CardFileError) as error:
        load_cards(path)
    assert error.value.lines == lines


# --- more than one change -------------------------------------------------------------------------


def problems_of(cards: CardSet, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What is wrong with the reference set after a change, without the file's name."""
    data = cards.to_dict()
    change(data)
    try:
        cards_from_dict(data, "F")
    except CardFileError as error:
        return [line.removeprefix("F: ") for line in error.lines]
    return []


def free(data: dict[str, Any], section: str, entries: list[Any]) -> None:
    data["set"]["totals"] = "free"
    data[section] = entries


def copies(entry: dict[str, Any], count: int) -> list[dict[str, Any]]:
    return [{**entry, "name": f"Copy {number}"} for number in range(count)]


@pytest.mark.parametrize(
    ("section", "low", "high"),
    [("projects", 5, 62), ("events", 1, 40), ("humans", 5, 10), ("aliens", 1, 8)],
)
def test_free_totals_end_where_the_engine_does(cards: CardSet, section: str, low: int, high: int) -> None:
    entry = cards.to_dict()[section][0]
    for count, fine in {low - 1: False, low: True, high: True, high + 1: False}.items():
        lines = problems_of(cards, partial(free, section=section, entries=copies(entry, count)))
        assert (f"{section}: {count} cards in all; valid: from {low} to {high}" in lines) == (not fine)
        assert (lines == []) == fine, lines


@pytest.mark.parametrize(("count", "fine"), [(19, False), (20, True), (250, True), (251, False)])
def test_free_research_deck(cards: CardSet, count: int, fine: bool) -> None:
    deck = [
        {"card": "10", "count": count - 5, "source": "assumed"},
        {"card": "spy", "count": 5, "source": "assumed"},
    ]
    lines = problems_of(cards, lambda data: free(data, "research", deck))
    assert lines == ([] if fine else [f"research: {count} cards in all; valid: from 20 to 250"])


@pytest.mark.parametrize(("count", "fine"), [(9, True), (10, False)])
def test_at_most_nine_numbers(cards: CardSet, count: int, fine: bool) -> None:
    deck = [{"card": str(number + 1), "count": 9, "source": "assumed"} for number in range(count)]
    lines = problems_of(cards, lambda data: free(data, "research", deck))
    assert lines == ([] if fine else ["research: 10 different numbers are too many; valid: at most 9"])


def test_too_few_projects_to_start_with(cards: CardSet) -> None:
    lines = problems_of(cards, lambda data: [card.update(level=2) for card in data["projects"][:16]])
    assert lines == ["projects: 4 of level 1 are too few to start with; valid: 5 or more"]


@pytest.mark.parametrize("value", [3, "x", {"a": 1}, [1], None])
@pytest.mark.parametrize("section", ["set", "research", "projects", "events", "humans", "aliens", "tracks"])
def test_sections_of_the_wrong_type(cards: CardSet, section: str, value: object) -> None:
    lines = problems_of(cards, lambda data: data.update({section: value}))
    assert lines
    assert all(line.startswith(section) for line in lines)


def test_all_problems_are_told_and_not_only_the_first(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = REFERENCE_TEXT.replace("difficulty = 360", "difficulty = -1").replace("count = 12", "count = 11")
    path.write_text(text.replace("ufos = 4", "ufos = true").replace(STAFFING, "spaces = 3"), encoding="utf-8")
    places = [line.split(": ")[1] for line in check_cards(path)]
    assert places == ["research", "projects[40].difficulty", "aliens[4].ufos", "tracks.staffing.spaces"]


def test_an_error_survives_the_way_from_another_process() -> None:
    error = pickle.loads(pickle.dumps(CardFileError(["a: b", "c: d"])))
    assert (error.lines, str(error)) == (["a: b", "c: d"], "a: b\nc: d")
    assert isinstance(error, UserError)
