"""Tracks, immunities, and projects that come to a company or leave it."""

from __future__ import annotations

from .arithmetic import THREATS, transferred_bank
from .cards import COUNTERPART, Project
from .table import Company, Table

BOARD = ("staffing", "creativity", "security", "analysis")


def board_order(project: Project) -> list[str]:
    """A project's upgrades as they are made: in the order of the company board."""
    return sorted(project.upgrades, key=BOARD.index)


def take_upgrade(table: Table, company: Company, ability: str, source: str, project: Project | None) -> None:
    """An `upgrade` line; `ability` is what the rules or the one who upgrades have named."""
    reader = table.reader
    reader.take("upgrade", "R-UPG-1" if project else "R-SET-2")
    remember(table, company)
    company.tokens[ability] += 1
    reader.facts(
        "R-UPG-1" if project else "R-SET-2 A-20",
        seat=company.seat,
        ability=ability,
        source=source,
        project=project.name if project else None,
        tokens=company.tokens[ability],
        value=table.ability(company, ability),
    )


def remember(table: Table, company: Company) -> None:
    """R-RES-4: what analysis shows before its token moves stays known, even if the new space shows less."""
    shown = min(table.ability(company, "analysis"), len(company.queue))
    company.looked.update(range(1, shown + 1))


def choose_upgrade(table: Table, company: Company, source: str, ability: str | None, rule: str) -> None:
    """A free upgrade: on the ability given or on one of its choice; lost with no space left (A-20)."""
    names = [ability] if ability else list(company.tokens)
    open_tracks = [name for name in names if table.cards.has_space(name, company.tokens[name])]
    if not open_tracks:
        return
    reader = table.reader
    if reader.peek() == "upgrade":
        chosen = reader.lines[reader.at].get("ability")
        if chosen not in open_tracks:
            reader.stop(f"{rule} A-20", f"{chosen!r} upgraded, open: {open_tracks}", f"line {reader.at + 1}")
        take_upgrade(table, company, chosen, source, None)
    else:
        reader.take("upgrade", rule)
    settle_immunities(table, company)


def settle_immunities(table: Table, company: Company) -> None:
    """R-SET-3, A-6, A-21: choose or lose immunities until their number is right."""
    while due_immunities(table, company) > 0:
        take_immunity(table, company)
    while due_immunities(table, company) < 0:
        lose_immunity(table, company)


def due_immunities(table: Table, company: Company) -> int:
    """How many immunities are to be chosen (negative: lost)."""
    return table.allowed_immunities(company) - len(company.immune)


def take_immunity(table: Table, company: Company) -> None:
    """An `immunity` line: a threat it is not immune to."""
    reader = table.reader
    reader.take("immunity", "R-SET-3 R-UPG-1 A-21")
    reader.facts("R-SET-3 A-21", seat=company.seat)
    threat = reader.choice("R-SET-3 A-21", "threat", [t for t in THREATS if t not in company.immune])
    company.immune.append(threat)
    reader.facts("R-SET-3", immune=company.immune)


def lose_immunity(table: Table, company: Company) -> None:
    """An `immunity_lost` line: the one chosen last, or first (option)."""
    reader = table.reader
    reader.take("immunity_lost", "A-6")
    lost = company.immune.pop(-1 if table.rules["immunity_lost_last"] else 0)
    reader.facts("A-6 A-21", seat=company.seat, threat=lost, immune=company.immune)


def grant_immunity(table: Table, company: Company) -> None:
    """An effect gives an immunity, or nothing when all are taken (A-21)."""
    if len(company.immune) < len(THREATS):
        company.granted += 1
        settle_immunities(table, company)


def gain_upgrades(table: Table, company: Company, project: Project) -> None:
    """R-UPG-1: the project's upgrades, in the order of the board, and the immunities they bring."""
    for ability in board_order(project):
        while table.reader.peek() == "immunity" and due_immunities(table, company) > 0:
            take_immunity(table, company)
        take_upgrade(table, company, ability, "project", project)
    settle_immunities(table, company)


def lose_upgrades(table: Table, company: Company, project: Project) -> None:
    """R-EVT-3: the upgrades leave with the project, and what immunities hung on them (A-6)."""
    reader = table.reader
    for ability in board_order(project):
        while reader.peek() == "immunity_lost" and due_immunities(table, company) < 0:
            lose_immunity(table, company)
        reader.take("downgrade", "R-EVT-3")
        remember(table, company)
        company.tokens[ability] -= 1
        reader.facts(
            "R-EVT-3",
            seat=company.seat,
            ability=ability,
            project=project.name,
            tokens=company.tokens[ability],
            value=table.ability(company, ability),
        )
    settle_immunities(table, company)


def move_project(table: Table, giver: Company, taker: Company, project: Project, why: str) -> None:
    """R-EVT-3: a project changes hands, into the receiver's public vault."""
    rule = "R-EVT-3" if why == "trade" else "A-23"
    table.reader.take("project_moves", rule)
    table.reader.facts(rule, seat=giver.seat, to=taker.seat, project=project.name, why=why)
    (giver.secret if project in giver.secret else giver.public).remove(project)
    lose_upgrades(table, giver, project)
    taker.public.append(project)
    gain_upgrades(table, taker, project)


def choose_tactics(table: Table) -> None:
    """A-21: the alien adds tactics up to what it may have."""
    reader, alien = table.reader, table.alien
    value = table.cards.space("tactics", table.alien_tokens["tactics"])
    more = table.cards.alien_effect(alien.card, "tactics")
    allowed = min(len(THREATS), value + alien.granted + more)
    while len(table.tactics) < allowed:
        reader.take("tactic", "R-INV-3 R-INV-5 A-21")
        reader.facts("A-21", seat=alien.seat)
        threat = reader.choice("A-21", "threat", [t for t in THREATS if t not in table.tactics])
        table.tactics.append(threat)
        reader.facts("A-21", tactics=table.tactics)


def alien_gains(table: Table, project: Project) -> None:
    """R-INV-5: each upgrade of a leftover is a token on the counterpart track."""
    reader = table.reader
    for ability in board_order(project):
        track = COUNTERPART[ability]
        reader.take("upgrade", "R-INV-5")
        table.alien_tokens[track] += 1
        tokens = table.alien_tokens[track]
        reader.facts(
            "R-INV-5",
            seat=table.alien.seat,
            ability=track,
            source="project",
            project=project.name,
            tokens=tokens,
            value=table.cards.space(track, tokens),
        )
        if reader.peek() == "tactic":
            choose_tactics(table)


def take_pick(table: Table, company: Company, why: str, rule: str = "R-NEW-2") -> None:
    """A `pick` line: a marker on a face-up project, and the bank by the transfer rule (R-NEW-4)."""
    reader = table.reader
    reader.take("pick", rule)
    left = company.project or company.left
    before = company.bank
    reader.facts(rule, seat=company.seat, why=why, left=left.name if left else None, bank_before=before)
    name = reader.choice(rule, "project", pick_options(table, company, why))
    company.left = left
    company.project = table.face_up[name] if name is not None else None
    if company.project:
        same = left is None or left.field == company.project.field
        company.bank = transferred_bank(before, same, company.project.difficulty, table.rules)
    reader.facts("R-NEW-4", bank=company.bank)


def pick_options(table: Table, company: Company, why: str) -> list[str | None]:
    """R-NEW-2, A-4, A-27: what it may pick; None: it idles."""
    options: list[str | None] = list(table.face_up)
    if why == "switched" and company.project and len(options) > 1:
        options = [name for name in options if name != company.project.name]
    return options or [None]
