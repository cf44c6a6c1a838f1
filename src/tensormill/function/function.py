"""`Function`: a Python function whose calls run as compiled graphs, one for each trace type."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any, Final

from ..config import settings
from ..core import context
from ..eager.tensor import EagerTensor
from ..graph.builder import current_graph
from . import reports
from .concrete import ConcreteFunction
from .input_signature import ANYTHING, described_by, fit
from .methods import Instances
from .options import Options
from .parameters import Parameters, parameters_of
from .quick import pattern_of, tensors_of
from .staging import staged
from .state import State, names_of_specs
from .trace_type import Encoder
from .tracebacks import filtered
from .tracing import Request, trace

get_context: Final = context.current.get


class Function:
    """What `tf.function` makes. Calling it traces where that is needed and runs compiled code."""

    def __init__(
        self, python_function: Callable[..., Any], options: Options, owner: Function | None = None
    ) -> None:
        self._python_function: Final = python_function
        self._options: Final = options
        self._parameters: Final = parameters_of(python_function)
        self._name: Final = _name_of(python_function)
        self._state = State(python_function)
        self._instances: Final = Instances()
        self._owner = owner
        self._described = self._describe()
        functools.update_wrapper(self, python_function)

    # ---- calling
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        state = self._state
        quick = state.quick
        if (
            quick is not None
            and not kwargs
            and get_context(None) is None
            and not settings.run_functions_eagerly
        ):
            entry, pack, pattern = quick
            if pattern is not None:
                tensors = tensors_of(pattern, args)
                result = NotImplemented if tensors is None else entry(*tensors)
            else:
                result = entry(*args)
            if result is not NotImplemented:
                state.quick_calls += 1
                return result[0] if pack is None else pack(result)
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Any call: find the trace for its arguments, or make it."""
        if settings.run_functions_eagerly:
            return self._python_function(*args, **kwargs)
        if context.building_graph():  # the frames above are still needed to explain errors
            return self._call_traced(args, kwargs)
        try:
            return self._call_traced(args, kwargs)
        except Exception as error:
            raise filtered(error)  # noqa: B904 - it is the same exception

    def _call_traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        values = self._parameters.bind(args, kwargs)
        if self._described is not None:
            values = fit(self._parameters, self._described, values)
        encoder = Encoder()
        key = tuple([encoder.encode(value) for value in values])
        concrete = self._find(key, encoder.leaves)
        if concrete is None:
            concrete = self._trace(key, values, encoder.leaves)
        else:
            self._state.note_call()
        result = concrete.call_with(encoder.leaves)
        if not kwargs and get_context(None) is None:
            self._remember(concrete, args, encoder.leaves)
        return result

    def _remember(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], leaves: list[Any]
    ) -> None:
        try:
            pattern = pattern_of(args)
        except LookupError:
            return
        entry = concrete.quick_entry()
        if entry is not None and sum(type(arg) is EagerTensor for arg in args) == len(leaves):
            self._state.quick = (*entry, pattern)

    def _find(self, key: Any, leaves: list[Any]) -> ConcreteFunction | None:
        found = self._state.cache.find(self._state.with_aliases(key, leaves))
        return found if found is not None and found.is_usable_in(current_graph()) else None

    # ---- tracing
    def _trace(
        self, key: Any, values: Any, leaves: list[Any], names: Any = None, is_call: bool = True
    ) -> ConcreteFunction:
        """Trace for a call, or (`is_call` False) for get_concrete_function."""
        state = self._state
        with state.lock:
            if names is None and (found := self._find(key, leaves)) is not None:
                return found  # another thread was quicker
            state.note_trace(self._python_function, self._parameters, key, values, is_call)
            wide = state.cache.generalized(key) if self._options.reduce_retracing else key
            concrete = self._traced(wide, values, leaves if is_call else None)
            state.count += 1
            state.note_captures(concrete)
            if names is None:
                state.cache.add(state.with_aliases(wide, leaves), concrete)
            else:
                state.named[key, names] = concrete
            return concrete

    def _traced(self, key: Any, values: Any, leaves: list[Any] | None) -> ConcreteFunction:
        """Trace; once more where the body made variables, which the second time it must find."""
        state = self._state
        is_first = state.count == 0 and not state.makes_variables
        body = staged(self._python_function, self._options)
        request = Request(body, self._name, self._parameters, values, key, leaves, is_first)
        result = trace(request)
        if result.created:
            state.makes_variables = True
            result = trace(request._replace(is_first=False))
        return result.concrete

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments, each a value or a spec that describes it.

        Raises:
            TypeError: the arguments do not fit the signature.
            UnliftableError: a variable's initial value depends on an argument.
        """
        values = self._values_for_concrete(args, kwargs)
        encoder = Encoder(allows_specs=True)
        key = tuple([encoder.encode(value) for value in values])
        found = self._find(key, encoder.leaves)
        names = names_of_specs(values)
        if found is None:
            return self._trace(key, values, encoder.leaves, is_call=False)
        if found.agrees_with(names):
            return found
        named = self._state.named.get((key, names))
        return named or self._trace(key, values, encoder.leaves, names, is_call=False)

    def _values_for_concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._described is None:
            return self._parameters.bind(args, kwargs)
        if not args and not kwargs:
            return self._described
        return fit(self._parameters, self._described, self._parameters.bind(args, kwargs))

    def get_initialization_function(self, *args: Any, **kwargs: Any) -> Callable[[], None]:
        """Trace; variables that the body makes have their values then.

        Raises:
            RuntimeError: the function has been used before.
        """
        if self._state.count:
            raise RuntimeError(
                "get_initialization_function cannot be called after the function has been used"
            )
        self.get_concrete_function(*args, **kwargs)
        return lambda: None

    # ---- methods
    def __get__(self, instance: Any, owner: Any = None) -> Function:
        """The method of one instance: a Function with traces of its own, the same each time."""
        if instance is None:
            return self
        return self._instances.find(instance, self._bound_to)

    def _bound_to(self, instance: Any, state: State | None) -> Function:
        bound = Function(MethodType(self._python_function, instance), self._options, self)
        if state is not None:
            bound._state = state
        return bound

    @property
    def traces(self) -> State:
        """The traces and what is remembered of calls."""
        return self._state

    # ---- what it is
    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as it was written."""
        return self._python_function

    @property
    def name(self) -> str:
        return self._name

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The specs of the arguments, where the decorator got them."""
        return self._options.input_signature

    @property
    def function_spec(self) -> Parameters:
        return self._parameters

    @property
    def function_type(self) -> Any:
        return self._parameters.signature

    def experimental_get_tracing_count(self) -> int:
        """How often the body was traced."""
        return self._state.count

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """All traces' signatures, with blank lines between them."""
        return "\n\n".join(
            concrete.pretty_printed_signature() for concrete in self._state.cache.all()
        )

    def explain(self) -> str:
        """Which calls were traced, and in which argument each differed from earlier ones."""
        return reports.history(self._name, self._state)

    def report(self) -> reports.Report:
        """What was compiled, and which operations call back into Python and why."""
        return reports.report(self._name, self._state.cache.all())

    @property
    def graph(self) -> Any:
        """The graph of the latest trace; printing it shows the operations and their lines."""
        return reports.latest(self._name, self._state.cache.all()).callee.graph

    def _describe(self) -> tuple[Any, ...] | None:
        signature = self._options.input_signature
        if signature is None:
            return None
        try:
            return described_by(signature, self._parameters, self._name)
        except TypeError:
            if self._owner is not None or not _is_in_class(self._python_function):
                raise
        # A method: its instance has no spec. It is described when it is bound to one.
        _, *others = self._parameters.each
        rest = Parameters(self._parameters.signature.replace(parameters=others))
        return (ANYTHING, *described_by(signature, rest, self._name))

    def __repr__(self) -> str:
        return f"<tensormill.function.function.Function of {self._python_function!r}>"


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", None)
    if name is None:
        name = getattr(getattr(function, "func", None), "__name__", type(function).__name__)
    return name.replace("<lambda>", "lambda")


def _is_in_class(function: Any) -> bool:
    scope, _, _ = getattr(function, "__qualname__", "").rpartition(".")
    return bool(scope) and not scope.endswith("<locals>")
