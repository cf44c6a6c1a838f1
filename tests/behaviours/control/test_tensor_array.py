"""tf.TensorArray: statements C22 to C28."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both, traced


def eager(body: Any) -> Any:
    return body()


only_eager = pytest.mark.parametrize("run", [eager])
run_both = pytest.mark.parametrize("run", [eager, traced], ids=["eager", "traced"])


def array(size: int = 2, dtype: Any = tf.int32, **options: Any) -> Any:
    return tf.TensorArray(dtype, size, **options)


# ---- writing


@behaviour("C22")
@run_both
def test_write_returns_the_new_array(run: Any):
    def f() -> Any:
        written = array().write(0, 5).write(1, 7)
        assert isinstance(written, tf.TensorArray)
        return written.stack()

    assert run(f).numpy().tolist() == [5, 7]


@behaviour("C22")
def test_an_eager_write_also_changes_the_array_itself():
    one = array()
    one.write(0, 5)
    assert one.write(1, 7).stack().numpy().tolist() == [5, 7]
    assert int(one.read(0)) == 5


@behaviour("C22")
@differs
def test_a_write_whose_result_is_dropped_is_not_lost_in_a_graph_either():
    def f() -> Any:
        one = array()
        one.write(0, 5)
        return one.write(1, 7).stack()

    assert traced(f).numpy().tolist() == [5, 7]


# ---- what was never written


@behaviour("C23")
@run_both
@pytest.mark.parametrize(
    ("options", "value", "expected"),
    [
        ({}, 5, [0, 5]),
        ({}, [5, 6], [[0, 0], [5, 6]]),
        ({"element_shape": [2]}, [5, 6], [[0, 0], [5, 6]]),
    ],
)
def test_slots_that_were_never_written_are_zeros(options: Any, value: Any, expected: Any, run: Any):
    assert run(lambda: array(**options).write(1, value).stack()).numpy().tolist() == expected


@behaviour("C23")
@run_both
def test_nothing_written_gives_zeros_of_a_known_shape(run: Any):
    assert run(lambda: array(element_shape=[1]).stack()).numpy().tolist() == [[0], [0]]
    assert run(lambda: array(element_shape=[1]).read(1)).numpy().tolist() == [0]


@behaviour("C23")
@pytest.mark.parametrize("use", [lambda a: a.stack(), lambda a: a.read(0)])
def test_eagerly_nothing_written_of_unknown_shape_is_a_value_error(use: Any):
    with pytest.raises(ValueError, match="Cannot convert a partially known TensorShape"):
        use(array())


@behaviour("C23")
@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda a: a.stack(), "only contains uninitialized tensors"),
        (lambda a: a.read(0), "uninitialized"),
    ],
)
def test_in_a_graph_nothing_written_of_unknown_shape_is_an_invalid_argument(use: Any, words: str):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        traced(lambda: use(array()))


@behaviour("C23")
@differs
@pytest.mark.parametrize("kind", [ValueError, tf.errors.InvalidArgumentError])
def test_nothing_written_is_one_error_in_both_modes(kind: Any):
    for run in (eager, traced):
        with pytest.raises(kind, match="uninitialized"):
            run(lambda: array().stack())


# ---- out of range


@behaviour("C24")
@pytest.mark.parametrize("index", [2, 5])
def test_eagerly_an_index_too_large_is_out_of_range(index: int):
    with pytest.raises(tf.errors.OutOfRangeError, match="array is not resizeable and size is"):
        array().write(index, 1)
    with pytest.raises(tf.errors.OutOfRangeError, match="Tried to read from index"):
        array().write(0, 1).read(index)


@behaviour("C24")
def test_eagerly_a_negative_index_is_out_of_range():
    for use in (lambda a: a.write(-1, 1), lambda a: a.read(-1)):
        with pytest.raises(tf.errors.OutOfRangeError):
            use(array().write(0, 1))


@behaviour("C24")
@pytest.mark.parametrize("index", [2, -1])
def test_in_a_graph_an_index_out_of_range_is_an_invalid_argument(index: int):
    for use in (lambda a: a.write(index, 1).stack(), lambda a: a.read(index)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            traced(lambda use=use: use(array().write(0, 1)))


@behaviour("C24")
def test_the_message_of_a_graph_tells_index_and_size():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="modify element 2 in a list with 2 elements"
    ):
        traced(lambda: array().write(2, 1).stack())


@behaviour("C24")
@differs
@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (eager, tf.errors.InvalidArgumentError),
        (eager, IndexError),
        (traced, tf.errors.OutOfRangeError),
        (traced, IndexError),
    ],
)
def test_an_index_out_of_range_is_one_error_in_both_modes(kind: Any, run: Any):
    uses = (
        lambda a: a.write(2, 1).stack(), lambda a: a.read(2), lambda a: a.write(-1, 1).stack(),
        lambda a: a.read(-1), lambda a: a.gather([2]),
    )  # fmt: skip
    for use in uses:
        with pytest.raises(kind):
            run(lambda use=use: use(array().write(0, 1)))


@behaviour("C24")
@run_both
def test_a_dynamic_array_grows(run: Any):
    def f() -> Any:
        grown = array(0, dynamic_size=True).write(3, 7)
        return grown.size(), grown.stack()

    size, stacked = run(f)
    assert int(size) == 4
    assert stacked.numpy().tolist() == [0, 0, 0, 7]


# ---- dtypes and shapes


@behaviour("C25")
def test_eagerly_a_value_of_another_dtype_is_an_invalid_argument():
    with pytest.raises(tf.errors.InvalidArgumentError, match="dtype"):
        array().write(0, tf.constant(1.0))


@behaviour("C25")
def test_in_a_graph_a_value_of_another_dtype_is_an_invalid_argument():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid data types"):
        traced(lambda: array().write(0, tf.constant(1.0)).stack())


@behaviour("C25")
@differs
def test_a_value_of_another_dtype_is_found_when_it_is_written_also_while_tracing():
    with pytest.raises(TypeError, match=r"TensorArray dtype is int32 but .* float32"):
        tf.function(lambda: array().write(0, tf.constant(1.0)).size()).get_concrete_function()


@behaviour("C25")
@pytest.mark.parametrize(
    ("run", "words"),
    [
        (eager, "Incompatible shape for value"),
        (traced, r"Inconsistent shapes: saw \(2,\) but expected \(\)"),
    ],
)
def test_all_elements_have_the_shape_of_the_first(run: Any, words: str):
    with pytest.raises(ValueError, match=words):
        run(lambda: array().write(0, 1).write(1, [1, 2]).stack())


@behaviour("C25")
@run_both
def test_without_infer_shape_elements_may_differ(run: Any):
    def ragged() -> Any:
        return array(infer_shape=False).write(0, [1]).write(1, [2, 3])

    assert run(lambda: ragged().concat()).numpy().tolist() == [1, 2, 3]
    assert run(lambda: ragged().read(1)).numpy().tolist() == [2, 3]
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(lambda: ragged().stack())


@behaviour("C25")
@run_both
def test_element_shape_is_demanded_of_what_is_written(run: Any):
    with pytest.raises(ValueError, match="shape"):
        run(lambda: array(element_shape=[2]).write(0, [1, 2, 3]).stack())
    assert run(lambda: array(element_shape=[None]).write(0, [1]).read(0)).numpy().tolist() == [1]


# ---- reading twice


@behaviour("C26")
def test_in_a_graph_an_element_may_be_read_twice_and_is_still_there_afterwards():
    def f() -> Any:
        one = array().write(0, 5).write(1, 7)
        return one.read(0) + one.read(0), one.stack()

    double, stacked = traced(f)
    assert int(double) == 10
    assert stacked.numpy().tolist() == [5, 7]


@behaviour("C26")
@differs
def test_eagerly_an_element_may_be_read_twice():
    one = array().write(0, 5)
    assert int(one.read(0) + one.read(0)) == 10


@behaviour("C26")
@differs
def test_eagerly_an_element_is_still_there_after_it_was_read():
    one = array().write(0, 5).write(1, 7)
    one.read(0)
    assert one.stack().numpy().tolist() == [5, 7]


@behaviour("C26")
@run_both
def test_an_element_may_be_read_twice_where_reading_does_not_clear(run: Any):
    def f() -> Any:
        one = array(clear_after_read=False).write(0, 5).write(1, 7)
        return one.read(0) + one.read(0) + one.read(1)

    assert int(run(f)) == 17


# ---- the other methods


@pytest.mark.sampled
@behaviour("C27")
@run_both
@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (lambda a: a.gather([2, 0]), [30, 10]),
        (lambda a: a.scatter([1, 0], [5, 6]).stack(), [6, 5, 30]),
        (lambda a: a.split([1, 2, 3, 4, 5], [2, 0, 3]).concat(), [1, 2, 3, 4, 5]),
        (lambda a: a.split([1, 2, 3, 4, 5], [2, 0, 3]).read(2), [3, 4, 5]),
        (lambda a: a.unstack([4, 5, 6]).read(1), 5),
        (lambda a: a.unstack([[4], [5], [6]]).concat(), [4, 5, 6]),
        (lambda a: a.identity().stack(), [10, 20, 30]),
        (lambda a: a.size(), 3),
    ],
    ids=["gather", "scatter", "split", "lengths", "unstack", "concat", "identity", "size"],
)
def test_methods_give_what_they_are_named_after(use: Any, expected: Any, run: Any):
    filled = run(lambda: use(array(3, infer_shape=False).unstack([10, 20, 30])))
    assert filled.numpy().tolist() == expected


@behaviour("C27")
@pytest.mark.parametrize(
    ("run", "error"), [(eager, IndexError), (traced, tf.errors.InvalidArgumentError)]
)
def test_gathering_out_of_range(run: Any, error: Any):
    with pytest.raises(error):
        run(lambda: array().unstack([1, 2]).gather([2]))


@behaviour("C27")
def test_too_many_rows_for_an_array_of_fixed_size():
    with pytest.raises(ValueError, match="static size"):
        array(2).unstack([1, 2, 3])


@behaviour("C27")
@differs
def test_too_many_rows_are_one_error_in_both_modes():
    for run in (eager, traced):
        for error in (ValueError, tf.errors.InvalidArgumentError):
            with pytest.raises(error):
                run(lambda: array(2).unstack([1, 2, 3]).stack())


@behaviour("C27")
@differs
def test_unstacking_fewer_rows_gives_an_array_of_one_size_in_both_modes():
    sizes = [int(run(lambda: array(4).unstack([1, 2, 3]).size())) for run in (eager, traced)]
    assert sizes[0] == sizes[1]


@behaviour("C27")
def test_in_a_graph_scalars_cannot_be_joined():
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar"):
        traced(lambda: array(1).write(0, 1).concat())


@behaviour("C27")
@differs
def test_eagerly_scalars_cannot_be_joined_either():
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar"):
        array(1).write(0, 1).concat()


# ---- what it is not


@behaviour("C28")
def test_grad_is_not_there():
    with pytest.raises(NotImplementedError):
        array().grad("source")


@behaviour("C28")
@pytest.mark.parametrize("use", [iter, len])
def test_an_array_is_neither_iterable_nor_sized(use: Any):
    with pytest.raises(TypeError):
        use(array())


@behaviour("C28")
def test_close_returns_nothing():
    assert array().close() is None


@behaviour("C28")
def test_a_size_must_be_declared():
    with pytest.raises(ValueError, match="Size must be declared"):
        tf.TensorArray(tf.int32)


@behaviour("C28")
def test_an_array_goes_into_a_function_and_through_its_loops():
    @tf.function
    def f(one: Any, n: Any) -> Any:
        other = tf.TensorArray(tf.int32, n)
        for i in tf.range(n):
            other = other.write(i, i * one.size())
        return other.stack(), one.write(0, 5).stack()

    squares, changed = f(array(3).unstack([1, 2, 3]), tf.constant(3))
    assert squares.numpy().tolist() == [0, 3, 6]
    assert changed.numpy().tolist() == [5, 2, 3]


@behaviour("C28")
@differs
def test_an_array_that_came_in_may_be_written_in_a_loop_and_comes_out_as_one():
    @tf.function
    def f(one: Any) -> Any:
        for i in tf.range(3):
            one = one.write(i, i * i)
        return one

    result = f(array(3))
    assert isinstance(result, tf.TensorArray)
    assert result.stack().numpy().tolist() == [0, 1, 4]


@behaviour("C28")
@both
def test_gradients_go_through_arrays(mode: Any):
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            one = tf.TensorArray(tf.float32, 2).write(0, x * x).write(1, 3.0 * x)
            y = tf.reduce_sum(one.stack()) + one.gather([0])[0]
        return tape.gradient(y, x)

    assert float(mode(f)(tf.constant(2.0))) == 11.0


@behaviour("C28")
def test_its_arguments_have_these_names():
    one = tf.TensorArray(
        dtype=tf.float32, size=1, dynamic_size=False, clear_after_read=False,
        tensor_array_name="name", infer_shape=True, element_shape=[2],
    )  # fmt: skip
    assert one.dtype == tf.float32
    assert one.dynamic_size is False
    assert one.element_shape == tf.TensorShape([2])
