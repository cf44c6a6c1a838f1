"""What a trace took for a constant, and is another value by now: `explain` says so."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import tensormill as tf

rate = 0.5


class Model:
    def __init__(self) -> None:
        self.training, self.unread, self.data = True, 1, [1]

    @tf.function
    def call(self, x: Any) -> Any:
        return x * 2.0 if self.training else x

    @tf.function(autograph=False)
    def plain(self, x: Any) -> Any:
        return x + 1.0 if self.training else x


@pytest.mark.parametrize("autograph", [True, False])
def test_a_changed_closure_is_told(autograph: bool) -> None:
    scale = 1

    @tf.function(autograph=autograph)
    def scaled(x: Any) -> Any:
        return x * scale

    scaled(tf.constant(1))
    before = scaled.explain()
    scale = 2

    assert "by now" not in before
    assert scaled(tf.constant(1)).numpy() == 1
    assert "scale: traced as 1, 2 by now" in scaled.explain()
    assert "-> pass it as an argument, or keep it in a tf.Variable" in scaled.explain()


def test_a_changed_global_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    f = tf.function(lambda x: x * rate)
    f(tf.constant(1.0))
    monkeypatch.setitem(globals(), "rate", 0.25)

    assert "rate: traced as 0.5, 0.25 by now" in f.explain()


def test_a_changed_attribute_of_an_argument_is_told() -> None:
    model = Model()
    f = tf.function(lambda thing: tf.constant(thing.training))
    f(model)
    model.training, model.unread = False, 2

    assert "thing.training: traced as True, False by now" in f.explain()
    assert "unread" not in f.explain()


@pytest.mark.parametrize("method", ["call", "plain"])
def test_a_changed_attribute_of_the_instance_is_told(method: str) -> None:
    model = Model()
    call = getattr(model, method)
    call(tf.constant(1.0))
    model.training = False

    assert "self.training: traced as True, False by now" in call.explain()
    assert "unread" not in call.explain()


def test_what_is_deleted_or_gone_is_not_told() -> None:
    model = Model()
    f = tf.function(lambda thing: tf.constant(thing.training))
    f(model)
    del model.training
    after_deletion = f.explain()
    reference = weakref.ref(model)
    del model
    gc.collect()

    assert reference() is None
    assert "by now" not in after_deletion + f.explain()


@pytest.mark.parametrize("function", [abs, tf.abs, __import__("functools").partial(tf.add, 1.0)])
def test_callables_without_code_have_nothing_to_tell(function: Any) -> None:
    f = tf.function(function)
    f(tf.constant(1.0))

    assert "by now" not in f.explain()
