"""The memory that addresses mean while loops are evaluated.

Addresses are those of NumPy's arrays, so evaluated and compiled code can share what they make. What
may be touched is known: an address outside of every array, or in one that was freed, is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from .cblas import CBLAS_TYPES, ROW_MAJOR, TRANSPOSED, cblas_product
from .functions import REAL_PART
from .lapack import LAPACK_SIGNATURES
from .records import stored

Array = np.ndarray[Any, Any]
# More than any test has; what asks for more gets null, as from `malloc`.
_MOST: Final = 1 << 32
_FRESH: Final = 0xA5  # what fresh memory holds
_ALIGNMENT: Final = 64
_THREADS: Final = 2  # that loops are made for; they run in order


def _by_lapack(routine: str, *arguments: int) -> None:
    """LAPACK itself: addresses here are real ones."""
    import ctypes

    from ..native import blas  # which loads it

    types = [ctypes.c_void_p if one == "ptr" else ctypes.c_int64
             for one in LAPACK_SIGNATURES[routine].parameters]  # fmt: skip
    ctypes.CFUNCTYPE(None, *types)(blas.address(routine))(*map(int, arguments))


def _advised(address: int, count: int, advice: int) -> int:
    """Advice about memory changes nothing here."""
    return 0


class Memory:
    """Arrays by their addresses, and blocks that were asked for."""

    def __init__(self) -> None:
        self._arrays: dict[int, Array] = {}
        self._blocks: dict[int, Array] = {}
        self._freed: list[Array] = []  # kept: nobody else gets their addresses
        self._reserved: Array | None = None

    def address(self, array: Array) -> int:
        """Where an array begins, which may be touched from now on."""
        start = int(array.ctypes.data)
        known = self._arrays.get(start)
        if known is None or known.nbytes < array.nbytes:
            self._arrays[start] = array.reshape(-1).view(np.uint8)
        return start

    def bytes_at(self, address: int, count: int) -> Array:
        """So many bytes that begin at an address.

        Raises:
            IndexError: not all of them may be touched.
        """
        if count == 0:
            return np.empty(0, np.uint8)
        for known in (self._arrays, self._blocks):
            for start, array in known.items():
                if start <= address and address + count <= start + array.nbytes:
                    return array[address - start : address - start + count]
        raise IndexError(f"{count} bytes at {address:#x} are not the program's")

    def allocate(self, count: int, alignment: int = _ALIGNMENT) -> int:
        """A fresh block, whose contents mean nothing; 0 where that is too much."""
        count = int(count)
        if not 0 <= count <= _MOST:
            return 0
        room = np.full(count + alignment, _FRESH, np.uint8)
        begin = -room.ctypes.data % alignment
        block = room[begin : begin + count]
        address = int(block.ctypes.data)
        self._blocks[address] = block
        return address

    def _allocate_aligned(self, alignment: int, count: int) -> int:
        return self.allocate(count, int(alignment))

    def free(self, address: int) -> None:
        """Give a block back; 0 is none.

        Raises:
            IndexError: no such block was asked for, or it was given back already.
        """
        if not address:
            return
        if (block := self._blocks.pop(address, None)) is None:
            raise IndexError(f"{address:#x} is no block that can be freed")
        self._freed.append(block)

    @property
    def blocks(self) -> int:
        """How many blocks were asked for and not given back."""
        return len(self._blocks)

    def copy(self, target: int, source: int, count: int) -> None:
        """Bytes from one place to another; the two do not overlap."""
        self.bytes_at(target, int(count))[:] = self.bytes_at(source, int(count))

    def fill(self, target: int, value: int, count: int) -> None:
        """The same byte everywhere."""
        self.bytes_at(target, int(count))[:] = value

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What `externals` mean here."""
        return {
            "malloc": self.allocate,
            "aligned_alloc": self._allocate_aligned,
            "madvise": _advised,
            "free": self.free,
            "memcpy": self.copy,
            "memset": self.fill,
            "tm_threads": lambda: _THREADS,
            "tm_lock_reserve": self._reserve,
            "tm_unlock_reserve": lambda: None,
            **{cblas_product(short): partial(self._multiply, short) for short in CBLAS_TYPES},
            **{routine: partial(_by_lapack, routine) for routine in LAPACK_SIGNATURES},
        }

    def _reserve(self) -> int:
        """Where the words of the reserve are; nobody else is at them here."""
        from ..native.records import RESERVE  # which needs the records of this folder

        if self._reserved is None:
            self._reserved = np.zeros(RESERVE.bytes, np.uint8)
        return self.address(self._reserved)

    def _multiply(
        self, short: str, order: int, kind_a: int, kind_b: int, m: int, n: int, k: int,
        alpha: Any, a: int, pitch_a: int, b: int, pitch_b: int, beta: Any, out: int, pitch: int,
    ) -> None:  # fmt: skip
        """out = alpha a b + beta out; where beta is 0 it does not matter what was in `out`."""
        assert order == ROW_MAJOR
        scale, kept = self._factor(short, alpha), self._factor(short, beta)
        left = self._matrix(short, a, pitch_a, m, k, kind_a == TRANSPOSED)
        right = self._matrix(short, b, pitch_b, k, n, kind_b == TRANSPOSED)
        result = self._matrix(short, out, pitch, m, n, False)
        result[...] = scale * (left @ right) + (kept * result if kept else 0)

    def _factor(self, short: str, given: Any) -> Any:
        """A number that is passed, or where it lies if it is complex."""
        dtype = stored(short)
        return self.bytes_at(given, dtype.itemsize).view(dtype)[0] if short in REAL_PART else given

    def _matrix(
        self, short: str, address: int, pitch: int, rows: int, columns: int, turned: bool
    ) -> Array:
        """A matrix whose rows (columns, where it is `turned`) begin `pitch` numbers apart."""
        rows, columns = (columns, rows) if turned else (rows, columns)
        dtype, shape = stored(short), (int(rows), int(columns))
        count = (shape[0] - 1) * int(pitch) + shape[1] if min(shape) else 0
        numbers = self.bytes_at(address, count * dtype.itemsize).view(dtype)
        steps = (int(pitch) * dtype.itemsize, dtype.itemsize)
        found = np.lib.stride_tricks.as_strided(numbers, shape, steps)
        return found.T if turned else found
