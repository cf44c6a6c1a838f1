"""What every turn of a loop multiplies by is arranged before it; all else stays as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.loops.guards import guard
from tensormill.compiler.loops.ir import NativeCall
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes import arranged_factors
from tensormill.compiler.loops.passes.arranged_factors import arrange_factors
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.native import threads
from tensormill.config import settings as config
from tests.compiler.loops.programs import same_results
from tests.fuzz.limits import EXAMPLES

BEGINNING = """\
program f(x: input f32[7, 5], w: state f32[5, 6], v: input f32[6, 5], y: output f32[7, 6], n: i64):
  for i in 42:
    y[flat i] = 0.0
"""
TURN = "    call tm_gemm_f32(&x, &w, &y, 1, 7, 6, 5, 0, 0, 0) reads x, w writes y pure\n"
TURNED = "    call tm_gemm_f32(&x, &v, &y, 1, 7, 6, 5, 0, 1, 1) reads x, v, y writes y pure\n"
LOOP = "  for i in n:\n"
WHILE = "  set c: i64 = 0\n  while (c < n):\n    set c = (c + 1)\n"


def arranged(source: str) -> tuple[int, int]:
    """How many products read panels, and how many buffers there are of these."""
    program = verify(arrange_factors(verify(parse(source))))
    same_results(source, text(program))
    same_results(source, text(verify(guard(program).program)))
    calls = [one for one in every_statement(program.body) if isinstance(one, NativeCall)]
    found = [one for one in calls if one.function == "tm_panels_f32"]
    return len(found), len({one.reads[1] for one in found})


@pytest.mark.parametrize("loop", [LOOP, WHILE])
def test_a_factor_of_every_turn_is_arranged_once(loop: str) -> None:
    assert arranged(BEGINNING + loop + TURN) == (1, 1)
    assert arranged(BEGINNING + loop + TURNED) == (1, 1)
    assert arranged(BEGINNING + loop + TURN + TURNED + TURN) == (3, 2)


def test_it_is_arranged_before_the_loop_within() -> None:
    body = "  for k in n:\n    w[0, k] = 0.5\n  for i in n:\n" + TURN
    inner = "".join(f"  {line}\n" for line in body.splitlines())

    assert arranged(BEGINNING + "  for j in n:\n" + inner) == (1, 1)


def test_rows_may_be_as_many_as_nobody_knows() -> None:
    assert arranged(BEGINNING + LOOP + TURN.replace("1, 7,", "1, (n + 2),")) == (1, 1)


HELD_BACK = {
    "it is not in a loop": TURN.removeprefix("  "),
    "turns may run on several threads": LOOP.replace("for", "parfor") + TURN,
    "a turn changes the factor": LOOP + TURN + "    w[0, 0] = (y[1, 1] * 0.5)\n",
    "a turn makes the factor": LOOP
    + "    allocate t: f32[5, 6]\n    for j in 30:\n      t[flat j] = 0.5\n"
    + TURN.replace("&w", "&t").replace("x, w w", "x, t w"),
    "its memory is written through a pointer": "  bind p: f32[30] at &w\n" + LOOP
    + "    p[3] = 9.0\n" + TURN,
    "a slice is another one in each turn": LOOP.replace("in n", "in 3")
    + TURN.replace("&w", "&w[i]").replace("7, 6, 5", "7, 1, 5"),
    "the other factor is transposed": LOOP + TURN.replace("7, 6, 5, 0,", "5, 6, 5, 1,"),
    "there are several matrices": LOOP + TURN.replace("1, 7, 6, 5", "2, 3, 3, 5"),
    "there are few rows": LOOP + TURN.replace("1, 7,", "1, 3,"),
    "nobody knows how large the factor is": LOOP + TURN.replace("6, 5", "(n + 1), 5"),
    "it is empty": LOOP + TURN.replace("6, 5", "6, 0"),
}  # fmt: skip


@pytest.mark.parametrize("body", HELD_BACK.values(), ids=HELD_BACK)
def test_a_product_stays_where(body: str) -> None:
    assert arranged(BEGINNING + body) == (0, 0)


def test_a_variable_stays_where_python_may_assign_to_it() -> None:
    source = BEGINNING + LOOP + "    call tm_callback_0(0)\n" + TURN
    program = verify(parse(source))

    assert arrange_factors(program).body is program.body


@pytest.fixture
def seven_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arranged_factors, "MANY_ROWS", 7)


@pytest.mark.usefixtures("seven_are_many")
def test_a_product_of_many_rows_has_panels_of_its_own() -> None:
    call, turned = TURN.removeprefix("  "), TURNED.removeprefix("  ")

    assert arranged(BEGINNING + call + turned + call) == (3, 3)
    assert arranged(BEGINNING + "  if (n > 1):\n" + TURN) == (1, 1)


@pytest.mark.usefixtures("seven_are_many")
def test_what_one_turn_multiplies_many_rows_by_stays_where_it_is() -> None:
    changed = "    w[0, 0] = (y[1, 1] * 0.5)\n"

    assert arranged(BEGINNING + LOOP + TURN + changed) == (0, 0)


def test_the_library_multiplies_where_panels_take_longer() -> None:
    def products(m: int, k: int, n: int) -> list[str]:
        call = f"call tm_gemm_f32(&x, &w, &y, 1, {m}, {n}, {k}, 0, 0, 0)"
        source = f"""\
program f(x: input f32[{m}, {k}], w: state f32[{k}, {n}], y: output f32[{m}, {n}]):
  {call} reads x, w writes y pure
"""
        body = arrange_factors(verify(parse(source))).body
        calls = [one.function for one in every_statement(body) if isinstance(one, NativeCall)]
        return [one for one in calls if one != "tm_arranged_f32"]

    assert products(1024, 64, 512) == ["tm_panels_f32"]
    assert products(1023, 64, 512) == ["tm_gemm_f32"]
    assert products(1024, 1000, 2000) == ["tm_panels_f32"]
    assert products(1024, 64, 528) == ["tm_gemm_f32"], "many columns for few terms"
    assert products(1024, 1500, 1500) == ["tm_gemm_f32"], "more memory than a factor may have twice"


@pytest.mark.usefixtures("seven_are_many")
def test_rows_that_share_places_in_the_cache_are_read_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call = TURN.removeprefix("  ")
    source = BEGINNING + call + call.replace("0, 0, 0)", "0, 0, 1)").replace("x, w w", "x, w, y w")
    five_and_a_line = "f32[7, 21]"

    assert five_and_a_line not in text(arrange_factors(verify(parse(source))))
    monkeypatch.setattr(arranged_factors, "_ALIKE_PLACES", 5 * 4)
    assert text(arrange_factors(verify(parse(source)))).count(five_and_a_line) == 2
    assert arranged(source) == (2, 2)


STEPS = st.sampled_from(
    [
        TURN,
        TURNED,
        TURN.replace("&x, &w", "&s, &w").replace("reads x", "reads s"),
        TURNED.replace("&y,", "&r,").replace(", y writes y", ", r writes r"),
        "    for j in 35:\n      s[flat j] = tanh(y[flat j])\n",
        "    for j in 42:\n      y[flat j] = (y[flat j] + r[flat j])\n",
        "    w[1, 2] = (y[1, 2] * 0.25)\n",
    ]
)


@pytest.mark.sampled
@settings(max_examples=EXAMPLES or 8, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=6), st.sampled_from([LOOP, WHILE]))
def test_programs_of_products_keep_their_meaning(steps: list[str], loop: str) -> None:
    made = "  allocate s: f32[7, 5]\n  allocate r: f32[7, 6]\n  for i in 35:\n    s[flat i] = 0.5\n"
    source = BEGINNING + made + "  for i in 42:\n    r[flat i] = 0.25\n" + loop + "".join(steps)

    same_results(source, text(optimise(verify(parse(source)), check=True)))


# ---------------------------------------------------------------- as users get it


def steps(x: Any, w: Any, count: Any) -> Any:
    """A recurrence and its gradient."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        h = x
        for _ in tf.range(count):
            h = tf.tanh(tf.linalg.matmul(h, w))
        total = tf.reduce_sum(h * h)
    return tape.gradient(total, [x, w])


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize("rows", [32, 37, None])
@pytest.mark.parametrize("is_checked", [False, True])
def test_recurrences_have_the_gradients_that_eager_ones_have(
    dtype: Any, rows: int | None, is_checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "check_memory", is_checked)
    random = np.random.default_rng(0)
    x = tf.constant(random.normal(size=(rows or 37, 50)), dtype)
    w = tf.constant(random.normal(size=(50, 50)) / 8, dtype)
    specs = [tf.TensorSpec([rows, 50], dtype), tf.TensorSpec([50, 50], dtype)]
    compiled = tf.function(steps, input_signature=[*specs, tf.TensorSpec([], tf.int32)])
    expected, close = steps(x, w, 5), 1e-5 if dtype == tf.float32 else 1e-13

    found = [one.numpy() for one in compiled(x, w, tf.constant(5))]
    monkeypatch.setattr(config, "threads", 1)
    threads.address("tm_threads")  # tells the pool how many there are
    try:
        alone = [one.numpy() for one in compiled(x, w, tf.constant(5))]
    finally:
        monkeypatch.undo()
        threads.address("tm_threads")

    for one, other, wanted in zip(found, alone, expected, strict=True):
        np.testing.assert_allclose(one, wanted, rtol=close, atol=close)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("terms", [200, 1024])
@pytest.mark.parametrize("is_turned", [False, True])
def test_products_of_many_rows_are_numpys(terms: int, is_turned: bool) -> None:
    random = np.random.default_rng(0)
    a = random.integers(-9, 9, (1030, terms)).astype(np.float32)
    b = random.integers(-9, 9, (terms, 250)).astype(np.float32)
    product = tf.function(lambda x, y: tf.linalg.matmul(x, y, transpose_b=is_turned))

    np.testing.assert_array_equal(a @ b, product(a, b.T if is_turned else b))
