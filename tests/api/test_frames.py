"""Whatever a public function is made of, its errors show at most three frames of the library."""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.process.tracebacks import shallow

HERE = Path(tf.__file__).parent
NAMES = (Path(__file__).parent / "names.txt").read_text().splitlines()
# Namespaces whose functions compute with tensors, and leave the process as it is.
COMPUTING = (
    "tf.bitwise", "tf.image", "tf.linalg", "tf.math", "tf.nn", "tf.quantization", "tf.ragged",
    "tf.sets", "tf.signal", "tf.sparse", "tf.strings",
)  # fmt: skip
WRONG = {
    "an object": object(),
    "text": tf.constant(["a"]),
    "one axis": tf.constant([1, 2, 3]),
    "no number of rows": [[1], [2, 3]],
}


def functions() -> Iterator[tuple[str, Any]]:
    for name in NAMES:
        namespace, _, last = name.rpartition(".")
        if namespace not in COMPUTING and not (namespace == "tf" and last.islower()):
            continue
        value: Any = tf
        for part in name.split(".")[1:]:
            value = getattr(value, part)
        if inspect.isfunction(value) and value.__module__.partition(".")[2].startswith("ops."):
            yield name, value


def frames_of(error: BaseException) -> int:
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return sum(Path(file).is_relative_to(HERE) for file in files)


def depth(function: Any, value: Any) -> int | None:
    """How many of our frames the error shows of a call with this for every argument it needs.

    None: there is no error.
    """
    parameters = inspect.signature(function).parameters.values()
    needed = [
        one for one in parameters if one.default is one.empty and one.kind is not one.VAR_POSITIONAL
    ]
    try:
        function(*[value] * max(1, len(needed)))
    except Exception as error:
        return frames_of(error)
    return None


@pytest.mark.parametrize("wrong", list(WRONG))
def test_errors_show_at_most_three_frames(wrong: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)  # some of them warn
    depths = {name: depth(function, WRONG[wrong]) for name, function in functions()}
    found = {name: count for name, count in depths.items() if count is not None}

    assert {name: count for name, count in found.items() if count > 3} == {}
    assert len(found) > 250


@shallow
def outer(n: int) -> Any:
    """Documented."""
    return tf.reduce_sum(tf.zeros([2]), axis=n)


def test_a_shallow_function_is_otherwise_what_it_was() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="reduction dimension") as failure:
        outer(3)

    assert outer.__doc__ == "Documented."
    assert list(inspect.signature(outer).parameters) == ["n"]
    assert frames_of(failure.value) == 0
    assert outer(0).numpy() == 0


def test_while_tracing_the_frames_are_kept_for_the_function() -> None:
    inner: list[int] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        try:
            return tf.nn.moments(x, axes=[1])
        except ValueError as error:
            inner.append(frames_of(error))
            raise

    with pytest.raises(ValueError, match="reduction dimension") as failure:
        f(tf.zeros([2]))

    assert inner[0] > 3
    assert frames_of(failure.value) <= 3


def gradients_by_too_few() -> None:
    @tf.custom_gradient
    def product(a: Any, b: Any) -> Any:
        return a * b, lambda upstream: upstream

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = product(x, x)
    tape.gradient(y, x)


COUNTS = tf.data.Dataset.range(4)
PROGRAMS = {
    "an operator": lambda: tf.zeros([2]) @ tf.zeros([2]),
    "operands": lambda: tf.zeros([2]) + tf.zeros([3]),
    "an index": lambda: tf.zeros([2])[0, 0],
    "a custom gradient": gradients_by_too_few,
    "recompute_grad": lambda: tf.recompute_grad(lambda x: x @ x)(tf.zeros([2])),
    "assign_add": lambda: tf.Variable([1, 2]).assign_add([0.5, 0.5]),
    "scatter": lambda: tf.Variable([1.0]).scatter_nd_update([[5]], [1.0]),
    "map": lambda: COUNTS.map(lambda k: k + 1.0),
    "what map calls": lambda: list(COUNTS.map(lambda k: tf.gather([1.0, 2.0], k))),
    "batch": lambda: COUNTS.batch(-1),
    "reduce": lambda: COUNTS.reduce(0, lambda s, k: s + 0.5),
    "one element": lambda: COUNTS.map(lambda k: tf.gather([1.0], k + 1)).get_single_element(),
    "while_loop": lambda: tf.while_loop(lambda i: i < 3, lambda i: (i, i), [tf.constant(0)]),
    "scan": lambda: tf.scan(lambda a, x: tf.stack([a, x]), tf.zeros([3])),
    "a function": lambda: tf.function(lambda x: tf.reshape(x, [5]))(tf.zeros([3])),
    "a signature": lambda: tf.function(abs).get_concrete_function(tf.TensorSpec([3]))(1.0, 2.0),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_so_do_those_of_methods_and_loops(program: str) -> None:
    with pytest.raises((TypeError, ValueError, tf.errors.OpError)) as failure:
        PROGRAMS[program]()

    assert frames_of(failure.value) <= 3


@pytest.mark.parametrize(
    "program",
    [
        lambda: tf.exp(tf.constant("a")),
        lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])),
        lambda: tf.constant([[1], [2, 3]]),
        lambda: tf.function(lambda x: tf.gather(x, 5))(tf.zeros([3])),
        lambda: tf.function(lambda x: tf.reshape(x, [5]))(tf.zeros([3])),
    ],
)
def test_what_is_used_most_leaves_none(program: Any) -> None:
    with pytest.raises((TypeError, ValueError, tf.errors.OpError)) as failure:
        program()

    assert frames_of(failure.value) == 0
