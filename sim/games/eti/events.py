"""Chapter 1: the event of the round, who it is for, votes, and events kept in hand."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.eti.acts import ACT_EVENT, ACT_KEEP, ACT_PLAY, act
from sim.games.eti.asking import Q_AWARD, Q_BREAK_TIE, Q_PLAY_EVENT, Q_TARGET, Q_VOTE, answer, choose
from sim.games.eti.companies import clockwise, is_human
from sim.games.eti.company_effects import apply_effects
from sim.games.eti.log import (
    TIE_VOTE,
    V_AWARD,
    V_ELECTED,
    V_EVENT,
    V_EVENT_ORDER,
    V_EVENT_OVER,
    V_ITEM,
    V_KEEP,
    V_NO_EVENT,
    V_PLAY,
    V_PROMISE,
    V_RESHUFFLE,
    V_TIE,
    V_VOTE,
    note,
)
from sim.games.eti.offers import collect_offers, settle_offers
from sim.games.eti.state import (
    KEEP_NOT,
    KEEP_ROUND,
    NONE,
    WHO_ASSIGN,
    WHO_EVERYONE,
    WHO_OTHERS,
    WHO_PRESIDENT,
    WHO_VOTE,
)
from sim.games.eti.streams import EVENTS
from sim.random import shuffle


@rule
def event_phase(game, decide):
    """R-EVT-1: a president with a completed project draws an event; then kept events may be played."""
    table = game.table
    president = int(table.president)
    if table.completed[president] == 0:
        note(game, V_NO_EVENT, president, 0, 0, 0, 0)
    elif game.secret.events_n == 0:
        note(game, V_NO_EVENT, president, 1, 0, 0, 0)
    else:
        game.secret.events_n -= 1
        table.event = game.secret.events[game.secret.events_n]
        note(game, V_EVENT, president, table.event, 0, 0, 0)
        resolve_event(game, decide, int(table.event))
        table.event = NONE
    play_held_events(game, decide, KEEP_ROUND)


@rule
def resolve_event(game, decide, event):
    """Find whom it concerns, carry it out, then let the trades be honoured."""
    table = game.table
    who = table.cards.event_who[event]
    if who == WHO_EVERYONE or who == WHO_OTHERS:
        hit_many(game, decide, event, who == WHO_EVERYONE)
        act(game, ACT_EVENT, NONE, event, NONE)
        event_over(game, event)
        return
    elected = int(table.president)
    if who == WHO_ASSIGN:
        elected = award(game, decide)
    elif who == WHO_VOTE:
        elected = hold_vote(game, decide, int(table.cards.event_ability[event]))
    if table.cards.event_keep[event] == KEEP_NOT:
        act(game, ACT_EVENT, elected, event, NONE)
    if not is_human(table, elected):
        event_over(game, event)  # R-INV-2: an alien that is still president gains nothing
    elif table.cards.event_keep[event] == KEEP_NOT:
        apply_effects(game, decide, elected, table.cards.event_effects[event])
        event_over(game, event)
    else:
        keep_event(game, elected, event)
    if who != WHO_PRESIDENT:
        settle_offers(game, decide, elected, who == WHO_VOTE)


@rule
def hit_many(game, decide, event, president_too):
    """Every company, from the president clockwise, with or without the president."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        if is_human(table, p) and (i > 0 or president_too):
            apply_effects(game, decide, p, table.cards.event_effects[event])


@rule
def event_over(game, event):
    """The card goes to the event discards."""
    game.secret.event_discards |= 1 << event
    note(game, V_EVENT_OVER, NONE, event, 0, 0, 0)


# --- who it is for ---------------------------------------------------------------------------------------
@rule
def companies(table):
    """Everybody who can benefit: all but a revealed alien (R-INV-2)."""
    seats = (1 << int(table.players)) - 1
    if table.alien != NONE:
        seats &= ~(1 << int(table.alien))
    return seats


@rule
def award(game, decide):
    """R-EVT-2: after the offers, the president names a company."""
    table = game.table
    president = int(table.president)
    collect_offers(game, decide, (1 << president) & companies(table))
    chosen = choose(game, decide, president, Q_AWARD, companies(table))
    note(game, V_AWARD, president, chosen, 0, 0, 0)
    return chosen


@rule
def hold_vote(game, decide, ability):
    """R-EVT-4: in public, from the president clockwise; R-EVT-5: the president breaks ties."""
    table = game.table
    for p in range(table.players):
        table.votes[p] = 0
        table.voted[p] = NONE
    collect_offers(game, decide, voters(table))
    for i in range(table.players):
        p = clockwise(table, i)
        if (voters(table) >> p) & 1:
            cast_votes(game, decide, p, ability)
    best = most_votes(table)
    elected = lowest(best)
    if best & (best - 1) != 0:
        president = int(table.president)
        elected = choose(game, decide, president, Q_BREAK_TIE, best)
        note(game, V_TIE, president, TIE_VOTE, best, elected, 0)
    note(game, V_ELECTED, elected, 0, 0, 0, 0)
    for p in range(table.players):
        note(game, V_ITEM, p, 0, table.votes[p], 0, 0)
    return elected


@rule
def voters(table):
    """Companies with a completed project (R-EVT-4)."""
    seats = 0
    for p in range(table.players):
        if table.completed[p] > 0 and is_human(table, p):
            seats |= 1 << p
    return seats


@rule
def cast_votes(game, decide, p, ability):
    """All of one's votes go to one company; promises made earlier are settled by it (A-14)."""
    table = game.table
    company = choose(game, decide, p, Q_VOTE, companies(table))
    votes = votes_of(table, p, ability)
    table.voted[p] = company
    table.votes[company] += votes
    note(game, V_VOTE, p, company, votes, 0, 0)
    for i in range(table.players):
        to = clockwise(table, i)
        if table.promised[p][to]:
            table.promised[p][to] = 0
            if to != company:
                table.broken[p] += 1
            note(game, V_PROMISE, p, to, to == company, 0, 0)


@rule
def votes_of(table, p, ability):
    """R-EVT-4: the sum of tech levels; in an ability vote, projects with that upgrade count double."""
    votes = 0
    vault = int(table.vault[p])
    while vault != 0:
        project = lowest(vault)
        vault &= vault - 1
        worth = int(table.cards.level[project]) * int(table.rules.votes_per_level)
        if ability != NONE and table.cards.upgrades[project][ability] > 0:
            worth *= int(table.rules.vote_factor)
        votes += worth
    return votes


@rule
def most_votes(table):
    """The set of companies with the most votes; a revealed alien is never among them."""
    best, most = 0, -1
    for p in range(table.players):
        if is_human(table, p):
            if table.votes[p] > most:
                best, most = 0, int(table.votes[p])
            if table.votes[p] == most:
                best |= 1 << p
    return best


# --- events kept in hand ---------------------------------------------------------------------------------
@rule
def keep_event(game, p, event):
    """The card goes into a hand."""
    game.seats[p].held |= 1 << event
    game.table.held_n[p] += 1
    note(game, V_KEEP, p, event, 0, 0, 0)
    act(game, ACT_KEEP, p, event, NONE)


@rule
def play_held_events(game, decide, when):
    """A-17: from the president clockwise, each company may play what it holds."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        if table.held_n[p] > 0:
            play_hand(game, decide, p, when)


@rule
def play_hand(game, decide, p, when):
    """One company's held events, in the order of the card file."""
    table = game.table
    hand = int(game.seats[p].held)
    while hand != 0:
        event = lowest(hand)
        hand &= hand - 1
        if table.cards.event_keep[event] == when:
            table.event = event
            if answer(game, decide, p, Q_PLAY_EVENT, event, 0, 1) == 1:
                play_event(game, decide, p, event)
            table.event = NONE


@rule
def play_event(game, decide, p, event):
    """Choose the target if the card wants another company, carry it out, put it away."""
    table = game.table
    target = p
    if table.cards.event_other[event]:
        target = choose(game, decide, p, Q_TARGET, companies(table) & ~(1 << p))
    game.seats[p].held &= ~(1 << event)
    table.held_n[p] -= 1
    note(game, V_PLAY, p, event, target, 0, 0)
    act(game, ACT_PLAY, p, event, target)
    apply_effects(game, decide, target, table.cards.event_effects[event])
    event_over(game, event)


# --- the event deck --------------------------------------------------------------------------------------
@rule
def shuffle_events(game):
    """Shuffle the event deck (R-SET-4, R-EVT-6)."""
    secret = game.secret
    shuffle(secret.stream, EVENTS, secret.events, secret.events_n)
    if game.table.cards.absent_events != 0:
        take_out_events(game)
    for k in range(secret.events_n - 1, -1, -1):
        note(game, V_ITEM, NONE, 0, secret.events[k], 0, 0)


@rule
def renew_events(game):
    """R-EVT-6: an empty event deck is made anew from its discards when the badge passes."""
    secret = game.secret
    if secret.events_n > 0 or secret.event_discards == 0:
        return
    discards = int(secret.event_discards)
    while discards != 0:
        secret.events[secret.events_n] = lowest(discards)
        secret.events_n += 1
        discards &= discards - 1
    secret.event_discards = 0
    note(game, V_RESHUFFLE, NONE, 0, 0, 0, 0)
    shuffle_events(game)


@rule
def first_event_order(game):
    """The event deck at set-up."""
    secret = game.secret
    secret.events_n = game.table.cards.events
    for event in range(secret.events_n):
        secret.events[event] = event
    note(game, V_EVENT_ORDER, NONE, 0, 0, 0, 0)
    shuffle_events(game)


@rule
def take_out_events(game):
    """Absent events leave the deck after the shuffle: the others lie as they would have."""
    secret, kept = game.secret, 0
    for k in range(secret.events_n):
        if not (int(game.table.cards.absent_events) >> int(secret.events[k])) & 1:
            secret.events[kept] = secret.events[k]
            kept += 1
    secret.events_n = kept
