"""What the functions of one program share: constants, metadata, declarations, other text."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from ...core.dtypes import BY_SHORT
from ..loops.buffer_placement import Plan
from ..loops.ir import Buffer, Program
from ..machine.division import GLUE
from .definitions import definitions
from .function_texts import Packed
from .writer import Metadata, Writer

_REGROUPED: Final = (" reassoc ", " contract ")
_PRINTABLE: Final = frozenset(range(32, 127)) - {ord('"'), ord("\\")}


class ModuleText:
    """Collects the parts of a module's text.

    Buffers that cannot overlap are told apart by type-based alias metadata: every buffer (or group
    of buffers that may overlap) is a type of its own. It is the cheapest way to say so: one line
    per buffer.
    """

    def __init__(
        self,
        name: str,
        program: Program,
        plan: Plan,
        defined: Iterable[str],
        failing: frozenset[str] = frozenset(),
        packed: Mapping[str, Packed] | None = None,
    ) -> None:
        self.name = name
        self.plan = plan
        self.places = {entry: number for number, entry in enumerate(program.frame)}
        self.error_word = len(program.frame)
        self.functions: list[str] = []
        self.needs: dict[tuple[str, str], None] = {}
        self._once: dict[tuple[str, str], int] = {}
        self.uses_arena = False
        self.is_glue = False  # whether the program is (loops/glue.py)
        self.defined = frozenset(defined)
        self.packed = packed or {}
        self.failing = failing  # the functions after which an error number may be written
        self._declared: dict[str, str] = {}
        self._globals: dict[Buffer, str] = {}
        self._global_lines: list[str] = []
        self._metadata = Metadata()
        self._tags: dict[Buffer, str] = {}
        self._alias_numbers: dict[object, int] = {}
        self._owner = name
        self._counts: dict[str, int] = {}

    def fresh(self, stem: str) -> str:
        """A global name of this program's own, or of the function's that is being written."""
        count = self._counts[self._owner] = self._counts.get(self._owner, 0) + 1
        return f"{self._owner}.{stem}.{count}"

    @contextmanager
    def writing(self, function: str) -> Generator[None]:
        """Let names be those of a function: its text is the same in each program."""
        try:
            self._owner = function
            yield
        finally:
            self._owner = self.name

    def writer(self) -> Writer:
        """What writes one of its functions."""
        return Writer(self._once)

    def add_function(self, w: Writer, header: str) -> None:
        """A finished function."""
        self.functions.append(w.text(header))
        self.needs.update(w.needs)
        for function in w.called:
            if not function.internal:
                self.declare(function.name, function.declaration)

    def mark_of(self, w: Writer) -> str:
        """What the header of a function of the program's own says of how it is compiled.

        What LLVM may regroup or fuse has to get there as vectors and sums do elsewhere: by passes.
        """
        is_exact = not any(flag in line for line in w.lines for flag in _REGROUPED)
        return f" {GLUE}" if self.is_glue and is_exact else ""

    def declare(self, function: str, line: str) -> None:
        """An external function that is called."""
        if function not in self.defined:
            self._declared[function] = line

    def constant(self, buffer: Buffer) -> str:
        """The global that holds a constant buffer's data."""
        if (name := self._globals.get(buffer)) is None:
            name = f"@{self.fresh('data')}"
            self._globals[buffer] = name
            dtype = BY_SHORT[buffer.type].storage
            data: np.ndarray[Any, Any] = np.ascontiguousarray(buffer.data, dtype)
            text = _bytes(data.tobytes())
            self._global_lines.append(
                f"{name} = internal unnamed_addr constant [{data.nbytes} x i8] {text}, align 64"
            )
        return name

    # ---------------------------------------------------------------- metadata

    def tag(self, buffer: Buffer) -> str:
        """What loads and stores of a buffer say about aliasing."""
        if (tag := self._tags.get(buffer)) is None:
            tag = f", !tbaa {self._access_type(self._alias_key(buffer))}"
            if buffer.space in ("input", "constant"):
                tag += f", !invariant.load {self._metadata.add('')}"
            self._tags[buffer] = tag
        return tag

    def _alias_key(self, buffer: Buffer) -> object:
        if buffer.space == "pointer" or buffer in self.plan.escape:
            return "pointed"
        if buffer.space in ("input", "constant"):
            return "given"
        return self.plan.groups.get(buffer, buffer)

    def _access_type(self, key: object) -> str:
        number = self._alias_numbers.setdefault(key, len(self._alias_numbers))
        root = self._metadata.add('!"tensormill"')
        kind = self._metadata.add(f'!"memory {number}", {root}, i64 0')
        return self._metadata.add(f"{kind}, {kind}, i64 0")

    def access_group(self) -> str:
        """A mark for the accesses of a loop whose iterations are independent."""
        return self._metadata.add("", distinct=True)

    def unlikely(self) -> str:
        """A mark for a branch that is hardly ever taken."""
        weights = self._metadata.add('!"branch_weights", i32 1, i32 1000000')
        return f"!prof {weights}"

    def whole_vectors(self) -> str:
        """What a loop says that vectors may be made of: neither they nor the rest, less than one
        vector, are written several times, which makes nothing quicker and LLVM's work longer.
        """
        done = self._metadata.add('!"llvm.loop.isvectorized", i32 1')
        stays = self._metadata.add('!"llvm.loop.unroll.disable"')
        return f'!"llvm.loop.vectorize.followup_all", {stays}, {done}'

    def loop(self, properties: list[str]) -> str:
        """Metadata of one loop."""
        nodes = "".join(f", {self._metadata.add(one)}" for one in properties)
        return self._metadata.add("{self}" + nodes, distinct=True)

    # ---------------------------------------------------------------- text

    def text(self) -> str:
        """All of it."""
        parts = [*self._global_lines, *self.functions]
        parts += definitions(one for one in self.needs if _symbol(one) not in self.defined)
        return "\n".join([*self._declared.values(), *parts, *self._metadata.lines, ""])


def _symbol(need: tuple[str, str]) -> str:
    return f"tm.{need[0]}.{need[1]}"


def _bytes(data: bytes) -> str:
    if not any(data):
        return "zeroinitializer"
    shown = "".join(chr(byte) if byte in _PRINTABLE else f"\\{byte:02X}" for byte in data)
    return f'c"{shown}"'
