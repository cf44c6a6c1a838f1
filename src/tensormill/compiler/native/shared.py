"""Native functions in modules of their own, which programs share: LAPACK's work (lapack.py),
NumPy's Fourier transforms (fourier.py), SciPy's functions (special.py), rules of single numbers
(ops/shared_rules.py), and those of the library (library.py) that programs need most often: memory
and products. Each is compiled when one first needs it, and kept until the process ends.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ...core.dtypes import BY_SHORT
from ...core.process.locks import ForkedLock
from ...ops import shared_rules
from ..loops.cblas import cblas_product
from ..loops.ir import Local, NativeFunction, Return
from ..machine.cache import open_cache
from ..machine.jit import NativeModule, compile_module, load_module, object_key
from . import blas, fourier, lapack, special, threads, ufunc_loops
from .names import APART, CALLS, MODULE_OF, THREAD_FUNCTIONS, TOGETHER

# LLVM's passes would take 28 ms for a product, to save 4 ns of microseconds.
_QUICKLY: Final = 0
_lock = ForkedLock()


def functions(name: str) -> list[NativeFunction]:
    """The level-2 functions of a module, and what they call."""
    for one in (lapack, fourier, special):
        if name.startswith(one.PREFIX):
            return one.functions(name)
    if name.startswith(shared_rules.PREFIX):
        return [_of_rule(name)]
    from .library import needed  # many programs call none of these

    return needed(TOGETHER.get(name, (name,)), copied=True)


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
        return _module(MODULE_OF.get(name, name)).address(name)


@cache
def _module(name: str) -> NativeModule:
    """The module of this name, or of the function that has one to itself."""
    effort = _QUICKLY if name.startswith(APART) else 2
    disk, key, symbols = open_cache(), object_key(name, effort=effort), _symbols(name)
    if found := load_module(key, name=name, symbols=symbols, cache=disk):
        return found
    from ..calling.shared_calls import shared_calls  # of no use to code from the disk cache
    from ..llvm.exported import exported_as

    if name == CALLS:
        text = shared_calls()
    else:
        text = exported_as(functions(name), TOGETHER.get(name, (name,)), [*_loops_of(name)])
    return compile_module(
        text, name=name, symbols=symbols, cache_key=name, cache=disk, effort=effort
    )


def _symbols(name: str) -> dict[str, int]:
    """What a function calls that is in no module."""
    if name.startswith(shared_rules.PREFIX) or name in TOGETHER:
        return {}
    symbols = {one: threads.address(one) for one in THREAD_FUNCTIONS}
    if name.startswith(APART):
        product = cblas_product(name.removeprefix(APART))
        return symbols | {product: blas.address(product)}
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
