"""`while` and `for`: what is traced, and what is refused."""

from __future__ import annotations

# Some variables are unbound on purpose.
# pyright: reportPossiblyUnboundVariable=false
from typing import Any

import pytest

import tensormill as tf
from tensormill import errors
from tensormill.autograph.experimental import set_loop_options
from tensormill.autograph.runtime import loops
from tests.autograph.staging import Traced, constant, staged, staged_with_unknown_shapes


def traced(function: Any, *arguments: Any) -> Traced:
    return Traced(function, [tf.TensorSpec.from_tensor(constant(one)) for one in arguments])


def test_a_body_is_traced_once() -> None:
    calls = []

    def f(n):
        for i in tf.range(n):
            calls.append("for")
            while n > i:
                calls.append("while")
                n -= 1
        return n

    traced(f, 3)
    assert calls == ["for", "while"]


def test_python_loops_are_unrolled() -> None:
    def f(x):
        for i in [1, 2, 3]:
            x += i
        k = 0
        while k < 2:
            k += 1
            x *= 2
        return x

    assert "StatelessWhile" not in traced(f, 1).operations()
    assert [28] == staged(f, 1)


def test_a_long_unrolled_loop_is_mentioned(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loops, "WARN_AFTER", 3)

    def f(x):
        for _ in range(4):
            x = x + 1
        return x

    assert [4] == staged(f, 0)
    assert "Large unrolled loop detected" in caplog.text


def test_a_range_is_counted_and_not_made() -> None:
    def f(n):
        total = 0
        for i in tf.range(n):
            total += i
        return total

    (loop,) = [op for op in traced(f, 3).graph.get_operations() if op.type == "StatelessWhile"]
    body = [operation.op.name for operation in loop.attrs["body"].operations]
    assert "GatherV2" not in body


def test_a_loop_of_known_length_is_not_unrolled() -> None:
    def f(xs):
        total = 0
        for x in xs:
            total += x
        return total

    assert "StatelessWhile" in traced(f, [1, 2, 3]).operations()


def test_a_loop_without_variables_runs() -> None:
    v = tf.Variable(3)

    def f(x):
        while v > x:
            v.assign_sub(1)
        return v

    assert [1] == staged(f, 1)


def test_assignments_run_in_each_iteration_in_order() -> None:
    v = tf.Variable(1)

    def f(n):
        for i in tf.range(n):
            v.assign(v * 2)
            v.assign_add(i)
        return v

    assert [12] == staged(f, 3)


@pytest.mark.parametrize("condition", [1, "a", [True, False]])
def test_a_condition_is_a_bool_scalar(condition: Any) -> None:
    def f(x):
        while x:
            x = x
        return x

    with pytest.raises(ValueError, match=r"condition of while loop expected to be `tf\.bool` scal"):
        staged(f, condition)


def test_a_dtype_may_not_change() -> None:
    def f(n):
        x = tf.constant(1)
        while n > 0:
            n -= 1
            x = tf.cast(x, tf.float32)
        return x

    with pytest.raises(
        TypeError,
        match="'x' has dtype int32 before the loop, but dtype float32 after one iteration",
    ):
        staged(f, 1)


def test_a_structure_may_not_change() -> None:
    def f(n):
        s = (n, n)
        while n > 0:
            n -= 1
            s = (n,)
        return s

    with pytest.raises(TypeError, match="'s' does not have the same nested structure after one it"):
        staged(f, 1)


def growing(n):
    y = tf.constant([1])
    while n > 0:
        n -= 1
        y = tf.concat([y, y], 0)
    return y


def test_a_size_may_change() -> None:
    assert [[[1]], [[1, 1, 1, 1]]] == [staged(growing, 0), staged(growing, 2)]


def test_a_rank_may_not_change() -> None:
    def f(n):
        y = n
        while n > 0:
            n -= 1
            y = tf.stack([n, n])
        return y

    with pytest.raises(
        ValueError,
        match=r"'y' has shape \(\) before the loop, but shape \(2,\) after one iteration\. Use",
    ):
        staged(f, 1)


def test_a_shape_may_change_within_its_invariant() -> None:
    def f(n):
        y = tf.constant([1])
        while n > 0:
            set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
            n -= 1
            y = tf.concat([y, y], 0)
        return y

    assert [[1, 1, 1, 1]] == staged(f, 2)


def test_an_invariant_is_checked() -> None:
    def after(n):
        y = tf.constant([1])
        while n > 0:
            set_loop_options(shape_invariants=[(y, [1])])
            n -= 1
            y = tf.concat([y, y], 0)
        return y

    def before(n):
        y = tf.constant([1])
        for _ in tf.range(n):
            set_loop_options(shape_invariants=[(y, tf.TensorShape([3]))])
            y = y + 1
        return y

    with pytest.raises(ValueError, match="after one iteration, which does not conform with the sh"):
        staged(after, 1)
    with pytest.raises(ValueError, match="before the loop, which does not conform with the shape"):
        staged(before, 1)


def test_iterations_can_be_limited() -> None:
    def f(n):
        k = 0
        for i in tf.range(n):
            set_loop_options(maximum_iterations=2)
            k += i + 1
        while k < 100:
            set_loop_options(maximum_iterations=n)
            k += 1
        return k

    assert [8] == staged(f, 5)


def test_options_stand_first_in_a_loop() -> None:
    def f(n):
        while n > 0:
            n -= 1
            set_loop_options(maximum_iterations=2)
        return n

    with pytest.raises(ValueError, match="must be the first statement in the loop block"):
        staged(f, 1)


# --- variables that get their value in the loop ---


def test_a_first_value_needs_an_iteration() -> None:
    def f(n):
        while n > 0:
            n -= 1
            y = n * 2
        return y

    def g(xs):
        for x in xs:
            y = x
        return y

    assert [0] == staged(f, 3)
    with pytest.raises(errors.InvalidArgumentError, match="at least once to initialize y"):
        staged(f, 0)
    assert [3] == staged_with_unknown_shapes(g, [1, 3])
    with pytest.raises(errors.InvalidArgumentError, match="at least once to initialize y"):
        staged_with_unknown_shapes(g, [0] * 0)


def test_a_first_value_on_some_ways_only_is_refused() -> None:
    def f(n):
        while n > 0:
            n -= 1
            if n > 2:
                z = n
        return z

    with pytest.raises(ValueError, match=r"'z' must be defined before the loop(.|\n)*else branch"):
        staged(f, 1)


def test_none_before_the_loop_counts_as_no_value() -> None:
    def f(n):
        s = None
        while n > 0:
            n -= 1
            s = n
        return s

    def g(n):
        s = None
        while n > 0:
            n -= 1
            if n > 1:
                s = n
        return s

    assert [0] == staged(f, 2)
    with pytest.raises(ValueError, match="'s' is not allowed to be None before the loop"):
        staged(g, 2)


def test_an_object_cannot_change() -> None:
    def f(n):
        s = object()
        while n > 0:
            n -= 1
            s = object()
        return s

    with pytest.raises(
        TypeError, match=r"'s' changes in a loop.*Failed to convert elements of <obj"
    ):
        staged(f, 1)


def test_a_deleted_variable_is_refused() -> None:
    def f(n):
        y = n
        while n > 0:
            n -= 1
            del y
        return y

    with pytest.raises(ValueError, match="'y' has no value after one iteration"):
        staged(f, 1)


def test_shapes_of_first_values_may_be_unknown() -> None:
    def f(xs):
        for _ in tf.range(2):
            y = xs * 2
        return y

    assert [[2, 4]] == staged_with_unknown_shapes(f, [1, 2])


# --- break, return ---


def test_a_tensor_cannot_end_a_python_loop() -> None:
    def f(x):
        for i in range(3):
            if x > i:
                break
        return x

    with pytest.raises(NotImplementedError, match="not supported in Python for loops"):
        staged(f, 1)


def test_a_loop_that_always_raises_fails_in_its_first_iteration() -> None:
    def f(n):
        total = 0
        for i in tf.range(n):
            total += i
            raise RuntimeError("not here")
        return total

    assert [0] == staged(f, 0)
    with pytest.raises(RuntimeError, match="not here"):
        staged(f, 1)


def test_a_handler_around_a_loop_catches_what_its_body_raises_while_tracing() -> None:
    def f(n):
        total = n
        try:
            for _ in tf.range(n):
                raise NotImplementedError
        except NotImplementedError:
            total = n + 1
        return total

    assert [4] == staged(f, 3)


def test_an_endless_loop_needs_no_return_behind_it() -> None:
    def f(n):
        while True:
            n += 1
            if n > 3:
                return n

    assert [[4], [8]] == [staged(f, 0), staged(f, 7)]


def test_a_loop_that_may_end_without_return_is_refused() -> None:
    def f(xs):
        for x in xs:
            if x > 0:
                return x

    with pytest.raises(ValueError, match="branch must also have a return statement"):
        staged(f, [1])


# --- iterables ---


def test_a_loop_at_the_end_that_returns_at_once_needs_an_iteration() -> None:
    @tf.function
    def f(n: Any) -> Any:
        for i in tf.range(n):
            if i > 10:
                return i
            return i + 5

    assert f(tf.constant(3)).numpy() == 5
    with pytest.raises(errors.InvalidArgumentError, match="must iterate at least once"):
        f(tf.constant(0))


def test_a_scalar_has_no_rows() -> None:
    def f(x):
        for i in x:
            x += i
        return x

    with pytest.raises(ValueError, match="len requires a non-scalar tensor"):
        staged(f, 1)


def test_a_rank_known_only_later_is_checked_then() -> None:
    def f(x):
        total = 0
        for i in x:
            total += tf.size(i)
        return total + len(x)

    function = Traced(f, [tf.TensorSpec(None, tf.int32)])
    assert [[4], [6]] == [function(constant([2, 3])), function(constant([[1, 2], [3, 4]]))]
    with pytest.raises(errors.InvalidArgumentError, match="len requires non-zero rank, got 0"):
        function(constant(1))


def test_rows_of_known_length_make_lists() -> None:
    def f(xs):
        return list(enumerate(xs)), [a * b for a, b in zip(xs, reversed(xs), strict=True)]

    assert [0, 1, 1, 2, 2, 2] == staged(f, [1, 2])


def test_rows_of_unknown_length_make_lists_of_the_graph_and_no_tuples() -> None:
    compiled = tf.function(
        lambda xs: (list(enumerate(xs)), list(xs)),
        input_signature=[tf.TensorSpec([None], tf.int32)],
    )

    pairs, rows = compiled([1, 2])

    assert [(0, 1), (1, 2)] == pairs
    assert [1, 2] == rows
    with pytest.raises(errors.OperatorNotAllowedInGraphError, match="its length is known"):
        staged_with_unknown_shapes(lambda xs: tuple(enumerate(xs)), [1, 2])


# --- containers ---


def test_a_dict_that_grows_in_a_loop_is_refused() -> None:
    def f(xs):
        results = {}
        for x in xs:
            results.update({str(len(results)): x})
        return results

    with pytest.raises(TypeError, match="'results' does not have the same nested structure"):
        staged(f, [1, 2])


def test_a_list_of_the_caller_cannot_grow() -> None:
    def collect(xs, results):
        for x in xs:
            results.append(x)

    def f(xs):
        results = []
        collect(xs, results)
        return results

    with pytest.raises(
        ValueError, match=r"'results' grows in staged code(.|\n)*Write `results = list\(results\)`"
    ):
        staged(f, [1, 2])


class Owner:
    """An object of the user's."""

    def __init__(self) -> None:
        self.results: Any = []
        self.total: Any = 0.0
        self.last: Any = None
        self.calls = 0

    def note(self, x: Any) -> None:
        self.results.append(x)
        self.total = self.total + x
        self.last = x
        self.calls += 1


def test_an_attribute_grows_as_long_as_the_function_is_traced() -> None:
    owner = Owner()

    @tf.function
    def f(xs):
        for x in xs:
            owner.results.append(x)
        return owner.results

    assert [1, 2] == [one.numpy() for one in f(tf.constant([1, 2]))]
    assert owner.results == []


def test_what_methods_and_helpers_change_is_state() -> None:
    def note(found, x):
        found.append(-x)

    @tf.function
    def f(xs):
        owner, found = Owner(), []
        for x in xs:
            owner.note(x)
            if x > 1:
                owner.note(x * 10)
                note(found, x)
        return owner.total, owner.results, found

    total, results, found = f(tf.constant([1.0, 2.0]))
    assert total.numpy() == 23
    assert [1, 2, 20] == [one.numpy() for one in results]
    assert [-2] == [one.numpy() for one in found]


def test_what_nobody_can_carry_is_left_to_the_trace() -> None:
    owner = Owner()

    @tf.function
    def f(xs):
        owner.last = xs  # of another rank: kept for a look at it, not for the next iteration
        for x in xs:
            owner.note(x)
        return xs

    f(tf.constant([1.0, 2.0]))
    assert owner.calls >= 1


def test_an_attribute_of_an_attribute_cannot_grow() -> None:
    class Outer:
        inner = Owner()

    def f(xs):
        outer = Outer()
        for x in xs:
            outer.inner.results.append(x)
        return outer.inner.results

    with pytest.raises(
        ValueError, match=r"test_staged_loops\.py:\d+: 'outer\.inner\.results' is changed in place"
    ):
        staged(f, [1, 2])


def test_a_tensor_array_collects() -> None:
    def f(xs):
        results = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        i = 0
        for x in xs:
            if x > 1:
                results = results.write(i, x * x)
                i += 1
        return results.stack()

    assert [[9, 4]] == staged(f, [3, 1, 2])


def test_a_dropped_write_is_noticed() -> None:
    def f(xs):
        results = tf.TensorArray(tf.int32, size=2)
        for i in tf.range(2):
            results.write(i, xs[i])
        return results.stack()

    with pytest.raises(ValueError, match=r"write `results = results\.write\(…\)`"):
        staged(f, [3, 1])


# --- Python numbers ---


def test_numbers_that_fit_nothing_fail_with_the_first_error() -> None:
    def f(n):
        s = 0
        while n > 0:
            n -= 1
            s = tf.constant("a") + s
        return s

    with pytest.raises((TypeError, ValueError)):
        staged(f, 1)


def test_a_loop_that_only_python_runs_stays_python() -> None:
    def f(x):
        names = {"a": 1}
        while len(names) < 3:
            names[str(len(names))] = 2
        return x * len(names)

    assert [6] == staged(f, 2)
