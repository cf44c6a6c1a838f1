"""tf.Variable, how it changes: statements V5 to V9."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both


def slices(values: Any, indices: Any) -> Any:
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices))


# ---- what assign returns


@behaviour("V5")
@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
def test_eagerly_what_assign_returns_reads_and_changes_as_the_variable(method: str):
    v = tf.Variable(1.0)
    result = getattr(v, method)(1.0)
    result.assign_add(5.0)

    assert float(result) == float(v)
    assert getattr(v, method)(1.0, read_value=False) is None


@behaviour("V5")
def test_in_a_trace_assign_returns_the_new_value():
    v = tf.Variable(1.0)
    f = tf.function(lambda: v.assign_add(2.0) * 10.0)
    assert float(f()) == 30.0


@behaviour("V5")
@both
def test_assignments_can_be_chained(mode: Any):
    v = tf.Variable([1.0, 2.0])

    def f() -> Any:
        v.assign([2.0, 3.0]).assign_add([1.0, 1.0]).assign_sub([0.5, 0.5])
        v.assign_add([1.0, 1.0]).scatter_update(slices([9.0], [0]))
        return v.assign_add([1.0, 1.0]).read_value()

    assert mode(f)().numpy().tolist() == [10.0, 5.5]
    assert v.numpy().tolist() == [10.0, 5.5]


# ---- shapes


@behaviour("V6")
@both
def test_assign_wants_a_value_of_its_shape(mode: Any):
    v = tf.Variable([1.0, 2.0])
    words = r"Shape mismatch.*variable shape \(2,\).* value shape \(1,\) are incompatible"
    with pytest.raises(ValueError, match=words) as caught:
        mode(lambda: v.assign([1.0]))()
    assert "Variable:0" in str(caught.value)


@behaviour("V6")
@pytest.mark.parametrize("method", ["assign_add", "assign_sub"])
def test_assign_add_wants_a_value_of_its_shape(method: str):
    v = tf.Variable([1.0, 2.0])
    words = r"Cannot update variable with shape \[2\] using a Tensor with shape \[\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        getattr(v, method)(1.0)


@behaviour("V6")
@differs
@both
@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
def test_a_wrong_shape_is_one_error_for_all_of_them(method: str, mode: Any):
    v = tf.Variable([1.0, 2.0])
    for error in (ValueError, tf.errors.InvalidArgumentError):
        with pytest.raises(error):
            mode(lambda: getattr(v, method)([1.0]))()


# ---- dtypes


@behaviour("V7")
def test_a_tensor_of_another_dtype_is_refused():
    words = "Tensor conversion requested dtype float32 for Tensor with dtype int32"
    with pytest.raises(ValueError, match=words):
        tf.Variable(1.0).assign(tf.constant(1))


@behaviour("V7")
@pytest.mark.parametrize(
    ("start", "value", "expected"),
    [
        (1.0, 2, 2.0),
        (1.0, np.float64(2.5), 2.5),
        ([1.0], np.array([2]), [2.0]),
        (1, True, 1),
        (0, np.array(7), 7),
    ],
)
@both
def test_python_numbers_and_arrays_are_cast(start: Any, value: Any, expected: Any, mode: Any):
    v = tf.Variable(start)

    def f() -> None:
        v.assign(value)

    mode(f)()
    assert v.numpy().tolist() == expected


@behaviour("V7")
@both
def test_a_fraction_does_not_fit_an_integer_variable(mode: Any):
    v = tf.Variable(1)
    with pytest.raises(TypeError):
        mode(lambda: v.assign(2.5))()
    assert int(v) == 1


@behaviour("V7")
@differs
@both
@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
def test_a_float_that_is_whole_fits_an_integer_variable(method: str, mode: Any):
    v = tf.Variable(4)

    def f() -> None:
        getattr(v, method)(2.0)

    mode(f)()
    assert int(v) == {"assign": 2, "assign_add": 6, "assign_sub": 2}[method]


@behaviour("V7")
@differs
def test_a_float_that_is_whole_fits_a_part_of_an_integer_variable():
    v = tf.Variable([1, 2])
    v[0].assign(5.0)
    v[1].assign_add(3.0)
    assert v.numpy().tolist() == [5, 5]
    with pytest.raises(TypeError, match=r"Cannot convert 2\.5"):
        v[0].assign(2.5)


# ---- parts


@behaviour("V8")
@both
def test_parts_of_strings_are_strings(mode: Any):
    v = tf.Variable(["a", "b", "c"])

    def f() -> Any:
        v[0].assign("x")
        v[1:].assign(["y", "z"])
        v.scatter_nd_update([[2]], ["w"])
        return tf.strings.upper(v)

    assert mode(f)().numpy().tolist() == [b"X", b"Y", b"W"]


@behaviour("V8")
@both
@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        (0, 9.0, [9, 2, 3]),
        (-1, 9.0, [1, 2, 9]),
        (slice(1, None), [8.0, 9.0], [1, 8, 9]),
        (slice(None), [7.0, 8.0, 9.0], [7, 8, 9]),
        (slice(None, None, 2), 0.0, [0, 2, 0]),
    ],
    ids=["first", "last", "tail", "all", "steps"],
)
def test_parts_can_be_assigned(key: Any, value: Any, expected: Any, mode: Any):
    v = tf.Variable([1.0, 2.0, 3.0])

    def f() -> None:
        v[key].assign(value)

    mode(f)()
    assert v.numpy().tolist() == expected


@behaviour("V8")
@differs
@both
@pytest.mark.parametrize(
    ("method", "expected"), [("assign_add", [11, 22, 3]), ("assign_sub", [-9, -18, 3])]
)
def test_parts_can_be_added_to(method: str, expected: Any, mode: Any):
    v = tf.Variable([1.0, 2.0, 3.0])

    def f() -> None:
        getattr(v[0:2], method)([10.0, 20.0])

    mode(f)()
    assert v.numpy().tolist() == expected


@behaviour("V8")
def test_a_part_out_of_bounds_is_an_invalid_argument():
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        v[2].assign(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError):
        v[2]


@behaviour("V8")
def test_items_cannot_be_set_by_a_statement():
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(TypeError, match="does not support item assignment"):
        v[0] = 1.0


@behaviour("V8")
@differs
def test_who_sets_an_item_is_told_what_to_write():
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(TypeError, match=r"variable\[key\].assign\(value\)"):
        v[0] = 1.0


@behaviour("V8")
def test_augmented_assignment_says_what_to_use():
    v = tf.Variable(1.0)
    with pytest.raises(RuntimeError, match=r"`variable \+= value`.* not supported") as caught:
        v += 1.0
    assert "variable.assign_add(value)" in str(caught.value)
    with pytest.raises(RuntimeError, match=r"variable.assign_sub\(value\)"):
        v -= 1.0
    with pytest.raises(RuntimeError, match=r"assign\(var(iable)? \* value\)"):
        v *= 2.0


# ---- rows


@behaviour("V9")
@both
@pytest.mark.parametrize(
    ("method", "values", "indices", "expected"),
    [
        ("scatter_update", [9.0], [1], [1, 9, 3]),
        ("scatter_add", [9.0, 1.0], [1, 0], [2, 11, 3]),
        ("scatter_add", [1.0, 2.0, 3.0], [1, 1, 1], [1, 8, 3]),
        ("scatter_sub", [1.0], [2], [1, 2, 2]),
        ("scatter_max", [5.0, 1.0], [0, 1], [5, 2, 3]),
        ("scatter_min", [0.0, 5.0], [0, 1], [0, 2, 3]),
        ("scatter_mul", [4.0], [1], [1, 8, 3]),
        ("scatter_div", [2.0], [1], [1, 1, 3]),
    ],
)
def test_rows_change(method: str, values: Any, indices: Any, expected: Any, mode: Any):
    v = tf.Variable([1.0, 2.0, 3.0])

    def f() -> None:
        getattr(v, method)(slices(values, indices))

    mode(f)()
    assert v.numpy().tolist() == expected


@behaviour("V9")
@both
@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("scatter_nd_update", [[9, 2], [3, 8]]),
        ("scatter_nd_add", [[10, 2], [3, 12]]),
        ("scatter_nd_sub", [[-8, 2], [3, -4]]),
    ],
)
def test_elements_change(method: str, expected: Any, mode: Any):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])

    def f() -> None:
        getattr(v, method)([[0, 0], [1, 1]], [9.0, 8.0])

    mode(f)()
    assert v.numpy().tolist() == expected


@behaviour("V9")
@both
def test_rows_and_elements_are_read(mode: Any):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    rows, elements = mode(lambda: (v.sparse_read([1, 0]), v.gather_nd([[0, 1], [1, 0]])))()

    assert rows.numpy().tolist() == [[3, 4], [1, 2]]
    assert elements.numpy().tolist() == [2, 3]


@behaviour("V9")
def test_each_batch_has_rows_of_its_own():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    v.batch_scatter_update(slices([[9.0], [8.0]], [[0], [1]]))
    assert v.numpy().tolist() == [[9, 2], [3, 8]]


@behaviour("V9")
@both
def test_rows_out_of_range_are_an_invalid_argument(mode: Any):
    v = tf.Variable([1.0, 2.0])

    def f() -> None:
        v.scatter_add(slices([1.0], [2]))

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"is not in \[0, 2\)"):
        mode(f)()


@behaviour("V9")
@both
def test_rows_come_as_indexed_slices(mode: Any):
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(TypeError, match="must be a `tf"):
        mode(lambda: v.scatter_add([1.0]))()


@behaviour("V9")
def test_counting_up_is_for_integers():
    v = tf.Variable(0)
    assert [int(v.count_up_to(3)) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(tf.errors.OutOfRangeError):
        v.count_up_to(3)
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        tf.Variable(0.0).count_up_to(3)
