"""The options of a dataset as TensorFlow's message: the bytes that TensorFlow 2.21 gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

from .test_raw_datasets import ONE, RAW, numbers, passed

NONE = b"\x12\x00\x1a\x00*\x00:\x00b\x00"
OPTIMIZATIONS = (
    "apply_default_optimizations filter_fusion filter_parallelization map_and_batch_fusion "
    "map_and_filter_fusion map_fusion map_parallelization noop_elimination parallel_batch "
    "shuffle_and_repeat_fusion inject_prefetch seq_interleave_prefetch"
)


def message(dataset: Any) -> bytes:
    handle = getattr(dataset, "_variant_tensor", dataset)
    found = RAW.GetOptions(input_dataset=handle)
    assert (tf.string, []) == (found.dtype, found.shape.as_list())
    return found.numpy()


def asked(tell: Callable[[Any], object]) -> Any:
    options = tf.data.Options()
    tell(options)
    return tf.data.Dataset.range(3).with_options(options)


def tell_all(options: Any) -> None:
    options.deterministic = False
    options.threading.private_threadpool_size = 3
    options.threading.max_intra_op_parallelism = 2
    options.autotune.enabled = True
    options.autotune.cpu_budget = 4
    options.autotune.ram_budget = 100
    options.autotune.autotune_algorithm = tf.data.experimental.AutotuneAlgorithm.GRADIENT_DESCENT
    policies = tf.data.experimental.AutoShardPolicy
    options.experimental_distribute.auto_shard_policy = policies.DATA
    options.experimental_distribute.num_devices = 2
    for name in OPTIMIZATIONS.split():
        setattr(options.experimental_optimization, name, True)
    options.experimental_slack = True
    options.experimental_symbolic_checkpoint = False
    options.experimental_warm_start = True
    states = tf.data.experimental.ExternalStatePolicy
    options.experimental_external_state_policy = states.IGNORE


def test_options_become_a_message() -> None:
    def tell_names(options: Any) -> None:
        options.dataset_name, options.framework_type = "abc", ["x"]

    everything = (
        b"\x08\x00\x12\x04\x08\x02\x10\x02\x1a\x1c\x08\x010\x01H\x01P\x01X\x01`\x01p\x01x\x01\x88"
        b"\x01\x01\x90\x01\x01\x98\x01\x01\xa8\x01\x01 \x01*\x04\x08\x02\x10\x030\x01:\x08\x08\x01"
        b"\x10\x04\x18d \x02@\x00H\x01b\x00"
    )
    dataset = asked(tell_all)

    assert b"" == message(tf.data.Dataset.range(3))
    assert NONE == message(asked(lambda options: None))
    assert b"\x08\x01" + NONE == message(asked(lambda o: setattr(o, "deterministic", True)))
    assert everything == message(dataset) == message(dataset.map(lambda x: x).batch(2))
    assert b"\x12\x00\x1a\x00*\x00:\x00R\x03abcZ\x01xb\x00" == message(asked(tell_names))


def test_options_that_come_later_count() -> None:
    def later(options: Any) -> None:
        options.experimental_slack, options.deterministic = True, False

    first, second = asked(lambda o: setattr(o, "deterministic", True)), asked(later)
    without, with_slack = (
        b"\x12\x00\x1a\x00*\x00:\x00b\x00",
        b"\x12\x00\x1a\x00 \x01*\x00:\x00b\x00",
    )

    assert b"\x08\x01" + without == message(first)
    assert b"\x08\x00" + with_slack == message(first.with_options(second.options()))
    assert b"\x08\x00" + with_slack == message(tf.data.Dataset.zip((first, second)))
    assert b"\x08\x01" + with_slack == message(second.concatenate(first))


def test_a_message_is_options_as_it_is() -> None:
    dataset = RAW.OptionsDataset(input_dataset=numbers(3), serialized_options=b"\x08\x01", **ONE)
    taken = RAW.TakeDataset(input_dataset=dataset, count=2, **ONE)
    traced = tf.function(lambda handle: RAW.GetOptions(input_dataset=handle))

    assert b"\x08\x01" == message(dataset) == message(taken) == traced(dataset).numpy()
    assert [[0], [1], [2]] == passed(dataset)
    broken = RAW.OptionsDataset(input_dataset=numbers(3), serialized_options=b"\x08", **ONE)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no options"):
        message(broken)
