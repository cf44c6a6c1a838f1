"""Some slices of a larger tensor: what the gradient of `gather` is."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import UNKNOWN, TensorShape, as_shape
from ...core.specs import TensorSpec
from ...core.tree import OneTensor
from ...core.type_spec import TypeSpec
from ...core.values import TensorBase, TensorLike
from ..conversion import as_tensor, known_of


class IndexedSlices(OneTensor, TensorBase):
    """`values[k]` stands at `indices[k]` along axis 0 of a tensor of shape `dense_shape`.

    An index that occurs several times means the sum of its slices. `values` is [n, ...], `indices`
    an integer vector [n], `dense_shape` an integer vector or None.

    >>> slices = tf.IndexedSlices(tf.constant([[5], [6]]), tf.constant([2, 0]), tf.constant([3, 1]))
    >>> tf.convert_to_tensor(slices).numpy()
    array([[6],
           [0],
           [5]], dtype=int32)
    """

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    @property
    def values(self) -> Any:
        """The slices: [n, ...].

        >>> s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([5, 2]))
        >>> s.values.numpy()
        array([[1., 2.]], dtype=float32)
        """
        return self._values

    @property
    def indices(self) -> Any:
        """Where each slice stands: [n].

        >>> s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([5, 2]))
        >>> s.indices.numpy()
        array([3], dtype=int32)
        """
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor, or None.

        >>> s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([5, 2]))
        >>> s.dense_shape.numpy()
        array([5, 2], dtype=int32)
        """
        return self._dense_shape

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        values, indices, dense_shape = map(_tensor, (self.values, self.indices, self.dense_shape))
        return IndexedSlicesSpec(
            self.shape,
            values.dtype,
            indices.dtype,
            None if dense_shape is None else dense_shape.dtype,
            indices.shape,
        )

    @property
    def dtype(self) -> DType:
        """The dtype of the values.

        >>> s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([5, 2]))
        >>> s.dtype
        tf.float32
        """
        return self.values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor, as far as it is known.

        >>> s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([5, 2]))
        >>> s.shape
        TensorShape([5, 2])
        """
        inner = self.values.shape
        by_values = UNKNOWN if inner.entries is None else TensorShape((None, *inner.entries[1:]))
        if self.dense_shape is None:
            return by_values
        given = known_of(_tensor(self.dense_shape)).as_shape()
        return given.merge_with(by_values) if given.is_compatible_with(by_values) else given

    @property
    def name(self) -> str:
        """The name of `values`.

        >>> with tf.Graph().as_default():
        ...     s = tf.IndexedSlices(tf.constant([1.0], name='x'), tf.constant([0]))
        ...     print(s.name)
        x:0

        Raises:
            AttributeError: they are eager, and have none.
        """
        return self.values.name

    @property
    def device(self) -> str:
        """Where the values are.

        >>> s = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([3]), tf.constant([5, 2]))
        >>> s.device == s.values.device
        True
        """
        return self.values.device

    @property
    def op(self) -> Any:
        """The operation that makes `values`.

        >>> with tf.Graph().as_default():
        ...     s = tf.IndexedSlices(tf.constant([1.0], name='x'), tf.constant([0]))
        ...     print(s.op.name)
        x

        Raises:
            AttributeError: they are eager, and there is none.
        """
        return self.values.op

    @property
    def graph(self) -> Any:
        """The graph of `values`.

        >>> with tf.Graph().as_default():
        ...     s = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
        ...     print(s.graph is tf.compat.v1.get_default_graph())
        True

        Raises:
            AttributeError: they are eager, and in none.
        """
        return self.values.graph

    def consumers(self) -> list[Any]:
        """The operations of its graph that take the values.

        >>> with tf.Graph().as_default():
        ...     s = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
        ...     print(s.consumers())
        []
        """
        return [] if not hasattr(self.values, "op") else self.values.consumers()

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __mul__(self, factor: Any) -> IndexedSlices:
        """Scaled by a number. A tensor is left to the operators of tensors, which are dense."""
        if isinstance(factor, TensorLike):
            return NotImplemented
        scaled = self.values * self._scalar(factor)
        return IndexedSlices(scaled, self.indices, self.dense_shape)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> IndexedSlices:
        """Scaled by a number, as `__mul__`."""
        if isinstance(divisor, TensorLike):
            return NotImplemented
        scaled = self.values / self._scalar(divisor)
        return IndexedSlices(scaled, self.indices, self.dense_shape)

    def _scalar(self, factor: Any) -> Any:
        scalar = as_tensor(factor, self.dtype)
        if scalar.shape.rank != 0:
            raise TypeError(
                "IndexedSlices can be multiplied and divided by numbers only; convert it first"
            )
        return scalar

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Any:
        """The dense tensor, in which slices of equal index are added."""
        from ..math.segments import unsorted_segment_sum

        if self.dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape: "
                f"the number of rows is unknown; values have shape {self.values.shape}"
            )
        if dtype is not None and dtype is not self.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype "
                f"{self.dtype.name}"
            )
        rows = as_tensor(self.dense_shape)[0]
        return unsorted_segment_sum(self.values, self.indices, rows, name=name)

    def __str__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{shape})"

    def __repr__(self) -> str:
        return str(self)


def _tensor(value: Any) -> Any:
    return value if value is None or isinstance(value, TensorLike) else as_tensor(value)


class IndexedSlicesSpec(TypeSpec):
    """Describes IndexedSlices: the dense shape and dtype, and those of indices and dense_shape."""

    __slots__ = {
        "dense_shape_dtype": "The dtype of `dense_shape`; None where there is none.",
        "dtype": "The dtype of `values`.",
        "indices_dtype": "The dtype of `indices`.",
        "indices_shape": "The shapes of `indices`: vectors.",
        "shape": "The shapes of the dense tensors that they stand for.",
    }  # with what `help` says of them

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self.shape = as_shape(shape)
        self.dtype = as_dtype(dtype)
        self.indices_dtype = as_dtype(indices_dtype)
        self.dense_shape_dtype = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        self.indices_shape = as_shape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type[IndexedSlices]:
        """The class of the values that it describes."""
        return IndexedSlices

    def _serialize(self) -> tuple[Any, ...]:
        kinds = (self.dtype, self.indices_dtype, self.dense_shape_dtype)
        return (self.shape, *kinds, self.indices_shape)

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        values = self.indices_shape.concatenate(self.shape[1:])
        specs = (
            TensorSpec(values, self.dtype),
            TensorSpec(self.indices_shape, self.indices_dtype),
        )
        if self.dense_shape_dtype is None:
            return specs
        return (*specs, TensorSpec([self.shape.rank], self.dense_shape_dtype))

    def _to_components(self, value: IndexedSlices) -> tuple[Any, ...]:
        parts = map(_tensor, (value.values, value.indices, value.dense_shape))
        return tuple(part for part in parts if part is not None)

    def _from_components(self, components: Any) -> IndexedSlices:
        return IndexedSlices(*components)
