"""Python's operators on tensors, and what their operands become: statements T8 to T14, T26."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both

T = tf.constant
InvalidArgumentError = tf.errors.InvalidArgumentError
OPERATORS = ("add", "sub", "mul", "lt", "ge", "eq", "pow", "floordiv", "mod")
COMMON = {"+": "AddV2", "-": "Sub", "*": "Mul", "<": "Less", "==": "Equal"}


def binary(name: str) -> Callable[[Any, Any], Any]:
    """`operator.<name>`, as a function that may be staged."""
    return lambda x, y: getattr(operator, name)(x, y)


def staged(name: str) -> Any:
    return tf.function(binary(name))


def listed(tensor: Any) -> Any:
    return tensor.numpy().tolist()


@behaviour("T8")
@pytest.mark.parametrize("name", OPERATORS)
def test_operands_of_two_dtypes_are_refused_eagerly(name: str):
    for other in (T(1.0), T(1, tf.int64)):
        with pytest.raises(InvalidArgumentError):
            binary(name)(T(1), other)


@behaviour("T8")
def test_the_message_names_the_operation_and_both_dtypes():
    words = (
        r"cannot compute AddV2 as input #1\(zero-based\) was expected to be a int32 tensor "
        "but is a float tensor"
    )
    with pytest.raises(InvalidArgumentError, match=words):
        T(1) + T(1.0)
    with pytest.raises(InvalidArgumentError, match=r"AddV2.*float tensor but is a double tensor"):
        T(1.0) + T(1.0, tf.float64)


@behaviour("T8")
@pytest.mark.parametrize("name", OPERATORS)
def test_operands_of_two_dtypes_are_refused_in_graphs(name: str):
    for other in (T(1.0), T(1, tf.int64)):
        with pytest.raises(TypeError, match=r"type (float32|int64).*type int32 of argument 'x'"):
            staged(name)(T(1), other)


@behaviour("T8")
@differs
@pytest.mark.parametrize("name", OPERATORS)
def test_dtypes_that_differ_have_one_class_in_both_modes(name: str):
    for call in (binary(name), staged(name)):
        with pytest.raises(InvalidArgumentError) as caught:
            call(T(1), T(1.0))
        assert isinstance(caught.value, TypeError)
        assert "tf.cast" in str(caught.value)


@behaviour("T9")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_python_numbers_adopt_the_dtype_of_the_tensor(mode: str):
    def sums(i: Any, f: Any, d: Any) -> Any:
        return f + 1, 1 + f, i + 1, d * 2.5, i < 2, 1 - f, 2**i

    call = tf.function(sums) if mode == "graph" else sums
    dtypes = [x.dtype for x in call(T(1), T(1.0), T(1.0, tf.float64))]

    assert dtypes == [
        tf.float32, tf.float32, tf.int32, tf.float64, tf.bool, tf.float32, tf.int32,
    ]  # fmt: skip


@behaviour("T9")
def test_a_fraction_beside_integers_is_refused_eagerly():
    i = T(1)
    with pytest.raises(InvalidArgumentError, match="int32"):
        i + 1.5
    for fails in (
        lambda: 1.5 + i,
        lambda: i < 1.5,
        lambda: i == 1.0,
        lambda: tf.multiply(i, 2.5),
    ):
        with pytest.raises(TypeError, match=r"Cannot convert .* to EagerTensor of dtype int32"):
            fails()
    with pytest.raises(InvalidArgumentError, match="int32"):
        tf.add(1, 2.5)


@behaviour("T9")
@pytest.mark.parametrize(
    "body",
    [
        lambda i: 1.5 + i,
        lambda i: i < 1.5,
        lambda i: i == 1.5,
        lambda i: tf.multiply(i, 1.5),
        lambda i: i + 1.5,
    ],
)
def test_a_fraction_beside_integers_is_refused_in_graphs(body: Callable[[Any], Any]):
    with pytest.raises(TypeError, match=r"1\.5|float32 .* int32"):
        tf.function(body, autograph=False)(T(1))


@behaviour("T9")
@differs
def test_a_fraction_beside_integers_has_one_class_in_both_modes():
    for call in (lambda i: i + 1.5, tf.function(lambda i: i + 1.5, autograph=False)):
        with pytest.raises(InvalidArgumentError, match=r"1\.5") as caught:
            call(T(1))
        assert isinstance(caught.value, TypeError)


@behaviour("T9")
def test_the_first_of_two_python_numbers_decides():
    assert tf.add(1.0, 2).dtype == tf.float32


@behaviour("T10")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_arrays_adopt_the_dtype_of_the_tensor(mode: str):
    def sums(i: Any, f: Any) -> Any:
        return i + np.array([1, 2]), np.array([1, 2]) + i, f + np.float64(1), np.array([1.0]) + f

    results = (tf.function(sums) if mode == "graph" else sums)(T(1), T(1.0))

    assert [x.dtype for x in results] == [tf.int32, tf.int32, tf.float32, tf.float32]
    assert [listed(x) for x in results] == [[2, 3], [2, 3], 2.0, [2.0]]


@behaviour("T10")
@differs
def test_arrays_are_never_truncated():
    for fails in (lambda: T(1) + np.array([1.5]), lambda: np.array([1.5]) + T(1)):
        with pytest.raises(TypeError, match="fraction"):
            fails()


@behaviour("T11")
@differs
@pytest.mark.parametrize(("dtype", "number"), [("int32", 2**40), ("uint8", 300), ("uint8", -1)])
def test_python_integers_that_do_not_fit_are_refused(dtype: str, number: int):
    one = tf.constant(1, dtype)
    for fails in (lambda: one + number, lambda: number + one):
        with pytest.raises(TypeError, match="holds"):
            fails()


@behaviour("T11")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_sums_of_integers_wrap(mode: str):
    add = staged("add") if mode == "graph" else binary("add")

    assert add(T(2**31 - 1), T(1)).numpy() == -(2**31)
    assert add(T(250, tf.uint8), T(10, tf.uint8)).numpy() == 4
    assert add(T(250, tf.uint8), 10).numpy() == 4


@behaviour("T12")
@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        ("int32", "float64"), ("int64", "float64"), ("uint8", "float32"), ("int16", "float32"),
        ("float32", "float32"), ("float64", "float64"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_division_of_integers_gives_floats(mode: str, dtype: str, result: str):
    divide = staged("truediv") if mode == "graph" else binary("truediv")
    quotient = divide(tf.constant(7, dtype), tf.constant(2, dtype))

    assert (quotient.dtype, quotient.numpy()) == (result, 3.5)


@behaviour("T12")
@pytest.mark.parametrize("mode", ["eager", "graph"])
@pytest.mark.parametrize("of", [T, lambda x: tf.constant(x, tf.float32)], ids=["int", "float"])
def test_floor_division_and_remainder_have_the_signs_of_python(mode: str, of: Any):
    for name in ("floordiv", "mod"):
        call = staged(name) if mode == "graph" else binary(name)
        for x, y in ((7, 2), (-7, 2), (7, -2), (-7, -2)):
            assert call(of(x), of(y)).numpy() == getattr(operator, name)(x, y)


@behaviour("T12")
@pytest.mark.parametrize("mode", ["eager", "graph"])
@pytest.mark.parametrize("name", ["floordiv", "mod"])
def test_integer_division_by_zero_is_an_error(mode: str, name: str):
    call = staged(name) if mode == "graph" else binary(name)
    with pytest.raises(InvalidArgumentError, match=r"(?i)integer division by zero"):
        call(T([1, 2]), T([1, 0]))


@behaviour("T12")
def test_division_of_floats_by_zero_is_infinite():
    assert listed(T([1.0, -1.0]) / 0.0) == [float("inf"), float("-inf")]


@behaviour("T12")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_an_integer_to_a_negative_integer_power_is_an_error(mode: str):
    words = "Integers to negative integer powers are not allowed"
    with pytest.raises(InvalidArgumentError, match=words):
        (staged("pow") if mode == "graph" else binary("pow"))(T(2), T(-1))


@behaviour("T12")
def test_means_of_integers_are_integers():
    assert tf.reduce_mean(T([1, 2])).numpy() == 1


@behaviour("T12")
def test_functions_of_floats_say_which_dtypes_they_take():
    with pytest.raises(InvalidArgumentError, match=r"bfloat16.*double|floating|float32.*float64"):
        tf.sqrt(T(4))


@behaviour("T13")
def test_bools_have_no_arithmetic():
    for fails in (lambda: T(True) + T(True), lambda: -T(True)):
        with pytest.raises(InvalidArgumentError):
            fails()


@behaviour("T13")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_bools_and_integers_have_logic(mode: str):
    def logic(x: Any, y: Any) -> Any:
        return ~x, x & y, x | y, x ^ y

    call = tf.function(logic) if mode == "graph" else logic

    assert [x.numpy() for x in call(T(True), T(False))] == [False, False, True, True]
    assert [x.numpy() for x in call(T(6), T(3))] == [-7, 2, 7, 5]


@behaviour("T13")
@differs
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_shifts_plus_divmod_and_round_work(mode: str):
    def all_of_them(x: Any, f: Any) -> Any:
        return x << 1, x >> 1, +x, divmod(x, 4), round(f)

    call = tf.function(all_of_them) if mode == "graph" else all_of_them
    left, right, plus, (quotient, rest), rounded = call(T(7), T(2.6))

    assert [x.numpy() for x in (left, right, plus)] == [14, 3, 7]
    assert (quotient.numpy(), rest.numpy(), rounded.numpy()) == (1, 3, 3.0)


@behaviour("T13")
def test_unsigned_integers_have_no_minus():
    with pytest.raises(InvalidArgumentError):
        -T(1, tf.uint8)


@behaviour("T13")
def test_strings_are_added_and_compared_for_equality_only():
    assert (T("a") + "b").numpy() == b"ab"
    assert ("b" + T("a")).numpy() == b"ba"
    assert (T(["a", "b"]) == "a").numpy().tolist() == [True, False]
    with pytest.raises((InvalidArgumentError, tf.errors.NotFoundError)):
        operator.lt(T("a"), T("b"))
    with pytest.raises((InvalidArgumentError, TypeError)):
        T("a") + 1


@behaviour("T14")
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "lt", "pow"])
def test_shapes_that_do_not_broadcast_are_refused(name: str):
    two, three = T([1.0, 2.0]), T([1.0, 2.0, 3.0])
    with pytest.raises(InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs\. \[3\]"):
        binary(name)(two, three)
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        staged(name)(two, three)


@behaviour("T14")
@pytest.mark.parametrize("around", [lambda f: f, tf.function], ids=["directly", "in a graph"])
def test_shapes_that_only_run_time_knows_are_checked(around: Any):
    of_any_size = tf.TensorSpec([None], tf.int32)
    add = tf.function(lambda x, y: x + y, input_signature=[of_any_size, of_any_size])

    words = "Incompatible shapes|Dimensions must be equal"
    with pytest.raises((InvalidArgumentError, ValueError), match=words):
        around(lambda: add(T([1, 2]), T([1, 2, 3])))()


@behaviour("T14")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_tensors_whose_shapes_do_not_broadcast_are_not_equal(mode: str):
    def compared(x: Any, y: Any) -> Any:
        return x == y, x != y

    same, other = (tf.function(compared) if mode == "graph" else compared)(T([1, 2]), T([1, 2, 3]))

    assert (bool(same), bool(other)) == (False, True)
    assert same.shape == other.shape == []


@behaviour("T14")
def test_nothing_equals_none():
    assert (T([1]) == None) is False  # noqa: E711
    assert (T([1]) != None) is True  # noqa: E711


@behaviour("T14")
def test_comparison_with_what_is_no_tensor_is_a_value_error():
    with pytest.raises(ValueError, match="unsupported type"):
        T(1) == object()  # noqa: B015


@behaviour("T14")
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_matrix_products_need_matrices(mode: str):
    error = ValueError if mode == "graph" else InvalidArgumentError
    product = tf.function(tf.matmul) if mode == "graph" else tf.matmul
    with pytest.raises(error, match=r"ndims|[Ss]hape must be (at least )?rank"):
        product(T([1.0]), T([1.0]))


@behaviour("T26")
def test_a_reshape_says_both_numbers_of_elements():
    words = "Input to reshape is a tensor with 3 values, but the requested shape has 4"
    with pytest.raises(InvalidArgumentError, match=words):
        tf.reshape(T([1, 2, 3]), [2, 2])


@behaviour("T26")
@differs
def test_messages_carry_no_names_of_wrapped_functions():
    with pytest.raises(InvalidArgumentError) as caught:
        tf.reshape(T([1, 2, 3]), [2, 2])

    assert "function_node" not in str(caught.value)


@behaviour("T26")
def test_an_operation_without_operands_is_a_type_error():
    with pytest.raises(TypeError, match=r"(?i)missing.*required positional argument"):
        tf.add()


@behaviour("T1")
@both
@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_have_no_order(mode: Any, compare: Any, dtype: Any):
    x, y = np.array([3, 1], dtype), np.array([2, 2], dtype)
    run = mode(lambda x, y: compare(x, y))

    for right in (tf.constant(y), tf.Variable(y)):
        with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
            run(tf.constant(x), right)
        with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
            run(right, tf.constant(x))


@behaviour("T26")
@both
def test_the_product_of_booleans_says_whether_both_are_true(mode: Any):
    product = mode(lambda x, y: (x * y, True * y))
    both_true, same = product(T([True, False]), T([True, True]))
    assert (listed(both_true), listed(same)) == ([True, False], [True, True])
