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


def test_short_loops_in_others_are_called_without_a_look_at_threads() -> None:
    body = "parfor j in n:\n{0}  y[0, j] = (y[0, j] + x[j])\n"
    given = "x: input f32[n], y: output f32[1, n], n: i64"

    def calls(lines: str) -> tuple[int, int]:
        text = emit(parse(f"program main({given}):\n{lines}"), "main")
        inside = text[text.index("define internal i32 @main(") :]
        return inside.count("call void @main.kernel."), inside.count("call void @tm_divided_for(")

    assert (0, 1) == calls("  " + body.format("  "))
    assert (1, 1) == calls("  for i in 7:\n    " + body.format("    "))
