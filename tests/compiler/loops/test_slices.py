"""Calls that are told which slices to touch stand in loops, and loops join around them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.effects import may_divide
from tensormill.compiler.loops.evaluate import evaluate
from tensormill.compiler.loops.guards import guard
from tensormill.compiler.loops.ir import Address, Allocate, For, Program
from tensormill.compiler.loops.memory import Memory
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.added_products import add_products
from tensormill.compiler.loops.passes.copies import share_copies
from tensormill.compiler.loops.passes.fusion import fuse_loops
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.loops.walk import every_part, every_statement, expressions
from tensormill.errors import InternalError
from tests.compiler.loops.programs import PRODUCTS, frame_of, same_results
from tests.fuzz.limits import EXAMPLES

SIZES = {"n": 4, "h": 2}
BEGINNING = """\
program f(x: state f32[n, h, 3, 3], z: state f32[n, h, 3, 3], y: output f32[n, h, 3, 3], \
n: i64, h: i64):
"""


def product(a: str, b: str, out: str, flags: str = "0, 0", loop: str = "parfor") -> str:
    return (
        f"  {loop} i in n:\n    for j in h:\n"
        f"      call tm_gemm_f32(&{a}[i, j], &{b}[i, j], &{out}[i, j], 1, 3, 3, 3, {flags}, 0) "
        f"reads {a}, {b} writes {out} pure\n"
    )


def mapped(out: str, value: str) -> str:
    return (
        "  parfor i in n:\n    for j in h:\n      for k in 3:\n        for l in 3:\n"
        f"          {out}[i, j, k, l] = {value}\n"
    )


MADE = "  allocate t: f32[n, h, 3, 3]\n"
CHAIN = (
    BEGINNING + MADE + product("x", "z", "t")
    + mapped("t", "tanh(t[i, j, k, l])") + product("t", "z", "y", "1, 0")
)  # fmt: skip


def slices(program: Program) -> list[Address]:
    return [
        part
        for one in every_statement(program.body)
        for expression in expressions(one)
        for part in every_part(expression)
        if isinstance(part, Address) and part.indices
    ]


def loops(source: str) -> int:
    """How many loops are left of a program, which means what it did."""
    joined = verify(fuse_loops(verify(parse(source))))
    same_results(source, text(joined), SIZES)
    return sum(isinstance(one, For) for one in joined.body)


def test_they_are_printed_and_read_back() -> None:
    printed = text(parse(CHAIN))

    assert "tm_gemm_f32(&x[i, j], &z[i, j], &t[i, j], 1, 3, 3, 3, 0, 0, 0)" in printed
    assert text(parse(printed)) == printed


def test_a_slice_has_no_more_indices_than_its_buffer_axes() -> None:
    with pytest.raises(InternalError, match="x has 4 axes only"):
        verify(parse(CHAIN.replace("&x[i, j]", "&x[i, j, 0, 0, 0]")))
    with pytest.raises(InternalError, match="i64 is wanted, not f32"):
        verify(parse(CHAIN.replace("&x[i, j]", "&x[i, 0.5]")))


def test_products_and_what_lies_between_them_become_one_loop_and_memory_of_one_slice() -> None:
    program = optimise(verify(parse(CHAIN)), check=True)

    same_results(CHAIN, text(program), SIZES)
    (loop,) = [one for one in program.body if isinstance(one, For)]
    assert loop.parallel
    assert may_divide(loop)
    (made,) = [one for one in every_statement(program.body) if isinstance(one, Allocate)]
    assert len(made.buffer.shape) == 2


@pytest.mark.parametrize(
    ("middle", "count"),
    [
        (product("x", "z", "y") + product("y", "z", "x"), 1),
        (product("x", "z", "y") + product("y", "z", "x").replace("&y[i, j]", "&y"), 2),
        (product("x", "z", "y") + product("y", "z", "x").replace("&y[i, j]", "&y[0, j]"), 2),
        (product("x", "z", "y") + product("y", "z", "x").replace("&y[i, j]", "&y[(i / 2), j]"), 2),
        (product("x", "z", "y") + mapped("x", "y[i, 0, k, l]"), 1),
        (product("x", "z", "y") + mapped("x", "y[0, j, k, l]"), 2),
        (mapped("y", "(x[i, j, l, k] + 1.0)") + product("y", "z", "x"), 1),
    ],
)  # fmt: skip
def test_loops_join_where_each_turn_touches_its_own_slices(middle: str, count: int) -> None:
    middle = middle.replace("(i / 2)", "truncate_divide(i, 2)")

    assert loops(BEGINNING + middle) == count


def test_a_call_that_names_a_buffer_without_a_slice_may_touch_all_of_it() -> None:
    whole = product("x", "z", "y").replace("reads x, z", "reads x, z, t")
    made = MADE + mapped("t", "x[i, j, k, l]")

    assert loops(BEGINNING + made + whole + mapped("t", "y[i, j, k, l]")) == 3


def test_a_product_of_one_slice_is_not_added_to_all_of_a_buffer() -> None:
    source = (
        BEGINNING.replace("n, h", "1, 3")
        + "  allocate s: f32[3, 3]\n  for i in 9:\n    s[flat i] = 1.0\n"
        + "  allocate p: f32[3, 3]\n  for i in 9:\n    p[flat i] = 2.0\n"
        + "  call tm_gemm_f32(&x[0, 1], &z[0, 1], &p[0], 1, 1, 3, 3, 0, 0, 0) "
        + "reads x, z writes p pure\n"
        + "  for i in 9:\n    s[flat i] = (s[flat i] + p[flat i])\n"
        + "  for i in 9:\n    y[0, 0, 0, 0] = s[flat i]\n"
    )

    program = verify(parse(source))

    assert add_products(program).body is program.body


COPIED = (
    BEGINNING.replace("n, h", "4, 2")
    + "  allocate r: f32[72]\n  parfor i in 4:\n    for j in 18:\n"
    + "      r[((i * 18) + j)] = tanh(x[flat ((i * 18) + j)])\n"
    + "  allocate t: f32[4, 2, 3, 3]\n  parfor i in 4:\n    for j in 18:\n"
    + "      t[flat ((i * 18) + j)] = r[((i * 18) + j)]\n"
    + product("t", "z", "y").replace("in n", "in 4").replace("in h", "in 2")
)


def buffers(program: Program) -> int:
    return sum(isinstance(one, Allocate) for one in every_statement(program.body))


def test_a_row_of_elements_gets_the_shape_of_its_copy_whose_slices_are_wanted() -> None:
    shorter = verify(share_copies(verify(parse(COPIED))))

    same_results(COPIED, text(shorter))
    assert buffers(shorter) == 1
    assert [len(one.buffer.shape) for one in slices(shorter)] == [4, 4, 4]


@pytest.mark.parametrize(
    "more",
    [
        "  y[0, 0, 0, 0] = r[5]\n",
        "  allocate u: f32[8, 9]\n  for i in 72:\n    u[flat i] = r[i]\n"
        "  for i in 72:\n    y[flat i] = u[flat i]\n",
        "  call tm_gemm_f32(&r, &z, &y, 1, 3, 3, 3, 0, 0, 0) reads r, z writes y pure\n",
    ],
)
def test_others_read_what_was_a_row_where_it_lies_now(more: str) -> None:
    shorter = verify(share_copies(verify(parse(COPIED + more))))

    same_results(COPIED + more, text(shorter))
    assert buffers(shorter) == 1


@pytest.mark.parametrize(
    "source",
    [
        COPIED + "  r[5] = 1.0\n  y[0, 0, 0, 0] = t[0, 0, 0, 0]\n",
        COPIED.replace("allocate r: f32[72]", "allocate r: f32[8, 9]")
        .replace("r[((i * 18) + j)]", "r[flat ((i * 18) + j)]"),
        COPIED + "  call tm_gemm_f32(&r[0], &z, &y, 1, 1, 1, 1, 0, 0, 0) reads r, z writes y\n",
        COPIED.replace("  allocate t: f32[4,", "  let m: i64 = cast:i64((x[0, 0, 0, 0] * 0.0))\n"
                       "  allocate t: f32[(m + 4),"),
    ],
)  # fmt: skip
def test_a_copy_whose_slices_are_wanted_stays_where(source: str) -> None:
    shorter = verify(share_copies(verify(parse(source))))

    same_results(source, text(shorter))
    assert buffers(shorter) == 2


@pytest.mark.parametrize(("index", "fails"), [("1", False), ("(n - 2)", False), ("n", True)])
def test_a_guard_sees_where_a_slice_lies(index: str, fails: bool) -> None:
    guarded = guard(verify(parse(CHAIN.replace("&x[i, j]", f"&x[{index}, j]"))))
    memory, program = Memory(), verify(guarded.program)

    left = evaluate(program, frame_of(program, SIZES), {**PRODUCTS, **memory.functions()}, memory)

    assert (left is not None) == fails
    assert any("touches {0} bytes of x" in message for message in guarded.messages)


# ---------------------------------------------------------------- made up

# Of three different buffers: what reads the first two, and writes the third.
FORMS = [
    "({0}[i, j, k, l] * 0.5)",
    "tanh(({0}[i, j, l, k] - {1}[i, 0, k, l]))",
    "({0}[i, j, 0, l] + {1}[0, j, k, l])",
    "{0}[i, j, k, l]",
]
STEPS = st.one_of(
    st.builds(
        lambda names, flags, loop: product(names[0], names[1], names[2], flags, loop),
        st.permutations("xyzt"),
        st.sampled_from(["0, 0", "1, 0", "0, 1"]),
        st.sampled_from(["for", "parfor"]),
    ),
    st.builds(
        lambda names, form: mapped(names[2], form.format(*names)),
        st.permutations("xyzt"),
        st.sampled_from(FORMS),
    ),
)


@pytest.mark.sampled
@settings(max_examples=EXAMPLES or 25, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=7))
def test_programs_of_slices_keep_their_meaning(steps: list[str]) -> None:
    begin, end = mapped("t", "x[i, j, l, k]"), mapped("y", "(y[i, j, k, l] + t[i, j, k, l])")
    source = "".join((BEGINNING, MADE, begin, *steps, end))
    program = verify(parse(source))

    same_results(source, text(optimise(program, check=True)), SIZES)
    same_results(source, text(verify(guard(program).program)), SIZES)
