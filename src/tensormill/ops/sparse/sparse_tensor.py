"""`SparseTensor`: the elements that are there, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape, as_shape
from ...core.specs import TensorSpec
from ...core.tensorflow_names import at_home_in
from ...core.tree import Composite
from ...core.type_spec import EncodedSpec, with_outer_size, without_outer_size
from ...core.type_spec_names import register
from ...core.values import TensorBase, TensorLike
from ...errors import KnownShapeError, ShapeMismatchError
from ..checks.fitting import fitting
from ..conversion import as_tensor, known_of


@at_home_in("tensorflow.python.framework.sparse_tensor")
class SparseTensor(Composite, TensorBase):
    """A tensor of which only some elements are kept; the others count as zero.

    `values` [n] stand at `indices` int64 [n, rank] of a tensor of shape `dense_shape` int64 [rank].
    Most operations want the indices in row-major order: `tf.sparse.reorder`.

    >>> x = tf.SparseTensor(indices=[[0, 1], [1, 0]], values=[5, 6], dense_shape=[2, 2])
    >>> tf.sparse.to_dense(x).numpy()
    array([[0, 5],
           [6, 0]], dtype=int32)

    Raises:
        ValueError: ranks or sizes of the three do not fit each other.
    """

    # NumPy leaves `array * sparse` to the sparse tensor.
    __array_priority__ = 100

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self._take(indices, values, dense_shape)
        parts = self._indices, self._values, self._dense_shape
        if not all([one.shape.is_fully_defined() for one in parts]):
            self._indices, self._values, self._dense_shape = fitting(
                "SparseTensor", indices=(parts[0], "n r"), values=(parts[1], "n"),
                dense_shape=(parts[2], "r"),
            )  # fmt: skip

    @classmethod
    def of_parts(cls, indices: Any, values: Any, dense_shape: Any) -> SparseTensor:
        """Of parts that fit, as whoever made them knows: nobody looks when they run."""
        made = object.__new__(cls)
        made._take(indices, values, dense_shape)
        return made

    def _take(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self._indices = _checked(indices, dtypes.int64, 2)
        self._values = _checked(values, None, 1)
        self._dense_shape = _checked(dense_shape, dtypes.int64, 1)
        count, rank = self._indices.shape.entries
        _require_equal(count, self._values.shape.entries[0])
        _require_equal(rank, self._dense_shape.shape.entries[0])
        self._shape = known_of(self._dense_shape).as_shape()
        if self._shape.rank is None and rank is not None:
            self._shape = TensorShape((None,) * rank)

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """Of anything with `indices`, `values` and `dense_shape`.

        >>> value = tf.compat.v1.SparseTensorValue([[0, 1]], [5], [2, 3])
        >>> tf.SparseTensor.from_value(value).values.numpy()
        array([5], dtype=int32)

        Raises:
            TypeError: it has none.
        """
        if isinstance(sparse_tensor_value, SparseTensor):
            return sparse_tensor_value
        if not all(hasattr(sparse_tensor_value, name) for name in _PARTS):
            raise TypeError(
                f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value!r}."
            )
        return SparseTensor(*(getattr(sparse_tensor_value, name) for name in _PARTS))

    @property
    def indices(self) -> Any:
        """int64 [n, rank].

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> s.indices.numpy().tolist()
        [[0, 1], [1, 0]]
        """
        return self._indices

    @property
    def values(self) -> Any:
        """[n].

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> s.values.numpy()
        array([5, 7], dtype=int32)
        """
        return self._values

    @property
    def dense_shape(self) -> Any:
        """The shape, as a tensor: int64 [rank].

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> s.dense_shape.numpy()
        array([2, 3])
        """
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known.

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> s.shape
        TensorShape([2, 3])
        """
        return self._shape

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> s.get_shape()
        TensorShape([2, 3])
        """
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Note what else is known of the shape.

        >>> @tf.function(input_signature=[tf.SparseTensorSpec([None, 3])])
        ... def two_rows(s):
        ...     s.set_shape([2, 3])
        ...     print(s.shape)
        ...     return s
        >>> s = two_rows(tf.sparse.from_dense([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]))
        (2, 3)

        Raises:
            ValueError: it contradicts what is known.
        """
        self._shape = self._shape.merge_with(shape)

    @property
    def dtype(self) -> DType:
        """The dtype of the values.

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> s.dtype
        tf.int32
        """
        return self._values.dtype

    @property
    def name(self) -> str:
        """The name of `values`.

        Raises:
            AttributeError: they are eager, and have none.
        """
        return self._values.name

    @property
    def op(self) -> Any:
        """The operation that makes `values`.

        >>> with tf.Graph().as_default():
        ...     s = tf.sparse.eye(2)
        ...     print(s.op is s.values.op)
        True

        Raises:
            AttributeError: they are eager, and there is none.
        """
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph of its parts.

        >>> with tf.Graph().as_default():
        ...     s = tf.sparse.eye(2)
        ...     print(s.graph is tf.compat.v1.get_default_graph())
        True

        Raises:
            AttributeError: they are eager, and in none.
        """
        return self._indices.graph

    def consumers(self) -> list[Any]:
        """The operations that take the tensor as a whole: none do, they take its parts.

        >>> tf.sparse.eye(2).consumers()
        []
        """
        return []

    def with_values(self, new_values: Any) -> SparseTensor:
        """The same places with other values.

        >>> s = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
        >>> tf.sparse.to_dense(s.with_values([1, 2])).numpy()
        array([[0, 1, 0],
               [2, 0, 0]], dtype=int32)

        Raises:
            ValueError: there are more or fewer of them.
        """
        return self._like(SparseTensor(self._indices, new_values, self._dense_shape))

    def _like(self, other: SparseTensor) -> SparseTensor:
        other.set_shape(self._shape)
        return other

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        """Not supported, as in TensorFlow 2: there are no sessions for sparse tensors.

        >>> tf.sparse.to_dense(tf.sparse.eye(2)).numpy().tolist()
        [[1.0, 0.0], [0.0, 1.0]]

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "eval is not supported for sparse tensors; tf.sparse.to_dense(x).numpy() is an array"
        )

    def __mul__(self, other: Any) -> SparseTensor:
        """Times a dense tensor, which is broadcast; at the places that are there."""
        from .beside_dense import times_dense

        return times_dense(self, other)

    def __truediv__(self, other: Any) -> SparseTensor:
        """Divided by a dense tensor, which is broadcast; at the places that are there."""
        from .beside_dense import divided_by_dense

        return divided_by_dense(self, other)

    __div__ = __truediv__

    def __str__(self) -> str:
        return (
            f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
            f"dense_shape={self._dense_shape!s})"
        )

    __repr__ = __str__

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self._shape, self.dtype)


_PARTS = ("indices", "values", "dense_shape")


class SparseTensorValue(NamedTuple):
    """A sparse tensor as arrays: what sessions give, and take, for a SparseTensor.

    >>> tf.compat.v1.SparseTensorValue([[0, 1]], [2.0], [2, 2]).values
    [2.0]
    """

    is_composite_of_arrays = True  # functions may mean something else for it (ops/dispatch)

    indices: Any
    values: Any
    dense_shape: Any


def _checked(value: Any, dtype: DType | None, rank: int) -> Any:
    tensor = as_tensor(_filled(value, rank, dtype), dtype)
    if tensor.shape.rank is None and tensor.symbolic:
        tensor.set_shape((None,) * rank)
    if tensor.shape.rank != rank:
        raise ShapeMismatchError(f"Shape {tensor.shape} must have rank {rank}")
    return tensor


def _filled(value: Any, rank: int, dtype: DType | None) -> Any:
    """An empty list of indices is a matrix of no rows; sizes may be tensors of several dtypes."""
    if rank == 1 and dtype is not None and isinstance(value, (list, tuple)):
        from ..math.cast import cast

        return [cast(one, dtype) if isinstance(one, TensorLike) else one for one in value]
    if rank == 2 and isinstance(value, (list, tuple)) and not value:
        return np.zeros((0, 0), np.int64)
    return value


def _require_equal(one: int | None, other: int | None) -> None:
    if one is not None and other is not None and one != other:
        raise KnownShapeError(f"Dimensions {one} and {other} are not compatible")


@register("tf.SparseTensorSpec")
class SparseTensorSpec(EncodedSpec):
    """Describes sparse tensors: dense shape and dtype."""

    __slots__ = ("_dtype", "_shape")

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """What describes a sparse tensor."""
        return cls(value.shape, value.values.dtype)

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self._shape = as_shape(shape)
        self._dtype = as_dtype(dtype)

    @property
    def shape(self) -> TensorShape:
        """What is known of the dense shape."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype

    @property
    def value_type(self) -> type[SparseTensor]:
        """The class of the values that it describes."""
        return SparseTensor

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    def _batch(self, batch_size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(with_outer_size(self._shape, batch_size), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        return SparseTensorSpec(without_outer_size(self._shape), self._dtype)

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.rank
        return [
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], self._dtype),
            TensorSpec([rank], dtypes.int64),
        ]

    def _to_components(self, value: SparseTensor) -> list[Any]:
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components: Sequence[Any]) -> SparseTensor:
        if all(isinstance(part, np.ndarray) for part in components):
            return SparseTensorValue(*components)  # type: ignore[return-value]
        made = SparseTensor.of_parts(*components)
        if made.shape.is_compatible_with(self._shape):
            made.set_shape(self._shape)
        return made


def as_sparse(value: Any, what: str = "Input") -> SparseTensor:
    """`value`, a sparse tensor.

    Raises:
        TypeError: it is none.
    """
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError(f"{what} must be a SparseTensor.")
    return value
