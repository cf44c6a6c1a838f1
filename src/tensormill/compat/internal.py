"""Functions of TensorFlow's private modules that clients call (`private.py` says where)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..control.cond import cond
from ..ops.conversion import static_value


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    name: str | None = None,
) -> Any:
    """`tf.cond`, but where `pred` is known now only that function is called."""
    known = pred if isinstance(pred, (bool, int)) else static_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name)
    return true_fn() if known else false_fn()


def maybe_merge_call(fn: Callable[..., Any], strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """`fn(strategy, *args, **kwargs)`: there is one replica, so nothing is merged."""
    return fn(strategy, *args, **kwargs)


def strategy_supports_no_merge_call() -> bool:
    return True


def unwrap(maybe_decorated: Any) -> tuple[list[Any], Any]:
    """The decorators around a function, outermost first, and the function."""
    decorators: list[Any] = []
    target = maybe_decorated
    while (inner := getattr(target, "python_function", None)) is not None:
        decorators.append(target)
        target = inner
    return decorators, target


def enabled() -> bool:
    """Whether this is TensorFlow 2."""
    return True
