"""`and`, `or` and `not`, where a tensor decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from .. import tensors
from ..places.containers import is_list
from .branches import choose, guard_of
from .conditions import operand

Lazy = Callable[[], Any]


def and_(value: Any, rest: Lazy, bound: FunctionType | None, operands: Sequence[Lazy]) -> Any:
    """`value and rest()`: the rest, of these operands, is evaluated where `value` is true."""
    if tensors.is_staged_list(value):
        return _beside_list("and", value, rest, bound, operands)
    decision, guard = operand(value, "and"), guard_of(*operands)
    both = choose(decision, lambda: _decided("and", rest), lambda: decision, _TEXT["and"], bound)
    guard.check("and")
    return both


def or_(value: Any, rest: Lazy, bound: FunctionType | None, operands: Sequence[Lazy]) -> Any:
    if tensors.is_staged_list(value):
        return _beside_list("or", value, rest, bound, operands)
    decision, guard = operand(value, "or"), guard_of(*operands)
    either = choose(decision, lambda: decision, lambda: _decided("or", rest), _TEXT["or"], bound)
    guard.check("or")
    return either


def _beside_list(
    word: str, values: Any, rest: Lazy, bound: FunctionType | None, operands: Sequence[Lazy]
) -> Any:
    """What begins with a list that grew: a list where the rest is one, else a truth value."""
    decision = values.length() > 0
    found: list[Any] = []

    def others() -> Any:
        found.append(_value(word, rest))
        return found[0]

    def itself() -> Any:
        return values.copy() if is_list(found[0]) else decision

    goes_on, guard = decision if word == "and" else not_(decision), guard_of(*operands)
    value = choose(goes_on, others, itself, _TEXT[word], bound)
    guard.check(word)
    return value


def _decided(word: str, rest: Lazy) -> Any:
    return tensors.as_condition(_value(word, rest))


_TEXT = {word: f"the value of `{word}`" for word in ("and", "or")}


def _value(word: str, rest: Lazy) -> Any:
    value = rest()
    if value is None:
        raise ValueError(
            f"Lengths of branch outputs of cond must match: the operands of `{word}` are a tensor "
            "and None"
        )
    return value


def not_(value: Any) -> Any:
    from ....ops.math.comparison import logical_not

    tensor = tensors.as_tensor(tensors.as_condition(value))
    if tensor.shape.rank == 0 and tensors.is_number(tensor):
        tensor = tensors.cast(tensor, "bool")
    return logical_not(tensor)
