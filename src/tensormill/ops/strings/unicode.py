"""Text as numbers of characters, and in other encodings."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.native_operations import TEXTS
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.concatenation import stack
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.reduce import reduce_prod
from ..op import INDEX, Attr, In, Op, Out
from ..ragged.ragged_tensor import RaggedTensor
from .rows import demand_rows
from .spans.decoding import (
    CODECS,
    CharactersOfSpans,
    TextsOfNumbers,
    WrongTexts,
    is_character,
)
from .spans.encodings import FoundCharacters, characters_of_one_size, without_controls
from .spans.spans import Doubted, Spans, in_a_list
from .splitting import in_rows


class Character(NamedTuple):
    """One character of a text: its number (None: bytes that are no character), where it begins."""

    number: int | None
    start: int


def characters(text: bytes, codec: str) -> Iterator[Character]:
    """The characters of `text`, and where bytes are none. The text is decoded once."""
    place = 0
    for one in text.decode(codec, _NOTED):
        if one != _MORE_WRONG:
            yield Character(None if one == _WRONG else ord(one), place)
        place += 1 if one in (_WRONG, _MORE_WRONG) else len(one.encode(codec))


def note_wrong(error: UnicodeError) -> tuple[str, int]:
    """Stand in for bytes that are no character: a mark for each, of which the first differs."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _WRONG + _MORE_WRONG * (error.end - error.start - 1), error.end


# Halves of pairs of UTF-16: no text has these as characters.
_WRONG: Final = "\udc80"
_MORE_WRONG: Final = "\udc81"
_NOTED: Final = "tensormill.noted"
codecs.register_error(_NOTED, note_wrong)


class Decoding(Op, abstract=True):
    """Text as rows of numbers of characters."""

    input = In("str n")
    row_splits = Out("Tsplits m")
    char_values = Out("i32 k")
    input_encoding = Attr(str)
    errors = Attr("replace", "strict replace ignore")
    replacement_char = Attr(0xFFFD)
    replace_control_characters = Attr(False)
    Tsplits = Attr(dtypes.int64, INDEX)
    differentiable = False
    native_from = TEXTS

    def infer(self) -> Any:
        sizes = self.input.shape.entries
        count = None if sizes is None or sizes[0] is None else sizes[0] + 1
        splits, numbers = TensorSpec((count,), self.Tsplits), TensorSpec((None,), dtypes.int32)
        starts = TensorSpec((None,), dtypes.int64)
        return (splits, numbers, starts)[: len(self.outputs)]

    def eager(self, np: Any) -> Any:
        texts = self.input.tolist()
        counts, numbers, starts = decoded_at_once(texts, self) or decoded_in_turn(texts, self)
        splits = np.cumsum([0, *counts]).astype(self.Tsplits.storage)
        return (splits, numbers, starts)[: len(self.outputs)]

    def on_spans(self) -> Any:
        found = characters_of_spans(self, self.input, len(self.outputs) == 3)
        if found is NotImplemented:
            return found
        results = (cast(found.splits, self.Tsplits), found.numbers, found.starts)
        results = results[: len(self.outputs)]
        return results if found.is_sure is None else Doubted(found.is_sure, results)


class UnicodeDecode(Decoding):
    """The numbers of the characters of each string, and where the rows of them begin."""


class UnicodeDecodeWithOffsets(Decoding):
    """Also where in its string each character begins, in bytes."""

    char_to_byte_starts = Out("i64 k")


class UnicodeTranscode(Op):
    """Each string in another encoding."""

    input = In("str *s")
    output = Out("str *s")
    input_encoding = Attr(str)
    output_encoding = Attr(allowed="UTF-8 UTF-16-BE UTF-32-BE")
    errors = Attr("replace", "strict replace ignore")
    replacement_char = Attr(0xFFFD)
    replace_control_characters = Attr(False)
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        input_codec(self.input_encoding)  # which may be unknown where there are no strings, too
        codec = output_codec(self.output_encoding)
        result = np.empty(self.input.shape, object)
        for place in np.ndindex(self.input.shape):
            numbers = [one.number or 0 for one in decoded(self.input[place], self)]
            result[place] = "".join(map(chr, numbers)).encode(codec, "replace")
        return result

    def on_spans(self) -> Any:
        shape = shape_of(self.input.starts)
        found = characters_of_spans(self, in_a_list(self.input), False)
        if found is NotImplemented:
            return found
        starts, stops, row = bind(
            TextsOfNumbers, found.numbers, found.splits, output_encoding=self.output_encoding,
            errors="replace", replacement=self.replacement_char,
        )  # fmt: skip
        texts = Spans(reshape(starts, shape), reshape(stops, shape), row, is_whole=True)
        return texts if found.is_sure is None else Doubted(found.is_sure, (texts,))


class UnicodeEncode(Op):
    """One string of each row of numbers of characters."""

    input_values = In("i32 k")
    input_splits = In("Tsplits m")
    output = Out("str n")
    errors = Attr("replace", "strict replace ignore")
    output_encoding = Attr(allowed="UTF-8 UTF-16-BE UTF-32-BE")
    replacement_char = Attr(0xFFFD)
    Tsplits = INDEX
    differentiable = False
    native_from = TEXTS

    def demands(self, sizes: Any) -> None:
        demand_rows(sizes, self.name, self.input_splits, self.input_values)

    def infer(self) -> TensorSpec:
        sizes = self.input_splits.shape.entries
        count = None if sizes is None or sizes[0] is None else sizes[0] - 1
        return TensorSpec((count,), dtypes.string)

    def eager(self, np: Any) -> Any:
        codec = output_codec(self.output_encoding)
        numbers, splits = self.input_values.tolist(), self.input_splits.tolist()
        result = np.empty(len(splits) - 1, object)
        for row in range(len(result)):
            known = [self.known(one) for one in numbers[splits[row] : splits[row + 1]]]
            result[row] = "".join(known).encode(codec)
        return result

    def on_spans(self) -> Any:
        if not is_character(self.replacement_char):
            return NotImplemented
        made = bind(
            TextsOfNumbers, self.input_values, self.input_splits, errors=self.errors,
            output_encoding=self.output_encoding, replacement=self.replacement_char,
        )  # fmt: skip
        return Spans(*made, is_whole=True)

    def known(self, number: int) -> str:
        if is_character(number):
            return chr(number)
        if self.errors == "strict":
            raise InvalidArgumentError(f"Code point is out of range for Unicode: {number}")
        return "" if self.errors == "ignore" else chr(self.replacement_char)


def characters_of_spans(how: Any, texts: Spans, with_starts: bool) -> Any:
    """The rows of the characters of texts; where characters have other sizes than in UTF-8 or one
    of their own, they are Python's.
    """
    try:
        codec = input_codec(how.input_encoding)
    except InvalidArgumentError:  # which the kernel says when it runs
        return NotImplemented
    if not is_character(how.replacement_char):
        return NotImplemented
    if codec != "utf-8":
        return _of_one_size(how, codec, texts, with_starts)
    wrong = texts.starts * 0
    if how.errors == "strict":
        wrong = bind(WrongTexts, *texts.parts)
    return FoundCharacters(*bind(
        CharactersOfSpans, *texts.parts, wrong, keeps_wrong=how.errors != "ignore",
        replacement=how.replacement_char, keeps_controls=not how.replace_control_characters,
    ))  # fmt: skip


def _of_one_size(how: Any, codec: str, texts: Spans, with_starts: bool) -> Any:
    found = characters_of_one_size(codec, texts, with_starts)
    if found is None:
        return NotImplemented
    if not how.replace_control_characters:
        return found
    if how.errors == "ignore":  # which leaves them out
        return NotImplemented
    return without_controls(found, how.replacement_char)


def decoded(text: bytes, how: Any) -> Iterator[Character]:
    """The characters of `text`, by the attributes of an operation.

    Raises:
        InvalidArgumentError: bytes are none, and `errors` is "strict"; an unknown encoding.
    """
    for one in characters(text, input_codec(how.input_encoding)):
        is_wrong = one.number is None
        is_control = one.number is not None and one.number < 0x20
        if not is_wrong and not (is_control and how.replace_control_characters):
            yield one
        elif is_wrong and how.errors == "strict":
            raise InvalidArgumentError(f"Invalid formatting on input string: {text!r}")
        elif how.errors != "ignore":
            yield Character(how.replacement_char, one.start)


Decoded = tuple[list[int], Any, Any]  # how many characters each text has, their numbers and starts


def decoded_in_turn(texts: list[bytes], how: Any) -> Decoded:
    """The characters of texts, one after the other."""
    rows = [list(decoded(text, how)) for text in texts]
    flat = [one for row in rows for one in row]
    numbers = np.array([one.number for one in flat], np.int32)
    return [*map(len, rows)], numbers, np.array([one.start for one in flat], np.int64)


def decoded_at_once(texts: list[bytes], how: Any) -> Decoded | None:
    """The same where all are UTF-8 and nothing is to be replaced, else None."""
    if input_codec(how.input_encoding) != "utf-8":
        return None
    try:
        read = [text.decode() for text in texts]
    except UnicodeDecodeError:
        return None
    numbers = np.frombuffer("".join(read).encode("utf-32-le"), "<i4").astype(np.int32)
    if how.replace_control_characters and (numbers < 0x20).any():
        return None
    sizes = 1 + sum((numbers >= first).astype(np.int64) for first in (0x80, 0x800, 0x10000))
    before = np.cumsum([0, *map(len, texts)])[:-1]  # bytes of the texts before each
    counts = [*map(len, read)]
    return counts, numbers, np.cumsum(sizes) - sizes - np.repeat(before, counts)


def input_codec(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise InvalidArgumentError(
            f"Could not create converter for input encoding: {encoding}"
        ) from None


def output_codec(encoding: str) -> str:
    if encoding not in CODECS:
        names = ", ".join(CODECS)
        raise InvalidArgumentError(f"the output encoding is one of {names}, not {encoding!r}")
    return CODECS[encoding]


@dispatchable
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """The numbers of the characters of each string, int32: a RaggedTensor with one axis more than
    `input`, or a vector for a scalar.

    input: string [...]. input_encoding: "UTF-8", "UTF-16-BE", or another one that Python knows.
    errors: what is done about bytes that are no characters: "replace" (by `replacement_char`),
    "ignore" or "strict".

    >>> tf.strings.unicode_decode(["Hé", "!"], "UTF-8")
    <tf.RaggedTensor [[72, 233], [33]]>

    Raises:
        InvalidArgumentError: there are such bytes, and errors is "strict"; an unknown encoding.
        ValueError: the rank of `input` is not known.
    """

    def rows(text: Any) -> RaggedTensor:
        splits, numbers = bind(
            UnicodeDecode, text, input_encoding=input_encoding, errors=errors,
            replacement_char=replacement_char,
            replace_control_characters=replace_control_characters, name=name,
        )  # fmt: skip
        return RaggedTensor.from_row_splits(numbers, splits, validate=False)

    return in_rows(input, rows)


@dispatchable
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """As `unicode_decode`, and where in its string each character begins, in bytes, int64.

    Both results have the same shape.

    >>> numbers, starts = tf.strings.unicode_decode_with_offsets("é!", "UTF-8")
    >>> numbers.numpy(), starts.numpy()
    (array([233,  33], dtype=int32), array([0, 2]))

    Raises:
        InvalidArgumentError, ValueError: as there.
    """
    starts: list[RaggedTensor] = []

    def rows(text: Any) -> RaggedTensor:
        splits, numbers, places = bind(
            UnicodeDecodeWithOffsets, text, input_encoding=input_encoding, errors=errors,
            replacement_char=replacement_char,
            replace_control_characters=replace_control_characters, name=name,
        )  # fmt: skip
        starts.append(RaggedTensor.from_row_splits(places, splits, validate=False))
        return RaggedTensor.from_row_splits(numbers, splits, validate=False)

    found = in_rows(input, rows)
    places = starts[0].values
    return found, found.with_flat_values(places) if isinstance(found, RaggedTensor) else places


@dispatchable(elements=1)
def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    r"""Strings in another encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".

    input: string [...]; the result has its shape. The other arguments are those of
    `unicode_decode`.

    >>> tf.strings.unicode_transcode(["A", "é"], "UTF-8", "UTF-16-BE").numpy()
    array([b'\x00A', b'\x00\xe9'], dtype=object)

    Raises:
        InvalidArgumentError: bytes are no characters, and errors is "strict"; an unknown encoding.
    """
    return bind(
        UnicodeTranscode, as_tensor(input, dtypes.string), input_encoding=input_encoding,
        output_encoding=output_encoding, errors=errors, replacement_char=replacement_char,
        replace_control_characters=replace_control_characters, name=name,
    )  # fmt: skip


@dispatchable
def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    """Strings, each of the numbers of characters along the last axis (or of a ragged row).

    input: int32 [..., n], dense or ragged; the result is string [...]. errors: what is done about
    numbers that are no character's: "replace" (by `replacement_char`), "ignore" or "strict".

    >>> tf.strings.unicode_encode([[72, 105], [79, 107]], "UTF-8").numpy()
    array([b'Hi', b'Ok'], dtype=object)

    Raises:
        InvalidArgumentError: a number is no character's, and errors is "strict"; an encoding other
            than "UTF-8", "UTF-16-BE" and "UTF-32-BE".
        ValueError: `input` is a scalar, or its rank is not known.
    """

    def encoded(rows: Any) -> Any:
        if not isinstance(rows, RaggedTensor):
            return encoded_tensor(rows)
        if isinstance(rows.values, RaggedTensor) or rows.values.shape.rank != 1:
            return rows.with_values(encoded(rows.values))
        return bind(
            UnicodeEncode, rows.values, rows.row_splits, errors=errors,
            output_encoding=output_encoding, replacement_char=replacement_char, name=name,
        )  # fmt: skip

    def encoded_tensor(numbers: Any) -> Any:
        rank = numbers.shape.rank
        if not rank:
            raise ValueError("input_tensor's rank must be at least 1 and statically known.")
        size = shape_of(numbers)
        matrix = reshape(numbers, stack([reduce_prod(size[:-1]), size[-1]]))
        return reshape(encoded(RaggedTensor.from_tensor(matrix)), size[:-1])

    if isinstance(input, RaggedTensor):
        return encoded(input)
    return encoded(as_tensor(input, dtypes.int32))


@dispatchable
def unicode_split(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    r"""The characters of each string, as strings of the same encoding: a RaggedTensor with one axis
    more than `input`, or a vector for a scalar.

    input: string [...]. The arguments are those of `unicode_decode`.

    >>> tf.strings.unicode_split("né", "UTF-8").numpy()
    array([b'n', b'\xc3\xa9'], dtype=object)

    Raises:
        InvalidArgumentError, ValueError: as `unicode_decode`.
    """
    numbers = unicode_decode(input, input_encoding, errors, replacement_char, name=name)
    return _each_encoded(numbers, input_encoding)


@dispatchable
def unicode_split_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> tuple[Any, Any]:
    r"""As `unicode_split`, and where in its string each character begins, in bytes, int64.

    Both results have the same shape.

    >>> parts, starts = tf.strings.unicode_split_with_offsets("éa", "UTF-8")
    >>> parts.numpy(), starts.numpy()
    (array([b'\xc3\xa9', b'a'], dtype=object), array([0, 2]))

    Raises:
        InvalidArgumentError, ValueError: as `unicode_decode`.
    """
    numbers, starts = unicode_decode_with_offsets(
        input, input_encoding, errors, replacement_char, name=name
    )
    return _each_encoded(numbers, input_encoding), starts


def _each_encoded(numbers: Any, encoding: str) -> Any:
    if isinstance(numbers, RaggedTensor):
        return numbers.with_flat_values(_each_encoded(numbers.flat_values, encoding))
    return unicode_encode(numbers[:, None], encoding)
