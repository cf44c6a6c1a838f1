"""What replicas that XLA runs are made of: operations that say whose they are, parts of arrays."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tensormill as tf
from tensormill.eager.storage import Away
from tensormill.graph.func_graph import finished_operations
from tensormill.xla.replicas.alignment import replicas_of
from tensormill.xla.replicas.shards import Shard

KINDS = "Exp", "AddV2"


def test_replicas_stand_in_their_order_wherever_they_say_they_do_something() -> None:
    strategy = tf.distribute.MirroredStrategy([f"CPU:{k}" for k in range(3)])

    @tf.function
    def step(x: Any) -> Any:
        def replica() -> Any:
            with tf.device("CPU:0"):
                return tf.exp(x * 2.0)

        with tf.device("CPU:2"):
            last = x + 1.0
        return strategy.run(replica), last

    graph = step.get_concrete_function(tf.constant(1.0)).graph
    operations = finished_operations(graph.get_operations())
    found = {name: [one.replica for one in operations if one.op.name == name] for name in KINDS}
    assert found == {"Exp": [(0, "CPU:0"), (1, "CPU:1"), (2, "CPU:2")], "AddV2": [None]}
    assert replicas_of(operations[::-1]) == ((0, "CPU:0"), (1, "CPU:1"), (2, "CPU:2"))


def test_a_copy_of_what_a_device_has_is_no_view_of_its_memory() -> None:
    for shape in ((3,), ()):
        whole = jnp.ones(shape or (1,), np.float32)
        shard = Shard(whole, 0, shape)
        for copy in (
            Away(shard).read(np.dtype(np.float32)),
            np.array(shard),
            shard.__array__(copy=True),
        ):
            assert copy.shape == shape
            assert copy.flags.owndata
            assert copy.flags.writeable
            assert not np.shares_memory(copy, np.asarray(whole))
        assert np.shares_memory(np.asarray(shard), np.asarray(whole))
        with pytest.raises(ValueError, match="copy"):
            np.array(shard, np.float64, copy=False)
