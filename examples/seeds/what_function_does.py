"""What tf.function does, as a program: types, captures, control flow, side effects, signatures.

Plain TensorFlow 2: `tensormill run examples/seeds/what_function_does.py`, or python where
TensorFlow is installed. Lines that begin with "speed" differ from one machine to the next.
"""

import sys
import timeit

import keras
import numpy as np
import tensorflow as tf


def chapter(title: str) -> None:
    print(f"\n== {title}")


chapter("The same function, only faster")


def scaled_elu(z, scale=1.0, alpha=1.0):
    is_positive = tf.greater_equal(z, 0.0)
    return scale * tf.where(is_positive, z, alpha * tf.nn.elu(z))


print(scaled_elu(tf.constant(-3.0)))
print(scaled_elu(tf.constant([-3.0, 2.5])))
scaled_elu_tf = tf.function(scaled_elu)
print(scaled_elu_tf(tf.constant(-3.0)))
print(scaled_elu_tf(tf.constant([-3.0, 2.5])))
print(scaled_elu_tf.python_function is scaled_elu)
for name, size in (("small", 10), ("large", 1_000_000)):
    z = tf.linspace(-3.0, 3.0, size)
    np.testing.assert_allclose(scaled_elu(z), scaled_elu_tf(z), rtol=1e-6)
    eager = min(timeit.repeat(lambda z=z: scaled_elu(z), number=10, repeat=5))
    graph = min(timeit.repeat(lambda z=z: scaled_elu_tf(z), number=10, repeat=5))
    print(f"speed: scaled elu of a {name} tensor, eager / graph = {eager / graph:.1f}")

chapter("Many types, a trace for each")


@tf.function
def double(a):
    print("tracing", a.dtype.name, a.shape)
    return a + a


print("result:", double(tf.constant(1)))
print("result:", double(tf.constant(1.1)))
print("result:", double(tf.constant("c")))
print("result:", double(tf.constant("d")))
double_strings = double.get_concrete_function(tf.TensorSpec(shape=None, dtype=tf.string))
print(double_strings(tf.constant("a")), double_strings(a=tf.constant("b")))

chapter("A model with a function inside: one graph with dropout, one without")


class MyModel(keras.Model):
    def __init__(self, keep_probability=0.2):
        super().__init__()
        self.dense1 = keras.layers.Dense(4)
        self.dense2 = keras.layers.Dense(5)
        self.keep_probability = keep_probability

    @tf.function
    def call(self, inputs, training=True):
        y = self.dense2(self.dense1(inputs))
        if training:
            return tf.nn.dropout(y, self.keep_probability)
        else:
            return y


keras.utils.set_random_seed(3)
model = MyModel()
x = tf.ones((200, 3))
without = model(x, training=False)
with_dropout = model(x, training=True)
dropped = float(tf.reduce_mean(tf.cast(with_dropout == 0.0, tf.float32)))
print(with_dropout.shape, "dropped about a fifth:", 0.15 < dropped < 0.25)
kept = with_dropout != 0.0
np.testing.assert_allclose(with_dropout[kept], without[kept] / 0.8, rtol=1e-5)
np.testing.assert_array_equal(model(x, training=False), without)

chapter("A function and its graph return the same")


def f(x, y):
    return tf.reduce_mean(tf.multiply(x**2, 3) + y)


g = tf.function(f)
x, y = tf.constant([[2.0, 3.0]]), tf.constant([[3.0, -2.0]])
assert f(x, y).numpy() == g(x, y).numpy()
print(g(x, y))

chapter("Tensors and variables from outside are captured")


@tf.function
def h():
    return f(x, y)


assert (h().numpy() == f(x, y).numpy()).all()
print(h(), "captured:", len(h.get_concrete_function().captured_inputs))

chapter("Control flow that depends on data")


@tf.function
def square_or_negate(x):
    if tf.reduce_sum(x) > 0:
        return x * x
    else:
        return -x // 2


print(square_or_negate(tf.constant([2, 3])), square_or_negate(tf.constant([-2, -3])))

chapter("Side effects: TensorFlow's happen, Python's happen while tracing")
seen_by_python, seen_at_run_time = [], []
v = tf.Variable(0.0)


@tf.function
def with_side_effects(x):
    for i in x:
        print("in Python's eyes a loop has one turn")
        tf.compat.v1.assign(v, i)
        tf.py_function(lambda i: seen_at_run_time.append(float(i)), [i], [])
    seen_by_python.append(x)


with_side_effects(tf.constant([1.0, 2.0, 3.0]))
with_side_effects(tf.constant([4.0, 5.0, 6.0]))
print(v.numpy(), seen_at_run_time, len(seen_by_python))

chapter("Each Python number has a trace, all tensors of a kind share one")


@tf.function
def scaled(x):
    return x * 2


for number in (2, 3, 2, 3):
    scaled(number)
print(scaled.experimental_get_tracing_count(), "traces of numbers")
for number in (2, 3, 4, 5):
    scaled(tf.constant(number))
print(scaled.experimental_get_tracing_count(), "traces after four tensors")

chapter("A variable counts the calls")
c = tf.Variable(0)


@tf.function
def count_and_add(x):
    c.assign_add(1)
    return x + tf.compat.v1.to_float(c)


assert int(c) == 0
assert count_and_add(1.0) == 2.0
assert int(c) == 1
assert count_and_add(1.0) == 3.0
assert int(c) == 2
print("calls:", int(c))

chapter("Methods: each object has variables of its own")


class Dense:
    def __init__(self):
        self.W = tf.Variable(tf.compat.v1.glorot_uniform_initializer()((10, 10)))
        self.b = tf.Variable(tf.zeros(10))

    @tf.function
    def compute(self, x):
        return tf.matmul(x, self.W) + self.b


d1, d2 = Dense(), Dense()
x = tf.random.uniform((10, 10))
assert not (d1.compute(x).numpy() == d2.compute(x).numpy()).all()
np.testing.assert_allclose(d1.compute(x), tf.matmul(x, d1.W), rtol=1e-5)
print("two objects, two results")

chapter("Three shapes, three graphs; with a signature, one")


@tf.function
def increment(x):
    return tf.add(x, 1.0)


@tf.function(input_signature=[tf.TensorSpec(shape=None, dtype=tf.float32)])
def increment_any(x):
    return tf.add(x, 1.0)


for value in (1.0, [1.0, 1.0], [[3.0]]):
    np.testing.assert_array_equal(increment(tf.constant(value)), increment_any(tf.constant(value)))
print(increment.experimental_get_tracing_count(), increment_any.experimental_get_tracing_count())
print(increment_any([1, 2]))  # converted to what the signature says

chapter("NumPy's numbers are constants of the graph, TensorFlow's are drawn anew")


def add_noise():
    return tf.eye(5) + np.random.randn(5, 5).astype(np.float32)


def add_own_noise():
    return tf.eye(5) + tf.random.normal((5, 5))


traced, own = tf.function(add_noise), tf.function(add_own_noise)


def differ(call):
    return bool(np.any(call().numpy() != call().numpy()))


print("NumPy's differ:", differ(add_noise), differ(traced))
print("TensorFlow's differ:", differ(add_own_noise), differ(own))

chapter("Control flow on tensors needs AutoGraph")


@tf.function(autograph=False)
def without_autograph(x):
    if x > 0:
        return x
    return -x


try:
    without_autograph(tf.constant(-1))
except TypeError:
    print("refused: a tensor of a graph has no truth value")
print(tf.function(without_autograph.python_function)(tf.constant(-1)))

chapter("Different functions share nothing")
first, second = tf.function(f), tf.function(f)
a, b = tf.constant([1.0]), tf.constant([2.0])
first(a, b)
print(first.experimental_get_tracing_count(), second.experimental_get_tracing_count())
try:
    tf.function(f, input_signature="nothing")
except TypeError:
    print("an input signature is a sequence of specs")
sys.stdout.flush()
