"""`xenobalance score`: what a queue of research cards is worth."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from sim.errors import UserError


@click.command()
@click.argument("queue", required=False)
@click.option("--swaps", type=int, default=0, show_default=True, help="Adjacent swaps allowed (creativity).")
@click.option("--immune", default="", help="Threats the company is immune to, separated by commas.")
@click.option("--file", "source", default=None, help="Many queues, one a line; - reads standard input.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a queue.")
def score(queue: str | None, swaps: int, immune: str, source: str | None, as_json: bool) -> None:
    """Total, best order and what is destroyed, e.g. score "arson 50 20 x0 30 spy" --swaps 1."""
    if (queue is None) == (source is None):
        raise UserError('give one queue ("arson 50 20 x0") or --file FILE (- for standard input)')
    if not 0 <= swaps <= 10:
        raise UserError(f"--swaps {swaps}; valid: 0 to 10")
    threats = [word.strip() for word in immune.replace(" ", ",").split(",") if word.strip()]
    for number, text in enumerate([queue] if queue is not None else _lines(str(source)), 1):
        where = "queue" if source is None else f"{source}, line {number}"
        if text is not None and text.strip():
            _tell(_score(text, swaps, threats, where), as_json)


def _lines(source: str) -> list[str]:
    if source == "-":
        return sys.stdin.read().splitlines()
    try:
        return Path(source).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{source}: cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8 text'}"
        ) from None


def _score(text: str, swaps: int, immune: list[str], where: str) -> dict[str, Any]:
    from sim.games.eti.score import score_queue

    return score_queue(text.replace(",", " ").split(), swaps, immune, where)


def _tell(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result))
        return
    click.echo(f"queue  {' '.join(result['queue'])}")
    if result["order"] != result["queue"]:
        click.echo(f"order  {' '.join(result['order'])}")
    for loss in result["destroyed"]:
        click.echo(
            f"       {loss['threat']} at port {loss['threat_port']} destroys {loss['card']} at port {loss['port']}"
        )
    click.echo(f"total  {result['total']}")
