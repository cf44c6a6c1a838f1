"""Control flow of TensorFlow 1 in a GraphDef, rewritten: Switch, Merge and frames as If and While.

A loop is a frame: Enter brings a value in, Merge takes it or that of NextIteration, Switch lets it
into the body as long as LoopCond says so, else to Exit. A branch is what lies between Switches of
one predicate and a Merge. Both become functions of the graph's library; what took an Exit or a
Merge takes an Identity of the same name. Frames and branches within others come first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from ...core.dtypes import resource
from ...core.process.named_tuples import NamedTuple
from ...errors import InvalidArgumentError
from .messages import message

_ENTER: Final = ("Enter", "RefEnter")
_EXIT: Final = ("Exit", "RefExit")
_NEXT: Final = ("NextIteration", "RefNextIteration")
_SWITCH: Final = ("Switch", "RefSwitch")
_MERGE: Final = ("Merge", "RefMerge")
_OLD: Final = frozenset((*_ENTER, *_EXIT, *_NEXT, *_SWITCH, *_MERGE, "LoopCond"))


def functionalized(graph_def: Any) -> Any:
    """The same graph without control flow of TensorFlow 1; the one given where it has none.

    Raises:
        InvalidArgumentError: a frame is not what TensorFlow makes of a loop.
    """
    if not any(node.op in _OLD for node in graph_def.node):
        return graph_def
    made = message("GraphDef")()
    made.CopyFrom(graph_def)
    nodes = Rewriting(made.node, made.library)
    for frame in nodes.frames():
        nodes.rewrite_loop(frame)
    nodes.rewrite_branches()
    del made.node[:]
    made.node.extend(nodes.by_name.values())
    return made


class NodeResult(NamedTuple):
    """A result of a node, as inputs name it."""

    node: str
    number: int

    def __str__(self) -> str:
        return f"{self.node}:{self.number}" if self.number else self.node


def parsed(reference: str) -> NodeResult:
    """What an input of a node says: 'node', 'node:1', or '^node' for its having run."""
    name, _, number = reference.removeprefix("^").partition(":")
    return NodeResult(name, int(number or 0))


class Rewriting:
    """The nodes of a graph by their names, while some are replaced by others."""

    def __init__(
        self, nodes: Iterable[Any], library: Any, arguments: Mapping[str, int] | None = None
    ) -> None:
        """`arguments` of a function, with their dtypes; new functions go into the `library`."""
        self.by_name: dict[str, Any] = {node.name: node for node in nodes}
        self._library = library
        self._arguments = arguments or {}

    def _inputs(self, node: Any) -> Iterator[NodeResult]:
        return (parsed(one) for one in node.input if not one.startswith("^"))

    def _sources(self, node: Any) -> Iterator[Any]:
        for one in node.input:
            found = self.by_name.get(parsed(one).node)
            if found is not None:
                yield found

    def _consumers(self, name: str, kinds: Iterable[str]) -> Iterator[Any]:
        wanted = tuple(kinds)
        for node in list(self.by_name.values()):
            if node.op in wanted and any(one.node == name for one in self._inputs(node)):
                yield node

    # ---- loops
    def frames(self) -> list[str]:
        """The names of frames, those within others first."""
        depth: dict[str, int] = {}
        for node in self.by_name.values():
            if node.op in _ENTER:
                frame = node.attr["frame_name"].s.decode()
                depth[frame] = max(depth.get(frame, 0), self._depth(node))
        return sorted(depth, key=lambda frame: -depth[frame])

    def _depth(self, enter: Any) -> int:
        """Of how many frames a value has come into the innermost."""
        count, pending, seen = 0, [(enter, 0)], set[str]()
        while pending:
            node, depth = pending.pop()
            if node.name in seen:
                continue
            seen.add(node.name)
            within = depth + (node.op in _ENTER) - (node.op in _EXIT)
            count = max(count, within)
            pending += [(one, within) for one in self._sources(node)]
        return count

    def rewrite_loop(self, frame: str) -> None:
        """Replace a frame by a While."""
        enters = [
            node for node in self.by_name.values()
            if node.op in _ENTER and node.attr["frame_name"].s.decode() == frame
        ]  # fmt: skip
        carried = [one for one in map(self._carried, enters) if one is not None]
        if not carried:
            raise InvalidArgumentError(f"the frame '{frame}' has no loop variables")
        of_loop = {one.enter.name for one in carried}
        constants = [one for one in enters if one.name not in of_loop]
        condition = self._condition(carried)
        before = {NodeResult(one.merge.name, 0): f"loop_{k}" for k, one in enumerate(carried)}
        within = {NodeResult(one.switch.name, 1): f"loop_{k}" for k, one in enumerate(carried)}
        given = {NodeResult(one.name, 0): f"constant_{k}" for k, one in enumerate(constants)}
        types = [one.attr["T"].type for one in (*[c.enter for c in carried], *constants)]
        own = {node.name for one in carried for node in one} | {condition.name}
        arguments = [*before.values(), *given.values()]
        name = f"{frame}/while".replace("//", "/").lstrip("/")
        cond = self._function(
            f"{name}_cond", arguments, types, before | given, [next(self._inputs(condition))],
            [10], own,
        )  # fmt: skip
        results = [next(self._inputs(one.next)) for one in carried]
        body = self._function(
            f"{name}_body", arguments, types, within | before | given,
            [*results, *given], types, own,
        )  # fmt: skip
        loop = message("NodeDef")(name=self._free(name), op="While")
        starts = [next(self._inputs(one)) for one in (*[c.enter for c in carried], *constants)]
        loop.input.extend(str(one) for one in starts)
        loop.attr["T"].list.type.extend(types)
        loop.attr["cond"].func.name, loop.attr["body"].func.name = cond, body
        self.by_name[loop.name] = loop
        for number, one in enumerate(carried):
            for exit in list(self._consumers(one.switch.name, _EXIT)):
                self._become_identity(exit, NodeResult(loop.name, number))
        self._drop_frame(enters)

    def _carried(self, enter: Any) -> Carried | None:
        """The nodes around a loop variable; None for what does not change."""
        for merge in self._consumers(enter.name, _MERGE):
            nexts = [
                self.by_name[one.node] for one in self._inputs(merge)
                if one.node in self.by_name and self.by_name[one.node].op in _NEXT
            ]  # fmt: skip
            if not nexts:
                continue
            switch = next(self._consumers(merge.name, _SWITCH), None)
            if switch is None:
                raise InvalidArgumentError(f"nothing switches the loop variable '{merge.name}'")
            return Carried(enter, merge, switch, nexts[0])
        return None

    def _condition(self, carried: list[Carried]) -> Any:
        name = list(self._inputs(carried[0].switch))[1].node
        found = self.by_name.get(name)
        if found is None or found.op != "LoopCond":
            raise InvalidArgumentError(f"'{name}' is no LoopCond, and switches loop variables")
        return found

    def _drop_frame(self, enters: list[Any]) -> None:
        """Forget what is reached from the frame's entries: only Exits have left it."""
        pending = [one.name for one in enters]
        users: dict[str, list[str]] = {}
        for node in self.by_name.values():
            for one in node.input:
                users.setdefault(parsed(one).node, []).append(node.name)
        while pending:
            name = pending.pop()
            if self.by_name.pop(name, None) is not None:
                pending += users.get(name, ())

    # ---- branches
    def branches(self) -> Iterator[list[Any]]:
        """Merges that belong together, those within branches of others first."""
        while merges := [one for one in self.by_name.values() if one.op in _MERGE]:
            inner = [one for one in merges if not self._merges_before(one)]
            if not inner:
                raise InvalidArgumentError(f"'{merges[0].name}' depends on itself")
            predicate = self._predicate(inner[0])
            scope = inner[0].name.rpartition("/")[0]
            yield [
                one for one in inner
                if one.name.rpartition("/")[0] == scope and self._predicate(one) == predicate
            ]  # fmt: skip

    def rewrite_branches(self) -> None:
        """Replace all Merges."""
        for group in self.branches():
            self.rewrite_branch(group)

    def _merges_before(self, merge: Any) -> bool:
        pending, seen = list(self._sources(merge)), set[str]()
        while pending:
            node = pending.pop()
            if node.name not in seen:
                seen.add(node.name)
                if node.op in _MERGE:
                    return True
                pending += self._sources(node)
        return False

    def _predicate(self, merge: Any) -> NodeResult:
        return self._gates(merge)[0]

    def _gates(self, merge: Any) -> tuple[NodeResult, list[int | None]]:
        """What chooses, and at which of its two sides each input of the Merge comes from."""
        found = [self._nearest_switch(one) for one in self._inputs(merge)]
        predicate = next((one[0] for one in found if one is not None), None)
        if predicate is None or len(found) != 2:
            raise InvalidArgumentError(f"nothing says which input '{merge.name}' takes")
        sides = [None if one is None or one[0] != predicate else one[1] for one in found]
        return predicate, sides

    def _nearest_switch(self, start: NodeResult) -> tuple[NodeResult, int] | None:
        """The predicate of the first Switch on the way back, and its side."""
        pending, seen = [start], set[NodeResult]()
        while pending:
            tensor = pending.pop(0)
            node = self.by_name.get(tensor.node)
            if node is None or tensor in seen:
                continue
            seen.add(tensor)
            if node.op in _SWITCH:
                return self._chooser(node), tensor.number
            pending += [parsed(one) for one in node.input]
        return None

    def _chooser(self, switch: Any) -> NodeResult:
        """What chooses for a Switch, before it was handed on."""
        tensor = list(self._inputs(switch))[1]
        seen = {switch.name}
        while (node := self.by_name.get(tensor.node)) is not None and node.op == "Identity":
            if node.name in seen:
                raise InvalidArgumentError(f"'{node.name}' depends on itself")
            seen.add(node.name)
            tensor = next(self._inputs(node))
        return tensor

    def rewrite_branch(self, merges: list[Any]) -> None:
        """Replace Merges of one predicate by an If."""
        predicate, _ = self._gates(merges[0])
        sides: tuple[list[NodeResult], list[NodeResult]] = ([], [])
        for merge in merges:
            _, found = self._gates(merge)
            inputs = list(self._inputs(merge))
            first = found[0] if found[0] is not None else 1 - (found[1] or 0)
            sides[first].append(inputs[0])
            sides[1 - first].append(inputs[1])
        captured = self._captured([*sides[0], *sides[1]], predicate)
        types = list(captured.values())
        arguments = [f"captured_{number}" for number in range(len(captured))]
        names = dict(zip(captured, arguments, strict=True))
        outs = [merge.attr["T"].type for merge in merges]
        scope = self._free(f"{merges[0].name}/if")
        node = message("NodeDef")(name=scope, op="If")
        node.input.extend(str(one) for one in (predicate, *captured))
        node.attr["Tcond"].type = 10
        node.attr["Tin"].list.type.extend(types)
        node.attr["Tout"].list.type.extend(outs)
        for key, side, tensors in (("then", 1, sides[1]), ("else", 0, sides[0])):
            given = self._switched(predicate, side, names)
            made = self._function(f"{scope}_{key}", arguments, types, given, tensors, outs)
            node.attr[f"{key}_branch"].func.name = made
        self.by_name[node.name] = node
        for number, merge in enumerate(merges):
            self._become_identity(merge, NodeResult(node.name, number))

    def _captured(self, results: list[NodeResult], predicate: NodeResult) -> dict[NodeResult, int]:
        """What the branches take from outside, with dtypes."""
        found: dict[NodeResult, int] = {}
        pending, seen = list(results), set[str]()
        while pending:
            tensor = pending.pop()
            node = self.by_name.get(tensor.node)
            if node is None and tensor.node in self._arguments:
                found.setdefault(tensor, self._arguments[tensor.node])
            if node is None or node.name in seen:
                continue
            seen.add(node.name)
            if node.op in _SWITCH and self._chooser(node) == predicate:
                found.setdefault(next(self._inputs(node)), node.attr["T"].type)
            elif (dtype := _dtype_outside(node)) is not None:
                found.setdefault(NodeResult(node.name, 0), dtype)
            else:
                pending += [parsed(one) for one in node.input]
        return found

    def _switched(
        self, predicate: NodeResult, side: int, names: dict[NodeResult, str]
    ) -> dict[NodeResult, str]:
        """What stands in a branch for what comes out of Switches, and for what is captured."""
        given = dict(names)
        for node in self.by_name.values():
            if node.op in _SWITCH:
                data = next(self._inputs(node))
                if data in names and self._chooser(node) == predicate:
                    given[NodeResult(node.name, side)] = names[data]
        return given

    # ---- functions
    def _function(
        self,
        name: str,
        arguments: list[str],
        types: list[int],
        given: dict[NodeResult, str],
        results: list[NodeResult],
        outs: list[int],
        without: Collection[str] = (),
    ) -> str:
        """Add a function of what the results need, up to what is `given`; its name.

        It has none of the nodes in `without`, which only say when others run.
        """
        proto = self._library.function.add()
        known = {one.signature.name for one in self._library.function}
        proto.signature.name = _unused(name.replace("/", "_"), known.__contains__)
        for argument, dtype in zip(arguments, types, strict=True):
            proto.signature.input_arg.add(name=argument, type=dtype)
        nodes = self.needed(results, given, without)
        copies: list[Any] = []
        for node in nodes.values():
            copied = message("NodeDef")()
            copied.CopyFrom(node)
            del copied.input[:]
            copied.input.extend(self._renamed(node, nodes, given))
            copies.append(copied)
        inner = Rewriting(copies, self._library, dict(zip(arguments, types, strict=True)))
        inner.rewrite_branches()
        returned = [given.get(one, str(one)) for one in results]
        proto.node_def.extend(inner.needed(map(parsed, returned), {}).values())
        for number, (result, dtype) in enumerate(zip(returned, outs, strict=True)):
            proto.signature.output_arg.add(name=f"result_{number}", type=dtype)
            proto.ret[f"result_{number}"] = result
        return proto.signature.name

    def needed(
        self,
        results: Iterable[NodeResult],
        given: Mapping[NodeResult, str],
        without: Collection[str] = (),
    ) -> dict[str, Any]:
        """The nodes that have to run for results."""
        found: dict[str, Any] = {}
        pending = [one for one in results if one not in given]
        while pending:
            node = self.by_name.get(pending.pop().node)
            if node is None or node.name in found or node.name in without:
                continue
            found[node.name] = node
            pending += [one for one in map(parsed, node.input) if one not in given]
        return found

    def _renamed(
        self, node: Any, nodes: dict[str, Any], given: dict[NodeResult, str]
    ) -> Iterator[str]:
        for one in node.input:
            tensor = parsed(one)
            if one.startswith("^"):
                if tensor.node in nodes:
                    yield one
            else:
                yield given.get(tensor, str(tensor))

    def _become_identity(self, node: Any, source: NodeResult) -> None:
        dtype = node.attr["T"].type
        made = message("NodeDef")(name=node.name, op="Identity", input=[str(source)])
        made.attr["T"].type = dtype
        self.by_name[node.name] = made

    def _free(self, name: str) -> str:
        return _unused(name, self.by_name.__contains__)


class Carried(NamedTuple):
    """The nodes around a loop variable."""

    enter: Any
    merge: Any
    switch: Any
    next: Any


def _dtype_outside(node: Any) -> int | None:
    """The dtype of what a branch cannot do again by itself: arguments of the graph, variables."""
    if node.op in ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault"):
        return node.attr["dtype"].type
    return resource.as_datatype_enum if node.op == "VarHandleOp" else None


def _unused(name: str, is_taken: Callable[[str], bool]) -> str:
    number, found = 0, name
    while is_taken(found):
        number += 1
        found = f"{name}_{number}"
    return found
