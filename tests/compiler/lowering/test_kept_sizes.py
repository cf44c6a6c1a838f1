"""What loops keep is found before anything is lowered: nothing is lowered twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.text import text
from tensormill.compiler.lowering.graphs import GraphLowering, lower_graph
from tensormill.compiler.lowering.sizes.kept_sizes import KeptSizes, SizeReader, kept_sizes
from tensormill.compiler.lowering.sizes.size_builder import SizeBuilder
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.ir import Graph
from tensormill.graph.passes.expansions import Expansions
from tensormill.graph.passes.order import simplify
from tensormill.ops.lowering import LoopBuilder
from tests.compiler.lowering.random_loops import random_loop

VECTOR = TensorSpec([None], tf.float32)
MATRIX = TensorSpec([None, None], tf.float32)
COUNT = tf.TensorShape([])

Step = Callable[[Any], Any]


def graph_of(fn: Callable[..., Any], *specs: TensorSpec) -> Graph:
    return simplify(trace_graph(fn, specs, "fn").graph)


def nested(depth: int, step: Step) -> Step:
    """`step` within so many loops, each of which carries what it changes."""

    def fn(x: Any) -> Any:
        if depth == 0:
            return step(x)
        inner = nested(depth - 1, step)
        return tf.while_loop(
            lambda k, _: k < 2, lambda k, y: (k + 1, inner(y)), (0, x), [COUNT, x.shape]
        )[1]

    return fn


def counted(reader: type[Any], monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often operations are asked for their rules by such readers from now on."""
    count: Counter[str] = Counter()
    before = reader._native

    def native(self: Any, operation: Any, operands: Any) -> Any:
        count[operation.op.name] += 1
        return before(self, operation, operands)

    monkeypatch.setattr(reader, "_native", native)
    return count


STEPS: dict[str, Step] = {
    "keeps its size": tf.tanh,
    "grows": lambda x: tf.concat([tf.tanh(x), x[:1]], 0),
    "shrinks to what it finds": lambda x: tf.boolean_mask(tf.tanh(x), x > 0.0),
    "is stacked": lambda x: tf.map_fn(tf.tanh, x),
    "is dealt out": lambda x: tf.dynamic_partition(tf.tanh(x), tf.cast(x > 0.0, tf.int32), 2)[1],
}


def test_rules_are_read_for_sizes_whatever_word_of_loops_they_use() -> None:
    words = {name for name in vars(LoopBuilder) if not name.startswith("_")}

    assert [] == sorted(word for word in words if not hasattr(SizeBuilder, word))


def test_drawn_numbers_and_tables_stand_before_loops_of_unknown_sizes() -> None:
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["a", "b"], [2.0, 4.0]), default_value=0.0
    )

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def doubled(keys: Any) -> Any:
        x = table.lookup(keys) + 0.0 * tf.random.stateless_gamma(tf.shape(keys), [1, 2], 3.0)
        for _ in tf.range(3):
            x = tf.concat([x, x], 0)
        return x

    np.testing.assert_array_equal([4.0, 0.0, 2.0] * 8, doubled(["b", "c", "a"]))


@pytest.mark.sampled
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_every_operation_in_nested_loops_is_lowered_once(
    step: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered = counted(GraphLowering, monkeypatch)
    for depth in range(1, 9):
        lowered.clear()
        lower_graph(graph_of(nested(depth, step), VECTOR))
        assert lowered["Tanh"] == 1, depth


@pytest.mark.sampled
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_how_often_a_body_is_read_does_not_depend_on_the_depth(
    step: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = counted(SizeReader, monkeypatch)
    for depth in range(1, 9):
        read.clear()
        kept_sizes(graph_of(nested(depth, step), VECTOR), Expansions())
        assert read["Tanh"] <= 2, depth


def test_a_chain_of_arrays_that_hand_on_their_shapes_is_read_once_for_each() -> None:
    """The last one changes its size because the one before it does, and so on."""

    def fn(x: Any) -> Any:
        def body(k: Any, a: Any, b: Any, c: Any) -> Any:
            return k + 1, tf.concat([a, a], 0), a + 1.0, b * 2.0

        shapes = [COUNT, *[tf.TensorShape([None])] * 3]
        return tf.while_loop(lambda k, *_: k < 4, body, [0, x, x, x], shapes)[1:]

    native = tf.function(fn, input_signature=[VECTOR])
    x = tf.constant([1.0, 2.0, 3.0])
    assert [one.numpy().tolist() for one in native(x)] == [one.numpy().tolist() for one in fn(x)]


def test_graphs_whose_loops_know_all_sizes_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SizeBuilder, "map", None)

    lower_graph(graph_of(nested(3, tf.tanh), TensorSpec([3], tf.float32)))


def test_sizes_are_told_in_all_words_of_the_language() -> None:
    words = {one for one in vars(LoopBuilder) if not one.startswith("_")}

    assert words == {one for one in words if hasattr(SizeBuilder, one)}


def test_draws_of_sizes_that_grow_are_drawn_in_loops() -> None:
    @tf.function
    def grown(count: Any) -> Any:
        def body(x: Any) -> Any:
            return (tf.concat([x, tf.random.gamma(tf.shape(x) + 1, 2.0)], 0),)

        some = tf.TensorShape([None])
        return tf.while_loop(lambda x: tf.size(x) < count, body, [tf.zeros([0])], [some])[0]

    assert grown(5).shape == (7,)


def test_one_axis_may_change_while_the_other_is_kept() -> None:
    def fn(x: Any) -> Any:
        return nested(1, lambda y: tf.concat([y, y + x[:1]], 0))(x)

    program = lower_graph(graph_of(fn, MATRIX)).program
    assert program is not None
    lines = text(program)

    assert "set size =" in lines
    assert "set size.1 =" not in lines  # what a place begins with has a type


def test_loops_in_a_function_that_is_called_twice_are_two_loops() -> None:
    @tf.function(input_signature=[VECTOR])
    def twice(x: Any) -> Any:
        return tf.while_loop(lambda k, _: k < 2, lambda k, y: (k + 1, y * 2.0), [0, x])[1]

    def fn(x: Any) -> Any:
        def body(k: Any, a: Any, b: Any) -> Any:
            return k + 1, twice(a) + 1.0, tf.concat([twice(b), a], 0)

        free = tf.TensorShape([None])
        return tf.while_loop(lambda k, *_: k < 3, body, [0, x, x], [COUNT, free, free])[1:]

    native, x = tf.function(fn, input_signature=[VECTOR]), tf.constant([1.0, 2.0])
    assert [one.numpy().tolist() for one in native(x)] == [one.numpy().tolist() for one in fn(x)]


def test_what_was_wrongly_taken_to_be_kept_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each size that an iteration hands on is known to be the same one, or compared."""
    monkeypatch.setattr(KeptSizes, "of", lambda self, path: lambda number, axis: True)
    native = tf.function(nested(1, STEPS["grows"]), input_signature=[VECTOR])

    with pytest.raises(tf.errors.InternalError, match="keep a size of 2, and changed it to 3"):
        native(tf.ones([2]))


@pytest.mark.sampled(among="random programs")
def test_random_loops_compute_what_eager_code_does() -> None:
    """Nothing that was taken to be kept was changed, and what is known behind a loop is so."""

    seeds = (*range(11), 57)  # the last one reads a list whose elements get another size

    def fn(x: Any, y: Any) -> list[Any]:
        return [random_loop(Random(seed), [x, y]) for seed in seeds]

    native = tf.function(fn, input_signature=[VECTOR, VECTOR], autograph=False)
    for sizes in ((2, 2), (1, 4), (0, 2)):
        x, y = (tf.range(float(size)) / 3.0 for size in sizes)
        for expected, found in zip(fn(x, y), native(x, y), strict=True):
            np.testing.assert_allclose(expected, found, rtol=1e-5)
