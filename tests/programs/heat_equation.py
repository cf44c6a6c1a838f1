"""Heat spreads along a rod whose ends are held cold: slices, a time loop, and a known answer.

Two thousand explicit steps run in one `tf.function`; snapshots are collected in a `TensorArray`.
"""

import math

import tensorflow as tf

POINTS = 51
STEPS, SNAPSHOTS = 2000, 5
DIFFUSIVITY = 1.0
SPACING = 1.0 / (POINTS - 1)
TIME_STEP = 0.4 * SPACING**2 / DIFFUSIVITY


def second_derivative(u):
    """float64[points - 2]: of the inner points."""
    return (u[2:] - 2.0 * u[1:-1] + u[:-2]) / SPACING**2


@tf.function
def simulate(u):
    """float64[snapshots, points]: the rod after equal spans of time."""
    pictures = tf.TensorArray(tf.float64, size=SNAPSHOTS, element_shape=[POINTS])
    for step in tf.range(STEPS):
        inner = u[1:-1] + TIME_STEP * DIFFUSIVITY * second_derivative(u)
        u = tf.pad(inner, [[1, 1]])
        if (step + 1) % (STEPS // SNAPSHOTS) == 0:
            pictures = pictures.write(step // (STEPS // SNAPSHOTS), u)
    return pictures.stack()


x = tf.linspace(tf.constant(0.0, tf.float64), 1.0, POINTS)
start = tf.sin(math.pi * x) + 0.5 * tf.sin(3 * math.pi * x)
pictures = simulate(start)

for number in range(SNAPSHOTS):
    time = (number + 1) * (STEPS // SNAPSHOTS) * TIME_STEP
    exact = tf.sin(math.pi * x) * math.exp(-(math.pi**2) * time) + 0.5 * tf.sin(
        3 * math.pi * x
    ) * math.exp(-9 * math.pi**2 * time)
    error = tf.reduce_max(tf.abs(pictures[number] - exact))
    middle = pictures[number, POINTS // 2]
    print(f"t = {time:.3f}: middle {middle:.6f}, error {error:.2e}")

profile = pictures[0].numpy()
for index in range(0, POINTS, 5):
    print(f"{index * SPACING:.1f} " + "*" * round(float(profile[index]) * 60))
