"""Object code that is linked by us does what it does when LLVM links it."""

from __future__ import annotations

import ctypes
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensormill.compiler.machine import jit
from tensormill.compiler.machine.cache import CachedCode
from tensormill.compiler.machine.elf import LoadedObject, NotUnderstoodError, load
from tensormill.compiler.machine.jit import NativeModule, compile_module, link, link_with_llvm
from tensormill.compiler.machine.pages import ALIGNMENT, CHUNK_BYTES, Pages
from tests.compiler.processes import outcome, start

CALLS = """
@table = private unnamed_addr constant [4 x double] [double 1.5, double 2.5, double 4.0, double 8.0]
@functions = internal constant [2 x ptr] [ptr @half, ptr @cos]

@nothing = private unnamed_addr constant [0 x double] zeroinitializer, section ".rodata.empty"

declare double @cos(double)
declare double @fmod(double, double)
declare double @given(double)

define internal double @half(double %x) noinline {
  %y = fmul double %x, 0.5
  ret double %y
}

define double @apply(i64 %n, double %x) {
entry:
  %known = and i64 %n, 1
  %slot = getelementptr [2 x ptr], ptr @functions, i64 0, i64 %known
  %function = load ptr, ptr %slot
  %a = call double %function(double %x)
  %place = and i64 %n, 3
  %at = getelementptr [4 x double], ptr @table, i64 0, i64 %place
  %factor = load double, ptr %at
  switch i64 %n, label %other [
    i64 0, label %zero
    i64 1, label %one
    i64 2, label %two
    i64 3, label %three
    i64 4, label %four
  ]
zero:
  ret double %a
one:
  %b = call double @given(double %a)
  ret double %b
two:
  %c = call double @fmod(double %x, double %factor)
  ret double %c
three:
  %d = fmul double %a, %factor
  ret double %d
four:
  ret double 44.0
other:
  %e = fadd double %a, %factor
  %held = alloca ptr
  store volatile ptr @nothing, ptr %held
  %address = load volatile ptr, ptr %held
  %missing = icmp eq ptr %address, null
  %f = select i1 %missing, double 0.0, double %e
  ret double %f
}
"""
UNARY = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
Linker = Callable[[str, CachedCode, dict[str, int]], NativeModule]


ADD_HUNDRED = UNARY(lambda x: x + 100.0)


@pytest.fixture
def given() -> int:
    return ctypes.cast(ADD_HUNDRED, ctypes.c_void_p).value or 0


def compiled(text: str, effort: int = 2) -> CachedCode:
    text = textwrap.dedent(text)  # symbols are looked for where lines begin
    code, functions, imports = jit.object_code(text, "test", jit.host(), effort)
    return CachedCode(code, {"functions": [*functions], "imports": [*imports], "metadata": {}})


def results(module: NativeModule) -> list[float]:
    apply = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double)(
        module.address("apply")
    )
    return [apply(n, 0.75) for n in range(7)]


@pytest.mark.parametrize("effort", [0, 2])
def test_both_linkers_give_the_same_results(effort: int, given: int):
    entry = compiled(CALLS, effort)

    expected = results(link_with_llvm("theirs", entry, {"given": given}))

    assert results(link("ours", entry, {"given": given})) == expected
    assert results(NativeModule("ours", ours(entry, given), frozenset(["apply"]), {})) == expected


def ours(entry: CachedCode, given: int) -> object:
    """Linked by us for certain."""
    return load(entry.code, {"given": given}, ["apply"], Pages())


def test_what_a_module_writes_is_llvms_to_link():
    counting = compiled("""
        @calls = internal global i64 0
        define i64 @count() {
          %before = atomicrmw add ptr @calls, i64 1 seq_cst
          ret i64 %before
        }
    """)

    with pytest.raises(NotUnderstoodError, match=r"\.bss"):
        load(counting.code, {}, ["count"], Pages())
    module = link("counting", counting, {})
    count = ctypes.CFUNCTYPE(ctypes.c_int64)(module.address("count"))
    assert [count(), count()] == [0, 1]


@pytest.mark.parametrize("code", [b"", b"\x7fELF", b"MZ" + 200 * b"\0", b"\x7fELF\x02\x01" * 20])
def test_what_is_no_object_code_is_refused(code: bytes):
    with pytest.raises(NotUnderstoodError):
        load(code, {}, [], Pages())


def test_a_symbol_that_is_nowhere_is_refused():
    entry = compiled(
        "declare void @nowhere()\ndefine void @f() {\ncall void @nowhere()\nret void\n}"
    )

    with pytest.raises(NotUnderstoodError, match="nowhere"):
        load(entry.code, {}, ["f"], Pages())


@pytest.mark.sampled(among="long lives")
def test_hundreds_of_modules_share_few_maps(given: int):
    text = "define i64 @number() {\n  ret i64 7\n}"
    first = compile_module(text, name="first", effort=0)
    before = maps()

    kept = [compile_module(text, name="more", effort=0) for _ in range(400)]

    assert maps() <= before + 3
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(kept[-1].address("number"))() == 7
    assert first.address("number") not in {module.address("number") for module in kept}


def test_what_a_signal_kept_from_being_made_gives_nothing_back(monkeypatch: pytest.MonkeyPatch):
    told: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", told.append)

    LoadedObject.__new__(LoadedObject)

    assert told == []


def maps() -> int:
    """Those of machine code: threads have some for their stacks and for what they allocate."""
    return Path("/proc/self/maps").read_text().count("memfd:tensormill")


# ---------------------------------------------------------------- pages


def test_blocks_that_are_given_back_are_used_again():
    pages = Pages()
    first, second, third = (pages.place(1000, lambda _: b"x" * 1000) for _ in range(3))

    pages.give_back(second, 1000)

    assert pages.place(900, lambda _: b"y") == second
    assert first < second < third


def test_the_map_goes_with_its_last_block():
    pages = Pages()
    blocks = [pages.place(5000, lambda _: b"code") for _ in range(3 * CHUNK_BYTES // 5000)]
    assert pages.size_bytes >= 3 * CHUNK_BYTES

    for address in sorted(blocks, key=lambda address: address % 7919):  # in no order
        pages.give_back(address, 5000)

    assert pages.size_bytes == 0


def test_blocks_may_be_larger_than_a_chunk():
    pages = Pages()
    size = 2 * CHUNK_BYTES + 5
    address = pages.place(size, lambda _: b"a" * size)

    assert ctypes.string_at(address + size - 3, 3) == b"aaa"
    assert address % ALIGNMENT == 0
    pages.give_back(address, size)
    assert pages.size_bytes == 0


def test_a_block_may_be_given_back_while_another_is_written():
    pages = Pages()
    old = pages.place(100, lambda _: b"old")

    def write(address: int) -> bytes:
        pages.give_back(old, 100)  # as the garbage collector may
        return b"new"

    pages.place(100, write)

    assert pages.place(100, lambda _: b"next") == old


def test_what_fails_while_it_is_written_takes_no_room():
    pages = Pages()

    with pytest.raises(ZeroDivisionError):
        pages.place(100, lambda address: bytes(address // 0))

    assert pages.size_bytes == 0


def test_no_page_may_be_written_and_executed(monkeypatch: pytest.MonkeyPatch):
    pages, seen = Pages(), set[tuple[str, str]]()
    address = pages.place(100, lambda _: b"code")
    move = ctypes.memmove

    def look(target: int, *operands: Any) -> Any:
        seen.add((access_to(target), access_to(address)))
        return move(target, *operands)

    monkeypatch.setattr(ctypes, "memmove", look)
    second = pages.place(100, lambda _: b"more")

    assert seen == {("rw-s", "r-xs")}
    assert [access_to(address), access_to(second)] == ["r-xs", "r-xs"]
    assert ctypes.string_at(second, 4) == b"more"


FORKING = """
import ctypes, os
from tensormill.compiler.machine.pages import Pages
pages = Pages()
first, second = (pages.place(100, lambda _: text) for text in (b"first", b"second"))
reading, writing = os.pipe()
child = os.fork()
pages.give_back(first, 100)
third = pages.place(100, lambda _: b"child" if child == 0 else b"parent")
assert third not in (first, second)
if child == 0:
    os.read(reading, 1)
    assert ctypes.string_at(first, 5) == b"first"
else:
    os.write(writing, b"x")
    assert os.waitpid(child, 0)[1] == 0
assert ctypes.string_at(second, 6) == b"second"
assert ctypes.string_at(third, 5) == (b"child" if child == 0 else b"paren")
"""


@pytest.mark.sampled(among="threads and interrupts")
def test_a_forked_child_and_its_parent_leave_each_others_code_alone():
    assert outcome(start(FORKING)) == (0, b"", b"")


# Where the system lets no memory become executable once it was there, and gives none that is.
HARDENED = """
import ctypes, os, sys, warnings
warnings.simplefilter("always", RuntimeWarning)
refuse_gain = ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0  # PR_SET_MDWE, of Linux 6.3
def refuse(*_):
    raise PermissionError(1, "no")
if "refused" in sys.argv:
    os.memfd_create = refuse
import tensormill as tf
import textwrap
f = tf.function(lambda x: tf.reduce_sum(tf.sin(x) * 2.0))
print(float(f(tf.zeros([1000, 1000]))))
assert float((tf.ones([100, 100]) @ tf.ones([100, 100]))[0, 0]) == 100.0
is_native = not (refuse_gain and "refused" in sys.argv)
print("the reference back end evaluates" in str(f.report()), not is_native)
"""


@pytest.mark.sampled(among="threads and interrupts")
def test_code_runs_where_no_memory_may_become_executable():
    assert outcome(start(HARDENED)) == (0, b"0.0\nFalse False\n", b"")


@pytest.mark.sampled(among="threads and interrupts")
def test_without_executable_memory_the_reference_evaluates():
    status, output, errors = outcome(start(HARDENED, "refused"))

    assert status == 0, errors
    assert output in (b"0.0\nTrue True\n", b"0.0\nFalse False\n")
    assert (b"functions run operation by operation" in errors) == (b"True" in output)


def access_to(address: int) -> str:
    for line in Path("/proc/self/maps").read_text().splitlines():
        bounds, access, *_ = line.split()
        begin, end = (int(bound, 16) for bound in bounds.split("-"))
        if begin <= address < end:
            return access
    raise AssertionError("not mapped")
