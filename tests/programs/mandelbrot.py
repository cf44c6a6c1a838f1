"""The Mandelbrot set: how long each point of the plane stays near, without leaving machine code."""

import tensorflow as tf

WIDTH, HEIGHT, PATIENCE = 64, 25, 80
INK = " .:-=+*#%@"


@tf.function
def escape_times(c, patience):
    """int32[height, width]: the steps of z → z² + c until |z| > 2, at most `patience`."""
    z = tf.zeros_like(c)
    times = tf.zeros(tf.shape(c), tf.int32)
    for _ in tf.range(patience):
        near = tf.abs(z) <= 2.0
        if not tf.reduce_any(near):
            break
        z = tf.where(near, z * z + c, z)
        times += tf.cast(near, tf.int32)
    return times


@tf.function
def escape_time(c, patience):
    """The same for one point: early return from a loop over scalars."""
    z = tf.zeros_like(c)
    time = 0
    while time < patience and tf.abs(z) <= 2.0:
        z = z * z + c
        time += 1
    return time


x = tf.linspace(tf.constant(-2.1, tf.float64), 0.7, WIDTH)
y = tf.linspace(tf.constant(1.2, tf.float64), -1.2, HEIGHT)
plane = tf.complex(*tf.meshgrid(x, y))
times = escape_times(plane, tf.constant(PATIENCE))
shades = (len(INK) - 1) * times // PATIENCE
for row in shades.numpy():
    print("".join(INK[shade] for shade in row).rstrip())
inside = tf.math.count_nonzero(times == PATIENCE)
print("inside:", int(inside), "of", int(tf.size(times)))
for point in (-1.0, 0.3 + 0.5j, -0.75 + 0.1j, 0.26):
    time = escape_time(tf.constant(point, tf.complex128), tf.constant(1000))
    print(point, "stays for", int(time))
