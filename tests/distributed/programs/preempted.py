"""The second worker hears that its machine will stop: both save after the same step."""

import json
import os
import signal
import sys

import tensorflow as tf

folder, *stopped = sys.argv[1:]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank = strategy.cluster_resolver.task_id
with strategy.scope():
    total = tf.Variable(0.0)
    seen = tf.Variable(
        0.0, synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM, trainable=False,
    )  # fmt: skip
handler = tf.distribute.experimental.PreemptionCheckpointHandler(
    strategy.cluster_resolver, tf.train.Checkpoint(total=total, seen=seen), folder
)


@tf.function
def step():
    def replica_step():
        seen.assign_add(1.0)
        context = tf.distribute.get_replica_context()
        total.assign_add(context.all_reduce("SUM", tf.constant(rank + 1.0)))

    strategy.run(replica_step)


begun = int(handler.total_run_calls)
for number in range(begun, 8):
    if number == 3 and rank == 1 and stopped:
        os.kill(os.getpid(), signal.SIGTERM)
    handler.run(step)
print(json.dumps([begun, float(total.numpy()), float(seen.numpy())]))
