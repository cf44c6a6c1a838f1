"""Runs loop programs in machine code, for tests: emitted as they are, or after the passes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.evaluate import storage
from tensormill.compiler.loops.ir import Buffer, Local, NativeFunction, Program
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.machine.jit import NativeModule, compile_module
from tensormill.compiler.native.symbols import symbols_for
from tensormill.ops.lowering import MOST_NUMBERS

ENTRY = """
define i32 @entry(ptr %frame) {
  %result = call i32 @main(ptr %frame)
  ret i32 %result
}
"""


class Native:
    """A program in machine code. Call it with what its frame holds, in order."""

    def __init__(
        self,
        program: Program,
        symbols: dict[str, int] | None = None,
        functions: Sequence[NativeFunction] = (),
    ) -> None:
        self.program = program
        self.text = emit(verify(program), "main", functions=functions) + ENTRY
        self.module: NativeModule = compile_module(
            self.text, name="main", symbols=symbols_for(self.text) | (symbols or {})
        )
        entry_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
        self.entry = entry_type(self.module.address("entry"))

    def frame(self, values: Sequence[Any]) -> np.ndarray[Any, Any]:
        words = np.zeros(len(self.program.frame) + 1 + MOST_NUMBERS, np.int64)  # error, then values
        for number, (entry, value) in enumerate(zip(self.program.frame, values, strict=True)):
            if isinstance(entry, Buffer):
                words[number] = value.ctypes.data
            else:
                put(words, number, entry, value)
        return words

    def __call__(self, *values: Any) -> tuple[int, list[int]] | None:
        """None, or the error number and the words of the failed check."""
        words = self.frame(values)
        if self.entry(words.ctypes.data) == 0:
            return None
        first = len(self.program.frame)
        return int(words[first]), [int(word) for word in words[first + 1 :]]


def put(words: np.ndarray[Any, Any], number: int, variable: Local, value: Any) -> None:
    kept = np.array([value], storage(variable.type))
    words[number : number + 1].view(np.uint8)[: kept.nbytes] = kept.view(np.uint8)
