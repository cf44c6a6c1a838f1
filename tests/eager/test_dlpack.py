"""Tensors that other libraries take and give."""

from __future__ import annotations

import numpy as np

import tensormill as tf
from tensormill.eager.dlpack import Capsule

dlpack = tf.experimental.dlpack


def test_a_tensor_goes_out_and_comes_back() -> None:
    tensor = tf.constant([[1.0, 2.0]])

    assert [[1, 2]] == dlpack.from_dlpack(dlpack.to_dlpack(tensor)).numpy().tolist()


def test_a_capsule_is_of_the_processors_memory() -> None:
    assert tf.constant(1)._array.__dlpack_device__() == Capsule(None).__dlpack_device__()


def test_who_takes_a_capsule_does_not_change_the_tensor() -> None:
    tensor = tf.constant([1, 2])
    taken = np.from_dlpack(tf.Variable([1, 2]).value())
    array = np.asarray(dlpack.from_dlpack(tensor))

    assert [1, 2] == taken.tolist() == array.tolist()


def test_what_others_do_with_their_memory_later_is_not_seen() -> None:
    array = np.array([1, 2])
    tensor = dlpack.from_dlpack(array)
    array[0] = 9

    assert [1, 2] == tensor.numpy().tolist()
    assert tf.int64 == tensor.dtype
