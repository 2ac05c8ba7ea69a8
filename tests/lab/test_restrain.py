"""Bans: what may not be done is not done, in whole games of every strategy, and every answer stays legal."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.eti import restrain
from sim.games.eti.asking import Q_AGENDA, Q_RATE_PROJECT, Q_REVEAL, Q_SUBMISSION, Q_VOTE
from sim.games.eti.play import make_setting
from sim.games.eti.restrain import BANNED, BANS, NAMES, allowed, parse_bans, split_bans, with_bans, without
from sim.games.eti.state import MAX_PARAMS, NONE, RESEARCH, SAFE, STANDARD, SUBMIT, SWITCH
from sim.games.eti.strategy import load_strategy, make_strategy
from sim.games.eti.trace import trace_game
from sim.registry import STRATEGIES
from tests.kit import CARDS, EVENT, PROJECT, face_up, new_table, study

STRATEGY_NAMES = tuple(STRATEGIES["eti"])
#: all bans, in two mixes that leave something to choose
MIXES = (
    "scooping+safe+swaps+public+offers+breaking+hand+reveal+intel+mash+staffing+own-votes",
    "standard+secret+switching+joining+points+promises+keeping+waiting+creativity+security",
)
GOOD = {event.name for event in CARDS.events if event.good}


# --- what a trace tells of banned acts ---------------------------------------------------------------------
class Watcher:
    """Reads a trace and counts every act that somebody could be forbidden."""

    def __init__(self, trace: list[dict[str, Any]]) -> None:
        self.found: Counter[str] = Counter()
        self.studying: dict[int, str | None] = {}
        self.face_up: set[str] = set()
        self.owed: set[tuple[int, int]] = set()
        self.event = ""
        for line in trace:
            getattr(self, "on_" + line["do"], self.nothing)(line)

    def nothing(self, line: dict[str, Any]) -> None:
        """A line that tells of no such act."""

    def count(self, ban: str, happened: Any = True) -> None:
        self.found[ban] += bool(happened)

    def on_agendas(self, line: dict[str, Any]) -> None:
        self.count("switching", "switch" in line["agendas"].values())

    def on_submit(self, line: dict[str, Any]) -> None:
        self.count(line["way"])
        self.count("swaps", line["used"])

    def on_claim(self, line: dict[str, Any]) -> None:
        self.count(line["vault"])
        self.face_up.discard(line["project"])
        self.studying[line["seat"]] = None

    def on_draw_project(self, line: dict[str, Any]) -> None:
        self.count(line["vault"])

    def on_scooped(self, line: dict[str, Any]) -> None:
        self.studying[line["seat"]] = None
        self.count("scooping", line["why"] != "reveal" or not self.forced)

    def on_reveal(self, line: dict[str, Any]) -> None:
        self.forced = line["forced"]
        self.count("reveal", not self.forced)
        self.face_up.discard(line["project"])
        self.studying[line["seat"]] = None

    def on_wait(self, line: dict[str, Any]) -> None:
        self.count("waiting")

    def on_lay_out(self, line: dict[str, Any]) -> None:
        self.face_up.add(line["project"])

    def on_pick(self, line: dict[str, Any]) -> None:
        others = {project for seat, project in self.studying.items() if seat != line["seat"]}
        free = self.face_up - others - {self.studying.get(line["seat"])}
        self.count("joining", line["project"] in others and free)
        self.studying[line["seat"]] = line["project"]

    def on_offer(self, line: dict[str, Any]) -> None:
        self.count("offers")
        self.count("points", line["points"])
        self.count("promises", line["promise"])

    def on_due(self, line: dict[str, Any]) -> None:
        self.count("keeping" if line["honoured"] else "breaking")

    def on_promise(self, line: dict[str, Any]) -> None:
        """Of two promises to two companies one vote can keep one."""
        self.kept = getattr(self, "kept", False) or line["kept"]
        self.count("breaking", not self.kept)

    def on_event(self, line: dict[str, Any]) -> None:
        self.event = line["event"]

    def on_vote(self, line: dict[str, Any]) -> None:
        self.kept = False
        self.count("own-votes", line["seat"] == line["company"] and self.event in GOOD)

    def on_award(self, line: dict[str, Any]) -> None:
        self.count("own-votes", line["seat"] == line["president"] and self.event in GOOD)

    def on_play(self, line: dict[str, Any]) -> None:
        self.count("hand")

    def on_turn_up(self, line: dict[str, Any]) -> None:
        self.count("intel")

    on_move = on_turn_up

    def on_mash(self, line: dict[str, Any]) -> None:
        self.count("mash")

    def on_upgrade(self, line: dict[str, Any]) -> None:
        self.count(line["ability"], line["source"] == "free")


@cache
def acts(name: str, bans: str, players: int = 4, games: int = 1) -> Counter[str]:
    """What happened in some games in which everybody plays the same, with these bans."""
    strategy = load_strategy(name)
    setting = make_setting([without(strategy, bans) if bans else strategy], players, length="short")
    found: Counter[str] = Counter()
    for index in range(games):
        found.update(Watcher(trace_game(setting, 3, index)).found)
    return found


@pytest.mark.parametrize("bans", MIXES)
@pytest.mark.parametrize("name", STRATEGY_NAMES)
def test_no_strategy_does_what_it_may_not(name: str, bans: str) -> None:
    """An illegal answer would end the game with an error."""
    found = acts(name, bans)
    assert not {ban: found[ban] for ban in parse_bans(bans) if found[ban]}
    assert sum(found.values()) > 10


@pytest.mark.parametrize("ban", [name for name in NAMES if name != "analysis"])
def test_one_ban_alone(ban: str) -> None:
    """Random players do everything sooner or later, and with a ban everything but that."""
    assert acts("random", "", games=4)[ban] > 0
    found = acts("random", ban)
    assert found[ban] == 0


def test_all_bans_are_tried() -> None:
    assert {ban for mix in MIXES for ban in parse_bans(mix)} | {"analysis"} == set(NAMES)
    assert len(BANS) < 50  # their sum must be a whole number of a float


def test_an_empty_set_of_bans_changes_nothing() -> None:
    """The wrapper itself has no effect: the same game to the last line."""
    base = load_strategy("random")
    free = without(base, "intel").changed(base.name, banned=0)
    plain, wrapped = (trace_game(make_setting([one], 3), 5, 1) for one in (base, free))
    assert plain == wrapped


# --- single answers ----------------------------------------------------------------------------------------
def answer(game: Any, p: int, question: int, bans: str, wanted: float, option: int = 0) -> float:
    bits = sum(1 << NAMES.index(name) for name in parse_bans(bans))
    game.seats[p].me = p
    return float(allowed(game.table, game.seats[p], question, option, bits, wanted))


def pair(bank: int = 0, cards: int = 3, rivals: bool = True) -> Any:
    """Seat 0 studies a project of difficulty 120, seat 1 too; another one lies free."""
    game = new_table(3)
    game.table.studying[:] = NONE
    face_up(game, "Cryogenic Coolants", "Assault Rifles")
    study(game, 0, "Cryogenic Coolants")
    if rivals:
        study(game, 1, "Cryogenic Coolants")
    game.table.bank[0], game.table.queue_n[0] = bank, cards
    return game


def full(game: Any) -> Any:
    game.table.queue_n[0] = game.table.rules.ports
    return game


def test_instead_of_a_switch() -> None:
    assert answer(pair(), 0, Q_AGENDA, "switching", SWITCH) == RESEARCH
    assert answer(full(pair()), 0, Q_AGENDA, "switching", SWITCH) == SUBMIT
    assert answer(pair(), 0, Q_AGENDA, "safe", SWITCH) == SWITCH


def test_nobody_switches_to_where_somebody_is() -> None:
    game = pair()
    assert answer(game, 0, Q_AGENDA, "joining", SWITCH) == SWITCH
    study(game, 2, "Assault Rifles")
    assert answer(game, 0, Q_AGENDA, "joining", SWITCH) == RESEARCH


def test_instead_of_a_claim_that_scoops() -> None:
    assert answer(pair(), 0, Q_AGENDA, "scooping", SUBMIT) == RESEARCH
    assert answer(pair(rivals=False), 0, Q_AGENDA, "scooping", SUBMIT) == SUBMIT
    assert answer(full(pair()), 0, Q_AGENDA, "scooping", SUBMIT) == SWITCH  # 14 cards are worth 140
    assert answer(full(pair()), 0, Q_AGENDA, "scooping+switching", SUBMIT) == SUBMIT  # nothing else is legal


def test_a_safe_submission_that_falls_short_scoops_nobody() -> None:
    game = full(pair())
    game.table.rules.safe_points = 5
    assert answer(game, 0, Q_AGENDA, "scooping", SUBMIT) == SUBMIT
    assert answer(game, 0, Q_SUBMISSION, "scooping", STANDARD) == SAFE
    assert answer(game, 0, Q_AGENDA, "scooping+safe", SUBMIT) == SWITCH


def test_a_reveal_may_scoop_as_well() -> None:
    assert answer(pair(), 0, Q_REVEAL, "scooping", 1) == 0
    assert answer(pair(rivals=False), 0, Q_REVEAL, "scooping", 1) == 1


def test_projects_of_others_come_last() -> None:
    game = pair()
    taken, free = PROJECT["Cryogenic Coolants"], PROJECT["Assault Rifles"]
    game.table.studying[0] = NONE
    assert answer(game, 0, Q_RATE_PROJECT, "joining", 50.0, taken) == BANNED
    assert answer(game, 0, Q_RATE_PROJECT, "joining", -50.0, free) == -50.0
    study(game, 2, "Assault Rifles")  # now one has to join somebody
    assert answer(game, 0, Q_RATE_PROJECT, "joining", 50.0, taken) == 50.0


def test_a_promise_binds() -> None:
    game = pair()
    event = next(k for name, k in EVENT.items() if name in GOOD)
    game.table.event = event
    assert answer(game, 0, Q_VOTE, "breaking", 9.0, 0) == 9.0
    game.table.promised[0][2] = 1
    assert [answer(game, 0, Q_VOTE, "breaking", 9.0, to) for to in range(3)] == [BANNED, BANNED, 9.0]


# --- names and errors --------------------------------------------------------------------------------------
def test_specs() -> None:
    assert split_bans("cautious~switching+safe") == ("cautious", "switching+safe")
    assert split_bans("mine.py:Mine~safe") == ("mine.py:Mine", "safe")
    for plain in ("cautious", "~safe", "/home/a~b/mine.py:Mine", "A~1/mine.py"):
        assert split_bans(plain) == (plain, "")


def test_names_and_parameters() -> None:
    strategy = load_strategy("scooper~safe+switching")
    assert strategy.name == strategy.spec == "scooper~safe+switching"
    assert strategy.params[-1].value == 3
    assert strategy.params[:-1] == load_strategy("scooper").params
    assert strategy.changed(greed=3).name == strategy.name


def test_bans_on_a_strategy_that_is_there() -> None:
    """By its name: with its own parameters, or of a notebook."""
    bold = load_strategy("cautious").changed("bold", push=2.0)
    found = with_bans("bold~safe", {"bold": bold})
    assert found is not None
    assert (found.name, found.params[0].value, found.spec) == ("bold~safe", 2.0, "cautious~safe")
    assert with_bans("gambler~safe", {"bold": bold}) is with_bans("bold", {"bold": bold}) is None


def test_a_file_keeps_a_colon(tmp_path: Path) -> None:
    """What copies strategies into a run's folder takes the file to be what stands before it."""
    file = tmp_path / "mine.py"
    file.write_text('"""Waits."""\n\n\ndef reveal(table, seat):\n    return 0\n')
    assert without(load_strategy(str(file)), "safe").spec == f"{file}:~safe"


def test_one_compilation_for_all_bans() -> None:
    base = load_strategy("gambler")
    assert without(base, "safe").decide is without(base, "intel").decide


def test_wrong_bans() -> None:
    with pytest.raises(
        UserError, match=r"no ban 'swithing' \(did you mean 'switching'\?\); valid: switching, safe"
    ):
        parse_bans("swithing")
    with pytest.raises(UserError, match="leave nothing to choose"):
        parse_bans("safe+intel+standard")
    with pytest.raises(UserError, match="all bans at once"):
        without(without(load_strategy("cautious"), "safe"), "intel")


def test_no_room() -> None:
    class Full:
        """As many parameters as there may be."""

        params = {f"p{k}": k for k in range(MAX_PARAMS - 22)}  # noqa: RUF012

    with pytest.raises(UserError, match="no room"):
        without(make_strategy(Full), "safe")


def test_texts_read_as_sentences() -> None:
    for ban in BANS:
        assert ban.text[0].islower()
        assert ban.role in ("both", "alien"), ban
    assert restrain.MARK == "~"
