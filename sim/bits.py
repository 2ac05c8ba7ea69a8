"""Small sets as the bits of one whole number: bit k set means k is in the set."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from sim.compile import PLAIN, rule


@intrinsic
def _trailing_zeros(typing: Any, bits: Any) -> Any:
    """The processor has an instruction for this, and sets are asked all the time."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), code


def _lowest(bits):
    """The number of the lowest bit set; there must be one."""
    return _trailing_zeros(bits)


def _lowest_plain(bits):
    """The same in plain Python."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


lowest = _lowest_plain if PLAIN else rule(_lowest)
