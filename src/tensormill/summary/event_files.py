"""Event files, which TensorBoard reads: records of protos, each with checksums.

The formats are public: TFRecord (length, checksum, bytes, checksum) and the messages Event, Summary
and TensorProto, of which few fields are written here.
"""

from __future__ import annotations

import itertools
import os
import socket
import struct
import time
from typing import Any, Final

import numpy as np

from ..core.dtypes import as_dtype
from ..core.files import gfile
from ..core.files.atomic import append
from ..core.process.locks import ForkedLock
from ..core.specs import ObjectSpec
from ..core.text import texts
from ..errors import FailedPreconditionError
from ..formats.checksums import masked_crc32c

VARINT, FIXED, BYTES = 0, 1, 2
DATA_CLASSES: Final = {"scalars": 1, "histograms": 2, "text": 2, "images": 3}
_numbers = itertools.count()


def varint(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    number &= 0xFFFFFFFFFFFFFFFF
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def field(number: int, value: int | float | bytes) -> bytes:
    """One field of a message: an int, a double, or bytes (strings and messages)."""
    if isinstance(value, bytes):
        return varint(number << 3 | BYTES) + varint(len(value)) + value
    if isinstance(value, float):
        return varint(number << 3 | FIXED) + struct.pack("<d", value)
    return varint(number << 3 | VARINT) + varint(value)


def tensor_message(array: np.ndarray[Any, Any]) -> bytes:
    """A TensorProto."""
    dtype = as_dtype(array.dtype)
    sizes = b"".join(field(2, field(1, size)) for size in array.shape)
    found = field(1, dtype.as_datatype_enum) + field(2, sizes)
    if array.dtype.kind == "O":
        return found + b"".join(field(8, text) for text in texts(array))
    return found + field(4, np.ascontiguousarray(array).tobytes())


def metadata_message(plugin: str, description: str | None, content: bytes = b"") -> bytes:
    """A SummaryMetadata: which plugin of TensorBoard shows the tensor, and as what."""
    data = field(1, plugin.encode()) + (field(2, content) if content else b"")
    found = field(1, data)
    if description:
        found += field(3, description.encode())
    return found + field(4, DATA_CLASSES[plugin])


def event_message(step: int, value: bytes) -> bytes:
    """An Event with one value of a Summary."""
    return field(1, time.time()) + field(2, step) + field(5, field(1, value))


def record(data: bytes) -> bytes:
    """A TFRecord."""
    length = struct.pack("<Q", len(data))
    checks = (struct.pack("<I", masked_crc32c(part)) for part in (length, data))
    return length + next(checks) + data + next(checks)


class EventFile:
    """A file to which summaries are appended. It is made with the first of them, or by `flush`."""

    def __init__(self, folder: str, suffix: str) -> None:
        self.spec = ObjectSpec("summary_writer")
        self.is_open = True
        self._lock = ForkedLock()
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}"
        self._path = os.path.join(folder, f"{name}.{os.getpid()}.{next(_numbers)}{suffix}")
        self._pending: list[bytes] = [field(1, time.time()) + field(3, b"brain.Event:2")]

    def write(self, tag: bytes, array: Any, step: int, metadata: bytes) -> None:
        """Append a tensor.

        Raises:
            FailedPreconditionError: the file was closed.
        """
        if not self.is_open:
            raise FailedPreconditionError("SummaryWriter is already closed")
        value = field(1, tag) + field(8, tensor_message(array))
        value += field(9, metadata) if metadata else b""
        with self._lock():
            self._pending.append(event_message(step, value))
        if len(self._pending) > 10:
            self.flush()

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
