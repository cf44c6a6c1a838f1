"""What functions take and give that are neither loop code nor `definitions.py`'s: those of CPython
and of the system, and those that modules write because they call them or need atomic memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...core.process.named_tuples import NamedTuple
from .types import Register


class Prototype(NamedTuple):
    """A function's name, and LLVM's types of its result and parameters.

    internal: only its own module knows it.
    fixed: how many parameters it is declared with, where any others may follow.
    effects: what calls may touch, where LLVM is told.
    """

    name: str
    result: str
    parameters: tuple[str, ...] = ()
    internal: bool = False
    fixed: int | None = None
    effects: str = ""

    @property
    def declaration(self) -> str:
        """For modules that call it and do not define it."""
        return f"declare {self.result} @{self.name}{self._declared()}"

    def header(self, names: Sequence[str], hints: str = "") -> str:
        """What its definition begins with; `names` are those of its parameters."""
        pairs = zip(self.parameters, names, strict=True)
        taken = ", ".join([f"{type_} %{name}" for type_, name in pairs])
        linkage = "internal " if self.internal else ""
        return f"define {linkage}{self.result} @{self.name}({taken}) {hints}".rstrip()

    def call(self, arguments: Sequence[Register]) -> str:
        """The instruction."""
        pairs = zip(self.parameters, arguments, strict=True)
        given = ", ".join([f"{type_} {register}" for type_, register in pairs])
        of = f"{self.result} {self._declared()}" if self.fixed is not None else self.result
        return f"call {of} @{self.name}({given}){self.effects}"

    def _declared(self) -> str:
        if self.fixed is None:
            return f"({', '.join(self.parameters)})"
        return f"({', '.join((*self.parameters[: self.fixed], '...'))})"


# ---------------------------------------------------------------- loop code, most of it shared

RELEASE_KEPT: Final = Prototype("tm_release_kept", "void", ("ptr",))
ARENA_END: Final = Prototype("tm_arena_end", "void", ("ptr",))
# native/memory/reserve_lock.py says what these do.
LOCK_RESERVE: Final = Prototype("tm_lock_reserve", "ptr")
UNLOCK_RESERVE: Final = Prototype("tm_unlock_reserve", "void")


def program(name: str) -> Prototype:
    """A program (emit.py): it takes the frame, and gives whether it failed."""
    return Prototype(name, "i32", ("ptr",), internal=True)


# ---------------------------------------------------------------- CPython

INC_REF: Final = Prototype("Py_IncRef", "void", ("ptr",))
DEC_REF: Final = Prototype("Py_DecRef", "void", ("ptr",))
NEW_TUPLE: Final = Prototype("PyTuple_New", "ptr", ("i64",))
NEW_OBJECT: Final = Prototype("PyType_GenericAlloc", "ptr", ("ptr", "i64"))
CALL_WITHOUT_ARGUMENTS: Final = Prototype("PyObject_CallNoArgs", "ptr", ("ptr",))
SAVE_THREAD: Final = Prototype("PyEval_SaveThread", "ptr")
RESTORE_THREAD: Final = Prototype("PyEval_RestoreThread", "void", ("ptr",))
TAKE_LOCK: Final = Prototype("PyGILState_Ensure", "i32")
GIVE_LOCK_BACK: Final = Prototype("PyGILState_Release", "void", ("i32",))
THREAD_NUMBER: Final = Prototype("PyThread_get_thread_ident", "i64")
CHECK_SIGNALS: Final = Prototype("PyErr_CheckSignals", "i32")
CLEAR_ERROR: Final = Prototype("PyErr_Clear", "void")
FETCH_ERROR: Final = Prototype("PyErr_Fetch", "void", ("ptr",) * 3)
NORMALIZE_ERROR: Final = Prototype("PyErr_NormalizeException", "void", ("ptr",) * 3)

# calling/entry_loops.py says what these take.
TAKE_ARGUMENTS: Final = Prototype(
    "tm_take_arguments", "i1", ("ptr", "ptr", "ptr", "ptr", "i64", "ptr")
)
HOLD_ARRAYS: Final = Prototype("tm_hold_arrays", "void", ("ptr", "i64"))
DROP_ARRAYS: Final = Prototype("tm_drop_arrays", "void", ("ptr", "i64"))
CLEAR_OUTPUTS: Final = Prototype("tm_clear_outputs", "void", ("ptr", "ptr", "i64"))
WRAP_OUTPUTS: Final = Prototype("tm_wrap_outputs", "i1", ("ptr", "ptr", "ptr", "ptr", "i64"))
DROP_OUTPUTS: Final = Prototype("tm_drop_outputs", "void", ("ptr", "ptr", "i64"))
# Of a frame, and its word for the context (calling/shared_calls.py).
SIGNALS: Final = Prototype("tm_signals", "i64", ("ptr", "i64"))

# ---------------------------------------------------------------- the system, and our threads

CLOCK: Final = Prototype("clock_gettime", "i32", ("i32", "ptr"))
FUTEX: Final = Prototype(
    "syscall", "i64", ("i64", "ptr", "i32", "i32", "ptr", "ptr", "i32"), fixed=1
)
YIELD: Final = Prototype("sched_yield", "i32")
CREATE_THREAD: Final = Prototype("pthread_create", "i32", ("ptr",) * 4)
DETACH_THREAD: Final = Prototype("pthread_detach", "i32", ("i64",))
MASK_SIGNALS: Final = Prototype("pthread_sigmask", "i32", ("i32", "ptr", "ptr"))
FILL_SIGNALS: Final = Prototype("sigfillset", "i32", ("ptr",))
PARALLEL_FOR: Final = Prototype("tm_parallel_for", "void", ("i64", "ptr", "ptr", "i64"))
DIVIDED_FOR: Final = Prototype("tm_divided_for", "void", ("i64", "ptr", "ptr", "i64"))
THREADS: Final = Prototype("tm_threads", "i64")
THIS_THREAD: Final = Prototype("pthread_self", "i64")
OF_THIS_THREAD: Final = Prototype("pthread_getspecific", "ptr", ("i32",))
SLEEP: Final = Prototype("usleep", "i32", ("i32",))
# native/sides.py and native/crews.py say what these do.
BEGIN_SIDES: Final = Prototype("tm_begin_sides", "void", ("ptr", "ptr", "i64", "i64", "i64"))
BESIDE: Final = Prototype("tm_beside", "void", ("ptr", "i64", "i64"))
END_SIDES: Final = Prototype("tm_end_sides", "i1", ("ptr", "ptr", "i64", "i64"))
LOOK: Final = Prototype("tm_look", "i64", ("ptr",))
