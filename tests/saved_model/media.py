"""Programs that read and write pictures and sound: `programs.py` has them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..pictures import file
from .resources import Call, Program


def pictures(tf: Any) -> Program:
    """Files decoded with all attributes, and pictures that were files."""
    data = tf.TensorSpec([], tf.string)

    class Pictures(tf.Module):
        @tf.function(input_signature=[data])
        def jpeg(self, data: Any) -> Any:
            window = tf.io.decode_and_crop_jpeg(data, [1, 2, 3, 3], acceptable_fraction=0.5)
            half = tf.io.decode_jpeg(data, 1, ratio=2, dct_method="INTEGER_ACCURATE")
            return window, half, tf.io.extract_jpeg_shape(data, tf.int64), tf.io.is_jpeg(data)

        @tf.function(input_signature=[data])
        def any(self, data: Any) -> Any:
            first = tf.io.decode_image(data, 3, tf.float32, expand_animations=False)
            return first, tf.io.decode_image(data)

        @tf.function(input_signature=[data, data, data])
        def others(self, png: Any, gif: Any, webp: Any) -> Any:
            deep = tf.io.decode_png(png, dtype=tf.uint16)
            again = tf.io.decode_png(tf.io.encode_png(deep), 1)
            return deep, again, tf.io.decode_gif(gif), tf.io.decode_webp(webp)

        @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
        def worse(self, image: Any) -> Any:
            data = tf.io.encode_jpeg(image, quality=60, density_unit="cm", xmp_metadata="<x/>")
            return tf.image.adjust_jpeg_quality(image, 50), tf.io.decode_jpeg(data)

    return Pictures(), None


def sounds(tf: Any) -> Program:
    """Sound as a file, and its spectra."""

    class Sounds(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def heard(self, samples: Any) -> Any:
            audio, rate = tf.audio.decode_wav(
                tf.audio.encode_wav(samples, 8000), desired_samples=70
            )
            energy = tf.raw_ops.AudioSpectrogram(
                input=audio, window_size=32, stride=8, magnitude_squared=True
            )
            return audio, rate, energy

    return Sounds(), None


PROGRAMS: tuple[Callable[[Any], Program], ...] = (pictures, sounds)
IMAGE = np.stack([np.add.outer(np.arange(9), k * np.arange(11)) * 9 for k in range(3)], -1)
SAMPLES = np.sin(np.arange(120, dtype=np.float32) / 3).reshape(60, 2)

CALLS: dict[str, list[Call]] = {
    "pictures": [
        ("jpeg", (file("half_chroma.jpg"),), {}),
        ("any", (file("colors_8.png"),), {}),
        ("any", (file("three.gif"),), {}),
        ("any", (file("colors.bmp"),), {}),
        ("others", (file("colors_16.png"), file("three.gif"), file("two.webp")), {}),
        ("worse", (IMAGE.astype(np.uint8),), {}),
    ],
    "sounds": [("heard", (SAMPLES,), {})],
}
