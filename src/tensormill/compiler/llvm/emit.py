"""A whole program as LLVM IR text.

    define internal i32 @<name>(ptr noalias %frame)

returns 0, or 1 after a failed check. The frame is a table of 64-bit words: one per entry of
`program.frame` (a buffer's address, a variable's value in the low bits), then one for the error
number and eight for its values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from ..loops.buffer_placement import ALIGNMENT, plan
from ..loops.ir import NativeFunction, Program
from ..native import library
from ..native.interrupts import POLL
from ..native.memory import temporaries
from .block_functions import BlockFunctions
from .function_texts import Packed
from .functions import add_functions, failing, memory_of
from .module import ModuleText
from .outline import Outliner
from .sides import Sides
from .statements import Statements

_ON_STACK: Final = 16384  # bytes of the arena of buffers of known size


def emit(
    program: Program,
    function_name: str,
    *,
    functions: Sequence[NativeFunction] = (),
    defined: Iterable[str] = (),
    packed: Mapping[str, Packed] | None = None,
    exported: Collection[str] = (),
) -> str:
    """LLVM IR text of a verified program, with all that it needs but what `defined` names.

    `functions` are written beside it: all that it, and they themselves, call. `defined` are symbols
    that the caller's own text defines or declares. Whatever else is called is declared here.
    Calls of what is `packed` are calls of what it says. Other modules see what is `exported`.
    Numbered metadata begins at !0.
    """
    names = {*defined, *temporaries.COPIED, *(one.name for one in functions)}
    placed = plan(program)
    placed = placed._replace(own=placed.own | memory_of(functions))
    module = ModuleText(function_name, program, placed, names, failing(functions), packed)
    w = module.writer()
    polls = POLL.name in module.defined
    outliner = Outliner(module, program)
    outliner.block_functions = BlockFunctions(module, program, outliner.outline)
    statements = Statements(module, w, "%frame", outliner.outline, polls)
    statements.divide = outliner.block_functions.divide
    statements.beside = Sides(module, outliner.block_functions).beside
    if module.failing:
        statements.clear_failure()
    _reserve(statements)
    statements.body(program.body)
    statements.finish("ret i32 0", "ret i32 1")
    outliner.block_functions = None  # the two know each other: a cycle, with all of the program
    header = f"define internal i32 @{function_name}(ptr noalias %frame) nounwind"
    module.add_function(w, header + module.mark_of(w))
    add_functions(module, functions, exported)
    if module.uses_arena:
        add_functions(module, library.needed(temporaries.COPIED))
    return module.text()


def _reserve(statements: Statements) -> None:
    """Memory that buffers of known size share."""
    size = statements.module.plan.arena_bytes
    if 0 < size <= _ON_STACK:
        statements.static_arena = statements.w.stack(f"[{size} x i8]", ALIGNMENT)
    elif size:
        # More than there can be is asked for as that: the number has to fit into the instruction.
        statements.static_arena = statements.claim(str(min(size, 2**62)))
