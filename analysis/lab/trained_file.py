"""A trained strategy as a Python file that `--strategies` takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any

from analysis.lab.trainee import CORE
from sim.errors import UserError
from sim.files import write_whole
from sim.registry import STRATEGIES

WIDTH = 100
MARK = "trained by `xenobalance train`"  # stands in every such file, and in no other


@dataclass(frozen=True)
class Source:
    """The text of a strategy file, what it is called, and the class in it, if it has one."""

    stem: str
    text: str
    chosen: str = ""

    def write(self, where: Path) -> str:
        """Write it: as a file of that name, or into that folder. What `--strategies` takes."""
        file = where / f"{self.stem}.py" if where.is_dir() else where
        check_writable(file)
        write_whole(file, self.text.encode())
        return f"{file}:{self.chosen}" if self.chosen else str(file)


def check_source(given: Any) -> None:
    """A strategy of a notebook has no file that could be written anew."""
    if not given.built_in and not given.spec:
        raise UserError(
            f"write: {given.name} is in no file; valid: without write, and the parameters in the result's facts"
        )


def check_writable(file: Path) -> None:
    """Only a file that training wrote is written over."""
    if file.suffix != ".py":
        raise UserError(f"{file}: a strategy is a Python file; valid: a name that ends in .py")
    if not file.parent.is_dir():
        raise UserError(f"{file}: there is no folder {file.parent}")
    if file.is_file() and MARK in file.read_text(encoding="utf-8", errors="replace"):
        return
    if file.exists():
        raise UserError(f"{file}: exists already, and is no trained strategy; valid: another name")


def source(given: Any, values: Mapping[str, float], role: str, told: str) -> Source | None:
    """A file with the strategy as trained; None for one that was written in a notebook and is in no file.

    Parameters
    ----------
    given
        The untrained strategy.
    values
        All parameters.
    told
        How it was trained and what it is worth: paragraphs.
    """
    stem = f"{re.sub(r'[^0-9a-z]+', '_', given.name.lower()).strip('_')}_{role}"
    stem = stem if stem.isidentifier() else f"trained_{stem}"
    words = _paragraphs(f"{given.name}, for the role '{role}', {MARK}.\n\n{told}\n\n{given.idea}")
    params = _params(given, values)
    if given.built_in:
        module = STRATEGIES["eti"][given.spec]
        text = f'"""{words}"""\n\nfrom {module} import *  # noqa: F403\n\nparams = {{\n{params}}}\n'
        return Source(stem, text)
    if not given.spec:
        return None
    chosen = given.spec.partition(":")[2]
    copy = given.text.rstrip("\n")
    if not chosen:  # the file itself is the strategy
        return Source(stem, f'{copy}\n\n\n__doc__ = """{words}"""\n\nparams = {{\n{params}}}\n')
    name = f"{chosen}{role.capitalize()}"
    inner = "".join(f"    {line}\n" if line else "\n" for line in (f'"""{words}"""').splitlines())
    body = "".join(f"    {line}\n" for line in f"params = {{\n{params}}}".splitlines())
    return Source(stem, f"{copy}\n\n\nclass {name}({chosen}):\n{inner}\n{body}", name)


def _paragraphs(text: str) -> str:
    """Wrapped, and safe between triple quotes; the closing ones on a line of their own."""
    plain = text.replace("\\", "\\\\").replace('"""', "'''")
    parts = [fill(" ".join(part.split()), WIDTH) for part in plain.split("\n\n") if part.strip()]
    return "\n\n".join(parts) + "\n"


def _params(given: Any, values: Mapping[str, float]) -> str:
    """A line for each parameter that is not as in the core, with what it was; own ones with their meaning."""
    core = {param.name: param.value for param in import_module(CORE).CORE_PARAMS}
    lines = []
    for param in given.params:
        value = values[param.name]
        if param.name in core and value == core[param.name]:
            continue
        told = f"{value!r}" if param.name in core else f"({value!r}, {param.text!r})"
        was = f"  # was {param.value!r}" if param.value != value else ""
        lines.append(f'    "{param.name}": {told},{was}\n')
    return "".join(lines)
