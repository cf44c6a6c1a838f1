"""Exceptions of users' functions as errors of operations."""

from __future__ import annotations

import pickle

import pytest

from tensormill.errors import InvalidArgumentError, OpError, OutOfRangeError, UnknownError
from tensormill.ops.user_errors import translated


class Described(Exception):
    def __init__(self, first: str, second: str) -> None:
        super().__init__(first, second)
        self.second = second


def test_an_error_is_of_both_classes_and_keeps_attributes() -> None:
    error = translated(Described("a", "b"))

    assert isinstance(error, UnknownError)
    assert isinstance(error, Described)
    assert error.second == "b"
    assert str(error) == error.message == error.args[0]


def test_its_own_attributes_are_not_overwritten() -> None:
    original = ValueError("x")
    setattr(original, "message", "theirs")  # noqa: B010
    assert translated(original).message.startswith("ValueError: x")


@pytest.mark.parametrize(
    ("original", "kind"),
    [
        (StopIteration("end"), OutOfRangeError),
        (ExceptionGroup("several", [ValueError("a")]), UnknownError),
    ],
)
def test_some_classes_cannot_be_shared(original: Exception, kind: type[OpError]) -> None:
    error = translated(original)
    assert type(error) is kind
    assert type(original).__name__ in str(error)


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(translated(ValueError("x"))))
    assert type(error) is InvalidArgumentError
    assert "ValueError: x" in error.message
