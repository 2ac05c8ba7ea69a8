"""A trace told as a story: docs/trace.md line by line, in words a player of the game knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from sim.games.eti import story_invasion
from sim.games.eti.story_words import (
    ABILITY_WORDS,
    LEVELS,
    VAULT_WORDS,
    Book,
    Line,
    card_word,
    card_words,
    change,
    count,
    goods,
    heading,
    listed,
    seat_no,
    threats,
    track,
    wrapped,
)

FIRST_YEAR = 1965


def tell(lines: Iterable[Line]) -> Iterator[str]:
    """Tell a game.

    Parameters
    ----------
    lines
        The objects of a trace (docs/trace.md), the line `game` first.

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
    title = f"E.T.I., a {line['length']} game of {line['players']}: seed {line['seed']}, game {line['index']}"
    picked = "openly" if line["alien_public"] else "at random, in secret"
    return (
        f"{title}\n{'=' * len(title)}\n"
        f"The alien may reveal itself from {line['threshold']} claimed projects on and must at"
        f" {line['must_reveal']}. Its card was picked {picked}.\n"
        "This story tells all that happens, also what is hidden at the table.\n"
        f"{heading('Set-up')}"
    )


def piles(book: Book, line: Line) -> str:
    sizes = listed(f"{len(names)} of level {LEVELS[int(level)]}" for level, names in line["projects"].items())
    return f"  The projects are shuffled: {sizes}. {count(len(line['events']), 'event')} are shuffled too."


def role(book: Book, line: Line) -> str:
    side = "THE ALIEN" if line["role"] == "alien" else "human"
    return f"  {book.who(line['seat'])} is {side}: {line['card']}.{book.text(line['card'])}"


def first_president(book: Book, line: Line) -> str:
    return f"  {book.who(line['seat'])} is president first."


def upgrade(book: Book, line: Line) -> str:
    ability = ABILITY_WORDS.get(line["ability"], line["ability"])
    source = f" from {line['project']}" if line["project"] else ""
    gain = f"{count(line['tokens'], 'token')}: {track(line['ability'], line['value'])}"
    return f"    {book.who(line['seat'])} upgrades {ability}{source} ({gain})."


def immunity(book: Book, line: Line) -> str:
    chosen = card_word(line["threat"])
    before = [threat for threat in line["immune"] if threat != line["threat"]]
    others = f" (and to {threats(before)})" if before else ""
    return f"    {book.who(line['seat'])} is immune to {chosen} from now on{others}."


def lay_out(book: Book, line: Line) -> str:
    by = f"{book.who(line['seat'])} lays out" if line["seat"] else "On the table:"
    return f"  {by} {book.printed(line['project'])}."


PICK_WORDS = {
    "claimed": "goes on to",
    "switched": "switches to",
    "scooped": "has to move to",
    "idle": "ends its idleness with",
    "reveal": "has to move to",
}


def pick(book: Book, line: Line) -> str:
    if line["project"] is None:
        return f"  {book.who(line['seat'])} finds nothing to study and idles (bank {line['bank']})."
    if line["why"] == "start":
        return f"  {book.who(line['seat'])} begins with {book.project(line['project'])}."
    rule = "same field" if book.same_field(line["left"], line["project"]) else "another field"
    carried = f"{change(line['bank_before'], line['bank'])}{f' ({rule})' if line['bank_before'] else ''}"
    return f"  {book.who(line['seat'])} {PICK_WORDS[line['why']]} {book.project(line['project'])}; {carried}."


# --- the round and its event -----------------------------------------------------------------------------
def round_begins(book: Book, line: Line) -> str:
    year = FIRST_YEAR + line["round"] - 1
    claimed = f"{line['claimed']} claimed, threshold {book.threshold}"
    return heading(f"Round {line['round']} ({year}): president {book.who(line['president'])}; {claimed}")


def event(book: Book, line: Line) -> str:
    return f"  Event: {line['event']}.{book.text(line['event'])}"


def no_event(book: Book, line: Line) -> str:
    if line["why"] == "no card":
        return "  No event: all of them are in hand."
    return f"  No event: {book.who(line['president'])} has not completed a project."


def offer(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} makes {seat_no(line['to'])} an offer: {goods(line)}."


def award(book: Book, line: Line) -> str:
    return f"    {book.who(line['president'])} names {seat_no(line['seat'])}."


def vote(book: Book, line: Line) -> str:
    votes = count(line["votes"], "vote")
    return f"    {book.who(line['seat'])} gives {votes} to {seat_no(line['company'])}."


def promise(book: Book, line: Line) -> str:
    verb = "keeps" if line["kept"] else "breaks"
    return f"    {book.who(line['seat'])} {verb} its promise to {seat_no(line['to'])}."


TIE_WORDS = {"vote": "in the vote", "claim": "for the project", "win": "for the win"}


def tie(book: Book, line: Line) -> str:
    among = listed(map(seat_no, line["among"]))
    tied = f"A tie {TIE_WORDS.get(line['why'], line['why'])} between {among}"
    return f"  {tied}: {book.who(line['president'])} decides for {seat_no(line['seat'])}."


def elected(book: Book, line: Line) -> str:
    votes = ", ".join(f"seat {seat}: {votes}" for seat, votes in line["votes"].items() if votes)
    return f"    {book.who(line['seat'])} is elected ({votes or 'nobody has a vote'})."


def keep(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} keeps the card {line['event']}."


def play(book: Book, line: Line) -> str:
    on = "" if line["on"] == line["seat"] else f" on {seat_no(line['on'])}"
    return f"  {book.who(line['seat'])} plays {line['event']}{on}.{book.text(line['event'])}"


def event_over(book: Book, line: Line) -> str:
    return f"    {line['event']} is discarded."


# --- trades and what events do ---------------------------------------------------------------------------
def due(book: Book, line: Line) -> str:
    if not line["honoured"]:
        return f"    {book.who(line['seat'])} breaks its offer to {seat_no(line['to'])}."
    given = goods(line, "nothing, for nothing is left of it")
    return f"    {book.who(line['seat'])} honours its offer to {seat_no(line['to'])}: {given}."


def points(book: Book, line: Line) -> str:
    moved = change(line["bank_before"], line["bank"])
    return f"    {book.who(line['seat'])}: {line['amount']:+d} points, {moved}."


def bank_moves(book: Book, line: Line) -> str:
    paid = f"pays {count(line['points'], 'point')} to {seat_no(line['to'])}"
    return f"    {book.who(line['seat'])} {paid}; banks now {line['bank']} and {line['to_bank']}."


def project_moves(book: Book, line: Line) -> str:
    how = "is taken from" if line["why"] == "event" else "is handed over by"
    where = f"goes to the public vault of {book.who(line['to'])}"
    return f"    {book.project(line['project'])} {how} {seat_no(line['seat'])} and {where}."


def event_moves(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} hands the event {line['event']} to {seat_no(line['to'])}."


def downgrade(book: Book, line: Line) -> str:
    ability = ABILITY_WORDS.get(line["ability"], line["ability"])
    left = f"{count(line['tokens'], 'token')}: {track(line['ability'], line['value'])}"
    return f"    {book.who(line['seat'])} loses {ability} with {line['project']} ({left})."


def immunity_lost(book: Book, line: Line) -> str:
    lost, left = card_word(line["threat"]), threats(line["immune"])
    return f"    {book.who(line['seat'])} is no longer immune to {lost} (left: {left})."


def look(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} looks at {at_ports(line)}."


def at_ports(line: Line) -> str:
    """'10 ×2 (ports 3 to 4)'."""
    ports = line["ports"]
    if not ports:
        return card_words(line["cards"])
    where = f"port {ports[0]}" if len(ports) == 1 else f"ports {ports[0]} to {ports[-1]}"
    return f"{card_words(line['cards'])} ({where})"


def scout(book: Book, line: Line) -> str:
    tops = [f"{LEVELS[int(level)]} {name or 'empty'}" for level, name in line["projects"].items()]
    return f"    {book.who(line['seat'])} looks at the top of the piles: {', '.join(tops)}."


def discard(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} loses, unseen, {at_ports(line)}."


# --- agendas, research, submission -----------------------------------------------------------------------
def agendas(book: Book, line: Line) -> str:
    chosen = [f"seat {seat} {agenda}" for seat, agenda in line["agendas"].items()]
    return f"  Agendas: {', '.join(chosen) or 'none'}."


def deal(book: Book, line: Line) -> str:
    lost = f"; no port is left for {card_words(line['lost'])}" if line["lost"] else ""
    short = len(line["cards"]) + len(line["lost"]) < line["wanted"]
    dry = f"; {line['wanted']} were due, but the deck ran dry" if short else ""
    return f"  {book.who(line['seat'])} is dealt {at_ports(line)}{lost}{dry}."


def submit(book: Book, line: Line) -> str:
    told = [f"  {book.who(line['seat'])} submits for {book.project(line['project'])}, {line['way']}:"]
    told += safe_lines(book, line) if line["way"] == "safe" else standard_lines(line)
    return "\n".join([*told, f"      {verdict(line)}"])


def safe_lines(book: Book, line: Line) -> list[str]:
    """R-SUB-1: face down, so many points a card."""
    worth = f"{count(len(line['queue']), 'card')} at {book.rules.get('safe_points', 10)} = {line['total']}"
    return [f"      {worth} (unseen: {card_words(line['queue'])})"]


def standard_lines(line: Line) -> list[str]:
    """R-SUB-2 to R-SUB-4: the queue, swaps, threats and the sum."""
    told = [f"      queue {card_words(line['queue'])}; immune to {threats(line['immune'])}"]
    used = f"{line['used']} of {count(line['swaps'], 'swap')} used"
    told.append(f"      {used}" + (f": {card_words(line['order'])}" if line["used"] else ""))
    told += [f"      {threat_words(line, threat)}" for threat in line["threats"]]
    return [*told, f"      sum {sum_words(line)} = {line['total']}"]


def threat_words(line: Line, threat: Line) -> str:
    """What one threat does."""
    name = f"{card_word(threat['card'])} at port {threat['port']}"
    if threat["ignored"]:
        return f"{name} is ignored (immune)"
    if threat["destroys"] is None:
        return f"{name} finds nothing to destroy"
    return f"{name} destroys the {threat['destroys']} at port {threat['destroys_port']}"


def sum_words(line: Line) -> str:
    """R-SUB-4: '10 + 40×2×3', each multiplier behind the closest number left before it."""
    gone = {threat["destroys_port"] for threat in line["threats"]}
    terms: list[str] = []
    for port, card in enumerate(line["order"], start=1):
        if card.isdigit() and port not in gone:
            terms.append(card)
        elif card.startswith("x") and terms:
            terms[-1] += card_word(card)
    return " + ".join(terms) or "of nothing"


def verdict(line: Line) -> str:
    """Does it reach the difficulty?"""
    reached = line["bank"] + line["total"]
    missing = line["difficulty"] - reached
    result = f"{missing} short of" if missing > 0 else "enough for"
    return f"with the bank: {line['bank']} + {line['total']} = {reached}, {result} {line['difficulty']}"


# --- claims, banks, the badge ----------------------------------------------------------------------------
def claim(book: Book, line: Line) -> str:
    vault = VAULT_WORDS[line["vault"]]
    claimed = f"{line['claimed']} claimed so far"
    return (
        f"  {book.who(line['seat'])} claims {book.project(line['project'])} with {line['points']} points,"
        f" for its {vault}; bank now 0 ({claimed})."
    )


SCOOP_WORDS = {
    "submitted": "after submitting",
    "researched": "while researching",
    "switched": "while switching",
    "reveal": "as the alien takes the project",
}


def scooped(book: Book, line: Line) -> str:
    lost = line["bank_before"] + line["added"] - line["bank"]
    cut = f", {lost} of it lost to the cap" if lost > 0 else ""
    queue = f" Its queue is put away: {card_words(line['discarded'])}." if line["discarded"] else ""
    return (
        f"  {book.who(line['seat'])} is scooped by {seat_no(line['by'])} {SCOOP_WORDS[line['why']]}"
        f" ({line['project']}): {line['bank_before']} + {line['added']}{cut}, bank now {line['bank']}.{queue}"
    )


def bank(book: Book, line: Line) -> str:
    why = "fell short and banks" if line["why"] == "short" else "switches and banks"
    moved = change(line["bank_before"], line["bank"])
    queue = f" (queue put away: {card_words(line['discarded'])})" if line["discarded"] else ""
    return f"  {book.who(line['seat'])} {why} {line['added']}: {moved}{queue}."


def badge(book: Book, line: Line) -> str:
    claimed = count(line["claimed"], "project is claimed", "projects are claimed")
    return f"  The badge goes to {book.who(line['president'])}. {claimed}."


def reshuffle(book: Book, line: Line) -> str:
    if line["what"] == "research":
        return "  The research deck ran dry: its discards are shuffled in."
    return f"  The discarded events are shuffled into a new deck of {len(line['order'])}."


Teller = Callable[[Book, Line], str]

#: what a line does -> the function that tells it
TELLERS: dict[str, Teller] = {
    "game": game,
    "piles": piles,
    "role": role,
    "first_president": first_president,
    "upgrade": upgrade,
    "immunity": immunity,
    "lay_out": lay_out,
    "pick": pick,
    "round": round_begins,
    "event": event,
    "no_event": no_event,
    "offer": offer,
    "award": award,
    "vote": vote,
    "promise": promise,
    "tie": tie,
    "elected": elected,
    "keep": keep,
    "play": play,
    "event_over": event_over,
    "due": due,
    "points": points,
    "bank_moves": bank_moves,
    "project_moves": project_moves,
    "event_moves": event_moves,
    "downgrade": downgrade,
    "immunity_lost": immunity_lost,
    "look": look,
    "scout": scout,
    "discard": discard,
    "agendas": agendas,
    "deal": deal,
    "submit": submit,
    "claim": claim,
    "scooped": scooped,
    "bank": bank,
    "badge": badge,
    "reshuffle": reshuffle,
    **story_invasion.CHAPTER,
}
