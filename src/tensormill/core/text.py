"""Text and bytes: what `tf.compat` converts between, and what the arrays of strings hold."""

from __future__ import annotations

import numbers
from typing import Any, Final

import numpy as np

from ..errors import InternalError

# What `isinstance` asks for text, and for numbers of Python's or NumPy's.
bytes_or_text_types: Final = (bytes, str)
integral_types: Final = (numbers.Integral, np.integer)
real_types: Final = (numbers.Real, np.integer, np.floating)
complex_types: Final = (numbers.Complex, np.number)


def strings_in(array: np.ndarray[Any, Any]) -> list[bytes]:
    """The strings of an array, in a row.

    An array of objects can hold anything, and what is done with bytes is done with other buffers,
    too: of an array of objects `join` takes the addresses.

    Raises:
        InternalError: an element is not bytes.
    """
    found: list[Any] = array.reshape(-1).tolist()
    if set(map(type, found)) <= {bytes}:
        return found
    for place, one in enumerate(found):
        if not isinstance(one, bytes):
            raise InternalError(
                f"a string tensor of shape {list(array.shape)} holds bytes only, but element "
                f"{place} is of type {type(one).__name__}: {one!r}; whatever made it put an "
                "object into it that is no string"
            )
    return found


def as_bytes(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> bytes:
    r"""Bytes, text encoded.

    >>> tf.compat.as_bytes("né"), tf.compat.as_bytes(b"as it is")
    (b'n\xc3\xa9', b'as it is')

    Raises:
        TypeError: it is neither.
        UnicodeEncodeError: `encoding` has no such character.
    """
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: str | bytes, encoding: str = "utf-8") -> str:
    r"""Text, bytes decoded.

    >>> tf.compat.as_str(b"n\xc3\xa9"), tf.compat.as_str("as it is")
    ('né', 'as it is')

    Raises:
        TypeError: it is neither.
        UnicodeDecodeError: the bytes are no text in `encoding`.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Text of anything: bytes decoded, other things as `str` has them.

    >>> tf.compat.as_str_any(b"abc"), tf.compat.as_str_any(12)
    ('abc', '12')

    Raises:
        UnicodeDecodeError: the bytes are no text in `encoding`.
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> Any:
    """A path object as text, everything else as it is.

    >>> from pathlib import PurePosixPath
    >>> tf.compat.path_to_str(PurePosixPath("a") / "b"), tf.compat.path_to_str("c")
    ('a/b', 'c')
    """
    return path.__fspath__() if hasattr(path, "__fspath__") else path
