"""The words a card file is written in: fields, threats, abilities and the effect vocabulary.

Plain data, so that the checker, the engine's compiler of cards and the documentation agree on it
(`docs/cards.md` is the same list for people).
"""

from typing import NamedTuple

FIELDS = (  # R-COMP-2
    "chemistry", "computers", "life-sciences", "physics", "robotics", "sensors", "weaponry", "xeno-studies",
)  # fmt: skip
THREATS = ("abduction", "arson", "data-virus", "spy")  # R-COMP-3
MULTIPLIERS = ("x0", "x2", "x3")  # R-COMP-4
ABILITIES = ("staffing", "creativity", "security", "analysis")
ALIEN_ABILITIES = ("eti", "intel", "tactics", "brutality")  # R-INV-3: same order, one becomes the other
LEVELS = (1, 2, 3, 4, 5)

WHO = ("president", "everyone", "others", "assign", "vote")
KEEPERS = ("president", "assign", "vote")  # one company is named, so that the card has one hand to go to
KEEP = ("round", "invasion")
ON = ("self", "other")
SOURCES = ("rulebook", "assumed")
TOTALS = ("reference", "free")
OF = ("secret", "public", "all", *FIELDS)


class Range(NamedTuple):
    """Whole numbers from low to high, both included."""

    low: int
    high: int


AMOUNT = Range(-500, 500)
CARDS = Range(0, 20)  # cards of a queue: no more than the ports option allows
FEW = Range(0, 10)

EffectKeys = dict[str, Range | tuple[str, ...]]  # a number's range, or the words to choose from

ROUND_EFFECTS: dict[str, EffectKeys] = {
    "points": {"amount": AMOUNT},
    "draw": {"amount": CARDS},
    "discard": {"amount": CARDS},
    "look": {"amount": CARDS},
    "scout": {},
    "lay_out": {"level": Range(0, 5)},
    "upgrade": {"amount": FEW, "ability": ABILITIES},
    "immunity": {"amount": Range(0, len(THREATS))},
    "take_project": {"level": Range(1, 5)},
}
INVASION_EFFECTS: dict[str, EffectKeys] = {
    "defence": {"amount": AMOUNT},
    "fame": {"amount": AMOUNT},
    "attack": {"amount": AMOUNT},
    "defence_each": {"amount": AMOUNT, "of": OF},
    "fame_each": {"amount": AMOUNT, "of": OF},
    "fame_to_defence": {"amount": FEW},
    "draw_project": {"amount": FEW},
    "attack_off": {"amount": FEW},
    "immunity": {"amount": Range(0, len(THREATS))},
}
ALIEN_EFFECTS: dict[str, EffectKeys] = {
    "base_attack": {"amount": AMOUNT},
    "attack_cards": {"amount": Range(0, 2)},  # room for 62: 5 humans with 6 + 2 + 2 each, and 10 mashes
    "intel": {"amount": FEW},
    "tactics": {"amount": Range(0, len(THREATS))},
    "rounds": {"amount": Range(-10, 10)},
    "mashes": {"amount": FEW},
}
EFFECTS = {**ROUND_EFFECTS, **INVASION_EFFECTS, **ALIEN_EFFECTS}

TRACK = Range(0, 30)
SPACES: dict[str, Range] = {  # what the spaces of each track may hold
    "staffing": TRACK,
    "creativity": Range(0, 6),  # more swaps would take the search for the best ones too long
    "security": Range(0, len(THREATS)),
    "analysis": TRACK,
    "eti": TRACK,
    "intel": TRACK,
    "tactics": Range(0, len(THREATS)),
    "brutality": TRACK,
}
NEVER_FALLING = ("security", "tactics")  # an upgrade cannot take an immunity away
