from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.process.tracebacks import hide_frames, without_ours


def raised(function: Callable[[], Any]) -> BaseException:
    try:
        function()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def files(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


@contextlib.contextmanager
def passing() -> Iterator[None]:
    yield


def in_a_context() -> None:
    with contextlib.ExitStack() as stack:
        stack.enter_context(passing())
        tf.debugging.assert_equal(1, 2)


def test_only_the_users_frames_are_left() -> None:
    error = raised(in_a_context)

    left = traceback.extract_tb(without_ours(error.__traceback__))

    assert [frame.name for frame in left] == ["raised", "in_a_context"]


def test_frames_of_the_standard_context_managers_are_left_out() -> None:
    @contextlib.contextmanager
    def failing() -> Iterator[None]:
        yield
        raise ValueError("late")

    def leave() -> None:
        with failing():
            pass

    error = raised(leave)
    assert contextlib.__file__ in files(error)
    hide_frames(error)

    assert files(error) == [__file__] * 3


def test_nothing_is_hidden_where_the_user_wants_to_see_all() -> None:
    tf.debugging.disable_traceback_filtering()
    try:
        error = raised(in_a_context)
        before = files(error)
        hide_frames(error)
    finally:
        tf.debugging.enable_traceback_filtering()

    assert files(error) == before
    assert any("tensormill" in file for file in before)


def test_nothing_is_hidden_while_tracing() -> None:
    seen: list[bool] = []

    def inner() -> None:
        error = raised(lambda: tf.reshape(tf.ones([2]), [3]))
        before = files(error)
        hide_frames(error)
        seen.append(files(error) == before and len(before) > 2)

    tf.function(inner, autograph=False)()

    assert seen == [True]


@pytest.fixture(autouse=True)
def filtering() -> Iterator[None]:
    assert tf.debugging.is_traceback_filtering_enabled()
    yield
    assert tf.debugging.is_traceback_filtering_enabled()
