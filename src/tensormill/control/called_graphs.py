"""Loops over calls of one graph, as operations that files have."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core import dtypes
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec, ValueSpec
from ..errors import ShapeMismatchError
from ..ops.bind import bind
from ..ops.checks.assertions import Assert
from ..ops.control.flow import ensure_shape
from ..ops.control.functional import (
    GivenGraphs,
    PartitionedCall,
    StatefulPartitionedCall,
    has_effects,
)
from ..ops.demands import UNKNOWN, refuse
from ..ops.math.cast import cast
from ..ops.math.comparison import LogicalAnd, LogicalOr, equal
from ..ops.op import Attr, In, Out
from .map import map_fn
from .while_loop import while_loop

Found = Callable[[Any, Sequence[ValueSpec] | None], Any]


NO_ROWS = "{}: All inputs must have at least rank 1, got the shapes {}"
OTHER_COUNT = "{}: All inputs must have the same dimension 0, got {} and {}"


def called(graph: Any, operands: Sequence[Any]) -> list[Any]:
    """The results of a graph."""
    op = StatefulPartitionedCall if has_effects([graph]) else PartitionedCall
    return list(bind(op, list(operands), f=graph))


class CountedCalls(GivenGraphs, tf_name="For"):
    """`input = body(i, *input)` for i = start, start + delta, … before limit."""

    start = In("i32")
    limit = In("i32")
    delta = In("i32")
    input = In("[T]")
    output = Out("[T]")
    body = Attr()
    graph_attrs = ("body",)
    differentiable = False

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        given = [one._known.spec for one in operands[3]]
        return {"body": found(attrs["body"], [TensorSpec((), dtypes.int32), *given])}

    def infer(self) -> tuple[ValueSpec, ...]:
        return tuple(one.spec for one in self.body.parameters[1 : 1 + len(self.input)])

    def expand(self) -> Any:
        numbers = [cast(one, dtypes.int64) for one in (self.start, self.limit, self.delta)]
        start, limit, delta = numbers  # so that the last turn's number plus `delta` fits

        def is_before(i: Any, *_: Any) -> Any:
            return bind(LogicalOr, *(
                bind(LogicalAnd, *both)
                for both in ((delta > 0, i < limit), (delta < 0, i > limit))
            ))  # fmt: skip

        # TensorFlow's kernel refuses others as well: such a loop would have no end.
        leads = bind(LogicalOr, equal(start, limit), is_before(start))
        Assert(leads, ["Invalid start/limit/delta:", start, limit, delta])

        def turn(i: Any, *state: Any) -> Any:
            return [i + delta, *called(self.body, [cast(i, dtypes.int32), *state])]

        return tuple(while_loop(is_before, turn, [start, *self.input])[1:])


class MapDefun(GivenGraphs):
    """A function of the rows of tensors, its results stacked."""

    arguments = In("[Targuments]")
    captured_inputs = In("[Tcaptured]")
    output = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    f = Attr()
    max_intra_op_parallelism = Attr(1)
    graph_attrs = ("f",)
    differentiable = False

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        rows, captured = operands
        given = [TensorSpec(one.shape[1:], one.dtype) for one in rows]
        return {"f": found(attrs["f"], [*given, *(one._known.spec for one in captured)])}

    def demands(self, sizes: Any) -> None:
        ranks = [sizes.rank(one) for one in self.arguments]
        shapes = [sizes.shape(one) for one in self.arguments]
        if any(rank is not UNKNOWN and rank < 1 for rank in ranks):
            refuse(ShapeMismatchError, "{}: a row was expected of the shapes {}", self.name, shapes)
        counts = [
            shape[0] for rank, shape in zip(ranks, shapes, strict=True) if rank is not UNKNOWN
        ]
        for count in counts[1:]:
            sizes.require(
                sizes.equal(counts[0], count), ShapeMismatchError,
                OTHER_COUNT, self.name, counts[0], count,
            )  # fmt: skip

    def infer(self) -> tuple[ValueSpec, ...]:
        rows = self.arguments[0].shape
        count = None if rows.rank is None else rows[0]
        pairs = zip(self.output_shapes, self.output_types, strict=True)
        first = TensorShape([count])
        return tuple(TensorSpec(first.concatenate(shape), dtype) for shape, dtype in pairs)

    def expand(self) -> Any:
        pairs = zip(self.output_shapes, self.output_types, strict=True)
        signature = [TensorSpec(shape, dtype) for shape, dtype in pairs]

        def of_row(row: Any) -> Any:
            results = called(self.f, [*row, *self.captured_inputs])
            return [
                ensure_shape(one, spec.shape) for one, spec in zip(results, signature, strict=True)
            ]

        return tuple(map_fn(of_row, list(self.arguments), fn_output_signature=signature))
