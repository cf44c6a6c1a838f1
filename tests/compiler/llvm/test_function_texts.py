"""Functions that are written one instruction after another: what they call, and records."""

from __future__ import annotations

import ctypes

from tensormill.compiler.llvm.function_texts import FunctionTexts
from tensormill.compiler.llvm.prototypes import Prototype
from tensormill.compiler.llvm.writer import Writer
from tensormill.compiler.loops.records import record
from tensormill.compiler.machine.jit import compile_module

MAGNITUDE = Prototype("labs", "i64", ("i64",))  # C's
TWICE = Prototype("twice", "i64", ("i64",), internal=True)
RUN = Prototype("run", "void", ("ptr",))
PRINT = Prototype("snprintf", "i32", ("ptr", "i64", "ptr", "i64"), fixed=3)
PAIR = record("Pair", small="i32", gap="i32", large="i64")


def texts() -> FunctionTexts:
    """`run` doubles the magnitude of a pair's small number."""
    made, w = FunctionTexts(), Writer()
    small = w.line(f"sext i32 {w.get('%pair', PAIR, 'small')} to i64")
    w.put(w.invoke(TWICE, w.invoke(MAGNITUDE, small)), "%pair", PAIR, "large")
    w.do("ret void")
    made.add(w, RUN, "pair")
    w = Writer()
    w.do(f"ret i64 {w.line('add i64 %x, %x')}")
    made.add(w, TWICE, "x")
    return made


def test_records_lie_where_python_sees_them() -> None:
    module = compile_module(texts().text(), name="pairs")
    pair = (ctypes.c_int64 * 2)()
    ctypes.c_int32.from_buffer(pair).value = -21

    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(module.address("run"))(ctypes.addressof(pair))

    assert PAIR.at(ctypes.addressof(pair)) == {"small": -21, "gap": 0, "large": 42}


def test_what_is_called_and_not_defined_is_declared_once() -> None:
    made = texts()

    assert made.names == {"run", "twice", "labs"}
    assert made.text().count("declare") == 1


def test_functions_of_any_number_of_arguments_say_so_when_they_are_called() -> None:
    assert PRINT.declaration == "declare i32 @snprintf(ptr, i64, ptr, ...)"
    assert PRINT.call(["%to", "9", "%as", "%n"]) == (
        "call i32 (ptr, i64, ptr, ...) @snprintf(ptr %to, i64 9, ptr %as, i64 %n)"
    )


def test_a_loop_of_the_writer_counts_its_turns() -> None:
    made, w = FunctionTexts(), Writer()
    total = w.stack("i64", 8)
    w.store("i64", "0", total)
    loop = w.begin_loop("turn", "next")
    w.store("i64", w.line(f"add i64 {w.load('i64', total)}, {loop.number}"), total)
    w.jump("next")
    w.begin("next")
    w.end_loop(loop, 5, "done")
    w.do(f"ret i64 {w.load('i64', total)}")
    made.add(w, Prototype("sum", "i64"))

    module = compile_module(made.text(), name="sums")

    assert ctypes.CFUNCTYPE(ctypes.c_int64)(module.address("sum"))() == 0 + 1 + 2 + 3 + 4
