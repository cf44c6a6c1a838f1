"""Iterators over datasets, as users have them: eagerly and in functions."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..autograph.runtime.staged.iteration import Stream, register
from ..core import context, dtypes, tree, type_spec_names
from ..core.process.tracebacks import hide_frames
from ..core.specs import ObjectSpec, TensorSpec
from ..core.trackable import Trackable
from ..core.type_spec import TypeSpec
from ..eager.tensor import wrap, wrap_handle
from ..errors import InvalidArgumentError, OpError, OutOfRangeError
from ..graph.builder import current_graph
from ..ops.conversion import as_tensor
from ..ops.ragged.ragged_tensor import RaggedTensorSpec
from ..ops.sparse.conversion import to_dense
from ..ops.sparse.sparse_tensor import SparseTensor, SparseTensorSpec
from . import operations, structure
from .by_hand.element_facts import ElementFacts
from .iterator_handles import Running
from .optional import Optional

# What elements are made of that have arrays.
OF_ARRAYS: Final = (TensorSpec, structure.NoneTensorSpec, RaggedTensorSpec, SparseTensorSpec)
# The name under which checkpoints keep an iterator.
STATE: Final = "ITERATOR_STATE"
# The names under which TensorFlow does, and why that is not read.
FOREIGN: Final[dict[str, str]] = dict.fromkeys(
    ("ITERATOR", "_STATE"),
    "this is an iterator as TensorFlow saves it, the state of its own kernels, and cannot be "
    "restored here: restore the rest by a Checkpoint without the iterator, and `skip` what was "
    "taken",
)
# As many elements as Python code may take while a function is traced, as in TensorFlow.
MOST_TAKEN: Final = 32


@type_spec_names.register("tf.IteratorSpec")
class IteratorSpec(TypeSpec):
    """Describes an iterator over elements that `element_spec` describes."""

    __slots__ = {
        "_hash": None,
        "element_spec": "What describes an element of the iterators.",
    }  # with what `help` says of them

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec
        self._hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:  # every call of a function with an iterator asks for it
            self._hash = super().__hash__()
        return self._hash

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes."""
        return OwnedIterator

    @classmethod
    def from_value(cls, value: Any) -> IteratorSpec:
        """What describes an iterator."""
        return cls(value.element_spec)

    @property
    def _component_specs(self) -> ObjectSpec:
        return ObjectSpec("iterator", structure.flat_specs(self.element_spec))

    def _to_components(self, value: Any) -> Any:
        return value.handle

    def _from_components(self, components: Any) -> OwnedIterator:
        return OwnedIterator(components, self)

    def _serialize(self) -> tuple[Any, ...]:
        return (self.element_spec,)

    def __repr__(self) -> str:
        return f"IteratorSpec({self.element_spec!r},)"


class IteratorBase(tree.Composite):
    """`tf.data.Iterator`: what is common to iterators, for isinstance."""

    @property
    def element_spec(self) -> Any:
        """What describes the elements: a nest of specs."""
        raise NotImplementedError("Iterator.element_spec")

    def get_next(self) -> Any:
        """The next element.

        Raises:
            OutOfRangeError: there is none.
        """
        raise NotImplementedError("Iterator.get_next()")

    def get_next_as_optional(self) -> Optional:
        """The next element as an Optional, which is empty at the end."""
        raise NotImplementedError("Iterator.get_next_as_optional()")


class OwnedIterator(IteratorBase, ElementFacts, Trackable):
    """Goes once over the elements of a dataset.

    In a function it may be an argument or be captured; `next` and `get_next` then take an element
    each time the function runs. Checkpoints keep how far it is.
    """

    _foreign_state = FOREIGN

    def __init__(self, handle: Any, spec: IteratorSpec) -> None:
        self._handle = handle
        self._spec = spec
        self._element_spec = spec.element_spec
        self._pack = structure.packer(spec.element_spec)
        self._running: Running | None = None if handle.symbolic else handle._array
        # The graph that Python code takes elements in, and how many it took there.
        self._taken_in: tuple[int, int] = (0, 0)

    @property
    def handle(self) -> Any:
        """The tensor that stands for this iterator in graphs."""
        return self._handle

    @property
    def element_spec(self) -> Any:
        """What describes the elements: a nest of specs."""
        return self._element_spec

    @property
    def _type_spec(self) -> IteratorSpec:
        return self._spec

    def _component_tensors(self) -> tuple[Any, ...]:
        return (self._handle,)

    def __iter__(self) -> OwnedIterator:
        return self

    def __next__(self) -> Any:
        running = self._running
        if running is None or context.building_graph():
            self._check_end()
            return self.get_next()
        try:
            element = running.next()
        except OpError as error:
            hide_frames(error)
            raise
        if element is None:
            raise StopIteration
        return self._pack(element)

    next = __next__

    def _check_end(self) -> None:
        """A Python loop that traces `next` would go on for ever."""
        graph, count = self._taken_in
        here = id(current_graph())
        count = count + 1 if graph == here else 1
        self._taken_in = here, count
        if count > MOST_TAKEN:
            raise ValueError(
                "An unusually high number of `tf.data.Iterator.get_next()` calls was traced: a "
                "Python loop over a dataset never ends while a function is traced. Let AutoGraph "
                "convert the function (autograph=True, and no @do_not_convert), or loop outside"
            )

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Raises:
            OutOfRangeError: there is none.
        """
        running = self._running
        if running is None or context.building_graph():
            specs = structure.flat_specs(self._element_spec)
            return self._pack(operations.get_next(self._handle, specs))
        element = running.next()
        if element is None:
            raise OutOfRangeError("End of sequence")
        return self._pack(element)

    def get_next_as_optional(self) -> Optional:
        """The next element as an Optional, which is empty at the end."""
        specs = structure.flat_specs(self._element_spec)
        has_value, *parts = operations.try_next(self._handle, True, specs)
        return Optional(has_value, parts, self._element_spec)

    def try_next(self, wanted: Any) -> tuple[Any, Any]:
        """Whether there is a next element, and it; nothing is taken where `wanted` is false."""
        specs = structure.flat_specs(self._element_spec)
        has_value, *parts = operations.try_next(self._handle, wanted, specs)
        return has_value, self._pack(tuple(parts))

    def _serialize_to_tensors(self) -> dict[str, Any]:
        """How far this is: an int64 vector (TensorFlow's is a variant that it alone reads)."""
        return {STATE: wrap(self.handle._array.position)}

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> None:
        """Go on from where the saved iterator was.

        Raises:
            InvalidArgumentError: it was over a dataset with other random transformations.
        """
        self.handle._array.position = restored_tensors[STATE].numpy()

    def __repr__(self) -> str:
        return f"<tf.data.Iterator element_spec={self._element_spec}>"


def start(node: Any, spec: IteratorSpec) -> OwnedIterator:
    """An iterator over a node, outside of graphs."""
    return OwnedIterator(wrap_handle(Running(node)), spec)


class ElementStream(Stream):
    """A staged loop over an iterator: its state is a flag and the components of an element."""

    def __init__(self, iterator: OwnedIterator) -> None:
        self._iterator = iterator
        self._specs = structure.flat_specs(iterator.element_spec)
        self._pack = structure.packer(iterator.element_spec)

    def first(self, wanted: Any) -> list[Any]:
        return list(operations.try_next(self._iterator.handle, wanted, self._specs))

    def following(self, state: list[Any], wanted: Any) -> list[Any]:
        return self.first(wanted)

    def item(self, state: list[Any]) -> Any:
        return self._pack(tuple(state[1:]))


register(OwnedIterator, ElementStream)


class NumpyIterator(Trackable):
    """Elements with NumPy arrays and scalars for tensors. Checkpoints keep how far it is."""

    _foreign_state = FOREIGN

    def __init__(self, dataset: Any) -> None:
        for spec in tree.flatten(dataset.element_spec):
            if not isinstance(spec, OF_ARRAYS):
                raise TypeError(
                    "`as_numpy_iterator` gives arrays, but elements have a component "
                    f"{spec!r}: iterate over the dataset itself, or `map` it to tensors"
                )
        self._iterator = iter(dataset)

    def __iter__(self) -> NumpyIterator:
        return self

    def __next__(self) -> Any:
        return tree.map_structure(_as_numpy, next(self._iterator))

    def next(self) -> Any:
        """The next element.

        Raises:
            StopIteration: there is none.
        """
        return self.__next__()

    def save(self) -> Any:
        """How far this is, for `restore`: a string scalar. TensorFlow reads its own only.

        >>> numbers = tf.data.Dataset.range(3).as_numpy_iterator()
        >>> first = numbers.next()
        >>> state = numbers.save()
        >>> again = tf.data.Dataset.range(3).as_numpy_iterator()
        >>> again.restore(state)
        >>> again.next()
        np.int64(1)
        """
        position: Any = self._iterator.handle._array.position
        return as_tensor(base64.b64encode(position.tobytes()))

    def restore(self, state: Any) -> None:
        """Go on from where `save` was called.

        Raises:
            InvalidArgumentError: `state` is no such string, or one of another dataset.
        """
        text = as_tensor(state, dtypes.string).numpy()
        try:
            numbers = np.frombuffer(base64.b64decode(text, validate=True), np.int64)
        except (ValueError, TypeError) as error:
            raise InvalidArgumentError(
                f"`state` is what `NumpyIterator.save()` gave, not {text[:40]!r}: {error}"
            ) from None
        self._iterator.handle._array.position = numbers

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return self._iterator._serialize_to_tensors()

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> None:
        self._iterator._restore_from_tensors(restored_tensors)

    def __repr__(self) -> str:
        return f"<NumpyIterator over {self._iterator.element_spec}>"


def _as_numpy(leaf: Any) -> Any:
    if leaf is None:
        return None
    if isinstance(leaf, SparseTensor):
        return to_dense(leaf, validate_indices=False).numpy()
    return leaf.numpy()
