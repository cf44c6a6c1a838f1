"""Private classes of datasets: what `isinstance` says of them, as on TensorFlow 2.21."""

from __future__ import annotations

import copy

import pytest

import tensormill as tf
from tensormill.compat.private_classes import KINDS
from tensormill.compat.private_modules.tools import dataset_kinds

NUMBERS = tf.data.Dataset.range(4)
MADE = {
    "_RangeDataset": NUMBERS,
    "_BatchDataset": NUMBERS.batch(2),
    "_ParallelBatchDataset": NUMBERS.batch(2, num_parallel_calls=2),
    "_PrefetchDataset": NUMBERS.prefetch(1),
    "_ShuffleDataset": NUMBERS.shuffle(2),
    "_RepeatDataset": NUMBERS.repeat(2),
    "_MapDataset": NUMBERS.map(lambda n: n),
    "_TensorSliceDataset": tf.data.Dataset.from_tensor_slices([1]),
    "_ZipDataset": tf.data.Dataset.zip((NUMBERS, NUMBERS)),
}


@pytest.mark.parametrize("name", MADE)
def test_datasets_are_of_the_class_that_made_them(name: str) -> None:
    kind = getattr(dataset_kinds, name)

    assert [name] == [other for other, made in MADE.items() if isinstance(made, kind)]
    assert issubclass(kind, tf.data.Dataset)
    assert isinstance(copy.copy(MADE[name]), kind)


def test_such_classes_make_nothing() -> None:
    with pytest.raises(NotImplementedError, match="use the method of"):
        dataset_kinds._BatchDataset(NUMBERS, 2)


def test_modules_of_methods_have_them() -> None:
    names = " ".join(KINDS.values()).split()

    assert MADE.keys() <= {*names}
    assert all(getattr(dataset_kinds, name).__name__ == name for name in names)
    assert not hasattr(dataset_kinds, "other")
