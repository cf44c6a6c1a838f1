"""`tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from ..core.process.tracebacks import hide_frames
from .function import Function


@overload
def function(
    func: Callable[..., Any],
    input_signature: Any = ...,
    autograph: bool = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    experimental_implements: str | None = ...,
    experimental_autograph_options: Any = ...,
    experimental_attributes: Any = ...,
    experimental_relax_shapes: bool | None = ...,
    experimental_compile: bool | None = ...,
    experimental_follow_type_hints: bool | None = ...,
) -> Function: ...
@overload
def function(
    *,
    input_signature: Any = ...,
    autograph: bool = ...,
    jit_compile: bool | None = ...,
    reduce_retracing: bool = ...,
    experimental_implements: str | None = ...,
    experimental_autograph_options: Any = ...,
    experimental_attributes: Any = ...,
    experimental_relax_shapes: bool | None = ...,
    experimental_compile: bool | None = ...,
    experimental_follow_type_hints: bool | None = ...,
) -> Callable[[Callable[..., Any]], Function]: ...
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Function | Callable[[Callable[..., Any]], Function]:
    """Compile a Python function: its calls run as one piece of machine code.

    The body runs once (is *traced*) for each combination of tensors' dtypes and shapes and of
    other arguments' values; later calls of that kind run what was compiled. Decorates with or
    without parentheses.

    >>> @tf.function
    ... def scaled(x, factor):
    ...     print("traced")
    ...     return x * factor
    >>> int(scaled(tf.constant(2), 10)), int(scaled(tf.constant(3), 10))
    traced
    (20, 30)

    Args:
        func: the function.
        input_signature: a tuple of (nests of) TensorSpecs; then there is one trace, and arguments
            are converted to it.
        autograph: convert `if`, `while`, `for` on tensors to operations.
        jit_compile: ask for compilation and for an error where it is impossible; all functions
            are compiled where it is possible.
        reduce_retracing: a new shape of an argument makes a trace for all sizes of the dimension
            that changed.
        experimental_implements: a name that is written into saved functions.
        experimental_autograph_options: `tf.autograph.experimental.Feature`s.
        experimental_attributes: further attributes. Of functions with the same `api_implements`,
            graphs call the one whose `api_preferred_device` is "CPU" and which `add_to_graph` of
            its trace has offered, as in TensorFlow.
        experimental_relax_shapes: an older name of `reduce_retracing`.
        experimental_compile: an older name of `jit_compile`.
        experimental_follow_type_hints: accepted, without effect.

    Raises:
        TypeError: `func` is not callable, or `input_signature` does not fit it.
    """

    def decorate(decorated: Callable[..., Any]) -> Function:
        if not callable(decorated):
            raise TypeError(f"{decorated!r} is not a callable object")
        try:
            return Function(
                decorated,
                None,
                input_signature,
                autograph,
                experimental_compile if jit_compile is None else jit_compile,
                bool(reduce_retracing or experimental_relax_shapes),
                experimental_implements,
                experimental_autograph_options,
                experimental_attributes,
            )
        except TypeError as error:
            hide_frames(error)
            raise

    return decorate if func is None else decorate(func)


def run_functions_eagerly(run_eagerly: bool | None) -> None:
    """From now on, run the bodies of functions as plain Python (for debugging), or stop it.

    >>> tf.config.run_functions_eagerly(True)
    >>> tf.function(lambda: tf.executing_eagerly())()
    True
    >>> tf.config.run_functions_eagerly(False)
    """
    from ..config import settings

    settings.run_functions_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether `run_functions_eagerly(True)` is in force.

    >>> tf.config.functions_run_eagerly()
    False
    """
    from ..config import settings

    return settings.run_functions_eagerly
