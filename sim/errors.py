"""The one exception for mistakes of the person at the keyboard.

A wrong card file, an unknown option or a missing folder is no bug: the command line prints the lines
of a `UserError` as they are, without a traceback, and ends with exit code 2. Every other exception is
a bug and keeps its traceback.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Something the user can put right; `lines` says what, one problem a line."""

    def __init__(self, lines: str | Iterable[str]) -> None:
        self.lines: list[str] = [lines] if isinstance(lines, str) else list(lines)
        super().__init__(self.lines)  # one argument, so that it survives the way back from a worker process

    def __str__(self) -> str:
        return "\n".join(self.lines)


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """' (did you mean 'draw'?)' when one of the choices is close to the word, else ''."""
    near = get_close_matches(word.lower(), list(choices), n=1)
    return f" (did you mean '{near[0]}'?)" if near else ""


def shown(value: object, longest: int = 40) -> str:
    """A value as it stands in a message: TOML's true and false, texts in quotes, and never a screenful."""
    if isinstance(value, bool):
        return "true" if value else "false"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # numbers of thousands of digits, tables of thousands of tables
        text = "a value without end"
    return text if len(text) <= longest else text[: longest - 1] + "…"
