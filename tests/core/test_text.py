"""Text and bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensormill.core import text
from tensormill.errors import InternalError


@pytest.mark.parametrize("value", ["é", b"\xc3\xa9"])
def test_text_and_bytes_convert_both_ways(value: Any) -> None:
    assert (b"\xc3\xa9", "é") == (text.as_bytes(value), text.as_text(value))
    assert "é" == text.as_str_any(value)


@pytest.mark.parametrize("convert", [text.as_bytes, text.as_text])
def test_other_things_are_refused(convert: Any) -> None:
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        convert(3)


def test_paths_become_text() -> None:
    assert "a" == text.path_to_str(Path("a"))
    assert ("3", 3) == (text.as_str_any(3), text.path_to_str(3))


def test_the_strings_of_an_array_are_bytes() -> None:
    array = np.array([[b"a", b""], [b"b", np.bytes_(b"c")]], object)

    assert [b"a", b"", b"b", b"c"] == text.strings_in(array)
    assert [b"a"] == text.strings_in(np.array(b"a", object))


@pytest.mark.parametrize("intruder", [np.array(b"x", object), "x", bytearray(b"x"), None, 0])
def test_an_object_that_is_not_bytes_is_no_string(intruder: Any) -> None:
    array = np.array([b"a", None], object)
    array[1] = intruder

    message = (
        rf"of shape \[2\] holds bytes only, but element 1 is of type {type(intruder).__name__}"
    )
    with pytest.raises(InternalError, match=message):
        text.strings_in(array)
