"""Functions of records as TensorFlow 1 called them: `name` comes earlier."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..graph.serialized import sparse_tensors
from ..ops.records import comma_separated, examples
from ..ops.strings import files


def parse_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """`tf.io.parse_example`: the features of serialized examples, a dict of tensors.

    >>> wanted = {"x": tf.compat.v1.FixedLenFeature([], tf.int64, default_value=3)}
    >>> tf.compat.v1.parse_example([b""], wanted)["x"].numpy()
    array([3])

    Raises:
        ValueError: there are no features, or they contradict each other.
        InvalidArgumentError: a string is no example, or has other features.
    """
    return examples.parse_example(serialized, features, example_names, name)


def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """`tf.io.parse_single_example`: the features of a serialized example, a dict of tensors.

    >>> wanted = {"x": tf.compat.v1.FixedLenFeature([], tf.int64, default_value=3)}
    >>> int(tf.compat.v1.parse_single_example(b"", wanted)["x"])
    3

    Raises:
        ValueError: there are no features, or they contradict each other.
        InvalidArgumentError: the string is no example, or has other features.
    """
    return examples.parse_single_example(serialized, features, example_names, name)


def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Any = None,
) -> list[Any]:
    """`tf.io.decode_csv`: the fields of comma-separated records, a tensor for each column.

    >>> [int(one) for one in tf.compat.v1.decode_csv("1,2", [[0], [0]])]
    [1, 2]

    Raises:
        InvalidArgumentError: a record has more or fewer fields, or a wrong one.
        ValueError: `select_cols` do not ascend, or are not as many as `record_defaults`.
    """
    return comma_separated.decode_csv(
        records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name
    )


def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
) -> Any:
    r"""`tf.io.decode_raw`: the bytes of strings as numbers. `bytes` is another word for
    `input_bytes`.

    >>> tf.compat.v1.decode_raw(b"\x01\x02", tf.uint8).numpy()
    array([1, 2], dtype=uint8)

    Raises:
        ValueError: both words are given, or no `out_type`.
        InvalidArgumentError: lengths differ, or are no multiple of the dtype's size.
    """
    if (input_bytes is None) == (bytes is None):
        raise ValueError("decode_raw: either input_bytes or bytes is wanted")
    if out_type is None:
        raise ValueError("decode_raw() missing 1 positional argument: 'out_type'")
    given = bytes if input_bytes is None else input_bytes
    return files.decode_raw(given, out_type, little_endian, name=name)


def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Any:
    """`tf.io.serialize_sparse`: a sparse tensor as three strings.

    >>> tf.compat.v1.serialize_sparse(tf.SparseTensor([[0]], [1], [2])).shape
    TensorShape([3])

    Raises:
        TypeError: `sp_input` is not sparse.
    """
    return sparse_tensors.serialize_sparse(sp_input, out_type, name)


def serialize_many_sparse(
    sp_input: Any, name: str | None = None, out_type: Any = dtypes.string
) -> Any:
    """`tf.io.serialize_many_sparse`: the sparse tensors along an axis as three strings each.

    >>> tf.compat.v1.serialize_many_sparse(tf.SparseTensor([[0, 1]], [1], [2, 2])).shape
    TensorShape([2, 3])

    Raises:
        TypeError: `sp_input` is not sparse.
        InvalidArgumentError: its rank is below 2, or its indices are out of order or bounds.
    """
    return sparse_tensors.serialize_many_sparse(sp_input, out_type, name)
