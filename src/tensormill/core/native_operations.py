"""Native code of single operations, for folders that may not know who compiles it.

NumPy goes through memory once for each step of a rule, and some rules have twenty: erf of a million
numbers took thirty times as long as in compiled code. Where operands are large, eager execution
runs an operation as a compiled function would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby
from math import prod
from types import MappingProxyType
from typing import Any, Final

from .process.named_tuples import NamedTuple

# Axes of operands whose sizes code knows.
Axes = Mapping[str, slice]
# The operation, its operands as arrays, its attributes, and the axes whose sizes it knows beside
# `native_axes`; the results, None where there is no native code.
Run = Callable[[Any, Sequence[Any], dict[str, Any], Axes], tuple[Any, ...] | None]
# The same arguments; an object whose `entry(*tensors)` gives the results as tensors, for operands
# of these dtypes and ranks; None where there is no native code.
Prepare = Callable[[Any, Sequence[Any], dict[str, Any]], Any]

# Elements from which it pays: NumPy needs 0.1 ms for so many, five times what native code does, and
# reading code from the disk cache a millisecond. It needs fewer where NumPy goes through them some
# dozen times, or where a kernel loops in Python.
MANY: Final = 1 << 14
SOME: Final = 1 << 12
SLOW: Final = 1 << 8
FEW: Final = 1 << 4  # a kernel of many steps takes longer than native code takes to begin: 4 µs
# What images have few of, and inner loops go through: known, they are written out.
CHANNELS: Final = MappingProxyType({"images": slice(-1, None)})
TEXTS: Final = 1 << 9  # strings: Python needs 0.1 to 10 µs for each

_load: Callable[[], tuple[Run, Prepare]] | None = None


def provided_by(load: Callable[[], tuple[Run, Prepare]]) -> None:
    """Let `load`, called once, say what runs operations; the package does, which knows all."""
    global _load
    _load = load
    _provided.cache_clear()


@cache
def _provided() -> tuple[Run, Prepare]:
    return (nowhere, nowhere) if _load is None else _load()


def _native() -> Run:
    return _provided()[0]


def nowhere(op: Any, operands: Sequence[Any], attrs: dict[str, Any], axes: Any = None) -> None:
    """That there is no native code."""
    return


NONE: Final[Axes] = MappingProxyType({})


def run(
    op: Any, operands: Sequence[Any], attrs: dict[str, Any], axes: Axes = NONE
) -> tuple[Any, ...] | None:
    """The results (arrays) of one application of `op` in native code.

    None where there is none, or where it failed: the eager kernel, its slow twin, says it better.
    """
    return _native()(op, operands, attrs, axes)


def prepared(op: Any, operands: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """Native code of `op` for operands of these dtypes and ranks, to be called many times: an
    object with an `entry`, which answers NotImplemented to others. None where there is none.
    """
    return _provided()[1](op, operands, attrs)


# ---------------------------------------------------------------- code is made for ranks


class Folded(NamedTuple):
    """What eager execution hands to native code in place of what an operation is given."""

    operands: Sequence[Any]  # arrays
    attrs: dict[str, Any]
    shape: tuple[int, ...]  # of the results
    axes: Axes = NONE  # whose sizes code knows


def flattened(operands: Sequence[Any], attrs: dict[str, Any]) -> Folded | None:
    """One vector of elements, or several of a size, and scalars; None where operands broadcast,
    which is NumPy's.
    """
    shapes = {operand.shape for operand in operands if operand.ndim}
    if len(shapes) != 1:
        return None
    (shape,) = shapes
    flat = tuple([operand.reshape(-1) if operand.ndim else operand for operand in operands])
    return Folded(flat, attrs, shape)


def joined_axes(shape: Sequence[int], gone: Sequence[int]) -> tuple[list[int], list[int]]:
    """The sizes where neighbouring axes are one that are all in `gone`, or none of them, and which
    of these axes are gone. Axes of size 1 go with any.
    """
    long = [(axis in gone, size) for axis, size in enumerate(shape) if size != 1]
    runs = [(key, prod([size for _, size in run])) for key, run in groupby(long, lambda x: x[0])]
    return [size for _, size in runs], [axis for axis, (key, _) in enumerate(runs) if key]
