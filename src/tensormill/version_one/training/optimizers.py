"""The optimizers of `tf.compat.v1.train`: each says how one value and its slots change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...eager.scopes import control_dependencies
from ...ops.array.fill import fill, ones, zeros_like
from ...ops.array.indexed_slices import IndexedSlices
from ...ops.array.select import where
from ...ops.conversion import as_tensor
from ...ops.math.arithmetic import maximum, square
from ...ops.math.cast import cast
from ...ops.math.elementwise import rsqrt, sqrt
from ...ops.math.power import pow as power
from ...ops.math.signs import abs as absolute
from ...ops.math.signs import sign
from .optimizer import OptimizerV1, operations


class GradientDescentOptimizer(OptimizerV1):
    """v -= learning_rate * gradient.

    >>> v = tf.Variable(1.0)
    >>> _ = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.8
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        return (value - gradient * cast(self._rate, value.dtype),)


class MomentumOptimizer(OptimizerV1):
    """a = momentum * a + gradient; v -= learning_rate * a (Polyak 1964), or Nesterov's way.

    >>> v = tf.Variable(1.0)
    >>> optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    >>> _ = optimizer.minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4), round(float(optimizer.get_slot(v, "momentum")), 4)
    (0.8, 2.0)
    """

    slots = ("momentum",)

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for one in var_list:
            self._zeros_slot(one, "momentum", self._name)

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")
        self._kept = self._tensor(self._momentum, "momentum")

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        rate, momentum = cast(self._rate, value.dtype), cast(self._kept, value.dtype)
        moving = slots[0] * momentum + gradient
        if self._use_nesterov:
            return value - (gradient * rate + moving * momentum * rate), moving
        return value - moving * rate, moving


class AdamOptimizer(OptimizerV1):
    """Kingma and Ba 2014: steps by moving means of gradients and of their squares.

    >>> v = tf.Variable(1.0)
    >>> _ = tf.compat.v1.train.AdamOptimizer(0.1).minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.9
    """

    slots = ("m", "v")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
        use_own_namescope_for_non_slot_vars: bool = False,
    ) -> None:
        super().__init__(use_locking, name, use_own_namescope_for_non_slot_vars)
        self._learning_rate, self._beta1, self._beta2 = learning_rate, beta1, beta2
        self._epsilon = epsilon

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = self._call_if_callable(self._beta1)
        second = self._call_if_callable(self._beta2)
        self._create_non_slot_variable(first, "beta1_power")
        self._create_non_slot_variable(second, "beta2_power")
        for one in var_list:
            self._zeros_slot(one, "m", self._name)
            self._zeros_slot(one, "v", self._name)

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")
        self._betas = [self._tensor(self._beta1, "beta1"), self._tensor(self._beta2, "beta2")]
        self._small = self._tensor(self._epsilon, "epsilon")

    def _powers(self) -> list[Any]:
        names = ("beta1_power", "beta2_power")
        return [self._get_non_slot_variable(name) for name in names]

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        dtype = value.dtype
        rate, beta1, beta2, epsilon = [
            cast(one, dtype) for one in (self._rate, *self._betas, self._small)
        ]
        power1, power2 = [cast(one.value(), dtype) for one in self._powers()]
        one = as_tensor(1, dtype)
        mean = slots[0] + (gradient - slots[0]) * (one - beta1)
        squares = slots[1] + (square(gradient) - slots[1]) * (one - beta2)
        step = rate * sqrt(one - power2) / (one - power1)
        return value - step * mean / (sqrt(squares) + epsilon), mean, squares

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        """Means decay in all rows, and so all rows change."""
        whole = IndexedSlices(grad, indices, handle.shape.as_list())
        return self._resource_apply_dense(as_tensor(whole), handle)

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        done = list(update_ops)
        with control_dependencies(operations(update_ops)):
            for power, beta in zip(self._powers(), self._betas, strict=True):
                grown = power.value() * cast(beta, power.dtype)
                done.append(power.assign(grown, read_value=False))
        return super()._finish(done, name_scope)


class RMSPropOptimizer(OptimizerV1):
    """Steps divided by the root of a moving mean of squared gradients (Tieleman, Hinton 2012).

    centered: the variance counts, not the mean square.

    >>> v = tf.Variable(1.0)
    >>> _ = tf.compat.v1.train.RMSPropOptimizer(0.1).minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.8246
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum = learning_rate, decay, momentum
        self._epsilon, self._centered = epsilon, centered
        self.slots = ("rms", "mg", "momentum") if centered else ("rms", "momentum")  # type: ignore[misc]

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for one in var_list:
            shape, dtype = one.shape, one.dtype
            self._slot(one, "rms", f"{self._name}", lambda s=shape, d=dtype: ones(s, d))
            if self._centered:
                self._zeros_slot(one, "mg", self._name)
            self._zeros_slot(one, "momentum", self._name)

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")
        self._kept = self._tensor(self._decay, "decay")
        self._moved = self._tensor(self._momentum, "momentum")
        self._small = self._tensor(self._epsilon, "epsilon")

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        given = (self._rate, self._kept, self._moved, self._small)
        rate, decay, momentum, epsilon = [cast(one, value.dtype) for one in given]
        rest = as_tensor(1, value.dtype) - decay
        squares, moving = slots[0] + (square(gradient) - slots[0]) * rest, slots[-1]
        if not self._centered:
            moving = momentum * moving + rate * gradient * rsqrt(squares + epsilon)
            return value - moving, squares, moving
        mean = slots[1] + (gradient - slots[1]) * rest
        moving = momentum * moving + rate * gradient * rsqrt(squares - square(mean) + epsilon)
        return value - moving, squares, mean, moving


class AdagradOptimizer(OptimizerV1):
    """Steps divided by the root of the sum of all squared gradients (Duchi and others 2011).

    >>> v = tf.Variable(1.0)
    >>> _ = tf.compat.v1.train.AdagradOptimizer(0.1).minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.9012

    Raises:
        ValueError: the sum would not start above zero.
    """

    slots = ("accumulator",)

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for one in var_list:
            start = self._initial_accumulator_value
            self._slot(one, "accumulator", self._name, filled(one, start))

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        total = slots[0] + square(gradient)
        return value - gradient * cast(self._rate, value.dtype) * rsqrt(total), total


class AdadeltaOptimizer(OptimizerV1):
    """Steps in proportion to those before (Zeiler 2012).

    >>> v = tf.Variable(1.0)
    >>> _ = tf.compat.v1.train.AdadeltaOptimizer(1.0).minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.9996
    """

    slots = ("accum", "accum_update")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for one in var_list:
            self._zeros_slot(one, "accum", self._name)
            self._zeros_slot(one, "accum_update", self._name)

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "lr")
        self._kept = self._tensor(self._rho, "rho")
        self._small = self._tensor(self._epsilon, "epsilon")

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        given = (self._rate, self._kept, self._small)
        rate, rho, epsilon = [cast(one, value.dtype) for one in given]
        rest = as_tensor(1, value.dtype) - rho
        squares = slots[0] * rho + square(gradient) * rest
        step = sqrt(slots[1] + epsilon) * rsqrt(squares + epsilon) * gradient
        return value - step * rate, squares, slots[1] * rho + square(step) * rest


class FtrlOptimizer(OptimizerV1):
    """Follow the regularized leader (McMahan and others 2013), with L1 and L2 penalties.

    >>> v = tf.Variable(1.0)
    >>> _ = tf.compat.v1.train.FtrlOptimizer(0.1).minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.7451

    Raises:
        ValueError: a strength or the sum at the beginning is negative, or the power is positive.
    """

    slots = ("accum", "linear")

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float | None = None,
    ) -> None:
        super().__init__(use_locking, name)
        for what, number in {
            "initial_accumulator_value": initial_accumulator_value,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
            "-learning_rate_power": -learning_rate_power,
        }.items():
            if number < 0.0:
                raise ValueError(f"{what} {number} needs to be greater than or equal to zero")
        self._learning_rate, self._learning_rate_power = learning_rate, learning_rate_power
        self._initial = initial_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength
        self._shrinkage, self._beta = l2_shrinkage_regularization_strength, beta or 0.0
        self._slot_names = accum_name or name, linear_name or name

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for one in var_list:
            self._slot(one, "accum", self._slot_names[0], filled(one, self._initial))
            self._zeros_slot(one, "linear", self._slot_names[1])

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        rate, exponent = cast(self._rate, value.dtype), -self._learning_rate_power
        total = slots[0] + square(gradient)
        shrunk = gradient + 2.0 * self._shrinkage * value if self._shrinkage else gradient
        roots = _root(total, exponent), _root(slots[0], exponent)
        linear = slots[1] + shrunk - (roots[0] - roots[1]) / rate * value
        quadratic = roots[0] / rate + 2.0 * self._l2
        if self._beta:
            quadratic += self._beta / rate
        moved = (sign(linear) * self._l1 - linear) / quadratic
        return where(absolute(linear) > self._l1, moved, zeros_like(moved)), total, linear


class AdagradDAOptimizer(OptimizerV1):
    """Adagrad by dual averaging (Duchi and others 2011): weights of linear models become sparse.

    global_step: the variable that counts the steps of training.

    >>> v, step = tf.Variable(1.0), tf.Variable(0, dtype=tf.int64)
    >>> optimizer = tf.compat.v1.train.AdagradDAOptimizer(0.1, step)
    >>> _ = optimizer.minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    -0.0988

    Raises:
        ValueError: the sum of squares at the beginning is not positive.
    """

    slots = ("gradient_accumulator", "gradient_squared_accumulator")

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        super().__init__(use_locking, name)
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial = initial_gradient_squared_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for one in var_list:
            self._zeros_slot(one, "gradient_accumulator", self._name)
            squares = filled(one, self._initial)
            self._slot(one, "gradient_squared_accumulator", self._name, squares)

    def _prepare(self) -> None:
        self._rate = self._tensor(self._learning_rate, "learning_rate")
        self._step = self._tensor(self._global_step, "global_step") + 1

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        rate, step = cast(self._rate, value.dtype), cast(self._step, value.dtype)
        total, squares = slots[0] + gradient, slots[1] + square(gradient)
        kept = total
        if self._l1 > 0.0:
            kept = sign(total) * maximum(absolute(total) - self._l1 * step, zeros_like(total))
        return -rate * kept / (self._l2 * step * rate + sqrt(squares)), total, squares


class ProximalGradientDescentOptimizer(GradientDescentOptimizer):
    """Gradient descent, then a step towards zero for L1 and L2 penalties (Duchi, Singer 2009).

    >>> v = tf.Variable(1.0)
    >>> optimizer = tf.compat.v1.train.ProximalGradientDescentOptimizer(0.1, 0.5)
    >>> _ = optimizer.minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.75
    """

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        rate = cast(self._rate, value.dtype)
        return (_nearer(value - gradient * rate, rate, self._l1, self._l2),)


class ProximalAdagradOptimizer(AdagradOptimizer):
    """Adagrad, then a step towards zero for L1 and L2 penalties.

    >>> v = tf.Variable(1.0)
    >>> optimizer = tf.compat.v1.train.ProximalAdagradOptimizer(0.1)
    >>> _ = optimizer.minimize(lambda: v * v, var_list=[v])
    >>> round(float(v), 4)
    0.9012
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        total = slots[0] + square(gradient)
        rate = cast(self._rate, value.dtype) * rsqrt(total)
        return _nearer(value - gradient * rate, rate, self._l1, self._l2), total


def filled(var: Any, number: float) -> Any:
    """What makes a tensor like a variable, of one number."""
    return lambda: fill(var.shape.as_list(), cast(number, var.dtype))


def _root(value: Any, exponent: float) -> Any:
    return sqrt(value) if exponent == 0.5 else power(value, as_tensor(exponent, value.dtype))


def _nearer(value: Any, rate: Any, l1: float, l2: float) -> Any:
    """`value` moved towards zero as the penalties say."""
    if l1 > 0:
        value = sign(value) * maximum(absolute(value) - rate * l1, 0.0)
    return value / (1.0 + rate * l2)
