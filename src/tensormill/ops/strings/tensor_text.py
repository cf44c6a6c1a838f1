"""The text of arrays as TensorFlow prints them: no commas, the middle of long axes left out."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...core import dtypes

# Digits with which most numbers of a dtype survive being read back, and those with which all do.
_SINGLE, _DOUBLE = (6, 9), (15, 17)
_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def array_text(array: np.ndarray[Any, Any], summarize: int, quoted: bool = True) -> str:
    r"""`[[0 1 2 ... 7 8 9]\n ...]`: at most `summarize` entries at either end of an axis (-1: all).

    Strings stand in double quotes if `quoted`. Rows of which no element is shown are not counted:
    `[\n ...]`.
    """
    wanted = dtypes.shown(array)
    if array.ndim == 0:
        return element_text(wanted[()], quoted) if summarize else "..."
    if len(array) and not (array.size and summarize):
        return "[" + "\n" * (array.ndim - 1) + " ...]"
    places = [shown(length, summarize) for length in array.shape]
    cut = [len(some) < length for some, length in zip(places, array.shape, strict=True)]
    for axis in [k for k, is_cut in enumerate(cut) if is_cut]:
        wanted = wanted.take(places[axis], axis)
    rows = element_texts(wanted.reshape(-1), quoted)
    for axis in reversed(range(array.ndim)):
        depth = array.ndim - 1 - axis
        separator = "\n" * depth + " " * (axis + 1) if depth else " "
        length = len(places[axis])
        groups = [rows[k * length : (k + 1) * length] for k in range(prod(wanted.shape[:axis]))]
        for group in groups if cut[axis] else ():
            group.insert(summarize, "...")
        rows = [f"[{separator.join(group)}]" for group in groups]
    return rows[0]


def shown(length: int, summarize: int) -> list[int]:
    """Which entries of an axis are written out."""
    if summarize < 0 or length <= 2 * summarize:
        return list(range(length))
    return [*range(summarize), *range(length - summarize, length)]


def first_text(array: np.ndarray[Any, Any], count: int) -> str:
    """`[0 1][2...]...`: the first `count` elements (-1: all), without the outermost brackets."""
    text = _first_of(dtypes.shown(array), array.size if count < 0 else count)
    return f"{text}..." if array.ndim != 1 and 0 <= count < array.size else text


def _first_of(array: Any, count: int) -> str:
    if array.ndim == 0:
        return _plain_text(array[()]) if count else ""
    if array.ndim == 1:
        words = " ".join(map(_plain_text, array[:count]))
        return f"{words}..." if count < len(array) else words
    rows = array if array.size else array[:0]
    left = [count - array[0].size * k for k in range(len(rows))]
    return "".join([f"[{_first_of(row, n)}]" for row, n in zip(rows, left, strict=True) if n > 0])


def _plain_text(element: Any) -> str:
    if isinstance(element, (bytes, str)):
        return element_text(element, quoted=True)[1:-1]
    return "?" if isinstance(element, np.complexfloating) else element_text(element, quoted=False)


def element_text(element: Any, quoted: bool) -> str:
    """One element: floats with as few digits as identify them, bools as 1 and 0."""
    if isinstance(element, (bytes, str)):
        text = element.encode() if isinstance(element, str) else element
        return f'"{escaped(text)}"' if quoted else text.decode("utf-8", "replace")
    if isinstance(element, (bool, np.bool_)):
        return "1" if element else "0"
    if isinstance(element, (np.complexfloating, complex)):
        return f"{number_text(element.real)}{number_text(element.imag, sign=True)}j"
    if isinstance(element, (np.integer, int)):
        return str(int(element))
    return number_text(element)


def element_texts(elements: np.ndarray[Any, Any], quoted: bool) -> list[str]:
    """`element_text` of each."""
    if elements.dtype.kind in "iu":
        return [*map(str, elements.tolist())]
    if elements.dtype.char not in "fd":
        return [element_text(one, quoted) for one in elements]
    few, many = _DOUBLE if elements.dtype.char == "d" else _SINGLE
    numbers = elements.tolist()
    texts = [*map(f"%.{few}g".__mod__, numbers)]
    with np.errstate(over="ignore"):
        read_back = np.array([*map(float, texts)]).astype(elements.dtype)
    for place in np.flatnonzero((read_back != elements) & (elements == elements)).tolist():
        texts[place] = f"%.{many}g" % numbers[place]
    return texts


def number_text(number: Any, sign: bool = False) -> str:
    """A float with 6 digits (float64: 15) where they identify it, else with 9 (17)."""
    exact = isinstance(number, (np.float64, float))
    value = float(number)
    plus = "+" if sign else ""
    few, many = _DOUBLE if exact else _SINGLE
    text = format(value, f"{plus}.{few}g")
    read_back = float(text) if exact else float(np.float32(text))
    return text if read_back == value or value != value else format(value, f"{plus}.{many}g")


def escaped(text: bytes) -> str:
    """Bytes as C writes them in a literal; those of UTF-8's longer characters stay."""
    shown = "".join(
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte != 127 else f"\\{byte:03o}") for byte in text
    )
    return shown.encode("latin-1").decode("utf-8", "surrogateescape")


def text_array(text: str) -> Any:
    """A scalar string array."""
    array = np.empty((), object)
    array[()] = text.encode("utf-8", "surrogateescape")
    return array
