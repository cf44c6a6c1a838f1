# ruff: noqa: E501 - LLVM's lines are as long as its signatures
"""Matrix products by OpenBLAS, in LLVM IR: a batch of row-major matrices through CBLAS.

CBLAS takes 32-bit sizes; larger ones (and sizes of zero) never reach it.
"""

from __future__ import annotations

from typing import Final

# Our short dtype name: CBLAS's letter, LLVM's type, bytes per number.
LETTERS: Final = {
    "f32": ("s", "float", 4),
    "f64": ("d", "double", 8),
    "c64": ("c", "float", 8),
    "c128": ("z", "double", 16),
}
ROW_MAJOR, PLAIN, TRANSPOSED = 101, 111, 112


def symbol(short: str) -> str:
    """The CBLAS function for a dtype, as OpenBLAS's package for Python names it."""
    return f"scipy_cblas_{LETTERS[short][0]}gemm"


def definition(short: str) -> str:
    """`tm_gemm_<dtype>(a, b, out, matrices, m, n, k, transpose_a, transpose_b)`."""
    _, type_, size = LETTERS[short]
    is_complex = short.startswith("c")
    scalar = "ptr" if is_complex else type_
    one = f"@tm_one_{short}" if is_complex else "1.0"
    zero = f"@tm_zero_{short}" if is_complex else "0.0"
    constants = ""
    if is_complex:
        pair = f"[2 x {type_}]"
        constants = (
            f"@tm_one_{short} = internal constant {pair} [{type_} 1.0, {type_} 0.0]\n"
            f"@tm_zero_{short} = internal constant {pair} [{type_} 0.0, {type_} 0.0]\n"
        )
    return f"""
{constants}
declare void @{symbol(short)}(i32, i32, i32, i32, i32, i32, {scalar}, ptr, i32, ptr, i32, {scalar}, ptr, i32)

define internal void @tm_gemm_{short}(ptr %a, ptr %b, ptr %out, i64 %matrices, i64 %m, i64 %n, i64 %k, i64 %ta, i64 %tb) {{
entry:
  %m32 = trunc i64 %m to i32
  %n32 = trunc i64 %n to i32
  %k32 = trunc i64 %k to i32
  %a.flag = icmp ne i64 %ta, 0
  %b.flag = icmp ne i64 %tb, 0
  %a.kind = select i1 %a.flag, i32 {TRANSPOSED}, i32 {PLAIN}
  %b.kind = select i1 %b.flag, i32 {TRANSPOSED}, i32 {PLAIN}
  %a.columns = select i1 %a.flag, i32 %m32, i32 %k32
  %b.columns = select i1 %b.flag, i32 %k32, i32 %n32
  %lda = call i32 @llvm.smax.i32(i32 %a.columns, i32 1)
  %ldb = call i32 @llvm.smax.i32(i32 %b.columns, i32 1)
  %ldc = call i32 @llvm.smax.i32(i32 %n32, i32 1)
  %a.count = mul i64 %m, %k
  %b.count = mul i64 %k, %n
  %c.count = mul i64 %m, %n
  %a.bytes = mul i64 %a.count, {size}
  %b.bytes = mul i64 %b.count, {size}
  %c.bytes = mul i64 %c.count, {size}
  %nothing = icmp eq i64 %c.count, 0
  br i1 %nothing, label %done, label %head
head:
  %number = phi i64 [ 0, %entry ], [ %next, %one ]
  %more = icmp slt i64 %number, %matrices
  br i1 %more, label %one, label %done
one:
  %a.offset = mul i64 %number, %a.bytes
  %b.offset = mul i64 %number, %b.bytes
  %c.offset = mul i64 %number, %c.bytes
  %a.at = getelementptr i8, ptr %a, i64 %a.offset
  %b.at = getelementptr i8, ptr %b, i64 %b.offset
  %c.at = getelementptr i8, ptr %out, i64 %c.offset
  call void @{symbol(short)}(i32 {ROW_MAJOR}, i32 %a.kind, i32 %b.kind, i32 %m32, i32 %n32, i32 %k32, {scalar} {one}, ptr %a.at, i32 %lda, ptr %b.at, i32 %ldb, {scalar} {zero}, ptr %c.at, i32 %ldc)
  %next = add i64 %number, 1
  br label %head
done:
  ret void
}}
"""


DECLARATIONS: Final = "declare i32 @llvm.smax.i32(i32, i32)\n"
