"""Operations as functions of arrays, which kernels and replayed programs are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import prod
from typing import Any

import numpy as np

from ...core.dtypes import DType
from ...core.process.named_tuples import NamedTuple
from ...core.process.written_functions import FunctionText
from ...ops.demand_readers import EAGER
from ...ops.families import Elementwise
from ...ops.op import Op
from ...ops.scalar import NUMPY

Function = Callable[..., Any]


def is_scalar_rule(op: type[Op], dtype: DType) -> bool:
    """Whether the kernel of `op`, for a first operand of a dtype, is its scalar rule alone."""
    own = op.demands is None and op.eager is Elementwise.eager
    return op.by_element and (own or (op.by_rule is not None and dtype in op.by_rule))


class RuleStep:
    """Stands for an operand, and for the scalar language, to see what a rule does with them."""

    def __init__(self, function: Any = None, operands: tuple[Any, ...] = ()) -> None:
        self.function = function
        self.operands = operands

    def __getattr__(self, name: str) -> Callable[..., RuleStep]:
        return lambda *operands: RuleStep(getattr(NUMPY, name), operands)


def _step(function: np.ufunc) -> Callable[..., RuleStep]:
    return lambda *operands: RuleStep(function, operands)


for _name, _function in {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide,
    "neg": np.negative, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "invert": np.invert,
}.items():  # fmt: skip
    setattr(RuleStep, f"__{_name}__", _step(_function))


@cache
def function_of(op: type[Op]) -> Callable[..., Any]:
    """The scalar rule of `op` as a function of arrays: NumPy's own, where it is that alone."""
    rule: Any = op.scalar
    operands = [RuleStep() for _ in op.inputs]
    try:
        found = rule(RuleStep(), *operands)
    except (TypeError, ValueError, AttributeError):  # it looks at what it is given
        found = None
    if isinstance(found, RuleStep) and [*map(id, found.operands)] == [*map(id, operands)]:
        return found.function
    return partial(rule, NUMPY)


def rule_of(op: type[Op], attrs: Mapping[str, Any]) -> Function:
    """The eager rule as a function of arrays, each application looked up by its names."""
    names, demands = op.input_names, op.demands
    values = [(name, attrs.get(name, default)) for name, default in op.attr_defaults]
    new = op.__new__

    def function(*arrays: Any) -> Any:
        application: Any = new(op)
        for name, array in zip(names, arrays, strict=True):
            setattr(application, name, array)
        for name, value in values:
            setattr(application, name, value)
        if demands is not None:
            application.found = demands(application, EAGER)
        return application.eager(np)

    return function


class Sized:
    """Stands for an array of which sizes and dtype are known, and nothing else."""

    __slots__ = ("dtype", "ndim", "shape", "size")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape, self.ndim, self.size = shape, len(shape), prod(shape)
        self.dtype = dtype


class Settled(NamedTuple):
    """What `demands` finds for all operands of some sizes."""

    found: Any


def settled(op: type[Op], operands: Sequence[Any], attrs: Mapping[str, Any]) -> Settled | None:
    """What `op.demands` finds for arrays, and for all that are like some `Sized`; None where it
    looks at elements of these, or fails.
    """
    try:
        return Settled(op(*operands, **attrs).demands(EAGER))
    except Exception:
        return None


def write_rule(
    text: FunctionText,
    op: type[Op],
    attrs: Mapping[str, Any],
    arrays: Sequence[str],
    known: Settled | None = None,
) -> str:
    """Write what `rule_of` does, for `arrays` of these names, and return the result's text.

    known: what the demands find, which are not asked then.
    """
    made = text.name()
    text.add(f"{made} = {text.constant(op.__new__)}({text.constant(op)})")
    for name, array in zip(op.input_names, arrays, strict=True):
        text.add(f"{made}.{name} = {array}")
    for name, default in op.attr_defaults:
        text.add(f"{made}.{name} = {text.constant(attrs.get(name, default))}")
    if known is not None:
        text.add(f"{made}.found = {text.constant(known.found)}")
    elif op.demands is not None:
        text.add(f"{made}.found = {made}.demands({text.constant(EAGER)})")
    return f"{made}.eager({text.constant(np)})"
