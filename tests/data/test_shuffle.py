"""Random orders are those of TensorFlow 2.21 for the same seeds (recorded)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.data.nodes import shuffling
from tensormill.data.seeds import SeedWords

from .test_elements import contents

Dataset = tf.data.Dataset


@pytest.fixture(autouse=True)
def seed_is_set() -> None:
    tf.random.set_seed(5)


def test_the_global_seed_decides_where_there_is_no_other() -> None:
    def orders() -> list[list[int]]:
        tf.random.set_seed(5)
        dataset = Dataset.range(10).shuffle(10)
        return [contents(dataset), contents(dataset)]

    assert [[7, 5, 4, 1, 0, 9, 6, 3, 8, 2], [9, 1, 6, 4, 2, 7, 0, 5, 8, 3]] == orders()
    assert orders() == orders()


def test_each_pass_has_its_own_order() -> None:
    dataset = Dataset.range(10).shuffle(4, seed=7)

    assert [3, 1, 4, 5, 7, 8, 9, 2, 0, 6] == contents(dataset)
    assert [2, 0, 1, 6, 4, 5, 9, 7, 8, 3] == contents(dataset)


def test_the_order_may_stay() -> None:
    dataset = Dataset.range(10).shuffle(4, seed=7, reshuffle_each_iteration=False)

    assert [2, 4, 5, 3, 7, 0, 6, 1, 8, 9] == contents(dataset) == contents(dataset)


def test_repetitions_are_passes() -> None:
    after = Dataset.range(5).shuffle(5, seed=7).repeat(3)
    before = Dataset.range(5).repeat(2).shuffle(3, seed=7)

    assert [2, 1, 0, 3, 4, 3, 2, 0, 4, 1, 1, 4, 2, 3, 0] == contents(after)
    assert [0, 2, 1, 3, 4, 2, 1, 0, 3, 4] == contents(before)


def test_batches_of_shuffled_rows_have_the_same_order() -> None:
    dataset = Dataset.range(5).shuffle(5, seed=7).repeat(2).batch(5)

    assert [[2, 1, 0, 3, 4], [3, 2, 0, 4, 1]] == contents(dataset)


def test_random_numbers() -> None:
    numbers = Dataset.random(seed=3).take(4)

    assert [799339370, 1364733611, 2614644758, 848062436] == contents(numbers)


@pytest.mark.parametrize("size", [1, 2, 5, 7, 12, 100])
def test_rows_of_a_table_are_shuffled_like_other_elements(size: int) -> None:
    rows = Dataset.range(12)
    elements = rows.filter(lambda x: x >= 0)

    assert contents(elements.shuffle(size, seed=1)) == contents(rows.shuffle(size, seed=1))


def test_functions_draw_the_same_numbers_in_each_pass() -> None:
    tf.random.set_seed(1)
    orders = Dataset.range(1).map(lambda _: tf.random.shuffle(tf.range(5)))
    numbers = Dataset.range(3).map(lambda _: tf.random.uniform([]))
    expected = [0.81269646, 0.5272893, 0.8489425]

    assert [[2, 1, 4, 0, 3]] == contents(orders) == contents(orders)
    assert pytest.approx(expected) == contents(numbers) == contents(numbers)


def test_datasets_made_in_functions_count_the_seeds_of_the_function() -> None:
    @tf.function
    def order() -> list[tf.Tensor]:
        first = tf.random.uniform([])
        elements = Dataset.range(8).shuffle(8).batch(8)
        return [first, elements.get_single_element(), tf.random.uniform([])]

    def shuffled(_: tf.Tensor) -> Dataset:
        return Dataset.range(4).shuffle(4)

    first, elements, last = order()
    assert pytest.approx([0.18286479, 0.01476038]) == [float(first), float(last)]
    assert [4, 5, 1, 0, 6, 2, 3, 7] == list(elements)
    assert 2 * [2, 0, 3, 1] == contents(Dataset.range(2).flat_map(shuffled))
    assert [1, 5, 2, 0, 3, 6, 4, 7] == contents(Dataset.range(8).shuffle(8))


def test_datasets_in_graphs_built_by_hand_count_the_seeds_of_the_graph() -> None:
    one_shot = tf.compat.v1.data.make_one_shot_iterator
    with tf.Graph().as_default():
        tf.compat.v1.set_random_seed(7)
        given = one_shot(Dataset.range(8).shuffle(8, seed=1).batch(8)).get_next()
        counted = one_shot(Dataset.range(8).shuffle(8).batch(8)).get_next()
        number = tf.random.uniform([])
        with tf.compat.v1.Session() as session:
            assert [5, 7, 1, 4, 3, 6, 0, 2] == list(session.run(given))
            assert [5, 7, 1, 4, 3, 6, 0, 2] == list(session.run(counted))
            assert pytest.approx(0.40108788) == session.run(number)


def test_without_seeds_orders_differ() -> None:
    tf.random.set_seed(None)
    dataset = Dataset.range(50).shuffle(50)

    assert contents(dataset) != contents(dataset)
    assert list(range(50)) == sorted(contents(dataset))


def test_a_buffer_has_a_size() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="buffer_size"):
        Dataset.range(3).shuffle(0)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 40), max_size=6), st.integers(1, 60), st.sampled_from([1, 7, 8192]))
def test_numbers_are_shuffled_like_elements(sizes: list[int], size: int, at_once: int) -> None:
    ends = np.cumsum([0, *sizes])
    ranges = [range(a, b) for a, b in itertools.pairwise(ends)]
    pieces = [np.array(one) if k % 2 else one for k, one in enumerate(ranges)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffling, "BLOCK", at_once)
        blocks = shuffling.shuffled_numbers(iter(pieces), size, SeedWords(3, 4))
        found = [number for block in blocks for number in block.tolist()]

    numbers = iter(range(ends[-1]))
    assert list(shuffling.shuffled(numbers, size, SeedWords(3, 4))) == found


@given(st.lists(st.integers(0, 100) | st.none(), max_size=9))
def test_words_are_taken_one_by_one_or_together(takes: list[int | None]) -> None:
    words, together = SeedWords(1, 2), SeedWords(1, 2)

    for count in takes:
        found = [together.next()] if count is None else together.take(count).tolist()
        assert [words.next() for _ in range(1 if count is None else count)] == found
