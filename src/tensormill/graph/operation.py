"""What users see of an operation in a graph: TensorFlow's `tf.Operation`.

While a function is traced these are what the builder works with; `FuncGraph.finish` makes the
immutable `ir.Operation`s from them.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..core.source import SourceLine
from ..core.values import OperationBase
from ..ops.control.functional import effects_of
from ..ops.effects import only_reads
from ..ops.op import Op
from ..ops.state.handles import OfSession, VarHandleOp
from . import ir
from .by_hand import sessions
from .symbolic_parts import known_of

if TYPE_CHECKING:
    from .func_graph import FuncGraph
    from .symbolic import SymbolicTensor


def owner_of(graph: FuncGraph) -> Callable[[], FuncGraph | None]:
    """What operations hold in place of their graph.

    A trace is freed at once, with all that it captured; who builds a graph by hand may keep a
    tensor of it alone, and ask that for the graph.
    """
    return weakref.ref(graph) if graph.building_function else lambda: graph


_Kind: TypeAlias = "type[Op]"  # an operation has a property `type`


class Operation(OperationBase):
    """One operation of a FuncGraph. `kind` is None for a Placeholder."""

    __slots__ = {
        "__dict__": "What programs note of it, as Keras 2 does.",
        "__weakref__": None,
        "_name": None,
        "_results": None,
        "attrs": "Its attributes, by their names.",
        "counts": "How many tensors each operand is; None where it is no list.",
        "device": "The device that was asked for, or an empty string.",
        "gradient_type": 'The name of the gradient function that replaces its own, or "".',
        "inputs": "The tensors that it takes.",
        "kind": "The class of the operation; None for a placeholder.",
        "operands": "What stood for `inputs` in the graph's text when they were taken.",
        "outputs": "The tensors that it makes.",
        "owner": "What gives the graph; it keeps only graphs that are built by hand alive.",
        "replica": "The replica of a strategy whose work it is, or None.",
        "source": "The lines of the user's that made it, the innermost last.",
        "waits": "The operations that run before it, whatever it takes.",
    }  # with what `help` says of them

    def __init__(
        self,
        owner: Callable[[], FuncGraph | None],
        kind: _Kind | None,
        inputs: tuple[SymbolicTensor, ...],
        counts: tuple[int | None, ...],
        attrs: Mapping[str, Any],
        source: tuple[SourceLine, ...],
    ) -> None:
        self.owner = owner
        self.kind = kind
        self.inputs = inputs
        self.counts = counts
        self.attrs = attrs
        self.source = source
        self.device = ""
        self.beside: tuple[bytes, ...] = ()
        self.replica: ir.ReplicaPlace | None = None
        self.gradient_type = ""
        # The values of `inputs` when they were taken: `set_shape` may replace one later.
        self.operands: tuple[ir.Value, ...] = ()
        self.waits: tuple[Operation, ...] = ()
        self.outputs: list[SymbolicTensor] = []
        self._name = ""
        self._results: tuple[ir.Value, ...] = ()

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before it, though it takes nothing of theirs.

        What an operand already waits for is not among them, as in TensorFlow.

        >>> with tf.Graph().as_default():
        ...     x, y = tf.constant(1.0, name="x"), tf.constant(2.0, name="y")
        ...     with tf.control_dependencies([x, y]):
        ...         tied = tf.identity(x)
        >>> [before.name for before in tied.op.control_inputs]
        ['y']
        """
        if not self.waits:
            return []
        makers = {one.op for one in self.inputs}
        earlier = makers.union(*[maker.waits for maker in makers])
        return [one for one in self.waits if one not in earlier]

    @property
    def _control_outputs(self) -> list[Operation]:
        """The operations that run after it, though they take nothing of it."""
        # A list, as `outputs` are: Keras 2 adds the one to the other.
        return [one for one in self.graph.get_operations() if self in one.control_inputs]

    def _get_control_flow_context(self) -> None:
        """None: no operation is part of a condition or loop of TensorFlow 1."""

    @property
    def graph(self) -> FuncGraph:
        """The graph of which this is a part.

        Raises:
            ReferenceError: nobody holds that graph any more.
        """
        graph = self.owner()
        if graph is None:
            raise ReferenceError(f"the graph of the operation '{self._name}' is gone")
        return graph

    def belongs_to(self, graph: FuncGraph) -> bool:
        """Whether this is an operation of `graph`.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.constant(1.0)
        >>> x.op.belongs_to(graph), x.op.belongs_to(tf.Graph())
        (True, False)
        """
        return self.owner() is graph

    @property
    def name(self) -> str:
        """Unique in the graph. A constant made for an operand is named after its first use."""
        self.give_default_name()
        return self._name

    @property
    def is_unnamed(self) -> bool:
        """Whether the name is still open: that of a constant is taken from its first use."""
        return not self._name

    def give_default_name(self) -> None:
        """Call it as its kind, where its name is still open."""
        if not self._name:
            graph = self.graph
            graph.give_name(self, graph.claim_name(self.type))

    def rename(self, name: str, tensors: dict[ir.Value, SymbolicTensor]) -> None:
        """Give the operation the name that was claimed for it, and its results theirs.

        `tensors` are the graph's tensors by the values that stand for them.
        """
        self._name = name
        outputs = self.outputs
        values: list[ir.Value] = []
        for tensor in outputs:
            value = ir.Value(f"{name}:{len(values)}" if values else name, known_of(tensor).spec)
            tensors[value] = tensor
            values.append(value)
        self._results = tuple(values)

    @property
    def results(self) -> tuple[ir.Value, ...]:
        """What stands for the outputs in the intermediate representation."""
        self.give_default_name()
        return self._results

    @property
    def type(self) -> str:
        """The name of the operation's kind: 'MatMul'."""
        return "Placeholder" if self.kind is None else self.kind.name

    @property
    def traceback(self) -> tuple[SourceLine, ...]:
        """The user's frames that made this operation, outermost first."""
        return self.source

    @property
    def has_graphs(self) -> bool:
        """Whether an attribute is a function: a branch, a body, a callee."""
        return any(map(is_graph_attr, self.attrs.values()))

    @property
    def position(self) -> int:
        """How many operations of the graph come before it; placeholders do not count."""
        operations = self.graph.get_operations()
        before = operations[: operations.index(self)]
        return sum(one.kind is not None for one in before)

    @property
    def is_of_session(self) -> bool:
        """Whether it gives the handle of something that each session has for itself."""
        return self.kind is not None and issubclass(self.kind, (VarHandleOp, OfSession))

    @property
    def must_run(self) -> bool:
        """Whether it does more than to return something: it writes, prints, draws or checks."""
        return self.kind is not None and not only_reads(effects_of(self.kind, self.attrs))

    def grouped(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """One value for each flat operand, as the input fields of the kind take them."""
        return group(values, self.counts)

    def get_attr(self, name: str) -> Any:
        """The value of an attribute: strings are bytes, constants, shapes and functions messages.

        Raises:
            ValueError: the operation has no such attribute.
        """
        from .proto.values import told_by_attr

        found = self.node_def.attr
        if name not in found:
            raise ValueError(
                f"Operation '{self.name}' has no attr named '{name}'; it has {sorted(found)}"
            )
        return told_by_attr(found[name])

    @property
    def node_def(self) -> Any:
        """This operation as a NodeDef proto."""
        from .proto.graphdef import node_def_of

        return node_def_of(self)

    @property
    def op_def(self) -> Any:
        """The signature of this kind of operation as an OpDef proto."""
        from .proto.graphdef import op_def_of

        return op_def_of(self)

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run it in `session`, or in the default one; for graphs that are built by hand.

        Raises:
            ValueError: there is no session.
        """
        sessions.run_in_session(self, feed_dict, session)

    def colocation_groups(self) -> list[bytes]:
        """With which operations it is placed: those of `colocate_with`, or with itself.

        >>> with tf.Graph().as_default():
        ...     x = tf.constant(1.0, name="x")
        ...     with tf.compat.v1.colocate_with(x):
        ...         print(tf.constant(2.0).op.colocation_groups())
        [b'loc:@x']
        """
        return [*self.beside] or [f"loc:@{self.name}".encode()]

    def _set_device(self, device: Any) -> None:
        """Mean it for another device, as libraries do."""
        self.device = device if isinstance(device, str) else device.to_string()

    def experimental_set_type(self, type_proto: Any) -> None:
        """Remember nothing: types of results are known from what they are."""

    @classmethod
    def from_node_def(
        cls, node_def: Any, g: Any, inputs: Any = None, output_types: Any = None,
        control_inputs: Any = None, input_types: Any = None, original_op: Any = None,
        op_def: Any = None,
    ) -> Any:  # fmt: skip
        """Not supported: functions make operations.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("operations are made by functions, graphs by import_graph_def")

    def values(self) -> tuple[SymbolicTensor, ...]:
        """The results: the same as `outputs`.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.constant(1.0, name="x")
        >>> x.op.values()
        (<tf.Tensor 'x:0' shape=() dtype=float32>,)
        """
        return tuple(self.outputs)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"

    def __str__(self) -> str:
        return str(self.node_def)


def is_graph_attr(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(is_graph_attr(one) for one in cast(Sequence[Any], value))
    return isinstance(value, ir.Graph)


def group(values: tuple[Any, ...], counts: tuple[int | None, ...]) -> tuple[Any, ...]:
    """Flat operands as input fields: each count is a list's length, None a single operand."""
    groups: list[Any] = []
    position = 0
    for count in counts:
        if count is None:
            groups.append(values[position])
            position += 1
        else:
            groups.append(values[position : position + count])
            position += count
    return tuple(groups)
