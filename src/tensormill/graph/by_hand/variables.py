"""Variables of graphs that are built by hand: operations make, fill and read them.

Sessions hold the values (`function/session.py`), so one has to run `initializer` first.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final, NoReturn

from ...core import context
from ...core.dtypes import as_dtype
from ...core.process.deprecation import deprecated
from ...core.process.with_blocks import block
from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...eager.convert import convert_to_tensor
from ...eager.variable import ResourceVariable
from ...eager.variable_options import VariableAggregationV2, VariableSynchronization
from ...ops.bind import bind
from ...ops.state import variables
from ...ops.state.handles import VarHandleOp, VarIsInitializedOp
from ..func_graph import FuncGraph
from ..operation import Operation
from ..symbolic import SymbolicTensor
from . import variable_defs
from .collections import GraphKeys
from .default_graph import get_default_graph
from .sessions import run_in_session
from .variable_defs import FIELDS, place_in


class VariableKind:
    """Which variables graphs get that are built by hand."""

    # As in TensorFlow 1: a session gives the value that a variable has when the run is over.
    references = False


class GraphVariable(ResourceVariable):
    """What `tf.Variable` gives in a graph that is built by hand."""

    is_reference: bool = False
    _in_graph_mode = True

    def __init__(
        self,
        graph: FuncGraph,
        initial_value: Any,
        name: str | None = None,
        dtype: Any = None,
        shape: Any = None,
        validate_shape: bool = True,
        trainable: bool | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregationV2 = VariableAggregationV2.NONE,
    ) -> None:
        """A variable of `graph`; the other arguments are those of `tf.compat.v1.Variable`."""
        with beside(graph), graph.name_scope(name or "Variable") as scope:
            with graph.device(""):
                self._initial: Any = _initial_tensor(graph, initial_value, dtype)
            spec = _spec(self._initial, shape, validate_shape)
            shown = scope.removesuffix("/")
            self._set_up(None, spec, shown, trainable, constraint, synchronization, aggregation)
            facts = {"dtype": spec.dtype, "shape": spec.shape, "shared_name": shown}
            self.handle = bind(VarHandleOp, **facts, name=scope)
            self.handle.variable = weakref.ref(self)
            with graph.name_scope(f"{scope}IsInitialized/"):
                bind(VarIsInitializedOp, self.handle)
            with graph.devices.only(self.handle.device):
                bind(
                    variables.AssignVariableOp, self.handle, self._initial,
                    dtype=spec.dtype, name=f"{scope}Assign/",
                )  # fmt: skip
                self._initializer: Operation = graph.latest_operation
                with graph.name_scope(f"{scope}Read/"):
                    self._snapshot: Any = variables.read(self.handle, spec.dtype)

    @classmethod
    def of_operations(
        cls, handle: Any, initial: Any, initializer: Operation, snapshot: Any, trainable: bool
    ) -> GraphVariable:
        """The variable for whose handle, first value, initializer and reading there are operations.

        They come out of a file.
        """
        made = cls.__new__(cls)
        state: Any = handle._known.spec.state
        name = handle.op.name
        made._set_up(
            None, state, name, trainable, None, VariableSynchronization.AUTO,
            VariableAggregationV2.NONE,
        )  # fmt: skip
        made.handle = handle
        handle.variable = weakref.ref(made)
        made._initial, made._initializer, made._snapshot = initial, initializer, snapshot
        made.is_reference = VariableKind.references
        return made

    @classmethod
    def of_def(cls, graph: FuncGraph, proto: Any, scope: str = "") -> GraphVariable:
        """The variable of a VariableDef, whose operations `graph` has below `scope`.

        Raises:
            KeyError: it has one of them not.
        """
        named = [getattr(proto, field) for field in FIELDS]
        found: list[Any] = [
            graph.as_graph_element(scope + name) if name else None for name in named
        ]
        handle, initializer, snapshot, initial = found
        made = cls.of_operations(handle, initial, initializer, snapshot, proto.trainable)
        made._set_save_slice_info(place_in(proto, scope))
        return made

    @classmethod
    def from_proto(cls, variable_def: Any, import_scope: str | None = None) -> GraphVariable:
        """The variable that a VariableDef tells of, in the default graph, below `import_scope`.

        Raises:
            KeyError: the graph has not its operations.
        """
        scope = f"{import_scope}/" if import_scope else ""
        return cls.of_def(get_default_graph(), variable_def, scope)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The VariableDef of it, for what is below a scope alone: None where it is outside."""
        return variable_defs.variable_def(self, export_scope)

    # ---- the operations
    @property
    def op(self) -> Operation:
        """What gives its handle."""
        return self.handle.op

    @property
    def device(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The device that its handle is meant for."""
        return self.handle.device

    @property
    def graph(self) -> FuncGraph:
        """The graph that it belongs to."""
        return self.handle.graph

    @property
    def initializer(self) -> Operation:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What gives it its first value."""
        return self._initializer

    create = initializer

    @property
    def initial_value(self) -> SymbolicTensor:
        """The tensor with its first value."""
        return self._initial

    @property
    def snapshot(self) -> SymbolicTensor:
        """What sessions give for it: its value when they begin, as a rule."""
        return self._snapshot

    def _as_graph_element(self) -> SymbolicTensor:
        return self._snapshot

    def is_initialized(self, name: str | None = None) -> Any:
        """Whether the session has a value for it, a bool scalar."""
        return bind(VarIsInitializedOp, self.handle, name=name)

    def initialized_value(self) -> NoReturn:
        """Refused, as TensorFlow does: initializers run in the order of the graph.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("initialized_value is not there for variables of this kind")

    # ---- in a session
    def eval(self, session: Any = None) -> Any:
        """Its value in `session`, or else in the default one.

        Raises:
            ValueError: there is no session.
        """
        return run_in_session(self._snapshot, None, session)

    @deprecated(None, "Use assign instead.")
    def load(self, value: Any, session: Any = None) -> None:
        """Give it a value in `session`, or else in the default one.

        Raises:
            ValueError: there is no session.
        """
        run_in_session(self._initializer, {self._initial: value}, session)

    def start_at(self, value: Any) -> None:
        """Let the initializer give it another value than it was made with."""
        with beside(self.graph), self.graph.name_scope(f"{self.op.name}/"):
            self._initial = convert_to_tensor(value, self.dtype, name="restored")
            self.assign(self._initial, read_value=False)
            self._initializer = self.graph.latest_operation

    def value(self) -> Any:
        """The value, as a tensor."""
        return variables.read(self.handle, self.dtype)

    def numpy(self) -> NoReturn:
        """Refused: a session has the value.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    # ---- as in TensorFlow 1 it is equal to itself only
    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self is other

    def __ne__(self, other: object) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self is not other

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        raise NotImplementedError("a variable of a graph cannot be copied; copy its value")

    def __reduce__(self) -> NoReturn:
        raise NotImplementedError("a variable of a graph cannot be pickled; save it by a Saver")

    def __repr__(self) -> str:
        kind = f"{self.dtype.name}_ref" if self.is_reference else self.dtype.name
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={kind}>"


@block
def beside(graph: FuncGraph) -> Generator[None]:
    """Add operations to `graph` itself, whatever branch or body of it is being traced, and after
    nothing else.
    """
    here = context.top()
    interpreter: Any = graph
    scope = here.name_scope if here.interpreter is interpreter else ""
    with context.entered(context.Context(interpreter, name_scope=scope)):
        yield


def _initial_tensor(graph: FuncGraph, initial_value: Any, dtype: Any) -> Any:
    """The tensor with the initial value.

    Raises:
        ValueError: there is no initial value.
    """
    if initial_value is None:
        raise ValueError("The `initial_value` arg to `tf.Variable` must be specified")
    with graph.name_scope("Initializer"):
        if callable(initial_value) and not isinstance(initial_value, TensorLike):
            initial_value = initial_value()
        wanted = None if dtype is None else as_dtype(dtype)
        if isinstance(initial_value, TensorLike):
            return graph.convert(initial_value, wanted, None)
        return convert_to_tensor(initial_value, wanted, name="initial_value")


def _spec(initial: SymbolicTensor, shape: Any, validate_shape: bool) -> TensorSpec:
    """What may be assigned.

    Raises:
        ValueError: the shape of the initial value is not known, or is not the wanted one.
    """
    if not validate_shape:
        return TensorSpec(None if shape is None else as_shape(shape), initial.dtype)
    if shape is None and not initial.shape.is_fully_defined():
        raise ValueError(
            f"initial_value must have a shape specified: {initial!r}; pass validate_shape=False "
            "for a variable of any shape"
        )
    declared = initial.shape if shape is None else as_shape(shape)
    if not declared.is_compatible_with(initial.shape):
        raise ValueError(
            f"the shape of the initial value, {initial.shape}, is not compatible with the "
            f"explicitly supplied `shape` {declared}"
        )
    return TensorSpec(declared, initial.dtype)


# What `tf.Variable` takes and means nothing for a graph of one device.
_IGNORED: Final = (
    "caching_device", "variable_def", "import_scope", "experimental_enable_variable_lifting",
    "use_resource", "expected_shape",
)  # fmt: skip


def make_variable(
    graph: FuncGraph,
    trainable: bool | None = None,
    collections: Iterable[str] | None = None,
    **options: Any,
) -> GraphVariable:
    """A variable of `graph` in its collections."""
    trainable = True if trainable is None else trainable
    if options.get("synchronization") is VariableSynchronization.ON_READ:
        trainable = False
    taken = {key: value for key, value in options.items() if key not in _IGNORED}
    variable = GraphVariable(graph, trainable=trainable, **taken)
    variable.is_reference = VariableKind.references and not options.get("use_resource")
    names = [GraphKeys.GLOBAL_VARIABLES] if collections is None else [*collections]
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in names:
        names.append(GraphKeys.TRAINABLE_VARIABLES)
    graph.add_to_collections(names, variable)
    return variable


def creator_for(graph: FuncGraph) -> Callable[..., Any]:
    """The creator of variables (eager/creation.py) for what is built in `graph`.

    It lets the graph go: the graph has it.
    """
    known = weakref.ref(graph)

    def create(next_creator: Callable[..., Any], **options: Any) -> Any:
        graph = known()
        assert graph is not None
        return make_variable(graph, **options)

    return create
