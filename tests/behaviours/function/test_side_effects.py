"""What happens once and what at every call, in which order, and what leaks: F68 to F76."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import NAME, behaviour, differs, tf

ONE = tf.constant(1.0)
SCALAR = tf.TensorSpec([])

# ---- once for each trace, or at every call


@behaviour("F68")
def test_effects_of_python_happen_once_for_each_trace() -> None:
    seen: list[Any] = []
    count = 0

    @tf.function
    def f(x: Any) -> Any:
        nonlocal count
        count += 1
        seen.append(x.dtype)
        return x

    for value in (1.0, 2.0, 3):
        f(tf.constant(value))

    assert count == 2
    assert seen == [tf.float32, tf.int32]


@behaviour("F68")
def test_python_prints_the_symbolic_tensor_and_only_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @tf.function
    def f(x: Any) -> Any:
        print(x)
        return x

    for _ in range(2):
        f(ONE)

    assert capsys.readouterr().out == 'Tensor("x:0", shape=(), dtype=float32)\n'


@behaviour("F68")
def test_prints_and_writes_of_the_graph_happen_at_every_call(
    capfd: pytest.CaptureFixture[str],
) -> None:
    v = tf.Variable(0.0)

    @tf.function
    def f(x: Any) -> Any:
        tf.print("called with", x)
        v.assign_add(x)

    for value in (1.0, 2.0):
        f(tf.constant(value))

    assert capfd.readouterr().err == "called with 1\ncalled with 2\n"
    assert v.numpy() == 3.0


# ---- order


@behaviour("F69")
def test_state_changes_in_the_order_of_the_program() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def f(x: Any) -> Any:
        v.assign(x)
        a = v.read_value()
        v.assign_add(10.0)
        b = v * 1.0
        v.assign(0.0)
        return a, b, v.read_value()

    assert [one.numpy() for one in f(tf.constant(3.0))] == [3.0, 13.0, 0.0]


def unused(effect: Any) -> Any:
    """A function that returns its argument and does not use the result of `effect(x)`."""

    @tf.function
    def f(x: Any) -> Any:
        effect(x)
        return x

    return f


@behaviour("F69")
@pytest.mark.parametrize(
    "check",
    [
        lambda x: tf.debugging.assert_positive(x),
        lambda x: tf.debugging.Assert(x > 0.0, [x]),
        lambda x: tf.debugging.check_numerics(1.0 / tf.maximum(x, 0.0), "broken"),
        lambda x: tf.debugging.assert_equal(x, 1.0),
    ],
)
def test_checks_run_although_nothing_uses_them(check: Any) -> None:
    f = unused(check)

    assert f(ONE).numpy() == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1.0))


@behaviour("F69")
def test_python_functions_run_although_nothing_uses_them() -> None:
    seen: list[str] = []

    def effect(x: Any) -> None:
        tf.py_function(lambda t: seen.append("py_function"), [x], [])
        tf.numpy_function(lambda a: seen.append("stateful") or a, [x], tf.float32)
        tf.numpy_function(lambda a: seen.append("pure") or a, [x], tf.float32, stateful=False)

    f = unused(effect)
    f(ONE)
    f(ONE)

    assert seen == ["py_function", "stateful"] * 2


@behaviour("F69")
def test_order_holds_across_branches_loops_and_calls() -> None:
    log = tf.Variable("")

    def note(text: Any) -> None:
        log.assign(log + text)

    @tf.function
    def inner() -> None:
        note("c")

    @tf.function
    def f(x: Any) -> Any:
        note("a")
        if x > 0.0:
            note("b")
        inner()
        for _ in tf.range(2):
            note("d")
            inner()
        tf.cond(x > 0.0, lambda: note("e"), lambda: note("f"))
        note("g")

    f(ONE)
    first = log.read_value().numpy()
    f(-ONE)

    assert (first, log.numpy()) == (b"abcdcdceg", b"abcdcdceg" + b"acdcdcfg")


@behaviour("F69")
def test_reads_see_the_writes_of_calls_before_them() -> None:
    v = tf.Variable(1.0)
    double = tf.function(lambda: v.assign(v * 2.0))

    @tf.function
    def f() -> Any:
        before = v + 0.0
        double()
        between = v + 0.0
        double()
        return before, between, v + 0.0

    assert [one.numpy() for one in f()] == [1.0, 2.0, 4.0]


# ---- assignments and variables as results


@behaviour("F70")
@differs
def test_the_result_of_an_assignment_is_the_value_right_after_it() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def f() -> Any:
        return v.assign_add(1.0), v.assign_add(1.0)

    assert [one.numpy() for one in f()] == [1.0, 2.0]


@behaviour("F70")
def test_a_read_gives_the_value_at_that_point() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def f() -> Any:
        v.assign_add(1.0)
        first = v.read_value()
        v.assign_add(1.0)
        return first, v.read_value()

    assert [one.numpy() for one in f()] == [1.0, 2.0]


@behaviour("F71")
def test_a_returned_variable_is_a_tensor_of_its_final_value() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def f() -> Any:
        results = v, {"nested": [v]}
        v.assign_add(1.0)
        return results

    first, nest = f()

    for result in (first, nest["nested"][0]):
        assert not isinstance(result, tf.Variable)
        assert result.numpy() == 2.0


@behaviour("F71")
def test_a_returned_argument_is_a_new_tensor() -> None:
    result = tf.function(lambda x: (x, [x]))(ONE)

    assert result[0] is not ONE
    assert result[1][0] is not ONE
    assert result[0].numpy() == 1.0


# ---- leaks


class Leak:
    """A symbolic tensor that outlived its trace."""

    def __init__(self) -> None:
        self.tensors: list[Any] = []

        @tf.function
        def leaking(x: Any) -> Any:
            y = x + 1.0  # made here
            self.tensors.append(y)
            return y

        leaking(ONE)
        self.function = leaking

    @property
    def tensor(self) -> Any:
        return self.tensors[0]


def used_under_init_scope(tensor: Any) -> Any:
    @tf.function
    def f() -> Any:
        with tf.init_scope():
            return tensor + 1.0

    return f()


@behaviour("F72")
@pytest.mark.parametrize(
    "use",
    [
        lambda tensor: tensor + 1.0,
        lambda tensor: tf.function(lambda x: x)(tensor),
        lambda tensor: tf.function(lambda x: x + tensor)(ONE),
        used_under_init_scope,
    ],
)
def test_a_leaked_tensor_is_out_of_scope(use: Any) -> None:
    leak = Leak()

    with pytest.raises((TypeError, ValueError), match="is out of scope and cannot be used here"):
        use(leak.tensor)


@behaviour("F72")
def test_the_message_tells_where_it_was_made_and_in_which_graph() -> None:
    leak = Leak()

    with pytest.raises(TypeError, match="defined here") as failure:
        _ = leak.tensor + 1.0
    text = str(failure.value)

    assert f'File "{__file__}"' in text
    assert "in leaking" in text
    assert "FuncGraph(name=leaking" in text


@behaviour("F72")
@differs
def test_the_message_shows_the_users_lines_and_no_others() -> None:
    leak = Leak()

    with pytest.raises(TypeError) as failure:
        _ = leak.tensor + 1.0
    text = str(failure.value)

    assert "y = x + 1.0  # made here" in text
    assert not [line for line in text.splitlines() if f"/{NAME}/" in line]


@behaviour("F72")
@differs
@pytest.mark.parametrize("where", ["eagerly", "in a function"])
def test_one_class_serves_clauses_for_both(where: str) -> None:
    leak = Leak()

    def use() -> Any:
        return leak.tensor + 1.0

    with pytest.raises(ValueError, match="out of scope") as failure:
        tf.function(use)() if where == "in a function" else use()
    assert isinstance(failure.value, TypeError)
    assert type(failure.value).__name__ == "InaccessibleTensorError"


@behaviour("F72")
def test_a_leaked_tensor_has_no_value_but_can_be_printed() -> None:
    tensor = Leak().tensor

    with pytest.raises(AttributeError, match="'SymbolicTensor' object has no attribute 'numpy'"):
        tensor.numpy()
    assert "shape=(), dtype=float32" in str(tensor)


@behaviour("F72")
@pytest.mark.parametrize("where", ["branch", "loop"])
def test_a_tensor_may_not_leave_a_branch_or_a_loop(where: str) -> None:
    kept: list[Any] = []

    def doubled(x: Any) -> Any:
        kept.append(x * 2.0)
        return kept[0]

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if where == "branch":
            tf.cond(x > 0.0, lambda: doubled(x), lambda: x)
        else:
            tf.while_loop(lambda y: y < 3.0, lambda y: [doubled(y)], [x])
        return x + kept[0]

    with pytest.raises(ValueError, match="is out of scope and cannot be used here") as failure:
        f(ONE)
    assert type(failure.value).__name__ == "InaccessibleTensorError"


# ---- what is frozen

GLOBAL = 1.0


@behaviour("F73")
def test_values_of_python_are_those_of_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    number, items, array = 1.0, [1.0], np.array(1.0, np.float32)

    @tf.function
    def f(x: Any) -> Any:
        return x + number, x + items[0], x + array, x + GLOBAL

    before = [one.numpy() for one in f(ONE)]
    number = 5.0
    items[0] = 5.0
    array[...] = 5.0
    monkeypatch.setitem(globals(), "GLOBAL", 5.0)

    assert [one.numpy() for one in f(ONE)] == before == [2.0] * 4


@behaviour("F73")
def test_names_that_get_another_tensor_or_variable_are_not_looked_up_again() -> None:
    t, v = tf.constant(1.0), tf.Variable(1.0)

    @tf.function
    def f() -> Any:
        return t + v

    before = f().numpy()
    first = v
    t, v = tf.constant(5.0), tf.Variable(5.0)

    assert f().numpy() == before == 2.0
    assert f.experimental_get_tracing_count() == 1
    assert first.numpy() == 1.0


@behaviour("F74")
def test_captured_tensors_are_listed_whatever_their_size() -> None:
    small, large = tf.ones([128]), tf.ones([129])
    cf = tf.function(lambda: tf.reduce_sum(small) + tf.reduce_sum(large)).get_concrete_function()

    assert all(one is two for one, two in zip(cf.captured_inputs, (small, large), strict=True))
    assert len(cf.inputs) == 2
    assert cf().numpy() == 257.0


@behaviour("F74")
def test_the_values_of_small_captured_tensors_are_known_while_tracing() -> None:
    sizes = tf.constant([2, 3])
    cf = tf.function(lambda x: tf.reshape(x, sizes)).get_concrete_function(tf.TensorSpec([6]))

    assert cf.output_shapes == [2, 3]


# ---- init_scope


@behaviour("F75")
def test_init_scope_lifts_out_of_the_trace() -> None:
    seen: list[Any] = []

    @tf.function
    def f() -> None:
        seen.append((tf.executing_eagerly(), tf.inside_function()))
        with tf.init_scope():
            seen.append(tf.executing_eagerly())
            assert tf.constant(2.0).numpy() == 2.0

    f()

    assert seen == [(False, True), True]
    assert (tf.executing_eagerly(), tf.inside_function()) == (True, False)


# ---- chance and time


@behaviour("F76")
@pytest.mark.parametrize("draw", [np.random.rand, random.random, time.perf_counter])
def test_numbers_of_python_are_drawn_once(draw: Any) -> None:
    f = tf.function(lambda: tf.constant(draw(), tf.float64))

    assert f().numpy() == f().numpy()


@behaviour("F76")
def test_random_numbers_of_the_graph_are_fresh_at_every_call() -> None:
    f = tf.function(lambda: tf.random.uniform([4]))

    assert (f().numpy() != f().numpy()).any()
