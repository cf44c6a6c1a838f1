"""Find the line behind noisy points by gradient descent, then check it against the exact answer."""

import tensorflow as tf

SLOPE, OFFSET = 3.0, -2.0


def noisy_points(count):
    """float32[count, 1] twice: where, and how high."""
    x = tf.random.uniform([count, 1], -1.0, 1.0)
    noise = tf.random.normal([count, 1], stddev=0.1)
    return x, SLOPE * x + OFFSET + noise


class Line(tf.Module):
    def __init__(self):
        super().__init__(name="line")
        self.slope = tf.Variable(0.0, name="slope")
        self.offset = tf.Variable(0.0, name="offset")

    def __call__(self, x):
        return self.slope * x + self.offset


@tf.function
def step(line, x, y, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(x) - y))
    gradients = tape.gradient(loss, line.trainable_variables)
    for variable, gradient in zip(line.trainable_variables, gradients, strict=True):
        variable.assign_sub(rate * gradient)
    return loss


def least_squares(x, y):
    """The slope and the offset that no descent can beat."""
    mean_x, mean_y = tf.reduce_mean(x), tf.reduce_mean(y)
    slope = tf.reduce_mean((x - mean_x) * (y - mean_y)) / tf.math.reduce_variance(x)
    return slope, mean_y - slope * mean_x


tf.random.set_seed(7)
x, y = noisy_points(200)
line = Line()
for epoch in range(101):
    loss = step(line, x, y, tf.constant(0.3))
    if epoch % 20 == 0:
        print(f"epoch {epoch:3}: loss {loss:.5f}")
print(f"found    y = {line.slope.numpy():.4f} x + {line.offset.numpy():.4f}")
slope, offset = least_squares(x, y)
print(f"exactly  y = {slope:.4f} x + {offset:.4f}")
print("traced", step.experimental_get_tracing_count(), "time")
