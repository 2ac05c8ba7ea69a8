"""Claims, picks, the reveal and the invasion: pieces of games, right as written and wrong when bent."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.referee.fragments import Line, effect, pick, rule_of, run, scooped, table_of
from tests.referee.growth import choose_tactics, take_pick
from tests.referee.invasion import deal_attack, read_winner, take_leftovers
from tests.referee.reader import Reader
from tests.referee.reveal import start_round
from tests.referee.rounds import Round, legal_agendas, read_claim, settle_banks, settle_claims
from tests.referee.table import Table


# -- new projects ---------------------------------------------------------------------------------
def test_event_brings_a_project_and_idle_ones_pick() -> None:
    """A-22, A-26: level 3 is empty, so it comes from level 1."""
    table = table_of()
    table.face_up.clear()
    for company in table.companies.values():
        company.left, company.project, company.bank = company.project, None, 60
    laid = {"do": "lay_out", "seat": 2, "level": 1, "project": "Gamma", "why": "event"}
    picks = [pick(s, "Gamma", left, "idle", (60, b)) for s, left, b in ((1, "Alpha", 60), (2, "Alpha", 60))]
    picks.append(pick(3, "Gamma", "Beta", "idle", (60, 40)))
    assert run(table, [laid, *picks], effect(table, 2, do="lay_out", level=3)) == []


def test_switcher_alone_stays() -> None:
    """A-27: with only its own face up it stays; with another it must leave."""
    table = table_of()
    del table.face_up["Beta"]
    stays = [pick(1, "Alpha", "Alpha", "switched", (70, 70))]
    table.companies[1].bank = 70
    assert run(table, stays, lambda t: take_pick(t, t.companies[1], "switched")) == []
    table = table_of()
    table.companies[1].bank = 70
    assert run(table, stays, lambda t: take_pick(t, t.companies[1], "switched"))


def test_full_track_loses_the_upgrade() -> None:
    """A-20: no space left on the track the card names; elsewhere it must be taken."""
    table = table_of()
    table.companies[3].tokens["staffing"] = 2
    assert run(table, [], effect(table, 3, do="upgrade", amount=1, ability="staffing")) == []
    line = {"do": "upgrade", "seat": 3, "ability": "staffing", "source": "event", "project": None}
    full = [line | {"tokens": 3, "value": 5}]
    assert "A-20" in rule_of(run(table, full, effect(table, 3, do="upgrade", amount=1)))
    assert rule_of(run(table, [], effect(table, 3, do="upgrade", amount=1))) == "R-SET-2"


# -- agendas and claims ---------------------------------------------------------------------------
def test_legal_agendas() -> None:
    """R-AGD-2, A-8."""
    table = table_of(ports=2)
    company = table.companies[1]
    assert set(legal_agendas(table, company)) == {"research", "submit", "switch"}
    table.rules = table.rules | {"empty_submission": 0}
    assert set(legal_agendas(table, company)) == {"research", "switch"}
    company.queue = ["10", "10"]
    assert set(legal_agendas(table, company)) == {"submit", "switch"}


def claim_line(seat: int, points: int) -> Line:
    """A claim of Alpha."""
    facts = {"project": "Alpha", "points": points, "vault": "secret", "claimed": 1}
    return {"do": "claim", "seat": seat, **facts}


def test_tied_claim() -> None:
    """R-SUB-5: the president decides; the other is scooped."""
    tie: Line = {"do": "tie", "president": 1, "among": [1, 2], "seat": 2, "why": "claim"}
    rest = [claim_line(2, 90), scooped(1, 2, "submitted", (0, 90, 90), [])]

    def judge_claims(lines: list[Line], totals: dict[int, int]) -> list[str]:
        now = Round({1: "submit", 2: "submit", 3: "research"}, totals)
        return run(table_of(), lines, lambda t: settle_claims(t, now))

    assert judge_claims([tie, *rest], {1: 90, 2: 90}) == []
    assert judge_claims(rest, {1: 90, 2: 90})
    assert judge_claims([tie, *rest], {1: 80, 2: 90})
    assert judge_claims([tie | {"seat": 3}, *rest], {1: 90, 2: 90})
    assert rule_of(judge_claims([], {1: 60})) == "R-SUB-5"
    assert judge_claims([], {1: 59, 2: 0}) == []


@pytest.mark.parametrize("option", [0, 1])
def test_scooped_switchers(option: int) -> None:
    """A-SCP-2: a switcher banks 10 a card, uncut; with the option it is scooped and cut."""
    cards = ["10", "spy"]
    cut = [scooped(1, 2, "switched", (95, 20, 100), cards)]
    uncut = {"why": "switch", "added": 20, "bank_before": 95, "bank": 115, "discarded": cards}
    banked = [{"do": "bank", "seat": 1, **uncut}]

    def judge_switch(lines: list[Line]) -> list[str]:
        table = table_of(switchers_scooped=option)
        table.companies[1].bank, table.companies[1].queue = 95, list(cards)
        now = Round({1: "switch", 2: "submit"}, {2: 60})

        def play(t: Table) -> None:
            read_claim(t, now, t.companies[2], t.face_up["Alpha"])
            settle_banks(t, now)

        return run(table, [claim_line(2, 60), *lines], play)

    assert judge_switch(cut if option else banked) == []
    assert judge_switch(banked if option else cut)


# -- reveal and invasion --------------------------------------------------------------------------
def reveal_lines(forced: bool, rounds: int) -> list[Line]:
    """Seat 2 reveals as president: the badge goes to seat 3, seat 1 is scooped and picks Beta."""
    facts = {"card": "Raiding Party", "forced": forced, "project": "Alpha", "discarded": []}
    lost = {"bank_lost": 0, "events_lost": [], "rounds": rounds}
    tokens = {"eti": 0, "intel": 1, "tactics": 0, "brutality": 0}
    return [
        {"do": "round", "round": 2, "president": 2, "claimed": 2},
        {"do": "reveal", "seat": 2, **facts, **lost, "claimed": 3},
        {"do": "alien_board", "seat": 2, "tokens": tokens, "values": tokens | {"eti": 1, "intel": 2}}
        | {"tactics": []},
        {"do": "badge", "president": 3, "why": "reveal", "claimed": 3},
        scooped(1, 2, "reveal", (130, 0, 100), []),
        pick(1, "Beta", "Alpha", "reveal", (100, 30)),
    ]


def judge_reveal(lines: list[Line], claimed: int = 2, **rules: int) -> list[str]:
    """The start of round 2 with seat 2 as president."""
    table = table_of(**rules)
    table.president, table.claimed = 2, claimed
    table.companies[1].bank = 130
    return run(table, lines, start_round)


def test_reveal_of_a_president() -> None:
    """R-INV-1, R-INV-2, A-2, A-19."""
    lines = reveal_lines(False, 1)
    assert judge_reveal(lines) == []
    assert rule_of(judge_reveal(lines[:3] + lines[4:])) == "A-2"
    assert judge_reveal(lines[:3] + lines[4:], badge_leaves_alien=0) == []
    assert judge_reveal(lines, badge_leaves_alien=0)
    wait = [lines[0], {"do": "wait", "seat": 2}]
    assert judge_reveal(wait) == []
    assert judge_reveal([lines[0]])
    early = [lines[0] | {"claimed": 1}]
    assert judge_reveal(early, claimed=1) == []
    assert judge_reveal([*early, wait[1]], claimed=1) == ["left over: wait"]
    late = [lines[0] | {"claimed": 6}, wait[1]]
    assert rule_of(judge_reveal(late, claimed=6)) == "R-INV-1"
    table = table_of()
    table.rules["max_rounds"] = 2
    table.president, table.claimed, table.companies[1].bank = 2, 2, 130
    assert run(table, reveal_lines(True, 0), start_round) == []


@pytest.mark.parametrize(
    ("rounds_left", "face_up", "max_rounds", "reasons"),
    [
        (2, True, 100, []),
        (1, True, 100, ["time"]),
        (2, False, 100, ["no project"]),
        (1, False, 100, ["no project"]),
        (2, True, 2, ["limit"]),
    ],
)
def test_when_the_invasion_comes(
    rounds_left: int, face_up: bool, max_rounds: int, reasons: list[str]
) -> None:
    """R-INV-4, A-19: at the start of round 2, after a reveal in round 1."""
    table = table_of(max_rounds=max_rounds)
    table.revealed_in, table.rounds_left = 1, rounds_left
    if not face_up:
        table.face_up.clear()
    begin = {"do": "round", "round": 2, "president": 1, "claimed": 0}
    table.reader = Reader([begin])
    assert start_round(table) == reasons
    assert table.reader.verdict.ok


def test_leftovers_bring_tactics() -> None:
    """R-INV-5, A-21: Beta's security upgrade is a tactic more."""
    left = {"do": "leftovers", "seat": 2, "projects": ["Alpha", "Beta"]}
    up = {"do": "upgrade", "seat": 2, "ability": "tactics", "source": "project", "project": "Beta"}
    lines = [
        left,
        up | {"tokens": 1, "value": 1},
        {"do": "tactic", "seat": 2, "threat": "spy", "tactics": ["spy"]},
    ]

    def judge_leftovers(lines: list[Line]) -> list[str]:
        table = table_of()
        table.alien_tokens = {"eti": 0, "intel": 1, "tactics": 0, "brutality": 0}
        return run(table, lines, take_leftovers)

    assert judge_leftovers(lines) == []
    assert "A-21" in rule_of(judge_leftovers(lines[:2]))
    assert rule_of(judge_leftovers([left | {"projects": ["Beta"]}, *lines[1:]])) == "R-INV-5"


def test_immunities_are_all_tactics() -> None:
    """R-INV-3, A-21: none is lost, even if the tactics track allows fewer."""
    table = table_of()
    table.alien_tokens = {"eti": 0, "intel": 1, "tactics": 0, "brutality": 0}
    table.tactics = ["spy", "arson"]
    assert run(table, [], choose_tactics) == []


def test_attack_cards_from_what_is_left() -> None:
    """A-3: without the option queues keep their cards, and the deal ends when the deck does."""
    lines = [
        {"do": "attack", "seat": 1, "cards": [{"id": 1, "card": "20"}]},
        {"do": "attack", "seat": 3, "cards": []},
    ]

    def judge_attack(option: int) -> list[str]:
        table = table_of(attack_from_all_cards=option)
        table.deck, table.in_deck, table.discards = Counter(), 0, Counter(["20"])
        table.companies[3].queue = ["50", "50"]
        table.alien.revealed = True
        return run(table, lines, deal_attack)

    assert judge_attack(0) == []
    assert rule_of(judge_attack(1)) == "R-INV-6 A-25"


def test_last_tie_and_no_survivor() -> None:
    """R-INV-12, A-29: the last president decides, even if destroyed; nobody alive: the alien."""
    tie: Line = {"do": "tie", "president": 1, "among": [3, 1], "seat": 3, "why": "win"}
    won: Line = {"do": "winner", "seat": 3, "role": "human", "why": "tie", "fame": 30}
    assert run(table_of(), [tie, won], lambda t: read_winner(t, {1: 30, 3: 30})) == []
    assert run(table_of(), [won], lambda t: read_winner(t, {1: 30, 3: 30}))
    assert run(table_of(), [won | {"why": "fame"}], lambda t: read_winner(t, {1: 20, 3: 30})) == []
    alien = {"do": "winner", "seat": 2, "role": "alien", "why": "no survivor", "fame": None}
    assert run(table_of(), [alien], lambda t: read_winner(t, {})) == []
