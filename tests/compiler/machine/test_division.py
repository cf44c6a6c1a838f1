"""Glue becomes code apart from the rest of its module, loops in several pieces; all does what it
would do in one.
"""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.machine import division, jit, long_calls
from tensormill.compiler.machine.cache import CachedCode, CodeCache
from tensormill.compiler.machine.division import GLUE, TextPiece, divided
from tensormill.compiler.machine.jit import NativeModule, link, link_with_llvm

TEXT = f"""declare double @cos(double)
@own = internal unnamed_addr constant [2 x double] [double 1.5, double 2.5]
@calls = internal constant [1 x ptr] [ptr @steps]
define internal double @half(double %x) noinline nounwind {{
entry:
  %y = fmul double %x, 0.5, !note !0
  ret double %y
}}
define internal double @twice(double %x) alwaysinline nounwind {{
entry:
  %y = fadd double %x, %x
  ret double %y
}}
define internal double @steps(double %x) noinline nounwind {GLUE} {{
entry:
  %a = call double @half(double %x)
  %b = call double @twice(double %a)
  %c = call double @cos(double %b)
  %at = getelementptr [2 x double], ptr @own, i64 0, i64 1
  %d = load double, ptr %at
  %e = fadd double %c, %d
  ret double %e
}}
define double @apply(double %x) {{
entry:
  %function = load ptr, ptr @calls
  %a = call double %function(double %x)
  %b = call double @steps(double %a)
  %c = call double @half(double %b)
  ret double %c
}}
!0 = !{{}}
"""
Linker = Callable[[str, CachedCode, dict[str, int]], NativeModule]


def applied(text: str, linker: Linker) -> float:
    code, functions, imports = jit.object_code(text, "test", jit.host(), 2)
    entry = CachedCode(code, {"functions": [*functions], "imports": [*imports], "metadata": {}})
    module = linker("test", entry, {})
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(module.address("apply"))(0.75)


def test_a_text_without_glue_is_one_piece():
    text = TEXT.replace(GLUE, "")

    assert divided(text) == [TextPiece(text)]


def test_glue_has_its_own_data_and_none_of_the_other_functions():
    others, glue = divided(TEXT)

    assert (others.is_glue, glue.is_glue) == (False, True)
    assert [line.split("(")[0] for line in glue.text.splitlines() if "define" in line] == [
        "define hidden double @steps"
    ]
    assert "@own = " in glue.text
    assert "@own" not in others.text
    assert "define hidden double @half" in others.text


def test_data_that_both_look_at_keeps_them_together():
    text = TEXT.replace("%y = fmul double %x, 0.5", "%y = load double, ptr @own")

    assert divided(text) == [TextPiece(text)]


@pytest.mark.parametrize("linker", [link, link_with_llvm])
def test_pieces_do_together_what_the_whole_does(linker: Linker):
    whole = TEXT.replace(GLUE, "")

    assert applied(TEXT, linker) == applied(whole, link)


def test_a_file_that_is_cut_off_is_refused():
    code, *_ = jit.object_code(TEXT, "test", jit.host(), 2)

    with pytest.raises(jit.NotUnderstoodError, match="without its end"):
        jit.load(code[:-1], {}, ["apply"], jit.Pages())


# ---------------------------------------------------------------- loops in pieces

HEADER = {
    "loop": "define internal i64 @{}(i64 %x) noinline nounwind {{",
    "copied": "define internal i64 @{}(i64 %x) alwaysinline nounwind {{",
    "plain": "define internal i64 @{}(i64 %x) nounwind {{",
    "glue": f"define internal i64 @{{}}(i64 %x) nounwind {GLUE} {{{{",
}


def function(header: str, lines: int, calls: list[str], looks_at: list[str]) -> str:
    """A function of one number: some arithmetic, calls of others, bytes of data added."""
    numbers, value = itertools.count(), "%x"
    text = [header, "entry:"]

    def add(line: str) -> str:
        name = f"%v{next(numbers)}"
        text.append(f"  {name} = {line}")
        return name

    for number in range(lines):
        value = add(f"xor i64 {value}, {number * 7919 + 1}")
    for name in calls:
        called = add(f"call i64 @{name}(i64 {value})")
        value = add(f"add i64 {value}, {called}")
    for data in looks_at:
        where = add(f"and i64 {value}, 15")
        byte = add(f"load i8, ptr {add(f'getelementptr i8, ptr @{data}, i64 {where}')}")
        value = add(f"add i64 {value}, {add(f'zext i8 {byte} to i64')}")
    return "\n".join([*text, f"  ret i64 {value}", "}"])


def data(name: str, size: int) -> str:
    content = "".join(f"\\{number % 251:02X}" for number in range(size))
    return f'@{name} = internal unnamed_addr constant [{size} x i8] c"{content}", align 64'


def run(text: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, bytes]:
    monkeypatch.setattr(jit.settings, "threads", threads)
    code, functions, imports = jit.object_code(text, "test", jit.host(), 2)
    entry = CachedCode(code, {"functions": [*functions], "imports": [*imports], "metadata": {}})
    module = link("test", entry, {})
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(module.address("entry"))(12345), code


@st.composite
def modules(draw: Any) -> str:
    """Functions that call those before them and look at constants; `entry` calls all loops."""
    constants = [data(f"data{number}", draw(st.sampled_from([16, 600]))) for number in range(3)]
    kinds = draw(st.lists(st.sampled_from(sorted(HEADER)), min_size=3, max_size=12))
    names, texts = list[str](), list[str]()
    for number, kind in enumerate(kinds):
        calls = draw(st.lists(st.sampled_from(names), max_size=3)) if names else []
        looks_at = draw(st.lists(st.sampled_from(["data0", "data1", "data2"]), max_size=2))
        names.append(draw(st.sampled_from(["f{}", "tm_f{}"])).format(number))
        header = HEADER[kind].format(names[-1])
        texts.append(function(header, draw(st.integers(1, 130)), calls, looks_at))
    entry = function("define i64 @entry(i64 %x) {", 1, names, [])
    return "\n".join([*constants, *texts, entry, ""])


@given(modules(), st.integers(1, 60))
@settings(deadline=None, max_examples=40)
def test_any_functions_in_pieces_do_what_they_do_in_one(text: str, lines: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(division, "PIECE_LINES", lines)
        in_pieces = run(text, 2, patch)[0]
        patch.setattr(jit, "divided", lambda ir: [TextPiece(ir)])

        assert in_pieces == run(text, 1, patch)[0]


def long_text() -> str:
    loops = [f"loop{number}" for number in range(12)]
    texts = [
        data("small", 16),
        data("large", 4000),
        function(HEADER["copied"].format("copied"), 5, [], ["small"]),
        *(
            function(HEADER["loop"].format(name), 150 + 20 * number, ["copied"], ["large"])
            for number, name in enumerate(loops)
        ),
        function("define i64 @entry(i64 %x) {", 1, loops, []),
    ]
    return "\n".join([*texts, ""])


def test_a_long_text_has_each_loop_in_one_piece_and_what_is_copied_in_all():
    pieces = [piece.text for piece in divided(long_text())]

    assert len(pieces) == 4
    defined = [re.findall(r"define .*?@(\w+)\(", text) for text in pieces]
    assert sorted(name for names in defined for name in names if name != "copied") == sorted(
        ["entry", *(f"loop{number}" for number in range(12))]
    )
    assert all("copied" in names for names in defined)
    sizes = [text.count("\n") for text in pieces]
    assert max(sizes) < 1.1 * min(sizes)


def test_a_large_constant_is_in_one_piece_and_a_small_one_in_all():
    pieces = [piece.text for piece in divided(long_text())]

    assert [text.count("@small = internal") for text in pieces] == [1, 1, 1, 1]
    assert [text.count("@large = hidden") for text in pieces] == [1, 0, 0, 0]
    assert [text.count("@large = external hidden") for text in pieces] == [0, 1, 1, 1]


def test_a_short_text_is_one_piece():
    text = function("define i64 @entry(i64 %x) {", 1400, [], [])

    assert divided(text) == [TextPiece(text)]


def test_variables_that_several_write_keep_them_together():
    text = long_text().replace(
        "@large = internal unnamed_addr constant", "@large = internal global"
    )

    assert divided(text) == [TextPiece(text)]


def test_code_does_not_depend_on_how_many_threads_make_it(monkeypatch: pytest.MonkeyPatch):
    assert run(long_text(), 1, monkeypatch) == run(long_text(), 4, monkeypatch)


# ---------------------------------------------------------------- functions of the library

LIBRARY = """define internal i64 @tm_turns(i64 %x) noinline nounwind {{
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %x
  br i1 %more, label %turn, label %end, !llvm.loop !{0}
end:
  %y = call i64 @tm_long(i64 %x)
  %z = call i64 @llvm.smax.i64(i64 %y, i64 %next)
  ret i64 %z
}}"""


def program_with_library(before: int, name: str) -> str:
    """A text with so many lines of metadata before those that the library needs."""
    texts = [
        "declare double @cos(double)",
        "declare i64 @llvm.smax.i64(i64, i64)",
        function(HEADER["loop"].format(name), 30, ["tm_turns"], []),
        function(HEADER["loop"].format("tm_long"), 70, [], []),
        LIBRARY.format(before + 1),
        function("define i64 @entry(i64 %x) {", 2000, [name], []),
        *(f"!{number} = !{{i64 {number}}}" for number in range(before)),
        f'!{before} = !{{!"llvm.loop.unroll.disable"}}',
        f"!{before + 1} = distinct !{{!{before + 1}, !{before}}}",
    ]
    return "\n".join([*texts, ""])


def library_pieces(text: str) -> list[str]:
    return [piece.text for piece in divided(text) if piece.is_library]


def test_a_function_of_the_library_is_the_same_piece_in_all_texts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(division, "_LIBRARY_LINES", 10)
    pieces = library_pieces(program_with_library(0, "one"))

    assert len(pieces) == 2
    assert pieces == library_pieces(program_with_library(7, "other"))


@pytest.mark.parametrize("name", ["small", '"tm.table.0"'])
def test_a_function_that_looks_at_a_texts_data_is_none_of_the_librarys(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    loop = function(HEADER["loop"].format("tm_loop"), 100, [], [name])
    text = "\n".join([long_text(), data('"tm.table.0"', 16), loop, ""])

    assert library_pieces(text) == []
    assert run(text, 2, monkeypatch) == run(text, 1, monkeypatch)


def test_code_of_the_library_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(division, "_LIBRARY_LINES", 10)
    made, cache = list[str](), CodeCache(tmp_path, 1 << 20)
    known = long_calls.Compiler.object_of

    def object_of(self: long_calls.Compiler, module: Any) -> bytes:
        made.extend(one.name for one in module.functions if not one.is_declaration)
        return known(self, module)

    monkeypatch.setattr(long_calls.Compiler, "object_of", object_of)
    for before, name in ((0, "one"), (3, "other")):
        jit.object_code(program_with_library(before, name), "test", jit.host(), 2, cache=cache)

    assert sorted(made) == ["entry", "entry", "one", "other", "tm_long", "tm_turns"]
