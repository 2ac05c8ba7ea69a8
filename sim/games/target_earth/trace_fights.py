"""The lines of interceptions, missions and battles."""

from __future__ import annotations

from typing import Any

from sim.games.target_earth.cards import SIZES
from sim.games.target_earth.log import ALIENS_ROLL
from sim.games.target_earth.play import Setting
from sim.games.target_earth.state import NONE
from sim.games.target_earth.trace_words import ALIEN_WORDS, MODULE_WORDS, UNIT_WORDS, Line, Scribe, dice_of


class FightScribe(Scribe):
    """Dice go to the fight's round, to a re-roll, or to what was rolled for last."""

    def __init__(self, setting: Setting, game: Any) -> None:
        super().__init__(setting, game)
        self.round: Line = {}
        self.thrown: list[list[int]] = []  # dice for a module

    def on_dice(self, p: int, tag: int, count: int, packed: int, _: int) -> None:
        """Up to 20 dice; more of the same roll follow in further rows."""
        dice = dice_of(count, packed)
        do = self.last["do"]
        if do in ("attempt", "conquest"):
            self.last["dice"] += dice
        elif do in ("raid", "module_lost"):
            self.thrown.append(dice)
        elif do == "reroll":
            self.last["dice_after"] += dice
        elif p == NONE and tag == ALIENS_ROLL:
            self.round["alien_dice"] += dice
        elif self.round["allied_dice"] and self.round["allied_dice"][-1][0] == p + 1:
            self.round["allied_dice"][-1][1].extend(dice)
        else:
            self.round["allied_dice"].append([p + 1, dice])

    # --- in the air ---
    def on_scramble(self, p: int, slot: int, elite: int, cell: int, _: int) -> None:
        self.say("scramble", seat=p + 1, slot=slot + 1, elite=bool(elite), cell=cell + 1)

    def on_interception(self, _: int, slot: int, size: int, attack: int, __: int) -> None:
        self.say("interception", slot=slot + 1, size=SIZES[size], attack=attack, fighters=[])

    def on_fighters(self, p: int, plain: int, elites: int, *_: int) -> None:
        self.last["fighters"].append([p + 1, plain, elites])

    def on_air_round(self, _: int, slot: int, number: int, *__: int) -> None:
        self.round = self.say(
            "air_round",
            slot=slot + 1,
            round=number,
            alien_dice=[],
            factor=0,
            bonus=0,
            allied_dice=[],
            hits=[],
        )

    def on_round_over(self, _: int, factor: int, bonus: int, aliens: int, allies: int) -> None:
        self.round["factor"], self.round["bonus"], self.round["hits"] = factor, bonus, [aliens, allies]

    def on_bonus(self, p: int, group: int, cards: int, *_: int) -> None:
        self.say("bonus", seat=p + 1, group=group + 1, cards=cards)

    def on_reroll(self, p: int, n: int, left: int, *_: int) -> None:
        before = next(dice for seat, dice in self.round["allied_dice"] if seat == p + 1)
        self.say("reroll", seat=p + 1, dice=n, left=left, dice_before=list(before), dice_after=[])

    def on_withdraw(self, p: int, slot: int, plain: int, elites: int, _: int) -> None:
        self.say("withdraw", seat=p + 1, slot=slot + 1, fighters=plain, elites=elites)

    def on_loss(self, p: int, kind: int, elite: int, draw: int, n: int) -> None:
        if p == NONE:
            self.say("loss", seat=None, unit=ALIEN_WORDS[kind], index=elite + 1, draw=[draw, n])
        else:
            self.say("loss", seat=p + 1, unit=UNIT_WORDS[kind], elite=bool(elite), draw=[draw, n])

    def on_shot_down(self, _: int, slot: int, *__: int) -> None:
        self.say("shot_down", slot=slot + 1)

    def on_escaped(self, _: int, slot: int, *__: int) -> None:
        self.say("escaped", slot=slot + 1)

    def on_elite(self, p: int, unit: int, at_home: int, *_: int) -> None:
        self.say("elite", seat=p + 1, unit=UNIT_WORDS[unit], at_home=bool(at_home))

    def on_knowledge(self, _: int, knowledge: int, *__: int) -> None:
        self.say("knowledge", knowledge=knowledge)

    # --- on the ground ---
    def on_mission(self, p: int, target: int, load: int, elite_infantry: int, elite_tanks: int) -> None:
        self.say(
            "mission", seat=p + 1, target=self.target(target), infantry=load % 3 - elite_infantry,
            elite_infantry=elite_infantry, tanks=load // 3 - elite_tanks, elite_tanks=elite_tanks, cells=[],
        )  # fmt: skip

    def on_army_cell(self, _: int, unit: int, elite: int, cell: int, __: int) -> None:
        self.last["cells"].append([UNIT_WORDS[unit], bool(elite), cell + 1])

    def on_battle(self, _: int, target: int, where: int, aliens: int, allies: int) -> None:
        self.say(
            "battle", target=self.target(target), objective=self.tile(where), alien_bonus=aliens, allied_bonus=allies,
            aliens=[], allies=[],
        )  # fmt: skip

    def on_alien_unit(self, _: int, kind: int, factor: int, *__: int) -> None:
        self.last["aliens"].append([ALIEN_WORDS[kind], factor])

    def on_ally_unit(self, p: int, kind: int, elite: int, factor: int, army: int) -> None:
        self.last["allies"].append([p + 1, UNIT_WORDS[kind], bool(elite), factor, army == NONE])

    def on_groups(self, _: int, number: int, anew: int, *__: int) -> None:
        self.say("groups", round=number, anew=bool(anew), aliens=[], allies=[], draws=[])

    def on_group_draw(self, _: int, k: int, n: int, *__: int) -> None:
        self.last["draws"].append([k, n])

    def on_group_of(self, _: int, k: int, group: int, allied: int, __: int) -> None:
        self.last["allies" if allied else "aliens"].append(None if group == NONE else group + 1)

    def on_ground_round(self, _: int, target: int, number: int, group: int, __: int) -> None:
        self.round = self.say(
            "ground_round", target=self.target(target), round=number, group=group + 1, alien_dice=[], factor=0,
            bonus=0, allied_dice=[], hits=[],
        )  # fmt: skip

    def on_retreat(self, p: int, group: int, n: int, *_: int) -> None:
        self.say("retreat", seat=p + 1, group=group + 1, units=n)

    def on_battle_over(self, _: int, target: int, won: int, left: int, knowledge: int) -> None:
        self.say(
            "battle_over", target=self.target(target), winner="alliance" if won else "aliens", left=left,
            knowledge=knowledge,
        )  # fmt: skip

    def on_carriers_lost(self, p: int, n: int, *_: int) -> None:
        self.say("carriers_lost", seat=p + 1, carriers=n)

    def on_conquest(self, _: int, slot: int, size: int, country: int, success: int) -> None:
        cards = self.setting.cards.data
        self.say(
            "conquest", slot=slot + 1, size=SIZES[size], country=self.countries[country], dice=[],
            bonus=cards["ufos"][size]["bonus"], needed=cards["countries"][country]["diplomacy"],
            success=bool(success),
        )  # fmt: skip

    def on_raid(self, p: int, slot: int, modules: int, *_: int) -> None:
        self.thrown = []
        self.say("raid", slot=slot + 1, seat=p + 1, modules=modules)

    def on_module_lost(self, p: int, module: int, cell: int, unit: int, points: int) -> None:
        self.say(
            "module_lost", seat=p + 1, module=MODULE_WORDS[module], cell=cell + 1, dice=self.thrown,
            unit=None if unit == NONE else UNIT_WORDS[unit], points=points,
        )  # fmt: skip
        self.thrown = []
