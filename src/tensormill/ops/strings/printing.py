"""tf.print and its like: tensors written out when the program runs."""

from __future__ import annotations

import pprint
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.files import gfile
from ...core.files.atomic import append
from ...core.process.logs import logger
from ...core.specs import TensorSpec
from ...core.tree import Composite
from ...core.values import RaggedBase, TensorLike
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import Attr, In, Op, Out
from .tensor_text import array_text

_LEVELS = {"log(info)": 20, "log(warning)": 30, "log(error)": 40}
_FILE = "file://"


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


def text_array(text: str) -> Any:
    """A scalar string array."""
    array = numpy_module.empty((), object)
    array[()] = text.encode("utf-8", "surrogateescape")
    return array


class PrintV2(Op):
    """Writes a string and `end` to a stream: stdout, stderr, log(info), ..., or file://path.

    `_within` are the directories where such a file may be (`files.py`).
    """

    input = In("str")
    output_stream = Attr("stderr")
    end = Attr("\n")
    _within = Attr(())
    effects = (World.PRINTS,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        text = self.input[()].decode("utf-8", "replace")
        stream = self.output_stream
        if stream.startswith(_FILE):
            stream = _FILE + gfile.confined(stream[len(_FILE) :], self._within, writes=True)
        write_text(text + self.end, stream)
        return ()


def write_text(text: str, stream: str) -> None:
    """Write to where `stream` (an attribute of PrintV2) says."""
    if stream.startswith(_FILE):
        append(stream[len(_FILE) :], text.encode())
    elif stream in _LEVELS:
        logger.log(_LEVELS[stream], "%s", text.removesuffix("\n"))
    else:
        # Python's own stream, so that the order with Python's print is kept.
        target = sys.stdout if stream == "stdout" else sys.stderr
        target.write(text)
        target.flush()


def stream_name(stream: Any) -> str:
    """What PrintV2 calls an output stream.

    Raises:
        ValueError: it is neither a standard stream, nor a logging level, nor "file://...".
    """
    if isinstance(stream, str) and stream.startswith(_FILE):
        return stream
    if stream is sys.stdout or stream is sys.__stdout__:
        return "stdout"
    if stream is sys.stderr or stream is sys.__stderr__:
        return "stderr"
    by_level = {level: name for name, level in _LEVELS.items()}
    if isinstance(stream, int) and stream in by_level:
        return by_level[stream]
    raise ValueError(
        f"Unsupported output stream, logging level, or file: {stream}. Print to sys.stdout, to "
        "sys.stderr, to a level (tf.compat.v1.logging.INFO), or to 'file://' and a path"
    )


class _Blank:
    """Stands for a tensor in a nest that is about to be written out."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __lt__(self, other: Any) -> bool:
        return self.text < str(other)


def _described(value: Any, describe: Callable[[Any], Any]) -> Any:
    """A nest with each tensor replaced by what `describe` returns for it."""
    if isinstance(value, (TensorLike, RaggedBase)):
        return describe(value)
    if isinstance(value, Composite) and (parts := _named_parts(value)):
        inner = ", ".join(f"{name}={describe(part)!r}" for name, part in parts)
        return _Blank(f"{type(value).__name__}({inner})")
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_described(one, describe) for one in value))
    if isinstance(value, tuple):
        return tuple(_described(one, describe) for one in value)
    if isinstance(value, (list, range)):
        return [_described(one, describe) for one in value]
    if isinstance(value, dict):
        # Keys in order: tensors are numbered in the order in which they are written.
        changed = {key: _described(value[key], describe) for key in _in_order(value)}
        return changed if type(value) is dict else _like_mapping(value, changed)
    return value


def _named_parts(value: Any) -> list[tuple[str, Any]]:
    """What sparse tensors and slices of tensors consist of."""
    if not hasattr(value, "dense_shape"):
        return []
    parts = ("indices", value.indices), ("values", value.values)
    shape = value.dense_shape
    return list(parts) if shape is None else [*parts, ("shape", shape)]


def _in_order(mapping: dict[Any, Any]) -> Iterable[Any]:
    if type(mapping) is not dict:
        return mapping
    try:
        return sorted(mapping)
    except TypeError:
        return mapping


def _like_mapping(mapping: Any, changed: dict[Any, Any]) -> Any:
    try:
        return type(mapping)(changed)
    except TypeError:  # a defaultdict wants a factory first
        return changed


def templated(inputs: Any, sep: str) -> tuple[str, str, list[Any]]:
    """A template, its placeholder, and the tensors that fill it, in order."""
    found: list[Any] = []

    def describe(tensor: Any) -> _Blank:
        found.append(tensor)
        return _Blank(placeholder)

    plain = sep + "".join(one if isinstance(one, str) else "" for one in inputs)
    others = [one for one in inputs if not isinstance(one, (TensorLike, Composite))]
    placeholder = absent_from(plain + repr(others))
    words = [
        one if isinstance(one, str) else pprint.pformat(_described(one, describe), sort_dicts=True)
        for one in inputs
    ]
    return sep.join(words), placeholder, found


def absent_from(text: str) -> str:
    """A placeholder that does not occur in `text`."""
    placeholder = "{}"
    while placeholder in text:
        placeholder = f"<{placeholder}>" if len(placeholder) < 64 else placeholder + "."
    return placeholder


def print(*inputs: Any, **kwargs: Any) -> Any:
    r"""Write tensors, Python values and nests of both, each time that the program gets here.

    In a trace the operation is returned, for control dependencies to hang on; else None.

    Keywords:
        output_stream: sys.stderr (the default), sys.stdout, a logging level (20, 30, 40), or
            "file://PATH", to which is appended.
        end: what follows ("\n"). sep: what stands between the inputs (" ").
        summarize: how many entries at either end of an axis are shown (3; -1: all).

    >>> import sys
    >>> tf.print("x:", tf.range(10), output_stream=sys.stdout)
    x: [0 1 2 ... 7 8 9]

    Raises:
        ValueError: an unknown keyword or output stream.
    """
    stream = stream_name(kwargs.pop("output_stream", sys.stderr))
    name, summarize = kwargs.pop("name", None), kwargs.pop("summarize", 3)
    sep, end = kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    if summarize is not None and summarize < -1:
        summarize = -1
    if len(inputs) == 1 and _is_text(inputs[0]):
        return bind(PrintV2, inputs[0], output_stream=stream, end=end, name=name)
    template, placeholder, tensors = templated(inputs, sep)
    text = filled(template, placeholder, tensors, 3 if summarize is None else summarize)
    return bind(PrintV2, text, output_stream=stream, end=end, name=name)


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


def _is_text(value: Any) -> bool:
    """A string tensor alone is written as it is, without quotes."""
    return isinstance(value, TensorLike) and value.dtype is dtypes.string and value.shape.rank == 0


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
    """
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
