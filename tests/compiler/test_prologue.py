"""Steps on Python's objects that come first run before native code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.backends import cpu, reference
from tensormill.compiler.program import NativeExecutable
from tensormill.compiler.prologue import PrologueExecutable, split

Dataset = tf.data.Dataset


def graph_of(function: Any, *arguments: Any) -> Any:
    return tf.function(function).get_concrete_function(*arguments).callee.graph


def test_the_first_step_is_taken_out_and_its_results_are_parameters() -> None:
    graph = graph_of(lambda it: tf.exp(it.get_next()) + 1.0, iter(floats()))
    prologue = split(graph)

    assert prologue is not None
    assert "IteratorGetNext" == prologue.operation.op.name
    assert ["f32[]"] == [value.spec.short for value in prologue.rest.parameters]
    assert "IteratorGetNext(" not in str(prologue.rest)


def floats() -> Any:
    return Dataset.from_tensor_slices([0.0, 1.0, 2.0])


def test_the_object_stays_where_something_else_looks_into_it() -> None:
    graph = graph_of(lambda it: it.get_next() - it.get_next(), iter(floats()))
    prologue = split(graph)

    assert prologue is not None
    assert ["object<iterator(f32[])>", "f32[]"] == [
        value.spec.short for value in prologue.rest.parameters
    ]


def test_a_step_after_an_effect_stays() -> None:
    variable = tf.Variable(1.0)

    def step(iterator: Any) -> Any:
        variable.assign_add(1.0)
        return iterator.get_next()

    assert split(graph_of(step, iter(floats()))) is None
    assert split(graph_of(lambda x: x + 1.0, tf.constant(1.0))) is None


@pytest.mark.parametrize(
    "function",
    [
        lambda it: it.get_next(),
        lambda it: (it.get_next(), it.get_next() * 2.0),
        lambda it: tf.exp(it.get_next()) + tf.reduce_sum(tf.stack([it.get_next()])),
    ],
)
def test_results_are_those_of_the_reference(function: Any) -> None:
    graph = graph_of(function, iter(floats()))
    compiled = cpu.compile(graph)
    plain = NativeExecutable(graph)

    assert isinstance(compiled, PrologueExecutable)
    expected = reference.compile(graph).bind(())(iter(floats()).handle)
    for executable in (compiled, plain):
        found = executable.bind(())(iter(floats()).handle)
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-6)


def test_a_captured_object_will_do() -> None:
    iterator = iter(floats())

    @tf.function
    def step(x: Any) -> Any:
        return x + iterator.get_next()

    assert [1.0, 2.0, 3.0] == [float(step(tf.constant(1.0))) for _ in range(3)]
    assert ["IteratorGetNext"] == [step.operation.op.name for step in step.report().callbacks]


def test_the_end_of_an_iterator_names_the_line() -> None:
    @tf.function
    def step(iterator: Any) -> Any:
        return iterator.get_next()

    with pytest.raises(tf.errors.OutOfRangeError, match=r"test_prologue\.py(.|\n)*End of seq"):
        step(iter(floats().take(0)))
