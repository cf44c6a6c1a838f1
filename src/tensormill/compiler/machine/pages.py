"""Memory for machine code: blocks of a few pages that are shared, so that maps stay few.

LLVM's own linker maps three areas for each module, and a process may have 65530. Here a map holds
the code of many modules, and goes when the last block in it does. Nobody may write to it: code is
put into it through a second map of the same memory, which is there for that long and may not be
executed (other threads go on running what is there). Blocks that are given back while this module
works, by the garbage collector for instance, are taken when it is done.

A forked child has the same memory, not a copy. What either of them frees, the other may still run:
neither puts anything more into a map that is older than the fork.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Final, final

from ...core.process.locks import AwaitedLock, forks_begun

ALIGNMENT: Final = 64
CHUNK_BYTES: Final = 1 << 18
_PAGE: Final = mmap.PAGESIZE
_READ_WRITE: Final = mmap.PROT_READ | mmap.PROT_WRITE
_READ_EXECUTE: Final = mmap.PROT_READ | mmap.PROT_EXEC
_MAY_MOVE: Final = 1  # MREMAP_MAYMOVE
_MAY_BE_EXECUTED: Final = 0x10  # MFD_EXEC, which older kernels do not know
_FAILED: Final = ctypes.c_void_p(-1).value


class NoPagesError(OSError):
    """The system gives no memory that may be executed."""


@final
class Chunk:
    """One map, and which parts of it are free: `(offset, size)` in order, never adjacent."""

    __slots__ = ("_made", "address", "free", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.address = _map(size)
        self.free = [(0, size)]
        self._made = _process()

    def take(self, size: int) -> int | None:
        """The address of a block, or None where there is no room."""
        if self._made != _process():  # another process may run what is free here
            return None
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
                    _put(chunk, address, write(address))
                except BaseException:
                    self._returned.append((address, size))
                    raise
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
def refusal() -> str | None:
    """Why this process gets no memory for machine code, if so: neither as here nor as LLVM does."""
    try:
        _unmap(Chunk(_PAGE))
    except NoPagesError as error:
        return (
            None if _may_become_executable() else f"{error.args[-1]}: {os.strerror(error.args[0])}"
        )
    return None


def _may_become_executable() -> bool:
    libc, flags = _libc(), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    address = libc.mmap(None, _PAGE, _READ_WRITE, flags, -1, 0)
    if address == _FAILED:
        return False
    refused = libc.mprotect(address, _PAGE, _READ_EXECUTE)
    libc.munmap(address, _PAGE)
    return not refused


def _process() -> tuple[int, int]:
    """Differs before and after a fork, even if Python does not hear of it."""
    return forks_begun(), os.getpid()


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return libc


def _map(size: int) -> int:
    """The address of new memory that may be read and executed."""
    descriptor = _memory()
    try:
        os.ftruncate(descriptor, size)
        address = _libc().mmap(None, size, _READ_EXECUTE, mmap.MAP_SHARED, descriptor, 0)
    except OSError as error:
        raise NoPagesError(error.errno, "no memory for machine code") from error
    finally:
        os.close(descriptor)
    if address == _FAILED:
        raise NoPagesError(ctypes.get_errno(), "memory may not be executed")
    return address


def _memory() -> int:
    """A descriptor of memory that may become executable."""
    if not hasattr(os, "memfd_create"):
        raise NoPagesError(errno.ENOSYS, "this system has no memory that may be mapped twice")
    for flags in (_MAY_BE_EXECUTED, 0):
        try:
            return os.memfd_create("tensormill", os.MFD_CLOEXEC | flags)
        except OSError as error:
            if error.errno != errno.EINVAL or not flags:
                raise NoPagesError(error.errno, "no memory for machine code") from error
    raise AssertionError


def _put(chunk: Chunk, address: int, content: bytes) -> None:
    """Write through another map, which exists for that only."""
    libc = _libc()
    other = libc.mremap(chunk.address, 0, chunk.size, _MAY_MOVE)  # of size 0: one more
    if other == _FAILED:
        raise NoPagesError(ctypes.get_errno(), "memory cannot be mapped twice")
    try:
        if libc.mprotect(other, chunk.size, _READ_WRITE):
            raise NoPagesError(ctypes.get_errno(), "memory for machine code cannot be written")
        ctypes.memmove(other + address - chunk.address, content, len(content))
    finally:
        libc.munmap(other, chunk.size)


def _unmap(chunk: Chunk) -> None:
    _libc().munmap(chunk.address, chunk.size)
