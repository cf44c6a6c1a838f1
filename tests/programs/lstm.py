"""A long short-term memory cell by hand, trained to remember the first number of a sequence.

The sequence is a `TensorArray`, time is a loop over `tf.range`, and the gradient flows back
through it (Hochreiter and Schmidhuber 1997). The length is only known when the program runs.
"""

import tensorflow as tf

HIDDEN = 8

tf.random.set_seed(5)
kernel = tf.Variable(tf.random.normal([1 + HIDDEN, 4 * HIDDEN], stddev=0.4), name="kernel")
bias = tf.Variable(tf.zeros([4 * HIDDEN]), name="bias")
readout = tf.Variable(tf.random.normal([HIDDEN, 1], stddev=0.4), name="readout")
variables = [kernel, bias, readout]
means = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]


def cell(x, hidden, memory):
    """One step of time for float32[batch, 1] and two float32[batch, HIDDEN]."""
    gates = tf.concat([x, hidden], axis=1) @ kernel + bias
    let_in, forget, candidate, let_out = tf.split(gates, 4, axis=1)
    memory = tf.sigmoid(forget + 1.0) * memory + tf.sigmoid(let_in) * tf.tanh(candidate)
    return tf.sigmoid(let_out) * tf.tanh(memory), memory


def remember(sequence):
    """float32[batch]: what is read out after the last step of float32[batch, time]."""
    batch, length = tf.shape(sequence)[0], tf.shape(sequence)[1]
    inputs = tf.TensorArray(tf.float32, size=length).unstack(tf.transpose(sequence))
    hidden = tf.zeros([batch, HIDDEN])
    memory = tf.zeros([batch, HIDDEN])
    for time in tf.range(length):
        hidden, memory = cell(inputs.read(time)[:, tf.newaxis], hidden, memory)
    return tf.squeeze(hidden @ readout, axis=1)


@tf.function(input_signature=[tf.TensorSpec([None, None])])
def train(sequence):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(remember(sequence) - sequence[:, 0]))
    gradients = tape.gradient(loss, variables)
    for variable, mean, gradient in zip(variables, means, gradients, strict=True):
        mean.assign(0.9 * mean + 0.1 * tf.square(gradient))
        variable.assign_sub(0.01 * gradient * tf.math.rsqrt(mean + 1e-6))
    return loss


for step in range(201):
    length = 3 + step % 4
    loss = train(tf.random.uniform([32, length], -1.0, 1.0))
    if step % 40 == 0:
        print(f"step {step:3}, length {length}: loss {loss:.5f}")

check = tf.constant([[0.8, -0.3, 0.4], [-0.5, 0.9, 0.1]])
with tf.GradientTape() as tape:
    tape.watch(check)
    answer = remember(check)
print("remembered:", [f"{number:.3f}" for number in answer.numpy()])
pull = tf.reduce_mean(tf.abs(tape.gradient(answer, check)), axis=0)
print("influence of each place:", [f"{number:.3f}" for number in pull.numpy()])
print("traced", train.experimental_get_tracing_count(), "time for four lengths")
