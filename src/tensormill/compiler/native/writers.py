"""Functions that are written when a program first needs one: LAPACK's work, Fourier transforms,
SciPy's functions, rules of single numbers. What writes them is imported then.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .names import FOURIER, LAPACK, RULES

if TYPE_CHECKING:
    from ..loops.ir import NativeFunction


def written(name: str) -> list[NativeFunction]:
    """The level-2 functions of a name in `names.SHARED`: its own, then what that calls."""
    return [_of_rule(name)] if name.startswith(RULES) else writer_of(name).functions(name)


def writer_of(name: str) -> Any:
    """The Python module that writes functions of such names, which are no rules."""
    if name.startswith(LAPACK):
        from . import lapack as writer
    elif name.startswith(FOURIER):
        from .fourier import functions as writer
    else:
        from .special import functions as writer
    return writer


@cache
def _of_rule(name: str) -> NativeFunction:
    from ...core.dtypes import BY_SHORT
    from ...ops import shared_rules
    from ..loops.ir import Local, NativeFunction, Return
    from ..lowering.blocks import Blocks
    from ..lowering.builder import Builder
    from ..lowering.scalars import Scalar

    rule, blocks = shared_rules.rule_of(name), Blocks()
    parameters = tuple(
        [Local(f"operand.{number}", type_) for number, type_ in enumerate(rule.parameters)]
    )
    operands = [Scalar(one, BY_SHORT[one.type]) for one in parameters]
    result = rule.body(Builder(blocks, None), *operands)
    assert result.dtype.short == rule.result
    assert not blocks.prologue  # memory, which only programs have
    blocks.emit(Return(blocks.named(result)))
    return NativeFunction(name, parameters, rule.result, tuple(blocks.open[-1]))
