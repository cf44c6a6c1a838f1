"""Who gives operations their meaning right now.

Every operation is applied through `ops/bind`, which asks this module for the interpreter on top:
eager execution, or the graph that is being traced. Recorders (gradient tapes) see each
application after it happened; observers (debugging) see those of traces that are made meanwhile as
well. One context variable holds all of it, so that threads and asynchronous tasks do not see each
other's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from itertools import compress
from operator import is_
from time import perf_counter_ns
from typing import Any, ClassVar, Final, Protocol
from weakref import WeakSet

from ..errors import tracing
from .dtypes import DType
from .process.named_tuples import NamedTuple
from .process.with_blocks import Block, renewed, setting


class Interpreter(Protocol):
    """A meaning of operations."""

    building_graph: ClassVar[bool]
    own_tensors: ClassVar[
        frozenset[type]
    ]  # classes of tensors that need no `convert`; may be empty
    on_device: (
        str | None
    )  # the full name of the device that what is made here is on; None: the usual

    @property
    def at_once(self) -> Interpreter:
        """What gives operations their meaning that run at once, although they are said here."""
        ...

    def apply(
        self, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[Any, ...]:
        """Apply `op` to converted operands (a list operand is a tuple); return flat outputs."""
        ...

    def convert(self, value: Any, dtype: DType | None, preferred: DType | None) -> Any:
        """Any value as a tensor of this interpreter.

        A tensor of another interpreter is captured or refused with a reason; a Python or NumPy
        value takes `dtype` (an error where that loses something), else `preferred` where that
        is possible, else its own.
        """
        ...

    def in_one_dtype(self, values: Sequence[Any], allowed: frozenset[DType] | None) -> Any:
        """Operands whose dtypes differ, as a list of which they no longer do; None where that
        is a mistake. `allowed` are the dtypes that an operation takes.
        """
        ...

    def in_python(self, arguments: Any) -> Any:
        """The arguments of a call that failed, with Python's numbers for tensors that stand for
        some; None where there are none.
        """
        ...


class Recorder(Protocol):
    """Sees every application while it is listed."""

    def record(self, application: Any) -> None: ...


class Stoppable(Recorder, Protocol):
    """Ignores what it sees unless it is active."""

    active: bool


class Applied(NamedTuple):
    """An application, and when it began and ended, in nanoseconds of `perf_counter_ns`."""

    op: Any
    operands: tuple[Any, ...]
    attrs: dict[str, Any]
    outputs: tuple[Any, ...]
    start: int
    end: int


class Observer(Protocol):
    """Sees every application of a thread, whoever gives it its meaning, also what is traced; and
    the calls of functions that run at once.
    """

    def applied(self, application: Applied) -> None: ...

    def called(self, function: Any, start: int, end: int) -> None: ...


class Observers(list[Observer]):
    """Observers, and the contexts that they see: those look again where one comes or goes."""

    def __init__(self) -> None:
        super().__init__()
        self.contexts: Final[WeakSet[Context]] = WeakSet()

    def come(self, observer: Observer) -> None:
        self.append(observer)
        self._tell()

    def go(self, observer: Observer) -> None:
        self.remove(observer)
        self._tell()

    def _tell(self) -> None:
        for one in tuple(self.contexts):
            one.look()


class Context:
    """Immutable: entering something makes a new one. Only who observes may come and go."""

    __slots__ = (
        "__weakref__", "control_inputs", "interpreter", "lifted", "name_scope", "observers",
        "plain", "recorders", "told",
    )  # fmt: skip

    def __init__(
        self,
        interpreter: Interpreter,
        recorders: tuple[Recorder, ...] = (),
        name_scope: str = "",
        control_inputs: tuple[Any, ...] = (),
        observers: Sequence[Observer] = (),
        lifted: bool = False,
    ) -> None:
        self.interpreter = interpreter
        self.lifted = lifted  # out of a function that is being traced
        self.recorders = recorders
        self.name_scope = name_scope  # "" or ends with "/"
        self.control_inputs = control_inputs
        self.observers = observers  # some `Observers`, which contexts share that are entered within
        if isinstance(observers, Observers):
            observers.contexts.add(self)
        self.look()

    def look(self) -> None:
        """See what quick ways ask: which recorders see operations that run at once, None where
        they do not, or where others see more of them; whether nobody sees them at all.
        """
        at_once = self.interpreter is _eager and not self.observers
        self.told = self.recorders if at_once else None
        self.plain = self.told == ()

    @property
    def is_outermost(self) -> bool:
        """Whether it says nothing that is not so anyway."""
        seen = self.recorders or self.observers or self.name_scope or self.control_inputs
        return self.interpreter is _eager and not seen

    def replace(
        self,
        recorders: tuple[Recorder, ...] | None = None,
        name_scope: str | None = None,
        control_inputs: tuple[Any, ...] | None = None,
        observers: Sequence[Observer] | None = None,
    ) -> Context:
        return Context(
            self.interpreter,
            self.recorders if recorders is None else recorders,
            self.name_scope if name_scope is None else name_scope,
            self.control_inputs if control_inputs is None else control_inputs,
            self.observers if observers is None else observers,
            self.lifted,
        )


current: ContextVar[Context | None] = ContextVar("tensormill")
# What stands around calls so that functions have traces of their own there. Whoever sets it enters
# a context too: the shortest way to a call, which does not look here, is taken where there is none.
surroundings: ContextVar[str | None] = ContextVar("surroundings", default=None)


def install(eager: Interpreter) -> None:
    """Called once, by `eager`, at import: what applies on the CPU, and so to all that the library
    works out for itself.
    """
    global _eager, base, outermost
    _eager = eager
    base = outermost = Context(eager)


def begin(usual: Interpreter) -> None:
    """Called by `eager` as the first operation comes: what applies where nobody entered
    anything.
    """
    global outermost
    outermost = base if usual is _eager else Context(usual)


_eager: Interpreter
base: Context
outermost: Context


def top() -> Context:
    return current.get(None) or outermost


def building_graph() -> bool:
    """Whether a function is being traced here."""
    return top().interpreter.building_graph


tracing.is_on = building_graph


def entered(context: Context) -> AbstractContextManager[Context]:
    return setting(current, context, context)


def interpreting(
    interpreter: Interpreter, recorders: tuple[Recorder, ...] = (), name_scope: str = ""
) -> AbstractContextManager[Any]:
    """Give operations another meaning; recorders outside do not see what happens within."""
    inside = Context(interpreter, recorders, name_scope=name_scope, observers=top().observers)
    return setting(current, inside, interpreter)


def init_scope() -> renewed:
    """Leave every trace and graph: operations within run eagerly and no recorder sees them.

    Names keep the scope that is around, and what is made the device.
    """
    here = top()
    lifted = here.lifted or getattr(here.interpreter, "building_function", False)
    eager = here.interpreter.at_once
    if eager is _eager and not here.observers and not here.name_scope and not lifted:
        return renewed(init_scope, current, outermost)
    inside = Context(eager, name_scope=here.name_scope, observers=here.observers, lifted=lifted)
    return renewed(init_scope, current, inside)


def observed(
    here: Context, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
) -> tuple[Any, ...]:
    """Apply `op`, and tell the observers."""
    start = perf_counter_ns()
    outputs = here.interpreter.apply(op, operands, attrs, name)
    application = Applied(op, operands, attrs, outputs, start, perf_counter_ns())
    for observer in here.observers:
        observer.applied(application)
    return outputs


def observed_call(here: Context, function: Any, call: Callable[[], Any]) -> Any:
    """The result of a call, of which the observers are told."""
    start = perf_counter_ns()
    result = call()
    end = perf_counter_ns()
    for observer in here.observers:
        observer.called(function, start, end)
    return result


def observe(observer: Observer) -> None:
    """Let an observer see what this thread does from now on, or until the block around ends."""
    here = top()
    observers = here.observers
    if not isinstance(observers, Observers):
        observers = Observers()
        current.set(here.replace(observers=observers))
    if observer not in observers:
        observers.come(observer)


def stop_observing(observer: Observer) -> None:
    """Let an observer see no more, also where blocks that were entered meanwhile are left later."""
    here = top()
    if isinstance(here.observers, Observers) and observer in here.observers:
        here.observers.go(observer)
        if here.is_outermost:
            current.set(None)  # the quickest way of calling asks for that


def record_until(block: Block, recorder: Stoppable) -> None:
    """Let a recorder see what happens until the block is left."""
    before = current.get(None)
    here = outermost if before is None else before
    stop = map(setattr, (recorder,), ("active",), (False,))
    if recorder in here.recorders:
        block.undo_by(stop)
    else:
        inside = here.replace(recorders=(*here.recorders, recorder))
        is_here = map(is_, map(current.get, (None,)), (inside,))
        block.undo_by(
            stop, map(current.set, compress((before,), is_here)), map(_unlist, (recorder,))
        )
        current.set(inside)
    recorder.active = True


def _unlist(recorder: Recorder) -> None:
    """Take a recorder, which stopped, from what others entered meanwhile and did not leave yet.

    Where a signal keeps us from that, it stays there and records nothing.
    """
    here = current.get(None)
    if here is not None and recorder in here.recorders:
        others = tuple(one for one in here.recorders if one is not recorder)
        current.set(here.replace(recorders=others))


def record(recorders: Sequence[Recorder], application: Any) -> None:
    for recorder in recorders:
        recorder.record(application)
