"""The story of interceptions, missions and battles."""

from __future__ import annotations

from collections.abc import Callable

from sim.games.target_earth.story_words import (
    Book,
    Line,
    added,
    cell_word,
    count,
    faces,
    listed,
    lot,
    place,
    seat_no,
    unit_word,
    units,
)


# --- in the air --------------------------------------------------------------------------------------------
def scramble(book: Book, line: Line) -> str:
    fighter = unit_word("fighter", line["elite"])
    return (
        f"  {book.who(line['seat'])} sends {fighter} from {cell_word(line['cell'])} to slot {line['slot']}."
    )


def interception(book: Book, line: Line) -> str:
    fighters = listed(
        f"{seat_no(seat)} with {_fighters(plain, elites)}" for seat, plain, elites in line["fighters"]
    )
    where = place(book.targets.get(line["slot"]))
    attack = count(line["attack"], "die", "dice")
    return (
        f"  Interception at slot {line['slot']}: the {line['size']} UFO ({attack}) on its way to {where} against"
        f" {fighters}."
    )


def _fighters(plain: int, elites: int) -> str:
    found = [units(plain, "fighter")] if plain or not elites else []
    return listed([*found, *([units(elites, "fighter", True)] if elites else [])])


def air_round(book: Book, line: Line) -> str:
    return f"    Round {line['round']}. {_round(book, line, 'The UFO rolls')}"


def _round(book: Book, line: Line, aliens: str) -> str:
    """Both rolls, the hits, and who has more. Dice that are rolled again later are shown as they first fell."""
    shown = [die for _, dice in line["allied_dice"] for die in dice]
    own = "; ".join(f"{seat_no(seat)}: {book.rolled(dice)}" for seat, dice in line["allied_dice"])
    bonus = f", {count(line['bonus'], 'bonus card')} among them" if line["bonus"] else ""
    allied = f"The Alliance rolls {count(line['factor'], 'die', 'dice')}{bonus}: {own or 'none'}."
    of_aliens, of_allies = line["hits"]
    again = " after the re-roll below" if book.hits(shown) != of_allies else ""
    verdict = "more: the Alliance hits" if of_allies > of_aliens else "not more: the aliens hit"
    rolled = f"{aliens} {book.rolled(line['alien_dice'])}"
    return f"{rolled}. {allied} {of_allies}{again} against {of_aliens} is {verdict}."


def bonus(book: Book, line: Line) -> str:
    dice = f"{line['cards'] * book.rules['bonus_card']} more for each allied unit in the group"
    return f"      {count(line['cards'], 'bonus card')} of {seat_no(line['seat'])} in that roll ({dice})."


def reroll(book: Book, line: Line) -> str:
    before, after = (book.rolled(line[key]) for key in ("dice_before", "dice_after"))
    left = f"{count(line['left'], 're-roll')} left"
    dice = count(line["dice"], "die", "dice")
    return f"      {book.who(line['seat'])} rolls {dice} of {before} again and has {after} ({left})."


def withdraw(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} withdraws {_fighters(line['fighters'], line['elites'])}."


def loss(book: Book, line: Line) -> str:
    if line["seat"] is None:
        return f"      An alien {line['unit']} falls (unit {line['index']}; {lot(line['draw'])})."
    which = f"unit {line['index']}; " if "index" in line else ""
    unit = unit_word(line["unit"], line["elite"])
    return f"      {book.who(line['seat'])} loses {unit} ({which}{lot(line['draw'])})."


def shot_down(book: Book, line: Line) -> str:
    return f"    The UFO of slot {line['slot']} is shot down."


def escaped(book: Book, line: Line) -> str:
    return f"    The UFO of slot {line['slot']} goes on."


def elite(book: Book, line: Line) -> str:
    where = ", which fought at home" if line["at_home"] else ""
    return f"    {book.who(line['seat'])}: {unit_word(line['unit'])}{where} becomes elite."


def knowledge(book: Book, line: Line) -> str:
    return f"    Alien knowledge is {line['knowledge']} now."


# --- on the ground -----------------------------------------------------------------------------------------
def mission(book: Book, line: Line) -> str:
    parts = [
        units(line[f"{prefix}{key}"], unit, bool(prefix))
        for key, unit in (("infantry", "infantry"), ("tanks", "tank"))
        for prefix in ("", "elite_")
        if line[f"{prefix}{key}"]
    ]
    cells = ", ".join(f"{'elite ' * one}{unit} {cell}" for unit, one, cell in line["cells"])
    sent = f"a carrier with {listed(parts, 'nobody')}"
    return f"  {book.who(line['seat'])} sends {sent} to {book.target(line['target'])} (from cells: {cells})."


def battle(book: Book, line: Line) -> str:
    aliens = ", ".join(f"{k} {kind} ({dice})" for k, (kind, dice) in enumerate(line["aliens"], 1))
    allies = ", ".join(
        f"{k} {'elite ' * elite}{unit} of {seat_no(seat)}{' at home' * at_home} ({dice})"
        for k, (seat, unit, elite, dice, at_home) in enumerate(line["allies"], 1)
    )
    more = [f"+{line['alien_bonus']} for the aliens, at their own base"] if line["alien_bonus"] else []
    more += [f"+{line['allied_bonus']} for the Alliance, at a fortified base"] if line["allied_bonus"] else []
    included = f" ({' and '.join(more)}: included)" if more else ""
    return (
        f"  Battle at {book.target(line['target'])}. Units, with their dice{included}:\n"
        f"    aliens: {aliens or 'none'}\n    Alliance: {allies or 'none'}"
    )


def groups(book: Book, line: Line) -> str:
    sides = (line["aliens"], line["allies"])
    found = sorted({group for side in sides for group in side if group is not None})
    told = [
        f"group {group}: aliens {_numbers(line['aliens'], group)} against allies {_numbers(line['allies'], group)}"
        for group in found
    ]
    drawn = ", ".join(f"{k + 1} of {n}" for k, n in line["draws"])
    lots = f" (lots drawn: {drawn})" if drawn else ""
    how = "All units take their places" if line["anew"] else "Units without an opponent join others"
    return f"    Round {line['round']}. {how}{lots}: {'; '.join(told) or 'nobody is left'}."


def _numbers(side: list[int | None], group: int) -> str:
    return " ".join(str(k) for k, one in enumerate(side, 1) if one == group) or "none"


def ground_round(book: Book, line: Line) -> str:
    told = _round(book, line, "The aliens roll")
    return f"    Round {line['round']}, group {line['group']}. {told}"


def retreat(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} retreats from group {line['group']} with {count(line['units'], 'unit')}."


def battle_over(book: Book, line: Line) -> str:
    if line["winner"] == "alliance":
        return f"    The battle at {book.target(line['target'])} is won."
    left = count(line["left"], "alien unit")
    return f"    The battle at {book.target(line['target'])} is lost: {left} left."


def carriers_lost(book: Book, line: Line) -> str:
    return f"    {book.who(line['seat'])} loses {count(line['carriers'], 'carrier')}: no allied unit is left."


# --- what UFOs do that get through --------------------------------------------------------------------------
def conquest(book: Book, line: Line) -> str:
    total = added(line["dice"], (line["bonus"], f"{line['size']} UFO"))
    success = "one step towards the aliens" if line["success"] else "it withstands"
    ufo = f"The {line['size']} UFO of slot {line['slot']}"
    return f"  {ufo} attacks {line['country']}: {total} against D {line['needed']}: {success}."


def raid(book: Book, line: Line) -> str:
    lost = count(line["modules"], "module")
    return f"  The UFO of slot {line['slot']} raids the base of {seat_no(line['seat'])}: {lost} to lose."


def module_lost(book: Book, line: Line) -> str:
    thrown = ", ".join(faces(dice) for dice in line["dice"])
    unit = f" with {unit_word(line['unit'])} on it" if line["unit"] else ""
    where = cell_word(line["cell"])
    return (
        f"    Dice {thrown}: {seat_no(line['seat'])} loses the {line['module']} on {where}{unit}; the aliens have"
        f" {line['points']} points."
    )


CHAPTER: dict[str, Callable[[Book, Line], str]] = {
    one.__name__: one
    for one in (
        scramble, interception, air_round, bonus, reroll, withdraw, loss, shot_down, escaped, elite, knowledge,
        mission, battle, groups, ground_round, retreat, battle_over, carriers_lost, conquest, raid, module_lost,
    )
}  # fmt: skip
