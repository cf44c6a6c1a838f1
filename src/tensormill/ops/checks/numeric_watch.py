"""`tf.debugging.enable_check_numerics`: the operation that made the first NaN is told at once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core import context
from ...errors import InvalidArgumentError
from ..op import FLOATS, Op
from .finite_numbers import check_numerics

# Elements of these are elements of their operands, or were looked at in the graphs that they run.
PASSING: Final = frozenset(
    "CheckNumerics ConcatV2 ExpandDims Fill GatherNd GatherV2 Identity Maximum Minimum Pack "
    "Placeholder Reshape Slice Squeeze StridedSlice StridedSliceGrad TensorListConcatV2 "
    "TensorListGather TensorListGetItem TensorListPopBack TensorListStack Transpose Unpack "
    "If StatelessIf While StatelessWhile Case StatelessCase PartitionedCall "
    "StatefulPartitionedCall".split()
)


class NumericWatch:
    """Looks at what operations give; in a trace it adds the look to the graph."""

    def applied(self, application: context.Applied) -> None:
        if application.op.name in PASSING:
            return
        for position, output in enumerate(application.outputs):
            if output.dtype in FLOATS:
                self._look(application.op, position, output, application.operands)

    def called(self, function: Any, start: int, end: int) -> None:
        """A function has checks of its own."""

    def _look(self, op: type[Op], position: int, output: Any, operands: tuple[Any, ...]) -> None:
        found = f'Detected Infinity or NaN in output {position} of "{op.name}"'
        here = context.top()
        if here.interpreter.building_graph:
            with context.entered(here.replace(observers=())):
                check_numerics(output, found)
        elif not np.isfinite(output._array).all():
            raise InvalidArgumentError(_told(found, output, operands))


def _told(found: str, output: Any, operands: tuple[Any, ...]) -> str:
    array = output._array
    counts = {
        "NaN": np.isnan(array).sum(),
        "+Inf": np.isposinf(array.astype(np.float64)).sum(),
        "-Inf": np.isneginf(array.astype(np.float64)).sum(),
    }
    held = ", ".join(f"{count} x {kind}" for kind, count in counts.items() if count)
    lines = [f"{found}: {held}", f"  dtype {output.dtype.name}, shape {array.shape}"]
    with context.entered(context.base):  # printing computes nothing that is looked at
        lines += [f"  operand {k}: {operand!r}" for k, operand in enumerate(operands)]
    return "\n".join(lines)


_watch: Final = NumericWatch()


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, let every operation of this thread that gives a NaN or an infinity fail.

    Functions that are traced from now on check as well, and go on checking; those that were traced
    before do not. Operations that only move elements (reshape, gather) may hand on what they got.
    The limits change nothing: errors tell the user's lines by themselves.

    >>> tf.debugging.enable_check_numerics()
    >>> tf.math.log(-1.0)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: Detected Infinity or NaN in output 0 of "Log": ...
    >>> tf.debugging.disable_check_numerics()
    >>> tf.math.log(-1.0).numpy()
    np.float32(nan)

    Raises (the operations, later):
        InvalidArgumentError: an element is infinite or NaN.

    Raises:
        InvalidArgumentError (when an operation gives one): it says which.
    """
    context.observe(_watch)


def disable_check_numerics() -> None:
    """Let operations of this thread give NaN and infinities again.

    >>> tf.debugging.disable_check_numerics()
    """
    context.stop_observing(_watch)
