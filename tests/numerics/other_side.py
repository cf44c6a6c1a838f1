"""TensorFlow's part of a measurement: calls come pickled by the input, results go by the output."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

import numpy as np

from .calls import call

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what libraries print is no answer

import tensorflow as tf  # noqa: E402


def answer(name: str, dtype: str, operands: list[Any]) -> Any:
    """The result as float64, or None where the function has no kernel for the dtype."""
    try:
        tensors = [tf.cast(tf.constant(operand), dtype) for operand in operands]
        found = call(tf, name, *tensors)
        return np.asarray(tf.cast(found, tf.float64))
    except (tf.errors.OpError, TypeError, ValueError, AttributeError):
        return None


while True:
    try:
        request = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    pickle.dump(answer(*request), answers)
    answers.flush()
