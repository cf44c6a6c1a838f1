"""Random dataset pipelines do to strings what they do to numbers.

Each pipeline runs twice: on numbers, and on the strings that spell them. What the strings spell
then, read by a kernel, has to be the numbers that came out.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tensormill as tf
from tensormill.core import tree

Dataset = tf.data.Dataset
Step = Callable[[Any], Any]


# ---------------------------------------------------------------- numbers, and how they are spelled


class Numbers(NamedTuple):
    """Numbers as they are."""

    dtype: Any = tf.int64

    def tensor(self, values: Any) -> Any:
        return tf.constant(values, tf.int64)

    def spell(self, tensor: Any) -> Any:
        return tensor

    def read(self, tensor: Any) -> Any:
        return tensor.numpy().tolist()


class Strings(NamedTuple):
    """Numbers as strings; an empty one is 0, as what fills a padded batch is."""

    dtype: Any = tf.string

    def tensor(self, values: Any) -> Any:
        return tf.strings.as_string(tf.constant(values, tf.int64))

    def spell(self, tensor: Any) -> Any:
        return tf.strings.as_string(tensor)

    def read(self, tensor: Any) -> Any:
        if tensor.dtype is not tf.string:
            return tensor.numpy().tolist()
        digits = tf.strings.join(["0", tensor])
        return tf.strings.to_number(digits, tf.int64).numpy().tolist()


Kind = Numbers | Strings

# ---------------------------------------------------------------- where elements come from


def sliced(kind: Kind, count: int, folder: str) -> Any:
    return Dataset.from_tensor_slices(kind.tensor(range(1, count + 1)))


def mapped(kind: Kind, count: int, folder: str) -> Any:
    return Dataset.range(1, count + 1).map(kind.spell)


def generated(kind: Kind, count: int, folder: str) -> Any:
    spec = tf.TensorSpec((), kind.dtype)
    return Dataset.from_generator(
        lambda: (kind.tensor(one).numpy() for one in range(1, count + 1)), output_signature=spec
    )


def lines(kind: Kind, count: int, folder: str) -> Any:
    if isinstance(kind, Numbers):
        return sliced(kind, count, folder)
    path = Path(folder) / f"lines-{count}"
    path.write_text("".join(f"{one}\n" for one in range(1, count + 1)))
    return tf.data.TextLineDataset(str(path))


def records(kind: Kind, count: int, folder: str) -> Any:
    if isinstance(kind, Numbers):
        return sliced(kind, count, folder)
    path = Path(folder) / f"records-{count}"
    path.write_text("".join(f"{one:03d}" for one in range(1, count + 1)))
    return tf.data.FixedLengthRecordDataset(str(path), 3)


def rows(kind: Kind, count: int, folder: str) -> Any:
    """Vectors of one, two, three, one ... elements."""

    def row(place: Any) -> Any:
        return kind.spell(tf.range(1, 2 + place % 3, dtype=tf.int64) + place)

    return Dataset.range(1, count + 1).map(row)


def ragged(kind: Kind, count: int, folder: str) -> Any:
    lengths = [place % 3 for place in range(count)]
    values = kind.tensor(range(1, sum(lengths) + 1))
    return Dataset.from_tensor_slices(tf.RaggedTensor.from_row_lengths(values, lengths))


def sparse(kind: Kind, count: int, folder: str) -> Any:
    places = [[place, place % 4] for place in range(0, count, 2)]
    values = kind.tensor(range(1, len(places) + 1))
    return Dataset.from_tensor_slices(tf.SparseTensor(places, values, [count, 4]))


SOURCES = (sliced, mapped, generated, lines, records, rows, ragged, sparse)

# ---------------------------------------------------------------- what is done with them


def steps_for(spec: Any, number: int) -> Sequence[Step]:
    """The transformations that elements of `spec` can go through; `number` is one of 1, 2, 3."""
    if not isinstance(spec, tf.TensorSpec):
        return (*of_any(number), *of_composites(number))
    rank = spec.shape.rank
    if rank is None:
        return of_any(number)
    found = (*of_any(number), *of_tensors(spec, number))
    return found if rank == 0 else (*found, *of_rows(number))


def of_any(number: int) -> Sequence[Step]:
    return (*of_functions(number), *of_numbers(number), *of_several(number))


def of_functions(number: int) -> Sequence[Step]:
    return (
        lambda data: data.map(lambda one: one),
        lambda data: data.map(lambda one: one, num_parallel_calls=2),
        lambda data: data.filter(lambda one: True),
        lambda data: data.take_while(lambda one: True),
        lambda data: data.flat_map(Dataset.from_tensors),
        lambda data: data.interleave(Dataset.from_tensors, cycle_length=number),
        lambda data: data.interleave(lambda one: Dataset.from_tensors(one).repeat(2), number),
        lambda data: data.scan(0, lambda state, one: (state + 1, one)),
        lambda data: data.group_by_window(
            lambda one: tf.constant(0, tf.int64), lambda key, some: some.batch(2), number + 1
        ),
    )


def of_numbers(number: int) -> Sequence[Step]:
    return (
        lambda data: data.batch(number),
        lambda data: data.batch(number + 1, drop_remainder=True),
        lambda data: data.batch(number, num_parallel_calls=2),
        lambda data: data.prefetch(number),
        lambda data: data.cache(),
        lambda data: data.take(number + 3),
        lambda data: data.skip(number),
        lambda data: data.repeat(2),
        lambda data: data.shuffle(number + 2, seed=5),
        lambda data: data.shard(2, 1),
        lambda data: data.ignore_errors(),
    )


def of_several(number: int) -> Sequence[Step]:
    return (
        lambda data: data.concatenate(data.take(number)),
        lambda data: data.enumerate().map(lambda place, one: one),
        lambda data: Dataset.zip(data, data).map(lambda one, other: other),
        lambda data: Dataset.choose_from_datasets(
            [data, data], Dataset.range(2).repeat(number), stop_on_empty_dataset=False
        ),
    )


def of_tensors(spec: Any, number: int) -> Sequence[Step]:
    return (
        lambda data: data.padded_batch(number + 1),
        lambda data: data.padded_batch(number, padded_shapes=[12] * spec.shape.rank),
        lambda data: data.ragged_batch(number),
        lambda data: data.window(number, shift=2).flat_map(lambda one: one.batch(number)),
        lambda data: data.window(number, stride=2).flat_map(lambda one: one),
        lambda data: data.map(lambda one: tf.py_function(lambda x: x, [one], spec)),
        lambda data: data.map(lambda one: tf.numpy_function(lambda x: x, [one], spec)),
        lambda data: Dataset.from_generator(lambda: iter(data), output_signature=spec),
        lambda data: Dataset.from_generator(data.as_numpy_iterator, output_signature=spec),
    )


def of_rows(number: int) -> Sequence[Step]:
    return (
        lambda data: data.unbatch(),
        lambda data: data.rebatch(number),
        lambda data: data.map(lambda one: one[::-1]),
        lambda data: data.flat_map(Dataset.from_tensor_slices),
        lambda data: data.apply(tf.data.experimental.dense_to_ragged_batch(number)),
        lambda data: data.bucket_by_sequence_length(
            lambda one: tf.shape(one)[0], [2], [number, number + 1]
        ),
    )


def of_composites(number: int) -> Sequence[Step]:
    return (
        lambda data: data.unbatch(),
        lambda data: data.flat_map(Dataset.from_tensor_slices),
        lambda data: data.map(dense),
    )


def dense(one: Any) -> Any:
    if isinstance(one, tf.SparseTensor):
        return tf.sparse.to_dense(one)
    return one.to_tensor() if isinstance(one, tf.RaggedTensor) else one


# ---------------------------------------------------------------- the comparison


def attack(count: int, seed: int) -> list[str]:
    """Let `count` pipelines run on numbers and on strings."""
    with tempfile.TemporaryDirectory() as folder:
        found = [compared(random.Random(f"{seed}/{number}"), folder) for number in range(count)]
    return [f"pipeline {k} of seed {seed}: {line}" for k, line in enumerate(found) if line]


def compared(choices: random.Random, folder: str) -> str | None:
    """How the two runs differ, if they do."""
    state = choices.getstate()
    wanted = outcome(Numbers(), choices, folder)
    choices.setstate(state)
    seen = outcome(Strings(), choices, folder)
    return None if wanted == seen else f"numbers give {wanted}, strings {seen}"


def outcome(kind: Kind, choices: random.Random, folder: str) -> Any:
    """The elements as Python values, or the class of what was raised."""
    try:
        data = choices.choice(SOURCES)(kind, choices.randint(1, 9), folder)
        for _ in range(choices.randint(1, 5)):
            steps = steps_for(data.element_spec, choices.randint(1, 3))
            data = choices.choice(steps)(data)
        return [[kind.read(one) for one in parts(element)] for element in data.take(40)]
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return type(error).__name__


def parts(element: Any) -> Sequence[Any]:
    return tree.flatten(element, expand_composites=True)
