"""Long sums are sums of parts, wherever their numbers come from; what needs an order is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.partial_sums import add_up_parts
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify

LOOP = """\
program f(x: input f32[9000, 4], y: output f32[8], z: state f32[8]):
  allocate row: f32[8]
  for j in 8:
    row[j] = 0.0
  set sum: f32 = 0.0
  for i in 9000{mark}:
    for j in 4{mark}:
{body}
  for j in 8:
    y[j] = (row[j] + sum)
"""
REGISTER = "set sum = (sum + x[i, j])"
ROW = "row[j] = (row[j] + x[i, j])"


def divided(body: str, mark: str = " reassociate") -> str:
    lines = "\n".join(f"      {line}" for line in body.split("\n"))
    return text(verify(add_up_parts(verify(parse(LOOP.format(body=lines, mark=mark))))))


@pytest.mark.parametrize(
    "body",
    [REGISTER, ROW, f"{REGISTER}\n{ROW}", f"z[j] = x[i, j]\n{REGISTER}",
     "row[j] = fma(x[i, j], x[i, j], row[j])"],
    ids=["a register", "a row", "both", "one of many things that a turn does", "squares"],
)  # fmt: skip
def test_long_sums_have_parts(body: str) -> None:
    assert ".part" in divided(body)


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        (REGISTER, ""),
        (ROW, ""),
        ("set sum = maximum(sum, x[i, j])", " reassociate"),
        (f"{REGISTER}\nz[j] = sum", " reassociate"),
        (f"{ROW}\nz[j] = row[j]", " reassociate"),
        ("row[min(i, 7)] = (row[min(i, 7)] + x[i, j])", " reassociate"),
        ("z[j] = (z[j] + x[i, j])", " reassociate"),
    ],
    ids=["a register in order", "a row in order", "the largest", "a register that is looked at",
         "a row that is looked at", "another one in each turn", "memory of others"],
)  # fmt: skip
def test_what_needs_an_order_stays_in_it(body: str, mark: str) -> None:
    assert ".part" not in divided(body, mark)


@pytest.mark.parametrize(
    ("shape", "axes"),
    [((100, 100), [0, 1]), ((1, 100, 100, 1), [1, 2]), ((10_000,), [0]), ((20_000, 4), [0]),
     ((3, 20_000), [1]), ((300_000, 2), [0])],
)  # fmt: skip
def test_a_mean_of_what_is_drawn_meanwhile_is_nearly_exact(
    shape: tuple[int, ...], axes: Sequence[int]
) -> None:
    @tf.function
    def means():
        x = tf.random.stateless_uniform(shape, [1, 2]) * 0.1 + 100.0
        return tf.reduce_mean(x, axes), x

    found, x = means()

    exact = np.mean(x.numpy(), tuple(axes), dtype=np.float64)
    np.testing.assert_allclose(found.numpy(), exact, rtol=1e-6)
