"""Lists of a graph that stand for Python lists: what they can, and what they say they cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def traced(use: Any, *arguments: Any) -> Any:
    """The result of `use(list of the arguments' rows, …)` in a compiled function."""

    @tf.function
    def f(xs: Any, *rest: Any) -> Any:
        values = []
        for x in xs:
            values.append(x)
        return use(values, *rest)

    result = f(*map(tf.constant, arguments))
    return tf.nest.map_structure(lambda one: one.numpy().tolist(), result)


XS = [1, 2, 3]


def test_items_are_read_and_written_from_both_ends() -> None:
    def use(values: Any, k: Any) -> Any:
        values[-1] = values[0] + 10
        values[k] = 7
        return values, values[k], values[-k]

    assert ([1, 7, 11], 7, 11) == traced(use, XS, 1)


def test_slices_are_lists_of_their_own() -> None:
    def use(values: Any) -> Any:
        rest = values[1:]
        rest.append(4)
        return values, rest, values[::-1]

    assert ([1, 2, 3], [2, 3, 4], [3, 2, 1]) == traced(use, XS)


def test_an_empty_list_is_stacked_too() -> None:
    def use(values: Any) -> Any:
        values.clear()
        return len(values), tf.stack(values), values

    assert (0, [], []) == traced(use, XS)


def test_the_last_element_is_popped() -> None:
    assert (3, [1, 2]) == traced(lambda values: (values.pop(), values), XS)


def test_two_lists_are_joined() -> None:
    def use(values: Any) -> Any:
        both = values + [10]  # noqa: RUF005
        both.extend(values.copy())
        return both, values

    assert ([1, 2, 3, 10, 1, 2, 3], [1, 2, 3]) == traced(use, XS)


def test_rows_are_joined_along_any_axis() -> None:
    def use(rows: Any) -> Any:
        pairs = tf.concat(rows, axis=0), tf.concat(rows, axis=1), tf.stack(rows, axis=-1)
        return *pairs, tf.add_n(rows)

    rows = [[[1, 2]], [[3, 4]]]
    expected = [[1, 2], [3, 4]], [[1, 2, 3, 4]], [[[1, 3], [2, 4]]], [[4, 6]]
    assert expected == traced(use, rows)


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda values: values.sort(key=lambda x: tf.stack([x, x])), ValueError, "a scalar"),
        (lambda values: [values.__delitem__(slice(0, 2, 2))], ValueError, "without steps"),
        (lambda values: max(*values), TypeError, "`for` statement"),
        (lambda values: values.unknown, AttributeError, "no attribute 'unknown'"),
        (lambda values: values.__bool__(), TypeError, r"len\(the list\) > 0"),
        (lambda values: values.__contains__(1), TypeError, r"tf\.reduce_any"),
        (lambda values: dict.fromkeys(values), TypeError, "`for` statement"),
        (lambda values: values.append("text"), TypeError, "have to be alike"),
        (lambda values: values.append((1, 2)), TypeError, "have to be alike"),
    ],
)
def test_what_it_cannot_do_is_said(use: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        traced(use, XS)


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda values, k: values[k], IndexError),
        (lambda values, k: values.pop(k), IndexError),
        (lambda values, k: values.index(k), ValueError),
        (lambda values, k: values.remove(k + 1), ValueError),
        (lambda values, k: max(values[k:]), ValueError),
    ],
)
def test_what_is_not_there_fails_when_the_graph_runs(use: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        traced(use, XS, 7)


def test_an_empty_list_is_equal_to_an_empty_one_only() -> None:
    assert (False, True) == traced(lambda values: (values == [], values[:0] == []), XS)


def test_slices_are_replaced_up_to_their_ends() -> None:
    def use(values: Any) -> Any:
        first, second, third = values[:], values[:], values[:]
        first[1:] = [7]
        second[:1] = [7, 8]
        third[1:2] = []
        return first, second, third

    assert ([1, 7], [7, 8, 2, 3], [1, 3]) == traced(use, XS)


def test_python_numbers_become_what_the_list_holds_and_arrays_stay_themselves() -> None:
    def use(values: Any) -> Any:
        values.append(2)
        values.append([3][0])
        return values

    assert [0.5, 2.0, 3.0] == traced(use, [0.5])
    with pytest.raises((TypeError, ValueError), match=r"int64|float32"):
        traced(lambda values: values.append(np.int64(2)), [0.5])


def test_items_are_stored_beside_names() -> None:
    def use(values: Any, k: Any) -> Any:
        first, values[k] = 5, 7
        values[0], values[-1] = values[-1], values[0]
        return first, values

    assert (5, [3, 7, 1]) == traced(use, XS, 1)
