"""Calls that read and write pictures and sound, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...pictures import HERE, file, held, scalar
from .call import Call

NAMES = sorted(path.name for path in HERE.iterdir() if path.suffix not in (".py", ""))
SMOOTH = np.stack(
    [127 + 90 * np.sin(np.add.outer(np.arange(11), k * np.arange(14)) / 5) for k in range(3)], -1
).astype(np.uint8)
DEEP = SMOOTH.astype(np.uint16) * 253 + 7
TALL = held("tall.jpg")
SOUND = np.linspace(-1.2, 1.2, 30, dtype=np.float32).reshape(15, 2)


def image(**arguments: Any) -> Callable[..., Any]:
    return lambda tf, data: tf.io.decode_image(data, **arguments)


def jpeg(**arguments: Any) -> Callable[..., Any]:
    return lambda tf, data: tf.io.decode_jpeg(data, **arguments)


def as_file(**arguments: Any) -> Callable[..., Any]:
    """The pixels and the shape after being a JPEG file."""

    def call(tf: Any, pixels: Any) -> Any:
        data = tf.io.encode_jpeg(pixels, **arguments)
        return [tf.io.decode_jpeg(data), tf.io.extract_jpeg_shape(data)]

    return call


def png(**arguments: Any) -> Callable[..., Any]:
    return lambda tf, data: tf.io.decode_png(data, **arguments)


def png_of(kind: str) -> Callable[..., Any]:
    return lambda tf, data: tf.io.decode_png(data, dtype=getattr(tf, kind))


CALLS: dict[str, Call] = {
    **{f"decode_image of {name}": (image(), [file(name)]) for name in NAMES},
    **{
        f"decode_jpeg of {name}, {key}={value}": (jpeg(**{key: value}), [file(name)])
        for name in ("half_chroma.jpg", "progressive.jpg", "tiny.jpg", "grey.jpg", "inks.jpg")
        for key, value in (
            ("ratio", 2), ("ratio", 8), ("fancy_upscaling", False), ("channels", 1),
            ("channels", 3), ("dct_method", "INTEGER_ACCURATE"),
        )
    },
    **{
        f"decode_jpeg of half_chroma.jpg, {key}={value!r}": (
            jpeg(**{key: value}), [file("half_chroma.jpg")],
        )
        for key, value in (
            ("ratio", 3), ("channels", 4), ("channels", 2), ("dct_method", "FLOAT"),
        )
    },
    **{
        f"decode_jpeg of a truncated file, {arguments}": (
            jpeg(**arguments), [scalar(TALL[: len(TALL) * 2 // 3])],
        )
        for arguments in ({}, {"acceptable_fraction": 0.3}, {"acceptable_fraction": 0.9})
    },
    "decode_jpeg without an end": (jpeg(), [scalar(TALL[:-2])]),
    "decode_jpeg of nothing": (jpeg(), [scalar(b"")]),
    "decode_jpeg of a word": (jpeg(), [scalar(b"picture")]),
    "decode_jpeg of a header": (jpeg(), [scalar(TALL[:100])]),
    "decode_jpeg of a GIF": (jpeg(), [file("one.gif")]),
    "decode_jpeg of an animation": (jpeg(), [file("three.gif")]),
    "decode_jpeg of a BMP": (jpeg(), [file("colors.bmp")]),
    **{
        f"decode_and_crop_jpeg {window}": (
            lambda tf, data, window: tf.io.decode_and_crop_jpeg(data, window, ratio=2),
            [scalar(TALL), np.array(window, np.int32)],
        )
        for window in ([0, 0, 20, 7], [3, 1, 4, 5], [0, 0, 21, 7], [-1, 0, 2, 2], [2, 2, 0, 1])
    },
    **{
        f"decode_png of {name}, {key}={value}": (png(**{key: value}), [file(name)])
        for name in NAMES if name.endswith(".png")
        for key, value in (("channels", 1), ("channels", 3), ("channels", 4))
    },
    **{
        f"decode_png of {name} as {kind}": (png_of(kind), [file(name)])
        for name in NAMES if name.endswith(".png")
        for kind in ("uint16",)
    },
    "decode_png of a JPEG as uint16": (png_of("uint16"), [file("grey.jpg")]),
    "decode_png of half a file": (png(), [scalar(held("colors_8.png")[:80])]),
    "decode_png of a wrong checksum": (
        png(), [scalar(held("colors_8.png").replace(b"IDAT", b"IDAU", 1))],
    ),
    **{
        f"decode_image of {name} as {kind}": (
            lambda tf, data, kind=kind: tf.io.decode_image(data, dtype=getattr(tf, kind)),
            [file(name)],
        )
        for name in ("half_chroma.jpg", "colors_8.png", "colors_16.png", "three.gif", "colors.bmp")
        for kind in ("float32", "uint16", "float64", "int32", "float16")
    },
    **{
        f"decode_image of {name}, one picture": (image(expand_animations=False), [file(name)])
        for name in ("three.gif", "partial.gif", "two.webp", "grey.jpg")
    },
    "decode_image of WebP as floats": (
        lambda tf, data: tf.io.decode_image(data, dtype=tf.float32), [file("colors.webp")],
    ),
    "decode_image of GIF, channels=1": (image(channels=1), [file("one.gif")]),
    "decode_image of WebP, channels=4": (image(channels=4), [file("colors.webp")]),
    "decode_bmp, channels=3": (
        lambda tf, data: tf.io.decode_bmp(data, channels=3), [file("grey.bmp")],
    ),
    "decode_bmp, channels=1": (
        lambda tf, data: tf.io.decode_bmp(data, channels=1), [file("grey.bmp")],
    ),
    "decode_bmp of a longer file": (
        lambda tf, data: tf.io.decode_bmp(data), [scalar(held("grey.bmp") + b"abc")],
    ),
    "decode_gif of half a file": (
        lambda tf, data: tf.io.decode_gif(data), [scalar(held("one.gif")[:45])],
    ),
    "decode_gif of some pictures": (
        lambda tf, data: tf.io.decode_gif(data), [scalar(held("three.gif")[:80])],
    ),
    "decode_webp of half a file": (
        lambda tf, data: tf.io.decode_webp(data), [scalar(held("colors.webp")[:50])],
    ),
    "is_jpeg": (
        lambda tf, data: [tf.io.is_jpeg(data), tf.io.is_jpeg([b"\xff\xd8", b"\xff\xd8\xffabc"])],
        [file("grey.jpg")],
    ),
    "extract_jpeg_shape of inks": (
        lambda tf, data: tf.io.extract_jpeg_shape(data, tf.int64), [file("inks.jpg")],
    ),
    "extract_jpeg_shape of a header": (
        lambda tf, data: tf.io.extract_jpeg_shape(data), [scalar(TALL[:100])],
    ),
    **{
        f"encode_jpeg, {arguments}": (as_file(**arguments), [SMOOTH])
        for arguments in (
            {}, {"quality": 30}, {"quality": 0}, {"chroma_downsampling": False}, {"format": "rgb"},
            {"progressive": True}, {"optimize_size": True, "quality": 60}, {"quality": 101},
            {"format": "grayscale"}, {"format": "bgr"},
        )
    },
    "encode_jpeg of grey": (as_file(format="grayscale"), [SMOOTH[..., :1]]),
    "encode_jpeg of two channels": (as_file(), [SMOOTH[..., :2]]),
    "encode_png": (
        lambda tf, x: tf.io.decode_png(tf.io.encode_png(x, compression=9)), [SMOOTH],
    ),
    "encode_png of 16 bits": (
        lambda tf, x: tf.io.decode_png(tf.io.encode_png(x), dtype=tf.uint16), [DEEP],
    ),
    "encode_png of no such compression": (
        lambda tf, x: tf.io.encode_png(x, compression=10), [SMOOTH],
    ),
    **{
        f"adjust_jpeg_quality of {kind}, {quality}": (
            lambda tf, x, quality=quality: tf.image.adjust_jpeg_quality(x, quality),
            [pixels],
        )
        for kind, pixels in (
            ("bytes", SMOOTH), ("uint16", DEEP), ("floats", SMOOTH.astype(np.float32) / 255),
        )
        for quality in (95, 10, 101)
    },
    "stateless_random_jpeg_quality": (
        lambda tf, x: [
            tf.image.stateless_random_jpeg_quality(x, 5, 60, seed=(seed, 3)) for seed in range(3)
        ],
        [SMOOTH],
    ),
    "random_jpeg_quality without a range": (
        lambda tf, x: tf.image.random_jpeg_quality(x, 50, 50), [SMOOTH],
    ),
    "encode_wav": (lambda tf, x: tf.audio.encode_wav(x, 16000), [SOUND]),
    "encode_wav of no rate": (lambda tf, x: tf.audio.encode_wav(x, 0), [SOUND]),
    "encode_wav of no channels": (lambda tf, x: tf.audio.encode_wav(x[:, :0], 8), [SOUND]),
    **{
        f"decode_wav, {arguments}": (
            lambda tf, x, arguments=arguments: [
                *tf.audio.decode_wav(tf.audio.encode_wav(x, 44100), **arguments)
            ],
            [SOUND],
        )
        for arguments in (
            {}, {"desired_channels": 1}, {"desired_channels": 4, "desired_samples": 20},
            {"desired_samples": 3}, {"desired_channels": 0}, {"desired_samples": -2},
        )
    },
    "decode_wav of a word": (lambda tf, x: [*tf.audio.decode_wav(x)], [scalar(b"RIFX....")]),
}  # fmt: skip

# Compiled functions call the same decoders: some of each are enough.
COMPILED = [
    name for name in CALLS
    if not name.startswith(("decode_png of", "decode_jpeg of"))
    or name.endswith(("ratio=2", "grey_8.png as uint16"))
]  # fmt: skip
