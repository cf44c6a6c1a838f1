"""Which expressions are written alike."""

from __future__ import annotations

from tensormill.compiler.loops.blocksums import _identity
from tensormill.compiler.loops.ir import Apply, Buffer, Constant, Expression, Load, Variable
from tensormill.compiler.loops.walk import same

FOUR = Constant(4, "i64")
X, Y = (Buffer(name, "f32", (FOUR,), "input") for name in "xy")
ROW, COLUMN = (Variable(name, "i64") for name in "ij")


def plus(a: Expression, b: Expression) -> Apply:
    return Apply("add", (a, b), "i64")


def test_loads_are_alike_where_buffer_and_indices_are() -> None:
    assert same(Load(X, (plus(ROW, FOUR),)), Load(X, (plus(ROW, Constant(4, "i64")),)))
    assert not same(Load(X, (ROW,)), Load(Y, (ROW,)))
    assert not same(Load(X, (ROW,)), Load(X, (COLUMN,)))
    assert not same(Load(X, (ROW,)), Apply("neg", (ROW,), "i64"))
    assert not same(Apply("neg", (ROW,), "i64"), Load(X, (ROW,)))


def test_sums_begin_with_what_changes_nothing() -> None:
    for function, type_, x in (
        ("add", "f32", 1.5), ("mul", "f64", 1.5), ("add", "i32", 7), ("mul", "u8", 7),
        ("max", "i8", -128), ("min", "i8", 127), ("max", "u8", 0), ("min", "u16", 65535),
        ("max", "f32", float("-inf")), ("min", "f32", float("inf")),
    ):  # fmt: skip
        start = _identity(function, type_)
        found = {"add": start + x, "mul": start * x, "max": max(start, x), "min": min(start, x)}
        assert found[function] == x
    for start, x in ((_identity("or", "i32"), 6), (_identity("or", "bool"), True)):
        assert start | x == x
        assert type(start) is type(x)
    for start, x in ((_identity("and", "i32"), 6), (_identity("and", "bool"), True)):
        assert start & x == x
        assert type(start) is type(x)
