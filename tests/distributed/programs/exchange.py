"""Two workers exchange tensors by operations, eagerly and compiled; then their programs differ."""

import json

import numpy as np

import tensormill as tf
from tensormill.distribution.workers.joining import join
from tensormill.distribution.workers.membership import membership
from tensormill.ops.control.collectives import all_gathered, all_reduced

member = membership(tf.distribute.cluster_resolver.TFConfigClusterResolver())
group = join(member)
assert group is not None
me = member.rank


def tell(name, *values):
    print(json.dumps([name, *[np.asarray(one).tolist() for one in values]]), flush=True)


ones = np.array([me + 1, 10])
tell("sum, mean", group.reduce(ones, "Add"), group.reduce(ones * 1.5, "Add", "Div"))
tell("gather", group.gather(np.full((me + 1, 2), me, np.int16)))
tell("broadcast", group.broadcast(np.array([[me + 1, 2, 3]], np.int8)))
group.barrier("here")


@tf.function
def step(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = all_gathered(tf.fill([n], x), 2)
        y = all_reduced(x * x, 2) + tf.reduce_sum(rows * tf.range(1.0, 4.0)) * (me + 1.0)
    total = 0.0
    for k in tf.range(3):
        total += all_reduced(tf.cast(k, tf.float32), 2)
    return rows, total, tape.gradient(y, x)


tell("step", *step(tf.constant(2.0 + me), tf.constant(me + 1)))
try:
    all_reduced(tf.ones([3 + me]), 2)
except tf.errors.InvalidArgumentError as error:
    tell("different", error.message.partition(" (")[0])
