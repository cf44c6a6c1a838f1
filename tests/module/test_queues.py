"""`tf.queue`; what is taken out, and the classes of errors, are TensorFlow's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

INTS = {"dtypes": tf.int32, "shapes": [[]]}


def fifo(capacity: int = 5, elements: Any = ()) -> Any:
    queue = tf.queue.FIFOQueue(capacity, **INTS)
    queue.enqueue_many(np.array(elements, np.int32))
    return queue


def beside(work: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_elements_come_out_in_the_order_in_which_they_came_in() -> None:
    queue = fifo(5, [1, 2, 3])

    assert 1 == int(queue.dequeue())
    assert [2, 3] == queue.dequeue_many(2).numpy().tolist()
    queue.enqueue(4)
    assert (1, False) == (int(queue.size()), bool(queue.is_closed()))
    assert (tf.int32, []) == (queue.size().dtype, queue.dequeue_many(0).numpy().tolist())


def test_elements_of_several_components_may_have_names() -> None:
    queue = tf.queue.FIFOQueue(3, [tf.int32, tf.float32], [[], [2]], ["a", "b"], name="q")

    queue.enqueue({"a": 1, "b": [1.0, 2.0]})
    queue.enqueue_many({"a": [2], "b": [[3.0, 4.0]]})
    both = queue.dequeue_many(2)

    assert ("q", ["a", "b"], [tf.int32, tf.float32]) == (queue.name, queue.names, queue.dtypes)
    assert tf.resource is queue.queue_ref.dtype
    assert [1, 2] == both["a"].numpy().tolist()
    assert [[1, 2], [3, 4]] == both["b"].numpy().tolist()
    with pytest.raises(ValueError, match="dictionary"):
        queue.enqueue([1, [1.0, 2.0]])
    with pytest.raises(ValueError, match="do not match names"):
        queue.enqueue({"c": 1})


def test_a_closed_queue_gives_what_is_left() -> None:
    queue = fifo(5, [1, 2, 3])

    queue.close()

    assert queue.is_closed()
    with pytest.raises(tf.errors.CancelledError):
        queue.enqueue(1)
    with pytest.raises(tf.errors.OutOfRangeError, match=r"requested 5, current size 3"):
        queue.dequeue_many(5)
    assert [1, 2, 3] == queue.dequeue_up_to(5).numpy().tolist()
    for take in (queue.dequeue, lambda: queue.dequeue_many(2), lambda: queue.dequeue_up_to(2)):
        with pytest.raises(tf.errors.OutOfRangeError):
            take()
    with pytest.raises(tf.errors.CancelledError, match="already closed"):
        queue.close()


def test_who_takes_waits_for_elements_and_who_puts_for_room() -> None:
    queue = fifo(2)
    thread = beside(lambda: queue.enqueue_many(np.arange(10, dtype=np.int32)))

    taken = [int(queue.dequeue()), *queue.dequeue_many(2).numpy(), *queue.dequeue_many(7).numpy()]
    thread.join()

    assert [*range(10)] == taken


def test_a_function_waits_too() -> None:
    queue = fifo(2)

    @tf.function
    def doubled() -> Any:
        return queue.dequeue() * 2

    thread = beside(lambda: queue.enqueue(21))
    assert 42 == int(doubled())
    thread.join()


def test_who_waits_for_room_may_be_cancelled() -> None:
    queue = fifo(1, [1])
    raised: list[BaseException] = []

    def put() -> None:
        try:
            queue.enqueue(2)
        except tf.errors.CancelledError as error:
            raised.append(error)

    thread = beside(put)
    queue.close(cancel_pending_enqueues=True)
    thread.join()

    assert 1 == len(raised)
    assert 1 == int(queue.dequeue())


def test_who_closes_waits_for_those_who_wait_for_room() -> None:
    queue = fifo(1)
    putting = beside(lambda: queue.enqueue_many(np.array([1, 2, 3], np.int32)))

    assert 1 == int(queue.dequeue())
    closing = beside(queue.close)
    closing.join(0.05)
    assert not queue.is_closed()
    assert [2, 3] == [int(queue.dequeue()), int(queue.dequeue())]
    putting.join()
    closing.join()
    assert queue.is_closed()


def test_what_is_taken_in_vain_is_put_back() -> None:
    queue = fifo(2, [1, 2])
    thread = beside(lambda: (queue.enqueue(3), queue.close()))

    with pytest.raises(tf.errors.OutOfRangeError, match="requested 5, current size 3"):
        queue.dequeue_many(5)
    thread.join()

    assert [1, 2, 3] == queue.dequeue_many(3).numpy().tolist()


def test_padding_queues_fill_up_elements() -> None:
    queue = tf.queue.PaddingFIFOQueue(5, [tf.int32, tf.string], [[None], [None]])
    queue.enqueue([[1], ["a"]])
    queue.enqueue([[1, 2, 3], ["b", "c"]])
    queue.enqueue([[4], ["d"]])

    numbers, texts = queue.dequeue_many(2)

    assert [[1, 0, 0], [1, 2, 3]] == numbers.numpy().tolist()
    assert [[b"a", b""], [b"b", b"c"]] == texts.numpy().tolist()
    assert [4] == queue.dequeue()[0].numpy().tolist()
    with pytest.raises(ValueError, match="list of shapes"):
        tf.queue.PaddingFIFOQueue(5, tf.int32, None)


def test_texts_without_axes_are_padded_to_nothing() -> None:
    queue = tf.queue.PaddingFIFOQueue(5, [tf.int32, tf.string], [[None], []])
    for text in ("a", "bc"):
        queue.enqueue([range(len(text)), text])

    texts = queue.dequeue_many(2)[1].numpy().tolist()
    assert ([b"a", b"bc"], [bytes, bytes]) == (texts, [*map(type, texts)])


def test_priority_queues_give_the_least_first() -> None:
    queue = tf.queue.PriorityQueue(5, [tf.string], [[]])
    for priority, text in ((3, "c"), (1, "a"), (2, "b"), (1, "a2")):
        queue.enqueue([priority, text])

    assert [1, b"a"] == [one.numpy() for one in queue.dequeue()]
    assert [[1, 2, 3], [b"a2", b"b", b"c"]] == [
        one.numpy().tolist() for one in queue.dequeue_many(3)
    ]
    assert [tf.int64, tf.string] == queue.dtypes
    with pytest.raises(ValueError, match="incompatible"):
        queue.enqueue([[1], "x"])


def test_random_queues_draw_as_tensorflow_does() -> None:
    tf.random.set_seed(1)
    queue = tf.queue.RandomShuffleQueue(10, 0, **INTS, seed=5)
    for count, expected in ((8, [6, 0, 2, 5, 1, 4, 7, 3]), (4, [6, 3, 2, 4])):
        queue.enqueue_many(np.arange(8, dtype=np.int32))
        assert expected == queue.dequeue_many(count).numpy().tolist()

    some = tf.queue.RandomShuffleQueue(10, 3, **INTS, seed=5)
    some.enqueue_many(np.arange(5, dtype=np.int32))
    assert [1, 3] == some.dequeue_many(2).numpy().tolist()
    some.close()
    assert [2, 0, 4] == some.dequeue_up_to(9).numpy().tolist()


def test_functions_put_and_take_in_their_order() -> None:
    queue = fifo()

    @tf.function
    def through(x: Any) -> Any:
        queue.enqueue(x)
        queue.enqueue(x + 1)
        first = queue.dequeue()
        for _ in tf.range(3):
            queue.enqueue(first)
        rows = queue.dequeue_many(2)
        assert [2] == rows.shape.as_list()
        return first, rows, queue.size()

    first, rows, left = through(tf.constant(3))

    assert (3, [4, 3], 2) == (int(first), rows.numpy().tolist(), int(left))


def test_a_queue_is_chosen_by_its_number() -> None:
    one, other = fifo(2, [1]), fifo(2, [2])

    assert 2 == int(tf.queue.QueueBase.from_list(tf.constant(1), [one, other]).dequeue())
    with pytest.raises(TypeError, match="matching component dtypes"):
        tf.queue.QueueBase.from_list(0, [one, tf.queue.FIFOQueue(2, tf.float32)])
    with pytest.raises(TypeError, match="list of queues"):
        tf.queue.QueueBase.from_list(0, [])


@pytest.mark.parametrize("shapes", [[], (), [2], [2, 3], tf.TensorShape([2, 3]), [[2, 3]]])
def test_the_shape_of_the_only_component_needs_no_list_around_it(shapes: Any) -> None:
    expected = [tf.TensorShape([2, 3] if shapes == [[2, 3]] else shapes)]

    assert expected == tf.queue.FIFOQueue(2, tf.int32, shapes).shapes
    assert expected == tf.queue.RandomShuffleQueue(2, 0, tf.int32, shapes).shapes
    assert expected == tf.queue.PriorityQueue(2, tf.int32, shapes).shapes[1:]


@pytest.mark.parametrize(
    ("work", "error"),
    [
        (lambda: fifo().dequeue_many(-1), tf.errors.InvalidArgumentError),
        (lambda: tf.queue.FIFOQueue(2, tf.int32).dequeue_many(1), tf.errors.InvalidArgumentError),
        (lambda: tf.queue.FIFOQueue(2, tf.int32, [[], []]), tf.errors.InvalidArgumentError),
        (lambda: tf.queue.RandomShuffleQueue(3, 3, tf.int32), tf.errors.InvalidArgumentError),
        (lambda: tf.queue.RandomShuffleQueue(3, -1, tf.int32), tf.errors.InvalidArgumentError),
        (lambda: tf.queue.FIFOQueue(2, tf.int32, names=["a", "b"]), ValueError),
        (lambda: tf.queue.FIFOQueue(2, tf.int32, [None]), ValueError),
        (lambda: tf.queue.FIFOQueue(2, tf.int32, 2), TypeError),
        (lambda: tf.queue.PaddingFIFOQueue(2, tf.int32, [2]), ValueError),
        (lambda: tf.queue.PriorityQueue(2, tf.int32, [[None]]), ValueError),
        (lambda: fifo().enqueue([[1, 2]]), ValueError),
        (lambda: fifo().enqueue([1, 2]), ValueError),
        (lambda: fifo().enqueue_many(1), ValueError),
        (lambda: fifo().enqueue({"a": 1}), ValueError),
        (lambda: fifo().enqueue(1.5), TypeError),
    ],
)
def test_what_does_not_fit_is_refused(work: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        work()
