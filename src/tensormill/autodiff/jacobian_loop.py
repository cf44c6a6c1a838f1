"""The rows of a jacobian in a graph: a loop around one reverse pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import context, dtypes
from ..core.specs import ListSpec, TensorSpec
from ..graph import ir
from ..graph.builder import FuncGraph, current_graph
from ..ops.array.fill import one_hot
from ..ops.array.shapes import reshape, shape_of, size
from ..ops.bind import bind
from ..ops.lists.list_elements import EmptyTensorList, push_back, shape_operand
from ..ops.lists.whole_lists import stack
from ..ops.math.arithmetic import add
from ..ops.math.comparison import less
from ..ops.math.reduce import reduce_prod
from ..ops.op import REGISTRY
from . import backward
from .accumulate import as_dense
from .functional import apply
from .graphs.computations import Looping
from .recording import Recording

COUNT = TensorSpec((), dtypes.int32)


def looped_rows(
    recording: Recording, target: Any, sources: Sequence[Any], batched: bool
) -> list[Any]:
    """For each source its gradients by one element of the target after the other, stacked."""
    count = reduce_prod(shape_of(target)[1:]) if batched else size(target)
    body = FuncGraph("jacobian", current_graph(), is_part=True)
    with context.interpreting(body):
        place, limit = body.placeholder(COUNT, "place"), body.placeholder(COUNT, "limit")
        found = _row(recording, target, sources, place, limit, batched)
        rows = [body.convert(as_dense(one), None, None) for one in found if one is not None]
        specs = [ListSpec(TensorSpec(row.shape, row.dtype)) for row in rows]
        lists = [body.placeholder(spec, "rows") for spec in specs]
        pushed = [push_back(*pair) for pair in zip(lists, rows, strict=True)]
        later = add(place, np.int32(1))
    loop, captured = _closed(body, [later, limit, *pushed])
    empty = [
        bind(EmptyTensorList, shape_operand(row.shape), -1, element_dtype=row.dtype) for row in rows
    ]
    graph: Any = current_graph()
    start = graph.convert(np.int32(0), None, None)
    results = apply(loop, [start, count, *empty, *captured], "jacobian/while")
    known = (target.shape[1:] if batched else target.shape).num_elements()
    stacked = iter(
        stack(items, row.dtype, shape_operand(row.shape), known)
        for items, row in zip(results[2:], rows, strict=False)
    )
    return [None if one is None else next(stacked) for one in found]


def _row(
    recording: Recording, target: Any, sources: Sequence[Any], place: Any, limit: Any, batched: bool
) -> list[Any]:
    one = np.ones((), target.dtype.storage)
    seed = one_hot(place, limit, one, np.zeros_like(one), dtype=target.dtype)
    if batched:
        seed = reshape(seed, shape_of(target)[1:])
        seed = bind(REGISTRY["BroadcastTo"], seed, shape_of(target))
    else:
        seed = reshape(seed, shape_of(target))
    return backward.gradients(recording, [target], [seed], sources)


def _closed(body: FuncGraph, returned: list[Any]) -> tuple[Looping, list[Any]]:
    """The loop: what the body captured are variables that stay the same."""
    graph = body.finish(returned)
    inputs = (*graph.parameters, *graph.captures)
    closed = ir.Graph(
        graph.name, inputs, (), graph.operations, (*graph.returns, *graph.captures), graph.attrs
    )
    condition = FuncGraph("jacobian_condition")
    with context.interpreting(condition):
        taken = [condition.placeholder(value.spec, "x") for value in inputs]
        more = less(taken[0], taken[1])
    captured = [capture.external for capture in body.passed_captures()]
    return Looping(condition.finish([more]), closed), captured
