"""Chapter 4: results are submitted, projects claimed, companies scooped."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.acts import ACT_CLAIM, act
from sim.games.eti.asking import BEST, Q_BREAK_TIE, Q_SUBMISSION, Q_SWAP, Q_VAULT, answer, choose
from sim.games.eti.companies import clockwise, gain_project, track_value
from sim.games.eti.log import (
    BANK_SHORT,
    SCOOP_RESEARCHED,
    SCOOP_REVEAL,
    SCOOP_SUBMITTED,
    SCOOP_SWITCHED,
    TIE_CLAIM,
    V_BANK,
    V_CLAIM,
    V_ITEM,
    V_SCOOPED,
    V_SUBMIT,
    V_SUBMIT_MORE,
    V_THREAT,
    V_TIE,
    note,
)
from sim.games.eti.projects import take_from_middle
from sim.games.eti.research import discard_queue, log_cards, log_queue
from sim.games.eti.scoring import best_swaps, lay_on_desk
from sim.games.eti.state import CREATIVITY, NONE, PUBLIC, SAFE, SECRET, STANDARD, SUBMIT, SWITCH, THREAT


@rule
def choose_ways(game, decide):
    """A-8: all submitters choose safe or standard before anything is turned up."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        if table.agenda[p] == SUBMIT:
            game.choice[p] = answer(game, decide, p, Q_SUBMISSION, 0, SAFE, STANDARD)
    for p in range(table.players):  # shown at once
        if table.agenda[p] == SUBMIT:
            table.way[p] = game.choice[p]


@rule
def submit_results(game, decide):
    """Everybody's total of this round, from the president clockwise."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        if table.agenda[p] == SUBMIT:
            if table.way[p] == SAFE:
                submit_safe(game, p)
            else:
                submit_standard(game, decide, p)


@rule
def submit_safe(game, p):
    """R-SUB-1: 10 points a card, face down."""
    table = game.table
    table.total[p] = int(table.queue_n[p]) * int(table.rules.safe_points)
    game.secret.tally[p].safe += 1
    note(game, V_SUBMIT, p, SAFE, table.studying[p], table.total[p], table.bank[p])
    if game.tracing:
        note(game, V_SUBMIT_MORE, p, track_value(table, p, CREATIVITY), 0, 0, 0)
        log_cards(game, p, game.secret.queue[p], table.queue_n[p], 0)
        log_cards(game, p, game.secret.queue[p], table.queue_n[p], 1)
    discard_queue(game, p)  # R-SUB-8


@rule
def submit_standard(game, decide, p):
    """R-SUB-2: turn all up, swap, let the threats act, add up."""
    table = game.table
    n = int(table.queue_n[p])
    swaps = track_value(table, p, CREATIVITY)
    lay_on_desk(game.desk, table.cards, game.secret.queue[p], n, table.immune[p])
    show_cards(game, p)
    made, left = swap_by_hand(game, decide, p, swaps)
    best_swaps(game.desk, table.cards, table.immune[p], left, int(table.rules.immunity_optional))
    game.desk.used += made
    table.total[p] = game.desk.total
    game.secret.tally[p].standard += 1
    show_cards(game, p)
    log_standard(game, p, swaps)
    discard_queue(game, p)  # R-SUB-8


@rule
def swap_by_hand(game, decide, p, swaps):
    """The strategy's own swaps, if it wants any. Returns how many, and how many the best order may still use."""
    desk = game.desk
    made = 0
    while made < swaps and desk.n > 1:
        port = answer(game, decide, p, Q_SWAP, made, BEST, int(desk.n) - 1)
        if port == BEST:
            return made, swaps - made
        if port == 0:
            break
        kind = desk.queue[port - 1]
        desk.queue[port - 1] = desk.queue[port]
        desk.queue[port] = kind
        made += 1
        lay_on_desk(desk, game.table.cards, desk.queue, int(desk.n), game.table.immune[p])
        show_cards(game, p)
    return made, 0


@rule
def show_cards(game, p):
    """The cards on the desk lie face up for all."""
    game.table.shown_n[p] = game.desk.n
    for port in range(game.desk.n):
        game.table.shown[p][port] = game.desk.order[port]


@rule
def log_standard(game, p, swaps):
    """The whole arithmetic of a standard submission."""
    if not game.tracing:
        return
    table, desk = game.table, game.desk
    note(game, V_SUBMIT, p, STANDARD, table.studying[p], desk.total, table.bank[p])
    note(game, V_SUBMIT_MORE, p, swaps, desk.used, 0, 0)
    log_cards(game, p, game.secret.queue[p], desk.n, 0)
    log_cards(game, p, desk.order, desk.n, 1)
    for port in range(desk.n):
        if table.cards.kind_type[desk.order[port]] == THREAT:
            note(game, V_THREAT, p, port, desk.order[port], desk.acts[port], desk.destroys[port])


# --- claims ----------------------------------------------------------------------------------------------
@rule
def settle_submissions(game, decide):
    """Claims, scoops and banking. Returns the sets of claimants and of scooped companies."""
    table = game.table
    claimants = find_claimants(game, decide)
    scooped = 0
    for i in range(table.players):
        p = clockwise(table, i)
        if (claimants >> p) & 1:
            project = int(table.studying[p])
            claim(game, decide, p, project)
            scooped |= scoop_rivals(game, p, project)
    for i in range(table.players):
        p = clockwise(table, i)
        if table.agenda[p] == SUBMIT and not ((claimants | scooped) >> p) & 1:
            bank_total(game, p)
    return claimants, scooped


@rule
def find_claimants(game, decide):
    """R-SUB-5: for each project, who claims it; the president breaks ties. The set of claimants."""
    table = game.table
    claimants, seen = 0, 0
    for i in range(table.players):
        p = clockwise(table, i)
        project = int(table.studying[p])
        if table.agenda[p] == SUBMIT and not (seen >> project) & 1:
            seen |= 1 << project
            best = best_submitters(table, project)
            if best & (best - 1) != 0:
                best = 1 << break_claim_tie(game, decide, best)
            claimants |= best
    return claimants


@rule
def best_submitters(table, project):
    """The set of those with the most points on a project, if they reach its difficulty."""
    best, most = 0, int(table.cards.difficulty[project])
    for p in range(table.players):
        points = claim_points(table, p, project)
        if points > most:
            best, most = 0, points
        if points == most:
            best |= 1 << p
    return best


@rule
def claim_points(table, p, project):
    """Bank and total of a submitter studying this project, else NONE."""
    if table.agenda[p] == SUBMIT and table.studying[p] == project:
        return int(table.bank[p]) + int(table.total[p])
    return NONE


@rule
def break_claim_tie(game, decide, tied):
    """The president chooses one of the tied; nobody may bribe."""
    president = int(game.table.president)
    chosen = choose(game, decide, president, Q_BREAK_TIE, tied)
    note(game, V_TIE, president, TIE_CLAIM, tied, chosen, 0)
    return chosen


@rule
def claim(game, decide, p, project):
    """R-SUB-6: the bank is emptied and the project goes into a vault of the owner's choice."""
    table = game.table
    points = claim_points(table, p, project)
    table.bank[p] = 0
    table.claimed += 1
    place = SECRET + answer(game, decide, p, Q_VAULT, project, 0, PUBLIC - SECRET)
    take_from_middle(table, project)
    table.studying[p] = NONE
    note(game, V_CLAIM, p, project, points, place, table.claimed)
    act(game, ACT_CLAIM, p, project, place)
    gain_project(game, decide, p, project, place)


@rule
def scoop_rivals(game, claimant, project):
    """R-SCP-1: everybody else studying the project is scooped; the set of them."""
    table = game.table
    scooped = 0
    for i in range(table.players):
        p = clockwise(table, i)
        if p != claimant and table.studying[p] == project:
            table.studying[p] = NONE
            if table.agenda[p] == SUBMIT:
                scoop(game, p, project, claimant, SCOOP_SUBMITTED)
            elif table.agenda[p] == SWITCH:
                if not table.rules.switchers_scooped:  # A-SCP-2
                    continue
                game.secret.tally[p].switched += 1
                scoop(game, p, project, claimant, SCOOP_SWITCHED)
            else:
                scoop(game, p, project, claimant, SCOOP_RESEARCHED)
            scooped |= 1 << p
    return scooped


@rule
def scoop(game, p, project, by, why):
    """Bank the total, or 10 points a card; then the cut to 100."""
    table = game.table
    before = table.bank[p]
    added = int(table.total[p]) if why == SCOOP_SUBMITTED else int(table.queue_n[p] * table.rules.safe_points)
    table.bank[p] = min(before + added, table.rules.scoop_cap)
    tally = game.secret.tally
    tally[p].banked += added
    tally[p].lost_to_cap += before + added - table.bank[p]
    tally[p].scoops_suffered += 1
    tally[by].scoops_given += 1
    note(game, V_SCOOPED, p, project, by, why, added)
    note(game, V_ITEM, p, 1, before, table.bank[p], 0)
    log_queue(game, p)
    discard_queue(game, p)


@rule
def scoop_by_reveal(game, p, project, alien):
    """R-INV-2: the alien takes the project its human rivals study."""
    game.table.studying[p] = NONE
    scoop(game, p, project, alien, SCOOP_REVEAL)


@rule
def bank_total(game, p):
    """R-SUB-7: short of the difficulty and not scooped, the total goes into the bank."""
    table = game.table
    before = table.bank[p]
    table.bank[p] = before + table.total[p]
    game.secret.tally[p].banked += table.total[p]
    note(game, V_BANK, p, BANK_SHORT, table.total[p], before, table.bank[p])
