"""Functions whose traces are counted."""

from __future__ import annotations

from typing import Any

from tests.behaviours.library import tf


def counted(body: Any = lambda x: tf.constant(0), **options: Any) -> Any:
    """A function that is traced without AutoGraph."""
    return tf.function(body, autograph=False, **options)


def traces(*values: Any) -> int:
    """How many traces a function of one argument needs for these values, one after the other."""
    f = counted()
    for value in values:
        f(value)
    return f.experimental_get_tracing_count()
