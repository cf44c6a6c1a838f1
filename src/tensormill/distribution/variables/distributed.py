"""What all variables have in common of which each replica has a part."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final
from weakref import ref

from ...core.process.replicas import AS_ONE
from ...core.tensorflow_names import at_home_in
from ...eager.variable import UNIQUE, Variable
from ...eager.variable_options import VariableAggregationV2, VariableSynchronization
from ...eager.variable_updates import Updates
from ..frames import part_here, require_unmixed
from ..reduction import ReduceOp, reduced_values
from ..regrouping import component_of
from ..staging import staged_for
from ..values import DistributedValues, MirroredTensors

NOT_A_REDUCTION: Final = (
    "Could not convert from `tf.VariableAggregation` {} to `tf.distribute.ReduceOp` type: {}"
)
REDUCTIONS: Final = {
    VariableAggregationV2.SUM: ReduceOp.SUM,
    VariableAggregationV2.MEAN: ReduceOp.MEAN,
}
# What changes a variable, beside assignments of the whole value.
ADDING: Final = ("scatter_add", "scatter_sub", "scatter_mul", "scatter_div")
PLACING: Final = (
    "scatter_update", "scatter_max", "scatter_min",
    "scatter_nd_update", "scatter_nd_add", "scatter_nd_sub", "scatter_nd_max", "scatter_nd_min",
    "batch_scatter_update", "count_up_to",
)  # fmt: skip
CHANGES: Final = ("assign", "assign_add", "assign_sub", *ADDING, *PLACING)


@at_home_in("tensorflow.python.distribute.values")
class DistributedVariable(DistributedValues, Variable):
    """Abstract: a variable for each replica, under one name.

    In the code of a replica it is the part of that replica; above all replicas, the first part,
    except where members say otherwise.
    """

    # Asked for by libraries: whether it has parts.
    is_distributed_variable: Final = True

    is_one_tensor = False

    def __init__(
        self,
        strategy: Any,
        parts: Sequence[Any],
        synchronization: VariableSynchronization,
        aggregation: VariableAggregationV2,
    ) -> None:
        self.all_parts: Final = tuple(parts)
        self._distribute_strategy = strategy
        self.synchronization = synchronization
        self.aggregation = aggregation
        self.constraint = parts[0].constraint
        self._shared_name = parts[0]._shared_name
        self._unique_id = f"{self._shared_name}_{next(UNIQUE)}"
        for part in parts:
            # What knows a part by its handle (tapes, functions) speaks of the whole variable.
            part._distributed_container = part.handle.variable = ref(self)

    @property
    def values(self) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The parts, by the numbers of replicas; where all parts are one, each has that one."""
        return self.different_parts * (len(self.all_parts) // len(self.different_parts))

    @property
    def different_parts(self) -> tuple[Any, ...]:
        """The parts, each once."""
        return self.all_parts[:1] if AS_ONE.get() else self.all_parts

    @property
    def _here(self) -> Any:
        number = part_here(self._distribute_strategy)
        return self.values[number or 0]

    @property
    def handle(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What stands for the part of the replica that asks in operations and graphs."""
        return self._here.handle

    @property
    def _storage(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._here._storage

    def value(self) -> Any:
        """The value now of the part of the replica that asks, as a tensor."""
        return self._here.value()

    def __getitem__(self, key: Any) -> Any:
        """The part `key` of its value; a replica may assign to it, which changes its own part."""
        of = self.value() if part_here(self._distribute_strategy) is None else self._here
        return of[key]

    def _differentiated(self) -> Sequence[Any]:
        """The parts whose gradients are asked for by its own: the one that is meant here."""
        return (self._here,)

    def _with_gradients(self, gradients: Sequence[Any]) -> Any:
        """Its gradient, of those of these parts: their sum."""
        return reduced_values(ReduceOp.SUM, [one for one in gradients if one is not None])

    @property
    def distribute_strategy(self) -> Any:
        """The strategy in whose scope it was made."""
        return self._distribute_strategy

    @property
    def device(self) -> str:
        """Where the part is of the replica that asks."""
        return self._here.device

    @property
    def name(self) -> str:
        """The name that it was given: that of its first part."""
        return self.values[0].name

    @property
    def _trainable(self) -> bool:
        return self.values[0]._trainable

    @_trainable.setter
    def _trainable(self, value: bool) -> None:
        for part in self.values:
            part._trainable = value

    def _change(self, change: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """Change one part, or all of them, as members say."""
        raise NotImplementedError

    def _change_each(self, change: Callable[..., Any], args: Any, kwargs: Any) -> list[Any]:
        """Change every part, by its own part of what is distributed."""
        found: list[Any] = []
        for number, part in enumerate(self.values):
            given, named = component_of(number, (args, kwargs))
            with staged_for(number, part.device):
                found.append(change(part, *given, **named))
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        parts = [deepcopy(part, memo) for part in self.values]
        made = type(self)(self._distribute_strategy, parts, self.synchronization, self.aggregation)
        memo[id(self)] = made
        return made

    def __repr__(self) -> str:
        return self._listed(repr)

    def __str__(self) -> str:
        return self._listed(str)


def _changing(name: str) -> Callable[..., Any]:
    change = getattr(Updates, name)

    @functools.wraps(change)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if AS_ONE.get():
            given, named = component_of(0, (args, kwargs))
            return change(self.values[0], *given, **named)
        require_unmixed(self._distribute_strategy)
        return self._change(change, args, kwargs)

    return method


for _name in CHANGES:
    setattr(DistributedVariable, _name, _changing(_name))


def as_mirrored(parts: Sequence[Any]) -> Any:
    """What changes of all parts gave, as values; None where they were asked for nothing."""
    if len(parts) == 1 or parts[0] is None:
        return parts[0]
    return MirroredTensors([part.value() if isinstance(part, Variable) else part for part in parts])


def as_reduction(aggregation: VariableAggregationV2, name: str) -> ReduceOp:
    """How parts of a variable become one value.

    Raises:
        ValueError: nobody said it when the variable was made.
    """
    if aggregation not in REDUCTIONS:
        raise ValueError(NOT_A_REDUCTION.format(aggregation, name))
    return REDUCTIONS[aggregation]
