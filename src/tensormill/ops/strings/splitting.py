"""Strings split into rows of strings, and rows of strings joined to n-grams."""

from __future__ import annotations

import math
from itertools import chain, pairwise
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.native_operations import TEXTS
from ...core.specs import TensorSpec
from ..array.shapes import reshape
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import INDEX, Attr, In, Op, Out
from ..ragged.ragged_tensor import RaggedTensor
from .rows import demand_rows
from .spans.cutting import SplitSpans, SplitSpansAtAny, parts_at_any, parts_of
from .spans.ngrams import NGramRuns
from .spans.runs import JoinRuns, SegmentRuns, demand_segments, filled_text, shape_of_segments
from .spans.spans import Spans, in_a_list, joined_lists, text_spans


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
    native_from = TEXTS
    native_values = frozenset(("sep",))

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
    native_from = TEXTS
    native_values = frozenset(("delimiter",))

    def eager(self, np: Any) -> Any:
        cuts = self.delimiter[()]
        texts: list[bytes] = self.input.tolist()
        return _sparse([parts_at_any(text, cuts, self.skip_empty) for text in texts], np)

    def on_spans(self) -> Any:
        if self.delimiter.constant is None:
            return NotImplemented
        cuts = self.delimiter.constant.item().decode("latin-1")
        indices, starts, stops, shape = bind(
            SplitSpansAtAny, *self.input.parts, delimiter=cuts, skip_empty=self.skip_empty
        )
        return indices, Spans(starts, stops, self.input.bytes), shape


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
    native_from = TEXTS

    def demands(self, sizes: Any) -> tuple[Any, ...]:
        """The shape of the result."""
        return demand_segments(sizes, self.inputs_, self.segment_ids, self.num_segments)

    def infer(self) -> TensorSpec:
        found = shape_of_segments(self.inputs_, self.segment_ids, self.num_segments)
        return TensorSpec(found, dtypes.string)

    def eager(self, np: Any) -> Any:
        count, *rest = self.found
        ids, separator = self.segment_ids.reshape(-1).tolist(), self.separator.encode()
        rows = self.inputs_.reshape(len(ids), math.prod(rest)).tolist()
        runs: list[list[list[bytes]]] = [[[] for _ in range(math.prod(rest))] for _ in range(count)]
        for segment, row in zip(ids, rows, strict=True):
            for run, text in zip(runs[segment], row, strict=True):
                run.append(text)
        found = [filled_text(run, separator) for row in runs for run in row]
        return np.fromiter(found, object, len(found)).reshape(self.found)

    def on_spans(self) -> Any:
        if None in (self.inputs_.shape.rank, self.segment_ids.shape.rank):
            return NotImplemented
        items, begins, ends = bind(
            SegmentRuns, self.inputs_.starts, self.segment_ids, self.num_segments
        )
        starts, stops, row = in_a_list(self.inputs_).parts
        made = bind(
            JoinRuns, starts, stops, row, items, begins, ends,
            separator=self.separator, filled=True,
        )  # fmt: skip
        return Spans(*made, is_whole=True)


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
    native_from = TEXTS

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

    def on_spans(self) -> Any:
        padding = [text_spans(text) for text in (self.left_pad, self.right_pad)]
        starts, stops, row = joined_lists([*padding, self.data])
        items, begins, ends, splits = bind(
            NGramRuns, self.data.starts, self.data_splits, ngram_widths=self.ngram_widths,
            pad_width=self.pad_width, preserve_short_sequences=self.preserve_short_sequences,
        )  # fmt: skip
        made = bind(JoinRuns, starts, stops, row, items, begins, ends, separator=self.separator)
        return Spans(*made, is_whole=True), splits

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
    widths = np.ravel(ngram_width).tolist()
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
