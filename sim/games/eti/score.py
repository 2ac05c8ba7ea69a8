"""Scoring a queue outside a game: the engine's own arithmetic, in plain Python or compiled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from sim.compile import PLAIN, entry
from sim.errors import UserError, did_you_mean, shown
from sim.games.eti.cards import THREATS, CardSet, load_cards
from sim.games.eti.pack import card_kinds, pack_cards
from sim.games.eti.scoring import best_swaps, lay_on_desk
from sim.games.eti.state import CARDS, DESK, MAX_PORTS, NONE, new_records


def score_array(desks: Any, cards: Any, queue: Any, n: int, immune: Any, swaps: int) -> None:
    """Put a queue on the desk and find its best order."""
    lay_on_desk(desks[0], cards[0], queue, n, immune)
    best_swaps(desks[0], cards[0], immune, swaps, 0)


@cache
def _scorer() -> Any:
    if PLAIN:
        return score_array
    numbers = types.Array(types.int64, 1, "C")
    desk, cards = (types.Array(numba.from_dtype(d), 1, "C") for d in (DESK, CARDS))
    return entry(score_array, types.void(desk, cards, numbers, types.int64, numbers, types.int64))


_last_packed: list[tuple[CardSet, Any]] = []


def _packed(cards: CardSet) -> Any:
    """The card set as the engine wants it; the last one is kept, since queues come by the thousand."""
    if not _last_packed or _last_packed[0][0] is not cards:
        record = new_records(CARDS, 1)
        pack_cards(cards, record[0])
        _last_packed[:] = [(cards, record)]
    return _last_packed[0][1]


def score_queue(
    queue: Sequence[str],
    swaps: int = 0,
    immune: Sequence[str] = (),
    where: str = "queue",
    cards: CardSet | None = None,
) -> dict[str, Any]:
    """The best a standard submission can make of a queue (R-SUB-2 to R-SUB-4).

    Returns
    -------
    A dictionary with `queue`, `swaps`, `immune`, `order`, `destroyed` and `total`.
    """
    card_set = cards or load_cards()
    words = [kind[0] for kind in card_kinds(card_set)]
    kinds = [_find(word, words, where) for word in queue]
    if len(kinds) > MAX_PORTS:
        raise UserError(f"{where}: {len(kinds)} cards; valid: at most {MAX_PORTS}")
    shields = np.zeros(len(THREATS), np.int64)
    for word in immune:
        shields[_find(word, THREATS, "--immune")] = 1
    desk = new_records(DESK, 1)
    _scorer()(desk, _packed(card_set), np.array([*kinds, 0], np.int64), len(kinds), shields, swaps)
    order = [words[int(k)] for k in desk[0]["order"][: len(kinds)]]
    return {
        "queue": [words[k] for k in kinds],
        "swaps": swaps,
        "immune": [THREATS[k] for k in range(len(THREATS)) if shields[k]],
        "order": order,
        "destroyed": _destroyed(desk[0], order),
        "total": int(desk[0]["total"]),
    }


def _find(word: str, words: Sequence[str], where: str) -> int:
    plain = {"virus": "data-virus", "data_virus": "data-virus"}.get(word.lower(), word.lower())
    if plain not in words:
        raise UserError(
            f"{where}: no card {shown(word)}{did_you_mean(plain, words)}; valid: {' '.join(words)}"
        )
    return list(words).index(plain)


def _destroyed(desk: Any, order: list[str]) -> list[dict[str, Any]]:
    found = []
    for port, card in enumerate(order):
        victim = int(desk["destroys"][port])
        if victim != NONE:
            found.append({"threat": card, "threat_port": port + 1, "card": order[victim], "port": victim + 1})
    return found
