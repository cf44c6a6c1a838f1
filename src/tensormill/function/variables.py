"""Variables that a function creates while it is traced: on its first call only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import context
from ..core.values import TensorLike
from ..graph.builder import FuncGraph, SymbolicTensor
from ..graph.lifting import lift


class Creation:
    """A creator of variables (eager/creation.py) for one trace of one function.

    `values` are the arguments of the call that is being traced, where there is one: an initial
    value that depends on them is computed from them, once.
    """

    def __init__(
        self, graph: FuncGraph, function: str, is_first_call: bool, values: Sequence[Any] | None
    ) -> None:
        self._graph = graph
        self._function = function
        self._is_first_call = is_first_call
        self._values = values
        self.created: list[Any] = []

    def __call__(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        """Make a variable outside of the trace.

        Raises:
            ValueError: this is not the function's first trace.
        """
        here = context.top().interpreter
        if not here.building_graph:
            return next_creator(**options)
        if not self._is_first_call:
            raise ValueError(
                "A tf.function may have singleton tf.Variables created on the first call: "
                f"'{self._function}' was traced before, and this trace creates "
                f"'{options.get('name') or 'Variable'}' (Creating variables on a non-first call). "
                "Keep the variable where the next trace finds it: on an object, as in "
                "`if self.v is None: self.v = tf.Variable(...)`"
            )
        initial = options.get("initial_value")
        if callable(initial) and not isinstance(initial, TensorLike):
            initial = options["initial_value"] = initial()
        if isinstance(initial, SymbolicTensor):
            options["initial_value"] = lift(initial, self._known_arguments())
        variable = next_creator(**options)
        self.created.append(variable)
        return variable

    def _known_arguments(self) -> dict[int, Any]:
        """The eager tensor for each placeholder of the arguments."""
        if self._values is None:
            return {}
        return {
            id(placeholder): value
            for placeholder, value in zip(self._graph.parameters, self._values, strict=False)
        }
