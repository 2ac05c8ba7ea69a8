"""What strategies see: nothing hidden. They are handed `table` and their own `seat`, and that is all they use.

Three proofs. (1) At decisions of real games everything but `table` and the own seat is overwritten with noise: the
answer stays the same, asking again gives it again, and nothing is written. (2) Games that differ only in what a
player cannot know are played on side by side: `table` and the own seat stay the same to the byte, so nothing
derived from hidden things leaks into them. (3) Every decision is really asked, of both roles where both have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.games.eti import engine
from sim.games.eti.asking import QUESTIONS
from sim.games.eti.cards import CardSet, cards_from_dict, load_cards
from sim.games.eti.engine import play_round
from sim.games.eti.invasion import prepare_invasion
from sim.games.eti.play import LENGTHS, Setting, make_setting, new_game, play
from sim.games.eti.setup import set_up, start_streams
from sim.games.eti.state import (
    ALIEN,
    LEVELS,
    MAX_PLAYERS,
    NONE,
    RESEARCH,
    SAFE,
    SUBMIT,
    SWITCH,
)
from sim.registry import STRATEGIES

Decide = Callable[[Any, Any, int, int], float]
NAMES = tuple(STRATEGIES["eti"])
NUMBER = {question.name: number for number, question in enumerate(QUESTIONS)}
SEED = 11

ALIEN_ONLY = {"reveal", "tactic", "intel", "turn_up", "move_card", "move_to", "mash"}
HUMAN_ONLY = {"move_fame", "attack_off", "lose"}  # asked in the invasion


def play_watched(setting: Setting, index: int, watch: Callable[[Any, Decide], Decide]) -> None:
    """Play one game in which `watch(games, decide)` stands between the engine and each strategy."""
    games = new_game(setting)
    watched = tuple(replace(s, decide=watch(games, s.decide)) for s in setting.strategies)
    play(replace(setting, strategies=watched), SEED, index, 1, games)


# --- (1) answers depend on table and own seat, and change nothing -----------------------------------------------
def noise_but(games: Any, p: int, r: np.random.Generator) -> None:
    """Overwrite a game with noise, all but the table and seat p."""
    raw = games.view(np.uint8)
    layout = games.dtype.fields
    size = layout["seats"][0].itemsize // MAX_PLAYERS
    first = layout["seats"][1] + p * size
    keep = [(layout["table"][1], layout["table"][1] + layout["table"][0].itemsize), (first, first + size)]
    saved = [raw[a:b].copy() for a, b in keep]
    raw[:] = r.integers(0, 256, len(raw), np.uint8)
    for (a, b), content in zip(keep, saved, strict=True):
        raw[a:b] = content


class Examiner:
    """Asks a strategy and examines the answer; every so often with noise where it must not look."""

    def __init__(self, games: Any, decide: Decide, often: Counter[tuple[int, int]]) -> None:
        self.games, self.decide, self.often = games, decide, often
        self.noise = np.random.default_rng(SEED)

    def __call__(self, table: Any, seat: Any, question: int, option: int) -> float:
        before = table.tobytes(), seat.tobytes()
        answer = self.decide(table, seat, question, option)
        name = QUESTIONS[question].name
        assert (table.tobytes(), seat.tobytes()) == before, f"{name}: it wrote on the table or its seat"
        key = question, int(seat.role)
        self.often[key] += 1
        if self.often[key] < 10 or self.often[key] % 23 == 0:
            assert self.decide(table, seat, question, option) == answer, (
                f"{name}: asked again, another answer"
            )
            raw = self.games.view(np.uint8)
            saved = raw.copy()
            noise_but(self.games, int(seat.me), self.noise)
            blind = self.decide(table, seat, question, option)
            assert (table.tobytes(), seat.tobytes()) == before
            raw[:] = saved
            assert blind == answer, f"{name}: {blind} instead of {answer} with other hidden cards"
        return answer


@pytest.mark.parametrize("name", NAMES)
def test_answers_need_only_what_is_seen(name: str) -> None:
    """In both roles: the hidden state replaced by noise changes no answer, the same question asked twice gets the
    same answer, and no strategy writes anything."""
    often: Counter[tuple[int, int]] = Counter()
    for index in range(6):
        setting = make_setting([name], players=3 + index % 2, length=LENGTHS[index % 2])
        play_watched(setting, index, lambda games, decide: Examiner(games, decide, often))
    assert {role for _, role in often} == {0, 1}
    assert len({question for question, _ in often}) > len(QUESTIONS) // 2


# --- (2) nothing hidden leaks into table and seat -----------------------------------------------------------------
PLAYERS = 3
LAID_OUT = 4  # projects that may enter play in one round: the top of each pile is not shuffled


def blind_cards() -> CardSet:
    """The reference set without a look at one's own cards, which would rightly differ: no analysis, no `look`."""
    tables = load_cards().to_dict()
    tables["tracks"]["analysis"]["spaces"] = [0, 0, 0, 0]
    for event in tables["events"]:
        event["effects"] = [
            e if e["do"] != "look" else {"do": "points", "amount": 10} for e in event["effects"]
        ]
    return cards_from_dict(tables)


def canned(table: Any, seat: Any, question: int, option: int) -> float:
    """A player who goes by round and seat, not by cards, and turns no card up: every difference is the engine's."""
    name, me = QUESTIONS[question].name, int(seat.me)
    luck = Random(f"{int(table.round_no)} {me} {question} {option}").random()
    if name == "agenda":
        if table.queue_n[me] >= 9:
            return SUBMIT
        return SWITCH if luck < 0.1 else RESEARCH
    if name == "offer_points":
        return int(table.bank[me]) // 2
    if name == "intel":
        return 0 if luck < 0.3 else 2
    if name in ("offer_promise", "honour", "vault"):
        return int(luck < 0.5)
    if name in ("reveal", "play_event"):
        return 0
    return {"submission": SAFE, "swap": 0}.get(name, luck)


class Recorder:
    """Answers for all seats, and keeps the bytes that one of them is shown."""

    def __init__(self, p: int) -> None:
        self.p = p
        self.shown: list[tuple[str, int, bytes, bytes]] = []

    def __call__(self, table: Any, seat: Any, question: int, option: int) -> float:
        if seat.me == self.p:
            self.shown.append((QUESTIONS[question].name, option, table.tobytes(), seat.tobytes()))
        return canned(table, seat, question, option)


def redeal(game: Any, p: int, r: Random, roles: bool) -> None:
    """Deal anew what seat p cannot know: unseen research cards, the depths of all piles, others' cards, luck.

    `roles`: who is the alien as well (not in a round in which it must reveal, which is public).
    """
    secret, table = game.secret, game.table
    # research cards: the deck, the others' queues and the own ports not seen
    ports = [
        (q, port)
        for q in range(PLAYERS)
        for port in range(table.queue_n[q])
        if q != p or game.seats[p].seen[port] == NONE
    ]
    pool = [kind for kind in range(len(secret.deck)) for _ in range(secret.deck[kind])]
    pool += [int(secret.queue[q][port]) for q, port in ports]
    r.shuffle(pool)
    for q, port in ports:
        secret.queue[q][port] = pool.pop()
    for kind in range(len(secret.deck)):
        secret.deck[kind] = pool.count(kind)
    # what lies deeper than this round can reach
    for level in range(1, LEVELS + 1):
        shuffle_first(secret.pile[level], int(table.pile_left[level]) - LAID_OUT, r)
    shuffle_first(secret.events, int(secret.events_n) - 1, r)
    # the others' endgame cards and roles
    others = [q for q in range(PLAYERS) if q != p and (roles or secret.role[q] != ALIEN)]
    cards = [(int(secret.role[q]), int(secret.endgame[q])) for q in others]
    r.shuffle(cards)
    for q, (role, card) in zip(others, cards, strict=True):
        secret.role[q], secret.endgame[q] = role, card
        game.seats[q].role, game.seats[q].endgame = role, card
        if role == ALIEN:
            secret.alien_seat = q
    # luck to come
    for stream in range(len(secret.key)):
        secret.key[stream] = secret.stream[stream] = np.uint64(r.getrandbits(64))


def shuffle_first(cards: Any, n: int, r: Random) -> None:
    """Shuffle the first (lowest) n entries."""
    some = [int(card) for card in cards[: max(0, n)]]
    r.shuffle(some)
    cards[: len(some)] = some


def shown_to(games: Any, p: int, go_on: Callable[[Any, Any], Any]) -> tuple[list[Any], bytes]:
    """What seat p is shown while a copy of the game goes on, and the hidden state after it."""
    copy = games.copy()
    recorder = Recorder(p)
    go_on(copy[0], (recorder,) * MAX_PLAYERS)
    return recorder.shown, copy[0].secret.tobytes()


def differences(index: int) -> Counter[str]:
    """Play a game; at the start of every round and of the invasion, play that part twice for each seat, once with
    hidden things dealt anew. Counts what was compared ('shown') and what differed (names of decisions)."""
    setting = make_setting(["random"], players=PLAYERS, length="short", cards=blind_cards())
    games, r = new_game(setting), Random(index)
    everybody = (canned,) * MAX_PLAYERS
    found: Counter[str] = Counter()

    def compare(go_on: Callable[[Any, Any], Any], roles: bool) -> None:
        for p in range(PLAYERS):
            other = games.copy()
            redeal(other[0], p, r, roles)
            one, hidden = shown_to(games, p, go_on)
            two, hidden_too = shown_to(other, p, go_on)
            found["hidden differs"] += hidden != hidden_too
            found["shown"] += len(one)
            found.update(f"leak: {a[0]}" for a, b in zip(one, two, strict=False) if a != b)
            found["leak: length"] += len(one) != len(two)

    with np.errstate(over="ignore"):
        game = games[0]
        start_streams(game, SEED, index)
        set_up(game, everybody, NONE, NONE)
        why = NONE
        while why == NONE:
            table = game.table
            public = table.alien != NONE or table.claimed >= table.must_reveal
            last = table.round_no + 1 >= table.rules.max_rounds
            compare(lambda game, decide: engine.play_round(game, decide), roles=not (public or last))
            why = play_round(game, everybody)
        # the cards of the others are played openly now: only attack cards are hidden
        for p in range(PLAYERS):
            other = games.copy()
            other[0].secret.key[:] = [np.uint64(r.getrandbits(64)) for _ in other[0].secret.key]
            one, _ = shown_to(games, p, lambda game, decide: prepare_invasion(game, decide, why))
            two, _ = shown_to(other, p, lambda game, decide: prepare_invasion(game, decide, why))
            found["shown in the invasion"] += len(one)
            found.update(f"leak: {a[0]}" for a, b in zip(one, two, strict=False) if a != b)
            found["leak: length"] += len(one) != len(two)
    return found


@pytest.mark.parametrize("index", range(6))
def test_table_and_seat_hold_nothing_hidden(index: int) -> None:
    """Whatever the hidden cards are, a player is shown the same table and the same seat, to the byte."""
    found = differences(index)
    assert found["hidden differs"] > 20
    assert found["shown"] > 100
    assert found["shown in the invasion"] > 0
    assert not {key: count for key, count in found.items() if key.startswith("leak") and count}


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is not blind: an engine that puts one hidden card on the table is caught."""
    deal = engine.deal_research

    def leaky(game: Any) -> None:
        deal(game)
        game.table.votes[0] = game.secret.queue[1][0]

    monkeypatch.setattr(engine, "deal_research", leaky)
    assert any(key.startswith("leak") and count for key, count in differences(0).items())


def test_secret_choices_are_shown_at_once() -> None:
    """R-AGD-1, A-8: nobody who chooses an agenda or a way to submit sees what others have chosen."""
    asked: Counter[str] = Counter()

    def watch(games: Any, decide: Decide) -> Decide:
        def ask(table: Any, seat: Any, question: int, option: int) -> float:
            name = QUESTIONS[question].name
            asked[name] += 1
            if name == "agenda":
                assert all(choice == NONE for choice in table.agenda[: table.players])
            if name == "submission":
                assert all(way == NONE for way in table.way[: table.players])
            return decide(table, seat, question, option)

        return ask

    for index in range(4):
        play_watched(make_setting(["random"], players=3 + index), index, watch)
    assert asked["agenda"] > 100
    assert asked["submission"] > 50


# --- (3) every decision is asked ------------------------------------------------------------------------------------
def test_every_decision_is_asked() -> None:
    """Over some games all decisions are asked of the built-in strategies, in every role that has them."""
    asked: set[tuple[str, int]] = set()

    def watch(games: Any, decide: Decide) -> Decide:
        def ask(table: Any, seat: Any, question: int, option: int) -> float:
            asked.add((QUESTIONS[question].name, int(seat.role)))
            return decide(table, seat, question, option)

        return ask

    wanted = {(q.name, 0) for q in QUESTIONS if q.name not in ALIEN_ONLY}
    wanted |= {(q.name, ALIEN) for q in QUESTIONS if q.name not in HUMAN_ONLY}
    for index in range(120):
        r = Random(index)
        seats = [r.choice(NAMES) for _ in range(3 + index % 4)] if index % 2 else ["random"] * 4
        play_watched(make_setting(seats, length=LENGTHS[2 - index % 2]), index, watch)
        if wanted <= asked:
            break
    assert wanted - asked == set()
    assert asked - wanted == set(), "a role is asked what it has no say in"
