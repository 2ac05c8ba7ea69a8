"""`xenobalance knockout`: what each card does."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.lab import lab_options, run_lab
from xenobalance.cli.run import NUMBER


@click.command()
@click.option(
    "--mode", default="blank", show_default=True,
    help="blank: it does nothing; remove: it is not in the game; scale: its amounts times --by.",
)  # fmt: skip
@click.option("--by", type=float, help="For scale: above 1 a buff, below 1 a nerf.  [default: 1.5]")
@click.option(
    "--cards-of",
    help="projects, events, humans (their endgame cards), aliens; several with commas.  [default: all]",
)
@click.option("--only", multiple=True, help="A card by its name; repeatable.")
@click.option("--games", type=NUMBER, default=20_000, show_default=True, help="Of each card.")
@click.option(
    "--metric", "metrics", multiple=True,
    help="An outcome; the first ranks the cards; repeatable.  [default: alien_win, rounds]",
)  # fmt: skip
@click.option(
    "--confirm",
    type=int,
    default=5,
    show_default=True,
    help="Cards of each outcome to play again on fresh luck.",
)
@lab_options
def knockout(
    mode: str, by: float | None, cards_of: str | None, only: tuple[str, ...], games: int, metrics: tuple[str, ...],
    confirm: int, **options: Any,
) -> None:  # fmt: skip
    """What each card does: the same games without it, for every card in turn.

    The effect of each project, event and endgame card on the alien's chance, on the length and on who wins, ranked,
    and corrected for their number. Cause, not association: nothing but the card is different.
    """
    from analysis.lab.knockout import USUAL
    from analysis.lab.knockout import knockout as make

    sections = [name.strip() for name in (cards_of or "").split(",") if name.strip()]
    run_lab(make, options, mode=mode, by=by, cards_of=sections, only=list(only), games=games,
            metrics=list(metrics or USUAL), confirm=confirm)  # fmt: skip
