"""Where Python wants a tensor's value, the error names expression, variable, and what works."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import tensormill as tf
from tensormill.autograph.api import do_not_convert

Function = Callable[[Any], Any]

# What Python knows the columns of: the string, or its part in braces.
FORMATTED = "{x:.2f}" if sys.version_info >= (3, 12) else 'f"{x:.2f}"'


class Case(NamedTuple):
    wrong: Function
    expression: str  # and what it says of tensors
    advice: str
    right: Function
    expected: Any
    given: Any = 2


def unpacked(x):
    a, b = x
    return a + b


def unstacked(x):
    a, b = tf.unstack(x)
    return a + b


def sized(x):
    n = tf.range(x).shape[0]
    return tf.zeros([n], tf.int32)


def sized_by_tensor(x):
    n = tf.shape(tf.range(x))[0]
    return tf.zeros([n], tf.int32)


def counted(x):
    return sum(range(tf.range(x).shape[0]))  # type: ignore[arg-type]


def counted_by_tensor(x):
    return sum(tf.range(tf.shape(tf.range(x))[0]))


def stepped(x):
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    g = tape.gradient(y, tf.constant(2.0))
    return 0.5 * g


def stepped_at_once(x):
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    return 0.5 * tape.gradient(y, tf.constant(2.0))


def stepped_on_the_tape(x):
    x = tf.cast(x, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return 0.5 * tape.gradient(y, x)


def filled(x):
    array = np.zeros(3)
    array[0] = x
    return array


def scattered(x):
    return tf.tensor_scatter_nd_update([0, 0, 0], [[0]], [x])


def lengthened(x):
    found = ()
    for i in tf.range(x):
        found = (*found, i)
    return found


def appended(x):
    found = []
    for i in tf.range(x):
        found.append(i)
    return found


def matched(x):
    match x:
        case 2:
            return 1
    return 0


def compared(x):
    if x == 2:
        return 1
    return 0


def yielded(x):
    def numbers(y):
        if y > 0:
            yield y

    return sum(numbers(x))


def listed(x):
    def numbers(y):
        if y > 0:
            return [y]
        return [-y]

    return sum(numbers(x))


class Outside:
    def __init__(self, x):
        self.size = x if x > 0 else -x

    @staticmethod
    def of(x):
        return x if x > 0 else -x


CASES = {
    "a constructor": Case(
        lambda x: Outside(x).size,
        "In `x > 0`, `x` is a tensor",
        "Python itself calls __init__, so it runs as written",
        lambda x: Outside.of(x),
        2,
    ),
    "an index": Case(
        lambda x: [abs, tf.square, tf.negative][x](x),
        "In `[abs, tf.square, tf.negative][x]`, `x` is a tensor",
        "tf.switch_case(index, functions)",
        lambda x: tf.switch_case(x, [lambda: x, lambda: tf.square(x), lambda: tf.negative(x)]),
        -2,
    ),
    "a slice": Case(
        lambda x: (7, 8, 9)[x:],
        "In `(7, 8, 9)[x:]`, `x` is a tensor",
        "tf.convert_to_tensor(values)[a:b]",
        lambda x: tf.convert_to_tensor([7, 8, 9])[x:],
        [9],
    ),
    "a key": Case(
        lambda x: {1: 7, 2: 8}[x],
        "In `{1: 7, 2: 8}[x]`, `x` is a tensor",
        "tf.gather",
        lambda x: tf.gather([0, 7, 8], x),
        8,
    ),
    "a member of a set": Case(
        lambda x: x in {1, 2},
        "In `x in {1, 2}`, `x` is a tensor",
        "`x in [1, 2]`",
        lambda x: x in [1, 2],
        True,
    ),
    "a function of Python": Case(
        lambda x: math.sqrt(x),
        "In `math.sqrt(x)`, `x` is a tensor",
        "the function of tf or tf.math",
        lambda x: tf.math.sqrt(float(x) * 2),
        2.0,
    ),
    "a function of NumPy": Case(
        lambda x: np.random.rand(x),
        "In `np.random.rand(x)`, `x` is a tensor",
        "tf.py_function",
        lambda x: tf.py_function(lambda n: np.ones(n), [x], tf.float64),
        [1.0, 1.0],
    ),
    "formatting": Case(
        lambda x: ",".join([x, "b"]),
        "`x` is a tensor",
        "tf.strings.join and tf.strings.as_string",
        lambda x: tf.strings.join([tf.strings.as_string(x), "b"], ","),
        b"2,b",
    ),
    "a value": Case(
        lambda x: x.numpy() + 1,
        "In `x.numpy`, `x` is a tensor",
        "use it as it is",
        lambda x: x + 1,
        3,
    ),
    "another dtype": Case(
        lambda x: x + 0.5,
        "In `x + 0.5`, `x` is a tensor",
        "tf.cast",
        lambda x: tf.cast(x, tf.float32) + 0.5,
        2.5,
    ),
    "a size that is not known": Case(
        sized,
        "`n` is None",
        "tf.shape(x)[0]",
        sized_by_tensor,
        [0, 0],
    ),
    "a count that is not known": Case(
        counted,
        "In `range(tf.range(x).shape[0])`",
        "tf.shape(x)[0]",
        counted_by_tensor,
        1,
    ),
    "a gradient that is None": Case(
        stepped,
        "In `0.5 * g`, `g` is None",
        "where the tape did not record",
        stepped_on_the_tape,
        2.0,
    ),
    "an array of NumPy": Case(
        filled,
        "In `array[0] = x`, `x` is a tensor",
        "tf.tensor_scatter_nd_update",
        scattered,
        [2, 0, 0],
    ),
    "a gradient that has no name": Case(
        stepped_at_once,
        "In `0.5 * tape.gradient(y, tf.constant(2.0))`: a gradient is None",
        "where the tape did not record",
        stepped_on_the_tape,
        2.0,
    ),
    "sizes of NumPy": Case(
        lambda x: np.zeros(x),
        "In `np.zeros(x)`, `x` is a tensor",
        "like tf.zeros",
        lambda x: tf.zeros(x),
        [0, 0],
    ),
    "a path": Case(
        lambda x: os.path.join("a", tf.strings.as_string(x)),  # type: ignore[call-overload]
        'In `os.path.join("a", tf.strings.as_string(x))`, `x` is a tensor',
        "tf.strings.join",
        lambda x: tf.strings.join(["a/", tf.strings.as_string(x)]),
        b"a/2",
    ),
    "digits": Case(
        lambda x: f"{x:.2f}",
        f"In `{FORMATTED}`, `x` is a tensor",
        "tf.strings.as_string(x, precision=2)",
        lambda x: tf.strings.as_string(tf.cast(x, tf.float32), precision=2),
        b"2.00",
    ),
    "a tuple that grows": Case(
        lengthened,
        "'found' does not have the same nested structure",
        "start with a list and append",
        appended,
        [0, 1],
    ),
    "unpacking": Case(
        unpacked,
        "In `a, b = x`, `x` is a tensor",
        "a, b = tf.unstack(x)",
        unstacked,
        5,
        [2, 3],
    ),
    "a match": Case(
        matched,
        "In `case 2:`",
        "`if x == …:`",
        compared,
        1,
    ),
    "a generator": Case(
        yielded,
        "In `y > 0`, `y` is a tensor",
        "return a list instead of `yield`",
        listed,
        2,
    ),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", CASES)
def test_the_error_names_the_expression_and_a_way_that_works(name: str) -> None:
    case = CASES[name]
    given = tf.constant(case.given)

    with pytest.raises((TypeError, AttributeError, ValueError)) as caught:
        tf.function(case.wrong)(given)

    text = str(caught.value)
    assert case.expression in text
    assert case.advice in text
    assert "autograph=True" not in text
    assert np.array(tf.function(case.right)(given)).tolist() == case.expected


def test_code_that_runs_as_written_is_told_to_be_converted() -> None:
    @do_not_convert
    def written(x):
        return x if x > 0 else -x

    with pytest.raises(TypeError, match=r"autograph=True"):
        tf.function(lambda x: written(x))(tf.constant(1))


def test_other_errors_are_left_alone() -> None:
    def f(x):
        return x + len(3)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match=r"object of type 'int' has no len\(\)\n$"):
        tf.function(f)(tf.constant(1))
