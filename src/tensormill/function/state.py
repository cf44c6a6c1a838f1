"""What one function (or one method of one instance) is, and remembers between its calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from ..core import context
from ..core.process.tracing_turns import Turns
from ..core.source import user_line
from ..core.specs import TypeSpec
from .call_pattern import Reader
from .concrete import ConcreteFunction
from .explain.retracing_warning import Detector, detector_of
from .explain.trace_differences import TraceRecord, closest
from .options import FunctionOptions
from .signature.arguments import is_variable
from .signature.containers import leaves_of
from .signature.input_signature import ANYTHING, described_by
from .signature.parameters import Parameters, parameters_of
from .traces.cache import TraceCache
from .traces.trace_type import Encoder, LiteralKey, storage_of

HISTORY: Final = 512  # traces whose reasons are remembered
_COPIED: Final = ("__module__", "__name__", "__qualname__", "__doc__")


class FunctionState:
    """A Python function, its options, and its traces.

    Does not hold the instance of a method: `function` is what stands in the class, `instance()`
    and `bound()` are the instance and its Function as long as others hold them. `quick` is the last
    call's native entry, how its outputs are packed, what reads the arguments of calls like it
    (None: all tensors), and where the detector counts the calls for which that was enough.
    `last()` is the trace that was called last in another way.
    """

    __slots__ = (
        "__weakref__",
        "attributes",
        "bound",
        "cache",
        "captured",
        "count",
        "described",
        "detector",
        "function",
        "history",
        "instance",
        "last",
        "makes_variables",
        "name",
        "named",
        "options",
        "parameters",
        "quick",
        "turns",
    )

    def __init__(
        self, function: Callable[..., Any], options: FunctionOptions, is_bound: bool = False
    ) -> None:
        self.function: Final = function
        self.options: Final = options
        self.name: Final = options.name or name_of(function)
        whole = parameters_of(function)
        self.parameters: Final = whole.without_first() if is_bound else whole
        self.described: Final = _described(function, self.parameters, options, self.name, is_bound)
        # What users may set on, or look up in, the Function.
        self.attributes: Final[dict[str, Any]] = _attributes_of(function)
        self.cache: Final = TraceCache()
        self.named: Final[dict[Any, ConcreteFunction]] = {}
        self.turns: Final = Turns()  # of tracing
        self.detector: Final[Detector] = detector_of(function)
        self.history: Final[deque[TraceRecord]] = deque(maxlen=HISTORY)
        self.captured: Final[set[int]] = set()
        self.instance: Callable[[], Any] = _nobody
        self.bound: Callable[[], Any] = _nobody
        self.count = 0
        self.makes_variables = False
        self.quick: tuple[Any, Any, Reader | None, Any] | None = None
        self.last: Callable[[], ConcreteFunction | None] = _nobody

    # ---- input signatures
    def described_call(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """What is traced for a call: what the signature says, and the instance of a method."""
        assert self.described is not None
        pairs = zip(self.described, values, strict=True)
        return tuple(value if wanted is ANYTHING else wanted for wanted, value in pairs)

    def key_of_specs(self, values: Sequence[Any]) -> Any:
        """The key of a trace for values and specs."""
        encoder = Encoder(allows_specs=True)
        return tuple([encoder.encode(value) for value in values])

    # ---- what happened
    def note_call(self) -> None:
        """A call was served by an existing trace."""
        self.detector.called()

    def note_traced_call(self) -> None:
        """A call was served by a trace that was made for it: as in TensorFlow, one that failed
        does not count.
        """
        self.detector.traced(self.function, self.history[-1].difference)

    def note_trace(self, key: Any, values: Sequence[Any]) -> TraceRecord:
        """A call has to be traced, or somebody asked for it."""
        difference = closest(self.parameters, key, self.cache.keys(), values)
        number = self.history[-1].number + 1 if self.history else 1
        traced = TraceRecord(number, user_line(), difference)
        self.history.append(traced)
        return traced

    def forget(self, key: Any, record: TraceRecord) -> None:
        """Let a trace have never been: it is made again."""
        self.cache.drop(key)
        self._uncount(record)

    def forget_named(self, key: Any, record: TraceRecord) -> None:
        """The same for a concrete function whose specs have names."""
        self.named.pop(key, None)
        self._uncount(record)

    def _uncount(self, record: TraceRecord) -> None:
        self.count -= 1
        if record in self.history:
            self.history.remove(record)

    def note_captures(self, concrete: ConcreteFunction) -> None:
        """Remember which variables traces use although they are not arguments."""
        self.captured.update(concrete.graph.used_aliases)
        for tensor in concrete.captured_inputs:
            if not tensor.dtype.is_numpy_compatible and not tensor.symbolic:
                self.captured.add(id(tensor._array))

    def with_aliases(self, key: Any, leaves: Sequence[Any]) -> Any:
        """A key that also says which arguments are variables that traces have captured, and where.

        Compiled code takes different variables to be different memory.
        """
        around = context.surroundings.get()
        if around is not None:
            key = (*key, LiteralKey("surroundings", around))
        if not self.captured:
            return key
        shared = tuple(
            (position, identity)
            for position, leaf in enumerate(leaves)
            if is_variable(leaf)
            and not isinstance(leaf, TypeSpec)
            and (identity := id(storage_of(leaf))) in self.captured
        )
        return (*key, LiteralKey("captured", shared)) if shared else key


def _nobody() -> None:
    return None


def names_of_specs(values: Sequence[Any]) -> tuple[str | None, ...]:
    """The names that specs among the arguments give, leaf by leaf."""
    return tuple(
        getattr(leaf, "name", None) if isinstance(leaf, TypeSpec) else None
        for value in values
        for leaf in leaves_of(value)
    )


def name_of(function: Any) -> str:
    """What a callable is called, as far as it says so."""
    name = getattr(function, "__name__", None)
    if name is None:
        name = getattr(getattr(function, "func", None), "__name__", type(function).__name__)
    return name.replace("<lambda>", "lambda")


def _attributes_of(function: Any) -> dict[str, Any]:
    found = {name: getattr(function, name) for name in _COPIED if hasattr(function, name)}
    if "__name__" not in found:
        found.pop("__doc__", None)  # a partial's is that of the class
    return {**getattr(function, "__dict__", {}), **found}


def _described(
    function: Any, parameters: Parameters, options: FunctionOptions, name: str, is_bound: bool
) -> tuple[Any, ...] | None:
    """One value or nest of specs for each parameter, where there is an input signature."""
    signature = options.input_signature
    if signature is None:
        return None
    try:
        return described_by(signature, parameters, name)
    except TypeError:
        if is_bound or not _is_in_class(function):
            raise
    # A method: its instance has no spec. A Function that is bound to one leaves it out.
    return (ANYTHING, *described_by(signature, parameters.without_first(), name))


def _is_in_class(function: Any) -> bool:
    scope, _, _ = getattr(function, "__qualname__", "").rpartition(".")
    return bool(scope) and not scope.endswith("<locals>")
