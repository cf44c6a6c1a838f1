"""Functions of strings as TensorFlow 1 calls them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...ops.array.rearrangement import reversed_axes
from ...ops.array.shapes import reshape
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.older.arrays import FactorialFact
from ...ops.ragged.ragged_tensor import RaggedTensor
from ...ops.sparse.sparse_tensor import SparseTensor
from ...ops.strings import byte_strings, hashing, spelled_numbers, splitting
from .arguments import either, required


def length(input: Any, name: str | None = None, unit: str = "BYTE") -> Any:
    """How many bytes (or characters, if `unit` is "UTF8_CHAR") each string has, int32.

    >>> tf.compat.v1.strings.length(["a", "bcd"]).numpy()
    array([1, 3], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such unit.
    """
    return byte_strings.length(input, unit, name)


def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Any:
    """`len` bytes (or characters) of each string from `pos` on (`tf.strings.substr`).

    >>> tf.compat.v1.substr("hello", 1, 3).numpy()
    b'ell'

    Raises:
        InvalidArgumentError: `pos` lies outside of a string, or there is no such unit.
    """
    return byte_strings.substr(input, pos, len, unit, name)


def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: bool | None = None,
) -> Any:
    """The strings along `axis` (all axes, by default) joined (`tf.strings.reduce_join`).

    >>> tf.compat.v1.reduce_join([["a", "b"], ["c", "d"]], 0, True, "+").numpy()
    array([[b'a+c', b'b+d']], dtype=object)

    Raises:
        ValueError: an argument is given under both of its names.
        InvalidArgumentError: there is no such axis, or one is named twice.
    """
    kept = bool(either("keepdims", keepdims, "keep_dims", keep_dims))
    axes = either("axis", axis, "reduction_indices", reduction_indices)
    given = inputs if isinstance(inputs, RaggedTensor) else as_tensor(inputs, dtypes.string)
    if axes is None and not isinstance(given, RaggedTensor):
        axes = reversed_axes(given)
    return byte_strings.reduce_join(given, axes, kept, separator, name)


def to_hash_bucket(
    string_tensor: Any = None,
    num_buckets: Any = None,
    name: str | None = None,
    input: Any = None,
) -> Any:
    """Which of `num_buckets` each string falls into, int64 (`tf.strings.to_hash_bucket`).

    >>> tf.compat.v1.string_to_hash_bucket(["a", "b"], 3).dtype
    tf.int64

    Raises:
        ValueError: an argument is given under both of its names, or there is no input.
    """
    given = required("input", either("input", input, "string_tensor", string_tensor))
    return hashing.to_hash_bucket(given, required("num_buckets", num_buckets), name)


def to_number(
    string_tensor: Any = None,
    out_type: Any = dtypes.float32,
    name: str | None = None,
    input: Any = None,
) -> Any:
    """The numbers that strings spell (`tf.strings.to_number`).

    >>> tf.compat.v1.string_to_number(["1.5", "2"]).numpy()
    array([1.5, 2. ], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names, or there is no input.
        InvalidArgumentError: a string spells no number.
    """
    given = required("input", either("input", input, "string_tensor", string_tensor))
    return spelled_numbers.string_to_number(given, out_type, name)


def split(
    input: Any = None,
    sep: str | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """The parts of each string between separators (`tf.strings.split`).

    input: string of known rank; one string counts as a vector of one. The result is what
    `result_type` says: a "SparseTensor" with one axis more, or a "RaggedTensor".

    >>> tf.sparse.to_dense(tf.compat.v1.strings.split(["a b", "c"])).numpy()
    array([[b'a', b'b'],
           [b'c', b'']], dtype=object)

    Raises:
        ValueError: an argument is given under both of its names, or there is no such result.
    """
    given = _rows(required("input", either("input", input, "source", source)))
    return _as_result(splitting.split(given, sep, maxsplit, name), result_type)


def string_split(
    source: Any,
    sep: str | None = None,
    skip_empty: bool = True,
    delimiter: str | None = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """The parts of each string between bytes that cut it: each byte of `delimiter` (" ") does.

    source: a vector of strings. Parts without a byte are left out unless `skip_empty` is False; an
    empty delimiter leaves single bytes.

    >>> tf.sparse.to_dense(tf.compat.v1.string_split(["a,b;;c"], ",;")).numpy()
    array([[b'a', b'b', b'c']], dtype=object)

    Raises:
        ValueError: an argument is given under both of its names, or there is no such result.
    """
    cuts = either("sep", sep, "delimiter", delimiter)
    parts = bind(
        splitting.StringSplit, as_tensor(source, dtypes.string),
        as_tensor(" " if cuts is None else cuts, dtypes.string), skip_empty=skip_empty, name=name,
    )  # fmt: skip
    sparse = SparseTensor.of_parts(*parts)
    if result_type == "SparseTensor":
        return sparse
    rows = RaggedTensor.from_value_rowids(
        sparse.values, sparse.indices[:, 0], nrows=sparse.dense_shape[0], validate=False
    )
    return _as_result(rows, result_type)


def _rows(text: Any) -> Any:
    if isinstance(text, RaggedTensor):
        return text
    text = as_tensor(text, dtypes.string)
    return reshape(text, [1]) if text.shape.rank == 0 else text


def _as_result(rows: Any, result_type: str) -> Any:
    if result_type not in ("SparseTensor", "RaggedTensor"):
        raise ValueError(f"`result_type` is 'SparseTensor' or 'RaggedTensor', not {result_type!r}")
    return rows if result_type == "RaggedTensor" else rows.to_sparse()


def my_fact() -> Any:
    """What TensorFlow's example of a user's operation says.

    >>> tf.compat.v1.user_ops.my_fact().numpy()
    b'0! == 1'
    """
    return bind(FactorialFact)
