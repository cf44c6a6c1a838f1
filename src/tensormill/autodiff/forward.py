"""`ForwardAccumulator`: derivatives along one direction, worked out while the program runs."""

from __future__ import annotations

from typing import Any

from ..core import context, dtypes, tree
from ..core.process.logs import logger
from ..core.process.with_blocks import Enterable
from ..core.values import TensorLike
from ..errors import ShapeMismatchError
from ..ops.conversion import as_tensor
from .constants import zeros_like
from .recording import state_of
from .sources import handle_of, in_trace
from .tangents import Tangents
from .tape import UnconnectedGradients, as_unconnected


class ForwardAccumulator(Enterable["ForwardAccumulator"]):
    """Computes Jacobian-vector products alongside what is computed while it is entered.

    `primals` are tensors or variables (a structure of them), `tangents` tensors of the same shapes
    and dtypes: the direction. `jvp` then gives the derivative along it. Accumulators nest, in each
    other and in tapes: who is outside differentiates what the ones inside compute.

    >>> x = tf.Variable(3.0)
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
    ...     y = x * x
    >>> accumulator.jvp(y).numpy()
    np.float32(6.0)

    Raises:
        ValueError: structures, dtypes or shapes of primals and tangents differ, or a primal is
            there twice. Those of dtypes that are not floating have no derivative, and a warning.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        super().__init__()
        try:
            tree.assert_same_structure(primals, tangents)
        except TypeError as error:
            raise ValueError(str(error)) from None
        self._tangents = Tangents()
        pairs = zip(tree.flatten(primals), tree.flatten(tangents), strict=True)
        for primal, tangent in pairs:
            self._watch(primal, tangent)

    def _watch(self, primal: Any, tangent: Any) -> None:
        if not isinstance(primal, TensorLike):
            raise ValueError(f"a primal must be a tensor or a variable, got {primal!r}")
        handle = handle_of(primal)
        if self._tangents.of(handle) is not None:
            raise ValueError(
                f"{primal!r} was specified as a primal multiple times: add up its tangents"
            )
        known: Any = state_of(handle) if handle.dtype is dtypes.resource else handle
        direction = as_tensor(tangent, None if isinstance(tangent, TensorLike) else known.dtype)
        if direction.dtype is not known.dtype:
            raise ValueError(
                f"a primal has dtype {known.dtype.name} but its tangent {direction.dtype.name}"
            )
        if not known.dtype.is_differentiable:
            logger.warning(
                "The dtype of the watched primal must be floating (e.g. tf.float32), got %r",
                known.dtype,
            )
            return
        if not direction.shape.is_compatible_with(known.shape):
            raise ShapeMismatchError(
                f"a primal has shape {known.shape} but its tangent {direction.shape}"
            )
        self._tangents.give(handle, direction)
        self._tangents.give(in_trace(handle), direction)

    def _enter(self) -> ForwardAccumulator:
        if self._tangents.active:
            raise ValueError("Accumulator is already recording.")
        context.record_until(self._entered, self._tangents)
        return self

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The derivatives of tensors along the direction, structured as they are.

        What does not depend on the primals gives None, or zeros if `unconnected_gradients` is
        "zero".

        >>> x = tf.constant(3.0)
        >>> with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as along:
        ...     y = x * x
        >>> along.jvp(y).numpy()
        np.float32(6.0)

        Raises:
            ValueError: something is neither a tensor nor a variable.
        """
        unconnected = as_unconnected(unconnected_gradients)
        return tree.map_structure(lambda one: self._answer(one, unconnected), primals)

    def _answer(self, tensor: Any, unconnected: UnconnectedGradients) -> Any:
        if not isinstance(tensor, TensorLike):
            raise ValueError(f"only tensors and variables have tangents, got {tensor!r}")
        operand = handle_of(tensor)
        found = self._tangents.of(operand)
        if found is None:  # in a trace, what stands there for something from outside
            operand = in_trace(operand)
            found = self._tangents.of(operand)
        if found is None and unconnected is UnconnectedGradients.ZERO:
            return zeros_like(operand)
        return found
