"""`tf.queue`: elements that one part of a program puts in and another takes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..core import context, dtypes
from ..core.dtypes import DType, as_dtype
from ..core.shapes import UNKNOWN, TensorShape, as_shape
from ..eager.convert import convert_to_tensor
from ..eager.tensor import wrap_handle
from ..errors import InvalidArgumentError, ShapeMismatchError
from ..graph.by_hand.default_graph import root_graph
from ..ops.bind import bind
from ..ops.random.seeds import get_seed
from ..ops.state import new_queues, queues


class QueueBase:
    """A queue of elements of one or several tensors: `enqueue`, `dequeue`, `close`.

    `dequeue` waits until there is an element, `enqueue` until there is room. An element is one
    tensor, a list of them, or a dict where the components have names.
    """

    def __init__(
        self, dtypes: Sequence[DType], shapes: Sequence[TensorShape], names: Sequence[str] | None,
        queue_ref: Any,
    ) -> None:  # fmt: skip
        self._dtypes, self._shapes = list(dtypes), list(shapes)
        self._names = None if names is None else list(names)
        self._queue_ref = queue_ref
        self._name = "queue"

    # ---- what it is

    @property
    def queue_ref(self) -> Any:
        """The handle."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    @property
    def dtypes(self) -> list[DType]:
        """The dtypes of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of the components, as far as they are known."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """The names of the components, where they have any."""
        return self._names

    @staticmethod
    def from_list(index: Any, queues: Sequence[QueueBase]) -> QueueBase:
        """The queue of that number among several of the same dtypes and names.

        Raises:
            TypeError: there are no queues, or they differ in dtypes or names.
        """
        if not queues or not all(isinstance(one, QueueBase) for one in queues):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if not all(first.dtypes == one.dtypes for one in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        if not all(first.names == one.names for one in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        return queues[int(convert_to_tensor(index))]

    def _called(self, name: str | None, what: str) -> str:
        """The name of one of its operations."""
        return name or f"{self._name}_{what}"

    # ---- putting in

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """Put in an element, when there is room.

        Raises:
            ValueError: it has other components or shapes.
            CancelledError: the queue is closed.
        """
        tensors = self._components(vals)
        for tensor, shape in zip(tensors, self._shapes, strict=True):
            tensor.shape.assert_is_compatible_with(shape)
        called = self._called(name, "enqueue")
        return bind(queues.QueueEnqueueV2, self._queue_ref, tensors, name=called)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """Put in an element for each row of the components, one after the other.

        Raises:
            ValueError: these are other components or shapes.
            InvalidArgumentError: components of different numbers of rows.
            CancelledError: the queue is closed.
        """
        tensors = self._components(vals)
        for tensor, shape in zip(tensors, self._shapes, strict=True):
            tensor.shape.with_rank_at_least(1)[1:].assert_is_compatible_with(shape)
        called = self._called(name, "EnqueueMany")
        return bind(queues.QueueEnqueueManyV2, self._queue_ref, tensors, name=called)

    def _components(self, vals: Any) -> list[Any]:
        listed = self._listed(vals)
        if len(listed) != len(self._dtypes):
            raise ShapeMismatchError(
                f"an element of this queue has {len(self._dtypes)} components, got {len(listed)}; "
                "a list or tuple has one value for each"
            )
        pairs = zip(listed, self._dtypes, strict=True)
        return [convert_to_tensor(one, dtype) for one, dtype in pairs]

    def _listed(self, vals: Any) -> list[Any]:
        if isinstance(vals, Mapping):
            given = cast("Mapping[str, Any]", vals)
            if self._names is None:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names) != sorted(given):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  Dictionary: "
                    f"{sorted(given)}, Queue: {sorted(self._names)}"
                )
            return [given[one] for one in self._names]
        if self._names is not None:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        return list(cast("Any", vals)) if isinstance(vals, (list, tuple)) else [vals]

    # ---- taking out

    def dequeue(self, name: str | None = None) -> Any:
        """Take out an element, when there is one.

        Raises:
            OutOfRangeError: the queue is closed and empty.
        """
        kinds, called = tuple(self._dtypes), self._called(name, "Dequeue")
        return self._element(
            bind(queues.QueueDequeueV2, self._queue_ref, component_types=kinds, name=called)
        )

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Take out n elements, when there are as many, stacked along a first axis.

        Raises:
            OutOfRangeError: the queue is closed and has fewer.
            InvalidArgumentError: n is negative, or the shapes of elements are not known.
        """
        return self._taken(queues.QueueDequeueManyV2, n, self._called(name, "DequeueMany"))

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """As `dequeue_many`; where the queue is closed and has fewer, these.

        Raises:
            OutOfRangeError: the queue is closed and empty.
            InvalidArgumentError: n is negative, or the shapes of elements are not known.
        """
        return self._taken(queues.QueueDequeueUpToV2, n, self._called(name, "DequeueUpTo"))

    def _taken(self, op: Any, n: Any, name: str | None) -> Any:
        count, kinds = convert_to_tensor(n, dtypes.int32), tuple(self._dtypes)
        return self._element(bind(op, self._queue_ref, count, component_types=kinds, name=name))

    def _element(self, components: Any) -> Any:
        if self._names is not None:
            return dict(zip(self._names, components, strict=True))
        return components[0] if len(self._dtypes) == 1 else list(components)

    # ---- closing

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Let nothing more come; those who wait for room go on, unless they are cancelled.

        Raises:
            CancelledError: it is closed already.
        """
        return bind(
            queues.QueueCloseV2, self._queue_ref, name=self._called(name, "Close"),
            cancel_pending_enqueues=cancel_pending_enqueues,
        )  # fmt: skip

    def is_closed(self, name: str | None = None) -> Any:
        """Whether nothing more can come, a bool scalar."""
        return bind(queues.QueueIsClosedV2, self._queue_ref, name=self._called(name, "is_closed"))

    def size(self, name: str | None = None) -> Any:
        """How many elements there are, int32."""
        return bind(queues.QueueSizeV2, self._queue_ref, name=self._called(name, "Size"))


def _list_of(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _shapes_of(shapes: Any) -> list[TensorShape]:
    """The shapes of the components; that of the only one may stand without a list around it.

    Raises:
        TypeError: neither shapes nor one shape.
    """
    if not isinstance(shapes, list | tuple | TensorShape):
        raise TypeError(
            "Shapes must be a TensorShape or a list or tuple of TensorShapes, got "
            f"{type(shapes)} instead: {shapes!r}"
        )
    if isinstance(shapes, TensorShape) or all(_is_size(one) for one in shapes):
        return [as_shape(shapes)]
    return [as_shape(one) for one in shapes]


def _is_size(value: Any) -> bool:
    return value is None or isinstance(value, int)


def _full_shapes_of(shapes: Any) -> list[TensorShape] | None:
    """Those of a queue whose elements are stacked as they are.

    Raises:
        ValueError: a size is not told.
    """
    sizes = None if shapes is None else _shapes_of(shapes)
    if sizes is not None and not all(one.is_fully_defined() for one in sizes):
        raise ValueError(
            f"All shapes must be fully defined: {sizes}; a PaddingFIFOQueue takes sizes that differ"
        )
    return sizes


def _made(
    queue: QueueBase,
    kind: Any,
    types: Any,
    shapes: Any,
    names: Any,
    name: str,
    capacity: int,
    shared_name: str | None,
    **facts: Any,
) -> None:
    """Set up a queue of a kind.

    Raises:
        ValueError: as many names as components are wanted.
        InvalidArgumentError: as many shapes are.
    """
    known = [as_dtype(one) for one in _list_of(types)]
    sizes = [UNKNOWN] * len(known) if shapes is None else _shapes_of(shapes)
    labels = None if names is None else _list_of(names)
    if len(sizes) != len(known):
        raise InvalidArgumentError(
            f"Different number of component types. Types: {known}, Shapes: {sizes}"
        )
    if labels is not None and len(labels) != len(known):
        raise ValueError(
            "List of names must have the same length as the list of dtypes, received "
            f"len(names)={len(labels)},len(dtypes)={len(known)}"
        )
    told: dict[str, Any] = {"component_types": tuple(known), "capacity": capacity, **facts}
    if shapes is not None:
        told["shapes"] = tuple(sizes)
    if root_graph() is None:
        with context.init_scope():
            handle = wrap_handle(kind(**_as_there(kind, told)).made())
    else:  # each session has its own, which those share that say one name
        handle = bind(kind, **_as_there(kind, told), shared_name=shared_name or "", name=name)
        name = handle.op.name.rpartition("/")[2]
    QueueBase.__init__(queue, known, sizes, labels, handle)
    queue._name = name


def _as_there(kind: Any, told: dict[str, Any]) -> dict[str, Any]:
    """The attributes of the operation: of a PriorityQueue they do not tell the priority."""
    if kind is not new_queues.PriorityQueueV2:
        return told
    types, shapes = told["component_types"], told["shapes"]
    return {**told, "component_types": types[1:], "shapes": shapes[1:]}


class FIFOQueue(QueueBase):
    """A queue that gives elements in the order in which they came.

    shapes: of the components; without them only `dequeue` takes elements out. names: of the
    components, which elements then are dicts of. capacity: how many there may be.

    >>> queue = tf.queue.FIFOQueue(3, tf.int32, shapes=[[]])
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> int(queue.dequeue()), queue.dequeue_many(2).numpy(), int(queue.size())
    (1, array([2, 3], dtype=int32), 0)
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = "fifo_queue",
    ) -> None:  # fmt: skip
        sizes = _full_shapes_of(shapes)
        _made(self, new_queues.FIFOQueueV2, dtypes, sizes, names, name, capacity, shared_name)


class PaddingFIFOQueue(QueueBase):
    """A FIFOQueue of components of several sizes, padded with zeros where they are stacked.

    shapes: of the components, None for sizes that differ.

    >>> queue = tf.queue.PaddingFIFOQueue(3, tf.int32, shapes=[[None]])
    >>> for row in ([1], [2, 3]):
    ...     queue.enqueue([row])
    >>> queue.dequeue_many(2).numpy()
    array([[1, 0],
           [2, 3]], dtype=int32)

    Raises:
        ValueError: there is no list of shapes.
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any, names: Any = None,
        shared_name: str | None = None, name: str = "padding_fifo_queue",
    ) -> None:  # fmt: skip
        if not (isinstance(shapes, list | tuple) and shapes) or any(map(_is_size, shapes)):
            raise ValueError(
                "When providing partial shapes, a list of shapes must be provided, one for each "
                f"component, not {shapes!r}"
            )
        kind = new_queues.PaddingFIFOQueueV2
        _made(self, kind, dtypes, shapes, names, name, capacity, shared_name)


class PriorityQueue(QueueBase):
    """A queue that gives the element of the least priority first, an int64 before the others.

    types, shapes: of the components after the priority.

    >>> queue = tf.queue.PriorityQueue(3, tf.string, shapes=[[]])
    >>> for priority, word in ((2, "later"), (1, "first")):
    ...     queue.enqueue([priority, word])
    >>> queue.dequeue()[1].numpy()
    b'first'
    """

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = "priority_queue",
    ) -> None:  # fmt: skip
        kinds = [dtypes.int64, *_list_of(types)]
        sizes = _full_shapes_of(shapes)
        sizes = [UNKNOWN] * (len(kinds) - 1) if sizes is None else sizes
        kind = new_queues.PriorityQueueV2
        _made(self, kind, kinds, [[], *sizes], names, name, capacity, shared_name)


class RandomShuffleQueue(QueueBase):
    """A queue that gives elements in random order.

    min_after_dequeue: how many stay, to choose from, until the queue is closed. seed: an int; it
    and `tf.random.set_seed` tell the order.

    >>> queue = tf.queue.RandomShuffleQueue(9, 0, tf.int32, shapes=[[]], seed=1)
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> sorted(queue.dequeue_many(3).numpy().tolist())
    [1, 2, 3]
    """

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None,
        names: Any = None, seed: int | None = None, shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:  # fmt: skip
        first, second = get_seed(seed)
        _made(
            self, new_queues.RandomShuffleQueueV2, dtypes, _full_shapes_of(shapes), names, name,
            capacity, shared_name, min_after_dequeue=min_after_dequeue, seed=first, seed2=second,
        )  # fmt: skip
