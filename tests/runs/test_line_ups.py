"""Who sits where: as given, rotated in blocks, or drawn from a pool."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from sim.line_ups import LINE_UPS, POOL, ROTATED, SEATS, line_ups, whole_blocks

SEED = 11
LARGEST = 2**63 - 1


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_seats_stay(players: int) -> None:
    places, block = line_ups(SEATS, players, players, SEED, first=7, count=5)
    assert places.tolist() == [list(range(players))] * 5
    assert block.tolist() == [7, 8, 9, 10, 11]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_each_strategy_sits_in_each_seat_once_a_block(players: int) -> None:
    places, block = line_ups(ROTATED, players, players, SEED, first=0, count=3 * players)
    assert block.tolist() == [0] * players + [1] * players + [2] * players
    for number in range(3):
        mine = places[block == number]
        for seat in range(players):
            assert sorted(mine[:, seat].tolist()) == list(range(players))
        assert [sorted(row) for row in mine.tolist()] == [list(range(players))] * players


def test_rotation_moves_on_by_one_seat() -> None:
    places, _ = line_ups(ROTATED, 3, 3, SEED, first=0, count=3)
    assert places.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_neighbours_stay_neighbours() -> None:
    """The order round the table is the same in all games of a block."""
    places, _ = line_ups(ROTATED, 5, 5, SEED, first=0, count=5)
    assert ((np.diff(places, axis=1) % 5) == 1).all()


@pytest.mark.parametrize("way", list(LINE_UPS))
@pytest.mark.parametrize("cut", [1, 4, 7, 11])
def test_a_game_is_the_same_wherever_its_chunk_begins(way: str, cut: int) -> None:
    whole_places, whole_block = line_ups(way, 4, 4, SEED, first=20, count=12)
    left, right = (
        line_ups(way, 4, 4, SEED, first=20, count=cut),
        line_ups(way, 4, 4, SEED, first=20 + cut, count=12 - cut),
    )
    assert np.concatenate([left[0], right[0]]).tolist() == whole_places.tolist()
    assert np.concatenate([left[1], right[1]]).tolist() == whole_block.tolist()


@pytest.mark.parametrize("way", [SEATS, ROTATED])
def test_only_the_pool_draws(way: str) -> None:
    one, other = (line_ups(way, 4, 4, seed, first=0, count=9)[0] for seed in (1, 2))
    assert one.tolist() == other.tolist()


def test_the_pool_depends_on_the_seed() -> None:
    one, other = (line_ups(POOL, 9, 4, seed, first=0, count=50)[0] for seed in (1, 2))
    assert one.tolist() != other.tolist()
    assert (one == other).mean() < 0.3


def test_neighbouring_seeds_and_indices_are_not_shifted_copies() -> None:
    one, other = (line_ups(POOL, 12, 6, seed, first=0, count=200)[0].tolist() for seed in (1, 2))
    assert not {tuple(row) for row in one} & {tuple(row) for row in other}


def test_each_game_of_a_pool_has_its_own_luck() -> None:
    assert line_ups(POOL, 5, 3, SEED, first=3, count=4)[1].tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize("size", [1, 2, 5, 7, 11])
def test_a_pool_is_drawn_from_evenly(size: int) -> None:
    """Every strategy in every seat within five standard deviations of its share."""
    count = 40_000
    places = line_ups(POOL, size, 4, SEED, first=0, count=count)[0]
    share = 1 / size
    deviation = (count * share * (1 - share)) ** 0.5
    for seat in range(4):
        drawn = Counter(places[:, seat].tolist())
        assert set(drawn) == set(range(size))
        assert all(abs(n - count * share) <= 5 * deviation for n in drawn.values())


def test_the_seats_of_a_game_are_drawn_independently() -> None:
    """Two seats hold the same strategy as often as chance has it, and all pairs occur."""
    places = line_ups(POOL, 4, 3, SEED, first=0, count=40_000)[0]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        pairs = Counter(zip(places[:, one].tolist(), places[:, other].tolist(), strict=True))
        assert len(pairs) == 16
        assert all(abs(n - 2_500) < 5 * (40_000 * 15 / 256) ** 0.5 for n in pairs.values())


@pytest.mark.parametrize(
    ("size", "players", "seed", "first", "drawn"),
    [
        (5, 4, 1, 0, [[2, 3, 4, 4], [3, 1, 1, 0], [0, 0, 1, 4], [2, 1, 3, 3]]),
        (40, 6, 7, 123_456, [[37, 38, 9, 16, 2, 24], [39, 10, 21, 11, 31, 11]]),
        (5, 4, LARGEST, 10**12 - 1, [[2, 2, 1, 4]]),
    ],
)
def test_golden_draws(size: int, players: int, seed: int, first: int, drawn: list[list[int]]) -> None:
    """Records of old runs rest on these: they change with a new SCHEMA number only."""
    assert line_ups(POOL, size, players, seed, first, len(drawn))[0].tolist() == drawn


def test_the_largest_numbers_do_not_warn(recwarn: pytest.WarningsRecorder) -> None:
    line_ups(POOL, 64, 6, LARGEST, first=10**12 - 3, count=3)
    assert not recwarn.list


@pytest.mark.parametrize(
    ("way", "players", "games", "played"),
    [
        (SEATS, 3, 10, 10), (POOL, 4, 10, 10), (ROTATED, 3, 10, 12), (ROTATED, 4, 12, 12), (ROTATED, 6, 1, 6),
        (ROTATED, 5, 6, 10),
    ],
)  # fmt: skip
def test_whole_blocks(way: str, players: int, games: int, played: int) -> None:
    assert whole_blocks(way, players, games) == played
