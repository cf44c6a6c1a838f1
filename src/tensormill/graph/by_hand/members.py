"""What programs ask of a `tf.Graph` that they build by hand."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

from ...core import context
from ...core.process.with_blocks import block, setting
from ...eager import scopes
from ..devices import Devices
from ..symbolic_parts import value_of
from .collections import Collections

if TYPE_CHECKING:
    from ..operation import Operation
    from ..symbolic import SymbolicTensor


def _are_texts(pairs: Any) -> bool:
    """Whether it is a dict from strings to strings."""
    return isinstance(pairs, dict) and all(
        isinstance(one, str) for pair in cast(dict[Any, Any], pairs).items() for one in pair
    )


class _FinalOperations(list["Operation"]):
    """The operations of a graph that takes no more."""

    def append(self, operation: Operation) -> NoReturn:
        raise RuntimeError("Graph is finalized and cannot be modified.")


class Members(Collections):
    """Collections, scopes, and what of the graph may be fed, fetched and changed."""

    # Whether a function is being traced, and the seed of random numbers: each graph has its own.
    building_function: bool = False
    seed: int | None = None
    # For types of operations that are added now, what their gradients are registered under.
    gradient_types: Mapping[str, str] = MappingProxyType({})
    _operations: list[Operation]
    _unfeedable: set[int]
    _unfetchable: set[int]
    enclosing: Any
    devices: Devices
    # What clients ask for that place operations into conditions of TensorFlow 1: there are none.
    _variable_creator_stack: ClassVar[tuple[Any, ...]] = ()

    outputs: list[Any]
    variables: tuple[Any, ...]

    @property
    def output_types(self) -> list[Any]:
        """The dtypes of the results of a function."""
        return [tensor.dtype for tensor in self.outputs]

    @property
    def output_shapes(self) -> list[Any]:
        """The shapes of the results of a function."""
        return [tensor.shape for tensor in self.outputs]

    @property
    def variable_captures(self) -> tuple[Any, ...]:
        """The variables that a function has captured."""
        return self.variables

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the `variables` that are trainable."""
        return tuple([one for one in self.variables if one.trainable])

    def _get_control_flow_context(self) -> None:
        return None

    @property
    def outer_graph(self) -> Any:
        """The same for clients: around all is the graph that waits for operations.

        Raises:
            AttributeError: this one is built by hand, and is in no other.
        """
        from .default_graph import global_graph  # made of this

        made_by_trace: bool = vars(self)["building_function"]
        if not made_by_trace:
            raise AttributeError("a tf.Graph has no attribute 'outer_graph'")
        return self.enclosing or global_graph()

    @property
    def version(self) -> int:
        """How many operations there are: it grows with the graph."""
        return len(self._operations)

    @property
    def operations(self) -> Sequence[Operation]:
        """All operations in the order of their creation."""
        return tuple(self._operations)

    @property
    def latest_operation(self) -> Operation:
        """The operation that was added last."""
        return self._operations[-1]

    @property
    def control_outputs(self) -> list[Operation]:
        """The operations that run whether or not somebody asks for what they return."""
        return [one for one in self._operations if one.must_run]

    def new_operations(self) -> list[Operation]:
        """The operations that others than this library added: none."""
        return []

    def get(self) -> Any:
        """The graph itself."""
        return self

    def Dismantle(self) -> None:
        """Nothing is left to do: a graph that nobody holds gives its memory back."""

    def num_operations(self) -> int:
        """How many operations there are."""
        return len(self._operations)

    @property
    def finalized(self) -> bool:
        """Whether nothing can be added any more."""
        return isinstance(self._operations, _FinalOperations)

    def finalize(self) -> None:
        """Let nothing be added any more: an attempt is a RuntimeError."""
        self._operations = _FinalOperations(self._operations)

    def reopen(self) -> None:
        """Let operations be added again."""
        self._operations = list(self._operations)

    def take_over(self, node: Operation, first: int, results: Sequence[SymbolicTensor]) -> None:
        """Let the operations from `first` on stand where `node` stands, which hands on `results`.

        They were added for that: they give what it gives, and more. So it happens once.
        """
        from ...ops.control.flow import IdentityN

        added = self._operations[first:]
        del self._operations[first:]
        place = self._operations.index(node)
        self._operations[place:place] = added
        for one in added:
            one.waits = node.waits
        node.kind, node.inputs, node.counts = IdentityN, tuple(results), (len(results),)
        node.operands = tuple(value_of(one) for one in results)
        node.attrs = {}

    # ---- feeding and fetching
    def is_feedable(self, tensor: Any) -> bool:
        """Whether sessions take a value for a tensor."""
        return id(tensor) not in self._unfeedable

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether sessions give the value of a tensor, or run an operation."""
        return id(tensor_or_op) not in self._unfetchable

    def prevent_feeding(self, tensor: SymbolicTensor) -> None:
        """Let sessions refuse values for a tensor."""
        self._unfeedable.add(id(tensor))

    def prevent_fetching(self, op: Operation) -> None:
        """Let sessions refuse to run an operation by itself."""
        self._unfetchable.add(id(op))

    # ---- scopes: those of the library, wherever they are entered
    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """`tf.name_scope(name)` in this graph; None and "" leave all scopes."""
        return self._within(scopes.name_scope(name or ""))

    def get_name_scope(self) -> str:
        """The name scope that is entered, without its last slash."""
        return self._here().name_scope.removesuffix("/")

    def control_dependencies(self, control_inputs: Any) -> AbstractContextManager[Any]:
        """`tf.control_dependencies(control_inputs)` in this graph."""
        return self._within(scopes.control_dependencies(control_inputs))

    def _here(self) -> context.Context:
        here, own = context.top(), self._as_interpreter()
        return here if here.interpreter is own else context.Context(own)

    @block
    def _within(self, entered: Any) -> Generator[Any]:
        with setting(context.current, self._here()), entered as given:
            yield given

    def _as_interpreter(self) -> Any:
        return self

    @block
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Generator[None]:
        """Operations made within are placed with `op`, for the device that it is meant for.

        Those that blocks outside place them with count as well, but for `ignore_existing`.

        Raises:
            ValueError: `op` is None, which ends that, without `ignore_existing`.
        """
        if op is None and not ignore_existing:
            raise ValueError("colocate_with(None) ends colocation: say ignore_existing=True")
        groups, name = (), ""
        if (operation := getattr(op, "op", op)) is not None:
            groups, name = operation.colocation_groups(), operation.device
        outer = () if ignore_existing else self.devices.beside
        with self.devices.only(name), self.devices.placed_with((*outer, *groups)):
            yield

    @block
    def container(self, container_name: str) -> Generator[str]:
        """Nothing: a session's variables have one container."""
        yield container_name

    @block
    def gradient_override_map(self, op_type_map: Any) -> Generator[None]:
        """Let gradient functions that were registered under other names serve operations made here.

        op_type_map: for types of operations the names under which `tf.RegisterGradient` knows the
        functions, or a type whose gradient it is. They are asked by `tf.gradients`, and where a
        function, branch or loop is differentiated as a whole: not by a tape that is entered in the
        same function.

        Raises:
            TypeError: it is no dict of strings.
        """
        if not _are_texts(op_type_map):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        before = self.gradient_types
        self.gradient_types = {**before, **op_type_map}
        try:
            yield
        finally:
            self.gradient_types = before

    # ---- making operations by their names
    def create_op(
        self,
        op_type: str,
        inputs: Iterable[Any],
        dtypes: Any = None,
        input_types: Any = None,
        name: str | None = None,
        attrs: Mapping[str, Any] | None = None,
        op_def: Any = None,
        compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Add an operation of the kind called `op_type`; `attrs` are AttrValue protos.

        Raises:
            UnimplementedError: there is no such kind.
        """
        from ..proto.node_creation import operation_of  # few programs name operations

        return operation_of(self._as_interpreter(), op_type, list(inputs), name, attrs or {})

    def op_def_for_type(self, type: str) -> Any:
        """The OpDef proto of a kind of operation."""
        from ..proto.node_creation import definition_of

        return definition_of(type)

    @property
    def graph_def_versions(self) -> Any:
        """The VersionDef proto that GraphDefs of this graph have."""
        from ..proto.node_creation import versions

        return versions()

    def switch_to_thread_local(self) -> None:
        """Nothing: what a thread enters is its own."""
