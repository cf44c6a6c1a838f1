"""Native functions in modules of their own, which programs share: LAPACK's work (lapack.py),
NumPy's Fourier transforms (fourier.py), SciPy's functions (special.py), and rules of single numbers
(ops/shared_rules.py). Each is compiled when one first needs it, and kept until the process ends.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ...core.dtypes import BY_SHORT
from ...core.process.locks import ForkedLock
from ...ops import shared_rules
from ..loops.ir import Local, NativeFunction, Return
from ..machine.cache import open_cache
from ..machine.jit import NativeModule, compile_module, load_module, object_key
from . import blas, fourier, lapack, special, threads, ufunc_loops
from .names import THREAD_FUNCTIONS

_lock = ForkedLock()


def functions(name: str) -> list[NativeFunction]:
    """The level-2 function of a name, and what it calls."""
    for one in (lapack, fourier, special):
        if name.startswith(one.PREFIX):
            return one.functions(name)
    return [_of_rule(name)]


@cache
def function(name: str) -> NativeFunction:
    return functions(name)[0]


def _of_rule(name: str) -> NativeFunction:
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


def address(name: str) -> int:
    """Where the machine code of a function is."""
    with _lock():
        return _module(name).address(name)


@cache
def _module(name: str) -> NativeModule:
    disk, key, symbols = open_cache(), object_key(name), _symbols(name)
    if found := load_module(key, name=name, symbols=symbols, cache=disk):
        return found
    from ..llvm.exported import exported_as  # of no use to code that comes from the disk cache

    first, *others = functions(name)
    foreign = [*_loops_of(name)]
    text = exported_as([replace(first, name="shared"), *others], name, foreign)
    return compile_module(text, name=name, symbols=symbols, cache_key=name, cache=disk)


def _symbols(name: str) -> dict[str, int]:
    """What a function calls that is in no module."""
    if name.startswith(shared_rules.PREFIX):
        return {}
    symbols = {one: threads.address(one) for one in THREAD_FUNCTIONS}
    if name.startswith(lapack.PREFIX):
        return symbols | {one: blas.address(one) for one in lapack.routines(name)}
    for one, (ufunc, types) in _loops_of(name).items():
        loop = ufunc_loops.loop(ufunc, types)
        symbols |= {f"{one}.function": loop.function, f"{one}.data": loop.data}
    return symbols


def _loops_of(name: str) -> dict[str, tuple[str, str]]:
    """What a function calls of NumPy's and SciPy's loops."""
    for one in (fourier, special):
        if name.startswith(one.PREFIX):
            return one.loops_of(name)
    return {}
