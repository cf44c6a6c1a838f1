"""`Function`: a Python function whose calls run as compiled graphs, one for each trace type."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from time import perf_counter
from types import MethodType
from typing import Any, Final, NoReturn, Self
from weakref import ref

from ..autograph.runtime.lasting_traces import trace_begins
from ..compiler.garbage_collection import collection_seldom
from ..config import settings
from ..core import context
from ..core.process.tracebacks import hide_frames
from ..core.signatures import SignatureOf
from ..graph.builder import current_graph
from .call_pattern import are_tensors, reader_of
from .concrete import ConcreteFunction
from .explain import reports
from .jit_compile import compiler_ir_of, require_native
from .methods import add_instance
from .native_calls import let_native_code_call
from .options import FunctionOptions, checked_attributes
from .signature.input_signature import check_signature, fitted_to_signature
from .signature.parameters import Parameters
from .state import FunctionState, names_of_specs
from .traces.staging import staged
from .traces.trace_type import Encoder, lasting_key
from .traces.tracing import Request, trace

get_context: Final = context.current.get


class Function:
    """What `tf.function` makes. Calling it traces where that is needed and runs compiled code.

    In a class it is a method: each instance has traces of its own.
    """

    __slots__ = ("__dict__", "__weakref__", "_instance", "_instances", "_state")
    __signature__ = SignatureOf("python_function")
    __name__: str
    __qualname__: str

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str | None = None,
        input_signature: Any = None,
        autograph: bool = True,
        jit_compile: bool | None = None,
        reduce_retracing: bool = False,
        experimental_implements: str | None = None,
        experimental_autograph_options: Any = None,
        experimental_attributes: Any = None,
    ) -> None:
        options = FunctionOptions(
            None if input_signature is None else check_signature(input_signature),
            autograph,
            jit_compile,
            reduce_retracing,
            experimental_autograph_options,
            experimental_implements,
            checked_attributes(experimental_attributes),
            name,
        )
        self._begin(python_function, options)

    def _begin(self, python_function: Callable[..., Any], options: FunctionOptions) -> None:
        self._state = FunctionState(python_function, options)
        self._instance: Any = None
        self._instances: dict[int, FunctionState] = {}
        self.__dict__ = self._state.attributes  # of a method, shared by its Functions

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """What XLA is given for such arguments, and what it makes of that: `...(stage="hlo")`.

        Stages are `hlo`, `stablehlo`, `optimized_hlo` (texts), `optimized_hlo_dot` (a graph for
        Graphviz), `hlo_serialized` and `optimized_hlo_serialized` (bytes).

        Raises:
            ValueError: the function is not marked with `jit_compile=True`, the back end is not XLA,
                or a shape is not known.
            TypeError: the arguments do not fit; or a function that is being traced calls this.
        """
        return compiler_ir_of(self, args, kwargs)

    # ---- calling
    def call_in_python(self, *args: Any, **kwargs: Any) -> Any:
        """A call, by the slow twin of native code (native_calls.py)."""
        state = self._state
        quick = state.quick
        try:
            if (
                quick is not None
                and get_context(None) is None
                and not settings.run_functions_eagerly
            ):
                entry, pack, reader, _ = quick
                if reader is not None:
                    tensors = reader(*args, **kwargs)
                    result = NotImplemented if tensors is None else entry(*tensors)
                elif kwargs:
                    result = NotImplemented
                else:
                    result = entry(*args)
                if result is not NotImplemented:
                    state.detector.called()
                    let_native_code_call(Function)  # not for one call: it may have to be made
                    return result[0] if pack is None else pack(result)  # type: ignore[no-any-return]
            return self._call(args, kwargs)
        except Exception as error:
            hide_frames(error)
            raise

    __call__ = call_in_python  # until there is a call that native code can make

    def call_otherwise(self, *args: Any, **kwargs: Any) -> Any:
        """A call that does not look like the one before."""
        try:
            return self._call(args, kwargs)
        except Exception as error:
            hide_frames(error)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Any call: find the trace for its arguments, or make it."""
        if settings.run_functions_eagerly:
            return self.python_function(*args, **kwargs)
        return self._call_traced(args, kwargs)

    def _call_traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        state = self._state
        traces = state.count
        values = self._bound(args, kwargs)
        encoder = Encoder()
        key = tuple([encoder.encode(value) for value in values])
        concrete = self._find(key, encoder.leaves)
        if concrete is not None:
            if not context.building_graph():
                state.note_call()
        elif state.described is None:
            concrete = self._trace(key, values, encoder.leaves)
        else:
            values = state.described_call(values)
            concrete = self._trace(state.key_of_specs(values), values, encoder.leaves)
        result = concrete.call_with(encoder.leaves)
        if state.count != traces and not context.building_graph():
            state.note_traced_call()
        if get_context(None) is None:
            self._remember(concrete, args, kwargs, encoder.leaves)
        return result

    def _bound(self, args: Any, kwargs: Any) -> Any:
        """The arguments, one for each parameter, as the signature wants them if there is one."""
        state = self._state
        values = state.parameters.bind(args, kwargs)
        if state.described is None:
            return values
        try:
            return fitted_to_signature(state.parameters, state.described, values)
        except (TypeError, ValueError):
            known = context.top().interpreter.in_python((args, kwargs))
            if known is None:
                raise
        return self._bound(*known)

    def _remember(
        self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: Any, leaves: list[Any]
    ) -> None:
        """Let calls like this one take the quick way: those that need a reader, once a trace was
        called twice in a row.
        """
        state, reader = self._state, None
        if kwargs or not are_tensors(args, leaves):
            if state.last() is not concrete:
                state.last = ref(concrete)
                return
            try:
                reader = reader_of(state.parameters, args, kwargs, leaves)
            except LookupError:
                return
        if (entry := concrete.quick_entry()) is not None:
            state.quick = (*entry, reader, state.detector.counter)

    def _find(self, key: Any, leaves: list[Any]) -> ConcreteFunction | None:
        found = self._state.cache.find(self._state.with_aliases(key, leaves))
        return found if found is not None and found.is_usable_in(current_graph()) else None

    # ---- tracing
    def _trace(
        self, key: Any, values: Any, leaves: list[Any], names: Any = None, is_call: bool = True
    ) -> ConcreteFunction:
        """Trace for a call, or (`is_call` False) for get_concrete_function."""
        state = self._state
        here = current_graph()
        if here is not None and here.is_scratch:  # such a trace is no use to anybody else
            return self._traced(key, values, leaves if is_call else None)
        return state.turns.take(
            state.with_aliases(key, leaves),
            lambda: self._trace_in_turn(key, values, leaves, names, is_call),
        )

    def _trace_in_turn(
        self, key: Any, values: Any, leaves: list[Any], names: Any, is_call: bool
    ) -> ConcreteFunction:
        state = self._state
        if names is None and (found := self._find(key, leaves)) is not None:
            return found  # another thread was quicker
        key = lasting_key(key)
        traced, began = state.note_trace(key, values), perf_counter()
        wide = state.cache.generalized(key) if state.options.reduce_retracing else key
        is_kept = trace_begins()
        concrete = self._traced(wide, values, leaves if is_call else None)
        traced.seconds = perf_counter() - began
        state.count += 1
        state.note_captures(concrete)
        if concrete.graph.went_by_python:
            return concrete  # of no use to the next round, which traces it anew
        if names is not None:
            called = state.with_aliases(key, leaves), names
            state.named[called] = concrete
            is_kept(lambda: state.forget_named(called, traced))
        else:
            wide = state.with_aliases(wide, leaves)
            state.cache.add(wide, concrete)
            is_kept(lambda: state.forget(wide, traced))
        return concrete

    def _traced(self, key: Any, values: Any, leaves: list[Any] | None) -> ConcreteFunction:
        """Trace; once more where the body made variables, which the second time it must find."""
        with collection_seldom():
            return self._made(key, values, leaves)

    def _made(self, key: Any, values: Any, leaves: list[Any] | None) -> ConcreteFunction:
        state = self._state
        is_first = state.count == 0 and not state.makes_variables
        body = staged(self.python_function, state.options)
        request = Request(
            body, state.name, state.parameters, values, key, leaves, is_first,
            state.options.written, bool(state.options.jit_compile),
        )  # fmt: skip
        result = trace(request)
        if result.created:
            state.makes_variables = True
            result = trace(request._replace(is_first=False))
        if state.options.jit_compile:
            require_native(result.concrete.callee.graph, state.name)
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
        named = self._state.named.get((self._state.with_aliases(key, encoder.leaves), names))
        if named is not None and named.is_usable_in(current_graph()):
            return named
        return self._trace(key, values, encoder.leaves, names, is_call=False)

    def _values_for_concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        state = self._state
        if state.described is None:
            return state.parameters.bind(args, kwargs)
        if not args and not kwargs:
            return state.described
        values = state.parameters.bind(args, kwargs)
        fitted_to_signature(state.parameters, state.described, values, allows_specs=True)
        return state.described_call(values)

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
        """The method of one instance: the same Function as long as anybody holds it."""
        if instance is None:
            return self
        state = self._instances.get(id(instance))
        if state is None or state.instance() is not instance:
            state = add_instance(self._instances, instance, self._state)
        bound = state.bound()
        if bound is None:
            bound = Function.__new__(Function)
            bound._state = state
            bound._instance = instance
            bound.__dict__ = state.attributes
            state.bound = ref(bound)
        return bound

    # ---- what it is
    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as it was written; of a method, bound to its instance."""
        function = self._state.function
        return function if self._instance is None else MethodType(function, self._instance)

    def _decorate(self, decorator: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Wrap the function that is going to be traced, as libraries of modules do.

        Raises:
            ValueError: it has been traced already.
        """
        if self._state.count or self._state.history:
            raise ValueError(f"{self!r} has been traced: it can be decorated only before that")
        self._state = FunctionState(decorator(self._state.function), self._state.options)
        self.__dict__ = self._state.attributes

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self.python_function

    @property
    def traces(self) -> FunctionState:
        """The traces and what is remembered of calls."""
        return self._state

    @property
    def key_of_traces(self) -> FunctionState:
        """What stands for it where it is an argument: a method's Function may be made anew."""
        return self._state

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._state.name

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The specs of the arguments, where the decorator got them."""
        return self._state.options.input_signature

    @property
    def function_spec(self) -> Parameters:
        """The parameters of the Python function, with their defaults and the input signature."""
        return self._state.parameters

    @property
    def function_type(self) -> Any:
        """The parameters as an `inspect.Signature`."""
        return self._state.parameters.signature

    # ---- what libraries ask of it by private names
    _function_type = function_type

    @property
    def _name(self) -> str:
        return getattr(self.python_function, "__name__", self.name)

    @property
    def _jit_compile(self) -> bool | None:
        return self._state.options.jit_compile

    def experimental_get_tracing_count(self) -> int:
        """How often the body was traced."""
        return self._state.count

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """All traces' signatures, blank lines between them; each in one line if not `verbose`."""
        traces = self._state.cache.all()
        each = [concrete.pretty_printed_signature(verbose) for concrete in traces]
        return ("\n\n" if verbose else "\n").join(each)

    def explain(self) -> str:
        """Which calls were traced, and in which argument each differed from earlier ones."""
        return reports.history(self._state)

    @property
    def _concrete_variable_creation_fn(self) -> ConcreteFunction | None:
        """The first trace, for clients that draw it: it made the variables."""
        traces = self._list_all_concrete_functions()
        return traces[0] if traces else None

    def _list_all_concrete_functions(self) -> list[ConcreteFunction]:
        """All traces: Keras asks before it exports."""
        return list(self._state.cache.all())

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        """The traces, where they are saved too."""
        if save_type == "checkpoint":
            return {}
        traces = self._list_all_concrete_functions()
        return {f"trace_{number}": concrete for number, concrete in enumerate(traces)}

    def report(self) -> reports.Report:
        """What was compiled, and which operations call back into Python and why."""
        return reports.report(self.name, self._state.cache.all())

    @property
    def graph(self) -> Any:
        """The graph of the latest trace; printing it shows the operations and their lines."""
        return reports.latest(self._state).callee.graph

    def __copy__(self) -> Self:
        """Another face of the same traces."""
        copied = type(self).__new__(type(self))
        copied._state = self._state
        copied._instance = self._instance
        copied._instances = getattr(self, "_instances", {})  # methods of instances have none
        copied.__dict__ = self._state.attributes
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Function:
        """A function without traces; of a method of what is copied, it is the copy's."""
        copied = Function.__new__(Function)
        copied._begin(deepcopy(self.python_function, memo), self._state.options)
        return copied

    def around(self, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Function:
        """Another function, of `wrap(python_function)`, with these options, for any arguments."""
        made = Function.__new__(Function)
        options = replace(self._state.options, input_signature=None, name=self.name)
        made._begin(wrap(self.python_function), options)
        return made

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"cannot pickle the tf.function '{self.name}': pickle the Python function, "
            "or save the traces with tf.saved_model.save"
        )

    def __repr__(self) -> str:
        return f"<tensormill.function.function.Function of {self.python_function!r}>"
