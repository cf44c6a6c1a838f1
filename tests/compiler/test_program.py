"""Compiled graphs: what Python passes and gets, and what happens when something is wrong."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import program
from tensormill.compiler.program import BoundExecutable, NativeExecutable
from tensormill.core.specs import TensorSpec, ValueSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.evaluate import evaluate


def compiled(fn: Callable[..., Any], *specs: ValueSpec) -> BoundExecutable:
    trace = trace_graph(fn, specs, "fn")
    return NativeExecutable(trace.graph).bind(trace.captured)


def spec(*shape: int | None, dtype: Any = tf.float32) -> TensorSpec:
    return TensorSpec(shape, dtype)


def test_one_compile_serves_every_size() -> None:
    call = compiled(lambda x: tf.reduce_sum(x * 2.0, axis=0), spec(None, 3))

    for count in (0, 1, 2, 7, 100):
        (total,) = call(tf.ones([count, 3]))
        assert total.numpy().tolist() == [2.0 * count] * 3
    assert len(call.executable.texts) == 1


def test_unknown_ranks_compile_once_for_each_rank() -> None:
    call = compiled(lambda x: tf.reduce_sum(x), TensorSpec(None, tf.float32))

    for shape in ([], [2], [3], [2, 2], [4, 4]):
        assert call(tf.ones(shape))[0].numpy() == np.prod(shape)
    assert len(call.executable.texts) == 3


def test_the_entry_is_native_and_answers_not_implemented_for_what_it_does_not_take() -> None:
    call = compiled(lambda x: x + 1.0, spec(2))
    call(tf.ones([2]))

    assert call.entry(tf.ones([2]))[0].numpy().tolist() == [2.0, 2.0]
    for refused in (tf.ones([3]), tf.ones([2, 1]), tf.ones([2], tf.float64), 1.0, None, "x"):
        assert call.entry(refused) is NotImplemented
    assert call.entry() is NotImplemented
    assert call.entry(tf.ones([2]), tf.ones([2])) is NotImplemented


def test_a_wrong_shape_says_which_argument_and_what_was_traced() -> None:
    call = compiled(lambda x: x + 1.0, spec(2))

    with pytest.raises(ValueError, match=r"input #0.*shape \(2,\).*\(3,\) was given"):
        call(tf.ones([3]))


def test_a_wrong_dtype_says_both() -> None:
    call = compiled(lambda x: x + 1.0, spec(2))

    with pytest.raises(TypeError, match="expected to be a float32 tensor but is a int32 tensor"):
        call(tf.constant([1, 2]))


def test_an_index_out_of_range_is_an_error_at_the_users_line() -> None:
    call = compiled(lambda x, i: tf.gather(x, i), spec(3), spec(dtype=tf.int32))

    assert call(tf.constant([1.0, 2.0, 3.0]), tf.constant(2))[0].numpy() == 3.0
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"is not in \[0, 3\)") as caught:
        call(tf.constant([1.0, 2.0, 3.0]), tf.constant(5))
    assert "test_program.py" in str(caught.value)
    assert "tf.gather(x, i)" in str(caught.value)


def test_what_is_found_while_compiling_is_an_error_at_the_users_line() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="range \\[-1, 1\\)") as caught:
        tf.function(lambda x: tf.cumsum(x, axis=1))(tf.constant([1.0, 2.0]))  # the line
    assert "Detected at node Cumsum" in str(caught.value)
    assert "# the line" in str(caught.value)


def test_an_integer_division_by_zero_is_an_error() -> None:
    call = compiled(lambda x, y: x // y, spec(2, dtype=tf.int32), spec(2, dtype=tf.int32))

    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        call(tf.constant([1, 2]), tf.constant([1, 0]))
    assert call(tf.constant([7, -7]), tf.constant([2, 2]))[0].numpy().tolist() == [3, -4]


def test_an_untouched_input_is_handed_back_as_a_new_tensor() -> None:
    call = compiled(lambda x: (x, x * 2.0), spec(2))
    x = tf.ones([2])

    same, double = call(x)

    assert same is not x
    assert same.numpy().tolist() == [1.0, 1.0]
    assert double.numpy().tolist() == [2.0, 2.0]


def test_strings_go_through_python_and_the_report_says_so() -> None:
    call = compiled(lambda x: x + x, TensorSpec([2], tf.string))

    (joined,) = call(tf.constant(["a", "b"]))

    assert joined.numpy().tolist() == [b"aa", b"bb"]
    assert len(call.executable.callbacks) == 1


def test_an_exception_in_a_callback_reaches_the_caller() -> None:
    def explode(x: Any) -> Any:
        raise KeyError("no such key")

    call = compiled(lambda x: tf.py_function(explode, [x], tf.float32), spec())

    with pytest.raises(tf.errors.OpError, match="no such key"):
        call(tf.constant(1.0))


def test_a_callback_works_inside_of_a_loop() -> None:
    seen: list[float] = []

    def watch(x: Any) -> Any:
        seen.append(float(x))
        return x * 2.0

    def fn(x: Any) -> Any:
        def body(a: Any) -> Any:
            doubled = tf.py_function(watch, [a], tf.float32)
            doubled.set_shape([])
            return [doubled]

        return tf.while_loop(lambda a: a < 10.0, body, [x])

    (result,) = compiled(fn, spec())(tf.constant(1.0))

    assert result.numpy() == 16.0
    assert seen == [1.0, 2.0, 4.0, 8.0]


def test_constants_and_machine_code_are_freed_with_the_executable() -> None:
    call = compiled(lambda x: x + tf.constant(np.arange(4096.0, dtype="f4")), spec(4096))
    call(tf.ones([4096]))
    gone = weakref.ref(call.executable)

    del call
    gc.collect()

    assert gone() is None


def test_threads_may_run_one_executable_at_once() -> None:
    def fn(x: Any) -> Any:
        return tf.while_loop(lambda i, a: i < 2000, lambda i, a: [i + 1, a * 1.0001], [0, x])[1]

    call = compiled(fn, spec(64))
    inputs = [tf.constant(np.full(64, k, "f4")) for k in range(8)]
    expected = [call(x)[0].numpy() for x in inputs]
    results: list[Any] = [None] * 8

    def work(k: int) -> None:
        for _ in range(20):
            results[k] = call(inputs[k])[0].numpy()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for result, wanted in zip(results, expected, strict=True):
        assert (result == wanted).all()


def test_a_variable_passed_twice_is_one_variable() -> None:
    v = tf.Variable([1.0, 2.0])

    def fn(a: Any, b: Any) -> Any:
        from tensormill.ops.bind import bind
        from tensormill.ops.state.variables import AssignAddVariableOp, read

        bind(AssignAddVariableOp, a, [1.0, 1.0], dtype=tf.float32)
        return read(b, tf.float32)

    from tensormill.graph.payload import spec_of_payload

    resource = spec_of_payload(v.handle._array)
    call = compiled(fn, resource, resource)

    assert call(v.handle, v.handle)[0].numpy().tolist() == [2.0, 3.0]


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "uint16", "int32", "uint32",
                                   "int64", "uint64", "float16", "bfloat16", "float32", "float64",
                                   "complex64", "complex128"])  # fmt: skip
def test_every_dtype_goes_in_and_comes_out(dtype: str) -> None:
    x = tf.cast(tf.constant([0, 1, 1, 0, 1]), dtype)
    call = compiled(lambda a: tf.reverse(a, [0]), TensorSpec([5], dtype))

    (result,) = call(x)

    assert result.dtype == dtype
    assert result.numpy().tolist() == x.numpy()[::-1].tolist()
    assert result.numpy().dtype == evaluate(trace_graph(lambda a: tf.reverse(a, [0]),
        [TensorSpec([5], dtype)]).graph, [x._array])[0].dtype  # fmt: skip


def test_what_a_finalizer_assigns_while_outputs_are_made_does_not_free_them() -> None:
    v = tf.Variable(np.ones(50_000, "f4"))
    trace = trace_graph(lambda x: (v.read_value(), x * 2.0), [spec(2)], "read")
    read = NativeExecutable(trace.graph).bind(trace.captured)
    x = tf.ones([2])
    read(x)

    class Dying:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            v.assign(np.zeros(50_000, "f4"))

    entry, threshold = read.entry, gc.get_threshold()
    gc.collect()
    Dying()
    gc.set_threshold(1)  # the next object, which is the tuple of outputs, collects
    value = entry(x)[0]
    gc.set_threshold(*threshold)

    tf.constant(np.full(50_000, 7.0, "f4"))  # would lie where the value lay
    assert v.numpy()[0] == 0.0
    assert set(value.numpy().tolist()) == {1.0}


def test_a_call_is_repeated_while_another_thread_looks_at_its_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda: v.assign_add([1.0, 1.0]), autograph=False)
    looks: list[Any] = []

    def unshare(*given: Any) -> None:
        original(*given)
        if len(looks) < 3:
            looks.append(v.handle._array.array)

    original = program.unshare
    monkeypatch.setattr(program, "unshare", unshare)

    assert step().numpy().tolist() == [2.0, 3.0]
    assert [one.tolist() for one in looks] == [[1.0, 2.0]] * 3


def test_a_call_gives_up_on_a_variable_that_others_never_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda: v.assign_add([1.0, 1.0]), autograph=False)
    monkeypatch.setattr(program, "unshare", lambda *_: None)
    look = v.handle._array.array

    with pytest.raises(tf.errors.InternalError, match="other threads never let go"):
        step()
    assert look.tolist() == [1.0, 2.0]
