"""`tf.compat.v1.Session`: running parts of a graph that was built by hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, final

from ..core import context
from ..core.process.named_tuples import NamedTuple
from ..core.process.with_blocks import Enterable, block, enter_until, setting
from ..core.specs import ResourceSpec
from ..eager.convert import convert_to_tensor
from ..eager.placement import of_session
from ..eager.storage import Storage
from ..eager.tensor import wrap_handle
from ..errors import InvalidArgumentError
from ..graph.builder import FuncGraph
from ..graph.by_hand.default_graph import get_default_graph
from ..graph.by_hand.sessions import entered
from ..graph.by_hand.subgraphs import part_of
from ..graph.devices import require_devices
from ..graph.operation import Operation
from ..graph.payload import payload_of
from ..graph.symbolic_parts import known_of
from ..ops.state.accumulators import Accumulator
from ..ops.state.handles import VarHandleOp
from ..ops.state.queues import Queue
from .fetches import Fetches, arrays_of, as_feed, feeds_of
from .partial_runs import PartialRun
from .run_traces import trace_wanted
from .session_callables import callable_of
from .steps import Step, step_of


class SessionDevice(NamedTuple):
    """A device of a session."""

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int


def _require(name: str, given: Any, fits: bool, what: str) -> None:
    if not fits:
        raise TypeError(f'Argument `{name}` must be {what}, but got "{type(given).__name__}"')


class GraphRunner:
    """What sessions of both kinds are: values for the variables of a graph, and code for it.

    Each combination of fetches and feeds is compiled once, as a function is.
    """

    def __init__(self, target: Any = "", graph: Any = None, config: Any = None) -> None:
        """`graph` is the default one unless it is given. `config` may say what it wants.

        Raises:
            TypeError: `target` is no string, `graph` no graph or `config` no ConfigProto.
        """
        _require("target", target, isinstance(target, (str, bytes)), "a string")
        _require("graph", graph, graph is None or isinstance(graph, FuncGraph), "a tf.Graph")
        is_config = config is None or hasattr(config, "gpu_options")
        _require("config", config, is_config, "a tf.ConfigProto")
        self._graph: Final[FuncGraph] = graph if graph is not None else get_default_graph()
        self._config: Final = config
        self._target: Final = target
        self._steps: dict[tuple[Any, ...], Step] = {}
        self._values: dict[str, Storage] = {}
        self._objects: dict[str, Any] = {}
        self._partial_runs: dict[str, PartialRun] = {}
        self._partial_count: Final = itertools.count()
        self._is_closed = False
        self._is_soft: Final = bool(config is not None and config.allow_soft_placement)

    def run(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """The values of `fetches`, a nest of tensors, operations, variables and names, as arrays.

        An operation runs, and gives None. `feed_dict` has values for tensors, mostly placeholders.
        Only what the fetches need runs, in the order in which it was added to the graph.
        options, run_metadata: where a RunOptions has a `trace_level`, the RunMetadata is told which
        operation ran when (`tensorflow.python.client.timeline` shows it).

        Raises:
            RuntimeError: the session is closed, or its graph is empty.
            InvalidArgumentError: a placeholder that is needed has no value.
            FailedPreconditionError: a variable that is needed has no value.
            TypeError: a fetch is nothing that can be fetched, or a key is no tensor.
            ValueError: a fetch is of another graph, or a value does not fit its tensor.
        """
        self._check_runs()
        feeds = {id(key): (key, value) for key, value in feeds_of(self.graph, feed_dict or {})}
        wanted = Fetches(self.graph, fetches, feeds.keys())
        with self._running():
            operands = [as_feed(*one) for one in feeds.values()]
            step = self._step(wanted, [tensor for tensor, _ in feeds.values()])
            trace = trace_wanted(options, run_metadata)
            results = step.results(operands, trace)
            stored = [self.storage(one.op).read().copy() for one in wanted.references]
            latest = [convert_to_tensor(one).numpy() for one in stored]
        if trace is not None:
            shows = options.output_partition_graphs
            trace.fill(run_metadata, self.graph.as_graph_def() if shows else None)
        return wanted.packed(arrays_of(wanted.elements, results, feeds), latest)

    def make_callable(
        self, fetches: Any, feed_list: Sequence[Any] | None = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """A function of the values of `feed_list` that gives the values of `fetches`.

        Raises:
            TypeError: (when it is called) there are more or fewer values.
        """
        keys = list(feed_list or ())

        def call(*values: Any) -> Any:
            if len(values) != len(keys):
                raise TypeError(f"expected {len(keys)} values to feed, got {len(values)}")
            return self.run(fetches, dict(zip(keys, values, strict=True)))

        return call

    # Keras 2 asks for it by this name.
    def _make_callable_from_options(self, callable_options: Any) -> Callable[..., list[Any]]:
        return callable_of(self, callable_options)

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Begin a run in several steps, of all of `fetches`; `partial_run` takes what this returns.

        feeds: the tensors that will be given values.

        Raises:
            RuntimeError: the session is closed, or its graph is empty.
            InvalidArgumentError: nothing is to be fetched.
            TypeError: a fetch is nothing that can be fetched.
        """
        self._check_runs()
        announced = [one for one, _ in feeds_of(self.graph, dict.fromkeys(feeds or ()))]
        elements = Fetches(self.graph, fetches, set(map(id, announced))).elements
        if not elements:
            raise InvalidArgumentError("partial_run_setup needs at least one fetch")
        handle = f"partial_run_{next(self._partial_count)}"
        self._partial_runs[handle] = PartialRun(self.graph, elements, announced)
        return handle

    def partial_run(self, handle: str, fetches: Any, feed_dict: Any = None) -> Any:
        """The values of some of the fetches of a run that has begun, with some of its feeds.

        Each operation runs once in all steps together.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     x = tf.compat.v1.placeholder(tf.float32, [])
        ...     y = tf.compat.v1.placeholder(tf.float32, [])
        ...     double = x + x
        ...     run = session.partial_run_setup([double, double * y], [x, y])
        ...     print(session.partial_run(run, double, {x: 2.0}))
        4.0

        Raises:
            InvalidArgumentError: there is no such run, something was not announced, is fed twice,
                or lacks a feed.
        """
        self._check_runs()
        if handle not in self._partial_runs:
            raise InvalidArgumentError(
                f"Must run partial_run_setup before partial_run: there is no run {handle!r}"
            )
        feeds = {id(key): (key, value) for key, value in feeds_of(self.graph, feed_dict or {})}
        wanted = Fetches(self.graph, fetches, feeds.keys())
        with self._running():
            fed = {key: (one[0], as_feed(*one)) for key, one in feeds.items()}
            results = self._partial_runs[handle].results(
                wanted.elements, fed, lambda part: step_of(part, self._handle)
            )
            stored = [self.storage(one.op).read().copy() for one in wanted.references]
            latest = [convert_to_tensor(one).numpy() for one in stored]
        return wanted.packed([one.numpy() for one in results], latest)

    @property
    def graph(self) -> FuncGraph:
        """The graph that it runs."""
        return self._graph

    @property
    def sess_str(self) -> bytes:
        """Where it runs: in this process, which has no name."""
        return self._target if isinstance(self._target, bytes) else self._target.encode()

    def list_devices(self) -> list[Any]:
        """The devices that it has: the processor."""
        return [SessionDevice("/job:localhost/replica:0/task:0/device:CPU:0", "CPU", 1 << 28, 0)]

    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef proto."""
        return self.graph.as_graph_def()

    def as_default(self) -> AbstractContextManager[GraphRunner]:
        """Make this the session of `tensor.eval()` and `operation.run()`."""
        return setting(entered, (*entered.get(), self), self)

    def storage(self, handle: Operation) -> Storage:
        """What holds the value of the variable whose handle this operation gives."""
        name = handle.attrs["shared_name"] or handle.name
        found = self._values.get(name)
        if found is None:
            spec = known_of(handle.outputs[0]).spec
            assert isinstance(spec, ResourceSpec)
            made = Storage(None, spec.state, f"{name}:0", spec.trainable)
            found = self._values.setdefault(name, made)  # another thread may have been first
        return found

    def _handle(self, operation: Operation) -> Any:
        """The handle of what this session has for an operation that stands for it."""
        if operation.kind is VarHandleOp:
            return wrap_handle(self.storage(operation))
        name = operation.attrs.get("shared_name") or operation.name
        if name not in self._objects:
            stands: Any = operation.kind
            operands = [self._value_of(one.name) for one in operation.inputs]
            made = stands(*operands, **operation.attrs).made(self._value_of)
            # Threads that fill queues and those that take from them have to find the same one.
            self._objects.setdefault(name, made)
        return wrap_handle(self._objects[name])

    def _value_of(self, name: str) -> Any:
        tensor = self.graph.get_tensor_by_name(name)
        (value,) = self._step(Fetches(self.graph, tensor), ()).results(())
        return payload_of(value)

    def close(self) -> None:
        """Forget values and code; the session cannot run any more, and nobody waits for it."""
        self._is_closed = True
        for one in self._objects.values():
            if isinstance(one, (Queue, Accumulator)):
                one.abandon()
        self._steps.clear()
        self._partial_runs.clear()
        self._values.clear()
        self._objects.clear()

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    @block
    def _running(self) -> Generator[None]:
        """A block that runs parts of the graph: out of all others, on the devices that are there,
        if `config` said so, where others are named.
        """
        with context.init_scope(), setting(of_session, self._is_soft, None):
            yield

    def _check_runs(self) -> None:
        if self._is_closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self.graph.version:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run()."
            )

    def _step(self, wanted: Fetches, inputs: Sequence[Any]) -> Step:
        key = (tuple(map(id, wanted.elements)), tuple(map(id, inputs)))
        step = self._steps.get(key)
        if step is None:
            require_devices(self.graph)  # of all operations, whether they are wanted or not
            part = part_of(self.graph, inputs, wanted.elements, "session_run")
            step = self._steps[key] = step_of(part, self._handle)
        return step


@final
class Session(GraphRunner, Enterable[GraphRunner]):
    """Runs a graph: `session.run(fetches, feed_dict)`.

    Variables of the graph have values of their own in each session, once their initializers ran
    there. As a block it makes itself and its graph the default ones, and is closed at its end.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, [None])
    ...     v = tf.Variable(2.0)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     print(session.run(x * v, {x: [1.0, 2.0]}))
    [2. 4.]
    """

    def __init__(
        self, target: str = "", graph: FuncGraph | None = None, config: Any = None
    ) -> None:
        GraphRunner.__init__(self, target, graph, config)
        super(GraphRunner, self).__init__()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Nothing: what a session has goes when it is closed."""

    def _enter(self) -> GraphRunner:
        return enter_until(self._entered, self._in_graph())

    @block
    def _in_graph(self) -> Generator[GraphRunner]:
        with self.graph.as_default(), self.as_default():
            try:
                yield self
            finally:
                self.close()


@final
class InteractiveSession(GraphRunner):
    """A session that is the default one from its beginning until it is closed.

    >>> with tf.Graph().as_default():
    ...     session = tf.compat.v1.InteractiveSession()
    ...     print(tf.constant(3).eval())
    ...     session.close()
    3
    """

    def __init__(
        self, target: str = "", graph: FuncGraph | None = None, config: Any = None
    ) -> None:
        super().__init__(target, graph, config)
        self._block: Final = nullcontext() if graph is None else graph.as_default()
        self._block.__enter__()
        entered.set((*entered.get(), self))

    def close(self) -> None:
        """Forget values and code, and be the default session no more."""
        if not self._is_closed:
            self._block.__exit__(None, None, None)
        entered.set(tuple(one for one in entered.get() if one is not self))
        super().close()
