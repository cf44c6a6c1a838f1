"""`tf.register_tensor_conversion_function`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.eager.conversion_functions import registered


class Boxed:
    """Something that is no tensor."""

    def __init__(self, value: Any) -> None:
        self.value = value


def unboxed(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    return tf.constant(value.value, dtype)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    registered.clear()


def test_instances_are_operands_from_then_on() -> None:
    tf.register_tensor_conversion_function(Boxed, unboxed)

    assert 3 == int(tf.convert_to_tensor(Boxed(3)))
    assert 3 == int(tf.function(lambda: tf.convert_to_tensor(Boxed(3), name="three"))())
    assert 4.0 == float(tf.add(1.0, Boxed(3)))
    assert 4 == int(tf.constant(1) + Boxed(3))
    assert [1, 2] == tf.stack([Boxed(1), Boxed(2)]).numpy().tolist()
    assert 4 == int(tf.function(lambda x: x + Boxed(3))(tf.constant(1)))


def test_the_function_of_the_least_priority_is_asked_first_and_may_decline() -> None:
    asked: list[str] = []

    def declining(value: Any, **options: Any) -> Any:
        asked.append("first")
        return NotImplemented

    tf.register_tensor_conversion_function(Boxed, unboxed)
    tf.register_tensor_conversion_function((Boxed, dict), declining, priority=50)

    assert 3 == int(tf.convert_to_tensor(Boxed(3)))
    assert ["first"] == asked


@pytest.mark.parametrize(
    ("returned", "dtype", "told"),
    [(5, None, "returned non-Tensor: 5"), (tf.constant(1.0), tf.int32, "requested = int32")],
    ids=["number", "dtype"],
)
def test_a_function_that_returns_something_else_is_told_of(
    returned: Any, dtype: Any, told: str
) -> None:
    tf.register_tensor_conversion_function(Boxed, lambda value, **options: returned)

    with pytest.raises(RuntimeError, match=told):
        tf.convert_to_tensor(Boxed(1), dtype)


@pytest.mark.parametrize(
    ("base", "function"), [(int, unboxed), (np.ndarray, unboxed), (3, unboxed), (Boxed, 3)]
)
def test_numbers_and_what_is_no_class_are_refused(base: Any, function: Any) -> None:
    with pytest.raises(TypeError):
        tf.register_tensor_conversion_function(base, function)
