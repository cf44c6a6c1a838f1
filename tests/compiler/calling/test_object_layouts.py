"""What native code takes for granted of CPython's and NumPy's objects; and where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import program
from tensormill.compiler.calling import object_layouts
from tensormill.core.process import references
from tensormill.eager.storage import Storage


def test_all_facts_hold_here() -> None:
    assert object_layouts.doubts() == ()


@pytest.fixture(params=object_layouts.FACTS, ids=lambda fact: fact.text)
def doubt(request: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A process in which one fact does not hold."""
    facts = [
        fact._replace(holds=lambda: False) if fact is request.param else fact
        for fact in object_layouts.FACTS
    ]
    monkeypatch.setattr(object_layouts, "FACTS", facts)
    object_layouts.doubts.cache_clear()
    yield request.param.text
    object_layouts.doubts.cache_clear()


def test_what_is_in_doubt_is_told_once(doubt: str, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        assert not object_layouts.are_known()

    assert [doubt in record.getMessage() for record in caplog.records] == [True]


def programs() -> Iterator[tuple[str, Callable[..., Any], list[Any]]]:
    """Functions made anew, and what they are called with."""
    variables = [tf.Variable([1.0, 2.0]) for _ in range(6)]

    @tf.function
    def train(x: Any) -> Any:
        for k, variable in enumerate(variables):
            variable.assign_add(x * k)
        return tf.add_n([one.read_value() for one in variables]), variables[1]

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def unknown(x: Any) -> Any:
        return tf.transpose(x), x, tf.shape(x)

    @tf.function
    def loop(x: Any) -> Any:
        found = []
        while x < 20:
            x = x * 2
            found.append(x)
        return found, x

    @tf.function
    def callback(x: Any, word: Any) -> Any:
        y = tf.numpy_function(lambda one: one + 1, [x], tf.float32)
        return variables[0].assign_add(y), tf.strings.join([word, "!"])

    @tf.function
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(variables[2] * x)
        return tape.gradient(loss, variables[2])

    vector = tf.constant([3.0, 4.0])
    yield "many variables", train, [vector]
    yield "unknown sizes", unknown, [tf.constant([[1.0, 2.0, 3.0]])]
    yield "unknown sizes again", unknown, [tf.zeros([0, 2])]
    yield "a loop", loop, [tf.constant(3)]
    yield "Python within", callback, [vector, tf.constant("word")]
    yield "a gradient", gradient, [vector]


def results() -> dict[str, Any]:
    return {
        name: [tf.nest.map_structure(np.asarray, function(*operands)) for _ in range(3)]
        for name, function, operands in programs()
    }


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that get native entries."""
    names: list[str] = []
    make = program.native_function

    def noted(graph: Any, *rest: Any) -> Any:
        names.append(graph.name)
        return make(graph, *rest)

    monkeypatch.setattr(program, "native_function", noted)
    return names


@pytest.mark.sampled
def test_without_any_of_them_calls_go_through_python(doubt: str, entries: list[str]) -> None:
    variable = tf.Variable([1.0, 2.0])
    function = tf.function(lambda x: (variable.assign_add(x), x * 2))

    for expected in ([4.0, 6.0], [7.0, 10.0]):
        assigned, doubled = function(tf.constant([3.0, 4.0]))
        assert expected == assigned.numpy().tolist()
        assert [6.0, 8.0] == doubled.numpy().tolist()
    assert [] == entries


def test_the_slow_way_is_the_same_way(monkeypatch: pytest.MonkeyPatch, entries: list[str]) -> None:
    quick = results()
    assert 3 <= len(entries)
    entries.clear()

    with monkeypatch.context() as changes:
        changes.setattr(object_layouts, "are_known", lambda: False)
        slow = results()

    assert [] == entries
    np.testing.assert_equal(slow, quick)


def test_where_references_are_not_counted_nothing_is_changed_in_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variable = tf.Variable([1.0, 2.0])
    storage: Storage = variable.handle._array
    assert storage.sole_array() is not None

    monkeypatch.setattr(references, "ARE_COUNTED", False)

    assert storage.sole_array() is None
    before = variable.numpy()
    variable.assign_add([1.0, 1.0])
    variable.scatter_nd_add([[0]], [5.0])
    assert before.tolist() == [1.0, 2.0]
    assert variable.numpy().tolist() == [7.0, 3.0]


def test_holders_are_counted_whatever_they_are() -> None:
    box = [np.zeros(3)]
    assert references.holders(box, 0) == 1
    other = {"name": box[0]}
    name = box[0]
    assert references.holders(box, 0) == 3
    assert references.holders(other, "name") == 3
    del name
    assert references.holders(box, 0) == 2


def test_free_threaded_builds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    references.require_lock()
    monkeypatch.setattr("sys.abiflags", "t")

    with pytest.raises(ImportError, match="a free-threaded build of 3"):
        references.require_lock()


@pytest.mark.parametrize("known", [True, False])
def test_the_address_of_an_array_is_that_of_its_memory(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_layouts, "are_known", lambda: known)

    for array in (np.arange(6), np.arange(6)[2:], np.array([b"a"], object), np.zeros(0)):
        assert array.ctypes.data == object_layouts.data_of(array)
