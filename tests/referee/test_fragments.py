"""Events, trades, votes and cards: pieces of games, right as written and wrong when bent."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.referee.cards import Event
from tests.referee.effects import take_deal
from tests.referee.events import draw_event, event_phase, play_kept_events, read_due, read_votes
from tests.referee.fragments import Line, effect, give, rule_of, run, table_of
from tests.referee.rounds import pass_badge
from tests.referee.table import Offer, Table

BETA_MOVES = {"do": "project_moves", "seat": 3, "to": 1, "project": "Beta", "why": "event"}
SECURITY = {"seat": 1, "ability": "security", "source": "project", "project": "Beta"}


# -- projects that change hands -------------------------------------------------------------------
def table_with_beta() -> Table:
    """Seat 3 holds Beta and the immunity it brought."""
    table = table_of()
    company = give(table, 3, "Beta")
    company.tokens["security"], company.immune = 1, ["arson"]
    return table


def taken() -> list[Line]:
    """Seat 1 takes Beta: both tracks and both immunities change."""
    down = {"seat": 3, "ability": "security", "project": "Beta", "tokens": 0, "value": 0}
    return [
        BETA_MOVES,
        {"do": "downgrade", **down},
        {"do": "immunity_lost", "seat": 3, "threat": "arson", "immune": []},
        {"do": "upgrade", **SECURITY, "tokens": 2, "value": 2},
        {"do": "immunity", "seat": 1, "threat": "arson", "immune": ["spy", "arson"]},
    ]


def test_take_project() -> None:
    """A-23, R-EVT-3, A-6."""
    assert run(table_with_beta(), taken(), effect(table_of(), 1, do="take_project", level=1)) == []
    for at in range(5):
        lines = [line for n, line in enumerate(taken()) if n != at]
        assert run(table_with_beta(), lines, effect(table_of(), 1, do="take_project", level=1)), at
    low = run(table_with_beta(), taken(), effect(table_of(), 1, do="take_project", level=0))
    assert low == ["left over: project_moves"]


def test_immunity_lost_first_or_last() -> None:
    """A-6 and its option."""
    for option, lost, left in ((1, "spy", ["arson"]), (0, "arson", ["spy"])):
        table = table_with_beta()
        table.rules = table.rules | {"immunity_lost_last": option}
        table.companies[3].immune, table.companies[3].granted = ["arson", "spy"], 1
        lines = taken()
        lines[2] = {"do": "immunity_lost", "seat": 3, "threat": lost, "immune": left}
        assert run(table, lines, effect(table, 1, do="take_project", level=1)) == []


def due_line(**facts: Any) -> Line:
    """Seat 1 owes seat 3."""
    usual = {"honoured": True, "points": 20, "project": None, "event": None, "promise": True}
    return {"do": "due", "seat": 1, "to": 3, **(usual | facts)}


def test_due_offers() -> None:
    """A-15: honoured as far as the bank goes, or broken; A-14: only the honoured leave a promise."""
    offer = Offer(1, 3, 50, None, None, True)
    moved = {"do": "bank_moves", "seat": 1, "to": 3, "points": 20, "bank": 0, "to_bank": 20}
    for lines, promises in (
        ([due_line(), moved], 1),
        ([due_line(honoured=False, points=0, promise=False)], 0),
    ):
        table = table_of()
        table.companies[1].bank = 20
        assert run(table, lines, lambda t: read_due(t, offer)) == []
        assert table.promises[1, 3] == promises
    table = table_of()
    table.companies[1].bank = 20
    assert rule_of(run(table, [due_line(points=50), moved], lambda t: read_due(t, offer))) == "A-15"


# -- votes ----------------------------------------------------------------------------------------
def vote(seat: int, company: int, votes: int = 1) -> Line:
    """A vote."""
    return {"do": "vote", "seat": seat, "company": company, "votes": votes}


def plain_vote() -> Event:
    """Any vote."""
    return Event("Vote", 0, "vote", None, True, None, "self", ())


def test_tied_vote() -> None:
    """R-EVT-5: the president decides among the tied."""
    votes = [vote(1, 2), vote(2, 1)]
    tie: Line = {"do": "tie", "president": 1, "among": [1, 2], "seat": 1, "why": "vote"}
    elected = {"do": "elected", "seat": 1, "votes": {"1": 1, "2": 1, "3": 0}}

    def judge_votes(lines: list[Line]) -> list[str]:
        table = table_of()
        give(table, 1, "Alpha")
        give(table, 2, "Gamma")
        return run(table, lines, lambda t: read_votes(t, plain_vote()))

    assert judge_votes([*votes, tie, elected]) == []
    assert rule_of(judge_votes([*votes, elected])) == "R-EVT-5"
    assert rule_of(judge_votes([*votes, tie | {"seat": 3}, elected])) == "R-EVT-5"
    assert rule_of(judge_votes([*reversed(votes), tie, elected])).startswith("R-EVT-4")
    assert rule_of(judge_votes([*votes, vote(3, 1, 0), tie, elected])) == "R-EVT-5"


def test_promise_must_be_settled() -> None:
    """A-14: kept towards one, broken towards the other."""
    lines = [vote(1, 2), {"do": "promise", "seat": 1, "to": 2, "kept": True}]
    broken = {"do": "promise", "seat": 1, "to": 3, "kept": False}
    elected = {"do": "elected", "seat": 2, "votes": {"1": 0, "2": 1, "3": 0}}

    def judge_votes(lines: list[Line]) -> list[str]:
        table = table_of()
        give(table, 1, "Alpha")
        table.promises.update([(1, 2), (1, 3)])
        return run(table, lines, lambda t: read_votes(t, plain_vote()))

    assert judge_votes([*lines, broken, elected]) == []
    assert rule_of(judge_votes([*lines, elected])) == "A-14"
    assert rule_of(judge_votes([*lines, broken | {"kept": True}, elected])) == "A-14"


# -- research cards -------------------------------------------------------------------------------
def deal_line(cards: str, lost: str, wanted: int, first: int = 1) -> Line:
    """Cards for seat 1."""
    dealt = cards.split()
    ports = list(range(first, first + len(dealt)))
    facts: Line = {"seat": 1, "why": "event", "cards": dealt, "ports": ports}
    return {"do": "deal", **facts, "lost": lost.split(), "wanted": wanted}


def judge_deal(lines: list[Line], deck: str, discards: str, queue: str, **rules: int) -> list[str]:
    """A deal of four to seat 1."""
    table = table_of(**rules)
    table.deck, table.discards = Counter(deck.split()), Counter(discards.split())
    table.in_deck = table.deck.total()
    table.companies[1].queue = queue.split()
    return run(table, lines, lambda t: take_deal(t, t.companies[1], "event", 4))


def test_deal() -> None:
    """R-RES-3, A-5: lost cards, a dry deck, both ways of the option."""
    shuffle = {"do": "reshuffle", "what": "research", "order": None}
    full, three = deal_line("10 20", "30 40", 4, first=2), deal_line("10 20 30", "", 4)
    assert judge_deal([full], "10 20 30 40", "", "50", ports=3) == []
    assert rule_of(judge_deal([full], "10 20 30 40", "", "50")) == "R-RES-3"
    assert judge_deal([three, shuffle], "10 20", "30", "") == []
    assert rule_of(judge_deal([shuffle, three], "10 20", "30", "")) == "R-RES-1"
    assert rule_of(judge_deal([three], "10 20", "30", "")) == "A-5"
    assert rule_of(judge_deal([three], "10 20 30 40", "", "")) == "R-RES-2 A-5"
    two = deal_line("10 20", "", 4)
    assert judge_deal([two], "10 20", "30", "", reshuffle_when_dry=0) == []
    assert "no '20' is left" in judge_deal([two], "10 10 30", "", "")[0]


def test_discard_and_look() -> None:
    """The last cards go; the lowest unseen ports are shown, each once."""
    table = table_of()
    company = table.companies[1]
    company.queue = ["10", "20", "30", "40", "50"]
    company.tokens["analysis"] = 1  # sees two ports
    look: Line = {"do": "look", "seat": 1, "ports": [3], "cards": ["30"]}
    again = look | {"ports": [4, 5], "cards": ["40", "50"]}
    assert run(table, [look], effect(table, 1, do="look", amount=1)) == []
    assert run(table, [again], effect(table, 1, do="look", amount=3)) == []
    gone = {"do": "discard", "seat": 1, "ports": [4, 5], "cards": ["40", "50"]}
    assert run(table, [gone], effect(table, 1, do="discard", amount=2)) == []
    assert (company.queue, company.looked) == (["10", "20", "30"], {3})
    wrong = gone | {"ports": [2, 3], "cards": ["30", "20"]}
    assert rule_of(run(table, [wrong], effect(table, 1, do="discard", amount=2))) == "R-RES-4"


# -- events ---------------------------------------------------------------------------------------
def test_event_deck_runs_out() -> None:
    """A-30, R-EVT-6."""
    table = table_of()
    give(table, 1, "Gamma")
    table.event_deck, events = [], table.event_deck
    none = {"do": "no_event", "president": 1, "why": "no card"}
    assert run(table, [none], draw_event) == []
    table.event_discards = events[:2]
    badge = {"do": "badge", "president": 2, "why": "round", "claimed": 0}
    shuffle = {"do": "reshuffle", "what": "events", "order": ["Hearing", "Grant"]}
    assert rule_of(run(table, [badge], pass_badge)) == "R-EVT-6"
    table.president = 1
    assert run(table, [badge, shuffle], pass_badge) == []
    assert [event.name for event in table.event_deck] == ["Hearing", "Grant"]


def test_everyone_from_the_president() -> None:
    """An event for everyone goes clockwise from the president."""

    def judge_event(order: tuple[int, ...]) -> list[str]:
        table = table_of()
        table.president = 2
        give(table, 2, "Gamma")
        table.event_deck = [table.cards.events["Windfall"]]
        lines: list[Line] = [{"do": "event", "event": "Windfall", "president": 2}]
        lines += [{"do": "points", "seat": s, "amount": 10, "bank_before": 0, "bank": 10} for s in order]
        return run(table, [*lines, {"do": "event_over", "event": "Windfall"}], event_phase)

    assert judge_event((2, 3, 1)) == []
    assert judge_event((1, 2, 3))
    assert judge_event((2, 3))


def test_kept_events() -> None:
    """A-17: only cards in hand and of the round, in the card file's order."""
    table = table_of()
    kept = [
        Event(name, place, "president", None, True, "round", "other", ()) for place, name in enumerate("AB")
    ]

    def judge_plays(plays: list[tuple[int, str, int]]) -> list[str]:
        table.companies[2].hand = list(kept)
        lines: list[Line] = []
        for seat, name, on in plays:
            lines.append({"do": "play", "seat": seat, "event": name, "on": on})
            lines.append({"do": "event_over", "event": name})
        return run(table, lines, play_kept_events)

    assert judge_plays([(2, "A", 1), (2, "B", 3)]) == []
    assert judge_plays([(2, "B", 1)]) == []
    assert judge_plays([(2, "B", 1), (2, "A", 1)])
    assert judge_plays([(2, "A", 2)])  # its target is another company
    assert judge_plays([(1, "A", 2)])  # not in this hand
