"""The trace of the reveal and the invasion: chapter 4 of the rules page, one function a verb."""

from __future__ import annotations

from sim.games.eti import effects
from sim.games.eti.cards import ALIEN_ABILITIES, THREATS
from sim.games.eti.trace_words import PLACES, Line, Scribe

_REASON = ("at once", "time", "no project", "limit")
_WHY = ("fame", "tie", "no survivor")


class InvasionScribe(Scribe):
    """Reads the rows of an alien that reveals itself, and of the attack."""

    # --- reveal ----------------------------------------------------------------------------------------
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

    # --- invasion --------------------------------------------------------------------------------------
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
        self.say("draw_project", seat=p + 1, level=level, project=self.project(project), vault=PLACES[place])

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
            {"project": name, "vault": PLACES[place], "defence": defence, "fame": fame}
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


# --- what an 'item' row means for each kind of line ---------------------------------------------------------
def _board(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if tag == 0:
        line["tokens"][ALIEN_ABILITIES[what]], line["values"][ALIEN_ABILITIES[what]] = extra, more


def _leftover(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["projects"].append(t.project(what))


def _attack_card(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    if line["do"] == "mash":
        line["id"], line["card"] = extra + 1, t.kinds[what]
    else:
        line["cards"].append({"id": extra + 1, "card": t.kinds[what]})


def _battle_card(t: Scribe, line: Line, p: int, tag: int, what: int, extra: int, more: int) -> None:
    line["cards"].append({"id": what + 1, "card": t.kinds[extra], "value": more})


INVASION_ITEMS = {
    "alien_board": _board, "leftovers": _leftover, "attack": _attack_card, "mash": _attack_card,
    "battle": _battle_card,
}  # fmt: skip
