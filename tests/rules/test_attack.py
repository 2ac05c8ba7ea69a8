"""Preparing the attack (chapter 4.2 of the rules page), rule by rule."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sim.games.eti import invasion
from sim.games.eti.asking import Q_INTEL, IllegalAnswer
from sim.games.eti.effects import ATTACK_CARDS, MASHES
from sim.games.eti.invasion import prepare_invasion
from sim.games.eti.state import CREATIVITY, NONE, TIME
from tests.kit import KIND, Answer, face_up, give_queue, scripted, study
from tests.rules.help import QUIET, SPY, attack_with, known, log, own


def against(game: Any) -> dict[int, int]:
    """How many attack cards lie against each company."""
    return dict(Counter(int(p) for p in game.table.attack_on[: game.table.attack_n]))


# --- leftovers and attack cards ----------------------------------------------------------------------------
def test_leftovers() -> None:
    """R-INV-5: all face-up projects go to its vault, each upgrade a token, a security upgrade a tactic."""
    game = known()
    face_up(game, "Self-Repairing Machines", "Laser Holography", "Computer Languages", "Assault Rifles")
    study(game, 0, "Assault Rifles")
    prepare_invasion(game, scripted(tactic=lambda t, s, threat: threat == SPY), TIME)
    table = game.table
    assert table.tokens[1].tolist() == [1, 1, 1, 1]
    assert table.tactic.tolist() == [0, 0, 0, 1]
    assert (table.base_attack, table.face_up_n, table.completed[1], table.studying[0]) == (5, 0, 4, NONE)
    assert log(game, "intel")[0][1:3] == (1, 2)  # one space on, and one by its card
    assert log(game, "mashes")[0][1:4] == (1, 4, 2)
    game = known()
    game.table.tactic[:] = 1
    game.table.tactic_n = 4
    face_up(game, "Planetary Shield")
    invasion.take_leftovers(game, QUIET, 1)
    assert game.table.tactic_n == 4


@pytest.mark.parametrize("multiplier", [2, 3, 4])
def test_attack_cards(multiplier: int) -> None:
    """R-INV-6: the multiplier, face down, for each human, out of the research deck."""
    game = known()
    game.table.multiplier = multiplier
    invasion.deal_attack_cards(game)
    assert against(game) == {0: multiplier, 2: multiplier, 3: multiplier}
    n = 3 * multiplier
    assert (game.table.attack_seen[:n] == NONE).all()
    assert game.secret.deck_n == 90 - n
    drawn = Counter(int(kind) for kind in game.secret.attack_kind[:n])
    assert all(game.secret.deck[k] + drawn[k] == game.table.cards.kind_count[k] for k in range(12))


@pytest.mark.parametrize(
    ("option", "dealt", "deck"), [(1, {2: 5, 3: 5, 4: 5, 5: 5, 0: 5}, 65), (0, {2: 5, 3: 5, 4: 5, 5: 5}, 0)]
)
def test_cards_for_the_attack(option: int, dealt: dict[int, int], deck: int) -> None:
    """A-3: five full queues leave 20 of 90 cards, discards included; 25 are there if queues go back too."""
    game = known(6, card="World Enders", attack_from_all_cards=option, reshuffle_when_dry=0)
    game.table.multiplier, game.table.president = 4, 2
    for p, queue in {0: "10 20", 2: "20 30", 3: "30 40", 4: "40 50", 5: "x2 spy"}.items():
        give_queue(game, p, *queue.split() * 7)
    game.secret.deck[:] = 0
    game.secret.deck[KIND["x0"]], game.secret.discards[KIND["x3"]] = 18, 2
    game.secret.deck_n = 18
    invasion.deal_attack_cards(game)
    assert against(game) == dealt
    assert (game.secret.deck_n, game.table.queue_n.sum()) == (deck, 0 if option else 70)


@pytest.mark.parametrize(
    ("multiplier", "option", "card", "each"), [(3, 2, 0, 5), (3, -2, 0, 1), (2, 0, 1, 3), (2, -2, -1, 0)]
)
def test_number_of_attack_cards(multiplier: int, option: int, card: int, each: int) -> None:
    """A-25: multiplier, option and alien card together, not below 0, president's seat first."""
    game = known(attack_cards=option)
    game.table.cards.alien_effects[0][0] = (ATTACK_CARDS, card, 0)
    game.table.multiplier, game.table.president = multiplier, 3
    invasion.deal_attack_cards(game)
    assert game.table.attack_on[: game.table.attack_n].tolist() == [3] * each + [0] * each + [2] * each


# --- intel and mash ----------------------------------------------------------------------------------------
def intel(game: Any, *uses: int, **answers: Answer) -> list[tuple[Any, ...]]:
    """These uses of intel, then a stop; what happened."""
    left = list(uses)
    decide = scripted(intel=lambda t, s, _: left.pop(0) if left else 0, **answers)
    invasion.use_intel(game, decide, 1)
    return log(game, "turn_up", "move")


def test_intel() -> None:
    """R-INV-7, A-25: uses are mixed freely, and move a card turned up or not, between humans only."""
    game = known(card="Harvester Fleet")
    game.table.tokens[1][CREATIVITY] = 3  # and one by its card
    attack_with(game, p0=("50", "x0"), p2=("spy",), p3=("30",))
    targets: set[int] = set()
    done = intel(
        game, 1, 2, 1, 2, 1,
        turn_up=lambda t, s, card: card == 0 or card == 3,
        move_card=lambda t, s, card: card == (0 if t.attack_on[0] == 0 else 1),
        move_to=lambda t, s, p: targets.add(p) or p == 3,
    )  # fmt: skip
    assert [row[0] for row in done] == ["turn_up", "move", "turn_up", "move"]  # and no fifth
    assert game.table.attack_on[:4].tolist() == [3, 3, 2, 3]
    assert game.table.attack_seen[:4].tolist() == [KIND["50"], NONE, NONE, KIND["30"]]
    assert (targets, game.table.intel_left) == ({2, 3}, 0)


def test_intel_need_not_be_used() -> None:
    """R-INV-7: it may stop early; with all cards turned up it can only move; no space, no card: no use."""
    game = known()
    game.table.tokens[1][CREATIVITY] = 2
    attack_with(game, p0=("50",))
    assert len(intel(game, 1)) == 1
    assert game.table.intel_left == 2
    with pytest.raises(IllegalAnswer):
        intel(game, 1)
    assert (game.fault_seat, game.fault_question) == (1, Q_INTEL)
    game = known(card="Siege Armada")
    attack_with(game, p0=("50",))
    assert intel(game, 1, 1) == []


def mash(game: Any, projects: int, like: Answer = 0) -> dict[int, int]:
    """The mash with so many projects; the cards it brings."""
    game.table.completed[1] = projects
    invasion.make_mashes(game, scripted(mash=like), 1)
    assert (game.table.attack_seen[: game.table.attack_n] == NONE).all()
    return against(game)


def test_mash() -> None:
    """R-INV-8: one card for two projects, one a company, as it chooses; the rest is lost."""
    found = {n: sum(mash(known(), n).values()) for n in (0, 1, 2, 3, 4, 6, 8)}
    assert found == {0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 6: 3, 8: 3}  # against three humans
    assert mash(known(), 4, lambda t, s, p: p) == {3: 1, 2: 1}
    assert mash(known(), 4, lambda t, s, p: 0 if p == 2 else -1) == {2: 1}
    assert mash(known(), 4, -1) == {}  # it may, but need not


@pytest.mark.parametrize(
    ("projects", "each", "limit", "card", "cards"),
    [
        (5, 3, 1, 0, 1), (6, 3, 1, 0, 2), (5, 1, 1, 0, 3), (5, 1, 2, 0, 5), (9, 1, 2, 0, 6), (9, 1, 0, 0, 0),
        (2, 2, 1, 1, 2), (2, 2, 1, -2, 0),
    ],
)  # fmt: skip
def test_mash_options(projects: int, each: int, limit: int, card: int, cards: int) -> None:
    """A-25: projects by `mash_projects`, rounded down, and the alien card's; `mash_limit` a company."""
    game = known(mash_projects=each, mash_limit=limit)
    game.table.cards.alien_effects[0][0] = (MASHES, card, 0)
    dealt = mash(game, projects)
    assert sum(dealt.values()) == cards
    assert max(dealt.values(), default=0) <= limit


def test_intel_comes_before_the_mash() -> None:
    """R-INV-7, A-25: the last intel use is made before the first mash card is drawn."""
    game = known(card="Harvester Fleet")
    own(game, 1, "Assault Rifles", "Guided Missiles", "Alien Anatomy", "Orbital Minefield")
    prepare_invasion(game, scripted(intel=1), TIME)
    order = [row[0] for row in log(game, "attack", "turn_up", "mash", "endgame")]
    assert order == ["attack"] * 3 + ["turn_up"] + ["mash"] * 2 + ["endgame"] * 3


def test_frank() -> None:
    """W-16: 3 and 3, one card moved: 4 and 2; three projects are one mash: 5 and 2."""
    game = known(3, alien=2)
    invasion.deal_attack_cards(game)
    assert against(game) == {0: 3, 1: 3}
    decide = scripted(intel=2, move_card=lambda t, s, card: t.attack_on[card] == 1)
    invasion.use_intel(game, decide, 2)
    assert against(game) == {0: 4, 1: 2}
    own(game, 2, "Assault Rifles", "Guided Missiles", "Alien Anatomy")
    invasion.make_mashes(game, scripted(mash=lambda t, s, p: p == 0), 2)
    assert against(game) == {0: 5, 1: 2}
