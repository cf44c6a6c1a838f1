"""Variables that a function creates while it is traced: on its first call only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from ...core import context, tree
from ...core.dtypes import as_dtype
from ...core.values import TensorLike
from ...eager.creation import creators
from ...graph.builder import SymbolicTensor
from ...graph.lifting import lift


class Creation:
    """A creator of variables (eager/creation.py) for one trace of one function.

    An initial value that depends on arguments is computed from those of the call that is traced.
    """

    def __init__(self, function: str, is_first_call: bool) -> None:
        self._function = function
        self._is_first_call = is_first_call
        self.created: list[Any] = []

    def __call__(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        """Make a variable outside of the trace.

        Raises:
            ValueError: this is not the function's first trace.
        """
        here = context.top().interpreter
        if not here.building_graph:  # in an init_scope: TensorFlow traces once more for these, too
            variable = next_creator(**options)
            return self._noted(variable) if self._is_first_call else variable
        if not self._is_first_call:
            raise ValueError(
                "A tf.function may have singleton tf.Variables created on the first call: "
                f"'{self._function}' was traced before, and this trace creates "
                f"'{options.get('name') or 'Variable'}' (Creating variables on a non-first call). "
                "Keep the variable where the next trace finds it: on an object, as in "
                "`if self.v is None: self.v = tf.Variable(...)`"
            )
        return self._noted(next_creator(**(options | _started(here, options))))

    def _noted(self, variable: Any) -> Any:
        """The variable, which is the innermost function's: no other is traced again for it."""
        if _innermost() is self:
            self.created.append(variable)
        return variable


def _innermost() -> Creation | None:
    """That of the function that is being traced."""
    return next((one for one in reversed(creators.get()) if isinstance(one, Creation)), None)


def _started(graph: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The initial value as what can be had outside of the trace, and the shape it was promised."""
    initial = options.get("initial_value")
    if callable(initial) and not isinstance(initial, TensorLike):
        initial = cast(Callable[[], Any], initial)()
    if not any(isinstance(leaf, SymbolicTensor) for leaf in tree.flatten(initial)):
        return {"initial_value": initial}
    dtype, shape = options.get("dtype"), options.get("shape")
    initial = graph.convert(initial, None if dtype is None else as_dtype(dtype), None)
    return {"initial_value": lift(initial), "shape": initial.shape if shape is None else shape}
