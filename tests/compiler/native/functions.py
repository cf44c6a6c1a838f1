"""Level-2 functions run both ways, for tests: evaluated, and in machine code."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.llvm.types import REGISTER
from tensormill.compiler.loops.evaluate import call
from tensormill.compiler.loops.ir import NativeFunction, Program
from tensormill.compiler.loops.memory import Memory
from tensormill.compiler.machine.jit import NativeModule, compile_module
from tensormill.compiler.native import library
from tensormill.compiler.native.records import FRAME
from tensormill.compiler.native.symbols import symbols_for

_C = {
    "i64": ctypes.c_int64, "f64": ctypes.c_double, "ptr": ctypes.c_void_p,
    "bool": ctypes.c_bool, "u8": ctypes.c_uint8,
}  # fmt: skip


class Evaluated:
    """Functions, those of the library if none are given, evaluated in a memory of their own;
    `backwards`, what threads share from its end.
    """

    def __init__(
        self, functions: tuple[NativeFunction, ...] = (), *, backwards: bool = False
    ) -> None:
        self.memory = Memory()
        self._backwards = backwards
        self._functions = {one.name: one for one in functions or of_the_library()}
        self._known = {**self._functions, **self.memory.functions()}
        self.frame = self.room(np.zeros((), FRAME.dtype))

    def room(self, array: np.ndarray[Any, Any]) -> int:
        """The address of an array that the functions may touch."""
        return self.memory.address(array)

    def __call__(self, name: str, *arguments: int) -> Any:
        function = self._functions[name]
        return call(function, arguments, self._known, self.memory, backwards=self._backwards)


class Compiled:
    """The same functions in machine code."""

    def __init__(self, functions: tuple[NativeFunction, ...] = ()) -> None:
        functions = functions or of_the_library()
        self._module = compiled(functions)
        self._functions = {one.name: one for one in functions}
        self._held: list[np.ndarray[Any, Any]] = []
        self.frame = self.room(np.zeros((), FRAME.dtype))

    def room(self, array: np.ndarray[Any, Any]) -> int:
        """The address of an array that the functions may touch."""
        self._held.append(array)
        return array.ctypes.data

    def __call__(self, name: str, *arguments: int) -> Any:
        function = self._functions[name]
        found = callable_of(self._module, function)(*arguments)
        return (found or 0) if function.result == "ptr" else found


@cache
def of_the_library() -> tuple[NativeFunction, ...]:
    """All functions that programs may call."""
    return tuple(map(library.function, library.names()))


@cache
def compiled(functions: tuple[NativeFunction, ...]) -> NativeModule:
    """A module that exports functions, each under `call_` and its name."""
    nothing = Program("nothing", (), ())
    text = emit(nothing, "nothing", functions=functions)
    text += "\n".join(map(_exported, functions))
    return compile_module(text, name="f", symbols=symbols_for(text))


def callable_of(module: NativeModule, function: NativeFunction) -> Any:
    """A function of `compiled` as ctypes sees it."""
    result = None if function.result is None else _C[function.result]
    taken = [_C[one.type] for one in function.parameters]
    return ctypes.CFUNCTYPE(result, *taken)(module.address(f"call_{function.name}"))


def _exported(function: NativeFunction) -> str:
    """Booleans are bytes in C."""
    words = [f"{REGISTER[one.type]} %x{k}" for k, one in enumerate(function.parameters)]
    taken = ", ".join(words)
    kept = "void" if function.result is None else REGISTER[function.result]
    given = "i8" if kept == "i1" else kept
    lines = [f"define {given} @call_{function.name}({taken}) {{"]
    if kept == "void":
        lines += [f"  call void @{function.name}({taken})", "  ret void", "}"]
        return "\n".join(lines)
    lines.append(f"  %found = call {kept} @{function.name}({taken})")
    if kept == "i1":
        lines.append("  %wide = zext i1 %found to i8")
    lines += [f"  ret {given} {'%wide' if kept == 'i1' else '%found'}", "}"]
    return "\n".join(lines)
