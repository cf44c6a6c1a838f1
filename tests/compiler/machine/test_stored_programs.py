"""Compiled graphs on disk: found again by what they compute, not by what they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.machine.cache import CachedCode, CodeCache
from tensormill.compiler.machine.stored_programs import graph_key
from tensormill.compiler.program import NativeExecutable
from tensormill.config import settings
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import Trace, trace_graph

VECTOR = TensorSpec([3], tf.float32)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path) -> Iterator[None]:
    before = settings.cache_directory, settings.cache_enabled
    settings.cache_directory, settings.cache_enabled = tmp_path / "cache", True
    yield
    settings.cache_directory, settings.cache_enabled = before


def trace(fn: Callable[..., Any], *specs: TensorSpec) -> Trace:
    return trace_graph(fn, specs or (VECTOR,))


def key(fn: Callable[..., Any]) -> str | None:
    return graph_key(trace(fn).graph, 1)


def test_the_key_of_a_graph_does_not_depend_on_names() -> None:
    assert key(lambda x: tf.add(x, 1.0, name="a")) == key(lambda x: tf.add(x, 1.0, name="b"))


@pytest.mark.parametrize(
    "other",
    [
        lambda x: x + 2.0,
        lambda x: x - 1.0,
        lambda x: 1.0 + x * 1.0,
        lambda x: x + np.float32(-0.0),
        lambda x: tf.cond(x[0] > 0.0, lambda: x + 1.0, lambda: x + 1.0),
    ],
)
def test_the_key_depends_on_what_is_computed(other: Any) -> None:
    assert key(lambda x: x + 1.0) != key(other)


def test_the_key_tells_zeros_and_arguments_apart() -> None:
    minus_zero = key(lambda x: x * np.float32(-0.0))

    assert key(lambda x: x * np.float32(0.0)) != minus_zero
    two = (VECTOR, VECTOR)
    assert graph_key(trace(lambda x, y: x - y, *two).graph, 2) != graph_key(
        trace(lambda x, y: y - x, *two).graph, 2
    )


def test_code_of_another_effort_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, x = trace(lambda x: tf.exp(x) + 1.0).graph, tf.constant([1.0, 2.0, 3.0])
    results: list[Any] = []
    for effort in (0, 2):
        monkeypatch.setattr(settings, "effort", effort)
        executable = NativeExecutable(graph)
        results.append(executable.bind(())(x)[0].numpy())
        assert executable.texts[0] != ""  # it was compiled

    np.testing.assert_allclose(*results, rtol=1e-6)


def test_a_second_executable_comes_from_the_disk_and_computes_the_same() -> None:
    def fn(x: Any) -> Any:
        return tf.nn.softmax(x * 2.0), x

    x = tf.constant([1.0, 2.0, 3.0])
    first, second = (NativeExecutable(trace(fn).graph) for _ in range(2))
    results = [executable.bind(())(x) for executable in (first, second)]

    assert first.texts[0] != ""
    assert second.texts[0] == ""  # nothing was emitted
    assert (results[0][0].numpy() == results[1][0].numpy()).all()
    assert results[1][1].numpy().tolist() == [1.0, 2.0, 3.0]


def test_an_error_of_stored_code_names_the_line_of_the_graph_that_runs() -> None:
    specs = (VECTOR, TensorSpec([], tf.int32))
    NativeExecutable(trace(lambda x, i: tf.gather(x, i), *specs).graph).bind(())(
        tf.ones([3]), tf.constant(0)
    )

    def another(x: Any, i: Any) -> Any:
        return tf.gather(x, i)  # the line to be named

    call = NativeExecutable(trace(another, *specs).graph).bind(())
    with pytest.raises(tf.errors.InvalidArgumentError, match="the line to be named"):
        call(tf.ones([3]), tf.constant(7))


def test_streams_of_random_numbers_begin_again_in_stored_code() -> None:
    def fn(x: Any) -> Any:
        return x + tf.random.normal([3], seed=1)

    first, second = (NativeExecutable(trace(fn).graph).bind(()) for _ in range(2))

    assert (first(tf.zeros([3]))[0].numpy() == second(tf.zeros([3]))[0].numpy()).all()


def test_programs_with_callbacks_are_not_found_by_graph() -> None:
    executable = NativeExecutable(trace(lambda x: tf.numpy_function(np.sin, [x], tf.float32)).graph)

    assert executable.bind(())(tf.zeros([3]))[0].numpy().tolist() == [0.0, 0.0, 0.0]
    assert executable.texts[0] != ""


def _cut(entry: CachedCode) -> CachedCode:
    return CachedCode(entry.code[: len(entry.code) // 2], entry.metadata)


def _without(name: str) -> Callable[[CachedCode], CachedCode]:
    return lambda entry: CachedCode(
        entry.code, {key: value for key, value in entry.metadata.items() if key != name}
    )


def _with(**changes: Any) -> Callable[[CachedCode], CachedCode]:
    return lambda entry: CachedCode(entry.code, {**entry.metadata, **changes})


def _with_stored(**changes: Any) -> Callable[[CachedCode], CachedCode]:
    def change(entry: CachedCode) -> CachedCode:
        stored: Any = entry.metadata["metadata"]
        return CachedCode(entry.code, {**entry.metadata, "metadata": {**stored, **changes}})

    return change


SENSELESS: dict[str, Callable[[CachedCode], CachedCode]] = {
    "half of the code": _cut,
    "no code": lambda entry: CachedCode(b"", entry.metadata),
    "other code": lambda entry: CachedCode(b"import os" * 100, entry.metadata),
    "only a header": lambda entry: CachedCode(entry.code[:64], entry.metadata),
    "no metadata": lambda entry: CachedCode(entry.code, {}),
    "no functions": _without("functions"),
    "no imports": _without("imports"),
    "functions that are a number": _with(functions=3),
    "functions that are not there": _with(functions=["tm_nowhere"]),
    "metadata that are text": _with(metadata="text"),
    "no frame": _with_stored(frame=None),
    "more inputs": _with_stored(inputs=[["x", 1, False]] * 9),
    "inputs that are numbers": _with_stored(inputs=[1]),
    "outputs that are missing": _with_stored(outputs=[]),
    "an error that is none": _with_stored(failures=[["NoSuchError", "", None]]),
    "a failure of no operation": _with_stored(failures=[["InvalidArgumentError", "", 99]]),
}


@pytest.mark.sampled
@pytest.mark.parametrize("what", SENSELESS)
def test_an_entry_that_makes_no_sense_is_made_again(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fn(x: Any) -> Any:
        return x * 2.0

    x, load = tf.constant([1.0, 2.0, 3.0]), CodeCache.load
    NativeExecutable(trace(fn).graph).bind(())(x)

    def senseless(self: CodeCache, key: str) -> CachedCode | None:
        entry = load(self, key)
        return entry and SENSELESS[what](entry)

    with monkeypatch.context() as patch:
        patch.setattr(CodeCache, "load", senseless)
        executable = NativeExecutable(trace(fn).graph)
        assert [2.0, 4.0, 6.0] == executable.bind(())(x)[0].numpy().tolist()
        assert executable.texts[0] != ""
    again = NativeExecutable(trace(fn).graph)
    assert [2.0, 4.0, 6.0] == again.bind(())(x)[0].numpy().tolist()
    assert again.texts[0] == ""
