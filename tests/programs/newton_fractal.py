"""Which root of z³ = 1 does Newton's method find from each point of the plane?

The picture is one tensor; a `while` that stops when every point has settled is one native loop.
"""

import numpy as np
import tensorflow as tf

WIDTH, HEIGHT = 48, 23
ROOTS = tf.constant([1, -0.5 + 0.75**0.5 * 1j, -0.5 - 0.75**0.5 * 1j], tf.complex128)


@tf.function
def settle(z, tolerance):
    """Follow Newton's steps: where each point ends, and how many steps the slowest needed."""
    steps = 0
    moved = tf.ones_like(tf.abs(z))
    while tf.reduce_max(moved) > tolerance and steps < 60:
        following = z - (z**3 - 1) / (3 * z**2)
        moved = tf.abs(following - z)
        z = following
        steps += 1
    return z, steps


def nearest_root(z):
    """int64[height, width]: the number of the root that each point is closest to."""
    distances = tf.abs(z[..., tf.newaxis] - ROOTS)
    return tf.argmin(distances, axis=-1)


x = tf.linspace(tf.constant(-2.0, tf.float64), 2.0, WIDTH)
y = tf.linspace(tf.constant(1.5, tf.float64), -1.5, HEIGHT + 1)[:HEIGHT]
columns, rows = tf.meshgrid(x, y)
z, steps = settle(tf.complex(columns, rows), tf.constant(1e-6, tf.float64))
basins = nearest_root(z)

for row in basins.numpy():
    print("".join(".+#"[index] for index in row))
print("steps of the slowest point:", int(steps))
print("points at each root:", np.bincount(basins.numpy().reshape(-1)).tolist())
print("all are roots:", bool(tf.reduce_all(tf.abs(z**3 - 1) < 1e-12)))
