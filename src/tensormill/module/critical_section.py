"""`tf.CriticalSection`: code that one at a time runs, of all threads and functions."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any, Final
from weakref import WeakKeyDictionary

from ..core import context, tree
from ..core.process.named_tuples import NamedTuple
from ..core.process.with_blocks import block
from ..core.specs import ResourceSpec
from ..ops.bind import bind
from ..ops.control.flow import identity
from ..ops.state.mutexes import ConsumeMutexLock, MutexLock, MutexV2

# The sections that this thread is in, or that are being traced.
_ENTERED: Final[ContextVar[tuple[Any, ...]]] = ContextVar("entered", default=())


class _Taken(NamedTuple):
    """What a section takes of a graph: the tensors of handles, by their identities."""

    section: str
    key: Any  # which sections have that are one
    handles: dict[int, Any]
    is_exclusive: bool

    def require_apart(self, other: _Taken) -> None:
        """Refuse what another section takes as well, if one has it for itself.

        Raises:
            ValueError: so it is.
        """
        both = self.handles.keys() & other.handles.keys()
        is_same = self.key == other.key
        if is_same or not both or not (self.is_exclusive or other.is_exclusive):
            return
        what = ", ".join(sorted(self.handles[one].name for one in both))
        raise ValueError(
            f"CriticalSection '{self.section}' and CriticalSection '{other.section}' "
            f"both take {what}, and one of them asks for exclusive access to it: run both in one "
            "section, or say exclusive_resource_access=False in both, if they may run side by side"
        )


# What sections have taken in graphs that still are.
_TAKEN: Final[WeakKeyDictionary[Any, list[_Taken]]] = WeakKeyDictionary()


class CriticalSection:
    """Runs functions so that no two of them run at the same time.

    shared_name: sections of one name are one section. Other arguments are TensorFlow's.

    >>> section, count = tf.CriticalSection(), tf.Variable(0)
    >>> @tf.function
    ... def one_more():
    ...     return section.execute(lambda: count.assign(count * 2 + 1))
    >>> one_more(), int(one_more())
    (<tf.Tensor: shape=(), dtype=int32, numpy=1>, 3)

    Raises:
        ValueError: `critical_section_def` is given, which nothing writes.
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if critical_section_def is not None:
            raise ValueError("Argument `critical_section_def` is not supported.")
        self._key: Final[Any] = shared_name or object()
        self._name: Final = name or shared_name or "critical_section"
        with context.init_scope():
            self._handle: Final = bind(MutexV2, shared_name=shared_name or "")

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    def execute(
        self,
        fn: Callable[[], Any],
        exclusive_resource_access: bool = True,
        name: str | None = None,
    ) -> Any:
        """The result of `fn()`, a structure of tensors or None, which runs once nobody else is in.

        In a function it waits where the function runs. exclusive_resource_access: whether no other
        section may run what takes the same variables, queues or tables; it is asked in functions
        and graphs.

        Raises:
            ValueError: `fn` enters the same section again, for which it would wait for ever; or it
                takes something that another section of the same function takes, and one of them
                has it for itself.
        """
        if self in _ENTERED.get():
            raise ValueError(
                "Attempting to lock a CriticalSection in which we are already running: that would "
                "wait for ever"
            )
        with self._entered():
            lock = bind(MutexLock, self._handle, name=name)
            try:
                with self._noting(exclusive_resource_access):
                    found = tree.map_structure(_result, fn())
            finally:
                bind(ConsumeMutexLock, lock)
        return found

    @block
    def _noting(self, is_exclusive: bool) -> Generator[None]:
        """Note what a block takes of a graph, and refuse what others have taken."""
        graph: Any = context.top().interpreter
        before = len(graph.get_operations()) if graph.building_graph else 0
        yield
        if graph.building_graph:
            added = graph.get_operations()[before:]
            made = {
                id(one) for operation in added if operation.type != "Placeholder"  # captured here
                for one in operation.outputs
            }  # fmt: skip
            handles = {
                id(one): one for operation in added for one in operation.inputs
                if isinstance(one._known.spec, ResourceSpec) and id(one) not in made
            }  # fmt: skip
            taken = _Taken(self._name, self._key, handles, is_exclusive)
            for other in _TAKEN.setdefault(graph, []):
                taken.require_apart(other)
            _TAKEN[graph].append(taken)

    @block
    def _entered(self) -> Generator[None]:
        token = _ENTERED.set((*_ENTERED.get(), self))
        try:
            yield
        finally:
            _ENTERED.reset(token)


def _result(value: Any) -> Any:
    return value if value is None else identity(value)
