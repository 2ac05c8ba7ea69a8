"""Commands for more than one game: `--game`, and the options of each game's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from sim.errors import UserError, did_you_mean
from sim.registry import ABOUT, GAMES, OWN_WORDS, part

GAME = next(iter(GAMES))  # when nothing is said
_HERE = "xenobalance.game"  # in a command's notes
_OPTIONS = "xenobalance.options"


def game_option(**more: Any) -> Any:
    """`--game`, for commands whose other options are the same in every game."""
    return click.option(
        "--game", default=GAME, show_default=True, callback=_known, help=game_help(), **more
    )  # fmt: skip


def game_help() -> str:
    """What `--game` says."""
    return f"Which game: {' or '.join(GAMES)}."


def _known(ctx: click.Context | None, option: click.Parameter | None, game: str) -> str:
    return check_game(game)


def check_game(game: str) -> str:
    """The name of a game there is."""
    if game not in GAMES:
        raise UserError(f"no game '{game}'{did_you_mean(game, GAMES)}; valid: {', '.join(GAMES)}")
    return game


def needed(game: str, name: str, what: str, instead: str = "") -> Any:
    """A module of a game; where it has none, `what` is not for this game."""
    found = part(game, name)
    if found is None:
        others = [one for one in GAMES if one != game and part(one, name)]
        ways = [instead] * bool(instead) + [f"--game {one}" for one in others]
        raise UserError(f"{ABOUT[game].title} has no {what} so far; valid: {', or '.join(ways)}")
    return found


class GameCommand(click.Command):
    """A command whose options depend on the game: `options` makes those of a game, before the command's own."""

    def __init__(self, *args: Any, options: Callable[[str], list[click.Parameter]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.options = options

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_HERE] = check_game(self.game_of(args))
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            owners = _owners(error.option_name, ctx.meta[_HERE])
            if not owners:
                raise
            raise click.UsageError(
                f"{error.option_name} is a word of another game; valid: with --game {' or '.join(owners)}",
                ctx,
            ) from None

    def game_of(self, args: list[str]) -> str:
        """The game that the arguments name."""
        return value_of("--game", args) or GAME

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if _OPTIONS not in ctx.meta:
            ctx.meta[_OPTIONS] = self.options(ctx.meta.get(_HERE, GAME))
        return [*ctx.meta[_OPTIONS], *super().get_params(ctx)]


def game_here() -> str:
    """The game of the command that is being carried out."""
    return str(click.get_current_context().meta[_HERE])


def value_of(option: str, args: list[str]) -> str:
    """What an option is given, the last time; empty if it is not there."""
    found = ""
    for k, text in enumerate(args):
        if text == option and k + 1 < len(args):
            found = args[k + 1]
        elif text.startswith(f"{option}="):
            found = text.partition("=")[2]
    return found


def _owners(option: str, game: str) -> list[str]:
    """Other games of which an option is a word."""
    word = option.lstrip("-").replace("-", "_")
    return [other for other, words in OWN_WORDS.items() if other != game and word in words]


def players_help(game: str) -> str:
    """How many may play."""
    return f"{ABOUT[game].players}; default: as many as strategies, or 4."
