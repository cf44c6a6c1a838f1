"""What a program expects of a feature, by its key: the values of the `features` of
`tf.io.parse_example` and its like.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.process.named_tuples import NamedTuple


class FixedLenFeature(NamedTuple):
    """As many values in each example as `shape` says: a dense tensor.

    shape: a list of sizes. dtype: float32, int64 or string. default_value: what an example has
    that lacks the feature; without one, such an example is refused.
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """Any number of rows in each example, of as many values as `shape` says: a dense tensor, where
    shorter ones are filled up.

    shape: a list of sizes, of a row. dtype: float32, int64 or string. allow_missing: whether it may
    be missing; must be True, but in sequences of `tf.io.parse_sequence_example`. default_value:
    what fills up; 0 or "" by default.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """Any number of values in each example: a sparse tensor. dtype: float32, int64 or string."""

    dtype: Any


class SparseFeature(NamedTuple):
    """Values and their indices, in features of their own: a sparse tensor.

    index_key: the key of the feature with the indices (int64), or a list of keys, one for each
    axis. value_key: that with the values. dtype: float32, int64 or string. size: how long the axis
    is, or a list of that. already_sorted: whether values are in the order of their indices in each
    example; then they are not sorted.
    """

    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: bool = False


class RowSplits(NamedTuple):
    """Where rows begin, and where the last one ends. key: the key of an int64 feature."""

    key: str


class RowLengths(NamedTuple):
    """How long rows are. key: the key of an int64 feature."""

    key: str


class RowStarts(NamedTuple):
    """Where rows begin. key: the key of an int64 feature."""

    key: str


class RowLimits(NamedTuple):
    """Where rows end. key: the key of an int64 feature."""

    key: str


class ValueRowIds(NamedTuple):
    """In which row each value is. key: the key of an int64 feature."""

    key: str


class UniformRowLength(NamedTuple):
    """How long every row is."""

    length: int


_PARTITIONS: Final = (
    RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength,
)  # fmt: skip


class _RaggedFields(NamedTuple):
    dtype: Any
    value_key: Any = None
    partitions: Any = ()
    row_splits_dtype: Any = dtypes.int32
    validate: bool = False


class RaggedFeature(_RaggedFields):
    """Any number of values in each example: a ragged tensor.

    >>> feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[3, 1, 4, 1, 5]))
    >>> lengths = tf.train.Feature(int64_list=tf.train.Int64List(value=[2, 0, 3]))
    >>> features = tf.train.Features(feature={"values": feature, "lengths": lengths})
    >>> example = tf.train.Example(features=features).SerializeToString()
    >>> partition = tf.io.RaggedFeature.RowLengths("lengths")
    >>> wanted = tf.io.RaggedFeature(tf.int64, "values", [partition])
    >>> tf.io.parse_single_example(example, {"rows": wanted})["rows"]
    <tf.RaggedTensor [[3, 1], [], [4, 1, 5]]>

    Args:
        dtype: float32, int64 or string.
        value_key: the key of the feature with the values; by default, that of this one.
        partitions: how each example's values are divided into rows, the outermost division first:
            a list of `RowSplits(key)`, `RowLengths(key)`, `RowStarts(key)`, `RowLimits(key)`,
            `ValueRowIds(key)` and `UniformRowLength(length)`, which are attributes of this class.
        row_splits_dtype: int32 or int64.
        validate: whether the partitions are checked when they are read.

    Raises:
        TypeError: a partition is none of these; `validate` is no bool.
        ValueError: `value_key` is no string, or `dtype` or `row_splits_dtype` another dtype.
    """

    __slots__ = ()

    RowSplits: ClassVar = RowSplits
    RowLengths: ClassVar = RowLengths
    RowStarts: ClassVar = RowStarts
    RowLimits: ClassVar = RowLimits
    ValueRowIds: ClassVar = ValueRowIds
    UniformRowLength: ClassVar = UniformRowLength

    def __new__(
        cls,
        dtype: Any,
        value_key: str | None = None,
        partitions: Any = (),
        row_splits_dtype: Any = dtypes.int32,
        validate: bool = False,
    ) -> RaggedFeature:
        if value_key is not None and not isinstance(value_key, str):
            raise ValueError(f"Argument `value_key` must be a string; got {value_key!r}")
        if isinstance(partitions, _PARTITIONS) or not isinstance(partitions, (list, tuple)):
            raise TypeError(f"Argument `partitions` must be a list of partitions; got {partitions}")
        for one in partitions:
            if not isinstance(one, _PARTITIONS):
                names = ", ".join(kind.__name__ for kind in _PARTITIONS)
                raise TypeError(f"Argument `partitions` may hold {names}; got {one!r}")
        if as_dtype(dtype) not in (dtypes.float32, dtypes.int64, dtypes.string):
            raise ValueError(
                f"Argument `dtype` must be int64, float32 or string: examples hold nothing else; "
                f"got {dtype!r}, use tf.cast on the result"
            )
        if as_dtype(row_splits_dtype) not in (dtypes.int32, dtypes.int64):
            raise ValueError(
                f"Argument `row_splits_dtype` must be int32 or int64; got {row_splits_dtype}"
            )
        if not isinstance(validate, bool):
            raise TypeError(f"Argument `validate` must be a bool; got {validate!r}")
        return super().__new__(
            cls, as_dtype(dtype), value_key, tuple(partitions), as_dtype(row_splits_dtype), validate
        )
