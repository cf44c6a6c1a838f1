"""Text and bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensormill.core import text


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
