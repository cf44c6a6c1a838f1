"""Functions of a SavedModel, callable again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from ..core import context
from ..core.process.lazy_property import lazy_property
from ..core.process.locks import ForkedLock
from ..core.process.replicas import FRAME
from ..core.process.with_blocks import setting
from ..core.specs import ResourceSpec, TensorSpec, TypeSpec, VariableSpec
from ..core.values import TensorLike
from ..errors import InvalidArgumentError, OpError
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..function.outputs import flat_outputs
from ..function.signature.containers import leaves_of, map_leaves
from ..function.signature.flat_call import bind_concrete
from ..function.signature.keyword_order import order_of_leaves
from ..function.signature.parameters import Parameters
from ..function.traces.trace_type import Encoder
from ..graph.builder import FuncGraph
from ..graph.proto.graphdef_import import Functions
from ..graph.proto.import_checks import told_by
from ..graph.proto.structured import decoded, named_tuple
from .parts_of_replicas import whole_of

_NAME: Final = re.compile(r"__inference_(.*?)_\d+")


@dataclass(frozen=True)
class FunctionSource:
    """Where the functions of one SavedModel come from. `captured` gives what nodes stand for."""

    path: str
    library: Functions
    concrete_protos: Any
    captured: Callable[[int], Any]


class SavedConcreteFunction(ConcreteFunction):
    """What is returned is described by the specs that were saved, with their names."""

    # The same for the parts of variables that count where it is called, where it takes such.
    here: Callable[[], ConcreteFunction] | None = None

    def call_with(self, leaves: Sequence[Any]) -> Any:
        here = self if self.here is None else self.here()
        return super().call_with(leaves) if here is self else here.call_with(leaves)

    def expect(self, outputs: Any) -> None:
        self._output_specs = outputs

    @property
    def structured_outputs(self) -> Any:
        """What is returned, with named specs at the leaves."""
        return self._output_specs


class SavedTrace:
    """One traced function of a SavedModel. Its graph is built when somebody asks for it."""

    def __init__(self, source: FunctionSource, name: str, parameters: Parameters) -> None:
        self._source = source
        self._proto = source.concrete_protos[name]
        self.name = name
        self.parameters = parameters
        self._building: Final = ForkedLock()
        self._concrete: ConcreteFunction | None = None
        self._for_parts: dict[tuple[int, ...], ConcreteFunction] = {}

    @lazy_property
    def arguments(self) -> tuple[Any, ...]:
        """What it was traced for, one for each parameter: specs in place of tensors."""
        with told_by(self._place, "arguments that fit its parameters"):
            args, kwargs = decoded(self._proto.canonicalized_input_signature)
            return self.parameters.bind(tuple(args), kwargs)

    @property
    def _place(self) -> str:
        return f"{self._source.path}: function '{self.name}'"

    @property
    def concrete(self) -> ConcreteFunction:
        """The function, callable.

        Raises:
            UnimplementedError: it uses an operation that the library does not have.
        """
        with self._building():
            if self._concrete is None:
                with setting(FRAME, None):  # the first parts of variables that have several
                    self._concrete = self._for_parts_here()
            return self._concrete

    def _for_parts_here(self) -> ConcreteFunction:
        """The function for the parts of variables that count here."""
        parts = tuple([id(self._source.captured(number)) for number in self._divided])
        with self._building():
            found = self._for_parts.get(parts)
            if found is None:
                arguments = self.arguments
                with context.entered(context.base), told_by(self._place, "a function's graph"):
                    found = self._for_parts[parts] = self._built(arguments)
            return found

    @lazy_property
    def _divided(self) -> list[int]:
        """The objects that it takes of which replicas have parts, by their numbers."""
        taken = self._proto.bound_inputs
        return [number for number in taken if whole_of(self._source.captured(number)) is not None]

    def _built(self, arguments: tuple[Any, ...]) -> ConcreteFunction:
        encoder = Encoder(allows_specs=True)
        handles: dict[int | None, ResourceSpec] = {}
        described = [
            map_leaves(lambda one: _handle(one, handles), value, _as_spec) for value in arguments
        ]
        key = tuple([encoder.encode(value) for value in described])
        graph = FuncGraph(readable(self.name))
        with context.interpreting(graph):
            outputs = self._replayed(graph, encoder.leaves)
            structure = decoded(self._proto.output_signature)
            _require_as_many(structure, outputs)
            rest = iter(outputs)
            graph.structured_outputs = map_leaves(
                lambda spec: None if spec is None else next(rest), structure
            )
        graph.outputs = flat_outputs(graph.structured_outputs)
        finished = replace(graph.finish(graph.outputs), attrs={"function_name": self.name})
        made = SavedConcreteFunction(graph, finished, self.parameters, arguments, key, self.name)
        made.expect(structure)
        if self._divided:
            made.here = self._for_parts_here
        graph.structured_input_signature = made.structured_input_signature
        graph.variables = made.variables
        return made

    def _replayed(self, graph: FuncGraph, specs: Sequence[Any]) -> list[Any]:
        """The function's nodes, on placeholders for its arguments and on what it captured."""
        args = self._source.library.proto(self.name).signature.input_arg
        order = order_of_leaves(self.parameters, self.arguments)
        names = {place: args[k].name for k, place in enumerate(order[: len(args)])}
        own = [graph.placeholder(spec, names.get(k, "")) for k, spec in enumerate(specs)]
        operands = [own[place] for place in order] if len(order) == len(own) else own
        for number in self._proto.bound_inputs:
            operands.append(graph.capture(self._source.captured(number)))
        if len(operands) != len(args):
            raise InvalidArgumentError(
                f"it takes {len(args)} tensors, but the SavedModel says that {len(operands)} are "
                "given"
            )
        return self._source.library.replay(self.name, graph, operands)

    def leaves(self, values: Sequence[Any], converts: bool) -> list[Any] | None:
        """The tensors that the graph takes, where it was traced for such arguments; else None."""
        call = self.parameters.as_call(values)
        try:
            if not converts and not all(map(_are_tensors, self.arguments, values)):
                return None
            return bind_concrete(self.parameters, self.arguments, call.args, call.kwargs)
        except (TypeError, ValueError):
            return None


def _require_as_many(structure: Any, outputs: Sequence[Any]) -> None:
    """Refuse a function that returns another number of tensors than its structure holds."""
    described = sum(1 for spec in leaves_of(structure) if spec is not None)
    if described != len(outputs):
        raise InvalidArgumentError(
            f"it returns {len(outputs)} tensors, but the SavedModel describes {described}"
        )


def _are_tensors(described: Any, value: Any) -> bool:
    """Whether there is a tensor wherever a trace takes one."""
    specs, leaves = leaves_of(described), leaves_of(value)
    return len(specs) == len(leaves) and all(
        isinstance(leaf, TensorLike)
        for spec, leaf in zip(specs, leaves, strict=True)
        if isinstance(spec, TensorSpec)
    )


def _as_spec(spec: TypeSpec) -> Callable[[list[Any]], Any]:
    """A composite whose parts are specs is its own spec."""
    return lambda parts: spec


def _handle(leaf: Any, handles: dict[int | None, ResourceSpec]) -> Any:
    """An argument that is a variable, as its handle; equal aliases are one."""
    if not isinstance(leaf, VariableSpec):
        return leaf
    made = ResourceSpec(TensorSpec(leaf.shape, leaf.dtype), leaf.trainable)
    return handles.setdefault(leaf.alias_id, made)


def readable(name: str) -> str:
    """'__inference_step_12' as 'step'."""
    found = _NAME.fullmatch(name)
    return found[1] if found else name


class RestoredFunction(Function):
    """A tf.function of a SavedModel: it has the traces that were saved, and makes no others.

    Arguments that are no tensors are converted where a trace takes tensors.
    """

    def __init__(
        self, name: str, parameters: Parameters, input_signature: Any, saved: Sequence[SavedTrace]
    ) -> None:
        dispatch = _Dispatch(name, parameters, saved)
        super().__init__(dispatch, input_signature=input_signature, autograph=False)
        self.saved = saved
        self.is_ready = False

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces that were saved."""
        return [one.concrete for one in self.saved]

    def _call_traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not self.is_ready:
            self.traces.turns.take("saved traces", self._fill_cache)
        return super()._call_traced(args, kwargs)

    def _fill_cache(self) -> None:
        """Calls that fit a saved trace as they are go straight to it."""
        if self.is_ready:
            return  # another thread was quicker
        for one in self.saved:
            concrete = _usable(one)
            if concrete is not None:
                self.traces.cache.add(concrete.key, concrete)
                self.traces.note_captures(concrete)
        self.is_ready = True


def _usable(trace: SavedTrace) -> ConcreteFunction | None:
    """The function, or None where it cannot be built: the error comes when it is called."""
    try:
        return trace.concrete
    except (OpError, TypeError, ValueError):
        return None


class _Dispatch:
    """Chooses the trace for a call whose arguments must be converted."""

    def __init__(self, name: str, parameters: Parameters, saved: Sequence[SavedTrace]) -> None:
        self.__name__ = self.__qualname__ = name
        self.__signature__ = parameters.signature
        self._parameters = parameters
        self._saved = saved

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._saved:
            raise ValueError(
                f"Found zero restored functions for caller function: '{self.__name__}' had no "
                "traces when it was saved. Call it, or give it an input_signature, before saving"
            )
        values = [_as_saved(value) for value in self._parameters.bind(args, kwargs)]
        for converts in (False, True):
            for trace in self._saved:
                leaves = trace.leaves(values, converts)
                if leaves is not None:
                    return trace.concrete.call_with(leaves)
        raise ValueError("\n".join(self._no_match(values)))

    def _no_match(self, values: Sequence[Any]) -> Iterator[str]:
        yield (
            f"Could not find matching concrete function to call loaded from the SavedModel, for "
            f"'{self.__name__}'. Got:"
        )
        yield from _lines(self._parameters, values)
        yield (
            f"Expected these arguments to match one of the following {len(self._saved)} option(s):"
        )
        for number, trace in enumerate(self._saved, 1):
            yield f"Option {number}:"
            yield from _lines(self._parameters, trace.arguments, values)


def _as_saved(value: Any) -> Any:
    """Named tuples as the classes that stand for them after loading: what counts is the name."""
    if isinstance(value, dict):
        pairs = cast(dict[Any, Any], value).items()
        return {key: _as_saved(one) for key, one in pairs}
    if not isinstance(value, (list, tuple)):
        return value
    parts = [_as_saved(one) for one in cast(Sequence[Any], value)]
    fields: tuple[str, ...] | None = getattr(value, "_fields", None)
    if fields is not None:
        return named_tuple(type(value).__name__, fields)(*parts)
    return parts if isinstance(value, list) else tuple(parts)


def _lines(
    parameters: Parameters, values: Sequence[Any], given: Sequence[Any] | None = None
) -> Iterator[str]:
    """One line for each argument; those that differ from what was given are marked."""
    for position, (name, value) in enumerate(zip(parameters.names, values, strict=True)):
        text = repr(map_leaves(_spec, value, _as_spec))
        differs = given is not None and repr(map_leaves(_spec, given[position], _as_spec)) != text
        yield f"  {'≠' if differs else ' '} {name}: {text}"


def _spec(leaf: Any) -> Any:
    if not isinstance(leaf, (TensorLike, TensorSpec)):
        return leaf
    return TensorSpec(leaf.shape, leaf.dtype)


class RestoredSignatures(Mapping[str, Any]):
    """Signatures by name. Each takes tensors by keyword and returns a dict."""

    def __init__(self) -> None:
        self._traces: dict[str, SavedTrace] = {}

    def add(self, name: str, trace: SavedTrace) -> None:
        self._traces[name] = trace

    def __getitem__(self, key: str) -> ConcreteFunction:
        return self._traces[key].concrete

    def __iter__(self) -> Iterator[str]:
        return iter(self._traces)

    def __len__(self) -> int:
        return len(self._traces)

    def __repr__(self) -> str:
        return f"_SignatureMap({dict(self)!r})"


class UnusableFunction:
    """Stands for a function that cannot be built. Calling it says why."""

    def __init__(self, name: str, error: Exception) -> None:
        self._name = name
        self._error = error

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise self._error

    def __repr__(self) -> str:
        return f"<function {self._name} of a SavedModel, unusable: {self._error}>"
