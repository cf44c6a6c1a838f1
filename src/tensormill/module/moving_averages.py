"""`tf.train.ExponentialMovingAverage`: of each variable a shadow that follows it slowly."""

from __future__ import annotations

from typing import Any

from ..core import context
from ..eager.convert import convert_to_tensor
from ..eager.variable import Variable
from ..ops.math.arithmetic import minimum
from ..ops.math.cast import cast


class ExponentialMovingAverage:
    """Keeps of each variable the moving average `decay * average + (1 - decay) * value`.

    decay: a float, or a float scalar. num_updates: a number of steps, an int or a variable; where
    it is given, the decay is at most (1 + num_updates) / (10 + num_updates), so that averages
    follow faster at first. zero_debias changes nothing for variables, whose averages begin with
    their values.

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
        self._averages: dict[Any, tuple[Variable, Variable]] = {}

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    def apply(self, var_list: Any = None) -> None:
        """Let the averages of these variables follow them by one step; new ones begin.

        Raises:
            TypeError: one is no variable, or not of floats.
        """
        variables = [*(var_list or ())]
        for variable in variables:
            self._require_floats(variable)
            if variable.ref() not in self._averages:
                self._averages[variable.ref()] = variable, self._begun(variable)
        decay = self._decay_now()
        for variable in variables:
            average = self._averages[variable.ref()][1]
            rest = 1 - cast(decay, variable.dtype)
            average.assign_sub((average - variable) * rest)

    def _decay_now(self) -> Any:
        decay = convert_to_tensor(self._decay)
        if self._num_updates is None:
            return decay
        count = cast(self._num_updates, decay.dtype)
        return minimum(decay, (1 + count) / (10 + count))

    @staticmethod
    def _require_floats(variable: Any) -> None:
        if not isinstance(variable, Variable):
            raise TypeError(
                f"tf.train.ExponentialMovingAverage keeps averages of variables; got {variable!r}"
            )
        if variable.dtype.name not in ("float16", "bfloat16", "float32", "float64"):
            raise TypeError(
                f"The variables must be half, float, or double: {variable.name} is "
                f"{variable.dtype.name}"
            )

    def _begun(self, variable: Variable) -> Variable:
        with context.init_scope():
            return Variable(
                variable.value(), trainable=False, name=self._unique_name(variable),
                dtype=variable.dtype,
            )  # fmt: skip

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

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Variable]:
        """The variables by the names of their averages, to restore the averages into them.

        moving_avg_variables: those that have averages; None stands for all that were averaged.
        """
        if moving_avg_variables is None:
            moving_avg_variables = [variable for variable, _ in self._averages.values()]
        return {self.average_name(variable): variable for variable in moving_avg_variables}
