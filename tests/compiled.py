"""Compiled games before the referee: `python -m tests.compiled KIND --start 0 --count 100` prints JSON.

The tests themselves run the engine as plain Python, so compiled games are played here, in a process of its own.
What a game's row counts is counted again from its trace.

Every game is drawn from a fixed plan by its index alone: `python -m tests.compiled soak --start 17 --count 1`
plays game 17 again, and `--trace` prints its trace.

    soak    the rules and cards of the book; every player number, length, alien and strategy
    rules   random rule options
    cards   random card sets, and now and then random rule options as well
    names   under which name each strategy's compiled code is kept
    rows    result rows (as hex) and traces of a few whole games, to be compared with plain Python
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from sim.games.eti.cards import load_cards
from sim.games.eti.engine import kernel
from sim.games.eti.options import OPTIONS
from sim.games.eti.play import LENGTHS, Setting, make_setting, play
from sim.games.eti.state import MAX_PLAYERS, MIN_PLAYERS
from sim.games.eti.strategy import core_decide, load_strategy
from sim.games.eti.trace import trace_game
from sim.registry import STRATEGIES
from tests.random_cards import random_cards
from tests.referee import judge

SEED = 20_26
NAMES = tuple(STRATEGIES["eti"])
ALIENS = (None, *(alien.name for alien in load_cards().aliens))  # None: drawn at random, in secret
SAME_AS_PLAIN = 12  # games compared with plain Python


def mixed_seats(r: Random, players: int) -> list[str]:
    """A strategy a seat; in half of the tables nobody plays at random, so that exact choices can be judged."""
    names = NAMES if r.random() < 0.5 else tuple(name for name in NAMES if name != "random")
    return [r.choice(names) for _ in range(players)]


def some_rules(r: Random) -> dict[str, int]:
    """A few options anywhere in their ranges; games are kept short."""
    rules = {o.name: r.randint(o.low, o.high) for o in OPTIONS if r.random() < 0.15}
    rules["max_rounds"] = r.randint(5, 60)
    return rules


def soak_plan(index: int) -> Setting:
    """The game of the book. Players, lengths and aliens take turns, so that all their mixes come soon."""
    players = MIN_PLAYERS + index % 4
    length = LENGTHS[index // 4 % 3]
    alien = ALIENS[index // 12 % len(ALIENS)]
    return make_setting(mixed_seats(Random(index), players), length=length, alien=alien)


def rules_plan(index: int) -> Setting:
    """Random rule options."""
    r = Random(index)
    players = r.randint(MIN_PLAYERS, MAX_PLAYERS)
    return make_setting(mixed_seats(r, players), length=r.choice(LENGTHS), rules=some_rules(r))


def cards_plan(index: int) -> Setting:
    """A random card set, one time in four with random rule options."""
    r = Random(index)
    players = r.randint(MIN_PLAYERS, MAX_PLAYERS)
    rules = some_rules(r) if r.random() < 0.25 else {"max_rounds": r.randint(5, 60)}
    seats = mixed_seats(r, players)
    return make_setting(seats, length=r.choice(LENGTHS), cards=random_cards(r), rules=rules)


PLANS: dict[str, Callable[[int], Setting]] = {"soak": soak_plan, "rules": rules_plan, "cards": cards_plan}


def seat_names(setting: Setting) -> list[str]:
    """The strategies of a table, seat 1 first."""
    return [strategy.name for strategy in setting.strategies]


def described(setting: Setting, index: int) -> dict[str, Any]:
    """What one needs to play a game again, card set apart (which the plan gives)."""
    changed = {o.name: setting.rules[o.name] for o in OPTIONS if setting.rules[o.name] != o.value}
    return {"seed": SEED, "index": index, "strategies": seat_names(setting), "length": setting.length,
            "alien": setting.alien, "rules": changed}  # fmt: skip


def recounted(lines: list[dict[str, Any]]) -> tuple[dict[str, int], dict[int, Counter[str]]]:
    """What a game's row should hold, counted from its trace: for the game, and for each seat."""
    game: dict[str, int] = {"claimed": 0, "reveal_round": 0, "threshold_round": 0}
    seats: dict[int, Counter[str]] = {p: Counter() for p in range(lines[0]["players"])}
    number, alien = 0, None
    fames: list[int] = []
    claims: list[list[int]] = [[]]  # by round: who claimed
    mash_cards: list[int] = []
    game |= {"threshold": lines[0]["threshold"], "intel_used": 0, "mashes_used": 0}
    for line in lines:
        do, seat = line["do"], seats.get((line.get("seat") or 0) - 1, Counter())
        game["claimed"] = line.get("claimed", game["claimed"])
        if do == "round":
            number = line["round"]
            claims.append([])
        elif do == "claim":
            claims[-1].append(line["seat"] - 1)
        elif do in ("intel", "mashes"):
            game[do] = line["uses" if do == "intel" else "mashes"]
        elif do in ("turn_up", "move"):
            game["intel_used"] += 1
        elif do == "mash":
            game["mashes_used"] += 1
            mash_cards.append(line["id"])
            seat["mashed"] += 1
        elif do == "role" and line["role"] == "alien":
            game["alien_seat"] = line["seat"] - 1
        elif do == "first_president":
            game["first_president"] = line["seat"] - 1
        elif do == "reveal":
            alien, game["reveal_round"] = line["seat"] - 1, number
            claims[-1] += [alien] if line["project"] else []
        elif do == "agendas":
            for p, counts in seats.items():
                agenda = line["agendas"].get(str(p + 1))
                counts["researched"] += agenda == "research"
                counts["switched"] += agenda == "switch"
                counts["idle"] += agenda is None and p != alien
        elif do == "submit":
            seat[line["way"]] += 1
        elif do == "scooped":
            seats[line["by"] - 1]["scoops_given"] += 1
            seat["scoops_suffered"] += 1
            seat["banked"] += line["added"]
            seat["lost_to_cap"] += line["bank_before"] + line["added"] - line["bank"]
        elif do == "bank":
            seat["banked"] += line["added"]
        elif do == "pick":
            seat["lost_to_cap"] += line["bank_before"] - line["bank"]
        elif do in ("immunity", "immunity_lost"):
            seat["immunities"] = len(line["immune"])
        elif do == "badge" and line["why"] == "round":
            if not game["threshold_round"] and line["claimed"] >= lines[0]["threshold"]:
                game["threshold_round"] = number
        elif do == "invasion":
            game["final_president"] = line["president"] - 1
        elif do == "battle":
            seat.update({key: int(line[key]) for key in ("attack", "defence", "fame")})
            seat["survived"] = int(line["survives"])
            for card in line["cards"]:
                seat["attack_mash" if card["id"] in mash_cards else "attack_dealt"] += card["value"]
            game["base_attack"] = line["base"]
            seat.update(project["vault"] for project in line["projects"])
            fames += [line["fame"]] if line["survives"] else []
        elif do == "winner":
            game["winner"], game["winner_role"] = line["seat"] - 1, int(line["role"] == "alien")
            seat["won"] = 1
        elif do == "end":
            game.update({key: line[key] for key in ("decisions", "forced")})
            game["invasion_round"] = line["rounds"]
    game["lead_changes"] = follow(claims, seats)
    game["survivors"], game["tied"] = len(fames), fames.count(max(fames)) if fames else 0
    return game, seats


def follow(claims: list[list[int]], seats: dict[int, Counter[str]]) -> int:
    """Leads and lags by the claims of each round; how often another seat came to be alone in front."""
    leaders, rounds = [], len(claims) - 1
    for number in range(1, rounds + 1):
        claimed = Counter(seat for round_ in claims[: number + 1] for seat in round_)
        for p, counts in seats.items():
            lead = claimed[p] - max(claimed[q] for q in seats if q != p)
            counts["behind"] = max(counts["behind"], -lead)
            leaders += [p] if lead > 0 else []
            for third in range(3):
                if number * 3 <= rounds * (third + 1):
                    counts[f"lead {third}"] = lead
    return sum(before != after for before, after in pairwise(leaders))


SEAT_KEYS = ("safe", "standard", "researched", "switched", "idle", "scoops_given", "scoops_suffered", "banked",
             "lost_to_cap", "immunities", "attack", "defence", "fame", "survived", "won",
             "attack_dealt", "attack_mash", "mashed", "behind")  # fmt: skip
VAULT_KEYS = ("secret", "public")  # of humans: the alien's vault has no line of its own


def row_problems(row: Any, lines: list[dict[str, Any]]) -> list[str]:
    """Where a game's row does not say what its trace says."""
    game, seats = recounted(lines)
    found = [f"row: {key} is {row[key]}, by the trace {n}" for key, n in game.items() if int(row[key]) != n]
    for p, counts in seats.items():
        for key in SEAT_KEYS if p == game["alien_seat"] else SEAT_KEYS + VAULT_KEYS:
            if int(row["seat"][p][key]) != counts[key]:
                found.append(f"row: seat {p + 1}: {key} is {row['seat'][p][key]}, by the trace {counts[key]}")
        for third, lead in enumerate(row["seat"][p]["lead"]):
            if lead != counts[f"lead {third}"]:
                found.append(
                    f"row: seat {p + 1}: lead {third} is {lead}, by the trace {counts[f'lead {third}']}"
                )
    return found


def judged(kind: str, setting: Setting, index: int, kinds: Counter[str]) -> list[str]:
    """Play and judge one game; what is wrong with it, a crash included."""
    try:
        lines = trace_game(setting, SEED, index)
        row = play(setting, SEED, index, 1)[0]
    except Exception as error:  # it must not happen, and the other games are still worth playing
        return [f"crash: {type(error).__name__}: {error}"]
    kinds.update(line["do"] for line in lines)
    exact = "random" not in seat_names(setting)  # random play swaps and loses as it likes, on purpose
    found = judge(lines, best_swaps=exact and kind == "soak", best_losses=exact).violations
    found = found or row_problems(row, lines)
    return found if lines[-1]["do"] == "end" else [*found, "end: the game does not end"]


def report(kind: str, start: int, count: int) -> dict[str, Any]:
    """Play `count` games of a plan from `start` on."""
    began = time.monotonic()
    violations: dict[str, dict[str, Any]] = {}
    kinds: Counter[str] = Counter()
    seen: dict[str, Counter[str]] = {key: Counter() for key in ("strategy", "alien", "length", "players")}
    for index in range(start, start + count):
        setting = PLANS[kind](index)
        seen["strategy"].update(seat_names(setting))
        seen["alien"][str(setting.alien)] += 1
        seen["length"][setting.length] += 1
        seen["players"][str(setting.players)] += 1
        # only the first: what follows a violation is mostly its consequence
        for what in judged(kind, setting, index, kinds)[:1]:
            entry = violations.setdefault(what.partition(":")[0], {"count": 0})
            entry["count"] += 1
            entry.setdefault("example", described(setting, index) | {"found": what})
    return {"games": count, "seconds": round(time.monotonic() - began, 1), "violations": violations,
            "kinds": kinds, "seen": seen}  # fmt: skip


def whole_games() -> list[dict[str, Any]]:
    """A few games as (row, trace): all player numbers, many strategies, short; the same in either mode."""
    games = []
    for number in range(SAME_AS_PLAIN):
        players = MIN_PLAYERS + number % 4
        names = [NAMES[(number + seat * 3) % len(NAMES)] for seat in range(players)]
        setting = make_setting(names, length=LENGTHS[number // 4], alien=ALIENS[number % len(ALIENS)])
        row = play(setting, SEED, number, 1)[0]
        games.append({"row": np.array(row).tobytes().hex(), "trace": trace_game(setting, SEED, number)})
    return games


def compile_all() -> None:
    """Compile or load everything in a fixed order before the first game, so that plans do not change it."""
    for name in NAMES:
        load_strategy(name)
    kernel()


def compiled_names() -> dict[str, str]:
    """The name of each strategy's compiled code, without the running number that differs between processes."""
    found = {}
    for name in ("core", *NAMES):
        decide = core_decide() if name == "core" else load_strategy(name).decide
        (version,) = decide.overloads.values()
        found[name] = f"{version.fndesc.modname}.{version.fndesc.qualname}"
    return found


def main() -> None:
    """Read the arguments, play, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kind", choices=[*PLANS, "names", "rows"])
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--trace", action="store_true", help="print the trace of the first game instead")
    options = parser.parse_args()
    compile_all()
    if options.kind == "names":
        print(json.dumps(compiled_names()))
    elif options.kind == "rows":
        print(json.dumps(whole_games()))
    elif options.trace:
        for line in trace_game(PLANS[options.kind](options.start), SEED, options.start):
            print(json.dumps(line))
    else:
        print(json.dumps(report(options.kind, options.start, options.count), indent=1))


if __name__ == "__main__":
    main()
