"""Sizes that tracing knows of operands of which it does not know all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.behaviours.library import tf

ANY = [None, None, None]
IMAGES = [None, None, None, 3]

Case = tuple[list[Any], Callable[..., Any], list[list[int | None]]]

KNOWN: dict[str, Case] = {
    "crop_and_resize": (
        [IMAGES, [None, 4]],
        lambda x, boxes: [tf.image.crop_and_resize(x, boxes, [0, 1], [3, 4])],
        [[2, 3, 4, 3]],
    ),
    "ctc": (
        [ANY],
        lambda x: [
            tf.nn.ctc_greedy_decoder(x, [5, 5])[1],
            tf.nn.ctc_beam_search_decoder(x, [5, 5], top_paths=2)[1],
        ],
        [[2, 1], [2, 2]],
    ),
    "decode_raw": (
        [[None]],
        lambda x: [tf.io.decode_raw(tf.strings.as_string(x), tf.uint16, fixed_length=8)],
        [[None, 4]],
    ),
    "lstsq": (
        [[None, 3], [None, 2]],
        lambda a, b: [tf.linalg.lstsq(a, b)],
        [[3, 2]],
    ),
    "pad": (
        [[None, 3, 4]],
        lambda x: [
            tf.pad(x, [[0, 9 - tf.shape(x)[0]], [1, 1], [2, 0]]),
            tf.pad(x, [tf.constant([0, 2]), [1, tf.shape(x)[0]], (2, 0)], "SYMMETRIC"),
        ],
        [[None, 5, 6], [None, None, 6]],
    ),
    "repeat": (
        [[None, 3, 4]],
        lambda x: [tf.repeat(x, [1, 0, 3], axis=1)],
        [[None, 4, 4]],
    ),
    "resize_with_crop_or_pad": (
        [IMAGES],
        lambda x: [tf.image.resize_with_crop_or_pad(x, 4, 9)],
        [[None, 4, 9, 3]],
    ),
    "solve": (
        [[None, 3], [None, 2]],
        lambda a, b: [tf.linalg.solve(a, b)],
        [[3, 2]],
    ),
    "split": (
        [[None, 3, 4]],
        lambda x: tf.split(x, tf.stack([tf.shape(x)[0]] * 2), axis=2, num=2),
        [[None, 3, None]] * 2,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_of_one_axis_does_not_wait_for_another(name: str) -> None:
    shapes, function, known = KNOWN[name]
    traced = tf.function(function).get_concrete_function(*map(tf.TensorSpec, shapes))

    assert known == [shape.as_list() for shape in traced.output_shapes]


def test_padding_is_computed_of_margins_that_are_partly_known() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def padded(x: Any) -> Any:
        return tf.pad(x, [[0, 3 - tf.shape(x)[0]], [0, 1]], constant_values=7.0)

    assert [[1.0, 1.0, 7.0], [7.0] * 3, [7.0] * 3] == padded(tf.ones([1, 2])).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError):
        padded(tf.ones([4, 2]))
