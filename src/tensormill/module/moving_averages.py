"""`tf.train.ExponentialMovingAverage`: of each variable a shadow that follows it slowly."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..control.grouping import group
from ..core import context
from ..eager.convert import convert_to_tensor
from ..eager.scopes import name_scope
from ..eager.variable import Variable
from ..eager.variable_saving import tell_place
from ..graph.by_hand.collections import GraphKeys
from ..graph.by_hand.default_graph import get_default_graph, root_graph
from ..graph.by_hand.variable_scopes import within_scope
from ..graph.by_hand.variables import GraphVariable, beside
from ..graph.symbolic import SymbolicTensor
from ..ops.array.fill import zeros
from ..ops.math.arithmetic import minimum
from ..ops.math.cast import cast
from ..ops.math.power import pow


class ExponentialMovingAverage:
    """Keeps of each variable the moving average `decay * average + (1 - decay) * value`.

    decay: a float, or a float scalar. num_updates: a number of steps, an int or a variable; where
    it is given, the decay is at most (1 + num_updates) / (10 + num_updates), so that averages
    follow faster at first. zero_debias: averages of tensors in a graph, which begin with zeros, do
    as if they had not; those of variables begin with their values.

    >>> v = tf.Variable(1.0)
    >>> averages = tf.train.ExponentialMovingAverage(0.5)
    >>> averages.apply([v])
    >>> v.assign(3.0).numpy()
    np.float32(3.0)
    >>> averages.apply([v])
    >>> averages.average(v).numpy()
    np.float32(2.0)
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:  # fmt: skip
        self._decay = decay
        self._num_updates = num_updates
        self._name = name
        self._zero_debias = zero_debias
        self._averages: dict[Any, tuple[Any, Variable]] = {}
        # Of tensors whose beginning with zeros does not count: the sum that counts it, and steps.
        self._biased: dict[Any, tuple[Variable, Variable]] = {}

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    def apply(self, var_list: Any = None) -> Any:
        """Let the averages of these variables follow them by one step; new ones begin.

        In a graph, what does so is returned; there tensors may have averages as well, which begin
        with zeros, and all trainable variables count unless there is a list.

        Raises:
            TypeError: one is no variable, or not of floats.
        """
        variables = _trainable() if var_list is None else [*var_list]
        for variable in variables:
            self._require_floats(variable)
            if variable.ref() not in self._averages:
                self._averages[variable.ref()] = variable, self._begun(variable)
        with name_scope(self._name) as scope:
            decay = self._decay_now()
            steps = [self._followed(one, cast(decay, one.dtype)) for one in variables]
            return group(*steps, name=scope)

    def _followed(self, variable: Any, decay: Any) -> Any:
        """The step of one average."""
        average = self._averages[variable.ref()][1]
        biased = self._biased.get(variable.ref())
        if biased is None:
            return average.assign_sub((average - variable) * (1 - decay))
        total, count = biased
        rest = convert_to_tensor(total.assign_sub((total - variable) * (1 - decay)))
        steps = convert_to_tensor(count.assign_add(1.0))
        return average.assign(rest / (1 - pow(decay, steps)))

    def _decay_now(self) -> Any:
        decay = convert_to_tensor(self._decay)
        if self._num_updates is None:
            return decay
        count = cast(self._num_updates, decay.dtype)
        return minimum(decay, (1 + count) / (10 + count))

    @staticmethod
    def _require_floats(variable: Any) -> None:
        if not isinstance(variable, (Variable, SymbolicTensor)):
            raise TypeError(
                f"tf.train.ExponentialMovingAverage keeps averages of variables; got {variable!r}"
            )
        if variable.dtype.name not in ("float16", "bfloat16", "float32", "float64"):
            raise TypeError(
                f"The variables must be half, float, or double: {variable.name} is "
                f"{variable.dtype.name}"
            )

    def _begun(self, variable: Any) -> Variable:
        """The average of a variable, or of a tensor of a graph, at its beginning."""
        if isinstance(variable, GraphVariable):
            variable.graph.add_to_collections([GraphKeys.MOVING_AVERAGE_VARIABLES], variable)
            return self._in_graph(variable, variable.value, "")
        if isinstance(variable, SymbolicTensor):
            start = partial(zeros, variable.shape, variable.dtype)
            if self._zero_debias:
                self._biased[variable.ref()] = (
                    self._in_graph(variable, start, "/biased"),
                    self._in_graph(variable, partial(zeros, [], variable.dtype), "/local_step"),
                )
            return self._in_graph(variable, start, "")
        with context.init_scope():
            name = get_default_graph().unique_name(self._unique_name(variable))
            return Variable(variable.value(), trainable=False, name=name, dtype=variable.dtype)

    def _in_graph(self, variable: Any, start: Any, suffix: str) -> Variable:
        with beside(variable.graph), name_scope(""):
            name = within_scope(self._unique_name(variable))
            average = Variable(start, trainable=False, name=name + suffix)
        tell_place(average, variable)
        return average

    def _unique_name(self, variable: Any) -> str:
        return f"{variable.name.removesuffix(':0')}/{self._name}"

    def average(self, var: Any) -> Any:
        """The variable that has the average of another one; None where there is none."""
        known = self._averages.get(var.ref())
        return None if known is None else known[1]

    def average_name(self, var: Any) -> str:
        """What the average of a variable is called, or would be: by it checkpoints name it."""
        average = self.average(var)
        return self._unique_name(var) if average is None else average.name.removesuffix(":0")

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """The variables by the names of their averages, to restore the averages into them.

        moving_avg_variables: those that have averages; None stands for all that were averaged, and
        in a graph for those that are trained. The graph's others go by their own names.
        """
        listed = moving_avg_variables
        if listed is None:
            averaged = [one for one, _ in self._averages.values() if isinstance(one, Variable)]
            listed = [*averaged, *_trainable()]
        found = {self.average_name(variable): variable for variable in listed}
        taken = {id(one) for one in listed}
        for one in _of_graph(GraphKeys.GLOBAL_VARIABLES):
            if id(one) not in taken and one.op.name not in found:
                found[one.op.name] = one
        return found


def _trainable() -> list[Any]:
    return _of_graph(GraphKeys.TRAINABLE_VARIABLES)


def _of_graph(collection: str) -> list[Any]:
    graph = root_graph()
    return [] if graph is None else graph.get_collection(collection)
