"""Fragments of traces: what one line or a few must look like, from a table set up for them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.cards import read_cards
from tests.referee.effects import carry_out, take_deal
from tests.referee.reader import Reader, RuleBroken
from tests.referee.reveal import reveal
from tests.referee.rounds import Round, settle_claims
from tests.referee.sample import CARDS, default_rules
from tests.referee.table import Table

Line = dict[str, Any]


def table_for(lines: list[Line], players: int = 4, **rules: int) -> Table:
    """A table with these lines to come; seat 1 is president, seat 4 the alien."""
    table = Table(Reader(lines), players, default_rules(**rules), read_cards(CARDS))
    table.piles = {level: [] for level in range(1, 6)}
    table.alien = table.companies[players]
    table.alien.role, table.alien.card = "alien", "Raiding Party"
    return table


def violations(table: Table, act: Any) -> list[str]:
    """What is found when the fragment is read to its end."""
    try:
        act()
        table.reader.check("trace", table.reader.peek() == "", "lines are left over")
    except RuleBroken:
        pass
    return table.reader.verdict.violations


# -- ties and claims (R-SUB-5) --------------------------------------------------------------------
def tie(among: list[int], seat: int) -> Line:
    return {"do": "tie", "president": 1, "among": among, "seat": seat, "why": "claim"}


def claim(seat: int, project: str, claimed: int) -> Line:
    return {
        "do": "claim",
        "seat": seat,
        "project": project,
        "points": 80,
        "vault": "public",
        "claimed": claimed,
    }


def scooped(seat: int, project: str, by: int, why: str = "submitted", added: int = 80) -> Line:
    banks = {"added": added, "bank_before": 0, "bank": added, "discarded": []}
    return {"do": "scooped", "seat": seat, "project": project, "by": by, "why": why, **banks}


def claims_of(lines: list[Line]) -> list[str]:
    """Seats 1 and 4 submit 80 for Gamma, 2 and 3 submit 80 for Alpha."""
    table = table_for(lines)
    now = Round()
    for seat, name in {1: "Gamma", 2: "Alpha", 3: "Alpha", 4: "Gamma"}.items():
        table.face_up[name] = table.companies[seat].project = table.cards.projects[name]
        now.totals[seat], now.agendas[seat] = 80, "submit"
    return violations(table, lambda: settle_claims(table, now))


TIES = [tie([1, 4], 4), tie([2, 3], 2)]
ALPHA = [claim(2, "Alpha", 1), scooped(3, "Alpha", 2)]
GAMMA = [claim(4, "Gamma", 2), scooped(1, "Gamma", 4)]


def test_ties_come_first_then_claims_clockwise() -> None:
    """Both ties stand before the first claim, and seat 2 claims before seat 4."""
    assert claims_of([*TIES, *ALPHA, *GAMMA]) == []


@pytest.mark.parametrize(
    "lines",
    [
        [TIES[0], *GAMMA, TIES[1], *ALPHA],  # a tie after a claim
        [*reversed(TIES), *ALPHA, *GAMMA],  # Gamma's first submitter is the president
        [*TIES, claim(4, "Gamma", 1), GAMMA[1], claim(2, "Alpha", 2), ALPHA[1]],  # not clockwise
        [*TIES, ALPHA[0], *GAMMA],  # seat 3 is not scooped
        [*TIES, *ALPHA],  # a project reached is not claimed
        [tie([1, 4], 2), TIES[1], *ALPHA, *GAMMA],  # the chosen one is not tied
    ],
)
def test_wrong_ties_and_claims(lines: list[Line]) -> None:
    """What the format and R-SUB-5 forbid."""
    assert claims_of(lines)


# -- dealing (R-RES-2, R-RES-3, A-5) --------------------------------------------------------------
SHUFFLE = {"do": "reshuffle", "what": "research", "order": None}


def deal(cards: list[str], lost: list[str] = [], wanted: int = 3) -> Line:  # noqa: B006
    ports = list(range(1, len(cards) + 1))
    return {
        "do": "deal",
        "seat": 1,
        "why": "event",
        "cards": cards,
        "ports": ports,
        "lost": lost,
        "wanted": wanted,
    }


def deal_of(lines: list[Line], discards: list[str], **rules: int) -> list[str]:
    """Three cards are due to seat 1, and a single 10 is in the deck."""
    table = table_for(lines, **rules)
    table.deck.clear()
    table.deck["10"] = table.in_deck = 1
    table.put_away(discards)
    return violations(table, lambda: take_deal(table, table.companies[1], "event", 3))


@pytest.mark.parametrize(
    ("lines", "discards", "rules"),
    [
        ([deal(["10", "20", "x2"]), SHUFFLE], ["x2", "20"], {}),
        ([deal(["10"])], [], {}),  # no discards: the deal ends, nothing is shuffled
        ([deal(["10"])], ["20"], {"reshuffle_when_dry": 0}),
        ([deal(["10", "20"]), SHUFFLE], ["20"], {}),  # discards used up as well
        ([deal(["10"], ["20", "20"]), SHUFFLE], ["20"], {"ports": 1}),  # the lost card comes again
    ],
)
def test_dry_deck(lines: list[Line], discards: list[str], rules: dict[str, int]) -> None:
    """A-5: the reshuffle is told after the deal."""
    assert deal_of(lines, discards, **rules) == []


@pytest.mark.parametrize(
    ("lines", "discards", "rules"),
    [
        ([SHUFFLE, deal(["10", "20", "x2"])], ["x2", "20"], {}),  # before the deal
        ([deal(["10", "20", "x2"])], ["x2", "20"], {}),  # not told
        ([deal(["10"])], ["20", "20"], {}),  # ended too early
        ([deal(["20", "10", "x2"]), SHUFFLE], ["x2", "20"], {}),  # a discard before the deck was dry
        ([deal(["10", "20", "20"]), SHUFFLE], ["x2", "20"], {}),  # only one 20 there
        ([deal(["10"], ["20", "x2"]), SHUFFLE], ["x2", "20"], {}),  # lost with ports free
        ([deal(["10", "20"]), SHUFFLE], ["20"], {"reshuffle_when_dry": 0}),
    ],
)
def test_wrong_dry_deck(lines: list[Line], discards: list[str], rules: dict[str, int]) -> None:
    """What A-5 forbids."""
    assert deal_of(lines, discards, **rules)


# -- looking and discarding -----------------------------------------------------------------------
def effect_of(lines: list[Line], do: str, queue: list[str]) -> list[str]:
    """Seat 1 with this queue and no analysis looks at, or discards, two cards."""
    table = table_for(lines)
    table.companies[1].queue = list(queue)
    return violations(table, lambda: carry_out(table, table.companies[1], [{"do": do, "amount": 2}]))


def shown(do: str, ports: list[int], cards: list[str]) -> Line:
    return {"do": do, "seat": 1, "ports": ports, "cards": cards}


def test_look_is_always_told_a_discard_only_of_cards() -> None:
    """A look at nothing has a line; a discard of nothing has none."""
    assert effect_of([shown("look", [], [])], "look", []) == []
    assert effect_of([], "look", [])
    assert effect_of([], "discard", []) == []
    assert effect_of([shown("discard", [], [])], "discard", [])
    queue = ["10", "spy", "x2"]
    assert effect_of([shown("look", [1, 2], ["10", "spy"])], "look", queue) == []
    assert effect_of([shown("look", [2, 3], ["spy", "x2"])], "look", queue)
    assert effect_of([shown("discard", [2, 3], ["spy", "x2"])], "discard", queue) == []
    assert effect_of([shown("discard", [3], ["x2"])], "discard", queue)


# -- the reveal (R-INV-2, A-2) --------------------------------------------------------------------
REVEAL = {"do": "reveal", "seat": 4, "card": "Raiding Party", "forced": True, "project": "Alpha"}
REVEAL |= {"discarded": [], "bank_lost": 0, "events_lost": [], "claimed": 1, "rounds": 1}
NOUGHT = {"eti": 0, "intel": 0, "tactics": 0, "brutality": 0}
VALUES = {"eti": 1, "intel": 1, "tactics": 0, "brutality": 0}
BOARD = {"do": "alien_board", "seat": 4, "tokens": NOUGHT, "values": VALUES, "tactics": []}
BADGE = {"do": "badge", "president": 1, "why": "reveal", "claimed": 1}
SCOOPED = scooped(2, "Alpha", 4, "reveal", 0)


def pick(seat: int, why: str, left: str | None) -> Line:
    banks = {"bank_before": 0, "bank": 0}
    return {"do": "pick", "seat": seat, "project": "Gamma", "left": left, "why": why, **banks}


def reveal_of(lines: list[Line], **rules: int) -> list[str]:
    """The alien, seat 4, is president; seat 2 studies its project, 1 another, 3 is idle."""
    table = table_for(lines, **rules)
    table.president = 4
    table.face_up = {name: table.cards.projects[name] for name in ("Alpha", "Gamma")}
    for seat, name in {1: "Gamma", 2: "Alpha", 4: "Alpha"}.items():
        table.companies[seat].project = table.face_up[name]
    return violations(table, lambda: reveal(table, True, False))


PICKS = [pick(2, "reveal", "Alpha"), pick(3, "idle", None)]


def test_reveal_of_the_president() -> None:
    """The badge goes before the scooped lines, then the scooped and the idle pick."""
    assert reveal_of([REVEAL, BOARD, BADGE, SCOOPED, *PICKS]) == []
    assert reveal_of([REVEAL, BOARD, SCOOPED, *PICKS], badge_leaves_alien=0) == []
    assert reveal_of([REVEAL, BOARD, SCOOPED, BADGE, *PICKS])
    assert reveal_of([REVEAL, BOARD, SCOOPED, *PICKS])
    assert reveal_of([REVEAL, BOARD, BADGE, SCOOPED, PICKS[0]])
    assert reveal_of([REVEAL, BOARD, BADGE, *PICKS])
    assert reveal_of([REVEAL, BOARD, BADGE, SCOOPED, *reversed(PICKS)])
