"""A trace told as a story, line by line: every die and every number, to be checked with the rules page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from sim.games.target_earth import story_fights
from sim.games.target_earth.story_words import (
    ROMAN,
    Book,
    Line,
    added,
    cell_word,
    count,
    hand_words,
    levels,
    listed,
    score,
    seat_no,
    technology,
    unit_word,
)
from sim.prose import heading, wrapped


def tell(lines: Iterable[Line]) -> Iterator[str]:
    """Tell a game.

    Parameters
    ----------
    lines
        The objects of a trace, the line `game` first.

    Yields
    ------
    str
        The story, a line of text at a time, without line ends.
    """
    book = Book()
    for line in lines:
        yield from wrapped(TELLERS.get(line["do"], anything)(book, line))


def anything(book: Book, line: Line) -> str:
    """A kind of line that this version does not know: better shown as it is than left out."""
    return f"  {json.dumps(line, ensure_ascii=False)}"


# --- set-up ----------------------------------------------------------------------------------------------
def game(book: Book, line: Line) -> str:
    book.open(line)
    who = f"of {line['players']}" if line["players"] > 1 else f"of one player with {line['bases']} bases"
    kind = f"{line['mode']} mode, {line['variant']} game {who}"
    title = f"Target Earth, {kind}: seed {line['seed']}, game {line['index']}"
    changed = book.changed_rules()
    rules = f"Rules that differ from the rulebook: {', '.join(changed)}.\n" if changed else ""
    return (
        f"{title}\n{'=' * len(title)}\n{rules}"
        f"A die that shows {book.rules['hit_from']} or more is a hit. This story tells all that happens, also what is"
        f" hidden at the table.\n{heading('Set-up')}"
    )


def countries(book: Book, line: Line) -> str:
    told = []
    for side, names, points in (
        ("Alien", line["aliens"], line["points"][1]),
        ("Allied", line["allies"], line["points"][0]),
    ):
        told.append(f"  {side}: {listed(map(book.country, names))}. V together: {points}.")
    return "\n".join([*told, f"  Income of the Alliance: {line['income']}. All other countries are neutral."])


def factions(book: Book, line: Line) -> str:
    told = [
        f"  {book.who(int(seat))} is the {book.title('factions', name)}."
        for seat, name in line["factions"].items()
    ]
    told += [
        f"  {book.who(int(seat))} has the secret objective {name}: {book.title('objectives', name)}."
        for seat, name in line["objectives"].items()
    ]
    return "\n".join(told) or "  There are no factions and no secret objectives."


def order(book: Book, line: Line) -> str:
    seats = listed(seat_no(seat) for seat in line["seats"])
    return f"  Clockwise sit {seats}; {book.who(line['first'])} is first player."


def hand(book: Book, line: Line) -> str:
    return f"  {book.who(line['seat'])} is dealt {hand_words(line['cards'])}."


BUILD_WORDS = {
    "head start": " (head start)",
    "set-up": "",
    "production": "",
    "engineer": " (engineer)",
}


def build(book: Book, line: Line) -> str:
    price = f"for {line['price']}" if line["price"] else "free of charge"
    left = f"{count(line['credits'], 'credit')} left"
    why = BUILD_WORDS.get(line["why"], f" ({line['why']})")
    return f"  {book.who(line['seat'])} builds a {line['module']} on {cell_word(line['cell'])} {price}{why}; {left}."


def recruit(book: Book, line: Line) -> str:
    left = f"{count(line['credits'], 'credit')} left"
    unit = unit_word(line["unit"])
    return (
        f"  {book.who(line['seat'])} buys {unit} for {line['price']}, on {cell_word(line['cell'])}; {left}."
    )


# --- the turn: income, research, production ----------------------------------------------------------------
def turn(book: Book, line: Line) -> str:
    first = f"{book.who(line['first'])} is first"
    head = f"Turn {line['turn']} (phase {ROMAN[line['era']]}): {first}; {score(line['points'])}"
    credits = ", ".join(f"seat {seat}: {credits}" for seat, credits in line["credits"].items())
    plays = ", ".join(f"seat {seat}: {n}" for seat, n in line["may_play"].items())
    return (
        f"{heading(head)}\n"
        f"  Fund {line['fund']}, income {line['income']}, knowledge {line['knowledge']}."
        f" Levels: {levels(line['levels'])}. Dice of a unit: {book.factors(line['levels'])}.\n"
        f"  Credits: {credits}. Cards that may be played: {plays}."
    )


def income(book: Book, line: Line) -> str:
    return f"  Income: {line['fund'] - line['amount']} + {line['amount']} = {line['fund']} in the fund."


def vote(book: Book, line: Line) -> str:
    choice = line["choice"]
    said = "none" if choice is None else {True: "yes", False: "no"}.get(choice, technology(str(choice)))
    return f"    {book.who(line['seat'])} votes on {line['on']}: {said}."


def research(book: Book, line: Line) -> str:
    by = f" ({book.who(line['by'])} picked it with a scientist)" if line["by"] else ""
    left = f"fund {line['fund'] + line['cost']} − {line['cost']} = {line['fund']}"
    return (
        f"  {technology(line['technology']).capitalize()} to level {line['level']} is researched{by}: {left}."
    )


def card(book: Book, line: Line) -> str:
    left = f"{line['left']} more of them in hand" if line["left"] else "its last one"
    played = f"{count(line['played'], 'card')} this turn"
    return f"  {book.who(line['seat'])} plays the card '{line['card']}' ({left}; {played})."


def share(book: Book, line: Line) -> str:
    return f"  The fund is shared: {count(line['each'], 'credit')} to each base, {line['fund']} stays."


def fortified(book: Book, line: Line) -> str:
    return f"    The base of {seat_no(line['seat'])} is fortified from now on."


# --- diplomacy ---------------------------------------------------------------------------------------------
def agent(book: Book, line: Line) -> str:
    change = f"{line['change']:+d}".replace("-", "−")
    return f"    {book.who(line['seat'])} sends an agent ({change}; {count(line['left'], 'agent')} left)."


ATTEMPT_WORDS = {
    "court": "The Alliance courts {}",
    "rebellion": "{who} stirs a rebellion in {}",
    "diplomat": "{who} sends the diplomat to {}",
    "diplomat rebellion": "{who} sends the diplomat to stir a rebellion in {}",
    "card": "{who} tries to win {}",
    "free": "The Alliance makes its free attempt on {}",
    "aliens": "The aliens court {}",
}


def attempt(book: Book, line: Line) -> str:
    what = ATTEMPT_WORDS.get(line["why"], line["why"] + " of {}")
    told = what.format(book.country(line["country"]), who=book.who(line["seat"]))
    side = "alien" if line["why"] == "aliens" else "allied"
    total = added(
        line["dice"],
        (line["bonus"], f"number of {side} countries"),
        (line["extra"], "after a terror UFO"),
        (line["agent"], "agent"),
    )
    return f"  {told}: {total} against D {line['needed']}: {'success' if line['success'] else 'failure'}."


def status(book: Book, line: Line) -> str:
    now = f"{score(line['points'])}; income {line['income']}"
    return f"    {line['country']}: {line['was']} → {line['now']}. {now}."


def alien_target(book: Book, line: Line) -> str:
    then = "" if line["attempt"] else ", which is no target"
    what = "nothing" if line["objective"] is None else book.objective(line["objective"])
    return f"  Alien diplomacy: the objective drawn is {what}{then}."


# --- UFOs, and the end of a turn -----------------------------------------------------------------------------
def ufo(book: Book, line: Line) -> str:
    book.targets[line["slot"]], book.sizes[line["slot"]] = line["objective"], line["size"]
    dice = count(book.ufo(line["size"])["attack"], "die", "dice")
    return (
        f"  Slot {line['slot']}: a {line['size']} UFO ({dice}) flies to {book.objective(line['objective'])}."
    )


def home(book: Book, line: Line) -> str:
    unit = unit_word(line["unit"], line["elite"])
    if line["cell"] is None:
        return f"  {book.who(line['seat'])} loses {unit}: there is no module left for it."
    return f"  {book.who(line['seat'])}: {unit} returns to {cell_word(line['cell'])}."


def scarce(book: Book, line: Line) -> str:
    return f"  Knowledge is enough for one research only: {technology(line['technology'])} gets it."


def researched(book: Book, line: Line) -> str:
    name = technology(line["technology"]).capitalize()
    labs = f"{count(line['labs'], 'laboratory', 'laboratories')} of {line['labs_needed']} needed"
    needed = book.knowledge_for(line["technology"], line["level"] - line["success"])
    if line["success"]:
        left = f"{needed} knowledge spent, {line['knowledge']} left"
        return f"  {name} is at level {line['level']} now ({labs}; {left})."
    had = f"{line['knowledge']} knowledge of {needed} needed"
    return f"  {name} stays at level {line['level']}: the money is lost ({labs}; {had})."


def draw(book: Book, line: Line) -> str:
    why = " in exchange" if line["why"] == "swap" else ""
    return f"  {book.who(line['seat'])} draws {line['card']}{why}."


def discard(book: Book, line: Line) -> str:
    return f"  {book.who(line['seat'])} discards {line['card']}."


def reshuffle(book: Book, line: Line) -> str:
    cards = ", ".join(f"{card} ×{n}" for card, n in line["cards"].items() if n)
    return f"  The discards are shuffled into a new deck: {cards or 'nothing'}."


PERSONAL_WORDS = {"battle": "for the fight", "faction": "of the faction", "card": "for the card"}


def personal(book: Book, line: Line) -> str:
    why = PERSONAL_WORDS.get(line["why"], line["why"])
    gain = count(line["points"], "personal point")
    return f"    {book.who(line['seat'])} gains {gain} {why} ({line['total']} in all)."


# --- the end -------------------------------------------------------------------------------------------------
END_WORDS = {
    "points": "alien science is at level {goal}, and the Alliance has more points",
    "no science": "the Alliance has more points, but alien science is only at level {science}",
    "fewer points": "alien science is at level {science}, but the Alliance has not more points",
    "neither": "the Alliance has not more points, and alien science is only at level {science}",
    "sudden": "a side has more than {most} points",
    "impossible": "alien science, at level {science}, can no longer reach level {goal}",
}


def end(book: Book, line: Line) -> str:
    goal, most = book.rules["science_goal"], book.rules["sudden_points"]
    why = str(END_WORDS.get(line["why"], line["why"])).format(goal=goal, most=most, science=line["science"])
    head = heading(f"The end, after turn {line['turn']}")
    won = "The Alliance wins" if line["winner"] == "alliance" else "The aliens win"
    return f"{head}\n  {score(line['points'])}: {why}. {won}."


def personal_end(book: Book, line: Line) -> str:
    what = (
        f"{line['objective_points']} for the objective {line['objective']}"
        if line["objective"]
        else "no objective"
    )
    return f"  {book.who(line['seat'])}: {what}, {line['unused']} for starred cards in hand, {line['total']} in all."


def winner(book: Book, line: Line) -> str:
    if line["seat"] is None:
        return "  Nobody wins: all have lost."
    return f"  {book.who(line['seat'])} wins with {count(line['points'], 'personal point')}."


def stop(book: Book, line: Line) -> str:
    return (
        f"  {count(line['decisions'], 'decision')} were asked for; {line['forced']} more had only one answer."
    )


Teller = Callable[[Book, Line], str]

#: what a line does -> the function that tells it
TELLERS: dict[str, Teller] = {
    one.__name__: one
    for one in (
        game, countries, factions, order, hand, build, recruit, turn, income, vote, research, card, share, fortified,
        agent, attempt, status, alien_target, ufo, home, scarce, researched, draw, discard, reshuffle, personal, end,
        personal_end, winner, stop,
    )
} | story_fights.CHAPTER  # fmt: skip
