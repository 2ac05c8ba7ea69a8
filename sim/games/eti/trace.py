"""A game's log as the JSON objects of docs/trace.md. One small function a verb; lists follow as 'item' rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.games.eti import effects, log
from sim.games.eti.cards import ABILITIES, ALIEN_ABILITIES, THREATS
from sim.games.eti.pack import card_kinds
from sim.games.eti.play import Setting, play_traced
from sim.games.eti.state import ALIEN, LEVELS, NONE

VERSION = 1
Line = dict[str, Any]
Row = tuple[int, ...]

_PICK = ("start", "claimed", "switched", "scooped", "idle", "reveal")
_SCOOP = ("submitted", "researched", "switched", "reveal")
_REASON = ("at once", "time", "no project", "limit")
_AGENDA = ("research", "submit", "switch")
_WHY = ("fame", "tie", "no survivor")
_PLACE = ("pile", "face up", "secret", "public", "alien", "lost")


def trace_game(setting: Setting, seed: int, index: int) -> list[Line]:
    """Play one game and return its trace, a line a dictionary.

    Example
    -------
    >>> trace_game(make_setting(["cautious"]), seed=7, index=0)[-1]["do"]  # doctest: +SKIP
    'end'
    """
    game, rows, result = play_traced(setting, seed, index)
    return Tracer(setting, game).lines(seed, index, rows, result)


class Tracer:
    """Reads log rows one by one; `last` is the object that list entries belong to."""

    def __init__(self, setting: Setting, game: Any) -> None:
        self.setting, self.game = setting, game
        self.kinds = [kind[0] for kind in card_kinds(setting.cards)]
        self.projects = [project.name for project in setting.cards.projects]
        self.events = [event.name for event in setting.cards.events]
        self.immune: list[list[str]] = [[] for _ in range(setting.players)]
        self.tactics: list[str] = []
        self.alien: int | None = None
        self.out: list[Line] = []

    def lines(self, seed: int, index: int, rows: list[Row], result: Any) -> list[Line]:
        """All lines: the head from the state, the rest from the log."""
        self.head(seed, index)
        for row in rows:
            getattr(self, "on_" + log.VERBS[row[0]])(*row[1:])
        return self.out

    # --- words -------------------------------------------------------------------------------------------
    def say(self, do: str, **facts: Any) -> None:
        self.out.append({"do": do, **facts})

    @property
    def last(self) -> Line:
        return self.out[-1]

    def project(self, k: int) -> str | None:
        return None if k == NONE else self.projects[k]

    def event(self, k: int) -> str | None:
        return None if k == NONE else self.events[k]

    @staticmethod
    def seat(p: int) -> int | None:
        return None if p == NONE else p + 1

    @staticmethod
    def members(bits: int) -> list[int]:
        found = []
        while bits:
            found.append(lowest_bit(bits) + 1)
            bits &= bits - 1
        return found

    def ability(self, p: int, a: int) -> str:
        return ALIEN_ABILITIES[a] if p == self.alien else ABILITIES[a]

    def value(self, p: int, a: int, tokens: int) -> int:
        spaces = self.setting.cards.tracks[self.ability(p, a)]
        return spaces[min(tokens, len(spaces) - 1)]

    # --- set-up ------------------------------------------------------------------------------------------
    def head(self, seed: int, index: int) -> None:
        """The lines `game`, `piles` and `role`; the event deck is filled in from the log."""
        setting, table, secret = self.setting, self.game["table"], self.game["secret"]
        self.say(
            "game", version=VERSION, seed=seed, index=index, players=setting.players, length=setting.length,
            multiplier=setting.multiplier, threshold=int(table["threshold"]), must_reveal=int(table["must_reveal"]),
            alien_public=setting.alien is not None, strategies=[s.name for s in setting.strategies],
            rules=dict(setting.rules), cards=setting.cards.to_dict(),
        )  # fmt: skip
        levels = [project.level for project in setting.cards.projects]
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

    # --- entries of lists --------------------------------------------------------------------------------
    def on_item(self, p: int, tag: int, what: int, extra: int, more: int) -> None:
        """An entry of the last line's list."""
        line = self.last
        do = line["do"] if line["do"] != "reshuffle" or line["what"] == "events" else "deal"
        if line["do"] == "reshuffle" and do == "deal":  # the deck ran dry in the middle of a deal
            line = next(old for old in reversed(self.out) if old["do"] in ("deal", "attack", "mash"))
            do = line["do"]
        ITEMS[do](self, line, p, tag, what, extra, more)

    # --- reveal ------------------------------------------------------------------------------------------
    def on_round(self, p: int, number: int, claimed: int, *_: int) -> None:
        self.say("round", round=number, president=p + 1, claimed=claimed)

    def on_wait(self, p: int, *_: int) -> None:
        self.say("wait", seat=p + 1)

    def on_reveal(self, p: int, forced: int, project: int, bank: int, rounds: int) -> None:
        self.alien = p
        self.tactics = list(self.immune[p])
        card = self.setting.cards.aliens[int(self.game["secret"]["endgame"][p])].name
        self.say(
            "reveal", seat=p + 1, card=card, forced=bool(forced), project=self.project(project), discarded=[],
            bank_lost=bank, events_lost=[], claimed=0, rounds=rounds,
        )  # fmt: skip

    def on_reveal_more(self, p: int, held: int, claimed: int, *_: int) -> None:
        self.last["events_lost"] = [self.events[k - 1] for k in self.members(held)]
        self.last["claimed"] = claimed

    def on_alien_board(self, p: int, *_: int) -> None:
        self.say("alien_board", seat=p + 1, tokens={}, values={}, tactics=list(self.tactics))

    def on_tactic(self, p: int, threat: int, *_: int) -> None:
        self.tactics.append(THREATS[threat])
        self.say("tactic", seat=p + 1, threat=THREATS[threat], tactics=list(self.tactics))

    def on_scooped(self, p: int, project: int, by: int, why: int, added: int) -> None:
        self.say(
            "scooped", seat=p + 1, project=self.project(project), by=by + 1, why=_SCOOP[why], added=added,
            bank_before=0, bank=0, discarded=[],
        )  # fmt: skip

    # --- events ------------------------------------------------------------------------------------------
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

    # --- the rest of a round -----------------------------------------------------------------------------
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
            "claim", seat=p + 1, project=self.project(project), points=points, vault=_PLACE[place], claimed=claimed
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

    # --- invasion ----------------------------------------------------------------------------------------
    def on_invasion(self, p: int, number: int, why: int, *_: int) -> None:
        self.say("invasion", round=number, president=p + 1, why=_REASON[why])

    def on_leftovers(self, p: int, *_: int) -> None:
        self.say("leftovers", seat=p + 1, projects=[])

    def on_attack(self, p: int, *_: int) -> None:
        self.say("attack", seat=p + 1, cards=[])

    def on_intel(self, _: int, uses: int, *__: int) -> None:
        self.say("intel", uses=uses)

    def on_turn_up(self, p: int, card: int, kind: int, *_: int) -> None:
        self.say("turn_up", id=card + 1, card=self.kinds[kind], seat=p + 1)

    def on_move(self, _: int, card: int, origin: int, to: int, __: int) -> None:
        self.say("move", id=card + 1, **{"from": origin + 1}, to=to + 1)

    def on_mashes(self, _: int, projects: int, mashes: int, *__: int) -> None:
        self.say("mashes", projects=projects, mashes=mashes)

    def on_mash(self, p: int, *_: int) -> None:
        self.say("mash", seat=p + 1, id=None, card=None)

    def on_endgame(self, p: int, card: int, *_: int) -> None:
        self.say("endgame", seat=p + 1, card=self.setting.cards.humans[card].name)

    def on_bonus(self, p: int, what: int, amount: int, *_: int) -> None:
        self.say("bonus", seat=p + 1, what=effects.WORDS[what], amount=amount)

    def on_fame_to_defence(self, p: int, project: int, fame: int, *_: int) -> None:
        self.say("fame_to_defence", seat=p + 1, project=self.project(project), fame=fame)

    def on_draw_project(self, p: int, level: int, project: int, place: int, _: int) -> None:
        self.say("draw_project", seat=p + 1, level=level, project=self.project(project), vault=_PLACE[place])

    def on_attack_off(self, p: int, card: int, kind: int, *_: int) -> None:
        self.say("attack_off", seat=p + 1, id=card + 1, card=self.kinds[kind])

    def on_battle(self, p: int, base: int, extra: int, attack: int, extra_defence: int) -> None:
        self.say(
            "battle", seat=p + 1, cards=[], base=base, extra=extra, attack=attack, projects=[],
            extra_defence=extra_defence, defence=0, survives=False, discards=[], kept=[], fame=0,
        )  # fmt: skip

    def on_battle_more(self, _: int, defence: int, survives: int, fame: int, __: int) -> None:
        self.last.update(defence=defence, survives=bool(survives), fame=fame)

    def on_stake(self, project: int, place: int, defence: int, fame: int, lost: int) -> None:
        name = self.projects[project]
        self.last["projects"].append(
            {"project": name, "vault": _PLACE[place], "defence": defence, "fame": fame}
        )
        self.last["discards" if lost else "kept"].append(name)

    def on_winner(self, p: int, why: int, fame: int, *_: int) -> None:
        is_alien = p == self.alien
        self.say(
            "winner", seat=p + 1, role="alien" if is_alien else "human", why=_WHY[why],
            fame=None if is_alien else fame,
        )  # fmt: skip

    def on_end(self, _: int, rounds: int, reason: int, decisions: int, forced: int) -> None:
        self.say("end", rounds=rounds, reason=_REASON[reason], decisions=decisions, forced=forced)


def lowest_bit(bits: int) -> int:
    """The number of the lowest bit set, in plain Python."""
    return (bits & -bits).bit_length() - 1


# --- what an 'item' row means for each kind of line ---------------------------------------------------------
def _event_order(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["events" if line["do"] == "piles" else "order"].append(t.event(what))


def _bank_after(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["bank"] = what


def _discarded(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if line["do"] == "scooped" and tag == 1:
        line["bank_before"], line["bank"] = what, extra
    else:
        line["discarded"].append(t.kinds[what])


def _board(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if tag == 0:
        line["tokens"][ALIEN_ABILITIES[what]], line["values"][ALIEN_ABILITIES[what]] = extra, more


def _promise(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if line["do"] == "offer":
        line["promise"] = bool(what)
    else:
        line["event"], line["promise"] = t.event(what), bool(extra)


def _votes(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["votes"][str(p + 1)] = what


def _ports(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if tag == 1:
        line["lost"].append(t.kinds[what])
    else:
        line["ports"].append(extra + 1)
        line["cards"].append(t.kinds[what])


def _scouted(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["projects"][str(extra)] = t.project(what)


def _agenda(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if what != NONE:
        line["agendas"][str(p + 1)] = _AGENDA[what]


def _queue(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["order" if tag else "queue"].append(t.kinds[what])


def _leftover(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["projects"].append(t.project(what))


def _attack_card(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if line["do"] == "mash":
        line["id"], line["card"] = extra + 1, t.kinds[what]
    else:
        line["cards"].append({"id": extra + 1, "card": t.kinds[what]})


def _battle_card(t: Tracer, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["cards"].append({"id": what + 1, "card": t.kinds[extra], "value": more})


ITEMS: dict[str, Callable[..., None]] = {
    "piles": _event_order, "reshuffle": _event_order, "pick": _bank_after, "scooped": _discarded, "bank": _discarded,
    "reveal": _discarded, "alien_board": _board, "offer": _promise, "due": _promise, "elected": _votes,
    "look": _ports, "discard": _ports, "deal": _ports, "scout": _scouted, "agendas": _agenda, "submit": _queue,
    "leftovers": _leftover, "attack": _attack_card, "mash": _attack_card, "battle": _battle_card,
}  # fmt: skip
