"""Batches of serialized examples as arrays: dense, sparse and ragged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import prod
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_examples import (
    BYTES,
    DAMAGED,
    FLOATS,
    INTEGERS,
    MISSING,
    NO_LIST,
    OTHER_KIND,
    Array,
    FoundExamples,
    WantedFeatures,
    native_reader,
)
from ...core.process.named_tuples import NamedTuple
from ...errors import DTypeMismatchError, InvalidArgumentError
from .wire_examples import FoundInPython

_KINDS: Final = {dtypes.string: BYTES, dtypes.float32: FLOATS, dtypes.int64: INTEGERS}
_DTYPES: Final = {kind: dtype for dtype, kind in _KINDS.items()}


class DenseFeature(NamedTuple):
    """As many values as its shape says in each example; of any number of rows, where that begins
    with None.
    """

    key: bytes
    dtype: DType
    shape: tuple[int | None, ...]

    @property
    def is_variable(self) -> bool:
        return self.shape[:1] == (None,)

    @property
    def width(self) -> int:
        """How many values there are, or how many a row has."""
        return prod(size for size in self.shape if size is not None)


class ListedFeature(NamedTuple):
    """Any number of values in each example."""

    key: bytes
    dtype: DType


class ExamplePlan(NamedTuple):
    """What is made of examples: the sparse features come first, then dense ones, then ragged.

    widths: how many values each dense feature has, or a row of it. variable: the dense features
    with any number of rows, by their places in `dense`.
    """

    wanted: WantedFeatures
    sparse: tuple[ListedFeature, ...]
    dense: tuple[DenseFeature, ...]
    ragged: tuple[ListedFeature, ...]
    splits: tuple[DType, ...]
    is_batch: bool
    widths: Array
    variable: tuple[int, ...]


@lru_cache(1024)
def plan_of(
    sparse: tuple[ListedFeature, ...],
    dense: tuple[DenseFeature, ...],
    ragged: tuple[ListedFeature, ...] = (),
    splits: tuple[DType, ...] = (),
    is_batch: bool = True,
) -> ExamplePlan:
    """The plan for these features, of a batch of examples or of one.

    Raises:
        InvalidArgumentError: lists of examples have no such dtype; a key occurs twice.
    """
    every = (*sparse, *dense, *ragged)
    keys = tuple(one.key for one in every)
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidArgumentError(f"the feature {_text(twice)} is asked for twice")
    kinds = tuple(kind_of(one.dtype) for one in every)
    keeps = tuple(is_batch and not isinstance(one, DenseFeature) for one in every)
    widths = np.array([one.width for one in dense], np.int64)
    variable = tuple(k for k, one in enumerate(dense) if one.is_variable)
    wanted = WantedFeatures(keys, kinds, keeps)
    return ExamplePlan(wanted, sparse, dense, ragged, splits, is_batch, widths, variable)


def kind_of(dtype: DType) -> int:
    """The number of the list in which an example has values of this dtype.

    Raises:
        InvalidArgumentError: (a TypeError, too) none has.
    """
    if dtype not in _KINDS:
        raise DTypeMismatchError(
            f"{dtype.name} is not in the list of allowed values: float32, int64, string; examples "
            "hold nothing else, use tf.cast on the result"
        )
    return _KINDS[dtype]


class ParsedExamples(NamedTuple):
    """Arrays, in the order of the features."""

    sparse_indices: list[Array]
    sparse_values: list[Array]
    sparse_shapes: list[Array]
    dense: list[Array]
    ragged_values: list[Array]
    ragged_splits: list[Array]

    def flat(self) -> tuple[Array, ...]:
        return tuple(array for part in self for array in part)


def parse_examples(
    texts: Sequence[bytes], names: Sequence[bytes], plan: ExamplePlan, defaults: Sequence[Array]
) -> ParsedExamples:
    """The features of a batch of examples; or of one, without the axis of a batch.

    Raises:
        InvalidArgumentError: an example cannot be read; a feature of it has other values than it
            should, or is missing and has no default.
    """
    if names and len(names) != len(texts):
        raise InvalidArgumentError(
            f"there are {len(texts)} serialized examples and {len(names)} names of them"
        )
    found = (native_reader() or FoundInPython)(texts, plan.wanted)
    require_sound(found, texts, names, plan)
    return ExampleBatch(found, names, plan, defaults).parsed()


def parse_rows(texts: Sequence[bytes], plan: ExamplePlan, defaults: Sequence[Array]) -> list[Any]:
    """What `parse_examples` gives for each of several texts by itself, by outputs.

    Raises:
        InvalidArgumentError: as `parse_examples` does, of the first of them that it is about.
    """
    found = (native_reader() or FoundInPython)(texts, plan.wanted)
    require_sound(found, texts, (), plan)
    return ExampleBatch(found, (), plan._replace(is_batch=True), defaults).rows()


class ExampleBatch:
    """What was found in examples, and becomes arrays."""

    def __init__(
        self,
        found: FoundExamples,
        names: Sequence[bytes],
        plan: ExamplePlan,
        defaults: Sequence[Array],
    ) -> None:
        self._names, self._plan, self._defaults = names, plan, defaults
        self._found, self._counts = found, np.maximum(found.counts, 0)
        self._size = len(found.counts)
        self._prefix = (self._size,) if plan.is_batch else ()
        first = len(plan.sparse)
        self._dense = slice(first, first + len(plan.dense))

    def parsed(self) -> ParsedExamples:
        plan = self._plan
        widths = self._widths()
        starts = np.cumsum(self._counts, axis=0) - self._counts
        starts[:, self._dense] = np.arange(self._size)[:, None] * widths
        totals = self._counts.sum(axis=0).tolist()
        first = self._dense.stop
        sparse = self._listed(plan.sparse, totals)
        dense = [self._new(k, width) for k, width in enumerate(widths.tolist())]
        ragged = self._listed(plan.ragged, totals[first:])
        self._found.take(starts, [*sparse, *dense, *ragged])
        for k in self._incomplete(widths):
            self._complete(k, dense[k])
        numbers = range(first, first + len(ragged))
        return ParsedExamples(
            [self._indices(k, values) for k, values in enumerate(sparse)],
            sparse,
            [self._shape(k) for k in range(len(sparse))],
            dense,
            ragged,
            [self._splits(*pair) for pair in zip(numbers, plan.splits, strict=True)],
        )

    def rows(self) -> list[Any]:
        """The parts of each example by itself, in the order of `ParsedExamples.flat`."""
        found, first = self.parsed(), self._dense.stop
        sparse = [self._pieces(k, one) for k, one in enumerate(found.sparse_values)]
        ragged = [self._pieces(k, one) for k, one in enumerate(found.ragged_values, first)]
        counts = self._counts[:, : len(sparse)].T[..., None].copy()
        splits = [np.empty((self._size, 0), one.storage) for one in self._plan.splits]
        places = [[np.arange(len(one))[:, None] for one in pieces] for pieces in sparse]
        return [*places, *sparse, *counts, *found.dense, *ragged, *splits]

    def _pieces(self, number: int, values: Array) -> list[Array]:
        """The values of a feature, example by example."""
        ends = np.cumsum(self._counts[:, number]).tolist()
        return [values[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    # ---------------------------------------------------------------- lists

    @staticmethod
    def _listed(features: Sequence[ListedFeature], totals: Sequence[int]) -> list[Array]:
        pairs = zip(features, totals, strict=False)
        return [np.empty(total, feature.dtype.storage) for feature, total in pairs]

    def _indices(self, number: int, values: Array) -> Array:
        if not self._prefix:
            return np.arange(len(values))[:, None]
        counts = self._counts[:, number]
        rows = np.repeat(np.arange(self._size), counts)
        places = np.arange(len(values)) - (np.cumsum(counts) - counts)[rows]
        return np.stack([rows, places], 1)

    def _shape(self, number: int) -> Array:
        counts = self._counts[:, number]
        return np.array([*self._prefix, counts.max(initial=0)], np.int64)

    def _splits(self, number: int, dtype: DType) -> Array:
        if not self._prefix:
            return np.empty(0, dtype.storage)
        ends = np.cumsum(self._counts[:, number])
        if self._size and ends[-1] > dtype.max:
            raise InvalidArgumentError(f"{dtype.name} cannot count {ends[-1]} values of a feature")
        return np.concatenate([np.zeros(1, np.int64), ends]).astype(dtype.storage)

    # ---------------------------------------------------------------- dense features

    def _widths(self) -> Array:
        """How many values each dense feature has, of an example."""
        counts, widths = self._found.counts[:, self._dense], self._plan.widths
        if not self._plan.variable:
            if (counts != widths).any():
                self._require_values(range(len(widths)))
            return widths
        widths, known = widths.copy(), self._counts[:, self._dense]
        self._require_values([k for k in range(len(widths)) if k not in self._plan.variable])
        for k in self._plan.variable:
            self._require_rows(k)
            widths[k] = known[:, k].max(initial=0)
        return widths

    def _new(self, number: int, width: int) -> Array:
        feature = self._plan.dense[number]
        shape = feature.shape
        if number in self._plan.variable:
            shape = (width // max(feature.width, 1), *shape[1:])
        return np.empty((*self._prefix, *shape), feature.dtype.storage)  # pyright: ignore[reportArgumentType, reportCallIssue]

    def _incomplete(self, widths: Array) -> Sequence[int]:
        """The dense features of which some example has fewer values than others."""
        return np.flatnonzero((self._counts[:, self._dense] < widths).any(axis=0)).tolist()

    def _complete(self, number: int, made: Array) -> None:
        """Put the default where there is no value."""
        counts, default = self._counts[:, self._dense.start + number], self._defaults[number]
        rows = made.reshape(self._size, -1)
        is_empty = np.arange(rows.shape[1]) >= counts[:, None]
        rows[is_empty] = np.broadcast_to(default.reshape(-1), rows.shape)[is_empty]

    def _require_values(self, numbers: Iterable[int]) -> None:
        """Refuse examples with another number of values, or with none where there is no default."""
        for number in numbers:
            feature = self._plan.dense[number]
            counts = self._found.counts[:, self._dense.start + number]
            is_missing = counts == MISSING
            is_wrong = ~is_missing & (counts != feature.width)
            if not self._defaults[number].size:
                is_wrong |= is_missing
            if is_wrong.any():
                self._refuse(int(is_wrong.argmax()), feature, counts)

    def _refuse(self, example: int, feature: DenseFeature, counts: Array) -> None:
        where = place(self._names, example, feature.key)
        if counts[example] == MISSING:
            raise InvalidArgumentError(
                f"{where} (data type: {feature.dtype.name}) is required but could not be found: "
                "it has no default_value"
            )
        raise InvalidArgumentError(
            f"{where} has {counts[example]} values, but its shape is {list(feature.shape)}: "
            f"{feature.width} are expected"
        )

    def _require_rows(self, number: int) -> None:
        feature = self._plan.dense[number]
        counts = self._counts[:, self._dense.start + number]
        is_wrong = counts % max(feature.width, 1) != 0
        if is_wrong.any():
            example = int(is_wrong.argmax())
            raise InvalidArgumentError(
                f"{place(self._names, example, feature.key)} has {counts[example]} values, which "
                f"is not a multiple of {feature.width}: its shape is {list(feature.shape)}"
            )


# ---------------------------------------------------------------- refusals


def require_sound(
    found: FoundExamples, texts: Sequence[bytes], names: Sequence[bytes], plan: ExamplePlan
) -> None:
    """Refuse examples that cannot be read, and features of other kinds."""
    if not found.whole.all():
        example = int(np.argmin(found.whole))
        raise InvalidArgumentError(
            f"{place(names, example)}could not parse example input: its {len(texts[example])} "
            "bytes are no serialized tf.train.Example, beginning with "
            f"{texts[example][:64]!r}"
        )
    is_wrong = found.counts < MISSING
    if not is_wrong.any():
        return
    example, number = map(int, np.unravel_index(is_wrong.argmax(), is_wrong.shape))
    where, wrong = place(names, example, plan.wanted.keys[number]), found.counts[example, number]
    if wrong == NO_LIST:
        raise InvalidArgumentError(f"{where} has an unsupported data type: no list of values")
    if wrong == DAMAGED:
        raise InvalidArgumentError(f"{where} can't be parsed: its list of values is damaged")
    expected, actual = _DTYPES[plan.wanted.kinds[number]], _DTYPES[int(OTHER_KIND - wrong)]
    raise InvalidArgumentError(
        f"{where}: data types don't match. Expected type: {expected.name}, actual type: "
        f"{actual.name}"
    )


def place(names: Sequence[bytes], example: int, key: bytes | None = None) -> str:
    """Which example, and which feature of it."""
    name = f" ({_text(names[example])})" if names else ""
    return f"example {example}{name}: " + ("" if key is None else f"feature {_text(key)}")


def _text(key: bytes) -> str:
    return repr(key.decode("utf-8", "replace"))
