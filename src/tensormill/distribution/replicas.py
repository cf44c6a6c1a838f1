"""The code of several replicas: each has a context of its own, and all of them meet."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, Final

from ..autodiff.backward import or_zeros
from ..autodiff.recording import RecordedCall
from ..core import context, tree
from ..core.process.named_tuples import NamedTuple
from ..core.process.with_blocks import block
from ..ops.array.concatenation import split
from ..ops.array.shapes import shape
from ..ops.control.flow import identity
from .contexts import ReplicaContext, as_reduced, as_traced
from .cross_device import copied
from .frames import ReplicaFrame, entered
from .lockstep import Lockstep, Seat
from .reduction import as_gathered, as_reduce_op
from .regrouping import part_of, regrouped
from .values import DistributedValues

IN_A_NEW_GRAPH: Final = (
    "`merge_call` called while defining a new graph or a tf.function. The code of a replica meets "
    "the others (by merge_call, or a collective such as all_reduce, which an optimizer's "
    "apply_gradients does) only where it builds the same graph as `strategy.run` was called in: "
    "not in a tf.function that it calls, nor in a branch or loop on tensors. Decorate the function "
    "that calls `strategy.run`, or the one that it is given, by tf.function instead"
)


class _Request(NamedTuple):
    """What a replica asks for: a function, to be called once with the arguments of all."""

    function: Callable[..., Any]
    args: Sequence[Any]
    kwargs: dict[str, Any]


class MeetingContext(ReplicaContext):
    """What the code of one of several replicas knows."""

    def __init__(self, strategy: Any, number: int, seat: Seat) -> None:
        super().__init__(strategy, number)
        self._seat: Final = seat
        self._graph: Final = _graph_here()
        self._around: Final = context.top().recorders  # which were there before the replica began

    @property
    def surroundings(self) -> str | None:
        return f"{self._strategy.surroundings} {self.number}"

    @property
    def devices(self) -> Any:
        """The same, as TensorFlow's strategies of several replicas have it: a list in a list."""
        return [[self._strategy.extended.worker_devices[self.number]]]

    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        if _graph_here() is not self._graph:
            raise RuntimeError(IN_A_NEW_GRAPH)
        if self._seat.has_ended:
            raise RuntimeError("merge_call: this replica has ended; it has nobody to meet")
        request = _Request(merge_fn, tuple(args), dict(kwargs or {}))
        with _said_again(self._graph):
            return self._seat.meet(request)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        found = as_reduce_op(reduce_op)
        leaves = [as_reduced(leaf) for leaf in tree.flatten(value)]
        totals = self.merge_call(_reduced, (found, leaves, options))
        if not any(hasattr(leaf, "dense_shape") for leaf in leaves):
            totals = self._differentiated(
                leaves, totals, lambda arrived: self.all_reduce(found, arrived, options)
            )
        return tree.pack_sequence_as(value, totals)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        leaves = [as_gathered(leaf) for leaf in tree.flatten(value)]
        joined = self.merge_call(partial(_gathered, axis=axis, options=options), (leaves,))

        def backward(arrived: Sequence[Any]) -> list[Any]:
            own = [shape(leaf)[axis][None] for leaf in leaves]
            sizes = self.merge_call(partial(_gathered, axis=0, options=None), (own,))
            totals = self.all_reduce("SUM", list(arrived), options)
            pairs = zip(totals, sizes, strict=True)
            count = self.num_replicas_in_sync
            return [split(total, size, axis, num=count)[self.number] for total, size in pairs]

        return tree.pack_sequence_as(value, self._differentiated(leaves, joined, backward))

    def _differentiated(
        self, operands: Sequence[Any], results: Sequence[Any], backward: Callable[[Any], Any]
    ) -> list[Any]:
        """The results, whose gradients the tapes of this replica find by `backward`, a meeting.

        Tapes around all replicas have seen how the results were made.
        """
        here = context.top()
        own = tuple(one for one in here.recorders if one not in self._around)
        if not own:
            return list(results)
        with context.entered(here.replace(recorders=self._around)):
            copies = [identity(result) for result in results]

        def arriving(arrived: Sequence[Any]) -> Any:
            return backward([or_zeros(*pair) for pair in zip(arrived, copies, strict=True)])

        context.record(own, RecordedCall(operands, copies, arriving))
        return copies


def _graph_here() -> Any:
    """The graph that is built here; None where operations run at once."""
    interpreter = context.top().interpreter
    return interpreter if interpreter.building_graph else None


@block
def _said_again(graph: Any, said: Any = None) -> Generator[None]:
    """A block after which what is said of devices in a graph is as before; `said` counts inside.

    What a replica says is for its own operations: others record theirs while it waits.
    """
    if graph is None:
        yield
        return
    devices = graph.devices
    before = devices.said
    try:
        if said is not None:
            devices.said = said
        yield
    finally:
        devices.said = before


def _reduced(strategy: Any, reduce_op: Any, values: Any, options: Any) -> Any:
    """The sums or means of what replicas have; the very same tensor is taken for its own sum."""
    extended = strategy.extended
    own = [value for value in values if isinstance(value, DistributedValues)]
    pairs = [(value, extended.everywhere) for value in own]
    found = iter(extended.batch_reduce_to(reduce_op, pairs, options))
    return [
        next(found) if isinstance(value, DistributedValues) else copied(value, extended.everywhere)
        for value in values
    ]


def _gathered(strategy: Any, values: Any, axis: Any, options: Any) -> Any:
    extended = strategy.extended
    return [extended.gather_to(one, axis, options, extended.everywhere) for one in values]


def call_replicas(
    strategy: Any, fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """What `fn` returns for each replica, called with what that replica has of the arguments."""
    function, count = as_traced(fn), strategy.num_replicas_in_sync
    made: list[Any] = []  # the variables that replica 0 makes: the others take them
    graph = _graph_here()
    said = None if graph is None else graph.devices.said

    def code_of(number: int) -> Callable[[Seat], Any]:
        def code(seat: Seat) -> Any:
            given, named = part_of(number, (tuple(args), kwargs))
            frame = ReplicaFrame(strategy, MeetingContext(strategy, number, seat))
            with (
                _said_again(graph, said),
                entered(frame),
                strategy.extended.code_of(number, made),
            ):
                return function(*given, **named)

        return code

    def merge(requests: Sequence[_Request]) -> list[Any]:
        function = as_traced(requests[0].function)
        given = regrouped([one.args for one in requests])
        named = regrouped([one.kwargs for one in requests])
        with _said_again(graph, said):
            result = function(strategy, *given, **named)
        return [part_of(number, result) for number in range(count)]

    with _said_again(graph):
        found = Lockstep([code_of(number) for number in range(count)], merge).run()
    return regrouped(found)
