"""Graphs and tf.function, as a program: what a graph is, when it is made, what it saves.

Plain TensorFlow 2: `tensormill run examples/seeds/graphs_and_functions.py`, or python where
TensorFlow is installed. Lines that begin with "speed" differ from one machine to the next.
"""

import timeit

import numpy as np
import tensorflow as tf


def chapter(title: str) -> None:
    print(f"\n== {title}")


chapter("A Python function, and the function made of it")


def a_regular_function(x, y, b):
    x = tf.matmul(x, y)
    x = x + b
    return x


a_function_that_uses_a_graph = tf.function(a_regular_function)
x1 = tf.constant([[1.0, 2.0]])
y1 = tf.constant([[2.0], [3.0]])
b1 = tf.constant(4.0)
orig_value = a_regular_function(x1, y1, b1).numpy()
tf_function_value = a_function_that_uses_a_graph(x1, y1, b1).numpy()
assert orig_value == tf_function_value
print(orig_value, tf_function_value)

chapter("What the function calls is in its graph as well")


def inner_function(x, y, b):
    x = tf.matmul(x, y)
    x = x + b
    return x


@tf.function
def outer_function(x):
    y = tf.constant([[2.0], [3.0]])
    b = tf.constant(4.0)
    return inner_function(x, y, b)


print(outer_function(tf.constant([[1.0, 2.0]])).numpy())

chapter("Control flow becomes part of the graph")


def simple_relu(x):
    if tf.greater(x, 0):
        return x
    else:
        return 0


tf_simple_relu = tf.function(simple_relu)
print("First branch, with graph:", tf_simple_relu(tf.constant(1)).numpy())
print("Second branch, with graph:", tf_simple_relu(tf.constant(-1)).numpy())
code = tf.autograph.to_code(simple_relu)
print("def tf__simple_relu" in code, "ag__.if_stmt" in code)
graph_def = tf_simple_relu.get_concrete_function(tf.constant(1)).graph.as_graph_def()
print(sorted({node.op for node in graph_def.node}))

chapter("One function, several graphs")


@tf.function
def my_relu(x):
    return tf.maximum(0.0, x)


print(my_relu(tf.constant(5.5)))
print(my_relu([1, -1]))
print(my_relu(tf.constant([3.0, -3.0])))
print(my_relu.experimental_get_tracing_count(), "graphs")
my_relu(tf.constant(-2.5))
my_relu(tf.constant([-1.0, 1.0]))
print(my_relu.experimental_get_tracing_count(), "graphs after two more calls")

chapter("Print speaks when a graph is made, or each time where functions run eagerly")


@tf.function
def get_MSE(y_true, y_pred):
    print("Calculating MSE!")
    sq_diff = tf.pow(y_true - y_pred, 2)
    return tf.reduce_mean(sq_diff)


y_true = tf.constant([1, 7, 3, 4, 9])
y_pred = tf.constant([2, 5, 3, 8, 0])
for _ in range(3):
    error = get_MSE(y_true, y_pred)
print(error)
tf.config.run_functions_eagerly(True)
for _ in range(3):
    error = get_MSE(y_true, y_pred)
tf.config.run_functions_eagerly(False)
print(error)

chapter("What a graph saves")
tf.random.set_seed(1)
x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)


def power(x, y):
    result = tf.eye(10, dtype=tf.dtypes.int32)
    for _ in range(y):
        result = tf.matmul(x, result)
    return result


power_as_graph = tf.function(power)
np.testing.assert_array_equal(power(x, 100), power_as_graph(x, 100))
print(power(x, 3).numpy()[0])
eager = min(timeit.repeat(lambda: power(x, 100), number=20, repeat=3)) / 20
graph = min(timeit.repeat(lambda: power_as_graph(x, 100), number=20, repeat=3)) / 20
print(f"speed: 100 products, eager / graph = {eager / graph:.1f}")
assert eager > graph

chapter("When a function is traced")


@tf.function
def a_function_with_python_side_effect(x):
    print("Tracing!")
    return x * x + tf.constant(2)


print(a_function_with_python_side_effect(tf.constant(2)))
print(a_function_with_python_side_effect(tf.constant(3)))
print(a_function_with_python_side_effect(2))
print(a_function_with_python_side_effect(3))
