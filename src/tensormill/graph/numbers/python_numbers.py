"""Numbers that Python counts while it traces, and the graph while it runs: twofold tensors.

    class Layers:
        def next(self, x):
            self.calls += 1                         # a loop finds out that its calls change this
            return self.layers[self.calls % 2](x)   # only Python's number is an index

Such a number is carried by the loop if all that its body does with it a tensor can do, and is left
to the trace else. Nobody knows before the body has run. So while it is traced, the number is a
tensor that has Python's number beside it, and so is what is computed from it and constants:

    whatever takes tensors gets the tensor;
    what asks for Python's value, by `__index__`, `__float__` or `__bool__` say, gets that, and it
    is noted that it is *wanted*: whoever stages the loop leaves the number to the trace from then
    on, in the round that follows;
    whoever asks only what it is, as `isinstance` does, is told that it is both.

So the body always runs to its end, and what it raises is the user's own exception. What is called
again, with Python's number, is one operation, operator or function of the library's that refused
the tensor and was given no function of the user's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from ...core import context
from ...eager.arrays import to_array
from ..known_values import LARGEST_VALUE, Array, results_of
from ..symbolic import SymbolicTensor
from ..symbolic_parts import known_of

# Where a tensor keeps its number; None where it is known to have none.
_KEY: Final = "python_number"
# Some of these have no types.
_OPERATORS: Final[Any] = operator
# Operations that are Python's operators, of numbers.
_ARITHMETIC: Final[dict[str, Callable[..., Any]]] = {
    "Abs": abs, "AddV2": operator.add, "FloorDiv": _OPERATORS.floordiv, "FloorMod": operator.mod,
    "Identity": operator.pos, "Maximum": max, "Minimum": min, "Mul": operator.mul,
    "Neg": operator.neg, "Pow": pow, "RealDiv": _OPERATORS.truediv, "Sub": operator.sub,
    "Less": operator.lt, "LessEqual": operator.le, "Greater": operator.gt,
    "GreaterEqual": operator.ge, "Equal": operator.eq, "NotEqual": operator.ne,
}  # fmt: skip
# What Python may count by.
_PYTHON: Final = (bool, int, float, complex, str, bytes, np.generic)


class PythonNumber:
    """What a tensor is to Python, and to itself (`array`).

    `within`: the numbers that it starts as, or was computed from; `is_constant`: it is the same in
    each iteration, so that nothing is to be wanted. `is_left`: a loop has left it, so that only the
    graph knows its value, and Python only what it is.
    """

    __slots__ = ("array", "is_constant", "is_left", "is_wanted", "python", "within")

    def __init__(
        self, python: Any, array: Array, within: Sequence[PythonNumber], is_constant: bool = False
    ) -> None:
        self.python, self.array, self.within, self.is_constant = python, array, within, is_constant
        self.is_wanted = False
        self.is_left = any(one.is_left for one in within)

    def show(self) -> Any:
        """Python's number, for graphs that are made in this round only: that is noted in them."""
        graph: Any = context.top().interpreter
        while graph is not None and graph.building_graph and graph.is_twofold:
            graph.went_by_python = True
            graph = graph.enclosing
        return self.python

    def want(self) -> Any:
        """Python's number, which code needs: that is noted."""
        pending: list[PythonNumber] = [self]
        while pending:
            one = pending.pop()
            if not one.is_wanted:
                one.is_wanted = True
                pending += one.within
        return self.show()


def start_as(
    tensor: SymbolicTensor, start: Any, within: Sequence[PythonNumber] = ()
) -> PythonNumber | None:
    """Let a loop's tensor be twofold where what it starts as is: Python's number, or a tensor.

    `within`: more numbers that it depends on, as an item of a range does on where that ends.
    """
    if isinstance(start, _PYTHON):
        number = PythonNumber(start, to_array(start, tensor.dtype), within)
    elif isinstance(start, SymbolicTensor) and (before := _reckoned(start)) is not None:
        sources = [*within] if before.is_constant else [*within, before]
        if not sources:
            return None
        number = PythonNumber(before.python, before.array, sources)
    else:
        return None
    tensor.__dict__[_KEY] = number
    return number


def leave(tensor: SymbolicTensor, *others: Any) -> None:
    """Let what a loop or branch leaves be a number to those who ask what it is, where one of the
    others is.
    """
    for other in others:
        number = _reckoned(other) if isinstance(other, SymbolicTensor) else None
        if number is not None and not number.is_constant:
            left = PythonNumber(number.python, number.array, ())
            left.is_left = True
            tensor.__dict__[_KEY] = left
            return


def wanted(tensor: Any) -> Any:
    """What a tensor is to Python, which is wanted; None where it is none of Python's numbers."""
    number = number_of(tensor) if isinstance(tensor, SymbolicTensor) else None
    return None if number is None else number.want()


def shown(tensor: SymbolicTensor) -> Any:
    """What a tensor is to Python, for a question about what it is; None where it is none of
    Python's numbers.
    """
    number = _reckoned(tensor)
    return None if number is None or number.is_constant else number.show()


def number_of(tensor: SymbolicTensor) -> PythonNumber | None:
    """What a tensor is to Python, if it was computed from such numbers, and constants, alone."""
    found = _reckoned(tensor)
    return None if found is None or found.is_constant or found.is_left else found


def _reckoned(tensor: SymbolicTensor) -> PythonNumber | None:
    """The same, also of constants; without recursion: chains may be long."""
    pending = [tensor]
    while pending:
        one = pending[-1]
        sources = () if _KEY in one.__dict__ else _sources(one)
        if missing := [each for each in sources or () if _KEY not in each.__dict__]:
            pending += missing
            continue
        if _KEY not in one.__dict__:
            one.__dict__[_KEY] = None if sources is None else _computed(one, sources)
        pending.pop()
    return cast("PythonNumber | None", tensor.__dict__[_KEY])


def _sources(tensor: SymbolicTensor) -> Sequence[SymbolicTensor] | None:
    """The tensors whose numbers tell that of this one; None where none do."""
    operation = tensor.op
    if known_of(tensor).value is not None:
        return ()
    if operation.kind is None:
        graph = operation.owner()
        outside = None if graph is None else graph.outside_of(tensor)
        return (outside,) if isinstance(outside, SymbolicTensor) else None
    is_pure = not (operation.kind.effects or operation.has_graphs)
    has_numbers = known_of(tensor).spec.dtype.is_numpy_compatible
    return operation.inputs if is_pure and has_numbers else None


def _computed(tensor: SymbolicTensor, sources: Sequence[SymbolicTensor]) -> PythonNumber | None:
    numbers = [cast("PythonNumber | None", source.__dict__[_KEY]) for source in sources]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return None
    if (constant := known_of(tensor).value) is not None:
        return PythonNumber(_as_python(constant), constant, (), is_constant=True)
    if tensor.op.kind is None:
        return known[0]  # captured
    results = results_of(tensor.op, [number.array for number in known])
    if results is None or results[tensor.value_index].size > LARGEST_VALUE:
        return None
    array = results[tensor.value_index]
    within = [number for number in known if not number.is_constant]
    python = _by_python(tensor.op.type, [number.python for number in known])
    return PythonNumber(_as_python(array) if python is None else python, array, within, not within)


def _by_python(operation: str, numbers: Sequence[Any]) -> Any:
    """What Python makes of its numbers, which have all bits; None: ask the operation."""
    reckon = _ARITHMETIC.get(operation)
    if reckon is None or any(isinstance(one, np.ndarray) for one in numbers):
        return None
    try:
        return reckon(*numbers)
    except (ArithmeticError, TypeError, ValueError):
        return None


def _as_python(array: Array) -> Any:
    """A scalar as Python's; a float of 32 bits as it would be written."""
    if array.ndim:
        return array
    return float(str(array[()])) if array.dtype == np.float32 else array.item()
