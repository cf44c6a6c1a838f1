"""Changed files of pictures and sound are read: nothing crashes, hangs, lies or takes much memory.

Whatever is wrong with a file is an error of TensorFlow's classes. Each file is decoded twice, so
that memory which nobody has written shows.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tensormill as tf
from tests.pictures import HERE, held

from .confined import Outcome, Phases, run
from .mutations import bytes_changed

Random = random.Random

BATCH = 20  # files that one process reads
# A header may promise 2^29 elements: memory is taken for what a file holds (28,400 took less).
MOST_GROWTH = 256 << 20


def sound() -> bytes:
    samples = np.linspace(-1, 1, 60, dtype=np.float32).reshape(30, 2)
    return tf.audio.encode_wav(samples, 8000).numpy()


def files() -> dict[str, bytes]:
    names = sorted(path.name for path in HERE.iterdir() if path.suffix not in (".py", ""))
    return {name: held(name) for name in names} | {"sound.wav": sound()}


def changed(data: bytes, rng: Random) -> bytes:
    """Other bytes, above all near the beginning, where headers are; checksums that fit."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        if rng.random() < 0.4 and len(data) > 40:
            place, size = rng.randrange(40), rng.choice((1, 2, 4))
            number = rng.choice((0, 1, 0xFF, 0x7F, rng.randrange(256)))
            data = data[:place] + bytes([number]) * size + data[place + size :]
        else:
            data = bytes_changed(data, rng)
    return with_checksums(data) if rng.random() < 0.8 else data


def with_checksums(data: bytes) -> bytes:
    """A PNG file whose chunks have the right ones."""
    if not data.startswith(b"\x89PNG"):
        return data
    place, made = 8, bytearray(data[:8])
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        end = place + 8 + length
        if end + 4 > len(data):
            break
        made += data[place:end] + struct.pack(">I", zlib.crc32(data[place + 4 : end]))
        place = end + 4
    return bytes(made + data[place:])


def uses(rng: Random) -> Callable[[bytes], Any]:
    """One of the functions that read files, with any arguments."""
    channels, ratio = rng.choice((0, 0, 1, 3, 4)), rng.choice((1, 1, 2, 4, 8))
    recovers, part = rng.random() < 0.3, rng.choice((1.0, 1.0, 0.5, 0.01))
    window = [rng.randrange(6) for _ in range(2)] + [rng.randrange(1, 9) for _ in range(2)]
    io: Any = tf.io
    jpeg = {
        "channels": channels, "ratio": ratio, "fancy_upscaling": rng.random() < 0.5,
        "try_recover_truncated": recovers, "acceptable_fraction": part,
    }  # fmt: skip
    return rng.choice(
        [
            lambda data: io.decode_image(data),
            lambda data: io.decode_image(data, channels, rng.choice((tf.uint8, tf.float32))),
            lambda data: io.decode_image(data, channels, expand_animations=False),
            lambda data: io.decode_jpeg(data, **jpeg),
            lambda data: io.decode_and_crop_jpeg(data, window, **jpeg),
            lambda data: io.decode_png(data, channels, tf.uint16),
            lambda data: io.decode_gif(data),
            lambda data: io.decode_bmp(data, channels),
            lambda data: io.decode_webp(data, channels),
            lambda data: io.extract_jpeg_shape(data),
        ]
    )


def use(number: int, seed: int, kept: dict[str, bytes]) -> None:
    """Read one changed file.

    Raises:
        ValueError: two readings differ.
    """
    rng = Random(f"{seed} {number}")
    name = rng.choice(sorted(kept))
    data, read = changed(kept[name], rng), uses(rng)
    if name == "sound.wav":
        read = lambda data: tf.audio.decode_wav(data, rng.choice((-1, 3)))[0]  # noqa: E731
    state = rng.getstate()
    try:
        first = read(data).numpy()
    except tf.errors.OpError:
        return
    rng.setstate(state)
    dirt = [np.full(first.nbytes + 64, 0xA5, np.uint8) for _ in range(3)]
    del dirt  # its memory is taken again
    if not np.array_equal(first, read(data).numpy(), equal_nan=first.dtype.kind == "f"):
        raise ValueError(f"{name}: two readings of a file differ")


def read_alone(numbers: Sequence[int], seed: int, kept: dict[str, bytes]) -> Outcome:
    def work(phases: Phases) -> str:
        phases.begin("load")
        for number in numbers:
            use(number, seed, kept)
        return ""

    return run(work, [])


def complaint(outcome: Outcome) -> str | None:
    if outcome.touched:
        return f"touches {outcome.touched}"
    if outcome.kind != "result":
        return f"{outcome.kind} {outcome.error} {outcome.innermost}: {outcome.message[:300]}"
    if outcome.growth > MOST_GROWTH:
        return f"takes {outcome.growth >> 20} MiB"
    return None


def attack(count: int, seed: int) -> list[str]:
    """Change and read `count` files."""
    kept = files()
    for number in range(2 * len(kept)):  # what is imported first may take memory
        use(number, seed, kept)
    found: list[str] = []
    for begin in range(0, count, BATCH):
        numbers = range(begin, min(begin + BATCH, count))
        if complaint(read_alone(numbers, seed, kept)) is None:
            continue
        for number in numbers:
            if told := complaint(read_alone([number], seed, kept)):
                found.append(f"number {number}: {told}")
    return found
