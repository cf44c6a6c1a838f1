"""Assertions of which a check can show everything are native, and say the same as others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill import backends


def message_of(run: Callable[[], Any]) -> str:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run()
    found = re.search(r"assertion failed: .*", str(caught.value))
    assert found is not None
    return found[0]


def evaluated_message(check: Callable[..., Any], *arguments: Any) -> str:
    with backends.using("reference"):
        return message_of(lambda: tf.function(check)(*arguments))


@pytest.mark.parametrize(
    "data",
    [
        lambda n: ["too {small}", n],
        lambda n: ["sizes", tf.stack([n, n + 1, n + 2, n + 3]), b"end"],
        lambda n: [n, n, n, n, n, n, n, n],
        lambda n: ["constants", 1.5, [True, False], -3],
    ],
)
def test_texts_and_whole_numbers_are_shown_natively(data: Callable[[Any], Any]) -> None:
    def check(n: Any) -> Any:
        tf.debugging.Assert(n > 3, data(n))
        return n

    native, few = tf.function(check), tf.constant(-2)

    assert native(tf.constant(4)).numpy() == 4
    assert "in Python" not in str(native.report())
    assert message_of(lambda: native(few)) == evaluated_message(check, few)


@pytest.mark.parametrize(
    "data",
    [
        lambda n: ["a float", tf.cast(n, tf.float32) / 3.0],
        lambda n: ["too many", *[n] * 17],
        lambda n: ["a string", tf.strings.as_string(n)],
    ],
)
def test_the_rest_is_shown_by_python(data: Callable[[Any], Any]) -> None:
    def check(n: Any) -> Any:
        tf.debugging.Assert(n > 3, data(n))
        return n

    native, few = tf.function(check), tf.constant(-2)

    assert native(tf.constant(4)).numpy() == 4
    assert "in Python" in str(native.report())
    assert message_of(lambda: native(few)) == evaluated_message(check, few)


def test_other_texts_are_other_code() -> None:
    """Both have the same operations, which the disk cache must not take for the same."""

    def fail(text: str) -> str:
        def check(n: Any) -> Any:
            tf.debugging.Assert(n > 3, [text])
            return n

        return message_of(lambda: tf.function(check)(tf.constant(0)))

    assert [fail("one"), fail("two"), fail("one")] == [
        "assertion failed: [one]",
        "assertion failed: [two]",
        "assertion failed: [one]",
    ]
