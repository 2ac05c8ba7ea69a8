"""A game's log as the JSON objects of docs/trace.md. One small function a verb; lists follow as 'item' rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.games.eti import log
from sim.games.eti.cards import THREATS
from sim.games.eti.play import Setting, play_traced
from sim.games.eti.state import ALIEN, LEVELS, NONE
from sim.games.eti.trace_invasion import INVASION_ITEMS, InvasionScribe
from sim.games.eti.trace_words import PLACES, Line, Row, Scribe

VERSION = 1

_PICK = ("start", "claimed", "switched", "scooped", "idle", "reveal")
_SCOOP = ("submitted", "researched", "switched", "reveal")
_AGENDA = ("research", "submit", "switch")


def trace_game(setting: Setting, seed: int, index: int) -> list[Line]:
    """Play one game and return its trace, a line a dictionary.

    Example
    -------
    >>> trace_game(make_setting(["cautious"]), seed=7, index=0)[-1]["do"]  # doctest: +SKIP
    'end'
    """
    game, rows, result = play_traced(setting, seed, index)
    return Tracer(setting, game).lines(seed, index, rows, result)


class Tracer(InvasionScribe):
    """Reads log rows one by one."""

    def lines(self, seed: int, index: int, rows: list[Row], result: Any) -> list[Line]:
        """All lines: the head from the state, the rest from the log."""
        self.head(seed, index)
        for row in rows:
            getattr(self, "on_" + log.VERBS[row[0]])(*row[1:])
        return self.out

    # --- set-up ----------------------------------------------------------------------------------------
    def head(self, seed: int, index: int) -> None:
        """The lines `game`, `piles` and `role`; the event deck is filled in from the log."""
        setting, table, secret = self.setting, self.game["table"], self.game["secret"]
        self.say(
            "game", version=VERSION, seed=seed, index=index, players=setting.players, length=setting.length,
            multiplier=setting.multiplier, threshold=int(table["threshold"]), must_reveal=int(table["must_reveal"]),
            alien_public=setting.alien is not None, strategies=[s.name for s in setting.strategies],
            rules=dict(setting.rules), cards=setting.cards.to_dict(),
            **({"absent": list(setting.cards.absent)} if setting.cards.absent else {}),
        )  # fmt: skip
        absent = setting.cards.absent
        levels = [project.level for project in setting.cards.projects if project.name not in absent]
        piles = {}
        for level in range(1, LEVELS + 1):
            pile = secret["pile"][level][: levels.count(level)]
            piles[str(level)] = [self.projects[int(k)] for k in pile[::-1]]
        self.say("piles", projects=piles, events=[])

    def on_event_order(self, *_: int) -> None:
        """The first shuffle: its entries follow and belong to `piles`."""

    def on_first_president(self, p: int, *_: int) -> None:
        secret, cards = self.game["secret"], self.setting.cards
        for q in range(self.setting.players):
            is_alien = int(secret["role"][q]) == ALIEN
            deck: Any = cards.aliens if is_alien else cards.humans
            self.say(
                "role",
                seat=q + 1,
                role="alien" if is_alien else "human",
                card=deck[int(secret["endgame"][q])].name,
            )
        self.say("first_president", seat=p + 1)

    def on_upgrade(self, p: int, a: int, source: int, project: int, tokens: int) -> None:
        self.say(
            "upgrade", seat=p + 1, ability=self.ability(p, a), source=("free", "event", "project")[source],
            project=self.project(project), tokens=tokens, value=self.value(p, a, tokens),
        )  # fmt: skip

    def on_downgrade(self, p: int, a: int, _: int, project: int, tokens: int) -> None:
        self.say(
            "downgrade", seat=p + 1, ability=self.ability(p, a), project=self.project(project), tokens=tokens,
            value=self.value(p, a, tokens),
        )  # fmt: skip

    def on_immunity(self, p: int, threat: int, *_: int) -> None:
        self.immune[p].append(THREATS[threat])
        self.say("immunity", seat=p + 1, threat=THREATS[threat], immune=list(self.immune[p]))

    def on_immunity_lost(self, p: int, threat: int, *_: int) -> None:
        self.immune[p].remove(THREATS[threat])
        self.say("immunity_lost", seat=p + 1, threat=THREATS[threat], immune=list(self.immune[p]))

    def on_lay_out(self, p: int, level: int, project: int, why: int, _: int) -> None:
        self.say(
            "lay_out", seat=self.seat(p), level=level, project=self.project(project),
            why=("setup", "claim", "event")[why],
        )  # fmt: skip

    def on_pick(self, p: int, project: int, left: int, why: int, before: int) -> None:
        self.say(
            "pick", seat=p + 1, project=self.project(project), left=self.project(left), why=_PICK[why],
            bank_before=before, bank=before,
        )  # fmt: skip

    # --- entries of lists ------------------------------------------------------------------------------
    def on_item(self, p: int, tag: int, what: int, extra: int, more: int) -> None:
        """An entry of the last line's list."""
        line = self.last
        do = line["do"] if line["do"] != "reshuffle" or line["what"] == "events" else "deal"
        if line["do"] == "reshuffle" and do == "deal":  # the deck ran dry in the middle of a deal
            line = next(old for old in reversed(self.out) if old["do"] in ("deal", "attack", "mash"))
            do = line["do"]
        ITEMS[do](self, line, p, tag, what, extra, more)

    # --- rounds and events -----------------------------------------------------------------------------
    def on_round(self, p: int, number: int, claimed: int, *_: int) -> None:
        self.say("round", round=number, president=p + 1, claimed=claimed)

    def on_event(self, p: int, event: int, *_: int) -> None:
        self.say("event", event=self.event(event), president=p + 1)

    def on_no_event(self, p: int, why: int, *_: int) -> None:
        self.say("no_event", president=p + 1, why=("no project", "no card")[why])

    def on_offer(self, p: int, to: int, points: int, project: int, event: int) -> None:
        self.say(
            "offer", seat=p + 1, to=to + 1, points=points, project=self.project(project), event=self.event(event),
            promise=False,
        )  # fmt: skip

    def on_award(self, p: int, chosen: int, *_: int) -> None:
        self.say("award", president=p + 1, seat=chosen + 1)

    def on_vote(self, p: int, company: int, votes: int, *_: int) -> None:
        self.say("vote", seat=p + 1, company=company + 1, votes=votes)

    def on_promise(self, p: int, to: int, kept: int, *_: int) -> None:
        self.say("promise", seat=p + 1, to=to + 1, kept=bool(kept))

    def on_tie(self, p: int, why: int, tied: int, chosen: int, _: int) -> None:
        self.say(
            "tie", president=p + 1, among=self.members(tied), seat=chosen + 1, why=("vote", "claim", "win")[why]
        )  # fmt: skip

    def on_elected(self, p: int, *_: int) -> None:
        self.say("elected", seat=p + 1, votes={})

    def on_keep(self, p: int, event: int, *_: int) -> None:
        self.say("keep", seat=p + 1, event=self.event(event))

    def on_play(self, p: int, event: int, target: int, *_: int) -> None:
        self.say("play", seat=p + 1, event=self.event(event), on=target + 1)

    def on_event_over(self, _: int, event: int, *__: int) -> None:
        self.say("event_over", event=self.event(event))

    def on_due(self, p: int, to: int, honoured: int, points: int, project: int) -> None:
        self.say(
            "due", seat=p + 1, to=to + 1, honoured=bool(honoured), points=points, project=self.project(project),
            event=None, promise=False,
        )  # fmt: skip

    def on_points(self, p: int, amount: int, before: int, bank: int, _: int) -> None:
        self.say("points", seat=p + 1, amount=amount, bank_before=before, bank=bank)

    def on_bank_moves(self, p: int, to: int, points: int, bank: int, to_bank: int) -> None:
        self.say("bank_moves", seat=p + 1, to=to + 1, points=points, bank=bank, to_bank=to_bank)

    def on_project_moves(self, p: int, to: int, project: int, why: int, _: int) -> None:
        self.say(
            "project_moves", seat=p + 1, to=to + 1, project=self.project(project), why=("trade", "event")[why]
        )  # fmt: skip

    def on_event_moves(self, p: int, to: int, event: int, *_: int) -> None:
        self.say("event_moves", seat=p + 1, to=to + 1, event=self.event(event))

    def on_look(self, p: int, *_: int) -> None:
        self.say("look", seat=p + 1, ports=[], cards=[])

    def on_scout(self, p: int, *_: int) -> None:
        self.say("scout", seat=p + 1, projects={})

    def on_discard(self, p: int, *_: int) -> None:
        self.say("discard", seat=p + 1, ports=[], cards=[])

    # --- the rest of a round ---------------------------------------------------------------------------
    def on_agendas(self, *_: int) -> None:
        self.say("agendas", agendas={})

    def on_deal(self, p: int, why: int, wanted: int, *_: int) -> None:
        self.say(
            "deal", seat=p + 1, why=("research", "event")[why], cards=[], ports=[], lost=[], wanted=wanted
        )

    def on_submit(self, p: int, way: int, project: int, total: int, bank: int) -> None:
        self.say(
            "submit", seat=p + 1, way=("safe", "standard")[way], project=self.project(project), queue=[],
            immune=list(self.immune[p]), swaps=0, used=0, order=[], threats=[], total=total, bank=bank,
            difficulty=self.setting.cards.projects[project].difficulty,
        )  # fmt: skip

    def on_submit_more(self, _: int, swaps: int, used: int, *__: int) -> None:
        self.last["swaps"], self.last["used"] = swaps, used

    def on_threat(self, _: int, port: int, kind: int, acts: int, victim: int) -> None:
        order = self.last["order"]
        self.last["threats"].append(
            {
                "port": port + 1,
                "card": self.kinds[kind],
                "ignored": not acts,
                "destroys_port": None if victim == NONE else victim + 1,
                "destroys": None if victim == NONE else order[victim],
            }
        )

    def on_claim(self, p: int, project: int, points: int, place: int, claimed: int) -> None:
        self.say(
            "claim", seat=p + 1, project=self.project(project), points=points, vault=PLACES[place], claimed=claimed
        )  # fmt: skip

    def on_scooped(self, p: int, project: int, by: int, why: int, added: int) -> None:
        self.say(
            "scooped", seat=p + 1, project=self.project(project), by=by + 1, why=_SCOOP[why], added=added,
            bank_before=0, bank=0, discarded=[],
        )  # fmt: skip

    def on_bank(self, p: int, why: int, added: int, before: int, bank: int) -> None:
        self.say(
            "bank", seat=p + 1, why=("short", "switch")[why], added=added, bank_before=before, bank=bank,
            discarded=[],
        )  # fmt: skip

    def on_badge(self, p: int, why: int, claimed: int, *_: int) -> None:
        self.say("badge", president=p + 1, why=("round", "reveal")[why], claimed=claimed)

    def on_reshuffle(self, _: int, research: int, *__: int) -> None:
        self.say("reshuffle", what="research" if research else "events", order=None if research else [])


# --- what an 'item' row means for each kind of line ---------------------------------------------------------
def _event_order(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["events" if line["do"] == "piles" else "order"].append(t.event(what))


def _bank_after(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["bank"] = what


def _discarded(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if line["do"] == "scooped" and tag == 1:
        line["bank_before"], line["bank"] = what, extra
    else:
        line["discarded"].append(t.kinds[what])


def _promise(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if line["do"] == "offer":
        line["promise"] = bool(what)
    else:
        line["event"], line["promise"] = t.event(what), bool(extra)


def _votes(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["votes"][str(p + 1)] = what


def _ports(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if tag == 1:
        line["lost"].append(t.kinds[what])
    else:
        line["ports"].append(extra + 1)
        line["cards"].append(t.kinds[what])


def _scouted(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["projects"][str(extra)] = t.project(what)


def _agenda(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if what != NONE:
        line["agendas"][str(p + 1)] = _AGENDA[what]


def _queue(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["order" if tag else "queue"].append(t.kinds[what])


ITEMS: dict[str, Callable[..., None]] = {
    "piles": _event_order, "reshuffle": _event_order, "pick": _bank_after, "scooped": _discarded, "bank": _discarded,
    "reveal": _discarded, "offer": _promise, "due": _promise, "elected": _votes, "look": _ports, "discard": _ports,
    "deal": _ports, "scout": _scouted, "agendas": _agenda, "submit": _queue, **INVASION_ITEMS,
}  # fmt: skip
