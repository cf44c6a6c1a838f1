"""A compiled function as Python calls it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from ..core.process.locks import ForkedLock
from ..core.random_state import CompiledCounters
from ..core.specs import TensorSpec
from ..eager.storage import LENT, LENT_BY_MAIN, Storage
from ..eager.tensor import wrap, wrap_handle
from ..errors import (
    InternalError,
    OpError,
    ResourceExhaustedError,
    UserRaised,
)
from ..graph.failure import in_function, located_message
from ..graph.ir import Graph
from ..graph.payload import check_operands
from ..ops.lowering import MOST_NUMBERS
from .calling import object_layouts
from .calling.entry_context import CONTEXT, CallContext, context_layout
from .calling.object_layouts import has_entry
from .lowered import FAILED, NO_MEMORY, CallbackStep, OpaqueVariableInput, VariableInput
from .pipeline import Compiled, compile_graph
from .specialize import has_one_variant, specialize, variant_key

# Another thread may look at a variable between `unshare` and the call, which then is refused.
ATTEMPTS: Final = 1000

Array = np.ndarray[Any, Any]
Payload = Any


class NativeExecutable:
    """One graph, compiled once for each combination of ranks that it leaves open.

    `bind` fills in the captures and gives the function that calls go through.
    """

    notes: Sequence[str] = ()

    def __init__(self, graph: Graph) -> None:
        self.graph: Final = graph
        self._variants: dict[Any, Compiled] = {}
        self.lock: Final = ForkedLock()

    def compiled_for(self, payloads: Sequence[Payload]) -> Compiled:
        """Native code for operands of these ranks, some of which may be the same variable."""
        key = variant_key(self.graph, payloads)
        found = self._variants.get(key)
        if found is None:
            with self.lock():  # threads that come together wait for one compile
                found = self._variants.get(key)
                if found is None:
                    found = compile_graph(specialize(self.graph, key), len(self.graph.parameters))
                    self._variants[key] = found
        return found

    @property
    def callbacks(self) -> tuple[CallbackStep, ...]:
        """The steps that run in Python, and why (of what was compiled so far)."""
        return tuple(step for one in self._variants.values() for step in one.lowered.steps)

    @property
    def texts(self) -> tuple[str, ...]:
        """The LLVM IR of what was compiled so far."""
        return tuple(one.text for one in self._variants.values())

    def bind(self, captures: Sequence[Any]) -> BoundExecutable:
        return BoundExecutable(self, captures)


class BoundExecutable:
    """An executable and its captures. Calling it with tensors gives a tuple of tensors.

    `entry` is the quick way: a native function that answers NotImplemented where a call needs
    the slow way, which is to call this object.
    """

    __slots__ = ("__weakref__", "_captures", "_only", "_variants", "entry", "executable")

    def __init__(self, executable: NativeExecutable, captures: Sequence[Any]) -> None:
        self.executable: Final = executable
        self._captures = tuple(one._array for one in captures)
        self._variants: dict[int, Callable[..., Any]] = {}
        self._only: tuple[Compiled, Callable[..., Any]] | None = None
        self.entry: Callable[..., Any] = self

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        graph = self.executable.graph
        check_operands(graph, operands)
        payloads = [*(one._array for one in operands), *self._captures]
        compiled, call = self._only or self._chosen(payloads)
        for _ in range(ATTEMPTS):
            unshare(compiled, payloads)
            result = call(*operands)
            if result is not NotImplemented:
                return result
        raise InternalError(f"{graph.name}: other threads never let go of its variables")

    def _chosen(self, payloads: Sequence[Payload]) -> tuple[Compiled, Callable[..., Any]]:
        """The code for operands like these; kept where it is the same for all."""
        compiled = self.executable.compiled_for(payloads)
        with self.executable.lock():  # a second caller would count random numbers anew
            call = self._variants.get(id(compiled))
            if call is None:
                call = self._variants[id(compiled)] = self._caller(compiled)
        if has_one_variant(self.executable.graph):
            self._only = compiled, call
        return compiled, call

    def _caller(self, compiled: Compiled) -> Callable[..., Any]:
        if not has_entry(compiled.lowered):
            return GeneralFunction(self, compiled, self._captures)
        native = native_function(self.executable.graph, compiled, self._captures)
        self.entry = native
        return native


class GeneralFunction:
    """Calls a program that needs Python while it runs (calling/general.py)."""

    def __init__(
        self, owner: BoundExecutable, compiled: Compiled, captures: Sequence[Payload]
    ) -> None:
        module = compiled.module
        self._graph = owner.executable.graph
        self._compiled = compiled
        self._captures = captures
        self._counters = CompiledCounters(compiled.lowered.counters)
        from .calling.general import GeneralCall  # of no use to plain programs

        self._call = GeneralCall(
            compiled.lowered, compiled.layout, module.address("main"), module.address("release"),
            self._counters.words,
        )  # fmt: skip

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        payloads = [*(one._array for one in operands), *self._captures]
        outputs, error, raised = self._call(payloads)
        if error is not None:
            raise_failure(self._graph, self._compiled, error, raised)
        return tuple(wrap_output(output) for output in outputs)


def native_function(
    graph: Graph, compiled: Compiled, captures: Sequence[Payload]
) -> Callable[..., Any]:
    """The native entry, bound to a context of its own."""
    lowered = compiled.lowered
    parameters = len(graph.parameters)
    layout = context_layout(lowered, parameters)
    context = np.zeros(layout.words, np.int64).view(CallContext)
    counters = CompiledCounters(lowered.counters)
    words = weakref.ref(context)

    def fail() -> None:
        alive = words()
        assert alive is not None
        raise_failure(graph, compiled, alive[CONTEXT.fields["error"].offset // 8 :].tolist(), None)

    holders = _captured_objects(compiled, captures, parameters)
    _fill_common(context, fail)
    for number, one in enumerate(lowered.plain_inputs):
        context[layout.dtypes + number] = id(one.tensor.dtype.storage)
    for number, held in enumerate(holders):
        context[layout.captures + number] = id(held)
    for number, output in enumerate(lowered.outputs):
        if isinstance(output, TensorSpec):
            context[layout.outputs + number] = output.dtype.storage.num
    context[layout.counters] = counters.words.ctypes.data
    address = compiled.module.address("entry")
    function, definition = object_layouts.make_function(graph.name, address, context)
    context.held = (compiled, definition, fail, counters, holders)
    return function


def _fill_common(context: Array, fail: Callable[[], None]) -> None:
    words = context[: CONTEXT.bytes // 8].view(CONTEXT.dtype)
    words["tensor_type"] = object_layouts.tensor_type()
    words["tensor_slot"] = object_layouts.tensor_slot()
    words["storage_type"] = object_layouts.storage_type()
    words["storage_slot"] = object_layouts.storage_slot()
    words["handle_type"] = object_layouts.handle_type()
    words["handle_slot"] = object_layouts.handle_slot()
    words["new_array"] = object_layouts.new_array_function()
    words["array_type"] = id(np.ndarray)
    words["raiser"] = id(fail)
    words["not_implemented"] = id(NotImplemented)
    words["lent"] = id(LENT)
    words["lent_by_main"] = id(LENT_BY_MAIN)
    words["main_thread"] = LENT_BY_MAIN.thread or 0
    words["tuple_items"] = object_layouts.TUPLE_ITEMS


def _captured_objects(
    compiled: Compiled, captures: Sequence[Payload], parameters: int
) -> list[Any]:
    """What the entry looks into for each capture: a Storage, or a tensor around an array."""
    layouts = compiled.lowered.inputs[parameters:]
    return [
        payload if isinstance(layout, VariableInput) else wrap(payload)
        for payload, layout in zip(captures, layouts, strict=True)
    ]


# ---------------------------------------------------------------- operands and outputs


def unshare(compiled: Compiled, payloads: Sequence[Payload]) -> None:
    """Give every variable that the program writes a buffer that nobody else holds."""
    for payload, layout in zip(payloads, compiled.lowered.inputs, strict=True):
        if not isinstance(payload, Storage):
            continue
        payload.home()  # waits until it is there, or raises FailedPreconditionError
        if isinstance(layout, VariableInput | OpaqueVariableInput) and layout.written:
            payload.unshare()


def wrap_output(output: Any) -> Any:
    if isinstance(output, np.ndarray):
        return wrap(cast(Array, output))
    return wrap_handle(output)


# ---------------------------------------------------------------- failures


def raise_failure(
    graph: Graph, compiled: Compiled, words: Sequence[int], raised: BaseException | None
) -> None:
    """Raise what a failed check means, at the user's line."""
    number = words[0]
    if number == FAILED and isinstance(raised, OpError):
        raise in_function(raised, graph.called)
    if number == FAILED:
        # Without an exception: Ctrl-C, before the callback could catch it (calling/general.py).
        raise KeyboardInterrupt if raised is None else raised
    if number == NO_MEMORY:
        raise ResourceExhaustedError("out of memory while a compiled function ran")
    failure = compiled.lowered.failures[number]
    if failure.error is UserRaised and failure.operation is not None:
        from ..ops.raising import recreated_exception

        raise recreated_exception(failure.operation.attrs["exception"])
    message = failure.message.format(*words[1 : 1 + MOST_NUMBERS])
    if failure.operation is not None:
        message = located_message(message, failure.operation)
    raise in_function(failure.error(message), graph.called)
