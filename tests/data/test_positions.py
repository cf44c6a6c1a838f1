"""Checkpoints keep where an iterator is (BEHAVIOURS S26)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.trackable import Trackable

DATASETS: dict[str, Callable[[], Any]] = {
    "range": lambda: tf.data.Dataset.range(20),
    "map": lambda: tf.data.Dataset.range(20).map(lambda x: 2 * x).filter(lambda x: x % 3 != 0),
    "batch": lambda: tf.data.Dataset.range(20).batch(3).prefetch(2),
    "seeded shuffle": lambda: tf.data.Dataset.range(20).shuffle(8, seed=3),
    "shuffle": lambda: tf.data.Dataset.range(20).shuffle(8).batch(2),
    "epochs": lambda: tf.data.Dataset.range(4).shuffle(4).repeat(5).prefetch(1),
    "same epochs": lambda: (
        tf.data.Dataset.range(4).shuffle(4, reshuffle_each_iteration=False).repeat(5)
    ),
    "zip": lambda: tf.data.Dataset.zip(
        (tf.data.Dataset.range(20).shuffle(9), tf.data.Dataset.range(20).shuffle(9))
    ),
}


def listed(iterator: Any) -> list[Any]:
    return [tf.nest.map_structure(lambda x: x.numpy().tolist(), element) for element in iterator]


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(DATASETS))
@pytest.mark.parametrize("taken", [0, 3, 99])
def test_an_iterator_goes_on_where_it_was(tmp_path: Path, name: str, taken: int) -> None:
    """In another program, too: whose dataset has seeds of its own."""
    iterator = iter(DATASETS[name]())
    for _ in range(taken):
        next(iterator, None)
    path = tf.train.Checkpoint(it=iterator).write(str(tmp_path / "w"))
    expected = listed(iterator)
    other = iter(DATASETS[name]())
    next(other)
    tf.train.Checkpoint(it=other).read(path).assert_consumed()

    assert expected == listed(other)
    tf.train.Checkpoint(it=iterator).read(path)
    assert expected == listed(iterator)


def test_a_later_pass_is_restored_with_its_own_order(tmp_path: Path) -> None:
    dataset = tf.data.Dataset.range(30).shuffle(30)
    first, iterator = listed(iter(dataset)), iter(dataset)
    next(iterator)
    path = tf.train.Checkpoint(it=iterator).write(str(tmp_path / "w"))
    expected = listed(iterator)
    again = iter(DATASETS["shuffle"]().unbatch().take(0).concatenate(dataset))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"has 1 random .* this one has 2: .* different"
    ):
        tf.train.Checkpoint(it=again).read(path)
    other = iter(tf.data.Dataset.range(30).shuffle(30))
    tf.train.Checkpoint(it=other).read(path)

    assert expected == listed(other)
    assert expected != first[1:]


def test_what_was_restored_is_written_as_it_was(tmp_path: Path) -> None:
    iterator = iter(tf.data.Dataset.range(30).shuffle(30).repeat(3))
    for _ in range(40):
        next(iterator)
    first = tf.train.Checkpoint(it=iterator).write(str(tmp_path / "first"))
    other = iter(tf.data.Dataset.range(30).shuffle(30).repeat(3))
    tf.train.Checkpoint(it=other).read(first)
    second = tf.train.Checkpoint(it=other).write(str(tmp_path / "second"))
    third = iter(tf.data.Dataset.range(30).shuffle(30).repeat(3))
    tf.train.Checkpoint(it=third).read(second)

    assert listed(iterator) == listed(third)


def test_functions_take_what_is_left(tmp_path: Path) -> None:
    @tf.function
    def total(iterator: Any) -> Any:
        return next(iterator) + next(iterator)

    iterator = iter(tf.data.Dataset.range(10))
    assert 1 == int(total(iterator))
    path = tf.train.Checkpoint(it=iterator).write(str(tmp_path / "w"))
    assert 5 == int(total(iterator))
    tf.train.Checkpoint(it=iterator).read(path)

    assert 5 == int(total(iterator))
    assert {"it/.ATTRIBUTES/ITERATOR_STATE": [1]}.items() <= dict(
        tf.train.list_variables(path)
    ).items()


def test_an_iterator_of_tensorflows_is_refused(tmp_path: Path) -> None:
    class Foreign(Trackable):
        """Saves its state under the name that TensorFlow gives to an iterator's."""

        def _serialize_to_tensors(self) -> dict[str, Any]:
            return {"ITERATOR": tf.constant(b"")}

    path = tf.train.Checkpoint(it=Foreign(), v=tf.Variable(1.0)).write(str(tmp_path / "w"))

    with pytest.raises(tf.errors.UnimplementedError, match="as TensorFlow saves it"):
        tf.train.Checkpoint(it=iter(tf.data.Dataset.range(3)), v=tf.Variable(0.0)).read(path)
