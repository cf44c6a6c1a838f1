"""Files of pictures: what recorded values do not show."""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.image.files import jpeg, png
from tests.pictures import HERE, held

FILES = sorted(path.name for path in HERE.iterdir() if path.suffix not in (".py", ""))
FILE = tf.TensorSpec([], tf.string)


@pytest.mark.parametrize(
    ("decode", "shape"),
    [
        (lambda data: tf.io.decode_jpeg(data), (None, None, None)),
        (lambda data: tf.io.decode_png(data, 3), (None, None, 3)),
        (lambda data: tf.io.decode_bmp(data, 4), (None, None, 4)),
        (lambda data: tf.io.decode_gif(data), (None, None, None, 3)),
        (lambda data: tf.io.decode_webp(data), (None, None, None, None)),
        (lambda data: tf.io.decode_image(data, 3, expand_animations=False), (None, None, 3)),
        (lambda data: tf.io.decode_and_crop_jpeg(data, [0, 1, 2, 3], 1), (2, 3, 1)),
        (lambda data: tf.io.extract_jpeg_shape(data), (3,)),
        (lambda data: tf.io.encode_png(tf.io.decode_gif(data)), (None,)),
        (lambda data: tf.audio.decode_wav(data, 2, 5).audio, (5, 2)),
        (lambda data: tf.audio.decode_wav(data)[0], (None, None)),
    ],
)
def test_traces_know_as_much_of_the_shape_as_tensorflows(
    decode: Callable[..., Any], shape: tuple[int | None, ...]
) -> None:
    trace = tf.function(decode, autograph=False).get_concrete_function(FILE)

    assert shape == tuple(trace.structured_outputs.shape)


def test_the_rank_of_a_picture_of_any_format_is_unknown() -> None:
    trace = tf.function(tf.io.decode_image, autograph=False).get_concrete_function(FILE)

    assert trace.structured_outputs.shape.rank is None


def test_one_trace_reads_files_of_both_ranks() -> None:
    total = tf.function(lambda data: tf.reduce_sum(tf.cast(tf.io.decode_image(data), tf.int32)))

    for name in ("three.gif", "colors_8.png"):
        assert tf.io.decode_image(held(name)).numpy().sum(dtype=int) == total(
            tf.constant(held(name))
        )
    assert total.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("missing", ["simplejpeg", "PIL"])
def test_what_lacks_its_library_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    for module in [missing, *(one for one in sys.modules if one.startswith(f"{missing}."))]:
        monkeypatch.setitem(sys.modules, module, None)
    name = {"simplejpeg": "grey.jpg", "PIL": "colors_8.png"}[missing]

    with pytest.raises(ImportError, match=rf"{missing}.*pip install 'tensormill\[image\]'"):
        tf.io.decode_image(held(name))
    # These need none.
    tf.io.decode_bmp(held("colors.bmp"))
    tf.io.encode_png(np.zeros([2, 2, 3], np.uint8))
    tf.io.extract_jpeg_shape(held("grey.jpg"))


def png_of(width: int, height: int, packed: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", packed), (b"IEND", b"")]
    return png.SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
        for tag, data in chunks
    )


def jpeg_of(height: int, width: int) -> bytes:
    data = held("grey.jpg")
    at = jpeg.frame_of(data).at + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def gif_of(width: int, height: int) -> bytes:
    data = bytearray(held("one.gif"))
    at = data.index(b",", 13 + 24)
    data[at + 5 : at + 9] = struct.pack("<HH", width, height)
    return bytes(data)


def bmp_of(width: int, height: int) -> bytes:
    data = held("colors.bmp")
    return data[:18] + struct.pack("<ii", width, height) + data[26:]


@pytest.mark.parametrize(
    "data",
    [
        png_of(1 << 20, 1 << 20), png_of((1 << 31) - 1, 1), png_of(20_000, 20_000, b"few"),
        jpeg_of(65_500, 65_500), jpeg_of(23_171, 23_170), gif_of(60_000, 60_000),
        gif_of(20_000, 20_000), bmp_of(1 << 30, 1 << 30), bmp_of(-5, 5), bmp_of(5, -(1 << 31)),
        jpeg_of(0, 5), png_of(0, 5), gif_of(0, 5), bmp_of(0, 5),
    ],
)  # fmt: skip
def test_a_small_file_that_claims_to_be_huge_or_nothing_is_refused(data: bytes) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"too large|too few|Invalid"):
        tf.io.decode_image(data)


def test_a_gif_of_many_large_frames_is_refused() -> None:
    one = held("one.gif")
    frame = one[one.index(b",", 13 + 24) : -1]
    large = gif_of(8_000, 8_000)

    with pytest.raises(tf.errors.InvalidArgumentError, match="8000 x 8000 x 3 x 101"):
        tf.io.decode_gif(large[:-1] + 100 * frame + b";")


def test_a_gif_whose_later_frame_is_damaged_ends_before_it() -> None:
    data = held("three.gif")
    whole = tf.io.decode_gif(data).numpy()

    cut = data[:-20] + b"\0;"  # the last frame has an end, but too few pixels

    np.testing.assert_array_equal(whole[:2], tf.io.decode_gif(cut))


def test_a_png_file_that_lacks_rows_is_refused() -> None:
    row = b"\0" + bytes(range(1, 13))

    assert (2, 4, 3) == tf.io.decode_png(png_of(4, 2, zlib.compress(2 * row))).shape
    assert not tf.io.decode_png(png_of(4, 2, zlib.compress(row + bytes(13)))).numpy()[1].any()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"26 bytes are needed.* there are 13"):
        tf.io.decode_png(png_of(4, 2, zlib.compress(row)))


def test_a_png_file_with_a_chunk_without_a_name_is_refused() -> None:
    data = held("colors_8.png")
    chunk = b"\0\0\0\0s(A)" + struct.pack(">I", zlib.crc32(b"s(A)"))

    with pytest.raises(tf.errors.InvalidArgumentError, match="is no name of a chunk"):
        tf.io.decode_png(data[:33] + chunk + data[33:])


def test_functions_of_webp_files_read_no_gif_file() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="DecodeWebP does not decode GIF"):
        tf.io.decode_webp(held("one.gif"))


def test_rows_of_a_truncated_jpeg_file_are_counted_in_full_size() -> None:
    """Of an eighth, each block has one number, which may be what it was by chance."""

    def rows(end: int, ratio: int) -> int:
        data = held("tall.jpg")[:end]
        try:
            picture = tf.io.decode_jpeg(data, 0, ratio, False, acceptable_fraction=0.01)
        except tf.errors.InvalidArgumentError:
            return 0
        return int(picture.numpy().any((1, 2)).sum())

    for end in range(330, 470, 3):
        assert rows(end, 1) // 8 == rows(end, 8)


def test_a_jpeg_file_that_ends_in_half_a_marker_has_all_its_rows() -> None:
    data = held("tall.jpg")

    picture = tf.io.decode_jpeg(data[:-1], acceptable_fraction=0.9)

    np.testing.assert_array_equal(tf.io.decode_jpeg(data), picture)


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_anywhere_is_read_or_refused(name: str) -> None:
    data = held(name)
    for end in range(0, len(data), max(1, len(data) // 25)):
        try:
            tf.io.decode_image(data[:end])
        except tf.errors.InvalidArgumentError:
            continue


def test_no_memory_of_others_shows_where_a_jpeg_file_is_wrong() -> None:
    """The decoder warns of extraneous bytes, then stops: that it did, it does not say."""
    data = held("progressive.jpg")
    scans = [k for k in range(len(data)) if data[k : k + 2] == b"\xff\xda"]
    wrong = bytearray(data)
    wrong[scans[2] + 6] = 0x33  # a table that is not there
    wrong[scans[1] - 2 : scans[1] - 2] = b"\x12\x34\x56"

    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid JPEG data"):
        tf.io.decode_jpeg(bytes(wrong))


def test_rare_sampling_of_colors_is_read_in_full_size() -> None:
    data = bytearray(held("full_chroma.jpg"))
    at = jpeg.frame_of(bytes(data)).at
    data[at + 11] = 0x31  # three pixels of brightness for one of color: 3 x 1 blocks are one
    rare = bytes(data)

    assert tf.io.decode_jpeg(rare, 1).shape == [18, 13, 1]
    assert tf.io.decode_image(rare).shape == [18, 13, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="sampled in a rare way"):
        tf.io.decode_jpeg(rare, ratio=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid JPEG data"):
        tf.io.decode_jpeg(rare[:-40])
    assert tf.io.decode_jpeg(rare[:-40], try_recover_truncated=True).shape == [18, 13, 3]


def test_what_a_truncated_file_lacks_is_filled_on_demand() -> None:
    data = held("tall.jpg")
    whole = tf.io.decode_jpeg(data).numpy()
    found = tf.io.decode_jpeg(data[:420], try_recover_truncated=True).numpy()
    equal = (found == whole).all((1, 2))

    assert found.shape == whole.shape
    assert equal[0]
    assert not equal[-1]


def test_jpeg_xl_is_told_in_one_sentence() -> None:
    with pytest.raises(tf.errors.UnimplementedError, match="save the picture as PNG or WebP"):
        tf.io.decode_image(b"\xff\x0a" + bytes(20))


def test_what_a_jpeg_file_says_of_itself() -> None:
    image = np.zeros([8, 8, 3], np.uint8)
    file = tf.io.encode_jpeg(
        image, density_unit="cm", x_density=77, y_density=66, xmp_metadata="<x/>", progressive=True
    ).numpy()

    expected = b"\x02\x00\x4d\x00\x42\x00\x00\xff\xe1\x00\x23http://ns.adobe.com/xap/1.0/\x00<x/>"
    assert expected == file[13 : 13 + len(expected)]
    assert jpeg.frame_of(file).progressive
    assert file[13:18] != tf.io.encode_jpeg(image).numpy()[13:18] == b"\x01\x01\x2c\x01\x2c"


def test_the_samples_of_a_grey_jpeg_file_are_one_by_one() -> None:
    frame = tf.io.encode_jpeg(np.zeros([8, 8, 1], np.uint8)).numpy().split(b"\xff\xc0")[1]
    assert 0x11 == frame[9]


def test_metadata_that_no_header_holds_are_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"70000 bytes, .* room for 65504"):
        tf.io.encode_jpeg(np.zeros([8, 8, 3], np.uint8), xmp_metadata="x" * 70_000)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_files_hold_any_picture(dtype: Any, channels: int) -> None:
    random = np.random.default_rng(channels)
    smooth = np.cumsum(random.integers(0, 3, [2, 31, 17, channels]), 2).astype(dtype)
    files = tf.io.encode_png(smooth)

    assert files.shape == [2]
    for file, expected in zip(files.numpy(), smooth, strict=True):
        np.testing.assert_array_equal(expected, tf.io.decode_png(file, dtype=dtype).numpy())


def test_filters_make_png_files_small() -> None:
    slope = np.add.outer(np.arange(64), 3 * np.arange(64)).astype(np.uint8)[..., None]

    assert len(tf.io.encode_png(slope).numpy()) < len(zlib.compress(slope.tobytes())) / 4


def test_datasets_decode_in_parallel() -> None:
    names = ["half_chroma.jpg", "turned.jpg", "colors_8.png", "one.gif"]
    files = tf.data.Dataset.from_tensor_slices([held(name) for name in names] * 5)
    decode = lambda data: tf.io.decode_image(data, 3, expand_animations=False)  # noqa: E731
    expected = [decode(held(name)).numpy() for name in names] * 5

    for found, wanted in zip(files.map(decode, num_parallel_calls=3), expected, strict=True):
        np.testing.assert_array_equal(wanted, found.numpy())


def test_random_qualities_lie_in_their_range() -> None:
    tf.random.set_seed(3)
    image = np.random.default_rng(0).integers(0, 255, [16, 16, 3]).astype(np.uint8)
    possible = [tf.image.adjust_jpeg_quality(image, quality).numpy() for quality in (20, 21)]
    drawn = [tf.image.random_jpeg_quality(image, 20, 22).numpy() for _ in range(12)]

    matches = {k for one in drawn for k, each in enumerate(possible) if np.array_equal(one, each)}
    assert matches == {0, 1}


@pytest.mark.parametrize(
    ("chunks", "told"),
    [
        (b"fmt " + struct.pack("<IHHIIHH", 16, 3, 1, 8, 16, 2, 16), "PCM"),
        (b"LIST\x00\x00\x00\x00", "'fmt ' is expected"),
        (b"fmt \x28\x00\x00\x00", "16 or 18 are expected"),
        (b"fmt ", "breaks off"),
    ],
)  # fmt: skip
def test_sound_files_of_other_kinds_are_refused(chunks: bytes, told: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=told):
        tf.audio.decode_wav(b"RIFF\x00\x00\x00\x00WAVE" + chunks)


def test_rows_of_png_files_are_filtered_by_the_mean_of_their_neighbours() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (9, 64, 1), np.uint8)
    for row, column in np.ndindex(8, 63):
        left, above = picture[row + 1, column], picture[row, column + 1]
        picture[row + 1, column + 1] = (int(left[0]) + int(above[0])) // 2
    file = tf.io.encode_png(picture).numpy()
    rows = np.frombuffer(zlib.decompress(file[file.index(b"IDAT") + 4 :]), np.uint8)

    assert [3] * 8 == rows.reshape(9, 65)[1:, 0].tolist()
    assert picture.tolist() == tf.io.decode_png(file).numpy().tolist()
