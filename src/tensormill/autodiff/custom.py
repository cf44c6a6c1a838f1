"""Functions that say themselves how they are differentiated."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..core import context, dtypes, tree
from ..core.signatures import signature_of
from ..core.values import TensorLike
from ..ops.control.flow import identity
from ..ops.conversion import as_tensor
from .backward import or_zeros
from .graphs.used_operands import operands_used_by
from .recording import RecordedCall, is_trainable_handle
from .sources import variable_of
from .users.custom_in_graphs import customized
from .users.gradient_rules import GradientFunction, GradientRule
from .wrapping import Wrapping


class VariableProbe:
    """A recorder that only notes which trainable variables are used."""

    __slots__ = ("handles",)
    active = True
    new_stack = None
    covers = False  # whether a rule says how all that it sees is differentiated, as a whole

    def __init__(self) -> None:
        self.handles: dict[int, Any] = {}

    def record(self, application: Any) -> None:
        self.note(operands_used_by(application))

    def note(self, operands: Sequence[Any]) -> None:
        for operand in operands:
            if operand.dtype is dtypes.resource and is_trainable_handle(operand):
                self.handles[id(operand)] = operand

    def depends(self, operands: Sequence[Any]) -> bool:
        return False


class CustomFunction(Wrapping):
    """A function with a gradient of its own: what `tf.custom_gradient` makes."""

    @property
    def __original_wrapped__(self) -> Any:
        """The decorated function, as TensorFlow keeps it: tests of libraries call it."""
        return self._function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = len(args)
        args, kwargs = _by_position(self._function, args, kwargs)
        args = tree.map_structure(as_input, args)
        structure, grad_fn, handles = self._run(args, kwargs)
        by_keyword = len(tensors_in(args[given:]))
        name = getattr(self, "__name__", "f")
        rule = GradientRule(name, grad_fn, tensors_in(args), handles, by_keyword)
        return differentiated_by(rule, structure)

    def _run(self, args: Any, kwargs: Any) -> tuple[Any, GradientFunction, list[Any]]:
        """What the function returned, and the handles of the variables that it used."""
        here = context.top()
        probe = VariableProbe()
        with context.entered(here.replace(recorders=(*here.recorders, probe))):
            returned = self._function(*args, **kwargs)
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            raise TypeError(
                "a function with a custom gradient must return a pair of its results and a "
                f"function grad_fn, but {getattr(self, '__name__', self._function)} returned "
                f"{returned!r}"
            )
        structure, grad_fn = returned
        handles = list(probe.handles.values())
        if handles and not _takes_variables(grad_fn):
            raise TypeError(
                "If using @custom_gradient with a function that uses variables, then grad_fn must "
                "accept keyword argument 'variables'; used are "
                f"{[getattr(variable_of(one), 'name', one) for one in handles]}"
            )
        return structure, grad_fn, handles


def _by_position(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Tensors given by keyword as positional arguments: `grad_fn` gives their gradients too."""
    if not any(isinstance(one, TensorLike) for one in kwargs.values()):
        return args, kwargs
    try:
        bound = signature_of(function).bind(*args, **kwargs)
    except (TypeError, ValueError):  # the call itself says what is wrong with it
        return args, kwargs
    moved = bound.args[len(args) :]
    fits = all(isinstance(one, TensorLike) for one in moved)
    return (bound.args, bound.kwargs) if fits else (args, kwargs)


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """A decorator: `f` returns a pair of its results and a function that makes gradients.

    That function, `grad_fn(*upstream)`, takes a gradient for each result tensor and returns one
    for each tensor among the positional arguments of `f` (a list, or bare if it is one; None:
    there is none), and may go on with those of tensors given by keyword. Where `f` uses trainable
    variables it takes `variables=` as well and returns a pair: those gradients, and a list of
    gradients for the variables.

    While a function is being traced `grad_fn` is traced at once, but within another `grad_fn`, as
    eagerly, when a gradient is asked for.

    >>> clipped = tf.custom_gradient(lambda x: (x * x, lambda dy: tf.minimum(dy * 2.0 * x, 1.0)))
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = clipped(x)
    >>> float(y), float(tape.gradient(y, x))
    (9.0, 1.0)

    Raises:
        TypeError (when it is called): `f` does not return such a pair, or uses variables that
            `grad_fn` does not take.
        ValueError (when gradients are made): there are not as many gradients as arguments.
        ShapeMismatchError (then): a gradient has another shape than its argument.
        DTypeMismatchError (then): it has another dtype.
    """
    return CustomFunction if f is None else CustomFunction(f)


def as_input(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, tree.Composite):
        return leaf
    return as_tensor(leaf)


def tensors_in(structure: Any) -> list[Any]:
    leaves = tree.flatten(structure, expand_composites=True)
    return [one for one in leaves if isinstance(one, TensorLike)]


def _takes_variables(grad_fn: GradientFunction) -> bool:
    parameters = signature_of(grad_fn).parameters
    return "variables" in parameters or any(
        one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()
    )


def differentiated_by(rule: GradientRule, structure: Any) -> Any:
    """What a function returned, as what recorders only know by `rule`."""
    leaves = tree.flatten(structure, expand_composites=True)
    results = iter(_detached(rule, [as_tensor(one) for one in leaves if one is not None]))
    filled = [None if one is None else next(results) for one in leaves]
    return tree.pack_sequence_as(structure, filled, expand_composites=True)


def _is_covered(recorders: Sequence[Any]) -> bool:
    """Whether nobody will ask for a gradient of what happens here: a rule around it says that."""
    probes = [one for one in recorders if isinstance(one, VariableProbe)]
    return len(probes) == len(recorders) and any(probe.covers for probe in probes)


def _without_dependence(recorders: Sequence[Any], operands: Sequence[Any]) -> list[Any]:
    return [one for one in recorders if not one.depends(operands)]


def _detached(rule: GradientRule, outputs: Sequence[Any]) -> Sequence[Any]:
    """The outputs as tensors that recorders only know by `rule`."""
    here = context.top()
    if not here.recorders and not here.interpreter.building_graph:
        return outputs
    if _is_covered(here.recorders):
        return outputs
    if here.interpreter.building_graph:
        return customized(rule, outputs)
    # Who watches none of its operands sees what the function did, as with any other function.
    others = tuple(_without_dependence(here.recorders, rule.operands))
    with context.entered(here.replace(recorders=others)):
        copies = [identity(one) for one in outputs]

    def backward(arrived: Sequence[Any]) -> list[Any]:
        return rule.gradients([or_zeros(*pair) for pair in zip(arrived, copies, strict=True)])

    context.record(here.recorders, RecordedCall(rule.operands, copies, backward))
    return copies
