"""On which devices the operations of a graph are meant to be, as blocks of `tf.device` say."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from ..core import context
from ..core.device_specs import DeviceSpec, canonical_device, merged_device
from ..core.process.with_blocks import block
from ..eager.devices import count_of
from ..eager.placement import (
    device_named,
    full_name,
    in_this_process,
    interpreter_on,
    is_elsewhere,
    is_there,
    of_session,
    of_usual,
    require,
)
from ..ops.control.flow import Identity
from ..ops.control.functional import Call
from .nested_graphs import every_operation, inner_graphs

if TYPE_CHECKING:
    from ..core.context import Interpreter
    from .func_graph import FuncGraph
    from .ir import Graph, ReplicaPlace
    from .operation import Operation

Placer: TypeAlias = "Callable[[Operation], str]"
AnyGraph = TypeVar("AnyGraph", "Graph", "FuncGraph")
Said: TypeAlias = "tuple[str, tuple[Placer, ...], ReplicaPlace | None]"


class Devices:
    """What is said of devices where operations are made.

    Names outside of all functions are one name. A function of an operation is called when that is
    made, by the innermost block first, and what it gives replaces what blocks inside of it said;
    names outside of it say what it left open. Whose work operations are is said beside that.
    """

    __slots__ = ("_around", "beside", "said")

    def __init__(self, around: Interpreter) -> None:
        """`around`: how operations run at once where the graph is made."""
        self._around: Final = around
        # What is said here, a name, functions, the innermost first, and a replica: to be put back
        # by whoever goes on elsewhere in between, and at once. A property would be a call, and a
        # signal at its first step would leave it undone.
        self.said: Said = "", (), None
        # With which operations those made here are placed, in the order of their names.
        self.beside: tuple[bytes, ...] = ()

    @property
    def at_once(self) -> Interpreter:
        """Eager execution on the device that is named here, or where the function was called."""
        name, placers, _ = self.said
        return interpreter_on(name) if name and not placers else self._around

    def place(self, operation: Operation) -> None:
        """Write its device on an operation, which may say one already."""
        name, placers, operation.replica = self.said
        operation.beside = self.beside
        if not placers:
            own = operation.device
            operation.device = merged_device(name, own) if own else name
        for placer in placers:
            operation.device = placer(operation)
        if operation.device:
            _named.add(operation.device)

    @block
    def within(self, said: Any) -> Generator[None]:
        """A block that says a name or a function; "" or None is no device, whatever is outside."""
        before = self.said
        try:
            self._say(said)
            yield
        finally:
            self.said = before

    @block
    def of_replica(self, place: ReplicaPlace) -> Generator[None]:
        """A block for work of a replica, wherever it is meant to be done."""
        before = self.said
        try:
            self.said = (*before[:2], place)
            yield
        finally:
            self.said = before

    @block
    def only(self, name: str) -> Generator[None]:
        """A block in which a name counts, and nothing outside."""
        with self.within(""), self.within(name):
            yield

    @block
    def placed_with(self, groups: Iterable[bytes]) -> Generator[None]:
        """A block whose operations are placed with these, and with no others."""
        before = self.beside
        try:
            self.beside = tuple(sorted(set(groups)))
            yield
        finally:
            self.beside = before

    def _say(self, said: Any) -> None:
        name, placers, replica = self.said
        if callable(said):
            outside = placers or ((_by_name(name),) if name else ())
            self.said = name, (_by_function(said), *outside), replica
        elif not said:
            self.said = "", (), replica
        elif placers:
            self.said = name, (_by_name(said), *placers), replica
        else:
            self.said = merged_device(name, said), (), replica


def _by_name(name: str) -> Placer:
    return lambda operation: merged_device(name, canonical_device(operation.device))


def _by_function(function: Callable[[Operation], Any]) -> Placer:
    def place(operation: Operation) -> str:
        device = function(operation)
        if isinstance(device, DeviceSpec):
            return device.to_string()
        if not isinstance(device, str):
            raise TypeError(f"a device function must return the name of a device, got {device!r}")
        return device

    return place


def named_here() -> str:
    """The full name of the device that blocks around name, "" where they name none."""
    interpreter: Any = context.top().interpreter
    if not interpreter.building_graph:
        named = getattr(interpreter, "named", None)
        usual = of_usual.get()
        return named or (full_name(usual) if "/device:" in usual else "")
    name, placers, _ = interpreter.devices.said
    return full_name(name) if name and not placers else ""


# What operations of graphs have named: where all of it is there, no graph is looked through.
_named: Final[set[str]] = set()


def require_devices(graph: AnyGraph) -> AnyGraph:
    """A graph that is to run here, or parts of it, and those in it.

    In a session, functions that branches and loops call may be done elsewhere than they say,
    whatever it was told: TensorFlow places them by themselves.

    Raises:
        InvalidArgumentError: an operation is meant for a device that is not there, and may not be
            done on another one.
    """
    absent = {one for one in tuple(_named) if not is_there(one)}
    named: dict[str, str] = {}
    operations: Any = every_operation(cast("Graph", graph)) if absent else ()
    is_of_session = of_session.get() is not None
    soft = frozenset[Any]()
    if absent and is_of_session:
        soft = _called_in_branches(cast("Graph", graph))
    for one in operations:
        if one.device in absent:
            name = in_this_process(one.device) if _is_of_process(one) else one.device
            if not is_there(name) and (one not in soft or is_elsewhere(canonical_device(name))):
                named.setdefault(name, one.name)
    for device, operation in named.items():
        require(device, operation)
    return graph


def _called_in_branches(graph: Graph) -> frozenset[Any]:
    """The operations of functions that branches and loops of a graph call, and nobody else: those
    of functions that it calls itself are its own, with all that is in them.
    """
    own: list[Graph] = [graph]
    called: list[Graph] = []
    for inside in own:
        for one in inside.operations:
            is_call = issubclass(_kind_of(one) or Identity, Call)
            known = called if is_call else own
            if not is_call or inside is graph:
                known += [inner for inner in inner_graphs(one) if inner not in known]
    firm = {one for inside in own for one in inside.operations}
    firm.update(one for inside in called for one in every_operation(inside))
    return frozenset(every_operation(graph)) - firm


def _kind_of(operation: Any) -> Any:
    return getattr(operation, "kind", None) or getattr(operation, "op", None)


def _is_of_process(operation: Any) -> bool:
    kind = _kind_of(operation)
    return kind is not None and kind.is_of_process


def places_of_results(graph: Graph) -> tuple[str | None, ...]:
    """The devices that are named by those operations of which the results come, None where none is;
    nothing where no result is anywhere else than the others.
    """
    if count_of("CPU") == 1:
        return ()
    makers = {value: one for one in graph.operations for value in one.results}
    places: list[str | None] = []
    for value in graph.returns:
        maker = makers.get(value)
        while maker is not None and maker.op is Identity and not maker.device:
            maker = makers.get(maker.operands[0])
        places.append(None if maker is None else device_named(maker.device))
    return tuple(places) if any(places) else ()
