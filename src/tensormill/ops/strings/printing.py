"""tf.print: tensors written out when the program runs."""

from __future__ import annotations

import itertools
import sys
from typing import Any, Final

from ...core import dtypes
from ...core.files import gfile
from ...core.files.atomic import append
from ...core.process.locks import ForkedLock
from ...core.process.logs import logger
from ...core.values import TensorLike
from ..bind import bind
from ..effects import World
from ..op import ANY, Attr, In, Op, Out
from .formatting import filled
from .nested_text import templated
from .tensor_text import first_text

_LEVELS = {"log(info)": 20, "log(warning)": 30, "log(error)": 40}
# As absl's logging counts them, which most programs of TensorFlow's authors log by.
_LEVELS_OF_ABSL = {0: "log(info)", -1: "log(warning)", -2: "log(error)"}
_FILE = "file://"


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


class Print(Op):
    """Gives `input` on, and writes `data` to the stream of errors, the first times (-1: always).

    Eagerly all calls that say the same count together; in graphs each operation for itself.
    """

    input = In("T *s")
    data = In("[U]")
    output = Out("T *s")
    message = Attr("")
    first_n = Attr(-1)
    summarize = Attr(3)
    _node = Attr("")
    T = U = ANY
    effects = (World.PRINTS,)

    @staticmethod
    def attrs_of_name(name: str) -> dict[str, str]:
        return {"_node": f"{name}@{next(_SERIAL)}"}

    def eager(self, np: Any) -> Any:
        if self.first_n < 0 or self.is_among_first():
            texts = [f"[{first_text(one, self.summarize)}]" for one in self.data]
            write_text(f"{_as_text(self.message)}{''.join(texts)}\n", "stderr")
        return self.input.copy()

    def is_among_first(self) -> bool:
        """Whether it has printed less often than it may; counts this time."""
        key = self._node, self.message, self.first_n, self.summarize
        place = *key, *(one.dtype.str for one in (self.input, *self.data))
        with _COUNTING():
            before = _PRINTED.get(place, 0)
            _PRINTED[place] = min(before + 1, self.first_n)
        return before < self.first_n

    def vjp(self, dy: Any) -> Any:
        return dy, *[None] * len(self.data)


_SERIAL: Final = itertools.count()
_PRINTED: Final[dict[Any, int]] = {}
_COUNTING: Final = ForkedLock()


def _as_text(message: Any) -> str:
    return message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)


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
    by_level = {level: name for name, level in _LEVELS.items()} | _LEVELS_OF_ABSL
    if isinstance(stream, int) and stream in by_level:
        return by_level[stream]
    raise ValueError(
        f"Unsupported output stream, logging level, or file: {stream}. Print to sys.stdout, to "
        "sys.stderr, to a level (tf.compat.v1.logging.INFO), or to 'file://' and a path"
    )


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


def _is_text(value: Any) -> bool:
    """A string tensor alone is written as it is, without quotes."""
    return isinstance(value, TensorLike) and value.dtype is dtypes.string and value.shape.rank == 0
