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

    violations: list[str] = field(default_factory=list)  # 'R-SUB-3: line 17: submit: …'
    checks: int = 0  # how many facts were compared
    lines: int = 0  # how many lines were judged
    rounds: int = 0  # rounds begun
    winner: int | None = None  # seat, as the referee computes it
    role: str | None = None  # 'human' or 'alien'
    reason: str | None = None  # why the invasion came

    @property
    def ok(self) -> bool:
        """Is the game played by the rules?"""
        return not self.violations

    def demand(self) -> None:
        """Raise RuleBroken with all violations, if there are any."""
        if self.violations:
            raise RuleBroken("\n".join(self.violations))


# docs/trace.md: the keys of each kind of line, `do` itself apart.
KEYS: dict[str, frozenset[str]] = {
    do: frozenset(["do", *keys.split()])
    for do, keys in {
        "game": "version seed index players length multiplier threshold must_reveal alien_public"
        " strategies rules cards",
        "piles": "projects events",
        "role": "seat role card",
        "first_president": "seat",
        "upgrade": "seat ability source project tokens value",
        "immunity": "seat threat immune",
        "lay_out": "seat level project why",
        "pick": "seat project left why bank_before bank",
        "round": "round president claimed",
        "wait": "seat",
        "reveal": "seat card forced project discarded bank_lost events_lost claimed rounds",
        "alien_board": "seat tokens values tactics",
        "tactic": "seat threat tactics",
        "scooped": "seat project by why added bank_before bank discarded",
        "event": "event president",
        "no_event": "president why",
        "offer": "seat to points project event promise",
        "award": "president seat",
        "vote": "seat company votes",
        "promise": "seat to kept",
        "tie": "president among seat why",
        "elected": "seat votes",
        "keep": "seat event",
        "play": "seat event on",
        "event_over": "event",
        "due": "seat to honoured points project event promise",
        "points": "seat amount bank_before bank",
        "bank_moves": "seat to points bank to_bank",
        "project_moves": "seat to project why",
        "event_moves": "seat to event",
        "downgrade": "seat ability project tokens value",
        "immunity_lost": "seat threat immune",
        "look": "seat ports cards",
        "scout": "seat projects",
        "discard": "seat ports cards",
        "agendas": "agendas",
        "deal": "seat why cards ports lost wanted",
        "submit": "seat way project queue immune swaps used order threats total bank difficulty",
        "claim": "seat project points vault claimed",
        "bank": "seat why added bank_before bank discarded",
        "badge": "president why claimed",
        "reshuffle": "what order",
        "invasion": "round president why",
        "leftovers": "seat projects",
        "attack": "seat cards",
        "intel": "uses",
        "turn_up": "id card seat",
        "move": "id from to",
        "mashes": "projects mashes",
        "mash": "seat id card",
        "endgame": "seat card",
        "bonus": "seat what amount",
        "fame_to_defence": "seat project fame",
        "draw_project": "seat level project vault",
        "attack_off": "seat id card",
        "battle": "seat cards base extra attack projects extra_defence defence survives discards kept fame",
        "winner": "seat role why fame",
        "end": "rounds reason decisions forced",
    }.items()
}


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

    def take(self, do: str, rule: str) -> Line:
        """The next line, which must be a `do` by this rule."""
        found = self.peek()
        if found != do:
            where = f"line {self.at + 1}" if found else "after the last line"
            self.stop(rule, f"expected '{do}', found '{found or 'nothing'}'", where)
        self.line = self.lines[self.at]
        self.at += 1
        if self.line.keys() != KEYS[do]:
            self.judge_keys(KEYS[do])
        return self.line

    def judge_keys(self, wanted: frozenset[str]) -> None:
        """Extra keys are told; missing ones end the judging."""
        extra = self.line.keys() - wanted - ({"absent"} if self.line["do"] == "game" else set())
        missing = wanted - self.line.keys()
        if extra:
            self.broken("trace", f"keys not in the format: {sorted(map(str, extra))}")
        if missing:
            self.stop("trace", f"keys missing: {sorted(missing)}")

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

    def choice(self, rule: str, key: str, among: Collection[Any]) -> Any:
        """A decision in the line taken last, which must be one of the legal ones."""
        self.verdict.checks += 1
        chosen = self.line[key]
        if chosen not in among or isinstance(chosen, (bool, float)):
            self.stop(rule, f"{key}: expected one of {sorted(among, key=str)}, found {chosen!r}")
        return chosen
