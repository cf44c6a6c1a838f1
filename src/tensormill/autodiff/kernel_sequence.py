"""A graph as kernels in a row, for operands of known sizes: a quick twin of `graph/evaluate.py`.

They are written out as one function, whose lines take and give arrays where eager execution would
run an operation by its kernel; all others are applied as ever. So the bits are those of eager
execution, and little is paid around them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..core.dtypes import DType
from ..core.process import floating_point_warnings
from ..core.process.written_functions import FunctionText
from ..core.specs import TensorSpec
from ..eager.kernels.array_functions import (
    Settled,
    Sized,
    function_of,
    is_scalar_rule,
    settled,
    write_rule,
)
from ..eager.kernels.learning import may_learn
from ..eager.kernels.outputs import NARROW, REFUSED, as_output, native_from
from ..eager.tensor import wrap
from ..graph.ir import Application, Graph, Value
from ..ops.bind import bind
from ..ops.constant import Const
from ..ops.control.functional import effects_of
from ..ops.effects import Reads

ndarray: Final = np.ndarray


class NoSequence(Exception):
    """A graph does something that only holds where it is applied operation by operation."""


class KernelSequence:
    """A graph that was written out. It holds no operands.

    Raises:
        NoSequence: the graph has effects, or gives what is no tensor.
    """

    def __init__(self, graph: Graph) -> None:
        self._text: Final = FunctionText("operands")
        self._names: Final[dict[Value, str]] = {}
        self._constants: Final[dict[Value, Any]] = {}
        self._plain: Final = self._text.constant(ndarray)
        self._wrap: Final = self._text.constant(wrap)
        self._write_inputs(graph)
        self._text.add(f"token = {self._text.constant(floating_point_warnings.enter)}()")
        with self._text.block("try:"):
            self._text.add("pass")
            for operation in graph.operations:
                self._write(operation)
        with self._text.block("finally:"):
            self._text.add(f"{self._text.constant(floating_point_warnings.leave)}(token)")
        self._write_returns(graph)
        self._run: Final = self._text.made()

    def __call__(self, operands: Sequence[Any]) -> list[Any]:
        """What the graph returns for tensors and handles, one for each of its inputs.

        Raises:
            whatever a kernel raises, in its own words.
        """
        return self._run(operands)

    def _write_inputs(self, graph: Graph) -> None:
        used = {value for operation in graph.operations for value in operation.operands}
        for number, value in enumerate(graph.inputs):
            if value in used:
                self._names[value] = name = self._text.name()
                array = "._array" if is_array(value.spec) else ""
                self._text.add(f"{name} = operands[{number}]{array}")

    def _write(self, operation: Application) -> None:
        if operation.op is Const:
            (value,) = operation.results
            self._constants[value] = operation.attrs["value"]
            self._names[value] = self._text.constant(self._constants[value])
            return
        if not all(is_array(value.spec) for value in operation.results):
            raise NoSequence
        if any(not isinstance(one, Reads) for one in effects_of(operation.op, operation.attrs)):
            raise NoSequence
        for value in operation.results:
            self._names[value] = self._text.name()
        if runs_its_kernel(operation):
            self._write_kernel(operation)
        else:
            self._write_application(operation)

    def _write_kernel(self, operation: Application) -> None:
        op, text = operation.op, self._text
        arrays = [self._names[value] for value in operation.operands]
        (result,) = [self._names[value] for value in operation.results]
        given = [value.spec for value in operation.operands]
        gives = operation.results[0].spec.dtype
        if is_scalar_rule(op, given[0].dtype):
            function = function_of(op)
            text.add(f"{result} = {text.constant(function)}({', '.join(arrays)})")
            if gives_new_arrays(function, given, gives):
                return
        else:
            known = self._settled(operation)
            text.add(f"{result} = {write_rule(text, op, operation.attrs, arrays, known)}")
        is_plain = f"type({result}) is {self._plain} and {result}.dtype is "
        is_plain += f"{text.constant(gives.storage)} and {result}.flags.carray"
        with text.block(f"if not ({is_plain}):"):
            made = f"{text.constant(as_output)}({result}, {text.constant(gives)})"
            text.add(f"{result} = {made}._array")

    def _settled(self, operation: Application) -> Settled | None:
        """What the demands find, where sizes and constants say it."""
        if operation.op.demands is None:
            return None
        stand_ins = [
            self._constants.get(value)
            if value in self._constants
            else Sized(_sizes(value.spec), value.spec.dtype.storage)
            for value in operation.operands
        ]
        return settled(operation.op, stand_ins, operation.attrs)

    def _write_application(self, operation: Application) -> None:
        """As whoever writes the operation down applies it."""
        text = self._text
        pairs = [(self._names[value], is_array(value.spec)) for value in operation.operands]
        given = [f"{self._wrap}({name})" if is_one else name for name, is_one in pairs]
        results = [self._names[value] for value in operation.results]
        applied = text.constant(application_of(operation))
        text.add(f"{', '.join(results)}, = {applied}({', '.join(given)})")

    def _write_returns(self, graph: Graph) -> None:
        """Each value is one tensor, however often it is returned: an operand is the one given."""
        text, places = self._text, {value: k for k, value in enumerate(graph.inputs)}
        made: dict[Value, str] = {}
        for value in graph.returns:
            if value in made:
                continue
            if value in places:
                made[value] = f"operands[{places[value]}]"
                continue
            made[value] = name = text.name()
            text.add(f"{name} = {self._wrap}({self._names[value]})")
        text.add(f"return [{', '.join([made[value] for value in graph.returns])}]")


def is_array(spec: Any) -> bool:
    """Whether a tensor is numbers in an array."""
    return isinstance(spec, TensorSpec) and spec.dtype.storage.num not in REFUSED


def application_of(operation: Application) -> Callable[..., tuple[Any, ...]]:
    """A function of tensors that applies an operation, and gives arrays."""
    op, attrs = operation.op, dict(operation.attrs)

    def applied(*tensors: Any) -> tuple[Any, ...]:
        found = bind(op, *operation.grouped(tensors), **attrs)
        return tuple([one._array for one in ((found,) if op.single else found)])

    return applied


def runs_its_kernel(operation: Application) -> bool:
    """Whether eager execution does nothing but call the kernel on arrays."""
    op = operation.op
    if not may_learn(op):
        return False
    given = [value.spec for value in operation.operands]
    if not all(is_array(one) and one.shape.is_fully_defined() for one in given):
        return False
    least = native_from(op, given[-1].dtype.storage.num)
    if least is not None and sum(map(_size, given)) >= least:
        return False
    return not (op.by_element and any(one.dtype.storage.num in NARROW for one in given))


def _size(spec: Any) -> int:
    return math.prod(spec.shape.as_list())


def _sizes(spec: Any) -> tuple[int, ...]:
    """Of what `runs_its_kernel` let through, which knows all of them."""
    return tuple(spec.shape.as_list())


def gives_new_arrays(function: Any, given: Sequence[Any], gives: DType) -> bool:
    """Whether a function of NumPy's gives new arrays of a dtype, by what it does to ones."""
    if not isinstance(function, np.ufunc) or not any(one.shape.rank for one in given):
        return False
    return function(*[np.ones(1, one.dtype.storage) for one in given]).dtype is gives.storage
