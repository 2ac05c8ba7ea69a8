"""A game's log as JSON objects, a line each; docs/target-earth-trace.md says what they mean."""

from __future__ import annotations

from sim.games.target_earth import log
from sim.games.target_earth.asking import QUESTIONS
from sim.games.target_earth.cards import CARDS, SIZES, TECHNOLOGIES
from sim.games.target_earth.play import Setting, play_traced
from sim.games.target_earth.state import NONE
from sim.games.target_earth.trace_fights import FightScribe
from sim.games.target_earth.trace_words import (
    ATTEMPT_WORDS,
    BUILD_WORDS,
    DRAW_WORDS,
    MODULE_WORDS,
    PERSONAL_WORDS,
    SIDE_WORDS,
    STATUS_WORDS,
    UNIT_WORDS,
    WHY_ENDED,
    Line,
    Row,
)

VERSION = 1
_VOTES_ON_COUNTRIES = ("court", "next_mission", "free_attempt")


def trace_game(setting: Setting, seed: int, index: int) -> list[Line]:
    """Play one game and return its trace, a line a dictionary.

    Example
    -------
    >>> trace_game(make_setting(["random"]), seed=7, index=0)[-1]["do"]  # doctest: +SKIP
    'stop'
    """
    game, rows, _ = play_traced(setting, seed, index)
    return Tracer(setting, game).lines(seed, index, rows)


class Tracer(FightScribe):
    """Reads log rows one by one."""

    def lines(self, seed: int, index: int, rows: list[Row]) -> list[Line]:
        """All lines."""
        setting = self.setting
        self.say(
            "game", version=VERSION, game="target-earth", seed=seed, index=index, players=setting.players,
            bases=setting.bases, mode=setting.mode, variant=setting.variant,
            strategies=[s.name for s in setting.seated()], rules=dict(setting.rules), cards=setting.cards.to_dict(),
        )  # fmt: skip
        self.dealt: dict[int, list[str]] = {1: [], 2: []}
        self.people: dict[int, tuple[int, int]] = {}
        for row in rows:
            getattr(self, "on_" + log.VERBS[row[0]])(*row[1:])
        return self.out

    # --- set-up ---
    def on_dealt(self, _: int, country: int, status: int, *__: int) -> None:
        self.dealt[status].append(self.countries[country])

    def on_countries(self, _: int, alliance: int, aliens: int, income: int, __: int) -> None:
        self.say(
            "countries", aliens=self.dealt[2], allies=self.dealt[1], points=[alliance, aliens], income=income
        )

    def on_person(self, p: int, faction: int, objective: int, *_: int) -> None:
        self.people[p] = (faction, objective)

    def on_order(self, first: int, *_: int) -> None:
        factions = {str(p + 1): self.faction(f) for p, (f, _) in self.people.items() if f != NONE}
        objectives = {str(p + 1): self.objective(o) for p, (_, o) in self.people.items() if o != NONE}
        self.say("factions", factions=factions, objectives=objectives)
        self.say("order", seats=[], first=first + 1)

    def on_build(self, p: int, module: int, cell: int, price: int, why: int) -> None:
        self.say(
            "build", seat=p + 1, module=MODULE_WORDS[module], cell=cell + 1, price=price, credits=None,
            why=BUILD_WORDS[why],
        )  # fmt: skip

    def on_recruit(self, p: int, unit: int, cell: int, price: int, credits: int) -> None:
        self.say("recruit", seat=p + 1, unit=UNIT_WORDS[unit], cell=cell + 1, price=price, credits=credits)

    # --- the turn ---
    def on_turn(self, first: int, turn: int, era: int, fund: int, knowledge: int) -> None:
        self.say(
            "turn", turn=turn, era=era + 1, first=first + 1, fund=fund, credits={}, may_play={}, knowledge=knowledge,
            levels=[], points=[], income=0,
        )  # fmt: skip

    def on_turn_more(self, _: int, alliance: int, aliens: int, income: int, __: int) -> None:
        self.last["points"], self.last["income"] = [alliance, aliens], income

    def on_income(self, _: int, amount: int, fund: int, *__: int) -> None:
        self.say("income", amount=amount, fund=fund)

    def on_vote(self, p: int, question: int, choice: int, *_: int) -> None:
        name = QUESTIONS[question].name
        said: object = None
        if name == "free_attempt":
            said = bool(choice)
        elif choice != NONE:
            said = self.countries[choice] if name in _VOTES_ON_COUNTRIES else TECHNOLOGIES[choice]
        self.say("vote", seat=p + 1, on=name.replace("_", " "), choice=said)

    def on_research(self, by: int, technology: int, level: int, cost: int, fund: int) -> None:
        self.say(
            "research",
            technology=TECHNOLOGIES[technology],
            level=level,
            cost=cost,
            fund=fund,
            by=self.seat(by),
        )

    def on_card(self, p: int, kind: int, left: int, played: int, _: int) -> None:
        self.say("card", seat=p + 1, card=CARDS[kind], left=left, played=played)

    def on_share(self, _: int, each: int, fund: int, *__: int) -> None:
        self.say("share", each=each, fund=fund)

    def on_fortified(self, p: int, *_: int) -> None:
        self.say("fortified", seat=p + 1)

    # --- diplomacy ---
    def on_agent(self, p: int, change: int, left: int, *_: int) -> None:
        self.say("agent", seat=p + 1, change=change, left=left)

    def on_attempt(self, p: int, country: int, why: int, bonus: int, extra: int) -> None:
        self.say(
            "attempt", why=ATTEMPT_WORDS[why], seat=self.seat(p), country=self.countries[country], dice=[],
            bonus=bonus, extra=extra, agent=0, needed=0, success=False,
        )  # fmt: skip

    def on_status(self, _: int, country: int, was: int, now: int, income: int) -> None:
        self.say(
            "status", country=self.countries[country], was=STATUS_WORDS[was], now=STATUS_WORDS[now], points=[],
            income=income,
        )  # fmt: skip

    def on_alien_target(self, _: int, tile: int, attempted: int, *__: int) -> None:
        self.say("alien_target", objective=self.tile(tile), attempt=bool(attempted))

    def on_ufo(self, _: int, slot: int, size: int, tile: int, __: int) -> None:
        self.say("ufo", slot=slot + 1, size=SIZES[size], objective=self.tile(tile))

    # --- the end of a turn ---
    def on_home(self, p: int, unit: int, elite: int, cell: int, _: int) -> None:
        self.say(
            "home",
            seat=p + 1,
            unit=UNIT_WORDS[unit],
            elite=bool(elite),
            cell=None if cell == NONE else cell + 1,
        )

    def on_scarce(self, _: int, technology: int, *__: int) -> None:
        self.say("scarce", technology=TECHNOLOGIES[technology])

    def on_researched(self, _: int, technology: int, level: int, knowledge: int, success: int) -> None:
        self.say(
            "researched", technology=TECHNOLOGIES[technology], success=bool(success), level=level, labs_needed=0,
            labs=0, knowledge=knowledge,
        )  # fmt: skip

    def on_draw(self, p: int, kind: int, why: int, *_: int) -> None:
        if DRAW_WORDS[why] == "set-up":
            if self.last["do"] != "hand" or self.last["seat"] != p + 1:
                self.say("hand", seat=p + 1, cards=[])
            self.last["cards"].append(CARDS[kind])
        else:
            self.say("draw", seat=p + 1, card=CARDS[kind], why=DRAW_WORDS[why])

    def on_discard(self, p: int, kind: int, *_: int) -> None:
        self.say("discard", seat=p + 1, card=CARDS[kind])

    def on_reshuffle(self, *_: int) -> None:
        self.say("reshuffle", cards={})

    def on_personal(self, p: int, points: int, why: int, total: int, _: int) -> None:
        self.say("personal", seat=p + 1, points=points, why=PERSONAL_WORDS[why], total=total)

    def on_end(self, _: int, turn: int, winner: int, why: int, science: int) -> None:
        self.say("end", turn=turn, winner=SIDE_WORDS[winner], why=WHY_ENDED[why], points=[], science=science)

    def on_personal_end(self, p: int, objective: int, points: int, unused: int, total: int) -> None:
        self.say(
            "personal_end", seat=p + 1, objective=self.objective(objective), objective_points=points, unused=unused,
            total=total,
        )  # fmt: skip

    def on_winner(self, p: int, points: int, *_: int) -> None:
        self.say("winner", seat=self.seat(p), points=points)

    def on_stop(self, _: int, decisions: int, forced: int, *__: int) -> None:
        self.say("stop", decisions=decisions, forced=forced)

    # --- entries of the last line's lists ---
    def on_item(self, p: int, a: int, b: int, c: int, d: int) -> None:
        line = self.last
        getattr(self, "item_" + line["do"])(line, p, a, b, c)

    def item_order(self, line: Line, p: int, *_: int) -> None:
        line["seats"].append(p + 1)

    def item_build(self, line: Line, p: int, credits: int, *_: int) -> None:
        line["credits"] = credits

    def item_turn(self, line: Line, p: int, a: int, b: int, _: int) -> None:
        if p == NONE:
            line["levels"].append(b)
        else:
            line["credits"][str(p + 1)], line["may_play"][str(p + 1)] = a, b

    def item_attempt(self, line: Line, p: int, agent: int, needed: int, success: int) -> None:
        line["agent"], line["needed"], line["success"] = agent, needed, bool(success)

    def item_status(self, line: Line, p: int, alliance: int, aliens: int, _: int) -> None:
        line["points"] = [alliance, aliens]

    item_end = item_status

    def item_researched(self, line: Line, p: int, needed: int, labs: int, _: int) -> None:
        line["labs_needed"], line["labs"] = needed, labs

    def item_reshuffle(self, line: Line, p: int, kind: int, n: int, _: int) -> None:
        line["cards"][CARDS[kind]] = n

    def item_loss(self, line: Line, p: int, k: int, *_: int) -> None:
        line["index"] = k + 1
