"""The graph of a function while it is traced, with the face of TensorFlow's FuncGraph."""

from __future__ import annotations

import weakref
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Final

import numpy as np

from ..core import context
from ..core.dtypes import DType, of_storage
from ..core.process.journals import Journal, Undoing
from ..core.process.lazy_property import lazy_property
from ..core.process.named_tuples import NamedTuple
from ..core.process.with_blocks import block, setting
from ..core.shapes import check_countable
from ..core.source import SourceLine
from ..core.specs import Known, TensorSpec, ValueSpec
from ..eager.creation import creators
from ..errors import OpError
from ..ops.checks.fitting import checked_operands
from ..ops.constant import Const
from ..ops.op import Op, inferred
from . import elements, ir
from .by_hand.members import Members
from .by_hand.named_results import under_one_name
from .conversion import of_dtype, tensor_in_graph, trace_error
from .devices import Devices
from .frames import Frames
from .known_values import DerivedKnown
from .names import UniqueNames, as_operation_name, check_scope_name
from .numbers.loop_numbers import in_one_dtype
from .numbers.twofold_tensors import TwofoldTensor, are_twofold, in_python
from .operand_names import operand_name
from .operation import Operation, group, owner_of
from .payload import becomes_constant, may_become_constant, payload_of, spec_of_payload
from .symbolic import SymbolicTensor
from .symbolic_parts import known_of, value_of
from .write_order import WriteOrder


class Capture(NamedTuple):
    """A tensor of the world outside, and what stands for it inside."""

    external: Any
    internal: SymbolicTensor


class FuncGraph(Members):
    """Records operations instead of running them. It interprets operations while it is entered.

    `inputs` are the parameters and then the captures that a call passes; `captures` also lists
    small tensors that became constants.
    """

    building_graph: ClassVar[bool] = True
    capture_by_value: ClassVar[bool] = False
    on_device: str | None = None
    own_tensors: ClassVar[frozenset[type]] = frozenset()  # others may belong to another graph

    def __init__(
        self, name: str | None = None, outer: FuncGraph | None = None, is_part: bool = False
    ) -> None:
        """`name`: of the function that is traced; a graph without one is built by hand.

        `is_part`: a branch or body, which only ever runs inside `outer`.
        """
        self._operations: list[Operation] = []
        self.is_twofold = are_twofold()
        self._tensor: Final = TwofoldTensor if self.is_twofold else SymbolicTensor
        # Whether it was traced with a number that Python has in this round of a loop only.
        self.went_by_python = False
        self.name = name or "graph"
        self.building_function = name is not None
        self.is_part = is_part
        self.own_scope = ""  # what names in it begin with: "while/" in a loop's body
        # Whether stand-ins for results are in it: it will be thrown away.
        self.is_provisional: bool = outer is not None and is_part and outer.is_provisional
        self.is_recorded = bool(context.top().recorders)  # where it was made
        self.is_scratch: bool = outer is not None and outer.is_scratch
        self.seed: int | None = outer.seed if outer is not None else None
        self.has_own_seeds: bool = name is None if outer is None else outer.has_own_seeds
        self.parameters: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.structured_outputs: Any = None
        self.structured_input_signature: Any = None
        self.variables: tuple[Any, ...] = ()
        self._outer = None if outer is None else weakref.ref(outer)
        self._self = owner_of(self)
        self._captures: dict[int, Capture] = {}
        self._captured: dict[int, Capture] = {}  # by what stands for them
        self._positions: dict[int, int] = {}  # of the parameters
        self._aliases: dict[int, SymbolicTensor] = {}
        self.used_aliases: set[int] = set()
        self._named: set[str] = set()  # the names that operations have
        self.tensors: dict[ir.Value, SymbolicTensor] = {}
        self._names = UniqueNames()
        self.converts = False  # an operand: what is read for it is named after its user
        self._frames = Frames()
        self.devices = Devices(context.top().interpreter.at_once)
        # What takes back, after tracing, what the trace has left in objects of the user's.
        self.afterwards = Journal()
        # What the containers of the user's must still hold when a block or the function ends.
        self.aliases: list[Any] = []
        # While a call is traced: what it passes for each parameter, and the results of those
        # operations that had to run ahead of it (graph/lifting.py).
        self.arguments: Sequence[Any] = ()
        self.lifted: dict[Operation, tuple[Any, ...]] = {}
        self._writes = WriteOrder()
        self._collections: dict[Any, list[Any]] = {}
        self._unfeedable: set[int] = set()
        self._unfetchable: set[int] = set()

    def __del__(self) -> None:
        # None where an interrupt came before the first step of `__init__`.
        for operation in getattr(self, "_operations", ()):
            operation.outputs = []  # the only cycles: an operation and its tensors

    @property
    def enclosing(self) -> FuncGraph | None:
        """The graph that was being traced when this one was made."""
        return None if self._outer is None else self._outer()

    @property
    def at_once(self) -> context.Interpreter:
        """What runs operations that are not of the graph, on the device that is named here."""
        return self.devices.at_once

    # ---- the interpreter
    def apply(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[SymbolicTensor, ...]:
        """Add an operation; the results are symbolic.

        Raises:
            OpError: the operands do not fit, with their specs and the user's line.
        """
        inputs, counts = _flatten(op, operands)
        known = op(*group(tuple([known_of(tensor) for tensor in inputs]), counts), **attrs)
        try:
            listed = inferred(known)
            for spec in listed:
                check_countable(spec.shape)
        except OpError as error:
            raise trace_error(error, op, inputs, self._frames.collect()) from error.__cause__
        if op.rephrases:
            return self._rephrased(op, operands, attrs, name)
        node = Operation(
            self._self, op, inputs, counts, known.attr_values(), self._frames.collect()
        )
        node.outputs = [
            self._tensor(node, index, DerivedKnown(spec, node, index))
            for index, spec in enumerate(listed)
        ]
        if name:
            check_scope_name(name, self._scope())
        default = "" if self.converts and op.name == "ReadVariableOp" else op.name
        self._place(node, name or default)
        return tuple(node.outputs)

    def _rephrased(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[SymbolicTensor, ...]:
        """Add what an operation expands to, below its name, where operands fit each other."""
        scope = self.enter_scope(name or op.name)
        with context.entered(context.top().replace(name_scope=scope)):
            found = op(*checked_operands(op, operands), **attrs).expand()
        results = (found,) if op.single else tuple(found) if op.outputs else ()
        return under_one_name(self, results, scope)

    def _place(self, node: Operation, wanted: str) -> None:
        """Give a new operation its name ("": later), its operands theirs, and its place."""
        here = context.top()
        if wanted:
            self.give_name(node, self.claim_name(wanted))
        if node.kind is not None and node.kind.attrs_of_name:
            node.attrs = {**node.attrs, **node.kind.attrs_of_name(node.name)}
        self.devices.place(node)
        node.gradient_type = self.gradient_types.get(node.type, "")
        for position, tensor in enumerate(node.inputs):
            if tensor.op.is_unnamed:
                self._name_operand(node, tensor, position)
        node.operands = tuple([value_of(tensor) for tensor in node.inputs])
        if here.control_inputs and self._is_on_top(here):
            node.waits = _operations_of(here.control_inputs, self)
        self._operations.append(node)

    def _name_operand(self, node: Operation, tensor: SymbolicTensor, position: int) -> None:
        """What was made for `add` is called `add/y`, as its field is, or `add/ReadVariableOp`."""
        field = operand_name(node, position)
        self.give_name(tensor.op, self._names.claim(f"{node.name}/{field}"))
        if tensor.op.type != "ReadVariableOp" or self.building_function:
            self.devices.place(tensor.op)
        if not tensor.op.source:
            tensor.op.source = node.source

    def convert(self, value: Any, dtype: DType | None, preferred: DType | None) -> SymbolicTensor:
        """Any value as a tensor of this graph: captured, read, packed or made a constant."""
        if value.__class__ is SymbolicTensor and value.op.owner is self._self:
            return value if dtype is None else of_dtype(value, dtype)
        return tensor_in_graph(self, value, dtype, preferred)

    def in_one_dtype(self, values: Sequence[Any], allowed: frozenset[DType] | None) -> Any:
        """Numbers that a loop carries, in the dtype of what they meet."""
        return in_one_dtype(values, allowed)

    in_python = staticmethod(in_python)

    def constant(self, array: np.ndarray[Any, Any], name: str | None = None) -> SymbolicTensor:
        """A Const. Without a name it is named after the first operation that takes it."""
        spec = TensorSpec(array.shape, of_storage(array.dtype))
        attrs = {"value": array, "dtype": spec.dtype}
        source = () if name is None else self._frames.collect()
        node = Operation(self._self, Const, (), (), attrs, source)
        node.outputs = [self._tensor(node, 0, Known(spec, array))]
        if name is not None:
            self.give_name(node, self.claim_name(name))
            if not self.building_function and self._is_on_top(context.top()):
                node.waits = _operations_of(context.top().control_inputs, self)
            self.devices.place(node)
        self._operations.append(node)
        return node.outputs[0]

    def placeholder(self, spec: ValueSpec, name: str | None = None) -> SymbolicTensor:
        """A new parameter, described by `spec` and called `name` (else as the spec is called)."""
        wanted = name or getattr(spec, "name", None) or "Placeholder"
        tensor = self._stand_in(spec, as_operation_name(wanted, "Placeholder"))
        if self.building_function:
            tensor.op.attrs = {"_user_specified_name": wanted, **tensor.op.attrs}
        self._positions[id(tensor)] = len(self.parameters)
        self.parameters.append(tensor)
        return tensor

    def unbound_placeholder(self, spec: ValueSpec, name: str) -> SymbolicTensor:
        """A placeholder that calls do not fill: only whoever cuts out a part around it does."""
        make = self._stand_in if self.building_function else self.placeholder
        return make(spec, name)

    @block
    def replaying(self, lines: tuple[SourceLine, ...]) -> Generator[None]:
        """Operations that are added within were written at these lines, not where we are."""
        before = self._frames.replayed
        try:
            self._frames.replayed = lines
            yield
        finally:
            self._frames.replayed = before

    def _stand_in(self, spec: ValueSpec, name: str | None, sizes: Any = None) -> SymbolicTensor:
        attrs = {"dtype": spec.dtype, "shape": spec.shape}
        node = Operation(self._self, None, (), (), attrs, self._frames.collect())
        node.outputs = [self._tensor(node, 0, Known(spec, None, sizes))]
        if name is not None:
            self.give_name(node, self.claim_name(name))
            if not self.building_function:
                self.devices.place(node)
        self._operations.append(node)
        return node.outputs[0]

    # ---- captures
    def capture(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        """What stands here for a tensor of the world outside; the same one each time.

        Raises:
            InaccessibleTensorError: it belongs to a function whose tracing has ended, or to a
                branch or body inside this one.
        """
        if tensor.symbolic:
            return self._capture_symbolic(tensor)
        payload = payload_of(tensor)
        is_array = isinstance(payload, np.ndarray)
        key = id(tensor) if is_array else id(payload)
        if (found := self._captures.get(key)) is not None:
            return found.internal
        if not is_array and (alias := self._alias(key, tensor)) is not None:
            return alias
        if becomes_constant(payload) and not getattr(tensor, "is_replaceable", False):
            internal = self.constant(payload, name)
        else:
            internal = self._stand_in(spec_of_payload(payload), name)
        self._captures[key] = self._captured[id(internal)] = Capture(tensor, internal)
        return internal

    def alias(self, payload: Any, parameter: SymbolicTensor) -> None:
        """Say that `parameter` is the variable with this storage: capturing one gives the other."""
        self._aliases[id(payload)] = parameter

    def _alias(self, key: int, tensor: Any) -> SymbolicTensor | None:
        """A variable must not come in twice: compiled code takes two to be different."""
        if key in self._aliases:
            self.used_aliases.add(key)
            return self._aliases[key]
        outer = self.enclosing
        if self.is_part and outer is not None:
            return self._capture_symbolic(outer.capture(tensor))
        return None

    def _capture_symbolic(self, tensor: SymbolicTensor) -> SymbolicTensor:
        if tensor.op.belongs_to(self):
            return tensor
        if (found := self._captures.get(id(tensor))) is not None:
            return found.internal
        outer = self.enclosing
        if outer is None or not outer.sees(tensor):
            raise tensor.out_of_scope()
        external = outer.capture(tensor)
        known = known_of(external)
        if not may_become_constant(known.spec):
            known = Known(known.spec)
        if known.value is not None and becomes_constant(known.value):
            return self._remember(tensor, Capture(external, self.constant(known.value)))
        internal = self._stand_in(known.spec, None, known.sizes)
        return self._remember(tensor, Capture(external, internal))

    def _remember(self, tensor: SymbolicTensor, capture: Capture) -> SymbolicTensor:
        """One capture, found again through the tensor itself and through its stand-in outside."""
        capture = self._captures.setdefault(id(capture.external), capture)
        self._captures[id(tensor)] = self._captured[id(capture.internal)] = capture
        return capture.internal

    def sees(self, tensor: SymbolicTensor) -> bool:
        """Whether it, or a graph around it, can tell what a tensor of a graph is in it."""
        around = self.enclosing
        return self.reaches(tensor) or (around is not None and around.sees(tensor))

    def reaches(self, tensor: SymbolicTensor) -> bool:
        """Whether it can tell, by itself, what a tensor of a graph is in it."""
        return tensor.op.belongs_to(self)

    @property
    def captures(self) -> list[Capture]:
        """Pairs of the tensor outside and the one inside, in the order of their first use."""
        return list({id(capture): capture for capture in self._captures.values()}.values())

    def captured_as(self, internal: SymbolicTensor) -> Any:
        """The captured tensor that `internal` stands for; None if it stands for none."""
        capture = self._captured.get(id(internal))
        return None if capture is None else capture.external

    def outside_of(self, internal: SymbolicTensor) -> Any:
        """What a placeholder stands for: the argument or the captured tensor, None if unknown."""
        position = self._positions.get(id(internal))
        if position is not None and position < len(self.arguments):
            return self.arguments[position]
        return self.captured_as(internal)

    def is_written(self, handle: SymbolicTensor, before: Operation | None) -> bool:
        """Whether some operation in front of `before` writes a variable; None: any at all."""
        return self._writes.come_before(self._operations, handle, before)

    def passed_captures(self) -> list[Capture]:
        """The captures that a call passes: those that did not become constants."""
        return [capture for capture in self.captures if capture.internal.op.kind is None]

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The placeholders that a call fills: the parameters, then the captures that it passes."""
        return self.parameters + [capture.internal for capture in self.passed_captures()]

    @property
    def external_captures(self) -> list[Any]:
        """What the graph has captured: tensors and variables of the world outside."""
        return [capture.external for capture in self.captures]

    @property
    def internal_captures(self) -> list[SymbolicTensor]:
        """What stands here for what the graph has captured, in the order of that."""
        return [capture.internal for capture in self.captures]

    # ---- the result
    def clear_up(self) -> None:
        """Nobody traces any more: keep no arguments alive, and take back what was done to objects
        of the user's, last first.
        """
        self.arguments = ()
        self.lifted.clear()
        self.aliases.clear()
        self._writes = WriteOrder()
        self.afterwards.undo()

    def undoing(self) -> AbstractContextManager[Any]:
        """At the end, take back what was done in the block to objects of the user's."""
        return Undoing(self.afterwards)

    def finish(self, outputs: Sequence[SymbolicTensor]) -> ir.Graph:
        """The immutable graph that returns `outputs`."""
        self.clear_up()
        return ir.Graph(
            self.name,
            tuple(tensor.op.results[0] for tensor in self.parameters),
            tuple(capture.internal.op.results[0] for capture in self.passed_captures()),
            finished_operations(self._operations),
            tuple(value_of(tensor) for tensor in outputs),
        )

    # ---- names, scopes, devices
    def claim_name(self, wanted: str) -> str:
        """A name for a new operation, inside the name scope that is entered."""
        if wanted.endswith("/"):  # the string that `name_scope` gave: the name itself
            exact = wanted[:-1]
            # A scope has claimed its own name, which its operation then may have.
            unclaimed = exact in self._named or self._names.is_free(exact)
            return self._names.claim(exact) if unclaimed else exact
        return self._names.claim(self._scope() + wanted)

    def give_name(self, node: Operation, name: str) -> None:
        """Let an operation have the name that was claimed for it."""
        self._named.add(name)
        node.rename(name, self.tensors)

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A name that no operation or scope here has, inside the name scope that is entered."""
        full = self._scope() + name
        return self._names.claim(full) if mark_as_used else self._names.peek(full)

    def _is_on_top(self, here: context.Context) -> bool:
        interpreter: Any = here.interpreter
        return interpreter is self

    def _scope(self) -> str:
        here = context.top()
        return here.name_scope if self._is_on_top(here) else ""

    def enter_scope(self, name: str) -> str:
        """The string of a name scope called `name`: 'a/', or 'a_1/' where that exists.

        Raises:
            ValueError: no operation may have such a name.
        """
        check_scope_name(name, self._scope())
        return name if name.endswith("/") else self.unique_name(name) + "/"

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Operations made within are meant for a device: see graph/devices.py."""
        return self.devices.within(device_name_or_function)

    def as_default(self) -> AbstractContextManager[FuncGraph]:
        """Trace into this graph; one that is built by hand makes its variables, too."""
        interpreter: Any = self
        if (here := context.top()).interpreter is interpreter:  # recorders and the like go on
            return setting(context.current, here, self)
        if not self.building_function:
            return self._built_by_hand()
        return context.interpreting(interpreter, name_scope=self.own_scope)

    @block
    def _built_by_hand(self) -> Generator[FuncGraph]:
        interpreter: Any = self
        with context.interpreting(interpreter), setting(creators, (self.variable_creator,)):
            yield self

    @lazy_property
    def variable_creator(self) -> Any:
        """Who makes the variables of a graph that is built by hand (eager/creation.py)."""
        from .by_hand.variables import creator_for

        return creator_for(self)

    # ---- looking things up
    def known(self, value: ir.Value | SymbolicTensor) -> Known:
        """What is known of a value of this graph: its spec, its constant value, its sizes."""
        tensor = value if isinstance(value, SymbolicTensor) else self.tensors.get(value)
        if tensor is None:
            assert isinstance(value, ir.Value)
            return Known(value.spec)
        return known_of(tensor)

    def operations_by_name(self) -> dict[str, Operation]:
        """All operations, by their names, in the order of their creation.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.constant(1.0, name="x")
        >>> graph.operations_by_name()
        {'x': <tf.Operation 'x' type=Const>}
        """
        return {operation.name: operation for operation in self._operations}

    def get_operations(self) -> list[Operation]:
        """All operations in the order of their creation."""
        return list(self._operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation called `name`, of this graph.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.constant(1.0, name="x")
        >>> graph.get_operation_by_name("x").type
        'Const'

        Raises:
            KeyError: there is none.
            TypeError: `name` is no string.
        """
        return elements.find_operation(self, name)

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """The tensor called `name`, "operation:number", of this graph.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.constant(1.0, name="x")
        >>> graph.get_tensor_by_name("x:0") is x
        True

        Raises:
            KeyError: there is none.
            ValueError: `name` is that of an operation.
            TypeError: `name` is no string.
        """
        return elements.find_tensor(self, name)

    def as_graph_element(
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> SymbolicTensor | Operation:
        """The tensor or operation of this graph that something stands for: itself, or its name.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.constant(1.0, name="x")
        >>> graph.as_graph_element("x:0") is x, graph.as_graph_element("x") is x.op
        (True, True)

        Raises:
            KeyError: there is none of that name.
            ValueError: it belongs to another graph.
            TypeError: it is of a kind that is not allowed, or neither.
        """
        return elements.find_element(self, obj, allow_tensor, allow_operation)

    def as_graph_def(
        self, from_version: Any = None, add_shapes: bool = False, use_pybind11_proto: bool = False
    ) -> Any:
        """This graph as TensorFlow's GraphDef proto, functions that it calls included."""
        from .proto.graphdef import graph_def_of

        return graph_def_of(self, add_shapes)

    @property
    def _functions(self) -> dict[str, Any]:
        """The functions that operations call, by their names, with their FunctionDefs."""
        from .proto.graphdef import Defined

        protos = self.as_graph_def().library.function
        return {one.signature.name: Defined(one) for one in protos}

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    def __str__(self) -> str:
        return str(self.finish(self.outputs))


class ScratchGraph(FuncGraph):
    """A graph that a library makes and enters by itself, to see shapes; it never runs.

    A function that is first called in it forgets that trace: what will be variables may have been
    something else there. (Keras shows initial values to whoever asks for shapes.)
    """

    def __init__(self, name: str) -> None:
        outside = context.top().interpreter
        super().__init__(name, outside if isinstance(outside, FuncGraph) else None)
        self.is_scratch = True


def _flatten(
    op: type[Op], operands: tuple[Any, ...]
) -> tuple[tuple[SymbolicTensor, ...], tuple[int | None, ...]]:
    """Operands one after another, and how many each input field takes (None: it is no list)."""
    flat: list[SymbolicTensor] = []
    counts: list[int | None] = []
    for field, operand in zip(op.inputs, operands, strict=True):
        flat.extend(operand if field.listed else (operand,))
        counts.append(len(operand) if field.listed else None)
    return tuple(flat), tuple(counts)


def _operations_of(control_inputs: Sequence[Any], graph: FuncGraph) -> tuple[Operation, ...]:
    found = [one if isinstance(one, Operation) else getattr(one, "op", None)
             for one in control_inputs]  # fmt: skip
    return tuple({op: None for op in found if isinstance(op, Operation) and op.belongs_to(graph)})


def finished_operations(nodes: Sequence[Operation]) -> tuple[ir.Application, ...]:
    """What stands for the operations in the intermediate representation; none for placeholders."""
    built: dict[Operation, ir.Application] = {}
    for node in nodes:
        if node.kind is not None:
            built[node] = _finished(node, built)
    return tuple(built.values())


def _finished(node: Operation, built: dict[Operation, ir.Application]) -> ir.Application:
    assert node.kind is not None
    after = tuple([built[before] for before in node.waits if before in built])
    return ir.Application(
        node.kind, node.name, node.operands, node.counts, node.attrs, node.results, after,
        node.source, node.device, node.replica, node.gradient_type,
    )  # fmt: skip
