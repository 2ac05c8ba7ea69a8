"""The options that all commands that play have in common."""

from __future__ import annotations

from typing import Any

import click

from sim.registry import ABOUT, DEFAULT_STRATEGIES, OWN_WORDS, part
from xenobalance.cli.games import GAME, check_game, game_help, players_help


def table_options(game: str) -> list[click.Parameter]:
    """Game, players, the game's own words, strategies, cards and rules."""
    about = ABOUT[game]
    return [
        click.Option(["--game"], default=GAME, show_default=True, help=game_help()),
        click.Option(["--players"], type=int, default=None, help=players_help(game)),
        *own_options(game),
        click.Option(
            ["--strategies"], default=None, help="One name, or one for each seat, separated by commas."
        ),
        click.Option(
            ["--strategy", "more"], multiple=True, help="A strategy file path/to/mine.py:Mine; repeatable."
        ),
        click.Option(["--cards", "card_file"], default=None, help="A card file; default: the reference set."),
        click.Option(
            ["--rule", "rules"], multiple=True, help=f"A rule option, e.g. {about.rule}; repeatable."
        ),
        click.Option(
            ["--change", "changes"], multiple=True, help=f"A change, e.g. {about.change}; repeatable."
        ),
        click.Option(["--seed"], type=int, default=1, show_default=True, help="The seed of all luck."),
    ]


def own_options(game: str) -> list[click.Parameter]:
    """The game's own words."""
    return [
        click.Option([f"--{name}"], default=word.default, show_default=True, help=f"{_sentence(word.text)}.")
        for name, word in OWN_WORDS[game].items()
    ]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if not text.startswith("short") else text


def setting_from(
    game: str,
    players: int | None,
    strategies: str | None,
    more: tuple[str, ...],
    card_file: str | None,
    rules: tuple[str, ...],
    changes: tuple[str, ...] = (),
    **own: str,
) -> Any:
    """The setting that the options describe. Files given with --strategy take the seats after the named ones.

    `own`: the game's own words.
    """
    names = [name.strip() for name in strategies.split(",") if name.strip()] if strategies else []
    names += list(more)
    if not names:
        names = list(DEFAULT_STRATEGIES[game])
        names = [names[k % len(names)] for k in range(players or 4)]
    elif more and players and len(names) < players:
        names = [names[k % len(names)] for k in range(players)]
    parse_rule = part(game, "options").parse_rule
    overrides = dict(parse_rule(rule) for rule in rules)
    announce_compiling(game=game)
    setting = part(game, "play").make_setting(names, players, **own, cards=card_file, rules=overrides)
    return changed(game, setting, changes) if changes else setting


def changed(game: str, setting: Any, texts: tuple[str, ...]) -> Any:
    """The setting with changes in words; the files they name are loaded."""
    study = part(game, "study")
    listed = [change for text in texts for change in study.split_changes(text)]
    files, strategies = study.named_in(listed)
    known = {strategy.name: strategy for strategy in setting.strategies}
    known |= {name: study.load_strategy(name) for name in strategies if name not in known}
    return study.apply_changes(setting, listed, {file: study.load_cards(file) for file in files}, known)


def announce_compiling(quiet: bool = False, game: str = GAME) -> None:
    """The very first start takes some seconds: say why. Compiling counts neither as playing nor as hanging."""
    from sim.compile import PLAIN, game_of, is_compiled
    from sim.registry import GAMES

    if not quiet and not PLAIN and not is_compiled("play_games", game_of(GAMES[check_game(game)])):
        click.echo("Compiling the rules, once for this version: about 20 seconds …", err=True)
    part(game, "study").make_ready()
