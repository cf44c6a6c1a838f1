"""`tf.summary`: numbers, histograms, texts and images for TensorBoard."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import nullcontext
from contextvars import ContextVar
from functools import partial
from typing import Any, Final

import numpy as np

from ..control.cond import cond
from ..core import context, dtypes
from ..core.files.gfile import text as path_text
from ..core.process.with_blocks import block, renewed, setting
from ..core.values import TensorLike
from ..eager.convert import convert_to_tensor
from ..eager.scopes import control_dependencies, get_current_name_scope, name_scope
from ..eager.tensor import wrap_handle
from ..errors import InvalidArgumentError
from ..graph.builder import current_graph
from ..ops.array.concatenation import stack
from ..ops.array.fill import ones_like
from ..ops.array.grids import linspace
from ..ops.array.select import where
from ..ops.array.shapes import reshape
from ..ops.audio.wav import encode_wav
from ..ops.bind import bind
from ..ops.control.flow import identity, no_op
from ..ops.control.python_functions import numpy_function
from ..ops.conversion import static_value
from ..ops.image.colors import convert_image_dtype
from ..ops.image.files.png import written as png_file
from ..ops.math.cast import cast
from ..ops.math.comparison import is_nan, logical_not
from ..ops.math.elementwise import floor
from ..ops.math.norms import clip_by_value
from ..ops.math.reduce import reduce_max, reduce_min
from ..ops.math.segments import unsorted_segment_sum
from ..ops.state.summaries import FlushSummaryWriter, WriteRawProtoSummary, WriteSummary
from .event_files import EventFile, graph_message, metadata_message

WRITTEN: Final = "_SUMMARY_V2"  # the collection of what was written, as TensorFlow calls it
_writer: ContextVar[SummaryWriter | None] = ContextVar("tensormill summary writer", default=None)
_condition: ContextVar[Any] = ContextVar("tensormill record_if", default=True)
_step: ContextVar[Any] = ContextVar("tensormill summary step", default=None)


class SummaryWriter:
    """Appends summaries to an event file; without one (`create_noop_writer`) it does nothing."""

    def __init__(self, file: EventFile | None = None) -> None:
        self._file = file
        self._handle = None if file is None else wrap_handle(file)

    @property
    def handle(self) -> Any:
        """What stands for the event file: a scalar of dtype resource."""
        return self._handle

    @block
    def as_default(self, step: Any = None) -> Generator[SummaryWriter]:
        """Let summaries go to this writer; `step` is then their step, until the block ends.

        Without one, the step that `set_step` says within the block holds behind it, too.

        Raises:
            RuntimeError: the writer was closed.
        """
        if self._file is not None and not self._file.is_open:
            raise RuntimeError("SummaryWriter is already closed")
        with setting(_writer, self), nullcontext() if step is None else setting(_step, step):
            try:
                yield self
            finally:
                self.flush()

    def set_as_default(self, step: Any = None) -> None:
        """Let summaries go to this writer from now on."""
        _writer.set(self)
        if step is not None:
            _step.set(step)

    def write_graph(self, graph_def: bytes) -> None:
        """Append a GraphDef."""
        if self._file is not None:
            self._file.append(graph_message(graph_def))

    @property
    def is_silent(self) -> bool:
        """Whether it writes nothing, ever."""
        return self._handle is None

    def write_raw(self, summary: Any, step: Any) -> None:
        """Append a Summary that somebody else has made."""
        if self._handle is not None:
            bind(WriteRawProtoSummary, self._handle, step, summary)

    def init(self) -> Any:
        """Nothing is left to be done; in a graph, an operation that does nothing."""
        return no_op() if context.building_graph() else None

    def flush(self) -> Any:
        """Put what was written into the file; in a graph, the operation that does it."""
        if self._handle is None:
            return self.init()
        bind(FlushSummaryWriter, self._handle)
        graph = current_graph()
        return None if graph is None else graph.latest_operation

    def close(self) -> None:
        """Flush, and take nothing more."""
        if self._file is not None:
            self._file.close()


def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """A writer to a new event file in a folder, which is made with the first summary.

    logdir: a path. filename_suffix: ".v2" by default. The other arguments change nothing;
    max_queue and flush_millis are integers.

    >>> with tf.summary.create_file_writer("logs/first").as_default():
    ...     _ = tf.summary.scalar("loss", 0.5, step=1)
    >>> len(tf.io.gfile.glob("logs/first/events.*"))
    1

    Raises:
        ValueError: `logdir` is None.
        TypeError: it is no path, or an argument is no integer.
        OpError (later): the file cannot be made.
    """
    if logdir is None:
        raise ValueError("create_file_writer: logdir is None, and no folder")
    for number in (max_queue, flush_millis):
        if number is not None:
            convert_to_tensor(number, dtypes.int32)
    suffix = ".v2" if filename_suffix is None else path_text(filename_suffix)
    return SummaryWriter(EventFile(path_text(logdir), suffix))


def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing.

    >>> with tf.summary.create_noop_writer().as_default(step=1):
    ...     _ = tf.summary.scalar("loss", 0.5)
    """
    return SummaryWriter(None)


def flush(writer: Any = None, name: str | None = None) -> None:
    """Put what was written into the file of a writer, or of the default one.

    >>> writer = tf.summary.create_file_writer("logs/flushed")
    >>> tf.summary.flush(writer)
    >>> len(tf.io.gfile.listdir("logs/flushed"))
    1

    Raises:
        ValueError: it is no writer.
    """
    chosen = _writer.get() if writer is None else writer
    if chosen is None:
        return
    if not hasattr(chosen, "flush"):
        raise ValueError(f"flush takes a writer of summaries, got {writer!r}")
    chosen.flush()


def get_step() -> Any:
    """The step of summaries that say none, or None.

    >>> with tf.summary.create_noop_writer().as_default(step=3):
    ...     print(tf.summary.experimental.get_step())
    3
    """
    return _step.get()


def set_step(step: Any) -> None:
    """Set the step of summaries that say none: a number, a variable, or None.

    >>> tf.summary.experimental.set_step(7)
    >>> tf.summary.experimental.get_step()
    7
    >>> tf.summary.experimental.set_step(None)
    """
    _step.set(step)


def record_if(condition: Any) -> renewed:
    """Write summaries only where `condition` (a bool, a tensor, or a function of them) holds.

    >>> with tf.summary.create_file_writer("logs/some").as_default(step=1):
    ...     with tf.summary.record_if(False):
    ...         print(bool(tf.summary.scalar("loss", 0.5)))
    False

    Raises:
        Nothing but what `condition` raises, when a summary asks it.
    """
    return renewed(partial(record_if, condition), _condition, condition)


def should_record_summaries() -> Any:
    """Whether summaries are written: a tensor.

    They are not without a writer, or with one that writes nothing.

    >>> bool(tf.summary.should_record_summaries())
    False
    """
    return convert_to_tensor(_wanted())


def _wanted() -> Any:
    """Whether summaries are written: a bool, or a bool tensor."""
    writer = _writer.get()
    if writer is None or writer.is_silent:
        return False
    condition = _condition.get()
    return condition() if callable(condition) else condition


@block
def summary_scope(
    name: str, default_name: str = "summary", values: Any = None
) -> Generator[tuple[str, str]]:
    """A name scope, and the tag of a summary in it: the scopes' names and its own.

    The scope has those of the name's characters that a scope may have; `default_name` without any.

    >>> with tf.name_scope("train"), tf.summary.experimental.summary_scope("loss") as (tag, scope):
    ...     print(tag, scope)
    train/loss train/loss/

    Raises:
        TypeError: the name is no text.
    """
    name = name or default_name
    outer = get_current_name_scope()
    inner = re.sub(r"[^A-Za-z0-9_.\-/]", "", name)
    tag = f"{outer}/{name}" if outer else name
    with name_scope(inner or default_name) as scope:
        yield tag, scope


def write(
    tag: Any, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Any:
    """Write a tensor (or what a function returns). Whether it was written: a bool tensor.

    tensor: any dtype and shape. metadata: a SummaryMetadata message, or its bytes.

    >>> with tf.summary.create_file_writer("logs/any").as_default():
    ...     print(bool(tf.summary.write("weights", [[1, 2], [3, 4]], step=1)))
    True

    Raises:
        ValueError: no step is given, and none is set.
    """
    writer = _writer.get()
    if writer is None:
        return convert_to_tensor(False)
    described = metadata if isinstance(metadata, bytes) else b""
    if metadata is not None and not isinstance(metadata, bytes):
        described = metadata.SerializeToString()

    def written() -> Any:
        if writer.handle is not None:
            number = _number_of(require_step(step))
            value = tensor() if callable(tensor) else tensor
            bind(WriteSummary, writer.handle, number, convert_to_tensor(value), tag, described)
        return _behind_what_was_written()

    return _where_wanted(written)


def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Write serialized Summary messages, a string scalar. Whether it was written: a bool tensor.

    >>> with tf.summary.create_file_writer("logs/raw").as_default():
    ...     print(bool(tf.summary.experimental.write_raw_pb(b"", step=1)))
    True

    Raises:
        ValueError: no step is given, and none is set.
        DataLossError: these are no bytes of a Summary.
    """
    writer = _writer.get()
    if writer is None:
        return convert_to_tensor(False)

    def written() -> Any:
        at = _number_of(require_step(step))
        writer.write_raw(convert_to_tensor(tensor, dtypes.string), at)
        return _behind_what_was_written()

    return _where_wanted(written)


def _number_of(step: Any) -> Any:
    """A step as files have it."""
    if isinstance(step, TensorLike):
        return cast(step, dtypes.int64)
    return convert_to_tensor(step, dtypes.int64)


def require_step(step: Any) -> Any:
    """The step, or the one that is set.

    Raises:
        ValueError: there is none.
    """
    found = _step.get() if step is None else step
    if found is None:
        raise ValueError(
            "No step set: give `step`, or call tf.summary.experimental.set_step for all summaries"
        )
    return found


def current_writer() -> SummaryWriter | None:
    """Where summaries go here."""
    return _writer.get()


def _where_wanted(written: Callable[[], Any]) -> Any:
    """What `written` returns where summaries are wanted; else False."""
    wanted = _wanted()
    known = wanted if isinstance(wanted, bool) else static_value(wanted)
    if known is None:
        found = cond(wanted, written, lambda: convert_to_tensor(False))
    else:
        found = written() if known else convert_to_tensor(False)
    if (graph := _graph_by_hand()) is not None:
        graph.add_to_collection(WRITTEN, found)
    return found


def _graph_by_hand() -> Any:
    graph = current_graph()
    return None if graph is None or graph.building_function else graph


def _behind_what_was_written() -> Any:
    """True; in a graph that is built by hand, where nothing else says so, once it is written."""
    graph = _graph_by_hand()
    if graph is None or graph.latest_operation is None:
        return convert_to_tensor(True)
    with control_dependencies([graph.latest_operation]):
        return identity(convert_to_tensor(True))


def _write(
    name: str,
    plugin: str,
    data: Callable[[], Any],
    step: Any,
    description: str | None,
    content: bytes = b"",
) -> Any:
    with summary_scope(name, f"{plugin.removesuffix('s')}_summary") as (tag, _):
        return write(tag, data, step, metadata_message(plugin, content, description))


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write a number. Whether it was written: a bool tensor.

    data: a scalar of any dtype of numbers, written as float32. Without a default writer nothing is.

    >>> with tf.summary.create_file_writer("logs/scalar").as_default():
    ...     print(bool(tf.summary.scalar("loss", 0.5, step=1)))
    True
    >>> bool(tf.summary.scalar("loss", 0.5, step=1))
    False

    Raises:
        ValueError: `data` is no scalar; no step is given, and none is set.
    """
    tensor = cast(convert_to_tensor(data), dtypes.float32)
    if tensor.shape.rank not in (0, None):
        raise ValueError(f"a scalar summary needs a scalar, not shape {tensor.shape}")
    return _write(name, "scalars", lambda: tensor, step, description)


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Write strings (Markdown). Whether they were written: a bool tensor.

    data: string of any shape.

    >>> with tf.summary.create_file_writer("logs/text").as_default():
    ...     print(bool(tf.summary.text("notes", "*rate* is 0.5", step=1)))
    True

    Raises:
        TypeError: `data` is no string.
        ValueError: no step is given, and none is set.
    """
    strings = convert_to_tensor(data, dtypes.string)
    return _write(name, "text", lambda: strings, step, description)


def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None,
    description: str | None = None,
) -> Any:  # fmt: skip
    """Write how numbers are distributed over `buckets` (30) intervals of equal width.

    data: numbers of any shape. Written are [buckets, 3] float64s: left edge, right edge and how
    many there are. Whether they were written: a bool tensor.

    >>> with tf.summary.create_file_writer("logs/histogram").as_default():
    ...     print(bool(tf.summary.histogram("weights", [0.0, 1.0, 1.5], step=1, buckets=2)))
    True

    Raises:
        ValueError: no step is given, and none is set; `buckets` is negative.
    """
    count = 30 if buckets is None else buckets
    if count < 0:
        raise ValueError(f"a histogram has no negative number of buckets, {count}")
    return _write(name, "histograms", lambda: _counted(data, count), step, description)


def _counted(data: Any, count: int) -> Any:
    """Rows of left edge, right edge and number: float64 [count, 3]."""
    numbers = reshape(cast(convert_to_tensor(data), dtypes.float64), [-1])
    if not count or numbers.shape.num_elements() == 0:
        return convert_to_tensor(np.zeros((count, 3)))
    low, high = reduce_min(numbers), reduce_max(numbers)
    edges = linspace(low, high, count + 1)
    # Where all numbers are one, all intervals are, and the last one has them.
    alike = high <= low
    width = where(alike, ones_like(low), (high - low) / count)
    places = (numbers - low) / width + cast(alike, dtypes.float64) * count
    inside = cast(logical_not(is_nan(places)), dtypes.float64)
    places = clip_by_value(cast(floor(places), dtypes.int32), 0, count - 1)
    counts = unsorted_segment_sum(inside, places, count)
    return stack([edges[:-1], edges[1:], counts], 1)


def image(
    name: str, data: Any, step: Any = None, max_outputs: Any = 3, description: str | None = None
) -> Any:
    """Write images [n, height, width, channels], of which the first `max_outputs` count.

    They are written in 8 bits, as `tf.image.convert_image_dtype` makes them: floats lie in 0 .. 1.

    Channels are 1 (grey), 2 (with alpha), 3 (colours) or 4. Whether they were written: a bool
    tensor.

    >>> with tf.summary.create_file_writer("logs/image").as_default():
    ...     print(bool(tf.summary.image("noise", np.zeros([1, 4, 4, 3]), step=1)))
    True

    Raises:
        ValueError: no step is given, and none is set; `data` has another rank.
        InvalidArgumentError: it has another number of channels, or `max_outputs` is negative.
    """

    def value() -> Any:
        images = convert_to_tensor(data)
        if images.shape.rank not in (None, 4):
            raise ValueError(f"images need [n, height, width, channels], not shape {images.shape}")
        shown = convert_image_dtype(images, dtypes.uint8, saturate=True)
        return numpy_function(_as_pngs, [shown, convert_to_tensor(max_outputs)], dtypes.string)

    return _write(name, "images", value, step, description)


def _as_pngs(images: Any, most: Any) -> Any:
    if most < 0:
        raise InvalidArgumentError(f"max_outputs of images is negative, {most}")
    if images.ndim != 4 or not 1 <= images.shape[3] <= 4:
        raise InvalidArgumentError(
            "an image summary needs [n, height, width, channels] of 1 to 4 channels, not shape "
            f"{list(images.shape)}"
        )
    height, width = images.shape[1:3]
    texts = [str(width).encode(), str(height).encode(), *map(png_file, images[:most])]
    return np.array(texts, object)


# The AudioPluginData of TensorBoard: its field 2, the encoding, is 11 (WAV).
_WAV_CLIPS: Final = b"\x10\x0b"


def audio(
    name: str,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: Any = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Any:
    """Write sounds [n, samples, channels], of which the first `max_outputs` count: float32 in
    [-1, 1].

    sample_rate: an int32 scalar, the samples in a second. encoding: "wav" or None. Whether they
    were written: a bool tensor.

    >>> with tf.summary.create_file_writer("logs/audio").as_default():
    ...     print(bool(tf.summary.audio("noise", tf.zeros([1, 100, 2]), 8000, step=1)))
    True

    Raises:
        ValueError: no step is given, and none is set; `data` has another rank; there is no such
            encoding.
        InvalidArgumentError: `data` is no float32; the rate is not positive, or `max_outputs` is
            negative.
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}; sounds are written as 'wav'")

    def value() -> Any:
        clips = convert_to_tensor(data)
        if clips.shape.rank not in (3, None):
            raise ValueError(f"sounds need [n, samples, channels], not shape {clips.shape}")
        if clips.dtype is not dtypes.float32:
            raise InvalidArgumentError(f"sounds are float32, not {clips.dtype.name}")
        rate = convert_to_tensor(sample_rate, dtypes.int32)
        most = convert_to_tensor(max_outputs)
        return numpy_function(_as_wavs, [clips, rate, most], dtypes.string)

    return _write(name, "audio", value, step, description, _WAV_CLIPS)


def _as_wavs(clips: Any, rate: Any, most: Any) -> Any:
    """Each sound and its label, of which there is none."""
    if most < 0 or clips.ndim != 3:
        raise InvalidArgumentError(
            f"sounds need [n, samples, channels] and a number of them, not {list(clips.shape)} and "
            f"{most}"
        )
    found = np.full((min(len(clips), most), 2), b"", object)
    for place, clip in enumerate(clips[:most]):
        found[place, 0] = encode_wav(clip, rate).numpy()
    return found
