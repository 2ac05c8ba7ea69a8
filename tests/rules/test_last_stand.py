"""Endgame cards, battle and victory (chapter 4.3 of the rules page), rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.eti import state
from sim.games.eti.battle import card_attack, choose_losses, find_winner, resolve_battles, vault_defence
from sim.games.eti.company_effects import draw_into_vault
from sim.games.eti.effects import BASE_ATTACK
from sim.games.eti.invasion import play_endgame_card, prepare_invasion, reveal_phase, turn_board_over
from sim.games.eti.state import NONE, PUBLIC, STAFFING, TIME
from tests.kit import CARDS, EVENT, KIND, PROJECT, scripted
from tests.rules.help import (
    ABDUCTION,
    ARSON,
    QUIET,
    SPY,
    VIRUS,
    attack_with,
    hold,
    immune,
    invaded,
    known,
    log,
    own,
    piles,
)

HUMANS = {card.name: k for k, card in enumerate(CARDS.humans)}
BEST = scripted(lose=-1)  # 'the best choice, please'


def battle(game: Any, decide: Any = BEST) -> Any:
    """All battles; the row of the result."""
    row = state.new_records(state.GAME_ROW, 1)[0]
    resolve_battles(game, decide, row)
    return row


# --- endgame cards -----------------------------------------------------------------------------------------
def play_card(card: str, **answers: Any) -> Any:
    """Seat 0 with two top-secret projects and a public one, attacked by two cards, plays its endgame card."""
    game = known()
    own(game, 0, "Assault Rifles", "Orbital Minefield")
    own(game, 0, "Alien Anatomy", place=PUBLIC)
    attack_with(game, p0=("50", "10"), p2=("50",))
    game.secret.endgame[0] = HUMANS[card]
    play_endgame_card(game, scripted(**answers), 0)
    return game


@pytest.mark.parametrize(
    ("card", "defence", "attack", "fame"),
    [  # 25 + 45 + 10 defence, an attack of 60, 20 fame
        ("The Survivalist", 90, 60, 10), ("The General", 80, 30, 20), ("The Archivist", 100, 60, 20),
        ("The Celebrity", 90, 60, 30), ("The Spymaster", 90, 60, 20),
    ],
)  # fmt: skip
def test_endgame_cards(card: str, defence: int, attack: int, fame: int) -> None:
    """R-INV-9: what each card does to its owner's numbers."""
    game = play_card(card, move_fame=lambda t, s, k: k == PROJECT["Alien Anatomy"])
    kept = scripted(lose=lambda t, s, k: -1 if k == PROJECT["Alien Anatomy"] else 0)
    row = battle(game, kept)
    assert (row.seat[0].defence, row.seat[0].attack, row.seat[0].fame) == (defence, attack, fame)
    assert game.table.immunity_n[0] == (2 if card == "The Spymaster" else 0)


def test_order_of_endgame_cards() -> None:
    """R-INV-9, A-24: after the mash, from the president clockwise, card first, then the events in hand."""
    game = known()
    own(game, 1, "Assault Rifles", "Guided Missiles")
    game.table.president = 2
    game.secret.endgame[:4] = [HUMANS["The General"], 0, HUMANS["The Celebrity"], HUMANS["The Archivist"]]
    for event in ("Leaked Coordinates", "Bunker Blueprints", "Sleeper Laboratory"):
        hold(game, 2, event)
    hold(game, 0, "Decoy Beacon")
    hold(game, 3, "Bunker Blueprints")
    targets: set[int] = set()
    play = scripted(
        mash=lambda t, s, p: p,
        play_event=lambda t, s, _: s.me != 3,
        target=lambda t, s, p: targets.add(p) or p == 3,
    )
    prepare_invasion(game, play, TIME)
    rows = [row[:3] for row in log(game, "mash", "endgame", "play")]
    assert rows == [
        ("mash", 3, 0), ("endgame", 2, HUMANS["The Celebrity"]),
        ("play", 2, EVENT["Bunker Blueprints"]), ("play", 2, EVENT["Leaked Coordinates"]),
        ("endgame", 3, HUMANS["The Archivist"]), ("endgame", 0, HUMANS["The General"]),
        ("play", 0, EVENT["Decoy Beacon"]),
    ]  # fmt: skip
    table = game.table
    assert targets == {0, 3}  # another human
    assert (table.more_defence[2], table.more_attack[3], table.more_attack[0]) == (10 + 20, 20, -30)
    assert table.attack_on[: table.attack_n].tolist().count(NONE) == 1
    assert table.held_n[:4].tolist() == [0, 0, 1, 1]  # a round card is not played now; seat 3 kept its own


@pytest.mark.parametrize(
    ("held", "limit", "asked"),
    [
        ("Alien Anatomy", 1, [1, 2, 3]), ("Alien Anatomy", 0, [1, 2]), ("Alien Anatomy", 2, [1, 2, 3, 4]),
        (None, 2, [1, 2]), (None, 1, []), (None, 0, []),  # level I alone: nothing to ask
    ],
)  # fmt: skip
def test_drawing_a_project(held: str | None, limit: int, asked: list[int]) -> None:
    """A-11: levels up to `draw_limit` above the best; with no project level `draw_limit`, at least I."""
    game = known(draw_limit=limit)
    own(game, 0, *[held] * (held is not None))
    levels: list[int] = []
    draw_into_vault(game, scripted(rate_level=lambda t, s, level: levels.append(level) or level), 0)
    assert levels == asked
    drawn = log(game, "draw_project")[0]
    assert drawn[2] == (asked or [1])[-1]
    assert game.table.owner[drawn[3]] == 0


def test_drawing_from_what_is_left() -> None:
    """A-11: else the lowest level left, else nothing; security on it brings an immunity at once."""
    game = known()
    piles(game, L4="Ablative Ceramics", L5="Planetary Shield")
    draw_into_vault(game, scripted(vault=1, immunity=lambda t, s, threat: threat == SPY), 0)
    ceramics = PROJECT["Ablative Ceramics"]
    assert (game.table.owner[ceramics], game.table.place[ceramics]) == (0, PUBLIC)
    assert game.table.immune[0].tolist() == [0, 0, 0, 1]
    piles(game)
    draw_into_vault(game, QUIET, 0)
    assert game.table.completed[0] == 1


# --- attack and defence ------------------------------------------------------------------------------------
def test_attack_cards_count() -> None:
    """R-INV-10, W-15: numbers, 10/20/30, and threats by tactic and immunity: 50, 25, 25, 0."""
    game = known()
    game.table.tactic[SPY] = game.table.tactic[ARSON] = 1
    immune(game, 0, ARSON, VIRUS)
    worth = {card: card_attack(game.table, 0, kind) for card, kind in KIND.items()}
    assert worth == {
        "10": 10, "20": 20, "30": 30, "40": 40, "50": 50, "x0": 10, "x2": 20, "x3": 30,
        "spy": 50, "arson": 25, "abduction": 25, "data-virus": 0,
    }  # fmt: skip
    options = ("x0", "x2", "x3", "tactic_open", "tactic_immune", "plain_open", "plain_immune")
    game = known(**{f"attack_{name}": k for k, name in enumerate(options, 61)})
    game.table.tactic[SPY] = game.table.tactic[ARSON] = 1
    immune(game, 0, ARSON, VIRUS)
    cards = ("x0", "x2", "x3", "spy", "arson", "abduction", "data-virus")
    assert [card_attack(game.table, 0, KIND[card]) for card in cards] == list(range(61, 68))


def test_immunities_of_the_alien_are_tactics() -> None:
    """W-15: immune to spy and arson, it has both as tactics; arson counts 25 against an immune company."""
    game = known()
    immune(game, 1, SPY, ARSON)
    turn_board_over(game, 1)
    immune(game, 0, ARSON)
    assert game.table.tactic.tolist() == [0, 1, 0, 1]
    assert [card_attack(game.table, p, KIND["arson"]) for p in (0, 2)] == [25, 50]


def test_attack_on_each_company() -> None:
    """R-INV-10, A-25: nothing multiplies or is removed, base attack once each, never below 0 in all."""
    game = known()
    attack_with(game, p0=("50", "x3", "x2", "spy"), p2=("x0",))
    game.table.base_attack = 15
    game.table.more_attack[:4] = [0, 0, -26, -10]
    row = battle(game)
    assert [row.seat[p].attack for p in (0, 2, 3)] == [50 + 30 + 20 + 25 + 15, 0, 5]


def test_weak_base_attack() -> None:
    """R-INV-10, A-25: only the whole attack is never below 0; an alien card of -10 weakens 50 to 40."""
    game = known()
    game.table.cards.alien_effects[0][0] = (BASE_ATTACK, -10, 0)
    game.table.multiplier = 0
    prepare_invasion(game, QUIET, TIME)
    attack_with(game, p0=("50",))
    assert battle(game).seat[0].attack == 40


@pytest.mark.parametrize(("more", "survives"), [(0, 1), (1, 0), (-1, 1)])
def test_exactly_enough(more: int, survives: int) -> None:
    """R-INV-11: 25 secret and 20 public make 45: an attack of 45 is survived with nothing left, 46 is not."""
    game = known()
    own(game, 0, "Assault Rifles")
    own(game, 0, "Alien Detection", place=PUBLIC)
    assert vault_defence(game.table, 0) == 45
    game.table.more_attack[0] = 45 + more
    row = battle(game)
    assert (row.seat[0].survived, row.seat[0].fame, game.table.vault[0]) == (survives, 0, 0)
    assert game.table.place[PROJECT["Assault Rifles"]] == state.LOST


@pytest.mark.parametrize(("attack", "kept"), [(20, 2), (21, 1), (65, 0)])
def test_defence_without_a_project(attack: int, kept: int) -> None:
    """R-INV-11: 20 defence of a card pay for 20 of the attack; only the rest costs projects."""
    game = known()
    own(game, 0, "Assault Rifles")
    own(game, 0, "Alien Detection", place=PUBLIC)
    game.table.more_defence[0], game.table.more_attack[0] = 20, attack
    assert battle(game).seat[0].survived
    assert int(game.table.vault[0]).bit_count() == kept


def test_the_owner_chooses() -> None:
    """R-INV-11: any set that suffices, all cards being known; nothing is given up against no attack."""
    game = known()
    own(game, 0, "Assault Rifles", "Antigravity Drive", "Particle Accelerator")  # 25, 45 and 15
    attack_with(game, p0=("40",))
    seen: list[int] = []
    order = [PROJECT[k] for k in ("Particle Accelerator", "Antigravity Drive")]

    def lose(table: Any, seat: Any, project: int) -> float:
        seen.append(int(table.attack_seen[0]))
        return float(10 - order.index(project)) if project in order else 0.0

    row = battle(game, scripted(lose=lose))
    assert set(seen) == {KIND["40"]}
    assert game.table.vault[0] == 1 << PROJECT["Assault Rifles"]  # 15 and 45 given up, although 45 would do
    assert (row.seat[0].survived, row.seat[0].fame) == (1, 0)
    game.table.attack_n = 0
    battle(game)
    assert game.table.vault[0] == 1 << PROJECT["Assault Rifles"]


@pytest.mark.parametrize(
    ("bonus", "attack", "lost"),
    [
        (10, 50, ("Guided Missiles", "Assault Rifles")),  # 20 fame, less than with the cannon
        (10, 70, ("Guided Missiles", "Particle Beam Cannon")),  # the three others defend 65
        (15, 15, ("Cryogenic Coolants",)),  # 10 fame: the public bonus makes the rifles dearer
        (15, 45, ("Guided Missiles", "Cryogenic Coolants")),
        (15, 46, ("Guided Missiles", "Assault Rifles")),
    ],
)
def test_most_fame_is_kept(bonus: int, attack: int, lost: tuple[str, ...]) -> None:
    """A-INV-11: public 40/10, 30/0 and 20/0, secret 10/10 (+5): the cheapest set in fame, bonuses counted."""
    game = known(public_fame=bonus)
    own(game, 0, "Particle Beam Cannon", "Guided Missiles", "Assault Rifles", place=PUBLIC)
    own(game, 0, "Cryogenic Coolants")
    game.table.attack[0] = attack
    assert choose_losses(game, BEST, 0) == sum(1 << PROJECT[name] for name in lost)


# --- who wins ----------------------------------------------------------------------------------------------
def result(fames: dict[int, int], president: int, favour: int = NONE) -> tuple[int, int, list[int]]:
    """Survivors' fames to the winner, why, and who was asked."""
    game = known()
    game.table.president = president
    row = state.new_records(state.GAME_ROW, 1)[0]
    for p, fame in fames.items():
        row.seat[p].survived, row.seat[p].fame = 1, fame
    asked: list[int] = []
    find_winner(game, scripted(break_tie=lambda t, s, p: asked.append(int(s.me)) or p == favour), row)
    return int(row.winner), int(row.why), sorted(set(asked))


def test_winner() -> None:
    """R-INV-12: most fame among the living; the last president settles a tie; nobody alive: the alien."""
    assert result({0: 30, 2: 40, 3: 39}, 0) == (2, state.BY_FAME, [])
    assert result({0: 0}, 2) == (0, state.BY_FAME, [])
    assert result({0: 40, 2: 40, 3: 10}, 2, favour=2) == (
        2,
        state.BY_TIE,
        [2],
    )  # in the president's own favour
    assert result({0: 40, 2: 40, 3: 10}, 3, favour=2) == (2, state.BY_TIE, [3])
    assert result({0: 40, 3: 40}, 2, favour=3) == (3, state.BY_TIE, [2])  # the president is destroyed
    assert result({}, 0) == (1, state.NO_SURVIVOR, [])


def test_fame_that_is_left() -> None:
    """R-INV-12: 10 more for each public project left; the destroyed count nothing, however famous."""
    game = known()
    own(game, 0, "String Theory")  # 30
    own(game, 2, "Particle Accelerator", "Magnetic Core Memory", place=PUBLIC)  # 20 and 30
    own(game, 3, "Human Genome Atlas", place=PUBLIC)  # 70, but no match for 11
    game.table.more_attack[:4] = [0, 0, 1, 11]
    row = battle(game)
    assert [int(row.seat[p].fame) for p in (0, 2, 3)] == [30, 30, 0]
    assert (row.survivors, row.tied, row.winner) == (2, 2, 0)


def test_alien_president_settles_the_tie() -> None:
    """A-29: with the badge kept and an invasion at once, the alien decides; else a human president does."""
    for option, judge in ((0, 1), (1, 2)):
        game = invaded(badge_leaves_alien=option)
        game.table.president, game.table.claimed, game.table.tokens[1][STAFFING] = 1, 16, 6
        own(game, 0, "String Theory")
        own(game, 3, "Laser Holography")
        assert reveal_phase(game, QUIET) == state.AT_ONCE
        asked: set[int] = set()
        row = battle(game, scripted(break_tie=lambda t, s, p: asked.add(int(s.me)) or p))  # noqa: B023
        assert (row.winner, row.why, asked) == (3, state.BY_TIE, {judge})


def test_todd() -> None:
    """W-10: defence 120 against 100; Space Flight Calculations is kept, 20 fame."""
    game = known()
    own(game, 0, "Assault Rifles", "Mechanical Exoskeletons")
    own(game, 0, "Space Flight Calculations", "String Theory", place=PUBLIC)
    immune(game, 0, SPY, ABDUCTION)
    game.table.tactic[SPY], game.table.base_attack = 1, 5
    attack_with(game, p0=("x0", "abduction", "spy", "50", "10"))
    game.secret.endgame[0] = HUMANS["The Survivalist"]
    play_endgame_card(game, scripted(move_fame=lambda t, s, k: k == PROJECT["String Theory"]), 0)
    seat = battle(game).seat[0]
    assert (seat.defence, seat.attack, seat.survived, seat.fame) == (120, 100, 1, 20)
    assert game.table.vault[0] == 1 << PROJECT["Space Flight Calculations"]


def test_angie() -> None:
    """W-11: defence 50, with Computer Languages 65, against 75: destroyed."""
    game = known()
    own(game, 0, "Transplant Surgery", "Advanced Neuroscience")
    own(game, 0, "Satellite Network", "Alien Detection", place=PUBLIC)
    assert vault_defence(game.table, 0) == 50
    game.table.tactic[SPY], game.table.base_attack = 1, 5
    attack_with(game, p0=("x2", "spy"))
    game.secret.endgame[0] = HUMANS["The Visionary"]
    piles(game, L1="Computer Languages")
    play_endgame_card(game, scripted(vault=0), 0)
    seat = battle(game).seat[0]
    assert (seat.defence, seat.attack, seat.survived, seat.fame) == (65, 75, 0, 0)
