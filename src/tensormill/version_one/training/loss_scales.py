"""Losses that are scaled before they are differentiated: small gradients of halves stay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from ...control.cond import cond
from ...control.grouping import group
from ...core import dtypes, tree
from ...core.values import TensorLike
from ...eager.convert import convert_to_tensor
from ...module.trackable import AutoTrackable
from ...ops.array.indexed_slices import IndexedSlices
from ...ops.array.select import where
from ...ops.control.flow import no_op
from ...ops.math.arithmetic import maximum
from ...ops.math.cast import cast
from ...ops.math.comparison import is_finite
from ...ops.math.reduce import reduce_all
from ..variable import VariableV1
from .optimizer import OptimizerV1


class LossScale(AutoTrackable, ABC):
    """What a loss is multiplied with: called, it says; `update` hears of the gradients.

    >>> tf.compat.v1.mixed_precision.FixedLossScale(8.0)
    FixedLossScale(8.0)
    """

    @abstractmethod
    def __call__(self) -> Any:
        """The scale as a scalar float32 tensor."""

    @abstractmethod
    def update(self, grads: Any) -> tuple[Any, Any]:
        """What changes the scale (None if nothing), and whether gradients should be applied."""

    @abstractmethod
    def get_config(self) -> dict[str, Any]:
        """What it was made with."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """Another one, of what `get_config` gave."""
        return cls(**config)


class FixedLossScale(LossScale):
    """The same scale always.

    >>> scale = tf.compat.v1.mixed_precision.FixedLossScale(8.0)
    >>> float(scale()), scale.update([])
    (8.0, (None, True))

    Raises:
        ValueError: it is no number, or below 1.
    """

    def __init__(self, loss_scale_value: float) -> None:
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._value = float(loss_scale_value)

    def __call__(self) -> Any:
        return convert_to_tensor(self._value)

    def update(self, grads: Any) -> tuple[Any, Any]:
        """None, and True."""
        return None, True

    def get_config(self) -> dict[str, Any]:
        """The scale, by the name of the argument."""
        return {"loss_scale_value": self._value}

    def __repr__(self) -> str:
        return f"FixedLossScale({self._value})"


class DynamicLossScale(LossScale):
    """A scale that is divided by `multiplier` where gradients are not finite, and multiplied by it
    after `increment_period` steps in which they were; never below 1.

    >>> scale = tf.compat.v1.mixed_precision.DynamicLossScale(8.0)
    >>> _ = scale.update([tf.constant(float("inf"))])
    >>> float(scale())
    4.0
    """

    def __init__(
        self,
        initial_loss_scale: float = 2**15,
        increment_period: int = 2000,
        multiplier: float = 2.0,
    ) -> None:
        self._initial = float(initial_loss_scale)
        self._period = int(increment_period)
        self._multiplier = float(multiplier)
        self._scale: Any = VariableV1(
            self._initial, trainable=False, dtype=dtypes.float32, name="current_loss_scale"
        )
        self._good_steps: Any = VariableV1(
            0, trainable=False, dtype=dtypes.int64, name="good_steps"
        )

    @property
    def initial_loss_scale(self) -> float:
        """What it started at."""
        return self._initial

    @property
    def increment_period(self) -> int:
        """After how many finite steps it grows."""
        return self._period

    @property
    def multiplier(self) -> float:
        """By how much it changes."""
        return self._multiplier

    @property
    def variables(self) -> list[Any]:
        """The scale, and how many steps went well since it changed."""
        return [self._scale, self._good_steps]

    def __call__(self) -> Any:
        return convert_to_tensor(self._scale)

    def update(self, grads: Any) -> tuple[Any, Any]:
        """What changes the scale, and whether all gradients are finite."""
        finite = all_finite(grads)
        scale, steps = self._scale.read_value(), self._good_steps.read_value()
        grows = steps + 1 >= self._period
        grown = scale * self._multiplier
        grown = where(grows & is_finite(grown), grown, scale)
        shrunk = maximum(scale / self._multiplier, 1.0)
        counted = where(finite & ~grows, steps + 1, 0)
        change = group(
            self._scale.assign(where(finite, grown, shrunk), read_value=False),
            self._good_steps.assign(counted, read_value=False),
        )
        return change, finite

    def get_config(self) -> dict[str, Any]:
        """What it was made with."""
        return {
            "initial_loss_scale": self._initial,
            "increment_period": self._period,
            "multiplier": self._multiplier,
        }

    def __repr__(self) -> str:
        rest = ", ".join(f"{key}={value}" for key, value in self.get_config().items())
        try:
            scale, steps = (one.numpy() for one in self.variables)
            now = f"current_loss_scale={scale}, num_good_steps={steps}, "
        except NotImplementedError:  # a session has them
            now = ""
        return f"DynamicLossScale({now}{rest})"


def all_finite(gradients: Any) -> Any:
    """Whether all numbers of these are, None and slices included, a bool scalar."""
    known = [one for one in tree.flatten(gradients) if one is not None]
    values = [one.values if isinstance(one, IndexedSlices) else one for one in known]
    return reduce_all([reduce_all(is_finite(one)) for one in values] or [True])


class MixedPrecisionLossScaleOptimizer(OptimizerV1):
    """An optimizer that scales the loss, and divides the gradients by the same number.

    Where they are not finite, it does nothing. loss_scale: a number, "dynamic", or a LossScale.

    >>> v = tf.Variable(1.0)
    >>> sgd = tf.compat.v1.train.GradientDescentOptimizer(0.25)
    >>> optimizer = tf.compat.v1.mixed_precision.MixedPrecisionLossScaleOptimizer(sgd, 8.0)
    >>> _ = optimizer.minimize(lambda: v * v)
    >>> v.numpy()
    np.float32(0.5)

    Raises:
        ValueError: it is no optimizer of TensorFlow 1, or there is no scale.
    """

    def __init__(self, opt: Any, loss_scale: Any) -> None:
        if not isinstance(opt, OptimizerV1):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        super().__init__(opt._use_locking, opt.get_name())
        self._optimizer = opt
        scale = loss_scale_of(loss_scale)
        if scale is None:
            raise ValueError("loss_scale cannot be None")
        self._loss_scale = scale

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = OptimizerV1.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Gradients of the loss, which was scaled meanwhile, and variables.

        Raises:
            ValueError: there are no variables, or the loss is no float.
            RuntimeError: eagerly `loss` is no function.
        """
        if callable(loss) and not isinstance(loss, TensorLike):
            scaled: Any = lambda: self._scaled(loss())  # noqa: E731
        else:
            scaled = self._scaled(loss)
        pairs = self._optimizer.compute_gradients(
            scaled, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
            grad_loss,
        )  # fmt: skip
        factor = 1.0 / self._loss_scale()
        return [(_times(gradient, factor), variable) for gradient, variable in pairs]

    def _scaled(self, loss: Any) -> Any:
        return loss * cast(self._loss_scale(), loss.dtype)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: Any = None
    ) -> Any:
        """The operation that changes variables, if all gradients are finite, and the scale.

        Raises:
            ValueError: there is no gradient.
        """
        pairs = tuple(grads_and_vars)
        change, finite = self._loss_scale.update([gradient for gradient, _ in pairs])

        def apply() -> Any:
            done = self._optimizer.apply_gradients(pairs, global_step, name)
            return group(*[one for one in [done] if one is not None])

        if isinstance(finite, bool):
            applied = apply() if finite else no_op()
        else:
            applied = cond(finite, apply, no_op)
        return group(*[one for one in (applied, change) if one is not None])

    def get_slot_names(self) -> list[str]:
        """Those of the optimizer inside."""
        return self._optimizer.get_slot_names()

    def get_slot(self, var: Any, name: str) -> Any:
        """That of the optimizer inside."""
        return self._optimizer.get_slot(var, name)

    def variables(self) -> list[Any]:
        """Those of the optimizer inside, and of the scale."""
        return [*self._optimizer.variables(), *getattr(self._loss_scale, "variables", [])]


def _times(gradient: Any, factor: Any) -> Any:
    if isinstance(gradient, IndexedSlices):
        values = gradient.values * cast(factor, gradient.dtype)
        return IndexedSlices(values, gradient.indices, gradient.dense_shape)
    return None if gradient is None else gradient * cast(factor, gradient.dtype)


def loss_scale_of(told: Any) -> LossScale | None:
    """The LossScale that is meant by a number, by "dynamic", by one, or by None.

    Raises:
        ValueError: it is nothing of these.
    """
    if told is None or isinstance(told, LossScale):
        return told
    if isinstance(told, (int, float)):
        return FixedLossScale(told)
    if told == "dynamic":
        return DynamicLossScale()
    raise ValueError(f"Could not interpret loss scale identifier: {told}")


def enable_mixed_precision_graph_rewrite(
    opt: Any, loss_scale: Any = "dynamic"
) -> MixedPrecisionLossScaleOptimizer:
    """The optimizer, with a loss that is scaled; dtypes stay, as in TensorFlow where there is no
    GPU.

    >>> sgd = tf.compat.v1.train.GradientDescentOptimizer(0.25)
    >>> optimizer = tf.compat.v1.mixed_precision.enable_mixed_precision_graph_rewrite(sgd, 8.0)
    >>> optimizer.get_name()
    'GradientDescent'

    Raises:
        ValueError: it is no optimizer of TensorFlow 1, or scales already, or there is no scale.
    """
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError(
            '"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer.'
        )
    if not isinstance(opt, OptimizerV1):
        raise ValueError(
            '"opt" must be an instance of a tf.train.Optimizer, but got: '
            f"{opt}; Keras's scale by tf.keras.mixed_precision.LossScaleOptimizer"
        )
    return MixedPrecisionLossScaleOptimizer(opt, loss_scale)


def disable_mixed_precision_graph_rewrite() -> None:
    """Nothing: dtypes stay as they are anyway.

    >>> tf.compat.v1.mixed_precision.disable_mixed_precision_graph_rewrite()
    """
