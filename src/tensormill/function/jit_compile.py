"""`jit_compile=True`: everything must be compiled, or the function says why it cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from .. import backends
from ..errors import InvalidArgumentError
from ..graph.ir import Application, Graph
from ..graph.nested_graphs import every_operation


def require_native(graph: Graph, name: str) -> None:
    """Check that no operation of a graph would have to run by itself.

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
    """The operations that the back end does not compile, and why."""
    refuses = backends.default().refuses
    for step in every_operation(graph):
        if (why := refuses(step)) is not None:
            yield step, why
