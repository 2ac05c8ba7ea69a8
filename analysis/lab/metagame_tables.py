"""Metagame: what was found, as tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, MEAN_BLOCKS, TOO_FEW, Estimates
from analysis.lab import equilibrium as eq
from analysis.lab.equilibrium import Numbers
from analysis.lab.scores import ALIEN, BOTH, HUMAN, pair
from analysis.lab.stages import Result
from analysis.lab.standing import SOME, Standing, sure

if TYPE_CHECKING:
    from analysis.lab.metagame import Round, Season

REDRAWN = "redrawn payoffs"
SURE = 0.95  # share of them in which it is so
TEXT, WHOLE, NUMBER, YES = pl.String, pl.Int64, pl.Float64, pl.Boolean
_INTERVAL = {"value": NUMBER, "low": NUMBER, "high": NUMBER}
#: name -> columns after `players`
COLUMNS: dict[str, dict[str, Any]] = {
    "ranking": {
        "strategy": TEXT, "alpha": NUMBER, "alpha_low": NUMBER, "alpha_high": NUMBER, "nash": NUMBER,
        "nash_low": NUMBER, "nash_high": NUMBER, "field": NUMBER, "gain": NUMBER, "gain_low": NUMBER,
        "gain_high": NUMBER, "average": NUMBER, "average_low": NUMBER, "average_high": NUMBER, "beaten_by": TEXT,
        "n": WHOLE, "rows": WHOLE, "method": TEXT, "note": TEXT,
    },
    "matchups": {
        "view": TEXT, "strategy": TEXT, "against": TEXT, **_INTERVAL, "state": TEXT, "n": WHOLE, "rows": WHOLE,
        "method": TEXT, "note": TEXT,
    },
    "dominated": {"strategy": TEXT, "by": TEXT, "margin": NUMBER, "round": WHOLE, "sure": NUMBER},
    "best": {"view": TEXT, "against": TEXT, "best": TEXT, **_INTERVAL, "sure": NUMBER, "n": WHOLE, "note": TEXT},
    "cycles": {"kind": TEXT, "cycle": TEXT, "length": WHOLE, "sure": NUMBER},
    "equilibria": {"field": TEXT, "stable": YES, "chosen": YES, "exact": YES},
    "rounds": {
        "round": WHOLE, "field": TEXT, "best": TEXT, "gain": NUMBER, "low": NUMBER, "high": NUMBER, "outsider": TEXT,
        "outsider_gain": NUMBER, "outsider_low": NUMBER, "outsider_high": NUMBER, "n": WHOLE, "method": TEXT,
    },
    "roles": {
        "strategy": TEXT, "alien": NUMBER, "alien_low": NUMBER, "alien_high": NUMBER, "human": NUMBER,
        "human_low": NUMBER, "human_high": NUMBER, "alpha_alien": NUMBER, "alpha_human": NUMBER,
    },
    "effort": {"look": TEXT, "pairs": WHOLE, "games": WHOLE},
}  # fmt: skip


class Told:
    """One number of players: its tables, row by row."""

    def __init__(self, season: Season, now: Standing) -> None:
        self.season, self.now = season, now
        self.names, self.players = season.names, season.players
        self.views = {
            BOTH: season.scores.estimates(),
            **{role: season.scores.estimates(role, share=True) for role in (ALIEN, HUMAN)},
        }

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table."""
        return [{"players": self.players, **row} for row in getattr(self, table)()]

    @property
    def last(self) -> Round | None:
        """The field as it was played at last."""
        return self.season.rounds[-1] if self.season.rounds else None

    def mixture(self, shares: Numbers) -> str:
        """'fortress 70 %, gambler 30 %'; 'fortress' alone."""
        some = [k for k in np.argsort(-shares, kind="stable") if shares[k] > SOME]
        if len(some) == 1:
            return self.names[int(some[0])]
        return ", ".join(f"{self.names[int(k)]} {shares[k] * 100:.0f} %" for k in some)

    def place(self, one: int, other: int) -> int | None:
        """Where the estimates have this pair."""
        return self.season.scores.seats.get((pair(one, other, self.players), one))

    # --- tables ---
    def ranking(self) -> Iterator[dict[str, Any]]:
        """Every strategy, the most played first."""
        now = self.now
        ends = [eq.middle_of(draws) for draws in (now.alphas, now.nashes)]
        gone = {one["strategy"]: one["by"] for one in self.dominated() if one["sure"] >= SURE}
        average = now.excess.mean(axis=1)
        order = np.lexsort((-average, -now.nash.shares.round(6), -now.alpha.round(6)))
        for k in (int(place) for place in order):
            own = self._average(k)
            yield {
                "strategy": self.names[k], "alpha": float(now.alpha[k]), "alpha_low": float(ends[0][0][k]),
                "alpha_high": float(ends[0][1][k]), "nash": float(now.nash.shares[k]),
                "nash_low": float(ends[1][0][k]), "nash_high": float(ends[1][1][k]), **self._gain(k), **own,
                "beaten_by": gone.get(self.names[k], ""), "method": REDRAWN,
            }  # fmt: skip

    def _average(self, k: int) -> dict[str, Any]:
        """What a strategy gets if everybody else at the table plays one of all, each as often; 1 is fair."""
        found = self.views[BOTH]
        places = [
            place
            for other in range(len(self.names))
            if other != k and (place := self.place(k, other)) is not None
        ]
        weights = np.zeros(len(found))
        weights[places] = 1 / len(self.names)
        mean = found.contrast(weights)
        few = mean.blocks < FEW
        ends = (None, None, None) if few else (1 + mean.value, 1 + mean.low, 1 + mean.high)
        return {
            **dict(zip(("average", "average_low", "average_high"), ends, strict=True)), "rows": mean.blocks,
            "n": int(sum(found.n[places])), "note": TOO_FEW if few else "",
        }  # fmt: skip

    def _gain(self, k: int) -> dict[str, Any]:
        """What it gains against the field, as a share of games."""
        last = self.last
        if last is None:
            return {"field": None, "gain": None, "gain_low": None, "gain_high": None}
        value, half = last.gains[k].value / self.players, float(last.half[k]) / self.players
        return {
            "field": float(last.shares[k]),
            "gain": value,
            "gain_low": value - half,
            "gain_high": value + half,
        }

    def matchups(self) -> Iterator[dict[str, Any]]:
        """Every pair in every view."""
        for view, found in self.views.items():
            for one in range(len(self.names)):
                for other in range(len(self.names)):
                    place = self.place(one, other)
                    if place is not None and (view != BOTH or one != other):
                        yield {
                            "view": view, "strategy": self.names[one], "against": self.names[other],
                            "state": self.season.state.get((one, other), "") if view == BOTH else "",
                            **_figure(found, place, 1.0 if view == BOTH else 0.0),
                        }  # fmt: skip

    def dominated(self) -> Iterator[dict[str, Any]]:
        """Strategies that others beat against everybody, round by round."""
        found = eq.eliminated(self.now.excess)
        for one in found:
            left = [
                k
                for k in range(len(self.names))
                if not any(g.strategy == k and g.round < one.round for g in found)
            ]
            over = np.einsum("a,dat->dt", one.by, self.now.redrawn) - self.now.redrawn[:, one.strategy]
            yield {
                "strategy": self.names[one.strategy], "by": self.mixture(one.by), "margin": one.margin / self.players,
                "round": one.round, "sure": float((over[:, left] > 0).all(axis=1).mean()),
            }  # fmt: skip

    def best(self) -> Iterator[dict[str, Any]]:
        """The best answer to each strategy, in all and by role."""
        for view, found in self.views.items():
            values, draws = self._matrix(view)
            of_draws = np.argmax(draws, axis=1)
            for other in range(len(self.names)):
                best = int(np.argmax(values[:, other]))
                place = self.place(best, other)
                if place is None:
                    continue
                figure = _figure(found, place, 1.0 if view == BOTH else 0.0)
                yield {
                    "view": view, "against": self.names[other], "best": self.names[best],
                    "sure": float((of_draws[:, other] == best).mean()),
                    **{key: figure[key] for key in ("value", "low", "high", "n", "note")},
                }  # fmt: skip

    def _matrix(self, view: str) -> tuple[Numbers, Numbers]:
        if view == BOTH:
            return self.now.excess, self.now.redrawn
        return (self.now.alien, self.now.aliens) if view == ALIEN else (self.now.human, self.now.humans)

    def cycles(self) -> Iterator[dict[str, Any]]:
        """Where best answers lead round in a circle, and sets that better answers do not leave."""
        now = self.now
        for kind, solve in (("best answers", eq.best_response_cycles), ("better answers", eq.recurrent_sets)):
            in_draws = [solve(one) for one in now.redrawn]
            for one in solve(now.excess):
                listed = [self.names[k] for k in one]
                arrows = (
                    " → ".join([*listed, listed[0]])
                    if kind == "best answers" and len(one) > 1
                    else ", ".join(listed)
                )
                share = sure([one in some for some in in_draws], True)
                yield {"kind": kind, "cycle": arrows, "length": len(one), "sure": share}

    def equilibria(self) -> Iterator[dict[str, Any]]:
        """All equilibria of the matchups, the chosen one first."""
        for one in sorted(self.now.equilibria, key=lambda one: one is not self.now.nash):
            yield {
                "field": self.mixture(one.shares), "stable": one.stable, "chosen": one is self.now.nash,
                "exact": one.exact,
            }  # fmt: skip

    def rounds(self) -> Iterator[dict[str, Any]]:
        """Every field that was played, and what the best answer to it gains."""
        for number, one in enumerate(self.season.rounds, 1):
            value, low, high = (end / self.players for end in one.exploitability)
            best = self.names[int(np.argmax([gain.value for gain in one.gains]))]
            yield {
                "round": number, "field": self.mixture(one.shares), "best": best if value > 0 else "nobody",
                "gain": value, "low": low, "high": high, **self._outsider(one), "n": one.games,
                "method": f"{MEAN_BLOCKS}, Bonferroni",
            }  # fmt: skip

    def _outsider(self, one: Round) -> dict[str, Any]:
        """Who does best of those the field leaves out."""
        k = one.outsider
        if k is None:
            return {"outsider": ""}
        ends = [(one.gains[k].value + sign * float(one.half[k])) / self.players for sign in (0, -1, 1)]
        return {
            "outsider": self.names[k],
            **dict(zip(("outsider_gain", "outsider_low", "outsider_high"), ends, strict=True)),
        }

    def roles(self) -> Iterator[dict[str, Any]]:
        """How the alien and a table of humans play best against each other."""
        now = self.now
        rows, columns = (
            np.array([getattr(one, side) for one in now.all_roles]) for side in ("rows", "columns")
        )
        both = eq.alpha_rank_of_roles(now.alien)
        ends = [*eq.middle_of(rows), *eq.middle_of(columns)]
        for k, name in enumerate(self.names):
            yield {
                "strategy": name, "alien": float(now.roles.rows[k]), "alien_low": float(ends[0][k]),
                "alien_high": float(ends[1][k]), "human": float(now.roles.columns[k]), "human_low": float(ends[2][k]),
                "human_high": float(ends[3][k]), "alpha_alien": float(both[k].sum()),
                "alpha_human": float(both[:, k].sum()),
            }  # fmt: skip

    def effort(self) -> Iterator[dict[str, Any]]:
        """What was played, look by look."""
        for number, (pairs, games) in enumerate(self.season.looks, 1):
            yield {"look": f"matchups, look {number}", "pairs": pairs, "games": games}
        for number, one in enumerate(self.season.rounds, 1):
            yield {"look": f"field, round {number}", "pairs": None, "games": one.games}


def _figure(found: Estimates, place: int, more: float) -> dict[str, Any]:
    """A figure with its interval; none from too few blocks."""
    blocks = int(found.blocks[place])
    ends = (float(found.value[place]), *found.interval(place))
    some = [None] * 3 if blocks < FEW else [end + more for end in ends]
    return {
        **dict(zip(("value", "low", "high"), some, strict=True)), "n": int(found.n[place]), "rows": blocks,
        "method": found.method(place), "note": TOO_FEW if blocks < FEW else "",
    }  # fmt: skip


def frames(told: Sequence[Told]) -> dict[str, pl.DataFrame]:
    """All tables, of all numbers of players."""
    return {
        name: pl.DataFrame([row for one in told for row in one.rows(name)], {"players": WHOLE, **columns})
        for name, columns in COLUMNS.items()
    }


def told(found: Sequence[tuple[Season, Standing]], words: Mapping[str, Any]) -> Result:
    """The result of the experiment."""
    from analysis.lab.metagame_words import findings, season_facts, warnings

    some = [Told(*one) for one in found]
    sentences = [finding for one in some for finding in findings(one, several=len(some) > 1)]
    facts = {
        "players": [one.players for one in some],
        "strategies": some[0].names,
        "seasons": {str(one.players): season_facts(one) for one in some},
        "findings": sentences,
    }
    title = f"Metagame of {len(some[0].names)} strategies"
    verdict = [finding["text"] for finding in sentences]
    return Result(
        "metagame",
        title,
        words,
        facts,
        frames(some),
        verdict,
        [text for one in some for text in warnings(one)],
    )
