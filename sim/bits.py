"""Small sets as the bits of one whole number: bit k set means k is in the set."""

from __future__ import annotations

from sim.compile import rule


@rule
def lowest(bits):
    """The number of the lowest bit set."""
    n = 0
    while bits & 0xFF == 0:
        bits >>= 8
        n += 8
    while bits & 1 == 0:
        bits >>= 1
        n += 1
    return n
