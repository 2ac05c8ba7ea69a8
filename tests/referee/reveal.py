"""The start of a round: does the alien reveal, and does the invasion come?"""

from __future__ import annotations

from .arithmetic import safe_total, scooped_bank
from .cards import COUNTERPART, Project
from .events import read_event_shuffle
from .growth import choose_tactics, gain_upgrades, take_pick
from .table import Company, Table


def start_round(table: Table) -> list[str]:
    """The `round` line and the reveal; the reasons for which the invasion comes now ([]: it does not)."""
    reader = table.reader
    table.round += 1
    reader.verdict.rounds = table.round
    reader.take("round", "R-BDG-1")
    reader.facts("R-BDG-1", round=table.round, president=table.president)
    reader.facts("R-BDG-3 A-9", claimed=table.claimed)
    limit = ["limit"] if table.round >= table.rules["max_rounds"] else []
    if table.revealed_in:
        return reasons_later(table) or limit
    forced = bool(limit) or table.claimed >= table.must_reveal
    if forced or (table.claimed >= table.threshold and reader.peek() != "wait"):
        reveal(table, forced, bool(limit))
        return limit or (["at once"] if table.rounds_left == 0 else [])
    if table.claimed >= table.threshold:
        reader.take("wait", "R-INV-1")
        reader.facts("R-INV-1", seat=table.alien.seat)
    return []


def reasons_later(table: Table) -> list[str]:
    """R-INV-4, A-19: after the reveal, no project or no time; the round limit may be told as well."""
    if not table.face_up:
        reason = "no project"
    elif table.round - table.revealed_in >= table.rounds_left:
        reason = "time"
    else:
        return []
    return [reason, "limit"] if table.round >= table.rules["max_rounds"] else [reason]


def reveal(table: Table, forced: bool, limit: bool) -> None:
    """R-INV-1, R-INV-2: the alien shows itself; what it brings, up to the picks of the scooped."""
    reader, alien = table.reader, table.alien
    project = alien.project
    if project:  # its upgrades still count as a company's: told before the reveal
        alien.public.append(project)
        del table.face_up[project.name]
        gain_upgrades(table, alien, project)
        table.claimed += table.rules["count_reveal"]
    table.alien_tokens = {COUNTERPART[ability]: tokens for ability, tokens in alien.tokens.items()}
    rounds = table.cards.space("eti", table.alien_tokens["eti"])
    rounds = max(0, rounds + table.cards.alien_effect(alien.card, "rounds"))
    table.rounds_left = 0 if limit else rounds
    table.revealed_in = table.round
    reader.take("reveal", "R-INV-1")
    reader.facts("R-INV-1", seat=alien.seat, card=alien.card, forced=forced)
    reader.facts("R-INV-2", project=project.name if project else None)
    reader.facts("A-10", discarded=alien.queue, bank_lost=alien.bank)
    hand = [event.name for event in alien.hand]
    reader.same("A-10", "events_lost", sorted(hand), sorted(reader.line["events_lost"]))
    reader.facts("A-9", claimed=table.claimed)
    reader.facts("R-INV-4", rounds=table.rounds_left)
    retire_company(table)
    read_board(table)
    read_badge_of_reveal(table)
    scooped = read_scooped(table, project) if project else []
    picks_after_reveal(table, scooped)


def retire_company(table: Table) -> None:
    """R-INV-3, A-10, A-14: one vault; queue, bank, hand and promises are gone."""
    alien = table.alien
    alien.revealed = True
    table.vault = alien.vaults
    alien.secret, alien.public = [], []
    table.tactics, alien.immune = alien.immune, []
    table.empty_queue(alien)
    alien.bank = 0
    alien.project = None
    table.event_discards += alien.hand
    alien.hand = []
    for promise in [pair for pair in table.promises if alien.seat in pair]:
        del table.promises[promise]


def read_board(table: Table) -> None:
    """R-INV-3: the alien's tracks and tactics."""
    reader = table.reader
    values = {track: table.cards.space(track, tokens) for track, tokens in table.alien_tokens.items()}
    reader.take("alien_board", "R-INV-3")
    reader.facts("R-INV-3", seat=table.alien.seat, tokens=table.alien_tokens, values=values)
    reader.facts("R-INV-3", tactics=table.tactics)
    choose_tactics(table)


def read_badge_of_reveal(table: Table) -> None:
    """A-2: an alien president loses the badge at once (option)."""
    if table.president != table.alien.seat or not table.rules["badge_leaves_alien"]:
        return
    table.president = table.next_president()
    table.reader.take("badge", "A-2")
    table.reader.facts("A-2", president=table.president, why="reveal", claimed=table.claimed)
    if not table.event_deck and table.reader.next_is("reshuffle", what="events"):
        read_event_shuffle(table)  # R-EVT-6: the badge has passed


def read_scooped(table: Table, project: Project) -> list[Company]:
    """R-INV-2: the humans on the alien's project are scooped."""
    scooped = [company for company in table.clockwise() if company.project is project]
    for company in scooped:
        take_scoop(table, company, project, table.alien.seat, "reveal", None)
    return scooped


def take_scoop(
    table: Table, company: Company, project: Project, by: int, why: str, total: int | None
) -> None:
    """R-SCP-1: a `scooped` line. `total` is what was submitted, None for cards face down."""
    reader, before = table.reader, company.bank
    cards = company.queue
    added = safe_total(len(cards), table.rules) if total is None else total
    company.bank = scooped_bank(before, added, table.rules)
    reader.take("scooped", "R-SCP-1")
    reader.facts("R-SCP-1", seat=company.seat, project=project.name, by=by, why=why)
    reader.facts("R-SCP-1", added=added, bank_before=before, bank=company.bank, discarded=cards)
    table.empty_queue(company)


def picks_after_reveal(table: Table, scooped: list[Company]) -> None:
    """R-INV-2, A-26: the scooped pick at once, and the idle if something is face up."""
    for company in table.clockwise():
        if company in scooped:
            take_pick(table, company, "reveal", "R-INV-2")
        elif company.project is None and table.face_up:
            take_pick(table, company, "idle", "A-26")
