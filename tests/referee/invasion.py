"""The invasion: attack cards, intel, mashes, endgame cards, battles, and the winner."""

from __future__ import annotations

from collections import Counter

from .arithmetic import attack_value
from .best import least_fame_lost
from .cards import Project
from .effects import carry_out
from .events import play_hand, read_tie
from .growth import alien_gains, choose_tactics
from .table import Company, Table

Value = tuple[int, int]  # defence and fame of a project, as they count in the battle


def invade(table: Table, reasons: list[str]) -> None:
    """The invasion from its first line to the end of the trace."""
    reader = table.reader
    reader.take("invasion", "R-INV-4 A-19")
    reader.facts("R-INV-4", round=table.round, president=table.president)
    reason = reader.choice("R-INV-4 A-19", "why", reasons)
    reader.verdict.reason = reason
    take_leftovers(table)
    deal_attack(table)
    use_intel(table)
    mash_projects(table)
    for human in table.clockwise():  # R-INV-9, A-24
        reader.take("endgame", "R-INV-9")
        reader.facts("R-INV-9", seat=human.seat, card=human.card)
        carry_out(table, human, table.cards.humans[human.card])
        play_hand(table, human, "invasion")
    table.judge_conservation()
    fames = {human.seat: judge_battle(table, human) for human in table.clockwise()}
    read_winner(table, {seat: fame for seat, fame in fames.items() if fame is not None})
    read_end(table, reason)


def take_leftovers(table: Table) -> None:
    """R-INV-5: the alien takes what is face up, with its upgrades."""
    reader = table.reader
    if not table.face_up and reader.peek() != "leftovers":
        return
    line = reader.take("leftovers", "R-INV-5")
    reader.facts("R-INV-5", seat=table.alien.seat)
    names = line["projects"]
    if sorted(names) != sorted(table.face_up):
        reader.stop("R-INV-5", f"leftovers should be {sorted(table.face_up)}, found {names}")
    for name in names:
        table.vault.append(table.face_up[name])
    for name in names:
        alien_gains(table, table.face_up[name])
    choose_tactics(table)
    table.face_up.clear()


def deal_attack(table: Table) -> None:
    """R-INV-6, A-3, A-25: attack cards, company by company from the president clockwise."""
    reader = table.reader
    if table.rules["attack_from_all_cards"]:
        for company in table.companies.values():
            table.empty_queue(company)
    table.shuffle_discards_in()
    more = table.rules["attack_cards"] + table.cards.alien_effect(table.alien.card, "attack_cards")
    count = max(0, table.multiplier + more)
    next_id = 1
    for human in table.clockwise():
        line = reader.take("attack", "R-INV-6")
        reader.facts("A-25", seat=human.seat)
        wanted = min(count, table.in_deck)
        reader.same("R-INV-6 A-25", "number of attack cards", wanted, len(line["cards"]))
        for dealt in line["cards"]:
            reader.same("A-25", "id", next_id, dealt["id"])
            table.draw(dealt["card"], "R-INV-6")
            human.attack[next_id] = dealt["card"]
            next_id += 1


def use_intel(table: Table) -> None:
    """R-INV-7: each use turns up a card or moves it to another human."""
    reader = table.reader
    more = table.cards.alien_effect(table.alien.card, "intel")
    uses = max(0, table.cards.space("intel", table.alien_tokens["intel"]) + more)
    reader.take("intel", "R-INV-7")
    reader.facts("R-INV-7", uses=uses)
    turned_up: set[int] = set()
    used = 0
    while reader.peek() in ("turn_up", "move"):
        holders = {which: human for human in table.clockwise() for which in human.attack}
        line = reader.take(reader.peek(), "R-INV-7")
        holder = holders[reader.choice("R-INV-7", "id", holders)]
        which = line["id"]
        if line["do"] == "turn_up":
            reader.facts("R-INV-7", card=holder.attack[which], seat=holder.seat)
            reader.check("R-INV-7", which not in turned_up, "this card lies face up already")
            turned_up.add(which)
        else:
            reader.same("R-INV-7", "from", holder.seat, line["from"])
            others = [human.seat for human in table.clockwise() if human is not holder]
            target = reader.choice("R-INV-7 A-25", "to", others)
            table.companies[target].attack[which] = holder.attack.pop(which)
        used += 1
        reader.check("R-INV-7", used <= uses, f"{used} uses of intel, {uses} are allowed")


def mash_projects(table: Table) -> None:
    """R-INV-8, A-25: one more card for every two projects, at most one a company."""
    reader, held = table.reader, len(table.vault)
    more = table.cards.alien_effect(table.alien.card, "mashes")
    mashes = max(0, held // table.rules["mash_projects"] + more)
    reader.take("mashes", "R-INV-8")
    reader.facts("R-INV-8", projects=held, mashes=mashes)
    next_id = 1 + max((which for human in table.clockwise() for which in human.attack), default=0)
    added: Counter[int] = Counter()
    while reader.peek() == "mash":
        line = reader.take("mash", "R-INV-8")
        seat = reader.choice("R-INV-8", "seat", [human.seat for human in table.clockwise()])
        added[seat] += 1
        limit = table.rules["mash_limit"]
        reader.check("R-INV-8", added[seat] <= limit, f"{added[seat]} mashes against seat {seat}")
        reader.check("R-INV-8", added.total() <= mashes, f"more than {mashes} mashes")
        reader.facts("A-25", id=next_id)
        table.draw(line["card"], "R-INV-8")
        table.companies[seat].attack[next_id] = line["card"]
        next_id += 1


# -- battles --------------------------------------------------------------------------------------
def judge_battle(table: Table, human: Company) -> int | None:
    """R-INV-10, R-INV-11: a `battle` line; the fame left, None for the destroyed."""
    reader = table.reader
    line = reader.take("battle", "R-INV-11")
    reader.facts("R-INV-11", seat=human.seat)
    attack = judge_attack(table, human)
    values = {p.name: counts_for(table, human, p) for p in human.vaults}
    told = {p["project"]: (p["vault"], p["defence"], p["fame"]) for p in line["projects"]}
    secret = {p.name for p in human.secret}
    wanted = {name: ("secret" if name in secret else "public", *value) for name, value in values.items()}
    reader.same("R-SUB-6 R-INV-11", "projects", wanted, told)
    reader.same("R-INV-11", "number of projects", len(values), len(line["projects"]))
    extra = human.bonus["defence"]
    defence = extra + sum(defence for defence, _ in values.values())
    survives = defence >= attack
    reader.facts("R-INV-11", extra_defence=extra, defence=defence, survives=survives)
    if not survives:
        reader.facts("R-INV-11", kept=[], fame=0)
        reader.same("R-INV-11", "discards", sorted(values), sorted(line["discards"]))
        return None
    return judge_losses(table, human, values, attack - extra)


def judge_attack(table: Table, human: Company) -> int:
    """R-INV-10: each card's value, the base attack once, never below 0 in all (A-25)."""
    reader, line = table.reader, table.reader.line
    values = {
        which: (card, attack_value(card, table.tactics, human.immune, table.rules))
        for which, card in human.attack.items()
    }
    told = {card["id"]: (card["card"], card["value"]) for card in line["cards"]}
    reader.same("R-INV-10", "attack cards", values, told)
    reader.same("R-INV-10", "number of attack cards", len(values), len(line["cards"]))
    base = table.cards.space("brutality", table.alien_tokens["brutality"])
    base += table.cards.alien_effect(table.alien.card, "base_attack")
    extra = human.bonus["attack"]
    attack = max(0, sum(value for _, value in values.values()) + base + extra)
    reader.facts("R-INV-10 A-25", base=base, extra=extra, attack=attack)
    return attack


def counts_for(table: Table, human: Company, project: Project) -> Value:
    """R-SUB-6: defence and fame with vault bonuses, and after The Survivalist."""
    moved = project.name in human.moved_fame
    defence = project.defence + (project.fame if moved else 0)
    fame = 0 if moved else project.fame
    if project in human.secret:
        return defence + table.rules["secret_defence"], fame
    return defence, fame + table.rules["public_fame"]


def judge_losses(table: Table, human: Company, values: dict[str, Value], need: int) -> int:
    """R-INV-11, A-INV-11: the discards suffice, and (if asked) nothing else keeps more fame."""
    reader, line = table.reader, table.reader.line
    discards, kept = line["discards"], line["kept"]
    if sorted([*discards, *kept]) != sorted(values):
        reader.stop("R-INV-11", "discards and kept together are not the company's projects")
    given_up = sum(values[name][0] for name in discards)
    reader.check("R-INV-11", given_up >= need, f"discards are worth {given_up} defence, {need} are needed")
    lost = sum(values[name][1] for name in discards)
    fame = sum(values[name][1] for name in kept) + human.bonus["fame"]
    reader.facts("R-INV-12", fame=fame)
    if table.best_losses:
        least = least_fame_lost(list(values.values()), need)
        reader.check("A-INV-11", lost == least, f"the discards cost {lost} fame, {least} would do")
    return fame


def read_winner(table: Table, fames: dict[int, int]) -> None:
    """R-INV-12, A-29: the most fame among the survivors, the president breaks ties."""
    reader, verdict = table.reader, table.reader.verdict
    if fames:
        most = max(fames.values())
        best = [seat for seat, fame in fames.items() if fame == most]
        seat = read_tie(table, [best], "win", "R-INV-12 A-29")
        role, why, fame = "human", "fame" if len(best) == 1 else "tie", most
        verdict.winner, verdict.role = seat, role
        reader.take("winner", "R-INV-12")
        reader.facts("R-INV-12", seat=seat, role=role, why=why, fame=fame)
        return
    verdict.winner, verdict.role = table.alien.seat, "alien"
    reader.take("winner", "R-INV-12")
    reader.facts("R-INV-12", seat=table.alien.seat, role="alien", why="no survivor", fame=None)


def read_end(table: Table, reason: str) -> None:
    """The last line."""
    reader = table.reader
    line = reader.take("end", "trace")
    reader.facts("trace", rounds=table.round, reason=reason)
    asked, forced = line["decisions"], line["forced"]
    right = type(asked) is int and type(forced) is int and 0 <= forced <= asked
    reader.check("trace", right, f"{asked!r} decisions, {forced!r} of them forced")
    reader.check("trace", reader.peek() == "", "lines after the end")
