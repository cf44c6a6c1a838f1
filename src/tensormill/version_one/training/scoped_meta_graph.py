"""The part of a graph that is below a name scope, as a MetaGraphDef of its own."""

from __future__ import annotations

from typing import Any, Final

from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.variable_defs import narrowed
from ...graph.proto.messages import message

# Collections of variables, which files keep as VariableDefs.
OF_VARIABLES: Final = (
    GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.MODEL_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES, GraphKeys.METRIC_VARIABLES,
    GraphKeys.GLOBAL_STEP, GraphKeys.CONCATENATED_VARIABLES, GraphKeys.TRAINABLE_RESOURCE_VARIABLES,
)  # fmt: skip
# What operations outside are called; an import has to say what stands for them.
UNBOUND: Final = "$unbound_inputs_"
UNBOUND_INPUTS: Final = "unbound_inputs"
_COLOCATED: Final = b"loc:@"


def below(proto: Any, scope: str) -> Any:
    """A MetaGraphDef of what is below `scope`, whose names begin without it."""
    before = f"{scope.rstrip('/')}/"
    part = message("MetaGraphDef").FromString(proto.SerializeToString())
    nodes = [node for node in part.graph_def.node if node.name.startswith(before)]
    unbound = [name for node in nodes for name in _move_node(node, before)]
    del part.graph_def.node[:]
    part.graph_def.node.extend(nodes)
    for name in list(part.collection_def):
        if not _narrow_collection(name, part.collection_def[name], before):
            del part.collection_def[name]
    if unbound:
        part.collection_def[UNBOUND_INPUTS].bytes_list.value.extend(map(str.encode, unbound))
    return part


def _move_node(node: Any, before: str) -> list[str]:
    """Name a node and its inputs anew; gives what it takes from outside."""
    node.name = node.name.removeprefix(before)
    unbound: list[str] = []
    for place, name in enumerate(node.input):
        control, name = ("^", name[1:]) if name.startswith("^") else ("", name)
        if name.startswith(before):
            node.input[place] = control + name.removeprefix(before)
        else:
            node.input[place] = f"{control}{UNBOUND}{name}"
            unbound.append(f"{UNBOUND}{name}")
    if "_class" in node.attr:
        places = node.attr["_class"].list.s
        places[:] = [_renamed(one, before.encode()) for one in places]
    return unbound


def _renamed(word: bytes, before: bytes) -> bytes:
    """A word of `_class`; it says beside what a node is placed, or something else."""
    if not word.startswith(_COLOCATED):
        return word
    return _COLOCATED + word.removeprefix(_COLOCATED).removeprefix(before)


def _narrow_collection(name: str, collection: Any, before: str) -> bool:
    """Leave of a collection what is below the scope; False where that is nothing."""
    if name in OF_VARIABLES:
        values, narrow = collection.bytes_list.value, _variable
    elif collection.WhichOneof("kind") == "node_list":
        values, narrow = collection.node_list.value, _node
    else:
        return True
    values[:] = [found for one in values if (found := narrow(one, before)) is not None]
    return bool(values)


def _node(name: str, before: str) -> str | None:
    return name.removeprefix(before) if name.startswith(before) else None


def _variable(data: bytes, before: str) -> bytes | None:
    """A VariableDef without the scope; None where it is of a variable outside."""
    found = narrowed(message("VariableDef").FromString(data), before)
    return None if found is None else found.SerializeToString()
