"""Faster compiling: the parts of a kernel are optimised once, together, instead of one by one.

Numba turns every function it compiles into machine code of its own, although ours are only ever called from
inside a kernel, into which their code is linked a second time. With a few hundred small functions that is
most of the compile time. Here a *part* stops before the optimiser; the *whole* that is called from Python
links all the parts it needs and optimises them in one go.

Measured: 27 s of processor time become 12 s, and the games run a little faster as well.

This uses numba's compiler classes, which are not promised to stay. Whole games are compared with plain Python
in the tests, and `available` is false where the classes are gone: numba's own way is then taken.
"""

from __future__ import annotations

from typing import Any

try:
    from llvmlite.binding import Linkage
    from numba import _dynfunc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    available = True
except ImportError:  # pragma: no cover - a later numba
    available = False

if available:

    class Part(JITCodeLibrary):
        """A function's code, not optimised, to be linked into wholes."""

        def finalize(self) -> None:
            self._final_module.verify()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    class Whole(JITCodeLibrary):
        """A function that Python calls, with every part it uses, directly or not."""

        def finalize(self) -> None:
            self._linking_libraries = _all_parts(self)
            super().finalize()

        def _optimize_final_module(self) -> None:
            # nobody else calls the parts: told so, the compiler may change them to suit their callers
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                    function.linkage = "internal"
            super()._optimize_final_module()

    def _all_parts(library: Any) -> list[Any]:
        """The libraries a library needs, directly or not, each once and before those that it needs itself.

        The linker takes only what is called for by then: a function has to come after its callers.
        """
        done: dict[Any, None] = {}

        def visit(other: Any) -> None:
            if other not in done:
                for deeper in other._linking_libraries if isinstance(other, Part) else ():
                    visit(deeper)
                done[other] = None

        for other in library._linking_libraries:
            visit(other)
        return list(reversed(done))

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(NativeLowering):
        """Ends with the code of one function."""

        _name = "xenobalance_part_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            fndesc, call_helper, _, env = state["cr"]
            name = fndesc.qualname.split(".")[-1]
            cfunc = _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (state.library,))
            state.targetctx.insert_user_function(cfunc, fndesc, [state.library])
            state["cr"] = _LowerResult(fndesc, call_helper, cfunc=cfunc, env=env)
            return True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class WholeLowering(NativeLowering):
        """Ends with machine code."""

        _name = "xenobalance_whole_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return bool(super().run_pass(state))

    def _compiler(lowering: type) -> type:
        class Compiler(CompilerBase):
            def define_pipelines(self) -> list[Any]:
                passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
                passes._finalized = False
                passes.passes = [(lowering if p is NativeLowering else p, text) for p, text in passes.passes]
                passes.finalize()
                return [passes]

        return Compiler

    PartCompiler: Any = _compiler(PartLowering)
    WholeCompiler: Any = _compiler(WholeLowering)


def part_options() -> dict[str, Any]:
    """For `njit`: a function that is called from compiled code only."""
    return {"pipeline_class": PartCompiler} if available else {}


def whole_options() -> dict[str, Any]:
    """For `njit`: a function that is called from Python, or kept on disk."""
    return {"pipeline_class": WholeCompiler} if available else {}
