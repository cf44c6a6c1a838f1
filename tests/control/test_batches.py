"""Batches of what several threads have, by raw operations: what TensorFlow 2.21 gives for them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf

RAW = tf.raw_ops
PATIENT: dict[str, Any] = {
    "num_batch_threads": 1, "max_batch_size": 4, "batch_timeout_micros": 10**8,
    "grad_timeout_micros": 10**8,
}  # fmt: skip
ALONE: dict[str, Any] = PATIENT | {"batch_timeout_micros": 100}
NOBODY = np.zeros([0, 3], np.int64)


def batched(*tensors: Any, **told: Any) -> Any:
    return RAW.Batch(in_tensors=list(tensors), **(ALONE | told))


def unbatched(tensor: Any, index: Any, number: Any, **told: Any) -> Any:
    given = {"timeout_micros": 1000} | told
    index = tf.convert_to_tensor(index, tf.int64)
    number = tf.convert_to_tensor(number, tf.int64)
    return RAW.Unbatch(batched_tensor=tensor, batch_index=index, id=number, **given)


def together(call: Any, operands: Sequence[Any]) -> list[Any]:
    found: list[Any] = [None] * len(operands)

    def keep(place: int) -> None:
        found[place] = [one.numpy() for one in call(operands[place])]

    threads = [threading.Thread(target=keep, args=[place]) for place in range(len(operands))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found


def test_a_call_by_itself_is_a_batch() -> None:
    tensors, index, number = batched([1.0, 2.0], [3, 4])

    assert [[1.0, 2.0], [3, 4]] == [one.numpy().tolist() for one in tensors]
    assert [[int(number), 0, 2]] == index.numpy().tolist()


def test_a_batch_grows_to_an_allowed_size_by_copies_of_its_first_row() -> None:
    tensors, index, _ = batched([1.0, 2.0, 3.0], allowed_batch_sizes=[2, 4])

    assert [1.0, 2.0, 3.0, 1.0] == tensors[0].numpy().tolist()
    assert [[0, 3]] == index[:, 1:].numpy().tolist()


def test_one_of_several_calls_has_the_rows_of_all_and_each_gets_its_own_back() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def call(x: Any) -> Any:
        (rows,), index, number = RAW.Batch(in_tensors=[x], **PATIENT)
        assert [(None, 2), (None, 3), ()] == [tuple(one.shape) for one in (rows, index, number)]
        own = unbatched(rows * 10.0, index, number, timeout_micros=10**8)
        back = RAW.UnbatchGrad(original_input=rows, batch_index=index, grad=own + 1.0, id=number)
        return rows, index, own, back

    operands = [tf.ones([1, 2]), tf.fill([3, 2], 2.0)]
    found = together(call, operands)

    for x, (_, _, own, _) in zip(operands, found, strict=True):
        np.testing.assert_array_equal(x * 10.0, own)
    ((rows, index, _, back),) = [one for one in found if len(one[0])]
    ((nothing, nobody, _, none),) = [one for one in found if not len(one[0])]
    assert [(0, 2), (0, 3), (0, 2)] == [one.shape for one in (nothing, nobody, none)]
    np.testing.assert_array_equal(rows * 10.0 + 1.0, back)
    counts = (index[:, 2] - index[:, 1]).tolist()
    assert [[1.0] * 2] * counts[0] == rows[: counts[0]].tolist() or counts[0] == 3
    assert [1, 3] == sorted(counts)


def test_two_places_of_a_graph_are_two_batches() -> None:
    @tf.function
    def call(x: Any) -> Any:
        first, second = batched(x), batched(x + 10.0)
        return [unbatched(one[0][0], one[1], one[2]) for one in (first, second)]

    assert [[1.0], [11.0]] == [one.numpy().tolist() for one in call(tf.constant([1.0]))]


def test_rows_are_whose_the_index_says() -> None:
    rows = tf.constant([1.0, 2.0, 3.0])

    assert [2.0, 3.0] == unbatched(rows, [[9, 0, 1], [8, 1, 3]], 8).numpy().tolist()
    assert [1.0] == unbatched(rows[:0], NOBODY, 9).numpy().tolist()
    with pytest.raises(tf.errors.DeadlineExceededError, match="did not arrive"):
        unbatched(rows[:0], NOBODY, 9)


def test_there_is_no_gradient() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tensors, index, number = batched(x)
        y = unbatched(tensors[0], index, number)

    with pytest.raises(LookupError, match="Unbatch"):
        tape.gradient(y, x)


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "rows": (lambda: batched(tf.zeros([5])), tf.errors.InvalidArgumentError, "5 rows"),
    "no rows": (lambda: batched(1.0), tf.errors.InvalidArgumentError, "one dimension"),
    "nothing": (batched, tf.errors.InvalidArgumentError, "at least"),
    "other rows": (lambda: batched([1.0], [1.0, 2.0]), tf.errors.InvalidArgumentError, "as many"),
    "sizes": (
        lambda: batched([1.0], allowed_batch_sizes=[2, 3]),
        tf.errors.InvalidArgumentError, "end with",
    ),
    "no batch": (
        lambda: batched([1.0], max_batch_size=0), tf.errors.InvalidArgumentError, "max_batch_size"
    ),
    "index": (
        lambda: unbatched([1.0], [[9, 0, 1, 1]], 9), tf.errors.InvalidArgumentError, "Wrong shape"
    ),
    "end": (lambda: unbatched([1.0], [[9, 0, 2]], 9), tf.errors.InvalidArgumentError, "Sum of"),
    "order": (lambda: unbatched([1.0], [[9, 1, 0]], 9), tf.errors.InvalidArgumentError, "Sum of"),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_batch_is_refused(why: str) -> None:
    call, kind, words = REFUSED[why]

    for run in (call, tf.function(call)):
        with pytest.raises(kind, match=words):
            run()
