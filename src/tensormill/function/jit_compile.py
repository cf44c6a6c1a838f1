"""`jit_compile=True`: everything must be compiled, or the function says why it cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InvalidArgumentError
from ..graph.ir import Application, Graph
from ..graph.nested_graphs import every_operation
from ..ops.constant import Const


def require_native(graph: Graph, name: str) -> None:
    """Check that no operation of a graph would have to run in Python.

    Raises:
        InvalidArgumentError: some would; the message names them and their lines.
    """
    reasons = [
        f"  {step.op.name} '{step.name}' ({step.line}): {why}" for step, why in refused(graph)
    ]
    if reasons:
        raise InvalidArgumentError(
            f"'{name}' has unsupported operations when trying to compile it (jit_compile=True):\n"
            + "\n".join(reasons)
        )


def refused(graph: Graph) -> Iterator[tuple[Application, str]]:
    """The operations that native code cannot do, and why."""
    for step in every_operation(graph):
        if any(value.spec.dtype.kind == "string" for value in (*step.operands, *step.results)):
            yield step, "strings stay in Python"
        elif step.op is not Const and step.op.lower is None and step.op.expand is None:
            yield step, "it has no native rule"
