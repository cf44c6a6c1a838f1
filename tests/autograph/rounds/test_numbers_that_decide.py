"""What a number decides that only calls in a loop change: converted code goes by the graph's count
where tensors can, and else by Python's, which is that of the one trace, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf


class CountingModel:
    """An object whose method counts, with layers to choose from."""

    def __init__(self, calls: Any = 0) -> None:
        self.calls = calls
        self.weight: Any = None
        self.layers: list[Any] = [lambda x: x + 1.0, lambda x: x * 2.0]

    def count(self) -> None:
        self.calls += 1


def summed(counter: CountingModel, use: Callable[..., Any]) -> Any:
    """A function that sums `use(counter, x)` in a loop whose calls count."""

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            counter.count()
            total += use(counter, x)
        return total

    return f


XS = [1.0, 2.0, 3.0]


def expected(use: Callable[..., Any], counts: list[int]) -> float:
    """What Python makes of it where the counts are these."""
    pairs = zip(XS, counts, strict=True)
    return sum(float(use(CountingModel(count), tf.constant(x))) for x, count in pairs)


def with_first(counter: Any, x: Any) -> Any:
    if counter.calls == 1:
        counter.weight = tf.constant(2.0)
    return counter.weight * x


def with_none(counter: Any, x: Any) -> Any:
    other = None if counter.calls > 3 else x
    return x if other is None else other * 2


def with_text(counter: Any, x: Any) -> Any:
    return x * len("more" if counter.calls > 3 else [1, 2])


def with_range(counter: Any, x: Any) -> Any:
    for k in range(counter.calls):
        x = counter.layers[k](x)
    return x


def with_while(counter: Any, x: Any) -> Any:
    k = counter.calls
    while k < 3:
        x, k = counter.layers[k % 2](x), k + 1
    return x


def with_key(counter: Any, x: Any) -> Any:
    return {1: 2.0, 2: 3.0}[counter.calls] * x


def with_modulus(counter: Any, x: Any) -> Any:
    return counter.layers[pow(counter.calls, 2, 2)](x)


@pytest.mark.parametrize(
    ("use", "first"),
    [
        (with_first, 2.0),
        (with_none, 2.0),
        (with_text, 2.0),
        (with_range, 2.0),
        (with_while, 3.0),
        (with_key, 2.0),
        (with_modulus, 2.0),
    ],
)
def test_converted_code_that_no_tensor_can_decide_goes_by_pythons_number(
    use: Callable[..., Any], first: float
) -> None:
    """As in TensorFlow, the number is that of the one trace: each item has the same layers."""
    assert first == float(use(CountingModel(1), tf.constant(1.0)))
    counter = CountingModel()
    assert expected(use, [1, 1, 1]) == summed(counter, use)(tf.constant(XS)).numpy()
    assert counter.calls == 1


class CountedFromClass:
    """Its number is that of the class until it counts."""

    calls = 0

    def count(self) -> None:
        self.calls += 1


def test_a_number_that_begins_as_one_of_the_class_is_the_objects() -> None:
    """The list costs a round more: the number must not go on counting from one to the next."""
    counter = CountedFromClass()

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            counter.count()
            rows = []
            for _ in tf.range(2):
                rows.append(x)
            total += rows[0] * tf.cast(counter.calls, tf.float32)
        return total, counter.calls

    assert [14.0, 3] == [one.numpy() for one in f(tf.constant([1.0, 2.0, 3.0]))]
    assert CountedFromClass.calls == 0


def chosen_by_value(counter: Any, x: Any) -> Any:
    return counter.layers[0 if counter.calls < 2 else 1](x)


def chosen_by_statement(counter: Any, x: Any) -> Any:
    k = 0
    if counter.calls > 1:
        k = 1
    return counter.layers[k](x)


def chosen_by_method(counter: Any, x: Any) -> Any:
    def kind() -> int:
        if counter.calls > 1:
            return 1
        return 0

    return counter.layers[kind()](x)


def with_slice(counter: Any, x: Any) -> Any:
    return sum(layer(x) for layer in counter.layers[: counter.calls])


def with_break(counter: Any, x: Any) -> Any:
    k = 0
    for k in range(4):
        if k == counter.calls:
            break
    return counter.layers[k](x)


def with_rows(counter: Any, x: Any) -> Any:
    return x * len([x for k in range(3) if k < counter.calls])


def with_large_numbers(counter: Any, x: Any) -> Any:
    return x * float(counter.calls * 10**10 % 7)


def with_or(counter: Any, x: Any) -> Any:
    return x * ((counter.calls > 2 and 5) or counter.calls or 1)


def with_words(counter: Any, x: Any) -> Any:
    return x * float(counter.calls in ("a", "b", 1))


def with_a_signature(counter: Any, x: Any) -> Any:
    @tf.function(input_signature=[tf.TensorSpec([]), tf.TensorSpec([], tf.int64)])
    def scaled(x, by):
        return x * tf.cast(by, tf.float32)

    return scaled(x, counter.calls)


@pytest.mark.parametrize(
    "use",
    [
        chosen_by_value, chosen_by_statement, chosen_by_method, with_slice, with_break, with_rows,
        with_large_numbers, with_or, with_words, with_a_signature,
    ],
)  # fmt: skip
@pytest.mark.parametrize("start", [0, np.int64(0)], ids=["int", "int64"])
def test_what_the_number_decides_is_as_python_or_as_tensorflow_has_it(
    use: Callable[..., Any], start: Any
) -> None:
    """The graph's count in each iteration, or that of the one trace, as in TensorFlow."""
    allowed = [expected(use, [1, 1, 1])]
    if use not in (with_break, with_slice):
        allowed.append(expected(use, [1, 2, 3]))
    assert summed(CountingModel(start), use)(tf.constant(XS)).numpy() in allowed


def test_a_float_of_python_has_all_its_digits() -> None:
    counter: Any = CountedFromClass()
    seen: list[str] = []
    counter.calls = 0.0

    def grow() -> None:
        counter.calls += 0.1

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            grow()
            total += x * {0.1: 3.0}[counter.calls]
            seen.append(f"{counter.calls * 3}")
        return total

    assert f(tf.constant([1.0, 2.0])).numpy() == 9
    assert {"0.30000000000000004"} == {*seen}
