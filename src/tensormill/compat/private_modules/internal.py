"""Functions of TensorFlow's private modules that clients call (`private_names.py` says where)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from ...control.cond import cond
from ...control.vectorize import vectorized_map
from ...core.dtypes import as_dtype
from ...core.shapes import TensorShape
from ...core.tree import Composite, map_structure
from ...core.values import is_tensor
from ...distribution.current import get_strategy, one_of_several_replicas
from ...eager.convert import convert_to_tensor, get_static_value
from ...eager.scopes import control_dependencies, executing_eagerly
from ...eager.variable import Variable
from ...graph.func_graph import FuncGraph
from ...ops.array.broadcasting import broadcast_to
from ...ops.array.fill import range as numbers_from
from ...ops.array.shapes import rank as rank_of
from ...ops.array.shapes import shape as sizes_of
from ...ops.checks.assertions import Assert, assert_equal
from ...ops.control.flow import identity, no_op
from ...ops.conversion import static_value
from ...ops.math.cast import cast
from ...ops.math.comparison import equal, logical_or
from ...ops.math.reduce import reduce_all


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


def known_value(pred: Any) -> Any:
    """A condition as a bool where it is known now, else None.

    Raises:
        TypeError: this is neither a bool, 0 or 1, nor a tensor.
    """
    if isinstance(pred, bool) or (isinstance(pred, int) and pred in (0, 1)):
        return bool(pred)
    if not is_tensor(pred):
        raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found: {pred!r}")
    return get_static_value(pred)


def maybe_merge_call(fn: Callable[..., Any], strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """`fn(strategy, *args, **kwargs)`, called once for all replicas."""
    replica = one_of_several_replicas()
    if replica is None:
        return fn(strategy, *args, **kwargs)
    return replica.merge_call(fn, args, kwargs)


def strategy_supports_no_merge_call() -> bool:
    """Whether replicas exchange what they have without meeting: only where there is one."""
    return get_strategy().num_replicas_in_sync == 1


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


def get_enclosing_xla_context() -> None:
    """The context of XLA's that operations are made in: none."""


def make_composite_tensor(cls: Any, module_name: str = "tf.linalg") -> Any:
    """A kind of operator that may be an argument of functions: all that name their tensors are."""
    return cls


def graph_mode() -> Any:
    """Make operations part of a new graph, built by hand, within; rather than running them."""
    return FuncGraph().as_default()


def nothing_changes() -> AbstractContextManager[None]:
    """A scope within which all is as it was: there is one replica, on one device."""
    return nullcontext()


def load_context(options: Any) -> AbstractContextManager[None]:
    """A scope in which files are read. Options say where: on one device there is no choice."""
    return nullcontext()


def execute_fn_for_device(
    device_branch_fns: Mapping[str, Callable[[], Any]],
    default_fn: Callable[[], Any],
    name: str = "execute_fn",
) -> Any:
    """What the function for the CPU gives, or without one the default."""
    return device_branch_fns.get("CPU", default_fn)()


def is_resource_variable(var: Any) -> bool:
    """Whether it is a variable: all are behind handles."""
    return isinstance(var, Variable)


def assert_broadcastable(weights: Any, values: Any) -> Any:
    """Refuse weights that are neither a scalar nor of as many axes as `values`, each of size 1 or
    of theirs: now, or where shapes are unknown when the graph runs.

    Raises:
        ValueError: the shapes do not go together.
        InvalidArgumentError: so it is when the graph runs.
    """
    weights, values = convert_to_tensor(weights), convert_to_tensor(values)
    _require_broadcastable(weights, values)
    sizes, wanted = sizes_of(weights), sizes_of(values)
    if executing_eagerly() or (
        weights.shape.is_fully_defined() and values.shape.is_fully_defined()
    ):
        return no_op("static_checks_determined_all_ok")
    fits = cond(
        equal(rank_of(weights), rank_of(values)),
        lambda: reduce_all(logical_or(equal(sizes, 1), equal(sizes, wanted))),
        lambda: equal(rank_of(weights), 0),
    )
    return Assert(
        fits, ["weights can not be broadcast to values.", "values.shape=", wanted,
               "weights.shape=", sizes],
    )  # fmt: skip


def broadcast_weights(weights: Any, values: Any) -> Any:
    """Weights in the shape of `values`: a scalar, or of as many axes, each of size 1 or that one.

    Raises:
        ValueError: the shapes do not go together.
    """
    weights, values = convert_to_tensor(weights), convert_to_tensor(values)
    if weights.shape.is_fully_defined() and weights.shape == values.shape:
        return weights
    _require_broadcastable(weights, values)
    return broadcast_to(weights, sizes_of(values))


def _require_broadcastable(weights: Any, values: Any) -> None:
    """Refuse what is known now not to go together."""
    rank, wanted = weights.shape.rank, values.shape.rank
    if rank is not None and wanted is not None and rank not in (0, wanted):
        raise ValueError(
            f"weights can not be broadcast to values: they have rank {rank}, and are to have 0, "
            f"or that of the values, {wanted}"
        )
    if rank:
        pairs = zip(weights.shape.as_list(), values.shape.as_list(), strict=True)
        for axis, (size, other) in enumerate(pairs):
            if size not in (None, 1) and other is not None and size != other:
                raise ValueError(
                    f"weights can not be broadcast to values: axis {axis} has size {size}, and is "
                    f"to have 1, or that of the values, {other}"
                )


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Let a variable follow a value: `variable * decay + value * (1 - decay)`.

    Raises:
        NotImplementedError: zero_debias: it keeps two variables beside each one, in a graph of
            TensorFlow 1.
    """
    if zero_debias:
        raise NotImplementedError(
            "assign_moving_average(zero_debias=True) is not here: what it divides by are variables "
            "of TensorFlow 1; use tf.train.ExponentialMovingAverage, or zero_debias=False"
        )
    rest = 1 - cast(convert_to_tensor(decay), variable.dtype)
    return variable.assign_sub((variable - cast(value, variable.dtype)) * rest)


def assert_splits_match(nested_splits_lists: Sequence[Sequence[Any]]) -> list[Any]:
    """Checks that rows are as long in all of several nests of row splits.

    Raises:
        ValueError: they are of different depths.
    """
    first, *others = nested_splits_lists
    if any(len(other) != len(first) for other in others):
        raise ValueError("Inputs must have identical ragged splits: they are of different depths")
    message = "Inputs must have identical ragged splits"
    pairs = [pair for other in others for pair in zip(first, other, strict=True)]
    return [assert_equal(one, other, message) for one, other in pairs]


class NullContextmanager(AbstractContextManager[None]):
    """A scope within which nothing changes, whatever it is told."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __exit__(self, *args: object) -> None:
        return None


def convert_to_tensor_or_composite(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`tf.convert_to_tensor`, of a composite itself.

    Raises:
        ValueError: a composite is of another dtype.
    """
    if not isinstance(value, Composite):
        return convert_to_tensor(value, dtype, name=name)
    own: Any = getattr(value, "dtype", None)
    if dtype is not None and not as_dtype(dtype).is_compatible_with(own):
        raise ValueError(
            f"Tensor conversion requested dtype {as_dtype(dtype).name}, and {value!r} is of "
            f"{own}: use tf.cast"
        )
    return value


def name_from_scope_name(name: str) -> str:
    """The name of what made a scope: without the slash at its end."""
    return name.removesuffix("/")


_numbers = itertools.count()


def uid() -> int:
    """A number that no other call gives."""
    return next(_numbers)


def case_helper(
    cond_fn: Callable[..., Any],
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None,
    exclusive: bool,
    name: str | None,
    allow_python_preds: bool = False,
    **cond_kwargs: Any,
) -> Any:
    """What the first function gives whose predicate is true: by a client's own `tf.cond`."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, Mapping) else pred_fn_pairs)
    chosen: Callable[[], Any] = pairs.pop()[1] if default is None else default
    for pred, function in reversed(pairs):
        chosen = partial(cond_fn, pred, true_fn=function, false_fn=chosen, **cond_kwargs)
    return chosen()


def with_dependencies(dependencies: Any, output_tensor: Any, name: str | None = None) -> Any:
    """The tensor, after the operations."""
    with control_dependencies(dependencies):
        return identity(output_tensor, name=name)
