"""The reader that writes LLVM IR text."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, final

from ...machine.jit import Target
from .emulation import EMULATIONS
from .language import FLOATS, Kind, Term, narrow, wide

Recipe: TypeAlias = Callable[..., Term]


def through_f64(recipe: Recipe) -> Recipe:
    """A recipe of f32 that widens its arguments, follows a recipe of f64 and rounds once."""

    def narrowed(*arguments: Term) -> Term:
        return narrow(recipe(*(wide(argument) for argument in arguments)))

    return narrowed


LLVM_TYPE: Final[dict[Kind, str]] = {
    "f32": "float",
    "f64": "double",
    "i32": "i32",
    "i64": "i64",
    "i1": "i1",
}

_FLOAT_OPERATION: Final = {
    "add": "fadd",
    "subtract": "fsub",
    "multiply": "fmul",
    "divide": "fdiv",
    "negative": "fneg",
    "less": "fcmp olt",
    "less or equal": "fcmp ole",
    "greater": "fcmp ogt",
    "greater or equal": "fcmp oge",
    "equal": "fcmp oeq",
    "unordered": "fcmp uno",
}
_INTEGER_OPERATION: Final = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "shift left": "shl",
    "shift right": "lshr",
    "shift right, signed": "ashr",
    "less": "icmp slt",
    "less or equal": "icmp sle",
    "greater": "icmp sgt",
    "greater or equal": "icmp sge",
    "equal": "icmp eq",
}
_CONVERSION: Final = {
    ("bits", "i32"): "bitcast",
    ("bits", "i64"): "bitcast",
    ("float of bits", "f32"): "bitcast",
    ("float of bits", "f64"): "bitcast",
    ("float of integer", "f32"): "sitofp",
    ("float of integer", "f64"): "sitofp",
    ("widen", "f64"): "fpext",
    ("widen", "i64"): "sext",
    ("narrow", "f32"): "fptrunc",
    ("narrow", "i32"): "trunc",
}
_INTRINSIC: Final = {
    "absolute": "fabs",
    "sqrt": "sqrt",
    "copysign": "copysign",
    "fma": "fma",
    "multiply-add": "fma",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "rint": "rint",
}
# Without the processor's help these would become calls of the C library.
_NEEDED_FEATURE: Final = {
    "fma": "fma",
    "multiply-add": "fma",
    "floor": "sse4.1",
    "ceil": "sse4.1",
    "trunc": "sse4.1",
    "rint": "sse4.1",
}


@final
class TextReader:
    """Collects the lines of one function's body, and the constant tables that it reads."""

    def __init__(self, function: str, target: Target) -> None:
        self.lines: list[str] = []
        self.tables: list[str] = []
        self._function = function
        self._target = target
        self._count = 0
        self._loops = 0
        self._choices = 0
        self._block = "entry"

    def constant(self, kind: Kind, number: float) -> str:
        """A literal. LLVM wants floats as the 64 bits of their value."""
        if kind not in FLOATS:
            return str(int(number)) if kind != "i1" else str(bool(number)).lower()
        if kind == "f32":
            number = struct.unpack("f", struct.pack("f", number))[0]
        return f"0x{struct.unpack('Q', struct.pack('d', number))[0]:016X}"

    def table(self, kind: Kind, numbers: Sequence[float], index: str) -> str:
        """A load from a constant array."""
        name, kept = f'@"{self._function}.table.{len(self.tables)}"', LLVM_TYPE[kind]
        contents = ", ".join(f"{kept} {self.constant(kind, number)}" for number in numbers)
        array = f"[{len(numbers)} x {kept}]"
        self.tables.append(f"{name} = private unnamed_addr constant {array} [{contents}]")
        slot = self._line(f"getelementptr inbounds {array}, ptr {name}, i32 0, i32 {index}")
        return self._line(f"load {kept}, ptr {slot}")

    def repeat(
        self,
        kinds: Sequence[Kind],
        initial: Sequence[str],
        unfinished: Callable[[Sequence[str]], str],
        step: Callable[[Sequence[str]], Sequence[str]],
    ) -> list[str]:
        """A loop of two blocks; what it carries is in phi instructions at its head."""
        self._loops += 1
        before, loop = self._block, f"loop{self._loops}"
        self._begin(loop, f"br label %{loop}")
        carried = [f"%{loop}.{number}" for number in range(len(kinds))]
        head = len(self.lines)
        condition = unfinished(carried)
        self._begin(f"{loop}.step", f"br i1 {condition}, label %{loop}.step, label %{loop}.end")
        results = step(carried)
        last = self._block
        self._begin(f"{loop}.end", f"br label %{loop}")
        self.lines[head:head] = [
            f"  {name} = phi {LLVM_TYPE[kind]} [ {first}, %{before} ], [ {result}, %{last} ]"
            for name, kind, first, result in zip(carried, kinds, initial, results, strict=True)
        ]
        return carried

    def either(
        self, kind: Kind, condition: str, yes: Callable[[], str], no: Callable[[], str]
    ) -> str:
        """A branch of two blocks, which meet in a third."""
        self._choices += 1
        main, other, join = (f"{name}{self._choices}" for name in ("main", "other", "join"))
        self._begin(main, f"br i1 {condition}, label %{main}, label %{other}")
        first, after_main = yes(), self._block
        self._begin(other, f"br label %{join}")
        second, after_other = no(), self._block
        self._begin(join, f"br label %{join}")
        ways = f"[ {first}, %{after_main} ], [ {second}, %{after_other} ]"
        return self._line(f"phi {LLVM_TYPE[kind]} {ways}")

    def _begin(self, block: str, leave: str) -> None:
        self.lines += [f"  {leave}", f"{block}:"]
        self._block = block

    def apply(self, operation: str, kind: Kind, operand_kind: Kind, operands: Sequence[str]) -> str:
        """One instruction, or a few where the processor lacks it."""
        taken = LLVM_TYPE[operand_kind]
        if operation == "select":
            condition, yes, no = operands
            return self._line(f"select i1 {condition}, {taken} {yes}, {taken} {no}")
        if (operation, kind) in _CONVERSION:
            cast = _CONVERSION[operation, kind]
            return self._line(f"{cast} {taken} {operands[0]} to {LLVM_TYPE[kind]}")
        if operation in _INTRINSIC:
            return self._intrinsic(operation, kind, operands)
        table = _FLOAT_OPERATION if operand_kind in FLOATS else _INTEGER_OPERATION
        return self._line(f"{table[operation]} {taken} {', '.join(operands)}")

    def _intrinsic(self, operation: str, kind: Kind, operands: Sequence[str]) -> str:
        feature = _NEEDED_FEATURE.get(operation)
        if feature and self._target.is_x86 and not self._target.has(feature):
            values = [Term(self, kind, operand) for operand in operands]
            return EMULATIONS[operation](*values).payload
        taken = LLVM_TYPE[kind]
        arguments = ", ".join(f"{taken} {operand}" for operand in operands)
        return self._line(f"call {taken} @llvm.{_INTRINSIC[operation]}.{kind}({arguments})")

    def _line(self, right: str) -> str:
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {right}")
        return name
