"""`tf.sparse.cross`: in each row, all combinations of one value from each input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes, native_operations
from ...core.process.named_tuples import NamedTuple
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ResourceExhaustedError
from ..bind import bind
from ..conversion import as_tensor
from ..math.cast import cast
from ..op import Attr, In, Op, Out, types
from ..strings.hashes import fingerprint, hashes, siphash
from .sparse_tensor import SparseTensor

Array = numpy_module.ndarray[Any, Any]

BETWEEN: Final = b"_X_"
# What hashes begin with where nobody says otherwise, and the factor that mixes them.
DEFAULT_KEY: Final = 0xDECAFCAFFE
FACTOR: Final = numpy_module.uint64(0xC6A4A7935BD1E995)
HALF: Final = numpy_module.uint64(47)
# Combinations that no memory holds are refused before they are counted in 64 bits.
MOST: Final = 2.0**48
# Texts from which on native code hashes them.
MANY_TEXTS: Final = 64
FEW_BUCKETS: Final = "{}: num_buckets must not be negative, got {}"


class Column(NamedTuple):
    """An input: where the values of each row begin, how many they are, and all of them."""

    starts: Array
    counts: Array
    values: Array


def matrix_column(values: Array, at: str) -> Column:
    """A tensor, of which each row has all its elements."""
    if values.ndim != 2:
        raise InvalidArgumentError(
            f"{at}: a dense input must be a matrix, not of shape {list(values.shape)}"
        )
    rows, width = values.shape
    starts = numpy_module.arange(rows, dtype=numpy_module.int64) * width
    return Column(starts, numpy_module.full(rows, width, numpy_module.int64), values.reshape(-1))


def sparse_column(indices: Array, values: Array, shape: Array, at: str) -> Column:
    """A sparse tensor's values, row after row."""
    if indices.ndim != 2 or indices.shape[1] != 2 or shape.shape != (2,):
        raise InvalidArgumentError(
            f"{at}: a sparse input must be a matrix: its indices have the shape "
            f"{list(indices.shape)}, its dense_shape {list(shape.shape)}"
        )
    if values.shape != indices.shape[:1]:
        raise InvalidArgumentError(
            f"{at}: {len(indices)} indices and values of shape {list(values.shape)}"
        )
    rows, count = indices[:, 0], int(shape[0])
    if rows.size and not 0 <= rows.min() <= rows.max() < count:
        raise InvalidArgumentError(f"{at}: an index of a row is not in [0, {count})")
    if (rows[1:] < rows[:-1]).any():
        order = numpy_module.argsort(rows, kind="stable")
        rows, values = rows[order], values[order]
    counts = numpy_module.bincount(rows, minlength=count).astype(numpy_module.int64)
    return Column(numpy_module.cumsum(counts) - counts, counts, values)


class Crossed(NamedTuple):
    """How many combinations each row has, the columns, and which value of each is in each
    combination. What is made of a value is made once, not in each combination.
    """

    counts: Array
    columns: list[Array]
    places: list[Array]

    def joined(self, between: bytes) -> Array:
        """The values of each combination as one text."""
        texts = [objects(map(_text, column.tolist()), len(column)) for column in self.columns]
        found = zip(*[one.tolist() for one in self._combined(texts)], strict=True)
        return objects(map(between.join, found), int(self.counts.sum()))

    def hashed(self, key: int, buckets: int) -> Array:
        """The values of each combination as one number, below `buckets` where that is not 0."""
        unsigned = numpy_module.uint64
        total = numpy_module.full(int(self.counts.sum()), key & (2**64 - 1), unsigned)
        for one in self._combined([_prints(column, fingerprint) for column in self.columns]):
            total = _mixed(total, one)
        return _below(total, buckets)

    def chained(self, hashed: Callable[[Any], Any], buckets: int) -> Array:
        """The same with a hash for texts, beginning with that of the first column."""
        prints = self._combined([_prints(column, hashed) for column in self.columns])
        total = prints[0] if prints else numpy_module.zeros(0, numpy_module.uint64)
        for one in prints[1:]:
            total = _mixed(total, one)
        return _below(total, buckets)

    def _combined(self, made: Sequence[Array]) -> list[Array]:
        """What was made of each column's values, in each combination."""
        return [one[places] for one, places in zip(made, self.places, strict=True)]


def objects(found: Iterable[Any], count: int) -> Array:
    """So many objects as an array."""
    return numpy_module.fromiter(found, object, count)


def _below(total: Array, buckets: int) -> Array:
    """Numbers below `buckets`; 0: as many as int64 has."""
    limit = buckets or numpy_module.iinfo(numpy_module.int64).max
    return (total % numpy_module.uint64(limit)).astype(numpy_module.int64)


def _text(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _prints(values: Array, hashed: Callable[[Any], Any]) -> Array:
    """What a value adds to a hash: an integer itself, a text its own hash."""
    if values.dtype.kind != "O":
        return values.astype(numpy_module.int64).view(numpy_module.uint64)
    if hashed is fingerprint and values.size >= MANY_TEXTS:
        from ..strings.spans.hashes import FarmHashes  # which many texts need
        from ..strings.spans.spans import spans_in

        found = native_operations.run(FarmHashes, spans_in(values), {})
        if found is not None:
            return found[0]
    return hashes(hashed, values.tolist())


def _mixed(total: Array, added: Array) -> Array:
    """A hash of what was there and of what is added."""
    part = added * FACTOR
    total = (total ^ FACTOR ^ ((part ^ (part >> HALF)) * FACTOR)) * FACTOR
    total = (total ^ (total >> HALF)) * FACTOR
    return total ^ (total >> HALF)


def crossed(columns: Sequence[Column], at: str) -> Crossed:
    """All combinations, row after row; those of the last column follow each other.

    Raises:
        InvalidArgumentError: the inputs have other numbers of rows.
        ResourceExhaustedError: there are too many for any memory.
    """
    if not columns:
        return Crossed(numpy_module.zeros(0, numpy_module.int64), [], [])
    rows = len(columns[0].counts)
    for number, column in enumerate(columns):
        if len(column.counts) != rows:
            raise InvalidArgumentError(
                f"{at}: input {number} has a batch of {len(column.counts)} rows, the first has "
                f"{rows}"
            )
    sizes = numpy_module.stack([column.counts for column in columns])
    if sizes.prod(0, dtype=numpy_module.float64).sum() > MOST:
        raise ResourceExhaustedError(f"{at}: more combinations than any memory holds")
    counts = sizes.prod(0)
    row = numpy_module.repeat(numpy_module.arange(rows), counts)
    rest = numpy_module.arange(len(row)) - numpy_module.repeat(counts.cumsum() - counts, counts)
    found: list[Array] = []
    for column in reversed(columns):
        rest, place = numpy_module.divmod(rest, column.counts[row])
        found.insert(0, column.starts[row] + place)
    return Crossed(counts, [column.values for column in columns], found)


def places_and_shape(counts: Array) -> tuple[Array, Array]:
    """The indices and the dense shape of a sparse tensor whose rows have so many values."""
    row = numpy_module.repeat(numpy_module.arange(len(counts)), counts)
    first = numpy_module.repeat(counts.cumsum() - counts, counts)
    places = numpy_module.stack([row, numpy_module.arange(len(row)) - first], 1)
    shape = numpy_module.array([len(counts), counts.max(initial=0)], numpy_module.int64)
    return places.astype(numpy_module.int64), shape


def require_hash(buckets: int, key: int, at: str) -> None:
    """Refuse what no hash is made with."""
    if buckets < 0:
        raise InvalidArgumentError(f"{at}: num_buckets must be at least minimum 0, not {buckets}")
    if not -(2**63) <= key < 2**63:
        raise OverflowError(f"{at}: hash_key must be an integer of 64 bits, not {key}")


class Crossing(Op, abstract=True):
    """All combinations of values of sparse and then of dense matrices, in each row."""

    indices = In("N * i64 ...")
    values = In("[sparse_types]")
    shapes = In("N * i64 ...")
    dense_inputs = In("[dense_types]")
    differentiable = False

    def value_dtype(self) -> dtypes.DType:
        return dtypes.string

    def infer(self) -> tuple[TensorSpec, TensorSpec, TensorSpec]:
        places, shape = TensorSpec((None, 2), dtypes.int64), TensorSpec((2,), dtypes.int64)
        return places, TensorSpec((None,), self.value_dtype()), shape

    def sparse_values(self, values: Array) -> Array:
        """The values of a sparse input as they are combined."""
        return values

    def crossed(self) -> Crossed:
        values = [self.sparse_values(one) for one in self.values]
        parts = zip(self.indices, values, self.shapes, strict=True)
        sparse = [
            sparse_column(*one, f"{self.name}: input {number}") for number, one in enumerate(parts)
        ]
        dense = [
            matrix_column(one, f"{self.name}: dense tensor {number}")
            for number, one in enumerate(self.dense_inputs)
        ]
        return crossed([*sparse, *dense], self.name)

    def sparse(self, values: Callable[[Crossed], Array]) -> tuple[Array, Array, Array]:
        found = self.crossed()
        places, shape = places_and_shape(found.counts)
        return places, values(found), shape


class SparseCross(Crossing):
    """Combinations as numbers, or as texts with "_X_" between."""

    output_indices = Out("i64 n 2")
    output_values = Out("out_type n")
    output_shape = Out("i64 2")
    hashed_output = Attr()
    num_buckets = Attr(int)
    hash_key = Attr(int)
    out_type = Attr(allowed=types("i64 str"))
    internal_type = Attr(allowed=types("i64 str"))

    def value_dtype(self) -> dtypes.DType:
        return self.out_type

    def eager(self, np: Any) -> Any:
        if not self.hashed_output:
            return self.sparse(lambda found: found.joined(BETWEEN))
        require_hash(self.num_buckets, self.hash_key, self.name)
        return self.sparse(lambda found: found.hashed(self.hash_key, self.num_buckets))


class SparseCrossV2(Crossing):
    """Combinations as texts."""

    sep = In("str")
    output_indices = Out("i64 n 2")
    output_values = Out("str n")
    output_shape = Out("i64 2")

    def eager(self, np: Any) -> Any:
        return self.sparse(lambda found: found.joined(self.sep[()]))


class SparseCrossHashed(Crossing):
    """Combinations as numbers; `strong_hash`: texts are hashed with the key that `salt` is."""

    num_buckets = In("i64")
    strong_hash = In("bool")
    salt = In("i64 2")
    output_indices = Out("i64 n 2")
    output_values = Out("i64 n")
    output_shape = Out("i64 2")

    def demands(self, sizes: Any) -> None:
        (buckets,) = sizes.values(self.num_buckets)
        sizes.require(buckets >= 0, InvalidArgumentError, FEW_BUCKETS, self.name, buckets)

    def value_dtype(self) -> dtypes.DType:
        return dtypes.int64

    def eager(self, np: Any) -> Any:
        found = self.crossed()
        hashed = self.hashed_strongly if self.strong_hash else fingerprint
        if self.strong_hash and any(one.dtype.kind != "O" for one in found.columns):
            raise InvalidArgumentError(f"{self.name}: only texts have strong hashes")
        places, shape = places_and_shape(found.counts)
        return places, found.chained(hashed, int(self.num_buckets)), shape

    def sparse_values(self, values: Array) -> Array:
        """Integers as texts: TensorFlow hashes the bytes of their lower halves."""
        if values.dtype.kind == "O":
            return values
        lower = (values & 0xFFFFFFFF).tolist()
        return objects((one.to_bytes(4, "little") for one in lower), len(values))

    def hashed_strongly(self, text: Any) -> Any:
        """A text by the key."""
        return siphash(text, (int(self.salt[0]), int(self.salt[1])))


@shallow
def cross(inputs: Any, name: str | None = None, separator: Any = None) -> SparseTensor:
    """In each row all combinations of one value from each input, as texts.

    inputs: a list of sparse tensors and tensors, matrices with as many rows, of strings or
    integers (other numbers become integers); values of sparse ones come first in a combination.
    separator: what stands between the values, "_X_" by default.

    >>> colors = tf.sparse.from_dense([["red", "blue"], ["green", ""]])
    >>> crossed = tf.sparse.cross([colors, tf.constant([[1], [2]])], separator="-")
    >>> crossed.indices.numpy().tolist()
    [[0, 0], [0, 1], [1, 0]]
    >>> crossed.values.numpy()
    array([b'red-1', b'blue-1', b'green-2'], dtype=object)

    Raises:
        TypeError: `inputs` is no list, or an input is neither a tensor nor a sparse tensor.
        InvalidArgumentError: an input is no matrix, or has other rows than the first.
    """
    between = as_tensor(BETWEEN if separator is None else separator, dtypes.string)
    parts = bind(SparseCrossV2, *_operands(inputs), between, name=name)
    return SparseTensor.of_parts(*parts)


@shallow
def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """In each row all combinations of one value from each input, as numbers, int64.

    inputs: as of `cross`. num_buckets: the numbers are below it; 0 for all that are not negative.
    hash_key: another one gives other numbers.

    >>> crossed = tf.sparse.cross_hashed(
    ...     [tf.constant([["a"], ["b"]]), tf.constant([[1, 2], [3, 4]])], num_buckets=100)
    >>> crossed.values.numpy()
    array([85, 87, 64, 90])

    Raises:
        TypeError: `inputs` is no list, or an input is neither a tensor nor a sparse tensor.
        InvalidArgumentError: an input is no matrix, or has other rows than the first; num_buckets
            is negative.
    """
    key = hash_key or DEFAULT_KEY
    require_hash(num_buckets, key, "cross_hashed")
    indices, values, shapes, dense = _operands(inputs)
    all_texts = all(one.dtype is dtypes.string for one in (*values, *dense))
    parts = bind(
        SparseCross, indices, values, shapes, dense, hashed_output=True, num_buckets=num_buckets,
        hash_key=key, out_type=dtypes.int64,
        internal_type=dtypes.string if all_texts else dtypes.int64, name=name,
    )  # fmt: skip
    return SparseTensor.of_parts(*parts)


def _operands(inputs: Any) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Indices, values and shapes of sparse inputs, and the other inputs."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"the inputs must be a list, not {type(inputs).__name__}")
    for one in inputs:
        if not isinstance(one, (SparseTensor, TensorLike)):
            raise TypeError(f"all inputs must be tensors or SparseTensors, not {type(one)}")
    sparse = [one for one in inputs if isinstance(one, SparseTensor)]
    dense = [one for one in inputs if not isinstance(one, SparseTensor)]
    return (
        [one.indices for one in sparse],
        [text_or_integers(one.values) for one in sparse],
        [one.dense_shape for one in sparse],
        [text_or_integers(one) for one in dense],
    )


def text_or_integers(values: Any) -> Any:
    """Strings as they are, all other values as int64."""
    return values if values.dtype is dtypes.string else cast(values, dtypes.int64)
