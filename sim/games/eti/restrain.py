"""Strategies that may not use everything the rules offer: `cautious~switching`, `mine.py:Mine~safe+scooping`.

Where the strategy would do what it may not, it does the nearest thing that is legal and allowed; everything else it
decides as ever. It does not know of the ban and plans nothing around it. The bans are bits in one more parameter, so
that another ban compiles nothing; the code that keeps them is compiled once for each strategy.

Some bans cannot be kept always: who must pick a project and finds them all studied by others joins one of those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any

from sim.compile import PLAIN, cache_folder, entry, game_of, rule
from sim.errors import UserError, did_you_mean, shown
from sim.games.eti.asking import (
    Q_AGENDA,
    Q_AWARD,
    Q_BREAK_TIE,
    Q_HONOUR,
    Q_INTEL,
    Q_MASH,
    Q_OFFER_POINTS,
    Q_OFFER_PROMISE,
    Q_OFFER_TO,
    Q_PLAY_EVENT,
    Q_RATE_PROJECT,
    Q_REVEAL,
    Q_SUBMISSION,
    Q_SWAP,
    Q_UPGRADE,
    Q_VAULT,
    Q_VOTE,
)
from sim.games.eti.engine import DECIDE_SIGNATURE
from sim.games.eti.state import MAX_PARAMS, NONE, PHASE_EVENT, RESEARCH, SAFE, STANDARD, SUBMIT, SWITCH
from sim.games.eti.strategy import Param, Strategy

MARK, AND = "~", "+"  # neither means anything to a shell, and commas already stand between strategies
PARAM = "banned"
BANNED = -1e300  # the rating of an option that may not be chosen as long as there is another


@dataclass(frozen=True)
class Ban:
    """Something a strategy may be forbidden."""

    name: str
    text: str  # it may not ...
    role: str = "human"  # who is ever in the position to do it: human, alien or both


BANS = (
    Ban("switching", "switch to another project", "both"),
    Ban("safe", "submit safely", "both"),
    Ban("standard", "submit with the cards turned up", "both"),
    Ban("swaps", "swap cards", "both"),
    Ban("public", "put a project into the public domain", "both"),
    Ban("secret", "put a project into the top-secret vault", "both"),
    Ban("scooping", "scoop anybody", "both"),
    Ban("joining", "study a project that somebody else studies", "both"),
    Ban("offers", "make offers", "both"),
    Ban("points", "offer points", "both"),
    Ban("promises", "offer its next vote", "both"),
    Ban("breaking", "break an offer or a promise", "both"),
    Ban("keeping", "keep an offer", "both"),
    Ban("own-votes", "vote for itself, or name itself, for something good", "both"),
    Ban("hand", "play events from its hand", "both"),
    Ban("reveal", "reveal before it must", "alien"),
    Ban("waiting", "wait with its reveal", "alien"),
    Ban("intel", "use intel", "alien"),
    Ban("mash", "use mash cards", "alien"),
    Ban("staffing", "choose upgrades of staffing", "both"),
    Ban("creativity", "choose upgrades of creativity", "both"),
    Ban("security", "choose upgrades of security", "both"),
    Ban("analysis", "choose upgrades of analysis", "both"),
)
NAMES = tuple(ban.name for ban in BANS)
(NO_SWITCHING, NO_SAFE, NO_STANDARD, NO_SWAPS, NO_PUBLIC, NO_SECRET, NO_SCOOPING, NO_JOINING, NO_OFFERS, NO_POINTS,
 NO_PROMISES, NO_BREAKING, NO_KEEPING, NO_OWN_VOTES, NO_HAND, NO_REVEAL, NO_WAITING, NO_INTEL, NO_MASH, NO_STAFFING,
 NO_CREATIVITY, NO_SECURITY, NO_ANALYSIS) = (1 << k for k in range(len(BANS)))  # fmt: skip

#: bans that together leave nothing to answer
CLASHES = (
    ("safe", "standard"), ("public", "secret"), ("breaking", "keeping"), ("reveal", "waiting"),
    ("staffing", "creativity", "security", "analysis"),
)  # fmt: skip

#: (question, ban, the answer instead)
INSTEAD = (
    (Q_SWAP, NO_SWAPS, 0), (Q_VAULT, NO_PUBLIC, 0), (Q_VAULT, NO_SECRET, 1), (Q_OFFER_TO, NO_OFFERS, -1),
    (Q_OFFER_POINTS, NO_POINTS, 0), (Q_OFFER_PROMISE, NO_PROMISES, 0), (Q_HONOUR, NO_BREAKING, 1),
    (Q_HONOUR, NO_KEEPING, 0), (Q_PLAY_EVENT, NO_HAND, 0), (Q_REVEAL, NO_REVEAL, 0), (Q_REVEAL, NO_WAITING, 1),
    (Q_INTEL, NO_INTEL, 0), (Q_MASH, NO_MASH, -1), (Q_SUBMISSION, NO_SAFE, STANDARD),
    (Q_SUBMISSION, NO_STANDARD, SAFE),
)  # fmt: skip


# --- making them -----------------------------------------------------------------------------------------
def split_bans(spec: str) -> tuple[str, str]:
    """A strategy's name or file, and its bans ('' if there are none).

    Example
    -------
    >>> split_bans("mine.py:Mine~safe+scooping")
    ('mine.py:Mine', 'safe+scooping')
    """
    base, mark, bans = spec.rpartition(MARK)
    return (base, bans) if mark and base and not set(bans) & set("/\\.:") else (spec, "")


def parse_bans(text: str) -> tuple[str, ...]:
    """The bans named in a text, each once."""
    named = text.split(AND)
    problems = [
        f"no ban {shown(name)}{did_you_mean(name, NAMES)}; valid: {', '.join(NAMES)}"
        for name in named
        if name not in NAMES
    ]
    for clash in CLASHES:
        if set(clash) <= set(named):
            problems.append(
                f"bans {AND.join(clash)} leave nothing to choose; valid: not all of them together"
            )
    if problems:
        raise UserError(problems)
    return tuple(dict.fromkeys(named))


def without(base: Strategy, bans: str) -> Strategy:
    """The same strategy, which may not do some things.

    Parameters
    ----------
    base
        Any strategy; its parameters stay.
    bans
        Names of `BANS` with a plus between them.

    Example
    -------
    >>> without(load_strategy("cautious"), "switching+safe").name  # doctest: +SKIP
    'cautious~switching+safe'
    """
    names = parse_bans(bans)
    if len(base.params) >= MAX_PARAMS:
        raise UserError(
            f"strategy {base.name}: {MAX_PARAMS} parameters leave no room for bans; valid: one fewer"
        )
    if PARAM in [param.name for param in base.params]:
        raise UserError(f"strategy {base.name}: it has bans, or a parameter {PARAM}; valid: all bans at once")
    bits = sum(1 << NAMES.index(name) for name in names)
    banned = Param(PARAM, float(bits), "what it may not do, as bits")
    # what copies files looks for a colon, which a file without a class has not
    colon = "" if base.built_in or ":" in base.spec else ":"
    ending = MARK + AND.join(names)
    return replace(
        base,
        name=base.name + ending,
        params=(*base.params, banned),
        spec=base.spec and base.spec + colon + ending,
        decide=keep_bans(base.decide, len(base.params), base.name, base.built_in),
    )


def with_bans(spec: str, known: Mapping[str, Strategy]) -> Strategy | None:
    """Bans on one of the strategies that are there, whatever it was made of; None: it is none of them."""
    base, bans = split_bans(spec)
    return without(known[base], bans) if bans and base in known else None


@cache
def keep_bans(inner: Any, place: int, name: str, built_in: bool) -> Any:
    """A strategy's `decide` with its answers seen to, for whatever bans stand in its parameter at `place`."""
    text = (
        "def decide(table, seat, question, option):\n"
        f"    bans = int(seat.params[{place}])\n"
        "    return allowed(table, seat, question, option, bans, inner(table, seat, question, option))\n"
    )
    names: dict[str, Any] = {"__name__": __name__, "allowed": allowed, "inner": inner}
    exec(compile(text, _file(text, name, built_in), "exec"), names)
    decide = names["decide"]
    if PLAIN:
        return decide
    # as with all strategies: machine code is found by its name
    decide.__qualname__ = f"restrained_{'built_in' if built_in else 'own'}_{name}"
    return entry(decide, DECIDE_SIGNATURE, keep=built_in)


def _file(text: str, name: str, built_in: bool) -> str:
    """Numba keeps only what comes from a file."""
    if PLAIN or not built_in:
        return f"<restrained {name}>"
    file = cache_folder(game_of(__name__)) / f"restrained_{name}_{sha256(text.encode()).hexdigest()[:8]}.py"
    if not file.exists():
        file.write_text(text)
    return str(file)


# --- keeping the bans ------------------------------------------------------------------------------------
@rule
def allowed(table, seat, question, option, bans, wanted):
    """The answer nearest to what the strategy wants."""
    if question == Q_AGENDA:
        return allowed_agenda(table, int(seat.me), bans, wanted)
    if question == Q_SUBMISSION and bans & NO_SCOOPING and beside(table, int(seat.me)):
        if not bans & NO_SAFE and falls_short(table, int(seat.me)):
            return float(SAFE)
    for asked, ban, instead in INSTEAD:
        if question == asked and bans & ban:
            return float(instead)
    if question == Q_REVEAL and bans & NO_SCOOPING and beside(table, int(seat.me)):
        return 0.0
    return BANNED if is_banned(table, int(seat.me), question, option, bans) else wanted


@rule
def allowed_agenda(table, me, bans, wanted):
    """Instead of a switch research, or with full ports a submission; see also `rather_not_claim`."""
    may_switch = not bans & NO_SWITCHING and not (bans & NO_JOINING and must_join(table, me))
    free_port = table.queue_n[me] < table.rules.ports
    if wanted == SWITCH and not may_switch:
        wanted = RESEARCH if free_port else SUBMIT
    if wanted == SUBMIT and bans & NO_SCOOPING and beside(table, me):
        wanted = rather_not_claim(table, me, bans, free_port, may_switch)
    return float(wanted)


@rule
def rather_not_claim(table, me, bans, free_port, may_switch):
    """Instead of a claim that scoops somebody: research; with full ports a safe submission that falls short, or a
    switch."""
    if free_port:
        return RESEARCH
    if not bans & NO_SAFE and falls_short(table, me):
        return SUBMIT
    return SWITCH if may_switch else SUBMIT


@rule
def is_banned(table, me, question, option, bans):
    """Whether an option may not be chosen if there is another."""
    if question == Q_RATE_PROJECT and bans & NO_JOINING:
        return others_on(table, me, option) > 0 and not must_join(table, me)
    if question == Q_UPGRADE:
        return (bans & (NO_STAFFING << option)) != 0
    if bans & NO_OWN_VOTES and option == me and is_for_good(table, question):
        return True
    if question == Q_VOTE and bans & NO_BREAKING:
        return not table.promised[me][option] and owes_a_vote(table, me)
    return False


@rule
def is_for_good(table, question):
    """A vote, an award, or a tie of votes, for an event that one wants."""
    if question == Q_VOTE or question == Q_AWARD or (question == Q_BREAK_TIE and table.phase == PHASE_EVENT):
        return table.event != NONE and table.cards.event_good[table.event] == 1
    return False


@rule
def owes_a_vote(table, me):
    """A promise to somebody is still open."""
    for p in range(table.players):
        if table.promised[me][p]:
            return True
    return False


@rule
def others_on(table, me, project):
    """How many other companies study a project."""
    n = 0
    for p in range(table.players):
        if p != me and table.studying[p] == project:
            n += 1
    return n


@rule
def beside(table, me):
    """Somebody else studies the same project."""
    return table.studying[me] != NONE and others_on(table, me, table.studying[me]) > 0


@rule
def falls_short(table, me):
    """A safe submission does not claim the project."""
    total = table.bank[me] + table.queue_n[me] * table.rules.safe_points
    return total < table.cards.difficulty[table.studying[me]]


@rule
def must_join(table, me):
    """All the projects that one could take up are studied by others."""
    for k in range(table.face_up_n):
        project = table.face_up[k]
        if project != table.studying[me] and others_on(table, me, project) == 0:
            return False
    return True
