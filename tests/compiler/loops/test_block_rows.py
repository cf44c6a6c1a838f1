"""Rows that all turns of a loop add to are added up in blocks; what needs an order is not."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.block_rows import block_rows
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tests.compiler.loops.programs import same_results

LOOP = """\
program f(x: input f32[900000, 4], k: input i64[900000], y: output f32[8], z: state f32[8]):
  allocate row: f32[8]
  for j in 8:
    row[j] = 0.0
  for i in 900000{mark}:
    for j in 4:
{body}
  for j in 8:
    y[j] = row[j]
"""
SUM = "row[j] = (row[j] + x[i, j])"


def divided(body: str, mark: str = " reassociate") -> str:
    lines = "\n".join(f"      {line}" for line in body.split("\n"))
    return text(verify(block_rows(verify(parse(LOOP.format(body=lines, mark=mark))))))


@pytest.mark.parametrize(
    "body",
    [
        SUM,
        "row[j] = maximum(row[j], x[i, j])",
        "row[j] = fma(x[i, j], x[i, j], row[j])",
        f"{SUM}\nrow[(j + 4)] = (row[(j + 4)] + 1.0)",
    ],
    ids=["a sum", "the largest", "squares", "two rows"],
)
def test_rows_are_added_up_in_blocks(body: str) -> None:
    assert "parfor i.block in" in divided(body)


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        (SUM, ""),
        ("row[j] = (row[(j + 1)] + x[i, j])", " reassociate"),
        (f"{SUM}\nz[j] = row[j]", " reassociate"),
        ("row[j] = (row[j] * row[j])", " reassociate"),
        (f"{SUM}\nrow[j] = maximum(row[j], 0.0)", " reassociate"),
        ("z[j] = (z[j] + x[i, j])", " reassociate"),
        ("row[k[i]] = (row[k[i]] + x[i, j])", " reassociate"),
        ("row[min(i, 7)] = (row[min(i, 7)] + x[i, j])", " reassociate"),
    ],
    ids=[
        "in order", "of others", "looked at meanwhile", "with itself", "two ways",
        "memory of others", "where the operand says", "another one in each turn",
    ],
)  # fmt: skip
def test_what_needs_an_order_stays_in_it(body: str, mark: str) -> None:
    assert "parfor" not in divided(body, mark)


def test_few_iterations_that_threads_would_share_run_in_turn() -> None:
    source = LOOP.format(body="      " + SUM, mark=" reassociate").split("\n")
    inside = ["  parfor few in 3:", *(f"  {line}" for line in source[1:-1])]
    program = verify(parse("\n".join((source[0], *inside)) + "\n"))

    printed = text(verify(block_rows(program)))

    assert "  for few in 3:" in printed
    assert "    parfor i.block in" in printed


def test_blocks_mean_the_same() -> None:
    head = "program f(x: input f32[n, 600], y: output f32[600], n: i64):"
    lines = [
        "allocate row: f32[600]", "for j in 600:", "  row[j] = 0.0", "for i in n reassociate:",
        "  for j in 600:", "    row[j] = (row[j] + x[i, j])", "for j in 600:", "  y[j] = row[j]",
    ]  # fmt: skip
    source = "\n  ".join((head, *lines)) + "\n"

    same_results(source, text(block_rows(verify(parse(source)))))


@pytest.mark.parametrize("size", [1, 4000, 20_001])
def test_sums_over_rows_are_those_of_numpy(size: int) -> None:
    signature = tf.TensorSpec([None, 3, 24], tf.float32)

    @tf.function(input_signature=[signature])
    def sums(x: tf.Tensor):
        return tf.reduce_sum(x, [0, 1]), tf.reduce_max(x, [0, 1]), tf.reduce_sum(x * x, 0)

    x = np.random.default_rng(0).standard_normal((size, 3, 24), np.float32)
    wide = x.astype(np.float64)
    expected = wide.sum((0, 1)), x.max((0, 1)), (wide * wide).sum(0)

    for found, value in zip(sums(tf.constant(x)), expected, strict=True):
        np.testing.assert_allclose(found.numpy(), value, rtol=1e-5, atol=1e-3)
