"""The variables of a graph by their names, as `tf.compat.v1.get_variable` finds and makes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from ..core.dtypes import DType
from ..core.shapes import as_shape
from ..core.values import TensorLike
from ..eager.convert import convert_to_tensor
from ..eager.scopes import name_scope
from ..eager.variable_options import VariableAggregationV2, VariableSynchronization
from ..graph.by_hand.collections import GraphKeys
from ..graph.by_hand.default_graph import root_graph
from ..graph.by_hand.variables import beside
from .initializers import GlorotUniformV1, ZerosV1
from .variable import VariableV1


class VariableStore:
    """What was made, by full names."""

    def __init__(self) -> None:
        self.variables: Final[dict[str, Any]] = {}

    @property
    def _vars(self) -> dict[str, Any]:
        """What libraries call the variables."""
        return self.variables

    def get_variable(
        self, name: str, custom_getter: Callable[..., Any] | None = None, **options: Any
    ) -> Any:
        """The variable called `name`; `custom_getter` is asked first, and may ask us."""
        if options.get("trainable") is None:  # getters and creators are told
            options["trainable"] = options.get("synchronization") != VariableSynchronization.ON_READ
        if custom_getter is None:
            return self._found_or_made(name, **options)

        def getter(name: str, partitioner: Any = None, **changed: Any) -> Any:
            # Variables are whole, whatever a partitioner says.
            return self._found_or_made(name, **(options | changed))

        return custom_getter(getter, name=name, **options)

    def _found_or_made(self, name: str, reuse: Any = None, **options: Any) -> Any:
        found = self.variables.get(name)
        if found is None:
            if reuse is True:
                raise ValueError(
                    f"Variable {name} does not exist, or was not created with tf.get_variable(). "
                    "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
                )
            return self._made(name, **options)
        if not reuse:
            raise ValueError(
                f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        _check(found, name, options["shape"], options["dtype"])
        return found

    def _made(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Callable[[Any], Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        **options: Any,
    ) -> Any:
        initial, given = _initial(name, initializer, shape, dtype)
        variable = VariableV1(
            initial,
            name=name,
            dtype=given,
            synchronization=synchronization or VariableSynchronization.AUTO,
            aggregation=aggregation or VariableAggregationV2.NONE,
            **options,
        )
        if root_graph() is not None:
            self.variables[name] = variable
            _regularize(name, variable, regularizer)
        return variable


def _check(found: Any, name: str, shape: Any, dtype: DType) -> None:
    if shape is not None and not as_shape(shape).is_compatible_with(found.shape):
        raise ValueError(
            f"Trying to share variable {name}, but specified shape {as_shape(shape)} and found "
            f"shape {found.shape}."
        )
    if found.dtype is not dtype:
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype "
            f"{found.dtype.name}."
        )


def _initial(name: str, initializer: Any, shape: Any, dtype: DType) -> tuple[Any, DType | None]:
    """The initial value, or a function that gives it, and the dtype that it has to have."""
    if initializer is None:
        initializer = _usual(name, dtype)
    if isinstance(initializer, type):
        initializer = initializer()
    if not callable(initializer) or isinstance(initializer, TensorLike):
        if shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        graph = root_graph()
        with _around(), nullcontext() if graph is None else graph.device(""):
            own = convert_to_tensor(initializer, name=f"{name}/Initializer/initial_value/")
        return own, own.dtype
    if shape is None:
        if _takes_a_shape(initializer):
            raise ValueError(
                f"Variable {name} did not get an initializer, so its `shape` argument must be "
                "specified."
            )
        return initializer, dtype
    sizes = as_shape(shape)
    if not sizes.is_fully_defined():
        raise ValueError(
            f"Shape of a new variable ({name}) must be fully defined, but instead was {sizes}."
        )
    return lambda: _called(initializer, sizes.as_list(), dtype), dtype


def _around() -> AbstractContextManager[Any]:
    """Where variables are made: outside of the branch or body that is being traced."""
    graph = root_graph()
    return nullcontext() if graph is None else beside(graph)


def _called(initializer: Callable[..., Any], shape: Any, dtype: DType) -> Any:
    parameters = inspect.signature(initializer).parameters.values()
    if any(one.name == "dtype" or one.kind is one.VAR_KEYWORD for one in parameters):
        return initializer(shape, dtype=dtype)
    return initializer(shape) if len(parameters) else initializer()


def _takes_a_shape(initializer: Callable[..., Any]) -> bool:
    parameters = inspect.signature(initializer).parameters.values()
    return any(one.default is one.empty and one.kind is not one.VAR_KEYWORD for one in parameters)


def _usual(name: str, dtype: DType) -> Any:
    """What variables start at about which nothing is said."""
    if dtype.is_floating:
        return GlorotUniformV1()
    if dtype.is_integer or dtype.is_bool or dtype.is_complex or dtype.family == "string":
        return ZerosV1()
    raise ValueError(f"An initializer for variable {name} of {dtype!r} is required")


def _regularize(name: str, variable: Any, regularizer: Callable[[Any], Any] | None) -> None:
    graph = root_graph()
    if regularizer is None or graph is None:
        return
    with beside(graph), name_scope(f"{name}/Regularizer/"):
        loss = regularizer(variable)
    if loss is not None:
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
