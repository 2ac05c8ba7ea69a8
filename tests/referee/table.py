"""The referee's own table: everything that lies on it, and who sits where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from .arithmetic import level_limit
from .cards import ABILITIES, CardSet, Event, Project
from .reader import Reader


@dataclass(slots=True)
class Company:
    """A company, which the alien is too until it reveals."""

    seat: int
    role: str = "human"
    card: str = ""  # its endgame card
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ABILITIES, 0))
    granted: int = 0  # immunities given by effects
    immune: list[str] = field(default_factory=list)  # in the order in which they were chosen
    bank: int = 0
    queue: list[str] = field(default_factory=list)  # port 1 first
    looked: set[int] = field(default_factory=set)  # ports shown by `look` effects
    project: Project | None = None  # what it studies
    left: Project | None = None  # what it studied before
    secret: list[Project] = field(default_factory=list)
    public: list[Project] = field(default_factory=list)
    hand: list[Event] = field(default_factory=list)
    revealed: bool = False
    # the invasion, for a human
    attack: dict[int, str] = field(default_factory=dict)  # id -> card
    moved_fame: set[str] = field(default_factory=set)  # projects whose fame became defence
    bonus: Counter[str] = field(default_factory=Counter)  # defence, fame, attack

    @property
    def vaults(self) -> list[Project]:
        """All completed projects."""
        return self.secret + self.public

    @property
    def highest(self) -> int:
        """The highest level completed, 0 without any."""
        return max((p.level for p in self.secret + self.public), default=0)


@dataclass(slots=True)
class Offer:
    """An offer to one who decides (A-13)."""

    seat: int
    to: int
    points: int
    project: Project | None
    event: Event | None
    promise: bool


class Table:
    """The whole state of a game."""

    def __init__(self, reader: Reader, players: int, rules: dict[str, int], cards: CardSet) -> None:
        self.reader = reader
        self.players = players
        self.rules = rules
        self.cards = cards
        self.best_swaps = True
        self.best_losses = True
        # set-up
        self.multiplier = 0
        self.threshold = 0
        self.must_reveal = 0
        self.companies = {seat: Company(seat) for seat in range(1, players + 1)}
        self.alien = self.companies[1]  # until the roles are read
        self.absent: set[str] = set()  # cards taken out of the game
        # cards
        self.deck: Counter[str] = Counter(cards.research)
        self.in_deck = self.deck.total()
        self.discards: Counter[str] = Counter()
        self.piles: dict[int, list[Project]] = {}  # top first
        self.face_up: dict[str, Project] = {}
        self.event_deck: list[Event] = []  # top first
        self.event_discards: list[Event] = []
        # the game's course
        self.president = 1
        self.round = 0
        self.claimed = 0
        self.promises: Counter[tuple[int, int]] = Counter()  # (who promised, to whom)
        self.revealed_in = 0  # the round of the reveal, 0 before
        self.rounds_left = 0  # rounds that E.T.I. gives, the round of the reveal included
        self.vault: list[Project] = []  # the revealed alien's
        self.alien_tokens: dict[str, int] = {}
        self.tactics: list[str] = []

    # -- seats ----------------------------------------------------------------------------------
    def seats_from(self, first: int) -> list[int]:
        """All seats clockwise from this one."""
        return [*range(first, self.players + 1), *range(1, first)]

    def clockwise(self) -> list[Company]:
        """Companies from the president clockwise, a revealed alien left out."""
        everybody = (self.companies[seat] for seat in self.seats_from(self.president))
        return [company for company in everybody if not company.revealed]

    def next_president(self) -> int:
        """R-BDG-1, A-2: the next company on the left that is no revealed alien."""
        for seat in self.seats_from(self.president)[1:]:
            if not self.companies[seat].revealed:
                return seat
        return self.president

    # -- values ---------------------------------------------------------------------------------
    def ability(self, company: Company, name: str) -> int:
        """The value of a company's ability."""
        return self.cards.space(name, company.tokens[name])

    def allowed_immunities(self, company: Company) -> int:
        """A-21."""
        return max(0, min(4, self.ability(company, "security") + company.granted))

    def completed(self, company: Company) -> list[Project]:
        """What lies in its vaults (the alien has only one)."""
        return self.vault if company.revealed else company.vaults

    # -- research cards -------------------------------------------------------------------------
    def draw(self, card: str, rule: str) -> None:
        """A card comes from the deck, where it must have been."""
        if self.deck[card] <= 0:
            self.reader.stop(rule, f"no {card!r} is left in the deck")
        self.reader.verdict.checks += 1
        self.deck[card] -= 1
        self.in_deck -= 1

    def put_away(self, cards: Iterable[str]) -> None:
        """R-SUB-8: to the discards."""
        self.discards.update(cards)

    def empty_queue(self, company: Company) -> list[str]:
        """Its queue goes to the discards."""
        cards, company.queue = company.queue, []
        company.looked.clear()
        self.put_away(cards)
        return cards

    def shuffle_discards_in(self) -> None:
        """R-BDG-2."""
        self.deck.update(self.discards)
        self.in_deck += self.discards.total()
        self.discards.clear()

    def judge_conservation(self) -> None:
        """Every kind of research card is there as often as the card set says."""
        held = self.deck + self.discards
        for company in self.companies.values():
            held.update(company.queue)
            held.update(company.attack.values())
        wanted = +self.cards.research
        self.reader.check("R-COMP-1", held == wanted, f"research cards {held} instead of {wanted}")

    # -- projects -------------------------------------------------------------------------------
    def levels_open(self, highest: int, step: int) -> list[int]:
        """R-NEW-1, A-11: levels one may draw from, with that level held (0: none); [] if none is left."""
        left = [level for level in range(1, 6) if self.piles[level]]
        within = [level for level in left if level <= level_limit(highest, step)]
        return within or left[:1]

    def levels_fixed(self, level: int) -> list[int]:
        """A-22: this level, or the lowest left."""
        if self.piles[level]:
            return [level]
        return [other for other in range(1, 6) if self.piles[other]][:1]
