"""`jit_compile=True`: everything must be compiled, or the function says why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .. import backends
from ..core import context
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


def compiler_ir_of(
    function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Callable[..., Any]:
    """What gives XLA's texts of a function's trace for arguments.

    Raises:
        ValueError: it is not compiled by XLA as a whole.
        TypeError: it is asked for within a trace.
    """
    if context.building_graph():
        raise TypeError(
            "experimental_get_compiler_ir gives texts, and no tensors: call it outside of a "
            "function that is being traced"
        )
    if not function._state.options.jit_compile:
        raise ValueError(
            "Compiler IR can only be returned for functions marked with 'jit_compile=True'"
        )
    texts = getattr(backends.default(), "compiler_ir", None)
    if texts is None:
        raise ValueError(
            "experimental_get_compiler_ir gives texts of XLA, which compiles nothing here: set "
            "TENSORMILL_BACKEND=xla; `tensormill dump` and `fn.report()` tell what this compiler "
            "made"
        )
    concrete = function.get_concrete_function(*args, **kwargs)
    captures = [one._array for one in concrete.captured_inputs]
    return texts(concrete.callee.graph, captures)
