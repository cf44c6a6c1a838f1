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
from ...ops.op import REGISTRY
from .messages import message

_ENTER: Final = ("Enter", "RefEnter")
_EXIT: Final = ("Exit", "RefExit")
_NEXT: Final = ("NextIteration", "RefNextIteration")
_SWITCH: Final = ("Switch", "RefSwitch")
_MERGE: Final = ("Merge", "RefMerge")
_TRIGGER: Final = "ControlTrigger"  # a NoOp, which would run though what it waits for is dead
_OLD: Final = frozenset((*_ENTER, *_EXIT, *_NEXT, *_SWITCH, *_MERGE, "LoopCond", _TRIGGER))


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
    for graph in (made.node, *(function.node_def for function in made.library.function)):
        for node in graph:
            if node.op == _TRIGGER:
                node.op = "NoOp"
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


def waits(node: Any) -> list[str]:
    """The inputs of a node that only say what has to run before it."""
    return [one for one in node.input if one.startswith("^")]


def has_effects(node: Any) -> bool:
    """Whether a node must not run twice, as far as its kind says; what calls functions must not."""
    kind = REGISTRY.get(node.op)
    calls = any(value.HasField("func") for value in node.attr.values())
    return calls or (kind is not None and bool(kind.effects))


def followed(node: Any, before: Collection[str]) -> Iterator[NodeResult]:
    """The inputs of a node, but for what it only waits for and that has run `before`."""
    for one in node.input:
        tensor = parsed(one)
        if not (one.startswith("^") and tensor.node in before):
            yield tensor


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
        results = [self._handed_on(one.next) for one in carried]
        body = self._function(
            f"{name}_body", arguments, types, within | before | given,
            [*results, *given], types, own,
        )  # fmt: skip
        loop = message("NodeDef")(name=self._free(name), op="While")
        starts = [next(self._inputs(one)) for one in (*[c.enter for c in carried], *constants)]
        loop.input.extend(str(one) for one in starts)
        loop.input.extend(dict.fromkeys(one for enter in enters for one in waits(enter)))
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

    def _handed_on(self, next_iteration: Any) -> NodeResult:
        """What a NextIteration takes, once all has run that it waits for."""
        result = next(self._inputs(next_iteration))
        if not waits(next_iteration):
            return result
        made = message("NodeDef")(
            name=self._free(f"{next_iteration.name}/handed_on"), op="Identity"
        )
        made.input.extend([str(result), *waits(next_iteration)])
        made.attr["T"].CopyFrom(next_iteration.attr["T"])
        self.by_name[made.name] = made
        return NodeResult(made.name, 0)

    def _condition(self, carried: list[Carried]) -> Any:
        name = list(self._inputs(carried[0].switch))[1].node
        found = self.by_name.get(name)
        if found is None or found.op != "LoopCond":
            raise InvalidArgumentError(f"'{name}' is no LoopCond, and switches loop variables")
        return found

    def _drop_frame(self, enters: list[Any]) -> None:
        """Forget what is reached from the frame's entries: only Exits have left it."""
        pending = [one.name for one in enters]
        users = self._users()
        while pending:
            name = pending.pop()
            if self.by_name.pop(name, None) is not None:
                pending += users.get(name, ())

    def _users(self) -> dict[str, list[str]]:
        """The nodes that take a node's results, or wait for it."""
        users: dict[str, list[str]] = {}
        for node in self.by_name.values():
            for one in node.input:
                users.setdefault(parsed(one).node, []).append(node.name)
        return users

    # ---- branches
    def branches(self) -> Iterator[list[Any]]:
        """Merges that belong together, those within branches of others first."""
        while merges := [one for one in self.by_name.values() if one.op in _MERGE]:
            inner = [one for one in merges if not self._merges_before(one)]
            if not inner:
                raise InvalidArgumentError(f"'{merges[0].name}' depends on itself")
            ready = {one.name for one in inner}
            waiting = {self._predicate(one) for one in merges if one.name not in ready}
            # Those of one predicate at once, if they can be: they may have steps in common.
            first = next((one for one in inner if self._predicate(one) not in waiting), inner[0])
            predicate = self._predicate(first)
            alike = [one for one in inner if self._predicate(one) == predicate and one is not first]
            yield self._together([first, *alike])

    def _together(self, merges: list[Any]) -> list[Any]:
        """The first of Merges of one predicate, with those in its scope, and those with which they
        have something in common that must not run twice.
        """
        within = self._within(self._predicate(merges[0]))
        scope = merges[0].name.rpartition("/")[0]
        steps = {
            one.name: frozenset(
                name for name in self._gated(self._inputs(one), within)
                if has_effects(self.by_name[name])
            )
            for one in merges
        }  # fmt: skip
        found = [one for one in merges if one.name.rpartition("/")[0] == scope]
        while True:
            shared = frozenset[str]().union(*(steps[one.name] for one in found))
            more = [one for one in merges if one not in found and steps[one.name] & shared]
            if not more:
                return found
            found += more

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
        within = self._within(predicate)
        effects = self._effects(merges, predicate, within)
        wanted = [*sides[0], *sides[1], *effects]
        before = self._awaited(wanted, within, predicate)
        captured = self._captured(wanted, predicate, before)
        types = list(captured.values())
        arguments = [f"captured_{number}" for number in range(len(captured))]
        names = dict(zip(captured, arguments, strict=True))
        outs = [merge.attr["T"].type for merge in merges]
        scope = self._free(f"{merges[0].name}/if")
        node = message("NodeDef")(name=scope, op="If")
        node.input.extend(str(one) for one in (predicate, *captured))
        node.input.extend(dict.fromkeys(f"^{one}" for one in before.values() if one))
        node.attr["Tcond"].type = 10
        node.attr["Tin"].list.type.extend(types)
        node.attr["Tout"].list.type.extend(outs)
        for key, side, tensors in (("then", 1, sides[1]), ("else", 0, sides[0])):
            given = self._switched(predicate, side, names)
            made = self._function(
                f"{scope}_{key}", arguments, types, given, tensors, outs, before=before,
                effects=[one for one, chosen in effects.items() if chosen == side],
            )  # fmt: skip
            node.attr[f"{key}_branch"].func.name = made
        self.by_name[node.name] = node
        for number, merge in enumerate(merges):
            self._become_identity(merge, NodeResult(node.name, number))
        self._wait_for(node.name, {f"^{one.node}" for one in effects}, within)

    def _wait_for(self, branch: str, replaced: set[str], within: set[str]) -> None:
        """Let nodes wait for a whole branch that waited for what runs in it."""
        for node in self.by_name.values():
            if node.name in within or not replaced.intersection(node.input):
                continue
            inputs = [f"^{branch}" if one in replaced else one for one in node.input]
            del node.input[:]
            node.input.extend(dict.fromkeys(inputs) if inputs else ())

    def _effects(
        self, merges: list[Any], predicate: NodeResult, within: set[str]
    ) -> dict[NodeResult, int]:
        """What nodes outside of branches wait for, and no other Merge needs; on which side it is.

        Loops keep what their gradients need so: on stacks, which no result depends on.
        """
        names = {one.name for one in merges}
        others = [
            tensor
            for one in self.by_name.values()
            if one.op in _MERGE and one.name not in names and self._predicate(one) == predicate
            for tensor in self._inputs(one)
        ]
        theirs = self._gated(others, within) if others else {}
        own = self._gated((one for merge in merges for one in self._inputs(merge)), within)
        found: dict[NodeResult, int] = {}
        for node in self.by_name.values():
            for one in () if node.name in within else map(parsed, waits(node)):
                is_own = one.node in within and (one.node in own or one.node not in theirs)
                if is_own and self.by_name[one.node].op not in _SWITCH:
                    found.setdefault(one, self._side(one, predicate))
        return found

    def _side(self, start: NodeResult, predicate: NodeResult) -> int:
        """On which side of a predicate a node is."""
        pending, seen = [start], set[NodeResult]()
        while pending:
            tensor = pending.pop(0)
            node = self.by_name.get(tensor.node)
            if node is None or tensor in seen:
                continue
            seen.add(tensor)
            if node.op in _SWITCH and self._chooser(node) == predicate:
                return tensor.number
            pending += [parsed(one) for one in node.input]
        raise InvalidArgumentError(f"nothing says when '{start.node}' runs")

    def _gated(self, results: Iterable[NodeResult], within: set[str]) -> dict[str, None]:
        """The nodes in branches that have to run for results."""
        found: dict[str, None] = {}
        pending = [one.node for one in results]
        while pending:
            name = pending.pop()
            if name in within and name not in found:
                found[name] = None
                pending += [parsed(one).node for one in self.by_name[name].input]
        return found

    def _within(self, predicate: NodeResult) -> set[str]:
        """What runs on one side of a predicate only: its Switches, and what depends on them, up
        to Merges.
        """
        users = self._users()
        found: set[str] = set()
        outside = {
            node.name
            for node in self.by_name.values()
            if node.op == _TRIGGER or (node.op in _MERGE and self._predicate(node) == predicate)
        }
        pending = [
            node.name
            for node in self.by_name.values()
            if node.op in _SWITCH and self._chooser(node) == predicate
        ]
        while pending:
            name = pending.pop()
            if name not in found and name not in outside:
                found.add(name)
                pending += users.get(name, ())
        return found

    def _awaited(
        self, results: list[NodeResult], within: set[str], predicate: NodeResult
    ) -> dict[str, str]:
        """What nodes of branches wait for that has happened before them, in order, and the node
        that runs then, if there is one: of a Switch of the predicate it is what gives its data.
        """
        found: dict[str, str] = {}
        for node in map(self.by_name.__getitem__, self._gated(results, within)):
            for name in (parsed(one).node for one in waits(node)):
                if name not in within:
                    found[name] = name
                    continue
                awaited = self.by_name[name]
                if awaited.op in _SWITCH and self._chooser(awaited) == predicate:
                    source = next(self._inputs(awaited)).node
                    found[name] = source if source in self.by_name else ""
        return found

    def _captured(
        self, results: list[NodeResult], predicate: NodeResult, before: Collection[str]
    ) -> dict[NodeResult, int]:
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
                pending += followed(node, before)
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
        before: Collection[str] = (),
        effects: Collection[NodeResult] = (),
    ) -> str:
        """Add a function of what the results and effects need, up to what is `given`; its name.

        It has none of the nodes in `without`, which only say when others run, and none of those
        that it waits for only and that have run `before` it.
        """
        proto = self._library.function.add()
        known = {one.signature.name for one in self._library.function}
        proto.signature.name = _unused(name.replace("/", "_"), known.__contains__)
        for argument, dtype in zip(arguments, types, strict=True):
            proto.signature.input_arg.add(name=argument, type=dtype)
        nodes = self.needed([*results, *effects], given, without, before)
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
        wanted = [*map(parsed, returned), *effects]
        proto.node_def.extend(inner.needed(wanted, {}).values())
        for number, (result, dtype) in enumerate(zip(returned, outs, strict=True)):
            proto.signature.output_arg.add(name=f"result_{number}", type=dtype)
            proto.ret[f"result_{number}"] = result
        return proto.signature.name

    def needed(
        self,
        results: Iterable[NodeResult],
        given: Mapping[NodeResult, str],
        without: Collection[str] = (),
        before: Collection[str] = (),
    ) -> dict[str, Any]:
        """The nodes that have to run for results."""
        found: dict[str, Any] = {}
        pending = [one for one in results if one not in given]
        while pending:
            node = self.by_name.get(pending.pop().node)
            if node is None or node.name in found or node.name in without:
                continue
            found[node.name] = node
            pending += [one for one in followed(node, before) if one not in given]
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
