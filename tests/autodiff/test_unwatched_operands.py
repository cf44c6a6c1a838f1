"""What nobody watches costs nothing: its gradient is not computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import context

random = np.random.default_rng(0)


class Names:
    """A recorder that counts the operations which happen."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def record(self, application: Any) -> None:
        self.counts[application.name] += 1


def counted(
    function: Callable[..., Any], operands: Sequence[Any], watched: Sequence[int]
) -> tuple[Counter[str], list[Any]]:
    """The operations that the gradient by the watched operands takes, and these gradients."""
    sources = [operands[number] for number in watched]
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(sources)
        y = function(*operands)
    names, here = Names(), context.top()
    with context.entered(here.replace(recorders=(*here.recorders, names))):
        found = tape.gradient(y, sources)
    return names.counts, found


def floats(*shape: int) -> Any:
    return tf.constant(random.uniform(0.1, 0.9, shape).astype(np.float32))


PLACES = tf.constant([[1], [0]])
# Functions of two operands, and the shapes of these.
FUNCTIONS: dict[str, tuple[Callable[[Any, Any], Any], Any, Any]] = {
    "add": (tf.add, (2, 3), (3,)),
    "subtract": (tf.subtract, (2, 3), (3,)),
    "multiply": (tf.multiply, (2, 3), (2, 3)),
    "divide": (tf.divide, (2, 3), (2, 1)),
    "divide_no_nan": (tf.math.divide_no_nan, (4,), (4,)),
    "multiply_no_nan": (tf.math.multiply_no_nan, (4,), (4,)),
    "floormod": (tf.math.floormod, (4,), (4,)),
    "power": (tf.pow, (4,), (4,)),
    "maximum": (tf.maximum, (4,), (4,)),
    "minimum": (tf.minimum, (4,), (4,)),
    "squared_difference": (tf.math.squared_difference, (2, 3), (3,)),
    "atan2": (tf.atan2, (4,), (4,)),
    "xlogy": (tf.math.xlogy, (4,), (4,)),
    "xlog1py": (tf.math.xlog1py, (4,), (4,)),
    "xdivy": (tf.math.xdivy, (4,), (4,)),
    "igamma": (tf.math.igamma, (4,), (4,)),
    "complex": (lambda a, b: tf.math.real(tf.complex(a, b) * 2), (4,), (4,)),
    "where": (lambda a, b: tf.where([True, False], a, b), (2,), (2,)),
    "clip_by_value": (lambda a, b: tf.clip_by_value(a, b, 0.8), (4,), (4,)),
    "matmul": (tf.matmul, (2, 3), (3, 4)),
    "matmul, transposed": (lambda a, b: tf.matmul(a, b, True, True), (3, 2), (4, 3)),
    "matmul of many": (tf.matmul, (5, 2, 3), (3, 4)),
    "einsum": (lambda a, b: tf.einsum("bij,bjk->bik", a, b), (5, 2, 3), (5, 3, 4)),
    "tensordot": (lambda a, b: tf.tensordot(a, b, 1), (2, 3), (3, 4)),
    "matvec": (tf.linalg.matvec, (2, 3), (3,)),
    "solve": (tf.linalg.solve, (2, 2), (2, 1)),
    "conv2d": (lambda x, k: tf.nn.conv2d(x, k, 1, "SAME"), (1, 4, 4, 2), (3, 3, 2, 3)),
    "conv3d": (
        lambda x, k: tf.nn.conv3d(x, k, [1] * 5, "SAME"), (1, 3, 3, 3, 2), (2, 2, 2, 2, 3),
    ),
    "conv2d_transpose": (
        lambda x, k: tf.nn.conv2d_transpose(x, k, [1, 8, 8, 3], 2), (1, 4, 4, 2), (3, 3, 3, 2),
    ),
    "depthwise_conv2d": (
        lambda x, k: tf.nn.depthwise_conv2d(x, k, [1] * 4, "SAME"), (1, 4, 4, 2), (3, 3, 2, 1),
    ),
    "bias_add": (tf.nn.bias_add, (2, 3), (3,)),
    "tensor_scatter_nd_update": (
        lambda a, b: tf.tensor_scatter_nd_update(a, PLACES, b), (3, 2), (2, 2),
    ),
    "softmax_cross_entropy_with_logits": (
        tf.nn.softmax_cross_entropy_with_logits, (2, 3), (2, 3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_gradient_by_one_operand_is_computed_alone(name: str) -> None:
    function, *shapes = FUNCTIONS[name]
    operands = [floats(*shape) for shape in shapes]
    both, expected = counted(function, operands, [0, 1])

    for watched in (0, 1):
        counts, (found,) = counted(function, operands, [watched])
        assert counts.total() <= both.total()
        assert not counts - both
        np.testing.assert_allclose(found, expected[watched], rtol=1e-6)
    alone = [counted(function, operands, [watched])[0].total() for watched in (0, 1)]
    assert min(alone) < both.total()


@pytest.mark.parametrize("exponent", [2, 2.5, tf.constant(3.0), np.float32(0.5)])
def test_a_power_of_a_watched_base_takes_no_logarithm(exponent: Any) -> None:
    counts, _ = counted(lambda x: x**exponent, [floats(5)], [0])

    assert counts["Log"] == 0
    assert counts["Pow"] == 1
    assert counts["Mul"] == 2


def test_weights_of_constant_images_need_no_gradient_of_the_images() -> None:
    images, weights = floats(1, 6, 6, 2), floats(3, 3, 2, 2)
    counts, _ = counted(lambda w: tf.nn.conv2d(images, w, 1, "VALID"), [weights], [0])

    assert counts["Conv2DBackpropFilter"] == 1
    assert counts["Conv2DBackpropInput"] == 0


def test_an_operation_made_of_others_is_differentiated_by_what_is_watched() -> None:
    images, factor = floats(3, 4, 4, 3), floats()
    both, _ = counted(tf.image.adjust_contrast, [images, factor], [0, 1])
    counts, _ = counted(tf.image.adjust_contrast, [images, factor], [1])

    assert counts.total() < both.total()


def test_a_traced_gradient_has_no_operation_for_what_is_constant() -> None:
    @tf.function(autograph=False)
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3.0
        return tape.gradient(y, x)

    traced = slope.get_concrete_function(tf.TensorSpec([4]))
    assert "Log" not in {operation.type for operation in traced.graph.get_operations()}


def test_a_source_that_nobody_watched_has_no_part_of_a_gradient() -> None:
    """`b * b` is not recorded: the 3 that `a * b` alone would give is no gradient."""
    a, b = tf.constant(3.0), tf.constant(5.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(a)
        y = a * b + b * b
    gradients = tape.gradient(y, [a, b])

    assert float(gradients[0]) == 5.0
    assert gradients[1] is None


def test_a_constant_beside_a_variable_has_no_gradient() -> None:
    u, x = tf.Variable(2.0), tf.constant(1.0)

    @tf.function
    def both() -> Any:
        with tf.GradientTape() as tape:
            y = x * u + x * x * x
        return [one is None for one in tape.gradient(y, [u, x])]

    assert [bool(one) for one in both()] == [False, True]
