from __future__ import annotations

import numpy as np
import pytest

from tensormill.compiler.loops.evaluate import evaluate
from tensormill.compiler.loops.parse import parse


def test_loops_run_in_order() -> None:
    program = parse(
        "program main(x: input i64[4], y: output i64[4]):\n"
        "  set total: i64 = 0\n"
        "  for i in 4:\n"
        "    set total = (total + x[i])\n"
        "    y[i] = total\n"
    )
    x, y = np.array([1, 2, 3, 4]), np.zeros(4, np.int64)

    assert evaluate(program, [x, y]) is None
    assert y.tolist() == [1, 3, 6, 10]


def test_a_failed_check_leaves_with_number_and_values() -> None:
    program = parse(
        "program main(x: input i64[3], y: output i64[3]):\n"
        "  for i in 3:\n"
        "    check (x[i] > 0) else 7(i, x[i])\n"
        "    y[i] = 1\n"
    )
    y = np.zeros(3, np.int64)

    assert evaluate(program, [np.array([1, -5, 1]), y]) == (7, (1, -5))
    assert y.tolist() == [1, 0, 0]


def test_where_looks_at_the_chosen_side_only() -> None:
    program = parse(
        "program main(x: input f32[2], y: output f32[4]):\n"
        "  for i in 4:\n"
        "    y[i] = where((i < 2), x[i], 0.5)\n"
    )
    x, y = np.array([1, 2], np.float32), np.zeros(4, np.float32)

    assert evaluate(program, [x, y]) is None
    assert y.tolist() == [1, 2, 0.5, 0.5]


def test_an_index_outside_is_an_error_here() -> None:
    program = parse("program main(y: output f32[2]):\n  y[-1] = 0.5\n")

    with pytest.raises(IndexError, match="before its beginning"):
        evaluate(program, [np.zeros(2, np.float32)])


def test_pointer_buffers_lie_where_they_are_bound() -> None:
    program = parse(
        "program main(x: state i32[4], n: i64):\n"
        "  bind p: i32[2] at (&x + 8)\n"
        "  p[1] = 9i32\n"
        "  call r: i64 = double(n)\n"
        "  p[0] = cast:i32(r)\n"
    )
    x = np.zeros(4, np.int32)

    assert evaluate(program, [x, 4], {"double": lambda n: 2 * n}) is None
    assert x.tolist() == [0, 0, 8, 9]
