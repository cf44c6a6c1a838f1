"""Sparse tensors as three serialized tensors: indices, values, shape; or as values of their own."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import as_dtype, of_storage
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec, ValueSpec
from ...core.text import strings_in
from ...errors import InvalidArgumentError, ShapeMismatchError
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.op import Attr, In, Op, Out, types
from ...ops.sparse.conversion import require_order
from ...ops.sparse.sparse_tensor import SparseTensor, as_sparse
from ..proto.values import shape_proto, string_list, tensor_proto
from .sparse_values import Parts, SparseValues, sparse_values_spec
from .tensors import parsed, serialized

Array = numpy_module.ndarray[Any, Any]


class SerializeSparse(Op):
    """A sparse tensor as three strings, or variants."""

    sparse_indices = In("i64 n r")
    sparse_values = In("T n")
    sparse_shape = In("i64 r")
    serialized_sparse = Out("out_type 3")
    out_type = Attr(dtypes.string, types("str variant"))
    differentiable = False

    def infer(self) -> ValueSpec:
        if as_dtype(self.out_type) is dtypes.variant:
            return sparse_values_spec(self.sparse_values.dtype, ())
        return TensorSpec((3,), dtypes.string)

    def eager(self, np: Any) -> Any:
        parts = self.sparse_indices, self.sparse_values, self.sparse_shape
        return written([parts], (), self.sparse_values.dtype, self.out_type)


class SerializeManySparse(Op):
    """A sparse tensor for each index of the first axis, as three strings or variants each."""

    sparse_indices = In("i64 n r")
    sparse_values = In("T n")
    sparse_shape = In("i64 r")
    serialized_sparse = Out("out_type m 3")
    out_type = Attr(dtypes.string, types("str variant"))
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (rank,) = sizes.shape(self.sparse_shape, 1)
        sizes.require(rank > 1, InvalidArgumentError, FEW_AXES, rank)
        rows, values = sizes.shape(self.sparse_indices, 2)[0], sizes.shape(self.sparse_values, 1)[0]
        sizes.require(
            sizes.equal(rows, values), InvalidArgumentError, UNLIKE, self.name, values, rows
        )

    def infer(self) -> ValueSpec:
        if as_dtype(self.out_type) is dtypes.variant:
            return sparse_values_spec(self.sparse_values.dtype, (None,))
        return TensorSpec((None, 3), dtypes.string)

    def eager(self, np: Any) -> Any:
        indices, values, shape = self.sparse_indices, self.sparse_values, self.sparse_shape
        require_order(np, indices, shape)
        ends = np.searchsorted(indices[:, 0], np.arange(shape[0] + 1))
        parts = [slice(*pair) for pair in pairwise(ends.tolist())]
        several = [(indices[part, 1:], values[part], shape[1:]) for part in parts]
        return written(several, (len(several),), values.dtype, self.out_type)


class DeserializeSparse(Op):
    """The sparse tensors in rows of three strings or variants, along new first axes."""

    serialized_sparse = In("Tserialized ...")
    sparse_indices = Out("i64 n r")
    sparse_values = Out("dtype n")
    sparse_shape = Out("i64 r")
    dtype = Attr()
    Tserialized = types("str variant")
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        return specs_of(self.dtype)

    def eager(self, np: Any) -> tuple[Any, ...]:
        rows, dtype = self.serialized_sparse, as_dtype(self.dtype)
        if isinstance(rows, SparseValues):
            return joined(np, rows.items, rows.outer, dtype)
        if rows.dtype.kind != "O" or not rows.ndim or rows.shape[-1] != 3:
            raise InvalidArgumentError(
                "Serialized sparse should have 3 as the last dimension, and be strings, but has "
                f"shape {list(rows.shape)}"
            )
        return joined(np, read(rows), rows.shape[:-1], dtype)


class DeserializeManySparse(Op):
    """The sparse tensors in the rows of a matrix of strings, along a new first axis."""

    serialized_sparse = In("str ...")
    sparse_indices = Out("i64 n r")
    sparse_values = Out("dtype n")
    sparse_shape = Out("i64 r")
    dtype = Attr()
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        return specs_of(self.dtype)

    def eager(self, np: Any) -> tuple[Any, ...]:
        rows = self.serialized_sparse
        if rows.ndim not in (1, 2) or rows.shape[-1] != 3:
            raise InvalidArgumentError(
                f"Serialized sparse should be a matrix of 3 columns, but has shape "
                f"{list(rows.shape)}"
            )
        return joined(np, read(rows), rows.shape[:-1], as_dtype(self.dtype))


# ---------------------------------------------------------------- kernels


UNLIKE = "{}: each value has a row of indices, got {} values and {} rows"
FEW_AXES = "a sparse tensor of rank {} does not hold many: its rank must be > 1"


def specs_of(dtype: Any) -> tuple[TensorSpec, ...]:
    return (
        TensorSpec((None, None), dtypes.int64),
        TensorSpec((None,), as_dtype(dtype)),
        TensorSpec((None,), dtypes.int64),
    )


def written(
    several: Sequence[tuple[Array, Array, Array]], outer: tuple[int, ...], kind: Any, out_type: Any
) -> Any:
    """Sparse tensors as three strings each, or as values."""
    if as_dtype(out_type) is dtypes.variant:
        copied = [Parts(*(one.copy() for one in parts)) for parts in several]
        return SparseValues(copied, outer, of_storage(kind))
    made = numpy_module.empty((len(several), 3), object)
    for number, parts in enumerate(several):
        made[number] = [in_bytes(numpy_module.ascontiguousarray(one)) for one in parts]
    return made.reshape(*outer, 3)


def read(rows: Array) -> list[tuple[Array, Array, Array]]:
    """The parts of the sparse tensors in rows of three strings."""
    arrays = list(map(parsed, strings_in(rows)))
    return [(arrays[k], arrays[k + 1], arrays[k + 2]) for k in range(0, len(arrays), 3)]


def in_bytes(array: Array) -> bytes:
    """An array as a TensorProto whose elements are bytes, strings too."""
    if array.dtype.kind != "O":
        return serialized(array)
    proto = tensor_proto(array[:0])
    proto.tensor_shape.CopyFrom(shape_proto(TensorShape(array.shape)))
    proto.tensor_content = string_list(array.tolist())
    return proto.SerializeToString()


def joined(
    np: Any,
    several: Sequence[tuple[Array, Array, Array]],
    outer: tuple[int, ...],
    dtype: Any,
) -> tuple[Any, ...]:
    """The parts of the sparse tensor that holds all of these."""
    if not several:
        raise InvalidArgumentError(
            f"Serialized sparse should have at least 1 serialized tensor, but has shape "
            f"{[*outer, 3]}"
        )
    for number, parts in enumerate(several):
        require_sound(np, parts, dtype, number)
    ranks = {len(shape) for _, _, shape in several}
    if len(ranks) > 1:
        raise InvalidArgumentError(f"serialized sparse tensors have different ranks: {ranks}")
    places = np.stack(np.unravel_index(np.arange(len(several)), outer), 1) if outer else (
        np.zeros((1, 0), np.int64)
    )  # fmt: skip
    indices = [
        np.concatenate([np.broadcast_to(place, (len(one), len(outer))), one], 1)
        for place, (one, _, _) in zip(places, several, strict=True)
    ]
    inner = np.max([shape for _, _, shape in several], axis=0)
    shape = np.concatenate([np.array(outer, np.int64), inner.astype(np.int64)])
    values = np.concatenate([one for _, one, _ in several])
    return np.concatenate(indices).astype(np.int64), values, shape


def require_sound(np: Any, parts: tuple[Array, Array, Array], dtype: Any, number: int) -> None:
    """Indices, values and shape fit each other.

    Raises:
        InvalidArgumentError: they are no sparse tensor of this dtype.
    """
    indices, values, shape = parts
    where = f"serialized sparse tensor {number}"
    for what, one, kind in (("indices", indices, np.int64), ("shape", shape, np.int64),
                            ("values", values, dtype.storage)):  # fmt: skip
        if one.dtype != kind:
            raise InvalidArgumentError(
                f"{where}: its {what} are {one.dtype}, and {np.dtype(kind)} is requested"
            )
    wanted = len(values), len(shape) if shape.ndim == 1 else -1
    if values.ndim != 1 or indices.shape != wanted:
        raise InvalidArgumentError(
            f"{where}: indices of shape {list(indices.shape)}, values of shape "
            f"{list(values.shape)} and a dense_shape of shape {list(shape.shape)} do not fit"
        )


# ---------------------------------------------------------------- functions


def serialize_sparse(sp_input: Any, out_type: Any = dtypes.string, name: str | None = None) -> Any:
    """A sparse tensor as a vector of three strings: its serialized indices, values and shape.

    sp_input: sparse, of any dtype. out_type: tf.string, or tf.variant.

    >>> sparse = tf.SparseTensor([[0, 1]], [5], [2, 3])
    >>> indices, values, shape = tf.io.serialize_sparse(sparse)
    >>> tf.io.parse_tensor(values, tf.int32).numpy()
    array([5], dtype=int32)

    Raises:
        TypeError: `sp_input` is not sparse.
    """
    return _serialized(SerializeSparse, sp_input, out_type, name)


def serialize_many_sparse(
    sp_input: Any, out_type: Any = dtypes.string, name: str | None = None
) -> Any:
    """The sparse tensors along the first axis of one, a row of three strings each: [n, 3].

    sp_input: sparse, of rank 2 at least, with its indices in order. out_type: tf.string, or
    tf.variant.
    `tf.io.deserialize_many_sparse` puts the rows together again.

    >>> sparse = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
    >>> tf.io.serialize_many_sparse(sparse).shape
    TensorShape([2, 3])

    Raises:
        TypeError: `sp_input` is not sparse.
        InvalidArgumentError: its rank is below 2, or its indices are out of order or bounds.
    """
    return _serialized(SerializeManySparse, sp_input, out_type, name)


def _serialized(kind: type[Op], sp_input: Any, out_type: Any, name: str | None) -> Any:
    sparse = as_sparse(sp_input)
    parts = sparse.indices, sparse.values, sparse.dense_shape
    return bind(kind, *parts, out_type=as_dtype(out_type), name=name)


def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """The sparse tensors in the rows of `serialized_sparse` as one, along a new first axis.

    serialized_sparse: string [n, 3], as `tf.io.serialize_many_sparse` or several
    `tf.io.serialize_sparse` give it. dtype: that of the values. rank: of the result, where known.
    Its shape is as large as the largest ones.

    >>> sparse = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
    >>> rows = tf.io.serialize_many_sparse(sparse)
    >>> tf.sparse.to_dense(tf.io.deserialize_many_sparse(rows, tf.int32)).numpy()
    array([[0, 5, 0],
           [7, 0, 0]], dtype=int32)

    Raises:
        InvalidArgumentError: the strings are no sparse tensors of that dtype.
        ValueError: the result has another rank.
    """
    rows = as_tensor(serialized_sparse, dtypes.string)
    indices, values, shape = bind(DeserializeManySparse, rows, dtype=as_dtype(dtype), name=name)
    if rank is not None:
        if indices.shape[1] not in (None, rank):
            raise ShapeMismatchError(f"the rank is {indices.shape[1]}, not {rank}")
        if indices.shape[1] is None:
            indices.set_shape([None, rank])
            shape.set_shape([rank])
    return SparseTensor.of_parts(indices, values, shape)
