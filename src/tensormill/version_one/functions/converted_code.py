"""`tf.autograph.to_graph` and `to_code`, with arguments that are no longer needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograph import api as autograph


def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Callable[..., Any]:
    """The converted form of a function, as a function (`tf.autograph.to_graph`).

    `arg_values` and `arg_types` are taken, and not needed.

    >>> tf.compat.v1.autograph.to_graph(lambda x: x + 1)(2)
    3

    Raises:
        ConversionError: `entity` has no code, or its source cannot be read or converted.
    """
    return autograph.to_graph(entity, recursive, experimental_optional_features)


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """The converted form of a function, as text (`tf.autograph.to_code`).

    `arg_values`, `arg_types` and `indentation` are taken, and not needed.

    >>> def absolute(x):
    ...     return -x if x < 0 else x
    >>> "absolute" in tf.compat.v1.autograph.to_code(absolute)
    True

    Raises:
        ConversionError: `entity` has no code, or its source cannot be read or converted.
    """
    return autograph.to_code(entity, recursive, experimental_optional_features)
