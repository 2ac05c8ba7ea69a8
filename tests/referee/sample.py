"""A whole small game written by hand: three companies, seven rounds, seat 3 wins.

Every line was worked out on paper from the rules page; the tests bend it in all sorts of ways.
"""

from __future__ import annotations

import copy
import tomllib
from typing import Any

from .setup import RULES_FILE

Line = dict[str, Any]


def project(name: str, field: str, level: int, values: tuple[int, int, int], *upgrades: str) -> Line:
    """A project with (difficulty, defence, fame)."""
    difficulty, defence, fame = values
    numbers = {"level": level, "difficulty": difficulty, "defence": defence, "fame": fame}
    return {"name": name, "field": field, **numbers, "upgrades": list(upgrades), "source": "assumed"}


def effects(**amounts: int) -> list[Line]:
    """Effects of the kind do=amount."""
    return [{"do": do, "amount": amount} for do, amount in amounts.items()]


CARDS: Line = {
    "research": [
        {"card": card, "count": count}
        for card, count in {
            **{"10": 8, "20": 6, "30": 5, "40": 4, "50": 4, "x0": 2, "x2": 4, "x3": 3},
            **{"abduction": 2, "arson": 2, "data-virus": 2, "spy": 2},
        }.items()
    ],
    "projects": [
        project("Alpha", "physics", 1, (60, 10, 10)),
        project("Beta", "weaponry", 1, (60, 20, 0), "security"),
        project("Gamma", "physics", 1, (80, 0, 20)),
        project("Delta", "robotics", 1, (70, 10, 10), "staffing"),
        project("Epsilon", "sensors", 1, (50, 10, 0), "analysis"),
        project("Zeta", "physics", 2, (140, 20, 10)),
        project("Eta", "weaponry", 2, (120, 30, 10), "creativity"),
    ],
    "events": [
        {"name": "Grant", "who": "assign", "effects": effects(points=50)},
        {"name": "Hearing", "who": "vote", "good": False, "effects": effects(points=-30)},
        {"name": "Shield", "who": "president", "keep": "invasion", "effects": effects(defence=20)},
        {"name": "Windfall", "who": "everyone", "effects": effects(points=10)},
    ],
    "humans": [
        {"name": "The Survivalist", "effects": effects(fame_to_defence=1)},
        {"name": "The Visionary", "effects": effects(draw_project=1)},
        {"name": "The General", "effects": effects(attack=-30)},
    ],
    "aliens": [{"name": "Raiding Party", "ufos": 1, "effects": effects(intel=1)}],
    "tracks": {
        "staffing": {"spaces": [3, 4, 5]},
        "creativity": {"spaces": [0, 1, 2]},
        "security": {"spaces": [0, 1, 2]},
        "analysis": {"spaces": [0, 2, 4]},
        "eti": {"spaces": [1, 1, 0]},
        "intel": {"spaces": [1, 2, 3]},
        "tactics": {"spaces": [0, 1, 2]},
        "brutality": {"spaces": [0, 5, 10]},
    },
}


def default_rules(**changed: int) -> dict[str, int]:
    """The rule options' defaults, some changed."""
    options = tomllib.loads(RULES_FILE.read_text())
    return {name: option["value"] for name, option in options.items()} | changed


def game_line(rules: dict[str, int]) -> Line:
    """Three players, short, with a multiplier of 1 and a threshold of 2."""
    numbers = {"players": 3, "multiplier": 1, "threshold": 2, "must_reveal": 6}
    names = {"length": "short", "alien_public": True, "strategies": ["a", "b", "c"]}
    return {
        "do": "game",
        "version": 1,
        "seed": 7,
        "index": 0,
        **numbers,
        **names,
        "rules": rules,
        "cards": CARDS,
    }


class Book:
    """Collects lines; the methods are short forms of the commonest ones."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def add(self, do: str, **facts: Any) -> None:
        """Any line."""
        self.lines.append({"do": do, **facts})

    def round(self, number: int, president: int, claimed: int) -> None:
        """A round begins."""
        self.add("round", round=number, president=president, claimed=claimed)

    def upgrade(
        self, seat: int, ability: str, source: str, name: str | None, tokens: int, value: int
    ) -> None:
        """A token more."""
        facts = {"source": source, "project": name, "tokens": tokens, "value": value}
        self.add("upgrade", seat=seat, ability=ability, **facts)

    def pick(self, seat: int, name: str | None, left: str | None, why: str, bank: tuple[int, int]) -> None:
        """A marker."""
        self.add("pick", seat=seat, project=name, left=left, why=why, bank_before=bank[0], bank=bank[1])

    def lay_out(self, seat: int | None, level: int, name: str, why: str) -> None:
        """A project is turned up."""
        self.add("lay_out", seat=seat, level=level, project=name, why=why)

    def deal(self, seat: int, cards: str, first: int = 1) -> None:
        """Research cards from this port on."""
        dealt = cards.split()
        ports = list(range(first, first + len(dealt)))
        self.add("deal", seat=seat, why="research", cards=dealt, ports=ports, lost=[], wanted=len(dealt))

    def agendas(self, **agendas: str) -> None:
        """s1='research' and so on."""
        self.add("agendas", agendas={seat[1:]: agenda for seat, agenda in agendas.items()})

    def submit(self, seat: int, way: str, name: str, queue: str, order: str, **facts: Any) -> None:
        """A submission; order '' is the queue as it lay."""
        cards = queue.split()
        usual: Line = {"immune": [], "swaps": 0, "used": 0, "threats": [], "bank": 0}
        lying = {"queue": cards, "order": order.split() or cards}
        self.add("submit", seat=seat, way=way, project=name, **lying, **(usual | facts))

    def scooped(
        self, seat: int, name: str, by: int, why: str, bank: tuple[int, int, int], cards: str
    ) -> None:
        """Scooped, with the bank before, added and after."""
        before, added, after = bank
        facts = {"added": added, "bank_before": before, "bank": after, "discarded": cards.split()}
        self.add("scooped", seat=seat, project=name, by=by, why=why, **facts)

    def badge(self, president: int, claimed: int) -> None:
        """The badge passes."""
        self.add("badge", president=president, why="round", claimed=claimed)


def threat(port: int, card: str, ignored: bool = False) -> Line:
    """A threat of a submission that destroys nothing."""
    return {"port": port, "card": card, "ignored": ignored, "destroys_port": None, "destroys": None}


def sample_game(**changed: int) -> list[Line]:
    """The whole trace, with some rule options changed (the trace stays as it is)."""
    book = Book()
    rules = default_rules(multiplier_short=1, threshold_extra=-1, free_upgrades=1) | changed
    book.lines.append(copy.deepcopy(game_line(rules)))
    write_set_up(book)
    write_rounds_1_2(book)
    write_rounds_3_4(book)
    write_rounds_5_6(book)
    write_invasion(book)
    return book.lines


def write_set_up(book: Book) -> None:
    """Roles, upgrades, first projects."""
    piles = {"1": ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"], "2": ["Zeta", "Eta"]}
    events = ["Grant", "Hearing", "Shield", "Windfall"]
    book.add("piles", projects=piles | {"3": [], "4": [], "5": []}, events=events)
    book.add("role", seat=1, role="human", card="The Survivalist")
    book.add("role", seat=2, role="alien", card="Raiding Party")
    book.add("role", seat=3, role="human", card="The Visionary")
    book.add("first_president", seat=1)
    book.upgrade(1, "security", "free", None, 1, 1)
    book.add("immunity", seat=1, threat="spy", immune=["spy"])
    book.upgrade(2, "creativity", "free", None, 1, 1)
    book.upgrade(3, "staffing", "free", None, 1, 4)
    book.lay_out(None, 1, "Alpha", "setup")
    book.lay_out(None, 1, "Beta", "setup")
    book.pick(1, "Alpha", None, "start", (0, 0))
    book.pick(2, "Alpha", None, "start", (0, 0))
    book.pick(3, "Beta", None, "start", (0, 0))


def write_rounds_1_2(book: Book) -> None:
    """Research; then seats 2 and 3 claim, and seat 1 is scooped."""
    book.round(1, 1, 0)
    book.add("no_event", president=1, why="no project")
    book.agendas(s1="research", s2="research", s3="research")
    book.deal(2, "50 spy 20")
    book.deal(3, "30 x2 10 arson")
    book.deal(1, "10 10 x3")
    book.badge(2, 0)
    book.round(2, 2, 0)
    book.add("no_event", president=2, why="no project")
    book.agendas(s1="research", s2="submit", s3="submit")
    book.deal(1, "20 x0 40", first=4)
    one_swap = {"swaps": 1, "used": 1, "threats": [threat(3, "spy")]}
    book.submit(2, "standard", "Alpha", "50 spy 20", "50 20 spy", **one_swap, total=70, difficulty=60)
    arson = [threat(4, "arson")]
    book.submit(3, "standard", "Beta", "30 x2 10 arson", "", threats=arson, total=70, difficulty=60)
    book.add("claim", seat=2, project="Alpha", points=70, vault="public", claimed=1)
    book.scooped(1, "Alpha", 2, "researched", (0, 60, 60), "10 10 x3 20 x0 40")
    book.add("claim", seat=3, project="Beta", points=70, vault="secret", claimed=2)
    book.upgrade(3, "security", "project", "Beta", 1, 1)
    book.add("immunity", seat=3, threat="arson", immune=["arson"])
    book.lay_out(2, 2, "Zeta", "claim")
    book.lay_out(3, 1, "Gamma", "claim")
    book.pick(2, "Zeta", "Alpha", "claimed", (0, 0))
    book.pick(3, "Gamma", "Beta", "claimed", (0, 0))
    book.pick(1, "Gamma", "Alpha", "scooped", (60, 60))
    book.badge(3, 2)


def write_rounds_3_4(book: Book) -> None:
    """An event with offers, a switch; then seat 1 claims and both others are scooped."""
    book.round(3, 3, 2)
    book.add("wait", seat=2)
    book.add("event", event="Grant", president=3)
    book.add("offer", seat=1, to=3, points=20, project=None, event=None, promise=True)
    book.add("offer", seat=2, to=3, points=0, project="Alpha", event=None, promise=False)
    book.add("award", president=3, seat=1)
    book.add("points", seat=1, amount=50, bank_before=60, bank=110)
    book.add("event_over", event="Grant")
    book.add("due", seat=1, to=3, honoured=True, points=20, project=None, event=None, promise=True)
    book.add("bank_moves", seat=1, to=3, points=20, bank=90, to_bank=20)
    book.agendas(s1="research", s2="switch", s3="research")
    book.deal(1, "30 30 x2")
    book.deal(3, "10 40 abduction data-virus")
    book.add("bank", seat=2, why="switch", added=0, bank_before=0, bank=0, discarded=[])
    book.pick(2, "Gamma", "Zeta", "switched", (0, 0))
    book.badge(1, 2)
    book.round(4, 1, 2)
    book.add("wait", seat=2)
    book.add("no_event", president=1, why="no project")
    book.agendas(s1="submit", s2="research", s3="submit")
    book.deal(2, "20 20 10 x3")
    book.submit(1, "standard", "Gamma", "30 30 x2", "", immune=["spy"], bank=90, total=90, difficulty=80)
    safe = {"immune": ["arson"], "bank": 20, "total": 40, "difficulty": 80}
    book.submit(3, "safe", "Gamma", "10 40 abduction data-virus", "", **safe)
    book.add("claim", seat=1, project="Gamma", points=180, vault="public", claimed=3)
    book.scooped(2, "Gamma", 1, "researched", (0, 40, 40), "20 20 10 x3")
    book.scooped(3, "Gamma", 1, "submitted", (20, 40, 60), "")
    book.lay_out(1, 1, "Delta", "claim")
    book.pick(1, "Zeta", "Gamma", "claimed", (0, 0))
    book.pick(2, "Zeta", "Gamma", "scooped", (40, 40))
    book.pick(3, "Delta", "Gamma", "scooped", (60, 30))
    book.badge(2, 3)


def write_rounds_5_6(book: Book) -> None:
    """A vote that settles a promise; then the reveal, a kept event, and the last claim."""
    book.round(5, 2, 3)
    book.add("wait", seat=2)
    book.add("event", event="Hearing", president=2)
    book.add("offer", seat=3, to=1, points=10, project=None, event=None, promise=False)
    book.add("vote", seat=2, company=3, votes=1)
    book.add("vote", seat=3, company=2, votes=1)
    book.add("vote", seat=1, company=3, votes=1)
    book.add("promise", seat=1, to=3, kept=True)
    book.add("elected", seat=3, votes={"1": 0, "2": 1, "3": 2})
    book.add("points", seat=3, amount=-30, bank_before=30, bank=0)
    book.add("event_over", event="Hearing")
    book.agendas(s1="research", s2="research", s3="research")
    book.deal(3, "50 50 x3 spy")
    book.deal(1, "40 30 20 10")
    book.deal(2, "10 10 10 x0")
    book.badge(3, 3)
    book.round(6, 3, 3)
    lost = {"discarded": ["10", "10", "10", "x0"], "bank_lost": 40, "events_lost": []}
    book.add(
        "reveal", seat=2, card="Raiding Party", forced=False, project="Zeta", **lost, claimed=4, rounds=1
    )
    tokens = {"eti": 0, "intel": 1, "tactics": 0, "brutality": 0}
    book.add("alien_board", seat=2, tokens=tokens, values=tokens | {"eti": 1, "intel": 2}, tactics=[])
    book.scooped(1, "Zeta", 2, "reveal", (0, 40, 40), "40 30 20 10")
    book.pick(1, "Delta", "Zeta", "reveal", (40, 30))
    book.add("event", event="Shield", president=3)
    book.add("keep", seat=3, event="Shield")
    book.agendas(s1="research", s3="submit")
    book.deal(1, "30 abduction 20")
    spy = {"immune": ["arson"], "threats": [threat(4, "spy")]}
    book.submit(3, "standard", "Delta", "50 50 x3 spy", "", **spy, total=200, difficulty=70)
    book.add("claim", seat=3, project="Delta", points=200, vault="secret", claimed=5)
    book.upgrade(3, "staffing", "project", "Delta", 2, 5)
    book.scooped(1, "Delta", 3, "researched", (30, 30, 60), "30 abduction 20")
    book.pick(3, None, "Delta", "claimed", (0, 0))
    book.pick(1, None, "Delta", "scooped", (60, 60))
    book.badge(1, 5)


def write_invasion(book: Book) -> None:
    """Seat 1 is destroyed, seat 3 survives."""
    book.round(7, 1, 5)
    book.add("invasion", round=7, president=1, why="no project")
    book.add("leftovers", seat=2, projects=[])
    book.add("attack", seat=1, cards=[{"id": 1, "card": "50"}])
    book.add("attack", seat=3, cards=[{"id": 2, "card": "spy"}])
    book.add("intel", uses=3)
    book.add("turn_up", id=1, card="50", seat=1)
    book.add("move", **{"id": 2, "from": 3, "to": 1})
    book.add("move", **{"id": 2, "from": 1, "to": 3})
    book.add("mashes", projects=2, mashes=1)
    book.add("mash", seat=1, id=3, card="x2")
    book.add("endgame", seat=1, card="The Survivalist")
    book.add("fame_to_defence", seat=1, project="Gamma", fame=20)
    book.add("endgame", seat=3, card="The Visionary")
    book.add("draw_project", seat=3, level=2, project="Eta", vault="public")
    book.upgrade(3, "creativity", "project", "Eta", 1, 1)
    book.add("play", seat=3, event="Shield", on=3)
    book.add("bonus", seat=3, what="defence", amount=20)
    book.add("event_over", event="Shield")
    write_battles(book)
    book.add("winner", seat=3, role="human", why="fame", fame=30)
    book.add("end", rounds=7, reason="no project", decisions=60, forced=9)


def write_battles(book: Book) -> None:
    """Attack and losses."""
    gamma = {"project": "Gamma", "vault": "public", "defence": 20, "fame": 10}
    cards = [{"id": 1, "card": "50", "value": 50}, {"id": 3, "card": "x2", "value": 20}]
    attack = {"cards": cards, "base": 0, "extra": 0, "attack": 70}
    defence: Line = {"projects": [gamma], "extra_defence": 0, "defence": 20, "survives": False}
    book.add("battle", seat=1, **attack, **defence, discards=["Gamma"], kept=[], fame=0)
    attack = {"cards": [{"id": 2, "card": "spy", "value": 25}], "base": 0, "extra": 0, "attack": 25}
    projects = [
        {"project": "Beta", "vault": "secret", "defence": 25, "fame": 0},
        {"project": "Delta", "vault": "secret", "defence": 15, "fame": 10},
        {"project": "Eta", "vault": "public", "defence": 30, "fame": 20},
    ]
    defence = {"projects": projects, "extra_defence": 20, "defence": 90, "survives": True}
    book.add("battle", seat=3, **attack, **defence, discards=["Beta"], kept=["Delta", "Eta"], fame=30)
