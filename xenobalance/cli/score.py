"""`xenobalance score`: what a queue of research cards is worth."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from sim.errors import UserError
from xenobalance.cli.games import game_option, needed


@click.command()
@click.argument("queue", required=False)
@click.option("--swaps", type=int, default=0, show_default=True, help="Adjacent swaps allowed (creativity).")
@click.option("--immune", default="", help="Threats the company is immune to, separated by commas.")
@click.option("--file", "source", default=None, help="Many queues, one a line; - reads standard input.")
@game_option()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a queue.")
def score(queue: str | None, swaps: int, immune: str, source: str | None, game: str, as_json: bool) -> None:
    """Total, best order and what is destroyed, e.g. score "arson 50 20 x0 30 spy" --swaps 1.

    A single - in the place of the queue reads many of them from standard input, one a line; empty lines
    and lines that begin with # are passed over.
    """
    needed(game, "score", "queues of research cards")
    if queue == "-" and source is None:
        queue, source = None, "-"
    if (queue is None) == (source is None):
        raise UserError('give one queue ("arson 50 20 x0"), or --file FILE, or - for standard input')
    if not 0 <= swaps <= 10:
        raise UserError(f"--swaps {swaps}; valid: 0 to 10")
    queues = {"queue": str(queue)} if source is None else _queues(source)
    for result in _scores(queues, swaps, immune.replace(",", " ").split()):
        _tell(result, as_json)


def _queues(source: str) -> dict[str, str]:
    """Where each queue stands, and the queue."""
    name = "standard input" if source == "-" else source
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise UserError(f"{name}: cannot be read: {reason}") from None
    lines = enumerate(text.splitlines(), 1)
    return {f"{name}, line {n}": line for n, line in lines if line.strip() and not line.startswith("#")}


def _scores(queues: dict[str, str], swaps: int, immune: list[str]) -> list[dict[str, Any]]:
    """All of them, or every problem in one go."""
    from sim.games.eti.score import score_queue

    results, problems = [], []
    for where, text in queues.items():
        try:
            results.append(score_queue(text.replace(",", " ").split(), swaps, immune, where))
        except UserError as error:
            problems += [line for line in error.lines if line not in problems]
    if problems:
        raise UserError(problems)
    return results


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
