"""Convolutions and pooling: what samples of single operations don't show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.config import settings
from tensormill.ops.nn.convolution import Conv2D

RANDOM = np.random.default_rng(0)
IMAGE = RANDOM.standard_normal((2, 6, 7, 4)).astype(np.float32)
FILTER = RANDOM.standard_normal((3, 2, 4, 5)).astype(np.float32)


def unknown(*arrays: Any) -> list[tf.TensorSpec]:
    return [tf.TensorSpec([None] * array.ndim, array.dtype) for array in arrays]


def gradients(fn: Callable[..., Any], *arrays: Any) -> list[Any]:
    """The result, its gradients, and the gradients of these."""
    operands = [tf.constant(array) for array in arrays]
    with tf.GradientTape() as outer:
        outer.watch(operands)
        with tf.GradientTape() as inner:
            inner.watch(operands)
            y = fn(*operands)
            loss = tf.reduce_sum(y * y)
        first = inner.gradient(loss, operands)
        total = tf.add_n([tf.reduce_sum(tf.sin(one)) for one in first])
    return [y, *first, *outer.gradient(total, operands)]


def assert_same(expected: Any, actual: Any, tolerance: float = 1e-9) -> None:
    for one, other in zip(expected, actual, strict=True):
        np.testing.assert_allclose(other.numpy(), one.numpy(), tolerance, tolerance)


EXPLICIT = [[0, 0], [2, 1], [0, 3], [0, 0]]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("strides", "padding"), [(2, "SAME"), ((2, 1), EXPLICIT)], ids=["same", "explicit"]
)
def test_compiled_gradients_are_those_of_the_kernels(strides: Any, padding: Any) -> None:
    x, w = IMAGE.astype(np.float64), FILTER.astype(np.float64)

    def convolved(x: Any, w: Any) -> Any:
        return tf.nn.conv2d(x, w, strides, padding)

    def compiled(x: Any, w: Any) -> Any:
        return gradients(convolved, x, w)

    native = tf.function(compiled, input_signature=[*unknown(x), tf.TensorSpec(w.shape, w.dtype)])

    assert_same(gradients(convolved, x, w), native(x, w))
    assert "Conv" not in str(native.report())


def test_convolutions_without_strides_are_sums_of_products() -> None:
    y = tf.nn.conv2d(IMAGE, FILTER, 1, "VALID").numpy()

    expected = (IMAGE[1, 2:5, 3:5, :, None] * FILTER).sum((0, 1, 2))
    np.testing.assert_allclose(y[1, 2, 3], expected, 1e-5)


def test_a_dilated_kernel_is_one_with_zeros_between() -> None:
    wide = np.zeros((5, 3, 4, 5), np.float32)
    wide[::2, ::2] = FILTER

    for fn in (tf.nn.conv2d, tf.function(tf.nn.conv2d)):
        dilated = fn(IMAGE, FILTER, 1, "SAME", dilations=2)
        np.testing.assert_allclose(fn(IMAGE, wide, 1, "SAME"), dilated, 1e-5, 1e-5)


def test_gradients_of_dilated_depthwise_kernels_are_those_of_wide_ones() -> None:
    x, narrow = IMAGE.astype(np.float64), RANDOM.standard_normal((3, 2, 4, 2))

    def widened(w: Any) -> Any:
        rows = tf.reshape(tf.stack([w, w * 0], 1), [6, 2, 4, 2])[:5]
        return tf.reshape(tf.stack([rows, rows * 0], 2), [5, 4, 4, 2])[:, :3]

    def dilated(x: Any, w: Any) -> Any:
        return tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME", dilations=[2, 2])

    def wide(x: Any, w: Any) -> Any:
        return tf.nn.depthwise_conv2d(x, widened(w), [1, 1, 1, 1], "SAME")

    expected = gradients(wide, x, narrow)
    assert_same(expected, gradients(dilated, x, narrow))
    assert_same(expected, tf.function(lambda x, w: gradients(dilated, x, w))(x, narrow))


def test_groups_are_convolutions_beside_each_other() -> None:
    filters = RANDOM.standard_normal((3, 3, 2, 6)).astype(np.float32)
    halves = [
        tf.nn.conv2d(IMAGE[..., 2 * k : 2 * k + 2], filters[..., 3 * k : 3 * k + 3], 1, "SAME")
        for k in range(2)
    ]

    for fn in (tf.nn.conv2d, tf.function(tf.nn.conv2d)):
        y = fn(IMAGE, filters, 1, "SAME")
        np.testing.assert_allclose(y, np.concatenate(halves, -1), 1e-4, 1e-5)


def test_one_trace_serves_all_sizes() -> None:
    fn = tf.function(
        lambda x, w: tf.nn.conv2d(x, w, 2, "SAME"), input_signature=unknown(IMAGE, FILTER)
    )

    for sizes in ((1, 1, 1), (3, 9, 4), (0, 5, 5), (1, 40, 33)):
        x = RANDOM.standard_normal((*sizes, 4)).astype(np.float32)
        np.testing.assert_allclose(
            fn(x, FILTER), tf.nn.conv2d(x, FILTER, 2, "SAME"), 1e-4, 1e-5
        )  # fmt: skip


def test_results_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    x = RANDOM.standard_normal((4, 24, 24, 8)).astype(np.float32)
    w = RANDOM.standard_normal((3, 3, 8, 24)).astype(np.float32)

    def compiled(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.conv2d(x, w, 1, "SAME")
            loss = tf.reduce_sum(tf.sin(y))
        return [y, *tape.gradient(loss, [x, w])]

    found: list[list[bytes]] = []
    for count in (1, 3):
        monkeypatch.setattr(settings, "threads", count)
        results = tf.function(compiled)(tf.constant(x), tf.constant(w))
        found.append([one.numpy().tobytes() for one in results])
    assert found[0] == found[1]


@pytest.mark.parametrize("padding", ["SAME", "VALID", [[0, 0], [2, 1], [0, 3], [0, 0]]])
def test_windows_of_three_side_by_side_are_as_exact_as_sums(padding: Any) -> None:
    """What is filtered minimally is compared with sums in float64 (numerics.md)."""
    x = RANDOM.standard_normal((3, 13, 10, 32))
    w = RANDOM.standard_normal((3, 3, 32, 40))

    def results(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.conv2d(x, w, 1, padding)
            total = tf.reduce_sum(y * tf.cast(tf.cos(tf.cast(y, tf.float64)), y.dtype))
        return y, *tape.gradient(total, [x, w])

    narrow = [tf.constant(one, tf.float32) for one in (x, w)]
    exact = results(*(tf.constant(one.numpy(), tf.float64) for one in narrow))
    y, dx, dw = tf.function(results)(*narrow)
    np.testing.assert_allclose(y, exact[0], 0, 4e-6 * float(np.std(exact[0])))
    # The cosine's slope is up to as large as y.
    np.testing.assert_allclose(dx, exact[1], 0, 1e-4 * float(np.std(exact[1])))
    np.testing.assert_allclose(dw, exact[2], 0, 1e-4 * float(np.std(exact[2])))


@pytest.mark.parametrize("scale", [1.0, 1e4, 1e8])
def test_masked_filters_let_nothing_through(scale: float) -> None:
    w = RANDOM.standard_normal((3, 3, 16, 16)).astype(np.float32)
    w[1, 1:] = w[2] = 0
    x = RANDOM.standard_normal((4, 12, 12, 16)).astype(np.float32)
    changed = x.copy()
    changed[:, 7:] = scale * RANDOM.standard_normal((4, 5, 12, 16))
    fn = tf.function(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"))

    np.testing.assert_array_equal(fn(changed, w)[:, :7], fn(x, w)[:, :7])


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_is_not_finite_reaches_windows_that_see_it(value: float) -> None:
    x = RANDOM.standard_normal((4, 9, 9, 16)).astype(np.float32)
    x[1, 4, 5, 3] = value
    w = np.abs(RANDOM.standard_normal((3, 3, 16, 16))).astype(np.float32)

    y = tf.function(tf.nn.conv2d)(x, w, 1, "SAME").numpy()

    expected = np.ones(y.shape, bool)
    expected[1, 3:6, 4:7] = False
    np.testing.assert_array_equal(np.isfinite(y), expected)
    np.testing.assert_array_equal(y[~expected], np.full(9 * 16, value, np.float32))


def test_channels_may_come_first() -> None:
    expected = tf.nn.conv2d(IMAGE, FILTER, 2, "SAME").numpy().transpose(0, 3, 1, 2)
    first = IMAGE.transpose(0, 3, 1, 2).copy()

    for fn in (tf.nn.conv2d, tf.function(tf.nn.conv2d)):
        actual = fn(first, FILTER, 2, "SAME", data_format="NCHW")
        np.testing.assert_allclose(actual, expected, 1e-4, 1e-5)


def test_leading_axes_are_batches() -> None:
    x = IMAGE.reshape(2, 1, 1, 6, 7, 4)

    assert [2, 1, 1, 6, 7, 5] == tf.nn.conv2d(x, FILTER, 1, "SAME").shape
    assert [2, 1, 1, 3, 4, 5] == tf.function(tf.nn.conv2d)(x, FILTER, 2, "SAME").shape


def test_separable_convolutions_are_two() -> None:
    depthwise = RANDOM.standard_normal((3, 3, 4, 2)).astype(np.float32)
    pointwise = RANDOM.standard_normal((1, 1, 8, 5)).astype(np.float32)
    seen = tf.nn.depthwise_conv2d(IMAGE, depthwise, [1, 1, 1, 1], "SAME")

    expected = tf.nn.conv2d(seen, pointwise, 1, "VALID")
    actual = tf.nn.separable_conv2d(IMAGE, depthwise, pointwise, [1, 1, 1, 1], "SAME")
    np.testing.assert_allclose(actual, expected, 1e-5)


@pytest.mark.parametrize("strides", [1, 2, 3])
def test_a_transposed_convolution_is_the_transpose(strides: int) -> None:
    y = tf.nn.conv2d(IMAGE, FILTER, strides, "SAME")
    other = RANDOM.standard_normal(np.shape(y)).astype(np.float32)

    back = tf.nn.conv2d_transpose(other, FILTER, IMAGE.shape, strides, "SAME")
    expected = float(np.sum(y.numpy() * other))
    assert pytest.approx(expected, abs=1e-3) == float(np.sum(back.numpy() * IMAGE))


def test_sizes_of_a_transposed_convolution_may_be_tensors() -> None:
    y = tf.nn.conv2d(IMAGE, FILTER, 2, "SAME")

    fn = tf.function(lambda y, size: tf.nn.conv2d_transpose(y, FILTER, size, 2, "SAME"))
    expected = tf.nn.conv2d_transpose(y, FILTER, IMAGE.shape, 2, "SAME")
    np.testing.assert_allclose(fn(y, tf.constant(IMAGE.shape)), expected, 1e-5, 1e-5)


def test_whole_numbers_are_convolved_exactly() -> None:
    x, w = np.arange(18).reshape(1, 3, 3, 2), np.arange(8).reshape(2, 2, 2, 1)
    y = tf.nn.conv2d(x.astype(np.int32), w.astype(np.int32), 1, "VALID")

    assert [[[[184], [240]], [[352], [408]]]] == y.numpy().tolist()


# ---------------------------------------------------------------- mistakes


def bad(error: Any, words: str, call: Callable[[], Any]) -> None:
    """It is this error, eagerly and while tracing."""
    with pytest.raises(error, match=words):
        call()
    with pytest.raises((error, ValueError), match=words):
        tf.function(call)()


MISTAKES: list[tuple[str, Callable[[], Any]]] = [
    ("by filter depth: 4 vs 3", lambda: tf.nn.conv2d(IMAGE, FILTER[:, :, :3], 1, "SAME")),
    ("must not have zero", lambda: tf.nn.conv2d(IMAGE, FILTER[:, :, :0], 1, "SAME")),
    ("number of groups", lambda: tf.nn.conv2d(IMAGE, FILTER[:, :, :2], 1, "SAME")),
    ("must be 4-dimensional", lambda: tf.nn.conv2d(IMAGE[0], FILTER, 1, "SAME")),
    ("filter must be 4-dimensional", lambda: tf.nn.conv2d(IMAGE, FILTER[0], 1, "SAME")),
    ("'padding' of \"FOO\"", lambda: tf.nn.conv2d(IMAGE, FILTER, 1, "FOO")),
    ("must be > 0", lambda: tf.nn.conv2d(IMAGE, FILTER, 0, "SAME")),
    ("must be > 0", lambda: tf.nn.conv2d(IMAGE, FILTER, 1, "SAME", dilations=0)),
    ("batch and depth", lambda: tf.nn.conv2d(IMAGE, FILTER, 1, "SAME", dilations=[2, 1, 1, 1])),
    ("batch and depth",
     lambda: tf.nn.conv2d_transpose(IMAGE, FILTER[:, :, :, :4], IMAGE.shape, [1, 1, 1, 2], "SAME")),
    ("would be negative", lambda: tf.nn.conv2d(IMAGE[:, :1], FILTER, 1, "VALID")),
    ("nonnegative", lambda: tf.nn.conv2d(IMAGE, FILTER, 1, [[0, 0], [-1, 0], [0, 0], [0, 0]])),
    ("'data_format'", lambda: tf.nn.conv2d(IMAGE, FILTER, 1, "SAME", data_format="CHW")),
    ("is that of the filter|evenly divisible",
     lambda: tf.nn.depthwise_conv2d(IMAGE, FILTER[:, :, :3], [1, 1, 1, 1], "SAME")),
    ("doesn't match computed",
     lambda: tf.nn.conv2d_transpose(IMAGE, FILTER[:, :, :, :4], [2, 9, 9, 4], 1, "SAME")),
    ("4-dimensional", lambda: tf.nn.max_pool2d(IMAGE[0], 2, 2, "SAME")),
    ("would be negative", lambda: tf.nn.max_pool2d(IMAGE, 9, 1, "VALID")),
    ("must be > 0", lambda: tf.nn.max_pool2d(IMAGE, 0, 1, "VALID")),
    ("must be > 0", lambda: tf.nn.avg_pool(IMAGE, [1, 2, 2, 0], [1, 1, 1, 1], "VALID")),
    ("must be > 0", lambda: tf.nn.max_pool(IMAGE, [0, 2, 2, 1], [1, 1, 1, 1], "VALID")),
    ("strides field must specify 4",
     lambda: tf.raw_ops.MaxPool(input=IMAGE, ksize=[2, 3, 3, 3], strides=[3, 1], padding="SAME")),
    ("dilations field must specify 4",
     lambda: tf.raw_ops.Conv2D(input=IMAGE, filter=FILTER, strides=[2, 1, 1, 1], dilations=[1],
                               padding="SAME")),
    ("smaller than the window",
     lambda: tf.nn.max_pool2d(IMAGE, 2, 1, [[0, 0], [2, 0], [0, 0], [0, 0]])),
    ("divisible by", lambda: tf.nn.space_to_depth(IMAGE, 2)),
    ("divisible by", lambda: tf.space_to_batch(IMAGE, [2, 2], [[0, 0], [0, 0]])),
]  # fmt: skip


UNIMPLEMENTED: list[tuple[str, Callable[[], Any]]] = [
    ("batch and depth", lambda: tf.nn.conv2d(IMAGE, FILTER, [2, 1, 1, 1], "SAME")),
    ("batch and depth", lambda: tf.nn.max_pool(IMAGE, [2, 1, 1, 1], [2, 1, 1, 1], "SAME")),
    ("batch and depth", lambda: tf.nn.avg_pool(IMAGE, [1, 1, 1, 2], [1, 1, 1, 2], "SAME")),
    ("side by side", lambda: tf.nn.max_pool(IMAGE, [1, 1, 1, 2], [1, 1, 1, 1], "SAME")),
    ("not both", lambda: tf.nn.max_pool(IMAGE, [1, 2, 1, 2], [1, 1, 1, 2], "SAME")),
    ("explicit", lambda: tf.nn.max_pool(IMAGE, [1, 1, 1, 2], [1, 1, 1, 2], [[0, 0]] * 4)),
    ("divide the depth, which is 4",
     lambda: tf.nn.max_pool(IMAGE, [1, 1, 1, 3], [1, 1, 1, 3], "SAME")),
]  # fmt: skip


@pytest.mark.parametrize(("words", "call"), UNIMPLEMENTED, ids=range(len(UNIMPLEMENTED)))
def test_windows_leave_space_alone_or_lie_along_depth(words: str, call: Callable[[], Any]) -> None:
    bad(tf.errors.UnimplementedError, words, call)


@pytest.mark.parametrize("pool", [tf.nn.max_pool, tf.nn.avg_pool])
def test_windows_of_one_channel_are_at_all_channels_whatever_the_stride(pool: Any) -> None:
    """As in TensorFlow, whose MaxPoolGrad refuses the stride."""
    expected = pool(IMAGE, [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(image := tf.constant(IMAGE))
        ordinary = pool(image, [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
        skipping = pool(image, [1, 2, 2, 1], [1, 1, 1, 3], "VALID")

    np.testing.assert_array_equal(expected, skipping)
    staged = tf.function(pool)(IMAGE, [1, 2, 2, 1], [1, 1, 1, 3], "VALID")
    np.testing.assert_allclose(staged, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(tape.gradient(ordinary, image), tape.gradient(skipping, image))


def test_places_of_the_largest_are_those_of_all_channels_whatever_the_stride() -> None:
    sizes: Any = {"ksize": [1, 2, 2, 1], "padding": "VALID"}
    expected = tf.raw_ops.MaxPoolWithArgmax(input=IMAGE, strides=[1, 1, 1, 1], **sizes)
    found = tf.raw_ops.MaxPoolWithArgmax(input=IMAGE, strides=[1, 1, 1, 2], **sizes)

    np.testing.assert_array_equal(expected.output, found.output)
    np.testing.assert_array_equal(expected.argmax, found.argmax)


def test_windows_of_depth_have_gradients() -> None:
    def loss(x: Any) -> Any:
        return tf.reduce_sum(tf.nn.max_pool(x, [1, 1, 1, 2], [1, 1, 1, 2], "VALID") ** 2)

    x = tf.constant([[[[1.0, 3.0, 5.0, 4.0]]]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loss(x)
    assert [[[[0.0, 6.0, 10.0, 0.0]]]] == tape.gradient(y, x).numpy().tolist()


@pytest.mark.parametrize(("words", "call"), MISTAKES, ids=range(len(MISTAKES)))
def test_shapes_and_attributes_must_fit(words: str, call: Callable[[], Any]) -> None:
    bad(tf.errors.InvalidArgumentError, words, call)


def test_lists_of_another_length_are_value_errors() -> None:
    bad(ValueError, "length 1, 2 or 4", lambda: tf.nn.conv2d(IMAGE, FILTER, [1, 1, 1], "SAME"))
    bad(ValueError, "of size 4", lambda: tf.nn.conv2d(IMAGE, FILTER, 1, [[0, 0], [1, 1]]))
    bad(ValueError, "in conjunction", lambda: tf.nn.convolution(
        IMAGE, FILTER, strides=2, dilations=2
    ))  # fmt: skip
    wide = np.ones([1] * 6, np.float32)
    bad(ValueError, "must be 3, 4 or 5", lambda: tf.nn.convolution(wide, wide))
    bad(ValueError, "'MAX' or 'AVG'", lambda: tf.nn.pool(IMAGE, [2, 2], "MEDIAN"))
    bad(ValueError, "dilations", lambda: tf.nn.pool(
        IMAGE, [2, 2], "MAX", strides=[2, 2], dilations=[2, 2]
    ))  # fmt: skip


def test_sizes_are_checked_when_the_graph_runs() -> None:
    fn = tf.function(
        lambda x, w: tf.nn.conv2d(x, w, 1, "VALID"), input_signature=unknown(IMAGE, FILTER)
    )

    with pytest.raises(tf.errors.InvalidArgumentError, match="would be negative"):
        fn(IMAGE[:, :1], FILTER)
    with pytest.raises(tf.errors.InvalidArgumentError, match="filter depth: 4 vs 3"):
        fn(IMAGE, FILTER[:, :, :3])


SLIDING: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "conv2d": (lambda x, k: tf.nn.conv2d(x, tf.ones([k, 2, 4, 3]), 2, "VALID"), (0, 3, 3)),
    "conv2d, margins": (
        lambda x, k: tf.nn.conv2d(
            x, tf.ones([k + 1, 2, 4, 3]), 2, [[0, 0], [1, 0], [0, 0], [0, 0]]
        ),
        (0, 3, 3),
    ),
    "depthwise_conv2d": (
        lambda x, k: tf.nn.depthwise_conv2d(x, tf.ones([k, 2, 4, 1]), [1, 2, 2, 1], "VALID"),
        (0, 3, 4),
    ),
    "dilation2d": (
        lambda x, k: tf.nn.dilation2d(
            x, tf.ones([k, 2, 4]), [1, 2, 2, 1], "VALID", "NHWC", [1, 1, 1, 1]
        ),
        (0, 3, 4),
    ),
    "max_pool2d": (lambda x, k: tf.nn.max_pool2d(x, [k, 2], 2, "VALID"), (0, 3, 4)),
    "avg_pool2d": (lambda x, k: tf.nn.avg_pool2d(x, [k, 2], 2, "VALID"), (0, 3, 4)),
    "max_pool_with_argmax": (
        lambda x, k: tf.nn.max_pool_with_argmax(x, [k, 2], 2, "VALID")[0], (0, 3, 4),
    ),
    "extract_patches": (
        lambda x, k: tf.image.extract_patches(
            x, [1, k, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"
        ),
        (0, 3, 32),
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", SLIDING)
def test_where_less_than_two_strides_are_missing_there_is_no_window(name: str) -> None:
    """TensorFlow rounds (1 - 4 + 2) / 2 to 0; its gradients end the process."""
    slid, shape = SLIDING[name]

    def run(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = slid(x, 4)
        return y, tape.gradient(y, x)

    x = tf.constant(IMAGE[:, :1])
    for fn in (run, tf.function(run, input_signature=unknown(IMAGE))):
        y, dx = fn(x)
        assert (2, *shape) == y.shape
        assert np.zeros_like(IMAGE[:, :1]).tolist() == dx.numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="would be negative"):
        slid(x, 5)


def test_dtypes_must_agree_and_be_numbers() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float"):
        tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTER.astype(np.float64)), 1, "SAME")
    with pytest.raises(tf.errors.InvalidArgumentError, match="complex64 is not in the list"):
        tf.nn.conv2d(IMAGE.astype(np.complex64), FILTER.astype(np.complex64), 1, "SAME")


# ---------------------------------------------------------------- pooling


def test_the_first_of_equal_elements_gets_the_gradient() -> None:
    x = np.zeros((1, 4, 4, 1), np.float32)
    expected = np.zeros((4, 4))
    expected[::2, ::2] = 1.0

    def pooled(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.max_pool2d(x, 2, 2, "VALID")
        return tape.gradient(y, x)

    for fn in (pooled, tf.function(pooled)):
        assert expected.tolist() == fn(tf.constant(x)).numpy()[0, :, :, 0].tolist()


def test_padding_does_not_count_in_a_mean() -> None:
    x = np.ones((1, 3, 3, 1), np.float32)

    for fn in (tf.nn.avg_pool2d, tf.function(tf.nn.avg_pool2d)):
        assert np.ones((1, 2, 2, 1)).tolist() == fn(x, 2, 2, "SAME").numpy().tolist()


def test_dilated_windows_look_at_every_second_element() -> None:
    x = np.arange(9, dtype=np.float32).reshape(1, 3, 3, 1)

    y = tf.nn.pool(x, [2, 2], "MAX", dilations=[2, 2])
    assert [[[[8.0]]]] == y.numpy().tolist()


def test_argmax_counts_within_an_image_or_over_all_of_them() -> None:
    x = np.zeros((2, 2, 2, 1), np.float32)
    x[:, 1, 0] = 1.0

    alone = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID").argmax
    whole = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID", include_batch_in_index=True)[1]
    assert [2, 2] == alone.numpy().ravel().tolist()
    assert [2, 6] == whole.numpy().ravel().tolist()


def test_names_of_operations_are_those_of_tensorflow() -> None:
    graph = tf.function(lambda x: tf.nn.conv2d(x, FILTER, 1, "SAME")).get_concrete_function(
        tf.TensorSpec(IMAGE.shape)
    )

    assert Conv2D.name in [operation.type for operation in graph.graph.get_operations()]


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "compiled"])
def test_gradients_of_groups_are_those_of_convolutions_beside_each_other(staged: bool) -> None:
    random = np.random.default_rng(0)
    x = tf.constant(random.standard_normal((2, 7, 6, 6)), tf.float32)
    filters = tf.constant(random.standard_normal((3, 2, 3, 8)), tf.float32)

    def together(filters: Any) -> Any:
        return tf.nn.conv2d(x, filters, 1, "SAME")

    def beside(filters: Any) -> Any:
        pairs = zip(tf.split(x, 2, -1), tf.split(filters, 2, -1), strict=True)
        return tf.concat([tf.nn.conv2d(part, own, 1, "SAME") for part, own in pairs], -1)

    def gradient(convolved: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(filters)
            loss = tf.reduce_sum(convolved(filters) ** 2)
        return tape.gradient(loss, filters)

    run = tf.function(gradient) if staged else gradient
    np.testing.assert_allclose(run(together), run(beside), rtol=1e-4, atol=1e-3)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [tf.float64, tf.float16])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("kernel", "channels", "multiplier", "strides", "rates"),
    [((6, 5), 3, 1, 1, 1), ((7, 6), 1, 1, 1, 1), ((6, 6), 9, 2, 1, 1), ((3, 3), 2, 3, 1, 1),
     ((6, 5), 3, 1, 2, 1), ((2, 7), 2, 2, 3, 1), ((6, 5), 3, 1, 1, 2), ((1, 26), 17, 1, 1, 1)],
)  # fmt: skip
def test_filters_of_single_channels_are_those_of_the_kernels(
    dtype: Any, known: bool, kernel: Any, channels: int, multiplier: int, strides: int, rates: int
) -> None:
    random = np.random.default_rng(3)
    x = random.integers(-3, 4, (2, 14, 15, channels)).astype(dtype.as_numpy_dtype)
    w = random.integers(-3, 4, (*kernel, channels, multiplier)).astype(dtype.as_numpy_dtype)

    for padding in ("SAME", "VALID"):
        if padding == "VALID" and (kernel[1] > 15 or rates > 1):
            continue

        def convolved(x: Any, w: Any, padding: str = padding) -> Any:
            steps = [1, strides, strides, 1]
            return tf.nn.depthwise_conv2d(x, w, steps, padding, dilations=[rates, rates])

        signature = None if known else unknown(x, w)
        native = tf.function(convolved, input_signature=signature)
        found = native(tf.constant(x), tf.constant(w)).numpy()
        np.testing.assert_array_equal(convolved(x, w).numpy(), found)
        assert native.report().callbacks == ()
