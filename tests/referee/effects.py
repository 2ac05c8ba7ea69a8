"""What cards do: the effect vocabulary of docs/cards.md, in a round and in the invasion."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .cards import Effect
from .growth import choose_upgrade, gain_upgrades, grant_immunity, move_project, take_pick
from .setup import lay_out
from .table import Company, Table

Handler = Callable[[Table, Company, Effect], None]


def carry_out(table: Table, company: Company, effects: Iterable[Effect]) -> None:
    """A card's effects on a company, in order."""
    for effect in effects:
        handler = HANDLERS.get(effect["do"])
        if handler is None:
            table.reader.stop("trace", f"the card set has an unknown effect {effect['do']!r}")
        handler(table, company, effect)


# -- in a round ---------------------------------------------------------------------------------
def points(table: Table, company: Company, effect: Effect) -> None:
    """A-18: never below 0. `amount` may be told as printed or as it really was."""
    before, amount = company.bank, effect["amount"]
    company.bank = max(0, before + amount)
    reader = table.reader
    line = reader.take("points", "A-18")
    reader.facts("A-18", seat=company.seat, bank_before=before, bank=company.bank)
    reader.check("A-18", line["amount"] in (amount, company.bank - before), f"amount should be {amount}")


def draw(table: Table, company: Company, effect: Effect) -> None:
    """Research cards for a company that studies something (A-26)."""
    if company.project:
        take_deal(table, company, "event", max(0, effect["amount"]))


def take_deal(table: Table, company: Company, why: str, wanted: int) -> None:
    """A `deal` line and the `reshuffle` after it: R-RES-2, R-RES-3, R-RES-5, A-5.

    The deck may run dry twice in a deal (cards lost in it come again): told once or each time.
    """
    reader, ports = table.reader, table.rules["ports"]
    line = reader.take("deal", "R-RES-1")
    reader.facts("R-RES-2", seat=company.seat, why=why, wanted=wanted)
    cards, lost = line["cards"], line["lost"]
    free = ports - len(company.queue)
    first = len(company.queue) + 1
    reader.facts("R-RES-5", ports=list(range(first, first + len(cards))))
    reader.check("R-RES-3", len(cards) <= free, f"{len(cards)} cards for {free} free ports")
    reader.check("R-RES-3", not lost or len(cards) == free, "cards lost although ports are free")
    needed = 0
    for number, card in enumerate([*cards, *lost]):
        needed += refill(table)
        table.draw(card, "R-COMP-1 A-5")
        if number < len(cards):
            company.queue.append(card)
        else:
            table.put_away([card])
    dealt = len(cards) + len(lost)
    reader.check("R-RES-2", dealt <= wanted, f"{dealt} cards dealt, {wanted} were due")
    if dealt < wanted:
        needed += refill(table)
        reader.check("R-RES-2 A-5", table.in_deck == 0, f"{dealt} cards dealt, {wanted} were due")
    for number in range(needed):
        if number == 0 or reader.next_is("reshuffle", what="research"):
            reader.take("reshuffle", "A-5")
            reader.facts("A-5", what="research", order=None)


def refill(table: Table) -> int:
    """A-5: an empty deck takes in the discards; 1 if that was done."""
    if table.in_deck or not table.rules["reshuffle_when_dry"] or not table.discards.total():
        return 0
    table.shuffle_discards_in()
    return 1


def discard(table: Table, company: Company, effect: Effect) -> None:
    """The last cards of the queue go away unseen."""
    reader = table.reader
    keep = max(0, len(company.queue) - max(0, effect["amount"]))
    gone = dict(enumerate(company.queue[keep:], keep + 1))
    if gone:
        line = reader.take("discard", "R-RES-4")
        told = dict(zip(line["ports"], line["cards"], strict=True))
        reader.facts("R-RES-4", seat=company.seat)
        reader.same("R-RES-4", "ports and cards", gone, told)
    del company.queue[keep:]
    company.looked = {port for port in company.looked if port <= keep}
    table.put_away(gone.values())


def look(table: Table, company: Company, effect: Effect) -> None:
    """It looks at its lowest ports that neither analysis nor an earlier look shows."""
    reader = table.reader
    seen = table.ability(company, "analysis")
    unseen = [p for p in range(1, len(company.queue) + 1) if p > seen and p not in company.looked]
    shown = unseen[: max(0, effect["amount"])]
    reader.take("look", "R-RES-4")
    reader.facts("R-RES-4", seat=company.seat, ports=shown, cards=[company.queue[p - 1] for p in shown])
    company.looked.update(shown)


def scout(table: Table, company: Company, effect: Effect) -> None:
    """It looks at the top of every pile."""
    tops = {str(level): pile[0].name if pile else None for level, pile in table.piles.items()}
    table.reader.take("scout", "R-SET-4")
    table.reader.facts("R-SET-4", seat=company.seat, projects=tops)


def lay_out_project(table: Table, company: Company, effect: Effect) -> None:
    """A-22: a project enters play; idle companies pick at once."""
    level = effect.get("level") or 0
    step = table.rules["level_step"]
    levels = table.levels_fixed(level) if level else table.levels_open(company.highest, step)
    if levels:
        lay_out(table, company.seat, levels, "event", "A-22 R-NEW-1")
        for idle in [c for c in table.clockwise() if c.project is None]:
            take_pick(table, idle, "idle", "A-22 A-26")


def upgrade(table: Table, company: Company, effect: Effect) -> None:
    """Free upgrades, for good."""
    for _ in range(effect["amount"]):
        choose_upgrade(table, company, "event", effect.get("ability") or None, "R-SET-2")


def immunity(table: Table, company: Company, effect: Effect) -> None:
    """Immunities beyond the security track's."""
    for _ in range(effect["amount"]):
        grant_immunity(table, company)


def take_project(table: Table, company: Company, effect: Effect) -> None:
    """A-23: a public project of another company, of a level up to the card's."""
    reader = table.reader
    owners = {
        project.name: (other, project)
        for other in table.clockwise()
        if other is not company
        for project in other.public
        if project.level <= effect["level"]
    }
    if not owners:
        return
    if reader.peek() != "project_moves":
        reader.take("project_moves", "A-23")
    chosen = reader.lines[reader.at].get("project")
    if chosen not in owners:
        reader.stop("A-23", f"{chosen!r} taken, open: {sorted(owners)}", f"line {reader.at + 1}")
    giver, project = owners[chosen]
    move_project(table, giver, company, project, "event")


# -- in the invasion ----------------------------------------------------------------------------
def bonus(table: Table, company: Company, effect: Effect) -> None:
    """Defence, fame or attack, added once."""
    take_bonus(table, company, effect["do"], effect["amount"])


def bonus_each(table: Table, company: Company, effect: Effect) -> None:
    """Defence or fame for each project of a kind."""
    of = effect["of"]
    kinds = {"secret": company.secret, "public": company.public, "all": company.vaults}
    held = kinds[of] if of in kinds else [p for p in company.vaults if p.field == of]
    take_bonus(table, company, effect["do"].removesuffix("_each"), effect["amount"] * len(held))


def take_bonus(table: Table, company: Company, what: str, amount: int) -> None:
    """A `bonus` line; one of 0 may be left out."""
    company.bonus[what] += amount
    if amount or table.reader.next_is("bonus", seat=company.seat, what=what, amount=0):
        table.reader.take("bonus", "R-INV-9")
        table.reader.facts("R-INV-9", seat=company.seat, what=what, amount=amount)


def fame_to_defence(table: Table, company: Company, effect: Effect) -> None:
    """A-1: so many projects' printed fame becomes defence. One without fame need not be named."""
    reader = table.reader
    for _ in range(effect["amount"]):
        open_projects = {p.name: p for p in company.vaults if p.name not in company.moved_fame}
        if not reader.next_is("fame_to_defence", seat=company.seat):
            if any(p.fame for p in open_projects.values()):
                reader.take("fame_to_defence", "R-INV-9 A-1")
            return
        reader.take("fame_to_defence", "R-INV-9")
        name = reader.choice("R-INV-9 A-1", "project", open_projects)
        reader.facts("A-1", fame=open_projects[name].fame)
        company.moved_fame.add(name)


def draw_project(table: Table, company: Company, effect: Effect) -> None:
    """A-11: projects from the piles into a vault; their upgrades count at once."""
    reader = table.reader
    for _ in range(effect["amount"]):
        levels = table.levels_open(company.highest, table.rules["draw_limit"])
        if not levels:
            return
        reader.take("draw_project", "A-11")
        reader.facts("A-11", seat=company.seat)
        level = reader.choice("A-11", "level", levels)
        vault = reader.choice("A-11 R-SUB-6", "vault", ("secret", "public"))
        project = table.piles[level].pop(0)
        reader.facts("R-SET-4", project=project.name)
        (company.secret if vault == "secret" else company.public).append(project)
        gain_upgrades(table, company, project)


def attack_off(table: Table, company: Company, effect: Effect) -> None:
    """So many attack cards against it are discarded."""
    reader = table.reader
    for _ in range(min(effect["amount"], len(company.attack))):
        reader.take("attack_off", "R-INV-9")
        reader.facts("R-INV-9", seat=company.seat)
        which = reader.choice("R-INV-9", "id", company.attack)
        reader.facts("R-INV-6", card=company.attack[which])
        table.put_away([company.attack.pop(which)])


HANDLERS: dict[str, Handler] = {
    "points": points,
    "draw": draw,
    "discard": discard,
    "look": look,
    "scout": scout,
    "lay_out": lay_out_project,
    "upgrade": upgrade,
    "immunity": immunity,
    "take_project": take_project,
    "defence": bonus,
    "fame": bonus,
    "attack": bonus,
    "defence_each": bonus_each,
    "fame_each": bonus_each,
    "fame_to_defence": fame_to_defence,
    "draw_project": draw_project,
    "attack_off": attack_off,
}
