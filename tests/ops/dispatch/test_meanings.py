"""The table of meanings: what is in it, and what calls pay for it."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.tree import Composite
from tensormill.ops.dispatch import meanings
from tensormill.ops.dispatch.meanings import (
    MODULES,
    OF_ELEMENTWISE,
    Meanings,
    dispatchable,
    meanings_of,
    means_for,
)
from tests.api.test_docstrings import namespaces

ROWS = tf.ragged.constant([[1.0], [2.0, 3.0]])


def public_rows() -> Iterator[tuple[str, Meanings]]:
    """The rows of the table that users can reach, with the names of their functions."""
    for name, function in namespaces():
        if (found := meanings_of(function)) is not None:
            yield name, found


def test_where_a_meaning_is_written_is_listed_for_the_function():
    for modules in [*MODULES.values(), OF_ELEMENTWISE]:
        for module in modules:
            import_module(f"tensormill.{module}")

    unlisted = {
        (name, meaning.__module__)
        for name, row in public_rows()
        for meaning in row.by_class.values()
        if inspect.unwrap(meaning).__module__.removeprefix("tensormill.")
        not in MODULES.get(row.function.__module__.removeprefix("tensormill.ops."), ())
    }
    assert set() == unlisted


def test_a_row_belongs_to_the_function_that_users_call():
    strangers = {name for name, row in public_rows() if meanings_of(row.function) is not row}
    assert set() == strangers


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.add(tf.constant(1.0), tf.constant(2.0)),
        lambda: tf.add(tf.Variable(1.0), 2),
        lambda: tf.concat([tf.constant([1.0]), [2.0]], axis=0),
        lambda: tf.reduce_sum([[1.0], [2.0]], keepdims=True),
        lambda: tf.exp(tf.constant(1.0)),
        lambda: tf.where(tf.constant([True])),
        lambda: tf.function(lambda x: tf.transpose(x, [0]))(tf.constant([1.0])),
    ],
    ids=["tensors", "a variable", "lists", "nested lists", "an operation", "none", "traced"],
)
def test_calls_without_composites_look_into_no_table(
    call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
):
    def result(*_: Any) -> Any:
        raise AssertionError("looked for a meaning")

    call()
    monkeypatch.setattr(Meanings, "result", result)
    call()


def test_a_function_does_not_begin_where_it_means_something_else():
    ran: list[Any] = []

    @dispatchable
    def count(first: Any, others: Any = (), name: str | None = None) -> Any:
        ran.append(first)
        return 1

    @means_for(count, tf.RaggedTensor)
    def count_rows(first: Any, others: Any, name: str | None) -> Any:
        return (others, name)

    assert [((), None), ([[ROWS]], "n")] == [count(ROWS), count(2, [[ROWS]], name="n")]
    assert [] == ran


def test_the_class_decides_and_then_the_classes_below_it():
    @dispatchable
    def kind(value: Any) -> str:
        return "a tensor"

    means_for(kind, Composite)(lambda value: "a composite")
    means_for(kind, tf.RaggedTensor)(
        lambda value: NotImplemented if value.ragged_rank > 1 else "rows"
    )

    values = [1.0, tf.sparse.eye(2), ROWS, tf.ragged.constant([[[1.0]]])]
    assert ["a tensor", "a composite", "rows", "a composite"] == [kind(one) for one in values]


def test_a_trace_holds_nothing_that_was_tried_in_vain():
    @tf.function
    def joined(rows: Any) -> Any:
        return tf.concat([[[1.0]], rows], 0)

    graph = joined.get_concrete_function(ROWS).graph
    used = {one for node in graph.as_graph_def().node for one in node.input}
    unused = [node.name for node in graph.as_graph_def().node if node.op == "ConcatV2"]
    assert set(unused) <= {name.partition(":")[0] for name in used}


def test_users_classes_are_not_kept():
    class Odd:
        def __array__(self, *_: Any, **__: Any) -> Any:
            import numpy as np

            return np.ones(1, np.float32)

    assert tf.add(Odd(), 1.0).numpy().tolist() == [2.0]
    assert Odd not in meanings.PLAIN


@pytest.mark.parametrize("function", [tf.add, tf.concat, tf.exp, tf.nn.conv2d], ids=str)
def test_functions_are_the_ones_that_pickle_finds(function: Any):
    assert pickle.loads(pickle.dumps(function)) is function
