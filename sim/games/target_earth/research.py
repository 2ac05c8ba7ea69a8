"""Step 1, income, and step 2, research (R-TE-INC, R-TE-RES); what comes of it is seen at the turn's end."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.target_earth.alliance import in_order, vote_one, vote_or_none
from sim.games.target_earth.asking import Q_RESEARCH, Q_SCARCE, Q_SCIENTIST, choose_or_none
from sim.games.target_earth.hands import may_play, play_card
from sim.games.target_earth.log import V_INCOME, V_RESEARCH, V_RESEARCHED, V_SCARCE, note, note_item
from sim.games.target_earth.state import (
    ADVANCED,
    NONE,
    SCIENCE,
    SCIENTIST,
    TECHNOLOGIES,
    TOP_LEVEL,
)


@rule
def income(game):
    """R-TE-INC: the income of all allied countries goes to the fund."""
    table = game.table
    table.fund += table.income
    note(game, V_INCOME, NONE, table.income, table.fund, 0, 0)


@rule
def cost_of(table, technology):
    """R-TE-RES: credits for the next level."""
    rules, level = table.rules, int(table.level[technology])
    if technology == SCIENCE:
        if level == 1:
            return int(rules.science_cost_2)
        return int(rules.science_cost_3) if level == 2 else int(rules.science_cost_4)
    if level == 1:
        return int(rules.unit_cost_2)
    return int(rules.unit_cost_3) if level == 2 else int(rules.unit_cost_4)


@rule
def labs_for(table, technology):
    """R-TE-RES: laboratories for the next level."""
    rules, level = table.rules, int(table.level[technology])
    if technology == SCIENCE:
        if level == 1:
            return int(rules.science_labs_2)
        return int(rules.science_labs_3) if level == 2 else int(rules.science_labs_4)
    if level == 1:
        return int(rules.unit_labs_2)
    return int(rules.unit_labs_3) if level == 2 else int(rules.unit_labs_4)


@rule
def knowledge_for(table, technology):
    """R-TE-RES: alien knowledge for the next level."""
    rules, level = table.rules, int(table.level[technology])
    if technology == SCIENCE:
        if level == 1:
            return int(rules.science_knowledge_2)
        return int(rules.science_knowledge_3) if level == 2 else int(rules.science_knowledge_4)
    if level == 1:
        return int(rules.unit_knowledge_2)
    return int(rules.unit_knowledge_3) if level == 2 else int(rules.unit_knowledge_4)


@rule
def open_technologies(table):
    """The technologies that may be sought and paid now."""
    legal = 0
    for technology in range(TECHNOLOGIES):
        if table.level[technology] < TOP_LEVEL and not table.sought[technology]:
            if cost_of(table, technology) <= table.fund:
                legal |= 1 << technology
    return legal


@rule
def research(game, decide):
    """R-TE-RES: one technology, and a second one by a scientist."""
    table = game.table
    legal = open_technologies(table)
    must = table.variant == ADVANCED and table.turn >= table.rules.must_science_turn
    if must and (legal >> SCIENCE) & 1:  # R-TE-ADV-1, A-TE-14
        game.forced += 1
        first = SCIENCE
    else:
        first = vote_or_none(game, decide, Q_RESEARCH, legal)
    if first == NONE:
        return
    pay_research(game, first, NONE)
    for i in range(table.bases):
        if hire_scientist(game, decide, in_order(table, i)):
            return


@rule
def hire_scientist(game, decide, p):
    """R-TE-CARD-2: who plays a scientist chooses a second technology, at full cost."""
    if may_play(game, p, SCIENTIST) == 0:
        return False
    second = choose_or_none(game, decide, p, Q_SCIENTIST, open_technologies(game.table))
    if second == NONE:
        return False
    play_card(game, p, SCIENTIST, NONE)
    pay_research(game, second, p)
    return True


@rule
def pay_research(game, technology, by):
    """The money is spent now, whatever comes of it."""
    table = game.table
    cost = cost_of(table, technology)
    table.fund -= cost
    table.sought[technology] = 1
    note(game, V_RESEARCH, by, technology, table.level[technology] + 1, cost, table.fund)


@rule
def resolve_research(game, decide):
    """R-TE-RES at the turn's end: laboratories and knowledge are checked, knowledge is spent."""
    table = game.table
    ready, needed = 0, 0
    for technology in range(TECHNOLOGIES):
        if table.sought[technology]:
            able = labs_for(table, technology) <= table.labs
            able = able and knowledge_for(table, technology) <= table.knowledge
            if able:
                ready |= 1 << technology
                needed += knowledge_for(table, technology)
            else:
                settle(game, technology, False)
    if needed > table.knowledge:  # R-TE-RES-2
        chosen = vote_one(game, decide, Q_SCARCE, ready)
        note(game, V_SCARCE, NONE, chosen, 0, 0, 0)
        settle(game, lowest(ready & ~(1 << chosen)), False)
        ready = 1 << chosen
    while ready != 0:
        settle(game, lowest(ready), True)
        ready &= ready - 1


@rule
def settle(game, technology, success):
    """A level reached, or money lost."""
    table = game.table
    needed = labs_for(table, technology)
    if success:
        table.knowledge -= knowledge_for(table, technology)
        table.level[technology] += 1
    table.sought[technology] = 0
    note(game, V_RESEARCHED, NONE, technology, table.level[technology], table.knowledge, success)
    note_item(game, NONE, needed, table.labs, 0, 0)
