"""Learning rates that become smaller as a training goes on.

In a graph each gives a tensor; eagerly, a function that works the rate out when it is called, so
that it follows the variable `global_step`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...core import context
from ...eager.convert import convert_to_tensor
from ...eager.scopes import name_scope
from ...ops.array.select import where
from ...ops.conversion import as_tensor
from ...ops.math.arithmetic import add, minimum, multiply
from ...ops.math.cast import cast
from ...ops.math.circular import cos
from ...ops.math.comparison import equal
from ...ops.math.division import divide
from ...ops.math.elementwise import ceil, exp, floor, log
from ...ops.math.power import pow as power
from ...ops.random.uniform_and_normal import normal

Last = tuple[Callable[..., Any], Any, Any]
Rate = Callable[[Any, Any], Last]


def _decayed(name: str, learning_rate: Any, global_step: Any, work_out: Rate) -> Any:
    """`work_out(rate, step)` of both in the dtype of the rate.

    It gives the last operation and its operands: that one is called as the block of names is.
    """
    if global_step is None:
        raise ValueError("global_step is required.")

    def rate() -> Any:
        with name_scope(name) as scope:
            start = convert_to_tensor(learning_rate, name="learning_rate")
            last, left, right = work_out(start, cast(global_step, start.dtype))
            return last(left, right, name=scope)

    return rate() if context.building_graph() else rate


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """learning_rate * decay_rate ** (global_step / decay_steps).

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    staircase: the exponent is cut off to a whole number. Eagerly a function gives the rate.

    >>> float(tf.compat.v1.train.exponential_decay(0.5, 2, 1, 0.5)())
    0.125

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        part = step / cast(decay_steps, rate.dtype)
        passed = floor(part) if staircase else part
        return multiply, rate, power(cast(decay_rate, rate.dtype), passed)

    return _decayed(name or "ExponentialDecay", learning_rate, global_step, work_out)


def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """learning_rate * exp(-decay_rate * global_step / decay_steps).

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    >>> round(float(tf.compat.v1.train.natural_exp_decay(1.0, 2, 1, 0.5)()), 4)
    0.3679

    Raises:
        ValueError: there is no step.
    """
    factor = exp(-1 * convert_to_tensor(decay_rate)) if context.building_graph() else None
    shrinks = factor if factor is not None else math.exp(-float(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, shrinks, staircase, name)


def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """learning_rate / (1 + decay_rate * global_step / decay_steps).

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    >>> float(tf.compat.v1.train.inverse_time_decay(1.0, 2, 1, 0.5)())
    0.5

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        part = step / cast(decay_steps, rate.dtype)
        passed = floor(part) if staircase else part
        return divide, rate, as_tensor(1, rate.dtype) + cast(decay_rate, rate.dtype) * passed

    return _decayed(name or "InverseTimeDecay", learning_rate, global_step, work_out)


def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """From learning_rate to end_learning_rate in decay_steps, along a power of what is left.

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    cycle: after that it begins again from the next multiple of decay_steps.

    >>> float(tf.compat.v1.train.polynomial_decay(1.0, 5, 10, 0.0)())
    0.5

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        steps, end = cast(decay_steps, rate.dtype), cast(end_learning_rate, rate.dtype)
        one = as_tensor(1, rate.dtype)
        if cycle:
            rounds = where(equal(step, 0.0 * one), one, ceil(step / steps))
            steps = steps * rounds
        else:
            step = minimum(step, steps)
        left = _power(one - step / steps, cast(power, rate.dtype))
        return add, (rate - end) * left, end

    return _decayed(name or "PolynomialDecay", learning_rate, global_step, work_out)


def _inside(x: Any, y: Any, name: str) -> Any:
    """A product that is called as those within the block."""
    return multiply(x, y)


def _power(x: Any, y: Any) -> Any:
    return power(x, y)


def piecewise_constant(
    x: Any, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None
) -> Any:
    """values[0] up to boundaries[0] inclusive, then values[1] up to boundaries[1], and so on.

    `x` and the boundaries are scalars of one dtype; the rate is a scalar of that of the values.

    >>> [float(tf.compat.v1.train.piecewise_constant(x, [10], [1.0, 0.5])()) for x in (10, 11)]
    [1.0, 0.5]

    Raises:
        ValueError: there is not one value more than there are boundaries, or their dtypes differ.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")

    def rate() -> Any:
        with name_scope(name or "PiecewiseConstant"):
            place = convert_to_tensor(x)
            limits = [cast(one, place.dtype) for one in boundaries]
            found = [convert_to_tensor(one) for one in values]
            chosen = found[-1]
            for limit, value in zip(reversed(limits), reversed(found[:-1]), strict=True):
                chosen = where(place <= limit, value, chosen)
            return chosen

    return rate() if context.building_graph() else rate


def cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    alpha: float = 0.0,
    name: str | None = None,
) -> Any:
    """From learning_rate down to alpha times it, along half a wave (Loshchilov, Hutter 2016).

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    >>> round(float(tf.compat.v1.train.cosine_decay(1.0, 5, 10)()), 4)
    0.5

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        steps = cast(decay_steps, rate.dtype)
        part = minimum(step, steps) / steps
        wave = 0.5 * (1.0 + cos(as_tensor(math.pi, rate.dtype) * part))
        return _inside, rate, (1 - alpha) * wave + alpha

    return _decayed(name or "CosineDecay", learning_rate, global_step, work_out)


def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: float = 2.0,
    m_mul: float = 1.0,
    alpha: float = 0.0,
    name: str | None = None,
) -> Any:
    """`cosine_decay` again and again: each round `t_mul` times as long, and `m_mul` as high.

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    >>> float(tf.compat.v1.train.cosine_decay_restarts(1.0, 10, 10)())
    1.0

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        dtype = rate.dtype
        part = step / cast(first_decay_steps, dtype)
        longer, higher = as_tensor(t_mul, dtype), as_tensor(m_mul, dtype)
        if t_mul == 1.0:
            turn = floor(part)
            part = part - turn
        else:
            turn = floor(log(1.0 - part * (1.0 - longer)) / log(longer))
            before = (1.0 - longer**turn) / (1.0 - longer)
            part = (part - before) / longer**turn
        wave = 0.5 * higher**turn * (1.0 + cos(as_tensor(math.pi, dtype) * part))
        return multiply, rate, (1 - alpha) * wave + alpha

    return _decayed(name or "SGDRDecay", learning_rate, global_step, work_out)


def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """Waves under a line that falls to zero: (alpha + line) * wave + beta of the rate.

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    >>> round(float(tf.compat.v1.train.linear_cosine_decay(1.0, 5, 10)()), 4)
    0.251

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        waves = _waves(rate, step, decay_steps, num_periods, alpha, beta, lambda line: line)
        return multiply, rate, waves

    return _decayed(name or "LinearCosineDecay", learning_rate, global_step, work_out)


def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: float = 1.0,
    variance_decay: float = 0.55,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """`linear_cosine_decay` with normal noise, whose variance falls with the step.

    The rate is a scalar of the dtype that `learning_rate` has (float32 of a Python number);
    `global_step` is an integer scalar, or a variable of one.

    >>> tf.compat.v1.train.noisy_linear_cosine_decay(1.0, 5, 10)().shape
    TensorShape([])

    Raises:
        ValueError: there is no step.
    """

    def work_out(rate: Any, step: Any) -> Any:
        steps = cast(decay_steps, rate.dtype)
        variance = initial_variance / power(1.0 + minimum(step, steps), variance_decay)

        def noisy(line: Any) -> Any:
            return line + normal([], 0.0, variance**0.5, rate.dtype)

        waves = _waves(rate, step, decay_steps, num_periods, alpha, beta, noisy)
        return multiply, rate, waves

    return _decayed(name or "NoisyLinearCosineDecay", learning_rate, global_step, work_out)


def _waves(
    rate: Any, step: Any, decay_steps: Any, periods: float, alpha: float, beta: float, noisy: Any
) -> Any:
    steps = cast(decay_steps, rate.dtype)
    passed = minimum(step, steps)
    line = noisy((steps - passed) / steps)
    wave = 0.5 * (1.0 + cos(as_tensor(2 * math.pi * periods, rate.dtype) * (passed / steps)))
    return (alpha + line) * wave + beta
