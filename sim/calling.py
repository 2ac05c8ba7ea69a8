"""Calling a compiled function by its address: which strategy plays a seat is known only while the kernel runs.

Numba's own first-class functions do this with three words for each function, a branch before each call, and a
switch to find one in a tuple. A table of addresses is one load and one call: 9 % more games a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.compile import PLAIN


def address_of(function: Any) -> int:
    """Where the machine code of a function with exactly one signature begins."""
    (version,) = function.overloads.values()
    return int(version.library.get_pointer_to_function(version.fndesc.llvm_func_name))


class Functions:
    """Functions of one signature, as the kernel wants them: the address of a table of addresses.

    Without the compiler, the functions themselves. They stay alive as long as this object does.
    """

    def __init__(self, functions: Sequence[Any]) -> None:
        self._functions = list(functions)
        self._addresses = np.array([] if PLAIN else [address_of(f) for f in functions], np.int64)

    @property
    def handle(self) -> Any:
        """What is passed to the kernel."""
        return self._functions if PLAIN else self._addresses.ctypes.data


def _call_plain(functions: Any, place: int, table: Any, seat: Any, question: int, option: int) -> Any:
    return functions[place](table, seat, question, option)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _call_compiled(
    typing: Any, functions: Any, place: Any, table: Any, seat: Any, question: Any, option: Any
) -> Any:
    """Call the function in that place of the table, which takes the other arguments and returns a float.

    What it raises goes on to the caller, as with any compiled function.
    """
    arguments = (table, seat, types.int64, types.int64)
    signature = types.float64(functions, types.int64, *arguments)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = context.get_value_type(types.int64)
        table = builder.inttoptr(values[0], word.as_pointer())
        address = builder.load(builder.gep(table, [values[1]]))
        kind = context.call_conv.get_function_type(types.float64, arguments)
        pointer = builder.inttoptr(address, kind.as_pointer())
        status, result = context.call_conv.call_function(
            builder, pointer, types.float64, arguments, values[2:]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    return signature, generate


#: call(functions, place, table, seat, question, option)
call = _call_plain if PLAIN else _call_compiled
