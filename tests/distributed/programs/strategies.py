"""What the code of replicas, and what stands above it, gets from two workers."""

import json
import os
import sys

import numpy as np
import tensorflow as tf

folder = sys.argv[1]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
AGGREGATION, SYNCHRONIZATION = tf.VariableAggregation, tf.VariableSynchronization


def tell(name, *values):
    plain = [one if isinstance(one, list) else np.asarray(one).tolist() for one in values]
    print(json.dumps([name, *plain]), flush=True)


tell("replicas", strategy.num_replicas_in_sync, strategy.extended.should_checkpoint == (me == 0))
with strategy.scope():
    plain = tf.Variable(me + 1.0)
    mean = tf.Variable([10.0 * me, 1.0], aggregation=AGGREGATION.MEAN)
    total = tf.Variable(0.0, aggregation=AGGREGATION.SUM)
    on_read = {
        how: tf.Variable(0.0, synchronization=SYNCHRONIZATION.ON_READ, aggregation=how)
        for how in (AGGREGATION.SUM, AGGREGATION.MEAN, AGGREGATION.ONLY_FIRST_REPLICA)
    }
tell("from the first", plain.numpy(), mean.numpy())


@tf.function
def change():
    context = tf.distribute.get_replica_context()
    number = tf.cast(context.replica_id_in_sync_group, tf.float32)
    mean.assign_add([number + 1.0, number + 1.0])
    total.assign_add(number + 1.0)
    for one in on_read.values():
        one.assign_add(number + 1.0)
    return context.all_reduce("MEAN", tf.cast(number, tf.int32) * 3 + 3)


tell("mean of integers", strategy.run(change))
tell("local", *strategy.experimental_local_results([1, strategy.run(lambda: 2)]))
tell("changed", mean.numpy(), total.numpy())
tell("read", *[on_read[how].numpy() for how in (AGGREGATION.SUM, AGGREGATION.MEAN)])
on_read[AGGREGATION.SUM].assign(8.0)
tell("assigned", on_read[AGGREGATION.SUM].numpy())


def gradients():
    x = tf.constant(2.0 + me)
    context = tf.distribute.get_replica_context()
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        summed = context.all_reduce("SUM", x * x)
        averaged = context.all_reduce("MEAN", x * x) * (me + 1.0)
        rows = context.all_gather(tf.fill([me + 1], x * x), axis=0)
        weighted = tf.reduce_sum(rows * [1.0, 10.0, 100.0]) * (me + 1.0)
    return [tape.gradient(one, x) for one in (summed, averaged, weighted)]


tell(f"gradients {me}", *strategy.run(gradients))
tell(f"gradients {me}", *strategy.run(tf.function(gradients)))
tell("reduce", strategy.reduce("SUM", tf.constant(me + 1), axis=None),
     strategy.reduce("MEAN", tf.range(2.0 + me), axis=0))  # fmt: skip
tell("gather", strategy.gather(tf.fill([2, me + 1], me), axis=1))


def merged(merge):
    keys = {"group_key": 1, "instance_key": 1, "ordering_token": []}
    return tf.raw_ops.CollectiveReduceV2(
        input=me + 2.0, group_size=2, merge_op=merge, final_op="Id", **keys
    )


tell("merged", *map(merged, ("Mul", "Min", "Max")))


def rows(dataset):
    return [strategy.experimental_local_results(one)[0].numpy().tolist() for one in dataset]


numbers = tf.data.Dataset.range(11)
tell(f"data {me}", rows(strategy.experimental_distribute_dataset(numbers.batch(4))))
tell(f"odd {me}", rows(strategy.experimental_distribute_dataset(numbers.batch(5))))
tell(f"own {me}", rows(strategy.distribute_datasets_from_function(
    lambda context: tf.data.Dataset.range(8)
    .shard(context.num_input_pipelines, context.input_pipeline_id)
    .batch(context.get_per_replica_batch_size(4)))))  # fmt: skip
names = [os.path.join(folder, f"{number}.txt") for number in range(3)]
for number, name in enumerate(names):
    with open(f"{name} {me}", "w") as file:
        file.write("".join(f"{10 * number + line}\n" for line in range(3)))
    os.replace(f"{name} {me}", name)
tell("written", strategy.reduce("SUM", 1, axis=None))
files = tf.data.Dataset.from_tensor_slices(names).interleave(tf.data.TextLineDataset, 2)
parsed = files.map(lambda line: tf.strings.to_number(line, tf.int32)).batch(4)
tell(f"files {me}", rows(strategy.experimental_distribute_dataset(parsed)))
