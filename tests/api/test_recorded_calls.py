"""TensorFlow was asked at least three times what each public function does."""

from __future__ import annotations

from collections import Counter

from tests.ops.calls import asked

from . import tensorflow_names as names

ENOUGH = 3

# Why some were asked less often.
REASONS = {
    "TensorFlow has no kernel of it for CPUs": (
        "tf.conv2d_backprop_filter_v2 tf.conv2d_backprop_input_v2 tf.math.approx_min_k tf.fftnd "
        "tf.ifftnd tf.irfftnd tf.rfftnd tf.signal.fftnd tf.signal.ifftnd tf.signal.irfftnd "
        "tf.signal.rfftnd"
    ),
    "TensorFlow takes it before it runs its first operation": (
        "tf.config.threading.set_inter_op_parallelism_threads "
        "tf.config.threading.set_intra_op_parallelism_threads "
        "tf.experimental.dtensor.initialize_accelerator_system "
        "tf.experimental.dtensor.initialize_multi_client "
        "tf.experimental.dtensor.initialize_tpu_system "
        "tf.experimental.dtensor.shutdown_accelerator_system"
    ),
    "nothing takes it back": (
        "tf.config.experimental.enable_op_determinism tf.data.experimental.enable_debug_mode "
        "tf.experimental.enable_strict_mode "
        "tf.experimental.numpy.experimental_enable_numpy_behavior"
    ),
    "it asks another process": (
        "tf.data.experimental.distributed_save tf.data.experimental.service.distribute "
        "tf.data.experimental.service.register_dataset"
    ),
    "is of TPUs": (
        "tf.config.experimental_connect_to_cluster "
        "tf.experimental.dtensor.create_tpu_mesh tf.experimental.dtensor.shutdown_tpu_system "
        "tf.tpu.experimental.initialize_tpu_system tf.tpu.experimental.shutdown_tpu_system"
    ),
    "TensorFlow has it where NumPy's behaviour is switched on": "tf.experimental.numpy.around",
    "is not the same on purpose: XLA is one of two back ends": "tf.test.is_built_with_xla",
    "ends the process": "tf.test.main",
    "is for annotations": "tf.types.experimental.TensorLike",
}
EXCUSED = {name for words in REASONS.values() for name in words.split()}


def seldom() -> set[str]:
    """Functions of which too few calls are recorded, each by the first of its names."""
    counts: Counter[str] = Counter()
    for taken in asked.recorded().values():
        counts.update(taken)
    groups: dict[int, list[str]] = {}
    for name in sorted(asked.functions() - set(names.MISSING.read_text().splitlines())):
        groups.setdefault(id(names.ours(name)), []).append(name)
    return {group[0] for group in groups.values() if sum(counts[name] for name in group) < ENOUGH}


def test_three_calls_of_each_public_function_are_recorded() -> None:
    """What is missing goes into `tests/ops/calls/lines`, and `python -m tests.ops.record function`
    asks TensorFlow.
    """
    assert sorted(EXCUSED) == sorted(seldom())
