"""Elements that threads put into a queue, taken out as batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...control.cond import cond
from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import UNKNOWN, TensorShape, as_shape
from ...eager.convert import convert_to_tensor
from ...eager.scopes import name_scope
from ...graph.serialized.sparse_tensors import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from ...module.queues import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from ...ops.array.fill import zeros
from ...ops.array.select import boolean_mask
from ...ops.math.arithmetic import maximum
from ...ops.sparse.sparse_tensor import SparseTensor
from ..summaries import scalar
from .producers import fullness, require_graph
from .queue_runner import QueueRunner, add_queue_runner


class _Elements(NamedTuple):
    """What is put in: tensors for each thread, and how a batch is given back."""

    rows: list[list[Any]]
    names: list[str] | None
    sparse: list[Any]

    def packed(self, components: Any) -> Any:
        """A batch, as the elements were."""
        listed = list(components) if isinstance(components, (list, tuple)) else [components]
        found = [_dense_or_sparse(*pair) for pair in zip(listed, self.sparse, strict=True)]
        if self.names is not None:
            return dict(zip(self.names, found, strict=True))
        return found[0] if len(found) == 1 else found


def _dense_or_sparse(component: Any, sparse: Any) -> Any:
    if sparse is None:
        return component
    dtype, rank = sparse
    return deserialize_many_sparse(component, dtype, rank)


def _elements(given: Sequence[Any], enqueue_many: bool) -> _Elements:
    """The tensors of several elements of one structure.

    Raises:
        ValueError: there are none, or they differ in their dtypes or numbers.
    """
    if not given:
        raise ValueError("Expected at least one set of tensors")
    first = given[0]
    names = None
    if isinstance(first, Mapping):
        names = sorted(cast("Mapping[str, Any]", first))
        listed = [[one[name] for name in names] for one in given]
    elif isinstance(first, (list, tuple)):
        listed = [list(one) for one in given]
    else:
        listed = [[one] for one in given]
    if not listed[0]:
        raise ValueError("Expected at least one tensor in batch().")
    sparse = [_sparse_facts(one, enqueue_many) for one in listed[0]]
    rows = [[_as_dense(one, enqueue_many) for one in row] for row in listed]
    kinds = [[one.dtype for one in row] for row in rows]
    if any(row != kinds[0] for row in kinds):
        raise ValueError(f"Expected types to be consistent: {kinds}")
    return _Elements(rows, names, sparse)


def _sparse_facts(one: Any, enqueue_many: bool) -> Any:
    if not isinstance(one, SparseTensor):
        return None
    rank = one.shape.rank
    return one.dtype, None if rank is None else rank + (not enqueue_many)


def _as_dense(one: Any, enqueue_many: bool) -> Any:
    if isinstance(one, SparseTensor):
        return serialize_many_sparse(one) if enqueue_many else serialize_sparse(one)
    return convert_to_tensor(one)


def _shapes(elements: _Elements, shapes: Any, enqueue_many: bool) -> list[TensorShape]:
    """The shapes of components, as far as all elements agree on them."""
    if shapes is not None:
        return [as_shape(one) for one in shapes]
    found: list[TensorShape] = []
    for column in zip(*elements.rows, strict=True):
        each = [_without_rows(one.shape) if enqueue_many else one.shape for one in column]
        common = each[0]
        for one in each[1:]:
            common = common.most_specific_compatible_shape(one)
        found.append(common)
    return found


def _without_rows(shape: TensorShape) -> TensorShape:
    return UNKNOWN if shape.rank is None else shape[1:]


def _fill(
    queue: Any, elements: _Elements, keep_input: Any, enqueue_many: bool, threads: int
) -> None:
    """Let a runner put elements in; those that are to be kept."""
    operations = [_put(queue, row, keep_input, enqueue_many) for row in elements.rows]
    add_queue_runner(QueueRunner(queue, operations * threads))


def _put(queue: Any, row: list[Any], keep_input: Any, enqueue_many: bool) -> Any:
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep_input is True:
        return put(row)
    keep = convert_to_tensor(keep_input, dtypes.bool_)
    if keep.shape.rank == 1 and enqueue_many:
        return put([boolean_mask(one, keep) for one in row])
    if keep.shape.rank != 0:
        raise ValueError(f"`keep_input` has to be a scalar, got the shape {keep.shape}")

    def kept() -> Any:
        put(row)
        return zeros([])

    return cond(keep, kept, lambda: zeros([])).op


def _batched(
    given: Sequence[Any], keep_input: Any, batch_size: Any, threads: int, capacity: int,
    enqueue_many: bool, shapes: Any, dynamic_pad: bool, smaller: bool, shared_name: str | None,
    name: str,
) -> Any:  # fmt: skip
    require_graph(name)
    with name_scope(name) as scope:
        elements = _elements(given, enqueue_many)
        known = _shapes(elements, shapes, enqueue_many)
        kinds = [one.dtype for one in elements.rows[0]]
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        if not dynamic_pad:
            _require_shapes(known)
        queue = kind(capacity, kinds, known, shared_name=shared_name)
        _fill(queue, elements, keep_input, enqueue_many, threads)
        scalar(f"fraction_of_{capacity}_full", fullness(queue.size(), capacity))
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        return elements.packed(take(batch_size, name=scope))


def _shuffled(
    given: Sequence[Any], keep_input: Any, batch_size: Any, threads: int, capacity: int,
    least: int, seed: int | None, enqueue_many: bool, shapes: Any, smaller: bool,
    shared_name: str | None, name: str,
) -> Any:  # fmt: skip
    require_graph(name)
    with name_scope(name) as scope:
        elements = _elements(given, enqueue_many)
        known = _shapes(elements, shapes, enqueue_many)
        _require_shapes(known)
        kinds = [one.dtype for one in elements.rows[0]]
        queue = RandomShuffleQueue(
            capacity, least, kinds, known, seed=seed, shared_name=shared_name
        )
        _fill(queue, elements, keep_input, enqueue_many, threads)
        room = max(1, capacity - least)
        above = maximum(0, queue.size() - least)
        scalar(f"fraction_over_{least}_of_{room}_full", fullness(above, room))
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        return elements.packed(take(batch_size, name=scope))


def _require_shapes(shapes: Sequence[TensorShape]) -> None:
    if not all(one.is_fully_defined() for one in shapes):
        raise ValueError(f"All shapes must be fully defined: {list(shapes)}")


def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements that threads of the graph's QueueRunner make, through a FIFOQueue.

    tensors: a tensor, a list or a dict of them, sparse ones too: one element, or its rows with
    `enqueue_many`; of one tensor a tensor comes back. capacity: of the queue. shapes: of the
    components. dynamic_pad: sizes may differ, and are padded with zeros.
    allow_smaller_final_batch: the last batch may be smaller.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     number = tf.compat.v1.train.range_input_producer(4, shuffle=False).dequeue()
    ...     pairs = tf.compat.v1.train.batch([number * 10], 2)
    ...     coordinator = tf.train.Coordinator()
    ...     threads = tf.compat.v1.train.start_queue_runners(session, coordinator)
    ...     print(session.run(pairs))
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    [ 0 10]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known.
        OutOfRangeError: (when it runs) there are no elements for a batch any more.
    """
    return _batched(
        [tensors], True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad,
        allow_smaller_final_batch, shared_name, name or "batch",
    )  # fmt: skip


def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch` of the elements for which `keep_input`, a bool scalar, is true; with `enqueue_many`
    it may be a vector, with a bool for each row.

    >>> with tf.Graph().as_default():
    ...     x = tf.constant(1)
    ...     tf.compat.v1.train.maybe_batch([x], x > 0, 2).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known, or `keep_input` has another one.
    """
    return _batched(
        [tensors], keep_input, batch_size, num_threads, capacity, enqueue_many, shapes,
        dynamic_pad, allow_smaller_final_batch, shared_name, name or "batch",
    )  # fmt: skip


def batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch` of several sources: each element of `tensors_list` has a thread of its own.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.batch_join([[tf.constant(1)], [tf.constant(2)]], 2).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known, or elements differ in dtypes.
    """
    return _batched(
        tensors_list, True, batch_size, 1, capacity, enqueue_many, shapes, dynamic_pad,
        allow_smaller_final_batch, shared_name, name or "batch_join",
    )  # fmt: skip


def maybe_batch_join(
    tensors_list: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch_join` of the elements for which `keep_input` is true.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.maybe_batch_join([[tf.constant(1)]], True, 2).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known, or elements differ in dtypes.
    """
    return _batched(
        tensors_list, keep_input, batch_size, 1, capacity, enqueue_many, shapes, dynamic_pad,
        allow_smaller_final_batch, shared_name, name or "batch_join",
    )  # fmt: skip


def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`batch` in random order: so many elements, at least, stay in the queue to choose from.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.shuffle_batch([tf.constant(1)], 2, 10, 5).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known.
        OutOfRangeError: (when it runs) there are no elements for a batch any more.
    """
    return _shuffled(
        [tensors], True, batch_size, num_threads, capacity, min_after_dequeue, seed, enqueue_many,
        shapes, allow_smaller_final_batch, shared_name, name or "shuffle_batch",
    )  # fmt: skip


def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`shuffle_batch` of the elements for which `keep_input` is true.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.maybe_shuffle_batch([tf.constant(1)], 2, 10, 5, True).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known.
    """
    return _shuffled(
        [tensors], keep_input, batch_size, num_threads, capacity, min_after_dequeue, seed,
        enqueue_many, shapes, allow_smaller_final_batch, shared_name, name or "shuffle_batch",
    )  # fmt: skip


def shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`shuffle_batch` of several sources: each element of `tensors_list` has a thread of its own.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.shuffle_batch_join([[tf.constant(1)]], 2, 10, 5).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known, or elements differ in dtypes.
    """
    return _shuffled(
        tensors_list, True, batch_size, 1, capacity, min_after_dequeue, seed, enqueue_many,
        shapes, allow_smaller_final_batch, shared_name, name or "shuffle_batch_join",
    )  # fmt: skip


def maybe_shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """`shuffle_batch_join` of the elements for which `keep_input` is true.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.maybe_shuffle_batch_join([[tf.constant(1)]], 2, 10, 5, True).shape
    TensorShape([2])

    Raises:
        RuntimeError: operations run at once here.
        ValueError: shapes are not known, or elements differ in dtypes.
    """
    return _shuffled(
        tensors_list, keep_input, batch_size, 1, capacity, min_after_dequeue, seed, enqueue_many,
        shapes, allow_smaller_final_batch, shared_name, name or "shuffle_batch_join",
    )  # fmt: skip
