"""The options that all commands that play have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Players, length, alien, strategies, cards and rules."""
    for option in reversed(
        [
            click.option(
                "--players", type=int, default=None, help="3 to 6; default: as many as strategies, or 4."
            ),
            click.option("--length", default="standard", show_default=True, help="short, standard or epic."),
            click.option(
                "--alien", default=None, help="Alien card, e.g. raiding-party; default: drawn in secret."
            ),
            click.option(
                "--strategies", default=None, help="One name, or one for each seat, separated by commas."
            ),
            click.option(
                "--strategy", "more", multiple=True, help="A strategy file path/to/mine.py:Mine; repeatable."
            ),
            click.option(
                "--cards", "card_file", default=None, help="A card file; default: the reference set."
            ),
            click.option(
                "--rule", "rules", multiple=True, help="A rule option, e.g. public_fame=5; repeatable."
            ),
            click.option(
                "--change", "changes", multiple=True, help="A change, e.g. 'blank Decoy Beacon'; repeatable."
            ),
            click.option("--seed", type=int, default=1, show_default=True, help="The seed of all luck."),
        ]
    ):
        command = option(command)
    return command


def setting_from(
    default: str,
    players: int | None,
    length: str,
    alien: str | None,
    strategies: str | None,
    more: tuple[str, ...],
    card_file: str | None,
    rules: tuple[str, ...],
    changes: tuple[str, ...] = (),
) -> Any:
    """The setting that the options describe. Files given with --strategy take the seats after the named ones."""
    from sim.games.eti.options import parse_rule
    from sim.games.eti.play import make_setting

    names = [name.strip() for name in strategies.split(",") if name.strip()] if strategies else []
    names += list(more)
    if not names:
        names = default.split(",")
        names = [names[k % len(names)] for k in range(players or 4)]
    elif more and players and len(names) < players:
        names = [names[k % len(names)] for k in range(players)]
    overrides = dict(parse_rule(rule) for rule in rules)
    announce_compiling()
    setting = make_setting(names, players, length, alien, card_file, overrides)
    return changed(setting, changes) if changes else setting


def changed(setting: Any, texts: tuple[str, ...]) -> Any:
    """The setting with changes in words; the files they name are loaded."""
    from sim.games.eti.cards import load_cards
    from sim.games.eti.changes import apply_changes, named_in, split_changes
    from sim.games.eti.strategy import load_strategy

    listed = [change for text in texts for change in split_changes(text)]
    files, strategies = named_in(listed)
    known = {strategy.name: strategy for strategy in setting.strategies}
    known |= {name: load_strategy(name) for name in strategies if name not in known}
    return apply_changes(setting, listed, {file: load_cards(file) for file in files}, known)


def announce_compiling(quiet: bool = False) -> None:
    """The very first start takes some seconds: say why. Compiling counts neither as playing nor as hanging."""
    from sim.compile import PLAIN, is_compiled
    from sim.games.eti.engine import kernel

    if not quiet and not PLAIN and not is_compiled("play_games", "eti"):
        click.echo("Compiling the rules, once for this version: about 20 seconds …", err=True)
    kernel()
