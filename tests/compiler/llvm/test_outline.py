"""Loop nests that become functions, and functions that stay calls."""

from __future__ import annotations

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.parse import parse


def test_kernels_that_take_alike_share_a_range() -> None:
    nests = [
        f"  parfor i in n:\n    for j in 4000:\n      {name}[i, j] = {function}(x[i, j])\n"
        for name, function in (("y", "exp"), ("z", "sin"), ("w", "cos"))
    ]
    given = ", ".join(f"{name}: output f32[n, 4000]" for name in "yzw")

    text = emit(
        parse(f"program main(x: input f32[n, 4000], {given}, n: i64):\n{''.join(nests)}"), "main"
    )

    functions = [line for line in text.splitlines() if line.startswith("define")]
    assert 3 == sum("@main.kernel." in line for line in functions)
    assert 1 == sum("@main.range." in line for line in functions)
    assert 3 == text.count("ptr @main.range.")


def test_long_rows_of_single_numbers_call_what_loops_are_told() -> None:
    row = "".join(
        f"  let a{k}: f32 = tanh((x[{k}] * x[{k}]))\n  y[{k}] = a{k}\n" for k in range(20)
    )

    def stay_calls(body: str) -> int:
        program = parse(f"program main(x: input f32[20], y: output f32[20]):\n{body}")
        return emit(program, "main").count(") noinline\n")

    assert 12 == stay_calls(row)
    assert 0 == stay_calls("  for i in 20:\n" + row.replace("  ", "    "))
