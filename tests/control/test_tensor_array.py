"""TensorArray: the same meaning eagerly and in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.autodiff.modes import MODES, STAGED

EVERY = sorted(MODES)


def array(**options: Any) -> Any:
    return tf.TensorArray(tf.float32, **options)


def test_an_array_may_begin_without_elements() -> None:
    assert [0, 2] == [int(array(size=size, dynamic_size=True).size()) for size in (0, 2)]


def run(mode: str, function: Any, *arrays: Any) -> Any:
    results = MODES[mode](function, *arrays)
    return [one.tolist() for one in results]


@pytest.mark.sampled
@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda: array(size=2).write(0, 1.0).write(1, 2.0).stack(), [[1.0, 2.0]]),
        (lambda: array(size=0, dynamic_size=True).write(2, 1.0).stack(), [[0.0, 0.0, 1.0]]),
        (lambda: array(size=0, dynamic_size=True).write(2, 1.0).size(), [3]),
        (lambda: array(size=2).write(1, [1.0, 2.0]).read(0), [[0.0, 0.0]]),
        (lambda: array(size=2, element_shape=[2]).stack(), [[[0.0, 0.0], [0.0, 0.0]]]),
        (lambda: array(size=1).write(tf.constant(0, tf.int64), 5).read(0), [5.0]),
        (lambda: array(size=3).unstack([1.0, 2.0, 3.0]).gather([2, 0, 2]), [[3.0, 1.0, 3.0]]),
        (lambda: array(size=4).unstack([1.0, 2.0, 3.0]).size(), [3]),
        (lambda: array(size=4).scatter([3, 1], [1.0, 2.0]).stack(), [[0.0, 2.0, 0.0, 1.0]]),
        (lambda: array(size=2).split([1.0, 2.0, 3.0, 4.0], [2, 2]).stack(), [[[1, 2], [3, 4]]]),
        (lambda: array(size=2).write(0, [1.0]).write(1, [2.0]).concat(), [[1.0, 2.0]]),
        (lambda: array(size=2).write(1, [1.0, 2.0]).concat(), [[0.0, 0.0, 1.0, 2.0]]),
        (lambda: array(size=0, dynamic_size=True, element_shape=[2]).stack(), [[]]),
        (lambda: array(size=2).write(0, 3.0).identity().read(0), [3.0]),
    ],
)
def test_what_arrays_do(function: Any, expected: Any, mode: str) -> None:
    assert expected == run(mode, function)


def test_indices_to_gather_count_from_the_end_eagerly() -> None:
    gathered = array(size=3).unstack([1.0, 2.0, 3.0]).gather([-1, 1, -3])
    assert [3.0, 2.0, 1.0] == gathered.numpy().tolist()
    with pytest.raises(IndexError, match="index -4"):
        array(size=3).gather([-4])
    with pytest.raises(tf.errors.InvalidArgumentError, match="ndex -1"):
        run("compiled", lambda: array(size=3).unstack([1.0, 2.0, 3.0]).gather([-1]))


@pytest.mark.parametrize("mode", EVERY)
def test_a_dropped_write_is_not_lost(mode: str) -> None:
    def function() -> Any:
        written = array(size=2)
        written.write(0, 1.0)
        return written.stack()

    assert [[1.0, 0.0]] == run(mode, function)


@pytest.mark.parametrize("mode", EVERY)
def test_an_element_can_be_read_twice_and_stays(mode: str) -> None:
    def function() -> Any:
        read = array(size=2).write(0, 2.0)
        return read.read(0), read.read(0), read.stack()

    assert [2.0, 2.0, [2.0, 0.0]] == run(mode, function)


@pytest.mark.sampled
@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            lambda: array(size=2).write(2, 1.0).stack(),
            "Tried to write to index 2 but array is not re",
        ),
        (
            lambda: array(size=2).write(-1, 1.0).stack(),
            "modify element -1 in a list with 2 elements",
        ),
        (
            lambda: array(size=2).write(0, 1.0).read(2),
            "Tried to read from index 2 but array size is",
        ),
        (
            lambda: array(size=2).write(0, 1.0).read(-1),
            "access element -1 in a list with 2 elements",
        ),
        (
            lambda: array(size=2).write(0, 1.0).gather([0, 2]),
            "access element 2 in a list with 2 el",
        ),
        (
            lambda: array(size=2).scatter([3], [1.0]).stack(),
            "Tried to write to index 3 but array is",
        ),
    ],
)
@pytest.mark.parametrize(
    "error", [tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError, IndexError]
)
def test_there_is_no_such_element(function: Any, words: str, error: Any, mode: str) -> None:
    with pytest.raises(error, match=words):
        run(mode, function)


@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda: array(size=1).write(0, tf.constant(1)), TypeError, "trying to write dtype int32"),
        (
            lambda: array(size=2).write(0, 1.0).write(1, [1.0]).stack(),
            ValueError,
            r"Incompatible shape for value .*Inconsistent shapes: saw \(1,\) but expected \(\)",
        ),
        (
            lambda: array(size=1, element_shape=[2]).write(0, [1.0, 2.0, 3.0]).stack(),
            ValueError,
            "Incompatible shape for value",
        ),
        (lambda: array(), ValueError, "Size must be declared"),
    ],
)
def test_elements_must_fit(function: Any, error: Any, words: str, mode: str) -> None:
    with pytest.raises(error, match=words):
        run(mode, lambda: tf.nest.flatten(function(), expand_composites=True)[0])


@pytest.mark.parametrize("mode", EVERY)
def test_more_rows_than_a_fixed_array_has(mode: str) -> None:
    with pytest.raises(ValueError, match="Cannot unstack 3 tensors into a TensorArray of static"):
        run(mode, lambda: array(size=2).unstack([1.0, 2.0, 3.0]).stack())


@pytest.mark.parametrize("mode", EVERY)
def test_nothing_tells_the_shape_of_an_unwritten_element(mode: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="only contains uninitialized tensors"):
        run(mode, lambda: array(size=2).read(0))


@pytest.mark.parametrize("mode", ["eager", "evaluated"])
def test_elements_of_different_shapes(mode: str) -> None:
    def function() -> Any:
        ragged = array(size=2, infer_shape=False)
        return ragged.write(0, [1.0]).write(1, [2.0, 3.0])

    assert [[1.0, 2.0, 3.0]] == run(mode, lambda: function().concat())
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        run(mode, lambda: function().stack())


@pytest.mark.parametrize("mode", ["eager", "evaluated"])
def test_strings(mode: str) -> None:
    def function() -> Any:
        return tf.TensorArray(tf.string, size=2).write(0, "a").stack()

    assert [[b"a", b""]] == run(mode, function)


@pytest.mark.parametrize("mode", EVERY)
def test_an_array_in_a_loop(mode: str) -> None:
    def function(n: Any) -> Any:
        grown = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        return tf.while_loop(
            lambda i, _: i < n, lambda i, a: (i + 1, a.write(i, i * i)), [0, grown]
        )[1].stack()

    assert [[0, 1, 4, 9]] == run(mode, function, np.int32(4))


def test_shapes_that_are_known_while_tracing() -> None:
    shapes: list[Any] = []

    @tf.function
    def function(x: Any) -> Any:
        fixed, grown = array(size=3), array(size=0, dynamic_size=True)

        def body(i: Any, fixed: Any, grown: Any) -> Any:
            return i + 1, fixed.write(i, x), grown.write(i, x)

        _, fixed, grown = tf.while_loop(lambda i, *_: i < 3, body, [0, fixed, grown])
        shapes.extend([fixed.stack().shape, grown.stack().shape, grown.element_shape])
        return fixed.stack()

    function(tf.ones([2]))
    assert [[3, 2], [None, 2], [2]] == shapes


def test_an_array_goes_into_functions_and_comes_out() -> None:
    @tf.function
    def doubled(items: Any) -> Any:
        return items.write(0, items.read(0) * 2.0)

    given = array(size=2).write(0, 3.0).write(1, 1.0)
    result = doubled(given)

    assert isinstance(result, tf.TensorArray)
    assert [6.0, 1.0] == result.stack().numpy().tolist()
    assert [3.0, 1.0] == given.stack().numpy().tolist()


def test_an_array_from_outside_can_be_read_in_a_trace() -> None:
    outside = array(size=2).write(0, 3.0).write(1, 1.0)

    assert tf.function(lambda: outside.read(0) + 1.0)().numpy() == 4.0
    assert tf.function(lambda: outside.write(0, 7.0).stack())().numpy().tolist() == [7.0, 1.0]
    assert outside.read(0).numpy() == 3.0


@pytest.mark.parametrize("mode", sorted(STAGED))
def test_a_write_in_a_branch_is_not_seen_outside(mode: str) -> None:
    def function(x: Any) -> Any:
        start = array(size=1).write(0, x)
        chosen = tf.cond(x > 0.0, lambda: start.write(0, x * 2.0), lambda: start)
        return start.read(0), chosen.read(0)

    assert [[1.0, 2.0], [-1.0, -1.0]] == [
        [float(one) for one in STAGED[mode](function, np.float32(x))] for x in (1.0, -1.0)
    ]


@pytest.mark.parametrize("mode", sorted(MODES | STAGED))
def test_arrays_change_places_in_a_loop(mode: str) -> None:
    def function(x: Any) -> Any:
        def body(i: Any, a: Any, b: Any) -> Any:
            return i + 1, b, a.write(i, b.read(i) * 10.0)

        with tf.GradientTape() as tape:
            tape.watch(x)
            first, second = (tf.TensorArray(tf.float32, 2).unstack(one) for one in (x, x + 2.0))
            _, a, b = tf.while_loop(lambda i, *_: i < 2, body, (0, first, second))
            stacked = a.stack(), b.stack()
            y = tf.reduce_sum(stacked[0] * [1.0, 2.0])
        return *stacked, tape.gradient(y, x)

    a, b, gradient = (MODES | STAGED)[mode](function, np.array([1.0, 2.0], np.float32))
    # Turn 0 writes 10 b[0] into a; turn 1, with them changed, 10 a[1] into b.
    assert [30.0, 2.0] == a.tolist()
    assert [3.0, 20.0] == b.tolist()
    assert [10.0, 2.0] == gradient.tolist()


@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize(("shape", "expected"), [(None, (0,)), ([3], (0,)), ([5, 3], (0, 3))])
def test_nothing_concatenated_has_the_shape_of_elements(
    mode: str, shape: Any, expected: tuple[int, ...]
) -> None:
    function = lambda: tf.shape(array(size=0, element_shape=shape).concat())  # noqa: E731

    assert run(mode, function) == [list(expected)]
