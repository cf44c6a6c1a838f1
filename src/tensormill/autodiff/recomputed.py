"""Functions whose gradients are those of others: computed again, or the identity's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from ..core import context, tree
from ..core.process.tracebacks import shallow
from ..core.values import TensorLike
from ..ops.bind import bind
from ..ops.op import ANY, In, Op, Out, TensorSpec
from ..ops.origins import Origin
from .backward import once_each
from .custom import (
    CustomFunction,
    VariableProbe,
    as_input,
    differentiated_by,
    tensors_in,
)
from .tape import GradientTape
from .users.gradient_rules import GradientRule
from .wrapping import Wrapping


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
    origin = Origin.GRAPHS

    def infer(self) -> TensorSpec:
        return TensorSpec(self.value.shape, self.value.dtype)

    def eager(self, np: Any) -> Any:
        return self.value

    def lower(self, loops: Any) -> Any:
        return self.value

    def xla(self, xla: Any) -> Any:
        return xla.lax.optimization_barrier((self.value, self.after))[0]

    def vjp(self, doutput: Any) -> Any:
        return doutput, None


class UsesProbe(VariableProbe):
    """Also notes the tensors from outside: eagerly those that somebody watches, in a trace those
    that were there before.
    """

    covers = True
    __slots__ = ("_begin", "_graph", "_tensors", "_watching")

    def __init__(self) -> None:
        super().__init__()
        here = context.top()
        self._watching: list[Any] = list(here.recorders)
        self._graph: Any = cast(Any, here.interpreter) if here.interpreter.building_graph else None
        self._begin = len(self._graph.get_operations()) if self._graph else 0
        self._tensors: dict[int, Any] = {}

    def note(self, operands: Sequence[Any]) -> None:
        super().note(operands)
        if self._graph is None:
            for one in operands:
                if any(recorder.depends([one]) for recorder in self._watching):
                    self._tensors[id(one)] = one

    def from_outside(self, inputs: Sequence[Any]) -> list[Any]:
        """The tensors that were used and are none of `inputs`, as the function knows them."""
        if self._graph is not None:
            self._tensors = {id(one): one for one in self._taken_from_before()}
        known = {id(one) for one in inputs}
        return [
            one
            for key, one in self._tensors.items()
            if key not in known and (one.dtype.is_floating or one.dtype.is_complex)
        ]

    def _taken_from_before(self) -> Iterator[Any]:
        made = self._graph.get_operations()[self._begin :]
        own = set(made)
        for tensor in (one for operation in made for one in operation.inputs):
            external = self._graph.captured_as(tensor)
            if external is not None:
                yield external
            elif tensor.op not in own:
                yield tensor


class Recomputed(Wrapping):
    """A function that runs again for its gradient: what `tf.recompute_grad` makes."""

    @shallow
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = functools.partial(self._function, **kwargs)
        args = tree.map_structure(as_input, args)
        inputs = tensors_in(args)
        probe = UsesProbe()
        structure = _unwatched(function, args, probe)
        outside = probe.from_outside(inputs)
        grad_fn = functools.partial(_gradients_of, function, args, outside)
        handles = list(probe.handles.values())
        name = getattr(self, "__name__", "f")
        return differentiated_by(
            GradientRule(name, grad_fn, [*inputs, *outside], handles), structure
        )


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` as a function whose intermediate values are not kept for its gradient.

    They are computed again when the gradient is. All tensors and variables that `f` uses have
    gradients, also those that it does not take as arguments.

    >>> x = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.recompute_grad(lambda one: one * one * one)(x)
    >>> float(y), float(tape.gradient(y, x))
    (8.0, 12.0)

    Raises:
        TypeError (when it is called): `f` cannot be called so.
    """
    return Recomputed(f)


def _unwatched(function: Callable[..., Any], inputs: Any, probe: VariableProbe) -> Any:
    """`function` of the inputs; of all recorders only probes see it."""
    here = context.top()
    probes = tuple(one for one in here.recorders if isinstance(one, VariableProbe))
    with context.entered(here.replace(recorders=(*probes, probe))):
        return function(*inputs)


def _gradients_of(
    function: Callable[..., Any],
    inputs: Any,
    outside: Sequence[Any],
    *upstream: Any,
    variables: Any = None,
) -> Any:
    if context.building_graph():
        inputs = tree.map_structure(
            lambda one: _taken_again(one, upstream[0]), inputs, expand_composites=True
        )
    flat = [*tensors_in(inputs), *outside]
    with GradientTape() as tape:
        tape.watch([one for one in flat if one.dtype.is_differentiable])
        outputs = function(*inputs)
    targets = tree.flatten(outputs, expand_composites=True)
    used = list(variables or ())
    found = tape.gradient(targets, [*flat, *used], list(upstream))
    of_tensors = once_each(flat, found[: len(flat)])
    return (of_tensors, found[len(flat) :]) if used else of_tensors


def _taken_again(leaf: Any, after: Any) -> Any:
    if not isinstance(leaf, TensorLike) or not leaf.dtype.is_floating:
        return leaf
    return bind(TakenAgain, leaf, after)


class PassedThrough(Wrapping):
    """A function with the gradient of the identity: what `tf.grad_pass_through` makes."""

    @shallow
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = functools.partial(self._function, **kwargs)
        return CustomFunction(lambda *inputs: (function(*inputs), _handed_on))(*args)


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` as a function whose gradient is that of the identity.

    >>> x = tf.Variable(2.75)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.grad_pass_through(tf.round)(x)
    >>> float(y), float(tape.gradient(y, x))
    (3.0, 1.0)

    Raises:
        TypeError (when it is called): `f` cannot be called so.
        ValueError (when gradients are made): it gives several tensors, of one.
        InvalidArgumentError (then): what `f` gives has another shape than its argument.
    """
    return PassedThrough(f)


def _handed_on(*upstream: Any, variables: Any = None) -> Any:
    gradients = list(upstream)
    return (gradients, [None] * len(variables)) if variables else gradients
