"""Variables of which each replica changes its own part, brought together when read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...core import context, tree
from ...core.tensorflow_names import at_home_in
from ...eager.variable_options import VariableAggregationV2
from ...eager.variable_saving import VARIABLE_VALUE
from ...ops.conversion import as_tensor
from ...ops.math.cast import cast
from ..frames import part_here
from ..values import DistributedValues
from .distributed import DistributedVariable, as_reduction

NO_SUM_OF_CHANGES: Final = (
    "SyncOnReadVariable does not support `{}` in cross-replica context when aggregation is set to "
    "`tf.VariableAggregation.SUM`."
)
NO_ROWS: Final = "Variables with `synchronization=ON_READ` doesn't support `{}`"


@at_home_in("tensorflow.python.distribute.values")
class SyncOnReadVariable(DistributedVariable):
    """A variable of which each replica reads and changes its own part.

    Above all replicas its value is what its `aggregation` makes of all parts; assigning it there
    gives each part its share of a sum, else the same.
    """

    def value(self) -> Any:
        number = part_here(self._distribute_strategy)
        return self._together() if number is None else self.values[number].value()

    # Not that of its value, which a class that says what its value is has otherwise.
    __getitem__ = DistributedVariable.__getitem__

    def _together(self) -> Any:
        if self.aggregation == VariableAggregationV2.ONLY_FIRST_REPLICA:
            return self.values[0].value()
        reduce_op = as_reduction(self.aggregation, self.name)
        parts = [part.value() for part in self.values]
        return self._distribute_strategy.extended.total(reduce_op, parts)

    def numpy(self) -> Any:
        if context.building_graph():
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self.value().numpy()

    def sparse_read(self, indices: Any, name: str | None = None) -> Any:
        from ...ops.array.gather import gather

        return gather(self.value(), indices, name=name)

    def _change(self, change: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        name = change.__name__
        if not name.startswith("assign"):
            raise NotImplementedError(NO_ROWS.format(name))
        number = part_here(self._distribute_strategy)
        if number is not None:
            return change(self.values[number], *args, **kwargs)
        args, kwargs = tree.map_structure(_read, (args, kwargs))
        if name == "assign":
            args, kwargs = self._shares(*args, **kwargs)
        elif self.aggregation == VariableAggregationV2.SUM:
            raise ValueError(NO_SUM_OF_CHANGES.format(name))
        found = self._change_each(change, args, kwargs)
        return None if found[0] is None else self._together()

    def _shares(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        is_total = self.aggregation == VariableAggregationV2.SUM
        if is_total and not isinstance(value, DistributedValues):
            total = as_tensor(value, None if hasattr(value, "dtype") else self.dtype)
            value = cast(total / self._distribute_strategy.num_replicas_in_sync, self.dtype)
        return (value, *args), kwargs

    def _tensors_to_restore(self) -> dict[str, Any]:
        return {VARIABLE_VALUE: self.values[0].value()}  # also where nothing says how to read it

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> Any:
        value = self._checked(restored_tensors[VARIABLE_VALUE])
        return self.assign(value, read_value=False)


def _read(given: Any) -> Any:
    """A variable's value above all replicas, which is the same for all parts."""
    return given.value() if isinstance(given, DistributedVariable) else given
