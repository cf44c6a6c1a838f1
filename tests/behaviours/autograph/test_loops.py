"""`while` and `for` over tensors: statements B15 to B25."""

from __future__ import annotations

import itertools

# Some variables are unbound on purpose.
# pyright: reportPossiblyUnboundVariable=false, reportUndefinedVariable=false
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import is_staged, run

set_loop_options = tf.autograph.experimental.set_loop_options


# ---- B15, B16, B17: while


@behaviour("B15")
def test_test_and_body_are_traced_once() -> None:
    calls = []

    def holds(n: Any) -> Any:
        calls.append("test")
        return n > 0

    def f(n: Any) -> Any:
        total = 0
        while holds(n):
            calls.append("body")
            total += n
            n -= 1
        return total

    assert run(f, 4) == 10
    assert calls.count("body") == 1
    assert is_staged(f, 4)


@behaviour("B15")
def test_a_loop_on_python_values_is_unrolled() -> None:
    def f(x: Any) -> Any:
        i = 0
        while i < 3:
            x += i
            i += 1
        return x

    assert run(f, 1) == 4
    assert not is_staged(f, 1)


@behaviour("B15")
@differs
def test_a_python_counter_takes_the_dtype_of_its_bound() -> None:
    def f(n: Any) -> Any:
        i = 0
        while i < n:
            i += 1
        return i

    assert tf.function(f)(tf.constant(3, tf.int64)).dtype == tf.int64


@behaviour("B16")
@differs
def test_an_endless_loop_may_end_by_a_tensor() -> None:
    def leaves(n: Any) -> Any:
        while True:
            n += 3
            if n > 10:
                break
        return n

    def returns(n: Any) -> Any:
        while True:
            n += 3
            if n > 10:
                return n * 2

    def becomes_a_tensor(n: Any) -> Any:
        i = 0
        while i < 5:
            i = i + n
        return i

    assert [run(leaves, 0), run(returns, 0), run(becomes_a_tensor, 2)] == [12, 24, 6]


@behaviour("B16")
def test_an_endless_loop_on_a_tensor_may_end_by_a_tensor() -> None:
    def f(n: Any) -> Any:
        while tf.constant(True):
            n += 3
            if n > 10:
                break
        return n

    assert run(f, 0) == 12


@behaviour("B17")
@differs
def test_a_number_as_the_condition_is_true_until_it_is_zero() -> None:
    def common_divisor(a: Any, b: Any) -> Any:
        while b:
            a, b = b, a % b
        return a

    assert run(common_divisor, 48, 36) == 12


@behaviour("B17")
@pytest.mark.parametrize("condition", ["a", [True, False], [1, 0]])
def test_the_condition_is_a_scalar_and_no_string(condition: Any) -> None:
    def f(x: Any) -> Any:
        while x:
            x = x
        return x

    words = r"condition of while loop expected to be `tf\.bool` scalar"
    with pytest.raises(ValueError, match=words):
        run(f, condition)


# ---- B18, B19, B20: what stays the same


@behaviour("B18")
def test_a_dtype_may_not_change() -> None:
    def f(n: Any) -> Any:
        x = tf.constant(1)
        while n > 0:
            n -= 1
            x = tf.constant(1.0)
        return x

    words = "'x' has dtype int32 before the loop, but dtype float32 after one iteration"
    with pytest.raises(TypeError, match=words):
        run(f, 1)


@behaviour("B18")
@differs
def test_a_python_number_takes_the_dtype_of_what_is_added() -> None:
    def f(xs: Any) -> Any:
        total = 0
        for x in xs:
            total = total + x
        return total

    assert tf.function(f)(tf.constant([1.5, 2.0])).numpy() == 3.5
    assert tf.function(f)(tf.constant([1, 2], tf.int64)).dtype == tf.int64


@behaviour("B18")
@pytest.mark.parametrize("later", [lambda s: (s,), lambda s: {"a": s}, lambda s: [s, s, s]])
def test_a_structure_may_not_change(later: Any) -> None:
    def f(n: Any) -> Any:
        s = (n, n)
        while n > 0:
            n -= 1
            s = later(n)
        return s

    words = "'s' does not have the same nested structure after one iteration"
    with pytest.raises(TypeError, match=words):
        run(f, 1)


@behaviour("B15")
@differs
@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (0, lambda x: tf.constant("a"), "has dtype int32 before the loop, but dtype string"),
        (0, lambda x: [x], r".* it was 0, and is \[int32 \(\)\]"),
        (0, lambda x: None, "is None after one iteration"),
        (0, lambda x: print, "changes in a loop that the graph runs, so it has to be a tensor"),
        (0, lambda x: tf.stack([x, x]), r"has shape \(\) before the loop, but shape \(2,\)"),
    ],
)
def test_the_line_that_changes_a_variable_is_shown(before: Any, after: Any, words: str) -> None:
    def f(n: Any) -> Any:
        s = before
        for i in tf.range(n):
            if n is not None:
                s = after(i)  # here
        return s

    with pytest.raises((TypeError, ValueError), match=f"'s' {words}") as caught:
        run(f, 3)
    assert "s = after(i)  # here" in str(caught.value)


@behaviour("B19", "B56")
@differs
def test_a_shape_that_changes_is_known_as_far_as_it_stays() -> None:
    shapes = []

    def f(n: Any) -> Any:
        x, y = tf.constant([[1, 2]]), tf.zeros([0])
        while n > 0:
            n -= 1
            x = tf.concat([x, x + 2], 0)
            y = tf.concat([y, [1.0]], 0)
        shapes.append((x.shape.as_list(), y.shape.as_list()))
        return x, y

    assert run(f, 1) == ([[1, 2], [3, 4]], [1.0])
    assert run(f, 0) == ([[1, 2]], [])
    assert shapes[0] == ([None, 2], [None])


@behaviour("B19")
def test_a_loop_over_a_dataset_lets_shapes_change() -> None:
    def f() -> Any:
        x = tf.constant([1])
        for i in tf.data.Dataset.range(2):
            x = tf.concat([x, [tf.cast(i, tf.int32)]], 0)
        return x

    assert run(f) == [1, 0, 1]


@behaviour("B19")
def test_elements_of_unknown_rank_may_be_added_up() -> None:
    def pairs() -> Any:
        yield from ((1, 2), (3, 5))

    def f() -> Any:
        s = tf.constant(0)
        for x, y in tf.data.Dataset.from_generator(pairs, (tf.int32, tf.int32)):
            if x > 0:
                s += y - x
        return s

    assert run(f) == 3


@behaviour("B20")
def test_a_shape_may_change_within_its_invariant() -> None:
    def f(n: Any) -> Any:
        x = tf.constant([1])
        while n > 0:
            set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None]))],
                parallel_iterations=1,
                swap_memory=False,
            )
            n -= 1
            x = tf.concat([x, x], 0)
        return x

    assert run(f, 2) == [1, 1, 1, 1]


@behaviour("B20")
def test_a_composite_changes_whose_other_parts_stay_as_they_are() -> None:
    def f(n: Any) -> Any:
        rows = tf.ragged.constant([[1], [2, 3]])
        for _ in tf.range(n):
            rows = rows * 2
        return rows.values

    assert run(f, 2) == [4, 8, 12]


@behaviour("B20")
def test_a_shape_against_its_invariant_is_refused() -> None:
    def after(n: Any) -> Any:
        x = tf.constant([1])
        while n > 0:
            set_loop_options(shape_invariants=[(x, tf.TensorShape([1]))])
            n -= 1
            x = tf.concat([x, x], 0)
        return x

    def before(n: Any) -> Any:
        x = tf.constant([1, 2])
        while n > 0:
            set_loop_options(shape_invariants=[(x, tf.TensorShape([1]))])
            n -= 1
            x = x + 1
        return x

    words = r"after one iteration, which does not conform with the shape invariant \(1,\)"
    with pytest.raises(ValueError, match=words):
        run(after, 1)
    with pytest.raises(ValueError, match="before the loop, which does not conform"):
        run(before, 1)


@behaviour("B20")
def test_iterations_can_be_limited() -> None:
    def f(n: Any) -> Any:
        i = 0
        while i < n:
            set_loop_options(maximum_iterations=2)
            i += 1
        return i

    assert [run(f, 5), run(f, 1)] == [2, 1]


@behaviour("B20")
@differs
def test_options_elsewhere_are_refused() -> None:
    def f(n: Any) -> Any:
        while n > 0:
            n -= 1
            set_loop_options(maximum_iterations=2)
        return n

    with pytest.raises(ValueError, match="must be the first statement in the loop block"):
        run(f, 3)


# ---- B21, B22: variables without a value before the loop


@behaviour("B21")
def test_a_first_value_in_the_loop_needs_an_iteration() -> None:
    def f(n: Any) -> Any:
        while n > 0:
            n -= 1
            y = n * 2
        return y

    assert run(f, 3) == 0
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="loop must iterate at least once to initialize y"
    ):
        run(f, 0)


@behaviour("B21")
def test_a_first_value_on_some_ways_only_is_refused() -> None:
    def f(n: Any) -> Any:
        while n > 0:
            n -= 1
            if n > 1:
                z = n
        return z

    with pytest.raises(ValueError, match=r"'z' must be defined before the loop(.|\n)*else branch"):
        run(f, 3)


@behaviour("B21")
def test_a_variable_that_is_not_used_afterwards_is_the_bodys_own() -> None:
    def f(n: Any) -> Any:
        total = 0
        while n > 0:
            n -= 1
            if n > 1:
                z = n
                total += z
        return total

    assert run(f, 4) == 5


@behaviour("B22")
def test_none_before_the_loop_is_like_no_value() -> None:
    def always(n: Any) -> Any:
        s = None
        while n > 0:
            n -= 1
            s = n + 5
        return s

    def sometimes(n: Any) -> Any:
        s = None
        while n > 0:
            n -= 1
            if n > 1:
                s = n
        return s

    assert run(always, 2) == 5
    with pytest.raises(ValueError, match="'s' is not allowed to be None before the loop"):
        run(sometimes, 2)


@behaviour("B22")
def test_an_object_cannot_be_state() -> None:
    def f(n: Any) -> Any:
        s = object()
        while n > 0:
            n -= 1
            s = object()
        return n, [s, n][1]

    with pytest.raises(TypeError, match="Failed to convert elements of <object"):
        run(f, 2)


# ---- B23, B24, B25: jumps


@behaviour("B23")
def test_break_and_continue() -> None:
    def f(n: Any) -> Any:
        total, k = 0, n
        for i in tf.range(n):
            if i == 1:
                continue
            if i > 4:
                break
            total += i
        while k > 0:
            k -= 1
            if k % 2 == 0:
                continue
            if k < 3:
                break
            total += 100
        return total

    assert run(f, 8) == 9 + 300


@behaviour("B23")
def test_break_is_about_the_innermost_loop() -> None:
    def f(n: Any) -> Any:
        count = 0
        for i in tf.range(n):
            for j in tf.range(n):
                if j > i:
                    break
                count += 1
        return count

    assert run(f, 4) == 10


@behaviour("B23")
def test_break_in_a_dataset_loop_and_in_try_finally() -> None:
    ended = []

    def f(n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i in tf.data.Dataset.range(10):
            try:
                if i > n:
                    break
                total += i
            finally:
                ended.append(1)
        return total

    assert tf.function(f)(tf.constant(3, tf.int64)).numpy() == 6
    assert ended


@behaviour("B23")
@differs
def test_a_tensor_may_end_a_python_loop() -> None:
    def of_numbers(x: Any) -> Any:
        for i in range(100):
            if i * i > x:
                break
        return i

    def of_functions(x: Any) -> Any:
        for function in [tf.negative, tf.square, tf.identity, tf.square]:
            x = function(x)
            if x > 10:
                return x
        return -x

    assert [run(of_numbers, 0), run(of_numbers, 30)] == [1, 6]
    assert [run(of_functions, x) for x in (1, 2, 5)] == [-1, 16, 25]


@behaviour("B23")
def test_a_tensor_cannot_end_a_python_loop_that_may_be_endless() -> None:
    def f(x: Any) -> Any:
        for i in itertools.count():
            if x > i:
                break
        return x

    words = (
        "break and return statements which depend on a TF condition are not supported in Python "
        r"for loops\. Did you intend to make it a TF loop"
    )
    with pytest.raises(NotImplementedError, match=words):
        run(f, 1)


@behaviour("B24")
def test_a_loop_that_always_returns_needs_an_iteration() -> None:
    def f(n: Any) -> Any:
        for i in tf.range(n):
            if i > 10:
                return i
            else:
                return i + 5

    assert run(f, 3) == 5
    with pytest.raises(tf.errors.InvalidArgumentError, match="must iterate at least once"):
        run(f, 0)


@behaviour("B24")
@differs
def test_a_conditional_return_leaves_the_loop() -> None:
    def of_for(n: Any) -> Any:
        for i in tf.range(n):
            if i * i > n:
                return i
        return -1

    def of_while(n: Any) -> Any:
        i = 0
        while i < n:
            if i * i > n:
                return i
            i += 1
        return -1

    def of_dataset(n: Any) -> Any:
        for i in tf.data.Dataset.range(10):
            if i * i > tf.cast(n, tf.int64):
                return tf.cast(i, tf.int32)
        return -1

    for f in (of_for, of_while, of_dataset):
        assert [run(f, 10), run(f, 1)] == [4, 2 if f is of_dataset else -1]


@behaviour("B24")
@differs
def test_a_return_leaves_all_the_loops_around_it() -> None:
    def f(rows: Any, wanted: Any) -> Any:
        for row in rows:
            for x in row:
                k = x
                while k > 0:
                    if k == wanted:
                        return x, k
                    k -= 2
        return -1, -1

    assert run(f, [[1, 2], [9, 4]], 5) == (9, 5)
    assert run(f, [[1, 2], [2, 4]], 7) == (-1, -1)


@behaviour("B25")
@differs
def test_the_else_of_a_loop_runs_without_a_break() -> None:
    def of_for(n: Any) -> Any:
        for i in tf.range(5):
            if i == n:
                break
        else:
            n = n + 100
        return n

    def of_while(n: Any) -> Any:
        k = 5
        while k > 0:
            k -= 1
            if k == n:
                break
        else:
            n = n + 100
        return n

    assert [run(of_for, 3), run(of_for, 7)] == [3, 107]
    assert [run(of_while, 3), run(of_while, 7)] == [3, 107]
