"""The signatures of the operations in a graph, which readers with another version compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..graph.proto.graphdef import default_of, op_signature, set_default
from ..graph.proto.messages import message
from ..ops.op import REGISTRY

# What an attribute that is written in this field of AttrValue is called in an AttrDef.
_TYPES: Final = {
    "s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape",
    "tensor": "tensor", "func": "func",
}  # fmt: skip


def stripped_op_list(graph_def: Any) -> Any:
    """An OpList of the operations that occur, sorted by name."""
    proto = message("OpList")()
    examples = {node.op: node for node in _nodes(graph_def)}
    for name in sorted(examples):
        if name in REGISTRY:
            proto.op.append(_op_def(examples[name]))
    return proto


def strip_defaults(graph_def: Any) -> None:
    """Leave out attributes that are what a node without them has: older readers know fewer."""
    for node in _nodes(graph_def):
        kind = REGISTRY.get(node.op)
        if kind is not None:
            written = [one.public for one in kind.attrs if one.public in node.attr]
            for name in written:
                default = None if name.startswith("_") else default_of(kind, name)
                if default is not None and default == node.attr[name]:
                    del node.attr[name]


def _nodes(graph_def: Any) -> Iterator[Any]:
    yield from graph_def.node
    for function in graph_def.library.function:
        yield from function.node_def


def _op_def(node: Any) -> Any:
    kind = REGISTRY[node.op]
    proto = op_signature(kind)
    for name in sorted(node.attr):
        if not name.startswith("_"):
            attr = proto.attr.add(name=name, type=_type_of(node.attr[name]))
            set_default(attr, kind)
    return proto


def _type_of(value: Any) -> str:
    kind = value.WhichOneof("value")
    if kind != "list":
        return _TYPES.get(kind, "type")
    fields = value.list.ListFields()
    return f"list({_TYPES[fields[0][0].name] if fields else 'type'})"
