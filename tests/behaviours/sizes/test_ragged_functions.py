"""What older functions, and those of coded strings, do with ragged tensors: statement I10."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1

NUMBERS = tf.ragged.constant([[1, 2], [3]])
OTHERS = tf.ragged.constant([[10], [20, 30]])
FLAGS = tf.ragged.constant([[True, False], [True]])
TEXTS = tf.ragged.constant([["ab", "c"], ["de"]])
DENSE = tf.constant([[7, 8], [9, 10]])


def list_of(value: Any) -> Any:
    return value.to_list() if isinstance(value, tf.RaggedTensor) else np.asarray(value).tolist()


CALLS: dict[str, tuple[Callable[[], Any], Any]] = {
    "where, of elements": (lambda: v1.where(FLAGS, NUMBERS, -NUMBERS), [[1, -2], [3]]),
    "where, of rows": (lambda: v1.where([True, False], NUMBERS, OTHERS), [[1, 2], [20, 30]]),
    "where, of dense rows": (lambda: v1.where([False, True], DENSE, NUMBERS), [[1, 2], [9, 10]]),
    "where, in a function": (
        lambda: tf.function(lambda flags: v1.where(flags, NUMBERS, OTHERS))([False, True]),
        [[10], [3]],
    ),
    "div": (lambda: v1.div(NUMBERS, 2), [[0, 1], [1]]),
    "div, a number by": (lambda: v1.div(7, NUMBERS), [[7, 3], [2]]),
    "reduce_join": (lambda: v1.reduce_join(TEXTS, 1, separator="+"), [b"ab+c", b"de"]),
    "reduce_join, of all": (lambda: v1.reduce_join(TEXTS), b"abcde"),
    "reduce_join, an axis kept": (
        lambda: v1.strings.reduce_join(TEXTS, axis=1, keep_dims=True),
        [[b"abc"], [b"de"]],
    ),
    "encode_base64": (lambda: tf.io.encode_base64(TEXTS), [[b"YWI", b"Yw"], [b"ZGU"]]),
    "decode_base64": (
        lambda: tf.io.decode_base64(tf.ragged.constant([["YWI"], ["Yw", ""]])),
        [[b"ab"], [b"c", b""]],
    ),
    "decode_compressed": (lambda: tf.io.decode_compressed(TEXTS), [[b"ab", b"c"], [b"de"]]),
}


@behaviour("I10")
@pytest.mark.parametrize("name", CALLS)
def test_functions_take_ragged_tensors(name):
    call, expected = CALLS[name]
    assert list_of(call()) == expected


@behaviour("I10")
@pytest.mark.parametrize(
    ("flags", "x", "y", "error"),
    [
        (FLAGS, NUMBERS, OTHERS, tf.errors.InvalidArgumentError),
        ([True, False, True], NUMBERS, OTHERS, tf.errors.InvalidArgumentError),
        (FLAGS, NUMBERS, 0, ValueError),
        (FLAGS, DENSE, DENSE, ValueError),
        (True, NUMBERS, OTHERS, ValueError),
        ([[True, False], [True, True]], NUMBERS, OTHERS, ValueError),
    ],
)
def test_where_of_ragged_tensors_wants_rows_that_fit(flags, x, y, error):
    with pytest.raises(error):
        v1.where(flags, x, y)
