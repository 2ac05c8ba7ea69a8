"""Tables and handles for the tests of single rules, beyond tests/kit.py: companies with projects, stacked decks,
claims, an alien that is hidden or known, and what the engine noted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sim.games.eti import invasion
from sim.games.eti.companies import gain_project
from sim.games.eti.events import event_phase
from sim.games.eti.log import VERBS
from sim.games.eti.play import make_setting
from sim.games.eti.projects import new_projects
from sim.games.eti.research import deal_research
from sim.games.eti.setup import set_up, start_streams
from sim.games.eti.state import NONE, RESEARCH, SECRET, SUBMIT
from sim.games.eti.submission import settle_submissions
from sim.games.eti.trace import trace_game
from tests.kit import CARDS, EVENT, KIND, PROJECT, face_up, new_table, scripted, study

ALIENS = {card.name: k for k, card in enumerate(CARDS.aliens)}
NO_CARD = 9  # a number no human card has: an endgame card without effects
ABDUCTION, ARSON, VIRUS, SPY = range(4)
QUIET = scripted(offer_to=-1)


# --- any table ---------------------------------------------------------------------------------------------
def ready(
    players: int = 4, decide: Any = QUIET, president: int = 0, alien: int = NONE, index: int = 0
) -> Any:
    """A game set up and traced."""
    game = new_table(players)
    game.tracing = 1
    start_streams(game, 1, index)
    set_up(game, decide, alien, president)
    return game


def log(game: Any, *verbs: str) -> list[tuple[Any, ...]]:
    """What the engine noted, as (verb, actor, a, b, c, d); only these verbs if any are named."""
    rows = [(VERBS[row[0]], *(int(x) for x in row[1:])) for row in game.log[: game.log_n]]
    return [row for row in rows if not verbs or row[0] in verbs]


def own(game: Any, p: int, *names: str, place: int = SECRET) -> list[int]:
    """Give a company completed projects."""
    for name in names:
        gain_project(game, QUIET, p, PROJECT[name], place)
    return [PROJECT[name] for name in names]


@cache
def random_traces() -> list[list[dict[str, Any]]]:
    """A few whole games of players who do anything."""
    return [trace_game(make_setting(["random"], players=n), 5, index) for n in (3, 5) for index in range(3)]


# --- events and piles --------------------------------------------------------------------------------------
def stack(game: Any, *names: str) -> None:
    """The whole event deck, the top card first."""
    game.tracing = 1
    game.secret.events_n = len(names)
    for k, name in enumerate(reversed(names)):
        game.secret.events[k] = EVENT[name]


def hold(game: Any, p: int, event: str) -> None:
    """Put an event into a hand."""
    game.seats[p].held |= 1 << EVENT[event]
    game.table.held_n[p] += 1


def run_event(game: Any, decide: Any = QUIET) -> None:
    """The event of a round."""
    event_phase(game, decide)


def piles(game: Any, **levels: str) -> None:
    """The piles hold just these projects, e.g. L3="String Theory"."""
    game.table.pile_left[:] = 0
    for name, project in levels.items():
        game.secret.pile[int(name[1:])][0] = PROJECT[project]
        game.table.pile_left[int(name[1:])] = 1


# --- research and claims -----------------------------------------------------------------------------------
def deal(game: Any, *seats: int) -> None:
    """These seats research, the others have no agenda."""
    for p in range(game.table.players):
        game.table.agenda[p] = RESEARCH if p in seats else NONE
    deal_research(game)


def discarded(game: Any) -> list[str]:
    """The research cards put away."""
    return sorted(card for card, kind in KIND.items() for _ in range(game.secret.discards[kind]))


def rivals(*seats: int, project: str = "Cryogenic Coolants", **rules: int) -> Any:
    """These companies study one face-up project of difficulty 120."""
    game = new_table(**rules)
    face_up(game, project)
    for p in seats:
        study(game, p, project)
    return game


def settle(game: Any, totals: dict[int, int], **answers: Any) -> tuple[list[int], list[int]]:
    """Claims after these totals; the seats of claimants and of scooped companies."""
    for p, total in totals.items():
        game.table.agenda[p] = SUBMIT
        game.table.total[p] = total
    sets = settle_submissions(game, scripted(**answers))
    claimants, scooped = ([p for p in range(6) if bits >> p & 1] for bits in sets)
    return claimants, scooped


def renew(game: Any, claimants: int = 0, scooped: int = 0, **answers: Any) -> None:
    """New projects after these claims and scoops, given as sets of seats."""
    new_projects(game, scripted(**answers), claimants, scooped)


# --- the invasion ------------------------------------------------------------------------------------------
def invaded(players: int = 4, alien: int = 1, card: str = "Raiding Party", **rules: int) -> Any:
    """A traced table with a hidden alien; the humans' endgame cards do nothing."""
    game = new_table(players, **rules)
    game.tracing = 1
    game.secret.alien_seat = alien
    game.secret.endgame[:] = NO_CARD
    game.secret.endgame[alien] = ALIENS[card]
    return game


def known(players: int = 4, alien: int = 1, card: str = "Raiding Party", **rules: int) -> Any:
    """The same with the alien's board turned over."""
    game = invaded(players, alien, card, **rules)
    invasion.turn_board_over(game, alien)
    return game


def immune(game: Any, p: int, *threats: int) -> None:
    """A company is immune to these, as if by its security track."""
    for threat in threats:
        game.table.immune[p][threat] = 1
        game.table.immunity[p][game.table.immunity_n[p]] = threat
        game.table.immunity_n[p] += 1


def attack_with(game: Any, **cards: Sequence[str]) -> None:
    """Lay attack cards face down, e.g. p0=("x2", "spy")."""
    table = game.table
    for seat, kinds in cards.items():
        for kind in kinds:
            table.attack_on[table.attack_n] = int(seat[1:])
            table.attack_seen[table.attack_n] = NONE
            game.secret.attack_kind[table.attack_n] = KIND[kind]
            table.attack_n += 1
