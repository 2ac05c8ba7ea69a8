"""The referee's own table: everything that lies on it, and who sits where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .arithmetic import FACTORS, TECHNOLOGIES, diplomacy_bonus, voted
from .reader import Line, Reader

Unit = tuple[str, bool]  # kind and elite


@dataclass(slots=True)
class Base:
    """A base, and what belongs to it."""

    seat: int
    credits: int = 0
    modules: dict[int, str] = field(default_factory=dict)  # by cell
    units: dict[int, Unit] = field(default_factory=dict)  # by cell, those at home
    beside: Counter[Unit] = field(default_factory=Counter)  # back from a fight, not yet in a module
    fortified: bool = False
    hand: Counter[str] = field(default_factory=Counter)
    played: int = 0  # cards, this turn
    faction: str = ""
    objective: str = ""
    tokens: int = 0
    token_used: bool = False  # this turn
    points: int = 0  # personal
    won_point: bool = False  # a general has had this turn's point

    def count(self, module: str) -> int:
        """How many modules of a kind it has."""
        return sum(1 for kind in self.modules.values() if kind == module)

    def lowest(self, unit: Unit) -> int | None:
        """A-TE-10: the lowest cell where such a unit stands."""
        return min((cell for cell, stands in self.units.items() if stands == unit), default=None)

    def free(self, module: str) -> list[int]:
        """Modules of a kind without a unit, lowest first."""
        return sorted(
            cell for cell, kind in self.modules.items() if kind == module and cell not in self.units
        )

    def at_home(self, kind: str) -> int:
        """Units of a kind at home, elites included."""
        return sum(1 for unit, _ in self.units.values() if unit == kind)


@dataclass(slots=True)
class Ufo:
    """A UFO of this turn."""

    slot: int
    size: str
    objective: Any  # a country's name or {'base': seat}
    gone: bool = False
    fighters: dict[int, Counter[bool]] = field(default_factory=dict)  # by seat: plain (False) and elite

    @property
    def base(self) -> int | None:
        """The seat of the base it attacks."""
        return self.objective["base"] if isinstance(self.objective, dict) else None


@dataclass(slots=True)
class Army:
    """A carrier with what it carries."""

    seat: int
    target: Any  # slot or name of an alien country
    units: list[Unit]


@dataclass
class Table:
    """The whole table."""

    reader: Reader
    game: Line
    bases: dict[int, Base] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)  # this turn
    seats: list[int] = field(default_factory=list)  # clockwise
    first: int = 0
    turn: int = 0
    fund: int = 0
    knowledge: int = 0
    levels: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TECHNOLOGIES, 1))
    sought: list[str] = field(default_factory=list)  # this turn, in order
    bonus_points: int = 0  # for alien bases destroyed
    module_points: int = 0  # of the aliens
    deck: Counter[str] = field(default_factory=Counter)
    discards: Counter[str] = field(default_factory=Counter)
    bag: Counter[str] = field(default_factory=Counter)  # UFO tiles
    bags_filled: int = 1  # phases whose tiles have come into the bag
    ufos: list[Ufo] = field(default_factory=list)
    armies: list[Army] = field(default_factory=list)
    scientist_played: bool = False

    def __post_init__(self) -> None:
        self.rules: dict[str, int] = self.game["rules"]
        self.cards: dict[str, Any] = self.game["cards"]
        self.countries = {country["name"]: country for country in self.cards["countries"]}
        self.mode: str = self.game["mode"]
        self.advanced: bool = self.game["variant"] == "advanced"
        self.factions = self.advanced or bool(self.rules["factions"])
        self.starred = [card["name"] for card in self.cards["alliance"] if card["starred"]]

    # -- who and when ---------------------------------------------------------------------------
    @property
    def era(self) -> int:
        """The rulebook's phase, 1 to 3."""
        if self.turn >= self.rules["phase_3_turn"]:
            return 3
        return 2 if self.turn >= self.rules["phase_2_turn"] else 1

    def order(self) -> list[int]:
        """Player order: from the first player clockwise."""
        at = self.seats.index(self.first)
        return self.seats[at:] + self.seats[:at]

    def may_play(self, seat: int) -> int:
        """R-TE-SET-3: how many cards this seat may play in a turn."""
        n = len(self.bases)
        extra = self.rules["first_extra_3"] if n == 3 and seat == self.first else 0
        return self.rules[f"cards_turn_{n}"] + extra

    def of_faction(self, faction: str) -> Base | None:
        """Who has this faction, if anybody."""
        return next((base for base in self.bases.values() if base.faction == faction), None)

    # -- countries and points -------------------------------------------------------------------
    def side(self, status: str) -> list[str]:
        """The countries of a status."""
        return [name for name, now in self.status.items() if now == status]

    @property
    def points(self) -> list[int]:
        """R-TE-SET-1, R-TE-MIS-2, R-TE-MIS-3: of the Alliance and of the aliens."""
        worth = {s: sum(self.countries[name]["points"] for name in self.side(s)) for s in ("allied", "alien")}
        return [worth["allied"] + self.bonus_points, worth["alien"] + self.module_points]

    @property
    def income(self) -> int:
        """R-TE-INC."""
        return sum(self.countries[name]["credits"] for name in self.side("allied"))

    def bonus(self, status: str = "allied") -> int:
        """R-TE-DIP: of the number of countries on a side."""
        return diplomacy_bonus(len(self.side(status)), self.rules)

    def labs(self) -> int:
        """Laboratories of all bases."""
        return sum(base.count("laboratory") for base in self.bases.values())

    def change_status(self, country: str, to: str, rule: str) -> None:
        """A country goes over: points, income and bag change at once."""
        was, self.status[country] = self.status[country], to
        self.changed.add(country)
        self.reader.take("status", rule)
        self.reader.facts(rule, country=country, was=was, now=to, points=self.points, income=self.income)

    # -- units ----------------------------------------------------------------------------------
    def factor(self, unit: Unit) -> int:
        """R-TE-CARD-2, A-TE-1: dice of one unit, without what the fight adds."""
        kind, elite = unit
        name, technology = FACTORS[kind]
        factors = self.cards["technologies"][name]["factors"]
        return factors[self.levels[technology] - 1] + (self.rules["elite_bonus"] if elite else 0)

    def leave(self, base: Base, unit: Unit, cell: int | None) -> None:
        """A-TE-10: a unit leaves its module."""
        expected = base.lowest(unit)
        self.reader.need(
            "A-TE-10", expected is not None, f"seat {base.seat} has no such unit at home: {unit}"
        )
        self.reader.same("A-TE-10", "cell", expected, cell)
        del base.units[expected]  # type: ignore

    # -- votes, cards, points -------------------------------------------------------------------
    def take_votes(self, on: str, legal: list[Any], due: bool = True) -> tuple[bool, Any]:
        """A-TE-19: is it voted on (if there is a choice), and what is the result?"""
        if not due or len(legal) < 2:
            self.reader.check("A-TE-19", not self.reader.next_is("vote", on=on), f"no vote on {on} is due")
            return False, None
        votes = []
        for seat in self.order()[: None if self.rules["alliance_votes"] else 1]:
            self.reader.take("vote", "A-TE-19")
            self.reader.facts("A-TE-19", seat=seat, on=on)
            vote = self.reader.line["choice"]
            right = any(vote == choice and type(vote) is type(choice) for choice in legal)
            self.reader.check(f"A-TE-19 {on}", right, f"choice: {vote!r} is none of {legal}")
            votes.append(vote)
        return True, voted(votes)

    def next_card(self, *names: str) -> Line | None:
        """The next line, if it plays one of these cards."""
        if any(self.reader.next_is("card", card=name) for name in names):
            return self.reader.lines[self.reader.at]
        return None

    def play_card(self, rule: str) -> Base:
        """R-TE-CARD-1: take a `card` line; who played it."""
        line = self.reader.take("card", rule)
        base = self.bases[self.reader.choice("R-TE-CARD-1", "seat", self.bases)]
        name = line["card"]
        self.reader.need("R-TE-CARD-1", base.hand[name] > 0, f"seat {base.seat} has no {name}")
        base.hand[name] -= 1
        base.played += 1
        limit = self.may_play(base.seat)
        self.reader.check("R-TE-CARD-1", base.played <= limit, f"card {base.played} of {limit} in this turn")
        self.reader.facts("R-TE-CARD-1", left=base.hand[name], played=base.played)
        if name != "fortified base":
            self.discards[name] += 1
        return base

    def use_token(self, base: Base, left: int) -> None:
        """R-TE-ADV-2: a token, one a turn."""
        self.reader.check("R-TE-ADV-2", base.tokens > 0, f"seat {base.seat} has no token left")
        self.reader.check("R-TE-ADV-2", not base.token_used, "a second token in this turn")
        base.tokens -= 1
        base.token_used = True
        self.reader.same("R-TE-ADV-2", "left", base.tokens, left)

    def gain(self, rule: str, wanted: dict[tuple[int, str], int]) -> None:
        """Personal points: a line for each gain, by (seat, why), in any order; none in the base game."""
        due = {key: points for key, points in wanted.items() if points} if self.advanced else {}
        while due:
            line = self.reader.take("personal", rule)
            key = (line["seat"], line["why"])
            self.reader.need(rule, key in due, f"expected one of {due}, found {key}")
            points = due.pop(key)
            base = self.bases[line["seat"]]
            base.points += points
            self.reader.facts(rule, points=points, total=base.points)

    def draw_card(self, base: Base, why: str) -> None:
        """R-TE-END, A-TE-12: a card from the Alliance deck, which is made anew when it is used up."""
        if not +self.deck:
            if not +self.discards:
                return
            self.reader.take("reshuffle", "A-TE-12")
            found = {card: n for card, n in self.reader.line["cards"].items() if n}
            self.reader.same("A-TE-12", "cards", dict(+self.discards), found)
            self.deck, self.discards = self.discards, Counter()
        line = self.reader.take("draw", "R-TE-CARD-1")
        self.reader.facts("R-TE-CARD-1", seat=base.seat, why=why)
        self.take_from_deck(base, line["card"])

    def take_from_deck(self, base: Base, card: str) -> None:
        """R-TE-SET-5: there must be one."""
        self.reader.check("R-TE-SET-5", self.deck[card] > 0, f"no {card} is left in the deck")
        self.deck[card] -= 1
        base.hand[card] += 1
