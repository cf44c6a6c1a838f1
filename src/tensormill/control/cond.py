"""`tf.cond`: one of two functions, chosen by a scalar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..autodiff.functional import apply
from ..autodiff.graphs.computations import Choosing
from ..core import context
from ..core.dtypes import bool_
from ..core.values import TensorLike
from ..errors import DTypeMismatchError, ShapeMismatchError
from ..graph.builder import share_operands
from ..ops.array.shapes import reshape
from ..ops.control.flow import identity
from ..ops.conversion import as_tensor
from ..ops.dispatch.meanings import dispatchable
from . import matching
from .structure import TracedBranch, graph_here, pack, trace, with_common_indices


@dispatchable
def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """`true_fn()` if `pred`, a bool scalar, is true, else `false_fn()`.

    Eagerly only the chosen function is called, and its result returned as it is. While tracing
    both are traced, and which one runs is decided when the graph runs; both must then return the
    same structure of the same dtypes. Shapes may differ: what is common is known of the result.

    >>> x = tf.constant(2)
    >>> int(tf.cond(x > 1, lambda: x * 10, lambda: x))
    20

    Raises:
        TypeError: a function is missing or not callable; the results differ (traced); `pred` is a
            Python bool or not of dtype bool (traced).
        ValueError: `pred` cannot become a tensor; one branch returns None where the other returns a
            tensor (traced).
    """
    true_fn = _checked("true_fn", true_fn)
    false_fn = _checked("false_fn", false_fn)
    if not context.building_graph():
        return true_fn() if _truth(pred) else false_fn()
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    predicate = as_predicate(pred, "tf.cond")
    scope = name or "cond"
    traced = with_common_indices(
        [
            trace(true_fn, _nothing, f"{scope}_true", scope),
            trace(false_fn, _nothing, f"{scope}_false", scope),
        ]
    )
    matching.check_alike(traced, ("true_fn", "false_fn"), "tf.cond", (true_fn, false_fn))
    return choose(predicate, traced, scope, by_bool=True)


def _nothing(graph: Any) -> tuple[()]:
    return ()


def _checked(role: str, function: Any) -> Callable[[], Any]:
    if function is None:
        raise TypeError(f"cond(): '{role}' argument required")
    if not callable(function):
        raise TypeError(f"'{role}' must be callable.")
    return function


def _truth(pred: Any) -> Any:
    """What Python may ask for its truth: a list's is its element's, a function has none."""
    has_own = isinstance(pred, (bool, int, float, str, np.generic, np.ndarray, TensorLike))
    return pred if has_own else as_tensor(pred)


def as_predicate(pred: Any, what: str) -> Any:
    """`pred` as a scalar bool tensor; a tensor of one element will do.

    Raises:
        DTypeMismatchError (a TypeError): it is not of dtype bool.
        ShapeMismatchError (a ValueError): it has more than one element.
    """
    tensor = as_tensor(pred)
    if tensor.dtype is not bool_:
        raise DTypeMismatchError(
            f"{what}: the predicate has dtype {tensor.dtype.name}, expected bool: write x != 0, "
            "or tf.cast(x, tf.bool)"
        )
    if tensor.shape.rank == 0:
        return tensor
    if tensor.shape.num_elements() not in (1, None):
        raise ShapeMismatchError(
            f"{what}: the predicate must be a scalar, but its shape is {tensor.shape}; use "
            "tf.reduce_any or tf.reduce_all"
        )
    return reshape(tensor, [])


def choose(selector: Any, traced: list[TracedBranch], name: str, by_bool: bool) -> Any:
    """The results of the branch that `selector` chooses, structured as the first one's."""
    if selector.shape.rank is None:  # what a Python function returned
        selector = reshape(selector, [])
    graph = graph_here()
    branches, operands = share_operands([one.trace for one in traced])
    taken = [graph.convert(one, None, None) for one in (selector, *operands)]
    results = apply(Choosing(tuple(branches), by_bool), taken, name)
    named = [identity(result, f"{result.op.name}/Identity/") for result in results]
    return pack(matching.common_structure(traced), named)
