"""Bytes that become others in their places."""

from __future__ import annotations

from typing import Any

from ...op import Attr, In, Op, Out
from ...origins import Origin

CASE = 32  # what lies between the small and the capital letters of ASCII


class OtherCase(Op):
    """Bytes, of which the letters from the first to the last of `letters` change their case."""

    input = In("u8 *s")
    output = Out("u8 *s")
    letters = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        first, last = self.letters.encode()
        change = (self.input >= first) & (self.input <= last)
        return np.where(change, self.input ^ np.uint8(CASE), self.input)

    def lower(self, loops: Any) -> Any:
        s, x = loops.scalars, self.input
        first, last, case = [loops.constant(one, x.dtype) for one in (*self.letters.encode(), CASE)]

        def changed(*k: Any) -> Any:
            byte = x[k]
            return s.where((byte - first) <= (last - first), byte ^ case, byte)

        return loops.map(x.shape, x.dtype, changed)
