"""Writers of summaries as operations: a handle, which is opened later, and what appends to it."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import os
import time
from typing import Any, Final

from ..core.files import gfile
from ..core.specs import ObjectSpec
from ..errors import DataLossError, InvalidArgumentError, NotFoundError
from ..graph.proto.messages import DecodeError, message
from ..graph.serialized.summaries import (
    HistogramSummary,
    ScalarSummary,
    add_images,
    demand_pictures,
)
from ..ops.audio.summaries import AudioSummaryV2
from ..ops.bind import bind
from ..ops.effects import World, Writes
from ..ops.families import Rephrased
from ..ops.op import REALS, Attr, In, Op, Out, types, usually
from ..ops.state.summaries import WriteRawProtoSummary
from .event_files import EventFile

# By container and name: whoever says the same name has the same writer, in each call of a function.
_shared: Final[dict[tuple[str, str], LaterWriter]] = {}


class LaterWriter:
    """A writer that has a file once it was opened, and none after it was closed."""

    def __init__(self) -> None:
        self.spec = ObjectSpec("summary_writer")
        self._file: EventFile | None = None

    def open(self, folder: str, suffix: str) -> None:
        """Begin a file, unless there is one."""
        if self._file is None:
            self._file = EventFile(folder, suffix)

    @property
    def file(self) -> EventFile:
        """The file.

        Raises:
            NotFoundError: the writer was not opened, or closed.
        """
        if self._file is None:
            raise NotFoundError("this summary writer has no file: CreateSummaryFileWriter opens it")
        return self._file

    def write(self, tag: bytes, array: Any, step: int, metadata: bytes) -> None:
        """Append a tensor."""
        self.file.write(tag, array, step, metadata)

    def write_raw(self, summary: bytes, step: int) -> None:
        """Append a Summary."""
        self.file.write_raw(summary, step)

    def append(self, made: bytes) -> None:
        """Append an Event."""
        self.file.append(made)

    def flush(self) -> None:
        """Put what was appended into the file."""
        self.file.flush()

    def close(self) -> None:
        """Flush, and have no file any more."""
        self.file.close()
        self._file = None


class NewSummaryWriter(Op, tf_name="SummaryWriter"):
    """A writer without a file."""

    writer = Out("resource")
    shared_name = Attr("")
    container = Attr("")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("summary_writer")

    def eager(self, np: Any) -> LaterWriter:
        if not self.shared_name:
            return LaterWriter()
        return _shared.setdefault((self.container, self.shared_name), LaterWriter())


class OnWriter(Op, abstract=True):
    """What does something to a writer and gives nothing."""

    writer = In("resource")
    effects = (Writes("writer"),)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()


class CreateSummaryFileWriter(OnWriter):
    """Gives a writer a file of events in a folder."""

    logdir = In("str")
    max_queue = In("i32")
    flush_millis = In("i32")
    filename_suffix = In("str")
    _within = Attr(())

    def eager(self, np: Any) -> tuple[()]:
        folder = gfile.confined(self.logdir[()], self._within, writes=True)
        self.writer.open(os.fsdecode(folder), os.fsdecode(self.filename_suffix[()]))
        return ()


class CloseSummaryWriter(OnWriter):
    """Ends a writer's file."""

    def eager(self, np: Any) -> tuple[()]:
        self.writer.close()
        return ()


class ImportEvent(OnWriter):
    """Appends an Event, serialized by somebody else."""

    event = In("str")

    def eager(self, np: Any) -> tuple[()]:
        made = message("Event")()
        try:
            made.MergeFromString(self.event[()])
        except DecodeError as error:
            raise DataLossError(f"ImportEvent: no serialized Event: {error}") from None
        self.writer.append(made.SerializeToString())
        return ()


class WriteGraphSummary(OnWriter):
    """Appends a GraphDef, serialized."""

    step = In("i64")
    tensor = In("str")

    def eager(self, np: Any) -> tuple[()]:
        made = message("Event")(wall_time=time.time(), step=int(self.step))
        made.graph_def = self.tensor[()]
        self.writer.append(made.SerializeToString())
        return ()


class WriteScalarSummary(Rephrased):
    """Appends a number."""

    writer = In("resource")
    step = In("i64")
    tag = In("str")
    value = In("T")
    T = REALS
    differentiable = False

    def expand(self) -> Any:
        made = bind(ScalarSummary, self.tag, self.value)
        return bind(WriteRawProtoSummary, self.writer, self.step, made)


class WriteHistogramSummary(Rephrased):
    """Appends how many numbers lie in each of many intervals."""

    writer = In("resource")
    step = In("i64")
    tag = In("str")
    values = In("T ...")
    T = REALS
    differentiable = False

    def expand(self) -> Any:
        made = bind(HistogramSummary, self.tag, self.values)
        return bind(WriteRawProtoSummary, self.writer, self.step, made)


class WriteImageSummary(OnWriter):
    """Appends pictures; what in them is no number has the `bad_color`."""

    step = In("i64")
    tag = In("str")
    tensor = In("T n h w c")
    bad_color = In("u8 m")
    max_images = Attr(3)
    T = types("u8 f32 f16")
    usual = usually(T="f32")

    def demands(self, sizes: Any) -> None:
        demand_pictures(self, sizes)
        (count,) = sizes.shape(self.bad_color)
        if self.tensor.dtype != "uint8":  # as NumPy calls it, and as `dtypes` do
            fits = count >= sizes.shape(self.tensor)[3]
            sizes.require_late(fits, InvalidArgumentError, "bad_color has only {} channels", count)

    def eager(self, np: Any) -> tuple[()]:
        made = message("Summary")()
        add_images(made.value, self.tag[()], self.tensor, self.max_images, self.bad_color)
        self.writer.write_raw(made.SerializeToString(), int(self.step))
        return ()


class WriteAudioSummary(Rephrased):
    """Appends sounds."""

    writer = In("resource")
    step = In("i64")
    tag = In("str")
    tensor = In("f32 ...")
    sample_rate = In("f32")
    max_outputs = Attr(3)
    differentiable = False

    def expand(self) -> Any:
        made = bind(
            AudioSummaryV2, self.tag, self.tensor, self.sample_rate, max_outputs=self.max_outputs
        )
        return bind(WriteRawProtoSummary, self.writer, self.step, made)
