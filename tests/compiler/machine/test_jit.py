"""LLVM IR text becomes machine code, and machine code goes away."""

from __future__ import annotations

import ctypes
import gc
import platform
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.machine import jit
from tensormill.compiler.machine.cache import CachedCode, CodeCache
from tensormill.compiler.machine.jit import (
    EFFORTS,
    NativeModule,
    Target,
    binding,
    compile_module,
    host,
    load_module,
    object_key,
    processor,
    readable,
)
from tensormill.errors import InternalError
from tests.compiler.processes import outcome, start

DOUBLE = """
@times = internal global i64 0
@table = private constant [2 x double] [double 2.0, double 3.0]

define double @apply(double %x) {
  %factor = load double, ptr @table
  %y = fmul double %x, %factor
  atomicrmw add ptr @times, i64 1 monotonic
  ret double %y
}
"""
SUM = """
define float @sum(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %more, %loop ]
  %slot = getelementptr float, ptr %x, i64 %i
  %value = load float, ptr %slot
  %more = fadd reassoc nsz float %total, %value
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret float %more
}
"""


def applied(module: NativeModule, x: float) -> float:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(module.address("apply"))(x)


def memory_maps() -> int:
    """How many hold code that no file has: what allocators map and unmap beside has none."""
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    return sum("x" in one[1] and len(one) == 5 for one in maps)


def test_a_function_can_be_called():
    assert applied(compile_module(DOUBLE, name="double"), 21.0) == 42.0


def test_a_module_names_its_external_functions():
    assert compile_module(DOUBLE, name="double").functions == {"apply"}


def test_two_modules_may_define_the_same_function():
    double = compile_module(DOUBLE, name="same")
    triple = compile_module(DOUBLE.replace("double 2.0", "double 3.0"), name="same")

    assert (applied(double, 7.0), applied(triple, 7.0)) == (14.0, 21.0)


@pytest.mark.parametrize("effort", EFFORTS)
def test_every_effort_gives_the_same_results(effort: int):
    assert applied(compile_module(DOUBLE, name="double", effort=effort), 1.5) == 3.0


def test_loops_are_vectorised_from_effort_two_on():
    assert [" x float>" in readable(SUM, effort=effort).ir for effort in EFFORTS] == [
        False,
        False,
        True,
        True,
    ]


def test_symbols_are_found_where_the_caller_says():
    @ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    def outside(x: float) -> float:
        return x + 0.5

    address = ctypes.cast(outside, ctypes.c_void_p).value
    assert address is not None
    symbols = {"outside": address}
    assert applied(compile_module(OUTSIDE, name="calls", symbols=symbols), 2.0) == 2.5
    assert applied(compile_module(OUTSIDE, name="calls", symbols=lambda: symbols), 2.0) == 2.5


OUTSIDE = """
declare double @outside(double)
define double @apply(double %x) {
  %y = call double @outside(double %x)
  ret double %y
}
"""


def test_symbols_are_found_while_text_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By the same threads: what they are of may have to be compiled, too."""
    cache, works = CodeCache(tmp_path / "cache", 1 << 20), []
    absolute = ctypes.cast(ctypes.CDLL(None).fabs, ctypes.c_void_p).value or 0

    def in_turn(all_works, threads):
        works.append(len(all_works))
        return [work() for work in all_works]

    monkeypatch.setattr(jit, "side_by_side", in_turn)
    for is_found in (False, True):
        module = compile_module(
            OUTSIDE, name="m", symbols=lambda: {"outside": absolute}, cache_key="m", cache=cache
        )
        assert module.from_cache is is_found
        assert applied(module, -2.0) == 2.0
    assert works == [2]
    with pytest.raises(ZeroDivisionError):
        compile_module(OUTSIDE, name="calls", symbols=lambda: {"outside": 1 // 0})


def test_symbols_of_the_process_are_there():
    text = """
declare ptr @PyEval_SaveThread()
define ptr @where() {
  ret ptr @PyEval_SaveThread
}
"""
    module = compile_module(text, name="python")

    found = ctypes.CFUNCTYPE(ctypes.c_void_p)(module.address("where"))()
    assert found == ctypes.cast(ctypes.pythonapi.PyEval_SaveThread, ctypes.c_void_p).value


def test_text_that_is_no_llvm_ir_is_refused():
    with pytest.raises(InternalError, match=r"(?s)broken: LLVM refuses.*expected type"):
        compile_module("define double @f(", name="broken")


def test_text_whose_types_do_not_fit_is_refused():
    with pytest.raises(InternalError, match="LLVM refuses"):
        compile_module("define i32 @f() { ret i64 0 }", name="broken")


def test_a_symbol_that_nothing_defines_is_named():
    text = "declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}"

    with pytest.raises(InternalError, match=r"lonely: .*nothing defines nowhere"):
        compile_module(text, name="lonely")


def test_asking_for_an_unknown_function_names_the_known_ones():
    with pytest.raises(InternalError, match="no native function 'other', it has apply"):
        compile_module(DOUBLE, name="double").address("other")


@pytest.mark.sampled(among="long lives")
def test_dropped_modules_leave_no_memory_maps():
    compile_module(DOUBLE, name="first")
    gc.collect()
    before = memory_maps()

    for number in range(500):
        compile_module(DOUBLE, name=f"module {number}", effort=0)
    gc.collect()

    assert memory_maps() <= before + 5


def test_code_lives_as_long_as_its_module():
    modules = [compile_module(DOUBLE, name="kept") for _ in range(20)]
    kept = modules[7]
    del modules
    gc.collect()

    assert applied(kept, 4.0) == 8.0


def test_threads_may_compile_at_once():
    results: list[float] = []

    def work() -> None:
        results.extend(applied(compile_module(DOUBLE, name="thread"), 1.0) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [2.0] * 20


def test_object_code_comes_back_from_the_cache(tmp_path: Path):
    cache = CodeCache(tmp_path / "cache", 1 << 20)

    made, found = (
        compile_module(DOUBLE, name="m", cache_key=DOUBLE, cache=cache, metadata={"words": 3})
        for _ in range(2)
    )

    assert (made.from_cache, found.from_cache) == (False, True)
    assert applied(found, 5.0) == 10.0
    assert found.metadata == {"words": 3}
    assert found.functions == made.functions


def test_a_cached_module_needs_no_text(tmp_path: Path):
    cache = CodeCache(tmp_path / "cache", 1 << 20)
    key = object_key("the graph that it was made from")
    assert load_module(key, name="m", cache=cache) is None

    text = "the graph that it was made from"
    compile_module(DOUBLE, name="m", cache_key=text, cache=cache)

    module = load_module(key, name="m", cache=cache)
    assert module is not None
    assert applied(module, 1.0) == 2.0


def test_without_a_key_nothing_is_stored(tmp_path: Path):
    cache = CodeCache(tmp_path / "cache", 1 << 20)

    compile_module(DOUBLE, name="m", cache=cache)

    assert cache.size_bytes() == 0


def test_keys_differ_by_text_effort_and_processor():
    other = Target(host().cpu, host().features + ",-fma", host().triple)
    keys = [object_key("a"), object_key("b"), object_key("a", effort=3), object_key("a", other)]

    assert len({*keys}) == 4


@pytest.mark.parametrize("asked", [lambda: None, host])
def test_keys_differ_by_the_version_of_what_makes_code(
    asked: Callable[[], Target | None], monkeypatch: pytest.MonkeyPatch
):
    before = object_key("a", asked())
    monkeypatch.setattr(llvmlite, "__version__", "0.0")

    assert object_key("a", asked()) != before


def test_assembly_is_for_the_processor_asked_for():
    least = Target("generic", "", host().triple)

    assert readable(SUM, target=least).assembly != readable(SUM, effort=0, target=least).assembly


@pytest.mark.sampled(among="threads and interrupts")
def test_a_process_with_native_code_exits_quietly():
    program = f"""
from tensormill.compiler.machine.jit import compile_module
kept = compile_module({DOUBLE!r}, name="kept")
"""
    assert outcome(start(program)) == (0, b"", b"")


def test_importing_the_compiler_does_not_import_llvmlite():
    program = """
import sys
import tensormill.compiler.machine.jit
import tensormill.compiler.native.threads
import tensormill.compiler.native.blas
print(sorted({"llvmlite", "scipy_openblas32"} & {*sys.modules}))
"""
    assert outcome(start(program)) == (0, b"[]\n", b"")


def test_code_from_the_disk_cache_is_named_without_asking_llvm():
    assert platform.machine() in processor()
    flags = [line for line in processor().splitlines() if line.startswith(("flags", "Features"))]
    assert len(flags) == 1
    assert object_key("text") != object_key("text", host())


@pytest.mark.parametrize("told", ["", "processor\t: 0\nisa\t: rv64gc\n"])
def test_a_kernel_that_tells_nothing_has_llvm_asked(told: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Path, "read_text", lambda *_: told)

    assert processor.__wrapped__() == repr(host())


def test_what_owns_objects_of_llvm_runs_where_no_signal_comes(monkeypatch: pytest.MonkeyPatch):
    names = {"_binding", "_host", "_optimise", "_target_machine", "_linked"}
    threads: list[tuple[str, threading.Thread]] = []

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            threads.append((name, threading.current_thread()))
            return function(*args)

        return call

    for name in names:
        monkeypatch.setattr(jit, name, noted(name, getattr(jit, name)))
    monkeypatch.setattr(jit, "_compilers", {})
    for cached in (binding, host):
        cached.__wrapped__()
    text = "define i32 @f() {\n ret i32 7\n}"
    readable(text)
    code = jit.object_code(text, "test", host(), 0)
    entry = CachedCode(code[0], {"functions": ["f"], "imports": [], "metadata": {}})
    jit.link_with_llvm("test", entry, {})

    assert {name for name, _ in threads} == names
    assert threading.main_thread() not in [thread for _, thread in threads]


def test_code_that_llvm_breaks_when_it_makes_vectors_is_made_without() -> None:
    # LLVM 20 uses a vector of this gradient before it is there, and then ends the process.
    x = tf.constant([[[5.0, 1.0], [1.0, 4.0]], [[3.0, 0.5], [0.5, 2.0]]])

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(tf.linalg.cholesky(x))
        return tape.gradient(total, x)

    np.testing.assert_allclose(slope(x), tf.function(slope)(x), rtol=1e-5)
