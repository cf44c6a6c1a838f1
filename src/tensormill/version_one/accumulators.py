"""Accumulators of gradients, `tf.compat.v1.ConditionalAccumulator`."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import UNKNOWN, as_shape
from ..eager.convert import convert_to_tensor
from ..graph.by_hand.default_graph import root_graph
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.bind import bind
from ..ops.state import accumulators as operations


class SparseAccumulatorTakeGradient(NamedTuple):
    """Rows of a gradient: their numbers, their values, and the sizes of the whole."""

    indices: Any
    values: Any
    shape: Any


class ConditionalAccumulatorBase:
    """What gathers gradients, and gives them when there are enough; stale ones are left out.

    A gradient is stale where its `local_step` is below the accumulator's step, which grows by one
    whenever they are taken.
    """

    _counting: Any = operations.ResourceAccumulatorNumAccumulated
    _moving: Any = operations.ResourceAccumulatorSetGlobalStep

    def __init__(self, dtype: Any, shape: Any, accumulator_ref: Any) -> None:
        self._dtype = as_dtype(dtype)
        self._shape = UNKNOWN if shape is None else as_shape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.rpartition("/")[2]

    def _made(
        self, kind: Any, dtype: Any, shape: Any, shared_name: str | None, name: str, reduction: str
    ) -> None:
        if root_graph() is None:
            raise RuntimeError(
                f"{type(self).__name__} belongs to a graph that is built by hand; where operations "
                "run at once, sum gradients in a tf.Variable"
            )
        if as_dtype(dtype) not in operations.KINDS:
            raise TypeError(
                f"{type(self).__name__}: dtype {as_dtype(dtype).name} is not in the list of "
                "allowed values: float16, float32, float64"
            )
        sizes = UNKNOWN if shape is None else as_shape(shape)
        handle = bind(
            kind, dtype=as_dtype(dtype), shape=sizes, shared_name=shared_name or "", name=name,
            reduction_type=reduction,
        )  # fmt: skip
        ConditionalAccumulatorBase.__init__(self, dtype, shape, handle)

    @property
    def accumulator_ref(self) -> Any:
        """The handle."""
        return self._accumulator_ref

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The dtype of the gradients."""
        return self._dtype

    def num_accumulated(self, name: str | None = None) -> Any:
        """How many gradients it has, int32."""
        called = name or f"{self._name}_NumAccumulated"
        return bind(self._counting, self._accumulator_ref, name=called)

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Any:
        """Say below which step gradients are stale."""
        step = _as_step(new_global_step)
        return bind(self._moving, self._accumulator_ref, step, name=name)


def _as_step(step: Any) -> Any:
    return convert_to_tensor(step, dtypes.int64)


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Gathers whole gradients, of floats; gives their mean, or sum (`reduction_type`).

    shape: of the gradients, as far as it is known.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     gathered = tf.compat.v1.ConditionalAccumulator(tf.float32, shape=[2])
    ...     for gradient in ([1.0, 2.0], [3.0, 6.0]):
    ...         session.run(gathered.apply_grad(gradient))
    ...     print(session.run(gathered.take_grad(2)))
    [2. 4.]

    Raises:
        RuntimeError: no graph is being built by hand.
        TypeError: another dtype.
        ValueError: another reduction.
    """

    def __init__(
        self, dtype: Any, shape: Any = None, shared_name: str | None = None,
        name: str = "conditional_accumulator", reduction_type: str = "MEAN",
    ) -> None:  # fmt: skip
        kind = operations.ResourceConditionalAccumulator
        self._made(kind, dtype, shape, shared_name, name, reduction_type)

    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Any:
        """The operation that adds a gradient, unless it is stale.

        Raises:
            ValueError: its shape is not that of the accumulator.
            InvalidArgumentError: (when it runs) the same.
        """
        gradient = convert_to_tensor(grad, self._dtype)
        gradient.shape.assert_is_compatible_with(self._shape)
        kind = operations.ResourceAccumulatorApplyGradient
        return bind(kind, self._accumulator_ref, _as_step(local_step), gradient, name=name)

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """The mean or sum, once there are `num_required` gradients; it begins again.

        Raises:
            InvalidArgumentError: (when it runs) `num_required` is not above 0.
        """
        count = convert_to_tensor(num_required, dtypes.int32)
        kind = operations.ResourceAccumulatorTakeGradient
        return bind(kind, self._accumulator_ref, count, dtype=self._dtype, name=name)


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Gathers rows of gradients; gives the mean of those that have a row, or the sum.

    The numbers of a gradient's rows are taken for sorted.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     gathered = tf.compat.v1.SparseConditionalAccumulator(tf.float32, shape=[4, 1])
    ...     session.run(gathered.apply_grad([0, 2], [[1.0], [2.0]]))
    ...     session.run(gathered.apply_grad([2], [[4.0]]))
    ...     print(session.run(gathered.take_grad(2)).values.ravel())
    [1. 3.]

    Raises:
        RuntimeError: no graph is being built by hand.
        TypeError: another dtype.
        ValueError: another reduction.
    """

    _counting = operations.AccumulatorNumAccumulated
    _moving = operations.AccumulatorSetGlobalStep

    def __init__(
        self, dtype: Any, shape: Any = None, shared_name: str | None = None,
        name: str = "sparse_conditional_accumulator", reduction_type: str = "MEAN",
    ) -> None:  # fmt: skip
        kind = operations.NewSparseAccumulator
        self._made(kind, dtype, shape, shared_name, name, reduction_type)

    def apply_indexed_slices_grad(
        self, grad: IndexedSlices, local_step: Any = 0, name: str | None = None
    ) -> Any:
        """The operation that adds a gradient, unless it is stale.

        Raises:
            InvalidArgumentError: (when it runs) it does not fit the accumulator.
        """
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None, local_step: Any = 0,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """The same, by the numbers of its rows, their values, and the sizes of the whole.

        Raises:
            InvalidArgumentError: (when it runs) these do not fit each other or the accumulator.
        """
        sizes = [] if grad_shape is None else grad_shape
        return bind(
            operations.SparseAccumulatorApplyGradient, self._accumulator_ref, _as_step(local_step),
            convert_to_tensor(grad_indices, dtypes.int64),
            convert_to_tensor(grad_values, self._dtype), convert_to_tensor(sizes, dtypes.int64),
            has_known_shape=grad_shape is not None, name=name,
        )  # fmt: skip

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """What was gathered, once there are `num_required` gradients: `indices`, `values`, `shape`.

        Raises:
            InvalidArgumentError: (when it runs) `num_required` is not above 0.
        """
        count = convert_to_tensor(num_required, dtypes.int32)
        kind = operations.TakeSparseGradient
        found = bind(kind, self._accumulator_ref, count, dtype=self._dtype, name=name)
        return SparseAccumulatorTakeGradient(*found)

    def take_indexed_slices_grad(self, num_required: Any, name: str | None = None) -> IndexedSlices:
        """The same as IndexedSlices.

        Raises:
            InvalidArgumentError: (when it runs) `num_required` is not above 0.
        """
        found = self.take_grad(num_required, name)
        return IndexedSlices(found.values, found.indices, found.shape)
