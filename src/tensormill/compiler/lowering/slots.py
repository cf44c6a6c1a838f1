"""Memory that outlives a block."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..loops.ir import FRAME, Apply, Buffer, Check, Expression, Local, NativeCall, Set
from ..lowered import NO_MEMORY
from .blocks import Blocks
from .values import NULL


@dataclass(eq=False, repr=False)  # quick to make: 0.1 ms
class Slots:
    """Memory kept for the whole call, reused by later iterations of the loops around it."""

    blocks: Blocks
    counters: dict[Buffer, bool] = field(default_factory=dict[Buffer, bool])
    objects: int = 0  # pointers to Python objects, which Python knows by their numbers

    def pointer(self, stem: str) -> Local:
        """A mutable pointer that is null when the program starts."""
        variable = self.blocks.variable(stem, "ptr", mutable=True)
        self.blocks.prologue.append(Set(variable, NULL))
        return variable

    def resize(self, pointer: Local, byte_count: Expression) -> None:
        """Let `pointer` have room for so many bytes (contents are not kept)."""
        grown = self.blocks.variable("kept", "ptr")
        self.blocks.emit(NativeCall("tm_resize", (FRAME, pointer, byte_count), grown))
        exists = Apply("ne", (grown, NULL), "bool")
        self.blocks.emit(Check(exists, NO_MEMORY), Set(pointer, grown))
