"""`xenobalance knockout`: what each card does."""

from __future__ import annotations

from typing import Any

import click

from sim.registry import OWN_WORDS
from xenobalance.cli.games import GameCommand
from xenobalance.cli.lab import lab_table, run_lab
from xenobalance.cli.run import NUMBER


def _options(game: str) -> list[click.Parameter]:
    """`--mode`, too, where it is no word of the game."""
    names = ["--how"] if "mode" in OWN_WORDS[game] else ["--mode", "--how"]
    text = "blank: it does nothing; remove: it is not in the game; scale: its amounts times --by."
    return [*lab_table(game), click.Option([*names, "how"], default="blank", show_default=True, help=text)]


@click.command(cls=GameCommand, options=_options)
@click.option("--by", type=float, help="For scale: above 1 a buff, below 1 a nerf.  [default: 1.5]")
@click.option(
    "--cards-of",
    help="projects, events, humans (their endgame cards), aliens; several with commas.  [default: all]",
)
@click.option("--only", multiple=True, help="A card by its name; repeatable.")
@click.option("--games", type=NUMBER, default=20_000, show_default=True, help="Of each card.")
@click.option(
    "--metric", "metrics", multiple=True,
    help="An outcome; the first ranks the cards; repeatable.  [default: who wins, and the length]",
)  # fmt: skip
@click.option(
    "--confirm",
    type=int,
    default=5,
    show_default=True,
    help="Cards of each outcome to play again on fresh luck.",
)
def knockout(
    how: str, by: float | None, cards_of: str | None, only: tuple[str, ...], games: int, metrics: tuple[str, ...],
    confirm: int, **options: Any,
) -> None:  # fmt: skip
    """What each card does: the same games without it, for every card in turn.

    The effect of each project, event and endgame card on the alien's chance, on the length and on who wins, ranked,
    and corrected for their number. Cause, not association: nothing but the card is different.
    """
    from analysis.lab.knockout import knockout as make

    sections = [name.strip() for name in (cards_of or "").split(",") if name.strip()]
    run_lab(make, options, how=how, by=by, cards_of=sections, only=list(only), games=games,
            metrics=list(metrics) or None, confirm=confirm)  # fmt: skip
