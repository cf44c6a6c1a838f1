"""Statements in statements are converted and staged in steps as the source is long."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.autograph.analysis.effects import FunctionEffects
from tensormill.autograph.analysis.liveness import Liveness
from tests.visits import visits

HEADS = {
    "for": "for i{0} in tf.range(3):",
    "while": "while tf.reduce_sum(x) < {0}.5:",
    "if": "if x[0] > {0}.0:",
}


def source(head: str, depth: int) -> str:
    lines = ["def fn(x):"]
    for level in range(depth):
        lines.append(f"{'  ' * level}  {head.format(level)}")
        lines.append(f"{'  ' * level}    x = x + {level}.0")
    return "\n".join([*lines, "  return x\n"])


def traced(head: str, depth: int, folder: Path) -> Callable[[], Any]:
    path = folder / f"nested_{depth}.py"
    path.write_text(source(head, depth))
    names: dict[str, Any] = {"tf": tf}
    exec(compile(path.read_text(), path, "exec"), names)
    return lambda: tf.function(names["fn"]).get_concrete_function(tf.TensorSpec([3]))


@pytest.mark.sampled
@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_twice_as_deep_is_twice_the_work(head: str, tmp_path: Path) -> None:
    traced(head, 2, tmp_path)()  # what is made once
    once, twice = (visits(traced(head, depth, tmp_path)) for depth in (4, 8))

    assert twice < 2.3 * once


@pytest.mark.parametrize("kind", ["for i in xs", "while c", "if c"])
@pytest.mark.parametrize("makes", ["", "f = lambda: x; "])
def test_what_is_live_is_found_in_one_walk_of_loops_in_loops(kind: str, makes: str) -> None:
    """Each loop was walked twice for each walk of the one around it: 2^n times."""

    def steps(depth: int) -> int:
        lines = [f"{' ' * k}{kind}:\n{' ' * k} {makes}y = x; x = x + z" for k in range(depth)]
        body = ast.parse("\n".join(lines)).body
        return visits(lambda: Liveness(body, FunctionEffects(body, {}), frozenset()))

    assert steps(12) < 2.3 * steps(6)
