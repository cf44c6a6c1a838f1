"""Products that are only added to something are added by the library; all others stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.ir import NativeCall
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.added_products import add_products
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.loops.walk import every_statement
from tests.compiler.loops.programs import same_results

BEGINNING = """\
program f(x: input f32[3, 3], w: input f32[3, 3], v: input f32[3, 3], y: output f32[3, 3]):
  allocate s: f32[3, 3]
  for i in 9:
    s[flat i] = v[flat i]
"""
END = """\
  for i in 9:
    y[flat i] = s[flat i]
"""
PRODUCT = """\
  allocate p: f32[3, 3]
  call tm_gemm_f32(&x, &w, &p, 1, 3, 3, 3, 0, 0, 0) reads x, w writes p
"""
OTHER = PRODUCT.replace("p: ", "q: ").replace("&p", "&q").replace("writes p", "writes q")
ADDED = """\
  for i in 9:
    s[flat i] = (s[flat i] + p[flat i])
"""


def added(source: str) -> int:
    """How many products the pass adds to something."""
    program = verify(add_products(verify(parse(source))))
    same_results(source, text(program))
    calls = [one for one in every_statement(program.body) if isinstance(one, NativeCall)]
    return sum(one.arguments[-1].value for one in calls)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "loop",
    [
        ADDED,
        ADDED.replace("s[flat i] + p[flat i]", "p[flat i] + s[flat i]"),
        """\
  for i in 3:
    for j in 3:
      let t: f32 = (s[i, j] + p[i, j])
      s[i, j] = t
""",
    ],
)
def test_a_product_goes_where_a_loop_adds_it(loop: str) -> None:
    assert added(BEGINNING + PRODUCT + loop + END) == 1


def test_two_products_go_to_one_place() -> None:
    assert added(BEGINNING + (PRODUCT + ADDED) + (OTHER + ADDED.replace("p[", "q[")) + END) == 2


def test_of_two_products_whose_sum_is_wanted_one_is_added_to_the_other() -> None:
    total = """\
  for i in 9:
    s[flat i] = (tanh((p[flat i] + q[flat i])) * (q[flat i] + p[flat i]))
"""
    assert added(BEGINNING + PRODUCT + OTHER + total + END) == 1


HELD_BACK = {
    "the product is wanted, too": PRODUCT + ADDED + "  s[0, 0] = p[1, 1]\n",
    "what it is added to is read before": PRODUCT + "  y[0, 0] = s[0, 0]\n" + ADDED,
    "what it is added to is changed before": PRODUCT + "  s[0, 0] = 7.0\n" + ADDED,
    "it is added to a part": PRODUCT + ADDED.replace("in 9", "in 6"),
    "it is added to its transpose": PRODUCT
    + "  for i in 3:\n    for j in 3:\n      s[i, j] = (s[i, j] + p[j, i])\n",
    "the loop stores something else": PRODUCT
    + ADDED.replace("(s[flat i] + p[flat i])", "((s[flat i] + p[flat i]) * 2.0)"),
    "the sum goes elsewhere": PRODUCT + ADDED.replace("    s[flat i]", "    y[flat i]"),
    "it is a product of what it is added to": (PRODUCT + ADDED)
    .replace("&x", "&s").replace("reads x", "reads s"),
    "it has too many terms": "  allocate a: f32[3, 200]\n  allocate b: f32[200, 3]\n"
    + "  for i in 600:\n    a[flat i] = 0.5\n    b[flat i] = 0.25\n"
    + (PRODUCT + ADDED).replace("&x, &w", "&a, &b").replace("reads x, w", "reads a, b")
    .replace("3, 0, 0, 0", "200, 0, 0, 0"),
    "one of two products is wanted by itself": PRODUCT + OTHER
    + "  for i in 9:\n    s[flat i] = ((p[flat i] + q[flat i]) * q[flat i])\n",
    "other elements of two products are added": PRODUCT + OTHER
    + "  for i in 3:\n    for j in 3:\n      s[i, j] = (p[i, j] + q[j, i])\n",
    "a product is read before the other is there": PRODUCT + "  s[0, 0] = p[0, 0]\n" + OTHER
    + "  for i in 9:\n    y[flat i] = (p[flat i] + q[flat i])\n",
    "a product is a factor of the other": PRODUCT
    + OTHER.replace("&x", "&p").replace("reads x", "reads p")
    + "  for i in 9:\n    s[flat i] = (p[flat i] + q[flat i])\n",
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("middle", HELD_BACK.values(), ids=HELD_BACK)
def test_a_product_stays_where(middle: str) -> None:
    assert added(BEGINNING + middle + END) == 0


LINES = st.sampled_from(
    [
        ADDED, ADDED, ADDED.replace("p[", "q["), ADDED.replace("s[", "r[").replace("p[", "q["),
        "  call tm_gemm_f32(&s, &w, &r, 1, 3, 3, 3, 0, 1, 0) reads s, w writes r\n",
        "  for i in 9:\n    s[flat i] = (p[flat i] + q[flat i])\n",
        "  for i in 9:\n    r[flat i] = ((p[flat i] + q[flat i]) * s[flat i])\n",
        "  for i in 9:\n    s[flat i] = tanh(r[flat i])\n",
        "  for i in 9:\n    p[flat i] = s[flat i]\n",
        PRODUCT.split("\n", 1)[1], OTHER.split("\n", 1)[1],
    ]
)  # fmt: skip


@pytest.mark.sampled
@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=7))
def test_programs_of_products_keep_their_meaning(lines: list[str]) -> None:
    made = "  allocate r: f32[3, 3]\n  for i in 9:\n    r[flat i] = 1.0\n"

    added(BEGINNING + made + PRODUCT + OTHER + "".join(lines) + END)
