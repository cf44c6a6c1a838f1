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
from ..eager.variable_saving import SaveSliceInfo
from ..graph.by_hand.collections import GraphKeys
from ..graph.by_hand.default_graph import root_graph
from ..graph.by_hand.variables import beside
from .initializers import GlorotUniformV1, ZerosV1
from .partitioned import PartitionedVariable, counts_of, cuts, start_of_part
from .variable import VariableV1


class VariableStore:
    """What was made, by full names."""

    def __init__(self) -> None:
        self.variables: Final[dict[str, Any]] = {}
        self.partitioned: Final[dict[str, PartitionedVariable]] = {}

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

        def getter(name: str, **changed: Any) -> Any:
            return self._found_or_made(name, **(options | changed))

        return custom_getter(getter, name=name, **options)

    def _found_or_made(
        self, name: str, reuse: Any = None, partitioner: Any = None, **options: Any
    ) -> Any:
        if partitioner is not None and not _is_scalar(options["shape"]):
            return self._found_or_cut(name, reuse, partitioner, **options)
        if name in self.partitioned and reuse is True:
            return self._found_or_cut(name, reuse, partitioner, **options)
        if f"{name}/part_0" in self.variables:
            raise ValueError(
                "No partitioner was provided, but a partitioned version of the variable was found: "
                f"{name}/part_0. Perhaps a variable of the same name was already created with "
                "partitioning?"
            )
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

    def _found_or_cut(
        self, name: str, reuse: Any, partitioner: Any, **options: Any
    ) -> PartitionedVariable:
        """The variable in parts of that name."""
        if name in self.variables:
            raise ValueError(
                f"A partitioner was provided, but an unpartitioned version of the variable was "
                f"found: {name}.  Perhaps a variable of the same name was already created without "
                "partitioning?"
            )
        found = self.partitioned.get(name)
        if found is None and reuse is True:
            raise ValueError(
                f"PartitionedVariable {name} does not exist, or was not created with "
                "tf.get_variable(). Did you mean to set reuse=False or reuse=tf.AUTO_REUSE in "
                "VarScope?"
            )
        if found is not None and not reuse:
            raise ValueError(
                f"Partitioned variable with name {name} already exists. Did you mean to set "
                "reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
            )
        if found is None:
            return self._cut(name, partitioner, **options)
        _check(found, name, options["shape"], options["dtype"], "reuse partitioned variable")
        _check_partitions(found, partitioner)
        return found

    def _cut(
        self, name: str, partitioner: Any, shape: Any, dtype: DType, initializer: Any,
        **options: Any,
    ) -> PartitionedVariable:  # fmt: skip
        is_tensor = isinstance(initializer, TensorLike)
        whole = as_shape(initializer.shape if shape is None and is_tensor else shape)
        if not whole.is_fully_defined():
            raise ValueError(
                "Shape of a new partitioned variable must be fully defined, but instead was "
                f"{whole}."
            )
        dtype = initializer.dtype if is_tensor else dtype
        counts = counts_of(partitioner, whole, dtype)
        sizes: Any = whole.as_list()
        parts: list[Any] = []
        for number, cut in enumerate(cuts(sizes, counts)):
            own = f"{name}/part_{number}"
            with _around():
                first = _usual(name, dtype) if initializer is None else initializer
                start = start_of_part(first, own, sizes, cut)
            part = self._found_or_made(own, False, dtype=dtype, **options, **start)
            part._set_save_slice_info(SaveSliceInfo(name, sizes, cut.offset, cut.size))
            parts.append(part)
        made = PartitionedVariable(name, whole, dtype, parts, counts)
        if root_graph() is not None:
            self.partitioned[name] = made
        return made

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


def _is_scalar(shape: Any) -> bool:
    return shape is not None and as_shape(shape).rank == 0


def _check_partitions(found: PartitionedVariable, partitioner: Any) -> None:
    if partitioner is None:
        return
    counts = counts_of(partitioner, found.shape, found.dtype)
    if counts != list(found._get_partitions()):
        raise ValueError(
            f"Trying to reuse partitioned variable {found.name}, but specified partitions {counts} "
            f"and found partitions {found._get_partitions()}."
        )


def _check(found: Any, name: str, shape: Any, dtype: DType, way: str = "share variable") -> None:
    if shape is not None and not as_shape(shape).is_compatible_with(found.shape):
        raise ValueError(
            f"Trying to {way} {name}, but specified shape {as_shape(shape)} and found "
            f"shape {found.shape}."
        )
    if found.dtype is not dtype:
        raise ValueError(
            f"Trying to {way} {name}, but specified dtype {dtype.name} and found dtype "
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
