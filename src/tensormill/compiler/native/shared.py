"""Native functions in modules of their own, which programs share: LAPACK's work (lapack.py),
NumPy's Fourier transforms (fourier.py), SciPy's functions (special.py), rules of single numbers
(ops/shared_rules.py), and those of the library (library.py) that programs need most often: memory
and products. Each is compiled when one first needs it, and kept until the process ends.

What writes their texts, or what they call, is imported when a module needs it: most come from the
disk, and few programs need LAPACK.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ...core.process.locks import ForkedLock
from ..machine.cache import open_cache
from ..machine.jit import NativeModule, compile_module, load_module, object_key
from .names import (
    APART,
    CALLS,
    FOURIER,
    LAPACK,
    MODULE_OF,
    RULES,
    SPECIAL,
    THREAD_FUNCTIONS,
    TOGETHER,
)

if TYPE_CHECKING:
    from ..loops.ir import NativeFunction

# LLVM's passes would take 28 ms for a product, to save 4 ns of microseconds.
_QUICKLY: Final = 0
_lock = ForkedLock()


def functions(name: str) -> list[NativeFunction]:
    """The level-2 functions of a module, and what they call."""
    if (writer := _writer(name)) is not None:
        return writer.functions(name)
    if name.startswith(RULES):
        return [_of_rule(name)]
    from .library import needed  # many programs call none of these

    return needed(TOGETHER.get(name, (name,)), copied=True)


def _writer(name: str) -> Any:
    """The Python module that writes functions of such names; None for the library's and rules."""
    if name.startswith(LAPACK):
        from . import lapack as writer
    elif name.startswith(FOURIER):
        from . import fourier as writer
    elif name.startswith(SPECIAL):
        from . import special as writer
    else:
        return None
    return writer


@cache
def function(name: str) -> NativeFunction:
    return functions(name)[0]


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
    if name.startswith(RULES) or name in TOGETHER:
        return {}
    from . import blas, threads

    symbols = {one: threads.address(one) for one in THREAD_FUNCTIONS}
    if name.startswith(APART):
        from ..loops.cblas import cblas_product

        product = cblas_product(name.removeprefix(APART))
        return symbols | {product: blas.address(product)}
    if name.startswith(LAPACK):
        routines = _writer(name).routines(name)
        return symbols | {one: blas.address(one) for one in routines}
    from . import ufunc_loops

    for one, (ufunc, types) in _loops_of(name).items():
        loop = ufunc_loops.loop(ufunc, types)
        symbols |= {f"{one}.function": loop.function, f"{one}.data": loop.data}
    return symbols


def _loops_of(name: str) -> dict[str, tuple[str, str]]:
    """What a function calls of NumPy's and SciPy's loops."""
    return _writer(name).loops_of(name) if name.startswith((FOURIER, SPECIAL)) else {}
