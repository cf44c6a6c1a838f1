"""Functions of TensorFlow's private modules that clients call (`private_names.py` says where)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...control.cond import cond
from ...control.vectorize import vectorized_map
from ...core.shapes import TensorShape
from ...core.tree import map_structure
from ...eager.convert import convert_to_tensor, get_static_value
from ...eager.variable import Variable
from ...graph.func_graph import FuncGraph
from ...ops.array.fill import range as numbers_from
from ...ops.conversion import static_value


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    name: str | None = None,
) -> Any:
    """`tf.cond`, but where `pred` is known now only that function is called."""
    known = pred if isinstance(pred, (bool, int)) else static_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name)
    return true_fn() if known else false_fn()


def maybe_merge_call(fn: Callable[..., Any], strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """`fn(strategy, *args, **kwargs)`: there is one replica, so nothing is merged."""
    return fn(strategy, *args, **kwargs)


def strategy_supports_no_merge_call() -> bool:
    return True


def unwrap(maybe_decorated: Any) -> tuple[list[Any], Any]:
    """The decorators around a function, outermost first, and the function."""
    decorators: list[Any] = []
    target = maybe_decorated
    while (inner := getattr(target, "python_function", None)) is not None:
        decorators.append(target)
        target = inner
    return decorators, target


def enabled() -> bool:
    """Whether this is TensorFlow 2."""
    return True


def convert_variables_to_tensors(values: Any) -> Any:
    """A structure with the values of its variables in place of them."""
    return map_structure(
        lambda one: convert_to_tensor(one) if isinstance(one, Variable) else one, values
    )


def constant_value_as_shape(tensor: Any) -> TensorShape:
    """The shape that a vector of sizes tells, as far as it is known; -1 is unknown."""
    sizes = get_static_value(tensor, partial=True)
    if sizes is None:
        return TensorShape(None if tensor.shape[0] is None else [None] * tensor.shape[0])
    return TensorShape([None if size is None or size < 0 else int(size) for size in sizes])


def pfor(
    loop_fn: Callable[[Any], Any],
    iters: Any,
    fallback_to_while_loop: bool = True,
    parallel_iterations: int | None = None,
    warn: bool = False,
) -> Any:
    """What `loop_fn` gives for 0, 1, ... iters - 1, stacked."""
    return vectorized_map(loop_fn, numbers_from(iters), fallback_to_while_loop)


# Branches and loops are operations with functions in them, never switches and merges.
STAGES_CONTROL_FLOW = True


def stages_control_flow(graph: Any) -> bool:
    return STAGES_CONTROL_FLOW


def is_in_xla_context(graph: Any) -> bool:
    """Whether a graph is part of one of XLA's: none is."""
    return False


def make_composite_tensor(cls: Any, module_name: str = "tf.linalg") -> Any:
    """A kind of operator that may be an argument of functions: all that name their tensors are."""
    return cls


def graph_mode() -> Any:
    """Make operations part of a new graph within, rather than running them."""
    return FuncGraph("graph").as_default()
