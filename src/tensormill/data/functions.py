"""Users' functions of elements, traced once and compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from .. import backends
from ..core.process.lazy_property import lazy_property
from ..core.process.tracebacks import hide_frames
from ..core.specs import ValueSpec
from ..core.values import TensorLike
from ..eager.storage import Storage
from ..errors import InvalidArgumentError, OpError, OutOfRangeError
from ..function.callee import captures_as_parameters
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..function.options import FunctionOptions
from ..function.traces.staging import staged
from ..graph.devices import require_devices
from ..graph.nested_graphs import every_operation
from ..graph.passes.identities import skip_identities
from ..ops.array.shapes import reshape
from ..ops.control.functional import Functional, effects_of, has_effects
from ..ops.effects import Effect, World
from .nodes.node import Element
from .segments import BoundSegments, Segments, segments_of
from .structure import components_of, flat_specs, normalized, packer, spec_of

AHEAD: Final = frozenset({World.DRAWS, World.FILES, World.CHECKS})

# Set by `tf.data.experimental.enable_debug_mode`: functions run as plain Python.
_debugging = False


def enable_debug_mode() -> None:
    """From now on, run the functions of datasets as plain Python, element by element.

    They are still traced once, when the dataset is made, so that it knows its elements.

    >>> tf.data.experimental.enable_debug_mode()
    >>> called = []
    >>> found = list(tf.data.Dataset.range(3).map(lambda n: (called.append("again"), n)[1]))
    >>> len(called)  # the trace and three elements
    4
    """
    global _debugging
    _debugging = True


def _as_it_is(result: Any) -> Any:
    return result


def _as_scalar(result: Any) -> Any:
    unknown = isinstance(result, TensorLike) and result.shape.rank is None
    return reshape(result, ()) if unknown else result


class CompiledFunction:
    """A graph of components of elements, and of what it captured, that datasets call."""

    def __init__(self, graph: Any, what: str, may_end: bool = False) -> None:
        """`may_end`: an OutOfRangeError of it ends the dataset."""
        self.graph = graph
        self.what = what
        self.may_end = may_end
        self.captured: tuple[Any, ...] = graph.captures
        self._executable: Any = None
        self._closed: CompiledFunction | None = None

    @property
    def is_random(self) -> bool:
        """Whether it draws random numbers: each pass begins its streams again, as in TensorFlow."""
        return self._has(World.DRAWS)

    @lazy_property
    def draws(self) -> bool:
        """Whether it draws random numbers, or functions of datasets that it makes do."""
        steps = every_operation(self.graph)
        drawn = any(World.DRAWS in effects_of(step.op, step.attrs) for step in steps)
        return drawn or any(one.draws for one in self._inner())

    def _inner(self) -> Iterator[CompiledFunction]:
        for step in every_operation(self.graph):
            made = step.attrs.get("recipe")
            facts = getattr(getattr(made, "make", None), "keywords", {})
            for value in facts.values():
                for one in value if isinstance(value, (list, tuple)) else (value,):
                    if isinstance(one, CompiledFunction):
                        yield one

    def closed(self) -> CompiledFunction:
        """The same function, to which what it captured is given after each element."""
        if self._closed is None:
            self._closed = CompiledFunction(captures_as_parameters(self.graph), self.what)
        return self._closed

    @lazy_property
    def is_identity(self) -> bool:
        """Whether it gives elements as they are, and does nothing else."""
        plain = skip_identities(self.graph)
        return self.is_pure and plain.returns == plain.parameters

    @property
    def is_pure(self) -> bool:
        """Whether nobody notices how often and when it is called."""
        return not has_effects([self.graph])

    @property
    def may_run_ahead(self) -> bool:
        """Whether nobody notices that it was called for elements that nobody takes: of what it
        draws, reads and checks, nothing is left behind.
        """
        steps = self.graph.operations
        return all(AHEAD.issuperset(effects_of(step.op, step.attrs)) for step in steps)

    @property
    def gains_by_threads(self) -> bool:
        """Whether several calls at once take less time: it calls functions of the user's or reads
        files, which may wait, or works without Python's lock.
        """
        return self._has(World.PYTHON) or self._has(World.FILES) or _works_unlocked(self.graph)

    def _has(self, effect: Effect) -> bool:
        steps = self.graph.operations
        return any(effect in effects_of(step.op, step.attrs) for step in steps)

    @lazy_property
    def _segments(self) -> Segments | None:
        return segments_of(self.graph)

    def in_segments(self, captured: Sequence[Any]) -> BoundSegments | None:
        """The function cut where native code and Python meet; None where it is native code, or
        plain Python.
        """
        if _debugging or self._segments is None:
            return None
        return self._segments.bound(tuple(captured))

    def bound(self, captured: Sequence[Any]) -> Callable[[Element], Element]:
        """What makes an element of an element, with these tensors for what it captured."""
        given = tuple(captured)
        bound: Any = self.in_segments(given)
        if bound is not None:
            return self._named(lambda element: bound(*element))
        if self._executable is None:
            self._executable = backends.default().compile(require_devices(self.graph))
        bound = self._executable.bind(given)

        def call(element: Element) -> Element:
            results = bound.entry(*element)
            return bound(*element) if results is NotImplemented else results

        return self._named(call)

    def _named(self, call: Callable[[Element], Element]) -> Callable[[Element], Element]:
        """The same, whose errors say what the function was passed to."""
        what = self.what

        def named(element: Element) -> Element:
            try:
                return call(element)
            except OpError as error:
                if self.may_end and isinstance(error, OutOfRangeError):
                    raise
                raise naming_transformation(error, what) from error.__cause__

        return named


class ElementFunction(CompiledFunction):
    """A user's function, traced on elements of one spec.

    `output_spec` describes what it returns. `captured` are the tensors from outside that it uses;
    `bound` fills them in, where there are other tensors to be had for those of a trace around it.
    A function that `gives_scalar` may return what has no shape before it runs (`tf.py_function`).
    """

    def __init__(
        self,
        function: Callable[..., Any],
        what: str,
        *input_specs: Any,
        unpack: bool = True,
        gives_scalar: bool = False,
    ) -> None:
        if not callable(function):
            raise ValueError(f"the function passed to {what} must be a callable, got {function!r}")
        self._function, self.what = function, what  # it is told while it is traced
        self._input_specs = input_specs
        self._unpack = unpack
        self._finished = _as_scalar if gives_scalar else _as_it_is
        self._packers = [packer(spec) for spec in input_specs]
        self._counts = [len(flat_specs(spec)) for spec in input_specs]
        self.output_spec: Any = None
        try:
            self._concrete = self._traced()
        except Exception as error:
            hide_frames(error)
            raise
        super().__init__(self._concrete.callee.graph, what)
        self.captured = tuple(self._concrete.captured_inputs)
        self.specs: Final = flat_specs(self.output_spec)

    def _traced(self) -> ConcreteFunction:
        body = staged(self._function, FunctionOptions(), asked=False)

        def flat(*components: Any) -> Any:
            result = body(*self._arguments(components))
            return self._flat_result(self._finished(result))

        specs: list[ValueSpec] = [one for spec in self._input_specs for one in flat_specs(spec)]
        name = getattr(self._function, "__name__", "function").replace("<lambda>", "lambda")
        flat.__name__ = f"{self.what.replace('.', '_')}_{name}"
        return Function(flat, autograph=False).get_concrete_function(*specs)

    def _arguments(self, components: Sequence[Any]) -> list[Any]:
        """What the user's function gets: a tuple is several arguments."""
        rest, values = iter(components), list[Any]()
        for pack, count in zip(self._packers, self._counts, strict=True):
            values.append(pack(tuple([next(rest) for _ in range(count)])))
        if len(values) == 1 and self._unpack and type(values[0]) is tuple:
            return list(values[0])
        return values

    def _flat_result(self, result: Any) -> tuple[Any, ...]:
        result = tuple(result) if type(result) is list else result
        try:
            element = normalized(result)
            spec = spec_of(element)
        except (TypeError, ValueError, AttributeError) as error:
            raise TypeError(
                f"Unsupported return value from function passed to {self.what}(): {result}."
            ) from error
        self.output_spec = spec
        return components_of(element, spec)

    # ---- running
    def bound(self, captured: Sequence[Any] | None = None) -> Callable[[Element], Element]:
        """What makes an element of an element, with these tensors for `captured`."""
        if _debugging:
            return self._in_python
        return super().bound(self.captured if captured is None else captured)

    def _in_python(self, element: Element) -> Element:
        result = self._function(*self._arguments(element))
        result = tuple(result) if type(result) is list else result
        return components_of(normalized(result), self.output_spec)


def storages_of(tensors: Sequence[Any]) -> frozenset[Any]:
    """The variables among captured tensors, and those that captured datasets know."""
    found: set[Any] = set()
    for tensor in tensors:
        if not tensor.dtype.is_numpy_compatible:
            payload = tensor._array
            found |= (
                {payload} if isinstance(payload, Storage) else getattr(payload, "storages", set())
            )
    return frozenset(found)


def naming_transformation(error: OpError, what: str) -> OpError:
    """The same error, with the transformation that the function was passed to."""
    lead = f"Error in user-defined function passed to {what}:"
    if error.message.startswith(lead):
        return error
    if isinstance(error, OutOfRangeError):
        # To whoever takes elements that would be the end of the dataset.
        made: OpError = InvalidArgumentError(f"{lead} it raised OutOfRangeError: {error.message}")
    else:
        made = type(error)(f"{lead} {error.message}")
    made.__traceback__ = error.__traceback__
    return made


def _works_unlocked(graph: Any) -> bool:
    for step in graph.operations:
        inner = step.op.graphs_of(step.attrs) if issubclass(step.op, Functional) else ()
        if step.op.unlocked or any(map(_works_unlocked, inner)):
            return True
    return False
