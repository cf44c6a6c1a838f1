"""Operations by the names of their kinds, with attributes as protos: `Graph.create_op`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import UnimplementedError
from ...ops.absent import absence
from ...ops.op import named_in_files
from ..operation import Operation
from .graphdef import PRODUCER, op_signature
from .graphdef_import import Functions, Nodes
from .messages import message

if TYPE_CHECKING:
    from ..func_graph import FuncGraph


def operation_of(
    graph: FuncGraph,
    kind: str,
    inputs: Sequence[Any],
    name: str | None,
    attrs: Mapping[str, Any],
) -> Operation:
    """Add an operation of the kind to `graph`.

    Raises:
        UnimplementedError: there is no such kind.
    """
    node = message("NodeDef")(name=name or kind, op=kind)
    for key, value in attrs.items():
        node.attr[key].CopyFrom(value)
    nodes = Nodes(Functions(()), graph.name)
    with graph.as_default():
        for number, tensor in enumerate(inputs):
            nodes.define(f"input_{number}", graph.convert(tensor, None, None))
            node.input.append(f"input_{number}")
        nodes.add(graph, node)
    return graph.latest_operation


def definition_of(kind: str) -> Any:
    """The OpDef of a kind of operation.

    Raises:
        UnimplementedError: there is no such kind.
    """
    op = named_in_files(kind)
    if op is None:
        raise UnimplementedError(f"there is no operation '{kind}'{absence(kind)}")
    return op_signature(op)


def versions() -> Any:
    """The VersionDef that GraphDefs get."""
    return message("VersionDef")(producer=PRODUCER)
