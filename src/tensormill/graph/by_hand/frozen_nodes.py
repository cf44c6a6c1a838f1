"""Nodes of GraphDefs for which variables are their values, in functions of the library, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import int32, resource
from ..proto.values import attr_value, tensor_proto

# What calls functions: the attribute that lists the types of their operands, how many inputs come
# before these, and the attributes that name the functions.
CALLS: Final[Mapping[str, tuple[str, int, tuple[str, ...]]]] = {
    "Case": ("Tin", 1, ("branches",)),
    "If": ("Tin", 1, ("then_branch", "else_branch")),
    "PartitionedCall": ("Tin", 0, ("f",)),
    "StatefulPartitionedCall": ("Tin", 0, ("f",)),
    "StatelessCase": ("Tin", 1, ("branches",)),
    "StatelessIf": ("Tin", 1, ("then_branch", "else_branch")),
    "StatelessWhile": ("T", 0, ("cond", "body")),
    "While": ("T", 0, ("cond", "body")),
}

# What gives its operands again, under the same numbers.
HANDING_ON: Final = frozenset(["Identity", "IdentityN", "StatelessWhile", "While"])


def owner_of(reference: str) -> str:
    """The node that an input names, or the operand of a function."""
    return reference.removeprefix("^").partition(":")[0]


class FrozenNodes:
    """Writes the nodes of one graph, or of one function, as they are for values of variables.

    library: the functions of the GraphDef, where those that get a value are written again.
    add: makes an empty node in the outcome.
    kinds: the dtype, as protos have it, of what is a value instead of a handle, by what refers to
        it, without the number 0.
    output: what comes behind a node's name where others refer to its outputs.
    """

    library: FrozenFunctions
    add: Callable[[], Any]
    kinds: dict[str, Any]
    output: str
    # outputs that are called otherwise now, as functions refer to them
    renamed: dict[str, str]

    def __init__(
        self,
        library: FrozenFunctions,
        add: Callable[[], Any],
        kinds: Mapping[str, Any],
        output: str = "",
    ) -> None:
        self.library, self.add, self.kinds, self.output = library, add, dict(kinds), output
        self.renamed = {}

    def write(self, nodes: Sequence[Any]) -> None:
        """Add these nodes.

        Raises:
            NotImplementedError: one needs a variable itself.
        """
        self._follow_handles(nodes)
        made = [self._written(node) for node in nodes]
        for node in made:
            node.input[:] = [self.reference(one) for one in node.input]

    def reference(self, old: str) -> str:
        """What refers to an output now."""
        name, _, place = old.rpartition(":")
        return f"{self.renamed[name]}:{place}" if name in self.renamed else old

    def kind_of(self, reference: str) -> Any:
        """The dtype of what an input or result names, if that is a value instead of a handle."""
        return self.kinds.get(reference.removesuffix(":0"))

    def _follow_handles(self, nodes: Sequence[Any]) -> None:
        """What hands on the handle of a value is the value, in whichever order nodes stand."""
        pending = [node for node in nodes if node.op in HANDING_ON and not _is_of_value(node)]
        found = True
        while found:
            found = False
            for node in pending:
                for place, kind in enumerate(self._given(node)):
                    result = f"{node.name}{self.output}:{place}".removesuffix(":0")
                    if kind is not None and result not in self.kinds:
                        self.kinds[result], found = kind, True

    def _given(self, node: Any) -> list[Any]:
        return [self.kind_of(one) for one in node.input if one[0] != "^"]

    def _written(self, node: Any) -> Any:
        given = self._given(node)
        made = self.add()
        made.CopyFrom(node)
        if all(kind is None for kind in given) or _is_of_value(node):
            return made
        if node.op == "Identity":
            (made.attr["T"].type,) = given
        elif node.op == "IdentityN":
            _change_types(made.attr["T"], given)
        elif node.op == "ReadVariableOp":
            _change(made, "Identity", T=node.attr["dtype"])
            self.renamed[f"{node.name}:value"] = f"{node.name}:output"
        elif node.op == "ResourceGather" and not node.attr["batch_dims"].i:
            self._change_to_gather(made, node)
        elif node.op in CALLS:
            self._change_call(made, node, given)
        else:
            raise NotImplementedError(
                f"the node '{node.name}' ({node.op}) takes a variable itself, not its value: it "
                "cannot take a constant"
            )
        return made

    def _change_to_gather(self, made: Any, node: Any) -> None:
        axis = self.add()
        axis.name, axis.op = f"{node.name}/axis", "Const"
        axis.attr["dtype"].CopyFrom(attr_value(int32, str))
        axis.attr["value"].tensor.CopyFrom(tensor_proto(np.zeros((), np.int32)))
        made.input.insert(2, f"{axis.name}{self.output}:0")
        kinds = {"Tparams": node.attr["dtype"], "Tindices": node.attr["Tindices"]}
        _change(made, "GatherV2", **kinds, Taxis=attr_value(int32, str))

    def _change_call(self, made: Any, node: Any, given: Sequence[Any]) -> None:
        types, first, functions = CALLS[node.op]
        kinds = tuple(given[first:])
        _change_types(made.attr[types], kinds)
        is_loop = types == "T"
        for name in functions:
            attribute = made.attr[name]
            for called in [attribute.func] if attribute.HasField("func") else attribute.list.func:
                called.name = self.library.written(called.name, kinds, hands_on=is_loop)


class FrozenFunctions:
    """A library, into which functions are written again for values of variables.

    library: a FunctionDefLibrary; it grows.
    """

    library: Any
    originals: dict[str, Any]
    names: dict[tuple[str, tuple[Any, ...]], str]

    def __init__(self, library: Any) -> None:
        self.library, self.names = library, {}
        self.originals = {one.signature.name: one for one in library.function}

    def written(self, name: str, kinds: tuple[Any, ...], hands_on: bool) -> str:
        """The name of a function whose operands of these kinds are values.

        kinds: None for an operand that is what it was. hands_on: results may be such a value, too.

        Raises:
            NotImplementedError: it needs a variable itself.
        """
        key = name, kinds
        if key not in self.names:
            self.names[key] = f"{name}_frozen_{len(self.names)}"
            self._write(self.originals[name], self.names[key], kinds, hands_on)
        return self.names[key]

    def _write(self, old: Any, name: str, kinds: tuple[Any, ...], hands_on: bool) -> None:
        made = self.library.function.add()
        made.CopyFrom(old)
        made.signature.name = name
        values = dict[str, Any]()
        for place, (operand, kind) in enumerate(zip(made.signature.input_arg, kinds, strict=True)):
            if kind is not None:
                operand.type, values[operand.name] = kind, kind
                operand.ClearField("handle_data")
                made.arg_attr.pop(place, None)
                made.resource_arg_unique_id.pop(place, None)
        made.attr.pop("_input_shapes", None)
        made.ClearField("node_def")
        nodes = FrozenNodes(self, made.node_def.add, values, ":output")
        nodes.write(old.node_def)
        for result in made.signature.output_arg:
            reference = made.ret[result.name]
            kind = nodes.kind_of(reference)
            if kind is not None and result.type == resource.as_datatype_enum:
                if not hands_on:
                    raise NotImplementedError(
                        f"the function '{old.signature.name}' returns a variable itself, not its "
                        "value: it cannot take a constant"
                    )
                result.type = kind
                result.ClearField("handle_data")
            made.ret[result.name] = nodes.reference(reference)


def _change_types(attribute: Any, kinds: Sequence[Any]) -> None:
    for place, kind in enumerate(kinds):
        if kind is not None:
            attribute.list.type[place] = kind


def _change(made: Any, kind: str, **attributes: Any) -> None:
    made.op = kind
    made.attr.clear()
    for name, value in attributes.items():
        made.attr[name].CopyFrom(value)


def _is_of_value(node: Any) -> bool:
    """Whether it reads a variable of TensorFlow 1, rather than hands on a handle."""
    return node.op == "Identity" and node.attr["T"].type != resource.as_datatype_enum
