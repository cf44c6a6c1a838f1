"""A policy learns to balance a pole on a cart from rewards alone (REINFORCE, Williams 1992).

Physics, random actions, the episode's loop with its early end, discounted returns and the gradient
of the policy all happen in one `tf.function` per episode.
"""

import math

import tensorflow as tf

GRAVITY, CART, POLE, HALF_LENGTH, FORCE, TICK = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
LONGEST, DISCOUNT, RATE = 100, 0.98, 0.02

tf.random.set_seed(1)
first = tf.Variable(tf.random.normal([4, 16], stddev=0.5), name="first")
second = tf.Variable(tf.random.normal([16, 1], stddev=0.5), name="second")
policy = [first, second]


def push_right(state):
    """The logit of pushing to the right, for float32[4]: place, speed, angle, turning speed."""
    return tf.reshape(tf.tanh(state[tf.newaxis] @ first) @ second, [])


def move(state, force):
    """The state one tick later (Barto, Sutton and Anderson 1983)."""
    _, speed, angle, turning = tf.unstack(state)
    sine, cosine = tf.sin(angle), tf.cos(angle)
    total = CART + POLE
    shared = (force + POLE * HALF_LENGTH * turning**2 * sine) / total
    bend = (GRAVITY * sine - cosine * shared) / (HALF_LENGTH * (4 / 3 - POLE * cosine**2 / total))
    thrust = shared - POLE * HALF_LENGTH * bend * cosine / total
    return state + TICK * tf.stack([speed, thrust, turning, bend])


@tf.function
def play(start):
    """Play one episode: the log-probability of each action, and how long the pole stood."""
    state = start
    scores = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[])
    ticks = 0
    for _ in tf.range(LONGEST):
        logit = push_right(state)
        right = tf.random.uniform([]) < tf.sigmoid(logit)
        score = tf.math.log_sigmoid(tf.where(right, logit, -logit))
        scores = scores.write(ticks, score)
        state = move(state, tf.where(right, FORCE, -FORCE))
        ticks += 1
        if tf.abs(state[0]) > 2.4 or tf.abs(state[2]) > 12 * math.pi / 180:
            break
    return scores.stack(), ticks


def discounted(ticks):
    """float32[ticks]: the reward still to come after each action, on a common scale."""
    ones = tf.ones([ticks])
    returns = tf.scan(lambda later, now: now + DISCOUNT * later, ones, reverse=True)
    return (returns - tf.reduce_mean(returns)) / (tf.math.reduce_std(returns) + 1e-6)


@tf.function
def learn(start):
    with tf.GradientTape() as tape:
        scores, ticks = play(start)
        loss = -tf.reduce_sum(scores * discounted(ticks))
    gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, policy), 5.0)
    for variable, gradient in zip(policy, gradients, strict=True):
        variable.assign_sub(RATE * gradient)
    return ticks


lengths = [int(learn(tf.random.uniform([4], -0.05, 0.05))) for _ in range(200)]
print("first ten episodes:", lengths[:10])
early, late = sum(lengths[:10]) / 10, sum(lengths[-50:]) / 50
print("stands twice as long in the end:", late > 2 * early)
