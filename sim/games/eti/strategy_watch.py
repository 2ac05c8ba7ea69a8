"""Watching a strategy answer, in plain Python: numbers, the same ones when asked again, and nothing changed."""

from __future__ import annotations

import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from sim.errors import shown
from sim.games.eti.asking import QUESTIONS
from sim.games.eti.state import ALIEN, NONE
from sim.games.eti.strategy import Strategy, core_decide, load_strategy
from sim.games.eti.strategy_check import Problem, Source, field_hint

ANSWER_SECONDS = 2.0  # longer than any answer should take, also on a busy machine
NAMES = {question.name: question for question in QUESTIONS}


# --- watching answers ------------------------------------------------------------------------------------
class Watch:
    """Stands between the engine and a strategy, and looks at each answer twice."""

    def __init__(self, strategy: Strategy, spec: str) -> None:
        self.strategy, self.functions = strategy, strategy.functions
        self.shown_file = spec.partition(":")[0] if not strategy.built_in else ""
        self.core, self.random = core_decide(), load_strategy("random").decide
        self.asked: Counter[tuple[str, bool]] = Counter()
        self.problems: dict[tuple[str, str], Problem] = {}
        self.retired: set[str] = set()  # answered by the core
        self.hopeless: set[str] = (
            set()
        )  # answered by random play: with these parameters the core is wrong, too
        self.story: list[tuple[int, int, int, float]] = []
        self.exploring = False
        self.where = ""

    def decide(self, table: Any, seat: Any, question: int, option: int) -> float:
        """What the engine calls instead of the strategy."""
        name = QUESTIONS[question].name
        self.asked[name, seat.role == ALIEN] += 1
        own = self.functions.get(name)
        if own is not None and name not in self.retired:
            value = self.ask(own, name, table, seat, option)
        elif name in self.hopeless or (own is None and self.exploring):
            value = self.random(
                table, seat, question, option
            )  # brings up decisions that hang on this one, too
        else:
            value = self.core(table, seat, question, option)
        self.story.append((int(table.round_no), question, int(option), value))
        return float(value)

    def ask(self, function: Callable[..., Any], name: str, table: Any, seat: Any, option: int) -> float:
        """One answer of the strategy's own; the core's if it is none."""
        arguments = (table, seat) if NAMES[name].option is None else (table, seat, option)
        before = table.tobytes(), seat.tobytes()
        try:
            with at_most(ANSWER_SECONDS):
                first = function(*arguments)
                changed = (table.tobytes(), seat.tobytes()) != before
                if changed:
                    self.tell_change(function, name, arguments, before)
                again = function(*arguments)
                restore(table, before[0])
                restore(seat, before[1])
        except TooLong as error:
            text = f"'{name}' gave no answer within {ANSWER_SECONDS:g} seconds{self.moment(table, seat)}"
            self.tell("time", name, text, last_line(error, function.__code__.co_filename))
        except (Exception, SystemExit) as error:
            hint = field_hint(str(error.name)) if isinstance(error, AttributeError) else ""
            text = f"'{name}' raised {type(error).__name__}: {error}{hint}{self.moment(table, seat)}"
            self.tell("error", name, text, last_line(error, function.__code__.co_filename))
        else:
            if not is_number(first):
                text = f"'{name}' answered {plain(first)}{self.moment(table, seat)}; valid: a number"
                self.tell("number", name, text, return_line(function, arguments))
            elif not is_number(again) or first != again:
                self.tell_luck(function, name, f"{plain(first)} and then {plain(again)}", table, seat)
            else:
                return float(first)
        restore(table, before[0])
        restore(seat, before[1])
        return float(self.core(table, seat, list(NAMES).index(name), option))

    def moment(self, table: Any, seat: Any) -> str:
        """Seed, game, round and role, to find the place again."""
        role = "alien" if seat.role == ALIEN else "human"
        return f" as {role} in round {int(table.round_no)} of {self.where}"

    def tell(self, kind: str, name: str, text: str, line: int | None, retire: bool = True) -> None:
        """Keep the first problem of a kind for each decision."""
        function = self.functions.get(name)
        file = self.shown_file or (function.__code__.co_filename if function else None)
        if function and not line:
            line = function.__code__.co_firstlineno
        self.problems.setdefault((kind, name), Problem(kind, text, file, line, name))
        if retire:
            self.retired.add(name)

    def tell_change(self, function: Any, name: str, arguments: Any, before: tuple[bytes, bytes]) -> None:
        """Which field, and on which line; then everything is put back."""
        table, seat = arguments[:2]
        fields = [f"table.{f}" for f in changed_fields(table, before[0])]
        fields += [f"seat.{f}" for f in changed_fields(seat, before[1])]
        restore(table, before[0])
        restore(seat, before[1])
        line = changing_line(function, arguments, before)
        restore(table, before[0])
        restore(seat, before[1])
        text = f"'{name}' changed {', '.join(fields)}{self.moment(table, seat)}; valid: to read table and seat only"
        self.tell("change", name, text, line, retire=False)

    def tell_luck(self, function: Any, name: str, answers: str, table: Any, seat: Any) -> None:
        line, found = next(lucky_places(function), (None, "has luck or a memory of its own"))
        text = f"'{name}' {found}: it answered {answers} to the same question{self.moment(table, seat)}; "
        self.tell("random", name, text + "valid: chance(seat, k)", line)

    def tell_illegal(self, game: Any) -> None:
        """An answer that the engine did not take."""
        question, p = QUESTIONS[int(game.fault_question)], int(game.fault_seat)
        function, seat = self.functions.get(question.name), game.seats[p]
        if function is None or question.name in self.retired:
            self.hopeless.add(question.name)
        option = f" of {question.option} {int(game.fault_option)}" if question.option else ""
        text = (
            f"'{question.name}'{option} answered {float(game.fault_answer):g}{self.moment(game.table, seat)}"
        )
        arguments = (
            (game.table, seat) if question.option is None else (game.table, seat, int(game.fault_option))
        )
        line = return_line(function, arguments) if function else None
        if not function:
            text += " (the core's function, with the strategy's parameters)"
        self.tell("illegal", question.name, f"{text}; valid: {valid_now(game, p, question.name)}", line)


def is_number(value: Any) -> bool:
    """A finite number of Python or NumPy."""
    if not isinstance(value, bool | int | float | np.integer | np.floating | np.bool_):
        return False
    return bool(np.isfinite(float(value)))


def plain(value: Any) -> str:
    """An answer as a message shows it."""
    return f"{float(value):g}" if isinstance(value, int | float | np.number) else shown(value)


def restore(record: Any, before: bytes) -> None:
    """Put a record back to what it was."""
    if record.tobytes() != before:
        old = np.frombuffer(before, record.dtype)[0]
        for name in record.dtype.names:
            record[name] = old[name]


def changed_fields(record: Any, before: bytes) -> list[str]:
    old = np.frombuffer(before, record.dtype)[0]
    return [name for name in record.dtype.names if record[name].tobytes() != old[name].tobytes()]


def valid_now(game: Any, p: int, name: str) -> str:
    """The legal answers at this moment."""
    table = game.table
    if name == "offer_points":
        return f"a whole number from 0 to {int(table.bank[p])}, the own bank"
    if name == "swap":
        return f"a port from 1 to {int(game.desk.n) - 1}, 0 to stop, -1 for the best swaps"
    if name == "intel":
        hidden = any(
            table.attack_seen[k] == NONE and table.attack_on[k] != NONE for k in range(table.attack_n)
        )
        return "0 (stop), 1 (turn up) or 2 (move)" if hidden else "0 (stop) or 2 (move): no card is face down"
    if name == "agenda":
        full, empty = table.queue_n[p] >= table.rules.ports, table.queue_n[p] == 0
        legal = ["RESEARCH (0)"] * (not full) + ["SUBMIT (1)"] * (
            not empty or bool(table.rules.empty_submission)
        )
        why = ": all ports are full" if full else ": there is no card to submit" if len(legal) == 1 else ""
        return " or ".join([*legal, "SWITCH (2)"]) + why
    return f"0 or 1 ({NAMES[name].text})"


# --- how long? -----------------------------------------------------------------------------------------
class TooLong(BaseException):
    """Raised by the alarm inside the function that does not come to an end."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer."""

    def ring(*_: Any) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


# --- on which line? --------------------------------------------------------------------------------------
def traced(function: Any, arguments: Any, follow: Callable[[Any, str], None]) -> None:
    """Call it again with every step in its file followed."""
    file = function.__code__.co_filename

    def step(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        follow(frame, event)
        return step

    sys.settrace(step)
    try:
        with at_most(ANSWER_SECONDS):
            function(*arguments)
    except (Exception, SystemExit, TooLong):
        pass
    finally:
        sys.settrace(None)


def return_line(function: Any, arguments: Any) -> int | None:
    """The line of the `return` that the answer came from."""
    lines = []

    def follow(frame: Any, event: str) -> None:
        if event == "return" and frame.f_code is function.__code__:
            lines.append(frame.f_lineno)

    traced(function, arguments, follow)
    return lines[-1] if lines else None


def changing_line(function: Any, arguments: Any, before: tuple[bytes, bytes]) -> int | None:
    """The first line after which table or seat are different."""
    table, seat = arguments[:2]
    found: list[int] = []
    last = [0]

    def follow(frame: Any, _: str) -> None:
        if not found and (table.tobytes(), seat.tobytes()) != before:
            found.append(last[0])
        last[0] = frame.f_lineno

    traced(function, arguments, follow)
    return found[0] if found else None


def reachable(function: Any, seen: set[Any] | None = None) -> Iterator[Any]:
    """A function and the functions of the same file that it calls."""
    seen = set() if seen is None else seen
    if function in seen:
        return
    seen.add(function)
    yield function
    for name in function.__code__.co_names:
        helper = function.__globals__.get(name)
        helper = getattr(helper, "py_func", helper)
        if isinstance(helper, FunctionType) and helper.__code__.co_filename == function.__code__.co_filename:
            yield from reachable(helper, seen)


def lucky_places(function: Any) -> Iterator[tuple[int, str]]:
    """Lines that use randomness, the time or a global counter."""
    for one in reachable(function):
        found = Source(one.__code__.co_filename).luck(one.__code__.co_firstlineno, one.__globals__)
        if found:
            yield found


def last_line(error: BaseException, file: str) -> int | None:
    """Where in a file an exception came from."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if same_file(f.filename, file)]
    return lines[-1] if lines else None


def same_file(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()
