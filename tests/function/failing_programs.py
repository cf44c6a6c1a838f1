"""Programs that fail while they run, at the line that ends in `# here`.

Sizes are unknown while they are traced, so that tracing cannot find the mistakes.
"""

from __future__ import annotations

from typing import Any

import tensormill as tf

VECTOR = tf.TensorSpec([None], tf.float32)
INTEGERS = tf.TensorSpec([None], tf.int32)
MATRIX = tf.TensorSpec([None, None], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)
TEXT = tf.TensorSpec([], tf.string)

ONES = tf.ones([3])
FOUR = tf.ones([4])
NINE = tf.constant(9)
ZEROS = tf.constant([0, 0])


def index(x: Any, k: Any) -> Any:
    return x[k] * 2.0  # here


def gather(x: Any, k: Any) -> Any:
    rows = tf.gather(x, [0, k])  # here
    return rows + 1.0


def gather_nd(x: Any, k: Any) -> Any:
    return tf.gather_nd(x, [[k]])  # here


def scatter(x: Any, k: Any) -> Any:
    return tf.tensor_scatter_nd_update(x, [[k]], [0.0])  # here


def reshape(x: Any) -> Any:
    y = x * 2.0
    return tf.reshape(y, [2, 2]) + 1.0  # here


def broadcast(x: Any, y: Any) -> Any:
    z = x * 2.0
    return z + y  # here


def concatenation(x: Any, y: Any) -> Any:
    both = tf.concat([x, y], 1)  # here
    return both * 2.0


def product(x: Any, y: Any) -> Any:
    return tf.matmul(x, y) + 1.0  # here


def division(x: Any, y: Any) -> Any:
    z = x + 1
    return z // y  # here


def remainder(x: Any, y: Any) -> Any:
    return x % y  # here


def assertion(x: Any) -> Any:
    assert tf.reduce_all(x < 1.0), "too large"  # here
    return x


def debugging(x: Any) -> Any:
    tf.debugging.assert_less(x, 1.0)  # here
    return x


def numerics(x: Any) -> Any:
    return tf.debugging.check_numerics(x / (x - x), "broken")  # here


def ensured(x: Any) -> Any:
    return tf.ensure_shape(x, [2])  # here


def nested(x: Any, y: Any) -> Any:
    return inner(x, y) + 1


@tf.function
def inner(x: Any, y: Any) -> Any:
    return x // y  # here


def in_a_while_loop(x: Any, k: Any) -> Any:
    total = 0.0
    n = 0
    while n < k:
        total += x[n]  # here
        n += 1
    return total


def in_a_for_loop(x: Any, k: Any) -> Any:
    total = 0.0
    for n in tf.range(k):
        total += tf.gather(x, n)  # here
    return total


def in_a_branch(x: Any, k: Any) -> Any:
    if k > 5:
        result = x[k]  # here
    else:
        result = x[0]
    return result


def in_a_loop_in_a_branch_in_a_function(x: Any, k: Any) -> Any:
    return helper(x, k) * 2.0


def helper(x: Any, k: Any) -> Any:
    y = x[0]
    if k > 0:
        for n in tf.range(k):
            y += x[n]  # here
    return y


def in_a_map(x: Any, k: Any) -> Any:
    return tf.map_fn(lambda n: x[n], tf.range(k), fn_output_signature=tf.float32)  # here


def element_of_an_array(x: Any, k: Any) -> Any:
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    return array.read(k)  # here


def python_function(x: Any) -> Any:
    return tf.py_function(refuse, [x], tf.float32)


def refuse(x: Any) -> Any:
    raise ValueError("not today")  # here


def number_of_text(text: Any) -> Any:
    return tf.strings.to_number(text)  # here


Program = tuple[Any, list[Any], list[Any], type[Exception]]
Invalid = tf.errors.InvalidArgumentError

# Each with the specs that it is traced for, arguments that make it fail, and the class.
PROGRAMS: list[Program] = [
    (index, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (gather, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (gather_nd, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (scatter, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (reshape, [VECTOR], [ONES], Invalid),
    (broadcast, [VECTOR, VECTOR], [ONES, FOUR], Invalid),
    (concatenation, [MATRIX, MATRIX], [tf.ones([2, 2]), tf.ones([3, 2])], Invalid),
    (product, [MATRIX, MATRIX], [tf.ones([2, 2]), tf.ones([3, 2])], Invalid),
    (division, [INTEGERS, INTEGERS], [ZEROS, ZEROS], Invalid),
    (remainder, [INTEGERS, INTEGERS], [ZEROS, ZEROS], Invalid),
    (assertion, [VECTOR], [ONES], AssertionError),
    (debugging, [VECTOR], [ONES], AssertionError),
    (numerics, [VECTOR], [ONES], Invalid),
    (ensured, [VECTOR], [ONES], Invalid),
    (nested, [INTEGERS, INTEGERS], [ZEROS, ZEROS], Invalid),
    (in_a_while_loop, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (in_a_for_loop, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (in_a_branch, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (in_a_loop_in_a_branch_in_a_function, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (in_a_map, [VECTOR, NUMBER], [ONES, NINE], Invalid),
    (element_of_an_array, [VECTOR, NUMBER], [ONES, NINE], tf.errors.OutOfRangeError),
    (python_function, [VECTOR], [ONES], Invalid),
    (number_of_text, [TEXT], [tf.constant("seven")], Invalid),
]
