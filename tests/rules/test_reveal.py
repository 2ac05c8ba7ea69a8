"""The reveal and the last rounds (chapter 4.1 of the rules page), rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.eti import state
from sim.games.eti.companies import track_value
from sim.games.eti.engine import begin_round, pass_badge, play_round
from sim.games.eti.events import hold_vote, resolve_event
from sim.games.eti.invasion import reveal, reveal_phase
from sim.games.eti.projects import new_projects
from sim.games.eti.state import ALIEN_VAULT, NONE, PUBLIC, RESEARCH, SECURITY, STAFFING, SUBMIT, TIME
from sim.games.eti.submission import settle_submissions
from tests.kit import EVENT, KIND, PROJECT, face_up, give_queue, scripted, study
from tests.rules.help import (
    ABDUCTION,
    ARSON,
    QUIET,
    SPY,
    VIRUS,
    immune,
    invaded,
    known,
    log,
    own,
    ready,
    run_event,
    stack,
)


# --- the reveal --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claimed", "wish", "asked", "revealed"),
    [(11, 1, 0, 0), (12, 0, 1, 0), (12, 1, 1, 1), (13, 1, 1, 1), (15, 0, 1, 0), (16, 0, 0, 1), (17, 0, 0, 1)],
)
def test_when_the_alien_reveals(claimed: int, wish: int, asked: int, revealed: int) -> None:
    """R-INV-1: four players, multiplier 3: it may from 12 claims on, and must from 16 on, jumped over or not."""
    game = invaded()
    face_up(game, "Assault Rifles")
    game.table.claimed = claimed
    questions: list[int] = []
    reveal_phase(game, scripted(reveal=lambda t, s, _: questions.append(int(s.me)) or wish))
    assert questions == [1] * asked
    assert (game.table.alien == 1) == revealed
    assert log(game, "reveal") == ([("reveal", 1, claimed >= 16, NONE, 0, 3)] if revealed else [])


@pytest.mark.parametrize(("extra", "forced_at"), [(0, 12), (1, 16), (2, 20)])
def test_when_it_must_by_option(extra: int, forced_at: int) -> None:
    """R-INV-1: players × (multiplier + `must_reveal_extra`)."""
    for claimed in (forced_at - 1, forced_at):
        game = invaded(must_reveal_extra=extra)
        game.table.claimed = claimed
        reveal_phase(game, QUIET)
        assert (game.table.alien == 1) == (claimed == forced_at)


def test_reveal_in_a_standard_game_of_three() -> None:
    """W-9: from the 9th claim on the alien may reveal, after the 12th it must."""
    told = {}
    for claimed in (8, 9, 11, 12):
        game = ready(3)
        assert (game.table.threshold, game.table.must_reveal) == (9, 12)
        game.table.claimed = claimed
        game.log_n = 0
        reveal_phase(game, QUIET)
        told[claimed] = [row[0] for row in log(game, "wait", "reveal")]
    assert told == {8: [], 9: ["wait"], 11: ["wait"], 12: ["reveal"]}


def test_the_hidden_aliens_claims_count_too() -> None:
    """R-INV-1: the alien's own claim is the 12th; it reveals in the next round, before the event."""
    game = invaded()
    face_up(game, "Synthetic Polymers", "Assault Rifles")
    study(game, 1, "Synthetic Polymers")
    own(game, 0, "Computer Languages")
    stack(game, "Open Lecture")
    table = game.table
    table.claimed, table.agenda[1], table.total[1] = 11, SUBMIT, 70
    assert reveal_phase(game, scripted(reveal=1)) == NONE and table.alien == NONE
    settle_submissions(game, QUIET)
    assert (table.claimed, table.alien) == (12, NONE)
    study(game, 1, "Assault Rifles")
    play_round(game, scripted(reveal=1, offer_to=-1))
    assert [row[0] for row in log(game, "reveal", "event")] == ["reveal", "event"]


def reveal_of_coolants(president: int = 3, **rules: int) -> Any:
    """Seat 1 reveals; seats 0 and 3 study its project (chemistry, 120), seats 2 and 4 do not."""
    game = invaded(5, **rules)
    face_up(game, "Cryogenic Coolants", "Guided Missiles", "High-Energy Propellants")
    for p, name in enumerate(["Cryogenic Coolants"] * 2 + ["Guided Missiles", "Cryogenic Coolants"]):
        study(game, p, name)
    game.table.president = president
    game.table.bank[:5] = [130, 77, 250, 20, 40]
    give_queue(game, 0, *["50"] * 5)
    give_queue(game, 2, *["40"] * 4)
    give_queue(game, 3, *["10"] * 3)
    propellants = PROJECT["High-Energy Propellants"]
    reveal(game, scripted(rate_project=lambda t, s, k: (k == propellants) == (s.me == 3)), 1, False, False)
    return game


def test_what_the_reveal_does() -> None:
    """R-INV-2: it takes its project; rivals bank 10 a card, are cut to 100 and pick, president first."""
    game = reveal_of_coolants()
    table, coolants = game.table, PROJECT["Cryogenic Coolants"]
    assert (table.owner[coolants], table.place[coolants]) == (1, ALIEN_VAULT)
    assert coolants not in table.face_up[: table.face_up_n]
    assert [row[1] for row in log(game, "scooped")] == [3, 0]
    assert [row[1:3] for row in log(game, "pick")] == [
        (3, PROJECT["High-Energy Propellants"]),
        (4, PROJECT["Guided Missiles"]),  # idle so far
        (0, PROJECT["Guided Missiles"]),
    ]
    # 130 + 50, cut to 100, half of 130 to a ten; 250 stays; 20 + 30 in the same field
    assert table.bank[:5].tolist() == [60, 0, 250, 50, 40]
    assert table.queue_n[:5].tolist() == [0, 0, 4, 0, 0]
    assert table.studying[1] == NONE


def test_what_the_alien_leaves_behind() -> None:
    """A-10: queue, bank and events in hand are discarded."""
    game = invaded()
    give_queue(game, 1, "50", "x3", "x3")
    game.table.bank[1], game.table.held_n[1] = 90, 1
    game.seats[1].held = 1 << EVENT["Bunker Blueprints"]
    reveal(game, QUIET, 1, False, False)
    table, secret = game.table, game.secret
    assert (table.bank[1], table.queue_n[1], table.held_n[1], game.seats[1].held) == (0, 0, 0, 0)
    assert (secret.discards[KIND["50"]], secret.discards[KIND["x3"]], secret.discards.sum()) == (1, 2, 3)
    assert secret.event_discards == 1 << EVENT["Bunker Blueprints"]


def test_the_alien_stands_aside() -> None:
    """R-INV-2: it neither votes nor is elected, gains nothing, and nobody trades with it."""
    game = known()
    own(game, 1, "Antigravity Drive")
    own(game, 0, "Assault Rifles")
    own(game, 2, "Guided Missiles")
    offered: set[tuple[int, int]] = set()
    named: set[int] = set()
    decide = scripted(
        offer_to=lambda t, s, q: offered.add((int(s.me), q)) or -1,
        vote=lambda t, s, q: named.add(q) or q == 3,
    )
    assert hold_vote(game, decide, NONE) == 3
    assert game.table.votes[:4].tolist() == [0, 0, 0, 1 + 2]
    assert named == {0, 2, 3}
    assert offered == {(0, 2), (2, 0), (3, 0), (3, 2)}
    stack(game, "Open Lecture")  # 20 points for all but the president
    run_event(game)
    assert game.table.bank[:4].tolist() == [0, 0, 20, 20]


def test_projects_come_through_events_only() -> None:
    """R-INV-2, A-22: a claim after the reveal turns nothing up, an event does, and the idle pick at once."""
    for alien, laid_out in ((NONE, 1), (1, 0)):
        game = invaded()
        game.table.alien, game.table.alien_card = alien, 0
        own(game, 0, "Assault Rifles")
        new_projects(game, QUIET, 1 << 0, 0)
        assert len(log(game, "lay_out")) == game.table.face_up_n == laid_out
    assert game.table.studying[:4].tolist() == [NONE] * 4
    game.table.president = 2
    resolve_event(game, scripted(offer_to=-1, rate_level=lambda t, s, k: k), EVENT["Recovered Wreckage"])
    laid = int(game.table.face_up[0])
    assert game.table.cards.level[laid] == 2  # named: seat 0, whose best is level I
    assert [row[1] for row in log(game, "pick")] == [0, 2, 3, 0]  # the first is its idle pick after the claim
    assert game.table.studying[:4].tolist() == [laid, NONE, laid, laid]


def test_the_board_is_turned_over() -> None:
    """R-INV-3: the tokens stay where they are, on other tracks; two vaults become one."""
    game = invaded()
    own(game, 1, "Assault Rifles", place=state.SECRET)
    own(game, 1, "Alien Anatomy", place=PUBLIC)
    game.table.tokens[1] = [2, 3, 0, 1]
    before = [track_value(game.table, 1, ability) for ability in range(4)]
    reveal(game, QUIET, 1, False, False)
    after = [track_value(game.table, 1, ability) for ability in range(4)]  # E.T.I., intel, tactics, brutality
    assert (before, after) == ([4, 4, 0, 2], [2, 3, 0, 5])
    assert game.table.tokens[1].tolist() == [2, 3, 0, 1]
    assert {int(game.table.place[PROJECT[k]]) for k in ("Assault Rifles", "Alien Anatomy")} == {ALIEN_VAULT}


@pytest.mark.parametrize(
    ("card", "tokens", "granted", "had", "tactics"),
    [
        ("Raiding Party", 2, 0, (SPY, ARSON), [ARSON, SPY]),
        ("Siege Armada", 2, 0, (SPY, ARSON), [ARSON, VIRUS, SPY]),  # one more by its card
        ("Siege Armada", 4, 1, (SPY, ARSON, VIRUS, ABDUCTION), [0, 1, 2, 3]),  # never more than four
        ("Raiding Party", 1, 1, (SPY, ARSON), [ARSON, SPY]),  # one of them granted
        ("Raiding Party", 0, 0, (SPY, ARSON), [ARSON, SPY]),  # kept although the space allows none
    ],
)
def test_immunities_become_tactics(
    card: str, tokens: int, granted: int, had: tuple[int, ...], tactics: list[int]
) -> None:
    """R-INV-3, A-21: all are kept, and what card and space allow beyond them is chosen at once."""
    game = invaded(card=card)
    game.table.tokens[1][SECURITY], game.table.granted[1] = tokens, granted
    immune(game, 1, *had)
    reveal(game, scripted(tactic=lambda t, s, threat: threat == VIRUS), 1, False, False)
    assert [threat for threat in range(4) if game.table.tactic[threat]] == tactics
    assert game.table.tactic_n == len(tactics)


def test_the_tactics_track_counts() -> None:
    """R-INV-3, A-21: a tactics space above the security space brings a tactic more."""
    game = invaded()
    game.table.cards.track[state.TACTICS][1] = 2
    game.table.tokens[1][SECURITY] = 1
    immune(game, 1, SPY)
    reveal(game, scripted(tactic=lambda t, s, threat: threat == ARSON), 1, False, False)
    assert game.table.tactic.tolist() == [0, 1, 0, 1]


# --- the last rounds ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tokens", "card", "rounds"),
    [
        (0, "Raiding Party", 3), (2, "Raiding Party", 2), (4, "Raiding Party", 1), (6, "Raiding Party", 0),
        (2, "World Enders", 1), (4, "World Enders", 0), (6, "World Enders", 0),  # a round sooner
    ],
)  # fmt: skip
def test_rounds_after_the_reveal(tokens: int, card: str, rounds: int) -> None:
    """R-INV-4: so many rounds, the reveal's included, then the invasion; none left: at once."""
    game = invaded(card=card)
    face_up(game, "Assault Rifles", "Guided Missiles")
    game.table.tokens[1][STAFFING], game.table.claimed = tokens, 16
    reasons = [reveal_phase(game, QUIET)]
    assert game.table.rounds_left == rounds
    while reasons[-1] == NONE:
        reasons.append(reveal_phase(game, QUIET))
    assert reasons == [NONE] * rounds + [TIME if rounds else state.AT_ONCE]


def test_no_project_left() -> None:
    """R-INV-4: an empty middle brings the invasion at a later round's start, and is told before time."""
    none = state.NO_PROJECT
    for rounds_left, face_up_n, reason in ((3, 0, none), (1, 0, none), (2, 1, NONE), (1, 1, TIME)):
        game = known()
        game.table.rounds_left = rounds_left
        face_up(game, *["Assault Rifles"][:face_up_n])
        assert reveal_phase(game, QUIET) == reason
    game = invaded()
    face_up(game, "Assault Rifles")
    study(game, 1, "Assault Rifles")
    game.table.claimed = 16
    assert reveal_phase(game, QUIET) == NONE  # it took the only one, but this round is still played
    assert game.table.face_up_n == 0
    assert reveal_phase(game, QUIET) == none


def test_rounds_in_between() -> None:
    """R-INV-13, R-INV-4: whole rounds with events; agendas for humans only; then no event any more."""
    game = invaded()
    face_up(game, "Assault Rifles", "Guided Missiles")
    for p in range(4):
        study(game, p, "Guided Missiles")
        own(game, p, ("Particle Accelerator", "Alien Anatomy", "Magnetic Core Memory", "Laser Holography")[p])
    study(game, 1, "Assault Rifles")
    stack(game, *["Open Lecture"] * 9)
    game.table.claimed, game.table.tokens[1][STAFFING] = 16, 2
    asked: set[int] = set()
    decide = scripted(offer_to=-1, agenda=lambda t, s, _: asked.add(int(s.me)) or RESEARCH)
    assert [play_round(game, decide) for _ in range(3)] == [NONE, NONE, TIME]
    assert asked == {0, 2, 3}
    verbs = [row[0] for row in log(game, "reveal", "event", "agendas", "badge", "round")]
    whole = ["event", "agendas", "badge"]
    assert verbs == ["round", "reveal", *whole, "round", *whole, "round"]
    assert [row[1] for row in log(game, "round")] == [0, 2, 3]
    assert game.table.president == 3  # the last one
    assert game.table.queue_n[:4].tolist() == [6, 0, 6, 6]


@pytest.mark.parametrize(("leaves", "president", "later"), [(1, 2, [3, 4, 0, 2]), (0, 1, [2, 3, 4, 0])])
def test_badge_of_an_alien_president(leaves: int, president: int, later: list[int]) -> None:
    """A-2: it goes left on the spot, before the picks; by option only at the end; never back to the alien."""
    game = reveal_of_coolants(president=1, badge_leaves_alien=leaves)
    assert game.table.president == president
    assert log(game, "badge", "scooped", "pick")[0][0] == ("badge" if leaves else "scooped")
    assert [row[1] for row in log(game, "scooped")] == [3, 0]  # clockwise from seat 1 or 2 alike
    seats = []
    for _ in range(4):
        pass_badge(game)
        seats.append(int(game.table.president))
    assert seats == later


def test_alien_that_keeps_the_badge() -> None:
    """A-2: with `badge_leaves_alien` 0 it draws, awards unbribed and settles ties, but gains nothing."""
    game = known(badge_leaves_alien=0)
    game.table.president = 1
    run_event(game)
    assert [row[1:3] for row in log(game)] == [(1, 0)]  # without a completed project it draws nothing
    own(game, 1, "Assault Rifles")
    stack(
        game, "Presidential Discretion", "Leaked Coordinates", "Government Grant", "Emergency Appropriation"
    )
    choosing: list[int] = []

    def never(*_: Any) -> float:
        raise AssertionError("an offer to the alien")

    def third(table: Any, seat: Any, company: int) -> float:
        choosing.append(int(seat.me))
        return company == 3

    decide = scripted(offer_to=never, award=third, break_tie=third)
    for _ in range(4):
        run_event(game, decide)
    assert set(choosing) == {1}
    assert game.table.bank[:4].tolist() == [0, 0, 0, 50 + 70]
    assert game.table.held_n[1] == 0 and game.secret.event_discards >> EVENT["Leaked Coordinates"] & 1


def test_round_limit() -> None:
    """A-19: at the start of round `max_rounds` a hidden alien reveals, the scooped pick, and it is over."""
    game = invaded(max_rounds=5)
    face_up(game, "Assault Rifles", "Guided Missiles")
    study(game, 0, "Assault Rifles")
    study(game, 1, "Assault Rifles")
    game.table.round_no = 3
    begin_round(game)
    assert reveal_phase(game, scripted(reveal=1)) == NONE and game.table.alien == NONE
    begin_round(game)
    assert reveal_phase(game, QUIET) == state.LIMIT
    assert (game.table.alien, game.table.rounds_left, game.table.claimed) == (1, 0, 1)
    assert game.table.studying[0] == PROJECT["Guided Missiles"]
    game = known(max_rounds=5)
    face_up(game, "Assault Rifles")
    game.table.rounds_left, game.table.round_no = 9, 4
    assert reveal_phase(game, QUIET) == NONE
    begin_round(game)
    assert reveal_phase(game, QUIET) == state.LIMIT
