"""Who knows what (chapter 5 of the rules page)."""

from __future__ import annotations

from sim.games.eti import state
from sim.games.eti.invasion import prepare_invasion
from sim.games.eti.state import NONE, TIME
from tests.kit import give_queue, scripted
from tests.rules.help import known


def test_who_knows_what() -> None:
    """A-12: a strategy sees the table and its own seat, and no queue, deck, pile, hand or role but its own."""
    public = "bank tokens immune vault queue_n pile_left event agenda shown claimed held_n"
    assert set(public.split()) <= set(state.TABLE.names)
    assert {"endgame", "seen", "held"} <= set(state.SEAT.names)
    hidden = {"queue", "deck", "pile", "events", "attack_kind", "endgame", "role", "seen", "held"}
    assert not hidden & set(state.TABLE.names)
    seen: list[list[int]] = []
    game = known()
    give_queue(game, 2, "50", "40")
    prepare_invasion(game, scripted(intel=lambda t, s, _: seen.append(t.attack_seen[:9].tolist()) or 0), TIME)
    assert seen == [[NONE] * 9]  # face down, for the alien too
    assert all((seat.seen == NONE).all() for seat in game.seats)
