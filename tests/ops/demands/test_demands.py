"""What operations ask of their operands is said once, and every reader says it alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import dtypes
from tensormill.core.specs import Known, TensorSpec
from tensormill.errors import OpError
from tensormill.ops.compiled_demands import spelled
from tensormill.ops.demand_readers import EAGER, TRACED
from tensormill.ops.demands import UNKNOWN, Undecided, Unknown, dims, in_parentheses

from .raising_twice import raising_twice

f32, i32 = np.float32, np.int32


def zeros(*shape: int) -> np.ndarray[Any, Any]:
    return np.zeros(shape, f32)


def numbers(*values: Any) -> np.ndarray[Any, Any]:
    return np.array(values, i32)


ROW = tf.Variable(zeros(4))
Case = tuple[Callable[..., Any], list[np.ndarray[Any, Any]], str]
WRONG: dict[str, Case] = {
    "an index": (tf.gather, [zeros(4, 2), numbers(1, 4)], "indices[1] = 4 is not in [0, 4)"),
    "a place": (
        tf.gather_nd,
        [zeros(4, 2), numbers([0, 1], [3, 2])],
        "indices[1] = [3, 2] does not index into param shape [4, 2]",
    ),
    "updates": (
        tf.tensor_scatter_nd_update,
        [zeros(4, 2), numbers([0], [1]), zeros(3, 2)],
        "TensorScatterUpdate: Outer dimensions of indices and update must match. Indices shape: "
        "[2, 1], updates shape: [3, 2], wanted: [2, 2]",
    ),
    "a segment": (
        lambda x, ids: tf.math.unsorted_segment_sum(x, ids, 2),
        [zeros(3), numbers(0, 1, 2)],
        "segment_ids[2] = 2 is out of range [0, 2)",
    ),
    "an order": (
        tf.math.segment_sum,
        [zeros(3), numbers(0, 2, 1)],
        "segment ids are not increasing",
    ),
    "a segment of chosen rows": (
        lambda x, ids: tf.sparse.segment_sum(x, [0, 1], ids),
        [zeros(2, 3), numbers(0, -1)],
        "segment ids must be >= 0",
    ),
    "an order of chosen rows": (
        lambda x, ids: tf.sparse.segment_mean(x, [0, 1], ids, num_segments=2),
        [zeros(2, 3), numbers(1, 0)],
        "segment ids are not increasing",
    ),
    "segments of other rows": (
        lambda x, ids: tf.sparse.segment_sqrt_n(x, [0, 1], ids),
        [zeros(2, 3), numbers(0, 1, 1)],
        "SparseSegmentSqrtN: 'indices' of shape [2] and 'segment_ids' of shape [3]: 3 is not 2 "
        "(Dimensions must be equal)",
    ),
    "four colours": (
        lambda x: tf.image.hsv_to_rgb(x),
        [zeros(2, 4)],
        "HSVToRGB: input must have 3 channels but instead has 4 channels.",
    ),
    "two colours": (
        lambda x: tf.raw_ops.AdjustSaturation(images=x, scale=0.5),
        [zeros(2, 2, 2)],
        "AdjustSaturation: input must have 3 channels but instead has 2 channels.",
    ),
    "a variance": (
        lambda x, v: tf.raw_ops.FusedBatchNormV3(
            x=x,
            scale=tf.ones(3),
            offset=tf.ones(3),
            mean=tf.ones(3),
            variance=v,
            is_training=False,
        )[0],
        [zeros(1, 2, 2, 3), zeros(1)],
        "FusedBatchNormV3: variance must have the same number of elements as the channels of x, "
        "got 1 and 3 (Dimensions must be equal)",
    ),
    "a scale": (
        lambda x, scale: tf.raw_ops.FusedBatchNormGradV3(
            y_backprop=x,
            x=x,
            scale=scale,
            reserve_space_1=tf.ones(3),
            reserve_space_2=tf.ones(3),
            reserve_space_3=[],
        )[0],
        [zeros(1, 2, 2, 3), zeros(2)],
        "FusedBatchNormGradV3: scale must have the same number of elements as the channels of x, "
        "got 2 and 3 (Dimensions must be equal)",
    ),
    "limits of channels": (
        lambda x, low: tf.quantization.fake_quant_with_min_max_vars_per_channel(x, low, low + 1),
        [zeros(2, 3), zeros(2)],
        "min and max have incorrect size, expected 3 was 2",
    ),
    "a size of an image": (
        lambda x, size: tf.raw_ops.ResizeBicubic(images=x, size=size),
        [zeros(1, 2, 2, 3), numbers(3, -2)],
        "ResizeBicubic: image and output dimensions must be positive: -2",
    ),
    "sizes of an image": (
        lambda x, size: tf.raw_ops.ResizeArea(images=x, size=size),
        [zeros(1, 2, 2, 3), numbers(3, 2, 2)],
        "ResizeArea: shape_t must be 1-dimensional with 2 elements, not [3]",
    ),
    "two sizes": (
        lambda x, size: tf.raw_ops.ScaleAndTranslate(
            images=x, size=size, scale=tf.ones(2), translation=tf.ones(2)
        ),
        [zeros(1, 2, 2, 3), numbers(3, 2, 2)],
        "ScaleAndTranslate: shape_t must be 1-dimensional with 2 elements, not [3]",
    ),
    "shapes of one name": (
        lambda x, y: tf.raw_ops.ApproximateEqual(x=x, y=y),
        [zeros(2, 3), zeros(2, 4)],
        "ApproximateEqual: 'x' of shape [2, 3] and 'y' of shape [2, 4]: [2, 4] is not [2, 3] "
        "(Dimensions must be equal)",
    ),
    "room": (
        lambda x, w: tf.nn.conv2d(x, w, 1, "VALID"),
        [zeros(1, 1, 5, 1), zeros(3, 3, 1, 1)],
        "Conv2D: Computed output size would be negative (Negative dimension size): an axis of size "
        "1 has no room for a window of 3",
    ),
    "groups": (
        lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"),
        [zeros(1, 5, 5, 3), zeros(3, 3, 2, 2)],
        "Conv2D: input depth must be evenly divisible by filter depth: 3 vs 2 (Depth of input is "
        "not a multiple of input depth of filter)",
    ),
    "a divisor": (tf.math.floordiv, [numbers(1, 2), numbers(1, 0)], "Integer division by zero"),
    "an axis of nothing": (
        lambda x: tf.argmax(x, 1),
        [zeros(2, 0)],
        "Reduction axis 1 is empty in shape [2, 0]",
    ),
    "a label": (
        lambda x, labels: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x),
        [zeros(2, 3), numbers(0, 3)],
        "Received a label value of 3 which is outside the valid range of [0, 3)",
    ),
    "a product": (
        tf.matmul,
        [zeros(2, 3), zeros(2, 3)],
        "MatMul: Matrix size-incompatible: In[0]: [2, 3], In[1]: [2, 3]",
    ),
    "a size": (
        lambda x, sizes: tf.reshape(x, [sizes[0], sizes[1]]),
        [zeros(6), numbers(2, -3)],
        "Reshape: Size 1 must be non-negative, not -3",
    ),
    "two free sizes": (
        lambda x, sizes: tf.reshape(x, [sizes[0], sizes[1]]),
        [zeros(1), numbers(-1, -1)],
        "Reshape: Only one input size may be -1",
    ),
    "a joint": (
        lambda x, y: tf.concat([x, y], 0),
        [zeros(2, 3), zeros(2, 4)],
        "ConcatOp : Dimensions of all input tensors should match: shape[0] = [-1, 3] vs. shape[1] "
        "= [-1, 4]",
    ),
    "parts": (
        lambda x, sizes: tf.split(x, [sizes[0], sizes[1]]),
        [zeros(3), numbers(2, 2)],
        "SplitV: Determined shape must either match input shape along split_dim exactly if fully "
        "specified",
    ),
    "a begin": (
        lambda x, b: tf.slice(x, [b[0]], [1]),
        [zeros(3), numbers(4)],
        "Slice: Expected begin[0] in [0, 3], but got 4",
    ),
    "a place of an axis": (
        lambda x, b: tf.identity(x)[b[0]],
        [zeros(3), numbers(3)],
        "slice index 3 of dimension 0 out of bounds: its size is 3",
    ),
    "an assignment": (
        lambda x, n: ROW[: n[0]].assign(x),
        [zeros(3), numbers(1)],
        "Cannot assign a value of shape [3] to a slice of shape [1]",
    ),
    "a value": (
        lambda x: ROW.assign(x).shape,
        [zeros(3)],
        "Shape mismatch. The variable shape (4,), and the assigned value shape (3,) are "
        "incompatible",
    ),
    "a gradient of a slice": (
        lambda end, dy: tf.raw_ops.StridedSliceGrad(
            shape=[4], begin=[0], end=[end[0]], strides=[1], dy=dy
        ),
        [numbers(-1), zeros(2)],
        "StridedSliceGrad: shape of dy was [2] instead of [3]",
    ),
    "a range forward": (
        lambda n: tf.range(n[0], n[1]),
        [numbers(5, 1)],
        "Range: Requires start <= limit when delta > 0: 5/1",
    ),
    "a range backward": (
        lambda n: tf.range(n[0], n[1], -2),
        [numbers(1, 5)],
        "Range: Requires start >= limit when delta < 0: 1/5",
    ),
    "a range on the spot": (
        lambda n: tf.range(1, 5, n[0]),
        [numbers(0)],
        "Range: Requires delta != 0: 0",
    ),
    "a range without an end": (
        lambda x: tf.range(0.0, x[0]),
        [zeros(1) + np.inf],
        "Range: Requires at most 2**63 - 1 numbers",
    ),
    "no numbers": (
        lambda x: tf.debugging.check_numerics(x, "x {}"),
        [np.array([1, np.inf, -np.inf, np.nan], f32)],
        "x {} : Tensor had Inf and NaN values",
    ),
    "an assertion": (
        lambda n: (
            tf.raw_ops.Assert(
                condition=n[0] > n[1], data=["{small}", n[1], [n[1], n[0]]], summarize=1
            ),
            n,
        )[1],
        [numbers(1, 2, 3)],
        "assertion failed: [{small}] [2] [2...]",
    ),
    "bounds": (
        lambda n: tf.random.stateless_uniform([2], [1, 2], n[0], n[1], tf.int32),
        [numbers(3, 3)],
        "Need minval < maxval, got 3 >= 3",
    ),
    "seeds": (
        lambda seed: tf.random.stateless_normal([2], seed),
        [numbers(1, 2, 3)],
        "seed must have shape [2], not [3]",
    ),
}

HAVE_WIDTH = ("a place", "updates")  # compiled code must know how long an index is


def said(call: Callable[[], Any]) -> str:
    with pytest.raises(OpError) as caught:
        call()
    return caught.value.message


@pytest.mark.sampled
@pytest.mark.parametrize("name", WRONG)
def test_eager_and_compiled_code_say_the_same(name: str) -> None:
    body, arrays, message = WRONG[name]
    kept = 1 if name in HAVE_WIDTH else 9
    specs = [
        TensorSpec((None,) * len(one.shape[:kept]) + one.shape[kept:], dtypes.as_dtype(one.dtype))
        for one in arrays
    ]
    compiled = tf.function(body, input_signature=specs, autograph=False)

    assert message in said(lambda: body(*arrays))
    assert message in said(lambda: compiled(*arrays))
    assert compiled.report().callbacks == ()


def test_what_is_reckoned_from_an_unknown_number_is_unknown() -> None:
    assert all(
        isinstance(one, Unknown)
        for one in (UNKNOWN + 1, 2 * UNKNOWN, UNKNOWN // 2, UNKNOWN % 2, UNKNOWN < 3, UNKNOWN == 3)
    )
    assert (UNKNOWN == 3) & False is False
    assert (UNKNOWN == 3) | True is True
    with pytest.raises(TypeError, match="not known while a function is traced"):
        bool(UNKNOWN == 3)


def test_tracing_refuses_what_it_knows_and_leaves_the_rest() -> None:
    TRACED.require(UNKNOWN > 3, ValueError, "not seen")
    TRACED.alike((2, UNKNOWN), (2, 5), ValueError, "not seen: {} and {}")

    with pytest.raises(ValueError, match=r"\[2, None\] is not \[3, None\]"):
        TRACED.alike((2, UNKNOWN), (3, UNKNOWN), ValueError, "{} is not {}")


def test_a_rank_that_is_not_known_ends_the_rule_unless_it_is_given() -> None:
    operand = Known(TensorSpec(None, dtypes.float32))

    assert dims(TRACED.shape(operand, 2)) == (None, None)
    with pytest.raises(Undecided):
        TRACED.shape(operand)


def test_a_message_names_the_first_element_that_is_wrong() -> None:
    x = np.array([[1, 2], [3, 4]])

    with pytest.raises(ValueError, match=r"^x\[1,0\] = 3 is above 2$"):
        EAGER.each(x, lambda one: one <= 2, ValueError, "x{at} = {it} is above {}", 2)


def test_nothing_is_refused_that_nobody_uses() -> None:
    EAGER.each(np.zeros(()), lambda one: one != 0, ValueError, "zero", among=[np.zeros((0, 3))])


def test_a_message_of_compiled_code_has_places_for_numbers_alone() -> None:
    size, place, element = object(), (object(), object()), object()

    text, shown = spelled(
        "{}: x{at} = {it} and {{}} in {}, {1} or {2}, {it}",
        ("Op", (2, size), in_parentheses([size])),
        place,
        element,
    )

    assert text == "Op: x[{},{}] = {} and {{}} in [2, {}], [2, {}] or ({},), {}"
    assert shown == [*place, element, size, size, size, element]


def test_a_check_shows_no_more_numbers_than_it_has_room_for() -> None:
    x, y = zeros(1, 3, 4, 3, 2), zeros(1, 2, 2, 3, 2)
    specs = [TensorSpec((None,) * 5)] * 3
    attrs = {"ksize": (1, 2, 3, 1, 1), "strides": (1, 1, 1, 1, 1), "padding": "VALID"}
    second = tf.function(
        lambda *xs: tf.raw_ops.MaxPool3DGradGrad(
            orig_input=xs[0], orig_output=xs[1], grad=xs[2], **attrs
        ),
        specs,
        autograph=False,
    )

    words = said(lambda: second(x, y, zeros(4, 3, 4, 3, 2)))
    text, shown = spelled("{} {{}} {}", ((object(),) * 12, (object(),) * 12))

    assert "input: [1, 3, 4, 3, 2], but got [4, 3, 4, 3, 2]" in words
    assert text == f"[{', '.join(['{}'] * 12)}] {{{{}}}} [{', '.join(['{}'] * 4 + ['?'] * 8)}]"
    assert len(shown) == 24


def test_no_operation_raises_in_two_of_its_rules() -> None:
    # That a number is in a permutation twice is seen when its place is taken; how many paths there
    # are, after the last step. No layer of NVIDIA's runs, nor is traced where there is a GPU.
    assert sorted(raising_twice()) == ["BeamSearch", "InvertPermutation", "LayersOnGpus"]
