"""Images: what samples of single operations don't show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.image.suppression import NonMaxSuppressionV3, NonMaxSuppressionV5

IMAGE = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2)
UNKNOWN = tf.TensorSpec([None, None, None, 2])


def rows(image: Any) -> Any:
    """The first channel of the first image."""
    return np.asarray(image)[0, :, :, 0].tolist()


def test_images_and_batches_of_them_are_resized() -> None:
    assert [1, 2, 6, 2] == tf.image.resize(IMAGE, [2, 6]).shape
    assert [2, 6, 2] == tf.image.resize(IMAGE[0], (2, 6), "bicubic").shape


def test_the_mean_of_an_area_is_taken() -> None:
    x = np.array([[1.0, 3.0], [5.0, 7.0]], np.float32).reshape(1, 2, 2, 1)

    assert [[4.0]] == rows(tf.image.resize(x, [1, 1], "area"))
    assert [[1.0, 1.5, 2.5, 3.0]] == rows(tf.image.resize(x, [1, 4]) - 2.0)


def test_nearest_keeps_the_dtype_and_the_others_are_floats() -> None:
    x = IMAGE.astype(np.uint8)

    assert tf.uint8 is tf.image.resize(x, [3, 3], "nearest").dtype
    assert tf.float32 is tf.image.resize(x, [3, 3], "lanczos3").dtype


def test_one_trace_resizes_from_and_to_any_size() -> None:
    fn = tf.function(
        lambda x, size: tf.image.resize(x, size),
        input_signature=[UNKNOWN, tf.TensorSpec([2], tf.int32)],
    )

    for size in ([2, 7], [9, 1]):
        expected = tf.image.resize(IMAGE, size)
        np.testing.assert_allclose(fn(IMAGE, size), expected, 1e-5)
    assert "Resize" not in str(fn.report())


def test_proportions_may_be_kept() -> None:
    assert [1, 8, 6, 2] == tf.image.resize(IMAGE, [8, 20], preserve_aspect_ratio=True).shape
    padded = tf.image.resize_with_pad(IMAGE, 8, 10, "nearest").numpy()
    assert [1, 8, 10, 2] == list(padded.shape)
    assert (padded[:, :, :2] == 0).all()
    assert (padded[:, :, 8:] == 0).all()


def test_images_are_cut_and_padded_in_the_middle() -> None:
    assert [[8.0], [14.0]] == rows(tf.image.resize_with_crop_or_pad(IMAGE, 2, 1))
    assert [[0.0, 6.0, 8.0, 10.0, 0.0]] == rows(tf.image.resize_with_crop_or_pad(IMAGE, 1, 5))
    assert [[8.0], [14.0]] == rows(tf.image.central_crop(IMAGE, 0.3))


def test_operations_put_corners_together_where_nothing_else_is_said() -> None:
    raw, images = tf.raw_ops, IMAGE[..., :1]
    for resized in (
        lambda **said: raw.ResizeNearestNeighborGrad(grads=images, size=[3, 2], **said),
        lambda **said: raw.ResizeNearestNeighbor(images=images, size=[3, 2], **said),
        lambda **said: raw.ResizeBilinear(images=images, size=[3, 2], **said),
        lambda **said: raw.ResizeBicubic(images=images, size=[3, 2], **said),
    ):
        assert rows(resized()) == rows(resized(half_pixel_centers=False))
        assert rows(resized()) != rows(resized(half_pixel_centers=True))


def test_neither_images_nor_channels_are_cut_or_padded() -> None:
    for height, width in ((2, 1), (6, 5), (3, 5)):
        made = tf.image.resize_with_crop_or_pad(np.repeat(IMAGE, 3, 0), height, width)
        assert [3, height, width, 2] == made.shape
        assert [height, width, 2] == tf.image.resize_with_crop_or_pad(IMAGE[0], height, width).shape


def test_what_was_padded_is_cut_out_again() -> None:
    def there_and_back(image: Any) -> Any:
        wide = tf.image.pad_to_bounding_box(image, 1, 2, 9, 8)
        return tf.image.crop_to_bounding_box(wide, 1, 2, 4, 3)

    for fn in (there_and_back, tf.function(there_and_back, input_signature=[UNKNOWN])):
        assert IMAGE.tolist() == fn(tf.constant(IMAGE)).numpy().tolist()


@pytest.mark.parametrize("turns", range(-1, 5))
def test_images_turn_counter_clockwise(turns: int) -> None:
    expected = np.rot90(IMAGE, turns, (1, 2)).tolist()

    assert expected == tf.image.rot90(IMAGE, turns).numpy().tolist()


def test_images_turn_by_numbers_known_at_run_time() -> None:
    fn = tf.function(lambda image, turns: tf.image.rot90(image, turns))

    for turns in range(-1, 4):
        expected = np.rot90(IMAGE, turns, (1, 2)).tolist()
        assert expected == fn(IMAGE, tf.constant(turns)).numpy().tolist()


def test_square_images_stay_square_by_any_turn() -> None:
    wanted = [tf.TensorSpec([3, 3, None], tf.uint8), tf.TensorSpec([], tf.int64)]
    turned = tf.function(tf.image.rot90).get_concrete_function(*wanted).output_shapes

    assert [3, 3, None] == turned.as_list()


def test_flips_are_their_own_inverses() -> None:
    for flip in (tf.image.flip_left_right, tf.image.flip_up_down, tf.image.transpose):
        assert IMAGE.tolist() == flip(flip(IMAGE)).numpy().tolist()


def test_dtypes_have_their_own_ranges() -> None:
    convert = tf.image.convert_image_dtype
    bytes_ = np.array([0, 51, 255], np.uint8)

    np.testing.assert_allclose(convert(bytes_, tf.float32), [0.0, 0.2, 1.0], 1e-6)
    assert [0, 51, 255] == convert(np.array([0.0, 0.2, 1.0], np.float32), tf.uint8).numpy().tolist()
    assert [0, 25, 127] == convert(bytes_, tf.int8).numpy().tolist()
    with pytest.raises(AttributeError, match="floating point or integer"):
        convert(bytes_, tf.complex64)


def test_colours_survive_the_way_to_hues_and_back() -> None:
    colours = np.random.default_rng(0).random((3, 4, 3)).astype(np.float32)

    back = tf.image.hsv_to_rgb(tf.image.rgb_to_hsv(colours))
    np.testing.assert_allclose(back, colours, 1e-5, 1e-6)
    np.testing.assert_allclose(tf.image.adjust_hue(colours, 1.0), colours, 1e-5, 1e-5)


def test_changed_colours_of_integers_are_no_step_too_dark() -> None:
    image = tf.reshape(tf.range(1, 19), [3, 2, 3])

    turned = tf.image.adjust_hue(image, 0.2).numpy().reshape(-1)
    least = [2, 1, 3, 5, 4, 6, 8, 7, 9, 11, 10, 12, 14, 13, 15, 17, 16, 18]  # TensorFlow's
    assert least == turned.tolist()


def test_edges_are_where_neighbours_differ() -> None:
    steps = np.zeros((1, 3, 5, 1), np.float32)
    steps[:, :, 3:] = 1.0

    edges = tf.image.sobel_edges(steps).numpy()
    assert [0.0] == np.unique(edges[..., 0]).tolist()
    assert [0.0, 0.0, 4.0, 4.0, 0.0] == edges[0, 1, :, 0, 1].tolist()


def test_patches_lie_side_by_side_in_the_channels() -> None:
    patches = tf.image.extract_patches(
        IMAGE, [1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 1, 1], "VALID"
    )  # fmt: skip

    assert IMAGE.reshape(1, 2, 1, 12).tolist() == patches.numpy().tolist()


def test_gradients_of_patches_count_in_how_many_an_element_is() -> None:
    def counted(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID")
        return tape.gradient(y, x)

    for fn in (counted, tf.function(counted)):
        assert [[1, 2, 1], [2, 4, 2], [2, 4, 2], [1, 2, 1]] == rows(fn(tf.constant(IMAGE)))


def test_images_are_compared() -> None:
    a, b = (np.random.default_rng(k).random((2, 16, 17, 3)).astype(np.float32) for k in (0, 1))

    # TensorFlow's results.
    np.testing.assert_allclose(tf.image.ssim(a, b, 1.0), [0.03361387, 0.0342665], 1e-4)
    np.testing.assert_allclose(tf.image.psnr(a, b, 1.0), [7.694935, 7.6849327], 1e-5)
    np.testing.assert_allclose(tf.image.ssim(a, a, 1.0), [1.0, 1.0], 1e-5)
    a, b = ((one * 255).astype(np.uint8) for one in (a, b))
    np.testing.assert_allclose(tf.image.ssim(a, b, 255), [0.03319579, 0.03397696], 1e-4)
    with pytest.raises(tf.errors.InvalidArgumentError, match="smaller than the filter"):
        tf.image.ssim(a[:, :5], b[:, :5], 1.0)


def test_sizes_in_a_list_may_be_floats() -> None:
    side = tf.constant(2.0)

    assert [2, 2] == tf.reshape(tf.range(4), (side, side)).shape
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32 is not in the list"):
        tf.reshape(tf.range(4), tf.stack([side, side]))


MISTAKES: list[tuple[str, Callable[[], Any]]] = [
    ("either 3 or 4", lambda: tf.image.resize(IMAGE[0, 0], [2, 2])),
    ("2 elements", lambda: tf.image.resize(IMAGE, [2, 2, 2])),
    ("not implemented: cubic", lambda: tf.image.resize(IMAGE, [2, 2], "cubic")),
    ("offset_width must be >= 0", lambda: tf.image.crop_to_bounding_box(IMAGE, 0, -1, 1, 1)),
    ("width must be >= target", lambda: tf.image.crop_to_bounding_box(IMAGE, 0, 0, 1, 4)),
    ("height must be <= target", lambda: tf.image.pad_to_bounding_box(IMAGE, 0, 0, 3, 9)),
    ("target_height must be > 0", lambda: tf.image.resize_with_pad(IMAGE, 0, 3)),
    ("central_fraction", lambda: tf.image.central_crop(IMAGE, 1.5)),
    ("images of 1 channel", lambda: tf.image.grayscale_to_rgb(IMAGE)),
    ("3 channels", lambda: tf.image.rgb_to_hsv(IMAGE)),
    ("are incompatible", lambda: tf.image.psnr(IMAGE, IMAGE[:, :2], 1.0)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "call"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_value_errors(words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_parts_are_checked_when_the_graph_runs() -> None:
    fn = tf.function(
        lambda x: tf.image.crop_to_bounding_box(x, 0, 0, 4, 3), input_signature=[UNKNOWN]
    )

    assert [1, 4, 3, 2] == fn(IMAGE).shape
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be >= target"):
        fn(IMAGE[:, :, :2])


@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["CONSTANT", "NEAREST", "WRAP", "REFLECT"])
@pytest.mark.parametrize("way", ["NEAREST", "BILINEAR"])
def test_images_without_pixels_show_what_fills_their_surroundings(way: str, mode: str) -> None:
    def seen(images: Any) -> Any:
        return tf.raw_ops.ImageProjectiveTransformV3(
            images=images, transforms=tf.constant([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]),
            output_shape=[2, 3], fill_value=7.0, interpolation=way, fill_mode=mode,
        )  # fmt: skip

    compiled = tf.function(seen, [tf.TensorSpec([None] * 4)], autograph=False)
    for shape in ([2, 0, 3, 1], [2, 3, 0, 1]):
        images = tf.zeros(shape)
        for run in (seen, compiled):
            np.testing.assert_array_equal(np.full([2, 2, 3, 1], 7.0), run(images))


@pytest.mark.parametrize("adjust", [tf.image.adjust_hue, tf.image.adjust_saturation])
def test_colours_are_adjusted_in_images_only(adjust: Any) -> None:
    unknown = tf.function(lambda x: adjust(x, 0.1), [tf.TensorSpec(None)], autograph=False)
    for shape in ([], [3], [2, 3]):
        for run in (lambda x: adjust(x, 0.1), unknown):
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"at least (3-D|rank 3)"):
                run(tf.ones(shape))

    assert [2, 1, 3] == unknown(tf.ones([2, 1, 3])).shape


@pytest.mark.parametrize("method", ["bilinear", "nearest", "bicubic", "area", "lanczos3"])
@pytest.mark.parametrize("side", [2**30, 2**31 - 1])
def test_more_pixels_than_memory_holds_are_refused_at_once(method: str, side: int) -> None:
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
        tf.image.resize(tf.ones([1, 2, 2, 1]), [side, side], method=method)


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["nearest", "bilinear", "bicubic", "area"])
@pytest.mark.parametrize("size", [[1, 4], [4, 1], [1, 1]])
def test_resizing_to_one_row_is_compiled_where_its_number_is_known(
    method: str, size: list[int]
) -> None:
    images = tf.reshape(tf.range(12.0), [2, 2, 3])

    def flat(x: Any) -> Any:
        return tf.reshape(tf.image.resize(x, size, method), [-1])

    np.testing.assert_allclose(flat(images), tf.function(flat)(images), rtol=1e-6)


PATCHES: dict[str, Any] = {
    "sizes": [1, 2, 2, 1],
    "strides": [1] * 4,
    "rates": [1] * 4,
    "padding": "VALID",
}


@pytest.mark.parametrize("name", ["sizes", "strides", "rates"])
@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([2, 2], tf.errors.InvalidArgumentError, "4 numbers are needed"),
        ([1, 2, 2, 1, 1], tf.errors.InvalidArgumentError, "4 numbers are needed"),
        ([2, 1, 1, 1], tf.errors.UnimplementedError, "across space"),
        ([1, 1, 1, 3], tf.errors.UnimplementedError, "across space"),
        ([1, 0, 1, 1], tf.errors.OutOfRangeError, "out of range"),
        (2, TypeError, "a list of integers, one for each axis"),
        (["a", 1, 1, 1], TypeError, "a list of integers, one for each axis"),
    ],
)
def test_patches_are_told_by_four_numbers(
    name: str, values: Any, error: type[Exception], message: str
) -> None:
    def patches(x: Any) -> Any:
        return tf.image.extract_patches(x, **{**PATCHES, name: values})

    for function in (patches, tf.function(patches)):
        with pytest.raises(error, match=message):
            function(tf.zeros([1, 4, 4, 1]))


@pytest.mark.parametrize("noise", ["uniform", "gaussian"])
def test_beyond_an_image_there_is_noise_of_its_numbers(noise: str) -> None:
    image = np.stack([IMAGE[0], IMAGE[0] + 100.0])
    fn = tf.function(
        lambda x: tf.image.extract_glimpse(x, [9, 9], [[5.0, 5.0], [5.0, 5.0]], noise=noise),
        input_signature=[UNKNOWN],
    )

    for found in (fn(image).numpy(), fn.python_function(tf.constant(image)).numpy()):
        assert (found >= image.min((1, 2, 3), keepdims=True)).all()
        assert (found <= image.max((1, 2, 3), keepdims=True)).all()
        assert len(np.unique(found)) > 100
    assert not np.array_equal(fn(image), fn(image))


def test_a_sampled_part_shows_enough_of_a_box() -> None:
    box = np.array([[[0.2, 0.3, 0.7, 0.8]]], np.float32)
    sample = tf.function(
        lambda: tf.image.sample_distorted_bounding_box([40, 60, 3], box, min_object_covered=0.5)
    )
    covered: list[float] = []
    for _ in range(20):
        _, _, part = sample()
        top, left, bottom, right = part.numpy()[0, 0]
        height, width = min(bottom, 0.7) - max(top, 0.2), min(right, 0.8) - max(left, 0.3)
        covered.append(height * width / 0.25)

    assert 0.49 <= min(covered)
    assert len(set(covered)) > 1
    assert "in Python" not in str(sample.report())


@pytest.mark.parametrize("sigma", [0.0, 0.5])
def test_many_boxes_are_chosen_natively_as_by_the_kernel(sigma: float) -> None:
    """Some scores are equal, some boxes cover nothing."""
    random = np.random.default_rng(5)
    boxes = random.random((400, 4), np.float32).round(2)
    scores = random.random(400, np.float32).round(2)
    numbers = (np.int32(90), *(np.float32(one) for one in (0.3, 0.1, sigma)))
    operands = [boxes, scores, *map(np.asarray, numbers)]

    hard = NonMaxSuppressionV3(*operands[:5]).evaluated(np)
    indices, values, count = NonMaxSuppressionV5(*operands).evaluated(np)
    found = tf.image.non_max_suppression_with_scores(
        boxes, scores, 90, iou_threshold=0.3, score_threshold=0.1, soft_nms_sigma=sigma
    )

    assert 90 >= int(count) > 20
    assert indices.tolist() == found[0].numpy().tolist()
    np.testing.assert_allclose(found[1], values, 1e-6)
    assert (
        hard.tolist() == tf.image.non_max_suppression(boxes, scores, 90, 0.3, 0.1).numpy().tolist()
    )


FITTED: dict[str, Callable[[Any], Any]] = {
    "crop_or_pad": lambda x: tf.image.resize_with_crop_or_pad(x, 4, tf.constant(9)),
    "pad": lambda x: tf.image.pad_to_bounding_box(x, 0, 2, 4, 9),
    "with_pad": lambda x: tf.image.resize_with_pad(x, 4, 9),
}


@pytest.mark.parametrize("name", FITTED)
def test_the_size_that_was_asked_for_is_known_of_images_of_any_size(name: str) -> None:
    for given, known in (
        ([None, None, 3], [4, 9, 3]),
        ([None, None, None, 3], [None, 4, 9, 3]),
        (None, [4, 9, None]),
    ):
        traced = tf.function(FITTED[name]).get_concrete_function(tf.TensorSpec(given))
        assert known == traced.output_shapes.as_list()


@pytest.mark.parametrize("name", FITTED)
def test_an_image_of_unknown_rank_is_a_single_one(name: str) -> None:
    fitted = tf.function(FITTED[name], input_signature=[tf.TensorSpec(None)])

    np.testing.assert_array_equal(FITTED[name](IMAGE[0]), fitted(IMAGE[0]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        fitted(IMAGE)


@pytest.mark.parametrize(
    "turn", [tf.image.flip_left_right, tf.image.flip_up_down, tf.image.rot90, tf.image.transpose]
)
@pytest.mark.parametrize("image", [IMAGE, IMAGE[0], IMAGE[:0]], ids=["batch", "one", "none"])
def test_images_of_unknown_rank_are_turned(turn: Any, image: Any) -> None:
    turned = tf.function(turn, input_signature=[tf.TensorSpec(None)])

    np.testing.assert_array_equal(turn(image), turned(image))


def test_colours_have_three_channels() -> None:
    for function in (tf.image.rgb_to_hsv, tf.image.hsv_to_rgb, tf.image.grayscale_to_rgb):
        traced = tf.function(function).get_concrete_function(tf.TensorSpec([None, 2, None]))
        assert [None, 2, 3] == traced.output_shapes.as_list()
