"""Notes on tf.function, as a program: speed, traces, signatures, variables, loops, training.

Plain TensorFlow 2: `tensormill run examples/seeds/function_notes.py`, or python where TensorFlow
is installed. What it prints is checked as it goes; lines that begin with "speed" differ from one
machine to the next.
"""

import logging
import sys
from timeit import repeat

import keras
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm


def chapter(title: str) -> None:
    print(f"\n== {title}")


def seconds(call, times: int) -> float:
    """Return the least time of one call, after one call that does not count."""
    call()
    return min(repeat(call, number=times, repeat=5)) / times


chapter("A function reads and changes a variable")
v = tf.Variable(1.0)


@tf.function
def add_to_v(x):
    return v.assign_add(x)


print(add_to_v(2.0).numpy(), v.numpy())
assert v.numpy() == 3.0

chapter("A graph is faster than one operation after another")
dense_layer = keras.layers.Dense(4096, activation="relu")


@tf.function
def dense_in_a_graph(x):
    return dense_layer(x)


rows = tf.ones((128, 1024))
np.testing.assert_allclose(dense_layer(rows), dense_in_a_graph(rows), rtol=1e-5, atol=1e-6)
eager = seconds(lambda: dense_layer(rows), 5)
graph = seconds(lambda: dense_in_a_graph(rows), 5)
print(f"speed: a large dense layer, eager / graph = {eager / graph:.2f}")
row = tf.ones((1, 8))
small_layer = keras.layers.Dense(8, activation="relu")
small_in_a_graph = tf.function(small_layer)
eager, graph = seconds(lambda: small_layer(row), 50), seconds(lambda: small_in_a_graph(row), 50)
print(f"speed: a small dense layer, eager / graph = {eager / graph:.2f}")

chapter("One function, a graph for every type of argument")


@tf.function
def add_double(a):
    return a + a


floats = add_double(tf.ones([2, 2], dtype="float32"))
integers = add_double(tf.ones([2, 2], dtype="int32"))
text = add_double("a")
print(floats, integers, text, sep="\n")
fn = add_double.get_concrete_function(tf.TensorSpec(shape=None, dtype="string"))
print(type(add_double).__name__, type(fn).__name__, type(fn.graph).__name__)


@tf.function
def absolute(x):
    return tf.abs(x)


f1, f2 = absolute.get_concrete_function(1), absolute.get_concrete_function(2)
print("Python numbers share a graph:", f1 is f2)
f1 = absolute.get_concrete_function(tf.constant(1))
f2 = absolute.get_concrete_function(tf.constant(2))
print("tensors share a graph:", f1 is f2)

chapter("Too many traces are warned about")


class Warnings(logging.Handler):
    """Keeps the warnings of the library."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


heard = Warnings()
logger = tf.get_logger()
logger.addHandler(heard)
logger.propagate = False
for other in [handler for handler in logger.handlers if handler is not heard]:
    logger.removeHandler(other)
for number in range(3, 10):
    absolute(number)
logger.removeHandler(heard)
assert any("triggered tf.function retracing" in text for text in heard.texts)
print("warned of retracing:", any("out of the last" in text for text in heard.texts))

chapter("A signature says what may come in")
print(fn(tf.constant("a")))
try:
    fn(tf.constant(1))
except (TypeError, ValueError, tf.errors.InvalidArgumentError):
    print("a concrete function of strings refuses a number")


@tf.function(input_signature=[tf.TensorSpec(shape=None, dtype="string")])
def double_string(a):
    return a + a


print(double_string("a"))
try:
    double_string(tf.constant(1))
except (TypeError, ValueError):
    print("so does a function with a signature")


@tf.function(
    input_signature=[
        tf.TensorSpec(shape=None, dtype="int32"),
        tf.TensorSpec(shape=None, dtype="float32"),
    ]
)
def add(a, b):
    return tf.cast(a, "float32") + b


print(add(tf.constant(1), tf.constant(2.0)))

chapter("What changes variables happens in the order of the lines")
a, b = tf.Variable(1.0), tf.Variable(2.0)


@tf.function
def both(x, y):
    a.assign(y * b)
    b.assign_add(x * a)
    return a + b


print(both(1.0, 2.0).numpy(), a.numpy(), b.numpy())
assert (a.numpy(), b.numpy()) == (4.0, 6.0)

chapter("Variables are made once")


@tf.function
def makes_a_variable_each_time(x):
    inner = tf.Variable(1.0)
    inner.assign_add(x)
    return inner


try:
    makes_a_variable_each_time(2.0)
except ValueError:
    print("a variable made by every call is refused")


class Owner:
    variable = None


owner = Owner()


@tf.function
def makes_a_variable_once(x):
    if owner.variable is None:
        owner.variable = tf.Variable(1.0)
    return owner.variable.assign_add(x)


print(makes_a_variable_once(2.0).numpy())

chapter("Loops and arrays in the graph")


@tf.function
def through_an_array(x):
    array = tf.TensorArray("int32", size=0, dynamic_size=True)
    for i in tf.range(3):
        array = array.write(i, x[i])
    return array.stack()


print(through_an_array(tf.constant([1, 2, 3])))


@tf.function
def of_fixed_size(x):
    array = tf.TensorArray("int32", size=3)
    array = array.unstack(x)
    return array.read(2), array.size()


print(of_fixed_size(tf.constant([4, 5, 6])))


@tf.function
def shrink(x):
    while tf.reduce_sum(x) > 0.7:
        x.assign(tf.tanh(x))
        tf.print(x, output_stream=sys.stdout)
    return x


sys.stdout.flush()
result = shrink(tf.Variable(2.0))
print(f"{result.numpy():.6f}")

chapter("Python's print speaks while a graph is made")


@tf.function
def announced(a, b):
    print(f"tracing with a={a} and a tensor of {b.dtype.name}")
    return a, b


for first in (1, 1, 2, 2):
    announced(first, tf.constant(2))
    print(f"called with {first}")

chapter("Training, with and without a graph")
keras.utils.set_random_seed(7)
data, target = load_diabetes(return_X_y=True)
train_x, test_x, train_y, test_y = train_test_split(
    data.astype("float32"), (target / 100).astype("float32"), test_size=0.2, random_state=0
)
scaler = StandardScaler()
train_x, test_x = scaler.fit_transform(train_x), scaler.transform(test_x)

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(1),
    ]
)
loss_fn = keras.losses.MeanSquaredError()
optimizer = keras.optimizers.Adam()
metric = keras.metrics.Mean()


def plain_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(tf.expand_dims(x, axis=0))
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    metric.update_state(loss)


train_step = tf.function(plain_step)


def train(step, rows: int) -> float:
    """Take one step per row; return the steps of a second."""
    with tqdm(total=rows, file=sys.stderr, mininterval=0.5) as bar:
        for x, y in zip(train_x[:rows], train_y[:rows, None]):
            step(tf.constant(x), tf.constant(y))
            bar.update()
        return rows / bar.format_dict["elapsed"]


losses = []
for epoch in range(5):
    metric.reset_state()
    fast = train(train_step, len(train_x))
    losses.append(float(metric.result()))
    print(f"epoch {epoch}: loss {losses[-1]:.2f}")
assert losses[-1] < losses[0] / 2
test_loss = float(loss_fn(test_y[:, None], model(test_x)))
print(f"unseen patients: loss {test_loss:.1f}")
slow = train(plain_step, 60)
print(f"speed: training steps, graph / eager = {fast / slow:.1f}")
