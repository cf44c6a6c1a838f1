"""A classifier as scripts of TensorFlow 1 wrote it: scopes, regularizers, a saver, epochs."""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

flags = tf.app.flags
flags.DEFINE_integer("epochs", 4, "How often the examples are seen.")
flags.DEFINE_float("rate", 0.05, "The learning rate at the beginning.")
FLAGS = flags.FLAGS


def examples(count):
    """Points in two rings, and which ring each is in."""
    angles = np.arange(count) * 2.399963
    labels = np.arange(count) % 2
    radii = 1.0 + labels + 0.2 * np.sin(np.arange(count) * 1.7)
    points = np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
    return points.astype(np.float32), labels.astype(np.int32)


def weights(name, shape):
    start = np.sin(np.arange(np.prod(shape)) * 12.9898).reshape(shape).astype(np.float32)
    regularizer = lambda v: 1e-4 * tf.nn.l2_loss(v)  # noqa: E731
    return tf.get_variable(name, initializer=tf.constant(start), regularizer=regularizer)


def dense(x, units, scope, activation=None):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        w = weights("w", [x.get_shape()[1].value, units])
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
        y = tf.matmul(x, w) + b
        return y if activation is None else activation(y)


def model(x):
    with tf.variable_scope("model"):
        hidden = dense(x, 16, "hidden", tf.nn.tanh)
        return dense(hidden, 2, "logits")


def main(_):
    points, labels = examples(128)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.int32, [None], name="y")
    keep = tf.placeholder_with_default(1.0, [], name="keep")
    logits = tf.nn.dropout(model(x), keep_prob=keep)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    loss = tf.reduce_mean(losses) + tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    right = tf.equal(tf.argmax(logits, 1), tf.cast(y, tf.int64))
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(FLAGS.rate, step, 8, 0.9, staircase=True)
    optimizer = tf.train.AdamOptimizer(rate)
    pairs = [
        (tf.clip_by_norm(gradient, 1.0), variable)
        for gradient, variable in optimizer.compute_gradients(loss)
    ]
    train = optimizer.apply_gradients(pairs, global_step=step)
    saver = tf.train.Saver(max_to_keep=2)

    print([variable.name for variable in tf.trainable_variables()])
    with tempfile.TemporaryDirectory() as folder:
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for epoch in range(FLAGS.epochs):
                for start in range(0, 128, 32):
                    batch = slice(start, start + 32)
                    session.run(train, feed_dict={x: points[batch], y: labels[batch]})
                now = session.run([loss, accuracy, rate, step], {x: points, y: labels})
                print("epoch %d: loss %.4f, accuracy %.3f, rate %.4f, step %d" % (epoch, *now))
                saver.save(session, os.path.join(folder, "model"), global_step=step)
        latest = tf.train.latest_checkpoint(folder)
        print(os.path.basename(latest), len(saver.last_checkpoints))
        with tf.Session() as session:
            saver.restore(session, latest)
            print("restored: %.4f" % session.run(loss, {x: points, y: labels}))
            shared = session.run(model(tf.constant([[1.0, 0.0]])))
            print("shared weights: %s" % np.round(shared, 3).tolist())


if __name__ == "__main__":
    tf.app.run()
