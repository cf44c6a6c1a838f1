"""The entry that Python calls: guards, the program, the outputs wrapped, all in native code.

    args ─► EagerTensor ─slot─► ndarray ─ data, unknown sizes ─┐
    context ─► captured Storage ─slot─► ndarray ─ the same ────┴─► frame ─► main(frame)
                                                                              │
               0: outputs, made by NumPy's C functions and filled by main, are wrapped
               else: the error number goes to the context, and a function in it raises

Every arrow is guarded: types, dtypes, ranks and sizes are compared with what the program was made
for. Where one differs, nothing has happened yet, the entry gives NotImplemented, and Python looks
at the call. Variables that the program writes have one reference to their array (else it would be
changed under somebody's eyes), and arguments that are variables are no captured ones. A long
program gives up Python's lock around `main`, and lends those arrays (eager/storage.py). The frame
lies on the native stack (frame.py).

`entry(*tensors)` has CPython's METH_FASTCALL signature. Its bound argument is the context
(entry_context.py), an int64 array whose words it reads.
"""

from __future__ import annotations

from typing import Final

from ...core.specs import TensorSpec
from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import (
    CALL_WITHOUT_ARGUMENTS,
    CLEAR_ERROR,
    DEC_REF,
    INC_REF,
    NEW_OBJECT,
    NEW_TUPLE,
    RELEASE_KEPT,
    RESTORE_THREAD,
    SAVE_THREAD,
    THREAD_NUMBER,
    Prototype,
)
from ..llvm.types import Register
from ..llvm.writer import Writer
from ..lowered import INTERRUPTED, Lowered, PlainInput, VariableInput
from ..machine.division import GLUE
from ..native import interrupts
from ..native.records import FRAME
from . import shared_calls
from .entry_context import CONTEXT, context_layout
from .frame import ERROR_VALUES, FrameLayout
from .object_layouts import ARRAY, OBJECT
from .tables import ArgumentTable, OutputTable, TakenArgument
from .variables import CHECK, HOLD, RELEASE, CheckedVariable, StateTable

# So many variables, arguments or outputs have code of their own.
_FEW: Final = 4
_ENTRY: Final = Prototype("entry", "ptr", ("ptr", "ptr", "i64"))


class Entry:
    """Writes one entry, and the functions that it and its program need."""

    def __init__(
        self,
        texts: FunctionTexts,
        lowered: Lowered,
        parameters: int,
        frame: FrameLayout,
        main: Prototype,
        releases_lock: bool,
        polls: bool = False,
        keeps: bool = True,
    ) -> None:
        self.texts = texts
        self.lowered = lowered
        self.inputs = lowered.plain_inputs
        self.variables = {
            k: one for k, one in enumerate(self.inputs) if isinstance(one, VariableInput)
        }
        self.parameters = parameters
        self.frame = frame
        self.context = context_layout(lowered, parameters)
        self.main = main
        self.releases_lock = releases_lock
        self.polls = polls  # for signals, in loops without a known end
        self.keeps = keeps  # memory, until the program ends
        self.w = Writer()
        self.words = ""  # the frame
        self.slots: dict[int, Register] = {}  # of inputs: where the owner keeps the array
        self.many = self._many_states()
        self.table = self._state_table()
        self.held = "null"  # the table's notes
        taken = self._many_arguments()
        self.taken = ArgumentTable(self.w, texts, taken) if taken else None
        self.in_tables = self.many | {one.number for one in taken}
        made = {k: frame.outputs[k] for k in self._made_outputs()}
        self.made = OutputTable(self.w, texts, made) if len(made) > _FEW else None

    # ------------------------------------------------------------ small parts

    def fact(self, name: str) -> Register:
        """A field of the context."""
        return self.w.get("%context", CONTEXT, name)

    def context_word(self, number: int) -> Register:
        """A word of the context behind its record."""
        return self.w.load("ptr", self.w.word("%context", number))

    def guard(self, left: Register, right: Register, type_: str = "ptr") -> None:
        """Go on only where both are equal; otherwise Python looks at the call."""
        self._go_on_if(self.w.line(f"icmp eq {type_} {left}, {right}"), "refuse")

    def _go_on_if(self, good: Register, otherwise: str) -> None:
        onward = self.w.fresh_label("g")
        self.w.branch(good, onward, otherwise)
        self.w.begin(onward)

    def _leave_if(self, bad: Register, label: str) -> None:
        onward = self.w.fresh_label("g")
        self.w.branch(bad, label, onward)
        self.w.begin(onward)

    # ------------------------------------------------------------ the whole

    def write(self) -> None:
        w = self.w
        self.words = w.stack(f"[{self.frame.words} x i64]", 64)
        if self.table and self.releases_lock:
            self.held = w.stack(f"[{self.table.held_bytes} x i8]", 8)
        w.define("%context", f"load ptr, ptr {w.field('%self', ARRAY, 'data')}")
        self.guard("%count", str(self.parameters), "i64")
        self._common_words()
        arrays = {
            k: self._input(k, layout)
            for k, layout in enumerate(self.inputs)
            if k not in self.in_tables
        }
        if self.taken:
            self.guard(self.taken.take(self.words), "true", "i1")
        self._distinct_states(arrays)
        self._check_table()
        self._prepare_frame()
        self._run(arrays)
        self._failure(arrays)
        self._refusal()
        # Beside a long program nobody notices what LLVM's passes, 8 to 30 ms of them, would save.
        hints = GLUE if self.releases_lock else ""
        self.texts.add(w, _ENTRY, "self", "args", "count", hints=hints)
        dtypes = {number: self.context.outputs + number for number in self._made_outputs()}
        shared_calls.add_outputs(self.texts, self.frame, dtypes, self.releases_lock)
        if self.table:
            self.table.add_to(self.texts, self.releases_lock)
        if self.polls:
            interrupts.add_plain(self.texts, self.frame.polled, self.frame.thread, INTERRUPTED)

    def _common_words(self) -> None:
        self.tensor_type, self.tensor_slot = self.fact("tensor_type"), self.fact("tensor_slot")
        self.storage_type, self.storage_slot = self.fact("storage_type"), self.fact("storage_slot")

    def _made_outputs(self) -> list[int]:
        return [k for k, one in enumerate(self.lowered.outputs) if isinstance(one, TensorSpec)]

    # ------------------------------------------------------------ inputs

    def _input(self, number: int, layout: PlainInput) -> Register:
        """Check one input and put it in the frame; returns its array."""
        w, owner = self.w, self._owner(number, layout)
        slot = self.storage_slot if isinstance(layout, VariableInput) else self.tensor_slot
        at = self.slots[number] = w.at(owner, slot)
        array = w.load("ptr", at)
        if number < self.parameters or isinstance(layout, VariableInput):
            self._check_array(number, layout, array)
        w.store("ptr", w.get(array, ARRAY, "data"), w.word(self.words, layout.word))
        self._store_sizes(layout, array)
        return array

    def _owner(self, number: int, layout: PlainInput) -> Register:
        if number >= self.parameters:
            return self.context_word(self.context.captures + number - self.parameters)
        w = self.w
        argument = w.load("ptr", w.word("%args", number))
        if not isinstance(layout, VariableInput):
            self.guard(w.get(argument, OBJECT, "type"), self.tensor_type)
            return argument
        self.guard(w.get(argument, OBJECT, "type"), self.fact("handle_type"))
        storage = w.load("ptr", w.at(argument, self.fact("handle_slot")))
        self.guard(w.get(storage, OBJECT, "type"), self.storage_type)
        return storage

    def _check_array(self, number: int, layout: PlainInput, array: Register) -> None:
        w = self.w
        if isinstance(layout, VariableInput):  # None before its first value
            self.guard(w.get(array, OBJECT, "type"), self.fact("array_type"))
        else:  # null while the tensor is on a device
            self._leave_if(w.line(f"icmp eq ptr {array}, null"), "refuse")
        self.guard(w.get(array, ARRAY, "dtype"), self.context_word(self.context.dtypes + number))
        dims = layout.tensor.shape.as_tuple()
        self.guard(w.get(array, ARRAY, "rank"), str(len(dims)), "i32")
        sizes = w.get(array, ARRAY, "sizes") if dims else ""
        for axis, size in enumerate(dims):
            if size is not None:
                self.guard(w.load("i64", w.word(sizes, axis)), str(size), "i64")
        is_written = isinstance(layout, VariableInput) and layout.written
        if is_written:  # only the Storage may hold it: else somebody would see it change
            self.guard(w.get(array, OBJECT, "references"), "1", "i32")

    def _store_sizes(self, layout: PlainInput, array: Register) -> None:
        unknown = [axis for axis, size in enumerate(layout.tensor.shape.as_tuple()) if size is None]
        if not unknown:
            return
        w, sizes = self.w, self.w.get(array, ARRAY, "sizes")
        for number, axis in enumerate(unknown, layout.word + 1):
            w.store("i64", w.load("i64", w.word(sizes, axis)), w.word(self.words, number))

    def _many_states(self) -> frozenset[int]:
        """The inputs that a loop over a table checks: captured variables, if there are many."""
        if any(k < self.parameters for k in self.variables):
            return frozenset()  # which may be one of the others
        found = frozenset(
            k
            for k, variable in self.variables.items()
            if variable.tensor.shape.is_fully_defined() and k not in self.lowered.outputs
        )
        return found if len(found) > _FEW else frozenset()

    def _many_arguments(self) -> list[TakenArgument]:
        """The tensors that a loop over a table checks, if there are many."""
        found = [
            TakenArgument(k, self.context.dtypes + k, one.word, one.tensor.shape.as_tuple())
            for k, one in enumerate(self.inputs[: self.parameters])
            if k not in self.variables and k not in self.lowered.outputs
        ]
        return found if len(found) > _FEW else []

    def _state_table(self) -> StateTable | None:
        states: list[CheckedVariable] = []
        for k in sorted(self.many):
            layout = self.variables[k]
            storage = self.context.captures + k - self.parameters
            sizes = tuple(size for size in layout.tensor.shape.as_tuple() if size is not None)
            dtype = self.context.dtypes + k
            states.append(CheckedVariable(storage, dtype, layout.word, sizes, layout.written))
        return StateTable(states) if states else None

    def _check_table(self) -> None:
        if self.table:
            given = ("%context", self.words, self.storage_slot, self.held)
            self.guard(self.w.invoke(CHECK, *given), "true", "i1")

    def _distinct_states(self, arrays: dict[int, str]) -> None:
        """Variables that are written must be different ones: the program assumes it."""
        states = self.variables
        for k in states:
            for other in states:
                if other <= k or (other < self.parameters and k < self.parameters):
                    continue  # parameters: their aliasing is part of the trace's type
                if k >= self.parameters:
                    continue  # captures are different by construction
                if states[k].written or states[other].written:
                    self._different(arrays[k], arrays[other])

    def _different(self, left: Register, right: Register) -> None:
        self._go_on_if(self.w.line(f"icmp ne ptr {left}, {right}"), "refuse")

    # ------------------------------------------------------------ the call

    def _prepare_frame(self) -> None:
        w, frame = self.w, self.words
        w.put("0", frame, FRAME, "depth")
        w.put("null", frame, FRAME, "kept")
        w.store("ptr", "%context", w.word(frame, self.frame.context))
        w.store("i64", "0", w.word(frame, self.frame.polled))
        first = self.lowered.frame_entries - len(self.lowered.counters)
        if self.lowered.counters:
            counters = self.context_word(self.context.counters)
            for number in range(len(self.lowered.counters)):
                w.store("ptr", w.word(counters, number), w.word(frame, first + number))
        if self.made:
            self.made.clear(frame)
            return
        for number in self._made_outputs():
            w.store("ptr", "null", w.word(frame, self.frame.outputs[number]))

    def _run(self, arrays: dict[int, Register]) -> None:
        w = self.w
        for array in self._handed_back(arrays):  # objects that die on the way may replace them
            w.invoke(INC_REF, array)
        lent: list[tuple[Register, Register]] = []
        if self.releases_lock:
            for array in arrays.values():  # another thread may drop them meanwhile
                w.invoke(INC_REF, array)
            if self.taken:
                self.taken.hold()
            lent = self._lend(arrays)
            _save_thread(w, self.words, self.frame)
        failed = w.invoke(self.main, self.words)
        if self.keeps:
            w.invoke(RELEASE_KEPT, self.words)
        if self.releases_lock:
            _restore_thread(w, self.words, self.frame)
            self._take_back(lent, arrays)
        w.branch(w.line(f"icmp eq i32 {failed}, 0"), "wrap", "fail")
        w.begin("wrap")
        self._wrap_outputs(arrays)

    def _lend(self, arrays: dict[int, Register]) -> list[tuple[Register, Register]]:
        """Take the arrays that the program writes out of their variables, where other threads would
        find them half changed. Their references are kept for when they change places again.
        """
        written = [k for k, one in self.variables.items() if one.written]
        if not written and self.table is None:
            return []
        w = self.w
        thread = w.invoke(THREAD_NUMBER)
        by_main = w.line(f"icmp eq i64 {thread}, {self.fact('main_thread')}")
        choice = f"ptr {self.fact('lent_by_main')}, ptr {self.fact('lent')}"
        lent = w.line(f"select i1 {by_main}, {choice}")
        if self.table:
            w.invoke(HOLD, self.held, lent)
        own = [k for k in written if k in arrays]
        for k in own:
            w.invoke(INC_REF, lent)
            w.store("ptr", lent, self.slots[k])
        return [(self.slots[k], arrays[k]) for k in own]

    def _take_back(
        self, lent: list[tuple[Register, Register]], arrays: dict[int, Register]
    ) -> None:
        w = self.w
        for slot, array in lent:
            stand_in = w.load("ptr", slot)
            w.store("ptr", array, slot)
            w.invoke(DEC_REF, stand_in)
        for array in arrays.values():
            w.invoke(DEC_REF, array)
        if self.taken:
            self.taken.drop()
        if self.table:
            w.invoke(RELEASE, self.held)

    def _handed_back(self, arrays: dict[int, str]) -> list[str]:
        """The arrays of inputs that are outputs as they are."""
        return [arrays[output] for output in self.lowered.outputs if isinstance(output, int)]

    def _wrap_outputs(self, arrays: dict[int, Register]) -> None:
        w = self.w
        made = w.invoke(NEW_TUPLE, str(len(self.lowered.outputs)))
        self._leave_where_null(made)
        items = w.at(made, self.fact("tuple_items"))
        if self.made:
            self._go_on_if(self.made.wrap(self.words, items), "starved")
        for number, output in enumerate(self.lowered.outputs):
            if self.made and not isinstance(output, int):
                continue
            array = arrays[output] if isinstance(output, int) else self._made(number)
            tensor = w.invoke(NEW_OBJECT, self.tensor_type, "0")
            self._leave_where_null(tensor)
            w.store("ptr", array, w.at(tensor, self.tensor_slot))
            w.store("ptr", tensor, w.word(items, number))
        w.do(f"ret ptr {made}")
        w.begin("starved")  # MemoryError is set; what was made is never freed
        w.do("ret ptr null")

    def _made(self, number: int) -> Register:
        """The array that was made for an output."""
        return self.w.load("ptr", self.w.word(self.words, self.frame.outputs[number]))

    def _leave_where_null(self, pointer: Register) -> None:
        self._leave_if(self.w.line(f"icmp eq ptr {pointer}, null"), "starved")

    def _failure(self, arrays: dict[int, Register]) -> None:
        w = self.w
        w.begin("fail")
        for array in self._handed_back(arrays):
            w.invoke(DEC_REF, array)
        if self.made:
            self.made.drop(self.words)
        for number in [] if self.made else self._made_outputs():
            w.invoke(DEC_REF, self._made(number))  # null is allowed
        error = w.word(self.words, self.frame.error)
        if self.polls:  # what a signal's handler raised is on its way already
            number = w.load("i64", error)
            self._leave_if(w.line(f"icmp eq i64 {number}, {INTERRUPTED}"), "starved")
        told = w.field("%context", CONTEXT, "error")
        size = 8 * (1 + ERROR_VALUES)
        w.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {told}, ptr {error}, i64 {size}, i1 false)")
        w.invoke(CLEAR_ERROR)  # NumPy's, where it had no memory for an output
        w.do(f"ret ptr {w.invoke(CALL_WITHOUT_ARGUMENTS, self.fact('raiser'))}")

    def _refusal(self) -> None:
        self.w.begin("refuse")
        answer = self.fact("not_implemented")
        self.w.invoke(INC_REF, answer)
        self.w.do(f"ret ptr {answer}")


def _save_thread(w: Writer, frame: Register, layout: FrameLayout) -> None:
    """Give up Python's lock."""
    w.store("ptr", w.invoke(SAVE_THREAD), w.word(frame, layout.thread))


def _restore_thread(w: Writer, frame: Register, layout: FrameLayout) -> None:
    w.invoke(RESTORE_THREAD, w.load("ptr", w.word(frame, layout.thread)))
