"""Operations that join the calls of several threads: what TensorFlow 2.21 gives for them."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.ir import Graph

RAW = tf.raw_ops
VECTOR = tf.TensorSpec([None], tf.float32)
PATIENT: dict[str, Any] = {
    "num_batch_threads": 1,
    "max_batch_size": 4,
    "batch_timeout_micros": 10**8,
}
ALONE: dict[str, Any] = PATIENT | {"batch_timeout_micros": 100}


def traced(function: Callable[..., Any], *specs: Any) -> Any:
    return tf.function(function).get_concrete_function(*(specs or [VECTOR]))


def with_facts(x: Any) -> Any:
    """The rows, their sum, and how many there are."""
    return x, tf.reduce_sum(x) + x * 0, x * 0 + tf.cast(tf.shape(x)[0], tf.float32)


def called(*rows: Any, function: Any = None, **told: Any) -> list[Any]:
    function = function or traced(with_facts)
    given = {"captured_tensors": [], "Tout": [tf.float32] * 3} | ALONE | told
    found = RAW.BatchFunction(in_tensors=list(rows), f=function, **given)
    return [one.numpy().tolist() for one in found]


def together(call: Callable[[Any], Any], operands: Sequence[Any]) -> list[Any]:
    found: list[Any] = [None] * len(operands)

    def keep(place: int) -> None:
        found[place] = [one.numpy().tolist() for one in call(operands[place])]

    threads = [threading.Thread(target=keep, args=[place]) for place in range(len(operands))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found


def test_a_call_by_itself_is_a_batch() -> None:
    assert [[1.0, 2.0], [3.0, 3.0], [2.0, 2.0]] == called([1.0, 2.0])
    assert [[], [], []] == called(tf.zeros([0]))


def test_a_batch_grows_to_an_allowed_size_by_copies_of_its_first_row() -> None:
    assert [[1.0, 2.0, 3.0], [7.0] * 3, [4.0] * 3] == called(
        [1.0, 2.0, 3.0], allowed_batch_sizes=[2, 4]
    )


def test_large_calls_are_several_batches_where_they_may_be() -> None:
    told = {"max_batch_size": 8, "enable_large_batch_splitting": True}
    rows = [float(k) for k in range(7)]
    found = called(rows, allowed_batch_sizes=[2, 3], **told)

    assert [rows, [3.0] * 3 + [12.0] * 4, [3.0] * 6 + [2.0]] == found
    with pytest.raises(tf.errors.InvalidArgumentError, match="9 rows"):
        called(tf.zeros([9]), allowed_batch_sizes=[2, 3], **told)
    with pytest.raises(tf.errors.InvalidArgumentError, match="9"):
        called(tf.zeros([2]), allowed_batch_sizes=[2, 9], **told)


@pytest.mark.parametrize("sizes", [(2, 2), (1, 3)])
def test_calls_of_threads_are_one_batch(sizes: tuple[int, int]) -> None:
    function = traced(with_facts)
    call = tf.function(
        lambda x: RAW.BatchFunction(
            in_tensors=[x], captured_tensors=[], f=function, Tout=[tf.float32] * 3, **PATIENT
        ),
        input_signature=[VECTOR],
    )
    operands = [tf.range(float(size)) for size in sizes]
    total = sum(sum(range(size)) for size in sizes)

    for rows, found in zip(operands, together(call, operands), strict=True):
        count = len(rows)
        assert [rows.numpy().tolist(), [float(total)] * count, [4.0] * count] == found


def test_a_shared_name_joins_calls_of_several_graphs() -> None:
    function = traced(with_facts)

    def call(x: Any) -> Any:
        made = tf.function(
            lambda x: RAW.BatchFunction(
                in_tensors=[x], captured_tensors=[], f=function, Tout=[tf.float32] * 3,
                shared_name="several graphs", **PATIENT,
            )
        )  # fmt: skip
        return made(x)

    found = together(call, [tf.constant([1.0]), tf.constant([2.0, 3.0, 4.0])])
    assert [[[10.0], [4.0]], [[10.0] * 3, [4.0] * 3]] == [one[1:] for one in found]


def test_what_is_captured_is_no_batch() -> None:
    scaled = traced(lambda x, y, c: x * c + y, VECTOR, VECTOR, tf.TensorSpec([], tf.float32))
    variable = tf.Variable(2.0)
    of_variable = traced(lambda x: x * variable)
    one = {"Tout": [tf.float32]}

    assert [[15.0, 26.0]] == called(
        [1.0, 2.0], [5.0, 6.0], function=scaled, captured_tensors=[10.0], **one
    )
    captured = of_variable.captured_inputs
    assert [[2.0, 4.0]] == called(
        [1.0, 2.0], function=of_variable, captured_tensors=captured, **one
    )
    variable.assign(3.0)
    assert [[3.0, 6.0]] == called(
        [1.0, 2.0], function=of_variable, captured_tensors=captured, **one
    )


def test_texts_are_rows_and_graphs_know_no_shapes() -> None:
    lengths = traced(tf.strings.length, tf.TensorSpec([None], tf.string))

    @tf.function
    def call(x: Any) -> Any:
        given = {"captured_tensors": [], "f": lengths, "Tout": [tf.int32]} | ALONE
        (found,) = RAW.BatchFunction(in_tensors=[x], **given)
        assert found.shape.rank is None
        return found

    assert [1, 3] == call(tf.constant(["a", "bcd"])).numpy().tolist()


def test_there_is_no_gradient() -> None:
    doubled = traced(lambda x: x * 2)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        given = {"captured_tensors": [], "f": doubled, "Tout": [tf.float32]} | ALONE
        (y,) = RAW.BatchFunction(in_tensors=[x], **given)

    with pytest.raises(LookupError, match="BatchFunction"):
        tape.gradient(y, x)


REFUSED: dict[str, tuple[tuple[Any, ...], dict[str, Any], Any, str]] = {
    "rows": ((tf.zeros([5]),), {}, tf.errors.InvalidArgumentError, "5 rows"),
    "no rows": ((tf.constant(1.0),), {}, tf.errors.InvalidArgumentError, "axis"),
    "more": (([1.0], [1.0]), {}, tf.errors.InvalidArgumentError, "2 were passed"),
    "nothing": ((), {}, tf.errors.InvalidArgumentError, "at least"),
    "fewer results": (([1.0],), {"Tout": [tf.float32]}, tf.errors.InternalError, "Wrong number"),
    "other results": (
        ([1.0],), {"Tout": [tf.int32] * 3}, tf.errors.InvalidArgumentError, "Type mismatch"
    ),
    "sizes that fall": (
        ([1.0],), {"allowed_batch_sizes": [4, 2]}, tf.errors.InvalidArgumentError, "ascend"
    ),
    "sizes that end early": (
        ([1.0],), {"allowed_batch_sizes": [2, 3]}, tf.errors.InvalidArgumentError, "end with"
    ),
    "no batch": (([1.0],), {"max_batch_size": 0}, tf.errors.InvalidArgumentError, "max_batch_size"),
    "no time": (
        ([1.0],), {"batch_timeout_micros": -1}, tf.errors.InvalidArgumentError, "micros"
    ),
    "a policy": (
        ([1.0],), {"batch_padding_policy": "X"}, tf.errors.InvalidArgumentError, "policy"
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_batch_is_refused(why: str) -> None:
    rows, told, kind, words = REFUSED[why]

    with pytest.raises(kind, match=words):
        called(*rows, **told)


def test_a_function_that_gives_other_rows_is_refused() -> None:
    for function in (tf.reduce_sum, lambda x: x[:1]):
        with pytest.raises(tf.errors.FailedPreconditionError, match="one row for each"):
            called([1.0, 2.0], function=traced(function), Tout=[tf.float32])
    checked = traced(lambda x: tf.debugging.check_numerics(x, "bad"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
        called([1.0, float("nan")], function=checked, Tout=[tf.float32])


def test_calls_of_more_rows_than_a_run_has_are_divided() -> None:
    @tf.nondifferentiable_batch_function(1, 8, 100, allowed_batch_sizes=[2, 3])
    def counted(x: Any) -> Any:
        return x * 0 + tf.cast(tf.shape(x)[0], tf.float32)

    assert [3.0] * 6 + [2.0] == counted(tf.zeros([7])).numpy().tolist()


def test_a_dropped_function_is_freed() -> None:
    def live() -> int:
        gc.collect()
        return sum(type(one) is Graph for one in gc.get_objects())

    called([1.0])
    before = live()
    called([1.0])

    assert live() == before
