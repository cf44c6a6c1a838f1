"""When a function is traced anew: statements F1 to F31."""

from __future__ import annotations

from typing import Any

from tests.behaviours.library import behaviour, differs, tf


def counted(body: Any = lambda x: x, **options: Any) -> Any:
    return tf.function(body, **options)


@behaviour("F1")
def test_the_key_is_dtype_and_shape_never_the_value():
    f = counted()
    for value in (1, 2, [1], [1, 2], [[1]], 1.0):
        f(tf.constant(value))
    f(tf.constant(1, tf.int64))

    assert f.experimental_get_tracing_count() == 6


@behaviour("F4")
@differs
def test_python_numbers_of_different_types_have_traces_of_their_own():
    f = counted()

    results = [f(1.0), f(1), f(True)]

    assert [one.dtype for one in results] == [tf.float32, tf.int32, tf.bool]
