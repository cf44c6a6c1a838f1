"""Functions whose gradients are those of others: computed again, or the identity's."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..core import context, tree
from ..core.values import TensorLike
from ..ops.bind import bind
from ..ops.op import ANY, In, Op, Out, TensorSpec
from .backward import once_each
from .custom import CustomFunction, VariableProbe, Wrapping
from .tape import GradientTape


class TakenAgain(Op):
    """`value` again, once `after` is known.

    What is computed from it is not shared with what was computed from `value` before, which
    need not be kept until then.
    """

    value = In("T ...")
    after = In("Tafter ...")
    output = Out("T ...")
    T = ANY
    Tafter = ANY

    def infer(self) -> TensorSpec:
        return TensorSpec(self.value.shape, self.value.dtype)

    def eager(self, np: Any) -> Any:
        return self.value

    def lower(self, loops: Any) -> Any:
        return self.value

    def vjp(self, doutput: Any) -> Any:
        return doutput, None


class Recomputed(Wrapping):
    """A function that runs again for its gradient: what `tf.recompute_grad` makes."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = functools.partial(self._function, **kwargs)

        def with_gradient(*inputs: Any) -> Any:
            return _unwatched(function, inputs), functools.partial(_gradients_of, function, inputs)

        return CustomFunction(with_gradient)(*args)


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` as a function whose intermediate values are not kept for its gradient.

    They are computed again when the gradient is. Tensors that `f` takes by position and variables
    that it uses have gradients.
    """
    return Recomputed(f)


def _unwatched(function: Callable[..., Any], inputs: Any) -> Any:
    """`function` of the inputs; of all recorders only probes see it."""
    here = context.top()
    probes = tuple(one for one in here.recorders if isinstance(one, VariableProbe))
    with context.entered(here.replace(recorders=probes)):
        return function(*inputs)


def _gradients_of(
    function: Callable[..., Any], inputs: Any, *upstream: Any, variables: Any = None
) -> Any:
    if context.building_graph():
        inputs = tree.map_structure(
            lambda one: _taken_again(one, upstream[0]), inputs, expand_composites=True
        )
    leaves = tree.flatten(inputs, expand_composites=True)
    flat = [one for one in leaves if isinstance(one, TensorLike)]
    with GradientTape() as tape:
        tape.watch([one for one in flat if one.dtype.is_differentiable])
        outputs = function(*inputs)
    targets = tree.flatten(outputs, expand_composites=True)
    used = list(variables or ())
    found = tape.gradient(targets, [*flat, *used], list(upstream))
    of_inputs = once_each(flat, found[: len(flat)])
    return (of_inputs, found[len(flat) :]) if used else of_inputs


def _taken_again(leaf: Any, after: Any) -> Any:
    if not isinstance(leaf, TensorLike) or not leaf.dtype.is_floating:
        return leaf
    return bind(TakenAgain, leaf, after)


class PassedThrough(Wrapping):
    """A function with the gradient of the identity: what `tf.grad_pass_through` makes."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = functools.partial(self._function, **kwargs)
        return CustomFunction(lambda *inputs: (function(*inputs), _handed_on))(*args)


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` as a function whose gradient is that of the identity."""
    return PassedThrough(f)


def _handed_on(*upstream: Any, variables: Any = None) -> Any:
    gradients = list(upstream)
    return (gradients, [None] * len(variables)) if variables else gradients
