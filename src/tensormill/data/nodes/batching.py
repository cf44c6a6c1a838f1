"""Several elements as one, and one as several."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.specs import TensorSpec
from ...eager.tensor import wrap, wrap_handle
from ...errors import DataLossError, InvalidArgumentError
from ..failures import (
    ElementFailure,
    Items,
    elements_or_failures,
    over_inputs,
)
from ..structure import blank_array
from .node import (
    UNKNOWN,
    Array,
    ChainedIterators,
    Element,
    Elements,
    Node,
    Reader,
    Specs,
    Stack,
    after_each,
    number,
    regrouped,
)
from .rewrites import current
from .sources import SlicesNode, TensorsNode
from .stacks import StackedRows, count_of, different_shapes, joined_stacks, rows_at_once
from .tables import ArraySlices, RowTable


class BatchNode(Node):
    """Every `size` elements stacked.

    What a function makes of each element is made for a whole batch at once in TensorFlow, unless it
    is the batches that are `parallel`: where one fails, all of its batch are gone.
    """

    is_passive = True

    def __init__(
        self,
        child: Node,
        size: Any,
        *,
        drop: bool,
        specs: Specs,
        stack: Callable[[Sequence[Element]], Element] | None = None,
        parallel: bool = False,
    ) -> None:
        super().__init__(specs, [child])
        self.size = number(size, "Batch size", 1)
        self._drop, self._stack = drop, stack or stacked
        self._is_parallel = parallel

    def iterate(self) -> Elements:
        if self._stack is stacked and self.inputs[0].has_stacks:
            return self._of_stacks()
        elements = self.inputs[0].iterate()
        is_one_call = not self._is_parallel and current.get().is_one_call(self.inputs[0])
        take = _together if is_one_call else _first_of
        return after_each(lambda: self._next(take(elements, self.size)))

    def _next(self, rows: list[Element]) -> Element | None:
        if not rows or (self._drop and len(rows) < self.size):
            return None
        return self._stack(rows)

    def _of_stacks(self) -> Elements:
        child, table = self.inputs[0], self.inputs[0].rows()
        if table is not None and rows_at_once(table) < 2 * self.size:
            # Long rows are copied once, to where their batch is.
            groups = regrouped(child.order().blocks, self.size)
            rows = StackedRows(table.arrays(one) for one in groups)
        else:
            rows = StackedRows(child.stacks())
        return after_each(lambda: self._joined(rows.take(self.size)))

    def _joined(self, pieces: Sequence[Stack]) -> Element | None:
        if not pieces or (self._drop and count_of(pieces) < self.size):
            return None
        return joined_stacks(pieces)

    def batch_size(self) -> int:
        return self.size

    def reader(self) -> Reader | None:
        read, size, stack = self.inputs[0].reader(), self.size, self._stack
        if read is None or not self._drop:
            return None
        return lambda index: stack([read(size * index + k) for k in range(size)])

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        if have < 0:
            return have
        return have // self.size if self._drop else -(-have // self.size)


def _first_of(elements: Elements, count: int) -> list[Element]:
    return list(itertools.islice(elements, count))


def _together(elements: Elements, count: int) -> list[Element]:
    """As many elements; where one fails, the rest of them are gone, too."""
    rows: list[Element] = []
    try:
        rows.extend(itertools.islice(elements, count))
    except Exception:
        rest = itertools.islice(elements_or_failures(elements), count - len(rows) - 1)
        deque(rest, 0)
        raise
    return rows


def stacked(rows: Sequence[Element]) -> Element:
    """Elements as one, component by component.

    Raises:
        InvalidArgumentError: components differ in shape.
    """
    return tuple(
        [wrap(stack_arrays([one._array for one in column])) for column in zip(*rows, strict=True)]
    )


def stack_arrays(arrays: Sequence[Array]) -> Array:
    """Arrays of one shape as one.

    Raises:
        InvalidArgumentError: their shapes differ.
    """
    first = arrays[0]
    result = np.empty((len(arrays), *first.shape), first.dtype)
    for place, array in enumerate(arrays):
        if array.shape != first.shape:
            raise different_shapes(array.shape, first.shape)
        result[place, ...] = array  # "...": of an array of one string, its element is put in
    return result


class PaddedBatchNode(Node):
    """Every `size` elements stacked, each filled up to the largest or to a given shape."""

    def __init__(
        self,
        child: Node,
        size: Any,
        *fillers: Any,
        shapes: Sequence[Any],
        drop: bool,
        specs: Specs,
    ) -> None:
        super().__init__(specs, [child])
        self._size = number(size, "Batch size", 1)
        self._shapes, self._drop = tuple(shapes), drop
        self._fillers = tuple(one._array for one in fillers)

    def iterate(self) -> Elements:
        if self.inputs[0].has_stacks:
            rows = StackedRows(self.inputs[0].stacks())
            return after_each(lambda: self._of_stacks(rows.take(self._size)))
        elements = self.inputs[0].iterate()
        return after_each(lambda: self._of_elements(_first_of(elements, self._size)))

    def _of_stacks(self, pieces: Sequence[Stack]) -> Element | None:
        if not pieces or (self._drop and count_of(pieces) < self._size):
            return None
        shapes = [[one.shape[1:] for one in column] for column in zip(*pieces, strict=True)]
        ends = list(itertools.accumulate([len(piece[0]) for piece in pieces], initial=0))
        places = [slice(*both) for both in itertools.pairwise(ends)]
        return self._padded(zip(*pieces, strict=True), shapes, places, ends[-1])

    def _of_elements(self, rows: Sequence[Element]) -> Element | None:
        if not rows or (self._drop and len(rows) < self._size):
            return None
        columns = [[one._array for one in column] for column in zip(*rows, strict=True)]
        shapes = [[one.shape for one in column] for column in columns]
        return self._padded(columns, shapes, range(len(rows)), len(rows))

    def _padded(self, columns: Any, shapes: Any, places: Sequence[Any], count: int) -> Element:
        parts = zip(columns, shapes, self._shapes, self._fillers, strict=True)
        return tuple([wrap(_padded(*one, places, count)) for one in parts])

    def batch_size(self) -> int:
        return self._size

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        if have < 0:
            return have
        return have // self._size if self._drop else -(-have // self._size)


def _padded(
    arrays: Sequence[Array],
    shapes: Sequence[Sequence[int]],
    shape: Sequence[int | None],
    filler: Any,
    places: Sequence[Any],
    count: int,
) -> Array:
    """`count` rows, each filled up to `shape`: arrays that are a row, or several, of `shapes` each,
    in their places.
    """
    largest = np.max(shapes, axis=0) if shape else ()
    wanted = tuple(
        int(most) if size is None else size for most, size in zip(largest, shape, strict=True)
    )
    if any(most > size for most, size in zip(largest, wanted, strict=True)):
        raise DataLossError(
            "Attempted to pad to a smaller size than the input element: "
            f"{[int(most) for most in largest]} does not fit into {list(wanted)}"
        )
    result = np.full((count, *wanted), filler, arrays[0].dtype)  # an array: keeps zero bytes
    for place, array, own in zip(places, arrays, shapes, strict=True):
        # "...": of an array of one string, its element is put in.
        result[(place, *map(slice, own), ...)] = array
    return result


class UnbatchNode(Node):
    """The rows of each element."""

    is_passive = True

    def __init__(self, child: Node, *, specs: Specs) -> None:
        super().__init__(specs, [child])

    def iterate(self) -> Elements:
        return ChainedIterators(_rows_of, self.inputs[0].iterate())

    @property
    def has_stacks(self) -> bool:
        return True

    def stacks(self) -> Iterator[Stack | ElementFailure]:
        return elements_or_failures(map(_columns_of, self.inputs[0].iterate()))

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        sizes = {
            spec.shape.entries[0] if spec.shape.entries else None
            for spec in self.inputs[0].specs
            if isinstance(spec, TensorSpec)
        }
        (size,) = sizes if len(sizes) == 1 else (None,)
        return have * size if have >= 0 and size is not None else UNKNOWN


def _columns_of(element: Element) -> Stack:
    columns = [one._array for one in element]
    if len({len(column) for column in columns}) > 1:
        raise InvalidArgumentError(
            f"Input components have different first dimensions: {[c.shape for c in columns]}"
        )
    return columns


def _rows_of(element: Element) -> Iterator[Element]:
    table: RowTable = ArraySlices(_columns_of(element))
    return map(table.row, range(table.count))


class RebatchNode(Node):
    """The rows of all elements in batches of other sizes, used in turn.

    Where elements are not dense, the child gives their rows, and `stack` puts these together. A
    size of 0 gives a batch without rows, until one has missed a row.
    """

    def __init__(
        self,
        child: Node,
        sizes: Any,
        *,
        drop: bool,
        specs: Specs,
        stack: Callable[[Sequence[Element]], Element] | None = None,
    ) -> None:
        super().__init__(specs, [child])
        self._stack = stack
        self._sizes = [number(size, "Batch size", 0) for size in np.atleast_1d(sizes._array)]
        self._drop = drop

    def iterate(self) -> Elements:
        elements, sizes, is_last = self.inputs[0].iterate(), itertools.cycle(self._sizes), False
        rows = StackedRows(elements_or_failures(map(_columns_of, elements)))

        def following() -> Element | None:
            nonlocal is_last
            if is_last:
                return None
            size = next(sizes)
            if self._stack is None:
                pieces = rows.take(size)
                have, join = count_of(pieces), lambda: self._batch(pieces)
            else:
                batch, stack = list(itertools.islice(elements, size)), self._stack
                have, join = len(batch), lambda: stack(batch)
            is_last = have < size
            return None if is_last and (self._drop or not have) else join()

        return after_each(following)

    def _batch(self, pieces: Sequence[Stack]) -> Element:
        if not pieces:
            return tuple(wrap(blank_array(one)[:0]) for one in self.specs)
        return joined_stacks(pieces)


class SharesNode(Node):
    """Each batch in so many parts, of which the first are full and the last may be empty."""

    def __init__(self, child: Node, count: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._count = number(count, "num_replicas", 1)

    @over_inputs
    def iterate(self, batches: Items) -> Items:
        for batch in batches:
            yield from [batch] if isinstance(batch, ElementFailure) else self._parts(batch)

    def _parts(self, batch: Element) -> Items:
        arrays = [one._array for one in batch]
        sizes = {array.shape[:1] for array in arrays}
        if len(sizes) != 1 or () in sizes:
            yield ElementFailure(
                InvalidArgumentError(
                    "Cannot rebatch dataset: All components must have one number of rows, got "
                    f"{[one.shape for one in arrays]}"
                )
            )
            return
        size = -(-len(arrays[0]) // self._count)
        for start in range(0, self._count * size, size) if size else ():
            yield tuple([wrap(array[start : start + size]) for array in arrays])


class WindowNode(Node):
    """Elements in windows, each a dataset for each component."""

    def __init__(
        self,
        child: Node,
        size: Any,
        shift: Any,
        stride: Any,
        *,
        drop: bool,
        specs: Specs,
    ) -> None:
        super().__init__(specs, [child])
        self._size = number(size, "Window size", 1)
        self._shift = number(shift, "Window shift", 1)
        self._stride = number(stride, "Window stride", 1)
        self._drop = drop

    @over_inputs
    def iterate(self, elements: Items) -> Items:
        reach = (self._size - 1) * self._stride + 1
        held: list[Element | ElementFailure] = []
        while True:
            held += itertools.islice(elements, reach - len(held))
            window = held[:: self._stride]
            if not window or (self._drop and len(window) < self._size):
                return
            failed = next((item for item in window if isinstance(item, ElementFailure)), None)
            yield failed or self._made([one for one in window if isinstance(one, tuple)])
            missing = self._shift - len(held)
            if missing > 0:
                next(itertools.islice(elements, missing, missing), None)
            held = held[self._shift :]

    def _made(self, window: Sequence[Element]) -> Element:
        """A dataset for each component of the user's, which may be several tensors: ragged."""
        made: list[Any] = []
        begin = 0
        kinds: Any = self.specs  # of datasets
        for kind in kinds:
            end = begin + len(kind.elements)
            rows = [element[begin:end] for element in window]
            made.append(wrap_handle(_column_node(rows, self.inputs[0].specs[begin:end])))
            begin = end
        return tuple(made)

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        if have < 0:
            return have
        reach = (self._size - 1) * self._stride if self._drop else 0
        return len(range(0, have - reach, self._shift))


class SlidingWindowNode(WindowNode):
    """Elements in windows, each stacked."""

    def _made(self, window: Sequence[Element]) -> Element:
        return stacked(window)


def _column_node(rows: Sequence[Element], specs: Specs) -> Node:
    """A dataset of some components of some elements."""
    if len(specs) == 1 and isinstance(specs[0], TensorSpec):
        arrays = [row[0]._array for row in rows]
        if len({array.shape for array in arrays}) == 1:
            return SlicesNode(wrap(stack_arrays(arrays)), specs=specs)
    return ListNode([TensorsNode(*row, specs=specs) for row in rows], specs)


class ListNode(Node):
    """Single elements, one after the other."""

    def __init__(self, nodes: Sequence[Node], specs: Specs) -> None:
        super().__init__(specs, nodes)

    def iterate(self) -> Elements:
        return itertools.chain.from_iterable(node.iterate() for node in self.inputs)

    def cardinality(self) -> int:
        return len(self.inputs)
