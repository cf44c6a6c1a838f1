"""`tf.debugging.enable_check_numerics`: the operation that made the first NaN is told at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import context, tree
from ...errors import InvalidArgumentError
from ..bind import bind
from ..op import FLOATS, Op
from .finite_numbers import CheckNumericsV2

# Elements of these are elements of their operands, or were looked at in the graphs that they run.
PASSING: Final = frozenset(
    "CheckNumerics CheckNumericsV2 ConcatV2 ExpandDims Fill GatherNd GatherV2 Identity Maximum "
    "Minimum Pack Placeholder Reshape Slice Squeeze StridedSlice StridedSliceGrad "
    "TensorListConcatV2 TensorListGather TensorListGetItem TensorListPopBack TensorListStack "
    "Transpose Unpack If StatelessIf While StatelessWhile Case StatelessCase PartitionedCall "
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
        here = context.top()
        if here.interpreter.building_graph:
            with context.entered(here.replace(observers=())):
                _add_check(position, output)
        elif not np.isfinite(output._array).all():
            raise InvalidArgumentError(_told(op, position, output, operands))


def _add_check(position: int, output: Any) -> None:
    made = output.op
    lines = [
        *_found("graph", made.type, position, len(made.outputs), output),
        "",
        *_given(made.inputs),
    ]
    message = "\n".join([*lines, f'  Graph name: "{made.graph.name}"\n'])
    name = f"{made.name.rpartition('/')[2]}/CheckNumericsV2"
    bind(CheckNumericsV2, output, message=message, name=name)


def _told(op: type[Op], position: int, output: Any, operands: tuple[Any, ...]) -> str:
    array = output._array.astype(np.float64)
    held = {"-Inf": np.isneginf(array), "+Inf": np.isposinf(array), "NaN": np.isnan(array)}
    lines = _found("eagerly-executing", op.name, position, len(op.outputs), output)
    for kind, where in held.items():
        if where.any():
            lines.append(f"  # of {'+NaN' if kind == 'NaN' else kind} elements: {where.sum()}")
    with context.entered(context.base):  # printing computes nothing that is looked at
        lines += ["", *_given([one for each in operands for one in tree.flatten(each)])]
    kinds = [kind for kind, where in held.items() if where.any()]
    return "\n".join([*lines, "", f" : Tensor had {LISTED[len(kinds)].format(*kinds)} values"])


LISTED: Final = ("", "{}", "{} and {}", "{}, {}, and {}")


def _found(how: str, op: str, position: int, outputs: int, output: Any) -> list[str]:
    made_by = f'{how} op "{op}" (# of outputs: {outputs})'
    return [
        f"\n\n!!! Detected Infinity or NaN in output {position} of {made_by} !!!",
        f"  dtype: {output.dtype}",
        f"  shape: {output.shape}",
    ]


def _given(inputs: Sequence[Any]) -> list[str]:
    if len(inputs) == 1:
        return [f"  Input tensor: {inputs[0]!s}"]
    return [
        f"  Input tensors ({len(inputs)}):",
        *[f"    {number}: {one!s}" for number, one in enumerate(inputs)],
    ]


_watch: Final = NumericWatch()


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, let every operation of this thread that gives a NaN or an infinity fail.

    Functions that are traced from now on check as well, and go on checking; those that were traced
    before do not. Operations that only move elements (reshape, gather) may hand on what they got.
    The limits change nothing: errors tell the user's lines by themselves.

    >>> tf.debugging.enable_check_numerics()
    >>> tf.math.log(-1.0)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...
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
