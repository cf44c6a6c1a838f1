"""A block of a transformer: heads and hidden units are divided along `model`, examples not yet."""

from typing import Any

import numpy as np
import tensorflow as tf

BATCH, LENGTH, WIDTH, HEADS, SIZE = 16, 32, 64, 8, 8
dtensor = tf.experimental.dtensor
mesh = dtensor.create_mesh([("batch", 1), ("model", 1)], devices=["CPU:0"])


def variable(name, shape, *axes):
    layout = dtensor.Layout([axis or dtensor.UNSHARDED for axis in axes], mesh)
    return dtensor.DVariable(np.full(shape, 0.1, np.float32), layout=layout, name=name)


queries, keys, values = (
    variable(name, [WIDTH, HEADS, SIZE], "", "model", "") for name in ("queries", "keys", "values")
)
joined = variable("joined", [HEADS, SIZE, WIDTH], "model", "", "")
inner = variable("inner", [WIDTH, 4 * WIDTH], "", "model")
outer = variable("outer", [4 * WIDTH, WIDTH], "model", "")
variables = [queries, keys, values, joined, inner, outer]
steps = dtensor.DVariable(np.int64(0), layout=dtensor.Layout([], mesh), name="steps")


def loss_of(x):
    q, k, v = (tf.einsum("btd,dhs->bhts", x, one) for one in (queries, keys, values))
    weights = tf.nn.softmax(tf.einsum("bhts,bhus->bhtu", q, k))
    y = x + tf.einsum("bhts,hsd->btd", tf.einsum("bhtu,bhus->bhts", weights, v), joined)
    hidden = tf.nn.relu(tf.einsum("btd,df->btf", y, inner))
    return tf.reduce_mean((y + tf.einsum("btf,fd->btd", hidden, outer)) ** 2)


@tf.function(input_signature=[tf.TensorSpec([None, LENGTH, WIDTH])])
def step(x):
    with tf.GradientTape() as tape:
        loss = loss_of(x)
    gradients: Any = tape.gradient(loss, variables)
    for one, gradient in zip(variables, gradients, strict=True):
        one.assign_sub(0.1 * gradient)
    steps.assign_add(1)
    return loss
