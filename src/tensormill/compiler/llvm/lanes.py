"""Short rows that are added up: one vector instruction in place of a loop.

    for k in 32:
      for n in 32:
        out[m, n] = fma(a[m, k], b[k, n], out[m, n])

LLVM would unroll the inner loop or leave its sums in memory. Written with vectors of 32 numbers, of
any size and length LLVM makes the machine's registers, and the sums stay in them.
"""

from __future__ import annotations

from typing import Final

from ..loops.functions import KIND
from ..loops.ir import Apply, Buffer, Expression, For, Literal, Load, Store
from ..loops.short_rows import depends_on, some_of_row, start_of
from .types import ALIGNMENT, REGISTER, SUFFIX, Register
from .values import Values

_ZEROS: Final = ("0", "0x0000000000000000")
_FLOAT: Final = {"add": "fadd", "sub": "fsub", "mul": "fmul"}
_INTEGER: Final = {"add": "add", "sub": "sub", "mul": "mul"}


class Lanes:
    """Writes the value of a row, all elements at once."""

    def __init__(self, values: Values, loop: For, type_: str) -> None:
        assert isinstance(loop.extent, Literal)
        self.values = values
        self.w = values.w
        self.index = loop.index
        self.count = int(loop.extent.value)
        self.kept = REGISTER[type_]
        self.vector = f"<{self.count} x {self.kept}>"
        self.is_float = KIND[type_] == "f"

    def store(self, store: Store, bound: Expression | None = None) -> None:
        """All elements of the row, or those before `bound`."""
        value = self.value(store.value)
        address = self._address(store.buffer, store.indices)
        marks = self.values.marks(store.buffer)
        align = ALIGNMENT[self.kept]
        if bound is not None:
            mask = self._before(bound)
            name = f"@llvm.masked.store.v{self.count}{SUFFIX[self.kept]}.p0"
            given = f"{self.vector} {value}, ptr {address}, i32 {align}, {mask}"
            self.w.do(f"call void {name}({given})")
            return
        self.w.do(f"store {self.vector} {value}, ptr {address}, align {align}{marks}")

    def value(self, expression: Expression) -> Register:
        if not depends_on(expression, self.index):
            return self._spread(self.values.register(expression))
        if isinstance(expression, Load):
            address = self._address(expression.buffer, expression.indices)
            marks = self.values.marks(expression.buffer)
            align = ALIGNMENT[self.kept]
            return self.w.line(f"load {self.vector}, ptr {address}, align {align}{marks}")
        assert isinstance(expression, Apply)
        if (some := some_of_row(expression, self.index)) is not None:
            return self._some(*some)
        operands = [self.value(argument) for argument in expression.arguments]
        return self._apply(expression.function, operands)

    def _some(self, bound: Expression, load: Load, other: Literal) -> Register:
        """The neighbours before `bound`; nothing else of memory is looked at."""
        address, mask = self._address(load.buffer, load.indices), self._before(bound)
        rest = self._spread(self.values.register(other))
        name = f"@llvm.masked.load.v{self.count}{SUFFIX[self.kept]}.p0"
        given = f"ptr {address}, i32 {ALIGNMENT[self.kept]}, {mask}, {self.vector} {rest}"
        return self.w.line(f"call {self.vector} {name}({given})")

    def _before(self, bound: Expression) -> Register:
        """Which lanes lie before `bound`."""
        numbers = ", ".join(f"i64 {lane}" for lane in range(self.count))
        vector, none = f"<{self.count} x i64>", f"<{self.count} x i32> zeroinitializer"
        limit = self.values.register(bound)
        first = self.w.line(f"insertelement {vector} poison, i64 {limit}, i64 0")
        limits = self.w.line(f"shufflevector {vector} {first}, {vector} poison, {none}")
        mask = self.w.line(f"icmp slt {vector} <{numbers}>, {limits}")
        return f"<{self.count} x i1> {mask}"

    def _address(self, buffer: Buffer, indices: tuple[Expression, ...]) -> Register:
        start = start_of(indices[-1], self.index)
        assert start is not None
        return self.values.element(buffer, (*indices[:-1], start))

    def _spread(self, scalar: Register) -> Register:
        if scalar in _ZEROS:
            return "zeroinitializer"
        first = self.w.line(f"insertelement {self.vector} poison, {self.kept} {scalar}, i64 0")
        mask = f"<{self.count} x i32> zeroinitializer"
        return self.w.line(f"shufflevector {self.vector} {first}, {self.vector} poison, {mask}")

    def _apply(self, function: str, operands: list[Register]) -> Register:
        if function == "fma":
            return self._multiply_add(operands)
        word = _FLOAT[function] if self.is_float else _INTEGER[function]
        return self.w.line(f"{word} {self.vector} {operands[0]}, {operands[1]}")

    def _multiply_add(self, operands: list[Register]) -> Register:
        if self.is_float:
            name = f"@llvm.fmuladd.v{self.count}{SUFFIX[self.kept]}"
            shown = ", ".join(f"{self.vector} {operand}" for operand in operands)
            return self.w.line(f"call {self.vector} {name}({shown})")
        product = self.w.line(f"mul {self.vector} {operands[0]}, {operands[1]}")
        return self.w.line(f"add {self.vector} {product}, {operands[2]}")
