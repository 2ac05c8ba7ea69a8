"""The story: every kind of line is told, and the numbers in it are those of the trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sim.games.eti.story import TELLERS, sum_words, tell
from sim.games.eti.story_words import WIDTH, Book, wrapped
from tests.referee.sample import sample_game

ROOT = Path(__file__).resolve().parent.parent
Line = dict[str, Any]


def documented() -> dict[str, set[str]]:
    """The kinds of lines in docs/trace.md, and the words in code type beside each."""
    found = {}
    for row in (ROOT / "docs" / "trace.md").read_text(encoding="utf-8").splitlines():
        cells = re.match(r"\| `(\w+)` \|([^|]*)\|", row)
        if cells:
            found[cells[1]] = set(re.findall(r"`(\w+)`", cells[2]))
    return found


def a_game() -> Line:
    card = {"field": "physics", "level": 3, "difficulty": 210, "defence": 10, "fame": 30, "upgrades": []}
    other = {"field": "sensors", "level": 1, "difficulty": 80, "defence": 10, "fame": 10, "upgrades": []}
    return {
        "do": "game", "version": 1, "seed": 7, "index": 0, "players": 3, "length": "short", "multiplier": 2,
        "threshold": 6, "must_reveal": 9, "alien_public": True,
        "strategies": ["cautious", "gambler", "mine.py:Mine"], "rules": {"safe_points": 10},
        "cards": {
            "projects": [{"name": "Laser Holography", **card}, {"name": "Dedicated Observatories", **other}],
            "events": [{"name": "Surprise Audit", "text": "It loses 60 points."}],
            "humans": [{"name": "The Visionary", "text": "Draw a project."}],
            "aliens": [{"name": "Raiding Party", "text": "More cards."}],
        },
    }  # fmt: skip


def told(*lines: Line) -> str:
    """The story of these lines, as one text, without the opening."""
    opening = list(tell([a_game()]))
    return "\n".join(list(tell([a_game(), *lines]))[len(opening) :])


def test_every_kind_of_line_has_a_teller() -> None:
    assert set(documented()) == set(TELLERS)


def test_the_opening() -> None:
    text = "\n".join(tell([a_game()]))
    assert "a short game of 3: seed 7" in text
    assert "from 6 claimed projects on and must at 9" in text


def test_a_round_has_its_year_and_its_president() -> None:
    text = told({"do": "round", "round": 3, "president": 2, "claimed": 4})
    assert "Round 3 (1967): president Seat 2 (gambler); 4 claimed, threshold 6" in text


def submission(order: str, total: int, *struck: tuple[int, str, bool, int | None, str | None]) -> Line:
    keys = ("port", "card", "ignored", "destroys_port", "destroys")
    return {
        "do": "submit", "seat": 1, "way": "standard", "project": "Laser Holography", "queue": order.split(),
        "immune": ["spy"], "swaps": 2, "used": 0, "order": order.split(),
        "threats": [dict(zip(keys, each, strict=True)) for each in struck],
        "total": total, "bank": 60, "difficulty": 210,
    }  # fmt: skip


def test_a_standard_submission_with_all_its_numbers() -> None:
    line = submission("arson 50 20 x0 30 spy", 30, (1, "arson", False, 2, "50"), (6, "spy", True, None, None))
    text = told(line)
    for part in (
        "Seat 1 (cautious) submits for Laser Holography (physics III), standard:",
        "queue arson 50 20 ×0 30 spy; immune to spy",
        "0 of 2 swaps used",
        "arson at port 1 destroys the 50 at port 2",
        "spy at port 6 is ignored (immune)",
        "sum 20×0 + 30 = 30",
        "60 + 30 = 90, 120 short of 210",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        # W-2
        (submission("10 40 x2 data-virus 20 x3", 250, (4, "data-virus", False, 5, "20")), "10 + 40×2×3"),
        (submission("20 x2 x2", 80), "20×2×2"),  # W-14
        (submission("x3 10", 10), "10"),
        (submission("x3", 0), "of nothing"),
    ],
)
def test_the_sum_is_spelled_out(line: Line, words: str) -> None:
    assert sum_words(line) == words


def test_a_safe_submission() -> None:
    line = {**submission("10 spy 50", 30), "way": "safe", "bank": 180}
    assert "3 cards at 10 = 30 (unseen: 10 spy 50)" in told(line)
    assert "180 + 30 = 210, enough for 210" in told(line)


def test_a_scoop_says_what_the_cap_took() -> None:
    line = {
        "do": "scooped", "seat": 3, "project": "Laser Holography", "by": 1, "why": "researched", "added": 50,
        "bank_before": 70, "bank": 100, "discarded": ["10", "spy", "x2", "20", "20"],
    }  # fmt: skip
    assert "70 + 50, 20 of it lost to the cap, bank now 100" in " ".join(told(line).split())


def test_a_pick_says_whether_the_field_is_the_same() -> None:
    line = {
        "do": "pick", "seat": 2, "project": "Dedicated Observatories", "left": "Laser Holography",
        "why": "switched", "bank_before": 150, "bank": 40,
    }  # fmt: skip
    assert "switches to Dedicated Observatories (sensors I); bank 150 → 40 (another field)" in told(line)


def test_the_battle_is_arithmetic_to_check() -> None:
    line = {
        "do": "battle", "seat": 1, "base": 5, "extra": -10, "attack": 45, "extra_defence": 0, "defence": 50,
        "cards": [{"id": 1, "card": "x0", "value": 10}, {"id": 4, "card": "data-virus", "value": 40}],
        "projects": [
            {"project": "Laser Holography", "vault": "secret", "defence": 40, "fame": 0},
            {"project": "Dedicated Observatories", "vault": "public", "defence": 10, "fame": 20},
        ],
        "survives": True, "discards": ["Laser Holography", "Dedicated Observatories"], "kept": [], "fame": 0,
    }  # fmt: skip
    text = told(line)
    assert "10 (#1 ×0) + 40 (#4 data virus) + 5 (brutality) - 10 (cards) = 45" in text
    assert "40 (Laser Holography, secret) + 10 (Dedicated Observatories, public) = 50" in text
    assert "keeps nothing, and has 0 fame" in text


RARE_LINES: list[tuple[Line, str]] = [
    ({"do": "tactic", "seat": 2, "threat": "spy", "tactics": ["arson", "spy"]}, "has arson and spy now"),
    ({"do": "no_event", "president": 1, "why": "no card"}, "all of them are in hand"),
    ({"do": "tie", "president": 1, "among": [2, 3], "seat": 3, "why": "claim"}, "between seat 2 and seat 3"),
    ({"do": "elected", "seat": 1, "votes": {"1": 4, "2": 0, "3": 3}}, "(seat 1: 4, seat 3: 3)"),
    (
        {"do": "due", "seat": 1, "to": 2, "honoured": False, "points": 0, "project": None, "event": None,
         "promise": False},
        "breaks its offer to seat 2",
    ),
    (
        {"do": "project_moves", "seat": 1, "to": 2, "project": "Laser Holography", "why": "event"},
        "is taken from seat 1 and goes to the public vault of Seat 2 (gambler)",
    ),
    ({"do": "event_moves", "seat": 1, "to": 2, "event": "Surprise Audit"}, "hands the event Surprise Audit"),
    (
        {"do": "downgrade", "seat": 1, "ability": "security", "project": "Laser Holography", "tokens": 1,
         "value": 1},
        "loses security with Laser Holography (1 token: immunities 1)",
    ),
    ({"do": "immunity_lost", "seat": 1, "threat": "data-virus", "immune": []}, "data virus (left: none)"),
    ({"do": "look", "seat": 1, "ports": [3, 4], "cards": ["10", "x2"]}, "looks at 10 ×2 (ports 3 to 4)"),
    ({"do": "scout", "seat": 1, "projects": {"1": "Dedicated Observatories", "2": None}}, "II empty"),
    ({"do": "discard", "seat": 1, "ports": [], "cards": []}, "nothing"),
    ({"do": "reshuffle", "what": "events", "order": ["Surprise Audit"]}, "a new deck of 1"),
    ({"do": "reshuffle", "what": "research", "order": None}, "ran dry"),
    ({"do": "attack_off", "seat": 1, "id": 3, "card": "50"}, "discards the attack card #3 50"),
    ({"do": "winner", "seat": 2, "role": "alien", "why": "no survivor", "fame": None}, "no human company"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), RARE_LINES)
def test_what_happens_seldom_is_told_too(line: Line, words: str) -> None:
    assert words in told(line)


def test_a_whole_game_is_told_and_fits_the_page() -> None:
    lines = sample_game()
    story = list(tell(lines))
    assert max(map(len, story)) <= WIDTH
    assert len(story) > len(lines)
    assert not any("{" in line or "None" in line for line in story)


def test_the_sample_and_the_rare_lines_leave_no_teller_untried() -> None:
    tried = {line["do"] for line in sample_game()} | {line["do"] for line, _ in RARE_LINES}
    assert tried == set(TELLERS)


def test_a_line_of_a_later_version_is_shown_as_it_is() -> None:
    assert '{"do": "dance", "seat": 1}' in told({"do": "dance", "seat": 1})


def test_no_line_is_wider_than_the_page() -> None:
    text = "  " + "a word and " * 40
    assert all(len(line) <= WIDTH for line in wrapped(text))
    assert list(wrapped("    one\n\ntwo")) == ["    one", "", "two"]


def test_a_seat_is_named_with_its_strategy() -> None:
    book = Book(strategies=["cautious", "gambler"])
    assert book.who(2) == "Seat 2 (gambler)"
    assert book.who(None) == "Nobody"
