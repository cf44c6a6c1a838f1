"""Queues that threads fill with the rows of a tensor, over and over or so many times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import context, dtypes
from ...core.shapes import as_shape
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies, name_scope
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import root_graph
from ...graph.by_hand.variables import make_variable
from ...module.queues import FIFOQueue
from ...ops.array.fill import range as range_of
from ...ops.array.gather import gather
from ...ops.array.shapes import shape as shape_of
from ...ops.array.shapes import size
from ...ops.checks.assertions import Assert
from ...ops.control.flow import identity
from ...ops.math.arithmetic import multiply
from ...ops.math.cast import cast
from ...ops.math.comparison import greater
from ...ops.random.uniform_and_normal import shuffle as shuffled
from ..summaries import scalar
from .queue_runner import QueueRunner, add_queue_runner


def require_graph(what: str) -> None:
    """Refuse where operations run at once.

    Raises:
        RuntimeError: they do.
    """
    if not context.building_graph():
        raise RuntimeError(
            f"{what}: input pipelines of queues are not supported when eager execution is enabled; "
            "use tf.data"
        )


def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor that is given so many times, and then an OutOfRangeError.

    num_epochs: None for any number of times. A local variable counts them.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     twice = tf.compat.v1.train.limit_epochs(tf.constant("x"), 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(twice), session.run(twice))
    b'x' b'x'

    Raises:
        ValueError: `num_epochs` is not positive.
        OutOfRangeError: (when it runs) it was given as often.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name or "limit_epochs") as scope:
        given = convert_to_tensor(tensor)
        graph = root_graph()
        epochs = make_variable(
            graph, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
            initial_value=convert_to_tensor(0, dtypes.int64), name="epochs",
        )  # fmt: skip
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return identity(given, name=scope)


def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of the rows of a tensor, which a QueueRunner of the graph fills.

    element_shape: the shape of a row, where that of the tensor is not known. num_epochs: how many
    times all rows come; None: over and over. shuffle: whether each time in another order. A summary
    tells how full it is.

    >>> with tf.Graph().as_default():
    ...     queue = tf.compat.v1.train.input_producer(tf.constant([1, 2]), shuffle=False)
    ...     queue.dequeue().dtype
    tf.int32

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shape of a row is not known.
    """
    require_graph("input_producer")
    with name_scope(name or "input_producer") as scope:
        rows = convert_to_tensor(input_tensor, name="input_tensor")
        told = as_shape(element_shape)
        shape = rows.shape[1:].merge_with(told) if rows.shape.rank is not None else told
        if not shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be "
                f"specified, got {rows.shape} and {element_shape}"
            )
        if shuffle:
            rows = shuffled(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(
            capacity, [rows.dtype], [shape], shared_name=shared_name, name=scope
        )  # fmt: skip
        runner = QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op)
        add_queue_runner(runner)
        if summary_name is not None:
            scalar(summary_name, fullness(queue.size(), capacity))
        return queue


def fullness(size: Any, capacity: int) -> Any:
    """Which part of the capacity is used."""
    return multiply(cast(size, dtypes.float32), 1.0 / capacity)


def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of strings, names of files for instance, which a QueueRunner of the graph fills.

    The arguments are those of `input_producer`.

    >>> with tf.Graph().as_default():
    ...     queue = tf.compat.v1.train.string_input_producer(["a.txt", "b.txt"], num_epochs=1)
    ...     queue.dequeue().dtype
    tf.string

    Raises:
        RuntimeError: operations run at once here.
        ValueError: there are no strings (InvalidArgumentError when it runs, if that is seen then).
    """
    nothing = "string_input_producer requires a non-null input tensor"
    require_graph("string_input_producer")
    if isinstance(string_tensor, (list, tuple)) and not string_tensor:
        raise ValueError(nothing)
    with name_scope(name or "input_producer") as scope:
        words = convert_to_tensor(string_tensor, dtypes.string)
        with control_dependencies([Assert(greater(size(words), 0), [nothing])]):
            words = identity(words)
        return input_producer(
            words, [], num_epochs, shuffle, seed, capacity, shared_name,
            f"fraction_of_{capacity}_full", scope, cancel_op,
        )  # fmt: skip


def range_input_producer(
    limit: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> FIFOQueue:
    """A queue of the integers from 0 to `limit`, without it, which a QueueRunner fills.

    The other arguments are those of `input_producer`.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.range_input_producer(3).dequeue().dtype
    tf.int32

    Raises:
        RuntimeError: operations run at once here.
    """
    require_graph("range_input_producer")
    with name_scope(name or "input_producer") as scope:
        return input_producer(
            range_of(limit), [], num_epochs, shuffle, seed, capacity, shared_name,
            f"fraction_of_{capacity}_full", scope,
        )  # fmt: skip


def slice_input_producer(
    tensor_list: Sequence[Any],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Any]:
    """Rows of several tensors: in each run the rows of one number of all of them.

    tensor_list: tensors of as many rows. The other arguments are those of `input_producer`.

    >>> with tf.Graph().as_default():
    ...     rows = tf.compat.v1.train.slice_input_producer([tf.zeros([3, 2]), tf.zeros([3])])
    ...     [one.shape for one in rows]
    [TensorShape([2]), TensorShape([])]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: there are no tensors.
    """
    require_graph("slice_input_producer")
    if not tensor_list:
        raise ValueError("Expected at least one tensor in slice_input_producer().")
    with name_scope(name or "input_producer"):
        tensors = [convert_to_tensor(one) for one in tensor_list]
        for one in tensors[1:]:
            one.shape[:1].assert_is_compatible_with(tensors[0].shape[:1])
        count = shape_of(tensors[0])[0]
        number = range_input_producer(
            count, num_epochs, shuffle, seed, capacity, shared_name
        ).dequeue()
        return [gather(one, number) for one in tensors]
