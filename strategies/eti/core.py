"""The sensible default of every decision, steered by parameters. Strategies change the parameters or replace
single decisions; `docs/writing-a-strategy.md` lists the decisions."""

from __future__ import annotations

from sim.games.eti.strategy import Param
from strategies.eti.toolbox import (
    ALIEN,
    NONE,
    NUMBER,
    RESEARCH,
    SAFE,
    STANDARD,
    SUBMIT,
    SWITCH,
    THREAT,
    card_attack_mean,
    chance,
    expected_attack,
    expected_total,
    may_submit,
    mine,
    missing,
    ports_full,
    progress,
    rivals,
    safe_total,
    upgrades_on,
    vault_defence,
    votes_of,
)

CORE_PARAMS = (
    Param("push", 1.1, "submit once bank + expected total reach this many times the difficulty"),
    Param("hurry", 0.1, "so much less for each rival on the same project"),
    Param("risk", 1.15, "standard when its expected total is this many times the safe one"),
    Param("bail", 0.5, "switch away when a rival is this much further (share of the difficulty)"),
    Param("level", 0.0, "worth of a project for each tech level"),
    Param("defence", 1.0, "worth of a point of defence"),
    Param("fame", 1.0, "worth of a point of fame"),
    Param("upgrades", 10.0, "worth of an ability upgrade"),
    Param("field", 8.0, "worth of each own completed project of the field"),
    Param("rival", -6.0, "worth of each rival on the project (negative: to be avoided)"),
    Param("cost", 0.15, "what a point of difficulty costs"),
    Param("carry", 0.05, "worth of a point of the bank that may be carried over"),
    Param(
        "margin", 1.1, "top secret until defence reaches this many times the attack to expect, then public"
    ),
    Param("staffing", 1.0, "wish for staffing upgrades"),
    Param("creativity", 0.9, "wish for creativity upgrades"),
    Param("security", 0.8, "wish for security upgrades"),
    Param("analysis", 0.5, "wish for analysis upgrades"),
    Param("wait", 0.0, "alien: projects to hold before it reveals of its own will"),
    Param(
        "weakness", 0.9, "alien: reveals when the weakest defence is under this share of the attack to expect"
    ),
    Param("generosity", 0.3, "share of the bank offered for an event"),
    Param("loyalty", 0.9, "chance to honour an offer, less 0.2 for each one the other broke"),
    Param("push_luck", 0.0, "alien: extra attack needed before it moves a card to the strongest human"),
)
(PUSH, HURRY, RISK, BAIL, LEVEL, DEFENCE, FAME, UPGRADES, FIELD, RIVAL, COST, CARRY, MARGIN, W_STAFFING, W_CREATIVITY,
 W_SECURITY, W_ANALYSIS, WAIT, WEAKNESS, GENEROSITY, LOYALTY, PUSH_LUCK) = range(22)  # fmt: skip


# --- set-up ----------------------------------------------------------------------------------------------
def upgrade(table, seat, ability):
    """By wish, each further token on the same track wished for a little less."""
    return seat.params[W_STAFFING + ability] - 0.25 * table.tokens[mine(seat)][ability]


def immunity(table, seat, threat):
    """The threat with the most cards in the deck."""
    return threat_cards(table, threat)


def threat_cards(table, threat):
    """How many cards of a threat the deck has."""
    for kind in range(table.cards.kinds):
        if table.cards.kind_type[kind] == THREAT and table.cards.kind_value[kind] == threat:
            return float(table.cards.kind_count[kind])
    return 0.0


# --- projects --------------------------------------------------------------------------------------------
def rate_project(table, seat, project):
    """Worth of what is printed on it, less its cost and the crowd on it."""
    me, params, cards = mine(seat), seat.params, table.cards
    rating = params[LEVEL] * cards.level[project] + params[UPGRADES] * upgrades_on(table, project)
    if seat.role != ALIEN:
        rating += params[DEFENCE] * cards.defence[project] + params[FAME] * cards.fame[project]
    rating += params[FIELD] * table.field_n[me][cards.field[project]]
    rating += params[RIVAL] * rivals(table, me, project)
    left = table.left[me]
    if left != NONE and cards.field[left] == cards.field[project]:
        rating += params[CARRY] * table.bank[me]
    return rating - params[COST] * cards.difficulty[project]


def rate_level(table, seat, level):
    """The level whose projects are worth most on average; a scouted top card counts as it is."""
    top = seat.scouted[level]
    if top != NONE:
        return rate_project(table, seat, top)
    total, n = 0.0, 0
    for project in range(table.cards.projects):
        if table.cards.level[project] == level and table.place[project] == 0:
            total += rate_project(table, seat, project)
            n += 1
    return total / max(n, 1)


def vault(table, seat, project):
    """Top secret while the defence is short of what is to be expected, public after that."""
    me = mine(seat)
    cards = table.multiplier + 1
    attack = expected_attack(table, me, cards) * seat.params[MARGIN]
    return 1 if vault_defence(table, me) + table.cards.defence[project] >= attack else 0


# --- the round -------------------------------------------------------------------------------------------
def agenda(table, seat):
    """Research until the expected total is enough; leave a race that is lost."""
    me, params = mine(seat), seat.params
    needed = missing(table, me)
    crowd = rivals(table, me, table.studying[me])
    hope = max(expected_total(table, seat, 0), float(safe_total(table, me)))
    if not may_submit(table, me):
        return RESEARCH
    if needed == 0 or hope >= needed * max(0.3, params[PUSH] - params[HURRY] * crowd):
        return SUBMIT
    if crowd > 0 and table.face_up_n > 1 and is_losing(table, seat):
        return SWITCH
    return SUBMIT if ports_full(table, me) else RESEARCH


def is_losing(table, seat):
    """A rival is about to finish, and the own queue is far behind."""
    me = mine(seat)
    own = progress(table, me)
    for p in range(table.players):
        if p != me and table.studying[p] == table.studying[me]:
            other = progress(table, p)
            if other > 0.8 and other - own > seat.params[BAIL]:
                return True
    return False


def submission(table, seat):
    """Safe when that is enough, or when the cards promise too little."""
    me = mine(seat)
    safe = safe_total(table, me)
    if safe >= missing(table, me):
        return SAFE
    return STANDARD if expected_total(table, seat, 0) >= safe * seat.params[RISK] else SAFE


def swap(table, seat, number):
    """The exact best, please."""
    return -1


# --- events ----------------------------------------------------------------------------------------------
def offer_to(table, seat, company):
    """Bid for what one wants, when there is something in the bank: the decider with the most votes first."""
    me = mine(seat)
    if table.bank[me] * seat.params[GENEROSITY] < 10:
        return -1
    return votes_of(table, company, NONE)


def offer_points(table, seat, company):
    """A share of the bank, in tens."""
    return int(table.bank[mine(seat)] * seat.params[GENEROSITY]) // 10 * 10


def offer_project(table, seat, project):
    """Never."""
    return -1


def offer_event(table, seat, event):
    """Never."""
    return -1


def offer_promise(table, seat, company):
    """When one will have a vote to give."""
    return 1 if table.completed[mine(seat)] > 0 else 0


def worth_of_offer(table, seat, company):
    """What a company offers oneself, as far as it can be trusted."""
    offer = table.offers[company][mine(seat)]
    if not offer.made:
        return 0.0
    worth = float(offer.points) + 5 * offer.promise
    if offer.project != NONE:
        worth += table.cards.defence[offer.project] + table.cards.fame[offer.project] + 10
    if offer.event != NONE:
        worth += 15
    return worth * max(0.0, 1.0 - 0.3 * table.broken[company])


def award(table, seat, company):
    """For oneself, unless somebody pays more; what is bad goes to the leader who pays least."""
    me = mine(seat)
    if table.cards.event_good[table.event]:
        return (
            30.0 if company == me else worth_of_offer(table, seat, company) - standing(table, company) * 0.1
        )
    return -50.0 if company == me else standing(table, company) - worth_of_offer(table, seat, company)


def standing(table, company):
    """How far a company has come: levels completed, and its bank."""
    return 10.0 * votes_of(table, company, NONE) + 0.1 * table.bank[company]


def vote(table, seat, company):
    """As an award; a promise given weighs as much as one's own wish."""
    return award(table, seat, company) + 40.0 * table.promised[mine(seat)][company]


def break_tie(table, seat, company):
    """Oneself, else the one furthest behind."""
    return 1000.0 if company == mine(seat) else -standing(table, company)


def honour(table, seat, company):
    """Usually; less so towards those who break their own word."""
    return 1 if chance(seat, company) < seat.params[LOYALTY] - 0.2 * table.broken[company] else 0


def play_event(table, seat, event):
    """At once, as soon as it can do something."""
    return 1


def target(table, seat, company):
    """What is bad goes to the leader, what is good to the one behind."""
    return standing(table, company) * (-1.0 if table.cards.event_good[table.event] else 1.0)


def take_project(table, seat, project):
    """The best of them."""
    return rate_project(table, seat, project) + table.cards.difficulty[project]


# --- the alien -------------------------------------------------------------------------------------------
def reveal(table, seat):
    """When the hoard is large enough and the humans look weak; a race for defence only helps them."""
    me = mine(seat)
    if table.completed[me] >= seat.params[WAIT]:
        return 1
    weakest = 1e9
    for p in range(table.players):
        if p != me:
            weakest = min(weakest, vault_defence(table, p) / expected_attack(table, p, table.multiplier + 1))
    return 1 if weakest < seat.params[WEAKNESS] else 0


def tactic(table, seat, threat):
    """The threat with the most cards that the fewest humans are immune to."""
    immune = 0
    for p in range(table.players):
        immune += p != mine(seat) and table.immune[p][threat]
    return threat_cards(table, threat) - 0.5 * immune


def known_attack(table, company):
    """Attack against a company: cards turned up as they are, the others by expectation."""
    total = float(table.base_attack)
    mean = card_attack_mean(table, company)
    for card in range(table.attack_n):
        if table.attack_on[card] == company:
            total += (
                mean
                if table.attack_seen[card] == NONE
                else seen_attack(table, company, table.attack_seen[card])
            )
    return total


def seen_attack(table, company, kind):
    """A turned-up card's attack: numbers exactly, the rest roughly."""
    if table.cards.kind_type[kind] == NUMBER:
        return float(table.cards.kind_value[kind])
    if table.cards.kind_type[kind] == THREAT:
        threat = table.cards.kind_value[kind]
        return 25.0 * (table.tactic[threat] + 1 - table.immune[company][threat])
    return 10.0 * max(1, table.cards.kind_value[kind])


def surplus(table, company):
    """How much more attack than defence lies against a company (negative: it stands)."""
    return known_attack(table, company) - vault_defence(table, company)


def intel(table, seat):
    """Move a card from one who is lost or safe anyway to one who can still be tipped; else stop."""
    return 2 if best_move_gain(table, seat) > seat.params[PUSH_LUCK] else 0


def best_move_gain(table, seat):
    """How much the nearest survivor would suffer from the largest surplus."""
    spare, short = -1e9, -1e9
    mean = 0.0
    for p in range(table.players):
        if p != mine(seat):
            gap = surplus(table, p)
            mean = card_attack_mean(table, p)
            if gap >= mean:
                spare = max(spare, gap)
            elif gap < 0:
                short = max(short, gap)
    if spare < -1e8 or short < -1e8:
        return -1.0
    return spare - mean + 1.0


def turn_up(table, seat, card):
    """Where it is closest."""
    return -abs(surplus(table, table.attack_on[card]))


def move_card(table, seat, card):
    """A hidden card, from the one with the largest surplus."""
    company = table.attack_on[card]
    return -1e6 if company == NONE else surplus(table, company) + (table.attack_seen[card] == NONE)


def move_to(table, seat, company):
    """To the survivor who is nearest to falling."""
    gap = surplus(table, company)
    return gap if gap < 0 else -1e6


def mash(table, seat, company):
    """Against the survivor nearest to falling; else pile on."""
    gap = surplus(table, company)
    return 1e6 + gap if gap < 0 else 1e5 - gap


# --- the humans' last stand ------------------------------------------------------------------------------
def move_fame(table, seat, project):
    """The project with the most fame, if defence is short; else the one with the least."""
    me = mine(seat)
    short = expected_attack(table, me, table.multiplier) > vault_defence(table, me)
    return table.cards.fame[project] if short else -table.cards.fame[project]


def attack_off(table, seat, card):
    """The worst one known, a hidden one by expectation."""
    kind = table.attack_seen[card]
    me = mine(seat)
    return card_attack_mean(table, me) if kind == NONE else seen_attack(table, me, kind)


def lose(table, seat, project):
    """The exact best, please."""
    return -1
