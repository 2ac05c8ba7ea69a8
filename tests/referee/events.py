"""Phase 1 of a round: the event, offers, award or vote, trades, and kept events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from .arithmetic import votes_of
from .cards import Event
from .effects import carry_out
from .growth import move_project
from .table import Company, Offer, Table


def event_phase(table: Table) -> None:
    """The event and all that hangs on it, up to the agendas."""
    event = draw_event(table)
    if event:
        offers: list[Offer] = []
        named: dict[int, int] = {}  # who decided -> the company named or voted for
        elected: int | None = None
        if event.who == "assign":
            offers = read_offers(table, [table.president])
            elected = read_award(table)
            named = {table.president: elected}
        elif event.who == "vote":
            offers = read_offers(table, [voter.seat for voter in voters(table)])
            named, elected = read_votes(table, event)
        kept = give_out(table, event, elected)
        over = not kept and read_over(table, event, must=False)
        read_trades(table, event, offers, named, elected)
        if not kept and not over:
            read_over(table, event, must=True)
    play_kept_events(table)


def draw_event(table: Table) -> Event | None:
    """R-EVT-1, A-30: the top event, or none."""
    reader = table.reader
    if not table.completed(table.companies[table.president]):
        reader.take("no_event", "R-EVT-1")
        reader.facts("R-EVT-1", president=table.president, why="no project")
        return None
    if not table.event_deck and table.event_discards and reader.next_is("reshuffle", what="events"):
        read_event_shuffle(table)
    if not table.event_deck:
        reader.take("no_event", "A-30")
        reader.facts("A-30", president=table.president, why="no card")
        return None
    event = table.event_deck.pop(0)
    reader.take("event", "R-EVT-1")
    reader.facts("R-EVT-1", event=event.name, president=table.president)
    return event


def read_event_shuffle(table: Table) -> None:
    """R-EVT-6: the discarded events are the new deck, in any order."""
    reader = table.reader
    line = reader.take("reshuffle", "R-EVT-6")
    reader.facts("R-EVT-6", what="events")
    names = sorted(event.name for event in table.event_discards)
    if sorted(line["order"]) != names:
        reader.stop("R-EVT-6", f"the new event deck should hold {names}")
    table.event_deck = [table.cards.events[name] for name in line["order"]]
    table.event_discards = []


# -- offers ---------------------------------------------------------------------------------------
def voters(table: Table) -> list[Company]:
    """R-EVT-4: companies with a completed project, from the president clockwise."""
    return [company for company in table.clockwise() if company.vaults]


def read_offers(table: Table, deciders: list[int]) -> list[Offer]:
    """A-13: offers from the president clockwise."""
    reader = table.reader
    deciders = [seat for seat in deciders if not table.companies[seat].revealed]
    order = [company.seat for company in table.clockwise()]
    offers: list[Offer] = []
    while reader.peek() == "offer":
        reader.take("offer", "A-13")
        offer = read_offer(table, deciders)
        if offers:
            right = order.index(offers[-1].seat) <= order.index(offer.seat)
            reader.check("A-13", right, "offers are made from the president clockwise")
        mine = [other for other in offers if other.seat == offer.seat]
        reader.check("A-13", len(mine) < table.rules["offers_per_player"], "too many offers of one company")
        reader.check("A-13", offer.to not in [other.to for other in mine], "two offers to one decider")
        offers.append(offer)
    return offers


def read_offer(table: Table, deciders: list[int]) -> Offer:
    """R-EVT-2: what may be offered, and to whom."""
    reader, line = table.reader, table.reader.line
    seat = reader.choice("R-INV-2 A-13", "seat", [company.seat for company in table.clockwise()])
    to = reader.choice("R-EVT-2 A-13", "to", [decider for decider in deciders if decider != seat])
    company = table.companies[seat]
    points, promise = line["points"], line["promise"]
    reader.check("A-13", type(points) is int and 0 <= points <= company.bank, f"points {points!r}")
    reader.check("trace", isinstance(promise, bool), f"promise {promise!r}")
    projects = {project.name: project for project in company.vaults}
    events = {event.name: event for event in company.hand}
    project = reader.choice("R-EVT-2 A-13", "project", [*projects, None])
    event = reader.choice("R-EVT-2 A-13", "event", [*events, None])
    offer = Offer(seat, to, points, projects.get(project), events.get(event), promise)
    reader.check("A-13", bool(points or project or event or promise), "an offer of nothing")
    return offer


# -- decisions ------------------------------------------------------------------------------------
def read_award(table: Table) -> int:
    """R-EVT-2: the president names a company."""
    reader = table.reader
    reader.take("award", "R-EVT-2")
    reader.facts("R-EVT-2", president=table.president)
    seat: int = reader.choice("R-EVT-2 R-INV-2", "seat", [company.seat for company in table.clockwise()])
    return seat


def read_votes(table: Table, event: Event) -> tuple[dict[int, int], int]:
    """R-EVT-4, R-EVT-5: everybody's vote, and who is elected."""
    reader = table.reader
    candidates = [company.seat for company in table.clockwise()]
    named: dict[int, int] = {}
    received: Counter[int] = Counter()
    for voter in voters(table):
        votes = votes_of(((p.level, p.upgrades) for p in voter.vaults), event.ability, table.rules)
        reader.take("vote", "R-EVT-4")
        reader.facts("R-EVT-4 A-28", seat=voter.seat, votes=votes)
        company = reader.choice("R-EVT-4", "company", candidates)
        named[voter.seat] = company
        received[company] += votes
        settle_promises(table, voter.seat, company)
    most = max(received.values(), default=0)
    best = [seat for seat in candidates if received[seat] == most]
    voted_for = [seat for seat in best if seat in named.values()]
    elected = read_tie(table, [best, voted_for or best], "vote", "R-EVT-5")
    reader.take("elected", "R-EVT-4")
    every = {str(seat): received[seat] for seat in table.companies}
    reader.facts("R-EVT-4 R-EVT-5", seat=elected, votes=every)
    return named, elected


def settle_promises(table: Table, seat: int, company: int) -> None:
    """A-14: a vote settles all promises of the one who casts it."""
    reader = table.reader
    due = {to: count for (promiser, to), count in table.promises.items() if promiser == seat and count}
    told: Counter[int] = Counter()
    while reader.peek() == "promise":
        reader.take("promise", "A-14")
        to = reader.choice("A-14", "to", due)
        reader.facts("A-14", seat=seat, kept=to == company)
        told[to] += 1
    for to, count in due.items():
        right = 1 <= told[to] <= count
        reader.check("A-14", right, f"{count} promise(s) of seat {seat} to {to} settled {told[to]} times")
        del table.promises[seat, to]


def read_tie(table: Table, tied: list[list[int]], why: str, rule: str) -> int:
    """The president decides among the tied; without a tie there is no line.

    `tied` holds the readings of who is tied: with no votes at all, everybody or those named.
    """
    reader = table.reader
    if all(len(seats) == 1 for seats in tied) or (reader.peek() != "tie" and len(tied[-1]) == 1):
        return tied[-1][0]
    line = reader.take("tie", rule)
    reader.facts(rule, president=table.president, why=why)
    among: Collection[int] = line["among"]
    fitting = [seats for seats in tied if sorted(among) == sorted(seats)]
    reader.check(rule, bool(fitting), f"among: expected {sorted(tied[0])}, found {among}")
    seat: int = reader.choice(rule, "seat", fitting[0] if fitting else tied[0])
    return seat


# -- outcome --------------------------------------------------------------------------------------
def give_out(table: Table, event: Event, elected: int | None) -> bool:
    """The event's effects, or the card into a hand; True if it is kept."""
    companies = table.clockwise()
    if event.who == "president":
        companies = [company for company in companies if company.seat == table.president]
    elif event.who == "others":
        companies = [company for company in companies if company.seat != table.president]
    elif elected is not None:
        companies = [table.companies[elected]]
    if event.keep:
        for company in companies:
            table.reader.take("keep", "R-EVT-6")
            table.reader.facts("R-EVT-6", seat=company.seat, event=event.name)
            company.hand.append(event)
        return bool(companies)
    for company in companies:
        carry_out(table, company, event.effects)
    return False


def read_over(table: Table, event: Event, must: bool) -> bool:
    """The `event_over` line: the card goes to the discards."""
    reader = table.reader
    if not must and reader.peek() != "event_over":
        return False
    reader.take("event_over", "R-EVT-6")
    reader.facts("R-EVT-6", event=event.name)
    table.event_discards.append(event)
    return True


# -- trades ---------------------------------------------------------------------------------------
def read_trades(
    table: Table, event: Event, offers: list[Offer], named: dict[int, int], elected: int | None
) -> None:
    """R-EVT-7, A-15: offers that fell due, by offerer and then by decider from the president on."""
    due = [offer for offer in offers if falls_due(table, event, offer, named, elected)]
    order = {seat: place for place, seat in enumerate(table.seats_from(table.president))}
    for offer in sorted(due, key=lambda o: (order[o.seat], order[o.to])):
        read_due(table, offer)


def falls_due(table: Table, event: Event, offer: Offer, named: dict[int, int], elected: int | None) -> bool:
    """A-13: the decider did as asked (and with the option, the vote went that way)."""
    if (named[offer.to] == offer.seat) != event.good:
        return False
    if event.who == "vote" and table.rules["offers_due_when_won"]:
        return (elected == offer.seat) == event.good
    return True


def read_due(table: Table, offer: Offer) -> None:
    """A `due` line, and what moves."""
    reader = table.reader
    giver, taker = table.companies[offer.seat], table.companies[offer.to]
    line = reader.take("due", "R-EVT-7 A-15")
    reader.check("R-EVT-7", isinstance(line["honoured"], bool), "honoured is true or false")
    kept = line["honoured"] is True
    points = min(offer.points, giver.bank) if kept else 0
    project = offer.project if kept and offer.project in giver.vaults else None
    event = offer.event if kept and offer.event in giver.hand else None
    reader.facts("A-15", seat=offer.seat, to=offer.to, points=points, promise=kept and offer.promise)
    reader.facts("A-15", project=project.name if project else None, event=event.name if event else None)
    if points or reader.next_is("bank_moves", points=0):
        giver.bank -= points
        taker.bank += points
        reader.take("bank_moves", "A-15")
        reader.facts("A-15", seat=giver.seat, to=taker.seat, points=points)
        reader.facts("A-15", bank=giver.bank, to_bank=taker.bank)
    if project:
        move_project(table, giver, taker, project, "trade")
    if event:
        giver.hand.remove(event)
        taker.hand.append(event)
        reader.take("event_moves", "A-15")
        reader.facts("A-15", seat=giver.seat, to=taker.seat, event=event.name)
    if kept and offer.promise:
        table.promises[offer.seat, offer.to] += 1


# -- kept events ----------------------------------------------------------------------------------
def play_kept_events(table: Table) -> None:
    """A-17: kept events of the round, from the president clockwise, in the card file's order."""
    for company in table.clockwise():
        play_hand(table, company, "round")


def play_hand(table: Table, company: Company, when: str) -> None:
    """The kept events a company plays now."""
    reader = table.reader
    last = -1
    while reader.next_is("play", seat=company.seat):
        reader.take("play", "A-17")
        playable = {event.name: event for event in company.hand if event.keep == when}
        event = playable[reader.choice("A-17 A-24", "event", playable)]
        reader.check("A-17 A-24", event.place > last, "kept events are played in the card file's order")
        last = event.place
        others = [other.seat for other in table.clockwise() if other is not company]
        on = reader.choice("A-17 A-24", "on", others if event.on == "other" else [company.seat])
        company.hand.remove(event)
        carry_out(table, table.companies[on], event.effects)
        read_over(table, event, must=True)
