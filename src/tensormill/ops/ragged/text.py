"""The texts of ragged tensors: nested lists, the middle of long rows left out."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.specs import TensorSpec
from ..bind import bind
from ..op import Attr, In, Op, Out
from ..origins import Origin
from ..strings.byte_strings import as_string
from ..strings.tensor_text import shown, text_array


class RaggedTensorToText(Op):
    """`[[1, 2], [3]]`, of the elements' texts and the row splits, the outermost first."""

    texts = In("str *s")
    splits = In("[S]")
    output = Out("str")
    summarize = Attr(3)
    origin = Origin.GRAPHS
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        nested = [_text(row, self.summarize) for row in self.texts]
        for splits in reversed(self.splits):
            pairs = itertools.pairwise(splits.tolist())
            nested = [_listed(nested[a:b], self.summarize) for a, b in pairs]
        return text_array(_listed(nested, self.summarize))


def _text(element: Any, summarize: int) -> str:
    if isinstance(element, bytes):
        return element.decode("utf-8", "surrogateescape")
    return _listed([_text(one, summarize) for one in element], summarize)


def _listed(words: list[str], summarize: int) -> str:
    places = shown(len(words), summarize)
    kept = [words[place] for place in places]
    if len(kept) < len(words):
        kept.insert(summarize, "...")
    return f"[{', '.join(kept)}]"


def text_of_array(array: Any) -> str:
    """The elements of a ragged tensor as NumPy lays out arrays: in lines, long ones shortened."""
    if not array.size:
        return str(array.tolist())
    return np.array2string(array, separator=", ", formatter={"all": _text_within})


def _text_within(element: Any) -> str:
    return text_of_array(element) if isinstance(element, np.ndarray) else str(element)


def ragged_text(ragged: Any, summarize: int) -> Any:
    """The text of a ragged tensor as a string tensor; strings stand in single quotes."""
    flat = ragged.flat_values
    texts = as_string(flat)
    if flat.dtype is dtypes.string:
        texts = "'" + texts + "'"
    splits = list(ragged.nested_row_splits)
    return bind(RaggedTensorToText, texts, splits, summarize=summarize)
