"""Saves a checkpoint, or restores one: by one process, by logical CPUs, or by two workers.

python checkpoints.py save|restore FOLDER REPLICAS
"""

import json
import os
import sys

import tensorflow as tf

what, folder, replicas = sys.argv[1], sys.argv[2], int(sys.argv[3])
SUM, ON_READ = tf.VariableAggregation.SUM, tf.VariableSynchronization.ON_READ


def strategy_for():
    if "TF_CONFIG" in os.environ:
        return tf.distribute.MultiWorkerMirroredStrategy()
    each = [tf.config.LogicalDeviceConfiguration()] * replicas
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], each)
    return tf.distribute.MirroredStrategy()


strategy = strategy_for()
first = float(what == "save")
with strategy.scope():
    weights = tf.Variable([first, 2 * first])
    seen = tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM, trainable=False)
checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
strategy.run(lambda: seen.assign_add(first * 6 / strategy.num_replicas_in_sync))
if what == "save":
    # Reading `seen` is for all workers; the first one's file is what counts.
    own = "saved" if strategy.extended.should_checkpoint else "another worker's"
    checkpoint.write(os.path.join(folder, own))
else:
    checkpoint.read(os.path.join(folder, "saved")).assert_consumed()
print(json.dumps([weights.numpy().tolist(), float(seen.numpy())]))
