"""The meaning of a graph: one operation after the other, each by its eager kernel.

This is the definition that compiled code is compared with, and the reference back end. It also
runs the callees, branches and bodies of functional operations, whose kernels come back here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import context
from ..errors import OpError
from . import ir
from .failure import located
from .payload import payload_of, wrap_payload


def evaluate(graph: ir.Graph, operands: Sequence[Any]) -> list[Any]:
    """What `graph` returns for `operands`: one array, storage or list for each of its inputs.

    Raises:
        InvalidArgumentError: the number of operands is another one.
        OpError: an operation failed; its message names the operation and the user's line.
    """
    with context.entered(context.base):
        tensors = evaluate_tensors(graph, [wrap_payload(operand) for operand in operands])
    return [payload_of(tensor) for tensor in tensors]


def evaluate_tensors(
    graph: ir.Graph, operands: Sequence[Any], runs: Callable[..., tuple[Any, ...]] | None = None
) -> list[Any]:
    """Like `evaluate`, on eager tensors and in the interpreter on top.

    runs: what gives the results of one operation, `run` if it is not given.
    """
    one_by_one = run if runs is None else runs
    values: dict[ir.Value, Any] = dict(zip(graph.inputs, operands, strict=True))
    for operation in graph.operations:
        arguments = tuple([values[operand] for operand in operation.operands])
        results = one_by_one(operation, arguments)
        values.update(zip(operation.results, results, strict=True))
    return [values[value] for value in graph.returns]


def run(operation: ir.Application, operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The results of one operation on tensors of the interpreter on top.

    Raises:
        OpError: it failed; the message names the operation and the user's line.
    """
    grouped = operation.grouped(operands)
    interpreter = context.top().interpreter
    try:
        return interpreter.apply(operation.op, grouped, dict(operation.attrs), operation.name)
    except OpError as error:
        raise located(error, operation) from error.__cause__
