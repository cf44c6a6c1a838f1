"""The native functions of shared rules (ops/shared_rules.py), each compiled when one first needs it
and kept until the process ends.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ...core.dtypes import BY_SHORT
from ...core.process.locks import ForkedLock
from ...ops.shared_rules import rule_of
from ..loops.ir import Local, NativeFunction, Return
from ..machine.cache import open_cache
from ..machine.jit import NativeModule, compile_module, load_module, object_key

_lock = ForkedLock()


@cache
def function(name: str) -> NativeFunction:
    """The rule as a level-2 function."""
    from ..lowering.blocks import Blocks
    from ..lowering.builder import Builder
    from ..lowering.scalars import Scalar

    rule, blocks = rule_of(name), Blocks()
    parameters = tuple(
        [Local(f"operand.{number}", type_) for number, type_ in enumerate(rule.parameters)]
    )
    operands = [Scalar(one, BY_SHORT[one.type]) for one in parameters]
    result = rule.body(Builder(blocks, None), *operands)
    assert result.dtype.short == rule.result
    assert not blocks.prologue  # memory, which only programs have
    blocks.emit(Return(blocks.named(result)))
    return NativeFunction(name, parameters, rule.result, tuple(blocks.open[-1]))


def address(name: str) -> int:
    """Where the machine code of a function is."""
    with _lock():
        return _module(name).address(name)


@cache
def _module(name: str) -> NativeModule:
    disk, key = open_cache(), object_key(name)
    if found := load_module(key, name=name, cache=disk):
        return found
    from ..llvm.exported import exported_as  # of no use to code that comes from the disk cache

    text = exported_as([replace(function(name), name="rule")], name)
    return compile_module(text, name=name, cache_key=name, cache=disk)
