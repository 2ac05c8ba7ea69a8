"""Strategies: plain functions, one a decision, turned into the one function the engine calls.

A strategy is a class or a module. What it leaves out falls back to its game's core, its parameters too. What a game
asks, and what it calls things, stands in its `Workshop`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import math
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from sim.asking import Question
from sim.compile import PLAIN, cache_folder, entry, game_of, is_dispatcher, is_ours, rule
from sim.errors import UserError, did_you_mean, shown


@dataclass(frozen=True)
class Param:
    """A number of a strategy that can be changed without compiling anything."""

    name: str
    value: float
    text: str


@dataclass(frozen=True)
class Strategy:
    """A strategy ready to play."""

    name: str
    idea: str
    params: tuple[Param, ...]
    functions: Mapping[str, Callable[..., Any]]
    built_in: bool = False
    room: int = 32  # parameters that the engine has a place for
    spec: str = ""  # what `load_strategy` takes; empty: written in a notebook
    varied: bool = field(default=False, compare=False)  # has other parameters than its source says
    text: str = field(default="", repr=False)  # the source it was made of; empty: built in
    decide: Any = field(default=None, compare=False, repr=False)

    def values(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The parameters as the engine wants them."""
        values = np.zeros(self.room)
        values[: len(self.params)] = [param.value for param in self.params]
        return values

    def changed(self, name: str | None = None, **changes: float) -> Strategy:
        """The same strategy with other parameters, and a name of its own if wanted; nothing is compiled anew.

        Example
        -------
        >>> load_strategy("cautious").changed("bold", push=0.9).name
        'bold'
        """
        names = [param.name for param in self.params]
        for key in changes:
            if key not in names:
                raise UserError(f"strategy {self.name}: no parameter {shown(key)}{did_you_mean(key, names)}; "
                                f"valid: {', '.join(names)}")  # fmt: skip
        values = {p.name: _number(self.name, p.name, changes.get(p.name, p.value)) for p in self.params}
        params = tuple(replace(p, value=values[p.name]) for p in self.params)
        varied = self.varied or params != self.params
        return replace(self, name=name or self.name, params=params, varied=varied)


class Workshop:
    """Where a game's strategies are found, checked and compiled."""

    def __init__(
        self,
        module: str,
        core: str,
        modules: Mapping[str, str],
        questions: Sequence[Question],
        signature: Any,
        room: int,
        complaint: Callable[[Strategy, Exception], str] | None = None,
    ) -> None:
        """
        Parameters
        ----------
        module
            A module of the game: numba imports it when it loads a kept strategy.
        core, modules
            Where the defaults live, and each strategy that comes with the game, by its name.
        questions, signature
            What strategies are asked, and what `decide` is compiled to.
        room
            Parameters that the engine has a place for.
        complaint
            The compiler's complaint about a user's strategy in one line.
        """
        self.module, self.core, self.modules = module, core, modules
        self.questions, self.signature, self.room = tuple(questions), signature, room
        self.names = {question.name: question for question in questions}
        self.complaint = complaint or does_not_compile

    # --- finding them ---
    def load(self, spec: str) -> Strategy:
        """A strategy by name, or from a file (`path/to/mine.py:Mine`, or `mine.py` for the module)."""
        if spec in self.modules:
            module = importlib.import_module(self.modules[spec])
            return replace(self.make(module, name=spec, built_in=True), spec=spec)
        if ".py" not in spec:
            raise UserError(
                f"no strategy {shown(spec)}{did_you_mean(spec, self.modules)}; valid: {', '.join(self.modules)}, "
                "or a file: path/to/mine.py:Mine"
            )
        path, _, name = spec.partition(":")
        strategy = self._strategy_in(load_file(Path(path)), path, name)
        return replace(strategy, spec=spec, text=Path(path).read_text(encoding="utf-8"))

    def _strategy_in(self, module: ModuleType, path: str, name: str) -> Strategy:
        """The class of that name in a loaded file, or the whole file."""
        classes = {n: value for n, value in vars(module).items() if inspect.isclass(value)}
        own = [n for n, value in classes.items() if value.__module__ == module.__name__]
        if not name:
            if own and not self.functions(module) and not hasattr(module, "params"):
                raise UserError(f"{path}: the strategy is a class in the file; valid: {path}:{own[-1]}")
            return self.make(module, name=Path(path).stem)
        if not hasattr(module, name):
            raise UserError(f"{path}: no strategy {shown(name)}{did_you_mean(name, own)}; "
                            f"valid: {', '.join(own) or 'none, the file defines no class'}")  # fmt: skip
        return self.make(getattr(module, name), name=name)

    def make(self, source: Any, name: str | None = None, built_in: bool = False) -> Strategy:
        """A strategy from a class or module (a notebook cell will do), compiled and ready to play.

        Parameters
        ----------
        source
            A class or module with functions named after the decisions, and optionally `params`.
        name
            What it is called in traces and tables; by default the name of the class or module.
        """
        name = name or getattr(source, "__name__", "strategy").rpartition(".")[2]
        functions = self.functions(source)
        self._check_functions(name, functions, source)
        strategy = Strategy(
            name=name,
            idea=inspect.cleandoc(source.__doc__ or "(no description)"),
            params=self._params(name, getattr(source, "params", {})),
            functions=functions,
            built_in=built_in,
            room=self.room,
            text="" if built_in else "\n".join(_sources(list(functions.values()), [])),
        )
        try:
            decide = self.compile_decide(strategy)
        except Exception as error:  # numba raises all sorts
            if built_in:
                raise
            raise UserError(self.complaint(strategy, error)) from error
        object.__setattr__(strategy, "decide", decide)
        return strategy

    def functions(self, source: Any) -> dict[str, Callable[..., Any]]:
        """The decisions that a class or module takes itself; core and imported functions are none of its own."""
        found = {}
        for name in self.names:
            function = getattr(source, name, None)
            if function is not None:
                found[name] = getattr(function, "py_func", function)
        return found

    def _check_functions(self, name: str, functions: Mapping[str, Callable[..., Any]], source: Any) -> None:
        """Functions with the wrong arguments, or with a name that is nearly a decision's, are told at once."""
        problems = []
        for key, function in functions.items():
            wanted = 2 if self.names[key].option is None else 3
            if not callable(function) or len(inspect.signature(function).parameters) != wanted:
                arguments = "table, seat" if wanted == 2 else f"table, seat, {self.names[key].option}"
                problems.append(f"strategy {name}: {key} must be a function of ({arguments})")
        own = vars(source) if inspect.isclass(source) else {}
        for key, value in own.items():
            if isinstance(value, FunctionType) and key not in self.names and not key.startswith("_"):
                problems.append(f"strategy {name}: no decision {shown(key)}{did_you_mean(key, self.names)}; "
                                f"valid: {', '.join(self.names)}")  # fmt: skip
        if problems:
            raise UserError(problems)

    def _params(self, name: str, own: Mapping[str, Any]) -> tuple[Param, ...]:
        """The core's parameters with the strategy's values, then the strategy's further ones: (value, meaning)."""
        core: tuple[Param, ...] = importlib.import_module(self.core).CORE_PARAMS
        known = {param.name for param in core}
        params = [Param(p.name, _number(name, p.name, own.get(p.name, p.value)), p.text) for p in core]
        for key, value in own.items():
            if key not in known:
                text = value[1] if isinstance(value, tuple) and len(value) == 2 else ""
                params.append(Param(key, _number(name, key, value), str(text)))
        if len(params) > self.room:
            raise UserError(f"strategy {name}: {len(params)} parameters; valid: at most {self.room}")
        return tuple(params)

    # --- compiling them ---
    def compile_decide(self, strategy: Strategy) -> Any:
        """`decide(table, seat, question, option)`: asks the strategy's own functions, then the core's."""
        text = self._decide_source(strategy)
        # numba's cache imports a function's module when it loads it: the text below needs to have one
        names: dict[str, Any] = {"__name__": self.module}
        names["core"] = None if _is_core(strategy) else self.core_decide
        done: dict[Any, Any] = {}
        names |= {name: jit(function, done) for name, function in strategy.functions.items()}
        file = self._source_file(strategy, text)
        exec(compile(text, str(file), "exec"), names)  # our own text, made of names of decisions only
        decide = names["decide"]
        # machine code is found by its function's name: one from disk must never be taken for another strategy's
        decide.__qualname__ = f"decide_{'built_in' if strategy.built_in else 'own'}_{strategy.name}"
        if PLAIN:
            return decide
        # a user's file may depend on anything: it is compiled anew, about a second
        return entry(decide, self.signature, keep=strategy.built_in)

    @cached_property
    def core_decide(self) -> Any:
        """The defaults of all decisions, compiled once for all strategies."""
        return self.make(importlib.import_module(self.core), name="core", built_in=True).decide

    def _decide_source(self, strategy: Strategy) -> str:
        lines = ["def decide(table, seat, question, option):"]
        for number, question in enumerate(self.questions):
            if question.name in strategy.functions:
                arguments = "table, seat" if question.option is None else "table, seat, option"
                lines += [f"    if question == {number}:"]
                lines += [f"        return float({question.name}({arguments}))"]
        last = "0.0" if _is_core(strategy) else "core(table, seat, question, option)"
        return "\n".join([*lines, f"    return {last}"]) + "\n"

    def _source_file(self, strategy: Strategy, text: str) -> Path:
        """Numba caches only what comes from a file, so the few lines of `decide` are put into one."""
        if PLAIN or not strategy.built_in:
            return Path(f"<strategy {strategy.name}>")
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        file = cache_folder(game_of(self.module)) / f"decide_{strategy.name}_{digest}.py"
        if not file.exists():
            file.write_text(text)
        return file


def _is_core(strategy: Strategy) -> bool:
    """The core itself; a user's strategy may have the same name."""
    return strategy.built_in and strategy.name == "core"


def does_not_compile(strategy: Strategy, error: Exception) -> str:
    """The compiler's complaint about a user's strategy in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"strategy {strategy.name} does not compile: {lines[0] if lines else type(error).__name__}"


def load_file(path: Path) -> ModuleType:
    """Import a file by its path; what goes wrong in it is told in one line."""
    spec = importlib.util.spec_from_file_location(f"_strategy_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise UserError(f"{path}: no such strategy file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a user's file may raise is the user's to know, in one line
        line = getattr(error, "lineno", None) or _line_in(error, path)
        raise UserError(f"{path}: line {line}: {type(error).__name__}: {error}") from error
    return module


def _line_in(error: BaseException, path: Path) -> int | str:
    file = str(path.absolute())
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    return lines[-1] or "?" if lines else "?"


def _sources(functions: list[Any], done: list[Any]) -> list[str]:
    """The text of functions, of the helpers they call, and the values of the plain constants they use."""
    found: list[str] = []
    for function in functions:
        if function in done:
            continue
        done.append(function)
        found.append(_source(function))
        for name in function.__code__.co_names:
            value: Any = function.__globals__.get(name)
            if is_dispatcher(value) and not is_ours(value):
                value = value.py_func
            if isinstance(value, FunctionType):
                found += _sources([value], done)
            elif isinstance(value, int | float | str | tuple):
                found.append(f"{name} = {value!r}")
    return found


def _source(function: Any) -> str:
    """The text of a function; where there is none (typed into a bare shell), its code as text."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = function.__code__
        return f"{code.co_name} {code.co_names} {code.co_consts} {code.co_code.hex()}"


def _number(name: str, key: str, value: Any) -> float:
    value = value[0] if isinstance(value, tuple) and value else value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UserError(
            f"strategy {name}: params[{key!r}] is {shown(value)}; valid: a number, or (number, meaning)"
        )
    return float(value)


def jit(function: Callable[..., Any], done: dict[Any, Any]) -> Any:
    """Compile a function and the helper functions of its file that it calls, each once (`done`)."""
    if PLAIN or function in done:
        return done.get(function, function)
    done[function] = function  # until it is compiled: functions that call each other do not go round for ever
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        helper: Any = scope.get(name)
        if is_dispatcher(helper) and not is_ours(helper):
            helper = helper.py_func
        if isinstance(helper, FunctionType) and helper is not function:
            scope[name] = jit(helper, done)
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    done[function] = rule(copy)
    return done[function]
