"""Exceptions of users in graphs."""

from __future__ import annotations

import pytest

import tensormill as tf
from tensormill.errors import InvalidArgumentError
from tensormill.ops.raising import Raised, recreated_exception


class Refused(Exception):
    def __init__(self, code: int, *, hint: str) -> None:
        super().__init__(code)
        self.hint = hint


def test_an_exception_is_made_again_without_its_constructor() -> None:
    described, tensors = Raised.of(Refused(3, hint="wait"), "here")

    made = recreated_exception(described)
    assert isinstance(made, Refused)
    assert (made.args, made.hint, made.__notes__, tensors) == ((3,), "wait", ["here"], [])
    assert recreated_exception(described) is not made


def test_tensors_among_its_arguments_are_what_they_are_when_it_is_raised() -> None:
    @tf.function
    def f(x):
        if x > 0:
            raise ValueError("too large", x)
        return x

    for value in (3, 4):
        with pytest.raises(ValueError, match="too large") as caught:
            f(tf.constant(value))
        assert caught.value.args == ("too large", value)


def test_of_an_exception_in_a_file_the_text_is_left() -> None:
    error = recreated_exception("KeyError: 'k'")

    assert isinstance(error, InvalidArgumentError)
    assert "KeyError: 'k'" in str(error)
