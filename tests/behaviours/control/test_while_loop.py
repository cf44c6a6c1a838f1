"""tf.while_loop: statements C8 to C15."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.behaviours.library import OURS, behaviour, differs, tf
from tests.behaviours.modes import both, traced


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Ctrl-C is pressed after so long."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@behaviour("C8", "C12")
@both
def test_while_loop_takes_its_arguments_by_these_names(mode: Any):
    def f() -> Any:
        return tf.while_loop(
            cond=lambda i: i < 5, body=lambda i: [i + 1], loop_vars=[tf.constant(0)],
            shape_invariants=[tf.TensorShape([])], parallel_iterations=1, back_prop=True,
            swap_memory=False, maximum_iterations=3, name="loop",
        )  # fmt: skip

    assert [int(one) for one in mode(f)()] == [3]


@behaviour("C9")
@both
@pytest.mark.parametrize(
    "variables",
    [
        [0],
        (0,),
        [0, 1.0],
        [0, {"a": [1, 2], "b": (3.0,)}],
        (0, [[1]]),
    ],
)
def test_the_result_is_built_like_the_variables(variables: Any, mode: Any):
    def step(i: Any, *rest: Any) -> Any:
        return type(variables)((i + 1, *rest))

    result = mode(lambda: tf.while_loop(lambda i, *_: i < 2, step, variables))()

    tf.nest.assert_same_structure(variables, result)
    assert type(result) is type(variables)
    assert int(result[0]) == 2


@behaviour("C9")
def test_a_traced_body_may_return_its_only_variable_bare():
    f = tf.function(lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]))
    result = f()

    assert isinstance(result, list)
    assert [int(one) for one in result] == [3]


@behaviour("C9")
@differs
def test_the_result_of_an_eager_loop_is_built_like_the_variables_not_like_the_last_body():
    result = tf.while_loop(lambda i: i < 2, lambda i: (i + 1,), [0])
    assert isinstance(result, list)


@behaviour("C9")
@differs
@pytest.mark.parametrize("start", [tf.constant(0), 0])
def test_an_eager_body_may_return_its_only_variable_bare(start: Any):
    result = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [start])
    assert [int(one) for one in result] == [3]


@behaviour("C9")
@both
def test_python_numbers_come_back_as_tensors(mode: Any):
    result = mode(lambda: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,)))()

    assert isinstance(result, tuple)
    assert tf.is_tensor(result[0])
    assert int(result[0]) == 3


@behaviour("C10")
@both
def test_a_body_must_return_as_many_variables(mode: Any):
    f = mode(lambda: tf.while_loop(lambda i: i < 3, lambda i: (i, i), [tf.constant(0)]))
    with pytest.raises(ValueError, match="The two structures don't have the same nested structure"):
        f()


@behaviour("C10")
def test_a_variable_keeps_its_dtype():
    f = tf.function(
        lambda: tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [tf.constant(0)])
    )
    with pytest.raises(TypeError, match=r"enters the loop with type .* but has type .* after"):
        f()


@behaviour("C10")
def test_a_variable_keeps_its_shape():
    f = tf.function(
        lambda: tf.while_loop(
            lambda x: tf.size(x) < 3, lambda x: tf.concat([x, x], 0), [tf.constant([1])]
        )
    )
    words = r"enters the loop with shape \(1,\), but has shape \(2,\) after one iteration"
    with pytest.raises(ValueError, match=words) as caught:
        f()
    assert "shape_invariants" in str(caught.value)


@behaviour("C10")
@pytest.mark.parametrize("invariant", [[tf.TensorShape([None])], [tf.TensorShape(None)]])
@both
def test_an_invariant_lets_a_shape_vary(invariant: Any, mode: Any):
    f = mode(
        lambda: tf.while_loop(
            lambda x: tf.size(x) < 3,
            lambda x: [tf.concat([x, x], 0)],
            [tf.constant([1])],
            invariant,
        )
    )
    (result,) = f()
    assert result.numpy().tolist() == [1, 1, 1, 1]


@behaviour("C10")
def test_invariants_are_built_like_the_variables():
    f = tf.function(
        lambda: tf.while_loop(
            lambda x: x < 3, lambda x: [x + 1], [tf.constant(1)],
            [tf.TensorShape([]), tf.TensorShape([])],
        )
    )  # fmt: skip
    with pytest.raises(ValueError):  # noqa: PT011 - the words differ with the structures
        f()


@behaviour("C10")
@differs
def test_an_invariant_that_the_start_contradicts_is_refused():
    f = tf.function(
        lambda: tf.while_loop(
            lambda x: tf.size(x) < 1, lambda x: [x], [tf.constant([1])], [tf.TensorShape([2])]
        )
    )
    with pytest.raises(ValueError, match=r"shape invariant .* not compatible with the initial"):
        f()


@behaviour("C11")
@both
@pytest.mark.parametrize("limit", [3, tf.constant(3)])
def test_no_more_than_maximum_iterations_are_made(limit: Any, mode: Any):
    f = mode(
        lambda: tf.while_loop(lambda i: i < 9, lambda i: [i + 1], [0], maximum_iterations=limit)
    )
    assert int(f()[0]) == 3


@behaviour("C11")
@both
@pytest.mark.parametrize("cond", [lambda i: i < 0, lambda i: False, lambda i: tf.constant(False)])
def test_no_iterations_give_the_start(cond: Any, mode: Any):
    (result,) = mode(lambda: tf.while_loop(cond, lambda i: [i + 1], [tf.constant(7)]))()
    assert int(result) == 7


@behaviour("C12")
@both
@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((1, lambda i: [i], [0]), TypeError, "'cond' must be callable."),
        ((lambda i: i < 3, 1, [0]), TypeError, "'body' must be callable."),
        ((lambda i: i < 3, lambda i: [i], [0], None, 0), TypeError, "must be a positive integer"),
    ],
)
def test_bad_arguments_of_while_loop(arguments: Any, error: Any, words: str, mode: Any):
    with pytest.raises(error, match=words):
        mode(lambda: tf.while_loop(*arguments, maximum_iterations=1))()


@behaviour("C12")
@both
def test_none_is_no_loop_variable(mode: Any):
    f = mode(lambda: tf.while_loop(lambda i: True, lambda i: [i], [None], maximum_iterations=1))
    with pytest.raises(ValueError, match="None"):
        f()


@behaviour("C12")
def test_an_int_is_no_condition():
    f = tf.function(lambda: tf.while_loop(lambda i: i, lambda i: [i - 1], [tf.constant(3)]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected bool"):
        f()


@behaviour("C12")
@differs
def test_the_conditions_dtype_is_checked_while_tracing():
    f = tf.function(lambda i: tf.while_loop(lambda i: i, lambda i: [i - 1], [i]))
    with pytest.raises(TypeError, match="expected bool"):
        f.get_concrete_function(tf.TensorSpec((), tf.int32))


@behaviour("C12")
def test_a_python_int_that_becomes_a_float_is_a_mismatch_of_dtypes():
    f = tf.function(lambda: tf.while_loop(lambda i: i < 3, lambda i: [i + 1.5], [0]))
    with pytest.raises(TypeError):  # here `i + 1.5` itself is refused, as everywhere
        f()


@behaviour("C12")
@differs
def test_an_array_made_outside_of_a_function_may_be_used_in_its_loop():
    array = tf.TensorArray(tf.int32, 2).write(0, 5).write(1, 7)

    @tf.function
    def f() -> Any:
        step = lambda i, s: (i + 1, s + array.read(i))  # noqa: E731
        return tf.while_loop(lambda i, _: i < 2, step, [0, 0])[1]

    assert int(f()) == 12


@behaviour("C13")
def test_condition_and_body_are_traced_once_each():
    calls = []

    @tf.function
    def f(n: Any) -> Any:
        return tf.while_loop(
            lambda i: calls.append("cond") or i < n, lambda i: calls.append("body") or [i + 1], [0]
        )

    assert int(f(tf.constant(3))[0]) == 3
    assert int(f(tf.constant(5))[0]) == 5
    assert calls == ["cond", "body"]


@behaviour("C13")
def test_the_operation_is_called_while():
    f = tf.function(lambda n: tf.while_loop(lambda i: i < n, lambda i: [i + 1], [0]))
    graph = f.get_concrete_function(tf.TensorSpec((), tf.int32)).graph
    types = {op.name: op.type for op in graph.get_operations()}

    assert types["while"] in {"StatelessWhile", "While"}
    assert types["while/loop_counter"] == "Const"
    assert types["while/maximum_iterations"] == "Const"


@behaviour("C14")
@both
def test_loops_have_gradients_of_second_order(mode: Any):
    def cube(x: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * x), [0, tf.ones([])])[1]

    def f(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cube(x)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    assert [float(one) for one in mode(f)(tf.constant(2.0))] == [12.0, 12.0]


@behaviour("C14")
def test_back_prop_false_cuts_gradients_and_is_deprecated(caplog: Any):
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            (y,) = tf.while_loop(lambda y: y < 100, lambda y: [y * x], [x], back_prop=False)
        return [y, tape.gradient(y, x)]

    logger = tf.get_logger()
    logger.addHandler(caplog.handler)
    try:
        y, gradient = traced(f, tf.constant(10.0))
    finally:
        logger.removeHandler(caplog.handler)
    assert float(y) == 100.0
    assert gradient is None
    assert "back_prop=False" in caplog.text


@behaviour("C14")
@differs
def test_back_prop_false_cuts_gradients_eagerly_too():
    x = tf.constant(10.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        (y,) = tf.while_loop(lambda y: y < 100, lambda y: [y * x], [x], back_prop=False)
    assert tape.gradient(y, x) is None


@behaviour("C15")
@differs
def test_a_loop_can_be_interrupted_and_the_function_called_again():
    count = tf.Variable(0)

    @tf.function
    def f(n: Any) -> Any:
        count.assign(0)
        (last,) = tf.while_loop(lambda i: i < n, lambda i: [count.assign(i + 1) + 0], [0])
        return last

    f(tf.constant(1))
    turns = 2_000_000_000 if OURS else 20_000  # seconds, in both
    with alarm(0.05), pytest.raises(KeyboardInterrupt):
        f(tf.constant(turns))
    assert 0 < int(count) < turns
    assert int(f(tf.constant(3))) == 3
