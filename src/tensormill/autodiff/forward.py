"""`ForwardAccumulator`: derivatives along one direction, worked out while the program runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import context, dtypes, tree
from ..core.values import TensorLike
from ..errors import ShapeMismatchError
from ..ops.conversion import as_tensor
from .accumulate import as_dense
from .backward import gradients, pull_back
from .constants import zeros_like
from .recording import Entry, Recording, state_of
from .sources import handle_of, inside
from .tape import UnconnectedGradients, as_unconnected


class ForwardAccumulator:
    """Computes Jacobian-vector products alongside what is computed while it is entered.

    `primals` are tensors or variables (a structure of them), `tangents` tensors of the same shapes
    and dtypes: the direction. `jvp` then gives the derivative along it. Accumulators nest, in each
    other and in tapes: who is outside differentiates what the ones inside compute.

    Raises:
        ValueError: structures, dtypes or shapes of primals and tangents differ, or a primal is not
            of a floating dtype.
    """

    # What calls, branches and loops ask of a recorder (autodiff/functional.py).
    orders = 1
    new_stack = None
    watch_variables = False

    def __init__(self, primals: Any, tangents: Any) -> None:
        try:
            tree.assert_same_structure(primals, tangents)
        except TypeError as error:
            raise ValueError(str(error)) from None
        self.watched: dict[int, Any] = {}  # tensors that have a tangent
        self._tangents: dict[int, Any] = {}
        self._is_recording = False
        self._before: context.Context | None = None
        pairs = zip(tree.flatten(primals), tree.flatten(tangents), strict=True)
        for primal, tangent in pairs:
            self._watch(primal, tangent)

    def _watch(self, primal: Any, tangent: Any) -> None:
        if not isinstance(primal, TensorLike):
            raise ValueError(f"a primal must be a tensor or a variable, got {primal!r}")
        handle = handle_of(primal)
        known: Any = state_of(handle) if handle.dtype is dtypes.resource else handle
        if not known.dtype.is_differentiable:
            raise ValueError(f"a primal of dtype {known.dtype.name} has no tangent")
        direction = as_tensor(tangent, None if isinstance(tangent, TensorLike) else known.dtype)
        if direction.dtype is not known.dtype:
            raise ValueError(
                f"a primal has dtype {known.dtype.name} but its tangent {direction.dtype.name}"
            )
        if not direction.shape.is_compatible_with(known.shape):
            raise ShapeMismatchError(
                f"a primal has shape {known.shape} but its tangent {direction.shape}"
            )
        self._give(handle, direction)
        self._give(inside(handle), direction)

    def _give(self, tensor: Any, tangent: Any) -> None:
        self.watched[id(tensor)] = tensor
        self._tangents[id(tensor)] = tangent

    def __enter__(self) -> ForwardAccumulator:
        if self._is_recording:
            raise ValueError("Accumulator is already recording.")
        here = context.top()
        self._before = here
        self._is_recording = True
        context.current.set(here.replace(recorders=(*here.recorders, self)))
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._is_recording = False
        assert self._before is not None
        context.current.set(self._before)

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The derivatives of tensors along the direction, structured as they are.

        What does not depend on the primals gives None, or zeros if `unconnected_gradients` is
        "zero".
        """
        unconnected = as_unconnected(unconnected_gradients)
        return tree.map_structure(lambda one: self._answer(one, unconnected), primals)

    def _answer(self, tensor: Any, unconnected: UnconnectedGradients) -> Any:
        operand = inside(handle_of(tensor))
        found = self._tangents.get(id(operand))
        if found is None and unconnected is UnconnectedGradients.ZERO:
            return zeros_like(operand)
        return found

    # ---- as a recorder
    def note(self, operands: Sequence[Any]) -> None:
        """Something that takes `operands` is about to happen."""

    def depends(self, operands: Sequence[Any]) -> bool:
        return self._is_recording and any(id(one) in self._tangents for one in operands)

    def record(self, application: Any) -> None:
        """Work out the tangents of what `application` computed; recorders outside see how."""
        operands = application.operand_list()
        if not application.differentiable or not self.depends(operands):
            return
        outputs = application.output_list()
        if any(id(one) in self._tangents for one in outputs):
            return  # its expansion was recorded, operation by operation
        here = context.top()
        outside = here.recorders[: here.recorders.index(self)]
        tangents = [self._tangents.get(id(one)) for one in operands]
        with context.entered(here.replace(recorders=outside)):
            found = pushed_forward(Entry(application, operands, outputs), tangents)
        for output, tangent in zip(outputs, found, strict=True):
            if tangent is not None:
                self._give(output, tangent)


def pushed_forward(entry: Entry, tangents: Sequence[Any]) -> list[Any]:
    """Tangents of the outputs from those of the operands (None: zero).

    An operation's own rule gives them; else the transpose of its gradient does: the gradient
    `vjp(u)` is linear in u, and the gradient of <vjp(u), tangents> by u is what is wanted.
    """
    rule = getattr(entry.application, "jvp", None)
    if rule is not None and not any(field.listed for field in entry.application.inputs):
        found = rule(*tangents)
        return [found] if entry.application.single else list(found)
    reach = getattr(entry.application, "reach", None)
    outputs = [one for one in entry.outputs[:reach] if one.dtype.is_differentiable]
    recording = Recording()
    directions = {id(one): zeros_like(one) for one in outputs}
    for direction in directions.values():
        recording.watch(direction)
    here = context.top()
    with context.entered(here.replace(recorders=(*here.recorders, recording))):
        arrived = [directions.get(id(one)) for one in entry.outputs]
        pulled = [as_dense(one) for one in pull_back(entry, arrived)]
    recording.active = False
    pairs = [
        (one, tangent)
        for one, tangent in zip(pulled, tangents, strict=True)
        if one is not None and tangent is not None
    ]
    targets, seeds = [one for one, _ in pairs], [tangent for _, tangent in pairs]
    found = gradients(recording, targets, seeds, list(directions.values()))
    by_output = dict(zip(directions, found, strict=True))
    return [as_dense(by_output.get(id(one))) for one in entry.outputs]
