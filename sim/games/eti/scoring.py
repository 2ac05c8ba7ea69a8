"""Chapter 4, the standard submission: what a queue of research cards is worth (R-SUB-2 to R-SUB-4).

Works on a `desk` (state.DESK) and knows cards, not companies. Numbers are the first kinds of the card set, the
highest being kind 0; how many of each are still alive is packed into one integer, six bits a kind.
"""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.eti.state import MULTIPLIER, NONE, NUMBER, THREAT

_BITS, _MASK = 6, 63


@rule
def lay_on_desk(desk, cards, queue, n, immune):
    """Put a queue on the desk as it lies; threats act unless the company is immune."""
    desk.n = n
    desk.used = 0
    for port in range(n):
        kind = int(queue[port])
        desk.queue[port] = kind
        desk.order[port] = kind
        acts = cards.kind_type[kind] == THREAT and immune[cards.kind_value[kind]] == 0
        desk.acts[port] = acts
        desk.acts_as_queued[port] = acts


@rule
def resolve(desk, cards):
    """R-SUB-3 and R-SUB-4 for the order on the desk: what each threat destroys, and the total."""
    doomed = 0  # set of ports
    for port in range(desk.n):
        desk.destroys[port] = NONE
        if desk.acts[port]:
            victim = highest_after(desk, cards, port, doomed)
            desk.destroys[port] = victim
            if victim != NONE:
                doomed |= 1 << victim
    desk.total = add_up(desk, cards, doomed)


@rule
def highest_after(desk, cards, port, doomed):
    """R-SUB-3: the highest number behind a threat, of equals the nearest; NONE if there is none left."""
    victim = NONE
    for later in range(port + 1, desk.n):
        kind = int(desk.order[later])
        if cards.kind_type[kind] == NUMBER and not (doomed >> later) & 1:
            if victim == NONE or kind < desk.order[victim]:  # kind 0 is the highest number
                victim = later
    return victim


@rule
def add_up(desk, cards, doomed):
    """R-SUB-4: surviving numbers, each times the multipliers that follow it."""
    closed, last = 0, 0
    for port in range(desk.n):
        kind = int(desk.order[port])
        if cards.kind_type[kind] == NUMBER:
            if not (doomed >> port) & 1:
                closed += last
                last = int(cards.kind_value[kind])
        elif cards.kind_type[kind] == MULTIPLIER:
            last *= cards.kind_value[kind]
    return closed + last


@rule
def best_swaps(desk, cards, immune, swaps, optional):
    """R-SUB-2: the order within `swaps` adjacent swaps that gives the highest total, exactly.

    Branch and bound. The queue is built from port 1 on; taking the j-th of the cards left costs j swaps; cards
    of one kind are interchangeable, so only the nearest is tried. A threat dooms a value: the next card of
    that value dies. A branch is given up when even stacking every multiplier left on the best number would not
    beat the best order so far. `optional` (A-7): a threat may act although the company is immune.
    """
    resolve(desk, cards)
    if desk.n < 2 or (swaps == 0 and not optional):
        return
    lying = desk.total
    best = lying
    start_search(desk, cards, swaps)
    if bound(desk, cards, 0) <= best:
        return
    depth = 0
    while depth >= 0:
        if not next_card(desk, cards, immune, depth, optional):
            depth -= 1
            continue
        place(desk, cards, depth)
        if bound(desk, cards, depth + 1) <= best:
            continue
        if desk.swaps[depth + 1] == 0 and not optional:
            total = finish(desk, cards, depth + 1)
            if total > best:
                best = total
                keep_order(desk, depth + 1, swaps)
        elif depth + 1 == desk.n:
            best = desk.closed[depth + 1] + desk.last[depth + 1]  # above the old best: see bound
            keep_order(desk, depth + 1, swaps)
        else:
            depth += 1
            open_node(desk, depth)
    if best > lying:
        resolve(desk, cards)


@rule
def start_search(desk, cards, swaps):
    """The root: nothing placed yet, every number alive."""
    alive, total, product = 0, 0, 1
    for port in range(desk.n):
        kind = int(desk.queue[port])
        value = int(cards.kind_value[kind])
        if cards.kind_type[kind] == NUMBER:
            alive += 1 << (_BITS * kind)
            total += value
        elif cards.kind_type[kind] == MULTIPLIER and value > 1:
            product *= value
    desk.alive[0] = alive
    desk.doomed[0] = 0
    desk.rest[0] = total
    desk.product[0] = product
    desk.closed[0] = 0
    desk.last[0] = 0
    desk.taken[0] = 0
    desk.swaps[0] = swaps
    open_node(desk, 0)


@rule
def open_node(desk, depth):
    """Begin with the nearest card."""
    desk.left[depth] = ((1 << int(desk.n)) - 1) & ~desk.taken[depth]
    desk.jump[depth] = 0
    desk.tried[depth] = 0


@rule
def next_card(desk, cards, immune, depth, optional):
    """Choose the next card to try at this depth; False when there is none within the swaps left."""
    while desk.left[depth] != 0 and desk.jump[depth] <= desk.swaps[depth]:
        left, jump = int(desk.left[depth]), int(desk.jump[depth])
        port = lowest(left)
        desk.left[depth] = left & (left - 1)
        desk.jump[depth] = jump + 1
        kind = int(desk.queue[port])
        if (desk.tried[depth] >> kind) & 1:
            continue
        shielded = cards.kind_type[kind] == THREAT and immune[cards.kind_value[kind]] == 1
        if shielded and optional and not (desk.tried[depth] >> (kind + 32)) & 1:
            desk.tried[depth] |= 1 << (kind + 32)  # ignored first; the same card once more, acting
            desk.left[depth] = left
            desk.jump[depth] = jump
            desk.act[depth] = 0
        else:
            desk.tried[depth] |= 1 << kind
            desk.act[depth] = cards.kind_type[kind] == THREAT and (optional or not shielded)
        desk.pick[depth] = port
        desk.taken[depth + 1] = desk.taken[depth] | (1 << port)
        desk.swaps[depth + 1] = desk.swaps[depth] - jump
        return True
    return False


@rule
def place(desk, cards, depth):
    """Put the chosen card down: the totals one step deeper."""
    kind = int(desk.queue[desk.pick[depth]])
    value = int(cards.kind_value[kind])
    alive, doomed = desk.alive[depth], desk.doomed[depth]
    closed, last = desk.closed[depth], desk.last[depth]
    rest, product = desk.rest[depth], desk.product[depth]
    if cards.kind_type[kind] == NUMBER:
        one = 1 << (_BITS * kind)
        if (doomed >> (_BITS * kind)) & _MASK:
            doomed -= one
        else:
            alive -= one
            rest -= value
            closed += last
            last = value
    elif cards.kind_type[kind] == MULTIPLIER:
        last *= value
        if value > 1:
            product //= value
    elif desk.act[depth] and alive:
        top = highest_alive(alive)
        alive -= 1 << (_BITS * top)
        doomed += 1 << (_BITS * top)
        rest -= cards.kind_value[top]
    deeper = depth + 1
    desk.alive[deeper] = alive
    desk.doomed[deeper] = doomed
    desk.closed[deeper] = closed
    desk.last[deeper] = last
    desk.rest[deeper] = rest
    desk.product[deeper] = product


@rule
def highest_alive(alive):
    """The kind of the highest number left (kind 0 is the highest of all); there must be one."""
    return lowest(alive) // _BITS


@rule
def bound(desk, cards, depth):
    """No order from here can be worth more than this; exact once everything is placed."""
    last = desk.last[depth]
    total = desk.closed[depth] + last + desk.rest[depth]
    product = desk.product[depth]
    if product > 1:
        best = last
        if desk.alive[depth]:
            best = max(best, int(cards.kind_value[highest_alive(desk.alive[depth])]))
        total += best * (product - 1)
    return total


@rule
def finish(desk, cards, depth):
    """No swap left: the total when the other cards stay as they lie."""
    taken, alive, doomed = desk.taken[depth], desk.alive[depth], desk.doomed[depth]
    closed, last = desk.closed[depth], desk.last[depth]
    left = ((1 << int(desk.n)) - 1) & ~taken
    while left != 0:
        port = lowest(left)
        left &= left - 1
        kind = int(desk.queue[port])
        if cards.kind_type[kind] == NUMBER:
            one = 1 << (_BITS * kind)
            if (doomed >> (_BITS * kind)) & _MASK:
                doomed -= one
            else:
                alive -= one
                closed += last
                last = int(cards.kind_value[kind])
        elif cards.kind_type[kind] == MULTIPLIER:
            last *= cards.kind_value[kind]
        elif desk.acts_as_queued[port] and alive:
            top = highest_alive(alive)
            alive -= 1 << (_BITS * top)
            doomed += 1 << (_BITS * top)
    return closed + last


@rule
def keep_order(desk, placed, swaps):
    """Remember the order found: the cards placed, then the others as they lie."""
    for port in range(placed):
        desk.order[port] = desk.queue[desk.pick[port]]
        desk.acts[port] = desk.act[port]
    taken = desk.taken[placed]
    target = placed
    for port in range(desk.n):
        if not (taken >> port) & 1:
            desk.order[target] = desk.queue[port]
            desk.acts[target] = desk.acts_as_queued[port]
            target += 1
    desk.used = swaps - desk.swaps[placed]
