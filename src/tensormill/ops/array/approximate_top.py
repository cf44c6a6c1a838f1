"""The largest elements, approximately: as TensorFlow's CPU has it, exactly."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import known_rank
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import negative
from ..op import Attr, In, Op, Out, as_float32, types
from .rearrangement import transpose
from .sorting import top_k

# Called as TensorFlow calls it.
ApproximateTop = namedtuple("ApproxTopK", "values indices")
RECALL = as_float32(0.95)


class ApproxTopK(Op):
    """The `k` largest, or smallest, elements along an axis, best first, and where they are."""

    input = In("T ...")
    values = Out("T ...")
    indices = Out("i32 ...")
    k = Attr(int)
    reduction_dimension = Attr(-1)
    recall_target = Attr(RECALL)
    is_max_k = Attr(True)
    reduction_input_size_override = Attr(-1)
    aggregate_to_topk = Attr(True)
    T = types("f16 bf16 f32")

    def demands(self, sizes: Any) -> tuple[int, Any]:
        """The axis, none negative, and the shape of the results."""
        shape, axis = sizes.shape(self.input), self.reduction_dimension
        rank = len(shape)
        if not -rank <= axis < rank:
            refuse(ShapeMismatchError, NO_AXIS, self.name, axis, rank)
        axis %= rank
        fits = shape[axis] >= self.k
        sizes.require_late(fits, InvalidArgumentError, TOO_FEW, self.name, shape[axis], self.k)
        return axis, (*shape[:axis], self.k, *shape[axis + 1 :])

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        shape = None if self.found is None else dims(self.found[1])
        return TensorSpec(shape, self.input.dtype), TensorSpec(shape, dtypes.int32)

    def expand(self) -> tuple[Any, Any]:
        x, axis = self.input, self.reduction_dimension
        if axis == -1:
            return self._along_last(x)
        rank = known_rank(x, self.name)
        order = list(range(rank))
        order.append(order.pop(axis))
        back = [order.index(k) for k in range(rank)]
        values, indices = self._along_last(transpose(x, order))
        return transpose(values, back), transpose(indices, back)

    def _along_last(self, x: Any) -> tuple[Any, Any]:
        if self.is_max_k:
            return top_k(x, self.k)
        values, indices = top_k(negative(x), self.k)
        return negative(values), indices


NO_AXIS = "{}: there is no axis {} among {}"
TOO_FEW = "{}: input must have at least k columns. Had {}, needed {}"


@dispatchable
def approx_top_k(
    input: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    is_max_k: bool = True,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproximateTop:
    """The `k` largest (or, without `is_max_k`, smallest) elements along `reduction_dimension`.

    input: float32, float16 or bfloat16 of at least one axis. The result is a pair, best first:
    `values`, in which the axis has the size k, and where they are, `indices`, int32. All of them
    are right here, as on TensorFlow's CPU: the other arguments are of no consequence.

    >>> values, indices = tf.approx_top_k([3.0, 1.0, 2.0], 2, is_max_k=False)
    >>> values.numpy(), indices.numpy()
    (array([1., 2.], dtype=float32), array([1, 2], dtype=int32))

    Raises:
        InvalidArgumentError: there is no such axis, or it has fewer elements.
    """
    found = bind(
        ApproxTopK, input, k=int(k), reduction_dimension=reduction_dimension,
        recall_target=as_float32(recall_target), is_max_k=is_max_k,
        reduction_input_size_override=reduction_input_size_override,
        aggregate_to_topk=aggregate_to_topk, name=name,
    )  # fmt: skip
    return ApproximateTop(*found)


@dispatchable
def approx_max_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproximateTop:
    """The `k` largest elements along an axis, as `tf.approx_top_k` has them.

    >>> values, indices = tf.nn.approx_max_k([[3.0, 1.0, 2.0]], 2)
    >>> values.numpy(), indices.numpy()
    (array([[3., 2.]], dtype=float32), array([[0, 2]], dtype=int32))

    Raises:
        InvalidArgumentError: there is no such axis, or it has fewer elements.
    """
    return approx_top_k(
        operand, k, reduction_dimension, recall_target, True, reduction_input_size_override,
        aggregate_to_topk, name,
    )  # fmt: skip


@dispatchable
def approx_min_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproximateTop:
    """The `k` smallest elements along an axis, as `tf.approx_top_k` has them.

    >>> values, indices = tf.nn.approx_min_k([[3.0, 1.0, 2.0]], 2)
    >>> values.numpy(), indices.numpy()
    (array([[1., 2.]], dtype=float32), array([[1, 2]], dtype=int32))

    Raises:
        InvalidArgumentError: there is no such axis, or it has fewer elements.
    """
    return approx_top_k(
        operand, k, reduction_dimension, recall_target, False, reduction_input_size_override,
        aggregate_to_topk, name,
    )  # fmt: skip
