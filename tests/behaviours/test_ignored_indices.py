"""`bad_indices_policy="IGNORE"`: indices that are out of range give zeros and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both

RAW = tf.raw_ops
X = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
PLACES = np.array([[1], [7], [-2], [0], [1]], np.int32)
UPDATES = np.array([1, 20, 3, -4, 8], np.float32)
IGNORE: dict[str, Any] = {"bad_indices_policy": "IGNORE"}
CHANGED = {
    "Update": [-4.0, 8.0, 3.0],
    "Add": [-3.0, 11.0, 3.0],
    "Sub": [5.0, -7.0, 3.0],
    "Max": [1.0, 8.0, 3.0],
    "Min": [-4.0, 1.0, 3.0],
}


def unsized(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function that knows no size but how long an index is."""

    def run(indices: Any, *others: Any) -> Any:
        specs = [tf.TensorSpec([None, indices.shape[-1]], indices.dtype)]
        specs += [tf.TensorSpec([None] * np.ndim(one), one.dtype) for one in others]
        return tf.function(call, specs, autograph=False)(indices, *others)

    return run


@behaviour("I1")
@pytest.mark.parametrize("mode", [lambda f: f, tf.function, unsized], ids=["eager", "all", "some"])
def test_gather_nd_gives_zeros(mode: Any):
    run = mode(lambda indices, x: tf.gather_nd(x, indices, **IGNORE))

    elements = np.array([[0, 1], [3, 0], [2, -1], [2, 1]], np.int64)
    assert run(elements, X).numpy().tolist() == [2, 0, 0, 6]
    assert run(PLACES[:3], X).numpy().tolist() == [[3, 4], [0, 0], [0, 0]]


@behaviour("I1")
@both
def test_texts_and_truths_have_zeros(mode: Any):
    run = mode(lambda x: tf.gather_nd(x, [[0], [3]], **IGNORE))

    assert run(tf.constant(["a", "b"])).numpy().tolist() == [b"a", b""]
    assert run(tf.constant([True, True])).numpy().tolist() == [True, False]


@behaviour("I1")
@pytest.mark.parametrize("mode", [lambda f: f, tf.function, unsized], ids=["eager", "all", "some"])
def test_scatter_nd_leaves_updates_out(mode: Any):
    run = mode(lambda indices, updates: tf.scatter_nd(indices, updates, [3], **IGNORE))

    assert run(PLACES, UPDATES).numpy().tolist() == [-4, 9, 0]
    texts = tf.scatter_nd([[1], [7]], ["a", "b"], [3], **IGNORE)
    assert texts.numpy().tolist() == [b"", b"a", b""]


@pytest.mark.sampled
@behaviour("I1")
@pytest.mark.parametrize("kind", CHANGED)
@pytest.mark.parametrize("mode", [lambda f: f, tf.function, unsized], ids=["eager", "all", "some"])
def test_tensors_are_changed_where_indices_are_inside(mode: Any, kind: str):
    operation = getattr(RAW, f"TensorScatter{kind}")

    def changed(indices: Any, updates: Any) -> Any:
        return operation(tensor=[1.0, 2.0, 3.0], indices=indices, updates=updates, **IGNORE)

    assert mode(changed)(PLACES, UPDATES).numpy().tolist() == CHANGED[kind]


@behaviour("V1")
@pytest.mark.parametrize("kind", CHANGED)
@both
def test_variables_are_changed_where_indices_are_inside(mode: Any, kind: str):
    v = tf.Variable([1.0, 2.0, 3.0])
    operation = getattr(RAW, f"ResourceScatterNd{kind}")

    @mode
    def change() -> None:
        operation(ref=v.handle, indices=PLACES, updates=UPDATES, **IGNORE)

    change()
    assert v.numpy().tolist() == CHANGED[kind]


@behaviour("I1")
@both
@pytest.mark.parametrize("policy", ["", "DEFAULT", "ERROR"])
def test_other_policies_refuse(mode: Any, policy: str):
    run = mode(lambda indices: tf.gather_nd(X, indices, bad_indices_policy=policy))

    with pytest.raises(tf.errors.InvalidArgumentError, match="does not index"):
        run(PLACES)


@behaviour("I1")
@both
def test_there_must_be_a_place(mode: Any):
    run = mode(lambda x: tf.gather_nd(x, PLACES, **IGNORE))

    with pytest.raises(tf.errors.InvalidArgumentError):
        run(X[:0])
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        mode(lambda: tf.scatter_nd([[1], [0]], X[:2], [0, 2], **IGNORE))()


@behaviour("G1")
@both
def test_only_what_was_gathered_has_a_gradient(mode: Any):
    @mode
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather_nd(x, [[0, 1], [3, 0], [-1, 0], [2, 1]], **IGNORE)
        return tape.gradient(y, x)

    assert gradient(tf.constant(X)).numpy().tolist() == [[0, 1], [0, 0], [0, 1]]


@behaviour("G1")
@differs("its gradient gathers at the same indices, and refuses those out of range")
@both
def test_updates_that_were_left_out_have_no_gradient(mode: Any):
    @mode
    def gradient(updates: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(updates)
            y = tf.scatter_nd(PLACES, updates, [3], **IGNORE)
        return tape.gradient(y, updates)

    assert gradient(tf.constant(UPDATES)).numpy().tolist() == [1, 0, 0, 1, 1]
