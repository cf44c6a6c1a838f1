"""`tf.compat.v1.profiler.profile`: parameters and operations on floats, by names or by kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any, Final

from ...errors import InvalidArgumentError
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.proto.messages import message
from .float_operations import float_operations
from .options import ProfileOptionBuilder
from .texts import show

ROOT: Final = "_TFProfRoot"
_TRAINABLE: Final = "_trainable_variables"
_FACTS: Final = ("params", "float_ops", "occurrence")
# What an option asks of a node at least.
_LEAST: Final = {"params": "min_params", "float_ops": "min_float_ops"}


@dataclass
class ProfiledNode:
    """An operation, or a scope of such, with what it counts itself and what all below it do."""

    name: str
    operation: Any = None
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_FACTS, 0))
    totals: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_FACTS, 0))
    children: list[ProfiledNode] = field(default_factory=list)

    def walk(self) -> Iterator[ProfiledNode]:
        """All nodes below."""
        for child in self.children:
            yield child
            yield from child.walk()


def profile(
    graph: Any = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
    options: Any = 0,
) -> Any:  # fmt: skip
    """Count the parameters of a graph, or its operations on floats; print and return them.

    graph: the default one without. options: a dict of `ProfileOptionBuilder`; parameters of
    trainable variables without. cmd: "scope" sorts by names and gives a GraphNodeProto, "op" by
    kinds of operations and gives a MultiGraphNodeProto. Operations whose sizes are not known count
    nothing. `run_meta` and `op_log` are not looked at.

    >>> with tf.Graph().as_default() as graph:
    ...     _ = tf.matmul(tf.zeros([3, 4]), tf.zeros([4, 5]))
    >>> build = tf.compat.v1.profiler.ProfileOptionBuilder
    >>> options = build(build.float_operation()).with_empty_output().build()
    >>> tf.compat.v1.profiler.profile(graph, options=options).total_float_ops
    120

    Raises:
        InvalidArgumentError: there is no such command.
        NotImplementedError: times or bytes are asked for, or a command that needs them.
    """
    options = dict(options) if options else ProfileOptionBuilder.trainable_variables_parameter()
    if cmd not in ("scope", "op", "graph", "code"):
        raise InvalidArgumentError(f"unknown command: {cmd!r}; there are 'scope' and 'op'")
    measured = sorted(set(options["select"]) - set(_FACTS))
    if cmd in ("graph", "code") or measured:
        what = f"cmd={cmd!r}" if cmd in ("graph", "code") else f"select={measured}"
        raise NotImplementedError(
            f"tf.compat.v1.profiler.profile counts parameters and float operations by 'scope' and "
            f"'op', and measures nothing: {what} is not there; tf.profiler.experimental is"
        )
    nodes = _profiled(graph if graph is not None else get_default_graph(), options)
    if cmd == "op":
        kinds = _by_kinds(nodes, options)
        show(kinds, options, cmd)
        return _kinds_message(kinds)
    root = _by_names(nodes, options)
    show([root], options, cmd)
    return _message(root)


def _profiled(graph: Any, options: dict[str, Any]) -> list[ProfiledNode]:
    """Each operation with what it counts, where its types are counted at all."""
    variables = {one.op.name: one for one in graph.get_collection("trainable_variables")}
    found: list[ProfiledNode] = []
    for operation in graph.get_operations():
        node = ProfiledNode(operation.name, operation)
        variable = variables.get(operation.name)
        types = [operation.type, *([] if variable is None else [_TRAINABLE])]
        if any(_matches(one, options["account_type_regexes"]) for one in types):
            node.counts["float_ops"] = float_operations(operation)
            node.counts["occurrence"] = 1
            if variable is not None:
                node.counts["params"] = prod(variable.shape.as_list())
        found.append(node)
    return found


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def _is_shown(node: ProfiledNode, options: dict[str, Any], depth: int) -> bool:
    if depth > options["max_depth"] or _matches(node.name, options["hide_name_regexes"]):
        return False
    enough = all(node.counts[fact] >= options[least] for fact, least in _LEAST.items())
    return enough and _matches(node.name, options["show_name_regexes"])


def _by_names(nodes: list[ProfiledNode], options: dict[str, Any]) -> ProfiledNode:
    """The tree of names; what is not shown leaves its place to what is below."""
    by_name = {node.name: node for node in nodes}
    root = ProfiledNode(ROOT)
    for name in list(by_name):
        parts = name.split("/")
        for length in range(1, len(parts)):
            scope = "/".join(parts[:length])
            by_name.setdefault(scope, ProfiledNode(scope))
    for name, node in by_name.items():
        by_name.get(name.rpartition("/")[0], root).children.append(node)
    _add_up(root)
    counted = {name: dict(node.totals) for name, node in by_name.items()}
    all_of_them = dict(root.totals)
    shown = _shown(root, options, 0)
    _add_up(root := ProfiledNode(ROOT, children=_from_start(shown, options)))
    if not options["account_displayed_op_only"]:
        root.totals = all_of_them
        for node in root.walk():
            node.totals = counted[node.name]
    return root


def _from_start(nodes: list[ProfiledNode], options: dict[str, Any]) -> list[ProfiledNode]:
    if options["start_name_regexes"] == [".*"]:
        return nodes
    found: list[ProfiledNode] = []
    for node in nodes:
        begins = _matches(node.name, options["start_name_regexes"])
        found += [node] if begins else _from_start(node.children, options)
    return found


def _shown(node: ProfiledNode, options: dict[str, Any], depth: int) -> list[ProfiledNode]:
    """What is shown below a node, in order."""
    found: list[ProfiledNode] = []
    for child in node.children:
        if _matches(child.name, options["trim_name_regexes"]):
            continue
        shown = _is_displayed(child, options, depth + 1)
        below = _shown(child, options, depth + 1)
        if shown:
            kept = ProfiledNode(child.name, child.operation, child.counts, children=below)
            _add_up(kept)
            found.append(kept)
        else:
            found += below
    return _sorted(found, options)


def _is_displayed(node: ProfiledNode, options: dict[str, Any], depth: int) -> bool:
    counts_something = node.operation is None or node.counts["occurrence"] > 0
    is_empty = node.operation is None and not any(node.totals.values())
    return _is_shown(node, options, depth) and counts_something and not is_empty


def _sorted(nodes: list[ProfiledNode], options: dict[str, Any]) -> list[ProfiledNode]:
    order = options["order_by"]
    if order not in _FACTS:
        return sorted(nodes, key=lambda node: node.name)
    return sorted(nodes, key=lambda node: (-node.totals[order], node.name))


def _add_up(node: ProfiledNode) -> None:
    for child in node.children:
        _add_up(child)
    node.totals = {
        fact: node.counts[fact] + sum(child.totals[fact] for child in node.children)
        for fact in _FACTS
    }


def _by_kinds(nodes: list[ProfiledNode], options: dict[str, Any]) -> list[ProfiledNode]:
    """One node for each kind of operation that is shown, the largest first; its totals are those
    of itself and all after it.
    """
    kinds: dict[str, ProfiledNode] = {}
    for node in nodes:
        if node.counts["occurrence"]:
            kind = kinds.setdefault(node.operation.type, ProfiledNode(node.operation.type))
            kind.children.append(node)
            for fact in _FACTS:
                kind.counts[fact] += node.counts[fact]
                node.totals[fact] = node.counts[fact]
    for kind in kinds.values():
        kind.totals = dict(kind.counts)
    found = _sorted([one for one in kinds.values() if _is_shown(one, options, 1)], options)
    for one, following in reversed(list(pairwise(found))):
        one.totals = {fact: one.totals[fact] + following.totals[fact] for fact in _FACTS}
    return found


def _message(node: ProfiledNode) -> Any:
    made = message("GraphNodeProto")(
        name=node.name, parameters=node.counts["params"], float_ops=node.counts["float_ops"],
        total_parameters=node.totals["params"], total_float_ops=node.totals["float_ops"],
        total_definition_count=1 + sum(1 for _ in node.walk()),
    )  # fmt: skip
    made.children.extend(map(_message, node.children))
    if node.operation is not None and node.operation.type != "VarHandleOp":
        for position, tensor in enumerate(node.operation.inputs):
            made.input_shapes[position].CopyFrom(tensor.shape.as_proto())
    return made


def _kinds_message(kinds: list[ProfiledNode]) -> Any:
    """Each kind has the next one below it."""
    kind_message = message("MultiGraphNodeProto")
    below: Any = None
    for kind in reversed(kinds):
        made = kind_message(
            name=kind.name, parameters=kind.counts["params"], float_ops=kind.counts["float_ops"],
            total_parameters=kind.totals["params"], total_float_ops=kind.totals["float_ops"],
        )  # fmt: skip
        made.graph_nodes.extend(
            _message(ProfiledNode(one.name, one.operation, one.counts, one.totals))
            for one in kind.children
        )
        made.children.extend([] if below is None else [below])
        below = made
    root = kind_message(name=ROOT)
    if below is not None:
        root.total_parameters = below.total_parameters
        root.total_float_ops = below.total_float_ops
        root.children.append(below)
    return root
