"""The one source of randomness: splitmix64, keyed by (seed, game index, stream).

A game depends on nothing but its plan, seed and index. Each kind of luck has a stream of its own, so that
two rule sets played on the same seed meet the same luck wherever they can.
"""

from __future__ import annotations

import numpy as np

from sim.compile import rule, tool

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(n) for n in (27, 30, 31, 32, 11))
_LOW_32 = np.uint64(0xFFFFFFFF)
_UNIT = 1.0 / 9007199254740992.0  # 2**-53


@rule
def mix(z):
    """Scramble 64 bits (the finaliser of splitmix64)."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@rule
def key(seed, index, stream):
    """The starting state of one stream of one game."""
    state = mix(np.uint64(seed) + _GOLDEN)
    state = mix(state ^ (np.uint64(index) * _MIX_1 + _GOLDEN))
    return mix(state + np.uint64(stream + 1) * _GOLDEN)


@rule
def branch(state, number):
    """The state of a sub-stream, e.g. of the cards dealt to one seat in one round."""
    return mix(state ^ (np.uint64(np.int64(number) + 1) * _GOLDEN))


@rule
def below(streams, stream, n):
    """A whole number from 0 to n - 1, all equally likely; advances the stream."""
    wide = np.uint64(n)
    while True:
        streams[stream] += _GOLDEN
        product = (mix(streams[stream]) >> _S32) * wide
        low = product & _LOW_32
        # lows under 2**32 mod n would be a trifle too likely: they are drawn again (Lemire's method);
        # the division is slow, and hardly ever needed
        if low >= wide or low >= (_LOW_32 + np.uint64(1) - wide) % wide:
            return int(product >> _S32)


@rule
def shuffle(streams, stream, cards, n):
    """Shuffle the first n entries of an array in place."""
    for last in range(n - 1, 0, -1):
        pick = below(streams, stream, last + 1)
        card = cards[last]
        cards[last] = cards[pick]
        cards[pick] = card


@rule
def next_dice(dice):
    """The randomness of a seat's next decision."""
    return mix(dice + _GOLDEN)


@tool
def chance(seat, k):
    """For strategies: the k-th random number in [0, 1) of the decision at hand.

    It changes nothing: asked again with the same k in the same decision, it gives the same number.
    """
    return float(mix(seat.dice + np.uint64(k + 1) * _GOLDEN) >> _S11) * _UNIT
