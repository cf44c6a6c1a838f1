"""Datasets, iterators and Optionals as arguments, captures and results of functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.data.functions import ElementFunction

from .test_elements import contents

Dataset = tf.data.Dataset
Optional = tf.experimental.Optional


def test_an_iterator_is_an_argument() -> None:
    traces: list[Any] = []

    @tf.function
    def step(iterator: Any) -> Any:
        traces.append(iterator)
        x, y = iterator.get_next()
        return tf.reduce_sum(x) + y

    rows = np.arange(6.0).reshape(3, 2)
    dataset = Dataset.from_tensor_slices((rows, np.arange(3.0)))
    iterator = iter(dataset)

    assert [1.0, 6.0, 11.0] == [float(step(iterator)) for _ in range(3)]
    assert 6.0 == step(iter(dataset.skip(1)))
    assert 1 == len(traces)
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        step(iterator)


@pytest.mark.parametrize(
    ("facts", "function"),
    [
        ((False, False), lambda x: x + 1),
        ((True, False), lambda x: tf.random.uniform([2]) + x),
        ((False, True), lambda x: tf.py_function(lambda y: y, [x], tf.float32)),
    ],
)
def test_what_a_function_does_besides_computing_is_known(facts: Any, function: Any) -> None:
    traced = ElementFunction(function, "map", tf.TensorSpec([2]))

    assert facts == (traced.is_random, traced.gains_by_threads)


def test_an_iterator_is_captured() -> None:
    iterator = iter(Dataset.range(3))

    @tf.function
    def pair() -> Any:
        return next(iterator), iterator.get_next()

    assert (0, 1) == pair()
    assert 2 == next(iterator)


def test_an_iterator_of_wider_elements_needs_no_new_trace() -> None:
    traces: list[Any] = []

    @tf.function(reduce_retracing=True)
    def size(iterator: Any) -> Any:
        traces.append(1)
        return tf.size(iterator.get_next())

    sizes = [int(size(iter(Dataset.range(9).batch(n, drop_remainder=True)))) for n in (2, 3, 4, 5)]

    assert [2, 3, 4, 5] == sizes
    assert 2 == len(traces)


def test_datasets_are_arguments_and_results() -> None:
    @tf.function
    def doubled(dataset: Any, count: Any) -> Any:
        return dataset.map(lambda x: x * count).take(count)

    found = doubled(Dataset.range(5), tf.constant(3, tf.int64))

    assert [0, 3, 6] == contents(found) == contents(found)
    assert tf.TensorSpec([], tf.int64) == found.element_spec


def test_datasets_are_made_of_tensors_of_a_function() -> None:
    @tf.function
    def total(n: Any) -> Any:
        dataset = Dataset.range(n).filter(lambda x: x % 2 == 0)
        return dataset.reduce(np.int64(0), lambda state, x: state + x * n), dataset.cardinality()

    assert ((0 + 2 + 4) * 5, -2) == total(tf.constant(5, tf.int64))


def test_a_shuffled_dataset_is_made_anew_in_each_call() -> None:
    @tf.function
    def order() -> Any:
        return Dataset.range(10).shuffle(10, seed=1).batch(10).get_single_element()

    assert order().numpy().tolist() == order().numpy().tolist()


def test_functions_of_datasets_may_change_variables() -> None:
    total = tf.Variable(0, dtype=tf.int64)
    dataset = Dataset.range(1, 5).map(lambda x: total.assign_add(x))

    @tf.function
    def step(iterator: Any) -> Any:
        total.assign_add(100)
        return iterator.get_next(), total + 0

    assert [1, 3, 6, 10] == contents(dataset)
    assert (111, 111) == step(iter(dataset))
    assert 111 == total


def test_other_variables_are_not_copied_for_an_iterator(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensormill.compiler.calling import general

    lent: list[int] = []
    real = general.variables_lent

    def counting(call: Any, numbers: Any) -> Any:
        numbers = list(numbers)
        lent.append(len(numbers))
        return real(call, numbers)

    monkeypatch.setattr(general, "variables_lent", counting)
    weights = tf.Variable(tf.ones([3]))

    @tf.function
    def step(iterator: Any) -> Any:
        weights.assign_add(tf.ones([3]))  # or the element would be taken before native code runs
        weights.assign_add(tf.cast(iterator.get_next(), tf.float32) * tf.ones([3]))
        return weights + 0.0

    assert [4.0] * 3 == step(iter(Dataset.range(2, 4))).numpy().tolist()
    assert not any(lent)


def test_a_reduction_in_a_function_may_change_variables_of_that_function() -> None:
    total = tf.Variable(1, dtype=tf.int64)

    @tf.function
    def reduced(dataset: Any) -> Any:
        total.assign_add(10)
        last = dataset.reduce(np.int64(0), lambda state, x: total.assign_add(x))
        return last, total * 2

    assert (11 + 6, 2 * 17) == reduced(Dataset.range(4))
    assert 17 == total


def sum_of(dataset: Any) -> Any:
    return dataset.reduce(np.int64(0), lambda total, x: total + x)


def test_specs_describe_arguments() -> None:
    spec = tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))
    by_signature = tf.function(sum_of, input_signature=[spec])
    concrete = tf.function(lambda it: it.get_next()).get_concrete_function(
        tf.data.IteratorSpec(tf.TensorSpec([], tf.int64))
    )

    assert 10 == by_signature(Dataset.range(5))
    assert 0 == concrete(iter(Dataset.range(5)))
    assert "it: object<iterator(i64[])>" in str(concrete.callee.graph)


def test_a_condition_chooses_a_dataset() -> None:
    @tf.function
    def chosen(first: Any, one: Any, other: Any) -> Any:
        return sum_of(tf.cond(first, lambda: one, lambda: other))

    datasets = Dataset.range(3), Dataset.range(10)

    assert 3 == chosen(tf.constant(True), *datasets)
    assert 45 == chosen(tf.constant(False), *datasets)


def test_one_iterator_may_be_two_arguments() -> None:
    iterator = iter(Dataset.range(3))
    pair = tf.function(lambda a, b: (a.get_next(), b.get_next()))

    assert (0, 1) == pair(iterator, iterator)
    assert 2 == next(iterator)


# ---------------------------------------------------------------- loops


def test_iterators_are_made_in_loops() -> None:
    @tf.function
    def thrice(dataset: Any) -> Any:
        count, total = tf.constant(0), tf.constant(0, tf.int64)
        while count < 3:
            iterator = iter(dataset)
            total += next(iterator) + next(iterator)
            count += 1
        return total

    assert 3 == thrice(Dataset.range(3))


def test_loops_stand_in_loops_and_in_called_functions() -> None:
    @tf.function
    def products(dataset: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x in dataset:
            for y in dataset:
                total += x * y
        return total

    @tf.function
    def outer(dataset: Any) -> Any:
        return products(dataset) + products(dataset.take(3))

    assert 36 + 9 == outer(Dataset.range(4))


def test_a_loop_over_a_dataset_is_staged() -> None:
    @tf.function
    def some(dataset: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x in dataset:
            if x == 3:
                continue
            if x > 6:
                break
            total += x
        return total

    assert (18, 3) == (some(Dataset.range(10)), some(Dataset.range(3)))
    assert 1 == some.experimental_get_tracing_count()


def test_a_loop_may_return() -> None:
    @tf.function
    def first_large(dataset: Any) -> Any:
        for number, x in enumerate(dataset):
            if number * x > 10:
                return x
        return tf.constant(-1, tf.int64)

    assert (4, -1) == (first_large(Dataset.range(10)), first_large(Dataset.range(2)))


def test_a_loop_over_an_iterator_goes_on_where_the_last_one_stopped() -> None:
    @tf.function
    def up_to_five(iterator: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x in iterator:
            total += x
            if total > 4:
                break
        return total

    iterator = iter(Dataset.range(10))

    assert [6, 9, 6, 7, 8, 9, 0] == [int(up_to_five(iterator)) for _ in range(7)]


def test_zip_takes_no_more_than_it_needs() -> None:
    @tf.function
    def paired(short: Any, iterator: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x, y in zip(short, iterator, strict=False):
            total += x * y
        return total

    iterator = iter(Dataset.range(10))

    assert 5 == paired(Dataset.range(3), iterator)
    assert 3 == next(iterator)


def test_tensors_stand_beside_datasets() -> None:
    @tf.function
    def paired(dataset: Any, rows: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x, (number, row) in zip(dataset, enumerate(rows), strict=False):
            total += x * row + tf.cast(number, tf.int64)
        return total

    assert 0 + 10 * 1 + 1 == paired(Dataset.range(2), tf.constant([5, 10, 20], tf.int64))


def test_batches_of_different_sizes_go_through_one_loop() -> None:
    x = np.arange(10.0, dtype=np.float32)

    @tf.function
    def total() -> Any:
        found = tf.constant(0.0)
        for a, b in Dataset.from_tensor_slices((x, x)).batch(4):
            found += tf.reduce_sum(a * b)
        return found

    assert 285.0 == total() == total()


def test_a_variable_may_get_its_value_in_the_loop() -> None:
    @tf.function
    def last(dataset: Any) -> Any:
        for x in dataset:
            found = x
        return found  # pyright: ignore[reportPossiblyUnboundVariable]

    assert 3 == last(Dataset.range(4))
    with pytest.raises(tf.errors.InvalidArgumentError, match="iterate at least once"):
        last(Dataset.range(0))


def test_a_loop_trains() -> None:
    weights = tf.Variable([0.0, 0.0])
    x = np.random.default_rng(0).normal(size=(64, 2)).astype(np.float32)
    y = x @ np.array([2.0, -1.0], np.float32)
    dataset = Dataset.from_tensor_slices((x, y)).batch(8).repeat(20)

    @tf.function
    def train(dataset: Any) -> None:
        for rows, wanted in dataset:
            with tf.GradientTape() as tape:
                error = tf.linalg.matvec(rows, weights) - wanted
                loss = tf.reduce_mean(error * error)
            weights.assign_sub(0.1 * tape.gradient(loss, weights))

    train(dataset)

    assert [2.0, -1.0] == pytest.approx(weights.numpy().tolist(), abs=1e-3)


def test_a_gradient_goes_through_a_loop_over_a_dataset() -> None:
    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = x
            for factor in Dataset.from_tensor_slices([2.0, 3.0]):
                found = found * factor * x
        return tape.gradient(found, x)

    assert 6.0 * 3 * 25.0 == slope(tf.constant(5.0))


def test_strings_go_through_a_loop(capfd: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def shout(dataset: Any) -> None:
        for line in dataset:
            tf.print(line, output_stream="file:///dev/stdout")

    shout(Dataset.from_tensor_slices(["a", "b"]))

    assert "a\nb\n" == capfd.readouterr().out


# ---------------------------------------------------------------- optionals


def test_an_optional_is_a_result() -> None:
    @tf.function
    def step(iterator: Any) -> Any:
        return Optional.from_value({"value": iterator.get_next()})

    found = step(iter(Dataset.range(2)))

    assert bool(found.has_value())
    assert 0 == found.get_value()["value"]


def test_an_optional_is_chosen_by_a_condition() -> None:
    @tf.function
    def maybe(wanted: Any) -> Any:
        return tf.cond(
            wanted,
            lambda: Optional.from_value(tf.constant([1.0, 2.0])),
            lambda: Optional.empty(tf.TensorSpec([None])),
        )

    assert [1.0, 2.0] == maybe(tf.constant(True)).get_value().numpy().tolist()
    empty = maybe(tf.constant(False))
    assert not empty.has_value()
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        empty.get_value()


def test_a_loop_carries_optionals() -> None:
    @tf.function
    def total(iterator: Any) -> Any:
        def step(found: Any, current: Any) -> Any:
            return found + current.get_value(), iterator.get_next_as_optional()

        start = (tf.constant(0, tf.int64), iterator.get_next_as_optional())
        return tf.while_loop(lambda found, current: current.has_value(), step, start)[0]

    assert 45 == total(iter(Dataset.range(10)))
    assert 0 == total(iter(Dataset.range(0)))


def test_the_value_of_an_empty_optional_is_an_error_in_a_function() -> None:
    @tf.function
    def value(iterator: Any) -> Any:
        return iterator.get_next_as_optional().get_value()

    iterator = iter(Dataset.range(1))

    assert 0 == value(iterator)
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        value(iterator)


def test_several_steps_in_one_call_as_keras_does_them() -> None:
    steps = 3

    @tf.function
    def several(iterator: Any) -> Any:
        empty = Optional.empty(None)

        def goes_on(number: Any, result: Any, following: Any) -> Any:
            return tf.logical_and(number < steps, following.has_value())

        def body(number: Any, result: Any, following: Any) -> Any:
            def run() -> Any:
                found = Optional.from_value({"sum": tf.reduce_sum(following.get_value())})
                empty._element_spec = found.element_spec
                return found

            def keep() -> Any:
                result._element_spec = empty._element_spec
                return result

            found = tf.cond(goes_on(number, result, following), run, keep)
            later = tf.cond(
                number + 1 < steps, lambda: iterator.get_next_as_optional(), lambda: following
            )
            return number + 1, found, later

        start = [tf.constant(0), empty, iterator.get_next_as_optional()]
        final = tf.while_loop(goes_on, body, start)[1]
        final._element_spec = empty.element_spec
        return final

    iterator = iter(Dataset.range(10).batch(3))

    assert 6 + 7 + 8 == several(iterator).get_value()["sum"]
    assert 9 == several(iterator).get_value()["sum"]
    assert not several(iterator).has_value()


def test_windows_are_arguments_of_functions() -> None:
    dataset = (
        Dataset.range(6)
        .window(3)
        .flat_map(
            lambda window: Dataset.from_tensors(window.reduce(np.int64(0), lambda a, b: a + b))
        )
    )

    assert [3, 12] == contents(dataset)


def test_a_function_is_compiled_once_for_all_elements() -> None:
    traced: list[Any] = []

    def double(x: Any) -> Any:
        traced.append(x)
        return 2 * x

    dataset = Dataset.range(100).map(double)

    assert list(range(0, 200, 2)) == contents(dataset)
    assert 1 == len(traced)


def test_control_flow_in_a_function_is_staged() -> None:
    def steps(n: Any) -> Any:
        count = 0
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            count += 1
        return count

    assert [0, 1, 7, 2, 5, 8] == contents(Dataset.range(1, 7).map(steps))


def test_each_pass_over_a_function_that_only_draws_begins_its_stream_again() -> None:
    drawn = Dataset.range(3).map(lambda _: tf.random.uniform([], seed=3))

    first, second = contents(drawn), contents(drawn)

    assert first == second
    assert len(set(first)) == 3


def draw(_: Any) -> Any:
    return tf.random.uniform([], 0, 1000, tf.int32, seed=4)


@pytest.mark.sampled
@pytest.mark.parametrize(("transformed", "expected"), [
    (lambda d: d.map(draw).repeat(2), [256, 918, 839, 134, 795, 746]),
    (lambda d: d.map(draw).repeat(2).prefetch(2), [256, 918, 839, 134, 795, 746]),
    (lambda d: d.map(draw).cache().repeat(2), [256, 918, 839, 256, 918, 839]),
    (lambda d: (one := d.map(draw)).concatenate(one), [256, 918, 839, 256, 918, 839]),
    (lambda d: d.flat_map(lambda _: Dataset.range(2).map(draw)), [256, 918, 839, 134, 795, 746]),
    (lambda d: d.flat_map(lambda n: Dataset.range(2).map(lambda k: draw(k) + tf.cast(n, tf.int32))),
     [256, 918, 840, 135, 797, 748]),
    (lambda d: d.scan(0, lambda s, n: (s + draw(n), s)).repeat(2), [0, 256, 1174, 0, 134, 929]),
    (lambda d: d.filter(lambda n: draw(n) > 300).repeat(3), [1, 2, 1, 2, 0, 2]),
])  # fmt: skip
def test_elements_that_come_again_in_a_pass_go_on_with_its_stream(
    transformed: Any, expected: list[int]
) -> None:
    """The numbers are TensorFlow's."""
    tf.random.set_seed(1)
    try:
        made = transformed(Dataset.range(3))

        assert expected == contents(made) == contents(made)
    finally:
        tf.random.set_seed(None)


@pytest.mark.parametrize("inner", [False, True])
def test_functions_that_decode_pictures_gain_by_threads(inner: bool) -> None:
    decode = tf.function(tf.io.decode_jpeg) if inner else tf.io.decode_jpeg

    assert ElementFunction(decode, "map", tf.TensorSpec([], tf.string)).gains_by_threads


def test_what_leaves_nothing_behind_may_run_ahead():
    def may(function: Any) -> bool:
        text = tf.TensorSpec((), tf.string)
        return ElementFunction(function, "Dataset.map", text).may_run_ahead

    total = tf.Variable(1)
    assert may(tf.io.read_file)
    assert may(lambda one: tf.random.uniform([]) + tf.strings.to_number(one))
    assert not may(lambda one: tf.strings.length(one) + total)
    assert not may(lambda one: tf.numpy_function(len, [one], np.int64))
