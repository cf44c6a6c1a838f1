"""Programs to test with: written down, or made up by hypothesis; and ways to run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tensormill.compiler.loops.evaluate import evaluate, storage
from tensormill.compiler.loops.ir import Buffer, Expression, Literal, Local, Program
from tensormill.compiler.loops.memory import Memory
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.native import library

SIZES = {"n": 5, "m": 3}


def frame_of(program: Program, sizes: dict[str, int] | None = None, seed: int = 0) -> list[Any]:
    """Random contents for a program's frame; variables are sizes, by name."""
    random, known = np.random.default_rng(seed), sizes or SIZES
    return [
        known.get(entry.name, 4) if isinstance(entry, Local) else _contents(entry, known, random)
        for entry in program.frame
    ]


def _contents(buffer: Buffer, sizes: dict[str, int], random: Any) -> np.ndarray[Any, Any]:
    shape = [_size(size, sizes) for size in buffer.shape]
    if storage(buffer.type).kind in "iu":
        return random.integers(0, 4, shape).astype(storage(buffer.type))
    if storage(buffer.type).kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    return random.normal(size=shape).astype(storage(buffer.type))


def _size(size: Expression, sizes: dict[str, int]) -> int:
    if isinstance(size, Literal):
        return int(size.value)
    assert isinstance(size, Local)
    return sizes.get(size.name, 4)


# What programs written by hand call.
PRODUCTS = {
    one.name: one
    for one in library.needed(["tm_gemm_f32", "tm_panels_f32", "tm_arranged_f32"], copied=True)
}


def same_results(first: str, second: str, sizes: dict[str, int] | None = None) -> None:
    """Both programs leave the same contents (sums may be grouped differently)."""
    results: list[tuple[Any, list[Any]]] = []
    for source in (first, second):
        program = parse(source)
        frame = frame_of(program, sizes)
        memory = Memory()
        functions = {**PRODUCTS, **memory.functions()}
        results.append((evaluate(program, frame, functions, memory), frame))
    assert results[0][0] == results[1][0]
    assert_close(results[0][1], results[1][1])


def assert_close(first: Sequence[Any], second: Sequence[Any]) -> None:
    """Equal but for rounding, which shows most where large terms cancel."""
    for a, b in zip(first, second, strict=True):
        if isinstance(a, np.ndarray):
            wide = np.complex128 if a.dtype.kind == "c" else np.float64
            x, y = a.astype(wide), b.astype(wide)
            size = np.abs(x[np.isfinite(x)]).max(initial=1.0)
            np.testing.assert_allclose(x, y, rtol=1e-5, atol=2e-6 * size)


# ---------------------------------------------------------------- made up


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Nests over [n, m] that store, reduce along either axis, and feed each other."""
    lines = [
        "program main(x: input f32[n, m], z: state f32[n, m], r: state f32[n], c: state f32[m], "
        "y: output f32[n, m], n: i64, m: i64):"
    ]
    stored = ["x", "z"]
    for number in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["map", "map", "down", "across", "turned", "spread"]))
        target = draw(st.sampled_from(["z", "y", f"t{number}", f"t{number}"]))
        lines += _nest(draw, kind, number, target, stored)
    return "\n".join(lines) + "\n"


def _nest(draw: st.DrawFn, kind: str, number: int, target: str, stored: list[str]) -> list[str]:
    value = _value(draw, stored, "i", "j")
    flag = draw(st.sampled_from(["for", "parfor"]))
    if kind == "down":
        return _reduction(flag, ("j", "m"), ("i", "n"), value, f"c[j] = (s{number} * 0.5)", number)
    if kind == "across":
        return _reduction(flag, ("i", "n"), ("j", "m"), value, f"r[i] = (s{number} + 1.0)", number)
    head: list[str] = []
    if target.startswith("t") and target not in stored:
        head = [f"  allocate {target}: f32[n, m]"]
    if kind == "turned":
        body = [f"  {flag} j in m:", "    for i in n:", f"      {target}[i, j] = {value}"]
    elif kind == "spread":
        mixed = f"(({value} + r[i]) * c[j])"
        body = [f"  {flag} i in n:", "    for j in m:", f"      {target}[i, j] = {mixed}"]
    else:
        body = [f"  {flag} i in n:", "    for j in m:", f"      {target}[i, j] = {value}"]
    if target not in stored:
        stored.append(target)
    return head + body


def _reduction(
    flag: str, outer: tuple[str, str], inner: tuple[str, str], value: str, store: str, number: int
) -> list[str]:
    return [
        f"  {flag} {outer[0]} in {outer[1]}:",
        f"    set s{number}: f32 = 0.0",
        f"    for {inner[0]} in {inner[1]} reassociate:",
        f"      set s{number} = (s{number} + {value})",
        f"    {store}",
    ]


def _value(draw: st.DrawFn, stored: list[str], i: str, j: str) -> str:
    source = draw(st.sampled_from(stored))
    shape = draw(st.sampled_from(["plain", "twice", "tanh", "edge"]))
    one = f"{source}[{i}, {j}]"
    other = draw(st.sampled_from(stored))
    match shape:
        case "plain":
            return f"({one} * 0.5)"
        case "twice":
            return f"({one} - {other}[{i}, {j}])"
        case "tanh":
            return f"tanh({one})"
        case _:
            return f"where(({i} < (n - 1)), {other}[({i} + 1), {j}], {one})"
