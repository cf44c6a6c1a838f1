"""What datasets are when they run: nodes that start iterators over tuples of eager tensors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...core.process.named_tuples import NamedTuple
from ...core.specs import ObjectSpec, ValueSpec
from ...eager.tensor import wrap
from ...errors import InvalidArgumentError
from .stacks import Stack as Stack
from .stacks import stacks_of_rows
from .tables import RowTable

if TYPE_CHECKING:
    from ..failures import ElementFailure

INFINITE: Final = -1
UNKNOWN: Final = -2

# Instead of how many rows elements have.
NO_BATCHES: Final = -1

Array = np.ndarray[Any, Any]
Element = tuple[Any, ...]
Elements = Iterator[Element]
Specs = Sequence[ValueSpec]
Reader = Callable[[int], Element]

# Orders are made in pieces of so many indices.
BLOCK: Final = 8192


class Order(NamedTuple):
    """Rows of a table in some order: arrays (or ranges) of indices, one after the other."""

    table: RowTable
    blocks: Iterator[Any]


class Node:
    """One transformation and what it transforms. Any number of iterators may run over it.

    `specs` describe the components of its elements. What an iterator gives goes on after an
    element that failed, so iterators are made of `map`, `filter`, `iter(callable, sentinel)` and
    the like where a user's function may raise, or of generators `continuing_after_failures`
    (data/failures.py).
    """

    def __init__(self, specs: Specs, inputs: Sequence[Node] = ()) -> None:
        self.specs: Final = tuple(specs)
        self.inputs: tuple[Node, ...] = tuple(inputs)
        # What made it, besides the inputs, and of which tensors; None where users did not say so.
        self.recipe: tuple[Callable[..., Node], Element] | None = None

    @property
    def spec(self) -> ObjectSpec:
        """What graphs know of the dataset."""
        return ObjectSpec("dataset", self.specs, is_value=True)

    # What users ask of it: `tf.data.Options`, or such a message in bytes.
    options: Any = None

    # The files that it reads.
    files: Sequence[str] = ()

    # The users' functions that it calls.
    functions: Sequence[Any] = ()

    # Whether its elements can be had before anybody asks for them, if those of its inputs can: it
    # calls nobody's functions, and waits for nobody.
    is_passive: ClassVar[bool] = False

    # Whether its elements are those of its inputs, or put side by side: batches stay batches.
    keeps_elements: ClassVar[bool] = False

    def is_ready(self) -> bool:
        """Whether nobody notices when elements are computed before they are asked for."""
        return self.is_passive and all(one.is_ready() for one in self.inputs)

    @property
    def storages(self) -> frozenset[Any]:
        """The variables that users' functions on the way may read or assign."""
        return frozenset().union(*(one.storages for one in self.inputs))

    def iterate(self) -> Elements:
        """A new pass over the elements."""
        order = self.order()
        return map(order.table.row, itertools.chain.from_iterable(order.blocks))

    def rows(self) -> RowTable | None:
        """The table whose rows the elements are, in whatever order; None where they are none."""
        return self.table()

    def order(self) -> Order:
        """A new pass over the elements, as rows of `rows()`."""
        table = self.table()
        if table is None:
            raise TypeError(f"{type(self).__name__} does not say how it is iterated")
        return Order(table, iter(blocks(range(table.count))))

    def numbers(self) -> range | None:
        """Which rows of `rows()` the elements are, where they are evenly spaced."""
        table = self.table()
        return None if table is None else range(table.count)

    def reader(self) -> Reader | None:
        """What computes an element by its number, and no others, in one pass; None where nothing
        does.
        """
        numbers, rows = self.numbers(), self.rows()
        if numbers is None or rows is None:
            return None
        return lambda index: rows.row(numbers[index])

    def table(self) -> RowTable | None:
        """The elements as all rows of a table, in their order, where that is what they are."""
        return None

    # Whether its elements are the results of a function for each of its input's.
    calls_for_each: ClassVar[bool] = False

    @property
    def does_nothing(self) -> bool:
        """Whether its elements are all those of its input, whatever that is."""
        return False

    @property
    def has_stacks(self) -> bool:
        """Whether several elements at a time can be had stacked, which is quicker."""
        return self.rows() is not None

    def stacks(self) -> Iterator[Stack | ElementFailure]:
        """A new pass over the elements, of a node that `has_stacks`."""
        return stacks_of_rows(*self.order())

    def cardinality(self) -> int:
        """How many elements there are, or INFINITE, or UNKNOWN."""
        return UNKNOWN

    def batch_size(self) -> int:
        """How many rows each element has, the last one excepted; NO_BATCHES where none are made."""
        sizes = {one.batch_size() for one in self.inputs} if self.keeps_elements else ()
        return min(sizes) if len(sizes) == 1 else NO_BATCHES


def made_by(make: Callable[..., Node], nodes: Sequence[Node], tensors: Sequence[Any]) -> Node:
    """The node that `make` makes of others and of tensors."""
    node = make(*nodes, *tensors)
    node.recipe = make, tuple(tensors)
    return node


class SameElements(Node):
    """A family: the elements of one other node, which may come from a table as they do there."""

    keeps_elements = True

    def rows(self) -> RowTable | None:
        return self.inputs[0].rows()

    def numbers(self) -> range | None:
        return self.inputs[0].numbers()

    def order(self) -> Order:
        return self.inputs[0].order()

    def reader(self) -> Reader | None:
        return self.inputs[0].reader()

    def table(self) -> RowTable | None:
        return self.inputs[0].table()

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()


def blocks(numbers: range) -> Iterable[range]:
    """A range in pieces."""
    return (numbers[at : at + BLOCK] for at in range(0, len(numbers), BLOCK))


def regrouped(pieces: Iterator[Any], size: int) -> Iterator[Any]:
    """Blocks of exactly `size` indices; the last may have fewer."""
    rest: list[Any] = []
    have = 0
    for piece in pieces:
        at = 0
        while len(piece) - at >= size - have:
            rest.append(piece[at : at + size - have])
            at += size - have
            yield joined(rest)
            rest, have = [], 0
        if at < len(piece):
            rest.append(piece[at:])
            have += len(piece) - at
    if rest:
        yield joined(rest)


def joined(pieces: Sequence[Any]) -> Any:
    """Several blocks of indices as one."""
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate([np.asarray(piece, np.int64) for piece in pieces])


def tensor(value: Any, dtype: Any = None) -> Any:
    """A scalar tensor of a Python number."""
    return wrap(np.asarray(value, dtype))


def number(value: Any, what: str, least: int | None = None) -> int:
    """The int in a scalar tensor.

    Raises:
        InvalidArgumentError: it is less than `least`.
    """
    found = int(value)
    if least is not None and found < least:
        bound = "greater than zero" if least == 1 else f"at least {least}"
        raise InvalidArgumentError(f"{what} must be {bound}, got {found}")
    return found


class ChainedIterators:
    """The elements of the iterators that `make` makes of elements, one after the other."""

    def __init__(self, make: Callable[[Element], Elements], elements: Elements) -> None:
        self._make, self._elements = make, elements
        self._inner: Elements = iter(())

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        while True:
            for element in self._inner:
                return element
            self._inner = self._make(next(self._elements))


def after_each(step: Callable[[], Element | None]) -> Elements:
    """The elements that `step` gives until it gives None; it is called again after it raised."""
    return iter(step, None)
