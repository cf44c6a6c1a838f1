"""The arguments that a function's body sees while it is traced: placeholders at the leaves."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from functools import partial
from operator import is_
from typing import Any

from ...core import tree
from ...core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec
from ...core.type_spec import TypeSpec
from ...core.values import TensorLike
from ...eager.storage import Storage
from ...eager.tensor import Tensor
from ...eager.variable import Variable
from ...eager.variable_options import VariableAggregationV2, VariableSynchronization
from ...graph.builder import FuncGraph, SymbolicTensor
from ...graph.symbolic_parts import known_of
from ..traces.trace_type import (
    composite_specs,
    is_array,
    leaf_keys,
    spec_of_key,
    storage_of,
    user_types,
)
from .containers import as_spec, map_leaves
from .parameters import Parameters
from .paths import LeafPath, paths_of
from .readable_signatures import VariableSpec, held_weakly

_SPECS = (TensorSpec, ObjectSpec, ListSpec)


class AtLeaves(ABC):
    """Puts something else at each leaf of the arguments of one trace, in the order of its key."""

    def __init__(self, parameters: Parameters, key: Any) -> None:
        self._parameters = parameters
        self._keys = leaf_keys(key)
        self._composites = composite_specs(key)
        self._types = user_types(key)

    def place(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Arguments like `values` with the others at their leaves."""
        paths = iter([path for path, _ in paths_of(self._parameters, values)])
        return tuple(
            map_leaves(lambda leaf: self._leaf(leaf, next(paths)), value, self._compose)
            for value in values
        )

    @abstractmethod
    def _leaf(self, leaf: Any, path: LeafPath) -> Any: ...

    @abstractmethod
    def _compose(self, given: TypeSpec) -> Callable[[list[Any]], Any]: ...


class Placer(AtLeaves):
    """Puts placeholders there: the values that the body sees.

    `known`: ids of variables that the body may find elsewhere, too. They stay what they are.
    """

    def __init__(
        self, graph: FuncGraph, parameters: Parameters, key: Any, known: Collection[int] = ()
    ) -> None:
        super().__init__(parameters, key)
        self._graph = graph
        self._known = known
        self._variables: dict[int, Any] = {}
        self._path = LeafPath("", "", "")
        self.placeholders: list[SymbolicTensor] = []

    def _compose(self, given: TypeSpec) -> Callable[[list[Any]], Any]:
        """Composites are made by the spec in the key, which may be wider than that of the value."""
        return partial(tree.composite_of, next(self._composites))

    def _leaf(self, leaf: Any, path: LeafPath) -> Any:
        if is_variable(leaf):
            return self._variable(leaf, path)
        if hasattr(leaf, "__tf_tracing_type__"):
            return self._user(next(self._types), path)
        if isinstance(leaf, (Tensor, *_SPECS)) or is_array(leaf):
            return self._placeholder(leaf.name if isinstance(leaf, TensorSpec) else None, path)
        return leaf

    def _user(self, trace_type: Any, path: LeafPath) -> Any:
        """What a class with a trace type of its own shows; its specs ask for `placeholder`."""
        first, self._path = len(self.placeholders), path
        value = trace_type.placeholder_value(self)
        made = self.placeholders[first:]
        given: list[Any] = trace_type.to_tensors(value) if made else []
        if len(made) != len(trace_type.flatten()) or not all(map(is_, made, given)):
            raise TypeError(
                f"{path.text}: placeholder_value of {trace_type!r} must hold the placeholder of "
                "each spec in flatten(), in the order of to_tensors()"
            )
        return value

    def placeholder(self, spec: TensorSpec) -> SymbolicTensor:
        """A placeholder for a tensor inside of a value that has a trace type of its own."""
        return self._placeholder(spec.name, self._path)

    def _placeholder(self, given: str | None, path: LeafPath) -> SymbolicTensor:
        spec = spec_of_key(next(self._keys), given or path.spec_name)
        tensor = self._graph.placeholder(spec, given or path.placeholder)
        self.placeholders.append(tensor)
        return tensor

    def _variable(self, leaf: Any, path: LeafPath) -> Any:
        identity = id(leaf) if isinstance(leaf, ResourceSpec) else id(storage_of(leaf))
        found = self._variables.get(identity)
        if found is None:
            handle = self._placeholder(None, path)
            if isinstance(leaf, ResourceSpec) or leaf.handle.symbolic:
                found = variable_of_handle(handle, path.text)
            else:
                self._graph.alias(storage_of(leaf), handle)
                known = id(leaf) in self._known
                found = leaf if known else variable_of_handle(handle, path.text)
            self._variables[identity] = found
        return found


def is_variable(value: Any) -> bool:
    if isinstance(value, ResourceSpec):
        return True
    is_one = isinstance(value, TensorLike) and value.is_one_tensor
    return is_one and not isinstance(value, Tensor)


def variable_of_handle(handle: SymbolicTensor, name: str) -> Variable:
    """A variable whose handle is a tensor of the function that is being traced."""
    spec = known_of(handle).spec
    assert isinstance(spec, ResourceSpec)
    variable: Any = Variable.__new__(Variable)
    variable._storage = Storage(None, spec.state, f"{name}:0", spec.trainable)
    variable.handle = handle
    variable.constraint = None
    variable.synchronization = VariableSynchronization.AUTO
    variable.aggregation = VariableAggregationV2.NONE
    variable._shared_name = variable._unique_id = name
    handle.__dict__["variable"] = weakref.ref(variable)  # tapes name the variables of handles
    return variable


def described_arguments(
    parameters: Parameters, values: Sequence[Any], key: Any, named: bool = True
) -> tuple[Any, ...]:
    """The values with specs in place of tensors and variables, for signatures.

    `named` gives the specs that have no name the one of their place.
    """
    return Describer(parameters, key, named).place(values)


class Describer(AtLeaves):
    """Puts specs there."""

    def __init__(self, parameters: Parameters, key: Any, named: bool) -> None:
        super().__init__(parameters, key)
        self._named = named
        self._aliases: dict[int, VariableSpec] = {}

    def _compose(self, given: TypeSpec) -> Callable[[list[Any]], Any]:
        return as_spec(next(self._composites))

    def _leaf(self, leaf: Any, path: LeafPath) -> Any:
        if is_variable(leaf):
            return self._variable(leaf)
        own_name = path.spec_name if self._named else None
        if isinstance(leaf, TensorSpec):
            return spec_of_key(next(self._keys), leaf.name or own_name)
        if isinstance(leaf, (Tensor, *_SPECS)) or is_array(leaf):
            return spec_of_key(next(self._keys), own_name)
        if hasattr(leaf, "__tf_tracing_type__"):
            found = next(self._types)
            for _ in found.flatten():
                next(self._keys)
            return found
        return held_weakly(leaf)

    def _variable(self, leaf: Any) -> VariableSpec:
        identity = id(leaf) if isinstance(leaf, ResourceSpec) else id(storage_of(leaf))
        if identity not in self._aliases:
            spec = spec_of_key(next(self._keys))
            assert isinstance(spec, ResourceSpec)
            self._aliases[identity] = VariableSpec(
                spec.state.shape, spec.state.dtype, spec.trainable, len(self._aliases)
            )
        return self._aliases[identity]
