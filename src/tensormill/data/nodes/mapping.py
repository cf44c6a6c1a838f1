"""Transformations that call users' functions."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np

from ...config import settings
from ...eager.tensor import wrap_handle
from ...errors import InvalidArgumentError, OpError
from ..failures import (
    ElementFailure,
    Items,
    elements_or_failures,
    first_of,
    over_inputs,
    raising,
    result_or_failure,
)
from ..functions import CompiledFunction, storages_of
from ..segments import BoundSegments
from .node import UNKNOWN, ChainedIterators, Element, Elements, Node, Reader, Specs, number, tensor
from .parallel_calls import CallsAhead, Pace
from .passes import call_of

Call = Callable[[Element], Element]

# So many elements are taken ahead of those that were asked for; at first it is one, then two, …
MOST_AHEAD: Final = 64


# So many more results than threads, at most, wait to be taken where nobody notices that they were
# computed.
MORE_AHEAD: Final = 16


class FunctionNode(Node):
    """Something that calls a function; `captured` are the tensors that the function uses."""

    def __init__(
        self,
        child: Node,
        captured: Sequence[Any],
        function: CompiledFunction,
        specs: Specs,
    ) -> None:
        super().__init__(specs, [child])
        self._function = function
        self.functions = (function,)
        self._captured = tuple(captured)
        self._call: Call | None = None

    @property
    def storages(self) -> frozenset[Any]:
        return super().storages | storages_of(self._captured)

    def call(self) -> Call:
        """The compiled function, for one pass."""
        if self._function.is_random:
            return call_of(self, self._function, self._captured)
        if self._call is None:
            self._call = self._function.bound(self._captured)
        return self._call


class RowsAhead:
    """The results of a function for elements that are there anyway: for several at once, as far as
    it does the same to each (`segments.py`). Failures come where they would come one by one.
    """

    def __init__(self, call: Call, bound: BoundSegments, elements: Elements) -> None:
        self._call, self._bound = call, bound
        self._items = elements_or_failures(elements)
        self._size = 1
        self._held: deque[Callable[[], Element]] = deque()

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        if not self._held:
            self._refill()
        if not self._held:
            raise StopIteration
        return self._held.popleft()()

    def _refill(self) -> None:
        failure: ElementFailure | None = None
        elements: list[Element] = []
        for item in itertools.islice(self._items, self._size):
            if isinstance(item, ElementFailure):
                failure = item
                break
            elements.append(item)
        self._size = min(2 * self._size, MOST_AHEAD)
        rows = self._bound.rows(elements) or [None] * len(elements)
        self._held.extend(map(partial, itertools.repeat(self._result), elements, rows))
        if failure is not None:
            self._held.append(partial(_fail, failure.error))

    def _result(self, element: Element, row: Callable[[], Element] | None) -> Element:
        if row is not None:
            with suppress(OpError):  # the call by itself says what failed, and for whom
                return row()
        return self._call(element)


def _fail(error: Exception) -> Element:
    raise error


class MapNode(FunctionNode):
    """The results of a function for each element.

    `calls` (-1: as many as there are cores) may be under way at the same time where the function
    gains by threads; results come in the order of the elements if `ordered`. Unless `counted`
    nobody says how many there are, since the function may end the dataset.
    """

    calls_for_each = True

    def __init__(
        self,
        child: Node,
        *captured: Any,
        function: CompiledFunction,
        calls: int,
        ordered: bool,
        specs: Specs,
        counted: bool = True,
    ) -> None:
        super().__init__(child, captured, function, specs)
        self._counted = counted
        self._calls = settings.threads if calls < 0 else calls
        self._ordered = ordered
        self._pace = Pace()

    @property
    def does_nothing(self) -> bool:
        return self._function.is_identity

    def iterate(self) -> Elements:
        call, elements = self.call(), self.inputs[0].iterate()
        if self._calls > 1 and self._function.gains_by_threads:
            unnoticed = self._function.may_run_ahead and self.inputs[0].is_ready()
            more = MORE_AHEAD if unnoticed else 0
            return CallsAhead(call, elements, self._calls, self._ordered, more, self._pace)
        if self.inputs[0].is_ready():
            bound = self._function.in_segments(self._captured)
            if bound is not None and bound.takes_rows:
                return RowsAhead(call, bound, elements)
        return map(call, elements)

    def is_ready(self) -> bool:
        return self._function.is_pure and self.inputs[0].is_ready()

    def reader(self) -> Reader | None:
        read = self.inputs[0].reader()
        if read is None:
            return None
        call = self.call()
        return lambda index: call(read(index))

    def cardinality(self) -> int:
        return self.inputs[0].cardinality() if self._counted else UNKNOWN


class FilterNode(FunctionNode):
    """The elements for which a function is true."""

    keeps_elements = True

    def __init__(self, child: Node, *captured: Any, function: Any, specs: Any) -> None:
        super().__init__(child, captured, function, specs)

    def iterate(self) -> Elements:
        call = self.call()
        return filter(lambda element: call(element)[0]._array, self.inputs[0].iterate())


class TakeWhileNode(FunctionNode):
    """The elements before the first for which a function is false."""

    def __init__(self, child: Node, *captured: Any, function: Any, specs: Any) -> None:
        super().__init__(child, captured, function, specs)

    def iterate(self) -> Elements:
        call = self.call()
        return itertools.takewhile(lambda one: call(one)[0]._array, self.inputs[0].iterate())


class ScanNode(FunctionNode):
    """The outputs of a function of a state and each element, which also makes the next state."""

    def __init__(
        self, child: Node, *operands: Any, states: int, function: Any, specs: Any,
        counted: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(child, operands[states:], function, specs)
        self._state, self._counted = operands[:states], counted

    def iterate(self) -> Elements:
        return _Scanned(self.call(), self._state, self.inputs[0].iterate())

    def cardinality(self) -> int:
        return self.inputs[0].cardinality() if self._counted else UNKNOWN


class _Scanned:
    def __init__(self, call: Call, state: Element, elements: Elements) -> None:
        self._call, self._state, self._elements = call, state, elements

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        results = self._call((*self._state, *next(self._elements)))
        count = len(self._state)
        self._state = results[:count]
        return results[count:]


class FlatMapNode(FunctionNode):
    """The elements of the dataset that a function makes of each element."""

    def __init__(self, child: Node, *captured: Any, function: Any, specs: Any) -> None:
        super().__init__(child, captured, function, specs)

    def iterate(self) -> Elements:
        call = self.call()
        return ChainedIterators(lambda element: started(call, element), self.inputs[0].iterate())


def started(call: Call, element: Element) -> Elements:
    """An iterator over the dataset that `call` makes of an element."""
    return call(element)[0]._array.iterate()


class InterleaveNode(FunctionNode):
    """The elements of several such datasets in turn: `block` of one, then of the next.

    `parallel`: an element that fails is one of them, and a dataset that fails to begin has one.
    """

    def __init__(
        self,
        child: Node,
        cycle: Any,
        block: Any,
        *captured: Any,
        function: CompiledFunction,
        specs: Specs,
        parallel: bool = False,
    ) -> None:
        super().__init__(child, captured, function, specs)
        self._parallel = parallel
        self._cycle = number(cycle, "cycle_length", 1)
        self._block = number(block, "block_length", 1)

    def iterate(self) -> Elements:
        call, elements = self.call(), self.inputs[0].iterate()
        return raising(self._in_turn(map(lambda element: started(call, element), elements)))

    def _in_turn(self, datasets: Iterator[Elements]) -> Items:
        inner = elements_or_failures(datasets)
        places: list[Items | None] = [None] * self._cycle
        ended = False
        turn = 0
        while not ended or any(place is not None for place in places):
            running = places[turn]
            if running is None and not ended:
                following = next(inner, None)
                ended = following is None
                if isinstance(following, ElementFailure):
                    if not self._parallel:
                        yield following
                        continue
                    running = iter([following])
                elif following is not None:
                    running = elements_or_failures(following)
            is_whole = running is not None and (
                yield from first_of(running, self._block, self._parallel)
            )
            places[turn] = running if is_whole else None
            turn = (turn + 1) % self._cycle


class FunctionsNode(Node):
    """Something that calls several functions; `captured` are the tensors of all of them."""

    def __init__(
        self, child: Node, *captured: Any, functions: Sequence[CompiledFunction], specs: Specs
    ) -> None:
        super().__init__(specs, [child])
        self.functions = tuple(functions)
        rest = iter(captured)
        self._captured = [[next(rest) for _ in one.captured] for one in functions]

    @property
    def storages(self) -> frozenset[Any]:
        return super().storages.union(*map(storages_of, self._captured))

    def calls(self) -> Sequence[Call]:
        """The compiled functions, for one pass."""
        pairs = zip(self.functions, self._captured, strict=True)
        return [call_of(self, *pair) for pair in pairs]


class GroupNode(FunctionsNode):
    """Windows of elements with equal keys, each made into a dataset by a function."""

    @over_inputs
    def iterate(self, items: Items) -> Items:
        key_of, reduce, size_of = self.calls()
        groups: dict[int, list[Element]] = {}
        sizes: dict[int, int] = {}

        def added(element: Element) -> int:
            key = key_of(element)[0]
            if int(key) not in sizes:
                sizes[int(key)] = _window_size(size_of((key,)))
            groups.setdefault(int(key), []).append(element)
            return int(key)

        for item in items:
            key = item if isinstance(item, ElementFailure) else result_or_failure(added, item)
            if isinstance(key, ElementFailure):
                yield key
            elif len(groups[key]) == sizes.get(key):
                del sizes[key]
                yield from self._reduced(reduce, key, groups.pop(key))
        for key, group in sorted(groups.items()):  # by key, as TensorFlow gives what is left
            yield from self._reduced(reduce, key, group)

    def _reduced(self, reduce: Call, key: int, group: Sequence[Element]) -> Items:
        window = wrap_handle(GivenNode(group, self.inputs[0].specs))
        made = result_or_failure(started, reduce, (tensor(key, np.int64), window))
        yield from [made] if isinstance(made, ElementFailure) else elements_or_failures(made)


def _window_size(result: Element) -> int:
    size = int(result[0])
    if size <= 0:
        raise InvalidArgumentError(f"Window size must be greater than zero, but got {size}.")
    return size


class GivenNode(Node):
    """Elements that are there already."""

    def __init__(self, elements: Sequence[Element], specs: Specs) -> None:
        super().__init__(specs)
        self._elements = list(elements)

    def iterate(self) -> Elements:
        return iter(self._elements)

    def cardinality(self) -> int:
        return len(self._elements)


def calls_at_once(asked: Any) -> int:
    """`num_parallel_calls`: a positive number, or -1 for as many as there are cores.

    Raises:
        InvalidArgumentError: it is another number.
    """
    if (calls := int(asked)) < 1 and calls != -1:
        raise InvalidArgumentError(
            f"`num_parallel_calls` must be greater than zero or `tf.data.AUTOTUNE`, got {calls}"
        )
    return calls


def cycle_length(asked: Any, parallel: Any) -> Any:
    """How many datasets `interleave` has open: `asked`, where that is said (and not AUTOTUNE).

    Else as many as calls; if those are AUTOTUNE, a third of the cores, since TensorFlow has two
    more that read ahead for each that is open.

    Raises:
        InvalidArgumentError: fewer are asked for than are to be read in parallel.
    """
    calls = 0 if parallel is None else calls_at_once(parallel)
    if asked is not None and asked != -1:
        if calls > asked > 0:
            raise InvalidArgumentError(
                f"`num_parallel_calls` must be at most `cycle_length`, but {calls} are to be read "
                f"in parallel of {asked} that are open"
            )
        return asked
    if calls > 0:
        return calls
    return settings.threads if parallel is None else -(-settings.threads // 3)


class ReducedGroupsNode(FunctionsNode):
    """What is made of all elements with equal keys, group by group, by their keys."""

    @over_inputs
    def iterate(self, items: Items) -> Items:
        key_of, init, reduce, finalize = self.calls()
        states: dict[int, Element] = {}

        def added(element: Element) -> None:
            (key,) = key_of(element)
            state = states.get(int(key))
            if state is None:
                state = init((key,))
            states[int(key)] = reduce((*state, *element))

        for item in items:
            failure = item if isinstance(item, ElementFailure) else result_or_failure(added, item)
            if isinstance(failure, ElementFailure):
                yield failure
        for _, state in sorted(states.items(), key=lambda pair: pair[0]):
            yield result_or_failure(finalize, state)
