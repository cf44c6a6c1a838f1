"""What dtypes operands of several dtypes get, where Python's numbers are weak: the mode "all"."""

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")

DTYPES = (tf.bool, tf.uint8, tf.int8, tf.int32, tf.int64, tf.uint64, tf.bfloat16, tf.float16,
          tf.float32, tf.float64, tf.complex64)  # fmt: skip


def told(value):
    return f"{value.dtype.name}{'*' if 'weak=True' in repr(value) else ''} {value.numpy().tolist()}"


# Python's numbers are weak; what has a dtype is not.
for value in (5, 5.0, 2 + 1j, [1, 2], [1, 2.5], np.int32(5), np.array([1.0], np.float32)):
    print(repr(value), "->", told(tf.constant(value)))
print(tf.constant(5), tf.constant(5, tf.int32), tf.convert_to_tensor(5))
print(tnp.asarray(5.5), tf.Variable(5).dtype.name, tf.zeros(2).dtype.name)

# Each dtype beside each other one, and beside Python's numbers.
for first in DTYPES:
    x = tf.cast(1, first)
    row = []
    for second in DTYPES:
        if first == second == tf.bool:
            row.append("bool")
            continue
        result = tf.multiply(x, tf.cast(1, second))
        row.append(result.dtype.name + ("*" if "weak=True" in repr(result) else ""))
    for number in (3, 0.5, 1j):
        result = tf.multiply(x, number)
        row.append(result.dtype.name + ("*" if "weak=True" in repr(result) else ""))
    print(first.name, *row)

# Operators, functions and variables.
a, b = tf.constant([1, 2], tf.int32), tf.constant([0.5, 1.5], tf.float16)
print(told(a + b), told(tf.add(a, b)), told(b - 1), told(2**b), told(a / 2), told(a // 2.0))
print(told(tf.constant(5) + tf.constant(0.5)), told(tf.constant(5) + tf.constant(0.5, tf.float64)))
print(
    told(tf.abs(tf.constant(-3))),
    told(tf.reduce_sum(tf.constant([1.5, 2]))),
    told(tf.cast(tf.constant(3), tf.int64)),
    told(tf.concat([tf.constant([1]), [2]], 0)),
)

variable = tf.Variable(10, dtype=tf.float32)
variable.assign(5)
variable.assign_add(tf.constant(2, tf.int32))
print(told(variable + 1), told(variable * a))
try:
    variable.assign(tf.constant(1.0, tf.float64))
except TypeError:
    print("a variable keeps its dtype")


@tf.function
def scaled(x, by):
    return x * by + 1


print(told(scaled(a, 0.5)), told(scaled(b, 2)), told(scaled(tf.constant(2), tf.constant(3))))


class Scale(tf.Module):
    """A layer whose weights are narrow, fed with integers."""

    def __init__(self):
        super().__init__()
        self.weights = tf.Variable([[1.0], [2.0]], dtype=tf.bfloat16)

    def __call__(self, inputs):
        return tf.matmul(inputs, self.weights) + 0.5


print(told(Scale()(tf.constant([[1, 2], [3, 4]], tf.int64))))
with tf.GradientTape() as tape:
    loss = variable * variable * 3
print(float(tape.gradient(loss, variable)))
