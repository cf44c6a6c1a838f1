"""`tf.switch_case` and `tf.case`: one of several functions, by an index or by conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core import context
from ..core.dtypes import bool_, int32
from ..core.process.tracebacks import shallow
from ..core.values import TensorLike
from ..eager.scopes import name_scope
from ..errors import InvalidArgumentError
from ..ops.array.shapes import reshape
from ..ops.conversion import as_tensor
from ..ops.dispatch.meanings import dispatchable
from ..ops.math.cast import cast
from . import matching
from .cond import choose, cond
from .structure import trace

Branch = Callable[[], Any]


@shallow
def switch_case(
    branch_index: Any,
    branch_fns: Mapping[int, Branch] | Sequence[Any],
    default: Branch | None = None,
    name: str = "switch_case",
) -> Any:
    """`branch_fns[branch_index]()`; for any other index `default()`, or the last function.

    `branch_index` is an integer tensor of one element; `branch_fns` is a list of functions, a
    mapping from 0...n-1, or a list of (index, function).

    >>> tf.switch_case(tf.constant(1), [lambda: "low", lambda: "middle", lambda: "high"])
    'middle'

    Raises:
        TypeError: the index is no integer tensor; a branch is not callable; the results of
            branches differ (traced).
        ValueError: there are no branches, or their keys are not 0...n-1.
    """
    branches = _in_order(branch_fns)
    index = _as_index(branch_index)
    if not context.building_graph():
        number = int(index)
        if not 0 <= number < len(branches):
            return (default or branches[-1])()
        return branches[number]()
    if default is not None:
        branches.append(default)
    with name_scope(name):
        return _chosen(index, branches, "indexed_case")


def _chosen(index: Any, branches: Sequence[Branch], name: str) -> Any:
    """The operation of that name in the graph, each of whose branches is a graph."""
    traced = [
        trace(fn, lambda graph: (), f"{name}_branch{k}", name) for k, fn in enumerate(branches)
    ]
    names = [f"branches[{k}]" for k in range(len(branches))]
    matching.check_alike(traced, names, "tf.switch_case", branches)
    return choose(index, traced, name, by_bool=False)


def _as_index(index: Any) -> Any:
    """The index as an int32 scalar; one that does not fit becomes -1, which is no branch."""
    if not isinstance(index, TensorLike):
        raise TypeError(f"branch_index must be a Tensor, got {type(index).__name__}")
    if not index.dtype.is_integer:
        raise TypeError(f"branch_index must be an integer Tensor, got {index.dtype.name}")
    tensor = as_tensor(index)
    if tensor.dtype is not int32:
        from ..ops.array.fill import zeros_like
        from ..ops.array.select import where

        narrow = cast(tensor, int32)
        fits = cast(narrow, tensor.dtype) == tensor
        tensor = where(fits, narrow, zeros_like(narrow) - 1)
    return tensor if tensor.shape.rank == 0 else reshape(tensor, [])


def _in_order(branch_fns: Any) -> list[Branch]:
    """The functions in the order of their indices."""
    if isinstance(branch_fns, Mapping):
        pairs = list(branch_fns.items())
    elif isinstance(branch_fns, (list, tuple)):
        pairs = _pairs(branch_fns)
    else:
        raise TypeError("branch_fns must be a dict, list, or tuple")
    if not pairs:
        raise ValueError("branch_fns must have at least one item.")
    keys = [key for key, _ in pairs]
    for key, fn in pairs:
        if isinstance(key, bool) or not isinstance(key, int):
            raise TypeError(f"branch_fns keys must be Python ints, got {key!r}")
        if not callable(fn):
            raise TypeError(f"the function of branch {key} must be callable.")
    if sorted(keys) != list(range(len(keys))):
        raise ValueError(
            f"branch indices (keys) of branch_fns must form contiguous range of [0 to "
            f"{len(keys)}) but found {{{','.join(map(str, sorted(keys)))}}}"
        )
    return [fn for _, fn in sorted(pairs, key=lambda pair: pair[0])]


def _pairs(branch_fns: Sequence[Any]) -> list[tuple[int, Branch]]:
    if all(callable(one) for one in branch_fns):
        return list(enumerate(branch_fns))
    for one in branch_fns:
        if not isinstance(one, tuple) or len(one) != 2:
            raise TypeError(
                "each item of branch_fns must be a 2-tuple of index and function, if not all are "
                f"functions; got {one!r}"
            )
    return list(branch_fns)


@dispatchable
def case(
    pred_fn_pairs: Sequence[tuple[Any, Branch]],
    default: Branch | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The result of the function beside the first true predicate, else of `default`.

    pred_fn_pairs: scalars of bool, each with a function without arguments. While tracing all
    functions return the same structure of the same dtypes, of any shapes.

    >>> x = tf.constant(5)
    >>> tf.case([(x < 3, lambda: "low"), (x < 7, lambda: "middle")], default=lambda: "high")
    'middle'

    Raises:
        InvalidArgumentError: nothing is true and there is no default; or with `exclusive` two
            predicates are true.
        TypeError: a predicate is no bool tensor, or a function is not callable.
    """
    pairs = _checked_pairs(pred_fn_pairs)
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    predicates = [as_tensor(pred) for pred, _ in pairs]
    functions = [fn for _, fn in pairs]
    if not context.building_graph():
        return _run_first(predicates, functions, default, exclusive, name)
    with name_scope(name):
        return _in_graph(predicates, functions, default, exclusive, name)


def _in_graph(
    predicates: list[Any],
    functions: list[Branch],
    default: Branch | None,
    exclusive: bool,
    name: str,
) -> Any:
    from ..ops.checks.assertions import Assert

    if exclusive:
        Assert(
            _at_most_one(predicates),
            ["case: More than one condition evaluated as True", *predicates],
        )
    if default is None:
        last = functions[-1]
        Assert(_any_of(predicates), [f"{name}: None of conditions evaluated as True", *predicates])
        predicates, functions, default = predicates[:-1], functions[:-1], last
    return _nested(predicates, functions, default)


def _nested(predicates: list[Any], functions: list[Branch], default: Branch) -> Any:
    """Conditions inside the else branches of conditions."""
    if not predicates:
        return default()
    rest = predicates[1:], functions[1:]
    return cond(predicates[0], functions[0], lambda: _nested(*rest, default), name="cond")


def _run_first(
    predicates: list[Any],
    functions: list[Branch],
    default: Branch | None,
    exclusive: bool,
    name: str,
) -> Any:
    true = [number for number, pred in enumerate(predicates) if pred]
    if exclusive and len(true) > 1:
        raise InvalidArgumentError(
            f"{name}: More than one condition evaluated as True but exclusive=True: those "
            f"numbered {true}"
        )
    if true:
        return functions[true[0]]()
    if default is None:
        raise InvalidArgumentError(
            f"{name}: None of conditions evaluated as True, and there is no default"
        )
    return default()


def _checked_pairs(pairs: Any) -> list[tuple[Any, Branch]]:
    if isinstance(pairs, Mapping):
        pairs = [(one, pairs[one]) for one in pairs]
    if not isinstance(pairs, (list, tuple)):
        raise TypeError("pred_fn_pairs must be a list or tuple of pairs of predicate and function")
    if not pairs:
        raise ValueError("pred_fn_pairs must hold at least one pair: nothing to unpack")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple.")
        pred, fn = pair
        if not isinstance(pred, TensorLike) or pred.dtype is not bool_:
            raise TypeError(f"pred must be a Tensor of dtype bool, got {pred!r}")
        if not callable(fn):
            raise TypeError(f"fn for pred {pred!r} must be callable.")
    return list(pairs)


def _any_of(predicates: list[Any]) -> Any:
    from ..ops.array.concatenation import stack
    from ..ops.math.reduce import reduce_any

    return reduce_any(stack(predicates))


def _at_most_one(predicates: list[Any]) -> Any:
    from ..ops.array.concatenation import stack
    from ..ops.math.reduce import reduce_sum

    return reduce_sum(cast(stack(predicates), int32)) < 2
