"""Glue becomes code apart from the rest of its module, and does what it would do there."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from tensormill.compiler.machine import jit
from tensormill.compiler.machine.cache import CachedCode
from tensormill.compiler.machine.division import GLUE, divided
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

    assert divided(text) == [(text, False)]


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

    assert divided(text) == [(text, False)]


@pytest.mark.parametrize("linker", [link, link_with_llvm])
def test_pieces_do_together_what_the_whole_does(linker: Linker):
    whole = TEXT.replace(GLUE, "")

    assert applied(TEXT, linker) == applied(whole, link)


def test_a_file_that_is_cut_off_is_refused():
    code, *_ = jit.object_code(TEXT, "test", jit.host(), 2)

    with pytest.raises(jit.NotUnderstoodError, match="without its end"):
        jit.load(code[:-1], {}, ["apply"], jit.Pages())
