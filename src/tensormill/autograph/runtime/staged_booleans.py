"""`and`, `or` and `not`, where a tensor decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import booleans, tensors
from .conditions import operand
from .staged_branches import choose

Lazy = Callable[[], Any]


def and_(value: Any, rest: Sequence[Lazy]) -> Any:
    """`value and rest[0]() and …`: the rest is evaluated where `value` is true."""
    decision = operand(value, "and")
    return choose(decision, lambda: _joined("and", rest), lambda: decision, _TEXT["and"])


def or_(value: Any, rest: Sequence[Lazy]) -> Any:
    decision = operand(value, "or")
    return choose(decision, lambda: decision, lambda: _joined("or", rest), _TEXT["or"])


_TEXT = {word: f"the value of `{word}`" for word in ("and", "or")}


def _joined(word: str, rest: Sequence[Lazy]) -> Any:
    join = booleans.and_ if word == "and" else booleans.or_
    value = join(rest[0](), *rest[1:])
    if value is None:
        raise ValueError(
            f"Lengths of branch outputs of cond must match: the operands of `{word}` are a tensor "
            "and None"
        )
    return value


def not_(value: Any) -> Any:
    from tensormill.ops.comparison import logical_not

    return logical_not(tensors.as_tensor(value))
