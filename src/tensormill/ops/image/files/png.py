"""PNG files: containers are read and written here, rows are unfiltered by Pillow.

Pillow's own reader gives 8 of 16 bits, but its codec gives the others too.
Format: W3C, Portable Network Graphics (PNG) Specification, third edition.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ....core.process.named_tuples import NamedTuple
from .pixels import Wanted, damaged, pillow, require_size, with_alpha

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
GREY, COLORS, PALETTE, GREY_ALPHA, COLORS_ALPHA = 0, 2, 3, 4, 6
CHANNELS: Final = {GREY: 1, COLORS: 3, PALETTE: 1, GREY_ALPHA: 2, COLORS_ALPHA: 4}
DEPTHS: Final = {
    GREY: (1, 2, 4, 8, 16), COLORS: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16),
    COLORS_ALPHA: (8, 16),
}  # fmt: skip
CRITICAL: Final = (b"IHDR", b"PLTE", b"IDAT", b"IEND")
# Where the pixels of each part of an interlaced picture begin, and how far they are apart.
PASSES: Final = (
    (0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
    (1, 0, 2, 1),
)  # fmt: skip
# Deflate makes at most this of a byte.
MOST_INFLATED: Final = 1032
SRGB_GAMMA: Final = 45_455
# The brightness of red, green and blue in parts of 2^15.
WEIGHTS: Final = np.array([9797, 19234, 3737])
# How many bits of 16 libpng leaves out where light is reckoned for 8 of them.
LEAST_SHIFT: Final = 5


class PngFile(NamedTuple):
    """What a file holds."""

    width: int
    height: int
    depth: int
    kind: int
    interlaced: int
    palette: bytes
    transparent: bytes | None
    gamma: int | None  # of its encoding, in parts of 100 000, if that is not almost 1
    packed: bytes


# ---------------------------------------------------------------- read


def read(data: bytes, wanted: Wanted) -> Any:
    """The pixels, [h, w, 1 to 4] of bytes, or of uint16 where `wanted.deep`.

    Raises:
        InvalidArgumentError: the file is damaged or too large.
    """
    file = _parsed(data)
    require_size("PNG", file.height, file.width, 1)
    if CHANNELS[file.kind] * file.depth * file.width * file.height // 8 > (
        MOST_INFLATED * len(file.packed) + 64
    ):
        damaged("PNG", data, f"{len(file.packed)} packed bytes are too few for its size")
    channels = wanted.channels or _own_channels(file)
    require_size("PNG", file.height, file.width, channels)
    try:
        samples = _samples(file, channels < 3 or wanted.deep)
    except (ValueError, OSError) as error:
        damaged("PNG", data, str(error))
    shift = 0 if wanted.deep else LEAST_SHIFT
    return _fitted(_with_channels(samples, file, channels, shift), wanted.deep)


def _own_channels(file: PngFile) -> int:
    if file.kind == PALETTE:
        return 3 if file.transparent is None else 4
    return CHANNELS[file.kind]


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Tags and contents. Chunks that nobody has to know may have wrong checksums."""
    place = len(SIGNATURE)
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        tag, end = data[place + 4 : place + 8], place + 8 + length
        if end + 4 > len(data):
            damaged("PNG", data, "it breaks off")
        if not tag.isalpha():
            damaged("PNG", data, f"{tag!r} is no name of a chunk")
        critical = not tag[0] & 0x20
        if int.from_bytes(data[end : end + 4], "big") == zlib.crc32(data[place + 4 : end]):
            yield tag, data[place + 8 : end]
        elif critical:
            damaged("PNG", data, f"the checksum of its chunk {tag!r} is wrong")
        if tag == b"IEND":
            return
        place = end + 4
    damaged("PNG", data, "it breaks off")


def _parsed(data: bytes) -> PngFile:
    chunks: dict[bytes, list[bytes]] = {}
    for tag, content in _chunks(data):
        if not chunks and tag != b"IHDR":
            damaged("PNG", data, f"it begins with a chunk {tag!r}")
        if not tag[0] & 0x20 and tag not in CRITICAL:
            damaged("PNG", data, f"nobody knows its chunk {tag!r}")
        chunks.setdefault(tag, []).append(content)
    header = chunks.get(b"IHDR", [b""])[0]
    if len(header) != 13:
        damaged("PNG", data, "it has no header")
    width, height = (int.from_bytes(header[k : k + 4], "big") for k in (0, 4))
    depth, kind, compression, filters, interlaced = header[8:]
    if depth not in DEPTHS.get(kind, ()) or compression or filters or interlaced > 1:
        damaged("PNG", data, f"its header says {list(header[8:])}, which means nothing")
    palette = chunks.get(b"PLTE", [b""])[-1]
    if kind == PALETTE and not 3 <= len(palette) <= 768:
        damaged("PNG", data, "it has no table of colors")
    transparent, packed = _transparent(chunks, kind), b"".join(chunks.get(b"IDAT", []))
    gamma = _gamma(chunks)
    return PngFile(width, height, depth, kind, interlaced, palette, transparent, gamma, packed)


def _transparent(chunks: dict[bytes, list[bytes]], kind: int) -> bytes | None:
    """What is transparent, of a file without an alpha channel."""
    told = chunks.get(b"tRNS", [None])[-1]
    if told is None or kind in (GREY_ALPHA, COLORS_ALPHA):
        return None
    return told if kind == PALETTE or len(told) == 2 * CHANNELS[kind] else None


def _gamma(chunks: dict[bytes, list[bytes]]) -> int | None:
    if b"sRGB" in chunks:
        return SRGB_GAMMA
    told = chunks.get(b"gAMA", [b""])[0]
    gamma = int.from_bytes(told, "big") if len(told) == 4 else 0
    return gamma if gamma and abs(gamma - 100_000) > 5_000 else None


def _samples(file: PngFile, deep: bool) -> Any:
    """The numbers that are stored: bytes, or uint16 [h, w, c]. Those of 16 bits are cut to their
    upper halves unless `deep`; fewer than 8 stay as they are.
    """
    image = pillow("Image", "decoding PNG files")
    size, places = (file.width, file.height), CHANNELS[file.kind]

    def unpacked(mode: str, raw: str) -> Any:
        picture = image.frombytes(mode, size, file.packed, "zip", raw, file.interlaced)
        samples = np.asarray(picture).reshape(file.height, file.width, -1)
        if file.interlaced or not samples[-1].any():  # as rows are that nobody has written
            _require_rows(file)
        return samples

    if file.depth < 8:
        return unpacked("P", f"P;{file.depth}")
    if file.depth == 8:
        mode = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[places]
        return unpacked(mode, mode)
    if places < 3:  # pairs of bytes are pixels of as many bits
        mode = {1: "LA", 2: "RGBA"}[places]
        halves = unpacked(mode, mode)
        return halves.view(">u2").astype(np.uint16)
    mode = {3: "RGB", 4: "RGBA"}[places]
    upper = unpacked(mode, f"{mode};16B")
    return upper.astype(np.uint16) << 8 | unpacked(mode, f"{mode};16L") if deep else upper


def _require_rows(file: PngFile) -> None:
    """Refuse a file that ends early: Pillow leaves the rows that it lacks as they were.

    Raises:
        ValueError: it does.
    """
    bits = CHANNELS[file.kind] * file.depth
    parts = PASSES if file.interlaced else ((0, 0, 1, 1),)
    sizes = [
        (len(range(top, file.height, down)), len(range(left, file.width, right)))
        for top, left, down, right in parts
    ]
    wanted = sum(tall * (1 + (wide * bits + 7) // 8) for tall, wide in sizes if wide)
    try:
        found = len(zlib.decompressobj().decompress(file.packed, wanted))
    except zlib.error:
        return  # Pillow reads what comes before, or says more
    if found < wanted:
        raise ValueError(f"{wanted} bytes are needed for its rows, but there are {found}")


def _with_channels(samples: Any, file: PngFile, channels: int, shift: int) -> Any:
    colors, alpha = _parts(samples, file)
    if channels < 3 and colors.shape[-1] == 3:
        colors = _brightness(colors, file.gamma, shift)
    elif channels > 2 and colors.shape[-1] == 1:
        colors = np.repeat(colors, 3, -1)
    if channels % 2:
        return colors
    if alpha is None:
        # As libpng: what is opaque in as many bits as the file has.
        return with_alpha(colors, min((1 << file.depth) - 1, np.iinfo(colors.dtype).max))
    return np.concatenate([colors, alpha], -1)


def _parts(samples: Any, file: PngFile) -> tuple[Any, Any]:
    """Colours or grey, and alpha or None."""
    if file.kind == PALETTE:
        return _looked_up(samples, file)
    if file.kind in (GREY_ALPHA, COLORS_ALPHA):
        return samples[..., :-1], samples[..., -1:]
    alpha = None
    if file.transparent is not None:
        alpha = _where_not(samples, file)
    if file.depth < 8:
        samples = samples * np.uint8(255 // ((1 << file.depth) - 1))
    return samples, alpha


def _where_not(samples: Any, file: PngFile) -> Any:
    """Nothing where a pixel has the transparent color, else all."""
    assert file.transparent is not None
    color = np.frombuffer(file.transparent, ">u2").astype(np.int64)
    if file.depth == 16 and samples.dtype == np.uint8:
        color >>= 8
    opaque = (samples != color).any(-1, keepdims=True)
    return opaque * samples.dtype.type(np.iinfo(samples.dtype).max)


def _looked_up(samples: Any, file: PngFile) -> tuple[Any, Any]:
    """Places that the tables lack are black, and opaque."""
    colors = np.zeros((256, 3), np.uint8)
    known = np.frombuffer(file.palette[: len(file.palette) // 3 * 3], np.uint8).reshape(-1, 3)
    colors[: len(known)] = known
    places = samples[..., 0]
    if file.transparent is None:
        return colors[places], None
    alpha = np.full(256, 255, np.uint8)
    alpha[: len(file.transparent)] = np.frombuffer(file.transparent[:256], np.uint8)
    return colors[places], alpha[places][..., None]


def _brightness(colors: Any, gamma: int | None, shift: int) -> Any:
    """One channel; libpng rounds 16 bits, or where it knows the gamma and weighs light."""
    deep = colors.dtype == np.uint16
    light = colors if gamma is None else _powers(colors, _inverse(gamma), shift)
    total = light.astype(np.int64) @ WEIGHTS
    mixed = (total + (1 << 14) * (deep or gamma is not None)) >> 15
    if gamma is None:
        return mixed.astype(colors.dtype)[..., None]
    told = _powers(mixed.astype(colors.dtype), _inverse(_inverse(gamma)), shift)
    grey = (colors == colors[..., :1]).all(-1)
    same = _nearest_bytes(colors[..., 0]) if deep and shift else colors[..., 0]
    return np.where(grey, same, told)[..., None]


def _nearest_bytes(values: Any) -> Any:
    """16 bits, of which the first 8 are those of the nearest 8-bit number, as far as the bits that
    are looked at tell.
    """
    most = (1 << 16 - LEAST_SHIFT) - 1
    bounds = ((257 * np.arange(255) + 128) * most + 32768) // 65535
    return (np.searchsorted(bounds, values >> LEAST_SHIFT) << 8).astype(np.uint16)


def _inverse(gamma: int) -> int:
    return int(1e10 / gamma + 0.5)


def _powers(values: Any, gamma: int, shift: int) -> Any:
    """Numbers of [0, 1] to a power; of 16 bits, `shift` bits are not looked at."""
    largest = np.iinfo(values.dtype).max
    cut = shift if values.dtype == np.uint16 else 0
    table = np.arange((largest >> cut) + 1) / (largest >> cut)
    table = np.floor(largest * table ** (gamma / 1e5) + 0.5).astype(values.dtype)
    return table[values >> cut]


def _fitted(pixels: Any, deep: bool) -> Any:
    """Bytes, or 16 bits: 255 becomes 65535."""
    if deep:
        return pixels if pixels.dtype == np.uint16 else pixels.astype(np.uint16) * np.uint16(257)
    return pixels if pixels.dtype == np.uint8 else (pixels >> 8).astype(np.uint8)


# ---------------------------------------------------------------- written


def written(picture: Any, compression: int = -1) -> bytes:
    """The file of a picture [h, w, 1 to 4] of bytes or uint16."""
    height, width, channels = picture.shape
    kind = {1: GREY, 2: GREY_ALPHA, 3: COLORS, 4: COLORS_ALPHA}[channels]
    big = np.ascontiguousarray(picture, picture.dtype.newbyteorder(">"))
    header = b"".join(size.to_bytes(4, "big") for size in (width, height))
    header += bytes([8 * picture.itemsize, kind, 0, 0, 0])
    rows = big.view(np.uint8).reshape(height, -1)
    filtered = _filtered(rows, channels * picture.itemsize).tobytes()
    packer = zlib.compressobj(compression, strategy=zlib.Z_FILTERED)
    packed = packer.compress(filtered) + packer.flush()
    parts = [(b"IHDR", header), (b"IDAT", packed), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        len(content).to_bytes(4, "big") + tag + content
        + zlib.crc32(tag + content).to_bytes(4, "big")
        for tag, content in parts
    )  # fmt: skip


def _filtered(rows: Any, step: int) -> Any:
    """Each row behind the number of its filter: that which leaves the smallest numbers, as signed
    bytes, packs best (the specification's advice).
    """
    left = np.pad(rows, ((0, 0), (step, 0)))[:, :-step]
    above = np.pad(rows, ((1, 0), (0, 0)))[:-1]
    mean = ((left.astype(np.uint16) + above) // 2).astype(np.uint8)
    guesses = (np.uint8(0), left, above, mean, _paeth(left, above, step))
    tried = np.stack([rows - guess for guess in guesses])
    sizes = np.abs(tried.view(np.int8).astype(np.int16)).sum(-1, dtype=np.int64)
    chosen = sizes.argmin(0)
    return np.concatenate(
        [chosen.astype(np.uint8)[:, None], tried[chosen, np.arange(len(rows))]], 1
    )


def _paeth(left: Any, above: Any, step: int) -> Any:
    """Of the neighbours at the left, above and before that one, the nearest to left + above -
    before.
    """
    before = np.pad(above, ((0, 0), (step, 0)))[:, :-step]
    a, b, c = (one.astype(np.int16) for one in (left, above, before))
    from_left, from_above, from_before = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    first = (from_left <= from_above) & (from_left <= from_before)
    return np.where(first, left, np.where(from_above <= from_before, above, before))
