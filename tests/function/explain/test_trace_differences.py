"""Why a call was traced: which argument, what it was and is, where, and what to do."""

from __future__ import annotations

import collections
import dataclasses
import gc
import logging
import re
from typing import Any

import pytest

import tensormill as tf


class Thing:
    def __repr__(self) -> str:
        return "thing"

    def method(self) -> None: ...


@dataclasses.dataclass(frozen=True)
class Size:
    width: int


Point = collections.namedtuple("Point", "x y")
ONE = tf.constant(1.0)
V, W, FIXED = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(1.0, trainable=False)


def why(first: Any, second: Any) -> str:
    """The explanation of the second trace."""
    f = tf.function(lambda x: tf.constant(0))
    f(first)
    f(second)
    _, text = f.explain().split("trace 2 at ")
    return text


CAUSES = {
    "int": (1, 2, "x: now 2 (int), before 1 (int)", "pass a tensor"),
    "float": (0.5, 0.1, "x: now 0.1 (float), before 0.5 (float)", "pass a tensor"),
    "zeros": (0.0, -0.0, "x: now -0.0 (float), before 0.0 (float)", "pass a tensor"),
    "bool": (True, False, "x: now False (bool), before True (bool)", "pass a tensor"),
    "str": ("a", "b", "x: now 'b' (str), before 'a' (str)", "pass a tensor"),
    "type": (1, 1.0, "x: now 1.0 (float), before 1 (int)", "pass one type"),
    "none": (None, ONE, "x: now f32[], before None (NoneType)", "the same kind"),
    "number": (1, tf.constant(1), "x: now i32[], before 1 (int)", "the same kind"),
    "dtype": (ONE, tf.constant(1), "x: now i32[], before f32[]", "cast to one dtype"),
    "size": (tf.ones([2]), tf.ones([3]), "x: now f32[3], before f32[2]", "reduce_retracing"),
    "rank": (ONE, tf.ones([1]), "x: now f32[1], before f32[]", "TensorSpec(None, dtype)"),
    "object": (Thing(), Thing(), "x: now the object thing, before the object thing", "same object"),
    "method": (Thing().method, Thing().method, "x: now a method of the object", "same object"),
    "function": (lambda: 1, lambda: 1, "x: now the object <function", "outside of the loop"),
    "value": (Size(1), Size(2), "x: now the object Size(width=2), before", "pass a tensor"),
    "key": ({"a": 1}, {"b": 1}, "x: now {'b': 1 (int)}, before {'a': 1 (int)}", "keys"),
    "order": (
        {"a": 1, "b": 2},
        {"b": 2, "a": 1},
        "x: now {'b': 2 (int), 'a': 1 (int)}, before {'a': 1 (int), 'b': 2 (int)}",
        "order of keys",
    ),
    "mapping": (
        {"a": 1},
        collections.OrderedDict(a=1),
        "x: now OrderedDict({'a': 1 (int)}), before {'a': 1 (int)}",
        "the same class",
    ),
    "length": ([1, 2], [1], "x: now list(1 (int)), before list(1 (int), 2 (int))", "length"),
    "list": ([1], (1,), "x: now tuple(1 (int)), before list(1 (int))", "the same class"),
    "nest": ({"a": [ONE, 2]}, {"a": [ONE, 3]}, "x['a'][1]: now 3 (int), before 2", "a tensor"),
    "field": (Point(1, ONE), Point(1, 2), "x.y: now 2 (int), before f32[]", "the same kind"),
    "variable": (V, ONE, "x: now f32[], before variable #0 f32[]", "the same kind"),
    "alias": ((V, V), (V, W), "x[1]: now variable #1 f32[], before variable #0", "same variable"),
    "trainable": (V, FIXED, "x: now variable that is not trainable, #0", "is trainable"),
    "long": ("a" * 999, "b" * 999, "bbb...bbb", "pass a tensor"),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("cause", CAUSES)
def test_a_trace_is_explained_by_argument_values_line_and_advice(cause: str) -> None:
    first, second, difference, advice = CAUSES[cause]
    text = why(first, second)

    assert re.match(r"test_trace_differences\.py:\d+, \d+ ms: ", text)
    assert difference in text
    assert advice in text.split("->")[1]
    assert len(text) < 700


SAME = Thing()


@pytest.mark.parametrize(
    "fixed",
    [
        {"size": ([tf.ones([2]), tf.ones([3])], {"input_signature": [tf.TensorSpec([None])]})},
        {"size": ([tf.ones([2]), tf.ones([3]), tf.ones([4])], {"reduce_retracing": True})},
        {"rank": ([ONE, tf.ones([1])], {"input_signature": [tf.TensorSpec(None)]})},
        {"int": ([tf.constant(1), tf.constant(2)], {})},
        {"type": ([1.0, 1.0], {})},
        {"dtype": ([ONE, tf.cast(tf.constant(1), tf.float32)], {})},
        {"object": ([SAME, SAME], {})},
        {"method": ([SAME.method, SAME.method], {})},
        {"value": ([Size(1), Size(1)], {})},
        {"order": ([{"a": 1, "b": 2}, {"a": 1, "b": 2}], {})},
    ],
    ids=lambda fixed: next(iter(fixed)),
)
def test_what_is_advised_ends_the_tracing(fixed: Any) -> None:
    ((arguments, options),) = fixed.values()
    f = tf.function(lambda x: tf.constant(0), **options)
    for argument in arguments[:2]:
        f(argument)
    count = f.experimental_get_tracing_count()
    f(arguments[-1])

    assert count == (2 if "reduce_retracing" in options else 1)
    assert f.experimental_get_tracing_count() == count


def test_an_object_that_is_gone_is_said_to_be() -> None:
    f = tf.function(lambda x: tf.constant(0))
    f(Thing())
    gc.collect()
    f(Thing())

    assert "before an object that is gone" in f.explain()


def test_arguments_by_star_are_named_by_their_keys() -> None:
    @tf.function
    def starred(*args: Any, **kwargs: Any) -> Any:
        return tf.constant(0)

    starred(1, k=1)
    starred(1, 2, k=1)
    starred(1, k=2)
    text = starred.explain()

    assert "args: now tuple(1 (int), 2 (int)), before tuple(1 (int))" in text
    assert "kwargs['k']: now 2 (int), before 1 (int)" in text


def test_the_closest_earlier_trace_is_the_one_that_is_shown() -> None:
    f = tf.function(lambda x, y: tf.constant(0))
    f(tf.ones([2]), 1)
    f(tf.ones([3], tf.int32), 2)
    f(tf.ones([4]), 1)

    assert "x: now f32[4], before f32[2]" in f.explain().split("trace 3 at ")[1]


def test_a_trace_that_failed_took_no_time() -> None:
    f = tf.function(lambda x: x.missing)
    with pytest.raises(AttributeError):
        f(ONE)

    assert " ms" not in f.explain()


def test_explain_tells_each_trace_and_why() -> None:
    @tf.function
    def step(x: Any, training: Any = False) -> Any:
        return x

    step(tf.zeros([1]))
    step(tf.zeros([2]))
    step(tf.zeros([2]), True)
    text = step.explain()

    assert "step: 3 traces" in text
    assert "x: now f32[2], before f32[1]" in text
    assert "training: now True (bool), before False (bool)" in text


def test_functions_made_by_one_line_are_to_be_made_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "tensorflow"):
        for _ in range(5):
            tf.function(lambda x: x)(tf.constant(1))

    assert "make the tf.function once" in caplog.text
