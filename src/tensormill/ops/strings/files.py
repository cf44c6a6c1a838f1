"""Whole files as strings; bytes as numbers.

`_within` are the directories in which a loaded model's operations may touch files; none: all.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Final

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.files import gfile
from ...core.files.atomic import rewriting
from ...core.native_operations import TEXTS
from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ...errors import (
    InternalError,
    InvalidArgumentError,
    ShapeMismatchError,
    UnimplementedError,
)
from ..array.shapes import reshape
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, types
from .byte_strings import each
from .spans.raw import NumbersInSpans

if TYPE_CHECKING:
    from ..results import Tensor

# No file says it: whoever loads a model does.
WITHIN: Final = "_within"


class ReadFile(Op):
    """What a file holds.

    Raises:
        NotFoundError: there is no such file.
    """

    filename = In("str")
    contents = Out("str")
    _within = Attr(())
    effects = (World.FILES,)
    differentiable = False

    def eager(self, np: Any) -> Any:
        path = gfile.confined(self.filename[()], self._within, writes=False)
        with gfile.translated(path), open(path, "rb") as file:
            found = np.empty((), object)
            found[()] = file.read()
            return found


def read_file(filename: Any, name: str | None = None) -> Tensor:
    """What a file holds, a string scalar.

    filename: a string scalar.

    >>> tf.io.write_file("greeting.txt", "hello")
    >>> tf.io.read_file("greeting.txt").numpy()
    b'hello'

    Raises:
        NotFoundError: there is no such file.
        FailedPreconditionError: it is a folder.
        PermissionDeniedError: it may not be read.
    """
    return bind(ReadFile, as_tensor(filename, dtypes.string), name=name)


class ImmutableConst(Op):
    """The bytes of a file as a tensor.

    Raises:
        InternalError: the file is shorter.
        InvalidArgumentError: the shape is not fully defined.
        NotFoundError: there is no such file.
    """

    tensor = Out("dtype ...")
    dtype = Attr()
    shape = Attr()
    memory_region_name = Attr()
    _within = Attr(())
    effects = (World.FILES,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if self.dtype is dtypes.string:
            refuse(UnimplementedError, NO_STRINGS)
        if self.dtype.family in ("resource", "variant"):
            refuse(InvalidArgumentError, NO_HANDLES)
        if not as_shape(self.shape).is_fully_defined():
            refuse(InvalidArgumentError, "Shape {} is not fully defined", self.shape)

    def infer(self) -> TensorSpec:
        return TensorSpec(as_shape(self.shape), self.dtype)

    def eager(self, np: Any) -> Any:
        path = gfile.confined(self.memory_region_name, self._within, writes=False)
        shape = tuple([size or 0 for size in as_shape(self.shape).as_list()])
        wanted = math.prod(shape) * self.dtype.storage.itemsize
        with gfile.translated(path), open(path, "rb") as file:
            found = file.read(wanted)
        if len(found) < wanted:
            refuse(InternalError, TOO_SHORT, len(found), wanted)
        return np.frombuffer(found, self.dtype.storage).reshape(shape).copy()


NO_STRINGS = "Sorry, DT_STRING is not currently supported for ImmutableConstOp."
NO_HANDLES = "Resource and variant dtypes are invalid for this op."
TOO_SHORT = "Readonly memory region has wrong length ({}) when allocating {}"


class WriteFile(Op):
    """Makes a file, and folders around it, or replaces what it holds when all is written."""

    filename = In("str")
    contents = In("str")
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        path = gfile.confined(self.filename[()], self._within, writes=True)
        gfile.makedirs(os.path.dirname(path) or ".")
        with gfile.translated(path), rewriting(path) as file:
            file.write(self.contents[()])
        return ()


@dispatchable
def write_file(filename: Any, contents: Any, name: str | None = None) -> Any:
    """Make a file, and the folders around it, or replace what it holds: None; in a trace, the
    operation, for control dependencies to hang on.

    filename, contents: string scalars.

    >>> tf.io.write_file("new/folder/file.txt", "hello")
    >>> tf.io.gfile.exists("new/folder/file.txt")
    True

    Raises:
        FailedPreconditionError: there is a folder of that name, or a file where a folder should be.
        PermissionDeniedError: it may not be written.
    """
    path, text = as_tensor(filename, dtypes.string), as_tensor(contents, dtypes.string)
    return bind(WriteFile, path, text, name=name)


class MatchingFiles(Op):
    """The paths that match a pattern, or any of several ones."""

    pattern = In("str ...")
    filenames = Out("str n")
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if len(shape := sizes.shape(self.pattern)) > 1:
            refuse(ShapeMismatchError, "MatchingFiles: a scalar or vector is wanted, got {}", shape)

    def infer(self) -> TensorSpec:
        return TensorSpec((None,), dtypes.string)

    def eager(self, np: Any) -> Any:
        patterns: list[Any] = self.pattern.reshape(-1).tolist()
        if self._within:
            patterns = [gfile.confined(one, self._within, writes=False) for one in patterns]
        found = gfile.glob(patterns)
        return np.array([os.fsencode(path) for path in found], object)


@dispatchable
def matching_files(pattern: Any, name: str | None = None) -> Any:
    """The paths that match a pattern, or any of several ones, sorted.

    pattern: a string tensor of any shape, with `*`, `?` and `[...]` as shells have them. The result
    is a string vector, empty where nothing matches.

    >>> tf.io.write_file("b.txt", "")
    >>> tf.io.write_file("a.txt", "")
    >>> tf.io.matching_files("?.txt").numpy()
    array([b'./a.txt', b'./b.txt'], dtype=object)

    Raises:
        DTypeMismatchError: `pattern` are not strings.
        InvalidArgumentError: they have two axes or more.
    """
    return bind(MatchingFiles, as_tensor(pattern, dtypes.string), name=name)


def unpacked(np: Any, texts: Any, storage: Any, little_endian: bool, size: int = 0) -> Any:
    """The bytes of strings of one length, `size` where there are none, as numbers."""
    flat = texts.reshape(-1).tolist()
    size = len(flat[0]) if flat else size
    for place, text in enumerate(flat):
        if len(text) != size:
            raise InvalidArgumentError(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{place} has size {size} != {len(text)}"
            )
    if size % storage.itemsize:
        raise InvalidArgumentError(
            f"Input to DecodeRaw has length {size} that is not a multiple of "
            f"{storage.itemsize}, the size of {storage.name}"
        )
    numbers = np.frombuffer(b"".join(flat), storage)
    numbers = numbers if little_endian else numbers.byteswap()
    return numbers.reshape(*texts.shape, size // storage.itemsize)


class DecodeRaw(Op):
    """The bytes of strings of one length as numbers, along a new last axis.

    Raises:
        InvalidArgumentError: the lengths differ, or are no multiple of the dtype's size.
    """

    bytes = In("str ...")
    output = Out("out_type ...")
    out_type = Attr(allowed=types("bf16 bool c128 c64 f16 f32 f64 i16 i32 i64 i8 u16 u8"))
    little_endian = Attr(True)
    differentiable = False
    native_from = TEXTS

    def infer(self) -> TensorSpec:
        dims = self.bytes.shape.entries
        return TensorSpec(None if dims is None else (*dims, None), self.out_type)

    def eager(self, np: Any) -> Any:
        return unpacked(np, self.bytes, self.out_type.storage, self.little_endian)

    def on_spans(self) -> Any:
        starts, stops, row = self.bytes.parts
        lengths = stops - starts
        first = reduce_sum(reshape(lengths, [-1])[:1])  # 0 where there is none
        return bind(
            NumbersInSpans, starts, lengths, row, first, out_type=self.out_type,
            little_endian=self.little_endian,
        )  # fmt: skip


class DecodePaddedRaw(Op):
    """The bytes of strings, cut or filled with zeros to `fixed_length`, as numbers."""

    input_bytes = In("str ...")
    fixed_length = In("i32")
    output = Out("out_type ...")
    out_type = Attr(allowed=types("bf16 f16 f32 f64 i16 i32 i64 i8 u16 u8"))
    little_endian = Attr(True)
    differentiable = False
    native_from = TEXTS
    native_values = frozenset(("fixed_length",))

    def infer(self) -> TensorSpec:
        dims, length = self.input_bytes.shape.entries, self.fixed_length.value
        count = None if length is None else max(int(length), 0) // self.out_type.size
        return TensorSpec(None if dims is None else (*dims, count), self.out_type)

    def eager(self, np: Any) -> Any:
        length = int(self.fixed_length)
        if length <= 0:
            raise InvalidArgumentError(f"fixed_length must be greater than zero, but is {length}")
        texts = each(lambda text: text[:length].ljust(length, b"\0"), self.input_bytes)
        return unpacked(np, texts, self.out_type.storage, self.little_endian, length)

    def on_spans(self) -> Any:
        length = static_value(self.fixed_length)
        if length is None or length <= 0:  # which the kernel refuses when it runs
            return NotImplemented
        starts, stops, row = self.input_bytes.parts
        return bind(
            NumbersInSpans, starts, stops - starts, row, as_tensor(int(length), dtypes.int64),
            out_type=self.out_type, little_endian=self.little_endian, padded=True,
        )  # fmt: skip


@dispatchable
def decode_raw(
    input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    r"""The bytes of strings of one length as numbers of dtype `out_type`, along a new last axis.

    input_bytes: string [...]. The result has the shape [..., n], where n is the length in bytes
    divided by the size of `out_type`. fixed_length: strings are cut, or filled with zeros, to that
    many bytes.

    >>> tf.io.decode_raw([b"\x01\x00\x02\x00"], tf.int16).numpy()
    array([[1, 2]], dtype=int16)

    Raises:
        InvalidArgumentError: the lengths differ, or are no multiple of the dtype's size;
            `fixed_length` is not positive.
    """
    text = as_tensor(input_bytes, dtypes.string)
    attrs: dict[str, Any] = {"out_type": as_dtype(out_type), "little_endian": little_endian}
    if fixed_length is None:
        return bind(DecodeRaw, text, name=name, **attrs)
    return bind(DecodePaddedRaw, text, fixed_length, name=name, **attrs)
