"""The bytes of strings as numbers."""

from __future__ import annotations

from typing import Any, Final

from ....core import dtypes
from ....core.specs import TensorSpec
from ....errors import InvalidArgumentError
from ...lowering import Scalar
from ...math.cast import WORDS
from ...op import Attr, In, Op, Out
from ...origins import Origin
from ...sizes import scalar
from .spans import BYTE, LONG, copy


class NumbersInSpans(Op):
    """`size` bytes of each string as numbers along a new last axis; zeros where it is `padded`.

    Raises:
        InvalidArgumentError: a string has another length, or `size` is no multiple of a number's.
    """

    starts = In("i64 *s")
    lengths = In("i64 *s")
    bytes = In("u8 n")
    size = In("i64")
    output = Out("out_type ...")
    out_type = Attr()
    little_endian = Attr(True)
    padded = Attr(False)
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        (size,) = sizes.values(self.size)
        if not self.padded:
            sizes.each(self.lengths, lambda one: one == size, InvalidArgumentError, UNLIKE, size)
        each = self.out_type.size
        sizes.require_late(size % each == 0, InvalidArgumentError, NO_MULTIPLE, size, each)

    def infer(self) -> TensorSpec:
        size = self.size.value
        count = None if size is None else int(size) // self.out_type.size
        return TensorSpec(self.starts.shape.concatenate([count]), self.out_type)

    def eager(self, np: Any) -> Any:
        rows = np.zeros((self.starts.size, int(self.size)), np.uint8)
        limits = zip(self.starts.reshape(-1), self.lengths.reshape(-1), strict=True)
        for row, (start, length) in zip(rows, limits, strict=True):
            part = self.bytes[start : start + length][: row.size]
            row[: part.size] = part
        numbers = rows.reshape(-1).view(self.out_type.storage)
        numbers = numbers if self.little_endian else numbers.byteswap()
        return numbers.reshape(*self.starts.shape, rows.shape[1] // self.out_type.size)

    def lower(self, loops: Any) -> Any:
        starts, lengths, row = (loops.kept(one) for one in (self.starts, self.lengths, self.bytes))
        s, nothing, each = loops.scalars, loops.constant(0, BYTE), self.out_type.size
        (size,) = loops.sizes(loops.reshape(self.size, (1,)))
        if self.padded:
            starts, row = filled_up(loops, starts, lengths, row, size)

        def byte(k: Any, place: Scalar) -> Scalar:
            return row[(starts[k] + place,)]

        def word(k: Any, first: Scalar, count: int) -> Scalar:
            kind = WORDS[count]
            found = loops.constant(0, kind)
            for number in range(count):
                moved = 8 * (number if self.little_endian else count - 1 - number)
                one = s.cast(byte(k, first + number), kind)
                found = found | s.left_shift(one, loops.constant(moved, kind))
            return found

        def number(*place: Any) -> Scalar:
            *k, last = place
            first = scalar(loops, last) * each
            if self.out_type is dtypes.bool_:
                return byte(k, first) != nothing
            if self.out_type.is_complex:
                half = each // 2
                parts = [s.bitcast(word(k, first + at, half), PARTS[half]) for at in (0, half)]
                return s.complex(*parts)
            found = byte(k, first) if each == 1 else word(k, first, each)
            return found if found.dtype is self.out_type else s.bitcast(found, self.out_type)

        return loops.map((*starts.shape, size // each), self.out_type, number)


def filled_up(loops: Any, starts: Any, lengths: Any, row: Any, size: Any) -> tuple[Any, Any]:
    """Strings cut or filled with zeros to one size: where they start, and their bytes."""
    flat = [loops.reshape(one, (loops.count(starts.shape),)) for one in (starts, lengths)]
    room = loops.memory((flat[0].shape[0] * size,), BYTE)

    def fill(k: Any) -> None:
        start, length = (loops.held(one[(k,)]) for one in flat)
        length = loops.held(loops.scalars.minimum(length, scalar(loops, size)))
        copy(loops, room, loops.held(scalar(loops, k) * size), row, start, start + length)

    loops.for_each(flat[0].shape, fill)
    made = loops.map(flat[0].shape, LONG, lambda k: scalar(loops, k) * size)
    return loops.reshape(made, starts.shape), room


PARTS: Final = {4: dtypes.float32, 8: dtypes.float64}
UNLIKE = "DecodeRaw requires input strings to all be the same size: bytes{at} has {it}, not {}"
NO_MULTIPLE = "Input to DecodeRaw has length {} that is not a multiple of {}"
