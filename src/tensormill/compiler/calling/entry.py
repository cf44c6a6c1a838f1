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

`entry(*tensors)` has CPython's METH_FASTCALL signature. Its bound argument is the context, an
int64 array whose words it reads (nothing in the code depends on this process, so the code can be
cached on disk):

    0 EagerTensor type   1 its slot   2 Storage type   3 its slot   4 PyArray_New   5 ndarray type
    6 what to call after a failed check   7 NotImplemented   8 EagerHandle type   9 its slot
    10 what stands in a Storage whose array is lent   11 the same by the main thread   12 its number
    13 where a tuple's items begin
    14.. error number and 16 values; then per input: the dtype object;  then per capture: its
    object;  then per output: NumPy's type number;  then the address of the counters
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...core.specs import TensorSpec
from ..lowered import INTERRUPTED, Lowered, PlainInput, VariableInput
from ..native.call_memory import RELEASING
from ..native.records import FRAME
from . import object_layouts
from .frame import ERROR_VALUES, FrameLayout

if TYPE_CHECKING:
    from .variables import StateTable

TENSOR_TYPE, TENSOR_SLOT, STORAGE_TYPE, STORAGE_SLOT = 0, 1, 2, 3
NEW_ARRAY, ARRAY_TYPE, RAISER, NOT_IMPLEMENTED = 4, 5, 6, 7
HANDLE_TYPE, HANDLE_SLOT = 8, 9
LENT, LENT_BY_MAIN, MAIN_THREAD = 10, 11, 12
TUPLE_ITEMS = 13
ERROR = 14
INPUTS = ERROR + 1 + ERROR_VALUES
# So many variables are checked by code of their own.
_FEW_STATES = 4


class ContextLayout(NamedTuple):
    """Positions in the context, in words."""

    dtypes: int
    captures: int
    outputs: int
    counters: int
    words: int  # of all


def context_layout(lowered: Lowered, parameters: int) -> ContextLayout:
    captures = INPUTS + len(lowered.inputs)
    outputs = captures + len(lowered.inputs) - parameters
    counters = outputs + len(lowered.outputs)
    return ContextLayout(INPUTS, captures, outputs, counters, counters + 1)


class EntryText:
    """Writes the LLVM IR of one entry."""

    def __init__(
        self,
        lowered: Lowered,
        parameters: int,
        frame: FrameLayout,
        main: str,
        releases_lock: bool,
        polls: bool = False,
        keeps: bool = True,
    ) -> None:
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
        self.lines: list[str] = []
        self.slots: dict[int, str] = {}  # of inputs: where the owner keeps the array
        self.many = self._many_states()
        self.table = self._state_table()
        self.numbers = 0

    # ------------------------------------------------------------ small parts

    def add(self, line: str) -> None:
        self.lines.append("  " + line)

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def name(self) -> str:
        self.numbers += 1
        return f"%v{self.numbers}"

    def at(self, base: str, offset: int | str) -> str:
        """The address so many bytes on."""
        at = self.name()
        self.add(f"{at} = getelementptr i8, ptr {base}, i64 {offset}")
        return at

    def load(self, base: str, offset: int | str, type_: str = "ptr") -> str:
        at, value = self.at(base, offset), self.name()
        self.add(f"{value} = load {type_}, ptr {at}")
        return value

    def store(self, value: str, base: str, offset: int | str, type_: str = "ptr") -> None:
        self.add(f"store {type_} {value}, ptr {self.at(base, offset)}")

    def word(self, number: int, type_: str = "ptr") -> str:
        return self.load("%context", 8 * number, type_)

    def guard(self, left: str, right: str, type_: str = "ptr") -> None:
        """Go on only where both are equal; otherwise Python looks at the call."""
        same, onward = self.name(), f"g{self.numbers}"
        self.add(f"{same} = icmp eq {type_} {left}, {right}")
        self.add(f"br i1 {same}, label %{onward}, label %refuse")
        self.label(onward)

    # ------------------------------------------------------------ the whole

    def text(self) -> str:
        self.lines = ["define ptr @entry(ptr %self, ptr %args, i64 %count) {", "start:"]
        self.add(f"%frame = alloca [{self.frame.words} x i64], align 64")
        if self.table and self.releases_lock:
            self.add(f"%held = alloca [{self.table.held_bytes} x i8], align 8")
        self.add(f"%context = load ptr, ptr {self.at('%self', object_layouts.ARRAY_DATA)}")
        self.guard("%count", str(self.parameters), "i64")
        self._common_words()
        arrays = {
            k: self._input(k, layout) for k, layout in enumerate(self.inputs) if k not in self.many
        }
        self._distinct_states(arrays)
        self._check_table()
        self._prepare_frame()
        self._run(arrays)
        self._failure(arrays)
        self._refusal()
        self.lines.append("}")
        functions = [self._output_function(k) for k in self._made_outputs()]
        if self.table:
            functions.append(self.table.text(ARRAY_TYPE, self.releases_lock))
        if self.polls:
            from ..native import interrupts  # of no use to code that comes from the disk cache

            frame = self.frame
            functions.append(interrupts.plain(frame.polled, frame.thread, INTERRUPTED))
        return "\n".join([*self.lines, *functions, _DECLARATIONS])

    def _common_words(self) -> None:
        self.tensor_type, self.tensor_slot = self.word(TENSOR_TYPE), self.word(TENSOR_SLOT, "i64")
        self.storage_type = self.word(STORAGE_TYPE)
        self.storage_slot = self.word(STORAGE_SLOT, "i64")

    def _made_outputs(self) -> list[int]:
        return [k for k, one in enumerate(self.lowered.outputs) if isinstance(one, TensorSpec)]

    # ------------------------------------------------------------ inputs

    def _input(self, number: int, layout: PlainInput) -> str:
        """Check one input and put it in the frame; returns its array."""
        owner = self._owner(number, layout)
        slot = self.storage_slot if isinstance(layout, VariableInput) else self.tensor_slot
        at, array = self.at(owner, slot), self.name()
        self.add(f"{array} = load ptr, ptr {at}")
        self.slots[number] = at
        if number < self.parameters or isinstance(layout, VariableInput):
            self._check_array(number, layout, array)
        data = self.load(array, object_layouts.ARRAY_DATA)
        self.store(data, "%frame", 8 * layout.word)
        self._store_sizes(layout, array)
        return array

    def _owner(self, number: int, layout: PlainInput) -> str:
        if number >= self.parameters:
            return self.word(self.context.captures + number - self.parameters)
        argument = self.load("%args", 8 * number)
        if not isinstance(layout, VariableInput):
            self.guard(self.load(argument, object_layouts.OBJECT_TYPE), self.tensor_type)
            return argument
        self.guard(self.load(argument, object_layouts.OBJECT_TYPE), self.word(HANDLE_TYPE))
        storage = self.load(argument, self.word(HANDLE_SLOT, "i64"))
        self.guard(self.load(storage, object_layouts.OBJECT_TYPE), self.storage_type)
        return storage

    def _check_array(self, number: int, layout: PlainInput, array: str) -> None:
        if isinstance(layout, VariableInput):  # None before its first value
            self.guard(self.load(array, object_layouts.OBJECT_TYPE), self.word(ARRAY_TYPE))
        self.guard(
            self.load(array, object_layouts.ARRAY_DTYPE), self.word(self.context.dtypes + number)
        )
        dims = layout.tensor.shape.as_tuple()
        self.guard(self.load(array, object_layouts.ARRAY_RANK, "i32"), str(len(dims)), "i32")
        sizes = self.load(array, object_layouts.ARRAY_SIZES) if dims else ""
        for axis, size in enumerate(dims):
            if size is not None:
                self.guard(self.load(sizes, 8 * axis, "i64"), str(size), "i64")
        is_written = isinstance(layout, VariableInput) and layout.written
        if is_written:  # only the Storage may hold it: else somebody would see it change
            self.guard(self.load(array, 0, "i32"), "1", "i32")

    def _store_sizes(self, layout: PlainInput, array: str) -> None:
        unknown = [axis for axis, size in enumerate(layout.tensor.shape.as_tuple()) if size is None]
        if not unknown:
            return
        sizes = self.load(array, object_layouts.ARRAY_SIZES)
        for position, axis in enumerate(unknown):
            size = self.load(sizes, 8 * axis, "i64")
            self.store(size, "%frame", 8 * (layout.word + 1 + position), "i64")

    def _many_states(self) -> frozenset[int]:
        """The inputs that a loop over a table checks: captured variables, if there are many."""
        if any(k < self.parameters for k in self.variables):
            return frozenset()  # which may be one of the others
        found = frozenset(
            k
            for k, variable in self.variables.items()
            if variable.tensor.shape.is_fully_defined() and k not in self.lowered.outputs
        )
        return found if len(found) > _FEW_STATES else frozenset()

    def _state_table(self) -> StateTable | None:
        from .variables import (  # of no use to code that comes from the disk cache
            CheckedVariable,
            StateTable,
        )

        states: list[CheckedVariable] = []
        for k in sorted(self.many):
            layout = self.variables[k]
            storage = self.context.captures + k - self.parameters
            sizes = tuple(size for size in layout.tensor.shape.as_tuple() if size is not None)
            dtype = self.context.dtypes + k
            states.append(CheckedVariable(storage, dtype, layout.word, sizes, layout.written))
        return StateTable(states) if states else None

    def _check_table(self) -> None:
        if self.table is None:
            return
        held = "%held" if self.releases_lock else "null"
        arguments = f"ptr %context, ptr %frame, i64 {self.storage_slot}, ptr {held}"
        self.add(f"%states = call i1 @tm_check_states({arguments})")
        self.guard("%states", "true", "i1")

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

    def _different(self, left: str, right: str) -> None:
        differ, onward = self.name(), f"g{self.numbers}"
        self.add(f"{differ} = icmp ne ptr {left}, {right}")
        self.add(f"br i1 {differ}, label %{onward}, label %refuse")
        self.label(onward)

    # ------------------------------------------------------------ the call

    def _prepare_frame(self) -> None:
        self.store("%frame", "%frame", 0)
        self.store("null", "%frame", FRAME.fields["kept"].offset)
        self.store("%context", "%frame", 8 * self.frame.context)
        self.store("0", "%frame", 8 * self.frame.polled, "i64")
        first = self.lowered.frame_entries - len(self.lowered.counters)
        if self.lowered.counters:
            counters = self.word(self.context.counters)
            for number in range(len(self.lowered.counters)):
                at = self.name()
                self.add(f"{at} = getelementptr i64, ptr {counters}, i64 {number}")
                self.store(at, "%frame", 8 * (first + number))
        for number in self._made_outputs():
            self.store("null", "%frame", 8 * self.frame.outputs[number])

    def _run(self, arrays: dict[int, str]) -> None:
        for array in self._handed_back(arrays):  # objects that die on the way may replace them
            self.add(f"call void @Py_IncRef(ptr {array})")
        lent: list[tuple[str, str]] = []
        if self.releases_lock:
            for array in arrays.values():  # another thread may drop them meanwhile
                self.add(f"call void @Py_IncRef(ptr {array})")
            lent = self._lend(arrays)
            self.add("%thread = call ptr @PyEval_SaveThread()")
            self.store("%thread", "%frame", 8 * self.frame.thread)
        self.add(f"%failed = call i32 @{self.main}(ptr %frame)")
        if self.keeps:
            self.add(f"call void @{RELEASING}(ptr %frame)")
        if self.releases_lock:
            again = self.load("%frame", 8 * self.frame.thread)
            self.add(f"call void @PyEval_RestoreThread(ptr {again})")
            for slot, array in lent:
                stand_in = self.load(slot, 0)
                self.add(f"store ptr {array}, ptr {slot}")
                self.add(f"call void @Py_DecRef(ptr {stand_in})")
            for array in arrays.values():
                self.add(f"call void @Py_DecRef(ptr {array})")
            if self.table:
                self.add("call void @tm_release_states(ptr %held)")
        self.add("%good = icmp eq i32 %failed, 0")
        self.add("br i1 %good, label %wrap, label %fail")
        self.label("wrap")
        self._wrap_outputs(arrays)

    def _lend(self, arrays: dict[int, str]) -> list[tuple[str, str]]:
        """Take the arrays that the program writes out of their variables, where other threads would
        find them half changed. Their references are kept for when they change places again.
        """
        written = [k for k, one in self.variables.items() if one.written]
        if not written and self.table is None:
            return []
        ident, by_main, lent = self.name(), self.name(), self.name()
        self.add(f"{ident} = call i64 @PyThread_get_thread_ident()")
        self.add(f"{by_main} = icmp eq i64 {ident}, {self.word(MAIN_THREAD, 'i64')}")
        choice = f"ptr {self.word(LENT_BY_MAIN)}, ptr {self.word(LENT)}"
        self.add(f"{lent} = select i1 {by_main}, {choice}")
        if self.table:
            self.add(f"call void @tm_hold_states(ptr %held, ptr {lent})")
        own = [k for k in written if k in arrays]
        for k in own:
            self.add(f"call void @Py_IncRef(ptr {lent})")
            self.add(f"store ptr {lent}, ptr {self.slots[k]}")
        return [(self.slots[k], arrays[k]) for k in own]

    def _handed_back(self, arrays: dict[int, str]) -> list[str]:
        """The arrays of inputs that are outputs as they are."""
        return [arrays[output] for output in self.lowered.outputs if isinstance(output, int)]

    def _wrap_outputs(self, arrays: dict[int, str]) -> None:
        count = len(self.lowered.outputs)
        self.add(f"%tuple = call ptr @PyTuple_New(i64 {count})")
        self._leave_where_null("%tuple")
        items = self.at("%tuple", self.word(TUPLE_ITEMS, "i64"))
        for number, output in enumerate(self.lowered.outputs):
            if isinstance(output, int):
                array = arrays[output]
            else:
                array = self.load("%frame", 8 * self.frame.outputs[number])
            tensor = self.name()
            self.add(f"{tensor} = call ptr @PyType_GenericAlloc(ptr {self.tensor_type}, i64 0)")
            self._leave_where_null(tensor)
            self.store(array, tensor, self.tensor_slot)
            self.store(tensor, items, 8 * number)
        self.add("ret ptr %tuple")
        self.label("starved")  # MemoryError is set; what was made is never freed
        self.add("ret ptr null")

    def _leave_where_null(self, pointer: str) -> None:
        null, onward = self.name(), f"g{self.numbers}"
        self.add(f"{null} = icmp eq ptr {pointer}, null")
        self.add(f"br i1 {null}, label %starved, label %{onward}")
        self.label(onward)

    def _failure(self, arrays: dict[int, str]) -> None:
        self.label("fail")
        for array in self._handed_back(arrays):
            self.add(f"call void @Py_DecRef(ptr {array})")
        for number in self._made_outputs():
            made = self.load("%frame", 8 * self.frame.outputs[number])
            self.add(f"call void @Py_DecRef(ptr {made})")  # null is allowed
        self._leave_where_interrupted()
        for k in range(1 + ERROR_VALUES):
            value = self.load("%frame", 8 * (self.frame.error + k), "i64")
            self.store(value, "%context", 8 * (ERROR + k), "i64")
        self.add("call void @PyErr_Clear()")  # NumPy's, where it had no memory for an output
        raiser = self.word(RAISER)
        self.add(f"%raised = call ptr @PyObject_CallNoArgs(ptr {raiser})")
        self.add("ret ptr %raised")

    def _leave_where_interrupted(self) -> None:
        """What a signal's handler raised is on its way already."""
        if not self.polls:
            return
        error = self.load("%frame", 8 * self.frame.error, "i64")
        interrupted, onward = self.name(), f"g{self.numbers}"
        self.add(f"{interrupted} = icmp eq i64 {error}, {INTERRUPTED}")
        self.add(f"br i1 {interrupted}, label %starved, label %{onward}")
        self.label(onward)

    def _refusal(self) -> None:
        self.label("refuse")
        answer = self.word(NOT_IMPLEMENTED)
        self.add(f"call void @Py_IncRef(ptr {answer})")
        self.add(f"ret ptr {answer}")

    # ------------------------------------------------------------ outputs

    def _output_function(self, number: int) -> str:
        """`tm_output_<k>(frame, sizes...)`: a new array for output k, and where its data is."""
        spec = self.lowered.outputs[number]
        rank = len(spec.shape.dims)
        saved, self.lines = self.lines, []
        sizes = "".join(f", i64 %n{axis}" for axis in range(rank))
        self.lines.append(f"define internal ptr @tm_output_{number}(ptr %frame{sizes}) {{")
        if self.releases_lock:
            thread = self.load("%frame", 8 * self.frame.thread)
            self.add(f"call void @PyEval_RestoreThread(ptr {thread})")
        self.add(f"%sizes = alloca [{max(rank, 1)} x i64]")
        for axis in range(rank):
            self.store(f"%n{axis}", "%sizes", 8 * axis, "i64")
        context = self.load("%frame", 8 * self.frame.context)
        new = self.load(context, 8 * NEW_ARRAY)
        type_ = self.load(context, 8 * ARRAY_TYPE)
        kind = self.load(context, 8 * (self.context.outputs + number), "i32")
        self.add(
            f"%array = call ptr {new}(ptr {type_}, i32 {rank}, ptr %sizes, i32 {kind}, "
            "ptr null, ptr null, i32 0, i32 0, ptr null)"
        )
        self.store("%array", "%frame", 8 * self.frame.outputs[number])
        if self.releases_lock:
            self.add("%thread = call ptr @PyEval_SaveThread()")
            self.store("%thread", "%frame", 8 * self.frame.thread)
        self.add("%none = icmp eq ptr %array, null")
        self.add("br i1 %none, label %bad, label %fine")
        self.label("fine")
        data = self.load("%array", object_layouts.ARRAY_DATA)
        self.add(f"ret ptr {data}")
        self.label("bad")
        self.add("ret ptr null")
        self.lines.append("}")
        text, self.lines = "\n".join(self.lines), saved
        return text


_DECLARATIONS = """
declare ptr @PyTuple_New(i64)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyObject_CallNoArgs(ptr)
declare void @PyErr_Clear()
declare i64 @PyThread_get_thread_ident()
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
"""
