"""Event files, which TensorBoard reads: records of messages of the kind Event."""

from __future__ import annotations

import itertools
import os
import socket
import time
from typing import Any

import numpy as np

from ..core.files import gfile
from ..core.files.atomic import append
from ..core.process.locks import ForkedLock
from ..core.specs import ObjectSpec
from ..errors import DataLossError, FailedPreconditionError
from ..formats.records import record
from ..graph.proto.messages import DecodeError, message
from ..graph.proto.values import tensor_proto

_numbers = itertools.count()


def metadata_message(plugin: str, content: bytes, description: str | None = None) -> bytes:
    """A SummaryMetadata: which plugin of TensorBoard shows the tensor, and what it is told.

    What kind of data it is (`data_class`) is left to the reader, as TensorFlow leaves it.
    """
    made = message("SummaryMetadata")()
    made.plugin_data.plugin_name, made.plugin_data.content = plugin, content
    made.summary_description = description or ""
    return made.SerializeToString()


def event_message(tag: bytes, array: np.ndarray[Any, Any], step: int, metadata: bytes) -> bytes:
    """An Event with one tensor."""
    made = message("Event")(wall_time=time.time(), step=step)
    value = made.summary.value.add(tag=tag)
    value.tensor.CopyFrom(tensor_proto(array, in_bytes=True))
    if metadata:
        value.metadata.MergeFromString(metadata)
    return made.SerializeToString()


def raw_message(summary: bytes, step: int) -> bytes:
    """An Event with a Summary that somebody else has made.

    Raises:
        DataLossError: these are no bytes of a Summary.
    """
    made = message("Event")(wall_time=time.time(), step=step)
    try:
        made.summary.MergeFromString(summary)
    except DecodeError as error:
        raise DataLossError(f"write_raw_pb: no serialized Summary: {error}") from None
    return made.SerializeToString()


def graph_message(graph_def: bytes) -> bytes:
    """An Event with a GraphDef."""
    return message("Event")(wall_time=time.time(), graph_def=graph_def).SerializeToString()


def first_message() -> bytes:
    """What says that a file holds events."""
    return message("Event")(wall_time=time.time(), file_version="brain.Event:2").SerializeToString()


class EventFile:
    """A file to which summaries are appended. It is made with the first of them, or by `flush`."""

    def __init__(self, folder: str, suffix: str) -> None:
        self.spec = ObjectSpec("summary_writer")
        self.is_open = True
        self._lock = ForkedLock()
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}"
        self._path = os.path.join(folder, f"{name}.{os.getpid()}.{next(_numbers)}{suffix}")
        self._pending: list[bytes] = [first_message()]

    def write(self, tag: bytes, array: Any, step: int, metadata: bytes) -> None:
        """Append a tensor.

        Raises:
            FailedPreconditionError: the file was closed.
        """
        self.append(event_message(tag, array, step, metadata))

    def append(self, made: bytes) -> None:
        """Append an Event.

        Raises:
            FailedPreconditionError: the file was closed.
        """
        if not self.is_open:
            raise FailedPreconditionError("SummaryWriter is already closed")
        with self._lock():
            self._pending.append(made)
        if len(self._pending) > 10:
            self.flush()

    def write_raw(self, summary: bytes, step: int) -> None:
        """Append a Summary."""
        self.append(raw_message(summary, step))

    def flush(self) -> None:
        """Put what was appended into the file."""
        with self._lock():
            if not self._pending:
                return
            gfile.makedirs(os.path.dirname(self._path))
            with gfile.translated(self._path):
                append(self._path, b"".join(map(record, self._pending)))
            self._pending = []

    def close(self) -> None:
        """Flush, and take nothing more."""
        self.flush()
        self.is_open = False
