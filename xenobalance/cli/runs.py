"""`xenobalance runs`: what is in a run folder, and is it still what it was?"""

from __future__ import annotations

import json
import sys
from shlex import quote
from typing import Any

import click

DAMAGED = 2


@click.group()
def runs() -> None:
    """Show and verify run folders."""


@runs.command()
@click.argument("out")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def show(out: str, as_json: bool) -> None:
    """What a run holds: plan, versions, progress, and win rates by cell, with 95 % Wilson intervals."""
    from sim.folder import RunFolder
    from sim.locking import is_locked

    folder = RunFolder(out)
    receipts = folder.receipts()
    found = folder.counts(receipts)
    state = folder.manifest["state"]
    if state != "complete":
        state = "being played" if is_locked(out) else "unfinished"
    cells = rates(folder) if receipts else []
    facts = {
        "folder": out,
        "state": state,
        "planned": folder.manifest["planned"],
        "counts": found,
        "versions": folder.manifest["versions"],
        "code": folder.manifest["code"],
        "created": folder.manifest["created"],
        "plan": folder.plan.to_dict(),
        "cells": cells,
    }
    if as_json:
        click.echo(json.dumps(facts))
    else:
        print_run(folder, facts)


def rates(folder: Any) -> list[dict[str, Any]]:
    """How often the side that matters wins in each cell, and how long games last."""
    from xenobalance.results import cell_rates, load

    return [{**folder.manifest["cells"][row["cell"]], **row} for row in cell_rates(load(folder.path))]


def print_run(folder: Any, facts: dict[str, Any]) -> None:
    """The page for people."""
    from xenobalance.cli.run import size_text
    from xenobalance.cli.tables import console, table
    from xenobalance.games import words_of

    page, plan = console(), folder.plan
    teller = words_of(plan.game)
    found, planned = facts["counts"], facts["planned"]
    page.print(
        f"{folder.path}: {facts['state']}, {found['games']:,} of {planned['games']:,} games, "
        f"cells: {planned['cells']:,}, {size_text(found['bytes'])}\n"
        f"seed {plan.seed}, line-up {plan.line_up}, begun {facts['created']}, "
        + ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
        + f", rules {facts['code']}"
    )
    cells = folder.manifest["cells"]
    ruled = any(cell["changed_rules"] for cell in cells)
    carded, changed = len(plan.cards) > 1, plan.changes != ((),)
    columns = [">cell", ">players", *plan.own, "strategies", *["cards"] * carded, *["rules"] * ruled]
    columns += ["changes"] * changed
    columns += [f">{teller.LASTS}", f">{teller.WINS}", ">from", ">to", ">n"]
    view = table(f"{teller.OFTEN}, with 95 % Wilson intervals", columns)
    for row in facts["cells"]:
        cell = cells[row["cell"]]
        rules = ", ".join(f"{name}={value}" for name, value in cell["changed_rules"].items())
        names = ", ".join(dict.fromkeys(cell["strategies"]))
        view.add_row(
            str(row["cell"]), str(cell["players"]), *(cell[word] for word in plan.own), names,
            *[cell["cards"]] * carded, *[rules] * ruled, *[", ".join(cell.get("changes", [])) or "none"] * changed,
            f"{row[teller.LASTS]:.1f}", f"{row['rate']:.1%}", f"{row['low']:.1%}", f"{row['high']:.1%}",
            f"{row['n']:,}",
        )  # fmt: skip
    if facts["cells"]:
        page.print(view)
    if plan.line_up == "rotated":
        page.print("Games of a block share their luck: the true intervals are wider than these.")
    if facts["state"] == "unfinished":
        page.print(f"Go on with: xenobalance run {quote(str(folder.path))}")
    page.print("Most card values are assumed, not the published ones: see `xenobalance cards show`.")


@runs.command()
@click.argument("out")
@click.option("--sample", type=int, default=50, show_default=True, help="Games to play again and compare.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def verify(out: str, sample: int, as_json: bool) -> None:
    """Check hashes, counts and columns of all shards, and play a sample of games again."""
    from sim.errors import UserError
    from sim.folder import RunFolder
    from sim.verify import verify as look
    from xenobalance.cli.options import announce_compiling

    if sample < 0:
        raise UserError(f"a sample of {sample} games; valid: 0 or more")
    folder = RunFolder(out)
    announce_compiling(game=folder.plan.game)
    verdict = look(folder, sample)
    if as_json:
        click.echo(json.dumps({"folder": out, "ok": verdict.ok, **vars(verdict)}))
    else:
        for problem in verdict.problems:
            click.echo(f"xenobalance: {out}: {problem}", err=True)
        if verdict.note:
            click.echo(f"{out}: {verdict.note}")
        rest = f"; {verdict.missing:,} chunks are still to be played" if verdict.missing else ""
        click.echo(
            f"{out}: {verdict.chunks:,} chunks with {verdict.games:,} games looked at, {verdict.replayed} games "
            f"played again: {'all as it was' if verdict.ok else f'{len(verdict.problems)} problems'}{rest}."
        )
    if not verdict.ok:
        if verdict.damaged and not as_json:
            click.echo(f"Play what is damaged again: xenobalance run {out} --repair", err=True)
        sys.exit(DAMAGED)
