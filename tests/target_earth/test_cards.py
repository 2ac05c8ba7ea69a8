"""Target Earth's card set keeps to what the rulebook fixes, and wrong card files are told apart."""

import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.target_earth import card_check
from sim.games.target_earth.cards import (
    CARDS_FILE,
    CardFileError,
    CardSet,
    cards_from_dict,
    check_cards,
    dump_cards,
    find_card,
    load_cards,
    source_of,
)
from sim.games.target_earth.options import OPTIONS

TEXT = CARDS_FILE.read_text(encoding="utf-8")
DOCS = Path(__file__).parents[2] / "docs" / "cards-target-earth.md"
RULES = {option.name: option.value for option in OPTIONS}
CLASSES = (4, 3, 2, 1)


@pytest.fixture(scope="module")
def cards() -> CardSet:
    return load_cards()


def of_class(cards: CardSet, credits: int) -> list[dict[str, Any]]:
    return [country for country in cards.countries if country["credits"] == credits]


def country(cards: CardSet, name: str) -> dict[str, Any]:
    return find_card(cards, "countries", name)


# --- countries: what R-TE-SET-1 demands on every draw ----------------------------------------------------


def test_thirty_countries_of_which_sixteen_can_be_dealt(cards: CardSet) -> None:
    """R-TE-SET-1: thirty countries; two pairs can be drawn from each class, and some country is left over."""
    assert len(cards.countries) == 30
    assert all(len(of_class(cards, credits)) >= 5 for credits in CLASSES)
    assert {c["credits"] for c in cards.countries} >= {10, *CLASSES}


def deals(some: list[dict[str, Any]]) -> set[tuple[int, int, int, int]]:
    """Points and credits of two alien and two allied countries, for all ways to draw them from a class."""
    found = set()
    for aliens in combinations(some, 2):
        for allies in combinations([c for c in some if c not in aliens], 2):
            sides = (aliens, allies)
            found.add(tuple(sum(c[key] for c in side) for side in sides for key in ("points", "credits")))
    return found


def test_both_sides_begin_alike_on_every_draw(cards: CardSet) -> None:
    """R-TE-SET-1: 24 points each, an income of 20, whatever is drawn from each class."""
    reached = {(0, 0, 0, 0)}
    for credits in CLASSES:
        reached = {
            tuple(sum(two) for two in zip(so_far, more, strict=True))
            for so_far in reached
            for more in deals(of_class(cards, credits))
        }
    assert reached == {(24, 20, 24, 20)}


FIXED = {  # name: what the rulebook or a published review says
    "USA": {"credits": 10},
    "Malaysia": {"credits": 1},
    "Argentina": {"credits": 1, "points": 2},
    "China": {"points": 8, "diplomacy": 9},
    "Saudi Arabia": {"diplomacy": 6},
    "Mexico": {"points": 2},
}


@pytest.mark.parametrize(("name", "values"), FIXED.items())
def test_what_is_known_of_a_country_is_kept_and_marked(
    cards: CardSet, name: str, values: dict[str, int]
) -> None:
    """A-TE-1: fixed points, each with where it is from."""
    one = country(cards, name)
    assert {key: one[key] for key in values} == values
    wanted = "reviews" if name in ("USA", "Malaysia") else "rulebook"
    assert {source_of(one, key) for key in values} == {wanted}
    assert source_of(one, "name") == "rulebook"


def test_nothing_else_of_a_country_claims_to_be_known(cards: CardSet) -> None:
    """A-TE-1: six names and most values are ours."""
    known = {
        (c["name"], key) for c in cards.countries for key in ("credits", "diplomacy", "points")
        if source_of(c, key) != "assumed"
    }  # fmt: skip
    assert known == {(name, key) for name, values in FIXED.items() for key in values}
    assert sum(source_of(c, "name") == "assumed" for c in cards.countries) == 6


def test_the_rulebooks_game_can_be_dealt_and_its_rolls_come_out(cards: CardSet) -> None:
    """W-TE-2: the example's countries fill the classes, Argentina joins on 7, Mexico leaves on 10, and so on."""
    allied = ("Malaysia", "Belgium", "Poland", "Iran", "Italy", "Mexico", "Germany", "United Kingdom")
    aliens = ("South Africa", "Thailand", "Australia", "Netherlands", "Spain", "Canada", "Russia", "Brazil")
    for names in (allied, aliens):
        assert [country(cards, name)["credits"] for name in names] == [1, 1, 2, 2, 3, 3, 4, 4]
        assert sum(country(cards, name)["points"] for name in names) == 24
    assert country(cards, "Argentina")["diplomacy"] <= 7
    assert country(cards, "Mexico")["diplomacy"] <= 10
    assert country(cards, "China")["diplomacy"] - find_card(cards, "ufos", "large")["bonus"] == 7
    assert country(cards, "Saudi Arabia")["diplomacy"] - find_card(cards, "ufos", "medium")["bonus"] == 5


def test_rich_countries_are_worth_more_and_harder_to_win(cards: CardSet) -> None:
    """A-TE-1: the assumed values follow the known ones."""
    by_credits = sorted(cards.countries, key=lambda c: c["credits"])
    points = [c["points"] for c in by_credits if c["credits"] >= 4]
    assert points == sorted(points)
    means = [sum(c["diplomacy"] for c in of_class(cards, k)) / len(of_class(cards, k)) for k in (1, 2, 3, 4)]
    assert means == sorted(means)
    assert all(2 <= c["diplomacy"] <= 12 for c in cards.countries)


# --- UFOs and aliens -------------------------------------------------------------------------------------


def test_the_box_has_46_ufo_tiles_and_every_phase_empties_its_bag(cards: CardSet) -> None:
    """R-TE-SET-2, R-TE-UFO-2: 12, 12 and 16 tiles in every mode; the modes together use exactly what is there."""
    tiles = [ufo["tiles"] for ufo in cards.data["ufos"]]
    assert tiles == [12, 13, 14, 7]
    used = []
    for bag in cards.data["bags"].values():
        phases = [bag[f"phase_{k}"] for k in (1, 2, 3)]
        assert [sum(phase) for phase in phases] == [12, 12, 16]
        used.append([sum(phase[size] for phase in phases) for size in range(4)])
    assert [max(counts) for counts in zip(*used, strict=True)] == tiles
    drawn = 3 * RULES["ufos_1"] + 2 * RULES["ufos_2"] + 2 * RULES["ufos_3"]
    assert sum(tiles) - drawn == 6


def test_bags_of_the_modes(cards: CardSet) -> None:
    """R-TE-SET-2: easy has more small, hard more large and terror UFOs."""
    bags = {mode: [bag[f"phase_{k}"] for k in (1, 2, 3)] for mode, bag in cards.data["bags"].items()}
    assert bags == {
        "easy": [[7, 4, 1, 0], [5, 4, 3, 0], [0, 5, 6, 5]],
        "normal": [[6, 4, 2, 0], [4, 4, 4, 0], [0, 4, 6, 6]],
        "hard": [[5, 4, 3, 0], [3, 4, 5, 0], [0, 3, 6, 7]],
    }
    assert cards.data["random_mode"]["terror"] == [3, 1]
    assert cards.data["random_mode"]["small_3"] == [1, 0]


def test_factors_that_the_rulebook_names(cards: CardSet) -> None:
    """W-TE-2, W-TE-3, W-TE-4: fighter 2, infantry 1, tank 2; a fighter of factor 4; medium 4, large 5."""
    technologies = cards.data["technologies"]
    assert [technologies[unit]["factors"][0] for unit in ("fighter", "infantry", "tank")] == [2, 1, 2]
    assert 4 in technologies["fighter"]["factors"]
    assert [find_card(cards, "ufos", size)["attack"] for size in ("medium", "large")] == [4, 5]
    assert [ufo["bonus"] for ufo in cards.data["ufos"]] == [0, 1, 2, 3]
    first = cards.data["aliens"][0]
    assert (first["small"], first["soldier"]) == ([1, 0], 2)
    assert [source_of(first, key) for key in ("small", "soldier", "tank")] == [
        "rulebook",
        "rulebook",
        "assumed",
    ]


def test_two_radars_reach_the_first_four_slots(cards: CardSet) -> None:
    """R-TE-INT, W-TE-2: and the boxes of radars reach all of them."""
    needed = cards.data["radars"]["needed"]
    assert max(needed[:4]) == 2
    assert needed == sorted(needed)
    assert max(needed) <= RULES["radars"]


def test_aliens_grow_with_size_and_phase(cards: CardSet) -> None:
    """A-TE-1: a larger UFO is stronger in the air and on the ground, and so is each later alien card."""
    attacks = [ufo["attack"] for ufo in cards.data["ufos"]]
    assert attacks == sorted(set(attacks))
    strength = []
    for card in cards.data["aliens"]:
        dice = [card[size][0] * card["soldier"] + card[size][1] * card["tank"] for size in card_check.SIZES]
        assert dice == sorted(dice)
        assert card["soldier"] < card["tank"]
        strength.append([*dice, card["soldier"], card["tank"]])
    for earlier, later in pairwise(strength):
        assert all(a <= b for a, b in zip(earlier, later, strict=True))


def test_twelve_alien_counters_are_enough_for_two_ufos_at_a_base(cards: CardSet) -> None:
    """R-TE-MIS-7: two UFOs that fight as one, the largest of their phase."""
    for card in cards.data["aliens"]:
        assert all(2 * sum(card[size]) <= 12 for size in card_check.SIZES)
    assert 2 * sum(cards.data["random_mode"]["terror"]) <= 12


def test_units_grow_with_their_technology(cards: CardSet) -> None:
    """R-TE-RES: each level is worth its price."""
    for technology in cards.data["technologies"].values():
        assert technology["factors"] == sorted(set(technology["factors"]))


# --- Alliance cards, factions, objectives ----------------------------------------------------------------


def test_the_alliance_deck(cards: CardSet) -> None:
    """R-TE-SET-5, R-TE-ADV-3: 46 cards; five kinds are starred."""
    counts = {card["name"]: card["count"] for card in cards.data["alliance"]}
    assert counts == {
        "ace": 4, "elite squad": 4, "elite crew": 4, "engineer": 4, "bonus": 10, "diplomacy": 6, "rebellion": 2,
        "scientist": 4, "fortified base": 4, "alien knowledge": 4,
    }  # fmt: skip
    assert sum(counts.values()) == 46
    starred = {card["name"] for card in cards.data["alliance"] if card["starred"]}
    assert starred == {"rebellion", "diplomacy", "engineer", "scientist", "alien knowledge"}


def test_factions_and_objectives(cards: CardSet) -> None:
    """R-TE-ADV-2, R-TE-ADV-4."""
    assert [(one["name"], one["initiative"], one["tokens"]) for one in cards.data["factions"]] == [
        ("officer", 1, 3), ("air general", 2, 3), ("army general", 3, 3), ("diplomat", 4, 3),
    ]  # fmt: skip
    objectives = {one["name"]: one for one in cards.data["objectives"]}
    leaders = {
        name: (one["leader"], one["leader_points"]) for name, one in objectives.items() if "leader" in one
    }
    assert leaders == {"A": ("USA", 4), "B": ("China", 3), "C": ("Japan", 3), "D": ("India", 2)}
    for name in leaders:
        rivals = objectives[name]["rivals"]
        assert set(rivals) == {"USA", "China", "Japan", "India"} - {leaders[name][0]}
        assert all(points == ([3, 1] if rival == "USA" else [2, 1]) for rival, points in rivals.items())
    assert objectives["E"]["by_count"] == [[9, 8], [10, 6], [11, 4], [12, 3], [13, 2], [14, 1]]
    assert objectives["F"]["each"] == 1
    assert len(objectives["F"]["allied"]) == 10
    assert {"Russia", "South Korea"} <= set(objectives["F"]["allied"])


# --- the first bases -------------------------------------------------------------------------------------

PRICES = {
    "fighter": "fighter_price",
    "carrier": "carrier_price",
    "infantry": "infantry_price",
    "tank": "tank_price",
}
FIRST_BASES = (
    {"warehouse": 2, "hangar": 2, "fighter": 2},
    {"warehouse": 1, "hangar": 1, "fighter": 1, "laboratory": 1, "radar": 1, "barracks": 1},
    {"warehouse": 1, "hangar": 1, "barracks": 1, "garage": 1, "carrier": 1, "infantry": 1},
)


@pytest.mark.parametrize("base", FIRST_BASES)
def test_the_first_bases_of_the_rulebook_cost_twelve(base: dict[str, int]) -> None:
    """W-TE-1: and there are warehouses and hangars enough."""
    price = sum(n * RULES[PRICES.get(thing, "module_price")] for thing, n in base.items())
    assert price == RULES["credits_4"] == 12
    modules = [thing for thing in base if thing not in PRICES and thing != "warehouse"]
    assert all(base[module] <= base["warehouse"] for module in modules)
    assert base.get("fighter", 0) + base.get("carrier", 0) <= base["hangar"]
    assert base.get("infantry", 0) <= base.get("barracks", 0)


# --- reading and writing ---------------------------------------------------------------------------------


def test_the_reference_file_is_fine() -> None:
    assert check_cards(CARDS_FILE) == []


def test_a_dumped_set_loads_as_the_same(cards: CardSet, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("\ufeff" + dump_cards(cards), encoding="utf-8")  # with a byte order mark
    assert load_cards(path).to_dict() == cards.to_dict()
    assert load_cards(str(path)).hash() == cards.hash()
    assert cards_from_dict(cards.to_dict()).hash() == cards.hash()


def test_odd_texts_survive_the_round_trip(cards: CardSet, tmp_path: Path) -> None:
    data = cards.to_dict()
    data["countries"][25]["name"] = 'Côte d\'Ivoire "A" \\ 外'
    data["objectives"][0]["rivals"] = {"South Korea": [1, 0], data["countries"][25]["name"]: [2, 1]}
    odd = cards_from_dict(data)
    path = tmp_path / "odd.toml"
    path.write_text(dump_cards(odd), encoding="utf-8")
    assert load_cards(path).to_dict() == data
    assert odd.hash() != cards.hash()


def test_find_card_ignores_case_and_offers_the_nearest(cards: CardSet) -> None:
    assert find_card(cards, "countries", "south_KOREA")["name"] == "South Korea"
    with pytest.raises(UserError, match=r"'brasil' in countries \(did you mean 'brazil'\?\); valid: usa, "):
        find_card(cards, "countries", "brasil")


def test_a_free_set_may_have_other_totals(cards: CardSet) -> None:
    data = cards.to_dict()
    data["set"]["totals"] = "free"
    data["alliance"][0]["count"] = 9
    data["ufos"][0]["tiles"] = 3
    data["countries"] = [c for c in data["countries"] if c["name"] != "Egypt"]
    assert len(cards_from_dict(data).countries) == 29


def test_the_documentation_names_every_section_and_key() -> None:
    documented = set(re.findall(r"`([\w-]+)`", DOCS.read_text(encoding="utf-8")))
    keys = {key for section in card_check.KEYS.values() for key in section}
    keys |= {*card_check.SET_KEYS, *card_check.BAG_KEYS, *card_check.RANDOM_KEYS, *card_check.TECHNOLOGY_KEYS}
    keys |= {*card_check.RADAR_KEYS, *card_check.SECTIONS, *card_check.SOURCES, *card_check.TOTALS}
    assert keys <= documented


# --- broken files: one change each, and exactly one complaint ---------------------------------------------

EGYPT = next(line for line in TEXT.splitlines() if "Egypt" in line).strip(" {},")
BROKEN = {  # what is changed, into what, and the complaint
    "missing value": (EGYPT, EGYPT.replace("credits = 1,", ""),
        "countries[29].credits: is missing; valid: a whole number from 0 to 99"),
    "negative": (EGYPT, EGYPT.replace("points = 2", "points = -2"), "countries[29].points: -2 is negative; valid: "),
    "too high": (EGYPT, EGYPT.replace("points = 2", "points = 100"), "countries[29].points: 100 is too high; valid"),
    "truth for a number": (EGYPT, EGYPT.replace("points = 2", "points = true"),
        "countries[29].points: true is true or false, not a whole number; valid: a whole number from 0 to 99"),
    "misspelt key": (EGYPT, EGYPT + ", credit = 1",
        "countries[29].credit: unknown key (did you mean 'credits'?); valid: name, credits"),
    "unknown source": (EGYPT, EGYPT.replace("assumed", "guess"),
        "countries[29].source: 'guess' is unknown; valid: rulebook, reviews, assumed, or a table that says so"),
    "source of nothing": (EGYPT, EGYPT.replace('"assumed"', '{ cost = "assumed" }'),
        "countries[29].source: {'cost': 'assumed'} names 'cost', which is no value"),
    "same country twice": ('"Egypt"', '"NIGERIA"', "countries: 2 entries have the name 'nigeria'; valid: each name"),
    "29 countries": (f"  {{ {EGYPT} }},\n", "", 'countries: 29 countries; valid: 30, or totals = "free" in [set]'),
    "name of control signs": ('"Egypt"', '"\\u001b[31m"', "countries[29].name: '\\x1b[31m' has control characters"),
    "misspelt section": ("set.name", "sets.a = 1\nset.name",
        "sets: unknown section (did you mean 'set'?); valid: set, countries"),
    "another game": ('"target-earth"', '"eti"', "set.game: 'eti' is unknown; valid: target-earth"),
    "no version": ('set.version = "1"\n', "", "set.version: is missing; valid: a text of one line"),
    "unknown totals": ('"reference"', '"fre"', "set.totals: 'fre' is unknown (did you mean 'free'?); valid: "),
    "47 tiles": ("tiles = 13", "tiles = 14", 'ufos: 47 tiles in all; valid: 46, or totals = "free" in [set]'),
    "attack too high": ("attack = 5", "attack = 50", "ufos[3].attack: 50 is too high; valid: "),
    "UFOs out of order": ('name = "small", ', 'name = "large", ',
        "ufos: has the names ['large', 'medium', 'large', 'terror']; valid: small"),
    "bag of three": ("phase_1 = [6, 4, 2, 0]", "phase_1 = [6, 4, 2]",
        "bags.normal.phase_1: [6, 4, 2] has 3 items; valid: a list of 4, each a whole number from 0 to 99"),
    "too many small tiles": ("phase_1 = [7, 4, 1, 0]", "phase_1 = [8, 4, 0, 0]",
        'bags.easy: 13 small tiles in all phases; valid: the 12 of ufos[1], or totals = "free" in [set]'),
    "no bag": ("[bags.hard]", "[bags.hardest]", "bags.hardest: unknown table (did you mean 'hard'?); valid: easy, n"),
    "nine units": ("medium = [2, 0]", "medium = [8, 1]",
        "aliens[1].medium: [8, 1] is 9 units; valid: [soldiers, tanks], at most 8 together"),
    "one number of units": ("medium = [2, 0]", "medium = [2]", "aliens[1].medium: [2] has 1 items; valid: [soldiers"),
    "fourth alien card": ("phase = 3\n", "phase = 4\n", "aliens[3].phase: 4 is too high; valid: a whole number"),
    "alien factor": ("phase = 3\nsoldier = ", "phase = 3\nsoldier = 9", "aliens[3].soldier: 9"),
    "three levels": ("infantry = { factors = [1, 2, 3, 4]", "infantry = { factors = [1, 2, 3]",
        "technologies.infantry.factors: [1, 2, 3] has 3 items; valid: a list of 4, each"),
    "no such unit": ("infantry = { f", "infantri = 1\ninfantry = { f",
        "technologies.infantri: unknown table (did you mean 'infantry'?); valid: fighter, infantry, tank"),
    "radars that fall": ("needed = [1, 1", "needed = [3, 1", "radars.needed: [3, 1, 2, 2, 3, "),
    "45 cards": ("count = 10", "count = 9", 'alliance: 45 cards in all; valid: 46, or totals = "free" in [set]'),
    "unknown card": ('name = "ace"', 'name = "aces"', "alliance[1].name: 'aces' is unknown (did you mean 'ace'?)"),
    "starred by number": ("count = 2, starred = true", "count = 2, starred = 1",
        "alliance[7].starred: 1 is a number, not true or false; valid: true or false"),
    "initiative": ("initiative = 4", "initiative = 3", "factions[4].initiative: 3 is out of order; valid: 4"),
    "leader of nowhere": ('leader = "India"', 'leader = "Indai"',
        "objectives[4].leader: 'Indai' is no country (did you mean 'India'?); valid: one of [[countries]]"),
    "rival of nowhere": ("rivals = { China", "rivals = { Chine",
        "objectives[1].rivals: 'Chine' is no country (did you mean 'China'?); valid: one of"),
    "leader for nothing": ("leader_points = 4\n", "", "objectives[1].leader_points: is missing; valid: "),
    "points for nobody": ("each = 1\n", "", "objectives[6].each: is missing; valid: together with allied"),
    "no points at all": ("by_count = [[9, 8], [10, 6], [11, 4], [12, 3], [13, 2], [14, 1]]\n", "",
        "objectives[5]: gives no points; valid: leader and leader_points, rivals, by_count, or allied and each"),
    "steps that fall": ("[[9, 8], [10, 6]", "[[10, 8], [9, 6]", "objectives[5].by_count: "),
}  # fmt: skip
DOUBLE = {  # one slip, two lines
    "no bag": "bags.hard: is missing or not a table; valid: a table with phase_1 and phase_2 and phase_3 and source",
    "unknown card": "alliance: has the names ['aces', ",
    "fourth alien card": "aliens: has the phases [1, 2, 4]; valid: 1, 2, 3, in this order",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_told(name: str, tmp_path: Path) -> None:
    """Each complaint is one line with what would be valid."""
    old, new, complaint = BROKEN[name]
    assert old in TEXT
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    problems = check_cards(path)
    assert problems[0].startswith(f"{path}: {complaint}")
    assert len(problems) == (2 if name in DOUBLE else 1)
    if name in DOUBLE:
        assert problems[1].startswith(f"{path}: {DOUBLE[name]}")
    assert all("; valid: " in problem for problem in problems)
    with pytest.raises(CardFileError):
        load_cards(path)


def test_all_problems_are_told_at_once(cards: CardSet) -> None:
    """A file of nothing: a line for each section, and no other error."""
    told = card_check.check_data({}, "x")
    assert Counter(line.split(": ")[1] for line in told) == Counter(card_check.SECTIONS)


@pytest.mark.parametrize("junk", [1, "a", [1], [], {}, [[]], [{}], None, True, {"easy": 1}])
def test_junk_in_any_section_is_told_and_never_an_error(cards: CardSet, junk: Any) -> None:
    for section in card_check.SECTIONS:
        data = cards.to_dict()
        data[section] = junk
        assert card_check.check_data(data, "x"), section


@pytest.mark.parametrize("section", card_check.KEYS)
def test_junk_in_any_value_is_told_and_never_an_error(cards: CardSet, section: str) -> None:
    for key in cards.data[section][0]:
        for junk in ([], "?" * 3000, -1, 1.5, [[]], [{}], {"a": []}, None):
            data = cards.to_dict()
            data[section][0][key] = junk
            assert card_check.check_data(data, "x"), (key, junk)
