"""A table for tests of single rules: the reference cards, plain Python, and scripted answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.games.eti.asking import QUESTIONS
from sim.games.eti.cards import CardSet, load_cards
from sim.games.eti.options import defaults
from sim.games.eti.pack import card_kinds, pack_cards, pack_rules
from sim.games.eti.setup import clear_table, fill_decks, set_threshold, start_streams
from sim.games.eti.state import CREATIVITY, GAME, MAX_PLAYERS, new_records

CARDS: CardSet = load_cards()
KIND = {kind[0]: k for k, kind in enumerate(card_kinds(CARDS))}
PROJECT = {project.name: k for k, project in enumerate(CARDS.projects)}
EVENT = {event.name: k for k, event in enumerate(CARDS.events)}

Answer = Callable[[Any, Any, int], float] | float


def new_table(players: int = 4, multiplier: int = 3, cards: CardSet = CARDS, **rules: int) -> Any:
    """A cleared game with full decks, nothing dealt yet, seat 0 president, nobody studying anything."""
    games = new_records(GAME, 1)
    game = games[0]
    pack_rules(defaults() | rules, game.table.rules)
    pack_cards(cards, game.table.cards)
    game.table.players = players
    game.who[:] = range(MAX_PLAYERS)
    game.table.multiplier = multiplier
    with np.errstate(over="ignore"):
        start_streams(game, 1, 0)
        clear_table(game)
        set_threshold(game.table)
        fill_decks(game)
    return game


def scripted(**answers: Answer) -> tuple[Any, ...]:
    """Six equal strategies: each named decision answers with a number or a function of (table, seat, option);
    every other one answers 0."""
    names = [question.name for question in QUESTIONS]
    unknown = set(answers) - set(names)
    assert not unknown, unknown

    def decide(table: Any, seat: Any, question: int, option: int) -> float:
        given = answers.get(names[question], 0)
        return float(given(table, seat, option) if callable(given) else given)

    return (decide,) * MAX_PLAYERS


def give_queue(game: Any, p: int, *cards: str) -> None:
    """Put these cards at a company's ports, taken from the deck."""
    for port, card in enumerate(cards):
        game.secret.queue[p][port] = KIND[card]
        game.secret.deck[KIND[card]] -= 1
        game.secret.deck_n -= 1
    game.table.queue_n[p] = len(cards)


def give_swaps(game: Any, p: int, swaps: int) -> None:
    """A creativity track whose first upgrade gives so many swaps, and that upgrade."""
    game.table.cards.track[CREATIVITY][1] = swaps
    game.table.tokens[p][CREATIVITY] = 1


def face_up(game: Any, *names: str) -> list[int]:
    """Lay projects in the middle."""
    for name in names:
        project = PROJECT[name]
        game.table.place[project] = 1
        game.table.face_up[game.table.face_up_n] = project
        game.table.face_up_n += 1
    return [PROJECT[name] for name in names]


def study(game: Any, p: int, name: str) -> int:
    """Put a company's marker on a project."""
    game.table.studying[p] = game.table.left[p] = PROJECT[name]
    return PROJECT[name]
