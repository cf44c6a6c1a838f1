"""Solve x' = v, v' = μ(1 - x²)v - x (van der Pol) with steps that choose their own size.

Each step is taken by Heun's rule and by Euler's: their difference is the error. A step that errs
too much is tried again, shorter. How often is only known while it runs: a native `while`.
"""

import tensorflow as tf

STIFFNESS = tf.constant(2.0, tf.float64)


def velocity(state):
    x, v = tf.unstack(state)
    return tf.stack([v, STIFFNESS * (1.0 - x * x) * v - x])


def heun(state, step):
    """The state after `step`, and an estimate of the error."""
    here = velocity(state)
    there = velocity(state + step * here)
    following = state + 0.5 * step * (here + there)
    return following, tf.reduce_max(tf.abs(0.5 * step * (there - here)))


@tf.function
def solve(state, end, tolerance):
    """The last state, the accepted times and places, and how many steps were refused."""
    time = tf.zeros([], tf.float64)
    step = 0.1 * tf.ones([], tf.float64)
    times = tf.TensorArray(tf.float64, size=0, dynamic_size=True, element_shape=[])
    places = tf.TensorArray(tf.float64, size=0, dynamic_size=True, element_shape=[])
    accepted = refused = 0
    while time < end:
        step = tf.minimum(step, end - time)
        following, error = heun(state, step)
        if error <= tolerance:
            time += step
            state = following
            times = times.write(accepted, time)
            places = places.write(accepted, state[0])
            accepted += 1
        else:
            refused += 1
        step *= tf.clip_by_value(0.9 * tf.sqrt(tolerance / (error + 1e-30)), 0.2, 3.0)
    return state, times.stack(), places.stack(), refused


start = tf.constant([2.0, 0.0], tf.float64)
end = tf.constant(20.0, tf.float64)
for tolerance in (1e-2, 1e-3, 1e-4):
    state, times, places, refused = solve(start, end, tf.constant(tolerance, tf.float64))
    print(f"tolerance {tolerance:g}: {len(times)} steps, {int(refused)} refused", end=", ")
    print(f"x = {state[0]:.5f}, v = {state[1]:.5f}")

sizes = times[1:] - times[:-1]
print(f"the shortest step is {tf.reduce_min(sizes):.5f}, the longest {tf.reduce_max(sizes):.5f}")
swings = tf.reduce_sum(tf.cast(places[1:] * places[:-1] < 0, tf.int32))
print("x changed its sign", int(swings), "times")
