"""`tf.xla.experimental`: older ways to ask for compiled code."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

from ..core.context import building_graph
from ..core.process.with_blocks import block
from ..core.tree import flatten, is_nested
from ..core.values import TensorLike
from .decorator import function


def compile(computation: Callable[..., Any], inputs: Sequence[Any] | None = None) -> Any:
    """What `computation(*inputs)` returns, by compiled code: a list of tensors for one tensor or a
    flat sequence, what has another structure as it is, None for None.

    `tf.function` does the same, once for many calls.

    >>> tf.xla.experimental.compile(lambda x, y: x + y, [1., 2.])[0].numpy()
    np.float32(3.0)

    Raises:
        TypeError: `inputs` is no list.
        ValueError: one of several values is None.
    """
    if inputs is not None and not isinstance(inputs, (list, tuple)):
        raise TypeError(f"inputs must be a list or a tuple, got {inputs!r}")
    found: Any = function(computation, jit_compile=True)(*(inputs or ()))
    if found is None or isinstance(found, TensorLike):
        return found if found is None else [found]
    if any(leaf is None for leaf in flatten(found)):
        raise ValueError(
            "XLA computation function return values must all be convertible to Tensors, got "
            f"{found!r}: None values are not supported"
        )
    return list(found) if _is_flat(found) else found


def _is_flat(found: Any) -> bool:
    elements: list[Any] = (
        [*cast(Sequence[Any], found)] if isinstance(found, (list, tuple)) else [[]]
    )
    return not any(is_nested(one) for one in elements)


@block
def jit_scope(
    compile_ops: bool | Callable[[Any], bool] = True, separate_compiled_gradients: bool = False
) -> Generator[None]:
    """Ask for compiled code of what is traced within: that of a `tf.function` always is.

    >>> @tf.function
    ... def increased(x):
    ...     with tf.xla.experimental.jit_scope():
    ...         return x + 1
    >>> increased(tf.constant(1)).numpy()
    np.int32(2)

    Raises:
        RuntimeError: operations run eagerly here.
    """
    if not building_graph():
        raise RuntimeError(
            "xla.experimental.jit_scope is not supported when eager execution is enabled. Try use "
            "it inside tf.function."
        )
    yield
