"""Random files of pictures: both libraries decode the same pixels, or refuse alike.

    python tests/interop/pictures.py [FIRST [COUNT [FORMAT]]]

Each number is one file and a few ways to decode it, in one process with both. What differs is
printed. Exit code 1: something differs, or ended the process.
"""

from __future__ import annotations

import io
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

FORMATS = "gif", "webp", "bmp", "png", "jpeg"
WAYS = 6  # to decode one file


class Maker:
    """Draws one file; `said` tells what it is."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.numbers = np.random.default_rng(number)
        self.said: list[str] = []

    def one_of(self, *options: Any) -> Any:
        return self.random.choice(options)

    def say(self, name: str, value: Any) -> Any:
        self.said.append(f"{name}={value!r}"[:60])
        return value

    def chosen(self, name: str, *options: Any) -> Any:
        return self.say(name, self.one_of(*options))

    def happens(self, name: str, part: float = 0.5) -> bool:
        found = self.random.random() < part
        if found:
            self.said.append(name)
        return found

    def pixels(self, height: int, width: int, channels: int) -> Any:
        """Smooth or not."""
        if self.one_of(True, False):
            return self.numbers.integers(0, 256, (height, width, channels), np.uint8)
        rows, columns = np.mgrid[0:height, 0:width]
        waves = [127 + 120 * np.sin(rows / 5 + columns / (3 + k) + k) for k in range(channels)]
        return np.stack(waves, -1).astype(np.uint8)

    def size(self) -> tuple[int, int]:
        most = self.one_of(1, 9, 40)
        return self.random.randint(1, most), self.random.randint(1, most)

    def file(self, kind: str) -> bytes:
        data = getattr(self, kind)()
        assert isinstance(data, bytes)
        damage = self.chosen("damage", *["none"] * 8, "cut", "bytes", "head", "tail", "all but 1")
        if damage == "cut":
            return data[: self.say("at", self.random.randint(0, len(data)))]
        if damage in ("bytes", "head"):
            return self.damaged(data, 64 if damage == "head" else len(data))
        return data[:-1] if damage == "all but 1" else data + b"tail" * (damage == "tail")

    def damaged(self, data: bytes, most: int) -> bytes:
        changed = bytearray(data)
        for _ in range(self.one_of(1, 1, 3)):
            at = self.random.randrange(min(most, len(data)))
            changed[at] = self.one_of(0, 255, self.random.randrange(256), changed[at] ^ 1)
            self.said.append(f"[{at}]={changed[at]}")
        return bytes(changed)

    # ---------------------------------------------------------------- GIF

    def gif(self) -> bytes:
        if self.happens("of Pillow", 0.2):
            return self.animation("GIF", "P")
        height, width = self.size()
        shared = self.chosen("shared colors", None, 2, 4, 16, 256)
        flags, background = self.table_flags(shared), self.one_of(0, 0, 1, 9)
        made = self.one_of(b"GIF89a", b"GIF89a", b"GIF87a")
        made += struct.pack("<HHBBB", width, height, flags, background, self.one_of(0, 49))
        made += self.colors(shared)
        if self.happens("loops", 0.3):
            made += b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
        for _ in range(self.chosen("frames", 1, 1, 2, 3, 5)):
            made += self.frame(height, width, shared)
        return made + self.one_of(b";", b";", b";", b"", b"\0;", b"!\xfe\x02hi\0;")

    def table_flags(self, colors: int | None) -> int:
        return 0x80 | (colors.bit_length() - 2) if colors else 0

    def colors(self, count: int | None) -> bytes:
        return self.numbers.integers(0, 256, 3 * (count or 0), np.uint8).tobytes()

    def frame(self, height: int, width: int, shared: int | None) -> bytes:
        made = b""
        if self.happens("comment", 0.1):
            made += b"!\xfe\x03abc\0"
        own = self.chosen("colors", None, None, 2, 8, 256)
        count = own or shared or 4
        if self.happens("control", 0.5):
            clear, disposal = self.one_of(0, 1), self.chosen("disposal", 0, 1, 2, 3, 7)
            index = self.one_of(0, 1, count - 1, 255)
            made += b"!\xf9\x04" + struct.pack("<BHBB", disposal << 2 | clear, 5, index, 0)
            self.said.append(f"clear {clear} {index}")
        if not self.happens("another size", 0.4):
            left = top = 0
            tall, wide = height, width
        else:
            tall, wide = self.size()
            left, top = self.random.randint(0, 5), self.random.randint(0, 5)
            self.said.append(f"{tall}x{wide} at {top},{left}")
        interlaced = self.happens("interlaced", 0.3)
        flags = self.table_flags(own) | 0x40 * interlaced | self.one_of(0, 0, 0x20)
        made += b"," + struct.pack("<HHHHB", left, top, wide, tall, flags) + self.colors(own)
        top_color = count if self.happens("wrong color", 0.05) else count - 1
        indices = self.numbers.integers(0, top_color + 1, tall * wide)
        bits = max(2, (count - 1).bit_length()) + self.one_of(0, 0, 0, 1)
        few = self.one_of(0, 0, 0, 0, 1, 5, -3)  # pixels too few, or too many
        if few:
            self.said.append(f"{few} pixels too few")
            indices = np.resize(indices, max(tall * wide - few, 0))
        return made + self.lzw(indices, min(bits, 8))

    def lzw(self, indices: Any, bits: int) -> bytes:
        """Each index a code of its own; the table is forgotten before codes get longer."""
        clear, end = 1 << bits, (1 << bits) + 1
        codes: list[int] = []
        for at, index in enumerate(indices.tolist()):
            if at % (clear - 2) == 0:
                codes.append(clear)
            codes.append(index % clear)
        if not self.happens("no end code", 0.05):
            codes.append(end)
        total = sum(code << (bits + 1) * k for k, code in enumerate(codes))
        packed = total.to_bytes((len(codes) * (bits + 1) + 7) // 8, "little")
        size = self.one_of(255, 255, 10)
        blocks = [packed[k : k + size] for k in range(0, len(packed), size)]
        return bytes([bits]) + b"".join(bytes([len(one)]) + one for one in blocks) + b"\0"

    # ---------------------------------------------------------------- by Pillow

    def picture(self, mode: str, size: tuple[int, int] | None = None) -> Any:
        from PIL import Image

        channels = {"L": 1, "P": 1, "1": 1, "RGB": 3, "RGBA": 4, "CMYK": 4, "LA": 2, "YCbCr": 3}
        pixels = self.pixels(*(size or self.size()), channels[mode])
        return Image.frombytes(mode, pixels.shape[1::-1], pixels.tobytes())

    def animation(self, kind: str, mode: str) -> bytes:
        size = self.size()
        count = self.chosen("frames", 1, 2, 4)
        pictures = [self.picture(mode, size) for _ in range(count)]
        options = {"duration": 20, "loop": 0, "disposal": self.one_of(0, 1, 2)}
        if kind == "WEBP":
            del options["disposal"]
            options |= {
                "lossless": self.chosen("lossless", True, False), "quality": self.one_of(5, 90),
                "background": self.chosen("background", (0, 0, 0, 0), (9, 99, 199, 255)),
                "allow_mixed": self.one_of(True, False), "kmin": self.one_of(0, 3),
            }  # fmt: skip
        stream = io.BytesIO()
        pictures[0].save(stream, kind, save_all=True, append_images=pictures[1:], **options)
        return stream.getvalue()

    def webp(self) -> bytes:
        mode = self.chosen("mode", "RGB", "RGBA", "L")
        if self.happens("animated", 0.4):
            return self.animation("WEBP", mode)
        stream = io.BytesIO()
        self.picture(mode).save(
            stream, "WEBP", lossless=self.chosen("lossless", True, False),
            quality=self.one_of(1, 50, 100), method=self.one_of(0, 4, 6),
            exact=self.one_of(True, False), alpha_quality=self.one_of(0, 100),
            exif=self.one_of(b"", b"Exif\0\0MM\0*\0\0\0\x08\0\0"),
        )  # fmt: skip
        return stream.getvalue()

    # ---------------------------------------------------------------- BMP

    def bmp(self) -> bytes:
        if self.happens("of Pillow", 0.2):
            stream = io.BytesIO()
            self.picture(self.chosen("mode", "1", "L", "P", "RGB", "RGBA")).save(stream, "BMP")
            return stream.getvalue()
        height, width = self.size()
        bits = self.chosen("bits", 8, 24, 32, 8, 24, 32, 1, 4, 16)
        header = self.chosen("header", 40, 40, 12, 56, 108, 124)
        palette = 4 * (1 << bits) if bits <= 8 and self.happens("palette") else 0
        row = (width * bits + 31) // 32 * 4
        tall = -height if self.happens("from the top", 0.2) else height
        begin = 14 + header + palette + self.one_of(0, 0, 0, 3)
        compression = self.chosen("compression", 0, 0, 0, 1, 3)
        body = self.numbers.integers(0, 256, row * height, np.uint8).tobytes()
        if header == 12:
            told = struct.pack("<IHHHH", 12, width, height, 1, bits)
        else:
            told = struct.pack(
                "<IiiHHIIiiII", header, width, tall, 1, bits, compression, len(body), 0, 0, 0, 0
            )
        told = told + bytes(header - len(told))
        front = b"BM" + struct.pack("<IHHI", begin + len(body), 0, 0, begin) + told
        front += self.numbers.integers(0, 256, begin - len(front), np.uint8).tobytes()
        return front + body

    # ---------------------------------------------------------------- PNG

    def png(self) -> bytes:
        kind = self.chosen("kind", 0, 2, 3, 4, 6)
        depths = {0: (1, 2, 4, 8, 16), 3: (1, 2, 4, 8)}.get(kind, (8, 16))
        depth = self.chosen("depth", *depths)
        height, width = self.size()
        places = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
        interlaced = self.happens("interlaced", 0.3)
        chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced))]
        chunks += self.told(kind, depth)
        packed = zlib.compress(self.rows(height, width, places * depth, interlaced))
        if self.happens("two parts", 0.2):
            half = len(packed) // 2
            chunks += [(b"IDAT", packed[:half]), (b"IDAT", packed[half:])]
        else:
            chunks += [(b"IDAT", packed)]
        if self.happens("late text", 0.1):
            chunks += [(b"tEXt", b"a\0b")]
        chunks += [(b"IEND", b"")]
        if self.happens("chunks in disorder", 0.04):
            self.random.shuffle(chunks)
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
            for tag, data in chunks
        )

    def told(self, kind: int, depth: int) -> list[tuple[bytes, bytes]]:
        """What stands before the pixels."""
        chunks = []
        if self.happens("gAMA", 0.15):
            gamma = self.chosen("gamma", 45455, 100000, 50000, 220000, 0)
            chunks += [(b"gAMA", struct.pack(">I", gamma))]
        if self.happens("sRGB", 0.1):
            chunks += [(b"sRGB", b"\0")]
        if self.happens("cHRM", 0.1):
            primaries = 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000
            chunks += [(b"cHRM", struct.pack(">8I", *primaries))]
        colors = 0
        if kind == 3 or (kind in (2, 6) and self.happens("palette", 0.1)):
            colors = self.chosen("colors", 1 << depth if depth < 9 else 256, 2, 1)
            chunks += [(b"PLTE", self.colors(colors))]
        if kind in (0, 2, 3) and self.happens("tRNS", 0.4):
            small = self.numbers.integers(0, min(1 << depth, 256), 3).astype(">u2")
            plain = {0: small[:1].tobytes(), 2: small.tobytes()}
            alpha = self.numbers.integers(0, 256, self.one_of(1, max(colors, 1)), np.uint8)
            chunks += [(b"tRNS", plain.get(kind, alpha.tobytes()))]
        if self.happens("bKGD", 0.1):
            chunks += [(b"bKGD", {0: b"\0\1", 3: b"\0", 4: b"\0\1"}.get(kind, b"\0\1\0\1\0\1"))]
        if self.happens("pHYs", 0.1):
            chunks += [(b"pHYs", b"\0\0\0\1\0\0\0\2\0")]
        return chunks

    def rows(self, height: int, width: int, bits: int, interlaced: bool) -> bytes:
        """Random rows, each behind a filter."""
        passes = [(0, 0, 1, 1)]
        if interlaced:
            passes = [
                (0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2),
                (0, 1, 2, 2), (1, 0, 2, 1),
            ]  # fmt: skip
        made = b""
        for top, left, down, right in passes:
            tall, wide = -(-(height - top) // down), -(-(width - left) // right)
            if tall < 1 or wide < 1:
                continue
            row = (wide * bits + 7) // 8
            for _ in range(tall):
                kind = self.random.randrange(5) if self.random.random() < 0.998 else 9
                made += bytes([kind]) + self.numbers.integers(0, 256, row, np.uint8).tobytes()
        return made if self.random.random() < 0.95 else made[: len(made) * 2 // 3]

    # ---------------------------------------------------------------- JPEG

    def jpeg(self) -> bytes:
        mode = self.chosen("mode", "L", "RGB", "RGB", "CMYK", "YCbCr")
        picture = self.picture(mode)
        sampling = self.chosen("sampling", "4:4:4", "4:2:2", "4:2:0", "4:4:0", "4:1:1")
        if mode == "RGB" and sampling in ("4:4:0", "4:1:1"):
            import simplejpeg

            made: bytes = simplejpeg.encode_jpeg(
                np.array(picture), self.one_of(30, 90), "RGB", sampling.replace(":", "")
            )
            return made
        options: dict[str, Any] = {
            "quality": self.one_of(1, 30, 75, 100), "optimize": self.one_of(True, False),
            "progressive": self.chosen("progressive", True, False),
        }  # fmt: skip
        if mode not in ("L", "CMYK") and sampling in ("4:4:4", "4:2:2", "4:2:0"):
            options["subsampling"] = sampling
        if mode == "RGB":
            options["keep_rgb"] = self.chosen("keep_rgb", False, False, True)
            if options["keep_rgb"]:
                options.pop("subsampling", None)
        if self.happens("restarts", 0.3):
            options["restart_marker_blocks"] = self.one_of(1, 2, 5)
        if self.happens("EXIF", 0.2):
            from PIL import Image

            exif = Image.Exif()
            exif[0x0112] = self.chosen("turned", 1, 3, 6, 8)
            options["exif"] = exif
        if self.happens("comment", 0.1):
            options["comment"] = b"words"
        stream = io.BytesIO()
        picture.save(stream, "JPEG", **options)
        return stream.getvalue()

    # ---------------------------------------------------------------- ways to decode

    def way(self, kind: str) -> tuple[str, Callable[[Any, bytes], Any]]:
        """What is called, and a function that calls it of a library."""
        channels = self.one_of(0, 0, 0, 1, 3, 4, 2)
        usual = {"gif": "gif", "webp": "webp", "bmp": "bmp", "png": "png", "jpeg": "jpeg"}[kind]
        name = self.one_of("image", "image", usual, usual, usual, "png", "jpeg", "gif", "webp")
        if kind == "jpeg":
            name = self.one_of(name, "jpeg", "jpeg", "crop", "shape")
        if name == "image":
            dtype = self.one_of("uint8", "uint8", "uint16", "float32", "int32", "float64", "int8")
            expands = self.one_of(True, True, False)
            return self.call(
                "decode_image", channels=channels, dtype=dtype, expand_animations=expands
            )
        if name == "png":
            dtype = self.one_of("uint8", "uint8", "uint16", "float32")
            return self.call("decode_png", channels=channels, dtype=dtype)
        if name == "shape":
            return self.call("extract_jpeg_shape", output_type=self.one_of("int32", "int64"))
        if name in ("bmp", "webp"):
            return self.call(f"decode_{name}", channels=channels)
        if name == "gif":
            return self.call("decode_gif")
        reading = {
            "channels": channels, "ratio": self.one_of(1, 1, 2, 4, 8),
            "fancy_upscaling": self.one_of(True, True, False),
            "try_recover_truncated": self.one_of(False, False, False, True),
            "acceptable_fraction": self.one_of(1.0, 1.0, 0.5, 0.1),
            "dct_method": self.one_of("", "INTEGER_FAST", "INTEGER_ACCURATE"),
        }  # fmt: skip
        if name == "crop":
            window = [self.random.randint(0, 5) for _ in range(2)]
            window += [self.random.randint(0, 9) for _ in range(2)]
            return self.call("decode_and_crop_jpeg", crop_window=window, **reading)
        return self.call("decode_jpeg", **reading)

    def call(self, name: str, **arguments: Any) -> tuple[str, Callable[[Any, bytes], Any]]:
        def decode(tf: Any, data: bytes) -> Any:
            given = dict(arguments)
            for key in ("dtype", "output_type"):
                if key in given:
                    given[key] = getattr(tf, given[key])
            return getattr(tf.io, name)(data, **given).numpy()

        return f"{name} {arguments}", decode


def tried(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return error


def difference(name: str, kind: str, theirs: Any, ours: Any) -> str | None:
    """What is not the same, in a few words."""
    if is_other_rank(name, kind):  # docs/compatibility.md: the shape is what tracing promises
        if "Got " in str(ours) and isinstance(theirs, np.ndarray) and len(theirs) > 1:
            return None  # several pictures of a function that promises one
        theirs, ours = (
            one[0] if isinstance(one, np.ndarray) and one.ndim == 4 else one
            for one in (theirs, ours)
        )
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        if isinstance(theirs, Exception) and isinstance(ours, Exception):
            names = [one.__name__ for one in type(ours).__mro__]
            if type(theirs).__name__ in names:
                return None
        words = [
            f"{type(one).__name__}: {one}"[:230] if isinstance(one, Exception)
            else f"{one.dtype}{one.shape}"
            for one in (theirs, ours)
        ]  # fmt: skip
        return " <> ".join(words)
    if theirs.dtype != ours.dtype or theirs.shape != ours.shape:
        return f"{theirs.dtype}{theirs.shape} <> {ours.dtype}{ours.shape}"
    if name.startswith("decode_and_crop"):  # smooth chroma of the outermost columns
        theirs, ours = theirs[:, 2:-2], ours[:, 2:-2]
    if np.array_equal(theirs, ours):
        return None
    apart = np.abs(theirs.astype(float) - ours.astype(float))
    places = np.argwhere(apart)
    return (
        f"{len(places)} of {apart.size} differ, by {apart.max()} at most, in "
        f"{places.min(0)}..{places.max(0)} of {ours.shape}"
    )


def is_other_rank(name: str, kind: str) -> bool:
    """Whether a function of WebP files reads another one, or another function a WebP file."""
    return (kind == "webp") != name.startswith("decode_webp") and "image" not in name


def compared(first: int, count: int, kind: str = "") -> int:
    """How many files differ; what does is printed."""
    import tensorflow

    import tensormill

    failures = 0
    for number in range(first, first + count):
        print(f"# {number}", file=sys.stderr, flush=True)  # for the process that started this one
        maker = Maker(number)
        chosen = kind or maker.one_of(*FORMATS)
        data = maker.file(chosen)
        complaints = []
        for _ in range(WAYS):
            name, decode = maker.way(chosen)
            print(f"{name}", file=sys.stderr, flush=True)
            theirs = tried(lambda decode=decode, data=data: decode(tensorflow, data))
            ours = tried(lambda decode=decode, data=data: decode(tensormill, data))
            if found := difference(name, chosen, theirs, ours):
                complaints.append(f"  {name}\n    {found}")
        if complaints:
            failures += 1
            print(f"{number}: {chosen} {' '.join(maker.said)}", *complaints, sep="\n", flush=True)
    return failures


def main(first: int = 0, count: int = 200, kind: str = "") -> int:
    """Compare in processes of their own: some files end TensorFlow's."""
    end, failures = first + count, 0
    while first < end:
        command = [sys.executable, __file__, str(first), str(end - first), kind, "here"]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        failures += done.returncode > 0
        if done.returncode >= 0:
            break
        way, number = done.stderr.splitlines()[-1], done.stderr.rpartition("# ")[2].split()[0]
        print(f"{number}: the process was ended by signal {-done.returncode}: {way}", flush=True)
        first = int(number) + 1
    return failures


if __name__ == "__main__":
    numbers: list[Any] = [int(word) for word in sys.argv[1:3]]
    sys.exit(1 if (compared if len(sys.argv) > 4 else main)(*numbers, *sys.argv[3:4]) else 0)
