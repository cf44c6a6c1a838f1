"""The numbers that strings spell, as C's `strtof`, `strtod` and `strtol` read them."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.native_operations import TEXTS
from ...errors import InvalidArgumentError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..math.comparison import logical_not
from ..math.reduce import reduce_any
from ..op import Attr, In, Op, Out, types
from .byte_strings import flat
from .spans.reading import NumbersOfSpans
from .spans.spans import Doubted

if TYPE_CHECKING:
    from ..results import Tensor

Array = numpy_module.ndarray[Any, Any]

# What C reads and Python's `float` does not: the second says which NaN.
_HEXADECIMAL: Final = re.compile(
    rb"([+-]?)0x(?=\.?[0-9a-f])([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?[0-9]+))?", re.IGNORECASE
)
_MARKED_NAN: Final = re.compile(rb"([+-]?nan)\([0-9a-z_]*\)", re.IGNORECASE)


class StringToNumber(Op):
    """The number that each string spells.

    Raises:
        InvalidArgumentError: it spells none, or one that the dtype cannot hold.
    """

    string_tensor = In("str *s")
    output = Out("out_type *s")
    out_type = Attr(dtypes.float32, types("f32 f64 i32 i64 u32 u64"))
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        texts = flat(self.string_tensor)
        numbers = self.numbers(texts)
        if numbers is None:
            numbers = list(map(self.number, texts))
        if self.out_type is dtypes.float32:
            made = rounded_once(np.array(numbers, np.float64), texts)
        else:
            made = np.array(numbers, self.out_type.storage)
        return made.reshape(self.string_tensor.shape)

    def on_spans(self) -> Any:
        found, doubtful = bind(NumbersOfSpans, *self.string_tensor.parts, out_type=self.out_type)
        return Doubted(logical_not(reduce_any(doubtful)), (found,))

    def numbers(self, texts: list[bytes]) -> list[Any] | None:
        """All of them; None where `number` has to say which one is wrong."""
        if b"_" in b"".join(texts):
            return None
        try:
            numbers = list(map(float if self.out_type.is_floating else int, texts))
        except ValueError:
            return None
        if self.out_type.is_floating or not numbers:
            return numbers
        low, high = self.out_type.min, self.out_type.max
        return numbers if low <= min(numbers) and max(numbers) <= high else None

    def number(self, text: bytes) -> Any:
        spelled = text.strip()
        try:
            if self.out_type.is_floating:
                return _float(spelled)
            if b"_" in text:  # Python's grouping of digits
                raise ValueError
            value = int(spelled)
            if not self.out_type.min <= value <= self.out_type.max:
                raise ValueError
        except ValueError:
            shown = text.decode("utf-8", "replace")
            raise InvalidArgumentError(
                f"StringToNumberOp could not correctly convert string: {shown}"
            ) from None
        return value


def _float(text: bytes) -> float:
    if _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(text.decode())
        except OverflowError:
            return -numpy_module.inf if text.startswith(b"-") else numpy_module.inf
    if found := _MARKED_NAN.fullmatch(text):
        return float(found[1])
    if b"_" in text:
        raise ValueError
    return float(text)


def rounded_once(wide: Array, texts: list[bytes]) -> Array:
    """The float32 nearest to what is spelled, where `wide` are the nearest float64.

    Rounding `wide` again is wrong where it lies between two float32 and the text beside it. There
    the text goes to whichever of the two float64 around it is odd, which no rounding takes for the
    middle (Boldo and Melquiond 2008).
    """
    single, infinite = numpy_module.float32, numpy_module.inf
    with numpy_module.errstate(over="ignore"):
        narrow = wide.astype(single)
        below, above = (numpy_module.nextafter(wide, limit) for limit in (-infinite, infinite))
        is_between = (below.astype(single) < above.astype(single)) & numpy_module.isfinite(wide)
        for k in numpy_module.flatnonzero(is_between):
            spelled, number = _exactly(texts[k].strip()), wide[k].item()
            is_odd = wide[k].view(numpy_module.int64) & 1
            if spelled != number and not is_odd:
                narrow[k] = above[k] if spelled > number else below[k]
    return narrow


def _exactly(text: bytes) -> Decimal | Fraction:
    """What a text spells of which `_float` gives a finite number."""
    found = _HEXADECIMAL.fullmatch(text)
    if found is None:
        return Decimal(text.decode())
    sign, whole, fraction, exponent = found.groups()
    digits = Fraction(int(whole + fraction, 16), 16 ** len(fraction))
    return int(sign + b"1") * digits * Fraction(2) ** int(exponent or 0)


@dispatchable(elements=1)
def string_to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The number that each string spells, as `out_type`.

    input: string [...]; the result has its shape. out_type: an integer or floating-point dtype,
    float32 by default. White space around a number is skipped; floats may be hexadecimal
    (`0x1.8p3`).

    >>> tf.strings.to_number(["10", " -7"], tf.int32).numpy()
    array([10, -7], dtype=int32)

    Raises:
        InvalidArgumentError: a string spells no number, or an integer that `out_type` cannot hold.
    """
    kind = None if out_type is None else as_dtype(out_type)
    return bind(StringToNumber, input, out_type=kind, name=name)
