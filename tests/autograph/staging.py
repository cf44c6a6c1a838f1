"""Running a converted function as a graph, by the evaluator that defines what graphs mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tensormill.autograph.api import convert_function
from tensormill.core import tree
from tensormill.core.specs import TensorSpec
from tensormill.eager.convert import constant as constant
from tensormill.graph.builder import FuncGraph
from tensormill.graph.payload import payload_of


class Traced:
    """A function, converted and traced on arguments like these."""

    def __init__(self, function: Callable[..., Any], specs: Sequence[TensorSpec]) -> None:
        self.graph = FuncGraph(function.__name__)
        converted = convert_function(function)
        with self.graph.as_default():
            structure = converted(*map(self.graph.placeholder, specs))
            leaves = tree.flatten(structure)
            self.is_none = [leaf is None for leaf in leaves]
            returned = [self.graph.convert(x, None, None) for x in leaves if x is not None]
        self.finished = self.graph.finish(returned)
        self.captured = [capture.external for capture in self.graph.passed_captures()]

    def __call__(self, *arguments: Any) -> list[Any]:
        """The flat results, as Python values."""
        payloads = [payload_of(one) for one in (*arguments, *self.captured)]
        results = iter(self.finished.run(payloads))
        return [None if is_none else _as_python(next(results)) for is_none in self.is_none]

    def operations(self) -> list[str]:
        return [operation.type for operation in self.graph.get_operations()]


def staged(function: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What a function returns when it is traced on the arguments' specs and then run."""
    tensors = [constant(one) for one in arguments]
    return Traced(function, [TensorSpec.from_tensor(one) for one in tensors])(*tensors)


def staged_with_unknown_shapes(function: Callable[..., Any], *arguments: Any) -> list[Any]:
    """The same, with sizes that only run time knows."""
    tensors = [constant(one) for one in arguments]
    specs = [TensorSpec((None,) * one.ndim, one.dtype) for one in tensors]
    return Traced(function, specs)(*tensors)


def eager(function: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What the function returns as it is written, on eager tensors."""
    leaves = tree.flatten(function(*map(constant, arguments)))
    return [None if leaf is None else _as_python(constant(leaf).numpy()) for leaf in leaves]


def _as_python(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
