"""Exceptions leave functions and operations with the user's frames only, unless that is off.

A frame is added to a traceback as the exception leaves it. So each public function that is made of
others takes out what is below it, and at most three frames of the library are left.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Any, Final, TypeVar, cast

from .. import context
from ..source import is_ours

Function = TypeVar("Function", bound=Callable[..., Any])


class _Filtering:
    """The switch of this process."""

    enabled = True


_filtering: Final = _Filtering()


def enable_traceback_filtering() -> None:
    """Leave the library's frames out of tracebacks (this is the default).

    >>> tf.debugging.enable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    _filtering.enabled = True


def disable_traceback_filtering() -> None:
    """Show the library's frames in tracebacks, for the whole process.

    >>> tf.debugging.disable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    >>> tf.debugging.enable_traceback_filtering()
    """
    _filtering.enabled = False


def is_traceback_filtering_enabled() -> bool:
    """Whether tracebacks leave out the library's frames.

    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    return _filtering.enabled


def shallow(function: Function) -> Function:
    """Decorate a public function that is made of others: its errors do not show how."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            hide_frames(error)
            raise

    return cast(Function, call)


def hide_frames(error: BaseException) -> None:
    """Take the library's frames out of the exception's traceback, the caller's among them.

    A bare `raise` behind it adds no frame. While tracing nothing is taken out: AutoGraph reads the
    frames, and the function that is traced hides them.
    """
    if _filtering.enabled and not context.building_graph():
        error.__traceback__ = without_ours(error.__traceback__)


def without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without frames of this library."""
    kept: list[TracebackType] = []
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not is_ours(file) and file != contextlib.__file__:
            kept.append(traceback)
        traceback = traceback.tb_next
    rest: TracebackType | None = None
    for one in reversed(kept):
        rest = TracebackType(rest, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return rest
