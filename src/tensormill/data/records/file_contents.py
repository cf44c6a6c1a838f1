"""The bytes of files, plain or compressed, read a piece at a time.

Nothing is kept of a file but the piece that is asked for, and no memory is taken for a size that a
file states before that many bytes are there.
"""

from __future__ import annotations

import io
import os
import stat
import zlib
from collections.abc import Iterator
from typing import IO, Any, Final

from ...core.files import gfile
from ...errors import DataLossError, InvalidArgumentError
from ...formats.snappy import decompress

_PIECE: Final = 1 << 20
_AHEAD: Final = 1 << 16  # bytes that are read before they are asked for
SNAPPY: Final = "SNAPPY"
# zlib's numbers of the two ways to wrap deflated bytes.
_WRAPPINGS: Final = {"GZIP": 16 + zlib.MAX_WBITS, "ZLIB": zlib.MAX_WBITS}


class FileContents:
    """What is in a file, from its beginning on. `offset` is the place of the next byte.

    `size` is how long the file was when it was opened, where that is known. What it grows by is
    read as well; one that was longer than it turns out to be is not taken for whole.

    Raises:
        NotFoundError, PermissionDeniedError, FailedPreconditionError: it cannot be opened.
        InvalidArgumentError: the compression is unknown.
        DataLossError (while reading): the compressed data are damaged or cut off; the file shrank.
    """

    def __init__(self, name: str, compression: str) -> None:
        if compression and compression not in (*_WRAPPINGS, SNAPPY):
            raise InvalidArgumentError(f"Unsupported compression_type: {compression}.")
        self.name = name
        self.offset = 0
        with gfile.translated(name):
            self._file = io.BufferedReader(io.FileIO(gfile.text(name)), _AHEAD)
            self.size = None if compression else _size(self._file)
        if compression:
            blocks, file = compression == SNAPPY, self._file
            inflated = _Blocks(file, name) if blocks else _Inflated(file, name, compression)
            self._file = io.BufferedReader(inflated, _PIECE)

    def __enter__(self) -> FileContents:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """The next `size` bytes, or fewer at the end of the file."""
        pieces: list[bytes] = []
        with gfile.translated(self.name):
            while size > 0 and (piece := self._file.read(min(size, _PIECE))):
                pieces.append(piece)
                size -= len(piece)
        found = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        self.offset += len(found)
        if size > 0:
            self._require_all()
        return found

    def ahead(self) -> bytes:
        """Some of the bytes that come next, which stay there; none at the end of the file."""
        with gfile.translated(self.name):
            return self._file.peek()

    def as_text(self, encoding: str) -> io.TextIOWrapper:
        """The same as texts, whose lines keep their ends. `offset` does not count them."""
        return io.TextIOWrapper(self._file, encoding, newline="")

    def lines(self) -> Iterator[bytes]:
        """The lines, each with its end."""
        with gfile.translated(self.name):
            for line in self._file:
                self.offset += len(line)
                if not line.endswith(b"\n"):
                    self._require_all()
                yield line
        self._require_all()

    def _require_all(self) -> None:
        """Refuse to end before the file did when it was opened."""
        if self.size is None or self.offset >= self.size:
            return
        now = _size(self._file)
        if now is not None and now < self.size:
            raise DataLossError(
                f"{self.name}: had {self.size} bytes when it was opened, and ends at {now} now"
            )


def _size(file: IO[bytes]) -> int | None:
    """How long a file is; None where that is not known (a pipe)."""
    status = os.fstat(file.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class _Inflated(io.RawIOBase):
    """The bytes of a compressed file. GZIP files may have several members, and zeros after them."""

    def __init__(self, file: IO[bytes], name: str, compression: str) -> None:
        self._file, self._name, self._compression = file, name, compression
        self._deflated = b""
        self._inflater: Any = None

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any, /) -> int:
        while self._inflater is not None or self._begin():
            found = self._inflate(len(buffer))
            if found:
                buffer[: len(found)] = found
                return len(found)
            if self._inflater is not None and not self._deflated and not self._more():
                raise self._loss("end too early, at")
        return 0

    def _begin(self) -> bool:
        """Start with the next member; whether there is one."""
        if not self._deflated and not self._more():
            return False
        self._inflater = zlib.decompressobj(_WRAPPINGS[self._compression])
        return True

    def _more(self) -> bool:
        """Read on; whether there is something."""
        self._deflated = self._file.read(_PIECE)
        return bool(self._deflated)

    def _inflate(self, size: int) -> bytes:
        """At most `size` bytes of what is deflated."""
        try:
            found = self._inflater.decompress(self._deflated, size)
        except zlib.error as error:
            raise self._loss(f"are damaged ({error}), after") from None
        self._deflated = self._inflater.unconsumed_tail
        if self._inflater.eof:
            self._end(self._inflater.unused_data)
        return found

    def _end(self, rest: bytes) -> None:
        """Look what follows the end of a member: in GZIP files maybe another one, or zeros."""
        self._inflater = None
        self._deflated = rest
        if self._compression == "GZIP":
            self._deflated = rest.lstrip(b"\0")
            while not self._deflated and self._more():
                self._deflated = self._deflated.lstrip(b"\0")
        elif rest or self._file.read(1):
            raise self._loss("end before the file does, at")

    def _loss(self, what: str) -> DataLossError:
        place = self._file.tell() - len(self._deflated)
        return DataLossError(f"{self._name}: the {self._compression} data {what} byte {place}")


class _Blocks(io.RawIOBase):
    """The bytes of a file of Snappy blocks, each behind its length."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name = file, name
        self._found = memoryview(b"")

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any, /) -> int:
        while not self._found:
            place = self._file.tell()
            length = self._file.read(4)
            if not length:
                return 0
            size = int.from_bytes(length, "big")
            block = self._file.read(min(size, _PIECE + 1)) if len(length) == 4 else b""
            if size > _PIECE or len(block) < size or len(length) < 4:
                raise DataLossError(
                    f"{self._name}: no SNAPPY block of {size} bytes at byte {place}: the file is "
                    "damaged, or was written with another compression"
                )
            self._found = memoryview(decompress(block))
        count = min(len(buffer), len(self._found))
        buffer[:count] = self._found[:count]
        self._found = self._found[count:]
        return count
