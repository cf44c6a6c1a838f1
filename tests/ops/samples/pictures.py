"""Samples of files of pictures and sound."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...pictures import file, scalar
from .sample import Table, case, f32, i32, spread


def sound(coding: int = 1, bits: int = 16) -> Any:
    """A WAV file of three samples of two channels."""
    numbers = np.array([[1, -2], [300, -400], [32767, -32768]], "<i2").tobytes()
    header = b"RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00"
    header += np.array([coding, 2], "<u2").tobytes() + np.array([800, 3200], "<u4").tobytes()
    header += np.array([4, bits], "<u2").tobytes() + b"LIST\x02\x00\x00\x00ab"
    return scalar(header + b"data" + len(numbers).to_bytes(4, "little") + numbers)


HALF, GREY, BMP = file("half_chroma.jpg"), file("grey.jpg"), file("colors.bmp")
COLORS, DEEP = file("colors_8.png"), file("colors_16.png")
WAVE = np.sin(np.arange(40, dtype=np.float32) * 0.7)[:, None] * f32(1, 2)

SAMPLES: Table = {
    "DecodeJpeg": [
        case(HALF), case(GREY, channels=3), case(HALF, ratio=4, channels=1), case(COLORS),
    ],
    "DecodeAndCropJpeg": [case(HALF, i32(3, 2, 4, 5)), case(HALF, i32(1, 1, 3, 2), ratio=2)],
    "DecodePng": [case(COLORS), case(DEEP, dtype="u16"), case(COLORS, channels=1), case(HALF)],
    "DecodeBmp": [case(BMP), case(BMP, channels=4)],
    "DecodeGif": [case(file("three.gif")), case(GREY)],
    "DecodeWebP": [case(file("colors_alpha.webp"))],
    "DecodeJxl": [case(COLORS)],
    "DecodeImage": [
        case(HALF), case(COLORS, dtype="f32"), case(file("three.gif")), case(DEEP, dtype="u16"),
        case(file("three.gif"), expand_animations=False), case(BMP, dtype="f32", channels=3),
    ],
    "ExtractJpegShape": [case(HALF), case(GREY, output_type="i64")],
    "DecodeWav": [case(sound()), case(sound(), desired_channels=3, desired_samples=2)],
    "AudioSpectrogram": [
        case(WAVE, window_size=10, stride=7, tolerance=2e-6),
        case(WAVE, window_size=9, stride=4, magnitude_squared=True, tolerance=1e-5),
    ],
    "Mfcc": [
        case(spread((2, 3, 33), 0.5, 9.0).astype(np.float32), np.int32(16000),
             filterbank_channel_count=8, dct_coefficient_count=5),
    ],
    "AudioSummaryV2": [
        case(scalar(b"a/b"), WAVE.reshape(2, 20, 2), np.float32(800.5)),
        case(scalar(b"a"), WAVE.reshape(4, 20), np.float32(800), max_outputs=1),
        case(scalar(b"a"), WAVE.reshape(4, 20), np.float32(800)),
        case(scalar(b""), WAVE.reshape(4, 20)[:0], np.float32(800)),
    ],
    "EncodeWav": [
        case(f32([0.5, -0.5], [1.5, -2]), np.int32(800), expected=scalar(
            b"RIFF,\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x20\x03\x00\x00\x80\x0c\x00"
            b"\x00\x04\x00\x10\x00data\x08\x00\x00\x00\x00\x40\x00\xc0\xff\x7f\x00\x80"
        )),
    ],
}  # fmt: skip
