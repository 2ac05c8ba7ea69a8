"""The effect vocabulary of events and endgame cards, as numbers. `docs/cards.md` says what each one does."""

from __future__ import annotations

#: the words of a card file; their position is the number the engine knows them by
WORDS = (
    "none",
    # on a company, in a round
    "points", "draw", "discard", "look", "scout", "lay_out", "upgrade", "immunity", "take_project",
    # on a company, in the invasion
    "defence", "fame", "attack", "defence_each", "fame_each", "fame_to_defence", "draw_project", "attack_off",
    # on an alien card
    "base_attack", "attack_cards", "intel", "tactics", "rounds", "mashes",
)  # fmt: skip

(
    NOTHING,
    POINTS, DRAW, DISCARD, LOOK, SCOUT, LAY_OUT, UPGRADE, IMMUNITY, TAKE_PROJECT,
    DEFENCE, FAME, ATTACK, DEFENCE_EACH, FAME_EACH, FAME_TO_DEFENCE, DRAW_PROJECT, ATTACK_OFF,
    BASE_ATTACK, ATTACK_CARDS, INTEL_USES, MORE_TACTICS, ROUNDS, MASHES,
) = range(len(WORDS))  # fmt: skip

#: `of` in defence_each and fame_each: 0 to 7 is a field
OF_SECRET, OF_PUBLIC, OF_ALL = 8, 9, 10
