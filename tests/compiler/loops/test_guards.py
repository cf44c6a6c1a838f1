"""A guarded program says what it touches outside of its buffers, and is the same otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import tensormill as tf
from tensormill.compiler.loops.evaluate import evaluate
from tensormill.compiler.loops.guards import guard
from tensormill.compiler.loops.ir import Program
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.lowering.blocks import Blocks
from tensormill.compiler.native import library
from tensormill.config import settings as config
from tests.compiler.loops.programs import programs, same_results
from tests.compiler.loops.test_passes import example
from tests.compiler.running import Native
from tests.fuzz.limits import EXAMPLES


def test_it_does_what_its_docstring_shows() -> None:
    before = verify(parse(example(guard, "Before")))

    assert text(verify(guard(before).program)) == example(guard, "After")


@settings(max_examples=EXAMPLES or 12, deadline=None)
@given(programs())
def test_good_programs_stay_what_they_are(source: str) -> None:
    same_results(source, text(verify(guard(parse(source)).program)))


HEAD = "program main(x: input f32[3], k: input i64[2], y: output f32[2, 2], n: i64):\n"
OUTSIDE = {
    "a load": ("y[0, 0] = x[n]", 3, "loads from x at [3 of 3]"),
    "a load before the beginning": ("y[0, 0] = x[n]", -1, "loads from x at [-1 of 3]"),
    "a store": ("y[1, n] = 0.5", 2, "stores into y at [1 of 2, 2 of 2]"),
    "a flat store": ("y[flat n] = 0.5", 4, "stores into y at [4 of 4]"),
    "an index that is loaded": ("y[0, 0] = x[k[n]]", 2, "loads from k at [2 of 2]"),
    "a chosen side": (
        "y[0, 0] = where((n > 2), x[(n + 1)], 0.0)", 3, "loads from x at [4 of 3]",
    ),
    "a condition": ("if (x[n] > 0.0):\n    y[0, 0] = 0.5", 5, "loads from x at [5 of 3]"),
    "an extent": ("for i in k[n]:\n    y[0, 0] = 0.5", 7, "loads from k at [7 of 2]"),
    "a loop's condition": (
        "set i: i64 = 0\n  while:\n    pass\n  holds (x[(i + n)] < 9.0):\n    set i = (i + 1)", 1,
        "loads from x at [3 of 3]",
    ),
    "rows that a product reads": (
        "allocate p: f32[1, 3, 16]\n  call tm_panels_f32(frame, &x, &p, &y, n, 2, 3, 3, 0) "
        "reads x, p writes y", 2, "touches 24 bytes of x, which has 12",
    ),
    "a slice that a product writes": (
        "allocate p: f32[1, 1, 16]\n  call tm_panels_f32(frame, &x, &p, &y[n], 1, 2, 1, 1, 0) "
        "reads x, p writes y", 2, "touches 24 bytes of y, which has 16",
    ),
    "a factor that is arranged": (
        "allocate p: f32[1, 3, 16]\n  call tm_arranged_f32(frame, &x, &p, n, 2, 0) "
        "reads x writes p", 2, "touches 16 bytes of x, which has 12",
    ),
    "a buffer within another": (
        "allocate t: f32[n]\n  bind p: f32[4] at &t\n  p[0] = 0.5", 3,
        "touches 16 bytes of t, which has 12",
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", OUTSIDE)
def test_what_lies_outside_is_told_before_it_is_touched(name: str) -> None:
    body, n, message = OUTSIDE[name]
    guarded = guard(verify(parse(f"{HEAD}  {body}\n")), first_error=10)
    frame = [np.ones(3, np.float32), np.zeros(2, np.int64), np.zeros((2, 2), np.float32), n]

    functions = library.needed([one for one in ("tm_panels_f32", "tm_arranged_f32") if one in body])
    native = Native(verify(guarded.program), functions=functions)(*frame)
    assert native is not None
    error, words = native
    assert guarded.messages[error - 10].format(*words).endswith(message)
    if "&" not in body:  # the evaluator finds that by itself
        found = evaluate(guarded.program, frame)
        assert found is not None
        assert found[0] == error


@pytest.mark.parametrize("n", [-5, 0, 1, 2])
def test_the_side_that_is_not_chosen_may_lie_outside(n: int) -> None:
    guarded = guard(parse(f"{HEAD}  y[0, 0] = where((n > 2), x[n], where((n < 0), 1.0, x[n]))\n"))
    frame: list[Any] = [
        np.ones(3, np.float32),
        np.zeros(2, np.int64),
        np.zeros((2, 2), np.float32),
        n,
    ]

    assert Native(verify(guarded.program))(*frame) is None
    assert frame[2][0, 0] == 1.0


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "check_memory", True)


def convolution(size: int) -> str:
    """The call of a convolution over `size` numbers: the last of 3 windows sees number 3."""
    return (
        f"program main(x: input f32[{size}], w: input f32[2, 16], y: output f32[3], "
        "pixels: input i64[3], places: input i64[3], taps: input i64[2]):\n"
        "  call tm_convolve_f32(frame, &x, &w, &y, &pixels, &places, &taps, 3, 2, 1, 1, 1, 4) "
        "reads x, w, pixels, places, taps writes y\n"
    )


@pytest.mark.parametrize(("size", "fails"), [(4, False), (3, True)])
def test_convolutions_are_asked_how_far_their_tables_reach(size: int, fails: bool) -> None:
    guarded = guard(verify(parse(convolution(size))))
    frame = [
        np.ones(size, np.float32), np.ones((2, 16), np.float32), np.zeros(3, np.float32),
        np.array([0, 4, 8]), np.array([0, 4, 8]), np.array([0, 4]),
    ]  # fmt: skip
    calls: list[object] = []

    error = evaluate(guarded.program, frame, {"tm_convolve_f32": lambda *_: calls.append(None)})

    assert (error is not None) == fails
    assert len(calls) == (0 if fails else 1)
    if error is not None:
        shown = guarded.messages[error[0]].format(*error[1])
        assert shown.endswith("touches 16 bytes of x, which has 12")


@pytest.mark.parametrize(("images", "fails"), [(2, False), (1, True)])
def test_convolutions_of_an_image_are_asked_about_that_image(images: int, fails: bool) -> None:
    source = (
        f"program main(x: input f32[{images}, 4], w: input f32[2, 16], y: output f32[2, 3], "
        "pixels: input i64[3], places: input i64[3], taps: input i64[2]):\n"
        "  call tm_convolve_image_f32(frame, &x[1], &w, &y[1], &pixels, &places, &taps, "
        "3, 2, 1, 1, 1, 4) reads x, w, pixels, places, taps writes y\n"
    )
    guarded = guard(verify(parse(source)))
    frame = [
        np.ones((images, 4), np.float32), np.ones((2, 16), np.float32), np.zeros((2, 3), "f4"),
        np.array([0, 4, 8]), np.array([0, 4, 8]), np.array([0, 4]),
    ]  # fmt: skip

    error = evaluate(guarded.program, frame, {"tm_convolve_image_f32": lambda *_: None})

    assert (error is not None) == fails
    if error is not None:
        shown = guarded.messages[error[0]].format(*error[1])
        assert shown.endswith("touches 32 bytes of x, which has 16")


@pytest.mark.usefixtures("checked")
def test_a_compiled_function_with_a_missing_check_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, k = tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 7])
    monkeypatch.setattr(Blocks, "check", lambda *_: None)
    function = tf.function(lambda x, k: tf.gather(x, k))

    with pytest.raises(tf.errors.InternalError, match=r"loads from x at \[7 of 3\]"):
        function(x, k)


@pytest.mark.usefixtures("checked")
def test_support_is_checked_as_programs_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Blocks, "check", lambda *_: None)

    @tf.function
    def function(count: Any) -> Any:
        array = tf.TensorArray(tf.float32, size=2, element_shape=[3])
        for k in tf.range(count):
            array = array.write(k, tf.ones([3]))
        return array.read(count + 75)

    with pytest.raises(tf.errors.InternalError, match="tm_list_item touches 936 bytes of items"):
        function(tf.constant(2))


@pytest.mark.usefixtures("checked")
def test_checked_functions_give_the_same_numbers() -> None:
    x = tf.random.stateless_normal([2, 9, 9, 3], [1, 2])
    filters = tf.random.stateless_normal([3, 3, 3, 5], [3, 4])

    @tf.function
    def gradients(x: Any, filters: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, filters])
            y = tf.nn.conv2d(x, filters, 2, "SAME") @ tf.ones([5, 4])
            total = tf.reduce_sum(tf.cumsum(y, axis=1) ** 2)
        return tape.gradient(total, [x, filters])

    found = gradients(x, filters)
    config.check_memory = False
    unchecked = tf.function(gradients.python_function)(x, filters)
    for checked, expected in zip(found, unchecked, strict=True):
        np.testing.assert_allclose(checked, expected, 1e-5, 1e-5)


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_rows_are_put_in_order_in_checked_memory(dtype: Any) -> None:
    rows = np.random.default_rng(0).permuted(np.arange(300).reshape(3, 100), axis=1).astype(dtype)

    @tf.function(input_signature=[tf.TensorSpec([None, None], dtype)])
    def ordered(rows: Any) -> Any:
        return tf.sort(rows), tf.math.top_k(rows, 2).values

    for some in (rows, rows[:, :10]):
        whole, largest = ordered(some)
        np.testing.assert_array_equal(whole, np.sort(some))
        np.testing.assert_array_equal(largest, np.sort(some)[:, :-3:-1])


def test_functions_that_could_tell_nobody_what_they_find_stay_as_they_are() -> None:
    framed, other = library.function("tm_arranged_f32"), library.function("tm_beam_keep")

    found = guard(Program("nothing", (), ()), [framed, other])

    assert found.messages
    assert found.functions[0] != framed
    assert found.functions[1] is other
