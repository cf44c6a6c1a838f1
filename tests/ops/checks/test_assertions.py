"""Assertions: silent where they hold, told with the values where not."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.errors import InvalidArgumentError

D, T = tf.debugging, tf.constant


def test_a_relation_names_the_first_pairs_that_break_it() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        D.assert_equal([1, 2, 3, 4, 5], [1, 2, 0, 4, 0], message="mine")

    expected = (
        "mine\nCondition x == y did not hold.\nIndices of first 2 different values:\n[[2]\n [4]]\n"
        "Corresponding x values:\n[3 5]\nCorresponding y values:\n[0 0]\n"
        "First 3 elements of x:\n[1 2 3]\nFirst 3 elements of y:\n[1 2 0]"
    )
    assert expected == caught.value.message


HOLDS = [
    (D.assert_equal, 1, 1), (D.assert_none_equal, [1, 2], 3), (D.assert_less, [1, 2], 3),
    (D.assert_less_equal, [1, 3], 3), (D.assert_greater, 2.0, 1.0),
    (D.assert_greater_equal, [3, 2], 2), (D.assert_near, 1.0, 1.0000001),
]  # fmt: skip
BREAKS = [
    (D.assert_none_equal, [1, 2], [1, 3], "x != y"), (D.assert_less, 3, 3, "x < y"),
    (D.assert_less_equal, 3, 2, "x <= y"), (D.assert_greater, 1.0, 2.0, "x > y"),
    (D.assert_greater_equal, 1, 2, "x >= y"), (D.assert_near, 1.0, 1.1, "not equal to tolerance"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "x", "y"), HOLDS)
def test_what_holds_is_silent(check: Any, x: Any, y: Any) -> None:
    assert check(x, y) is None


@pytest.mark.parametrize(("check", "x", "y", "words"), BREAKS)
def test_what_does_not_hold_is_an_error(check: Any, x: Any, y: Any, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        check(x, y)


@pytest.mark.parametrize(
    ("check", "good", "bad", "words"),
    [
        (D.assert_positive, [1], [1, 0], "x > 0"), (D.assert_negative, [-1], [0], "x < 0"),
        (D.assert_non_negative, [0], [-1], "x >= 0"), (D.assert_non_positive, [0], [1], "x <= 0"),
    ],
)  # fmt: skip
def test_signs_are_checked(check: Any, good: Any, bad: Any, words: str) -> None:
    assert check(good) is None
    with pytest.raises(InvalidArgumentError, match=words):
        check(bad)


def test_ranks_and_shapes_are_checked_at_once_where_they_are_known() -> None:
    D.assert_rank([1], 1)
    D.assert_rank_at_least([[1]], 1)
    D.assert_rank_in(1, (0, 2))
    D.assert_scalar(1)
    D.assert_shapes([(tf.zeros([2, 3]), ("N", 3)), (tf.zeros([2]), "N"), (T(1.0), ())])
    D.assert_shapes([(tf.zeros([5, 2, 3]), ("...", 2, None))])
    for call, words in (
        (lambda: D.assert_rank([1], 2), "must have rank 2.  Received rank 1"),
        (lambda: D.assert_rank_at_least([1], 2), "must have rank at least 2"),
        (lambda: D.assert_rank_in([1], (0, 2)), r"must have rank in \(0, 2\)"),
        (lambda: D.assert_scalar([1]), "Expected scalar shape"),
        (lambda: D.assert_shapes([(tf.zeros([2, 3]), ("N", "N"))]), "must have size 3"),
        (lambda: D.assert_shapes([(tf.zeros([2, 3]), (2, 2))], message="m"), r"m\.  Specified"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_types_are_checked() -> None:
    D.assert_type(T(1), tf.int32)
    D.assert_type(tf.sparse.from_dense([1, 0]), tf.int32)
    D.assert_type(tf.ragged.constant([[1], []]), tf.int32)
    D.assert_integer(1)
    D.assert_proper_iterable([1])
    assert D.assert_same_float_dtype([T(1.0), None]) is tf.float32
    assert D.is_numeric_tensor(T(1))
    assert not D.is_numeric_tensor(1)
    assert not D.is_numeric_tensor(tf.Variable(1))
    for call in (
        lambda: D.assert_type(T(1), tf.float32),
        lambda: D.assert_type(tf.sparse.from_dense([1, 0]), tf.float32),
        lambda: D.assert_integer(1.5),
        lambda: D.assert_proper_iterable(T([1])),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="must be of the same type"):
        D.assert_same_float_dtype([T(1.0)], tf.float64)


class Pair(tf.experimental.ExtensionType):
    first: tf.Tensor
    second: tf.Tensor


def test_a_structure_without_a_dtype_has_no_type() -> None:
    with pytest.raises(ValueError, match="unsupported type"):
        D.assert_type(Pair(1, 2), tf.int32)


def test_an_eager_assert_summarises_its_data() -> None:
    with pytest.raises(InvalidArgumentError, match=r"data: b'no'\n1, 2, \.\.\.\n1\.5"):
        D.Assert(False, ["no", T([1, 2, 3]), 1.5], summarize=2)


@tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
def checked(x: Any) -> Any:
    tf.debugging.Assert(tf.reduce_all(x > 0), ["not above 0:", x], summarize=2)
    return x * 2


def test_a_compiled_assert_tells_its_data() -> None:
    assert checked(T([1, 2])).numpy().tolist() == [2, 4]
    with pytest.raises(
        InvalidArgumentError, match=r"assertion failed: \[not above 0:\] \[-1 2...\]"
    ):
        checked(T([-1, 2, 3]))
    assert checked(T([5])).numpy().tolist() == [10]


@tf.function(input_signature=[tf.TensorSpec(None)])
def of_any_rank(x: Any) -> Any:
    tf.debugging.assert_rank(x, 2, message="a matrix, please")
    return x


def test_a_rank_that_is_not_known_is_checked_when_the_program_runs() -> None:
    assert of_any_rank(T([[1.0]])).shape == [1, 1]
    with pytest.raises(InvalidArgumentError, match="a matrix, please"):
        of_any_rank(T([1.0]))


def test_what_is_known_to_fail_fails_while_tracing() -> None:
    with pytest.raises(InvalidArgumentError, match="x == y did not hold"):
        tf.function(lambda: D.assert_equal(T(1), 2)).get_concrete_function()


def test_a_message_shows_the_first_elements_and_what_is_known_of_the_tensor() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"dtype=int32.* = \n0$"):
        tf.debugging.assert_positive(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\n-1, 2, 3, \.\.\.$"):
        tf.debugging.assert_positive([-1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"Tensor shape=\(1,\) dtype=int32 must have rank 2"):
        tf.debugging.assert_rank(tf.constant([1]), 2)


def test_long_operands_of_assertions_are_no_names_of_the_program() -> None:
    @tf.function
    def checked(x: Any) -> Any:
        tf.debugging.assert_positive(x)
        return x[0]

    with pytest.raises(InvalidArgumentError, match=r"0 1 2\.\.\."):
        checked(tf.range(50_000))  # which took half a minute to compile
    assert checked.report().callbacks == ()
