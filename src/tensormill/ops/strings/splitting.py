"""Strings split into rows of strings, and rows of strings joined to n-grams."""

from __future__ import annotations

import math
import re
from itertools import chain, pairwise
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.shapes import reshape
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import INDEX, Attr, In, Op, Out
from ..ragged.ragged_tensor import RaggedTensor
from .spans.cutting import SplitSpans, parts_of
from .spans.spans import Spans


class StringSplitV2(Op):
    """The parts of each string between separators ("": white space, of which several count as
    one): a sparse tensor.
    """

    input = In("str n")
    sep = In("str")
    indices = Out("i64 k two")
    values = Out("str k")
    shape = Out("i64 two")
    maxsplit = Attr(-1)
    differentiable = False

    def infer(self) -> Any:
        return (
            TensorSpec((None, 2), dtypes.int64), TensorSpec((None,), dtypes.string),
            TensorSpec((2,), dtypes.int64),
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        texts: list[bytes] = self.input.tolist()
        return _sparse([parts_of(text, self.sep[()], self.maxsplit) for text in texts], np)

    def on_spans(self) -> Any:
        if self.sep.constant is None:
            return NotImplemented
        separator = self.sep.constant.item().decode("latin-1")
        indices, starts, stops, shape = bind(
            SplitSpans, *self.input.parts, sep=separator, maxsplit=self.maxsplit
        )
        return indices, Spans(starts, stops, self.input.bytes), shape


class StringSplit(Op):
    """The parts of each string between any of the bytes in `delimiter` ("": every byte): a sparse
    tensor.
    """

    input = In("str n")
    delimiter = In("str")
    indices = Out("i64 k two")
    values = Out("str k")
    shape = Out("i64 two")
    skip_empty = Attr(True)
    differentiable = False
    infer = StringSplitV2.infer

    def eager(self, np: Any) -> Any:
        cuts = self.delimiter[()]
        rows = [_cut(text, cuts) for text in self.input.tolist()]
        if self.skip_empty:
            rows = [[part for part in row if part] for row in rows]
        return _sparse(rows, np)


def _cut(text: bytes, cuts: bytes) -> list[bytes]:
    if not text:
        return []  # nothing, not one empty part
    if not cuts:
        return [text[place : place + 1] for place in range(len(text))]
    return re.split(b"[" + re.escape(cuts) + b"]", text)


def _sparse(rows: list[list[bytes]], np: Any) -> Any:
    """The places, values and shape of rows of strings."""
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    total = int(counts.sum())
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.stack([np.repeat(np.arange(len(rows)), counts), within], 1)
    values = np.fromiter(chain.from_iterable(rows), object, total)
    return places, values, np.array([len(rows), counts.max(initial=0)], np.int64)


class UnsortedSegmentJoin(Op):
    """The strings of each segment joined, in their order: the separator follows what is there."""

    inputs_ = In("str ...")
    segment_ids = In("Tindices ...")
    num_segments = In("Tnumsegments")
    output = Out("str ...")
    separator = Attr("")
    Tindices = INDEX
    Tnumsegments = INDEX
    differentiable = False

    def infer(self) -> TensorSpec:
        ids, whole = self.segment_ids.shape.rank, self.inputs_.shape.entries
        if ids is None or whole is None:
            return TensorSpec(None, dtypes.string)
        return TensorSpec(((self.num_segments.sizes or (None,))[0], *whole[ids:]), dtypes.string)

    def eager(self, np: Any) -> Any:
        ids = self.segment_ids
        if self.inputs_.shape[: ids.ndim] != ids.shape:
            raise InvalidArgumentError(
                f"segment ids of shape {list(ids.shape)} do not begin the shape of the strings, "
                f"{list(self.inputs_.shape)}"
            )
        count, rest = int(self.num_segments), self.inputs_.shape[ids.ndim :]
        if ids.size and not 0 <= ids.min() <= ids.max() < count:
            raise InvalidArgumentError(
                f"segment ids are numbers from 0 to below num_segments, {count}; these are from "
                f"{ids.min()} to {ids.max()}"
            )
        result = np.full((count, *rest), b"", object)
        joined, separator = result.reshape(count, math.prod(rest)), self.separator.encode()
        rows = self.inputs_.reshape(ids.size, math.prod(rest)).tolist()
        for segment, row in zip(ids.reshape(-1).tolist(), rows, strict=True):
            for column, text in enumerate(row):
                before = joined[segment, column]
                joined[segment, column] = before + separator + text if before else text
        return result


def demand_rows(sizes: Any, name: str, splits: Any, values: Any) -> None:
    """Refuse splits that do not go from the first of some values behind the last."""
    last, (count,) = sizes.shape(splits)[0] - 1, sizes.shape(values)

    def is_end(number: Any, place: Any) -> Any:
        return ((place != 0) | (number == 0)) & ((place != last) | (number == count))

    sizes.each_pair(splits, lambda one, after: one <= after, InvalidArgumentError, NOT_SORTED)
    sizes.each(splits, is_end, InvalidArgumentError, NOT_ALL, name, count, placed=True)


NOT_SORTED = "splits have to be sorted"
NOT_ALL = "{}: splits go from 0 to {}, the number of values, and splits{at} is {it}"


class StringNGrams(Op):
    """All runs of `ngram_widths` neighbours in rows of strings, joined."""

    data = In("str n")
    data_splits = In("Tsplits m")
    ngrams = Out("str k")
    ngrams_splits = Out("Tsplits m")
    separator = Attr(str)
    ngram_widths = Attr()
    left_pad = Attr(str)
    right_pad = Attr(str)
    pad_width = Attr(int)
    preserve_short_sequences = Attr()
    Tsplits = INDEX
    differentiable = False

    def demands(self, sizes: Any) -> None:
        demand_rows(sizes, self.name, self.data_splits, self.data)

    def infer(self) -> Any:
        splits = TensorSpec(self.data_splits.shape, self.data_splits.dtype)
        return TensorSpec((None,), dtypes.string), splits

    def eager(self, np: Any) -> Any:
        splits, data = self.data_splits.tolist(), self.data.tolist()
        # Where there is no text at all, padding makes none.
        rows = [self.row(data[start:end]) if data else [] for start, end in pairwise(splits)]
        found = [one for row in rows for one in row]
        values = np.empty(len(found), object)
        values[:] = found
        counts = [0, *map(len, rows)][: len(splits)]  # none where there are no splits
        return values, np.cumsum(counts).astype(self.data_splits.dtype)

    def row(self, texts: list[bytes]) -> list[bytes]:
        found = [one for width in self.ngram_widths for one in self.runs(texts, width)]
        if not found and texts and self.preserve_short_sequences:
            return self.runs(texts, len(texts) + 2 * max(self.pad_width, 0))
        return found

    def runs(self, texts: list[bytes], width: int) -> list[bytes]:
        count = width - 1 if self.pad_width < 0 else min(self.pad_width, width - 1)
        left, right = [self.left_pad.encode()] * count, [self.right_pad.encode()] * count
        padded = [*left, *texts, *right]
        separator = self.separator.encode()
        return [
            separator.join(padded[start : start + width])
            for start in range(len(padded) - width + 1)
        ]


# ---------------------------------------------------------------- functions


def in_rows(input: Any, split_vector: Any) -> Any:
    """Strings of any rank, each of which `split_vector` makes a row of."""
    if isinstance(input, RaggedTensor):
        return input.with_flat_values(in_rows(input.flat_values, split_vector))
    text = as_tensor(input, dtypes.string)
    rank = text.shape.rank
    if rank is None:
        raise ValueError("Rank of input must be statically known.")
    if rank == 0:
        return split_vector(reshape(text, [1])).values
    if rank == 1:
        return split_vector(text)
    outer = RaggedTensor.from_tensor(text, ragged_rank=rank - 1)
    return outer.with_flat_values(split_vector(outer.flat_values))


@dispatchable
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """The parts of each string between separators: a RaggedTensor with one axis more than `input`,
    or a vector for a scalar.

    input: string [...]. sep: a scalar; None or "" for white space, of which several count as one.
    maxsplit: at most so many cuts (-1: any number).

    >>> tf.strings.split(["a b", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    >>> tf.strings.split("a,,b", sep=",").numpy()
    array([b'a', b'', b'b'], dtype=object)

    Raises:
        InvalidArgumentError: `input` is no string; or its rank is not known, and it turns out to be
            no vector.
    """
    separator = as_tensor("" if sep is None else sep, dtypes.string)

    def parts(text: Any) -> RaggedTensor:
        return _ragged(bind(StringSplitV2, text, separator, maxsplit=maxsplit, name=name))

    text = input if isinstance(input, RaggedTensor) else as_tensor(input, dtypes.string)
    return parts(text) if text.shape.rank is None else in_rows(text, parts)


@dispatchable
def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of each string, as strings of one byte: a RaggedTensor with one axis more than
    `input`, or a vector for a scalar.

    input: string [...]. (`unicode_split` gives characters.)

    >>> tf.strings.bytes_split(["abc", "d"])
    <tf.RaggedTensor [[b'a', b'b', b'c'], [b'd']]>

    Raises:
        ValueError: the rank of `input` is not known.
    """
    every = as_tensor("", dtypes.string)
    return in_rows(
        input, lambda text: _ragged(bind(StringSplit, text, every, skip_empty=False, name=name))
    )


def _ragged(sparse: Any) -> RaggedTensor:
    indices, values, shape = sparse
    return RaggedTensor.from_value_rowids(values, indices[:, 0], shape[0], validate=False)


@dispatchable
def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Any:
    """The strings whose segment is k joined, for each k below `num_segments`.

    inputs: string [*ids, ...]; segment_ids: int32 or int64 of shape [*ids]. The result has the
    shape [num_segments, ...]; a segment without strings is "".

    >>> tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 3, separator="-").numpy()
    array([b'b', b'a-c', b''], dtype=object)

    Raises:
        InvalidArgumentError: `segment_ids` have not the first sizes of `inputs`, or one is not in
            [0, num_segments).
    """
    return bind(
        UnsortedSegmentJoin, as_tensor(inputs, dtypes.string), segment_ids, num_segments,
        separator=separator, name=name,
    )  # fmt: skip


@dispatchable
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """All runs of `ngram_width` (an int, or several) neighbours along the last axis, joined.

    data: string [..., n], dense or ragged; the result has as many axes, and is ragged if `data` is.
    pad_values: a string, or one for each side, put around the rows; padding_width: how often, at
    most one time less than the width. preserve_short_sequences: a row that is too short gives
    itself.

    >>> tf.strings.ngrams(["a", "b", "c"], 2, separator="-").numpy()
    array([b'a-b', b'b-c'], dtype=object)

    Raises:
        ValueError: the rank of `data` is 0 or not known; a width is below 1.
    """
    widths = [ngram_width] if isinstance(ngram_width, int) else list(ngram_width)
    if any(width < 1 for width in widths):
        raise ValueError(f"every ngram_width is at least 1, not {ngram_width}")
    if padding_width is not None and padding_width < 1:
        raise ValueError(f"padding_width is at least 1, not {padding_width}")
    is_pair = isinstance(pad_values, (list, tuple))
    left, right = pad_values if is_pair else (pad_values or "", pad_values or "")
    count = 0 if pad_values is None else -1 if padding_width is None else padding_width
    rows, is_dense, rank = data, not isinstance(data, RaggedTensor), 0
    if is_dense:
        text = as_tensor(data, dtypes.string)
        rank = text.shape.rank or 0
        if text.shape.rank is None:
            raise ValueError("Rank of data must be known.")
        if rank == 0:
            raise ValueError("data of ngrams must have a rank above 0, it is a scalar")
        if rank < 2:
            text = reshape(text, [1, -1])
        rows = RaggedTensor.from_tensor(text, ragged_rank=max(rank, 2) - 1)
    found = _innermost_ngrams(rows, {
        "separator": separator, "ngram_widths": tuple(widths), "left_pad": left,
        "right_pad": right, "pad_width": count,
        "preserve_short_sequences": preserve_short_sequences,
    })  # fmt: skip
    if not is_dense:
        return found
    return found.flat_values if rank < 2 else found.to_tensor("")


def _innermost_ngrams(rows: Any, attrs: dict[str, Any]) -> Any:
    if isinstance(rows.values, RaggedTensor):
        return rows.with_values(_innermost_ngrams(rows.values, attrs))
    values, splits = bind(StringNGrams, rows.values, rows.row_splits, **attrs)
    return RaggedTensor.from_row_splits(values, splits, validate=False)
