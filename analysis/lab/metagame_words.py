"""Metagame: what was found, in sentences with their intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.blocks import FEW
from analysis.comparisons import signed
from analysis.lab import equilibrium as eq
from analysis.lab.metagame_tables import REDRAWN, SURE, Told
from analysis.lab.standing import NEGLIGIBLE, OPEN, SOME

LIKELY = 0.5  # share of the redrawn payoffs in which it is so
ALL = 0.99  # share: as good as everybody


def season_facts(told: Told) -> dict[str, Any]:
    """The figures of one number of players that stand in no table."""
    value = np.array([one.value for one in told.now.all_roles])
    low, high = eq.middle_of(value[:, None])
    pairs = told.season.looks
    return {
        "value": told.now.roles.value, "value_low": float(low[0]), "value_high": float(high[0]), **effort(told),
        "looks": len(pairs), "open": sum(state == OPEN for state in told.season.state.values()),
        "settled": bool(told.season.rounds) and told.season.is_settled(),
    }  # fmt: skip


def effort(told: Told) -> dict[str, int]:
    """Games of matchups, and what they would have been with as many for each pair as the one with most got."""
    scores, count = told.season.scores, len(told.names)
    mixed = [games for table, games in scores.games.items() if len(set(table)) > 1]
    return {"matchup_games": sum(mixed), "equal_games": max(mixed, default=0) * count * (count - 1)}


def warnings(told: Told) -> list[str]:
    """What a reader must know first."""
    found = []
    blocks = min(int(told.views[name].blocks.min()) for name in told.views)
    if blocks < FEW:
        found.append(f"Too few blocks to say much: {blocks}. From {FEW} on there are figures.")
    if not all(one.exact for one in told.now.equilibria):
        found.append(
            "No exact Nash equilibrium was found among the smaller supports: shares are of long fictitious play."
        )
    return found


def findings(told: Told, several: bool) -> list[dict[str, Any]]:
    """Sentences with their evidence; `several`: say for how many players."""
    start = f"With {told.players} players: " if several else ""
    some = [*_ranking(told), *_field(told), *_circles(told), *_dominated(told), *_roles(told), *_effort(told)]
    return [{**one, "text": start + one["text"]} for one in some]


def _finding(text: str, evidence: str, weight: float, n: int, method: str) -> dict[str, Any]:
    return {"text": text, "evidence": f"metagame-{evidence}", "weight": weight, "n": n, "method": method}


def _shares(value: float, low: float, high: float) -> str:
    """'62 % (95 %: 55 to 70)'; 'all' if it is."""
    return f"{value * 100:.0f} % (95 %: {low * 100:.0f} to {high * 100:.0f})"


def _ranking(told: Told) -> Iterator[dict[str, Any]]:
    """Who is played in the long run."""
    rows = list(told.ranking())
    n = sum(told.season.scores.games.values())
    method = f"alpha-rank and Nash by {REDRAWN}"
    top = rows[0]
    if top["alpha_low"] > ALL and top["nash_low"] > ALL:
        text = (
            f"{top['strategy']} takes over: whatever is played, going over to what does better ends there, and "
            "nobody gains by leaving it (alpha-rank and Nash share 100 % in at least 95 of 100 redrawn payoffs)."
        )
        yield _finding(text, "ranking", 0.5, n, method)
        return
    for name, words in (
        ("alpha", "In the long run (alpha-rank) are played"),
        ("nash", "The Nash mixture of the matchups is"),
    ):
        some = sorted((row for row in rows if row[name] > SOME), key=lambda row: -float(row[name]))
        listed = ", ".join(
            f"{row['strategy']} {_shares(*(row[name + end] for end in ('', '_low', '_high')))}"
            for row in some
        )
        yield _finding(f"{words} {listed}.", "ranking", 0.5 if name == "alpha" else 0.45, n, method)


def _gain(row: dict[str, Any], of: str = "") -> str:
    """'+0.4 points (95 %: 0.0 to +0.9)', for all strategies and rounds together."""
    value, low, high = (signed(row[name]) for name in (f"{of}gain", f"{of}low", f"{of}high"))
    return f"{value} points (95 %: {low} to {high})"


def _field(told: Told) -> Iterator[dict[str, Any]]:
    """How far the field that was played can be exploited."""
    rows = list(told.rounds())
    if not rows:
        return
    last = rows[-1]
    text = f"At full tables, a field of {last['field']} "
    if last["high"] == 0:
        text += "cannot be exploited: whoever plays something else loses."
    elif told.season.is_settled():
        gains = f"the best answer gains {_gain(last)} of win rate, less than {NEGLIGIBLE * 100:.0f} point"
        text += f"cannot be exploited so that anybody would notice: {gains}."
    else:
        text += (
            f"is not shown to hold: its best answer gains {_gain(last)} of win rate, more games would tell."
        )
    if last["outsider"]:
        text += f" Of those it leaves out {last['outsider']} does best: {_gain(last, 'outsider_')}."
    if rows[0]["field"] != last["field"] and rows[0]["low"] > 0:
        first = f"{rows[0]['field']}, could be exploited: {rows[0]['best']} gained {_gain(rows[0])}"
        text += f" The mixture of the matchups, {first}."
    yield _finding(text, "rounds", 0.4, last["n"], last["method"])


def _circles(told: Told) -> Iterator[dict[str, Any]]:
    """Whether best answers go round in circles."""
    n = sum(told.season.scores.games.values())
    for row in told.cycles():
        if row["kind"] == "best answers" and row["length"] > 1 and row["sure"] > LIKELY:
            often = f"so in {row['sure'] * 100:.0f} % of {REDRAWN}"
            seem = "go" if row["sure"] >= SURE else "seem to go"
            text = f"Best answers {seem} round in a circle: {row['cycle']} ({often})."
            yield _finding(text, "cycles", 0.3, n, REDRAWN)


def _dominated(told: Told) -> Iterator[dict[str, Any]]:
    """Strategies that nobody has a reason to play."""
    clear = [row for row in told.dominated() if row["sure"] >= SURE]
    if not clear:
        return
    n = sum(told.season.scores.games.values())
    by: dict[str, list[str]] = {}
    for row in clear:
        by.setdefault(row["by"], []).append(row["strategy"])
    listed = "; ".join(f"{' and '.join(_comma(names))} by {who}" for who, names in by.items())
    words = "strategy is" if len(clear) == 1 else "strategies are"
    text = (
        f"{len(clear)} of {len(told.names)} {words} dominated, worse than another choice among players of any one "
        f"strategy: {listed} (so in at least {SURE * 100:.0f} % of {REDRAWN} each)."
    )
    yield _finding(text, "dominated", 0.2, n, REDRAWN)


def _comma(names: list[str]) -> list[str]:
    return names if len(names) < 3 else [", ".join(names[:-1]), names[-1]]


def _roles(told: Told) -> Iterator[dict[str, Any]]:
    """The alien against a table of humans that play alike."""
    facts, game = season_facts(told), told.now.roles
    n = int(told.views["alien"].n.sum())
    ends = f"{facts['value_low'] * 100:.1f} to {facts['value_high'] * 100:.1f}"
    wins = f"the alien wins {game.value * 100:.1f} % (95 %: {ends})"
    text = (
        "Alien against humans: if the alien and the humans as one side each choose the best, the alien plays "
        f"{told.mixture(game.rows)}, the humans {told.mixture(game.columns)}, and {wins}."
    )
    yield _finding(text, "roles", 0.25, n, f"linear programming, {REDRAWN}")


def _effort(told: Told) -> Iterator[dict[str, Any]]:
    """What was saved by looking where it matters."""
    facts = season_facts(told)
    saved = facts["equal_games"] - facts["matchup_games"]
    if saved <= 0:
        return
    text = (
        f"Matchups took {facts['matchup_games']:,} games; {facts['equal_games']:,} would be needed to give every "
        f"pair as many as the least clear one got, so {saved / facts['equal_games'] * 100:.0f} % were saved."
    )
    yield _finding(text, "effort", 0.01, facts["matchup_games"], "counted")
