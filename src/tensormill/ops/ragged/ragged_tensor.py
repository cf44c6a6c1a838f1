"""`RaggedTensor`: rows of different lengths, one after another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import TensorShape, as_shape
from ...core.specs import TensorSpec
from ...core.tensorflow_names import at_home_in
from ...core.type_spec import EncodedSpec, with_outer_size, without_outer_size
from ...core.type_spec_names import register
from ...core.values import RaggedBase, tensor_class
from ..array.broadcasting import broadcast_to
from ..array.concatenation import concat, stack
from ..array.fill import ones_like
from ..array.fill import range as numbers_from
from ..array.gather import gather
from ..array.rearrangement import repeat
from ..array.select import where
from ..array.shapes import reshape
from ..array.shapes import shape as sizes_of
from ..conversion import as_tensor, static_int
from ..math.cast import cast
from ..math.reduce import reduce_max
from .constructors import RaggedConstructors, as_values, outer_size
from .merged_axes import merged_axes
from .operators import DifferentiatedRows, RaggedOperators


@at_home_in("tensorflow.python.ops.ragged.ragged_tensor")
class RaggedTensor(RaggedOperators, DifferentiatedRows, RaggedConstructors, RaggedBase):
    """Rows of different lengths: row k is `values[row_splits[k] : row_splits[k + 1]]`.

    `values` are a tensor, or ragged themselves. Make one with `from_row_splits`,
    `from_row_lengths`, `from_value_rowids`, `from_tensor` or `tf.ragged.constant`.

    >>> rows = tf.RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
    >>> rows, rows[0].numpy(), (rows * 2).to_list()
    (<tf.RaggedTensor [[1, 2], [], [3]]>, array([1, 2], dtype=int32), [[2, 4], [], [6]])
    """

    # NumPy leaves `array * ragged` to the ragged tensor.
    __array_priority__ = 100

    def consumers(self) -> list[Any]:
        """The operations of a graph that take its values or row splits; none eagerly.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.consumers()
        []
        """
        parts = [one for one in (*self.nested_row_splits, self.flat_values) if one.symbolic]
        return [op for one in parts for op in one.consumers()]

    # ---- making
    @classmethod
    def from_sparse(
        cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64
    ) -> RaggedTensor:
        """The rows of a sparse matrix whose elements stand at the beginning of each row.

        >>> tf.RaggedTensor.from_sparse(tf.sparse.from_dense([[1, 2], [3, 0]]))
        <tf.RaggedTensor [[1, 2], [3]]>

        Raises:
            TypeError: it is not sparse. ValueError: it is no matrix.
            InvalidArgumentError: an element stands behind a gap.
        """
        from .conversion import from_sparse

        return from_sparse(st_input, as_dtype(row_splits_dtype))

    @classmethod
    def from_tensor(
        cls,
        tensor: Any,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> RaggedTensor:
        """The rows of a tensor, without what lies beyond `lengths`, or without `padding` at ends.

        lengths: of the rows, or a list with those of the rows for each ragged axis.
        ragged_rank: how many axes become ragged; what is left out is left out of the last one.

        >>> tf.RaggedTensor.from_tensor([[1, 0], [2, 3]], padding=0)
        <tf.RaggedTensor [[1], [2, 3]]>

        Raises:
            ValueError: both are given, the tensor has not more axes than become ragged, or
                `padding` has another shape than the elements of rows.
            TypeError: `ragged_rank` is no int.
        """
        from .conversion import from_tensor

        splits = as_dtype(row_splits_dtype)
        return from_tensor(as_tensor(tensor), lengths, padding, ragged_rank, splits)

    # ---- what it is
    @property
    def values(self) -> Any:
        """All rows, one after another.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.values.numpy()
        array([1, 2, 3], dtype=int32)
        """
        return self._values

    @property
    def flat_values(self) -> Any:
        """The innermost values: a tensor.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> n.flat_values.numpy()
        array([1, 2, 3, 4], dtype=int32)
        """
        values = self._values
        return values.flat_values if isinstance(values, RaggedTensor) else values

    @property
    def row_splits(self) -> Any:
        """Where rows begin and end: [rows + 1].

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.row_splits.numpy()
        array([0, 2, 2, 3])
        """
        return self._row_splits

    @property
    def uniform_row_length(self) -> Any:
        """How long every row is, where they are of one length by the way they were made; or None.

        Such an axis has a size in `shape`, and can be indexed by a number.

        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).uniform_row_length.numpy()
        np.int64(2)
        """
        length = self._uniform_row_length
        return None if length is None else as_tensor(length, self._row_splits.dtype)

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits of all ragged axes, the outermost first.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> [splits.numpy().tolist() for splits in n.nested_row_splits]
        [[0, 2, 3], [0, 2, 3, 4]]
        """
        inner = self._values
        rest = inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()
        return (self._row_splits, *rest)

    @property
    def ragged_rank(self) -> int:
        """How many axes have rows of different lengths.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> n.ragged_rank
        2
        """
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> DType:
        """The dtype of the values.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.dtype
        tf.int32
        """
        return self.flat_values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape; None for sizes that differ between rows.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.shape
        TensorShape([3, None])
        """
        splits, inner = self._row_splits.shape.entries, self._values.shape.entries
        rows = None if splits is None or splits[0] is None else splits[0] - 1
        if inner is None:
            return TensorShape(None)
        length = self._uniform_row_length
        columns = None if length is None else static_int(length)
        return TensorShape((rows, columns, *inner[1:]))

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.get_shape()
        TensorShape([3, None])
        """
        return self.shape

    def nrows(self, out_type: Any = None, name: str | None = None) -> Any:
        """The number of rows.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.nrows().numpy()
        np.int64(3)
        """
        rows = sizes_of(self._row_splits, self._row_splits.dtype)[0] - 1
        return rows if out_type is None else cast(rows, out_type)

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """How long each row is; of a later axis, for each of the rows before it.

        >>> tf.ragged.constant([[1, 2], []]).row_lengths().numpy()
        array([2, 0])
        """
        rank = self.shape.rank
        axis = axis + rank if axis < 0 and rank is not None else axis
        if axis < 0 or (rank is not None and axis >= rank):
            raise ValueError(f"axis={axis} out of bounds for a ragged tensor of rank {rank}")
        if axis == 0:
            return self.nrows()
        values, kind = self._values, self._row_splits.dtype
        if axis == 1:
            return self._row_splits[1:] - self._row_splits[:-1]
        if isinstance(values, RaggedTensor):
            return self.with_values(values.row_lengths(axis - 1))
        sizes = sizes_of(values, kind)
        return self.with_values(broadcast_to(sizes[axis - 1], sizes[: axis - 1]))

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """The row lengths of all ragged axes, the outermost first.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> [lengths.numpy().tolist() for lengths in n.nested_row_lengths()]
        [[2, 1], [2, 1, 1]]
        """
        inner = self._values
        rest = inner.nested_row_lengths() if isinstance(inner, RaggedTensor) else ()
        return (self.row_lengths(), *rest)

    def nested_value_rowids(self, name: str | None = None) -> tuple[Any, ...]:
        """The rows of the values of all ragged axes, the outermost first.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> [rows.numpy().tolist() for rows in n.nested_value_rowids()]
        [[0, 0, 1], [0, 0, 1, 2]]
        """
        inner = self._values
        rest = inner.nested_value_rowids() if isinstance(inner, RaggedTensor) else ()
        return (self.value_rowids(), *rest)

    def bounding_shape(
        self, axis: Any = None, name: str | None = None, out_type: Any = None
    ) -> Any:
        """The smallest shape that holds all rows, or its size along `axis`.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.bounding_shape().numpy()
        array([3, 2])
        """
        kind = self._row_splits.dtype
        values = self._values
        inner = (
            values.bounding_shape() if isinstance(values, RaggedTensor) else sizes_of(values, kind)
        )
        longest = reduce_max(concat([as_tensor([0], kind), self.row_lengths()], 0))
        whole = concat([stack([self.nrows(), longest]), inner[1:]], 0)
        found = whole if axis is None else gather(whole, axis)
        return found if out_type is None else cast(found, as_dtype(out_type))

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """The axes from `outer_axis` to `inner_axis` as one.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> n.merge_dims(0, 1)
        <tf.RaggedTensor [[1, 2], [3], [4]]>

        Raises:
            ValueError: `outer_axis` comes after `inner_axis`.
        """
        rank = self.shape.rank or self.ragged_rank + 1
        outer, inner = outer_axis % rank, inner_axis % rank
        if outer > inner:
            raise ValueError(f"Expected outer_axis ({outer}) <= inner_axis ({inner})")
        return self if outer == inner else merged_axes(self, outer, inner)

    def to_sparse(self, name: str | None = None) -> Any:
        """A SparseTensor with the elements at the beginning of each row.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.to_sparse().indices.numpy().tolist()
        [[0, 0], [0, 1], [2, 0]]
        """
        from ..sparse.sparse_tensor import SparseTensor

        there = self.with_flat_values(ones_like(self.flat_values, dtypes.bool_))
        values = reshape(self.flat_values, [-1])
        return SparseTensor.of_parts(
            where(there), values, self.bounding_shape(out_type=dtypes.int64)
        )

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same rows, with splits of int32 or int64.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.with_row_splits_dtype(tf.int32).row_splits.dtype
        tf.int32
        """
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner = inner.with_row_splits_dtype(dtype)
        kind, length = as_dtype(dtype), self.uniform_row_length
        length = None if length is None else cast(length, kind)
        return RaggedTensor(inner, cast(self._row_splits, kind), length)

    def row_starts(self, name: str | None = None) -> Any:
        """With which value each row begins.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.row_starts().numpy()
        array([0, 2, 2])
        """
        return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Any:
        """Behind which value each row ends.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.row_limits().numpy()
        array([2, 2, 3])
        """
        return self._row_splits[1:]

    def value_rowids(self, name: str | None = None) -> Any:
        """The row of each value.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.value_rowids().numpy()
        array([0, 0, 2])
        """
        return repeat(numbers_from(self.nrows()), self.row_lengths())

    def value_places(self) -> Any:
        """How far from the beginning of its row each value is."""
        places = numbers_from(outer_size(self._values, self._row_splits.dtype))
        return places - gather(self._row_splits, self.value_rowids())

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other values.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.with_values(r.values * 10)
        <tf.RaggedTensor [[10, 20], [], [30]]>

        Raises:
            ValueError: their number is another one, where that is known.
        """
        values = as_values(new_values)
        mine, theirs = self._values.shape, values.shape
        if mine.rank is not None and theirs.rank is not None:
            mine[:1].assert_is_compatible_with(theirs[:1])
        return RaggedTensor(values, self._row_splits, self._uniform_row_length)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows with other innermost values.

        >>> n = tf.ragged.constant([[[1, 2], [3]], [[4]]])
        >>> n.with_flat_values(n.flat_values * 10).to_list()
        [[[10, 20], [30]], [[40]]]
        """
        inner = self._values
        if isinstance(inner, RaggedTensor):
            return self.with_values(inner.with_flat_values(new_values))
        return self.with_values(new_values)

    # ---- as other values
    def to_tensor(
        self, default_value: Any = None, name: str | None = None, shape: Any = None
    ) -> Any:
        """A tensor as wide as the longest row, filled up with `default_value` (zeros).

        shape: how large the result is instead, where it is not None: rows are cut, or filled up.

        >>> tf.ragged.constant([[1, 2], [3]]).to_tensor(default_value=-1).numpy()
        array([[ 1,  2],
               [ 3, -1]], dtype=int32)

        Raises:
            ShapeMismatchError (an InvalidArgumentError and a ValueError): `shape` has another
                number of axes, or other sizes than the values have.
        """
        from .conversion import to_tensor

        return to_tensor(self, default_value, shape)

    def to_list(self) -> list[Any]:
        """Nested lists.

        >>> r = tf.ragged.constant([[1, 2], [], [3]])
        >>> r.to_list()
        [[1, 2], [], [3]]
        """
        values, splits = self._values, self._row_splits.numpy()
        whole = values.to_list() if isinstance(values, RaggedTensor) else values.numpy().tolist()
        return [whole[a:b] for a, b in itertools.pairwise(splits)]

    def numpy(self) -> Any:
        """An array of arrays; a plain one where all rows are equally long.

        >>> tf.ragged.constant([[1, 2], [3, 4]]).numpy()
        array([[1, 2],
               [3, 4]], dtype=int32)
        """
        whole = self._values.numpy()
        rows = [whole[a:b] for a, b in itertools.pairwise(self._row_splits.numpy())]
        if not rows:
            return np.zeros((0, 0, *whole.shape[1:]), whole.dtype)
        if len({row.shape for row in rows}) == 1:
            return np.stack(rows)
        made = np.empty(len(rows), object)
        made[:] = rows
        return made

    def __getitem__(self, key: Any) -> Any:
        """A row for an integer, some of the rows for a slice; what follows is for each row.

        Raises:
            ValueError: an integer for an axis whose size differs from row to row.
        """
        from .slicing import part_of

        return part_of(self, key)

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def __len__(self) -> int:
        return int(self.nrows())

    def __repr__(self) -> str:
        if any(getattr(one, "symbolic", False) for one in (self._row_splits, self.flat_values)):
            return f"tf.RaggedTensor(values={self._values!r}, row_splits={self._row_splits!r})"
        from .text import text_of_array

        return f"<tf.RaggedTensor {text_of_array(self.numpy())}>"

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        splits = self._row_splits.dtype
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, splits)


@register("tf.RaggedTensorSpec")
class RaggedTensorSpec(EncodedSpec):
    """Describes ragged tensors.

    flat_values_spec: None; it is told by the shape and the dtype.
    """

    __slots__ = ("_dtype", "_flat_values_spec", "_ragged_rank", "_row_splits_dtype", "_shape")

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
        flat_values_spec: Any = None,
    ) -> None:
        if flat_values_spec is not None:
            raise ValueError(
                "RaggedTensorSpec: flat values are tensors, which shape and dtype describe: "
                f"flat_values_spec must be None, not {flat_values_spec!r}"
            )
        self._flat_values_spec = flat_values_spec
        self._shape = as_shape(shape)
        self._dtype = as_dtype(dtype)
        self._row_splits_dtype = as_dtype(row_splits_dtype)
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        self._ragged_rank = ragged_rank

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes."""
        return RaggedTensor if self._ragged_rank else tensor_class()

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape: None for a ragged axis."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        """How many axes may have rows of several lengths."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        """The dtype of the row splits."""
        return self._row_splits_dtype

    @property
    def flat_values_spec(self) -> None:
        """What describes flat values that are no tensors: nothing, for they always are."""
        return self._flat_values_spec

    @classmethod
    def from_value(cls, value: RaggedTensor) -> RaggedTensorSpec:
        """What describes a ragged tensor.

        >>> tf.RaggedTensorSpec.from_value(tf.ragged.constant([[1], [2, 3]]))
        RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)
        """
        return value._type_spec

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    def _batch(self, batch_size: int | None) -> RaggedTensorSpec:
        shape, rank = with_outer_size(self._shape, batch_size), self._ragged_rank + 1
        return RaggedTensorSpec(shape, self._dtype, rank, self._row_splits_dtype)

    def _to_legacy_output_classes(self) -> RaggedTensorSpec:
        return self

    def _unbatch(self) -> RaggedTensorSpec | TensorSpec:
        shape, rank = without_outer_size(self._shape), self._ragged_rank - 1
        if rank < 0:  # its values are tensors, and so are slices of these
            return TensorSpec(shape, self._dtype)
        return RaggedTensorSpec(shape, self._dtype, rank, self._row_splits_dtype)

    @property
    def _component_specs(self) -> list[TensorSpec]:
        if not self._ragged_rank:  # a row, as datasets give it
            return [TensorSpec(self._shape, self._dtype)]
        dims = self._shape.entries
        flat = None if dims is None else (None, *dims[self._ragged_rank + 1 :])
        rows = dims[0] if dims else None
        first = [None if rows is None else rows + 1]
        outer = TensorSpec(first, self._row_splits_dtype)
        inner = [TensorSpec([None], self._row_splits_dtype)] * (self._ragged_rank - 1)
        return [TensorSpec(flat, self._dtype), outer, *inner]

    def _to_components(self, value: Any) -> list[Any]:
        if not self._ragged_rank:
            return [as_tensor(value, self._dtype)]
        return [value.flat_values, *value.nested_row_splits]

    def _from_components(self, components: Sequence[Any]) -> Any:
        values, *splits = components
        lengths = (self._shape.entries or (None,) * len(components))[1:]
        for split, length in reversed(list(zip(splits, lengths, strict=False))):
            values = RaggedTensor(values, split, length)
        return values
