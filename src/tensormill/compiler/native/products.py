# ruff: noqa: E501 - LLVM's lines are as long as its signatures
"""Matrix products by OpenBLAS, in LLVM IR: a batch of row-major matrices through CBLAS.

A large product is cut into strips of columns (of rows, where there are more of them) that the
threads of threads.py take: OpenBLAS's own threads wait for each other in busy loops,
which costs a multiple of the time where other programs want the processor. A strip ends where a
block of OpenBLAS's kernels ends, and none is narrower than a block, so that every number is added
up in the same order whatever the strips, and results do not depend on the number of threads.

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

# Multiply-adds of a strip, at least and at most: a fifth of a millisecond, two milliseconds.
# OpenBLAS arranges the other factor anew for each strip, so few are better (8 cost 4 % more than 2
# at 128×1024 by 1024×4096), but threads that are interrupted need some to share.
LEAST: Final = 1 << 25
MOST: Final = 1 << 28
# Strips are as wide as a whole number of the blocks that OpenBLAS's kernels work on; the last one
# has the rest as well.
BLOCK: Final = 64

# What a strip's thread is told: one word each, in this order.
FIELDS: Final = (
    "a", "b", "out", "m", "n", "k", "ta", "tb",
    "strips", "width", "rowwise", "extent",
)  # fmt: skip


def symbol(short: str) -> str:
    """The CBLAS function for a dtype, as OpenBLAS's package for Python names it."""
    return f"scipy_cblas_{LETTERS[short][0]}gemm"


def definition(short: str) -> str:
    """`tm_gemm_<dtype>(a, b, out, matrices, m, n, k, transpose_a, transpose_b)`."""
    count = len(FIELDS)
    parameters = ("a", "b", "out")
    stores = "\n".join(
        f"  %at.{name} = getelementptr i64, ptr %context, i64 {number}\n"
        f"  store {'ptr' if name in parameters else 'i64'} %{name}, ptr %at.{name}"
        for number, name in enumerate(FIELDS)
    )
    return f"""
{_strips(short)}
define internal void @tm_gemm_{short}(ptr %a, ptr %b, ptr %out, i64 %matrices, i64 %m, i64 %n, i64 %k, i64 %ta, i64 %tb) {{
entry:
  %context = alloca [{count} x i64], align 8
  %area = mul i64 %m, %n
  %nothing = icmp eq i64 %area, 0
  br i1 %nothing, label %done, label %cut
cut:
  %area.number = sitofp i64 %area to double
  %k.number = sitofp i64 %k to double
  %work = fmul double %area.number, %k.number
  %threads = call i64 @tm_threads()
  %threads.number = sitofp i64 %threads to double
  %rounds.number = fdiv double %work, {float(MOST)}
  %rounds.share = fdiv double %rounds.number, %threads.number
  %rounds = call double @llvm.ceil.f64(double %rounds.share)
  %spread = fmul double %rounds, %threads.number
  %worth = fdiv double %work, {float(LEAST)}
  %few = call double @llvm.minnum.f64(double %spread, double %worth)
  %bounded = call double @llvm.minnum.f64(double %few, double 1.0e9)
  %whole = fptosi double %bounded to i64
  %wanted = call i64 @llvm.smax.i64(i64 %whole, i64 1)
  %tall = icmp sgt i64 %m, %n
  %rowwise = zext i1 %tall to i64
  %extent = select i1 %tall, i64 %m, i64 %n
  %full = sdiv i64 %extent, {BLOCK}
  %units = call i64 @llvm.smax.i64(i64 %full, i64 1)
  %units.padded = add i64 %units, %wanted
  %units.less = sub i64 %units.padded, 1
  %share = sdiv i64 %units.less, %wanted
  %width = mul i64 %share, {BLOCK}
  %share.padded = add i64 %units, %share
  %share.less = sub i64 %share.padded, 1
  %strips = sdiv i64 %share.less, %share
{stores}
  %blocks = mul i64 %matrices, %strips
  %work.least = call double @llvm.maxnum.f64(double %work, double 1.0)
  %grain.number = fdiv double {float(LEAST // 8)}, %work.least
  %grain.bounded = call double @llvm.minnum.f64(double %grain.number, double 1.0e9)
  %grain.whole = fptosi double %grain.bounded to i64
  %grain = call i64 @llvm.smax.i64(i64 %grain.whole, i64 1)
  call void @tm_parallel_for(i64 %blocks, ptr @tm_gemm_strips_{short}, ptr %context, i64 %grain)
  br label %done
done:
  ret void
}}
"""


def _strips(short: str) -> str:
    """The function that a thread runs for the strips `begin` to `end` of the whole batch."""
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
    loads = "\n".join(
        f"  %at.{name} = getelementptr i64, ptr %context, i64 {number}\n"
        f"  %{name} = load {'ptr' if name in ('a', 'b', 'out') else 'i64'}, ptr %at.{name}"
        for number, name in enumerate(FIELDS)
    )
    return f"""
{constants}
declare void @{symbol(short)}(i32, i32, i32, i32, i32, i32, {scalar}, ptr, i32, ptr, i32, {scalar}, ptr, i32)

define internal void @tm_gemm_strips_{short}(ptr %context, i64 %begin, i64 %end) {{
entry:
{loads}
  %k32 = trunc i64 %k to i32
  %a.flag = icmp ne i64 %ta, 0
  %b.flag = icmp ne i64 %tb, 0
  %by.rows = icmp ne i64 %rowwise, 0
  %a.kind = select i1 %a.flag, i32 {TRANSPOSED}, i32 {PLAIN}
  %b.kind = select i1 %b.flag, i32 {TRANSPOSED}, i32 {PLAIN}
  %a.columns = select i1 %a.flag, i64 %m, i64 %k
  %b.columns = select i1 %b.flag, i64 %k, i64 %n
  %a.pitch = call i64 @llvm.smax.i64(i64 %a.columns, i64 1)
  %b.pitch = call i64 @llvm.smax.i64(i64 %b.columns, i64 1)
  %lda = trunc i64 %a.pitch to i32
  %ldb = trunc i64 %b.pitch to i32
  %ldc = trunc i64 %n to i32
  %a.count = mul i64 %m, %k
  %b.count = mul i64 %k, %n
  %c.count = mul i64 %m, %n
  ; from one row (column) of the result to the next, in numbers of each matrix
  %a.row = select i1 %a.flag, i64 1, i64 %k
  %b.column = select i1 %b.flag, i64 %k, i64 1
  %a.step = select i1 %by.rows, i64 %a.row, i64 0
  %b.step = select i1 %by.rows, i64 0, i64 %b.column
  %c.step = select i1 %by.rows, i64 %n, i64 1
  br label %head
head:
  %number = phi i64 [ %begin, %entry ], [ %next, %one ]
  %more = icmp slt i64 %number, %end
  br i1 %more, label %one, label %done
one:
  %matrix = sdiv i64 %number, %strips
  %strip = srem i64 %number, %strips
  %start = mul i64 %strip, %width
  %left = sub i64 %extent, %start
  %after = add i64 %strip, 1
  %last = icmp eq i64 %after, %strips
  %length = select i1 %last, i64 %left, i64 %width
  %rows = select i1 %by.rows, i64 %length, i64 %m
  %columns = select i1 %by.rows, i64 %n, i64 %length
  %m32 = trunc i64 %rows to i32
  %n32 = trunc i64 %columns to i32
{_moved("a", size)}
{_moved("b", size)}
{_moved("c", size, "out")}
  call void @{symbol(short)}(i32 {ROW_MAJOR}, i32 %a.kind, i32 %b.kind, i32 %m32, i32 %n32, i32 %k32, {scalar} {one}, ptr %a.at, i32 %lda, ptr %b.at, i32 %ldb, {scalar} {zero}, ptr %c.at, i32 %ldc)
  %next = add i64 %number, 1
  br label %head
done:
  ret void
}}
"""


def _moved(matrix: str, size: int, base: str | None = None) -> str:
    """Where this strip of this matrix of the batch begins."""
    return f"""
  %{matrix}.whole = mul i64 %matrix, %{matrix}.count
  %{matrix}.part = mul i64 %start, %{matrix}.step
  %{matrix}.numbers = add i64 %{matrix}.whole, %{matrix}.part
  %{matrix}.bytes = mul i64 %{matrix}.numbers, {size}
  %{matrix}.at = getelementptr i8, ptr %{base or matrix}, i64 %{matrix}.bytes"""


DECLARATIONS: Final = """
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.ceil.f64(double)
declare i64 @tm_threads()
declare void @tm_parallel_for(i64, ptr, ptr, i64)
"""
