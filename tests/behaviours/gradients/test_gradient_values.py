"""What gradients are: statements G10 to G14, G16, G17 and G23."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.behaviours.gradients.derivatives import derivative, each_way, gradient_of
from tests.behaviours.library import behaviour, differs, tf


# ---- G10
@behaviour("G10")
@pytest.mark.parametrize(
    "function",
    [
        tf.stop_gradient,
        tf.round,
        tf.floor,
        tf.sign,
        lambda x: tf.cast(tf.argmax(x), tf.float32),
        lambda x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32),
        lambda x: tf.strings.to_number(tf.strings.as_string(x)),
    ],
)
@each_way
def test_what_no_gradient_goes_through(function: Any, way: Any):
    (found,) = way(lambda x: gradient_of(function, x))(tf.constant([1.5, 2.5]))
    assert found is None or not found.numpy().any()


@behaviour("G10")
@each_way
def test_other_paths_count_beside_it(way: Any):
    def function(x: Any) -> Any:
        return tf.stop_gradient(x) * x + tf.floor(x)

    np.testing.assert_array_equal([1.5, 2.5], way(derivative(function))(tf.constant([1.5, 2.5])))


# ---- G11
@pytest.mark.sampled
@behaviour("G11")
@pytest.mark.parametrize(
    ("function", "at", "expected"),
    [
        (tf.sqrt, 0.0, math.inf),
        (tf.abs, 0.0, 0.0),
        (tf.nn.relu, 0.0, 0.0),
        (tf.reduce_max, [2.0, 2.0, 1.0], [0.5, 0.5, 0.0]),
        (tf.reduce_min, [2.0, 1.0, 1.0], [0.0, 0.5, 0.5]),
        (lambda x: tf.maximum(x, 1.0), 1.0, 1.0),
        (tf.norm, [0.0, 0.0], [math.nan, math.nan]),
        (lambda x: x**0, 0.0, math.nan),
        (lambda x: tf.where(x > 0.0, tf.sqrt(x), 0.0), 0.0, 0.0),
    ],
)
@each_way
def test_conventions_where_there_is_no_one_answer(function: Any, at: Any, expected: Any, way: Any):
    np.testing.assert_array_equal(expected, way(derivative(function))(tf.constant(at)))


@behaviour("G11")
@each_way
def test_a_tie_of_a_maximum_goes_to_the_first(way: Any):
    found = way(lambda x, y: gradient_of(tf.maximum, x, y))(tf.constant(1.0), tf.constant(1.0))
    assert [1.0, 0.0] == [float(one) for one in found]


@behaviour("G11")
@each_way
def test_gradients_are_summed_over_axes_of_broadcasting(way: Any):
    x, y = tf.ones([2, 3]), tf.constant([[2.0], [3.0]])
    z = tf.constant(1.0)
    dx, dy, dz = way(lambda *all: gradient_of(lambda x, y, z: x * y + z, *all))(x, y, z)

    np.testing.assert_array_equal(np.broadcast_to(y, [2, 3]), dx)
    np.testing.assert_array_equal([[3.0], [3.0]], dy)
    assert dz.shape == ()
    assert float(dz) == 6.0


@behaviour("G11")
@each_way
def test_complex_gradients_are_conjugated(way: Any):
    def squared(z: Any) -> Any:
        return tf.math.real(z * tf.math.conj(z))

    assert way(derivative(squared))(tf.constant(1 + 2j)).numpy() == 2 + 4j


@behaviour("G11")
@each_way
def test_a_gradient_has_the_dtype_of_its_source(way: Any):
    found = way(derivative(lambda x: tf.cast(x, tf.float64) * 3.0))(tf.constant(1.0))
    assert found.dtype == tf.float32
    assert found.numpy() == 3.0


# ---- G12
@behaviour("G12")
@each_way
def test_orders_by_nesting_tapes(way: Any):
    second = derivative(derivative(lambda x: x**3))
    third = derivative(derivative(derivative(lambda x: x**4)))

    assert way(second)(tf.constant(2.0)).numpy() == 12.0
    assert way(third)(tf.constant(2.0)).numpy() == 48.0


@behaviour("G12")
@each_way
def test_an_inner_tape_does_not_watch_what_the_outer_one_does(way: Any):
    def inner_gradient(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            y = x * x
            with tf.GradientTape() as inner:
                z = y * y
            unwatched = inner.gradient(z, y)
        return unwatched, outer.gradient(z, x)

    unwatched, found = way(inner_gradient)(tf.constant(2.0))
    assert unwatched is None
    assert found.numpy() == 32.0


@behaviour("G12")
def test_an_outer_tape_is_asked_while_a_function_is_traced():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x

    assert tf.function(lambda: tape.gradient(y, x))().numpy() == 27.0


# ---- G13
@behaviour("G13")
@pytest.mark.parametrize("pfor", [True, False])
@each_way
def test_a_jacobian_has_the_shape_of_target_and_source(pfor: bool, way: Any):
    def jacobian(x: Any, w: Any) -> Any:
        with tf.GradientTape(persistent=not pfor) as tape:
            tape.watch([x, w])
            y = tf.tanh(w @ x[:, tf.newaxis])
        return tape.jacobian(y, {"x": x, "w": w}, experimental_use_pfor=pfor)

    x, w = np.array([0.5, -1.0], np.float32), np.array([[1.0, 2.0], [0.5, 0.0], [1.0, 1.0]])
    found = way(jacobian)(tf.constant(x), tf.constant(w, tf.float32))
    slope = 1 - np.tanh(w @ x) ** 2

    assert found["x"].shape == (3, 1, 2)
    assert found["w"].shape == (3, 1, 3, 2)
    np.testing.assert_allclose((slope[:, None] * w)[:, None], found["x"], rtol=1e-5)
    expected = np.einsum("i,ik,j->ikj", slope, np.eye(3), x)
    np.testing.assert_allclose(expected[:, None], found["w"], rtol=1e-5)


@behaviour("G13")
@each_way
def test_an_unconnected_jacobian_is_none_or_zeros(way: Any):
    def jacobians(x: Any, other: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, other])
            y = x * x
        return tape.jacobian(y, other), tape.jacobian(y, other, unconnected_gradients="zero")

    none, zeros = way(jacobians)(tf.ones([2]), tf.ones([3, 1]))
    assert none is None
    np.testing.assert_array_equal(np.zeros([2, 3, 1]), zeros)


@behaviour("G13")
@differs
def test_a_jacobian_of_several_targets_says_what_to_do():
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(TypeError, match="target of a jacobian is one tensor, not list"):
        tape.jacobian([y], x)


@behaviour("G13")
@pytest.mark.parametrize("pfor", [True, False])
@each_way
def test_a_batch_jacobian_is_one_jacobian_for_each_example(pfor: bool, way: Any):
    def batched(x: Any) -> Any:
        with tf.GradientTape(persistent=not pfor) as tape:
            tape.watch(x)
            y = x[:, :1] * x * x
        return tape.batch_jacobian(y, x, experimental_use_pfor=pfor)

    found = way(batched)(tf.constant([[1.0, 2.0], [3.0, 5.0]]))
    expected = [[[3.0, 0.0], [4.0, 4.0]], [[27.0, 0.0], [25.0, 30.0]]]
    np.testing.assert_array_equal(expected, found)


@behaviour("G13")
@each_way
def test_a_batch_jacobian_by_a_variable_and_one_of_nothing(way: Any):
    v, other = tf.Variable([[1.0, 2.0], [3.0, 4.0]]), tf.Variable(tf.ones([2, 3]))

    def batched() -> Any:
        with tf.GradientTape(persistent=True) as tape:
            y = v * v
        return tape.batch_jacobian(y, v), tape.batch_jacobian(y, other)

    found, nothing = way(batched)()
    np.testing.assert_array_equal([[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]], found)
    np.testing.assert_array_equal(np.zeros([2, 2, 3]), nothing)


@behaviour("G13")
@differs
def test_a_jacobian_without_pfor_needs_no_persistent_tape():
    x = tf.constant([2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x

    found = tape.jacobian(y, x, experimental_use_pfor=False)
    np.testing.assert_array_equal([[4.0, 0.0], [0.0, 6.0]], found)


@behaviour("G13")
@pytest.mark.parametrize(
    ("target", "source", "words"),
    [
        ([2], [2, 2], "must have rank at least 2"),
        ([2, 2], [2], "must have rank at least 2"),
        ([3, 2], [2, 2], "Need first dimension"),
    ],
)
def test_batch_jacobians_of_what_is_no_batch(target: list[int], source: list[int], words: str):
    x = tf.ones(source)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.ones(target) * tf.reduce_sum(x)
    with pytest.raises(ValueError, match=words):
        tape.batch_jacobian(y, x)


@behaviour("G13")
@each_way
def test_a_hessian_is_the_jacobian_of_a_gradient(way: Any):
    def hessian(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x[0] ** 2 * x[1] ** 3
            gradient = inner.gradient(y, x)
        return outer.jacobian(gradient, x)

    found = way(hessian)(tf.constant([2.0, 3.0]))
    np.testing.assert_allclose([[54.0, 108.0], [108.0, 72.0]], found, rtol=1e-6)


# ---- G14
@behaviour("G14")
@pytest.mark.parametrize("function", [tf.gradients, tf.hessians])
def test_gradients_of_a_graph_need_a_graph(function: Any):
    x = tf.constant(1.0)
    with pytest.raises(RuntimeError, match=r"eager execution is enabled. Use tf.GradientTape"):
        function(x, x)


@behaviour("G14")
def test_gradients_and_hessians_in_a_function_are_lists():
    @tf.function
    def both(x: Any) -> Any:
        y = tf.reduce_sum(x**3)
        first, second = tf.gradients(y, x), tf.hessians(y, x)
        assert isinstance(first, list)
        assert isinstance(second, list)
        return first[0], second[0]

    first, second = both(tf.constant([1.0, 2.0]))
    np.testing.assert_array_equal([3.0, 12.0], first)
    np.testing.assert_array_equal([[6.0, 0.0], [0.0, 12.0]], second)


@behaviour("G14")
def test_gradients_in_a_function_by_several_sources():
    @tf.function
    def three(x: Any, y: Any) -> Any:
        found = tf.gradients([x * y, y], [x, y, tf.constant(1.0)])
        assert found[2] is None
        return found[:2]

    assert [3.0, 3.0] == [float(one) for one in three(tf.constant(2.0), tf.constant(3.0))]


# ---- G16
def steps(x: Any, n: Any) -> Any:
    """Multiplied or added in turn, as tensors say."""
    y = x
    for i in tf.range(n):
        if i % 2 == 0:
            y = y * x
        else:
            y = y + x
    return y * x


@behaviour("G16")
def test_loops_with_branches_on_tensors():
    found = tf.function(lambda x, n: (steps(x, n), gradient_of(lambda x: steps(x, n), x)[0]))
    value, gradient = found(tf.constant(3.0), tf.constant(2))

    assert value.numpy() == 36.0
    assert gradient.numpy() == 33.0


@behaviour("G16")
def test_tapes_outside_of_functions_and_functions_in_functions():
    v = tf.Variable(2.0)
    inner = tf.function(lambda x: x * v)
    outer = tf.function(lambda x: {"a": inner(x) * x, "b": [inner(inner(x))]})
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = outer(x)

    assert tape.gradient(found, [x, v]) == [2 * 2 * 3 + 4, 9 + 2 * 2 * 3]


@behaviour("G16")
@each_way
def test_second_order_through_a_function(way: Any):
    cube = tf.function(lambda x: x * x * x)
    assert way(derivative(derivative(cube)))(tf.constant(2.0)).numpy() == 12.0


@behaviour("G16")
@each_way
@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.map_fn(lambda row: row * row, x),
        lambda x: tf.while_loop(lambda i, y: i < 1, lambda i, y: (i + 1, y * x), [0, x])[1],
        lambda x: tf.py_function(lambda a: a * a, [x], tf.float32),
    ],
    ids=["map_fn", "while", "py_function"],
)
def test_maps_loops_and_python_functions(function: Any, way: Any):
    np.testing.assert_array_equal([4.0, 6.0], way(derivative(function))(tf.constant([2.0, 3.0])))


@behaviour("G16")
@each_way
def test_numpy_functions_have_no_gradient(way: Any):
    def function(x: Any) -> Any:
        return tf.numpy_function(lambda a: a * a, [x], tf.float32)

    assert way(derivative(function))(tf.constant(2.0)) is None


# ---- G17
@behaviour("G17")
def test_a_step_of_training():
    w = tf.Variable(2.0)

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = (w - 5.0) ** 2
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    np.testing.assert_allclose([9.0, 5.76, 3.6864], [step() for _ in range(3)], rtol=1e-6)


# ---- G23
@behaviour("G16", "G23")
def test_a_call_under_a_tape_is_no_further_trace():
    calls = []

    @tf.function
    def function(x: Any) -> Any:
        calls.append(x)
        return x * x

    x = tf.constant(3.0)
    function(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)

    assert tape.gradient(y, x).numpy() == 6.0
    assert len(calls) == 1
    assert function.experimental_get_tracing_count() == 1


@behaviour("G23")
def test_what_happens_after_the_tape_is_not_recorded():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    z = y * 2.0

    assert tape.gradient(z, x) is None


@behaviour("G23")
@each_way
def test_slices_and_where_differentiate_by_elements(way: Any):
    x = tf.constant([2.0, -3.0])

    np.testing.assert_array_equal([-3.0, 2.0], way(derivative(lambda x: x[0] * x[1]))(x))
    by_where = derivative(lambda x: tf.where(x > 0.0, x * x, 5.0 * x))
    np.testing.assert_array_equal([4.0, 5.0], way(by_where)(x))


@behaviour("G23")
@each_way
@pytest.mark.parametrize(("at", "expected"), [(3.0, 6.0), (-3.0, 5.0)])
def test_a_branch_on_a_variable_differentiates_what_was_taken(at: float, expected: float, way: Any):
    v = tf.Variable(at)

    def gradient() -> Any:
        with tf.GradientTape() as tape:
            y = tf.cond(v > 0.0, lambda: v * v, lambda: 5.0 * v)
        return tape.gradient(y, v)

    assert way(gradient)().numpy() == expected


# ---- G16: through loops that call Python


@differs
@behaviour("G16")
def test_gradients_go_through_a_staged_loop_over_a_dataset():
    weights = tf.Variable([1.0, 2.0])
    rows = tf.data.Dataset.from_tensor_slices([[1.0, 0.5], [2.0, 1.0], [4.0, 2.0]])

    @tf.function
    def slope():
        total = tf.constant(0.0)
        with tf.GradientTape() as tape:
            for row in rows:
                total += tf.reduce_sum(row * weights**2)
        return tape.gradient(total, weights)

    assert slope().numpy().tolist() == [14.0, 14.0]


@differs
@behaviour("G16")
def test_gradients_go_through_python_functions_in_branches_of_loops():
    @tf.function
    def slope(x: Any):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for i in tf.range(3):
                if i % 2 == 0:
                    y = tf.ensure_shape(tf.py_function(tf.square, [y], tf.float32), [])
        return tape.gradient(y, x)

    assert float(slope(tf.constant(2.0))) == 32.0
