"""What turns in a row have in common is computed once for them; the bits stay what they were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.loops.evaluate import evaluate
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.passes.turn_groups import group_turns
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.ops.random.philox import stateless_stream
from tests.compiler.loops.programs import frame_of, same_results
from tests.fuzz.limits import EXAMPLES

HEAD = "program f(x: input f32[n], y: state f32[n], z: state f32[256], n: i64):\n"
DEAR = "lgamma(cast:f32(({} // {})))"


def groups(source: str, n: int = 37) -> int:
    """How many loops go in groups; the results are the same to the bit."""
    program = verify(group_turns(verify(parse(source))))
    found = [frame_of(one, {"n": n}) for one in (parse(source), program)]
    for one, frame in zip((parse(source), program), found, strict=True):
        evaluate(one, frame)
    for before, after in zip(*found, strict=True):
        np.testing.assert_array_equal(before, after)
    return text(program).count(".group in")


@pytest.mark.parametrize("n", [0, 1, 3, 4, 33, 36])
@pytest.mark.parametrize("kind", ["for", "parfor"])
def test_loops_of_any_length_go_in_groups(kind: str, n: int) -> None:
    dear = DEAR.format("i", 4)
    body = f"  {kind} i in n:\n    y[i] = where(((i % 4) == 1), {dear}, (sqrt({dear}) + x[i]))\n"

    assert groups(HEAD + body, n) == 1


def test_what_is_in_common_may_count_from_elsewhere() -> None:
    rows = "  for j in 3:\n    for i in 33:\n"
    dear = DEAR.format("((j * 36) + i)", 4)

    assert groups(HEAD + rows + f"      z[((j * 33) + i)] = ({dear} + x[(i % 3)])\n") == 1


def test_names_and_sums_of_turns_stay_in_order() -> None:
    sums = f"    set s = ((s * 0.5) + {DEAR.format('i', 2)})\n    let t: f32 = (s * x[i])\n"
    turns = "  for i in n:\n" + sums + "    y[i] = (t - s)\n"

    assert groups(f"{HEAD}  set s: f32 = 0.25\n{turns}  z[0] = s\n") == 1


def test_what_a_turn_stores_is_not_in_common() -> None:
    value = f"(z[0] * ({DEAR.format('i', 2)} + z[0]))"

    assert groups(f"{HEAD}  for i in n:\n    y[i] = {value}\n    z[0] = y[i]\n") == 1


LEFT = {
    "rows begin within a group": (DEAR.format("(i + 2)", 4), "48"),
    "nobody knows where rows begin": (DEAR.format("(n + i)", 4), "48"),
    "there are few groups": (DEAR.format("i", 4), "31"),
    "groups are long": (DEAR.format("i", 16), "256"),
    "turns are not next to each other": (DEAR.format("(i * 3)", 4), "48"),
    "what they have in common is cheap": ("cast:f32((i // 4))", "n"),
    "each turn reads something else for it": ("lgamma((x[i] + cast:f32((i // 4))))", "n"),
    "it may lie outside": ("where((i < 2), lgamma(x[(i // 4)]), 0.0)", "n"),
}


@pytest.mark.parametrize(("value", "extent"), LEFT.values(), ids=LEFT)
def test_other_loops_stay(value: str, extent: str) -> None:
    assert groups(f"{HEAD}  for i in {extent}:\n    z[i] = {value}\n") == 0


@st.composite
def turns(draw: st.DrawFn) -> str:
    """A loop over rows or without, whose turns need quotients and rests of many places."""
    size = draw(st.integers(2, 5))
    row = draw(st.sampled_from([size * 8, size * 9, 41]))
    place = draw(st.sampled_from(["i", f"((j * {row}) + i)", f"(i + (j * {row}))", "(i + 1)"]))
    dear = f"lgamma(cast:f32((({place} // {size}) + {draw(st.integers(0, 2))})))"
    other = draw(st.sampled_from([dear, f"exp({dear})", "z[(i + 128)]", "s", "t"]))
    value = f"where((({place} % {size}) == {draw(st.integers(0, size))}), {dear}, {other})"
    target = draw(st.sampled_from([f"z[((j * {row}) + i)]", "z[(i + 128)]"]))
    lines = [
        "set s: f32 = 0.5",
        "for j in 2:",
        f"  for i in {draw(st.integers(max(row - 9, 1), row))}:",
        f"    let t: f32 = (x[(i % 3)] * {draw(st.sampled_from([dear, 's', 'z[0]']))})",
        f"    {target} = ({value} + z[i])",
        f"    set s = (s + {draw(st.sampled_from(['t', dear, 'z[(i + 128)]']))})",
        "z[255] = s",
    ]
    return HEAD + "".join(f"  {line}\n" for line in lines)


@settings(max_examples=EXAMPLES or 40, deadline=None)
@given(turns())
def test_made_up_loops_keep_every_bit(source: str) -> None:
    groups(source)
    same_results(source, text(optimise(verify(parse(source)), check=True)), {"n": 37})


@settings(max_examples=EXAMPLES or 6, deadline=None)
@given(
    st.lists(st.sampled_from([1, 3, 8, 13, 36, 40]), min_size=1, max_size=3),
    st.sampled_from([tf.float32, tf.float64]),
    st.booleans(),
)
def test_random_words_are_the_ones_of_their_places(
    shape: list[int], dtype: tf.DType, is_known: bool
) -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def drawn(sizes: tf.Tensor) -> tf.Tensor:
        return tf.random.stateless_uniform(shape if is_known else sizes, [3, 7], dtype=dtype)

    per_group = 4 if dtype is tf.float32 else 2
    count = int(np.prod(shape))
    words = stateless_stream(3, 7).groups(np.arange(-(-count // per_group), dtype=np.uint64))
    found = drawn(tf.constant(shape)).numpy()

    assert found.shape == tuple(shape)
    assert np.array_equal(found, _units(words, dtype)[:count].reshape(shape))


def _units(words: np.ndarray, dtype: tf.DType) -> np.ndarray:
    """Random bits as mantissas of numbers in [1, 2), less 1."""
    if dtype is tf.float32:
        return ((words & 0x7FFFFF).reshape(-1) / np.float64(2**23)).astype(np.float32)
    high, low = words[:, 0::2].astype(np.uint64), words[:, 1::2].astype(np.uint64)
    return ((((high & 0xFFFFF) << np.uint64(32)) | low) / np.float64(2**52)).reshape(-1)
