"""How a staged `for` goes from item to item, and what it runs over besides sequences.

A sequence has a length and items by number (`StagedSequence`). A `Stream` has one item after the
other: only when the graph runs does it tell whether there is another one, and taking it cannot be
undone, so a loop asks only when it wants one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, final

from ....core import dtypes
from ....errors import OperatorNotAllowedInGraphError
from .. import logic, tensors
from .sequences import StagedSequence, staged_rows

# What a loop carries to find its items: tensors.
State = list[Any]


class Steps(ABC):
    """The way of one loop through its items."""

    @abstractmethod
    def begin(self, wanted: Callable[[], Any]) -> State:
        """The state before the first iteration; `wanted()`: whether the loop may run at all."""

    @abstractmethod
    def holds(self, state: State) -> Any:
        """Whether there is an item."""

    @abstractmethod
    def item(self, state: State) -> Any:
        """The item: tensors, or structures of them."""

    @abstractmethod
    def advance(self, state: State, wanted: Callable[[], Any]) -> State:
        """The state for the next item; `wanted()`: whether the loop goes on."""

    def runs(self, state: State) -> Any:
        """Whether the loop runs at all, of the state before it: a bool, or a tensor."""
        return self.holds(state)


@final
class RowSteps(Steps):
    """From index to index."""

    def __init__(self, rows: StagedSequence) -> None:
        self.rows, self.length = rows, rows.length()

    def begin(self, wanted: Callable[[], Any]) -> State:
        return [tensors.as_tensor(0, self.rows.index_dtype())]

    def holds(self, state: State) -> Any:
        return state[0] < self.length

    def item(self, state: State) -> Any:
        return self.rows.item(state[0])

    def advance(self, state: State, wanted: Callable[[], Any]) -> State:
        return [state[0] + 1]

    def runs(self, state: State) -> Any:
        return self.length > 0


class Stream(Steps):
    """A sequence whose items can only be had one after the other.

    The first tensor of the state says whether there is an item.
    """

    def holds(self, state: State) -> Any:
        return state[0]

    def begin(self, wanted: Callable[[], Any]) -> State:
        return self.first(tensors.as_tensor(wanted()))

    def advance(self, state: State, wanted: Callable[[], Any]) -> State:
        return self.following(state, tensors.as_tensor(wanted()))

    @abstractmethod
    def first(self, wanted: Any) -> State:
        """The state at the first item, if it is wanted."""

    @abstractmethod
    def following(self, state: State, wanted: Any) -> State:
        """The state at the next item, if it is wanted."""

    def __iter__(self) -> Any:
        raise OperatorNotAllowedInGraphError(
            "Iterating over a dataset in Python code is not allowed while a function is traced: "
            "use it in a `for` statement that AutoGraph converts"
        )


@final
class RowStream(Stream):
    """Rows beside a stream."""

    def __init__(self, rows: StagedSequence) -> None:
        self.steps = RowSteps(rows)

    def first(self, wanted: Any) -> State:
        return self._at(self.steps.begin(lambda: True))

    def following(self, state: State, wanted: Any) -> State:
        return self._at(self.steps.advance(state[1:], lambda: True))

    def _at(self, place: State) -> State:
        return [self.steps.holds(place), *place]

    def item(self, state: State) -> Any:
        return self.steps.item(state[1:])


@final
class CountedStream(Stream):
    """`enumerate(…)`."""

    def __init__(self, stream: Stream, start: Any) -> None:
        self.stream, self.start = stream, start

    def first(self, wanted: Any) -> State:
        state = self.stream.first(wanted)
        return [state[0], tensors.as_tensor(self.start, dtypes.int64), *state]

    def following(self, state: State, wanted: Any) -> State:
        later = self.stream.following(state[2:], wanted)
        return [later[0], state[1] + 1, *later]

    def item(self, state: State) -> Any:
        return state[1], self.stream.item(state[2:])


@final
class ZippedStream(Stream):
    """`zip(…)`: a part is asked only where those before it had an item, as in Python."""

    def __init__(self, parts: Sequence[Stream]) -> None:
        self.parts = parts
        self.sizes: list[int] = []

    def first(self, wanted: Any) -> State:
        states: list[State] = []
        for part in self.parts:
            states.append(part.first(wanted))
            wanted = logic.both(wanted, states[-1][0])
        self.sizes = [len(state) for state in states]
        return [wanted, *(one for state in states for one in state)]

    def following(self, state: State, wanted: Any) -> State:
        later: State = []
        for part, own in zip(self.parts, self._apart(state), strict=True):
            later += part.following(own, wanted)
            wanted = logic.both(wanted, later[-len(own)])
        return [wanted, *later]

    def item(self, state: State) -> Any:
        pairs = zip(self.parts, self._apart(state), strict=True)
        return tuple(part.item(own) for part, own in pairs)

    def _apart(self, state: State) -> list[State]:
        rest = iter(state[1:])
        return [[next(rest) for _ in range(size)] for size in self.sizes]


@final
class MappedStream(Stream):
    """`map(function, …)`. `iterables` are what the parts stream."""

    def __init__(
        self, function: Callable[..., Any], parts: Sequence[Stream], iterables: Sequence[Any]
    ) -> None:
        self.function, self.zipped, self.iterables = function, ZippedStream(parts), iterables

    def __iter__(self) -> Any:
        if len(self.iterables) > 1 or not hasattr(self.iterables[0], "map"):
            return super().__iter__()
        return iter(self.iterables[0].map(self.function))

    def first(self, wanted: Any) -> State:
        return self.zipped.first(wanted)

    def following(self, state: State, wanted: Any) -> State:
        return self.zipped.following(state, wanted)

    def item(self, state: State) -> Any:
        return self.function(*self.zipped.item(state))


# ---------------------------------------------------------------- what is a stream

# Classes of other layers whose values are streams while a function is traced.
_KINDS: list[tuple[type[Any], Callable[[Any], Stream]]] = []


def register(kind: type[Any], stream: Callable[[Any], Stream]) -> None:
    """Let staged loops run over values of the class `kind`, by the stream made of each."""
    _KINDS.append((kind, stream))


def stream_of(iterable: Any) -> Stream | None:
    """The stream that a value is, or stands for in the present graph; else None."""
    if isinstance(iterable, Stream):
        return iterable
    if not tensors.building_graph():
        return None
    for kind, stream in _KINDS:
        if isinstance(iterable, kind):
            return stream(iterable)
    return None


def steps_of(iterable: Any) -> Steps | None:
    """How a loop goes through what belongs into the graph, else None."""
    rows = staged_rows(iterable)
    if rows is not None:
        return RowSteps(rows)
    stream = stream_of(iterable)
    return stream.steps if isinstance(stream, RowStream) else stream


def streams_beside(iterables: Sequence[Any], rows_of: Callable[[Any], Any]) -> list[Stream] | None:
    """A stream for each of several iterables, where one is a stream and the others can go with it.

    `rows_of` gives the rows of what may stand beside tensors.
    """
    found = [stream_of(one) for one in iterables]
    if not any(one is not None for one in found):
        return None
    parts: list[Stream] = []
    for iterable, stream in zip(iterables, found, strict=True):
        if stream is not None:
            parts.append(stream)
            continue
        rows = rows_of(iterable)
        if rows is None:
            return None
        parts.append(RowStream(rows))
    return parts
