"""Lists of features in serialized `tf.train.SequenceExample`s as arrays.

    SequenceExample { Features context = 1; FeatureLists feature_lists = 2 }
    FeatureLists { map<string, FeatureList> feature_list = 1 }
    FeatureList { repeated Feature feature = 1 }

The context lies where an Example has its features, and is parsed as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_examples import DAMAGED, MISSING, NO_LIST, Array
from ...core.process.named_tuples import NamedTuple
from ...errors import InvalidArgumentError
from .example_kernels import DenseFeature, ListedFeature, kind_of, place
from .wire import DELIMITED, WireError, WireReader, tag
from .wire_examples import entry, values_of

_FIRST: Final = tag(1, DELIMITED)
_SECOND: Final = tag(2, DELIMITED)


class StepsPlan(NamedTuple):
    """What is made of lists of features: sparse, dense and ragged tensors.

    may_be_missing: the dense ones that an example may lack, and has no steps of then.
    """

    sparse: tuple[ListedFeature, ...]
    dense: tuple[DenseFeature, ...]
    ragged: tuple[ListedFeature, ...]
    splits: tuple[DType, ...]
    may_be_missing: tuple[bool, ...]
    is_batch: bool


class ParsedSteps(NamedTuple):
    """Arrays, in the order of the features."""

    sparse_indices: list[Array]
    sparse_values: list[Array]
    sparse_shapes: list[Array]
    dense: list[Array]
    dense_lengths: list[Array]
    ragged_values: list[Array]
    ragged_outer_splits: list[Array]
    ragged_inner_splits: list[Array]


def parse_steps(texts: Sequence[bytes], names: Sequence[bytes], plan: StepsPlan) -> ParsedSteps:
    """The lists of features of a batch of sequence examples; or of one, without its axis.

    Raises:
        InvalidArgumentError: an example cannot be read; a feature of it has other values than it
            should, or a list is missing that may not be.
    """
    lists = [_lists(text, names, example) for example, text in enumerate(texts)]
    found = [_Steps(lists, names, one.key, one.dtype) for one in plan.sparse]
    dense = [
        _Steps(lists, names, one.key, one.dtype, None if missing else one)
        for one, missing in zip(plan.dense, plan.may_be_missing, strict=True)
    ]
    ragged = [_Steps(lists, names, one.key, one.dtype) for one in plan.ragged]
    pairs = list(zip(ragged, plan.splits, strict=True))
    is_batch = plan.is_batch
    lengths = [one.lengths if is_batch else one.lengths[0] for one in dense]
    return ParsedSteps(
        [one.indices()[:, 0 if is_batch else 1 :] for one in found],
        [one.values() for one in found],
        [one.shape()[0 if is_batch else 1 :] for one in found],
        [_dense(one, feature, is_batch) for one, feature in zip(dense, plan.dense, strict=True)],
        [np.asarray(one, np.int64) for one in lengths],
        [one.values() for one in ragged],
        [_outer_splits(one.lengths, kind, is_batch) for one, kind in pairs],
        [_splits(one.counts, kind) for one, kind in pairs],
    )


class _Steps:
    """The steps of one list of features, of all examples in a row."""

    def __init__(
        self,
        lists: Sequence[dict[bytes, list[bytes]]],
        names: Sequence[bytes],
        key: bytes,
        dtype: DType,
        required: DenseFeature | None = None,
    ) -> None:
        self._names, self._key, self._dtype = names, key, dtype
        self._steps: list[list[Any]] = []
        lengths: list[int] = []
        for example, found in enumerate(lists):
            if required is not None and key not in found:
                raise InvalidArgumentError(
                    f"{place(names, example)}feature list {key.decode('utf-8', 'replace')!r} is "
                    "required but could not be found; allow_missing=True takes it for empty"
                )
            features = found.get(key, [])
            lengths.append(len(features))
            self._steps += [self._values(one, example) for one in features]
        self.lengths = np.array(lengths, np.int64)
        self.counts = np.array([len(one) for one in self._steps], np.int64)

    def _values(self, feature: bytes, example: int) -> list[Any]:
        found = values_of(feature, kind_of(self._dtype))
        if not isinstance(found, int):
            return found
        if found == MISSING:
            return []
        where = place(self._names, example, self._key)
        if found == NO_LIST:
            raise InvalidArgumentError(f"{where} has an unsupported data type: no list of values")
        if found == DAMAGED:
            raise InvalidArgumentError(f"{where} can't be parsed: its list of values is damaged")
        raise InvalidArgumentError(
            f"{where}: data types don't match. Expected type: {self._dtype.name}"
        )

    def values(self) -> Array:
        flat = [value for step in self._steps for value in step]
        made = np.empty(len(flat), self._dtype.storage)
        made[:] = flat
        return made

    def rows(self) -> tuple[Array, Array]:
        """Of each step, its example and its number there."""
        examples = np.repeat(np.arange(len(self.lengths)), self.lengths)
        firsts = np.cumsum(self.lengths) - self.lengths
        return examples, np.arange(len(examples)) - firsts[examples]

    def indices(self) -> Array:
        """Of each value, its example, its step, and its number there."""
        firsts = np.cumsum(self.counts) - self.counts
        steps = np.repeat(np.arange(len(self.counts)), self.counts)
        examples, numbers = self.rows()
        places = np.arange(len(steps)) - firsts[steps]
        return np.stack([examples[steps], numbers[steps], places], 1).astype(np.int64)

    def shape(self) -> Array:
        sizes = len(self.lengths), self.lengths.max(initial=0), self.counts.max(initial=0)
        return np.array(sizes, np.int64)

    def require_counts(self, feature: DenseFeature) -> None:
        """Refuse steps with more or fewer values than the feature's shape has."""
        is_wrong = self.counts != feature.width
        if not is_wrong.any():
            return
        step = int(is_wrong.argmax())
        examples, numbers = self.rows()
        raise InvalidArgumentError(
            f"{place(self._names, int(examples[step]), self._key)} has {self.counts[step]} values "
            f"in step {numbers[step]}, but its shape is {list(feature.shape)}: {feature.width} are "
            "expected"
        )


def _dense(steps: _Steps, feature: DenseFeature, is_batch: bool) -> Array:
    """The steps of examples, shorter ones filled up with zeros or empty strings."""
    steps.require_counts(feature)
    sizes = [size for size in feature.shape if size is not None]
    most = int(steps.lengths.max(initial=0))
    nothing = b"" if feature.dtype is dtypes.string else 0
    made = np.full((len(steps.lengths), most, *sizes), nothing, feature.dtype.storage)
    examples, numbers = steps.rows()
    made[examples, numbers] = steps.values().reshape(-1, *sizes)
    return made if is_batch else made[0]


def _outer_splits(lengths: Array, dtype: DType, is_batch: bool) -> Array:
    """Those of examples; of one they mean nothing."""
    return _splits(lengths, dtype) if is_batch else np.zeros((), dtype.storage)


def _splits(counts: Array, dtype: DType) -> Array:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(dtype.storage)


def _lists(text: bytes, names: Sequence[bytes], example: int) -> dict[bytes, list[bytes]]:
    """The serialized features of each list of a sequence example."""
    try:
        return lists_of(text)
    except WireError:
        raise InvalidArgumentError(
            f"{place(names, example)}Invalid protocol message input: {len(text)} bytes are no "
            f"serialized tf.train.SequenceExample, beginning with {text[:64]!r}"
        ) from None


def lists_of(text: bytes) -> dict[bytes, list[bytes]]:
    """The serialized features of each list of a sequence example.

    Raises:
        WireError: it is none.
    """
    found: dict[bytes, list[bytes]] = {}
    reader = WireReader(text)
    while not reader.is_done():
        if not reader.begins(_SECOND):
            reader.skip()
            continue
        part = reader.part()
        while not part.is_done():
            part.require(_FIRST)
            key, features = entry(part.part())
            found[key] = _features(features)
    return found


def _features(data: bytes) -> list[bytes]:
    reader, found = WireReader(data), list[bytes]()
    while not reader.is_done():
        reader.require(_FIRST)
        begin, end = reader.span()
        found.append(data[begin:end])
    return found
