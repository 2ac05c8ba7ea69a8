"""Reading a trace line by line, and noting what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NoReturn

Line = dict[str, Any]

MOST_VIOLATIONS = 50  # a game that goes wrong early goes wrong everywhere: do not fill the screen


class RuleBroken(AssertionError):
    """A rule is broken (or the trace is), and the game cannot be followed any further."""


@dataclass
class Verdict:
    """What the referee found."""

    violations: list[str] = field(default_factory=list)  # 'R-TE-DIP: line 17: attempt: …'
    checks: int = 0  # how many facts were compared
    lines: int = 0  # how many lines were judged
    turns: int = 0  # turns begun
    won: bool | None = None  # by the Alliance, as the referee computes it
    winner: int | None = None  # seat, in the advanced game

    @property
    def ok(self) -> bool:
        """Is the game played by the rules?"""
        return not self.violations

    def demand(self) -> None:
        """Raise RuleBroken with all violations, if there are any."""
        if self.violations:
            raise RuleBroken("\n".join(self.violations))


# The keys of each kind of line, `do` itself apart.
KEYS: dict[str, frozenset[str]] = {
    do: frozenset(["do", *keys.split()])
    for do, keys in {
        "game": "version game seed index players bases mode variant strategies rules cards",
        "countries": "aliens allies points income",
        "factions": "factions objectives",
        "order": "seats first",
        "hand": "seat cards",
        "build": "seat module cell price credits why",
        "recruit": "seat unit cell price credits",
        "turn": "turn era first fund credits may_play knowledge levels points income",
        "income": "amount fund",
        "vote": "seat on choice",
        "research": "technology level cost fund by",
        "card": "seat card left played",
        "share": "each fund",
        "fortified": "seat",
        "agent": "seat change left",
        "attempt": "why seat country dice bonus extra agent needed success",
        "status": "country was now points income",
        "alien_target": "objective attempt",
        "ufo": "slot size objective",
        "scramble": "seat slot elite cell",
        "interception": "slot size attack fighters",
        "air_round": "slot round alien_dice factor bonus allied_dice hits",
        "bonus": "seat group cards",
        "reroll": "seat dice left dice_before dice_after",
        "withdraw": "seat slot fighters elites",
        "loss": "seat unit draw",  # and 'elite' of an allied unit, 'index' on the ground
        "shot_down": "slot",
        "escaped": "slot",
        "elite": "seat unit at_home",
        "personal": "seat points why total",
        "mission": "seat target infantry elite_infantry tanks elite_tanks cells",
        "battle": "target objective alien_bonus allied_bonus aliens allies",
        "groups": "round anew aliens allies draws",
        "ground_round": "target round group alien_dice factor bonus allied_dice hits",
        "retreat": "seat group units",
        "battle_over": "target winner left knowledge",
        "knowledge": "knowledge",
        "carriers_lost": "seat carriers",
        "conquest": "slot size country dice bonus needed success",
        "raid": "slot seat modules",
        "module_lost": "seat module cell dice unit points",
        "home": "seat unit elite cell",
        "researched": "technology success level labs_needed labs knowledge",
        "scarce": "technology",
        "draw": "seat card why",
        "discard": "seat card",
        "reshuffle": "cards",
        "end": "turn winner why points science",
        "personal_end": "seat objective objective_points unused total",
        "winner": "seat points",
        "stop": "decisions forced",
    }.items()
}
SOMETIMES = {"loss": frozenset(["elite", "index"])}


class Reader:
    """A cursor over the lines of a trace; every comparison with the rules goes through it."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.at = 0  # index of the next line
        self.line: Line = {}  # the line taken last
        self.verdict = Verdict()

    # -- going on -------------------------------------------------------------------------------
    def peek(self) -> str:
        """What the next line does ('' after the last one)."""
        if self.at >= len(self.lines):
            return ""
        do = self.lines[self.at].get("do")
        return do if isinstance(do, str) else "?"

    def next_is(self, do: str, **facts: Any) -> bool:
        """Is the next line a `do` with these facts?"""
        if self.peek() != do:
            return False
        line = self.lines[self.at]
        return all(line.get(key) == value for key, value in facts.items())

    def after_next(self, do: str, **facts: Any) -> bool:
        """Is the line after the next one a `do` with these facts?"""
        if self.at + 1 >= len(self.lines):
            return False
        line = self.lines[self.at + 1]
        return line.get("do") == do and all(line.get(key) == value for key, value in facts.items())

    def take(self, do: str, rule: str) -> Line:
        """The next line, which must be a `do` by this rule."""
        found = self.peek()
        if found != do:
            where = f"line {self.at + 1}" if found else "after the last line"
            self.stop(rule, f"expected '{do}', found '{found or 'nothing'}'", where)
        self.line = self.lines[self.at]
        self.at += 1
        missing = KEYS[do] - self.line.keys()
        extra = self.line.keys() - KEYS[do] - SOMETIMES.get(do, frozenset())
        if extra:
            self.broken("trace", f"keys not in the format: {sorted(map(str, extra))}")
        if missing:
            self.stop("trace", f"keys missing: {sorted(missing)}")
        return self.line

    # -- judging --------------------------------------------------------------------------------
    def where(self) -> str:
        """The line taken last, for a message."""
        return f"line {self.at}" if self.at else "line 1"

    def broken(self, rule: str, what: str, where: str = "") -> None:
        """Note a violation and go on."""
        if not where:
            where, what = self.where(), f"{self.line.get('do', '?')}: {what}"
        self.verdict.violations.append(f"{rule}: {where}: {what}")
        if len(self.verdict.violations) >= MOST_VIOLATIONS:
            raise RuleBroken("too many violations")

    def stop(self, rule: str, what: str, where: str = "") -> NoReturn:
        """Note a violation after which the game cannot be followed."""
        self.broken(rule, what, where)
        raise RuleBroken(self.verdict.violations[-1])

    def same(self, rule: str, key: str, expected: Any, found: Any) -> None:
        """One fact must be as the rules have it; 1, 1.0 and true are different things here."""
        self.verdict.checks += 1
        if found != expected or type(found) is not type(expected):
            self.broken(rule, f"{key}: expected {expected!r}, found {found!r}")

    def facts(self, rule: str, **expected: Any) -> None:
        """Several facts of the line taken last."""
        for key, value in expected.items():
            self.same(rule, key, value, self.line[key])

    def check(self, rule: str, right: bool, what: str) -> None:
        """A condition that must hold."""
        self.verdict.checks += 1
        if not right:
            self.broken(rule, what)

    def need(self, rule: str, right: bool, what: str) -> None:
        """A condition without which the game cannot be followed."""
        self.verdict.checks += 1
        if not right:
            self.stop(rule, what)

    def choice(self, rule: str, key: str, among: Collection[Any]) -> Any:
        """A decision in the line taken last, which must be one of the legal ones."""
        self.verdict.checks += 1
        chosen = self.line[key]
        if chosen not in among or isinstance(chosen, (bool, float)):
            self.stop(rule, f"{key}: expected one of {sorted(among, key=str)}, found {chosen!r}")
        return chosen

    def dice(self, rule: str, key: str, found: Any, count: int) -> list[int]:
        """So many throws of a die."""
        right = isinstance(found, list) and all(type(d) is int and 1 <= d <= 6 for d in found)
        self.need(rule, right, f"{key}: no dice: {found!r}")
        self.same(rule, f"number of {key}", count, len(found))
        return list(found)
