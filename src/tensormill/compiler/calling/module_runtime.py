"""The parts of a module around its program that are written in LLVM IR once and for all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..loops.ir import Choice, For, NativeCall, Program, Repeat, Statement
from ..lowered import FAILED, Lowered
from ..native import interrupts
from . import object_layouts
from .frame import FrameLayout
from .object_layouts import ARRAY_DATA, ARRAY_SIZES

_FUNCTION: Final = re.compile(r"^(?:define|declare)[^@]*@([\w.]+)\(", re.MULTILINE)
_SUPPORT: Final = re.compile(r"@(tm_\w+)\(")

# How Python runs a program that is not plain, and gives back what it kept.
_GENERAL: Final = """
define i32 @main(ptr %frame) {{
{unpacking}
  %failed = call i32 @{program}(ptr %frame)
  ret i32 %failed
}}

define void @release(ptr %frame) {{
  call void @tm_release_kept(ptr %frame)
  ret void
}}
"""


def calls_of(program: Program) -> dict[str, NativeCall]:
    """One call of each native function that a program calls, by its name."""
    found: dict[str, NativeCall] = {}
    pending: list[Statement] = list(program.body)
    while pending:
        statement = pending.pop()
        match statement:
            case NativeCall(function=function):
                found[function] = statement
            case For(body=body):
                pending.extend(body)
            case Repeat(before=before, body=body):
                pending.extend((*before, *body))
            case Choice(then=then, otherwise=otherwise):
                pending.extend((*then, *otherwise))
            case _:
                pass
    return found


def symbols_in(text: str) -> frozenset[str]:
    """The functions that LLVM IR text defines or declares."""
    return frozenset(_FUNCTION.findall(text))


def support_in(text: str) -> list[str]:
    """The `tm_` functions that LLVM IR text names, in order of appearance."""
    return list(dict.fromkeys(_SUPPORT.findall(text)))


def callback_types(calls: dict[str, NativeCall]) -> dict[str, tuple[str, ...]]:
    """The LLVM types of the words that each callback passes."""
    return {
        name: tuple("ptr" if one.type == "ptr" else "i64" for one in call.arguments[2:])
        for name, call in calls.items()
        if name.startswith("tm_callback_")
    }


def general_functions(
    lowered: Lowered,
    layout: FrameLayout,
    program: str,
    callbacks: dict[str, tuple[str, ...]],
    polls: bool = False,
) -> str:
    """What a program that is not plain needs; `callbacks`: the LLVM types of what each passes."""
    inputs = lowered.unpacked_inputs if object_layouts.are_known() else []
    unpacking = "\n".join(line for one in inputs for line in _unpacked(*one))
    common = _GENERAL.format(program=program, unpacking=unpacking)
    written = [_callback(name, types, layout) for name, types in sorted(callbacks.items())]
    if polls or callbacks:
        written.append(interrupts.signals(layout.error + 1, FAILED))
    if polls:
        written.append(interrupts.general(layout.polled))
    return "\n".join([common, *written])


def _unpacked(number: int, word: int, unknown: Sequence[int]) -> list[str]:
    """Replace the address of input k, an array object, by those of its memory, and its sizes."""
    name = f"%in{number}"
    lines = [
        f"  {name}.word = getelementptr i64, ptr %frame, i64 {word}",
        f"  {name}.array = load ptr, ptr {name}.word",
        f"  {name}.data.at = getelementptr i8, ptr {name}.array, i64 {ARRAY_DATA}",
        f"  {name}.data = load ptr, ptr {name}.data.at",
        f"  store ptr {name}.data, ptr {name}.word",
        f"  {name}.sizes.at = getelementptr i8, ptr {name}.array, i64 {ARRAY_SIZES}",
        f"  {name}.sizes = load ptr, ptr {name}.sizes.at",
    ]
    for position, axis in enumerate(unknown):
        one = f"{name}.{axis}"
        lines += [
            f"  {one}.at = getelementptr i64, ptr {name}.sizes, i64 {axis}",
            f"  {one} = load i64, ptr {one}.at",
            f"  {one}.to = getelementptr i64, ptr {name}.word, i64 {1 + position}",
            f"  store i64 {one}, ptr {one}.to",
        ]
    return lines


def _callback(name: str, types: tuple[str, ...], layout: FrameLayout) -> str:
    """Hand words over to Python's callback, whose address is in the frame's context word."""
    parameters = "".join(f", {type_} %w{k}" for k, type_ in enumerate(types))
    lines = [
        f"define internal i64 @{name}(ptr %frame, i64 %number{parameters}) {{",
        f"  %words = alloca [{max(len(types), 1)} x i64]",
    ]
    for k, type_ in enumerate(types):
        lines.append(f"  %at{k} = getelementptr i64, ptr %words, i64 {k}")
        lines.append(f"  store {type_} %w{k}, ptr %at{k}")
    lines += [
        f"  %context.at = getelementptr i64, ptr %frame, i64 {layout.context}",
        "  %callback = load ptr, ptr %context.at",
        f"  %done.at = getelementptr i64, ptr %frame, i64 {layout.done}",
        "  store i64 0, ptr %done.at",
        "  %gil = call i32 @PyGILState_Ensure()",
        "  %raised = call i64 @tm_signals(ptr %frame)",  # else they came before Python's `try`
        "  %calm = icmp eq i64 %raised, 0",
        "  br i1 %calm, label %go, label %after",
        "go:",
        "  call void %callback(i64 %number, ptr %words, ptr %frame)",
        "  br label %after",
        "after:",
        "  call void @PyGILState_Release(i32 %gil)",
        "  %done = load i64, ptr %done.at",
        "  ret i64 %done",
        "}",
    ]
    return "\n".join(lines)
