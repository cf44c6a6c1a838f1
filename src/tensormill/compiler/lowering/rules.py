"""What an operation is to those who read graphs: a step in Python, a graph of others, or a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...core.specs import TensorSpec
from ...graph.ir import Application
from ...ops.compiled_demands import CompiledSizes
from ...ops.control.flow import Identity, IdentityN, Snapshot, StopGradient
from ...ops.control.functional import Functional
from ...ops.op import Op
from ..lowered import stays_in_python
from ..specialize import graphs_of, operands_of
from .values import Opaque

HANDS_ON = (Identity, IdentityN, StopGradient, Snapshot)  # whatever it is


def why_called_back(operation: Application, operands: Sequence[Any]) -> str | None:
    """Why an operation is surely a step in Python; None where its rule is to be asked."""
    op = operation.op
    if op.lower is None and op.expand is None:
        return "it has no native rule"
    opaque = any([isinstance(operand, Opaque) for operand in operands]) or any(
        [_is_kept_in_python(value.spec) for value in operation.results]
    )
    if opaque and not (issubclass(op, Functional) or op in HANDS_ON or op.guard):
        return "strings and unknown ranks stay in Python"
    if opaque and issubclass(op, Functional) and _is_told_more(operation, operands):
        return "its graphs know ranks of their operands that only a run tells"
    return None


def _is_told_more(operation: Application, operands: Sequence[Any]) -> bool:
    """Whether a graph takes an array for what is a Python object here: a tensor of unknown rank
    (gradients have it where values have one).
    """
    given = operands_of(operation, tuple(operands))
    return any(
        isinstance(operand, Opaque) and not stays_in_python(value.spec)
        for graph in graphs_of(operation)
        for value, operand in zip(graph.inputs, given, strict=True)
    )


def _is_kept_in_python(spec: Any) -> bool:
    return isinstance(spec, TensorSpec) and spec.dtype.stays_in_python


def read_demands(application: Op, loops: Any) -> None:
    """Refuse operands, or check them in the program."""
    if application.demands is not None:
        application.found = application.demands(CompiledSizes(loops))


def asked(application: Op, loops: Any) -> tuple[Any, ...]:
    """What the rule of an operation returns, after its demands were read."""
    read_demands(application, loops)
    results = application.lower(loops)
    if results is None:
        return ()
    if isinstance(results, (tuple, list)):
        return tuple(cast("Sequence[Any]", results))
    return (results,)
