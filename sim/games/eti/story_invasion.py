"""The story of the reveal and the invasion: chapter 4 of the rules page, one function a kind of line."""

from __future__ import annotations

from typing import Any

from sim.games.eti.story_words import (
    ABILITY_WORDS,
    VAULT_WORDS,
    Book,
    Line,
    card_word,
    card_words,
    count,
    heading,
    listed,
    seat_no,
    threats,
    track,
)

INVASION_WORDS = {
    "at once": "it leaves the humans no round",
    "time": "the humans' rounds have run out",
    "no project": "no project is left face up",
    "limit": "the limit of rounds is reached",
}
WIN_WORDS = {
    "fame": "with the most fame",
    "tie": "after a tie",
    "no survivor": "because no human company survives",
}


# --- the alien shows itself ------------------------------------------------------------------------------
def wait(book: Book, line: Line) -> str:
    return f"  {book.who(line['seat'])}, the alien, could reveal itself, and stays hidden."


def reveal(book: Book, line: Line) -> str:
    how = "must reveal itself" if line["forced"] else "reveals itself"
    took = f"It takes {book.project(line['project'])}." if line["project"] else "It was studying nothing."
    events = f", the events {listed(line['events_lost'])}" if line["events_lost"] else ""
    lost = f"its queue ({card_words(line['discarded'])}), {line['bank_lost']} in the bank{events}"
    left = f"The humans have {count(line['rounds'], 'round')} left, this one included."
    return (
        f"  *** {book.who(line['seat'])} {how}: {line['card']}! {took} ({line['claimed']} claimed)\n"
        f"      It gives up {lost}.\n"
        f"      {left if line['rounds'] else 'The humans have no round left.'}"
    )


def alien_board(book: Book, line: Line) -> str:
    tracks = [
        f"{ABILITY_WORDS.get(name, name)} {count(line['tokens'][name], 'token')} ({track(name, value)})"
        for name, value in line["values"].items()
    ]
    return f"      Its board: {listed(tracks)}. Its tactics: {threats(line['tactics'])}."


def tactic(book: Book, line: Line) -> str:
    chosen = card_word(line["threat"])
    return f"  {book.who(line['seat'])} adds the tactic {chosen}; it has {threats(line['tactics'])} now."


# --- the attack is prepared ------------------------------------------------------------------------------
def invasion(book: Book, line: Line) -> str:
    year = 1964 + line["round"]
    why = INVASION_WORDS.get(line["why"], line["why"])
    title = heading(f"The invasion, at the start of round {line['round']} ({year}): {why}")
    return f"{title}\n  The last president is {book.who(line['president'])}."


def leftovers(book: Book, line: Line) -> str:
    if not line["projects"]:
        return f"  Nothing is left on the table for {book.who(line['seat'])}, the alien."
    taken = listed(map(book.project, line["projects"]))
    return f"  {book.who(line['seat'])}, the alien, takes what is left on the table: {taken}."


def numbered(card: Line) -> str:
    """An attack card with its number, by which later lines name it."""
    return f"#{card['id']} {card_word(card['card'])}"


def attack(book: Book, line: Line) -> str:
    cards = ", ".join(map(numbered, line["cards"])) or "none"
    return f"  Attack cards against {book.who(line['seat'])}, face down: {cards}."


def intel(book: Book, line: Line) -> str:
    return f"  The alien may use intel {count(line['uses'], 'time')}."


def turn_up(book: Book, line: Line) -> str:
    return f"    Intel: it turns up {numbered(line)}, which lies against {seat_no(line['seat'])}."


def move(book: Book, line: Line) -> str:
    return f"    Intel: it moves #{line['id']} from {seat_no(line['from'])} to {seat_no(line['to'])}."


def mashes(book: Book, line: Line) -> str:
    held = count(line["projects"], "project")
    return f"  With {held} in its vault it may add {count(line['mashes'], 'card')} (mash)."


def mash(book: Book, line: Line) -> str:
    return f"    Mash: {numbered(line)} against {book.who(line['seat'])}."


# --- the humans' last cards ------------------------------------------------------------------------------
def endgame(book: Book, line: Line) -> str:
    return f"  {book.who(line['seat'])} turns over {line['card']}.{book.text(line['card'])}"


def bonus(book: Book, line: Line) -> str:
    what = {"attack": "attack against it"}.get(line["what"], line["what"])
    return f"    {book.who(line['seat'])}: {what} {line['amount']:+d}."


def fame_to_defence(book: Book, line: Line) -> str:
    moved = f"the {line['fame']} fame of {line['project']} becomes defence"
    return f"    {book.who(line['seat'])}: {moved}."


def draw_project(book: Book, line: Line) -> str:
    drawn = book.printed(line["project"]) if line["project"] else "nothing"
    where = f", into the {VAULT_WORDS[line['vault']]}" if line["vault"] else ""
    return f"    {book.who(line['seat'])} draws {drawn}{where}."


def attack_off(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} discards the attack card {numbered(line)}."


# --- battle ----------------------------------------------------------------------------------------------
def battle(book: Book, line: Line) -> str:
    return "\n".join(
        [
            f"  The attack on {book.who(line['seat'])}:",
            f"    Attack  {attack_sum(line)} = {line['attack']}",
            f"    Defence {defence_sum(line)} = {line['defence']}",
            f"    {outcome(line)}",
        ]
    )


def attack_sum(line: Line) -> str:
    """'10 (#1 ×0) + 25 (#2 spy) + 5 (brutality)'."""
    parts = [f"{card['value']} ({numbered(card)})" for card in line["cards"]]
    return " + ".join([*parts, f"{line['base']} (brutality)"]) + extra(line["extra"])


def defence_sum(line: Line) -> str:
    """'25 (Assault Rifles, secret) + 20 (Satellite Network, public)'."""
    parts = [f"{p['defence']} ({p['project']}, {p['vault']})" for p in line["projects"]]
    return (" + ".join(parts) or "0 (no project)") + extra(line["extra_defence"])


def extra(amount: int) -> str:
    """What cards added or took away once; nothing if it is 0."""
    return f" {'-' if amount < 0 else '+'} {abs(amount)} (cards)" if amount else ""


def outcome(line: Line) -> str:
    """What it costs, and what is left."""
    if not line["survives"]:
        return f"{line['defence']} is less than {line['attack']}: the company is destroyed."
    fames = {project["project"]: project["fame"] for project in line["projects"]}
    kept = listed([f"{name} ({fames.get(name, 0)} fame)" for name in line["kept"]], "nothing")
    given = listed(line["discards"], "nothing")
    return f"It survives: it gives up {given}, keeps {kept}, and has {line['fame']} fame."


def winner(book: Book, line: Line) -> str:
    fame = "" if line["fame"] is None else f" ({line['fame']})"
    side = "the alien" if line["role"] == "alien" else "human"
    why = WIN_WORDS.get(line["why"], line["why"])
    return f"{heading('The end')}\n  {book.who(line['seat'])}, {side}, wins {why}{fame}."


def end(book: Book, line: Line) -> str:
    asked = f"{line['decisions']} decisions, {line['forced']} of them without a choice"
    return f"  {count(line['rounds'], 'round')} were begun; the strategies took {asked}."


CHAPTER: dict[str, Any] = {
    "wait": wait,
    "reveal": reveal,
    "alien_board": alien_board,
    "tactic": tactic,
    "invasion": invasion,
    "leftovers": leftovers,
    "attack": attack,
    "intel": intel,
    "turn_up": turn_up,
    "move": move,
    "mashes": mashes,
    "mash": mash,
    "endgame": endgame,
    "bonus": bonus,
    "fame_to_defence": fame_to_defence,
    "draw_project": draw_project,
    "attack_off": attack_off,
    "battle": battle,
    "winner": winner,
    "end": end,
}
