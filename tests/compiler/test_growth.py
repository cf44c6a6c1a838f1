"""Every stage on the way from Python to machine code takes steps as programs are long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify
from tests.visits import visits

Function = Callable[[Any], Any]


def chain(count: int) -> Function:
    def fn(x: Any) -> Any:
        for _ in range(count):
            x = tf.tanh(x) + x
        return x

    return fn


def fan(count: int) -> Function:
    return lambda x: tf.add_n([tf.tanh(x + float(k)) for k in range(count)])


def calls(count: int) -> Function:
    inner = tf.function(lambda x: tf.tanh(x) + 1.0)

    def fn(x: Any) -> Any:
        for _ in range(count):
            x = inner(x)
        return x

    return fn


def gradient(count: int) -> Function:
    def fn(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = chain(count)(x)
        return tape.gradient(y, x)

    return fn


def tangent(count: int) -> Function:
    def fn(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = chain(count)(x)
        return accumulator.jvp(y)

    return fn


def training(count: int) -> Function:
    variables = [tf.Variable([1.0, 2.0, 3.0]) for _ in range(count)]

    def fn(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = x
            for one in variables:
                y = tf.tanh(y * one)
        for one, slope in zip(variables, tape.gradient(y, variables), strict=True):
            one.assign_sub(0.1 * slope)
        return y

    return fn


def nested(depth: int) -> Function:
    def fn(x: Any) -> Any:
        if depth == 0:
            return tf.tanh(x) + 1.0
        inner = nested(depth - 1)
        return tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, inner(y)), (0, x))[1]

    return fn


PROGRAMS: dict[str, tuple[Callable[[int], Function], int]] = {
    "a chain": (chain, 50),
    "a fan": (fan, 50),
    "calls": (calls, 30),
    "a gradient": (gradient, 15),
    "a tangent": (tangent, 12),
    "variables in training": (training, 20),
    "loops in loops": (nested, 4),
}


def stages(fn: Function) -> dict[str, int]:
    """How many functions each stage calls."""
    made: dict[str, Any] = {}

    def stage(name: str, run: Callable[[], Any]) -> int:
        return visits(lambda: made.update({name: run()}))

    return {
        "tracing": stage(
            "graph", lambda: trace_graph(fn, [TensorSpec([3], tf.float32)], "fn").graph
        ),
        "graph passes": stage("simple", lambda: simplify(made["graph"])),
        "lowering": stage("loops", lambda: lower_graph(made["simple"]).program),
        "passes": stage("better", lambda: optimise(made["loops"])),
        "emission": stage("text", lambda: emit(made["better"], "program", defined=set())),
    }


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_twice_the_program_is_twice_the_steps_in_every_stage(name: str) -> None:
    make, count = PROGRAMS[name]
    stages(make(2))  # what is made once: rules, tables, signatures
    once, twice = stages(make(count)), stages(make(2 * count))

    growth = {stage: twice[stage] / once[stage] for stage in once}
    assert max(growth.values()) < 2.3, growth


def test_a_tape_goes_back_in_as_many_steps_as_it_recorded() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    gradient(2)(x)
    once, twice = (visits(lambda: gradient(count)(x)) for count in (100, 200))  # noqa: B023

    assert twice < 2.1 * once
