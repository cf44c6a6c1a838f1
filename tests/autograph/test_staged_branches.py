"""`if`: what is merged, what is raised, and what is refused."""

from __future__ import annotations

# Some variables are unbound on purpose.
# pyright: reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false
from typing import Any

import pytest

import tensormill as tf
from tests.autograph.staging import Traced, constant, staged

LEVEL = 0


def traced(function: Any, *arguments: Any) -> Traced:
    return Traced(function, [tf.TensorSpec.from_tensor(constant(one)) for one in arguments])


def plain_list(function: Any, *arguments: Any) -> Any:
    """The flat results of the compiled function: lists in them are as long as it makes them."""
    results = tf.function(function)(*map(tf.constant, arguments))
    return [one.numpy().tolist() for one in tf.nest.flatten(results)]


# --- if ---


def test_the_message_shows_where_a_branch_assigns_the_variable() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            sign = x * 2
            y = sign * 2
        return y

    with pytest.raises(ValueError, match=r"(?s)'y' must .* give it a value.*  y = sign \* 2\n"):
        f(tf.constant(1))


def test_a_global_variable_is_merged() -> None:
    def f(x):
        global LEVEL
        LEVEL = 1
        if x > 0:
            LEVEL = 2
        level, LEVEL = LEVEL, 0
        return level

    assert [[2], [1]] == [staged(f, 1), staged(f, -1)]


def test_a_raise_happens_when_the_graph_gets_there() -> None:
    def f(x):
        if x > 0:
            raise KeyError("no", x)
        return x

    assert [-1] == staged(f, -1)
    with pytest.raises(KeyError) as caught:
        staged(f, 3)
    assert caught.value.args == ("no", 3)
    assert (
        f'line {f.__code__.co_firstlineno + 2}, in f  *\n        raise KeyError("no", x)'
        in (caught.value.__notes__[0])
    )


def test_an_exception_keeps_its_class_and_attributes() -> None:
    class Refused(Exception):
        def __init__(self, code: int, *, hint: str) -> None:
            super().__init__(f"refused with {code}")
            self.code, self.hint = code, hint

    def check(x):
        if x > 0:
            raise Refused(7, hint="ask again")

    def f(x):
        check(x)
        return x

    for _ in range(2):
        with pytest.raises(Refused, match="refused with 7") as caught:
            tf.function(f)(tf.constant(1))
        assert (caught.value.code, caught.value.hint) == (7, "ask again")


def test_both_branches_may_raise() -> None:
    def f(x):
        if x > 0:
            if x > 10:
                raise KeyError("large")
            else:
                raise ValueError("small")
        return x

    assert [-1] == staged(f, -1)
    with pytest.raises(KeyError, match="large"):
        staged(f, 11)
    with pytest.raises(ValueError, match="small"):
        staged(f, 1)


def test_an_error_of_the_library_in_a_branch_is_raised_while_tracing() -> None:
    def f(x):
        if x > 0:
            x = x + tf.constant("text")
        return x

    with pytest.raises(TypeError):
        traced(f, -1)


def test_an_error_of_the_library_that_is_raised_again_is_still_its_own() -> None:
    def f(x):
        if x > 0:
            try:
                x = x + tf.constant("text")
            except TypeError as error:
                raise error from None
        return x

    with pytest.raises(TypeError, match="string"):
        traced(f, -1)


def test_one_exception_may_be_raised_in_many_traces() -> None:
    refusal = ValueError("refused")

    @tf.function
    def f(x):
        if x > 0:
            raise refusal
        return x

    for one in (tf.constant(1), tf.constant(1.0)):
        assert -one == f(-one)
        with pytest.raises(ValueError, match="refused"):
            f(one)


def test_only_exceptions_can_be_raised() -> None:
    def f(x):
        if x > 0:
            raise x
        return x

    with pytest.raises(TypeError, match="exceptions must derive from BaseException"):
        traced(f, -1)


def test_a_raise_inside_of_an_expression_or_an_operand() -> None:
    def refuse(x):
        raise ValueError("refused")

    def f(x):
        y = x if x > 0 else refuse(x)
        return y, x > 5 or refuse(x)

    assert [6, True] == staged(f, 6)
    for n in (-1, 1):
        with pytest.raises(ValueError, match="refused"):
            staged(f, n)


def test_a_failed_branch_fails_when_the_graph_runs_whatever_is_around_it() -> None:
    def f(x):
        y = x
        try:
            if x > 0:
                y = x + 1
                raise KeyError
        except KeyError:
            pass
        return y

    assert [-5] == staged(f, -5)
    with pytest.raises(KeyError):
        staged(f, 5)


# --- containers ---


def test_adding_to_a_list_variable_grows_it() -> None:
    def f(x):
        results = [1]
        if x > 0:
            results += [2, x]
        else:
            results.append(0)
        return results

    assert [[1, 2, 7], [1, 0]] == [plain_list(f, 7), plain_list(f, -1)]


def test_lists_of_equal_length_stay_python_lists() -> None:
    def f(x):
        results = [x]
        other = results
        if x > 0:
            results.append(1)
        else:
            results.append(2)
        assert len(other) == 2
        return other[1]

    assert [[1], [2]] == [staged(f, 1), staged(f, -1)]


def test_an_item_at_a_computed_place_is_merged() -> None:
    def f(x):
        items, i, names = [x, x], 0, {"a": [1]}
        same = items
        if x > 0:
            items[i + 1] = 5
            names["a"].append(2)
            names["a"].pop(0)
        return same, names

    assert [[3, 5, 2], [-3, -3, 1]] == [staged(f, 3), staged(f, -3)]


def test_a_list_with_another_name_cannot_grow() -> None:
    def f(x):
        results = [x]
        same = results
        if x > 0:
            results.append(x)
        return same

    with pytest.raises(ValueError, match=r"'results' grows.*Write `results = list\(results\)`"):
        staged(f, 1)


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (object(), "'results' grows.*has to be tensors: Failed to convert elements of <object"),
        ("text", "'results' grows.*one dtype: here one has dtype int32, another string"),
        ((1, 2), "'results' grows.*built alike"),
    ],
)
def test_elements_of_a_list_that_grows_are_alike(element: Any, words: str) -> None:
    def f(x):
        results = [x]
        if x > 0:
            results.append(element)
        return results

    with pytest.raises(TypeError, match=words):
        staged(f, 1)


def test_a_set_changed_in_a_branch_is_noticed() -> None:
    def f(x):
        seen = set()
        if x > 0:
            seen.add(1)
        return len(seen)

    with pytest.raises(ValueError, match=r"'seen' is changed in place.*`if`"):
        staged(f, 1)


def test_a_set_changed_by_an_assignment_is_noticed() -> None:
    def f(x):
        seen = {0}
        if x > 0:
            seen |= {1}
        return len(seen)

    with pytest.raises(ValueError, match=r"'seen' is changed in place.*`if`"):
        staged(f, 1)


def test_a_log_outside_of_the_function_may_grow() -> None:
    log = []

    def f(x):
        if x > 0:
            log.append("positive")
        return x

    assert [1] == staged(f, 1)
    assert log == ["positive"]


def test_a_tensor_may_not_leak_into_a_list_outside() -> None:
    log = []

    def f(x):
        if x > 0:
            log.append(x + 1)
        return x

    with pytest.raises(ValueError, match="'log' is changed in place"):
        staged(f, 1)


def test_a_list_made_in_the_branch_is_its_own() -> None:
    def f(x):
        if x > 0:
            parts = []
            parts.append(x)
            parts.append(x * 2)
            x = tf.stack(parts)[1]
        return x

    assert [6] == staged(f, 3)


# --- return ---


def test_a_return_in_the_else_branch_only_is_refused() -> None:
    def f(x):
        if x > 0:
            x = 1
        else:
            return x

    with pytest.raises(ValueError, match="the main branch must also have a return statement"):
        staged(f, 1)


def test_returning_a_vector_or_a_made_up_one() -> None:
    def f(x, n):
        with tf.name_scope("a"):
            if n > 0:
                return x * 2
        return x

    assert [[2, 4]] == Traced(f, [tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])(
        constant([1, 2]), constant(1)
    )


def test_an_object_that_the_other_branch_leaves_is_known_after_a_raise() -> None:
    class Scale:
        factor = 3.0

    scale = Scale()

    @tf.function
    def function(x: Any) -> Any:
        chosen = scale
        if x < 0.0:
            raise ValueError("negative")
        else:
            chosen = scale
        return chosen.factor * x

    assert function(tf.constant(2.0)).numpy() == 6.0
    with pytest.raises(ValueError, match="negative"):
        function(tf.constant(-2.0))


@pytest.mark.parametrize(
    "taken",
    [
        lambda queue, n: 1 + (queue.pop() if n > 5 else 0),
        lambda queue, n: n > 5 and queue.pop() > 3,
        lambda queue, n: n < 5 or queue.pop() > 3,
    ],
    ids=["a if c else b", "and", "or"],
)
def test_what_only_a_condition_evaluates_changes_no_list(taken: Any) -> None:
    """It was changed while tracing, whatever the condition."""
    with pytest.raises(ValueError, match="'queue' is changed in place inside of a staged"):
        tf.function(lambda n: taken([n, n + 1], n))(tf.constant(3))


LATEST: Any = 1


def bind_globally(n: Any) -> Any:
    global LATEST
    value = (LATEST := n) if n > 2 else 5
    return value + LATEST


def test_a_global_variable_is_bound_in_an_expression_by_python_only() -> None:
    assert tf.autograph.to_graph(bind_globally)(7) == 14
    assert LATEST == 7
    with pytest.raises(NotImplementedError, match="global variable 'LATEST'"):
        tf.function(bind_globally)(tf.constant(3))
    assert LATEST == 7
