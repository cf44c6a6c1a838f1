"""`while` and `for`: what is traced, and what is refused."""

from __future__ import annotations

# Some variables are unbound on purpose.
# pyright: reportPossiblyUnboundVariable=false
import itertools
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


def test_a_loop_without_variables_runs() -> None:
    v = tf.Variable(3)

    def f(x):
        while v > x:
            v.assign_sub(1)
        return v

    assert [1] == staged(f, 1)


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


# --- variables that get their value in the loop ---


def test_a_first_value_needs_an_iteration() -> None:
    def f(xs):
        for x in xs:
            y = x
        return y

    assert [3] == staged_with_unknown_shapes(f, [1, 3])
    with pytest.raises(errors.InvalidArgumentError, match="at least once to initialize y"):
        staged_with_unknown_shapes(f, [0] * 0)


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


def test_a_loop_that_may_end_without_return_is_refused() -> None:
    def f(xs):
        for x in xs:
            if x > 0:
                return x

    words = r"when the loop ends without a `return`, the function returns None, .*`return 0`"
    with pytest.raises(ValueError, match=words):
        staged(f, [1])


def test_a_while_at_the_end_that_returns_at_once_needs_an_iteration() -> None:
    @tf.function
    def f(n: Any) -> Any:
        while n > 0:
            if n > 10:
                return n
            return n + 5

    assert [f(constant(1)).numpy(), f(constant(11)).numpy()] == [6, 11]
    with pytest.raises(errors.InvalidArgumentError, match="must iterate at least once"):
        f(constant(0))


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


def test_comprehensions_of_every_kind_go_through_rows_of_known_length() -> None:
    def f(xs):
        named = {name: x * k for name, k, x in zip("ab", itertools.count(1), xs, strict=False)}
        return named, [x * y for x in xs for y in xs]

    assert [3, 8, 9, 12, 12, 16] == staged(f, [3, 4])


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


def test_what_nobody_can_carry_is_left_to_the_trace_and_nothing_else_is() -> None:
    owner = Owner()

    @tf.function
    def f(xs):
        owner.last = xs  # of another rank: kept for a look at it, not for the next iteration
        for x in xs:
            owner.note(x)
        return owner.total, owner.calls

    assert [3.0, 2] == [one.numpy() for one in f(tf.constant([1.0, 2.0]))]
    assert tf.is_symbolic_tensor(owner.last)


class Layers:
    """An object that counts its calls, and needs the number while it is traced."""

    def __init__(self) -> None:
        self.layers = [lambda x: x + 1.0, lambda x: x * 2.0]
        self.calls = 0

    def next(self, x: Any) -> Any:
        self.calls += 1
        return self.layers[self.calls % 2](x)


def test_a_number_that_python_needs_is_left_to_the_trace() -> None:
    layers = Layers()

    @tf.function
    def f(xs):
        total = 0.0
        for x in xs:
            total += layers.next(x)
        return total

    assert f(tf.constant([1.0, 2.0])).numpy() == 6
    assert isinstance(layers.calls, int)


def _times(text: str, log: list[str]) -> int:
    """What is not converted: its errors are Python's."""
    log.append(text)
    return int(text)


@pytest.mark.parametrize("text", ["2", "two"])
def test_an_error_of_python_in_a_body_comes_out_once(text: str) -> None:
    layers, log = Layers(), []
    times = tf.autograph.experimental.do_not_convert(_times)

    @tf.function
    def counted(xs):
        total = 0.0
        for x in xs:
            total += x * times("two", log)
            layers.calls += 1
        return total

    @tf.function
    def stops(x):
        for _ in range(9):
            x += times(text, log)
            if x > 4.0:
                x += times("two", log)
                break
        return x

    with pytest.raises(ValueError, match=r"invalid literal for int.*'two'"):
        counted(tf.constant([1.0, 2.0]))
    assert (log, layers.calls) == (["two"], 0)
    log.clear()
    with pytest.raises(ValueError, match=r"invalid literal for int.*'two'"):
        stops(tf.constant(1.0))
    assert log == ([text] if text == "two" else ["2", "two"])


def test_what_a_loop_says_of_a_variable_is_not_lost_where_calls_change_others() -> None:
    """It was left to the trace, and ended in an error about a tensor out of scope."""

    class Log:
        def __init__(self) -> None:
            self.found: list[Any] = []
            self.named = {"found": self.found}

        def note(self, x: Any) -> None:
            self.named["found"].append(x)

    @tf.function
    def f(xs):
        log = Log()
        for x in xs:
            log.note(x)
        return log.found

    with pytest.raises(ValueError, match=r"'log.found' grows in staged code(.|\n)*known elsewhere"):
        f(tf.constant([1.0, 2.0]))


def test_a_tuple_cannot_grow_where_a_tensor_ends_a_loop_of_python() -> None:
    """The message ended in an AttributeError about functools.partial."""

    @tf.function
    def f(x):
        found = ()
        for _ in range(3):
            found = (*found, x)
            x += 1.0
            if x > 4.0:
                break
        return found

    with pytest.raises(TypeError, match="'found' must have the same nested structure"):
        f(tf.constant(1.0))


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
