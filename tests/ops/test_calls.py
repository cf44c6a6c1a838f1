"""Public functions return what TensorFlow does: eagerly, and traced for unknown sizes.

The calls of a topic are one test each way: thousands of small ones would cost as much again. What
fails says the call in a note.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.core.random_state import state
from tensormill.graph.nested_graphs import every_operation

from . import rules
from .calls import asked
from .calls.tables import TOPICS


@contextmanager
def about(name: str) -> Iterator[None]:
    """Say which call fails; leave no global seed to the next."""
    try:
        yield
    except Exception as error:
        error.add_note(f"the call: {name}")
        raise
    finally:
        if state.seed is not None:
            state.set_seed(None)


def traced(name: str, topic: str) -> Any:
    """The function that makes a call, for operands whose sizes are unknown."""
    call, arrays = TOPICS[topic].calls[name]
    specs = [tf.TensorSpec([None] * np.ndim(array), np.asarray(array).dtype) for array in arrays]
    return tf.function(lambda *operands: call(tf, *operands), specs, autograph=False)


def operations_in(function: Any) -> set[str]:
    """The operations that a trace applies; none where tracing refuses the operands."""
    try:
        graph = function.get_concrete_function().callee.graph
    except Exception:
        return set()
    return {one.op.name for one in every_operation(graph)}


@pytest.mark.sampled
@pytest.mark.parametrize("topic", TOPICS)
def test_eager_calls_return_what_tensorflow_does(topic: str) -> None:
    taken = Counter[str]()
    library = asked.Asked(tf, taken)
    for name, (call, arrays) in TOPICS[topic].calls.items():
        with about(name):
            rules.assert_call_as_recorded(
                name, lambda *given, call=call: call(library, *given), arrays
            )
    assert asked.recorded()[topic].keys() == taken.keys()


@pytest.mark.sampled
@pytest.mark.parametrize("topic", TOPICS)
def test_traced_calls_return_what_tensorflow_does(topic: str) -> None:
    """Compiled are those with an operation that no call of the topic before them has, and those
    that raise. The others' graphs are walked through: compiling is most of what a call costs, and
    `test_rules.py` compiles each operation with all its samples. With TENSORMILL_EFFORT all are.
    """
    compiled = set[str]()
    for name in filter(TOPICS[topic].compiled.__contains__, TOPICS[topic].calls):
        with about(name):
            function = traced(name, topic)
            operations = operations_in(function)
            is_new = not operations or not operations <= compiled or rules.raises(name)
            backend = "cpu" if is_new or "TENSORMILL_EFFORT" in os.environ else "reference"
            with backends.using(backend):
                rules.assert_call_as_recorded(name, function, TOPICS[topic].calls[name][1])
            if backend == "cpu":
                compiled |= operations


@pytest.mark.parametrize("topic", TOPICS)
def test_each_call_has_its_answer(topic: str) -> None:
    assert list(TOPICS[topic].calls) == list(rules.recorded(TOPICS[topic].answers))
