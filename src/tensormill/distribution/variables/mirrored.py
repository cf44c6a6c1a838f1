"""Variables whose parts are changed alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core.tensorflow_names import at_home_in
from ...eager.variable_options import VariableAggregationV2
from ..frames import FRAME, part_here
from ..regrouping import component_of
from ..values import Mirrored
from .distributed import PLACING, DistributedVariable, as_mirrored, as_reduction

NOT_ADDED_UP: Final = (
    "{} is only supported for mirrored variable (variable created within certain "
    "`tf.distribute.Strategy` scope) with NONE or `ONLY_FIRST_REPLICA` aggregation, got: {}."
)

NO_AGGREGATION: Final = (
    "You must specify an aggregation method to update a AggregatingVariable in Replica Context: "
    "pass `aggregation` to tf.Variable, as in "
    "`tf.Variable(..., aggregation=tf.VariableAggregation.SUM)`"
)


@at_home_in("tensorflow.python.distribute.values")
class MirroredVariable(DistributedVariable, Mirrored):
    """A variable whose parts are the same, as long as replicas change them alike.

    A replica that changes it changes all parts, by what its `aggregation` makes of what all
    replicas give; without one, its own part.
    """

    def _change(self, change: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        number = part_here(self._distribute_strategy)
        if number is None:
            if self.aggregation != VariableAggregationV2.NONE:
                self._require_sum_of(change.__name__)
            return as_mirrored(self._change_each(change, args, kwargs))
        here: Any = FRAME.get()
        if here.replica is None or self.aggregation == VariableAggregationV2.NONE:
            return change(self.values[number], *args, **kwargs)
        self._require_sum_of(change.__name__)
        return here.replica.merge_call(self._change_together, (change, args, kwargs))

    def __getitem__(self, key: Any) -> Any:
        """The part `key`; assigning to it above all replicas changes all of them alike.

        (TensorFlow changes the first replica only, and the others go on with what they had.)
        """
        found = super().__getitem__(key)
        if part_here(self._distribute_strategy) is None:
            found._assignable = (self, key)
        return found

    def _part(self, key: Any) -> Any:
        return MirroredSlice(self, key)

    def _differentiated(self) -> Sequence[Any]:
        """The part that is meant here; above all replicas, which may each have read theirs, all."""
        return self.values if part_here(self._distribute_strategy) is None else (self._here,)

    def drawn_from(self, draw: Callable[[Any], Any]) -> Any:
        """What `draw` gives of the part that is meant here; above replicas, all parts move on."""
        number = part_here(self._distribute_strategy)
        if number is None:
            first, *_ = [draw(part.handle) for part in self.values]
            return first
        return draw(self.values[number].handle)

    def _require_sum_of(self, name: str) -> None:
        if name in PLACING and self.aggregation != VariableAggregationV2.ONLY_FIRST_REPLICA:
            raise NotImplementedError(NOT_ADDED_UP.format(name, self.aggregation))

    def _change_together(self, strategy: Any, change: Any, args: Any, kwargs: Any) -> Any:
        args, kwargs = self._aggregated(strategy, (args, kwargs))
        return as_mirrored(self._change_each(change, args, kwargs))

    def _aggregated(self, strategy: Any, given: Any) -> Any:
        if self.aggregation == VariableAggregationV2.ONLY_FIRST_REPLICA:
            return component_of(0, given)
        args, kwargs = given
        reduce_op = as_reduction(self.aggregation, self.name)
        names = ("value", "delta", "sparse_delta")
        reduced = {name: kwargs[name] for name in names if name in kwargs}

        def total(value: Any) -> Any:
            return strategy.extended.reduce_to(reduce_op, value, self)

        named = kwargs | {name: total(value) for name, value in reduced.items()}
        return (total(args[0]), *args[1:]) if args else args, named


class MirroredSlice:
    """The part `key` of every part of a variable: `v[0].assign(1.0)` above all replicas.

    Its methods return what those of a plain variable's part return, of each replica.
    """

    def __init__(self, variable: MirroredVariable, key: Any) -> None:
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None, read_value: bool = True) -> Any:
        """Replace the part."""
        return self._changed("assign", (value, name, read_value))

    def assign_add(self, delta: Any, name: str | None = None, read_value: bool = True) -> Any:
        """Add to the part."""
        return self._changed("assign_add", (delta, name, read_value))

    def assign_sub(self, delta: Any, name: str | None = None, read_value: bool = True) -> Any:
        """Subtract from the part."""
        return self._changed("assign_sub", (delta, name, read_value))

    def _changed(self, method: str, given: tuple[Any, ...]) -> Any:
        def change(part: Any, *args: Any) -> Any:
            return getattr(part[self._key], method)(*args)

        return as_mirrored(self._variable._change_each(change, given, {}))


@at_home_in("tensorflow.python.distribute.ps_values")
class AggregatingVariable(MirroredVariable):
    """A variable with one part, which all replicas share.

    They change it once, by what its `aggregation` makes of what all of them give.
    """

    @property
    def _here(self) -> Any:
        return self.values[0]

    def _change(self, change: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        here: Any = FRAME.get()
        if here is None or here.replica is None or here.strategy is not self._distribute_strategy:
            return change(self.values[0], *args, **kwargs)
        if self.aggregation == VariableAggregationV2.NONE:
            raise ValueError(NO_AGGREGATION)
        self._require_sum_of(change.__name__)
        return here.replica.merge_call(self._change_together, (change, args, kwargs))

    def __repr__(self) -> str:
        return repr(self.values[0])

    __str__ = __repr__
