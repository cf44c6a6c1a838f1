"""Two convolutions and a mean, of images: what lies between them is the largest part."""

from __future__ import annotations

from typing import Any

import tensormill as tf

first = tf.Variable(tf.ones([3, 3, 3, 32]), name="first")
second = tf.Variable(tf.ones([3, 3, 32, 64]), name="second")


@tf.function(input_signature=[tf.TensorSpec([None, 32, 32, 3])])
def features(x: Any) -> Any:
    x = tf.nn.relu(tf.nn.conv2d(x, first, 1, "SAME"))
    x = tf.nn.relu(tf.nn.conv2d(x, second, 2, "SAME"))
    return tf.reduce_mean(x, [1, 2])
