"""Calls of functions begin in native code, and mean what they mean in Python."""

from __future__ import annotations

import gc
import inspect
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import tensormill as tf
from tensormill.core.source import is_ours
from tensormill.function.function import Function

X = tf.constant(3.0)
Y = tf.constant([4.0, 5.0])
ONE, ZERO = tf.constant(1), tf.constant(0)


class Pair(NamedTuple):
    one: Any
    other: Any


def doubled(x: Any) -> Any:
    return x * 2.0


def chosen(state: Any, flag: bool = False) -> Any:
    return Pair(state["x"] if flag else -state["x"], None)


def divided(x: Any, y: Any) -> Any:
    return x // y


def called(body: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function whose next call with such arguments is a quick one."""
    function = tf.function(body)
    for _ in range(3):
        function(*args, **kwargs)
    assert function.traces.quick is not None
    return function


def made_of(entry: Any, pack: Any = None, reader: Any = None) -> Any:
    """A function whose quick calls are made of these; others add one."""
    function = tf.function(lambda *args, **kwargs: args[0] + 1.0)
    function.traces.quick = entry, pack, reader, function.traces.detector.counter
    return function


def counted(function: Any) -> int:
    """How many quick calls there were."""
    return int(function.traces.detector.counter[0])


@pytest.fixture(params=["native code", "Python"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who makes calls."""
    called(doubled, X)
    if request.param == "Python":
        monkeypatch.setattr(Function, "__call__", Function.call_in_python)
    elif inspect.isfunction(vars(Function)["__call__"]):
        pytest.skip("native code knows no objects of this Python")
    return request.param


def test_tensors_keywords_and_structures_are_read() -> None:
    double, choose = called(doubled, X), called(chosen, {"x": Y}, flag=True)

    assert float(double(tf.constant(4.0))) == 8.0
    assert choose({"x": X * Y}, flag=True).one.numpy().tolist() == [12.0, 15.0]
    assert counted(choose) == counted(double) > 0
    assert choose({"x": Y}).one.numpy().tolist() == [-4.0, -5.0]
    assert float(double(x=X)) == 6.0


def test_quick_calls_are_counted_together() -> None:
    double = called(doubled, X)
    before = counted(double)

    double(X)
    Function.call_in_python(double, X)
    assert counted(double) == before + 2


def test_what_the_entry_gives_is_packed() -> None:
    assert made_of(lambda x: (x, "other"))(X) is X
    assert made_of(lambda *x: [x])(X, Y) == (X, Y)
    assert made_of(lambda x: (x, x), lambda found: Pair(*found))(X) == Pair(X, X)
    assert made_of(lambda: (ONE,))() is ONE


def test_a_reader_says_what_the_entry_gets() -> None:
    function = made_of(lambda *found: (found,), None, lambda *args, **kwargs: (args, kwargs))

    assert function(1, "a", z=2) == ((1, "a"), {"z": 2})
    assert function() == ((), {})


def unread(*args: Any, **kwargs: Any) -> None:
    del args, kwargs


OTHERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "the entry refuses": (made_of(lambda *_: NotImplemented), {}),
    "the reader refuses": (made_of(lambda *_: (ZERO,), None, unread), {}),
    "keywords": (made_of(lambda *_: (ZERO,)), {"flag": 1}),
}


@pytest.mark.parametrize(("function", "kwargs"), OTHERS.values(), ids=OTHERS)
def test_other_calls_are_made_otherwise(function: Any, kwargs: dict[str, Any]) -> None:
    assert float(function(X, **kwargs)) == 4.0


def test_calls_within_a_trace_are_part_of_it() -> None:
    inner = called(doubled, X)
    outer = tf.function(lambda x: inner(x) + inner(X))

    assert float(outer(tf.constant(1.0))) == 8.0
    kinds = [one.type for one in outer.get_concrete_function(X).graph.get_operations()]
    assert kinds.count("PartitionedCall") + kinds.count("StatefulPartitionedCall") == 2


def test_calls_under_a_tape_are_recorded() -> None:
    squared = called(lambda x: x * x, X)
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = squared(X)
        assert float(tape.gradient(y, X)) == 6.0
        assert float(squared(X)) == 9.0


def test_functions_run_eagerly_where_they_are_to() -> None:
    seen: list[bool] = []

    def body(x: Any) -> Any:
        seen.append(tf.executing_eagerly())
        return x + 1.0

    function = called(body, X)
    tf.config.run_functions_eagerly(True)
    try:
        function(X)
    finally:
        tf.config.run_functions_eagerly(False)
    function(X)
    assert seen == [False, True]


def test_each_instance_has_calls_of_its_own() -> None:
    class Model:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @tf.function
        def __call__(self, x: Any) -> Any:
            return self.factor * x

    models = [Model(2.0), Model(3.0)]
    for _ in range(4):
        assert [float(one(X)) for one in models] == [6.0, 9.0]


def test_what_is_no_function_is_refused() -> None:
    unbound: Any = Function.__call__

    for wrong in ((), (3,), (X, X), ("text",)):
        with pytest.raises((TypeError, AttributeError)):
            unbound(*wrong)
    with pytest.raises(AttributeError, match="_state"):
        Function.__new__(Function)(X)


def test_arguments_that_do_not_fit_are_told() -> None:
    function = called(lambda x, flag=False: x, X)

    with pytest.raises(TypeError, match="positional arguments"):
        function(X, False, X, X)
    with pytest.raises(TypeError, match="nonsense"):
        function(X, nonsense=1)


def test_what_is_called_can_be_asked_for_its_signature() -> None:
    function = called(lambda x, flag=False: x, X)

    assert str(inspect.signature(function)) == "(x, flag=False)"
    assert list(inspect.signature(function.__call__).parameters) == ["args", "kwargs"]


def failure(call: Callable[[], Any]) -> BaseException:
    try:
        call()
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def test_errors_have_the_users_frames_only() -> None:
    divide = called(divided, ONE, ONE)
    error = failure(lambda: divide(ONE, ZERO))

    files = [one.filename for one in traceback.extract_tb(error.__traceback__)]
    assert isinstance(error, tf.errors.InvalidArgumentError)
    assert files.count(__file__) >= 2
    assert not any(map(is_ours, files))


def test_errors_keep_what_they_know() -> None:
    raised = KeyError("wrong")
    raised.__cause__ = ValueError("cause")

    def entry(x: Any) -> Any:
        raise raised

    def handled() -> None:
        try:
            raise LookupError("first")
        except LookupError:
            made_of(entry)(X)

    error = failure(handled)
    assert error is raised
    assert list(map(str, (error.__context__, error.__cause__))) == ["first", "cause"]
    names = [one.name for one in traceback.extract_tb(error.__traceback__)]
    assert [names[0], names[-1]] == ["failure", "entry"]


def interrupted(*args: Any, **kwargs: Any) -> Any:
    raise KeyboardInterrupt("now")


def test_errors_of_all_that_is_called_come_out() -> None:
    ways: tuple[tuple[Any, ...], ...] = (
        (interrupted,),
        (lambda _: (X,), interrupted),
        (lambda _: (X,), None, interrupted),
    )
    for parts in ways:
        error = failure(lambda parts=parts: made_of(*parts)(X))
        assert (type(error), str(error)) == (KeyboardInterrupt, "now")
    assert isinstance(failure(lambda: made_of(lambda _: ())(X)), IndexError)


def test_what_is_remembered_may_change_meanwhile() -> None:
    def entry(x: Any) -> Any:
        function.traces.quick = None
        gc.collect()
        return (x,)

    function = made_of(entry, lambda found: Pair(found[0], function.traces.quick))
    del entry

    assert function(X) == Pair(X, None)
    assert float(function(X)) == 4.0


def test_nothing_is_left_of_calls() -> None:
    double, divide = called(doubled, X), called(divided, ONE, ONE)
    choose = called(chosen, {"x": X}, flag=True)

    def calls() -> tuple[list[int], int]:
        for _ in range(100):
            double(X)
            choose({"x": X}, flag=True)
            divide(ONE, ONE)
            failure(lambda: divide(ONE, ZERO))
            double(x=X)
        gc.collect()
        watched = X, ONE, double.traces.quick, choose.traces.quick
        return list(map(sys.getrefcount, watched)), sys.getallocatedblocks()

    calls()
    counts, blocks = calls()
    again, more = calls()
    assert again == counts
    assert more < blocks + 50


def test_threads_call_one_function_with_what_looks_different() -> None:
    function = tf.function(lambda x: x * 2)
    operands = [tf.constant(value) for value in (1, 2.0, [1, 2], [3.0, 4.0])]
    wrong: list[Any] = []

    def work(one: Any) -> None:
        expected = (one.numpy() * 2).tolist()
        for _ in range(200):
            found = function(one)
            if found.numpy().tolist() != expected or found.dtype != one.dtype:
                wrong.append(found)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(one,)) for one in operands]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []
