"""Exceptions, told in the user's lines."""

# Some variables are unbound on purpose.
# pyright: reportUnboundVariable=false

from __future__ import annotations

import contextlib
from typing import Any

import pytest

import tensormill as tf
from tensormill import errors
from tensormill.autograph.api import convert_function, do_not_convert
from tensormill.errors import StagingError
from tests.autograph.programs import elsewhere
from tests.autograph.staging import staged


class TwoArguments(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(code, text)
        self.code = code

    def __str__(self) -> str:
        return f"code {self.code}"


def raising(error: Exception) -> Any:
    def f(x):
        raise error

    return f


def message_of(function: Any, *arguments: Any) -> str:
    with pytest.raises(Exception, match="in user code") as caught:
        staged(function, *arguments)
    return str(caught.value)


def test_frames_are_listed_in_the_order_of_calls() -> None:
    def f(x):
        for i in tf.range(3):
            if i > 1:
                x = elsewhere.broken(x)
        return x

    lines = [line.strip() for line in message_of(f, 1).splitlines()]
    assert lines[0] == "in user code:"
    assert lines[2].endswith(f"line {f.__code__.co_firstlineno + 3}, in f  *")
    assert lines[3] == "x = elsewhere.broken(x)"
    assert lines[4].endswith("in broken  *")
    assert "elsewhere.py" in lines[4]
    assert lines[5] == "x = tf.reshape("
    assert any(line.startswith("TypeError: ") for line in lines[7:])


def test_an_error_of_code_that_runs_as_written_stays_as_it_is() -> None:
    error = ValueError("text")

    with pytest.raises(ValueError, match=r"^text$") as caught:
        staged(do_not_convert(raising(error)), 1)

    assert caught.value is error
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "error",
    [
        ValueError("text"),
        KeyError("text"),
        TwoArguments(3, "text"),
        OSError(2, "text"),
        errors.NotFoundError(None, None, "text"),
        ImportError("text", name="module"),
        AssertionError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_exception_keeps_its_class_and_its_attributes(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        staged(raising(error), 1)

    assert str(caught.value).startswith("in user code:\n")
    assert type(caught.value).__name__ == type(error).__name__
    assert caught.value.__cause__ is error
    assert getattr(caught.value, "code", None) == getattr(error, "code", None)


class Demanding(Exception):
    def __new__(cls, text: str) -> Demanding:
        return super().__new__(cls, text)


def test_an_exception_that_cannot_be_made_again_is_a_staging_error() -> None:
    with pytest.raises(StagingError, match="Demanding: text") as caught:
        staged(raising(Demanding("text")), 1)

    assert isinstance(caught.value.__cause__, Demanding)


def test_a_key_error_shows_its_key() -> None:
    assert "KeyError: 'text'" in message_of(raising(KeyError("text")), 1)


def test_the_cause_has_the_users_frames_alone() -> None:
    def f(x):
        if x > 0:
            x = 1 / 0
        return x

    with pytest.raises(ZeroDivisionError) as caught:
        staged(f, 1)

    cause = caught.value.__cause__
    assert cause is not None
    frame, names = cause.__traceback__, []
    while frame is not None:
        names.append(frame.tb_frame.f_code.co_name)
        frame = frame.tb_next
    assert names == ["f", "f"]


def test_an_unset_variable_is_named() -> None:
    def local(x):
        del x
        return x  # noqa: F821

    def in_a_branch(x):
        y = x
        del y
        if x > 0:
            x = y  # noqa: F821
        return x

    for function, name in ((local, "x"), (in_a_branch, "y")):
        with pytest.raises(UnboundLocalError, match=f"'{name}' is used before assignment"):
            staged(function, 1)


def test_a_name_that_is_nowhere_is_a_name_error_with_the_nearest_name() -> None:
    with pytest.raises(NameError, match=r"name 'qqqqqq' is not defined\n") as caught:
        staged(lambda x: qqqqqq, 1)  # type: ignore[name-defined]  # noqa: F821
    assert type(caught.value) is NameError
    with pytest.raises(NameError, match=r"name 'stagd' is not defined\. Did you mean: 'staged'\?"):
        staged(lambda x: stagd, 1)  # type: ignore[name-defined]  # noqa: F821


@contextlib.contextmanager
def failing() -> Any:
    raise ValueError("in the manager")
    yield


def test_what_stands_between_a_with_and_its_generator_is_not_shown() -> None:
    def f(x):
        with failing():
            return x

    text = message_of(f, 1)
    assert "with failing():" in text
    assert "in failing  **" in text
    assert "contextlib" not in text.replace("@contextlib", "")


def test_a_line_that_the_frames_show_is_not_shown_again() -> None:
    text = message_of(lambda x: tf.reshape(x, [5]), [1, 2])

    assert text.count("tf.reshape(x, [5])") == 1
    assert text.rstrip().endswith("Const: i32[1]")


@do_not_convert
def reshaped(x: Any) -> Any:
    return tf.reshape(x, [5])


def test_a_function_that_is_not_converted_has_its_line_in_the_text() -> None:
    with pytest.raises(ValueError, match=r"test_user_errors.py:\d+, in reshaped\n"):
        tf.function(reshaped)(tf.constant([1, 2]))


def test_a_function_around_adds_its_frames() -> None:
    def inner(x):
        return x.missing

    def outer(x):
        return convert_function(inner)(x)

    text = message_of(outer, 1)

    assert text.count("in user code:") == 1
    assert text.index("in outer  *") < text.index("in inner  *")


def test_what_the_library_says_of_the_arguments_is_left_alone() -> None:
    with pytest.raises(TypeError, match=r"^(?!in user code)"):
        convert_function(elsewhere.plain)(1, 2)  # type: ignore[call-arg]


def test_interrupts_pass() -> None:
    with pytest.raises(KeyboardInterrupt):
        convert_function(raising(KeyboardInterrupt()))(1)  # type: ignore[arg-type]
