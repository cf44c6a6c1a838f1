"""The machine code that lets one thread at a time read and write the words of the reserve.

Whoever comes while another thread is there yields the processor: that one has some ten instructions
to do.
"""

from __future__ import annotations

from ...llvm.function_texts import FunctionTexts
from ...llvm.prototypes import LOCK_RESERVE, UNLOCK_RESERVE, YIELD
from ...llvm.types import ALIGNMENT
from ...llvm.writer import Writer
from ..records import RESERVE
from .reserve_words import SYMBOL


def lock_text() -> str:
    """`tm_lock_reserve`, which gives the address of the words, and `tm_unlock_reserve`."""
    texts = FunctionTexts()
    texts.lines.append(f"@{SYMBOL} = external global [{RESERVE.bytes} x i8], align 8")
    _add_lock(texts)
    _add_unlock(texts)
    return texts.text()


def _add_lock(texts: FunctionTexts) -> None:
    w = Writer()
    busy = w.field(f"@{SYMBOL}", RESERVE, "busy")
    w.jump("try")
    w.begin("try")
    both = w.line(f"cmpxchg ptr {busy}, i64 0, i64 1 acquire monotonic")
    w.branch(w.line(f"extractvalue {{ i64, i1 }} {both}, 1"), "taken", "wait")
    w.begin("wait")
    w.invoke(YIELD)
    w.jump("try")
    w.begin("taken")
    w.do(f"ret ptr @{SYMBOL}")
    texts.add(w, LOCK_RESERVE)


def _add_unlock(texts: FunctionTexts) -> None:
    w = Writer()
    busy = w.field(f"@{SYMBOL}", RESERVE, "busy")
    w.do(f"store atomic i64 0, ptr {busy} release, align {ALIGNMENT['i64']}")
    w.do("ret void")
    texts.add(w, UNLOCK_RESERVE)
