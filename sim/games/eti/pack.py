"""A card set and rule options as the records the engine reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from sim.games.eti.cards import ABILITIES, ALIEN_ABILITIES, FIELDS, THREATS, CardSet, Effect
from sim.games.eti.effects import OF_ALL, OF_PUBLIC, OF_SECRET, WORDS
from sim.games.eti.state import MULTIPLIER, NONE, NUMBER, THREAT

_WHO = ("president", "everyone", "others", "assign", "vote")
_KEEP = (None, "round", "invasion")
_OF = {
    **{field: k for k, field in enumerate(FIELDS)},
    "secret": OF_SECRET,
    "public": OF_PUBLIC,
    "all": OF_ALL,
}


def card_kinds(cards: CardSet) -> list[tuple[str, int, int, int]]:
    """The kinds of research card as (word, type, value, count), in the engine's order: highest number first."""
    numbers, multipliers, threats = [], [], []
    for kind in cards.research:
        if kind.card in THREATS:
            threats.append((kind.card, THREAT, THREATS.index(kind.card), kind.count))
        elif kind.card.startswith("x"):
            multipliers.append((kind.card, MULTIPLIER, int(kind.card[1:]), kind.count))
        else:
            numbers.append((kind.card, NUMBER, int(kind.card), kind.count))
    return sorted(numbers, key=lambda kind: -kind[2]) + multipliers + threats


def pack_rules(rules: Mapping[str, int], record: Any) -> None:
    """Write rule options into their record."""
    for name, value in rules.items():
        record[name] = value


def pack_cards(cards: CardSet, record: Any) -> None:
    """Write a card set into its record."""
    _pack_research(cards, record)
    _pack_projects(cards, record)
    _pack_events(cards, record)
    _pack_absent(cards, record)
    record["humans"], record["aliens"] = len(cards.humans), len(cards.aliens)
    for k, human in enumerate(cards.humans):
        record["human_effects"][k] = _effects(human.effects)
    for k, alien in enumerate(cards.aliens):
        record["alien_ufos"][k] = alien.ufos
        record["alien_effects"][k] = _effects(alien.effects)
    for k, ability in enumerate(ABILITIES + ALIEN_ABILITIES):
        spaces = cards.tracks[ability]
        record["spaces"][k] = len(spaces)
        record["track"][k][: len(spaces)] = spaces


def _pack_absent(cards: CardSet, record: Any) -> None:
    """Cards that are not in the game, as sets."""
    for section in ("projects", "events", "humans"):
        listed = getattr(cards, section)
        record[f"absent_{section}"] = sum(1 << k for k, card in enumerate(listed) if card.name in cards.absent)


def _pack_research(cards: CardSet, record: Any) -> None:
    kinds = card_kinds(cards)
    numbers = [kind for kind in kinds if kind[1] == NUMBER]
    record["kinds"], record["numbers"] = len(kinds), len(numbers)
    for k, (_, sort, value, count) in enumerate(kinds):
        record["kind_type"][k], record["kind_value"][k], record["kind_count"][k] = sort, value, count
    size = sum(kind[3] for kind in kinds)
    record["deck_size"] = size
    count = sum(kind[3] for kind in numbers)
    record["number_share"] = count / size
    record["number_mean"] = _mean_of_highest(numbers, 1)
    record["kill_mean"] = _mean_of_highest(numbers, 3)
    record["threat_share"] = sum(k[3] for k in kinds if k[1] == THREAT) / len(THREATS) / size
    record["factor_mean"] = 1 + sum(k[3] * (k[2] - 1) for k in kinds if k[1] == MULTIPLIER) / size


def _mean_of_highest(numbers: Sequence[tuple[str, int, int, int]], draws: int) -> float:
    """The expected highest of so many random numbers of the deck."""
    total = sum(kind[3] for kind in numbers)
    if total == 0:
        return 0.0
    mean = 0.0
    for pick in product(numbers, repeat=draws):
        chance = 1.0
        for kind in pick:
            chance *= kind[3] / total
        mean += chance * max(kind[2] for kind in pick)
    return mean


def _pack_projects(cards: CardSet, record: Any) -> None:
    record["projects"] = len(cards.projects)
    record["upgrades"][:] = 0
    for k, project in enumerate(cards.projects):
        record["field"][k] = FIELDS.index(project.field)
        for key in ("level", "difficulty", "defence", "fame"):
            record[key][k] = getattr(project, key)
        for ability in project.upgrades:
            record["upgrades"][k][ABILITIES.index(ability)] += 1


def _pack_events(cards: CardSet, record: Any) -> None:
    record["events"] = len(cards.events)
    for k, event in enumerate(cards.events):
        record["event_who"][k] = _WHO.index(event.who)
        record["event_ability"][k] = NONE if event.ability is None else ABILITIES.index(event.ability)
        record["event_good"][k] = event.good
        record["event_keep"][k] = _KEEP.index(event.keep)
        record["event_other"][k] = event.on == "other"
        record["event_effects"][k] = _effects(event.effects)


def _effects(effects: Sequence[Effect]) -> list[tuple[int, int, int]]:
    """Up to three effects as (what, amount, argument)."""
    rows = [(WORDS.index(e.do), e.amount, _argument(e)) for e in effects]
    return rows + [(0, 0, 0)] * (3 - len(rows))


def _argument(effect: Effect) -> int:
    if effect.of is not None:
        return _OF[effect.of]
    if effect.do == "upgrade":
        return NONE if effect.ability is None else ABILITIES.index(effect.ability)
    return effect.level
