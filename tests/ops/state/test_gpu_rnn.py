"""What NVIDIA's library would do is traced, and refused where it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def layers(x: Any) -> Any:
    state = tf.zeros([1, 2, 5])
    return tf.raw_ops.CudnnRNNV3(
        input=x, input_h=state, input_c=state, params=tf.zeros([9]), sequence_lengths=[4, 4]
    )


def test_layers_for_a_gpu_are_traced_and_do_not_run() -> None:
    x = np.zeros((4, 2, 3), np.float32)
    traced = tf.function(lambda x: layers(x).output).get_concrete_function(
        tf.TensorSpec([4, None, 3])
    )

    assert [4, None, 5] == traced.outputs[0].shape.as_list()
    for run in (layers, traced):
        with pytest.raises(tf.errors.UnimplementedError, match="GPUs alone"):
            run(tf.constant(x))
