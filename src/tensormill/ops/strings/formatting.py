"""`tf.strings.format`: the texts of tensors at places of a template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...core.values import RaggedBase
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import Attr, In, Op, Out
from .tensor_text import array_text, text_array


class StringFormat(Op):
    """`template` with each placeholder replaced by the text of an input."""

    inputs_ = In("[T]")  # `inputs` is what every operation calls its fields
    output = Out("str")
    template = Attr("%s")
    placeholder = Attr("%s")
    summarize = Attr(3)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        pieces = self.template.split(self.placeholder)
        texts = [array_text(array, self.summarize) for array in self.inputs_]
        joined = pieces[0]
        for text, piece in zip(texts, pieces[1:], strict=True):
            joined += text + piece
        return text_array(joined)


@dispatchable
def format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Any:
    """`template` with each placeholder replaced by the text of an input, as a string tensor.

    inputs: a tensor, or a list of them, of any dtypes and shapes. The result is a scalar.
    summarize: how many entries at either end of an axis are shown (-1: all).

    >>> tf.strings.format("{} of {}", [tf.constant([1, 2]), 3]).numpy()
    b'[1 2] of 3'

    Raises:
        ValueError: the numbers of placeholders and inputs differ.
        TypeError: the input is a number.
    """
    if isinstance(inputs, (int, float, complex)):
        raise TypeError(f"`inputs` of tf.strings.format are tensors, got {inputs!r}: give a list")
    listed = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    wanted = template.count(placeholder)
    if wanted != len(listed):
        raise ValueError(
            f"The template expects {wanted} tensors, one for each {placeholder!r}, but the inputs "
            f"are {len(listed)}"
        )
    if any(isinstance(one, RaggedBase) for one in listed):
        return filled(template, placeholder, listed, summarize)
    tensors = [as_tensor(one) for one in listed]
    return bind(
        StringFormat, tensors, template=template, placeholder=placeholder, summarize=summarize,
        name=name,
    )  # fmt: skip


def filled(template: str, placeholder: str, tensors: Sequence[Any], summarize: int) -> Any:
    """`template` with the texts of tensors, dense and ragged, at its placeholders."""
    pieces = template.split(placeholder) if tensors else [template]
    texts: list[Any] = []
    start = 0
    for place, tensor in enumerate(tensors):
        if isinstance(tensor, RaggedBase):
            from ..ragged.text import ragged_text

            texts.append(_with_dense(pieces[start : place + 1], tensors[start:place], summarize))
            texts.append(ragged_text(tensor, summarize))
            start = place + 1
    texts.append(_with_dense(pieces[start:], tensors[start:], summarize))
    if len(texts) == 1:
        return texts[0]
    from .byte_strings import join

    return join(texts)


def _with_dense(pieces: Sequence[str], tensors: Sequence[Any], summarize: int) -> Any:
    """The pieces, with the texts of dense tensors between them."""
    if not tensors:
        return as_tensor(pieces[0], dtypes.string)
    placeholder = absent_from("".join(pieces))
    return bind(
        StringFormat, [as_tensor(one) for one in tensors], template=placeholder.join(pieces),
        placeholder=placeholder, summarize=summarize,
    )  # fmt: skip


def absent_from(text: str) -> str:
    """A placeholder that does not occur in `text`."""
    placeholder = "{}"
    while placeholder in text:
        placeholder = f"<{placeholder}>" if len(placeholder) < 64 else placeholder + "."
    return placeholder
