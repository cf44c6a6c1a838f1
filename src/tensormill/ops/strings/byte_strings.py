"""Strings of bytes: joined, cut, searched, turned into numbers and back."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.native_operations import TEXTS
from ...core.shapes import SCALAR, UNKNOWN, broadcast_shapes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from ..array.fill import range as number_range
from ..array.gather import gather
from ..array.rearrangement import reversed_axes, transpose
from ..array.select import where
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..demands import UNKNOWN as UNKNOWN_SIZE
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..families import in_a_row
from ..math.cast import cast
from ..math.reduce import reduce_prod
from ..op import INDEX, NATIVE, Attr, In, Op, Out, types
from .spans.changing import OtherCase
from .spans.characters import substr_of_characters
from .spans.floats import FloatsAsSpans
from .spans.joining import JoinSpans
from .spans.looking import SpanCharacters, StripSpans, SubstrSpans
from .spans.runs import JoinRuns
from .spans.significant import written_floats
from .spans.spans import Spans, packed
from .spans.writing import IntegersAsSpans, either_text

if TYPE_CHECKING:
    from ..results import Tensor

NOT_JOINED: Final = "ReduceJoin: Invalid reduction dimension {} for input with {} dimension(s)"
JOINED_TWICE: Final = "ReduceJoin: Duplicate reduction dimension in {}"


def each(function: Callable[..., Any], *arrays: Any, dtype: Any = object) -> Any:
    """`function` of the elements of arrays, which broadcast."""
    fitted = arrays if len(arrays) == 1 else numpy_module.broadcast_arrays(*arrays)
    found = map(function, *map(flat, fitted))
    return numpy_module.fromiter(found, dtype, fitted[0].size).reshape(fitted[0].shape)


def flat(array: Any) -> list[Any]:
    """The elements in a row."""
    return array.reshape(-1).tolist()


class OfString(Op, abstract=True):
    """A string for each string."""

    input = In("str *s")
    output = Out("str *s")
    ignores_places = True
    differentiable = False

    def change(self) -> Callable[[bytes], bytes]:
        raise TypeError(f"{self.name} says nothing")

    def eager(self, np: Any) -> Any:
        return each(self.change(), self.input)


class Coded(OfString, abstract=True):
    """A string for each string; `encoding` is "" (only ASCII letters change) or "utf-8"."""

    encoding = Attr("")
    method = ""
    letters = ""  # the first and the last of those that change
    native_from = TEXTS

    def demands(self, sizes: Any) -> None:
        if self.encoding not in ("", "utf-8"):
            sizes.refuse_late(InvalidArgumentError, OTHER_ENCODING, self.name, self.encoding)

    @staticmethod
    def knows_spans(attrs: Mapping[str, Any]) -> bool:
        return not attrs["encoding"]

    def on_spans(self) -> Any:
        whole = packed(self.input)
        return whole._replace(bytes=bind(OtherCase, whole.bytes, letters=self.letters))

    def change(self) -> Callable[[bytes], bytes]:
        of_bytes, of_text = getattr(bytes, self.method), getattr(str, self.method)
        if not self.encoding:
            return of_bytes
        return lambda text: (
            of_bytes(text) if text.isascii() else of_text(text.decode("utf-8", "replace")).encode()
        )


OTHER_ENCODING = "{}: only utf-8 or '' (no encoding) is supported, received {}"


class StringLower(Coded):
    """Letters in lower case."""

    method = "lower"
    letters = "AZ"


class StringUpper(Coded):
    """Letters in upper case."""

    method = "upper"
    letters = "az"


class StringStrip(OfString):
    """Without white space at either end."""

    native_from = TEXTS

    def change(self) -> Callable[[bytes], bytes]:
        return bytes.strip

    def on_spans(self) -> Any:
        starts, stops = bind(StripSpans, *self.input.parts)
        return Spans(starts, stops, self.input.bytes)


@dispatchable(elements=1)
def lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Letters in lower case: only ASCII ones, unless `encoding` is "utf-8".

    input: string [...]; the result has its shape.

    >>> tf.strings.lower(["Ab1", "XYZ"]).numpy()
    array([b'ab1', b'xyz'], dtype=object)

    Raises:
        InvalidArgumentError: `encoding` is neither "" nor "utf-8", or `input` is no string.
    """
    return bind(StringLower, input, encoding=checked_encoding(encoding), name=name)


@dispatchable(elements=1)
def upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Letters in upper case: only ASCII ones, unless `encoding` is "utf-8".

    input: string [...]; the result has its shape.

    >>> tf.strings.upper(["Ab1", "xyz"]).numpy()
    array([b'AB1', b'XYZ'], dtype=object)

    Raises:
        InvalidArgumentError: `encoding` is neither "" nor "utf-8", or `input` is no string.
    """
    return bind(StringUpper, input, encoding=checked_encoding(encoding), name=name)


def checked_encoding(encoding: str) -> str:
    if encoding not in ("", "utf-8"):
        raise InvalidArgumentError(
            f"only utf-8 or '' (no encoding) is supported, received {encoding}"
        )
    return encoding


@dispatchable(elements=1)
def strip(input: Any, name: str | None = None) -> Any:
    r"""Without white space at either end.

    input: string [...]; the result has its shape. White space is what ASCII calls so.

    >>> tf.strings.strip(["  a b ", "\tc\n"]).numpy()
    array([b'a b', b'c'], dtype=object)

    Raises:
        InvalidArgumentError: `input` is no string.
    """
    return bind(StringStrip, input, name=name)


class StringJoin(Op):
    """The inputs, element by element, with `separator` between them; scalars broadcast."""

    inputs_ = In("N * str ...")  # `inputs` is what every operation calls its fields
    output = Out("str ...")
    separator = Attr("")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        ranks = map(sizes.rank, self.inputs_)
        pairs = zip(self.inputs_, ranks, strict=True)
        several = [one for one, rank in pairs if rank is not UNKNOWN_SIZE and rank]
        if several:
            sizes.common(sizes.shapes(several, UNLIKE), ShapeMismatchError, UNLIKE)

    def infer(self) -> TensorSpec:
        shape = SCALAR if all(known.rank == 0 for known in self.inputs_) else UNKNOWN
        for known in self.inputs_:
            if known.rank != 0:
                shape = shape.merge_with(known.shape)
        return TensorSpec(shape, dtypes.string)

    def on_spans(self) -> Any:
        if not self.inputs_:
            return NotImplemented
        starts, stops, rows = zip(*[one.parts for one in self.inputs_], strict=True)
        made = bind(JoinSpans, [*starts], [*stops], [*rows], separator=self.separator)
        return Spans(*made, is_whole=True)

    def eager(self, np: Any) -> Any:
        separator = self.separator.encode()
        if not self.inputs_:
            return np.array(b"", object)
        fitted = np.broadcast_arrays(*self.inputs_)
        joined = map(separator.join, zip(*map(flat, fitted), strict=True))
        return np.fromiter(joined, object, fitted[0].size).reshape(fitted[0].shape)


UNLIKE = "StringJoin: Input shapes do not match: {} vs. shape[{}] = {}"


@dispatchable
def join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """String tensors joined element by element; scalars go with every element.

    inputs: a list of string tensors, each of shape [...] or []. The result has the shape
    [...]; of no tensors it is one "".

    >>> tf.strings.join(["x", ["1", "2"]], separator="-").numpy()
    array([b'x-1', b'x-2'], dtype=object)

    Raises:
        InvalidArgumentError: shapes differ, or an input is no string.
    """
    tensors = [as_tensor(one, dtypes.string) for one in inputs]
    return bind(StringJoin, tensors, separator=separator, name=name)


class ReduceJoin(Op):
    """The strings along some axes joined: along the axis named first, then along the next, ..."""

    inputs_ = In("str ...")
    reduction_indices = In("i32 ...")
    output = Out("str ...")
    keep_dims = Attr(False)
    separator = Attr("")
    differentiable = False

    def demands(self, sizes: Any) -> list[int]:
        """The axes as they are named, none negative."""
        axes, rank = in_a_row(sizes.static(self.reduction_indices)), len(sizes.shape(self.inputs_))
        for axis in axes:
            if not -rank <= axis < rank:
                refuse(OutOfRangeError, NOT_JOINED, axis, rank)
        found = [axis % rank for axis in axes]
        if len(set(found)) < len(found):
            sizes.require_late(False, InvalidArgumentError, JOINED_TWICE, axes)
        return found

    def infer(self) -> TensorSpec:
        dims, gone = self.inputs_.shape.entries, self.found
        if dims is None or gone is None:
            return TensorSpec(None, dtypes.string)
        kept = [
            1 if k in gone else d for k, d in enumerate(dims) if self.keep_dims or k not in gone
        ]
        return TensorSpec(kept, dtypes.string)

    def eager(self, np: Any) -> Any:
        x, gone = self.inputs_, self.found
        kept = [k for k in range(x.ndim) if k not in gone]
        each = math.prod(x.shape[k] for k in gone)
        moved = np.transpose(x, [*kept, *reversed(gone)]).reshape(
            [*(x.shape[k] for k in kept), each]
        )
        separator, joined = self.separator.encode(), np.empty(moved.shape[:-1], object)
        for place in np.ndindex(joined.shape):
            joined[place] = separator.join(moved[place])
        if self.keep_dims:
            return joined.reshape([1 if k in gone else x.shape[k] for k in range(x.ndim)])
        return joined

    def on_spans(self) -> Any:
        axes, rank = static_value(self.reduction_indices), self.inputs_.shape.rank
        if axes is None:
            return NotImplemented
        gone = [axis % rank for axis in axes.reshape(-1).tolist()]
        kept = [k for k in range(rank) if k not in gone]
        order, sizes = [*kept, *reversed(gone)], shape_of(self.inputs_.starts)
        starts, stops = (
            reshape(transpose(one, order), [-1])
            for one in (self.inputs_.starts, self.inputs_.stops)
        )
        count, each = (cast(reduce_prod(gather(sizes, one)), dtypes.int64) for one in (kept, gone))
        begins = number_range(count) * each
        shape = [1 if k in gone else sizes[k] for k in range(rank) if self.keep_dims or k in kept]
        begins = reshape(begins, shape)
        made = bind(
            JoinRuns, starts, stops, self.inputs_.bytes, number_range(count * each), begins,
            begins + each, separator=self.separator,
        )  # fmt: skip
        return Spans(*made, is_whole=True)


@dispatchable
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings along `axis` (all axes, by default) joined.

    inputs: string of any shape. axis: an int or several; along the one named first strings are
    joined first. The result lacks these axes, or has them with size 1 if `keepdims`.

    >>> tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="+").numpy()
    array([b'a+b', b'c+d'], dtype=object)

    Raises:
        OutOfRangeError: `inputs` has no such axis.
        InvalidArgumentError: an axis is named twice.
    """
    inputs = as_tensor(inputs, dtypes.string)
    if axis is None:
        axis = reversed_axes(inputs)
    return bind(ReduceJoin, inputs, axis, keep_dims=keepdims, separator=separator, name=name)


class StringLength(Op):
    """How many bytes (or UTF8_CHAR: characters) each string has."""

    input = In("str *s")
    output = Out("i32 *s")
    unit = Attr("BYTE", "BYTE UTF8_CHAR")
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        measure = len if self.unit == "BYTE" else characters
        return each(measure, self.input, dtype=np.int32)

    def on_spans(self) -> Any:
        if self.unit != "BYTE":
            return bind(SpanCharacters, *self.input.parts)
        return cast(self.input.stops - self.input.starts, dtypes.int32)


# UTF-8 marks the bytes that go on with a character; whatever bytes there are, all others begin one.
_GOES_ON: Final = bytes(range(0x80, 0xC0))
_CHARACTER: Final = re.compile(rb"(?s:.)[\x80-\xBF]*")


def characters(text: bytes) -> int:
    """How many characters bytes are in UTF-8."""
    return len(text) if text.isascii() else len(text.translate(None, _GOES_ON))


def in_characters(text: bytes) -> list[bytes]:
    """Text cut into its characters, of which no byte is lost."""
    return _CHARACTER.findall(text)


@dispatchable(elements=1)
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """How many bytes (or characters, if `unit` is "UTF8_CHAR") each string has.

    input: string [...]; the result is int32 of its shape.

    >>> tf.strings.length(["abc", "é"]).numpy()  # "é" is one character of two bytes
    array([3, 2], dtype=int32)

    Raises:
        InvalidArgumentError: `input` is no string, or there is no such unit.
    """
    return bind(StringLength, input, unit=unit, name=name)


FROM_THE_END = (
    "Substr: pos {} of string {!r} counts characters from its end; then len must not be negative, "
    "got {}"
)


UNLIKE = "Substr: pos and len should have the same shape, got: {} vs. {}"


class Substr(Op):
    """`len` bytes (or UTF8_CHAR: characters) of each string from `pos` on; pos < 0: from its end.
    A negative number of bytes are all, of characters none.

    Raises:
        InvalidArgumentError: `pos` does not lie within the string, or `pos` and `len` of
            characters are both negative.
    """

    input = In("str ...")
    pos = In("T ...")
    len = In("T ...")
    output = Out("str ...")
    unit = Attr("BYTE", "BYTE UTF8_CHAR")
    T = INDEX
    differentiable = False
    native_from = TEXTS

    def demands(self, sizes: Any) -> None:
        ranks = sizes.rank(self.pos), sizes.rank(self.len)
        if sizes.all_known(*ranks):
            sizes.alike(sizes.shape(self.pos), sizes.shape(self.len), ShapeMismatchError, UNLIKE)

    def infer(self) -> TensorSpec:
        cut = self.pos.shape if self.pos.rank is not None else self.len.shape
        if self.input.shape.entries is None or cut.entries is None:
            return TensorSpec(UNKNOWN, dtypes.string)
        return TensorSpec(broadcast_shapes(self.input.shape, cut), dtypes.string)

    def on_spans(self) -> Any:
        if None in (self.pos.shape.rank, self.len.shape.rank):
            return NotImplemented
        starts, stops, row = self.input.parts
        place, count = cast(self.pos, dtypes.int64), cast(self.len, dtypes.int64)
        nothing = (place * 0 + count * 0) + starts * 0  # of the shape that all broadcast to
        if self.unit != "BYTE":
            text = Spans(starts + nothing, stops + nothing, row)
            return substr_of_characters(text, place + nothing, count + nothing)
        size, place = stops - starts + nothing, place + nothing
        far = where(place > size, place - size, where(place < -size, place + size, nothing))
        wanted = starts + nothing, size, place, count + nothing, far
        starts, stops = bind(SubstrSpans, *wanted)
        return Spans(starts, stops, row)

    def eager(self, np: Any) -> Any:
        fitted, *numbers = np.broadcast_arrays(self.input, self.pos, self.len)
        texts, (start, count) = flat(fitted), [one.reshape(-1).astype(np.int64) for one in numbers]
        by_bytes = self.unit == "BYTE"
        wholes: list[Any] = texts if by_bytes else [*map(in_characters, texts)]
        sizes = np.fromiter(map(len, wholes), np.int64, fitted.size)
        if (outside := (start < -sizes) | (start > sizes)).any():
            k = outside.argmax()
            raise InvalidArgumentError(f"pos {start[k]} out of range for string {texts[k]!r}")
        if not by_bytes and (unclear := (start < 0) & (count < 0)).any():
            k = unclear.argmax()
            raise InvalidArgumentError(FROM_THE_END.format(start[k], texts[k], count[k]))
        start[start < 0] += sizes[start < 0]
        rest = sizes if by_bytes else 0  # what a negative length takes
        stop = start + np.minimum(np.where(count < 0, rest, count), sizes)
        limits = zip(wholes, start.tolist(), stop.tolist(), strict=True)
        parts = [whole[first:last] for whole, first, last in limits]
        found = parts if by_bytes else [b"".join(part) for part in parts]
        return np.fromiter(found, object, fitted.size).reshape(fitted.shape)


@dispatchable(elements=1)
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """`len` bytes (or characters, if `unit` is "UTF8_CHAR") of each string from `pos` on.

    input: string; pos, len: int32 or int64, both of the same dtype; all three broadcast, to the
    shape of the result. pos < 0 counts from the end; where fewer than `len` are left, these are
    given.

    >>> tf.strings.substr(["hello", "world"], [1, -2], [3, 9]).numpy()
    array([b'ell', b'ld'], dtype=object)

    Raises:
        InvalidArgumentError: `pos` lies outside of a string, or there is no such unit.
    """
    return bind(Substr, input, pos, len, unit=unit, name=name)


class AsString(Op):
    """Each element written out.

    precision: digits after the point (6). scientific: with an exponent. shortest: whichever is
    shorter. width: at least so many characters, as the flag `fill` of C's printf says.
    """

    input = In("T *s")
    output = Out("str *s")
    precision = Attr(-1)
    scientific = Attr(False)
    shortest = Attr(False)
    width = Attr(-1)
    fill = Attr("")
    T = NATIVE | types("str")
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        return each(self.text(as_dtype(self.input.dtype)), self.input)

    def on_spans(self) -> Any:
        if isinstance(self.input, Spans):
            return NotImplemented
        dtype, decimals = self.input.dtype, 6 if self.precision < 0 else self.precision
        if (self.scientific, self.width, self.fill) != (False, -1, ""):
            return NotImplemented
        if dtype in FloatsAsSpans.T:
            return written_floats(self.input, decimals, self.shortest)
        if self.shortest:
            return NotImplemented
        if self.precision >= 0:
            return NotImplemented
        if dtype is dtypes.bool_:
            return either_text(self.input, "true", "false")
        if dtype not in IntegersAsSpans.T:
            return NotImplemented
        return Spans(*bind(IntegersAsSpans, self.input), is_whole=True)

    def text(self, dtype: DType) -> Callable[[Any], bytes]:
        """How an element of `dtype` is written.

        Raises:
            InvalidArgumentError: an attribute means nothing for this dtype.
        """
        self.require_meaning(dtype)
        if dtype is dtypes.string:
            return self.written(self.fill, "s" if self.width < 0 else self.rounded("s"))
        if dtype.is_floating:
            return self.float_text()
        if dtype.is_complex:
            part = self.float_text()
            return lambda number: b"(%b,%b)" % (part(number.real), part(number.imag))
        if dtype.is_bool:
            return lambda value: b"true" if value else b"false"
        # C writes signs of signed numbers only.
        fill = "" if dtype.is_unsigned and self.fill in ("+", " ") else self.fill
        return self.written(fill, "d")

    def require_meaning(self, dtype: DType) -> None:
        if len(self.fill) > 1:
            raise InvalidArgumentError("Fill string must be one or fewer characters")
        if self.fill not in ("", " ", "+", "-", "0", "#"):
            raise InvalidArgumentError(f'Fill argument not supported: "{self.fill}"')
        if self.scientific and self.shortest:
            raise InvalidArgumentError("Cannot select both scientific and shortest notation")
        if dtype.is_floating or dtype.is_complex or dtype is dtypes.string:
            return
        if self.precision >= 0:
            raise InvalidArgumentError(f"precision not supported for datatype {dtype.name}")
        if self.scientific or self.shortest:
            raise InvalidArgumentError(
                f"scientific and shortest format not supported for datatype {dtype.name}"
            )

    def float_text(self) -> Callable[[Any], bytes]:
        kind = self.rounded("e" if self.scientific else "g" if self.shortest else "f")
        finite = self.written(self.fill, kind)
        if self.fill != "0":
            return finite
        other = self.written("", kind)  # zeros stand before digits only
        return lambda number: (finite if math.isfinite(number) else other)(number)

    def rounded(self, kind: str) -> str:
        return kind if self.precision < 0 else f".{self.precision}{kind}"

    def written(self, fill: str, kind: str) -> Callable[[Any], bytes]:
        """How a number is written by one of C's forms, whose flags are what `fill` says."""
        width = self.width if self.width >= 0 else ""
        return f"%{fill}{width}{kind}".encode().__mod__


@dispatchable(elements=1)
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Each element written out as a string.

    input: any dtype, of shape [...], which the result has, too. precision: digits after the point
    (6). scientific: with an exponent. shortest: the shorter of both forms. width: at least so many
    characters. fill: where they come from: "": blanks before; "-": blanks behind; "0": zeros; "+"
    and " ": a number that is not negative has this before it; "#": always with a point.

    >>> tf.as_string([1.5, -2.0], precision=2).numpy()
    array([b'1.50', b'-2.00'], dtype=object)

    Raises:
        InvalidArgumentError: an option means nothing for the dtype of `input`; both `scientific`
            and `shortest`; `fill` is another text.
    """
    return bind(
        AsString, input, precision=precision, scientific=scientific, shortest=shortest,
        width=width, fill=fill, name=name,
    )  # fmt: skip
