"""Memory for machine code: blocks of a few pages that are shared, so that maps stay few.

LLVM's own linker maps three areas for each module, and a process may have 65530. Here a map holds
the code of many modules. It is writable only while code is put into it (other threads go on running
what is there), and goes when the last block in it does. Blocks that are given back while this
module works, by the garbage collector for instance, are taken when it is done.
"""

from __future__ import annotations

import ctypes
import mmap
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Final, final

from tensormill.core.locks import AwaitedLock

ALIGNMENT: Final = 64
CHUNK_BYTES: Final = 1 << 18
_PAGE: Final = mmap.PAGESIZE
_READ_WRITE_EXECUTE: Final = 7
_READ_EXECUTE: Final = 5
_FAILED: Final = ctypes.c_void_p(-1).value


class NoPagesError(OSError):
    """The system gives no memory that may be executed."""


@final
class Chunk:
    """One map, and which parts of it are free: `(offset, size)` in order, never adjacent."""

    __slots__ = ("address", "free", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.address = _map(size)
        self.free = [(0, size)]

    def take(self, size: int) -> int | None:
        """The address of a block, or None where there is no room."""
        for position, (offset, room) in enumerate(self.free):
            if room >= size:
                rest = [(offset + size, room - size)] if room > size else []
                self.free[position : position + 1] = rest
                return self.address + offset
        return None

    def give_back(self, address: int, size: int) -> None:
        """Join a block with what is free around it."""
        joined: list[tuple[int, int]] = []
        for offset, room in sorted([*self.free, (address - self.address, size)]):
            if joined and sum(joined[-1]) == offset:
                joined[-1] = (joined[-1][0], joined[-1][1] + room)
            else:
                joined.append((offset, room))
        self.free = joined

    @property
    def is_empty(self) -> bool:
        return self.free == [(0, self.size)]


@final
class Pages:
    """All chunks of the process, which has one such object for good."""

    def __init__(self) -> None:
        self._chunks: list[Chunk] = []
        self._lock = AwaitedLock(is_short=True)
        self._is_busy = False  # with the lists of chunks and blocks
        self._returned: deque[tuple[int, int]] = deque()

    def place(self, size: int, write: Callable[[int], bytes]) -> int:
        """The address of a new block that holds `write(address)`.

        Raises:
            NoPagesError: the system refuses.
        """
        size = _rounded(size, ALIGNMENT)
        try:
            with self._lock():
                self._settle()
                chunk, address = self._room(size)
                try:
                    content = write(address)
                    _protect(chunk, _READ_WRITE_EXECUTE)
                    ctypes.memmove(address, content, len(content))
                except BaseException:
                    self._returned.append((address, size))
                    raise
                finally:
                    _protect(chunk, _READ_EXECUTE)
                return address
        finally:
            self.settle()

    def give_back(self, address: int, size: int) -> None:
        """A block is no longer used. May be called at any time, by a finaliser too."""
        self._returned.append((address, _rounded(size, ALIGNMENT)))
        self.settle()

    def settle(self) -> None:
        """Take the blocks that were given back, unless this thread is at it already."""
        with self._lock():
            if not self._is_busy:
                self._settle()

    def _settle(self) -> None:
        self._is_busy = True
        try:
            self._take_returned()
        finally:
            self._is_busy = False

    def _take_returned(self) -> None:
        while self._returned:
            address, size = self._returned.popleft()
            chunk = next(
                one for one in self._chunks if one.address <= address < one.address + one.size
            )
            chunk.give_back(address, size)
            if chunk.is_empty:
                self._chunks.remove(chunk)
                _unmap(chunk)

    def _room(self, size: int) -> tuple[Chunk, int]:
        self._is_busy = True
        try:
            return self._found_room(size)
        finally:
            self._is_busy = False

    def _found_room(self, size: int) -> tuple[Chunk, int]:
        for chunk in self._chunks:
            if (address := chunk.take(size)) is not None:
                return chunk, address
        chunk = Chunk(max(CHUNK_BYTES, _rounded(size, _PAGE)))
        self._chunks.append(chunk)
        address = chunk.take(size)
        assert address is not None
        return chunk, address

    @property
    def size_bytes(self) -> int:
        """What is mapped."""
        return sum(chunk.size for chunk in self._chunks)


def _rounded(size: int, unit: int) -> int:
    return (size + unit - 1) // unit * unit


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return libc


def _map(size: int) -> int:
    # Private: a forked child has code of its own, whatever its parent frees.
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    address = _libc().mmap(None, size, _READ_EXECUTE, flags, -1, 0)
    if address == _FAILED:
        raise NoPagesError(ctypes.get_errno(), "no memory for machine code")
    return address


def _unmap(chunk: Chunk) -> None:
    _libc().munmap(chunk.address, chunk.size)


def _protect(chunk: Chunk, access: int) -> None:
    if _libc().mprotect(chunk.address, chunk.size, access):
        raise NoPagesError(ctypes.get_errno(), "memory may not be executed")
