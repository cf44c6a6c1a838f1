"""Strings at the limits: no tensors to join, runs of no neighbours."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "compiled"])
def test_no_tensors_joined_are_an_empty_string(wrap: Any) -> None:
    assert b"" == wrap(lambda: tf.strings.join([], separator="-"))().numpy()


@pytest.mark.parametrize("width", [0, -1, [1, 0], [2, -3]])
def test_a_run_has_a_string_at_least(width: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        tf.strings.ngrams(["a", "b"], width)


@pytest.mark.parametrize("width", [0, -1])
def test_a_padding_has_a_string_at_least(width: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        tf.strings.ngrams(["a", "b"], 2, pad_values="x", padding_width=width)


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "compiled"])
def test_no_character_and_length_both_count_from_the_end(wrap: Any) -> None:
    cut = wrap(lambda text, *part: tf.strings.substr(text, *part, unit="UTF8_CHAR"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="pos -1"):
        cut(tf.constant("abc"), -1, -1)
    assert b"" == cut(tf.constant("abc"), 1, -1).numpy()
