"""`tensorflow.python.framework.ops._gradient_registry`: libraries replace rules there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tensormill as tf
from tensormill.autodiff import registry
from tensormill.compat.private_modules.gradient_registry import _gradient_registry as known

ENTRIES = known._registry


@pytest.fixture(autouse=True)
def cleared() -> Iterator[None]:
    yield
    registry._replacements.clear()


def slope(f: Any, x: float = 3.0) -> float:
    start = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(start)
        end = f(start)
    return float(tape.gradient(end, start))


def test_what_is_put_into_an_entry_is_the_rule_until_the_first_one_is_put_back() -> None:
    own = ENTRIES["Square"]["type"]
    ENTRIES["Square"]["type"] = lambda op, gradient: 10.0 * own(op, gradient) + op.outputs[0]
    assert slope(tf.square) == 10 * 6 + 9
    assert slope(tf.function(lambda x: tf.square(x) + 1.0)) == 10 * 6 + 9
    ENTRIES["Square"]["type"] = own
    assert slope(tf.square) == 6


def test_what_was_derived_meanwhile_is_not_used_later() -> None:
    squared = tf.function(tf.square)
    graph = tf.function(lambda x: tf.gradients(squared(x), x)[0])
    own = ENTRIES["Square"]["type"]
    ENTRIES["Square"]["type"] = lambda op, gradient: gradient
    assert (slope(squared), float(graph(tf.constant(3.0)))) == (1, 1)
    ENTRIES["Square"]["type"] = own
    assert slope(squared) == 6


def test_rules_see_the_operation_as_it_is_in_its_graph() -> None:
    seen = []

    def rule(op: Any, gradient: Any) -> list[Any]:
        seen.append((op.type, op.name, op.inputs[0].name, op.get_attr("transpose_b")))
        return ENTRIES["MatMul"]["own"](op, gradient)

    own = ENTRIES["MatMul"]["type"]
    ENTRIES["MatMul"].update(own=own, type=rule)
    f = tf.function(lambda x: tf.gradients(tf.matmul(x, [[2.0]], name="product"), x)[0])
    assert f(tf.constant([[1.0]])).numpy() == [[2.0]]
    assert seen == [("MatMul", "product", "x:0", False)]


def test_entries_that_were_added_can_be_taken_away_and_no_others() -> None:
    ENTRIES["MyOwn"] = {"type": None, "location": ()}
    assert "MyOwn" in known.list()
    assert known.lookup("MyOwn") is None
    del ENTRIES["MyOwn"]
    for missing in ("MyOwn", "Square"):
        with pytest.raises(KeyError):
            del ENTRIES[missing]
    with pytest.raises(LookupError, match="no entry for: MyOwn"):
        known.lookup("MyOwn")
