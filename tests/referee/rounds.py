"""Phases 2 to 6 of a round: agendas, research, submissions, new projects, the badge."""

from __future__ import annotations

from dataclasses import dataclass, field

from .arithmetic import THREATS, fewest_swaps, resolve_threats, safe_total, total_of
from .best import best_total
from .cards import Project
from .effects import take_deal
from .events import event_phase, read_event_shuffle, read_tie
from .growth import gain_upgrades, take_pick
from .reveal import take_scoop
from .setup import lay_out
from .table import Company, Table


@dataclass
class Round:
    """What a round has seen so far. Seats are the keys."""

    agendas: dict[int, str] = field(default_factory=dict)
    totals: dict[int, int] = field(default_factory=dict)  # of those who submitted
    claimed: set[int] = field(default_factory=set)
    scooped: set[int] = field(default_factory=set)
    idle: set[int] = field(default_factory=set)  # without a project at the start of the phases


def play_round(table: Table) -> None:
    """A round without reveal and invasion, from the event to the badge."""
    event_phase(table)
    now = Round()
    read_agendas(table, now)
    deal_research(table, now)
    for company in table.clockwise():
        if now.agendas.get(company.seat) == "submit":
            now.totals[company.seat] = read_submission(table, company)
    settle_claims(table, now)
    settle_banks(table, now)
    new_projects(table, now)
    pass_badge(table)


# -- agendas and research -------------------------------------------------------------------------
def read_agendas(table: Table, now: Round) -> None:
    """R-AGD-1, R-AGD-2, A-8, A-26: everybody with a project has a legal agenda."""
    reader = table.reader
    now.idle = {company.seat for company in table.clockwise() if company.project is None}
    busy = [company for company in table.clockwise() if company.project]
    if not busy and reader.peek() != "agendas":
        return
    told = reader.take("agendas", "R-AGD-1")["agendas"]
    reader.same("R-AGD-1 R-INV-13", "seats", sorted(str(c.seat) for c in busy), sorted(told))
    for company in busy:
        agenda = told[str(company.seat)]
        legal = legal_agendas(table, company)
        if agenda not in legal:
            reader.stop("R-AGD-2 A-8", f"seat {company.seat} chose {agenda!r}, legal: {legal}")
        now.agendas[company.seat] = agenda


def legal_agendas(table: Table, company: Company) -> list[str]:
    """What a company may choose."""
    legal = ["switch"]
    if len(company.queue) < table.rules["ports"]:
        legal.append("research")
    if company.queue or table.rules["empty_submission"]:
        legal.append("submit")
    return legal


def deal_research(table: Table, now: Round) -> None:
    """R-RES-1, R-RES-2: from the president's left clockwise."""
    left = table.seats_from(table.president)
    for seat in left[1:] + left[:1]:
        company = table.companies[seat]
        if now.agendas.get(seat) == "research" and company.project:
            field_studied = company.project.field
            own = sum(1 for project in company.vaults if project.field == field_studied)
            wanted = table.ability(company, "staffing") + own * table.rules["field_bonus"]
            take_deal(table, company, "research", wanted)


# -- submissions ----------------------------------------------------------------------------------
def read_submission(table: Table, company: Company) -> int:
    """A `submit` line; the total as the rules have it."""
    reader, project = table.reader, company.project
    assert project is not None
    line = reader.take("submit", "R-AGD-1")
    reader.facts("R-AGD-1", seat=company.seat, project=project.name)
    reader.facts("R-RES-4", queue=company.queue)
    reader.facts("R-SUB-5", bank=company.bank, difficulty=project.difficulty)
    reader.facts("R-SUB-3", immune=company.immune)
    swaps = table.ability(company, "creativity")
    if reader.choice("R-SUB-1", "way", ("safe", "standard")) == "safe":
        total = safe_total(len(company.queue), table.rules)
        reader.facts("R-SUB-1", used=0, order=company.queue, threats=[], total=total)
        reader.check("R-SUB-2", line["swaps"] in (0, swaps), f"swaps should be {swaps}")
    else:
        reader.facts("R-SUB-2", swaps=swaps)
        total = judge_standard(table, company, swaps)
    table.empty_queue(company)  # R-SUB-8
    return total


def judge_standard(table: Table, company: Company, swaps: int) -> int:
    """R-SUB-2 to R-SUB-4: swaps, threats and the total."""
    reader, line = table.reader, table.reader.line
    order, used = line["order"], line["used"]
    needed = fewest_swaps(company.queue, order)
    if needed is None:
        reader.stop("R-SUB-2", f"order {order} holds other cards than the queue {company.queue}")
    right = type(used) is int and needed <= used <= swaps
    reader.check("R-SUB-2", right, f"used {used!r}: the order needs {needed} swaps, {swaps} are allowed")
    hits = [hit._asdict() for hit in resolve_threats(order, judge_ignored(table, company))]
    reader.facts("R-SUB-3", threats=hits)
    total = total_of(order, {hit["destroys_port"] for hit in hits if hit["destroys_port"]})
    reader.facts("R-SUB-4", total=total)
    if table.best_swaps:
        optional = bool(table.rules["immunity_optional"])
        best = best_total(company.queue, company.immune, swaps, optional)
        text = f"total {total} is not the best within {swaps} swaps: {best}"
        reader.check("R-SUB-2 A-8", total == best, text)
    return total


def judge_ignored(table: Table, company: Company) -> set[int]:
    """R-SUB-3, A-7: the ports of the threats that do not act."""
    line = table.reader.line
    told = {hit["port"]: hit["ignored"] for hit in line["threats"]}
    ignored: set[int] = set()
    for port, card in enumerate(line["order"], 1):
        if card not in THREATS:
            continue
        immune = card in company.immune
        lets_act = table.rules["immunity_optional"] and told.get(port) is False
        if immune and not lets_act:
            ignored.add(port)
    return ignored


# -- claims ---------------------------------------------------------------------------------------
def settle_claims(table: Table, now: Round) -> None:
    """R-SUB-5: each project reached goes to the highest sum.

    First all ties are settled, then the claims are made from the president clockwise.
    """
    claims: dict[int, str] = {}
    for name, seats in best_claimants(table, now).items():
        claims[read_tie(table, [seats], "claim", "R-SUB-5")] = name
    for company in table.clockwise():
        if company.seat in claims:
            read_claim(table, now, company, table.face_up[claims[company.seat]])


def best_claimants(table: Table, now: Round) -> dict[str, list[int]]:
    """Projects reached, by their first submitter from the president, with the seats that share the top."""
    sums: dict[str, dict[int, int]] = {}
    for company in table.clockwise():
        if company.seat not in now.totals or company.project is None:
            continue
        reached = sums.setdefault(company.project.name, {})
        points = company.bank + now.totals[company.seat]
        if points >= company.project.difficulty:
            reached[company.seat] = points
    return {
        name: [seat for seat, points in reached.items() if points == max(reached.values())]
        for name, reached in sums.items()
        if reached
    }


def read_claim(table: Table, now: Round, company: Company, project: Project) -> None:
    """R-SUB-6: a claim, its upgrades, and who is scooped by it."""
    reader = table.reader
    points = company.bank + now.totals[company.seat]
    reader.take("claim", "R-SUB-5")
    reader.facts("R-SUB-5", seat=company.seat, project=project.name, points=points)
    vault = reader.choice("R-SUB-6", "vault", ("secret", "public"))
    table.claimed += 1
    reader.facts("A-9", claimed=table.claimed)
    company.bank = 0
    del table.face_up[project.name]
    (company.secret if vault == "secret" else company.public).append(project)
    now.claimed.add(company.seat)
    gain_upgrades(table, company, project)
    for other in table.clockwise():
        if other is not company and other.project is project:
            scoop(table, now, other, project, company.seat)


def scoop(table: Table, now: Round, company: Company, project: Project, by: int) -> None:
    """R-SCP-1, A-SCP-2: submitters, researchers, and with the option switchers."""
    agenda = now.agendas[company.seat]
    if agenda == "switch" and not table.rules["switchers_scooped"]:
        return
    why = {"submit": "submitted", "research": "researched", "switch": "switched"}[agenda]
    now.scooped.add(company.seat)
    take_scoop(table, company, project, by, why, now.totals.get(company.seat))


def settle_banks(table: Table, now: Round) -> None:
    """R-SUB-7, then R-NEW-3: who fell short, then who switches, each from the president clockwise."""
    settled = now.claimed | now.scooped
    open_seats = [company for company in table.clockwise() if company.seat not in settled]
    for company in open_seats:
        if company.seat in now.totals:
            take_bank(table, company, "short", now.totals[company.seat], "R-SUB-7")
    for company in open_seats:
        if now.agendas.get(company.seat) == "switch":
            take_bank(table, company, "switch", safe_total(len(company.queue), table.rules), "R-NEW-3")


def take_bank(table: Table, company: Company, why: str, added: int, rule: str) -> None:
    """A `bank` line."""
    reader = table.reader
    reader.take("bank", rule)
    reader.facts(rule, seat=company.seat, why=why, added=added, bank_before=company.bank)
    company.bank += added
    reader.facts(rule, bank=company.bank, discarded=company.queue)
    table.empty_queue(company)


# -- new projects and badge -----------------------------------------------------------------------
def new_projects(table: Table, now: Round) -> None:
    """R-NEW-1, R-NEW-2, R-INV-2: lay-outs of the claimants, then everybody's picks."""
    for company in table.clockwise():
        if company.seat in now.claimed and not table.revealed_in:
            levels = table.levels_open(company.highest, table.rules["level_step"])
            lay_out(table, company.seat, levels, "claim", "R-NEW-1")
    for company in table.clockwise():
        seat = company.seat
        if seat in now.claimed:
            take_pick(table, company, "claimed")
        elif seat in now.scooped:
            take_pick(table, company, "scooped", "R-NEW-5")
        elif now.agendas.get(seat) == "switch":
            take_pick(table, company, "switched", "R-AGD-3 A-27")
        elif seat in now.idle and table.face_up:
            take_pick(table, company, "idle", "A-26")


def pass_badge(table: Table) -> None:
    """R-BDG-1 to R-BDG-3, R-EVT-6: the badge, the research deck, and the event deck if it is empty."""
    reader = table.reader
    shuffle = not table.event_deck and bool(table.event_discards)
    if shuffle and reader.peek() == "reshuffle":
        read_event_shuffle(table)
        shuffle = False
    table.president = table.next_president()
    reader.take("badge", "R-BDG-1")
    reader.facts("R-BDG-1", president=table.president, why="round")
    reader.facts("R-BDG-3", claimed=table.claimed)
    if shuffle:
        read_event_shuffle(table)
    table.shuffle_discards_in()
    table.judge_conservation()
