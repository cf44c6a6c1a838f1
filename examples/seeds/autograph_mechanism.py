"""How AutoGraph works, as a program: three rules, two phases, modules, saved models, training.

Plain TensorFlow 2: `tensormill run examples/seeds/autograph_mechanism.py`, or python where
TensorFlow is installed (whose Keras cannot train the model at the end: it says so).
"""

import sys
import tempfile
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf


def chapter(title: str) -> None:
    sys.stdout.flush()
    print(f"\n== {title}", flush=True)


def show(*values) -> None:
    """Print when the graph runs, on standard output, where the test looks for it."""
    tf.print(*values, output_stream=sys.stdout)


chapter("Rule 1: use TensorFlow's functions, not Python's")


@tf.function
def np_random():
    a = np.random.randn(3, 3)
    return tf.constant(a)


@tf.function
def tf_random():
    return tf.random.normal((3, 3))


print("NumPy's numbers stay the same:", bool(np.all(np_random() == np_random())))
print("TensorFlow's numbers change:", bool(np.any(tf_random() != tf_random())))

chapter("Rule 2: variables belong outside")
x = tf.Variable(1.0, dtype=tf.float32)


@tf.function
def outer_var():
    x.assign_add(1.0)
    show(x)
    return x


outer_var()
outer_var()


@tf.function
def inner_var():
    x = tf.Variable(1.0, dtype=tf.float32)
    x.assign_add(1.0)
    show(x)
    return x


try:
    inner_var()
except ValueError as error:
    print("inner_var() is refused:", "non-first call" in str(error) or "singleton" in str(error))

chapter("Rule 3: Python's lists are not changed by a graph")
tensor_list = []


def append_tensor(x):
    tensor_list.append(x)
    return tensor_list


append_tensor(tf.constant(5.0))
append_tensor(tf.constant(6.0))
print(tensor_list)
tensor_list = []
append_in_graph = tf.function(append_tensor)
append_in_graph(tf.constant(5.0))
append_in_graph(tf.constant(6.0))
print(len(tensor_list), "tensor, of the graph:", type(tensor_list[0]).__name__)

chapter("Two phases: the graph is made, then it runs")


@tf.function(autograph=True)
def myadd(a, b):
    for i in tf.range(3):
        show(i)
    c = a + b
    print("tracing", flush=True)
    return c


print(myadd(tf.constant("hello"), tf.constant("world")), flush=True)
print(myadd(tf.constant("hello"), tf.constant("world")), flush=True)
print(myadd(tf.constant(1), tf.constant(2)), flush=True)
myadd("hello", "world")
myadd("good", "morning")

chapter("A module owns its variables")


@tf.function(input_signature=[tf.TensorSpec(shape=[], dtype=tf.float32)])
def add_print(a):
    x.assign_add(a)
    show(x)
    return x


x.assign(1.0)
add_print(tf.constant(3.0))
try:
    add_print(tf.constant(3))
except (TypeError, ValueError):
    print("an integer does not fit the signature")


class DemoModule(tf.Module):
    def __init__(self, init_value=tf.constant(0.0), name=None):
        super().__init__(name=name)
        with self.name_scope:
            self.x = tf.Variable(init_value, dtype=tf.float32, trainable=True)

    @tf.function(input_signature=[tf.TensorSpec(shape=[], dtype=tf.float32)])
    def add_print(self, a):
        with self.name_scope:
            self.x.assign_add(a)
            show(self.x)
            return self.x


demo = DemoModule(init_value=tf.constant(1.0))
result = demo.add_print(tf.constant(5.0))
print(demo.variables)
print(demo.trainable_variables)
print(demo.submodules)

chapter("Saved and loaded, the module goes on where it was")
folder = Path(tempfile.mkdtemp())
tf.saved_model.save(demo, str(folder / "data"), signatures={"serving_default": demo.add_print})
demo2 = tf.saved_model.load(str(folder / "data"))
print(demo2.add_print(tf.constant(5.0)), flush=True)
print(demo.x.numpy(), demo2.x.numpy())
print(sorted(path.name for path in (folder / "data").iterdir() if path.name != "fingerprint.pb"))
served = demo2.signatures["serving_default"](a=tf.constant(1.0))
print({name: value.numpy() for name, value in served.items()}, flush=True)

chapter("A model of Keras with a function inside, trained by hand")


class MyModel(keras.Model):
    def __init__(self, num_classes=10):
        super().__init__(name="my_model")
        self.num_classes = num_classes
        self.dense_1 = keras.layers.Dense(32, activation="relu")
        self.dense_2 = keras.layers.Dense(num_classes)

    @tf.function(input_signature=[tf.TensorSpec([None, 32], tf.float32)])
    def call(self, inputs):
        x = self.dense_1(inputs)
        return self.dense_2(x)


np.random.seed(0)
keras.utils.set_random_seed(0)
data = np.random.random((1000, 32))
labels = np.random.random((1000, 10))
optimizer = keras.optimizers.SGD(learning_rate=1e-3)
loss_fn = keras.losses.CategoricalCrossentropy()
batch_size = 64
train_dataset = tf.data.Dataset.from_tensor_slices((data, labels))
train_dataset = train_dataset.shuffle(buffer_size=1024).batch(batch_size)
print(train_dataset.element_spec, int(train_dataset.cardinality()))

model = MyModel(num_classes=10)


def train() -> None:
    for epoch in range(3):
        print("Start of epoch %d" % (epoch,))
        for step, (x_batch_train, y_batch_train) in enumerate(train_dataset):
            with tf.GradientTape() as tape:
                logits = model(x_batch_train)
                loss_value = loss_fn(y_batch_train, logits)
            gradients = tape.gradient(loss_value, model.trainable_weights)
            optimizer.apply_gradients(zip(gradients, model.trainable_weights))
            if step % 200 == 0:
                assert np.isfinite(float(loss_value))
                print("Training loss (for one batch) at step %s is a number" % step)
                print("Seen so far: %s samples" % ((step + 1) * batch_size))


try:
    train()
    first = model.dense_1.kernel.numpy()
    train()
    print("trained:", bool(np.any(first != model.dense_1.kernel.numpy())))
except (ValueError, TypeError) as error:
    print(f"not trained: {type(error).__name__}")

chapter("The model, saved whole")
rows = tf.constant(data[:3], tf.float32)
expected = model(rows)
tf.saved_model.save(model, str(folder / "my_saved_model"))
again = tf.saved_model.load(str(folder / "my_saved_model"))
np.testing.assert_allclose(again.call(rows), expected, rtol=1e-5, atol=1e-6)
print(sorted(again.signatures), again.dense_2.bias.shape)
