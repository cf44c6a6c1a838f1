"""NumPy's floating-point warnings, off while a kernel runs.

A tensor library answers 1/0 with inf and says nothing; a script that also uses NumPy keeps
whatever it chose for itself. `np.errstate` does this in 0.9 µs, which is what a whole eager
addition may cost, so where NumPy keeps the state in a context variable it is set directly (70 ns).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np


def _direct() -> tuple[Callable[[], Any], Callable[[Any], None]] | None:
    """Enter and leave by NumPy's own context variable (NumPy 2), or None."""
    try:
        internals: Any = import_module("numpy._core.umath")
        variable: Any = internals._extobj_contextvar
        state: Any = internals._make_extobj(all="ignore")
        variable.reset(variable.set(state))
    except (ImportError, AttributeError, TypeError):
        return None
    return partial(variable.set, state), variable.reset


def _enter() -> Any:
    state = np.errstate(all="ignore")
    state.__enter__()
    return state


def _leave(state: Any) -> None:
    state.__exit__(None, None, None)


# `token = enter()`, and in a `finally` clause `leave(token)`.
enter, leave = _direct() or (_enter, _leave)
