"""What NVIDIA's library would do is traced, and refused where it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.process.accelerators import accelerators


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
        with pytest.raises(tf.errors.NotFoundError, match="NVIDIA's library, which is not used"):
            run(tf.constant(x))


def test_where_there_is_a_gpu_they_are_not_even_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accelerators, "of", lambda kind: ("a GPU",) if kind == "GPU" else ())

    with pytest.raises(tf.errors.NotFoundError, match="CudnnRNNV3 is a function of NVIDIA's"):
        tf.function(layers).get_concrete_function(tf.TensorSpec([4, None, 3]))


@pytest.mark.parametrize(("operation", "outputs"), [("CudnnRNN", 4), ("CudnnRNNV2", 5)])
def test_older_forms_tell_their_shapes(operation: str, outputs: int) -> None:
    def both_ways(x: Any, state: Any) -> Any:
        run = getattr(tf.raw_ops, operation)
        made = run(
            input=x, input_h=state, input_c=[0.0], params=[1.0], rnn_mode="gru",
            direction="bidirectional",
        )  # fmt: skip
        return tuple(made)

    traced = tf.function(both_ways).get_concrete_function(
        tf.TensorSpec([7, None, 4]), tf.TensorSpec([2, 3, 5])
    )

    shapes = [output.shape for output in traced.outputs]
    assert [[7, None, 10], [2, 3, 5], []] == [shape.as_list() for shape in shapes[:3]]
    assert len(shapes) == outputs
    assert all(shape.rank is None for shape in shapes[3:])
    with pytest.raises(tf.errors.NotFoundError, match=operation):
        both_ways(tf.zeros([7, 3, 4]), tf.zeros([2, 3, 5]))
